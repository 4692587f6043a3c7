"""The betting tree of one street against a strategy, and the best response with real cards on this street.

A *betting history* is a sequence of actions on the earlier streets with which the betting of a street can begin. The
betting tree of the street is the same after all of its histories, so one `StreetTree` represents them, and arrays have
an axis for the history. The *weight* of a hand after a history is the opponent's reach probability of the history with
this hand.

`fill_street_best_response` computes the best response node by node, with each hand of the responder. It is used for
the streets before the river. On the river, which takes most of the time, the module `river_winnings` does the same for
many histories at once.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.cards import HOLDINGS, NUM_CARDS, NUM_STREETS
from pokerlab.holdem.hand import CALLING, FOLDING, RAISING

HIGH_CARDS, LOW_CARDS = np.ascontiguousarray(HOLDINGS.T).astype(np.int64)
"""The two cards of each holding, as two arrays of shape (1326,)."""
ALL_HANDS = NUM_CARDS
"""The index of the sum over all hands, which follows the sums over the hands with each card."""


class StreetTree(NamedTuple):
    """The betting tree of one street against a strategy, after each betting history with which the street can begin.

    The tree has K nodes and is the same after all H histories. It has C nodes at which the next street is dealt.

    Attributes
    ----------
    player : int
        The seat of the best response.
    nodes : ndarray of NODE_DTYPE, shape (K,)
        The nodes of the tree in preorder.
    stakes : ndarray of shape (H,)
        What each seat has paid when the street begins, in small bets, after each history.
    reach : ndarray of shape (K, B, H)
        The product of the strategy's action probabilities from the root of the tree to each node, with each of B
        buckets and after each history.
    deals : ndarray of int64, shape (C,)
        The indices of the nodes at which the next street is dealt.
    """

    player: int
    nodes: NDArray[Any]
    stakes: Floats
    reach: Floats
    deals: Ints

    def compute_next_street_weights(self, weights: Floats, buckets: Ints) -> Floats:
        """Return the weights of hands where the next street begins, given their weights where this street begins.

        The weight of a hand after a betting history is the strategy's reach probability of the history with this hand.
        On this street it is multiplied by the probability that the strategy, with the hand's bucket, plays to one of
        the C nodes at which the next street is dealt.

        Parameters
        ----------
        weights : ndarray of shape (n, H)
            The weights of n hands after the H betting histories that lead to this street.
        buckets : ndarray of int64, shape (n,)
            The buckets of the n hands on this street.

        Returns
        -------
        ndarray of shape (n, C * H)
            The weights after the histories that lead to the next street. History h followed by deal c has the index
            c H + h.
        """
        reach_of_deals = self.reach[self.deals][:, buckets]  # of shape (C, n, H)
        weights_after_deals = weights * reach_of_deals
        return weights_after_deals.transpose(1, 0, 2).reshape(len(buckets), -1)


def build_street_trees(profile: BucketedProfile, player: int) -> tuple[StreetTree, ...]:
    """Return the betting trees of the four streets for a best response of a player to the other seat's strategy.

    Parameters
    ----------
    profile : BucketedProfile
        The profile with the strategy to which the player responds.
    player : int
        The seat of the best response, 0 or 1.

    Returns
    -------
    tuple of 4 StreetTree
        The trees before the flop, on the flop, on the turn and on the river.
    """
    batched_tree = profile.game.batched_tree
    trees = []
    for street in range(NUM_STREETS):
        num_nodes, num_histories, num_buckets, block, end_block = batched_tree.streets[
            street
        ].tolist()
        nodes = batched_tree.nodes[street, :num_nodes]
        stakes = batched_tree.stake[block:end_block].ravel()[:num_histories]  # the rest is padding
        reach = compute_street_reach(profile, player, nodes, num_buckets, num_histories)
        deals = np.flatnonzero(nodes["kind"] == DEAL)
        trees.append(StreetTree(player, nodes, stakes, reach, deals))
    return tuple(trees)


def compute_street_reach(
    profile: BucketedProfile,
    player: int,
    nodes: NDArray[Any],
    num_buckets: int,
    num_histories: int,
) -> Floats:
    """Return the opponent's reach probability of each node of a street, given that the street has begun.

    It is the product of the opponent's action probabilities between the root of the street's betting tree and the node.

    Parameters
    ----------
    profile : BucketedProfile
        The profile with the opponent's strategy.
    player : int
        The seat of the best response. Its own decisions do not change the opponent's reach probabilities.
    nodes : ndarray of NODE_DTYPE, shape (K,)
        The nodes of the street's betting tree, with parents before their children.
    num_buckets : int
        The number B of buckets on the street.
    num_histories : int
        The number H of betting histories with which the street can begin.

    Returns
    -------
    ndarray of shape (K, B, H)
        The reach probability of each node with each bucket after each history.
    """
    probabilities = profile.decision_probabilities
    reach = np.ones((len(nodes), num_buckets, num_histories))
    for node_index in np.flatnonzero(nodes["kind"] == DECISION):
        is_own = nodes["actor"][node_index] == player
        # The profile has consecutive decisions for this node, one after each history.
        first_decision = int(
            np.searchsorted(profile.game.tree.situation, nodes["situation"][node_index])
        )
        decisions = slice(first_decision, first_decision + num_histories)
        for action, child in enumerate(nodes["child"][node_index]):
            if child >= 0:
                factor = 1.0 if is_own else probabilities[decisions, :num_buckets, action].T
                reach[child] = reach[node_index] * factor
    return reach


@kernel
def fill_street_best_response(
    tree: StreetTree,
    bucket_of_hand: Ints,
    opponent_weights: Floats,
    later_winnings: Floats,
    out_winnings: Floats,
    out_choices: Ints,
) -> None:
    """Write the winnings of the best response on a street with each of its hands, and its decisions.

    For each hand one pass up through the street's betting tree computes the value of each node from the values of its
    children. The value of a fold follows from the weights of the opponent's hands, and the value of a deal from the
    winnings on later streets. A decision of the opponent has the sum of the values of its children, and an own decision
    has the largest of them.

    The tree has K nodes, and C of them deal the next street. It is played after H betting histories. Winnings are
    computed apart for the P streets on which a hand can end: first this street, then the later ones.

    Parameters
    ----------
    tree : StreetTree
        The betting tree of the street against the opponent's strategy.
    bucket_of_hand : ndarray of int64, shape (1326,)
        The bucket of each hand, or -1 for impossible hands.
    opponent_weights : ndarray of shape (1326, H)
        The opponent's reach probability of each betting history with each hand.
    later_winnings : ndarray of shape (P - 1, 1326, C * H)
        The winnings on the later streets, by the street on which the hand ends, the responder's hand, and the betting
        history that leads to the next street.
    out_winnings : ndarray of shape (P, 1326, H)
        Overwritten with the winnings, by the street on which the hand ends, the responder's hand, and the history.
    out_choices : ndarray of int64, shape (K, 1326, H)
        Overwritten with the node that follows each decision of the best response. Pass an empty array if decisions are
        not needed.
    """
    nodes = tree.nodes
    num_histories, num_end_streets = len(tree.stakes), len(out_winnings)
    hands = np.flatnonzero(bucket_of_hand >= 0)
    no_choices = np.zeros(0, np.int64)

    # At each fold, sum the weights of the opponent's hands: over the hands with each card, and over all hands.
    fold_sums = np.zeros((len(nodes), NUM_CARDS + 1, num_histories))
    for fold in np.flatnonzero(nodes["kind"] == FOLDED):
        for hand in hands:
            reach_of_fold = tree.reach[fold, bucket_of_hand[hand]]
            add_fold_weights(hand, opponent_weights[hand], reach_of_fold, fold_sums[fold])

    # Pass up through the nodes with each hand: in preorder children come after their parents. A node has a value for
    # each street on which the hand can end, followed by the sum of these values.
    values = np.zeros((len(nodes), num_end_streets + 1, num_histories))
    for hand in hands:
        for node_index in range(len(nodes) - 1, -1, -1):
            node = nodes[node_index]
            values[node_index] = 0.0
            if node.kind == FOLDED:
                own_reach = tree.reach[node_index, bucket_of_hand[hand]]
                fill_fold_values(
                    tree,
                    node_index,
                    hand,
                    opponent_weights[hand],
                    own_reach,
                    fold_sums[node_index],
                    values[node_index],
                )
            elif node.kind == DEAL:
                first_history = node.continuation * num_histories
                copy_later_winnings(later_winnings, hand, first_history, values[node_index])
            elif node.actor != tree.player:
                add_values_of_children(node, node_index, values)
            else:
                choices = out_choices[node_index, hand] if out_choices.size else no_choices
                copy_values_of_best_children(node, node_index, values, choices)
        # The first node is the beginning of the street.
        out_winnings[:, hand] = values[0, :num_end_streets]


@inlined
def fill_fold_values(
    tree: StreetTree,
    node_index: int,
    hand: np.intp,
    weights: Floats,
    reach: Floats,
    fold_sums: Floats,
    out_values: Floats,
) -> None:
    """Write the value of a fold with one hand of the responder, after each betting history.

    The responder is the player of the best response. The value is what the folding seat has paid, times the total
    weight of the opponent's hands that share no card with the responder's hand.

    Parameters
    ----------
    tree : StreetTree
        The betting tree of the street, which is played after H histories.
    node_index : int
        The index of the fold among the nodes of the tree.
    hand : int
        The index of the responder's hand among `HOLDINGS`.
    weights, reach : ndarray of shape (H,)
        The opponent's reach probabilities with this same hand: of the histories, and of the fold after each of them.
    fold_sums : ndarray of shape (53, H)
        The sums over the opponent's hands of their weights at the fold: over the hands with each card, then over all.
    out_values : ndarray of shape (P + 1, H)
        The values of the node. The first row, of hands that end on this street, and the last row, the sum over all
        streets on which hands can end, are overwritten.
    """
    folding_seat = tree.nodes[node_index].actor
    sign = -1.0 if folding_seat == tree.player else 1.0
    chips = tree.nodes[node_index].chips[folding_seat]
    for history in range(len(weights)):
        # The opponent's hands with either card of this hand are subtracted. The same hand has both cards, so it is
        # subtracted twice, and its weight is added again.
        same_hand_weight = weights[history] * reach[history]
        opponent_weight = subtract_sums_of_both_cards(fold_sums, hand, history) + same_hand_weight
        won = sign * (tree.stakes[history] + chips) * opponent_weight
        out_values[0, history] = out_values[-1, history] = won


@inlined
def copy_later_winnings(
    later_winnings: Floats, hand: np.intp, first_history: int, out_values: Floats
) -> None:
    """Copy the winnings with a hand on later streets to the values of the node at which the next street is dealt.

    The responder is the player of the best response. A hand can end on P streets: on this street, or on P - 1 later
    ones.

    Parameters
    ----------
    later_winnings : ndarray of shape (P - 1, 1326, C * H)
        The winnings on the later streets, by the street on which the hand ends, the responder's hand, and the betting
        history that leads to the next street.
    hand : int
        The index of the hand among `HOLDINGS`.
    first_history : int
        The index of the first of the H histories that lead to the next street through this node.
    out_values : ndarray of shape (P + 1, H)
        The values of the node, zeros before. The rows of later streets are overwritten, and added to the last row.
    """
    num_end_streets = len(out_values) - 1
    for later_street in range(1, num_end_streets):
        for history in range(out_values.shape[1]):
            won = later_winnings[later_street - 1, hand, first_history + history]
            out_values[later_street, history] = won
            out_values[num_end_streets, history] += won


@inlined
def add_values_of_children(node: Any, node_index: int, values: Floats) -> None:
    """Add the values of the nodes that follow a decision of the opponent to the value of the decision.

    The values of the children are already multiplied by the opponent's action probabilities, which are factors of the
    weights of its hands.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision. An action that is not legal has the child -1.
    node_index : int
        The index of the decision among the nodes.
    values : ndarray of shape (K, P + 1, H)
        The values of K nodes after H betting histories: one for each of P streets on which the hand can end, then their
        sum. The row of the decision is changed.
    """
    for child in node.child:
        if child >= 0:
            add_to_values(values[child], values[node_index])


@inlined
def add_to_values(summands: Floats, out_sums: Floats) -> None:
    """Add the values of one node to those of another, for each street on which the hand can end and each history.

    Parameters
    ----------
    summands : ndarray of shape (P + 1, H)
        The values of one node.
    out_sums : ndarray of shape (P + 1, H)
        The values of the other node, to which they are added.
    """
    num_rows, num_histories = summands.shape
    for row in range(num_rows):
        for history in range(num_histories):
            out_sums[row, history] += summands[row, history]


@inlined
def copy_values_of_best_children(
    node: Any, node_index: int, values: Floats, out_choices: Ints
) -> None:
    """Copy the values of the best node that follows a decision of the responder, after each betting history.

    The responder is the player of the best response.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision. An action that is not legal has the child -1.
    node_index : int
        The index of the decision among the nodes.
    values : ndarray of shape (K, P + 1, H)
        The values of K nodes after H betting histories: one for each of P streets on which the hand can end, then their
        sum. The row of the decision is overwritten.
    out_choices : ndarray of int64, shape (H,) or (0,)
        Overwritten with the best node after each history, unless it is empty.
    """
    _, num_rows, num_histories = values.shape
    num_end_streets = num_rows - 1
    for history in range(num_histories):
        best = find_best_child(node, values, num_end_streets, history)
        for row in range(num_rows):
            values[node_index, row, history] = values[best, row, history]
        if out_choices.size:
            out_choices[history] = best


@inlined
def add_fold_weights(hand: np.intp, weights: Floats, reach: Floats, out_sums: Floats) -> None:
    """Add the weights of an opponent's hand at a fold to the sums of its two cards and to the sum over all hands.

    The weight at the fold is the opponent's reach probability of the fold with this hand.

    Parameters
    ----------
    hand : int
        The index of the hand among `HOLDINGS`.
    weights : ndarray of shape (H,)
        The opponent's reach probabilities of H betting histories with the hand.
    reach : ndarray of shape (H,)
        The opponent's reach probability of the fold after each history, given that the street has begun.
    out_sums : ndarray of shape (53, H)
        The sums over the hands with each card, then the sum over all hands. Three of these rows are changed.
    """
    for history in range(len(weights)):
        weight = weights[history] * reach[history]
        out_sums[HIGH_CARDS[hand], history] += weight
        out_sums[LOW_CARDS[hand], history] += weight
        out_sums[ALL_HANDS, history] += weight


@inlined
def subtract_sums_of_both_cards(weight_sums: Floats, hand: np.intp, history: int) -> float:
    """Return the sum of weights over all hands, minus the sums over the hands with each of the two cards of a hand.

    Parameters
    ----------
    weight_sums : ndarray of shape (53, H)
        The sums of weights over the hands with each card, then the sum over all hands, after each of H betting
        histories.
    hand : int
        The index of the hand among `HOLDINGS`.
    history : int
        The index of the history whose sums are used.

    Returns
    -------
    float
        The difference. The hand itself has both cards, so its weight is subtracted twice.
    """
    return float(
        weight_sums[ALL_HANDS, history]
        - weight_sums[HIGH_CARDS[hand], history]
        - weight_sums[LOW_CARDS[hand], history]
    )


@inlined
def find_best_child(node: Any, values: Floats, num_end_streets: int, history: int) -> int:
    """Return the child of a decision that has the largest value for the player, after a given betting history.

    Of equally good children the first one counts, in the order call, raise, fold.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision in the betting tree of a street. An action that is not legal has the child -1.
    values : ndarray of shape (K, num_end_streets + 1, H)
        The values of K nodes after H betting histories: one for each street on which the hand can end, then their sum.
        The sums are compared.
    num_end_streets : int
        The number of streets on which the hand can end.
    history : int
        The index of the history.

    Returns
    -------
    int
        The index of the best child among the nodes.
    """
    best = node.child[CALLING]
    for child in (node.child[RAISING], node.child[FOLDING]):
        if child < 0:
            continue
        if values[child, num_end_streets, history] > values[best, num_end_streets, history]:
            best = child
    return int(best)
