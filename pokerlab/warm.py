"""Compile all kernels once, so that the first run need not wait: `python -m pokerlab.warm`."""

import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.core.kernel import cache_folder
from pokerlab.games import Profile


def tasks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what to do, with a word on it; together they use every kernel."""
    game = games.kuhn()
    uniform = game.uniform()
    plans = [uniform.plan(player) for player in range(2)]
    yield "values and best responses", partial(game.gains, uniform)
    yield "NashConv", partial(game.nash_conv, uniform)
    yield "realization plans", partial(Profile.from_plans, game, plans)
    dynamics: dict[str, Any] = {
        "CFR and its descendants": solvers.CFR(game),
        "replicator dynamics": solvers.ReplicatorDynamics(game, payoff_shift=3.0),
        "polynomial weights": solvers.PolynomialWeights(game, payoff_shift=3.0),
        "fictitious play": solvers.FictitiousPlay(game),
        "replicator dynamics in continuous time": solvers.ContinuousReplicator(game, time_step=0.1),
        "replicator dynamics of the normal form": solvers.NormalFormReplicator(
            game, payoff_shift=3.0
        ),
    }
    memories: dict[str, Any] = {
        "the Nash memory": solvers.ParallelNashMemory(game),
        "the double oracle": solvers.DoubleOracle(game),
    }
    for name, solver in (dynamics | memories).items():
        yield name, partial(solver.step, solver.init(), 2)
    watched = metrics.Watched(dynamics["replicator dynamics"])
    yield "regret", lambda: metrics.theorem_five(watched.step(watched.init(), 2))
    yield "regret of the best plan", lambda: metrics.average_regret(watched.step(watched.init(), 2))
    yield "the linear program", solvers.SequenceFormLP(game).solve
    tiny = np.array([[[3.0, 0.0], [2.0, 2.0]], [[3.0, 2.0], [0.0, 2.0]]])
    yield "projected replicator dynamics", partial(solvers.ProjectedReplicator(), "", tiny, ())
    yield "Lemke-Howson pivoting", partial(solvers.LemkeHowson(), "", tiny, ())


def outdated(folder: Path) -> list[Path]:
    """Return the caches beside `folder` that no setup has touched for a month."""
    month_ago = time.time() - 30 * 24 * 3600
    beside = [f for f in folder.parent.glob("kernels-*") if f != folder]
    return [f for f in beside if f.stat().st_mtime < month_ago]


def main() -> None:
    """Compile everything, saying what and how long; remove the caches of long gone sources."""
    folder = cache_folder()
    print(f"compiled kernels are kept in {folder}")
    folder.touch()
    for old in outdated(folder):
        shutil.rmtree(old, ignore_errors=True)
    begin = time.perf_counter()
    for name, task in tasks():
        before = time.perf_counter()
        task()
        print(f"  {name}: {time.perf_counter() - before:.1f} s", flush=True)
    print(f"ready after {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
