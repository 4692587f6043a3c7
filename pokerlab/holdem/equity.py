"""Equity: the exact probability of winning against one random hand, on every street, from tables of counts.

Two hole cards are compared with every hand of an opponent on every board that can still come; all of these are equally
likely. Each of these *comparisons* is won, tied or lost. `count_comparisons` counts them, and `win_probability` returns
the share of comparisons that are won. The tables of counts are made by `pokerlab.holdem.equity_tables`. Wins and ties
are stored there as *packed counts*: two numbers in one integer, with the wins in the lower bits and the ties in the
higher bits.

Kernels call `look_up_win_probability` for one hand and one board, without checks. The tables of the flop and the turn
have a row for each class of boards up to a renaming of suits. So a board has a *code*: its class, and in the eight bits
below it the new name of each suit. The codes of all 22,100 flops are stored, and those of each class of flops with each
turn card. So a look-up takes one step on the flop and two steps on the turn.
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
    Cards,
    KernelInt,
    find_holding_index,
    find_holding_indices,
    validate_cards,
)
from pokerlab.holdem.equity_tables import (
    TIE_SHIFTS,
    WIDE_TIE_SHIFT,
    WIDE_WIN_MASK,
    WidePackedCounts,
    find_row_in_river_table,
    load_equity_table,
    load_river_table,
    look_up_river_counts,
    unpack_counts,
    widen_packed_counts,
)
from pokerlab.holdem.hand_classes import (
    RENAMED_HOLDINGS,
    HandClasses,
    build_hand_classes,
    find_canonical_boards,
    list_canonical_boards,
)
from pokerlab.holdem.river_comparisons import (
    NO_SUIT,
    NUM_CARD_TYPES,
    TIE_SHIFT,
    WIN_MASK,
    PackedCounts,
    count_card_types,
    find_card_type,
    find_flush_suit,
)

ON_FLOP, ON_TURN, ON_RIVER = 3, 4, 5  # the number of cards on the board
TIE_VALUES = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""The fraction of a win that a tie counts, for each rule for ties."""
NUM_COMPARISONS = {
    cards: comb(NUM_CARDS - 2 - cards, 5 - cards) * comb(45, 2) for cards in BOARD_SIZES
}
"""The number of boards that can come times the number of opponents' hands on each, by the cards on the board."""
NUM_RIVER_COMPARISONS = NUM_COMPARISONS[ON_RIVER]
"""The number of opponents' hands on a board of five cards, 990."""


@explain_renamed_attributes
class Comparisons(NamedTuple):
    """The numbers of comparisons that hole cards win, tie and lose.

    A comparison is one showdown against one hand of an opponent on one board of five cards that can still come. On the
    river there are 990 comparisons. On the turn there are 46 times as many (one set for each river card), on the flop
    1,081 times, and before the flop 2,118,760 times as many.

    Attributes
    ----------
    wins, ties, losses : int or ndarray of int64
        Numbers for one hand, or arrays for many hands.
    """

    wins: Any
    ties: Any
    losses: Any

    def find_win_share(self, ties: str = "half") -> Any:
        """Return the share of the comparisons that are won.

        A comparison is one showdown against one hand of an opponent on one board of five cards.

        Parameters
        ----------
        ties : {'half', 'win', 'lose'}
            Whether a tie counts as half a win, as a win, or as a loss.

        Returns
        -------
        float or ndarray of float64
            A float for one hand, or an array for many hands.

        Raises
        ------
        UnknownNameError
            If `ties` is none of the three rules.
        """
        weighted_wins = self.wins + look_up_tie_value(ties) * self.ties
        num_comparisons = self.wins + self.ties + self.losses
        return weighted_wins / num_comparisons


