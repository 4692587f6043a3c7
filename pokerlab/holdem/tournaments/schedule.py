"""Blind schedules: what is posted and bet at which hand of a tournament."""

from dataclasses import dataclass, replace

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.betting.engine import structure_words
from pokerlab.holdem.betting.structure import MOST_CHIPS, Structure

DOUBLED = ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "button_straddle")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Structures that follow each other; the last one stays.

    Attributes
    ----------
    levels : tuple of Structure
        At least one.
    hands_a_level : int
        For how many hands each holds.

    Raises
    ------
    SettingError
        If there is no level, a level has no hand, or a level has a rake: the chips of a tournament
        stay at its table.
    """

    levels: tuple[Structure, ...]
    hands_a_level: int

    def __post_init__(self) -> None:
        if not self.levels or not all(isinstance(level, Structure) for level in self.levels):
            raise SettingError(f"levels are {self.levels!r}; give a tuple of Structures.")
        if any(level.rake is not None for level in self.levels):
            raise SettingError(
                "a level has a rake; chips of a tournament are not raked, so give levels without it."
            )
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
        straddles = tuple(2 * straddle for straddle in levels[-1].straddles)
        levels.append(replace(levels[-1], straddles=straddles, **doubled))
    return Schedule(tuple(levels), hands_a_level)
