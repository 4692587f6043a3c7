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
    it breed. P populations have N strategies each, and halls of H places; M counts all of them.

    Attributes
    ----------
    game
        What is played.
    encoding : PlayerEncoding
        What genomes mean.
    iteration : int
        Generations played and judged. At 0 nothing has been played, and the numbers are zero.
    hands_played, num_hands : int
        Hands in all generations and in this one, each counted once for a table.
    population : ndarray, shape (P, N, G)
        The genomes.
    ages : ndarray of int64, shape (P, N)
        For how many generations each has been kept.
    parents : ndarray of int64, shape (P, N, K)
        Where the parents of each stood in the generation before; those in `hall` from N on. -1 for
        who was kept, in the first generation, and where a child has fewer than K.
    profit, hands, hands_won : ndarray, shape (P, N)
        What each won in this generation (whole chips at a table), the hands or meetings that it played, and
        those in which it won.
    actions : ndarray of int64, shape (P, N, 4)
        How often each did each of fold, check, call and raise.
    mean_rank, first_places : ndarray of float64, shape (P, N)
        In tournaments, among all entrants: the mean rank of each, and its share of first places;
        elsewhere 0.
    score : ndarray of float64, shape (P, N)
        What each is worth; the larger, the better.
    matrix : ndarray of float64, shape (M, M)
        What each is worth against each, populations first and halls behind them; 0 where a pair does
        not count or a place is empty. Of shape (0, 0) if worth is the score alone.
    front : ndarray of bool, shape (P, N)
        Who stays.
    chances : ndarray of float64, shape (P, N)
        The chance of each to be drawn as a parent; the rows sum to 1.
    champions : ndarray, shape (P, G)
        The genome with the largest score, the first of equals.
    hall : Hall
        The halls of fame as they played. Others enter as the next step begins.
    hall_score : ndarray of float64, shape (P, H)
        What members are worth; 0 for who did not play.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("hall", "matrix")
    """What becomes larger as time goes by: an infinite hall gets more places."""

    game: Any
    encoding: PlayerEncoding
    iteration: int
    hands_played: int
    num_hands: int
    population: Genomes
    ages: Ints
    parents: Ints
    profit: Ints | Floats
    hands: Ints
    hands_won: Ints
    actions: Ints
    mean_rank: Floats
    first_places: Floats
    score: Floats
    matrix: Floats
    front: Bools
    chances: Floats
    champions: Genomes
    hall: Hall
    hall_score: Floats

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
