"""The Parallel Nash Memory beyond zero sum: it ends at an equilibrium, which need not be a good one."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab import games
from pokerlab.core import random_stream
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.solvers import ParallelNashMemory
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.subgame import BestPureProfile, LemkeHowson, SubgameSolver
from tests.random_games import RandomRules, random_rules, some_rules

EQUILIBRIUM = 1e-8
"""The solvers' tolerance is 1e-9 of the largest payoff, which is at most 6 in these games."""
FOR_TWO = {"Lemke-Howson": LemkeHowson(), "Lemke-Howson from label 2": LemkeHowson(first_pivot=2)}
DRAWS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda source, size: source.normal(size=(2, size, size)),
    "whole": lambda source, size: source.integers(0, 3, size=(2, size, size)),
}
for_two = pytest.mark.parametrize("solver", FOR_TWO.values(), ids=FOR_TWO)
TWO = st.just(2)
SEVERAL = st.integers(2, 4)


def end_of(
    game: SequenceForm, solver: SubgameSolver, start: Profile | None = None, most: int = 200
) -> ParallelMemoryState:
    memory = ParallelNashMemory(game, subgame=solver, start=start)
    return memory.step(memory.init(), most)


def assert_equilibrium(state: ParallelMemoryState, scale: float = 1.0) -> None:
    assert state.converged
    assert state.game.nash_conv(state.profile) <= EQUILIBRIUM * scale


def pure(game: SequenceForm, *choices: int) -> Profile:
    probabilities = np.zeros(game.num_probabilities)
    probabilities[game.first_sequence - game.num_players + np.array(choices)] = 1.0
    return Profile(game, probabilities)


@for_two
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("size", [2, 5, 8])
def test_matrix_games_end_at_an_equilibrium(solver: SubgameSolver, draw: str, size: int) -> None:
    source = random_stream(size, f"{draw} games")
    for _ in range(5):
        row, column = DRAWS[draw](source, size)
        state = end_of(games.bimatrix(row, column), solver)
        assert_equilibrium(state)
        assert state.iteration <= 2 * size - 1


@for_two
@given(rules=some_rules(TWO))
def test_extensive_games_end_at_an_equilibrium(solver: SubgameSolver, rules: RandomRules) -> None:
    assert_equilibrium(end_of(compile_rules(rules), solver))


def test_payoffs_of_any_size() -> None:
    for seed in range(5):
        game = compile_rules(random_rules(seed, 2, largest=10_000))
        assert_equilibrium(end_of(game, LemkeHowson()), scale=1e4)


# Identical payoffs.


@pytest.mark.parametrize("seed", range(20))
def test_identical_payoffs_rise_at_least_as_by_coordinate_ascent(seed: int) -> None:
    """In each round by the better of the two moves or more, until neither player can rise alone.

    More where both players' new strategies, or older ones, meet better than either alone.
    """
    payoff = random_stream(seed, "identical").random(size=(8, 8))
    memory = ParallelNashMemory(games.identical_payoffs(payoff.tolist()), subgame=BestPureProfile())
    state = memory.init()
    while not state.converged:
        row, column = (int(np.argmax(state.profile.get_behavior(player))) for player in (0, 1))
        assert state.value == pytest.approx(payoff[row, column], abs=1e-15)
        better = max(payoff[row].max(), payoff[:, column].max())
        state = memory.step(state)
        assert state.value >= better - 1e-15
    row, column = (int(np.argmax(state.profile.get_behavior(player))) for player in (0, 1))
    assert state.value == max(payoff[row].max(), payoff[:, column].max())


@given(some_rules(SEVERAL, st.just("identical")))
def test_identical_payoffs_end_at_an_equilibrium_of_pure_strategies(rules: RandomRules) -> None:
    state = end_of(compile_rules(rules), BestPureProfile())
    assert_equilibrium(state)
    assert state.support_sizes == (1,) * rules.num_players


# Which equilibrium.


@for_two
def test_who_starts_with_hares_never_meets_the_stag(solver: SubgameSolver) -> None:
    """Both would win 3 rather than 2; strategies that are not met are in no subgame."""
    hunt = games.bimatrix([[3, 0], [2, 2]], [[3, 2], [0, 2]])
    stag, hares = end_of(hunt, solver, pure(hunt, 0, 0)), end_of(hunt, solver, pure(hunt, 1, 1))
    assert stag.values.tolist() == [3.0, 3.0]
    assert hares.values.tolist() == [2.0, 2.0]
    assert hares.converged
    assert hares.pool_sizes == (1, 1)


@for_two
def test_the_start_wins_the_battle_of_the_sexes(solver: SubgameSolver) -> None:
    battle = games.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    assert end_of(battle, solver, pure(battle, 0, 0)).values.tolist() == [2.0, 1.0]
    assert end_of(battle, solver, pure(battle, 1, 1)).values.tolist() == [1.0, 2.0]


def test_from_a_mismatch_the_subgames_solver_decides() -> None:
    """All four strategies are met in one round; then there are three equilibria to choose from."""
    battle = games.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    start = pure(battle, 0, 1)
    ends = {
        tuple(end_of(battle, LemkeHowson(first_pivot=k), start).values.round(9)) for k in range(4)
    }
    assert ends == {(2.0, 1.0), (1.0, 2.0)}
