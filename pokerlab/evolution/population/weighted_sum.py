"""Children as weighted sums of their parents, for networks: equation 1 of Nicolai & Hilderman (2009)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import number
from pokerlab.evolution.population.parts import Children, Genomes
from pokerlab.evolution.population.selection import races

PARENTS = {"two": 2, "one": 1, "one to three": 3, "all": 0}
"""How many parents of a child are written down; of 'all' none, since they are known."""
BIASES = ("weighted average", "around one half", "normal")
NO_PARENT = -1
MOST_NOISE, LEAST_BOUND, LARGEST_BOUND = 1e6, 1e-3, 1e9


@dataclass(frozen=True, kw_only=True)
class WeightedSum:
    """A child's weights are the sum of its parents' weights, each parent times a random bias.

    Then some of the child's weights mutate. One bias goes with all weights of a parent.

    Parameters
    ----------
    parents : {'two', 'one', 'one to three', 'all'}
        How many parents a child has, drawn among those that may breed, all different. 'one to three':
        each number with equal chance. The paper has "one or more".
    biases : {'weighted average', 'around one half', 'normal'}
        What the biases are. 'weighted average': absolute values of normal numbers with mean 1 and the
        standard deviation `bias_spread`, over their sum. 'around one half': (1 + N(0, 1)) / 2 each.
        'normal': N(0, 1) each. The paper has "a normally distributed random bias" and "a weighted
        average".
    bias_spread : float
        See there, 0 to 10.
    mutation : float
        The chance of each weight of a child to mutate, 0 to 1.
    noise_mean, noise : float
        Mean and standard deviation of the normal noise that is added to a weight that mutates.
    bound : float
        Larger weights of a child are cut to plus or minus this number, 0.001 to 10**9.

    Raises
    ------
    SettingError
        If a number is out of range.
    UnknownNameError
        If there is no such number of parents or kind of bias.

    Notes
    -----
    The paper has the mutation's 10 %, its mean 0 and its standard deviation 0.1. The rest it leaves open, and
    the rest decides: weighted averages make networks alike, and normal biases make weights grow.

    References
    ----------
    .. [1] G. Nicolai, R. Hilderman, "No-limit Texas Hold'em poker agents created with evolutionary neural
       networks", CIG 2009, section III A
    """

    parents: str = "two"
    biases: str = "weighted average"
    bias_spread: float = 0.3
    mutation: float = 0.1
    noise_mean: float = 0.0
    noise: float = 0.1
    bound: float = 1000.0

    def __post_init__(self) -> None:
        UnknownNameError.check("number of parents", self.parents, PARENTS)
        UnknownNameError.check("kind of bias", self.biases, BIASES)
        number("bias_spread", self.bias_spread, 0.0, 10.0)
        number("mutation", self.mutation, 0.0, 1.0)
        number("noise_mean", self.noise_mean, -MOST_NOISE, MOST_NOISE)
        number("noise", self.noise, 0.0, MOST_NOISE)
        number("bound", self.bound, LEAST_BOUND, LARGEST_BOUND)

    @property
    def num_parents(self) -> int:
        """How many parents of a child are written down."""
        return PARENTS[self.parents]

    def children(
        self,
        encoding: Any,
        genomes: Genomes,
        chances: Floats,
        count: int,
        generator: np.random.Generator,
    ) -> Children:
        """Return `count` children of parents drawn by their chances."""
        if not np.issubdtype(genomes.dtype, np.floating):
            raise SettingError(
                f"genomes are {genomes.dtype}; weighted sums are made of floating-point numbers, such as"
                " the weights of networks."
            )
        parents = self.drawn(chances, count, generator)
        biases = self.drawn_biases(parents, generator).astype(genomes.dtype)
        born = np.zeros((count, genomes.shape[1]), genomes.dtype)
        for bias, parent in zip(biases.T, parents.T, strict=True):
            born += bias[:, None] * genomes[parent]  # Eq. (1)
        noise = generator.normal(self.noise_mean, self.noise, born.shape).astype(born.dtype)
        mutating = generator.random(born.shape) < self.mutation
        born[mutating] += noise[mutating]
        np.clip(born, -self.bound, self.bound, out=born)
        return Children(born, parents[:, : self.num_parents])

    def drawn(self, chances: Floats, count: int, generator: np.random.Generator) -> Ints:
        """Return the parents of each child, different ones; -1 where it has fewer than others."""
        able = np.flatnonzero(chances > 0.0)
        if self.parents == "all":
            return np.tile(able, (count, 1))
        tickets = races(np.broadcast_to(chances[able], (count, able.size)), generator)
        many = min(self.num_parents, able.size)
        parents = np.full((count, self.num_parents), NO_PARENT)
        parents[:, :many] = able[np.argsort(-tickets, axis=1)[:, :many]]
        if self.parents == "one to three":
            parents[np.arange(3) >= generator.integers(1, 4, (count, 1))] = NO_PARENT
        return parents

    def drawn_biases(self, parents: Ints, generator: np.random.Generator) -> Floats:
        """Return a bias for each parent of each child, 0 where there is none."""
        normal = generator.normal(size=parents.shape)
        if self.biases == "normal":
            biases = normal
        elif self.biases == "around one half":
            biases = (1.0 + normal) / 2.0
        else:
            biases = np.abs(1.0 + self.bias_spread * normal)
        biases[parents == NO_PARENT] = 0.0
        if self.biases == "weighted average":
            biases /= biases.sum(axis=1, keepdims=True)
        return biases
