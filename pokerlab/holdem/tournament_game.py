"""Tournaments in which blinds rise, players without chips are out, and the last player with chips wins (freezeouts).

In each round every table plays one hand. After a round, players change tables by the rules of `tournament_rounds`.
`Tournament.play` explains the ranks, and how the blinds and the button move.

A `Tournament` has a name, a fingerprint and a unit, like a `RingGame`. Its `Schedule` has the betting structure of each
hand. Its `TournamentResult` has the ranks of the players and their standard errors, and can replay every hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Ints, SettingError, UnknownNameError
from pokerlab.core.errors import quote_value
from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_bool, validate_integer
from pokerlab.core.units import RANKS, Unit
from pokerlab.core.workers import run_in_threads
from pokerlab.holdem.aggressiveness import NO_OBSERVATIONS, Aggressiveness, Observations
from pokerlab.holdem.betting_engine import NOBODY, encode_structure
from pokerlab.holdem.betting_structure import (
    FEWEST_SEATS,
    MOST_CHIPS,
    MOST_SEATS,
    Structure,
    no_limit,
)
from pokerlab.holdem.cards import NUM_CARDS, deal_tournament_hand
from pokerlab.holdem.hand import Hand
from pokerlab.holdem.players import Player
from pokerlab.holdem.table_play import (
    Record,
    TableResults,
    Watcher,
    compute_settings_digest,
    play_hands,
    validate_roster_and_lineups,
    validate_seat_stacks,
)
from pokerlab.holdem.table_view import Tables
from pokerlab.holdem.tournament_rounds import (
    NO_MATCH,
    NO_TABLE,
    TABLE_BITS,
    Move,
    TournamentBatch,
    find_next_balancing_move,
    find_next_breaking_move,
    pay_and_deal_rounds,
    seat_players_evenly,
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
"""The small blind, the big blind and the ante of each level of PokerStars' tournaments in 2008."""
HANDS_A_LEVEL = 15
DOUBLED_AMOUNTS = ("small_blind", "big_blind", "small_bet", "big_bet", "ante")


