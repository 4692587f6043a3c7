"""Minimax coevolution, which evolves the genome with the smallest worst-case loss.

The worst-case loss of a genome is what a best response in each seat wins from the genome's strategies.
This is Algorithm 1 of Samothrakis & Lucas (2011). An evolution strategy draws genomes around a mean. For each genome a
`WorstCase` measures how much a responder can win against it. Then the mean moves toward the genomes that lose less.
With `SeatWorstCases` the genes of each seat evolve separately.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, ShapeError, freeze
from pokerlab.core.settings import check_kind, has_method, validate_bool, validate_integer
from pokerlab.core.workers import MOST_WORKERS, run_in_threads
from pokerlab.evolution import CMAES
from pokerlab.evolution.evolution_states import EvolutionState
from pokerlab.evolution.evolution_strategies import EvolutionStrategy, check_evolution_strategy
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import SequenceForm
from pokerlab.games.contests import Contest
from pokerlab.games.symmetric import describe_asymmetry
from pokerlab.solvers.protocol import validate_count
from pokerlab.solvers.worst_case import (
    ExactWorstCase,
    InnerEvolution,
    Measurement,
    SeatWorstCases,
    WorstCase,
    check_worst_case,
    compute_exploitability,
    validate_measurement,
)
from pokerlab.strategies import DirectEncoding
from pokerlab.strategies.encoding import Encoding, check_encoding, validate_genome

NO_LOSSES: Floats = np.empty(0)
"""The field `mean_values` of a state in which the mean of the last generation was not measured."""


@dataclass(frozen=True, eq=False)
class MinimaxState:
    """The state of a minimax coevolution after `iteration` outer generations.

    The outer evolution is that of genomes with a small worst-case loss. It is called so because the worst-case loss of
    each genome can be found by an inner evolution of responses.

    Attributes
    ----------
    game, encoding
        The game that is played, and the encoding, which maps genomes to strategies.
    iteration : int
        The number of outer generations.
    evolution : EvolutionState or tuple of two
        The state of the outer evolution. With `SeatWorstCases` there are two states, one for the genes of each seat.
    best : array of shape (G,)
        The genome, of G genes, with the smallest worst-case loss so far. With `SeatWorstCases` it consists of the best
        genes of each seat.
    best_values : array of shape (1,) or (2,)
        The worst-case loss of `best`, summed over all seats. With `SeatWorstCases` there is one loss for each seat.
    best_error : float
        The standard error of the sum of these losses.
    mean_values : array of shape (0,) or (2,)
        With `SeatWorstCases` the loss of the last generation's mean in each seat; otherwise empty.
    generation_value : float
        The smallest worst-case loss of a genome in the last generation.
    response : array of shape (R,)
        The best response to `best` that was found, a genome of R genes; empty if responses are not genomes.
    last_response : array of shape (R,)
        The best response to the best genome of the last generation.
    evaluations : int
        The number of genomes that were measured, including the start and repeated measurements.
    inner_evaluations : int
        The number of responses that were evaluated against these genomes.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any
    encoding: Encoding
    iteration: int
    evolution: EvolutionState | tuple[EvolutionState, ...]
    best: Floats
    best_values: Floats
    best_error: float
    mean_values: Floats
    generation_value: float
    response: Floats
    last_response: Floats
    evaluations: int
    inner_evaluations: int

    def __post_init__(self) -> None:
        num_genes = self.encoding.num_genes
        num_evolutions = len(self.evolutions)

        # With two evolutions each mean has only the genes of a seat, so it is not compared.
        mean = self.evolutions[0].mean if num_evolutions == 1 else self.best
        shapes = (mean.shape, self.best.shape, self.best_values.shape)
        expected_shapes = ((num_genes,), (num_genes,), (num_evolutions,))
        if shapes != expected_shapes or self.response.shape != self.last_response.shape:
            raise ShapeError(
                f"a coevolution of {num_genes} genes has a mean, a best genome and its values of shapes {shapes},"
                f" and responses of {self.response.shape} and {self.last_response.shape}; all must fit."
            )

        freeze(self.best, self.best_values, self.mean_values, self.response, self.last_response)

    @property
    def evolutions(self) -> tuple[EvolutionState, ...]:
        """The states of all outer evolutions, as a tuple: one for all genes, or one for the genes of each seat."""
        return self.evolution if isinstance(self.evolution, tuple) else (self.evolution,)

    @property
    def best_value(self) -> float:
        """The measured worst-case loss of the best genome, summed over all seats: an estimate of its exploitability."""
        return float(self.best_values.sum())

    @cached_property
    def profile(self) -> Any:
        """The profile in which all players play the best genome's strategy."""
        return self.encoding.make_profile(self.best)

    @cached_property
    def exact_value(self) -> float:
        """The exact exploitability of the best genome: the sum over all seats of the gain from a best response.

        Raises
        ------
        GameError
            In a contest, which has no exact best response.
        """
        if isinstance(self.game, Contest):
            raise GameError(
                f"{self.game.name} is a contest and has no exact best response. Use best_value, what evolved responses"
                " win."
            )
        return float(self.game.nash_conv(self.profile))

    @property
    def gap(self) -> float:
        """The exact exploitability of the best genome minus its measured worst-case loss."""
        return self.exact_value - self.best_value

    @cached_property
    def gains(self) -> Floats:
        """The gain from an exact best response to the best genome in each seat, an array of shape (seats,)."""
        return np.asarray(self.game.gains(self.profile))

    @property
    def epsilon(self) -> float:
        """The largest gain from a best response in a single seat."""
        return float(self.gains.max())

    @cached_property
    def mean_genome_exploitability(self) -> float:
        """The exact exploitability of the mean genome of the outer evolution.

        With `SeatWorstCases`, where each seat has an evolution of its own, it is the sum over the seats of what the
        best response wins against the mean of the last generation. These values have been computed already.
        """
        if len(self.evolutions) > 1:
            return float(self.mean_values.sum())

        mean = self.evolutions[0].mean
        (exploitability,) = compute_exploitability(self.encoding, mean[None, :])
        return float(exploitability)


