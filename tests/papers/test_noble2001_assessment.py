"""Noble & Watson (2001): strategies are judged with the same deals and luck, one by one or together."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, stream
from pokerlab.holdem import SeatView, play
from pokerlab.papers.noble2001 import (
    BAD,
    GROUPS,
    PRINTED,
    REASONABLE,
    Config,
    assess,
    encoding,
    game,
    in_big_blinds,
)
from pokerlab.papers.noble2001.assessment import at_tables
from tests.oracles.players import rule_decision

CONFIG = Config(seed=0)
RULES, GAME = encoding(CONFIG), game(CONFIG)
GENOMES = RULES.random(stream(4, "judged"), 6)
ALPHA = GROUPS["alpha"]
SHORT: dict[str, Any] = {"hands": 30, "sequences": 3, "seed": 8}


def by_the_rule(genome: np.ndarray) -> Callable[[SeatView], int]:
    """Return a player that decides as the rule does that is written out card by card."""
    return lambda view: rule_decision(genome.tolist(), view)


def test_each_strategy_alone_wins_what_it_wins_beside_others() -> None:
    together = assess(GAME, RULES, GENOMES, ALPHA, **SHORT)
    for number in range(len(GENOMES)):
        alone = assess(GAME, RULES, GENOMES[number : number + 1], ALPHA, **SHORT)
        assert alone[:, 0].tolist() == together[:, number].tolist()


def test_equal_strategies_win_exactly_the_same() -> None:
    """With bluffs and check-raises, too: luck is the seat's and the hand's."""
    genome = PRINTED.genome.copy()
    genome[:2] = 0.3, 0.5
    won = assess(GAME, RULES, np.stack([GENOMES[0], genome, GENOMES[1], genome]), ALPHA, **SHORT)
    assert won[:, 1].tolist() == won[:, 3].tolist()
    assert won[:, 1].any()
    assert (won[:, 1] != won[:, 0]).any()


def test_results_do_not_depend_on_workers() -> None:
    one, three = (assess(GAME, RULES, GENOMES, ALPHA, workers=n, **SHORT) for n in (1, 3))
    assert one.tobytes() == three.tobytes()


def test_sequences_are_independent_and_prefix_stable() -> None:
    three = assess(GAME, RULES, GENOMES, ALPHA, **SHORT)
    one = assess(GAME, RULES, GENOMES, ALPHA, **(SHORT | {"sequences": 1}))
    assert three.shape == (3, 6)
    assert three[:1].tobytes() == one.tobytes()
    assert (three[0] != three[1]).any()
    other = assess(GAME, RULES, GENOMES, ALPHA, **(SHORT | {"seed": 9}))
    assert (other != three).any()


@pytest.mark.parametrize("genome", [PRINTED.genome, BAD[3].genome], ids=["printed", "bluffer"])
def test_profits_are_those_of_a_single_table_by_the_rule_written_out(genome: np.ndarray) -> None:
    hands, number = 25, 2
    by_hand = [by_the_rule(each) for each in (genome, *(one.genome for one in ALPHA))]
    played = play(
        GAME.structure, by_hand, hands, seed=8, stacks=CONFIG.stacks, first=number * hands
    )
    assessed = assess(GAME, RULES, genome[None], ALPHA, hands=hands, sequences=3, seed=8)
    assert assessed[number, 0] == sum(played.chips[:, 0, 0].tolist()) * 1000 / hands


def test_small_tables_meet_the_same_part_of_a_group() -> None:
    small = game(replace(CONFIG, seats=4))
    played = at_tables(small, RULES, GENOMES, ALPHA, hands=10, seed=8)
    opponents = played.lineups[:, 1:]
    assert played.lineups[:, 0].tolist() == list(range(6))
    assert (opponents == opponents[0]).all()
    assert len(set(opponents[0])) == 3
    assert opponents.min() >= 6
    others = {
        tuple(at_tables(small, RULES, GENOMES, ALPHA, hands=1, seed=8, number=k).lineups[0, 1:])
        for k in range(6)
    }
    assert len(others) > 1


def test_what_is_lost_to_a_group_is_won_by_it() -> None:
    played = at_tables(GAME, RULES, GENOMES, ALPHA, hands=50, seed=8)
    assert played.won.sum() == 0
    assert played.won_from is not None
    assert not played.won_from[:6, :6].any()
    assert played.won_from[:6].sum(axis=1).tolist() == played.won[:6].tolist()


def test_bad_styles_lose_to_each_group_and_reasonable_ones_do_better() -> None:
    bad = np.stack([one.genome for one in BAD])
    reasonable = np.stack([one.genome for one in REASONABLE])
    for group in GROUPS.values():
        lost, typical = (
            assess(GAME, RULES, genomes, group, hands=2000, seed=1)[0]
            for genomes in (bad, reasonable)
        )
        assert lost.max() < 0
        assert np.median(typical) > lost.max()


def test_chips_of_a_thousand_hands_are_thousandths_of_a_big_blind() -> None:
    """The big blind is two chips: 2,000 chips in 1,000 hands are one big blind a hand."""
    assert in_big_blinds(np.array([2000.0, -50.0]), GAME).tolist() == [1000.0, -25.0]


def test_bad_input_is_refused() -> None:
    for change, words in (
        ({"hands": 0}, "hands"),
        ({"sequences": 0}, "sequences"),
        ({"hands": 2.5}, "hands"),
    ):
        with pytest.raises(SettingError, match=words):
            assess(GAME, RULES, GENOMES, ALPHA, **(SHORT | change))
    with pytest.raises(SettingError, match="group of 5 does not fill a table of 10 seats"):
        assess(GAME, RULES, GENOMES, ALPHA[:5], **SHORT)
