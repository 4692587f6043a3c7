"""Search for a best response on the belief MDP of a player, Algorithm 1 of Samothrakis & Lucas (2011).

Against fixed strategies of all others, a player (the *responder*) faces a Markov decision process whose states are its
beliefs: the probabilities of the hidden histories that it cannot tell apart. The others and chance are *nature*.

One tree
--------
`belief_tree` builds the tree of a compiled game once, for one responder, and keeps it. Each node holds *hypotheses*,
the histories that the responder cannot tell apart there. At a node of nature one event happens to each hypothesis whose
turn it is, and the others wait; then the responder observes. The information sets decide what is observed: two
hypotheses stay together as long as some information set of the responder, the next one to be reached, can still be
reached from both. Hypotheses that lead to different sets anyway are separated at once. This is the finest grouping that
gives nothing away, because the responder has no choice before the set is reached, so each information set is exactly
one node. Hypotheses after which the responder decides no more are grouped by the event that led to them.

`BeliefTree.compute_beliefs` fills in a profile: Bayes' rule gives the probability of each hypothesis, of each node, and
the expected payoffs at the ends. The result is a `BeliefMdp`, the plain arrays on which everything here computes.
Bucketed hold'em is too large for a tree of hypotheses; it makes the arrays of its own belief MDP, in which a state is a
node and the responder's bucket. Nodes of compiled games have one bucket.

One search
----------
`search_best_response` is expectimax to a depth, below it Monte Carlo tree search (UCT). Levels count as in Algorithm 1:
the root has `depth` left, and each step to a child takes one. Where the responder decides with less than zero left,
`iterations` playouts by UCT take the place of the search. Nature's nodes are searched at any level. Expectimax keeps no
tree, only the playouts from one state do: states are visited depth first, so that a search of tens of millions of
states is possible. A search of the whole depth gives what `game.best_response` gives in a thousandth of the time.

What the number is. The value of a node with playouts is their average return, the first ones included. Every playout
follows some policy of the responder, so the average falls short of the node's value by a deficit that shrinks as the
playouts learn: it is biased low. Where the responder chooses among such averages, the largest is taken, and the largest
of several noisy numbers is biased high. So above the depth the second error works against the first, and only a search
whose depth ends before the first choice is sure to fall short on average.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, GameError, Ints, freeze, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, convert_bits_to_fraction, draw_key
from pokerlab.core.settings import LARGEST_COUNT, checked_integer, checked_number
from pokerlab.games import Chance, Decision, Profile, SequenceForm, Terminal
from pokerlab.games.rules import Turn
from pokerlab.games.sequence_form import check_profile

MOST_ENDS = 300_000
"""Most histories that end the hand. In all there are up to twice as many, of half a kilobyte each."""
END, OWN, NATURE, DEAL = range(4)
"""Kinds of nodes: the hand is over, the responder decides, another player or chance moves, a bucket is dealt."""


class BeliefMdp(NamedTuple):
    """A belief MDP as arrays: N nodes with at most K moves, and at most B buckets of the responder.

    A state is a node and a bucket. A move is an action of the responder's, or whatever of nature's it can observe.
    """

    kind: Ints  # (N,): END, OWN, NATURE or DEAL
    num_moves: Ints  # (N,)
    child: Ints  # (N, K): the node after a move; -1 where the move is impossible
    probability: Floats  # (N, K): of nature's moves
    street: Ints  # (N,): which of the transitions a DEAL follows
    transition: Floats  # (streets, B, B): probability of the next bucket, in columns
    payoff: Floats  # (N, B): expected payoff of the responder at an END; 0 elsewhere


class Hypotheses(NamedTuple):
    """The H hypotheses of a tree of N nodes, node after node, as arrays."""

    first: Ints  # (N + 1,): those of node k are numbered from first[k] up to first[k + 1]
    origin: (
        Ints  # (H,): the hypothesis of the parent node from which this one comes; -1 at the root
    )
    chance: Floats  # (H,): probability of the last event, where chance decided it; 1 elsewhere
    source: Ints  # (H,): the index of that probability in a profile, where another player decided; -1 elsewhere
    payoff: Floats  # (H,): what the responder wins, at ends; 0 elsewhere


@dataclass(frozen=True, eq=False, repr=False)
class BeliefTree:
    """The belief MDP of one player of a compiled game, before it is known what the others play.

    `belief_tree` makes it. Nodes are numbered level by level, the children of a node next to each other.
    """

    game: SequenceForm
    player: int  # the responder, 0-based
    mdp: BeliefMdp  # without probabilities and payoffs
    parent: Ints  # (N,): -1 at the root
    mover: tuple[int, ...]  # (N,): the player who decides; -1 at chance and ends
    infoset: tuple[
        str, ...
    ]  # (N,): the responder's information set; empty where it does not decide
    hypotheses: Hypotheses
    event: tuple[
        str, ...
    ]  # (H,): what has happened to a hypothesis since the parent node; empty if nothing
    depth: int  # level of the deepest node; the root's is 0

    @property
    def num_nodes(self) -> int:
        """Number of nodes, N."""
        return len(self.mover)

    @property
    def payoff_range(self) -> float:
        """The responder's largest payoff less its smallest."""
        low, high = self.game.utility_range[self.player]
        return float(high - low)

    def compute_beliefs(self, profile: Profile) -> "Beliefs":
        """Return the responder's beliefs when all others follow `profile`."""
        check_profile(self.game, profile)
        mdp = self.mdp._replace(
            probability=np.zeros_like(self.mdp.probability), payoff=np.zeros_like(self.mdp.payoff)
        )
        belief = np.zeros(len(self.event))
        fill_beliefs(mdp, self.parent, self.hypotheses, profile.vector, belief)
        freeze(belief, *mdp)
        return Beliefs(self, profile, mdp, belief)

    def __repr__(self) -> str:
        return (
            f"<beliefs of player {self.player + 1} in {self.game.name}: {self.num_nodes} nodes,"
            f" {len(self.event)} hypotheses, {self.depth} levels below the root>"
        )


