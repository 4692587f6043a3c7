"""The compiled engine's words for blinds and bets, and how it draws a random action."""

import random

import numpy as np

from pokerlab.core.compiler import kernel
from pokerlab.holdem import players
from pokerlab.holdem.betting_engine import encode_structure
from pokerlab.holdem.betting_structure import limit, no_limit
from pokerlab.holdem.hand import CALL, FOLD


def test_encode_structure_holds_every_amount() -> None:
    words = encode_structure(limit(10, 25, small_blind=3, big_blind=9, cap=3, ante=2))
    assert words.tolist() == [0, 0, 0, 3, 9, 10, 25, 3, 0, 2, 0]
    free = no_limit(1, 2, free_folds=True)
    assert encode_structure(free).tolist() == [0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0]
    for_all = no_limit(1, 2, ante=2, ante_payer="big blind")
    assert encode_structure(for_all).tolist() == [0, 0, 1, 1, 2, 2, 2, 0, 0, 0, 2]


@kernel
def random_answer(can_fold: bool, least: int, most: int, draw: float) -> int:
    return players.choose_random_action(can_fold, least, most, draw)


def test_choose_random_action_divides_the_interval_equally() -> None:
    # Whatever may be done gets an equal part of [0, 1); within a raise's part, so does each amount.
    ends = [0.0, 1 / 3, 0.5, 2 / 3, 1.0]
    close = [
        float(x) for end in ends for x in (np.nextafter(end, 0.0), end, np.nextafter(end, 1.0))
    ]
    luck = random.Random(6)
    draws = [x for x in close if 0.0 <= x < 1.0] + [luck.random() for _ in range(200)]
    for can_fold, least, most in (
        *((False, 0, 0), (True, 0, 0), (False, 4, 4)),
        *((False, 4, 9), (True, 6, 6), (True, 6, 90)),
    ):
        kinds = [CALL] + [FOLD] * can_fold + ["raise"] * (least > 0)
        for draw in draws:
            place = draw * len(kinds)
            expected = kinds[int(place)]
            if expected == "raise":
                expected = least + int((place - int(place)) * (most - least + 1))
            assert random_answer(can_fold, least, most, draw) == expected
