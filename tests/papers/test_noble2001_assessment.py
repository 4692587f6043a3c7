"""Noble & Watson (2001): strategies are judged with the same deals and luck, one by one or together."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, random_stream
from pokerlab.holdem import SeatView
from pokerlab.papers.noble2001 import (
    BAD,
    GROUPS,
    PRINTED,
    REASONABLE,
    Config,
    assess_strategies,
    average_by_run,
    convert_to_mbb,
    make_encoding,
    make_game,
    play_against_group,
    split_opponents,
)
from pokerlab.runs import History
from tests.at_tables import cash
from tests.oracles.players import rule_decision

CONFIG = Config(seed=0)
RULES, GAME = make_encoding(CONFIG), make_game(CONFIG)
GENOMES = RULES.draw_genomes(random_stream(4, "judged"), 6)
ALPHA = GROUPS["alpha"]
SHORT: dict[str, Any] = {"hands": 30, "sequences": 3, "seed": 8}


def by_the_rule(genome: np.ndarray) -> Callable[[SeatView], int]:
    """Return a player that decides as the rule does that is written out card by card."""
    return lambda view: rule_decision(genome.tolist(), view)


def test_each_strategy_alone_wins_what_it_wins_beside_others() -> None:
    together = assess_strategies(GAME, RULES, GENOMES, ALPHA, **SHORT)
    for number in range(len(GENOMES)):
        alone = assess_strategies(GAME, RULES, GENOMES[number : number + 1], ALPHA, **SHORT)
        assert alone[:, 0].tolist() == together[:, number].tolist()


def test_sequences_are_independent_and_prefix_stable() -> None:
    three = assess_strategies(GAME, RULES, GENOMES, ALPHA, **SHORT)
    one = assess_strategies(GAME, RULES, GENOMES, ALPHA, **(SHORT | {"sequences": 1}))
    assert three.shape == (3, 6)
    assert three[:1].tobytes() == one.tobytes()
    assert (three[0] != three[1]).any()
    other = assess_strategies(GAME, RULES, GENOMES, ALPHA, **(SHORT | {"seed": 9}))
    assert (other != three).any()


@pytest.mark.parametrize("genome", [PRINTED.genome, BAD[3].genome], ids=["printed", "bluffer"])
def test_profits_are_those_of_a_single_table_by_the_rule_written_out(genome: np.ndarray) -> None:
    hands, number = 25, 2
    by_hand = [by_the_rule(each) for each in (genome, *(one.genome for one in ALPHA))]
    played = cash(
        GAME.structure, by_hand, hands, seed=8, stacks=CONFIG.stacks, first=number * hands
    )
    assessed = assess_strategies(GAME, RULES, genome[None], ALPHA, hands=hands, sequences=3, seed=8)
    assert assessed[number, 0] == sum(played.chips[:, 0, 0].tolist()) * 1000 / hands


def test_small_tables_meet_the_same_part_of_a_group() -> None:
    small = make_game(replace(CONFIG, seats=4))
    played = play_against_group(small, RULES, GENOMES, ALPHA, hands=10, seed=8)
    opponents = played.lineups[:, 1:]
    assert played.lineups[:, 0].tolist() == list(range(6))
    assert (opponents == opponents[0]).all()
    assert len(set(opponents[0])) == 3
    assert opponents.min() >= 6
    others = {
        tuple(
            play_against_group(small, RULES, GENOMES, ALPHA, hands=1, seed=8, sequence=k).lineups[
                0, 1:
            ]
        )
        for k in range(6)
    }
    assert len(others) > 1


def test_bad_styles_lose_to_each_group_and_reasonable_ones_do_better() -> None:
    bad = np.stack([one.genome for one in BAD])
    reasonable = np.stack([one.genome for one in REASONABLE])
    for group in GROUPS.values():
        lost, typical = (
            assess_strategies(GAME, RULES, genomes, group, hands=2000, seed=1)[0]
            for genomes in (bad, reasonable)
        )
        assert lost.max() < 0
        assert np.median(typical) > lost.max()


def test_there_are_eighteen_in_three_styles_with_a_reason_each() -> None:
    assert len(REASONABLE) == 18
    assert {one.style for one in REASONABLE} == {"conservative", "deceptive", "caller"}
    everybody = (*REASONABLE, *BAD, PRINTED)
    assert len({one.name for one in everybody}) == len(everybody)
    for one in everybody:
        assert one.reason.endswith(".")
        assert one.reason.count(". ") == 0
        assert (RULES.validate_genomes(one.genome)[0] == one.genome).all()
        assert one.genome[0] <= 0.05 or one in BAD


def test_the_printed_strategy_reads_as_the_paper_prints_it() -> None:
    assert RULES.describe(PRINTED.genome) == (
        "Bluff in 2% of the hands, check-raise in 10% of the hands."
        " Preflop: with an ace or a pair, bet as much as possible. Otherwise fold."
        " Flop: play on with anything that beats the board, or in any event one card short of a straight"
        " or a flush: try to bet 4 chips, call up to 6. With any straight or better that beats the"
        " board, call any bet. Otherwise fold."
        " Turn: play on with any pair or better that beats the board, or in any event one card short of a"
        " straight or a flush: try to bet 4 chips, call up to 8. With any two pair or better that beats"
        " the board, call any bet. Otherwise fold."
        " River: with a pair of nines or better that beats the board, bet as much as possible."
        " Otherwise fold."
    )


def test_a_split_sorts_all_into_nine_and_nine() -> None:
    splits = [split_opponents(seed) for seed in range(20)]
    names = {one.name for one in REASONABLE}
    for alpha, beta in splits:
        assert len(alpha) == len(beta) == 9
        assert {one.name for one in alpha + beta} == names
    assert len({frozenset(one.name for one in alpha) for alpha, _ in splits}) == 20
    assert [one.name for one in split_opponents(0)[0]] == [one.name for one in splits[0][0]]


def recorded() -> History:
    """Return three strategies in each of two runs of two regimes, those of a regime not together."""
    rows = [(r, s, k) for k in range(3) for s in (7, 2) for r in ("Pareto", "roulette")]
    regime, seed, place = (np.array(column) for column in zip(*rows, strict=True))
    worth = 100.0 * (regime == "Pareto") + 10.0 * seed + place
    return History(
        {"regime": regime, "seed": seed, "place": place, "alpha": worth, "kept": place > 0}, {}, {}
    )


RECORDED = recorded()


def test_means_of_runs_are_in_the_order_of_the_seeds() -> None:
    assert average_by_run(RECORDED, "alpha", "Pareto").tolist() == [121.0, 171.0]
    assert average_by_run(RECORDED, "alpha", "roulette").tolist() == [21.0, 71.0]
    assert average_by_run(RECORDED, "alpha", "Pareto", RECORDED["kept"]).tolist() == [
        121.5,
        171.5,
    ]
    assert average_by_run(RECORDED, "alpha", "roulette", ~RECORDED["kept"]).tolist() == [
        20.0,
        70.0,
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: assess_strategies(GAME, RULES, GENOMES, ALPHA, **SHORT | {"hands": 2.5}), "hands"),
        (
            lambda: assess_strategies(GAME, RULES, GENOMES, ALPHA, **SHORT | {"sequences": 0}),
            "sequences",
        ),
        (
            lambda: assess_strategies(GAME, RULES, GENOMES, ALPHA[:5], **SHORT),
            "group of 5 does not fill a table of 10 seats",
        ),
        (lambda: split_opponents(-1), "seed is -1"),
        (
            lambda: average_by_run(RECORDED, "alpha", "best half"),
            "recorded are: Pareto, roulette",
        ),
        (
            lambda: average_by_run(RECORDED, "alpha", "Pareto", RECORDED["place"] > 2),
            "'Pareto' without such strategies",
        ),
    ],
)
def test_what_cannot_be_assessed_is_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        call()


def test_chips_of_a_thousand_hands_are_thousandths_of_a_big_blind() -> None:
    """The big blind is two chips: 2,000 chips in 1,000 hands are one big blind a hand."""
    assert convert_to_mbb(np.array([2000.0, -50.0]), GAME).tolist() == [1000.0, -25.0]
