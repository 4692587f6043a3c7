"""Betting structures: blinds, antes, straddles, sizes of bets, how often to raise, and the rake."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pokerlab.core.errors import SettingError, UnknownNameError
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.holdem.cards.cards import TURN

LIMIT, NO_LIMIT = "limit", "no-limit"
KINDS = (LIMIT, NO_LIMIT)
FROM_EVERYBODY, FROM_BIG_BLIND, FROM_BUTTON = "everybody", "big blind", "button"
ANTE_PAYERS = (FROM_EVERYBODY, FROM_BIG_BLIND, FROM_BUTTON)
MOST_CHIPS = 10**15
"""Most chips in a stack or blind: the sums of ten seats stay far below the largest int64."""
MOST_STRADDLES = 8
"""Most straddles: of ten seats, two have blinds."""
LARGEST_DENOMINATOR = 10**6


@dataclass(frozen=True, slots=True)
class Rake:
    """The house's share of the pots, taken before they are paid out.

    Uncalled bets go back first and are not raked.

    Attributes
    ----------
    share : Fraction
        Of each pot, at least 0 and below 1/2. The amount is rounded down to whole chips, pot by
        pot. A number such as 0.05 is read as the decimal that it shows.
    cap : int, optional
        Most chips taken from one hand: from the main pot first, then from the side pots in their
        order. None for no cap.
    no_flop_no_drop : bool
        Whether a hand that ends before the flop is not raked.

    Raises
    ------
    SettingError
        If one of them is out of range.

    Examples
    --------
    >>> Rake(0.05, cap=3).chips_from([39, 100])
    (1, 2)
    """

    share: Fraction | float
    cap: int | None = None
    no_flop_no_drop: bool = False

    def __post_init__(self) -> None:
        try:
            share = Fraction(str(self.share))
        except (ValueError, ZeroDivisionError):
            raise SettingError(
                f"the rake's share is {self.share!r}; give a number, such as 0.05."
            ) from None
        if not 0 <= share < Fraction(1, 2):
            raise SettingError(f"the rake's share is {share}; it must be at least 0 and below 1/2.")
        if share.denominator > LARGEST_DENOMINATOR:
            raise SettingError(
                f"the rake's share is {share}; give at most six decimals, or a fraction with a"
                f" denominator of at most {LARGEST_DENOMINATOR:,}."
            )
        object.__setattr__(self, "share", share)
        if self.cap is not None:
            object.__setattr__(self, "cap", chips("the rake's cap", self.cap))
        switch("no_flop_no_drop", self.no_flop_no_drop)

    @property
    def ratio(self) -> tuple[int, int]:
        """The share as numerator and denominator."""
        return Fraction(self.share).as_integer_ratio()

    def chips_from(self, pots: Iterable[int]) -> tuple[int, ...]:
        """Return the chips taken from each of the pots of a hand, the main pot first."""
        numerator, denominator = self.ratio
        taken: list[int] = []
        for pot in pots:
            wanted = pot * numerator // denominator
            taken.append(wanted if self.cap is None else min(wanted, self.cap - sum(taken)))
        return tuple(taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """How much may be bet when; all amounts are whole chips.

    Attributes
    ----------
    kind : str
        'limit': bets and raises have the size of the street's bet. 'no-limit': that or more.
    small_blind, big_blind : int
        Posted before the flop by the two seats left of the button; heads-up the button posts the
        small one.
    small_bet, big_bet : int
        Smallest bet before the turn, and from the turn on.
    cap : int, optional
        Most bets a betting round; before the flop the big blind is the first. None for no cap.
    unlimited_heads_up : bool
        Whether the cap holds only if three or more seats had not folded and were not all-in
        before the raise that reached it. Once reached, folds do not lift it [1]_, unless
        `folds_lift_cap` is True.
    folds_lift_cap : bool
        Whether the cap is also lifted as soon as folds have left two seats that are not all-in.
    free_folds : bool
        Whether a seat may fold where it owes nothing and could check.
    ante : int
        Posted before the hand, and not part of a bet.
    ante_from : str
        Who posts the ante. 'everybody': each seat that is dealt in, ahead of the blinds. 'big blind'
        or 'button': that seat alone, for the whole table, after its blind or straddle [2]_. The
        ante of one seat belongs to the main pot, whatever that seat has left.
    straddles : tuple of int
        Blind raises, posted in this order by the seats left of the big blind as far as there are
        any; each is larger than the one before, and posted in full or not at all. The last one is
        the new bet to call: the seat on its left acts first, and in no-limit a raise is at least as
        large as it [3]_. In limit each counts as a bet.
    button_straddle : int
        A straddle posted by the button, larger than all others, in place of any of theirs; 0 for
        none. The small blind acts first. Seats with a blind do not straddle: heads-up nobody does.
    rake : Rake, optional
        What the house takes; None for nothing.

    Raises
    ------
    SettingError
        If an amount is not a whole number of chips, or they do not fit each other.
    UnknownNameError
        If there is no such kind, or nobody of that name to post the ante.

    References
    ----------
    .. [1] Robert Ciaffone, Robert's Rules of Poker, general poker rules, betting and raising.
    .. [2] Poker Tournament Directors Association, rules of 2024: a stack too short for the big blind
       and the big-blind ante posts the big blind first.
    .. [3] Robert's Rules of Poker, no-limit rules: a straddle sets a new minimum bring-in, and is not
       treated as a raise.
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
    ante_from: str = FROM_EVERYBODY
    straddles: Sequence[int] = ()
    button_straddle: int = 0
    rake: Rake | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError.among("kind of betting", self.kind, KINDS)
        for name in ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "button_straddle"):
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
        if self.ante_from not in ANTE_PAYERS:
            raise UnknownNameError.among("payer of the ante", self.ante_from, ANTE_PAYERS)
        object.__setattr__(self, "straddles", self._checked_straddles())
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise SettingError(f"rake is {self.rake!r}; give a Rake, such as Rake(0.05, cap=3).")

    def _checked_straddles(self) -> tuple[int, ...]:
        """Return the straddles as whole numbers, if they grow from the big blind."""
        given: Any = self.straddles
        if not isinstance(given, Sequence) or len(given) > MOST_STRADDLES:
            raise SettingError(
                f"straddles are {given!r}; give a tuple of at most {MOST_STRADDLES} amounts."
            )
        straddles = tuple(chips("a straddle", straddle) for straddle in given)
        button = (self.button_straddle,) if self.button_straddle else ()
        growing = (self.big_blind, *straddles, *button)
        if any(later <= earlier for earlier, later in pairwise(growing)):
            raise SettingError(
                f"straddles are {[*straddles, *button]} with a big blind of {self.big_blind}; each"
                " must be larger than the one before it."
            )
        return straddles

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
    small_blind: int,
    big_blind: int,
    *,
    ante: int = 0,
    ante_from: str = FROM_EVERYBODY,
    straddles: Sequence[int] = (),
    button_straddle: int = 0,
    rake: Rake | None = None,
    free_folds: bool = False,
) -> Structure:
    """Return no-limit betting: any bet from the big blind to the whole stack, without a cap.

    The parameters are those of `Structure`.

    Examples
    --------
    >>> big_blind_ante = no_limit(5, 10, ante=10, ante_from="big blind")
    >>> straddled_and_raked = no_limit(1, 2, straddles=[4], rake=Rake(0.05, cap=5))
    """
    return Structure(
        kind=NO_LIMIT,
        small_blind=small_blind,
        big_blind=big_blind,
        small_bet=big_blind,
        big_bet=big_blind,
        ante=ante,
        ante_from=ante_from,
        straddles=straddles,
        button_straddle=button_straddle,
        rake=rake,
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
    ante_from: str = FROM_EVERYBODY,
    straddles: Sequence[int] = (),
    button_straddle: int = 0,
    rake: Rake | None = None,
    free_folds: bool = False,
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
    cap, unlimited_heads_up, folds_lift_cap, free_folds : optional
        As in `Structure`.
    ante, ante_from, straddles, button_straddle, rake : optional
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
        ante_from=ante_from,
        straddles=straddles,
        button_straddle=button_straddle,
        rake=rake,
        free_folds=free_folds,
    )


def chips(name: str, amount: object) -> int:
    """Return `amount` as an int; refuse anything but a number of chips."""
    return whole(name, amount, 0, MOST_CHIPS)