def belief_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief MDP of `player`, 0-based, in a compiled game; it is kept for the next call.

    Raises
    ------
    GameError
        If the game has too many histories for a tree of beliefs.

    Examples
    --------
    >>> import pokerlab as pl
    >>> belief_tree(pl.games.kuhn(), 1)
    <beliefs of player 2 in KP(2): 29 nodes, 58 hypotheses, 5 levels below the root>
    """
    game.check_player(player)
    if game.num_histories_ended > MOST_ENDS:
        raise GameError(
            f"{game.num_histories_ended} histories of {game.name} end the hand, too many for a tree of"
            f" beliefs; at most {MOST_ENDS} may. Use game.best_response, which needs no tree."
        )
    return build_tree(game, player)  # the cache takes True for 1, so the player is checked before


class Event(NamedTuple):
    """One way in which a history goes on."""

    name: str  # a player's action or an outcome of chance
    chance: float  # probability of an outcome; 1 for an action
    source: int  # index in a profile of another player's probability of the action; -1 elsewhere
    history: "GameHistory"  # the one after the event


@dataclass(frozen=True, slots=True, eq=False)
class GameHistory:
    """A history of the game, as one responder faces it."""

    turn: Turn
    is_own: bool  # whether the responder decides
    next_infosets: frozenset[
        int
    ]  # the responder's information sets that may be reached next, this one included
    events: tuple[Event, ...]


class Hypothesis(NamedTuple):
    """A history in a node, and how it came there."""

    history: GameHistory
    origin: int  # as in `Hypotheses`
    event: str
    chance: float
    source: int


@lru_cache(maxsize=16)
def build_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief MDP of `player`, built level by level from the start of the game."""
    start = expand_history(game, player, game.rules.start())
    nodes = [[Hypothesis(start, -1, "", 1.0, -1)]]
    parent, level = [-1], [0]
    kind: list[int] = []
    mover: list[int] = []
    num_hypotheses = 0
    for node, members in enumerate(nodes):  # the list grows as the loop goes through it
        node_kind, node_mover = classify_node(members, player)
        kind.append(node_kind)
        mover.append(node_mover)
        children = split_node(members, node_kind, node_mover, num_hypotheses)
        nodes += children
        parent += [node] * len(children)
        level += [level[node] + 1] * len(children)
        num_hypotheses += len(members)

    infoset = [
        members[0].history.turn.infoset if node_kind == OWN else ""  # type: ignore[union-attr]
        for members, node_kind in zip(nodes, kind, strict=True)
    ]
    all_members = [one for members in nodes for one in members]
    hypotheses = Hypotheses(
        first=np.cumsum([0, *map(len, nodes)]),
        origin=np.array([one.origin for one in all_members]),
        chance=np.array([one.chance for one in all_members]),
        source=np.array([one.source for one in all_members]),
        payoff=np.array([payoff_at(one.history.turn, player) for one in all_members]),
    )
    tree = BeliefTree(
        game,
        player,
        make_mdp(np.array(kind), np.array(parent)),
        np.array(parent),
        tuple(mover),
        tuple(infoset),
        hypotheses,
        tuple(one.event for one in all_members),
        depth=max(level),
    )
    freeze(tree.parent, *tree.mdp, *hypotheses)
    return tree


