"""The loop of a population's coevolution: who stays, who breeds, who plays, and what is kept of it."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import CheckpointError, GameError, PokerlabError, SettingError, ShapeError
from pokerlab.core.saved_files import SavedFile
from pokerlab.evolution import population as parts
from pokerlab.evolution.population.hall import NO_HALL
from pokerlab.evolution.population.protocol import Fitness, HallRule
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.holdem import MatrixEncoding, RuleEncoding, TableNetwork, limit, ring_game
from pokerlab.runs.checkpoint import FORMAT, collect_state_values, load_checkpoint, save_checkpoint
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState
from tests.refusals import refused
from tests.unit.solvers.any_state import states_of

GAME = ring_game(limit(2), seats=4, stacks=60)
RULES = RuleEncoding()
GAMES = holdem.RingGames(games=20, hands=10)
SELECTIONS = {
    "Pareto": parts.ParetoFront(),
    "Pareto, third parties": parts.ParetoFront(third_parties=True, recount=True),
    "Pareto, none kept": parts.ParetoParents(),
    "roulette": parts.Roulette(),
    "elites": parts.Elites(),
    "elites by roulette": parts.Elites(drawn="roulette"),
    "truncation": parts.Truncation(),
    "crowding": parts.DeterministicCrowding(),
    "equilibrium mix": parts.EquilibriumMixture(),
    "NSGA-II": parts.NonDominatedRanks(),
}
HALL = parts.HallOfFame(size=2, every=2)


BY_SCORE = {"selection": parts.Elites()}


def coevolution(size: int = 9, **given: Any) -> PopulationCoevolution:
    return PopulationCoevolution(
        GAME, **{"encoding": RULES, "seed": 5, "pairings": GAMES, "size": size, **given}
    )


@pytest.mark.parametrize("selection", SELECTIONS.values(), ids=SELECTIONS)
@pytest.mark.parametrize("populations", [1, 2])
def test_survivors_stay_and_children_have_parents(selection: Any, populations: int) -> None:
    solver = coevolution(selection=selection, populations=populations)
    start, *played = states_of(solver, 4)
    assert (start.ages == 0).all()
    assert (played[0].population == start.population).all()
    for before, after in pairwise(played):
        kept = before.front
        assert (after.population[kept] == before.population[kept]).all()
        assert (after.ages == np.where(kept, before.ages + 1, 0)).all()
        assert (after.parents[kept] == NO_PARENT).all()
        for p in range(populations):
            assert (before.parent_probabilities[p][after.parents[p][~kept[p]]] > 0).all()
        assert before.parent_probabilities.sum(axis=1) == pytest.approx(1.0)
        assert not kept.all(axis=1).any()


@pytest.mark.parametrize(
    "hall", [NO_HALL, HALL, parts.HallOfElites(size=3), parts.InfiniteHall(size=2)]
)
@pytest.mark.parametrize("populations", [1, 2])
def test_matrix_rows_sum_to_profits_that_sum_to_zero(hall: HallRule, populations: int) -> None:
    solver = coevolution(populations=populations, hall_of_fame=hall)
    members = populations * 9
    for generation, state in enumerate(states_of(solver, 7)[1:], start=1):
        matrix, plays = state.matrix, state.hall.is_playing.ravel()
        assert matrix.shape == (members + plays.size,) * 2
        assert (matrix == -matrix.T).all()
        assert (matrix.sum(axis=1)[:members] == state.profit.ravel()).all()
        assert matrix.sum() == 0.0
        assert state.hands_played == 200 * generation
        assert (matrix[members:].any(axis=1) <= plays).all()
        if not plays.any():
            assert state.profit.sum() == 0
            assert state.hands.sum() == 4 * 200


def test_champion_has_the_largest_fitness_and_enters_the_hall() -> None:
    """Every second champion plays from the next generation on, in the place of the eldest."""
    states = states_of(coevolution(populations=2, hall_of_fame=HALL), 7)
    for state in states[1:]:
        for p in range(2):
            best = int(np.argmax(state.profit[p]))
            assert (state.champions[p] == state.population[p, best]).all()
            for genome, since in zip(state.hall.genomes[p], state.hall.entered[p], strict=True):
                assert since < state.iteration
                if since >= 0:
                    assert (genome == states[since].champions[p]).all()
    members = [[-1, -1]] * 3 + [[2, -1]] * 2 + [[2, 4]] * 2 + [[6, 4]]
    assert [state.hall.entered.tolist() for state in states] == [[one, one] for one in members]


@pytest.mark.parametrize("selection", SELECTIONS.values(), ids=SELECTIONS)
def test_populations_have_children_of_their_own(selection: Any) -> None:
    """Without mutation each gene of a child is one of its own two parents'."""
    solver = coevolution(
        populations=2,
        selection=selection,
        variation=parts.Crossover(mutation=0.0),
        hall_of_fame=HALL,
    )
    states = states_of(solver, 4)
    assert (states[0].population[0] != states[0].population[1]).any()
    for before, after in pairwise(states[1:]):
        for p in range(2):
            pool = np.concatenate([before.population[p], after.hall.genomes[p]])
            for genome, parents in zip(after.population[p], after.parents[p], strict=True):
                if (parents != NO_PARENT).all():
                    assert (genome == pool[parents]).any(axis=0).all()


