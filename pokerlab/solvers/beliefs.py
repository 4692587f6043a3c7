"""Belief trees: the Markov decision process (MDP) of one player against fixed strategies of all other players.

If the strategies of all other players are fixed, a player faces a Markov decision process. That player is called the
*responder*. A state of the process is a belief: the probabilities of the histories that the responder cannot
distinguish. Chance and the other players together are called *nature*.

`make_belief_tree` builds the tree of a compiled game for one responder, and caches it. Each node contains *hypotheses*,
which are the histories that the responder cannot distinguish there. At a node of nature, one event happens to each
hypothesis in which it is the mover's turn, and the other hypotheses stay as they are. Then the responder observes
something. What it observes follows from its information sets: two hypotheses stay in one node if the same information
set of the responder can be reached next from both. Otherwise they are separated at once. This does not reveal anything
too early, because the responder has no choice before it reaches the next set. So each information set is exactly one
node. Hypotheses after which the responder has no more decisions are grouped by the event that led to them.

`BeliefTree.compute_beliefs` adds the strategies of the other players. Bayes' rule gives the probabilities of hypotheses
and nodes, and the expected payoffs at terminals (Samothrakis & Lucas 2011, eqs. 7 to 9). The result contains a
`BeliefMdp`, the arrays that `tree_search` searches. Bucketed hold'em is too large for a tree of hypotheses. It makes
the arrays of its own belief MDP, in which a state is a node and a bucket of the responder. Nodes of compiled games have
a single bucket.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, GameError, Ints, freeze, inlined, kernel
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.games import Chance, Decision, Profile, SequenceForm, Terminal
from pokerlab.games.rules import Turn
from pokerlab.games.sequence_form import check_profile_fits_game

MOST_TERMINALS = 300_000
"""The largest number of terminal histories. In all there are up to twice as many histories, each of 500 bytes."""
END, OWN, NATURE, DEAL = range(4)
"""The kinds of nodes: the game is over, the responder decides, another player or chance moves, a bucket is dealt."""


class BeliefMdp(NamedTuple):
    """A belief MDP as arrays, with N nodes of at most K moves, and at most B buckets of the responder.

    A state is a node and a bucket. A move is an action of the responder, or an event of nature that it observes.

    Attributes
    ----------
    kind : array of shape (N,)
        The kind of each node: END, OWN, NATURE or DEAL.
    num_moves : array of shape (N,)
        The number of moves of each node.
    child : array of shape (N, K)
        The node after each move; -1 if the move is impossible.
    probability : array of shape (N, K)
        The probability of each move at a NATURE node.
    street : array of shape (N,)
        At a DEAL node, the index of the matrix in `transition` by which the next bucket is dealt.
    transition : array of shape (streets, B, B)
        For each street, the probability of the column's bucket after the row's bucket.
    payoff : array of shape (N, B)
        The expected payoff of the responder at an END node with each bucket; 0 at other nodes.
    """

    kind: Ints
    num_moves: Ints
    child: Ints
    probability: Floats
    street: Ints
    transition: Floats
    payoff: Floats


class Hypotheses(NamedTuple):
    """The H hypotheses of a belief tree of N nodes as arrays, node after node.

    Attributes
    ----------
    first : array of shape (N + 1,)
        The index of each node's first hypothesis. The last entry is H.
    origin : array of shape (H,)
        The index of the hypothesis in the parent node from which this one developed; -1 at the root.
    chance : array of shape (H,)
        The probability of the last event if it was an outcome of chance; 1 otherwise.
    source : array of shape (H,)
        If the last event was an action of another player, the index of its probability in a profile; -1 otherwise.
    payoff : array of shape (H,)
        The payoff of the responder if the hypothesis is a terminal history; 0 otherwise.
    """

    first: Ints
    origin: Ints
    chance: Floats
    source: Ints
    payoff: Floats


@dataclass(frozen=True, eq=False, repr=False)
class BeliefTree:
    """The belief MDP of one player of a compiled game, before the strategies of the other players are given.

    It is made by `make_belief_tree`, and has N nodes and H hypotheses. Nodes are ordered level by level, and the
    children of a node are next to each other.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    player : int
        The index of the responder.
    mdp : BeliefMdp
        The arrays of the MDP, in which all probabilities and payoffs are zero.
    parent : array of shape (N,)
        The parent of each node; -1 at the root.
    mover : tuple of N integers
        The player who decides at each node; -1 at chance nodes and terminals.
    infoset : tuple of N strings
        The responder's information set at each node; empty if the responder does not decide there.
    hypotheses : Hypotheses
        The hypotheses of all nodes.
    event : tuple of H strings
        The event that happened in each hypothesis since the parent node; empty if nothing happened.
    depth : int
        The level of the deepest node, where the root has level 0.
    """

    game: SequenceForm
    player: int
    mdp: BeliefMdp
    parent: Ints
    mover: tuple[int, ...]
    infoset: tuple[str, ...]
    hypotheses: Hypotheses
    event: tuple[str, ...]
    depth: int

    @property
    def num_nodes(self) -> int:
        """The number of nodes, N."""
        return len(self.mover)

    @property
    def payoff_range(self) -> float:
        """The difference between the largest and the smallest payoff of the responder."""
        low, high = self.game.utility_range[self.player]
        return float(high - low)

    def compute_beliefs(self, profile: Profile) -> "Beliefs":
        """Return the belief MDP of the responder when all other players follow a profile.

        Parameters
        ----------
        profile : Profile
            The strategies of all players. The responder's own strategy is not used.

        Returns
        -------
        Beliefs
            The MDP with its probabilities and payoffs, and the probability of each hypothesis.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        check_profile_fits_game(self.game, profile)
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


