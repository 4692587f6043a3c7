"""A hand of hold'em at one moment: chips, cards, and who wins what once it is over.

A pot says who can win which chips; it is divided among those who do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.errors import GameError
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.deck import BOARD_SIZES, Cards
from pokerlab.holdem.strength.evaluation import strength

NOT_YET = -1
FOLDED = -1


class Pot(NamedTuple):
    """A main or side pot."""

    chips: int  # what is in it, folded chips included
    seats: tuple[int, ...]  # who can win it, in the order of their numbers


def uncalled(paid: Sequence[int], folded: Sequence[bool]) -> tuple[int, ...]:
    """Return how much of what each seat has paid nobody else has matched, folded or not.

    Examples
    --------
    >>> uncalled([10, 30, 25], [False, False, True])
    (0, 5, 0)
    """
    seats = range(len(paid))
    most = max(seats, key=paid.__getitem__)
    matched = max(paid[seat] for seat in seats if seat != most)
    # Nobody folds without facing a larger bet, so the top is a live seat's.
    assert paid[most] == matched or not folded[most]
    return tuple(paid[seat] - matched if seat == most else 0 for seat in seats)


def layers(paid: Sequence[int], folded: Sequence[bool]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots of what the seats have `paid`.

    A pot is a layer between the totals of two live seats: everybody has paid a share of it, and
    the seats that have paid it in full and have not folded can win it.

    Examples
    --------
    >>> layers([10, 30, 30, 20], [False, False, False, True])
    (Pot(chips=40, seats=(0, 1, 2)), Pot(chips=50, seats=(1, 2)))
    """
    live = [seat for seat in range(len(paid)) if not folded[seat]]
    pots, below = [], 0
    for level in sorted({paid[seat] for seat in live}):
        chips = sum(min(total, level) - min(total, below) for total in paid)
        if chips:
            pots.append(Pot(chips, tuple(seat for seat in live if paid[seat] >= level)))
        below = level
    return tuple(pots)


def winners(pot: Pot, strengths: Sequence[int]) -> tuple[int, ...]:
    """Return who has the strongest hand of those who can win `pot`."""
    best = max(strengths[seat] for seat in pot.seats)
    return tuple(seat for seat in pot.seats if strengths[seat] == best)


def payouts(pots: Iterable[Pot], strengths: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the chips that each seat takes out of the pots.

    Each pot is divided evenly among its winners; chips left over go one at a time to the winners
    in their order from the left of the button.

    Examples
    --------
    >>> payouts([Pot(11, (0, 1, 2))], [7, 7, 7], button=0)
    (3, 4, 4)
    """
    num_seats = len(strengths)
    taken = [0] * num_seats
    for pot in pots:
        takers = sorted(winners(pot, strengths), key=lambda seat: (seat - button - 1) % num_seats)
        share, odd = divmod(pot.chips, len(takers))
        for place, seat in enumerate(takers):
            taken[seat] += share + (place < odd)
    return tuple(taken)


@dataclass(frozen=True)
class HandState:
    """What was given, and what follows from the actions so far.

    All tuples but `deal` and `actions` have one entry a seat; chips are whole numbers.
    """

    structure: Structure
    starting_stacks: tuple[int, ...]  # before antes and blinds; 0 for a seat that is not dealt in
    button: int
    deal: tuple[int, ...]  # two cards for seat 0, for seat 1, and so on, then the five of the board
    number: int  # the hand's, in error messages
    actions: tuple[int, ...]  # all so far
    street: int  # 0 (preflop) to 3 (river); 3 after a showdown, even if the betting ended earlier
    actor: int | None  # whose turn it is; None when the hand is over
    stacks: tuple[int, ...]  # chips behind, without winnings and uncalled bets (see `payoffs`)
    bets: tuple[int, ...]  # put in during this betting round, blinds but not antes included
    paid: tuple[int, ...]  # put in during the whole hand
    folded: tuple[bool, ...]  # who cannot win any more
    answered: tuple[int, ...]  # the bet to match when it last acted in this round; -1 if it has not
    checked: tuple[bool, ...]  # who has checked in this round
    bet: int  # to match in this round; before the flop at least the big blind
    full_raise: int  # the size of the round's last full bet or raise; at first the smallest bet
    num_bets: int  # full bets and raises in this round; before the flop the big blind is the first
    capped: bool  # whether the cap has ended the raising of this round

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
        return tuple(seat for seat, folded in enumerate(self.folded) if not folded)

    @property
    def able(self) -> tuple[int, ...]:
        """The seats that have neither folded nor put in all their chips."""
        entries = zip(self.stacks, self.folded, strict=True)
        return tuple(seat for seat, (chips, folded) in enumerate(entries) if chips and not folded)

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
        """The main pot and the side pots, without the bets of a round under way."""
        out = self.uncalled if self.is_over else self.bets
        return layers([paid - back for paid, back in zip(self.paid, out, strict=True)], self.folded)

    @cached_property
    def strengths(self) -> tuple[int, ...]:
        """What everybody shows down, bigger is better; -1 after a fold, 0 for a seat that won unseen."""
        self._must_be_over()
        live = self.live
        shown = [FOLDED] * self.num_seats
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
        """What each seat has won, less what it has paid; shape (n,), in chips. They sum to 0."""
        self._must_be_over()
        taken = payouts(self.pots, self.strengths, self.button)
        entries = zip(taken, self.uncalled, self.paid, strict=True)
        return np.array([got + back - paid for got, back, paid in entries], dtype=np.int64)

    def _must_be_over(self) -> None:
        """Refuse where somebody is still to act."""
        if not self.is_over:
            raise GameError(
                f"hand {self.number} is not over: seat {self.actor} is to act. Payoffs and"
                " strengths are known when is_over."
            )