def win_probability(hole: ArrayLike | str, board: ArrayLike | str, ties: str = "half") -> Any:
    """Return the exact probability that hole cards win against one random hand if no one folds.

    The probability is computed from tables of 171 MB. They are made on first use, which takes some seconds, and are
    saved in the user's cache folder, where all processes share them. `python -m pokerlab.warm` saves them beside the
    installation instead, for all its users.

    Parameters
    ----------
    hole : array_like of integers, shape (2,) or (..., 2), or text
        The two hole cards of one hand or of many, as numbers or as text such as 'Ac Ad'.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5, or text
        The k cards of one board or of many. The axes before the last are broadcast against those of `hole`.
    ties : {'half', 'win', 'lose'}
        Whether a tie counts as half a win, as a win, or as a loss.

    Returns
    -------
    float or ndarray of float64, shape (...,)
        The probability, from 0 to 1, for each hand on its board; a float for one hand on one board.

    Raises
    ------
    CardError
        If a card is not valid or appears twice, or a shape does not fit.
    UnknownNameError
        If `ties` is none of the three rules.

    Examples
    --------
    >>> win_probability("Ac Ad", "")
    0.852037133...
    >>> win_probability("Kc 9c", "2c 3c 4c Jd Ad")
    0.991919...
    >>> win_probability(["Ac Ad", "2c 7d"], "2h 7h 7s", ties="lose").round(4).tolist()
    [0.8634, 0.9804]
    """
    look_up_tie_value(ties)  # raises for an unknown rule before the tables are made
    return count_comparisons(hole, board).find_win_share(ties)


def count_comparisons(hole: ArrayLike | str, board: ArrayLike | str) -> Comparisons:
    """Return how many showdowns hole cards win, tie and lose against all hands of an opponent on all boards to come.

    Parameters
    ----------
    hole : array_like of integers, shape (2,) or (..., 2), or text
        The two hole cards of one hand or of many.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5, or text
        The k cards of one board or of many. The axes before the last are broadcast against those of `hole`.

    Returns
    -------
    Comparisons
        Its fields are ints for one hand on one board, and arrays of shape (...,) for many.

    Raises
    ------
    CardError
        If a card is not valid or appears twice, or a shape does not fit.

    Examples
    --------
    >>> count_comparisons("Ac Ad", "")
    Comparisons(wins=1781508418, ties=11402312, losses=304661670)
    """
    holes, boards = validate_hole_and_board(hole, board)
    shape = holes.shape[:-1]
    num_hands = prod(shape)
    board_size = boards.shape[-1]
    num_comparisons = NUM_COMPARISONS[board_size]
    wins, ties = count_wins_and_ties(
        holes.reshape(num_hands, 2), boards.reshape(num_hands, board_size)
    )
    losses = num_comparisons - wins - ties
    if not shape:
        return Comparisons(int(wins[0]), int(ties[0]), int(losses[0]))
    return Comparisons(wins.reshape(shape), ties.reshape(shape), losses.reshape(shape))


def look_up_tie_value(ties: str) -> float:
    """Return the fraction of a win that a tie counts under a rule for ties.

    Parameters
    ----------
    ties : {'half', 'win', 'lose'}
        The rule: whether a tie counts as half a win, as a win, or as a loss.

    Returns
    -------
    float
        0.5 for 'half', 1.0 for 'win' and 0.0 for 'lose'.

    Raises
    ------
    UnknownNameError
        If `ties` is none of the three rules.
    """
    UnknownNameError.check("rule for ties", ties, TIE_VALUES)
    return TIE_VALUES[ties]


def check_board_size(board: Cards) -> None:
    """Raise CardError unless the last axis of an array of boards has 0, 3, 4 or 5 cards.

    Parameters
    ----------
    board : ndarray of uint8, shape (..., k)
        The k cards of one board or of many. An array without axes counts as one card.

    Raises
    ------
    CardError
        If there is another number of cards.
    """
    board_size = board.shape[-1] if board.ndim else 1
    if board_size not in NUM_COMPARISONS:
        raise CardError(
            f"no street has a board of {board_size} cards; give 0, 3, 4 or 5 along the last axis."
        )


def validate_hole_and_board(hole: ArrayLike | str, board: ArrayLike | str) -> tuple[Cards, Cards]:
    """Return hole cards and boards, after checking that they fit together and broadcasting them.

    Parameters
    ----------
    hole : array_like of integers, shape (..., 2), or str
        The two hole cards of each hand.
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or str
        The k cards of each board.

    Returns
    -------
    holes : ndarray of uint8, shape (..., 2)
        The hole cards of each hand.
    boards : ndarray of uint8, shape (..., k)
        The board of each hand. Both arrays have the same axes before the last.

    Raises
    ------
    CardError
        If a card is not valid or appears twice, if there are not two hole cards, or if a shape does not fit.
    """
    holes, boards = validate_cards(hole), validate_cards(board)
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
    cards = validate_cards(np.concatenate([all_holes, all_boards], axis=-1))
    return np.ascontiguousarray(cards[..., :2]), np.ascontiguousarray(cards[..., 2:])


