"""Minimax coevolution: evolve the genome that loses least in the worst case.

Algorithm 1 of Samothrakis & Lucas (2011). An evolution strategy draws genomes around a mean; a worst case
says how much a replier can win against each; the strategy moves toward those that lose less. Where seats are
judged apart, by `SeatReplies`, the genes of each have an evolution of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, ShapeError, freeze
from pokerlab.core.settings import check_kind, has_method, switch, whole
from pokerlab.core.workers import MOST_WORKERS, shared
from pokerlab.evolution import CMAES, EvolutionStrategy
from pokerlab.evolution.evolution_strategies import EvolutionState, check_strategy
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import Contest, SequenceForm
from pokerlab.games.symmetric import find_asymmetry
from pokerlab.solvers.protocol import read_count
from pokerlab.solvers.worst_case import (
    ExactReply,
    InnerEvolution,
    Measured,
    SeatReplies,
    WorstCase,
    check_worst_case,
    checked_measured,
    exact_values,
)
from pokerlab.strategies import DirectEncoding, Encoding
from pokerlab.strategies.encoding import check_encoding, checked_genome

NONE: Floats = np.empty(0)


@dataclass(frozen=True, eq=False)
class MinimaxState:
    """Where a coevolution stands after `iteration` outer generations."""

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any
    encoding: Encoding  # what genomes mean
    iteration: int
    evolution: EvolutionState | tuple[EvolutionState, ...]  # one each if seats are judged apart
    best: Floats  # (G,): the genome, or each seat's genes, with the smallest worst case
    best_values: Floats  # (1,) or (2,): what a replier wins against it, in all or each
    best_error: float  # standard error of the sum
    mean_values: Floats  # (0,) or (2,): the same of the means of the last offspring, seat by seat
    generation_value: float  # the smallest worst case measured in the last generation
    reply: Floats  # (R,): the genome that won it; empty if replies are not genomes
    last_reply: Floats  # (R,): the genome that won most against the best of the last generation
    evaluations: int  # genomes measured, the start and measuring again included
    inner_evaluations: int  # matches between replies and genomes

    def __post_init__(self) -> None:
        genes, parts = self.encoding.num_genes, len(self.evolutions)
        mean = self.evolutions[0].mean if parts == 1 else self.best
        shapes = mean.shape, self.best.shape, self.best_values.shape
        fit = shapes == ((genes,), (genes,), (parts,))
        if not fit or self.reply.shape != self.last_reply.shape:
            raise ShapeError(
                f"a coevolution of {genes} genes has a mean, a best genome and its values of shapes {shapes},"
                f" and replies of {self.reply.shape} and {self.last_reply.shape}; all must fit."
            )
        freeze(self.best, self.best_values, self.mean_values, self.reply, self.last_reply)

    @property
    def evolutions(self) -> tuple[EvolutionState, ...]:
        """The evolution alone, or those of both seats."""
        return self.evolution if isinstance(self.evolution, tuple) else (self.evolution,)

    @property
    def best_value(self) -> float:
        """The best genome's exploitability as far as the worst case has found it, over all seats."""
        return float(self.best_values.sum())

    @cached_property
    def profile(self) -> Any:
        """What everybody does by the best genome."""
        return self.encoding.profile(self.best)

    @cached_property
    def exact_value(self) -> float:
        """The exploitability of the best genome by exact best responses: the sum of all seats' gains.

        Raises
        ------
        GameError
            In a contest, where nobody knows the best reply.
        """
        if isinstance(self.game, Contest):
            raise GameError(
                f"nobody knows the best reply in {self.game.name}, a contest; best_value is what evolved replies win."
            )
        return float(self.game.nash_conv(self.profile))

    @property
    def gap(self) -> float:
        """How much of the exploitability the worst case has not found."""
        return self.exact_value - self.best_value

    @cached_property
    def gains(self) -> Floats:
        """What a best response gains in each seat, (n,)."""
        return np.asarray(self.game.gains(self.profile))

    @property
    def epsilon(self) -> float:
        """The largest gain of a single seat."""
        return float(self.gains.max())

    @cached_property
    def mean_value(self) -> float:
        """The exploitability of the mean by exact best responses; seat by seat, of the last generation's."""
        if len(self.evolutions) > 1:
            return float(self.mean_values.sum())
        return float(exact_values(self.encoding, self.evolutions[0].mean[None, :])[0])


