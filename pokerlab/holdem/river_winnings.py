"""The best response with real cards on the river, for many betting histories at the same time.

A *betting history* is a sequence of actions before the river, with which the betting of the river begins. The *weight*
of a hand after a history is the opponent's reach probability of the history with this hand. `add_winnings_on_rivers`
computes the winnings of the best response after `BLOCK_SIZE` histories at the same time.

Hands are visited in the order of their strength. The weight of an opponent's hand at a terminal node is its weight
where the river begins times a factor that depends only on its bucket. So the sums of weights over weaker and over
stronger hands, one for each bucket, are sufficient for all showdowns. While the responder's hand moves from the weakest
to the strongest, a bucket first has only stronger hands. Then it is *open*: some of its hands have been visited and
others have not, and its sum changes from hand to hand. At last it has only weaker hands. The payoff against the buckets
that are not open is the same for all hands with a given card. The array `closed_payoffs` has it for each card, and
changes only when a bucket opens or closes. Nearly always exactly one bucket is open. A row of the array is half of the
sum over all hands minus the sum over the hands with the card, so that the rows of the two cards of a hand can be added.

The betting of a river consists of two *chains* of raises. One begins with the responder's bet, and the other with the
opponent's. A chain has a *level* for each of its bets: one seat makes the bet, and the other folds, calls or raises.
Several kernels get `acts_first`, a tuple with one entry for each level, so that the compiler unrolls loops over the
levels. Its entries are 1 if the responder acts first, and 0 otherwise.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.betting_tree import FOLDED, SHOWDOWN
from pokerlab.holdem.cards import NUM_CARDS, Cards
from pokerlab.holdem.hand_rankings import (
    NUM_BINS,
    evaluate_with_board,
    sort_by_strength,
    sum_keys_and_bits,
)
from pokerlab.holdem.street_trees import ALL_HANDS, HIGH_CARDS, LOW_CARDS, StreetTree

BLOCK_SIZE = 64
"""The number of betting histories before the river that are computed at the same time: a block of histories."""
HAND_BITS = 11
HAND_MASK = (1 << HAND_BITS) - 1
"""The number of bits of a holding's index, which are below its strength, and the mask of these bits."""
Floats32 = NDArray[np.float32]
# As float32, because numba computes in float64 if one of the numbers is a Python float.
ZERO_32 = np.float32(0.0)
HALF_32 = np.float32(0.5)
ONE_32 = np.float32(1.0)
MINUS_INFINITY_32 = np.float32(-np.inf)
WEAKEST, STRONGEST = 0, 1  # the rows of `RiverBettingWorkspace.strength_bounds`
OF_OPEN_BUCKET, ONES = 0, 1  # the rows of `RiverBettingWorkspace.open_weights`


class RiverHands(NamedTuple):
    """The n rivers that can follow a turn, with N possible hands on each.

    A holding is a pair of hole cards.

    Attributes
    ----------
    hands : ndarray of int32, shape (n, N)
        The strength and the index of each hand, from the weakest to the strongest, from `fill_sorted_river_hands`.
    buckets : ndarray of uint8, shape (n, 1326)
        The bucket of each holding on each river.
    probabilities : ndarray of float32, shape (n,)
        The probability of each river, or of all rivers for which it stands.
    weight_classes : ndarray of int64, shape (1326,)
        The class of each holding. Holdings of one class have the same buckets on all earlier streets, so the opponent
        reaches the river with the same probability with all of them.
    """

    hands: NDArray[np.int32]
    buckets: NDArray[np.uint8]
    probabilities: Floats32
    weight_classes: Ints


