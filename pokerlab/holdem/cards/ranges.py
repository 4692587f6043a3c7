"""Ranges: a weight for each of the 1,326 holdings, read from text such as 'QQ+, AKs, 76o:0.5'."""

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.errors import CardError
from pokerlab.holdem.cards.deck import (
    HOLDINGS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    check_cards,
    holding_numbers,
    parse_cards,
)

RANGE_HELP = "Write items such as 'QQ+', 'AKs', 'A2s-A5s', 'AsKd' or 'random', with commas between."
SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-100, 1e100
WEIGHT_HELP = "weights are 0 or numbers from 1e-100 to 1e100."
RANK = f"[{RANKS}]"
KIND = rf"({RANK})({RANK})([so]?)"
ITEM = re.compile(rf"{KIND}(?:(\+)|-{KIND})?", re.IGNORECASE)
TWO_CARDS = re.compile(rf"({RANK}[cdhs]){{2}}", re.IGNORECASE)

Weights = NDArray[np.float64]


def parse_range(text: str) -> Weights:
    """Read a range from text.

    Parameters
    ----------
    text : str
        Items between commas; see the notes.

    Returns
    -------
    ndarray of float64, shape (1326,)
        The weight of each of `HOLDINGS`; 0 for those not named.

    Raises
    ------
    CardError
        If an item is not one of these, or the range is empty.

    Notes
    -----
    An item may have a weight after a colon; without one it is 1. Where two items name a holding,
    the later one counts. Letters may be in either case.

    ========  ============================================================================
    item      holdings
    ========  ============================================================================
    QQ        the six pairs of queens
    AKs       the four suited ones; AKo: the twelve of two suits; AK: all sixteen
    AsKd      these two cards
    QQ+       queens and all higher pairs
    ATs+      the same higher card, with every lower card from the ten up
    22-55     these pairs and all between, in either order
    A2s-A5s   the same higher card, these lower ones and all between; also with o or nothing
    54s-JTs   the same distance of ranks, these and all between; also with o or nothing
    random    all holdings
    ========  ============================================================================

    Examples
    --------
    >>> int(parse_range("QQ+, AKs").sum())
    22
    >>> int(parse_range("random, AsKs:0").sum())
    1325
    """
    weights = np.zeros(NUM_HOLDINGS)
    for item in filter(None, (part.strip() for part in text.split(","))):
        what, colon, weight = item.partition(":")
        weights[_holdings(what.strip(), item)] = _weight(weight, item) if colon else 1.0
    return check_range(weights)


def check_range(weights: ArrayLike) -> Weights:
    """Return the weights if they make a range.

    Raises
    ------
    CardError
        If they are not 1,326 numbers, each 0 or from 1e-100 to 1e100, or if all are 0.
    """
    given = np.asarray(weights)
    if given.shape != (NUM_HOLDINGS,) or given.dtype.kind not in "buif":
        raise CardError(
            f"weights of shape {given.shape} and type {given.dtype} are not a range; "
            f"give {NUM_HOLDINGS} numbers, one for each of HOLDINGS."
        )
    table = given.astype(np.float64)
    fitting = is_weight(table)
    if not fitting.all():
        raise CardError(f"{table[~fitting][0]} is not a weight of a holding; {WEIGHT_HELP}")
    if not table.any():
        raise CardError(f"the range is empty. {RANGE_HELP}")
    return table


def as_range(given: ArrayLike | str) -> Weights:
    """Return a range given as text, as two hole cards or as 1,326 weights.

    Raises
    ------
    CardError
        If it is not one of these.
    """
    if isinstance(given, str):
        return parse_range(given)
    array = np.asarray(given)
    if array.shape != (2,):
        return check_range(array)
    weights = np.zeros(NUM_HOLDINGS)
    weights[holding_numbers(check_cards(array))] = 1.0
    return weights


def _weight(text: str, item: str) -> float:
    """Return the number after the colon of an item."""
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not is_weight(weight):
        raise CardError(f"'{text}' in '{item}' is not a weight; {WEIGHT_HELP}")
    return weight


def is_weight(number: Any) -> Any:
    """Return whether numbers are weights: products of two of them neither vanish nor overflow."""
    return (number == 0.0) | ((number >= SMALLEST_WEIGHT) & (number <= LARGEST_WEIGHT))


def _holdings(what: str, item: str) -> NDArray[np.int64]:
    """Return the numbers of the holdings that an item names."""
    if what.lower() == "random":
        return np.arange(NUM_HOLDINGS)
    if TWO_CARDS.fullmatch(what):
        return holding_numbers(parse_cards(what)[None])
    match = ITEM.fullmatch(what)
    if match is None:
        raise CardError(f"'{item}' names no holdings. {RANGE_HELP}")
    first, second, kind, plus, *until = match.groups()
    begin = end = _ranks(first, second)
    if plus:
        high, low = begin
        end = (NUM_RANKS - 1, NUM_RANKS - 1) if high == low else (high, high - 1)
    elif until[0]:
        end = _ranks(until[0], until[1])
        if until[2].lower() != kind.lower():
            raise CardError(f"'{item}' begins and ends with different letters; write s or o twice.")
    return _of_kind(_between(begin, end, item), kind.lower(), item)


def _ranks(first: str, second: str) -> tuple[int, int]:
    """Return two ranks as numbers, the higher first."""
    ranks = RANKS.index(first.upper()), RANKS.index(second.upper())
    return max(ranks), min(ranks)


def _between(one: tuple[int, int], other: tuple[int, int], item: str) -> list[tuple[int, int]]:
    """Return all pairs of ranks between two, with one higher rank or one distance."""
    (low_high, low_low), (high_high, high_low) = sorted([one, other])
    if low_high == high_high:
        return [(high_high, low) for low in range(low_low, high_low + 1)]
    if high_high - low_high == high_low - low_low:
        return [(low_high + i, low_low + i) for i in range(high_high - low_high + 1)]
    raise CardError(
        f"'{item}' has ends of different higher cards and different distances; "
        "write 'A2s-A5s', '54s-JTs' or '22-55'."
    )


def _of_kind(ranks: list[tuple[int, int]], kind: str, item: str) -> NDArray[np.int64]:
    """Return the holdings of these ranks: suited ('s'), of two suits ('o') or both ('')."""
    high, low = np.array(HOLDINGS.T, dtype=np.int64)
    suited = high % NUM_SUITS == low % NUM_SUITS
    found = np.zeros(NUM_HOLDINGS, bool)
    for pair in ranks:
        found |= (high // NUM_SUITS == pair[0]) & (low // NUM_SUITS == pair[1])
    if kind:
        found &= suited if kind == "s" else ~suited
    if kind and any(one == two for one, two in ranks):
        raise CardError(f"'{item}' has a pair with the letter {kind}; pairs have none.")
    return np.flatnonzero(found)
