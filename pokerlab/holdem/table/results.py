"""What came of a cash game: chips, their standard errors, actions, and every hand again."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.dealing import dealt
from pokerlab.holdem.table.record import Record


@dataclass(frozen=True, eq=False)
class Played:
    """What came of the hands of a cash game.

    Attributes
    ----------
    structure : Structure
        What was played.
    names : tuple of str
        The players'.
    stacks : tuple of int
        Chips of each seat at the start of every hand.
    seed, first : int
        The table's seed; the number of the first deal.
    chips : ndarray of int64, shape (num_deals, rotations, players)
        What each player won by each deal, once for each rotation of the seats.
    actions : ndarray of int64, shape (players, 4, 4)
        How often each player, on each street, did each of fold, check, call and raise.
    record : Record, optional
        Every action, if that was asked for.
    """

    structure: Structure
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    seed: int
    first: int
    chips: Ints
    actions: Ints
    record: Record | None = None

    @property
    def num_deals(self) -> int:
        """How many independent deals were played."""
        return len(self.chips)

    @property
    def rake(self) -> Ints:
        """Chips that the house took, shape (num_deals, rotations): what the players lost together."""
        rake: Ints = -self.chips.sum(axis=2)
        return rake

    @property
    def mean(self) -> NDArray[np.float64]:
        """Chips that each player won a hand, shape (players,)."""
        mean: NDArray[np.float64] = self.chips.mean(axis=(0, 1))
        return mean

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Of `mean`, shape (players,).

        Over deals, which are independent; the rotations of one are not, and count as one. NaN for
        a single deal.
        """
        if self.num_deals < 2:
            return np.full(len(self.names), np.nan)
        spread: NDArray[np.float64] = self.chips.mean(axis=1).std(axis=0, ddof=1)
        error: NDArray[np.float64] = spread / np.sqrt(self.num_deals)
        return error

    def in_big_blinds(self, chips: ArrayLike) -> NDArray[np.float64]:
        """Return chips a hand as big blinds per 100 hands."""
        return np.asarray(chips, np.float64) * (100.0 / self.structure.big_blind)

    def __str__(self) -> str:
        """List the players with what they won, in big blinds per 100 hands."""
        won = zip(
            self.names,
            self.in_big_blinds(self.mean),
            self.in_big_blinds(self.standard_error),
            strict=True,
        )
        lines = [f"{name}: {mean:+.1f} ± {error:.1f}" for name, mean, error in won]
        rotations = self.chips.shape[1]
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        head = f"big blinds per 100 hands, {self.num_deals} deals{each}, seed {self.seed}"
        if self.structure.rake is not None:
            lines.append(f"rake: {self.in_big_blinds(self.rake.mean()):.1f}")
        return "\n".join([head, *lines])

    def seats(self, rotation: int = 0) -> tuple[str, ...]:
        """Return the names of the players in the order of the seats."""
        num_players = len(self.names)
        return tuple(self.names[(seat - rotation) % num_players] for seat in range(num_players))

    def hand(self, deal: int, rotation: int = 0) -> Hand:
        """Return a hand as it was played, from the number of its deal.

        Raises
        ------
        SettingError
            If nothing was recorded, or there was no such hand.
        """
        last = self.first + self.num_deals - 1
        if self.record is None:
            raise SettingError("no actions were kept; play with record=True.")
        if not self.first <= deal <= last or not 0 <= rotation < self.chips.shape[1]:
            raise SettingError(
                f"deal {deal}, rotation {rotation} was not played; there are deals {self.first} to"
                f" {last}, rotations 0 to {self.chips.shape[1] - 1}."
            )
        num_seats = len(self.names)
        cards = dealt(self.seed, 1, num_seats, first=deal)[0]
        hand = Hand.begin(self.structure, self.stacks, deal % num_seats, cards, number=deal)
        for action in self.record.actions_of(rotation, deal):
            hand = hand.after(action)
        return hand
