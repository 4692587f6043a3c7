"""Halls of fame: champions of the past that go on playing, and may breed.

Noble & Watson (2001) propose "storing past champion strategies" and "re-inserting" them at regular
intervals.
"""

from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import switch, whole
from pokerlab.evolution.population.parts import Genomes, Hall

MOST_MEMBERS = 100_000
EMPTY = -1
"""In place of the generation since when a member is in the hall."""


@dataclass(frozen=True, kw_only=True)
class HallOfFame:
    """Each population's champion enters its hall at regular intervals; the eldest member leaves.

    Parameters
    ----------
    size : int
        Places in each population's hall, 0 to 100,000; 0 for no hall.
    every : int
        Generations between two entries, at least 1.
    breeds : bool
        Whether members breed, each with the mean chance of those of its population that may breed.

    Raises
    ------
    SettingError
        If a number is out of range.
    """

    size: int = 10
    every: int = 10
    breeds: bool = True

    def __post_init__(self) -> None:
        whole("size", self.size, 0, MOST_MEMBERS)
        whole("every", self.every, 1)
        switch("breeds", self.breeds)

    def empty(self, populations: int, num_genes: int, dtype: np.dtype[np.generic]) -> Hall:
        """Return halls that nobody has entered."""
        return Hall(
            np.zeros((populations, self.size, num_genes), dtype),
            np.full((populations, self.size), EMPTY),
        )

    def updated(self, hall: Hall, champions: Genomes, generation: int) -> Hall:
        """Return the halls after a generation whose champions, (P, G), are known."""
        if not self.size or generation % self.every:
            return hall
        genomes, since = hall.genomes.copy(), hall.since.copy()
        for population, champion in enumerate(champions):
            place = int(np.argmin(since[population]))
            genomes[population, place], since[population, place] = champion, generation
        return Hall(genomes, since)

    def chances(self, chances: Floats, since: Ints) -> Floats:
        """Return the chances, (N + H,), of a population and its hall to be drawn as parents."""
        members = (since != EMPTY) & self.breeds
        each = chances[chances > 0.0].mean()
        both = np.concatenate([chances, members * each]).astype(np.float64)
        both /= both.sum()
        return both


NO_HALL = HallOfFame(size=0)
"""Nobody of the past plays."""
