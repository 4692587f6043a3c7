"""A situation at a no-limit table, a number for each slider, and how likely a network does what there."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.table import view as table_view
from pokerlab.holdem.table.players import CompiledPlayer
from pokerlab.holdem.table.view import HIDDEN, MILLIONTHS, NUM_VIEW_WORDS, SeatView
from pokerlab.strategies import Activations, decision
from pokerlab.strategies.players.network_decision import (
    LARGEST,
    NUM_OUTPUTS,
    NetworkAnswer,
    action_of,
)
from pokerlab.workbench.pictures.text import percent

OWN, BETTOR = 0, 1
"""Seats: who is to act, and who bets into it, on its left."""
LEAST_NAMED = 0.005
"""Actions that are less likely than this are left out of a sentence."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A player facing a bet, or nothing to call, with all seats taken.

    The player has put in nothing. The seat on its left has put `pot` chips into the pot, and bets `price` on top
    of it; with it some seats on its left have not folded.
    """

    win: float  # the player's chance to win against one random hand
    pot: int  # chips in the pot before the bet
    price: int  # the bet. Who has less calls with all it has
    opponents: int  # how many have not folded
    own: int  # chips behind of the player
    others: tuple[int, ...]  # chips behind of the others, as they sit on the player's left
    overall: tuple[float, ...]  # aggressiveness of the player, and of the others in the same order
    recent: tuple[float, ...]
    to_button: int  # after how many hands the player has the button
    big_blind: int
    seats: int  # at the table
    free_folds: bool  # whether the rules allow to fold where nothing is owed

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
        words[table_view.STACKS : table_view.STACKS + seats] = self.own, *self.others
        words[table_view.LIVE : table_view.LIVE + 1 + self.opponents] = 1
        for first, means in ((table_view.OVERALL, self.overall), (table_view.RECENT, self.recent)):
            words[first : first + seats] = np.rint(np.multiply(means, MILLIONTHS))
        return SeatView(words, 0.0)


@dataclass(frozen=True, eq=False)
class NetworkDecision:
    """How a network decides once."""

    view: SeatView  # what it sees
    units: Activations  # its inputs, hidden units and outputs
    # what each output stands for here: FOLD, CALL, or the chips to raise to
    actions: tuple[int, ...]
    settings: NetworkAnswer

    @classmethod
    def of(
        cls, player: CompiledPlayer, view: SeatView, win: float | None = None
    ) -> "NetworkDecision":
        """Return the decision of a network, with its cards' chance to win, or with `win`."""
        units = decision(player, view, win)
        settings: NetworkAnswer = player.answer  # type: ignore[assignment]
        actions = tuple(
            action_of(settings, view.words, output, view.luck) for output in range(NUM_OUTPUTS)
        )
        return cls(view, units, actions, settings)

    @property
    def chances(self) -> Floats:
        """How likely each output decides, (5,): in proportion, or the largest always."""
        outputs = self.units.outputs.astype(np.float64)
        chances: Floats = outputs / outputs.sum()
        if self.settings.read_out == LARGEST:
            chances = np.zeros(NUM_OUTPUTS)
            chances[outputs.argmax()] = 1.0
        return chances

    @property
    def likely(self) -> dict[int, float]:
        """How likely each action is, the likeliest first; several outputs may stand for one action."""
        summed: dict[int, float] = defaultdict(float)
        for action, chance in zip(self.actions, self.chances.tolist(), strict=True):
            summed[action] += chance
        return dict(sorted(summed.items(), key=lambda each: -each[1]))

    def said(self, action: int) -> str:
        """Return an action in words: 'calls 20', 'raises to 60', 'bets 1,000, all-in'."""
        legal = self.view.legal
        behind = self.view.stacks[self.view.seat]
        if action == FOLD:
            return "folds"
        if action == CALL:
            if not legal.to_call:
                return "checks"
            return f"calls {legal.to_call:,}{', all-in' * (legal.to_call == behind)}"
        verb = "raises to" if max(self.view.bets) else "bets"
        return f"{verb} {action:,}{', all-in' * (action == legal.max_raise_to)}"

    def __str__(self) -> str:
        """Say what it does, the likeliest first: 'raises to 60 with 55%, folds with 45%'."""
        named = [
            f"{self.said(action)} with {percent(chance)}"
            for action, chance in self.likely.items()
            if chance >= LEAST_NAMED
        ]
        return "; ".join(named)