def count_wins_and_ties(holes: Cards, boards: Cards) -> tuple[Ints, Ints]:
    """Return how many showdowns hole cards win and tie against all hands of an opponent on all boards to come.

    The numbers are looked up in tables.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
        The hole cards of n hands.
    boards : ndarray of uint8, shape (n, k)
        The board of each hand, of 0, 3, 4 or 5 cards. Cards are not checked.

    Returns
    -------
    wins, ties : ndarray of int64, shape (n,)
        The numbers of showdowns.
    """
    board_size = boards.shape[1]
    if board_size == ON_RIVER:
        river_counts = np.empty(len(boards), np.uint32)
        fill_river_counts(load_river_table(), holes, boards, river_counts)
        return unpack_counts(river_counts, TIE_SHIFT)

    # Before the river the tables have only one of the boards that a renaming of suits makes equal, the canonical board.
    # So the suits of the hole cards are renamed like those of the board.
    canonical_boards, renamings = find_canonical_boards(boards)
    renamed_holdings = RENAMED_HOLDINGS[renamings, find_holding_indices(holes)]
    packed_counts = load_equity_table(board_size)[canonical_boards, renamed_holdings]
    return unpack_counts(packed_counts, TIE_SHIFTS[board_size])


@kernel
def fill_river_counts(
    river_table: NDArray[np.uint32], holes: Cards, boards: Cards, out_counts: NDArray[np.uint32]
) -> None:
    """Write how many hands of an opponent hole cards beat and tie on boards of five cards.

    Parameters
    ----------
    river_table : ndarray of uint32, shape (rows, 351)
        The table that `load_river_table` returns.
    holes : ndarray of uint8, shape (n, 2)
        The hole cards of n hands.
    boards : ndarray of uint8, shape (n, 5)
        The board of each hand.
    out_counts : ndarray of uint32, shape (n,)
        Overwritten with packed counts: the hands that are beaten, plus 65536 times the hands that are tied.
    """
    for row in range(boards.shape[0]):
        first_card, second_card = np.int64(holes[row, 0]), np.int64(holes[row, 1])
        out_counts[row] = look_up_river_counts(river_table, boards[row], first_card, second_card)


def compute_all_win_probabilities(board: ArrayLike | str, ties: str = "half") -> Floats:
    """Return the win probability of all hole cards on boards, against one random hand if no one folds.

    Parameters
    ----------
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or text
        The k cards of one board or of many.
    ties : {'half', 'win', 'lose'}
        Whether a tie counts as half a win, as a win, or as a loss.

    Returns
    -------
    ndarray of float64, shape (..., 1326)
        The win probability of each pair of hole cards, in the order of `HOLDINGS`. It is NaN if the hole cards share a
        card with the board.

    Raises
    ------
    CardError
        If a card is not valid or appears twice, or no street has k cards.
    UnknownNameError
        If `ties` is none of the three rules.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem.cards import HOLDINGS, format_cards
    >>> values = compute_all_win_probabilities("Ts Js Qs 2h 2d")
    >>> format_cards(HOLDINGS[np.nanargmax(values)]), round(float(np.nanmean(values)), 12)
    ('Ks 9s', 0.5)
    """
    tie_value = look_up_tie_value(ties)
    cards = validate_cards(board)
    check_board_size(cards)
    *outer_shape, board_size = cards.shape
    boards = cards.reshape(prod(outer_shape), board_size)

    if board_size == ON_RIVER:
        probabilities = np.empty((len(boards), NUM_HOLDINGS))
        fill_river_probabilities(load_river_table(), boards, tie_value, probabilities)
    else:
        # The table has only one of the boards that a renaming of suits makes equal, the canonical board. So the suits
        # of all holdings are renamed like those of the board.
        canonical_boards, renamings = find_canonical_boards(boards)
        renamed_holdings = RENAMED_HOLDINGS[renamings]
        packed_counts = load_equity_table(board_size)[canonical_boards[:, None], renamed_holdings]
        num_wins, num_ties = unpack_counts(packed_counts, TIE_SHIFTS[board_size])
        probabilities = (num_wins + tie_value * num_ties) / NUM_COMPARISONS[board_size]
        is_impossible = HOLDS_CARD[boards].any(axis=1)
        probabilities[is_impossible] = np.nan
    return probabilities.reshape(*outer_shape, NUM_HOLDINGS)


