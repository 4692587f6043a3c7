"""Mixes that learn rather than solve: projected replicator dynamics (Lanctot et al. 2017, section 3.1)."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import Floats, Ints, kernel
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.solvers.subgame.mixture import Basis, Mixture, Tolerant


@dataclass(frozen=True, kw_only=True)
class ProjectedReplicator(Tolerant):
    """Replicator dynamics that keep exploring, from uniform mixes; what is played is their average.

    A step adds `step_size * pi(k) * (u_i(k, pi_-i) - u_i(pi))` to every player's `pi(k)`, all at once, and takes
    the nearest distribution in which no strategy has less than `exploration` / K_i. Players may be many
    and payoffs any; only for two players and zero sum do averages come close to an equilibrium.

    Attributes
    ----------
    exploration : float
        What is shared out equally before anything is learned, gamma: 0 to 1.
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

    def __post_init__(self) -> None:
        number("exploration", self.exploration, 0.0, 1.0)
        number("step_size", self.step_size, 1e-12, 1e6)
        whole("steps", self.steps, 1, LARGEST_COUNT)
        super().__post_init__()

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return the average mixes of the dynamics for `payoffs`, (n, K_1, ..., K_n)."""
        sizes = np.array(payoffs.shape[1:])
        flat = np.ascontiguousarray(payoffs.reshape(len(sizes), -1))
        totals = replicator_totals(flat, sizes, self.exploration, self.step_size, self.steps)
        each = np.split(totals, np.cumsum(sizes)[:-1])
        return Mixture(tuple(total / total.sum() for total in each))


@kernel
def replicator_totals(
    payoffs: Floats, sizes: Ints, exploration: float, step_size: float, steps: int
) -> Floats:
    """Return the sums of everybody's mixes over the steps, and of the uniform ones, player after player.

    `payoffs` is (n, K_1 * ... * K_n), `sizes` K_1 to K_n.
    """
    n = len(sizes)
    starts = np.cumsum(sizes) - sizes
    mixes = np.empty(sizes.sum())
    for player in range(n):
        mixes[starts[player] : starts[player] + sizes[player]] = 1.0 / sizes[player]
    totals = mixes.copy()
    for _ in range(steps):
        won = own_values(payoffs, sizes, starts, mixes)
        for player in range(n):
            mine = slice(starts[player], starts[player] + sizes[player])
            mix, values = mixes[mine], won[mine]
            moved = mix + step_size * mix * (values - (mix * values).sum())
            mixes[mine] = nearest_mix(moved, exploration / sizes[player])
        totals += mixes
    return totals


@kernel
def own_values(payoffs: Floats, sizes: Ints, starts: Ints, mixes: Floats) -> Floats:
    """Return what each strategy wins against the others' mixes, player after player."""
    n = len(sizes)
    won = np.zeros_like(mixes)
    at = starts.copy()  # everybody's strategy in the present entry
    for entry in range(payoffs.shape[1]):
        for player in range(n):
            others = 1.0
            for other in range(n):
                if other != player:
                    others *= mixes[at[other]]
            won[at[player]] += others * payoffs[player, entry]
        player = n - 1
        at[player] += 1
        while player > 0 and at[player] == starts[player] + sizes[player]:
            at[player] = starts[player]
            player -= 1
            at[player] += 1
    return won


@kernel
def nearest_mix(point: Floats, least: float) -> Floats:
    """Return the distribution nearest to `point`, (K,), in which nothing has less than `least`.

    It is `point` less a number that makes the sum one, where that leaves more than `least`
    (Held, Wolfe & Crowder 1974).
    """
    room = 1.0 - len(point) * least
    total, excess = 0.0, 0.0
    for kept, value in enumerate(np.sort(point)[::-1]):
        total += value - least
        if kept > 0 and value - least <= (total - room) / (kept + 1):
            break
        excess = (total - room) / (kept + 1)
    return np.maximum(point - excess, least)
