"""A table of heads-up limit hold'em in the notebook: play against an agent, and see its decisions after the hand."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import ACTIONS, Hand, find_action_column
from pokerlab.holdem.hand_history import replay_actions
from pokerlab.holdem.players import Player
from pokerlab.holdem.real_player import CHIPS_A_SMALL_BET
from pokerlab.workbench.drawings.svg import draw_line, draw_text, write_element
from pokerlab.workbench.drawings.table_drawing import (
    LOW_HEIGHT,
    draw_story,
    format_story_row,
    is_shown_down,
    list_story_rows,
)
from pokerlab.workbench.style import BLUE, GRAY, INK
from pokerlab.workbench.tables.holdem import HoldemTable, SideColumn, SidePart, Variant
from pokerlab.workbench.tables.match import AGENT, READER, BucketedAgent, LimitMatch
from pokerlab.workbench.text import count_in_words, signed

WIDTH, HEIGHT, COLUMN_LEFT, COLUMN_RIGHT = 1030.0, 372.0, 806.0, 1018.0
"""Size of the picture, and where the column beside the table begins and ends."""
CHART_TOP, CHART_HEIGHT, LEAST_GAP = 34.0, 92.0, 12.0
"""The place of the curve of chips, and the least distance of a labeled line from the line of 0 chips."""
LINES_TOP, LINE_HEIGHT, MOST_LINES = 176.0, 15.0, 12
"""Where the lines on the hand begin, in pixels from the top, how far apart they are, and how many there are at most."""
LOG_TOP = LOW_HEIGHT + 30.0
LOG_LINES, LOG_WIDTH = 6, 230.0
ACTION_ENDS = {"fold": 936.0, "call": 974.0, "raise": COLUMN_RIGHT}
"""Where the columns of the probabilities of actions end."""
CAPTION = (
    "Everything is counted in chips; one small bet is {chips} of them. Beside the table is what you have won so far,"
    " and how the hand went."
)
DECISION_CAPTION = (
    " Of the agent you see its bucket at each turn, how likely it was to fold, to call or check,"
    " and to bet or raise, and in bold what it did."
)
DEMONSTRATION_HANDS = 6  # played for the reader before the first deal


def draw_limit_column(match: LimitMatch) -> SideColumn:
    """Return the parts of the picture around the seats of a limit match.

    Beside the seats are the chips won so far, and how the last hand went. When a hand against a bucketed agent is over,
    the agent's decisions take the place of the actions. Below the seats are the results of the last hands.
    """
    hand = match.hands[-1]
    agent = match.agent if hand.is_over else None
    decisions = explain_actions(hand, agent) if isinstance(agent, BucketedAgent) else []
    story = [] if decisions else list_story_rows(hand, match.seat_names)
    log = [summarize_hand(hand) for hand in match.finished]
    drawn_story = draw_story(
        story[-MOST_LINES:], COLUMN_LEFT, LINES_TOP, LINE_HEIGHT, 11, (54, 118)
    )
    body = draw_results(match.chips) + draw_decisions(decisions) + drawn_story
    drawn_log = [
        draw_text(words, 24, LOG_TOP + LINE_HEIGHT * k, 11, "#444444")
        for k, words in enumerate(log[-LOG_LINES:])
    ]
    lines_beside = len(story[-MOST_LINES:]) + len(decisions)
    parts = [
        SidePart(
            COLUMN_LEFT - 8,
            0,
            WIDTH - COLUMN_LEFT + 8,
            LINES_TOP + LINE_HEIGHT * lines_beside + 6,
            body,
        )
    ]
    if drawn_log:
        log_height = LINE_HEIGHT * len(drawn_log) + 6
        parts.append(SidePart(16, LOG_TOP - LINE_HEIGHT, LOG_WIDTH, log_height, "".join(drawn_log)))
    lines = [*map(" ".join, decisions), *map(format_story_row, story), *log]
    caption = f" {CAPTION.format(chips=CHIPS_A_SMALL_BET)}{DECISION_CAPTION * bool(decisions)}"
    return SideColumn(WIDTH, HEIGHT, parts, [], lines, caption)


def draw_results(results: Sequence[int]) -> str:
    """Return the curve of the chips won after each hand as SVG, given the chips won in each."""
    sums = list(accumulate(results, initial=0))
    low = min(-4, *sums)
    high = max(4, *sums)
    step = (COLUMN_RIGHT - COLUMN_LEFT - 24.0) / max(len(results), 1)  # pixels between two hands

    def find_height(won: float) -> float:
        return CHART_TOP + CHART_HEIGHT * (high - won) / (high - low)

    words = f"{signed(sums[-1])} chips after {count_in_words(len(results), 'hand')}"
    parts = [draw_text(words, COLUMN_LEFT, 18, 12, bold=True)]
    for won in {
        0,
        *(end for end in (low, high) if abs(find_height(end) - find_height(0)) > LEAST_GAP),
    }:
        y = find_height(won)
        parts.append(draw_line(COLUMN_LEFT + 24, y, COLUMN_RIGHT, y, stroke="#d9d9d9"))
        parts.append(draw_text(signed(won), COLUMN_LEFT + 20, y + 4, 10, GRAY, anchor="end"))
    points = " ".join(
        f"{COLUMN_LEFT + 24 + step * k:.1f},{find_height(won):.1f}" for k, won in enumerate(sums)
    )
    parts.append(write_element("polyline", points=points, fill="none", stroke=BLUE, stroke_width=2))
    return "".join(parts)


def explain_actions(hand: Hand, agent: BucketedAgent) -> list[list[str]]:
    """Return a row of six texts for each of the agent's last actions in a hand.

    Returns
    -------
    list of list of str
        The street, the bucket, the probabilities to fold, to call and to raise, and the action.
    """
    rows = []
    agent_actions = [
        (hand_before, action)
        for hand_before, action in replay_actions(hand)
        if hand_before.actor == AGENT
    ]
    for hand_before, action in agent_actions[-MOST_LINES:]:
        bucket, probabilities = agent.explain_decision(hand_before)
        numbers = [f"{probability:.2f}" for probability in probabilities]
        action_name = ACTIONS[find_action_column(action)]
        rows.append([STREETS[hand_before.street], bucket, *numbers, action_name])
    return rows


def draw_decisions(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows of `explain_actions` as SVG, with heads; an empty text without rows."""
    if not rows:
        return ""
    parts = [draw_text("bucket", COLUMN_LEFT + 48, LINES_TOP, 10.5, GRAY)]
    parts.append(draw_text("The agent", COLUMN_LEFT, LINES_TOP - 16, 12, bold=True))
    parts += [
        draw_text(name, x, LINES_TOP, 10.5, GRAY, anchor="end") for name, x in ACTION_ENDS.items()
    ]
    for k, (street, bucket, *probabilities, action) in enumerate(rows, start=1):
        y = LINES_TOP + LINE_HEIGHT * k
        parts.append(
            draw_text(street, COLUMN_LEFT, y, 11) + draw_text(bucket, COLUMN_LEFT + 54, y, 11)
        )
        for (name, x), probability in zip(ACTION_ENDS.items(), probabilities, strict=True):
            is_action = name == action
            ink = INK if is_action else GRAY
            parts.append(draw_text(probability, x, y, 11, ink, anchor="end", bold=is_action))
    return "".join(parts)


