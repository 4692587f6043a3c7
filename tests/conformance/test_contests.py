"""The laws of contests: for each encoding and all matches of two, and whatever is wrong with `play`."""

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numba
import numpy as np
import pytest

import pokerlab as pl
from pokerlab import solvers
from pokerlab.core import POINTS, GameError
from pokerlab.evolution.population import AllPairs, HallOfFame, SampledOpponents
from pokerlab.games.contests import Contest
from pokerlab.runs import Run, SweepError, sweep
from tests.unit.solvers.any_state import assert_identical

KUHN = pl.games.kuhn()
ENCODINGS = {
    "real numbers": pl.strategies.RealVector(3),
    "whole numbers": pl.strategies.Integers(3, low=-4, high=5),
    "bits": pl.strategies.BitString(9),
    "a compiled game's genes": pl.strategies.DirectEncoding(KUHN),
}
MATCHES = (AllPairs(samples=2), SampledOpponents(opponents=3))
GENES = ENCODINGS["real numbers"]


def by_chance(a: Any, b: Any, seed: int) -> float:
    return float((a.sum() - b.sum()) * (1 + seed % 3))


@numba.njit
def compiled(a: Any, b: Any, seed: int) -> float:
    return (a.sum() - b.sum()) * (1 + seed % 3)


def ahead(a: Any, b: Any, seed: int) -> float:
    return float(a[0] + a[-1] > b[0])


def contest(play: Any = by_chance, **how: Any) -> Contest:
    return pl.games.contest(play, name="a trial", unit=POINTS, **how)


CONTESTS = {
    "Python": contest(),
    "compiled": contest(compiled),
    "places differ": contest(ahead, symmetric=False),
}

PLAYED_BY = {
    f"{name}, {kind}": (game, genes)
    for name, game in CONTESTS.items()
    for kind, genes in ENCODINGS.items()
} | {"computed": (KUHN, ENCODINGS["a compiled game's genes"])}


def population(game: Any = CONTESTS["Python"], genes: Any = GENES, **how: Any) -> Any:
    given = {"pairings": AllPairs(), "size": 6, "seed": 1, **how}
    return solvers.PopulationCoevolution(game, genes, **given)


@pytest.mark.parametrize("matches", MATCHES)
@pytest.mark.parametrize(("game", "genes"), PLAYED_BY.values(), ids=PLAYED_BY)
def test_pauses_workers_and_checkpoints_change_nothing(
    game: Any, genes: Any, matches: Any, tmp_path: Any
) -> None:
    hall = HallOfFame(size=2)
    alone, together = (
        population(game, genes, pairings=matches, hall_of_fame=hall, workers=workers)
        for workers in (1, 3)
    )
    straight = alone.step(alone.init(), 4)
    assert_identical(straight, together.step(together.step(together.init()), 3))
    Run(alone, [], checkpoint=tmp_path / "run.npz").to(2, progress=False)
    resumed = Run(together, [], checkpoint=tmp_path / "run.npz").to(4, progress=False)
    assert_identical(straight, resumed.state)


SEARCH = {"encoding": GENES, "heuristic": solvers.Mutants(seed=1, offspring=4)}
METHODS: dict[str, Callable[[Any], Any]] = {
    "population": population,
    "population, by threads": lambda game: population(game, workers=2),
    "memory": lambda game: solvers.NashMemory(game, **SEARCH),
    "parallel memory": lambda game: solvers.ParallelNashMemory(game, **SEARCH),
    "minimax": lambda game: solvers.MinimaxCoevolution(game, seed=1, encoding=GENES),
    "minimax, by threads": lambda game: solvers.MinimaxCoevolution(
        game, seed=1, encoding=GENES, workers=2
    ),
}
WRONG = {
    "raises": (lambda a, b, seed: 1 / 0, "with seed .* ended with ZeroDivisionError"),
    "not a number": (lambda a, b, seed: np.nan, "wins nan from strategy"),
    "no number": (lambda a, b, seed: "all", "wins 'all' from strategy .* with seed"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("method", METHODS)
def test_what_goes_wrong_is_named_and_nothing_lost(method: str, wrong: str, tmp_path: Any) -> None:
    """In the third step `play` goes wrong; mended, the run goes on as if nothing had been."""
    play, words = WRONG[wrong]
    now = [by_chance]
    game = contest(lambda a, b, seed: now[0](a, b, seed))
    run = Run(METHODS[method](game), [], checkpoint=tmp_path / "run.npz")
    before = run.to(2, progress=False).state
    now[0] = play
    with pytest.raises(GameError, match=f"a trial: .*{words}"):
        run.to(4, progress=False)
    assert run.state is before
    now[0] = by_chance
    del run
    mended = Run(METHODS[method](game), [], checkpoint=tmp_path / "run.npz")
    assert_identical(mended.state, before)
    solver = METHODS[method](game)
    assert_identical(mended.to(4, progress=False).state, solver.step(solver.init(), 4))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_who_is_not_the_same_twice_is_refused_by_all(method: Any) -> None:
    calls = count()
    solver = method(contest(lambda a, b, seed: float(next(calls))))
    with pytest.raises(GameError, match="played twice with seed"):
        solver.step(solver.init(), 2)


def generations(setting: dict[str, Any]) -> dict[str, float]:
    """Coevolve; with seed 2, everybody waits for ever."""

    def play(a: Any, b: Any, seed: int) -> float:
        while setting["seed"] == 2:
            pass
        return by_chance(a, b, seed)

    evolved = population(contest(play, seconds=1.0), seed=setting["seed"])
    return {"mean": float(evolved.step(evolved.init(), 2).population.mean())}


def test_hung_pairing_in_another_process_is_named() -> None:
    with pytest.raises(SweepError, match=r"'seed': 2.*strategies 0 and 1 have played") as caught:
        sweep(generations, {}, seeds=(1, 2, 3), workers=2, progress=False)
    assert caught.value.finished is not None
    assert caught.value.finished["seed"].tolist() == [1, 3]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_on_a_cluster_the_same_comes_out_and_who_hangs_is_named(client: Any) -> None:
    for game in CONTESTS.values():
        here, there = population(game), population(game, workers=client)
        assert_identical(here.step(here.init(), 3), there.step(there.init(), 3))

    def endless(a: Any, b: Any, seed: int) -> float:
        while threading.current_thread().name != "MainThread":  # where meetings are tried
            pass
        return 0.0

    hanging = population(contest(endless, seconds=1.0), workers=client)
    with pytest.raises(GameError, match="have played for more than"):
        hanging.step(hanging.init())
