"""Halls of fame, whose members are strategies from earlier generations that continue to play and may become parents.

- `HallOfFame` is proposed by Noble & Watson (2001): "storing past champion strategies" and "re-inserting" them at
  regular intervals.
- `HallOfElites` is the rule of Nicolai & Hilderman (2009), in which new elites replace the members with the lowest
  fitness.
- `InfiniteHall` is future work of the same authors: all champions are stored, and some are drawn at random to play.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pokerlab.core import Bools, Floats, Ints, UnknownNameError, random_stream
from pokerlab.core.settings import validate_bool, validate_integer
from pokerlab.evolution.population.protocol import (
    EvaluatedGeneration,
    Genomes,
    Hall,
    PlayerEncoding,
)

MOST_MEMBERS = 100_000
EMPTY = -1
"""The generation of entry of a place that has no member. It is smaller than that of every member."""
HALL_STARTS = ("random", "empty")
ELITE_PAIRINGS = BEST_AGAINST_LOWEST, ONE_BY_ONE = "best against lowest", "one by one"


@dataclass(frozen=True, kw_only=True)
class HallOfFame:
    """A hall of fame that the champion of its population enters at regular intervals, and replaces the oldest member.

    Parameters
    ----------
    size : int
        The number of places in the hall of each population, 0 to 100,000. With 0 there is no hall.
    every : int
        The number of generations between two entries, at least 1.
    breeds : bool
        Whether members may become parents, each with the mean probability of the parents in its population.
    """

    size: int = 10
    every: int = 10
    breeds: bool = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range."""
        validate_integer("size", self.size, 0, MOST_MEMBERS)
        validate_integer("every", self.every, 1)
        validate_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of fame of the first generation, which are empty.

        Parameters
        ----------
        encoding : PlayerEncoding
            Not used, since no genomes are drawn.
        population : array of shape (P, N, G)
            The genomes of all P populations, of N strategies with G genes each.
        seed : int
            Not used, since nothing is drawn.

        Returns
        -------
        Hall
            A hall for each population, with `size` empty places.
        """
        return make_empty_halls(population, self.size)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls of the next generation, which champions enter if the generation is a multiple of `every`.

        Parameters
        ----------
        evaluated : EvaluatedGeneration
            The generation whose fitness has been computed, with its halls. It is not changed.
        seed : int
            Not used, since nothing is drawn.

        Returns
        -------
        Hall
            The halls, in which the champion of each population has taken an empty place or the place of the oldest
            member.
        """
        hall = evaluated.hall
        if self.size == 0 or evaluated.iteration % self.every != 0:
            return hall

        # The oldest member is the one that entered first. Empty places have -1, so they come before all members.
        genomes, entered = hall.genomes.copy(), hall.entered.copy()
        for population, champion in enumerate(evaluated.champions):
            oldest_member = int(np.argmin(entered[population]))
            genomes[population, oldest_member] = champion
            entered[population, oldest_member] = evaluated.iteration
        return Hall(genomes, entered, is_playing=entered != EMPTY)


NO_HALL = HallOfFame(size=0)
"""The rule without a hall of fame."""


