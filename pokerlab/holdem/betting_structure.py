"""Betting structures of hold'em, and how the antes and blinds of a hand are posted.

A `Structure` sets the blinds, the antes, the sizes of bets and the number of raises that are allowed. `limit` and
`no_limit` make the two usual kinds. All amounts are whole chips, and numbers that belong to seats are in tuples with
one entry for each seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pokerlab.core import validate_integer
from pokerlab.core.errors import SettingError, UnknownNameError
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.core.settings import LARGEST_COUNT, validate_bool
from pokerlab.holdem.cards import TURN

LIMIT, NO_LIMIT = "limit", "no-limit"
BETTING_KINDS = (LIMIT, NO_LIMIT)
EACH_PLAYER, FROM_BIG_BLIND = "each player", "big blind"
ANTE_PAYERS = (EACH_PLAYER, FROM_BIG_BLIND)
FEWEST_SEATS, MOST_SEATS = 2, 10
MOST_CHIPS = 10**15
"""The most chips in a stack or a blind. It keeps the sums of ten seats far below the largest int64."""


@explain_renamed_attributes
@reject_renamed_parameters
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
        lift it [1]_, unless `unlimited_after_folds` is True.
    unlimited_after_folds : bool
        Whether the cap is also lifted as soon as folds have left two seats that are not all-in.
    free_folds : bool
        Whether a seat may fold if it owes nothing and could check.
    ante : int
        The chips of an ante, which is not part of a bet.
    ante_payer : {'each player', 'big blind'}
        With 'each player', each seat that is dealt in posts an ante before the blinds. With 'big blind', the usual rule
        of tournaments since 2018, the seat with the big blind alone posts one ante for the whole table after the
        blinds, or as much of it as its stack still has.

    Raises
    ------
    SettingError
        If an amount is out of range, the blinds and bets are not in ascending order, or `unlimited_after_folds` is True
        without a cap and `unlimited_heads_up`.
    UnknownNameError
        If `kind` is neither 'limit' nor 'no-limit', or `ante_payer` is neither 'each player' nor 'big blind'.

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
    unlimited_after_folds: bool = False
    free_folds: bool = False
    ante: int = 0
    ante_payer: str = EACH_PLAYER

    def __post_init__(self) -> None:
        """Check all settings, and convert amounts to int.

        Raises
        ------
        SettingError
            If an amount is out of range, or the settings do not fit together.
        UnknownNameError
            If the kind of betting or the payer of antes is unknown.
        """
        UnknownNameError.check("kind of betting", self.kind, BETTING_KINDS)
        UnknownNameError.check("payer of antes", self.ante_payer, ANTE_PAYERS)

        # A frozen dataclass can be assigned to only in this way.
        for name in ("small_blind", "big_blind", "small_bet", "big_bet", "ante"):
            object.__setattr__(self, name, validate_chips(name, getattr(self, name)))
        if self.cap is not None:
            object.__setattr__(self, "cap", validate_integer("cap", self.cap, 1, LARGEST_COUNT))
        for name in ("unlimited_heads_up", "free_folds", "unlimited_after_folds"):
            validate_bool(name, getattr(self, name))

        can_lift_cap = self.unlimited_heads_up and self.cap is not None
        if self.unlimited_after_folds and not can_lift_cap:
            raise SettingError(
                f"unlimited_after_folds is True with cap={self.cap} and unlimited_heads_up="
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
        """Return the size of the smallest bet on a street, in chips.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        """
        return self.big_bet if street >= TURN else self.small_bet

    def has_reached_cap(self, num_bets: int, num_able_seats: int) -> bool:
        """Return whether the cap forbids further raises in a betting round.

        Parameters
        ----------
        num_bets : int
            The number of bets and raises in the round. Before the flop the big blind counts as the first.
        num_able_seats : int
            The number of seats that had neither folded nor been all-in before the last bet. With two of them there is
            no cap if the structure is unlimited heads-up.
        """
        if self.cap is None or num_bets < self.cap:
            return False
        return not (self.unlimited_heads_up and num_able_seats <= 2)

    def is_cap_lifted_by_folds(self, num_able_seats: int) -> bool:
        """Return whether the cap no longer applies because at most two seats are left that can act.

        The result is always False if `unlimited_after_folds` is False.

        Parameters
        ----------
        num_able_seats : int
            The number of seats that have neither folded nor put in all their chips.
        """
        return self.unlimited_after_folds and num_able_seats <= 2


@reject_renamed_parameters
def no_limit(
    small_blind: int,
    big_blind: int,
    *,
    ante: int = 0,
    ante_payer: str = EACH_PLAYER,
    free_folds: bool = False,
) -> Structure:
    """Return the structure of no-limit betting: a bet may be anything from the big blind to the whole stack.

    Parameters
    ----------
    small_blind, big_blind : int
        The blinds, in chips.
    ante : int
        The chips of an ante, which is not part of a bet.
    ante_payer : {'each player', 'big blind'}
        Whether each player posts an ante before the blinds, or the big blind posts one ante for the whole table after
        them.
    free_folds : bool
        Whether a seat may fold if it owes nothing and could check.

    Returns
    -------
    Structure
        Its kind is 'no-limit', and the smallest bet on every street is the big blind. There is no cap.

    Raises
    ------
    SettingError
        If an amount is out of range, or the small blind is larger than the big blind.
    UnknownNameError
        If `ante_payer` is neither 'each player' nor 'big blind'.

    Examples
    --------
    >>> no_limit(1, 2).small_bet, no_limit(1, 2).cap
    (2, None)
    """
    return Structure(
        kind=NO_LIMIT,
        small_blind=small_blind,
        big_blind=big_blind,
        small_bet=big_blind,
        big_bet=big_blind,
        ante=ante,
        ante_payer=ante_payer,
        free_folds=free_folds,
    )


@reject_renamed_parameters
def limit(
    small_bet: int,
    big_bet: int | None = None,
    *,
    small_blind: int | None = None,
    big_blind: int | None = None,
    cap: int | None = 4,
    unlimited_heads_up: bool = False,
    unlimited_after_folds: bool = False,
    ante: int = 0,
    ante_payer: str = EACH_PLAYER,
) -> Structure:
    """Return the structure of limit betting: all bets and raises of a street have the same size.

    Parameters
    ----------
    small_bet : int
        The size of bets and raises before the turn, in chips.
    big_bet : int, optional
        The size of bets and raises from the turn on. By default it is twice the small bet.
    small_blind, big_blind : int, optional
        The blinds. By default the small blind is half the small bet, rounded down, and the big blind is the small bet.
    cap : int or None
        The largest number of bets in a betting round, where the big blind counts as the first bet before the flop. None
        if there is no cap.
    unlimited_heads_up : bool
        Whether the cap does not apply if only two seats could still act before the raise that reached it.
    unlimited_after_folds : bool
        Whether the cap is also lifted as soon as folds have left two seats that are not all-in.
    ante : int
        The chips of an ante, which is not part of a bet.
    ante_payer : {'each player', 'big blind'}
        Whether each player posts an ante before the blinds, or the big blind posts one ante for the whole table after
        them.

    Returns
    -------
    Structure
        Its kind is 'limit', with the blinds, bets, cap and antes that are given.

    Raises
    ------
    SettingError
        If an amount is out of range, or `Structure` does not allow the combination.
    UnknownNameError
        If `ante_payer` is neither 'each player' nor 'big blind'.

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
        unlimited_after_folds=unlimited_after_folds,
        ante=ante,
        ante_payer=ante_payer,
    )


