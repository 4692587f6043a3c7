"""The posts and actions of hands in words, written out by hand."""

from pokerlab.holdem.betting_structure import limit, no_limit
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.hand_history import (
    describe_action,
    describe_structure,
    get_actor,
    iterate_posts,
    replay_actions,
)

DEAL = parse_cards("As Ad 7c 2d Ks Kd Qh Qs 2c 3d 7h 8s Jc")


def list_actions_in_words(hand: Hand) -> list[tuple[int, int, str]]:
    """Return the street, the seat and the words of each action of a hand."""
    return [
        (before.street, get_actor(before), describe_action(before, action))
        for before, action in replay_actions(hand)
    ]


def test_actions_in_words_with_an_all_in_and_a_seat_without_chips() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=1), [31, 0, 80, 95], button=3, deal=DEAL)
    for action in (30, CALL, CALL, 20, 60, FOLD):
        hand = hand.after(action)
    assert list_actions_in_words(hand) == [
        (0, 3, "raises to 30"),
        (0, 0, "calls 25, all-in"),
        (0, 2, "calls 20"),
        (1, 2, "bets 20"),
        (1, 3, "raises to 60"),
        (1, 2, "folds"),
    ]


def test_actions_in_words_on_all_streets_of_limit() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL)
    for action in (20, CALL, CALL, CALL, 10, 20, CALL, CALL, CALL, 20, CALL):
        hand = hand.after(action)
    assert list_actions_in_words(hand) == [
        (0, 3, "raises to 20"),
        (0, 0, "calls 15, all-in"),
        (0, 2, "calls 10"),
        (1, 2, "checks"),
        (1, 3, "bets 10"),
        (1, 2, "raises to 20"),
        (1, 3, "calls 10"),
        (2, 2, "checks"),
        (2, 3, "checks"),
        (3, 2, "bets 20"),
        (3, 3, "calls 20"),
    ]


def test_raises_in_words_when_all_chips_go_in() -> None:
    deal = parse_cards("As Kd Ac Kh 2c 3d 7h 8s Jc")
    hand = Hand.begin(no_limit(1, 2), [50, 60], button=1, deal=deal).after(60).after(CALL)
    assert list_actions_in_words(hand) == [
        (0, 1, "raises to 60, all-in"),
        (0, 0, "calls 48, all-in"),
    ]


def test_posts_are_antes_before_blinds_from_the_small_blind_on() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=1), [31, 0, 80, 95], button=3, deal=DEAL)
    assert list(iterate_posts(hand)) == [
        (0, "posts an ante of 1"),
        (2, "posts an ante of 1"),
        (3, "posts an ante of 1"),
        (0, "posts 5"),
        (2, "posts 10"),
    ]


def test_posts_of_short_stacks_are_all_in() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=2), [2, 9, 1, 50], button=1, deal=DEAL)
    assert list(iterate_posts(hand)) == [
        (2, "posts an ante of 1, all-in"),
        (3, "posts an ante of 2"),
        (0, "posts an ante of 2, all-in"),
        (1, "posts an ante of 2"),
        (3, "posts 10"),
    ]


def test_posts_have_an_ante_for_all_after_the_blinds() -> None:
    rules = no_limit(5, 10, ante=10, ante_payer="big blind")
    hand = Hand.begin(rules, [90, 50, 13, 50], button=0, deal=DEAL)
    assert describe_structure(rules) == "no-limit hold'em, blinds 5/10, ante 10 from the big blind"
    assert list(iterate_posts(hand)) == [
        (1, "posts 5"),
        (2, "posts 10"),
        (2, "posts an ante of 3 for all, all-in"),
    ]
