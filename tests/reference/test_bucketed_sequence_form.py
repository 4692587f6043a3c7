"""Bucketed hold'em against the same game by its rules, compiled, whose players forget nothing."""

import math
from functools import cache

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.holdem import BucketedCFR
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.solvers import CFR, CFRPlus
from pokerlab.solvers.cfr import RegretSchedule
from tests.oracles.bucketed_holdem import BucketedRules
from tests.random_bucketed import random_buckets, remembered

TINY = [((2, 2, 1, 2), 1), ((1, 2, 1, 2), 2), ((2, 1, 1, 2), 2)]
ROUNDING = 1e-12
ITERATIONS = 30


@cache
def compiled(counts: tuple[int, int, int, int], cap: int) -> tuple[BucketedHoldem, SequenceForm]:
    buckets = random_buckets(counts, seed=6)
    game = bucketed_limit_holdem(buckets, raise_cap=cap)
    return game, compile_rules(BucketedRules(buckets, cap))


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize(("counts", "cap"), TINY)
def test_forgetting_buckets_changes_nothing_that_regrets_lead_to(
    counts: tuple[int, int, int, int], cap: int, plus: bool
) -> None:
    holdem, game = compiled(counts, cap)
    ours = (
        BucketedCFR(holdem)
        if plus
        else BucketedCFR(holdem, schedule=RegretSchedule(math.inf, math.inf, 0.0, 0.0))
    )
    theirs = CFRPlus(game) if plus else CFR(game)
    state, other = ours.step(ours.init(), ITERATIONS), theirs.step(theirs.init(), ITERATIONS)
    same = remembered(state.current, game)
    assert same.probabilities == pytest.approx(other.current.probabilities, abs=1e-9)
    # Averages differ where buckets are forgotten, but not in what they win.
    average = remembered(state.average, game)
    luck = random_stream(1, "opponents")
    for player in range(2):
        for _ in range(3):
            weights = luck.exponential(size=game.num_probabilities)
            sums = np.add.reduceat(weights, game.first_sequence - 2)
            opponent = Profile(game, weights / np.repeat(sums, game.num_actions))
            wins = [
                game.values(opponent.replace(player, mine))[player]
                for mine in (average, other.average)
            ]
            assert wins[0] == pytest.approx(wins[1], abs=1e-9)
