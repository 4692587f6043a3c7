"""A game given by its tree, node by node, as in a file, instead of by functions."""

from collections.abc import Mapping
from dataclasses import dataclass

from pokerlab.core import POINTS, Unit
from pokerlab.games.rules import Turn


@dataclass(frozen=True, eq=False)
class GameTree:
    """Rules that look up their answers; a history is the number of its node, and the root is 0.

    Attributes
    ----------
    turns : tuple of Turn
        Whose turn it is at each node.
    following : tuple of Mapping[str, int]
        For each node the node after each of its actions.
    """

    name: str
    num_players: int
    zero_sum: bool
    turns: tuple[Turn, ...]
    following: tuple[Mapping[str, int], ...]
    unit: Unit = POINTS

    def start(self) -> int:
        """Return the root."""
        return 0

    def turn(self, history: int) -> Turn:
        """Return whose turn it is at a node."""
        return self.turns[history]

    def after(self, history: int, action: str) -> int:
        """Return the node after `action`."""
        return self.following[history][action]

    def __repr__(self) -> str:
        return f"<tree of {self.name}: {self.num_players} players, {len(self.turns)} nodes>"
