"""Minimax coevolution (Samothrakis & Lucas 2011, Algorithm 1): evolve what loses least in the worst case."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import switch, whole
from pokerlab.core.threads import MOST_WORKERS, shared
from pokerlab.evolution import CMAES, EvolutionStrategy
from pokerlab.evolution.protocol import check_strategy
from pokerlab.games import SequenceForm
from pokerlab.holdem.bucketed import BucketedHoldem
from pokerlab.solvers.minimax_state import MinimaxState
from pokerlab.solvers.protocol import check_step
from pokerlab.solvers.worst_case.exact_reply import ExactReply
from pokerlab.solvers.worst_case.worst_case import (
    Measured,
    WorstCase,
    check_worst_case,
    checked_measured,
)
from pokerlab.strategies import DirectEncoding, Encoding, TupleTable
from pokerlab.strategies.direct_encoding import check_same_choices
from pokerlab.strategies.encoding import check_encoding, checked_genomes


class MinimaxCoevolution:
    """Evolution of one genome for all seats, whose fitness is minus what can be won against it.

    The worst case is a sum over seats: in each a replier sits, while the genome keeps the others. It is
    zero exactly where the genome is a Nash equilibrium with itself, for any number of players.

    Parameters
    ----------
    game
        A compiled game, or another that its encoding knows.
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
        If a part is none, or the start no genome.

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
    """What does not decide any number."""

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
        reply = self.worst_case.first_reply(self.start, self.start[:size].copy())
        measured = self.measured(self.start[None, :], reply[None, :], 0)
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
        first = self.worst_case.first_reply(state.best, state.last_reply)
        genomes, replies = offspring, np.tile(first, (k, 1))
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
    """Return a direct encoding, shared by seats that are alike; a tuple table of bucketed hold'em."""
    if isinstance(game, BucketedHoldem):
        return TupleTable(game)
    if not isinstance(game, SequenceForm):
        raise GameError(
            f"{game!r} is no compiled game, so that genomes have no meaning of their own. Give an"
            " encoding=, or a game such as games.kuhn()."
        )
    try:
        check_same_choices(game)
    except GameError:
        return DirectEncoding(game)
    return DirectEncoding(game, seats="shared")
