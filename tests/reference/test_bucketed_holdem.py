"""Bucketed hold'em by plain recursion beside the fast sweeps."""

from functools import partial

import pytest

from pokerlab.holdem import BucketedProfile, betting_tree, bucketed_limit_holdem
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from tests import random_bucketed
from tests.oracles.bucketed_holdem import value

ROUNDING = 1e-12  # of a few thousand additions of numbers up to 24
TINY = [((2, 3, 2, 2), 1), ((1, 2, 1, 2), 2), ((2, 1, 2, 1), 2), ((1, 1, 1, 2), 3)]


def close(number: float) -> object:
    return pytest.approx(number, rel=0, abs=ROUNDING)


@pytest.mark.parametrize("betting", betting_tree.BETTINGS)
@pytest.mark.parametrize("form", [random_bucketed.random_table, random_bucketed.random_profile])
@pytest.mark.parametrize(("counts", "cap"), TINY)
def test_values_and_replies_are_those_of_the_recursion(
    counts: tuple[int, int, int, int], cap: int, form: object, betting: str
) -> None:
    game = bucketed_limit_holdem(
        random_bucketed.random_buckets(counts, seed=2), raise_cap=cap, betting=betting
    )
    by_rules = partial(value, game.buckets, cap, drawn=betting == betting_tree.AS_DRAWN)
    assert callable(form)
    profile: BucketedProfile = form(game, 3)
    behavior = random_bucketed.behavior_of(profile)
    best = game.best_values(profile)
    for player in range(2):
        follows = by_rules(behavior, player, replies=False)
        assert game.values(profile)[player] == close(follows)
        replies = by_rules(behavior, player, replies=True)
        assert best[player] == close(replies)
        check_reply(game, profile, player, replies)
    assert game.nash_conv(profile) == close(best.sum())
    assert game.gains(profile) == pytest.approx(best - game.values(profile), abs=ROUNDING)


def check_reply(game: BucketedHoldem, profile: BucketedProfile, player: int, wins: float) -> None:
    reply = game.best_response(profile, player)
    assert reply.value == close(wins)
    assert game.values(reply.profile)[player] == close(wins)
    checked = BucketedProfile(game, reply.profile.table, reply.profile.pointer)
    mine = game.tree.actor[game.tree.decision_node] == player
    assert (checked.decision_probabilities[~mine] == profile.decision_probabilities[~mine]).all()


@pytest.mark.slow
def test_the_whole_tree_with_two_buckets_before_the_flop_is_that_of_the_recursion() -> None:
    game = bucketed_limit_holdem(random_bucketed.random_buckets((2, 1, 1, 1), seed=4))
    profile = random_bucketed.random_profile(game, 5)
    behavior = random_bucketed.behavior_of(profile)
    for player in range(2):
        wins = value(game.buckets, 4, behavior, player, replies=True)
        assert game.best_values(profile)[player] == close(wins)
