"""Units of utility, so that every number says what it counts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """What one unit of utility is."""

    name: str  # one of it, as in 'chip'
    plural: str  # several of it, as on an axis: 'chips'

    def __str__(self) -> str:
        return self.plural


CHIPS = Unit("chip", "chips")
POINTS = Unit("point", "points")
RANKS = Unit("rank", "ranks")
SMALL_BETS = Unit("small bet", "small bets")
