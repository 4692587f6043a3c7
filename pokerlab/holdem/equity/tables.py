"""The counts of all holdings on all canonical boards before the river, made once and kept on disk.

How to read it. Each table lies in the user's cache folder in pieces, plain arrays of bytes, which
are written whole or not at all: a build that is killed resumes from the pieces it has. The right
content of a piece is known in advance: the beginning of its SHA-256 stands here and in its name. So
a file that is truncated, changed, or from another version is noticed, and made again.

Rows follow `pokerlab.holdem.cards.suits.canonical_boards`, columns the holdings; entries are zero where
a holding shares a card with the board.
"""

import hashlib
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core.cache import user_cache
from pokerlab.core.errors import StorageError
from pokerlab.core.files import whole_file
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_HOLDINGS
from pokerlab.holdem.cards.suits import canonical_boards, hand_classes
from pokerlab.holdem.equity.river import TIES, river_table
from pokerlab.holdem.equity.street_sums import WIDE_TIES, add_boards, fill_flops, fill_turns

Table = NDArray[Any]
DIGITS = 16
"""How much of a SHA-256 is compared."""
SHOWN_AFTER = 1.0
"""Seconds after which work shows its progress."""


class Kind(NamedTuple):
    """What there is to know about a table.

    Attributes
    ----------
    name : str
        What files and messages call it.
    fill : callable
        Writes the counts of some canonical boards: (first, beyond, out_counts).
    dtype : str
        Of a pair of counts.
    ties : int
        The bit where the ties begin.
    digests : tuple of str
        The beginning of the SHA-256 of each piece.
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
        for count in (sums & np.uint64(2**WIDE_TIES - 1), sums >> bits)
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
    """Return the pairs of counts for boards of 0, 3 or 4 cards, from disk if they are there.

    Returns
    -------
    ndarray of uint64 or uint32, shape (boards, 1326)
        Wins, and from the bit `KINDS[num_cards].ties` on, ties.
    """
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
        return True
    warnings.warn(f"{path} is damaged; it is made again.", stacklevel=2)
    return False


def keep(path: Path, piece: Table) -> None:
    """Write a piece, if that is possible; otherwise it will be made again the next time."""
    with suppress(StorageError), whole_file(path) as file:
        file.write(piece.data)
