"""Suits can be renamed: hands are alike exactly if their class is the same, monotone boards too."""

from collections import Counter
from itertools import accumulate, combinations, permutations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import CardError, SettingError
from pokerlab.holdem import (
    canonical,
    canonical_boards,
    card_text,
    hand_classes,
    parse_cards,
)

RENAMINGS = list(permutations(range(4)))
ALL_ROUNDS = [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1), (3,), (4,), (5,), (3, 1), (2, 5), (1, 1, 1, 4)]
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
def test_there_are_as_many_classes_as_burnside_counts(rounds: Rounds) -> None:
    assert hand_classes(*rounds).size == classes_by_burnside(rounds)


@pytest.mark.parametrize(
    ("rounds", "size"),
    [
        ((2,), 169),
        ((2, 3), 1_286_792),
        ((2, 3, 1), 55_190_538),
        ((2, 3, 1, 1), 2_428_287_420),
        ((3,), 1755),
        ((4,), 16_432),
        ((5,), 134_459),
    ],
)
def test_well_known_numbers_of_classes(rounds: Rounds, size: int) -> None:
    assert hand_classes(*rounds).size == size


@given(st.data(), st.sampled_from(ALL_ROUNDS), st.permutations(range(4)))
def test_renaming_suits_and_order_within_a_round_change_nothing(
    data: st.DataObject, rounds: Rounds, new_suits: list[int]
) -> None:
    cards = data.draw(hands(rounds))
    classes = hand_classes(*rounds)
    other = [
        card
        for group in in_rounds(renamed(cards, tuple(new_suits)), rounds)
        for card in data.draw(st.permutations(group))
    ]
    assert classes.index(other) == classes.index(cards)


