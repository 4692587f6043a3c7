"""The probability to win against one random hand, exact on every street, for any number of hands.

How to read it. Whoever holds two cards meets every opponent's hand on every board that can still come, all equally
likely. Each of these comparisons is won, tied or lost; `comparisons` counts them and `win_probability` says what
share is won. On the river the counts are looked up by kinds of boards, before it by canonical boards.

On the river, what hole cards are worth on a board depends only on its ranks if no suit has three
cards there: 6,175 kinds of *plain* boards. They stand where the table of five-card strengths
keeps the strength of these ranks. Otherwise it depends on the ranks in that suit, `size` of them,
and on the multiset of the other ranks: 26,026 + 9,295 + 1,287 kinds of *suited* boards for sizes
3, 4 and 5. Their rows follow each other by size, then by the combination of the suit's ranks,
then by the multiset, both in colexicographic order.

All counts are made once, in seconds, and kept in files of 171 MB, which all processes map into memory
(`pokerlab.core.fixed_arrays`). Before the river they are those of all holdings on all canonical boards. Rows follow
`pokerlab.holdem.cards.canonical_boards`, columns the holdings; entries are zero where a holding shares a card with the
board. On a board of four cards there are 46 rivers for two hole cards, and 990 opponents' hands on each: wins and ties
are sums over the rivers. A flop's are half the sums over 47 turns, since every turn and river come in two orders. A
starting hand's are sums over all boards of five: over those of the canonical boards, as often as each stands for
others, and then over all holdings that are the same starting hand.

Inside kernels, for players at a table, one hand and one board is looked up at a time, and cards are not checked. The
tables of the flop and the turn have a row for each class of boards, and to look a board up is to find its class and
the new names of its suits. Both are kept for all 22,100 flops, and for each class of flops with each turn card: so it
takes one step on the flop and two on the turn.
"""

from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Floats, Ints, UnknownNameError, inlined, kernel
from pokerlab.core.fixed_arrays import FixedArray, load_fixed_array
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    RENAMED,
    Cards,
    HandClasses,
    Whole,
    canonical_boards,
    canonical_boards_of,
    check_cards,
    hand_classes,
    holding,
    holding_numbers,
)
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    COUNTER,
    KEY_OF_RANK,
    MASK_BITS,
    NUM_ENDS,
    OWN_SUIT,
    STRENGTHS_5,
    Small,
    place_of_five,
    rank_sets,
    sort_by_strength,
    strength_of_seven,
)

NUM_TYPES = 2 * NUM_RANKS
NUM_CLASSES = NUM_TYPES * (NUM_TYPES + 1) // 2
SQUARE = (NUM_TYPES + 1, NUM_TYPES + 1)
"""Types of two cards; the last is that of cards on the board."""
TIES = 16
"""Where the ties begin in a pair of counts."""
WINS = (1 << TIES) - 1
"""The bits of the wins in a pair of counts."""

TO_FLUSH = np.int64(2 * OWN_SUIT * COUNTER.sum())
"""Added to the key of a board, it tells three cards of a suit as a flush."""
STRENGTH, FIRST, TYPE = 10, 5, 31
NO_SUIT = -1

Counts = NDArray[np.uint32]


class RiverWorkspace(NamedTuple):
    """The memory for sorting and counting the classes of a board."""

    cards_left: Small  # (26,): cards of each type that are not on the board
    with_type: Small  # (26,): hands swept so far that hold a given card of the type
    classes: Small  # (351,): each met; its strength, and its two types in the low five bits each
    room: Small  # (351,): the classes when half sorted; then the wins of each
    ends: Small  # (192,): for sorting


def river_workspace() -> RiverWorkspace:
    """Return room to work in."""
    return RiverWorkspace(
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_ENDS, np.int32),
    )


