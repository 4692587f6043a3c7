"""Pots: who can win which chips, and how they are divided among those who do."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Pot(NamedTuple):
    """A main or side pot.

    Attributes
    ----------
    chips : int
        What is in it, folded chips included.
    seats : tuple of int
        Who can win it, in the order of their numbers.
    """

    chips: int
    seats: tuple[int, ...]


def uncalled(paid: Sequence[int], folded: Sequence[bool]) -> tuple[int, ...]:
    """Return how much of what each seat has paid nobody else has matched, folded or not.

    Examples
    --------
    >>> uncalled([10, 30, 25], [False, False, True])
    (0, 5, 0)
    """
    seats = range(len(paid))
    most = max(seats, key=paid.__getitem__)
    matched = max(paid[seat] for seat in seats if seat != most)
    # Nobody folds without facing a larger bet, so the top is a live seat's.
    assert paid[most] == matched or not folded[most]
    return tuple(paid[seat] - matched if seat == most else 0 for seat in seats)


def layers(paid: Sequence[int], folded: Sequence[bool], dead: int = 0) -> tuple[Pot, ...]:
    """Return the main pot and the side pots of what the seats have `paid`.

    A pot is a layer between the totals of two live seats: everybody has paid a share of it, and
    the seats that have paid it in full and have not folded can win it. `dead` chips lie in the main
    pot, which all live seats can win.

    Examples
    --------
    >>> layers([10, 30, 30, 20], [False, False, False, True])
    (Pot(chips=40, seats=(0, 1, 2)), Pot(chips=50, seats=(1, 2)))
    >>> layers([0, 2, 2], [False, False, False], dead=3)
    (Pot(chips=3, seats=(0, 1, 2)), Pot(chips=4, seats=(1, 2)))
    """
    live = [seat for seat in range(len(paid)) if not folded[seat]]
    pots = []
    chips, below = dead, 0
    for level in sorted({paid[seat] for seat in live}):
        chips += sum(min(total, level) - min(total, below) for total in paid)
        if chips:
            pots.append(Pot(chips, tuple(seat for seat in live if paid[seat] >= level)))
        chips, below = 0, level
    return tuple(pots)


def winners(pot: Pot, strengths: Sequence[int]) -> tuple[int, ...]:
    """Return who has the strongest hand of those who can win `pot`."""
    best = max(strengths[seat] for seat in pot.seats)
    return tuple(seat for seat in pot.seats if strengths[seat] == best)


def payouts(pots: Iterable[Pot], strengths: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the chips that each seat takes out of the pots.

    Each pot is divided evenly among its winners; chips left over go one at a time to the winners
    in their order from the left of the button.

    Examples
    --------
    >>> payouts([Pot(11, (0, 1, 2))], [7, 7, 7], button=0)
    (3, 4, 4)
    """
    num_seats = len(strengths)
    taken = [0] * num_seats
    for pot in pots:
        takers = sorted(winners(pot, strengths), key=lambda seat: (seat - button - 1) % num_seats)
        share, odd = divmod(pot.chips, len(takers))
        for place, seat in enumerate(takers):
            taken[seat] += share + (place < odd)
    return tuple(taken)
