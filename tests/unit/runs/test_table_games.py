"""Ring games and tournaments are games: a solver of them runs, is checkpointed, resumes and is refused."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.holdem import (
    RANDOM,
    Aggressiveness,
    limit,
    make_doubling_schedule,
    no_limit,
    ring_game,
    tournament,
)
from pokerlab.holdem.cash_game import RingGame
from pokerlab.holdem.tournament_game import Tournament
from pokerlab.runs.history import convert_to_json_value, describe_provenance

STRUCTURE = limit(4, ante=1)
BLINDS = make_doubling_schedule(no_limit(5, 10), 4, chips=3000)


GAME = ring_game(limit(4, ante=1), seats=3, stacks=100)


def test_fingerprints_tell_games_apart_and_only_those() -> None:
    games = [
        ring_game(STRUCTURE, 3, 100),
        ring_game(replace(STRUCTURE, ante=2), 3, 100),
        ring_game(limit(4), 3, 100),
        ring_game(limit(4), 4, 100),
        ring_game(limit(4), 3, [100, 100, 99]),
        ring_game(limit(4), 3, 100, stacks_carried=True),
        ring_game(limit(4), 3, 100, duplicates=True),
        ring_game(limit(4), 3, 100, same_deals=True),
        tournament(BLINDS, 3, 3, 100),
        tournament(make_doubling_schedule(no_limit(5, 10), 5, chips=3000), 3, 3, 100),
        tournament(BLINDS, 3, 3, 99),
        tournament(BLINDS, 9, 3, 100),
        tournament(BLINDS, 9, 4, 100),
        tournament(BLINDS, 9, 3, 100, form="smallest broken"),
        tournament(BLINDS, 3, 3, 100, duplicates=True),
        tournament(BLINDS, 3, 3, 100, most_hands=20),
        tournament(BLINDS, 3, 3, 100, most_hands=30),
        tournament(BLINDS, 9, 3, 100, aggressiveness=Aggressiveness()),
        tournament(BLINDS, 9, 3, 100, aggressiveness=Aggressiveness(window=9)),
    ]
    assert len({game.fingerprint for game in games}) == len(games)
    same = ring_game(limit(np.int64(4)), np.int64(3), np.array([100] * 3))  # type: ignore[arg-type]
    assert same == games[2]
    assert same.fingerprint == games[2].fingerprint
    blinds = make_doubling_schedule(no_limit(5, 10), np.int64(4), chips=3000)  # type: ignore[arg-type]
    assert tournament(blinds, 3, 3, 100).fingerprint == games[8].fingerprint


def test_every_table_is_a_game_for_provenance() -> None:
    class Nothing:
        def __init__(self, game: RingGame | Tournament) -> None:
            self.game, self.also = game, game

    for game in (GAME, tournament(BLINDS, 3, 3)):
        about = describe_provenance(Nothing(game))
        assert json.loads(json.dumps(about))["parameters"] == {"also": convert_to_json_value(game)}
        assert str(game.unit) in ("chips", "ranks")
        assert game.num_seats == 3


REFUSED: list[tuple[Any, str]] = [
    (lambda: ring_game(limit(2), seats=1), "number of seats is 1; it must be an integer from 2"),
    (lambda: ring_game(limit(2), seats=11), "number of seats is 11"),
    (lambda: ring_game(limit(2), seats=3, stacks=[5, 5]), "for 2 seats; there are 3"),
    (lambda: ring_game(BLINDS), "give a Structure, such as"),  # type: ignore[arg-type]
    (lambda: tournament(limit(2)), "give a Schedule, such as"),  # type: ignore[arg-type]
    (
        lambda: tournament(BLINDS, entrants=7, seats=10),
        "7 entrants do not fill a table of 10 seats",
    ),
    (lambda: tournament(BLINDS, 1000), "stops rising at 5,120, below the 1,000,000 chips of all"),
    (
        lambda: tournament(make_doubling_schedule(no_limit(5, 10), 1001, chips=3000), 3, 3),
        r"10 levels of 1,001 hands are 10,010 hands; after 10,000 .* at most 1,000 hands a level",
    ),
    (
        lambda: tournament(BLINDS, 3, 3, aggressiveness=3),  # type: ignore[arg-type]
        "aggressiveness is 3; give None, or an Agg",
    ),
    (lambda: tournament(BLINDS, 12, 3, 10**15), "chips of all seats together is 12000"),
    (lambda: tournament(BLINDS, entrants=11, seats=11), "seats is 11; it must be"),
    (lambda: GAME.play([RANDOM] * 4, 5, seed=1), "4 players are given for 3 seats; give 3 players"),
    (
        lambda: GAME.play([RANDOM] * 4, 5, seed=1, lineups=[[0, 1]]),
        "lineups have 2 players a table; the game has 3 seats",
    ),
    (
        lambda: tournament(BLINDS, 3, 3).play([RANDOM] * 3, [[0, 1]], seed=1),
        "lineups have 2 players a table; the game has 3 seats",
    ),
]


@pytest.mark.parametrize(("made", "message"), REFUSED)
def test_refuses_games_that_no_table_can_hold(made: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        made()


def test_refuses_forms_by_their_names() -> None:
    with pytest.raises(UnknownNameError, match="no form 'heads-up'; there are: refilled, smallest"):
        tournament(BLINDS, 3, 3, form="heads-up")