def summarize_hand(hand: Hand) -> str:
    """Return the chips that the reader won in a hand and how it ended: 'hand 3: +2, they fold'."""
    won = signed(int(hand.payoffs[READER]))
    end = "showdown" if is_shown_down(hand) else f"{'you' if hand.folded[READER] else 'they'} fold"
    return f"hand {hand.number}: {won}, {end}"


def find_limit_raise(hand: Hand, amount: int) -> dict[str, int]:
    """Return the chips to which the button 'raise' raises, or nothing if no raise is allowed.

    Limit hold'em has one size of raises, so `amount`, which the table passes for other games, is not used.
    """
    least = hand.legal_actions.min_raise_to
    return {} if least is None else {"raise": least}


def describe_hand_won(match: LimitMatch) -> str:
    """Return what the reader won in the last finished hand: 'you win 4 chips'."""
    won = match.chips[-1]
    size = count_in_words(abs(won), "chip")
    return f"you {'win' if won > 0 else 'lose'} {size}" if won else "nobody wins anything"


def describe_last_match(match: LimitMatch, previous_match: LimitMatch | None) -> str:
    """Return the result of the previous match as a sentence; empty once a hand of `match` is over."""
    if previous_match is None or match.finished:
        return ""
    return f"Your last match: {describe_result(previous_match)}. "


