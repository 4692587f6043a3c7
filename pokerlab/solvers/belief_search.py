"""Search against a fixed strategy: a replier's beliefs as states, Algorithm 1 of Samothrakis & Lucas (2011).

The belief MDP of a replier is a tree whose nodes are what the replier knows. A node holds hypotheses, the hidden
histories that the replier cannot tell apart there. The tree is made once for a game, by `belief_tree`:
`histories_ahead` makes every history, with the information sets that the replier may meet next; `grow` groups them.
At a node of chance or of another player one event happens to each hypothesis whose turn it is, and the others wait;
then the replier sees what it may see. The information sets decide that: two hypotheses stay together if some
information set of the replier, the next one to be met, can still be reached from both. Hypotheses that end in
different sets anyway are told apart at once, and this is the finest grouping that gives nothing away: before the set
is met the replier has no choice that the knowledge could change. So each information set is exactly one node.
Hypotheses after which the replier decides no more are grouped by the event that led to them.

How likely each hypothesis is depends on the other players: `BeliefTree.against` works that out by Bayes' rule, and
what each node is worth.

`search` is expectimax on it to a depth, below it Monte Carlo (UCT). Levels count as in Algorithm 1: the root has
`depth` left, and each step to a child takes one. From a node of the replier's with less than zero left `iterations`
playouts begin, by UCT, in place of a search. Nature's nodes are searched at any level. For the kernels a belief MDP
is plain arrays, on which games with private buckets, too large for a tree of hypotheses, can be searched as well: a
state is a node and the replier's bucket there, and a step is a pick, of a bucket where cards are dealt, of an action
where somebody decides. Nodes of compiled games have one bucket, and their deals are actions of nature's.

What the number is. A node with playouts is worth their average return, the first ones included. Every playout follows
some policy of the replier, so the average falls short of the node's value by a deficit that shrinks as the playouts
learn: it is biased low. Where the replier chooses among such averages, the best is taken, and the largest of several
noisy numbers is biased high. So above the depth the second error works against the first, and only a search whose
depth ends before the first choice is sure to fall short on average.

Expectimax keeps no tree, only the playouts from one state do: states are visited depth first, so that a search of
tens of millions is possible. A search of the whole depth gives what `game.best_response` gives in a thousandth of the
time.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, GameError, Ints, freeze, inlined, kernel
from pokerlab.core.random_numbers import fraction, key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.games import Chance, Decision, Profile, SequenceForm, Terminal
from pokerlab.games.rules import Turn
from pokerlab.games.sequence_form import check_profile

TERMINAL, DECISION, CHANCE, OTHER = range(4)
MOST_ENDS = 300_000
"""Most histories that end the hand. In all there are up to twice as many, of half a kilobyte each."""


class Continuation(NamedTuple):
    """One way in which a history goes on."""

    event: str  # a player's action or an outcome of chance
    chance: float  # probability of an outcome; 1 for an action
    source: int  # where a profile has another player's probability of the action; -1 elsewhere
    after: "Moment"


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A history."""

    turn: Turn
    own: bool
    ahead: frozenset[int]  # the replier's information sets that may be met next, this one included
    branches: tuple[Continuation, ...]