def make_belief_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief tree of one player of a compiled game.

    The last 16 trees are cached.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    player : int
        The responder, counted from 0: the player who decides in the tree. All other players are part of nature.

    Returns
    -------
    BeliefTree
        The tree, before the strategies of the other players are given.

    Raises
    ------
    GameError
        If the game has too many histories for a tree of beliefs.

    Examples
    --------
    >>> import pokerlab as pl
    >>> make_belief_tree(pl.games.kuhn(), 1)
    <beliefs of player 2 in KP(2): 29 nodes, 58 hypotheses, 5 levels below the root>
    """
    game.check_player(player)
    if game.num_histories_ended > MOST_TERMINALS:
        raise GameError(
            f"{game.num_histories_ended} histories of {game.name} end the hand, too many for a tree of"
            f" beliefs; at most {MOST_TERMINALS} may. Use game.best_response, which needs no tree."
        )
    # The cache cannot distinguish True from 1, so the player was checked first.
    return build_belief_tree(game, player)


class Event(NamedTuple):
    """One event that may follow a history of the game: an action of a player, or an outcome of chance.

    Attributes
    ----------
    name : str
        The action of a player or the outcome of chance.
    chance : float
        The probability of an outcome of chance; 1 for an action.
    source : int
        For an action of another player, the index of its probability in a profile; -1 otherwise.
    history : GameHistory
        The history after the event.
    """

    name: str
    chance: float
    source: int
    history: "GameHistory"


@dataclass(frozen=True, slots=True, eq=False)
class GameHistory:
    """A history of the game from the point of view of one responder.

    Attributes
    ----------
    turn : Turn
        The decision, chance event or terminal at this history.
    is_own : bool
        Whether the responder decides here.
    next_infosets : frozenset of int
        The information sets at which the responder may decide next. If it decides here, only the set at this history.
    events : tuple of Event
        The events that may follow; empty at a terminal.
    """

    turn: Turn
    is_own: bool
    next_infosets: frozenset[int]
    events: tuple[Event, ...]


class Hypothesis(NamedTuple):
    """A history that the responder cannot distinguish from others at a node, and the last event before it.

    Attributes
    ----------
    history : GameHistory
        The history.
    origin : int
        The index of the hypothesis in the parent node from which this one developed; -1 at the root.
    event : str
        The event that happened since the parent node; empty if nothing happened.
    chance : float
        The probability of the event if it was an outcome of chance; 1 otherwise.
    source : int
        If the event was an action of another player, the index of its probability in a profile; -1 otherwise.
    """

    history: GameHistory
    origin: int
    event: str
    chance: float
    source: int


@lru_cache(maxsize=16)
def build_belief_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief tree of one player of a compiled game, which is built level by level from the root.

    Parameters
    ----------
    game : SequenceForm
        The game, which is not too large for a tree of beliefs.
    player : int
        The index of the responder.

    Returns
    -------
    BeliefTree
        The tree, before the strategies of the other players are given.
    """
    # An entry of each of these lists belongs to a node. `nodes` has the hypotheses of each node.
    first_history = build_history_tree(game, player, game.rules.start())
    nodes = [[Hypothesis(first_history, -1, "", 1.0, -1)]]
    parent = [-1]
    level = [0]
    kind: list[int] = []
    mover: list[int] = []
    infoset: list[str] = []

    # While the loop goes through `nodes`, the children of each node are appended to it.
    first_hypothesis = 0  # the index of the node's first hypothesis among those of all nodes
    for node, hypotheses_of_node in enumerate(nodes):
        node_kind, node_mover = classify_node(hypotheses_of_node, player)
        first_turn: Any = hypotheses_of_node[0].history.turn
        kind.append(node_kind)
        mover.append(node_mover)
        infoset.append(first_turn.infoset if node_kind == OWN else "")

        children = list_hypotheses_of_children(
            hypotheses_of_node, node_kind, node_mover, first_hypothesis
        )
        nodes += children
        parent += [node] * len(children)
        level += [level[node] + 1] * len(children)
        first_hypothesis += len(hypotheses_of_node)

    all_hypotheses = pack_hypotheses(nodes, player)
    tree = BeliefTree(
        game=game,
        player=player,
        mdp=make_mdp_skeleton(np.array(kind), np.array(parent)),
        parent=np.array(parent),
        mover=tuple(mover),
        infoset=tuple(infoset),
        hypotheses=all_hypotheses,
        event=tuple(hypothesis.event for hypothesis in chain.from_iterable(nodes)),
        depth=max(level),
    )
    freeze(tree.parent, *tree.mdp, *all_hypotheses)
    return tree


