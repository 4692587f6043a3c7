"""Pairings of two strategies at a time, in contests and two-player games: all pairs, or random opponents for each.

Pairings decide which strategies of a population play against each other in a generation, and return their results. Each
strategy is given as a genome. In a compiled game the expected payoffs of a pair, on average over both seats, are
computed exactly, and so are the payoffs in a symmetric game. In a contest each pair plays, with a seed of its own. The
results count each pairing as one hand.

Pairings of your own follow the protocol `Pairings` in `pokerlab.evolution.population.protocol`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import (
    Floats,
    GameError,
    Ints,
    SettingError,
    kernel,
    random_stream,
    validate_integer,
)
from pokerlab.core.errors import describe_by_name
from pokerlab.core.old_names import reject_renamed_methods
from pokerlab.core.settings import has_method
from pokerlab.core.workers import WorkDivider, run_in_this_thread
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION, Genomes, Results
from pokerlab.games import SequenceForm
from pokerlab.games.contests import SMALLEST_DIFFERENCE, Contest
from pokerlab.games.rules import classify_payoff_sum
from pokerlab.games.tree_passes import compute_plans_of_profiles

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_SAMPLES, MOST_PAIRINGS = 10**6, 10**8
NUM_TRIED_GENOMES = 8  # random genomes with which an encoding is tried out
PAIRINGS_AT_ONCE = 2**18
"""The number of pairings that are listed at a time, because a list of all pairs would take more memory than results."""
RESOLUTION = 2.0**-40
"""Payoffs of compiled games are rounded to multiples of this share of the largest payoff.

So errors of floating-point arithmetic break no ties.
"""


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """Pairings in which each strategy plays against every other strategy.

    Parameters
    ----------
    samples : int
        The number of times that each pair plays a contest in a generation, 1 to 10**6, each time with another seed. In
        games whose payoffs are computed, each pair plays once.

    Attributes
    ----------
    counts : tuple of str
        The results from which a fitness function can be computed: what each strategy won from each other one.
    winnings : type
        The number type of winnings.
    """

    samples: int = 1
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        """Raise a SettingError if `samples` is outside its range."""
        validate_integer("samples", self.samples, 1, MOST_SAMPLES)

    def check_game(self, game: Any, fewest: int, most: int) -> None:
        """Raise an error if pairs of strategies cannot play a game, or if there would be too many pairs.

        Parameters
        ----------
        game : object
            The game or contest.
        fewest, most : int
            The smallest and the largest number of strategies that play in a generation. The smallest is not used.

        Raises
        ------
        GameError
            If the game is neither a contest nor a two-player game whose payoffs have a constant sum.
        SettingError
            If there would be more than 10**8 pairings in a generation.
        """
        check_two_player_game(game)
        num_pairs = most * (most - 1) // 2
        check_num_pairings(num_pairs * self.count_samples(game))

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise a GameError if genomes of an encoding are not strategies of the game."""
        check_encoding_fits(game, encoding)

    def count_samples(self, game: Any) -> int:
        """Return how often each pair plays in a generation: `samples` times in a contest, and once in other games."""
        return self.samples if isinstance(game, Contest) else 1

    def __call__(
        self,
        game: Any,
        encoding: Any,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        work_divider: WorkDivider = run_in_this_thread,
    ) -> Results:
        """Let each strategy play against every other strategy, and return the results.

        Parameters
        ----------
        game : object
            A contest, a compiled game, or a symmetric game.
        encoding : object
            The encoding, which maps genomes to strategies.
        genomes : array of shape (M, G)
            The genomes of all M players, of G genes each.
        seed, generation : int
            The seed and the generation, which determine all random numbers.
        work_divider : WorkDivider
            A function that divides the pairings of a contest among workers. Results do not depend on it.
        """
        generator = random_stream(seed, "meetings", generation)
        blocks = iterate_all_pairs(len(genomes), self.count_samples(game), generator)
        return compute_pairing_results(game, encoding, genomes, blocks, work_divider)


