"""The worst case of a bucketed strategy with real cards: the value of a best response that sees cards, not buckets.

Given the betting before the flop, every flop is a game of its own, and `RealCardResponse` computes the winnings of the
best response on a flop. Only decisions before the flop depend on the mean over all flops. So flops can be computed by
several workers, stored in files, and sampled.

Before the flop the best response maximizes its mean winnings over all flops, or over a sample of them. The sample is
stratified: there are six strata of flops, by their numbers of suits and ranks, and each stratum has its share of the
sample. A control variate removes most of the variance. It is the winnings of a responder that sees only buckets, which
also differ from flop to flop, and which can be computed for all flops in a second.

The maximum over choices whose values are estimated has an upward bias. Conversely, if the choices are made on one half
of the flops and evaluated on the other half, the result is too low on average. So the bias is at most the difference
between the two.
"""

import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache, partial
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.cache import compute_arrays_digest
from pokerlab.core.errors import SettingError
from pokerlab.core.files import validate_path
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.saved_files import SavedFile, acquire_file_lock
from pokerlab.core.settings import validate_integer
from pokerlab.core.workers import PIECES_PER_THREAD, PROGRESS_AFTER, choose_work_divider, is_cluster
from pokerlab.holdem.batched_tree import START_PLACE
from pokerlab.holdem.betting_tree import DECISION, NUM_SEATS
from pokerlab.holdem.bucket_passes import BEST, run_value_passes
from pokerlab.holdem.bucketed_holdem import (
    NO_ROWS,
    BucketedHoldem,
    BucketedProfile,
    check_bucketed_profile_fits_game,
)
from pokerlab.holdem.cards import (
    FLOP,
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
    PREFLOP,
)
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards
from pokerlab.holdem.real_card_responses import RealCardResponse
from pokerlab.holdem.real_player import make_structure
from pokerlab.holdem.street_trees import fill_street_best_response

LEAST_FLOPS = 12
"""The smallest sample has one flop of each of six strata in each of its two halves."""
FLOPS_PER_POSSIBLE = comb(NUM_CARDS, 3) / comb(NUM_CARDS - 4, 3)
"""The number of all flops divided by the number of flops that are possible if both players' hole cards are known."""
NUM_OTHERS, NUM_OTHERS_ON_FLOP = comb(NUM_CARDS - 2, 2), comb(NUM_CARDS - 5, 2)
"""The number of holdings that the opponent may have, given the player's own, before the flop and on the flop."""


class StartingHands(NamedTuple):
    """The 169 starting hands, which are the classes of holdings up to a renaming of suits.

    A holding is a pair of hole cards.

    Attributes
    ----------
    hand_of_holding : ndarray of int64, shape (1326,)
        The starting hand of each holding.
    sizes : ndarray of int64, shape (169,)
        The number of holdings of each starting hand.
    """

    hand_of_holding: Ints
    sizes: Ints


@cache
def group_holdings_by_starting_hand() -> StartingHands:
    """Return the starting hand of each holding, and the number of holdings of each starting hand.

    A holding is two hole cards. There are 1326 holdings, and 169 classes of them up to a renaming of suits, which are
    called starting hands.

    Returns
    -------
    StartingHands
        The classes of the holdings. All calls share one result from a cache.
    """
    hand_of_holding = np.asarray(build_hand_classes(2).find_classes(HOLDINGS.copy()))
    return StartingHands(hand_of_holding, np.bincount(hand_of_holding))


ALL_FLOPS = slice(None)