def pack_hypotheses(nodes: Sequence[Sequence[Hypothesis]], player: int) -> Hypotheses:
    """Return the hypotheses of all nodes of a belief tree as arrays, node after node.

    Parameters
    ----------
    nodes : sequence of sequences of Hypothesis
        The hypotheses of each node, which are the histories that the responder cannot distinguish there.
    player : int
        The responder, whose payoffs at terminal histories are included.

    Returns
    -------
    Hypotheses
        The arrays.
    """
    sizes = [len(hypotheses) for hypotheses in nodes]
    all_hypotheses = list(chain.from_iterable(nodes))
    payoffs = [
        get_terminal_payoff(hypothesis.history.turn, player) for hypothesis in all_hypotheses
    ]
    return Hypotheses(
        first=np.cumsum([0, *sizes]),
        origin=np.array([hypothesis.origin for hypothesis in all_hypotheses]),
        chance=np.array([hypothesis.chance for hypothesis in all_hypotheses]),
        source=np.array([hypothesis.source for hypothesis in all_hypotheses]),
        payoff=np.array(payoffs),
    )


def build_history_tree(game: SequenceForm, player: int, history: Any) -> GameHistory:
    """Return a history of the game and all histories after it, as a tree from the point of view of one responder.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    player : int
        The index of the responder.
    history : object
        The history as the rules of the game represent it, such as the tuple of all events so far.

    Returns
    -------
    GameHistory
        The history, whose events lead to the later histories.
    """
    turn = game.rules.turn(history)
    events = []
    for name, chance, source in iterate_events(game, player, turn):
        next_history = build_history_tree(game, player, game.rules.after(history, name))
        events.append(Event(name, chance, source, next_history))

    is_own = isinstance(turn, Decision) and turn.player == player
    if is_own:
        next_infosets = frozenset([game.infoset_index[player, turn.infoset]])  # type: ignore[union-attr]
    elif len(events) == 1:
        # The same object as that of the next history, which saves memory.
        next_infosets = events[0].history.next_infosets
    else:
        next_infosets = frozenset().union(*(event.history.next_infosets for event in events))

    return GameHistory(turn, is_own, next_infosets, tuple(events))


def iterate_events(game: SequenceForm, player: int, turn: Turn) -> Iterator[tuple[str, float, int]]:
    """Yield each event that may follow a history: each action of the player who moves, or each outcome of chance.

    A terminal history has no events.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    player : int
        The index of the responder.
    turn : Chance, Decision or Terminal
        Who moves at the history, as the rules of the game describe it.

    Yields
    ------
    name : str
        The action or the outcome of chance.
    probability : float
        The probability of an outcome of chance; 1 for an action.
    source : int
        If another player acts, the index in a profile of the action's probability; -1 for the responder and chance.
    """
    if isinstance(turn, Chance):
        for outcome, probability in turn.outcomes.items():
            yield outcome, float(probability), -1
    elif isinstance(turn, Decision):
        # A profile has no probabilities of empty sequences, which come first.
        infoset = game.infoset_index[turn.player, turn.infoset]
        first_source = int(game.first_sequence[infoset]) - game.num_players
        for index, action in enumerate(turn.actions):
            source = -1 if turn.player == player else first_source + index
            yield action, 1.0, source


