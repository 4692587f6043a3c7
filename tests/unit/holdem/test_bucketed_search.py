"""The tree search of bucketed hold'em: hands by hand, levels, settings."""

import math
from typing import Any

import numpy as np
import pytest

from pokerlab.core import GameError
from pokerlab.holdem.bucketed_holdem import BucketedProfile, bucketed_limit_holdem
from pokerlab.solvers.tree_search import SearchResult, SearchSettings
from tests.oracles.search import NEAR, average_of_playouts, claimed_to_seen
from tests.random_bucketed import random_buckets, random_profile, random_table
from tests.refusals import refused

GAME = bucketed_limit_holdem(random_buckets(3, seed=1), raise_cap=2)
WHOLE = SearchSettings(depth=None)
ROUNDING = 1e-12  # of some thousand additions of numbers up to 24
ERRORS = 4.0  # standard errors; one seed in 30,000 lies further out


def runs_of(
    count: int, *of: Any, seed: int, merged: bool = False, **settings: Any
) -> list[SearchResult]:
    """Return searches of a game, against a profile, by a player, that differ in their luck alone."""
    how = SearchSettings(**settings)
    return [
        of[0].search_best_response(*of[1:], how, merged=merged, seed=seed, index=(run, 0))
        for run in range(count)
    ]


@pytest.mark.slow
def test_full_search_equals_best_response() -> None:
    game = bucketed_limit_holdem(random_buckets(6, seed=2))
    profile = random_table(game, 3)
    for player in range(2):
        found = game.search_best_response(profile, player, WHOLE, seed=1)
        assert found.searched == 20_214_817
        exact = game.best_response(profile, player).value
        assert found.value == pytest.approx(exact, rel=0, abs=1e-10)  # of 20 million additions


def test_search_ignores_numbers_of_missing_buckets() -> None:
    game = bucketed_limit_holdem(random_buckets((1, 2, 2, 2)), raise_cap=1)
    profile = random_table(game, 1)
    table = profile.table.copy()
    table[[key.street == 0 for key in game.tree.situations], 1] = np.nan
    holes = BucketedProfile(game, table)
    found = game.search_best_response(holes, 1, WHOLE, seed=1)
    assert found.value == game.search_best_response(profile, 1, WHOLE, seed=1).value


def test_search_against_always_fold_wins_the_blinds() -> None:
    for settings in (WHOLE, SearchSettings(depth=1, iterations=200, exploration=1e-3)):
        folding = GAME.always_fold()
        founds = [GAME.search_best_response(folding, player, settings, seed=1) for player in (0, 1)]
        # Without the button one has won at once; with it one has to raise.
        assert founds[1].value == pytest.approx(0.5)
        assert founds[0].value <= 1.0 + ROUNDING
    assert GAME.search_best_response(GAME.always_fold(), 0, WHOLE, seed=1).value == pytest.approx(
        1.0
    )


def test_playouts_follow_equation_four() -> None:
    # One bucket, one bet a street, and the big blind bets whenever it may. On the river the button
    # has put in 4 of at most 6: it folds and loses these, or calls and splits the pot.
    game = bucketed_limit_holdem(random_buckets(1), raise_cap=1)
    for iterations in range(1, 300):
        # The first deal and ten steps lead to that choice; folding earlier costs half a bet or more.
        settings = SearchSettings(depth=10, iterations=iterations, exploration=0.4)
        found = game.search_best_response(game.always_raise(), 0, settings, seed=1)
        called = average_of_playouts([-4.0, 0.0], iterations, 0.4 * 2.0 * 6.0)
        assert found.value == pytest.approx(max(called, -0.5), abs=ROUNDING)


def test_search_with_more_playouts_finds_more() -> None:
    profile = random_table(GAME, 4)
    exact = GAME.best_response(profile, 1).value
    deficits = []
    for iterations in (100, 3000, 100_000):
        settings = {"depth": 1, "iterations": iterations, "exploration": 0.1}
        runs = runs_of(5, GAME, profile, 1, **settings, seed=6)
        deficits.append(exact - np.mean([run.value for run in runs]))
    assert deficits[0] > 1.5 * deficits[1] > 2.0 * deficits[2] > 0.0


def test_merged_search_of_all_levels_is_exact() -> None:
    profile = random_profile(GAME, 2)
    for player in range(2):
        found = GAME.search_best_response(profile, player, WHOLE, merged=True, seed=1)
        apart = GAME.search_best_response(profile, player, WHOLE, seed=1)
        assert found.value == pytest.approx(apart.value, rel=0, abs=ROUNDING)
        assert found.searched < apart.searched / 3


def test_merged_search_keeps_the_mean() -> None:
    profile = random_table(GAME, 4)
    # Choices above the playouts take the larger of noisy numbers, which shared luck makes noisier; with
    # these settings the choices are clear, so that the two means agree.
    settings = {"depth": 1, "iterations": 30, "exploration": 0.1, "seed": 7}
    apart, merged = (
        np.array([run.value for run in runs_of(400, GAME, profile, 0, **settings, merged=merged)])
        for merged in (False, True)
    )
    error = math.hypot(apart.std(ddof=1), merged.std(ddof=1)) / math.sqrt(len(apart))
    assert abs(apart.mean() - merged.mean()) < ERRORS * error


def test_merged_search_has_the_right_standard_error() -> None:
    # With so much exploration all actions are tried equally often, so playouts are nearly independent.
    game = bucketed_limit_holdem(random_buckets(3, seed=1), raise_cap=1)
    profile = random_table(game, 4)
    settings = {"depth": 6, "iterations": 30, "exploration": 1e3}
    founds = runs_of(400, game, profile, 1, **settings, merged=True, seed=8)
    ratio = claimed_to_seen((found.value, found.standard_error) for found in founds)
    assert NEAR[0] < ratio < NEAR[1]


def test_the_same_seed_gives_the_same_search() -> None:
    settings = SearchSettings(depth=2, iterations=5)
    profile = random_table(GAME, 4)
    first, again, other = (
        GAME.search_best_response(profile, 0, settings, seed=k) for k in (1, 1, 2)
    )
    assert first == again
    assert first.value != other.value
    assert first.standard_error == math.sqrt(first.variance) > 0.0


def test_deeper_search_visits_more_states() -> None:
    profile = random_table(GAME, 4)
    founds = [
        GAME.search_best_response(profile, 0, SearchSettings(depth=d, iterations=1), seed=1)
        for d in (1, 3, 6, 9, 30)
    ]
    assert [found.searched for found in founds] == sorted(found.searched for found in founds)
    whole = GAME.search_best_response(profile, 0, WHOLE, seed=1)
    assert founds[-1] == whole


OTHER = bucketed_limit_holdem(random_buckets(2))
test_bad_input_is_refused = refused(
    (lambda: GAME.search_best_response(GAME.uniform(), 2, WHOLE, seed=1), "player index in limit"),
    (
        lambda: GAME.search_best_response(GAME.uniform(), True, WHOLE, seed=1),
        "is True; it must be an",
    ),
    (lambda: GAME.search_best_response(OTHER.uniform(), 0, WHOLE, seed=1), GameError, "belongs to"),
    (lambda: GAME.search_best_response(GAME.uniform(), 0, WHOLE, seed=-1), "seed is -1"),
)