@inlined
def class_of(first: Whole, second: Whole) -> Whole:
    """Return the number of the class of two types, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@inlined
def type_of(card: Whole, suit: int) -> Whole:
    """Return the type of a card, where `suit` is the one that can make a flush, or NO_SUIT."""
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == suit else 0)


@inlined
def num_types(suit: int) -> int:
    """Return how many types of cards there are if this suit, or none, can make a flush."""
    return NUM_RANKS if suit == NO_SUIT else NUM_TYPES


@inlined
def flush_suit(board: Cards) -> int:
    """Return the suit with three or more of the first five cards, or NO_SUIT."""
    key = TO_FLUSH
    for place in range(5):
        key += CARD_KEYS[board[place]]
    for suit in range(NUM_SUITS):
        if key & 64 * COUNTER[suit]:
            return suit
    return NO_SUIT


@inlined
def add_to_holdings(
    board: Cards, suit: int, of_class: Any, types: Ints, square: Any, out_sums: Any
) -> None:
    """Add to each holding, (1326,), what its class has, (351,), or the last of `square` where it shares a card.

    `types`, (52,), and all but the last row and column of `square`, (27, 27), are overwritten.
    """
    kind = 0
    for one in range(num_types(suit)):
        for two in range(one + 1):
            square[one, two] = square[two, one] = of_class[kind]
            kind += 1
    for card in range(NUM_CARDS):
        types[card] = type_of(card, suit)
    for place in range(5):
        types[board[place]] = NUM_TYPES
    first = 0
    for high in range(NUM_CARDS):
        of_type = square[types[high]]
        for low in range(high):
            out_sums[first + low] += of_type[types[low]]
        first += high


@inlined
def find_classes(board: Cards, suit: int, work: RiverWorkspace) -> int:
    """Find the classes that a board leaves possible, and their strengths; return how many."""
    for rank in range(NUM_RANKS):
        work.cards_left[rank] = NUM_SUITS if suit == NO_SUIT else NUM_SUITS - 1
        work.cards_left[NUM_RANKS + rank] = 1
    key = bits = np.int64(0)
    for place in range(5):
        card = np.int64(board[place])
        work.cards_left[type_of(card, suit)] -= 1
        key += CARD_KEYS[card]
        bits += CARD_BITS[card]
    suited_key = OWN_SUIT * COUNTER[max(suit, 0)]
    found = 0
    for one in range(num_types(suit)):
        if not work.cards_left[one]:
            continue
        one_key, one_bits = key + KEY_OF_RANK[one % NUM_RANKS], bits
        if one >= NUM_RANKS:
            one_key += suited_key
            one_bits += 1 << one - NUM_RANKS + MASK_BITS * suit
        for two in range(one + 1):
            if work.cards_left[two] <= (one == two):
                continue
            both_key, both_bits = one_key + KEY_OF_RANK[two % NUM_RANKS], one_bits
            if two >= NUM_RANKS:
                both_key += suited_key
                both_bits += 1 << two - NUM_RANKS + MASK_BITS * suit
            strength = strength_of_seven(both_key, both_bits)
            work.classes[found] = strength << STRENGTH | one << FIRST | two
            found += 1
    return found


@inlined
def pairs_of(left: Small, one: Whole, two: Whole) -> np.int64:
    """Return how many hands have these two types of cards."""
    if one == two:
        return np.int64(left[one] * (left[one] - 1) // 2)
    return np.int64(left[one] * left[two])


@inlined
def count_classes(num_classes: int, work: RiverWorkspace, out_counts: Counts) -> None:
    """Write the pair of counts of each class, sweeping from the weakest to the strongest."""
    left, with_type, classes, wins = work.cards_left, work.with_type, work.classes, work.room
    for kind in range(NUM_TYPES):
        with_type[kind] = 0
    swept = np.int64(0)
    begin = 0
    while begin < num_classes:
        strength = classes[begin] >> STRENGTH
        end = begin
        below = swept
        while end < num_classes and classes[end] >> STRENGTH == strength:
            one, two = classes[end] >> FIRST & TYPE, classes[end] & TYPE
            wins[end] = below - with_type[one] - with_type[two]
            end += 1
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            swept += pairs_of(left, one, two)
            with_type[one] += left[two] - (one == two)
            if one != two:
                with_type[two] += left[one]
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            ties = swept - with_type[one] - with_type[two] + 1 - wins[place]
            out_counts[class_of(one, two)] = np.uint32(wins[place] + (ties << TIES))
        begin = end


OTHERS = (0, 0, 0, NUM_RANKS * (NUM_RANKS + 1) // 2, NUM_RANKS, 1)
"""By the size of the suit, how many multisets of other ranks there are."""
FIRST_ROW = (0, 0, 0, 0, 26_026, 35_321)
"""By the size of the suit, the first row of such boards."""
NUM_SUITED = 36_608
NUM_PLAIN = STRENGTHS_5.size

RANK_MASKS = {
    size: np.array([mask for mask in range(1 << NUM_RANKS) if mask.bit_count() == size])
    for size in range(NUM_RANKS + 1)
}
"""All ways to take each number of ranks, as bits, in colexicographic order."""
COMBINATION = np.empty(1 << NUM_RANKS, np.uint16)
"""The place of each mask of ranks among `RANK_MASKS`."""
for of_size in RANK_MASKS.values():
    COMBINATION[of_size] = np.arange(len(of_size))


FIXED_TABLES = {
    0: FixedArray(
        "equity-starting-hands",
        (1, NUM_HOLDINGS),
        np.uint64,
        "0384fc681b2077a18c7fbf8996c936b0d87f94dd514a05832bd1f5c491dd89fa",
    ),
    3: FixedArray(
        "equity-flops",
        (1_755, NUM_HOLDINGS),
        np.uint64,
        "22b67d1d3baf3b0276f68245bbac65bf880f6d55788b415755ff38d1dda4c454",
    ),
    4: FixedArray(
        "equity-turns",
        (16_432, NUM_HOLDINGS),
        np.uint32,
        "3851bf22733cd8365f196a42fb00f80ec56538934d0f14241b54aff7e2f5f3cf",
    ),
    5: FixedArray(
        "equity-rivers",
        (NUM_PLAIN + NUM_SUITED, NUM_CLASSES),
        np.uint32,
        "b45c74891aba47d684bc734636b167cc69bef9a334b60c754e1e401f472e9bbf",
    ),
}
"""The tables of counts, by the number of cards on the board. A table that is laid out anew has another checksum."""


@cache
def river_table() -> Counts:
    """Return the counts of all hole cards on all rivers, (rows, 351), from disk if they are there.

    Pairs of counts, wins + 65536 ties, by `river_row` of the board and `class_of` the types of the
    hole cards. Plain boards have only the first 91 classes, and unused rows between them.
    """
    return load_fixed_array(FIXED_TABLES[5], all_rivers)


def all_rivers() -> Counts:
    """Return the counts of all hole cards on all rivers."""
    table = np.zeros((NUM_PLAIN + NUM_SUITED, NUM_CLASSES), np.uint32)
    work = river_workspace()
    fill_rows(plain_boards(), work, table)
    fill_rows(suited_boards(), work, table)
    return table


def plain_boards() -> Cards:
    """Return one board of each kind without three cards of a suit: shape (6175, 5)."""
    return (NUM_SUITS * rank_sets(5) + np.arange(5) % NUM_SUITS).astype(np.uint8)


def suited_boards() -> Cards:
    """Return one board of each kind with three clubs or more, row after row: shape (36608, 5)."""
    boards = []
    ranks = np.arange(NUM_RANKS)
    high, low = np.tril_indices(NUM_RANKS)
    others = {3: np.stack([high, low], axis=1), 4: ranks[:, None], 5: np.empty((1, 0), np.int64)}
    for size, outside in others.items():
        in_suit = np.array([ranks[mask >> ranks & 1 == 1] for mask in RANK_MASKS[size]])
        together = [
            np.repeat(NUM_SUITS * in_suit, len(outside), axis=0),
            np.tile(NUM_SUITS * outside + 1 + np.arange(5 - size), (len(in_suit), 1)),
        ]
        boards.append(np.concatenate(together, axis=1))
    return np.concatenate(boards).astype(np.uint8)


@inlined
def river_row(board: Cards, suit: int) -> Whole:
    """Return the row of the first five cards, where `suit` is their `flush_suit`."""
    if suit == NO_SUIT:
        key = np.int64(0)
        for place in range(5):
            key += CARD_KEYS[board[place]]
        return np.int64(place_of_five(key))
    mask, size, high, low = np.int64(0), 0, np.int64(-1), np.int64(-1)
    for place in range(5):
        rank = np.int64(board[place]) // NUM_SUITS
        if board[place] % NUM_SUITS == suit:
            mask |= 1 << rank
            size += 1
        else:
            high, low = max(high, rank), rank if high < 0 else min(high, rank)
    others = np.int64(0)
    if size == 4:
        others = high
    elif size == 3:
        others = high * (high + 1) // 2 + low
    return NUM_PLAIN + FIRST_ROW[size] + np.int64(COMBINATION[mask]) * OTHERS[size] + others


@inlined
def river_counts(table: Counts, board: Cards, first: Whole, second: Whole) -> np.uint32:
    """Return the pair of counts of two hole cards on a board of five; all seven are different."""
    suit = flush_suit(board)
    kind = class_of(type_of(first, suit), type_of(second, suit))
    return np.uint32(table[river_row(board, suit), kind])


@kernel
def fill_rows(boards: Cards, work: RiverWorkspace, out_table: Counts) -> None:
    """Write what hole cards are worth on each board where it stands in the table."""
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        num_classes = find_classes(boards[number], suit, work)
        sort_by_strength(work.classes, num_classes, STRENGTH, work.room, work.ends)
        count_classes(num_classes, work, out_table[river_row(boards[number], suit)])


Table = NDArray[Any]
WideCounts: TypeAlias = NDArray[np.uint64]  # pairs of larger counts: wins + 2**32 ties
WIDE_TIES = 32
WIDE_WINS = np.uint64(2**WIDE_TIES - 1)
TIES_OF = {0: WIDE_TIES, 3: WIDE_TIES, 4: TIES}
"""Where the ties begin in a pair of counts, by the number of cards on the board."""


@cache
def equity_table(num_cards: int) -> Table:
    """Return the pairs of counts for boards of 0, 3 or 4 cards, (boards, 1326), from disk if they are there."""
    return load_fixed_array(
        FIXED_TABLES[num_cards], {0: starting_hands, 3: flops, 4: turns}[num_cards]
    )


def split_counts(pairs: NDArray[Any], ties: int) -> tuple[Ints, Ints]:
    """Return the wins and the ties of pairs of counts, the latter from this bit on."""
    counts = pairs.astype(np.int64)
    return counts & (1 << ties) - 1, counts >> ties


def starting_hands() -> Table:
    """Return the counts of all holdings before the flop."""
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    add_boards(river_table(), *canonical_boards(5), sums)
    starting_hand = hand_classes(2).index(HOLDINGS.copy())
    sizes = np.bincount(starting_hand)
    bits = np.uint64(WIDE_TIES)
    # A canonical board stands for others, on which a holding is another of the same class.
    wins, ties = (
        np.bincount(starting_hand, count).astype(np.uint64) // sizes.astype(np.uint64)
        for count in (sums & WIDE_WINS, sums >> bits)
    )
    return np.asarray((wins | ties << bits)[None, starting_hand])


def flops() -> Table:
    """Return the counts of all canonical flops."""
    boards = canonical_boards(3)[0]
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(boards), 1))
    coming = cards[(cards[:, :, None] != boards[:, None]).all(axis=2)].reshape(len(boards), -1, 1)
    longer = np.concatenate([np.repeat(boards[:, None], coming.shape[1], axis=1), coming], axis=2)
    classes, counts = hand_classes(4), np.empty((len(boards), NUM_HOLDINGS), np.uint64)
    fill_flops(equity_table(4), classes.index(longer), classes.renaming(longer), counts)
    return counts


def turns() -> Table:
    """Return the counts of all canonical boards of four."""
    boards = canonical_boards(4)[0]
    counts = np.empty((len(boards), NUM_HOLDINGS), np.uint32)
    fill_turns(river_table(), boards, counts)
    return counts


@kernel
def fill_turns(table: Counts, boards: Cards, out_counts: Counts) -> None:
    """Write the pair of counts of each holding on boards (n, 4); zero where it is impossible.

    Rows of the table are first summed over all 48 rivers, by the suit that can make a flush; then what the two
    hole cards themselves had as rivers is taken off. No class wins more than 48 times 990 times: pairs add up.
    """
    sums = np.empty((NUM_SUITS + 1, NUM_CLASSES), np.uint32)  # of NO_SUIT in the last row
    seen = np.empty(NUM_SUITS + 1, np.bool_)
    of_type, types = np.empty(NUM_TYPES, np.uint32), np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for number in range(boards.shape[0]):
        counts, on_board = out_counts[number], np.int64(0)
        for place in range(4):
            board[place] = boards[number, place]
            on_board |= 1 << np.int64(board[place])
        counts[:] = 0
        sums[:] = 0
        seen[:] = False
        for river in range(NUM_CARDS):
            if on_board >> river & 1:
                continue
            board[4] = river
            suit = flush_suit(board)
            row, kind = river_row(board, suit), type_of(river, suit)
            seen[suit] = True
            for pair in range(NUM_CLASSES):
                sums[suit, pair] += table[row, pair]
            for other in range(num_types(suit)):
                of_type[other] = table[row, class_of(kind, other)]
            for card in range(NUM_CARDS):
                if card != river:
                    counts[holding(card, river)] -= of_type[type_of(card, suit)]
        for suit in range(NO_SUIT, NUM_SUITS):
            if not seen[suit]:
                continue
            for card in range(NUM_CARDS):
                types[card] = type_of(card, suit)
            first = 0
            for high in range(NUM_CARDS):
                for other in range(num_types(suit)):
                    of_type[other] = sums[suit, class_of(types[high], other)]
                for low in range(high):
                    counts[first + low] += of_type[types[low]]
                first += high
        for high in range(NUM_CARDS):
            for low in range(high):
                if (on_board >> high | on_board >> low) & 1:
                    counts[holding(high, low)] = 0


@inlined
def wide(pair: np.uint32) -> np.uint64:
    """Return a pair of counts with more room for each."""
    return np.uint64(pair & WINS) | np.uint64(pair >> TIES) << np.uint64(WIDE_TIES)


@kernel
def fill_flops(
    turns: Counts, classes: NDArray[np.int64], renamings: NDArray[np.uint8], out_counts: WideCounts
) -> None:
    """Write the pair of counts of each holding on each flop; zero where it is impossible.

    The `turns` are those of the canonical boards of four; `classes`, (n, 49), and `renamings`, (n,
    49, 4), say which of them each flop with each turn is like, and the suit there of each suit here.
    """
    renamed = np.empty(NUM_CARDS, np.int64)
    for flop in range(classes.shape[0]):
        counts = out_counts[flop]
        for number in range(counts.size):
            counts[number] = 0
        for turn in range(classes.shape[1]):
            of_turn = turns[classes[flop, turn]]
            for card in range(NUM_CARDS):
                suit = renamings[flop, turn, card % NUM_SUITS]
                renamed[card] = card // NUM_SUITS * NUM_SUITS + suit
            number = 0
            for high in range(NUM_CARDS):
                for low in range(high):
                    pair = of_turn[holding(renamed[high], renamed[low])]
                    counts[number] += wide(pair)
                    number += 1
        # Both counts are even, so halving the pair carries nothing from one into the other.
        for number in range(counts.size):
            counts[number] //= 2


@kernel
def add_boards(
    table: Counts, boards: Cards, multiplicities: NDArray[np.int64], out_counts: WideCounts
) -> None:
    """Add to each holding's pair of counts those on boards (n, 5), each times its multiplicity."""
    types, square = np.empty(NUM_CARDS, np.int64), np.zeros(SQUARE, np.uint64)
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        row, kind = river_row(boards[number], suit), 0
        for one in range(num_types(suit)):
            for two in range(one + 1):
                pair = wide(table[row, kind]) * np.uint64(multiplicities[number])
                square[one, two] = square[two, one] = pair
                kind += 1
        for card in range(NUM_CARDS):
            types[card] = type_of(card, suit)
        for place in range(5):
            types[boards[number, place]] = NUM_TYPES
        first = 0
        for high in range(NUM_CARDS):
            of_type = square[types[high]]
            for low in range(high):
                out_counts[first + low] += of_type[types[low]]
            first += high