def get_terminal_payoff(turn: Turn, player: int) -> float:
    """Return the payoff of a player at a terminal history, in the game's unit, or 0 at any other history.

    Parameters
    ----------
    turn : Chance, Decision or Terminal
        What the rules of the game return for the history.
    player : int
        The index of the player.
    """
    return float(turn.utilities[player]) if isinstance(turn, Terminal) else 0.0


def classify_node(hypotheses: Sequence[Hypothesis], player: int) -> tuple[int, int]:
    """Return the kind of a node of a belief tree, and the player who moves there.

    If it is not the same player's turn in all hypotheses, chance moves first, and then the other player with the lowest
    index.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis
        The hypotheses of the node, which are the histories that the responder cannot distinguish.
    player : int
        The responder.

    Returns
    -------
    kind : int
        `END` if the game is over, `OWN` if the responder decides, and otherwise `NATURE`.
    mover : int
        The player who moves; -1 if chance moves or the game is over.
    """
    histories = [hypothesis.history for hypothesis in hypotheses]
    if all(isinstance(history.turn, Terminal) for history in histories):
        return END, -1

    infosets = histories[0].next_infosets
    if all(history.is_own and history.next_infosets == infosets for history in histories):
        return OWN, player

    opponents = [
        history.turn.player
        for history in histories
        if isinstance(history.turn, Decision) and not history.is_own
    ]
    if not opponents or any(isinstance(history.turn, Chance) for history in histories):
        return NATURE, -1

    return NATURE, min(opponents)


def list_hypotheses_of_children(
    hypotheses: Sequence[Hypothesis], node_kind: int, mover: int, first_hypothesis: int
) -> list[list[Hypothesis]]:
    """Return the hypotheses of each child of a node of a belief tree, a list for each child.

    Hypotheses are histories that the responder cannot distinguish. After the next event at the node, they are grouped
    by what the responder observes, and each group is a child. The children are sorted by the mean index of the last
    events of their hypotheses, where the index of an event is its position in the order of the game's rules.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis
        The hypotheses of the node.
    node_kind, mover : int
        The kind of the node and the player who moves there, as `classify_node` returns them.
    first_hypothesis : int
        The index of the node's first hypothesis in a list of the hypotheses of all nodes. It equals the number of
        hypotheses of all nodes before this one.

    Returns
    -------
    list of lists of Hypothesis
        The hypotheses of each child; empty if the game is over.
    """
    if node_kind == END:
        return []

    following, event_index = list_following_hypotheses(hypotheses, mover, first_hypothesis)

    # The responder sees its own action, and otherwise what its information sets distinguish.
    if node_kind == OWN:
        observations: list[object] = [hypothesis.event for hypothesis in following]
    else:
        observations = list_observations(following)

    # Each observation leads to a child, which has the hypotheses with this observation. A group is a list of the
    # indices of these hypotheses in `following`.
    groups: dict[object, list[int]] = {}
    for index, observation in enumerate(observations):
        groups.setdefault(observation, []).append(index)

    def compute_mean_event_index(group: list[int]) -> float:
        """Return the mean index of the last events of the hypotheses in a group."""
        return sum(event_index[index] for index in group) / len(group)

    ordered_groups = sorted(groups.values(), key=compute_mean_event_index)
    return [[following[index] for index in group] for group in ordered_groups]


