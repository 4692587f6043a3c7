"""Lanctot (2014): how far the last digits of a run depend on rounding, and on how small probabilities are kept.

Twins are runs whose starts differ by multiples of 1e-12. In alternating order they stay together. In simultaneous
order they part after some 20,000 iterations of KP(2) and KP(3), and every program, compiler or processor is a twin of
its own. So what is said of simultaneous runs beyond t = 30,000 is a range over twins.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from pokerlab import games, metrics
from pokerlab.core import Floats, inlined, kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players,
)
from pokerlab.papers.experiment import load_or_make_history
from pokerlab.runs import History, sweep
from pokerlab.solvers import DynamicsState, ReplicatorDynamics
from pokerlab.solvers.dynamics import Dynamics
from pokerlab.solvers.protocol import check_interior_start, check_payoff_shift

NUDGE = 1e-12
"""By how much the first probabilities of neighboring twins differ."""
NUM_TWINS = 20
RECORDING = "lanctot-2014-twins"
FLOOR_RECORDING = "lanctot-2014-floors"
FLOORS = (0.0, 1e-300, 1e-30, 1e-6, 1e-4)
MILLION = 1_000_000
KEYS = ("weights", "order", "shift", "twin")
"""The settings of a twin in the recording."""
TIMES = (10_000, 100_000, 1_000_000, 10_000_000)
NO_FLOOR = "no floor"
"""The name of the runs in which weights are logarithms, so that no probability is ever rounded to zero for good."""
FLOOR = 1e-300
"""The floor of the other runs, which is the solver's default."""
STATES: dict[tuple[int, str, int], dict[int, list[DynamicsState]]] = {}
"""The states of twins that have been computed so far, by players, order and number of twins, and by iteration."""


@dataclass(frozen=True, eq=False)
class LogWeightState(DynamicsState):
    """The state of a replicator whose weights are kept as logarithms.

    Attributes
    ----------
    log_behavior : array of shape (S,)
        The logarithms of the probabilities in x(t + 1). Where one is below -745, `behavior` has a zero.
    """

    REPLACED: ClassVar[Mapping[str, str]] = {}
    log_behavior: Floats

    @classmethod
    def begin(cls, game: SequenceForm, start: Profile | None) -> Self:
        """Return the state before the first iteration, whose profile is `start`, or uniform."""
        plain = DynamicsState.begin(game, start)
        arrays = plain.behavior, plain.last_behavior, plain.plan_sum.copy(), np.log(plain.behavior)
        return cls(game, 0, *arrays).freeze_arrays()


class LogWeightReplicator(Dynamics):
    """Discrete-time replicator dynamics (eq. 3) without any floor: the logarithm of each probability is kept.

    A probability that is too small for a 64-bit number counts as zero in payoffs, but its logarithm goes on, so the
    action can return. `ReplicatorDynamics` with a floor of zero loses it forever.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    payoff_shift : float
        A constant that is added to all utilities to make them positive.
    order : {'alternating', 'simultaneous'}
        Whether players update one after the other, or all at the same time.
    start : Profile, optional
        x(1), in which every action has positive probability; uniform by default.
    """

    STATE = LogWeightState

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        check_payoff_shift(game, payoff_shift, "eq. 3")
        check_interior_start(start, "the replicator")
        self.payoff_shift = float(payoff_shift)

    def advance(
        self, done: int, count: int, behavior: Floats, plan_sum: Floats, log_behavior: Floats
    ) -> None:
        """Run `count` iterations and overwrite the arrays of the state; their result does not depend on `done`."""
        run_log_replicator(
            self.game.block,
            behavior,
            plan_sum,
            log_behavior,
            count,
            self.payoff_shift,
            self.alternating,
        )


@kernel
def run_log_replicator(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    log_behavior: Floats,
    count: int,
    shift: float,
    alternating: bool,
) -> None:
    """Run `count` iterations of eq. 3 with weights as logarithms, and overwrite the three vectors of shape (S,)."""
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, game.ends, player, behavior)
            for updated in select_players(player, n, alternating):
                replicate_logs(game, updated, shift, behavior, plan_sum, log_behavior, fitness)


@inlined
def replicate_logs(
    game: Workspace,
    player: int,
    shift: float,
    behavior: Floats,
    plan_sum: Floats,
    log_behavior: Floats,
    fitness: Floats,
) -> None:
    """Add a player's realization plan to the sum, and the logarithm of each action's relative fitness to its own."""
    fitness[player] = game.value[player] + shift
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        most = -np.inf
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            gain = game.value[q] - game.infoset_value[infoset]
            fitness[q] = fitness[parent] + gain
            log_behavior[q] += np.log1p(gain / fitness[parent])
            most = max(most, log_behavior[q])
        total = 0.0
        for q in range(begin, end):
            behavior[q] = np.exp(log_behavior[q] - most)
            total += behavior[q]
        for q in range(begin, end):
            behavior[q] /= total
            log_behavior[q] -= most + np.log(total)
            game.plan[q] = reach * behavior[q]


