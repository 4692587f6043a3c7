"""The probability to win against one known hand, exactly, and against several unknown ones, by sampling.

Several opponents' hands are not independent: a hand that beats one of them is likely to beat the
others too, and all cards are dealt from one deck. So the probability to beat all is not a power of that against
one. No exact count is feasible; random deals are played out instead.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import CardError, Floats, Ints, kernel, stream
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.cards import NUM_CARDS, Cards, check_cards, draw_in_turn
from pokerlab.holdem.equity import Comparisons, check_size, dealt, ties_won
from pokerlab.holdem.hand_rankings import CARD_BITS, CARD_KEYS, key_and_bits, strength_with

MOST_OPPONENTS = 22  # a deck has cards for this many hands besides your own, and a board
DEALS_AT_ONCE = 20_000


def showdowns(
    first: ArrayLike | str, second: ArrayLike | str, board: ArrayLike = ()
) -> Comparisons:
    """Count how often one hand wins, ties and loses against another, over all boards to come.

    The `value(ties)` of these numbers is the share that the first wins.

    Parameters
    ----------
    first, second : array_like of integers, shape (2,), or str
        Hole cards.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5, or str
        What is on the table.

    Examples
    --------
    >>> showdowns("As Ah", "Ks Kh")
    Comparisons(wins=1410336, ties=9308, losses=292660)
    >>> round(showdowns("As Ah", "Kd Kc").value(), 6)
    0.812555
    """
    one, other, on_table = check_cards(first), check_cards(second), check_cards(board)
    for hole in (one, other):
        if hole.shape != (2,):
            raise CardError(f"hole cards have shape {hole.shape}; give two for each hand, (2,).")
    check_size(on_table)
    known = check_cards(np.concatenate([one, other, on_table]))
    deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), known)
    counts = np.zeros(3, np.int64)
    count_boards(one, other, on_table, deck, counts)
    return Comparisons(*counts.tolist())


@kernel
def count_boards(first: Cards, second: Cards, board: Cards, deck: Cards, out_counts: Ints) -> None:
    """Count the boards of five, made with cards of the deck, that the first wins, ties and loses."""
    coming = 5 - board.size
    places = np.arange(coming)
    while True:
        key, bits = key_and_bits(board, 0, board.size)
        for turn in range(coming):
            key += CARD_KEYS[deck[places[turn]]]
            bits += CARD_BITS[deck[places[turn]]]
        mine = strength_with(key, bits, first[0], first[1])
        theirs = strength_with(key, bits, second[0], second[1])
        out_counts[0 if mine > theirs else 1 if mine == theirs else 2] += 1
        last = coming - 1
        while last >= 0 and places[last] == deck.size - coming + last:
            last -= 1
        if last < 0:
            return
        places[last] += 1
        for place in range(last + 1, coming):
            places[place] = places[place - 1] + 1


class Estimate(NamedTuple):
    """A number estimated from random deals."""

    value: float  # the estimate
    standard_error: float  # the standard deviation of one deal over the root of their number
    num_samples: int  # deals played out
    seed: int  # what they were drawn from


def sampled_win_probability(
    hole: ArrayLike | str,
    board: ArrayLike | str,
    num_opponents: int,
    *,
    num_samples: int,
    seed: int,
    ties: str = "half",
) -> Estimate:
    """Estimate how likely hole cards are to win against several random hands if nobody folds.

    Parameters
    ----------
    hole : array_like of integers, shape (2,), or str
        Hole cards.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5, or str
        The board.
    num_opponents : int
        Hands that must all be beaten, 1 to 22.
    num_samples : int
        Deals, 2 to 10**12.
    seed : int
        The same seed gives the same deals.
    ties : {'half', 'win', 'lose'}
        What a tie for the best hand counts: an equal share, which is half against one opponent; a win; or nothing.

    Examples
    --------
    >>> aces = sampled_win_probability("Ac Ad", "", 9, num_samples=100_000, seed=1)
    >>> abs(aces.value - 0.311) < 3 * aces.standard_error < 0.005
    True
    """
    ties_won(ties)
    cards, on_table = dealt(hole, board)
    if cards.ndim != 1:
        raise CardError(f"hole cards have shape {cards.shape}; sample one hand at a time, (2,).")
    whole("num_opponents", num_opponents, 1, MOST_OPPONENTS)
    whole("num_samples", num_samples, 2, LARGEST_COUNT)
    deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), np.concatenate([cards, on_table]))
    num_drawn = 5 - len(on_table) + 2 * num_opponents
    tie_is_shared, share = ties == "half", ties_won(ties)
    sums = np.zeros(2)
    with tqdm(total=num_samples, unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for number, begin in enumerate(range(0, num_samples, DEALS_AT_ONCE)):
            size = min(DEALS_AT_ONCE, num_samples - begin)
            luck = stream(seed, "opponents' hands", number)
            picks = luck.integers(
                np.arange(num_drawn), len(deck), size=(size, num_drawn), dtype=np.uint8
            )
            drawn = draw_in_turn(np.tile(deck, (size, 1)), picks)
            add_deals(cards, on_table, drawn, tie_is_shared, share, sums)
            bar.update(size)
    mean = sums[0] / num_samples
    variance = max(sums[1] - num_samples * mean**2, 0.0) / (num_samples - 1)
    return Estimate(float(mean), float(np.sqrt(variance / num_samples)), num_samples, seed)


@kernel
def add_deals(
    hole: Cards, board: Cards, drawn: Cards, tie_is_shared: bool, tie_won: float, out_sums: Floats
) -> None:
    """Add to (2,) `out_sums` what the hole cards win in each deal, and its square.

    A row of `drawn` is the rest of the board, then the opponents' hands. A tie for the best hand is
    shared among all who have it, or else counts `tie_won`.
    """
    coming = 5 - board.size
    board_key, board_bits = key_and_bits(board, 0, board.size)
    for deal in range(drawn.shape[0]):
        key, bits = key_and_bits(drawn[deal], 0, coming)
        key += board_key
        bits += board_bits
        mine = strength_with(key, bits, hole[0], hole[1])
        best, sharing = True, 1
        for place in range(coming, drawn.shape[1], 2):
            theirs = strength_with(key, bits, drawn[deal, place], drawn[deal, place + 1])
            if theirs > mine:
                best = False
                break
            sharing += theirs == mine
        if best:
            won = 1.0
            if sharing > 1:
                won = 1.0 / sharing if tie_is_shared else tie_won
            out_sums[0] += won
            out_sums[1] += won * won