def list_following_hypotheses(
    hypotheses: Sequence[Hypothesis], mover: int, first_hypothesis: int
) -> tuple[list[Hypothesis], list[int]]:
    """Return the hypotheses that are possible after the next event at a node of a belief tree.

    A hypothesis is a history. If the mover of the node moves in it, it is replaced by one hypothesis for each possible
    event. If another player moves in it, or if it is terminal, the hypothesis stays as it is.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis
        The hypotheses of the node.
    mover : int
        The player who moves at the node; -1 if chance moves.
    first_hypothesis : int
        The index of the node's first hypothesis in a list of the hypotheses of all nodes. It equals the number of
        hypotheses of all nodes before this one.

    Returns
    -------
    following : list of Hypothesis
        The hypotheses after the event.
    event_index : list of int
        For each hypothesis, the index of its last event among the events that were possible; 0 if nothing happened.
    """
    following: list[Hypothesis] = []
    event_index: list[int] = []
    for origin, hypothesis in enumerate(hypotheses, start=first_hypothesis):
        history = hypothesis.history
        turn = history.turn
        is_mover = isinstance(turn, Decision) and turn.player == mover
        if is_mover or isinstance(turn, Chance):  # only at a node of chance is it chance's turn
            for index, event in enumerate(history.events):
                following.append(
                    Hypothesis(event.history, origin, event.name, event.chance, event.source)
                )
                event_index.append(index)
        else:  # nothing happens in this history yet
            following.append(Hypothesis(history, origin, "", 1.0, -1))
            event_index.append(0)

    return following, event_index


def list_observations(hypotheses: Sequence[Hypothesis]) -> list[object]:
    """Return what the responder observes in each hypothesis after an event of nature.

    Hypotheses are histories. If the responder can next reach the same information set from two of them, it cannot
    distinguish them now. Otherwise it could distinguish the two histories at this set. So all information sets that can
    be reached next from the same hypothesis are merged, by a union-find structure. Hypotheses whose information sets
    are merged get equal observations.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis
        The hypotheses after an event of nature (chance or another player).

    Returns
    -------
    list of objects
        An observation for each hypothesis: the index of an information set. If the responder has no more decisions, the
        observation is the last event and a flag that is True if the game is over.
    """
    merged: dict[int, int] = {}  # the parent of each information set in the union-find structure

    def find_representative(infoset: int) -> int:
        """Return the information set that represents all sets that are merged with a given one.

        On the way to it, each set is linked to the parent of its parent, so that the next search is shorter.
        """
        while (parent := merged.setdefault(infoset, infoset)) != infoset:
            merged[infoset] = merged[parent]
            infoset = parent
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


def make_mdp_skeleton(kind: Ints, parent: Ints) -> BeliefMdp:
    """Return a belief MDP that has moves, but no probabilities of moves and no payoffs yet, for a single bucket.

    Parameters
    ----------
    kind, parent : array of shape (N,)
        The kind of each of N nodes, and the index of its parent, which is -1 for the root. The root is the first node,
        and the children of a node are next to each other, in the order of their parents.

    Returns
    -------
    BeliefMdp
        The arrays of the nodes and their moves. `probability`, `street` and `payoff` are zero, for the caller to fill,
        and the only transition is from the single bucket to itself.
    """
    num_nodes = len(kind)

    # The parents of all nodes after the root are sorted, so the first child of each node can be searched in them.
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
    """The belief MDP of a responder against one profile, which `BeliefTree.compute_beliefs` returns.

    Attributes
    ----------
    tree : BeliefTree
        The responder's belief tree, with H hypotheses.
    profile : Profile
        The strategies of all other players.
    mdp : BeliefMdp
        The arrays of the MDP, with probabilities and payoffs.
    belief : array of shape (H,)
        The probability of each hypothesis given that its node is reached; 0 if the node is never reached.
    """

    tree: BeliefTree
    profile: Profile
    mdp: BeliefMdp
    belief: Floats

    @cached_property
    def values(self) -> Floats:
        """The value of each node: the largest expected payoff that the responder can get from this node on."""
        values = np.zeros(self.tree.num_nodes)
        fill_node_values(self.mdp, values)
        freeze(values)
        return values

    @property
    def value(self) -> float:
        """The expected payoff of a best response, computed by expectimax over the whole tree."""
        return float(self.values[0])

    @property
    def root(self) -> "BeliefNode":
        """The node at the start of the game, from which all other nodes can be reached by `children`."""
        return BeliefNode(self, 0)

    def __repr__(self) -> str:
        return f"{self.tree!r} against {self.profile!r}"