class RiverBettingWorkspace(NamedTuple):
    """The memory for a block of `BLOCK_SIZE` betting histories on one river.

    The responder is the player of the best response. The opponent's hands have B buckets, and the betting of the river
    has T terminal nodes: folds and showdowns. A bucket is open while the responder's present hand is neither stronger
    nor weaker than all hands of the bucket, and closed otherwise. The first two arrays are read, and the others are
    overwritten.

    Attributes
    ----------
    weights : ndarray of float32, shape (classes, BLOCK_SIZE)
        The opponent's reach probability of each history, by weight class of its hand.
    terminal_payoffs : ndarray of float32, shape (B, T, BLOCK_SIZE)
        The payoff of each terminal node against each bucket for a unit of weight, from
        `compute_river_terminal_payoffs`.
    weight_sums : ndarray of float32, shape (B, 53, BLOCK_SIZE)
        The sums of the weights of the hands of each bucket: over the hands with each card, then over all hands.
    weaker_minus_stronger : ndarray of float32, shape (B, 53, BLOCK_SIZE)
        The same sums over the hands that are weaker than the present hand, minus those over the stronger ones.
    closed_payoffs : ndarray of float32, shape (52, T, BLOCK_SIZE)
        The payoffs of the terminal nodes against the closed buckets, by card. The row of a card is half of the payoff
        against all hands, minus the payoff against the hands with this card, so that the rows of two cards can be
        added.
    open_payoffs : ndarray of float32, shape (T, BLOCK_SIZE)
        The payoffs of the terminal nodes against the open buckets, if there are several of them.
    open_weights : ndarray of float32, shape (2, BLOCK_SIZE)
        In the first row `weaker_minus_stronger` of an open bucket, summed over the hands that share no card with the
        present hand. In the second row ones.
    strength_bounds : ndarray of int64, shape (2, B)
        The strength of the weakest and of the strongest hand in each bucket, or -1 if there is none.
    """

    weights: Floats32
    terminal_payoffs: Floats32
    weight_sums: Floats32
    weaker_minus_stronger: Floats32
    closed_payoffs: Floats32
    open_payoffs: Floats32
    open_weights: Floats32
    strength_bounds: Ints


def compute_river_terminal_payoffs(tree: StreetTree, histories: Ints) -> Floats32:
    """Return the payoffs at the terminal nodes of the river's betting for each unit of an opponent's weight.

    The responder is the player of the best response. The betting consists of two chains of raises, one after the
    responder's bet and one after the opponent's, and each bet is a level of its chain. The T terminal nodes are in this
    order:

    - the folds, level by level, first in the chain after the responder's bet and then in the other chain;
    - the showdowns after calls of these bets, in the same order;
    - the showdown without a bet.

    Parameters
    ----------
    tree : StreetTree
        The betting tree of the river against the opponent's strategy.
    histories : ndarray of int64
        The indices of the betting histories before the river that are computed.

    Returns
    -------
    ndarray of float32, shape (blocks, B, T, BLOCK_SIZE)
        The payoff in small bets times the opponent's reach probability of the terminal node, given that the river has
        begun, with each of B buckets of the opponent. A showdown has the payoff of a win. The histories are divided
        into blocks by `pack_histories_into_blocks`.
    """
    nodes = tree.nodes
    folds = np.flatnonzero(nodes["kind"] == FOLDED)
    showdowns = np.flatnonzero(nodes["kind"] == SHOWDOWN)
    showdown_without_bet, called_showdowns = showdowns[0], showdowns[1:]

    # In the tree a check comes before a bet. So if the responder acts first, the chain after its bet is the second.
    responder_acts_first = nodes["actor"][0] == tree.player
    if responder_acts_first:
        folds_per_chain = len(folds) // 2
        folds = np.roll(folds, folds_per_chain)
        called_showdowns = np.roll(called_showdowns, folds_per_chain)
    terminals = [*folds, *called_showdowns, showdown_without_bet]

    # At a fold the seat that folded has lost what it paid. At a showdown (actor -1) both seats have paid the same.
    folding_seat = nodes["actor"][terminals, None]
    paying_seat = np.maximum(folding_seat, 0)
    chips_on_river = np.take_along_axis(nodes["chips"][terminals], paying_seat, axis=1)
    chips = chips_on_river + tree.stakes[histories]
    signed_chips = np.where(folding_seat == tree.player, -chips, chips)
    payoffs = signed_chips[:, None] * tree.reach[terminals][..., histories]
    return pack_histories_into_blocks(payoffs.transpose(1, 0, 2))


