"""Coevolution seat by seat: two evolutions, each judged by what a best response wins against its seat.

In a zero-sum game for two, exploitability is a sum of two numbers: what the best response wins
against the genes of the first seat, and against those of the second. Judged by the sum, as in
Algorithm 1 [1]_, a good first half is thrown away with a bad second one. Here, unlike in the paper, each
half is judged by its own number, from the same evaluations. The paper's agent also has separate genes
for each position of the button, so its halves could be judged like this too.

References
----------
.. [1] S. Samothrakis, S. Lucas, "Approximating n-player Behavioural Strategy Nash Equilibria Using
   Coevolution", GECCO 2011
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError, ShapeError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.settings import whole
from pokerlab.core.workers import MOST_WORKERS, shared
from pokerlab.evolution import EvolutionState, EvolutionStrategy, GradientES
from pokerlab.evolution.protocol import check_strategy
from pokerlab.solvers.protocol import check_step
from pokerlab.strategies.encoding import SeatedEncoding, check_encoding, checked_genomes

SEATS = 2


@dataclass(frozen=True, eq=False)
class SeatwiseState:
    """Where a coevolution seat by seat stands after `iteration` generations.

    Attributes
    ----------
    game
        What is played.
    encoding : SeatedEncoding
        What genomes mean.
    iteration : int
        Generations done.
    evolution : tuple of two EvolutionState
        Of the first seat's genes and of the second's.
    best : ndarray of shape (G,)
        Each seat's best genes so far, offspring and means alike.
    best_values : ndarray of shape (2,)
        What a best response wins against each seat of `best`, in the game's unit.
    mean_values : ndarray of shape (2,)
        The same for the means from which the last offspring were drawn.
    evaluations : int
        Genomes measured.
    """

    game: Any
    encoding: SeatedEncoding
    iteration: int
    evolution: tuple[EvolutionState, EvolutionState]
    best: Floats
    best_values: Floats
    mean_values: Floats
    evaluations: int

    def __post_init__(self) -> None:
        genes = (self.encoding.num_genes,)
        if self.best.shape != genes or self.best_values.shape != (SEATS,):
            raise ShapeError(
                f"a coevolution of {genes[0]} genes has a best genome of shape {self.best.shape} and values"
                f" of shape {self.best_values.shape}; they must be {genes} and ({SEATS},)."
            )
        freeze(self.best, self.best_values, self.mean_values)

    @property
    def best_value(self) -> float:
        """The exploitability of the best genome, in the game's unit: the sum over both seats."""
        return float(self.best_values.sum())

    @property
    def mean_value(self) -> float:
        """The exploitability of the means from which the last offspring were drawn."""
        return float(self.mean_values.sum())

    @cached_property
    def profile(self) -> Any:
        """What both seats do by the best genome."""
        return self.encoding.profile(self.best)

    @cached_property
    def exact_value(self) -> float:
        """The exploitability of the best genome, worked out anew."""
        return float(self.game.nash_conv(self.profile))


