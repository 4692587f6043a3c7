"""The pots of a hand: side pots after all-ins, uncalled chips that go back, and chips that cannot be divided evenly.

The functions work on plain numbers for each seat, so they know nothing of betting. `pokerlab.holdem.hand` uses them at
the end of a hand.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Pot(NamedTuple):
    """A main or side pot.

    Attributes
    ----------
    chips : int
        The chips in the pot, including those of seats that have folded.
    seats : tuple of int
        The seats that can win it, in ascending order.
    """

    chips: int
    seats: tuple[int, ...]


def compute_uncalled_chips(paid: Sequence[int]) -> tuple[int, ...]:
    """Return the chips that go back to each seat because no other seat has called them.

    Only the seat that has paid most can have uncalled chips: those beyond the second largest amount. This seat has not
    folded, because a seat folds only when another seat has bet more.

    Parameters
    ----------
    paid : sequence of int
        The chips that each seat has paid in the hand, of two seats or more.

    Returns
    -------
    tuple of int
        The uncalled chips of each seat: 0 for all seats but the one that has paid most, and for this one, too, if
        another seat has paid as much.

    Examples
    --------
    >>> compute_uncalled_chips([10, 30, 25])
    (0, 5, 0)
    """
    seats = range(len(paid))
    largest_payer = max(seats, key=lambda seat: paid[seat])
    second_largest = max(paid[seat] for seat in seats if seat != largest_payer)
    uncalled_chips = [0] * len(paid)
    uncalled_chips[largest_payer] = paid[largest_payer] - second_largest
    return tuple(uncalled_chips)


def split_into_pots(paid: Sequence[int], folded: Sequence[bool]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots that the chips of all seats form.

    A seat can win from each other seat at most as many chips as it has paid itself. So the different amounts that the
    seats without a fold have paid divide the chips into layers, and each layer is a pot. The seats that have paid the
    whole layer and have not folded can win the pot.

    Parameters
    ----------
    paid : sequence of int
        The chips that each seat has paid.
    folded : sequence of bool
        Whether each seat has folded, or was not dealt in.

    Returns
    -------
    tuple of Pot
        The main pot, then the side pots. Pots without chips are left out.

    Examples
    --------
    >>> split_into_pots([10, 30, 30, 20], [False, False, False, True])
    (Pot(chips=40, seats=(0, 1, 2)), Pot(chips=50, seats=(1, 2)))
    """
    live_seats = [seat for seat in range(len(paid)) if not folded[seat]]
    upper_levels = sorted({paid[seat] for seat in live_seats})
    pots = []
    lower_level = 0
    for upper_level in upper_levels:
        chips = sum(min(amount, upper_level) - min(amount, lower_level) for amount in paid)
        if chips:
            contenders = tuple(seat for seat in live_seats if paid[seat] >= upper_level)
            pots.append(Pot(chips, contenders))
        lower_level = upper_level
    return tuple(pots)


def find_pot_winners(pot: Pot, strengths: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the strongest hand among the seats that can win a pot, in ascending order.

    Parameters
    ----------
    pot : Pot
        The pot.
    strengths : sequence of int
        The strength of the hand in each seat of the table; a larger number is a stronger hand.

    Returns
    -------
    tuple of int
        One seat, or several that share the pot.

    Examples
    --------
    >>> find_pot_winners(Pot(chips=40, seats=(0, 1, 3)), [5, 8, 9, 8])
    (1, 3)
    """
    best = max(strengths[seat] for seat in pot.seats)
    return tuple(seat for seat in pot.seats if strengths[seat] == best)


def divide_pots(pots: Iterable[Pot], strengths: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the chips that each seat wins from all pots together.

    The winners of a pot share it equally. Odd chips, which cannot be divided equally, go one at a time to the winners,
    clockwise from the button.

    Parameters
    ----------
    pots : iterable of Pot
        The main pot and the side pots.
    strengths : sequence of int
        The strength of the hand in each seat; a larger number is a stronger hand.
    button : int
        The seat with the button.

    Returns
    -------
    tuple of int
        The chips won by each seat.

    Examples
    --------
    >>> divide_pots([Pot(11, (0, 1, 2))], [7, 7, 7], button=0)
    (3, 4, 4)
    """
    num_seats = len(strengths)

    def count_seats_from_button(seat: int) -> int:
        """Return how many seats lie between the button and a seat, clockwise."""
        return (seat - button - 1) % num_seats

    won = [0] * num_seats
    for pot in pots:
        winners = sorted(find_pot_winners(pot, strengths), key=count_seats_from_button)
        share, num_odd_chips = divmod(pot.chips, len(winners))
        for index, seat in enumerate(winners):
            gets_odd_chip = index < num_odd_chips
            won[seat] += share + gets_odd_chip
    return tuple(won)
