"""The exact win probability inside kernels, for players at a table: one hand, one board at a time.

The numbers are those of `pokerlab.holdem.equity.exact`; here the cards are not checked.

How to read it. The tables of the flop and the turn have a row for each class of boards, and to look a
board up is to find its class and the new names of its suits. Both are kept for all 22,100 flops, and
for each class of flops with each turn card: so it takes one step on the flop and two on the turn.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.compiler import inlined
from pokerlab.holdem.cards.deck import NUM_CARDS, NUM_SUITS, Cards, Whole, holding
from pokerlab.holdem.cards.suits import HandClasses, canonical_boards, hand_classes
from pokerlab.holdem.equity.exact import NUM_COMPARISONS
from pokerlab.holdem.equity.river import Counts, river_counts, river_table
from pokerlab.holdem.equity.tables import WIDE_TIES, WIDE_WINS, WideCounts, equity_table, wide

ON_FLOP, ON_TURN, ON_RIVER = 3, 4, 5
COMPARISONS_ON = np.array([NUM_COMPARISONS.get(cards, 0) for cards in range(ON_RIVER + 1)])
"""How many comparisons there are, by the number of cards on the board."""
SUIT_BITS, SUIT = 2, 3
CLASS = SUIT_BITS * NUM_SUITS
"""Where the class begins in a `Boards`; the bits below are the new name of each suit."""

Boards = NDArray[np.uint32]


class EquityTables(NamedTuple):
    """What `win_probability_on` looks cards up in; made by `lookup_tables`.

    Counts of wins and ties are those of `equity.tables` and `equity.river`. `flops`, (22100,) by
    `flop_number`, has the class of each flop, and the new names of suits that make it canonical;
    `turns`, (1755, 52), the same for each canonical flop with each card, zero where it is on the flop.
    """

    before_flop: WideCounts
    flop: WideCounts
    turn: Counts
    river: Counts
    flops: Boards
    turns: Boards


@cache
def lookup_tables() -> EquityTables:
    """Return the tables of all streets; on first use they are made, in seconds, and kept."""
    return EquityTables(
        equity_table(0),
        equity_table(ON_FLOP),
        equity_table(ON_TURN),
        river_table(),
        flop_classes(),
        turn_classes(),
    )


def flop_classes() -> Boards:
    """Return the class and the names of suits of all flops, (22100,)."""
    rising = np.array(list(combinations(range(NUM_CARDS), ON_FLOP)))
    flops = rising[np.lexsort(rising.T)]  # as `flop_number` has them
    return classes_and_names(hand_classes(ON_FLOP), flops)


def turn_classes() -> Boards:
    """Return the class and the names of suits of all canonical flops with each card, (1755, 52)."""
    flops = canonical_boards(ON_FLOP)[0]
    canonical = np.repeat(flops[:, None], NUM_CARDS, axis=1)
    cards = np.broadcast_to(np.arange(NUM_CARDS)[:, None], (len(flops), NUM_CARDS, 1))
    boards = np.concatenate([canonical, cards], axis=2)
    is_new = (canonical != cards).all(axis=2)
    found = np.zeros(is_new.shape, np.uint32)
    found[is_new] = classes_and_names(hand_classes(ON_TURN), boards[is_new])
    found.flags.writeable = False
    return found


def classes_and_names(classes: HandClasses, boards: NDArray[np.int64]) -> Boards:
    """Return the class of each board, and in the bits below it the new name of each suit."""
    names = classes.renaming(boards).astype(np.int64) << SUIT_BITS * np.arange(NUM_SUITS)
    found = np.asarray(classes.index(boards) << CLASS | names.sum(axis=-1), np.uint32)
    found.flags.writeable = False
    return found


@inlined
def win_probability_on(tables: EquityTables, hole: Cards, board: Cards, tie: float) -> float:
    """Return the probability to win against one random hand, without checking the cards.

    `tie` is what a tie counts: 0.5 for half a win, 1.0 for a win, 0.0 for nothing.
    """
    first, second = np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        pair = wide(river_counts(tables.river, board, first, second))
    elif board.size == 0:
        pair = tables.before_flop[0, holding(first, second)]
    else:
        flop = np.int64(tables.flops[flop_number(board)])
        first, second = np.int64(renamed(flop, first)), np.int64(renamed(flop, second))
        if board.size == ON_FLOP:
            pair = tables.flop[flop >> CLASS, holding(first, second)]
        else:
            turn = np.int64(tables.turns[flop >> CLASS, renamed(flop, np.int64(board[ON_FLOP]))])
            place = holding(renamed(turn, first), renamed(turn, second))
            pair = wide(tables.turn[turn >> CLASS, place])
    wins, ties = np.int64(pair & WIDE_WINS), np.int64(pair >> np.uint64(WIDE_TIES))
    return float((wins + tie * ties) / COMPARISONS_ON[board.size])


@inlined
def flop_number(board: Cards) -> Whole:
    """Return the number of the first three cards among all flops, in any order of these."""
    a, b, c = np.int64(board[0]), np.int64(board[1]), np.int64(board[2])
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


@inlined
def renamed(found: Whole, card: Whole) -> Whole:
    """Return a card with the new name of its suit."""
    suit = card % NUM_SUITS
    return card - suit + (found >> SUIT_BITS * suit & SUIT)
