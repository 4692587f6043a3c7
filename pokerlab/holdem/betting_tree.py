"""The public tree of heads-up limit hold'em: all betting that both players see, without the cards.

The blinds are half a small bet and one small bet. A bet or raise is one small bet before the flop and on the flop, and
two small bets from the turn on. The big blind counts as the first bet. Seat 0 has the button and the small blind, so it
acts first before the flop and last on later streets. The figures of Samothrakis & Lucas (2011) show another betting,
`AS_DRAWN`: the small blind acts first on every street, blinds do not count as bets, and an agent may fold even if it
owes nothing. The N nodes are in preorder, so the first child of a node is the next node. Node 0 is the first decision
of seat 0.

The D decisions have a second numbering, which profiles use. A *start* of a street is one sequence of actions on all
earlier streets, after which the street begins. The same betting follows after all starts of a street. So a decision is
described by a *situation* (which decision of the street's betting it is) and by a start. Decisions are numbered by
street, then by situation, then by start, so decisions of one situation are neighbors.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, UnknownNameError, freeze, validate_integer
from pokerlab.core.old_names import explain_renamed_attributes
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
        """Return the situation in words.

        >>> str(Situation(street=0, button=True, own_raises=0, other_raises=1))
        'before the flop, button, 0 own raises, 1 of the opponent'
        """
        seat = "button" if self.button else "big blind"
        raises_text = f"{self.own_raises} own raises, {self.other_raises} of the opponent"
        return f"{STREET_PHRASES[self.street]}, {seat}, {raises_text}"


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, repr=False)
class PublicTree:
    """The betting as arrays over N public nodes and D decisions; made by `make_public_tree`.

    Attributes
    ----------
    raise_cap : int
        The largest number of bets on a street.
    betting : str
        The rules of the betting, 'at the table' or 'as drawn', as `make_public_tree` explains.
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
    num_raises : ndarray of int64, shape (N, 2)
        The number of bets and raises of each seat on this street.
    start : ndarray of int64, shape (N,)
        A start of a street is one sequence of actions on all earlier streets. This is the start from which each node is
        reached, an index among the starts of the node's street.
    decision : ndarray of int64, shape (N,)
        The index in profiles of each decision, or -1 for other nodes.
    decision_node : ndarray of int64, shape (D,)
        The node of each decision.
    situation : ndarray of int64, shape (D,)
        The index in `situations` of each decision's situation: the street, the seat, and the raises on this street.
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
    num_raises: Ints
    start: Ints
    decision: Ints
    decision_node: Ints
    situation: Ints
    situations: tuple[Situation, ...]
    num_starts: tuple[int, ...]

    @property
    def num_nodes(self) -> int:
        """The number of public nodes: decisions, deals, folds and showdowns."""
        return len(self.kind)

    @property
    def num_decisions(self) -> int:
        """The number of nodes at which a seat chooses an action."""
        return len(self.decision_node)

    @property
    def is_legal(self) -> NDArray[np.bool_]:
        """Whether fold, call and raise are legal in each decision, an array of bool of shape (num_decisions, 3).

        The rows are in the order of `decision_node`, and the columns are fold, call and raise.
        """
        return self.child[self.decision_node] >= 0  # an impossible action leads to the node -1

    def list_actions_to(self, node: int) -> tuple[str, ...]:
        """Return the names of the actions that lead from the root to a node.

        Parameters
        ----------
        node : int
            The index of the node, 0 to num_nodes - 1.

        Returns
        -------
        tuple of str
            In the order of play 'fold', 'call' and 'raise', and 'deal' where the next cards are dealt.

        Examples
        --------
        >>> make_public_tree().list_actions_to(3)
        ('call', 'call')
        """
        names_backward: list[str] = []
        current_node = node
        parent = int(self.parent[current_node])
        while parent >= 0:  # the root has the parent -1
            if self.kind[parent] == DEAL:
                names_backward.append("deal")
            else:
                action = int(np.argmax(self.child[parent] == current_node))
                names_backward.append(ACTIONS[action])
            current_node = parent
            parent = int(self.parent[current_node])
        return tuple(reversed(names_backward))

    def __repr__(self) -> str:
        """Return a summary with the numbers of nodes, decisions and situations, as `make_public_tree` shows it."""
        betting = ", as drawn" if self.betting == AS_DRAWN else ""
        return (
            f"<public tree: {self.num_nodes:,} nodes, {self.num_decisions:,} decisions in {len(self.situations)}"
            f" situations, at most {self.raise_cap} bets a street{betting}>"
        )


