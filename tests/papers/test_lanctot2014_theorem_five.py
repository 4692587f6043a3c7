"""Theorem 5 of Lanctot fails in small examples, decided in fractions; the bound that replaces it holds."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

import pokerlab as pl
from pokerlab.core import random_stream
from pokerlab.games import SequenceForm, compile_rules
from pokerlab.solvers import ReplicatorDynamics
from studies.lanctot2014 import drawings, regret, theorem_five
from tests.random_games import random_rules

ROUNDING = 1e-9
FIRST_STEP = 303
"""When the theorem first fails in the small game."""
FEWEST_STEPS = ((2, 8), (1, 10)), ((1, 2), (10, 5))
"""Of the cyclic games with payoffs from 1 to 10 that meet the condition, one in which it fails first."""
ZERO_SUM = ((10, 9), (5, 10)), ((5, 6), (10, 5))
ZERO_SUM_STEPS = 1131
"""A zero-sum game (plus a constant, 15) in which the theorem fails, and when it first does."""


def small_game(steps: int) -> theorem_five.RegretAndBound:
    play, _ = theorem_five.play_replicators_in_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, steps
    )
    return theorem_five.compute_regret_and_theorem_five_bound(
        play, float(np.ptp(theorem_five.ROW_PAYOFFS))
    )


def account_for_blocks(*blocks: tuple[tuple[int, ...], int]) -> theorem_five.RegretAndBound:
    """Return the account of a learner that meets each block's payoffs as often as its count says."""
    payoffs = np.array([payoff for payoff, count in blocks for _ in range(count)])
    play = theorem_five.play_replicator_against_payoffs(payoffs)
    return theorem_five.compute_regret_and_theorem_five_bound(play, float(np.ptp(payoffs)))


def bound_at(account: theorem_five.RegretAndBound, rate: float, *blocks: tuple[int, ...]) -> float:
    spread, size = float(np.ptp(blocks)), len(blocks[0])
    return theorem_five.compute_theorem_five_bound_at_rate(rate, account.squared_loss, size, spread)


def assert_violated(
    certificate: theorem_five.Certificate, account: theorem_five.RegretAndBound
) -> None:
    """Assert that fractions decide against the theorem, and that the account in floats agrees with them."""
    assert certificate.largest_rate <= 0.5  # the theorem's condition
    assert certificate.regret > certificate.bound
    assert float(certificate.regret) == pytest.approx(account.regret, rel=ROUNDING)
    assert float(certificate.bound) == pytest.approx(account.bound, rel=1e-4)
    assert float(certificate.largest_rate) == pytest.approx(account.largest_rate, rel=ROUNDING)


def test_theorem_five_fails_against_two_blocks_of_payoffs() -> None:
    blocks = theorem_five.TWO_BLOCKS
    certificate = theorem_five.certify_regret_and_bound(
        theorem_five.iterate_enclosed_steps_against_payoffs(blocks), 3
    )
    account = theorem_five.compute_regret_and_theorem_five_bound(
        theorem_five.play_replicator_against_payoffs(blocks), 3.0
    )
    assert_violated(certificate, account)


def test_theorem_five_fails_in_the_small_game() -> None:
    first, second = theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS
    steps = theorem_five.NUM_STEPS
    certificate = theorem_five.certify_regret_and_bound(
        theorem_five.iterate_enclosed_steps_of_matrix_game(first, second, steps), 7
    )
    assert certificate.regret >= Fraction(3, 2) * certificate.bound
    assert_violated(certificate, small_game(steps))
    assert small_game(steps - 1).regret_over_bound < 1.5
    assert (
        max(small_game(t).regret_over_bound for t in range(1, FIRST_STEP))
        < 1
        < small_game(FIRST_STEP).regret_over_bound
    )


def test_theorem_five_fails_within_two_hundred_steps() -> None:
    first, second = FEWEST_STEPS
    play, _ = theorem_five.play_replicators_in_matrix_game(first, second, 173)
    enclosed = theorem_five.iterate_enclosed_steps_of_matrix_game(first, second, 173)
    assert_violated(
        theorem_five.certify_regret_and_bound(enclosed, 9),
        theorem_five.compute_regret_and_theorem_five_bound(play, 9.0),
    )


