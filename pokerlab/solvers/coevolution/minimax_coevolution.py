"""Minimax coevolution: evolve the genome that loses least in the worst case.

Algorithm 1 of Samothrakis & Lucas (2011). An evolution strategy draws genomes around a mean; a worst case
says how much a replier can win against each; the strategy moves toward those that lose less.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError, ShapeError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.settings import switch, whole
from pokerlab.core.workers import MOST_WORKERS, shared
from pokerlab.evolution import CMAES, EvolutionState, EvolutionStrategy
from pokerlab.evolution.protocol import check_strategy
from pokerlab.games import SequenceForm
from pokerlab.holdem.bucketed import BucketedHoldem
from pokerlab.solvers.protocol import check_step
from pokerlab.solvers.worst_case.worst_case import (
    ExactReply,
    Measured,
    WorstCase,
    check_worst_case,
    checked_measured,
    exact_values,
)
from pokerlab.strategies import DirectEncoding, Encoding, TupleTable
from pokerlab.strategies.direct_encoding import check_same_choices
from pokerlab.strategies.encoding import check_encoding, checked_genomes


@dataclass(frozen=True, eq=False)
class MinimaxState:
    """Where a coevolution stands after `iteration` outer generations.

    Attributes
    ----------
    game
        What is played.
    encoding : Encoding
        What genomes mean.
    iteration : int
        Outer generations done.
    evolution : EvolutionState
        Of the outer evolution.
    best : ndarray of shape (G,)
        The genome with the smallest worst case.
    best_value, best_error : float
        Its exploitability, summed over seats, as far as the worst case has found it, and the standard
        error, in the game's unit.
    generation_value : float
        The smallest worst case measured in the last generation.
    reply : ndarray of shape (R,)
        The genome that won `best_value` against `best`; empty if replies are not genomes.
    last_reply : ndarray of shape (R,)
        The genome that won most against the best of the last generation.
    evaluations : int
        Genomes measured, the start and measuring again included.
    inner_evaluations : int
        Matches between replies and genomes.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any
    encoding: Encoding
    iteration: int
    evolution: EvolutionState
    best: Floats
    best_value: float
    best_error: float
    generation_value: float
    reply: Floats
    last_reply: Floats
    evaluations: int
    inner_evaluations: int

    def __post_init__(self) -> None:
        genes = self.encoding.num_genes
        shapes = (self.evolution.mean.shape, self.best.shape)
        if shapes != ((genes,), (genes,)) or self.reply.shape != self.last_reply.shape:
            raise ShapeError(
                f"a coevolution of {genes} genes has a mean and a best genome of shapes {shapes}, and"
                f" replies of {self.reply.shape} and {self.last_reply.shape}; all must fit."
            )
        freeze(self.best, self.reply, self.last_reply)

    @cached_property
    def profile(self) -> Any:
        """What everybody does by the best genome."""
        return self.encoding.profile(self.best)

    @cached_property
    def exact_value(self) -> float:
        """The exploitability of the best genome by exact best responses: the sum of all seats' gains."""
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
        """The exploitability of the evolution's mean by exact best responses."""
        return float(exact_values(self.encoding, self.evolution.mean[None, :])[0])


