"""How a hand starts: who is dealt in, who posts which blind, and whether the cards are all there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import CardError, SettingError
from pokerlab.core.settings import whole
from pokerlab.holdem.betting.structure import Structure, chips
from pokerlab.holdem.cards.deck import check_cards

FEWEST_SEATS, MOST_SEATS = 2, 10


def blind_seats(stacks: Sequence[int], button: int) -> tuple[int, int]:
    """Return the seats of the small and the big blind.

    Examples
    --------
    >>> blind_seats([50, 50, 0, 50], button=1)
    (3, 0)
    >>> blind_seats([50, 0, 50], button=0)
    (0, 2)
    """
    num_seats = len(stacks)
    turns = ((button + turn) % num_seats for turn in range(num_seats))
    dealt_in = [seat for seat in turns if stacks[seat] > 0]
    return (dealt_in[0], dealt_in[1]) if len(dealt_in) == 2 else (dealt_in[1], dealt_in[2])


def post(
    structure: Structure, stacks: Sequence[int], button: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stacks once antes and blinds are posted, and the blinds; short seats post what they have."""
    left, blinds = [stack - min(stack, structure.ante) for stack in stacks], [0] * len(stacks)
    small, big = blind_seats(stacks, button)
    for seat, blind in ((small, structure.small_blind), (big, structure.big_blind)):
        blinds[seat] = min(blind, left[seat])
        left[seat] -= blinds[seat]
    return tuple(left), tuple(blinds)


def checked_stacks(stacks: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the stacks as whole numbers, if a hand can begin with them and the button."""
    if not FEWEST_SEATS <= len(stacks) <= MOST_SEATS:
        raise SettingError(
            f"stacks are given for {len(stacks)} seats; a table has {FEWEST_SEATS} to {MOST_SEATS}."
        )
    seats = tuple(chips(f"the stack of seat {seat}", stack) for seat, stack in enumerate(stacks))
    if sum(stack > 0 for stack in seats) < FEWEST_SEATS:
        raise SettingError(f"stacks are {list(seats)}; a hand needs two seats with chips.")
    whole("button", button, 0, len(seats) - 1)
    if seats[button] == 0:
        raise SettingError(
            f"the button is at seat {button}, which has no chips; move it to the next seat that has."
        )
    return seats


def checked_deal(deal: ArrayLike, num_seats: int) -> tuple[int, ...]:
    """Return the cards of a deal, if they are the right number and all different."""
    given = np.asarray(deal)
    if given.shape != (2 * num_seats + 5,):
        raise CardError(
            f"a deal has shape {given.shape}; {num_seats} seats need ({2 * num_seats + 5},): two"
            " cards for each seat, then five for the board."
        )
    return tuple(check_cards(given).tolist())
