"""Bands of cards read each probability from its place, and their lines stand at the given shares of the deck."""

from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import SettingError
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.picture import Picture
from pokerlab.workbench.style import INK
from pokerlab.workbench.views.strategies import (
    MOST_CARDS_APART,
    CardsView,
    draw_card_band,
    list_card_bands,
)

NAMES = ("player 1 bets", "player 2 calls", "player 2 bets", "player 1 calls")
INFOSETS = {
    "player 1 bets": (0, "{}"),
    "player 2 calls": (1, "{}, bet"),
    "player 2 bets": (1, "{}, pass"),
    "player 1 calls": (0, "{}, pass-bet"),
}


def make_random_profile(game: games.SequenceForm) -> games.Profile:
    """Return a profile in which no two probabilities are alike."""
    rng = np.random.default_rng(3)
    return games.Profile(game, [p for k in game.num_actions for p in rng.dirichlet(np.ones(k))])


@pytest.mark.parametrize("ranks", [3, 13, 20])
def test_bands_of_one_card_poker_have_each_card_in_its_order(ranks: int) -> None:
    game = games.one_card_poker(ranks)
    profile = make_random_profile(game)
    bands = list_card_bands(game)
    assert tuple(band.name for band in bands) == NAMES
    cards = tuple(game.rules.get_card_name(card) for card in range(ranks))
    for band in bands:
        player, label = INFOSETS[band.name]
        assert band.cards == cards
        expected = [profile.action_probabilities(player, label.format(c))["bet"] for c in cards]
        assert draw_card_band(band, profile).values.tolist() == [expected]


@pytest.mark.parametrize(
    ("rules", "last"), [({"second_can_bet": False}, "pass"), ({"first_can_check": False}, "fold")]
)
def test_bands_without_a_second_bet_are_one_for_each_player(rules: dict, last: str) -> None:
    game = games.one_card_poker(5, **rules)
    profile = make_random_profile(game)
    first, second = list_card_bands(game)
    assert (first.name, second.name) == NAMES[:2]
    lowest = profile.action_probabilities(0, game.rules.get_card_name(0))
    assert list(lowest) == [last, "bet"]
    assert lowest["bet"] == profile.probabilities[first.index[0]]
    calls = [profile.action_probabilities(1, f"{card}, bet")["bet"] for card in second.cards]
    assert profile.probabilities[second.index].tolist() == calls


def test_bands_of_three_players_say_what_came_before() -> None:
    names = [band.name for band in list_card_bands(games.kuhn(3))]
    assert len(set(names)) == len(names) == 12
    assert "player 1 calls after check-bet-call" in names


@pytest.mark.parametrize("game", [games.leduc(), games.biased_rps()], ids=lambda game: game.name)
def test_bands_of_a_game_with_other_actions_are_refused(game: games.SequenceForm) -> None:
    with pytest.raises(SettingError, match="Pass one-card poker"):
        list_card_bands(game)


def test_thresholds_are_drawn_and_named_below_the_band() -> None:
    game = games.kuhn()
    band = list_card_bands(game)[0]
    panel = draw_card_band(band, game.uniform(), (0.1, 0.7))
    assert [words for _, words in panel.x.ticks or ()] == ["0", "0.1", "0.7", "1"]
    dashed = [curve.x.tolist() for curve in panel.curves if curve.look["color"] == INK]
    assert dashed == [[0.1, 0.1], [0.7, 0.7]]
    assert panel.title == "Player 1 bets 50.0% of 3 cards"


def test_threshold_at_an_end_takes_the_place_of_the_end() -> None:
    band = list_card_bands(games.kuhn())[0]
    panel = draw_card_band(band, games.kuhn().uniform(), (0.01,))
    assert [words for _, words in panel.x.ticks or ()] == ["0.01", "1"]


@pytest.mark.parametrize("ranks", [MOST_CARDS_APART, MOST_CARDS_APART + 1])
def test_gaps_stand_between_few_cards_only(ranks: int) -> None:
    game = games.one_card_poker(ranks)
    panel = draw_card_band(list_card_bands(game)[0], game.uniform())
    assert (panel.gap > 0) == (ranks == MOST_CARDS_APART)


@pytest.mark.parametrize(("ranks", "named"), [(3, ("card J", "card Q", "card K")), (14, ())])
def test_cards_that_are_numbers_are_counted_in_place_of_named(
    ranks: int, named: tuple[str, ...]
) -> None:
    game = games.one_card_poker(ranks)
    band = list_card_bands(game)[0]
    panel = draw_card_band(band, game.uniform())
    assert panel.columns == named
    assert panel.column_word == "card"
    if not named:
        assert band.cards == tuple(str(number) for number in range(1, ranks + 1))


def test_view_of_cards_shows_the_chosen_profile_with_its_own_lines_below_each_band() -> None:
    game = games.one_card_poker(13)
    state = SimpleNamespace(average=make_random_profile(game), last_iterate=game.uniform())
    frame = SimpleNamespace(state=state)
    view = CardsView(find_thresholds=lambda game: {"player 2 bets": (1 / 6, 1 / 2)})
    assert view.list_choices(frame) == {"on average": "average", "now": "last_iterate"}
    strip = view.draw(frame, "average")
    assert tuple(strip.numbers) == NAMES
    first = list_card_bands(game)[0]
    assert strip.numbers[first.name].tolist() == [state.average.probabilities[first.index].tolist()]
    assert view.draw(frame, "last_iterate").numbers[first.name].tolist() == [[0.5] * 13]
    made = paint_picture(Picture((strip,)))
    shown = [
        [
            tick.label1.get_text()
            for tick in axes.xaxis.get_major_ticks()
            if tick.label1.get_visible()
        ]
        for axes in made.axes
    ]
    assert shown == [[], [], ["0", "0.167", "0.5", "1"], ["0", "1"]]
