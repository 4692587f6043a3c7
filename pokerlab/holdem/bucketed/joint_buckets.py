"""Buckets of both players together, with their histories: what independent chains leave out.

How to read it. In `Buckets` the two players' hands know nothing of each other, and a hand forgets
all but its last bucket. In truth both see the same board and no card is dealt twice, and where a
hand came from tells where it is going. Here a player's history is kept, (b_0, ..., b_r), as one
number, the first bucket weighing most; and how often each two histories meet is counted on boards,
sampled or all. A board counts with all pairs of hands on it, so each board alone gives every pair
of hands its due; the error comes from the boards.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.cache import Arrays, kept_arrays
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.bucketed.abstraction import labels_of, river_labels
from pokerlab.holdem.bucketed.buckets import Buckets, four_counts
from pokerlab.holdem.bucketed.card_counts import RENAMED, RENAMING_OF, Labels
from pokerlab.holdem.bucketed.expectations import Exact
from pokerlab.holdem.bucketed.histories import MET, WON, add_histories, new_room
from pokerlab.holdem.bucketed.made_buckets import EDITION, make_buckets
from pokerlab.holdem.cards.cards import NUM_CARDS, Cards
from pokerlab.holdem.cards.dealing import fill_deals, key_of
from pokerlab.holdem.cards.streets import BOARD_SIZES, RIVER
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.equity import canonical_boards_of
from pokerlab.holdem.equity.tables import SHOWN_AFTER

BOARDS_AT_ONCE = 500
MOST_HISTORIES = 4096
"""Their pairs would not fit comfortably beyond."""


@dataclass(frozen=True, eq=False, repr=False)
class JointBuckets:
    """How often two histories of buckets meet, and which wins; made by `joint_buckets`.

    Attributes
    ----------
    buckets : Buckets
        Their bounds tell which bucket a hand is in.
    met : ndarray of shape (H, H)
        Probability that the first player has the history in the row, and the second that in the
        column, on the river; H = B_0 B_1 B_2 B_3. Symmetric.
    showdown : ndarray of shape (H, H)
        The first player's share of the pot, P(win) + P(tie)/2; a half where two never meet.
        showdown + showdown.T == 1.
    source : str
        On which boards it was counted.
    """

    buckets: Buckets
    met: Floats
    showdown: Floats
    source: str

    @cached_property
    def num_histories(self) -> tuple[int, ...]:
        """How many histories there are on each street: B_0, B_0 B_1, ..."""
        return tuple(accumulate(self.buckets.counts, mul))

    @cached_property
    def chances(self) -> tuple[Floats, ...]:
        """The probability that two histories meet, on each street: 4 arrays (H_r, H_r)."""
        return tuple(self._met_on(num) for num in self.num_histories)

    def _met_on(self, num: int) -> Floats:
        """Add up over what is still to come."""
        table = self.met.reshape(num, len(self.met) // num, num, len(self.met) // num)
        return np.asarray(table.sum(axis=(1, 3)))

    def histories(self, street: int) -> Ints:
        """Return the buckets in each history up to a street, shape (H_r, r + 1)."""
        counts = self.buckets.counts[: street + 1]
        numbers = np.unravel_index(np.arange(prod(counts)), counts)
        return np.stack(numbers, axis=1)

    def __repr__(self) -> str:
        return f"<JointBuckets {', '.join(map(str, self.buckets.counts))}, {self.source}>"


def joint_buckets(
    buckets: int | Sequence[int] | Buckets = 6, *, boards: int | None = 20_000, seed: int = 1
) -> JointBuckets:
    """Count how often two players' histories of buckets meet on the same boards, and who wins.

    Parameters
    ----------
    buckets : int, sequence of 4 int, or Buckets
        The buckets, or how many of `make_buckets`. Hands are put between their bounds by their
        exact win probability.
    boards : int or None
        Random boards to count on; None counts on all boards, which takes minutes.
    seed : int
        Of the boards.

    Returns
    -------
    JointBuckets
        Kept in the user's cache folder.

    Raises
    ------
    SettingError
        If there is no board, or there are more than 4096 histories.
    """
    counts = buckets.counts if isinstance(buckets, Buckets) else four_counts(buckets)
    if prod(counts) > MOST_HISTORIES:
        raise SettingError(
            f"buckets {counts} have {prod(counts):,} histories, and pairs of them would not fit;"
            f" use at most {MOST_HISTORIES:,}, such as 8 buckets a street."
        )
    if boards is not None:
        whole("boards", boards, 1, LARGEST_COUNT)
    source = "all boards" if boards is None else f"{boards:,} random boards, seed {seed}"
    whole("seed", seed, 0)
    given = buckets if isinstance(buckets, Buckets) else make_buckets(counts)
    bounds = hashlib.sha256(b"".join(street.tobytes() for street in given.bounds)).hexdigest()
    recipe = f"edition {EDITION}: {given.counts} buckets, {bounds}, {source}"
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:16]

    def counted() -> Arrays:
        pairs = count_pairs(given, boards, seed)
        return {"met": pairs[..., MET] / pairs[..., MET].sum(), "showdown": shares(pairs)}

    arrays = kept_arrays(f"joint-buckets-{digest}", counted)
    for array in arrays.values():
        array.flags.writeable = False
    return JointBuckets(given, arrays["met"], arrays["showdown"], source)


def shares(pairs: Ints) -> Floats:
    """Return the share of the pot of each history against each, a half where they never meet."""
    met, won = pairs[..., MET], pairs[..., WON]
    # Halves of pots: won, and half of what neither won.
    return np.where(met > 0, (met + won - won.T) / np.maximum(2 * met, 1), 0.5)


def count_pairs(buckets: Buckets, boards: int | None, seed: int) -> Ints:
    """Return the pairs of hands won and met by their histories, shape (H, H, 2)."""
    tables = [labels_of(bounds, Exact(), street) for street, bounds in enumerate(buckets.bounds)]
    total = hand_classes(3, 1, 1).size if boards is None else boards
    batches = all_boards() if boards is None else random_boards(boards, seed)
    with tqdm(total=total, unit=" boards", delay=SHOWN_AFTER, leave=False) as bar:
        return pairs_on(batches, tables, buckets.counts, bar)


def pairs_on(
    batches: Iterable[tuple[Cards, Ints]],
    tables: list[Labels],
    counts: tuple[int, ...],
    bar: Any,
) -> Ints:
    """Return the pairs of hands won and met on some boards, shape (H, H, 2)."""
    num_histories = prod(counts)
    pairs = np.zeros((num_histories, num_histories, 2), np.int64)
    num_buckets, room = np.array(counts), new_room(num_histories)
    for boards, times in batches:
        labels = labels_on(tables, boards, counts[RIVER])
        add_histories(boards, times, labels, num_buckets, room, pairs)
        bar.update(len(boards))
    return pairs


def random_boards(number: int, seed: int) -> Iterator[tuple[Cards, Ints]]:
    """Yield random boards, some at a time, each counting once."""
    key, deck = key_of(seed, "joint boards"), np.empty(NUM_CARDS, np.uint8)
    for first in range(0, number, BOARDS_AT_ONCE):
        boards = np.empty((min(BOARDS_AT_ONCE, number - first), 5), np.uint8)
        fill_deals(key, first, deck, boards)
        yield boards, np.ones(len(boards), np.int64)


def all_boards() -> Iterator[tuple[Cards, Ints]]:
    """Yield the canonical boards, their streets remembered, and how many each stands for."""
    classes = hand_classes(3, 1, 1)
    for first in range(0, classes.size, BOARDS_AT_ONCE):
        numbers = np.arange(first, min(first + BOARDS_AT_ONCE, classes.size))
        yield classes.hand(numbers), classes.multiplicity(numbers)


def labels_on(tables: list[Labels], boards: Cards, nowhere: int) -> Labels:
    """Return the buckets of all holdings on boards of five, street by street, (4, n, 1326)."""
    labels = []
    for street in range(RIVER):
        classes, names = canonical_boards_of(boards[:, : BOARD_SIZES[street]])
        renamings = RENAMING_OF[names[:, 0], names[:, 1], names[:, 2]]
        labels.append(tables[street][classes[:, None], RENAMED[renamings]])
    labels.append(river_labels(tables[RIVER], boards, nowhere))
    return np.stack(labels)
