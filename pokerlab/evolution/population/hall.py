"""Halls of fame: players of the past that go on playing, and may breed.

- `HallOfFame`, as Noble & Watson (2001) propose it: "storing past champion strategies" and
  "re-inserting" them at regular intervals.
- `HallOfElites`, the rule of Nicolai & Hilderman (2009): elites of today replace the lowest members.
- `InfiniteHall`, their future work: all champions are kept, and some are drawn to play.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pokerlab.core import Bools, Floats, Ints, UnknownNameError, random_stream
from pokerlab.core.settings import checked_bool, checked_integer
from pokerlab.evolution.population.protocol import (
    EvaluatedGeneration,
    Genomes,
    Hall,
    PlayerEncoding,
)

MOST_MEMBERS = 100_000
EMPTY = -1  # stands for the generation in which a member entered where a place has no member
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
        Whether members may become parents, each with the mean probability of the parents in its population.
    """

    size: int = 10
    every: int = 10
    breeds: bool = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_integer("size", self.size, 0, MOST_MEMBERS)
        checked_integer("every", self.every, 1)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return empty halls."""
        return make_empty_halls(population, self.size)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls with the champions of this generation, if it is one in which they enter."""
        hall = evaluated.hall
        if not self.size or evaluated.iteration % self.every:
            return hall
        genomes, entered = hall.genomes.copy(), hall.entered.copy()
        for population, champion in enumerate(evaluated.champions):
            eldest = int(np.argmin(entered[population]))
            genomes[population, eldest] = champion
            entered[population, eldest] = evaluated.iteration
        return Hall(genomes, entered, is_playing=entered != EMPTY)


NO_HALL = HallOfFame(size=0)
"""The rule by which no player of the past plays on."""


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
        checked_integer("size", self.size, 1, MOST_MEMBERS)
        UnknownNameError.check("start of a hall", self.start, STARTS)
        UnknownNameError.check("pairing of elites and members", self.pairing, PAIRINGS)
        checked_bool("copies", self.copies)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of the first generation: of new random genomes, or empty."""
        hall = make_empty_halls(population, self.size)
        if self.start == "empty":
            return hall
        for index, members in enumerate(hall.genomes):
            members[:] = encoding.draw_genomes(random_stream(seed, "hall", index), self.size)
        entered = np.zeros_like(hall.entered)
        return Hall(hall.genomes, entered, is_playing=entered != EMPTY)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls in which elites of this generation have replaced members."""
        genomes, entered = evaluated.hall.genomes.copy(), evaluated.hall.entered.copy()
        hall_fitness = np.where(evaluated.hall.is_playing, evaluated.hall_fitness, -np.inf)
        for population, member_fitness in enumerate(hall_fitness):
            elites = self.rank_candidates(evaluated, population)
            num_elites = evaluated.front[population].sum()
            lowest = np.argsort(member_fitness, kind="stable")[:num_elites]
            candidates, members = self.match_candidates(
                evaluated.fitness[population, elites], member_fitness[lowest]
            )

            replaced = lowest[members]
            genomes[population, replaced] = evaluated.population[population, elites[candidates]]
            entered[population, replaced] = evaluated.iteration
        return Hall(genomes, entered, is_playing=entered != EMPTY)

    def match_candidates(
        self, candidate_fitness: Floats, member_fitness: Floats
    ) -> tuple[Ints, Ints]:
        """Return the candidates that enter the hall, and the members that they replace, as indices.

        Parameters
        ----------
        candidate_fitness : array
            The fitness of the candidates, the best first.
        member_fitness : array
            The fitness of the members, the lowest first; minus infinity is an empty place.
        """
        if self.pairing == BEST_AGAINST_LOWEST:
            num_pairs = min(len(candidate_fitness), len(member_fitness))
            enters = np.flatnonzero(candidate_fitness[:num_pairs] > member_fitness[:num_pairs])
            return enters, enters

        is_empty = np.isinf(member_fitness)
        empty_places_first = [*np.flatnonzero(is_empty), *np.flatnonzero(~is_empty)[::-1]]
        replaced: list[int] = []
        for member in empty_places_first:
            if len(replaced) == len(candidate_fitness):
                break
            if candidate_fitness[len(replaced)] > member_fitness[member]:
                replaced.append(member)
        return np.arange(len(replaced)), np.array(replaced, np.int64)

    def rank_candidates(self, evaluated: EvaluatedGeneration, population: int) -> Ints:
        """Return the indices of a population's elites that may enter its hall, the fittest first.

        Without `copies`, genomes that are in the hall already are left out.
        """
        elites = np.flatnonzero(evaluated.front[population])
        ranked = elites[np.argsort(-evaluated.fitness[population, elites], kind="stable")]
        if self.copies:
            return ranked

        members = evaluated.hall.genomes[population][evaluated.hall.is_playing[population]]
        known_genomes = {member.tobytes() for member in members}
        entering = []
        for elite in ranked:
            genome = evaluated.population[population, elite].tobytes()
            if genome not in known_genomes:
                known_genomes.add(genome)
                entering.append(elite)
        return np.array(entering, np.int64)