@dataclass(frozen=True, kw_only=True)
class SampledOpponents:
    """Pairings in which each strategy plays against random opponents, which are drawn again in each generation.

    A strategy also plays against all strategies that have drawn it as an opponent.

    Parameters
    ----------
    opponents : int
        The number of different opponents that are drawn for each strategy, from 1 to the number of other strategies.

    Attributes
    ----------
    counts, winnings
        As for `AllPairs`.
    """

    opponents: int
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        """Raise a SettingError if `opponents` is outside its range."""
        validate_integer("opponents", self.opponents, 1, MOST_SAMPLES)

    def check_game(self, game: Any, fewest: int, most: int) -> None:
        """Raise an error if the strategies of a generation cannot play a game in pairs, or are too few.

        Parameters
        ----------
        game : object
            The game or contest.
        fewest, most : int
            The smallest and the largest number of strategies that play in a generation.

        Raises
        ------
        GameError
            If the game is neither a contest nor a two-player game whose payoffs have a constant sum.
        SettingError
            If a strategy can have fewer than `opponents` opponents, or if there would be more than 10**8 pairings in a
            generation.
        """
        check_two_player_game(game)
        if fewest <= self.opponents:
            raise SettingError(
                f"each strategy is to play {self.opponents} others, but there are only {fewest} strategies. Pass at"
                f" most {fewest - 1} opponents."
            )
        check_num_pairings(most * self.opponents)

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise a GameError if genomes of an encoding are not strategies of the game."""
        check_encoding_fits(game, encoding)

    def __call__(
        self,
        game: Any,
        encoding: Any,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        work_divider: WorkDivider = run_in_this_thread,
    ) -> Results:
        """Let each strategy play against its random opponents, and return the results.

        Parameters
        ----------
        game : object
            A contest, a compiled game, or a symmetric game.
        encoding : object
            The encoding, which maps genomes to strategies.
        genomes : array of shape (M, G)
            The genomes of all M players, of G genes each.
        seed, generation : int
            The seed and the generation, which determine all random numbers.
        work_divider : WorkDivider
            A function that divides the pairings of a contest among workers. Results do not depend on it.
        """
        count = len(genomes)

        # The opponents of a strategy are those with the smallest random numbers in its row.
        random_numbers = random_stream(seed, "opponents", generation).random((count, count))
        np.fill_diagonal(random_numbers, 2.0)  # above all others, so that no strategy draws itself
        drawn_opponents = np.argsort(random_numbers, axis=1)[:, : self.opponents]

        first = np.repeat(np.arange(count), self.opponents)
        second = drawn_opponents.ravel()
        seeds = random_stream(seed, "meetings", generation).integers(0, 2**62, first.size)
        return compute_pairing_results(
            game, encoding, genomes, [(first, second, seeds)], work_divider
        )


def iterate_all_pairs(
    count: int, samples: int, generator: np.random.Generator
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield all pairs of players in blocks, with a seed for each time that a pair plays.

    A list of all pairs at once could take more memory than the results.

    Parameters
    ----------
    count : int
        The number of players.
    samples : int
        The number of times that each pair plays, one after the other.
    generator : Generator
        The source of the seeds, which do not depend on the size of a block.

    Yields
    ------
    first, second, seeds : array of shape (K,)
        For each of K pairings of a block, the index of the first player, the index of the second player, and the seed.
    """
    num_pairs = count * (count - 1) // 2
    block_size = max(1, PAIRINGS_AT_ONCE // samples)  # in pairs
    for low in range(0, num_pairs, block_size):
        high = min(low + block_size, num_pairs)
        first, second = list_pairs(count, low, high, samples)
        yield first, second, generator.integers(0, 2**62, first.size)


@lru_cache(maxsize=1)
def list_pairs(count: int, low: int, high: int, samples: int) -> tuple[Ints, Ints]:
    """Return the two players of each pair in a part of the list of all pairs.

    All pairs have the order (0, 1), (0, 2), ..., (1, 2), (1, 3), ... The last result is cached, because a population of
    usual size has the same single block of pairs in all generations.

    Parameters
    ----------
    count : int
        The number of players.
    low, high : int
        The pairs from `low` to `high` - 1 in this order are returned.
    samples : int
        The number of times that each pair occurs, one after the other.

    Returns
    -------
    first, second : array of shape ((high - low) samples,)
        The index of each player of each pair.

    Examples
    --------
    >>> first, second = list_pairs(3, 0, 3, samples=1)
    >>> first.tolist(), second.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    # The position of the first pair of each player, before which are the pairs of all earlier players: count - 1,
    # count - 2, ... of them.
    players = np.arange(count)
    first_pairs = players * (2 * count - players - 1) // 2

    # How many of the wanted pairs have each player as the first one.
    first_wanted_pairs = np.clip(first_pairs, low, high)
    num_pairs = np.diff(first_wanted_pairs, append=high)

    # The first pair of a player is with the next player, the second pair with the one after that, and so on.
    first = np.repeat(players, num_pairs)
    second = np.arange(low, high) - np.repeat(first_pairs - players - 1, num_pairs)
    return np.repeat(first, samples), np.repeat(second, samples)


def compute_pairing_results(
    game: Any,
    encoding: Any,
    genomes: Genomes,
    blocks: Iterable[tuple[Ints, Ints, Ints]],
    work_divider: WorkDivider,
) -> Results:
    """Return the results of pairings of two players.

    A contest is played, each pairing with its seed. In a compiled or a symmetric game nothing is drawn. There the
    result of a pairing is the expected payoff.

    Parameters
    ----------
    game : object
        A contest, a compiled game, or a symmetric game.
    encoding : object
        The encoding, which maps genomes to strategies.
    genomes : array of shape (M, G)
        The genomes of all M players, of G genes each.
    blocks : iterable of tuples of three arrays of shape (K,)
        For each of K pairings of a block, the index of the first player, the index of the second player, and the seed.
    work_divider : WorkDivider
        A function that divides the pairings of a contest among workers.

    Returns
    -------
    Results
        The results of all players, where a pairing counts as one hand. Fields that only hands of poker have, such as
        actions, are zero or empty.
    """
    num_players = len(genomes)
    won_from = np.zeros((num_players, num_players))

    # There are at most 10**8 pairings, so 32 bits are enough.
    shared_hands: NDArray[Any] = np.zeros((num_players, num_players), np.int32)
    hands_won = np.zeros(num_players, np.int64)
    payoffs = None if isinstance(game, Contest) else GenomePayoffs(game, encoding, genomes)
    num_hands = 0
    for first, second, seeds in blocks:
        if payoffs is None:
            winnings = play_contest_pairings(game, genomes, first, second, seeds, work_divider)
        else:
            winnings = payoffs.compute_payoffs(first, second)
        add_pairing_results(first, second, winnings, won_from, shared_hands, hands_won)
        num_hands += first.size

    return Results(
        num_hands=num_hands,
        profit=won_from.sum(axis=1),
        hands=shared_hands.sum(axis=1),
        hands_won=hands_won,
        actions=np.zeros((num_players, len(KINDS_OF_ACTION)), np.int64),
        ranks=np.zeros((0, num_players)),
        won_from=won_from,
        won_in_shared_games=np.zeros((0, 0)),
        shared_hands=shared_hands,
    )


def play_contest_pairings(
    game: Contest,
    genomes: Genomes,
    first: Ints,
    second: Ints,
    seeds: Ints,
    work_divider: WorkDivider,
) -> Floats:
    """Let pairs of players play a contest, and return what the first player of each pair wins from the second.

    Parameters
    ----------
    game : Contest
        The contest that is played.
    genomes : array of shape (M, G)
        The genomes of all M players, of G genes each.
    first, second, seeds : array of shape (K,)
        For each of K pairings, the indices of the two players, and the seed.
    work_divider : WorkDivider
        A function that divides the pairings among workers.

    Returns
    -------
    array of shape (K,)
        The winnings, in the unit of the contest.
    """
    # The genomes are given twice, because both players of a pairing come from the same population.
    game.check_pairings(genomes, genomes, first, second, seeds)

    def play_part(low: int, high: int) -> Floats:
        """Return the winnings in the pairings from `low` to `high` - 1."""
        part = slice(low, high)
        winnings: Floats = game.play_pairings(
            genomes, genomes, first[part], second[part], seeds[part]
        )
        return winnings

    return np.concatenate(work_divider(play_part, 0, first.size))


@kernel
def add_pairing_results(
    first: Ints,
    second: Ints,
    winnings: Floats,
    won_from: Floats,
    shared_hands: Ints,
    hands_won: Ints,
) -> None:
    """Add the results of pairings to the matrices and counts of all players, in place.

    A result that is zero up to rounding is a draw, which neither player wins.

    Parameters
    ----------
    first, second : array of shape (K,)
        The indices of the two players of each of K pairings.
    winnings : array of shape (K,)
        The amount that the first player won from the second.
    won_from : array of shape (M, M)
        The amount that the row's player won from the column's player, to which the winnings are added.
    shared_hands : array of shape (M, M)
        The number of pairings of the row's player with the column's player, which is increased.
    hands_won : array of shape (M,)
        The number of pairings that each player won, which is increased.
    """
    for pairing in range(winnings.size):
        player, opponent = first[pairing], second[pairing]
        won_from[player, opponent] += winnings[pairing]
        won_from[opponent, player] -= winnings[pairing]
        shared_hands[player, opponent] += 1
        shared_hands[opponent, player] += 1
        hands_won[player] += winnings[pairing] > SMALLEST_DIFFERENCE
        hands_won[opponent] += winnings[pairing] < -SMALLEST_DIFFERENCE


def check_two_player_game(game: Any) -> None:
    """Raise a GameError if pairs of strategies cannot play a game.

    They can play contests, symmetric games, and compiled two-player games whose payoffs have a constant sum.
    """
    name = describe_by_name(game)
    if isinstance(game, SequenceForm):
        if game.num_players != 2 or game.payoff_sum is None:
            raise GameError(
                f"pairs play zero-sum games for two; {name} is a {classify_payoff_sum(game.payoff_sum)} game for"
                f" {game.num_players}."
            )
        return

    is_symmetric_game = has_method(game, "draw_mutant")  # only symmetric games have this method
    if not isinstance(game, Contest) and not is_symmetric_game:
        raise GameError(
            f"pairs cannot play {name}. Pass games.contest(play, ...), a compiled game for two, such as"
            " games.kuhn(), or a symmetric one, such as games.intransitive_numbers(). Ring games and tournaments"
            " need RingGames() and Tournaments()."
        )


def check_num_pairings(count: int) -> None:
    """Raise a SettingError if the number of pairings in a generation is above 10**8, which would take too long."""
    if count > MOST_PAIRINGS:
        raise SettingError(
            f"a generation would have {count:,} pairings; at most {MOST_PAIRINGS:,} are allowed. Lower the"
            " population or the samples, or pass pairings=SampledOpponents(opponents=...)."
        )


def check_encoding_fits(game: Any, encoding: Any) -> None:
    """Raise a GameError if genomes of an encoding are not strategies of the game.

    A contest accepts any genomes.

    Parameters
    ----------
    game : object
        A contest, a compiled game, or a symmetric game.
    encoding : object
        The encoding.

    Raises
    ------
    GameError
        If the encoding is for another game, if it has another number of genes, or if its genes are not whole numbers
        although strategies of the game are.
    """
    if isinstance(game, SequenceForm):
        game_of_encoding = getattr(encoding, "game", None)
        is_for_game = getattr(game_of_encoding, "fingerprint", "") == game.fingerprint
        reject_renamed_methods("encoding", encoding, ("compute_behaviors",))
        if not hasattr(encoding, "compute_behaviors") or not is_for_game:
            raise GameError(
                f"encoding {encoding!r} does not fit {game.name}. Pass an encoding of that game, such as"
                " strategies.DirectEncoding(game)."
            )
    elif not isinstance(game, Contest):
        try_out_genomes(game, encoding)


def try_out_genomes(game: Any, encoding: Any) -> None:
    """Raise an error if some genomes of an encoding are not strategies of a symmetric game.

    Parameters
    ----------
    game : object
        The symmetric game.
    encoding : object
        The encoding. Some random genomes are tried, and two whose genes are all the lowest or all the highest.

    Raises
    ------
    GameError
        If genomes have another length than strategies, or are not whole numbers although strategies are. Further errors
        are those that the game raises about strategies.
    """
    strategy_length = game.default_start.size
    if encoding.num_genes != strategy_length:
        raise GameError(
            f"a strategy of {game.name} has {strategy_length} numbers, but a genome of {encoding!r} has"
            f" {encoding.num_genes}. Pass an encoding of {strategy_length} genes."
        )

    generator = random_stream(0, "genomes that try out a game")
    random_genomes = encoding.draw_genomes(generator, NUM_TRIED_GENOMES)
    # An encoding without bounds has a random genome in their place.
    lowest = np.full(strategy_length, getattr(encoding, "low", random_genomes[0]))
    highest = np.full(strategy_length, getattr(encoding, "high", random_genomes[0]))
    validate_genomes_as_strategies(game, np.vstack([random_genomes, lowest, highest]))


def validate_genomes_as_strategies(game: Any, genomes: Genomes) -> Genomes:
    """Return genomes in the number type of the strategies of a symmetric game, after checking them.

    Parameters
    ----------
    game : object
        The symmetric game, whose strategies are vectors of numbers.
    genomes : array of shape (M, G)
        The genomes, one in each row.

    Returns
    -------
    array of shape (M, G)
        The strategies.

    Raises
    ------
    GameError
        If strategies are whole numbers, but the genomes are not. Further errors are those that the game raises about
        strategies.
    """
    strategies = genomes.astype(game.default_start.dtype)
    if (strategies != genomes).any():
        raise GameError(
            f"strategies of {game.name} are whole numbers, but the genomes are not. Pass strategies.Integers or"
            " BitString."
        )
    return np.asarray(game.validate_strategies(strategies))


class GenomePayoffs:
    """The expected payoffs of genomes against each other, averaged over both seats.

    In a constant-sum game half of the sum is subtracted from each payoff. The payoffs of all M genomes of a population
    of usual size are computed at once. For a larger population the payoffs of some pairs are computed at a time,
    because a matrix of all payoffs would take more memory than the results, several times over.

    Parameters
    ----------
    game : SequenceForm or symmetric game
        The game that is played.
    encoding : object
        The encoding, which maps genomes to strategies.
    genomes : array of shape (M, G)
        The genomes of all M players, of G genes each.
    """

    def __init__(self, game: Any, encoding: Any, genomes: Genomes) -> None:
        """Compute the strategies of all genomes and, for a population of usual size, the payoffs of all pairs."""
        self.game: Any = game
        self.rounding_unit: float | None = None  # payoffs of symmetric games are not rounded
        if isinstance(game, SequenceForm):
            behaviors = encoding.compute_behaviors(genomes)
            self.strategies = compute_plans_of_profiles(game.block, behaviors)
            self.gradients = self.strategies @ make_sequence_form_payoffs(game)
            self.rounding_unit = RESOLUTION * float(np.abs(game.utility_range).max())
        else:
            self.strategies = validate_genomes_as_strategies(game, genomes)

        is_small = len(genomes) ** 2 <= 2 * PAIRINGS_AT_ONCE
        all_genomes = slice(0, len(genomes))
        self.all_payoffs = self.compute_payoff_block(all_genomes, all_genomes) if is_small else None

    def compute_payoffs(self, first: Ints, second: Ints) -> Floats:
        """Return the payoff of the first genome of each pair against the second genome.

        Parameters
        ----------
        first, second : array of int, shape (K,)
            The indices of the two genomes of each of K pairs.

        Returns
        -------
        array of shape (K,)
            The payoffs, averaged over both seats.
        """
        if self.all_payoffs is not None:
            return np.asarray(self.all_payoffs[first, second])

        # Compute the smallest block of the matrix of payoffs that has all these pairs.
        rows = slice(first.min(), first.max() + 1)
        columns = slice(second.min(), second.max() + 1)
        payoffs = self.compute_payoff_block(rows, columns)
        return np.asarray(payoffs[first - rows.start, second - columns.start])

    def compute_payoff_block(self, rows: slice, columns: slice) -> Floats:
        """Return a block of the matrix of payoffs of all genomes against each other.

        In a compiled game the payoff in the first seat is x U y, where x and y are the realization plans of the row and
        of the column in both seats, and U is the payoff matrix. The gradients are x U. In the second seat the payoff of
        the row is minus the payoff of the column in the first seat.

        Parameters
        ----------
        rows : slice
            The indices of the R genomes whose payoffs are returned.
        columns : slice
            The indices of the C genomes against which they play.

        Returns
        -------
        array of shape (R, C)
            The payoffs, averaged over both seats. In compiled games they are multiples of `rounding_unit`.
        """
        if self.rounding_unit is None:
            return np.asarray(self.game.payoffs(self.strategies[rows], self.strategies[columns]))

        payoffs = self.gradients[rows] @ self.strategies[columns].T  # in the first seat
        if (
            rows == columns
        ):  # the payoff of the column in the first seat is in the transposed matrix
            payoffs = payoffs - payoffs.T
        else:
            payoffs -= self.strategies[rows] @ self.gradients[columns].T

        # The mean over the seats, rounded to whole multiples of the unit.
        payoffs /= 2.0 * self.rounding_unit
        return np.asarray(np.rint(payoffs, out=payoffs) * self.rounding_unit)


@lru_cache(maxsize=4)
def make_sequence_form_payoffs(game: SequenceForm) -> "csr_array":
    """Return the payoff matrix of the first player in the sequence form of a two-player game.

    An entry is the sum, over all terminal histories with the two sequences, of the payoff times the probability of the
    chance moves.

    Parameters
    ----------
    game : SequenceForm
        The game, with S sequences of both players together.

    Returns
    -------
    csr_array of shape (S, S)
        The matrix. Rows and columns are the sequences of both players in the game's order. Only entries in a row of
        the first player and a column of the second player can differ from 0.
    """
    from scipy.sparse import csr_array

    num_sequences = game.num_probabilities + game.num_players  # each player has one empty sequence
    expected_payoffs = game.payoff[:, 0] * game.chance  # of each terminal history
    first_sequences, second_sequences = game.sequence.T
    return csr_array(
        (expected_payoffs, (first_sequences, second_sequences)),
        shape=(num_sequences, num_sequences),
    )
