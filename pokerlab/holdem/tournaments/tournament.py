"""Tournaments: blinds rise, who has no chips left is out, tables are broken, the last one wins.

- All tables play hand for hand: a round is one hand at each of them.
- Who has no chips left after a hand is out. Of those who are out in one round, at whatever table, who began
  it with more chips ranks higher.
- Then players change tables where that is due: see `pokerlab.holdem.tournaments.balancing`.
- The big blind moves on to the next seat that has chips, and takes the button along: see
  `play_tournaments`.
"""

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import switch, whole
from pokerlab.core.workers import shared
from pokerlab.holdem.betting.engine import NOBODY
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS
from pokerlab.holdem.cards.dealing import key_of
from pokerlab.holdem.cards.deck import NUM_CARDS
from pokerlab.holdem.table.aggressiveness import Aggressiveness, check_aggressiveness
from pokerlab.holdem.table.game import check_kind
from pokerlab.holdem.table.impressions import Impressions
from pokerlab.holdem.table.players import Company, Player
from pokerlab.holdem.table.results import Record
from pokerlab.holdem.table.steps import Watcher, play_on, seated
from pokerlab.holdem.table.view import Tables
from pokerlab.holdem.tournaments.results import Placed
from pokerlab.holdem.tournaments.rounds import TABLE_BITS, TournamentBatch, deal_next
from pokerlab.holdem.tournaments.schedule import Schedule

MOST_HANDS = 10_000
"""After which a tournament is stopped; blinds that double hardly ever let it come to that."""
MOST_ENTRANTS = 100_000
TABLES_SIDE_BY_SIDE = 2048
"""So many that few steps are taken for the few tables of tournaments near their ends."""
TABLES_A_TOURNAMENT, SHARE_OF_TABLES = 4, 1 / 8
"""In play on the average: at least so many, and at least this share of those at the start."""


def play_tournaments(
    schedule: Schedule,
    players: Sequence[Player],
    lineups: ArrayLike,
    *,
    seed: int,
    stacks: int | Sequence[int],
    seats: int | None = None,
    aggressiveness: Aggressiveness | None = None,
    even: bool = True,
    duplicates: bool = False,
    most_hands: int = MOST_HANDS,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = TABLES_SIDE_BY_SIDE,
) -> Placed:
    """Play tournaments, each at one table or at many, and rank the players by the order of elimination.

    Of several who are out in one round, who began it with more chips ranks higher; who had equally
    many share the mean of their ranks. The button moves, there is no dead one: the big blind goes
    on to the next seat with chips; small blind and button are the two seats with chips before it,
    and heads-up the other seat is both. So nobody who stays at a table posts the big blind twice
    running or misses it; after an elimination a seat may keep the button or miss the small blind.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`. A level counts hands of each table.
    players : sequence of Player
        Everybody who may play.
    lineups : array_like of int, shape (T, E)
        For each tournament its 2 to 100,000 entrants, players by their numbers, in the order of the
        seats. They are dealt out to as many tables as they need, as evenly as possible: the first to
        table 0, and so on. A player may have several seats.
    seed : int
        Of the cards and of the players' luck.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start.
    seats : int, optional
        Seats of a table, 2 to 10; by default 10, or as many as there are entrants if these are fewer.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness; by default they do not.
    even : bool
        Whether players move so that tables differ by at most one, as the trade has it; or only when the
        smallest table can be broken.
    duplicates : bool
        Whether each tournament is played E times with the same cards and luck, the players moving
        on one seat each time. Only at a single table.
    most_hands : int
        After how many rounds to stop; who is left then is ranked by chips, and `Placed.is_finished` says
        so. Blinds that stop rising while two players can still fold may never end a tournament.
    first : int
        The number of the first tournament: 0 to 9 and 10 to 19 make 0 to 19. In tournament t the
        big blind first comes from seat t + 1, counted round the table.
    record, watchers, workers
        As for `pokerlab.holdem.play`.
    side_by_side : int
        Tables in play at a time, 1 to 10**6, but at least those of one tournament.

    Returns
    -------
    Placed
        The same for any number of workers and of tables side by side.

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

    A field of 30 at three tables:

    >>> schedule = doubling(no_limit(5, 10), 20, chips=30_000)
    >>> placed = play_tournaments(schedule, players, [[0, 1, 2] * 10], seed=1, stacks=1000)
    >>> float(placed.ranks.sum()), int(placed.chips.max())
    (465.0, 30000)
    """
    check_schedule(schedule)
    check_aggressiveness(aggressiveness)
    company, lineup, chips, rotations = seated(
        players,
        lineups,
        stacks,
        duplicates=duplicates,
        first=first,
        workers=workers,
        side_by_side=side_by_side,
        most=MOST_ENTRANTS,
    )
    num_tournaments, num_entrants = lineup.shape
    num_seats = checked_seats(seats, num_entrants)
    if duplicates and num_entrants > num_seats:
        raise SettingError(
            f"duplicates are for a single table; {num_entrants} entrants need several of {num_seats} seats."
        )
    whole("most_hands", most_hands, 1, 1 << TABLE_BITS)
    switch("even", even)

    def part(begin: int, end: int) -> Batch:
        played = new_batch(
            schedule,
            lineup[begin:end],
            np.tile(np.array(chips), (end - begin, 1)),
            num_seats,
            even=even,
            seed=seed,
            first=first + begin,
            rotations=rotations,
            most_hands=most_hands,
            side_by_side=side_by_side,
        )
        return play_batch(played, company, aggressiveness, watchers, record=record)

    parts = shared(part, 0, num_tournaments, workers=workers)
    played, actions, records = zip(*parts, strict=True)
    shape = (num_tournaments, rotations, num_entrants)
    return Placed(
        schedule=schedule,
        num_seats=num_seats,
        even=even,
        names=tuple(player.name for player in company.players),
        stacks=chips,
        seed=seed,
        first=first,
        lineups=lineup,
        ranks=np.concatenate([batch.ranks for batch in played]).reshape(shape),
        chips=np.concatenate([batch.chips for batch in played]).reshape(shape),
        lasted=np.concatenate([batch.lasted for batch in played]).reshape(shape),
        won=np.concatenate([batch.won for batch in played]).reshape(shape),
        rounds=np.concatenate([batch.rounds for batch in played]).reshape(shape[:2]),
        hands=np.concatenate([batch.hands for batch in played]).reshape(shape[:2]),
        actions=np.sum(actions, axis=0),
        record=Record.joined(records) if record else None,
    )


