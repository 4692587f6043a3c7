"""A strategy of bucketed hold'em as it meets real cards, and the best reply to it on a street's betting.

How to read it. The strategy knows nothing of a hand but its buckets. So how likely it plays a line of betting with a
hand is a product with a factor for each street, by the bucket there; `Against` has the factors of one street for all
ways in which it can begin. The reply knows its two cards, and the opponent cannot hold these. So from a sum over all
hands those with the one and those with the other are taken off, and the same hand, taken off twice, is put back.

What is won is kept apart by the street on which hands end: in *parts*, from the present street on.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import kernel
from pokerlab.holdem.betting.actions import CALLING, FOLDING, RAISING
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_STREETS
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedProfile

HIGH, LOW = np.ascontiguousarray(HOLDINGS.T).astype(np.int64)
"""The two cards of each holding."""
ALL = NUM_CARDS
"""Where the sum over all hands stands, behind those over the hands with each card."""


class Against(NamedTuple):
    """A street's betting against a strategy: K nodes, S beginnings, B buckets, C ways to the next street."""

    player: int  # the seat that replies
    nodes: NDArray[Any]  # (K,), of layouts.NODE
    stake: Floats  # (S,): what each seat had paid before, in small bets
    reach: Floats  # (K, B, S): how likely the strategy does what leads from a beginning to a node
    deals: Ints  # (C,): the nodes that lead to the next street

    def moved_on(self, weights: Floats, label: Ints) -> Floats:
        """Return the weights with which hands come to the next street, (n, C S), from those here, (n, S)."""
        after = weights * self.reach[self.deals][:, label]
        return after.transpose(1, 0, 2).reshape(len(label), -1)


def streets_against(profile: BucketedProfile, player: int) -> tuple[Against, ...]:
    """Return the betting of the four streets against what the other seat does in `profile`."""
    lanes, chances, streets = profile.game.lanes, profile.by_decision, []
    for street in range(NUM_STREETS):
        count, starts, buckets, block, end = lanes.streets[street].tolist()
        nodes, reach = lanes.nodes[street, :count], np.ones((count, buckets, starts))
        for k in np.flatnonzero(nodes["kind"] == DECISION):
            first = int(np.searchsorted(profile.game.tree.situation, nodes["situation"][k]))
            for action, child in enumerate(nodes["child"][k]):
                if child >= 0:
                    taken = chances[first : first + starts, :buckets, action].T
                    reach[child] = reach[k] * (1.0 if nodes["actor"][k] == player else taken)
        stake, deals = lanes.stake[block:end].ravel()[:starts], nodes["kind"] == DEAL
        streets.append(Against(player, nodes, stake, reach, np.flatnonzero(deals)))
    return tuple(streets)


@kernel
def reply(
    against: Against, label: Ints, weights: Floats, later: Floats, out_parts: Floats, out_goes: Ints
) -> None:
    """Write what the best reply wins with each hand, (P, 1326, S), and where it goes from each node, (K, 1326, S).

    The opponent comes with `weights`, (1326, S), and has the bucket `label`, (1326,), -1 where a hand is impossible.
    `later`, (P - 1, 1326, C S), is what is won where the next street begins. `out_goes` may be empty.
    """
    player, nodes, stake, reach, _ = against
    starts, total = len(stake), len(out_parts)
    hands = np.flatnonzero(label >= 0)
    sums = np.zeros((len(nodes), NUM_CARDS + 1, starts))
    worth = np.zeros((len(nodes), total + 1, starts))  # the parts, then their sum
    for end in np.flatnonzero(nodes["kind"] == FOLDED):
        for hand in hands:
            for s in range(starts):
                weight = weights[hand, s] * reach[end, label[hand], s]
                sums[end, HIGH[hand], s] += weight
                sums[end, LOW[hand], s] += weight
                sums[end, ALL, s] += weight
    for hand in hands:
        for k in range(len(nodes) - 1, -1, -1):
            node = nodes[k]
            worth[k] = 0.0
            if node.kind == FOLDED:
                sign, chips = -1.0 if node.actor == player else 1.0, node.chips[node.actor]
                for s in range(starts):
                    met = sums[k, ALL, s] - sums[k, HIGH[hand], s] - sums[k, LOW[hand], s]
                    met += weights[hand, s] * reach[k, label[hand], s]
                    worth[k, 0, s] = worth[k, total, s] = sign * (stake[s] + chips) * met
            elif node.kind == DEAL:
                for part in range(1, total):
                    for s in range(starts):
                        won = later[part - 1, hand, node.continuation * starts + s]
                        worth[k, part, s] = won
                        worth[k, total, s] += won
            elif node.actor != player:
                for child in node.child:
                    for part in range(total + 1 if child >= 0 else 0):
                        for s in range(starts):
                            worth[k, part, s] += worth[child, part, s]
            else:
                for s in range(starts):
                    best = node.child[CALLING]
                    for child in (node.child[RAISING], node.child[FOLDING]):
                        if child >= 0 and worth[child, total, s] > worth[best, total, s]:
                            best = child
                    for part in range(total + 1):
                        worth[k, part, s] = worth[best, part, s]
                    if out_goes.size:
                        out_goes[k, hand, s] = best
        out_parts[:, hand] = worth[0, :total]
