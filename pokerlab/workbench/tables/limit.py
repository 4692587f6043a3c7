"""A table of heads-up limit hold'em in the notebook: play against an agent, and see how it saw the hand."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from IPython.display import Markdown

from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import ACTIONS, Hand, find_column
from pokerlab.holdem.hand_history import replay_actions
from pokerlab.holdem.players import Player
from pokerlab.holdem.real_player import CHIPS_A_SMALL_BET
from pokerlab.workbench.drawings.svg import SvgDrawing, label, line, tag
from pokerlab.workbench.drawings.table_drawing import (
    LOW,
    draw_story,
    draw_table,
    in_brief,
    is_shown_down,
    story_of,
    told,
)
from pokerlab.workbench.style import BLUE, GRAY, INK
from pokerlab.workbench.tables.match import AGENT, READER, BucketedAgent, LimitMatch
from pokerlab.workbench.tables.play_table import PlayTable
from pokerlab.workbench.text import counted, either, signed

WIDTH, HEIGHT, AT, RIGHT = 1030.0, 372.0, 806.0, 1018.0
"""Size of the picture, and where the column beside the table begins and ends."""
CHART_TOP, CHART_HEIGHT, APART = 34.0, 92.0, 12.0
BELOW_TOP, LINE, MOST_LINES = 176.0, 15.0, 12
"""Where the words about the hand begin: how it went, or how the agent saw it."""
LOG_TOP, LOG_LINES = LOW + 30.0, 6
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


def draw_match(match: LimitMatch, headline: str) -> SvgDrawing:
    """Return the picture of a match that has begun, the present hand in front."""
    hand = match.hands[-1]
    shown = [READER, AGENT] if hand.is_over else [READER]
    table = draw_table(hand, shown, names=["you", match.name], title=headline)
    agent = match.agent if hand.is_over else None
    seen = explain_actions(hand, agent) if isinstance(agent, BucketedAgent) else []
    told_all = story_of(hand, ["you", match.name])
    story = [] if seen else told_all
    log = [in_short(hand) for hand in match.finished]
    parts = [table.body, draw_results(match.chips), draw_thoughts(seen)]
    parts += [draw_story(story[-MOST_LINES:], AT, BELOW_TOP, LINE, 11, (54, 118))]
    below = enumerate(log[-LOG_LINES:])
    parts += [label(words, 24, LOG_TOP + LINE * k, 11, "#444444") for k, words in below]
    text = "\n".join([headline, table.text, *map(" ".join, seen), *map(told, story), *log])
    caption = f"{table.caption} {CAPTION.format(chips=CHIPS_A_SMALL_BET)}{SEEN * bool(seen)}"
    news = in_brief(headline, table.text, told_all)
    return SvgDrawing(WIDTH, HEIGHT, "".join(parts), text, caption, news)


def draw_results(results: Sequence[int]) -> str:
    """Return the line of what has been won, in chips."""
    sums = list(accumulate(results, initial=0))
    low, high = min(-4, *sums), max(4, *sums)
    across = (RIGHT - AT - 24.0) / max(len(results), 1)

    def y(won: float) -> float:
        return CHART_TOP + CHART_HEIGHT * (high - won) / (high - low)

    words = f"{signed(sums[-1])} chips after {counted(len(results), 'hand')}"
    parts = [label(words, AT, 18, 12, bold=True)]
    for won in {0, *(end for end in (low, high) if abs(y(end) - y(0)) > APART)}:
        parts.append(line(AT + 24, y(won), RIGHT, y(won), stroke="#d9d9d9"))
        parts.append(label(signed(won), AT + 20, y(won) + 4, 10, GRAY, anchor="end"))
    points = " ".join(f"{AT + 24 + across * k:.1f},{y(won):.1f}" for k, won in enumerate(sums))
    parts.append(tag("polyline", points=points, fill="none", stroke=BLUE, stroke_width=2))
    return "".join(parts)


def explain_actions(hand: Hand, agent: BucketedAgent) -> list[list[str]]:
    """Return for each of the agent's actions: street, bucket, three probabilities, what it did."""
    rows = []
    done = [(now, action) for now, action in replay_actions(hand) if now.actor == AGENT]
    for now, action in done[-MOST_LINES:]:
        bucket, likely = agent.explain(now)
        chances = [f"{chance:.2f}" for chance in likely]
        rows.append([STREETS[now.street], bucket, *chances, ACTIONS[find_column(action)]])
    return rows