Batch: TypeAlias = tuple[TournamentBatch, Ints, Record | None]
"""A batch of tournaments that has been played, how often who did what, and all actions if kept."""


def check_schedule(schedule: object) -> None:
    """Refuse what is not a schedule."""
    check_kind("schedule", schedule, Schedule, "doubling(no_limit(5, 10), 50, chips=9000)")


def checked_seats(seats: int | None, num_entrants: int) -> int:
    """Return how many seats a table has, if the entrants fill one."""
    if seats is None:
        return min(num_entrants, MOST_SEATS)
    if whole("seats", seats, FEWEST_SEATS, MOST_SEATS) > num_entrants:
        raise SettingError(
            f"{num_entrants} entrants do not fill a table of {seats} seats; give as many, or"
            f" seats={num_entrants}."
        )
    return int(seats)


def new_batch(
    schedule: Schedule,
    lineups: Ints,
    stacks: Ints,
    num_seats: int,
    *,
    even: bool,
    seed: int,
    first: int,
    most_hands: int,
    side_by_side: int,
    rotations: int,
) -> TournamentBatch:
    """Return a batch of tournaments of which none has begun; parameters as in `TournamentBatch`."""
    num_matches, num_entrants = len(lineups) * rotations, lineups.shape[1]
    num_tables = -(-num_entrants // num_seats)
    rows = max(num_tables, min(side_by_side, num_matches * num_tables))
    in_play = max(TABLES_A_TOURNAMENT, int(SHARE_OF_TABLES * num_tables))
    places = rows if num_tables == 1 else min(num_matches, max(1, rows // in_play))
    shape = (num_matches, num_entrants)
    return TournamentBatch(
        levels=schedule.words(),
        hands_a_level=schedule.hands_a_level,
        most_hands=most_hands,
        num_seats=num_seats,
        keeps_even=even,
        lineups=lineups,
        stacks=stacks,
        deal_key=key_of(seed, "deal"),
        luck_key=key_of(seed, "luck"),
        first=first,
        rotations=rotations,
        deck=np.empty(NUM_CARDS, np.uint8),
        payoffs=np.zeros(num_seats, np.int64),
        begun=np.zeros(1, np.int64),
        free=np.append(np.arange(rows)[::-1], rows),
        match=np.full(places, NOBODY),
        tables=np.zeros(places, np.int64),
        row_of=np.zeros((places, num_tables), np.int64),
        entrants=np.zeros((rows, num_seats), np.int64),
        taken=np.zeros(num_tables, np.int64),
        big_blinds=np.zeros(num_tables, np.int64),
        out=np.zeros((2, num_entrants), np.int64),
        ranks=np.full(shape, np.nan),
        chips=np.zeros(shape, np.int64),
        lasted=np.zeros(shape, np.int64),
        won=np.zeros(shape, np.int64),
        rounds=np.zeros(num_matches, np.int64),
        hands=np.zeros(num_matches, np.int64),
    )


def play_batch(
    played: TournamentBatch,
    company: Company,
    aggressiveness: Aggressiveness | None,
    watchers: Sequence[Watcher] = (),
    *,
    record: bool = False,
) -> Batch:
    """Play a batch of tournaments to the end; its results are written into it."""
    rows, places = len(played.entrants), len(played.match)
    tables, impressions = Tables.empty(rows), None
    if aggressiveness is not None:
        impressions = Impressions.empty(
            aggressiveness,
            rows,
            num_tournaments=places,
            num_entrants=played.lineups.shape[1],
            num_seats=played.num_seats,
        )
    dealer = partial(deal_next, tables, played, impressions)
    actions, kept = play_on(
        tables, company, dealer, watchers, impressions=impressions, record=record
    )
    return played, actions, kept
