"""Paired comparisons from sums: as scipy and the definitions have them, whatever the batches."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pokerlab.core import SettingError, ShapeError, random_stream
from pokerlab.metrics import PairedSums, apply_holm_correction
from tests.refusals import refused

TRIALS, PLAYERS, PARTS = 500, 5, 18
RAW = random_stream(1, "paired numbers").integers(10, 160, (TRIALS, PLAYERS))
RAW[:, 4] = RAW[:, 3]
CLOSE = {"rel": 1e-12, "abs": 1e-300}


def test_means_and_deviations_are_those_of_the_raw_numbers() -> None:
    sums, numbers = PairedSums.from_trials(RAW, PARTS), RAW / PARTS
    assert sums.mean == pytest.approx(numbers.mean(axis=0), rel=1e-13)
    assert sums.standard_deviation == pytest.approx(numbers.std(axis=0, ddof=1), rel=1e-12)
    assert sums.standard_error == pytest.approx(stats.sem(numbers), rel=1e-12)


def test_t_tests_of_all_pairs_are_scipys() -> None:
    tests, numbers = PairedSums.from_trials(RAW, PARTS).compute_t_tests(), RAW / PARTS
    assert len(tests.p) == PLAYERS * (PLAYERS - 1) // 2
    for first, second, difference, error, t, p, _ in zip(*tests, strict=True):
        if (first, second) == (3, 4):
            assert (difference, error, t, p) == (0.0, 0.0, 0.0, 1.0)
            continue
        theirs = stats.ttest_rel(numbers[:, first], numbers[:, second])
        assert t == pytest.approx(theirs.statistic, rel=1e-10)
        assert p == pytest.approx(theirs.pvalue, rel=1e-9)
        apart = numbers[:, first] - numbers[:, second]
        assert difference == pytest.approx(apart.mean(), rel=1e-10)
        assert error == pytest.approx(stats.sem(apart), rel=1e-10)


def test_confidence_intervals_are_scipys() -> None:
    sums, numbers = PairedSums.from_trials(RAW, PARTS), RAW / PARTS
    for level in (0.5, 0.95, 0.99):
        low, high = stats.t.interval(level, TRIALS - 1, numbers.mean(axis=0), stats.sem(numbers))
        assert sums.compute_half_width(level) == pytest.approx((high - low) / 2, rel=1e-9)


@given(st.lists(st.integers(0, TRIALS), max_size=6))
def test_paired_sums_do_not_depend_on_batches(cuts: list[int]) -> None:
    whole, joined = PairedSums.from_trials(RAW, PARTS), PairedSums.zeros(PLAYERS, PARTS)
    for low, high in pairwise(sorted([0, *cuts, TRIALS])):
        joined += PairedSums.from_trials(RAW[low:high], PARTS)
    assert joined.count == whole.count
    assert joined.compute_t_tests().t.tobytes() == whole.compute_t_tests().t.tobytes()
    assert joined.standard_error.tobytes() == whole.standard_error.tobytes()


def test_paired_tests_of_constant_difference_have_p_zero() -> None:
    tests = PairedSums.from_trials([[3, 2], [5, 4], [9, 8]]).compute_t_tests()
    assert (tests.error[0], tests.t[0], tests.p[0]) == (0.0, np.inf, 0.0)


def test_paired_sums_of_ten_million_trials_are_exact() -> None:
    """Variance 1 around a mean of 10**8: what is left when equal sums are subtracted."""
    many, mean = 10**7, 10**8
    sums = np.array([many * mean])
    squares = np.array([[many // 2 * ((mean - 1) ** 2 + (mean + 1) ** 2)]], dtype=object)
    variance = PairedSums(many, sums, squares).standard_deviation[0] ** 2
    assert variance == pytest.approx(many / (many - 1), rel=1e-14)


def test_the_largest_numbers_are_compared_exactly() -> None:
    """The squares of their differences sum up to four times the most that is allowed of the numbers."""
    tests = PairedSums.from_trials([[2**30 - 1, 1 - 2**30]] * 2).compute_t_tests()
    assert (tests.difference[0], tests.error[0]) == (2**31 - 2, 0.0)
    with pytest.raises(SettingError, match="Use smaller numbers"):
        PairedSums.from_trials([[2**30, -(2**30)]] * 2)


def holm_by_definition(p: list[float], level: float) -> list[bool]:
    """Return which hypotheses Holm's procedure rejects: step down, and stop at the first that stays."""
    rejected = [False] * len(p)
    for step, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[place] > level / (len(p) - step):
            break
        rejected[place] = True
    return rejected


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12), st.floats(0.001, 0.5))
def test_adjusted_p_values_reject_what_the_procedure_rejects(p: list[float], level: float) -> None:
    adjusted = apply_holm_correction(p)
    clear = np.abs(adjusted - level) > 1e-12
    assert (adjusted[clear] <= level).tolist() == np.array(holm_by_definition(p, level))[
        clear
    ].tolist()


