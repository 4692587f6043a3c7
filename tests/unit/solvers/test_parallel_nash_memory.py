"""The Parallel Nash Memory by hand, its phases, and what it refuses."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError, ConvergenceError, GameError, ShapeError
from pokerlab.core.saved_files import SavedFile
from pokerlab.games import Profile
from pokerlab.runs.checkpoint import FORMAT, load_checkpoint, save_checkpoint
from pokerlab.solvers import ParallelNashMemory, linear_program, subgame
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.search_heuristics import make_pure_behavior
from pokerlab.solvers.subgame import InteriorPointProgram, SubgameSolution
from pokerlab.solvers.subgame_payoffs import extend_payoffs
from tests.refusals import refused
from tests.unit.solvers.any_state import assert_identical

FIGURE_3: dict[str, Any] = {
    "heuristic": pl.solvers.BestResponse(unreached="first", ties="evenly"),
    "subgame": InteriorPointProgram(),
    "start": pl.games.one_card_poker(8).uniform(),
    "tremble": 1e-6,
}
RPS = pl.games.rock_paper_scissors()
KUHN = pl.games.kuhn()
EIGHT = pl.games.one_card_poker(8)


def after(game: pl.games.SequenceForm, count: int, **parts: Any) -> ParallelMemoryState:
    memory = ParallelNashMemory(game, **parts)
    return memory.step(memory.init(), count)


def test_parallel_memory_solves_rock_paper_scissors_as_by_hand() -> None:
    """Rock meets paper, paper meets scissors, and then a third each is safe."""
    for count, expected in enumerate(([1, 0, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3])):
        state = after(RPS, count)
        for player in (0, 1):
            assert state.profile.get_behavior(player) == pytest.approx(expected, abs=1e-12)
        assert state.pool_sizes == (count + 1, count + 1)
        assert state.converged == (count == 2)
    end = after(RPS, 3)
    assert end.converged
    assert end.iteration == 2
    assert after(RPS, 50).iteration == 2


def test_step_of_a_converged_memory_returns_the_same_state() -> None:
    memory = ParallelNashMemory(EIGHT)
    end = memory.step(memory.init(), 50)
    assert memory.step(end, 5) is end
    assert memory.step(end, 10**12) is end  # at once


@pytest.mark.parametrize(
    ("shape", "words"), [((2, 1, 1), "all must fit"), ((2, 0, 9), r"\(2, 1, 1\) or larger")]
)
def test_load_checkpoint_rejects_a_damaged_memory(tmp_path: Path, shape: Any, words: str) -> None:
    memory = ParallelNashMemory(KUHN)
    path = save_checkpoint(tmp_path / "memory.npz", memory, memory.step(memory.init(), 2))
    about, arrays = SavedFile.load(path, FORMAT)
    SavedFile(about, {**arrays, "state.payoffs": np.ones(shape)}).save(path)
    with pytest.raises(CheckpointError, match=words):
        load_checkpoint(path, memory)


def test_play_round_is_propose_add_and_solve() -> None:
    memory = ParallelNashMemory(EIGHT)
    state = memory.step(memory.init(), 3)
    tests = memory.propose_test_strategies(state)
    assert memory.measure_gain(state, tests) == pytest.approx(
        EIGHT.nash_conv(state.profile), abs=1e-12
    )
    enlarged = memory.add_test_strategies(state, tests)
    assert enlarged.pool_sizes == (5, 5)
    assert enlarged.value == pytest.approx(state.value, abs=1e-12)
    assert_identical(memory.complete_round(enlarged), memory.step(state))
    assert memory.add_test_strategies(enlarged, tests).pool_sizes == (
        5,
        5,
    )  # a set holds nothing twice


def test_round_with_a_losing_test_changes_only_the_iteration() -> None:
    search = pl.solvers.RandomSearch(seed=1, best_response_share=0)
    memory = ParallelNashMemory(EIGHT, heuristic=search)
    failed = memory.step(memory.init(), 30)
    while memory.measure_gain(failed, memory.propose_test_strategies(failed)) > 0:
        failed = memory.step(failed)
    later = memory.step(failed)
    assert later.iteration == failed.iteration + 1
    assert later.payoffs is failed.payoffs


def test_rounding_error_of_an_inexact_heuristic_is_no_convergence() -> None:
    """Paper, off by 1e-9 rock: the stored paper gains that much, and scissors, which are not stored, gain 1."""
    paper = np.array([0.0, 1.0, 0.0])
    memory = ParallelNashMemory(RPS, heuristic=lambda state: np.concatenate([paper, paper]))
    exact = ParallelNashMemory(RPS)
    state = exact.step(exact.init())  # rock and paper are stored
    slipped = replace(state, mixtures=(np.array([1e-9, 1 - 1e-9]),) * 2)
    later = memory.play_round(slipped)
    assert memory.measure_gain(slipped, memory.propose_test_strategies(slipped)) > memory.least_gain
    assert slipped.gains.sum() > 1
    assert not later.converged
    assert later.iteration == slipped.iteration + 1


def test_interior_point_program_finds_the_largest_support() -> None:
    """Rows 1 and 2 are alike: a corner takes one of them, the middle both."""
    payoff = np.array([[1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    mixes, _ = InteriorPointProgram().solve(np.stack([payoff, -payoff]))
    assert mixes[0] == pytest.approx([0.25, 0.25, 0.5], abs=1e-6)
    assert mixes[1] == pytest.approx([0.5, 0.5], abs=1e-6)
    corner = pl.solvers.ZeroSumProgram().solve(np.stack([payoff, -payoff]))
    assert np.count_nonzero(corner.mixtures[0]) == 2


def test_parallel_memory_holds_mixed_strategies() -> None:
    """The first reply bets the best card half the time; calls that no bet leads to are decided by the start."""
    memory = ParallelNashMemory(EIGHT, **FIGURE_3)
    one, two = memory.step(memory.init()), memory.step(memory.init(), 2)
    assert one.pools[0][0].tolist() == EIGHT.uniform().plan(0).tolist()
    assert one.profile.action_probabilities(0, "A") == {"pass": 0.5, "bet": 0.5}
    assert two.support_sizes == (1, 1)  # the second reply never bets: no dealer's call is reached
    third = Profile(EIGHT, memory.propose_test_strategies(two))
    assert [third.action_probabilities(1, f"{card}, bet")["bet"] for card in "789TJQKA"] == [
        0
    ] * 2 + [1] * 6
    plain = ParallelNashMemory(EIGHT, **FIGURE_3 | {"tremble": 0.0})
    assert (
        Profile(EIGHT, plain.propose_test_strategies(two)).action_probabilities(1, "A, bet")["bet"]
        == 0.5
    )


def test_tremble_that_would_cost_is_left_out() -> None:
    """Row 2 is best against row 1's friend in memory, by a weight of a tenth, and wins nothing against the mix."""
    game = pl.games.bimatrix([[1, -100], [0, 100]], [[-1, 100], [0, -100]])
    memory = ParallelNashMemory(game, start=Profile(game, [1, 0, 0.5, 0.5]), tremble=0.1)
    state = memory.step(memory.init(), 30)
    assert state.converged