TIES_WON = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""How much of a tie counts as won, by the rule for ties."""
NUM_COMPARISONS = {
    cards: comb(NUM_CARDS - 2 - cards, 5 - cards) * comb(45, 2) for cards in BOARD_SIZES
}
"""Boards to come times opponents' hands on each, by the number of cards on the board."""


class Comparisons(NamedTuple):
    """How often hole cards win, tie and lose; numbers or arrays of int64.

    They sum to all comparisons: 990 on the river, 46 times as many on the turn, 1,081 on the flop and
    2,118,760 before it.
    """

    wins: Any
    ties: Any
    losses: Any

    def value(self, ties: str = "half") -> Any:
        """Return the share won, with ties counted by the rule 'half', 'win' or 'lose'."""
        return (self.wins + ties_won(ties) * self.ties) / (self.wins + self.ties + self.losses)


def win_probability(hole: ArrayLike | str, board: ArrayLike | str, ties: str = "half") -> Any:
    """Return how likely hole cards are to win against one random hand if nobody folds.

    Exact. Tables of 171 MB are made on first use, in seconds, and kept in the user's cache folder, where all
    processes share them; or beside the installation, where `python -m pokerlab.warm` puts them for all its users.

    Parameters
    ----------
    hole : array_like of integers, shape (2,) or (..., 2), or text
        Hole cards.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5, or text
        The board; other axes are broadcast against those of `hole`.
    ties : {'half', 'win', 'lose'}
        What a tie counts: half a win, a win or nothing.

    Returns
    -------
    float or ndarray of float64, shape (...,)

    Examples
    --------
    >>> win_probability("Ac Ad", "")
    0.852037133...
    >>> win_probability("Kc 9c", "2c 3c 4c Jd Ad")
    0.991919...
    >>> win_probability(["Ac Ad", "2c 7d"], "2h 7h 7s", ties="lose").round(4).tolist()
    [0.8634, 0.9804]
    """
    ties_won(ties)
    return comparisons(hole, board).value(ties)


