"""Predictive CFR+ (Farina, Kroer & Sandholm 2021)."""

import math

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.regret import RegretMinimiser, Schedule


class PredictiveCFRPlus(RegretMinimiser):
    """CFR+ that expects the last gain to come once more; plans count in proportion to t^gamma.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    gamma : float
        The plan of iteration t counts t^gamma in the average; the paper uses 2.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learnt.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        gamma: float = 2.0,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, Schedule(math.inf, -math.inf, gamma, 1.0), order, start)
