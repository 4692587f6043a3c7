"""Cash games at one table or many, in which seats get fresh stacks for every hand or keep their chips.

A game has a name, a fingerprint and a unit. It is the `game` of a solver, and runs and checkpoints record it and
continue only with the same game. When a hand is over, the kernels of `cash_hands` pay it and deal the next one, or
leave the table empty. The rest of the play is the same for all games at tables, see `pokerlab.holdem.table_play`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    CHIPS,
    Floats,
    Ints,
    SettingError,
    Unit,
)
from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.core.settings import check_kind, validate_bool, validate_integer
from pokerlab.core.workers import (
    run_in_threads,
)
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_structure import MOST_CHIPS, Structure
from pokerlab.holdem.cards import MOST_DEALS, NUM_CARDS, deal_hands
from pokerlab.holdem.cash_hands import (
    CashBatch,
    pay_and_deal_hands,
    pay_and_deal_hands_with_carried_stacks,
)
from pokerlab.holdem.hand import Hand
from pokerlab.holdem.players import Player
from pokerlab.holdem.table_play import (
    Record,
    TableResults,
    Watcher,
    check_players_have_one_seat,
    compute_settings_digest,
    play_hands,
    validate_roster_and_lineups,
    validate_seat_stacks,
)
from pokerlab.holdem.table_view import Tables


@dataclass(frozen=True, eq=False, kw_only=True)
class CashGameResult(TableResults):
    """The result of a cash game.

    Hands are numbered from `first` on, table by table. If stacks are carried, a seat without chips buys in again. The
    chips of a new stack do not count as lost; the numbers of chips won are sums over hands only.

    Attributes
    ----------
    structure : Structure
        The betting structure.
    chips : ndarray of int64, shape (hands, rotations, n)
        The chips that each player of a table with n seats won in each hand and in each rotation of the seats. The
        players are in the order of the table's line-up, or in the order of all players if no line-ups were given.
    stacks_carried : bool
        Whether seats kept their chips from hand to hand, so that all hands of a table in one rotation were one game.
    same_deals : bool
        Whether all tables had the same deals.
    won_from : ndarray of int64 or None, shape (players, players)
        The chips that the player of the row won from the player of the column, minus those that it lost to that player;
        None if they were not counted. The sum of a row is what its player won in all.
    """

    structure: Structure
    chips: Ints
    stacks_carried: bool = False
    same_deals: bool = False
    won_from: Ints | None = None

    @property
    def num_deals(self) -> int:
        """The number of independent deals. If all tables played the same deals, each of these counts once."""
        return self.num_deals_per_table if self.same_deals else len(self.chips)

    @property
    def num_deals_per_table(self) -> int:
        """The number of deals that each table played."""
        return len(self.chips) // len(self.lineups)

    @property
    def hands_played(self) -> Ints:
        """The number of hands that each player played, in all rotations of the seats together.

        It is an array of shape (players,).
        """
        num_rotations = self.chips.shape[1]
        hands: Ints = self.num_seats_by_player * self.num_deals_per_table * num_rotations
        return hands

    @property
    def won(self) -> Ints:
        """The chips that each player won in all hands together, minus those that it lost. The shape is (players,)."""
        num_tables, num_seats = self.lineups.shape
        won_at_tables = self.chips.reshape(num_tables, -1, num_seats).sum(axis=1)
        won = np.zeros(len(self.names), np.int64)
        np.add.at(won, self.lineups, won_at_tables)
        return won

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean number of chips that each player won in a hand, an array of shape (players,).

        It is NaN for a player that did not play.
        """
        hands = self.hands_played
        mean: NDArray[np.float64] = self.won / np.where(hands > 0, hands, np.nan)
        return mean

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard error of each player's mean number of chips won in a hand, an array of shape (players,).

        It is computed over deals, because deals are independent. All hands with the same deal, in all rotations of the
        seats and at all tables, count as one observation. If stacks are carried, the hands of a game depend on each
        other, and each game is one observation. The standard error is NaN for a player with fewer than two
        observations.
        """
        num_tables, num_seats = self.lineups.shape
        # What each seat wins on average in each observation: by table, by deal or game, and by seat.
        won = self.chips.mean(axis=1).reshape(num_tables, self.num_deals_per_table, num_seats)
        if self.stacks_carried:
            won = won.mean(axis=1, keepdims=True)
        mean_of_seat = self.mean[self.lineups]
        deviations = won - mean_of_seat[:, None]
        if self.same_deals:
            return self._compute_error_with_same_deals(deviations)
        return self._compute_error_with_different_deals(deviations)

    def _compute_error_with_different_deals(self, deviations: Floats) -> NDArray[np.float64]:
        """Return the standard error of each player's mean if no two tables have the same deal.

        Each deal at each table is an observation of the players who sit there.

        Parameters
        ----------
        deviations : ndarray of shape (tables, deals, seats)
            For each table, deal and seat the chips that its player won, minus the player's mean.

        Returns
        -------
        ndarray of shape (players,)
            The standard errors, or NaN for a player with fewer than two observations.
        """
        num_observations = self.num_seats_by_player * deviations.shape[1]
        squares = self.sum_by_player((deviations**2).sum(axis=1))
        return compute_standard_error(squares, num_observations)

    def _compute_error_with_same_deals(self, deviations: Floats) -> NDArray[np.float64]:
        """Return the standard error of each player's mean if all tables have the same deals.

        A deal at all tables together is one observation: the mean of the deviations at the player's tables.

        Parameters
        ----------
        deviations : ndarray of shape (tables, deals, seats)
            For each table, deal and seat the chips that its player won, minus the player's mean.

        Returns
        -------
        ndarray of shape (players,)
            The standard errors, or NaN for a player with fewer than two observations.
        """
        # The standard error of the sums over a player's tables; the mean is the sum divided by the number of tables.
        sums_by_deal = [
            self.sum_by_player(deviations_of_deal)
            for deviations_of_deal in deviations.swapaxes(0, 1)
        ]
        squares = (np.array(sums_by_deal) ** 2).sum(axis=0)
        num_deals = deviations.shape[1]
        num_observations = np.where(self.num_seats_by_player > 0, num_deals, 0)
        error_of_sums = compute_standard_error(squares, num_observations)
        return error_of_sums / self.num_seats_by_player

    def convert_to_big_blinds(self, chips: ArrayLike) -> NDArray[np.float64]:
        """Return chips per hand converted to big blinds per 100 hands, the usual unit of winnings.

        Parameters
        ----------
        chips : array_like
            Chips per hand, such as `mean` or `standard_error`.

        Returns
        -------
        ndarray
            The converted numbers, in the shape of `chips`.
        """
        return np.asarray(chips, np.float64) * (100.0 / self.structure.big_blind)

    def __str__(self) -> str:
        """Return a line for each player with its mean winnings and standard error, in big blinds per 100 hands."""
        means = self.convert_to_big_blinds(self.mean)
        errors = self.convert_to_big_blinds(self.standard_error)
        num_rotations = self.chips.shape[1]
        rotations_text = f", each in {num_rotations} rotations" if num_rotations > 1 else ""
        first_line = (
            f"big blinds per 100 hands, {self.num_deals} deals{rotations_text}, seed {self.seed}"
        )
        lines = [
            f"{name}: {mean:+.1f} ± {error:.1f}"
            for name, mean, error in zip(self.names, means, errors, strict=True)
        ]
        return "\n".join([first_line, *lines])

    def find_starting_stacks(self, number: int, rotation: int = 0) -> tuple[int, ...]:
        """Return the chips of each seat at the beginning of a hand.

        Parameters
        ----------
        number : int
            The number of the hand. Hands are numbered from `first` on, table by table.
        rotation : int
            The rotation in which the hand was played, from 0 on. In rotation r each player sits r seats to the left.

        Returns
        -------
        tuple of int
            The chips in the order of the seats, before antes and blinds.

        Raises
        ------
        SettingError
            If the hand or the rotation was not played.
        """
        num_rotations = self.chips.shape[1]
        last_deal = self.first + len(self.chips) - 1
        if not self.first <= number <= last_deal or not 0 <= rotation < num_rotations:
            raise SettingError(
                f"deal {number}, rotation {rotation} was not played; there are deals {self.first} to"
                f" {last_deal}, rotations 0 to {num_rotations - 1}."
            )
        if not self.stacks_carried:
            return self.stacks

        # Add the winnings in the earlier hands of the same table. A player without chips buys in again.
        hand = number - self.first
        first_hand_of_table = hand - hand % self.num_deals_per_table
        stacks = np.array(self.stacks)
        for won in self.chips[first_hand_of_table:hand, rotation]:
            stacks += np.roll(won, rotation)  # from the order of the line-up to that of the seats
            stacks = np.where(stacks > 0, stacks, self.stacks)
        return tuple(stacks.tolist())

    def replay_hand(self, number: int, rotation: int = 0) -> Hand:
        """Return a hand as it was played, with all its actions.

        Parameters
        ----------
        number : int
            The number of the hand. Hands are numbered from `first` on, table by table.
        rotation : int
            The rotation in which the hand was played, from 0 on. In rotation r each player sits r seats to the left.

        Returns
        -------
        Hand
            The hand after its last action.

        Raises
        ------
        SettingError
            If the hand or the rotation was not played, or if the game was played without recording its actions.
        """
        record = self.get_record()
        num_rotations = self.chips.shape[1]
        stacks = self.find_starting_stacks(number, rotation)
        table, hand_of_table = divmod(number - self.first, self.num_deals_per_table)

        # If all tables have the same deals, they are those of the first table. Otherwise each hand has its own deal.
        deal = self.first + hand_of_table if self.same_deals else number
        cards = deal_hands(self.seed, 1, len(stacks), first=deal)[0]
        button = deal % len(stacks)
        hand = Hand.begin(self.structure, stacks, button, cards, number=number)

        match = table * num_rotations + rotation
        for action in record.find_actions(match, number):
            hand = hand.after(action)
        return hand


SIDE_BY_SIDE = 512
"""The number of tables that are played at the same time: enough to ask players for many decisions in one call, and few
enough that the tables fit in the cache of a processor core."""


def compute_standard_error(sums_of_squares: Floats, counts: Ints) -> Floats:
    """Return standard errors of means, each from the sum of the squared deviations of its independent observations.

    The standard error of the mean of n observations is the root of the sum of squares divided by n (n - 1).

    Parameters
    ----------
    sums_of_squares : ndarray of shape (N,)
        For each of N means, the sum of the squared deviations of its observations.
    counts : ndarray of int64, shape (N,)
        The number n of observations of each mean.

    Returns
    -------
    ndarray of shape (N,)
        The standard errors. They are NaN where n is less than 2.

    Examples
    --------
    >>> compute_standard_error(np.array([2.0]), np.array([2])).tolist()  # observations -1 and 1
    [1.0]
    """
    scale = np.where(counts > 1, counts * (counts - 1.0), np.nan)
    return np.asarray(np.sqrt(sums_of_squares / scale))


@dataclass(frozen=True)
class RingGame:
    """A cash game, in which seats get fresh stacks for every hand or keep their chips; made by `ring_game`.

    Attributes
    ----------
    structure : Structure
        The betting structure.
    stacks : tuple of int
        The chips of each seat at the start of every hand, or at the start of a game if stacks are carried.
    stacks_carried : bool
        Whether seats keep their chips from hand to hand.
    duplicates : bool
        Whether each deal is played once in each rotation of the seats.
    same_deals : bool
        Whether all tables play the same deals.
    won_from : bool
        Whether to count the chips that each player wins from each other player.
    unit : Unit
        The unit of results, chips.
    """

    structure: Structure
    stacks: tuple[int, ...]
    stacks_carried: bool = False
    duplicates: bool = False
    same_deals: bool = False
    won_from: bool = False
    unit: Unit = field(default=CHIPS, init=False)

    def __post_init__(self) -> None:
        """Check all settings, and convert the stacks to a tuple of int.

        Raises
        ------
        SettingError
            If a setting has the wrong type, or the stacks are not those of 2 to 10 seats with chips.
        """
        check_kind("structure", self.structure, Structure, "a Structure, such as no_limit(1, 2)")
        for name in ("stacks_carried", "duplicates", "same_deals", "won_from"):
            validate_bool(name, getattr(self, name))
        object.__setattr__(self, "stacks", validate_seat_stacks(len(self.stacks), self.stacks))

    def default_pairings(self) -> Any:
        """Return the pairings that evolution uses for this game by default, which are `RingGames`.

        Pairings say which players of a generation sit at which table.
        """
        # Imported here, because `pairings` imports this module.
        from pokerlab.holdem import RingGames

        return RingGames()

    @property
    def num_seats(self) -> int:
        """The number of seats of a table."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """The name of the game, such as "limit hold'em 1/2 with 3 seats"."""
        blinds = f"{self.structure.small_blind}/{self.structure.big_blind}"
        options = "".join(f", {option}" for option in self._list_options("stacks carried"))
        return f"{self.structure.kind} hold'em {blinds} with {self.num_seats} seats{options}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that influences the results, a text of 16 hexadecimal digits.

        Equal games have equal fingerprints. Runs and checkpoints contain them.
        """
        return compute_settings_digest(self.structure, self.stacks, *self._list_options("carried"))

    def _list_options(self, carried_stacks_text: str) -> list[str]:
        """Return the names of the options that are switched on.

        Parameters
        ----------
        carried_stacks_text : str
            The name of the option `stacks_carried`. The name of the game and its fingerprint use different ones.

        Returns
        -------
        list of str
            The names, in a fixed order. The list is empty if no option is switched on. The option `won_from` is not
            listed, because it changes nothing in the hands.
        """
        is_chosen = {
            carried_stacks_text: self.stacks_carried,
            "duplicates": self.duplicates,
            "same deals": self.same_deals,
        }
        return [option for option, option_is_chosen in is_chosen.items() if option_is_chosen]

    @property
    def num_rotations(self) -> int:
        """The number of rotations of the seats in which each deal is played: all, or only one."""
        return self.num_seats if self.duplicates else 1

    def play(
        self,
        players: Sequence[Player],
        num_deals: int,
        *,
        seed: int,
        lineups: ArrayLike | None = None,
        first: int = 0,
        record: bool = False,
        watchers: Sequence[Watcher] = (),
        workers: int = 1,
    ) -> CashGameResult:
        """Play hands at one table or many, and return the result.

        The button moves to the next seat with every deal. In rotation r of the seats each player sits r seats to the
        left of its seat in the line-up. Without duplicates there is only rotation 0.

        Parameters
        ----------
        players : sequence of Player
            All players that may take part. A function that returns an action for a `SeatView` is a player.
        num_deals : int
            The number of deals that each table plays. The hands of all tables and rotations together are 1 to 10**8.
        seed : int
            The seed of the cards and of the players' random numbers.
        lineups : array_like of int, shape (T, n), optional
            The indices of n different players for each of T tables, in the order of the n seats in the first rotation.
            By default there is one table, and player p sits in seat p.
        first : int
            The index of the first deal. For example, a call with deals 0 to 99 and a call with deals 100 to 199 play
            the same hands as one call with deals 0 to 199. If stacks are carried this is not so, because each call
            begins new games. The deals of each further table follow those of the table before.
        record : bool
            Whether to record all actions, so that hands can be replayed.
        watchers : sequence of callable
            Functions that are called in each step before the actions are applied, with the tables in play and with the
            indices of the tables at which a seat has acted.
        workers : int
            The number of threads, 1 to 256, that share the deals, or the tables if stacks are carried. Use more than
            one only if players and watchers are compiled, or may safely be called at the same time. The results do not
            depend on this number.

        Returns
        -------
        CashGameResult
            The chips that each player won in each hand, the numbers of actions, and the recorded actions if `record` is
            True.

        Raises
        ------
        IllegalActionError
            If a player chooses an action that is not legal.
        SettingError
            If players and line-ups do not fit the game, there are too many hands, or carried stacks could grow too
            large.

        Notes
        -----
        Many hands are played at the same time, in no fixed order. A player that remembers something from one decision
        to the next must therefore store it by `SeatView.hand_number`.
        """
        roster, validated_lineups = validate_roster_and_lineups(
            players, lineups, self.num_seats, first_number=first, workers=workers
        )
        check_players_have_one_seat(validated_lineups)
        self._check_num_deals(num_deals, len(validated_lineups))

        # Threads share whole games. If stacks are carried, a game is all hands of a table; otherwise it is one hand.
        hands_per_game = num_deals if self.stacks_carried else 1
        num_games = len(validated_lineups) * num_deals // hands_per_game
        size_of_won_from = len(roster) if self.won_from else 0
        pay_and_deal = (
            pay_and_deal_hands_with_carried_stacks if self.stacks_carried else pay_and_deal_hands
        )

        def play_games(begin: int, end: int) -> tuple[CashBatch, Ints, Record | None]:
            """Play the games `begin` to `end` - 1; return their batch with its results, action counts, and record."""
            num_tables = min(SIDE_BY_SIDE, (end - begin) * self.num_rotations)
            tables = self._make_empty_tables(num_tables)
            first_hand = begin * hands_per_game
            num_hands = (end - begin) * hands_per_game
            first_table, first_deal_of_table = divmod(first_hand, num_deals)
            batch = CashBatch(
                lineups=validated_lineups,
                stacks=np.array(self.stacks),
                num_deals=num_deals,
                same_deals=self.same_deals,
                deal_key=draw_stream_key(seed, "deal"),
                random_key=draw_stream_key(seed, "luck"),
                first_deal=first,
                num_skipped_hands=first_hand,
                next_hand_indices=np.array([first_hand, first_table, first_deal_of_table, 0]),
                deck=np.empty(NUM_CARDS, np.uint8),
                chips=np.zeros((num_hands, self.num_rotations, self.num_seats), np.int64),
                won_from=np.zeros((size_of_won_from, size_of_won_from), np.int64),
            )
            deal_next = partial(pay_and_deal, tables, batch)
            actions, hand_record = play_hands(tables, roster, deal_next, watchers, record=record)
            return batch, actions, hand_record

        results_by_thread = run_in_threads(play_games, 0, num_games, workers=workers)
        batches, actions, records = zip(*results_by_thread, strict=True)
        won_from = np.sum([batch.won_from for batch in batches], axis=0)
        return CashGameResult(
            structure=self.structure,
            names=tuple(player.name for player in roster.players),
            stacks=self.stacks,
            seed=seed,
            first=first,
            lineups=validated_lineups,
            chips=np.concatenate([batch.chips for batch in batches]),
            stacks_carried=self.stacks_carried,
            same_deals=self.same_deals,
            won_from=won_from if self.won_from else None,
            actions=np.sum(actions, axis=0),
            record=Record.merge_records(records) if record else None,
        )

    def _check_num_deals(self, num_deals: int, num_tables: int) -> None:
        """Check that a call does not play too many hands, and that carried stacks cannot grow too large.

        Parameters
        ----------
        num_deals : int
            The number of deals of each table.
        num_tables : int
            The number of tables.

        Raises
        ------
        SettingError
            If a limit is exceeded.
        """
        num_hands = num_tables * validate_integer("num_deals", num_deals, 1, MOST_DEALS)
        num_hands_in_rotations = num_hands * self.num_rotations
        if num_hands_in_rotations > MOST_DEALS:
            raise SettingError(
                f"num_deals is {num_deals:,}, which makes {num_hands_in_rotations:,} hands; a call plays at"
                f" most {MOST_DEALS:,}. Divide them among several calls."
            )
        most_chips = sum(self.stacks) * num_deals
        if self.stacks_carried and most_chips > MOST_CHIPS:
            raise SettingError(
                f"stacks carried through {num_deals:,} hands could bring {most_chips:,} chips to a"
                f" table; at most {MOST_CHIPS:,} are allowed. Play fewer hands a table, or with smaller stacks."
            )

    def _make_empty_tables(self, num_tables: int) -> Tables:
        """Return tables with the game's betting structure, seats and stacks, at which no hand has begun.

        Parameters
        ----------
        num_tables : int
            The number of tables that are played at the same time.

        Returns
        -------
        Tables
            New arrays with a row for each table.
        """
        tables = Tables.allocate(num_tables)
        first_stack = betting_engine.STARTING_STACKS
        structure = betting_engine.encode_structure(self.structure)
        tables.hands[:, : betting_engine.SEATS] = structure  # its entries are those before SEATS
        tables.hands[:, betting_engine.SEATS] = self.num_seats
        tables.hands[:, first_stack : first_stack + self.num_seats] = self.stacks
        return tables


