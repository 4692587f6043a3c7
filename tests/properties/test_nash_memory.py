"""Laws of the symmetric Nash Memory, on random symmetric zero-sum games."""

from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.games.symmetric import CompiledSymmetric, self_play
from pokerlab.solvers.memories import NashMemory, NashMemoryState
from pokerlab.solvers.search_heuristics import BestResponse, Mutants, SearchHeuristic

SECURE = 1e-9  # what the linear program's constraints hold to
LARGEST = 4
FIRST = BestResponse(unreached="first")


@st.composite
def antisymmetric(draw: st.DrawFn) -> np.ndarray:
    """Return a matrix of whole numbers, A = -A^T, of 1 to 7 rows."""
    size = draw(st.integers(1, 7))
    above = np.triu_indices(size, 1)
    entries = st.lists(
        st.integers(-LARGEST, LARGEST), min_size=len(above[0]), max_size=len(above[0])
    )
    matrix = np.zeros((size, size))
    matrix[above] = draw(entries)
    return matrix - matrix.T


def symmetric(matrix: np.ndarray) -> CompiledSymmetric:
    return self_play(pl.games.bimatrix(matrix, -matrix))


def path(memory: NashMemory, most: int) -> list[NashMemoryState]:
    states = [memory.init()]
    while not states[-1].converged and states[-1].iteration < most:
        states.append(memory.step(states[-1]))
    return states


HEURISTICS = st.sampled_from([FIRST, BestResponse(), Mutants(seed=1, offspring=2)])


@settings(max_examples=60)
@given(antisymmetric(), HEURISTICS)
def test_no_strategy_in_memory_beats_the_mixture(
    matrix: np.ndarray, heuristic: SearchHeuristic
) -> None:
    game = symmetric(matrix)
    states = path(NashMemory(game, heuristic=heuristic), most=20)
    for state in states:
        won = state.mixture @ game.payoffs(state.strategies, states[-1].strategies)
        assert won[: state.pool_size].min() >= -SECURE
        assert state.mixture @ state.payoffs @ state.mixture == pytest.approx(0.0, abs=SECURE)
        assert state.mixture.sum() == pytest.approx(1.0, abs=SECURE)


@settings(max_examples=60)
@given(antisymmetric(), HEURISTICS)
def test_pool_grows_by_winners_alone(matrix: np.ndarray, heuristic: SearchHeuristic) -> None:
    game = symmetric(matrix)
    states = path(NashMemory(game, heuristic=heuristic), most=20)
    for before, after in pairwise(states):
        old = before.pool_size
        assert after.iteration == before.iteration + 1
        assert after.strategies[:old].tolist() == before.strategies.tolist()
        assert len(np.unique(after.strategies, axis=0)) == after.pool_size
        assert after.payoffs.tolist() == (-after.payoffs.T + 0.0).tolist()
        joined = after.strategies[old:]
        if len(joined):
            assert (game.payoffs(joined, before.strategies) @ before.mixture).min() > 0.0
        else:
            assert after.mixture.tolist() == before.mixture.tolist()
        both = np.concatenate([after.support, after.unused_strategies])
        assert sorted(both.tolist()) == list(range(after.pool_size))


@settings(max_examples=60)
@given(antisymmetric())
def test_nash_memory_needs_fewer_rounds_than_strategies(matrix: np.ndarray) -> None:
    for heuristic in (FIRST, BestResponse()):
        final = path(NashMemory(symmetric(matrix), heuristic=heuristic), most=len(matrix) + 1)[-1]
        assert final.converged
        assert final.iteration < len(matrix)
        assert final.security_level >= -SECURE
        played = final.profile.get_behavior(0)
        assert (played @ matrix).min() >= -SECURE
        assert final.profile.game.nash_conv(final.profile) <= 2 * SECURE


@settings(max_examples=40)
@given(antisymmetric(), st.data())
def test_nash_equilibrium_is_a_monotone_solution_concept(
    matrix: np.ndarray, data: st.DataObject
) -> None:
    """What solves G_A and G_C solves every G_B between them (Ficici; Oliehoek et al., section 3)."""
    final = path(NashMemory(symmetric(matrix)), most=len(matrix))[-1]
    solution = final.profile.get_behavior(0)
    core = np.flatnonzero(solution)
    others = sorted(set(range(len(matrix))) - set(core.tolist()))
    extra = data.draw(st.sets(st.sampled_from(others))) if others else set()
    between = sorted([*core.tolist(), *extra])
    restricted = matrix[np.ix_(between, between)]
    assert (solution[between] @ restricted).min() >= -SECURE
    value = path(NashMemory(symmetric(restricted)), most=len(matrix))[-1].security_level
    assert value == pytest.approx(0.0, abs=SECURE)


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(0, 10_000))
def test_bounded_memory_is_secure_against_what_it_holds(capacity: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    above = np.triu(rng.integers(-LARGEST, LARGEST + 1, (9, 9)), 1)
    memory = NashMemory(symmetric(above - above.T), heuristic=FIRST, capacity=capacity)
    state = memory.init()
    with suppress(SettingError):  # a mix may need more than the memory holds
        for _ in range(12):
            state = memory.step(state)
            assert state.pool_size <= capacity
            assert (state.mixture @ state.payoffs).min() >= -SECURE
