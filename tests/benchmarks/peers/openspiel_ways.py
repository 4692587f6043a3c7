"""OpenSpiel's ways to an equilibrium: linear program, PSRO, CFR+, extensive-form fictitious play.

PSRO mixes by the Nash equilibrium of the meta-game, as a Nash memory does, and replies with its exact
best responses in C++. It samples the payoffs between strategies; here it gets them exactly, which
takes it no longer and lets it converge. OpenSpiel's double oracle is for matrix games only.
"""

import tempfile
from collections.abc import Callable, Mapping
from itertools import repeat
from pathlib import Path
from typing import Any

from tests.benchmarks.contestant import Task
from tests.benchmarks.peers.liteefg_peer import OPENSPIEL_NAME
from tests.benchmarks.rows import TARGETS
from tests.benchmarks.stopwatch import Contender, Measure, WayToTargets

PLAYERS = (0, 1)


def rules(game: str) -> Any:
    """Return a game of OpenSpiel's own, or read the tree that pokerlab writes."""
    import pyspiel

    if game in OPENSPIEL_NAME:
        return pyspiel.load_game(OPENSPIEL_NAME[game])
    import pokerlab as pl

    tree = pl.games.two_round_poker(game.removeprefix("six_"))
    with tempfile.TemporaryDirectory() as folder:
        text = pl.games.write_efg(tree, Path(folder, "tree.efg")).read_text(encoding="utf-8")
    return pyspiel.load_efg_game(text)


def linear_program(game: Any) -> Contender:
    """Return the linear program, which walks the tree first.

    Its probabilities may exceed 1 by rounding, which the NashConv in C++ refuses.
    """
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game
    from open_spiel.python.policy import merge_tabular_policies

    policies: list[Any] = []

    def solve(count: int) -> None:
        policies[:] = solve_zero_sum_game(game)[2:]

    return Contender(solve, lambda: float(nash_conv(game, merge_tabular_policies(policies, game))))


def cfr_plus(game: Any) -> Contender:
    """Return CFR+ in C++."""
    import pyspiel

    solver = pyspiel.CFRPlusSolver(game)

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            solver.evaluate_and_update_policy()

    return Contender(advance, lambda: pyspiel.nash_conv(game, solver.tabular_average_policy()))


def fictitious_play(game: Any) -> Contender:
    """Return extensive-form fictitious play (XFP)."""
    import pyspiel
    from open_spiel.python.algorithms.fictitious_play import XFPSolver

    solver = XFPSolver(game)

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            solver.iteration()

    return Contender(
        advance, lambda: pyspiel.nash_conv(game, solver.average_policy().to_tabular().to_dict())
    )


def psro(game: Any) -> Contender:
    """Return PSRO with Nash mixes, exact best responses and exact payoffs, from uniform play."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import policy_utils
    from open_spiel.python.algorithms.policy_aggregator import PolicyAggregator
    from open_spiel.python.algorithms.psro_v2.best_response_oracle import BestResponseOracle
    from open_spiel.python.algorithms.psro_v2.psro_v2 import PSROSolver
    from open_spiel.python.policy import TabularPolicy

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

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            solver.iteration()

    def nash_conv() -> float:
        mixed = PolicyAggregator(game).aggregate(
            PLAYERS, solver.get_policies(), solver.get_meta_strategies()
        )
        return float(pyspiel.nash_conv(game, tabular(mixed)))

    return Contender(advance, nash_conv)


def way(start: Callable[[Any], Contender], algorithm: str) -> Task:
    """Return the task of going to all targets."""

    def task(game: str) -> Measure:
        import pyspiel

        tree = rules(game)
        timed = WayToTargets(TARGETS, lambda: start(tree), algorithm)
        seen = {"uniform": float(pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree)))}
        return lambda seconds: timed(seconds) | seen

    return task


WAYS: Mapping[str, Task] = {
    "way_of_linear_program": way(linear_program, "linear program"),
    "way_of_nash_memory": way(psro, "PSRO"),
    "way_of_cfr_plus": way(cfr_plus, "CFR+"),
    "way_of_fictitious_play": way(fictitious_play, "XFP"),
}
