"""Kuhn's code: his solution, there and back."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ProbabilityError, SettingError, ShapeError
from pokerlab.papers.samothrakis2011.kuhn_code import KuhnCode
from tests.random_games import random_profile

KUHN = pl.games.kuhn()
SOLUTION = KuhnCode([(0, 0, 3), (0, 1, 3), (2, 0, 3)])
EXACT = 1e-12


def test_the_solution_means_what_the_paper_says() -> None:
    """Section 4.1: after a pass card 1 bluffs a third, card 2 checks; after a bet card 2 calls a third."""
    assert SOLUTION.chances == pytest.approx(np.array([[1 / 3, 0, 1], [0, 1 / 3, 1]]), abs=EXACT)
    assert SOLUTION.profile().at(1, "J, pass")["bet"] == pytest.approx(1 / 3)
    assert str(SOLUTION) == "1/3 (0, 0, 3) + 1/3 (0, 1, 3) + 1/3 (2, 0, 3)"
    assert SOLUTION.bits() == "1/3 (00, 00, 11) + 1/3 (00, 01, 11) + 1/3 (10, 00, 11)"


def test_the_solution_holds_player_1_to_the_value() -> None:
    best = KUHN.best_response(SOLUTION.profile(), 0).value
    assert best == pytest.approx(-1 / 18, abs=EXACT)
    other = KuhnCode([(0, 0, 3)]).profile()
    assert KUHN.best_response(other, 0).value > -1 / 18 + 0.05


def test_the_solution_comes_back_as_it_was_written() -> None:
    assert str(KuhnCode.of(SOLUTION.profile())) == str(SOLUTION)


@pytest.mark.parametrize("seed", range(20))
def test_any_behavior_has_a_mixture_that_does_the_same(seed: int) -> None:
    profile = random_profile(KUHN, seed=seed)
    code = KuhnCode.of(profile)
    assert len(code.codes) <= 7
    assert code.profile(profile).probabilities == pytest.approx(profile.probabilities, abs=EXACT)


def test_pure_strategies_keep_their_name() -> None:
    for digits in np.ndindex(4, 4, 4):
        code = KuhnCode([digits])
        assert KuhnCode.of(code.profile()).codes == (digits,)


def test_player_1_stays_as_given() -> None:
    others = random_profile(KUHN, seed=3)
    assert (SOLUTION.profile(others).of(0) == others.of(0)).all()


def test_bad_codes_are_refused() -> None:
    with pytest.raises(SettingError, match="not a strategy in Kuhn's code"):
        KuhnCode([(0, 0, 4)])
    with pytest.raises(SettingError, match="a digit from 0 to 3 for each card"):
        KuhnCode([(0, 3)])  # type: ignore[list-item]
    with pytest.raises(SettingError, match="codes are 5; give a list"):
        KuhnCode(5)  # type: ignore[arg-type]
    with pytest.raises(ProbabilityError, match="give a number a code"):
        KuhnCode([(0, 0, 3)], "all")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="0 codes"):
        KuhnCode([])
    with pytest.raises(ShapeError, match="1 codes"):
        KuhnCode([(0, 0, 3)], [0.5, 0.5])
    with pytest.raises(ProbabilityError, match=r"sum to 0\.9"):
        KuhnCode([(0, 0, 3), (0, 1, 3)], [0.5, 0.4])
    with pytest.raises(ProbabilityError, match="0 or more"):
        KuhnCode([(0, 0, 3), (0, 1, 3)], [float("nan"), 1.0])
    with pytest.raises(GameError, match="Kuhn's code is for Kuhn poker"):
        KuhnCode.of(pl.games.kuhn(3).uniform())
    with pytest.raises(GameError, match="Kuhn's code is for Kuhn poker"):
        SOLUTION.profile(pl.games.biased_rps().uniform())
