"""The search of bucketed hold'em against the recursion, and against the same hand as a compiled game."""

import math
from dataclasses import replace
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest

from pokerlab.core import SMALL_BETS
from pokerlab.games import (
    Chance,
    Decision,
    Profile,
    SequenceForm,
    Terminal,
    compile_rules,
)
from pokerlab.games.rules import Turn
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.solvers.belief.belief_tree import belief_tree
from pokerlab.solvers.belief.search import SearchSettings, bucketed_search, search
from tests.bucketed_profiles import behavior_of, random_profile
from tests.oracles.bucketed_holdem import BETS, Betting, position, value
from tests.random_buckets import random_buckets

ROUNDING = 1e-12  # of a few thousand additions of numbers up to 24
ERRORS = 4.0  # standard errors; one seed in 30,000 lies further out
WHOLE = SearchSettings(depth=None)
RUNS = 400


@pytest.mark.parametrize(("counts", "cap"), [((2, 3, 2, 2), 1), ((1, 2, 1, 2), 2)])
def test_the_whole_search_is_the_recursion(counts: tuple[int, int, int, int], cap: int) -> None:
    game = bucketed_limit_holdem(random_buckets(counts, seed=2), raise_cap=cap)
    profile = random_profile(game, 3)
    for player in range(2):
        found = bucketed_search(game, profile, player, WHOLE, seed=1)
        replies = value(game.buckets, cap, behavior_of(profile), player, replies=True)
        assert found.value == pytest.approx(replies, rel=0, abs=ROUNDING)
        assert (found.variance, found.played) == (0.0, 0)


class Hand(NamedTuple):
    """Buckets of both seats, street by street, and the betting."""

    own: tuple[tuple[int, int], ...]
    betting: Betting


class BucketRules:
    """Bucketed hold'em with one bet a street by the general rules of small games."""

    name, num_players, zero_sum, unit = "bucketed hold'em", 2, True, SMALL_BETS

    def __init__(self, game: BucketedHoldem) -> None:
        self.buckets = game.buckets

    def start(self) -> Hand:
        return Hand((), ((),))

    def turn(self, history: Hand) -> Turn:
        own, betting = history
        at = position(betting, 1)
        if at.folded:
            lost = Fraction(at.paid[1 - at.seat])
            return Terminal((lost, -lost) if at.seat == 0 else (-lost, lost))
        street = len(betting) - 1
        if at.over and street == len(BETS) - 1:
            share = 2 * Fraction(float(self.buckets.showdown[own[-1]])) - 1
            won = share * Fraction(at.paid[0])
            return Terminal((won, -won))
        if at.over or len(own) == street:
            return Chance(self.deals(own[-1] if own else None, len(own)))
        seen = "".join(str(pair[at.seat]) for pair in own)
        bets = " ".join("".join(action[0] for action in actions) for actions in betting)
        return Decision(at.seat, f"{seen} {bets}", at.actions)

    def deals(self, last: tuple[int, int] | None, street: int) -> dict[str, Fraction]:
        rows = [
            self.buckets.start if last is None else self.buckets.transitions[street - 1][bucket]
            for bucket in last or (0, 0)
        ]
        chances = {
            f"{i}{j}": Fraction(float(p)) * Fraction(float(q))
            for i, p in enumerate(rows[0])
            for j, q in enumerate(rows[1])
        }
        total = sum(chances.values())
        return {deal: chance / total for deal, chance in chances.items()}

    def after(self, history: Hand, action: str) -> Hand:
        own, betting = history
        if action[0].isdigit():
            begun = betting if not own else (*betting, ())
            return Hand((*own, (int(action[0]), int(action[1]))), begun)
        return Hand(own, (*betting[:-1], (*betting[-1], action)))


@pytest.fixture(scope="module")
def twice() -> tuple[BucketedHoldem, Any, SequenceForm, Profile]:
    """Return a bucketed game and a profile in it, and the same as a compiled game."""
    game = bucketed_limit_holdem(random_buckets((2, 2, 1, 2), seed=5), raise_cap=1)
    profile = random_profile(game, 6)
    compiled = compile_rules(BucketRules(game))
    behavior = behavior_of(profile)
    words = {"f": "fold", "c": "call", "r": "raise"}
    table = {}
    for player, label in compiled.infoset_index:
        seen, *streets = label.split(" ")
        betting = tuple(tuple(words[letter] for letter in actions) for actions in streets)
        chosen = behavior(player, betting, int(seen[-1]))
        table[player, label] = {action: p for action, p in chosen.items() if p > 0.0}
    return game, profile, compiled, Profile.from_table(compiled, table)


def test_beliefs_in_hands_are_those_of_the_compiled_game(
    twice: tuple[BucketedHoldem, Any, SequenceForm, Profile],
) -> None:
    game, profile, compiled, same = twice
    for player in range(2):
        beliefs = belief_tree(compiled, player).against(same)
        found = bucketed_search(game, profile, player, WHOLE, seed=1)
        assert found.value == pytest.approx(beliefs.value, rel=0, abs=ROUNDING)
        whole = search(beliefs, WHOLE, seed=1)
        assert (found.searched, whole.played) == (whole.searched, 0)


@pytest.mark.parametrize("depth", [1, 4, 6])
def test_playouts_in_hands_are_those_of_the_compiled_game(
    depth: int, twice: tuple[BucketedHoldem, Any, SequenceForm, Profile]
) -> None:
    game, profile, compiled, same = twice
    settings = SearchSettings(depth=depth, iterations=12, exploration=0.3)
    for player in range(2):
        beliefs = belief_tree(compiled, player).against(same)
        # Shares of a pot that are known for pairs of buckets narrow the range of payoffs.
        wider = 2.0 * float(game.tree.paid.max()) / beliefs.tree.payoff_range
        alike = replace(settings, exploration=settings.exploration * wider)
        general = [search(beliefs, alike, seed=7, index=(run, 0)) for run in range(RUNS)]
        hands = [
            bucketed_search(game, profile, player, settings, seed=7, index=(run, 0))
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
