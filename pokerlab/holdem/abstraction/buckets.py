"""Buckets: hands of like strength taken for one, and the chances between them.

How to read it. Before the flop, on the flop, on the turn and on the river a player's hand falls into one of a few
buckets by how likely it is to win against one random hand. What is kept of the cards is the chance of each bucket at
the start, the chance of each next bucket given the present one, and at the showdown the share of the pot between two
buckets. The two players' chains of buckets are independent of each other, and a chain remembers only its last bucket:
that is the abstraction of Samothrakis & Lucas (2011, section 4.2), and what it leaves out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, ProbabilityError, SettingError, ShapeError, whole
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER, WHEN

MOST_BUCKETS = 250
"""A bucket is kept in a byte, and one is for hands that share a card with the board."""
SUM_TOLERANCE = 1e-9  # rounding of a few hundred additions stays below it; a wrong number does not


@dataclass(frozen=True, eq=False, repr=False)
class Buckets:
    """Buckets of hands on four streets, and the chances between them.

    Arrays are copied, checked and made read-only.

    Attributes
    ----------
    counts : tuple of 4 int
        Number of buckets B_0 before the flop, B_1 on the flop, B_2 on the turn, B_3 on the river.
        Bucket 0 is the weakest.
    start : ndarray of shape (B_0,)
        Probability of each bucket before the flop.
    transitions : tuple of 3 ndarray, shapes (B_0, B_1), (B_1, B_2), (B_2, B_3)
        Probability of the next bucket in the columns, given the present one in the rows.
    showdown : ndarray of shape (B_3, B_3)
        Own share of the pot, P(win) + P(tie)/2: own bucket in rows, the opponent's in columns.
    bounds : tuple of 4 ndarray, shapes (B_r - 1,)
        Win probabilities that separate neighboring buckets; a bound belongs to the bucket above.
    lowest, highest : tuple of 4 ndarray, shapes (B_r,)
        Least and largest win probability of the hands in each bucket.
    source : str
        Where the numbers come from: 'exact', or how they were sampled.

    Raises
    ------
    SettingError
        If there are not four positive counts.
    ShapeError
        If an array does not fit the counts.
    ProbabilityError
        If a number is no probability, probabilities do not sum to one, a bucket is empty, or the
        two shares of a showdown are not all of the pot.
    """

    counts: tuple[int, int, int, int]
    start: Floats
    transitions: tuple[Floats, ...]
    showdown: Floats
    bounds: tuple[Floats, ...]
    lowest: tuple[Floats, ...]
    highest: tuple[Floats, ...]
    source: str = "given"

    def __post_init__(self) -> None:
        counts = four_counts(self.counts)
        first, _, _, last = counts
        neighbors = list(pairwise(counts))
        one_each = [(count,) for count in counts]
        between = [(count - 1,) for count in counts]
        checked = {
            "counts": counts,
            "start": _probabilities("start", self.start, (first,)),
            "transitions": _several("transitions", self.transitions, neighbors),
            "showdown": _probabilities("showdown", self.showdown, (last, last)),
            "bounds": _several("bounds", self.bounds, between),
            "lowest": _several("lowest", self.lowest, one_each),
            "highest": _several("highest", self.highest, one_each),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _check_distributions(self)
        _check_showdown(self.showdown)
        _check_order(self)

    @cached_property
    def frequencies(self) -> tuple[Floats, ...]:
        """The probability of each bucket on each street: 4 arrays of shapes (B_r,)."""
        chances = [self.start]
        for transition in self.transitions:
            chances.append(_read_only(chances[-1] @ transition))
        return tuple(chances)

    def bucket(self, street: int, win_probability: ArrayLike) -> Any:
        """Return the buckets of hands, (...,), by their win probabilities against one random hand.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        win_probability : array_like of shape (...,)
            Ties count half.
        """
        whole("street", street, 0, RIVER)
        values = np.asarray(win_probability, np.float64)
        _check_range("win_probability", values)
        return np.searchsorted(self.bounds[street], values, side="right")

    def __repr__(self) -> str:
        return f"<Buckets {', '.join(map(str, self.counts))}, {self.source}>"


def four_counts(counts: Any) -> tuple[int, int, int, int]:
    """Return numbers of buckets on four streets, given as such or as one number for all."""
    numbers = tuple(counts) if np.ndim(counts) else (counts,) * NUM_STREETS
    if len(numbers) != NUM_STREETS:
        raise SettingError(
            f"counts are {counts}; give one number of buckets, or four: {', '.join(WHEN)}."
        )
    before, flop, turn, river = (
        whole("the number of buckets on a street", number, 1, MOST_BUCKETS) for number in numbers
    )
    return before, flop, turn, river


def _read_only(array: ArrayLike) -> Floats:
    """Return a read-only copy."""
    copy = np.array(array, np.float64)
    copy.flags.writeable = False
    return copy


def _several(name: str, arrays: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[Floats, ...]:
    """Return read-only copies of probabilities, one array a street or step, checked."""
    if not isinstance(arrays, Sequence | np.ndarray):
        raise ShapeError(f"{name} is {arrays!r}; it needs {len(shapes)} arrays.")
    if len(arrays) != len(shapes):
        raise ShapeError(f"{name} holds {len(arrays)} arrays; it needs {len(shapes)}.")
    return tuple(
        _probabilities(f"{name}[{i}]", array, shape)
        for i, (array, shape) in enumerate(zip(arrays, shapes, strict=True))
    )


def _probabilities(name: str, array: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a read-only copy of probabilities, checked."""
    try:
        copy = _read_only(array)
    except (TypeError, ValueError):
        raise ProbabilityError(
            f"{name} is {array!r}; give probabilities of shape {shape}."
        ) from None
    if copy.shape != shape:
        raise ShapeError(f"{name} has shape {copy.shape}; these counts need {shape}.")
    _check_range(name, copy)
    return copy