def expand_history(game: SequenceForm, player: int, position: Any) -> GameHistory:
    """Return the history at a `position` of the rules and, through its events, every history after it."""
    rules = game.rules
    turn = rules.turn(position)
    events = tuple(
        Event(name, chance, source, expand_history(game, player, rules.after(position, name)))
        for name, chance, source in iterate_events(game, player, turn)
    )
    is_own = isinstance(turn, Decision) and turn.player == player
    if is_own:
        next_infosets = frozenset([game.infoset_index[player, turn.infoset]])  # type: ignore[union-attr]
    elif len(events) == 1:
        next_infosets = events[0].history.next_infosets
    else:
        next_infosets = frozenset().union(*(event.history.next_infosets for event in events))
    return GameHistory(turn, is_own, next_infosets, events)


def iterate_events(game: SequenceForm, player: int, turn: Turn) -> Iterator[tuple[str, float, int]]:
    """Yield the name, the probability and the source of each event that may happen at a turn; none at an end.

    The source of another player's action is the index of its probability in a profile; it is -1 for chance and for
    the player's own actions.
    """
    if isinstance(turn, Chance):
        for outcome, probability in turn.outcomes.items():
            yield outcome, float(probability), -1
    elif isinstance(turn, Decision):
        infoset = game.infoset_index[turn.player, turn.infoset]
        first = int(game.first_sequence[infoset]) - game.num_players
        for number_of_action, action in enumerate(turn.actions):
            yield action, 1.0, -1 if turn.player == player else first + number_of_action


def payoff_at(turn: Turn, player: int) -> float:
    """Return what `player` wins at a turn: 0 unless the hand ends there."""
    return float(turn.utilities[player]) if isinstance(turn, Terminal) else 0.0


def classify_node(members: Sequence[Hypothesis], player: int) -> tuple[int, int]:
    """Return the kind of a node with these hypotheses, and the player who moves there; -1 if no player does.

    Where hypotheses of several kinds meet, chance comes first, then the player with the lowest number.
    """
    histories = [hypothesis.history for hypothesis in members]
    if all(isinstance(history.turn, Terminal) for history in histories):
        return END, -1
    infosets = histories[0].next_infosets
    if all(history.is_own and history.next_infosets == infosets for history in histories):
        return OWN, player
    others = [
        history.turn.player
        for history in histories
        if isinstance(history.turn, Decision) and not history.is_own
    ]
    if not others or any(isinstance(history.turn, Chance) for history in histories):
        return NATURE, -1
    return NATURE, min(others)


def split_node(
    members: Sequence[Hypothesis], kind: int, mover: int, first: int
) -> list[list[Hypothesis]]:
    """Return the hypotheses of each child of a node, in the rules' order of events as far as they have one.

    Parameters
    ----------
    members : sequence of Hypothesis
        Those of the node, numbered from `first`.
    kind, mover : int
        As `classify_node` returns them.
    """
    if kind == END:
        return []
    following: list[Hypothesis] = []
    places: list[int] = []  # of the last event among those that were possible
    for number_of_origin, hypothesis in enumerate(members, start=first):
        history = hypothesis.history
        turn = history.turn
        decides = isinstance(turn, Decision) and turn.player == mover
        if decides or isinstance(turn, Chance):  # at a node of chance alone is it chance's turn
            for place, event in enumerate(history.events):
                following.append(
                    Hypothesis(
                        event.history, number_of_origin, event.name, event.chance, event.source
                    )
                )
                places.append(place)
        else:  # this history waits
            following.append(Hypothesis(history, number_of_origin, "", 1.0, -1))
            places.append(0)

    observed = [one.event for one in following] if kind == OWN else list_observations(following)
    groups: dict[object, list[int]] = {}
    for index, observation in enumerate(observed):
        groups.setdefault(observation, []).append(index)
    ordered = sorted(
        groups.values(), key=lambda group: sum(places[index] for index in group) / len(group)
    )
    return [[following[index] for index in group] for group in ordered]


