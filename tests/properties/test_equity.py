"""Laws of win probabilities: halves in the mean, sums of comparisons, suits without meaning."""

from itertools import permutations
from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_SUITS, Cards
from pokerlab.holdem.equity.exact import comparisons, win_probability

SUIT_ORDERS = list(permutations(range(NUM_SUITS)))


@st.composite
def boards(draw: st.DrawFn, sizes: tuple[int, ...] = (3, 4, 5)) -> Cards:
    """Draw boards; in half of them most cards are of one suit."""
    size = draw(st.sampled_from(sizes))
    card = st.integers(0, NUM_CARDS - 1)
    if draw(st.booleans()):
        card = st.one_of(st.integers(0, 12).map(lambda rank: NUM_SUITS * rank), card)
    cards = st.lists(card, min_size=size, max_size=size, unique=True)
    return np.array(draw(cards), np.uint8)


def renamed(cards: Cards, suits: tuple[int, ...]) -> Cards:
    return (cards // NUM_SUITS * NUM_SUITS + np.array(suits)[cards % NUM_SUITS]).astype(np.uint8)


def possible_on(board: Cards) -> Cards:
    return HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)]


def total(board: Cards) -> tuple[int, int, int]:
    """Return the wins, ties and losses of all holdings together."""
    counted = comparisons(possible_on(board), board)
    wins, ties, losses = (int(count.sum()) for count in counted)
    return wins, ties, losses


@given(boards())
def test_all_holdings_together_win_as_often_as_they_lose(board: Cards) -> None:
    wins, ties, losses = total(board)
    left = NUM_CARDS - len(board)
    assert wins == losses
    assert wins + ties + losses == comb(left, 2) * comb(left - 2, 5 - len(board)) * 990
    assert ties % 2 == 0  # every tie is one for both


@given(boards(), st.sampled_from(SUIT_ORDERS), st.sampled_from(["half", "win", "lose"]))
def test_suits_can_be_renamed(board: Cards, suits: tuple[int, ...], ties: str) -> None:
    holes = possible_on(board)
    before = win_probability(holes, board, ties)
    after = win_probability(renamed(holes, suits), renamed(board, suits), ties)
    assert (before == after).all()


@given(boards())
def test_neither_the_order_of_the_board_nor_of_the_hand_matters(board: Cards) -> None:
    holes = possible_on(board)
    assert (win_probability(holes, board) == win_probability(holes[:, ::-1], board[::-1])).all()
