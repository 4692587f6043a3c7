"""Selection of survivors and parents: the Pareto front, roulette, elites, crowding, NSGA-II, an equilibrium.

How to read the matrix of a `Fitness`: A does better than B against C where A's entry in the column of C is larger
than B's. B dominates A if B does better than A against some opponent, and A better than B against none.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.random import Generator

from pokerlab.core import Bools, Floats, Ints, SettingError, UnknownNameError
from pokerlab.core.settings import checked_bool, checked_number
from pokerlab.evolution.population.protocol import Fitness, Genomes, Survivors

DRAWN = ("best", "roulette")
ROUNDING = 1e-9  # far below one place: 0.29 of 100 are 29, though their product is less


@dataclass(frozen=True, kw_only=True)
class ParetoFront:
    """The strategies that none dominates survive, at most a share of the population, and only they become parents.

    If too many are on the front, those nearest to being dominated go first: for each strategy A
    the number of opponents against whom it does better than B is counted for each B; the smallest of
    these numbers is how near A is.

    Dominance is transitive where the same opponents count for all. Where they differ, by
    `third_parties` or because some pairs do not count, it may be that each strategy is dominated by the next;
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
        checked_bool("third_parties", self.third_parties)
        checked_bool("recount", self.recount)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the trimmed front; which of equals goes first is drawn."""
        better = count_better(checked_matrix(fitness), members, third_parties=self.third_parties)
        survives = find_front(better)
        if not survives.any():
            survives[:] = True
        most_survivors = count_places(self.most, len(survives))
        tie_break = generator.random(len(survives))

        if not self.recount:
            ranked = np.lexsort((tie_break, -compute_dominance_margin(better), ~survives))
            survives &= np.isin(np.arange(len(survives)), ranked[:most_survivors])

        while survives.sum() > most_survivors:
            front = np.flatnonzero(survives)
            distance = compute_dominance_margin(better[np.ix_(front, front)])
            nearest = np.lexsort((-tie_break[front], distance))[0]
            survives[front[nearest]] = False
        return Survivors(survives, survives / survives.sum())


@dataclass(frozen=True)
class Roulette:
    """None survives; all become parents in proportion to their fitness, shifted so that the worst has zero.

    The "regular" genetic algorithm of Noble & Watson (2001).
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return no survivor, and parent probabilities in proportion to the shifted fitness."""
        probabilities = normalize_fitness(fitness.values[members])
        return Survivors(np.zeros(len(probabilities), np.bool_), probabilities)


@dataclass(frozen=True, kw_only=True)
class Elites:
    """A share of the population survives unchanged; only its members become parents, all with equal probability.

    Parameters
    ----------
    share : float
        Of the population, above 0 and below 1.
    drawn : {'best', 'roulette'}
        'best': the fittest. 'roulette': drawn in proportion to the fitness, shifted
        so that the worst has zero, without replacement.
    """

    share: float = 0.5
    drawn: str = "best"

    def __post_init__(self) -> None:
        check_share("share", self.share)
        UnknownNameError.check("way of drawing elites", self.drawn, DRAWN)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the elites; which of equals goes first is drawn."""
        values = fitness.values[members]
        num_elites = count_places(self.share, len(values))
        tie_break = generator.random(len(values))
        if self.drawn == "best":
            keys = values
        else:
            keys = draw_gumbel_keys(normalize_fitness(values), generator)
        ranked = np.lexsort((tie_break, -keys))
        survives = np.isin(np.arange(len(values)), ranked[:num_elites])
        return Survivors(survives, survives / num_elites)