def list_observations(hypotheses: Sequence[Hypothesis]) -> list[object]:
    """Return for each hypothesis what the responder observes: the same where it cannot tell them apart."""
    merged: dict[int, int] = {}  # each information set, and another that stays together with it

    def find_representative(infoset: int) -> int:
        while (other := merged.setdefault(infoset, infoset)) != infoset:
            merged[infoset] = merged[other]
            infoset = other
        return infoset

    for hypothesis in hypotheses:
        infosets = [find_representative(infoset) for infoset in hypothesis.history.next_infosets]
        for infoset in infosets:
            merged[find_representative(infoset)] = find_representative(infosets[0])

    observations: list[object] = []
    for hypothesis in hypotheses:
        history = hypothesis.history
        if history.next_infosets:
            observations.append(find_representative(next(iter(history.next_infosets))))
        else:
            observations.append((hypothesis.event, isinstance(history.turn, Terminal)))
    return observations


def make_mdp(kind: Ints, parent: Ints) -> BeliefMdp:
    """Return the arrays of a tree of one bucket, from kinds, (N,), and parents, (N,); nature's chances are zero."""
    num_nodes = len(kind)
    # Children come in the order of their parents, after the root.
    first_child = np.searchsorted(parent[1:], np.arange(num_nodes + 1)) + 1
    num_moves = np.diff(first_child)
    move = np.arange(num_moves.max(initial=1))
    child = np.where(move < num_moves[:, None], first_child[:-1, None] + move, -1)
    return BeliefMdp(
        kind=kind,
        num_moves=num_moves,
        child=child,
        probability=np.zeros(child.shape),
        street=np.zeros(num_nodes, np.int64),
        transition=np.ones((1, 1, 1)),
        payoff=np.zeros((num_nodes, 1)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    """The belief MDP of a responder against one profile; `BeliefTree.compute_beliefs` makes it."""

    tree: BeliefTree
    profile: Profile
    mdp: BeliefMdp
    belief: (
        Floats  # (H,): probability of each hypothesis at its node; 0 where the node is out of reach
    )

    @cached_property
    def values(self) -> Floats:
        """The value of each node, (N,): what the responder wins at most from there on."""
        values = np.zeros(self.tree.num_nodes)
        fill_values(self.mdp, values)
        freeze(values)
        return values

    @property
    def value(self) -> float:
        """What the best response wins, by expectimax over the whole tree."""
        return float(self.values[0])

    @property
    def root(self) -> "BeliefNode":
        """The node before anything has happened, and through it the whole tree to read."""
        return BeliefNode(self, 0)

    def __repr__(self) -> str:
        return f"{self.tree!r} against {self.profile!r}"


@dataclass(frozen=True)
class BeliefNode:
    """One node of a belief MDP, to read and to draw."""

    source: Beliefs
    index: int

    @property
    def kind(self) -> str:
        """'terminal', 'decision' (the responder's), 'chance' or 'other' (another player's decision)."""
        kind = self.source.mdp.kind[self.index]
        if kind == NATURE:
            return "chance" if self.player is None else "other"
        return "decision" if kind == OWN else "terminal"

    @property
    def player(self) -> int | None:
        """The player who decides, 0-based; None at chance and ends."""
        mover = self.source.tree.mover[self.index]
        return mover if mover >= 0 else None

    @property
    def infoset(self) -> str:
        """The responder's information set; empty where the responder does not decide."""
        return self.source.tree.infoset[self.index]

    @property
    def events(self) -> tuple[str, ...]:
        """What may have happened since the parent node: several events where it is hidden."""
        events = [self.source.tree.event[h] for h in self.hypotheses]
        return tuple(dict.fromkeys(filter(None, events)))

    @property
    def label(self) -> str:
        """The event that the responder observed; empty where it was hidden."""
        return self.events[0] if len(self.events) == 1 else ""

    @property
    def children(self) -> tuple["BeliefNode", ...]:
        """The nodes that may come next."""
        mdp = self.source.mdp
        children = mdp.child[self.index, : mdp.num_moves[self.index]]
        return tuple(BeliefNode(self.source, child) for child in children.tolist())

    @property
    def probability(self) -> float:
        """Probability of this node from its parent; 1 after the responder's own actions."""
        parent = self.source.tree.parent[self.index]
        if parent < 0:
            return 1.0
        mdp = self.source.mdp
        return float(mdp.probability[parent, self.index - mdp.child[parent, 0]])

    @property
    def value(self) -> float:
        """What the responder wins from here on: at ends by eq. 9, elsewhere by expectimax."""
        return float(self.source.values[self.index])

    @property
    def beliefs(self) -> dict[str, float]:
        """Probability of each hypothesis, named by the events in which they differ: hidden cards."""
        paths = [self.path(h) for h in self.hypotheses]
        same_length = len({len(path) for path in paths}) == 1
        steps = list(zip(*paths, strict=True)) if same_length else []
        hidden = [i for i, step in enumerate(steps) if len(set(step)) > 1]

        named: dict[str, float] = {}
        for h, path in zip(self.hypotheses, paths, strict=True):
            name = " ".join(path[i] for i in hidden) if same_length else " ".join(path)
            named[name] = named.get(name, 0.0) + float(self.source.belief[h])
        return named

    @property
    def hypotheses(self) -> range:
        """The numbers of the hypotheses."""
        first = self.source.tree.hypotheses.first
        return range(first[self.index], first[self.index + 1])

    def path(self, hypothesis: int) -> tuple[str, ...]:
        """Return the events that lead to a hypothesis, from the start."""
        tree = self.source.tree
        events = []
        while hypothesis >= 0:
            events.append(tree.event[hypothesis])
            hypothesis = int(tree.hypotheses.origin[hypothesis])
        return tuple(filter(None, reversed(events)))

    def __iter__(self) -> Iterator["BeliefNode"]:
        """Yield this node and all below it, parents first."""
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
    mdp: BeliefMdp, parent: Ints, hypotheses: Hypotheses, behavior: Floats, out_belief: Floats
) -> None:
    """Fill in beliefs, (H,), and in `mdp` the probabilities of moves and the payoffs at ends, root first.

    The start has the belief 1.0 that Algorithm 1 sets; hidden cards get their prior by eq. 8 as they are dealt.
    """
    out_belief[0] = 1.0
    for node in range(mdp.kind.size):
        begin, end = hypotheses.first[node], hypotheses.first[node + 1]
        if node:
            marginal = 0.0
            for h in range(begin, end):
                # Eq. 8, and the numerator of eq. 7: P(h) P(old -> new), P(h) P(a | h).
                likelihood = hypotheses.chance[h]
                if hypotheses.source[h] >= 0:
                    likelihood = behavior[hypotheses.source[h]]
                out_belief[h] = out_belief[hypotheses.origin[h]] * likelihood
                marginal += out_belief[h]
            before = parent[node]
            move = node - mdp.child[before, 0]
            mdp.probability[before, move] = 1.0 if mdp.kind[before] == OWN else marginal
            if marginal > 0.0:
                for h in range(begin, end):
                    out_belief[h] /= (
                        marginal  # eq. 7: P(a), what was observed, summed over hypotheses
                    )
        if mdp.kind[node] == END:
            for h in range(begin, end):
                mdp.payoff[node, 0] += out_belief[h] * hypotheses.payoff[h]  # eq. 9


@kernel
def fill_values(mdp: BeliefMdp, out_value: Floats) -> None:
    """Fill in the value of each node of an MDP of one bucket, (N,), deepest first.

    Unlike Algorithm 1 as printed, which has P(O, H) max(a, ...) at nodes of other players, children
    there are weighted by P(a) and added up: nature has no maximum.
    """
    for node in range(mdp.kind.size - 1, -1, -1):
        if mdp.kind[node] == END:
            out_value[node] = mdp.payoff[node, 0]
            continue
        total, best = 0.0, -np.inf
        for move in range(mdp.num_moves[node]):
            value = out_value[mdp.child[node, move]]
            total += mdp.probability[node, move] * value
            best = max(best, value)
        out_value[node] = best if mdp.kind[node] == OWN else total


@inlined
def bucket_after(mdp: BeliefMdp, node: int, bucket: int, move: int) -> Any:
    """Return the responder's bucket after a move."""
    return np.int64(move) if mdp.kind[node] == DEAL else np.int64(bucket)


@inlined
def move_probability(mdp: BeliefMdp, node: int, bucket: int, move: int) -> Any:
    """Return the probability of a move of nature's in a state."""
    if mdp.kind[node] == DEAL:
        return mdp.transition[mdp.street[node], bucket, move]
    return mdp.probability[node, move]


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state, with room for M states; state 0 is the first."""

    size: Ints  # (1,): how many states are in it
    node: Ints  # (M,)
    bucket: Ints  # (M,)
    after: Ints  # (M, K): the state after each move; 0 for those not reached yet
    visits: Ints  # (M,): playouts through a state
    total: Floats  # (M,): sum of their returns
    path: Ints  # (levels,): states of the present playout
    log: Floats  # (iterations + 1,): logarithms of 1, 1, 2, 3, ... visits, for eq. 4


@kernel
def allocate_playouts(iterations: int, most: int, moves: int, levels: int) -> PlayoutTree:
    """Return an empty tree with room for the states of so many playouts, at most `most`."""
    states = min(iterations + 1, most)
    return PlayoutTree(
        np.zeros(1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((states, moves), np.int64),
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(levels, np.int64),
        np.array([math.log(max(visits, 1)) for visits in range(iterations + 1)]),
    )


@kernel
def average_return(
    mdp: BeliefMdp,
    node: int,
    bucket: int,
    iterations: int,
    exploration: float,
    key: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean of `iterations` playouts from a state where the responder decides, and its variance.

    `key` names the stream of random numbers.
    """
    tree.size[0] = 0
    add_state(node, bucket, tree)
    # A literal 0 would have `play_out` compiled once more, and `choose_by_bound` below.
    drawn, squares = int(np.int64(0)), 0.0
    for _ in range(iterations):
        total_before = tree.total[0]
        drawn = play_out(mdp, exploration, key, drawn, tree)
        squares += (tree.total[0] - total_before) ** 2
    mean = tree.total[0] / iterations
    spread = max(squares / iterations - mean**2, 0.0)
    return mean, spread / max(iterations - 1, 1)


@inlined
def add_state(node: int, bucket: int, tree: PlayoutTree) -> Any:
    """Add a state that no playout has reached and return its number in the tree."""
    new = tree.size[0]
    tree.size[0] = new + 1
    tree.node[new], tree.bucket[new] = node, bucket
    tree.visits[new], tree.total[new] = 0, 0.0
    for move in range(tree.after.shape[1]):
        tree.after[new, move] = 0
    return new


@inlined
def play_out(
    mdp: BeliefMdp, exploration: float, key: np.uint64, drawn: int, tree: PlayoutTree
) -> Any:
    """Play to an end once; return how many random numbers of `key` have been drawn, `drawn` before it.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new state joins the tree.
    """
    state, node, bucket = int(np.int64(0)), tree.node[0], tree.bucket[0]
    length, inside = 1, True
    tree.path[0] = 0
    while mdp.kind[node] != END:
        own = mdp.kind[node] == OWN
        if own and inside:
            move = choose_by_bound(mdp, node, exploration, state, tree)
        else:
            uniform = convert_bits_to_fraction(compute_random_bits(key, drawn))
            drawn += 1
            if own:
                move = draw_action(mdp, node, uniform)
            else:
                move = draw_move(mdp, node, bucket, uniform)
        bucket = bucket_after(mdp, node, bucket, move)
        node = mdp.child[node, move]
        if inside:
            inside = tree.after[state, move] > 0
            if not inside:
                tree.after[state, move] = add_state(node, bucket, tree)
            state = tree.after[state, move]
            tree.path[length] = state
            length += 1
    payoff = mdp.payoff[node, bucket]
    for step in range(length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += payoff
    return drawn


@inlined
def choose_by_bound(
    mdp: BeliefMdp, node: int, exploration: float, state: int, tree: PlayoutTree
) -> Any:
    """Return the action to try next: the first that is new, or the one with the largest bound of eq. 4."""
    best, choice = -np.inf, -1
    log = tree.log[tree.visits[state]]
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] < 0:
            continue
        after = tree.after[state, move]
        if after == 0:
            return move
        n = tree.visits[after]
        bound = tree.total[after] / n + exploration * math.sqrt(log / n)  # eq. 4
        if bound > best:
            best, choice = bound, move
    return choice


@inlined
def draw_action(mdp: BeliefMdp, node: int, uniform: float) -> Any:
    """Return an action, all possible ones equally likely, by a `uniform` random number in [0, 1)."""
    possible = 0
    for move in range(mdp.num_moves[node]):
        possible += mdp.child[node, move] >= 0
    which = int(uniform * possible)
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] >= 0:
            if which == 0:
                return move
            which -= 1
    return -1