def pack_histories_into_blocks(numbers: Floats) -> Floats32:
    """Divide numbers for n betting histories into blocks of `BLOCK_SIZE` histories.

    The last block is filled up with zeros.

    Parameters
    ----------
    numbers : ndarray of shape (..., n)
        The last axis is the history.

    Returns
    -------
    ndarray of float32, shape (blocks, ..., BLOCK_SIZE)
        The numbers of each block.
    """
    *shape, num_histories = numbers.shape
    num_blocks = -(-num_histories // BLOCK_SIZE)  # rounded up
    padded = np.zeros((*shape, num_blocks, BLOCK_SIZE), np.float32)
    padded.reshape(*shape, -1)[..., :num_histories] = numbers
    return np.ascontiguousarray(np.moveaxis(padded, -2, 0))


@kernel
def fill_sorted_river_hands(
    boards: Cards, is_possible_on_turn: NDArray[np.bool_], out_hands: NDArray[np.int32]
) -> int:
    """Write the hands that are possible on each river of a turn, from the weakest to the strongest.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        The n boards, which have the same first four cards.
    is_possible_on_turn : ndarray of bool, shape (1326,)
        Whether each hand is possible on these four cards.
    out_hands : ndarray of int32, shape (n, 1326)
        The first entries of each row are overwritten with the hands, each as one integer: the strength, and below it in
        HAND_BITS bits the index of the hand among `HOLDINGS`.

    Returns
    -------
    int
        The number of hands that are possible on each board. It is the same on all of them.
    """
    sorted_copy = np.empty(len(is_possible_on_turn), np.int32)
    bins = np.empty(NUM_BINS, np.int32)
    num_hands = 0
    for row in range(len(boards)):
        board_key, board_bits = sum_keys_and_bits(boards[row], 0, 5)
        river = np.int64(boards[row, 4])  # the fifth card
        num_hands = 0
        for hand in range(len(is_possible_on_turn)):
            has_river_card = HIGH_CARDS[hand] == river or LOW_CARDS[hand] == river
            if is_possible_on_turn[hand] and not has_river_card:
                strength = evaluate_with_board(
                    board_key, board_bits, HIGH_CARDS[hand], LOW_CARDS[hand]
                )
                out_hands[row, num_hands] = strength << HAND_BITS | hand
                num_hands += 1
        sort_by_strength(out_hands[row], num_hands, HAND_BITS, sorted_copy, bins)
    return num_hands


@kernel
def add_winnings_on_rivers(
    acts_first: Any,
    rivers: RiverHands,
    weights: Floats32,
    terminal_payoffs: Floats32,
    out_won: Floats32,
) -> None:
    """Add the winnings of the best response with each hand after each betting history, over all rivers of a turn.

    Parameters
    ----------
    acts_first : tuple of float32
        One entry for each bet that the raise cap allows on the river: 1 if the responder acts first, and 0 otherwise.
        All entries are equal. It is a tuple so that the compiler knows the number of bets and unrolls loops over them.
    rivers : RiverHands
        The rivers with their possible hands.
    weights : ndarray of float32, shape (blocks, classes, BLOCK_SIZE)
        The opponent's reach probability of each history, by weight class of its hand. Each block has BLOCK_SIZE
        histories.
    terminal_payoffs : ndarray of float32, shape (blocks, B, T, BLOCK_SIZE)
        The payoffs of T terminal nodes with B buckets, from `compute_river_terminal_payoffs`.
    out_won : ndarray of float32, shape (blocks, 1326, BLOCK_SIZE)
        The winnings are added to it, by the responder's hand and the history.
    """
    num_blocks, num_buckets, num_terminals = terminal_payoffs.shape[:3]
    num_folds = 2 * len(acts_first)  # one fold for each bet in both chains of raises
    sums = np.zeros((2, num_buckets, NUM_CARDS + 1, BLOCK_SIZE), np.float32)
    closed_payoffs = np.zeros((NUM_CARDS, num_terminals, BLOCK_SIZE), np.float32)
    open_payoffs = np.zeros_like(terminal_payoffs[0, 0])
    open_weights = np.ones((2, BLOCK_SIZE), np.float32)
    strength_bounds = np.zeros((2, num_buckets), np.int64)
    for block in range(num_blocks):
        workspace = RiverBettingWorkspace(
            weights=weights[block],
            terminal_payoffs=terminal_payoffs[block],
            weight_sums=sums[0],
            weaker_minus_stronger=sums[1],
            closed_payoffs=closed_payoffs,
            open_payoffs=open_payoffs,
            open_weights=open_weights,
            strength_bounds=strength_bounds,
        )
        for river in range(len(rivers.hands)):
            fill_river_workspace(num_folds, rivers, river, workspace)
            add_winnings_by_strength(acts_first, rivers, river, workspace, out_won[block])


@inlined
def fill_river_workspace(
    num_folds: int, rivers: RiverHands, river: int, workspace: RiverBettingWorkspace
) -> None:
    """Write the sums of weights on a river, and the payoffs for a hand that is weaker than all others.

    Parameters
    ----------
    num_folds : int
        The number of terminal nodes that are folds, which come first.
    rivers : RiverHands
        The rivers with their possible hands.
    river : int
        The index of the river among them.
    workspace : RiverBettingWorkspace
        Its `weight_sums`, `weaker_minus_stronger`, `closed_payoffs` and `strength_bounds` are overwritten.
    """
    # Sum the weights of each bucket. Hands come from the weakest to the strongest.
    workspace.weight_sums[:] = ZERO_32
    workspace.closed_payoffs[:] = ZERO_32
    workspace.strength_bounds[:] = -1
    for coded_hand in rivers.hands[river]:
        hand = coded_hand & HAND_MASK
        strength = coded_hand >> HAND_BITS
        bucket = rivers.buckets[river, hand]
        weights = workspace.weights[rivers.weight_classes[hand]]
        add_hand_weights(hand, weights, workspace.weight_sums[bucket])
        workspace.strength_bounds[STRONGEST, bucket] = strength
        if workspace.strength_bounds[WEAKEST, bucket] < 0:
            workspace.strength_bounds[WEAKEST, bucket] = strength

    # All hands are stronger at first, so showdowns are lost against all.
    for bucket in range(len(workspace.terminal_payoffs)):
        for card in range(NUM_CARDS + 1):
            for history in range(BLOCK_SIZE):
                workspace.weaker_minus_stronger[bucket, card, history] = -workspace.weight_sums[
                    bucket, card, history
                ]

        for terminal in range(workspace.terminal_payoffs.shape[1]):
            is_fold = terminal < num_folds
            # On every other level of a chain the opponent folds or calls. The responder has no decision between these
            # two, so the payoff of the fold is added to the row of the call, which is `num_folds` rows further down.
            chain, level = divmod(terminal, num_folds // 2)
            is_opponents_fold = is_fold and (chain + level) % 2 == 0
            row = terminal + num_folds if is_opponents_fold else terminal
            add_closed_payoffs(bucket, terminal, row, ONE_32 if is_fold else -ONE_32, workspace)


@inlined
def add_hand_weights(hand: int, weights: Floats32, out_sums: Floats32) -> None:
    """Add the weights of a hand to the sums of its two cards and to the sum over all hands.

    Parameters
    ----------
    hand : int
        The index of the hand among `HOLDINGS`.
    weights : ndarray of float32, shape (BLOCK_SIZE,)
        The opponent's reach probability with the hand, for each betting history of a block.
    out_sums : ndarray of float32, shape (53, BLOCK_SIZE)
        The sums over the hands with each card, then the sum over all hands. Three of these rows are changed.
    """
    sums_with_high_card, sums_with_low_card = out_sums[HIGH_CARDS[hand]], out_sums[LOW_CARDS[hand]]
    for history in range(BLOCK_SIZE):
        sums_with_high_card[history] += weights[history]
        sums_with_low_card[history] += weights[history]
        out_sums[ALL_HANDS, history] += weights[history]


@inlined
def fill_weights_of_disjoint_hands(hand: int, weight_sums: Floats32, out_weights: Floats32) -> None:
    """Write the sum of the weights of all hands that share no card with a hand, after each betting history.

    It is the sum over all hands, minus the sums over the hands with each of the two cards. The hand itself has both
    cards, so its weight would be subtracted twice. But it is 0 in these sums, because equal strengths have the factor
    0 in weaker minus stronger hands.

    Parameters
    ----------
    hand : int
        The index of the hand among `HOLDINGS`.
    weight_sums : ndarray of float32, shape (53, BLOCK_SIZE)
        The sums over the hands with each card, then the sum over all hands, for each betting history of a block. They
        are those of one bucket in `weaker_minus_stronger`.
    out_weights : ndarray of float32, shape (BLOCK_SIZE,)
        Overwritten with the sum for each history.
    """
    for history in range(BLOCK_SIZE):
        out_weights[history] = (
            weight_sums[ALL_HANDS, history]
            - weight_sums[HIGH_CARDS[hand], history]
            - weight_sums[LOW_CARDS[hand], history]
        )


@inlined
def add_closed_payoffs(
    bucket: int, terminal: int, row: int, sign: Any, workspace: RiverBettingWorkspace
) -> None:
    """Add the payoff of a terminal node against all hands of a bucket to `workspace.closed_payoffs`, for each card.

    Parameters
    ----------
    bucket : int
        The opponent's bucket.
    terminal : int
        The index of the terminal node whose payoff is added.
    row : int
        The index along the second axis of `closed_payoffs` at which it is added. It differs from `terminal` for folds
        of the opponent, which are added to the payoff of its call.
    sign : float32
        1 or -1, a factor of the payoff.
    workspace : RiverBettingWorkspace
        Its `closed_payoffs` are changed.
    """
    payoffs = workspace.terminal_payoffs[bucket, terminal]
    sums = workspace.weight_sums[bucket]
    for card in range(NUM_CARDS):
        for history in range(BLOCK_SIZE):
            weight_without_card = HALF_32 * sums[ALL_HANDS, history] - sums[card, history]
            workspace.closed_payoffs[card, row, history] += (
                sign * payoffs[history] * weight_without_card
            )


@inlined
def add_showdowns_of_buckets_at_bound(
    num_folds: int, strength: int, bounds: Ints, workspace: RiverBettingWorkspace
) -> int:
    """Add the showdown payoffs of the buckets that open or close at a strength, and return their number.

    The responder is the player of the best response. A bucket is open while the responder's hand is neither stronger
    nor weaker than all hands of the bucket. In `workspace.closed_payoffs` the showdowns against a bucket have the
    factor -1 before it opens, 0 while it is open, and 1 after it closes. So opening and closing a bucket both add the
    payoffs of its showdowns once.

    Parameters
    ----------
    num_folds : int
        The number of terminal nodes that are folds, which come before the showdowns.
    strength : int
        The strength of the present hand.
    bounds : ndarray of int64, shape (B,)
        The strength of the weakest hand of each bucket to open buckets, or that of the strongest hand to close them.
    workspace : RiverBettingWorkspace
        Its `closed_payoffs` are changed.

    Returns
    -------
    int
        The number of buckets whose bound is the strength.
    """
    num_buckets_at_bound = 0
    for bucket in range(len(bounds)):
        if bounds[bucket] == strength:
            num_buckets_at_bound += 1
            for showdown in range(num_folds, workspace.terminal_payoffs.shape[1]):
                add_closed_payoffs(bucket, showdown, showdown, ONE_32, workspace)
    return num_buckets_at_bound


@inlined
def add_winnings_by_strength(
    acts_first: Any,
    rivers: RiverHands,
    river: int,
    workspace: RiverBettingWorkspace,
    out_won: Floats32,
) -> None:
    """Add the winnings of the best response on one river with each hand, from the weakest hand to the strongest.

    Equally strong hands are treated together, in four steps: buckets open; these hands are taken out of the stronger
    hands; the responder's decisions with them are evaluated; and they are added to the weaker hands, where buckets
    close. A bucket is open while the present hand is neither stronger nor weaker than all hands of the bucket.

    Parameters
    ----------
    acts_first : tuple of float32
        One entry for each bet that the raise cap allows on the river: 1 if the responder acts first, and 0 otherwise.
    rivers : RiverHands
        The rivers with their possible hands.
    river : int
        The index of the river among them.
    workspace : RiverBettingWorkspace
        As `fill_river_workspace` leaves it; overwritten.
    out_won : ndarray of float32, shape (1326, BLOCK_SIZE)
        The winnings are added to it, by the responder's hand and the betting history.
    """
    hands = rivers.hands[river]
    weakest = workspace.strength_bounds[WEAKEST]
    strongest = workspace.strength_bounds[STRONGEST]
    num_folds = 2 * len(acts_first)
    num_open = 0
    begin = 0
    while begin < len(hands):
        # The hands from `begin` to `end` - 1 are equally strong, so they tie against each other, and a tie has the
        # factor 0. Their factor as stronger hands is -1, and as weaker hands 1, so their weights are added twice.
        strength = hands[begin] >> HAND_BITS
        end = begin
        while end < len(hands) and hands[end] >> HAND_BITS == strength:
            end += 1

        num_open += add_showdowns_of_buckets_at_bound(num_folds, strength, weakest, workspace)
        add_hands_to_weaker_minus_stronger(rivers, river, begin, end, workspace)
        for index in range(begin, end):
            hand = hands[index] & HAND_MASK
            add_decisions_with_hand(
                acts_first, rivers, river, hand, strength, num_open, workspace, out_won
            )
        add_hands_to_weaker_minus_stronger(rivers, river, begin, end, workspace)
        num_open -= add_showdowns_of_buckets_at_bound(num_folds, strength, strongest, workspace)
        begin = end


@inlined
def add_hands_to_weaker_minus_stronger(
    rivers: RiverHands, river: int, begin: int, end: int, workspace: RiverBettingWorkspace
) -> None:
    """Add the weights of equally strong hands to `weaker_minus_stronger`, the sums over weaker minus stronger hands.

    The first call takes the hands out of the stronger ones, and a second call adds them to the weaker ones.

    Parameters
    ----------
    rivers : RiverHands
        The rivers with their possible hands.
    river : int
        The index of the river among them.
    begin, end : int
        The equally strong hands are `rivers.hands[river, begin:end]`.
    workspace : RiverBettingWorkspace
        Its `weaker_minus_stronger` is changed.
    """
    for index in range(begin, end):
        hand = rivers.hands[river, index] & HAND_MASK
        weights = workspace.weights[rivers.weight_classes[hand]]
        add_hand_weights(
            hand, weights, workspace.weaker_minus_stronger[rivers.buckets[river, hand]]
        )


@inlined
def add_decisions_with_hand(
    acts_first: Any,
    rivers: RiverHands,
    river: int,
    hand: int,
    strength: int,
    num_open: int,
    workspace: RiverBettingWorkspace,
    out_won: Floats32,
) -> None:
    """Add the winnings of the best response on one river with one hand.

    Parameters
    ----------
    acts_first : tuple of float32
        One entry for each bet that the raise cap allows on the river: 1 if the responder acts first, and 0 otherwise.
    rivers : RiverHands
        The rivers with their possible hands.
    river : int
        The index of the river among them.
    hand, strength : int
        The index of the responder's hand among `HOLDINGS`, and its strength.
    num_open : int
        The number of open buckets. The responder's hand is neither stronger nor weaker than all hands of an open
        bucket.
    workspace : RiverBettingWorkspace
        Its `weaker_minus_stronger` and `closed_payoffs` are read; its `open_payoffs` and `open_weights` are
        overwritten.
    out_won : ndarray of float32, shape (1326, BLOCK_SIZE)
        The winnings are added to the row of the hand.
    """
    bucket = rivers.buckets[river, hand]
    # Nearly always one bucket is open. Then its payoffs are used as they are, times the weight of its hands.
    open_payoffs = workspace.terminal_payoffs[bucket]
    open_weight = workspace.open_weights[OF_OPEN_BUCKET]
    if num_open == 1:
        fill_weights_of_disjoint_hands(hand, workspace.weaker_minus_stronger[bucket], open_weight)
    else:
        fill_payoffs_of_open_buckets(2 * len(acts_first), hand, bucket, strength, workspace)
        open_payoffs = workspace.open_payoffs
        open_weight = workspace.open_weights[ONES]
    add_winnings_of_hand(
        acts_first,
        hand,
        workspace.closed_payoffs,
        open_payoffs,
        workspace.weights[rivers.weight_classes[hand]],
        open_weight,
        rivers.probabilities[river],
        out_won[hand],
    )


@inlined
def fill_payoffs_of_open_buckets(
    num_folds: int, hand: int, bucket: int, strength: int, workspace: RiverBettingWorkspace
) -> None:
    """Write the payoffs of the terminal nodes against all open buckets, for a hand at which several buckets are open.

    The responder is the player of the best response. A bucket is open if its weakest hand is at most as strong as the
    responder's hand, and its strongest hand is at least as strong.

    Parameters
    ----------
    num_folds : int
        The number of terminal nodes that are folds, which come before the showdowns.
    hand, bucket : int
        The index of the responder's hand among `HOLDINGS`, and its bucket.
    strength : int
        The strength of the hand.
    workspace : RiverBettingWorkspace
        Its `open_payoffs` and the first row of `open_weights` are overwritten.
    """
    num_terminals = len(workspace.open_payoffs)
    for terminal in range(num_terminals):
        is_fold = terminal < num_folds
        for history in range(BLOCK_SIZE):
            workspace.open_payoffs[terminal, history] = (
                workspace.terminal_payoffs[bucket, terminal, history] if is_fold else ZERO_32
            )

    for other_bucket in range(len(workspace.terminal_payoffs)):
        is_open = (
            workspace.strength_bounds[WEAKEST, other_bucket]
            <= strength
            <= workspace.strength_bounds[STRONGEST, other_bucket]
        )
        if is_open:
            open_weight = workspace.open_weights[OF_OPEN_BUCKET]
            fill_weights_of_disjoint_hands(
                hand, workspace.weaker_minus_stronger[other_bucket], open_weight
            )
            add_weighted_payoffs(
                workspace.terminal_payoffs[other_bucket, num_folds:],
                open_weight,
                workspace.open_payoffs[num_folds:],
            )


@inlined
def add_weighted_payoffs(payoffs: Floats32, weight: Floats32, out_sums: Floats32) -> None:
    """Add payoffs of terminal nodes, times the weight of each betting history.

    Parameters
    ----------
    payoffs : ndarray of float32, shape (T, BLOCK_SIZE)
        The payoffs of T terminal nodes after each history of a block.
    weight : ndarray of float32, shape (BLOCK_SIZE,)
        The weight of each history.
    out_sums : ndarray of float32, shape (T, BLOCK_SIZE)
        The products are added to it.
    """
    for terminal in range(len(payoffs)):
        for history in range(BLOCK_SIZE):
            out_sums[terminal, history] += payoffs[terminal, history] * weight[history]


@inlined
def add_winnings_of_hand(
    acts_first: Any,
    hand: int,
    closed_payoffs: Floats32,
    open_payoffs: Floats32,
    own_weights: Floats32,
    open_weight: Floats32,
    probability: Any,
    out_won: Floats32,
) -> None:
    """Add the winnings of the best response with one hand after each betting history of a block.

    After the responder's bet and after the opponent's bet follows a chain of raises, with a level for each bet. The
    value of a chain is computed from its last level to its first. On a level of the opponent, the opponent folds, calls
    or raises, and the values of these actions are added. On a level of the responder, the best of the three is taken.

    Parameters
    ----------
    acts_first : tuple of float32
        One entry for each bet that the raise cap allows on the river: 1 if the responder acts first, and 0 otherwise.
    hand : int
        The index of the hand among `HOLDINGS`.
    closed_payoffs : ndarray of float32, shape (52, T, BLOCK_SIZE)
        The payoffs of T terminal nodes against the opponent's buckets that are not open, by card of the responder.
    open_payoffs : ndarray of float32, shape (T, BLOCK_SIZE)
        The payoffs of the terminal nodes against the open buckets, for a unit of `open_weight`. Open buckets have both
        hands that are not stronger and hands that are not weaker than the responder's hand.
    own_weights : ndarray of float32, shape (BLOCK_SIZE,)
        The weights of the same hand of the opponent, which the sums have subtracted twice, once for each card.
    open_weight : ndarray of float32, shape (BLOCK_SIZE,)
        The factor of the open buckets' showdowns.
    probability : float32
        The probability of the river, a factor of the winnings.
    out_won : ndarray of float32, shape (BLOCK_SIZE,)
        The winnings are added to it.
    """
    payoffs_with_high_card = closed_payoffs[HIGH_CARDS[hand]]
    payoffs_with_low_card = closed_payoffs[LOW_CARDS[hand]]
    raise_cap = len(acts_first)
    for history in range(BLOCK_SIZE):
        # The values of the chains of raises after the responder's bet and after the opponent's.
        value_after_own_bet = value_after_other_bet = ZERO_32
        for chain in range(2):
            # After the last level no raise is possible: it adds nothing to a sum, and is never the maximum.
            is_last_level_opponents = (raise_cap - 1 + chain) % 2 == 0
            value = ZERO_32 if is_last_level_opponents else MINUS_INFINITY_32
            for step in range(raise_cap):
                level = raise_cap - 1 - step
                fold_row = chain * raise_cap + level
                call_row = fold_row + 2 * raise_cap
                fold = open_payoffs[fold_row, history] * own_weights[history]
                call = (
                    payoffs_with_high_card[call_row, history]
                    + payoffs_with_low_card[call_row, history]
                    + open_payoffs[call_row, history] * open_weight[history]
                )
                # The responder makes the bets on the even levels of its own chain, and the opponent responds.
                is_opponents_level = (level + chain) % 2 == 0
                if is_opponents_level:
                    # The opponent's folds were added to the row of its calls, except those with the same hand.
                    value = value + call + fold
                else:
                    fold_value = (
                        payoffs_with_high_card[fold_row, history]
                        + payoffs_with_low_card[fold_row, history]
                        + fold
                    )
                    value = max(value, max(call, fold_value))
            value_after_own_bet, value_after_other_bet = value_after_other_bet, value

        # A check leads to a showdown. The opponent can bet before the responder acts, or only after its check.
        check_row = 4 * raise_cap
        check = (
            payoffs_with_high_card[check_row, history]
            + payoffs_with_low_card[check_row, history]
            + open_payoffs[check_row, history] * open_weight[history]
        )
        # If the responder acts first, the opponent's bets follow its check, so the value is max(own, check + other).
        # Otherwise they come instead of the opponent's check, so the value is max(own, check) + other.
        bet_or_check = max(value_after_own_bet - acts_first[0] * value_after_other_bet, check)
        out_won[history] += probability * (bet_or_check + value_after_other_bet)
