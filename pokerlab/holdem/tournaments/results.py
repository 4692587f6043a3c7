"""What came of tournaments: ranks, their standard errors, and every hand again."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.table.results import AtTables
from pokerlab.holdem.tournaments.replay import Round, replayed
from pokerlab.holdem.tournaments.schedule import Schedule


@dataclass(frozen=True, eq=False, kw_only=True)
class Placed(AtTables):
    """What came of a batch of tournaments.

    Attributes
    ----------
    schedule : Schedule
        The blinds.
    num_seats : int
        Seats of a table.
    ranks : ndarray of float64, shape (T, rotations, E)
        Ranks by place in the line-up, 1 for the winner; players that are tied share the mean.
    chips : ndarray of int64, shape (T, rotations, E)
        Chips at the end.
    lasted : ndarray of int64, shape (T, rotations, E)
        How many rounds each took part in, and so how many hands it played. (At tables of two, one of an
        odd number of players waits for a round.)
    won : ndarray of int64, shape (T, rotations, E)
        After how many of these hands it had more chips than before.
    rounds, hands : ndarray of int64, shape (T, rotations)
        Rounds played, and hands at all tables.
    """

    schedule: Schedule
    num_seats: int
    ranks: NDArray[np.float64]
    chips: Ints
    lasted: Ints
    won: Ints
    rounds: Ints
    hands: Ints

    @property
    def is_finished(self) -> NDArray[np.bool_]:
        """Where one player has won all chips, shape (T, rotations); elsewhere chips rank."""
        finished: NDArray[np.bool_] = (self.chips > 0).sum(axis=2) == 1
        return finished

    @property
    def tournaments_of(self) -> Ints:
        """In how many tournaments each player took part, shape (players,)."""
        return self.tables_of

    @property
    def mean_rank(self) -> NDArray[np.float64]:
        """Mean rank of each player, shape (players,); NaN for who did not play."""
        return self._mean(self.ranks.mean(axis=1))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Of `mean_rank`, shape (players,).

        Over tournaments, which are independent; the rotations of one are not, and count as one.
        NaN for who played fewer than two.
        """
        ranks = self.ranks.mean(axis=1)
        squares = self._mean((ranks - self.mean_rank[self.lineups]) ** 2)
        count = self.tournaments_of
        degrees = np.where(count > 1, count - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(squares / degrees)
        return error

    def __str__(self) -> str:
        """List the players with their mean ranks."""
        num_tournaments, rotations = self.hands.shape
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        ranks = zip(self.names, self.mean_rank, self.standard_error, strict=True)
        lines = [f"{name}: {mean:.3f} ± {error:.3f}" for name, mean, error in ranks]
        head = f"mean ranks, {num_tournaments} tournaments{each}, seed {self.seed}"
        return "\n".join([head, *lines])

    def played(self, tournament: int, rotation: int = 0) -> Iterator[Hand]:
        """Yield the hands of a tournament as they were played, by its number in this batch.

        They come round by round, and in a round table by table.

        Raises
        ------
        SettingError
            If nothing was recorded, or there was no such tournament.
        """
        return (
            at_table.hand
            for played in self.rounds_of(tournament, rotation)
            for at_table in played.tables
            if at_table.hand is not None
        )

    def rounds_of(self, tournament: int, rotation: int = 0) -> Iterator[Round]:
        """Yield the rounds of a tournament: who sat where, the hands, who was out, who changed tables.

        Raises
        ------
        SettingError
            If nothing was recorded, or there was no such tournament.
        """
        record = self.recorded()
        num_tournaments, rotations = self.hands.shape
        if not (0 <= tournament < num_tournaments and 0 <= rotation < rotations):
            raise SettingError(
                f"tournament {tournament}, rotation {rotation} was not played; there are"
                f" {num_tournaments} tournaments of {rotations} rotations."
            )
        number, num_tables = self.first + tournament, -(-len(self.stacks) // self.num_seats)
        return replayed(
            record,
            self.schedule,
            self.stacks,
            self.num_seats,
            seed=self.seed,
            number=number,
            match=(number * rotations + rotation) * num_tables,
            num_rounds=int(self.rounds[tournament, rotation]),
            rotation=rotation,
        )

    def seats(self, tournament: int, rotation: int = 0) -> tuple[str, ...]:
        """Return the names of the players in the order of the seats."""
        return self.seats_at(tournament, rotation)

    def _mean(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return means by player of numbers by tournament and place."""
        count = self.tournaments_of
        return self.by_player(numbers) / np.where(count > 0, count, np.nan)