class MinimaxCoevolution:
    """Evolution of one genome for all seats, whose fitness is minus what can be won against it.

    The worst case is a sum over seats: in each a replier sits, while the genome keeps the others. It is
    zero exactly where the genome is a Nash equilibrium with itself, for any number of players.

    Parameters
    ----------
    game
        A compiled game, another for which there is an encoding, or a contest, whose worst cases evolve.
    seed : int
        Names all random numbers.
    encoding : Encoding, optional
        What genomes mean; if left out `TupleTable` in bucketed hold'em, and `DirectEncoding` elsewhere: with the
        same genes for all seats in symmetric games, with genes of its own for each seat in others.
    evolution : EvolutionStrategy, optional
        The outer one; `CMAES()` if left out.
    worst_case : WorstCase, optional
        `ExactReply()` if left out; `InnerEvolution()` is the paper's purely evolutionary version.
        With `SeatReplies()` two evolutions, of the genes of one seat each, run side by side: offspring k of
        one and offspring k of the other make one genome. The means are measured too.
    start : array_like of shape (G,), optional
        The first mean; the encoding's own if left out.
    rechecked : bool
        Whether, unlike in the paper, the best genome is measured again in each generation, from the
        reply that won most against it: otherwise a genome that once met a lazy search stays the best.
        Exact worst cases need no second look.
    workers : int
        Threads, 1 to 256, that share a generation's genomes; results do not depend on it. Searches in compiled
        code run side by side, an `InnerEvolution` gains little.

    Examples
    --------
    >>> from pokerlab.games import biased_rps
    >>> coevolution = MinimaxCoevolution(biased_rps(), seed=1)
    >>> state = coevolution.step(coevolution.init(), 200)
    >>> state.profile.of(0).round(6)
    array([0.0625, 0.625 , 0.3125])
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers",)  # parameters on which no number depends

    def __init__(
        self,
        game: Any,
        *,
        seed: int,
        encoding: Encoding | None = None,
        evolution: EvolutionStrategy[Any] | None = None,
        worst_case: WorstCase | None = None,
        start: ArrayLike | None = None,
        rechecked: bool = True,
        workers: int = 1,
    ) -> None:
        self.game, self.seed = game, whole("seed", seed, 0)
        if isinstance(game, Contest):
            encoding = EncodedContest(game, encoding)  # type: ignore[arg-type]
            worst_case = InnerEvolution() if worst_case is None else worst_case
        self.encoding: Encoding = default_encoding(game) if encoding is None else encoding
        check_encoding(self.encoding, game)
        self.evolution: EvolutionStrategy[Any] = CMAES() if evolution is None else evolution
        check_strategy(self.evolution)
        self.worst_case: WorstCase = ExactReply() if worst_case is None else worst_case
        check_worst_case(self.worst_case)
        begin = self.encoding.start if start is None else start
        self.start = checked_genome(self.encoding, begin).copy()
        self.rechecked = switch("rechecked", rechecked)
        self.workers = whole("workers", workers, 1, MOST_WORKERS)
        _ = self.parts  # which refuses what does not split

    @property
    def by_seat(self) -> bool:
        """Whether the genes of each seat have an evolution of their own."""
        return isinstance(self.worst_case, SeatReplies)

    @cached_property
    def parts(self) -> Sequence[Any]:
        """Which genes each evolution has."""
        if isinstance(self.worst_case, SeatReplies):
            return self.worst_case.seat_genes(self.encoding)
        return (slice(None),)

    def init(self) -> MinimaxState:
        """Return the state in which only the start has been measured."""
        size = self.worst_case.reply_size(self.encoding)
        genomes = self.start[None, :]
        replies = self.worst_case.first_replies(genomes, self.start, self.start[:size])
        measured = self.measured(genomes, replies, 0)
        values = measured.values.reshape(-1)
        evolutions = tuple(
            self.evolution.init(
                self.start[genes], seed=self.seed, index=(part,) if self.by_seat else (0, 0)
            )
            for part, genes in enumerate(self.parts)
        )
        return MinimaxState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            evolution=evolutions if self.by_seat else evolutions[0],
            best=self.start.copy(),
            best_values=values.copy(),
            best_error=float(measured.errors[0]),
            mean_values=values.copy() if self.by_seat else NONE,
            generation_value=float(values.sum()),
            reply=measured.replies[0].copy(),
            last_reply=measured.replies[0].copy(),
            evaluations=1,
            inner_evaluations=measured.evaluations,
        )

    def step(self, state: MinimaxState, count: int = 1) -> MinimaxState:
        """Return the state `count` generations later; `state` stays as it is."""
        for _ in range(read_count(self.game, state, count, MinimaxState)):
            state = self.generation(state)
        return state

    def generation(self, state: MinimaxState) -> MinimaxState:
        """Return the state after one outer generation."""
        evolutions = state.evolutions
        offspring = [self.evolution.ask(evolving) for evolving in evolutions]
        k = max(map(len, offspring))
        again = self.rechecked and not self.worst_case.exact
        genomes = np.tile(state.best if again else self.start, (k + (again or self.by_seat), 1))
        for genes, evolving, new in zip(self.parts, evolutions, offspring, strict=True):
            if self.by_seat:  # the seat with fewer offspring shows its mean again
                genomes[:, genes] = evolving.mean
            genomes[: len(new), genes] = new
        replies = self.worst_case.first_replies(genomes, state.best, state.last_reply)
        if again:
            replies = np.concatenate([replies[:k], state.reply[None, :]])
        measured = self.measured(genomes, replies, state.iteration + 1)

        values, answers = measured.values.reshape(len(genomes), -1), measured.replies
        best, best_values = state.best.copy(), state.best_values.copy()
        error, reply = state.best_error, state.reply
        if again:
            best_values, error, reply = values[k].copy(), measured.errors[k], answers[k].copy()
        for part, row in enumerate(np.argmin(values, axis=0)):
            if values[row, part] < best_values[part]:
                genes = self.parts[part]
                best[genes], best_values[part] = genomes[row, genes], values[row, part]
                error, reply = measured.errors[row], answers[row].copy()
        told = tuple(
            self.evolution.tell(evolving, new, -values[: len(new), part])
            for part, (evolving, new) in enumerate(zip(evolutions, offspring, strict=True))
        )
        fittest = int(np.argmin(values[:k].sum(axis=1)))
        return MinimaxState(
            game=state.game,
            encoding=self.encoding,
            iteration=state.iteration + 1,
            evolution=told if self.by_seat else told[0],
            best=best,
            best_values=best_values,
            best_error=float(error),
            mean_values=values[-1].copy() if self.by_seat else NONE,
            generation_value=float(values[fittest].sum()),
            reply=reply,
            last_reply=answers[fittest].copy(),
            evaluations=state.evaluations + len(genomes),
            inner_evaluations=state.inner_evaluations + measured.evaluations,
        )

    def measured(self, genomes: Floats, replies: Floats, generation: int) -> Measured:
        """Return the worst cases of genomes, (k, G), divided among the workers."""

        def measure(low: int, high: int) -> Measured:
            return self.worst_case.measure(
                self.encoding,
                genomes[low:high],
                replies[low:high],
                seed=self.seed,
                generation=generation,
                individuals=tuple(range(low, high)),
            )

        parts = shared(measure, 0, len(genomes), workers=self.workers)
        *arrays, evaluations = zip(*parts, strict=True)
        values, errors, answers = map(np.concatenate, arrays)
        found = Measured(values, errors, answers, sum(evaluations))
        return checked_measured(self.worst_case, found, replies.shape)


def default_encoding(game: Any) -> Encoding:
    """Return the game's own encoding if it has one; else a direct one, shared by all seats in symmetric games."""
    if has_method(game, "default_encoding"):
        own: Encoding = game.default_encoding()
        return own
    instead = "a compiled one, such as games.kuhn(), or an encoding= that says what genomes mean"
    check_kind("game", game, SequenceForm, instead, GameError)
    return DirectEncoding(game, seats="own" if find_asymmetry(game) else "shared")
