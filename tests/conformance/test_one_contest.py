"""One contest goes into every method of the field, and one sweep compares them."""

from typing import Any

import numba
import numpy as np
import pytest

import pokerlab as pl
from pokerlab import evolution, runs, solvers
from pokerlab.core import GameError, SettingError, ShapeError
from pokerlab.evolution.population import (
    AllPairs,
    Elites,
    EquilibriumMixture,
    HallOfFame,
    ParetoFront,
    Roulette,
)
from tests.refusals import refused

PAYOFFS = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])


@numba.njit
def shares_meet(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    """What shares of rock, paper and scissors win."""
    won = 0.0
    for mine in range(3):
        for theirs in range(3):
            won += (a[mine] + 1e-9) * PAYOFFS[mine, theirs] * (b[theirs] + 1e-9)
    return won / ((a.sum() + 3e-9) * (b.sum() + 3e-9))


HANDS = pl.games.contest(shares_meet, name="hands", unit=pl.core.POINTS)
GENES = pl.strategies.RealVector(3)
SEARCH = solvers.Mutants(seed=1, offspring=10)
SELECTIONS = {
    "Pareto": ParetoFront(),
    "roulette": Roulette(),
    "elites": Elites(share=0.5),
    "equilibrium mix": EquilibriumMixture(),
}


def coevolved(seed: int, generations: int = 30, **parts: Any) -> Any:
    population = solvers.PopulationCoevolution(
        HANDS, GENES, seed=seed, size=16, pairings=AllPairs(), **parts
    )
    return population.step(population.init(), generations)


def end(solver: Any, rounds: int) -> Any:
    return solver.step(solver.init(), rounds)


def by_population(seed: int, **parts: Any) -> tuple[Any, Any]:
    genomes = coevolved(seed, **parts).population[0]
    return np.full(len(genomes), 1 / len(genomes)), genomes


def by_memory(seed: int) -> tuple[Any, Any]:
    search = solvers.Mutants(seed=seed, offspring=10)
    state = end(solvers.NashMemory(HANDS, encoding=GENES, heuristic=search), 60)
    return state.mixture, state.strategies


def by_two_memories(seed: int, kind: Any = solvers.ParallelNashMemory) -> tuple[Any, Any]:
    search = solvers.Mutants(seed=seed, offspring=10)
    memory = kind(HANDS, encoding=GENES, heuristic=search, subgame=solvers.ZeroSumProgram())
    state = end(memory, 60)
    return state.mixtures[0], state.pools[0]


def by_minimax(seed: int) -> tuple[Any, Any]:
    strategy = evolution.CMAES(step_size=0.3)
    state = end(
        solvers.MinimaxCoevolution(HANDS, seed=seed, encoding=GENES, evolution=strategy), 12
    )
    return np.ones(1), state.profile[None, :]


def by_replicator(seed: int) -> tuple[Any, Any]:
    """Replicator dynamics in the table of what the first population's members won from each other."""
    met = coevolved(seed, generations=1)
    game = pl.games.bimatrix(met.matrix, -met.matrix)
    shift = float(met.matrix.max())
    dynamics = solvers.ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    return end(dynamics, 1000).average.get_behavior(0), met.population[0]


METHODS = {
    **{
        name: lambda seed, by=by: by_population(seed, selection=by)
        for name, by in SELECTIONS.items()
    },
    "elites and a hall of fame": lambda seed: by_population(
        seed, selection=SELECTIONS["elites"], hall_of_fame=HallOfFame(size=4, every=2)
    ),
    "Nash memory": by_memory,
    "parallel Nash memory": by_two_memories,
    "PSRO": lambda seed: by_two_memories(seed, solvers.PSRO),
    "minimax": by_minimax,
    "replicator": by_replicator,
}


def win_by_products(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    """What shares win from each other; a draw is rounding of the matrix products, or the noise added here."""
    won = float(a / a.sum() @ PAYOFFS @ (b / b.sum()))
    return won if abs(won) > 1e-15 else -6e-18


SHARES = pl.strategies.RealVector(3, low=0.01, high=1)
SOLVERS_OF_CONTESTS = {
    "population": lambda game: solvers.PopulationCoevolution(
        game, SHARES, seed=1, size=6, pairings=AllPairs()
    ),
    "Nash memory": lambda game: solvers.NashMemory(game, encoding=SHARES, heuristic=SEARCH),
    "Nash memory, random start": lambda game: solvers.NashMemory(
        game,
        encoding=SHARES,
        heuristic=SEARCH,
        start=SHARES.draw_genomes(np.random.default_rng(1), 1)[0],
    ),
    "parallel Nash memory": lambda game: solvers.ParallelNashMemory(
        game, encoding=SHARES, heuristic=SEARCH
    ),
    "PSRO": lambda game: solvers.PSRO(
        game, encoding=SHARES, heuristic=SEARCH, subgame=solvers.ZeroSumProgram()
    ),
    "minimax": lambda game: solvers.MinimaxCoevolution(game, seed=1, encoding=SHARES),
}


@pytest.mark.parametrize("play", [win_by_products, lambda a, b, seed: -6e-18])
@pytest.mark.parametrize("method", SOLVERS_OF_CONTESTS)
def test_solver_accepts_a_fresh_contest_whose_draws_are_rounding(method: str, play: Any) -> None:
    """Fresh: no other solver has played it, so this solver's own first meetings are those that are checked."""
    game = pl.games.contest(play, name="shares", unit=pl.core.POINTS)
    assert end(SOLVERS_OF_CONTESTS[method](game), 3).iteration > 0


def lost_to_the_best_hand(setting: dict[str, Any]) -> dict[str, float]:
    mix, genomes = METHODS[setting["method"]](setting["seed"])
    shares = (genomes + 1e-9) / (genomes + 1e-9).sum(axis=1, keepdims=True)
    return {"lost": float((PAYOFFS @ (mix @ shares)).max())}


def test_one_sweep_compares_all_methods_in_one_contest() -> None:
    """Somebody who always plays one hand loses a point or two; those who search for a mix come close to none."""
    table = runs.sweep(lost_to_the_best_hand, {"method": [*METHODS]}, seeds=(1, 2), progress=False)
    lost = dict(zip(METHODS, table["lost"].reshape(-1, 2).max(axis=1), strict=True))
    assert max(lost.values()) < 1.0
    for method in ("Nash memory", "parallel Nash memory", "PSRO", "minimax"):
        assert lost[method] < 0.05, method


def test_replicator_dynamics_balance_the_table_of_what_was_met() -> None:
    mix, genomes = by_replicator(1)
    table = [[HANDS.play(a, b, 0) for b in genomes] for a in genomes]
    assert max(table @ mix) < 0.05 * np.max(table)


@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_two_players_searches_against_the_other(seat: int) -> None:
    memory = parallel(tremble=1e-3)
    state = end(memory, 10)
    assert not np.array_equal(*(pool[:4] for pool in state.pools))
    payoffs = [[HANDS.play(a, b, 0) for b in state.pools[1 - seat]] for a in state.pools[seat]]
    won = state.payoffs[seat] if seat == 0 else state.payoffs[seat].T
    assert won == pytest.approx(np.array(payoffs), abs=1e-12)
    test = memory.propose_test_strategies(state)[seat]
    of_test = [HANDS.play(test, b, 0) for b in state.pools[1 - seat]] @ state.mixtures[1 - seat]
    assert state.evaluate_strategies(seat, test[None, :])[0] == pytest.approx(of_test, abs=1e-12)


def test_symmetric_games_end_where_the_compiled_game_does() -> None:
    kuhn = pl.games.kuhn()
    for subgame in (solvers.ZeroSumProgram(), solvers.LemkeHowson()):
        both = end(solvers.PSRO(pl.games.compound(kuhn), subgame=subgame), 30)
        assert both.converged
        assert both.security_levels == pytest.approx((0.0, 0.0), abs=1e-9)


def parallel(**parts: Any) -> Any:
    return solvers.ParallelNashMemory(
        parts.pop("game", HANDS), **{"encoding": GENES, "heuristic": SEARCH, **parts}
    )


NUMBERS, PAIRS = pl.games.intransitive_numbers(), pl.games.compound(pl.games.kuhn())


def population(game: Any, encoding: Any) -> Any:
    matches = AllPairs()
    return solvers.PopulationCoevolution(game, encoding, seed=1, size=4, pairings=matches)


def test_populations_of_symmetric_games_and_their_usual_matches() -> None:
    for encoding in (pl.strategies.Integers(2, 0, 100), pl.strategies.BitString(2)):
        met = end(population(NUMBERS, encoding), 3)
        assert np.array_equal(met.matrix, -met.matrix.T)
    for game, encoding in (
        (HANDS, GENES),
        (pl.games.kuhn(), pl.strategies.DirectEncoding(pl.games.kuhn())),
    ):
        assert solvers.PopulationCoevolution(game, encoding, seed=1).pairings == AllPairs()


test_what_does_not_fit_is_refused = refused(
    (lambda: population(NUMBERS, GENES), GameError, "2 numbers"),
    (lambda: population(NUMBERS, pl.strategies.RealVector(2)), GameError, "whole numbers"),
    (lambda: population(NUMBERS, pl.strategies.Integers(2, 0, 101)), SettingError, "0 to 100"),
    (lambda: population(PAIRS, pl.strategies.BitString(26)), SettingError, "realization plan"),
    (lambda: population(pl.holdem.limit(2), GENES), GameError, "pairs cannot play"),
    (lambda: parallel(heuristic=None), SettingError, "Give a heuristic="),
    (lambda: parallel(encoding=None), GameError, "give an encoding= such as strategies.RealVector"),
    (lambda: parallel(heuristic=solvers.BestResponse()), SettingError, "solvers.Mutants(seed=1)"),
    (lambda: parallel(start=[1.0, 2.0]), ShapeError, "3 genes"),
    (lambda: parallel(start=np.ones((2, 3))), ShapeError, "one strategy, (d,)"),
    (lambda: parallel(subgame=solvers.BestPureProfile()), GameError, "what the other loses"),
    (lambda: parallel(game=pl.games.kuhn()), SettingError, "which is for contests"),
    (lambda: parallel().init().gains, GameError, "has no exact best response"),
    (lambda: parallel().init().profile, GameError, "give a compiled one"),
)
