"""A table of heads-up limit hold'em in the notebook: play against an agent, and see how it saw the hand."""

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
    LOW,
    draw_story,
    is_shown_down,
    list_story_rows,
    tell_step,
)
from pokerlab.workbench.style import BLUE, GRAY, INK
from pokerlab.workbench.tables.holdem import HoldemTable, SideColumn, SidePart, Variant
from pokerlab.workbench.tables.match import AGENT, READER, BucketedAgent, LimitMatch
from pokerlab.workbench.text import count_in_words, signed

WIDTH, HEIGHT, AT, RIGHT = 1030.0, 372.0, 806.0, 1018.0
"""Size of the picture, and where the column beside the table begins and ends."""
CHART_TOP, CHART_HEIGHT, APART = 34.0, 92.0, 12.0
BELOW_TOP, LINE, MOST_LINES = 176.0, 15.0, 12
"""Where the words about the hand begin: how it went, or how the agent saw it."""
LOG_TOP = LOW + 30.0
LOG_LINES, LOG_WIDTH = 6, 230.0
COLUMNS = {"fold": 936.0, "call": 974.0, "raise": RIGHT}
CAPTION = (
    "Everything is counted in chips; one small bet is {chips} of them. Beside the table is what you have won so far,"
    " and how the hand went."
)
SEEN = (
    " Of the agent you see its bucket at each turn, how likely it was to fold, to call or check,"
    " and to bet or raise, and in bold what it did."
)
DEMONSTRATION = 6


def draw_limit_column(match: LimitMatch) -> SideColumn:
    """Return what stands beside the seats: what has been won, and how the hand went or how the agent saw it."""
    hand = match.hands[-1]
    agent = match.agent if hand.is_over else None
    seen = explain_actions(hand, agent) if isinstance(agent, BucketedAgent) else []
    story = [] if seen else list_story_rows(hand, match.names)
    log = [summarize_hand(hand) for hand in match.finished]
    said = draw_story(story[-MOST_LINES:], AT, BELOW_TOP, LINE, 11, (54, 118))
    results = draw_results(match.chips) + draw_thoughts(seen) + said
    below = enumerate(log[-LOG_LINES:])
    last = [draw_text(words, 24, LOG_TOP + LINE * k, 11, "#444444") for k, words in below]
    lines_beside = len(story[-MOST_LINES:]) + len(seen)
    beside = SidePart(AT - 8, 0, WIDTH - AT + 8, BELOW_TOP + LINE * lines_beside + 6, results)
    log_height = LINE * len(last) + 6
    parts = [beside]
    if last:
        parts.append(SidePart(16, LOG_TOP - LINE, LOG_WIDTH, log_height, "".join(last)))
    lines = [*map(" ".join, seen), *map(tell_step, story), *log]
    caption = f" {CAPTION.format(chips=CHIPS_A_SMALL_BET)}{SEEN * bool(seen)}"
    return SideColumn(WIDTH, HEIGHT, parts, [], lines, caption)


def draw_results(results: Sequence[int]) -> str:
    """Return the line of what has been won, in chips."""
    sums = list(accumulate(results, initial=0))
    low = min(-4, *sums)
    high = max(4, *sums)
    across = (RIGHT - AT - 24.0) / max(len(results), 1)

    def y(won: float) -> float:
        return CHART_TOP + CHART_HEIGHT * (high - won) / (high - low)

    words = f"{signed(sums[-1])} chips after {count_in_words(len(results), 'hand')}"
    parts = [draw_text(words, AT, 18, 12, bold=True)]
    for won in {0, *(end for end in (low, high) if abs(y(end) - y(0)) > APART)}:
        parts.append(draw_line(AT + 24, y(won), RIGHT, y(won), stroke="#d9d9d9"))
        parts.append(draw_text(signed(won), AT + 20, y(won) + 4, 10, GRAY, anchor="end"))
    points = " ".join(f"{AT + 24 + across * k:.1f},{y(won):.1f}" for k, won in enumerate(sums))
    parts.append(write_element("polyline", points=points, fill="none", stroke=BLUE, stroke_width=2))
    return "".join(parts)


