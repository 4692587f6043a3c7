"""Worst cases of genomes, which a coevolution minimizes: exact, by tree search, or by evolved responses.

A responder takes every seat in turn while the genome keeps all others. What it wins is summed over the seats, less what
the genome itself wins there: in a two-player zero-sum game that is nothing. The search in every seat is Algorithm 1 of
Samothrakis & Lucas (2011). Evolved responses evolve against one genome, generation within generation, by their expected
payoffs or over a number of hands.

Each genome is measured by itself, with random numbers named by seed, generation and individual, so that results do not
depend on how the work is divided.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

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
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    checked_bool,
    checked_integer,
    checked_number,
    has_method,
)
from pokerlab.core.workers import iterate_until_cancelled
from pokerlab.evolution import CSAES
from pokerlab.evolution.evolution_strategies import EvolutionStrategy, check_strategy
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import SequenceForm
from pokerlab.games.tree_passes import (
    compute_gradients,
    compute_plans,
    fill_plan,
    sum_gains,
    unpack_workspace,
)
from pokerlab.solvers.belief_search import SearchResult, SearchSettings, search_best_response
from pokerlab.solvers.beliefs import make_belief_tree
from pokerlab.strategies.encoding import Encoding, rescale_genome

SEATS = 2


class Measurement(NamedTuple):
    """The worst cases of k genomes.

    Attributes
    ----------
    values : array of shape (k,) or (k, 2)
        What responders win against each genome, as far as it was found; by `SeatWorstCases` for each seat.
    errors : array of shape (k,)
        The standard errors of the values; 0 where nothing was sampled.
    responses : array of shape (k, R)
        The genomes that won it; R is 0 if responses are not genomes.
    evaluations : int
        How many responses were evaluated against a genome.
    """

    values: Floats
    errors: Floats
    responses: Floats
    evaluations: int


class WorstCase(Protocol):
    """Measures how much can be won against genomes."""

    @property
    def exact(self) -> bool:
        """Whether the values are those of exact best responses; others are measured again as evolution goes on."""

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return the number of genes of a response, R: 0 if responses are not genomes."""

    def make_first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return the responses at which the search against each genome begins.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The genomes that are to be measured.
        best : array of shape (G,)
            The best genome so far.
        last_response : array of shape (R,)
            The response that won most against the last generation's best genome.

        Returns
        -------
        array of shape (k, R)
            A response for each genome.
        """

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return how much can be won against each of some genomes.

        Parameters
        ----------
        encoding : Encoding
            The meaning of genomes, and the game.
        genomes : array of shape (k, G)
            The genomes that are measured.
        responses : array of shape (k, R)
            The responses at which the search against each genome begins.
        seed, generation : int
            With the individual they name the random numbers of the search against it.
        individuals : sequence of k integers
            The index of each genome in its generation.
        """


def check_worst_case(worst_case: Any) -> None:
    """Raise if `worst_case` lacks a method or an attribute of a `WorstCase`."""
    needed = ("measure", "count_response_genes", "make_first_responses", "exact")
    instead = "one such as solvers.ExactWorstCase() or solvers.InnerEvolution()"
    check_attributes("worst_case", worst_case, needed, instead)


def checked_measurement(
    worst_case: WorstCase, measured: Measurement, shape: tuple[int, int]
) -> Measurement:
    """Return a measurement as arrays of floats; raise if it is not finite or does not fit the responses.

    Parameters
    ----------
    worst_case : WorstCase
        The worst case that measured.
    measured : Measurement
        Its measurement.
    shape : tuple (k, R)
        The shape of the responses.

    Raises
    ------
    ShapeError
        If there is not one value, or one for each seat, and one error for each genome.
    SettingError
        If a value or an error is not finite.
    """
    name = type(worst_case).__name__
    count = shape[0]
    wanted = (count, SEATS) if isinstance(worst_case, SeatWorstCases) else (count,)
    values = np.asarray(measured.values, dtype=np.float64)
    errors = np.asarray(measured.errors, dtype=np.float64)
    if values.shape != wanted or errors.shape != (count,) or measured.responses.shape != shape:
        raise ShapeError(
            f"{name} measured values of shape {values.shape}, errors {errors.shape} and responses"
            f" {measured.responses.shape} of {count} genomes; it must be {wanted}, ({count},) and {shape}."
        )
    is_finite = np.isfinite(values).reshape(count, -1).all(axis=1) & np.isfinite(errors)
    if not is_finite.all():
        row = int(np.flatnonzero(~is_finite)[0])
        raise SettingError(
            f"{name} measured {values[row]} with error {errors[row]} for genome {row}; worst cases are finite numbers."
        )
    return Measurement(values, errors, measured.responses, int(measured.evaluations))


