"""Blind schedules: what is posted and bet at which hand of a tournament."""

from dataclasses import dataclass, replace

import numpy as np

from pokerlab.core import Ints, SettingError
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.holdem.betting.engine import structure_words
from pokerlab.holdem.betting.structure import MOST_CHIPS, Structure, no_limit

LADDER = (
    *((10, 20, 0), (15, 30, 0), (25, 50, 0), (50, 100, 0), (75, 150, 0), (100, 200, 0)),
    *((100, 200, 25), (200, 400, 25), (300, 600, 50), (400, 800, 50), (600, 1_200, 75)),
    *((1_000, 2_000, 100), (1_500, 3_000, 150), (2_000, 4_000, 200), (3_000, 6_000, 300)),
    *((4_000, 8_000, 400), (6_000, 12_000, 600), (10_000, 20_000, 1_000)),
    *((15_000, 30_000, 1_500), (20_000, 40_000, 2_000), (30_000, 60_000, 3_000)),
    *((40_000, 80_000, 4_000), (60_000, 120_000, 6_000), (100_000, 200_000, 10_000)),
    (150_000, 300_000, 15_000),
)
"""Small blind, big blind and ante of each level of a tournament, as PokerStars had them in 2008."""
HANDS_A_LEVEL = 15
DOUBLED = ("small_blind", "big_blind", "small_bet", "big_bet", "ante")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Structures that follow each other; the last one stays."""

    levels: tuple[Structure, ...]  # at least one
    hands_a_level: int  # for how many hands each holds

    def __post_init__(self) -> None:
        if not self.levels or not all(isinstance(level, Structure) for level in self.levels):
            raise SettingError(f"levels are {self.levels!r}; give a tuple of Structures.")
        object.__setattr__(self, "levels", tuple(self.levels))
        hands_a_level = whole("hands_a_level", self.hands_a_level, 1, LARGEST_COUNT)
        object.__setattr__(self, "hands_a_level", hands_a_level)

    def at(self, hand: int) -> Structure:
        """Return the structure of a hand, by its number in the tournament, from 0."""
        return self.levels[min(hand // self.hands_a_level, len(self.levels) - 1)]

    def words(self) -> Ints:
        """Return the levels for kernels, shape (levels, NUM_STRUCTURE_WORDS)."""
        return np.stack([structure_words(level) for level in self.levels])


def doubling(structure: Structure, hands_a_level: int, *, chips: int) -> Schedule:
    """Return a schedule in which all amounts double until the big blind is at least `chips`.

    With the chips of all players together, the end is near there, whatever they do.

    Examples
    --------
    >>> from pokerlab.holdem.betting.structure import no_limit
    >>> schedule = doubling(no_limit(5, 10), 50, chips=60)
    >>> [level.big_blind for level in schedule.levels]
    [10, 20, 40, 80]
    """
    whole("chips", chips, 1, MOST_CHIPS // 2)
    levels = [structure]
    while levels[-1].big_blind < chips:
        doubled = {name: 2 * getattr(levels[-1], name) for name in DOUBLED}
        levels.append(replace(levels[-1], **doubled))
    return Schedule(tuple(levels), hands_a_level)


def ladder(hands_a_level: int = HANDS_A_LEVEL, *, chips: int, free_folds: bool = False) -> Schedule:
    """Return `LADDER`: blinds from 10/20, with antes from the seventh level on; then they double.

    G. Nicolai's thesis [1]_ prints eight of its levels; those between are PokerStars' own. It ends where the
    big blind is at least `chips`, as that of `doubling` does.

    References
    ----------
    .. [1] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis,
       University of Regina, 2008, table 2.2

    Examples
    --------
    >>> levels = ladder(chips=1_000_000).levels
    >>> [(level.small_blind, level.big_blind, level.ante) for level in levels[5:8]]
    [(100, 200, 0), (100, 200, 25), (200, 400, 25)]
    >>> levels[-1].big_blind
    1200000
    """
    whole("chips", chips, 1, MOST_CHIPS // 2)
    switch("free_folds", free_folds)
    levels = [no_limit(small, big, ante=ante, free_folds=free_folds) for small, big, ante in LADDER]
    enough = [number for number, level in enumerate(levels) if level.big_blind >= chips]
    if enough:
        return Schedule(tuple(levels[: enough[0] + 1]), hands_a_level)
    then = doubling(levels[-1], hands_a_level, chips=chips)
    return Schedule((*levels[:-1], *then.levels), hands_a_level)
