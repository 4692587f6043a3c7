"""Regret minimisation at every information set: the loop that CFR and its descendants share.

At each information set the regret of an action is what it would have won more than the behaviour
did, summed over iterations and weighted by the others' reach; behaviour is proportional to the
positive regrets (Zinkevich et al. 2007). Its descendants differ in how old regrets are discounted,
in how plans are weighted in the average, and in whether the last gain is expected to come again:
four numbers, a `Schedule`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sweeps import Workspace, counterfactual_values, due, realize, workspace
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.protocol import check_start, check_step, is_alternating

LARGEST_GAMMA = 20.0
"""With it a million iterations still sum to less than the largest number there is."""


class Schedule(NamedTuple):
    """How regrets and plans of different ages are weighed.

    Attributes
    ----------
    alpha, beta : float
        After iteration t, positive regrets are multiplied by t^alpha / (t^alpha + 1), negative
        ones by t^beta / (t^beta + 1); infinity keeps them, minus infinity forgets them.
    gamma : float
        The plan of iteration t counts t^gamma in the average.
    optimism : float
        How much of the last gain is expected to come again: 0 or 1.
    """

    alpha: float
    beta: float
    gamma: float
    optimism: float


@dataclass(frozen=True, eq=False)
class RegretState(DynamicsState):
    """A dynamic's state with the regrets behind it.

    Attributes
    ----------
    regret : ndarray of shape (S,)
        Cumulative (discounted) regret of each choice, in the game's unit.
    """

    regret: Floats


class RegretMinimiser:
    """The solver that a schedule describes.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    schedule : Schedule
        The weights.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learnt.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def __init__(
        self, game: SequenceForm, schedule: Schedule, order: str, start: Profile | None
    ) -> None:
        check_start(game, start)
        for name in ("alpha", "beta"):
            number(name, getattr(schedule, name))
        number("gamma", schedule.gamma, 0.0, LARGEST_GAMMA)
        self.game, self.schedule, self.start = game, Schedule(*map(float, schedule)), start
        self.alternating = is_alternating(order)

    def init(self) -> RegretState:
        """Return the state in which nothing has been done."""
        size = self.game.num_probabilities + self.game.num_players
        return RegretState.begin(self.game, self.start, regret=np.zeros(size))

    def step(self, state: RegretState, count: int = 1) -> RegretState:
        """Return the state `count` iterations after `state`."""
        count = check_step(self.game, state, count, RegretState)
        behaviour, plan_sum, regret = (
            a.copy() for a in (state.behaviour, state.plan_sum, state.regret)
        )
        regret_steps(
            self.game.block,
            behaviour,
            plan_sum,
            regret,
            state.iteration,
            count,
            self.schedule,
            self.alternating,
        )
        iteration = state.iteration + count
        return RegretState(self.game, iteration, behaviour, plan_sum, regret).frozen()


@kernel
def regret_steps(
    block: Floats,
    behaviour: Floats,
    plan_sum: Floats,
    regret: Floats,
    done: int,
    count: int,
    schedule: Schedule,
    alternating: bool,
) -> None:
    """Do `count` iterations after the `done` ones; overwrites `behaviour`, `plan_sum`, `regret`."""
    game = workspace(block)
    n = game.ids[0]
    for player in range(n):
        realize(game, player, behaviour)
    for t in range(done + 1, done + count + 1):
        keep_gains = discount(t, schedule.alpha)
        keep_losses = discount(t, schedule.beta)
        share = t**schedule.gamma
        for player in range(n):
            counterfactual_values(game, player, behaviour)
            for updated in due(player, n, alternating):
                match_regrets(
                    game,
                    updated,
                    keep_gains,
                    keep_losses,
                    share,
                    schedule.optimism,
                    behaviour,
                    plan_sum,
                    regret,
                )


@inlined
def discount(t: int, exponent: float) -> float:
    """Return t^exponent / (t^exponent + 1); its limit where the power is beyond the floats."""
    if exponent == np.inf:
        return 1.0
    if exponent == -np.inf:
        return 0.0
    power: float = t**exponent
    return power / (power + 1.0) if power < np.inf else 1.0


@inlined
def match_regrets(
    game: Workspace,
    player: int,
    keep_gains: float,
    keep_losses: float,
    share: float,
    optimism: float,
    behaviour: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Add the plan to the average, add the gains to the regrets, and play in proportion to them."""
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        reach = game.plan[game.parent[infoset]]
        expected = game.infoset_value[infoset]
        total = 0.0
        for q in range(begin, end):
            plan_sum[q] += share * game.plan[q]
            gain = game.value[q] - expected
            summed = regret[q] + gain
            summed *= keep_gains if summed > 0.0 else keep_losses
            regret[q] = summed
            positive = max(summed + optimism * gain, 0.0)
            behaviour[q] = positive
            total += positive
        if total > 0.0:
            for q in range(begin, end):
                behaviour[q] /= total
                game.plan[q] = reach * behaviour[q]
        else:
            for q in range(begin, end):
                behaviour[q] = 1.0 / game.size[infoset]
                game.plan[q] = reach * behaviour[q]
