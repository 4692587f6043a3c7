"""The symmetric Nash Memory: small games by hand, poker by compound strategies, bounds, refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError, ShapeError, UnknownNameError
from pokerlab.core.saved_files import SavedFile
from pokerlab.games.intransitive_numbers import IntransitiveNumbers
from pokerlab.games.symmetric import compound, self_play
from pokerlab.runs.checkpoint import FORMAT, load_checkpoint, save_checkpoint
from pokerlab.solvers import (
    BestResponse,
    EvolutionarySearch,
    Mutants,
    ParallelNashMemory,
    RandomSearch,
)
from pokerlab.solvers.memories import NashMemory, NashMemoryState, compare_mixtures
from tests.refusals import refused
from tests.unit.solvers.any_state import assert_identical, states_of

ROUNDING = 1e-12  # a linear program's vertex, whose basis has been solved exactly
SECURE = 1e-9  # what the linear program's constraints hold to
RPS = pl.games.rock_paper_scissors()
KUHN = pl.games.kuhn()
NUMBERS = IntransitiveNumbers()
# Rock, paper, scissors and two more; found by trying small random matrices.
SHRINKING = np.array(
    [[0, 1, -1, 0, 0], [-1, 0, 1, 0, 0], [1, -1, 0, -1, 0], [0, 0, 1, 0, -1], [0, 0, 0, 1, 0]]
)


def path(memory: NashMemory, most: int = 1000) -> list[NashMemoryState]:
    """Return the states from the start until convergence, or `most` rounds."""
    return states_of(memory, most)


def mixed(state: NashMemoryState, actions: int) -> np.ndarray:
    """Return the probabilities, (actions,), of a matrix game's actions."""
    chosen = state.strategies[:, 1:].argmax(axis=1)
    return np.bincount(chosen, weights=state.mixture, minlength=actions)


def test_nash_memory_solves_rock_paper_scissors_as_by_hand() -> None:
    states = path(NashMemory(RPS))
    mixes = [mixed(state, 3) for state in states]
    assert [mix.tolist() for mix in mixes[:2]] == [[1, 0, 0], [0, 1, 0]]  # rock; paper beats it
    assert mixes[2] == pytest.approx([1 / 3] * 3, abs=ROUNDING)  # scissors beat paper
    assert [state.security_level for state in states] == pytest.approx([-1, -1, 0], abs=ROUNDING)
    assert [state.support.tolist() for state in states] == [[0], [1], [0, 1, 2]]
    assert [state.unused_strategies.tolist() for state in states] == [[], [0], []]
    with pytest.raises(AttributeError, match=r"memory is NashMemoryState\.unused_strategies since"):
        _ = states[0].memory  # type: ignore[attr-defined]
    assert [state.iteration for state in states] == [0, 1, 2]
    assert [state.converged for state in states] == [False, False, True]


def test_security_set_may_shrink_and_security_level_may_fall() -> None:
    """Footnote 2 of Oliehoek et al. (2006): only what was encountered stays secure."""
    states = path(NashMemory(pl.games.bimatrix(SHRINKING, -SHRINKING)))
    mixes = [mixed(state, 5) for state in states]
    secure = [set(np.flatnonzero(mix @ SHRINKING >= -SECURE).tolist()) for mix in mixes]
    assert secure == [{0, 1, 3, 4}, {0, 2, 4}, {0, 1, 2, 4}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}]
    encountered = [set(state.strategies[:, 1:].argmax(axis=1).tolist()) for state in states]
    assert encountered == [{0}, {0, 2}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}]
    levels = [state.security_level for state in states]
    assert levels == pytest.approx([-1, -1, -1 / 3, -1, 0], abs=ROUNDING)


@pytest.mark.parametrize(
    ("game", "value", "rounds"),
    [(KUHN, -1 / 18, 8), (pl.games.one_card_poker(8), -1 / 16, 20)],
    ids=["Kuhn", "8-card"],
)
def test_nash_memory_of_compound_poker_finds_the_games_value(
    game: pl.games.SequenceForm, value: float, rounds: int
) -> None:
    for heuristic in (BestResponse(), BestResponse(unreached="first")):
        final = path(NashMemory(compound(game), heuristic=heuristic))[-1]
        assert final.converged
        assert game.values(final.profile) == pytest.approx([value, -value], abs=SECURE)
        assert game.nash_conv(final.profile) <= SECURE
        assert final.security_level == pytest.approx(-game.nash_conv(final.profile), abs=ROUNDING)
    assert path(NashMemory(compound(game)))[-1].iteration == rounds


def test_nash_memory_with_evolution_or_mutants_solves_kuhn_poker() -> None:
    search = EvolutionarySearch(seed=1, generations=20, offspring=5)
    for heuristic, most in ((search, 60), (Mutants(seed=1, offspring=10), 1000)):
        final = path(NashMemory(compound(KUHN), heuristic=heuristic), most)[-1]
        assert final.converged
        assert KUHN.values(final.profile)[0] == pytest.approx(-1 / 18, abs=SECURE)