@dataclass(frozen=True)
class DeterministicCrowding:
    """Each child competes with an elder whose genome is similar; the fitter one of the pair survives.

    Children and elders are paired so that the sum of their distances is smallest. A distance is the sum of the
    absolute differences of genes, in standard deviations. In the first generation pairs are drawn. Noble & Watson
    (2001) name keeping a population diverse as future work.

    References
    ----------
    .. [1] S. W. Mahfoud, "Niching methods for genetic algorithms", thesis, Illinois, 1995
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the fitter one of each pair; the elder if both are equal."""
        values = fitness.values[members]
        shuffled = generator.permutation(len(values))
        half = len(values) // 2
        young, old = np.flatnonzero(ages == 0), np.flatnonzero(ages > 0)
        if not old.size:
            young, old = shuffled[:half], shuffled[half:]

        deviation = genomes.std(axis=0)
        varies = deviation > 0.0
        scaled = genomes[:, varies] / deviation[varies]
        distances = scipy.spatial.distance.cdist(scaled[young], scaled[old], "cityblock")
        young_of_pair, old_of_pair = scipy.optimize.linear_sum_assignment(distances)

        child, elder = young[young_of_pair], old[old_of_pair]
        loser = np.where(values[child] > values[elder], elder, child)
        survives = np.ones(len(values), np.bool_)
        survives[loser] = False
        return Survivors(survives, survives / survives.sum())


@dataclass(frozen=True, kw_only=True)
class NonDominatedRanks:
    """NSGA-II: front after front of the population survives, and of the last one the least crowded strategies.

    Needs pymoo, which `pip install 'pokerlab[nsga]'` brings. Each opponent is an objective; a pair that does not
    count is a zero there. Which of equals comes first depends on the processor: pymoo's sort is not stable.

    Parameters
    ----------
    share : float
        Of the population that survives and becomes parents, above 0 and below 1.

    References
    ----------
    .. [1] K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
       Transactions on Evolutionary Computation 6 (2), 2002
    """

    share: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_share("share", self.share)
        select_by_nsga2(np.zeros((1, 1)), 1, np.random.default_rng(0))

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the share that NSGA-II selects; which of equals goes first is drawn."""
        losses = np.nan_to_num(-checked_matrix(fitness)[members])
        num_survivors = count_places(self.share, len(losses))
        selected = select_by_nsga2(losses, num_survivors, generator)
        survives = np.isin(np.arange(len(losses)), selected)
        return Survivors(survives, survives / num_survivors)


@dataclass(frozen=True, kw_only=True)
class EquilibriumMixture:
    """The support of an equilibrium of the matrix survives, and becomes parents by its weights.

    The population's matrix, made antisymmetric, is the payoff of a symmetric zero-sum game between
    strategies. Its equilibrium mixture loses to none of the population on average. A Nash memory
    (Oliehoek et al. 2006) keeps such a support of all strategies that it has met; a Pareto front keeps those that are
    best against someone.

    Parameters
    ----------
    most : float
        The largest share of the population that may survive, above 0 and below 1; those of least weight go first.
    """

    most: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_share("most", self.most)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the support; which of equal weights goes first is drawn."""
        weights = solve_symmetric_matrix(checked_matrix(fitness)[members, members])
        size = len(weights)
        ranked = np.lexsort((generator.random(size), -weights))
        survives = np.isin(np.arange(size), ranked[: count_places(self.most, size)])
        survives &= weights > 0.0
        remaining = np.where(survives, weights, 0.0)
        return Survivors(survives, remaining / remaining.sum())


def solve_symmetric_matrix(matrix: Floats) -> Floats:
    """Return an equilibrium mixture of a symmetric zero-sum game, found by a linear program.

    Parameters
    ----------
    matrix : array of shape (N, N)
        The payoff of the row's strategy against the column's; NaN counts as 0. The game's payoffs are its
        antisymmetric part.

    Returns
    -------
    array of shape (N,)
        The weight of each strategy in the mixture, which is a vertex of the set of all equilibria.
    """
    filled = np.nan_to_num(matrix)
    payoffs = (filled - filled.T) / 2.0
    size = len(payoffs)
    scale = max(1.0, float(np.abs(payoffs).max()))
    # The value of a symmetric game is 0, so no opponent may win anything from the mixture.
    program = scipy.optimize.linprog(
        np.zeros(size),
        A_ub=-payoffs.T / scale,
        b_ub=np.zeros(size),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        method="highs",
    )
    weights: Floats = np.maximum(program.x, 0.0)
    weights /= weights.sum()
    return weights


