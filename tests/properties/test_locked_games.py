"""Laws of locked games: they are worth what the game is worth if the locked choices stay as they are."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pokerlab as pl
from pokerlab import solvers
from pokerlab.core import GameError
from pokerlab.games import Profile, SequenceForm, lock_infosets, unlock_profile
from tests.random_games import Played, games_with_behavior, random_profile

ROUNDING = 1e-9
MOST_REPLIES = 3000
Keys = list[tuple[int, str]]


@st.composite
def locks(draw: st.DrawFn) -> tuple[Played, Keys]:
    """Draw a random game with a behavior, and some of its information sets."""
    played = draw(games_with_behavior())
    keys = [*played.game.infoset_index]
    assume(keys)
    return played, draw(st.lists(st.sampled_from(keys), min_size=1, unique=True))


@given(locks())
def test_it_is_worth_what_the_game_is_worth_with_the_locked_choices(drawn: Any) -> None:
    played, keys = drawn
    game = lock_infosets(played.game, played.profile, keys)
    profile = random_profile(game, seed=1)
    whole = unlock_profile(profile)
    assert whole.game is played.game
    assert game.values(profile) == pytest.approx(played.game.values(whole), abs=ROUNDING)
    for key, sigma in whole.to_table().items():
        expected = profile if key in game.infoset_index else played.profile
        assert sigma == expected.action_probabilities(*key)


@given(locks())
def test_a_best_response_is_the_best_that_the_unlocked_choices_can_do(drawn: Any) -> None:
    """By trying all pure strategies of the game with nothing locked."""
    played, keys = drawn
    game = lock_infosets(played.game, played.profile, keys)
    profile = random_profile(game, seed=2)
    whole = unlock_profile(profile)
    for player in range(game.num_players):
        own = {k: v for k, v in played.game.infoset_index.items() if k[0] == player}
        free = [key for key in own if key not in keys]
        actions = [played.game.action_label[own[key]] for key in free]
        assume(np.prod([len(some) for some in actions]) <= MOST_REPLIES)
        best = max(
            reply_value(whole, dict(zip(free, chosen, strict=True)), player)
            for chosen in product(*actions)
        )
        found = game.best_response(profile, player).value
        assert found == pytest.approx(best, abs=ROUNDING)


def reply_value(profile: Profile, chosen: dict[tuple[int, str], str], player: int) -> float:
    table = profile.to_table() | {key: {action: 1.0} for key, action in chosen.items()}
    return float(profile.game.values(Profile.from_table(profile.game, table))[player])


KUHN, LEDUC = pl.games.kuhn(), pl.games.leduc(isomorphic=True)
LOCKED = {
    "two information sets": lock_infosets(KUHN, KUHN.uniform(), [(1, "J, pass"), (0, "Q")]),
    "player 1": lock_infosets(KUHN, KUHN.uniform(), 0),
    "player 2": lock_infosets(KUHN, KUHN.uniform(), 1),
}
SOME_OF_LEDUC = lock_infosets(LEDUC, LEDUC.uniform(), [(1, "K, check"), (0, "J")])


@pytest.mark.parametrize("game", [*LOCKED.values(), SOME_OF_LEDUC], ids=lambda game: game.name)
def test_the_linear_program_finds_an_equilibrium(game: SequenceForm) -> None:
    solution = solvers.SequenceFormLP(game).solve()
    assert solution.nash_conv < ROUNDING
    assert game.values(solution.profile)[0] == pytest.approx(solution.value, abs=ROUNDING)
    assert pl.metrics.epsilon(game, solution.profile) < ROUNDING


def test_a_locked_game_can_be_locked_again() -> None:
    table = {(1, "J, pass"): {"pass": 1.0}, (0, "J"): {"bet": 1.0}}
    habits = Profile.from_table(KUHN, table)
    once = lock_infosets(KUHN, habits, [*table])
    first = lock_infosets(KUHN, habits, [(1, "J, pass")])
    twice = lock_infosets(first, Profile.from_table(first, {(0, "J"): {"bet": 1.0}}), [(0, "J")])
    assert twice.name == "KP(2), locked: player 2 at 'J, pass', locked: player 1 at 'J'"
    value = solvers.SequenceFormLP(once).solve().value
    assert solvers.SequenceFormLP(twice).solve().value == pytest.approx(value, abs=ROUNDING)
    assert unlock_profile(unlock_profile(twice.uniform())).game is KUHN


def test_only_a_locked_game_has_something_to_unlock() -> None:
    with pytest.raises(GameError, match=r"KP\(2\) has nothing locked"):
        unlock_profile(KUHN.uniform())
