"""The intransitive numbers game (Watson & Pollack 2001), where beating your opponent need not be progress."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    POINTS,
    Floats,
    GameError,
    SettingError,
    ShapeError,
    Unit,
    validate_integer,
    validate_number,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.games.symmetric import Strategies

MOST_STRATEGIES = 100_000
"""The largest number of strategies that are all tried to find a best response; with more it would take seconds."""
LOWEST_MUTATION_RATE = 1e-9
HIGHEST_BOUND = 1_000_000
"""The largest allowed value of `largest`, which hill climbing never comes near."""


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class IntransitiveNumbers:
    """The game in which two players choose vectors of integers, and the dimension in which they differ least decides.

    The player with the larger number in that dimension wins one point. If several dimensions have the same smallest
    difference, the majority of them decides, and a tie among them is a draw. Equal numbers in the deciding dimension
    are a draw, too. For example, (1, 6), (2, 1) and (6, 4) beat each other in turn. The vector with every number at
    `largest` is never beaten.

    Attributes
    ----------
    dimensions : int
        The number of integers in a strategy, d, from 1 to 10.
    largest : int
        The largest value of each integer; the smallest is 0.
    threshold : int
        Dimensions in which the numbers differ by less than this do not count. If no dimension counts, the result is a
        draw. With a threshold of 1, a dimension with equal numbers never decides.
    mutation_rate : float
        Each number is the count of ones among `largest` bits, and mutation draws each bit again with this probability,
        0 to 1. So mutation lowers a large number more often than it raises it.

    Raises
    ------
    SettingError
        If an attribute is not a number in its range.

    Notes
    -----
    The papers only say which strategy wins. Draws, and the majority among equally close dimensions, are our rules,
    which make the game antisymmetric.

    References
    ----------
    .. [1] Watson & Pollack (2001), "Coevolutionary dynamics in a minimal substrate"
    """

    dimensions: int = 2
    largest: int = 100
    threshold: int = 0
    mutation_rate: float = 0.1
    unit: ClassVar[Unit] = POINTS

    def __post_init__(self) -> None:
        bounds = {
            "dimensions": (1, 10),
            "largest": (1, HIGHEST_BOUND),
            "threshold": (0, self.largest),
        }
        for name, (low, high) in bounds.items():
            object.__setattr__(self, name, validate_integer(name, getattr(self, name), low, high))
        rate = validate_number("mutation_rate", self.mutation_rate, LOWEST_MUTATION_RATE, 1.0)
        object.__setattr__(self, "mutation_rate", rate)

    @property
    def name(self) -> str:
        """The game's name."""
        return f"intransitive numbers ({self.dimensions} of 0 to {self.largest})"

    @property
    def fingerprint(self) -> str:
        """A digest of the game's parameters, which is the same for equal games."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def num_strategies(self) -> int:
        """The number of different strategies."""
        return int((self.largest + 1) ** self.dimensions)

    @property
    def has_best_responses(self) -> bool:
        """Whether there are few enough strategies to find a best response by trying all of them."""
        return self.num_strategies <= MOST_STRATEGIES

    @cached_property
    def all_strategies(self) -> Strategies:
        """All strategies as an array of shape (number of strategies, d), in lexicographic order, for d dimensions.

        Raises
        ------
        GameError
            If there are more than `MOST_STRATEGIES` strategies.
        """
        if not self.has_best_responses:
            raise GameError(
                f"{self.name} has {self.num_strategies} strategies; a best response is searched for"
                f" among {MOST_STRATEGIES} at most. Lower largest or dimensions, or search by"
                " solvers.Mutants without asking for a worst case."
            )
        sizes = (self.largest + 1,) * self.dimensions
        return np.indices(sizes).reshape(self.dimensions, -1).T

    @property
    def default_start(self) -> Strategies:
        """The strategy in which every number is zero, with which searches begin by default."""
        return np.zeros(self.dimensions, dtype=np.int64)

    def validate_strategies(self, strategies: ArrayLike) -> Strategies:
        """Return strategies as an array of int64 of the same shape, after checking that the game has these strategies.

        Parameters
        ----------
        strategies : array_like of shape (d,) or (k, d)
            One strategy of d integers, or k strategies, for a game with d dimensions.

        Returns
        -------
        array of int64, shape (d,) or (k, d)
            The same strategies.

        Raises
        ------
        ShapeError
            If a strategy does not have d numbers.
        SettingError
            If the numbers are not integers from 0 to `largest`.
        """
        array = np.asarray(strategies)
        if array.ndim not in (1, 2) or array.shape[-1] != self.dimensions:
            raise ShapeError(
                f"strategies have shape {array.shape}; {self.name} needs ({self.dimensions},) or"
                f" (k, {self.dimensions})."
            )
        are_integers = array.dtype.kind in "iu"  # signed or unsigned
        if not are_integers or ((array < 0) | (array > self.largest)).any():
            raise SettingError(
                f"strategies of {self.name} are {quote_value(array.tolist())}; give integers from 0 to {self.largest}."
            )
        return array.astype(np.int64)

    def payoffs(self, row_strategies: Strategies, column_strategies: Strategies) -> Floats:
        """Return the payoff of each row strategy against each column strategy.

        Parameters
        ----------
        row_strategies : array of shape (k, d)
            The k strategies, of d integers each, whose payoffs are returned.
        column_strategies : array of shape (m, d)
            The m strategies against which they play.

        Returns
        -------
        array of shape (k, m)
            1 if the row strategy wins, -1 if it loses, and 0 for a draw.
        """
        payoffs = np.empty((len(row_strategies), len(column_strategies)))
        infinite_distance = HIGHEST_BOUND + 1  # larger than any difference
        for column, strategy in enumerate(column_strategies):
            differences = row_strategies - strategy  # of shape (k, d)
            distances = np.abs(differences)
            does_not_count = distances < self.threshold
            distances[does_not_count] = infinite_distance

            # The dimensions with the smallest distance decide, unless no dimension counts.
            smallest_distance = distances.min(axis=1, keepdims=True)
            decides = (distances == smallest_distance) & (smallest_distance < infinite_distance)
            votes = np.sign(differences) * decides
            payoffs[:, column] = np.sign(
                votes.sum(axis=1)
            )  # the majority of the deciding dimensions
        return payoffs

    def best_response(self, strategies: Strategies, mixture: Floats) -> Strategies:
        """Return a strategy with the highest expected payoff against a mixture of strategies.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies of the mixture, of d integers each.
        mixture : array of shape (k,)
            The probability of each strategy.

        Returns
        -------
        array of int, shape (d,)
            The best response. Of several best responses it is the first one in lexicographic order.

        Raises
        ------
        GameError
            If there are too many strategies to try all of them.
        """
        support = np.flatnonzero(mixture)
        payoffs = self.payoffs(self.all_strategies, strategies[support]) @ mixture[support]
        return np.asarray(self.all_strategies[int(np.argmax(payoffs))])

    def draw_mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a mutated copy of a strategy, in which some bits have been drawn again.

        Each number is the count of ones among `largest` bits. Each of these bits is drawn again with probability
        `mutation_rate`.

        Parameters
        ----------
        strategy : array of int, shape (d,)
            The strategy of d integers.
        rng : Generator
            The source of random numbers.

        Returns
        -------
        array of int, shape (d,)
            The mutant.
        """
        # Half of the bits that are drawn again do not change.
        flip_probability = self.mutation_rate / 2.0
        ones_lost = rng.binomial(strategy, flip_probability)
        ones_gained = rng.binomial(self.largest - strategy, flip_probability)
        return np.asarray(strategy - ones_lost + ones_gained)
