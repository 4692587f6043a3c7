"""Central optimal mixes of a zero-sum subgame: those that use as many strategies as any optimal mix does."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses, new_program, run
from pokerlab.solvers.subgame.matrix_program import normalised, pass_program
from pokerlab.solvers.subgame.mixture import Mixture
from pokerlab.solvers.subgame.zero_sum_program import ZeroSumProgram

OPTIONS: dict[str, str | int | float] = {
    "presolve": "off",
    "solver": "ipm",
    "run_crossover": "off",
    "ipm_optimality_tolerance": 1e-10,
}
ADVICE = "Use ZeroSumProgram(), the simplex method."
SUPPORT = 1e-6
"""Weights below it are on their way to zero and not part of a support."""


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram:
    """The linear program of a zero-sum subgame by an interior point method that stays inside.

    Optimal mixes need not be unique. The simplex method ends in a corner of the set of optimal mixes, this
    one near its middle (Goldman & Tucker 1956: a strictly complementary pair has the largest supports).

    Attributes
    ----------
    tolerance : float
        A strategy must gain more, in units of the largest utility; below lies the method's own error.
    """

    tolerance: float = 1e-8

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum."""
        ZeroSumProgram().check(game)

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return central optimal mixes for `payoffs`, (2, K_1, K_2); keeps no basis."""
        rows, columns = payoffs[0].shape
        highs = new_program(**OPTIONS)
        pass_program(highs, payoffs[0])
        run(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)
        solution = highs.getSolution()
        rows_weight, columns_weight = (
            np.array(solution.col_value)[1:],
            -np.array(solution.row_dual)[1:],
        )
        return Mixture((normalised(rows_weight, SUPPORT), normalised(columns_weight, SUPPORT)))
