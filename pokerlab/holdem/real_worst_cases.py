"""The worst case of a bucketed strategy with real cards: the value of a best response that sees cards, not buckets.

Given the betting before the flop, every flop is a game of its own. The winnings of the best response on a flop are
computed for each starting hand and each start of the flop's betting. Only decisions before the flop depend on the mean
over all flops. So flops can be computed by several workers, stored one by one, and sampled. One pass over the public
tree suffices, because the opponent does not see the responder's cards (Johanson and others, IJCAI 2011).

The strategy depends on a hand only through its buckets. So its reach probability on a line of betting is a product with
one factor for each street, which depends on the bucket of the hand on that street. `StreetBetting` has the factors of
one street for all its starts. The reach probabilities at the starts of a street are called the *weights* of the hands.
The responder knows its own two cards, and the opponent cannot hold them. So a sum over the opponent's hands is the sum
over all hands, minus those with the first card, minus those with the second card, plus the hand with both cards, which
was subtracted twice.

Winnings are computed separately for the street on which a hand ends, as *parts*, beginning with the present street. On
the river, which takes most of the time, many lines of betting are played at once: see `pokerlab.holdem.river_lines`.

Cards to come that are equivalent by suits are dealt once. The *symmetries* of a board are the renamings of suits that
do not change it. If several cards differ only by a symmetry, one of them is dealt, and its probability is multiplied by
their number. Because a renaming also changes the responder's hole cards, the winnings are then averaged over the
symmetries.

Before the flop the best response maximizes its mean winnings over all flops, or over a sample of them. There are six
kinds of flops, by their numbers of suits and ranks, and each kind has its share of the sample. A control variate
removes most of the variance. It is the winnings of a responder that sees only buckets, which also differ from flop to
flop, and which can be computed for all flops in a second.

The maximum over choices whose values are estimated has an upward bias. Conversely, if the choices are made on one half
of the flops and evaluated on the other half, the result is too low on average. So the bias is at most the difference
between the two.
"""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import product
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
from pokerlab.holdem.betting_tree import DECISION, NUM_SEATS
from pokerlab.holdem.bucket_lanes import START_PLACE
from pokerlab.holdem.bucket_passes import BEST, run_value_passes
from pokerlab.holdem.bucketed_holdem import (
    NO_ROWS,
    BucketedHoldem,
    BucketedProfile,
    check_bucketed_profile,
)
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    FLOP,
    HOLDINGS,
    HOLDS_CARD,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
    RIVER,
    TURN,
    Cards,
)
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.hand_classes import (
    RENAMED_HOLDINGS,
    SUIT_RENAMINGS,
    build_hand_classes,
    list_canonical_boards,
)
from pokerlab.holdem.real_player import make_structure
from pokerlab.holdem.river_lines import (
    LINES,
    Floats32,
    RiverHands,
    StreetBetting,
    add_winnings_on_rivers,
    build_street_bettings,
    compute_river_end_payoffs,
    fill_street_best_response,
    pack_lines_into_blocks,
    sort_river_hands,
)

