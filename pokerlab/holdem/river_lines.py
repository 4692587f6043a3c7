"""The best response with real cards on the river: many lines of betting played side by side, hand by hand.

`StreetBetting` is the betting of one street against a strategy. For the streets before the river,
`fill_street_best_response` computes the best response node by node. On the river, which takes most of the time,
`add_winnings_on_rivers` plays `LINES` lines of betting at the same time. A *line of betting* is a sequence of actions
before the river, so it is a start of the river's betting. The *weights* of hands on a street are the strategy's reach
probabilities at the starts of this street.

Hands are visited in the order of their strength. The weight of an opponent's hand at the end of a line is its weight on
the river times a factor that depends only on its bucket. So the sums of weights over weaker and over stronger hands,
one for each bucket, are sufficient for all showdowns. While the responder's hand moves from the weakest to the
strongest, a bucket first has only stronger hands. Then it is *open*: some of its hands have been visited and others
have not, and its sum changes from hand to hand. At last it has only weaker hands. The contribution of buckets that are
not open is the same for all hands with a given card. A table has it for each card, and changes only when a bucket opens
or closes. Nearly always exactly one bucket is open. A row of the table is half of the sum over all hands minus the sum
over the hands with the card, so that the rows of the two cards of a hand can be added.

The betting of a river consists of two chains of raises, one after the responder's bet and one after the opponent's,
with a level for each bet. `acts_first` is a tuple of that length, so that the compiler unrolls loops over it. Its
entries are 1 if the responder acts first, and 0 otherwise.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED, SHOWDOWN
from pokerlab.holdem.bucketed_holdem import (
    BucketedProfile,
)
from pokerlab.holdem.cards import (
    HOLDINGS,
    NUM_CARDS,
    NUM_STREETS,
    Cards,
)
from pokerlab.holdem.hand import CALLING, FOLDING, RAISING
from pokerlab.holdem.hand_rankings import (
    NUM_BINS,
    evaluate_with_board,
    sort_by_strength,
    sum_keys_and_bits,
)

HIGH_CARDS, LOW_CARDS = np.ascontiguousarray(HOLDINGS.T).astype(np.int64)
"""The two cards of each holding, as two arrays of shape (1326,)."""
ALL_HANDS = NUM_CARDS
"""The index of the sum over all hands, which follows the sums over the hands with each card."""


class StreetBetting(NamedTuple):
    """The betting of a street against a strategy, with K nodes, S starts, B buckets, and C deals of the next street.

    Attributes
    ----------
    player : int
        The seat of the best response.
    nodes : ndarray of NODE_DTYPE, shape (K,)
        The nodes of the betting.
    stake : ndarray of shape (S,)
        What each seat had paid when the street began, in small bets, at each start.
    reach : ndarray of shape (K, B, S)
        The strategy's reach probability of each node from each start of the street, with each bucket.
    deals : ndarray of int64, shape (C,)
        The nodes at which the next street is dealt.
    """

    player: int
    nodes: NDArray[Any]
    stake: Floats
    reach: Floats
    deals: Ints

    def compute_next_weights(self, weights: Floats, buckets: Ints) -> Floats:
        """Return the weights of hands where the next street begins, given those where this street begins.

        A street begins at each public history at which its cards are dealt, called a start. Each of the C ways to end
        this street with a deal multiplies a hand's weight by the probability that the strategy, with the hand's
        bucket, plays so.

        Parameters
        ----------
        weights : ndarray of shape (n, S)
            The weights of n hands at the S starts of this street.
        buckets : ndarray of int64, shape (n,)
            The buckets of the n hands on this street.

        Returns
        -------
        ndarray of shape (n, C * S)
            The start of the next street that follows deal c from start s has the index c S + s.
        """
        reach_of_deals = self.reach[self.deals][:, buckets]  # of shape (C, n, S)
        weights_after_deals = weights * reach_of_deals
        return weights_after_deals.transpose(1, 0, 2).reshape(len(buckets), -1)


def build_street_bettings(profile: BucketedProfile, player: int) -> tuple[StreetBetting, ...]:
    """Return the betting of the four streets for a best response of a player to the other seat's strategy.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy to which the player responds.
    player : int
        The seat of the best response, 0 or 1.
    """
    lanes = profile.game.lanes
    streets = []
    for street in range(NUM_STREETS):
        num_nodes, starts, buckets, block, end_block = lanes.streets[street].tolist()
        nodes = lanes.nodes[street, :num_nodes]
        stake = lanes.stake[block:end_block].ravel()[:starts]
        reach = compute_street_reach(profile, player, nodes, buckets, starts)
        deals = np.flatnonzero(nodes["kind"] == DEAL)
        streets.append(StreetBetting(player, nodes, stake, reach, deals))
    return tuple(streets)


def compute_street_reach(
    profile: BucketedProfile, player: int, nodes: NDArray[Any], buckets: int, starts: int
) -> Floats:
    """Return the opponent's reach probability of each node of a street from each start of the street.

    It is the product of the opponent's action probabilities between the start and the node.

    Parameters
    ----------
    profile : BucketedProfile
    player : int
        The seat of the best response. Its own decisions do not change the reach.
    nodes : ndarray of NODE_DTYPE, shape (K,)
        The nodes of the street's betting, with parents before their children.
    buckets, starts : int
        The numbers B of buckets and S of starts of the street.

    Returns
    -------
    ndarray of shape (K, B, S)
    """
    probabilities = profile.decision_probabilities
    reach = np.ones((len(nodes), buckets, starts))
    for k in np.flatnonzero(nodes["kind"] == DECISION):
        is_own = nodes["actor"][k] == player
        # The decisions of a situation are consecutive, one for each start.
        first_decision = int(np.searchsorted(profile.game.tree.situation, nodes["situation"][k]))
        decisions = slice(first_decision, first_decision + starts)
        for action, child in enumerate(nodes["child"][k]):
            if child >= 0:
                factor = 1.0 if is_own else probabilities[decisions, :buckets, action].T
                reach[child] = reach[k] * factor
    return reach


@kernel
def fill_street_best_response(
    betting: StreetBetting,
    bucket_of_hand: Ints,
    weights: Floats,
    later_winnings: Floats,
    out_parts: Floats,
    out_choices: Ints,
) -> None:
    """Write the winnings of the best response on a street with each of its hands, and its decisions.

    For each hand one pass up through the street's betting computes the value of each node from the values of its
    children: at a fold from the weights of the opponent's hands, at a deal from the winnings on later streets, at a
    decision of the opponent as the sum over its actions, and at an own decision as the value of the best action.

    The street has S starts, K nodes, and C deals of the next street. Winnings have P parts, by the street on which
    hands end: this street first, then the later ones.

    Parameters
    ----------
    betting : StreetBetting
    bucket_of_hand : ndarray of int64, shape (1326,)
        The bucket of each hand, or -1 for impossible hands.
    weights : ndarray of shape (1326, S)
        The weights of the opponent's hands at the starts of the street.
    later_winnings : ndarray of shape (P - 1, 1326, C * S)
        The winnings from the starts of the next street on, in parts.
    out_parts : ndarray of shape (P, 1326, S)
        Overwritten with the winnings in parts.
    out_choices : ndarray of int64, shape (K, 1326, S)
        Overwritten with the node that follows each decision of the best response; pass an empty array if decisions are
        not needed.
    """
    player, nodes, stake, reach, _ = betting
    starts, num_parts = len(stake), len(out_parts)
    hands = np.flatnonzero(bucket_of_hand >= 0)

    # At each fold, sum the weights of the opponent's hands: those with each card, and all.
    fold_sums = np.zeros((len(nodes), NUM_CARDS + 1, starts))
    for end in np.flatnonzero(nodes["kind"] == FOLDED):
        for hand in hands:
            add_fold_weights(hand, weights[hand], reach[end, bucket_of_hand[hand]], fold_sums[end])

    # Pass up through the nodes with each hand; children come after their parents.
    values = np.zeros((len(nodes), num_parts + 1, starts))  # the parts, then their sum
    for hand in hands:
        for k in range(len(nodes) - 1, -1, -1):
            node = nodes[k]
            values[k] = 0.0
            if node.kind == FOLDED:
                # The sums leave out the opponent's hands that share a card with this hand. The same hand is then left
                # out twice, once for each card, so its weight is added again.
                sign = -1.0 if node.actor == player else 1.0
                chips = node.chips[node.actor]
                for s in range(starts):
                    own_weight = weights[hand, s] * reach[k, bucket_of_hand[hand], s]
                    opponent_weight = sum_without_cards(fold_sums[k], hand, s) + own_weight
                    won = sign * (stake[s] + chips) * opponent_weight
                    values[k, 0, s] = values[k, num_parts, s] = won
            elif node.kind == DEAL:
                copy_later_winnings(later_winnings, hand, node.continuation * starts, values[k])
            elif node.actor != player:
                add_values_of_children(node, k, values)
            else:
                for s in range(starts):
                    best = find_best_child(node, values, num_parts, s)
                    for part in range(num_parts + 1):
                        values[k, part, s] = values[best, part, s]
                    if out_choices.size:
                        out_choices[k, hand, s] = best
        out_parts[:, hand] = values[0, :num_parts]


@inlined
def copy_later_winnings(
    later_winnings: Floats, hand: np.intp, first_start: int, out_values: Floats
) -> None:
    """Copy the winnings with a hand on later streets to the values of the node at which the next street is dealt.

    Parameters
    ----------
    later_winnings : ndarray of shape (P - 1, 1326, C * S)
        The winnings from the starts of the next street on, in parts.
    hand : int
        The index of the hand among `HOLDINGS`.
    first_start : int
        The first of the S starts of the next street that follow the node.
    out_values : ndarray of shape (P + 1, S)
        The values of the node, zeros before. The parts of later streets are overwritten, and added to the last row.
    """
    num_parts = len(out_values) - 1
    for part in range(1, num_parts):
        for s in range(out_values.shape[1]):
            won = later_winnings[part - 1, hand, first_start + s]
            out_values[part, s] = won
            out_values[num_parts, s] += won


@inlined
def add_values_of_children(node: Any, k: int, values: Floats) -> None:
    """Add the values of the nodes that follow a decision of the opponent to the value of the decision.

    The opponent's action probabilities are in the weights of its hands already, so the values need no other weights.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision. An action that is not allowed has the child -1.
    k : int
        The index of the decision among the nodes.
    values : ndarray of shape (K, P + 1, S)
        The values of all nodes: P parts and their sum, at S starts. Those of the children are added to those of node k.
    """
    _, num_rows, starts = values.shape
    for child in node.child:
        if child >= 0:
            for row in range(num_rows):
                for s in range(starts):
                    values[k, row, s] += values[child, row, s]


@inlined
def add_fold_weights(hand: np.intp, weights: Floats, reach: Floats, out_sums: Floats) -> None:
    """Add the weights of an opponent's hand at a fold to the sums of its two cards and to the sum over all hands.

    Parameters
    ----------
    hand : int
        The index of the hand among `HOLDINGS`.
    weights, reach : ndarray of shape (S,)
        The weights of the hand at the S starts of the street, and the reach probability of the fold with it.
    out_sums : ndarray of shape (53, S)
        The sums over the hands with each card, then the sum over all hands.
    """
    for s in range(len(weights)):
        weight = weights[s] * reach[s]
        out_sums[HIGH_CARDS[hand], s] += weight
        out_sums[LOW_CARDS[hand], s] += weight
        out_sums[ALL_HANDS, s] += weight


@inlined
def sum_without_cards(sums: Floats, hand: np.intp, start: int) -> float:
    """Return the sum over all hands at a start, less the sums over the hands with each of the two cards of a hand.

    Parameters
    ----------
    sums : ndarray of shape (53, S)
        The sums over the hands with each card, then the sum over all hands, at each of S starts.
    hand : int
        The index of the hand among `HOLDINGS`.
    start : int
        The start.
    """
    return float(
        sums[ALL_HANDS, start] - sums[HIGH_CARDS[hand], start] - sums[LOW_CARDS[hand], start]
    )


@inlined
def find_best_child(node: Any, values: Floats, num_parts: int, start: int) -> int:
    """Return the child of a node that is worth the most to the player, if the street began at this start.

    Of equally good children the first one counts, in the order call, raise, fold. An action that is not allowed has the
    child -1.

    Parameters
    ----------
    node : record of NODE_DTYPE
        A node of the betting of a street.
    values : array of shape (K, num_parts + 1, S)
        The values of K nodes at S starts, which are the ways in which the betting of earlier streets can have gone. The
        last entry of the second axis is the value of a node, and those before are the parts that it is the sum of.
    num_parts, start : int
        The number of parts, and the start.
    """
    best = node.child[CALLING]
    for child in (node.child[RAISING], node.child[FOLDING]):
        if child >= 0 and values[child, num_parts, start] > values[best, num_parts, start]:
            best = child
    return int(best)


LINES = 64
"""The number of lines of betting that are played at the same time."""
HAND_BITS = 11
HAND_MASK = (1 << 11) - 1
"""The number of bits of a holding's index, which are below its strength, and the mask of these bits."""
Floats32 = NDArray[np.float32]
ZERO = np.float32(0.0)
HALF = np.float32(0.5)
ONE = np.float32(1.0)
LEAST = np.float32(-np.inf)