def test_equal_seeds_begin_with_equal_populations() -> None:
    one = coevolution().init()
    for given in (
        {"selection": parts.Roulette(), "fitness": parts.Profit()},
        {"variation": parts.Crossover(sexual=False)},
        {"populations": 2, "hall_of_fame": HALL},
    ):
        other = coevolution(**given).init()
        assert other.population[0].tobytes() == one.population[0].tobytes()
    first = coevolution().step(one)
    assert (coevolution(selection=parts.Roulette()).step(one).profit == first.profit).all()
    assert (coevolution(seed=6).init().population != one.population).any()


@pytest.mark.parametrize("counted", ["pot by pot", "in games together"])
@pytest.mark.parametrize("third_parties", [False, True])
def test_matrix_of_few_games_is_finite(counted: str, third_parties: bool) -> None:
    """One game of four: most never met, and pairs that did not count are all there is."""
    worth = parts.WinsAndLosses(counted=counted, per="a hand", unmet="does not count")
    few = holdem.RingGames(games=1, hands=3)
    front = parts.ParetoFront(third_parties=third_parties)
    for state in states_of(coevolution(pairings=few, fitness=worth, selection=front), 6)[1:]:
        assert np.isfinite(state.matrix).all()
        assert 1 <= state.front.sum() <= 4
        assert (state.parent_probabilities[0] == state.front[0] / state.front.sum()).all()


test_bad_input_is_answered = refused(
    (lambda: coevolution(seed=-1), "seed is -1; it must be an integer from 0"),
    (lambda: coevolution(size=1), "size is 1; it must be an integer from 2"),
    (lambda: coevolution(size=3), "3 players do not fill a table of 4"),
    (lambda: coevolution(populations=0), "populations is 0; it must be an"),
    (lambda: coevolution(workers=0), "workers is 0; it must be an integer"),
    (lambda: coevolution(workers=None), "workers is None; it must be an integer"),
    (lambda: coevolution(hall_of_fame=parts.HallOfFame(size=10)), "a hall of 10 is larger than"),
    (
        lambda: coevolution(selection="best"),
        PokerlabError,
        "'best' is not a selection, which is called with",
    ),
    (
        lambda: coevolution(selection=parts.Roulette),
        PokerlabError,
        "Pass one such as ParetoFront()",
    ),
    (
        lambda: coevolution(fitness=parts.Roulette()),
        PokerlabError,
        "is not a fitness function, which",
    ),
    (lambda: coevolution(pairings=3), PokerlabError, "pairings is 3; give pairings such as"),
    (lambda: coevolution(matches=3), "given matches=, which is called pairings= since"),
    (lambda: coevolution(worth=3), "given worth=, which is called fitness= since"),
    (lambda: coevolution(variation=object()), PokerlabError, "is not a variation, which"),
    (lambda: coevolution(hall_of_fame=10), PokerlabError, "give a rule such as HallOfFame"),
    (lambda: coevolution(**{"fitness": parts.MeanRank(), **BY_SCORE}), "which needs 'ranks', but"),
    (
        lambda: coevolution(pairings=holdem.RingGames(pots=False)),
        "which count won_in_shared_games. Pass",
    ),
    (
        lambda: coevolution(encoding=TableNetwork(), variation=parts.Crossover()),
        "Pass variation=WeightedSum() for networks",
    ),
    (lambda: coevolution(encoding=MatrixEncoding()), "the encoding is"),
    (lambda: coevolution(variation=parts.WeightedSum()), "Pass variation=Crossover() for rules"),
    (lambda: coevolution(encoding=MatrixEncoding(), variation=parts.WeightedSum()), "genes have"),
)


