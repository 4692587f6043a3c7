"""Laws of ring games: chips are kept, and results are independent of workers and of how many hands are in play."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.holdem.betting_structure import Structure, limit, no_limit
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
def test_ring_game_is_independent_of_hands_in_play_and_workers(
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
def test_ring_game_with_duplicates_brings_equal_players_to_zero(
    structure: Structure, player: Any, num_players: int, seed: int
) -> None:
    played = cash(structure, [player] * num_players, 5, seed=seed, stacks=80, duplicates=True)
    assert (played.chips.sum(axis=1) == 0).all()
    assert played.mean.tolist() == [0.0] * num_players