@inlined
def draw_move(mdp: BeliefMdp, node: int, bucket: int, uniform: float) -> Any:
    """Return a move of nature's by its probabilities and a `uniform` random number in [0, 1)."""
    choice = -1
    for move in range(mdp.num_moves[node]):
        probability = move_probability(mdp, node, bucket, move)
        if probability > 0.0:
            choice = move  # the last possible one, where rounding leaves nothing
            uniform -= probability
            if uniform < 0.0:
                break
    return choice


EXPLORATION = math.sqrt(2.0)
"""Times the range of payoffs this is C of eq. 4; the paper does not print its C."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How deep to search and how often to play out."""

    depth: int | None = 9  # levels of expectimax, at least 1; None for all, which is exact
    iterations: int = 1000  # playouts from each node below them, at least 1
    exploration: float = EXPLORATION  # C of eq. 4 over the range of payoffs

    def __post_init__(self) -> None:
        if self.depth is not None:
            checked_integer("depth", self.depth, 1, LARGEST_COUNT)
        checked_integer("iterations", self.iterations, 1, LARGEST_COUNT)
        checked_number("exploration", self.exploration, 1e-12, 1e12)


class SearchResult(NamedTuple):
    """What one search finds."""

    value: float  # what the best response wins, in the game's unit, as far as the search finds it
    variance: float  # of the value, from the spread of the playouts: sampling error alone, not the deficit
    searched: int  # nodes visited by expectimax
    played: int  # nodes among them from which playouts began

    @property
    def standard_error(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, kw_only=True)