def test_tests_that_gain_only_by_the_tremble_are_replaced() -> None:
    """Row 3 is best if column 2 has its tremble of 0.05. Against the mixtures it loses 1, and row 2 wins 1."""
    payoffs = np.array([[0, 1], [1, -100], [-1, 100]])
    game = pl.games.bimatrix(payoffs, -payoffs)
    memory = ParallelNashMemory(game, start=Profile(game, [1, 0, 0, 1, 0]), tremble=0.1)
    state = memory.add_test_strategies(memory.init(), np.array([1.0, 0.0, 0.0, 0.0, 1.0]))
    assert state.pool_sizes == (1, 2)
    tests = memory.propose_test_strategies(state)
    assert tests.tolist() == [0, 1, 0, 1, 0]
    assert memory.measure_gain(state, tests) == 1.0


def test_extend_payoffs_of_three_players_equals_values() -> None:
    game = pl.games.kuhn(3)
    rng = pl.core.random_stream(1, "pools")
    pools = [[], [], []]
    for _ in range(3):
        profile = Profile(game, make_pure_behavior(game, rng.integers(game.num_actions)))
        for player in range(3):
            pools[player].append(profile.plan(player))
    plans = [np.array(pool) for pool in pools]
    payoffs = extend_payoffs(game, plans)
    for index in np.ndindex(3, 3, 3):
        mixed = Profile.from_plans(game, [pool[k] for pool, k in zip(plans, index, strict=True)])
        assert payoffs[(slice(None), *index)] == pytest.approx(game.values(mixed), abs=1e-12)
    smaller = extend_payoffs(game, [pool[:k] for pool, k in zip(plans, (1, 2, 3), strict=True)])
    assert extend_payoffs(game, plans, smaller) == pytest.approx(payoffs, abs=1e-12)


SOLVERS: list[Callable[[Any], Any]] = [
    ParallelNashMemory,
    partial(pl.solvers.PSRO, subgame=pl.solvers.UniformMixture()),
    pl.solvers.DoubleOracle,
    pl.solvers.SequenceFormLP,
]


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_reject_what_is_no_compiled_game(solver: Callable[[Any], Any]) -> None:
    for wrong in ("kuhn", None, pl.holdem.limit(2)):
        with pytest.raises(GameError, match="give a compiled one"):
            solver(wrong)


