"""The scoreboard: what the method of each lesson reaches on the same games, at what price, in what form.

`python -m benchmarks.standings` measures the rows of `data/scoreboard.csv` again.
"""

import csv
import io
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.core.files import DATA, open_replacement_file
from pokerlab.papers import methods, samothrakis2011_holdem
from pokerlab.strategies.pure_strategies import list_pure_plans

FILE = DATA / "scoreboard.csv"


def linear_program() -> tuple[float, int]:
    """Solve Kuhn poker; the program reads all payoffs once."""
    return solvers.SequenceFormLP(games.kuhn()).solve().nash_conv, 1


def whole_strategies() -> tuple[float, int]:
    """Breed the 64 whole strategies of either seat of Kuhn poker for 10,000 rounds, as lesson 03 does."""
    game, rounds = games.kuhn(), 10_000
    plans = [list_pure_plans(game, player) for player in (0, 1)]
    wins = plans[0] @ game.payoff_matrix(0) @ plans[1].T
    shares = [np.full(len(each), 1 / len(each)) for each in plans]
    sums = [np.zeros(len(each)) for each in plans]
    for _ in range(rounds):
        sums = [total + share for total, share in zip(sums, shares, strict=True)]
        fitness = wins @ shares[1] + 3.0, 3.0 - shares[0] @ wins
        shares = [x * f / (x @ f) for x, f in zip(shares, fitness, strict=True)]
    average = [total / rounds @ each for total, each in zip(sums, plans, strict=True)]
    return metrics.nash_conv(game, games.Profile.from_plans(game, average)), 2 * rounds


def in_kuhn(name: str, seed: int = 1) -> tuple[float, int]:
    """Run a method in Kuhn poker."""
    game = games.kuhn()
    point = methods.METHODS[name].run(game, seed=seed)
    return metrics.nash_conv(game, point.profile), point.evaluations


def in_six_buckets(name: str, seed: int = 1) -> tuple[float, int]:
    """Run a method in hold'em in six buckets."""
    point = methods.IN_BUCKETS[name].run(samothrakis2011_holdem.make_six_bucket_game(), seed=seed)
    return samothrakis2011_holdem.make_six_bucket_game().nash_conv(point.profile), point.evaluations


METHODS: dict[str, Callable[[], tuple[float, int]]] = {
    "linear program": linear_program,
    "replicator, whole strategies": whole_strategies,
    **{name: partial(in_kuhn, name) for name in methods.METHODS if name != "CFR+"},
    "minimax coevolution, seat by seat": partial(
        in_six_buckets, "minimax coevolution", samothrakis2011_holdem.MEDIAN.seed
    ),
    "CFR+": partial(in_six_buckets, "CFR+"),
    "Pareto coevolution": partial(in_kuhn, "Pareto coevolution", 13),
    "elites by profit": partial(in_kuhn, "elites by profit", 16),
}
"""How the method of a row of the file is run; populations by the median of twenty seeds."""


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
    with open_replacement_file(FILE) as file:
        file.write(text.getvalue().encode())


if __name__ == "__main__":
    main()
