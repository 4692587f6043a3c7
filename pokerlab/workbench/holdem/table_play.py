"""A table of heads-up limit hold'em in the notebook: play against an agent, and see how it saw the hand."""

import math

import ipywidgets
import numpy as np
from IPython.display import Markdown

from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.table.players import Player
from pokerlab.workbench.holdem.bucketed_agent import BucketedAgent
from pokerlab.workbench.holdem.limit_match import LimitMatch
from pokerlab.workbench.holdem.match_picture import counted, draw_match, small_bets
from pokerlab.workbench.holdem.told import Explain
from pokerlab.workbench.live import registry
from pokerlab.workbench.live.screen import Screen
from pokerlab.workbench.text import signed

DEMONSTRATION = 6


class HoldemTable:
    """Hands of limit hold'em with buttons; make it with `play_holdem`.

    Attributes
    ----------
    match : LimitMatch
        All that has been played; the demonstration until the reader deals a first hand.
    """

    def __init__(self, agent: Player | BucketedAgent, seed: int, explain: Explain | None) -> None:
        self.agent, self.seed, self.explain, self.matches = agent, seed, explain, 0
        self.screen = Screen("svg+xml")
        self.deal_button = ipywidgets.Button(description="Deal", button_style="primary")
        self.moves = {
            "fold": ipywidgets.Button(description="Fold"),
            "call": ipywidgets.Button(description="Check"),
            "raise": ipywidgets.Button(description="Bet"),
        }
        self.new_button = ipywidgets.Button(description="New match")
        self.deal_button.on_click(lambda _: self.pressed("deal"))
        for move, button in self.moves.items():
            button.on_click(lambda _, move=move: self.pressed(move))
        self.new_button.on_click(lambda _: self.begin())
        buttons = [self.deal_button, *self.moves.values(), self.new_button]
        self.controls = ipywidgets.HBox(buttons)
        self.is_demonstration = True
        self.match = LimitMatch(agent, seed).play(calling, DEMONSTRATION)
        self.refresh()

    def begin(self) -> None:
        """Begin a new match, with cards of its own, and deal its first hand."""
        self.is_demonstration = False
        self.matches += 1
        self.match = LimitMatch(self.agent, self.seed + self.matches).deal()
        self.refresh()

    def pressed(self, action: str) -> None:
        """Answer a button; a second click that comes too late changes nothing."""
        if action == "deal" and not self.match.is_waiting:
            self.deal()
        elif action != "deal" and self.match.is_waiting and not self.moves[action].disabled:
            self.act(action)

    def deal(self) -> None:
        """Deal a hand; the first one ends the demonstration."""
        if self.is_demonstration:
            self.begin()
            return
        self.match = self.match.deal()
        self.refresh()

    def act(self, move: str) -> None:
        """Do 'fold', 'call' or 'raise' for the reader."""
        self.match = self.match.act(move)
        self.refresh()

    def headline(self) -> str:
        """Return what is to be done next."""
        if self.is_demonstration:
            return f"{counted(DEMONSTRATION)} played for you, calling all the way. Press Deal to play your own"
        hand = self.match.hands[-1]
        if self.match.is_waiting:
            words = [button.description for button in self.moves.values() if not button.disabled]
            listed = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
            return f"Hand {hand.number}, your turn: {listed.lower()}?"
        won = self.match.results[-1]
        verb = "win" if won > 0 else "lose"
        size = f"{abs(won):g} small bet{'' if abs(won) == 1 else 's'}"
        outcome = f"you {verb} {size}" if won else "nobody wins anything"
        return f"Hand {hand.number}: {outcome}"

    def refresh(self) -> None:
        """Enable what can be pressed and draw the table."""
        waiting = self.match.is_waiting
        self.deal_button.disabled = waiting
        self.deal_button.description = "Deal" if self.is_demonstration else "Next hand"
        labels = labelled(self.match.hands[-1]) if waiting else {}
        for move, button in self.moves.items():
            button.disabled = move not in labels
            button.description = labels.get(move, button.description)
        self.picture = draw_match(self.match, self.headline(), self.explain)
        self.screen.draw(self.picture)

    def report(self) -> Markdown:
        """Return the result so far, with its standard error."""
        return Markdown(report(self.match))  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Take the buttons away; the picture stays."""
        self.screen.close()
        registry.leave_place(self)

    def __repr__(self) -> str:
        won = small_bets(sum(self.match.results))
        return f"<Hold'em table: {counted(len(self.match.finished))}, {won} small bets>"


def labelled(hand: Hand) -> dict[str, str]:
    """Return what the reader may do, and what its button says."""
    legal = hand.legal
    said = {"fold": "Fold"} if legal.can_fold else {}
    said["call"] = f"Call {legal.to_call}" if legal.to_call else "Check"
    if legal.min_raise_to is not None:
        said["raise"] = (
            f"Raise to {legal.min_raise_to}" if hand.bet else f"Bet {legal.min_raise_to}"
        )
    return said


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
        f"**{counted(hands)}, {small_bets(sum(match.results))} small bets:** {signed(mean, 2)} a hand,"
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
    table = HoldemTable(opponent, seed, explain)
    registry.take_place(table, None)
    table.screen.open(table.controls)
    return table