def test_adjusted_p_values_are_those_of_statsmodels() -> None:
    """From statsmodels 0.15.0, multipletests(p, method='holm')."""
    p = [0.012, 0.0004, 0.51, 0.03, 0.0004, 0.9, 0.026]
    theirs = [0.06, 0.0028, 1.0, 0.104, 0.0028, 1.0, 0.104]
    assert apply_holm_correction(p) == pytest.approx(theirs, rel=1e-12)


SOME = PairedSums.from_trials(RAW)
test_what_cannot_be_compared_is_refused = refused(
    (lambda: PairedSums.from_trials([1, 2]), ShapeError, "shape (2,); give (T, n)"),
    (lambda: PairedSums.from_trials([[0.5, 1.0]]), "float64; give whole numbers"),
    (lambda: PairedSums.from_trials([[2**40, 1], [2**40, 3]]), "Use smaller numbers"),
    (lambda: PairedSums.from_trials(np.full((1, 2), 2**63 + 5)), "Use smaller numbers"),
    (lambda: PairedSums.from_trials([[-(2**63)]]), "Use smaller numbers"),
    (
        lambda: PairedSums.from_trials([[2**30 - 1]]) + PairedSums.from_trials([[2**30 - 1]] * 2),
        "add up to 3.46e",
    ),
    (lambda: PairedSums.from_trials(RAW, parts=0), "parts is 0"),
    (lambda: SOME.compute_t_tests([[0.0, 1.0]]), "pairs are float64; give"),
    (
        lambda: SOME + PairedSums.from_trials(RAW, PARTS),
        ShapeError,
        "5 players in 1 parts and of 5 in 18 do not add up",
    ),
    (lambda: PairedSums(3, SOME.sums[:2], SOME.products), ShapeError, "must be (n,) and (n, n)"),
    (
        lambda: PairedSums(2, np.array([1, 2.5], dtype=object), np.array([[1, 2], [2, 5]])),
        "sums are array([1, 2.5], dtype=object); give an array of whole numbers",
    ),
    (lambda: SOME.compute_t_tests([[0, 5]]), "name players 0 to 5; there are"),
    (lambda: SOME.compute_t_tests([0, 1]), ShapeError, "shape (2,); give (K, 2)"),
    (lambda: PairedSums.from_trials(RAW[:1]).compute_t_tests(), "two trials or more; there are 1"),
    (lambda: SOME.compute_half_width(1.5), "level is 1.5"),
    (lambda: apply_holm_correction([0.5, 1.5]), "give a row of numbers from 0 to 1"),
    (lambda: apply_holm_correction(["small"]), "p-values are not an array of real numbers"),
    (lambda: apply_holm_correction(np.ma.array([0.5, 0.1], mask=[0, 1])), "numbers from 0 to 1"),
    (lambda: apply_holm_correction([[0.5]]), "give a row of numbers from 0 to 1"),
)
