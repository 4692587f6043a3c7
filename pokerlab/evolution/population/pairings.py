"""Pairings of two strategies at a time, in contests and two-player games: all pairs, or random opponents for each.

In a compiled game the expected payoffs of a pair in both seats are computed exactly, and so are the payoffs in a
symmetric game. In a contest the pair plays.
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
from pokerlab.games.sequence_form import classify_payoff_sum
from pokerlab.games.tree_passes import compute_plans_of_profiles

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_SAMPLES, MOST_PAIRINGS = 10**6, 10**8
NUM_TRIED_GENOMES = 8  # random genomes by which it is checked whether an encoding fits a game
PAIRINGS_AT_ONCE = 2**18
"""The number of pairings that are listed at a time, because a list of all pairs would take more memory than results."""
RESOLUTION = 2.0**-40
"""Computed payoffs are rounded to multiples of this share of the largest payoff, so that rounding breaks no ties."""


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """Pairings in which each strategy plays against every other strategy.

    Parameters
    ----------
    samples : int
        The number of times that each pair plays a contest in a generation, 1 to 10**6, each time with another seed. In
        games whose payoffs are computed, each pair plays once.
    """

    samples: int = 1
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        validate_integer("samples", self.samples, 1, MOST_SAMPLES)

    def check_game(self, game: Any, fewest: int, most: int) -> None:
        """Raise an error if the game is not for two players, or if there would be too many pairings."""
        check_game_for_two(game)
        check_num_pairings(most * (most - 1) // 2 * self.count_samples(game))

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise if genomes of the encoding cannot play the game."""
        check_encoding_fits(game, encoding)

    def count_samples(self, game: Any) -> int:
        """Return the number of times that each pair plays in a generation."""
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
        """Return the results of all pairs; `Pairings` describes the parameters."""
        generator = random_stream(seed, "meetings", generation)
        blocks = iterate_all_pairs(len(genomes), self.count_samples(game), generator)
        return play_pairings(game, encoding, genomes, blocks, work_divider)


