"""Where a population's coevolution stands: genomes, what came of their matches, who stays, halls."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pokerlab.core import SettingError, ShapeError
from pokerlab.core.arrays import Bools, Floats, Ints, freeze
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.parts import Genomes, Hall, PlayerEncoding
from pokerlab.evolution.population.variation import NO_PARENT

ROUNDING = 1e-6
"""By how much the sum of a population's chances may differ from 1."""


@dataclass(frozen=True, eq=False)
class PopulationState:
    """Where a population's coevolution stands after `iteration` generations.

    All numbers are about the population as it has just been judged; the next step begins by letting
    it breed. P populations have N strategies each, and halls of H places; M counts all of them, the halls
    last. `population` is (P, N, G), `parents` (P, N, K), `actions` (P, N, 4), `matrix` (M, M), `champions` (P, G),
    `hall_score` (P, H), and what else each strategy has (P, N).
    """

    GROWS: ClassVar[tuple[str, ...]] = ("hall", "matrix")
    """What becomes larger as time goes by: an infinite hall gets more places."""

    game: Any
    encoding: PlayerEncoding
    iteration: int  # generations played and judged; at 0 all numbers are zero
    hands_played: int  # in all generations, each counted once for a table
    num_hands: int  # in this generation
    population: Genomes  # (P, N, G): the genomes
    ages: Ints  # (P, N): for how many generations each has been kept
    parents: Ints  # (P, N, K): where they stood in the generation before, in `hall` from N on; -1 for none
    profit: Ints | Floats  # (P, N): what each won in this generation; whole chips at a table
    hands: Ints  # (P, N): hands or meetings that it played
    hands_won: Ints  # (P, N): those in which it won
    actions: Ints  # (P, N, 4): how often each did each of fold, check, call and raise
    mean_rank: Floats  # (P, N): in tournaments, among all entrants; elsewhere 0
    first_places: Floats  # (P, N): the share of them
    score: Floats  # (P, N): what each is worth; the larger, the better
    matrix: Floats  # (M, M): of each against each; 0 where a pair does not count. (0, 0) if worth is the score alone
    front: Bools  # (P, N): who stays
    chances: Floats  # (P, N): of being drawn as a parent; the rows sum to 1
    champions: Genomes  # (P, G): the largest score, the first of equals
    hall: Hall  # the halls of fame as they played; others enter as the next step begins
    hall_score: Floats  # (P, H): 0 for who did not play

    def __post_init__(self) -> None:
        if self.population.ndim != 3 or self.population.shape[:2] != self.ages.shape:
            raise ShapeError(
                f"populations have shape {self.population.shape} and ages {self.ages.shape}; they must be"
                " (P, N, G) and (P, N)."
            )
        places = self.hall.since.shape
        if self.hall.genomes.shape != (*places, self.population.shape[2]) or not (
            self.hall.plays.shape == self.hall_score.shape == places
        ):
            raise ShapeError(
                f"halls have genomes of shape {self.hall.genomes.shape}, generations {places}, players"
                f" {self.hall.plays.shape} and scores {self.hall_score.shape}; they must be (P, H, G),"
                " and (P, H) each."
            )
        everybody = (self.ages.size + self.hall.since.size,) * 2
        if self.matrix.shape not in ((0, 0), everybody):
            raise ShapeError(
                f"the matrix has shape {self.matrix.shape}; populations and halls make {everybody}."
            )
        last = self.ages.shape[1] + places[1] - 1
        for name, numbers, low, high in (
            ("ages", self.ages, 0, self.iteration),
            ("parents", self.parents, NO_PARENT, last),
            ("hall.since", self.hall.since, EMPTY, self.iteration),
            ("chances", self.chances, 0.0, 1.0),
            ("sums of chances", self.chances.sum(axis=1), 1.0 - ROUNDING, 1.0 + ROUNDING),
        ):
            if numbers.size and not low <= numbers.min() <= numbers.max() <= high:
                raise SettingError(
                    f"'{name}' are {numbers.min():g} to {numbers.max():g}; they must be {low:g} to"
                    f" {high:g}."
                )
        freeze(*vars(self).values(), *self.hall)
