"""The probability to win against one random hand, exact on every street: equity, looked up in tables of counts.

Two hole cards are compared with every opponent's hand on every board that can still come, all equally
likely. Each of these *comparisons* is won, tied or lost; `count_comparisons` counts them, and `win_probability` is the
share that is won. The tables of counts are made by `pokerlab.holdem.equity_tables`.

Inside kernels, for players at a table, `look_up_win_probability` reads one hand and one board at a time, and cards are
not checked. The tables of the flop and the turn have a row for each class of boards, so a board has to be *encoded*:
its class, and in the eight bits below it the new name of each suit. Codes are kept for all 22,100 flops, and for each
class of flops with each turn card. So a look-up takes one step on the flop and two on the turn.
"""

from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Floats, Ints, UnknownNameError, inlined, kernel
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDS_CARD,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    RENAMED_HOLDINGS,
    Cards,
    HandClasses,
    KernelInt,
    build_hand_classes,
    checked_cards,
    find_canonical_boards,
    index_holding,
    index_holdings,
    list_canonical_boards,
)
from pokerlab.holdem.equity_tables import (
    NUM_CARD_TYPES,
    TIE_SHIFT,
    TIE_SHIFTS,
    WIDE_TIE_SHIFT,
    WIDE_WIN_MASK,
    WIN_MASK,
    CountPairs,
    WideCounts,
    count_card_types,
    find_card_type,
    find_flush_suit,
    find_river_row,
    load_equity_table,
    load_river_table,
    look_up_river,
    split_counts,
    widen_pair,
)

TIE_VALUES = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""How much of a win a tie counts, by the rule for ties."""
NUM_COMPARISONS = {
    cards: comb(NUM_CARDS - 2 - cards, 5 - cards) * comb(45, 2) for cards in BOARD_SIZES
}
"""Boards to come times opponents' hands on each, by the number of cards on the board."""


@explain_renamed_attributes
class Comparisons(NamedTuple):
    """How many comparisons hole cards win, tie and lose; each field is a number or an array.

    The three sum to all comparisons: 990 on the river; on the turn 46 times as many, on the flop 1,081 times and
    before the flop 2,118,760 times.

    Attributes
    ----------
    wins, ties, losses : int or ndarray of int64
    """

    wins: Any
    ties: Any
    losses: Any

    def find_win_share(self, ties: str = "half") -> Any:
        """Return the share of the comparisons that is won.

        Parameters
        ----------
        ties : {'half', 'win', 'lose'}
            What a tie counts: half a win, a win or nothing.

        Returns
        -------
        float or ndarray of float64
        """
        won = self.wins + checked_tie_value(ties) * self.ties
        return won / (self.wins + self.ties + self.losses)


def win_probability(hole: ArrayLike | str, board: ArrayLike | str, ties: str = "half") -> Any:
    """Return the probability that hole cards win against one random hand if no one folds.

    It is exact. Tables of 171 MB are made on first use, in seconds, and kept in the user's cache folder, where all
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

    Raises
    ------
    CardError
        If a card is none or appears twice, or a shape does not fit.
    UnknownNameError
        If `ties` is another rule.

    Examples
    --------
    >>> win_probability("Ac Ad", "")
    0.852037133...
    >>> win_probability("Kc 9c", "2c 3c 4c Jd Ad")
    0.991919...
    >>> win_probability(["Ac Ad", "2c 7d"], "2h 7h 7s", ties="lose").round(4).tolist()
    [0.8634, 0.9804]
    """
    checked_tie_value(ties)
    return count_comparisons(hole, board).find_win_share(ties)


def count_comparisons(hole: ArrayLike | str, board: ArrayLike | str) -> Comparisons:
    """Return how many comparisons hole cards win, tie and lose against all hands on all boards to come.

    Parameters and errors are those of `win_probability`.

    Returns
    -------
    Comparisons
        Numbers, or arrays of shape (...,).

    Examples
    --------
    >>> count_comparisons("Ac Ad", "")
    Comparisons(wins=1781508418, ties=11402312, losses=304661670)
    """
    holes, boards = checked_hole_and_board(hole, board)
    shape, num_board = holes.shape[:-1], boards.shape[-1]
    hole_rows = holes.reshape(prod(shape), 2)
    board_rows = boards.reshape(prod(shape), num_board)
    wins, ties = (
        counts.reshape(shape) if shape else int(counts[0])
        for counts in count_wins_and_ties(hole_rows, board_rows)
    )
    return Comparisons(wins, ties, NUM_COMPARISONS[num_board] - wins - ties)