def _check_range(name: str, values: Floats) -> None:
    """Refuse what is not between 0 and 1, NaN included."""
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ProbabilityError(f"{name} contains {wrong.flat[0]:g}; give numbers from 0 to 1.")


def _check_distributions(buckets: Buckets) -> None:
    """Refuse probabilities that do not sum to one, and buckets that no hand falls into."""
    _check_sums("start", buckets.start[None])
    for street, transition in enumerate(buckets.transitions):
        _check_sums(f"transitions[{street}]", transition)
    for street, chances in enumerate(buckets.frequencies):
        if not chances.all():
            raise ProbabilityError(
                f"bucket {int(np.argmin(chances))} {WHEN[street]} is empty: no hand falls into"
                " it. Use fewer buckets, or give it a probability."
            )


def _check_sums(name: str, rows: Floats) -> None:
    """Refuse rows that do not sum to one."""
    sums = rows.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > SUM_TOLERANCE:
        where = f"row {worst} of {name}" if len(rows) > 1 else name
        raise ProbabilityError(f"{where} sums to {sums[worst]:g}, not 1. Normalize it first.")


def _check_showdown(showdown: Floats) -> None:
    """Refuse shares that do not add up to one pot."""
    both = showdown + showdown.T
    own, other = np.unravel_index(np.argmax(np.abs(both - 1)), both.shape)
    if abs(both[own, other] - 1) > SUM_TOLERANCE:
        raise ProbabilityError(
            f"shares of buckets {own} and {other} at the showdown sum to {both[own, other]:g}, not"
            " 1. Make showdown + showdown.T one everywhere."
        )


def _check_order(buckets: Buckets) -> None:
    """Refuse bounds that do not rise, and win probabilities on the wrong side of them."""
    for street, bounds in enumerate(buckets.bounds):
        lowest, highest = buckets.lowest[street], buckets.highest[street]
        inside = (lowest[1:] >= bounds).all() and (highest[:-1] < bounds).all()
        if not (lowest <= highest).all() or not inside:
            raise ProbabilityError(
                f"buckets {WHEN[street]} are out of order: lowest {lowest}, highest {highest},"
                f" bounds {bounds}. Each bucket must lie between its bounds, from the weakest up."
            )
