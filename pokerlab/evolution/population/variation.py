"""Variation: crossover of two parents and mutation, or weighted sums of parents, for networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from pokerlab.core import Bools, Floats, Ints, SettingError, UnknownNameError
from pokerlab.core.settings import validate_bool, validate_number
from pokerlab.evolution.population.protocol import Children, Genomes
from pokerlab.evolution.population.selection import draw_gumbel_keys
from pokerlab.strategies.encoding import FLAG, PROBABILITY

MOST_WIDTH = 1e6
EXPONENTIAL, MOST_RECORDED_PARENTS = "exponential", 8
PARENT_COUNTS = {"two": 2, "one": 1, EXPONENTIAL: MOST_RECORDED_PARENTS}
"""The number of parents that are recorded for each child, by the setting `parents`."""
BIAS_DISTRIBUTIONS = ("weighted average", "normal", "uniform")
NO_PARENT = -1
"""The index of a missing parent: of a survivor, of the first generation, or of a child that has fewer parents."""
LEAST_RATE, LARGEST_RATE = 0.01, 100.0
MOST_NOISE, LEAST_BOUND, LARGEST_BOUND = 1e6, 1e-3, 1e9


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """Multi-point crossover and mutation with a fixed rate for each gene, as in Noble & Watson (2001).

    Parameters
    ----------
    switch : float
        The probability at each gene that copying continues from the other parent, 0 to 1.
    mutation : float
        The probability that each gene mutates, 0 to 1.
    widths : tuple of three floats
        The standard deviations of mutations of a probability, of a hand's category or rank, and of an amount, each at
        least 0. A flag is flipped when it mutates.
    catastrophic : float
        The share of mutations in which the gene is replaced by a new random value, 0 to 1.
    sexual : bool
        Whether a child has two parents. Otherwise it is a mutated copy of one parent, which the paper proposes as
        future work.

    Notes
    -----
    The paper describes rates per locus, Gaussian mutations with "standard deviation probabilities hand rankings betting
    amounts", and catastrophic mutations. Its numbers are not available, so the default values are ours.
    """

    switch: float = 0.1
    mutation: float = 0.05
    widths: tuple[float, float, float] = (0.05, 1.0, 2.0)
    catastrophic: float = 0.02
    sexual: bool = True

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range."""
        validate_number("switch", self.switch, 0.0, 1.0)
        validate_number("mutation", self.mutation, 0.0, 1.0)
        validate_number("catastrophic", self.catastrophic, 0.0, 1.0)
        if len(self.widths) != 3:
            raise SettingError(
                f"widths are {self.widths!r}; give three numbers: for probabilities, hands, amounts."
            )
        for width in self.widths:
            validate_number("a width", width, 0.0, MOST_WIDTH)
        validate_bool("sexual", self.sexual)

    @property
    def num_parents(self) -> int:
        """The number of parents of a child."""
        return 2 if self.sexual else 1

    def check_encoding(self, encoding: Any) -> None:
        """Raise a SettingError if an encoding lacks the kinds and ranges of its genes, which mutations need.

        Parameters
        ----------
        encoding : object
            The encoding, which should have the attributes `kinds`, `low` and `high`.

        Raises
        ------
        SettingError
            If one of the three attributes is missing.
        """
        if not all(hasattr(encoding, name) for name in ("kinds", "low", "high")):
            raise SettingError(
                "Crossover() mutates genes of known kinds and ranges, such as those of rules, but the encoding is"
                f" {encoding!r}. Pass variation=WeightedSum() for networks, or a variation of your own."
            )

    def __call__(
        self,
        encoding: Any,
        genomes: Genomes,
        parent_probabilities: Floats,
        count: int,
        generator: Generator,
    ) -> Children:
        """Return children that are made by crossover of randomly drawn parents, and by mutation.

        Each child has two different parents, or one parent if `sexual` is False.

        Parameters
        ----------
        encoding : object
            The encoding, which has the kind, the lowest and the highest value of each gene, and draws random genomes.
        genomes : array of shape (R, G)
            The genomes of R candidates for parents, of G genes each. They are not changed.
        parent_probabilities : array of shape (R,)
            The probability that each candidate is drawn.
        count : int
            The number of children.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Children
            The genomes of the children, one in each row, and the candidates that are their parents.
        """
        # Copy the first parent, and the genes after an odd number of switches from the second parent.
        parents = draw_parents(parent_probabilities, count, self.num_parents, generator)
        children = genomes[parents[:, 0]].copy()
        if self.sexual:
            switches = generator.random(children.shape) < self.switch
            switches[:, 0] = False  # the first gene is always from the first parent
            is_from_second = np.cumsum(switches, axis=1) % 2 == 1
            children[is_from_second] = genomes[parents[:, 1]][is_from_second]

        # All random numbers are drawn for every gene, and are used for the genes that mutate.
        is_mutating = generator.random(children.shape) < self.mutation
        is_catastrophic = is_mutating & (generator.random(children.shape) < self.catastrophic)
        mutated = self.mutate_genes(encoding, children, generator)
        random_genomes = encoding.draw_genomes(generator, count)
        children[is_mutating] = mutated[is_mutating]
        children[is_catastrophic] = random_genomes[is_catastrophic]
        return Children(children, parents)

    def mutate_genes(self, encoding: Any, genomes: Genomes, generator: Generator) -> Genomes:
        """Return genomes in which every gene has been mutated once.

        An integer changes by at least one, because rounding would leave a third of the integers unchanged. A gene that
        leaves its range is set to the nearest bound, because a reflected gene would never be exactly at a bound.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which has the kind, the lowest and the highest value of each gene.
        genomes : array of shape (C, G)
            C genomes of G genes each, which are not changed.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        array of shape (C, G)
            The mutated genomes.
        """
        # The standard deviation of each gene by its kind; flags, the last kind, have none.
        kinds = encoding.kinds
        deviations = np.array([*self.widths, 0.0])[kinds]
        steps = generator.normal(size=genomes.shape) * deviations
        is_whole = kinds != PROBABILITY
        can_move = deviations[is_whole] > 0.0
        steps[:, is_whole] = round_to_nonzero_integers(steps[:, is_whole], can_move)

        mutated: Genomes = np.clip(genomes + steps, encoding.low, encoding.high)
        is_flag = kinds == FLAG
        mutated[:, is_flag] = 1.0 - genomes[:, is_flag]
        return mutated


