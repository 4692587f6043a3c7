"""Discounted CFR (Brown & Sandholm 2019)."""

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.regret import RegretMinimiser, Schedule


class DiscountedCFR(RegretMinimiser):
    """CFR in which early regrets and plans count less.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    alpha, beta : float
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones
        by t^beta / (t^beta + 1). Infinity keeps them, minus infinity forgets them.
    gamma : float
        The plan of iteration t counts t^gamma in the average, 0 to 20.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learnt.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        alpha: float = 1.5,
        beta: float = 0.0,
        gamma: float = 2.0,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, Schedule(alpha, beta, gamma, 0.0), order, start)
