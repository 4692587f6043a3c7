"""Projected replicator dynamics as a meta-strategy (Lanctot et al. 2017, section 3.1)."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core.settings import whole
from pokerlab.games import SequenceForm
from pokerlab.games.layout import Floats
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.protocol import check_number
from pokerlab.solvers.subgame.deviation import own_payoffs
from pokerlab.solvers.subgame.mixture import Mixture


@dataclass(frozen=True, kw_only=True)
class ProjectedReplicator:
    """Replicator dynamics that keep exploring, from uniform mixes; what is played is their average.

    A step adds `step_size` pi(k) (u_i(k, pi_-i) - u_i(pi)) to every player's pi(k), all at once, and takes
    the nearest distribution in which no strategy has less than `exploration` / K_i. Players may be many
    and payoffs any; only for two players and zero sum do averages come close to an equilibrium.

    Attributes
    ----------
    exploration : float
        What is shared out equally before anything is learnt, gamma: 0 to 1.
    step_size : float
        Time of a step, delta, in one over the game's unit.
    steps : int
        How many.
    tolerance : float
        A strategy must gain more, in units of the largest utility (at least 1).

    References
    ----------
    .. [1] M. Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning",
       Advances in Neural Information Processing Systems 30, 2017
    """

    exploration: float = 1e-6
    step_size: float = 0.01
    steps: int = 10_000
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        check_number("exploration", self.exploration, 0.0, 1.0)
        check_number("step_size", self.step_size, 1e-12, 1e6)
        check_number("steps", whole("steps", self.steps), 1, 1e9)
        check_number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse no game."""

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the average mixes of the dynamics for `payoffs`, (n, K_1, ..., K_n)."""
        mixes = [np.full(size, 1.0 / size) for size in payoffs.shape[1:]]
        totals = [mix.copy() for mix in mixes]
        for _ in range(self.steps):
            won = [own_payoffs(payoff, mixes, p) for p, payoff in enumerate(payoffs)]
            for player, (mix, values) in enumerate(zip(mixes, won, strict=True)):
                moved = mix + self.step_size * mix * (values - mix @ values)
                mixes[player] = nearest_mix(moved, self.exploration / len(mix))
                totals[player] += mixes[player]
        return Mixture(tuple(total / total.sum() for total in totals))


def nearest_mix(point: Floats, least: float) -> Floats:
    """Return the distribution nearest to `point`, (K,), in which nothing has less than `least`.

    It is `point` less a number that makes the sum one, where that leaves more than `least`
    (Held, Wolfe & Crowder 1974).
    """
    size = len(point)
    falling = np.sort(point)[::-1]
    room = 1.0 - size * least
    excess = (np.cumsum(falling - least) - room) / np.arange(1, size + 1)
    kept = max(int(np.count_nonzero(falling - least > excess)), 1)
    return np.asarray(np.maximum(point - excess[kept - 1], least))
