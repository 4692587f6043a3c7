"""How a hand starts: who is dealt in, who posts which blind, and whether the cards are all there."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import CardError, SettingError
from pokerlab.core.settings import whole
from pokerlab.holdem.betting.structure import FROM_BIG_BLIND, FROM_EVERYBODY, Structure, chips
from pokerlab.holdem.cards.cards import check_cards

FEWEST_SEATS, MOST_SEATS = 2, 10


class Posted(NamedTuple):
    """The table after antes, blinds and straddles.

    Attributes
    ----------
    stacks : tuple of int
        Chips behind, one entry a seat.
    blinds : tuple of int
        Blinds and straddles posted, which count as bets of the first round; antes do not.
    dead : tuple of int
        The ante of the one seat that posts for all; zeros where each seat posts its own.
    bet : int
        The bet to call: the last straddle, or the big blind even if it was posted short.
    num_straddles : int
        How many seats straddled.
    last : int
        The seat on whose left the action begins.
    """

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    dead: tuple[int, ...]
    bet: int
    num_straddles: int
    last: int


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


def straddlers(structure: Structure, stacks: Sequence[int], button: int) -> dict[int, int]:
    """Return which seats are to straddle to how much, in their order.

    Examples
    --------
    >>> from pokerlab.holdem.betting.structure import no_limit
    >>> straddlers(no_limit(1, 2, straddles=[4, 8], button_straddle=20), [50] * 4, button=0)
    {3: 4, 0: 20}
    """
    num_seats = len(stacks)
    blinds = blind_seats(stacks, button)
    turns = ((blinds[1] + turn) % num_seats for turn in range(1, num_seats))
    free = [seat for seat in turns if stacks[seat] > 0 and seat not in blinds]
    straddles = dict(zip(free, structure.straddles, strict=False))
    if structure.button_straddle and free:
        straddles[button] = structure.button_straddle
    return straddles


def post(structure: Structure, stacks: Sequence[int], button: int) -> Posted:
    """Post antes, blinds and straddles, and last an ante for the whole table.

    A seat with too few chips posts what it has, but no part of a straddle.
    """
    each = structure.ante if structure.ante_from == FROM_EVERYBODY else 0
    left = [stack - min(stack, each) for stack in stacks]
    blinds, dead = [0] * len(left), [0] * len(left)
    small, big = blind_seats(stacks, button)
    straddles = {
        seat: amount
        for seat, amount in straddlers(structure, stacks, button).items()
        if left[seat] >= amount
    }
    for seat, blind in (
        (small, structure.small_blind),
        (big, structure.big_blind),
        *straddles.items(),
    ):
        blinds[seat] = min(blind, left[seat])
        left[seat] -= blinds[seat]
    if structure.ante_from != FROM_EVERYBODY:
        payer = big if structure.ante_from == FROM_BIG_BLIND else button
        dead[payer] = min(structure.ante, left[payer])
        left[payer] -= dead[payer]
    last, bet = [(big, structure.big_blind), *straddles.items()][-1]
    return Posted(tuple(left), tuple(blinds), tuple(dead), bet, len(straddles), last)


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
