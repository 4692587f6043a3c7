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
    stream,
)
from pokerlab.core.errors import in_short
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    checked_bool,
    has_method,
    number,
    whole,
)
from pokerlab.core.workers import until_cancelled
from pokerlab.evolution import CSAES, EvolutionStrategy
from pokerlab.evolution.evolution_strategies import check_strategy
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import SequenceForm
from pokerlab.games.tree_passes import (
    compute_gradients,
    compute_plans,
    fill_plan,
    sum_gains,
    unpack_workspace,
)
from pokerlab.solvers.belief_search import (
    SearchResult,
    SearchSettings,
    belief_tree,
    search_best_response,
)
from pokerlab.strategies import Encoding
from pokerlab.strategies.encoding import rescale_genome

SEATS = 2


class Measurement(NamedTuple):
    """The worst cases of k genomes."""

    values: Floats  # (k,), by `SeatWorstCases` (k, 2): what responders win against each, as far as found
    errors: Floats  # (k,): standard errors of the values; 0 where nothing was sampled
    responses: Floats  # (k, R): genomes that won it; R is 0 if responses are not genomes
    evaluations: int  # how many responses were evaluated against a genome


class WorstCase(Protocol):
    """Measures how much can be won against genomes."""

    @property
    def exact(self) -> bool:
        """Whether the values are those of exact best responses; others are measured again as evolution goes on."""

    def response_size(self, encoding: Encoding) -> int:
        """Return R, the number of genes of a response: 0 if responses are not genomes."""

    def first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return the responses, (k, R), at which the search against each of `genomes`, (k, G), begins.

        `best`, (G,), is the best genome so far; `last_response`, (R,), won most against the last generation's best.
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
        """Return how much can be won against each of `genomes`, (k, G), in the game of `encoding`.

        The search begins at `responses`, (k, R); seed, generation and individual name its random numbers.
        """


def check_worst_case(worst_case: Any) -> None:
    """Check that `worst_case` has what a `WorstCase` needs."""
    asked = ("measure", "response_size", "first_responses", "exact")
    instead = "one such as solvers.ExactWorstCase() or solvers.InnerEvolution()"
    check_attributes("worst_case", worst_case, asked, instead)


def checked_measurement(
    worst_case: WorstCase, measured: Measurement, shape: tuple[int, int]
) -> Measurement:
    """Return a measurement as floats, after checking that it is finite and fits responses of a `shape`, (k, R).

    Raises
    ------
    ShapeError
        If there is not one value, or one a seat, and one error for each genome.
    SettingError
        If a value or an error is not finite.
    """
    who = type(worst_case).__name__
    count = shape[0]
    wanted = (count, SEATS) if isinstance(worst_case, SeatWorstCases) else (count,)
    values = np.asarray(measured.values, dtype=np.float64)
    errors = np.asarray(measured.errors, dtype=np.float64)
    if values.shape != wanted or errors.shape != (count,) or measured.responses.shape != shape:
        raise ShapeError(
            f"{who} measured values of shape {values.shape}, errors {errors.shape} and responses"
            f" {measured.responses.shape} of {count} genomes; it must be {wanted}, ({count},) and {shape}."
        )
    finite = np.isfinite(values).reshape(count, -1).all(axis=1) & np.isfinite(errors)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        raise SettingError(
            f"{who} measured {values[row]} with error {errors[row]} for genome {row}; worst cases are finite numbers."
        )
    return Measurement(values, errors, measured.responses, int(measured.evaluations))


class WithoutResponses:
    """A worst case whose responses are not genomes, so that a search begins from nothing."""

    def response_size(self, encoding: Encoding) -> int:
        """Return 0: responses are not genomes."""
        return 0

    def first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return an empty array, (k, 0)."""
        return np.empty((len(genomes), 0))


@dataclass(frozen=True)
class ExactWorstCase(WithoutResponses):
    """The exact worst case, by best responses, one in each seat: the value is NashConv.

    This is Algorithm 1 with a tree search to the end, as in the paper's small games.

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
        """True: these are exact best responses."""
        return True

    def measure(
        self, encoding: Encoding, genomes: Floats, responses: Floats | None = None, **names: Any
    ) -> Measurement:
        """Return the worst cases of `genomes`, (k, G); all other arguments are ignored."""
        count = len(genomes)
        return Measurement(self.values(encoding, genomes), np.zeros(count), np.empty((count, 0)), 0)

    def values(self, encoding: Any, genomes: Floats) -> Floats:
        """Return the exploitability of each of `genomes`, (k, G): (k,)."""
        return compute_exploitability(encoding, genomes)


