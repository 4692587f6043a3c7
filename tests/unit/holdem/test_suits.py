"""Suits can be renamed: hands are alike exactly if their class is the same, monotone boards too."""

from collections import Counter
from itertools import accumulate, combinations, permutations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import CardError, SettingError
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards

RENAMINGS = list(permutations(range(4)))
ALL_ROUNDS = [(2,), (2, 3), (2, 4), (3,), (4,), (5,), (3, 1)]
each_rounds = pytest.mark.parametrize("rounds", ALL_ROUNDS, ids=str)
Rounds = tuple[int, ...]
Hand = tuple[tuple[int, ...], ...]


def in_rounds(cards: list[int], rounds: Rounds) -> Hand:
    """Return the cards of each round, in rising order."""
    ends = accumulate(rounds)
    return tuple(
        tuple(sorted(cards[end - size : end])) for end, size in zip(ends, rounds, strict=True)
    )


def renamed(cards: list[int], new_suits: tuple[int, ...]) -> list[int]:
    return [card // 4 * 4 + new_suits[card % 4] for card in cards]


def least(cards: list[int], rounds: Rounds) -> Hand:
    """Return the first of all hands that are alike: another canonical form, by brute force."""
    return min(in_rounds(renamed(cards, new_suits), rounds) for new_suits in RENAMINGS)


@st.composite
def hands(draw: st.DrawFn, rounds: Rounds) -> list[int]:
    """Draw a hand; often of few suits or few ranks, where mistakes hide."""
    suits = draw(st.sampled_from([(2,), (0, 3), (0, 1, 2, 3)]))
    ranks = draw(st.sampled_from([range(13), range(7)]))
    deck = [4 * rank + suit for rank in ranks for suit in suits]
    size = sum(rounds)
    return draw(st.lists(st.sampled_from(deck), unique=True, min_size=size, max_size=size))


def classes_by_burnside(rounds: Rounds) -> int:
    """Count classes as the mean number of hands that a renaming leaves as they are.

    Suits that a renaming moves in a circle must have the same ranks, so that a circle of length L
    has a way to take s ranks for every L * s cards.
    """
    of_a_suit = {
        sizes: prod(comb(13 - sum(sizes[:i]), size) for i, size in enumerate(sizes))
        for sizes in product(*(range(cards + 1) for cards in rounds))
    }
    total = 0
    for circles, renamings in [
        ((1, 1, 1, 1), 1),
        ((2, 1, 1), 6),
        ((2, 2), 3),
        ((3, 1), 8),
        ((4,), 6),
    ]:
        ways: Counter[Rounds] = Counter({(0,) * len(rounds): 1})
        for length in circles:
            longer: Counter[Rounds] = Counter()
            for (taken, before), (sizes, patterns) in product(ways.items(), of_a_suit.items()):
                now = tuple(a + length * b for a, b in zip(taken, sizes, strict=True))
                if all(a <= b for a, b in zip(now, rounds, strict=True)):
                    longer[now] += before * patterns
            ways = longer
        total += renamings * ways[rounds]
    assert total % 24 == 0
    return total // 24


@each_rounds
def test_hand_classes_are_as_many_as_burnside_counts(rounds: Rounds) -> None:
    assert build_hand_classes(*rounds).size == classes_by_burnside(rounds)


@given(st.data(), st.sampled_from(ALL_ROUNDS), st.permutations(range(4)))
def test_renaming_suits_and_order_within_a_round_change_nothing(
    data: st.DataObject, rounds: Rounds, new_suits: list[int]
) -> None:
    cards = data.draw(hands(rounds))
    classes = build_hand_classes(*rounds)
    other = [
        card
        for group in in_rounds(renamed(cards, tuple(new_suits)), rounds)
        for card in data.draw(st.permutations(group))
    ]
    assert classes.find_classes(other) == classes.find_classes(cards)


@given(st.data(), st.sampled_from(ALL_ROUNDS))
def test_two_hands_share_a_class_exactly_if_alike(data: st.DataObject, rounds: Rounds) -> None:
    cards, other = data.draw(hands(rounds)), data.draw(hands(rounds))
    ranks = [card // 4 for card in cards]
    similar = [4 * rank + card % 4 for rank, card in zip(ranks, other, strict=True)]
    classes = build_hand_classes(*rounds)
    for second in (other, similar):
        if len(set(second)) == len(second):
            alike = least(cards, rounds) == least(second, rounds)
            assert (classes.find_classes(cards) == classes.find_classes(second)) == alike


@given(st.data(), st.sampled_from(ALL_ROUNDS))
def test_the_canonical_hand_is_one_of_its_class(data: st.DataObject, rounds: Rounds) -> None:
    cards = data.draw(hands(rounds))
    classes = build_hand_classes(*rounds)
    hand = classes.make_canonical_hands(classes.find_classes(cards)).tolist()
    assert least(hand, rounds) == least(cards, rounds)
    new_suits = tuple(classes.find_renamings(cards).tolist())
    assert in_rounds(renamed(cards, new_suits), rounds) == in_rounds(hand, rounds)
    assert classes.find_renamings(hand).tolist() == [0, 1, 2, 3]
    orbit = {in_rounds(renamed(cards, new_suits), rounds) for new_suits in RENAMINGS}
    assert classes.count_hands(classes.find_classes(cards)) == len(orbit)


@pytest.mark.parametrize("rounds", [(2,), (3,), (2, 3), (4,), (5,)], ids=str)
def test_hand_classes_and_canonical_hands_are_inverse(rounds: Rounds) -> None:
    classes = build_hand_classes(*rounds)
    numbers = np.arange(classes.size)
    assert (classes.find_classes(classes.make_canonical_hands(numbers)) == numbers).all()
    all_hands = prod(comb(52 - sum(rounds[:i]), size) for i, size in enumerate(rounds))
    assert classes.count_hands(numbers).sum() == all_hands


def test_canonical_flops_stand_for_all_flops() -> None:
    alike = Counter(least(list(flop), (3,)) for flop in combinations(range(52), 3))
    boards, multiplicities = list_canonical_boards(3)
    found = {
        least(board, (3,)): count
        for board, count in zip(boards.tolist(), multiplicities.tolist(), strict=True)
    }
    assert found == alike


def test_wrong_numbers_of_cards_are_refused() -> None:
    with pytest.raises(CardError, match=r"cards have shape \(4,\); give 5 cards of each hand"):
        build_hand_classes(2, 3).find_classes([0, 1, 2, 3])
    with pytest.raises(SettingError, match="give 3, 4 or 5"):
        list_canonical_boards(2)