def ring_game(
    structure: Structure,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
    *,
    stacks_carried: bool = False,
    duplicates: bool = False,
    same_deals: bool = False,
    won_from: bool = False,
) -> RingGame:
    """Return a cash game of hold'em with a given betting structure.

    It does not record how its players bet, so the aggressiveness that a `TableNetwork` sees is 0 here.

    Parameters
    ----------
    structure : Structure
        The betting structure, from `limit` or `no_limit`.
    seats : int
        The number of seats of a table, 2 to 10.
    stacks : int or sequence of int
        The chips of every seat, or a number for each seat, at the start of every hand. If stacks are carried, these are
        the chips at the start of a game.
    stacks_carried : bool
        Whether all hands of a table are one game, in which the seats keep their chips by the rule of table stakes. No
        player takes chips off the table, or buys any during a hand. A player with less than the big blind plays on, and
        is all-in with what it has. A player without chips buys in again, for as much as at the start. With duplicates
        each rotation of the seats is a game of its own.
    duplicates : bool
        Whether each deal is played once in each rotation of the seats, so that every player gets every pair of hole
        cards once. The random numbers of the players are the same in all rotations, so that the difference between two
        players with the same strategy is exactly zero.
    same_deals : bool
        Whether all tables play the same deals, with the same random numbers. By default each table has its own deals.
    won_from : bool
        Whether to count how many chips each player wins from each other player. The result is
        `CashGameResult.won_from`.

    Returns
    -------
    RingGame
        The game. Its method `play` plays it.

    Raises
    ------
    SettingError
        If a setting has the wrong type or is out of range.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM, limit
    >>> game = ring_game(limit(2), seats=3, stacks=200)
    >>> game.name, str(game.unit)
    ("limit hold'em 1/2 with 3 seats", 'chips')
    >>> lineups = [[0, 1, 2], [3, 2, 0]]
    >>> game.play([RANDOM, ALWAYS_CALL] * 2, 50, seed=1, lineups=lineups).hands_played.tolist()
    [100, 50, 100, 50]
    >>> duel = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> played = duel.play([ALWAYS_CALL, ALWAYS_RAISE], 50, seed=1)
    >>> played.chips.shape, int(played.chips.sum())
    ((50, 2, 2), 0)
    """
    return RingGame(
        structure,
        validate_seat_stacks(seats, stacks),
        stacks_carried,
        duplicates,
        same_deals,
        won_from,
    )