@explain_renamed_attributes
class WithoutResponses:
    """A worst case whose responses are not genomes, so that a search begins from nothing."""

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return 0, since responses are not genomes."""
        return 0

    def make_first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return an array with an empty row for each genome."""
        return np.empty((len(genomes), 0))


@dataclass(frozen=True)
class ExactWorstCase(WithoutResponses):
    """The exact worst case, by a best response in each seat: the value is NashConv.

    This is Algorithm 1 with a complete tree search, as in the paper's small games.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> measured = ExactWorstCase().measure(encoding, encoding.start[None, :])
    >>> float(measured.values[0].round(6))  # 11/12
    0.916667
    """

    @property
    def exact(self) -> bool:
        """True, since these are exact best responses."""
        return True

    def measure(
        self, encoding: Encoding, genomes: Floats, responses: Floats | None = None, **names: Any
    ) -> Measurement:
        """Return the worst cases of genomes, one in each row; all other arguments are ignored."""
        count = len(genomes)
        return Measurement(self.values(encoding, genomes), np.zeros(count), np.empty((count, 0)), 0)

    def values(self, encoding: Any, genomes: Floats) -> Floats:
        """Return the exploitability of each genome; the genomes are rows."""
        return compute_exploitability(encoding, genomes)


@dataclass(frozen=True)
class SeatWorstCases(ExactWorstCase):
    """The exact worst case of each seat's genes: what a best response in the other seat wins against them.

    It needs a two-player zero-sum game and an encoding in which each gene belongs to one seat, as in `TupleTable` and
    `DirectEncoding`. In a constant-sum game payoffs count from half of the sum. Algorithm 1 measures both seats
    together, so that good genes of one seat are lost with bad ones of the other.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> SeatWorstCases().measure(encoding, encoding.start[None, :]).values.round(6)
    array([[0.416667, 0.5     ]])
    """

    def find_seat_genes(self, encoding: Any) -> tuple[Ints, ...]:
        """Return the indices of the genes of each seat.

        Raises
        ------
        GameError
            If payoffs of the game do not split by seats, or the encoding does not say which genes belong to a seat.
        """
        game = encoding.game
        if game.num_players != SEATS or game.payoff_sum is None:
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

    def values(self, encoding: Any, genomes: Floats) -> Floats:
        """Return what a best response in the other seat wins against each seat's genes.

        Parameters
        ----------
        encoding : Encoding
            The meaning of genomes, and the game.
        genomes : array of shape (k, G)
            One genome in each row.

        Returns
        -------
        array of shape (k, 2)
            A column for each seat.
        """
        game = encoding.game
        half = game.payoff_sum / SEATS
        best_values = [
            game.best_values(encoding.make_profile(genome))[::-1]
            for genome in iterate_until_cancelled(genomes)
        ]
        return np.asarray(np.array(best_values) - half)


