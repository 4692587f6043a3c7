"""OpenSpiel: its solvers in C++ (alternating), and others in Python.

`exploitability` divides NashConv by the number of players there, so that `nash_conv` is what is
measured. PSRO mixes by the Nash equilibrium of the meta-game, as a Nash memory does, and replies with its
exact best responses in C++. It samples the payoffs between strategies; here it gets them exactly, which
takes it no longer and lets it converge. OpenSpiel's double oracle is for matrix games only.
"""

import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, policy_utils
from open_spiel.python.algorithms.fictitious_play import XFPSolver
from open_spiel.python.algorithms.policy_aggregator import PolicyAggregator
from open_spiel.python.algorithms.psro_v2.best_response_oracle import BestResponseOracle
from open_spiel.python.algorithms.psro_v2.psro_v2 import PSROSolver
from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game
from open_spiel.python.policy import TabularPolicy, merge_tabular_policies

from benchmarks import stopwatch
from benchmarks.contestant import Task
from benchmarks.peers import openspiel_hands
from benchmarks.rows import OPENSPIEL_NAME, TARGETS

VERSION = version("open_spiel")
PLAYERS = (0, 1)


def rules(game: str) -> Any:
    """Return a game of OpenSpiel's own, or read the tree that pokerlab writes."""
    if game in OPENSPIEL_NAME:
        return pyspiel.load_game(OPENSPIEL_NAME[game])
    import pokerlab as pl

    tree = pl.games.two_round_poker(game.removeprefix("six_"))
    with tempfile.TemporaryDirectory() as folder:
        text = pl.games.write_efg(tree, Path(folder, "tree.efg")).read_text(encoding="utf-8")
    return pyspiel.load_efg_game(text)


def advance(solver: Any) -> stopwatch.Advance:
    return stopwatch.times(solver.evaluate_and_update_policy)


def uniform(game: Any) -> float:
    return float(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))


def cfr_plus(game: Any) -> stopwatch.Contender:
    solver = pyspiel.CFRPlusSolver(game)
    return stopwatch.Contender(
        advance(solver), lambda: pyspiel.nash_conv(game, solver.tabular_average_policy())
    )


def program(game: Any) -> stopwatch.Contender:
    """Return the linear program, which walks the tree first.

    Its probabilities may exceed 1 by rounding, which the NashConv in C++ refuses.
    """
    policies: list[Any] = []

    def solve(count: int) -> None:
        policies[:] = solve_zero_sum_game(game)[2:]

    def nash_conv() -> float:
        return float(exploitability.nash_conv(game, merge_tabular_policies(policies, game)))

    return stopwatch.Contender(solve, nash_conv)


def fictitious_play(game: Any) -> stopwatch.Contender:
    """Return extensive-form fictitious play (XFP)."""
    solver = XFPSolver(game)
    return stopwatch.Contender(
        stopwatch.times(solver.iteration),
        lambda: pyspiel.nash_conv(game, solver.average_policy().to_tabular().to_dict()),
    )


def psro(game: Any) -> stopwatch.Contender:
    """Return PSRO with Nash mixes, exact best responses and exact payoffs, from uniform play."""
    oracle = BestResponseOracle(game=game, policy=None)

    def tabular(policy: Any) -> Any:
        table = policy_utils.policy_to_dict(
            policy, game, oracle.all_states, oracle.state_to_information_state
        )
        return pyspiel.TabularPolicy(table)

    class ExactPayoffs(PSROSolver):
        def sample_episodes(self, policies: Any, num_episodes: int) -> Any:
            root = game.new_initial_state()
            return np.array(pyspiel.expected_returns(root, [*map(self.known, policies)], -1, False))

        def known(self, policy: Any) -> Any:
            if id(policy) not in tables:
                tables[id(policy)] = policy, tabular(policy)
            return tables[id(policy)][1]

    tables: dict[int, tuple[Any, Any]] = {}
    solver = ExactPayoffs(
        game,
        oracle,
        sims_per_entry=1,
        initial_policies=[TabularPolicy(game) for _ in PLAYERS],
        meta_strategy_method="nash",
        training_strategy_selector="probabilistic",
        sample_from_marginals=True,
    )

    def nash_conv() -> float:
        mixed = PolicyAggregator(game).aggregate(
            PLAYERS, solver.get_policies(), solver.get_meta_strategies()
        )
        return float(pyspiel.nash_conv(game, tabular(mixed)))

    return stopwatch.Contender(stopwatch.times(solver.iteration), nash_conv)


def to_target(nash_conv: float) -> Task:
    return lambda game: stopwatch.to_targets([nash_conv], {"CFR+": lambda: cfr_plus(rules(game))})


def way(start: Callable[[Any], stopwatch.Contender], algorithm: str) -> Task:
    """Return the task of going to all targets."""

    def task(game: str) -> stopwatch.Measure:
        tree = rules(game)
        return stopwatch.to_targets(
            TARGETS, {algorithm: lambda: start(tree)}, uniform=uniform(tree)
        )

    return task


def nash_conv(game: str) -> stopwatch.Measure:
    tree = rules(game)
    solver = pyspiel.CFRSolver(tree)
    advance(solver)(20)
    average = solver.tabular_average_policy()
    return stopwatch.per_call(lambda: pyspiel.nash_conv(tree, average), uniform=uniform(tree))


def linear_program(game: str) -> stopwatch.Measure:
    def solve() -> float:
        return float(solve_zero_sum_game(rules(game))[0])

    return stopwatch.per_call(solve, value=solve())


TASKS: Mapping[str, Task] = {
    **openspiel_hands.TASKS,
    "cfr": lambda game: stopwatch.per_count(advance(pyspiel.CFRSolver(rules(game)))),
    "cfr_plus": lambda game: stopwatch.per_count(advance(pyspiel.CFRPlusSolver(rules(game)))),
    "nash_conv": nash_conv,
    "to_1e-3": to_target(1e-3),
    "to_1e-4": to_target(1e-4),
    "way_of_linear_program": way(program, "linear program"),
    "way_of_nash_memory": way(psro, "PSRO"),
    "way_of_cfr_plus": way(cfr_plus, "CFR+"),
    "way_of_fictitious_play": way(fictitious_play, "XFP"),
    "linear_program": linear_program,
    "build": lambda game: stopwatch.once_with_memory(lambda: pyspiel.CFRSolver(rules(game))),
}
