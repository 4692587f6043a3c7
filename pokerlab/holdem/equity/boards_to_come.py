"""All boards that can still come, equivalent ones taken once.

Suits may be renamed where that changes neither the board nor the ranges: each such renaming turns
a board into another of the same value. Of boards that turn into each other, the one with the
greatest number is kept, with their count. A board's number has a bit for each card, suit by
suit.
"""

from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards.deck import (
    HOLDINGS,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    Cards,
    holding_numbers,
)

Renamings = NDArray[np.int64]


def renamings_that_keep(board: Cards, *weights: NDArray[np.float64]) -> Renamings:
    """Return the renamings of suits that change neither a board nor any of the ranges.

    Returns
    -------
    ndarray of int64, shape (g, 4)
        New suits of the old ones; the first renaming keeps all names.
    """
    kept = []
    for suits in permutations(range(NUM_SUITS)):
        cards = rename_suits(np.arange(NUM_CARDS), np.array(suits))
        same_board = set(cards[board]) == set(board)
        if same_board and all((w[renamed_holdings(np.array(suits))] == w).all() for w in weights):
            kept.append(suits)
    return np.array(kept)


def rename_suits(cards: NDArray[np.int64], suits: Renamings) -> NDArray[np.int64]:
    """Return cards with other suits."""
    return cards // NUM_SUITS * NUM_SUITS + suits[cards % NUM_SUITS]


def renamed_holdings(suits: Renamings) -> NDArray[np.int64]:
    """Return for each holding what it becomes: shape (1326,)."""
    return holding_numbers(rename_suits(HOLDINGS.astype(np.int64), suits))


def boards_to_come(
    board: Cards, dead: Cards, renamings: Renamings
) -> tuple[Cards, NDArray[np.int64]]:
    """Return the boards of five that a board can become, without the dead cards.

    Parameters
    ----------
    board : ndarray of uint8, shape (k,)
    dead : ndarray of uint8, shape (d,)
        Cards that cannot come.
    renamings : ndarray of int64, shape (g, 4)
        A group under which boards are equivalent.

    Returns
    -------
    boards : ndarray of uint8, shape (n, 5)
    multiplicities : ndarray of int64, shape (n,)
        How many boards each stands for.
    """
    deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), np.concatenate([board, dead]))
    coming = 5 - len(board)
    most = comb(len(deck), coming)
    boards, multiplicities = np.empty((most, 5), np.uint8), np.empty(most, np.int64)
    size = fill_coming(deck, board, coming, renamings, boards, multiplicities)
    return boards[:size], multiplicities[:size]


@kernel
def fill_coming(
    deck: Cards,
    board: Cards,
    coming: int,
    renamings: Renamings,
    out_boards: Cards,
    out_multiplicities: NDArray[np.int64],
) -> int:
    """Write the boards kept and what each stands for; return how many are kept."""
    places = np.empty(5, np.int64)
    for i in range(coming):
        places[i] = i
    five = np.empty(5, np.uint8)
    for i in range(board.size):
        five[i] = board[i]
    masks = np.empty(NUM_SUITS, np.int64)
    kept = 0
    while True:
        for i in range(coming):
            five[board.size + i] = deck[places[i]]
        for suit in range(NUM_SUITS):
            masks[suit] = 0
        for i in range(5):
            masks[five[i] % NUM_SUITS] |= 1 << np.int64(five[i]) // NUM_SUITS
        stands_for = orbit(masks, renamings)
        if stands_for:
            for i in range(5):
                out_boards[kept, i] = five[i]
            out_multiplicities[kept] = stands_for
            kept += 1
        i = coming - 1
        while i >= 0 and places[i] == deck.size - coming + i:
            i -= 1
        if i < 0:
            return kept
        places[i] += 1
        for j in range(i + 1, coming):
            places[j] = places[j - 1] + 1


@inlined
def orbit(masks: NDArray[np.int64], renamings: Renamings) -> int:
    """Return how many boards a board turns into, or 0 if one of them has a greater number."""
    own = np.int64(0)
    for suit in range(NUM_SUITS):
        own |= masks[suit] << NUM_RANKS * suit
    same = 0
    for r in range(renamings.shape[0]):
        other = np.int64(0)
        for suit in range(NUM_SUITS):
            other |= masks[suit] << NUM_RANKS * renamings[r, suit]
        if other > own:
            return 0
        same += other == own
    return int(renamings.shape[0] // same)
