"""What cash games and tournaments ask of their numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.core.errors import SettingError
from pokerlab.core.settings import whole
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS, checked_stacks

MOST_SIDE_BY_SIDE = 10**6
SIDE_BY_SIDE = 512
"""Hands in play at a time: enough to share the calls, few enough for a core's cache."""


def stacks_of(num_seats: int, stacks: int | Sequence[int]) -> tuple[int, ...]:
    """Return the chips of each seat, given for all at once or one by one."""
    whole("the number of seats", num_seats, FEWEST_SEATS, MOST_SEATS)
    given: Sequence[Any] = (
        (stacks,) * num_seats if isinstance(stacks, int | float | np.number) else tuple(stacks)
    )
    if len(given) != num_seats:
        raise SettingError(f"stacks are given for {len(given)} seats; there are {num_seats}.")
    chips = checked_stacks(given, int(np.argmax(given)))
    if min(chips) == 0:
        raise SettingError(f"stacks are {list(chips)}; each seat needs chips.")
    return chips
