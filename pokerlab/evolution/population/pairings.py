"""Pairings of two players at a time, in contests and two-player games: all pairs, or random opponents for each player.

Pairings decide which players of a generation play against each other, and return their results. The *players* are the
strategies of all populations and the members of their halls of fame, each given as a genome. A *pairing* is two players
who play once. Each of the two is the *opponent* of the other. (`pokerlab.evolution.population` defines all such words.)

In a compiled game the expected payoffs of a pairing, on average over both seats, are computed exactly, and so are the
payoffs in a symmetric game. In a contest the pairing is played, with a seed of its own. The results count each pairing
as one hand.

Pairings of your own follow the protocol `Pairings` in `pokerlab.evolution.population.protocol`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

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
from pokerlab.core.old_names import reject_object_with_old_methods
from pokerlab.core.settings import has_method
from pokerlab.core.workers import WorkDivider, run_in_this_thread
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION, Genomes, Results
from pokerlab.games import SequenceForm
from pokerlab.games.contests import END_OF_SEEDS, SMALLEST_DIFFERENCE, Contest
from pokerlab.games.rules import classify_payoff_sum
from pokerlab.games.symmetric import SymmetricGame
from pokerlab.games.tree_passes import compute_plans_of_profiles

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_SAMPLES, MOST_PAIRINGS = 10**6, 10**8
NUM_TRIED_GENOMES = 8  # random genomes with which an encoding is tried out
PAIRINGS_PER_BLOCK = 2**18
"""The number of pairings that are listed at a time, because a list of all pairs would take more memory than results."""
PAYOFF_RESOLUTION = 2.0**-40
"""Payoffs of compiled games are rounded to multiples of this share of the largest payoff.

So errors of floating-point arithmetic break no ties.
"""


class PairingBlock(NamedTuple):
    """A part of a generation's pairings, K of them.

    Attributes
    ----------
    first_players, second_players : array of shape (K,)
        The indices of the two players of each pairing. Results are counted from the first player's point of view.
    seeds : array of shape (K,)
        The seed of each pairing, which only contests use.
    """

    first_players: Ints
    second_players: Ints
    seeds: Ints


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """Pairings in which each player plays against every other player.

    Parameters
    ----------
    samples : int
        The number of times that each pair plays a contest in a generation, 1 to 10**6, each time with another seed. In
        games whose payoffs are computed, each pair plays once.

    Attributes
    ----------
    counts : tuple of str
        The results from which a fitness function can be computed: what each player won from each other one.
    winnings : type
        The number type of winnings.
    """

    samples: int = 1
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        """Raise a SettingError if `samples` is outside its range."""
        validate_integer("samples", self.samples, 1, MOST_SAMPLES)

    def check_game(self, game: Any, fewest_players: int, most_players: int) -> None:
        """Raise an error if two players cannot play a game, or if there would be too many pairings.

        Parameters
        ----------
        game : object
            The game or contest.
        fewest_players, most_players : int
            The smallest and the largest number of players in a generation. The smallest is not used.

        Raises
        ------
        GameError
            If the game is neither a contest nor a two-player game whose payoffs have a constant sum.
        SettingError
            If there would be more than 10**8 pairings in a generation.
        """
        check_two_player_game(game)
        num_pairs = most_players * (most_players - 1) // 2
        check_num_pairings(num_pairs * self.count_samples(game))

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise a GameError if genomes of an encoding are not strategies of the game.

        Parameters
        ----------
        game : object
            The game that is played.
        encoding : object
            The encoding of the genomes that a population has.

        Raises
        ------
        GameError
            If the encoding does not fit the game.
        """
        check_encoding_fits(game, encoding)

    def count_samples(self, game: Any) -> int:
        """Return how often each pair plays in a generation: `samples` times in a contest, and once in other games.

        Parameters
        ----------
        game : object
            The game that is played.
        """
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
        """Let each player play against every other player, and return the results.

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

        Returns
        -------
        Results
            The results of all players, where a pairing counts as one hand. Fields that only hands of poker have are
            zero or empty.
        """
        generator = random_stream(seed, "meetings", generation)
        blocks = iterate_pairing_blocks(len(genomes), self.count_samples(game), generator)
        return compute_pairing_results(game, encoding, genomes, blocks, work_divider)