@kernel
def fill_river_probabilities(
    river_table: PackedCounts, boards: Cards, tie_value: float, out_probabilities: Floats
) -> None:
    """Write the win probability of all hole cards on boards of five cards.

    Parameters
    ----------
    river_table : ndarray of uint32, shape (rows, 351)
        The table that `load_river_table` returns.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    tie_value : float
        The fraction of a win that a tie counts.
    out_probabilities : ndarray of shape (n, 1326)
        Overwritten with the win probability of each pair of hole cards, in the order of `HOLDINGS`. It is NaN if the
        hole cards share a card with the board.
    """
    probabilities_by_types = np.empty((NUM_CARD_TYPES, NUM_CARD_TYPES))
    for row in range(boards.shape[0]):
        board, probabilities = boards[row], out_probabilities[row]
        flush_suit = find_flush_suit(board)
        counts = river_table[find_row_in_river_table(board, flush_suit)]
        fill_win_probabilities_by_types(counts, flush_suit, tie_value, probabilities_by_types)
        fill_holding_values_by_types(probabilities_by_types, flush_suit, probabilities)

        for position in range(5):
            fill_holdings_with_card_by_nan(np.int64(board[position]), probabilities)


@inlined
def fill_holdings_with_card_by_nan(card: KernelInt, out_probabilities: Floats) -> None:
    """Write NaN as the win probability of all holdings that contain a card.

    A holding is a pair of hole cards.

    Parameters
    ----------
    card : int
        A card on the board.
    out_probabilities : ndarray of shape (1326,)
        The entries of these holdings are overwritten.
    """
    for other_card in range(NUM_CARDS):
        if other_card != card:
            out_probabilities[find_holding_index(card, other_card)] = np.nan


@inlined
def fill_win_probabilities_by_types(
    counts: PackedCounts, flush_suit: int, tie_value: float, out_by_types: Floats
) -> None:
    """Write the win probability on one board of five cards for each pair of types that two hole cards can have.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    counts : ndarray of uint32, shape (351,)
        The board's row of the table that `load_river_table` returns. It has packed counts for each pair of types: the
        hands that are beaten in the lower 16 bits, and the hands that are tied in the upper 16 bits.
    flush_suit : int
        The suit that can make a flush, or NO_SUIT.
    tie_value : float
        The fraction of a win that a tie counts.
    out_by_types : ndarray of shape (26, 26)
        Overwritten with the win probability by the types of the first and the second card. If no suit can make a flush,
        only the first 13 rows and columns are overwritten.
    """
    # Pairs of types are numbered like the entries of a triangle, row by row.
    type_pair = 0
    for high_type in range(count_card_types(flush_suit)):
        for low_type in range(high_type + 1):
            wins = counts[type_pair] & WIN_MASK
            ties = counts[type_pair] >> TIE_SHIFT
            probability = (wins + tie_value * ties) / NUM_RIVER_COMPARISONS
            out_by_types[high_type, low_type] = probability
            out_by_types[low_type, high_type] = probability
            type_pair += 1