def comparisons(hole: ArrayLike | str, board: ArrayLike | str) -> Comparisons:
    """Count how often hole cards win, tie and lose against all hands on all boards to come.

    Parameters and errors are those of `win_probability`.

    Examples
    --------
    >>> comparisons("Ac Ad", "")
    Comparisons(wins=1781508418, ties=11402312, losses=304661670)
    """
    holes, boards = dealt(hole, board)
    shape, num_board = holes.shape[:-1], boards.shape[-1]
    wins, ties = (
        counts.reshape(shape) if shape else int(counts[0])
        for counts in wins_and_ties(
            holes.reshape(prod(shape), 2), boards.reshape(prod(shape), num_board)
        )
    )
    return Comparisons(wins, ties, NUM_COMPARISONS[num_board] - wins - ties)


def ties_won(ties: str) -> float:
    """Return how much of a tie counts as won by a rule."""
    UnknownNameError.check("rule for ties", ties, TIES_WON)
    return TIES_WON[ties]


def check_size(board: Cards) -> None:
    """Refuse a board with a number of cards that no street has."""
    num_board = board.shape[-1] if board.ndim else 1
    if num_board not in NUM_COMPARISONS:
        raise CardError(
            f"no street has a board of {num_board} cards; give 0, 3, 4 or 5 along the last axis."
        )