class SeatwiseCoevolution:
    """Two evolutions side by side, the genes of one seat each, whose fitness is minus what can be won against it.

    Both are fed from the same evaluations: offspring k of one and offspring k of the other make one
    genome, and exact best responses in the two seats judge its halves. The means are measured too.

    Parameters
    ----------
    game
        A two-player zero-sum game.
    seed : int
        Names all random numbers.
    encoding : SeatedEncoding
        What genomes mean; each gene belongs to one seat, as in `TupleTable` and `DirectEncoding`.
    evolution : EvolutionStrategy, optional
        Of either seat's genes; `GradientES()` if left out.
    start : array_like of shape (G,), optional
        The first mean; the encoding's own if left out.
    workers : int
        Threads, 1 to 256, that share a generation's genomes; results do not depend on it.

    Raises
    ------
    GameError
        If the game is not two-player zero-sum, the encoding is for another game, or its seats share genes.
    SettingError
        If a part is not what it should be, or the start is not a genome.

    Examples
    --------
    >>> from pokerlab.evolution import CMAES
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> game = kuhn()
    >>> encoding = DirectEncoding(game)
    >>> coevolution = SeatwiseCoevolution(game, seed=1, encoding=encoding, evolution=CMAES())
    >>> state = coevolution.step(coevolution.init(), 300)
    >>> state.best_value < 1e-6
    True
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers",)
    """Parameters on which no number depends."""

    def __init__(
        self,
        game: Any,
        *,
        seed: int,
        encoding: SeatedEncoding,
        evolution: EvolutionStrategy[Any] | None = None,
        start: ArrayLike | None = None,
        workers: int = 1,
    ) -> None:
        check_encoding(encoding, game)
        if game.num_players != SEATS or not game.zero_sum:
            raise GameError(
                f"exploitability splits by seats in zero-sum games for two, which {game.name} is not. Use"
                " MinimaxCoevolution."
            )
        if not hasattr(encoding, "seat_genes"):
            raise GameError(
                f"a {type(encoding).__name__} does not tell which seat reads which genes. Use a"
                " DirectEncoding or a TupleTable, or MinimaxCoevolution."
            )
        self.game, self.encoding, self.seed = game, encoding, whole("seed", seed, 0)
        self.evolution: EvolutionStrategy[Any] = GradientES() if evolution is None else evolution
        check_strategy(self.evolution)
        self.seat_genes = encoding.seat_genes
        begin = encoding.start if start is None else np.asarray(start)
        self.start = checked_genomes(encoding, begin[None])[0].copy()
        self.workers = whole("workers", workers, 1, MOST_WORKERS)

    def init(self) -> SeatwiseState:
        """Return the state in which only the start has been measured."""
        first, second = (
            self.evolution.init(self.start[genes], seed=self.seed, index=(seat,))
            for seat, genes in enumerate(self.seat_genes)
        )
        values = self.measured(self.start[None])[0]
        return SeatwiseState(
            self.game,
            self.encoding,
            0,
            (first, second),
            self.start.copy(),
            values,
            values.copy(),
            1,
        )

    def step(self, state: SeatwiseState, count: int = 1) -> SeatwiseState:
        """Return the state `count` generations later; `state` stays as it is."""
        for _ in range(check_step(self.game, state, count, SeatwiseState)):
            state = self.generation(state)
        return state

    def generation(self, state: SeatwiseState) -> SeatwiseState:
        """Return the state after one generation of both evolutions."""
        offspring = [self.evolution.ask(evolving) for evolving in state.evolution]
        genomes = np.tile(self.start, (max(map(len, offspring)) + 1, 1))
        for genes, evolving, new in zip(self.seat_genes, state.evolution, offspring, strict=True):
            genomes[:, genes] = evolving.mean  # the seat with fewer offspring shows its mean again
            genomes[: len(new), genes] = new
        values = self.measured(genomes)
        best, best_values = state.best.copy(), state.best_values.copy()
        for seat, fittest in enumerate(np.argmin(values, axis=0)):
            if values[fittest, seat] < best_values[seat]:
                genes = self.seat_genes[seat]
                best[genes], best_values[seat] = genomes[fittest, genes], values[fittest, seat]
        first, second = (
            self.evolution.tell(evolving, new, -values[: len(new), seat])
            for seat, (evolving, new) in enumerate(zip(state.evolution, offspring, strict=True))
        )
        return SeatwiseState(
            game=state.game,
            encoding=self.encoding,
            iteration=state.iteration + 1,
            evolution=(first, second),
            best=best,
            best_values=best_values,
            mean_values=values[-1].copy(),
            evaluations=state.evaluations + len(genomes),
        )

    def measured(self, genomes: Floats) -> Floats:
        """Return what best responses win against the seats of genomes, (k, G): (k, 2)."""

        def measure(low: int, high: int) -> Floats:
            return np.array([self.against_seats(genome) for genome in genomes[low:high]])

        return np.concatenate(shared(measure, 0, len(genomes), workers=self.workers))

    def against_seats(self, genome: Floats) -> Floats:
        """Return what a best response wins against each seat of `genome`, (2,): it sits in the other."""
        return np.asarray(self.game.best_values(self.encoding.profile(genome)))[::-1]
