"""One hand of every game, word for word as in the files beside this one.

After a change that is meant, `python -m tests.playthroughs.test_playthroughs` writes them anew; read
the difference before committing it.
"""

from pathlib import Path

import pytest

from pokerlab.core import GameError, UnknownNameError
from pokerlab.games import Rules, describe_playthrough, matrix_games
from pokerlab.games.small_poker import (
    make_kuhn_rules,
    make_leduc_rules,
    make_one_card_rules,
    make_two_round_rules,
)

FOLDER = Path(__file__).parent

HANDS: dict[str, tuple[Rules, str]] = {
    "kuhn_2": (make_kuhn_rules(2), "Q J pass bet bet"),
    "kuhn_3": (make_kuhn_rules(3), "J A K pass bet pass bet"),
    "kuhn_4": (make_kuhn_rules(4), "T J Q K pass pass pass bet bet pass bet"),
    "kuhn_5": (make_kuhn_rules(5), "9 T J Q K pass pass bet pass bet bet pass"),
    "kuhn_6": (make_kuhn_rules(6), "8 9 T J Q K bet bet bet bet bet pass"),
    "one_card_8": (make_one_card_rules(8), "9 T pass bet bet"),
    "one_card_13": (make_one_card_rules(13), "2 A bet pass"),
    "one_card_14": (make_one_card_rules(14), "14 7 bet bet"),
    "von_neumann": (make_one_card_rules(8, bet=2, second_can_bet=False), "9 T pass"),
    "borel": (make_one_card_rules(8, first_can_check=False), "T 9 fold"),
    "two_round_ranks": (
        make_two_round_rules("ranks"),
        "A K bet raise call Q check bet raise raise call",
    ),
    "two_round_paired": (make_two_round_rules("paired"), "Js Kc check check Jc bet call"),
    "two_round_paired_isomorphic": (
        make_two_round_rules("paired", isomorphic=True),
        "Q Q bet call J check check",
    ),
    "leduc_2": (make_leduc_rules(2), "Js Ks check bet raise call Jc bet raise call"),
    "leduc_2_isomorphic": (make_leduc_rules(2, isomorphic=True), "K Q bet call Q check bet fold"),
    "leduc_3": (make_leduc_rules(3), "Qs Js Qc bet call fold Ts check bet raise call"),
    "rock_paper_scissors": (matrix_games.make_rock_paper_scissors_rules(), "rock paper"),
    "biased_rps": (matrix_games.make_biased_rps_rules(), "rock scissors"),
    "bimatrix": (
        matrix_games.make_bimatrix_rules([[3, 0], [5, 1]], [[3, 5], [0, 1]]),
        "row 2|column 1",
    ),
    "identical_payoffs": (
        matrix_games.make_identical_payoff_rules([[1, 0.5], [0, 2]]),
        "row 1|column 2",
    ),
}


def text_of(name: str) -> str:
    rules, hand = HANDS[name]
    return describe_playthrough(rules, hand.split("|" if "|" in hand else None)) + "\n"


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_is_played_as_written(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_file_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(HANDS)


def test_what_cannot_be_played_is_refused() -> None:
    rules = make_kuhn_rules()
    with pytest.raises(UnknownNameError, match=r"no action at history 'J K' .* 'bett'.*mean 'bet'"):
        describe_playthrough(rules, ["J", "K", "bett"])
    with pytest.raises(UnknownNameError, match=r"history 'J' of KP\(2\) 'J'; there are: Q, K"):
        describe_playthrough(rules, ["J", "J"])
    with pytest.raises(GameError, match=r"'J K' of .* is not the end .* one of: pass, bet"):
        describe_playthrough(rules, ["J", "K"])
    with pytest.raises(GameError, match=r"'start' of .* is not the end"):
        describe_playthrough(rules, [])
    with pytest.raises(GameError, match=r"'J K bet pass' of .* is the end .* 'bet' is one choice"):
        describe_playthrough(rules, ["J", "K", "bet", "pass", "bet"])


if __name__ == "__main__":
    for name in HANDS:
        (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8")
