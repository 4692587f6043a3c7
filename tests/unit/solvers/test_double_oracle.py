"""The double oracle against known values, the Nash memory's rounds, and bad input."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import ConvergenceError, GameError, random_stream
from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.solvers import (
    DoubleOracle,
    ParallelNashMemory,
    SequenceFormLP,
    double_oracle,
    linear_program,
)
from pokerlab.solvers.double_oracle import OracleState
from pokerlab.solvers.linear_program import SequenceFormProgram
from pokerlab.solvers.search_heuristics import make_pure_behavior
from tests.refusals import refused
from tests.unit.solvers.test_linear_program import CASES

ROUNDING = 1e-9

POKER = [game for game, value, _ in CASES if value < 0.0]


def first_action(state: OracleState) -> Floats:
    return make_pure_behavior(state.game, np.zeros_like(state.game.num_actions))


@pytest.mark.parametrize("game", POKER, ids=lambda game: game.name)
def test_double_oracle_needs_fewer_rounds_than_the_nash_memory(game: SequenceForm) -> None:
    oracle, memory = DoubleOracle(game), ParallelNashMemory(game)
    rounds = oracle.step(oracle.init(), 100).iteration
    # Somebody would still gain a hundredth of an ante after half as many rounds again.
    assert memory.step(memory.init(), rounds + rounds // 2).gains.sum() > 0.01


def test_double_oracle_of_a_matrix_game_is_the_nash_memory() -> None:
    """Sequences are whole strategies there, and the linear programs are the same."""
    game = pl.games.biased_rps()
    oracle, memory = DoubleOracle(game), ParallelNashMemory(game)
    for rounds in range(4):
        ours, theirs = (solver.step(solver.init(), rounds) for solver in (oracle, memory))
        assert ours.value == pytest.approx(theirs.value, abs=ROUNDING)
        assert ours.num_sequences == tuple(1 + size for size in theirs.pool_sizes)


def count_rounds_until_converged(game: SequenceForm) -> int:
    oracle = DoubleOracle(game)
    state, num_rounds = oracle.init(), 0
    while not state.converged:
        state, num_rounds = oracle.step(state), num_rounds + 1
    return num_rounds


def test_double_oracle_with_large_payoffs_plays_no_more_rounds() -> None:
    """A power of two leaves all roundings as they are, so that gains from rounding are as many times as large."""
    for seed in range(4):
        payoffs = random_stream(seed, "payoffs").integers(-9, 10, (5, 6))
        small, large = (
            count_rounds_until_converged(pl.games.bimatrix(unit * payoffs, -unit * payoffs))
            for unit in (1, 2**20)
        )
        assert small == large > 2


def test_double_oracle_with_large_payoffs_ends_without_new_sequences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here only the round that finds no new sequence can end the run, and gains from rounding must not prevent it."""
    monkeypatch.setattr(double_oracle, "GAIN_TOLERANCE", -1.0)
    payoffs = 2**40 * random_stream(1, "payoffs").integers(-9, 10, (5, 6))
    oracle = DoubleOracle(pl.games.bimatrix(payoffs, -payoffs))
    state = oracle.step(oracle.init(), 20)
    assert state.converged


def test_security_levels_equal_worst_case_payoffs_of_the_plans() -> None:
    won = random_stream(3, "winnings").integers(-9, 10, (6, 7))
    oracle = DoubleOracle(pl.games.bimatrix(won, 5 - won))
    gains = []
    for rounds in range(5):
        state = oracle.step(oracle.init(), rounds)
        row, column = (state.profile.get_behavior(player) for player in range(2))
        least = ((row @ won).min(), ((5 - won) @ column).min())
        assert state.security_levels == pytest.approx(least, abs=ROUNDING)
        gains.append(abs(state.gains[0] - state.gains[1]))
    assert max(gains) > 1.0  # the players' levels are not the same distance from the value


def test_init_allows_the_sequences_of_the_start() -> None:
    game = pl.games.kuhn()
    state = DoubleOracle(game).init()
    # Everybody always passes: three cards, and player 1 passes again where player 2 bets.
    assert (state.iteration, state.num_sequences) == (0, (7, 7))
    assert game.values(state.profile)[0] == state.value == 0.0
    bold = game.uniform().replace(0, [0.0, 1.0] * 6)
    bold = bold.replace(1, [0.0, 1.0] * 6)
    start = DoubleOracle(game, start=bold).init()
    assert start.num_sequences == (4, 7)
    assert start.profile.action_probabilities(0, "K") == {"pass": 0.0, "bet": 1.0}


