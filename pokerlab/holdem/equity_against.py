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
    advance_combination,
    count_preflop_showdowns,
)

MOST_OPPONENTS = 22  # 52 cards suffice for the player's hand, 22 other hands and a board
DEALS_AT_ONCE = 20_000


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
    first_hole, second_hole, cards_on_board = (
        validate_cards(first),
        validate_cards(second),
        validate_cards(board),
    )
    for hole in (first_hole, second_hole):
        if hole.shape != (2,):
            raise CardError(f"hole cards have shape {hole.shape}; give two for each hand, (2,).")
    check_board_size(cards_on_board)
    known = validate_cards(np.concatenate([first_hole, second_hole, cards_on_board]))
    counts = np.zeros(3, np.int64)
    if cards_on_board.size:
        deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), known)
        fill_showdown_counts(first_hole, second_hole, cards_on_board, deck, counts)
    else:
        count_preflop_showdowns(first_hole, second_hole, counts)
    return Comparisons(*counts.tolist())


@kernel
def fill_showdown_counts(
    first: Cards, second: Cards, board: Cards, deck: Cards, out_counts: Ints
) -> None:
    """Add the numbers of boards of five cards on which the first hand wins, ties and loses against the second.

    All combinations of cards of the deck that complete the board are compared.

    Parameters
    ----------
    first, second : ndarray of uint8, shape (2,)
        The hole cards of the two hands.
    board : ndarray of uint8, shape (k,)
        The cards on the board so far.
    deck : ndarray of uint8
        The cards with which it can be completed.
    out_counts : ndarray of int64, shape (3,)
        The numbers of boards that are won, tied and lost are added to it.
    """
    num_missing = BOARD_SIZE - board.size
    places = np.arange(num_missing)  # in the deck, of the cards that complete the board
    has_next = True
    while has_next:
        key, bits = sum_keys_and_bits(board, 0, board.size)
        for missing in range(num_missing):
            card = deck[places[missing]]
            key += CARD_KEYS[card]
            bits += CARD_BITS[card]
        first_strength = evaluate_with_board(key, bits, first[0], first[1])
        second_strength = evaluate_with_board(key, bits, second[0], second[1])
        if first_strength > second_strength:
            out_counts[0] += 1
        elif first_strength == second_strength:
            out_counts[1] += 1
        else:
            out_counts[2] += 1
        has_next = advance_combination(places, num_missing, deck.size)


class Estimate(NamedTuple):
    """A mean estimated from random deals.

    Attributes
    ----------
    value : float
        The mean over the deals.
    standard_error : float
        The standard deviation of one deal divided by the root of the number of deals.
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
    known = np.concatenate([cards, cards_on_board])
    deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), known)
    num_drawn = BOARD_SIZE - len(cards_on_board) + 2 * num_opponents
    tie_is_shared = ties == "half"
    sums = np.zeros(2)
    with tqdm(total=num_samples, unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for batch, begin in enumerate(range(0, num_samples, DEALS_AT_ONCE)):
            size = min(DEALS_AT_ONCE, num_samples - begin)
            generator = random_stream(seed, "opponents' hands", batch)
            picks = generator.integers(
                np.arange(num_drawn), len(deck), size=(size, num_drawn), dtype=np.uint8
            )
            drawn = draw_from_decks(np.tile(deck, (size, 1)), picks)
            add_sampled_deals(cards, cards_on_board, drawn, tie_is_shared, tie_value, sums)
            bar.update(size)

    # The standard error of the mean, from the sums of the shares and of their squares.
    mean = sums[0] / num_samples
    variance = max(sums[1] - num_samples * mean**2, 0.0) / (num_samples - 1)
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
    drawn = np.empty_like(picks)
    for deck in range(picks.shape[0]):
        for place in range(picks.shape[1]):
            pick = picks[deck, place]
            drawn[deck, place] = decks[deck, pick]
            decks[deck, pick] = decks[deck, place]
    return drawn


@kernel
def add_sampled_deals(
    hole: Cards, board: Cards, drawn: Cards, tie_is_shared: bool, tie_value: float, out_sums: Floats
) -> None:
    """Add the share of the pot that hole cards win in each deal, and its square, to two sums.

    Parameters
    ----------
    hole : ndarray of uint8, shape (2,)
        The hole cards.
    board : ndarray of uint8, shape (k,)
        The cards on the board so far.
    drawn : ndarray of uint8, shape (deals, cards)
        The cards drawn in each deal: the rest of the board, then the opponents' hands.
    tie_is_shared : bool
        Whether a tie for the best hand is shared among all who have it.
    tie_value : float
        The fraction of a win that such a tie counts otherwise.
    out_sums : ndarray of shape (2,)
        The shares are added to the first sum, and their squares to the second.
    """
    num_missing = BOARD_SIZE - board.size
    known_key, known_bits = sum_keys_and_bits(board, 0, board.size)
    for deal in range(drawn.shape[0]):
        board_key, board_bits = sum_keys_and_bits(drawn[deal], 0, num_missing)
        board_key += known_key
        board_bits += known_bits
        own_strength = evaluate_with_board(board_key, board_bits, hole[0], hole[1])

        # Compare with one opponent after the other, until one is stronger.
        is_best, num_best = True, 1
        for place in range(num_missing, drawn.shape[1], 2):
            strength = evaluate_with_board(
                board_key, board_bits, drawn[deal, place], drawn[deal, place + 1]
            )
            if strength > own_strength:
                is_best = False
                break
            num_best += strength == own_strength
        if is_best:
            share = 1.0
            if num_best > 1:
                share = 1.0 / num_best if tie_is_shared else tie_value
            out_sums[0] += share
            out_sums[1] += share * share
