"""The worst case by evolution: replies evolve against one genome, generation within generation.

A reply takes each seat in turn while the genome keeps all others, exactly or over a number of hands. What it wins is
summed over the seats, less what the genome itself wins there: in a two-player zero-sum game that is nothing.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.core import Floats, GameError, UnknownNameError, kernel, stream
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.core.workers import heeded
from pokerlab.evolution import CSAES, EvolutionStrategy
from pokerlab.evolution.population.contenders import Contenders
from pokerlab.evolution.protocol import check_strategy
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of, realize, workspace
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.solvers.worst_case.replies import Measured
from pokerlab.strategies import Encoding
from pokerlab.strategies.encoding import in_scale

Won: TypeAlias = Callable[..., tuple[Floats, Floats]]
"""From replies, (k, G), and a generator if hands are played, to what they win and its errors, (k,)."""
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

    Judged by expected winnings, it finds at most what an exact best response wins; the difference is the gap in which
    a genome can hide. Judged by hands played, it may find more, since the best reply was also lucky.

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
        against = matches_against(encoding, genome, self.hands)

        def won(replies: Floats, inner: int) -> tuple[Floats, Floats]:
            index = (generation, individual, inner)
            return against(replies, stream(seed, "hands", *index) if self.hands else None)

        values, errors = won(reply[None, :], 0)
        now = Inner(reply, float(values[0]), float(errors[0]), 1)
        yield now
        # The outer evolution has the index (0, 0).
        index = (1 + generation, individual)
        state = self.evolution.init(in_scale(encoding, reply), seed=seed, index=index)
        for inner in heeded(range(1, self.budget(generation) + 1)):
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
        runs = [
            self.run(encoding, genome, reply, seed=seed, generation=generation, individual=one)
            for genome, reply, one in zip(genomes, replies, individuals, strict=True)
        ]
        ends = [list(run)[-1] for run in runs]
        return Measured(
            np.array([end.value for end in ends]),
            np.array([end.error for end in ends]),
            np.array([end.reply for end in ends]).reshape(len(ends), encoding.num_genes),
            sum(end.evaluations for end in ends),
        )


def exact_matches(encoding: Any, genome: Floats) -> Won:
    """Return how to find expected winnings in a compiled game: linear in a reply's realization plans."""
    block, behavior = encoding.game.block, encoding.behaviors(genome[None, :])[0]
    gradient = gradients(block, plans_of(block, behavior))

    def won(replies: Floats, rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        gains = linear_gains(block, gradient, behavior, encoding.behaviors(replies))
        return gains, np.zeros(len(gains))

    return won


def any_matches(encoding: Encoding, genome: Floats) -> Won:
    """Return how to find expected winnings in any other exact game, profile by profile."""
    game: Any = encoding.game
    profile, seats = encoding.profile(genome), range(game.num_players)
    own = float(game.values(profile).sum())

    def won(replies: Floats, rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        others = [encoding.profile(reply) for reply in replies]
        mixed = [
            sum([game.values(profile.replace(seat, other))[seat] for seat in seats]) - own
            for other in others
        ]
        return np.array(mixed), np.zeros(len(mixed))

    return won


def played_matches(encoding: Any, genome: Floats, hands: int) -> Won:
    """Return how to find mean winnings over a number of hands in each seat of a compiled game.

    Where several ends share everybody's sequences, their expected utility is paid.
    """
    game, profile = encoding.game, encoding.profile(genome)
    own_plan, own = plans_of(game.block, profile.vector), float(game.values(profile).sum())

    def won(replies: Floats, rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        assert rng is not None
        means, variances = np.zeros(len(replies)), np.zeros(len(replies))
        for row, behavior in enumerate(encoding.behaviors(replies)):
            plan = plans_of(game.block, behavior)
            for seat in range(game.num_players):
                chance = game.chance.copy()
                for player in range(game.num_players):
                    chance *= (plan if player == seat else own_plan)[game.sequence[:, player]]
                frequency = rng.multinomial(hands, chance / chance.sum()) / hands
                payoff = game.payoff[:, seat]
                mean = float(frequency @ payoff)
                means[row] += mean
                variances[row] += float(frequency @ (payoff - mean) ** 2)
        return means - own, np.sqrt(variances / max(hands - 1, 1))

    return won


def contest_matches(encoding: Contenders, genome: Floats) -> Won:
    """Return how to find what replies win in a contest, mean over the same seeds for all."""

    def won(replies: Floats, rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        gains = encoding.payoffs(replies, genome[None, :])[:, 0]
        return gains, np.zeros(len(gains))

    return won


def matches_against(encoding: Encoding, genome: Floats, hands: int | None) -> Won:
    """Return how to find what replies win against `genome`, (G,), exactly or in `hands` hands."""
    if isinstance(encoding, Contenders) and hands is None:
        return contest_matches(encoding, genome)
    compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "behaviors")
    if hands is None:
        return (exact_matches if compiled else any_matches)(encoding, genome)
    if not compiled:
        raise GameError(
            f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
        )
    return played_matches(encoding, genome, hands)


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
