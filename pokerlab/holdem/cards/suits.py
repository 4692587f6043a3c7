"""One number for all hands that differ only in the names of suits.

How to read it. A hand is dealt in rounds: two hole cards, a flop, a turn, a river. The round of a
card matters, its order within the round does not. Look at one suit alone: it received some ranks in
each round, its *pattern*; how many in each round is its *shape*. Renaming suits shuffles the four
patterns and changes nothing else, so a class of hands is a multiset of four patterns, and is
counted as such:

1. Patterns of one shape are numbered: the ranks of the first round as a combination out of 13,
   those of the next out of what is left, and so on; the first round's number weighs most.
   Combinations are numbered in colexicographic order.
2. The four suits are sorted by shape, then by pattern. The classes of each four shapes follow each
   other, the four shapes in lexicographic order.
3. Suits of one shape, m of them with n patterns, make (n + m - 1 choose m) multisets, again numbered
   in colexicographic order; the suits with the greatest shape weigh most.

The canonical hand of a class gives the greatest pattern to spades, the next to hearts, diamonds
and clubs. The idea of such an index is that of Waugh [1]_.

References
----------
.. [1] K. Waugh, "A fast and optimal hand isomorphism algorithm", AAAI Workshop on Computer Poker
   and Incomplete Information, 2013.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import CardError, SettingError
from pokerlab.core.settings import whole
from pokerlab.holdem.cards.deck import NUM_SUITS, Cards, check_cards
from pokerlab.holdem.cards.suit_layout import Layout, fill_classes, fill_hands, lay_out

MOST_CARDS = 7
MOST_ROUNDS = 4
BOARD_ROUNDS = {0: (), 3: (3,), 4: (3, 1), 5: (3, 1, 1)}
"""The rounds in which a board was dealt, by its number of cards."""


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands dealt in given rounds; make it with `hand_classes`.

    Attributes
    ----------
    rounds : tuple of int
        Cards in each round.
    size : int
        Number of classes; they are numbered from 0.
    layout : Layout
        Where they stand.
    """

    rounds: tuple[int, ...]
    size: int
    layout: Layout

    def index(self, cards: ArrayLike) -> Any:
        """Return the class of a hand or of several.

        Parameters
        ----------
        cards : array_like of integers, shape (k,) or (..., k)
            The cards of the first round, then those of the next, and so on.

        Returns
        -------
        int or ndarray of int64, shape (...,)
            Equal for two hands exactly if renaming suits turns one into the other.

        Raises
        ------
        CardError
            If there are too many or too few cards, or they are not from one deck.
        """
        rows, shape = self._rows(cards)
        classes = np.empty(len(rows), np.int64)
        fill_classes(self.layout, rows, classes, np.empty((0, NUM_SUITS), np.uint8))
        return classes.reshape(shape) if shape else int(classes[0])

    def renaming(self, cards: ArrayLike) -> NDArray[np.uint8]:
        """Return how to rename suits so that a hand becomes the canonical one of its class.

        Returns
        -------
        ndarray of uint8, shape (..., 4)
            The new suit of each old one. A canonical hand keeps all its names.

        Raises
        ------
        CardError
            As `index`.
        """
        rows, shape = self._rows(cards)
        names = np.empty((len(rows), NUM_SUITS), np.uint8)
        fill_classes(self.layout, rows, np.empty(len(rows), np.int64), names)
        return names.reshape(*shape, NUM_SUITS)

    def hand(self, classes: ArrayLike) -> Cards:
        """Return the canonical hand of a class or of several.

        Parameters
        ----------
        classes : array_like of integers, shape (...,)
            What `index` returned.

        Returns
        -------
        ndarray of uint8, shape (..., k)
            Round after round; the highest card of each round first.

        Raises
        ------
        SettingError
            If there is no such class.
        """
        numbers = self._numbers(classes)
        cards = np.empty((numbers.size, sum(self.rounds)), np.uint8)
        fill_hands(self.layout, numbers.ravel(), cards, np.empty(0, np.int64))
        return cards.reshape(*numbers.shape, sum(self.rounds))

    def multiplicity(self, classes: ArrayLike) -> Ints:
        """Return how many hands are in each class: 24 divided by the renamings that change nothing.

        Raises
        ------
        SettingError
            If there is no such class.
        """
        numbers = self._numbers(classes)
        counts = np.empty(numbers.size, np.int64)
        fill_hands(self.layout, numbers.ravel(), np.empty((0, 0), np.uint8), counts)
        return counts.reshape(numbers.shape)

    def _rows(self, cards: ArrayLike) -> tuple[Cards, tuple[int, ...]]:
        """Return the hands, one a row, and the shape of the other axes."""
        hands = check_cards(cards)
        if hands.ndim == 0 or hands.shape[-1] != sum(self.rounds):
            raise CardError(
                f"{hands.shape[-1] if hands.ndim else 1} cards do not fit rounds of "
                f"{', '.join(map(str, self.rounds))}; give {sum(self.rounds)} along the last axis."
            )
        return hands.reshape(-1, sum(self.rounds)), hands.shape[:-1]

    def _numbers(self, classes: ArrayLike) -> Ints:
        """Return the numbers of classes, checked."""
        numbers = np.asarray(classes)
        if numbers.size and (
            numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= self.size
        ):
            raise SettingError(
                f"{numbers} are not all classes of hands; those of rounds of "
                f"{', '.join(map(str, self.rounds))} are numbered 0 to {self.size - 1}."
            )
        return numbers.astype(np.int64)