def explain_actions(hand: Hand, agent: BucketedAgent) -> list[list[str]]:
    """Return for each of the agent's actions: street, bucket, three probabilities, what it did."""
    rows = []
    done = [(now, action) for now, action in replay_actions(hand) if now.actor == AGENT]
    for now, action in done[-MOST_LINES:]:
        bucket, likely = agent.explain(now)
        chances = [f"{chance:.2f}" for chance in likely]
        rows.append([STREETS[now.street], bucket, *chances, ACTIONS[find_action_column(action)]])
    return rows


def draw_thoughts(rows: Sequence[Sequence[str]]) -> str:
    """Return the table of how the agent saw the hand."""
    if not rows:
        return ""
    parts = [draw_text("bucket", AT + 48, BELOW_TOP, 10.5, GRAY)]
    parts.append(draw_text("The agent", AT, BELOW_TOP - 16, 12, bold=True))
    parts += [
        draw_text(name, x, BELOW_TOP, 10.5, GRAY, anchor="end") for name, x in COLUMNS.items()
    ]
    for k, (street, bucket, *chances, did) in enumerate(rows, start=1):
        y = BELOW_TOP + LINE * k
        parts.append(draw_text(street, AT, y, 11) + draw_text(bucket, AT + 54, y, 11))
        for (name, x), chance in zip(COLUMNS.items(), chances, strict=True):
            ink = INK if name == did else GRAY
            parts.append(draw_text(chance, x, y, 11, ink, anchor="end", bold=name == did))
    return "".join(parts)


def summarize_hand(hand: Hand) -> str:
    """Return how a hand ended, in one line."""
    won = signed(int(hand.payoffs[READER]))
    how = "showdown" if is_shown_down(hand) else f"{'you' if hand.folded[READER] else 'they'} fold"
    return f"hand {hand.number}: {won}, {how}"


def find_limit_raise(hand: Hand, amount: int) -> dict[str, int]:
    """Return to how many chips the one button raises that limit hold'em has."""
    least = hand.legal_actions.min_raise_to
    return {} if least is None else {"raise": least}


def describe_hand_won(match: LimitMatch) -> str:
    """Return what the last hand has brought the reader."""
    won = match.chips[-1]
    size = count_in_words(abs(won), "chip")
    return f"you {'win' if won > 0 else 'lose'} {size}" if won else "nobody wins anything"


def describe_last_match(match: LimitMatch, before: LimitMatch | None) -> str:
    """Return what the match before has brought, until a hand of this one is over."""
    if before is None or match.finished:
        return ""
    return f"Your last match: {describe_result(before)}. "


def describe_result(match: LimitMatch) -> str:
    """Return what the reader of a match has won so far: '6 hands, +5 chips (+2.5 small bets)'."""
    chips = sum(match.chips)
    bets = signed(chips / CHIPS_A_SMALL_BET, chips % CHIPS_A_SMALL_BET)
    return (
        f"{count_in_words(len(match.finished), 'hand')}, {signed(chips)} chips ({bets} small bets)"
    )


def choose_call(hand: Hand) -> str:
    """Return the move of the demonstration."""
    return "call"


def report_limit_match(match: LimitMatch) -> str:
    """Return in Markdown what the reader has won, and how sure that is."""
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
        A compiled player, a Python player, a function of a `SeatView`; or a strategy of bucketed hold'em, which takes
        its real cards for the bucket of their exact win probability, and explains itself when the hand is over.
    seed : int
        Decides cards and the agent's luck.

    Returns
    -------
    HoldemTable
        What is shown; `match` is what has been played, `report()` what it has brought.

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
        name="hold'em", begin=lambda seed: LimitMatch(agent=opponent, seed=seed),
        choose=choose_call, demonstration=DEMONSTRATION, how="calling all the way",
        raises={"raise": "Bet"}, find_raises=find_limit_raise, draw_column=draw_limit_column,
        say_outcome=describe_hand_won, say_before=describe_last_match, brief=describe_result, report=report_limit_match,
    )  # fmt: skip
    return HoldemTable(variant, seed).open()