def test_solve_restricted_finds_the_equilibrium_by_hand() -> None:
    """Rock beats scissors, and paper is not allowed yet: rock against rock once both have met it."""
    game = pl.games.rock_paper_scissors()
    program = SequenceFormProgram(game)
    allowed = np.array([True, True, True, False, True, True, False, True])  # rock, scissors
    optimum = program.solve_restricted_game(allowed)
    assert optimum.value == pytest.approx(0.0, abs=ROUNDING)
    assert optimum.plan == pytest.approx([1, 1, 1, 0, 0, 1, 0, 0], abs=ROUNDING)


test_double_oracle_rejects_bad_input = refused(
    (lambda: DoubleOracle(pl.games.kuhn(3)), GameError, "the double oracle solves two-player"),
    (lambda: DoubleOracle(pl.games.identical_payoffs([[1, 2]])), GameError, "general-sum"),
    (lambda: DoubleOracle(pl.games.kuhn(), start=pl.games.kuhn().uniform()), "Give a profile of"),
    (
        lambda: DoubleOracle(pl.games.kuhn(), start=pl.games.leduc().uniform()),
        GameError,
        "belongs to Leduc",
    ),
)


def test_linear_program_without_end_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(linear_program.DEFAULT_OPTIONS, "simplex_iteration_limit", 1)
    oracle = DoubleOracle(pl.games.leduc())
    with pytest.raises(ConvergenceError, match=r"'Iteration limit reached' on Leduc.*CFRPlus"):
        oracle.step(oracle.init(), 3)
    with pytest.raises(ConvergenceError, match="'Iteration limit reached' on Leduc"):
        SequenceFormLP(pl.games.leduc()).solve()


def test_double_oracle_detects_a_wrong_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that stays at the start although a best response to it is allowed."""
    oracle = DoubleOracle(pl.games.kuhn())
    state = oracle.init()
    monkeypatch.setattr(DoubleOracle, "solve_restricted_game", lambda self, state: state)
    with pytest.raises(ConvergenceError, match=r"linear program of KP\(2\), restricted to"):
        oracle.step(state, 2)


def test_round_without_new_sequences_is_counted() -> None:
    oracle = DoubleOracle(pl.games.kuhn(), heuristic=first_action)
    state = oracle.step(oracle.init(), 4)
    assert (state.iteration, state.converged) == (4, False)
    assert (state.allowed == oracle.init().allowed).all()


def test_round_with_a_known_test_does_not_blame_the_program() -> None:
    """In every restricted game the second player wins what the first loses."""
    payoff = np.array([[-3.0, -5.0], [-2.0, -1.0]])
    oracle = DoubleOracle(pl.games.bimatrix(payoff, -payoff), heuristic=first_action)
    state = oracle.step(oracle.init(), 4)
    assert (state.iteration, state.value, state.converged) == (4, -3.0, False)


@pytest.mark.parametrize("deck", ["ranks", "paired"])
def test_extend_basis_returns_a_basis(deck: str) -> None:
    """As many items are basic as there are constraints; otherwise HiGHS begins afresh."""
    oracle = DoubleOracle(pl.games.two_round_poker(deck))
    program, state = oracle.program, oracle.init()
    for _ in range(6):
        grown = oracle.allow_sequences(state, oracle.propose_behavior(state))
        reached = program.find_items_of_restricted_game(grown.allowed)
        constraints = np.count_nonzero(reached[program.constraints])
        assert np.count_nonzero(grown.basis[reached] == linear_program.BASIC) == constraints
        state = oracle.step(state)


def test_clean_plans_removes_rounding() -> None:
    program = SequenceFormProgram(pl.games.rock_paper_scissors())
    weights = np.array([1.0, 1.0, 1.0, 1e-13, -1e-14, 0.5, 0.5 + 1e-15, -1e-17])
    plans = program.make_valid_plans(weights)
    assert plans == pytest.approx([1, 1, 1, 0, 0, 0.5, 0.5, 0], abs=1e-14)
    assert np.count_nonzero(plans) == 5
