"""The rules of betting: one hand of hold'em for 2 to 10 seats, an immutable state that each action replaces.

A `Hand` never changes: an action returns the next `Hand`. All amounts are whole chips, and numbers that belong to seats
are in tuples with one entry for each seat. Card rooms differ in some rules [1]_, [2]_. The rules here are:

- Seats without chips are not dealt in. They count as folded from the start.
- The next two seats to the left of the button post the blinds. Heads-up the button posts the small blind, so it acts
  first before the flop and last afterward. A seat with less than an ante or a blind posts what it has, but callers
  still owe the full big blind.
- Each seat posts its ante before the blinds. An ante that the big blind posts for the whole table comes after the
  blinds, so a short stack pays its own blind first. (Card rooms differ in this order.) It belongs to the main pot, and
  all seats that can win the main pot can win it.
- A raise increases the present bet by at least the size of the last full bet or raise of the round. In limit the
  increase has exactly the size of the street's bet. It may be smaller only if the seat goes all-in.
- A seat that has acted may raise again only if it faces at least a full raise since then, which may have been made at
  once or by several short all-ins. This rule also holds in limit, where many card rooms require only half a raise. A
  raise smaller than a full one does not count against the cap.
- A seat may not bet or raise if no other seat could call at least a part of it. If only one seat has chips left, it is
  not asked again once it has matched all other seats, and the rest of the board is dealt.

An action is a whole number. FOLD is -1, and CALL is 0, which is a check when nothing is owed. Any number above 0 is a
bet or raise *to* that many chips, counted over the betting round, including a blind. A strategy that does not choose
the amounts of raises has three columns, for fold, call and raise in this order; see `find_action_column`.

A betting `Structure` sets the blinds, the antes, the sizes of bets and the number of raises that are allowed. A `Pot`
is a number of chips with the seats that can win them. `pokerlab.holdem.hand_history` writes hands as text.

References
----------
.. [1] Poker Tournament Directors Association, rules, "Re-opening the bet".
.. [2] Robert Ciaffone, Robert's Rules of Poker, "Betting and raising".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import IllegalActionError, validate_integer
from pokerlab.core.errors import CardError, GameError, SettingError, UnknownNameError
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import LARGEST_COUNT, validate_bool
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    RIVER,
    STREETS,
    TURN,
    Cards,
    validate_cards,
)
from pokerlab.holdem.hand_rankings import strength

FOLD, CALL = -1, 0
ACTIONS = ("fold", "call", "raise")
"""The meanings of the columns. If nothing is owed, a call is a check and a raise is a bet."""
NUM_ACTIONS = len(ACTIONS)
FOLDING, CALLING, RAISING = range(NUM_ACTIONS)


def find_action_column(action: int) -> int:
    """Return the column of an action: FOLDING for FOLD, CALLING for CALL, and RAISING for any number of chips."""
    return min(action - FOLD, RAISING)


@dataclass(frozen=True, slots=True)
class Legal:
    """The actions that are legal for the seat that is to act.

    Attributes
    ----------
    can_fold : bool
        Whether the seat may fold. If it owes nothing, it may fold only if the structure allows free folds.
    to_call : int
        The chips that a call adds: all that is owed, or the rest of the stack if that is less. A call of 0 is a check.
    min_raise_to : int or None
        The smallest total for the round to which the seat may bet or raise; None if no bet or raise is allowed.
    max_raise_to : int or None
        The largest total to which the seat may bet or raise; None if no bet or raise is allowed.
    """

    can_fold: bool
    to_call: int
    min_raise_to: int | None = None
    max_raise_to: int | None = None

    @property
    def can_raise(self) -> bool:
        """Whether any bet or raise is allowed."""
        return self.min_raise_to is not None

    def allows(self, action: int) -> bool:
        """Return whether an action is legal: FOLD, CALL, or the chips to raise to."""
        if action == FOLD:
            return self.can_fold
        if self.min_raise_to is None or self.max_raise_to is None:
            return action == CALL
        return action == CALL or self.min_raise_to <= action <= self.max_raise_to

    def explain_refusal(self, action: int) -> str:
        """Return a sentence that explains why an action is not legal. The action must be an illegal one."""
        if action == FOLD:
            return "nothing is owed, so there is no fold"
        if action < FOLD:
            return f"{action} is not an action"
        if self.min_raise_to is None or self.max_raise_to is None:
            return f"no bet or raise is allowed, so none to {action}"
        if action < self.min_raise_to:
            return f"a bet or raise to {action} is below the minimum {self.min_raise_to}"
        return f"a bet or raise to {action} is above the maximum {self.max_raise_to}"

    def __str__(self) -> str:
        """Return the legal actions in words, each with its number."""
        words = ["fold (-1)"] if self.can_fold else []
        words.append(f"call {self.to_call} (0)" if self.to_call else "check (0)")
        if self.min_raise_to is None:
            return ", ".join(words)
        verb = "raise" if self.to_call else "bet or raise"
        most = "" if self.min_raise_to == self.max_raise_to else f" to {self.max_raise_to}"
        return ", ".join([*words, f"{verb} to {self.min_raise_to}{most}"])


LIMIT, NO_LIMIT = "limit", "no-limit"
BETTING_KINDS = (LIMIT, NO_LIMIT)
EACH_PLAYER, FROM_BIG_BLIND = "each player", "big blind"
ANTE_PAYERS = (EACH_PLAYER, FROM_BIG_BLIND)
FEWEST_SEATS, MOST_SEATS = 2, 10
MOST_CHIPS = 10**15
"""The most chips in a stack or a blind. It keeps the sums of ten seats far below the largest int64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A betting structure: blinds, antes, the sizes of bets and the cap on raises, in whole chips.

    Attributes
    ----------
    kind : str
        With 'limit', bets and raises have exactly the size of the street's bet. With 'no-limit' they may be larger.
    small_blind, big_blind : int
        The blinds, which the two seats to the left of the button post before the flop. Heads-up the button posts the
        small blind.
    small_bet, big_bet : int
        The smallest bet before the turn, and from the turn on.
    cap : int or None
        The largest number of bets in a betting round, where the big blind counts as the first bet before the flop. None
        if there is no cap.
    unlimited_heads_up : bool
        Whether the cap applies only if three or more seats could still act (had not folded and were not all-in) before
        the raise that reached the cap. If two could, raises continue without a cap. Once the cap applies, folds do not
        lift it [1]_, unless `folds_lift_cap` is True.
    folds_lift_cap : bool
        Whether the cap is also lifted as soon as folds have left two seats that are not all-in.
    free_folds : bool
        Whether a seat may fold if it owes nothing and could check.
    ante : int
        The chips of an ante, which is not part of a bet.
    ante_from : {'each player', 'big blind'}
        With 'each player', each seat that is dealt in posts an ante before the blinds. With 'big blind', the usual rule
        of tournaments since 2018, the seat with the big blind alone posts one ante for the whole table after the
        blinds, or as much of it as its stack still has.

    Raises
    ------
    SettingError
        If an amount is out of range, the blinds and bets are not in ascending order, or `folds_lift_cap` is True
        without a cap and `unlimited_heads_up`.
    UnknownNameError
        If `kind` is neither 'limit' nor 'no-limit', or `ante_from` is neither 'each player' nor 'big blind'.

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
    ante_from: str = EACH_PLAYER

    def __post_init__(self) -> None:
        if self.kind not in BETTING_KINDS:
            raise UnknownNameError.from_allowed_names("kind of betting", self.kind, BETTING_KINDS)
        if self.ante_from not in ANTE_PAYERS:
            raise UnknownNameError.from_allowed_names("payer of antes", self.ante_from, ANTE_PAYERS)
        for name in ("small_blind", "big_blind", "small_bet", "big_bet", "ante"):
            object.__setattr__(self, name, validate_chips(name, getattr(self, name)))
        if self.cap is not None:
            object.__setattr__(self, "cap", validate_integer("cap", self.cap, 1, LARGEST_COUNT))
        validate_bool("unlimited_heads_up", self.unlimited_heads_up)
        validate_bool("free_folds", self.free_folds)
        if validate_bool("folds_lift_cap", self.folds_lift_cap) and not (
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

    def find_smallest_bet(self, street: int) -> int:
        """Return the size of the smallest bet, in chips, on a street from 0 (preflop) to 3 (river)."""
        return self.big_bet if street >= TURN else self.small_bet

    def is_capped(self, num_bets: int, num_able: int) -> bool:
        """Return whether no more raises are allowed in a round after `num_bets` bets, by the cap.

        `num_able` is the number of seats that had neither folded nor been all-in before the last of these bets.
        """
        if self.cap is None or num_bets < self.cap:
            return False
        return not (self.unlimited_heads_up and num_able <= 2)

    def lifts_cap(self, num_able: int) -> bool:
        """Return whether folds have lifted the cap, given that `num_able` seats can still act."""
        return self.folds_lift_cap and num_able <= 2


def no_limit(
    small_blind: int,
    big_blind: int,
    *,
    ante: int = 0,
    ante_from: str = EACH_PLAYER,
    free_folds: bool = False,
) -> Structure:
    """Return the structure of no-limit betting, with bets from the big blind to the whole stack and without a cap.

    The parameters are the attributes of `Structure` with the same names, and the errors are those of `Structure`.
    """
    return Structure(
        kind=NO_LIMIT,
        small_blind=small_blind,
        big_blind=big_blind,
        small_bet=big_blind,
        big_bet=big_blind,
        ante=ante,
        ante_from=ante_from,
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
    ante_from: str = EACH_PLAYER,
) -> Structure:
    """Return the structure of limit betting.

    Parameters
    ----------
    small_bet : int
        The size of bets and raises before the turn, in chips.
    big_bet : int, optional
        The size of bets and raises from the turn on. By default it is twice the small bet.
    small_blind, big_blind : int, optional
        The blinds. By default the small blind is half the small bet, rounded down, and the big blind is the small bet.
    cap, unlimited_heads_up, folds_lift_cap, ante, ante_from : optional
        The attributes of `Structure` with the same names. By default the cap is 4 bets.

    Raises
    ------
    SettingError
        If an amount is out of range, or `Structure` does not allow the combination.
    UnknownNameError
        If `ante_from` is neither 'each player' nor 'big blind'.

    Examples
    --------
    >>> limit(2).big_bet, limit(2).small_blind, limit(2).big_blind
    (4, 1, 2)
    """
    small_bet = validate_chips("small_bet", small_bet)
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
    )


