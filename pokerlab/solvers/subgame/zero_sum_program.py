"""Optimal mixes of a zero-sum subgame, by linear programming (Oliehoek et al. 2006, section 3)."""

from dataclasses import dataclass

from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.protocol import check_zero_sum_pair
from pokerlab.solvers.subgame.matrix_program import solve_matrix_game
from pokerlab.solvers.subgame.mixture import Mixture


@dataclass(frozen=True, kw_only=True)
class ZeroSumProgram:
    """The linear program of a two-player zero-sum game, from the last round's basis.

    Optimal mixes need not be unique; the program returns a vertex, and which one depends on its path.

    Attributes
    ----------
    tolerance : float
        A strategy must gain more, in units of the largest utility; below lies the program's rounding.
    """

    tolerance: float = 1e-11

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum."""
        check_zero_sum_pair(
            game,
            "the zero-sum linear program",
            (
                "subgame=solvers.LemkeHowson() for two players",
                "subgame=solvers.LogitPath() for more",
            ),
        )

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return optimal mixes for `payoffs`, (2, K_1, K_2)."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return Mixture(
            (optimum.row_mix, optimum.column_mix), (optimum.column_status, optimum.row_status)
        )
