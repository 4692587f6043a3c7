"""The probability to win against one random hand, exact on every street, for any number of hands.

How to read it. Whoever holds two cards meets every opponent's hand on every board that can still come, all equally
likely. Each of these comparisons is won, tied or lost; `comparisons` counts them and `win_probability` says what
share is won. On the river the counts are looked up by kinds of boards (`pokerlab.holdem.equity.river`), before it by
canonical boards (`pokerlab.holdem.equity.tables`).
"""

from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Floats, Ints, UnknownNameError, kernel
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    Cards,
    check_cards,
    holding,
    holding_numbers,
)
from pokerlab.holdem.cards.suits import RENAMED, canonical_boards_of
from pokerlab.holdem.equity.river import (
    NUM_TYPES,
    TIES,
    WINS,
    Counts,
    flush_suit,
    num_types,
    river_counts,
    river_row,
    river_table,
    type_of,
)
from pokerlab.holdem.equity.tables import TIES_OF, equity_table, split_counts

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

    Exact. Tables are made on first use, in seconds: those for the river in memory (64 MB), those
    for the other streets in the user's cache folder (106 MB), from where they are read later on.

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
    >>> from pokerlab.holdem.cards.deck import HOLDINGS, card_text
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
