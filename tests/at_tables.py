"""Cash games and tournaments in one call, for tests that play many different ones."""

from typing import Any
from unittest import mock

from pokerlab.holdem import Placed, Played, Structure, ring_game, tournament
from pokerlab.holdem.table import cash_game
from pokerlab.holdem.tournaments import freezeout
from pokerlab.holdem.tournaments.schedule import Schedule


def cash(
    structure: Structure,
    players: Any,
    num_deals: Any,
    *,
    stacks: Any,
    lineups: Any = None,
    **how: Any,
) -> Played:
    """Play a cash game of as many seats as the first line-up has, or as there are players."""
    seats = how.pop("seats", None) or len(players if lineups is None else lineups[0])
    game = ring_game(structure, seats, stacks, **taken(RING, how))
    rows = how.pop("side_by_side", cash_game.SIDE_BY_SIDE)
    with mock.patch.object(cash_game, "SIDE_BY_SIDE", rows):
        return game.play(players, num_deals, lineups=lineups, **how)


def tournaments(schedule: Schedule, players: Any, lineups: Any, **how: Any) -> Placed:
    """Play tournaments of as many entrants as the first line-up has."""
    game = tournament(schedule, len(lineups[0]), **taken(FIELD, how))
    rows = how.pop("side_by_side", freezeout.TABLES_SIDE_BY_SIDE)
    with mock.patch.object(freezeout, "TABLES_SIDE_BY_SIDE", rows):
        return game.play(players, lineups, **how)


RING = ("stacks_carried", "duplicates", "same_deals", "won_from")
FIELD = ("seats", "stacks", "form", "aggressiveness", "duplicates", "most_hands")


def taken(names: tuple[str, ...], how: dict[str, Any]) -> dict[str, Any]:
    """Take what the game decides out of the options of a play."""
    return {name: how.pop(name) for name in names if name in how}
