"""The probability to win against one random hand, exact on every street, for any number of hands.

How to read it. Whoever holds two cards meets every opponent's hand on every board that can still
come, all equally likely. Each of these comparisons is won, tied or lost; `comparisons` counts
them and `win_probability` says what share is won. On the river the counts are looked up by kinds
of boards (`pokerlab.holdem.river_table`), before it by canonical boards
(`pokerlab.holdem.equity_tables`).
"""

from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.errors import CardError, UnknownNameError
from pokerlab.core.kernel import kernel
from pokerlab.holdem.cards import NUM_CARDS, NUM_SUITS, Cards, check_cards
from pokerlab.holdem.equity_tables import KINDS, equity_table
from pokerlab.holdem.holdings import numbered
from pokerlab.holdem.river_classes import TIES
from pokerlab.holdem.river_table import river_counts, river_table
from pokerlab.holdem.suit_layout import fill_classes
from pokerlab.holdem.suits import hand_classes

Counts: TypeAlias = NDArray[np.int64]

TIES_WON = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""How much of a tie counts as won, by the rule for ties."""
NUM_COMPARISONS = {
    cards: comb(NUM_CARDS - 2 - cards, 5 - cards) * comb(45, 2) for cards in (0, 3, 4, 5)
}
"""Boards to come times opponents' hands on each, by the number of cards on the board."""


class Comparisons(NamedTuple):
    """How often hole cards win, tie and lose; numbers or arrays of int64.

    Attributes
    ----------
    wins, ties, losses
        They sum to all comparisons: 990 on the river, 46 times as many on the turn, 1,081 on the
        flop and 2,118,760 before it.
    """

    wins: Any
    ties: Any
    losses: Any

    def value(self, ties: str = "half") -> Any:
        """Return the share won, with ties counted by the rule 'half', 'win' or 'lose'."""
        return (self.wins + ties_won(ties) * self.ties) / (self.wins + self.ties + self.losses)


def win_probability(hole: ArrayLike, board: ArrayLike, ties: str = "half") -> Any:
    """Return how likely hole cards are to win against one random hand if nobody folds.

    Exact. Tables are made on first use, in seconds: those for the river in memory (64 MB), those
    for the other streets in the user's cache folder (106 MB), from where they are read later on.

    Parameters
    ----------
    hole : array_like of integers, shape (2,) or (..., 2)
        Hole cards.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5
        The board; other axes are broadcast against those of `hole`.
    ties : {'half', 'win', 'lose'}
        What a tie counts: half a win, a win or nothing.

    Returns
    -------
    float or ndarray of float64, shape (...,)

    Raises
    ------
    CardError
        If the cards are not two and a board of 0, 3, 4 or 5 from one deck.
    UnknownNameError
        If there is no such rule for ties.

    Examples
    --------
    >>> from pokerlab.holdem.cards import parse_cards
    >>> win_probability(parse_cards("Ac Ad"), parse_cards(""))
    0.852037133...
    >>> win_probability(parse_cards("Kc 9c"), parse_cards("2c 3c 4c Jd Ad"))
    0.991919...
    >>> holes = [parse_cards("Ac Ad"), parse_cards("2c 7d")]
    >>> win_probability(holes, parse_cards("2h 7h 7s"), ties="lose").round(4).tolist()
    [0.8634, 0.9804]
    """
    ties_won(ties)
    return comparisons(hole, board).value(ties)


def comparisons(hole: ArrayLike, board: ArrayLike) -> Comparisons:
    """Count how often hole cards win, tie and lose against all hands on all boards to come.

    Parameters and errors are those of `win_probability`.

    Examples
    --------
    >>> from pokerlab.holdem.cards import parse_cards
    >>> comparisons(parse_cards("Ac Ad"), parse_cards(""))
    Comparisons(wins=1781508418, ties=11402312, losses=304661670)
    """
    holes, boards = dealt(hole, board)
    shape, num_board = holes.shape[:-1], boards.shape[-1]
    wins, ties = (
        counts.reshape(shape) if shape else int(counts[0])
        for counts in counted(holes.reshape(prod(shape), 2), boards.reshape(prod(shape), num_board))
    )
    return Comparisons(wins, ties, NUM_COMPARISONS[num_board] - wins - ties)


def ties_won(ties: str) -> float:
    """Return how much of a tie counts as won by a rule."""
    UnknownNameError.check("rule for ties", ties, TIES_WON)
    return TIES_WON[ties]


def check_size(board: Cards) -> None:
    """Refuse a board that no street has."""
    num_board = board.shape[-1] if board.ndim else 1
    if num_board not in NUM_COMPARISONS:
        raise CardError(
            f"a board of {num_board} cards is no street's; give 0, 3, 4 or 5 along the last axis."
        )


def dealt(hole: ArrayLike, board: ArrayLike) -> tuple[Cards, Cards]:
    """Return hole cards and boards of one shape, once it is known that they can be dealt so."""
    holes, boards = check_cards(hole), check_cards(board)
    check_size(boards)
    if holes.ndim == 0 or holes.shape[-1] != 2:
        raise CardError(
            f"hole cards of shape {holes.shape} are not two a hand; give two along the last axis."
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


def counted(holes: Cards, boards: Cards) -> tuple[Counts, Counts]:
    """Return the wins and the ties of hole cards, shape (n, 2), on boards, shape (n, k)."""
    num_board = boards.shape[-1]
    if num_board == 5:
        pairs = np.empty(len(boards), np.uint32)
        fill_pairs(river_table(), holes, boards, pairs)
        return parted(pairs, TIES)
    classes, renamings = placed(boards)
    suits = np.take_along_axis(renamings, holes % NUM_SUITS, axis=1)
    renamed = holes // NUM_SUITS * NUM_SUITS + suits
    return parted(equity_table(num_board)[classes, numbered(renamed)], KINDS[num_board].ties)


def placed(boards: Cards) -> tuple[Counts, Cards]:
    """Return the canonical board that each is like, (n,), and the suits' names there, (n, 4)."""
    classes = np.zeros(len(boards), np.int64)
    renamings = np.tile(np.arange(NUM_SUITS, dtype=np.uint8), (len(boards), 1))
    if boards.shape[1]:
        fill_classes(hand_classes(boards.shape[1]).layout, boards, classes, renamings)
    return classes, renamings


def parted(pairs: NDArray[Any], ties: int) -> tuple[Counts, Counts]:
    """Return the wins and the ties of pairs of counts, the latter from this bit on."""
    counts = pairs.astype(np.int64)
    return counts & (1 << ties) - 1, counts >> ties


@kernel
def fill_pairs(
    table: NDArray[np.uint32], holes: Cards, boards: Cards, out_pairs: NDArray[np.uint32]
) -> None:
    """Look up the pair of counts of each two hole cards on a board of five."""
    for row in range(boards.shape[0]):
        first, second = np.int64(holes[row, 0]), np.int64(holes[row, 1])
        out_pairs[row] = river_counts(table, boards[row], first, second)
