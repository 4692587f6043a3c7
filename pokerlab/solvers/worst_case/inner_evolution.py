"""The worst case by evolution: replies evolve against one genome, generation within generation.

A reply takes each seat in turn while the genome keeps all others, exactly or over a number of hands. What it
wins is summed over the seats, less what the genome itself wins there: in a two-player zero-sum game that is
nothing.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from pokerlab.core import GameError, UnknownNameError, stream
from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.evolution import CSAES, EvolutionStrategy
from pokerlab.evolution.protocol import check_strategy
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of, realize, workspace
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.solvers.worst_case.worst_case import Measured
from pokerlab.strategies import Encoding
from pokerlab.strategies.encoding import in_scale

MOST_GROWTH = 1e6
STARTS = ("last inner best", "outer best", "the genome itself")


class Inner(NamedTuple):
    """Where an inner run stands."""

    reply: Floats  # (G,): what has won most so far
    value: float  # how much, and its standard error
    error: float
    evaluations: int


@dataclass(frozen=True, kw_only=True)
class InnerEvolution:
    """Algorithm 1's purely evolutionary version: an evolution of replies against each genome.

    Judged by expected winnings, it finds at most what an exact best response wins; the difference is the
    gap in which a genome can hide. Judged by hands played, it may find more, since the best reply was also
    lucky.

    Parameters
    ----------
    evolution : EvolutionStrategy
        What evolves the replies.
    generations : int
        Inner generations in the first outer one; at least 1.
    growth : float
        Inner generations more in each outer generation; 0 or more. They are rounded down.
    start : str
        Where replies begin to evolve: the 'last inner best', the reply that won most against the last
        generation's best genome, or the 'outer best', the best genome so far, which section 3.3 suggests; or
        'the genome itself' that is attacked, as in Algorithm 1 (G_initial <- G_i). Unlike in the paper,
        the start itself counts as a reply too.
    hands : int, optional
        Hands played in each seat to see what a reply wins; its expected winnings if left out.
    """

    evolution: EvolutionStrategy[Any] = field(default_factory=CSAES)
    generations: int = 10
    growth: float = 0.0
    start: str = "last inner best"
    hands: int | None = None

    def __post_init__(self) -> None:
        whole("generations", self.generations, 1, LARGEST_COUNT)
        number("growth", self.growth, 0.0, MOST_GROWTH)
        UnknownNameError.check("start of inner runs", self.start, STARTS)
        if self.hands is not None:
            whole("hands", self.hands, 2, LARGEST_COUNT)
        check_strategy(self.evolution)

    @property
    def exact(self) -> bool:
        """Never: a reply that was not found may win more."""
        return False

    def reply_size(self, encoding: Encoding) -> int:
        """Return G: replies are genomes of the same kind."""
        return encoding.num_genes

    def first_replies(self, genomes: Floats, best: Floats, last_reply: Floats) -> Floats:
        """Return the genomes, (k, G), from which replies to `genomes`, (k, G), evolve."""
        starts = {"last inner best": last_reply, "outer best": best, "the genome itself": genomes}
        return np.broadcast_to(starts[self.start], genomes.shape)

    def budget(self, generation: int) -> int:
        """Return how many inner generations belong to an outer one."""
        return self.generations + math.floor(self.growth * generation)

    def run(
        self,
        encoding: Encoding,
        genome: Floats,
        reply: Floats,
        *,
        seed: int,
        generation: int = 0,
        individual: int = 0,
    ) -> Iterator[Inner]:
        """Yield the inner run against `genome`, (G,), from `reply`, (G,): the start, then each generation."""
        matches = matches_against(encoding, genome, self.hands)

        def won(replies: Floats, inner: int) -> tuple[Floats, Floats]:
            index = (generation, individual, inner)
            return matches.won(replies, stream(seed, "hands", *index) if self.hands else None)

        values, errors = won(reply[None, :], 0)
        now = Inner(reply, float(values[0]), float(errors[0]), 1)
        yield now
        # The outer evolution has the index (0, 0).
        index = (1 + generation, individual)
        state = self.evolution.init(in_scale(encoding, reply), seed=seed, index=index)
        for inner in range(1, self.budget(generation) + 1):
            replies = self.evolution.ask(state)
            values, errors = won(replies, inner)
            state = self.evolution.tell(state, replies, values)
            best = int(np.argmax(values))
            evaluations = now.evaluations + len(replies)
            if values[best] > now.value:
                now = Inner(replies[best], float(values[best]), float(errors[best]), evaluations)
            else:
                now = now._replace(evaluations=evaluations)
            yield now

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        replies: Floats,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measured:
        """Return what evolved replies win against genomes, (k, G)."""
        ends = []
        for genome, reply, individual in zip(genomes, replies, individuals, strict=True):
            inner = self.run(
                encoding, genome, reply, seed=seed, generation=generation, individual=individual
            )
            *_, end = inner
            ends.append(end)
        return Measured(
            np.array([end.value for end in ends]),
            np.array([end.error for end in ends]),
            np.array([end.reply for end in ends]).reshape(len(ends), encoding.num_genes),
            sum(end.evaluations for end in ends),
        )


class ReplyMatches(Protocol):
    """Matches of any number of replies against one genome."""

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win, (k,), and its standard errors, (k,)."""