def hand_classes(*rounds: int) -> HandClasses:
    """Return the classes of hands dealt in these rounds.

    Parameters
    ----------
    *rounds : int
        Cards in each round, up to four rounds and seven cards: (2,) are starting hands,
        (2, 3, 1) hands on the turn; (5,) are boards whose streets are forgotten.

    Raises
    ------
    SettingError
        If there are no rounds, an empty one, or too many cards or rounds.

    Examples
    --------
    >>> hand_classes(2).size, hand_classes(2, 3).size, hand_classes(2, 3, 1).size
    (169, 1286792, 55190538)
    """
    cards = [whole("the number of cards in a round", number, 1, MOST_CARDS) for number in rounds]
    if not 0 < len(cards) <= MOST_ROUNDS or sum(cards) > MOST_CARDS:
        raise SettingError(
            f"rounds of {rounds} cards cannot be classified; give up to {MOST_ROUNDS} rounds "
            f"of at least one card, at most {MOST_CARDS} cards in all."
        )
    return _classes(tuple(cards))


def canonical(hole: ArrayLike, board: ArrayLike = ()) -> tuple[Cards, Cards]:
    """Return hole cards and board with the suits renamed to the canonical ones.

    Parameters
    ----------
    hole : array_like of integers, shape (..., 2)
        Hole cards, in any order.
    board : array_like of integers, shape (..., 0), (..., 3), (..., 4) or (..., 5)
        Flop, in any order, turn and river.

    Returns
    -------
    hole, board : ndarray of uint8
        The same for all hands that are alike; the highest card of each round first.

    Raises
    ------
    CardError
        If the cards are not two and a board from one deck.

    Examples
    --------
    >>> from pokerlab.holdem.cards.deck import card_text, parse_cards
    >>> hole, board = canonical(parse_cards("7d Kc"), parse_cards("2h Kd 9h 3c"))
    >>> card_text(hole), card_text(board)
    ('Kh 7s', 'Ks 9d 2d 3h')
    """
    first, then = np.asarray(hole), np.asarray(board)
    streets = then.shape[-1] if then.ndim else -1
    fitting = streets == 0 or first.shape[:-1] == then.shape[:-1]
    if first.shape[-1:] != (2,) or streets not in BOARD_ROUNDS or not fitting:
        raise CardError(
            f"hole cards of shape {first.shape} and a board of shape {then.shape} are not a hand; "
            "give two hole cards and a board of 0, 3, 4 or 5 along the last axes."
        )
    together = np.concatenate([first, then], axis=-1) if streets else first
    classes = _classes((2, *BOARD_ROUNDS[streets]))
    cards = classes.hand(classes.index(together))
    return cards[..., :2], cards[..., 2:]


def canonical_boards(num_cards: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of `num_cards` cards, streets forgotten, and how many each stands for.

    Parameters
    ----------
    num_cards : int
        3 to 5: 1,755 flops, 16,432 boards of four and 134,459 of five.

    Returns
    -------
    boards : ndarray of uint8, shape (N, num_cards)
        In the order of `hand_classes(num_cards)`.
    multiplicities : ndarray of int64, shape (N,)
        They sum to all boards.

    Raises
    ------
    SettingError
        If no street has this many board cards.
    """
    if num_cards not in (3, 4, 5):
        raise SettingError(f"no street has {num_cards} board cards; give 3, 4 or 5.")
    classes = _classes((num_cards,))
    numbers = np.arange(classes.size)
    return classes.hand(numbers), classes.multiplicity(numbers)


@cache
def _classes(rounds: tuple[int, ...]) -> HandClasses:
    """Lay the classes out, once."""
    return HandClasses(rounds, *lay_out(rounds))
