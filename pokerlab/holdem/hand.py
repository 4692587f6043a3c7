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

A betting `Structure` sets the blinds, the antes, the sizes of bets and the number of raises that are allowed; see
`pokerlab.holdem.betting_structure`. A `Pot` is a number of chips with the seats that can win them; see
`pokerlab.holdem.pots`. `pokerlab.holdem.hand_history` goes through a hand in words.

References
----------
.. [1] Poker Tournament Directors Association, rules, "Re-opening the bet".
.. [2] Robert Ciaffone, Robert's Rules of Poker, "Betting and raising".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import IllegalActionError, validate_integer
from pokerlab.core.errors import CardError, GameError, SettingError
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.holdem.betting_structure import (
    FEWEST_SEATS,
    LIMIT,
    MOST_SEATS,
    Structure,
    compute_big_blind_antes,
    compute_stacks_after_blinds,
    find_blind_seats,
    validate_chips,
)
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    RIVER,
    STREETS,
    Cards,
    validate_cards,
)
from pokerlab.holdem.hand_rankings import evaluate_hand
from pokerlab.holdem.pots import Pot, compute_uncalled_chips, divide_pots, split_into_pots

FOLD, CALL = -1, 0
ACTIONS = ("fold", "call", "raise")
"""The meanings of the columns. If nothing is owed, a call is a check and a raise is a bet."""
NUM_ACTIONS = len(ACTIONS)
FOLDING, CALLING, RAISING = range(NUM_ACTIONS)


def find_action_column(action: int) -> int:
    """Return the column that an action has in strategies with three columns, for fold, call and raise.

    Parameters
    ----------
    action : int
        FOLD, CALL, or the total number of chips to raise to.

    Returns
    -------
    int
        FOLDING, CALLING or RAISING. All raises have the same column.

    Examples
    --------
    >>> find_action_column(FOLD), find_action_column(CALL), find_action_column(60)
    (0, 1, 2)
    """
    if action == FOLD:
        return FOLDING
    return CALLING if action == CALL else RAISING


@dataclass(frozen=True, slots=True)
class LegalActions:
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
        """Whether the seat may bet or raise."""
        return self.min_raise_to is not None

    def allows(self, action: int) -> bool:
        """Return whether an action is one of these legal actions.

        Parameters
        ----------
        action : int
            FOLD, CALL, or the total number of chips to bet or raise to in this betting round.
        """
        if action == FOLD:
            return self.can_fold
        if self.min_raise_to is None or self.max_raise_to is None:
            return action == CALL
        return action == CALL or self.min_raise_to <= action <= self.max_raise_to

    def explain_illegal_action(self, action: int) -> str:
        """Return a clause that explains why an illegal action is not legal, for an error message.

        Parameters
        ----------
        action : int
            An action that is not legal. The caller has checked that; the clause would be wrong for a legal action.

        Examples
        --------
        >>> LegalActions(can_fold=True, to_call=2, min_raise_to=4, max_raise_to=50).explain_illegal_action(3)
        'a bet or raise to 3 is below the minimum 4'
        """
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
        """Return the legal actions in words, each followed by its number.

        >>> str(LegalActions(can_fold=True, to_call=2, min_raise_to=4, max_raise_to=50))
        'fold (-1), call 2 (0), raise to 4 to 50'
        """
        words = ["fold (-1)"] if self.can_fold else []
        words.append(f"call {self.to_call} (0)" if self.to_call else "check (0)")
        if self.min_raise_to is None:
            return ", ".join(words)
        verb = "raise" if self.to_call else "bet or raise"
        limit_text = "" if self.min_raise_to == self.max_raise_to else f" to {self.max_raise_to}"
        return ", ".join([*words, f"{verb} to {self.min_raise_to}{limit_text}"])