@explain_renamed_attributes
@dataclass(frozen=True)
class BeliefNode:
    """One node of a belief MDP, with properties that describe it for reading and drawing.

    Attributes
    ----------
    source : Beliefs
        The belief MDP that has the node.
    index : int
        The index of the node.
    """

    source: Beliefs
    index: int

    @property
    def kind(self) -> str:
        """The kind of node: 'terminal', 'decision' (of the responder), 'chance', or 'other' (of another player)."""
        kind = self.source.mdp.kind[self.index]
        if kind == NATURE:
            return "chance" if self.player is None else "other"
        return "decision" if kind == OWN else "terminal"

    @property
    def player(self) -> int | None:
        """The index of the player who decides; None at chance nodes and terminals."""
        mover = self.source.tree.mover[self.index]
        return mover if mover >= 0 else None

    @property
    def infoset(self) -> str:
        """The responder's information set; empty if the responder does not decide here."""
        return self.source.tree.infoset[self.index]

    @property
    def events(self) -> tuple[str, ...]:
        """The events that may have happened since the parent node: several if the responder cannot see the event."""
        events = [self.source.tree.event[hypothesis] for hypothesis in self.hypothesis_indices]
        # A dictionary keeps each event once, in order. An empty string means that nothing happened.
        return tuple(dict.fromkeys(filter(None, events)))

    @property
    def label(self) -> str:
        """The event that the responder observed since the parent node; empty if the event was hidden."""
        return self.events[0] if len(self.events) == 1 else ""

    @property
    def children(self) -> tuple["BeliefNode", ...]:
        """The nodes that may come next, one for each move."""
        mdp = self.source.mdp
        children = mdp.child[self.index, : mdp.num_moves[self.index]]
        return tuple(BeliefNode(self.source, child) for child in children.tolist())

    @property
    def probability(self) -> float:
        """The probability of this node given its parent; 1 after the responder's own actions, and at the root."""
        parent = self.source.tree.parent[self.index]
        if parent < 0:
            return 1.0

        mdp = self.source.mdp
        first_sibling = mdp.child[parent, 0]
        move = self.index - first_sibling
        return float(mdp.probability[parent, move])

    @property
    def value(self) -> float:
        """The expected payoff of a best response from this node on: by eq. 9 at terminals, by expectimax elsewhere."""
        return float(self.source.values[self.index])

    @property
    def beliefs(self) -> dict[str, float]:
        """The probability of each hypothesis, which is a history that the responder cannot distinguish from others.

        A key names the events in which the hypotheses differ, for example hidden cards. If the hypotheses do not all
        have the same number of events, a key names all events of its hypothesis.
        """
        paths = [self.list_events(hypothesis) for hypothesis in self.hypothesis_indices]
        lengths = {len(path) for path in paths}
        if len(lengths) == 1:
            events_by_step = list(zip(*paths, strict=True))
            differing_steps = [
                step for step, events in enumerate(events_by_step) if len(set(events)) > 1
            ]
            names = [" ".join(path[step] for step in differing_steps) for path in paths]
        else:
            names = [" ".join(path) for path in paths]

        belief_by_name: dict[str, float] = {}
        for name, hypothesis in zip(names, self.hypothesis_indices, strict=True):
            belief = float(self.source.belief[hypothesis])
            belief_by_name[name] = belief_by_name.get(name, 0.0) + belief
        return belief_by_name

    @property
    def hypothesis_indices(self) -> range:
        """The indices of the node's hypotheses."""
        first = self.source.tree.hypotheses.first
        return range(first[self.index], first[self.index + 1])

    def list_events(self, hypothesis: int) -> tuple[str, ...]:
        """Return the events that lead from the start of the game to a hypothesis.

        Parameters
        ----------
        hypothesis : int
            The index of the hypothesis among those of all nodes.

        Returns
        -------
        tuple of str
            The events in the order in which they happened.
        """
        tree = self.source.tree
        events = []
        while hypothesis >= 0:  # the origin of the root's hypothesis is -1
            events.append(tree.event[hypothesis])
            hypothesis = int(tree.hypotheses.origin[hypothesis])
        return tuple(filter(None, reversed(events)))  # without the levels at which nothing happened

    def __iter__(self) -> Iterator["BeliefNode"]:
        """Yield this node and all nodes below it, each parent before its children."""
        yield self
        for child in self.children:
            yield from child

    def __repr__(self) -> str:
        beliefs = ", ".join(f"{name} {belief:.3g}" for name, belief in self.beliefs.items() if name)
        return (
            f"<{self.kind} '{self.label}': value {self.value:.6g}; {beliefs or 'nothing hidden'}>"
        )