def count_better(matrix: Floats, members: slice, *, third_parties: bool = False) -> Ints:
    """Return for each pair of strategies against how many opponents the first does better than the second.

    Parameters
    ----------
    matrix : array of shape (M, M)
        What each player, in rows, wins from each opponent, in columns.
    members : slice
        The rows of the N strategies of one population.
    third_parties : bool
        Whether A and B themselves are left out of the opponents.

    Returns
    -------
    array of shape (N, N)
        The counts c(A, B), with A in rows and B in columns.
    """
    rows = matrix[members]
    counts: Ints = np.array([(row > rows).sum(axis=1) for row in rows])
    if third_parties:
        own = matrix[members, members]
        diagonal = np.diag(own)
        # Take off the two opponents A and B, where A did better there than B.
        counts -= diagonal[:, None] > own.T
        counts -= own > diagonal[None, :]
    return counts


def find_dominated(better: Ints) -> Bools:
    """Return whether the row's strategy dominates the column's, given the counts of `count_better`."""
    dominates: Bools = (better > 0) & (better.T == 0)
    return dominates


def find_front(better: Ints) -> Bools:
    """Return whether each strategy is dominated by no other, given the counts of `count_better`."""
    return np.logical_not(find_dominated(better).any(axis=0))


def compute_dominance_margin(better: Ints) -> Ints:
    """Return how far each strategy is from being dominated: the smallest of its counts over all other strategies."""
    without_itself = better + np.diag(np.full(len(better), np.iinfo(np.int64).max // 2))
    nearest: Ints = without_itself.min(axis=1)
    return nearest


def count_places(share: float, size: int) -> int:
    """Return how many strategies a share of a population of this size is: at least one, and not all."""
    return min(max(1, int(share * size + ROUNDING)), size - 1)


def normalize_fitness(values: Floats) -> Floats:
    """Return probabilities in proportion to fitness, shifted so that the worst has zero; uniform if all are equal."""
    shifted = values - values.min()
    total = shifted.sum()
    return shifted / total if total > 0.0 else np.full(len(values), 1.0 / len(values))


def draw_gumbel_keys(probabilities: Floats, generator: Generator) -> Floats:
    """Return a random key for each of some probabilities: its logarithm plus Gumbel noise.

    The indices of the k largest keys are a draw of k without replacement (the Gumbel-max trick).
    """
    with np.errstate(divide="ignore"):
        keys: Floats = np.log(probabilities) + generator.gumbel(size=probabilities.shape)
    return keys


def checked_matrix(fitness: Fitness) -> Floats:
    """Return the matrix of a fitness; raise if it compares no pairs."""
    if not fitness.matrix.size:
        raise SettingError(
            "dominance compares wins against each opponent, which this fitness does not have. Pass"
            " fitness=WinsAndLosses()."
        )
    return fitness.matrix


def select_by_nsga2(losses: Floats, num_survivors: int, generator: Generator) -> Ints:
    """Return the indices of the strategies that NSGA-II selects.

    Parameters
    ----------
    losses : array of shape (N, M)
        The loss of each strategy in each of M objectives, all of which are minimized.
    num_survivors : int
        How many strategies are selected.
    generator : Generator
        Decides between equals.
    """
    try:
        from pymoo.core.population import Population
        from pymoo.core.problem import Problem
        from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
    except ImportError:
        raise SettingError(
            "ranking by NSGA-II needs pymoo. Install it: pip install 'pokerlab[nsga]'."
        ) from None
    selected: Ints = RankAndCrowding().do(
        Problem(n_var=1, n_obj=losses.shape[1]),
        Population.new(F=losses),
        n_survive=num_survivors,
        random_state=generator,
        return_indices=True,
    )
    return selected


def check_share(name: str, share: float) -> None:
    """Raise if a share is not strictly between 0 and 1, so that someone survives and a child has a place."""
    checked_number(name, share, 0.0, 1.0)
    if share in (0.0, 1.0):
        raise SettingError(f"{name} is {share}. Pass a share above 0 and below 1, such as 0.5.")
