"""A situation at a no-limit table in ten numbers, one for each slider, and what its seat to act sees."""

from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.table import view as table_view
from pokerlab.holdem.table.view import HIDDEN, MILLIONTHS, NUM_VIEW_WORDS, SeatView

OWN, BETTOR = 0, 1
"""Seats: who is to act, and who bets into it, on its left."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A player facing a bet, or nothing to call, with all seats taken.

    The player has put in nothing. The seat on its left has put `pot` chips into the pot, and bets `price` on top
    of it; with it some seats on its left have not folded.

    Attributes
    ----------
    win : float
        The player's chance to win against one random hand.
    pot : int
        Chips in the pot before the bet.
    price : int
        The bet. Who has less calls with all it has.
    opponents : int
        How many have not folded.
    own, others : int
        Chips behind of the player, and of each other seat.
    overall, recent : float
        Aggressiveness of every seat, the player's included.
    to_button : int
        After how many hands the player has the button.
    big_blind : int
        In chips.
    seats : int
        At the table.
    free_folds : bool
        Whether the rules allow to fold where nothing is owed.
    """

    win: float
    pot: int
    price: int
    opponents: int
    own: int
    others: int
    overall: float
    recent: float
    to_button: int
    big_blind: int
    seats: int
    free_folds: bool

    @property
    def view(self) -> SeatView:
        """What the player sees; without cards."""
        seats = self.seats
        words = np.zeros(NUM_VIEW_WORDS, np.int64)
        raised_to = max(2 * self.price, self.price + self.big_blind)
        can_raise = self.own > self.price
        values = {
            table_view.SEAT: OWN,
            table_view.SEATS: seats,
            table_view.BUTTON: (OWN - self.to_button) % seats,
            table_view.TO_CALL: min(self.price, self.own),
            table_view.CAN_FOLD: self.price > 0 or self.free_folds,
            table_view.MIN_RAISE_TO: min(raised_to, self.own) if can_raise else 0,
            table_view.MAX_RAISE_TO: self.own if can_raise else 0,
            table_view.BET: self.price,
            table_view.FULL_RAISE: max(self.price, self.big_blind),
            table_view.NUM_BETS: self.price > 0,
            table_view.BIG_BLIND: self.big_blind,
            table_view.POT: self.pot + self.price,
            table_view.BETS + BETTOR: self.price,
            table_view.PAID + BETTOR: self.pot + self.price,
        }
        words[list(values)] = list(values.values())
        words[table_view.HOLE : table_view.BOARD + 5] = HIDDEN
        words[table_view.STACKS : table_view.STACKS + seats] = self.others
        words[table_view.STACKS + OWN] = self.own
        words[table_view.LIVE : table_view.LIVE + 1 + self.opponents] = 1
        for first, mean in ((table_view.OVERALL, self.overall), (table_view.RECENT, self.recent)):
            words[first : first + seats] = round(mean * MILLIONTHS)
        return SeatView(words, 0.0)
