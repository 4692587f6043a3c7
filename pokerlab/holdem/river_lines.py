"""The best response with real cards on the river: many lines of betting played side by side, hand by hand.

`StreetBetting` is the betting of one street against a strategy. For the streets before the river,
`fill_street_best_response` computes the best response node by node. On the river, which takes most of the time,
`add_winnings_on_rivers` plays `LINES` lines of betting at the same time. The *weights* of hands on a street are the
strategy's reach probabilities at the starts of this street.

Hands are visited in the order of their strength. The weight of an opponent's hand at the end of a line is its weight on
the river times a factor that depends only on its bucket. So the sums of weights over weaker and over stronger hands,
one for each bucket, are sufficient for all showdowns. While the responder's hand moves from the weakest to the
strongest, a bucket first has only stronger hands. Then it is *open*: some of its hands have been visited and others
have not, and its sum changes from hand to hand. At last it has only weaker hands. The contribution of buckets that are
not open is the same for all hands with a given card. A table has it for each card, and changes only when a bucket opens
or closes. Nearly always exactly one bucket is open. A row of the table is half of the sum over all hands minus the sum
over the hands with the card, so that the rows of the two cards of a hand can be added.

The betting of a river consists of two chains of raises, one after the responder's bet and one after the opponent's,
with a level for each bet. `levels` is a tuple of that length, so that the compiler unrolls loops over it. Its entries
are 1 if the responder acts first, and 0 otherwise.
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

    def compute_next_weights(self, weights: Floats, label: Ints) -> Floats:
        """Return the weights of hands at the starts of the next street, given those at the starts of this street.

        Parameters
        ----------
        weights : ndarray of shape (n, S)
            The weights of n hands at the S starts of this street.
        label : ndarray of int64, shape (n,)
            The buckets of the n hands on this street.

        Returns
        -------
        ndarray of shape (n, C * S)
        """
        after = weights * self.reach[self.deals][:, label]
        return after.transpose(1, 0, 2).reshape(len(label), -1)


def build_street_bettings(profile: BucketedProfile, player: int) -> tuple[StreetBetting, ...]:
    """Return the betting of the four streets for a best response of a player to the other seat's strategy."""
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
    """Return the reach probability of each node from each start of a street, as far as the opponent decides it.

    Parameters
    ----------
    profile : BucketedProfile
    player : int
        The seat of the best response. Its own decisions do not change the reach.
    nodes : ndarray of NODE_DTYPE, shape (K,)
        The nodes of the street's betting.
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
    against: StreetBetting,
    label: Ints,
    weights: Floats,
    later: Floats,
    out_parts: Floats,
    out_choices: Ints,
) -> None:
    """Write the winnings of the best response on a street with each hand, and its decisions.

    The street has S starts, K nodes, and C deals of the next street. Winnings have P parts, by the street on which
    hands end.

    Parameters
    ----------
    against : StreetBetting
    label : ndarray of int64, shape (1326,)
        The bucket of each hand, or -1 for impossible hands.
    weights : ndarray of shape (1326, S)
        The weights of the opponent's hands at the starts of the street.
    later : ndarray of shape (P - 1, 1326, C * S)
        The winnings from the starts of the next street on, in parts.
    out_parts : ndarray of shape (P, 1326, S)
        Overwritten with the winnings in parts.
    out_choices : ndarray of int64, shape (K, 1326, S)
        Overwritten with the node that follows each decision of the best response; pass an empty array if decisions are
        not needed.
    """
    player, nodes, stake, reach, _ = against
    starts, total = len(stake), len(out_parts)
    hands = np.flatnonzero(label >= 0)
    fold_sums = np.zeros((len(nodes), NUM_CARDS + 1, starts))
    values = np.zeros((len(nodes), total + 1, starts))  # the parts, then their sum
    for end in np.flatnonzero(nodes["kind"] == FOLDED):
        for hand in hands:
            add_fold_weights(hand, weights[hand], reach[end, label[hand]], fold_sums[end])

    # Pass up through the nodes with each hand; children come after their parents.
    for hand in hands:
        for k in range(len(nodes) - 1, -1, -1):
            node = nodes[k]
            values[k] = 0.0
            if node.kind == FOLDED:
                sign = -1.0 if node.actor == player else 1.0
                chips = node.chips[node.actor]
                for s in range(starts):
                    others = sum_without_cards(fold_sums[k], hand, s)
                    # The same hand of the opponent was subtracted twice, once for each of its cards.
                    others += weights[hand, s] * reach[k, label[hand], s]
                    values[k, 0, s] = values[k, total, s] = sign * (stake[s] + chips) * others
            elif node.kind == DEAL:
                for part in range(1, total):
                    for s in range(starts):
                        won = later[part - 1, hand, node.continuation * starts + s]
                        values[k, part, s] = won
                        values[k, total, s] += won
            elif node.actor != player:
                for child in node.child:
                    for part in range(total + 1 if child >= 0 else 0):
                        for s in range(starts):
                            values[k, part, s] += values[child, part, s]
            else:
                for s in range(starts):
                    best = find_best_child(node, values, total, s)
                    for part in range(total + 1):
                        values[k, part, s] = values[best, part, s]
                    if out_choices.size:
                        out_choices[k, hand, s] = best
        out_parts[:, hand] = values[0, :total]


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
def sum_without_cards(sums: Floats, hand: np.intp, s: int) -> float:
    """Return the sum over all hands at start s, less the sums over the hands with each of the two cards of `hand`."""
    return float(sums[ALL_HANDS, s] - sums[HIGH_CARDS[hand], s] - sums[LOW_CARDS[hand], s])


@inlined
def find_best_child(node: Any, values: Floats, total: int, s: int) -> int:
    """Return the node after the best action at start s. Of equally good actions, a call comes first, then a raise.

    `values` has shape (K, total + 1, S), and the value of a node is its entry `total`.
    """
    best = node.child[CALLING]
    for child in (node.child[RAISING], node.child[FOLDING]):
        if child >= 0 and values[child, total, s] > values[best, total, s]:
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

    The last six arrays are overwritten.

    Attributes
    ----------
    weights : ndarray of float32, shape (kinds, LINES)
        The weights with which hands come.
    term : ndarray of float32, shape (B, T, LINES)
        What the ends pay, from `compute_river_end_payoffs`.
    sums : ndarray of float32, shape (B, 53, LINES)
        Sums of the opponent's weights, by its bucket and card.
    shown : ndarray of float32, shape (B, 53, LINES)
        The sums over weaker hands, less those over stronger ones.
    table : ndarray of float32, shape (52, T, LINES)
        What the buckets add that are not open, by own card.
    mixed_payoffs : ndarray of float32, shape (T, LINES)
        The rows of a term if several buckets are open.
    run : ndarray of float32, shape (2, LINES)
        An open bucket's sum, then ones.
    ends : ndarray of int64, shape (2, B)
        The strength of the weakest and of the strongest hand in each bucket, -1 if there is none.
    """

    weights: Floats32
    term: Floats32
    sums: Floats32
    shown: Floats32
    table: Floats32
    mixed_payoffs: Floats32
    run: Floats32
    ends: Ints