def checked_tie_value(ties: str) -> float:
    """Return how much of a win a tie counts, by the name of a rule: 'half', 'win' or 'lose'."""
    UnknownNameError.check("rule for ties", ties, TIE_VALUES)
    return TIE_VALUES[ties]


def check_board_size(board: Cards) -> None:
    """Raise CardError if no street has as many cards as the last axis of `board`."""
    num_board = board.shape[-1] if board.ndim else 1
    if num_board not in NUM_COMPARISONS:
        raise CardError(
            f"no street has a board of {num_board} cards; give 0, 3, 4 or 5 along the last axis."
        )


def checked_hole_and_board(hole: ArrayLike | str, board: ArrayLike | str) -> tuple[Cards, Cards]:
    """Return hole cards and boards, broadcast against each other, once they are known to fit together.

    Parameters
    ----------
    hole : array_like of integers, shape (..., 2), or str
    board : array_like of integers, shape (..., k), or str

    Returns
    -------
    holes : ndarray of uint8, shape (..., 2)
    boards : ndarray of uint8, shape (..., k)

    Raises
    ------
    CardError
        If a card is none or appears twice, there are not two hole cards, or a shape does not fit.
    """
    holes, boards = checked_cards(hole), checked_cards(board)
    check_board_size(boards)
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
    all_holes = np.broadcast_to(holes, (*shape, 2))
    all_boards = np.broadcast_to(boards, (*shape, boards.shape[-1]))
    cards = checked_cards(np.concatenate([all_holes, all_boards], axis=-1))
    return np.ascontiguousarray(cards[..., :2]), np.ascontiguousarray(cards[..., 2:])


def count_wins_and_ties(holes: Cards, boards: Cards) -> tuple[Ints, Ints]:
    """Return how many comparisons hole cards win and tie on boards.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
    boards : ndarray of uint8, shape (n, k)

    Returns
    -------
    wins, ties : ndarray of int64, shape (n,)
    """
    if boards.shape[1] == 5:
        pairs = np.empty(len(boards), np.uint32)
        fill_river_pairs(load_river_table(), holes, boards, pairs)
        return split_counts(pairs, TIE_SHIFT)
    canonical, renamings = find_canonical_boards(boards)
    renamed = RENAMED_HOLDINGS[renamings, index_holdings(holes)]
    pairs = load_equity_table(boards.shape[1])[canonical, renamed]
    return split_counts(pairs, TIE_SHIFTS[boards.shape[1]])


@kernel
def fill_river_pairs(
    table: NDArray[np.uint32], holes: Cards, boards: Cards, out_pairs: NDArray[np.uint32]
) -> None:
    """Write the pairs of counts of hole cards on boards, as the river table has them.

    Parameters
    ----------
    table : ndarray of uint32, shape (rows, 351)
        The river table.
    holes : ndarray of uint8, shape (n, 2)
    boards : ndarray of uint8, shape (n, 5)
    out_pairs : ndarray of uint32, shape (n,)
        Overwritten.
    """
    for row in range(boards.shape[0]):
        first, second = np.int64(holes[row, 0]), np.int64(holes[row, 1])
        out_pairs[row] = look_up_river(table, boards[row], first, second)