@dataclass(frozen=True, kw_only=True)
class HallOfElites:
    """A hall of fame that elites of its population enter if they are fitter than its members with the lowest fitness.

    In each generation the elites are compared with as many members of the hall, those with the lowest fitness. Members
    and populations play in the same games, so their fitness is comparable. Empty places are filled first, without a
    comparison. The rule is that of Nicolai & Hilderman (2009), sections III B and IV C.

    Parameters
    ----------
    size : int
        The number of places in the hall of each population, 1 to 100,000.
    start : {'random', 'empty'}
        Whether the first members are random genomes, or the hall is empty at first. The paper does not specify this.
    pairing : {'best against lowest', 'one by one'}
        The comparison of elites and members. With 'best against lowest' the best elite is compared with the lowest
        member, the second best with the second lowest, and so on, and the fitter one of each pair gets the place. So
        the hall stores the best of both groups. The paper says: "if any of the elite agents have ranked more highly
        than the 100 or 50 lowest ranked agents [...], these elite agents replace the lower ranked agents". 'one by one'
        is the rule of figure 6 in the sequel (ICEC 2010): the compared members are taken in turn, beginning with the
        best of them. Each is compared with the best elite that has not entered yet, which replaces the member if it is
        fitter.
    copies : bool
        Whether an elite whose genome is already in the hall may enter it again. Elites survive unchanged, so copies
        accumulate.
    breeds : bool
        Whether members may become parents. In the paper they are "not allowed to pro-create", and parents from the hall
        are future work.
    """

    size: int = 1000
    start: str = HALL_STARTS[0]
    pairing: str = ELITE_PAIRINGS[0]
    copies: bool = False
    breeds: bool = False
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range, or an UnknownNameError if a name is not allowed."""
        validate_integer("size", self.size, 1, MOST_MEMBERS)
        UnknownNameError.check("start of a hall", self.start, HALL_STARTS)
        UnknownNameError.check("pairing of elites and members", self.pairing, ELITE_PAIRINGS)
        validate_bool("copies", self.copies)
        validate_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of fame of the first generation, which have random genomes or are empty.

        Parameters
        ----------
        encoding : PlayerEncoding
            The encoding, which draws random genomes.
        population : array of shape (P, N, G)
            The genomes of all P populations, of N strategies with G genes each.
        seed : int
            The seed of all random numbers.

        Returns
        -------
        Hall
            A hall for each population, with `size` places.
        """
        hall = make_empty_halls(population, self.size)
        if self.start == "empty":
            return hall

        for index, genomes in enumerate(hall.genomes):
            generator = random_stream(seed, "hall", index)
            genomes[:] = encoding.draw_genomes(generator, self.size)
        entered = np.zeros_like(hall.entered)
        return Hall(hall.genomes, entered, is_playing=entered != EMPTY)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls of the next generation, in which elites of this generation have replaced members.

        Parameters
        ----------
        evaluated : EvaluatedGeneration
            The generation whose fitness has been computed, with its halls. It is not changed.
        seed : int
            Not used, since nothing is drawn.

        Returns
        -------
        Hall
            The halls, with the same places as before.
        """
        hall = evaluated.hall
        genomes, entered = hall.genomes.copy(), hall.entered.copy()
        # Empty places count as members with the lowest fitness, so they are filled first.
        hall_fitness = np.where(hall.is_playing, evaluated.hall_fitness, -np.inf)
        for population, member_fitness in enumerate(hall_fitness):
            # As many members are compared as there are elites, even if some elites may not enter.
            candidates = self.rank_candidates(evaluated, population)
            num_elites = evaluated.front[population].sum()
            lowest_members = np.argsort(member_fitness, kind="stable")[:num_elites]
            entering_candidates, replaced_members = self.choose_replaced_members(
                evaluated.fitness[population, candidates], member_fitness[lowest_members]
            )

            places = lowest_members[replaced_members]
            genomes[population, places] = evaluated.population[
                population, candidates[entering_candidates]
            ]
            entered[population, places] = evaluated.iteration
        return Hall(genomes, entered, is_playing=entered != EMPTY)

    def choose_replaced_members(
        self, candidate_fitness: Floats, member_fitness: Floats
    ) -> tuple[Ints, Ints]:
        """Return which candidates enter the hall of fame, and which member each of them replaces.

        Parameters
        ----------
        candidate_fitness : array of shape (C,)
            The fitness of C candidates in decreasing order.
        member_fitness : array of shape (K,)
            The fitness of K members in increasing order, where minus infinity means an empty place.

        Returns
        -------
        entering_candidates : array of shape (E,)
            The indices of the E candidates that enter.
        replaced_members : array of shape (E,)
            For each of them the index of the member that it replaces.
        """
        if self.pairing == BEST_AGAINST_LOWEST:
            num_pairs = min(len(candidate_fitness), len(member_fitness))
            is_fitter = candidate_fitness[:num_pairs] > member_fitness[:num_pairs]
            entering_candidates = np.flatnonzero(is_fitter)
            return entering_candidates, entering_candidates

        # One by one: empty places come first, and then the members from the best to the lowest.
        is_empty = np.isinf(member_fitness)
        members_in_turn = [*np.flatnonzero(is_empty), *np.flatnonzero(~is_empty)[::-1]]
        replaced_members: list[int] = []
        for member in members_in_turn:
            candidate = len(replaced_members)  # the best one that has not entered yet
            if candidate == len(candidate_fitness):
                break
            if candidate_fitness[candidate] > member_fitness[member]:
                replaced_members.append(member)
        return np.arange(len(replaced_members)), np.array(replaced_members, np.int64)

    def rank_candidates(self, evaluated: EvaluatedGeneration, population_index: int) -> Ints:
        """Return the elites of a population that may enter its hall of fame, the fittest first.

        If `copies` is False, elites whose genomes are already in the hall are left out.

        Parameters
        ----------
        evaluated : EvaluatedGeneration
            The generation whose fitness has been computed, with its halls.
        population_index : int
            The index of the population.

        Returns
        -------
        array of int
            The indices of these elites in the population.
        """
        elites = np.flatnonzero(evaluated.front[population_index])
        order = np.argsort(-evaluated.fitness[population_index, elites], kind="stable")
        ranked_elites = elites[order]
        if self.copies:
            return ranked_elites

        # Genomes are compared by their bytes, since arrays have no hash.
        member_genomes = evaluated.hall.genomes[population_index][
            evaluated.hall.is_playing[population_index]
        ]
        known_genomes = {member.tobytes() for member in member_genomes}
        candidates = []
        for elite in ranked_elites:
            genome = evaluated.population[population_index, elite].tobytes()
            if genome not in known_genomes:
                known_genomes.add(genome)
                candidates.append(elite)
        return np.array(candidates, np.int64)


@dataclass(frozen=True, kw_only=True)
class InfiniteHall:
    """A hall of fame that stores all champions of its population. In each generation a random selection of them plays.

    It is "an infinite hall of fame with random selection", after Rosin (Nicolai & Hilderman 2009, section V).

    Parameters
    ----------
    size : int
        The number of members of each hall that play, 1 to 100,000. If there are fewer members, all of them play.
    breeds : bool
        Whether members that play may become parents.
    """

    size: int = 1000
    breeds: bool = False
    grows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range."""
        validate_integer("size", self.size, 1, MOST_MEMBERS)
        validate_bool("breeds", self.breeds)

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of fame of the first generation, which have no places until champions enter.

        Parameters
        ----------
        encoding : PlayerEncoding
            Not used, since no genomes are drawn.
        population : array of shape (P, N, G)
            The genomes of all P populations, of N strategies with G genes each.
        seed : int
            Not used, since nothing is drawn.

        Returns
        -------
        Hall
            A hall without places for each population.
        """
        return make_empty_halls(population, 0)

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls after the new champions have entered and the members that play next have been drawn.

        A champion whose genome is already in its hall does not enter again.

        Parameters
        ----------
        evaluated : EvaluatedGeneration
            The generation whose fitness has been computed, with its halls. It is not changed.
        seed : int
            The seed of the random numbers by which members are drawn.

        Returns
        -------
        Hall
            The halls. Each one has one place more than before if at least one champion is new.
        """
        genomes, entered, _ = evaluated.hall
        is_same = (genomes == evaluated.champions[:, None]).all(axis=2) & (entered != EMPTY)
        is_new = ~is_same.any(axis=1)
        if is_new.any():
            # Each hall gets one place more, which stays empty if its champion is not new.
            no_genome = np.zeros((), genomes.dtype)
            newest_genomes = np.where(is_new[:, None], evaluated.champions, no_genome)
            newest_entered = np.where(is_new, evaluated.iteration, EMPTY)
            genomes = np.concatenate([genomes, newest_genomes[:, None]], axis=1)
            entered = np.concatenate([entered, newest_entered[:, None]], axis=1)

        # The members with the smallest random numbers play. Sorting the sorting indices gives the rank of each number.
        generator = random_stream(seed, "drawn from the hall", evaluated.iteration)
        is_occupied = entered != EMPTY
        random_numbers = np.where(is_occupied, generator.random(entered.shape), np.inf)
        ranks = np.argsort(np.argsort(random_numbers, axis=1), axis=1)
        is_playing = (ranks < self.size) & is_occupied
        return Hall(genomes, entered, is_playing)


