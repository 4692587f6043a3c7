"""The units in which utilities are measured, such as chips, which label numbers and axes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a utility."""

    name: str  # in the singular: 'chip'
    plural: str  # in the plural, as on an axis: 'chips'

    def __str__(self) -> str:
        return self.plural


CHIPS = Unit("chip", "chips")
POINTS = Unit("point", "points")
RANKS = Unit("rank", "ranks")
SMALL_BETS = Unit("small bet", "small bets")