def validate_chips(name: str, amount: object) -> int:
    """Return a number of chips as an int, after checking that it is a whole number from 0 to MOST_CHIPS.

    Parameters
    ----------
    name : str
        What an error message calls the number, such as 'small_bet'.
    amount : object
        The number of chips.

    Raises
    ------
    SettingError
        If the number is not whole or is out of range.
    """
    return validate_integer(name, amount, 0, MOST_CHIPS)


def find_blind_seats(stacks: Sequence[int], button: int) -> tuple[int, int]:
    """Return the seats that post the small and the big blind; seats without chips are skipped.

    They are the next two seats after the button, clockwise. If only two seats have chips, the button posts the small
    blind.

    Parameters
    ----------
    stacks : sequence of int
        The chips of each seat. At least two seats must have chips.
    button : int
        The seat with the button, which must have chips.

    Returns
    -------
    small_blind_seat, big_blind_seat : int
        The two seats, as indices into `stacks`.

    Examples
    --------
    >>> find_blind_seats([50, 50, 0, 50], button=1)
    (3, 0)
    >>> find_blind_seats([50, 0, 50], button=0)
    (0, 2)
    """
    num_seats = len(stacks)
    seats_from_button = [(button + distance) % num_seats for distance in range(num_seats)]
    dealt_in = [seat for seat in seats_from_button if stacks[seat] > 0]
    is_heads_up = len(dealt_in) == 2
    return (dealt_in[0], dealt_in[1]) if is_heads_up else (dealt_in[1], dealt_in[2])