@given(st.data(), st.sampled_from(ALL_ROUNDS))
def test_two_hands_share_a_class_exactly_if_they_are_alike(
    data: st.DataObject, rounds: Rounds
) -> None:
    cards, other = data.draw(hands(rounds)), data.draw(hands(rounds))
    ranks = [card // 4 for card in cards]
    similar = [4 * rank + card % 4 for rank, card in zip(ranks, other, strict=True)]
    classes = hand_classes(*rounds)
    for second in (other, similar):
        if len(set(second)) == len(second):
            alike = least(cards, rounds) == least(second, rounds)
            assert (classes.index(cards) == classes.index(second)) == alike


@given(st.data(), st.sampled_from(ALL_ROUNDS))
def test_the_canonical_hand_is_one_of_its_class(data: st.DataObject, rounds: Rounds) -> None:
    cards = data.draw(hands(rounds))
    classes = hand_classes(*rounds)
    hand = classes.hand(classes.index(cards)).tolist()
    assert least(hand, rounds) == least(cards, rounds)
    new_suits = tuple(classes.renaming(cards).tolist())
    assert in_rounds(renamed(cards, new_suits), rounds) == in_rounds(hand, rounds)
    assert classes.renaming(hand).tolist() == [0, 1, 2, 3]
    orbit = {in_rounds(renamed(cards, new_suits), rounds) for new_suits in RENAMINGS}
    assert classes.multiplicity(classes.index(cards)) == len(orbit)


@pytest.mark.parametrize("rounds", [(2,), (3,), (2, 3), (4,), (5,)], ids=str)
def test_classes_hands_and_multiplicities_fit_together(rounds: Rounds) -> None:
    classes = hand_classes(*rounds)
    numbers = np.arange(classes.size)
    assert (classes.index(classes.hand(numbers)) == numbers).all()
    all_hands = prod(comb(52 - sum(rounds[:i]), size) for i, size in enumerate(rounds))
    assert classes.multiplicity(numbers).sum() == all_hands


@pytest.mark.parametrize("rounds", [(2, 3, 1), (2, 3, 1, 1)], ids=str)
def test_numbers_of_later_streets_lead_to_hands_and_back(rounds: Rounds) -> None:
    classes = hand_classes(*rounds)
    numbers = np.append(np.arange(0, classes.size, classes.size // 100_000), classes.size - 1)
    assert (classes.index(classes.hand(numbers)) == numbers).all()


def test_every_flop_hand_falls_into_its_class() -> None:
    starting, flops = hand_classes(2), hand_classes(2, 3)
    numbers = np.arange(starting.size)
    counts = np.zeros(flops.size, np.int64)
    places = np.array(list(combinations(range(50), 3)))
    for hole, weight in zip(starting.hand(numbers), starting.multiplicity(numbers), strict=True):
        boards = np.setdiff1d(np.arange(52), hole)[places]
        together = np.hstack([np.tile(hole, (len(boards), 1)), boards])
        counts += weight * np.bincount(flops.index(together), minlength=flops.size)
    assert (counts == flops.multiplicity(np.arange(flops.size))).all()


def test_canonical_flops_stand_for_all_flops() -> None:
    alike = Counter(least(list(flop), (3,)) for flop in combinations(range(52), 3))
    boards, multiplicities = canonical_boards(3)
    found = {
        least(board, (3,)): count
        for board, count in zip(boards.tolist(), multiplicities.tolist(), strict=True)
    }
    assert found == alike


@pytest.mark.parametrize(("num_cards", "boards"), [(3, 1755), (4, 16_432), (5, 134_459)])
def test_canonical_boards_sum_to_all_boards(num_cards: int, boards: int) -> None:
    cards, multiplicities = canonical_boards(num_cards)
    assert cards.shape == (boards, num_cards)
    assert multiplicities.sum() == comb(52, num_cards)


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("Ac Ad", "", "As Ah |"),
        ("2h 9h", "", "9s 2s |"),
        ("7d Kc", "2h Kd 9h 3c", "Kh 7s | Ks 9d 2d 3h"),
        ("Qc Jc", "Td 5d 2d 8d 9d", "Qs Js | Th 5h 2h 8h 9h"),
    ],
)
def test_canonical_hands_as_text(hole: str, board: str, expected: str) -> None:
    first, then = canonical(parse_cards(hole), parse_cards(board))
    assert f"{card_text(first)} | {card_text(then)}".strip() == expected
    again = canonical(first, then)
    assert (again[0] == first).all()
    assert (again[1] == then).all()


def test_streets_are_remembered_apart() -> None:
    hole = parse_cards("As Kd")
    river = canonical(hole, parse_cards("2c 3c 4c 5h 6s"))[1]
    swapped = canonical(hole, parse_cards("2c 3c 4c 6s 5h"))[1]
    assert card_text(river) != card_text(swapped)


def test_wrong_numbers_of_cards_are_refused() -> None:
    with pytest.raises(CardError, match="4 cards do not fit rounds of 2, 3; give 5"):
        hand_classes(2, 3).index([0, 1, 2, 3])
    with pytest.raises(CardError, match="give two hole cards and a board of 0, 3, 4 or 5"):
        canonical([0, 1], [2, 3])
    with pytest.raises(CardError, match=r"shape \(2, 2\) and a board of shape \(3,\)"):
        canonical([[0, 1], [2, 3]], [4, 5, 6])
    with pytest.raises(CardError, match="twice"):
        canonical([0, 1], [0, 2, 3])


@pytest.mark.parametrize("number", [-1, 169, 1.0])
def test_numbers_that_are_no_classes_are_refused(number: float) -> None:
    with pytest.raises(SettingError, match="numbered 0 to 168"):
        hand_classes(2).hand([0, number])


@pytest.mark.parametrize("rounds", [(), (0,), (True, 3), (2, 6), (1, 1, 1, 1, 1)], ids=str)
def test_impossible_rounds_are_refused(rounds: Rounds) -> None:
    with pytest.raises(SettingError, match=r"give up to 4 rounds|must be an integer from 1 to 7"):
        hand_classes(*rounds)


def test_other_boards_are_refused() -> None:
    with pytest.raises(SettingError, match="give 3, 4 or 5"):
        canonical_boards(2)