def find_all_win_probabilities(board: ArrayLike | str, ties: str = "half") -> Floats:
    """Return the win probability of every holding on boards against one random hand.

    Parameters
    ----------
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or text
    ties : {'half', 'win', 'lose'}
        As in `win_probability`.

    Returns
    -------
    ndarray of float64, shape (..., 1326)
        In the order of `HOLDINGS`; NaN where a holding shares a card with the board.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem.cards import HOLDINGS, format_cards
    >>> values = find_all_win_probabilities("Ts Js Qs 2h 2d")
    >>> format_cards(HOLDINGS[np.nanargmax(values)]), round(float(np.nanmean(values)), 12)
    ('Ks 9s', 0.5)
    """
    tie_value = checked_tie_value(ties)
    cards = checked_cards(board)
    check_board_size(cards)
    boards = cards.reshape(prod(cards.shape[:-1]), cards.shape[-1])
    if boards.shape[1] == 5:
        values = np.empty((len(boards), NUM_HOLDINGS))
        fill_river_probabilities(load_river_table(), boards, tie_value, values)
    else:
        canonical, renamings = find_canonical_boards(boards)
        pairs = load_equity_table(boards.shape[1])[canonical[:, None], RENAMED_HOLDINGS[renamings]]
        wins, tied = split_counts(pairs, TIE_SHIFTS[boards.shape[1]])
        values = (wins + tie_value * tied) / NUM_COMPARISONS[boards.shape[1]]
        values[HOLDS_CARD[boards].any(axis=1)] = np.nan
    return values.reshape(*cards.shape[:-1], NUM_HOLDINGS)


