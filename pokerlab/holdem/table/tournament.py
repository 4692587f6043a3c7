"""Tournaments at one table: blinds rise, who has no chips left is out, the last one wins."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.threads import shared
from pokerlab.holdem.betting import engine
from pokerlab.holdem.cards.cards import NUM_CARDS
from pokerlab.holdem.cards.dealing import key_of
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.record import Record
from pokerlab.holdem.table.schedule import Schedule
from pokerlab.holdem.table.settings import SIDE_BY_SIDE, seated
from pokerlab.holdem.table.steps import Watcher, play_on
from pokerlab.holdem.table.tournament_results import Placed
from pokerlab.holdem.table.tournament_steps import Tournaments, deal_next
from pokerlab.holdem.table.view import Tables

MOST_HANDS = 10_000
"""After which a tournament is stopped; blinds that double never let it come to that."""


def play_tournaments(
    schedule: Schedule,
    players: Sequence[Player],
    lineups: ArrayLike,
    *,
    seed: int,
    stacks: int | Sequence[int],
    duplicates: bool = False,
    most_hands: int = MOST_HANDS,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = SIDE_BY_SIDE,
) -> Placed:
    """Play tournaments of one table each, and rank the players by the order of elimination.

    Of several who are out in one hand, who began it with more chips ranks higher; who had equally
    many share the mean of their ranks. The button moves, there is no dead one: the big blind goes
    on to the next seat with chips; small blind and button are the two seats with chips before it,
    and heads-up the other seat is both. So nobody posts the big blind twice running or misses it;
    after an elimination a seat may keep the button or miss the small blind.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`.
    players : sequence of Player
        Everybody who may play.
    lineups : array_like of int, shape (T, n)
        For each tournament n of the players by their numbers, in the order of the seats. A player
        may have several seats of a table.
    seed : int
        Of the cards and of the players' luck.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start.
    duplicates : bool
        Whether each tournament is played n times with the same cards and luck, the players moving
        on one seat each time.
    most_hands : int
        After how many hands to stop; who is left then is ranked by chips.
    first : int
        The number of the first tournament: 0 to 9 and 10 to 19 make 0 to 19. In tournament t the
        big blind first comes from seat t + 1, counted round the table.
    record, watchers, workers, side_by_side
        As for `pokerlab.holdem.play`.

    Returns
    -------
    Placed
        The same for any number of workers and of tournaments side by side.

    Raises
    ------
    SettingError
        If a number is out of range.
    IllegalActionError
        If a player does what is not legal.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, ALWAYS_RAISE, RANDOM, doubling, no_limit
    >>> schedule = doubling(no_limit(5, 10), 20, chips=3000)
    >>> players = [ALWAYS_FOLD, ALWAYS_RAISE, RANDOM]
    >>> placed = play_tournaments(schedule, players, [[0, 1, 2]] * 40, seed=1, stacks=1000)
    >>> bool(placed.is_finished.all()), float(placed.ranks.sum(axis=2).mean())
    (True, 6.0)
    """
    if not isinstance(schedule, Schedule):
        raise SettingError(
            f"schedule is {schedule!r}; give a Schedule, such as"
            " doubling(no_limit(5, 10), 50, chips=9000)."
        )
    company, at_tables, chips, rotations = seated(
        players,
        lineups,
        stacks,
        duplicates=duplicates,
        first=first,
        workers=workers,
        side_by_side=side_by_side,
    )
    num_tournaments, num_seats = at_tables.shape
    whole("most_hands", most_hands, 1, LARGEST_COUNT)

    def part(begin: int, end: int) -> tuple[Tournaments, Ints, Record | None]:
        played = Tournaments(
            levels=schedule.words(),
            hands_a_level=schedule.hands_a_level,
            most_hands=most_hands,
            stacks=np.array(chips),
            lineups=at_tables[begin:end],
            deal_key=key_of(seed, "deal"),
            luck_key=key_of(seed, "luck"),
            first=first + begin,
            rotations=rotations,
            begun=np.zeros(1, np.int64),
            deck=np.empty(NUM_CARDS, np.uint8),
            ranks=np.full(((end - begin) * rotations, num_seats), np.nan),
            chips=np.zeros(((end - begin) * rotations, num_seats), np.int64),
            lasted=np.zeros(((end - begin) * rotations, num_seats), np.int64),
            hands=np.zeros((end - begin) * rotations, np.int64),
        )
        tables = Tables.empty(min(side_by_side, (end - begin) * rotations))
        tables.hands[:, engine.SEATS] = num_seats
        dealer = partial(deal_next, tables, played)
        actions, kept = play_on(tables, company, dealer, watchers, record=record)
        return played, actions, kept

    parts = shared(part, 0, num_tournaments, workers=workers)
    played, actions, records = zip(*parts, strict=True)
    shape = (num_tournaments, rotations, num_seats)
    return Placed(
        schedule=schedule,
        names=tuple(player.name for player in company.players),
        stacks=chips,
        seed=seed,
        first=first,
        lineups=at_tables,
        ranks=np.concatenate([batch.ranks for batch in played]).reshape(shape),
        chips=np.concatenate([batch.chips for batch in played]).reshape(shape),
        lasted=np.concatenate([batch.lasted for batch in played]).reshape(shape),
        hands=np.concatenate([batch.hands for batch in played]).reshape(shape[:2]),
        actions=np.sum(actions, axis=0),
        record=Record.joined(records) if record else None,
    )
