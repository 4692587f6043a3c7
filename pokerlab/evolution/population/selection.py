"""Selection of survivors and parents: the Pareto front, roulette, elites, truncation, crowding, NSGA-II, mixtures.

By the matrix of a `Fitness`, strategy A does better than B against C if A's entry in the column of C is larger than
B's. Strategy B dominates A if B does better than A against at least one opponent, and A does not do better than B
against any opponent.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.random import Generator
from numpy.typing import NDArray

from pokerlab.core import Bools, Floats, Ints, SettingError, UnknownNameError, kernel
from pokerlab.core.compiler import is_compiled
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.core.settings import validate_bool, validate_number
from pokerlab.evolution.population.protocol import Fitness, Genomes, Survivors

ELITE_RULES = ("best", "roulette")
ROUNDING = 1e-9  # added before rounding down, because the product of 0.29 and 100 is less than 29


@explain_renamed_attributes
@reject_renamed_parameters
@dataclass(frozen=True, kw_only=True)
class ParetoFront:
    """Survival of the Pareto front: strategies that no other strategy dominates survive, and only they become parents.

    At most a given share of the population survives. If the front is larger, the strategies that are nearest to being
    dominated are removed. The distance of strategy A from being dominated by B is the number of opponents against whom
    A does better than B. Its distance from being dominated at all is the smallest of these numbers over all B.

    Dominance is transitive if the same opponents count for all strategies. If they do not, because of `third_parties`
    or because some pairs do not count, dominance can be cyclic, so that every strategy is dominated. Then the whole
    population is treated as the front. The method is described by Noble & Watson (2001), "A simple Pareto coevolution
    algorithm". There the front has at most half of the population.

    All strategies are compared in pairs against all opponents, so the time of a generation grows with the cube of the
    population's size.

    Parameters
    ----------
    largest_share : float
        The largest share of the population that the front may have, above 0 and below 1.
    third_parties : bool
        Whether only opponents other than A and B themselves are counted when A and B are compared.
    recount : bool
        Whether distances are computed again after each removal, from the strategies that remain. Then only one of two
        identical strategies is removed.
    """

    largest_share: float = 0.5
    third_parties: bool = False
    recount: bool = False
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range."""
        check_share("largest_share", self.largest_share)
        validate_bool("third_parties", self.third_parties)
        validate_bool("recount", self.recount)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the Pareto front of one population, after removals if it is too large. Ties are broken at random.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            The front survives, and its strategies become parents with equal probabilities.

        Raises
        ------
        SettingError
            If the fitness has no matrix.
        """
        num_better = count_better_results(
            validate_fitness_matrix(fitness), members, third_parties=self.third_parties
        )
        front = find_pareto_front(num_better)
        if not front.any():  # dominance is cyclic
            front[:] = True

        most_survivors = count_strategies_in_share(self.largest_share, len(front))
        tie_break = generator.random(len(front))
        reduce_front = reduce_front_one_by_one if self.recount else reduce_front_at_once
        survives = reduce_front(front, num_better, most_survivors, tie_break)
        return Survivors(survives, survives / survives.sum())


@reject_renamed_parameters
@dataclass(frozen=True, kw_only=True)
class ParetoParents(ParetoFront):
    """Selection of parents by the Pareto front without survivors: the front has offspring, and none of it survives.

    The parents have equal probabilities. They are the strategies that `ParetoFront` with the same settings keeps, so
    the two differ only in survival, as `Truncation` and `Elites` do.

    Parameters
    ----------
    largest_share, third_parties, recount
        As in `ParetoFront`.
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the Pareto front of one population as parents, after removals if it is too large, and no survivors.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            No strategy survives, and the strategies of the front become parents with equal probabilities.

        Raises
        ------
        SettingError
            If the fitness has no matrix.
        """
        front = super().__call__(fitness, members, genomes, ages, generator)
        return Survivors(np.zeros_like(front.survives), front.parent_probabilities)


@dataclass(frozen=True)
class Roulette:
    """Roulette selection: no strategy survives, and all are drawn as parents in proportion to their fitness.

    Fitness is shifted so that the lowest is zero. This is the "regular" genetic algorithm of Noble & Watson (2001).
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return probabilities of parents in proportion to fitness, and no survivors.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of random numbers, which is not used.

        Returns
        -------
        Survivors
            No strategy survives. The fitness is shifted so that the lowest is zero.
        """
        probabilities = compute_roulette_probabilities(fitness.values[members])
        return Survivors(np.zeros(len(probabilities), np.bool_), probabilities)


@dataclass(frozen=True, kw_only=True)
class Elites:
    """Survival of elites: a share of the population survives, and becomes parents with equal probabilities.

    Parameters
    ----------
    share : float
        The share of the population that survives, above 0 and below 1.
    drawn : {'best', 'roulette'}
        With 'best' the fittest strategies survive. With 'roulette' survivors are drawn without replacement, in
        proportion to their fitness, which is shifted so that the lowest is zero.
    """

    share: float = 0.5
    drawn: str = "best"

    def __post_init__(self) -> None:
        """Raise a SettingError if `share` is outside its range, or an UnknownNameError if `drawn` is not allowed."""
        check_share("share", self.share)
        UnknownNameError.check("way of drawing elites", self.drawn, ELITE_RULES)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the elites of one population as survivors and parents. Ties are broken at random.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            The elites survive, and become parents with equal probabilities.
        """
        fitness_values = fitness.values[members]
        num_elites = count_strategies_in_share(self.share, len(fitness_values))
        tie_break = generator.random(len(fitness_values))
        if self.drawn == "best":
            keys = fitness_values
        else:
            keys = draw_gumbel_keys(compute_roulette_probabilities(fitness_values), generator)
        survives = find_largest_keys(keys, num_elites, tie_break)
        return Survivors(survives, survives / num_elites)