def make_empty_halls(population: Genomes, num_places: int) -> Hall:
    """Return an empty hall of fame for each population.

    Parameters
    ----------
    population : array of shape (P, N, G)
        The genomes of all P populations, of N strategies with G genes each.
    num_places : int
        The number of places in each hall, H.

    Returns
    -------
    Hall
        P halls, whose arrays have shape (P, H, G) for the genomes and (P, H) for the rest.
    """
    num_populations, _, num_genes = population.shape
    shape = (num_populations, num_places)
    return Hall(
        genomes=np.zeros((*shape, num_genes), population.dtype),
        entered=np.full(shape, EMPTY),
        is_playing=np.zeros(shape, np.bool_),
    )


def join_parent_probabilities(parent_probabilities: Floats, is_breeding: Bools) -> Floats:
    """Return the probability to become a parent, for each strategy of a population and each member of its hall of fame.

    A member of the hall that may become a parent gets the mean of the positive probabilities in the population. Then
    all probabilities are divided by their sum.

    Parameters
    ----------
    parent_probabilities : array of shape (N,)
        The probabilities of the N strategies of the population, without the hall.
    is_breeding : array of shape (H,)
        Whether each of the H members of the hall may become a parent.

    Returns
    -------
    array of shape (N + H,)
        First the probabilities of the population's strategies, and then those of the members of the hall.
    """
    mean_probability = parent_probabilities[parent_probabilities > 0.0].mean()
    joint_probabilities = np.concatenate(
        [parent_probabilities, is_breeding * mean_probability]
    ).astype(np.float64)
    joint_probabilities /= joint_probabilities.sum()
    return joint_probabilities
