"""The counts of all holdings on all canonical boards before the river, made once and kept on disk.

How to read it. Each table lies in the user's cache folder in pieces, plain arrays of bytes, which
are written whole or not at all: a build that is killed resumes from the pieces it has. The right
content of a piece is known in advance: the beginning of its SHA-256 stands here and in its name. So
a file that is truncated, changed, or from another version is noticed, and made again.

Rows follow `pokerlab.holdem.cards.suits.canonical_boards`, columns the holdings; entries are zero where
a holding shares a card with the board. On a board of four cards there are 46 rivers for two hole
cards, and 990 opponents' hands on each: wins and ties are sums over the rivers. A flop's are half the
sums over 47 turns, since every turn and river come in two orders. A starting hand's are sums over all
boards of five: over those of the canonical boards, as often as each stands for others, and then over
all holdings that are the same starting hand.
"""

import hashlib
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core.cache import mark_as_used, user_cache
from pokerlab.core.errors import StorageError
from pokerlab.core.files import whole_file
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_HOLDINGS, NUM_SUITS, Cards, holding
from pokerlab.holdem.cards.suits import canonical_boards, hand_classes
from pokerlab.holdem.equity.river import (
    NUM_TYPES,
    TIES,
    WINS,
    Counts,
    flush_suit,
    num_types,
    river_row,
    river_table,
    type_of,
)

Table = NDArray[Any]
WideCounts: TypeAlias = NDArray[np.uint64]
"""Pairs of larger counts: wins + 2**32 ties."""
WIDE_TIES = 32
WIDE_WINS = np.uint64(2**WIDE_TIES - 1)
SQUARE = (NUM_TYPES + 1, NUM_TYPES + 1)
"""Types of two cards; the last is that of cards on the board."""
DIGITS = 16
"""How much of a SHA-256 is compared."""
SHOWN_AFTER = 1.0
"""Seconds after which work shows its progress."""


class Kind(NamedTuple):
    """What there is to know about a table.

    `fill` writes the counts of some canonical boards; `dtype` is that of a pair of counts, in which
    the ties begin at the bit `ties`; `digests` are the beginnings of the SHA-256 of the pieces.
    """

    name: str
    fill: Callable[[int, int, Table], None]
    dtype: str
    ties: int
    digests: tuple[str, ...]


def fill_starting_hands(first: int, beyond: int, out_counts: Table) -> None:
    """Write the counts of all holdings before the flop."""
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
    out_counts[0] = (wins | ties << bits)[starting_hand]


def fill_some_flops(first: int, beyond: int, out_counts: Table) -> None:
    """Write the counts of these canonical flops."""
    flops = canonical_boards(3)[0][first:beyond]
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(flops), 1))
    turns = cards[(cards[:, :, None] != flops[:, None]).all(axis=2)].reshape(len(flops), -1, 1)
    boards = np.concatenate([np.repeat(flops[:, None], turns.shape[1], axis=1), turns], axis=2)
    classes = hand_classes(4)
    fill_flops(equity_table(4), classes.index(boards), classes.renaming(boards), out_counts)


def fill_some_turns(first: int, beyond: int, out_counts: Table) -> None:
    """Write the counts of these canonical boards of four."""
    fill_turns(river_table(), canonical_boards(4)[0][first:beyond], out_counts)


KINDS = {
    0: Kind("starting-hands", fill_starting_hands, "<u8", WIDE_TIES, ("0384fc681b2077a1",)),
    3: Kind("flops", fill_some_flops, "<u8", WIDE_TIES, ("403b5c83b0d93536", "cce82ca5ef637667")),
    4: Kind(
        "turns",
        fill_some_turns,
        "<u4",
        TIES,
        (
            "b3fabecf26466f52",
            "224082e9819170dd",
            "0d2cc6c3ed7864c5",
            "f3a2efebcb4b920d",
            "b9f6da81a2e1cc73",
            "195e51bc7c48b0b3",
            "88ff1a6f4afdd6e2",
            "7f6f8fb58c3ba0bc",
        ),
    ),
}
"""The tables by the number of cards on the board."""


