"""The loop with tournaments: elites, halls of every kind, several populations, float32, one run whatever happens."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import GameError, ShapeError
from pokerlab.evolution import population as parts
from pokerlab.evolution.population.hall import NO_HALL
from pokerlab.evolution.population.protocol import Children, HallRule, Results, Survivors
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.holdem import make_doubling_schedule, no_limit, tournament
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState
from tests.refusals import refused
from tests.unit.evolution.thresholds import Thresholds
from tests.unit.solvers.any_state import states_of

SIZE = 10
"""Players of all populations and halls together: as many as sit at one table."""
HALLS: dict[str, tuple[int, int, HallRule]] = {
    "none": (1, 10, NO_HALL),
    "elites": (1, 5, parts.HallOfElites(size=5)),
    "elites, empty at first": (1, 6, parts.HallOfElites(size=4, start="empty")),
    "elites, one by one": (1, 5, parts.HallOfElites(size=5, pairing="one by one")),
    "elites that breed": (1, 5, parts.HallOfElites(size=5, breeds=True)),
    "infinite": (1, 7, parts.InfiniteHall(size=3)),
    "infinite, breeding": (1, 7, parts.InfiniteHall(size=3, breeds=True)),
    "champions": (1, 8, parts.HallOfFame(size=2, every=1)),
    "two populations": (2, 5, NO_HALL),
    "two populations with halls": (2, 3, parts.HallOfElites(size=2)),
    "two infinite halls": (2, 3, parts.InfiniteHall(size=2)),
    "two infinite halls, breeding": (2, 3, parts.InfiniteHall(size=2, breeds=True)),
    "four populations": (4, 2, NO_HALL),
}
every_hall = pytest.mark.parametrize("name", HALLS)


def coevolution(name: str = "none", **given: Any) -> PopulationCoevolution:
    populations, size, hall = HALLS[name]
    entrants = populations * (size + hall.size)
    schedule = make_doubling_schedule(no_limit(5, 10), 4, chips=200 * entrants)
    game = tournament(schedule, entrants=entrants, seats=entrants, stacks=200)
    usual = {
        "seed": 5,
        "size": size,
        "populations": populations,
        "hall_of_fame": hall,
        "pairings": holdem.Tournaments(count=6),
        "fitness": parts.MeanRank(among="own population"),
        "selection": parts.Elites(share=0.4),
        "variation": parts.WeightedSum(),
    }
    return PopulationCoevolution(game, Thresholds(), **{**usual, **given})


@every_hall
def test_every_generation_of_tournaments_keeps_the_laws(name: str) -> None:
    populations, size, rule = HALLS[name]
    for state in states_of(coevolution(name), 8)[1:]:
        assert state.population.dtype == state.hall.genomes.dtype == np.float32
        assert state.matrix.shape == (0, 0)  # worth is the score alone
        entrants = populations * size + state.hall.is_playing.sum()
        if not state.hall.is_playing.any():
            assert state.mean_rank.sum() == pytest.approx(entrants * (entrants + 1) / 2)
            assert state.first_places.sum() == pytest.approx(1.0)
            assert state.profit.sum() == 0
        assert (state.hall.is_playing.sum(axis=1) <= rule.size).all()
        assert (state.hall_fitness[~state.hall.is_playing] == 0).all()
        assert (state.hall_fitness[state.hall.is_playing] < 0).all()
        assert (state.front.sum(axis=1) == max(1, int(0.4 * size))).all()
        own = size + state.hall.is_playing.sum(axis=1)
        both = state.fitness.sum(axis=1) + state.hall_fitness.sum(axis=1)
        assert both == pytest.approx(-own * (own + 1) / 2)
        assert (state.actions.sum(axis=2) > 0).all()
        best = np.argmax(state.fitness, axis=1)
        assert (state.champions == state.population[np.arange(populations), best]).all()


@every_hall
def test_elites_survive_unchanged_and_are_the_only_parents(name: str) -> None:
    rule = HALLS[name][2]
    _, *played = states_of(coevolution(name), 6)
    for before, after in pairwise(played):
        for p in range(len(before.population)):
            kept = before.front[p]
            assert (after.population[p, kept] == before.population[p, kept]).all()
            worst_kept = before.fitness[p, kept].min()
            assert (before.fitness[p, ~kept] <= worst_kept).all()
            written = after.parents[p, ~kept]
            written = written[written != NO_PARENT]
            of_hall = written >= len(kept)
            assert kept[written[~of_hall]].all()
            assert rule.breeds or not of_hall.any()
            assert after.hall.is_playing[p, written[of_hall] - len(kept)].all()


def test_breeding_halls_have_children() -> None:
    for name in ("elites that breed", "infinite, breeding", "champions"):
        states = states_of(coevolution(name), 8)
        size = states[0].population.shape[1]
        assert any((state.parents >= size).any() for state in states), name


def test_members_of_hall_of_elites_entered_as_elites() -> None:
    states = states_of(coevolution("two populations with halls"), 9)
    entered = 0
    for state in states[1:]:
        for p, place in np.argwhere(state.hall.entered > 0):
            origin = states[state.hall.entered[p, place]]
            elites = origin.population[p, origin.front[p]]
            assert (elites == state.hall.genomes[p, place]).all(axis=1).any()
            entered += 1
    assert entered > 0


def test_infinite_hall_holds_every_champion() -> None:
    states = states_of(coevolution("two infinite halls"), 9)
    last = states[-1].hall
    for p in range(2):
        champions = {state.champions[p].tobytes() for state in states[1:-1]}
        stored = last.genomes[p][last.entered[p] > 0]
        assert {member.tobytes() for member in stored} == champions
        assert len(stored) == len(champions)


class SharedFirst(holdem.Tournaments):
    """Tournaments in one of which two players have shared the first place."""

    def __call__(self, *given: Any, **named: Any) -> Results:
        results = super().__call__(*given, **named)
        ranks = np.tile(np.arange(1.0, 11.0), (4, 1))
        ranks[0, :2] = 1.5
        return results._replace(ranks=ranks)


def test_shared_first_place_counts_for_none() -> None:
    solver = coevolution(pairings=SharedFirst(count=4))
    assert solver.step(solver.init()).first_places[0, :3].tolist() == [0.75, 0.0, 0.0]


SEEN: list[str] = []


class Noting(parts.WeightedSum):
    """Weighted sums that note the generators they draw from."""

    def __call__(self, *given: Any) -> Children:
        SEEN.append(str(given[-1].bit_generator.state))
        return super().__call__(*given)


class NotingElites(parts.Elites):
    """Elites that note the generators they draw from."""

    def __call__(self, *given: Any) -> Survivors:
        SEEN.append(str(given[-1].bit_generator.state))
        return super().__call__(*given)


class NotingTournaments(holdem.Tournaments):
    """Tournaments that note whose deals are dealt."""

    def __call__(self, *given: Any, generation: int, **named: Any) -> Results:
        SEEN.append(str(generation))
        return super().__call__(*given, generation=generation, **named)


def test_each_population_and_generation_has_its_own_stream() -> None:
    noting = {"variation": Noting(), "selection": NotingElites(share=0.4)}
    solver = coevolution("four populations", pairings=NotingTournaments(count=2), **noting)
    solver.step(solver.init(), 3)
    assert len(SEEN) == len(set(SEEN)) == 4 * (3 + 2) + 3
    assert [seen for seen in SEEN if seen.isdigit()] == ["0", "1", "2"]


def test_other_fitness_selects_others() -> None:
    """The sequel of 2010 compares survival with hands won and chips a hand."""
    start = coevolution().init()
    fronts = set()
    for worth in (parts.MeanRank(), parts.HandsWon(per="a hand"), parts.Profit(per="a hand")):
        state = coevolution(fitness=worth).step(start)
        fronts.add(state.front.tobytes())
        assert state.mean_rank.tobytes() == coevolution().step(start).mean_rank.tobytes()
    assert len(fronts) > 1


@pytest.mark.parametrize("parents", ["one", "two", "exponential"])
def test_state_records_any_number_of_parents(parents: str) -> None:
    solver = coevolution(variation=parts.WeightedSum(parents=parents))
    state = solver.step(solver.init(), 3)
    assert state.parents.shape == (1, 10, {"one": 1, "two": 2, "exponential": 8}[parents])
    assert state.population.dtype == np.float32


test_bad_input_is_answered = refused(
    (lambda: coevolution(hall_of_fame=parts.HallOfElites(size=11)), "a hall of 11 is larger than"),
    (lambda: coevolution(populations=2), "has 10 entrants; populations and"),
    (lambda: coevolution(hall_of_fame=parts.InfiniteHall(size=2)), "Give a tournament with"),
    (lambda: coevolution(pairings=holdem.RingGames()), GameError, "is a Tournament; give a cash"),
)


def test_state_with_hall_of_other_size_raises() -> None:
    solver = coevolution("infinite")
    state = solver.step(solver.init(), 3)
    assert state.hall.entered.shape[1] == 2
    with pytest.raises(ShapeError, match=r"halls have genomes of shape \(1, 2, 4\)"):
        PopulationState(**{**vars(state), "hall_fitness": state.hall_fitness[:, 1:]})


def test_only_an_infinite_hall_grows() -> None:
    solver = coevolution("infinite")
    state = solver.step(solver.init(), 3)
    other = coevolution("infinite", hall_of_fame=parts.HallOfElites(size=3, start="empty"))
    with pytest.raises(GameError, match=r"state has .* halls of 2; the solver has .* halls of 3"):
        other.step(state)