@dataclass(frozen=True, kw_only=True)
class InfiniteHall:
    """All champions stay in their population's hall of fame; some, drawn anew in each generation, play.

    "An infinite hall of fame with random selection", after Rosin (Nicolai & Hilderman 2009, section V).

    Parameters
    ----------
    size : int
        How many members of each hall play, 1 to 100,000; all while there are fewer.
    breeds : bool
        Whether playing members may become parents.
    """

    size: int = 1000
    breeds: bool = False
    grows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_integer("size", self.size, 1, MOST_MEMBERS)
        checked_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return halls without places."""
        return make_empty_halls(population, 0)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls with the new champions, and draw the members that play next."""
        genomes, entered, _ = evaluated.hall
        is_same = (genomes == evaluated.champions[:, None]).all(axis=2) & (entered != EMPTY)
        is_new = ~is_same.any(axis=1)
        if is_new.any():
            newest = np.where(is_new[:, None], evaluated.champions, np.zeros((), genomes.dtype))
            newest_entered = np.where(is_new, evaluated.iteration, EMPTY)
            genomes = np.concatenate([genomes, newest[:, None]], axis=1)
            entered = np.concatenate([entered, newest_entered[:, None]], axis=1)

        generator = random_stream(seed, "drawn from the hall", evaluated.iteration)
        tickets = np.where(entered == EMPTY, np.inf, generator.random(entered.shape))
        rank_of_ticket = np.argsort(np.argsort(tickets, axis=1), axis=1)
        is_playing = (rank_of_ticket < self.size) & (entered != EMPTY)
        return Hall(genomes, entered, is_playing)


def make_empty_halls(population: Genomes, size: int) -> Hall:
    """Return an empty hall for each population.

    Parameters
    ----------
    population : array of shape (P, N, G)
        The genomes of all populations.
    size : int
        The number of places in each hall.
    """
    num_populations, _, num_genes = population.shape
    shape = (num_populations, size)
    genomes = np.zeros((*shape, num_genes), population.dtype)
    return Hall(genomes, np.full(shape, EMPTY), np.zeros(shape, np.bool_))


def join_parent_probabilities(parent_probabilities: Floats, is_breeding: Bools) -> Floats:
    """Return the probabilities of the members of a population and of its hall to be drawn as parents.

    A breeding member of the hall has the mean probability of the population's parents, before all are divided by
    their sum.

    Parameters
    ----------
    parent_probabilities : array of shape (N,)
        Those of the population's strategies alone.
    is_breeding : array of shape (H,)
        Whether each member of the hall may become a parent.

    Returns
    -------
    array of shape (N + H,)
        The population's strategies come first.
    """
    mean = parent_probabilities[parent_probabilities > 0.0].mean()
    joint = np.concatenate([parent_probabilities, is_breeding * mean]).astype(np.float64)
    joint /= joint.sum()
    return joint
