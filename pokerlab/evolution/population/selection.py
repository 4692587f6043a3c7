"""Who of a population stays and who breeds: the Pareto front, roulette, elites, crowding, NSGA-II.

How to read the matrix: A does better than B against C where A's entry in the column of C is larger
than B's. B dominates A if A does better than B against nobody, and B better than A against somebody.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.random import Generator

from pokerlab.core import Bools, Floats, Ints, SettingError, UnknownNameError
from pokerlab.core.settings import number, switch
from pokerlab.evolution.population.parts import Chosen, Genomes, Judged

DRAWN = ("best", "roulette")
ROUNDING = 1e-9  # far below one place: 0.29 of 100 are 29, though their product is less


@dataclass(frozen=True, kw_only=True)
class ParetoFront:
    """The non-dominated stay, at most a share of the population, and only they breed.

    If too many are non-dominated, those nearest to being dominated go first: for each strategy A
    the number of opponents against whom it does better than B is counted for each B; the smallest of
    these numbers is how near A is.

    Dominance is transitive where the same opponents count for everybody. Where they differ, by
    `third_parties` or because some pairs do not count, everybody may be dominated, each by the next;
    then all are trimmed as if they were the front. Source: Noble & Watson (2001), "A simple Pareto coevolution
    algorithm"; the paper's front has at most half of the population.

    Parameters
    ----------
    most : float
        The largest share of the population that the front may take, above 0 and below 1.
    third_parties : bool
        Whether only opponents other than A and B themselves are counted.
    recount : bool
        Whether the counts are taken again, among those who are left, whenever one has gone; this
        spares one of two twins.
    """

    most: float = 0.5
    third_parties: bool = False
    recount: bool = False
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_share("most", self.most)
        switch("third_parties", self.third_parties)
        switch("recount", self.recount)

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Keep the front, trimmed; draw who goes first among equals."""
        better = times_better(matrix_of(judged), members, third_parties=self.third_parties)
        kept = non_dominated(better)
        if not kept.any():
            kept[:] = True
        room = places(self.most, len(kept))
        order = generator.random(len(kept))
        if not self.recount:
            ranked = np.lexsort((order, -nearness(better), ~kept))
            kept &= np.isin(np.arange(len(kept)), ranked[:room])
        while kept.sum() > room:
            front = np.flatnonzero(kept)
            near = nearness(better[np.ix_(front, front)])
            kept[front[np.lexsort((-order[front], near))[0]]] = False
        return Chosen(kept, kept / kept.sum())


@dataclass(frozen=True)
class Roulette:
    """Nobody stays; everybody breeds in proportion to the score, shifted so that the worst has zero.

    The "regular" genetic algorithm of Noble & Watson (2001).
    """

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Return chances in proportion to the shifted scores."""
        chances = shares(judged.score[members])
        return Chosen(np.zeros(len(chances), np.bool_), chances)


@dataclass(frozen=True, kw_only=True)
class Elites:
    """A share of the population stays, unchanged, and only its members breed, with equal chances.

    Parameters
    ----------
    share : float
        Of the population, above 0 and below 1.
    drawn : str
        'best': those with the highest scores. 'roulette': drawn in proportion to the scores, shifted
        so that the worst has zero, without replacement.
    """

    share: float = 0.5
    drawn: str = "best"

    def __post_init__(self) -> None:
        check_share("share", self.share)
        UnknownNameError.check("way of drawing elites", self.drawn, DRAWN)

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Keep the share; who goes among equals is drawn."""
        score = judged.score[members]
        room = places(self.share, len(score))
        luck = generator.random(len(score))
        keys = score if self.drawn == "best" else races(shares(score), generator)
        kept = np.isin(np.arange(len(score)), np.lexsort((luck, -keys))[:room])
        return Chosen(kept, kept / room)


@dataclass(frozen=True)
class DeterministicCrowding:
    """Each child competes for a place with an elder that it is like; the better one stays.

    Children and elders are paired so that the sum of their distances is smallest: differences of
    genes, in standard deviations. In the first generation pairs are drawn. Noble & Watson (2001) name
    keeping a population diverse as future work.

    References
    ----------
    .. [1] S. W. Mahfoud, "Niching methods for genetic algorithms", thesis, Illinois, 1995
    """

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Keep the winner of each pair, by score; the elder if both are equal."""
        score = judged.score[members]
        shuffled = generator.permutation(len(score))
        half = len(score) // 2
        young, old = np.flatnonzero(ages == 0), np.flatnonzero(ages > 0)
        if not old.size:
            young, old = shuffled[:half], shuffled[half:]
        spread = genomes.std(axis=0)
        scaled = genomes[:, spread > 0.0] / spread[spread > 0.0]
        pairs = scipy.optimize.linear_sum_assignment(
            scipy.spatial.distance.cdist(scaled[young], scaled[old], "cityblock")
        )
        child, rival = young[pairs[0]], old[pairs[1]]
        kept = np.ones(len(score), np.bool_)
        kept[np.where(score[child] > score[rival], rival, child)] = False
        return Chosen(kept, kept / kept.sum())


@dataclass(frozen=True, kw_only=True)
class NonDominatedRanks:
    """NSGA-II: fronts behind fronts, and within a front those in less crowded places first.

    Needs pymoo, which `pip install 'pokerlab[nsga]'` brings. Each opponent is an objective; a pair that does not
    count is a zero there. Who of equals comes first depends on the processor: pymoo's sort is not stable.

    Parameters
    ----------
    share : float
        Of the population that stays and breeds, above 0 and below 1.

    References
    ----------
    .. [1] K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
       Transactions on Evolutionary Computation 6 (2), 2002
    """

    share: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_share("share", self.share)
        ranks_and_crowding(np.zeros((1, 1)), 1, np.random.default_rng(0))

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Keep the share that NSGA-II would; who goes among equals is drawn."""
        losses = np.nan_to_num(-matrix_of(judged)[members])
        room = places(self.share, len(losses))
        kept = np.isin(np.arange(len(losses)), ranks_and_crowding(losses, room, generator))
        return Chosen(kept, kept / room)


