"""What a replier believes at each node of a belief MDP, by Bayes' rule, and what the node is worth."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import inlined, kernel
from pokerlab.games import Profile
from pokerlab.solvers.belief.belief_tree import BeliefTree, Nodes
from pokerlab.solvers.belief.grouping import CHANCE, DECISION, OTHER, TERMINAL

KINDS = {TERMINAL: "terminal", DECISION: "decision", CHANCE: "chance", OTHER: "other"}


@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    """The belief MDP of a replier against one profile; made by `BeliefTree.against`.

    Attributes
    ----------
    tree : BeliefTree
        The nodes.
    profile : Profile
        What the others follow.
    belief : ndarray of shape (H,)
        Probability of each hypothesis given that its node is reached; 0 where none can be.
    probability : ndarray of shape (N,)
        Of a node from the node before; 1 after the replier's own actions.
    utility : ndarray of shape (N,)
        Expected utility of the replier at ends; 0 elsewhere.
    """

    tree: BeliefTree
    profile: Profile
    belief: Floats
    probability: Floats
    utility: Floats

    @classmethod
    def of(cls, tree: BeliefTree, profile: Profile) -> "Beliefs":
        """Work out all beliefs, root first."""
        belief = np.zeros(len(tree.event))
        probability, utility = np.zeros(tree.num_nodes), np.zeros(tree.num_nodes)
        fill_beliefs(tree.nodes, profile.vector, belief, probability, utility)
        for array in (belief, probability, utility):
            array.setflags(write=False)
        return cls(tree, profile, belief, probability, utility)

    @cached_property
    def values(self) -> Floats:
        """What each node is worth, (N,), when the replier does its best from there on."""
        values = np.zeros(self.tree.num_nodes)
        fill_values(self.tree.nodes, self.probability, self.utility, values)
        values.setflags(write=False)
        return values

    @property
    def value(self) -> float:
        """What the best response wins: expectimax over the whole tree."""
        return float(self.values[0])

    @property
    def root(self) -> "BeliefNode":
        """The node before anything has happened, and through it the whole tree to read."""
        return BeliefNode(self, 0)

    def __repr__(self) -> str:
        return f"{self.tree!r} against {self.profile!r}"


@dataclass(frozen=True)
class BeliefNode:
    """One node of a belief MDP, to look at and to draw.

    Parameters
    ----------
    source : Beliefs
        The tree and its beliefs.
    index : int
        Number of the node.
    """

    source: Beliefs
    index: int

    @property
    def kind(self) -> str:
        """'terminal', 'decision' (the replier's), 'chance' or 'other' (another player's decision)."""
        return KINDS[int(self.source.tree.nodes.kind[self.index])]

    @property
    def player(self) -> int | None:
        """Who decides, 0-based; None at chance and ends."""
        mover = self.source.tree.mover[self.index]
        return mover if mover >= 0 else None

    @property
    def infoset(self) -> str:
        """The replier's information set; empty where the replier does not decide."""
        return self.source.tree.infoset[self.index]

    @property
    def events(self) -> tuple[str, ...]:
        """What may have happened since the node before: several where it is hidden."""
        events = [self.source.tree.event[h] for h in self.hypotheses]
        return tuple(dict.fromkeys(filter(None, events)))

    @property
    def label(self) -> str:
        """What the replier saw happen; empty where that was hidden."""
        return self.events[0] if len(self.events) == 1 else ""

    @property
    def children(self) -> tuple["BeliefNode", ...]:
        """What may come next."""
        first = self.source.tree.nodes.first_child
        return tuple(
            BeliefNode(self.source, i) for i in range(first[self.index], first[self.index + 1])
        )

    @property
    def probability(self) -> float:
        """Probability of this node from the node before; 1 after the replier's own actions."""
        return float(self.source.probability[self.index])

    @property
    def value(self) -> float:
        """What it is worth to the replier; ends by eq. 9, others by expectimax."""
        return float(self.source.values[self.index])

    @property
    def beliefs(self) -> dict[str, float]:
        """Probability of each hypothesis, named by the events in which they differ: hidden cards."""
        named: dict[str, float] = {}
        paths = [self.path(h) for h in self.hypotheses]
        same_length = len({len(path) for path in paths}) == 1
        steps = list(zip(*paths, strict=True)) if same_length else []
        hidden = [i for i, step in enumerate(steps) if len(set(step)) > 1]
        for h, path in zip(self.hypotheses, paths, strict=True):
            name = " ".join(path[i] for i in hidden) if same_length else " ".join(path)
            named[name] = named.get(name, 0.0) + float(self.source.belief[h])
        return named

    @property
    def hypotheses(self) -> range:
        """Numbers of the hypotheses."""
        first = self.source.tree.nodes.first_hypothesis
        return range(first[self.index], first[self.index + 1])

    def path(self, hypothesis: int) -> tuple[str, ...]:
        """Return the events that lead to a hypothesis."""
        tree, events = self.source.tree, []
        while hypothesis >= 0:
            events.append(tree.event[hypothesis])
            hypothesis = int(tree.nodes.origin[hypothesis])
        return tuple(filter(None, reversed(events)))

    def __iter__(self) -> Iterator["BeliefNode"]:
        """Go through this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child

    def __repr__(self) -> str:
        beliefs = ", ".join(f"{name} {p:.3g}" for name, p in self.beliefs.items() if name)
        return (
            f"<{self.kind} '{self.label}': value {self.value:.6g}; {beliefs or 'nothing hidden'}>"
        )


@kernel
def fill_beliefs(
    nodes: Nodes,
    behaviour: Floats,
    out_belief: Floats,
    out_probability: Floats,
    out_utility: Floats,
) -> None:
    """Fill in beliefs, probabilities of nodes and utilities at ends, root first.

    Unlike Algorithm 1 as printed, which sets initial beliefs to 1.0, the start is certain and hidden
    cards get their prior by eq. 8 as they are dealt.
    """
    out_belief[0] = out_probability[0] = 1.0
    for node in range(nodes.kind.size):
        begin, end = nodes.first_hypothesis[node], nodes.first_hypothesis[node + 1]
        if node:
            marginal = 0.0
            for h in range(begin, end):
                # Eq. 8, and the numerator of eq. 7: P(h) P(old -> new), P(h) P(a | h).
                likelihood = nodes.chance[h]
                if nodes.source[h] >= 0:
                    likelihood = behaviour[nodes.source[h]]
                out_belief[h] = out_belief[nodes.origin[h]] * likelihood
                marginal += out_belief[h]
            out_probability[node] = marginal
            if nodes.kind[nodes.parent[node]] == DECISION:
                out_probability[node] = 1.0
            if marginal > 0.0:
                for h in range(begin, end):
                    out_belief[h] /= marginal  # eq. 7: P(a), what was seen, summed over hypotheses
        if nodes.kind[node] == TERMINAL:
            for h in range(begin, end):
                out_utility[node] += out_belief[h] * nodes.utility[h]  # eq. 9


@kernel
def fill_values(nodes: Nodes, probability: Floats, utility: Floats, out_value: Floats) -> None:
    """Fill in what each node is worth, deepest first.

    Unlike Algorithm 1 as printed, which has P(O, H) max(a, ...) at nodes of other players, children
    there are weighted by P(a) and added up: nature has no maximum.
    """
    for node in range(nodes.kind.size - 1, -1, -1):
        out_value[node] = value_of(nodes, probability, utility, out_value, node)


@inlined
def value_of(nodes: Nodes, probability: Floats, utility: Floats, value: Floats, node: int) -> Any:
    """Return what a node is worth by its children's values: the sum at nature's, the best at one's own."""
    if nodes.kind[node] == TERMINAL:
        return utility[node]
    total, best = 0.0, -np.inf
    for child in range(nodes.first_child[node], nodes.first_child[node + 1]):
        total += probability[child] * value[child]
        best = max(best, value[child])
    return best if nodes.kind[node] == DECISION else total
