"""A table of heads-up limit hold'em in the notebook: play against an agent, and see how it saw the hand."""

import math

import numpy as np
from IPython.display import Markdown

from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.table.players import Player
from pokerlab.workbench.drawings.svg import Picture
from pokerlab.workbench.holdem.bucketed_agent import BucketedAgent
from pokerlab.workbench.holdem.limit_match import LimitMatch
from pokerlab.workbench.holdem.match_picture import count_hands, draw_match, small_bets
from pokerlab.workbench.holdem.narration import Explain
from pokerlab.workbench.live.play_table import PlayTable
from pokerlab.workbench.text import signed

DEMONSTRATION = 6


class HoldemTable(PlayTable):
    """Hands of limit hold'em with buttons; make it with `play_holdem`."""

    match: LimitMatch
    before: LimitMatch | None

    def __init__(self, agent: Player | BucketedAgent, seed: int, explain: Explain | None) -> None:
        self.agent, self.explain = agent, explain
        super().__init__(seed, {"fold": "Fold", "call": "Check", "raise": "Bet"})
        self.match = LimitMatch(agent, seed).play(calling, DEMONSTRATION)
        self.refresh()

    def new_match(self) -> LimitMatch:
        """Return a match with its first hand."""
        return LimitMatch(self.agent, self.seed + self.matches).deal()

    def move_labels(self) -> dict[str, str]:
        """Return what the reader may do, and what its button says."""
        if not self.match.is_waiting:
            return {}
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
            return f"{count_hands(DEMONSTRATION)} played for you, calling all the way. Press Deal to play your own"
        hand = self.match.hands[-1]
        if self.match.is_waiting:
            words = [button.description for button in self.moves.values() if not button.disabled]
            listed = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
            ended = ""
            if self.before is not None and not self.match.finished:
                ended = f"Your last match: {in_small_bets(self.before)}. "
            return f"{ended}Hand {hand.number}, your turn: {listed.lower()}?"
        won = self.match.results[-1]
        verb = "win" if won > 0 else "lose"
        size = f"{abs(won):g} small bet{'' if abs(won) == 1 else 's'}"
        outcome = f"you {verb} {size}" if won else "nobody wins anything"
        return f"Hand {hand.number}: {outcome}"

    def draw(self) -> Picture:
        """Return the picture of the table; after the first deal the next one is for the next hand."""
        self.deal_button.description = "Deal" if self.is_demonstration else "Next hand"
        return draw_match(self.match, self.headline(), self.explain)

    def report(self) -> Markdown:
        """Return the result so far, with its standard error.

        Until a hand of a new match is over, the match before is reported.
        """
        return Markdown(report(self.reported))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<Hold'em table: {in_small_bets(self.match)}>"


def in_small_bets(match: LimitMatch) -> str:
    """Return what the reader of a match has won so far: '6 hands, +2.5 small bets'."""
    return f"{count_hands(len(match.finished))}, {small_bets(sum(match.results))} small bets"


def calling(hand: Hand) -> str:
    """Return the move of the demonstration."""
    return "call"


def report(match: LimitMatch) -> str:
    """Return in Markdown what the reader has won, and how sure that is."""
    hands = len(match.finished)
    if hands < 2:
        return "Play at least two hands first."
    mean, error = float(np.mean(match.results)), float(np.std(match.results, ddof=1))
    error /= math.sqrt(hands)
    return (
        f"**{in_small_bets(match)}:** {signed(mean, 2)} a hand,"
        f" with a standard error of {error:.2f} (cards of seed {match.seed}). To tell a tenth of a"
        f" small bet from luck takes about {(2 * error * math.sqrt(hands) / 0.1) ** 2:,.0f} hands."
    )


def play_holdem(
    agent: Player | BucketedProfile, *, seed: int, explain: Explain | None = None
) -> HoldemTable:
    """Show a table of heads-up limit hold'em to play at, against an agent.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own match begins with the first deal. Stacks are fresh in every hand.

    Parameters
    ----------
    agent : Player or BucketedProfile
        A compiled player, a Python player, a function of a `SeatView`; or a strategy of bucketed hold'em,
        which takes its real cards for the bucket of their exact win probability.
    seed : int
        Decides cards and the agent's luck.
    explain : callable, optional
        From a `Hand` in which the agent is to act to the `Thought` it has: shown when the hand is
        over. A bucketed strategy explains itself.

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
    if isinstance(opponent, BucketedAgent) and explain is None:
        explain = opponent.explain
    return HoldemTable(opponent, seed, explain).open()
