"""How often each of the 169 starting hands wins against each other one, for the site's explorer.

A starting hand is a place in the usual square of 13 rows and columns, aces first: pairs on the diagonal, suited hands
above it, the others below. The numbers of two starting hands are sums over all pairs of their cards and all boards.
"""

from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints
from pokerlab.holdem.cards import (
    HOLDINGS,
    HOLDS_CARD,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    RENAMED_HOLDINGS,
)
from pokerlab.holdem.preflop_showdowns import count_preflop_showdowns
from tools.recorded_runs import pack

RUN = "starting-hands"
"""The name of the file."""
PLACES = list(product(range(NUM_RANKS), repeat=2))
NAMES = [
    f"{RANKS[-1 - min(place)]}{RANKS[-1 - max(place)]}{'' if row == column else 's' if row < column else 'o'}"
    for place in PLACES
    for row, column in [place]
]
"""'AA', 'AKs', ..., '22': the 169 starting hands, row by row."""
NUM_BOARDS = 1_712_304
SCALE = 2**16 - 1
"""Of the shares in the file, which are whole numbers of 16 bits."""


class HandPairs(NamedTuple):
    """Pairs of starting hands.

    Attributes
    ----------
    wins, ties : ndarray of int64, shape (169, 169)
        The number of deals (both hands and the board) in which the hand of the row wins and ties.
    pairs : ndarray of int64, shape (169, 169)
        The number of pairs of holdings that have no card in common. Each has 1,712,304 boards.
    """

    wins: Ints
    ties: Ints
    pairs: Ints


def index_starting_hands() -> Ints:
    """Return the starting hand of each holding, shape (1326,)."""
    ranks = NUM_RANKS - 1 - np.sort(HOLDINGS.astype(np.int64) // NUM_SUITS, axis=1)[:, ::-1]
    is_suited = HOLDINGS[:, 0] % NUM_SUITS == HOLDINGS[:, 1] % NUM_SUITS
    high, low = ranks.T
    index: Ints = np.where(is_suited, NUM_RANKS * high + low, NUM_RANKS * low + high)
    return index


@cache
def compare_starting_hands() -> HandPairs:
    """Count the wins and ties of all pairs of starting hands.

    Pairs of holdings that differ by a renaming of suits, or by the order of the two players, are counted once.
    """
    overlap = HOLDS_CARD.T.astype(np.int64) @ HOLDS_CARD
    first, second = np.nonzero(overlap == 0)
    renamed = RENAMED_HOLDINGS.astype(np.int64)
    keys = np.full((2, len(first)), NUM_HOLDINGS**2)
    for row in renamed:
        for order, (one, other) in enumerate([(first, second), (second, first)]):
            np.minimum(keys[order], NUM_HOLDINGS * row[one] + row[other], out=keys[order])
    kinds, kind = np.unique(keys.min(axis=0), return_inverse=True)
    counts = np.zeros((len(kinds), 3), np.int64)
    for key, out in zip(kinds.tolist(), counts, strict=True):
        count_preflop_showdowns(HOLDINGS[key // NUM_HOLDINGS], HOLDINGS[key % NUM_HOLDINGS], out)
    wins = np.where(keys[1] < keys[0], counts[kind, 2], counts[kind, 0])
    at = index_starting_hands()
    sums = np.zeros((3, len(NAMES), len(NAMES)), np.int64)
    for total, each in zip(sums, (wins, counts[kind, 1], 1), strict=True):
        np.add.at(total, (at[first], at[second]), each)
    return HandPairs(*sums)


def write_starting_hands(folder: Path) -> None:
    """Write the shares of wins and ties of each pair of starting hands, row by row from the diagonal on."""
    hands = compare_starting_hands()
    above = np.triu_indices(len(NAMES))
    shares = [(count / (hands.pairs * NUM_BOARDS))[above] for count in (hands.wins, hands.ties)]
    arrays = [memoryview(np.round(SCALE * share).astype("<u2").tobytes()) for share in shares]
    (folder / f"{RUN}.js").write_text(pack(RUN, [], arrays), encoding="ascii")