def test_nash_memory_with_small_capacity_cycles_or_fails() -> None:
    states = path(NashMemory(RPS, capacity=1), most=7)
    assert [mixed(s, 3).argmax() for s in states] == [0, 1, 2, 0, 1, 2, 0, 1]
    assert all(state.pool_size == 1 for state in states)
    two = NashMemory(RPS, capacity=2)
    state = two.step(two.init())
    with pytest.raises(SettingError, match=r"in round 2 .* needs 3 strategies; .* at least 3"):
        two.step(state)
    assert path(NashMemory(RPS, capacity=3))[-1].converged


def test_bounded_memory_drops_what_was_unused_for_longest() -> None:
    wins = np.triu(-np.ones((5, 5), dtype=int), 1)  # each beats all before it
    ladder = wins - wins.T
    game = self_play(pl.games.bimatrix(ladder, -ladder))
    memory = NashMemory(game, heuristic=propose_next_rung, capacity=3)
    states = path(memory)
    held = [state.strategies[:, 1:].argmax(axis=1).tolist() for state in states]
    assert held == [[0], [0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert states[-1].last_used.tolist() == [2, 3, 4]
    assert states[-1].payoffs.tolist() == [[0, -1, -1], [1, 0, -1], [1, 1, 0]]


def propose_next_rung(state: NashMemoryState) -> np.ndarray:
    """Return the action after the one that is played: a heuristic is a function."""
    rung = int(state.strategies[state.mixture.argmax(), 1:].argmax()) + 1
    return np.array([[1, *np.eye(state.strategies.shape[1] - 1, dtype=int)[rung]]])


def lost(states: list[NashMemoryState]) -> float:
    """Return the share of pairs of states in which the later loses to the earlier."""
    below = np.tril_indices(len(states), -1)
    return float((compare_mixtures(states)[below] < -SECURE).mean())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nash_memory_never_loses_to_its_own_past(seed: int) -> None:
    """A memory of one strategy is the plain hill climber, which loses to its own past."""
    shares = []
    for capacity in (1, 50, None):
        memory = NashMemory(NUMBERS, heuristic=Mutants(seed=seed), capacity=capacity)
        shares.append(lost(states_of(memory, 20, 20)[1:]))
    climber, bounded, unbounded = shares
    assert climber > 0.1 > bounded > unbounded == 0.0


def test_compare_mixtures_is_antisymmetric() -> None:
    won = compare_mixtures(path(NashMemory(RPS, capacity=1), most=2))
    assert won.tolist() == [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]  # rock, paper, scissors
    assert compare_mixtures([]).shape == (0, 0)


def test_bounded_memory_equals_the_unbounded_until_it_is_full() -> None:
    bounded = NashMemory(NUMBERS, heuristic=Mutants(seed=1), capacity=50)
    unbounded = NashMemory(NUMBERS, heuristic=Mutants(seed=1))
    a, b = bounded.step(bounded.init(), 60), unbounded.step(unbounded.init(), 60)
    assert a.strategies.tolist() == b.strategies.tolist()
    assert a.mixture.tolist() == b.mixture.tolist()


@pytest.mark.parametrize(
    "memory",
    [NashMemory(compound(KUHN)), NashMemory(NUMBERS, heuristic=Mutants(seed=1, offspring=4))],
    ids=["Kuhn", "several tests a round"],
)
def test_last_used_is_the_last_round_in_the_mixture_or_of_joining(memory: NashMemory) -> None:
    states, expected = path(memory, most=20), np.zeros(1, dtype=np.int64)
    for state in states[1:]:
        met = np.full(state.pool_size - len(expected), state.iteration)
        expected = np.append(expected, met)
        expected[state.support] = state.iteration
        assert state.last_used.tolist() == expected.tolist()
    assert len(np.unique(states[-1].last_used)) > 2


def test_bounded_memory_that_drops_more_than_it_adds_goes_on() -> None:
    """The basis of the subgame before is larger than the program after."""

    def four_then_one(state: NashMemoryState) -> Any:
        offspring = 4 if state.iteration % 2 == 0 else 1
        return Mutants(seed=1, offspring=offspring)(state)

    memory = NashMemory(NUMBERS, heuristic=four_then_one, capacity=12)
    state = memory.step(memory.init(), 60)
    assert state.iteration == 60
    assert state.pool_size == 12
    assert (state.mixture @ state.payoffs).min() >= -SECURE


@pytest.mark.parametrize("edge", [1e-3, 1e-6, 1e-9])
def test_nash_memory_notices_small_gains(edge: float) -> None:
    game = pl.games.bimatrix(
        [[0, -edge, 1], [edge, 0, 1], [-1, -1, 0]], [[0, edge, -1], [-edge, 0, -1], [1, 1, 0]]
    )
    final = path(NashMemory(game))[-1]
    assert final.converged
    assert final.strategies[final.support].tolist() == [[1, 0, 1, 0]]


def test_nash_memory_without_exact_responses_has_no_security_level() -> None:
    memory = NashMemory(IntransitiveNumbers(dimensions=4), heuristic=Mutants(seed=1, offspring=4))
    state = memory.step(memory.init(), 30)
    assert state.iteration == 30
    assert not state.converged
    assert (state.mixture @ state.payoffs).min() >= -SECURE
    with pytest.raises(GameError, match="a best response is searched for among 100000 at most"):
        _ = state.security_level


def test_nash_memory_finds_the_corner_of_intransitive_numbers() -> None:
    game = IntransitiveNumbers(largest=8)
    final = path(NashMemory(game))[-1]
    assert final.converged
    assert (final.mixture @ game.payoffs(final.strategies, game.all_strategies)).min() >= -SECURE


def test_mutants_of_the_latest_strategy_have_it_as_parent() -> None:
    heuristic = Mutants(seed=1, offspring=3, parents="latest")
    strategies = NUMBERS.validate_strategies([[0, 0], [100, 100]])
    tests = heuristic.draw_mutants(NUMBERS, strategies, np.array([1.0, 0.0]), 5)
    assert tests.shape == (3, 2)
    assert tests.min() > 80
    assert (heuristic.draw_mutants(NUMBERS, strategies, np.array([1.0, 0.0]), 5) == tests).all()
    assert (heuristic.draw_mutants(NUMBERS, strategies, np.array([1.0, 0.0]), 6) != tests).any()
    drawn = Mutants(seed=1, offspring=3).draw_mutants(NUMBERS, strategies, np.array([1.0, 0.0]), 5)
    assert drawn.max() < 20


test_nash_memory_rejects_bad_input = refused(
    (lambda: NashMemory(KUHN), GameError, "KP(2) is not symmetric"),
    (lambda: NashMemory(KUHN), GameError, "Use games.compound(game)"),
    (
        lambda: NashMemory(pl.games.identical_payoffs([[1, 0], [0, 1]])),
        GameError,
        "identical payoffs is a general-sum game",
    ),
    (lambda: NashMemory(RPS, capacity=0), "capacity is 0; it must be an integer"),
    (lambda: NashMemory(RPS, capacity=2.0), "capacity is 2.0"),
    (lambda: NashMemory(RPS, start=[1, 0, 0]), ShapeError, "needs (4,)"),
    (lambda: NashMemory(RPS, start=[1, 1, 1, 0]), "not a pure realization plan"),
    (lambda: NashMemory(RPS, start=[[1, 1, 0, 0]] * 2), ShapeError, "one strategy"),
    (lambda: NashMemory(RPS).step(NashMemory(compound(RPS)).init()), GameError, "belongs to"),
    (lambda: NashMemory(RPS).step(NashMemory(RPS).init(), -1), "count is -1"),
    (lambda: Mutants(seed=1, offspring=0), "offspring is 0; it must be an integer"),
    (lambda: Mutants(seed=1, parents="last"), UnknownNameError, "Did you mean 'latest'?"),
    (lambda: NashMemory(NUMBERS, heuristic=RandomSearch(seed=1)), GameError, "is not made from"),
    (lambda: NashMemory(NUMBERS).init().profile, GameError, "is not made from a compiled game"),
    (
        lambda: compare_mixtures([NashMemory(compound(KUHN)).init(), NashMemory(RPS).init()]),
        GameError,
        "belong to compound KP(2) and rock-paper-scissors",
    ),
)


@pytest.mark.parametrize(
    ("memory", "old"),
    [
        (NashMemory(compound(KUHN)), {"pools.0": "strategies", "mixtures.0": "mix"}),
        (
            ParallelNashMemory(KUHN),
            {
                f"{new}.{player}": f"{was}.{player}"
                for new, was in (("pools", "strategies"), ("mixtures", "mixes"))
                for player in (0, 1)
            },
        ),
    ],
    ids=["one pool", "two pools"],
)
def test_checkpoint_of_pokerlab_1_with_old_field_names_is_read(
    memory: Any, old: dict[str, str], tmp_path: Path
) -> None:
    state = memory.step(memory.init(), 3)
    path = save_checkpoint(tmp_path / "memory.npz", memory, state)
    about, arrays = SavedFile.load(path, FORMAT)
    renamed = {
        f"state.{old.get(name.removeprefix('state.'), name.removeprefix('state.'))}"
        if name.startswith("state.")
        else name: array
        for name, array in arrays.items()
    }
    assert renamed.keys() != arrays.keys()
    SavedFile(about, renamed).save(path)
    assert_identical(load_checkpoint(path, memory).state, state)