def make_public_tree(raise_cap: int = 4, betting: str = AT_THE_TABLE) -> PublicTree:
    """Return the betting of heads-up limit hold'em as a game tree without cards.

    A node of the tree is a sequence of actions that both players have seen. Nodes are numbered in preorder from the
    root, which is node 0, so the first child of a node is the next node.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street, 1 to 6. Before the flop the big blind counts as the first bet.
    betting : {'at the table', 'as drawn'}
        With 'at the table' the players bet by the rules of ordinary heads-up play. With 'as drawn' they bet as in the
        figures of Samothrakis & Lucas (2011), where the small blind acts first on every street, blinds do not count as
        bets, and a player may fold even if it owes nothing.

    Returns
    -------
    PublicTree
        Read-only arrays over its nodes and decisions. A tree that was made before with the same arguments is returned
        again from a cache.

    Raises
    ------
    SettingError
        If `raise_cap` is out of range.
    UnknownNameError
        If `betting` is neither of the two.

    Examples
    --------
    >>> make_public_tree()
    <public tree: 17,221 nodes, 6,378 decisions in 38 situations, at most 4 bets a street>
    >>> make_public_tree(betting=AS_DRAWN)
    <public tree: 23,780 nodes, 8,200 decisions in 40 situations, at most 4 bets a street, as drawn>
    """
    UnknownNameError.check("betting", betting, BETTINGS)
    return build_cached_tree(validate_integer("raise_cap", raise_cap, 1, MOST_BETS), betting)


@cache
def build_cached_tree(raise_cap: int, betting: str) -> PublicTree:
    """Return the betting tree of heads-up limit hold'em; a tree that was built before comes from a cache.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street. The caller must have validated it, because the cache does not
        distinguish True from 1.
    betting : str
        The rules of the betting, 'at the table' or 'as drawn', as `make_public_tree` explains.

    Returns
    -------
    PublicTree
        The tree, which all calls with the same arguments share.
    """
    builder = TreeBuilder(raise_cap, betting)
    builder.add_street(PREFLOP, BLINDS, parent=-1)  # adds all later streets, too
    return builder.make_tree()


class NodeRow(NamedTuple):
    """One node of a tree that is being built. The fields are those of `PublicTree` for a single node."""

    kind: int
    street: int
    actor: int
    parent: int
    paid: tuple[float, float]
    num_raises: tuple[int, int]


