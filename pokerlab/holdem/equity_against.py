"""The probability of winning against one known hand, by counting, and against several unknown hands, by sampling.

The events that a hand beats different opponents are not independent: a hand that beats one of them is likely to beat
the others too, and all cards are dealt from one deck. So the probability of beating all opponents is not a power of
that of beating one. An exact count is not feasible, and the probability is estimated from random deals.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import CardError, Floats, Ints, kernel, random_stream
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.cards import NUM_CARDS, Cards, validate_cards
from pokerlab.holdem.equity import (
    Comparisons,
    check_board_size,
    look_up_tie_value,
    validate_hole_and_board,
)
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    evaluate_with_board,
    sum_keys_and_bits,
)
from pokerlab.holdem.preflop_showdowns import (
    BOARD_SIZE,
    LOSSES,
    TIES,
    WINS,
    advance_combination,
    count_preflop_showdowns,
)

MOST_OPPONENTS = 22  # 52 cards suffice for the player's hand, 22 other hands and a board
DEALS_AT_ONCE = 20_000
SHARE_SUM, SQUARE_SUM = 0, 1  # the sums of the shares of the pot, and of their squares


def count_showdowns(
    first: ArrayLike | str, second: ArrayLike | str, board: ArrayLike = ()
) -> Comparisons:
    """Return the numbers of boards to come on which one hand wins, ties and loses against another.

    Parameters
    ----------
    first, second : array_like of integers, shape (2,), or str
        The two hole cards of each hand.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5, or str
        The k cards that are on the board already.

    Returns
    -------
    Comparisons
        The numbers of boards. The method `find_win_share` returns the share that the first hand wins.

    Raises
    ------
    CardError
        If a number or a text is not that of a card, if a card appears twice, or if a shape does not fit.

    Notes
    -----
    After the flop, the boards to come are compared one by one: 990 on a flop, 44 on a turn. Before it, the 1,712,304
    boards are compared by their ranks: once for each of at most 6,175 multisets of ranks, and once for each of some
    10,000 to 45,000 classes of boards with a flush, depending on the suits of the hole cards. This takes less than a
    millisecond.

    Examples
    --------
    >>> count_showdowns("As Ah", "Ks Kh")
    Comparisons(wins=1410336, ties=9308, losses=292660)
    >>> round(count_showdowns("As Ah", "Kd Kc").find_win_share(), 6)
    0.812555
    """
    first_hole = validate_cards(first)
    second_hole = validate_cards(second)
    cards_on_board = validate_cards(board)
    for hole in (first_hole, second_hole):
        if hole.shape != (2,):
            raise CardError(f"hole cards have shape {hole.shape}; give two for each hand, (2,).")
    if cards_on_board.ndim != 1:
        raise CardError(f"the board has shape {cards_on_board.shape}; give its cards in one row.")
    check_board_size(cards_on_board)
    known_cards = validate_cards(np.concatenate([first_hole, second_hole, cards_on_board]))

    counts = np.zeros(3, np.int64)
    if cards_on_board.size:
        deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), known_cards)
        count_results_over_boards(first_hole, second_hole, cards_on_board, deck, counts)
    else:
        count_preflop_showdowns(first_hole, second_hole, counts)
    wins, ties, losses = counts.tolist()
    return Comparisons(wins, ties, losses)


@kernel
def count_results_over_boards(
    first_hole: Cards, second_hole: Cards, board: Cards, deck: Cards, out_counts: Ints
) -> None:
    """Add to three counts the numbers of boards to come on which one hand wins, ties and loses against another.

    All combinations of cards of the deck that complete the board to five cards are compared.

    Parameters
    ----------
    first_hole, second_hole : ndarray of uint8, shape (2,)
        The two hole cards of each hand.
    board : ndarray of uint8, shape (k,)
        The cards that are on the board already.
    deck : ndarray of uint8, shape (n,)
        The cards with which the board can be completed.
    out_counts : ndarray of int64, shape (3,)
        The numbers of boards that the first hand wins, ties and loses are added to it.
    """
    num_missing = BOARD_SIZE - board.size
    positions = np.arange(num_missing)  # in the deck, of the cards that complete the board
    has_next = True
    while has_next:
        board_key, board_bits = sum_keys_and_bits(board, 0, board.size)
        for index in range(num_missing):
            card = deck[positions[index]]
            board_key += CARD_KEYS[card]
            board_bits += CARD_BITS[card]

        first_strength = evaluate_with_board(board_key, board_bits, first_hole[0], first_hole[1])
        second_strength = evaluate_with_board(board_key, board_bits, second_hole[0], second_hole[1])
        if first_strength > second_strength:
            out_counts[WINS] += 1
        elif first_strength == second_strength:
            out_counts[TIES] += 1
        else:
            out_counts[LOSSES] += 1
        has_next = advance_combination(positions, num_missing, deck.size)


class Estimate(NamedTuple):
    """A mean that is estimated from random deals.

    Attributes
    ----------
    value : float
        The mean over the deals.
    standard_error : float
        The standard deviation of one deal divided by the square root of the number of deals.
    num_samples : int
        The number of deals.
    seed : int
        The seed with which the deals were drawn.
    """

    value: float
    standard_error: float
    num_samples: int
    seed: int


def estimate_win_probability(
    hole: ArrayLike | str,
    board: ArrayLike | str,
    num_opponents: int,
    *,
    num_samples: int,
    seed: int,
    ties: str = "half",
) -> Estimate:
    """Return an estimate of the probability that hole cards win against several random hands if no one folds.

    The hand wins a deal if it beats the hands of all opponents. By default a tie counts as a share of the pot, so the
    result is the *equity* of the hand: the expected share of the pot. With 'lose' for ties it is the probability of
    winning the whole pot.

    Parameters
    ----------
    hole : array_like of integers, shape (2,), or str
        The two hole cards of the hand.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5, or str
        The k cards that are on the board already.
    num_opponents : int
        The number of opponents, 1 to 22, each with two random hole cards.
    num_samples : int
        The number of random deals, 2 to 10**12.
    seed : int
        The seed of the deals.
    ties : {'half', 'win', 'lose'}
        How a tie for the best hand counts. With 'half' it counts as an equal share of the pot, which is a half if two
        hands tie and less if more of them do; with 'win' as a win; with 'lose' as a loss.

    Returns
    -------
    Estimate
        The mean over the deals, with its standard error.

    Raises
    ------
    CardError
        If a number or a text is not that of a card, if a card appears twice, or if a shape does not fit.
    SettingError
        If a number is out of range.

    Examples
    --------
    Aces win against nine random hands with a probability of about 0.311.

    >>> aces = estimate_win_probability("Ac Ad", "", 9, num_samples=100_000, seed=1)
    >>> aces.standard_error < 0.002
    True
    >>> abs(aces.value - 0.311) < 3 * aces.standard_error
    True
    """
    tie_value = look_up_tie_value(ties)
    cards, cards_on_board = validate_hole_and_board(hole, board)
    if cards.ndim != 1:
        raise CardError(f"hole cards have shape {cards.shape}; sample one hand at a time, (2,).")
    validate_integer("num_opponents", num_opponents, 1, MOST_OPPONENTS)
    validate_integer("num_samples", num_samples, 2, LARGEST_COUNT)
    known_cards = np.concatenate([cards, cards_on_board])
    deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), known_cards)
    num_drawn = BOARD_SIZE - len(cards_on_board) + 2 * num_opponents
    is_tie_shared = ties == "half"

    # Deals are drawn in batches, each from its own random stream, so that memory is bounded.
    sums = np.zeros(2)  # of the shares of the pot, and of their squares
    with tqdm(total=num_samples, unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for batch, begin in enumerate(range(0, num_samples, DEALS_AT_ONCE)):
            size = min(DEALS_AT_ONCE, num_samples - begin)
            generator = random_stream(seed, "opponents' hands", batch)
            # Card j is picked among those that are left from position j on.
            first_picks = np.arange(num_drawn)
            picks = generator.integers(
                first_picks, len(deck), size=(size, num_drawn), dtype=np.uint8
            )
            drawn_cards = draw_from_decks(np.tile(deck, (size, 1)), picks)
            add_pot_shares_and_squares(
                cards, cards_on_board, drawn_cards, is_tie_shared, tie_value, sums
            )
            bar.update(size)

    # Compute the mean and its standard error. Rounding could make the sum of squared deviations negative.
    sum_of_shares, sum_of_squares = sums
    mean = sum_of_shares / num_samples
    squared_deviations = max(sum_of_squares - num_samples * mean**2, 0.0)
    variance = squared_deviations / (num_samples - 1)
    standard_error = np.sqrt(variance / num_samples)
    return Estimate(float(mean), float(standard_error), num_samples, seed)


@kernel
def draw_from_decks(decks: Cards, picks: Cards) -> Cards:
    """Return cards drawn without replacement from many decks, by a partial Fisher-Yates shuffle of each.

    The j-th card drawn from deck i is the one at position `picks[i, j]`. The card at position j takes its place.

    Parameters
    ----------
    decks : ndarray of uint8, shape (n, size)
        The n decks. They are overwritten: afterward the cards that were not drawn are at the positions from k on.
    picks : ndarray of uint8, shape (n, k)
        The positions of the k cards to draw from each deck; `picks[i, j]` must be at least j.

    Returns
    -------
    ndarray of uint8, shape (n, k)
        The cards that were drawn from each deck, in their order.
    """
    drawn_cards = np.empty_like(picks)
    num_decks, num_drawn = picks.shape
    for deck in range(num_decks):
        for position in range(num_drawn):
            pick = picks[deck, position]
            drawn_cards[deck, position] = decks[deck, pick]
            decks[deck, pick] = decks[deck, position]
    return drawn_cards


@kernel
def add_pot_shares_and_squares(
    hole: Cards,
    board: Cards,
    drawn_cards: Cards,
    is_tie_shared: bool,
    tie_value: float,
    out_sums: Floats,
) -> None:
    """Add to two sums the share of the pot that hole cards win in each random deal, and the square of this share.

    Parameters
    ----------
    hole : ndarray of uint8, shape (2,)
        The player's two hole cards.
    board : ndarray of uint8, shape (k,)
        The cards that are on the board already.
    drawn_cards : ndarray of uint8, shape (n, num_cards)
        The cards drawn in each of n deals: the rest of the board, followed by two hole cards for each opponent.
    is_tie_shared : bool
        Whether a tie for the best hand is shared equally among all who have it.
    tie_value : float
        The fraction of a win that a tie counts if it is not shared.
    out_sums : ndarray of shape (2,)
        The shares are added to the first sum, and their squares to the second.
    """
    num_missing = BOARD_SIZE - board.size
    known_key, known_bits = sum_keys_and_bits(board, 0, board.size)
    for deal in range(drawn_cards.shape[0]):
        board_key, board_bits = sum_keys_and_bits(drawn_cards[deal], 0, num_missing)
        board_key += known_key
        board_bits += known_bits
        own_strength = evaluate_with_board(board_key, board_bits, hole[0], hole[1])

        # Compare with one opponent after the other, until one is stronger.
        is_best = True
        num_best = 1  # the player, and each opponent who ties
        for position in range(num_missing, drawn_cards.shape[1], 2):
            first_card, second_card = drawn_cards[deal, position], drawn_cards[deal, position + 1]
            strength = evaluate_with_board(board_key, board_bits, first_card, second_card)
            if strength > own_strength:
                is_best = False
                break
            num_best += strength == own_strength

        # A hand that is not the best adds zero to both sums.
        if is_best:
            share = 1.0
            if num_best > 1:
                share = 1.0 / num_best if is_tie_shared else tie_value
            out_sums[SHARE_SUM] += share
            out_sums[SQUARE_SUM] += share * share
