"""Laws of the subgame solvers: their mixes are equilibria, tidy, repeatable, and extreme where pivots lead to them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.solvers.subgame import (
    BestPureProfile,
    LemkeHowson,
    ProjectedReplicator,
    SubgameSolver,
    UniformMixture,
)
from pokerlab.solvers.subgame_payoffs import find_largest_gain
from tests.unit.solvers.subgame.exact_equilibria import extreme_equilibria

SAME = 1e-9
"""Two ways to the same mix differ by rounding."""
FOR_TWO = {"Lemke-Howson": LemkeHowson(), "Lemke-Howson from label 3": LemkeHowson(first_pivot=3)}
ANY = FOR_TWO | {
    "projected replicator": ProjectedReplicator(steps=50, step_size=0.1),
    "uniform": UniformMixture(),
}


@st.composite
def subgames(draw: st.DrawFn, most_players: int = 2, most: int = 4) -> np.ndarray:
    """Draw payoffs of whole numbers, in which strategies may be repeated."""
    n = draw(st.integers(2, most_players))
    sizes = tuple(draw(st.integers(1, most)) for _ in range(n))
    entries = st.lists(
        st.integers(-2, 3), min_size=n * int(np.prod(sizes)), max_size=n * int(np.prod(sizes))
    )
    payoffs = np.array(draw(entries), dtype=float).reshape(n, *sizes)
    chosen = [draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=most)) for k in sizes]
    return payoffs[np.ix_(np.arange(n), *chosen)]


def is_pair_of(mixes: tuple[np.ndarray, ...], payoffs: np.ndarray) -> bool:
    """Return whether mixes are among the extreme equilibria."""
    extreme = np.array([(*x, *y) for x, y in extreme_equilibria(*payoffs)], dtype=float)
    return bool((np.abs(extreme - np.concatenate(mixes)).max(axis=1) <= SAME).any())


@given(subgames(), st.sampled_from(sorted(FOR_TWO)))
def test_subgame_solutions_leave_no_gain(payoffs: np.ndarray, solver: str) -> None:
    mixes = FOR_TWO[solver].solve(payoffs).mixtures
    assert find_largest_gain(payoffs, mixes) <= FOR_TWO[solver].tolerance * max(
        1.0, abs(payoffs).max()
    )


@given(subgames(), st.integers(0, 7))
def test_lemke_howson_ends_at_an_extreme_equilibrium(payoffs: np.ndarray, first_pivot: int) -> None:
    assert is_pair_of(LemkeHowson(first_pivot=first_pivot).solve(payoffs).mixtures, payoffs)


@given(subgames(most_players=3, most=3))
def test_best_pure_profile_wins_most(payoffs: np.ndarray) -> None:
    won = np.array([payoffs[0]] * (payoffs.ndim - 1))
    solver = BestPureProfile()
    mixture = solver.solve(won)
    value = won[0]
    for mix in reversed(mixture.mixtures):
        assert sorted(mix.tolist()) == [0.0] * (len(mix) - 1) + [1.0]
        value = value @ mix
    assert value == payoffs[0].max()
    assert find_largest_gain(won, mixture.mixtures) == 0.0
    again = solver.solve(won, mixture.basis)
    assert all((a == b).all() for a, b in zip(again.mixtures, mixture.mixtures, strict=True))


@pytest.mark.parametrize("solver", ANY.values(), ids=ANY)
@given(payoffs=subgames())
def test_mixtures_are_distributions_and_repeat(solver: SubgameSolver, payoffs: np.ndarray) -> None:
    before = payoffs.copy()
    mixes, again = (solver.solve(payoffs).mixtures for _ in range(2))
    assert (payoffs == before).all()
    for mix, same, size in zip(mixes, again, payoffs.shape[1:], strict=True):
        assert mix.shape == (size,)
        assert mix.dtype == np.float64
        assert mix.sum() == pytest.approx(1.0, abs=1e-14)
        assert (mix >= 0.0).all()
        assert (mix[mix > 0.0] > 1e-12).all()
        assert mix.tobytes() == same.tobytes()
