"""The worst-case loss of a genome, which a coevolution minimizes: exact, or found by evolved responses.

A responder plays in each seat in turn, while the genome plays in all other seats. The worst-case loss is the sum over
seats of the responder's payoff minus the payoff of the genome itself in that seat. In a two-player zero-sum game the
genome's own payoffs sum to zero. Exact worst cases compute the best response in every seat. Alternatively, an inner
evolution of responses is run against each genome, where a response is evaluated by its expected payoff or by its mean
payoff over a number of hands. `tree_search` has a third worst case, Algorithm 1 of Samothrakis & Lucas (2011).

Each genome is measured independently, with random numbers that depend only on the seed, the generation and the
individual. So the results do not depend on how the work is divided among processes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from pokerlab.core import (
    Floats,
    GameError,
    Ints,
    SettingError,
    ShapeError,
    UnknownNameError,
    kernel,
    random_stream,
)
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    validate_integer,
    validate_number,
)
from pokerlab.core.workers import iterate_until_cancelled
from pokerlab.evolution import CSAES
from pokerlab.evolution.evolution_strategies import EvolutionStrategy, check_evolution_strategy
from pokerlab.games import SequenceForm
from pokerlab.games.tree_passes import (
    compute_nash_conv,
)
from pokerlab.solvers.response_gains import make_gain_evaluator
from pokerlab.strategies.encoding import Encoding, rescale_genome

NUM_SEATS = 2


class Measurement(NamedTuple):
    """The measured worst-case losses of k genomes.

    Attributes
    ----------
    values : array of shape (k,) or (k, 2)
        The loss of each genome against the best response that was found. `SeatWorstCases` has a column for each seat.
    errors : array of shape (k,)
        The standard errors of the values, which are 0 if no hands were sampled.
    responses : array of shape (k, R)
        The best response to each genome, which is itself a genome of R genes. R is 0 if responses are not genomes.
    evaluations : int
        The total number of responses that were evaluated.
    """

    values: Floats
    errors: Floats
    responses: Floats
    evaluations: int


class WorstCase(Protocol):
    """A measure of how much a response can win against a genome."""

    @property
    def exact(self) -> bool:
        """Whether the values come from exact best responses. Other values may be measured again later."""

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return the number of genes of a response to genomes of the encoding, or 0 if responses are not genomes.

        Parameters
        ----------
        encoding : Encoding
            The encoding of the genomes whose losses are measured.
        """

    def make_first_responses(
        self, genomes: Floats, best_genome: Floats, last_response: Floats
    ) -> Floats:
        """Return the response from which the search against each genome begins.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are to be measured.
        best_genome : array of shape (G,)
            The best genome found so far.
        last_response : array of shape (R,)
            The best response, of R genes, to the best genome of the last generation.

        Returns
        -------
        array of shape (k, R)
            The first response to each genome.
        """

    def measure_losses(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return the worst-case loss of each genome: how much the best response that is found wins against it.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are measured.
        responses : array of shape (k, R)
            The response, of R genes, from which the search against each genome begins.
        seed, generation : int
            The seed and the index of the generation. Together with the index of an individual, they determine the
            random numbers of the search against this individual.
        individuals : sequence of k integers
            The index of each genome in its generation.

        Returns
        -------
        Measurement
            The worst-case losses, and the responses that were found.
        """


def check_worst_case(worst_case: Any) -> None:
    """Raise a SettingError if an object lacks a method or an attribute of a `WorstCase`.

    Parameters
    ----------
    worst_case : object
        The object that a user has passed.

    Raises
    ------
    SettingError
        If a method or attribute is missing.
    """
    needed_attributes = ("measure_losses", "count_response_genes", "make_first_responses", "exact")
    expected = "one such as solvers.ExactWorstCase() or solvers.InnerEvolution()"
    check_attributes("worst_case", worst_case, needed_attributes, expected)


def validate_measurement(
    worst_case: WorstCase, measurement: Measurement, shape: tuple[int, int]
) -> Measurement:
    """Return a measurement of worst-case losses whose arrays are floats, after checking their shapes and numbers.

    Parameters
    ----------
    worst_case : WorstCase
        The object that made the measurement.
    measurement : Measurement
        The measurement to check.
    shape : tuple (k, R)
        The number of genomes, and the number of genes of a response.

    Returns
    -------
    Measurement
        The same measurement with arrays of floats.

    Raises
    ------
    ShapeError
        If an array has a wrong shape. Each genome needs one value (one for each seat from `SeatWorstCases`), one
        standard error, and one response.
    SettingError
        If a value or a standard error is not finite.
    """
    name = type(worst_case).__name__
    num_genomes = shape[0]
    has_loss_for_each_seat = isinstance(worst_case, SeatWorstCases)
    expected_shape = (num_genomes, NUM_SEATS) if has_loss_for_each_seat else (num_genomes,)
    values = np.asarray(measurement.values, dtype=np.float64)
    errors = np.asarray(measurement.errors, dtype=np.float64)
    given_shapes = (values.shape, errors.shape, measurement.responses.shape)
    if given_shapes != (expected_shape, (num_genomes,), shape):
        raise ShapeError(
            f"{name} measured values of shape {values.shape}, errors {errors.shape} and responses"
            f" {measurement.responses.shape} of {num_genomes} genomes; it must be {expected_shape},"
            f" ({num_genomes},) and {shape}."
        )

    are_values_finite = np.isfinite(values).reshape(num_genomes, -1).all(axis=1)
    is_finite = are_values_finite & np.isfinite(errors)
    if not is_finite.all():
        row = int(np.flatnonzero(~is_finite)[0])
        raise SettingError(
            f"{name} measured {values[row]} with error {errors[row]} for genome {row}; worst cases are finite numbers."
        )
    return Measurement(values, errors, measurement.responses, int(measurement.evaluations))


@explain_renamed_attributes
class WorstCaseWithoutResponses:
    """The base class of worst cases whose responses are not genomes, so that a search has no first response."""

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return 0, because responses to genomes of the encoding are not genomes themselves.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which is not used.
        """
        return 0

    def make_first_responses(
        self, genomes: Floats, best_genome: Floats, last_response: Floats
    ) -> Floats:
        """Return an array with an empty row for each genome, because a response has no genes.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are to be measured.
        best_genome, last_response : array
            Ignored. Other worst cases begin their search from these genomes.

        Returns
        -------
        array of shape (k, 0)
            The empty rows.
        """
        return np.empty((len(genomes), 0))


@dataclass(frozen=True)
class ExactWorstCase(WorstCaseWithoutResponses):
    """The exact worst-case loss of a genome, computed by a best response in each seat. Its value is NashConv.

    It equals the result of Algorithm 1 with a complete tree search, which the paper uses in its small games.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> measured = ExactWorstCase().measure_losses(encoding, encoding.default_start[None, :])
    >>> float(measured.values[0].round(6))  # 11/12
    0.916667
    """

    @property
    def exact(self) -> bool:
        """True, because best responses are exact."""
        return True

    def measure_losses(
        self, encoding: Encoding, genomes: Floats, responses: Floats | None = None, **ignored: Any
    ) -> Measurement:
        """Return the exact worst-case loss of each genome, without standard errors and responses.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            k genomes of G genes each.
        responses, **ignored
            Ignored. Other worst cases search from these responses, and need a seed and indices, too.

        Returns
        -------
        Measurement
            The losses, with standard errors of 0 and empty responses.
        """
        num_genomes = len(genomes)
        return Measurement(
            values=self.compute_losses(encoding, genomes),
            errors=np.zeros(num_genomes),
            responses=np.empty((num_genomes, 0)),
            evaluations=0,
        )

    def compute_losses(self, encoding: Any, genomes: Floats) -> Floats:
        """Return the exploitability of each genome: the sum over seats of the gain from a best response.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            k genomes of G genes each.

        Returns
        -------
        array of shape (k,)
            The exploitability of each genome.
        """
        return compute_exploitability(encoding, genomes)


@dataclass(frozen=True)
class SeatWorstCases(ExactWorstCase):
    """The exact worst-case loss of each seat's genes: the payoff of a best response to them in the other seat.

    It needs a two-player zero-sum or constant-sum game, and an encoding in which each gene belongs to one seat, such as
    `TupleTable` or `DirectEncoding`. In a constant-sum game half of the sum is subtracted from each payoff.

    Algorithm 1 adds the losses of both seats, so that a genome can be rejected for its genes of one seat although its
    genes of the other seat are good. Separate losses avoid this.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> SeatWorstCases().measure_losses(encoding, encoding.default_start[None, :]).values.round(6)
    array([[0.416667, 0.5     ]])
    """

    def find_seat_genes(self, encoding: Any) -> tuple[Ints, ...]:
        """Return the indices of the genes of each seat, an array for seat 1 and one for seat 2.

        Parameters
        ----------
        encoding : Encoding
            The encoding, in which each gene belongs to one seat.

        Returns
        -------
        tuple of two arrays of int
            The indices of the genes of seat 1 and of seat 2.

        Raises
        ------
        GameError
            If the game is not a two-player zero-sum or constant-sum game, if the encoding has no `seat_genes`, or if
            one of the players has no decision.
        """
        game = encoding.game
        if game.num_players != NUM_SEATS or game.payoff_sum is None:
            raise GameError(
                f"exploitability splits by seats in zero-sum games for two, which {game.name} is not. Use"
                " ExactWorstCase()."
            )
        if not hasattr(encoding, "seat_genes"):
            raise GameError(
                f"a {type(encoding).__name__} does not say which seat reads which genes. Use a"
                " DirectEncoding or a TupleTable, or ExactWorstCase()."
            )

        genes = tuple(encoding.seat_genes)
        if not all(map(len, genes)):
            raise GameError(f"a player has nothing to choose in {game.name}. Use ExactWorstCase().")

        return genes

    def compute_losses(self, encoding: Any, genomes: Floats) -> Floats:
        """Return the loss of each seat's genes: the payoff of a best response to them in the other seat.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            k genomes of G genes each.

        Returns
        -------
        array of shape (k, 2)
            The loss of each genome's strategies in seat 1 and in seat 2.
        """
        game = encoding.game
        losses = []
        for genome in iterate_until_cancelled(genomes):
            first_best, second_best = game.best_values(encoding.make_profile(genome))
            # What the best response in seat 2 wins is the loss of the genome in seat 1, and the other way around.
            losses.append((second_best, first_best))
        half_of_sum = game.payoff_sum / NUM_SEATS
        return np.asarray(np.array(losses) - half_of_sum)


def compute_exploitability(encoding: Encoding, genomes: Floats) -> Floats:
    """Return the exploitability of each genome: the sum over seats of the gain from a best response.

    Parameters
    ----------
    encoding : Encoding
        The encoding, which maps genomes to strategies of its game.
    genomes : array of shape (k, G)
        k genomes of G genes each.

    Returns
    -------
    array of shape (k,)
        The exploitability of each genome.
    """
    game: Any = encoding.game
    compute_behaviors = getattr(encoding, "compute_behaviors", None)
    if isinstance(game, SequenceForm) and compute_behaviors is not None:
        return compute_nash_conv_of_profiles(game.block, compute_behaviors(genomes))
    return np.array(
        [
            game.nash_conv(encoding.make_profile(genome))
            for genome in iterate_until_cancelled(genomes)
        ],
        np.float64,
    )


@kernel
def compute_nash_conv_of_profiles(game_block: Floats, profiles: Floats) -> Floats:
    """Return for each profile the sum over players of the gain from a best response.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    profiles : array of shape (k, S - n)
        k profiles of a game of n players and S sequences: the probability of each of the S - n nonempty sequences.

    Returns
    -------
    array of shape (k,)
        The NashConv of each profile.
    """
    nash_convs = np.empty(profiles.shape[0])
    for row in range(nash_convs.size):
        nash_convs[row] = compute_nash_conv(game_block, profiles[row])
    return nash_convs


MOST_GROWTH = 1e6
STARTS = ("last inner best", "outer best", "the genome itself")


@explain_renamed_attributes
class InnerState(NamedTuple):
    """The state of an inner evolution, in which responses evolve against one genome.

    Attributes
    ----------
    response : array of shape (G,)
        The best response found so far, a genome of G genes.
    gain, error : float
        The gain of this response, and the standard error of the gain.
    evaluations : int
        The number of responses that have been evaluated.
    """

    response: Floats
    gain: float
    error: float
    evaluations: int


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class InnerEvolution:
    """The worst-case loss found by evolved responses: Algorithm 1 in its purely evolutionary version.

    An inner evolution of responses is run against each genome of the outer evolution. If responses are evaluated by
    their expected payoffs, the value is at most the exact worst-case loss. If hands are sampled, it can be larger,
    because the largest of several noisy payoffs is biased upward.

    Parameters
    ----------
    evolution : EvolutionStrategy
        The evolution strategy that the responses follow.
    generations : int
        The number of inner generations in the first outer generation, at least 1.
    growth : float
        The number of inner generations that each outer generation adds, 0 or more. The total is rounded down.
    start : str
        The genome from which responses evolve. 'last inner best' is the best response to the best genome of the last
        generation, and 'outer best' is the best genome so far; section 3.3 suggests both. 'the genome itself' is the
        genome that is measured, as in Algorithm 1 (G_initial <- G_i). Unlike in the paper, this first genome is
        evaluated as a response, too.
    hands : int, optional
        The number of hands in each seat from which the payoff of a response is estimated, at least 2. By default the
        expected payoff is computed.
    """

    evolution: EvolutionStrategy[Any] = field(default_factory=CSAES)
    generations: int = 10
    growth: float = 0.0
    start: str = "last inner best"
    hands: int | None = None

    def __post_init__(self) -> None:
        validate_integer("generations", self.generations, 1, LARGEST_COUNT)
        validate_number("growth", self.growth, 0.0, MOST_GROWTH)
        UnknownNameError.check("start of inner runs", self.start, STARTS)
        if self.hands is not None:
            validate_integer("hands", self.hands, 2, LARGEST_COUNT)
        check_evolution_strategy(self.evolution)

    @property
    def exact(self) -> bool:
        """False, because a response that evolution did not find may win more."""
        return False

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return the number of genes of the encoding, because responses are genomes of the same kind.

        Parameters
        ----------
        encoding : Encoding
            The encoding of the genomes whose losses are measured.
        """
        return encoding.num_genes

    def make_first_responses(
        self, genomes: Floats, best_genome: Floats, last_response: Floats
    ) -> Floats:
        """Return the genome from which the responses to each genome evolve, which the setting `start` determines.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are to be measured.
        best_genome, last_response : array of shape (G,)
            The best genome so far, and the best response to the best genome of the last generation.

        Returns
        -------
        array of shape (k, G)
            The first response to each genome.
        """
        starts = {
            "last inner best": last_response,
            "outer best": best_genome,
            "the genome itself": genomes,
        }
        return np.broadcast_to(starts[self.start], genomes.shape)

    def count_inner_generations(self, generation: int) -> int:
        """Return the number of inner generations in the outer generation with a given index, which counts from 0.

        Parameters
        ----------
        generation : int
            The index of the outer generation.
        """
        return self.generations + math.floor(self.growth * generation)

    def run(
        self,
        encoding: Encoding,
        genome: Floats,
        first_response: Floats,
        *,
        seed: int,
        generation: int = 0,
        individual: int = 0,
    ) -> Iterator[InnerState]:
        """Yield the state of the inner evolution against one genome at the start and after each inner generation.

        In the inner evolution responses to the genome evolve, and the fitness of a response is its gain.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genome : array of shape (G,)
            The genome, of G genes, to which responses evolve.
        first_response : array of shape (G,)
            The response from which the evolution begins.
        seed, generation, individual : int
            The seed, the index of the outer generation, and the index of the genome in it, which determine all random
            numbers.

        Yields
        ------
        InnerState
            The best response so far, with its gain.
        """
        evaluate_gains = make_gain_evaluator(encoding, genome, self.hands)

        def evaluate_responses(responses: Floats, inner_generation: int) -> tuple[Floats, Floats]:
            """Return the gains of responses against the genome, and their standard errors, in an inner generation."""
            if self.hands is None:
                return evaluate_gains(responses, None)
            rng = random_stream(seed, "hands", generation, individual, inner_generation)
            return evaluate_gains(responses, rng)

        # The first state has the first response, as if it were the only offspring of inner generation 0.
        gains, errors = evaluate_responses(first_response[None, :], 0)
        state = InnerState(first_response, float(gains[0]), float(errors[0]), 1)
        yield state

        # The outer evolution has the index (0, 0), so 1 is added to keep the random numbers of both apart.
        index = (1 + generation, individual)
        evolution_state = self.evolution.init(
            rescale_genome(encoding, first_response), seed=seed, index=index
        )
        inner_generations = range(1, self.count_inner_generations(generation) + 1)
        for inner_generation in iterate_until_cancelled(inner_generations):
            responses = self.evolution.ask(evolution_state)
            gains, errors = evaluate_responses(responses, inner_generation)
            evolution_state = self.evolution.tell(evolution_state, responses, gains)

            # Keep the best response so far; of equally good ones, the first that was found.
            state = state._replace(evaluations=state.evaluations + len(responses))
            best = int(np.argmax(gains))
            if gains[best] > state.gain:
                state = state._replace(
                    response=responses[best],
                    gain=float(gains[best]),
                    error=float(errors[best]),
                )
            yield state

    def measure_losses(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return the worst-case loss of each genome: how much the best evolved response wins against it.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are measured.
        responses : array of shape (k, G)
            The genome from which the responses to each genome evolve.
        seed, generation : int
            The seed and the index of the outer generation. Together with the index of an individual, they determine the
            random numbers of the evolution against this individual.
        individuals : sequence of k integers
            The index of each genome in its generation.

        Returns
        -------
        Measurement
            The losses, the standard errors of sampled losses, and the best response to each genome.
        """
        last_states = []
        for genome, response, individual in zip(genomes, responses, individuals, strict=True):
            states = self.run(
                encoding, genome, response, seed=seed, generation=generation, individual=individual
            )
            *_, last_state = states
            last_states.append(last_state)

        best_responses = np.array([state.response for state in last_states])
        return Measurement(
            values=np.array([state.gain for state in last_states]),
            errors=np.array([state.error for state in last_states]),
            # Without any genome the array would have no second axis.
            responses=best_responses.reshape(len(last_states), encoding.num_genes),
            evaluations=sum(state.evaluations for state in last_states),
        )
