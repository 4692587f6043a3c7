"""Halls of fame: who enters, in whose place, who plays, and who breeds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.core import PokerlabError
from pokerlab.evolution.population import HallOfElites, HallOfFame, InfiniteHall
from pokerlab.evolution.population.hall import (
    ELITE_PAIRINGS,
    EMPTY,
    HALL_STARTS,
    join_parent_probabilities,
)
from pokerlab.evolution.population.protocol import Hall
from tests.refusals import refused
from tests.unit.evolution.populations import made_up

EXACT = 1e-12


class Numbered:
    """An encoding whose random genomes are numbers from its stream."""

    def draw_genomes(self, generator: np.random.Generator, count: int) -> np.ndarray:
        return generator.random((count, 3), np.float32)


ANY: Any = Numbered()


def hall_of(genes: list[float], since: list[int] | None = None) -> Hall:
    """Return a hall of members with one gene each."""
    when = np.array([[0] * len(genes) if since is None else since])
    return Hall(np.array(genes, np.float32)[None, :, None], when, when != EMPTY)


def evaluated_one(
    hall: Hall, members: Any, genes: Any, score: Any, *, elites: int, generation: int = 5
) -> Any:
    """Return one evaluated population of genomes with one gene each."""
    genomes = np.array(genes, np.float32)[None, :, None]
    return made_up(generation, genomes, [score], hall, [members], elites)


def test_hall_of_fame_replaces_the_eldest_by_the_champion() -> None:
    fame = HallOfFame(size=2, every=3)
    hall = fame.open_halls(ANY, np.zeros((2, 4, 1)), seed=1)
    seen = []
    for generation in range(1, 13):
        champions = [[[generation], [0.0]], [[100.0 + generation], [0.0]]]
        before = hall.genomes.copy()
        later = fame.update_halls(made_up(generation, champions, [[1, 0], [1, 0]], hall), seed=1)
        assert (hall.genomes == before).all()
        hall = later
        seen.append(hall.entered.tolist())
        assert (hall.is_playing == (hall.entered != EMPTY)).all()
        for number, base in enumerate((0, 100)):
            plays = hall.is_playing[number]
            assert (hall.genomes[number, plays, 0] == base + hall.entered[number, plays]).all()
    assert seen[1] == [[EMPTY, EMPTY]] * 2
    assert seen[2] == seen[4] == [[3, EMPTY]] * 2
    assert seen[5] == [[3, 6]] * 2
    assert seen[8] == [[9, 6]] * 2
    assert seen[11] == [[9, 12]] * 2


def test_join_parent_probabilities_gives_breeding_members_the_mean() -> None:
    chances, plays = np.array([0.5, 0.0, 0.3, 0.2]), np.array([True, False, True])
    breeding = 5 / 3 * join_parent_probabilities(chances, plays)
    assert breeding == pytest.approx([0.5, 0, 0.3, 0.2, 1 / 3, 0, 1 / 3], abs=EXACT)
    alone = join_parent_probabilities(chances, plays & False)
    assert alone == pytest.approx([0.5, 0, 0.3, 0.2, 0, 0, 0], abs=EXACT)


@pytest.mark.parametrize(
    ("pairing", "copies", "genes", "since"),
    [
        ("best against lowest", False, [1, 11, 10, 4], [0, 5, 5, 0]),
        ("best against lowest", True, [1, 4, 10, 4], [0, 5, 5, 0]),
        ("one by one", True, [1, 4, 11, 10], [0, 5, 5, 5]),
        ("one by one", False, [1, 11, 3, 10], [0, 5, 0, 5]),
    ],
)
def test_hall_of_elites_replaces_the_lowest_members(
    pairing: str, copies: bool, genes: list[int], since: list[int]
) -> None:
    """Three elites are worth 0 (gene 10), -1.5 (4, a copy) and -3 (11); the lowest -9, -5 and -1.2."""
    rule = HallOfElites(size=4, pairing=pairing, copies=copies)
    score = [-7, 0, -3, -1.5, -8]
    hall, of_hall = hall_of([1, 2, 3, 4]), [-1, -5, -9, -1.2]
    evaluated = evaluated_one(hall, of_hall, [20, 10, 11, 4, 21], score, elites=3)
    after = rule.update_halls(evaluated, seed=1)
    assert after.genomes[0, :, 0].tolist() == genes
    assert after.entered.tolist() == [since]
    assert evaluated.hall.genomes[0, :, 0].tolist() == [1, 2, 3, 4]


def test_hall_of_elites_keeps_a_fitter_member() -> None:
    """The best of the three lowest, worth -1.2, did better than both elites; the others did not."""
    hall = hall_of([1, 2, 3, 4])
    evaluated = evaluated_one(
        hall, [-1, -5, -9, -1.2], [20, 10, 11, 22], [-7, -2, -3, -8], elites=3
    )
    after = HallOfElites(size=4, pairing="one by one", copies=True).update_halls(evaluated, seed=1)
    assert after.genomes[0, :, 0].tolist() == [1, 10, 11, 4]


def test_empty_hall_of_elites_fills_before_it_replaces() -> None:
    rule = HallOfElites(size=4, start="empty", pairing="one by one", copies=True)
    hall = hall_of([0, 0, 0, 0], [EMPTY] * 4)
    first = rule.update_halls(
        evaluated_one(hall, [0] * 4, [1, 2, 3], [-3, -1, -2], elites=2), seed=1
    )
    assert first.genomes[0, first.is_playing[0], 0].tolist() == [2, 3]
    # Both new ones did worse than both members, and have the empty places all the same.
    evaluated = evaluated_one(first, [-1, -2, 0, 0], [4, 5, 6], [-9, -8, -7], elites=2)
    second = rule.update_halls(evaluated, seed=1)
    assert second.genomes[0, :, 0].tolist() == [2, 3, 6, 5]


@given(st.integers(1, 6), st.integers(2, 8), st.data())
@settings(max_examples=60, deadline=None)
def test_best_against_lowest_keeps_the_best_of_both(
    size: int, many: int, data: st.DataObject
) -> None:
    """So the definition says; empty places count as worse than everybody."""
    elites = data.draw(st.integers(1, many - 1))
    worth = data.draw(st.permutations(range(size + many)))
    since = data.draw(st.lists(st.sampled_from([EMPTY, 0, 2]), min_size=size, max_size=size))
    hall, genes = hall_of(list(range(size)), since), range(100, 100 + many)
    evaluated = evaluated_one(hall, worth[:size], genes, worth[size:], elites=elites)
    after = HallOfElites(size=max(1, size)).update_halls(evaluated, seed=1)
    members = [(worth[m] if since[m] != EMPTY else -1, m) for m in range(size)]
    lowest = sorted(members)[:elites]
    best = sorted(((worth[size + e], 100 + e) for e in range(many)), reverse=True)[:elites]
    kept = sorted([*lowest, *best], reverse=True)[: len(lowest)]
    # The pairs are as many as there are places, so that further elites have nobody to meet.
    expected = {m for _, m in members} - {m for _, m in lowest} | {g for _, g in kept}
    expected = {g for g in expected if g >= 100 or since[g] != EMPTY}
    assert {int(g) for g in after.genomes[0, after.is_playing[0], 0]} == expected
    assert (after.entered[0, after.genomes[0, :, 0] >= 100] == 5).all()


@pytest.mark.parametrize("pairing", ELITE_PAIRINGS)
def test_hall_of_elites_fills_empty_place_without_comparison(pairing: str) -> None:
    """The best elite has the empty place, though worse than the member, which the second would meet."""
    rule = HallOfElites(size=3, pairing=pairing)
    hall = hall_of([7, 0, 8], [0, EMPTY, 0])
    after = rule.update_halls(
        evaluated_one(hall, [-3, 0, -1], [1, 2, 3], [-9, -4, -5], elites=2), seed=1
    )
    assert after.genomes[0, :, 0].tolist() == [7, 2, 8]


def test_hall_keeps_a_genome_of_zeros() -> None:
    elites = HallOfElites(size=2, start="empty")
    hall = elites.open_halls(ANY, np.zeros((1, 2, 1), np.float32), seed=1)
    evaluated = evaluated_one(hall, [0, 0], [0, 1], [-1, -2], elites=1)
    assert elites.update_halls(evaluated, seed=1).is_playing.tolist() == [[True, False]]
    everybody = InfiniteHall(size=2)
    twice = hall_of([5, 0], [1, EMPTY])
    evaluated = evaluated_one(twice, [0, 0], [0, 1], [-1, -2], elites=1)
    assert everybody.update_halls(evaluated, seed=1).entered.tolist() == [[1, EMPTY, 5]]


@pytest.mark.parametrize("pairing", ELITE_PAIRINGS)
def test_hall_of_elites_compares_as_many_as_elites(pairing: str) -> None:
    """The one elite of each is worth -5: between the lowest member of its hall and the next one."""
    hall = Hall(np.zeros((2, 2, 1), np.float32), np.zeros((2, 2), np.int64), np.ones((2, 2), bool))
    genomes = np.array([[[10], [11]], [[20], [21]]], np.float32)
    evaluated = made_up(5, genomes, [[-5, -6], [-7, -5]], hall, [[-9, -1], [-2, -8]])
    after = HallOfElites(size=2, pairing=pairing).update_halls(evaluated, seed=1)
    assert after.genomes[..., 0].tolist() == [[10, 0], [0, 21]]


@pytest.mark.parametrize("pairing", ELITE_PAIRINGS)
def test_hall_of_elites_with_equal_fitness_keeps_the_member(pairing: str) -> None:
    rule = HallOfElites(size=2, pairing=pairing)
    after = rule.update_halls(
        evaluated_one(hall_of([1, 2]), [-3, -1], [8, 9], [-3, -4], elites=1), seed=1
    )
    assert after.genomes[0, :, 0].tolist() == [1, 2]


def test_hall_of_elites_without_copies_holds_a_genome_once() -> None:
    """The same elite stands highest for three generations, and so does its twin."""
    for copies, expected in ((False, 1), (True, 4)):
        rule = HallOfElites(size=4, start="empty", copies=copies)
        hall = rule.open_halls(ANY, np.zeros((1, 5, 1), np.float32), seed=1)
        for generation in range(1, 4):
            genes, score = [9, 9, 1, 1, 1], [0, 0, -8, -8, -8]
            evaluated = evaluated_one(hall, [-5] * 4, genes, score, elites=2, generation=generation)
            hall = rule.update_halls(evaluated, seed=1)
        assert hall.is_playing.sum() == (hall.genomes[hall.is_playing] == 9).sum() == expected


@pytest.mark.parametrize("start", HALL_STARTS)
def test_open_halls_follows_the_start(start: str) -> None:
    population = np.arange(36, dtype=np.float32).reshape(2, 6, 3)
    hall = HallOfElites(size=4, start=start).open_halls(ANY, population, seed=1)
    assert hall.genomes.shape == (2, 4, 3)
    assert hall.genomes.dtype == np.float32
    if start == "empty":
        assert not hall.is_playing.any()
        assert (hall.entered == EMPTY).all()
        return
    assert hall.is_playing.all()
    assert (hall.entered == 0).all()
    assert 0 < hall.genomes.max() < 1
    assert (hall.genomes[0] != hall.genomes[1]).all()
    again = HallOfElites(size=4).open_halls(ANY, population, seed=2)
    assert (again.genomes != hall.genomes).all()


def test_infinite_hall_keeps_champions_and_draws_players() -> None:
    rule = InfiniteHall(size=3)
    hall = rule.open_halls(ANY, np.zeros((2, 2, 1), np.float32), seed=1)
    assert hall.genomes.shape == (2, 0, 1)
    for generation in range(1, 41):
        # The second population has a new champion only every tenth generation.
        genes = [[[generation], [0]], [[100 + generation // 10], [0]]]
        hall = rule.update_halls(
            made_up(generation, np.float32(genes), [[1, 0], [1, 0]], hall), seed=1
        )
        stored = (hall.entered != EMPTY).sum(axis=1)
        assert stored.tolist() == [generation, 1 + generation // 10]
        assert hall.is_playing.sum(axis=1).tolist() == np.minimum(stored, 3).tolist()
        assert not (hall.is_playing & (hall.entered == EMPTY)).any()
        assert (hall.genomes[0, :, 0] == hall.entered[0]).all()


def test_infinite_hall_draws_anew_in_each_generation() -> None:
    rule, since = InfiniteHall(size=5), list(range(1, 51))
    hall = hall_of(since, since)
    plays = [
        rule.update_halls(made_up(g, [[[1.0], [0.0]]], [[1, 0]], hall), seed=s).is_playing.tolist()
        for g, s in ((60, 1), (61, 1), (60, 2))
    ]
    assert len({str(one) for one in plays}) == 3
    many = [
        rule.update_halls(made_up(g, [[[1.0], [0.0]]], [[1, 0]], hall), seed=1).is_playing[0]
        for g in range(100, 1100)
    ]
    assert np.mean(many, axis=0) == pytest.approx(0.1, abs=5 * np.sqrt(0.09 / 1000))


test_bad_input_is_answered = refused(
    (lambda: HallOfFame(size=-1), PokerlabError, "size is -1; it must be an integer from 0"),
    (lambda: HallOfFame(every=0), PokerlabError, "every is 0; it must be an integer from 1"),
    (lambda: HallOfFame(breeds="no"), PokerlabError, "breeds is 'no'; it must be True or False"),
    (lambda: HallOfElites(size=0), PokerlabError, "size is 0; it must be an integer from 1"),
    (lambda: HallOfElites(start="full"), PokerlabError, f"there are: {', '.join(HALL_STARTS)}"),
    (
        lambda: HallOfElites(pairing="none"),
        PokerlabError,
        f"there are: {', '.join(ELITE_PAIRINGS)}",
    ),
    (lambda: HallOfElites(copies=1), PokerlabError, "copies is 1; it must be True or False"),
    (lambda: HallOfElites(breeds=None), PokerlabError, "breeds is None; it must be True or False"),
    (lambda: InfiniteHall(size=2.5), PokerlabError, "size is 2.5; it must be an integer from 1"),
    (lambda: InfiniteHall(breeds=0), PokerlabError, "breeds is 0; it must be True or False"),
)
