"""What a subgame solver is: from the payoffs of the encountered strategies to a mix for each player."""

from typing import Any, NamedTuple, Protocol

from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.protocol import check_part


class Mixture(NamedTuple):
    """What everybody plays in a subgame.

    Attributes
    ----------
    mixes : tuple of ndarray of shape (K_i,)
        Each player's probabilities of the strategies.
    basis : tuple of ndarray of int8
        What the solver begins with when the subgame has grown; empty if it keeps nothing.
    """

    mixes: tuple[Floats, ...]
    basis: tuple[Statuses, ...] = ()


def check_subgame_solver(solver: Any, game: SequenceForm) -> None:
    """Refuse what is no subgame solver, or not made for `game`."""
    check_part(
        solver,
        "subgame solver",
        ("name", "payoffs", "basis"),
        "Give one such as solvers.ZeroSumProgram() or solvers.LemkeHowson().",
    )
    solver.check(game)


class SubgameSolver(Protocol):
    """A rule for mixing strategies. The same payoffs and the same basis give the same mixes.

    Attributes
    ----------
    tolerance : float
        How far its mixes may be from an equilibrium of the subgame, in units of the game's largest
        utility (at least 1); a strategy that gains no more is not new.
    """

    @property
    def tolerance(self) -> float:
        """How far the mixes may be from an equilibrium, in units of the largest utility."""

    def check(self, game: SequenceForm) -> None:
        """Refuse games for which the rule is not made."""

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the mixes for `payoffs`, (n, K_1, ..., K_n), what each player wins.

        Parameters
        ----------
        name : str
            The game's, for errors.
        payoffs : ndarray of shape (n, K_1, ..., K_n)
            Strategy against strategy.
        basis : tuple of ndarray of int8
            What the solver returned before the subgame grew; empty at first.
        """
