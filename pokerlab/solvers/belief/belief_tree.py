"""The belief MDP of a replier: a tree whose nodes are what the replier knows, made once for a game.

A node holds hypotheses, the hidden histories that the replier cannot tell apart there. How likely
each is hangs on the others' behaviour: `BeliefTree.against` fills that in.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.games import Decision, Profile, SequenceForm, Terminal
from pokerlab.games.profile import check_profile
from pokerlab.solvers.belief.grouping import Group, grow

if TYPE_CHECKING:
    from pokerlab.solvers.belief.beliefs import Beliefs


class Nodes(NamedTuple):
    """A tree of N nodes with H hypotheses, as arrays: parents first, siblings next to each other.

    Attributes
    ----------
    kind : ndarray of shape (N,)
        TERMINAL, DECISION, CHANCE or OTHER.
    parent, level : ndarray of shape (N,)
        The node before, -1 at the root; how many nodes come before.
    first_child : ndarray of shape (N + 1,)
        Children of a node are `first_child[node]` up to `first_child[node + 1]`.
    first_hypothesis : ndarray of shape (N + 1,)
        Likewise its hypotheses.
    origin : ndarray of shape (H,)
        The hypothesis, at the node before, that this one comes from; -1 at the root.
    chance : ndarray of shape (H,)
        Probability by which chance leads from there to here; 1 where a player does.
    source : ndarray of shape (H,)
        Where a profile has that probability, if another player does; -1 elsewhere.
    utility : ndarray of shape (H,)
        What the replier wins, at ends; 0 elsewhere.
    """

    kind: Ints
    parent: Ints
    level: Ints
    first_child: Ints
    first_hypothesis: Ints
    origin: Ints
    chance: Floats
    source: Ints
    utility: Floats


@dataclass(frozen=True, eq=False, repr=False)
class BeliefTree:
    """The belief MDP of one player of a compiled game; made by `belief_tree`.

    Attributes
    ----------
    game : SequenceForm
        The game.
    player : int
        Who replies, 0-based; all others and chance are nature.
    nodes : Nodes
        The tree as arrays.
    mover : tuple of int
        Who decides at each node; -1 where nobody does.
    event : tuple of str
        For each hypothesis what has happened since the node before; empty where nothing has.
    infoset : tuple of str
        The replier's information set at each node; empty where the replier does not decide.
    """

    game: SequenceForm
    player: int
    nodes: Nodes
    mover: tuple[int, ...]
    event: tuple[str, ...]
    infoset: tuple[str, ...]

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
        from pokerlab.solvers.belief.beliefs import Beliefs

        check_profile(self.game, profile)
        return Beliefs.of(self, profile)

    def __repr__(self) -> str:
        return (
            f"<beliefs of player {self.player + 1} in {self.game.name}: {self.num_nodes} nodes,"
            f" {len(self.event)} hypotheses, {self.depth} levels below the root>"
        )


@lru_cache(maxsize=16)
def belief_tree(game: SequenceForm, player: int) -> BeliefTree:
    """Return the belief MDP of `player`, 0-based, in a compiled game; it is kept for the next call.

    Raises
    ------
    GameError
        If more than 300,000 histories end the hand.
    SettingError
        If `player` is none of the game's.

    Examples
    --------
    >>> import pokerlab as pl
    >>> belief_tree(pl.games.kuhn(), 1)
    <beliefs of player 2 in KP(2): 29 nodes, 58 hypotheses, 5 levels below the root>
    """
    game.check_player(player)
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
    for array in nodes:
        array.setflags(write=False)
    return BeliefTree(
        game,
        player,
        nodes,
        tuple(group.mover for group in groups),
        tuple(hypothesis.event for hypothesis in members),
        tuple(label_of(group, player) for group in groups),
    )


def label_of(group: Group, player: int) -> str:
    """Return the replier's information set at a node, or nothing."""
    turn = group.members[0].moment.turn
    own = group.mover == player and isinstance(turn, Decision)
    return turn.infoset if own and isinstance(turn, Decision) else ""
