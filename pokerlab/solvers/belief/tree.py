"""The belief MDP of a replier: a tree whose nodes are what the replier knows, and what it believes there.

A node holds hypotheses, the hidden histories that the replier cannot tell apart there. The tree is made
once for a game, by `belief_tree`. How likely each hypothesis is depends on the other players:
`BeliefTree.against` works that out by Bayes' rule, and what each node is worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, freeze, kernel
from pokerlab.games import Decision, Profile, SequenceForm, Terminal
from pokerlab.games.sequence_form.compiled import check_profile
from pokerlab.solvers.belief.grouping import CHANCE, DECISION, OTHER, TERMINAL, grow

KINDS = {TERMINAL: "terminal", DECISION: "decision", CHANCE: "chance", OTHER: "other"}


class Nodes(NamedTuple):
    """A tree of N nodes with H hypotheses, as arrays: parents first, siblings next to each other."""

    kind: Ints  # (N,): TERMINAL, DECISION, CHANCE or OTHER
    parent: Ints  # (N,): the node before, -1 at the root
    level: Ints  # (N,): how many nodes come before
    first_child: Ints  # (N + 1,): a node's are `first_child[node]` up to `[node + 1]`
    first_hypothesis: Ints  # (N + 1,): likewise
    origin: Ints  # (H,): the hypothesis from which this one comes; -1 at the root
    chance: Floats  # (H,): probability by which chance leads here; 1 where a player does
    source: Ints  # (H,): where a profile has that probability, if another player does; -1 elsewhere
    utility: Floats  # (H,): what the replier wins, at ends; 0 elsewhere


@dataclass(frozen=True, eq=False, repr=False)
class BeliefTree:
    """The belief MDP of one player of a compiled game; made by `belief_tree`."""

    game: SequenceForm
    player: int  # who replies, 0-based; all others and chance are nature
    nodes: Nodes
    mover: tuple[int, ...]  # who decides at each node; -1 where nobody does
    event: tuple[str, ...]  # each hypothesis's since the node before; may be empty
    infoset: tuple[str, ...]  # the replier's at each node; empty where the replier does not decide

    @property
    def num_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.mover)

    @property
    def depth(self) -> int:
        """Level of the deepest node; the root's is 0."""
        return int(self.nodes.level.max())

    @property
    def payoff_range(self) -> float:
        """The replier's largest utility less the least."""
        low, high = self.game.utility_range[self.player]
        return float(high - low)

    def against(self, profile: Profile) -> "Beliefs":
        """Return the beliefs of the replier when all others follow `profile`."""
        check_profile(self.game, profile)
        belief = np.zeros(len(self.event))
        probability, utility = np.zeros(self.num_nodes), np.zeros(self.num_nodes)
        fill_beliefs(self.nodes, profile.vector, belief, probability, utility)
        freeze(belief, probability, utility)
        return Beliefs(self, profile, belief, probability, utility)

    def __repr__(self) -> str:
        return (
            f"<beliefs of player {self.player + 1} in {self.game.name}: {self.num_nodes} nodes,"
            f" {len(self.event)} hypotheses, {self.depth} levels below the root>"
        )


def belief_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief MDP of `player`, 0-based, in a compiled game; it is kept for the next call.

    Examples
    --------
    >>> import pokerlab as pl
    >>> belief_tree(pl.games.kuhn(), 1)
    <beliefs of player 2 in KP(2): 29 nodes, 58 hypotheses, 5 levels below the root>
    """
    game.check_player(player)
    return grown_once(game, player)


@lru_cache(maxsize=16)
def grown_once(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief MDP; the parameters were checked before, since the cache takes True for 1."""
    groups = grow(game, player)
    members = [hypothesis for group in groups for hypothesis in group.members]
    parent = np.array([group.parent for group in groups])
    level = np.zeros(len(groups), dtype=np.int64)
    for node, before in enumerate(parent[1:], start=1):
        level[node] = level[before] + 1
    nodes = Nodes(
        kind=np.array([group.kind for group in groups]),
        parent=parent,
        level=level,
        # Children come in the order of their parents, after the root.
        first_child=np.searchsorted(parent[1:], np.arange(len(groups) + 1)) + 1,
        first_hypothesis=np.cumsum([0, *(len(group.members) for group in groups)]),
        origin=np.array([hypothesis.parent for hypothesis in members]),
        chance=np.array([hypothesis.chance for hypothesis in members]),
        source=np.array([hypothesis.source for hypothesis in members]),
        utility=np.array(
            [
                float(turn.utilities[player]) if isinstance(turn, Terminal) else 0.0
                for turn in (hypothesis.moment.turn for hypothesis in members)
            ]
        ),
    )
    freeze(*nodes)
    return BeliefTree(
        game,
        player,
        nodes,
        tuple(group.mover for group in groups),
        tuple(hypothesis.event for hypothesis in members),
        tuple(
            turn.infoset if isinstance(turn, Decision) and group.mover == player else ""
            for group, turn in ((group, group.members[0].moment.turn) for group in groups)
        ),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    """The belief MDP of a replier against one profile; made by `BeliefTree.against`."""

    tree: BeliefTree
    profile: Profile
    belief: Floats  # (H,): probability of each hypothesis at its node; 0 where that is out of reach
    probability: Floats  # (N,): of a node from the node before; 1 after the replier's own actions
    utility: Floats  # (N,): expected utility of the replier at ends; 0 elsewhere

    @cached_property
    def values(self) -> Floats:
        """What each node is worth, (N,), if the replier does its best from there on."""
        values = np.zeros(self.tree.num_nodes)
        fill_values(self.tree.nodes, self.probability, self.utility, values)
        freeze(values)
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
    """One node of a belief MDP, to look at and to draw."""

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
    nodes: Nodes, behavior: Floats, out_belief: Floats, out_probability: Floats, out_utility: Floats
) -> None:
    """Fill in beliefs, probabilities of nodes and utilities at ends, root first.

    The start has the belief 1.0 that Algorithm 1 sets; hidden cards get their prior by eq. 8 as they are dealt.
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
                    likelihood = behavior[nodes.source[h]]
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
        if nodes.kind[node] == TERMINAL:
            out_value[node] = utility[node]
            continue
        total, best = 0.0, -np.inf
        for child in range(nodes.first_child[node], nodes.first_child[node + 1]):
            total += probability[child] * out_value[child]
            best = max(best, out_value[child])
        out_value[node] = best if nodes.kind[node] == DECISION else total
