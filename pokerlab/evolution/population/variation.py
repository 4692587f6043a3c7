"""How children are made: crossover of two parents, mutation by small steps, flips and fresh values."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.core.settings import number, switch
from pokerlab.evolution.population.parts import Children, Genomes
from pokerlab.evolution.population.selection import races
from pokerlab.strategies.players.rule_genome import FLAG, PROBABILITY

MOST_WIDTH = 1e6


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """Multi-point crossover and mutation, each at a rate for every locus, as in Noble & Watson (2001).

    Parameters
    ----------
    switch : float
        The chance at each locus to go on with the other parent, 0 to 1.
    mutation : float
        The chance of each locus to mutate, 0 to 1.
    widths : tuple of three floats
        Standard deviations of a mutation of a probability, a hand's category or rank, and an amount,
        each from 0. Flags flip.
    catastrophic : float
        The share of mutations that put a fresh random value in place of the old, 0 to 1.
    sexual : bool
        Whether a child has two parents. If not, it is a mutated copy of one: the paper's future work.

    Raises
    ------
    SettingError
        If a number is out of range.

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
        number("switch", self.switch, 0.0, 1.0)
        number("mutation", self.mutation, 0.0, 1.0)
        number("catastrophic", self.catastrophic, 0.0, 1.0)
        if len(self.widths) != 3:
            raise SettingError(
                f"widths are {self.widths!r}; give three numbers: for probabilities, hands, amounts."
            )
        for width in self.widths:
            number("a width", width, 0.0, MOST_WIDTH)
        switch("sexual", self.sexual)

    @property
    def num_parents(self) -> int:
        """How many parents a child has."""
        return 2 if self.sexual else 1

    def children(
        self,
        encoding: Any,
        genomes: Genomes,
        chances: Floats,
        count: int,
        generator: np.random.Generator,
    ) -> Children:
        """Return `count` children of parents drawn by their chances, the two of a child different.

        Where only one can be drawn, it is both parents.
        """
        tickets = races(np.broadcast_to(chances, (count, len(chances))), generator)
        drawn = np.argsort(-tickets, axis=1)[:, : self.num_parents]
        parents = np.where(chances[drawn] > 0.0, drawn, drawn[:, :1])
        born = genomes[parents[:, 0]].copy()
        if self.sexual:
            changes = generator.random(born.shape) < self.switch
            changes[:, 0] = False
            from_other = np.cumsum(changes, axis=1) % 2 == 1
            born[from_other] = genomes[parents[:, 1]][from_other]
        mutating = generator.random(born.shape) < self.mutation
        fresh = mutating & (generator.random(born.shape) < self.catastrophic)
        stepped = self.stepped(encoding, born, generator)
        born[mutating] = stepped[mutating]
        born[fresh] = encoding.random(generator, count)[fresh]
        return Children(born, parents)

    def stepped(self, encoding: Any, genomes: Genomes, generator: np.random.Generator) -> Genomes:
        """Return genomes in which every locus has taken a step.

        Integers move by at least one, since rounding would leave a third of them where they are. What
        leaves the range comes to its end: reflected steps would never reach it.
        """
        kinds = encoding.kinds
        widths = np.array([*self.widths, 0.0])[kinds]
        steps = generator.normal(size=genomes.shape) * widths
        whole = kinds != PROBABILITY
        steps[:, whole] = away_from_zero(steps[:, whole], widths[whole] > 0.0)
        moved: Genomes = np.clip(genomes + steps, encoding.low, encoding.high)
        flags = kinds == FLAG
        moved[:, flags] = 1.0 - genomes[:, flags]
        return moved


def away_from_zero(steps: Floats, moving: Bools) -> Floats:
    """Return steps as whole numbers, at least one up or down where there is a width."""
    rounded = np.rint(steps)
    at_least_one = np.where(rounded == 0.0, np.copysign(1.0, steps), rounded)
    return np.where(moving, at_least_one, 0.0)