def compute_stacks_after_blinds(
    structure: Structure, stacks: Sequence[int], button: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stacks after antes and blinds are posted, and the blind that each seat has posted.

    A seat that has less than an ante or a blind posts what it has.

    Parameters
    ----------
    structure : Structure
        The betting structure, which has the antes and blinds.
    stacks : sequence of int
        The chips of each seat before antes and blinds.
    button : int
        The seat with the button.

    Returns
    -------
    stacks_left : tuple of int
        The chips that each seat has left.
    blinds : tuple of int
        The chips of the blind that each seat has posted, 0 for seats without a blind.
    """
    ante_of_each = structure.ante if structure.ante_payer == EACH_PLAYER else 0
    stacks_left = [stack - min(stack, ante_of_each) for stack in stacks]

    blinds = [0] * len(stacks)
    small_blind_seat, big_blind_seat = find_blind_seats(stacks, button)
    blinds[small_blind_seat] = min(structure.small_blind, stacks_left[small_blind_seat])
    blinds[big_blind_seat] = min(structure.big_blind, stacks_left[big_blind_seat])
    for seat in (small_blind_seat, big_blind_seat):
        stacks_left[seat] -= blinds[seat]

    # An ante of the big blind for the whole table comes last, so that a short stack pays its blind first.
    big_blind_antes = compute_big_blind_antes(structure, stacks, button)
    stacks_left[big_blind_seat] -= big_blind_antes[big_blind_seat]
    return tuple(stacks_left), tuple(blinds)


def compute_big_blind_antes(
    structure: Structure, stacks: Sequence[int], button: int
) -> tuple[int, ...]:
    """Return the chips that each seat posts as a big blind ante, the ante of the big blind for the whole table.

    Only the seat with the big blind posts it, after its blind, with at most the chips that it has left.

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
    tuple of int
        The chips of each seat. All are 0 if the structure has no antes, or if each player posts an ante.

    Examples
    --------
    >>> rules = no_limit(5, 10, ante=10, ante_payer="big blind")
    >>> compute_big_blind_antes(rules, [50, 50, 50], button=0)
    (0, 0, 10)
    >>> compute_big_blind_antes(rules, [50, 50, 13], button=0)
    (0, 0, 3)
    """
    antes = [0] * len(stacks)
    if structure.ante_payer == FROM_BIG_BLIND:
        _, big_blind_seat = find_blind_seats(stacks, button)
        left_after_blind = max(stacks[big_blind_seat] - structure.big_blind, 0)
        antes[big_blind_seat] = min(structure.ante, left_after_blind)
    return tuple(antes)
