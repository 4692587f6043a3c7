"""Leduc for three and two-round poker, hand by hand. (Leduc for two is OpenSpiel's, tree and all.)"""

from fractions import Fraction

import pytest

from pokerlab.games.rules import Decision, Number, Terminal, Turn, list_choices
from pokerlab.games.small_poker import TwoRoundPoker, make_leduc_rules, make_two_round_rules

LEDUC3 = make_leduc_rules(3)
RANKS, PAIRED = make_two_round_rules("ranks"), make_two_round_rules("paired")


def turn_after(rules: TwoRoundPoker, hand: str) -> Turn:
    history = rules.start()
    for choice in hand.split():
        assert choice in list_choices(rules.turn(history))
        history = rules.after(history, choice)
    return rules.turn(history)


@pytest.mark.parametrize(
    ("hand", "player"),
    [
        ("Ts Js Qs bet", 1),
        ("Ts Js Qs bet fold", 2),
        ("Ts Js Qs check bet", 2),
        ("Ts Js Qs check bet raise", 0),
        ("Ts Js Qs check bet raise fold", 1),
        ("Ts Js Qs bet call call Ks", 0),
        ("Ts Js Qs check bet call fold Ks", 1),  # the first has folded: the second begins
        ("Ts Js Qs check check bet fold fold", None),
        ("Ts Js Qs check bet fold call Ks", 0),
        ("Ts Js Qs check bet fold call Ks check", 1),
        ("Ts Js Qs check check bet fold call Ks", 1),
        ("Ts Js Qs bet fold call Ks check", 2),
    ],
)
def test_leduc_for_three_order_of_players(hand: str, player: int | None) -> None:
    turn = turn_after(LEDUC3, hand)
    assert (turn.player if isinstance(turn, Decision) else None) == player


@pytest.mark.parametrize(
    ("rules", "hand", "utilities"),
    [
        # Equal hands share what the others leave in the pot.
        (LEDUC3, "Ts Js Qs check check bet fold fold", (-1, -1, 2)),
        (LEDUC3, "Ts Js Qs check check check Ks check check check", (-1, -1, 2)),
        (LEDUC3, "Ts Js Ks bet call call Tc bet fold call", (10, -3, -7)),
        (
            LEDUC3,
            "Qs Qc Ts check check check Ks check check check",
            (Fraction(1, 2), Fraction(1, 2), -1),
        ),
        (LEDUC3, "Qs Ks Qc bet fold call Js bet call", (Fraction(1, 2), -1, Fraction(1, 2))),
        (
            LEDUC3,
            "Ks Qs Qc bet call call Js check bet call fold",
            (-3, Fraction(3, 2), Fraction(3, 2)),
        ),
        (RANKS, "9 A check check K check check", (-1, 1)),
        (RANKS, "A 9 bet call K bet call", (3, -3)),  # bets of one chip in both rounds
        (RANKS, "A 9 bet raise raise call K bet raise raise call", (7, -7)),
        (PAIRED, "Js Ks check check Jc check check", (1, -1)),
        (PAIRED, "Ks Kc check check Js check check", (0, 0)),
    ],
    ids=lambda x: x.name if isinstance(x, TwoRoundPoker) else None,
)
def test_two_round_poker_winners(
    rules: TwoRoundPoker, hand: str, utilities: tuple[Number, ...]
) -> None:
    assert turn_after(rules, hand) == Terminal(utilities)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_two_round_poker_limits_bets_of_a_round(most: int) -> None:
    rules = make_two_round_rules(bets_per_round=most)
    bets = ["bet", "raise", "raise"][:most]
    turn = turn_after(rules, f"A K {' '.join(bets)}")
    assert isinstance(turn, Decision)
    assert turn.actions == ("fold", "call")
    before = turn_after(rules, f"A K {' '.join(bets[:-1])}")
    assert isinstance(before, Decision)
    assert before.actions[-1] == bets[-1]
    second = turn_after(rules, f"A K {' '.join(bets)} call Q")
    assert isinstance(second, Decision)
    assert second.actions == ("check", "bet")