def test_theorem_five_fails_in_a_zero_sum_game() -> None:
    first, second = ZERO_SUM
    assert np.unique(np.add(first, second)).tolist() == [15]
    enclosed = theorem_five.iterate_enclosed_steps_of_matrix_game(first, second, ZERO_SUM_STEPS)
    play, _ = theorem_five.play_replicators_in_matrix_game(first, second, ZERO_SUM_STEPS)
    assert_violated(
        theorem_five.certify_regret_and_bound(enclosed, 5),
        theorem_five.compute_regret_and_theorem_five_bound(play, 5.0),
    )


def test_small_game_agrees_with_the_sums_of_the_tracker() -> None:
    steps = theorem_five.NUM_STEPS
    game = pl.games.bimatrix(theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS)
    watched = regret.RegretTracker(ReplicatorDynamics(game, payoff_shift=0.0, order="simultaneous"))
    state, account = watched.step(watched.init(), steps), small_game(steps)
    assert regret.compute_average_regrets(state)[0] * steps == pytest.approx(
        account.regret, rel=ROUNDING
    )
    for by_utility in (False, True):
        five = regret.compute_theorem_five_bound(state, by_utility=by_utility)
        assert five.is_applicable
        assert five.bound[0] * steps == pytest.approx(account.bound, rel=1e-6)


def test_theorem_five_fails_for_every_rate_that_occurs() -> None:
    low, high = (1, 2), (10, 9)
    account = account_for_blocks((low, 40), (high, 262))
    assert account.largest_rate <= 0.5
    # The bound is convex in the rate, so its largest value is at an end.
    for rate in (account.smallest_rate, account.largest_rate):
        assert account.regret > bound_at(account, rate, low, high)


def test_theorem_five_fails_with_constant_rates_and_three_actions() -> None:
    account = account_for_blocks(((7, 8, 4), 80), ((64, 56, 32), 80))
    assert account.smallest_rate == account.largest_rate == 0.5  # so Lemma 4 has nothing to do
    assert account.regret > 1.5 * account.bound


def test_theorem_five_fails_at_a_constant_level() -> None:
    low, high = (5, 10), (10, 9)
    account = account_for_blocks((low, 80), (high, 526))
    assert account.largest_rate <= 0.5
    assert account.regret > 1.5 * account.bound
    assert account.regret < bound_at(account, account.largest_rate, low, high)


def test_theorem_five_holds_with_constant_rates_and_two_actions() -> None:
    """Each step multiplies the odds of the best action a by 1 - eta or its inverse, so the odds walk on a ladder.

    Pair each step up a rung with one down the same rung. A pair adds at most eta (M - (1 - eta) m) <= eta Delta to the
    regret, for the levels M and m of its two steps, and there are at most Q pairs. A rung has at most one step up
    without a partner. Together these add at most M ln 2 <= Delta ln 2 / eta.
    """
    draw = random_stream(1, "constant rates")
    for _ in range(300):
        rate, steps = draw.uniform(0.05, 0.5), int(draw.integers(5, 200))
        levels = draw.uniform(0.1, 10.0, steps)
        better = np.repeat(draw.integers(0, 2, steps), draw.integers(1, 20))[:steps]
        levels = np.where(draw.random() < 0.5, levels, np.where(better == 0, 10.0, 0.1))
        payoffs = levels[:, None] * (1.0 - rate * (np.arange(2) != better[:, None]))
        account = theorem_five.compute_regret_and_theorem_five_bound(
            theorem_five.play_replicator_against_payoffs(payoffs), float(np.ptp(payoffs))
        )
        assert account.regret_over_bound <= 1