class TreeBuilder:
    """A betting tree of heads-up limit hold'em that is built depth first, node by node.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street.
    betting : str
        The rules of the betting, 'at the table' or 'as drawn', as `make_public_tree` explains.
    """

    def __init__(self, raise_cap: int, betting: str) -> None:
        """Begin a tree that has no nodes, with the rules `raise_cap` and `betting`."""
        self.raise_cap, self.betting = raise_cap, betting
        # Whether the betting has the rules that the figures of the paper show.
        self.follows_figures = betting == AS_DRAWN
        self.nodes: list[NodeRow] = []
        self.children: list[list[int]] = []  # of each node: where fold, call and raise lead, or -1

    def add_node(self, node: NodeRow) -> int:
        """Append a node without children to the tree.

        Parameters
        ----------
        node : NodeRow
            The node. The children are added to `self.children` later.

        Returns
        -------
        int
            The index of the node.
        """
        self.nodes.append(node)
        self.children.append([-1] * NUM_ACTIONS)
        return len(self.nodes) - 1

    def add_street(self, street: int, paid: tuple[float, float], parent: int) -> int:
        """Add the betting of a street and of all later streets.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        paid : tuple of 2 float
            What each seat has put into the pot before this street, in small bets.
        parent : int
            The node of the deal before this street, or -1 before the flop.
        """
        first_to_act = 0 if street == PREFLOP or self.follows_figures else 1
        first_decision = NodeRow(
            kind=DECISION,
            street=street,
            actor=first_to_act,
            parent=parent,
            paid=paid,
            num_raises=(0, 0),
        )
        return self.add_decision(first_decision, call_ends_street=False)

    def add_decision(self, decision: NodeRow, *, call_ends_street: bool) -> int:
        """Add a decision and all nodes below it in preorder.

        Parameters
        ----------
        decision : NodeRow
            The decision.
        call_ends_street : bool
            Whether a call or check ends the betting of the street. It does unless this is the first action of the
            street.

        Returns
        -------
        int
            The index of the decision.
        """
        node = self.add_node(decision)
        street, seat = decision.street, decision.actor
        bet = max(decision.paid)

        can_fold = decision.paid[seat] < bet or self.follows_figures
        if can_fold:
            fold = decision._replace(kind=FOLDED, parent=node)
            self.children[node][FOLDING] = self.add_node(fold)

        node_after_call = decision._replace(parent=node, paid=(bet, bet))
        if call_ends_street:
            self.children[node][CALLING] = self.add_end_of_street(node_after_call)
        else:
            decision_of_other = node_after_call._replace(actor=1 - seat)
            self.children[node][CALLING] = self.add_decision(
                decision_of_other, call_ends_street=True
            )

        # Before the flop the big blind counts as the first bet.
        is_blind_a_bet = street == PREFLOP and not self.follows_figures
        num_bets = sum(decision.num_raises) + is_blind_a_bet
        if num_bets < self.raise_cap:
            new_bet = bet + BET_SIZES[street]
            num_raises_0, num_raises_1 = decision.num_raises
            node_after_raise = decision._replace(
                actor=1 - seat,
                parent=node,
                paid=(new_bet, bet) if seat == 0 else (bet, new_bet),
                num_raises=(num_raises_0 + (seat == 0), num_raises_1 + (seat == 1)),
            )
            self.children[node][RAISING] = self.add_decision(
                node_after_raise, call_ends_street=True
            )
        return node

    def add_end_of_street(self, node_after_call: NodeRow) -> int:
        """Add the showdown after the river, or else the deal of the next cards and all nodes below it.

        Parameters
        ----------
        node_after_call : NodeRow
            The street that ends, what both seats have paid after the last call, and the parent of the new node.

        Returns
        -------
        int
            The index of the showdown or of the deal.
        """
        if node_after_call.street == RIVER:
            return self.add_node(node_after_call._replace(kind=SHOWDOWN, actor=-1))
        deal = self.add_node(node_after_call._replace(kind=DEAL, actor=-1))
        self.add_street(node_after_call.street + 1, node_after_call.paid, parent=deal)
        return deal

    def make_tree(self) -> PublicTree:
        """Return the finished tree as read-only arrays, in which decisions and situations are numbered.

        Decisions are numbered by situation, and those of one situation in the order of the starts of their street: the
        sequences of actions on earlier streets.
        """
        columns = map(np.array, zip(*self.nodes, strict=True))
        kind, street, actor, parent, paid, num_raises = columns
        start, num_starts = index_street_starts(kind, street, parent)

        nodes = np.flatnonzero(kind == DECISION)
        seat = actor[nodes]
        situation, situations = index_situations(
            street=street[nodes],
            is_button=seat == 0,
            own_raises=num_raises[nodes, seat],
            other_raises=num_raises[nodes, 1 - seat],
        )

        # Number the decisions in the order of situations, then of starts.
        order = np.lexsort((start[nodes], situation))
        decision = np.full(len(kind), -1)
        decision[nodes[order]] = np.arange(len(nodes))
        tree = PublicTree(
            raise_cap=self.raise_cap,
            betting=self.betting,
            kind=kind,
            street=street,
            actor=actor,
            parent=parent,
            child=np.array(self.children),
            paid=paid,
            num_raises=num_raises,
            start=start,
            decision=decision,
            decision_node=nodes[order],
            situation=situation[order],
            situations=situations,
            num_starts=num_starts,
        )
        freeze(*vars(tree).values())
        return tree


