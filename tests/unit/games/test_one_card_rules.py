"""Kuhn and one-card poker, hand by hand."""

from fractions import Fraction

import pytest

from pokerlab.games.one_card import OneCardPoker, kuhn_rules, one_card_rules
from pokerlab.games.rules import Chance, Decision, Terminal, Turn, actions

KP2, KP3, KP4 = kuhn_rules(2), kuhn_rules(3), kuhn_rules(4)


def turn_after(rules: OneCardPoker, *choices: str) -> Turn:
    history = rules.start()
    for choice in choices:
        assert choice in actions(rules.turn(history))
        history = rules.after(history, choice)
    return rules.turn(history)


@pytest.mark.parametrize(
    ("actions", "player"),
    [
        ("", 0),
        ("pass", 1),
        ("pass pass", 2),
        ("bet", 1),
        ("bet pass", 2),
        ("bet bet", 2),
        ("pass bet", 2),
        ("pass bet pass", 0),
        ("pass bet bet", 0),
        ("pass pass bet", 0),
        ("pass pass bet pass", 1),
        ("pass pass bet bet", 1),
    ],
)
def test_who_acts_in_kuhn_poker_for_three(actions: str, player: int) -> None:
    """After a bet the others answer in turn, once round the table."""
    cards = list(turn_after(KP3).outcomes)[:3]  # type: ignore[union-attr]
    turn = turn_after(KP3, *cards, *actions.split())
    label = cards[player] + (f", {'-'.join(actions.split())}" if actions else "")
    assert turn == Decision(player, label, ("pass", "bet"))


@pytest.mark.parametrize(
    ("hand", "utilities"),
    [
        ("K Q pass pass", (1, -1)),
        ("Q K pass pass", (-1, 1)),
        ("J K pass bet pass", (-1, 1)),
        ("K J pass bet bet", (2, -2)),
        ("J K bet pass", (1, -1)),
        ("Q J bet bet", (2, -2)),
        ("Q K bet bet", (-2, 2)),
        ("J Q K pass pass pass", (-1, -1, 2)),
        ("A K Q bet pass pass", (2, -1, -1)),  # everybody folds
        ("J A K bet pass bet", (-2, -1, 3)),  # the ace has folded
        ("A J K pass bet pass pass", (-1, 2, -1)),
        ("J Q K pass pass bet bet pass", (-2, -1, 3)),
        ("A Q K pass pass bet bet bet", (4, -2, -2)),
    ],
)
def test_every_way_to_end_a_hand_and_some_for_three(hand: str, utilities: tuple[int, ...]) -> None:
    rules = KP2 if len(utilities) == 2 else KP3
    assert turn_after(rules, *hand.split()) == Terminal(utilities)


def test_the_last_of_four_bets_and_the_first_three_answer_in_turn() -> None:
    cards = [*"TJQK"]
    turn = turn_after(KP4, *cards, "pass", "pass", "pass", "bet", "pass", "bet")
    assert turn == Decision(2, "Q, pass-pass-pass-bet-pass-bet", ("pass", "bet"))
    ended = turn_after(KP4, *cards, "pass", "pass", "pass", "bet", "pass", "bet", "pass")
    assert ended == Terminal((-1, -2, -1, 4))


def test_a_card_is_dealt_only_once() -> None:
    assert turn_after(KP2) == Chance(dict.fromkeys("JQK", Fraction(1, 3)))
    assert turn_after(KP2, "Q") == Chance(dict.fromkeys("JK", Fraction(1, 2)))


@pytest.mark.parametrize(
    ("ranks", "names"),
    [
        (3, [*"JQK"]),
        (4, [*"JQKA"]),
        (8, [*"789TJQKA"]),
        (13, [*"23456789TJQKA"]),
        (14, [str(k + 1) for k in range(14)]),
    ],
)
def test_what_cards_are_called(ranks: int, names: list[str]) -> None:
    assert list(turn_after(one_card_rules(ranks)).outcomes) == names  # type: ignore[union-attr]
