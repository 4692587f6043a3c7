"""What the rules of a game are made of: an immutable history, and at each history whose turn it is.

A game is three pure functions. `start()` is the empty history, `turn(history)` says who moves and
what may be done, `after(history, action)` is the next history. Nothing else is needed;
`compile_rules` turns it into arrays once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from pokerlab.core import Unit

Number: TypeAlias = int | Fraction
MOST_PLAYERS = 32
"""A compiled game's arrays grow with the square of the number of players."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The dealer moves."""

    outcomes: Mapping[str, Fraction]  # exact probability of each outcome; they sum to one


@dataclass(frozen=True, slots=True)
class Decision:
    """A player moves."""

    player: int  # who moves, 0-based
    infoset: str  # all that this player knows, as a label: one label is one information set
    actions: tuple[str, ...]  # what is possible, in the order in which strategies list it


@dataclass(frozen=True, slots=True)
class Terminal:
    """The hand is over."""

    utilities: tuple[Number, ...]  # what each player gets, in the game's unit


Turn: TypeAlias = Chance | Decision | Terminal


class Rules(Protocol):
    """The rules of a finite game of perfect recall."""

    @property
    def name(self) -> str:
        """What people call the game: in plots, messages, provenance."""

    @property
    def num_players(self) -> int:
        """How many players, 1 to 32."""

    @property
    def unit(self) -> Unit:
        """What utilities count."""

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero at every end; the claim is checked."""

    def start(self) -> Any:
        """Return the history in which nothing has happened."""

    def turn(self, history: Any) -> Turn:
        """Return whose turn it is at `history`."""

    def after(self, history: Any, action: str) -> Any:
        """Return `history` followed by `action`, a player's or an outcome of chance."""