def describe_result(match: LimitMatch) -> str:
    """Return what the reader has won so far: '6 hands, +5 chips (+2.5 small bets)'."""
    chips = sum(match.chips)
    bets = signed(chips / CHIPS_A_SMALL_BET, chips % CHIPS_A_SMALL_BET)
    return (
        f"{count_in_words(len(match.finished), 'hand')}, {signed(chips)} chips ({bets} small bets)"
    )


def choose_call(hand: Hand) -> str:
    """Return 'call', whatever the hand: the reader's strategy in the demonstration."""
    return "call"


def report_limit_match(match: LimitMatch) -> str:
    """Return in Markdown what the reader has won a hand, with its standard error, if there are two hands or more.

    It also estimates how many hands it takes until two standard errors are 0.1 small bets.
    """
    hands = len(match.finished)
    if hands < 2:
        return "Play at least two hands first."
    won = np.array(match.chips) / CHIPS_A_SMALL_BET
    mean = float(won.mean())
    deviation = float(won.std(ddof=1))
    return (
        f"**{describe_result(match)}:** {signed(mean, 2)} small bets a hand,"
        f" with a standard error of {deviation / math.sqrt(hands):.2f} (cards of seed {match.seed}). To tell"
        f" a tenth of a small bet from luck takes about {(2 * deviation / 0.1) ** 2:,.0f} hands."
    )


def play_holdem(agent: Player | BucketedProfile, *, seed: int) -> HoldemTable:
    """Show a table of heads-up limit hold'em to play at, against an agent.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own match begins with the first deal. Stacks are fresh in every hand.

    Parameters
    ----------
    agent : Player or BucketedProfile
        A compiled player, or a function from a `SeatView` to an action; or a strategy of bucketed hold'em. Such a
        strategy sees the bucket of its real cards' exact win probability, and its decisions are shown after the hand.
    seed : int
        Decides the cards and the random choices of the agent.

    Returns
    -------
    HoldemTable
        The table. `match` has the hands so far, and `report()` returns the reader's result.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL
    >>> table = play_holdem(ALWAYS_CALL, seed=1)
    >>> table.deal()
    >>> table.act("raise")
    >>> table.match.hands[0].actions
    (4, 0, 0)
    """
    opponent = BucketedAgent(agent) if isinstance(agent, BucketedProfile) else agent
    variant = Variant(
        name="hold'em", begin_match=lambda seed: LimitMatch(agent=opponent, seed=seed),
        choose_action=choose_call, num_demonstration_hands=DEMONSTRATION_HANDS,
        demonstration_style="calling all the way", raise_labels={"raise": "Bet"}, find_raises=find_limit_raise,
        draw_column=draw_limit_column, describe_outcome=describe_hand_won, describe_previous=describe_last_match,
        summarize_match=describe_result, write_report=report_limit_match,
    )  # fmt: skip
    return HoldemTable(variant, seed).open()