class RiverHands(NamedTuple):
    """The n rivers that can follow a turn, with N possible hands on each.

    Attributes
    ----------
    hands : ndarray of int32, shape (n, N)
        The strength and the index of each hand, from the weakest to the strongest, as `sort_river_hands` writes them.
    label : ndarray of uint8, shape (n, 1326)
        The bucket of each holding.
    times : ndarray of float32, shape (n,)
        The factor with which each river counts, its probability.
    kind : ndarray of int64, shape (1326,)
        The kind of each hand. Hands of one kind have the same weights.
    """

    hands: NDArray[np.int32]
    label: NDArray[np.uint8]
    times: Floats32
    kind: Ints


class LinesWorkspace(NamedTuple):
    """The memory for `LINES` lines of betting on one river, with B buckets and T ends of the betting.

    The first two arrays are read, and the others are overwritten.

    Attributes
    ----------
    weights : ndarray of float32, shape (kinds, LINES)
        The weights of the opponent's hands at the start of the river, by kind of hand.
    end_payoffs : ndarray of float32, shape (B, T, LINES)
        The payoff of each end against each bucket for a unit of weight, from `compute_river_end_payoffs`.
    sums : ndarray of float32, shape (B, 53, LINES)
        The sums of the weights of the hands of each bucket: of those with each card, and of all.
    showdown_sums : ndarray of float32, shape (B, 53, LINES)
        The same sums over the hands that are weaker than the present hand, minus those over the stronger ones.
    table : ndarray of float32, shape (52, T, LINES)
        The payoffs of the ends against all buckets that are not open. The row of a card is half of the payoff against
        all hands, minus the payoff against the hands with this card, so that the rows of two cards can be added.
    open_payoffs : ndarray of float32, shape (T, LINES)
        The payoffs of the ends against the open buckets, if there are several of them.
    open_weights : ndarray of float32, shape (2, LINES)
        First the sum of `showdown_sums` of an open bucket over the hands that share no card with the present hand, then
        ones.
    strength_range : ndarray of int64, shape (2, B)
        The strength of the weakest and of the strongest hand in each bucket, or -1 if there is none.
    """

    weights: Floats32
    end_payoffs: Floats32
    sums: Floats32
    showdown_sums: Floats32
    table: Floats32
    open_payoffs: Floats32
    open_weights: Floats32
    strength_range: Ints


