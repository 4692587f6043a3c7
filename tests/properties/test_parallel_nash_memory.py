"""Laws of the Parallel Nash Memory in random games: security, values, growth, and an end."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab import games, solvers
from pokerlab.games import SequenceForm, compile_rules
from pokerlab.solvers import ParallelNashMemory
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.strategies.pure_strategies import list_pure_plans
from tests.oracles.eight_cards import mixes
from tests.random_games import random_rules, some_rules

SECURE = 1e-8
"""HiGHS keeps constraints to 1e-9; payoffs of these games are at most 6."""
HEURISTICS = {
    "uniform": solvers.BestResponse(),
    "first": solvers.BestResponse(unreached="first"),
    "random": solvers.BestResponse(unreached="random", seed=5),
    "evolution": solvers.EvolutionarySearch(seed=5, generations=3, offspring=3),
    "random search": solvers.RandomSearch(seed=5, best_response_share=0.3),
}
zero_sum_pairs = some_rules(players=st.just(2), payoffs=st.just("zero"))


def rounds(memory: ParallelNashMemory, most: int) -> list[ParallelMemoryState]:
    states = [memory.init()]
    while not states[-1].converged and len(states) <= most:
        states.append(memory.step(states[-1]))
    return states


def distinct(game: SequenceForm, player: int) -> int:
    return len(np.unique(list_pure_plans(game, player), axis=0))


@given(zero_sum_pairs, st.sampled_from(sorted(HEURISTICS)))
def test_mixtures_are_secure_against_the_other_pool(rules, heuristic) -> None:
    game = compile_rules(rules)
    memory = ParallelNashMemory(game, heuristic=HEURISTICS[heuristic])
    for state in rounds(memory, 30):
        value = (mixes(state.payoffs[0])[0] @ state.payoffs[0]).min()  # by scipy
        assert state.value == pytest.approx(value, abs=SECURE)
        assert (state.mixtures[0] @ state.payoffs[0]).min() >= value - SECURE
        assert (state.payoffs[1] @ state.mixtures[1]).min() >= -value - SECURE
        for mix, support in zip(state.mixtures, state.support_sizes, strict=True):
            assert mix.sum() == pytest.approx(1.0, abs=1e-12)
            assert (mix >= 0.0).all()
            assert np.count_nonzero(mix) == support


@given(zero_sum_pairs, st.sampled_from(sorted(HEURISTICS)))
def test_pools_keep_all_strategies(rules, heuristic) -> None:
    game = compile_rules(rules)
    memory = ParallelNashMemory(game, heuristic=HEURISTICS[heuristic])
    for before, after in pairwise(rounds(memory, 20)):
        for old, new in zip(before.pools, after.pools, strict=True):
            assert (new[: len(old)] == old).all()
            assert len(np.unique(new, axis=0)) == len(new) <= len(old) + 1
        k, m = before.pool_sizes
        assert (after.payoffs[:, :k, :m] == before.payoffs).all()


@given(zero_sum_pairs, st.sampled_from(["uniform", "first", "random"]))
def test_memory_finds_equilibrium_before_it_holds_all_strategies(rules, heuristic) -> None:
    game = compile_rules(rules)
    memory = ParallelNashMemory(game, heuristic=HEURISTICS[heuristic])
    most = distinct(game, 0) + distinct(game, 1) - 1
    end = memory.step(memory.init(), most + 1)
    assert end.converged
    assert end.iteration <= most
    assert game.nash_conv(end.profile) <= SECURE
    assert end.value == pytest.approx(solvers.SequenceFormLP(game).solve().value, abs=SECURE)
    assert sum(end.security_levels) == pytest.approx(0.0, abs=SECURE)


@pytest.mark.parametrize("heuristic", ["evolution", "random search"])
@pytest.mark.parametrize("seed", range(4))
def test_memory_with_occasional_best_responses_converges(seed: int, heuristic: str) -> None:
    game = compile_rules(random_rules(seed, payoffs="zero", largest=10))
    memory = ParallelNashMemory(game, heuristic=HEURISTICS[heuristic])
    end = memory.step(memory.init(), 500)
    assert end.converged
    assert end.value == pytest.approx(solvers.SequenceFormLP(game).solve().value, abs=SECURE)


def test_security_level_is_what_the_best_response_leaves() -> None:
    game = games.one_card_poker(8)
    memory = ParallelNashMemory(game)
    for state in rounds(memory, 8):
        least = [-game.best_response(state.profile, 1 - p).value for p in (0, 1)]
        assert state.security_levels == pytest.approx(least, abs=1e-12)
        assert -sum(state.security_levels) == pytest.approx(
            game.nash_conv(state.profile), abs=1e-12
        )
