"""The search of bucketed hold'em against the recursion, and against the same hand as a compiled game."""

import math
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import pytest

from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.holdem.betting_tree import AS_DRAWN, BETTINGS
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.solvers.beliefs import make_belief_tree
from pokerlab.solvers.tree_search import SearchSettings, search_best_response
from tests.oracles.bucketed_holdem import BucketedRules, value
from tests.random_bucketed import behavior_of, random_buckets, random_profile, remembered

ROUNDING = 1e-12  # of a few thousand additions of numbers up to 24
ERRORS = 4.0  # standard errors; one seed in 30,000 lies further out
WHOLE = SearchSettings(depth=None)
RUNS = 400


@pytest.mark.parametrize("betting", BETTINGS)
@pytest.mark.parametrize(("counts", "cap"), [((2, 3, 2, 2), 1), ((1, 2, 1, 2), 2)])
def test_the_whole_search_is_the_recursion(
    counts: tuple[int, int, int, int], cap: int, betting: str
) -> None:
    game = bucketed_limit_holdem(random_buckets(counts, seed=2), raise_cap=cap, betting=betting)
    profile = random_profile(game, 3)
    for player in range(2):
        found = game.search_best_response(profile, player, WHOLE, seed=1)
        rules = {"replies": True, "drawn": betting == AS_DRAWN}
        replies = value(game.buckets, cap, behavior_of(profile), player, **rules)
        assert found.value == pytest.approx(replies, rel=0, abs=ROUNDING)
        assert (found.variance, found.played) == (0.0, 0)


@pytest.fixture(scope="module")
def twice() -> tuple[BucketedHoldem, Any, SequenceForm, Profile]:
    """Return a bucketed game and a profile in it, and the same as a compiled game."""
    game = bucketed_limit_holdem(random_buckets((2, 2, 1, 2), seed=5), raise_cap=1)
    profile = random_profile(game, 6)
    compiled = compile_rules(BucketedRules(game.buckets, 1))
    return game, profile, compiled, remembered(profile, compiled)


def test_beliefs_in_hands_are_those_of_the_compiled_game(
    twice: tuple[BucketedHoldem, Any, SequenceForm, Profile],
) -> None:
    game, profile, compiled, same = twice
    for player in range(2):
        beliefs = make_belief_tree(compiled, player).compute_beliefs(same)
        found = game.search_best_response(profile, player, WHOLE, seed=1)
        assert found.value == pytest.approx(beliefs.value, rel=0, abs=ROUNDING)
        whole = search_best_response(beliefs, WHOLE, seed=1)
        assert (found.searched, whole.played) == (whole.searched, 0)


@pytest.mark.parametrize("depth", [1, 4, 6])
def test_playouts_in_hands_are_those_of_the_compiled_game(
    depth: int, twice: tuple[BucketedHoldem, Any, SequenceForm, Profile]
) -> None:
    game, profile, compiled, same = twice
    settings = SearchSettings(depth=depth, iterations=12, exploration=0.3)
    for player in range(2):
        beliefs = make_belief_tree(compiled, player).compute_beliefs(same)
        # Shares of a pot that are known for pairs of buckets narrow the range of payoffs.
        wider = 2.0 * float(game.tree.paid.max()) / beliefs.tree.payoff_range
        alike = replace(settings, exploration=settings.exploration * wider)
        general = [
            search_best_response(beliefs, alike, seed=7, index=(run, 0)) for run in range(RUNS)
        ]
        hands = [
            game.search_best_response(profile, player, settings, seed=7, index=(run, 0))
            for run in range(RUNS)
        ]
        assert hands[0][2:] == general[0][2:]
        means, errors = [], []
        for founds in (general, hands):
            values = [found.value for found in founds]
            means.append(fmean(values))
            errors.append(stdev(values))
            # A search that says by how much it may be off tells the size of what searches differ by.
            assert 0.5 < fmean(found.variance for found in founds) / errors[-1] ** 2 < 2.0
        assert abs(means[0] - means[1]) < ERRORS * math.hypot(*errors) / math.sqrt(RUNS)
