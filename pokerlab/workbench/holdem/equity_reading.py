"""Two hands and a board as it falls: what each street makes of them, and what the next card would."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from pokerlab.core import CardError
from pokerlab.core.arrays import Floats
from pokerlab.holdem.betting.hand_state import BOARD_SIZES
from pokerlab.holdem.cards.cards import NUM_CARDS, Cards, check_cards
from pokerlab.holdem.equity.equity import Comparisons
from pokerlab.holdem.equity.match_up import showdowns
from pokerlab.holdem.strength.strength import category, strength


@dataclass(frozen=True, eq=False)
class Reading:
    """What is known of two hands on a board.

    Attributes
    ----------
    holes : ndarray of uint8, shape (2, 2)
        Both players' hole cards.
    board : ndarray of uint8, shape (0,), (3,), (4,) or (5,)
        What lies on the table.
    streets : tuple of Comparisons
        The first player's wins, ties and losses over all boards to come: before the flop, and on
        each street up to now.
    next_from : int
        How many cards of the board lay when the next card was one card; 0 before the flop.
    next_equity : ndarray of shape (52,)
        The first player's equity after each card that could come then; NaN where none could.
    """

    holes: Cards
    board: Cards
    streets: tuple[Comparisons, ...]
    next_from: int
    next_equity: Floats

    @classmethod
    def of(cls, holes: Cards, board: Cards) -> "Reading":
        """Look at two hands.

        Raises
        ------
        CardError
            If the cards are not from one deck, or no street has a board of that size.
        """
        if holes.shape != (2, 2):
            raise CardError(
                f"hole cards have shape {holes.shape}; give two for each of two players."
            )
        if len(board) not in BOARD_SIZES:
            raise CardError(f"the board has {len(board)} cards; give 0, 3, 4 or 5.")
        check_cards(np.concatenate([holes.ravel(), board]))
        streets = tuple(met(holes, board[:size]) for size in BOARD_SIZES if size <= len(board))
        next_from = min(len(board), 4)
        equities = after_next(holes, board[:next_from]) if next_from else np.full(NUM_CARDS, np.nan)
        return cls(holes, board, streets, next_from, equities)

    @property
    def equity(self) -> float:
        """The first player's equity now."""
        return float(self.streets[-1].value())

    def made(self, player: int) -> str:
        """Return the category of what a player holds; empty before the flop."""
        if not len(self.board):
            return ""
        return str(category(strength(np.append(self.holes[player], self.board))))


def met(holes: Cards, board: Cards) -> Comparisons:
    """Return how often the first player wins, ties and loses, over all boards to come."""
    return _met(tuple(map(tuple, holes.tolist())), tuple(board.tolist()))


@lru_cache(maxsize=256)
def _met(holes: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> Comparisons:
    """Return the same, at once where it was asked before: dealing a street leaves the earlier ones."""
    return Comparisons(*map(int, showdowns(holes[0], holes[1], board)))


def after_next(holes: Cards, board: Cards) -> Floats:
    """Return the first player's equity after each card that may come next; NaN where none may."""
    rest = np.setdiff1d(np.arange(NUM_CARDS), np.append(holes, board))
    to_come = np.array(list(combinations(rest, 5 - len(board))))
    boards = np.hstack([np.broadcast_to(board, (len(to_come), len(board))), to_come])
    own, other = (
        strength(np.hstack([np.broadcast_to(hole, (len(boards), 2)), boards])) for hole in holes
    )
    share = (own > other) + 0.5 * (own == other)
    equities = np.full(NUM_CARDS, np.nan)
    for card in rest:
        equities[card] = share[(to_come == card).any(axis=1)].mean()
    return equities