def nudge_start(game: SequenceForm, number: int) -> Profile:
    """Return the start of a twin: uniform, but for `number` times 1e-12 between the first two actions."""
    nudged = np.array(game.uniform().probabilities)
    nudged[:2] += np.array([NUDGE, -NUDGE]) * number
    return Profile(game, nudged)


def make_twins(players: int, order: str, count: int = NUM_TWINS) -> list[ReplicatorDynamics]:
    """Return the solvers of twins in Kuhn poker with the paper's shift; one in alternating order, where they agree."""
    game = games.kuhn(players)
    return [
        ReplicatorDynamics(game, payoff_shift=3.0, order=order, start=nudge_start(game, number))
        for number in range(count if order == "simultaneous" else 1)
    ]


def run_twins(players: int, order: str, t: int, count: int = NUM_TWINS) -> list[DynamicsState]:
    """Return the states of twins in Kuhn poker after t iterations.

    They are computed from the nearest earlier states in `STATES`, and are stored there.
    """
    twins = make_twins(players, order, count)
    states = STATES.setdefault((players, order, len(twins)), {0: [twin.init() for twin in twins]})
    nearest = max(done for done in states if done <= t)
    if nearest < t:
        pairs = zip(twins, states[nearest], strict=True)
        states[t] = [twin.step(state, t - nearest) for twin, state in pairs]
    return states[t]


def make_long_twin(setting: Mapping[str, Any]) -> Dynamics:
    """Return the solver of a twin in KP(2) with the given weights, order, shift and number, named by `KEYS`."""
    game = games.kuhn(2)
    start, shift = nudge_start(game, int(setting["twin"])), float(setting["shift"])
    kind = LogWeightReplicator if setting["weights"] == NO_FLOOR else ReplicatorDynamics
    return kind(game, payoff_shift=shift, order=str(setting["order"]), start=start)


def measure_long_twin(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average of a twin at all `TIMES`."""
    solver, measured = make_long_twin(setting), {}
    state = solver.init()
    for t in TIMES:
        state = solver.step(state, t - state.iteration)
        measured[f"nash_conv_{t}"] = metrics.nash_conv(state.game, state.average)
    return measured


def record_long_twins() -> History:
    """Run all twins over ten million iterations: some five minutes of one core."""
    kinds = [("simultaneous", NUM_TWINS), ("alternating", 2)]
    settings = [
        {"weights": weights, "order": order, "shift": shift, "twin": twin}
        for weights in (NO_FLOOR, f"floor {FLOOR:g}")
        for order, count in kinds
        for shift in (3.0, 30.0)
        for twin in range(count)
    ]
    return sweep(measure_long_twin, settings, progress=False)


def read_long_twins() -> History:
    """Return the twins over ten million iterations, from `data/runs`."""
    return load_or_make_history(RECORDING, record_long_twins, {})


def select_long_twins(weights: str, order: str, shift: float, t: int) -> Floats:
    """Return NashConv at t of all recorded twins with these weights, order and shift."""
    kept = read_long_twins()
    chosen = (kept["weights"] == weights) & (kept["order"] == order) & (kept["shift"] == shift)
    return np.asarray(kept[f"nash_conv_{t}"][chosen], dtype=np.float64)


def measure_floored_twin(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average in KP(2) after a million iterations with shift 3, for a floor, order and twin."""
    game = games.kuhn(2)
    twin = ReplicatorDynamics(
        game,
        payoff_shift=3.0,
        order=setting["order"],
        floor=setting["floor"],
        start=nudge_start(game, int(setting["twin"])),
    )
    average = twin.step(twin.init(), MILLION).average
    return {"nash_conv": metrics.nash_conv(game, average)}


def record_floors() -> History:
    """Run twins with other floors: half a minute of one core."""
    settings = [
        {"floor": floor, "order": order, "twin": twin}
        for floor in FLOORS
        for order, count in (("simultaneous", NUM_TWINS), ("alternating", 2))
        for twin in range(count)
    ]
    return sweep(measure_floored_twin, settings, progress=False)


def read_floors() -> History:
    """Return the twins with other floors, from `data/runs`."""
    return load_or_make_history(FLOOR_RECORDING, record_floors, {})


def tabulate_floors(order: str) -> list[str]:
    """Return NashConv of the average of KP(2) after a million iterations, least and most of all twins, in words.

    First without any floor, then with each of `FLOORS`, of which 0 is underflow: what is rounded to zero stays zero.
    """
    kept = read_floors()
    chosen = [(kept["floor"] == floor) & (kept["order"] == order) for floor in FLOORS]
    without = select_long_twins(NO_FLOOR, order, 3.0, MILLION)
    return [describe_range(ends) for ends in (without, *(kept["nash_conv"][one] for one in chosen))]


def describe_range(values: Floats) -> str:
    """Return the least and the most of some values as words; one number if two digits of them agree."""
    least, most = f"{values.min():.2g}", f"{values.max():.2g}"
    return least if least == most else f"{least} to {most}"
