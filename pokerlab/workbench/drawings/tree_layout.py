"""Where everything goes in a drawing of a tree: one row for each end, one column for each depth."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pokerlab.core import SettingError, whole
from pokerlab.games.rules import Number

MOST_ENDS = 80  # rows that still make a readable picture


@dataclass(eq=False)
class Node:
    """A place in the drawing."""

    player: int | None  # who moves; None for the dealer, and where nobody does
    text: str  # the same and what is known, in a line of text
    known: str = ""  # what the player who moves knows
    utilities: tuple[Number | float, ...] = ()  # what everybody wins; empty where the hand goes on
    about: Any = None  # what is drawn besides
    branches: "list[Branch]" = field(default_factory=list)
    is_cut: bool = False  # whether the game goes on here but the drawing does not
    depth: int = 0  # moves from the drawing's root
    reach: float = 1.0  # probability of getting here, as far as probabilities are known
    row: float = 0.0  # ends have 0, 1, 2, ... from the top, others the middle of their branches

    @property
    def is_chance(self) -> bool:
        """Whether the dealer moves."""
        return self.player is None and not self.utilities

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below, in the order of a depth-first walk."""
        yield self
        for branch in self.branches:
            yield from branch.below.walk()

    def lines(self, lead: str = "") -> list[str]:
        """Return this node and all below as indented lines."""
        said = [f"{lead}{self.text}{' ...' if self.is_cut else ''}"]
        for branch in self.branches:
            below = branch.below.lines(f"{branch.label}: " if branch.label else "")
            said += [f"  {line}" for line in below]
        return said


@dataclass(frozen=True)
class Branch:
    """A move: its probability where that is known, what is written on it, where it leads."""

    probability: float | None
    label: str
    below: Node


Move = tuple[float | None, str, Any]
"""A branch, with what is looked at next in the place of its node."""


def grow(
    first: Any, look: Callable[[Any], tuple[Node, list[Move]]], max_depth: int | None, way_out: str
) -> Node:
    """Return the drawing's tree, with rows; `way_out` is said where it is too large."""
    if max_depth is not None:
        whole("max_depth", max_depth, 1)
    ends = 0

    def visit(item: Any, depth: int, reach: float) -> Node:
        nonlocal ends
        node, moves = look(item)
        node.depth, node.reach, node.is_cut = depth, reach, bool(moves) and depth == max_depth
        for likely, words, after in () if node.is_cut else moves:
            below = visit(after, depth + 1, reach if likely is None else reach * likely)
            node.branches.append(Branch(likely, words, below))
        if node.branches:
            node.row = (node.branches[0].below.row + node.branches[-1].below.row) / 2
        else:
            node.row = ends
            ends += 1
        if ends > MOST_ENDS:
            raise SettingError(f"there are more than {MOST_ENDS} ends to draw. {way_out}")
        return node

    return visit(first, 0, 1.0)


def infosets_in(root: Node) -> dict[tuple[int, str], list[Node]]:
    """Return the drawn histories of each information set, top to bottom, by player and label."""
    found: dict[tuple[int, str], list[Node]] = {}
    for node in root.walk():
        if node.player is not None:
            found.setdefault((node.player, node.known), []).append(node)
    return {key: sorted(nodes, key=lambda node: node.row) for key, nodes in found.items()}


def lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return for each span (top, bottom) the first lane in which it meets no other; short ones choose first."""
    taken: list[list[tuple[float, float]]] = []
    chosen = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i][0])):
        top, bottom = spans[index]
        free = (k for k, lane in enumerate(taken) if all(b < top or bottom < a for a, b in lane))
        chosen[index] = next(free, len(taken))
        if chosen[index] == len(taken):
            taken.append([])
        taken[chosen[index]].append((top, bottom))
    return chosen