@pytest.mark.parametrize(
    "solver", [*SOLVERS, lambda game: pl.solvers.NashMemory(pl.games.compound(game))]
)
def test_solvers_reject_utilities_that_look_like_rounding(solver: Callable[[Any], Any]) -> None:
    """A linear program exact to 1e-9 once called the first strategies of such a game optimal."""
    payoff = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    tiny = pl.games.bimatrix(1e-7 * payoff, -1e-7 * payoff)
    with pytest.raises(GameError, match=r"more than 1e-07 points .* at least 1e-06"):
        solver(tiny)
    assert solver(pl.games.bimatrix(0.0 * payoff, 0.0 * payoff)) is not None


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e6])
def test_parallel_memory_does_not_depend_on_the_scale_of_payoffs(scale: float) -> None:
    payoff = pl.core.random_stream(5, "payoffs").normal(size=(40, 40))

    def value(size: float) -> float:
        game = pl.games.bimatrix(size * payoff, -size * payoff)
        end = after(game, 200)
        assert end.converged
        assert end.gains.max() <= 1e-12 * size
        return end.value / size

    assert value(scale) == pytest.approx(value(1.0), abs=1e-12)


class Stubborn:
    """Plays the first strategy, whatever was met."""

    tolerance = 1e-9

    def check_game(self, game: pl.games.SequenceForm) -> None:
        pass

    def solve(self, payoffs: np.ndarray, basis: Any = (), *, name: str = "") -> SubgameSolution:
        return SubgameSolution(tuple(np.eye(1, k)[0] for k in payoffs.shape[1:]))


def security_levels(game: pl.games.SequenceForm) -> Any:
    """Return what the paper's levels would be, were they told for such games."""
    learning = pl.solvers.ProjectedReplicator(steps=1)
    return ParallelNashMemory(game, subgame=learning).init().security_levels


THREE, STATE = pl.games.kuhn(3), after(KUHN, 2)
BATTLE = pl.games.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
test_parallel_memory_rejects_what_does_not_fit = refused(
    (lambda: ParallelNashMemory(BATTLE), GameError, "bimatrix game is a general-sum game for 2."),
    (lambda: ParallelNashMemory(BATTLE), GameError, "LemkeHowson() for two players"),
    (lambda: ParallelNashMemory(THREE), GameError, "KP(3) is a zero-sum game for 3"),
    # The other's best response to a sure opera leaves 2, not -1.
    (lambda: security_levels(BATTLE), GameError, "bimatrix game is another. Use gains"),
    (lambda: security_levels(THREE), GameError, "KP(3) is another. Use gains"),
    (lambda: pl.solvers.DoubleOracle(KUHN, start=KUHN.uniform()), "the start mixes actions of KP"),
    (lambda: ParallelNashMemory(KUHN, tremble=0.2), "tremble is 0.2; it must be"),
    (
        lambda: ParallelNashMemory(KUHN, vanishing_weight=0.1),  # type: ignore[call-arg]
        "was given vanishing_weight=, which is called tremble=",
    ),
    (
        lambda: ParallelNashMemory(EIGHT, start=Profile(KUHN, [1.0, 0.0] * 12)),
        GameError,
        "belongs to KP(2)",
    ),
    (lambda: ParallelNashMemory(EIGHT).step(STATE), GameError, "the state belongs to KP(2)"),
    (lambda: replace(STATE, payoffs=STATE.payoffs[:, 1:]), ShapeError, "all must fit"),
    (lambda: replace(STATE, mixtures=(np.ones(5), STATE.mixtures[1])), ShapeError, "all must fit"),
    (
        lambda: after(RPS, 2, subgame=Stubborn()),
        ConvergenceError,
        "already win 2 points against its mixtures in rock-paper-scissors: Stubborn did not find",
    ),
)


@pytest.mark.parametrize(
    ("program", "options", "limit"),
    [
        (pl.solvers.ZeroSumProgram, linear_program.DEFAULT_OPTIONS, "simplex_iteration_limit"),
        (InteriorPointProgram, subgame.INTERIOR_POINT, "ipm_iteration_limit"),
    ],
)
def test_failing_subgame_program_names_the_game(
    monkeypatch: pytest.MonkeyPatch, program: type, options: dict[str, object], limit: str
) -> None:
    monkeypatch.setitem(options, limit, 0)
    payoff = np.array([[2.0, -1.0], [-1.0, 1.0]])
    with pytest.raises(ConvergenceError, match=r"2 x 2\s+subgame of stones.* (scale|Use)"):
        program().solve(np.stack([payoff, -payoff]), name="stones")