def compute_river_end_payoffs(betting: StreetBetting, lines: Ints) -> Floats32:
    """Return the payoffs at the ends of the river's betting for each unit of an opponent's weight.

    The T ends are in this order: the folds, level by level, in the chain of raises after the responder's bet and then
    in the chain after the opponent's bet; the showdowns after calls of these bets, in the same order; and last the
    showdown without a bet. A showdown has the payoff of a win.

    Parameters
    ----------
    betting : StreetBetting
        The betting of the river.
    lines : ndarray of int64
        The lines of betting that are played, as starts of the river's betting.

    Returns
    -------
    ndarray of float32, shape (blocks, B, T, LINES)
        The payoff in small bets times the opponent's reach probability of the end from the start of the river, for
        each of B buckets of the opponent. The lines are divided into blocks by `pack_lines_into_blocks`.
    """
    player, nodes, stake, reach, _ = betting
    folds = np.flatnonzero(nodes["kind"] == FOLDED)
    showdowns = np.flatnonzero(nodes["kind"] == SHOWDOWN)
    showdown_without_bet, called_showdowns = showdowns[0], showdowns[1:]

    # In the tree a check comes before a bet. So if the responder acts first, the chain after its bet is the second.
    responder_acts_first = nodes["actor"][0] == player
    if responder_acts_first:
        folds_of_a_chain = len(folds) // 2
        folds = np.roll(folds, folds_of_a_chain)
        called_showdowns = np.roll(called_showdowns, folds_of_a_chain)
    ends = [*folds, *called_showdowns, showdown_without_bet]

    # At a fold the seat that folded has lost what it paid. At a showdown (actor -1) both seats have paid the same.
    folded_seat = nodes["actor"][ends, None]
    paying_seat = np.maximum(folded_seat, 0)
    chips = np.take_along_axis(nodes["chips"][ends], paying_seat, axis=1) + stake[lines]
    signed_chips = np.where(folded_seat == player, -chips, chips)
    payoffs = signed_chips[:, None] * reach[ends][..., lines]
    return pack_lines_into_blocks(payoffs.transpose(1, 0, 2))


