"""The worst case by evolution: replies evolve against one genome, generation within generation."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import UnknownNameError, stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.evolution import CSAES, EvolutionStrategy
from pokerlab.evolution.protocol import check_strategy
from pokerlab.solvers.worst_case.matches import matches_against
from pokerlab.solvers.worst_case.worst_case import Measured
from pokerlab.strategies import Encoding
from pokerlab.strategies.encoding import in_scale

MOST_GROWTH = 1e6
STARTS = ("last inner best", "outer best", "the genome itself")


class Inner(NamedTuple):
    """Where an inner run stands.

    Attributes
    ----------
    reply : ndarray of shape (G,)
        What has won most so far.
    value, error : float
        How much, and its standard error.
    evaluations : int
        Matches so far.
    """

    reply: Floats
    value: float
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
