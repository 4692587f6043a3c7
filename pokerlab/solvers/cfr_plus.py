"""CFR+ (Tammelin 2014; Tammelin, Burch, Johanson & Bowling 2015)."""

import math

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.regret import RegretMinimiser, Schedule


class CFRPlus(RegretMinimiser):
    """CFR+: negative regrets are forgotten at once, later plans count more, in proportion to t.

    Unlike the paper, which delays averaging, the average begins with the first plan.

    Parameters
    ----------
    game : SequenceForm
        Any number of players; every player is updated.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learnt.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        super().__init__(game, Schedule(math.inf, -math.inf, 1.0, 0.0), order, start)