def dealt(hole: ArrayLike | str, board: ArrayLike | str) -> tuple[Cards, Cards]:
    """Return hole cards and boards of one shape, after checking that they can be dealt together."""
    holes, boards = check_cards(hole), check_cards(board)
    check_size(boards)
    if holes.ndim == 0 or holes.shape[-1] != 2:
        raise CardError(
            f"hole cards of shape {holes.shape} are not two for each hand; give two along the last axis."
        )
    try:
        shape = np.broadcast_shapes(holes.shape[:-1], boards.shape[:-1])
    except ValueError:
        raise CardError(
            f"hole cards of shape {holes.shape} and boards of shape {boards.shape} do not go "
            "together; give as many of both, or one of either."
        ) from None
    together = np.concatenate(
        [np.broadcast_to(holes, (*shape, 2)), np.broadcast_to(boards, (*shape, boards.shape[-1]))],
        axis=-1,
    )
    cards = check_cards(together)
    return np.ascontiguousarray(cards[..., :2]), np.ascontiguousarray(cards[..., 2:])


def wins_and_ties(holes: Cards, boards: Cards) -> tuple[Ints, Ints]:
    """Return the wins and the ties of hole cards, shape (n, 2), on boards, shape (n, k)."""
    if boards.shape[1] == 5:
        pairs = np.empty(len(boards), np.uint32)
        fill_pairs(river_table(), holes, boards, pairs)
        return split_counts(pairs, TIES)
    classes, renamings = canonical_boards_of(boards)
    renamed = RENAMED[renamings, holding_numbers(holes)]
    return split_counts(equity_table(boards.shape[1])[classes, renamed], TIES_OF[boards.shape[1]])


