"""Variation: crossover of two parents and mutation, or weighted sums of parents, for networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from pokerlab.core import Bools, Floats, Ints, SettingError, UnknownNameError
from pokerlab.core.settings import checked_bool, checked_number
from pokerlab.evolution.population.protocol import Children, Genomes
from pokerlab.evolution.population.selection import draw_gumbel_keys
from pokerlab.strategies.encoding import FLAG, PROBABILITY

MOST_WIDTH = 1e6
EXPONENTIAL, MOST_WRITTEN = "exponential", 8
PARENTS = {"two": 2, "one": 1, EXPONENTIAL: MOST_WRITTEN}
"""How many parents of a child are recorded."""
BIASES = ("weighted average", "normal", "uniform")
NO_PARENT = -1
"""Stands for a parent that does not exist: of survivors, of the first generation, and of a child that has fewer."""
LEAST_RATE, LARGEST_RATE = 0.01, 100.0
MOST_NOISE, LEAST_BOUND, LARGEST_BOUND = 1e6, 1e-3, 1e9


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """Multi-point crossover and mutation, each at a rate for every locus, as in Noble & Watson (2001).

    Parameters
    ----------
    switch : float
        The probability at each locus to go on with the other parent, 0 to 1.
    mutation : float
        The probability of each locus to mutate, 0 to 1.
    widths : tuple of three floats
        Standard deviations of a mutation of a probability, a hand's category or rank, and an amount,
        each from 0. Flags flip.
    catastrophic : float
        The share of mutations that put a fresh random value in place of the old, 0 to 1.
    sexual : bool
        Whether a child has two parents. If not, it is a mutated copy of one: the paper's future work.

    Notes
    -----
    The paper has both rates per locus, Gaussian steps with "standard deviation probabilities hand
    rankings betting amounts", and catastrophic mutations; its numbers are lost, and these are ours.
    """

    switch: float = 0.1
    mutation: float = 0.05
    widths: tuple[float, float, float] = (0.05, 1.0, 2.0)
    catastrophic: float = 0.02
    sexual: bool = True

    def __post_init__(self) -> None:
        checked_number("switch", self.switch, 0.0, 1.0)
        checked_number("mutation", self.mutation, 0.0, 1.0)
        checked_number("catastrophic", self.catastrophic, 0.0, 1.0)
        if len(self.widths) != 3:
            raise SettingError(
                f"widths are {self.widths!r}; give three numbers: for probabilities, hands, amounts."
            )
        for width in self.widths:
            checked_number("a width", width, 0.0, MOST_WIDTH)
        checked_bool("sexual", self.sexual)

    @property
    def num_parents(self) -> int:
        """How many parents a child has."""
        return 2 if self.sexual else 1

    def check(self, encoding: Any) -> None:
        """Raise if an encoding has no `kinds`, `low` and `high` of its genes, which mutations need."""
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
        """Return `count` children of drawn parents, two different ones for each child, or one."""
        parents = draw_parents(parent_probabilities, count, self.num_parents, generator)
        children = genomes[parents[:, 0]].copy()
        if self.sexual:
            switches = generator.random(children.shape) < self.switch
            switches[:, 0] = False
            is_from_other = np.cumsum(switches, axis=1) % 2 == 1
            children[is_from_other] = genomes[parents[:, 1]][is_from_other]

        mutates = generator.random(children.shape) < self.mutation
        is_catastrophic = mutates & (generator.random(children.shape) < self.catastrophic)
        stepped = self.step_genes(encoding, children, generator)
        children[mutates] = stepped[mutates]
        children[is_catastrophic] = encoding.draw_genomes(generator, count)[is_catastrophic]
        return Children(children, parents)

    def step_genes(self, encoding: Any, genomes: Genomes, generator: Generator) -> Genomes:
        """Return genomes in which every gene has taken one mutation step.

        Integers move by at least one, since rounding would leave a third of them where they are. A gene that
        leaves its range is set to the nearest bound: reflected steps would never reach it.
        """
        kinds = encoding.kinds
        widths = np.array([*self.widths, 0.0])[kinds]
        steps = generator.normal(size=genomes.shape) * widths
        is_whole = kinds != PROBABILITY
        steps[:, is_whole] = round_away_from_zero(steps[:, is_whole], widths[is_whole] > 0.0)
        stepped: Genomes = np.clip(genomes + steps, encoding.low, encoding.high)
        is_flag = kinds == FLAG
        stepped[:, is_flag] = 1.0 - genomes[:, is_flag]
        return stepped


def draw_parents(
    parent_probabilities: Floats, count: int, num_parents: int, generator: Generator
) -> Ints:
    """Return the indices of randomly drawn parents for each child, all different.

    Where only one strategy can be drawn, it is drawn as every parent.

    Parameters
    ----------
    parent_probabilities : array of shape (R,)
        The probability of each strategy to be drawn first.
    count, num_parents : int
        The number of children, and of parents of each.
    generator : Generator
        The source of all random numbers.

    Returns
    -------
    array of shape (count, num_parents)
        The parents of one child in each row.
    """
    shape = (count, len(parent_probabilities))
    keys = draw_gumbel_keys(np.broadcast_to(parent_probabilities, shape), generator)
    drawn = np.argsort(-keys, axis=1)[:, :num_parents]
    return np.where(parent_probabilities[drawn] > 0.0, drawn, drawn[:, :1])


def round_away_from_zero(steps: Floats, moves: Bools) -> Floats:
    """Return steps as whole numbers, at least one up or down for the genes that move.

    Parameters
    ----------
    steps : array of shape (C, G)
        The step of each gene of each child.
    moves : array of shape (G,)
        Whether a gene moves at all.
    """
    rounded = np.rint(steps)
    at_least_one = np.where(rounded == 0.0, np.copysign(1.0, steps), rounded)
    return np.where(moves, at_least_one, 0.0)


@dataclass(frozen=True, kw_only=True)
class WeightedSum:
    """A child's weights are the sum of its parents' weights, each parent times a random bias.

    Then some of the child's weights mutate. One bias goes with all weights of a parent.

    Parameters
    ----------
    parents : {'two', 'one', 'exponential'}
        How many parents a child has, drawn among those that may breed, all different. 'exponential': 1 more than an
        exponential number, rounded, and at most all; the first eight are recorded. The paper has "one or more",
        its author's thesis an exponential law of which two is the likeliest.
    parent_rate : float
        The rate of that law, 0.01 to 100; two is the likeliest below 0.962.
    biases : {'weighted average', 'normal', 'uniform'}
        What the biases are. 'weighted average': absolute values of normal numbers with mean 1 and the standard
        deviation `bias_spread`, over their sum. 'normal': N(0, 1) each. 'uniform': uniform numbers from 0 to 1, over
        their sum, as in the thesis's figure 4.10. The paper has "a normally distributed random bias" and "a weighted
        average".
    bias_spread : float
        The standard deviation in a weighted average, 0 to 10.
    mutation : float
        The probability of each weight of a child to mutate, 0 to 1.
    noise_mean, noise : float
        Mean and standard deviation of the normal noise that is added to a weight that mutates.
    bound : float
        Larger weights of a child are cut to plus or minus this number, 0.001 to 10**9.

    Notes
    -----
    Nicolai & Hilderman (2009, section III A) have the mutation's 10%, its mean 0 and its standard deviation 0.1. The
    rest they leave open, and the rest decides: weighted averages make networks alike, and normal biases make
    weights grow.
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
        UnknownNameError.check("number of parents", self.parents, PARENTS)
        UnknownNameError.check("kind of bias", self.biases, BIASES)
        checked_number("parent_rate", self.parent_rate, LEAST_RATE, LARGEST_RATE)
        checked_number("bias_spread", self.bias_spread, 0.0, 10.0)
        checked_number("mutation", self.mutation, 0.0, 1.0)
        checked_number("noise_mean", self.noise_mean, -MOST_NOISE, MOST_NOISE)
        checked_number("noise", self.noise, 0.0, MOST_NOISE)
        checked_number("bound", self.bound, LEAST_BOUND, LARGEST_BOUND)

    @property
    def num_parents(self) -> int:
        """How many parents of a child are recorded."""
        return PARENTS[self.parents]

    def check(self, encoding: Any) -> None:
        """Raise if the genes of an encoding have a range, which sums leave."""
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
        """Return `count` children of drawn parents."""
        if not np.issubdtype(genomes.dtype, np.floating):
            raise SettingError(
                f"genomes are {genomes.dtype}, but weighted sums need floating-point numbers, such as"
                " the weights of networks."
            )
        parents = self.draw_parents(parent_probabilities, count, generator)
        biases = self.draw_biases(parents, generator).astype(genomes.dtype)
        children = np.zeros((count, genomes.shape[1]), genomes.dtype)
        for bias, parent in zip(biases.T, parents.T, strict=True):
            children += bias[:, None] * genomes[parent]  # Eq. (1)

        noise = generator.normal(self.noise_mean, self.noise, children.shape).astype(children.dtype)
        mutates = generator.random(children.shape) < self.mutation
        children[mutates] += noise[mutates]
        np.clip(children, -self.bound, self.bound, out=children)
        return Children(children, parents[:, : self.num_parents])

    def draw_parents(self, parent_probabilities: Floats, count: int, generator: Generator) -> Ints:
        """Return the indices of the parents of each child, all different.

        Row k has the parents of child k; -1 where it has fewer than others.
        """
        able = np.flatnonzero(parent_probabilities > 0.0)
        able_probabilities = np.broadcast_to(parent_probabilities[able], (count, able.size))
        keys = draw_gumbel_keys(able_probabilities, generator)
        if self.parents == EXPONENTIAL:
            family_sizes = np.rint(1.0 + generator.exponential(1.0 / self.parent_rate, count))
            largest = int(min(family_sizes.max(initial=0), able.size))
            num_columns = max(MOST_WRITTEN, largest)
        else:
            family_sizes, num_columns = np.full(count, self.num_parents), self.num_parents

        num_drawn = min(num_columns, able.size)
        parents = np.full((count, num_columns), NO_PARENT)
        parents[:, :num_drawn] = able[np.argsort(-keys, axis=1)[:, :num_drawn]]
        parents[np.arange(num_columns) >= family_sizes[:, None]] = NO_PARENT
        return parents

    def draw_biases(self, parents: Ints, generator: Generator) -> Floats:
        """Return a random bias for each parent of each child; 0 where there is none."""
        if self.biases == "uniform":
            return normalize_biases(generator.random(parents.shape), parents)
        normal = generator.normal(size=parents.shape)
        if self.biases == "weighted average":
            return normalize_biases(np.abs(1.0 + self.bias_spread * normal), parents)
        return np.where(parents == NO_PARENT, 0.0, normal)


def normalize_biases(biases: Floats, parents: Ints) -> Floats:
    """Return biases divided by their sum over the parents of each child; 0 where there is no parent.

    Both arrays have a row for each child.
    """
    normalized = np.where(parents == NO_PARENT, 0.0, biases)
    normalized /= normalized.sum(axis=1, keepdims=True)
    return normalized
