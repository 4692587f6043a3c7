"""All histories of a game as one replier meets them: what may follow, and what the replier will know next."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pokerlab.core import GameError
from pokerlab.games import Chance, Decision, SequenceForm, Terminal
from pokerlab.games.rules import Turn

MOST_ENDS = 300_000
"""Histories that end; there are up to twice as many in all, each half a kilobyte while the tree is made."""


class Branch(NamedTuple):
    """One way in which a history goes on.

    Attributes
    ----------
    event : str
        A player's action or an outcome of chance.
    chance : float
        Probability of an outcome; 1 for an action.
    source : int
        Where a profile has another player's probability of the action; -1 elsewhere.
    after : Moment
        What follows.
    """

    event: str
    chance: float
    source: int
    after: "Moment"


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A history.

    Attributes
    ----------
    turn : Chance, Decision or Terminal
        Whose turn it is.
    own : bool
        Whether it is the replier's.
    ahead : frozenset of int
        The replier's information sets that may be the next to be met, this one's included.
    branches : tuple of Branch
        What may follow.
    """

    turn: Turn
    own: bool
    ahead: frozenset[int]
    branches: tuple[Branch, ...]


def histories_ahead(game: SequenceForm, player: int) -> Moment:
    """Return the start of `game` as `player` meets it, and through it every history.

    Raises
    ------
    GameError
        If more than `MOST_ENDS` of them end the hand.
    """
    rules = game.rules
    if game.num_histories_ended > MOST_ENDS:
        raise GameError(
            f"{game.num_histories_ended} histories of {game.name} end the hand, too many for a tree of"
            f" beliefs; at most {MOST_ENDS} may. Use game.best_response, which needs no tree."
        )

    def moment(history: Any) -> Moment:
        turn = rules.turn(history)
        branches = tuple(
            Branch(event, chance, source, moment(rules.after(history, event)))
            for event, chance, source in events(turn)
        )
        if own := isinstance(turn, Decision) and turn.player == player:
            ahead = frozenset([game.infoset_index[player, turn.infoset]])
        elif len(branches) == 1:
            ahead = branches[0].after.ahead
        else:
            ahead = frozenset().union(*(branch.after.ahead for branch in branches))
        return Moment(turn, own, ahead, branches)

    def events(turn: Turn) -> Iterator[tuple[str, float, int]]:
        if isinstance(turn, Chance):
            for outcome, probability in turn.outcomes.items():
                yield outcome, float(probability), -1
        elif isinstance(turn, Decision):
            infoset = game.infoset_index[turn.player, turn.infoset]
            first = int(game.first_sequence[infoset]) - game.num_players
            for a, action in enumerate(turn.actions):
                yield action, 1.0, -1 if turn.player == player else first + a

    return moment(rules.start())


def is_over(moment: Moment) -> bool:
    """Return whether the hand is over."""
    return isinstance(moment.turn, Terminal)
