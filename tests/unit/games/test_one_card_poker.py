"""The settings of one-card poker: Kuhn's, von Neumann's and Borel's games, and their known solutions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.games import SequenceForm

VON_NEUMANN = {"second_can_bet": False}
BOREL = {"second_can_bet": False, "first_can_check": False}


def list_situations(game: SequenceForm, player: int) -> dict[str, tuple[str, ...]]:
    """Return the actions in each situation of a player with the card '7'."""
    labels = [label for owner, label in game.infoset_index if owner == player]
    return {label: game.find_action_slice(player, label)[1] for label in labels if label[0] == "7"}


def test_one_card_poker_by_default_is_kuhn_poker() -> None:
    kuhn, game = pl.games.kuhn(), pl.games.one_card_poker(3)
    assert game.infoset_label == kuhn.infoset_label
    assert game.sequence.tolist() == kuhn.sequence.tolist()
    assert game.payoff.tolist() == kuhn.payoff.tolist()


def test_von_neumann_poker_has_one_decision_for_each_player() -> None:
    game = pl.games.one_card_poker(8, **VON_NEUMANN)
    assert list_situations(game, 0) == {"7": ("pass", "bet")}
    assert list_situations(game, 1) == {"7, bet": ("pass", "bet")}
    assert game.num_histories_ended == 3 * 8 * 7


def test_borel_poker_folds_instead_of_checking() -> None:
    game = pl.games.one_card_poker(8, **BOREL)
    assert list_situations(game, 0) == {"7": ("fold", "bet")}
    assert list_situations(game, 1) == {"7, bet": ("pass", "bet")}
    folds = pl.games.Profile.from_table(
        game, {(0, label): {"fold": 1.0} for owner, label in game.infoset_index if owner == 0}
    )
    assert game.values(folds) == pytest.approx([-1.0, 1.0])


def test_borel_poker_does_not_depend_on_the_second_players_bet() -> None:
    with_bet = pl.games.one_card_poker(8, first_can_check=False)
    assert with_bet.fingerprint == pl.games.one_card_poker(8, **BOREL).fingerprint


@pytest.mark.parametrize("settings", [{}, VON_NEUMANN, BOREL])
@pytest.mark.parametrize("bet", [Fraction(1, 2), 1, 3])
def test_one_card_poker_pays_one_ante_and_one_bet(settings: Any, bet: Any) -> None:
    game = pl.games.one_card_poker(5, bet=bet, **settings)
    called = 1 + float(bet)
    assert game.utility_range.tolist() == [[-called, called]] * 2
    won = game.payoff[game.payoff[:, 0] > 1.001, 0]  # more than an ante, with a bet that was called
    assert won == pytest.approx(np.full(won.size, called))


def test_bets_that_are_equal_make_the_same_game() -> None:
    game = pl.games.one_card_poker(5, bet=Fraction(1, 2))
    assert pl.games.one_card_poker(5, bet=0.5) is game
    assert game.name == "5-card poker, bet 1/2"


@pytest.mark.parametrize("bet", [0.5, 1, 2])
def test_von_neumann_poker_has_the_value_of_the_unit_interval(bet: float) -> None:
    """The value B / ((B + 1) (B + 4)) is von Neumann's, for hands that are numbers from 0 to 1."""
    game = pl.games.one_card_poker(50, bet=bet, **VON_NEUMANN)
    value = pl.solvers.SequenceFormLP(game).solve().value
    assert value == pytest.approx(bet / ((bet + 1) * (bet + 4)), abs=2e-4)


@pytest.mark.parametrize("bet", [0.5, 1, 2])
def test_borel_poker_has_the_value_of_the_unit_interval(bet: float) -> None:
    """The value -(B / (B + 2))^2 is Borel's. The error of n cards is a multiple of 1 / n, which cancels in 2 w - v."""
    value, of_twice_as_many = (
        pl.solvers.SequenceFormLP(pl.games.one_card_poker(ranks, bet=bet, **BOREL)).solve().value
        for ranks in (50, 100)
    )
    assert 2 * of_twice_as_many - value == pytest.approx(-((bet / (bet + 2)) ** 2), abs=5e-4)


def test_first_player_bets_with_the_best_and_the_worst_hands() -> None:
    """With a bet of one ante von Neumann's first player bets below 1/10 and above 7/10."""
    game = pl.games.one_card_poker(50, **VON_NEUMANN)
    solution = pl.solvers.SequenceFormLP(game).solve().profile
    bets = [
        solution.action_probabilities(0, game.rules.get_card_name(card))["bet"]  # type: ignore[attr-defined]
        for card in range(50)
    ]
    assert bets == pytest.approx([1.0] * 5 + [0.0] * 30 + [1.0] * 15, abs=1e-6)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"bet": 0}, r"bet is 0; it must be a number from 0\.001 to 1,?000"),
        ({"bet": "1"}, "bet is '1'; it must be a number"),
        ({"bet": True}, "bet is True; it must be a number"),
        ({"second_can_bet": 0}, "second_can_bet is 0; it must be True or False"),
        ({"first_can_check": None}, "first_can_check is None; it must be True or False"),
    ],
)
def test_one_card_poker_rejects_wrong_settings(setting: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        pl.games.one_card_poker(5, **setting)
