"""Two strategies at a time: all pairs, or some opponents for each, in contests and in games for two.

What pairs win in a compiled game is computed, in both seats and over all deals; so is it in games that
are a table of payoffs. A contest is played.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pokerlab.core import Floats, GameError, Ints, SettingError, kernel, stream, whole
from pokerlab.core.errors import name_in_short
from pokerlab.core.settings import has_method
from pokerlab.core.workers import Share, one_after_another
from pokerlab.evolution.population.parts import Genomes, Met
from pokerlab.games import SequenceForm
from pokerlab.games.contests import SMALLEST_DIFFERENCE, Contest
from pokerlab.games.sequence_form import sum_kind
from pokerlab.games.tree_passes import all_plans_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_SAMPLES, MOST_MEETINGS = 10**6, 10**8
EXACT = 2.0**-40
"""Computed winnings are rounded to this share of the largest payoff, so that rounding dominates nobody."""
PLACES = 4  # of what players did at a table, which is not counted here


class Meetings(ABC):
    """What comes of meetings of two, whoever meets whom."""

    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    @abstractmethod
    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse a game that is not for two, and populations of another size than they are for."""

    @abstractmethod
    def pairs(self, game: Any, many: int, seed: int, generation: int) -> tuple[Ints, Ints]:
        """Return who meets whom, of so many."""

    def check_encoding(self, game: Any, encoding: Any) -> None:
        """Refuse genomes that cannot meet in the game."""
        check_genes(game, encoding)

    def play(
        self,
        game: Any,
        encoding: Any,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        share: Share = one_after_another,
    ) -> Met:
        """Let pairs meet; seed and generation name who they are, if they are drawn, and the seeds of their meetings."""
        many = len(genomes)
        first, second = self.pairs(game, many, seed, generation)
        if is_played(game):
            seeds = stream(seed, "meetings", generation).integers(0, 2**62, first.size)
            game.check(genomes, genomes, first, second, seeds)

            def part(low: int, high: int) -> Floats:
                each = first[low:high], second[low:high], seeds[low:high]
                won: Floats = game.won(genomes, genomes, *each)
                return won

            won = np.concatenate(share(part, 0, first.size))
        else:
            won = table_of(game, encoding, genomes)[first, second]
        won_from, shared = np.zeros((many, many)), np.zeros((many, many), np.int64)
        hands_won = np.zeros(many, np.int64)
        add_meetings(first, second, won, won_from, shared, hands_won)
        return Met(
            num_hands=first.size,
            profit=won_from.sum(axis=1),
            hands=shared.sum(axis=1),
            hands_won=hands_won,
            actions=np.zeros((many, PLACES), np.int64),
            ranks=np.zeros((0, many)),
            won_from=won_from,
            together=np.zeros((0, 0)),
            shared_hands=shared,
        )


@dataclass(frozen=True, kw_only=True)
class AllPairs(Meetings):
    """Everybody meets everybody else.

    Parameters
    ----------
    samples : int
        Meetings of each pair in a generation, 1 to 10**6, with seeds of their own. Where winnings are
        computed there is one.
    """

    samples: int = 1

    def __post_init__(self) -> None:
        whole("samples", self.samples, 1, MOST_SAMPLES)

    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse a game that is not for two, and more meetings than anybody waits for."""
        check_for_two(game)
        check_meetings(most * (most - 1) // 2 * (self.samples if is_played(game) else 1))

    def pairs(self, game: Any, many: int, seed: int, generation: int) -> tuple[Ints, Ints]:
        """Return all pairs of so many, each as often as it meets."""
        return all_pairs(many, self.samples if is_played(game) else 1)


@dataclass(frozen=True, kw_only=True)
class Sampled(Meetings):
    """Each meets so many opponents, drawn anew in each generation; others may have drawn it as well.

    Parameters
    ----------
    opponents : int
        Different ones for each, 1 to all others.
    """

    opponents: int

    def __post_init__(self) -> None:
        whole("opponents", self.opponents, 1, MOST_SAMPLES)

    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse a game that is not for two, and fewer strategies than opponents."""
        check_for_two(game)
        if fewest <= self.opponents:
            raise SettingError(
                f"each is to meet {self.opponents} others, and there are {fewest} strategies; give at most"
                f" {fewest - 1} opponents."
            )
        check_meetings(most * self.opponents)

    def pairs(self, game: Any, many: int, seed: int, generation: int) -> tuple[Ints, Ints]:
        """Return each of so many with the opponents that it has drawn."""
        tickets = stream(seed, "opponents", generation).random((many, many))
        np.fill_diagonal(tickets, 2.0)
        second = np.argsort(tickets, axis=1)[:, : self.opponents].ravel()
        return np.repeat(np.arange(many), self.opponents), second


