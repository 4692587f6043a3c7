"""Who sees what when all players update in one iteration."""

from collections.abc import Callable
from typing import TypeVar

from pokerlab.core import UnknownNameError

K = TypeVar("K")
V = TypeVar("V")


def everybody_updates(
    profile: dict[K, V], players: int, order: str, update: Callable[[dict[K, V], int], dict[K, V]]
) -> dict[K, V]:
    """Return the next profile, where `update(seen, player)` is a player's new part of it.

    'simultaneous': everybody sees `profile`. 'alternating': player 1 first, and each player sees
    what those before have just become.
    """
    UnknownNameError.check("order of updates", order, ("simultaneous", "alternating"))
    new = profile
    for player in range(players):
        seen = new if order == "alternating" else profile
        new = {**new, **update(seen, player)}
    return new
