"""Suits change nothing: Leduc with cards and Leduc with ranks are one game."""

import re

import pytest

from pokerlab import games
from pokerlab.games import Profile, SequenceForm
from tests.random_games import random_profile

ROUNDING = 1e-12  # sums of some thousand products, utilities up to 13 chips
CARD = re.compile(r"([2-9TJQKA])([schd])")
PAIRS = [
    (games.leduc(2), games.leduc(2, isomorphic=True)),
    (games.two_round_poker("paired", 2), games.two_round_poker("paired", 2, isomorphic=True)),
]
each_pair = pytest.mark.parametrize(("suited", "ranked"), PAIRS, ids=["Leduc", "two-round"])


def with_suits(profile: Profile, suited: SequenceForm) -> Profile:
    """Return the profile of the suited game that looks at ranks only."""
    table = {
        (player, label): profile.action_probabilities(player, CARD.sub(r"\1", label))
        for player, label in suited.infoset_index
    }
    return Profile.from_table(suited, table)


def suits_swapped(profile: Profile, rank: str) -> Profile:
    """Return the profile in which the two cards of `rank` have changed their roles."""
    other = {f"{rank}s": f"{rank}c", f"{rank}c": f"{rank}s"}
    table = {
        (player, CARD.sub(lambda card: other.get(card[0], card[0]), label)): chosen
        for (player, label), chosen in profile.to_table().items()
    }
    return Profile.from_table(profile.game, table)


@each_pair
@pytest.mark.parametrize("seed", range(3))
def test_profiles_are_worth_the_same(suited: SequenceForm, ranked: SequenceForm, seed: int) -> None:
    small = random_profile(ranked, seed)
    large = with_suits(small, suited)
    assert suited.values(large) == pytest.approx(ranked.values(small), abs=ROUNDING)
    assert suited.gains(large) == pytest.approx(ranked.gains(small), abs=ROUNDING)


@each_pair
@pytest.mark.parametrize("rank", ["J", "Q", "K"])
def test_exchanging_two_cards_of_a_rank_changes_nothing(
    suited: SequenceForm, ranked: SequenceForm, rank: str
) -> None:
    profile = random_profile(suited, seed=7)
    swapped = suits_swapped(profile, rank)
    assert (swapped.probabilities != profile.probabilities).any()
    assert suited.values(swapped) == pytest.approx(suited.values(profile), abs=ROUNDING)
    assert suited.gains(swapped) == pytest.approx(suited.gains(profile), abs=ROUNDING)
