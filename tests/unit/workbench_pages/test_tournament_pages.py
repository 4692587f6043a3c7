"""A tournament in the notebook: every round drawn with all tables, stacks, who is out and who moves."""

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.holdem import ALWAYS_FOLD, RANDOM, make_doubling_schedule, no_limit, tournament
from pokerlab.holdem.tournament_game import Round, TournamentResult
from pokerlab.workbench import watch_tournament
from pokerlab.workbench.explorers.tournament import draw_round_of_tables
from pokerlab.workbench.live.explorer import Explorer


def recorded(num_entrants: int, num_seats: int, most_hands: int = 1000) -> TournamentResult:
    blinds = make_doubling_schedule(no_limit(5, 10), 5, chips=300 * num_entrants)
    players = [RANDOM, ALWAYS_FOLD] * ((num_entrants + 1) // 2)
    game = tournament(blinds, num_entrants, num_seats, 300, most_hands=most_hands)
    return game.play(players, np.arange(num_entrants)[None], seed=1, record=True)


@pytest.fixture(scope="module")
def placed() -> TournamentResult:
    return recorded(23, 5)


@pytest.fixture
def explorer(placed: TournamentResult) -> Iterator[Explorer[Round]]:
    made = watch_tournament(placed, follow=[2])
    yield made
    made.close()


def test_draws_every_round_with_its_stacks_and_who_is_out(placed: TournamentResult) -> None:
    out, moves = 0, 0
    for played in placed.replay_rounds(0):
        drawn = draw_round_of_tables(played)
        elements = ElementTree.fromstring(drawn._repr_svg_()).iter()
        words = [element.text for element in elements if element.text]
        assert f"table {len(played.tables)}" in words
        assert f"table {len(played.tables) + 1}" not in words
        assert sum(word.endswith("×") for word in words) == len(played.out)
        assert sum(word.endswith("↗") for word in words) == len(played.moves)
        assert words.count("B") == len(played.tables)
        lines = str(drawn).splitlines()
        assert len(lines) == 1 + len(played.tables)
        for line, table in zip(lines[1:], played.tables, strict=True):
            for entrant, chips in zip(table.entrants, table.stacks_after, strict=True):
                if entrant >= 0:
                    assert f"entrant {entrant} {f'{chips:,}' if chips else 'out'}" in line
        out, moves = out + len(played.out), moves + len(played.moves)
    assert out == 22
    assert moves > 10


def test_a_slider_goes_through_the_rounds(
    explorer: Explorer[Round], placed: TournamentResult
) -> None:
    rounds, slider = [*placed.replay_rounds(0)], explorer.rows["round"]
    assert slider.max == len(rounds) == placed.rounds[0, 0]
    assert explorer.buttons["Back"].disabled
    first = str(explorer.picture)
    explorer.buttons["On"].click()
    assert slider.value == 2
    assert str(explorer.picture) != first
    assert str(explorer.picture).startswith("round 2, blinds 5/10")
    assert "random" in str(explorer.picture)
    slider.value = slider.max
    assert explorer.buttons["On"].disabled
    explorer.press_button("On")
    assert explorer.reading.number == rounds[-1].number
    assert "Black: the players followed." in explorer.picture.caption


def test_refuses_what_was_not_recorded_or_is_not_there(placed: TournamentResult) -> None:
    with pytest.raises(SettingError, match="an entrant to follow is 23; it must be"):
        watch_tournament(placed, follow=[23])
    with pytest.raises(SettingError, match="tournament is 1; it must be an integer from 0 to 0"):
        watch_tournament(placed, 1)