def validate_chips(name: str, amount: object) -> int:
    """Return a number of chips as an int, or raise SettingError unless it is a whole number from 0 to MOST_CHIPS.

    `name` is what the error calls the number, such as 'small_bet'.
    """
    return validate_integer(name, amount, 0, MOST_CHIPS)


def find_blind_seats(stacks: Sequence[int], button: int) -> tuple[int, int]:
    """Return the seats that post the small and the big blind; seats without chips are skipped.

    They are the next two seats to the left of the button. If only two seats have chips, the button posts the small
    blind.

    Parameters
    ----------
    stacks : sequence of int
        The chips of each seat, of which at least two are positive.
    button : int
        The seat with the button, which must have chips.

    Examples
    --------
    >>> find_blind_seats([50, 50, 0, 50], button=1)
    (3, 0)
    >>> find_blind_seats([50, 0, 50], button=0)
    (0, 2)
    """
    num_seats = len(stacks)
    from_button = ((button + turn) % num_seats for turn in range(num_seats))
    dealt_in = [seat for seat in from_button if stacks[seat] > 0]
    if len(dealt_in) == 2:
        return dealt_in[0], dealt_in[1]
    return dealt_in[1], dealt_in[2]


def compute_stacks_after_blinds(
    structure: Structure, stacks: Sequence[int], button: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stacks after antes and blinds are posted, and the blind that each seat has posted.

    A seat that has less than an ante or a blind posts what it has.

    Parameters
    ----------
    structure : Structure
        The betting structure.
    stacks : sequence of int
        The chips of each seat before antes and blinds.
    button : int
        The seat with the button.

    Returns
    -------
    stacks_left, blinds : tuple of int
        Both have one entry for each seat. The blind of a seat that posts none is 0.
    """
    own_ante = structure.ante if structure.ante_from == EACH_PLAYER else 0
    stacks_left = [stack - min(stack, own_ante) for stack in stacks]
    blinds = [0] * len(stacks)
    small, big = find_blind_seats(stacks, button)
    for seat, blind in ((small, structure.small_blind), (big, structure.big_blind)):
        blinds[seat] = min(blind, stacks_left[seat])
        stacks_left[seat] -= blinds[seat]
    stacks_left[big] -= compute_table_antes(structure, stacks, button)[big]
    return tuple(stacks_left), tuple(blinds)


def compute_table_antes(
    structure: Structure, stacks: Sequence[int], button: int
) -> tuple[int, ...]:
    """Return the chips that each seat posts as an ante for the whole table: 0 except for a big-blind ante.

    If the structure has a big-blind ante, the seat with the big blind posts it alone, after its blind, with at most the
    chips that it has left. If each player posts an own ante, all entries are 0.

    Parameters
    ----------
    structure : Structure
        The betting structure.
    stacks : sequence of int
        The chips of each seat before antes and blinds.
    button : int
        The seat with the button.

    Examples
    --------
    >>> rules = no_limit(5, 10, ante=10, ante_from="big blind")
    >>> compute_table_antes(rules, [50, 50, 50], button=0)
    (0, 0, 10)
    >>> compute_table_antes(rules, [50, 50, 13], button=0)
    (0, 0, 3)
    """
    antes = [0] * len(stacks)
    if structure.ante_from == FROM_BIG_BLIND:
        _, big = find_blind_seats(stacks, button)
        left_after_blind = max(stacks[big] - structure.big_blind, 0)
        antes[big] = min(structure.ante, left_after_blind)
    return tuple(antes)


def validate_stacks(stacks: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the stacks as ints, or raise SettingError if a hand cannot begin with these stacks and this button.

    A hand needs 2 to 10 seats, at least two seats with chips, and the button at a seat with chips.
    """
    if not FEWEST_SEATS <= len(stacks) <= MOST_SEATS:
        raise SettingError(
            f"stacks are given for {len(stacks)} seats; a table has {FEWEST_SEATS} to {MOST_SEATS}."
        )
    seats = tuple(
        validate_chips(f"the stack of seat {seat}", stack) for seat, stack in enumerate(stacks)
    )
    if sum(stack > 0 for stack in seats) < FEWEST_SEATS:
        raise SettingError(f"stacks are {list(seats)}; a hand needs two seats with chips.")
    validate_integer("button", button, 0, len(seats) - 1)
    if seats[button] == 0:
        raise SettingError(
            f"the button is at seat {button}, which has no chips; move it to the next seat that has."
        )
    return seats


def validate_deal(deal: ArrayLike, num_seats: int) -> tuple[int, ...]:
    """Return the cards of a deal as ints, or raise CardError unless they are 2 * num_seats + 5 different cards."""
    given = np.asarray(deal)
    if given.shape != (2 * num_seats + 5,):
        raise CardError(
            f"a deal has shape {given.shape}; {num_seats} seats need ({2 * num_seats + 5},): two"
            " cards for each seat, then five for the board."
        )
    return tuple(validate_cards(given).tolist())


NOT_ANSWERED = -1  # the value of `answered` for a seat that has not acted in this round
NOT_SHOWN = -1  # the strength of a seat that has folded


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
    """Return the uncalled chips of each seat: those that it has paid beyond what any other seat has paid.

    At most one seat has uncalled chips, the one that has paid most. It has not folded, because a seat folds only when
    another has bet more. `paid` has the chips that each seat has paid.

    Examples
    --------
    >>> compute_uncalled_chips([10, 30, 25])
    (0, 5, 0)
    """
    seats = range(len(paid))
    largest_payer = max(seats, key=paid.__getitem__)
    second_largest = max(paid[seat] for seat in seats if seat != largest_payer)
    uncalled = [0] * len(paid)
    uncalled[largest_payer] = paid[largest_payer] - second_largest
    return tuple(uncalled)


def split_pots(paid: Sequence[int], folded: Sequence[bool]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots of the chips that the seats have paid.

    The different totals that live seats have paid divide the chips into layers, and each layer is a pot. All seats have
    paid into the layers up to their own total. A pot can be won by the seats that have paid its layer in full and have
    not folded.

    Parameters
    ----------
    paid : sequence of int
        The chips that each seat has paid.
    folded : sequence of bool
        Whether each seat has folded, or was not dealt in.

    Examples
    --------
    >>> split_pots([10, 30, 30, 20], [False, False, False, True])
    (Pot(chips=40, seats=(0, 1, 2)), Pot(chips=50, seats=(1, 2)))
    """
    live = [seat for seat in range(len(paid)) if not folded[seat]]
    pots = []
    below = 0
    for level in sorted({paid[seat] for seat in live}):
        chips = sum(min(total, level) - min(total, below) for total in paid)
        if chips:
            contenders = tuple(seat for seat in live if paid[seat] >= level)
            pots.append(Pot(chips, contenders))
        below = level
    return tuple(pots)


def find_pot_winners(pot: Pot, strengths: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the strongest hand among those that can win `pot`, in ascending order.

    `strengths` has the strength of the hand in each seat.
    """
    best = max(strengths[seat] for seat in pot.seats)
    return tuple(seat for seat in pot.seats if strengths[seat] == best)


def divide_pots(pots: Iterable[Pot], strengths: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the chips that each seat wins from the pots.

    Each pot is divided evenly among its winners. Chips that cannot be divided evenly go one at a time to the winners,
    in their order from the left of the button.

    Parameters
    ----------
    pots : iterable of Pot
        The main pot and the side pots.
    strengths : sequence of int
        The strength of the hand in each seat; a larger number is a stronger hand.
    button : int
        The seat with the button.

    Examples
    --------
    >>> divide_pots([Pot(11, (0, 1, 2))], [7, 7, 7], button=0)
    (3, 4, 4)
    """
    num_seats = len(strengths)
    won = [0] * num_seats
    for pot in pots:
        winners = list(find_pot_winners(pot, strengths))
        winners.sort(key=lambda seat: (seat - button - 1) % num_seats)
        share, num_odd = divmod(pot.chips, len(winners))
        for place, seat in enumerate(winners):
            won[seat] += share + (place < num_odd)
    return tuple(won)


@dataclass(frozen=True)
class HandState:
    """The state of a hand after some actions: its settings, cards, stacks and bets.

    All tuples except `deal` and `actions` have one entry for each seat. Chips are whole numbers.

    Attributes
    ----------
    structure : Structure
        The rules of the betting.
    starting_stacks : tuple of int
        The stacks before antes and blinds; 0 for a seat that is not dealt in.
    button : int
        The seat with the button.
    deal : tuple of int
        Two cards for seat 0, two for seat 1, and so on, followed by the five cards of the board.
    number : int
        The number of the hand, used in error messages.
    actions : tuple of int
        All actions so far, without antes and blinds.
    street : int
        0 (preflop) to 3 (river); 3 after a showdown, even if the betting ended earlier.
    actor : int or None
        The seat that is to act; None when the hand is over.
    stacks : tuple of int
        The chips that a seat has not put in. At the end of the hand they do not include winnings and uncalled bets; see
        `payoffs`.
    bets : tuple of int
        The chips put in during this betting round, including blinds but not antes.
    paid : tuple of int
        The chips put in during the whole hand, including antes.
    folded : tuple of bool
        Whether the seat has folded, or was not dealt in.
    answered : tuple of int
        The bet of the round after the seat's last action in this round; -1 if it has not acted.
    checked : tuple of bool
        Whether the seat has checked in this round.
    bet : int
        The bet that a seat must match in this round; before the flop it is at least the big blind.
    full_raise : int
        The size of the last full bet or raise of this round; before the first, the smallest bet.
    num_bets : int
        The number of full bets and raises in this round; before the flop the big blind counts as the first.
    capped : bool
        Whether the cap has been reached, so that no more raises are allowed in this round.
    """

    structure: Structure
    starting_stacks: tuple[int, ...]
    button: int
    deal: tuple[int, ...]
    number: int
    actions: tuple[int, ...]
    street: int
    actor: int | None
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    folded: tuple[bool, ...]
    answered: tuple[int, ...]
    checked: tuple[bool, ...]
    bet: int
    full_raise: int
    num_bets: int
    capped: bool

    @property
    def num_seats(self) -> int:
        """The number of seats of the table, including those without chips."""
        return len(self.stacks)

    @property
    def is_over(self) -> bool:
        """Whether the hand is over, so that no seat is to act."""
        return self.actor is None

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not folded."""
        return tuple(seat for seat, folded in enumerate(self.folded) if not folded)

    @property
    def able(self) -> tuple[int, ...]:
        """The seats that have neither folded nor put in all their chips."""
        entries = zip(self.stacks, self.folded, strict=True)
        return tuple(seat for seat, (stack, folded) in enumerate(entries) if stack and not folded)

    @property
    def board(self) -> Cards:
        """The cards that are on the board on the present street: none, three, four or five."""
        start = 2 * self.num_seats
        return np.array(self.deal[start : start + BOARD_SIZES[self.street]], dtype=np.uint8)

    def get_hole_cards(self, seat: int) -> Cards:
        """Return the two hole cards of a seat."""
        return np.array(self.deal[2 * seat : 2 * seat + 2], dtype=np.uint8)

    @property
    def uncalled(self) -> tuple[int, ...]:
        """The chips that each seat gets back because no other seat matched its bet; zeros until the hand is over."""
        if not self.is_over:
            return (0,) * self.num_seats
        return compute_uncalled_chips(self.paid_alone)

    @property
    def table_antes(self) -> tuple[int, ...]:
        """The chips that each seat has posted as an ante for the whole table; 0 but for the big blind."""
        return compute_table_antes(self.structure, self.starting_stacks, self.button)

    @property
    def paid_alone(self) -> tuple[int, ...]:
        """The chips that each seat has put in for itself, which decide the pots: `paid` without `table_antes`."""
        entries = zip(self.paid, self.table_antes, strict=True)
        return tuple(paid - ante for paid, ante in entries)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots, without the bets of the present round and without uncalled chips.

        An ante for the whole table is in the main pot.
        """
        not_in_pots = self.uncalled if self.is_over else self.bets
        in_pots = [paid - out for paid, out in zip(self.paid_alone, not_in_pots, strict=True)]
        pots = split_pots(in_pots, self.folded)
        table_ante = sum(self.table_antes)
        if not table_ante:
            return pots
        main, *side_pots = pots or (Pot(0, self.live),)
        return (main._replace(chips=main.chips + table_ante), *side_pots)

    @cached_property
    def strengths(self) -> tuple[int, ...]:
        """The strength of each hand at the showdown; -1 after a fold, 0 for a seat that won without a showdown.

        A larger number is a stronger hand. GameError is raised if the hand is not over.
        """
        self._check_over()
        live = self.live
        strengths_by_seat = [NOT_SHOWN] * self.num_seats
        if len(live) == 1:
            strengths_by_seat[live[0]] = 0
            return tuple(strengths_by_seat)

        board = self.deal[2 * self.num_seats :]
        hands = [(*self.deal[2 * seat : 2 * seat + 2], *board) for seat in live]
        live_strengths = strength(np.array(hands, dtype=np.uint8))
        for seat, value in zip(live, live_strengths, strict=True):
            strengths_by_seat[seat] = int(value)
        return tuple(strengths_by_seat)

    @cached_property
    def payoffs(self) -> NDArray[np.int64]:
        """The chips that each seat has won minus the chips that it has paid; the payoffs sum to 0.

        The array has one entry for each seat. GameError is raised if the hand is not over.
        """
        self._check_over()
        won = divide_pots(self.pots, self.strengths, self.button)
        returned = np.add(won, self.uncalled)
        payoffs: NDArray[np.int64] = returned - np.array(self.paid)
        return payoffs

    def _check_over(self) -> None:
        """Raise GameError unless the hand is over."""
        if not self.is_over:
            raise GameError(
                f"hand {self.number} is not over: seat {self.actor} is to act. Payoffs and"
                " strengths are known when is_over."
            )


Entry = TypeVar("Entry")


@explain_renamed_attributes
class Hand(HandState):
    """A hand of hold'em at one moment: `legal` has the legal actions, and `after` returns the hand after an action.

    `Hand.begin` makes the hand before the first action. The fields are those of `HandState`.
    """

    @classmethod
    def begin(
        cls,
        structure: Structure,
        stacks: Sequence[int],
        button: int,
        deal: ArrayLike,
        *,
        number: int = 0,
    ) -> "Hand":
        """Return a new hand, in which antes and blinds have been posted and no seat has acted.

        Parameters
        ----------
        structure : Structure
            The betting structure, from `limit` or `no_limit`.
        stacks : sequence of int, length n
            The chips of n seats, 2 to 10. At least two seats must have chips. Seats with 0 chips are not dealt in.
        button : int
            The seat with the button, which must have chips.
        deal : array_like of integers, shape (2n + 5,)
            The hole cards of seat 0, seat 1 and so on (also of seats without chips), then the board. All cards must be
            different.
        number : int
            The number of the hand, used in error messages.

        Raises
        ------
        SettingError
            If a hand cannot begin with these stacks and this button.
        CardError
            If the deal does not have the right number of cards, or has a card twice.

        Examples
        --------
        >>> from pokerlab.holdem.cards import parse_cards
        >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
        >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
        >>> hand.actor, hand.legal
        (0, Legal(can_fold=True, to_call=1, min_raise_to=4, max_raise_to=100))
        >>> hand.after(100).after(CALL).payoffs.tolist()
        [50, -50]
        """
        seats = validate_stacks(stacks, button)
        left, blinds = compute_stacks_after_blinds(structure, seats, button)
        hand = cls(
            structure=structure,
            starting_stacks=seats,
            button=int(button),
            deal=validate_deal(deal, len(seats)),
            number=validate_integer("number", number, 0),
            actions=(),
            street=0,
            actor=None,
            stacks=left,
            bets=blinds,
            paid=tuple(seat - rest for seat, rest in zip(seats, left, strict=True)),
            folded=tuple(stack == 0 for stack in seats),
            answered=(NOT_ANSWERED,) * len(seats),
            checked=(False,) * len(seats),
            bet=structure.big_blind,
            full_raise=structure.find_smallest_bet(0),
            num_bets=1,
            capped=structure.is_capped(1, sum(stack > 0 for stack in left)),
        )
        return hand._pass_turn_from(find_blind_seats(seats, button)[1])

    @property
    def legal(self) -> Legal:
        """The actions that are legal for the actor; IllegalActionError is raised if the hand is over."""
        seat = self._get_actor()
        owed = self.bet - self.bets[seat]
        to_call = min(owed, self.stacks[seat])
        can_fold = to_call > 0 or self.structure.free_folds
        if not self._may_raise(seat):
            return Legal(can_fold, to_call)

        all_in = self.bets[seat] + self.stacks[seat]
        min_raise_to = min(self.bet + self.full_raise, all_in)
        max_raise_to = min_raise_to if self.structure.kind == LIMIT else all_in
        return Legal(can_fold, to_call, min_raise_to, max_raise_to)

    def validate_action(self, action: object) -> int:
        """Return an action as an int if it is legal for the actor, and raise an error otherwise.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is not a whole number or not legal. The error lists the legal actions.
        """
        legal = self.legal
        if isinstance(action, bool) or not isinstance(action, Integral):
            wrong = f"{action!r} is not an action; actions are integers"
        elif legal.allows(int(action)):
            return int(action)
        else:
            wrong = legal.explain_refusal(int(action))
        where = f"hand {self.number}, {STREETS[self.street]}, seat {self.actor}"
        raise IllegalActionError(f"{where}: {wrong}. Legal: {legal}.")

    def is_legal(self, action: object) -> bool:
        """Return whether an action is legal for the actor; False if the hand is over."""
        try:
            self.validate_action(action)
        except IllegalActionError:
            return False
        return True

    def after(self, action: object) -> "Hand":
        """Return the hand after an action of the actor: FOLD, CALL, or the chips to raise to.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is not a whole number or not legal.
        """
        chosen = self.validate_action(action)
        seat = self._get_actor()
        hand = replace(self, actions=(*self.actions, chosen))
        if chosen == FOLD:
            hand = replace(hand, folded=_replace_entry(self.folded, seat, True))
        elif chosen == CALL:
            is_check = self.bets[seat] == self.bet
            if is_check:
                hand = replace(hand, checked=_replace_entry(self.checked, seat, True))
            hand = hand._match_bet(seat, self.bet)
        else:
            hand = hand._match_bet(seat, chosen)
        return hand._pass_turn_from(seat)

    def _may_raise(self, seat: int) -> bool:
        """Return whether a seat may bet or raise, given that it is its turn.

        A seat that has acted in this round may raise only after a full raise by another seat. It must have more chips
        than a call needs, the cap must not have been reached, and another seat must be able to call.
        """
        answered = self.answered[seat]
        is_reopened = answered == NOT_ANSWERED or self.bet - answered >= self.full_raise
        has_more = self.bets[seat] + self.stacks[seat] > self.bet
        is_capped = self.capped and not self.structure.lifts_cap(len(self.able))
        return not is_capped and is_reopened and has_more and self._can_be_called(seat)

    def _can_be_called(self, seat: int) -> bool:
        """Return whether another seat could call at least a part of a raise by `seat`."""
        others = (other for other in self.able if other != seat)
        return any(self.bets[other] + self.stacks[other] > self.bet for other in others)

    def _match_bet(self, seat: int, bet: int) -> "Hand":
        """Return the hand after a seat has put in chips until its total for the round is `bet`, or until it is all-in.

        A total above the present bet is a raise. A full raise, which is at least as large as the last one, increases
        the number of bets and may reach the cap.
        """
        chips = min(bet - self.bets[seat], self.stacks[seat])
        raised_by = bet - self.bet
        is_full = raised_by >= self.full_raise
        num_bets = self.num_bets + is_full
        capped = self.capped
        if is_full:
            capped = self.structure.is_capped(num_bets, len(self.able))
        return replace(
            self,
            stacks=_replace_entry(self.stacks, seat, self.stacks[seat] - chips),
            bets=_replace_entry(self.bets, seat, self.bets[seat] + chips),
            paid=_replace_entry(self.paid, seat, self.paid[seat] + chips),
            answered=_replace_entry(self.answered, seat, bet),
            bet=bet,
            full_raise=raised_by if is_full else self.full_raise,
            num_bets=num_bets,
            capped=capped,
        )

    def _pass_turn_from(self, seat: int) -> "Hand":
        """Return the hand with the next seat to act after `seat`.

        If the betting of the street is over, the next street begins. The hand is over if all seats but one have folded,
        if the betting of the river is over, or if the betting of a street is over and at most one seat can still act.
        """
        able = self.able
        no_bets = (0,) * self.num_seats
        if len(self.live) == 1:
            return replace(self, bets=no_bets, actor=None)

        # The next seat that has yet to respond to the bet is the actor.
        for turn in range(1, self.num_seats + 1):
            next_seat = (seat + turn) % self.num_seats
            if next_seat in able and self._must_answer(next_seat, is_last=len(able) == 1):
                return replace(self, actor=next_seat)

        # Otherwise the betting of the street is over. The seat to the left of the button acts first on the next one.
        if self.street == RIVER or len(able) <= 1:
            return replace(self, street=RIVER, bets=no_bets, actor=None)
        return self._begin_street(self.street + 1)._pass_turn_from(self.button)

    def _must_answer(self, seat: int, *, is_last: bool) -> bool:
        """Return whether a seat that can act has yet to respond to the present bet.

        If no other seat can act (`is_last`), the seat need not respond once it has matched all other seats.
        """
        if self.answered[seat] == self.bet:
            return False
        if not is_last:
            return True
        largest_other_bet = max(self.bets[other] for other in self.live if other != seat)
        return self.bets[seat] < largest_other_bet

    def _begin_street(self, street: int) -> "Hand":
        """Return the hand at the start of a street, with the bets of the round reset and the old actor."""
        return replace(
            self,
            street=street,
            bets=(0,) * self.num_seats,
            answered=(NOT_ANSWERED,) * self.num_seats,
            checked=(False,) * self.num_seats,
            bet=0,
            full_raise=self.structure.find_smallest_bet(street),
            num_bets=0,
            capped=False,
        )

    def _get_actor(self) -> int:
        """Return the seat that is to act, or raise IllegalActionError if the hand is over."""
        if self.actor is None:
            raise IllegalActionError(
                f"hand {self.number} is over; no seat may act. Begin another with Hand.begin."
            )
        return self.actor


def _replace_entry(entries: tuple[Entry, ...], seat: int, entry: Entry) -> tuple[Entry, ...]:
    """Return a tuple with one entry for each seat, in which the entry of `seat` is replaced."""
    return (*entries[:seat], entry, *entries[seat + 1 :])
