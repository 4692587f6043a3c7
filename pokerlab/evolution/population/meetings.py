"""Two strategies at a time: all pairs, or some opponents for each, in contests and in games for two.

What pairs win in a compiled game is computed, in both seats and over all deals; so is it in games that
are a table of payoffs. A contest is played.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import GameError, SettingError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import whole
from pokerlab.core.streams import stream
from pokerlab.core.workers import Share, one_after_another
from pokerlab.evolution.population.parts import Genomes, Met
from pokerlab.games import SequenceForm
from pokerlab.games.contests import Contest
from pokerlab.games.sequence_form.sweeps import plans_of

MOST_SAMPLES, MOST_MEETINGS = 10**6, 10**8
EXACT = 2.0**-40
"""Computed winnings are rounded to this share of the largest payoff, so that rounding dominates nobody."""
PLACES = 4
"""Of what players did at a table, which is not counted here."""


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """Everybody meets everybody else.

    Parameters
    ----------
    samples : int
        Meetings of each pair in a generation, 1 to 10**6, with seeds of their own. Where winnings are
        computed there is one.
    """

    samples: int = 1
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

    def __post_init__(self) -> None:
        whole("samples", self.samples, 1, MOST_SAMPLES)

    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse a game that is not for two, and more meetings than anybody waits for."""
        check_for_two(game)
        check_meetings(most * (most - 1) // 2 * (self.samples if is_played(game) else 1))

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
        """Let all pairs meet; seed and generation name the seeds of their meetings."""
        first, second = np.triu_indices(len(genomes), 1)
        samples = self.samples if is_played(game) else 1
        pairs = np.repeat(first, samples), np.repeat(second, samples)
        return met_by(game, encoding, genomes, *pairs, seed, generation, share)


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """Each meets so many opponents, drawn anew in each generation; others may have drawn it as well.

    Parameters
    ----------
    opponents : int
        Different ones for each, 1 to all others.
    """

    opponents: int
    counts: ClassVar[tuple[str, ...]] = ("won_from",)
    winnings: ClassVar[type] = np.float64

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
        """Let each meet its opponents; seed and generation name who they are and the seeds of the meetings."""
        many = len(genomes)
        tickets = stream(seed, "opponents", generation).random((many, many))
        np.fill_diagonal(tickets, 2.0)
        second = np.argsort(tickets, axis=1)[:, : self.opponents].ravel()
        first = np.repeat(np.arange(many), self.opponents)
        return met_by(game, encoding, genomes, first, second, seed, generation, share)


def is_played(game: Any) -> bool:
    """Return whether meetings are played one by one, with a seed each; otherwise winnings are computed."""
    return isinstance(game, Contest)


def check_for_two(game: Any) -> None:
    """Refuse games in which what one of two wins the other does not lose."""
    name = getattr(game, "name", repr(game))
    if isinstance(game, SequenceForm):
        if game.num_players != 2 or not game.zero_sum:
            raise GameError(
                f"pairs meet in zero-sum games for two; {name} has {game.num_players} players"
                f" and is {'' if game.zero_sum else 'not '}zero-sum."
            )
    elif not isinstance(game, Contest) and not hasattr(game, "payoffs"):
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


def met_by(
    game: Any,
    encoding: Any,
    genomes: Genomes,
    first: Ints,
    second: Ints,
    seed: int,
    generation: int,
    share: Share,
) -> Met:
    """Return what came of the meetings of `first[k]` with `second[k]`."""
    many = len(genomes)
    if is_played(game):
        seeds = stream(seed, "meetings", generation).integers(0, 2**62, first.size)
        if generation == 0:
            game.check_repeatable(genomes, first, second, seeds)

        def part(low: int, high: int) -> Floats:
            each = first[low:high], second[low:high], seeds[low:high]
            won: Floats = game.won(genomes, genomes, *each)
            return won

        won = np.concatenate(share(part, 0, first.size))
    else:
        won = table_of(game, encoding, genomes)[first, second]
    place = first * many + second
    from_other = np.bincount(place, won, many * many).reshape(many, many)
    together = np.bincount(place, minlength=many * many).reshape(many, many)
    won_from, shared = from_other - from_other.T, together + together.T
    return Met(
        num_hands=first.size,
        profit=won_from.sum(axis=1),
        hands=shared.sum(axis=1),
        hands_won=np.bincount(first[won > 0], minlength=many)
        + np.bincount(second[won < 0], minlength=many),
        actions=np.zeros((many, PLACES), np.int64),
        ranks=np.zeros((0, many)),
        won_from=won_from,
        together=np.zeros((0, 0)),
        shared_hands=shared,
    )


def table_of(game: Any, encoding: Any, genomes: Genomes) -> Floats:
    """Return what each genome, (M, G), wins from each other, (M, M), on average over both seats and all deals."""
    if not isinstance(game, SequenceForm):
        strategies = game.checked(genomes.astype(game.start.dtype))
        return np.asarray(game.payoffs(strategies, strategies))
    behaviors = encoding.behaviors(genomes)
    plans = np.array([plans_of(game.block, row) for row in behaviors])
    ones = np.ones((len(plans), 1))
    seats = [np.hstack([ones, plans[:, 2:][:, mine]]) for mine in game.player_sequences]
    won = (seats[0] @ game.payoff_matrix(0)) @ seats[1].T
    unit = EXACT * float(np.abs(game.utility_range).max())
    return np.asarray(np.rint((won - won.T) / 2.0 / unit) * unit)
