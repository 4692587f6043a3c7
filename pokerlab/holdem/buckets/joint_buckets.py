"""Buckets of both players together, with their histories: what independent chains leave out.

How to read it. In `Buckets` the two players' hands know nothing of each other, and a hand forgets
all but its last bucket. In truth both see the same board and no card is dealt twice, and where a
hand came from tells where it is going. Here a player's history is kept, (b_0, ..., b_r), as one
number, the first bucket weighing most; and how often each two histories meet is counted on boards,
sampled or all. A board counts with all pairs of hands on it, so each board alone gives every pair
of hands its due; the error comes from the boards.

On one board every hand has one history, and a few hundred different ones occur; they are numbered as
they are met. Hands are sorted by strength and swept from the weakest: for each history the number of
hands swept so far is known, in all and for each card, and what shares a card with a hand is taken off.
So one board brings all its 1,070,190 pairs of hands.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.cache import Arrays, kept_arrays
from pokerlab.core.errors import SettingError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.buckets.abstraction import labels_of
from pokerlab.holdem.buckets.buckets import Buckets, four_counts
from pokerlab.holdem.buckets.card_counts import RENAMED, RENAMING_OF, Labels, river_labels
from pokerlab.holdem.buckets.expectations import ExactExpectations
from pokerlab.holdem.buckets.made_buckets import EDITION, make_buckets
from pokerlab.holdem.cards.dealing import fill_deals, key_of
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    RIVER,
    Cards,
)
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.exact import canonical_boards_of
from pokerlab.holdem.equity.match_up import HOLDING, HOLDING_BITS, Field, find_holdings, new_field
from pokerlab.holdem.equity.tables import SHOWN_AFTER
from pokerlab.holdem.strength.evaluation import sort_by_strength

BOARDS_AT_ONCE = 500
MOST_HISTORIES = 4096
"""Their pairs would not fit comfortably beyond."""
MOST_HANDS = 47 * 46 // 2
"""On a board of five; so many histories can occur there."""
WON, MET = 0, 1

Small = NDArray[np.int32]


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
    tables = [
        labels_of(bounds, ExactExpectations(), street)
        for street, bounds in enumerate(buckets.bounds)
    ]
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
    num_buckets, work = np.array(counts), pairs_workspace(num_histories)
    for boards, times in batches:
        labels = labels_on(tables, boards, counts[RIVER])
        add_histories(boards, times, labels, num_buckets, work, pairs)
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


class PairsWorkspace(NamedTuple):
    """What counting pairs of hands works on.

    Attributes
    ----------
    field : Field
        All holdings.
    number : ndarray of shape (H,)
        The number of each history on this board; -1 if it has none yet.
    history : ndarray of shape (1081,)
        The history with each number.
    of_hand : ndarray of shape (1326,)
        The number of each hand's history.
    swept : ndarray of shape (1081,)
        Hands swept so far, by number.
    with_card : ndarray of shape (52 * 1081,)
        Those of them that hold a card: 52 rows.
    won, met : ndarray of shape (1081**2,)
        Pairs of hands by the number of the own history, in rows, and of the other's: those in
        which the own hand is stronger, and all.
    """

    field: Field
    number: Small
    history: Small
    of_hand: Small
    swept: Small
    with_card: Small
    won: Small
    met: Small


def pairs_workspace(num_histories: int) -> PairsWorkspace:
    """Return room to work in."""
    ones = np.ones(NUM_HOLDINGS)
    return PairsWorkspace(
        new_field(np.arange(NUM_HOLDINGS), ones, ones),
        np.full(num_histories, -1, np.int32),
        *(
            np.empty(size, np.int32)
            for size in (
                MOST_HANDS,
                NUM_HOLDINGS,
                MOST_HANDS,
                NUM_CARDS * MOST_HANDS,
                MOST_HANDS**2,
                MOST_HANDS**2,
            )
        ),
    )


@kernel
def add_histories(
    boards: Cards,
    times: Ints,
    labels: Labels,
    num_buckets: Ints,
    work: PairsWorkspace,
    out_pairs: Ints,
) -> None:
    """Count how often histories win against histories and meet them.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
    times : ndarray of int64, shape (n,)
        How often each board counts.
    labels : ndarray of uint8, shape (4, n, 1326)
        Buckets on each street.
    num_buckets : ndarray of int64, shape (4,)
        Buckets there are on each street.
    work : PairsWorkspace
        Overwritten.
    out_pairs : ndarray of int64, shape (H, H, 2)
        Pairs of hands won and met, own history in rows.
    """
    for row in range(boards.shape[0]):
        size = find_holdings(work.field, boards[row])
        sort_by_strength(work.field.order, size, HOLDING_BITS, work.field.room, work.field.ends)
        found = number_histories(labels[:, row], num_buckets, size, work)
        with_card = work.with_card[: NUM_CARDS * found].reshape(NUM_CARDS, found)
        won = work.won[: found * found].reshape(found, found)
        met = work.met[: found * found].reshape(found, found)
        with_card[:] = won[:] = met[:] = 0
        work.swept[:found] = 0
        sweep_hands(work, size, with_card, won, met)
        for one in range(found):
            own = work.history[one]
            work.number[own] = -1
            for two in range(found):
                pair = out_pairs[own, work.history[two]]
                pair[WON] += times[row] * won[one, two]
                pair[MET] += times[row] * met[one, two]


@inlined
def number_histories(labels: Labels, num_buckets: Ints, size: int, work: PairsWorkspace) -> int:
    """Write the number of each hand's history and the history of each number; return how many."""
    found = 0
    for at in range(size):
        place = work.field.order[at] & HOLDING
        history = np.int64(0)
        for street in range(NUM_STREETS):
            history = history * num_buckets[street] + labels[street, place]
        if work.number[history] < 0:
            work.number[history] = found
            work.history[found] = history
            found += 1
        work.of_hand[place] = work.number[history]
    return found


@inlined
def sweep_hands(work: PairsWorkspace, size: int, with_card: Small, won: Small, met: Small) -> None:
    """Add up the pairs of hands of one board, whose sorted hands have numbered histories."""
    order, cards, of_hand, swept = work.field.order, work.field.cards, work.of_hand, work.swept
    found = won.shape[0]
    begin = 0
    while begin < size:
        end, strength = begin, order[begin] >> HOLDING_BITS
        while end < size and order[end] >> HOLDING_BITS == strength:
            place = order[end] & HOLDING
            below, first, second = won[of_hand[place]], cards[place, 0], cards[place, 1]
            for other in range(found):
                below[other] += swept[other] - with_card[first, other] - with_card[second, other]
            end += 1
        for at in range(begin, end):
            place = order[at] & HOLDING
            swept[of_hand[place]] += 1
            with_card[cards[place, 0], of_hand[place]] += 1
            with_card[cards[place, 1], of_hand[place]] += 1
        begin = end
    for at in range(size):
        place = order[at] & HOLDING
        beside, first, second = met[of_hand[place]], cards[place, 0], cards[place, 1]
        for other in range(found):
            beside[other] += swept[other] - with_card[first, other] - with_card[second, other]
        # The hand itself was taken off with either card.
        beside[of_hand[place]] += 1
