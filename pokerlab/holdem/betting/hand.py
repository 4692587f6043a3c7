"""The rules of betting: one hand of hold'em for 2 to 10 seats, action by action.

A `Hand` never changes; an action makes the next one. The rules look only at whole numbers
and tuples with one entry a seat. Where houses differ [1]_, [2]_, these are the rules here:

- Seats without chips are not dealt in; they count as folded from the start.
- The next two seats left of the button post the blinds. Heads-up the button posts the small one,
  so it acts first before the flop and last afterward. A seat with less than an ante or a blind
  posts what it has; callers still owe the full big blind.
- A bet or raise is at least as large as the last full one of the round, on top of the present
  bet, and in limit just as large; only all-in may it be smaller.
- A seat that has acted may raise again only when facing at least a full raise since then, made at
  once or by several short all-ins. This holds in limit too, where many houses ask for half a raise.
  A raise smaller than a full one does not count against the cap.
- Nobody bets or raises what no other seat could call, not even in part. The last seat with chips
  is not asked once it has matched all others; the board is dealt to the end.

References
----------
.. [1] Poker Tournament Directors Association, rules, "Re-opening the bet".
.. [2] Robert Ciaffone, Robert's Rules of Poker, "Betting and raising".
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import TypeVar

from numpy.typing import ArrayLike

from pokerlab.core import IllegalActionError, whole
from pokerlab.holdem.betting.actions import CALL, FOLD, Legal
from pokerlab.holdem.betting.hand_state import NOT_YET, HandState, Pot
from pokerlab.holdem.betting.structure import (
    LIMIT,
    Structure,
    blind_seats,
    checked_deal,
    checked_stacks,
    limit,
    no_limit,
    post,
)
from pokerlab.holdem.cards.deck import RIVER, STREETS

__all__ = ["CALL", "FOLD", "Hand", "Legal", "Pot", "Structure", "limit", "no_limit"]

Entry = TypeVar("Entry")


class Hand(HandState):
    """One hand at some moment, and what may be done: `legal`, `can`, and the hand `after` it.

    Make one with `Hand.begin`; the fields are those of `HandState`.
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
        """Return the hand once antes and blinds are posted.

        Parameters
        ----------
        structure : Structure
            From `limit` or `no_limit`.
        stacks : sequence of int, length n
            Chips of 2 to 10 seats, at least two of them with chips. Seats with 0 sit out.
        button : int
            A seat with chips.
        deal : array_like of integers, shape (2n + 5,)
            Hole cards of seat 0, seat 1, ... (also of those who sit out), then the board; all different.
        number : int
            The hand's number in error messages.

        Examples
        --------
        >>> from pokerlab.holdem.cards.deck import parse_cards
        >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
        >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
        >>> hand.actor, hand.legal
        (0, Legal(can_fold=True, to_call=1, min_raise_to=4, max_raise_to=100))
        >>> hand.after(100).after(CALL).payoffs.tolist()
        [50, -50]
        """
        seats = checked_stacks(stacks, button)
        left, blinds = post(structure, seats, button)
        hand = cls(
            structure=structure,
            starting_stacks=seats,
            button=int(button),
            deal=checked_deal(deal, len(seats)),
            number=whole("number", number, 0),
            actions=(),
            street=0,
            actor=None,
            stacks=left,
            bets=blinds,
            paid=tuple(seat - rest for seat, rest in zip(seats, left, strict=True)),
            folded=tuple(stack == 0 for stack in seats),
            answered=(NOT_YET,) * len(seats),
            checked=(False,) * len(seats),
            bet=structure.big_blind,
            full_raise=structure.smallest_bet(0),
            num_bets=1,
            capped=structure.is_capped(1, sum(stack > 0 for stack in left)),
        )
        return hand._passed_on_from(blind_seats(seats, button)[1])

    @property
    def legal(self) -> Legal:
        """What the actor may do."""
        seat = self._actor()
        owed = self.bet - self.bets[seat]
        to_call = min(owed, self.stacks[seat])
        can_fold = to_call > 0 or self.structure.free_folds
        if not self._may_raise(seat):
            return Legal(can_fold, to_call)
        all_in = self.bets[seat] + self.stacks[seat]
        least = min(self.bet + self.full_raise, all_in)
        most = least if self.structure.kind == LIMIT else all_in
        return Legal(can_fold, to_call, least, most)

    def verify(self, action: object) -> int:
        """Return `action` as an int if the actor may do it; else say what is legal.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is not a whole number, or not legal.
        """
        legal = self.legal
        if isinstance(action, bool) or not isinstance(action, Integral):
            given = f"{action!r} is not an action; actions are integers"
        elif legal.allows(int(action)):
            return int(action)
        else:
            given = legal.objection(int(action))
        where = f"hand {self.number}, {STREETS[self.street]}, seat {self.actor}"
        raise IllegalActionError(f"{where}: {given}. Legal: {legal}.")

    def can(self, action: object) -> bool:
        """Return whether the actor may do `action`."""
        try:
            self.verify(action)
        except IllegalActionError:
            return False
        return True

    def after(self, action: object) -> "Hand":
        """Return the hand after the actor's `action`: FOLD, CALL, or the chips to raise to.

        Raises
        ------
        IllegalActionError
            As in `verify`.
        """
        chosen = self.verify(action)
        seat = self._actor()
        hand = replace(self, actions=(*self.actions, chosen))
        if chosen == FOLD:
            hand = replace(hand, folded=_with(self.folded, seat, True))
        else:
            if chosen == CALL and self.bets[seat] == self.bet:
                hand = replace(hand, checked=_with(self.checked, seat, True))
            hand = hand._matching(seat, self.bet if chosen == CALL else chosen)
        return hand._passed_on_from(seat)

    def _may_raise(self, seat: int) -> bool:
        """Return whether `seat`, whose turn it is, may bet or raise."""
        answered = self.answered[seat]
        reopened = answered == NOT_YET or self.bet - answered >= self.full_raise
        has_more = self.bets[seat] + self.stacks[seat] > self.bet
        capped = self.capped and not self.structure.lifts_cap(len(self.able))
        return not capped and reopened and has_more and self._can_be_called(seat)

    def _can_be_called(self, seat: int) -> bool:
        """Return whether anybody could put in a part of what `seat` might raise."""
        others = (other for other in self.able if other != seat)
        return any(self.bets[other] + self.stacks[other] > self.bet for other in others)

    def _matching(self, seat: int, bet: int) -> "Hand":
        """Return the hand once `seat` has matched `bet`, as far as it can; it may be a new bet."""
        chips = min(bet - self.bets[seat], self.stacks[seat])
        raised_by = bet - self.bet
        full = raised_by >= self.full_raise
        num_bets = self.num_bets + full
        return replace(
            self,
            stacks=_with(self.stacks, seat, self.stacks[seat] - chips),
            bets=_with(self.bets, seat, self.bets[seat] + chips),
            paid=_with(self.paid, seat, self.paid[seat] + chips),
            answered=_with(self.answered, seat, bet),
            bet=bet,
            full_raise=raised_by if full else self.full_raise,
            num_bets=num_bets,
            capped=self.structure.is_capped(num_bets, len(self.able)) if full else self.capped,
        )

    def _passed_on_from(self, seat: int) -> "Hand":
        """Return the hand with the next actor after `seat`, on a new street where one is due."""
        able = self.able
        nothing = (0,) * self.num_seats
        if len(self.live) == 1:
            return replace(self, bets=nothing, actor=None)
        for turn in range(1, self.num_seats + 1):
            other = (seat + turn) % self.num_seats
            if other in able and self._is_asked(other, alone=len(able) == 1):
                return replace(self, actor=other)
        if self.street == RIVER or len(able) <= 1:
            return replace(self, street=RIVER, bets=nothing, actor=None)
        return self._on_street(self.street + 1)._passed_on_from(self.button)

    def _is_asked(self, seat: int, *, alone: bool) -> bool:
        """Return whether `seat`, which has chips (`alone`: as the last), is to answer the bet."""
        if self.answered[seat] == self.bet:
            return False
        others = (self.bets[other] for other in self.live if other != seat)
        return not alone or self.bets[seat] < max(others)

    def _on_street(self, street: int) -> "Hand":
        """Return the hand at the start of `street`, before anybody is asked."""
        return replace(
            self,
            street=street,
            bets=(0,) * self.num_seats,
            answered=(NOT_YET,) * self.num_seats,
            checked=(False,) * self.num_seats,
            bet=0,
            full_raise=self.structure.smallest_bet(street),
            num_bets=0,
            capped=False,
        )

    def _actor(self) -> int:
        """Return the seat to act; refuse where the hand is over."""
        if self.actor is None:
            raise IllegalActionError(
                f"hand {self.number} is over; nobody may act. Begin another with Hand.begin."
            )
        return self.actor


def _with(entries: tuple[Entry, ...], seat: int, entry: Entry) -> tuple[Entry, ...]:
    """Return `entries` with that of `seat` replaced."""
    return (*entries[:seat], entry, *entries[seat + 1 :])