@dataclass(frozen=True, kw_only=True)
class SampledOpponents:
    """Pairings in which each player plays against random opponents, which are drawn again in each generation.

    A player also plays against all players that have drawn it as an opponent.

    Parameters
    ----------
    opponents : int
        The number of different opponents that are drawn for each player, from 1 to the number of other players.

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

    def check_game(self, game: Any, fewest_players: int, most_players: int) -> None:
        """Raise an error if the players of a generation cannot play a game in pairs, or are too few.

        Parameters
        ----------
        game : object
            The game or contest.
        fewest_players, most_players : int
            The smallest and the largest number of players in a generation.

        Raises
        ------
        GameError
            If the game is neither a contest nor a two-player game whose payoffs have a constant sum.
        SettingError
            If a player can have fewer than `opponents` opponents, or if there would be more than 10**8 pairings in a
            generation.
        """
        check_two_player_game(game)
        if fewest_players <= self.opponents:
            raise SettingError(
                f"each player is to play against {self.opponents} others, but there are only {fewest_players} players."
                f" Pass at most {fewest_players - 1} opponents."
            )
        check_num_pairings(most_players * self.opponents)

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Raise a GameError if genomes of an encoding are not strategies of the game.

        Parameters
        ----------
        game : object
            The game that is played.
        encoding : object
            The encoding of the genomes that a population has.

        Raises
        ------
        GameError
            If the encoding does not fit the game.
        """
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
        """Let each player play against its random opponents, and return the results.

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

        Returns
        -------
        Results
            The results of all players, where a pairing counts as one hand. Fields that only hands of poker have are
            zero or empty.
        """
        num_players = len(genomes)

        # The opponents of a player are those with the smallest random numbers in its row.
        shape = (num_players, num_players)
        random_numbers = random_stream(seed, "opponents", generation).random(shape)
        np.fill_diagonal(random_numbers, 2.0)  # above all others, so that no player draws itself
        drawn_opponents = np.argsort(random_numbers, axis=1)[:, : self.opponents]

        first_players = np.repeat(np.arange(num_players), self.opponents)
        second_players = drawn_opponents.ravel()
        generator = random_stream(seed, "meetings", generation)
        seeds = generator.integers(0, END_OF_SEEDS, first_players.size)
        block = PairingBlock(first_players, second_players, seeds)
        return compute_pairing_results(game, encoding, genomes, [block], work_divider)