@dataclass(frozen=True)
class SeatWorstCases(ExactWorstCase):
    """The exact worst case of each seat's genes by themselves: what a best response wins against that seat.

    For two-player zero-sum games, and encodings in which each gene belongs to one seat, as in `TupleTable` and
    `DirectEncoding`. In a constant-sum game wins count from half of the sum. Algorithm 1 judges both seats together, so
    that a good first half is thrown away with a bad second one.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> SeatWorstCases().measure(encoding, encoding.start[None, :]).values.round(6)
    array([[0.416667, 0.5     ]])
    """

    def seat_genes(self, encoding: Any) -> tuple[Ints, ...]:
        """Return the indices of the genes that each seat reads, (G_i,) each.

        Raises
        ------
        GameError
            If values of the game do not split by seats, or the encoding does not say which seat reads which genes.
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
        """Return what a best response in the other seat wins against each seat of `genomes`, (k, G): (k, 2)."""
        game = encoding.game
        half = game.payoff_sum / SEATS
        best_values = [
            game.best_values(encoding.make_profile(genome))[::-1]
            for genome in until_cancelled(genomes)
        ]
        return np.asarray(np.array(best_values) - half)


@dataclass(frozen=True, kw_only=True)
class TreeSearch(SearchSettings, WithoutResponses):
    """A search for the best response in each seat's belief MDP: exact to a depth, by playouts below it.

    What it finds falls short of the exact worst case where the playouts have yet to learn;
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
        """Return the exploitability of `profile` as far as searches in all seats find it.

        It is the sum over seats of what a responder wins, less what the profile itself wins there: NashConv. The game
        is a compiled game or bucketed hold'em. `index` says which of many searches under the seed it is.
        """
        if not isinstance(game, SequenceForm) and not has_method(game, "search_best_response"):
            raise GameError(
                f"{in_short(game)} is neither a compiled game nor bucketed hold'em, which a tree search needs."
                " Use solvers.ExactWorstCase()."
            )
        results = [
            self.search_seat(game, profile, player, seed, index)
            for player in range(game.num_players)
        ]
        total = game.payoff_sum
        own = float(game.values(profile).sum()) if total is None else total
        values, variances, searched, played = zip(*results, strict=True)
        return SearchResult(sum(values) - own, sum(variances), sum(searched), sum(played))

    def search_seat(
        self, game: Any, profile: Any, player: int, seed: int, index: tuple[int, int]
    ) -> SearchResult:
        """Return what a search for the best response of `player` to `profile` finds."""
        if isinstance(game, SequenceForm):
            beliefs = belief_tree(game, player).compute_beliefs(profile)
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
        """Return the exploitability of each of `genomes`, (k, G), as far as searches find it, and the playouts."""
        results = [
            self.exploitability(
                encoding.game,
                encoding.make_profile(genome),
                seed=seed,
                index=(generation, individual),
            )
            for genome, individual in until_cancelled(zip(genomes, individuals, strict=True))
        ]
        return Measurement(
            np.array([result.value for result in results]),
            np.array([math.sqrt(result.variance) for result in results]),
            np.empty((len(results), 0)),
            sum(result.played for result in results) * self.iterations,
        )


def compute_exploitability(encoding: Encoding, genomes: Floats) -> Floats:
    """Return the sum over seats of what best responses gain against each of `genomes`, (k, G): (k,)."""
    game: Any = encoding.game
    behaviors = getattr(encoding, "compute_behaviors", None)
    if isinstance(game, SequenceForm) and behaviors is not None:
        return total_gains(game.block, behaviors(genomes))
    return np.array(
        [game.nash_conv(encoding.make_profile(genome)) for genome in until_cancelled(genomes)],
        np.float64,
    )


@kernel
def total_gains(block: Floats, behaviors: Floats) -> Floats:
    """Return the sum over players of best responses' gains against each of `behaviors`, (k, S - n)."""
    gains = np.empty(behaviors.shape[0])
    for row in range(gains.size):
        gains[row] = sum_gains(block, behaviors[row])
    return gains


Evaluator: TypeAlias = Callable[..., tuple[Floats, Floats]]
"""From responses, (k, G), and a generator if hands are played, to their payoffs and standard errors, (k,) each."""
MOST_GROWTH = 1e6
STARTS = ("last inner best", "outer best", "the genome itself")


class InnerState(NamedTuple):
    """An inner run after some generations."""

    response: Floats  # (G,): the one that has won most so far
    value: float  # what it wins
    error: float  # the standard error of that
    evaluations: int