@dataclass(frozen=True, kw_only=True)
class TreeSearch(SearchSettings, WithoutResponses):
    """A search for the best response in each seat's belief MDP: exact to a depth, by playouts below it.

    Its value is below the exact worst case where the playouts have yet to learn;
    `pokerlab.solvers.belief_search` says in which direction the number errs and why.

    Parameters
    ----------
    depth : int or None
        Levels of expectimax, at least 1; None for all, which is exact. The paper's is 9.
    iterations : int
        Playouts from each node below them, at least 1. The paper's are 1000.
    exploration : float
        C of eq. 4 in units of the responder's payoff range, 1e-12 to 1e12.
    merged : bool
        In bucketed hold'em, whether states that differ only in the responder's past buckets are searched
        once, as its `search_best_response` explains. Other games have no such states.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> game = kuhn()
    >>> round(TreeSearch(depth=None).exploitability(game, game.uniform(), seed=1).value, 6)  # 11/12
    0.916667
    """

    merged: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_bool("merged", self.merged)

    @property
    def exact(self) -> bool:
        """Whether all levels are searched."""
        return self.depth is None

    def exploitability(
        self, game: Any, profile: Any, *, seed: int, index: tuple[int, int] = (0, 0)
    ) -> SearchResult:
        """Return the exploitability of a profile, NashConv, as far as searches in all seats find it.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        profile : Profile or BucketedProfile
            The strategies of all players.
        seed : int
            Decides all random numbers.
        index : tuple of two integers
            Distinguishes several searches with this seed.
        """
        if not isinstance(game, SequenceForm) and not has_method(game, "search_best_response"):
            raise GameError(
                f"{quote_value(game)} is neither a compiled game nor bucketed hold'em, which a tree search needs."
                " Use solvers.ExactWorstCase()."
            )
        results = [
            self.search_seat(game, profile, player, seed, index)
            for player in range(game.num_players)
        ]
        payoff_sum = game.payoff_sum
        if payoff_sum is None:
            payoff_sum = float(game.values(profile).sum())
        values, variances, searched, played = zip(*results, strict=True)
        return SearchResult(sum(values) - payoff_sum, sum(variances), sum(searched), sum(played))

    def search_seat(
        self, game: Any, profile: Any, player: int, seed: int, index: tuple[int, int]
    ) -> SearchResult:
        """Return the result of a search for the best response of one player to a profile."""
        if isinstance(game, SequenceForm):
            beliefs = make_belief_tree(game, player).compute_beliefs(profile)
            return search_best_response(beliefs, self, seed=seed, index=index)
        result: SearchResult = game.search_best_response(
            profile, player, self, merged=self.merged, seed=seed, index=index
        )
        return result

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats | None = None,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return the exploitability of each genome as far as searches find it, and the number of playouts."""
        results = [
            self.exploitability(
                encoding.game,
                encoding.make_profile(genome),
                seed=seed,
                index=(generation, individual),
            )
            for genome, individual in iterate_until_cancelled(
                zip(genomes, individuals, strict=True)
            )
        ]
        return Measurement(
            np.array([result.value for result in results]),
            np.array([math.sqrt(result.variance) for result in results]),
            np.empty((len(results), 0)),
            sum(result.played for result in results) * self.iterations,
        )


def compute_exploitability(encoding: Encoding, genomes: Floats) -> Floats:
    """Return the exploitability of genomes: the sum over seats of what best responses gain.

    Parameters
    ----------
    encoding : Encoding
        The meaning of genomes, and the game.
    genomes : array of shape (k, G)
        One genome in each row.

    Returns
    -------
    array of shape (k,)
        The exploitability of each genome.
    """
    game: Any = encoding.game
    compute_behaviors = getattr(encoding, "compute_behaviors", None)
    if isinstance(game, SequenceForm) and compute_behaviors is not None:
        return sum_gains_of_profiles(game.block, compute_behaviors(genomes))
    return np.array(
        [
            game.nash_conv(encoding.make_profile(genome))
            for genome in iterate_until_cancelled(genomes)
        ],
        np.float64,
    )


@kernel
def sum_gains_of_profiles(block: Floats, behaviors: Floats) -> Floats:
    """Return for each profile the sum over players of the gain from a best response.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    behaviors : array of shape (k, S - n)
        The probabilities of one profile in each row.
    """
    gains = np.empty(behaviors.shape[0])
    for row in range(gains.size):
        gains[row] = sum_gains(block, behaviors[row])
    return gains


Evaluator: TypeAlias = Callable[..., tuple[Floats, Floats]]
"""A function that returns the payoffs and standard errors of responses, which are genomes in rows.

