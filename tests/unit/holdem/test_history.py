"""Hands as text, written out by hand."""

import pytest

from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting_structure import limit, no_limit
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.hand import CALL, Hand
from pokerlab.holdem.hand_history import format_hand

DEAL = parse_cards("As Ad 7c 2d Ks Kd Qh Qs 2c 3d 7h 8s Jc")
NAMES = ["Ann", "Bob", "Cid", 'Dot "D"']


def test_hand_text_writes_street_by_street() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=1), [31, 0, 80, 95], button=3, deal=DEAL, number=7)
    for action in (30, CALL, CALL, 20, 60):
        hand = hand.after(action if hand.is_legal(action) else CALL)
    assert format_hand(hand, NAMES) == "\n".join(
        [
            "Hand 7: no-limit hold'em, blinds 5/10, ante 1",
            'Dot "D" has Qh Qs and 95 chips, on the button',
            "Ann has As Ad and 31 chips",
            "Cid has Ks Kd and 80 chips",
            "Preflop",
            "  Ann posts an ante of 1",
            "  Cid posts an ante of 1",
            '  Dot "D" posts an ante of 1',
            "  Ann posts 5",
            "  Cid posts 10",
            '  Dot "D" raises to 30',
            "  Ann calls 25, all-in",
            "  Cid calls 20",
            "Flop: 2c 3d 7h, 93 in the pot",
            "  Cid bets 20",
            '  Dot "D" raises to 60',
        ]
    )


def test_hand_text_writes_showdown_and_pots() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL)
    for action in (20, CALL, CALL, CALL, 10, 20, CALL, CALL, CALL, 20, CALL):
        hand = hand.after(action)
    assert format_hand(hand).splitlines()[6:] == [
        "  player 3 posts 10",
        "  player 4 raises to 20",
        "  player 1 calls 15, all-in",
        "  player 3 calls 10",
        "Flop: 2c 3d 7h, 60 in the pot",
        "  player 3 checks",
        "  player 4 bets 10",
        "  player 3 raises to 20",
        "  player 4 calls 10",
        "Turn: 2c 3d 7h 8s, 100 in the pot",
        "  player 3 checks",
        "  player 4 checks",
        "River: 2c 3d 7h 8s Jc, 100 in the pot",
        "  player 3 bets 20",
        "  player 4 calls 20",
        "End",
        "  player 1 shows As Ad: pair",
        "  player 3 shows Ks Kd: pair",
        "  player 4 shows Qh Qs: pair",
        "  player 1 wins 60 in the main pot",
        "  player 3 wins 80 in side pot 1",
    ]


def test_hand_text_writes_a_shared_pot() -> None:
    deal = parse_cards("As Kd Ac Kh 2c 3d 7h 8s Jc")
    hand = Hand.begin(no_limit(1, 2), [50, 60], button=1, deal=deal).after(60).after(CALL)
    assert format_hand(hand).splitlines()[-10:] == [
        "  player 2 raises to 60, all-in",
        "  player 1 calls 48, all-in",
        "Flop: 2c 3d 7h, 100 in the pot",
        "Turn: 2c 3d 7h 8s, 100 in the pot",
        "River: 2c 3d 7h 8s Jc, 100 in the pot",
        "End",
        "  10 go back to player 2",
        "  player 1 shows As Kd: high card",
        "  player 2 shows Ac Kh: high card",
        "  player 1 and player 2 share 100",
    ]


def test_hand_text_writes_all_in_posts() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=2), [2, 9, 1, 50], button=1, deal=DEAL)
    assert format_hand(hand).splitlines()[5:] == [
        "Preflop",
        "  player 3 posts an ante of 1, all-in",
        "  player 4 posts an ante of 2",
        "  player 1 posts an ante of 2, all-in",
        "  player 2 posts an ante of 2",
        "  player 4 posts 10",
    ]


def test_hand_text_writes_an_ante_for_all_after_the_blinds() -> None:
    rules = no_limit(5, 10, ante=10, ante_payer="big blind")
    hand = Hand.begin(rules, [90, 50, 13, 50], button=0, deal=DEAL)
    text = format_hand(hand).splitlines()
    assert text[0].endswith("blinds 5/10, ante 10 from the big blind")
    assert text[text.index("Preflop") + 1 :] == [
        "  player 2 posts 5",
        "  player 3 posts 10",
        "  player 3 posts an ante of 3 for all, all-in",
    ]


def test_hand_text_rejects_a_wrong_number_of_names() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL)
    with pytest.raises(SettingError, match="3 names are given for 4 seats"):
        format_hand(hand, NAMES[:3])
