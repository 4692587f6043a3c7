"""The intransitive numbers game (Watson & Pollack 2001), where beating your opponent need not be progress."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import POINTS, Floats, GameError, SettingError, ShapeError, Unit, number, whole
from pokerlab.games.symmetric import Strategies

MOST_STRATEGIES = 100_000  # with more strategies, trying each one for a best response takes seconds
SMALLEST_RATE = 1e-9
LARGEST = 1_000_000  # far beyond what hill climbing reaches


@dataclass(frozen=True, kw_only=True)
class IntransitiveNumbers:
    """Two players choose vectors of whole numbers; the dimension in which they differ least decides.

    The larger number there wins one point. Where several dimensions differ by the same least amount, the majority of
    them decides, and a tie among them is a draw; so are equal numbers in the dimension that decides. (1, 6), (2, 1)
    and (6, 4), say, beat each other in turn. The corner in which all numbers are `largest` loses to nobody.

    Attributes
    ----------
    dimensions : int
        Numbers in a strategy, 1 to 10.
    largest : int
        Numbers go from 0 to this.
    threshold : int
        Dimensions that differ by less do not count; where all do, it is a draw. With 1 equal numbers never decide.
    mutation_rate : float
        A number is the count of ones among `largest` bits; mutation draws each bit anew with this
        probability, 0 to 1. So it lowers large numbers more often than it raises them.

    Notes
    -----
    Draws, and the majority among equally close dimensions, are our rules; they keep the game
    antisymmetric where the papers mention only winning.
    """

    dimensions: int = 2
    largest: int = 100
    threshold: int = 0
    mutation_rate: float = 0.1
    unit: ClassVar[Unit] = POINTS

    def __post_init__(self) -> None:
        bounds = {"dimensions": (1, 10), "largest": (1, LARGEST), "threshold": (0, self.largest)}
        for name, (low, high) in bounds.items():
            object.__setattr__(self, name, whole(name, getattr(self, name), low, high))
        rate = number("mutation_rate", self.mutation_rate, SMALLEST_RATE, 1.0)
        object.__setattr__(self, "mutation_rate", rate)

    @property
    def name(self) -> str:
        """The game's name."""
        return f"intransitive numbers ({self.dimensions} of 0 to {self.largest})"

    @property
    def fingerprint(self) -> str:
        """A digest of the parameters."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def num_strategies(self) -> int:
        """How many vectors there are."""
        return int((self.largest + 1) ** self.dimensions)

    @property
    def exact_replies(self) -> bool:
        """Whether there are few enough strategies to look at every one."""
        return self.num_strategies <= MOST_STRATEGIES

    @cached_property
    def everything(self) -> Strategies:
        """All strategies, (num_strategies, dimensions), the last number fastest."""
        if not self.exact_replies:
            raise GameError(
                f"{self.name} has {self.num_strategies} strategies; a best response is searched for"
                f" among {MOST_STRATEGIES} at most. Lower largest or dimensions, or search by"
                " solvers.Mutants without asking for a worst case."
            )
        sizes = (self.largest + 1,) * self.dimensions
        return np.indices(sizes).reshape(self.dimensions, -1).T

    @property
    def start(self) -> Strategies:
        """The strategy of zeros."""
        return np.zeros(self.dimensions, dtype=np.int64)

    def checked(self, strategies: ArrayLike) -> Strategies:
        """Return `strategies`, (d,) or (k, d), as integers; refuse anything else."""
        given = np.asarray(strategies)
        if given.ndim not in (1, 2) or given.shape[-1] != self.dimensions:
            raise ShapeError(
                f"strategies have shape {given.shape}; {self.name} needs ({self.dimensions},) or"
                f" (k, {self.dimensions})."
            )
        numbers = given.astype(np.int64) if given.dtype.kind in "iu" else None
        if numbers is None or ((numbers < 0) | (numbers > self.largest)).any():
            raise SettingError(
                f"a strategy of {self.name} is {given.tolist()}; its numbers are whole, from 0 to {self.largest}."
            )
        return numbers

    def payoffs(self, these: Strategies, those: Strategies) -> Floats:
        """Return what each of `these`, (k, d), wins against each of `those`, (m, d): (k, m)."""
        won = np.empty((len(these), len(those)))
        for column, strategy in enumerate(those):
            difference = these - strategy
            size = np.abs(difference)
            size[size < self.threshold] = LARGEST + 1
            closest = size.min(axis=1, keepdims=True)
            decides = (size == closest) & (closest <= LARGEST)
            won[:, column] = np.sign((np.sign(difference) * decides).sum(axis=1))
        return won

    def best_response(self, strategies: Strategies, mix: Floats) -> Strategies:
        """Return the first strategy, (d,), that wins most against `mix`, (k,), of `strategies`, (k, d)."""
        used = np.flatnonzero(mix)
        won = self.payoffs(self.everything, strategies[used]) @ mix[used]
        return np.asarray(self.everything[int(np.argmax(won))])

    def mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a neighbor, (d,): some of the bits that each number counts are drawn anew."""
        flipped = self.mutation_rate / 2.0  # half of the bits drawn anew are what they were
        lost = rng.binomial(strategy, flipped)
        return np.asarray(strategy - lost + rng.binomial(self.largest - strategy, flipped))