def compute_river_end_payoffs(against: StreetBetting, lines: Ints) -> Floats32:
    """Return the payoffs at the ends of the river's betting for each unit of an opponent's weight.

    The ends are in this order: the folds, level by level of the two chains of raises; the showdowns in the same order;
    and last the showdown without a bet.

    Parameters
    ----------
    against : StreetBetting
        The betting of the river.
    lines : ndarray of int64
        The starts of the river's betting that are played.

    Returns
    -------
    ndarray of float32, shape (blocks, B, T, LINES)
        B buckets and T ends.
    """
    player, nodes, stake, reach, _ = against
    folds, showdowns = (np.flatnonzero(nodes["kind"] == kind) for kind in (FOLDED, SHOWDOWN))
    if nodes["actor"][0] == player:  # whose bet comes last in the tree
        folds, showdowns[1:] = (
            np.roll(folds, len(folds) // 2),
            np.roll(showdowns[1:], len(folds) // 2),
        )
    ends = [*folds, *showdowns[1:], showdowns[0]]
    payer = nodes["actor"][ends, None]
    chips = np.take_along_axis(nodes["chips"][ends], np.maximum(payer, 0), axis=1) + stake[lines]
    payoffs = np.where(payer == player, -chips, chips)[:, None] * reach[ends][..., lines]
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
    *shape, size = numbers.shape
    rows = np.zeros((*shape, -(-size // LINES), LINES), np.float32)
    rows.reshape(*shape, -1)[..., :size] = numbers
    return np.ascontiguousarray(np.moveaxis(rows, -2, 0))


@kernel
def sort_river_hands(boards: Cards, live: NDArray[np.bool_], out_hands: NDArray[np.int32]) -> int:
    """Write the hands that are possible on boards of five cards in the order of their strength.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        The n boards, which have the same first four cards.
    live : ndarray of bool, shape (1326,)
        Whether each hand is possible on these four cards.
    out_hands : ndarray of int32, shape (n, 1326)
        The first entries of each row are overwritten with the strength and the index of each hand.

    Returns
    -------
    int
        The number of hands that are possible on each board.
    """
    scratch = np.empty(len(live), np.int32)
    bins = np.empty(NUM_BINS, np.int32)
    size = 0
    for row in range(len(boards)):
        key, bits = sum_keys_and_bits(boards[row], 0, 5)
        river = np.int64(boards[row, 4])
        size = 0
        for hand in range(len(live)):
            if live[hand] and HIGH_CARDS[hand] != river and LOW_CARDS[hand] != river:
                strength = evaluate_with_board(key, bits, HIGH_CARDS[hand], LOW_CARDS[hand])
                out_hands[row, size] = strength << HAND_BITS | hand
                size += 1
        sort_by_strength(out_hands[row], size, HAND_BITS, scratch, bins)
    return size


@kernel
def add_winnings_on_rivers(
    levels: Any, rivers: RiverHands, weights: Floats32, term: Floats32, out_won: Floats32
) -> None:
    """Add the winnings of the best response with each hand on each line of betting, over all rivers of a turn.

    Parameters
    ----------
    levels : tuple of float32
        The levels of the betting, as the module describes them.
    rivers : RiverHands
    weights : ndarray of float32, shape (blocks, kinds, LINES)
        The weights of the opponent's hands, by kind of hand.
    term : ndarray of float32, shape (blocks, B, T, LINES)
        The payoffs of the ends, from `compute_river_end_payoffs`, for B buckets and T ends.
    out_won : ndarray of float32, shape (blocks, 1326, LINES)
        The winnings are added to it.
    """
    blocks, buckets, rows = term.shape[:3]
    sums = np.zeros((2, buckets, NUM_CARDS + 1, LINES), np.float32)
    table = np.zeros((NUM_CARDS, rows, LINES), np.float32)
    mixed_payoffs = np.zeros_like(term[0, 0])
    run, ends = np.ones((2, LINES), np.float32), np.zeros((2, buckets), np.int64)
    for block in range(blocks):
        work = LinesWorkspace(
            weights[block], term[block], sums[0], sums[1], table, mixed_payoffs, run, ends
        )
        for river in range(len(rivers.hands)):
            prepare_river(2 * len(levels), rivers, river, work)
            add_winnings_on_river(levels, rivers, river, work, out_won[block])


@inlined
def prepare_river(folds: int, rivers: RiverHands, river: int, work: LinesWorkspace) -> None:
    """Write the sums of weights on a river, and the table for a hand that is weaker than all others.

    The payoffs of the opponent's folds are added to those of its calls, because the responder has no decision between
    them.

    Parameters
    ----------
    folds : int
        How many of the ends are folds.
    rivers : RiverHands
    river : int
        The index of the river among them.
    work : LinesWorkspace
        Its sums, its table and its ends are overwritten.
    """
    # The sums of each bucket, and its weakest and strongest hands.
    work.sums[:], work.table[:], work.ends[:] = ZERO, ZERO, -1
    for coded_hand in rivers.hands[river]:
        hand = coded_hand & HAND_MASK
        strength = coded_hand >> HAND_BITS
        bucket = rivers.label[river, hand]
        add_weights(hand, work.weights[rivers.kind[hand]], work.sums[bucket])
        work.ends[1, bucket] = strength
        if work.ends[0, bucket] < 0:
            work.ends[0, bucket] = strength

    # All hands are stronger at first, so showdowns are lost against all.
    for bucket in range(len(work.term)):
        for card in range(NUM_CARDS + 1):
            for s in range(LINES):
                work.shown[bucket, card, s] = -work.sums[bucket, card, s]
        for t in range(work.term.shape[1]):
            # In these levels the opponent folds or calls, and a fold is added to its call's row.
            chain, level = divmod(t, folds // 2)
            to = t + folds if t < folds and (chain + level) % 2 == 0 else t
            add_end_payoff_to_table(bucket, t, to, ONE if t < folds else -ONE, work)


@inlined
def add_weights(hand: int, weights: Floats32, out_sums: Floats32) -> None:
    """Add a hand's weights to the sums of its two cards and to the sum over all hands."""
    high, low = out_sums[HIGH_CARDS[hand]], out_sums[LOW_CARDS[hand]]
    for s in range(LINES):
        high[s] += weights[s]
        low[s] += weights[s]
        out_sums[ALL_HANDS, s] += weights[s]


@inlined
def sum_other_hands(hand: int, sums: Floats32, out_sum: Floats32) -> None:
    """Write the sum of weights over all hands that share no card with a given hand, for each line."""
    for s in range(LINES):
        out_sum[s] = sums[ALL_HANDS, s] - sums[HIGH_CARDS[hand], s] - sums[LOW_CARDS[hand], s]


@inlined
def add_end_payoff_to_table(
    bucket: int, row: int, to: int, sign: Any, work: LinesWorkspace
) -> None:
    """Add the payoff of an end against the hands of a bucket to a row of the table.

    Parameters
    ----------
    bucket, row : int
        The bucket, and the row of its term.
    to : int
        The row of the table.
    sign : float32
        1 or -1, a factor.
    work : LinesWorkspace
        Its table is changed.
    """
    term = work.term[bucket, row]
    sums = work.sums[bucket]
    for card in range(NUM_CARDS):
        for s in range(LINES):
            work.table[card, to, s] += sign * term[s] * (HALF * sums[ALL_HANDS, s] - sums[card, s])


@inlined
def add_showdowns_of_changed_buckets(
    folds: int, strength: int, ends: Ints, work: LinesWorkspace
) -> int:
    """Open or close the buckets whose entry in `ends` is the given strength, and return their number.

    `ends`, of shape (B,), has the strength of the weakest hand of each bucket to open buckets, or that of the strongest
    hand to close them.
    """
    count = 0
    for bucket in range(len(ends)):
        if ends[bucket] == strength:
            count += 1
            for t in range(folds, work.term.shape[1]):
                add_end_payoff_to_table(bucket, t, t, ONE, work)
    return count


@inlined
def add_winnings_on_river(
    levels: Any, rivers: RiverHands, river: int, work: LinesWorkspace, out_won: Floats32
) -> None:
    """Add the winnings of the best response on one river with each hand, from the weakest hand to the strongest.

    Parameters
    ----------
    levels : tuple of float32
        The levels of the betting, as the module describes them.
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
    folds = 2 * len(levels)
    begin = 0
    num_open = 0
    while begin < len(hands):
        # The hands from `begin` to `end` - 1 are equally strong. Against each other they tie, so they count zero.
        strength = hands[begin] >> HAND_BITS
        end = begin
        num_open += add_showdowns_of_changed_buckets(folds, strength, work.ends[0], work)
        while end < len(hands) and hands[end] >> HAND_BITS == strength:
            hand = hands[end] & HAND_MASK
            add_weights(hand, work.weights[kind[hand]], work.shown[label[hand]])
            end += 1

        # Play these hands.
        for place in range(begin, end):
            hand = hands[place] & HAND_MASK
            rows = work.term[label[hand]]
            run = work.run[0]
            own = work.weights[kind[hand]]
            if num_open == 1:
                sum_other_hands(hand, work.shown[label[hand]], run)
            else:
                fill_payoffs_of_open_buckets(folds, hand, label[hand], strength, work)
                rows = work.mixed_payoffs
                run = work.run[1]
            add_winnings_of_hand(
                levels, hand, work.table, rows, own, run, rivers.times[river], out_won[hand]
            )

        # From now on they count as weaker hands.
        for place in range(begin, end):
            hand = hands[place] & HAND_MASK
            add_weights(hand, work.weights[kind[hand]], work.shown[label[hand]])
        num_open -= add_showdowns_of_changed_buckets(folds, strength, work.ends[1], work)
        begin = end


@inlined
def fill_payoffs_of_open_buckets(
    folds: int, hand: int, bucket: int, strength: int, work: LinesWorkspace
) -> None:
    """Write the payoffs of ends against all open buckets, for a hand at which several buckets are open.

    Parameters
    ----------
    folds : int
        How many of the ends are folds.
    hand, bucket : int
        A hand and its bucket.
    strength : int
        The strength of the hand.
    work : LinesWorkspace
        Its `mixed_payoffs` is overwritten.
    """
    for t in range(len(work.mixed_payoffs)):
        for s in range(LINES):
            work.mixed_payoffs[t, s] = work.term[bucket, t, s] if t < folds else ZERO
    for other in range(len(work.term)):
        if work.ends[0, other] <= strength <= work.ends[1, other]:
            sum_other_hands(hand, work.shown[other], work.run[0])
            for t in range(folds, len(work.mixed_payoffs)):
                for s in range(LINES):
                    work.mixed_payoffs[t, s] += work.term[other, t, s] * work.run[0, s]


@inlined
def add_winnings_of_hand(
    levels: Any,
    hand: int,
    table: Floats32,
    term: Floats32,
    own: Floats32,
    run: Floats32,
    times: Any,
    out: Floats32,
) -> None:
    """Add the winnings of the best response with one hand on each line of betting.

    They are computed from the last level of the betting to the first.

    Parameters
    ----------
    levels : tuple of float32
        The levels of the betting, as the module describes them.
    hand : int
        The index of the hand among `HOLDINGS`.
    table, term : ndarray of float32, shapes (52, T, LINES) and (T, LINES)
        What the closed buckets add by card, and what the ends pay.
    own : ndarray of float32, shape (LINES,)
        The weights of the same hand of the opponent, which the sums have subtracted twice, once for each card.
    run : ndarray of float32, shape (LINES,)
        The sum of the open bucket.
    times : float32
        The factor with which the river counts.
    out : ndarray of float32, shape (LINES,)
        The winnings are added to it.
    """
    high = table[HIGH_CARDS[hand]]
    low = table[LOW_CARDS[hand]]
    cap = len(levels)
    for s in range(LINES):
        # The values of the chains of raises after the responder's bet and after the opponent's.
        after_own = after_other = ZERO
        for chain in range(2):
            value = ZERO if (cap - 1 + chain) % 2 == 0 else LEAST
            for step in range(cap):
                level = cap - 1 - step
                fold_row = chain * cap + level
                call_row = fold_row + 2 * cap
                fold = term[fold_row, s] * own[s]
                call = high[call_row, s] + low[call_row, s] + term[call_row, s] * run[s]
                is_opponents_level = (level + chain) % 2 == 0
                if is_opponents_level:
                    value = value + call + fold
                else:
                    value = max(value, max(call, high[fold_row, s] + low[fold_row, s] + fold))
            after_own, after_other = after_other, value

        # A check leads to a showdown; the opponent can bet before the responder acts, or only after its check.
        check_row = 4 * cap
        check = high[check_row, s] + low[check_row, s] + term[check_row, s] * run[s]
        out[s] += times * (max(after_own - levels[0] * after_other, check) + after_other)