@pytest.mark.parametrize(
    "other",
    [
        {"size": 8},
        {"populations": 2},
        {"hall_of_fame": HALL},
        {"variation": parts.Crossover(sexual=False)},
    ],
)
def test_step_with_state_of_other_size_raises(other: dict[str, Any]) -> None:
    with pytest.raises(GameError, match=r"the state has .*; the solver has 1 populations of 9 "):
        coevolution().step(coevolution(**other).init())


def test_state_with_other_number_of_ages_raises() -> None:
    state = coevolution().init()
    with pytest.raises(ShapeError, match=r"populations have shape \(1, 9, 42\) and ages \(1, 8\)"):
        PopulationState(**{**vars(state), "ages": state.ages[:, 1:]})


@pytest.mark.parametrize(
    "selection", [parts.ParetoFront(), parts.NonDominatedRanks(), parts.EquilibriumMixture()]
)
def test_selection_by_matrix_with_one_number_raises(selection: Any) -> None:
    """At once, and not after a generation of play."""
    with pytest.raises(SettingError, match=r"fitness is Profit\(.*\. Pass fitness=WinsAndLosses"):
        coevolution(fitness=parts.Profit(), selection=selection)
    one_number = Fitness(np.zeros(4))
    with pytest.raises(SettingError, match="this fitness does not have"):
        selection(
            one_number, slice(4), np.zeros((4, 2)), np.zeros(4, int), np.random.default_rng(1)
        )


def forged(path: Path, change: Callable[[dict[str, Any]], Any]) -> PopulationCoevolution:
    """Return a solver for whose third generation `path` holds changed arrays."""
    solver = coevolution(hall_of_fame=parts.InfiniteHall(size=2))
    save_checkpoint(path, solver, solver.step(solver.init(), 3))
    about, arrays = SavedFile.load(path, FORMAT)
    change(arrays)
    SavedFile(about, arrays).save(path)
    return solver


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("ages", -1), ("ages", 4), ("parents", -2), ("parents", 10**9)),
        *(
            ("parent_probabilities", -0.1),
            ("parent_probabilities", 2.0),
            ("parent_probabilities", 0.5),
        ),
        *(("hall.entered", -2), ("hall.entered", 4)),
    ],
)
def test_checkpoint_with_impossible_numbers_raises(tmp_path: Path, name: str, value: float) -> None:
    path = tmp_path / "run.npz"
    solver = forged(path, lambda arrays: arrays[f"state.{name}"].flat.__setitem__(0, value))
    with pytest.raises(CheckpointError, match=rf"{name}' are .*; they must be "):
        load_checkpoint(path, solver)


def test_checkpoint_with_other_sizes_raises(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    arrays = collect_state_values(forged(path, lambda arrays: None).init())
    for name in [name for name, array in arrays.items() if isinstance(array, np.ndarray)]:
        for axis in range(arrays[name].ndim):

            def enlarged(
                arrays: dict[str, Any], name: str = f"state.{name}", axis: int = axis
            ) -> None:
                arrays[name] = np.repeat(arrays[name], 2, axis)

            with pytest.raises(CheckpointError, match="does not fit this run"):
                load_checkpoint(path, forged(path, enlarged))
