"""The rules of betting: one hand of hold'em for 2 to 10 seats, action by action.

A `Hand` never changes; an action makes the next one. All that the rules look at are whole numbers
and tuples with one entry a seat. Where houses differ [1]_, [2]_, these are the rules here:

- Seats without chips are not dealt in; they count as folded from the start.
- The next two seats left of the button post the blinds. Heads-up the button posts the small one,
  so it acts first before the flop and last afterwards. Who has less than an ante or a blind posts
  what there is; callers still owe the full big blind.
- A bet or raise is at least as large as the last full one of the round, on top of the present
  bet, and in limit just as large; only all-in may it be smaller.
- Who has acted may raise again only when facing at least a full raise since then, made at once or
  by several short all-ins. This holds in limit too, where many houses ask for half a raise. What
  is smaller than a full raise does not count against the cap.
- Nobody bets or raises what no other seat could call, not even in part. The last seat with chips
  is not asked once it has matched all others; the board is dealt to the end.

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

from pokerlab.core.errors import GameError, IllegalActionError
from pokerlab.holdem.actions import CALL, FOLD, Legal
from pokerlab.holdem.cards import Cards
from pokerlab.holdem.pots import Pot, layers, uncalled, won
from pokerlab.holdem.seating import checked_deal, checked_stacks, post
from pokerlab.holdem.strength import strength
from pokerlab.holdem.structure import LIMIT, STREETS, Structure, limit, no_limit

__all__ = ["CALL", "FOLD", "Hand", "Legal", "Pot", "Structure", "limit", "no_limit"]

NOT_YET = -1
RIVER = 3
BOARD_SIZES = (0, 3, 4, 5)
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Hand:
    """One hand at some moment: what was given, and what follows from the actions so far.

    Make one with `Hand.begin`. All tuples but `deal` and `actions` have one entry a seat; chips
    are whole numbers.

    Attributes
    ----------
    structure : Structure
        Blinds and sizes of bets.
    starting_stacks : tuple of int
        Chips before antes and blinds; 0 for a seat that is not dealt in.
    button : int
        The seat with the button.
    deal : tuple of int
        Two cards for seat 0, for seat 1, and so on, then the five of the board.
    number : int
        What errors call this hand.
    actions : tuple of int
        All actions so far.
    street : int
        0 (preflop) to 3 (river); 3 after a showdown, even if the betting ended earlier.
    actor : int, optional
        Whose turn it is; None when the hand is over.
    stacks : tuple of int
        Chips behind. Winnings and uncalled bets are not among them: see `payoffs`.
    bets : tuple of int
        Chips put in during this betting round, blinds but not antes included.
    paid : tuple of int
        Chips put in during the whole hand.
    folded : tuple of bool
        Who cannot win any more.
    answered : tuple of int
        The bet to match when the seat last acted in this round; -1 if it has not.
    bet : int
        The bet to match in this round; before the flop at least the big blind.
    full_raise : int
        Size of the last full bet or raise in this round; at first the smallest bet.
    num_bets : int
        Full bets and raises in this round; before the flop the big blind is the first.
    capped : bool
        Whether the cap has ended the raising of this round.
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
    bet: int
    full_raise: int
    num_bets: int
    capped: bool

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
            Hole cards of seat 0, seat 1, ... (also of those who sit out), then the board.
        number : int
            What errors are to call this hand.

        Raises
        ------
        SettingError
            If the stacks or the button cannot be so.
        CardError
            If the deal has not 2n + 5 different cards.

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
        seats = checked_stacks(stacks, button)
        posted = post(structure, seats, button)
        able = sum(stack > 0 for stack in posted.stacks)
        hand = cls(
            structure=structure,
            starting_stacks=seats,
            button=int(button),
            deal=checked_deal(deal, len(seats)),
            number=number,
            actions=(),
            street=0,
            actor=None,
            stacks=posted.stacks,
            bets=posted.blinds,
            paid=tuple(seat - left for seat, left in zip(seats, posted.stacks, strict=True)),
            folded=tuple(stack == 0 for stack in seats),
            answered=(NOT_YET,) * len(seats),
            bet=structure.big_blind,
            full_raise=structure.smallest_bet(0),
            num_bets=1,
            capped=structure.is_capped(1, able),
        )
        return hand._passed_on_from(posted.big_blind_seat)

    @property
    def num_seats(self) -> int:
        """How many seats the table has, those without chips included."""
        return len(self.stacks)

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.actor is None

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not folded."""
        return tuple(seat for seat in range(self.num_seats) if not self.folded[seat])

    @property
    def able(self) -> tuple[int, ...]:
        """The seats that have neither folded nor put in all their chips."""
        return tuple(seat for seat in self.live if self.stacks[seat] > 0)

    @property
    def legal(self) -> Legal:
        """What the actor may do."""
        seat = self._actor()
        owed = self.bet - self.bets[seat]
        to_call = min(owed, self.stacks[seat])
        if not self._may_raise(seat):
            return Legal(to_call > 0, to_call)
        all_in = self.bets[seat] + self.stacks[seat]
        least = min(self.bet + self.full_raise, all_in)
        most = least if self.structure.kind == LIMIT else all_in
        return Legal(to_call > 0, to_call, least, most)

    def verify(self, action: object) -> int:
        """Return `action` as an int if the actor may do it; else say what is legal.

        Raises
        ------
        IllegalActionError
            If the hand is over, or the action is no whole number or not legal.
        """
        legal = self.legal
        if isinstance(action, bool) or not isinstance(action, Integral):
            given = f"{action!r} is no action; actions are integers"
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
        elif chosen == CALL:
            hand = hand._paying(seat, self.legal.to_call)
        else:
            hand = hand._raised(seat, chosen)
        return replace(hand, answered=_with(hand.answered, seat, hand.bet))._passed_on_from(seat)

    @property
    def board(self) -> Cards:
        """The cards on the board by now: none, three, four or five."""
        start = 2 * self.num_seats
        return np.array(self.deal[start : start + BOARD_SIZES[self.street]], dtype=np.uint8)

    def hole(self, seat: int) -> Cards:
        """Return the two cards of `seat`."""
        return np.array(self.deal[2 * seat : 2 * seat + 2], dtype=np.uint8)

    @property
    def uncalled(self) -> tuple[int, ...]:
        """What goes back at the end of the hand to a seat whose bet nobody matched; else zeros."""
        return uncalled(self.paid, self.folded) if self.is_over else (0,) * self.num_seats

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots, without the bets of a round that is not over."""
        out = self.uncalled if self.is_over else self.bets
        gathered = [paid - chips for paid, chips in zip(self.paid, out, strict=True)]
        return layers(gathered, self.folded)

    @cached_property
    def strengths(self) -> tuple[int, ...]:
        """What everybody shows down, bigger is better; -1 for who folded, 0 for who won unseen."""
        self._must_be_over()
        live = self.live
        shown = [NOT_YET] * self.num_seats
        if len(live) == 1:
            shown[live[0]] = 0
            return tuple(shown)
        board = self.deal[2 * self.num_seats :]
        cards = np.array([(*self.deal[2 * s : 2 * s + 2], *board) for s in live], dtype=np.uint8)
        for seat, value in zip(live, strength(cards), strict=True):
            shown[seat] = int(value)
        return tuple(shown)

    @cached_property
    def payoffs(self) -> NDArray[np.int64]:
        """What each seat has won, less what it has paid; shape (n,), in chips, summing to 0."""
        self._must_be_over()
        taken = won(self.pots, self.strengths, self.button)
        entries = zip(taken, self.uncalled, self.paid, strict=True)
        return np.array([got + back - paid for got, back, paid in entries], dtype=np.int64)

    def _may_raise(self, seat: int) -> bool:
        """Return whether `seat`, whose turn it is, may bet or raise."""
        answered = self.answered[seat]
        reopened = answered == NOT_YET or self.bet - answered >= self.full_raise
        has_more = self.bets[seat] + self.stacks[seat] > self.bet
        can_be_called = any(
            self.bets[other] + self.stacks[other] > self.bet for other in self.able if other != seat
        )
        return not self.capped and reopened and has_more and can_be_called

    def _paying(self, seat: int, chips: int) -> "Hand":
        """Return the hand with `chips` of `seat` moved from its stack to its bet."""
        return replace(
            self,
            stacks=_with(self.stacks, seat, self.stacks[seat] - chips),
            bets=_with(self.bets, seat, self.bets[seat] + chips),
            paid=_with(self.paid, seat, self.paid[seat] + chips),
        )

    def _raised(self, seat: int, to: int) -> "Hand":
        """Return the hand after `seat` has bet or raised to `to`."""
        raised_by = to - self.bet
        hand = replace(self._paying(seat, to - self.bets[seat]), bet=to)
        if raised_by < self.full_raise:
            return hand
        num_bets = self.num_bets + 1
        capped = self.structure.is_capped(num_bets, len(self.able))
        return replace(hand, full_raise=raised_by, num_bets=num_bets, capped=capped)

    def _passed_on_from(self, seat: int) -> "Hand":
        """Return the hand with the next actor after `seat`, on a new street where one is due."""
        if len(self.live) == 1:
            return replace(self, bets=(0,) * self.num_seats, actor=None)
        for turn in range(1, self.num_seats + 1):
            other = (seat + turn) % self.num_seats
            if self._is_asked(other):
                return replace(self, actor=other)
        if self.street == RIVER or len(self.able) <= 1:
            return replace(self, street=RIVER, bets=(0,) * self.num_seats, actor=None)
        street = self.street + 1
        next_street = replace(
            self,
            street=street,
            bets=(0,) * self.num_seats,
            answered=(NOT_YET,) * self.num_seats,
            bet=0,
            full_raise=self.structure.smallest_bet(street),
            num_bets=0,
            capped=False,
        )
        return next_street._passed_on_from(self.button)

    def _is_asked(self, seat: int) -> bool:
        """Return whether `seat` has chips and has yet to answer the present bet."""
        able = self.able
        if seat not in able or self.answered[seat] == self.bet:
            return False
        others = (self.bets[other] for other in self.live if other != seat)
        return len(able) > 1 or self.bets[seat] < max(others)

    def _actor(self) -> int:
        """Return the seat to act; refuse where the hand is over."""
        if self.actor is None:
            raise IllegalActionError(
                f"hand {self.number} is over; nobody may act. Begin another with Hand.begin."
            )
        return self.actor

    def _must_be_over(self) -> None:
        """Refuse where somebody is still to act."""
        if not self.is_over:
            raise GameError(
                f"hand {self.number} is not over: seat {self.actor} is to act. Payoffs and"
                " strengths are known when is_over."
            )


def _with(entries: tuple[Entry, ...], seat: int, entry: Entry) -> tuple[Entry, ...]:
    """Return `entries` with that of `seat` replaced."""
    return (*entries[:seat], entry, *entries[seat + 1 :])