@kernel
def fill_pairs(
    table: NDArray[np.uint32], holes: Cards, boards: Cards, out_pairs: NDArray[np.uint32]
) -> None:
    """Look up the pair of counts of each two hole cards on a board of five."""
    for row in range(boards.shape[0]):
        first, second = np.int64(holes[row, 0]), np.int64(holes[row, 1])
        out_pairs[row] = river_counts(table, boards[row], first, second)


def everybody(board: ArrayLike | str, ties: str = "half") -> Floats:
    """Return the win probability of every holding on boards, (..., k) to (..., 1326), against one random hand.

    They are in the order of `HOLDINGS`; NaN where a holding shares a card with the board.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem.cards import HOLDINGS, card_text
    >>> values = everybody("Ts Js Qs 2h 2d")
    >>> card_text(HOLDINGS[np.nanargmax(values)]), round(float(np.nanmean(values)), 12)
    ('Ks 9s', 0.5)
    """
    tie_won = ties_won(ties)
    cards = check_cards(board)
    check_size(cards)
    boards = cards.reshape(prod(cards.shape[:-1]), cards.shape[-1])
    if boards.shape[1] == 5:
        values = np.empty((len(boards), NUM_HOLDINGS))
        fill_rivers(river_table(), boards, tie_won, values)
    else:
        classes, renamings = canonical_boards_of(boards)
        pairs = equity_table(boards.shape[1])[classes[:, None], RENAMED[renamings]]
        wins, tied = split_counts(pairs, TIES_OF[boards.shape[1]])
        values = (wins + tie_won * tied) / NUM_COMPARISONS[boards.shape[1]]
        values[HOLDS[boards].any(axis=1)] = np.nan
    return values.reshape(*cards.shape[:-1], NUM_HOLDINGS)


@kernel
def fill_rivers(table: Counts, boards: Cards, tie_won: float, out_values: Floats) -> None:
    """Write the value of each holding on each board of five."""
    square = np.empty((NUM_TYPES, NUM_TYPES))
    for row in range(boards.shape[0]):
        board = boards[row]
        suit = flush_suit(board)
        counts, kind = table[river_row(board, suit)], 0
        for one in range(num_types(suit)):
            for two in range(one + 1):
                value = ((counts[kind] & WINS) + tie_won * (counts[kind] >> TIES)) / 990
                square[one, two] = square[two, one] = value
                kind += 1
        first = 0
        for high in range(NUM_CARDS):
            of_high = square[type_of(high, suit)]
            for low in range(high):
                out_values[row, first + low] = of_high[low // NUM_SUITS]
            if suit >= 0:
                for low in range(suit, high, NUM_SUITS):
                    out_values[row, first + low] = of_high[NUM_RANKS + low // NUM_SUITS]
            first += high
        for place in range(5):
            card = np.int64(board[place])
            for other in range(NUM_CARDS):
                if other != card:
                    out_values[row, holding(card, other)] = np.nan


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