class FlopSample(NamedTuple):
    """A stratified sample of n flops, or all flops.

    Flops that differ only by a renaming of suits are represented by one of them, called canonical. There are 1755
    canonical flops. A stratum consists of the flops with a given number of suits and a given number of ranks.

    Attributes
    ----------
    flops : ndarray of int64, shape (n,)
        The index of each flop of the sample among the canonical flops.
    strata : ndarray of int64, shape (n,)
        The stratum of each flop of the sample.
    stratum_shares : ndarray of shape (strata,)
        The share of each stratum among all 22,100 flops.
    stratum_sizes : ndarray of int64, shape (strata,)
        The number of canonical flops of each stratum.
    """

    flops: Ints
    strata: Ints
    stratum_shares: Floats
    stratum_sizes: Ints

    def compute_weights(self, chosen_flops: Ints | slice = ALL_FLOPS) -> Floats:
        """Return the weight of each chosen flop in a mean over flops; the weights sum to 1.

        A stratum consists of the flops with a given number of suits and a given number of ranks. The share of a stratum
        is divided equally among the chosen flops of that stratum.

        Parameters
        ----------
        chosen_flops : ndarray of int64, shape (m,), or slice
            The indices of m flops of the sample. By default all flops of the sample are chosen.

        Returns
        -------
        ndarray of shape (m,)
            The weights.
        """
        strata = self.strata[chosen_flops]
        num_chosen = np.bincount(strata)  # of each stratum
        return np.asarray(self.stratum_shares[strata] / num_chosen[strata])