def draw_thoughts(rows: Sequence[Sequence[str]]) -> str:
    """Return the table of how the agent saw the hand."""
    if not rows:
        return ""
    parts = [label("bucket", AT + 48, BELOW_TOP, 10.5, GRAY)]
    parts.append(label("The agent", AT, BELOW_TOP - 16, 12, bold=True))
    parts += [label(name, x, BELOW_TOP, 10.5, GRAY, anchor="end") for name, x in COLUMNS.items()]
    for k, (street, bucket, *chances, did) in enumerate(rows, start=1):
        y = BELOW_TOP + LINE * k
        parts.append(label(street, AT, y, 11) + label(bucket, AT + 54, y, 11))
        for (name, x), chance in zip(COLUMNS.items(), chances, strict=True):
            ink = INK if name == did else GRAY
            parts.append(label(chance, x, y, 11, ink, anchor="end", bold=name == did))
    return "".join(parts)


def in_short(hand: Hand) -> str:
    """Return how a hand ended, in one line."""
    won = signed(int(hand.payoffs[READER]))
    how = "showdown" if is_shown_down(hand) else f"{'you' if hand.folded[READER] else 'they'} fold"
    return f"hand {hand.number}: {won}, {how}"


class HoldemTable(PlayTable):
    """Hands of limit hold'em with buttons; make it with `play_holdem`."""

    match: LimitMatch
    before: LimitMatch | None

    def __init__(self, agent: Player | BucketedAgent, seed: int) -> None:
        self.agent = agent
        super().__init__(seed, {"fold": "Fold", "call": "Check", "raise": "Bet"})
        self.match = LimitMatch(agent=agent, seed=seed).play(calling, DEMONSTRATION)
        self.refresh()

    def new_match(self) -> LimitMatch:
        """Return a match with its first hand."""
        return LimitMatch(agent=self.agent, seed=self.seed + self.matches).deal()

    def move_labels(self) -> dict[str, str]:
        """Return what the reader may do, and what its button says."""
        hand = self.match.hands[-1]
        legal = hand.legal
        labels = {"fold": "Fold"} if legal.can_fold else {}
        labels["call"] = f"Call {legal.to_call}" if legal.to_call else "Check"
        if legal.min_raise_to is not None:
            labels["raise"] = f"{'Raise to' if hand.bet else 'Bet'} {legal.min_raise_to}"
        return labels

    def headline(self) -> str:
        """Return what is to be done next."""
        if self.is_demonstration:
            return f"{counted(DEMONSTRATION, 'hand')} played for you, calling all the way. Press Deal to play your own"
        hand = self.match.hands[-1]
        if self.match.is_waiting:
            words = [button.description for button in self.moves.values() if not button.disabled]
            ended = ""
            if self.before is not None and not self.match.finished:
                ended = f"Your last match: {in_words(self.before)}. "
            return f"{ended}Hand {hand.number}, your turn: {either(words).lower()}?"
        won = self.match.chips[-1]
        size = counted(abs(won), "chip")
        outcome = f"you {'win' if won > 0 else 'lose'} {size}" if won else "nobody wins anything"
        return f"Hand {hand.number}: {outcome}"

    def draw(self) -> SvgDrawing:
        """Return the picture of the table; after the first deal the next one is for the next hand."""
        self.deal_button.description = "Deal" if self.is_demonstration else "Next hand"
        return draw_match(self.match, self.headline())

    def report(self) -> Markdown:
        """Return the result so far, or of the match before, with its standard error."""
        return Markdown(report(self.reported))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<Hold'em table: {in_words(self.match)}>"


def in_words(match: LimitMatch) -> str:
    """Return what the reader of a match has won so far: '6 hands, +5 chips (+2.5 small bets)'."""
    chips = sum(match.chips)
    bets = signed(chips / CHIPS_A_SMALL_BET, chips % CHIPS_A_SMALL_BET)
    return f"{counted(len(match.finished), 'hand')}, {signed(chips)} chips ({bets} small bets)"


def calling(hand: Hand) -> str:
    """Return the move of the demonstration."""
    return "call"


def report(match: LimitMatch) -> str:
    """Return in Markdown what the reader has won, and how sure that is."""
    hands = len(match.finished)
    if hands < 2:
        return "Play at least two hands first."
    won = np.array(match.chips) / CHIPS_A_SMALL_BET
    mean, deviation = float(won.mean()), float(won.std(ddof=1))
    return (
        f"**{in_words(match)}:** {signed(mean, 2)} small bets a hand,"
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
    return HoldemTable(opponent, seed).open()