def histories_ahead(game: SequenceForm, player: int) -> Moment:
    """Return the start of `game` as `player` meets it, and through it every history."""
    rules = game.rules
    if game.num_histories_ended > MOST_ENDS:
        raise GameError(
            f"{game.num_histories_ended} histories of {game.name} end the hand, too many for a tree of"
            f" beliefs; at most {MOST_ENDS} may. Use game.best_response, which needs no tree."
        )

    def moment(history: Any) -> Moment:
        turn = rules.turn(history)
        branches = tuple(
            Continuation(event, chance, source, moment(rules.after(history, event)))
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


class Hypothesis(NamedTuple):
    """A history in a node."""

    moment: Moment
    parent: int  # the hypothesis it comes from, by its number over all nodes; -1 at the start
    event: str  # what has happened since; empty where it waited
    chance: float  # of the event, as in `Continuation`
    source: int


class Group(NamedTuple):
    """A node: who moves, and the hypotheses."""

    kind: int  # TERMINAL, DECISION (the replier's), CHANCE or OTHER
    mover: int  # the player who decides; -1 where nobody does
    parent: int  # the node before; -1 at the start
    members: tuple[Hypothesis, ...]  # what the replier cannot tell apart


def grow(game: SequenceForm, player: int) -> list[Group]:
    """Return the nodes of the belief MDP of `player`: level by level, siblings next to each other."""
    start = (Hypothesis(histories_ahead(game, player), -1, "", 1.0, -1),)
    nodes = [group(-1, start, player)]
    first = 0  # number of the node's first hypothesis
    for parent, node in enumerate(nodes):  # which grows as it is gone through
        nodes += [group(parent, members, player) for members in children(node, first)]
        first += len(node.members)
    return nodes


def group(parent: int, members: tuple[Hypothesis, ...], player: int) -> Group:
    """Return the node of these hypotheses.

    Where several kinds of moments meet chance comes first, then the lowest of the others.
    """
    moments = [hypothesis.moment for hypothesis in members]
    if all(isinstance(m.turn, Terminal) for m in moments):
        return Group(TERMINAL, -1, parent, members)
    if all(moment.own and moment.ahead == moments[0].ahead for moment in moments):
        return Group(DECISION, player, parent, members)
    movers = [m.turn.player for m in moments if isinstance(m.turn, Decision) and not m.own]
    if any(isinstance(m.turn, Chance) for m in moments) or not movers:
        return Group(CHANCE, -1, parent, members)
    return Group(OTHER, min(movers), parent, members)


def children(node: Group, first: int) -> list[tuple[Hypothesis, ...]]:
    """Return the hypotheses of each child; the node's own are numbered from `first`."""
    if node.kind == TERMINAL:
        return []
    after: list[Hypothesis] = []
    place: list[int] = []  # of the event among those that were possible
    for which, hypothesis in enumerate(node.members, start=first):
        moment = hypothesis.moment
        turn = moment.turn
        decides = isinstance(turn, Decision) and turn.player == node.mover
        if decides or isinstance(turn, Chance):  # which no node but one of chance has
            for k, (event, chance, source, following) in enumerate(moment.branches):
                after.append(Hypothesis(following, which, event, chance, source))
                place.append(k)
        else:
            after.append(Hypothesis(moment, which, "", 1.0, -1))
            place.append(0)
    seen = [h.event for h in after] if node.kind == DECISION else observations(after)
    return by_observation(seen, place, after)


def observations(after: list[Hypothesis]) -> list[object]:
    """Return for each hypothesis what the replier sees; equal where it cannot tell them apart."""
    merged: dict[int, int] = {}  # information sets that stay together, each with one of the others

    def representative(infoset: int) -> int:
        while (other := merged.setdefault(infoset, infoset)) != infoset:
            merged[infoset] = merged[other]
            infoset = other
        return infoset

    for hypothesis in after:
        ahead = [representative(infoset) for infoset in hypothesis.moment.ahead]
        for infoset in ahead:
            merged[representative(infoset)] = representative(ahead[0])
    return [
        representative(next(iter(hypothesis.moment.ahead)))
        if hypothesis.moment.ahead
        else (hypothesis.event, isinstance(hypothesis.moment.turn, Terminal))
        for hypothesis in after
    ]


def by_observation(
    seen: Sequence[object], place: list[int], after: list[Hypothesis]
) -> list[tuple[Hypothesis, ...]]:
    """Return the hypotheses by what is seen; the rules' order of events, as far as they have one."""
    groups: dict[object, list[int]] = {}
    for k, observation in enumerate(seen):
        groups.setdefault(observation, []).append(k)
    ordered = sorted(groups.values(), key=lambda group: sum(place[k] for k in group) / len(group))
    return [tuple(after[k] for k in group) for group in ordered]


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


END, OWN, NATURE, DEAL = range(4)


class BeliefMdp(NamedTuple):
    """N nodes with at most K picks, where the replier has at most B buckets."""

    kind: Ints  # (N,): END, OWN (the replier decides), NATURE (another player or chance) or DEAL (of a bucket)
    num_picks: Ints  # (N,)
    child: Ints  # (N, K): the node after a pick; -1 where it is not possible
    chance: Floats  # (N, K): of nature's picks
    street: Ints  # (N,): which transition a deal is
    transition: Floats  # (streets, B, B): probability of the next bucket, in columns
    worth: Floats  # (N, B): what the replier wins with each bucket at an end


@inlined
def bucket_after(game: BeliefMdp, node: int, bucket: int, pick: int) -> Any:
    """Return the replier's bucket after a pick."""
    return np.int64(pick) if game.kind[node] == DEAL else np.int64(bucket)


@inlined
def chance_of(game: BeliefMdp, node: int, bucket: int, pick: int) -> Any:
    """Return how likely a pick of nature's is, which the other player's action is too."""
    if game.kind[node] == DEAL:
        return game.transition[game.street[node], bucket, pick]
    return game.chance[node, pick]


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state: room for M states, state 0 the first."""

    size: Ints  # (1,): how many states are in it
    node: Ints  # (M,)
    bucket: Ints  # (M,)
    after: Ints  # (M, K): for each pick the state that it leads to; 0 for those not met yet
    visits: Ints  # (M,): playouts through a state
    total: Floats  # (M,): what they won
    path: Ints  # (levels,): states of the present playout
    log: Floats  # (iterations + 1,): logarithms of 1, 1, 2, 3, ... visits, for eq. 4


@kernel
def empty_tree(iterations: int, most: int, picks: int, levels: int) -> PlayoutTree:
    """Return an empty tree with room for the states of so many playouts, at most `most`."""
    states = min(iterations + 1, most)
    return PlayoutTree(
        np.zeros(1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((states, picks), np.int64),
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(levels, np.int64),
        np.array([math.log(max(visits, 1)) for visits in range(iterations + 1)]),
    )


@kernel
def average_return(
    game: BeliefMdp,
    node: int,
    bucket: int,
    iterations: int,
    exploration: float,
    luck: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean of `iterations` playouts from a state where the replier decides, and its variance."""
    tree.size[0] = 0
    add(node, bucket, tree)
    # A literal 0 would have `playout` compiled once more, and `most_promising` below.
    place, squares = int(np.int64(0)), 0.0
    for _ in range(iterations):
        so_far = tree.total[0]
        place = playout(game, exploration, luck, place, tree)
        squares += (tree.total[0] - so_far) ** 2
    mean = tree.total[0] / iterations
    spread = max(squares / iterations - mean**2, 0.0)
    return mean, spread / max(iterations - 1, 1)


@inlined
def add(node: int, bucket: int, tree: PlayoutTree) -> Any:
    """Add a state and return its place in the tree."""
    new = tree.size[0]
    tree.size[0] = new + 1
    tree.node[new], tree.bucket[new] = node, bucket
    tree.visits[new], tree.total[new] = 0, 0.0
    for pick in range(tree.after.shape[1]):
        tree.after[new, pick] = 0
    return new


@inlined
def playout(
    game: BeliefMdp, exploration: float, luck: np.uint64, place: int, tree: PlayoutTree
) -> Any:
    """Play to an end once; return how many random numbers have been used so far.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new state joins the tree.
    """
    state, node, bucket = int(np.int64(0)), tree.node[0], tree.bucket[0]
    length, inside = 1, True
    tree.path[0] = 0
    while game.kind[node] != END:
        own = game.kind[node] == OWN
        if own and inside:
            pick = most_promising(game, node, exploration, state, tree)
        else:
            draw = fraction(number_at(luck, place))
            place += 1
            pick = any_action(game, node, draw) if own else natures_pick(game, node, bucket, draw)
        bucket = bucket_after(game, node, bucket, pick)
        node = game.child[node, pick]
        if inside:
            inside = tree.after[state, pick] > 0
            if not inside:
                tree.after[state, pick] = add(node, bucket, tree)
            state = tree.after[state, pick]
            tree.path[length] = state
            length += 1
    won = game.worth[node, bucket]
    for step in range(length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += won
    return place


@inlined
def most_promising(
    game: BeliefMdp, node: int, exploration: float, state: int, tree: PlayoutTree
) -> Any:
    """Return the action to try next: the first that is new, or the one with the largest eq. 4."""
    best, choice, log = -np.inf, -1, tree.log[tree.visits[state]]
    for pick in range(game.num_picks[node]):
        if game.child[node, pick] < 0:
            continue
        after = tree.after[state, pick]
        if after == 0:
            return pick
        n = tree.visits[after]
        bound = tree.total[after] / n + exploration * math.sqrt(log / n)  # eq. 4
        if bound > best:
            best, choice = bound, pick
    return choice


@inlined
def any_action(game: BeliefMdp, node: int, draw: float) -> Any:
    """Return an action, all that are allowed equally likely."""
    allowed = 0
    for pick in range(game.num_picks[node]):
        allowed += game.child[node, pick] >= 0
    which = int(draw * allowed)
    for pick in range(game.num_picks[node]):
        if game.child[node, pick] >= 0:
            if which == 0:
                return pick
            which -= 1
    return -1


@inlined
def natures_pick(game: BeliefMdp, node: int, bucket: int, draw: float) -> Any:
    """Return a pick of nature's by its probabilities."""
    choice = -1
    for pick in range(game.num_picks[node]):
        chance = chance_of(game, node, bucket, pick)
        if chance > 0.0:
            choice = pick  # the last possible one, where rounding leaves nothing
            draw -= chance
            if draw < 0.0:
                break
    return choice


EXPLORATION = math.sqrt(2.0)
"""Times the range of payoffs this is C of eq. 4; the paper does not print its C."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How deep to search and how long to play."""

    depth: int | None = 9  # levels of expectimax, at least 1; None for all, which is exact
    iterations: int = 1000  # playouts from each node below them, at least 1
    exploration: float = EXPLORATION  # C of eq. 4 over the range of payoffs

    def __post_init__(self) -> None:
        if self.depth is not None:
            whole("depth", self.depth, 1, LARGEST_COUNT)
        whole("iterations", self.iterations, 1, LARGEST_COUNT)
        number("exploration", self.exploration, 1e-12, 1e12)


class SearchResult(NamedTuple):
    """What a search finds."""

    value: float  # what the best response wins, in the game's unit, as far as the search sees
    variance: float  # of the value, from the spread of the playouts: luck alone, not the deficit
    searched: int  # nodes met by expectimax
    played: int  # nodes among them from which playouts began

    @property
    def standard_error(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, kw_only=True)
class SearchEstimate:
    """What repeated searches say a best response wins."""

    value: float  # mean over the runs, in the game's unit
    standard_error: float  # of the mean, from the runs' spread: luck alone; NaN after a single run
    runs: tuple[float, ...]
    seed: int

    @classmethod
    def from_runs(cls, runs: Floats, seed: int) -> "SearchEstimate":
        """Summarize the runs."""
        spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else math.nan
        return cls(
            value=float(np.mean(runs)),
            standard_error=spread / math.sqrt(len(runs)),
            runs=tuple(runs.tolist()),
            seed=seed,
        )


def search(
    beliefs: Beliefs, settings: SearchSettings, *, seed: int, index: tuple[int, int] = (0, 0)
) -> SearchResult:
    """Return what one search of a belief MDP says the best response wins.

    `index` says which of many searches, such as generation and individual; each draws numbers of its own. With
    the whole depth it is `beliefs.value`, to the last bit.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.solvers.belief_search import belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = belief_tree(kuhn, 1).against(kuhn.uniform())
    >>> search(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
    True
    """
    tree = beliefs.tree
    key = search_key(seed, tree.player, index)
    depth = tree.depth if settings.depth is None else min(settings.depth, tree.depth)
    c = settings.exploration * tree.payoff_range
    found = search_mdp(
        mdp_of(beliefs), 0, tree.depth + 1, depth, settings.iterations, c, False, True, key
    )
    return SearchResult(*found)


def mdp_of(beliefs: Beliefs) -> BeliefMdp:
    """Return the arrays of a belief tree: one bucket, and nature's picks are its children."""
    nodes = beliefs.tree.nodes
    num_picks = np.diff(nodes.first_child)
    pick = np.arange(num_picks.max(initial=1))
    possible = pick < num_picks[:, None]
    child = np.where(possible, nodes.first_child[:-1, None] + pick, -1)
    kind = np.where(nodes.kind == DECISION, OWN, NATURE)
    return BeliefMdp(
        np.where(nodes.kind == TERMINAL, END, kind),
        num_picks,
        child,
        np.where(possible, beliefs.probability[child], 0.0),
        np.zeros(len(kind), np.int64),
        np.ones((1, 1, 1)),
        beliefs.utility[:, None].copy(),
    )


def search_key(seed: int, player: int, index: tuple[int, int]) -> np.uint64:
    """Return what names the random numbers of a search."""
    which, one = index
    return key_of(seed, "tree search", player, which, one)


def repeated_search(
    beliefs: Beliefs, settings: SearchSettings, repeats: int, *, seed: int
) -> SearchEstimate:
    """Return the mean of `repeats` searches, at least 1, that differ in their luck alone."""
    whole("repeats", repeats, 1, LARGEST_COUNT)
    runs = [search(beliefs, settings, seed=seed, index=(r, 0)).value for r in range(repeats)]
    return SearchEstimate.from_runs(np.array(runs), seed)


class Frames(NamedTuple):
    """The states between the first deal and the one that is searched, arrays of shape (levels,)."""

    node: Ints  # public
    bucket: Ints  # the replier's
    pick: Ints  # that is tried next
    probability: Floats  # of the state from the one before
    value: Floats  # what its picks so far are worth
    variance: Floats  # of that


class Known(NamedTuple):
    """What is known of states that a merged search has met, arrays of shape (N, B)."""

    value: Floats  # what a state is worth; NaN if it has not been met
    variance: Floats  # of the playouts that began there; 0 if none did
    choice: Ints  # the replier's best action


@kernel
def search_mdp(
    game: BeliefMdp,
    root: int,
    levels: int,
    depth: int,
    iterations: int,
    exploration: float,
    merged: bool,
    numbered: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return what `SearchResult` has: expectimax above the depth, average returns of UCT below.

    The luck of playouts is named by the node if each is one state, `numbered`, else by how many came before.
    """
    frames = Frames(
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels),
        np.empty(levels),
        np.empty(levels),
    )
    shape = game.worth.shape
    known = Known(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))
    tree = empty_tree(
        iterations if depth < levels - 1 else 0,
        len(game.kind) if numbered else iterations + 1,
        game.child.shape[1],
        levels,
    )
    frames.node[0], frames.bucket[0], frames.pick[0] = root, 0, 0
    frames.probability[0], frames.value[0], frames.variance[0] = 1.0, 0.0, 0.0
    if game.kind[root] == OWN:
        frames.value[0] = -np.inf
    searched, played, level = 1, 0, 0
    while True:
        node, bucket, pick = frames.node[level], frames.bucket[level], frames.pick[level]
        finished = True
        if game.kind[node] == END:
            frames.value[level] = game.worth[node, bucket]
        elif merged and not math.isnan(known.value[node, bucket]):
            frames.value[level] = known.value[node, bucket]
        elif game.kind[node] == OWN and level > depth:
            luck = number_at(key, node if numbered else played)
            mean, variance = average_return(game, node, bucket, iterations, exploration, luck, tree)
            frames.value[level], frames.variance[level] = mean, variance
            known.variance[node, bucket] = variance
            played += 1
        else:
            finished = pick == game.num_picks[node]
        if finished:
            if level == 0:
                variance = shared_variance(game, known) if merged else frames.variance[0]
                return frames.value[0], variance, searched, played
            known.value[node, bucket] = frames.value[level]
            level -= 1
            take_back(game, level, frames, known)
            continue
        frames.pick[level] += 1
        following = game.child[node, pick]
        if following < 0:
            continue
        probability = 1.0 if game.kind[node] == OWN else chance_of(game, node, bucket, pick)
        if probability <= 0.0:
            continue
        level, searched = level + 1, searched + 1
        frames.node[level], frames.pick[level] = following, 0
        frames.bucket[level] = bucket_after(game, node, bucket, pick)
        frames.probability[level] = probability
        own = game.kind[following] == OWN
        frames.value[level], frames.variance[level] = -np.inf if own else 0.0, 0.0


@inlined
def take_back(game: BeliefMdp, above: int, frames: Frames, known: Known) -> None:
    """Back up the value of the state below `above`: a sum at nature's nodes, the best at the replier's."""
    below = above + 1
    if game.kind[frames.node[above]] != OWN:
        chance = frames.probability[below]
        frames.value[above] += chance * frames.value[below]
        frames.variance[above] += chance**2 * frames.variance[below]
    elif frames.value[below] > frames.value[above]:
        frames.value[above], frames.variance[above] = frames.value[below], frames.variance[below]
        known.choice[frames.node[above], frames.bucket[above]] = frames.pick[above] - 1


@kernel
def shared_variance(game: BeliefMdp, known: Known) -> float:
    """Return the variance of a merged search: of a sum of playouts, each weighted by all ways to it."""
    reach = np.zeros(known.value.shape)
    reach[0] = game.transition[-1, 0]  # the first deal leads to node 0
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(game.worth.shape[1]):
            weight, played = reach[node, bucket], known.variance[node, bucket]
            variance += weight**2 * played
            if weight == 0.0 or played > 0.0 or game.kind[node] == END:
                continue
            own = game.kind[node] == OWN
            for pick in range(game.num_picks[node]):
                then = game.child[node, pick]
                if then < 0 or (own and pick != known.choice[node, bucket]):
                    continue
                chance = 1.0 if own else chance_of(game, node, bucket, pick)
                reach[then, bucket_after(game, node, bucket, pick)] += weight * chance
    return variance
