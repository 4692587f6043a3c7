"""Counterfactual regret minimisation (Zinkevich, Johanson, Bowling & Piccione 2007)."""

import math

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.regret import RegretMinimiser, Schedule


class CFR(RegretMinimiser):
    """Plain CFR: regrets are summed, plans averaged evenly.

    In two-player zero-sum games the average's NashConv falls at least like 1 / sqrt(t).

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learnt.
    start : Profile, optional
        x(1); uniform if left out.

    Examples
    --------
    >>> import pokerlab as pl
    >>> game = pl.games.kuhn()
    >>> cfr = pl.solvers.CFR(game)
    >>> state = cfr.step(cfr.init(), 1000)
    >>> pl.metrics.nash_conv(game, state.average) < 0.01
    True
    """

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        super().__init__(game, Schedule(math.inf, math.inf, 0.0, 0.0), order, start)