def play_round_robin(
    game: RingGame, players: Sequence[Player], num_deals: int, *, seed: int
) -> tuple[Floats, Floats]:
    """Return what each player wins from each other player in a round robin at tables of two seats.

    All pairs play the same deals, which makes the pairs easier to compare. If the game plays each deal in both seats
    (`duplicates=True`), the effect of the cards also cancels within a pair. `metrics.rate_players` computes ratings
    from the returned arrays.

    Parameters
    ----------
    game : RingGame
        A game with two seats.
    players : sequence of Player, length N
        The N players of the round robin.
    num_deals : int
        The number of deals for each pair.
    seed : int
        The seed of the cards and of the players' random numbers.

    Returns
    -------
    won : ndarray of shape (N, N)
        What the player of the row wins from the player of the column, in thousandths of a big blind a hand.
    errors : ndarray of shape (N, N)
        The standard errors of these numbers; the diagonal is zero. After a single deal they are NaN.

    Raises
    ------
    IllegalActionError
        If a player chooses an action that is not legal.
    SettingError
        If the game does not have two seats, there are fewer than two players, or a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, limit
    >>> game = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> won, errors = play_round_robin(game, [ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE], 10, seed=1)
    >>> float(won[2, 1]), float(errors[2, 1])  # half a big blind in one seat, a whole one in the other
    (750.0, 0.0)
    """
    check_kind(
        "game", game, RingGame, "a game with two seats, such as ring_game(limit(2), seats=2)"
    )
    check_kind("players", players, Sequence, "a list of players, such as [ALWAYS_CALL, RANDOM]")
    if len(players) < 2:
        raise SettingError(f"there are {len(players)} players; give at least two.")
    pairs = np.array([*combinations(range(len(players)), 2)])
    game_of_same_deals = replace(game, same_deals=True)
    result = game_of_same_deals.play(players, num_deals, seed=seed, lineups=pairs)

    # What the first player of each pair wins by each deal, on average over the rotations of the seats.
    chips = result.chips[..., 0].mean(axis=1).reshape(len(pairs), -1)
    winnings = chips * (1000.0 / game.structure.big_blind)

    won, errors = np.zeros((2, len(players), len(players)))
    upper_triangle = tuple(pairs.T)
    won[upper_triangle] = winnings.mean(axis=1)
    errors[upper_triangle] = winnings.std(axis=1, ddof=1) / np.sqrt(num_deals)
    return won - won.T, errors + errors.T