NO_CHOICE = np.zeros((0, 0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class ExposedStrategy:
    """A bucketed strategy that plays in both seats against a best response with real cards.

    The methods compute the winnings of the best response, street by street.

    Attributes
    ----------
    profile : BucketedProfile
        The strategy.
    missing : tuple of int
        Cards that are removed from the deck; none by default.
    """

    profile: BucketedProfile
    missing: tuple[int, ...] = ()

    @cached_property
    def bettings(self) -> list[tuple[StreetBetting, ...]]:
        """The betting of the four streets against the strategy, once for each seat of the best response."""
        return [build_street_bettings(self.profile, player) for player in range(NUM_SEATS)]

    @cached_property
    def river_lines(self) -> list[tuple[Ints, Floats32]]:
        """The lines of betting that lead to the river, and the payoffs of their ends, for each seat of the response.

        A line is an index among the starts of the river's betting. Lines that the opponent reaches with probability
        zero with every hand are left out. The payoffs are those of `compute_river_end_payoffs`.
        """
        lines_by_seat = []
        for streets in self.bettings:
            # A bound of the opponent's reach probability of each start, with any hand, is passed from street to street.
            largest_reach = np.ones((1, 1))
            for street in streets[:RIVER]:
                reach_of_deals = street.reach.max(axis=1)[street.deals]
                largest_reach = (largest_reach * reach_of_deals).reshape(1, -1)
            lines = np.flatnonzero(largest_reach[0])
            lines_by_seat.append((lines, compute_river_end_payoffs(streets[RIVER], lines)))
        return lines_by_seat

    def find_buckets_on_boards(self, boards: Cards) -> Ints:
        """Return the buckets of all hands on boards.

        Parameters
        ----------
        boards : ndarray of uint8, shape (n, k)
            Boards of k cards each.

        Returns
        -------
        ndarray of int64, shape (n, 1326)
            The bucket of each holding, or -1 if the holding has a card of the board or a missing card.
        """
        values = compute_all_win_probabilities(boards)
        bounds = self.profile.game.buckets.bounds[BOARD_SIZES.index(boards.shape[1])]
        absent = np.isnan(values) | HOLDS_CARD[list(self.missing)].any(axis=0)
        return np.where(absent, -1, np.searchsorted(bounds, values, side="right"))

    def find_board_symmetries(self, cards: Cards) -> Ints:
        """Return the symmetries of a set of cards, as indices of `SUIT_RENAMINGS`.

        They are the renamings of suits that change neither this set nor the set of missing cards.

        Parameters
        ----------
        cards : ndarray of uint8, shape (k,)
            The k cards of a board, in any order.
        """
        is_symmetry = np.ones(len(SUIT_RENAMINGS), bool)
        for card_set in (np.array(self.missing, np.int64), cards):
            suits = card_set % NUM_SUITS
            renamed_cards = card_set - suits + SUIT_RENAMINGS[:, suits]
            is_symmetry &= (np.sort(renamed_cards, axis=1) == np.sort(card_set)).all(axis=1)
        return np.flatnonzero(is_symmetry)

    def iterate_next_boards(
        self, board: Cards, symmetries: Ints
    ) -> Iterator[tuple[Cards, float, Ints]]:
        """Yield the boards with one more card, one board for each class of equivalent cards.

        Two cards are equivalent if a symmetry of the board turns one into the other.

        Parameters
        ----------
        board : ndarray of uint8, shape (k,)
            The k cards of the board.
        symmetries : ndarray of int64
            The symmetries of the board.

        Yields
        ------
        longer_board : ndarray of uint8, shape (k + 1,)
            The board with the lowest card of the class.
        probability : float
            The probability that the next card is of this class, given two hands that have none of its cards.
        symmetries : ndarray of int64
            The symmetries of the longer board.
        """
        cards_left = np.setdiff1d(np.arange(NUM_CARDS), [*board, *self.missing])
        num_possible = len(cards_left) - 2 * NUM_SEATS  # without the hole cards of both hands
        for card in cards_left:
            suit = card % NUM_SUITS
            equivalent_cards = card - suit + SUIT_RENAMINGS[symmetries, suit]
            is_lowest_of_class = card == equivalent_cards.min()
            if is_lowest_of_class:
                probability = len(np.unique(equivalent_cards)) / num_possible
                longer_board = np.append(board, np.uint8(card))
                yield longer_board, probability, symmetries[equivalent_cards == card]

    def compute_preflop_weights(self) -> tuple[Ints, Floats]:
        """Return the buckets of all hands before the flop, and the weights of the opponent's hands.

        Returns
        -------
        label : ndarray of int64, shape (1326,)
            The bucket of each holding, or -1 for a holding with a missing card.
        weights : ndarray of shape (1326, 1)
            1 for each possible holding and 0 for impossible ones.
        """
        label = self.find_buckets_on_boards(np.zeros((1, 0), np.uint8))[0]
        return label, np.where(label < 0, 0.0, 1.0)[:, None]

    def compute_flop_winnings_in_seats(self, flop: Cards) -> list[Floats]:
        """Return the winnings of the best response on a flop, with each of its hands and in each seat.

        They are summed over the opponent's hands, weighted by reach probabilities, and averaged over the cards to come.

        Parameters
        ----------
        flop : ndarray of uint8, shape (3,)
            The cards of the flop.

        Returns
        -------
        list of 2 ndarray of shape (3, 1326, starts)
            One array for each seat. The axes are the street on which hands end (flop, turn or river), the holding of
            the best response, and the start of the flop's betting. Impossible holdings have 0.
        """
        preflop_label, preflop_weights = self.compute_preflop_weights()
        symmetries = self.find_board_symmetries(flop)
        won = []
        for player, streets in enumerate(self.bettings):
            flop_weights = streets[0].compute_next_weights(preflop_weights, preflop_label)
            won.append(
                self.compute_street_winnings(
                    player, flop, symmetries, [preflop_label], flop_weights
                )
            )
        return won

    def compute_street_winnings(
        self,
        player: int,
        board: Cards,
        symmetries: Ints,
        earlier_labels: list[Ints],
        weights: Floats,
    ) -> Floats:
        """Return the winnings of the best response from the flop or the turn on, with each of its hands.

        The winnings on later streets are computed first, by a call for each next card. Then the decisions on this
        street are made with each hand.

        Parameters
        ----------
        player : int
            The seat of the best response.
        board : ndarray of uint8, shape (k,)
            The board of the present street, the flop or the turn.
        symmetries : ndarray of int64
            The symmetries of the board.
        earlier_labels : list of ndarray of int64, shape (1326,)
            The buckets of all hands on each of the earlier streets.
        weights : ndarray of shape (1326, starts)
            The weights of the opponent's hands at the starts of this street.

        Returns
        -------
        ndarray of shape (P, 1326, starts)
            The axes are the street on which hands end (this one and the later ones, P streets), the holding of the best
            response, and the start of this street's betting.
        """
        street = len(earlier_labels)
        label = self.find_buckets_on_boards(board[None])[0]
        labels = [*earlier_labels, label]
        betting = self.bettings[player][street]
        weights = np.where(label[:, None] < 0, 0.0, weights)
        parts = np.zeros((NUM_STREETS - street, *weights.shape))
        if not weights.any():
            return parts

        # Compute the winnings on later streets, averaged over the next cards.
        if street == TURN:
            later_winnings = self.compute_river_winnings(player, board, symmetries, labels, weights)
        else:
            next_weights = betting.compute_next_weights(weights, label)
            later_winnings = np.zeros((RIVER - street, *next_weights.shape))
            for longer_board, probability, longer_symmetries in self.iterate_next_boards(
                board, symmetries
            ):
                won_after = self.compute_street_winnings(
                    player, longer_board, longer_symmetries, labels, next_weights
                )
                later_winnings += probability * won_after

        # Only one card of each class was dealt. The others give the same winnings to a hand with renamed suits.
        if len(symmetries) > 1:
            later_winnings = np.ascontiguousarray(
                later_winnings[:, RENAMED_HOLDINGS[symmetries]].mean(axis=1)
            )

        fill_street_best_response(betting, label, weights, later_winnings, parts, NO_CHOICE)
        return parts

    def compute_river_winnings(
        self, player: int, turn: Cards, symmetries: Ints, labels: list[Ints], weights: Floats
    ) -> Floats:
        """Return the winnings of the best response on the river with each of its hands, averaged over river cards.

        Parameters
        ----------
        player : int
            The seat of the best response.
        turn : ndarray of uint8, shape (4,)
            The board on the turn.
        symmetries : ndarray of int64
            The symmetries of this board.
        labels : list of ndarray of int64, shape (1326,)
            The buckets of all hands on each street up to the turn.
        weights : ndarray of shape (1326, starts)
            The weights of the opponent's hands at the starts of the turn.

        Returns
        -------
        ndarray of shape (1, 1326, river starts)
            The last two axes are the holding of the best response and the start of the river's betting.
        """
        all_rivers, probabilities, _ = zip(*self.iterate_next_boards(turn, symmetries), strict=True)
        boards = np.array(all_rivers)
        live = labels[-1] >= 0
        hands = np.empty((len(boards), NUM_HOLDINGS), np.int32)
        num_hands = sort_river_hands(boards, live, hands)

        # Hands with the same buckets on all streets so far have the same weights; they are called one kind. The code of
        # a hand is a number with its buckets as digits. Weights are computed for the first hand of each kind.
        code = np.where(live, np.ravel_multi_index(np.maximum(labels, 0), (256,) * RIVER), -1)
        _, first_of_kind, kind = np.unique(code, return_index=True, return_inverse=True)
        kind_weights = self.bettings[player][TURN].compute_next_weights(
            weights[first_of_kind], labels[-1][first_of_kind]
        )

        # Play the lines of betting in blocks.
        label = self.find_buckets_on_boards(boards).astype(np.uint8)
        rivers = RiverHands(hands[:, :num_hands], label, np.array(probabilities, np.float32), kind)
        lines, end_payoffs = self.river_lines[player]
        won = np.zeros((len(end_payoffs), NUM_HOLDINGS, LINES), np.float32)
        responder_acts_first = np.float32(self.bettings[player][RIVER].nodes["actor"][0] == player)
        acts_first = (responder_acts_first,) * self.profile.game.tree.raise_cap
        line_weights = pack_lines_into_blocks(kind_weights[:, lines])
        add_winnings_on_rivers(acts_first, rivers, line_weights, end_payoffs, won)

        # Assign the winnings to the starts of the river's betting; lines that were left out win nothing.
        by_line = np.moveaxis(won, 1, 2).reshape(-1, NUM_HOLDINGS)[: len(lines)]
        by_start = np.zeros((1, NUM_HOLDINGS, kind_weights.shape[1]))
        by_start[0, :, lines] = by_line
        return by_start


LEAST_FLOPS = 12
"""The smallest sample has one flop of each of six kinds in each of its two halves."""
FLOPS_PER_POSSIBLE = comb(NUM_CARDS, 3) / comb(NUM_CARDS - 4, 3)
"""The number of all flops divided by the number of flops that are possible if both players' hole cards are known."""
NUM_OTHERS, NUM_OTHERS_ON_FLOP = comb(NUM_CARDS - 2, 2), comb(NUM_CARDS - 5, 2)
"""The number of holdings that the opponent may have, given the player's own, before the flop and on the flop."""


class StartingHands(NamedTuple):
    """The 169 starting hands, which are the classes of holdings up to a renaming of suits.

    Attributes
    ----------
    of_holding : ndarray of int64, shape (1326,)
        The starting hand of each holding.
    sizes : ndarray of int64, shape (169,)
        The number of holdings of each starting hand.
    """

    of_holding: Ints
    sizes: Ints


@cache
def group_starting_hands() -> StartingHands:
    """Return the starting hand of each holding, and the number of holdings of each."""
    of_holding = np.asarray(build_hand_classes(2).find_classes(HOLDINGS.copy()))
    return StartingHands(of_holding, np.bincount(of_holding))


ALL_FLOPS = slice(None)


class Flops(NamedTuple):
    """A sample of n flops of K kinds, or all flops.

    A kind is the number of suits and the number of ranks of a flop.

    Attributes
    ----------
    canonical : ndarray of int64, shape (n,)
        The index of each flop of the sample among the canonical flops.
    kind : ndarray of int64, shape (n,)
        The kind of each flop of the sample.
    shares : ndarray of shape (K,)
        The share of each kind among all 22,100 flops.
    sizes : ndarray of int64, shape (K,)
        The number of canonical flops of each kind.
    """

    canonical: Ints
    kind: Ints
    shares: Floats
    sizes: Ints

    def compute_weights(self, chosen: Ints | slice = ALL_FLOPS) -> Floats:
        """Return the weight of each chosen flop in a mean over flops; the weights sum to 1.

        The share of a kind is divided equally among the chosen flops of that kind.

        Parameters
        ----------
        chosen : ndarray of int64, shape (m,), or slice
            The indices of m flops of the sample. By default all flops of the sample are chosen.

        Returns
        -------
        ndarray of shape (m,)
            The weights.
        """
        kind = self.kind[chosen]
        num_chosen = np.bincount(kind)  # of each kind
        return np.asarray(self.shares[kind] / num_chosen[kind])


def draw_flop_sample(count: int | None, seed: int | None) -> Flops:
    """Return all canonical flops, or a stratified sample of them in which each kind has its share.

    The kind of a flop is its number of suits and its number of ranks.

    Parameters
    ----------
    count : int, optional
        The number of flops to draw, at least 12. None for all flops.
    seed : int, optional
        The seed of the draw, which is needed unless `count` is None.

    Raises
    ------
    SettingError
        If `count` is out of range, or a sample is to be drawn without a seed.
    """
    boards, multiplicities = list_canonical_boards(3)
    num_suits = [len(set(row)) for row in boards % NUM_SUITS]
    num_ranks = [len(set(row)) for row in boards // NUM_SUITS]
    kind = np.unique(np.array([num_suits, num_ranks]), axis=1, return_inverse=True)[1].ravel()
    sizes = np.bincount(kind)
    shares = np.bincount(kind, multiplicities) / multiplicities.sum()
    if count is None:
        return Flops(np.arange(len(boards)), kind, shares, sizes)

    validate_integer("flops", count, LEAST_FLOPS, len(boards))
    if seed is None:
        raise SettingError(f"{count} flops are to be drawn; give a seed, or flops=None for all.")

    # Decide the number of flops of each kind: repeatedly add one to the kind that is farthest below its share.
    num_drawn = np.full(len(sizes), LEAST_FLOPS // len(sizes))
    while num_drawn.sum() < count:
        lacking = np.where(num_drawn < sizes, count * shares - num_drawn, -np.inf)
        num_drawn[np.argmax(lacking)] += 1

    # Draw these numbers without replacement.
    drawn = []
    for k, num_of_kind in enumerate(num_drawn):
        flops_of_kind = np.flatnonzero(kind == k)
        shuffled = random_stream(seed, "flops", k).permutation(flops_of_kind)
        drawn.append(shuffled[:num_of_kind])
    canonical = np.concatenate(drawn)
    return Flops(canonical, kind[canonical], shares, sizes)


class PreflopPlan(NamedTuple):
    """The decisions of the best response before the flop, for one seat.

    Attributes
    ----------
    parts : ndarray of shape (4,)
        The winnings in small bets a hand, by the street on which the hand ends.
    counts : ndarray of shape (169, starts)
        The coefficients of the winnings after the flop: the probability that it reaches each start of the flop's
        betting with each starting hand, without the opponent's actions.
    fixed : float
        The winnings in hands that end before the flop.
    """

    parts: Floats
    counts: Floats
    fixed: float


def compute_preflop_plan(
    exposed: ExposedStrategy, player: int, mean_winnings: Floats
) -> PreflopPlan:
    """Return the decisions of the best response before the flop, given its mean winnings after the flop.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which it responds.
    player : int
        The seat of the best response.
    mean_winnings : ndarray of shape (3, 169, starts)
        The mean winnings over flops, by the street on which hands end, the starting hand, and the start of the flop's
        betting.
    """
    starting_hands = group_starting_hands()
    betting = exposed.bettings[player][0]
    nodes = betting.nodes

    # Find the best decisions with each holding.
    label, weights = exposed.compute_preflop_weights()
    parts = np.zeros((NUM_STREETS, NUM_HOLDINGS, 1))
    choices = np.zeros((len(nodes), NUM_HOLDINGS, 1), np.int64)
    winnings_by_holding = np.take(mean_winnings, starting_hands.of_holding, axis=1)
    fill_street_best_response(betting, label, weights, winnings_by_holding, parts, choices)

    # The responder's own reach probability of each node with each holding, times the probability of dealing both hands.
    deal_probability = 1.0 / (NUM_HOLDINGS * NUM_OTHERS)
    reach = np.full((len(nodes), NUM_HOLDINGS), deal_probability)
    for k in np.flatnonzero(nodes["kind"] == DECISION):
        is_own = nodes["actor"][k] == player
        for child in nodes["child"][k]:
            if child >= 0:
                is_chosen = choices[k, :, 0] == child
                reach[child] = reach[k] * is_chosen if is_own else reach[k]

    mean_reach = average_over_starting_hands(reach[betting.deals].T)
    counts = mean_reach * starting_hands.sizes[:, None]
    won = parts.sum(axis=(1, 2)) * deal_probability
    won_after_flop = (counts * mean_winnings.sum(axis=0)).sum()
    return PreflopPlan(won, counts, float(won.sum() - won_after_flop))


def average_over_starting_hands(by_holding: Floats) -> Floats:
    """Return the mean of numbers over the holdings of each starting hand.

    Parameters
    ----------
    by_holding : ndarray of shape (..., 1326, n)
        n numbers for each holding.

    Returns
    -------
    ndarray of shape (..., 169, n)
        The means for each starting hand.
    """
    hand_of_holding, sizes = group_starting_hands()
    # Sort the holdings by starting hand, so that those of one starting hand can be summed as a segment.
    in_order = by_holding[..., np.argsort(hand_of_holding, kind="stable"), :]
    first_of_hand = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(in_order, first_of_hand, axis=-2)
    return np.asarray(sums / sizes[:, None])


def compute_bucketed_winnings(exposed: ExposedStrategy) -> Floats:
    """Return the winnings on each canonical flop of a best response that sees only buckets, not cards.

    On a given flop, the buckets of hands before the flop and on the flop have other probabilities than in the whole
    game. With these probabilities, the passes over the public tree give the winnings with each bucket.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which it responds.

    Returns
    -------
    ndarray of shape (1755, 2, 169, starts)
        The axes are the flop, the seat, the starting hand, and the start of the flop's betting.
    """
    game, strategy = exposed.profile.game, exposed.profile.kernel_strategy
    lanes = game.lanes
    chance_probabilities = game.chance_probabilities.copy()
    num_before, num_after = game.buckets.counts[:2]  # buckets before the flop and on the flop
    flop_block, starts = lanes.streets["block"][FLOP], lanes.streets["starts"][FLOP]
    preflop_label = exposed.compute_preflop_weights()[0]
    flop_labels = exposed.find_buckets_on_boards(list_canonical_boards(3)[0])
    hand_of_holding, sizes = group_starting_hands()
    won = np.zeros((len(flop_labels), NUM_SEATS, len(sizes), starts))
    for flop, player in product(range(len(flop_labels)), range(NUM_SEATS)):
        live = flop_labels[flop] >= 0
        label = flop_labels[flop][live]

        # Use the probabilities of the first buckets, and of the transitions to the flop, given this flop.
        pairs_of_buckets = preflop_label[live] * num_after + label
        moves = np.bincount(pairs_of_buckets, minlength=num_before * num_after)
        moves = moves.reshape(num_before, num_after)
        hands_before = moves.sum(axis=1, keepdims=True)
        chance_probabilities[START_PLACE, 0, :num_before] = hands_before[:, 0] / len(label)
        chance_probabilities[0, :num_before, :num_after] = moves / np.maximum(hands_before, 1)
        work = run_value_passes(
            lanes, chance_probabilities, strategy, strategy, player, BEST, NO_ROWS
        )
        bucket_values = work.start_values[flop_block][:num_after, :starts]

        # Convert the values of buckets to those of starting hands, by the share of their holdings in each bucket.
        hands_and_buckets = hand_of_holding[live] * num_after + label
        holdings = np.bincount(hands_and_buckets, minlength=len(sizes) * num_after)
        shares = holdings.reshape(-1, num_after) / sizes[:, None]
        won[flop, player] = FLOPS_PER_POSSIBLE * NUM_OTHERS_ON_FLOP * shares @ bucket_values
    return won


class WinningsEstimate(NamedTuple):
    """The winnings of a best response, estimated from a sample of flops.

    Attributes
    ----------
    parts : ndarray of shape (2, 4)
        The winnings in small bets a hand, by seat and by the street on which hands end.
    error, bias : float
        The standard error of the sum of `parts`, and a bound of its bias; both are 0 if all flops are known.
    """

    parts: Floats
    error: float
    bias: float


def estimate_response_winnings(
    exposed: ExposedStrategy, flops: Flops, winnings: Floats
) -> WinningsEstimate:
    """Return the winnings of the best response, their standard error, and a bound of their bias.

    The winnings of a responder that sees only buckets serve as a control variate: they are known on all flops. The
    difference between their mean and their value on a flop is added to the winnings on that flop.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which it responds.
    flops : Flops
        The n flops whose winnings are known.
    winnings : ndarray of shape (n, 2, 3, 169, starts)
        The winnings on these flops, by flop, seat, street on which hands end, starting hand, and start of the flop's
        betting.
    """
    # Add the control variate, whose mean over all flops is zero, to the part of hands that end on the river.
    bucketed_winnings = compute_bucketed_winnings(exposed)
    all_flops = draw_flop_sample(None, None)
    mean_bucketed_winnings = np.tensordot(all_flops.compute_weights(), bucketed_winnings, 1)
    corrected = winnings.copy()
    corrected[:, :, -1] += mean_bucketed_winnings - bucketed_winnings[flops.canonical]

    plans = compute_preflop_plans(exposed, flops, corrected, ALL_FLOPS)
    parts = np.array([plan.parts for plan in plans])
    all_flops_known = (np.bincount(flops.kind) == flops.sizes).all()
    if all_flops_known:
        return WinningsEstimate(parts, 0.0, 0.0)
    standard_error = compute_stratified_error(flops, compute_winnings_by_flop(corrected, plans))

    # Evaluate the decisions that are best on one half of the flops on the other half.
    even, odd = np.arange(0, len(corrected), 2), np.arange(1, len(corrected), 2)
    crossed_winnings = []
    for planned_on, evaluated_on in ((even, odd), (odd, even)):
        half_plans = compute_preflop_plans(exposed, flops, corrected, planned_on)
        winnings_by_flop = compute_winnings_by_flop(corrected, half_plans)
        weights = flops.compute_weights(evaluated_on)
        crossed_winnings.append(weights @ winnings_by_flop[evaluated_on])
    bias = max(float(parts.sum() - np.mean(crossed_winnings)), 0.0)
    return WinningsEstimate(parts, standard_error, bias)


def compute_preflop_plans(
    exposed: ExposedStrategy, flops: Flops, winnings: Floats, chosen: Ints | slice
) -> list[PreflopPlan]:
    """Return the decisions before the flop in both seats that are best on average over the chosen flops.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which it responds.
    flops : Flops
        The n flops whose winnings are known.
    winnings : ndarray of shape (n, 2, 3, 169, starts)
        The winnings on these flops, as in `estimate_response_winnings`.
    chosen : ndarray of int64, or slice
        The indices of the chosen flops among the n flops.
    """
    means = np.tensordot(flops.compute_weights(chosen), winnings[chosen], 1)
    return [
        compute_preflop_plan(exposed, player, mean_winnings)
        for player, mean_winnings in enumerate(means)
    ]


def compute_winnings_by_flop(winnings: Floats, plans: list[PreflopPlan]) -> Floats:
    """Return the winnings on each of n flops with some decisions before the flop, in both seats together, (n,).

    Parameters
    ----------
    winnings : ndarray of shape (n, 2, 3, 169, starts)
        The winnings on the flops, as in `estimate_response_winnings`.
    plans : list of PreflopPlan
        The decisions before the flop in the two seats.
    """
    counts = np.array([plan.counts for plan in plans])
    fixed = sum(plan.fixed for plan in plans)
    return np.asarray(fixed + np.tensordot(winnings.sum(axis=2), counts, 3))


def compute_stratified_error(flops: Flops, by_flop: Floats) -> float:
    """Return the standard error of the mean over all flops of n numbers, one for each flop of a stratified sample.

    The flops of each kind are drawn without replacement, which makes the error smaller than with replacement.

    Parameters
    ----------
    flops : Flops
        The sample of n flops.
    by_flop : ndarray of shape (n,)
        The number of each flop of the sample.
    """
    num_drawn = np.bincount(flops.kind)
    mean_of_kind = np.bincount(flops.kind, by_flop) / num_drawn
    deviation = by_flop - mean_of_kind[flops.kind]
    variance = np.bincount(flops.kind, deviation**2) / (num_drawn - 1)
    share_not_drawn = 1 - num_drawn / flops.sizes
    return float(np.sqrt((flops.shares**2 * share_not_drawn * variance / num_drawn).sum()))


FORMAT = "pokerlab replies on a flop 1"
TO_MBB = 1000.0 / NUM_SEATS
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
    client: Any = None,
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
        The strategy. It plays each hand by the bucket of the hand's exact win probability.
    flops : int, optional
        The number of flops to sample, at least 12, of the 1,755 canonical flops. By default all flops are computed.
    seed : int, optional
        The seed of the sample, which is needed if `flops` is given.
    workers : int, distributed.Client or str
        The number of threads, 1 to 256, or a cluster.
    client : distributed.Client or str, optional
        A cluster, which is used instead of `workers`.
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
        If a number is out of range, the seed of a sample is missing, or the game's betting is not that of tables.
    CheckpointError
        If the folder has the results of another strategy, or another process uses it.
    """
    check_bucketed_profile(game, profile)
    make_structure(profile)  # raises SettingError if the betting is not that of tables
    sample = draw_flop_sample(flops, seed)
    exposed = ExposedStrategy(profile)
    won = compute_flop_winnings(exposed, sample.canonical.tolist(), client or workers, checkpoint)
    parts, error, bias = estimate_response_winnings(exposed, sample, won)
    total = float(parts.sum())
    return RealWorstCase(
        small_bets=total,
        mbb=TO_MBB * total,
        error=TO_MBB * error,
        bias=TO_MBB * bias,
        by_seat=tuple(parts.sum(axis=1).tolist()),
        by_street=tuple(parts.sum(axis=0).tolist()),
        num_flops=len(won),
        seed=seed,
    )


def compute_flop_winnings(
    exposed: ExposedStrategy, flops: list[int], workers: Any, folder: str | Path | None
) -> Floats:
    """Return the winnings of the best response with each starting hand on flops, and save them if a folder is given.

    The winnings are means, and are scaled, as `compute_winnings_on_flops` explains. Each flop is saved to a file of its
    own.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which it responds.
    flops : list of int
        The indices of n flops among the canonical flops.
    workers : int, distributed.Client or str
        The number of threads, or a cluster.
    folder : path or None
        A folder in which the winnings on each flop are saved. Flops that were saved by an earlier call are not computed
        again.

    Returns
    -------
    ndarray of shape (n, 2, 3, 169, starts)
        The axes are the flop, the seat, the street on which hands end, the starting hand, and the start of the flop's
        betting.
    """
    work_divider = choose_work_divider(workers)
    flops_per_batch = (
        FLOPS_AT_ONCE if is_cluster(workers) else max(1, PIECES_PER_THREAD * (workers - 1))
    )
    winnings = dict[int, Floats]()
    with ExitStack() as stack:
        # Load the flops of earlier calls. While this call runs, no other process may write to the folder.
        if folder is not None:
            home = validate_path("checkpoint", folder)
            identity = make_flop_file_identity(exposed)
            stack.callback(acquire_file_lock(home / "flops").release)
            for flop in flops:
                saved_winnings = load_flop_winnings(home / f"{flop}.npz", identity, exposed)
                if saved_winnings is not None:
                    winnings[flop] = saved_winnings

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
            parts = work_divider(partial(compute_winnings_on_flops, exposed, batch), 0, len(batch))
            for flop, flop_winnings in zip(batch, np.concatenate(parts), strict=True):
                winnings[flop] = flop_winnings
                if folder is not None:
                    SavedFile(identity, {"won": flop_winnings}).save(home / f"{flop}.npz")
                bar.update()
    return np.array([winnings[flop] for flop in flops])


def make_flop_file_identity(exposed: ExposedStrategy) -> dict[str, str]:
    """Return what identifies files of winnings on flops: their format, the game, and a digest of the strategy.

    A file of another game or strategy has another identity, and is not loaded.
    """
    game = exposed.profile.game
    digested = {f"bounds {street}": bounds for street, bounds in enumerate(game.buckets.bounds)}
    digested["play"] = exposed.profile.decision_probabilities
    return {"format": FORMAT, "game": game.fingerprint, "strategy": compute_arrays_digest(digested)}


def load_flop_winnings(
    path: Path, identity: Mapping[str, Any], exposed: ExposedStrategy
) -> Floats | None:
    """Return the winnings on a flop from a file, or None if there is no file or it is damaged.

    A damaged file leads to a warning.

    Parameters
    ----------
    path : Path
        The file.
    identity : mapping
        What the file must be for, from `make_flop_file_identity`.
    exposed : ExposedStrategy
        The strategy, whose game decides the shape of the array.

    Returns
    -------
    ndarray of shape (2, 3, 169, starts), or None
        The axes are the seat, the street on which hands end, the starting hand, and the start of the flop's betting.

    Raises
    ------
    CheckpointError
        If the file is from another game or strategy.
    """
    if not path.exists():
        return None
    num_starts = int(exposed.profile.game.lanes.streets["starts"][FLOP])
    num_starting_hands = build_hand_classes(2).size
    wanted = (NUM_SEATS, NUM_STREETS - 1, num_starting_hands, num_starts)
    try:
        won = SavedFile.load(path, FORMAT, identity).arrays.get("won")
        if not isinstance(won, np.ndarray) or won.dtype != np.float64 or won.shape != wanted:
            raise FileFormatError(f"it does not hold numbers of shape {wanted}")
        if not np.isfinite(won).all():
            raise FileFormatError("it holds numbers that are not finite")
    except CheckpointError:
        raise
    except FileFormatError as error:
        warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
        return None
    return won


def compute_winnings_on_flops(
    exposed: ExposedStrategy, flops: list[int], low: int, high: int
) -> Floats:
    """Return the winnings of the best response with each starting hand, on a part of a list of flops.

    They are means over the holdings that are the same starting hand, of which those that share a card with the flop win
    nothing. And they are multiplied by `FLOPS_PER_POSSIBLE`. So their mean over all flops is the mean over the flops
    that are possible when both players' hole cards are dealt.

    Parameters
    ----------
    exposed : ExposedStrategy
        The strategy to which the best response responds.
    flops : list of int
        The indices of flops among the canonical flops.
    low, high : int
        The part is `flops[low:high]`. It is given by two numbers because `choose_work_divider` divides work so.

    Returns
    -------
    ndarray of shape (high - low, 2, 3, 169, starts)
        The axes of `compute_flop_winnings`: flop, seat, street on which hands end, starting hand, and start of the
        flop's betting.
    """
    boards = list_canonical_boards(3)[0][flops[low:high]]
    by_holding = np.array([exposed.compute_flop_winnings_in_seats(board) for board in boards])
    return FLOPS_PER_POSSIBLE * average_over_starting_hands(by_holding)
