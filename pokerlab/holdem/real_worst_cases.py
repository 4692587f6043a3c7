"""The worst case of a bucketed strategy with real cards: the value of a best response that sees cards, not buckets.

Once the betting before the flop is known, every flop is a game of its own: what the best response wins
there is computed for each starting hand and each start of the flop's betting. Only decisions before the flop depend on
the mean over flops. So flops can be computed by several workers, kept one by one, and sampled. One pass over
the public tree suffices, because the opponent does not see the responder's cards (Johanson and others, IJCAI 2011).

The strategy knows nothing of a hand but its buckets. So its reach probability on a line of betting with a hand is a
product with a factor for each street, by the bucket there; `StreetBetting` has the factors of one street for all its
starts. They are the *weights* with which hands come to a street. The responder knows its two cards, and the
opponent cannot hold these. So a sum over the opponent's hands is that over all hands, less those with the one card and
those with the other; the same hand, taken off twice, is added again.

Winnings are kept apart by the street on which hands end: in *parts*, from the present street on. On the river, where
most of the time is spent, many lines of betting are played side by side: see `pokerlab.holdem.river_lines`.

Cards to come that suits make equivalent are dealt once. *Symmetries* are the renamings of suits that do not change
the cards seen so far. Of cards that differ by a symmetry alone one is dealt, and counts for all; since the responder's
own cards would be renamed too, its winnings are then averaged over the symmetries.

Before the flop the best response goes by its mean winnings over all flops, or over a sample. Flops are of six kinds, by
how many suits and ranks they have, and the sample has each kind's share. A control variate removes most of the
variance: a responder that sees no more than buckets wins more on some flops than on others too, and this can be
computed for all flops in a second. So the winnings on a flop are corrected by those in buckets.

Choosing the best of inexact numbers has an upward bias. What is best on one half of the flops, evaluated on
the other, is too low on average; so the bias is at most the difference.
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
from pokerlab.core.cache import compute_digest
from pokerlab.core.errors import SettingError
from pokerlab.core.files import checked_path
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.saved_files import SavedFile, acquire_lock
from pokerlab.core.settings import checked_integer
from pokerlab.core.workers import PIECES_PER_THREAD, PROGRESS_AFTER, choose_work_divider, is_cluster
from pokerlab.holdem.betting_tree import DECISION, NUM_SEATS
from pokerlab.holdem.bucket_passes import BEST, START_PLACE, pass_down_and_up
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
    RENAMED_HOLDINGS,
    RIVER,
    SUIT_RENAMINGS,
    TURN,
    Cards,
    build_hand_classes,
    list_canonical_boards,
)
from pokerlab.holdem.equity import find_all_win_probabilities
from pokerlab.holdem.real_player import make_structure
from pokerlab.holdem.river_lines import (
    LINES,
    Floats32,
    RiverHands,
    StreetBetting,
    build_streets,
    fill_real_best_response,
    find_end_payoffs,
    pack_lines,
    play_rivers,
    sort_hands,
)

NO_CHOICE = np.zeros((0, 0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class ExposedStrategy:
    """A strategy that is exposed, in both seats, to a best response with real cards.

    Methods return what the best response wins, street by street.

    Attributes
    ----------
    profile : BucketedProfile
        The strategy.
    missing : tuple of int
        Cards that the deck lacks.
    """

    profile: BucketedProfile
    missing: tuple[int, ...] = ()

    @cached_property
    def against(self) -> list[tuple[StreetBetting, ...]]:
        """The betting of the four streets, for each seat of the best response."""
        return [build_streets(self.profile, player) for player in range(NUM_SEATS)]

    @cached_property
    def lines(self) -> list[tuple[Ints, Floats32]]:
        """For each seat of the best response the lines of betting that lead to the river, and what their ends pay."""
        found = []
        for streets in self.against:
            most = np.ones((1, 1))
            for here in streets[:RIVER]:
                most = (most * here.reach.max(axis=1)[here.deals]).reshape(1, -1)
            lines = np.flatnonzero(most[0])
            found.append((lines, find_end_payoffs(streets[RIVER], lines)))
        return found

    def find_labels(self, boards: Cards) -> Ints:
        """Return the buckets of all hands on boards; -1 for impossible hands.

        Parameters
        ----------
        boards : ndarray of uint8, shape (n, k)

        Returns
        -------
        ndarray of int64, shape (n, 1326)
        """
        values = find_all_win_probabilities(boards)
        bounds = self.profile.game.buckets.bounds[BOARD_SIZES.index(boards.shape[1])]
        absent = np.isnan(values) | HOLDS_CARD[list(self.missing)].any(axis=0)
        return np.where(absent, -1, np.searchsorted(bounds, values, side="right"))

    def find_symmetries(self, cards: Cards) -> Ints:
        """Return the symmetries of a set of cards: the rows of SUIT_RENAMINGS that change neither it nor the deck."""
        is_symmetry = np.ones(len(SUIT_RENAMINGS), bool)
        for kept_cards in (np.array(self.missing, np.int64), cards):
            images = kept_cards - kept_cards % NUM_SUITS + SUIT_RENAMINGS[:, kept_cards % NUM_SUITS]
            is_symmetry &= (np.sort(images, axis=1) == np.sort(kept_cards)).all(axis=1)
        return np.flatnonzero(is_symmetry)

    def deal_next_cards(
        self, board: Cards, symmetries: Ints
    ) -> Iterator[tuple[Cards, float, Ints]]:
        """Yield boards with one card more, one board for each class of equivalent cards.

        Parameters
        ----------
        board : ndarray of uint8, shape (k,)
        symmetries : ndarray of int64
            The symmetries of the board.

        Yields
        ------
        longer_board : ndarray of uint8, shape (k + 1,)
        probability : float
            The probability that a card of the class comes, given two hands.
        symmetries : ndarray of int64
            The symmetries of the longer board.
        """
        left = np.setdiff1d(np.arange(NUM_CARDS), [*board, *self.missing])
        num_possible = len(left) - 2 * NUM_SEATS  # without the hole cards of both hands
        for card in left:
            images = card - card % NUM_SUITS + SUIT_RENAMINGS[symmetries, card % NUM_SUITS]
            is_first_of_class = card == images.min()
            if is_first_of_class:
                probability = len(np.unique(images)) / num_possible
                longer_board = np.append(board, np.uint8(card))
                yield longer_board, probability, symmetries[images == card]

    def find_preflop_weights(self) -> tuple[Ints, Floats]:
        """Return the buckets of hands before the flop, and the weights of the opponent's hands.

        Returns
        -------
        label : ndarray of int64, shape (1326,)
        weights : ndarray of shape (1326, 1)
        """
        label = self.find_labels(np.zeros((1, 0), np.uint8))[0]
        return label, np.where(label < 0, 0.0, 1.0)[:, None]

    def find_flop_winnings(self, flop: Cards) -> list[Floats]:
        """Return for each seat what the best response wins from a flop on with each hand.

        It is summed over the opponent's hands and averaged over the cards to come; 0 for impossible hands.

        Returns
        -------
        list of 2 ndarray of shape (3, 1326, starts)
            The first axis is the street on which hands end.
        """
        label, weights = self.find_preflop_weights()
        symmetries = self.find_symmetries(flop)
        won = []
        for player, streets in enumerate(self.against):
            on_flop = streets[0].move_weights(weights, label)
            won.append(self.find_street_winnings(player, flop, symmetries, [label], on_flop))
        return won

    def find_street_winnings(
        self, player: int, board: Cards, symmetries: Ints, before: list[Ints], weights: Floats
    ) -> Floats:
        """Return what the best response wins from a board on with each hand, by the street on which hands end.

        Parameters
        ----------
        player : int
            The seat of the best response.
        board : ndarray of uint8, shape (k,)
        symmetries : ndarray of int64
            The symmetries of the board.
        before : list of ndarray of int64, shape (1326,)
            The buckets of the hands on each of the streets before.
        weights : ndarray of shape (1326, starts)
            The weights with which the opponent's hands come to this street.

        Returns
        -------
        ndarray of shape (P, 1326, starts)
            The first axis are the parts: this street and those that follow.
        """
        street = len(before)
        label = self.find_labels(board[None])[0]
        labels = [*before, label]
        here = self.against[player][street]
        weights = np.where(label[:, None] < 0, 0.0, weights)
        parts = np.zeros((NUM_STREETS - street, *weights.shape))
        if not weights.any():
            return parts

        # What is won on later streets, averaged over the next cards and the board's symmetries.
        if street == TURN:
            later = self.find_river_winnings(player, board, symmetries, labels, weights)
        else:
            moved = here.move_weights(weights, label)
            later = np.zeros((RIVER - street, *moved.shape))
            for longer_board, probability, longer_symmetries in self.deal_next_cards(
                board, symmetries
            ):
                won_after = self.find_street_winnings(
                    player, longer_board, longer_symmetries, labels, moved
                )
                later += probability * won_after
        if len(symmetries) > 1:
            later = np.ascontiguousarray(later[:, RENAMED_HOLDINGS[symmetries]].mean(axis=1))

        fill_real_best_response(here, label, weights, later, parts, NO_CHOICE)
        return parts

    def find_river_winnings(
        self, player: int, turn: Cards, symmetries: Ints, labels: list[Ints], weights: Floats
    ) -> Floats:
        """Return what the best response wins on the rivers of a turn with each hand, averaged over them.

        Parameters
        ----------
        player : int
            The seat of the best response.
        turn : ndarray of uint8, shape (4,)
        symmetries : ndarray of int64
            The symmetries of the turn.
        labels : list of ndarray of int64, shape (1326,)
            The buckets of the hands on each street up to the turn.
        weights : ndarray of shape (1326, starts)
            The weights with which the opponent's hands come to the turn.

        Returns
        -------
        ndarray of shape (1, 1326, starts)
        """
        all_rivers, probabilities, _ = zip(*self.deal_next_cards(turn, symmetries), strict=True)
        boards = np.array(all_rivers)
        live = labels[-1] >= 0
        hands = np.empty((len(boards), NUM_HOLDINGS), np.int32)
        num_hands = sort_hands(boards, live, hands)

        # Hands with the same buckets on all streets so far are of one kind: they come with the same weights.
        code = np.where(live, np.ravel_multi_index(np.maximum(labels, 0), (256,) * RIVER), -1)
        first, kind = np.unique(code, return_index=True, return_inverse=True)[1:]
        label = self.find_labels(boards).astype(np.uint8)
        rivers = RiverHands(hands[:, :num_hands], label, np.array(probabilities, np.float32), kind)
        kind_weights = self.against[player][TURN].move_weights(weights[first], labels[-1][first])

        # Play the lines of betting in blocks, and put the winnings back to the starts of all lines.
        lines, term = self.lines[player]
        won = np.zeros((len(term), NUM_HOLDINGS, LINES), np.float32)
        acts_first = np.float32(self.against[player][RIVER].nodes["actor"][0] == player)
        levels = (acts_first,) * self.profile.game.tree.raise_cap
        play_rivers(levels, rivers, pack_lines(kind_weights[:, lines]), term, won)
        by_start = np.zeros((1, NUM_HOLDINGS, kind_weights.shape[1]))
        by_start[0, :, lines] = np.moveaxis(won, 1, 2).reshape(-1, NUM_HOLDINGS)[: len(lines)]
        return by_start


LEAST_FLOPS = 12
"""One of each kind for each half of the flops."""
FLOPS_PER_POSSIBLE = comb(NUM_CARDS, 3) / comb(NUM_CARDS - 4, 3)
"""The number of all flops over that of flops which two given holdings allow."""
NUM_OTHERS, NUM_OTHERS_ON_FLOP = comb(NUM_CARDS - 2, 2), comb(NUM_CARDS - 5, 2)
"""How many holdings the opponent may have, given the own one, before and on the flop."""


class StartingHands(NamedTuple):
    """The 169 starting hands, classes of holdings that differ by the names of suits alone.

    Attributes
    ----------
    of_holding : ndarray of int64, shape (1326,)
        The starting hand of each holding.
    sizes : ndarray of int64, shape (169,)
        How many holdings are of each starting hand.
    """

    of_holding: Ints
    sizes: Ints


@cache
def group_starting_hands() -> StartingHands:
    """Return the starting hand of each holding, and the number of holdings of each."""
    of_holding = np.asarray(build_hand_classes(2).index_hands(HOLDINGS.copy()))
    return StartingHands(of_holding, np.bincount(of_holding))


ALL_FLOPS = slice(None)


class Flops(NamedTuple):
    """Chosen flops: n flops of K kinds.

    Attributes
    ----------
    canonical : ndarray of int64, shape (n,)
        The index of each flop among the canonical flops.
    kind : ndarray of int64, shape (n,)
        The kind of each flop.
    shares : ndarray of shape (K,)
        The share of each kind among all flops.
    sizes : ndarray of int64, shape (K,)
        How many canonical flops there are of each kind.
    """

    canonical: Ints
    kind: Ints
    shares: Floats
    sizes: Ints

    def find_weights(self, chosen: Ints | slice = ALL_FLOPS) -> Floats:
        """Return the weight of each chosen flop in a mean: a kind's share is divided among its flops."""
        kind = self.kind[chosen]
        return np.asarray(self.shares[kind] / np.bincount(kind)[kind])