@dataclass(frozen=True, kw_only=True)
class Truncation:
    """Truncation selection without survivors: the fittest share of the population are parents, and none of it survives.

    The parents have equal probabilities. They are the strategies that `Elites` with the same share keeps, so the two
    differ only in survival. In the terms of evolution strategies this is (mu, lambda) selection, and `Elites` is
    (mu + lambda) selection.

    Parameters
    ----------
    share : float
        The share of the population that become parents, above 0 and below 1.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        """Raise a SettingError if `share` is outside its range."""
        check_share("share", self.share)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the fittest strategies of one population as parents, and no survivors. Ties are broken at random.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            No strategy survives, and the fittest become parents with equal probabilities.
        """
        fitness_values = fitness.values[members]
        num_parents = count_strategies_in_share(self.share, len(fitness_values))
        is_parent = find_largest_keys(
            fitness_values, num_parents, generator.random(len(fitness_values))
        )
        return Survivors(np.zeros(len(fitness_values), np.bool_), is_parent / num_parents)


@dataclass(frozen=True)
class DeterministicCrowding:
    """Deterministic crowding: each child competes with an older strategy whose genome is similar to its own.

    The fitter strategy of each pair survives. Children and older strategies are paired so that the sum of distances is
    minimal. The distance of two genomes is the sum over genes of their absolute differences, in standard deviations. In
    the first generation, which has only new strategies, pairs are drawn at random. Noble & Watson (2001) name the
    preservation of diversity as future work.

    References
    ----------
    .. [1] S. W. Mahfoud, "Niching methods for genetic algorithms", thesis, Illinois, 1995
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the winners of pairs of a child and an older strategy with similar genomes.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes : array of shape (N, G)
            The genomes of the population, N strategies of G genes, by which pairs are formed.
        ages : array of shape (N,)
            The number of generations that each strategy has survived, which is 0 for children.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            The fitter strategy of each pair survives, or the older one if both are equally fit. All survivors become
            parents with equal probabilities.
        """
        fitness_values = fitness.values[members]

        # Divide the population into children and older strategies; at random in the first generation. The permutation
        # is drawn in every generation, so the generator is always in the same state afterwards.
        shuffled_strategies = generator.permutation(len(fitness_values))
        children = np.flatnonzero(ages == 0)
        elders = np.flatnonzero(ages > 0)
        if not elders.size:
            half = len(fitness_values) // 2
            children = shuffled_strategies[:half]
            elders = shuffled_strategies[half:]

        # Pair them so that the sum of distances is minimal. A gene that is the same in all genomes has no distance.
        deviation = genomes.std(axis=0)
        is_varying = deviation > 0.0
        scaled = genomes[:, is_varying] / deviation[is_varying]
        distances = scipy.spatial.distance.cdist(scaled[children], scaled[elders], "cityblock")
        child_of_pair, elder_of_pair = scipy.optimize.linear_sum_assignment(distances)

        # The less fit strategy of each pair is removed.
        children_of_pairs, elders_of_pairs = children[child_of_pair], elders[elder_of_pair]
        losers = np.where(
            fitness_values[children_of_pairs] > fitness_values[elders_of_pairs],
            elders_of_pairs,
            children_of_pairs,
        )
        survives = np.ones(len(fitness_values), np.bool_)
        survives[losers] = False
        return Survivors(survives, survives / survives.sum())