If hands are played, a generator is its second argument.
"""
MOST_GROWTH = 1e6
STARTS = ("last inner best", "outer best", "the genome itself")


class InnerState(NamedTuple):
    """The state of an inner evolution after some generations.

    Attributes
    ----------
    response : array of shape (G,)
        The response that has won most so far.
    value, error : float
        What it wins, and the standard error of that.
    evaluations : int
        How many responses were evaluated.
    """

    response: Floats
    value: float
    error: float
    evaluations: int


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class InnerEvolution:
    """The worst case by evolved responses: Algorithm 1 in its purely evolutionary version.

    By expected payoffs, it finds at most what an exact best response wins. By hands played, it may find more, since
    the best of several noisy payoffs is biased high.

    Parameters
    ----------
    evolution : EvolutionStrategy
        The evolution strategy of the responses.
    generations : int
        Inner generations in the first outer generation; at least 1.
    growth : float
        Further inner generations in each outer generation, 0 or more; their number is rounded down.
    start : str
        Where responses begin to evolve: the 'last inner best', the response that won most against the last
        generation's best genome, or the 'outer best', the best genome so far, which section 3.3 suggests; or
        'the genome itself' that is attacked, as in Algorithm 1 (G_initial <- G_i). Unlike in the paper,
        the start itself counts as a response as well.
    hands : int, optional
        Hands played in each seat to estimate the payoff of a response; its expected payoff if left out.
    """

    evolution: EvolutionStrategy[Any] = field(default_factory=CSAES)
    generations: int = 10
    growth: float = 0.0
    start: str = "last inner best"
    hands: int | None = None

    def __post_init__(self) -> None:
        checked_integer("generations", self.generations, 1, LARGEST_COUNT)
        checked_number("growth", self.growth, 0.0, MOST_GROWTH)
        UnknownNameError.check("start of inner runs", self.start, STARTS)
        if self.hands is not None:
            checked_integer("hands", self.hands, 2, LARGEST_COUNT)
        check_strategy(self.evolution)

    @property
    def exact(self) -> bool:
        """False, since a response that was not found may win more."""
        return False

    def count_response_genes(self, encoding: Encoding) -> int:
        """Return the length of a genome, since responses are genomes of the same kind."""
        return encoding.num_genes

    def make_first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return the genome from which the responses to each genome evolve; all are rows."""
        starts = {
            "last inner best": last_response,
            "outer best": best,
            "the genome itself": genomes,
        }
        return np.broadcast_to(starts[self.start], genomes.shape)

    def count_generations(self, generation: int) -> int:
        """Return the number of inner generations in an outer one."""
        return self.generations + math.floor(self.growth * generation)

    def run(
        self,
        encoding: Encoding,
        genome: Floats,
        response: Floats,
        *,
        seed: int,
        generation: int = 0,
        individual: int = 0,
    ) -> Iterator[InnerState]:
        """Yield the states of the inner evolution against one genome: at the start, and after each generation.

        Parameters
        ----------
        encoding : Encoding
            The meaning of genomes, and the game.
        genome : array of shape (G,)
            The genome that is attacked.
        response : array of shape (G,)
            The response at which the evolution begins.
        seed, generation, individual : int
            They name all random numbers.
        """
        evaluator = make_evaluator(encoding, genome, self.hands)

        def evaluate(responses: Floats, inner_generation: int) -> tuple[Floats, Floats]:
            index = (generation, individual, inner_generation)
            return evaluator(
                responses, random_stream(seed, "hands", *index) if self.hands else None
            )

        values, errors = evaluate(response[None, :], 0)
        state = InnerState(response, float(values[0]), float(errors[0]), 1)
        yield state

        # The outer evolution has the index (0, 0).
        index = (1 + generation, individual)
        evolution = self.evolution.init(rescale_genome(encoding, response), seed=seed, index=index)
        for inner_generation in iterate_until_cancelled(
            range(1, self.count_generations(generation) + 1)
        ):
            responses = self.evolution.ask(evolution)
            values, errors = evaluate(responses, inner_generation)
            evolution = self.evolution.tell(evolution, responses, values)
            best = int(np.argmax(values))
            evaluations = state.evaluations + len(responses)
            if values[best] > state.value:
                state = InnerState(
                    responses[best], float(values[best]), float(errors[best]), evaluations
                )
            else:
                state = state._replace(evaluations=evaluations)
            yield state

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return what evolved responses win against each genome."""
        last_states = []
        for genome, response, individual in zip(genomes, responses, individuals, strict=True):
            run = self.run(
                encoding,
                genome,
                response,
                seed=seed,
                generation=generation,
                individual=individual,
            )
            last_states.append(list(run)[-1])
        found = np.array([state.response for state in last_states])
        return Measurement(
            np.array([state.value for state in last_states]),
            np.array([state.error for state in last_states]),
            found.reshape(len(last_states), encoding.num_genes),
            sum(state.evaluations for state in last_states),
        )


def make_exact_evaluator(encoding: Any, genome: Floats) -> Evaluator:
    """Return an evaluator of expected payoffs in a compiled game, by their gradient in realization plans."""
    block, behavior = encoding.game.block, encoding.compute_behaviors(genome[None, :])[0]
    gradient = compute_gradients(block, compute_plans(block, behavior))

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = sum_linear_gains(block, gradient, behavior, encoding.compute_behaviors(responses))
        return gains, np.zeros(len(gains))

    return evaluate


def make_profile_evaluator(encoding: Encoding, genome: Floats) -> Evaluator:
    """Return an evaluator of expected payoffs in any other exact game, profile by profile."""
    game: Any = encoding.game
    profile = encoding.make_profile(genome)
    own_payoff = float(game.values(profile).sum())

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = []
        for response in responses:
            response_profile = encoding.make_profile(response)
            payoffs = [
                game.values(profile.replace(seat, response_profile))[seat]
                for seat in range(game.num_players)
            ]
            gains.append(sum(payoffs) - own_payoff)
        return np.array(gains), np.zeros(len(gains))

    return evaluate


def make_sampling_evaluator(encoding: Any, genome: Floats, hands: int) -> Evaluator:
    """Return an evaluator of mean payoffs over a number of hands in each seat of a compiled game.

    Where several terminals have the same sequences of all players, their expected utility is paid.
    """
    game, profile = encoding.game, encoding.make_profile(genome)
    own_plan = compute_plans(game.block, profile.vector)
    own_payoff = float(game.values(profile).sum())

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        assert rng is not None
        means, variances = np.zeros(len(responses)), np.zeros(len(responses))
        for row, behavior in enumerate(encoding.compute_behaviors(responses)):
            plan = compute_plans(game.block, behavior)
            for seat in range(game.num_players):
                reach = game.chance.copy()  # of each terminal
                for player in range(game.num_players):
                    reach *= (plan if player == seat else own_plan)[game.sequence[:, player]]
                frequency = rng.multinomial(hands, reach / reach.sum()) / hands
                payoff = game.payoff[:, seat]
                mean = float(frequency @ payoff)
                means[row] += mean
                variances[row] += float(frequency @ (payoff - mean) ** 2)
        return means - own_payoff, np.sqrt(variances / max(hands - 1, 1))

    return evaluate


def make_contest_evaluator(encoding: EncodedContest, genome: Floats) -> Evaluator:
    """Return an evaluator of payoffs in a contest, all with the same seed."""

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = encoding.payoffs(responses, genome[None, :])[:, 0]
        return gains, np.zeros(len(gains))

    return evaluate


def make_evaluator(encoding: Encoding, genome: Floats, hands: int | None) -> Evaluator:
    """Return the evaluator of responses to a genome, by expected payoffs or over a number of hands."""
    if isinstance(encoding, EncodedContest) and hands is None:
        return make_contest_evaluator(encoding, genome)
    is_compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "compute_behaviors")
    if hands is None:
        make = make_exact_evaluator if is_compiled else make_profile_evaluator
        return make(encoding, genome)
    if not is_compiled:
        raise GameError(
            f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
        )
    return make_sampling_evaluator(encoding, genome, hands)


@kernel
def sum_linear_gains(
    block: Floats, gradient: Floats, behavior: Floats, responses: Floats
) -> Floats:
    """Return the total gain of each response over all seats: the gradient times the change of realization plans.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    gradient : array of shape (S,)
        The gradient of each player's payoff in its own plan, at the profile that is attacked.
    behavior : array of shape (S - n,)
        The probabilities of that profile.
    responses : array of shape (k, S - n)
        The probabilities of one response in each row.

    Returns
    -------
    array of shape (k,)
        The gain of each response.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    own_plan = compute_plans(block, behavior)
    gains = np.zeros(responses.shape[0])
    for row in range(gains.size):
        game.plan[n:] = responses[row]
        for player in range(n):
            fill_plan(game, player, game.plan)
        for sequence in range(n, own_plan.size):
            gains[row] += gradient[sequence] * (game.plan[sequence] - own_plan[sequence])
    return gains