@lru_cache(maxsize=1)
def all_pairs(many: int, samples: int) -> tuple[Ints, Ints]:
    """Return all pairs of so many, so often; made once for all generations."""
    first, second = np.triu_indices(many, 1)
    return np.repeat(first, samples), np.repeat(second, samples)


@kernel
def add_meetings(
    first: Ints, second: Ints, won: Floats, won_from: Floats, shared: Ints, hands_won: Ints
) -> None:
    """Add what `first[k]` won from `second[k]` in each meeting to tables of winnings and of meetings, and to counts.

    A result that is rounding is a draw, and no hand won.
    """
    for k in range(won.size):
        one, other = first[k], second[k]
        won_from[one, other] += won[k]
        won_from[other, one] -= won[k]
        shared[one, other] += 1
        shared[other, one] += 1
        hands_won[one] += won[k] > SMALLEST_DIFFERENCE
        hands_won[other] += won[k] < -SMALLEST_DIFFERENCE


def is_played(game: Any) -> bool:
    """Return whether meetings are played one by one, with a seed each; otherwise winnings are computed."""
    return isinstance(game, Contest)


def check_for_two(game: Any) -> None:
    """Refuse games in which what two win together is not always the same."""
    name = name_in_short(game)
    if isinstance(game, SequenceForm):
        if game.num_players != 2 or game.payoff_sum is None:
            raise GameError(
                f"pairs meet in zero-sum games for two; {name} is a {sum_kind(game.payoff_sum)} game for"
                f" {game.num_players}."
            )
    elif not isinstance(game, Contest) and not has_method(game, "mutant"):
        raise GameError(
            f"pairs do not meet in {name}; give games.contest(play, ...), a compiled game for two, such as"
            " games.kuhn(), or a symmetric one, such as games.intransitive_numbers(). Ring games and tournaments"
            " need RingGames() and Tournaments()."
        )


def check_meetings(count: int) -> None:
    """Refuse a generation of more meetings than anybody waits for."""
    if count > MOST_MEETINGS:
        raise SettingError(
            f"a generation would have {count:,} meetings; at most {MOST_MEETINGS:,} are allowed. Lower the"
            " population or the samples, or give Sampled(opponents=...)."
        )


def check_genes(game: Any, encoding: Any) -> None:
    """Refuse genomes that cannot meet in the game."""
    if isinstance(game, SequenceForm):
        own = getattr(encoding, "game", None)
        if (
            not hasattr(encoding, "behaviors")
            or getattr(own, "fingerprint", "") != game.fingerprint
        ):
            raise GameError(
                f"genomes of {encoding!r} are no strategies of {game.name}; give an encoding of the game, such as"
                " strategies.DirectEncoding(game)."
            )
    elif not isinstance(game, Contest):
        width = game.start.size
        if encoding.num_genes != width:
            raise GameError(
                f"a strategy of {game.name} has {width} numbers, a genome of {encoding!r} has"
                f" {encoding.num_genes}; give an encoding of {width} genes."
            )
        some = encoding.random(stream(0, "genomes that try out a game"), 8)
        ends = [np.full(width, getattr(encoding, end, some[0])) for end in ("low", "high")]
        strategies_of(game, np.vstack([some, *ends]))


def strategies_of(game: Any, genomes: Genomes) -> Genomes:
    """Return genomes, (M, G), as strategies of a symmetric game; refuse what they cannot be."""
    strategies = genomes.astype(game.start.dtype)
    if (strategies != genomes).any():
        raise GameError(
            f"strategies of {game.name} are whole numbers, and genomes are not; give strategies.Integers or"
            " BitString."
        )
    return np.asarray(game.checked(strategies))


def table_of(game: Any, encoding: Any, genomes: Genomes) -> Floats:
    """Return what each genome, (M, G), wins from each other, (M, M), on average over both seats and all deals.

    In a constant-sum game that is what it wins beyond half of the sum.
    """
    if not isinstance(game, SequenceForm):
        strategies = strategies_of(game, genomes)
        return np.asarray(game.payoffs(strategies, strategies))
    plans = all_plans_of(game.block, encoding.behaviors(genomes))
    won = plans @ form_of(game) @ plans.T
    unit = EXACT * float(np.abs(game.utility_range).max())
    return np.asarray(np.rint((won - won.T) / 2.0 / unit) * unit)


@lru_cache(maxsize=4)
def form_of(game: SequenceForm) -> "csr_array":
    """Return the first player's payoffs times chance, (S, S), between all sequences of both players."""
    from scipy.sparse import csr_array

    size = game.num_probabilities + game.num_players
    return csr_array((game.payoff[:, 0] * game.chance, tuple(game.sequence.T)), shape=(size, size))
