"""The public tree of heads-up limit hold'em: everything that both players see, cards left out.

How to read it. Blinds are half a small bet and one; a bet or raise is one small bet before the flop and on the flop,
two from the turn on. The big blind counts as the first bet. Seat 0 has the button and the small blind: it acts first
before the flop and last from then on. Samothrakis & Lucas's figures show another betting, `AS_DRAWN`: the small blind
acts first on every street, blinds are no bets, and an agent may fold where nothing is owed. Nodes stand in preorder,
so that a node's first child is the next node. Seat 0's first decision is node 0.

Decisions have a second numbering, that of profiles. Every street begins as many times as there are
ways of getting there: its starts. All its starts lead to the same betting, so that a decision is a
situation (which decision of the street's betting it is) and a start. Decisions are numbered street
by street, situation by situation, start by start: what is alike lies side by side.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, UnknownNameError, freeze, whole
from pokerlab.holdem.cards import NUM_STREETS, RIVER, WHEN
from pokerlab.holdem.hand import ACTIONS, CALLING, FOLDING, NUM_ACTIONS, RAISING

KINDS = ("decision", "deal", "fold", "showdown")
DECISION, DEAL, FOLDED, SHOWDOWN = range(4)
NUM_SEATS = 2
BLINDS = (0.5, 1.0)
BETS = (1.0, 1.0, 2.0, 2.0)  # the size of a bet and of a raise on each street, in small bets
AT_THE_TABLE, AS_DRAWN = BETTINGS = ("at the table", "as drawn")
MOST_BETS = 6
"""The tree grows with the third power of the cap: there are 78,541 nodes with a cap of 6."""


class Situation(NamedTuple):
    """What the paper's agent knows of the betting: only this street's raises."""

    street: int  # 0 before the flop, 1 on the flop, 2 on the turn, 3 on the river
    button: bool  # whether the player has it
    own_raises: int  # bets and raises on this street; a blind is none
    other_raises: int

    def __str__(self) -> str:
        seat = "button" if self.button else "big blind"
        raises = f"{self.own_raises} own raises, {self.other_raises} of the opponent"
        return f"{WHEN[self.street]}, {seat}, {raises}"


@dataclass(frozen=True, eq=False, repr=False)
class PublicTree:
    """The betting as arrays over N public nodes; made by `public_tree`."""

    raise_cap: int  # most bets a street
    betting: str  # one of BETTINGS
    kind: Ints  # (N,): an index into KINDS; at a deal the street's betting is over, the next begins at the node after
    street: Ints  # (N,): 0 to 3; a deal belongs to the street it ends
    actor: Ints  # (N,): the seat that decides, or that has folded; -1 at deals and showdowns
    parent: Ints  # (N,): -1 at the root
    # (N, 3): where fold, call and raise lead from a decision; -1 for what is impossible
    child: Ints
    paid: Floats  # (N, 2): what each seat has put into the pot, in small bets
    raises: Ints  # (N, 2): each seat's bets and raises on this street
    start: Ints  # (N,): at which of its street's starts the node's betting began
    decision: Ints  # (N,): a decision's number in profiles; -1 at other nodes
    decision_node: Ints  # (D,): the node of each decision
    situation: Ints  # (D,): which of `situations` each decision is
    # all that can occur, street by street, in the order of the betting
    situations: tuple[Situation, ...]
    num_starts: tuple[int, ...]  # in how many ways each of the four streets' betting can begin

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
        """Which of fold, call and raise are possible at each decision, (D, 3)."""
        return self.child[self.decision_node] >= 0

    def actions_to(self, node: int) -> tuple[str, ...]:
        """Return the actions that lead from the root to `node`, with 'deal' between streets."""
        taken: list[str] = []
        while (parent := int(self.parent[node])) >= 0:
            is_deal = self.kind[parent] == DEAL
            taken.append("deal" if is_deal else ACTIONS[int(np.argmax(self.child[parent] == node))])
            node = parent
        return tuple(reversed(taken))

    def __repr__(self) -> str:
        return (
            f"<public tree: {self.num_nodes:,} nodes, {self.num_decisions:,} decisions in {len(self.situations)}"
            f" situations, at most {self.raise_cap} bets a street{', as drawn' * (self.betting == AS_DRAWN)}>"
        )


def public_tree(raise_cap: int = 4, betting: str = AT_THE_TABLE) -> PublicTree:
    """Return the public tree with at most `raise_cap` bets a street, 1 to 6.

    >>> public_tree()
    <public tree: 17,221 nodes, 6,378 decisions in 38 situations, at most 4 bets a street>
    >>> public_tree(betting=AS_DRAWN)
    <public tree: 23,780 nodes, 8,200 decisions in 40 situations, at most 4 bets a street, as drawn>
    """
    UnknownNameError.check("betting", betting, BETTINGS)
    return grown_tree(whole("raise_cap", raise_cap, 1, MOST_BETS), betting)


@cache
def grown_tree(raise_cap: int, betting: str) -> PublicTree:
    """Return the public tree; the parameters were checked before, since the cache takes True for 1."""
    grown = Growth(raise_cap, betting)
    grown.begin_street(0, BLINDS, -1)
    return grown.tree()


class Row(NamedTuple):
    """What is noted of a node while the tree grows."""

    kind: int
    street: int
    actor: int
    parent: int
    paid: tuple[float, float]
    raises: tuple[int, int]


class Growth:
    """The tree while it grows, depth first."""

    def __init__(self, raise_cap: int, betting: str) -> None:
        self.raise_cap, self.betting = raise_cap, betting
        self.as_drawn = betting == AS_DRAWN
        self.rows: list[Row] = []
        self.child: list[list[int]] = []

    def add(self, row: Row) -> int:
        """Note a node; return its number."""
        self.rows.append(row)
        self.child.append([-1] * NUM_ACTIONS)
        return len(self.rows) - 1

    def begin_street(self, street: int, paid: tuple[float, float], parent: int) -> int:
        """Grow a street's betting; return its first node."""
        first = 0 if street == 0 or self.as_drawn else 1
        return self.decide(Row(DECISION, street, first, parent, paid, (0, 0)), may_close=False)

    def decide(self, row: Row, *, may_close: bool) -> int:
        """Grow a decision and all below it; `may_close`: a call ends the street's betting."""
        node = self.add(row)
        _, street, seat, _, paid, raises = row
        bet = max(paid)
        if paid[seat] < bet or self.as_drawn:
            self.child[node][FOLDING] = self.add(row._replace(kind=FOLDED, parent=node))
        called = row._replace(parent=node, paid=(bet, bet))
        if may_close:
            self.child[node][CALLING] = self.end_street(called)
        else:
            self.child[node][CALLING] = self.decide(called._replace(actor=1 - seat), may_close=True)
        num_bets = sum(raises) + (street == 0 and not self.as_drawn)
        if num_bets < self.raise_cap:
            more = bet + BETS[street]
            raised = row._replace(
                actor=1 - seat,
                parent=node,
                paid=(more, bet) if seat == 0 else (bet, more),
                raises=(raises[0] + (seat == 0), raises[1] + (seat == 1)),
            )
            self.child[node][RAISING] = self.decide(raised, may_close=True)
        return node

    def end_street(self, row: Row) -> int:
        """Add the deal and all below it, or the showdown."""
        if row.street == RIVER:
            return self.add(row._replace(kind=SHOWDOWN, actor=-1))
        deal = self.add(row._replace(kind=DEAL, actor=-1))
        self.begin_street(row.street + 1, row.paid, deal)
        return deal

    def tree(self) -> PublicTree:
        """Return the finished tree: number starts, situations and decisions."""
        kind, street, actor, parent, paid, raises = map(np.array, zip(*self.rows, strict=True))
        start, num_starts = number_starts(kind, street, parent)
        at = np.flatnonzero(kind == DECISION)
        own, other = raises[at, actor[at]], raises[at, 1 - actor[at]]
        columns = (street[at], actor[at] == 0, own, other)
        keys = list(map(Situation, *(column.tolist() for column in columns)))
        # Preorder passes through later streets in between; sorting by street is stable.
        situations = tuple(sorted(dict.fromkeys(keys), key=lambda key: key.street))
        number = {key: i for i, key in enumerate(situations)}
        situation = np.array([number[key] for key in keys])
        order = np.lexsort((start[at], situation))
        decision = np.full(len(kind), -1)
        decision[at[order]] = np.arange(len(at))
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
            decision_node=at[order],
            situation=situation[order],
            situations=situations,
            num_starts=num_starts,
        )
        freeze(*vars(tree).values())
        return tree


def number_starts(kind: Ints, street: Ints, parent: Ints) -> tuple[Ints, tuple[int, ...]]:
    """Return every node's start, (N,), and the number of starts of each street.

    The start that follows continuation c of start s is number c S + s, where S is the number of
    starts of s's street: what continues alike lies side by side.
    """
    start = np.zeros(len(kind), dtype=np.int64)
    begun = np.zeros(len(kind), dtype=np.int64)  # of a deal: the start that follows it
    num_starts = [1]
    for r in range(NUM_STREETS):
        for node in np.flatnonzero(street == r):
            above = parent[node]
            if above >= 0:
                start[node] = begun[above] if kind[above] == DEAL else start[above]
        deals = np.flatnonzero((street == r) & (kind == DEAL)).reshape(num_starts[r], -1)
        if deals.size:
            begun[deals] = np.arange(deals.shape[1]) * num_starts[r] + start[deals]
            num_starts.append(deals.size)
    return start, tuple(num_starts)
