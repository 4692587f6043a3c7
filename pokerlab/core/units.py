"""The units in which utilities are measured, such as chips, which label numbers and axes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a utility."""

    name: str  # the singular, such as 'chip'
    plural: str  # the plural, such as 'chips', which labels axes

    def __str__(self) -> str:
        """Return the plural, such as 'chips'."""
        return self.plural


CHIPS = Unit("chip", "chips")
POINTS = Unit("point", "points")
RANKS = Unit("rank", "ranks")
SMALL_BETS = Unit("small bet", "small bets")
