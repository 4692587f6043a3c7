"""Win probability against several random hands: sampled, with its standard error.

Opponents' hands are not independent: a hand that beats one of them is likely to beat the others
too, and all cards are dealt from one deck. So this is not a power of the probability against one.
No exact count is feasible; random deals are played out instead.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tqdm import tqdm

from pokerlab.core.errors import CardError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.streams import stream
from pokerlab.holdem.cards.deck import NUM_CARDS, Cards, draw_in_turn
from pokerlab.holdem.equity.exact import dealt, ties_won
from pokerlab.holdem.equity.tables import SHOWN_AFTER
from pokerlab.holdem.strength.evaluation import CARD_BITS, CARD_KEYS, strength_of_seven

MOST_OPPONENTS = 22
"""A deck has cards for this many hands besides your own, and a board."""
DEALS_AT_ONCE = 20_000


class Sampled(NamedTuple):
    """A number estimated from random deals.

    Attributes
    ----------
    value : float
        The estimate.
    standard_error : float
        Of the estimate: the standard deviation of one deal over the root of their number.
    num_samples, seed : int
        Deals played out, and what they were drawn from.
    """

    value: float
    standard_error: float
    num_samples: int
    seed: int


def sampled_win_probability(
    hole: ArrayLike,
    board: ArrayLike,
    num_opponents: int,
    *,
    num_samples: int,
    seed: int,
    ties: str = "half",
) -> Sampled:
    """Estimate how likely hole cards are to win against several random hands if nobody folds.

    Parameters
    ----------
    hole : array_like of integers, shape (2,)
        Hole cards.
    board : array_like of integers, shape (k,), k in 0, 3, 4, 5
        The board.
    num_opponents : int
        Hands that must all be beaten, 1 to 22.
    num_samples : int
        Deals, 2 to 10**12.
    seed : int
        The same seed gives the same deals.
    ties : {'half', 'win', 'lose'}
        What a tie for the best hand counts: an equal share, which is half against one opponent; a
        win; or nothing.

    Raises
    ------
    CardError, UnknownNameError
        As `win_probability`.
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem.cards.deck import parse_cards
    >>> aces = sampled_win_probability(
    ...     parse_cards("Ac Ad"), parse_cards(""), 9, num_samples=100_000, seed=1
    ... )
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
    with tqdm(total=num_samples, unit=" deals", delay=SHOWN_AFTER, leave=False) as bar:
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
    return Sampled(float(mean), float(np.sqrt(variance / num_samples)), num_samples, seed)


@kernel
def add_deals(
    hole: Cards,
    board: Cards,
    drawn: Cards,
    tie_is_shared: bool,
    tie_won: float,
    out_sums: NDArray[np.float64],
) -> None:
    """Add what the hole cards win in each deal, and its square.

    Parameters
    ----------
    hole, board : ndarray of uint8, shape (2,) and (k,)
    drawn : ndarray of uint8, shape (n, 5 - k + 2 * opponents)
        The rest of the board, then the opponents' hands.
    tie_is_shared : bool
        Whether a tie for the best hand is shared among all who have it, or else counts `tie_won`.
    out_sums : ndarray of float64, shape (2,)
    """
    coming = 5 - board.size
    board_key = board_bits = np.int64(0)
    for card in board:
        board_key += CARD_KEYS[card]
        board_bits += CARD_BITS[card]
    for deal in range(drawn.shape[0]):
        key, bits = board_key, board_bits
        for place in range(coming):
            key += CARD_KEYS[drawn[deal, place]]
            bits += CARD_BITS[drawn[deal, place]]
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


@inlined
def strength_with(key: np.int64, bits: np.int64, first: np.uint8, second: np.uint8) -> np.int64:
    """Return the strength of two hole cards with a board of this key and these bits."""
    return strength_of_seven(
        key + CARD_KEYS[first] + CARD_KEYS[second], bits + CARD_BITS[first] + CARD_BITS[second]
    )