@dataclass(frozen=True, kw_only=True)
class EquilibriumMix:
    """Who is in an equilibrium of the game of who wins how much from whom stays, and breeds by its weight.

    The population's matrix, made antisymmetric, is the payoff of a symmetric zero-sum game between
    strategies. Its equilibrium mix loses to nobody in the population on average: what a Nash memory
    (Oliehoek et al. 2006) would keep of everybody it has met, in place of those who are best at something.

    Parameters
    ----------
    most : float
        The largest share of the population that may stay, above 0 and below 1; those of least weight go first.
    """

    most: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_share("most", self.most)

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Keep the mix; who goes among equal weights is drawn."""
        weights = equilibrium_mix(matrix_of(judged)[members, members])
        order = np.lexsort((generator.random(len(weights)), -weights))
        kept = np.isin(np.arange(len(weights)), order[: places(self.most, len(weights))])
        kept &= weights > 0.0
        chances = np.where(kept, weights, 0.0)
        return Chosen(kept, chances / chances.sum())


def equilibrium_mix(matrix: Floats) -> Floats:
    """Return weights, (N,), by which a mix of strategies loses to none of them on average: a corner of all such mixes.

    `matrix`, (N, N), is what the row wins from the column; NaN counts as 0. Half of what differs from its negative
    transpose is dropped.
    """
    filled = np.nan_to_num(matrix)
    wins = (filled - filled.T) / 2.0
    size = len(wins)
    scale = max(1.0, float(np.abs(wins).max()))
    # The value is 0: no opponent may win from the mix.
    found = scipy.optimize.linprog(
        np.zeros(size),
        A_ub=-wins.T / scale,
        b_ub=np.zeros(size),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        method="highs",
    )
    weights: Floats = np.maximum(found.x, 0.0)
    weights /= weights.sum()
    return weights


def times_better(matrix: Floats, members: slice, *, third_parties: bool = False) -> Ints:
    """Return c(A, B), (N, N), the number of opponents against whom A does better than B, by `matrix`, (M, M).

    The population's rows are `members`; all M columns are opponents, but where only `third_parties` count.
    """
    rows = matrix[members]
    counts: Ints = np.array([(row > rows).sum(axis=1) for row in rows])
    if third_parties:
        own = matrix[members, members]
        diagonal = np.diag(own)
        # A against A, and A against B, each compared with what B got there.
        counts -= diagonal[:, None] > own.T
        counts -= own > diagonal[None, :]
    return counts


def dominates(better: Ints) -> Bools:
    """Return who dominates whom, (N, N): true where the row dominates the column."""
    dominating: Bools = (better > 0) & (better.T == 0)
    return dominating


def non_dominated(better: Ints) -> Bools:
    """Return who is dominated by nobody, (N,), from c(A, B)."""
    return np.logical_not(dominates(better).any(axis=0))


def nearness(better: Ints) -> Ints:
    """Return for each A the smallest c(A, B) over the others B: how near it is to being dominated."""
    others = better + np.diag(np.full(len(better), np.iinfo(np.int64).max // 2))
    nearest: Ints = others.min(axis=1)
    return nearest


def places(share: float, size: int) -> int:
    """Return how many of a population stay: at least one, and not all."""
    return min(max(1, int(share * size + ROUNDING)), size - 1)


def shares(score: Floats) -> Floats:
    """Return scores, shifted so that the worst has zero, as shares of their sum; equal if all are."""
    shifted = score - score.min()
    total = shifted.sum()
    return shifted / total if total > 0.0 else np.full(len(score), 1.0 / len(score))


def races(chances: Floats, generator: Generator) -> Floats:
    """Return numbers whose largest, next largest, ... are draws with these chances, one after another."""
    with np.errstate(divide="ignore"):
        raced: Floats = np.log(chances) + generator.gumbel(size=chances.shape)
    return raced


def matrix_of(judged: Judged) -> Floats:
    """Return the matrix, once there is one."""
    if not judged.matrix.size:
        raise SettingError(
            "dominance compares wins against each opponent, which this worth does not give; judge by WinsAndLosses()."
        )
    return judged.matrix


def ranks_and_crowding(losses: Floats, room: int, generator: Generator) -> Any:
    """Return the rows, `room` of them, that NSGA-II keeps; each column is to be small."""
    try:
        from pymoo.core.population import Population
        from pymoo.core.problem import Problem
        from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
    except ImportError:
        raise SettingError(
            "ranking by NSGA-II needs pymoo; install it: pip install 'pokerlab[nsga]'."
        ) from None
    return RankAndCrowding().do(
        Problem(n_var=1, n_obj=losses.shape[1]),
        Population.new(F=losses),
        n_survive=room,
        random_state=generator,
        return_indices=True,
    )


def check_share(name: str, share: float) -> None:
    """Refuse a share that leaves nobody, or no place for children."""
    number(name, share, 0.0, 1.0)
    if share in (0.0, 1.0):
        raise SettingError(f"{name} is {share}; give a share above 0 and below 1, such as 0.5.")