class MinimaxCoevolution:
    """Evolution of one genome for all seats, whose fitness is minus what can be won against it.

    The worst case is a sum over seats: in each a replier sits, while the genome keeps the others. It is
    zero exactly where the genome is a Nash equilibrium with itself, for any number of players.

    Parameters
    ----------
    game
        A compiled game, or another for which there is an encoding.
    seed : int
        Names all random numbers.
    encoding : Encoding, optional
        What genomes mean; if left out `DirectEncoding`, with the same genes for all seats where they
        have the same choices, or `TupleTable` in bucketed hold'em.
    evolution : EvolutionStrategy, optional
        The outer one; `CMAES()` if left out.
    worst_case : WorstCase, optional
        `ExactReply()` if left out; `InnerEvolution()` is the paper's purely evolutionary version.
    start : array_like of shape (G,), optional
        The first mean; the encoding's own if left out.
    rechecked : bool
        Whether, unlike in the paper, the best genome is measured again in each generation, from the
        reply that won most against it: otherwise a genome that once met a lazy search stays the best.
        Exact worst cases need no second look.
    workers : int
        Threads, 1 to 256, that share a generation's genomes; results do not depend on it. Searches in compiled
        code run side by side, an `InnerEvolution` gains little.

    Raises
    ------
    GameError
        If the encoding is for another game.
    SettingError
        If a part is not what it should be, or the start is not a genome.

    References
    ----------
    .. [1] S. Samothrakis, S. Lucas, "Approximating n-player Behavioural Strategy Nash Equilibria Using
       Coevolution", GECCO 2011

    Examples
    --------
    >>> from pokerlab.games import biased_rps
    >>> coevolution = MinimaxCoevolution(biased_rps(), seed=1)
    >>> state = coevolution.step(coevolution.init(), 200)
    >>> state.profile.of(0).round(6)
    array([0.0625, 0.625 , 0.3125])
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers",)
    """Parameters on which no number depends."""

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
        self.encoding: Encoding = default_encoding(game) if encoding is None else encoding
        check_encoding(self.encoding, game)
        self.evolution: EvolutionStrategy[Any] = CMAES() if evolution is None else evolution
        check_strategy(self.evolution)
        self.worst_case: WorstCase = ExactReply() if worst_case is None else worst_case
        check_worst_case(self.worst_case)
        begin = self.encoding.start if start is None else np.asarray(start)
        self.start = checked_genomes(self.encoding, np.asarray(begin)[None])[0].copy()
        self.rechecked = switch("rechecked", rechecked)
        self.workers = whole("workers", workers, 1, MOST_WORKERS)

    def init(self) -> MinimaxState:
        """Return the state in which only the start has been measured."""
        size = self.worst_case.reply_size(self.encoding)
        genomes = self.start[None, :]
        replies = self.worst_case.first_replies(genomes, self.start, self.start[:size])
        measured = self.measured(genomes, replies, 0)
        return MinimaxState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            evolution=self.evolution.init(self.start, seed=self.seed, index=(0, 0)),
            best=self.start.copy(),
            best_value=float(measured.values[0]),
            best_error=float(measured.errors[0]),
            generation_value=float(measured.values[0]),
            reply=measured.replies[0].copy(),
            last_reply=measured.replies[0].copy(),
            evaluations=1,
            inner_evaluations=measured.evaluations,
        )

    def step(self, state: MinimaxState, count: int = 1) -> MinimaxState:
        """Return the state `count` generations later; `state` stays as it is."""
        for _ in range(check_step(self.game, state, count, MinimaxState)):
            state = self.generation(state)
        return state

    def generation(self, state: MinimaxState) -> MinimaxState:
        """Return the state after one outer generation."""
        offspring = self.evolution.ask(state.evolution)
        k = len(offspring)
        genomes = offspring
        replies = self.worst_case.first_replies(genomes, state.best, state.last_reply)
        again = self.rechecked and not self.worst_case.exact
        if again:
            genomes = np.concatenate([offspring, state.best[None, :]])
            replies = np.concatenate([replies, state.reply[None, :]])
        measured = self.measured(genomes, replies, state.iteration + 1)

        values, errors, answers = measured.values, measured.errors, measured.replies
        fittest = int(np.argmin(values[:k]))
        best, value, error, reply = state.best, state.best_value, state.best_error, state.reply
        if again:
            value, error, reply = float(values[k]), float(errors[k]), answers[k].copy()
        if values[fittest] < value:
            best, reply = genomes[fittest].copy(), answers[fittest].copy()
            value, error = float(values[fittest]), float(errors[fittest])
        return MinimaxState(
            game=state.game,
            encoding=self.encoding,
            iteration=state.iteration + 1,
            evolution=self.evolution.tell(state.evolution, offspring, -values[:k]),
            best=best,
            best_value=value,
            best_error=error,
            generation_value=float(values[fittest]),
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
        found = Measured(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.errors for part in parts]),
            np.concatenate([part.replies for part in parts]),
            sum(part.evaluations for part in parts),
        )
        return checked_measured(self.worst_case, found, replies.shape)


def default_encoding(game: Any) -> Encoding:
    """Return a direct encoding, shared by seats with the same choices; a tuple table for bucketed hold'em."""
    if isinstance(game, BucketedHoldem):
        return TupleTable(game)
    if not isinstance(game, SequenceForm):
        raise GameError(
            f"{game!r} is not a compiled game, so genomes have no default meaning. Give an"
            " encoding=, or a game such as games.kuhn()."
        )
    try:
        check_same_choices(game)
    except GameError:
        return DirectEncoding(game)
    return DirectEncoding(game, seats="shared")