@inlined
def fill_holding_values_by_types(
    values_by_types: Floats, flush_suit: int, out_values: Floats
) -> None:
    """Write the value of each pair of hole cards, which depends only on the types of the two cards.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    values_by_types : ndarray of shape (26, 26)
        The value for each pair of types.
    flush_suit : int
        The suit that can make a flush, or NO_SUIT.
    out_values : ndarray of shape (1326,)
        Overwritten with the values, in the order of `HOLDINGS`.
    """
    # First treat all low cards as if they were outside the flush suit (types 0 to 12), then correct those in it.
    first_holding = 0  # of the holdings with this high card
    for high_card in range(NUM_CARDS):
        values_with_high = values_by_types[find_card_type(high_card, flush_suit)]
        for low_card in range(high_card):
            out_values[first_holding + low_card] = values_with_high[low_card // NUM_SUITS]
        if flush_suit != NO_SUIT:
            for low_card in range(flush_suit, high_card, NUM_SUITS):
                out_values[first_holding + low_card] = values_with_high[
                    NUM_RANKS + low_card // NUM_SUITS
                ]
        first_holding += high_card


NUM_COMPARISONS_ON = np.array([NUM_COMPARISONS.get(cards, 0) for cards in range(ON_RIVER + 1)])
"""The number of comparisons for each number of cards on the board; 0 for 1 and 2 cards, which no street has."""
SUIT_BITS, SUIT_MASK = 2, 3
CLASS_SHIFT = SUIT_BITS * NUM_SUITS
"""The bit of a board's code at which its class begins. The bits below it are the new names of the suits."""

BoardCodes = NDArray[np.uint32]


class WinProbabilityTables(NamedTuple):
    """The tables from which `look_up_win_probability` computes; made by `load_win_probability_tables`.

    Packed counts are the wins and the ties of a hand in one integer, with the wins in the lower bits. Wide packed
    counts are the same in 64 bits. The code of a board is the number of its canonical board, and in the eight bits
    below it the new name of each suit. One of the boards that a renaming of suits makes equal is called canonical.

    Attributes
    ----------
    before_flop : ndarray of uint64, shape (1, 1326)
        The wide packed counts of each pair of hole cards.
    flop : ndarray of uint64, shape (1755, 1326)
        The wide packed counts of each pair of hole cards on each canonical flop.
    turn : ndarray of uint32, shape (16432, 1326)
        The packed counts of each pair of hole cards on each canonical board of four cards.
    river : ndarray of uint32, shape (rows, 351)
        The packed counts on the river, from `load_river_table`.
    flop_codes : ndarray of uint32, shape (22100,)
        The codes of all flops, in the order of `index_flop`.
    turn_codes : ndarray of uint32, shape (1755, 52)
        The code of each canonical flop with each turn card, or 0 if the card is on the flop.
    """

    before_flop: WidePackedCounts
    flop: WidePackedCounts
    turn: PackedCounts
    river: PackedCounts
    flop_codes: BoardCodes
    turn_codes: BoardCodes


@cache
def load_win_probability_tables() -> WinProbabilityTables:
    """Return the tables from which `look_up_win_probability` computes.

    On first use the tables are made, which takes some seconds, and saved on disk. All later calls return the same
    tables.

    Returns
    -------
    WinProbabilityTables
        The counts of wins and ties on all streets, and the codes of flops and turns.
    """
    return WinProbabilityTables(
        before_flop=load_equity_table(0),
        flop=load_equity_table(ON_FLOP),
        turn=load_equity_table(ON_TURN),
        river=load_river_table(),
        flop_codes=encode_all_flops(),
        turn_codes=encode_flops_with_turns(),
    )


def encode_all_flops() -> BoardCodes:
    """Return, for every flop, the equivalent canonical flop and the renaming of suits, coded in one integer.

    Flops are equivalent if a renaming of suits makes them equal. One flop of each class is its canonical flop.

    Returns
    -------
    ndarray of uint32, shape (22100,)
        The codes of all flops, in the order of `index_flop`. A code has the index of the canonical flop from the bit
        CLASS_SHIFT on, and below it the new name of each suit in two bits.
    """
    ascending_flops = np.array(list(combinations(range(NUM_CARDS), ON_FLOP)))
    colexicographic_order = np.lexsort(ascending_flops.T)  # by the highest card first
    return encode_boards(build_hand_classes(ON_FLOP), ascending_flops[colexicographic_order])


def encode_flops_with_turns() -> BoardCodes:
    """Return the code of the board of four cards that each turn card makes with each canonical flop.

    Boards are equivalent if a renaming of suits makes them equal. One board of each class is its canonical board. A
    code is one integer for the canonical board and for the renaming of suits.

    Returns
    -------
    ndarray of uint32, shape (1755, 52)
        The code for each canonical flop and each card, or 0 if the card is on the flop. A code has the index of the
        canonical board from the bit CLASS_SHIFT on, and below it the new name of each suit in two bits.
    """
    flops, _ = list_canonical_boards(ON_FLOP)
    repeated_flops = np.repeat(flops[:, None], NUM_CARDS, axis=1)
    turn_cards = np.broadcast_to(np.arange(NUM_CARDS)[:, None], (len(flops), NUM_CARDS, 1))
    boards = np.concatenate([repeated_flops, turn_cards], axis=2)
    is_possible = (repeated_flops != turn_cards).all(axis=2)
    codes = np.zeros(is_possible.shape, np.uint32)
    codes[is_possible] = encode_boards(build_hand_classes(ON_TURN), boards[is_possible])
    codes.flags.writeable = False
    return codes


def encode_boards(classes: HandClasses, boards: NDArray[np.int64]) -> BoardCodes:
    """Return, for each board, the index of its canonical board and the renaming of suits, coded in one integer.

    Boards are equivalent if a renaming of suits makes them equal. One board of each class is its canonical board.

    Parameters
    ----------
    classes : HandClasses
        The classes of boards of k cards.
    boards : ndarray of int64, shape (n, k)
        The cards of n boards.

    Returns
    -------
    ndarray of uint32, shape (n,)
        The index of the canonical board from the bit CLASS_SHIFT on. Below it, the two bits from 2 s on are the suit
        that suit s becomes on the canonical board, 0 to 3.
    """
    new_suits = classes.find_renamings(boards).astype(np.int64)
    shifted_suits = new_suits << SUIT_BITS * np.arange(NUM_SUITS)
    class_bits = classes.find_classes(boards) << CLASS_SHIFT
    codes = np.asarray(class_bits | shifted_suits.sum(axis=-1), np.uint32)
    codes.flags.writeable = False
    return codes


@inlined
def look_up_win_probability(
    tables: WinProbabilityTables, hole: Cards, board: Cards, tie_value: float
) -> float:
    """Return the probability that hole cards win against one random hand if no one folds.

    On the flop and the turn, the tables have canonical boards only: one of the boards that a renaming of suits makes
    equal. The code of the flop gives its canonical flop and the renaming of suits, by which the hole cards and the turn
    card are renamed. On the turn the code of the canonical flop with the renamed turn card gives a second renaming.

    Parameters
    ----------
    tables : WinProbabilityTables
        The tables of packed counts, from `load_win_probability_tables`.
    hole : ndarray of uint8, shape (2,)
        The two hole cards. Cards are not checked.
    board : ndarray of uint8, shape (k,)
        The board of 0, 3, 4 or 5 cards.
    tie_value : float
        The fraction of a win that a tie counts, 0 to 1.
    """
    first_card, second_card = np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        counts = widen_packed_counts(
            look_up_river_counts(tables.river, board, first_card, second_card)
        )
    elif board.size == 0:
        counts = tables.before_flop[0, find_holding_index(first_card, second_card)]
    else:
        flop_code = np.int64(tables.flop_codes[index_flop(board)])
        canonical_flop = flop_code >> CLASS_SHIFT
        first_card = np.int64(rename_suit_of_card(flop_code, first_card))
        second_card = np.int64(rename_suit_of_card(flop_code, second_card))
        if board.size == ON_FLOP:
            counts = tables.flop[canonical_flop, find_holding_index(first_card, second_card)]
        else:
            turn_card = rename_suit_of_card(flop_code, np.int64(board[ON_FLOP]))
            turn_code = np.int64(tables.turn_codes[canonical_flop, turn_card])
            canonical_turn = turn_code >> CLASS_SHIFT
            first_card = np.int64(rename_suit_of_card(turn_code, first_card))
            second_card = np.int64(rename_suit_of_card(turn_code, second_card))
            holding = find_holding_index(first_card, second_card)
            counts = widen_packed_counts(tables.turn[canonical_turn, holding])

    wins = np.int64(counts & WIDE_WIN_MASK)
    ties = np.int64(counts >> np.uint64(WIDE_TIE_SHIFT))
    return float((wins + tie_value * ties) / NUM_COMPARISONS_ON[board.size])


@inlined
def index_flop(board: Cards) -> KernelInt:
    """Return the index of a flop among all 22,100 flops, in colexicographic order.

    In ascending order a < b < c of its cards, the index is (a choose 1) + (b choose 2) + (c choose 3).

    Parameters
    ----------
    board : ndarray of uint8
        The first three cards are the flop, in any order.
    """
    first_card, second_card, third_card = np.int64(board[0]), np.int64(board[1]), np.int64(board[2])
    low_card = min(first_card, second_card, third_card)
    high_card = max(first_card, second_card, third_card)
    middle_card = first_card + second_card + third_card - low_card - high_card
    return (
        low_card
        + middle_card * (middle_card - 1) // 2
        + high_card * (high_card - 1) * (high_card - 2) // 6
    )


@inlined
def rename_suit_of_card(code: KernelInt, card: KernelInt) -> KernelInt:
    """Return the card of the same rank whose suit is the new name of the card's suit.

    Parameters
    ----------
    code : int
        The code of a board, from `encode_boards`: the two bits from 2 s on are the new name of suit s.
    card : int
        The card, 0 to 51.
    """
    suit = card % NUM_SUITS
    new_suit = code >> SUIT_BITS * suit & SUIT_MASK
    return card - suit + new_suit
