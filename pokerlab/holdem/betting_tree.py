"""The public tree of heads-up limit hold'em: all betting that both players see, without the cards.

The blinds are half a small bet and one small bet. A bet or raise is one small bet before the flop and on the flop, and
two small bets from the turn on. The big blind counts as the first bet. Seat 0 has the button and the small blind, so it
acts first before the flop and last on later streets. The figures of Samothrakis & Lucas (2011) show another betting,
`AS_DRAWN`: the small blind acts first on every street, blinds do not count as bets, and an agent may fold even if it
owes nothing. The N nodes are in preorder, so the first child of a node is the next node. Node 0 is the first decision
of seat 0.

The D decisions have a second numbering, which profiles use. The public nodes at which a street begins are called its
*starts*; there is one for each way in which the betting can reach the street. The same betting follows after all starts
of a street. So a decision is described by a *situation* (which decision of the street's betting it is) and by a start.
Decisions are numbered by street, then by situation, then by start, so decisions of one situation are neighbors.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, UnknownNameError, freeze, validate_integer
from pokerlab.holdem.cards import NUM_STREETS, PREFLOP, RIVER, STREET_PHRASES
from pokerlab.holdem.hand import ACTIONS, CALLING, FOLDING, NUM_ACTIONS, RAISING

NODE_KINDS = ("decision", "deal", "fold", "showdown")
DECISION, DEAL, FOLDED, SHOWDOWN = range(4)
NUM_SEATS = 2
BLINDS = (0.5, 1.0)
BET_SIZES = (1.0, 1.0, 2.0, 2.0)  # the size of a bet and of a raise on each street, in small bets
AT_THE_TABLE, AS_DRAWN = BETTINGS = ("at the table", "as drawn")
MOST_BETS = 6
"""The tree grows with the third power of the cap: there are 78,541 nodes with a cap of 6."""


class Situation(NamedTuple):
    """What an agent of Samothrakis & Lucas (2011) knows about the betting: only the raises on the present street.

    Attributes
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    button : bool
        Whether the player has the button.
    own_raises, other_raises : int
        The numbers of bets and raises of the player and of the opponent on this street, without blinds.
    """

    street: int
    button: bool
    own_raises: int
    other_raises: int

    def __str__(self) -> str:
        seat = "button" if self.button else "big blind"
        raises = f"{self.own_raises} own raises, {self.other_raises} of the opponent"
        return f"{STREET_PHRASES[self.street]}, {seat}, {raises}"


@dataclass(frozen=True, eq=False, repr=False)
class PublicTree:
    """The betting as arrays over N public nodes and D decisions; made by `make_public_tree`.

    Attributes
    ----------
    raise_cap : int
        The largest number of bets on a street.
    betting : str
        The rules of the betting, one of BETTINGS.
    kind : ndarray of int64, shape (N,)
        The kind of each node, an index into NODE_KINDS. A deal ends the betting of a street, and the next street begins
        at the node after it.
    street : ndarray of int64, shape (N,)
        The street of each node, 0 to 3. A deal belongs to the street that it ends.
    actor : ndarray of int64, shape (N,)
        The seat that decides or that has folded, or -1 at deals and showdowns.
    parent : ndarray of int64, shape (N,)
        The node above each node, or -1 for the root.
    child : ndarray of int64, shape (N, 3)
        The nodes to which fold, call and raise lead from a decision, or -1 if the action is impossible.
    paid : ndarray of shape (N, 2)
        What each seat has put into the pot, in small bets.
    raises : ndarray of int64, shape (N, 2)
        The number of bets and raises of each seat on this street.
    start : ndarray of int64, shape (N,)
        The start of its street from which the node is reached.
    decision : ndarray of int64, shape (N,)
        The index in profiles of each decision, or -1 for other nodes.
    decision_node : ndarray of int64, shape (D,)
        The node of each decision.
    situation : ndarray of int64, shape (D,)
        The index of each decision's situation.
    situations : tuple of Situation
        All possible situations, street by street, in the order of the betting.
    num_starts : tuple of int
        The number of starts of each of the four streets.
    """

    raise_cap: int
    betting: str
    kind: Ints
    street: Ints
    actor: Ints
    parent: Ints
    child: Ints
    paid: Floats
    raises: Ints
    start: Ints
    decision: Ints
    decision_node: Ints
    situation: Ints
    situations: tuple[Situation, ...]
    num_starts: tuple[int, ...]

    @property
    def num_nodes(self) -> int:
        """Number of public nodes."""
        return len(self.kind)

    @property
    def num_decisions(self) -> int:
        """Number of public nodes at which a seat decides."""
        return len(self.decision_node)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether fold, call and raise are possible at each of the D decisions, an array of bool of shape (D, 3)."""
        return self.child[self.decision_node] >= 0  # an impossible action leads to the node -1

    def list_actions_to(self, node: int) -> tuple[str, ...]:
        """Return the names of the actions from the root to `node`, with 'deal' between streets."""
        from_node_up: list[str] = []
        parent = int(self.parent[node])
        while parent >= 0:
            if self.kind[parent] == DEAL:
                from_node_up.append("deal")
            else:
                action = int(np.argmax(self.child[parent] == node))
                from_node_up.append(ACTIONS[action])
            node = parent
            parent = int(self.parent[parent])
        return tuple(reversed(from_node_up))

    def __repr__(self) -> str:
        betting = ", as drawn" if self.betting == AS_DRAWN else ""
        return (
            f"<public tree: {self.num_nodes:,} nodes, {self.num_decisions:,} decisions in {len(self.situations)}"
            f" situations, at most {self.raise_cap} bets a street{betting}>"
        )