@dataclass(frozen=True, kw_only=True)
class InnerEvolution:
    """Algorithm 1's purely evolutionary version: an evolution of responses against each genome.

    By expected payoffs, it finds at most what an exact best response wins; the difference is the gap in which
    a genome can hide. By hands played, it may find more, since the best of several noisy payoffs is biased high.

    Parameters
    ----------
    evolution : EvolutionStrategy
        What evolves the responses.
    generations : int
        Inner generations in the first outer one; at least 1.
    growth : float
        Inner generations more in each outer generation; 0 or more. They are rounded down.
    start : str
        Where responses begin to evolve: the 'last inner best', the response that won most against the last
        generation's best genome, or the 'outer best', the best genome so far, which section 3.3 suggests; or
        'the genome itself' that is attacked, as in Algorithm 1 (G_initial <- G_i). Unlike in the paper,
        the start itself counts as a response too.
    hands : int, optional
        Hands played in each seat to see what a response wins; its expected winnings if left out.
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
        """False: a response that was not found may win more."""
        return False

    def response_size(self, encoding: Encoding) -> int:
        """Return G: responses are genomes of the same kind."""
        return encoding.num_genes

    def first_responses(self, genomes: Floats, best: Floats, last_response: Floats) -> Floats:
        """Return the genomes, (k, G), from which responses to `genomes`, (k, G), evolve."""
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
        """Yield the inner run against `genome`, (G,), from `response`, (G,): the start, then each generation."""
        evaluator = make_evaluator(encoding, genome, self.hands)

        def evaluate(responses: Floats, inner: int) -> tuple[Floats, Floats]:
            index = (generation, individual, inner)
            return evaluator(responses, stream(seed, "hands", *index) if self.hands else None)

        values, errors = evaluate(response[None, :], 0)
        now = InnerState(response, float(values[0]), float(errors[0]), 1)
        yield now
        # The outer evolution has the index (0, 0).
        index = (1 + generation, individual)
        state = self.evolution.init(rescale_genome(encoding, response), seed=seed, index=index)
        for inner in until_cancelled(range(1, self.count_generations(generation) + 1)):
            responses = self.evolution.ask(state)
            values, errors = evaluate(responses, inner)
            state = self.evolution.tell(state, responses, values)
            best = int(np.argmax(values))
            evaluations = now.evaluations + len(responses)
            if values[best] > now.value:
                now = InnerState(
                    responses[best], float(values[best]), float(errors[best]), evaluations
                )
            else:
                now = now._replace(evaluations=evaluations)
            yield now

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
        """Return what evolved responses win against each of `genomes`, (k, G)."""
        runs = [
            self.run(encoding, genome, response, seed=seed, generation=generation, individual=one)
            for genome, response, one in zip(genomes, responses, individuals, strict=True)
        ]
        ends = [list(run)[-1] for run in runs]
        return Measurement(
            np.array([end.value for end in ends]),
            np.array([end.error for end in ends]),
            np.array([end.response for end in ends]).reshape(len(ends), encoding.num_genes),
            sum(end.evaluations for end in ends),
        )


def exact_evaluator(encoding: Any, genome: Floats) -> Evaluator:
    """Return an evaluator of expected payoffs in a compiled game: they are linear in a response's realization plans."""
    block, behavior = encoding.game.block, encoding.compute_behaviors(genome[None, :])[0]
    gradient = compute_gradients(block, compute_plans(block, behavior))

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = sum_linear_gains(block, gradient, behavior, encoding.compute_behaviors(responses))
        return gains, np.zeros(len(gains))

    return evaluate


def profile_evaluator(encoding: Encoding, genome: Floats) -> Evaluator:
    """Return an evaluator of expected payoffs in any other exact game, profile by profile."""
    game: Any = encoding.game
    profile = encoding.make_profile(genome)
    own = float(game.values(profile).sum())

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = []
        for response in responses:
            other = encoding.make_profile(response)
            payoffs = [
                game.values(profile.replace(seat, other))[seat] for seat in range(game.num_players)
            ]
            gains.append(sum(payoffs) - own)
        return np.array(gains), np.zeros(len(gains))

    return evaluate


def sampling_evaluator(encoding: Any, genome: Floats, hands: int) -> Evaluator:
    """Return an evaluator of mean payoffs over a number of hands in each seat of a compiled game.

    Where several ends share everybody's sequences, their expected utility is paid.
    """
    game, profile = encoding.game, encoding.make_profile(genome)
    own_plan = compute_plans(game.block, profile.vector)
    own = float(game.values(profile).sum())

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
        return means - own, np.sqrt(variances / max(hands - 1, 1))

    return evaluate


def contest_evaluator(encoding: EncodedContest, genome: Floats) -> Evaluator:
    """Return an evaluator of payoffs in a contest, all with the same seed."""

    def evaluate(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        gains = encoding.payoffs(responses, genome[None, :])[:, 0]
        return gains, np.zeros(len(gains))

    return evaluate


def make_evaluator(encoding: Encoding, genome: Floats, hands: int | None) -> Evaluator:
    """Return the evaluator of responses to `genome`, (G,), exact or over `hands` hands."""
    if isinstance(encoding, EncodedContest) and hands is None:
        return contest_evaluator(encoding, genome)
    compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "compute_behaviors")
    if hands is None:
        return (exact_evaluator if compiled else profile_evaluator)(encoding, genome)
    if not compiled:
        raise GameError(
            f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
        )
    return sampling_evaluator(encoding, genome, hands)


@kernel
def sum_linear_gains(
    block: Floats, gradient: Floats, behavior: Floats, responses: Floats
) -> Floats:
    """Return the sum over players of gradient times the change of plan, for each of `responses`, (k, S - n)."""
    game = unpack_workspace(block)
    n = game.ids[0]
    own = compute_plans(block, behavior)
    gains = np.zeros(responses.shape[0])
    for row in range(gains.size):
        game.plan[n:] = responses[row]
        for player in range(n):
            fill_plan(game, player, game.plan)
        for q in range(n, own.size):
            gains[row] += gradient[q] * (game.plan[q] - own[q])
    return gains
