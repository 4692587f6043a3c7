"""Betting structures (blinds, antes, sizes of bets, how often to raise), and how a hand starts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import CardError, SettingError, UnknownNameError
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.holdem.cards.deck import TURN, check_cards

LIMIT, NO_LIMIT = "limit", "no-limit"
KINDS = (LIMIT, NO_LIMIT)
FEWEST_SEATS, MOST_SEATS = 2, 10
MOST_CHIPS = 10**15
"""Most chips in a stack or blind: the sums of ten seats stay far below the largest int64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """How much may be bet when; all amounts are whole chips.

    Attributes
    ----------
    kind : str
        'limit': bets and raises have the size of the street's bet. 'no-limit': that or more.
    small_blind, big_blind : int
        Posted before the flop by the two seats left of the button; heads-up the button posts the small one.
    small_bet, big_bet : int
        Smallest bet before the turn, and from the turn on.
    cap : int, optional
        Most bets a betting round; before the flop the big blind is the first. None for no cap.
    unlimited_heads_up : bool
        Whether the cap holds only if three or more seats had not folded and were not all-in before the raise that
        reached it. Once reached, folds do not lift it [1]_, unless `folds_lift_cap` is True.
    folds_lift_cap : bool
        Whether the cap is also lifted as soon as folds have left two seats that are not all-in.
    free_folds : bool
        Whether a seat may fold where it owes nothing and could check.
    ante : int
        Posted by each seat that is dealt in, ahead of the blinds, and not part of a bet.

    References
    ----------
    .. [1] Robert Ciaffone, Robert's Rules of Poker, general poker rules, betting and raising.
    """

    kind: str
    small_blind: int
    big_blind: int
    small_bet: int
    big_bet: int
    cap: int | None = None
    unlimited_heads_up: bool = False
    folds_lift_cap: bool = False
    free_folds: bool = False
    ante: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError.among("kind of betting", self.kind, KINDS)
        for name in ("small_blind", "big_blind", "small_bet", "big_bet", "ante"):
            object.__setattr__(self, name, chips(name, getattr(self, name)))
        if self.cap is not None:
            object.__setattr__(self, "cap", whole("cap", self.cap, 1, LARGEST_COUNT))
        switch("unlimited_heads_up", self.unlimited_heads_up)
        switch("free_folds", self.free_folds)
        if switch("folds_lift_cap", self.folds_lift_cap) and not (
            self.unlimited_heads_up and self.cap is not None
        ):
            raise SettingError(
                f"folds_lift_cap is True with cap={self.cap} and unlimited_heads_up="
                f"{self.unlimited_heads_up}; it needs a cap, and unlimited_heads_up=True."
            )
        if not 0 <= self.small_blind <= self.big_blind or self.big_blind < 1:
            raise SettingError(
                f"blinds are {self.small_blind}/{self.big_blind}; the big blind is at least 1 chip"
                " and the small blind no larger."
            )
        if not self.big_blind <= self.small_bet <= self.big_bet:
            raise SettingError(
                f"bets are {self.small_bet}/{self.big_bet} with a big blind of {self.big_blind};"
                " the small bet is at least the big blind, and the big bet no smaller."
            )

    def smallest_bet(self, street: int) -> int:
        """Return the smallest bet and raise on `street`, 0 (preflop) to 3, in chips."""
        return self.big_bet if street >= TURN else self.small_bet

    def is_capped(self, num_bets: int, num_able: int) -> bool:
        """Return whether the last of `num_bets` bets ends the raising among `num_able` seats.

        Those are the seats that, before it, had neither folded nor been all-in.
        """
        if self.cap is None or num_bets < self.cap:
            return False
        return not (self.unlimited_heads_up and num_able <= 2)

    def lifts_cap(self, num_able: int) -> bool:
        """Return whether a cap that was reached no longer holds among the `num_able` seats left."""
        return self.folds_lift_cap and num_able <= 2


def no_limit(
    small_blind: int, big_blind: int, *, ante: int = 0, free_folds: bool = False
) -> Structure:
    """Return no-limit betting: any bet from the big blind to the whole stack, without a cap.

    The parameters are those of `Structure`.
    """
    return Structure(
        kind=NO_LIMIT,
        small_blind=small_blind,
        big_blind=big_blind,
        small_bet=big_blind,
        big_bet=big_blind,
        ante=ante,
        free_folds=free_folds,
    )


def limit(
    small_bet: int,
    big_bet: int | None = None,
    *,
    small_blind: int | None = None,
    big_blind: int | None = None,
    cap: int | None = 4,
    unlimited_heads_up: bool = False,
    folds_lift_cap: bool = False,
    ante: int = 0,
) -> Structure:
    """Return limit betting.

    Parameters
    ----------
    small_bet : int
        Size of a bet and of a raise before the turn, in chips.
    big_bet : int, optional
        The same from the turn on; twice the small bet if not given.
    small_blind, big_blind : int, optional
        Half the small bet, rounded down, and the small bet, if not given.
    cap, unlimited_heads_up, folds_lift_cap, ante : optional
        As in `Structure`.

    Examples
    --------
    >>> limit(2).big_bet, limit(2).small_blind, limit(2).big_blind
    (4, 1, 2)
    """
    small_bet = chips("small_bet", small_bet)
    return Structure(
        kind=LIMIT,
        small_blind=small_bet // 2 if small_blind is None else small_blind,
        big_blind=small_bet if big_blind is None else big_blind,
        small_bet=small_bet,
        big_bet=2 * small_bet if big_bet is None else big_bet,
        cap=cap,
        unlimited_heads_up=unlimited_heads_up,
        folds_lift_cap=folds_lift_cap,
        ante=ante,
    )


def chips(name: str, amount: object) -> int:
    """Return `amount` as an int; refuse anything but a number of chips."""
    return whole(name, amount, 0, MOST_CHIPS)


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