def validate_stacks(stacks: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the stacks as ints, after checking that a hand can begin with them and with this button.

    Parameters
    ----------
    stacks : sequence of int
        The chips of each of 2 to 10 seats. At least two seats must have chips.
    button : int
        The seat with the button, which must have chips.

    Returns
    -------
    tuple of int
        The chips of each seat.

    Raises
    ------
    SettingError
        If a hand cannot begin with these stacks and this button.
    """
    if not FEWEST_SEATS <= len(stacks) <= MOST_SEATS:
        raise SettingError(
            f"stacks are given for {len(stacks)} seats; a table has {FEWEST_SEATS} to {MOST_SEATS}."
        )
    validated = tuple(
        validate_chips(f"the stack of seat {seat}", stack) for seat, stack in enumerate(stacks)
    )
    num_seats_with_chips = sum(stack > 0 for stack in validated)
    if num_seats_with_chips < FEWEST_SEATS:
        raise SettingError(f"stacks are {list(validated)}; a hand needs two seats with chips.")
    validate_integer("button", button, 0, len(validated) - 1)
    if validated[button] == 0:
        raise SettingError(
            f"the button is at seat {button}, which has no chips; move it to the next seat that has."
        )
    return validated


def validate_deal(deal: ArrayLike, num_seats: int) -> tuple[int, ...]:
    """Return the cards of a deal as ints, after checking their number and that no card occurs twice.

    Parameters
    ----------
    deal : array_like of integers, shape (2 * num_seats + 5,)
        Two cards for each seat, then the five cards of the board.
    num_seats : int
        The number of seats of the table, including seats without chips.

    Returns
    -------
    tuple of int
        The cards, numbers from 0 to 51, in the order of the deal.

    Raises
    ------
    CardError
        If the number of cards is wrong, or a card is not valid or occurs twice.
    """
    dealt_cards = np.asarray(deal)
    if dealt_cards.shape != (2 * num_seats + 5,):
        raise CardError(
            f"a deal has shape {dealt_cards.shape}; {num_seats} seats need ({2 * num_seats + 5},): two"
            " cards for each seat, then five for the board."
        )
    return tuple(validate_cards(dealt_cards).tolist())


NOT_ANSWERED = -1  # the value in `answered_bets` for a seat that has not acted in this round
NOT_SHOWN = -1  # the strength of a seat that has folded


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
    answered_bets : tuple of int
        The bet of the round after the seat's last action in this round; -1 if it has not acted.
    checked : tuple of bool
        Whether the seat has checked in this round.
    bet : int
        The bet that a seat must match in this round; before the flop it is at least the big blind.
    full_raise : int
        The size of the last full bet or raise of this round; before the first, the smallest bet.
    num_bets : int
        The number of full bets and raises in this round; before the flop the big blind counts as the first.
    is_cap_reached : bool
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
    answered_bets: tuple[int, ...]
    checked: tuple[bool, ...]
    bet: int
    full_raise: int
    num_bets: int
    is_cap_reached: bool

    @property
    def num_seats(self) -> int:
        """The number of seats of the table, including seats without chips."""
        return len(self.stacks)

    @property
    def is_over(self) -> bool:
        """Whether the hand is over, so that no seat is to act."""
        return self.actor is None

    @property
    def live_seats(self) -> tuple[int, ...]:
        """The seats that have not folded, in ascending order."""
        return tuple(seat for seat, has_folded in enumerate(self.folded) if not has_folded)

    @property
    def seats_able_to_act(self) -> tuple[int, ...]:
        """The seats that have neither folded nor put in all their chips, in ascending order."""
        return tuple(seat for seat in self.live_seats if self.stacks[seat] > 0)

    @property
    def board(self) -> Cards:
        """The cards of the board that are open on the present street: none, three, four or five."""
        first_card = 2 * self.num_seats  # the hole cards come before the board
        end = first_card + BOARD_SIZES[self.street]
        return np.array(self.deal[first_card:end], dtype=np.uint8)

    def get_hole_cards(self, seat: int) -> Cards:
        """Return the two hole cards of a seat.

        Parameters
        ----------
        seat : int
            The index of the seat, from 0 to num_seats - 1.

        Returns
        -------
        ndarray of uint8, shape (2,)
            Two numbers from 0 to 51, in the order of the deal. Seats that are not dealt in have cards, too.
        """
        return np.array(self.deal[2 * seat : 2 * seat + 2], dtype=np.uint8)

    @property
    def uncalled_chips(self) -> tuple[int, ...]:
        """The chips that each seat gets back at the end because no other seat has called them.

        All are 0 while the hand is in play.
        """
        if not self.is_over:
            return (0,) * self.num_seats
        return compute_uncalled_chips(self.paid_without_big_blind_ante)

    @property
    def big_blind_antes(self) -> tuple[int, ...]:
        """The chips that each seat has posted as an ante for the whole table; 0 for all seats but the big blind."""
        return compute_big_blind_antes(self.structure, self.starting_stacks, self.button)

    @property
    def paid_without_big_blind_ante(self) -> tuple[int, ...]:
        """The chips that each seat has put in, without an ante that the big blind has posted for the whole table.

        They decide which pots a seat can win.
        """
        entries = zip(self.paid, self.big_blind_antes, strict=True)
        return tuple(paid - ante for paid, ante in entries)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots, without the bets of the present betting round and without uncalled chips.

        An ante of the big blind for the whole table is in the main pot.
        """
        chips_outside = self.uncalled_chips if self.is_over else self.bets
        entries = zip(self.paid_without_big_blind_ante, chips_outside, strict=True)
        chips_inside = [paid - outside for paid, outside in entries]
        pots = split_into_pots(chips_inside, self.folded)

        table_ante = sum(self.big_blind_antes)
        if table_ante == 0:
            return pots
        if not pots:  # in the first betting round the ante alone is in the pot
            return (Pot(table_ante, self.live_seats),)
        main_pot, *side_pots = pots
        return (main_pot._replace(chips=main_pot.chips + table_ante), *side_pots)

    @cached_property
    def strengths(self) -> tuple[int, ...]:
        """The strength of the hand in each seat at the end; a larger number is a stronger hand.

        It is -1 for a seat that has folded, and 0 for a seat that has won without a showdown.

        Raises
        ------
        GameError
            If the hand is not over.
        """
        self._check_is_over()
        live_seats = self.live_seats
        strengths_by_seat = [NOT_SHOWN] * self.num_seats
        if len(live_seats) == 1:
            (winner,) = live_seats
            strengths_by_seat[winner] = 0
            return tuple(strengths_by_seat)

        board = self.deal[2 * self.num_seats :]
        hands = [(*self.deal[2 * seat : 2 * seat + 2], *board) for seat in live_seats]
        live_strengths = evaluate_hand(np.array(hands, dtype=np.uint8))
        for seat, live_strength in zip(live_seats, live_strengths, strict=True):
            strengths_by_seat[seat] = int(live_strength)
        return tuple(strengths_by_seat)

    @cached_property
    def payoffs(self) -> NDArray[np.int64]:
        """The chips that each seat has won minus the chips that it has paid.

        The array has the shape (num_seats,), and the payoffs sum to 0.

        Raises
        ------
        GameError
            If the hand is not over.
        """
        self._check_is_over()
        won = divide_pots(self.pots, self.strengths, self.button)
        won_and_returned = np.add(won, self.uncalled_chips)
        payoffs: NDArray[np.int64] = won_and_returned - np.array(self.paid)
        return payoffs

    def _check_is_over(self) -> None:
        """Raise GameError if the hand is still in play.

        Raises
        ------
        GameError
            If a seat is to act.
        """
        if not self.is_over:
            raise GameError(
                f"hand {self.number} is not over: seat {self.actor} is to act. Payoffs and"
                " strengths are known when is_over."
            )


Entry = TypeVar("Entry")


@explain_renamed_attributes
class Hand(HandState):
    """A hand of hold'em at one moment, which never changes: an action returns the next hand.

    `Hand.begin` makes the hand before the first action, `legal_actions` says what the seat to act may do, and `after`
    returns the hand after an action. The fields are those of `HandState`.
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

        Returns
        -------
        Hand
            The hand before its first action. It is over at once, with `actor` None, if antes and blinds leave no seat
            that has to act.

        Raises
        ------
        SettingError
            If a hand cannot begin with these stacks and this button.
        CardError
            If the deal does not have the right number of cards, or has a card twice.

        Examples
        --------
        >>> from pokerlab.holdem.betting_structure import no_limit
        >>> from pokerlab.holdem.cards import parse_cards
        >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
        >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
        >>> hand.actor, hand.legal_actions
        (0, LegalActions(can_fold=True, to_call=1, min_raise_to=4, max_raise_to=100))
        >>> hand.after(100).after(CALL).payoffs.tolist()
        [50, -50]
        """
        starting_stacks = validate_stacks(stacks, button)
        num_seats = len(starting_stacks)
        stacks_left, blinds = compute_stacks_after_blinds(structure, starting_stacks, button)
        entries = zip(starting_stacks, stacks_left, strict=True)
        num_able_seats = sum(stack > 0 for stack in stacks_left)
        hand = cls(
            structure=structure,
            starting_stacks=starting_stacks,
            button=int(button),
            deal=validate_deal(deal, num_seats),
            number=validate_integer("number", number, 0),
            actions=(),
            street=0,
            actor=None,
            stacks=stacks_left,
            bets=blinds,
            paid=tuple(stack_before - stack_after for stack_before, stack_after in entries),
            folded=tuple(stack == 0 for stack in starting_stacks),
            answered_bets=(NOT_ANSWERED,) * num_seats,
            checked=(False,) * num_seats,
            bet=structure.big_blind,
            full_raise=structure.find_smallest_bet(0),
            num_bets=1,
            is_cap_reached=structure.has_reached_cap(1, num_able_seats),
        )
        _, big_blind_seat = find_blind_seats(starting_stacks, button)
        return hand._advance_turn(big_blind_seat)

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the seat that is to act.

        Raises
        ------
        IllegalActionError
            If the hand is over, so that no seat is to act.
        """
        seat = self._get_actor()
        owed = self.bet - self.bets[seat]
        to_call = min(owed, self.stacks[seat])
        can_fold = to_call > 0 or self.structure.free_folds
        if not self._can_raise(seat):
            return LegalActions(can_fold, to_call)

        all_in = self.bets[seat] + self.stacks[seat]
        min_raise_to = min(self.bet + self.full_raise, all_in)
        max_raise_to = min_raise_to if self.structure.kind == LIMIT else all_in
        return LegalActions(can_fold, to_call, min_raise_to, max_raise_to)

    def validate_action(self, action: object) -> int:
        """Return an action as an int, after checking that it is legal for the seat that is to act.

        Parameters
        ----------
        action : object
            FOLD, CALL, or the total number of chips to bet or raise to in this betting round.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is not a whole number or not legal. The error lists the legal actions.
        """
        legal = self.legal_actions
        if isinstance(action, bool) or not isinstance(action, Integral):
            reason = f"{action!r} is not an action; actions are integers"
        elif legal.allows(int(action)):
            return int(action)
        else:
            reason = legal.explain_illegal_action(int(action))
        where = f"hand {self.number}, {STREETS[self.street]}, seat {self.actor}"
        raise IllegalActionError(f"{where}: {reason}. Legal: {legal}.")

    def is_legal(self, action: object) -> bool:
        """Return whether an action is legal for the seat that is to act; False if the hand is over.

        Parameters
        ----------
        action : object
            FOLD, CALL, or the total number of chips to bet or raise to. Anything else is not legal.
        """
        try:
            self.validate_action(action)
        except IllegalActionError:
            return False
        return True

    def after(self, action: object) -> "Hand":
        """Return the hand after an action of the seat that is to act. This hand itself is not changed.

        Parameters
        ----------
        action : int
            FOLD, CALL, or the total number of chips to bet or raise to in this betting round.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is not a whole number or not legal.
        """
        valid_action = self.validate_action(action)
        seat = self._get_actor()
        hand = replace(self, actions=(*self.actions, valid_action))
        if valid_action == FOLD:
            hand = replace(hand, folded=_replace_entry(self.folded, seat, True))
            return hand._advance_turn(seat)

        is_check = valid_action == CALL and self.bets[seat] == self.bet
        if is_check:
            hand = replace(hand, checked=_replace_entry(self.checked, seat, True))
        new_bet = self.bet if valid_action == CALL else valid_action
        return hand._put_in_chips(seat, new_bet)._advance_turn(seat)

    def _can_raise(self, seat: int) -> bool:
        """Return whether the seat that is to act may bet or raise.

        A seat that has acted in this round may raise only after a full raise by another seat. It must have more chips
        than a call needs, the cap must not have been reached, and another seat must be able to call.

        Parameters
        ----------
        seat : int
            The seat that is to act.
        """
        answered_bet = self.answered_bets[seat]
        is_reopened = answered_bet == NOT_ANSWERED or self.bet - answered_bet >= self.full_raise
        has_more_than_bet = self.bets[seat] + self.stacks[seat] > self.bet
        num_able_seats = len(self.seats_able_to_act)
        is_stopped_by_cap = self.is_cap_reached and not self.structure.is_cap_lifted_by_folds(
            num_able_seats
        )
        return (
            not is_stopped_by_cap
            and is_reopened
            and has_more_than_bet
            and self._can_raise_be_called(seat)
        )

    def _can_raise_be_called(self, seat: int) -> bool:
        """Return whether another seat has enough chips to call at least a part of a raise by a seat.

        Parameters
        ----------
        seat : int
            The seat that would raise above the present bet.
        """
        opponents = [other_seat for other_seat in self.seats_able_to_act if other_seat != seat]
        return any(
            self.bets[other_seat] + self.stacks[other_seat] > self.bet for other_seat in opponents
        )

    def _put_in_chips(self, seat: int, bet: int) -> "Hand":
        """Return the hand after a seat has called or raised to a bet. It puts in all its chips if they are fewer.

        A full raise is at least as large as the last full bet or raise. It counts as one more bet, and may reach the
        cap.

        Parameters
        ----------
        seat : int
            The seat that is to act.
        bet : int
            The bet that the seat matches, in chips of this betting round. If it is larger than the present bet, the
            action is a raise.

        Returns
        -------
        Hand
            The hand with the new stacks and bets, in which the same seat is still the actor.
        """
        chips = min(bet - self.bets[seat], self.stacks[seat])
        raised_by = bet - self.bet
        is_full_raise = raised_by >= self.full_raise
        num_bets = self.num_bets + is_full_raise
        is_capped = self.is_cap_reached
        if is_full_raise:
            is_capped = self.structure.has_reached_cap(num_bets, len(self.seats_able_to_act))
        return replace(
            self,
            stacks=_replace_entry(self.stacks, seat, self.stacks[seat] - chips),
            bets=_replace_entry(self.bets, seat, self.bets[seat] + chips),
            paid=_replace_entry(self.paid, seat, self.paid[seat] + chips),
            answered_bets=_replace_entry(self.answered_bets, seat, bet),
            bet=bet,
            full_raise=raised_by if is_full_raise else self.full_raise,
            num_bets=num_bets,
            is_cap_reached=is_capped,
        )

    def _advance_turn(self, last_actor: int) -> "Hand":
        """Return the hand in which the next seat is to act, on the next street if the betting of this street is over.

        The hand is over if all seats but one have folded, if the betting of the river is over, or if the betting of a
        street is over and at most one seat can still act.

        Parameters
        ----------
        last_actor : int
            The seat that has acted last, or the button at the beginning of a street. The search begins after it,
            clockwise.

        Returns
        -------
        Hand
            The hand with the next actor. If it is over, `actor` is None.
        """
        no_bets = (0,) * self.num_seats
        if len(self.live_seats) == 1:
            return replace(self, bets=no_bets, actor=None)

        # The next seat that has yet to respond to the bet is to act.
        able_seats = self.seats_able_to_act
        for distance in range(1, self.num_seats + 1):
            seat = (last_actor + distance) % self.num_seats
            if seat in able_seats and self._must_respond(
                seat, is_only_able_seat=len(able_seats) == 1
            ):
                return replace(self, actor=seat)

        # Otherwise the betting of the street is over.
        if self.street == RIVER or len(able_seats) <= 1:
            return replace(self, street=RIVER, bets=no_bets, actor=None)
        return self._begin_street(self.street + 1)._advance_turn(self.button)

    def _must_respond(self, seat: int, *, is_only_able_seat: bool) -> bool:
        """Return whether a seat that has chips left has yet to respond to the present bet.

        Parameters
        ----------
        seat : int
            A seat that has neither folded nor put in all its chips.
        is_only_able_seat : bool
            Whether all other seats have folded or are all-in. Then the seat need not respond once it has matched their
            bets, even if it has not acted.
        """
        if self.answered_bets[seat] == self.bet:
            return False
        if not is_only_able_seat:
            return True
        largest_other_bet = max(
            self.bets[other_seat] for other_seat in self.live_seats if other_seat != seat
        )
        return self.bets[seat] < largest_other_bet

    def _begin_street(self, street: int) -> "Hand":
        """Return the hand at the beginning of a street, with no bets.

        The seat to act is still that of the street before; the caller finds the new one.

        Parameters
        ----------
        street : int
            1 for the flop, 2 for the turn, 3 for the river.
        """
        return replace(
            self,
            street=street,
            bets=(0,) * self.num_seats,
            answered_bets=(NOT_ANSWERED,) * self.num_seats,
            checked=(False,) * self.num_seats,
            bet=0,
            full_raise=self.structure.find_smallest_bet(street),
            num_bets=0,
            is_cap_reached=False,
        )

    def _get_actor(self) -> int:
        """Return the seat that is to act.

        Raises
        ------
        IllegalActionError
            If the hand is over, so that no seat is to act.
        """
        if self.actor is None:
            raise IllegalActionError(
                f"hand {self.number} is over; no seat may act. Begin another with Hand.begin."
            )
        return self.actor


def _replace_entry(entries: tuple[Entry, ...], seat: int, entry: Entry) -> tuple[Entry, ...]:
    """Return a copy of a tuple in which one entry is replaced.

    Parameters
    ----------
    entries : tuple
        One entry for each seat.
    seat : int
        The index of the entry to replace.
    entry : object
        The new entry of this seat.
    """
    return (*entries[:seat], entry, *entries[seat + 1 :])
