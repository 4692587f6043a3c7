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
from pokerlab.holdem.cards import HOLDINGS, HOLDS_CARD, NUM_HOLDINGS, NUM_RANKS, NUM_SUITS, RANKS
from pokerlab.holdem.hand_classes import RENAMED_HOLDINGS
from pokerlab.holdem.preflop_showdowns import count_preflop_showdowns
from tools.recorded_runs import format_packed_script

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
    """Return the number of the starting hand, from 0 to 168, of each holding of two cards, (1326,).

    Starting hands are numbered row by row in a square whose rows and columns are ranks, aces first. Suited hands are
    above its diagonal, the others below.
    """
    higher_rank_first = np.sort(HOLDINGS.astype(np.int64) // NUM_SUITS, axis=1)[:, ::-1]
    high, low = (NUM_RANKS - 1 - higher_rank_first).T  # positions in the square, aces at 0
    is_suited = HOLDINGS[:, 0] % NUM_SUITS == HOLDINGS[:, 1] % NUM_SUITS
    index: Ints = np.where(is_suited, NUM_RANKS * high + low, NUM_RANKS * low + high)
    return index


@cache
def compare_starting_hands() -> HandPairs:
    """Return how often each starting hand wins and ties against each other one, over all cards and boards.

    There are 1,624,350 ordered pairs of holdings without a common card. Pairs that differ by a
    renaming of suits, or by the order of the two players, have the same counts, so each such kind of pairs is counted
    once.
    """
    num_common_cards = HOLDS_CARD.T.astype(np.int64) @ HOLDS_CARD
    first, second = np.nonzero(num_common_cards == 0)

    # The key of a pair is its smallest number after any renaming of suits, in either order of the players.
    keys = np.full((2, len(first)), NUM_HOLDINGS**2)
    for renamed_holding in RENAMED_HOLDINGS.astype(np.int64):
        for order, (own, other) in enumerate([(first, second), (second, first)]):
            numbers = NUM_HOLDINGS * renamed_holding[own] + renamed_holding[other]
            np.minimum(keys[order], numbers, out=keys[order])
    kind_keys, kind_of_pair = np.unique(keys.min(axis=0), return_inverse=True)

    counts = np.zeros((len(kind_keys), 3), np.int64)  # wins, ties and losses of the first holding
    for key, counts_of_kind in zip(kind_keys.tolist(), counts, strict=True):
        first_holding, second_holding = HOLDINGS[key // NUM_HOLDINGS], HOLDINGS[key % NUM_HOLDINGS]
        count_preflop_showdowns(first_holding, second_holding, counts_of_kind)

    # Where the key is of the other order, the wins of the pair are the losses of its kind.
    is_exchanged = keys[1] < keys[0]
    wins_of_pair = np.where(is_exchanged, counts[kind_of_pair, 2], counts[kind_of_pair, 0])
    ties_of_pair = counts[kind_of_pair, 1]

    hand_of_holding = index_starting_hands()
    cells = hand_of_holding[first], hand_of_holding[second]
    wins, ties, pairs = np.zeros((3, len(NAMES), len(NAMES)), np.int64)
    np.add.at(wins, cells, wins_of_pair)
    np.add.at(ties, cells, ties_of_pair)
    np.add.at(pairs, cells, 1)
    return HandPairs(wins=wins, ties=ties, pairs=pairs)


def write_starting_hands(folder: Path) -> None:
    """Write a script with the shares of wins and ties of each pair of starting hands into a folder.

    Shares are whole numbers of 16 bits, row by row from the diagonal on, first those of wins and then those of ties.
    """
    hands = compare_starting_hands()
    num_deals = hands.pairs * NUM_BOARDS
    upper_triangle = np.triu_indices(len(NAMES))
    arrays = []
    for counts in (hands.wins, hands.ties):
        shares = (counts / num_deals)[upper_triangle]
        arrays.append(memoryview(np.round(SCALE * shares).astype("<u2").tobytes()))
    script = format_packed_script(RUN, [], arrays)
    (folder / f"{RUN}.js").write_text(script, encoding="ascii")
