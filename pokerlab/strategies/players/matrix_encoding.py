"""Strategies as matrices over hand strength and cost, as Beattie et al. (2007) evolve them.

Whoever is to act looks up two numbers: how strong its hand is, and what share of its chips a call
costs. The cell where they meet has three weights, for fold, call and raise, and one of the three is
drawn in proportion. There is a matrix of such cells for each street and for small and large tables.

We have the paper's abstract only. Sizes, scales and amounts below are ours, and so is the head start.

References
----------
.. [1] B. Beattie, G. Nicolai, D. Gerhard, R. Hilderman, "Pattern classification in no-limit poker: A
   head-start evolutionary approach", Canadian Conference on AI 2007, pages 204-215.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from pokerlab.core.errors import ShapeError
from pokerlab.core.settings import check_settings, setting, whole
from pokerlab.holdem.equity.exact import TIES_WON
from pokerlab.holdem.table.players import CompiledPlayer, compiled_players
from pokerlab.strategies.encoding import checked_rows
from pokerlab.strategies.players.matrix_decision import (
    LEVELS,
    NUM_WEIGHTS,
    SHAPE,
    MatrixAnswer,
    Weights,
)

STARTS = ("head start", "scratch")


def of_start(default: float, label: str, help: str, *, low: float = 0.0, **about: Any) -> Any:
    """Return a setting of the head start, up to 1."""
    about |= {"source": "ours", "low": low, "high": 1.0, "silent": True}
    return setting(default, label=label, help=help, **about)


@dataclass(frozen=True, kw_only=True)
class MatrixEncoding:
    """What the 10,584 weights of a matrix strategy mean, and where they begin.

    Strength is the exact probability to win against one random hand. Cost is the share of the seat's
    chips that a call takes: 0 for a check, 1 for all-in. Both are rounded to the nearest of 21
    levels. Of how many players a table has, those count who have chips or a part in the pot.

    A raise is between the least and the size of the pot after a call, linear in the margin of
    strength 2 s - 1 (the chance to win less the chance to lose; below 0 the least), then cut to
    what is legal. Where no raise is legal, it is a call. If all three weights are zero, each of the
    three is as likely.

    Examples
    --------
    >>> encoding = MatrixEncoding()
    >>> encoding.random(np.random.default_rng(1), 5).shape
    (5, 10584)
    >>> preflop_at_a_full_table = encoding.matrices(encoding.head_start())[0, 1]
    >>> preflop_at_a_full_table[17, 0].astype(float).round(2).tolist()
    [0.0, 0.02, 1.0]
    """

    start: str = setting(
        "head start",
        label="Start",
        help="An expert's weights with noise, or uniform weights.",
        source="Beattie et al. 2007",
        choices=STARTS,
    )
    ties: str = setting(
        "half",
        label="Ties",
        help="What a tie counts in the strength of a hand.",
        source="ours",
        choices=tuple(TIES_WON),
        silent=True,
    )
    free_folds: bool = setting(
        False,
        label="Folds for free",
        help="Whether it folds where it could check, if the structure allows it.",
        source="ours",
        silent=True,
    )
    fold_below: float = of_start(
        0.3, "Folds below", "The strength below which the head start folds where a call is free."
    )
    fold_slope: float = of_start(
        0.4,
        "Folds below, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    raise_above: float = of_start(
        0.55, "Raises above", "The strength above which the head start raises where a call is free."
    )
    raise_slope: float = of_start(
        0.45,
        "Raises above, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    spread: float = of_start(
        0.1,
        "Spread of the lines",
        "The deviation of both lines; their weights are normal distribution functions.",
        low=0.001,
    )
    call_width: float = of_start(
        0.2,
        "Width of calling",
        "The deviation of the normal curve, of height 1 on the line of folding, that a call weighs.",
        low=0.001,
    )
    noise: float = of_start(
        0.1,
        "Noise on the head start",
        "The deviation on each weight of a first generation; weights stay between 0 and 1.",
        needs=lambda encoding: encoding.start == "head start",
    )

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def num_genes(self) -> int:
        """G: 10,584."""
        return NUM_WEIGHTS

    @property
    def answer(self) -> MatrixAnswer:
        """What answers for these strategies at a table; equal for equal readings."""
        return MatrixAnswer(TIES_WON[self.ties], self.free_folds)

    def head_start(self) -> Weights:
        """Return the genome, (G,), that an expert would begin with: alike on all streets and tables."""
        strength, cost = np.meshgrid(*[np.linspace(0.0, 1.0, LEVELS)] * 2, indexing="ij")
        folds = self.fold_below + self.fold_slope * cost
        raises = self.raise_above + self.raise_slope * cost
        weights = np.stack(
            [
                ndtr((folds - strength) / self.spread),
                np.exp(-0.5 * ((strength - folds) / self.call_width) ** 2),
                ndtr((strength - raises) / self.spread),
            ],
            axis=-1,
        )
        genome: Weights = np.broadcast_to(weights, SHAPE).astype(np.float32).ravel()
        return genome

    def random(self, generator: np.random.Generator, count: int) -> Weights:
        """Return `count` genomes, (count, G), as an evolution begins with."""
        whole("count", count, 0)
        genomes: Weights
        if self.start == "scratch":
            genomes = generator.random((count, NUM_WEIGHTS), np.float32)
        else:
            noise = self.noise * generator.standard_normal((count, NUM_WEIGHTS), np.float32)
            genomes = np.clip(self.head_start() + noise, 0.0, 1.0, dtype=np.float32)
        return genomes

    def checked(self, genomes: ArrayLike) -> Weights:
        """Return genomes, (G,) or (k, G), of weights from 0 to 1 as rows, (k, G)."""
        of, low, high = "a matrix strategy", self.low, self.high
        rows: Weights = checked_rows(genomes, NUM_WEIGHTS, of, kind=np.float32, low=low, high=high)
        return rows

    def matrices(self, genome: ArrayLike) -> Weights:
        """Return a genome, (G,), by street, table, strength, cost and action, (4, 2, 21, 21, 3)."""
        rows = self.checked(genome)
        if len(rows) != 1:
            raise ShapeError(f"{len(rows)} genomes are given; show the matrices of one at a time.")
        matrices: Weights = rows[0].reshape(SHAPE)
        return matrices

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of genomes, (G,) or (k, G); called 'matrices 0' and so on."""
        rows = self.checked(genomes)
        return compiled_players(self.answer, rows, names, word="matrices", made_of="genomes")