@dataclass(frozen=True, kw_only=True)
class SampledOpponents:
    """Pairings in which each strategy plays against random opponents, which are drawn again in each generation.

    A strategy also plays against all strategies that have drawn it as an opponent.

    Parameters
    ----------
    opponents : int
        The number of different opponents that are drawn for each strategy, from 1 to the number of other strategies.
    """

    opponents: int
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        validate_integer("opponents", self.opponents, 1, MOST_SAMPLES)

    def check_game(self, game: Any, fewest: int, most: int) -> None:
        """Raise an error if the game is not for two players, or if there are not enough strategies to draw from."""
        check_game_for_two(game)
        if fewest <= self.opponents:
            raise SettingError(
                f"each strategy is to play {self.opponents} others, but there are only {fewest} strategies. Pass at"
                f" most {fewest - 1} opponents."
            )
        check_num_pairings(most * self.opponents)

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise if genomes of the encoding cannot play the game."""
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
        """Return the results of all pairings; `Pairings` describes the parameters."""
        count = len(genomes)

        # The opponents of a strategy are those with the smallest random numbers in its row.
        random_numbers = random_stream(seed, "opponents", generation).random((count, count))
        np.fill_diagonal(random_numbers, 2.0)  # above all others, so that no strategy draws itself
        drawn_opponents = np.argsort(random_numbers, axis=1)[:, : self.opponents]
        first = np.repeat(np.arange(count), self.opponents)
        second = drawn_opponents.ravel()
        seeds = random_stream(seed, "meetings", generation).integers(0, 2**62, first.size)
        return play_pairings(game, encoding, genomes, [(first, second, seeds)], work_divider)


def iterate_all_pairs(
    count: int, samples: int, generator: np.random.Generator
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield all pairs of players with their seeds, block by block.

    Parameters
    ----------
    count : int
        The number of players.
    samples : int
        The number of times that each pair occurs, one after the other.
    generator : Generator
        The source of the seeds, which do not depend on the size of a block.

    Yields
    ------
    first, second, seeds : array of shape (K,)
        For each of K pairings, the index of the first player, that of the second player, and the seed.
    """
    num_pairs = count * (count - 1) // 2
    step = max(1, PAIRINGS_AT_ONCE // samples)
    for low in range(0, num_pairs, step):
        first, second = list_pairs(count, low, min(low + step, num_pairs), samples)
        yield first, second, generator.integers(0, 2**62, first.size)


@lru_cache(maxsize=1)
def list_pairs(count: int, low: int, high: int, samples: int) -> tuple[Ints, Ints]:
    """Return the indices of the first and of the second player of some pairs of players.

    All pairs have the order (0, 1), (0, 2), ..., (1, 2), (1, 3), ... A population of usual size has one block of pairs,
    which is cached for all generations.

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
    """
    # Before the pairs of a player come those of all earlier players: count - 1, count - 2, ... of them.
    players = np.arange(count)
    first_pairs = players * (2 * count - players - 1) // 2

    # How many of the wanted pairs have each player as the first one.
    first_wanted_pairs = np.clip(first_pairs, low, high)
    num_pairs = np.diff(first_wanted_pairs, append=high)

    # The first pair of a player is with the next player, the second pair with the one after that, and so on.
    first = np.repeat(players, num_pairs)
    second = np.arange(low, high) - np.repeat(first_pairs - players - 1, num_pairs)
    return np.repeat(first, samples), np.repeat(second, samples)


def play_pairings(
    game: Any,
    encoding: Any,
    genomes: Genomes,
    blocks: Iterable[tuple[Ints, Ints, Ints]],
    work_divider: WorkDivider,
) -> Results:
    """Return the results of pairings of two players.

    A contest is played, each pairing with its seed. In a compiled or a symmetric game nothing is drawn: the expected
    payoff of each genome against each other one is computed first.

    Parameters
    ----------
    game : object
        A contest, a compiled game, or a symmetric game.
    encoding : object
        The encoding, which maps genomes to strategies.
    genomes : array of shape (M, G)
        The genomes of all M players, of G genes each.
    blocks : iterable of tuples of three arrays of shape (K,)
        For each of K pairings of a block, the index of the first player, that of the second player, and the seed.
    work_divider : WorkDivider
        A function that divides the pairings of a contest among workers.

    Returns
    -------
    Results
        A pairing counts as one hand. What only hands of poker have, such as actions, is zero or empty.
    """
    num_players = len(genomes)
    won_from = np.zeros((num_players, num_players))

    # There are at most 10**8 pairings, so half of the usual memory is enough.
    shared_hands: NDArray[Any] = np.zeros((num_players, num_players), np.int32)
    hands_won = np.zeros(num_players, np.int64)
    payoffs = None if isinstance(game, Contest) else GenomePayoffs(game, encoding, genomes)
    num_hands = 0
    for first, second, seeds in blocks:
        if payoffs is None:
            winnings = play_contest(game, genomes, first, second, seeds, work_divider)
        else:
            winnings = payoffs.compute(first, second)
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


def play_contest(
    game: Contest,
    genomes: Genomes,
    first: Ints,
    second: Ints,
    seeds: Ints,
    work_divider: WorkDivider,
) -> Floats:
    """Return what the first player wins from the second in each pairing, of shape (K,), in the unit of the contest.

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
    """
    # Both players of a pairing come from the same population.
    game.check_pairings(genomes, genomes, first, second, seeds)

    def play_part(low: int, high: int) -> Floats:
        """Return the results of the pairings from `low` to `high` - 1."""
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
    """Add the results of pairings to the matrices and counts of all players.

    A result that is zero up to rounding is a draw, which neither player wins.

    Parameters
    ----------
    first, second : array of shape (K,)
        The indices of the two players of each of K pairings.
    winnings : array of shape (K,)
        The amount that the first player won from the second.
    won_from, shared_hands : array of shape (M, M)
        The amount that the row's player won from the column's, and the number of their pairings. Both are increased.
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


def check_game_for_two(game: Any) -> None:
    """Raise a GameError unless a game is a two-player game whose payoffs have a constant sum, or a contest."""
    name = describe_by_name(game)
    if isinstance(game, SequenceForm):
        if game.num_players != 2 or game.payoff_sum is None:
            raise GameError(
                f"pairs play zero-sum games for two; {name} is a {classify_payoff_sum(game.payoff_sum)} game for"
                f" {game.num_players}."
            )
    elif not isinstance(game, Contest) and not has_method(game, "draw_mutant"):
        raise GameError(
            f"pairs cannot play {name}. Pass games.contest(play, ...), a compiled game for two, such as"
            " games.kuhn(), or a symmetric one, such as games.intransitive_numbers(). Ring games and tournaments"
            " need RingGames() and Tournaments()."
        )


def check_num_pairings(count: int) -> None:
    """Raise a SettingError if a generation would have more than 10**8 pairings, which would take too long."""
    if count > MOST_PAIRINGS:
        raise SettingError(
            f"a generation would have {count:,} pairings; at most {MOST_PAIRINGS:,} are allowed. Lower the"
            " population or the samples, or pass pairings=SampledOpponents(opponents=...)."
        )


def check_encoding_fits(game: Any, encoding: Any) -> None:
    """Raise an error if genomes of an encoding are not strategies of the game.

    For a symmetric game some random genomes and the bounds of the genes are tried. A contest accepts any genomes.

    Raises
    ------
    GameError
        If the encoding is of another game, or has another number of genes, or if its genes are not whole numbers where
        the strategies of the game are.
    """
    if isinstance(game, SequenceForm):
        own_game = getattr(encoding, "game", None)
        is_of_game = getattr(own_game, "fingerprint", "") == game.fingerprint
        reject_renamed_methods("encoding", encoding, ("compute_behaviors",))
        if not hasattr(encoding, "compute_behaviors") or not is_of_game:
            raise GameError(
                f"encoding {encoding!r} does not fit {game.name}. Pass an encoding of that game, such as"
                " strategies.DirectEncoding(game)."
            )
    elif not isinstance(game, Contest):
        width = game.default_start.size
        if encoding.num_genes != width:
            raise GameError(
                f"a strategy of {game.name} has {width} numbers, but a genome of {encoding!r} has"
                f" {encoding.num_genes}. Pass an encoding of {width} genes."
            )
        generator = random_stream(0, "genomes that try out a game")
        random_genomes = encoding.draw_genomes(generator, NUM_TRIED_GENOMES)
        # An encoding without bounds has a random genome in their place.
        lowest = np.full(width, getattr(encoding, "low", random_genomes[0]))
        highest = np.full(width, getattr(encoding, "high", random_genomes[0]))
        validate_strategies(game, np.vstack([random_genomes, lowest, highest]))


def validate_strategies(game: Any, genomes: Genomes) -> Genomes:
    """Return genomes, which are rows of an array, as strategies of a symmetric game, after checking them.

    Raises
    ------
    GameError
        If strategies are whole numbers, but the genomes are not. Other errors are those of the game.
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
        self.game: Any = game
        self.unit: float | None = None  # payoffs of symmetric games are not rounded
        if isinstance(game, SequenceForm):
            behaviors = encoding.compute_behaviors(genomes)
            self.strategies = compute_plans_of_profiles(game.block, behaviors)
            self.gradients = self.strategies @ make_sequence_payoffs(game)
            self.unit = RESOLUTION * float(np.abs(game.utility_range).max())
        else:
            self.strategies = validate_strategies(game, genomes)
        is_small = len(genomes) ** 2 <= 2 * PAIRINGS_AT_ONCE
        everyone = slice(0, len(genomes))
        self.of_all = self.compute_block(everyone, everyone) if is_small else None

    def compute(self, first: Ints, second: Ints) -> Floats:
        """Return the payoff of the first genome of each pair against the second one.

        Parameters
        ----------
        first, second : array of int, shape (K,)
            The indices of the two genomes of each of K pairs.

        Returns
        -------
        array of shape (K,)
            The payoffs, averaged over both seats.
        """
        if self.of_all is not None:
            return np.asarray(self.of_all[first, second])

        # Compute the smallest block of the matrix of payoffs that has all these pairs.
        rows = slice(first.min(), first.max() + 1)
        columns = slice(second.min(), second.max() + 1)
        payoffs = self.compute_block(rows, columns)
        return np.asarray(payoffs[first - rows.start, second - columns.start])

    def compute_block(self, rows: slice, columns: slice) -> Floats:
        """Return a block of the matrix of payoffs: of the genomes of some rows against those of some columns.

        In a compiled game the payoff in the first seat is x U y, where x and y are the realization plans of the row and
        of the column in both seats, and U is the payoff matrix. The gradients are x U. In the second seat the row gets
        minus what the column gets in the first seat.
        """
        if self.unit is None:
            return np.asarray(self.game.payoffs(self.strategies[rows], self.strategies[columns]))
        payoffs = self.gradients[rows] @ self.strategies[columns].T  # in the first seat
        if rows == columns:  # what the opponent gets in the first seat is in the mirrored cell
            payoffs = payoffs - payoffs.T
        else:
            payoffs -= self.strategies[rows] @ self.gradients[columns].T

        # The mean over the seats, rounded to whole multiples of the unit.
        payoffs /= 2.0 * self.unit
        return np.asarray(np.rint(payoffs, out=payoffs) * self.unit)


@lru_cache(maxsize=4)
def make_sequence_payoffs(game: SequenceForm) -> "csr_array":
    """Return the sequence-form payoff matrix of the first player: payoffs times chance probabilities.

    Rows and columns are the sequences of both players in the game's order. Terminals with the same two sequences are
    added up.
    """
    from scipy.sparse import csr_array

    size = game.num_probabilities + game.num_players
    expected_payoffs = game.payoff[:, 0] * game.chance  # of each terminal
    first_sequences, second_sequences = game.sequence.T
    return csr_array((expected_payoffs, (first_sequences, second_sequences)), shape=(size, size))