class SearchEstimate:
    """What repeated searches say a best response wins."""

    value: float  # mean over the runs, in the game's unit
    standard_error: float  # of the mean, from the spread of the runs: sampling error alone; NaN after a single run
    runs: tuple[float, ...]
    seed: int

    @classmethod
    def from_runs(cls, runs: Floats, seed: int) -> "SearchEstimate":
        """Return the mean of runs, (R,), and its standard error."""
        spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else math.nan
        return cls(
            value=float(np.mean(runs)),
            standard_error=spread / math.sqrt(len(runs)),
            runs=tuple(runs.tolist()),
            seed=seed,
        )


def search_best_response(
    beliefs: Beliefs, settings: SearchSettings, *, seed: int, index: tuple[int, int] = (0, 0)
) -> SearchResult:
    """Return what one search of a belief MDP says the best response wins.

    Parameters
    ----------
    beliefs : Beliefs
        Those of the responder, as `belief_tree(game, player).compute_beliefs(profile)` returns them.
    settings : SearchSettings
        With the whole depth the result is `beliefs.value`, to the last bit.
    seed : int
        Names the random numbers, together with `index`.
    index : (int, int)
        Which of many searches, such as generation and individual; each draws numbers of its own.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = belief_tree(kuhn, 1).compute_beliefs(kuhn.uniform())
    >>> search_best_response(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
    True
    """
    tree = beliefs.tree
    depth = tree.depth if settings.depth is None else min(settings.depth, tree.depth)
    found = search_mdp(
        beliefs.mdp,
        0,
        tree.depth + 1,
        depth,
        settings.iterations,
        settings.exploration * tree.payoff_range,
        False,
        True,
        search_key(seed, tree.player, index),
    )
    return SearchResult(*found)