@dataclass(frozen=True, slots=True)
class Schedule:
    """The betting structures of a tournament, called levels. Each is used for a number of hands.

    Attributes
    ----------
    levels : tuple of Structure
        The levels, at least one. The last level is used until the end of the tournament.
    hands_a_level : int
        The number of hands that are played at each level.
    """

    levels: tuple[Structure, ...]
    hands_a_level: int

    def __post_init__(self) -> None:
        """Check the levels and the number of hands.

        Raises
        ------
        SettingError
            If there is no level, a level is not a `Structure`, or the number of hands is out of range.
        """
        if not self.levels or not all(isinstance(level, Structure) for level in self.levels):
            raise SettingError(f"levels are {quote_value(self.levels)}; give Structures.")
        object.__setattr__(self, "levels", tuple(self.levels))
        hands_a_level = validate_integer("hands_a_level", self.hands_a_level, 1, LARGEST_COUNT)
        object.__setattr__(self, "hands_a_level", hands_a_level)

    def find_structure(self, hand: int) -> Structure:
        """Return the betting structure of a hand; `hand` is the number of hands played before it at the same table."""
        level = min(hand // self.hands_a_level, len(self.levels) - 1)
        return self.levels[level]

    def encode_levels(self) -> Ints:
        """Return the betting structures of all levels as an array of integers, which kernels can read.

        Returns
        -------
        ndarray of int64, shape (levels, NUM_STRUCTURE_WORDS)
            One betting structure in each row; see `betting_engine.encode_structure`.
        """
        return np.stack([encode_structure(level) for level in self.levels])


def make_doubling_schedule(structure: Structure, hands_a_level: int, *, chips: int) -> Schedule:
    """Return a schedule of blinds in which all amounts double from level to level.

    Parameters
    ----------
    structure : Structure
        The betting structure of the first level.
    hands_a_level : int
        The number of hands at each level.
    chips : int
        The smallest allowed big blind of the last level. The schedule ends with the first level that reaches it. If
        this is the number of chips of all players together, a tournament ends soon after the last level begins,
        whatever the players do.

    Returns
    -------
    Schedule
        The levels from the given structure on. It has one level if the big blind of the structure is already large
        enough.

    Raises
    ------
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem.betting_structure import no_limit
    >>> schedule = make_doubling_schedule(no_limit(5, 10), 50, chips=60)
    >>> [level.big_blind for level in schedule.levels]
    [10, 20, 40, 80]
    """
    validate_integer("chips", chips, 1, MOST_CHIPS // 2)
    levels = [*Schedule((structure,), hands_a_level).levels]
    while levels[-1].big_blind < chips:
        last = levels[-1]
        doubled = {name: 2 * getattr(last, name) for name in DOUBLED_AMOUNTS}
        levels.append(replace(last, **doubled))
    return Schedule(tuple(levels), hands_a_level)


def make_pokerstars_schedule(
    hands_a_level: int = HANDS_A_LEVEL, *, chips: int, free_folds: bool = False
) -> Schedule:
    """Return the schedule of PokerStars' tournaments: blinds from 10/20, with antes from the seventh level on.

    After the last level of PokerStars all amounts double from level to level. Nicolai's thesis [1]_ prints eight of the
    levels. The levels between them are those that PokerStars used.

    Parameters
    ----------
    hands_a_level : int
        The number of hands at each level.
    chips : int
        The smallest allowed big blind of the last level, usually the number of chips of all players together. The
        schedule ends with the first level that reaches it.
    free_folds : bool
        Whether a seat may fold if it owes nothing and could check.

    Returns
    -------
    Schedule
        The levels of no-limit betting, from 10/20 on.

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
    validate_integer("chips", chips, 1, MOST_CHIPS // 2)
    validate_bool("free_folds", free_folds)
    levels = [
        no_limit(small, big, ante=ante, free_folds=free_folds)
        for small, big, ante in POKERSTARS_LEVELS
    ]
    # The schedule ends with the first level whose big blind is large enough.
    large_enough = [index for index, level in enumerate(levels) if level.big_blind >= chips]
    if large_enough:
        last = large_enough[0]
        return Schedule(tuple(levels[: last + 1]), hands_a_level)

    # If there is none, amounts double from the last level on.
    doubling = make_doubling_schedule(levels[-1], hands_a_level, chips=chips)
    return Schedule((*levels[:-1], *doubling.levels), hands_a_level)


@dataclass(frozen=True)
class TableRound:
    """One table in one round of a tournament.

    Attributes
    ----------
    number : int
        The index of the table.
    entrants : tuple of int
        The entrant in each seat, as an index into the line-up; -1 for an empty seat.
    stacks : tuple of int
        The chips of each seat before the hand.
    hand : Hand or None
        The hand as it was played, or None if only one player sits at the table and waits.
    """

    number: int
    entrants: tuple[int, ...]
    stacks: tuple[int, ...]
    hand: Hand | None

    @property
    def stacks_after(self) -> tuple[int, ...]:
        """The chips of each seat after the hand."""
        return self.stacks if self.hand is None else compute_stacks_after_hand(self.hand)


def compute_stacks_after_hand(hand: Hand) -> tuple[int, ...]:
    """Return the chips of each seat after a hand that is over, which are those at its beginning plus its payoff."""
    return tuple(np.add(hand.starting_stacks, hand.payoffs).tolist())


@dataclass(frozen=True)
class Round:
    """One hand at each table of a tournament.

    Attributes
    ----------
    number : int
        The index of the round.
    structure : Structure
        The betting structure of the round, which includes the blinds.
    tables : tuple of TableRound
        The tables at which players still sit.
    out : tuple of int
        The entrants that have lost all their chips in this round, as indices into the line-up.
    moves : tuple of tuple of int and Move
        The entrants that change tables after the round, in this order, each with its move.
    """

    number: int
    structure: Structure
    tables: tuple[TableRound, ...]
    out: tuple[int, ...]
    moves: tuple[tuple[int, Move], ...]


def find_next_blind_and_button(stacks: Sequence[int], big_blind_seat: int) -> tuple[int, int]:
    """Return the seat that posts the next big blind, and the seat of the button.

    The big blind moves to the next seat with chips. The button is two seats with chips before it. If only two seats
    have chips, the other one has the button.

    Parameters
    ----------
    stacks : sequence of int
        The chips of each seat; at least two seats must have chips.
    big_blind_seat : int
        The seat that posted the big blind in the last hand.

    Returns
    -------
    next_big_blind_seat, button : int
        The two seats.

    Examples
    --------
    >>> find_next_blind_and_button([50, 50, 0, 50], 1)
    (3, 0)
    """
    num_seats = len(stacks)
    clockwise = [(big_blind_seat + distance) % num_seats for distance in range(1, num_seats + 1)]
    dealt_in = [seat for seat in clockwise if stacks[seat] > 0]
    next_big_blind_seat = dealt_in[0]
    is_heads_up = len(dealt_in) == 2
    # The list begins with the new big blind. So its last seat, which is the one before, has the small blind, and the
    # seat before that has the button.
    button = dealt_in[-1] if is_heads_up else dealt_in[-2]
    return next_big_blind_seat, button


@dataclass(frozen=True, eq=False, kw_only=True)
class TournamentResult(TableResults):
    """The result of a batch of T tournaments with E entrants each.

    Attributes
    ----------
    schedule : Schedule
        The schedule of blinds.
    num_seats : int
        The number of seats of a table.
    ranks : ndarray of shape (T, rotations, E)
        The rank of each entrant in the order of the line-up; the winner has rank 1. Entrants who are tied all get the
        mean of their ranks.
    chips : ndarray of int64, shape (T, rotations, E)
        The chips of each entrant at the end.
    rounds_played : ndarray of int64, shape (T, rotations, E)
        The number of rounds in which each entrant played a hand. If tables have two seats and the number of players is
        odd, one player waits for a round.
    won : ndarray of int64, shape (T, rotations, E)
        The number of hands after which the entrant had more chips than before.
    rounds, hands : ndarray of int64, shape (T, rotations)
        The number of rounds of each tournament, and the number of hands at all its tables.
    even : bool
        Whether players changed tables to keep the numbers of players even. If False, only the smallest table was
        broken.
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
        """Whether each tournament ended because one player won all chips, an array of shape (T, rotations).

        If not, the tournament was stopped, and the players that were left are ranked by their chips.
        """
        finished: NDArray[np.bool_] = (self.chips > 0).sum(axis=2) == 1
        return finished

    @property
    def mean_rank(self) -> NDArray[np.float64]:
        """The mean rank of each player over its tournaments, an array of shape (players,).

        It is NaN for a player that did not play.
        """
        return self._average_by_player(self.ranks.mean(axis=1))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard error of each player's mean rank, an array of shape (players,).

        It is computed over tournaments, because these are independent. All rotations of a tournament count as one
        observation. The standard error is NaN for a player that took part in fewer than two tournaments.
        """
        ranks = self.ranks.mean(axis=1)
        deviations = ranks - self.mean_rank[self.lineups]
        mean_squares = self._average_by_player(deviations**2)
        num_tournaments = self.num_seats_by_player
        degrees_of_freedom = np.where(num_tournaments > 1, num_tournaments - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(mean_squares / degrees_of_freedom)
        return error

    def __str__(self) -> str:
        """Return a line for each player with its mean rank and the standard error of the mean."""
        num_tournaments, num_rotations = self.hands.shape
        rotations_text = f", each in {num_rotations} rotations" if num_rotations > 1 else ""
        first_line = f"mean ranks, {num_tournaments} tournaments{rotations_text}, seed {self.seed}"
        lines = [
            f"{name}: {mean:.3f} ± {error:.3f}"
            for name, mean, error in zip(
                self.names, self.mean_rank, self.standard_error, strict=True
            )
        ]
        num_stopped = int((~self.is_finished).sum())
        if num_stopped:
            lines.append(f"stopped before the end and ranked by chips: {num_stopped}")
        return "\n".join([first_line, *lines])

    def replay_hands(self, tournament: int, rotation: int = 0) -> Iterator[Hand]:
        """Yield the hands of a tournament as they were played, round by round, and table by table within a round.

        Parameters
        ----------
        tournament : int
            The index of the tournament among those of this result.
        rotation : int
            The rotation in which it was played, from 0 on. In rotation r each entrant sits r seats to the left.

        Yields
        ------
        Hand
            A hand after its last action. A table where only one player sits and waits has none.

        Raises
        ------
        SettingError
            If the tournament was not played in this rotation, or if the game was played without recording its actions.
        """
        return (
            table.hand
            for tournament_round in self.replay_rounds(tournament, rotation)
            for table in tournament_round.tables
            if table.hand is not None
        )

    def replay_rounds(self, tournament: int, rotation: int = 0) -> Iterator[Round]:
        """Yield the rounds of a tournament as they were played, with hands, eliminations, and changes of tables.

        Parameters
        ----------
        tournament : int
            The index of the tournament among those of this result.
        rotation : int
            The rotation in which it was played, from 0 on. In rotation r each entrant sits r seats to the left.

        Yields
        ------
        Round
            One hand at each table, and what follows before the next round.

        Raises
        ------
        SettingError
            If the tournament was not played in this rotation, or if the game was played without recording its actions.
            The error is raised by the call, before the first round is yielded.
        """
        self.get_record()  # raises if there is none
        num_tournaments, num_rotations = self.hands.shape
        if not (0 <= tournament < num_tournaments and 0 <= rotation < num_rotations):
            raise SettingError(
                f"tournament {tournament}, rotation {rotation} was not played; there are"
                f" {num_tournaments} tournaments of {num_rotations} rotations."
            )
        # A generator of its own, because a generator would raise these errors only at its first round.
        return self._generate_rounds(tournament, rotation)

    def _generate_rounds(self, tournament: int, rotation: int) -> Iterator[Round]:
        """Yield the rounds of a tournament, which are played again with the recorded actions.

        Parameters
        ----------
        tournament : int
            The index of the tournament among those of this result.
        rotation : int
            The rotation of the seats in which it was played.
        """
        num_rounds = int(self.rounds[tournament, rotation])
        tournament_number = self.first + tournament

        # The state of the tournament is in three arrays: the entrant in each seat of each table, its chips, and the
        # seat of each table's big blind. In rotation r each entrant sits r seats to the left; the chips belong to the
        # seats.
        first_seats = seat_players_evenly(len(self.stacks), self.num_seats)
        is_empty = first_seats == NOBODY
        entrants = np.where(is_empty, NOBODY, (first_seats - rotation) % len(self.stacks))
        chips = np.where(is_empty, 0, np.asarray(self.stacks)[first_seats])
        big_blind_seats = np.full(len(first_seats), tournament_number % self.num_seats)

        for round_number in range(num_rounds):
            structure = self.schedule.find_structure(round_number)
            table_rounds = []
            has_players = (chips > 0).any(axis=1)
            for table in np.flatnonzero(has_players).tolist():
                stacks = tuple(chips[table].tolist())
                hand = None  # a player alone at a table waits
                if np.count_nonzero(stacks) > 1:
                    big_blind_seats[table], button = find_next_blind_and_button(
                        stacks, int(big_blind_seats[table])
                    )
                    hand = self._replay_hand_at_table(
                        tournament, rotation, table, round_number, stacks, button
                    )
                table_round = TableRound(table, tuple(entrants[table].tolist()), stacks, hand)
                table_rounds.append(table_round)
                chips[table] = table_round.stacks_after

            # Remove the entrants without chips, and move others between tables unless this was the last round.
            has_lost = (entrants != NOBODY) & (chips == 0)
            out = tuple(entrants[has_lost].tolist())
            entrants[has_lost] = NOBODY
            is_last = round_number == num_rounds - 1
            moves = () if is_last else self._move_entrants(entrants, chips, big_blind_seats)
            yield Round(round_number, structure, tuple(table_rounds), out, moves)

    def _replay_hand_at_table(
        self,
        tournament: int,
        rotation: int,
        table: int,
        round_number: int,
        stacks: tuple[int, ...],
        button: int,
    ) -> Hand:
        """Return the hand of a round at one table of a tournament, played again with the recorded actions.

        Parameters
        ----------
        tournament : int
            The index of the tournament among those of this result.
        rotation : int
            The rotation of the seats in which it was played.
        table : int
            The index of the table.
        round_number : int
            The index of the round.
        stacks : tuple of int
            The chips of each seat before the hand.
        button : int
            The seat with the button.
        """
        tournament_number = self.first + tournament
        hand_index = (table << TABLE_BITS) + round_number
        cards = deal_tournament_hand(self.seed, tournament_number, hand_index, self.num_seats)
        structure = self.schedule.find_structure(round_number)
        hand = Hand.begin(structure, stacks, button, cards, number=round_number)

        # In a record a match is a table of a tournament in one rotation.
        num_rotations = self.hands.shape[1]
        num_tables = len(seat_players_evenly(len(self.stacks), self.num_seats))
        match = (tournament_number * num_rotations + rotation) * num_tables + table
        for action in self.get_record().find_actions(match, round_number):
            hand = hand.after(action)
        return hand

    def _move_entrants(
        self, entrants: Ints, chips: Ints, big_blind_seats: Ints
    ) -> tuple[tuple[int, Move], ...]:
        """Move players between tables until no rule makes another player move; change `entrants` and `chips` in place.

        Parameters
        ----------
        entrants : ndarray of int64, shape (tables, seats)
            The player in each seat, as an index into the line-up, or -1 for an empty seat.
        chips : ndarray of int64, shape (tables, seats)
            The chips of each seat.
        big_blind_seats : ndarray of int64, shape (tables,)
            The seat that had the big blind last at each table.

        Returns
        -------
        tuple of (int, Move)
            The moves in their order, each with the player who moves.
        """
        find_move = find_next_balancing_move if self.even else find_next_breaking_move
        bit_of_seat = 1 << np.arange(self.num_seats)
        moves: list[tuple[int, Move]] = []
        while True:
            seats_taken = (chips > 0) @ bit_of_seat
            move = find_move(seats_taken, big_blind_seats, self.num_seats)
            if move.table == NO_TABLE:
                return tuple(moves)
            old, new = (move.table, move.seat), (move.to_table, move.to_seat)
            moves.append((int(entrants[old]), move))
            entrants[new], chips[new] = entrants[old], chips[old]
            entrants[old], chips[old] = NOBODY, 0

    def _average_by_player(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of each player's numbers, or NaN for a player without any.

        Parameters
        ----------
        numbers : ndarray of shape (T, E)
            A number for each of E entrants of each of T tournaments, in the order of the line-ups.

        Returns
        -------
        ndarray of shape (players,)
        """
        counts = self.num_seats_by_player
        return self.sum_by_player(numbers) / np.where(counts > 0, counts, np.nan)


FORMS = REFILLED, SMALLEST_BROKEN = "refilled", "smallest broken"
MOST_ROUNDS = 10_000
"""The number of rounds after which a tournament is stopped. If blinds double, tournaments nearly always end before."""
MOST_ENTRANTS = 100_000
TABLES_SIDE_BY_SIDE = 2048
"""The number of tables that are played at the same time. It is large because a step costs much if only the few tables
of tournaments near their ends take part."""
TABLES_A_TOURNAMENT = 4
SHARE_OF_TABLES = 1 / 8
"""The mean number of tables of a tournament is assumed to be at least the first number, and at least the second number
times the tables at its start."""


@dataclass(frozen=True)
class Tournament:
    """A tournament at one table or at many; made by `tournament`.

    Attributes
    ----------
    schedule : Schedule
        The schedule of blinds.
    stacks : tuple of int
        The chips of each entrant at the start, in the order of the line-up.
    num_seats : int
        The number of seats of a table.
    form : str
        How players change tables: 'refilled' or 'smallest broken'.
    aggressiveness : Aggressiveness or None
        How players measure each other's aggressiveness; None if they do not see it.
    duplicates : bool
        Whether each tournament is played once in each rotation of the seats.
    most_hands : int or None
        The number of rounds after which a tournament is stopped; None for `MOST_ROUNDS`.
    unit : Unit
        The unit of results, ranks; the winner has rank 1.
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
        """Check all settings, and convert the stacks and the number of seats to int.

        Raises
        ------
        SettingError
            If a setting has the wrong type or is out of range, or settings do not fit together.
        UnknownNameError
            If the form is unknown.
        """
        expected = "a Schedule, such as make_doubling_schedule(no_limit(5, 10), 50, chips=9000)"
        check_kind("schedule", self.schedule, Schedule, expected)
        stacks = validate_seat_stacks(len(self.stacks), self.stacks, MOST_ENTRANTS)
        object.__setattr__(self, "stacks", stacks)
        num_seats = int(validate_integer("seats", self.num_seats, FEWEST_SEATS, MOST_SEATS))
        object.__setattr__(self, "num_seats", num_seats)
        if num_seats > len(stacks):
            raise SettingError(
                f"{len(stacks)} entrants do not fill a table of {num_seats} seats; give as many, or"
                f" seats={len(stacks)}."
            )

        UnknownNameError.check("form", self.form, FORMS)
        expected = "None, or an Aggressiveness such as Aggressiveness(window=10)"
        check_kind("aggressiveness", self.aggressiveness, Aggressiveness | None, expected)
        validate_bool("duplicates", self.duplicates)
        if self.duplicates and len(stacks) > num_seats:
            raise SettingError(
                f"duplicates are for a single table; {len(stacks)} entrants need several of {num_seats} seats."
            )
        if self.most_hands is None:
            self._check_blinds_end_tournament(sum(stacks))
        else:
            validate_integer("most_hands", self.most_hands, 1, 1 << TABLE_BITS)

    def _check_blinds_end_tournament(self, all_chips: int) -> None:
        """Check that the blinds rise to the chips of all players together before a tournament is stopped.

        Parameters
        ----------
        all_chips : int
            The chips of all players together.

        Raises
        ------
        SettingError
            If the last big blind is smaller, or if the last level begins after MOST_ROUNDS hands.
        """
        num_levels = len(self.schedule.levels)
        last_big_blind = self.schedule.levels[-1].big_blind
        if last_big_blind < all_chips:
            raise SettingError(
                f"the big blind stops rising at {last_big_blind:,}, below the {all_chips:,} chips of all entrants:"
                " two who fold would play for ever. Give a schedule that goes on, such as"
                f" make_doubling_schedule(no_limit(5, 10), 50, chips={all_chips}), or most_hands."
            )
        hands_of_all_levels = num_levels * self.schedule.hands_a_level
        if hands_of_all_levels > MOST_ROUNDS:
            raise SettingError(
                f"{num_levels} levels of {self.schedule.hands_a_level:,} hands are {hands_of_all_levels:,} hands; after"
                f" {MOST_ROUNDS:,} a tournament is stopped, and who is left would be ranked by chips. Give at"
                f" most {MOST_ROUNDS // num_levels:,} hands a level, or fewer levels."
            )

    @property
    def entrants(self) -> int:
        """The number of players at the start of a tournament."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """The name of the game, with the kind of betting, the first blinds, and the numbers of entrants and seats."""
        first_level = self.schedule.levels[0]
        blinds = f"{first_level.small_blind}/{first_level.big_blind}"
        tables = f" at tables of {self.num_seats}" if self.entrants > self.num_seats else ""
        return f"{first_level.kind} hold'em tournament from {blinds} with {self.entrants} entrants{tables}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that influences the results, a text of 16 hexadecimal digits.

        Equal games have equal fingerprints. Runs and checkpoints contain them.
        """
        # 'kept' stands for a setting that was removed, so that fingerprints in older files are still valid.
        options: tuple[Any, ...] = (self.num_seats, self.form, "kept", self.aggressiveness)
        if self.duplicates or self.most_hands is not None:
            options += (self.duplicates, self.most_hands)
        return compute_settings_digest(self.schedule, self.stacks, *options)

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

        If several players are out in the same round, the one that began the round with more chips ranks higher. Players
        that began it with equal chips all get the mean of their ranks.

        The big blind moves to the next seat with chips. The small blind and the button are the two seats with chips
        before it; heads-up, the other seat has both. So a player that stays at a table never posts the big blind twice
        in succession, and never misses it. After an elimination a seat may keep the button or miss the small blind.

        Parameters
        ----------
        players : sequence of Player
            All players that may take part.
        lineups : array_like of int, shape (T, E), optional
            The indices of the E players that enter each of T tournaments, in the order of the seats. They are
            distributed over as many tables as are needed, as evenly as possible: the first to table 0, the second to
            table 1, and so on. A player may have several seats. By default there is one tournament, in which player p
            has seat p.
        seed : int
            The seed of the cards and of the players' random numbers.
        first : int
            The index of the first tournament. For example, a call with tournaments 0 to 9 and a call with tournaments
            10 to 19 play the same as one call with tournaments 0 to 19. In tournament t the first big blind is the
            first seat with chips from seat t + 1 on, counted around the table.
        record : bool
            Whether to record all actions, so that hands can be replayed.
        watchers : sequence of callable
            Functions that are called in each step before the actions are applied, with the tables in play and with the
            indices of the tables at which a seat has acted.
        workers : int
            The number of threads, 1 to 256, that share the tournaments. Results do not depend on it.

        Returns
        -------
        TournamentResult
            The rank of each entrant in each tournament, the chips at its end, the numbers of hands and actions, and the
            recorded actions if `record` is True.

        Raises
        ------
        IllegalActionError
            If a player chooses an action that is not legal.
        SettingError
            If players and line-ups do not fit the game, or a number is out of range.
        """
        roster, validated_lineups = validate_roster_and_lineups(
            players,
            lineups,
            self.entrants,
            first_number=first,
            workers=workers,
            max_seats=MOST_ENTRANTS,
        )
        num_rotations = self.entrants if self.duplicates else 1

        def play_batch(begin: int, end: int) -> tuple[TournamentBatch, Ints, Record | None]:
            """Play the tournaments of the line-ups `begin` to `end` - 1.

            Returns their batch with its results, the numbers of actions, and the record.
            """
            batch = make_tournament_batch(
                self,
                validated_lineups[begin:end],
                num_rotations,
                seed=seed,
                first_tournament=first + begin,
            )
            num_tables = len(batch.entrants)  # played at the same time
            tables = Tables.allocate(num_tables)
            observations = None
            if self.aggressiveness is not None:
                observations = Observations.allocate(
                    self.aggressiveness,
                    num_tables,
                    num_tournaments=len(batch.match),
                    num_entrants=self.entrants,
                    num_seats=self.num_seats,
                )
            deal_next = partial(pay_and_deal_rounds, tables, batch, observations or NO_OBSERVATIONS)
            actions, hand_record = play_hands(
                tables, roster, deal_next, watchers, observations=observations, record=record
            )
            return batch, actions, hand_record

        results_by_thread = run_in_threads(play_batch, 0, len(validated_lineups), workers=workers)
        batches, actions, records = zip(*results_by_thread, strict=True)

        # In batches a tournament in one rotation is a match; the results have an axis for each.
        results = {}
        for name in ("ranks", "chips", "rounds_played", "won", "rounds", "hands"):
            results_by_match = np.concatenate([getattr(batch, name) for batch in batches])
            shape = (-1, num_rotations, *results_by_match.shape[1:])
            results[name] = results_by_match.reshape(shape)
        return TournamentResult(
            schedule=self.schedule,
            num_seats=self.num_seats,
            even=self.form == REFILLED,
            names=tuple(player.name for player in roster.players),
            stacks=self.stacks,
            seed=seed,
            first=first,
            lineups=validated_lineups,
            actions=np.sum(actions, axis=0),
            record=Record.merge_records(records) if record else None,
            **results,
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
    """Return a tournament of hold'em with a given schedule of blinds.

    Parameters
    ----------
    schedule : Schedule
        The blinds, such as `make_doubling_schedule(no_limit(5, 10), 50, chips=9000)`. A level lasts for a number of
        hands at each table. The last big blind must be at least the number of chips of all entrants together, so that a
        tournament ends soon after the last level begins. All levels together may have at most 10,000 hands, because a
        tournament is stopped then.
    entrants : int
        The number of players at the start, 2 to 100,000.
    seats : int, optional
        The number of seats of a table, 2 to 10. By default 10, or the number of entrants if it is smaller.
    stacks : int or sequence of int
        The chips of every entrant at the start, or a number for each entrant in the order of the seats.
    form : str
        How players change tables. With 'refilled', which is the usual rule, tables are broken and refilled as players
        are eliminated, so that the numbers of players at any two tables differ by at most one. With 'smallest broken',
        the smallest table is broken as soon as the other tables have seats for its players, and no other player changes
        tables.
    aggressiveness : Aggressiveness, optional
        How players measure each other's aggressiveness. By default they do not see it.
    duplicates : bool
        Whether each tournament is played once in each rotation of the seats, with the same cards and random numbers.
        This is possible only at a single table.
    most_hands : int, optional
        The number of rounds after which a tournament is stopped. The players that are left are then ranked by chips,
        and `TournamentResult.is_finished` is False. With this setting any schedule is allowed.

    Returns
    -------
    Tournament
        The game. Its method `play` plays it.

    Raises
    ------
    SettingError
        If a number is out of range, a setting has the wrong type, or two settings do not fit together.
    UnknownNameError
        If `form` is neither of the two.

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
    validate_integer("entrants", entrants, FEWEST_SEATS, MOST_ENTRANTS)
    return Tournament(
        schedule,
        validate_seat_stacks(entrants, stacks, MOST_ENTRANTS),
        min(entrants, MOST_SEATS) if seats is None else seats,
        form,
        aggressiveness,
        duplicates,
        most_hands,
    )


def make_tournament_batch(
    game: Tournament, lineups: Ints, num_rotations: int, *, seed: int, first_tournament: int
) -> TournamentBatch:
    """Return the state of tournaments before the first of them begins, with arrays for their results.

    Parameters
    ----------
    game : Tournament
        The game that is played.
    lineups : ndarray of int64, shape (T, E)
        The E players of each of T tournaments, in the order of the seats.
    num_rotations : int
        How often each tournament is played. Each time the players move on one seat.
    seed : int
        The seed of the cards and of the players' random numbers.
    first_tournament : int
        The index of the first tournament. The random numbers of a tournament depend on its index.

    Returns
    -------
    TournamentBatch
        The state. The kernels of `tournament_rounds` change it in place.
    """
    num_matches = len(lineups) * num_rotations
    num_entrants = lineups.shape[1]
    num_tables = -(-num_entrants // game.num_seats)  # of one tournament at its start
    num_rows, num_slots = choose_numbers_of_rows_and_slots(num_matches, num_tables)
    shape_by_entrant = (num_matches, num_entrants)
    return TournamentBatch(
        levels=game.schedule.encode_levels(),
        hands_a_level=game.schedule.hands_a_level,
        most_hands=MOST_ROUNDS if game.most_hands is None else game.most_hands,
        num_seats=game.num_seats,
        keeps_even=game.form == REFILLED,
        lineups=lineups,
        stacks=np.array(game.stacks),
        deal_key=draw_stream_key(seed, "deal"),
        random_key=draw_stream_key(seed, "luck"),
        first_tournament=first_tournament,
        num_rotations=num_rotations,
        deck=np.empty(NUM_CARDS, np.uint8),
        payoffs=np.zeros(game.num_seats, np.int64),
        num_matches_begun=np.zeros(1, np.int64),
        free_rows=np.append(np.arange(num_rows)[::-1], num_rows),
        match=np.full(num_slots, NO_MATCH),
        num_tables=np.zeros(num_slots, np.int64),
        table_rows=np.zeros((num_slots, num_tables), np.int64),
        entrants=np.zeros((num_rows, game.num_seats), np.int64),
        seats_taken=np.zeros(num_tables, np.int64),
        big_blind_seats=np.zeros(num_tables, np.int64),
        eliminated=np.zeros((2, num_entrants), np.int64),
        ranks=np.full(shape_by_entrant, np.nan),
        chips=np.zeros(shape_by_entrant, np.int64),
        rounds_played=np.zeros(shape_by_entrant, np.int64),
        won=np.zeros(shape_by_entrant, np.int64),
        rounds=np.zeros(num_matches, np.int64),
        hands=np.zeros(num_matches, np.int64),
    )


def choose_numbers_of_rows_and_slots(num_matches: int, num_tables: int) -> tuple[int, int]:
    """Return how many tables and how many tournaments are played at the same time.

    A step of the play costs much even if few tables take part in it. So enough tournaments are played at the same time
    to fill the tables on average, although a tournament loses tables as players are eliminated.

    Parameters
    ----------
    num_matches : int
        The number of tournaments. Each rotation of the seats counts as one.
    num_tables : int
        The number of tables of one tournament at its start.

    Returns
    -------
    num_rows : int
        The number of tables in play at the same time, at least those of one tournament.
    num_slots : int
        The number of tournaments in play at the same time.
    """
    num_rows = max(num_tables, min(TABLES_SIDE_BY_SIDE, num_matches * num_tables))
    if num_tables == 1:
        return num_rows, num_rows
    mean_num_tables = max(TABLES_A_TOURNAMENT, int(SHARE_OF_TABLES * num_tables))
    num_slots = max(1, num_rows // mean_num_tables)
    return num_rows, min(num_matches, num_slots)
