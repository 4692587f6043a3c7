"""Tournaments: freezeouts in which blinds rise, players without chips are out, and the last one left wins.

All tables play hand for hand: a round is one hand at each of them. Then players change tables by the rules of
`tournament_rounds`. `Tournament.play` explains the ranks, and how the blinds and the button move.

A tournament has a name, a fingerprint and a unit, as a `RingGame` has. A `Schedule` has the structure of each hand.
`TournamentResult` is the result of tournaments: ranks, their standard errors, and a replay of every hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Ints, SettingError, UnknownNameError
from pokerlab.core.random_numbers import draw_key
from pokerlab.core.settings import LARGEST_COUNT, check_kind, checked_bool, checked_integer
from pokerlab.core.units import RANKS, Unit
from pokerlab.core.workers import run_in_threads
from pokerlab.holdem.betting_engine import NOBODY, encode_structure
from pokerlab.holdem.cards import NUM_CARDS, deal_tournament_hand
from pokerlab.holdem.hand import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS, Hand, Structure, no_limit
from pokerlab.holdem.impressions import NO_IMPRESSIONS, Aggressiveness, Impressions
from pokerlab.holdem.players import Player
from pokerlab.holdem.table_play import (
    Record,
    TableResults,
    Watcher,
    checked_seat_stacks,
    digest_settings,
    play_hands,
    seat_players,
)
from pokerlab.holdem.table_view import Tables
from pokerlab.holdem.tournament_rounds import (
    TABLE_BITS,
    Move,
    TournamentBatch,
    deal_next_rounds,
    find_next_move,
    find_smallest_table_move,
    seat_evenly,
)

POKERSTARS_LEVELS = (
    *((10, 20, 0), (15, 30, 0), (25, 50, 0), (50, 100, 0), (75, 150, 0), (100, 200, 0)),
    *((100, 200, 25), (200, 400, 25), (300, 600, 50), (400, 800, 50), (600, 1_200, 75)),
    *((1_000, 2_000, 100), (1_500, 3_000, 150), (2_000, 4_000, 200), (3_000, 6_000, 300)),
    *((4_000, 8_000, 400), (6_000, 12_000, 600), (10_000, 20_000, 1_000)),
    *((15_000, 30_000, 1_500), (20_000, 40_000, 2_000), (30_000, 60_000, 3_000)),
    *((40_000, 80_000, 4_000), (60_000, 120_000, 6_000), (100_000, 200_000, 10_000)),
    (150_000, 300_000, 15_000),
)
"""Small blind, big blind and ante of each level of a tournament, as PokerStars had them in 2008."""
HANDS_A_LEVEL = 15
DOUBLED_AMOUNTS = ("small_blind", "big_blind", "small_bet", "big_bet", "ante")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A sequence of betting structures, the levels; the last one stays.

    Attributes
    ----------
    levels : tuple of Structure
        At least one.
    hands_a_level : int
        For how many hands each level holds.
    """

    levels: tuple[Structure, ...]
    hands_a_level: int

    def __post_init__(self) -> None:
        if not self.levels or not all(isinstance(level, Structure) for level in self.levels):
            raise SettingError(f"levels are {self.levels!r}; give a tuple of Structures.")
        object.__setattr__(self, "levels", tuple(self.levels))
        hands_a_level = checked_integer("hands_a_level", self.hands_a_level, 1, LARGEST_COUNT)
        object.__setattr__(self, "hands_a_level", hands_a_level)

    def find_structure(self, hand: int) -> Structure:
        """Return the structure of a hand, given by its index in the tournament."""
        return self.levels[min(hand // self.hands_a_level, len(self.levels) - 1)]

    def encode_levels(self) -> Ints:
        """Return the levels for kernels.

        Returns
        -------
        ndarray of int64, shape (levels, NUM_STRUCTURE_WORDS)
        """
        return np.stack([encode_structure(level) for level in self.levels])


def make_doubling_schedule(structure: Structure, hands_a_level: int, *, chips: int) -> Schedule:
    """Return a schedule in which all amounts double from level to level.

    Parameters
    ----------
    structure : Structure
        The first level.
    hands_a_level : int
        How many hands each level lasts.
    chips : int
        The big blind of the last level is at least this. With the chips of all players together, a tournament
        ends soon after that level begins, whatever they do.

    Raises
    ------
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem.hand import no_limit
    >>> schedule = make_doubling_schedule(no_limit(5, 10), 50, chips=60)
    >>> [level.big_blind for level in schedule.levels]
    [10, 20, 40, 80]
    """
    checked_integer("chips", chips, 1, MOST_CHIPS // 2)
    levels = [structure]
    while levels[-1].big_blind < chips:
        doubled = {name: 2 * getattr(levels[-1], name) for name in DOUBLED_AMOUNTS}
        levels.append(replace(levels[-1], **doubled))
    return Schedule(tuple(levels), hands_a_level)


def make_pokerstars_schedule(
    hands_a_level: int = HANDS_A_LEVEL, *, chips: int, free_folds: bool = False
) -> Schedule:
    """Return the schedule of PokerStars' tournaments: blinds from 10/20, with antes from the seventh level on.

    Beyond its last level all amounts double. Nicolai's thesis [1]_ prints eight of the levels; those between are
    PokerStars' own.

    Parameters
    ----------
    hands_a_level : int
        How many hands each level lasts.
    chips : int
        The big blind of the last level is at least this, as in `make_doubling_schedule`.
    free_folds : bool
        Whether a seat may fold where it owes nothing.

    Raises
    ------
    SettingError
        If a number is out of range.

    References
    ----------
    .. [1] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis,
       University of Regina, 2008, table 2.2

    Examples
    --------
    >>> levels = make_pokerstars_schedule(chips=1_000_000).levels
    >>> [(level.small_blind, level.big_blind, level.ante) for level in levels[5:8]]
    [(100, 200, 0), (100, 200, 25), (200, 400, 25)]
    >>> levels[-1].big_blind
    1200000
    """
    checked_integer("chips", chips, 1, MOST_CHIPS // 2)
    checked_bool("free_folds", free_folds)
    levels = [
        no_limit(small, big, ante=ante, free_folds=free_folds)
        for small, big, ante in POKERSTARS_LEVELS
    ]
    enough = [number for number, level in enumerate(levels) if level.big_blind >= chips]
    if enough:
        return Schedule(tuple(levels[: enough[0] + 1]), hands_a_level)
    then = make_doubling_schedule(levels[-1], hands_a_level, chips=chips)
    return Schedule((*levels[:-1], *then.levels), hands_a_level)


@dataclass(frozen=True)
class TableRound:
    """One table in one round of a tournament.

    Attributes
    ----------
    number : int
        The index of the table.
    entrants : tuple of int
        The entrant in each seat, by the place in the line-up; -1 for an empty seat.
    stacks : tuple of int
        Chips of each seat before the hand.
    hand : Hand or None
        The hand as it was played; None at a table of one player, who waits.
    """

    number: int
    entrants: tuple[int, ...]
    stacks: tuple[int, ...]
    hand: Hand | None

    @property
    def stacks_after(self) -> tuple[int, ...]:
        """Chips of each seat after the hand."""
        return self.stacks if self.hand is None else find_stacks_after(self.hand)


def find_stacks_after(hand: Hand) -> tuple[int, ...]:
    """Return the chips of each seat after a hand that is over."""
    return tuple(np.add(hand.starting_stacks, hand.payoffs).tolist())


@dataclass(frozen=True)
class Round:
    """One hand at each table of a tournament.

    Attributes
    ----------
    number : int
        The index of the round.
    structure : Structure
        The betting structure, and so the blinds.
    tables : tuple of TableRound
        The tables that are left.
    out : tuple of int
        The entrants that are out after it, by the place in the line-up.
    moves : tuple of tuple of int and Move
        The entrants that then change tables, in this order, and their moves.
    """

    number: int
    structure: Structure
    tables: tuple[TableRound, ...]
    out: tuple[int, ...]
    moves: tuple[tuple[int, Move], ...]


def find_next_blind_and_button(stacks: Sequence[int], big_blind_seat: int) -> tuple[int, int]:
    """Return the seat that posts the next big blind, and the seat of the button.

    The big blind moves to the next player who has chips; the button is two such players behind it, or, of two
    players, the one who is not in the big blind.

    Parameters
    ----------
    stacks : sequence of int
        The chips at each seat, of at least two players.
    big_blind_seat : int
        Who posted the big blind in the hand before.

    Examples
    --------
    >>> find_next_blind_and_button([50, 50, 0, 50], 1)
    (3, 0)
    """
    from_left = [(big_blind_seat + turn) % len(stacks) for turn in range(1, len(stacks) + 1)]
    dealt_in = [seat for seat in from_left if stacks[seat] > 0]
    button = dealt_in[-1] if len(dealt_in) == 2 else dealt_in[-2]
    return dealt_in[0], button


@dataclass(frozen=True, eq=False, kw_only=True)
class TournamentResult(TableResults):
    """The result of a batch of T tournaments of E entrants.

    At tables of two, one of an odd number of players waits for a round.

    Attributes
    ----------
    schedule : Schedule
        The blinds.
    num_seats : int
        Seats of a table.
    ranks : ndarray of shape (T, rotations, E)
        The rank of each place in the line-up, 1 for the winner; players who are tied share the mean.
    chips : ndarray of int64, shape (T, rotations, E)
        The chips of each place at the end.
    rounds_played : ndarray of int64, shape (T, rotations, E)
        The rounds in which each place took part, and so the hands that it played.
    won : ndarray of int64, shape (T, rotations, E)
        After how many of these hands the place had more chips than before.
    rounds, hands : ndarray of int64, shape (T, rotations)
        The rounds of each tournament, and its hands at all tables.
    even : bool
        Whether tables were kept even, or only the smallest broken.
    """

    schedule: Schedule
    num_seats: int
    ranks: NDArray[np.float64]
    chips: Ints
    rounds_played: Ints
    won: Ints
    rounds: Ints
    hands: Ints
    even: bool = True

    @property
    def is_finished(self) -> NDArray[np.bool_]:
        """Whether one player has won all chips; where not, chips decide the ranks.

        The array has shape (T, rotations).
        """
        finished: NDArray[np.bool_] = (self.chips > 0).sum(axis=2) == 1
        return finished

    @property
    def mean_rank(self) -> NDArray[np.float64]:
        """The mean rank of each player; NaN for a player that did not play."""
        return self._average_by_player(self.ranks.mean(axis=1))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard error of each player's `mean_rank`.

        It is that over tournaments, which are independent; the rotations of one are not, and count as one.
        It is NaN for a player in fewer than two.
        """
        ranks = self.ranks.mean(axis=1)
        squares = self._average_by_player((ranks - self.mean_rank[self.lineups]) ** 2)
        count = self.tables_played
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
        if stopped := int((~self.is_finished).sum()):
            lines.append(f"stopped before the end and ranked by chips: {stopped}")
        return "\n".join([head, *lines])

    def replay_hands(self, tournament: int, rotation: int = 0) -> Iterator[Hand]:
        """Yield the hands of a tournament as they were played; it is given by its index in this batch.

        They come round by round, and in a round table by table.
        """
        return (
            at_table.hand
            for played in self.replay_rounds(tournament, rotation)
            for at_table in played.tables
            if at_table.hand is not None
        )

    def replay_rounds(self, tournament: int, rotation: int = 0) -> Iterator[Round]:
        """Yield the rounds of a tournament: seats, hands, the entrants that are out, and those that change tables."""
        self.get_record()
        num_tournaments, rotations = self.hands.shape
        if not (0 <= tournament < num_tournaments and 0 <= rotation < rotations):
            raise SettingError(
                f"tournament {tournament}, rotation {rotation} was not played; there are"
                f" {num_tournaments} tournaments of {rotations} rotations."
            )
        return self._replay_rounds(tournament, rotation)

    def _replay_rounds(self, tournament: int, rotation: int) -> Iterator[Round]:
        """Yield the rounds of a tournament, played again from the recorded actions."""
        num_rounds, num_seats = int(self.rounds[tournament, rotation]), self.num_seats
        number = self.first + tournament
        find_move = find_next_move if self.even else find_smallest_table_move
        layout = seat_evenly(len(self.stacks), num_seats)
        match = (number * self.hands.shape[1] + rotation) * len(layout)
        entrants = np.where(layout == NOBODY, NOBODY, (layout - rotation) % len(self.stacks))
        chips = np.where(layout == NOBODY, 0, np.asarray(self.stacks)[layout])
        big_blinds = np.full(len(layout), number % num_seats)
        bits = 1 << np.arange(num_seats)
        for of_round in range(num_rounds):
            # Play the hand of each table.
            structure, tables = self.schedule.find_structure(of_round), []
            for table in np.flatnonzero((chips > 0).any(axis=1)).tolist():
                hand, seats = None, tuple(chips[table].tolist())
                if np.count_nonzero(seats) > 1:
                    big_blinds[table], button = find_next_blind_and_button(
                        seats, int(big_blinds[table])
                    )
                    of_table = (table << TABLE_BITS) + of_round
                    cards = deal_tournament_hand(self.seed, number, of_table, num_seats)
                    hand = Hand.begin(structure, seats, button, cards, number=of_round)
                    for action in self.get_record().find_actions(match + table, of_round):
                        hand = hand.after(action)
                tables.append(TableRound(table, tuple(entrants[table].tolist()), seats, hand))
                chips[table] = tables[-1].stacks_after

            # Take out the entrants without chips, then move others.
            has_lost = (entrants != NOBODY) & (chips == 0)
            out = tuple(entrants[has_lost].tolist())
            entrants[has_lost] = NOBODY
            moves = []
            while of_round < num_rounds - 1:
                move = find_move((chips > 0) @ bits, big_blinds, num_seats)
                if move.table == NOBODY:
                    break
                old, new = (move.table, move.seat), (move.to_table, move.to_seat)
                moves.append((int(entrants[old]), move))
                entrants[new], chips[new] = entrants[old], chips[old]
                entrants[old], chips[old] = NOBODY, 0
            yield Round(of_round, structure, tuple(tables), out, tuple(moves))

    def _average_by_player(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of each player's entries; NaN for a player without one.

        There is an entry for each tournament and place in the line-up, (T, E) in all.
        """
        count = self.tables_played
        return self.sum_by_player(numbers) / np.where(count > 0, count, np.nan)


FORMS = REFILLED, SMALLEST_BROKEN = "refilled", "smallest broken"
MOST_ROUNDS = 10_000
"""After which a tournament is stopped; blinds that double hardly ever let it come to that."""
MOST_ENTRANTS = 100_000
TABLES_SIDE_BY_SIDE = 2048
"""So many that few steps are taken for the few tables of tournaments near their ends."""
TABLES_A_TOURNAMENT, SHARE_OF_TABLES = 4, 1 / 8
"""In play on the average: at least so many, and at least this share of those at the start."""


@dataclass(frozen=True)
class Tournament:
    """A tournament at one table or at many; made by `tournament`, which describes the settings.

    Attributes
    ----------
    schedule : Schedule
        The blinds.
    stacks : tuple of int
        Chips of each entrant at the start, by seat.
    num_seats : int
        Seats of a table.
    form : str
        'refilled' or 'smallest broken'.
    aggressiveness : Aggressiveness or None
        How players see each other's aggressiveness, if they do.
    duplicates : bool
        Whether each tournament is played once for each seat.
    most_hands : int or None
        After how many rounds it is stopped; None for `MOST_ROUNDS`.
    unit : Unit
        The unit of results, ranks, of which 1 is the winner's.
    """

    schedule: Schedule
    stacks: tuple[int, ...]
    num_seats: int = MOST_SEATS
    form: str = REFILLED
    aggressiveness: Aggressiveness | None = None
    duplicates: bool = False
    most_hands: int | None = None
    unit: Unit = field(default=RANKS, init=False)

    def __post_init__(self) -> None:
        instead = "a Schedule, such as make_doubling_schedule(no_limit(5, 10), 50, chips=9000)"
        check_kind("schedule", self.schedule, Schedule, instead)
        stacks = checked_seat_stacks(len(self.stacks), self.stacks, MOST_ENTRANTS)
        object.__setattr__(self, "stacks", stacks)
        num_seats = int(checked_integer("seats", self.num_seats, FEWEST_SEATS, MOST_SEATS))
        object.__setattr__(self, "num_seats", num_seats)
        if num_seats > len(stacks):
            raise SettingError(
                f"{len(stacks)} entrants do not fill a table of {num_seats} seats; give as many, or"
                f" seats={len(stacks)}."
            )
        UnknownNameError.check("form", self.form, FORMS)
        instead = "None, or an Aggressiveness such as Aggressiveness(window=10)"
        check_kind("aggressiveness", self.aggressiveness, Aggressiveness | None, instead)
        if checked_bool("duplicates", self.duplicates) and len(stacks) > num_seats:
            raise SettingError(
                f"duplicates are for a single table; {len(stacks)} entrants need several of {num_seats} seats."
            )
        if self.most_hands is None:
            self._check_end(sum(stacks))
        else:
            checked_integer("most_hands", self.most_hands, 1, 1 << TABLE_BITS)

    def _check_end(self, chips: int) -> None:
        """Raise SettingError if the blinds do not end a tournament with so many chips before it is stopped."""
        num_levels, last = len(self.schedule.levels), self.schedule.levels[-1].big_blind
        at_end = num_levels * self.schedule.hands_a_level
        if last < chips:
            raise SettingError(
                f"the big blind stops rising at {last:,}, below the {chips:,} chips of all entrants: two who"
                " fold would play for ever. Give a schedule that goes on, such as"
                f" make_doubling_schedule(no_limit(5, 10), 50, chips={chips}), or most_hands."
            )
        if at_end > MOST_ROUNDS:
            raise SettingError(
                f"{num_levels} levels of {self.schedule.hands_a_level:,} hands are {at_end:,} hands; after"
                f" {MOST_ROUNDS:,} a tournament is stopped, and who is left would be ranked by chips. Give at"
                f" most {MOST_ROUNDS // num_levels:,} hands a level, or fewer levels."
            )

    @property
    def entrants(self) -> int:
        """How many players a tournament begins with."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """The game in words."""
        first = self.schedule.levels[0]
        blinds = f"{first.small_blind}/{first.big_blind}"
        tables = f" at tables of {self.num_seats}" if self.entrants > self.num_seats else ""
        return (
            f"{first.kind} hold'em tournament from {blinds} with {self.entrants} entrants{tables}"
        )

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        # 'kept' is in place of a removed setting, so that older fingerprints hold.
        options: tuple[Any, ...] = (self.num_seats, self.form, "kept", self.aggressiveness)
        if self.duplicates or self.most_hands is not None:
            options += (self.duplicates, self.most_hands)
        return digest_settings(self.schedule, self.stacks, *options)

    def play(
        self,
        players: Sequence[Player],
        lineups: ArrayLike | None = None,
        *,
        seed: int,
        first: int = 0,
        record: bool = False,
        watchers: Sequence[Watcher] = (),
        workers: int = 1,
    ) -> TournamentResult:
        """Play one tournament for each line-up, and rank the players by the order of elimination.

        Of several who are out in one round, who began it with more chips ranks higher; who had equally
        many share the mean of their ranks. The button moves, there is no dead one: the big blind goes
        on to the next seat with chips; small blind and button are the two seats with chips before it,
        and heads-up the other seat is both. So no player who stays at a table posts the big blind twice
        running or misses it; after an elimination a seat may keep the button or miss the small blind.

        Parameters
        ----------
        players : sequence of Player
            All players who may play.
        lineups : array_like of int, shape (T, E), optional
            For each tournament its entrants, players by their numbers, in the order of the seats. They are
            dealt out to as many tables as they need, as evenly as possible: the first to table 0, and so on.
            A player may have several seats. By default one tournament, in which player p has seat p.
        seed : int
            Of the cards and of the players' random numbers.
        first : int
            The number of the first tournament: 0 to 9 and 10 to 19 make 0 to 19. In tournament t the
            big blind first comes from seat t + 1, counted round the table.
        record, watchers, workers
            As for `RingGame.play`.

        Raises
        ------
        IllegalActionError
            If a player does what is not legal.
        """
        roster, lineup = seat_players(
            players, lineups, self.entrants, first=first, workers=workers, most=MOST_ENTRANTS
        )
        rotations = self.entrants if self.duplicates else 1

        def play_batch(begin: int, end: int) -> tuple[TournamentBatch, Ints, Record | None]:
            """Play the tournaments of the line-ups `begin` to `end` - 1."""
            batch = make_batch(self, lineup[begin:end], rotations, seed=seed, first=first + begin)
            rows, impressions = len(batch.entrants), None
            tables = Tables.allocate(rows)
            if self.aggressiveness is not None:
                impressions = Impressions.allocate(
                    self.aggressiveness,
                    rows,
                    num_tournaments=len(batch.match),
                    num_entrants=self.entrants,
                    num_seats=self.num_seats,
                )
            dealer = partial(deal_next_rounds, tables, batch, impressions or NO_IMPRESSIONS)
            actions, recorded = play_hands(
                tables, roster, dealer, watchers, impressions=impressions, record=record
            )
            return batch, actions, recorded

        parts = run_in_threads(play_batch, 0, len(lineup), workers=workers)
        played, actions, records = zip(*parts, strict=True)
        by_match = {}
        for name in ("ranks", "chips", "rounds_played", "won", "rounds", "hands"):
            together = np.concatenate([getattr(batch, name) for batch in played])
            by_match[name] = together.reshape(-1, rotations, *together.shape[1:])
        return TournamentResult(
            schedule=self.schedule,
            num_seats=self.num_seats,
            even=self.form == REFILLED,
            names=tuple(player.name for player in roster.players),
            stacks=self.stacks,
            seed=seed,
            first=first,
            lineups=lineup,
            actions=np.sum(actions, axis=0),
            record=Record.merge(records) if record else None,
            **by_match,
        )


def tournament(
    schedule: Schedule,
    entrants: int = 10,
    seats: int | None = None,
    stacks: int | Sequence[int] = 1000,
    *,
    form: str = REFILLED,
    aggressiveness: Aggressiveness | None = None,
    duplicates: bool = False,
    most_hands: int | None = None,
) -> Tournament:
    """Return a tournament.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `make_doubling_schedule(no_limit(5, 10), 50, chips=9000)`; a level counts hands of each table.
        The last big blind is at least the chips of all entrants, so that the end is near there; the levels are at most
        10,000 hands long together, after which a tournament is stopped.
    entrants : int
        Players at the start, 2 to 100,000.
    seats : int, optional
        Seats of a table, 2 to 10; by default 10, or as many as there are entrants if these are fewer.
    stacks : int or sequence of int
        Chips of every entrant, or of each by seat, at the start.
    form : str
        'refilled': tables are broken and refilled as players go out, so that they differ by at most one, as
        the trade has it. 'smallest broken': the smallest table is broken as soon as the others have seats for
        its players, and no other player changes tables.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness; by default they do not.
    duplicates : bool
        Whether each tournament is played once for each seat with the same cards and random numbers, the players moving
        on one seat each time. Only at a single table.
    most_hands : int, optional
        After how many rounds to stop instead; who is left then is ranked by chips, and `TournamentResult.is_finished`
        says so. Any schedule will do then.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, RANDOM, make_doubling_schedule, no_limit
    >>> game = tournament(make_doubling_schedule(no_limit(5, 10), 20, chips=3000), entrants=3)
    >>> placed = game.play([ALWAYS_FOLD, RANDOM, RANDOM], seed=1)
    >>> bool(placed.is_finished.all()), float(placed.ranks.sum())
    (True, 6.0)
    >>> game = tournament(make_doubling_schedule(no_limit(5, 10), 20, chips=100_000), entrants=100)
    >>> game.name
    "no-limit hold'em tournament from 5/10 with 100 entrants at tables of 10"
    """
    checked_integer("entrants", entrants, FEWEST_SEATS, MOST_ENTRANTS)
    return Tournament(
        schedule,
        checked_seat_stacks(entrants, stacks, MOST_ENTRANTS),
        min(entrants, MOST_SEATS) if seats is None else seats,
        form,
        aggressiveness,
        duplicates,
        most_hands,
    )


def make_batch(
    game: Tournament, lineups: Ints, rotations: int, *, seed: int, first: int
) -> TournamentBatch:
    """Return a batch of T tournaments of E entrants, none of which has begun.

    Parameters
    ----------
    game : Tournament
    lineups : ndarray of int64, shape (T, E)
        The players of each tournament, in the order of the seats.
    rotations : int
        How often each tournament is played, with the players moved on one seat each time.
    seed : int
    first : int
        The number of the first tournament.
    """
    num_matches, num_entrants = len(lineups) * rotations, lineups.shape[1]
    num_tables = -(-num_entrants // game.num_seats)  # of one tournament at its start

    # Rows for the tables in play, and places for as many tournaments as use them on the average.
    num_rows = max(num_tables, min(TABLES_SIDE_BY_SIDE, num_matches * num_tables))
    mean_tables = max(TABLES_A_TOURNAMENT, int(SHARE_OF_TABLES * num_tables))
    if num_tables == 1:
        num_places = num_rows
    else:
        num_places = min(num_matches, max(1, num_rows // mean_tables))

    by_entrant = (num_matches, num_entrants)
    return TournamentBatch(
        levels=game.schedule.encode_levels(),
        hands_a_level=game.schedule.hands_a_level,
        most_hands=MOST_ROUNDS if game.most_hands is None else game.most_hands,
        num_seats=game.num_seats,
        keeps_even=game.form == REFILLED,
        lineups=lineups,
        stacks=np.array(game.stacks),
        deal_key=draw_key(seed, "deal"),
        random_key=draw_key(seed, "luck"),
        first=first,
        rotations=rotations,
        deck=np.empty(NUM_CARDS, np.uint8),
        payoffs=np.zeros(game.num_seats, np.int64),
        begun=np.zeros(1, np.int64),
        free=np.append(np.arange(num_rows)[::-1], num_rows),
        match=np.full(num_places, NOBODY),
        tables=np.zeros(num_places, np.int64),
        row_of=np.zeros((num_places, num_tables), np.int64),
        entrants=np.zeros((num_rows, game.num_seats), np.int64),
        taken=np.zeros(num_tables, np.int64),
        big_blinds=np.zeros(num_tables, np.int64),
        out=np.zeros((2, num_entrants), np.int64),
        ranks=np.full(by_entrant, np.nan),
        chips=np.zeros(by_entrant, np.int64),
        rounds_played=np.zeros(by_entrant, np.int64),
        won=np.zeros(by_entrant, np.int64),
        rounds=np.zeros(num_matches, np.int64),
        hands=np.zeros(num_matches, np.int64),
    )