def search_key(seed: int, player: int, index: tuple[int, int]) -> np.uint64:
    """Return the key that names the random numbers of one search."""
    return draw_key(seed, "tree search", player, *index)


def repeat_search(
    beliefs: Beliefs, settings: SearchSettings, repeats: int, *, seed: int
) -> SearchEstimate:
    """Return the mean of `repeats` searches, at least 1, that differ in their random numbers alone."""
    checked_integer("repeats", repeats, 1, LARGEST_COUNT)
    runs = [
        search_best_response(beliefs, settings, seed=seed, index=(r, 0)).value
        for r in range(repeats)
    ]
    return SearchEstimate.from_runs(np.array(runs), seed)


class Frames(NamedTuple):
    """The states from the root to the one that is searched, arrays of shape (levels,)."""

    node: Ints
    bucket: Ints
    move: Ints  # to be searched next
    probability: Floats  # of the state from the one before
    value: Floats  # of the moves searched so far: their sum, or the largest
    variance: Floats  # of that


class Known(NamedTuple):
    """What is known of states that a merged search has visited, arrays of shape (N, B)."""

    value: Floats  # NaN if the state has not been visited
    variance: Floats  # of the playouts that began there; 0 if none did
    choice: Ints  # the responder's best action


@kernel
def search_mdp(
    mdp: BeliefMdp,
    root: int,
    levels: int,
    depth: int,
    iterations: int,
    exploration: float,
    merged: bool,
    numbered: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return the fields of a `SearchResult`: by expectimax above the depth, by average returns of UCT below.

    Parameters
    ----------
    mdp : BeliefMdp
        What is searched, depth first.
    root : int
        The node to begin at, with bucket 0.
    levels : int
        Most states from the root to an end, both included.
    depth : int
        Below it a decision of the responder's is played out.
    iterations : int
        Playouts from each such state.
    exploration : float
        C of eq. 4, in the game's unit.
    merged : bool
        Whether a state that was visited before is not searched again.
    numbered : bool
        Whether each node is one state: then the node names the random numbers of its playouts, and otherwise the
        number of states that were played out before.
    key : uint64
        Names the random numbers.
    """
    frames = Frames(
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels),
        np.empty(levels),
        np.empty(levels),
    )
    shape = mdp.payoff.shape
    known = Known(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))
    tree = allocate_playouts(
        iterations if depth < levels - 1 else 0,
        len(mdp.kind) if numbered else iterations + 1,
        mdp.child.shape[1],
        levels,
    )
    frames.node[0], frames.bucket[0], frames.move[0] = root, 0, 0
    frames.probability[0], frames.value[0], frames.variance[0] = 1.0, 0.0, 0.0
    if mdp.kind[root] == OWN:
        frames.value[0] = -np.inf
    searched, played, level = 1, 0, 0
    while True:
        node, bucket, move = frames.node[level], frames.bucket[level], frames.move[level]
        finished = True
        if mdp.kind[node] == END:
            frames.value[level] = mdp.payoff[node, bucket]
        elif merged and not math.isnan(known.value[node, bucket]):
            frames.value[level] = known.value[node, bucket]
        elif mdp.kind[node] == OWN and level > depth:
            own_key = compute_random_bits(key, node if numbered else played)
            mean, variance = average_return(
                mdp, node, bucket, iterations, exploration, own_key, tree
            )
            frames.value[level], frames.variance[level] = mean, variance
            known.variance[node, bucket] = variance
            played += 1
        else:
            finished = move == mdp.num_moves[node]

        if finished:
            if level == 0:
                variance = merged_variance(mdp, known) if merged else frames.variance[0]
                return frames.value[0], variance, searched, played
            known.value[node, bucket] = frames.value[level]
            level -= 1
            back_up(mdp, level, frames, known)
            continue

        frames.move[level] += 1
        following = mdp.child[node, move]
        if following < 0:
            continue
        own = mdp.kind[node] == OWN
        probability = 1.0 if own else move_probability(mdp, node, bucket, move)
        if probability <= 0.0:
            continue
        level, searched = level + 1, searched + 1
        frames.node[level], frames.move[level] = following, 0
        frames.bucket[level] = bucket_after(mdp, node, bucket, move)
        frames.probability[level] = probability
        frames.value[level] = -np.inf if mdp.kind[following] == OWN else 0.0
        frames.variance[level] = 0.0


@inlined
def back_up(mdp: BeliefMdp, level: int, frames: Frames, known: Known) -> None:
    """Back up the value of the state below `level`: a sum at nature's nodes, the best at the responder's."""
    below = level + 1
    if mdp.kind[frames.node[level]] != OWN:
        probability = frames.probability[below]
        frames.value[level] += probability * frames.value[below]
        frames.variance[level] += probability**2 * frames.variance[below]
    elif frames.value[below] > frames.value[level]:
        frames.value[level] = frames.value[below]
        frames.variance[level] = frames.variance[below]
        known.choice[frames.node[level], frames.bucket[level]] = frames.move[level] - 1


@kernel
def merged_variance(mdp: BeliefMdp, known: Known) -> float:
    """Return the variance of a merged search: of a sum of playouts, each weighted by all paths to its state."""
    reach = np.zeros(known.value.shape)
    reach[0] = mdp.transition[-1, 0]  # the first deal leads to node 0
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(mdp.payoff.shape[1]):
            weight, played = reach[node, bucket], known.variance[node, bucket]
            variance += weight**2 * played
            if weight == 0.0 or played > 0.0 or mdp.kind[node] == END:
                continue
            own = mdp.kind[node] == OWN
            for move in range(mdp.num_moves[node]):
                following = mdp.child[node, move]
                if following < 0 or (own and move != known.choice[node, bucket]):
                    continue
                probability = 1.0 if own else move_probability(mdp, node, bucket, move)
                reach[following, bucket_after(mdp, node, bucket, move)] += weight * probability
    return variance