@dataclass(frozen=True, kw_only=True)
class NonDominatedRanks:
    """Selection by NSGA-II: non-dominated fronts survive one after the other, up to a share of the population.

    Of the last front only the least crowded strategies survive. The fitness against each opponent is an objective,
    which is zero for a pair that does not count. The order of equally good strategies can depend on the processor,
    because pymoo's sort is not stable. The method needs pymoo: `pip install 'pokerlab[nsga]'`.

    Parameters
    ----------
    share : float
        The share of the population that survives and becomes parents, above 0 and below 1.

    References
    ----------
    .. [1] K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
       Transactions on Evolutionary Computation 6 (2), 2002
    """

    share: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise a SettingError if `share` is outside its range, or if pymoo is not installed."""
        check_share("share", self.share)
        # A trial selection of one strategy, which fails now rather than in the first generation if pymoo is missing.
        select_by_nsga2(np.zeros((1, 1)), 1, np.random.default_rng(0))

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the strategies that NSGA-II selects in one population. Ties are broken at random.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            The selected strategies survive, and become parents with equal probabilities.

        Raises
        ------
        SettingError
            If the fitness has no matrix.
        """
        losses = np.nan_to_num(-validate_fitness_matrix(fitness)[members])
        num_survivors = count_strategies_in_share(self.share, len(losses))
        selected = select_by_nsga2(losses, num_survivors, generator)
        survives = np.isin(np.arange(len(losses)), selected)
        return Survivors(survives, survives / num_survivors)


@explain_renamed_attributes
@reject_renamed_parameters
@dataclass(frozen=True, kw_only=True)
class EquilibriumMixture:
    """Survival of the support of an equilibrium, whose probabilities are also the probabilities of parents.

    The antisymmetric part of the population's fitness matrix is the payoff matrix of a symmetric zero-sum game between
    strategies. On average an equilibrium mixture of this game does not lose against any strategy of the population. A
    Nash memory (Oliehoek et al. 2006) stores such a support of all strategies found so far.

    Parameters
    ----------
    largest_share : float
        The largest share of the population that may survive, above 0 and below 1. If the support is larger, the
        strategies with the smallest probabilities are removed.
    """

    largest_share: float = 0.5
    needs_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise a SettingError if `most` is outside its range."""
        check_share("largest_share", self.largest_share)

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the strategies of an equilibrium mixture of one population as survivors and parents.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes, ages : array
            The genomes and the ages of the population's strategies, which are not used.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            The strategies with positive probabilities survive. If they are too many, only those with the largest
            probabilities survive, and ties are broken at random. The probability of each parent is its probability in
            the mixture, divided by the sum over all parents.

        Raises
        ------
        SettingError
            If the fitness has no matrix.
        """
        payoffs_of_members = validate_fitness_matrix(fitness)[members, members]
        probabilities = solve_symmetric_game(payoffs_of_members)
        most_survivors = count_strategies_in_share(self.largest_share, len(probabilities))
        tie_break = generator.random(len(probabilities))
        is_among_largest = find_largest_keys(probabilities, most_survivors, tie_break)
        survives = is_among_largest & (probabilities > 0.0)
        surviving_probabilities = np.where(survives, probabilities, 0.0)
        return Survivors(survives, surviving_probabilities / surviving_probabilities.sum())