def select_flops(num_flops: int | None, seed: int | None) -> FlopSample:
    """Return all canonical flops, or a random sample of them.

    One of the flops that differ only by a renaming of suits is called canonical. A sample is stratified by the number
    of suits and the number of ranks of a flop, and drawn without replacement.

    Parameters
    ----------
    num_flops : int, optional
        The number of flops to draw, at least 12. None for all flops.
    seed : int, optional
        The seed of the draw, which is needed unless `num_flops` is None.

    Returns
    -------
    FlopSample
        The flops in the order of their indices, or sampled flops stratum by stratum.

    Raises
    ------
    SettingError
        If `num_flops` is out of range, or a sample is to be drawn without a seed.
    """
    boards, multiplicities = list_canonical_boards(3)
    num_suits = [len(set(row)) for row in boards % NUM_SUITS]
    num_ranks = [len(set(row)) for row in boards // NUM_SUITS]
    features = np.array([num_suits, num_ranks])
    strata = np.unique(features, axis=1, return_inverse=True)[1].ravel()
    sizes = np.bincount(strata)
    shares = np.bincount(strata, multiplicities) / multiplicities.sum()
    if num_flops is None:
        return FlopSample(np.arange(len(boards)), strata, shares, sizes)

    validate_integer("flops", num_flops, LEAST_FLOPS, len(boards))
    if seed is None:
        raise SettingError(
            f"{num_flops} flops are to be drawn; give a seed, or flops=None for all."
        )

    # Draw without replacement in each stratum.
    drawn_flops = []
    for stratum, num_drawn in enumerate(distribute_sample_over_strata(num_flops, shares, sizes)):
        flops_of_stratum = np.flatnonzero(strata == stratum)
        shuffled_flops = random_stream(seed, "flops", stratum).permutation(flops_of_stratum)
        drawn_flops.append(shuffled_flops[:num_drawn])
    flops = np.concatenate(drawn_flops)
    return FlopSample(flops, strata[flops], shares, sizes)


def distribute_sample_over_strata(num_flops: int, shares: Floats, sizes: Ints) -> Ints:
    """Return how many flops of each stratum a sample has, as nearly in proportion to the shares as possible.

    One of the flops that differ only by a renaming of suits is called canonical. A stratum consists of the flops with a
    given number of suits and a given number of ranks. Each stratum has at least two flops, so that its variance can be
    estimated, and at most as many as exist.

    Parameters
    ----------
    num_flops : int
        The number of flops of the sample.
    shares : ndarray of shape (strata,)
        The share of each stratum among all flops.
    sizes : ndarray of int64, shape (strata,)
        The number of canonical flops of each stratum.

    Returns
    -------
    ndarray of int64, shape (strata,)
        Numbers that sum to `num_flops`.
    """
    # Add one flop at a time, to the stratum that is farthest below its share.
    num_drawn = np.full(len(sizes), LEAST_FLOPS // len(sizes))
    while num_drawn.sum() < num_flops:
        missing_flops = np.where(num_drawn < sizes, num_flops * shares - num_drawn, -np.inf)
        num_drawn[np.argmax(missing_flops)] += 1
    return num_drawn


class PreflopStrategy(NamedTuple):
    """The decisions of the best response before the flop in one seat, and what they win.

    Attributes
    ----------
    winnings_by_street : ndarray of shape (4,)
        The winnings in small bets a hand, by the street on which the hand ends.
    flop_reach : ndarray of shape (169, H)
        The probability that the deal gives the best response each starting hand, and that its own actions lead to each
        of the H betting histories before the flop. These are the coefficients of the winnings after the flop.
    won_before_flop : float
        The winnings in hands that end before the flop.
    """

    winnings_by_street: Floats
    flop_reach: Floats
    won_before_flop: float


def compute_preflop_strategy(
    response: RealCardResponse, player: int, mean_winnings: Floats
) -> PreflopStrategy:
    """Return the decisions of the best response before the flop, given its mean winnings after the flop.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.
    player : int
        The seat of the best response, 0 or 1.
    mean_winnings : ndarray of shape (3, 169, H)
        The winnings after the flop in small bets, averaged over flops. They are summed over the opponent's holdings,
        weighted by the opponent's reach probabilities. The axes are the street on which hands end, the starting hand,
        and the betting history before the flop.

    Returns
    -------
    PreflopStrategy
        The decisions as reach probabilities of the flop, and their winnings.
    """
    starting_hands = group_holdings_by_starting_hand()
    tree = response.street_trees[player][PREFLOP]
    nodes = tree.nodes

    # Find the best decisions with each holding. Before the flop there is only one betting history, the empty one.
    buckets, opponent_weights = response.find_preflop_buckets_and_opponent_weights()
    winnings = np.zeros((NUM_STREETS, NUM_HOLDINGS, 1))
    choices = np.zeros((len(nodes), NUM_HOLDINGS, 1), np.int64)
    later_winnings = np.take(mean_winnings, starting_hands.hand_of_holding, axis=1)
    fill_street_best_response(tree, buckets, opponent_weights, later_winnings, winnings, choices)

    # The responder's own reach probability of each node with each holding, times the probability of dealing both hands.
    deal_probability = 1.0 / (NUM_HOLDINGS * NUM_OTHERS)
    reach = np.full((len(nodes), NUM_HOLDINGS), deal_probability)
    for node_index in np.flatnonzero(nodes["kind"] == DECISION):
        is_own = nodes["actor"][node_index] == player
        for child in nodes["child"][node_index]:
            if child >= 0:
                is_chosen = choices[node_index, :, 0] == child
                reach[child] = reach[node_index] * is_chosen if is_own else reach[node_index]

    mean_flop_reach = average_over_starting_hands(reach[tree.deals].T)
    flop_reach = mean_flop_reach * starting_hands.sizes[:, None]
    winnings_by_street = winnings.sum(axis=(1, 2)) * deal_probability
    won_after_flop = (flop_reach * mean_winnings.sum(axis=0)).sum()
    won_before_flop = float(winnings_by_street.sum() - won_after_flop)
    return PreflopStrategy(winnings_by_street, flop_reach, won_before_flop)


def average_over_starting_hands(numbers_by_holding: Floats) -> Floats:
    """Return the mean of numbers over the holdings of each starting hand.

    A holding is a pair of hole cards. A starting hand is a class of holdings up to a renaming of suits.

    Parameters
    ----------
    numbers_by_holding : ndarray of shape (..., 1326, n)
        n numbers for each holding.

    Returns
    -------
    ndarray of shape (..., 169, n)
        The means for each starting hand.
    """
    hand_of_holding, sizes = group_holdings_by_starting_hand()
    # Sort the holdings by starting hand, so that those of one starting hand can be summed as a segment.
    numbers_in_order = numbers_by_holding[..., np.argsort(hand_of_holding, kind="stable"), :]
    first_of_hand = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(numbers_in_order, first_of_hand, axis=-2)
    return np.asarray(sums / sizes[:, None])


def compute_bucketed_winnings(response: RealCardResponse) -> Floats:
    """Return the winnings on each canonical flop of a best response that sees only buckets, not cards.

    One of the flops that differ only by a renaming of suits is called canonical. On a given flop, the buckets of hands
    before the flop and on the flop have other probabilities than in the whole game. With these probabilities, the
    passes over the public tree give the winnings with each bucket.

    Parameters
    ----------
    response : RealCardResponse
        The best response with real cards. Only its opponent's strategy is used.

    Returns
    -------
    ndarray of shape (1755, 2, 169, H)
        The axes are the flop, the seat, the starting hand, and the betting history before the flop.
    """
    game, strategy = response.profile.game, response.profile.kernel_strategy
    num_before, num_after = game.buckets.counts[:2]  # buckets before the flop and on the flop
    flop_street = game.batched_tree.streets[FLOP]
    num_histories = flop_street["starts"]
    preflop_buckets = response.find_preflop_buckets_and_opponent_weights()[0]
    buckets_by_flop = response.find_buckets_on_boards(list_canonical_boards(3)[0])
    hand_of_holding, hand_sizes = group_holdings_by_starting_hand()

    chance_matrices = game.chance_matrices.copy()
    won = np.zeros((len(buckets_by_flop), NUM_SEATS, len(hand_sizes), num_histories))
    for flop, flop_buckets in enumerate(buckets_by_flop):
        # Count the holdings with each bucket before the flop and each bucket on the flop.
        is_possible = flop_buckets >= 0
        pairs_of_buckets = preflop_buckets[is_possible] * num_after + flop_buckets[is_possible]
        counts = np.bincount(pairs_of_buckets, minlength=num_before * num_after)
        counts = counts.reshape(num_before, num_after)

        # Use the probabilities of the first buckets, and of the transitions to the flop, given this flop.
        counts_before = counts.sum(axis=1, keepdims=True)
        first_probabilities = counts_before[:, 0] / is_possible.sum()
        transition_probabilities = counts / np.maximum(counts_before, 1)
        chance_matrices[START_PLACE, 0, :num_before] = first_probabilities
        chance_matrices[0, :num_before, :num_after] = transition_probabilities

        # The share of the holdings of each starting hand that is in each bucket converts values of buckets to values of
        # starting hands.
        hands_and_buckets = hand_of_holding[is_possible] * num_after + flop_buckets[is_possible]
        num_holdings = np.bincount(hands_and_buckets, minlength=len(hand_sizes) * num_after)
        shares = num_holdings.reshape(-1, num_after) / hand_sizes[:, None]
        for player in range(NUM_SEATS):
            workspace = run_value_passes(
                game.batched_tree, chance_matrices, strategy, strategy, player, BEST, NO_ROWS
            )
            bucket_values = workspace.start_values[flop_street["first_block"]][
                :num_after, :num_histories
            ]
            won[flop, player] = FLOPS_PER_POSSIBLE * NUM_OTHERS_ON_FLOP * shares @ bucket_values
    return won


class WinningsEstimate(NamedTuple):
    """The winnings of a best response, estimated from a sample of flops.

    Attributes
    ----------
    by_seat_and_street : ndarray of shape (2, 4)
        The winnings in small bets a hand, by seat and by the street on which hands end.
    error, bias : float
        The standard error of the sum of all winnings, and a bound of its bias; both are 0 if all flops are known.
    """

    by_seat_and_street: Floats
    error: float
    bias: float


def estimate_response_winnings(
    response: RealCardResponse, sample: FlopSample, winnings: Floats
) -> WinningsEstimate:
    """Return the winnings of the best response, their standard error, and a bound of their bias.

    The winnings of a responder that sees only buckets serve as a control variate: they are known on all flops. The
    difference between their mean and their value on a flop is added to the winnings on that flop.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.
    sample : FlopSample
        The n flops whose winnings are known.
    winnings : ndarray of shape (n, 2, 3, 169, H)
        The winnings on these flops in small bets, by flop, seat, street on which hands end, starting hand, and betting
        history before the flop. They are summed over the opponent's holdings, weighted by its reach probabilities.

    Returns
    -------
    WinningsEstimate
        The estimate in small bets a hand.
    """
    # Add the control variate, whose mean over all flops is zero, to the winnings of hands that end on the river.
    bucketed_winnings = compute_bucketed_winnings(response)
    weights_of_all_flops = select_flops(None, None).compute_weights()
    mean_bucketed_winnings = np.tensordot(weights_of_all_flops, bucketed_winnings, 1)
    corrected_winnings = winnings.copy()
    corrected_winnings[:, :, -1] += mean_bucketed_winnings - bucketed_winnings[sample.flops]

    strategies = compute_preflop_strategies(response, sample, corrected_winnings, ALL_FLOPS)
    winnings_by_seat_and_street = np.array([strategy.winnings_by_street for strategy in strategies])
    is_every_flop_known = (np.bincount(sample.strata) == sample.stratum_sizes).all()
    if is_every_flop_known:
        return WinningsEstimate(winnings_by_seat_and_street, 0.0, 0.0)
    winnings_by_flop = compute_winnings_by_flop(corrected_winnings, strategies)
    standard_error = compute_stratified_error(sample, winnings_by_flop)

    # Evaluate the decisions that are best on one half of the flops on the other half.
    even_flops = np.arange(0, len(corrected_winnings), 2)
    odd_flops = np.arange(1, len(corrected_winnings), 2)
    crossed_winnings = []
    for optimized_on, evaluated_on in ((even_flops, odd_flops), (odd_flops, even_flops)):
        half_strategies = compute_preflop_strategies(
            response, sample, corrected_winnings, optimized_on
        )
        winnings_by_flop = compute_winnings_by_flop(corrected_winnings, half_strategies)
        weights = sample.compute_weights(evaluated_on)
        crossed_winnings.append(weights @ winnings_by_flop[evaluated_on])
    bias = max(float(winnings_by_seat_and_street.sum() - np.mean(crossed_winnings)), 0.0)
    return WinningsEstimate(winnings_by_seat_and_street, standard_error, bias)


def compute_preflop_strategies(
    response: RealCardResponse, sample: FlopSample, winnings: Floats, chosen_flops: Ints | slice
) -> list[PreflopStrategy]:
    """Return the decisions before the flop in both seats that are best on average over the chosen flops.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.
    sample : FlopSample
        The n flops whose winnings are known.
    winnings : ndarray of shape (n, 2, 3, 169, H)
        The winnings on these flops in small bets, by flop, seat, street on which hands end, starting hand, and betting
        history before the flop. They are summed over the opponent's holdings, weighted by its reach probabilities.
    chosen_flops : ndarray of int64, or slice
        The indices of the chosen flops among the n flops.

    Returns
    -------
    list of 2 PreflopStrategy
        The decisions in each seat.
    """
    means_by_seat = np.tensordot(sample.compute_weights(chosen_flops), winnings[chosen_flops], 1)
    return [
        compute_preflop_strategy(response, player, mean_winnings)
        for player, mean_winnings in enumerate(means_by_seat)
    ]


def compute_winnings_by_flop(winnings: Floats, strategies: list[PreflopStrategy]) -> Floats:
    """Return the winnings on each flop, in both seats together, if the decisions before the flop are given.

    Parameters
    ----------
    winnings : ndarray of shape (n, 2, 3, 169, H)
        The winnings on n flops, by flop, seat, street on which hands end, starting hand, and betting history before the
        flop.
    strategies : list of 2 PreflopStrategy
        The decisions before the flop in the two seats.

    Returns
    -------
    ndarray of shape (n,)
        The winnings on each flop in small bets a hand. They include hands that end before the flop.
    """
    flop_reach = np.array([strategy.flop_reach for strategy in strategies])
    won_before_flop = sum(strategy.won_before_flop for strategy in strategies)
    winnings_of_all_streets = winnings.sum(axis=2)
    return np.asarray(won_before_flop + np.tensordot(winnings_of_all_streets, flop_reach, 3))


def compute_stratified_error(sample: FlopSample, winnings_by_flop: Floats) -> float:
    """Return the standard error of a mean over all flops that is estimated from a stratified sample.

    A stratum consists of the flops with a given number of suits and a given number of ranks. The flops of each stratum
    are drawn without replacement, which makes the error smaller than with replacement.

    Parameters
    ----------
    sample : FlopSample
        The sample of n flops.
    winnings_by_flop : ndarray of shape (n,)
        The winnings on each flop of the sample, whose mean over all flops is estimated.

    Returns
    -------
    float
        The standard error, in the unit of the winnings.
    """
    num_drawn = np.bincount(sample.strata)
    means = np.bincount(sample.strata, winnings_by_flop) / num_drawn
    deviations = winnings_by_flop - means[sample.strata]
    variances = np.bincount(sample.strata, deviations**2) / (num_drawn - 1)
    shares_not_drawn = 1 - num_drawn / sample.stratum_sizes
    terms = sample.stratum_shares**2 * shares_not_drawn * variances / num_drawn
    return float(np.sqrt(terms.sum()))


FORMAT = "pokerlab replies on a flop 1"
TO_MBB = 1000.0 / NUM_SEATS
"""The factor from small bets in both seats together to the mean over seats in thousandths of a big blind."""
FLOPS_AT_ONCE = 64
"""The number of flops that a cluster computes before they are saved."""


class RealWorstCase(NamedTuple):
    """The winnings of a best response with real cards against a bucketed strategy.

    Attributes
    ----------
    small_bets : float
        The winnings in both seats together, in small bets a hand: the exploitability with real cards.
    mbb : float
        The mean winnings over the two seats, in thousandths of a big blind a hand. The big blind is one small bet.
    error : float
        The standard error of `mbb`, or 0 if all flops are computed.
    bias : float
        A bound of the bias of `mbb`, which is too large on average; 0 if all flops are computed.
    by_seat : tuple of 2 float
        The winnings on the button and in the big blind, in small bets a hand.
    by_street : tuple of 4 float
        The winnings in both seats together by the street on which hands end, in small bets a hand.
    num_flops : int
        The number of flops that are computed.
    seed : int or None
        The seed with which the flops were drawn.
    """

    small_bets: float
    mbb: float
    error: float
    bias: float
    by_seat: tuple[float, ...]
    by_street: tuple[float, ...]
    num_flops: int
    seed: int | None

    def __str__(self) -> str:
        sampled = f" ± {self.error:.1f}, at most {self.bias:.1f} too many" if self.error else ""
        return f"{self.mbb:.3f} mbb a hand{sampled}, by {self.num_flops:,} flops"


def find_real_worst_case(
    game: BucketedHoldem,
    profile: BucketedProfile,
    *,
    flops: int | None = None,
    seed: int | None = None,
    workers: Any = 1,
    checkpoint: str | Path | None = None,
) -> RealWorstCase:
    """Return the winnings of a best response with real cards against a bucketed profile, in both seats.

    With all flops, the result is exact up to the rounding of float32. All flops take two to three hours on one core,
    and a hundred flops about eight minutes. It takes less time if the profile never reaches most lines of betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile, with the betting 'at the table'.
    profile : BucketedProfile
        The profile. In each seat, the best response plays against the other seat's strategy, which plays each hand by
        the bucket of the hand's exact win probability.
    flops : int, optional
        The number of flops to sample, at least 12, of the 1,755 canonical flops. By default all flops are computed.
    seed : int, optional
        The seed of the sample, which is needed if `flops` is given.
    workers : int, distributed.Client or str
        The number of threads, 1 to 256; or the client of a cluster, or the address of its scheduler.
    checkpoint : path, optional
        A folder in which the winnings on each flop are saved. A call that was interrupted can be repeated, and then
        uses the flops in this folder. A damaged file is computed again, with a warning.

    Returns
    -------
    RealWorstCase
        The winnings, in both seats together and apart, with their standard error and a bound of their bias.

    Raises
    ------
    SettingError
        If a number is out of range, the seed of a sample is missing, or the betting of the game is not 'at the table'.
    CheckpointError
        If the folder has the results of another strategy, or another process uses it.
    """
    check_bucketed_profile_fits_game(game, profile)
    make_structure(profile)  # raises SettingError if the betting is not 'at the table'
    sample = select_flops(flops, seed)
    response = RealCardResponse(profile)
    winnings = load_or_compute_flop_winnings(response, sample.flops.tolist(), workers, checkpoint)
    winnings_by_seat_and_street, error, bias = estimate_response_winnings(
        response, sample, winnings
    )
    total = float(winnings_by_seat_and_street.sum())
    return RealWorstCase(
        small_bets=total,
        mbb=TO_MBB * total,
        error=TO_MBB * error,
        bias=TO_MBB * bias,
        by_seat=tuple(winnings_by_seat_and_street.sum(axis=1).tolist()),
        by_street=tuple(winnings_by_seat_and_street.sum(axis=0).tolist()),
        num_flops=len(winnings),
        seed=seed,
    )


def load_or_compute_flop_winnings(
    response: RealCardResponse, flops: list[int], workers: Any, folder: str | Path | None
) -> Floats:
    """Return the winnings of the best response with each starting hand on some flops.

    A holding is a pair of hole cards. If a folder is given, each flop is saved to a file of its own, and flops that
    were saved by an earlier call are loaded. The winnings are means over holdings, and are scaled, as
    `compute_winnings_on_flops` explains.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.
    flops : list of int
        The indices of n flops among the canonical flops. A canonical flop represents all flops that differ only by a
        renaming of suits.
    workers : int, distributed.Client or str
        The number of threads, or a cluster.
    folder : path or None
        The folder of the files.

    Returns
    -------
    ndarray of shape (n, 2, 3, 169, H)
        The axes are the flop, the seat, the street on which hands end, the starting hand, and the betting history
        before the flop.

    Raises
    ------
    CheckpointError
        If the folder has the results of another strategy, or another process uses it.
    """
    work_divider = choose_work_divider(workers)
    flops_per_batch = choose_batch_size(workers)
    winnings = dict[int, Floats]()
    with ExitStack() as stack:
        # Load the flops of earlier calls. While this call runs, no other process may write to the folder.
        if folder is not None:
            home = validate_path("checkpoint", folder)
            identity = make_flop_file_identity(response)
            stack.callback(acquire_file_lock(home / "flops").release)
            winnings = load_saved_flops(home, flops, identity, response)

        # Compute the others, and save them batch by batch.
        uncomputed_flops = [flop for flop in flops if flop not in winnings]
        bar = tqdm(
            total=len(flops),
            initial=len(winnings),
            unit=" flops",
            delay=PROGRESS_AFTER,
            leave=False,
        )
        stack.enter_context(bar)
        for begin in range(0, len(uncomputed_flops), flops_per_batch):
            batch = uncomputed_flops[begin : begin + flops_per_batch]
            compute_part = partial(compute_winnings_on_flops, response, batch)
            batch_winnings = np.concatenate(work_divider(compute_part, 0, len(batch)))
            for flop, flop_winnings in zip(batch, batch_winnings, strict=True):
                winnings[flop] = flop_winnings
                if folder is not None:
                    SavedFile(identity, {"won": flop_winnings}).save(home / f"{flop}.npz")
                bar.update()
    return np.array([winnings[flop] for flop in flops])


def load_saved_flops(
    folder: Path, flops: list[int], identity: Mapping[str, Any], response: RealCardResponse
) -> dict[int, Floats]:
    """Return the winnings on those flops that an earlier call has saved, by the index of the flop.

    One of the flops that differ only by a renaming of suits is called canonical.

    Parameters
    ----------
    folder : Path
        The folder of the files.
    flops : list of int
        The indices of the flops among the canonical flops.
    identity : mapping of str to Any
        What the files must say about the game and the strategy.
    response : RealCardResponse
        The best response with its opponent's strategy.

    Returns
    -------
    dict of int to ndarray
        The winnings on each flop, an array for each. Flops whose file is missing or damaged are left out, so the result
        may be empty.

    Raises
    ------
    CheckpointError
        If a file has the results of another strategy.
    """
    winnings = {}
    for flop in flops:
        saved_winnings = load_flop_winnings(folder / f"{flop}.npz", identity, response)
        if saved_winnings is not None:
            winnings[flop] = saved_winnings
    return winnings


def choose_batch_size(workers: Any) -> int:
    """Return the number of flops that are computed before they are saved.

    Parameters
    ----------
    workers : int, distributed.Client or str
        The number of threads, or a cluster. A cluster has its own number, because its size is not known here.
    """
    if is_cluster(workers):
        return FLOPS_AT_ONCE
    # One thread saves each flop, because a flop takes seconds. Several threads need pieces of work for all of them.
    num_threads: int = workers
    return max(1, PIECES_PER_THREAD * (num_threads - 1))


def make_flop_file_identity(response: RealCardResponse) -> dict[str, str]:
    """Return what identifies files of winnings on flops: their format, the game, and a digest of the strategy.

    A file of another game or strategy has another identity, and is not loaded.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.

    Returns
    -------
    dict of str
        The three entries 'format', 'game' and 'strategy'.
    """
    game = response.profile.game
    digested = {f"bounds {street}": bounds for street, bounds in enumerate(game.buckets.bounds)}
    digested["play"] = response.profile.decision_probabilities
    return {"format": FORMAT, "game": game.fingerprint, "strategy": compute_arrays_digest(digested)}


def load_flop_winnings(
    path: Path, identity: Mapping[str, Any], response: RealCardResponse
) -> Floats | None:
    """Return the winnings on a flop from a file, or None if there is no file or it is damaged.

    A damaged file leads to a warning.

    Parameters
    ----------
    path : Path
        The file.
    identity : mapping
        What identifies files of this strategy, from `make_flop_file_identity`.
    response : RealCardResponse
        The best response, whose game decides the shape of the array.

    Returns
    -------
    ndarray of shape (2, 3, 169, H), or None
        The axes are the seat, the street on which hands end, the starting hand, and the betting history before the
        flop.

    Raises
    ------
    CheckpointError
        If the file is from another game or strategy.
    """
    if not path.exists():
        return None
    num_histories = int(response.profile.game.batched_tree.streets["starts"][FLOP])
    num_starting_hands = build_hand_classes(2).size
    expected_shape = (NUM_SEATS, NUM_STREETS - 1, num_starting_hands, num_histories)
    try:
        won = SavedFile.load(path, FORMAT, identity).arrays.get("won")
        if (
            not isinstance(won, np.ndarray)
            or won.dtype != np.float64
            or won.shape != expected_shape
        ):
            raise FileFormatError(f"it does not hold numbers of shape {expected_shape}")
        if not np.isfinite(won).all():
            raise FileFormatError("it holds numbers that are not finite")
    except CheckpointError:
        raise  # a FileFormatError, too, but of a file that is not damaged
    except FileFormatError as error:
        # The warning points to the caller of `find_real_worst_case`.
        warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=5)
        return None
    return won


def compute_winnings_on_flops(
    response: RealCardResponse, flops: list[int], begin: int, end: int
) -> Floats:
    """Return the winnings of the best response with each starting hand, on a part of a list of flops.

    They are means over the holdings of a starting hand, where holdings that share a card with the flop count as 0. The
    means are multiplied by `FLOPS_PER_POSSIBLE`. So their mean over all flops is the mean over the flops
    that are possible when both players' hole cards are dealt.

    Parameters
    ----------
    response : RealCardResponse
        The best response with its opponent's strategy.
    flops : list of int
        The indices of flops among the canonical flops. A canonical flop represents all flops that differ only by a
        renaming of suits.
    begin, end : int
        The part is `flops[begin:end]`. It is given by two numbers because a work divider calls functions in this way
        (see `choose_work_divider`).

    Returns
    -------
    ndarray of shape (end - begin, 2, 3, 169, H)
        The axes are the flop, the seat, the street on which hands end, the starting hand, and the betting history
        before the flop.
    """
    boards = list_canonical_boards(3)[0][flops[begin:end]]
    winnings_by_holding = np.array([response.compute_flop_winnings(board) for board in boards])
    return FLOPS_PER_POSSIBLE * average_over_starting_hands(winnings_by_holding)