def index_situations(
    street: Ints, is_button: NDArray[np.bool_], own_raises: Ints, other_raises: Ints
) -> tuple[Ints, tuple[Situation, ...]]:
    """Return the different situations among the decisions of a tree, and the index of each decision's situation.

    A situation is what an agent of Samothrakis & Lucas (2011) knows about the betting.

    Parameters
    ----------
    street : ndarray of int64, shape (decisions,)
        The street of each decision in preorder, 0 to 3.
    is_button : ndarray of bool, shape (decisions,)
        Whether the player who decides has the button.
    own_raises, other_raises : ndarray of int64, shape (decisions,)
        The numbers of bets and raises of this player and of the opponent on this street.

    Returns
    -------
    index : ndarray of int64, shape (decisions,)
        The index of each decision's situation in `situations`.
    situations : tuple of Situation
        The situations, street by street. Those of one street are in the order in which preorder first reaches them.
    """
    columns = (street, is_button, own_raises, other_raises)
    situation_of_decision = list(map(Situation, *(column.tolist() for column in columns)))

    # Preorder passes through later streets in between. Sorting by street is stable, so it keeps the order in a street.
    situations_in_preorder = dict.fromkeys(situation_of_decision)
    situations = tuple(sorted(situations_in_preorder, key=lambda situation: situation.street))
    index_of_situation = {situation: index for index, situation in enumerate(situations)}
    index = np.array([index_of_situation[situation] for situation in situation_of_decision])
    return index, situations


def index_street_starts(kind: Ints, street: Ints, parent: Ints) -> tuple[Ints, tuple[int, ...]]:
    """Return the start of its street from which each node is reached, and the number of starts of each street.

    A *start* of a street is one sequence of actions on all earlier streets, after which the street begins. The same
    betting follows after each start. If a street has S starts, and the deal that ends it is deal c of its betting after
    start s, then this deal leads to start c * S + s of the next street. So the starts of the next street that follow
    deal c are neighbors.

    Parameters
    ----------
    kind : ndarray of int64, shape (N,)
        The kind of each of N nodes in preorder, an index into NODE_KINDS.
    street : ndarray of int64, shape (N,)
        The street of each node, 0 to 3. A deal belongs to the street that it ends.
    parent : ndarray of int64, shape (N,)
        The node above each node, or -1 for the root.

    Returns
    -------
    start : ndarray of int64, shape (N,)
        The start from which each node is reached, an index among those of the node's street.
    num_starts : tuple of 4 int
        The number of starts of each street. Before the flop there is one, the empty sequence.
    """
    start = np.zeros(len(kind), dtype=np.int64)
    next_start = np.zeros(len(kind), dtype=np.int64)  # of a deal: the start that follows it
    num_starts = [1]
    for current_street in range(NUM_STREETS):
        # The first node of a street has the start that follows its deal. Other nodes have the start of their parent.
        for node in np.flatnonzero(street == current_street):
            node_above = parent[node]
            if node_above < 0:
                continue  # the root has start 0
            is_first_of_street = kind[node_above] == DEAL
            start[node] = next_start[node_above] if is_first_of_street else start[node_above]

        # All starts of a street have the same number of deals, and in preorder the deals after one start are neighbors.
        deals = np.flatnonzero((street == current_street) & (kind == DEAL))
        if not deals.size:
            continue  # the river ends with showdowns
        deals_by_start = deals.reshape(num_starts[current_street], -1)
        deal_numbers = np.arange(deals_by_start.shape[1])
        next_start[deals_by_start] = (
            deal_numbers * num_starts[current_street] + start[deals_by_start]
        )
        num_starts.append(deals.size)
    return start, tuple(num_starts)
