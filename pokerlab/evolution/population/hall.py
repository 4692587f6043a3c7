"""Halls of fame: players of the past that go on playing, and may breed.

- `HallOfFame`, as Noble & Watson (2001) propose it: "storing past champion strategies" and
  "re-inserting" them at regular intervals.
- `HallOfElites`, the rule of Nicolai & Hilderman (2009): elites of today replace the lowest members.
- `InfiniteHall`, their future work: all champions are kept, and some are drawn to play.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pokerlab.core import Bools, Floats, Ints, UnknownNameError, stream
from pokerlab.core.settings import checked_bool, whole
from pokerlab.evolution.population.protocol import (
    EvaluatedGeneration,
    Genomes,
    Hall,
    PlayerEncoding,
)

MOST_MEMBERS = 100_000
EMPTY = -1  # in place of the generation since when a member is in the hall
STARTS = ("random", "empty")
PAIRINGS = BEST_AGAINST_LOWEST, ONE_BY_ONE = "best against lowest", "one by one"


@dataclass(frozen=True, kw_only=True)
class HallOfFame:
    """Each population's champion enters its hall of fame at regular intervals; the eldest member leaves.

    Parameters
    ----------
    size : int
        Places in each population's hall, 0 to 100,000; 0 for no hall.
    every : int
        Generations between two entries, at least 1.
    breeds : bool
        Whether members may become parents, each with the mean chance of the parents in its population.
    """

    size: int = 10
    every: int = 10
    breeds: bool = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole("size", self.size, 0, MOST_MEMBERS)
        whole("every", self.every, 1)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return empty halls."""
        return make_empty_halls(population, self.size)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls with the champions of this generation, if it is one in which they enter."""
        hall = evaluated.hall
        if not self.size or evaluated.iteration % self.every:
            return hall
        genomes, since = hall.genomes.copy(), hall.since.copy()
        for population, champion in enumerate(evaluated.champions):
            place = int(np.argmin(since[population]))
            genomes[population, place] = champion
            since[population, place] = evaluated.iteration
        return Hall(genomes, since, since != EMPTY)


NO_HALL = HallOfFame(size=0)  # no player of the past plays on


@dataclass(frozen=True, kw_only=True)
class HallOfElites:
    """The elites enter their population's hall of fame where they did better than its lowest members.

    Each generation has as many candidates as it has elites, and they are compared with as many
    members: those of lowest fitness. Members and populations play in the same matches. Empty places are
    filled first, without a comparison. Source: Nicolai & Hilderman (2009), sections III B and IV C.

    Parameters
    ----------
    size : int
        Places in each population's hall, 1 to 100,000.
    start : {'random', 'empty'}
        The members at first: new random networks, or none. The paper does not say.
    pairing : {'best against lowest', 'one by one'}
        'best against lowest': the best candidate against the lowest member, the second against the second, and so on;
        the better one has the place. The hall keeps the best of both groups. The paper has "if any of the elite agents
        have ranked more highly than the 100 or 50 lowest ranked agents [...], these elite agents replace the lower
        ranked agents". 'one by one', as its sequel (ICEC 2010) has it in figure 6: those members from the best of them
        down meet the best candidate; if it did better, it has the place, and the next candidate comes.
    copies : bool
        Whether an elite that is in the hall already may enter it again. Elites live on unchanged, so
        that copies pile up.
    breeds : bool
        Whether members may become parents. In the paper they are "not allowed to pro-create"; halls that do
        are its future work.
    """

    size: int = 1000
    start: str = STARTS[0]
    pairing: str = PAIRINGS[0]
    copies: bool = False
    breeds: bool = False
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole("size", self.size, 1, MOST_MEMBERS)
        UnknownNameError.check("start of a hall", self.start, STARTS)
        UnknownNameError.check("pairing of elites and members", self.pairing, PAIRINGS)
        checked_bool("copies", self.copies)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of the first generation."""
        hall = make_empty_halls(population, self.size)
        if self.start == "empty":
            return hall
        for number, members in enumerate(hall.genomes):
            members[:] = encoding.draw_genomes(stream(seed, "hall", number), self.size)
        since = np.zeros_like(hall.since)
        return Hall(hall.genomes, since, since != EMPTY)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls in which elites of this generation have replaced members."""
        genomes, since = evaluated.hall.genomes.copy(), evaluated.hall.since.copy()
        hall_fitness = np.where(evaluated.hall.plays, evaluated.hall_fitness, -np.inf)
        for number, fitness in enumerate(hall_fitness):
            elites = self.rank_candidates(evaluated, number)
            num_elites = evaluated.front[number].sum()
            lowest = np.argsort(fitness, kind="stable")[:num_elites]
            candidates, members = self.match_candidates(
                evaluated.fitness[number, elites], fitness[lowest]
            )
            places = lowest[members]
            genomes[number, places] = evaluated.population[number, elites[candidates]]
            since[number, places] = evaluated.iteration
        return Hall(genomes, since, since != EMPTY)

    def match_candidates(self, best: Floats, lowest: Floats) -> tuple[Ints, Ints]:
        """Return which candidates replace which members.

        `best` is the fitness of the candidates, the best first, and `lowest` that of the members, the lowest first;
        minus infinity is an empty place.
        """
        if self.pairing == BEST_AGAINST_LOWEST:
            pairs = min(len(best), len(lowest))
            enters = np.flatnonzero(best[:pairs] > lowest[:pairs])
            return enters, enters
        is_empty = np.isinf(lowest)
        in_order = [*np.flatnonzero(is_empty), *np.flatnonzero(~is_empty)[::-1]]
        members: list[int] = []
        for member in in_order:
            if len(members) == len(best):
                break
            if best[len(members)] > lowest[member]:
                members.append(member)
        return np.arange(len(members)), np.array(members, np.int64)

    def rank_candidates(self, evaluated: EvaluatedGeneration, population: int) -> Ints:
        """Return the indices of a population's elites that may enter its hall, the fittest first.

        Without `copies`, genomes that are in the hall already are left out.
        """
        elites = np.flatnonzero(evaluated.front[population])
        ranked = elites[np.argsort(-evaluated.fitness[population, elites], kind="stable")]
        if self.copies:
            return ranked
        members = evaluated.hall.genomes[population][evaluated.hall.plays[population]]
        known = {member.tobytes() for member in members}
        entering = []
        for elite in ranked:
            genome = evaluated.population[population, elite].tobytes()
            if genome not in known:
                known.add(genome)
                entering.append(elite)
        return np.array(entering, np.int64)


@dataclass(frozen=True, kw_only=True)
class InfiniteHall:
    """All champions stay in their population's hall of fame; some, drawn anew in each generation, play.

    "An infinite hall of fame with random selection", after Rosin (Nicolai & Hilderman 2009, section V).

    Parameters
    ----------
    size : int
        How many of each hall play, 1 to 100,000; all while there are fewer.
    breeds : bool
        Whether members who play may become parents.
    """

    size: int = 1000
    breeds: bool = False
    grows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole("size", self.size, 1, MOST_MEMBERS)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return halls without places."""
        return make_empty_halls(population, 0)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls with the new champions, and which members are drawn to play next."""
        genomes, since, _ = evaluated.hall
        known = (genomes == evaluated.champions[:, None]).all(axis=2) & (since != EMPTY)
        new = ~known.any(axis=1)
        if new.any():
            entered = np.where(new, evaluated.iteration, EMPTY)
            newest = np.where(new[:, None], evaluated.champions, np.zeros((), genomes.dtype))
            genomes = np.concatenate([genomes, newest[:, None]], axis=1)
            since = np.concatenate([since, entered[:, None]], axis=1)
        generator = stream(seed, "drawn from the hall", evaluated.iteration)
        tickets = np.where(since == EMPTY, np.inf, generator.random(since.shape))
        place_in_draw = np.argsort(np.argsort(tickets, axis=1), axis=1)
        plays = (place_in_draw < self.size) & (since != EMPTY)
        return Hall(genomes, since, plays)


def make_empty_halls(population: Genomes, size: int) -> Hall:
    """Return halls with `size` empty places, one for each of the populations, (P, N, G)."""
    number, _, num_genes = population.shape
    genomes = np.zeros((number, size, num_genes), population.dtype)
    return Hall(genomes, np.full((number, size), EMPTY), np.zeros((number, size), np.bool_))


def join_chances(chances: Floats, breeding: Bools) -> Floats:
    """Return the chances, (N + H,), of a population and its hall to be drawn as parents.

    Each member of the hall that is `breeding`, (H,), has the mean of the positive `chances`, (N,), of the population.
    """
    mean_chance = chances[chances > 0.0].mean()
    joint = np.concatenate([chances, breeding * mean_chance]).astype(np.float64)
    joint /= joint.sum()
    return joint
