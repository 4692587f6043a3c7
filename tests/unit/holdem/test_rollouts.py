"""Sampled win probabilities: distributed as if dealt, the same for hands alike, and near if many."""

import numpy as np
import pytest

from pokerlab.holdem import hand_expectations
from pokerlab.holdem.buckets import build_half_pot_histogram, make_buckets
from pokerlab.holdem.cards import HOLDINGS, RIVER
from pokerlab.holdem.equity import NUM_COMPARISONS
from pokerlab.holdem.hand_classes import build_hand_classes
from studies.samothrakis2011.tables import compare_exact_and_sampled_buckets, compute_bucket_overlap

SEED = 1
STANDARD_ERRORS = 4.5
FLOPS = np.array([3, 700, 1200])


def chances_on_flops() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return P(win) and P(tie) on some flops and where hands can be."""
    wins, ties = hand_expectations.load_win_and_tie_counts(1, FLOPS)
    possible = ~hand_expectations.find_impossible_holdings(
        hand_expectations.list_street_boards(1)[0][FLOPS]
    )
    return wins / NUM_COMPARISONS[3], ties / NUM_COMPARISONS[3], possible


@pytest.mark.parametrize("num_deals", [1, 2, 7, 100])
def test_estimates_are_distributed_as_means_of_deals(num_deals: int) -> None:
    wins, ties, possible = chances_on_flops()
    way = hand_expectations.SampledExpectations((1, num_deals, 1, 1), SEED)
    halves = way.count_half_pots(1, FLOPS)
    assert (halves[~possible] == 0).all()
    # Hands that are alike share their deals, so one of each is taken.
    rows, places = np.nonzero(possible)
    cards = np.concatenate(
        [HOLDINGS[places], hand_expectations.list_street_boards(1)[0][FLOPS[rows]]], axis=1
    )
    _, one_each = np.unique(build_hand_classes(2, 3).find_classes(cards), return_index=True)
    pick = rows[one_each], places[one_each]
    win, tie, drawn = wins[pick], ties[pick], halves[pick]
    outcomes = np.stack([win, tie, 1 - win - tie])
    mean = 2 * win + tie
    away = np.array([2.0, 1.0, 0.0])[:, None] - mean
    variance, fourth = (np.sum(outcomes * away**power, axis=0) for power in (2, 4))
    sure = variance < 1e-12
    assert (drawn[sure] == 2 * num_deals).all()
    off = (drawn - num_deals * mean)[~sure] / np.sqrt(num_deals * variance[~sure])
    spread_of_squares = (fourth[~sure] / variance[~sure] ** 2 - 3) / num_deals + 2
    size = len(off)
    assert size > 1500
    assert abs(off.mean()) < STANDARD_ERRORS / np.sqrt(size)
    error = np.sqrt(spread_of_squares.mean() / size)
    assert abs((off**2).mean() - 1) < STANDARD_ERRORS * error
    assert abs((off[:-1] * off[1:]).mean()) < STANDARD_ERRORS / np.sqrt(size)


def test_starting_hands_that_are_alike_share_their_deals() -> None:
    halves = hand_expectations.SampledExpectations((100, 1, 1, 1), SEED).count_half_pots(
        0, np.array([0])
    )[0]
    classes = build_hand_classes(2).find_classes(HOLDINGS.copy())
    for number in range(169):
        assert len(set(halves[classes == number])) == 1
    assert len(set(halves)) > 30


def test_hands_that_are_alike_on_a_flop_share_their_deals() -> None:
    halves = hand_expectations.SampledExpectations((1, 1000, 1, 1), SEED).count_half_pots(1, FLOPS)
    flops = hand_expectations.list_street_boards(1)[0][FLOPS]
    rows, places = np.nonzero(~hand_expectations.find_impossible_holdings(flops))
    cards = np.concatenate([HOLDINGS[places], flops[rows]], axis=1)
    classes = build_hand_classes(2, 3).find_classes(cards)
    order = np.argsort(classes, kind="stable")
    same = np.diff(classes[order]) == 0
    drawn = halves[rows, places][order]
    assert same.sum() > 100
    assert (np.diff(drawn)[same] == 0).all()


def test_sampled_expectations_depend_on_the_seed() -> None:
    one, same, other = (
        hand_expectations.SampledExpectations((1, 1, 1, 10), seed).draw_half_pots(
            3, np.arange(50), np.full(50, 400), np.zeros(50, int)
        )
        for seed in (1, 1, 2)
    )
    assert (one == same).all()
    assert (one != other).any()


def test_the_river_holds_few_different_estimates() -> None:
    way = hand_expectations.SampledExpectations((1, 1, 1, 10), SEED)
    found = build_half_pot_histogram(
        hand_expectations.build_half_pot_table(way, RIVER),
        RIVER,
        way.count_half_pots_of_sure_win(RIVER),
    )
    assert found.half_pots.tolist() == list(range(21))
    assert found.hands.sum() == 2_598_960 * 1081
    mean = found.half_pots @ found.hands / found.hands.sum() / 20
    # Eight million classes of hands were dealt to, of unequal sizes.
    assert mean == pytest.approx(0.5, abs=3e-4)
    assert hand_expectations.find_river_kinds().hands_of_type_pairs.astype(bool).sum() > 7_000_000


def test_river_numbers_are_those_of_recordings() -> None:
    numbers = hand_expectations.find_river_stream_indices()
    assert sorted(numbers) == list(range(42_783))
    found, way = (
        hand_expectations.find_river_kinds(),
        hand_expectations.SampledExpectations((1, 1, 1, 10), SEED),
    )
    plain = np.argsort(numbers)[[0, 3_000, 6_174]]
    assert (found.boards[plain] // 4).tolist() == [
        [4, 4, 3, 1, 1],
        [12, 10, 9, 5, 3],
        [11, 11, 8, 8, 7],
    ]
    drawn = way.count_half_pots(RIVER, plain)[:, [5, 40, 85]]
    assert drawn.tolist() == [[10, 20, 14], [6, 4, 18], [2, 20, 17]]


def test_hands_are_mixed_by_noise_between_neighbors() -> None:
    buckets = make_buckets(6, seed=1)
    before_flop = compute_bucket_overlap(
        buckets, buckets, hand_expectations.SampledExpectations((10**5, 1, 1, 1), SEED), 0
    )
    river = compute_bucket_overlap(
        buckets, buckets, hand_expectations.SampledExpectations((1, 1, 1, 10), SEED), RIVER
    )
    rank = np.arange(6)
    far = np.abs(rank[:, None] - rank)
    assert before_flop[far > 1].max() == 0
    assert np.diagonal(before_flop).min() > 0.9
    assert (river[far == 1] > 0.05).all()
    assert 0 < river[far == 2].max() < 0.2
    assert river.sum(axis=1) == pytest.approx(1)


@pytest.mark.slow
def test_the_papers_budgets_blur_the_showdown() -> None:
    noise = compare_exact_and_sampled_buckets(6)
    assert noise.misplaced_shares[0] < 0.02
    assert noise.misplaced_shares[1:] == pytest.approx([0.26, 0.22, 0.44], abs=0.01)
    assert noise.exact.showdown[1, 0] > 0.999
    assert 0.75 < noise.sampled.showdown[1, 0] < 0.85