@kernel
def fill_river_probabilities(
    table: CountPairs, boards: Cards, tie_value: float, out_values: Floats
) -> None:
    """Write the win probability of every holding on boards; NaN where they share a card.

    Parameters
    ----------
    table : ndarray of uint32, shape (rows, 351)
        The river table.
    boards : ndarray of uint8, shape (n, 5)
    tie_value : float
        How much of a win a tie counts.
    out_values : ndarray of shape (n, 1326)
        Overwritten.
    """
    # Win probabilities by the types of two cards.
    square = np.empty((NUM_CARD_TYPES, NUM_CARD_TYPES))
    for row in range(boards.shape[0]):
        board = boards[row]
        suit = find_flush_suit(board)
        counts, column = table[find_river_row(board, suit)], 0
        for first_type in range(count_card_types(suit)):
            for second_type in range(first_type + 1):
                wins, ties = counts[column] & WIN_MASK, counts[column] >> TIE_SHIFT
                square[first_type, second_type] = square[second_type, first_type] = (
                    wins + tie_value * ties
                ) / 990
                column += 1

        # Cards outside the flush suit have the types 0 to 12, those in it are written over.
        first_holding = 0
        for high in range(NUM_CARDS):
            values_with_high = square[find_card_type(high, suit)]
            for low in range(high):
                out_values[row, first_holding + low] = values_with_high[low // NUM_SUITS]
            if suit >= 0:
                for low in range(suit, high, NUM_SUITS):
                    out_values[row, first_holding + low] = values_with_high[
                        NUM_RANKS + low // NUM_SUITS
                    ]
            first_holding += high

        for place in range(5):
            card = np.int64(board[place])
            for other in range(NUM_CARDS):
                if other != card:
                    out_values[row, index_holding(card, other)] = np.nan


ON_FLOP, ON_TURN, ON_RIVER = 3, 4, 5
NUM_COMPARISONS_ON = np.array([NUM_COMPARISONS.get(cards, 0) for cards in range(ON_RIVER + 1)])
"""How many comparisons there are, by the number of cards on the board; 0 for numbers that no street has."""
SUIT_BITS, SUIT_MASK = 2, 3
CLASS_SHIFT = SUIT_BITS * NUM_SUITS
"""The bit of a board's code at which its class begins; the bits below are the new name of each suit."""

BoardCodes = NDArray[np.uint32]


class EquityTables(NamedTuple):
    """The tables that `look_up_win_probability` reads; made by `load_lookup_tables`.

    Attributes
    ----------
    before_flop : ndarray of uint64, shape (1, 1326)
        Wide pairs of counts by holding.
    flop : ndarray of uint64, shape (1755, 1326)
        Wide pairs of counts by canonical board and holding.
    turn : ndarray of uint32, shape (16432, 1326)
        Pairs of counts by canonical board and holding.
    river : ndarray of uint32, shape (rows, 351)
        Pairs of counts as `load_river_table` has them.
    flop_codes : ndarray of uint32, shape (22100,)
        The codes of all flops, in the order of `index_flop`.
    turn_codes : ndarray of uint32, shape (1755, 52)
        The codes of canonical flops with each further card; zero if the card is on the flop.
    """

    before_flop: WideCounts
    flop: WideCounts
    turn: CountPairs
    river: CountPairs
    flop_codes: BoardCodes
    turn_codes: BoardCodes


@cache
def load_lookup_tables() -> EquityTables:
    """Return the tables of all streets; on first use they are made, in seconds, and kept on disk."""
    return EquityTables(
        load_equity_table(0),
        load_equity_table(ON_FLOP),
        load_equity_table(ON_TURN),
        load_river_table(),
        encode_flops(),
        encode_turns(),
    )


def encode_flops() -> BoardCodes:
    """Return the codes of all flops, in the order of `index_flop`.

    Returns
    -------
    ndarray of uint32, shape (22100,)
    """
    ascending = np.array(list(combinations(range(NUM_CARDS), ON_FLOP)))
    flops = ascending[np.lexsort(ascending.T)]
    return encode_boards(build_hand_classes(ON_FLOP), flops)


def encode_turns() -> BoardCodes:
    """Return the codes of all canonical flops with each further card; zero where the card is on the flop.

    Returns
    -------
    ndarray of uint32, shape (1755, 52)
    """
    flops = list_canonical_boards(ON_FLOP)[0]
    repeated_flops = np.repeat(flops[:, None], NUM_CARDS, axis=1)
    cards = np.broadcast_to(np.arange(NUM_CARDS)[:, None], (len(flops), NUM_CARDS, 1))
    boards = np.concatenate([repeated_flops, cards], axis=2)
    is_possible = (repeated_flops != cards).all(axis=2)
    codes = np.zeros(is_possible.shape, np.uint32)
    codes[is_possible] = encode_boards(build_hand_classes(ON_TURN), boards[is_possible])
    codes.flags.writeable = False
    return codes


def encode_boards(classes: HandClasses, boards: NDArray[np.int64]) -> BoardCodes:
    """Return the codes of boards: the class, and in the bits below it the new name of each suit.

    Parameters
    ----------
    classes : HandClasses
        The classes of boards of k cards.
    boards : ndarray of int64, shape (n, k)

    Returns
    -------
    ndarray of uint32, shape (n,)
    """
    names = classes.find_renamings(boards).astype(np.int64) << SUIT_BITS * np.arange(NUM_SUITS)
    codes = np.asarray(classes.index_hands(boards) << CLASS_SHIFT | names.sum(axis=-1), np.uint32)
    codes.flags.writeable = False
    return codes


@inlined
def look_up_win_probability(
    tables: EquityTables, hole: Cards, board: Cards, tie_value: float
) -> float:
    """Return the probability that hole cards win against one random hand on a board; cards are not checked.

    Parameters
    ----------
    tables : EquityTables
    hole : ndarray of uint8, shape (2,)
    board : ndarray of uint8, shape (k,)
        0, 3, 4 or 5 cards.
    tie_value : float
        How much of a win a tie counts, 0 to 1.
    """
    first, second = np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        pair = widen_pair(look_up_river(tables.river, board, first, second))
    elif board.size == 0:
        pair = tables.before_flop[0, index_holding(first, second)]
    else:
        flop = np.int64(tables.flop_codes[index_flop(board)])
        first, second = np.int64(rename_card(flop, first)), np.int64(rename_card(flop, second))
        if board.size == ON_FLOP:
            pair = tables.flop[flop >> CLASS_SHIFT, index_holding(first, second)]
        else:
            turn_card = rename_card(flop, np.int64(board[ON_FLOP]))
            turn = np.int64(tables.turn_codes[flop >> CLASS_SHIFT, turn_card])
            holding = index_holding(rename_card(turn, first), rename_card(turn, second))
            pair = widen_pair(tables.turn[turn >> CLASS_SHIFT, holding])
    wins, ties = np.int64(pair & WIDE_WIN_MASK), np.int64(pair >> np.uint64(WIDE_TIE_SHIFT))
    return float((wins + tie_value * ties) / NUM_COMPARISONS_ON[board.size])


@inlined
def index_flop(board: Cards) -> KernelInt:
    """Return the index of a flop among all flops; its three cards, the first of `board`, may be in any order."""
    a, b, c = np.int64(board[0]), np.int64(board[1]), np.int64(board[2])
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


@inlined
def rename_card(code: KernelInt, card: KernelInt) -> KernelInt:
    """Return a card with the new name of its suit, as the code of a board has it."""
    suit = card % NUM_SUITS
    return card - suit + (code >> SUIT_BITS * suit & SUIT_MASK)