def pack_lines_into_blocks(numbers: Floats) -> Floats32:
    """Divide numbers for n lines of betting into blocks of `LINES` lines, and fill the last block with zeros.

    Parameters
    ----------
    numbers : ndarray of shape (..., n)
        The last axis is the line.

    Returns
    -------
    ndarray of float32, shape (blocks, ..., LINES)
    """
    *shape, num_lines = numbers.shape
    num_blocks = -(-num_lines // LINES)  # rounded up
    padded = np.zeros((*shape, num_blocks, LINES), np.float32)
    padded.reshape(*shape, -1)[..., :num_lines] = numbers
    return np.ascontiguousarray(np.moveaxis(padded, -2, 0))


@kernel
def sort_river_hands(boards: Cards, live: NDArray[np.bool_], out_hands: NDArray[np.int32]) -> int:
    """Write the hands that are possible on each river of a turn, from the weakest to the strongest.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        The n boards, which have the same first four cards.
    live : ndarray of bool, shape (1326,)
        Whether each hand is possible on these four cards.
    out_hands : ndarray of int32, shape (n, 1326)
        The first entries of each row are overwritten with the hands, each as one integer: the strength, and below it in
        HAND_BITS bits the index of the hand among `HOLDINGS`.

    Returns
    -------
    int
        The number of hands that are possible on each board; it is the same on all of them.
    """
    scratch = np.empty(len(live), np.int32)
    bins = np.empty(NUM_BINS, np.int32)
    num_hands = 0
    for row in range(len(boards)):
        board_key, board_bits = sum_keys_and_bits(boards[row], 0, 5)
        river = np.int64(boards[row, 4])
        num_hands = 0
        for hand in range(len(live)):
            if live[hand] and HIGH_CARDS[hand] != river and LOW_CARDS[hand] != river:
                strength = evaluate_with_board(
                    board_key, board_bits, HIGH_CARDS[hand], LOW_CARDS[hand]
                )
                out_hands[row, num_hands] = strength << HAND_BITS | hand
                num_hands += 1
        sort_by_strength(out_hands[row], num_hands, HAND_BITS, scratch, bins)
    return num_hands


@kernel
def add_winnings_on_rivers(
    acts_first: Any, rivers: RiverHands, weights: Floats32, end_payoffs: Floats32, out_won: Floats32
) -> None:
    """Add the winnings of the best response with each hand on each line of betting, over all rivers of a turn.

    Parameters
    ----------
    acts_first : tuple of float32
        For each level of the betting, 1 if the responder acts first and 0 otherwise. All entries are equal; the length
        of the tuple is the largest number of bets.
    rivers : RiverHands
    weights : ndarray of float32, shape (blocks, kinds, LINES)
        The weights of the opponent's hands at the start of the river, by kind of hand.
    end_payoffs : ndarray of float32, shape (blocks, B, T, LINES)
        The payoffs of the ends, from `compute_river_end_payoffs`, for B buckets and T ends.
    out_won : ndarray of float32, shape (blocks, 1326, LINES)
        The winnings are added to it.
    """
    blocks, buckets, num_ends = end_payoffs.shape[:3]
    num_folds = 2 * len(acts_first)
    sums = np.zeros((2, buckets, NUM_CARDS + 1, LINES), np.float32)
    table = np.zeros((NUM_CARDS, num_ends, LINES), np.float32)
    open_payoffs = np.zeros_like(end_payoffs[0, 0])
    open_weights = np.ones((2, LINES), np.float32)
    strength_range = np.zeros((2, buckets), np.int64)
    for block in range(blocks):
        work = LinesWorkspace(
            weights[block],
            end_payoffs[block],
            sums[0],
            sums[1],
            table,
            open_payoffs,
            open_weights,
            strength_range,
        )
        for river in range(len(rivers.hands)):
            prepare_river(num_folds, rivers, river, work)
            add_winnings_on_river(acts_first, rivers, river, work, out_won[block])


@inlined
def prepare_river(num_folds: int, rivers: RiverHands, river: int, work: LinesWorkspace) -> None:
    """Write the sums of weights on a river, and the table for a hand that is weaker than all others.

    Parameters
    ----------
    num_folds : int
        The number of ends that are folds, which come first.
    rivers : RiverHands
    river : int
        The index of the river among them.
    work : LinesWorkspace
        Its `sums`, `showdown_sums`, `table` and `strength_range` are overwritten.
    """
    # Sum the weights of each bucket. Hands come from the weakest to the strongest.
    work.sums[:], work.table[:], work.strength_range[:] = ZERO, ZERO, -1
    for coded_hand in rivers.hands[river]:
        hand = coded_hand & HAND_MASK
        strength = coded_hand >> HAND_BITS
        bucket = rivers.label[river, hand]
        add_weights(hand, work.weights[rivers.kind[hand]], work.sums[bucket])
        work.strength_range[1, bucket] = strength
        if work.strength_range[0, bucket] < 0:
            work.strength_range[0, bucket] = strength

    # All hands are stronger at first, so showdowns are lost against all.
    for bucket in range(len(work.end_payoffs)):
        for card in range(NUM_CARDS + 1):
            for s in range(LINES):
                work.showdown_sums[bucket, card, s] = -work.sums[bucket, card, s]

        for end in range(work.end_payoffs.shape[1]):
            is_fold = end < num_folds
            # On every other level of a chain the opponent folds or calls. The responder has no decision between these
            # two ends, so the payoff of the fold is added to the row of the call, which is `num_folds` ends later.
            chain, level = divmod(end, num_folds // 2)
            is_opponents_fold = is_fold and (chain + level) % 2 == 0
            row = end + num_folds if is_opponents_fold else end
            add_end_payoff_to_table(bucket, end, row, ONE if is_fold else -ONE, work)


@inlined
def add_weights(hand: int, weights: Floats32, out_sums: Floats32) -> None:
    """Add a hand's weights, one for each line, to the sums of its two cards and to the sum over all hands.

    `hand` is an index among `HOLDINGS`, and `out_sums` has shape (53, LINES).
    """
    high, low = out_sums[HIGH_CARDS[hand]], out_sums[LOW_CARDS[hand]]
    for s in range(LINES):
        high[s] += weights[s]
        low[s] += weights[s]
        out_sums[ALL_HANDS, s] += weights[s]


@inlined
def sum_other_hands(hand: int, sums: Floats32, out_sum: Floats32) -> None:
    """Write the sum of weights over all hands, less the sums over the hands with either card of a hand, for each line.

    Parameters
    ----------
    hand : int
        The index of the hand among `HOLDINGS`.
    sums : ndarray of float32, shape (53, LINES)
        The sums over the hands with each card, then the sum over all hands.
    out_sum : ndarray of float32, shape (LINES,)
        Overwritten.
    """
    for s in range(LINES):
        out_sum[s] = sums[ALL_HANDS, s] - sums[HIGH_CARDS[hand], s] - sums[LOW_CARDS[hand], s]


@inlined
def add_end_payoff_to_table(
    bucket: int, end: int, row: int, sign: Any, work: LinesWorkspace
) -> None:
    """Add the payoff of an end against all hands of a bucket to a row of the table, for each card of the responder.

    Parameters
    ----------
    bucket : int
        The opponent's bucket.
    end : int
        The end of the betting whose payoff is added.
    row : int
        The row of the table to which it is added.
    sign : float32
        1 or -1, a factor of the payoff.
    work : LinesWorkspace
        Its table is changed.
    """
    payoffs = work.end_payoffs[bucket, end]
    sums = work.sums[bucket]
    for card in range(NUM_CARDS):
        for s in range(LINES):
            without_card = HALF * sums[ALL_HANDS, s] - sums[card, s]
            work.table[card, row, s] += sign * payoffs[s] * without_card


@inlined
def add_showdowns_of_changed_buckets(
    num_folds: int, strength: int, strengths: Ints, work: LinesWorkspace
) -> int:
    """Move the buckets that open or close at a strength one step up in the table, and return their number.

    In the table the showdowns against a bucket count -1 while all its hands are stronger, 0 while it is open, and 1
    when all its hands are weaker. So opening and closing a bucket both add the payoffs of its showdowns once.

    Parameters
    ----------
    num_folds : int
        The number of ends that are folds, which come before the showdowns.
    strength : int
        The strength of the present hand.
    strengths : ndarray of int64, shape (B,)
        The strength of the weakest hand of each bucket to open buckets, or that of the strongest hand to close them.
    work : LinesWorkspace
        Its table is changed.
    """
    count = 0
    for bucket in range(len(strengths)):
        if strengths[bucket] == strength:
            count += 1
            for end in range(num_folds, work.end_payoffs.shape[1]):
                add_end_payoff_to_table(bucket, end, end, ONE, work)
    return count


@inlined
def add_winnings_on_river(
    acts_first: Any, rivers: RiverHands, river: int, work: LinesWorkspace, out_won: Floats32
) -> None:
    """Add the winnings of the best response on one river with each hand, from the weakest hand to the strongest.

    Equally strong hands are treated together, in four steps: buckets open; these hands are taken out of the stronger
    hands; the responder's decisions with them are evaluated; and they are added to the weaker hands, where buckets
    close.

    Parameters
    ----------
    acts_first : tuple of float32
        As in `add_winnings_on_rivers`.
    rivers : RiverHands
    river : int
        The index of the river among them.
    work : LinesWorkspace
        As `prepare_river` leaves it; overwritten.
    out_won : ndarray of float32, shape (1326, LINES)
        The winnings are added to it.
    """
    hands = rivers.hands[river]
    label = rivers.label[river]
    kind = rivers.kind
    weakest, strongest = work.strength_range[0], work.strength_range[1]
    num_folds = 2 * len(acts_first)
    begin = 0
    num_open = 0
    while begin < len(hands):
        # The hands from `begin` to `end` - 1 are equally strong. Against each other they tie, so they count zero:
        # their weights, which were subtracted as those of stronger hands, are added once now and once below.
        strength = hands[begin] >> HAND_BITS
        end = begin
        num_open += add_showdowns_of_changed_buckets(num_folds, strength, weakest, work)
        while end < len(hands) and hands[end] >> HAND_BITS == strength:
            hand = hands[end] & HAND_MASK
            add_weights(hand, work.weights[kind[hand]], work.showdown_sums[label[hand]])
            end += 1

        # Evaluate the responder's decisions with these hands.
        for place in range(begin, end):
            hand = hands[place] & HAND_MASK
            own_weights = work.weights[kind[hand]]
            # Nearly always one bucket is open. Then its payoffs are used as they are, times the weight of its hands.
            open_payoffs = work.end_payoffs[label[hand]]
            open_weight = work.open_weights[0]
            if num_open == 1:
                sum_other_hands(hand, work.showdown_sums[label[hand]], open_weight)
            else:
                fill_payoffs_of_open_buckets(num_folds, hand, label[hand], strength, work)
                open_payoffs = work.open_payoffs
                open_weight = work.open_weights[1]
            add_winnings_of_hand(
                acts_first,
                hand,
                work.table,
                open_payoffs,
                own_weights,
                open_weight,
                rivers.times[river],
                out_won[hand],
            )

        # From now on they count as weaker hands.
        for place in range(begin, end):
            hand = hands[place] & HAND_MASK
            add_weights(hand, work.weights[kind[hand]], work.showdown_sums[label[hand]])
        num_open -= add_showdowns_of_changed_buckets(num_folds, strength, strongest, work)
        begin = end


@inlined
def fill_payoffs_of_open_buckets(
    num_folds: int, hand: int, bucket: int, strength: int, work: LinesWorkspace
) -> None:
    """Write the payoffs of the ends against all open buckets, for a hand at which several buckets are open.

    Parameters
    ----------
    num_folds : int
        The number of ends that are folds, which come before the showdowns.
    hand, bucket : int
        The responder's hand and its bucket.
    strength : int
        The strength of the hand.
    work : LinesWorkspace
        Its `open_payoffs` and the first row of `open_weights` are overwritten.
    """
    num_ends = len(work.open_payoffs)
    for end in range(num_ends):
        for s in range(LINES):
            work.open_payoffs[end, s] = (
                work.end_payoffs[bucket, end, s] if end < num_folds else ZERO
            )

    for other in range(len(work.end_payoffs)):
        is_open = work.strength_range[0, other] <= strength <= work.strength_range[1, other]
        if is_open:
            sum_other_hands(hand, work.showdown_sums[other], work.open_weights[0])
            for end in range(num_folds, num_ends):
                for s in range(LINES):
                    work.open_payoffs[end, s] += (
                        work.end_payoffs[other, end, s] * work.open_weights[0, s]
                    )


@inlined
def add_winnings_of_hand(
    acts_first: Any,
    hand: int,
    table: Floats32,
    open_payoffs: Floats32,
    own_weights: Floats32,
    open_weight: Floats32,
    probability: Any,
    out_won: Floats32,
) -> None:
    """Add the winnings of the best response with one hand on each line of betting.

    The value of each chain of raises is computed from its last level to its first. On a level of the opponent, the
    opponent folds, calls or raises, and the values of these actions are added. On a level of the responder, the best of
    the three is taken.

    Parameters
    ----------
    acts_first : tuple of float32
        As in `add_winnings_on_rivers`.
    hand : int
        The index of the hand among `HOLDINGS`.
    table : ndarray of float32, shape (52, T, LINES)
        The payoffs of the ends against the buckets that are not open, by card.
    open_payoffs : ndarray of float32, shape (T, LINES)
        The payoffs of the ends against the open buckets, for a unit of `open_weight`.
    own_weights : ndarray of float32, shape (LINES,)
        The weights of the same hand of the opponent, which the sums have subtracted twice, once for each card.
    open_weight : ndarray of float32, shape (LINES,)
        The factor of the open buckets' showdowns.
    probability : float32
        The probability of the river, a factor of the winnings.
    out_won : ndarray of float32, shape (LINES,)
        The winnings are added to it.
    """
    high = table[HIGH_CARDS[hand]]
    low = table[LOW_CARDS[hand]]
    cap = len(acts_first)
    for s in range(LINES):
        # The values of the chains of raises after the responder's bet and after the opponent's.
        after_own = after_other = ZERO
        for chain in range(2):
            # After the last level no raise is possible: it adds nothing to a sum, and is never the maximum.
            last_is_opponents = (cap - 1 + chain) % 2 == 0
            value = ZERO if last_is_opponents else LEAST
            for step in range(cap):
                level = cap - 1 - step
                fold_row = chain * cap + level
                call_row = fold_row + 2 * cap
                fold = open_payoffs[fold_row, s] * own_weights[s]
                call = (
                    high[call_row, s]
                    + low[call_row, s]
                    + open_payoffs[call_row, s] * open_weight[s]
                )
                is_opponents_level = (level + chain) % 2 == 0
                if is_opponents_level:
                    # The opponent's folds were added to the row of its calls, except those with the same hand.
                    value = value + call + fold
                else:
                    value = max(value, max(call, high[fold_row, s] + low[fold_row, s] + fold))
            after_own, after_other = after_other, value

        # A check leads to a showdown; the opponent can bet before the responder acts, or only after its check.
        check_row = 4 * cap
        check = high[check_row, s] + low[check_row, s] + open_payoffs[check_row, s] * open_weight[s]
        # If the responder acts first, the opponent's bets follow its check, so the value is max(own, check + other).
        # Otherwise they come instead of the opponent's check, so the value is max(own, check) + other.
        bet_or_check = max(after_own - acts_first[0] * after_other, check)
        out_won[s] += probability * (bet_or_check + after_other)
