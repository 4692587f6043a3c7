"""What a network does in a view, and how likely: its outputs, read out, as actions in chips."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.table.players import CompiledPlayer
from pokerlab.holdem.table.view import SeatView
from pokerlab.reference import network_decision
from pokerlab.strategies import Activations, decision
from pokerlab.strategies.players.network_decision import LARGEST, NUM_OUTPUTS, NetworkAnswer
from pokerlab.strategies.players.table_network import RAISE_UNITS
from pokerlab.workbench.text import percent

LEAST_NAMED = 0.005
"""Actions that are less likely than this are left out of a sentence."""


@dataclass(frozen=True, eq=False)
class NetworkDecision:
    """How a network decides once.

    Attributes
    ----------
    view : SeatView
        What it sees.
    units : Activations
        Its inputs, hidden units and outputs.
    actions : tuple of 5 int
        What each output stands for here: FOLD, CALL, or the chips to raise to.
    """

    view: SeatView
    units: Activations
    actions: tuple[int, ...]
    settings: NetworkAnswer

    @classmethod
    def of(
        cls, player: CompiledPlayer, view: SeatView, win: float | None = None
    ) -> "NetworkDecision":
        """Return the decision of a network, with its cards' chance to win, or with `win`.

        Raises
        ------
        SettingError
            If the player is not a network.
        """
        units = decision(player, view, win)
        settings: NetworkAnswer = player.answer  # type: ignore[assignment]
        actions = tuple(
            network_decision(
                np.eye(NUM_OUTPUTS)[output],
                view,
                read_out="largest",
                sizes=(settings.small_raise, settings.medium_raise, settings.large_raise),
                raise_unit=RAISE_UNITS[settings.raise_unit],
                free_folds=settings.free_folds,
            )
            for output in range(NUM_OUTPUTS)
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
        """Say what it does, the likeliest first: 'raises to 60 with 55 %, folds with 45 %'."""
        named = [
            f"{self.said(action)} with {percent(chance)}"
            for action, chance in self.likely.items()
            if chance >= LEAST_NAMED
        ]
        return "; ".join(named)
