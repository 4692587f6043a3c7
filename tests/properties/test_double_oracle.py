"""Laws of the double oracle on random zero-sum games."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.solvers import DoubleOracle, RandomSearch, SequenceFormLP
from pokerlab.solvers.double_oracle import OracleState
from tests.random_games import RandomRules, random_rules, some_rules

EXACT = 1e-7
"""What the linear program promises for payoffs up to 10, with ten times as much room."""
ENOUGH_ROUNDS = 60
"""Far more than any of these games takes: everything is allowed after as many as there are sequences."""

two_players = some_rules(players=st.just(2), payoffs=st.just("zero"))


def states(oracle: DoubleOracle, rounds: int = ENOUGH_ROUNDS) -> list[OracleState]:
    """Return the states of a run, one a round, up to the one that has converged."""
    seen = [oracle.init()]
    while not seen[-1].converged and seen[-1].iteration < rounds:
        seen.append(oracle.step(seen[-1]))
    return seen


def best_allowed(state: OracleState, player: int) -> float:
    """Return what a player wins at best with allowed sequences, straight from the payoff matrix."""
    game, treeplex = state.game, state.game.make_treeplex(player)
    n, mine = game.num_players, game.player_sequences[player]
    allowed = np.append(True, state.allowed[n:][mine])
    won: Floats = game.payoff_matrix(player).todense()
    won = (won if player == 0 else won.T) @ state.profile.plan(1 - player)
    for k in reversed(range(len(treeplex.num_actions))):
        first = treeplex.first_sequence[k]
        own = np.arange(first, first + treeplex.num_actions[k])
        if allowed[own].any():
            won[treeplex.parent_sequence[k]] += won[own[allowed[own]]].max()
    return float(won[0])


def check_run(game: SequenceForm, oracle: DoubleOracle) -> None:
    """Hold every law against every round of a run."""
    value = SequenceFormLP(game).solve().value
    seen = states(oracle)
    for state in seen:
        assert state.value == pytest.approx(game.values(state.profile)[0], abs=EXACT)
        assert best_allowed(state, 0) == pytest.approx(state.value, abs=EXACT)
        assert best_allowed(state, 1) == pytest.approx(-state.value, abs=EXACT)
        first, second = state.security_levels
        assert first - EXACT <= value <= -second + EXACT
        assert (state.allowed | (state.plan == 0.0)).all()
        Profile(game, state.profile.probabilities)  # checks that nothing is negative, sums are one
    for before, after in pairwise(seen[:-1]):
        assert (after.allowed >= before.allowed).all()
        assert after.allowed.sum() > before.allowed.sum()
    end = seen[-1]
    assert end.converged
    assert end.value == pytest.approx(value, abs=EXACT)
    assert game.nash_conv(end.profile) == pytest.approx(0.0, abs=EXACT)
    assert oracle.step(end, 5) is end


@settings(max_examples=60)
@given(two_players)
def test_double_oracle_of_random_games_finds_equilibria(rules: RandomRules) -> None:
    game = compile_rules(rules)
    check_run(game, DoubleOracle(game))


@pytest.mark.parametrize("seed", range(8))
def test_double_oracle_of_larger_games_finds_equilibria(seed: int) -> None:
    game = compile_rules(random_rules(seed, 2, depth=7, payoffs="zero", largest=10))
    check_run(game, DoubleOracle(game))


@settings(max_examples=30)
@given(two_players, st.integers(0, 99))
def test_double_oracle_from_any_pure_start_converges(rules: RandomRules, seed: int) -> None:
    game = compile_rules(rules)
    start = RandomSearch(seed=seed, best_response_share=0.0).propose_behavior(game, np.ones(0), 0)
    check_run(game, DoubleOracle(game, start=Profile(game, start)))


@pytest.mark.parametrize("seed", range(4))
def test_double_oracle_with_rare_best_responses_converges(seed: int) -> None:
    game = compile_rules(random_rules(seed, 2, payoffs="zero", largest=10))
    oracle = DoubleOracle(game, heuristic=RandomSearch(seed=seed, best_response_share=0.2))
    state = oracle.step(oracle.init(), 500)
    assert state.converged
    assert state.value == pytest.approx(SequenceFormLP(game).solve().value, abs=EXACT)