def make_public_tree(raise_cap: int = 4, betting: str = AT_THE_TABLE) -> PublicTree:
    """Return the public tree of heads-up limit hold'em.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street, 1 to 6. Before the flop the big blind counts as the first bet.
    betting : {'at the table', 'as drawn'}
        Whether the rules are those of ordinary play, or those of the figures of Samothrakis & Lucas (2011).

    Raises
    ------
    SettingError
        If `raise_cap` is out of range.
    UnknownNameError
        If `betting` is neither of the two.

    >>> make_public_tree()
    <public tree: 17,221 nodes, 6,378 decisions in 38 situations, at most 4 bets a street>
    >>> make_public_tree(betting=AS_DRAWN)
    <public tree: 23,780 nodes, 8,200 decisions in 40 situations, at most 4 bets a street, as drawn>
    """
    UnknownNameError.check("betting", betting, BETTINGS)
    return build_cached_tree(validate_integer("raise_cap", raise_cap, 1, MOST_BETS), betting)


@cache
def build_cached_tree(raise_cap: int, betting: str) -> PublicTree:
    """Return the public tree, from a cache.

    Parameters must be checked before, because the cache does not distinguish True from 1.
    """
    builder = TreeBuilder(raise_cap, betting)
    builder.begin_street(0, BLINDS, -1)
    return builder.finish_tree()


class NodeRow(NamedTuple):
    """A node while the tree is built; the fields are those of `PublicTree`."""

    kind: int
    street: int
    actor: int
    parent: int
    paid: tuple[float, float]
    raises: tuple[int, int]