@kernel
def fill_beliefs(
    mdp: BeliefMdp, parent: Ints, hypotheses: Hypotheses, behavior: Floats, out_belief: Floats
) -> None:
    """Fill in the probabilities and payoffs of a belief MDP, and the probability of each hypothesis.

    The nodes are processed from the root down. The root has the belief 1.0, as in Algorithm 1 of Samothrakis & Lucas
    (2011), whose equations are used. A parent comes before its children, so its beliefs are computed before theirs.

    Parameters
    ----------
    mdp : BeliefMdp
        The arrays of the MDP with N nodes. Its fields `probability` and `payoff` are overwritten.
    parent : array of shape (N,)
        The parent of each node.
    hypotheses : Hypotheses
        The H hypotheses of all nodes.
    behavior : array of shape (S - n,)
        The action probabilities of the profile. In a game of n players and S sequences, only the n empty sequences have
        no probability.
    out_belief : array of shape (H,)
        Overwritten by the probability of each hypothesis given that its node is reached.
    """
    out_belief[0] = 1.0
    for node in range(mdp.kind.size):
        is_root = node == 0
        if not is_root:
            node_probability = fill_node_beliefs(node, hypotheses, behavior, out_belief)
            parent_node = parent[node]
            move = node - mdp.child[parent_node, 0]
            is_own_move = mdp.kind[parent_node] == OWN
            mdp.probability[parent_node, move] = 1.0 if is_own_move else node_probability
        if mdp.kind[node] == END:
            for h in range(hypotheses.first[node], hypotheses.first[node + 1]):
                mdp.payoff[node, 0] += out_belief[h] * hypotheses.payoff[h]  # eq. 9


@inlined
def fill_node_beliefs(
    node: int, hypotheses: Hypotheses, behavior: Floats, out_belief: Floats
) -> float:
    """Compute the beliefs at a node from the beliefs at its parent, by Bayes' rule, and write them to `out_belief`.

    The equations are those of Samothrakis & Lucas (2011). Hidden cards get their prior probability by eq. 8 when they
    are dealt.

    Parameters
    ----------
    node : int
        The index of the node, which is not the root.
    hypotheses : Hypotheses
        The H hypotheses of all nodes.
    behavior : array of shape (S - n,)
        The action probabilities of the profile. In a game of n players and S sequences, only the n empty sequences have
        no probability.
    out_belief : array of shape (H,)
        The probability of each hypothesis given its node. The entries of the node are overwritten.

    Returns
    -------
    float
        The probability of the node, given its parent. If it is 0, so are the beliefs at the node.
    """
    begin = hypotheses.first[node]
    end = hypotheses.first[node + 1]
    node_probability = 0.0
    for h in range(begin, end):
        # Eq. 8, and the numerator of eq. 7: P(h) P(old -> new), P(h) P(a | h).
        is_action_of_player = hypotheses.source[h] >= 0
        likelihood = hypotheses.chance[h]
        if is_action_of_player:
            likelihood = behavior[hypotheses.source[h]]
        out_belief[h] = out_belief[hypotheses.origin[h]] * likelihood
        node_probability += out_belief[h]

    if node_probability > 0.0:
        # Eq. 7: the denominator P(a) is the probability of the observation over all hypotheses.
        for h in range(begin, end):
            out_belief[h] /= node_probability
    return node_probability


@kernel
def fill_node_values(mdp: BeliefMdp, out_value: Floats) -> None:
    """Compute the value of each node of a belief MDP with one bucket by expectimax, from the deepest nodes up.

    Algorithm 1 of Samothrakis & Lucas (2011) as printed has P(O, H) max(a, ...) at the nodes of other players. Here the
    value of such a node is the sum of the values of its children, weighted by their probabilities P(a), because chance
    and the other players do not maximize the responder's payoff.

    Parameters
    ----------
    mdp : BeliefMdp
        The MDP with N nodes, where each parent comes before its children.
    out_value : array of shape (N,)
        Overwritten by the largest expected payoff that the responder can get from each node on.
    """
    for node in range(mdp.kind.size - 1, -1, -1):  # children before their parents
        if mdp.kind[node] == END:
            out_value[node] = mdp.payoff[node, 0]
            continue
        expected = 0.0
        best = -np.inf
        for move in range(mdp.num_moves[node]):
            child_value = out_value[mdp.child[node, move]]
            expected += mdp.probability[node, move] * child_value
            best = max(best, child_value)
        out_value[node] = best if mdp.kind[node] == OWN else expected