def draw_parents(
    parent_probabilities: Floats, num_children: int, num_parents: int, generator: Generator
) -> Ints:
    """Draw the parents of each child at random, and return their indices.

    The parents of a child are different strategies, as long as there are enough with a positive probability. If there
    are fewer, the child's first parent takes the remaining places.

    Parameters
    ----------
    parent_probabilities : array of shape (R,)
        The probability that each of R strategies is drawn as the first parent.
    num_children, num_parents : int
        The number of children, and the number of parents of each child, at most R.
    generator : Generator
        The source of all random numbers.

    Returns
    -------
    array of shape (num_children, num_parents)
        The indices of the parents of each child.
    """
    shape = (num_children, len(parent_probabilities))
    keys = draw_gumbel_keys(np.broadcast_to(parent_probabilities, shape), generator)
    drawn_candidates = np.argsort(-keys, axis=1)[:, :num_parents]

    # A strategy with probability 0 is drawn only if there are no others left. The first parent takes its place.
    first_parent = drawn_candidates[:, :1]
    return np.where(parent_probabilities[drawn_candidates] > 0.0, drawn_candidates, first_parent)


def round_to_nonzero_integers(steps: Floats, can_move: Bools) -> Floats:
    """Return steps of genes rounded to integers, where a step that would be rounded to 0 becomes 1 or -1.

    Parameters
    ----------
    steps : array of shape (C, G)
        The step of each of G genes of each of C children.
    can_move : array of shape (G,)
        Whether each gene can move at all. The steps of other genes become 0.

    Returns
    -------
    array of shape (C, G)
        The rounded steps.
    """
    rounded = np.rint(steps)
    at_least_one = np.where(rounded == 0.0, np.copysign(1.0, steps), rounded)
    return np.where(can_move, at_least_one, 0.0)


