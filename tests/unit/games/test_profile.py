"""Profiles: ways to make and to read them, and what they refuse."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import (
    FileFormatError,
    GameError,
    KindError,
    ProbabilityError,
    SettingError,
    ShapeError,
    UnknownNameError,
)
from pokerlab.games import Profile
from tests.refusals import refused

ROUNDING = 1e-15
KUHN = pl.games.kuhn()
PLAN = KUHN.uniform().plan(0)
BLUFF = {(0, "J"): {"bet": 1 / 3, "pass": 2 / 3}, (0, "K"): {"bet": 1.0}}


def test_a_table_names_probabilities_and_the_rest_is_uniform() -> None:
    profile = Profile.from_table(KUHN, BLUFF)
    assert profile.action_probabilities(0, "J") == {"pass": 2 / 3, "bet": 1 / 3}
    assert profile.action_probabilities(0, "K") == {"pass": 0.0, "bet": 1.0}
    assert profile.action_probabilities(1, "Q, bet") == {"pass": 0.5, "bet": 0.5}


def test_the_table_of_a_profile_makes_the_same_profile() -> None:
    profile = Profile.from_table(KUHN, BLUFF)
    table = profile.to_table()
    assert list(table) == list(KUHN.infoset_index)
    assert Profile.from_table(KUHN, table).probabilities.tolist() == profile.probabilities.tolist()


def test_probabilities_stand_player_after_player() -> None:
    vector = np.arange(1, 25) % 2
    profile = Profile(KUHN, vector)
    assert profile.get_behavior(0).tolist() == vector[:12].tolist()
    assert profile.get_behavior(1).tolist() == vector[12:].tolist()


def test_a_plan_multiplies_the_probabilities_on_the_way() -> None:
    profile = Profile.from_table(KUHN, {**BLUFF, (0, "J, pass-bet"): {"pass": 0.75, "bet": 0.25}})
    plan, tree = profile.plan(0), KUHN.make_treeplex(0)
    index = KUHN.find_infoset(0, "J, pass-bet")
    first = tree.first_sequence[index]
    assert plan[0] == 1.0
    assert plan[first : first + 2] == pytest.approx([2 / 3 * 0.75, 2 / 3 * 0.25], abs=ROUNDING)


def test_plans_make_the_profile_and_unreached_information_sets_are_uniform() -> None:
    profile = Profile.from_table(KUHN, {**BLUFF, (0, "K, pass-bet"): {"bet": 1.0}})
    again = Profile.from_plans(KUHN, [profile.plan(0), profile.plan(1)])
    assert again.action_probabilities(0, "J") == pytest.approx(
        profile.action_probabilities(0, "J"), abs=ROUNDING
    )
    assert again.action_probabilities(0, "K, pass-bet") == {
        "pass": 0.5,
        "bet": 0.5,
    }  # the king never passes first


def test_replacing_one_player_leaves_the_others() -> None:
    profile = KUHN.uniform().replace(1, [1.0, 0.0] * 6)
    assert profile.get_behavior(0).tolist() == [0.5] * 12
    assert profile.get_behavior(1).tolist() == [1.0, 0.0] * 6
    mixed = KUHN.uniform().replace(1, profile)
    assert mixed.probabilities.tolist() == profile.probabilities.tolist()


def test_a_profile_cannot_be_changed_and_copies_what_it_is_given() -> None:
    given = np.full(24, 0.5)
    profile = Profile(KUHN, given)
    given[0] = 1.0
    assert profile.probabilities[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        profile.probabilities[0] = 1.0


def with_one(position: int, value: float) -> Profile:
    vector = np.full(24, 0.5)
    vector[position] = value
    return Profile(KUHN, vector)


test_what_is_no_distribution_is_refused = refused(
    (lambda: Profile(KUHN, [0.5] * 23), ShapeError, "shape (23,); KP(2) needs (24,)"),
    (lambda: Profile(KUHN, np.full((2, 12), 0.5)), ShapeError, "shape (2, 12)"),
    (lambda: KUHN.uniform().replace(1, [0.5] * 11), ShapeError, "player 2 has shape (11,); KP(2)"),
    (lambda: Profile.from_plans(KUHN, [PLAN, PLAN[1:]]), ShapeError, "[(13,), (12,)]; KP(2) needs"),
    (lambda: Profile.from_plans(KUHN, [PLAN]), ShapeError, "[(13,)]; KP(2) needs [(13,), (13,)]"),
    *(
        (partial(with_one, position, value), ProbabilityError, words)
        for position, value, words in (
            (1, -0.1, "'bet' at 'J' of player 1 is -0.1; it must be from 0 to 1"),
            (0, float("nan"), "'pass' at 'J' of player 1 is nan; it must be"),
            (1, 0.48, "at 'J' of player 1 sum to 0.98, not 1. Normalize them first"),
            (23, 1.5, "at 'J, bet' of player 2 sum to 2, not 1"),
            (23, float("inf"), "at 'J, bet' of player 2 sum to inf, not 1"),
        )
    ),
    *(
        (partial(Profile.from_table, KUHN, table), UnknownNameError, words)
        for table, words in (
            ({(0, "J"): {"bets": 1.0}}, "no action at 'J' 'bets'; there are: pass, bet"),
            ({(0, "K, bet"): {"bet": 1.0}}, "of player 1 in KP(2) 'K, bet'"),
        )
    ),
    (
        lambda: KUHN.uniform().action_probabilities(1, "J"),
        UnknownNameError,
        "no information set of player 2",
    ),
)


def test_rounding_in_a_sum_is_allowed() -> None:
    vector = np.full(24, 0.5)
    vector[5] += 1e-12
    assert Profile(KUHN, vector).probabilities[5] == 0.5 + 1e-12


def test_a_profile_of_another_game_is_refused() -> None:
    other = pl.games.one_card_poker(4).uniform()
    message = r"profile belongs to 4-card poker, not to KP\(2\)"
    for ask in (KUHN.values, KUHN.gains, KUHN.nash_conv):
        with pytest.raises(GameError, match=message):
            ask(other)
    with pytest.raises(GameError, match=message):
        KUHN.best_response(other, 0)
    with pytest.raises(GameError, match=message):
        KUHN.uniform().replace(0, other)


@pytest.mark.parametrize("given", [None, {}, KUHN, pl.solvers.CFR(KUHN)])
def test_metrics_reject_what_is_no_profile(given: object) -> None:
    for ask in (KUHN.values, KUHN.nash_conv, lambda given: pl.metrics.epsilon(KUHN, given)):
        with pytest.raises(KindError, match=r"profile is a \w+; give a profile of KP\(2\)"):
            ask(given)


def test_a_profile_of_an_equal_game_is_taken() -> None:
    again = pl.games.compile_rules(KUHN.rules)
    assert again is not KUHN
    assert KUHN.nash_conv(again.uniform()) == KUHN.nash_conv(KUHN.uniform())


@pytest.mark.parametrize("player", [-1, 2])
def test_profile_rejects_unknown_player(player: int) -> None:
    profile = KUHN.uniform()
    for ask in (
        lambda: KUHN.best_response(profile, player),
        lambda: KUHN.make_treeplex(player),
        lambda: KUHN.payoff_matrix(player),
        lambda: profile.get_behavior(player),
        lambda: profile.plan(player),
        lambda: profile.replace(player, profile),
    ):
        with pytest.raises(
            SettingError, match=f"index in KP.2. is {player}; it must be an integer from 0 to 1"
        ):
            ask()


def test_csv_of_a_profile_is_read_back_exactly(tmp_path: Path) -> None:
    game = pl.games.kuhn(3)
    rng = np.random.default_rng(1)
    behavior = [rng.dirichlet(np.ones(len(actions))) for actions in game.action_label]
    profile = Profile(game, np.concatenate(behavior))
    path = profile.to_csv(tmp_path / "profile.csv")
    assert path.read_text(encoding="utf-8").startswith(
        "player,information set,action,probability\n1,J,"
    )
    assert np.array_equal(Profile.from_csv(game, path).probabilities, profile.probabilities)


def test_csv_that_leaves_out_information_sets_is_uniform_there(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("player,information set,action,probability\n1,J,bet,1\n", encoding="utf-8")
    read = Profile.from_csv(pl.games.kuhn(), path)
    assert read.action_probabilities(0, "J") == {"pass": 0.0, "bet": 1.0}
    assert read.action_probabilities(0, "K") == {"pass": 0.5, "bet": 0.5}


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("a,b\n1,2\n", FileFormatError, "give player, information set, action, probability"),
        ("player,information set,action,probability\n1,J,bet,x\n", FileFormatError, "line 2 of"),
        ("player,information set,action,probability\n1,J,bet\n", FileFormatError, "line 2 of"),
        (
            "player,information set,action,probability\n3,J,bet,1\n",
            FileFormatError,
            "player, 1 to 2",
        ),
        (
            "player,information set,action,probability\n1,J,bet,1\n1,J,bet,0\n",
            FileFormatError,
            "line 3 .* gives 'bet' at 'J' of player 1 a second",
        ),
        ("player,information set,action,probability\n1,J,bet,0.7\n", ProbabilityError, "not 1"),
        ("player,information set,action,probability\n1,J,fold,1\n", UnknownNameError, "fold"),
    ],
)
def test_csv_that_is_no_profile_raises_error_in_words(
    text: str, error: type[Exception], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=words):
        Profile.from_csv(pl.games.kuhn(), path)
