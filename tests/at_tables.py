"""Cash games and tournaments in one call, for tests that play many different ones; and who watches them."""

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

from pokerlab.holdem import SeatView, cash_game, ring_game, tournament, tournament_game
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.cash_game import CashGameResult
from pokerlab.holdem.hand import CALL
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import STREET, Tables
from pokerlab.holdem.tournament_game import Schedule, TournamentResult


def cash(
    structure: Structure,
    players: Any,
    num_deals: Any,
    *,
    stacks: Any,
    lineups: Any = None,
    **how: Any,
) -> CashGameResult:
    """Play a cash game of as many seats as the first line-up has, or as there are players."""
    seats = how.pop("seats", None) or len(players if lineups is None else lineups[0])
    game = ring_game(structure, seats, stacks, **taken(RING, how))
    rows = how.pop("side_by_side", cash_game.SIDE_BY_SIDE)
    with mock.patch.object(cash_game, "SIDE_BY_SIDE", rows):
        return game.play(players, num_deals, lineups=lineups, **how)


def tournaments(schedule: Schedule, players: Any, lineups: Any, **how: Any) -> TournamentResult:
    """Play tournaments of as many entrants as the first line-up has."""
    game = tournament(schedule, len(lineups[0]), **taken(FIELD, how))
    rows = how.pop("side_by_side", tournament_game.TABLES_SIDE_BY_SIDE)
    with mock.patch.object(tournament_game, "TABLES_SIDE_BY_SIDE", rows):
        return game.play(players, lineups, **how)


RING = ("stacks_carried", "duplicates", "same_deals", "won_from")
FIELD = ("seats", "stacks", "form", "aggressiveness", "duplicates", "most_hands")


def taken(names: tuple[str, ...], how: dict[str, Any]) -> dict[str, Any]:
    """Take what the game decides out of the options of a play."""
    return {name: how.pop(name) for name in names if name in how}


def views_of(tables: Tables, asked: Rows) -> list[SeatView]:
    """Return what the seats see that are asked."""
    return [SeatView(tables.views[row].copy(), float(tables.uniforms[row])) for row in asked]


class DecidedAgain:
    """A watcher that decides everything again; it counts by street, and writes down what differs.

    Raises may differ by some chips of `rounding`.
    """

    def __init__(self, decide: Callable[[SeatView], int], rounding: int = 0) -> None:
        self.decide, self.rounding = decide, rounding
        self.decided, self.wrong = np.zeros(4, int), list[str]()

    def __call__(self, tables: Tables, asked: Rows) -> None:
        for view, action in zip(views_of(tables, asked), tables.actions[asked], strict=True):
            expected = self.decide(view)
            self.decided[view.words[STREET]] += 1
            if abs(expected - action) > self.rounding * (expected > CALL):
                self.wrong.append(f"{view} {expected}, not {action}")
