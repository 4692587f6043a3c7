"""The opponents written by hand are sound, read as meant, and beat the bad ones."""

from collections import Counter

import numpy as np
import pytest

from pokerlab.core import SettingError, stream
from pokerlab.holdem import limit, play
from pokerlab.papers import noble2001
from pokerlab.papers.noble2001 import BAD, PRINTED, REASONABLE
from pokerlab.strategies import RuleEncoding

ENCODING = RuleEncoding()
TABLE = limit(2, unlimited_heads_up=True, folds_lift_cap=True)
THREE_ERRORS = 3.0
"""Standard errors by which a bad style loses; a fair one would by chance, once in 700."""


def test_there_are_eighteen_in_three_styles_with_a_reason_each() -> None:
    assert len(REASONABLE) == 18
    assert Counter(one.style for one in REASONABLE).keys() == {
        "conservative",
        "deceptive",
        "caller",
    }
    everybody = (*REASONABLE, *BAD, PRINTED)
    assert len({one.name for one in everybody}) == len(everybody)
    for one in everybody:
        assert one.reason.endswith(".")
        assert one.reason.count(". ") == 0
        assert (ENCODING.checked(one.genome)[0] == one.genome).all()


def test_reasonable_ones_seldom_bluff_and_keep_to_hands() -> None:
    for one in REASONABLE:
        assert one.genome[0] <= 0.05
        said = ENCODING.describe(one.genome)
        assert "anything" not in said
        assert said.count("Otherwise fold.") == 4


def test_styles_show_in_the_words() -> None:
    said = {one.name: ENCODING.describe(one.genome) for one in (*REASONABLE, *BAD)}
    assert said["slow player"].count("never bet") == 2
    assert "check-raise in 70% of the hands" in said["check-raiser"]
    assert (
        said["draws to straights and flushes"].count("one card short of a straight or a flush") == 2
    )
    assert said["calling station"].count("with anything, never bet, call any bet.") == 4
    assert said["maniac"].count("with anything, bet as much as possible.") == 4
    assert said["pure bluffer"].startswith("Bluff in 50% of the hands")


def test_the_printed_strategy_reads_as_the_paper_prints_it() -> None:
    assert ENCODING.describe(PRINTED.genome) == (
        "Bluff in 2% of the hands, check-raise in 10% of the hands."
        " Preflop: with an ace or a pair, bet as much as possible. Otherwise fold."
        " Flop: stay with anything that beats the board, or in any event one card short of a straight"
        " or a flush: try to bet 4 chips, call up to 6. With any straight or better that beats the"
        " board, call any bet. Otherwise fold."
        " Turn: stay with any pair or better that beats the board, or in any event one card short of a"
        " straight or a flush: try to bet 4 chips, call up to 8. With any two pair or better that beats"
        " the board, call any bet. Otherwise fold."
        " River: with a pair of nines or better that beats the board, bet as much as possible."
        " Otherwise fold."
    )


def test_a_split_sorts_all_into_nine_and_nine() -> None:
    splits = [noble2001.split(seed) for seed in range(20)]
    names = {one.name for one in REASONABLE}
    for alpha, beta in splits:
        assert len(alpha) == len(beta) == 9
        assert {one.name for one in alpha + beta} == names
    assert len({frozenset(one.name for one in alpha) for alpha, _ in splits}) == 20
    again = noble2001.split(0)
    assert [one.name for one in noble2001.split()[0]] == [one.name for one in again[0]]
    with pytest.raises(SettingError, match="seed is -1"):
        noble2001.split(-1)


@pytest.mark.parametrize("bad", BAD, ids=lambda one: one.name)
def test_reasonable_ones_beat_each_bad_one_at_their_table(bad: noble2001.Opponent) -> None:
    luck = stream(1, "line-ups")
    lineups = [luck.permutation([18, *luck.permutation(18)[:9]]) for _ in range(200)]
    everybody = (*REASONABLE, bad)
    players = ENCODING.players(np.stack([one.genome for one in everybody]))
    played = play(TABLE, players, 200, seed=1, stacks=200, lineups=lineups, same_deals=True)
    assert played.mean[18] < -THREE_ERRORS * played.standard_error[18]
