"""How badly a genome can lose, which is what a coevolution minimizes: exactly, by tree search, or by evolved replies.

The search in every seat is Algorithm 1 of Samothrakis & Lucas (2011). Evolved replies evolve against one genome,
generation within generation. Each takes every seat in turn while the
genome keeps all others, exactly or over a number of hands. What it wins is summed over the seats, less what the
genome itself wins there: in a two-player zero-sum game that is nothing.

Each genome is measured for itself, with random numbers named by seed, generation and individual, so
that results do not depend on how the work is divided.
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
from pokerlab.core.settings import LARGEST_COUNT, check_able, has_method, number, switch, whole
from pokerlab.core.workers import heeded
from pokerlab.evolution import CSAES, EvolutionStrategy
from pokerlab.evolution.evolution_strategies import check_strategy
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import SequenceForm
from pokerlab.games.tree_passes import gradients, plans_of, realize, total_gain, workspace
from pokerlab.solvers.belief_search import (
    SearchResult,
    SearchSettings,
    belief_tree,
    search_best_response,
)
from pokerlab.strategies import Encoding
from pokerlab.strategies.encoding import in_scale

SEATS = 2


class Measured(NamedTuple):
    """The worst cases of k genomes."""

    values: Floats  # (k,), by `SeatReplies` (k, 2): what repliers win against each, as far as found
    errors: Floats  # (k,): standard errors of the values; 0 where nothing was sampled
    replies: Floats  # (k, R): genomes that won it; R is 0 if replies are not genomes
    evaluations: int  # matches between a reply and a genome


class WorstCase(Protocol):
    """Measures how much can be won against genomes."""

    @property
    def exact(self) -> bool:
        """Whether the values are those of exact best responses; others are measured again as evolution goes on."""

    def reply_size(self, encoding: Encoding) -> int:
        """Return R: how many genes a reply has, 0 if replies are not genomes."""

    def first_replies(self, genomes: Floats, best: Floats, last_reply: Floats) -> Floats:
        """Return where the search for a reply to each of `genomes`, (k, G), begins, (k, R).

        `best`, (G,), is the best genome so far; `last_reply`, (R,), won most against the last generation's best.
        """

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
        """Return how much can be won against genomes, (k, G), each by itself, in the game of `encoding`.

        The search begins at `replies`, (k, R); seed, generation and individual name its random numbers.
        """


def check_worst_case(worst_case: Any) -> None:
    """Check that `worst_case` is one."""
    asked = ("measure", "reply_size", "first_replies", "exact")
    instead = "one such as solvers.ExactReply() or solvers.InnerEvolution()"
    check_able("worst_case", worst_case, asked, instead)


def checked_measured(worst_case: WorstCase, measured: Measured, shape: tuple[int, int]) -> Measured:
    """Return what was measured, after checking that it is one finite number for each genome."""
    who = type(worst_case).__name__
    count = shape[0]
    wanted = (count, SEATS) if isinstance(worst_case, SeatReplies) else (count,)
    values, errors = (np.asarray(m, dtype=np.float64) for m in (measured.values, measured.errors))
    if values.shape != wanted or errors.shape != (count,) or measured.replies.shape != shape:
        raise ShapeError(
            f"{who} measured values of shape {values.shape}, errors {errors.shape} and replies"
            f" {measured.replies.shape} of {count} genomes; it must be {wanted}, ({count},) and {shape}."
        )
    finite = np.isfinite(values).reshape(count, -1).all(axis=1) & np.isfinite(errors)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        raise SettingError(
            f"{who} measured {values[row]} with error {errors[row]} for genome {row}; worst cases are finite numbers."
        )
    return Measured(values, errors, measured.replies, int(measured.evaluations))


class WithoutGenomes:
    """A worst case whose replies are no genomes, so that there is nothing to begin from."""

    def reply_size(self, encoding: Encoding) -> int:
        """Return 0: what is found is a number."""
        return 0

    def first_replies(self, genomes: Floats, best: Floats, last_reply: Floats) -> Floats:
        """Return nothing, (k, 0)."""
        return np.empty((len(genomes), 0))


@dataclass(frozen=True)
class ExactReply(WithoutGenomes):
    """Best responses, one in each seat: the value is NashConv, found without a search.

    This is Algorithm 1 with a tree search to the end, as in the paper's small games.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> measured = ExactReply().measure(encoding, encoding.start[None, :])
    >>> float(measured.values[0].round(6))  # 11/12
    0.916667
    """

    @property
    def exact(self) -> bool:
        """Always: these are exact best responses."""
        return True

    def measure(
        self, encoding: Encoding, genomes: Floats, replies: Floats | None = None, **names: Any
    ) -> Measured:
        """Return the worst cases of genomes, (k, G); nothing but them matters."""
        count = len(genomes)
        return Measured(self.values(encoding, genomes), np.zeros(count), np.empty((count, 0)), 0)

    def values(self, encoding: Any, genomes: Floats) -> Floats:
        """Return the exploitability of genomes, (k, G): (k,)."""
        return exact_values(encoding, genomes)


@dataclass(frozen=True)
class SeatReplies(ExactReply):
    """Best responses that judge the genes of each seat by themselves: what one wins against that seat.

    For two-player zero-sum games, and encodings in which each gene belongs to one seat, as in `TupleTable` and
    `DirectEncoding`. In a constant-sum game wins count from half of the sum. Algorithm 1 judges both seats together, so
    that a good first half is thrown away with a bad second one.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> SeatReplies().measure(encoding, encoding.start[None, :]).values.round(6)
    array([[0.416667, 0.5     ]])
    """

    def seat_genes(self, encoding: Any) -> tuple[Ints, ...]:
        """Return which genes each seat reads, and refuse games and encodings in which values do not split."""
        game = encoding.game
        if game.num_players != SEATS or game.payoff_sum is None:
            raise GameError(
                f"exploitability splits by seats in zero-sum games for two, which {game.name} is not. Use"
                " ExactReply()."
            )
        if not hasattr(encoding, "seat_genes"):
            raise GameError(
                f"a {type(encoding).__name__} does not tell which seat reads which genes. Use a"
                " DirectEncoding or a TupleTable, or ExactReply()."
            )
        genes = tuple(encoding.seat_genes)
        if not all(map(len, genes)):
            raise GameError(f"somebody has nothing to choose in {game.name}; use ExactReply().")
        return genes

    def values(self, encoding: Any, genomes: Floats) -> Floats:
        """Return what a best response wins against each seat of genomes, (k, 2): it sits in the other."""
        best_values, half = encoding.game.best_values, encoding.game.payoff_sum / SEATS
        won = [best_values(encoding.profile(genome))[::-1] for genome in heeded(genomes)]
        return np.asarray(np.array(won) - half)


@dataclass(frozen=True, kw_only=True)
class TreeSearch(SearchSettings, WithoutGenomes):
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
        C of eq. 4 in units of the replier's payoff range, 1e-12 to 1e12.
    merged : bool
        In bucketed hold'em, whether states that differ only in the replier's past buckets are searched
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
        switch("merged", self.merged)

    @property
    def exact(self) -> bool:
        """Whether all levels are searched."""
        return self.depth is None

    def exploitability(
        self, game: Any, profile: Any, *, seed: int, index: tuple[int, int] = (0, 0)
    ) -> SearchResult:
        """Return what searches in all seats find together against `profile`, in a compiled game or bucketed hold'em.

        The value is the sum over seats of what a replier wins, less what the profile itself wins there:
        exploitability, or NashConv, as far as it was found. `index` says which of many searches under the seed.
        """
        if not isinstance(game, SequenceForm) and not has_method(game, "search_best_response"):
            raise GameError(
                f"{in_short(game)} is neither a compiled game nor bucketed hold'em, which a tree search needs."
                " Use solvers.ExactReply()."
            )
        founds = [self.seat(game, profile, p, seed, index) for p in range(game.num_players)]
        total = game.payoff_sum
        own = float(game.values(profile).sum()) if total is None else total
        values, variances, searched, played = zip(*founds, strict=True)
        return SearchResult(sum(values) - own, sum(variances), sum(searched), sum(played))

    def seat(
        self, game: Any, profile: Any, player: int, seed: int, index: tuple[int, int]
    ) -> SearchResult:
        """Return what a search finds that `player` can win."""
        if isinstance(game, SequenceForm):
            beliefs = belief_tree(game, player).compute_beliefs(profile)
            return search_best_response(beliefs, self, seed=seed, index=index)
        found: SearchResult = game.search_best_response(
            profile, player, self, merged=self.merged, seed=seed, index=index
        )
        return found

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        replies: Floats | None = None,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measured:
        """Return the exploitability of genomes, (k, G), as far as searches find it, and the playouts."""
        founds = [
            self.exploitability(
                encoding.game, encoding.profile(genome), seed=seed, index=(generation, individual)
            )
            for genome, individual in heeded(zip(genomes, individuals, strict=True))
        ]
        return Measured(
            np.array([found.value for found in founds]),
            np.array([math.sqrt(found.variance) for found in founds]),
            np.empty((len(founds), 0)),
            sum(found.played for found in founds) * self.iterations,
        )


def exact_values(encoding: Encoding, genomes: Floats) -> Floats:
    """Return the sum over seats of what best responses gain against genomes, (k, G): (k,)."""
    game: Any = encoding.game
    behaviors = getattr(encoding, "behaviors", None)
    if isinstance(game, SequenceForm) and behaviors is not None:
        return total_gains(game.block, behaviors(genomes))
    return np.array(
        [game.nash_conv(encoding.profile(genome)) for genome in heeded(genomes)], np.float64
    )


@kernel
def total_gains(block: Floats, behaviors: Floats) -> Floats:
    """Return the sum over players of best responses' gains against each of `behaviors`, (k, S - n)."""
    gains = np.empty(behaviors.shape[0])
    for row in range(gains.size):
        gains[row] = total_gain(block, behaviors[row])
    return gains


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


def contest_matches(encoding: EncodedContest, genome: Floats) -> Won:
    """Return how to find what replies win in a contest, mean over the same seeds for all."""

    def won(replies: Floats, rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        gains = encoding.payoffs(replies, genome[None, :])[:, 0]
        return gains, np.zeros(len(gains))

    return won


def matches_against(encoding: Encoding, genome: Floats, hands: int | None) -> Won:
    """Return how to find what replies win against `genome`, (G,), exactly or in `hands` hands."""
    if isinstance(encoding, EncodedContest) and hands is None:
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
