"""Laws of the compiled table: chips are kept, hands end, and nothing hangs on how they are played."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.holdem.cards import checked_cards, deal_hands
from pokerlab.holdem.hand import Structure, limit, no_limit
from pokerlab.holdem.players import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, RANDOM
from tests.at_tables import cash

SEEDS = st.integers(0, 2**31)
PLAYERS = [RANDOM, ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_FOLD]
FACTORIES = [no_limit(1, 2), no_limit(3, 10, ante=2), limit(2), limit(6, cap=None, ante=1)]
STRUCTURES = st.sampled_from(FACTORIES)


@given(
    STRUCTURES,
    st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=10),
    SEEDS,
    st.integers(1, 40),
    st.integers(1, 3),
)
@settings(max_examples=40)
def test_hands_do_not_depend_on_how_many_are_in_play_or_who_works(
    structure: Structure, players: list[Any], seed: int, side_by_side: int, workers: int
) -> None:
    given_to_all: dict[str, Any] = {"seed": seed, "stacks": 60, "duplicates": True, "record": True}
    straight = cash(structure, players, 7, **given_to_all)
    other = cash(structure, players, 7, workers=workers, side_by_side=side_by_side, **given_to_all)
    parts = [
        cash(structure, players, 3, **given_to_all),
        cash(structure, players, 4, first=3, **given_to_all),
    ]
    assert (other.chips == straight.chips).all()
    assert (other.actions == straight.actions).all()
    assert other.record is not None
    assert straight.record is not None
    assert (other.record.action == straight.record.action).all()
    assert (np.concatenate([part.chips for part in parts]) == straight.chips).all()
    assert (straight.chips.sum(axis=2) == 0).all()


@given(STRUCTURES, st.sampled_from(PLAYERS), st.integers(2, 10), SEEDS)
@settings(max_examples=40)
def test_duplicates_bring_equal_players_to_exactly_zero(
    structure: Structure, player: Any, num_players: int, seed: int
) -> None:
    played = cash(structure, [player] * num_players, 5, seed=seed, stacks=80, duplicates=True)
    assert (played.chips.sum(axis=1) == 0).all()
    assert played.mean.tolist() == [0.0] * num_players


@given(st.integers(0, 20), st.integers(2, 10), SEEDS)
def test_deals_are_of_one_deck_and_known_by_number(first: int, num_seats: int, seed: int) -> None:
    deals = deal_hands(seed, 5, num_seats, first=first)
    checked_cards(deals)
    assert (deals == deal_hands(seed, first + 5, num_seats)[first:]).all()


def test_all_cards_come_equally_often_to_all_places() -> None:
    num_deals = 200_000
    deals = deal_hands(3, num_deals, 10)
    counts = np.array([np.bincount(deals[:, place], minlength=52) for place in range(25)])
    expected = num_deals / 52
    # Each count is binomial; chi-square over 51 degrees of freedom for each place.
    chi_square = ((counts - expected) ** 2 / expected).sum(axis=1)
    assert chi_square.max() < 51 + 5 * (2 * 51) ** 0.5
    assert chi_square.mean() < 51 + 5 * (2 * 51 / 25) ** 0.5
    # Neighbors in the deal are independent but for being different.
    pairs = np.bincount(deals[:, 3].astype(int) * 52 + deals[:, 4], minlength=52 * 52)
    expected_pair = num_deals / (52 * 51)
    different = pairs[~np.eye(52, dtype=bool).ravel()]
    degrees = 52 * 51 - 1
    chi = ((different - expected_pair) ** 2 / expected_pair).sum()
    assert abs(chi - degrees) < 5 * (2 * degrees) ** 0.5
