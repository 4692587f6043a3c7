"""Hand against hand, hand against range, range against range: exact on every board.

How to read it. On each board of five that can come, all holdings of both ranges are sorted by
strength and swept once from the weakest. The weight of the second range's weaker holdings is known
in total and for each card; those that share a card with a holding of the first range cannot be
dealt beside it and are subtracted, the same pair of cards only once. Boards that differ only in the
names of suits are swept once (`pokerlab.holdem.equity.boards_to_come`).

Sums of weights that are whole numbers are exact; other weights are added as floats.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tqdm import tqdm

from pokerlab.core.errors import CardError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards.deck import (
    HOLDINGS,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    Cards,
    card_text,
    check_cards,
)
from pokerlab.holdem.cards.ranges import Weights, as_range
from pokerlab.holdem.equity.boards_to_come import (
    boards_to_come,
    renamed_holdings,
    renamings_that_keep,
)
from pokerlab.holdem.equity.exact import Comparisons, check_size, ties_won
from pokerlab.holdem.equity.tables import SHOWN_AFTER
from pokerlab.holdem.strength.evaluation import (
    CARD_BITS,
    CARD_KEYS,
    NUM_ENDS,
    Small,
    sort_by_strength,
    strength_of_seven,
)

WON, TIED, ALL = range(3)
BOARDS_AT_ONCE = 20_000
"""Boards in a call: few enough that a stop button need not wait long."""
HOLDING_BITS = 11
HOLDING = (1 << HOLDING_BITS) - 1


class Field(NamedTuple):
    """The holdings of two ranges, and the memory for sorting and sweeping them.

    Attributes
    ----------
    cards : ndarray of shape (h, 2)
        Hole cards of those with a weight in either range.
    first, second : ndarray of shape (h,)
        Their weights.
    order, room : ndarray of shape (h,)
        Strength and number of each holding that a board allows, sorted or half sorted.
    won : ndarray of shape (h,)
        Weight of the second range that each beats, in the order of `order`.
    with_card : ndarray of shape (52,)
        Weight of the second range swept so far that holds a card.
    ends : ndarray of shape (192,)
        For sorting.
    """

    cards: NDArray[np.int64]
    first: Weights
    second: Weights
    order: Small
    room: Small
    won: Weights
    with_card: Weights
    ends: Small


def showdowns(
    first: ArrayLike | str, second: ArrayLike | str, board: ArrayLike = ()
) -> Comparisons:
    """Count how often one hand or range wins, ties and loses against another, on all boards.

    Parameters
    ----------
    first, second : array_like or str
        Two hole cards; or a weight for each of the 1,326 holdings; or text for `parse_range`.
        Two holdings meet with the product of their weights, if they share no card.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5
        What is on the table.

    Returns
    -------
    Comparisons
        Sums of weights (floats) over boards to come; for two hands, numbers of boards. Their
        `value(ties)` is the share that the first wins.

    Raises
    ------
    CardError
        If a range or board is not valid, or no two holdings can be dealt with the board.

    Examples
    --------
    >>> from pokerlab.holdem.cards.deck import parse_cards
    >>> showdowns("AsAh", "KsKh")
    Comparisons(wins=1410336.0, ties=9308.0, losses=292660.0)
    >>> round(showdowns("AKs", "QQ+", parse_cards("Kd 7h 2c")).value("half"), 4)
    0.5865
    """
    weights, sums = _sweep_all(first, second, board)
    won, tied, all_of_them = (float(x) for x in weights @ sums)
    return Comparisons(won, tied, all_of_them - won - tied)


def win_probability_against(
    first: ArrayLike | str,
    second: ArrayLike | str,
    board: ArrayLike = (),
    ties: str = "half",
) -> float:
    """Return how likely one hand or range is to win against another if nobody folds.

    Parameters and errors are those of `showdowns` and, for `ties`, of `win_probability`.

    Examples
    --------
    >>> round(win_probability_against("AsAh", "KdKc"), 6)
    0.812555
    """
    ties_won(ties)
    return float(showdowns(first, second, board).value(ties))


def each_against(
    first: ArrayLike | str,
    second: ArrayLike | str,
    board: ArrayLike = (),
    ties: str = "half",
) -> Weights:
    """Return how likely each holding of one range is to win against another range.

    Returns
    -------
    ndarray of float64, shape (1326,)
        NaN for holdings that have no weight or meet nobody.
    """
    won = ties_won(ties)
    weights, sums = _sweep_all(first, second, board)
    met = (weights > 0) & (sums[:, ALL] > 0)
    values = np.full(NUM_HOLDINGS, np.nan)
    values[met] = (sums[met, WON] + won * sums[met, TIED]) / sums[met, ALL]
    return values


def _sweep_all(
    first: ArrayLike | str, second: ArrayLike | str, board: ArrayLike
) -> tuple[Weights, Weights]:
    """Return the first range, and what each of its holdings wins, ties and meets: (1326, 3)."""
    cards = check_cards(board)
    check_size(cards)
    on_board = HOLDS[cards].any(axis=0)
    ranges = [np.where(on_board, 0.0, as_range(given)) for given in (first, second)]
    used = [HOLDS[:, weights > 0] for weights in ranges]
    dead = np.flatnonzero(used[0].all(axis=1) | used[1].all(axis=1)).astype(np.uint8)
    sums = np.zeros((NUM_HOLDINGS, 3))
    if can_meet(*ranges):
        renamings = renamings_that_keep(cards, *ranges)
        boards, multiplicities = boards_to_come(cards, dead, renamings)
        numbers = np.flatnonzero(ranges[0] + ranges[1])
        some, field = np.zeros((len(numbers), 3)), new_field(numbers, *ranges)
        with tqdm(total=len(boards), unit=" boards", delay=SHOWN_AFTER, leave=False) as bar:
            for begin in range(0, len(boards), BOARDS_AT_ONCE):
                part = slice(begin, begin + BOARDS_AT_ONCE)
                add_showdowns(field, boards[part], multiplicities[part], some)
                bar.update(len(boards[part]))
        sums[numbers] = some
        # Of equivalent boards one was swept: a holding shares the sums of all equivalent holdings.
        sums = np.mean([sums[renamed_holdings(suits)] for suits in renamings], axis=0)
    if not ranges[0] @ sums[:, ALL] > 0:
        raise CardError(
            f"no holding of the one range can be dealt with one of the other beside the board "
            f"'{card_text(cards)}'; every two share a card, or one with the board."
        )
    return ranges[0], sums


def can_meet(first: Weights, second: Weights) -> bool:
    """Return whether any holding of one range shares no card with one of the other."""
    others = (second > 0).astype(np.int64)
    # Holdings with either card, of which the same holding has both.
    blocked = HOLDS.T.astype(np.int64) @ (HOLDS @ others) - others
    return bool((blocked < others.sum())[first > 0].any())


def new_field(numbers: NDArray[np.int64], first: Weights, second: Weights) -> Field:
    """Return the holdings with these numbers, and room to work in."""
    size = len(numbers)
    return Field(
        cards=HOLDINGS[numbers].astype(np.int64),
        first=first[numbers],
        second=second[numbers],
        order=np.empty(size, np.int32),
        room=np.empty(size, np.int32),
        won=np.empty(size),
        with_card=np.empty(NUM_CARDS),
        ends=np.empty(NUM_ENDS, np.int32),
    )


@kernel
def add_showdowns(
    field: Field, boards: Cards, multiplicities: NDArray[np.int64], out_sums: Weights
) -> None:
    """Add what each holding of the first range wins, ties and meets on some boards.

    Parameters
    ----------
    field : Field
        Both ranges; its room is overwritten.
    boards : ndarray of uint8, shape (n, 5)
    multiplicities : ndarray of int64, shape (n,)
    out_sums : ndarray of float64, shape (h, 3)
    """
    for number in range(boards.shape[0]):
        size = find_holdings(field, boards[number])
        sort_by_strength(field.order, size, HOLDING_BITS, field.room, field.ends)
        sweep(field, size, float(multiplicities[number]), out_sums)


@inlined
def find_holdings(field: Field, board: Cards) -> int:
    """Write strength and number of each holding that a board allows; return how many."""
    key = bits = on_board = np.int64(0)
    for place in range(5):
        key += CARD_KEYS[board[place]]
        bits += CARD_BITS[board[place]]
        on_board |= 1 << np.int64(board[place])
    size = 0
    for holding in range(field.cards.shape[0]):
        one, two = field.cards[holding, 0], field.cards[holding, 1]
        if not (on_board >> one | on_board >> two) & 1:
            strength = strength_of_seven(
                key + CARD_KEYS[one] + CARD_KEYS[two], bits + CARD_BITS[one] + CARD_BITS[two]
            )
            field.order[size] = strength << HOLDING_BITS | holding
            size += 1
    return size


@inlined
def sweep(field: Field, size: int, times: float, out_sums: Weights) -> None:
    """Add what the sorted holdings win, tie and meet on one board that counts `times` times."""
    order, won, with_card = field.order, field.won, field.with_card
    for card in range(NUM_CARDS):
        with_card[card] = 0.0
    swept = 0.0
    begin = 0
    while begin < size:
        strength = order[begin] >> HOLDING_BITS
        end = begin
        while end < size and order[end] >> HOLDING_BITS == strength:
            holding = order[end] & HOLDING
            won[end] = (
                swept - with_card[field.cards[holding, 0]] - with_card[field.cards[holding, 1]]
            )
            end += 1
        for place in range(begin, end):
            holding = order[place] & HOLDING
            weight = field.second[holding]
            swept += weight
            with_card[field.cards[holding, 0]] += weight
            with_card[field.cards[holding, 1]] += weight
        for place in range(begin, end):
            holding = order[place] & HOLDING
            up_to = (
                swept
                - with_card[field.cards[holding, 0]]
                - with_card[field.cards[holding, 1]]
                + field.second[holding]
            )
            out_sums[holding, WON] += times * won[place]
            out_sums[holding, TIED] += times * (up_to - won[place])
        begin = end
    for place in range(size):
        holding = order[place] & HOLDING
        out_sums[holding, ALL] += times * (
            swept
            - with_card[field.cards[holding, 0]]
            - with_card[field.cards[holding, 1]]
            + field.second[holding]
        )