class MinimaxCoevolution:
    """Coevolution of a genome and its best responses, in which the fitness of a genome is minus its worst-case loss.

    A genome has a strategy for every seat. Its worst-case loss is a sum over seats: in each seat a responder plays, and
    the genome plays in all other seats. For any number of players, the loss is zero if and only if the strategies of
    the genome are a Nash equilibrium.

    Parameters
    ----------
    game
        A compiled game, any other game for which there is an encoding, or a contest. In a contest the worst-case loss
        is found by an inner evolution.
    seed : int
        The seed of all random numbers.
    encoding : Encoding, optional
        The encoding, which maps genomes to strategies. The default is `TupleTable` in bucketed hold'em and
        `DirectEncoding` in other games. In a symmetric game all seats share their genes; in any other game each seat
        has its own genes.
    evolution : EvolutionStrategy, optional
        The outer evolution strategy; `CMAES()` by default.
    worst_case : WorstCase, optional
        The measure of the worst-case loss; `ExactWorstCase()` by default, and `InnerEvolution()` in a contest, which is
        the paper's purely evolutionary version. With `SeatWorstCases()` two evolutions run side by side, one for the
        genes of each seat. Then offspring k of one and offspring k of the other form a genome, and the two means form
        another genome that is measured, too.
    start : array_like of shape (G,), optional
        The first mean, a genome of G genes; the encoding's own `start` by default.
    rechecked : bool
        Whether the best genome is measured again in each generation, where the search begins from the best response to
        it. The paper does not do this, so that a genome whose loss was underestimated once can remain the best one
        forever. Exact losses are not measured again.
    workers : int
        The number of threads, 1 to 256, among which the genomes of a generation are divided. Results do not depend on
        it. Searches in compiled code run in parallel; an `InnerEvolution` gains little.

    Examples
    --------
    >>> from pokerlab.games import biased_rps
    >>> coevolution = MinimaxCoevolution(biased_rps(), seed=1)
    >>> state = coevolution.step(coevolution.init(), 200)
    >>> state.profile.get_behavior(0).round(6)
    array([0.0625, 0.625 , 0.3125])
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers",)
    """Parameters on which no result depends, so that provenance leaves them out."""

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
        self.game = game
        self.seed = validate_integer("seed", seed, 0)
        if isinstance(game, Contest):
            encoding = EncodedContest(game, encoding)  # type: ignore[arg-type]
            worst_case = InnerEvolution() if worst_case is None else worst_case

        self.encoding: Encoding = choose_encoding(game) if encoding is None else encoding
        check_encoding(self.encoding, game)
        self.evolution: EvolutionStrategy[Any] = CMAES() if evolution is None else evolution
        check_evolution_strategy(self.evolution)
        self.worst_case: WorstCase = ExactWorstCase() if worst_case is None else worst_case
        check_worst_case(self.worst_case)
        first_mean = self.encoding.default_start if start is None else start
        self.start = validate_genome(self.encoding, first_mean).copy()
        self.rechecked = validate_bool("rechecked", rechecked)
        self.workers = validate_integer("workers", workers, 1, MOST_WORKERS)

        # This raises an error now, instead of in the first step, if the genes cannot be divided between the seats.
        _ = self.gene_indices_by_evolution

    @property
    def evolves_by_seat(self) -> bool:
        """Whether the genes of each seat evolve separately."""
        return isinstance(self.worst_case, SeatWorstCases)

    @cached_property
    def gene_indices_by_evolution(self) -> Sequence[Any]:
        """The indices of the genes that each outer evolution evolves: all genes, or those of each seat."""
        if isinstance(self.worst_case, SeatWorstCases):
            return self.worst_case.find_seat_genes(self.encoding)
        return (slice(None),)

    def init(self, start: ArrayLike | None = None) -> MinimaxState:
        """Return the state before the first generation, in which only the first mean has been measured.

        Parameters
        ----------
        start : array_like of shape (G,), optional
            The first mean, a genome of G genes, around which the first generation is drawn. The default is the
            parameter `start` of the solver.

        Returns
        -------
        MinimaxState
            The state, whose best genome is the first mean.

        Raises
        ------
        SettingError
            If a gene of the first mean is not allowed.
        ShapeError
            If the first mean is not a single genome of G genes.
        """
        mean = self.start if start is None else validate_genome(self.encoding, start)

        # Measure the first mean. There is no generation before the first one, so there is no last best response. The
        # mean takes its place.
        genomes = mean[None, :]
        num_response_genes = self.worst_case.count_response_genes(self.encoding)
        no_last_response = mean[:num_response_genes]
        responses = self.worst_case.make_first_responses(genomes, mean, no_last_response)
        measurement = self.measure_worst_case_losses(genomes, responses, 0)
        losses = measurement.values.reshape(-1)

        # The index keeps the random numbers of two outer evolutions apart, and those of inner evolutions, whose index
        # is (1 + generation, individual).
        evolutions = []
        for seat, genes in enumerate(self.gene_indices_by_evolution):
            index = (seat,) if self.evolves_by_seat else (0, 0)
            evolutions.append(self.evolution.init(mean[genes], seed=self.seed, index=index))

        return MinimaxState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            evolution=tuple(evolutions) if self.evolves_by_seat else evolutions[0],
            best=mean.copy(),
            best_values=losses.copy(),
            best_error=float(measurement.errors[0]),
            mean_values=losses.copy() if self.evolves_by_seat else NO_LOSSES,
            generation_value=float(losses.sum()),
            response=measurement.responses[0].copy(),
            last_response=measurement.responses[0].copy(),
            evaluations=1,
            inner_evaluations=measurement.evaluations,
        )

    def step(self, state: MinimaxState, count: int = 1) -> MinimaxState:
        """Return the state some outer generations after a given one.

        Parameters
        ----------
        state : MinimaxState
            The state with which the first of these generations begins. It is not changed.
        count : int
            The number of outer generations.

        Returns
        -------
        MinimaxState
            The state after the last generation.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        """
        num_generations = validate_count(self.game, state, count, MinimaxState)
        for _ in range(num_generations):
            state = self.run_generation(state)
        return state

    def run_generation(self, state: MinimaxState) -> MinimaxState:
        """Return the state after one more outer generation.

        In a generation each outer evolution draws offspring, their worst-case losses are measured, and the mean of the
        evolution moves toward the offspring that lose less.

        Parameters
        ----------
        state : MinimaxState
            The state before the generation, which is not changed.

        Returns
        -------
        MinimaxState
            The state after the generation.
        """
        # Draw offspring, and measure them. If the best genome is measured again, its search begins from the response
        # to it that is already known.
        offspring = [self.evolution.ask(evolution) for evolution in state.evolutions]
        num_offspring = max(map(len, offspring))
        genomes = self.stack_measured_genomes(state, offspring)
        responses = self.worst_case.make_first_responses(genomes, state.best, state.last_response)
        if self.measures_best_again:
            responses = np.concatenate([responses[:num_offspring], state.response[None, :]])
        measurement = self.measure_worst_case_losses(genomes, responses, state.iteration + 1)

        # Each outer evolution moves its mean. Its losses are a column of their own, and fitness is minus the loss.
        losses = measurement.values.reshape(len(genomes), -1)
        next_evolutions = []
        for column, evolution in enumerate(state.evolutions):
            own_offspring = offspring[column]
            fitness = -losses[: len(own_offspring), column]
            next_evolutions.append(self.evolution.tell(evolution, own_offspring, fitness))

        best = self.update_best_genome(state, genomes, measurement)
        fittest = int(np.argmin(losses[:num_offspring].sum(axis=1)))
        return MinimaxState(
            game=state.game,
            encoding=self.encoding,
            iteration=state.iteration + 1,
            evolution=tuple(next_evolutions) if self.evolves_by_seat else next_evolutions[0],
            best=best.genome,
            best_values=best.values,
            best_error=float(best.error),
            mean_values=losses[-1].copy() if self.evolves_by_seat else NO_LOSSES,
            generation_value=float(losses[fittest].sum()),
            response=best.response,
            last_response=measurement.responses[fittest].copy(),
            evaluations=state.evaluations + len(genomes),
            inner_evaluations=state.inner_evaluations + measurement.evaluations,
        )

    @property
    def measures_best_again(self) -> bool:
        """Whether the best genome is measured again in every generation, because measurements may have errors."""
        return self.rechecked and not self.worst_case.exact

    def stack_measured_genomes(self, state: MinimaxState, offspring: Sequence[Floats]) -> Floats:
        """Return the genomes whose worst-case losses are measured in a generation, one in each row.

        First come the offspring of all outer evolutions. If the best genome is measured again, it is the last row. If
        the seats evolve separately, the last row consists of the means of both seats.

        Parameters
        ----------
        state : MinimaxState
            The state before the generation.
        offspring : sequence of arrays of shape (k, genes)
            The k offspring of each outer evolution: one array for all genes, or two arrays for the genes of each seat.

        Returns
        -------
        array of shape (rows, G)
            The genomes to measure, of G genes each.
        """
        num_offspring = max(map(len, offspring))
        has_last_row = self.measures_best_again or self.evolves_by_seat
        num_rows = num_offspring + 1 if has_last_row else num_offspring

        # Where no offspring is written, the mean of each evolution remains: in the last row, and in other rows if one
        # seat has fewer offspring than the other. Genes that belong to no seat remain as in the start.
        genomes = np.tile(self.start, (num_rows, 1))
        for genes, evolution, own_offspring in zip(
            self.gene_indices_by_evolution, state.evolutions, offspring, strict=True
        ):
            genomes[:, genes] = evolution.mean
            genomes[: len(own_offspring), genes] = own_offspring

        if self.measures_best_again:
            genomes[-1] = state.best
        return genomes

    def update_best_genome(
        self, state: MinimaxState, genomes: Floats, measurement: Measurement
    ) -> "BestGenome":
        """Return the best genome so far, after the genomes of a generation have been measured.

        If the best genome was measured again, in the last row, its new worst-case loss replaces the old one.

        Parameters
        ----------
        state : MinimaxState
            The state before the generation, which has the best genome until then.
        genomes : array of shape (k, G)
            The k genomes that were measured, of G genes each.
        measurement : Measurement
            The worst-case losses of these genomes.

        Returns
        -------
        BestGenome
            The genome with its loss. If the seats evolve separately, it consists of the best genes of each seat.
        """
        losses = measurement.values.reshape(len(genomes), -1)
        best, best_losses = state.best.copy(), state.best_values.copy()
        error, response = state.best_error, state.response
        if self.measures_best_again:
            best_losses = losses[-1].copy()
            error = measurement.errors[-1]
            response = measurement.responses[-1].copy()

        # There is a column for all genes, or one for the genes of each seat, which are replaced separately.
        for column, row in enumerate(np.argmin(losses, axis=0)):
            if losses[row, column] < best_losses[column]:
                genes = self.gene_indices_by_evolution[column]
                best[genes] = genomes[row, genes]
                best_losses[column] = losses[row, column]
                error = measurement.errors[row]
                response = measurement.responses[row].copy()
        return BestGenome(best, best_losses, error, response)

    def measure_worst_case_losses(
        self, genomes: Floats, responses: Floats, generation: int
    ) -> Measurement:
        """Return the worst-case losses of genomes, which are measured by several threads.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are measured.
        responses : array of shape (k, R)
            The response, of R genes, from which the search against each genome begins.
        generation : int
            The index of the outer generation, which determines the random numbers of the searches.

        Returns
        -------
        Measurement
            The worst-case losses, and the best responses that were found.

        Raises
        ------
        ShapeError
            If the parameter `worst_case` of the solver returns an array of a wrong shape.
        SettingError
            If it returns a loss or a standard error that is not finite.
        """

        def measure_genomes_in_range(low: int, high: int) -> Measurement:
            """Return the worst-case losses of the genomes from `low` to `high` - 1."""
            return self.worst_case.measure_losses(
                self.encoding,
                genomes[low:high],
                responses[low:high],
                seed=self.seed,
                generation=generation,
                individuals=tuple(range(low, high)),
            )

        parts = run_in_threads(measure_genomes_in_range, 0, len(genomes), workers=self.workers)
        measurement = Measurement(
            values=np.concatenate([part.values for part in parts]),
            errors=np.concatenate([part.errors for part in parts]),
            responses=np.concatenate([part.responses for part in parts]),
            evaluations=sum(part.evaluations for part in parts),
        )
        return validate_measurement(self.worst_case, measurement, responses.shape)


class BestGenome(NamedTuple):
    """The best genome that a coevolution has measured.

    Attributes
    ----------
    genome : array of shape (G,)
        The genome, of G genes.
    values : array of shape (1,) or (2,)
        The measured worst-case loss of the genome, summed over seats or in each of two seats.
    error : float
        The standard error of the loss.
    response : array of shape (R,)
        The best response to the genome that was found, itself a genome of R genes.
    """

    genome: Floats
    values: Floats
    error: float
    response: Floats


def choose_encoding(game: Any) -> Encoding:
    """Return the default encoding of a game, which maps genomes to strategies.

    It is the game's own encoding, if it has one. Otherwise it is a direct encoding, in which all seats share their
    genes in a symmetric game, and each seat has its own genes in any other game.

    Parameters
    ----------
    game : SequenceForm or another game
        A compiled game, or a game with the method `default_encoding`.

    Returns
    -------
    Encoding
        The encoding.

    Raises
    ------
    GameError
        If the game has no encoding of its own and is not a compiled game.
    """
    if has_method(game, "default_encoding"):
        default_encoding: Encoding = game.default_encoding()
        return default_encoding

    expected = "a compiled one, such as games.kuhn(), or an encoding= that says what genomes mean"
    check_kind("game", game, SequenceForm, expected, GameError)
    is_symmetric = not describe_asymmetry(game)
    return DirectEncoding(game, seats="shared" if is_symmetric else "own")