def solve_symmetric_game(matrix: Floats) -> Floats:
    """Return an equilibrium mixture of a symmetric zero-sum game, which is computed by a linear program.

    Parameters
    ----------
    matrix : array of shape (N, N)
        The fitness of the row's strategy against the column's strategy, where NaN counts as 0. The payoff matrix of the
        game is the antisymmetric part of this matrix.

    Returns
    -------
    array of shape (N,)
        The probability of each strategy in the mixture, which is a vertex of the set of all equilibria.
    """
    fitness_matrix = np.nan_to_num(matrix)
    payoffs = (fitness_matrix - fitness_matrix.T) / 2.0
    size = len(payoffs)
    scale = max(1.0, float(np.abs(payoffs).max()))

    # The value of a symmetric game is 0, so no opponent may win anything from the mixture x: -A^T x <= 0. Any such x
    # is an equilibrium, so there is nothing to be minimized.
    solution = scipy.optimize.linprog(
        np.zeros(size),
        A_ub=-payoffs.T / scale,
        b_ub=np.zeros(size),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        method="highs",
    )
    mixture: Floats = np.maximum(solution.x, 0.0)  # rounding can make a probability negative
    mixture /= mixture.sum()
    return mixture


def count_better_results(matrix: Floats, members: slice, *, third_parties: bool = False) -> Ints:
    """Count for each pair of strategies A and B the opponents against whom A does better than B.

    Parameters
    ----------
    matrix : array of shape (M, M)
        The fitness of the row's player against the column's player, for all M players.
    members : slice
        The indices of the N strategies of one population.
    third_parties : bool
        Whether A and B themselves are not counted as opponents.

    Returns
    -------
    array of shape (N, N)
        The counts, with A in rows and B in columns.
    """
    rows = convert_to_int16_if_exact(matrix[members])
    if is_compiled(count_larger_entries):
        counts = count_larger_entries(rows)
    else:  # a loop over entries would take long
        counts = np.array([(row > rows).sum(axis=1) for row in rows])

    if third_parties:
        # Subtract the opponents A and B if they have been counted. With A in rows and B in columns, A did better
        # against itself if M[A, A] > M[B, A], and better against B if M[A, B] > M[B, B].
        matrix_of_members = matrix[members, members]
        diagonal = np.diag(matrix_of_members)
        counts -= diagonal[:, None] > matrix_of_members.T
        counts -= matrix_of_members > diagonal[None, :]
    return counts