class TreeBuilder:
    """A public tree that is built depth first, node by node; see `make_public_tree` for the parameters."""

    def __init__(self, raise_cap: int, betting: str) -> None:
        self.raise_cap, self.betting = raise_cap, betting
        self.as_drawn = betting == AS_DRAWN
        self.rows: list[NodeRow] = []
        self.child: list[list[int]] = []

    def add_node(self, row: NodeRow) -> int:
        """Add a node without children; return its index."""
        self.rows.append(row)
        self.child.append([-1] * NUM_ACTIONS)
        return len(self.rows) - 1

    def begin_street(self, street: int, paid: tuple[float, float], parent: int) -> int:
        """Add a street's betting, and return the index of its first node.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        paid : tuple of 2 float
            What each seat has put into the pot before, in small bets.
        parent : int
            The deal before, or -1.
        """
        first_to_act = 0 if street == PREFLOP or self.as_drawn else 1
        first = NodeRow(DECISION, street, first_to_act, parent, paid, (0, 0))
        return self.add_decision(first, may_close=False)

    def add_decision(self, row: NodeRow, *, may_close: bool) -> int:
        """Add a decision and all nodes below it, in preorder, and return the index of the decision.

        Parameters
        ----------
        row : NodeRow
            The decision.
        may_close : bool
            Whether a call or check ends the betting of the street.
        """
        node = self.add_node(row)
        _, street, seat, _, paid, raises = row
        bet = max(paid)

        can_fold = paid[seat] < bet or self.as_drawn
        if can_fold:
            folded = row._replace(kind=FOLDED, parent=node)
            self.child[node][FOLDING] = self.add_node(folded)

        called = row._replace(parent=node, paid=(bet, bet))
        if may_close:
            self.child[node][CALLING] = self.end_street(called)
        else:
            other_acts = called._replace(actor=1 - seat)
            self.child[node][CALLING] = self.add_decision(other_acts, may_close=True)

        # Before the flop the big blind counts as the first bet.
        blind_is_bet = street == PREFLOP and not self.as_drawn
        num_bets = sum(raises) + blind_is_bet
        if num_bets < self.raise_cap:
            new_bet = bet + BET_SIZES[street]
            raised = row._replace(
                actor=1 - seat,
                parent=node,
                paid=(new_bet, bet) if seat == 0 else (bet, new_bet),
                raises=(raises[0] + (seat == 0), raises[1] + (seat == 1)),
            )
            self.child[node][RAISING] = self.add_decision(raised, may_close=True)
        return node

    def end_street(self, row: NodeRow) -> int:
        """Add the showdown, or the deal and the next street's betting, and return the index of the showdown or deal.

        `row` has the street that ends, what both seats have paid, and the parent of the new node.
        """
        if row.street == RIVER:
            return self.add_node(row._replace(kind=SHOWDOWN, actor=-1))
        deal = self.add_node(row._replace(kind=DEAL, actor=-1))
        self.begin_street(row.street + 1, row.paid, deal)
        return deal

    def finish_tree(self) -> PublicTree:
        """Return the tree as arrays, with indices of its starts, situations and decisions."""
        kind, street, actor, parent, paid, raises = map(np.array, zip(*self.rows, strict=True))
        start, num_starts = index_street_starts(kind, street, parent)

        # Find the situation of each decision.
        nodes = np.flatnonzero(kind == DECISION)
        seat = actor[nodes]
        own_raises = raises[nodes, seat]
        other_raises = raises[nodes, 1 - seat]
        columns = (street[nodes], seat == 0, own_raises, other_raises)
        situation_of_node = list(map(Situation, *(column.tolist() for column in columns)))

        # Number the situations. Preorder passes through later streets in between; sorting by street is stable.
        different = dict.fromkeys(situation_of_node)
        situations = tuple(sorted(different, key=lambda situation: situation.street))
        index_of = {situation: index for index, situation in enumerate(situations)}
        situation_index = np.array([index_of[situation] for situation in situation_of_node])

        # Number the decisions in the order of situations, then of starts.
        order = np.lexsort((start[nodes], situation_index))
        decision = np.full(len(kind), -1)
        decision[nodes[order]] = np.arange(len(nodes))
        tree = PublicTree(
            raise_cap=self.raise_cap,
            betting=self.betting,
            kind=kind,
            street=street,
            actor=actor,
            parent=parent,
            child=np.array(self.child),
            paid=paid,
            raises=raises,
            start=start,
            decision=decision,
            decision_node=nodes[order],
            situation=situation_index[order],
            situations=situations,
            num_starts=num_starts,
        )
        freeze(*vars(tree).values())
        return tree


def index_street_starts(kind: Ints, street: Ints, parent: Ints) -> tuple[Ints, tuple[int, ...]]:
    """Return the start of its street from which each node is reached, and the number of starts of each street.

    With S starts on a street, the start that follows deal c of its betting from start s is c S + s. So starts after one
    deal of the betting are neighbors.

    Parameters
    ----------
    kind, street, parent : ndarray of int64, shape (N,)
        As in `PublicTree`.

    Returns
    -------
    start : ndarray of int64, shape (N,)
        An index from 0 on for each street.
    num_starts : tuple of 4 int
        The number of starts of each street.
    """
    start = np.zeros(len(kind), dtype=np.int64)
    next_start = np.zeros(len(kind), dtype=np.int64)  # of a deal: the start that follows it
    num_starts = [1]
    for r in range(NUM_STREETS):
        # The first node of a street has the start that follows its deal. Other nodes have the start of their parent.
        for node in np.flatnonzero(street == r):
            above = parent[node]
            if above >= 0:
                start[node] = next_start[above] if kind[above] == DEAL else start[above]

        # All starts of a street have the same number of deals, and in preorder the deals after one start are neighbors.
        deals = np.flatnonzero((street == r) & (kind == DEAL)).reshape(num_starts[r], -1)
        if deals.size:
            next_start[deals] = np.arange(deals.shape[1]) * num_starts[r] + start[deals]
            num_starts.append(deals.size)
    return start, tuple(num_starts)