def choose_flops(count: int | None, seed: int | None) -> Flops:
    """Return all flops, or a stratified sample of them with each kind's share.

    Parameters
    ----------
    count : int, optional
        How many flops to draw, 12 or more; None for all.
    seed : int, optional
        The seed of the draw.

    Raises
    ------
    SettingError
        If there are too few or too many, or the seed is missing.
    """
    boards, times = list_canonical_boards(3)
    num_suits = [len(set(row)) for row in boards % NUM_SUITS]
    num_ranks = [len(set(row)) for row in boards // NUM_SUITS]
    kind = np.unique(np.array([num_suits, num_ranks]), axis=1, return_inverse=True)[1].ravel()
    sizes = np.bincount(kind)
    shares = np.bincount(kind, times) / times.sum()
    if count is None:
        return Flops(np.arange(len(boards)), kind, shares, sizes)
    checked_integer("flops", count, LEAST_FLOPS, len(boards))
    if seed is None:
        raise SettingError(f"{count} flops are to be drawn; give a seed, or flops=None for all.")

    # How many flops of each kind: one more of the kind that lacks most of its share, again and again.
    num_drawn = np.full(len(sizes), LEAST_FLOPS // len(sizes))
    while num_drawn.sum() < count:
        lacking = np.where(num_drawn < sizes, count * shares - num_drawn, -np.inf)
        num_drawn[np.argmax(lacking)] += 1

    drawn = []
    for k, size in enumerate(num_drawn):
        of_kind = random_stream(seed, "flops", k).permutation(np.flatnonzero(kind == k))
        drawn.append(of_kind[:size])
    number = np.concatenate(drawn)
    return Flops(number, kind[number], shares, sizes)


class PreflopPlan(NamedTuple):
    """The best response before the flop, for one seat.

    Attributes
    ----------
    parts : ndarray of shape (4,)
        What it wins, in small bets, by the street on which the hand ends.
    counts : ndarray of shape (169, starts)
        The weight with which it gets what is won from each start of the flop on.
    fixed : float
        What it wins in hands that end before the flop.
    """

    parts: Floats
    counts: Floats
    fixed: float


def plan_preflop(exposed: ExposedStrategy, player: int, mean: Floats) -> PreflopPlan:
    """Return the best response before the flop, given what is won on average from the flop on.

    Parameters
    ----------
    exposed : ExposedStrategy
    player : int
        The seat of the best response.
    mean : ndarray of shape (3, 169, starts)
        The mean over flops of what is won, by last street, starting hand and start of the flop's betting.
    """
    betting = exposed.against[player][0]
    label, weights = exposed.find_preflop_weights()
    parts = np.zeros((NUM_STREETS, NUM_HOLDINGS, 1))
    choices = np.zeros((len(betting.nodes), NUM_HOLDINGS, 1), np.int64)
    by_holding = np.take(mean, group_starting_hands().of_holding, axis=1)
    fill_real_best_response(betting, label, weights, by_holding, parts, choices)

    # The own reach of each node with each holding, times the probability of a deal of both hands.
    deal_probability = 1.0 / (NUM_HOLDINGS * NUM_OTHERS)
    reach = np.full((len(betting.nodes), NUM_HOLDINGS), deal_probability)
    for k in np.flatnonzero(betting.nodes["kind"] == DECISION):
        is_own = betting.nodes["actor"][k] == player
        for child in betting.nodes["child"][k]:
            if child >= 0:
                reach[child] = reach[k] * (choices[k, :, 0] == child) if is_own else reach[k]

    counts = average_starting_hands(reach[betting.deals].T) * group_starting_hands().sizes[:, None]
    won = parts.sum(axis=(1, 2)) * deal_probability
    won_after_flop = (counts * mean.sum(axis=0)).sum()
    return PreflopPlan(won, counts, float(won.sum() - won_after_flop))


def average_starting_hands(by_holding: Floats) -> Floats:
    """Return the means over the holdings of each starting hand.

    Parameters
    ----------
    by_holding : ndarray of shape (..., 1326, n)

    Returns
    -------
    ndarray of shape (..., 169, n)
    """
    hands, sizes = group_starting_hands()
    together = by_holding[..., np.argsort(hands, kind="stable"), :]
    sums = np.add.reduceat(together, np.cumsum(sizes) - sizes, axis=-2)
    return np.asarray(sums / sizes[:, None])


def find_bucketed_winnings(exposed: ExposedStrategy) -> Floats:
    """Return what a best response that sees buckets only wins from each canonical flop on.

    Returns
    -------
    ndarray of shape (1755, 2, 169, starts)
        By flop, seat, starting hand and start of the flop's betting.
    """
    game, strategy = exposed.profile.game, exposed.profile.kernel_strategy
    lanes, chance_probabilities = game.lanes, game.chance_probabilities.copy()
    num_before, num_after = game.buckets.counts[:2]
    block, starts = lanes.streets["block"][FLOP], lanes.streets["starts"][FLOP]
    before = exposed.find_preflop_weights()[0]
    labels = exposed.find_labels(list_canonical_boards(3)[0])
    hands, sizes = group_starting_hands()
    won = np.zeros((len(labels), NUM_SEATS, len(sizes), starts))
    for flop, player in product(range(len(labels)), range(NUM_SEATS)):
        live = labels[flop] >= 0
        label = labels[flop][live]

        # The first buckets and their transitions as they are on this flop.
        moves = np.bincount(before[live] * num_after + label, minlength=num_before * num_after)
        moves = moves.reshape(num_before, -1)
        chance_probabilities[START_PLACE, 0, :num_before] = moves.sum(axis=1) / len(label)
        chance_probabilities[0, :num_before, :num_after] = moves / np.maximum(
            moves.sum(axis=1, keepdims=True), 1
        )
        work = pass_down_and_up(
            lanes, chance_probabilities, strategy, strategy, player, BEST, NO_ROWS
        )
        values = work.start_values[block]

        # From values of buckets to those of starting hands, by the shares of their holdings in each bucket.
        holdings = np.bincount(hands[live] * num_after + label, minlength=len(sizes) * num_after)
        shares = holdings.reshape(-1, num_after) / sizes[:, None]
        won[flop, player] = (
            FLOPS_PER_POSSIBLE * NUM_OTHERS_ON_FLOP * shares @ values[:num_after, :starts]
        )
    return won


def estimate_response_winnings(
    exposed: ExposedStrategy, flops: Flops, won: Floats
) -> tuple[Floats, float, float]:
    """Return the winnings of a best response, their standard error, and a bound of their bias.

    Parameters
    ----------
    exposed : ExposedStrategy
    flops : Flops
        The n flops that are computed.
    won : ndarray of shape (n, 2, 3, 169, starts)
        What is won from these flops on.

    Returns
    -------
    parts : ndarray of shape (2, 4)
        Small bets by seat and by the street on which hands end.
    error, bias : float
        The standard error and the bound of the bias of the sum; 0 if all flops are computed.
    """
    # A control variate, zero on average over all flops.
    in_buckets = find_bucketed_winnings(exposed)
    mean = np.tensordot(choose_flops(None, None).find_weights(), in_buckets, 1)
    won = won.copy()
    won[:, :, -1] += mean - in_buckets[flops.canonical]

    def plan_both_seats(chosen: Ints | slice) -> list[PreflopPlan]:
        """Return the best response before the flop in both seats, given some of the flops."""
        means = np.tensordot(flops.find_weights(chosen), won[chosen], 1)
        return [plan_preflop(exposed, player, of_seat) for player, of_seat in enumerate(means)]

    def pay_by_flop(plans: list[PreflopPlan]) -> Floats:
        """Return what a best response before the flop wins on each flop, in both seats together."""
        counts = np.array([plan.counts for plan in plans])
        fixed = sum(plan.fixed for plan in plans)
        return np.asarray(fixed + np.tensordot(won.sum(axis=2), counts, 3))

    plans = plan_both_seats(ALL_FLOPS)
    parts = np.array([plan.parts for plan in plans])
    num_drawn = np.bincount(flops.kind)
    if (num_drawn == flops.sizes).all():
        return parts, 0.0, 0.0

    # The standard error of a stratified sample without replacement.
    by_flop = pay_by_flop(plans)
    spread = by_flop - (np.bincount(flops.kind, by_flop) / num_drawn)[flops.kind]
    variance = np.bincount(flops.kind, spread**2) / (num_drawn - 1)
    error = np.sqrt((flops.shares**2 * (1 - num_drawn / flops.sizes) * variance / num_drawn).sum())

    # What is best on one half of the flops, evaluated on the other.
    even, odd = np.arange(0, len(by_flop), 2), np.arange(1, len(by_flop), 2)
    crossed = []
    for own, other in ((even, odd), (odd, even)):
        crossed.append(flops.find_weights(other) @ pay_by_flop(plan_both_seats(own))[other])
    bias = max(float(parts.sum() - np.mean(crossed)), 0.0)
    return parts, float(error), bias


FORMAT = "pokerlab replies on a flop 1"
TO_MBB = 1000.0 / NUM_SEATS
FLOPS_AT_ONCE = 64
"""Flops that a cluster computes before they are kept."""


class RealWorstCase(NamedTuple):
    """The winnings of a best response with real cards.

    Attributes
    ----------
    small_bets : float
        In both seats together: the exploitability with real cards.
    mbb : float
        A hand, on average over the seats, in thousandths of the big blind, which is a small bet.
    error : float
        The standard error of `mbb`; 0 if all flops are computed.
    bias : float
        A bound of the bias of `mbb`, which is too large on average; 0 if all flops are computed.
    by_seat : tuple of 2 float
        Small bets on the button, and in the big blind.
    by_street : tuple of 4 float
        Small bets in both seats, by the street on which hands end.
    num_flops : int
        How many flops are computed.
    seed : int or None
        The seed by which they were drawn, if they were.
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
    """Return what a best response with real cards wins from a profile, in both seats.

    It is exact up to the rounding of float32. All flops take one core two to three hours, a hundred some eight minutes;
    less if the profile never comes to most lines of betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile, with the betting of tables.
    profile : BucketedProfile
        The strategy; it plays its hands by the bucket of their exact win probability.
    flops : int, optional
        How many of the 1,755 flops that suits leave different are drawn, 12 or more; all if left out.
    seed : int, optional
        Of the flops.
    workers : int, distributed.Client or str
        Threads, 1 to 256; or a cluster.
    client : distributed.Client or str, optional
        A cluster in place of `workers`.
    checkpoint : path, optional
        A folder that keeps the winnings on each flop: a call that was stopped or killed goes on from there. A damaged
        file is made again, with a warning.

    Returns
    -------
    RealWorstCase

    Raises
    ------
    SettingError
        If a number is out of range, a seed is missing, or no table has the betting.
    CheckpointError
        If the folder keeps another strategy, or another process uses it.
    """
    check_bucketed_profile(game, profile)
    make_structure(profile)  # raises an error if no table has the betting
    chosen = choose_flops(flops, seed)
    exposed = ExposedStrategy(profile)
    won = compute_flops(exposed, chosen.canonical.tolist(), client or workers, checkpoint)
    parts, error, bias = estimate_response_winnings(exposed, chosen, won)
    by_seat, by_street = (tuple(parts.sum(axis=axis).tolist()) for axis in (1, 0))
    total = float(parts.sum())
    in_mbb = TO_MBB * total, TO_MBB * error, TO_MBB * bias
    return RealWorstCase(total, *in_mbb, by_seat, by_street, len(won), seed)


def compute_flops(
    exposed: ExposedStrategy, flops: list[int], workers: Any, folder: str | Path | None
) -> Floats:
    """Return what the best response wins from flops on; a folder saves it flop by flop.

    Parameters
    ----------
    exposed : ExposedStrategy
    flops : list of int
        The n canonical flops.
    workers : int, distributed.Client or str
        Threads, or a cluster.
    folder : path, optional
        The folder with the winnings of earlier calls.

    Returns
    -------
    ndarray of shape (n, 2, 3, 169, starts)
        By flop, seat, last street, starting hand and start of the flop's betting.
    """
    work_divider, winnings = choose_work_divider(workers), dict[int, Floats]()
    at_once = FLOPS_AT_ONCE if is_cluster(workers) else max(1, PIECES_PER_THREAD * (workers - 1))
    with ExitStack() as stack:
        if folder is not None:
            home, game = checked_path("checkpoint", folder), exposed.profile.game
            digested = {f"bounds {k}": each for k, each in enumerate(game.buckets.bounds)}
            digested["play"] = exposed.profile.decision_probabilities
            identity = {
                "format": FORMAT,
                "game": game.fingerprint,
                "strategy": compute_digest(digested),
            }
            stack.callback(acquire_lock(home / "flops").release)
            for flop in flops:
                saved = load_flop(home / f"{flop}.npz", identity, exposed)
                if saved is not None:
                    winnings[flop] = saved
        missing = [flop for flop in flops if flop not in winnings]
        bar = tqdm(
            total=len(flops),
            initial=len(winnings),
            unit=" flops",
            delay=PROGRESS_AFTER,
            leave=False,
        )
        stack.enter_context(bar)
        for begin in range(0, len(missing), at_once):
            batch = missing[begin : begin + at_once]
            parts = work_divider(partial(compute_some_flops, exposed, batch), 0, len(batch))
            for flop, won in zip(batch, np.concatenate(parts), strict=True):
                winnings[flop] = won
                if folder is not None:
                    SavedFile(identity, {"won": won}).save(home / f"{flop}.npz")
                bar.update()
    return np.array([winnings[flop] for flop in flops])


def load_flop(path: Path, about: Mapping[str, Any], exposed: ExposedStrategy) -> Floats | None:
    """Return the winnings on a flop from a file; None if there is no file, or it is damaged.

    Returns
    -------
    ndarray of shape (2, 3, 169, starts), or None
        As in `compute_flops`.
    """
    if not path.exists():
        return None
    beginnings = int(exposed.profile.game.lanes.streets["starts"][FLOP])
    wanted = (NUM_SEATS, NUM_STREETS - 1, build_hand_classes(2).size, beginnings)
    try:
        won = SavedFile.load(path, FORMAT, about).arrays.get("won")
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


def compute_some_flops(exposed: ExposedStrategy, flops: list[int], low: int, high: int) -> Floats:
    """Return what the best response wins from some consecutive flops of a list on, as `compute_flops` returns it.

    The flops are `low` to `high` - 1 of the list.
    """
    boards = list_canonical_boards(3)[0][flops[low:high]]
    return FLOPS_PER_POSSIBLE * average_starting_hands(
        np.array([exposed.find_flop_winnings(board) for board in boards])
    )