@dataclass(frozen=True, kw_only=True)
class WeightedSum:
    """Weighted sums of the weights of several parents, followed by mutation, as in Nicolai & Hilderman (2009).

    For each parent of a child a random number, its bias, is drawn. Each weight of the child is the sum over its parents
    of the parent's weight times the parent's bias. Then some of the child's weights mutate.

    Parameters
    ----------
    parents : {'two', 'one', 'exponential'}
        The number of different parents of a child. With 'exponential' it is 1 plus an exponentially distributed number,
        rounded, and at most the number of strategies that may become parents; the first eight parents are recorded. The
        paper says "one or more", and its first author's thesis has an exponential distribution in which two parents are
        most likely.
    parent_rate : float
        The rate of the exponential distribution, 0.01 to 100. Below 0.962 two parents are most likely.
    biases : {'weighted average', 'normal', 'uniform'}
        The distribution of biases. With 'weighted average' they are absolute values of normal numbers with mean 1 and
        standard deviation `bias_spread`, divided by their sum. With 'normal' they are standard normal numbers. With
        'uniform' they are uniform numbers from 0 to 1, divided by their sum, as in the thesis's figure 4.10. The paper
        speaks of "a normally distributed random bias" and of "a weighted average".
    bias_spread : float
        The standard deviation of biases in a weighted average, 0 to 10.
    mutation : float
        The probability that each weight of a child mutates, 0 to 1.
    noise_mean, noise : float
        The mean and the standard deviation of the normal noise that is added to a weight that mutates.
    bound : float
        The largest magnitude of a weight, 0.001 to 10**9. Larger weights of a child are clipped to it.

    Notes
    -----
    Nicolai & Hilderman (2009, section III A) state that 10% of the weights mutate, by noise with mean 0 and standard
    deviation 0.1. They do not state the other parameters, which affect the result: weighted averages make networks
    similar to each other, and normal biases make weights grow.
    """

    parents: str = "two"
    parent_rate: float = 0.5
    biases: str = "weighted average"
    bias_spread: float = 0.3
    mutation: float = 0.1
    noise_mean: float = 0.0
    noise: float = 0.1
    bound: float = 1000.0

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range, or an UnknownNameError if a name is not allowed."""
        UnknownNameError.check("number of parents", self.parents, PARENT_COUNTS)
        UnknownNameError.check("kind of bias", self.biases, BIAS_DISTRIBUTIONS)
        validate_number("parent_rate", self.parent_rate, LEAST_RATE, LARGEST_RATE)
        validate_number("bias_spread", self.bias_spread, 0.0, 10.0)
        validate_number("mutation", self.mutation, 0.0, 1.0)
        validate_number("noise_mean", self.noise_mean, -MOST_NOISE, MOST_NOISE)
        validate_number("noise", self.noise, 0.0, MOST_NOISE)
        validate_number("bound", self.bound, LEAST_BOUND, LARGEST_BOUND)

    @property
    def num_parents(self) -> int:
        """The number of parents that are recorded for each child."""
        return PARENT_COUNTS[self.parents]

    def check_encoding(self, encoding: Any) -> None:
        """Raise a SettingError if the genes of an encoding have a range, which weighted sums would leave.

        Parameters
        ----------
        encoding : object
            The encoding. Its genes have a range if it has the attribute `low`.

        Raises
        ------
        SettingError
            If the encoding has the attribute `low`.
        """
        if hasattr(encoding, "low"):
            raise SettingError(
                f"WeightedSum() is for weights of any size, such as those of networks, but the encoding is"
                f" {encoding!r}, whose genes have ranges. Pass variation=Crossover() for rules, or one of your own."
            )

    def __call__(
        self,
        encoding: Any,
        genomes: Genomes,
        parent_probabilities: Floats,
        count: int,
        generator: Generator,
    ) -> Children:
        """Return children whose weights are weighted sums of their parents' weights, followed by mutation.

        Parameters
        ----------
        encoding : object
            The encoding of the genomes, which is not used.
        genomes : array of shape (R, G)
            The genomes of R candidates for parents, of G floating-point numbers each. They are not changed.
        parent_probabilities : array of shape (R,)
            The probability that each candidate is drawn.
        count : int
            The number of children.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Children
            The genomes of the children, one in each row, and the candidates that are their parents.

        Raises
        ------
        SettingError
            If the genes are not floating-point numbers.
        """
        if not np.issubdtype(genomes.dtype, np.floating):
            raise SettingError(
                f"genomes are {genomes.dtype}, but weighted sums need floating-point numbers, such as"
                " the weights of networks."
            )
        parents = self.draw_parents(parent_probabilities, count, generator)
        biases = self.draw_biases(parents, generator).astype(genomes.dtype)

        # Eq. (1) of the paper, one parent of all children at a time. The bias of a missing parent is 0, so the genome
        # at index -1 adds nothing.
        children = np.zeros((count, genomes.shape[1]), genomes.dtype)
        for bias, parent in zip(biases.T, parents.T, strict=True):
            children += bias[:, None] * genomes[parent]

        noise = generator.normal(self.noise_mean, self.noise, children.shape).astype(children.dtype)
        is_mutating = generator.random(children.shape) < self.mutation
        children[is_mutating] += noise[is_mutating]
        np.clip(children, -self.bound, self.bound, out=children)
        return Children(children, parents[:, : self.num_parents])

    def draw_parents(
        self, parent_probabilities: Floats, num_children: int, generator: Generator
    ) -> Ints:
        """Draw the parents of each child at random, all different, and return their indices.

        Parameters
        ----------
        parent_probabilities : array of shape (R,)
            The probability that each of R strategies is drawn as the first parent.
        num_children : int
            The number of children.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        array of shape (num_children, K)
            In each row the parents of a child. They are followed by -1 if other children have more parents, or if
            fewer strategies have a positive probability than the child should have parents. The number of columns K is
            at least the number of parents that recordings of a run keep.
        """
        candidates = np.flatnonzero(parent_probabilities > 0.0)
        probabilities = np.broadcast_to(
            parent_probabilities[candidates], (num_children, candidates.size)
        )
        keys = draw_gumbel_keys(probabilities, generator)

        # The number of parents of each child, and the number of columns of the result.
        if self.parents == EXPONENTIAL:
            num_parents = np.rint(1.0 + generator.exponential(1.0 / self.parent_rate, num_children))
            most_parents = int(min(num_parents.max(initial=0), candidates.size))
            num_columns = max(MOST_RECORDED_PARENTS, most_parents)
        else:
            num_parents = np.full(num_children, self.num_parents)
            num_columns = self.num_parents

        # Fill all columns with the candidates that have the largest keys, and remove those that are too many.
        num_drawn = min(num_columns, candidates.size)
        parents = np.full((num_children, num_columns), NO_PARENT)
        parents[:, :num_drawn] = candidates[np.argsort(-keys, axis=1)[:, :num_drawn]]
        parents[np.arange(num_columns) >= num_parents[:, None]] = NO_PARENT
        return parents

    def draw_biases(self, parents: Ints, generator: Generator) -> Floats:
        """Draw a random bias for each parent of each child, by which the parent's weights are multiplied.

        Parameters
        ----------
        parents : array of shape (C, K)
            The indices of at most K parents of each of C children; -1 for a missing parent.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        array of shape (C, K)
            The biases, which are 0 for missing parents.
        """
        if self.biases == "uniform":
            return normalize_biases(generator.random(parents.shape), parents)
        normal_numbers = generator.normal(size=parents.shape)
        if self.biases == "weighted average":
            return normalize_biases(np.abs(1.0 + self.bias_spread * normal_numbers), parents)
        return np.where(parents == NO_PARENT, 0.0, normal_numbers)


def normalize_biases(biases: Floats, parents: Ints) -> Floats:
    """Return the biases of parents divided by their sum over the parents of each child.

    Parameters
    ----------
    biases : array of shape (C, K)
        A positive bias for each of at most K parents of each of C children.
    parents : array of shape (C, K)
        The indices of these parents; -1 for a missing parent, whose bias does not count.

    Returns
    -------
    array of shape (C, K)
        The divided biases, which are 0 for missing parents.
    """
    normalized = np.where(parents == NO_PARENT, 0.0, biases)
    normalized /= normalized.sum(axis=1, keepdims=True)
    return normalized