def test_theorem_five_holds_at_a_constant_level_with_the_largest_rate() -> None:
    """Regret is at most M ln K + the sum of (M - u_t(a))^2 / M, and no loss exceeds the largest rate times M."""
    draw = random_stream(1, "constant level")
    for _ in range(300):
        steps, size = int(draw.integers(5, 200)), int(draw.integers(2, 5))
        payoffs = draw.uniform(0.5, 1.0, (steps, size))
        payoffs /= payoffs.max(axis=1, keepdims=True)
        payoffs = np.maximum(payoffs, 0.5)
        play, spread = theorem_five.play_replicator_against_payoffs(payoffs), float(np.ptp(payoffs))
        account = theorem_five.compute_regret_and_theorem_five_bound(play, spread)
        assert account.regret <= theorem_five.compute_theorem_five_bound_at_rate(
            account.largest_rate, account.squared_loss, size, spread
        )


def test_corrected_bound_holds_in_random_matrix_games() -> None:
    draw = random_stream(1, "corrected bound")
    num_in_condition = 0
    for _ in range(1000):
        sizes = draw.integers(2, 5, 2)
        shift = 10.0 ** draw.uniform(-2, 1)
        first, second = draw.uniform(0.0, 1.0, (2, *sizes)) + shift
        if draw.random() < 0.5:
            second = first.max() + first.min() - first
        steps = int(draw.integers(1, 150))
        for play in theorem_five.play_replicators_in_matrix_game(first, second, steps):
            assert (
                theorem_five.compute_total_regret(play)
                <= theorem_five.compute_corrected_regret_bound(play) + ROUNDING
            )
            rates = theorem_five.compute_losses_and_rates(play)[1]
            if rates.max() <= 0.5:
                num_in_condition += 1
                size = play.payoffs.shape[1]
                assert (
                    theorem_five.compute_relative_regret_minus_squared_losses(play)
                    <= np.log(size) + ROUNDING
                )
    assert num_in_condition > 500


@pytest.mark.parametrize("shift", [3.0, 12.0])
@pytest.mark.parametrize("players", [2, 3])
def test_corrected_bound_holds_in_kuhn_poker(players: int, shift: float) -> None:
    assert_tree_is_bounded(pl.games.kuhn(players), shift, 60)


def test_corrected_bound_holds_in_random_trees() -> None:
    draw = random_stream(1, "random trees")
    for seed in range(40):
        game = compile_rules(random_rules(seed, int(draw.integers(2, 4)), largest=10))
        lowest = float(game.utility_range.min())
        assert_tree_is_bounded(game, draw.uniform(0.5, 5.0) - lowest, 30)


def assert_tree_is_bounded(game: SequenceForm, shift: float, steps: int) -> None:
    account = theorem_five.compute_tree_regret_and_corrected_bound(game, shift, steps)
    watched = regret.RegretTracker(
        ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    )
    state = watched.step(watched.init(), steps)
    assert account.regret / steps == pytest.approx(
        regret.compute_average_regrets(state), abs=ROUNDING
    )
    assert (account.regret <= account.bound + ROUNDING).all()


@pytest.mark.parametrize("steps", [10, 100, 1000])
def test_regret_vanishes_if_the_shift_grows_with_the_root_of_time(steps: int) -> None:
    for first, second in (ZERO_SUM, (theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS)):
        spread, least = float(np.ptp(first)), float(np.min(first))
        lowest = spread * np.sqrt(steps / (8 * np.log(2)))
        play, _ = theorem_five.play_replicators_in_matrix_game(
            np.add(first, lowest - least), second, steps
        )
        limit = spread * (np.sqrt(np.log(2) * steps / 2) + np.log(2))
        assert (
            theorem_five.compute_total_regret(play)
            <= theorem_five.compute_corrected_regret_bound(play)
            <= limit
        )


def test_figure_shows_regret_above_the_bound_where_it_is() -> None:
    axes = Figure().subplots()
    counts = range(5, theorem_five.NUM_STEPS + 5, 5)
    drawings.draw_regret_and_bounds(axes, counts)
    of_regret, of_bound, corrected = (line.get_ydata() for line in axes.lines)
    assert (of_regret <= corrected).all()
    assert (of_regret > of_bound).tolist() == [small_game(t).regret_over_bound > 1 for t in counts]
