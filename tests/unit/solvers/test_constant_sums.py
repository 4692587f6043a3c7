"""Constant-sum games, and zero-sum ones up to rounding: they are solved by whatever solves zero-sum games."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab import metrics, solvers
from pokerlab.core import GameError, random_stream
from pokerlab.evolution.population import AllPairs
from pokerlab.games import Decision, SequenceForm, Terminal, compile_rules
from pokerlab.games.rules import Turn
from pokerlab.strategies import DirectEncoding
from tests.oracles.values import matrix_value

EXACT = 1e-9


def matrix(seed: int, shape: tuple[int, int] = (4, 5)) -> np.ndarray:
    """Return chances to win, of two decimals."""
    return random_stream(seed, "chances").integers(0, 101, shape) / 100


@pytest.mark.parametrize("total", [0.0, 1.0, -7.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_solvers_of_constant_sum_games_find_both_values(seed: int, total: float) -> None:
    won = matrix(seed)
    game = pl.games.bimatrix(won, total - won)
    first = matrix_value(won)
    wanted = pytest.approx([first, total - first], abs=EXACT)
    solution = solvers.SequenceFormLP(game).solve()
    assert (solution.value, list(solution.values)) == (pytest.approx(first, abs=EXACT), wanted)
    assert game.values(solution.profile) == wanted
    assert metrics.exploitability(game, solution.profile) == pytest.approx(0.0, abs=EXACT)
    oracle = solvers.DoubleOracle(game)
    of_oracle = oracle.step(oracle.init(), 30)
    memory = solvers.ParallelNashMemory(game)
    of_memory = memory.step(memory.init(), 30)
    for state in (of_oracle, of_memory):
        assert state.converged
        assert list(state.security_levels) == wanted
        assert list(state.values) == wanted
        assert game.values(state.profile) == wanted


@pytest.mark.parametrize("total", [0.0, 1.0, 10.0])
def test_worst_case_found_is_exploitability_in_constant_sum_games(total: float) -> None:
    won = matrix(7)
    game = pl.games.bimatrix(won, total - won)
    genome = random_stream(1, "genome").random(9)
    encoding = DirectEncoding(game)
    loss = metrics.exploitability(game, encoding.make_profile(genome))
    same = pl.games.bimatrix(won, -won)
    assert loss == pytest.approx(
        same.nash_conv(DirectEncoding(same).make_profile(genome)), abs=EXACT
    )
    by_seat = solvers.SeatWorstCases().measure_losses(encoding, genome[None, :]).values
    alone = solvers.SeatWorstCases().measure_losses(DirectEncoding(same), genome[None, :]).values
    assert by_seat.sum() == pytest.approx(loss, abs=EXACT)
    assert by_seat - alone == pytest.approx(np.array([[1.0, -1.0]]) * total / 2, abs=EXACT)
    search = solvers.TreeSearch(depth=None)
    assert search.exploitability(
        game, encoding.make_profile(genome), seed=1
    ).value == pytest.approx(loss, abs=EXACT)


def test_symmetric_memory_of_a_duel_counts_from_an_even_share() -> None:
    """Chances in a duel: 1/2 against oneself; the equilibrium is that of what is won beyond a half."""
    won = matrix(3, (5, 5))
    won = (1.0 + won - won.T) / 2.0
    game = pl.games.bimatrix(won, 1.0 - won)
    memory = solvers.NashMemory(game)
    state = memory.step(memory.init(), 30)
    assert state.converged
    assert np.diag(state.payoffs).tolist() == [0.0] * state.pool_size
    assert state.payoffs == pytest.approx(-state.payoffs.T, abs=0)
    assert state.security_level == pytest.approx(0.0, abs=EXACT)
    assert game.nash_conv(state.profile) == pytest.approx(0.0, abs=EXACT)
    both = solvers.NashMemory(pl.games.compound(pl.games.bimatrix(matrix(4), 1.0 - matrix(4))))
    other = both.step(both.init(), 40)
    assert other.converged
    assert other.security_level == pytest.approx(0.0, abs=EXACT)


def test_population_meets_in_constant_sum_games_as_in_zero_sum_ones() -> None:
    won = matrix(5, (3, 3))
    results = []
    for total in (0.0, 1.0):
        game = pl.games.bimatrix(won, total - won)
        encoding: Any = DirectEncoding(game)
        solver = solvers.PopulationCoevolution(game, encoding, seed=1, size=8, pairings=AllPairs())
        results.append(solver.step(solver.init(), 3).profit)
    assert results[0] == pytest.approx(results[1], abs=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
def test_sum_of_payoffs_is_equal_up_to_rounding(scale: float) -> None:
    def game(first: Any, second: Any) -> SequenceForm:
        return pl.games.bimatrix(scale * np.array(first), scale * np.array(second))

    rounded = game([[0.1 + 0.2, -1], [-1, 1]], [[-0.3, 1], [1, -1]])
    assert (rounded.payoff_sum, rounded.zero_sum, rounded.rules.zero_sum) == (0.0, True, True)
    assert metrics.exploitability(rounded, rounded.uniform()) > 0.0
    thirds = np.full((2, 2), 1 / 3)
    assert game(thirds, 1 - thirds).payoff_sum == pytest.approx(scale)
    assert not game(thirds, 1 - thirds).zero_sum
    assert game(-thirds, thirds - 1).payoff_sum == pytest.approx(-scale)  # nobody wins anything
    for more in (1e-7, 1.0):
        other = game([[1, 0], [0, 1]], [[-1 + more, 0], [0, -1]])
        assert (other.payoff_sum, other.zero_sum) == (None, False)
        with pytest.raises(GameError, match="is a general-sum game"):
            metrics.exploitability(other, other.uniform())


class Pot:
    """Two players share a pot in parts of tenths, by floats that do not add up exactly."""

    name, num_players, unit, zero_sum = "pot", 2, pl.core.POINTS, True

    def __init__(self, rest: float) -> None:
        self.rest = rest

    def start(self) -> str:
        return ""

    def turn(self, history: str) -> Turn:
        if not history:
            return Decision(0, "share", ("a", "b"))
        return Terminal((0.1 + 0.2, -0.3) if history == "a" else (0.1, self.rest))  # type: ignore[arg-type]

    def after(self, history: str, action: str) -> str:
        return action


def test_compile_rules_of_a_zero_sum_claim_allows_rounding() -> None:
    assert compile_rules(Pot(-0.1)).zero_sum
    with pytest.raises(GameError, match="but the rules claim zero_sum"):
        compile_rules(Pot(-0.1 + 1e-7))


def test_payoff_sum_beyond_all_floats_is_none() -> None:
    game = pl.games.bimatrix([[1.5e308, 1.5e308]], [[1.5e308, 1.5e308]])
    assert game.payoff_sum is None
    assert not game.zero_sum


@pytest.mark.parametrize("total", [1.0, -7.0])
def test_double_oracle_without_new_strategies_goes_on(total: float) -> None:
    """Both always propose what is allowed already, and win with it what the restricted game gives them."""

    def first_choices(state: Any) -> np.ndarray:
        return np.array([1.0, 0.0, 1.0, 0.0])

    won = np.array([[0.25, 0.75], [1.0, 0.0]])
    game = pl.games.bimatrix(won, total - won)
    oracle = solvers.DoubleOracle(game, heuristic=first_choices)
    state = oracle.step(oracle.init(), 3)
    assert (state.iteration, state.converged) == (3, False)
    assert list(state.values) == pytest.approx([0.25, total - 0.25], abs=EXACT)