class ExactMatches:
    """Expected winnings in a compiled game: linear in a reply's realization plans."""

    def __init__(self, encoding: Any, genome: Floats) -> None:
        self.encoding, self.block = encoding, encoding.game.block
        self.behavior = encoding.behaviors(genome[None, :])[0]
        self.gradient = gradients(self.block, plans_of(self.block, self.behavior))

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average, (k,), and zeros."""
        behaviors = self.encoding.behaviors(replies)
        won = linear_gains(self.block, self.gradient, self.behavior, behaviors)
        return won, np.zeros(len(won))


class AnyMatches:
    """Expected winnings in any other exact game, profile by profile."""

    def __init__(self, encoding: Encoding, genome: Floats) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.profile = encoding.profile(genome)
        self.own = float(self.game.values(self.profile).sum())

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average, (k,), and zeros."""
        won = []
        for genome in replies:
            reply = self.encoding.profile(genome)
            seats = range(self.game.num_players)
            mixed = [self.game.values(self.profile.replace(seat, reply))[seat] for seat in seats]
            won.append(sum(mixed) - self.own)
        return np.array(won), np.zeros(len(won))


class PlayedMatches:
    """Mean winnings over a number of hands in each seat of a compiled game.

    Where several ends share everybody's sequences, their expected utility is paid.
    """

    def __init__(self, encoding: Any, genome: Floats, hands: int) -> None:
        self.encoding, self.game, self.hands = encoding, encoding.game, hands
        profile = encoding.profile(genome)
        self.plan = plans_of(self.game.block, profile.vector)
        self.own = float(self.game.values(profile).sum())

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average over the hands, (k,), and its standard errors."""
        assert rng is not None
        game = self.game
        means, variances = np.zeros(len(replies)), np.zeros(len(replies))
        for row, behavior in enumerate(self.encoding.behaviors(replies)):
            plan = plans_of(game.block, behavior)
            for seat in range(game.num_players):
                chance = game.chance.copy()
                for player in range(game.num_players):
                    played = plan if player == seat else self.plan
                    chance *= played[game.sequence[:, player]]
                frequency = rng.multinomial(self.hands, chance / chance.sum()) / self.hands
                payoff = game.payoff[:, seat]
                mean = float(frequency @ payoff)
                means[row] += mean
                variances[row] += float(frequency @ (payoff - mean) ** 2)
        return means - self.own, np.sqrt(variances / max(self.hands - 1, 1))


def matches_against(encoding: Encoding, genome: Floats, hands: int | None) -> ReplyMatches:
    """Return the matches against `genome`, (G,), exact or of `hands` hands."""
    compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "behaviors")
    if hands is None:
        return (ExactMatches if compiled else AnyMatches)(encoding, genome)
    if not compiled:
        raise GameError(
            f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
        )
    return PlayedMatches(encoding, genome, hands)


@kernel
def linear_gains(block: Floats, gradient: Floats, behavior: Floats, replies: Floats) -> Floats:
    """Return the sum over players of gradient times the change of plan, for each of `replies`, (k, S - n)."""
    game = workspace(block)
    n = game.ids[0]
    own = plans_of(block, behavior)
    gains = np.zeros(replies.shape[0])
    for row in range(gains.size):
        game.plan[n:] = replies[row]
        for player in range(n):
            realize(game, player, game.plan)
        for q in range(n, own.size):
            gains[row] += gradient[q] * (game.plan[q] - own[q])
    return gains
