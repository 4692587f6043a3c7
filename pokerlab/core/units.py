"""Units of utility, so that every number says what it counts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """What one unit of utility is.

    Attributes
    ----------
    name : str
        One of it, as in 'chip'.
    plural : str
        Several of it, as on an axis: 'chips'.
    """

    name: str
    plural: str

    def __str__(self) -> str:
        return self.plural


CHIPS = Unit("chip", "chips")
POINTS = Unit("point", "points")
RANKS = Unit("rank", "ranks")
SMALL_BETS = Unit("small bet", "small bets")
