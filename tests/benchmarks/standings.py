"""The scoreboard: what the method of each lesson reaches on the same games, at what price, in what form.

`python -m tests.benchmarks.standings` measures the rows of `data/scoreboard.csv` again.
"""

import csv
import io
import time
from collections.abc import Callable

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.core.files import DATA, whole_file
from pokerlab.evolution import CMAES
from pokerlab.evolution.population import AllPairs
from pokerlab.games import Profile
from pokerlab.papers.samothrakis2011 import holdem
from pokerlab.strategies import DirectEncoding

FILE = DATA / "scoreboard.csv"


def linear_program() -> tuple[float, int]:
    """Solve Kuhn poker; the program reads all payoffs once."""
    return solvers.SequenceFormLP(games.kuhn()).solve().nash_conv, 1


def replicator() -> tuple[float, int]:
    """Run lesson 00's dynamics for 10,000 rounds, in each of which each player is updated once."""
    game = games.kuhn()
    dynamics = solvers.ReplicatorDynamics(game, payoff_shift=3.0, order="alternating")
    state = dynamics.step(dynamics.init(), 10_000)
    return metrics.nash_conv(game, state.average), 2 * state.iteration


def regret_minimization() -> tuple[float, int]:
    """Run CFR for 10,000 iterations, in each of which each player is updated once."""
    game = games.kuhn()
    cfr = solvers.CFR(game)
    state = cfr.step(cfr.init(), 10_000)
    return metrics.nash_conv(game, state.average), 2 * state.iteration


def nash_memory() -> tuple[float, int]:
    """Run the memory until it has converged.

    It needs two best responses a round, and what each strategy that it meets wins from the others.
    """
    memory = solvers.ParallelNashMemory(games.kuhn())
    state = memory.step(memory.init(), 20)
    assert state.converged
    return float(state.gains.sum()), 2 * state.iteration + sum(state.pool_sizes)


def coevolution() -> tuple[float, int]:
    """Run 100 generations of lesson 05; each genome is judged by a best response in either seat."""
    solver = solvers.MinimaxCoevolution(games.kuhn(), seed=1, evolution=CMAES(population=10))
    state = solver.step(solver.init(), 100)
    return state.exact_value, 2 * state.evaluations


def evolving_holdem() -> tuple[float, int]:
    """Evolve lesson 07's table of 684 genes with the paper's budget, the median seed; judged as in `coevolution`."""
    run = holdem.evolving_holdem.run(holdem.MEDIAN)
    run.to(holdem.MEDIAN.iterations, progress=False)
    return run.state.exact_value, 2 * run.state.evaluations


def bucketed_regret_minimization() -> tuple[float, int]:
    """Run CFR+ on six buckets for 300 iterations; its answer remembers all of the betting."""
    game = holdem.game(6)
    cfr = solvers.BucketedCFR(game)
    state = cfr.step(cfr.init(), 300)
    return game.nash_conv(state.average), 2 * state.iteration


def pareto_coevolution() -> tuple[float, int]:
    """Breed lesson 05's genes as lesson 08 does, for 100 generations: all that is known is who wins what from whom.

    Everybody meets everybody in either seat, on all deals. The answer is the last front, one of whose
    strategies is drawn for each hand; of 20 seeds this is the median.
    """
    game, size, generations = games.kuhn(), 100, 100
    solver = solvers.PopulationCoevolution(
        game, DirectEncoding(game), seed=13, size=size, matches=AllPairs()
    )
    state = solver.step(solver.init(), generations)
    kept = [solver.encoding.profile(genome) for genome in state.population[0, state.front[0]]]
    plans = [np.mean([each.plan(seat) for each in kept], axis=0) for seat in (0, 1)]
    mixed = Profile.from_plans(game, plans)
    return metrics.nash_conv(game, mixed), generations * size * (size - 1)


METHODS: dict[str, Callable[[], tuple[float, int]]] = {
    "linear program": linear_program,
    "replicator dynamics": replicator,
    "CFR": regret_minimization,
    "parallel Nash memory": nash_memory,
    "minimax coevolution": coevolution,
    "minimax coevolution, seat by seat": evolving_holdem,
    "CFR+": bucketed_regret_minimization,
    "Pareto coevolution": pareto_coevolution,
}
"""How the method of a row of the file is run; it returns NashConv and payoff evaluations."""


def main() -> None:
    """Measure every method, the first time to compile its kernels, and write its row anew."""
    rows = list(csv.DictReader(io.StringIO(FILE.read_text(encoding="utf-8"))))
    for row in rows:
        run = METHODS[row["method"]]
        run()
        begin = time.process_time()
        nash_conv, evaluations = run()
        seconds = f"{time.process_time() - begin:.3g}"
        row |= {"nash_conv": repr(nash_conv), "evaluations": evaluations, "seconds": seconds}
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with whole_file(FILE) as file:
        file.write(text.getvalue().encode())


if __name__ == "__main__":
    main()