def convert_to_int16_if_exact(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return a copy of a matrix, with 16-bit integers if all its entries are 16-bit integers.

    Such integers are compared faster than other numbers.

    Parameters
    ----------
    matrix : array of any shape
        The matrix, such as the payoffs between strategies. It is not changed.

    Returns
    -------
    array of int16, or of the given type
        The copy, which is equal to the matrix.
    """
    # A conversion changes NaN and large numbers, which is noticed below.
    with np.errstate(invalid="ignore"):
        narrow_matrix = matrix.astype(np.int16)
    is_exact = (narrow_matrix == matrix).all()
    return narrow_matrix if is_exact else np.array(matrix)


@kernel
def count_larger_entries(rows: NDArray[Any]) -> Ints:
    """Count for each pair of rows of a matrix the columns in which the first row has a larger entry than the second.

    Parameters
    ----------
    rows : array of shape (N, M)
        The matrix.

    Returns
    -------
    array of shape (N, N)
        The counts. Entry (i, j) is the number of columns in which row i has a larger entry than row j.
    """
    num_rows, num_columns = rows.shape
    counts = np.zeros((num_rows, num_rows), np.int64)
    # Each pair of rows is read once. Both of its counts are computed at the same time.
    for first in range(num_rows):
        for second in range(first):
            larger = smaller = np.int32(0)  # 32 bits, so that more columns are compared at a time
            for column in range(num_columns):
                larger = np.int32(larger + (rows[first, column] > rows[second, column]))
                smaller = np.int32(smaller + (rows[first, column] < rows[second, column]))
            counts[first, second] = larger
            counts[second, first] = smaller
    return counts


def find_dominance(num_better: Ints) -> Bools:
    """Return for each pair of strategies whether the row's strategy dominates the column's strategy.

    Strategy B dominates A if B does better than A against at least one opponent, and A does not do better than B
    against any opponent.

    Parameters
    ----------
    num_better : array of shape (N, N)
        The number of opponents against whom the row's strategy does better than the column's strategy, from
        `count_better_results`.

    Returns
    -------
    array of shape (N, N)
        Whether each strategy dominates each other one.
    """
    dominates: Bools = (num_better > 0) & (num_better.T == 0)
    return dominates


def find_pareto_front(num_better: Ints) -> Bools:
    """Return whether each strategy is on the Pareto front, that is, dominated by no other strategy.

    Parameters
    ----------
    num_better : array of shape (N, N)
        The number of opponents against whom the row's strategy does better than the column's strategy, from
        `count_better_results`.

    Returns
    -------
    array of shape (N,)
        Whether each strategy is on the front.
    """
    is_dominated = find_dominance(num_better).any(axis=0)
    return np.logical_not(is_dominated)


def reduce_front_at_once(
    front: Bools, num_better: Ints, most_survivors: int, tie_break: Floats
) -> Bools:
    """Return which strategies of a Pareto front remain, after removing those that are nearest to being dominated.

    The distance of a strategy from being dominated is measured in the whole population, as `compute_dominance_margin`
    does.

    Parameters
    ----------
    front : array of shape (N,)
        Whether each strategy is on the front.
    num_better : array of shape (N, N)
        The number of opponents against whom the row's strategy does better than the column's strategy.
    most_survivors : int
        The largest number of strategies that remain.
    tie_break : array of shape (N,)
        Of equally distant strategies, those with the smaller numbers here remain.

    Returns
    -------
    array of shape (N,)
        Whether each strategy remains.
    """
    # Rank all strategies, first those on the front, and of these the most distant ones. The last key of `lexsort` is
    # the most important one.
    margins = compute_dominance_margin(num_better)
    ranked = np.lexsort((tie_break, -margins, ~front))
    is_among_first: Bools = np.isin(np.arange(len(front)), ranked[:most_survivors])
    return front & is_among_first


def reduce_front_one_by_one(
    front: Bools, num_better: Ints, most_survivors: int, tie_break: Floats
) -> Bools:
    """Return which strategies of a Pareto front remain, after repeatedly removing the one nearest to being dominated.

    Before each removal the distances from being dominated are computed again among the strategies that remain.

    Parameters
    ----------
    front : array of shape (N,)
        Whether each strategy is on the front.
    num_better : array of shape (N, N)
        The number of opponents against whom the row's strategy does better than the column's strategy.
    most_survivors : int
        The largest number of strategies that remain.
    tie_break : array of shape (N,)
        Of equally distant strategies, the one with the largest number here is removed.

    Returns
    -------
    array of shape (N,)
        Whether each strategy remains.
    """
    remains = front.copy()
    while remains.sum() > most_survivors:
        remaining_strategies = np.flatnonzero(remains)
        margins = compute_dominance_margin(
            num_better[np.ix_(remaining_strategies, remaining_strategies)]
        )
        nearest = np.lexsort((-tie_break[remaining_strategies], margins))[0]
        remains[remaining_strategies[nearest]] = False
    return remains


def compute_dominance_margin(num_better: Ints) -> Ints:
    """Return the distance of each strategy from being dominated.

    The distance of strategy A from being dominated by B is the number of opponents against whom A does better than B.
    The result is the smallest of these numbers over all other strategies B.

    Parameters
    ----------
    num_better : array of shape (N, N)
        The number of opponents against whom the row's strategy does better than the column's strategy, from
        `count_better_results`.

    Returns
    -------
    array of shape (N,)
        The smallest entry of each row, apart from the diagonal.
    """
    # A strategy cannot dominate itself, so a huge number is put on the diagonal, which is 0.
    huge_diagonal = np.diag(np.full(len(num_better), np.iinfo(np.int64).max // 2))
    margin: Ints = (num_better + huge_diagonal).min(axis=1)
    return margin


def find_largest_keys(keys: Floats, num_largest: int, tie_break: Floats) -> Bools:
    """Return for each of several numbers, the keys, whether it is among the largest ones.

    Parameters
    ----------
    keys : array of shape (N,)
        The keys, such as fitness values.
    num_largest : int
        The number of largest keys.
    tie_break : array of shape (N,)
        Of equal keys, those with the smaller numbers here are among the largest.

    Returns
    -------
    array of shape (N,)
        Whether each key is among the `num_largest` largest.
    """
    ranked = np.lexsort((tie_break, -keys))  # the last argument is the first criterion
    is_largest: Bools = np.isin(np.arange(len(keys)), ranked[:num_largest])
    return is_largest


def count_strategies_in_share(share: float, population_size: int) -> int:
    """Return the number of strategies in a share of a population, rounded down.

    Parameters
    ----------
    share : float
        The share, above 0 and below 1.
    population_size : int
        The number of strategies in the population, at least 2.

    Returns
    -------
    int
        The number, which is at least 1 and at most `population_size` - 1.
    """
    rounded_down = int(share * population_size + ROUNDING)
    return min(max(1, rounded_down), population_size - 1)


def compute_roulette_probabilities(fitness_values: Floats) -> Floats:
    """Return probabilities in proportion to fitness, which is shifted so that the lowest is zero.

    Parameters
    ----------
    fitness_values : array of shape (N,)
        The fitness of each strategy.

    Returns
    -------
    array of shape (N,)
        The probabilities, which are uniform if all values are equal.
    """
    shifted_fitness = fitness_values - fitness_values.min()
    total_fitness = shifted_fitness.sum()
    return (
        shifted_fitness / total_fitness
        if total_fitness > 0.0
        else np.full(len(fitness_values), 1.0 / len(fitness_values))
    )


def draw_gumbel_keys(probabilities: Floats, generator: Generator) -> Floats:
    """Draw random numbers, the keys, by which indices can be drawn without replacement (the Gumbel-max trick).

    A key is the logarithm of a probability plus Gumbel noise. The indices of the k largest keys are a random draw of k
    indices without replacement, in proportion to the probabilities.

    Parameters
    ----------
    probabilities : array of shape (..., N)
        The probability of each of N indices in the last axis. Other axes are independent draws.
    generator : Generator
        The source of all random numbers.

    Returns
    -------
    array of shape (..., N)
        The keys. The key of an index with probability 0 is minus infinity.
    """
    with np.errstate(divide="ignore"):  # the logarithm of 0
        keys: Floats = np.log(probabilities) + generator.gumbel(size=probabilities.shape)
    return keys


def validate_fitness_matrix(fitness: Fitness) -> Floats:
    """Return the fitness of each player against each other player, or raise an error if it has not been computed.

    Parameters
    ----------
    fitness : Fitness
        The fitness of M players.

    Returns
    -------
    array of shape (M, M)
        The matrix.

    Raises
    ------
    SettingError
        If the fitness function does not compare pairs, so that the matrix is empty.
    """
    if not fitness.matrix.size:
        raise SettingError(
            "dominance compares wins against each opponent, which this fitness does not have. Pass"
            " fitness=WinsAndLosses()."
        )
    return fitness.matrix


def select_by_nsga2(losses: Floats, num_survivors: int, generator: Generator) -> Ints:
    """Return the strategies that NSGA-II selects by non-dominated fronts and crowding, computed by pymoo.

    Parameters
    ----------
    losses : array of shape (N, M)
        The loss of each strategy in each of M objectives, all of which are minimized.
    num_survivors : int
        The number of strategies to select.
    generator : Generator
        The source of random numbers, which break ties.

    Returns
    -------
    array of shape (num_survivors,)
        The indices of the selected strategies.

    Raises
    ------
    SettingError
        If pymoo is not installed.
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
    """Raise a SettingError if a share of a population is not strictly between 0 and 1.

    With the share 0 there would be no survivors or parents, and with the share 1 no children.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    share : float
        The share.

    Raises
    ------
    SettingError
        If the share is not above 0 and below 1.
    """
    validate_number(name, share, 0.0, 1.0)
    if share in (0.0, 1.0):
        raise SettingError(f"{name} is {share}. Pass a share above 0 and below 1, such as 0.5.")