def iterate_pairing_blocks(
    num_players: int, num_samples: int, generator: np.random.Generator
) -> Iterator[PairingBlock]:
    """Yield the pairings of all pairs of players in blocks, with a seed for each time that a pair plays.

    A list of all pairs at once could take more memory than the results.

    Parameters
    ----------
    num_players : int
        The number of players.
    num_samples : int
        The number of times that each pair plays, one after the other.
    generator : Generator
        The source of the seeds, which do not depend on the size of a block.

    Yields
    ------
    PairingBlock
        The next pairings.
    """
    num_pairs = num_players * (num_players - 1) // 2
    pairs_per_block = max(1, PAIRINGS_PER_BLOCK // num_samples)
    for first_pair in range(0, num_pairs, pairs_per_block):
        end_pair = min(first_pair + pairs_per_block, num_pairs)
        first_players, second_players = list_pairs(num_players, first_pair, end_pair, num_samples)
        seeds = generator.integers(0, END_OF_SEEDS, first_players.size)
        yield PairingBlock(first_players, second_players, seeds)


@lru_cache(maxsize=1)
def list_pairs(
    num_players: int, first_pair: int, end_pair: int, num_samples: int
) -> tuple[Ints, Ints]:
    """Return the two players of each pair in a part of the list of all pairs.

    All pairs have the order (0, 1), (0, 2), ..., (1, 2), (1, 3), ... The last result is cached, because a population of
    usual size has the same single block of pairs in all generations.

    Parameters
    ----------
    num_players : int
        The number of players.
    first_pair, end_pair : int
        The pairs from `first_pair` to `end_pair` - 1 in this order are returned.
    num_samples : int
        The number of times that each pair occurs, one after the other.

    Returns
    -------
    first_players, second_players : array of shape ((end_pair - first_pair) num_samples,)
        The index of each player of each pair.

    Examples
    --------
    >>> first_players, second_players = list_pairs(3, 0, 3, num_samples=1)
    >>> first_players.tolist(), second_players.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    # The position of each player's first pair as the first player. Before it are the pairs of all earlier players:
    # num_players - 1, num_players - 2, ... of them.
    players = np.arange(num_players)
    first_pair_of_player = players * (2 * num_players - players - 1) // 2

    # How many of the wanted pairs have each player as the first one.
    first_wanted_pair_of_player = np.clip(first_pair_of_player, first_pair, end_pair)
    num_wanted_pairs = np.diff(first_wanted_pair_of_player, append=end_pair)

    # The first pair of a player is with the next player, the second pair with the one after that, and so on.
    first_players = np.repeat(players, num_wanted_pairs)
    offsets = np.repeat(first_pair_of_player - players - 1, num_wanted_pairs)
    second_players = np.arange(first_pair, end_pair) - offsets
    return np.repeat(first_players, num_samples), np.repeat(second_players, num_samples)


def compute_pairing_results(
    game: Any,
    encoding: Any,
    genomes: Genomes,
    blocks: Iterable[PairingBlock],
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
    blocks : iterable of PairingBlock
        The pairings, in several parts.
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
    for block in blocks:
        first_players, second_players, _ = block
        if payoffs is None:
            winnings = play_contest_pairings(game, genomes, block, work_divider)
        else:
            winnings = payoffs.compute_payoffs(first_players, second_players)
        add_pairing_results(
            first_players, second_players, winnings, won_from, shared_hands, hands_won
        )
        num_hands += first_players.size

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
    block: PairingBlock,
    work_divider: WorkDivider,
) -> Floats:
    """Let pairs of players play a contest, and return what the first player of each pair wins from the second.

    Parameters
    ----------
    game : Contest
        The contest that is played.
    genomes : array of shape (M, G)
        The genomes of all M players, of G genes each.
    block : PairingBlock
        The K pairings that are played.
    work_divider : WorkDivider
        A function that divides the pairings among workers.

    Returns
    -------
    array of shape (K,)
        The winnings, in the unit of the contest.

    Raises
    ------
    GameError
        If the contest is not repeatable, or favors a position although it is symmetric. Only the first call checks
        this.
    """
    # The genomes are given twice, because both players of a pairing come from the same population.
    first_players, second_players, seeds = block
    game.check_pairings(genomes, genomes, first_players, second_players, seeds)

    def play_part(first_pairing: int, end_pairing: int) -> Floats:
        """Return the winnings in the pairings from `first_pairing` to `end_pairing` - 1."""
        part = slice(first_pairing, end_pairing)
        winnings: Floats = game.play_pairings(
            genomes, genomes, first_players[part], second_players[part], seeds[part]
        )
        return winnings

    return np.concatenate(work_divider(play_part, 0, first_players.size))


@kernel
def add_pairing_results(
    first_players: Ints,
    second_players: Ints,
    winnings: Floats,
    won_from: Floats,
    shared_hands: Ints,
    hands_won: Ints,
) -> None:
    """Add the results of pairings to the matrices and counts of all players, in place.

    A result that is zero up to rounding is a draw, which neither player wins.

    Parameters
    ----------
    first_players, second_players : array of shape (K,)
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
        player, opponent = first_players[pairing], second_players[pairing]
        won_from[player, opponent] += winnings[pairing]
        won_from[opponent, player] -= winnings[pairing]
        shared_hands[player, opponent] += 1
        shared_hands[opponent, player] += 1
        hands_won[player] += winnings[pairing] > SMALLEST_DIFFERENCE
        hands_won[opponent] += winnings[pairing] < -SMALLEST_DIFFERENCE


def check_two_player_game(game: Any) -> None:
    """Raise a GameError if two players cannot play a game.

    They can play contests, symmetric games, and compiled two-player games whose payoffs have a constant sum.

    Parameters
    ----------
    game : object
        The game that a user has passed.

    Raises
    ------
    GameError
        If the game is of none of these kinds.
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


def check_num_pairings(num_pairings: int) -> None:
    """Raise a SettingError if the number of pairings in a generation is above 10**8, which would take too long.

    Parameters
    ----------
    num_pairings : int
        The number of pairings of a generation, at least 0.

    Raises
    ------
    SettingError
        If the number is above `MOST_PAIRINGS`.
    """
    if num_pairings > MOST_PAIRINGS:
        raise SettingError(
            f"a generation would have {num_pairings:,} pairings; at most {MOST_PAIRINGS:,} are allowed. Lower the"
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
        reject_object_with_old_methods("encoding", encoding, ("compute_behaviors",))
        if not hasattr(encoding, "compute_behaviors") or not is_for_game:
            raise GameError(
                f"encoding {encoding!r} does not fit {game.name}. Pass an encoding of that game, such as"
                " strategies.DirectEncoding(game)."
            )
    elif not isinstance(game, Contest):
        check_random_genomes(game, encoding)


def check_random_genomes(game: SymmetricGame, encoding: Any) -> None:
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


def validate_genomes_as_strategies(game: SymmetricGame, genomes: Genomes) -> Genomes:
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

    def __init__(self, game: SequenceForm | SymmetricGame, encoding: Any, genomes: Genomes) -> None:
        """Compute the strategies of all genomes and, for a population of usual size, the payoffs of all pairs."""
        self.game: Any = game
        self.rounding_unit: float | None = None  # payoffs of symmetric games are not rounded
        if isinstance(game, SequenceForm):
            behaviors = encoding.compute_behaviors(genomes)
            self.strategies = compute_plans_of_profiles(game.block, behaviors)
            self.gradients = self.strategies @ make_sequence_form_payoffs(game)
            self.rounding_unit = PAYOFF_RESOLUTION * float(np.abs(game.utility_range).max())
        else:
            self.strategies = validate_genomes_as_strategies(game, genomes)

        is_small = len(genomes) ** 2 <= 2 * PAIRINGS_PER_BLOCK
        all_genomes = slice(0, len(genomes))
        self.all_payoffs = self.compute_payoff_block(all_genomes, all_genomes) if is_small else None

    def compute_payoffs(self, first_genomes: Ints, second_genomes: Ints) -> Floats:
        """Return the payoff of the first genome of each pair against the second genome.

        Parameters
        ----------
        first_genomes, second_genomes : array of int, shape (K,)
            The indices of the two genomes of each of K pairs.

        Returns
        -------
        array of shape (K,)
            The payoffs, averaged over both seats.
        """
        if self.all_payoffs is not None:
            return np.asarray(self.all_payoffs[first_genomes, second_genomes])

        # Compute the smallest block of the matrix of payoffs that has all these pairs.
        rows = slice(first_genomes.min(), first_genomes.max() + 1)
        columns = slice(second_genomes.min(), second_genomes.max() + 1)
        payoffs = self.compute_payoff_block(rows, columns)
        return np.asarray(payoffs[first_genomes - rows.start, second_genomes - columns.start])

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
