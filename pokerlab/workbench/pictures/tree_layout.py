"""Where everything goes in a drawing of a game tree: one row for each end, one column for each depth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.core.settings import whole
from pokerlab.games import Chance, Decision, Profile, Rules, Terminal
from pokerlab.games.rules import Number, Turn

MOST_ENDS = 80
"""Rows that still make a readable picture."""


@dataclass(eq=False)
class Node:
    """A history in the drawing."""

    depth: int  # moves from the drawing's root
    turn: Turn  # what the rules say here
    reach: float  # probability of getting here from the root, as far as probabilities are known
    # what may happen next; empty where the drawing ends
    branches: "list[Branch]" = field(default_factory=list)
    # ends have rows 0, 1, 2, ... from the top, others the middle of their branches
    row: float = 0.0

    @property
    def player(self) -> int | None:
        """Who moves; None for the dealer, and where nobody does."""
        return self.turn.player if isinstance(self.turn, Decision) else None

    @property
    def known(self) -> str:
        """What the player who moves knows; empty where nobody does."""
        return self.turn.infoset if isinstance(self.turn, Decision) else ""

    @property
    def utilities(self) -> tuple[Number, ...]:
        """What everybody wins; empty where the hand goes on."""
        return self.turn.utilities if isinstance(self.turn, Terminal) else ()

    @property
    def is_cut(self) -> bool:
        """Whether the game goes on here but the drawing does not."""
        return not self.branches and not isinstance(self.turn, Terminal)

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below, in the order of a depth-first walk."""
        yield self
        for branch in self.branches:
            yield from branch.below.walk()


@dataclass(frozen=True)
class Branch:
    """An action: its name, its probability where that is known, its label, and where it leads."""

    action: str
    probability: float | None
    label: str
    below: Node


def grow(
    rules: Rules, profile: Profile | None, after: Sequence[str], max_depth: int | None
) -> Node:
    """Return the drawing's tree, with rows."""
    if max_depth is not None:
        whole("max_depth", max_depth, 1)
    history = rules.start()
    for action in after:
        allowed = possible(rules.turn(history))
        if action not in allowed:
            raise UnknownNameError.among(f"action of {rules.name} there", action, allowed)
        history = rules.after(history, action)
    ends = 0

    def visit(history: Any, depth: int, reach: float) -> Node:
        nonlocal ends
        node = Node(depth, rules.turn(history), reach)
        actions = () if depth == max_depth else possible(node.turn)
        for action in actions:
            probability = probability_of(node.turn, action, profile)
            follows = reach if probability is None else reach * probability
            below = visit(rules.after(history, action), depth + 1, follows)
            words = label_of(node.turn, action, probability)
            node.branches.append(Branch(action, probability, words, below))
        if actions:
            node.row = (node.branches[0].below.row + node.branches[-1].below.row) / 2
        else:
            node.row = ends
            ends += 1
        if ends > MOST_ENDS:
            raise SettingError(
                f"{rules.name} has more than {MOST_ENDS} ends to draw. Begin later, as by"
                " after=('K', 'Q'), or stop earlier, as by max_depth=3."
            )
        return node

    return visit(history, 0, 1.0)


def possible(turn: Turn) -> tuple[str, ...]:
    """Return what may happen at a turn."""
    if isinstance(turn, Decision):
        return turn.actions
    return tuple(turn.outcomes) if isinstance(turn, Chance) else ()


def probability_of(turn: Turn, action: str, profile: Profile | None) -> float | None:
    """Return the probability of an action, or None where nobody has said it."""
    if isinstance(turn, Chance):
        return float(turn.outcomes[action])
    if isinstance(turn, Decision) and profile is not None:
        return profile.at(turn.player, turn.infoset)[action]
    return None


def label_of(turn: Turn, action: str, probability: float | None) -> str:
    """Return what is written on an action's line: chance exactly, a strategy with two decimals."""
    if isinstance(turn, Chance):
        return f"{action} {turn.outcomes[action]}"
    return action if probability is None else f"{action} {probability:.2f}"


def information_sets(root: Node) -> dict[tuple[int, str], list[Node]]:
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