@cache
def equity_table(num_cards: int) -> Table:
    """Return the pairs of counts for boards of 0, 3 or 4 cards, (boards, 1326), from disk if they are there."""
    kind = KINDS[num_cards]
    num_boards = len(canonical_boards(num_cards)[0]) if num_cards else 1
    table = np.empty((num_boards, NUM_HOLDINGS), kind.dtype)
    ends = np.linspace(0, num_boards, len(kind.digests) + 1).astype(int)
    pieces = [table[ends[i] : ends[i + 1]] for i in range(len(kind.digests))]
    missing = [
        i for i, path in enumerate(paths(kind)) if not read(path, kind.digests[i], pieces[i])
    ]
    for i in tqdm(missing, f"equity of {kind.name}", delay=SHOWN_AFTER, leave=False, unit="piece"):
        kind.fill(int(ends[i]), int(ends[i + 1]), pieces[i])
        assert digest(pieces[i]) == kind.digests[i], f"the digest of {kind.name} is out of date"
        keep(paths(kind)[i], pieces[i])
    table.flags.writeable = False
    return table


def paths(kind: Kind) -> list[Path]:
    """Return where the pieces of a table lie."""
    folder, number = user_cache(), len(kind.digests)
    return [
        folder / f"equity-{kind.name}-{i + 1}-of-{number}-{digest}.bytes"
        for i, digest in enumerate(kind.digests)
    ]


def digest(piece: Table) -> str:
    """Return the beginning of a piece's SHA-256."""
    return hashlib.sha256(piece.data).hexdigest()[:DIGITS]


def read(path: Path, expected: str, out_piece: Table) -> bool:
    """Read a piece; return whether it is there and intact."""
    try:
        with path.open("rb") as file:
            size = file.readinto(out_piece.data.cast("B"))
            whole = size == out_piece.nbytes and not file.read(1)
    except OSError:
        return False
    if whole and digest(out_piece) == expected:
        mark_as_used(path)
        return True
    warnings.warn(f"{path} is damaged; it is made again.", stacklevel=2)
    return False


def keep(path: Path, piece: Table) -> None:
    """Write a piece, if that is possible; otherwise it will be made again the next time."""
    with suppress(StorageError), whole_file(path) as file:
        file.write(piece.data)


@kernel
def fill_turns(table: Counts, boards: Cards, out_counts: Counts) -> None:
    """Write the pair of counts of each holding on boards (n, 4); zero where it is impossible."""
    types, board = np.empty(NUM_CARDS, np.int64), np.empty(5, np.uint8)
    square, sums = np.zeros(SQUARE, np.uint64), np.empty(NUM_HOLDINGS, np.uint64)
    for number in range(boards.shape[0]):
        on_board = np.int64(0)
        for place in range(4):
            board[place] = boards[number, place]
            on_board |= 1 << np.int64(board[place])
        sums[:] = 0
        for river in range(NUM_CARDS):
            if not on_board >> river & 1:
                board[4] = river
                add_board(table, board, np.uint64(1), types, square, sums)
        # No holding wins more than 46 times 990 times: the pair fits where one river's does.
        for place in range(NUM_HOLDINGS):
            wins, ties = sums[place] & WIDE_WINS, sums[place] >> np.uint64(WIDE_TIES)
            out_counts[number, place] = wins | ties << np.uint64(TIES)


@inlined
def wide(pair: np.uint32) -> np.uint64:
    """Return a pair of counts with more room for each."""
    return np.uint64(pair & WINS) | np.uint64(pair >> TIES) << np.uint64(WIDE_TIES)


@kernel
def fill_flops(
    turns: Counts,
    classes: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    out_counts: WideCounts,
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
        times = np.uint64(multiplicities[number])
        add_board(table, boards[number], times, types, square, out_counts)


@inlined
def add_board(
    table: Counts,
    board: Cards,
    times: np.uint64,
    types: NDArray[np.int64],
    square: WideCounts,
    out_counts: WideCounts,
) -> None:
    """Add to each holding's pair of counts those on a board of five; overwrite `types` and `square`."""
    suit = flush_suit(board)
    row, kind = river_row(board, suit), 0
    for one in range(num_types(suit)):
        for two in range(one + 1):
            pair = wide(table[row, kind]) * times
            square[one, two] = square[two, one] = pair
            kind += 1
    for card in range(NUM_CARDS):
        types[card] = type_of(card, suit)
    for place in range(5):
        types[board[place]] = NUM_TYPES
    first = 0
    for high in range(NUM_CARDS):
        of_type = square[types[high]]
        for low in range(high):
            out_counts[first + low] += of_type[types[low]]
        first += high
