"""Lanctot (2014): how the results of a run depend on rounding, and on the floor of probabilities.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. KP(n) is Kuhn poker for n players.

*Twins* are runs of the same solver whose first profiles differ by multiples of 1e-12, which is as little as rounding
does. In alternating order twins stay together. In simultaneous order they part after some 20,000 iterations of KP(2)
and KP(3). So a run on another processor, or by another compiler, is like another twin, and every statement about
simultaneous runs beyond t = 30,000 is a range over twins.
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
"""The difference between the first probabilities of one twin and the next."""
NUM_TWINS = 20
PAYOFF_SHIFT = 3.0
"""The paper's payoff shift."""
NUM_TWINS_BY_ORDER = {"simultaneous": NUM_TWINS, "alternating": 2}
"""The number of recorded twins. Two are enough in alternating order, in which twins stay together."""
RECORDING = "lanctot-2014-twins"
FLOOR_RECORDING = "lanctot-2014-floors"
FLOORS = (0.0, 1e-300, 1e-30, 1e-6, 1e-4)
"""Floors below which no probability falls. With 0 a probability that is rounded to zero stays zero."""
FLOOR_ITERATIONS = 1_000_000
"""The length of the runs with these floors."""
KEYS = ("weights", "order", "shift", "twin")
"""The settings of a twin in the recording."""
TIMES = (10_000, 100_000, 1_000_000, 10_000_000)
"""The iterations at which the recorded twins are measured."""
NO_FLOOR = "no floor"
"""The name of the runs in which weights are logarithms, so that no probability is ever rounded to zero for good."""
FLOOR = 1e-300
"""The floor of the other runs, which is the solver's default."""
TWIN_STATES: dict[tuple[int, str, int], dict[int, list[DynamicsState]]] = {}
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
        initial = DynamicsState.begin(game, start)
        state = cls(
            game,
            0,
            initial.behavior,
            initial.last_behavior,
            initial.plan_sum.copy(),
            np.log(initial.behavior),
        )
        return state.freeze_arrays()


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
    """Run `count` iterations of eq. 3 with weights as logarithms.

    `behavior` and `log_behavior`, both (S,), are overwritten by the new probabilities and their logarithms. The
    realization plans of the iterations are added to `plan_sum`, (S,). `block` holds the compiled game.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, game.ends, player, behavior)
            for updated in select_players(player, n, alternating):
                step_log_replicator(game, updated, shift, behavior, plan_sum, log_behavior, fitness)


@inlined
def step_log_replicator(
    game: Workspace,
    player: int,
    shift: float,
    behavior: Floats,
    plan_sum: Floats,
    log_behavior: Floats,
    fitness: Floats,
) -> None:
    """Make one step of the replicator dynamics of Lanctot (2014) for a player, with logarithms of probabilities.

    Before, the player's realization plan is added to `plan_sum`. The logarithm of u_i(x with g_q) / u_i(x), equations 3
    and 5 of the paper, is added to that of each action's probability, and the probabilities are normalized. The
    counterfactual values of the player's actions must be in `game.value`, and its plan in `game.plan`, which is
    overwritten by the new plan. The player's entries of `fitness` are overwritten by u_i(x with g_q).
    """
    fitness[player] = game.value[player] + shift
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        largest_log = -np.inf
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            gain = game.value[q] - game.infoset_value[infoset]
            fitness[q] = fitness[parent] + gain  # eq. 5
            log_behavior[q] += np.log1p(gain / fitness[parent])
            largest_log = max(largest_log, log_behavior[q])

        # The largest probability is scaled to 1 before the sum, so that it does not underflow.
        total = 0.0
        for q in range(begin, end):
            behavior[q] = np.exp(log_behavior[q] - largest_log)
            total += behavior[q]
        for q in range(begin, end):
            behavior[q] /= total
            log_behavior[q] -= largest_log + np.log(total)
            game.plan[q] = reach * behavior[q]


def nudge_start(game: SequenceForm, number: int) -> Profile:
    """Return the first profile of the twin with a number: uniform, but for a nudge at the first information set.

    The probability of the first action is `number` times 1e-12 larger, and that of the second action smaller.
    """
    probabilities = np.array(game.uniform().probabilities)
    probabilities[:2] += np.array([NUDGE, -NUDGE]) * number
    return Profile(game, probabilities)


def make_twin_solvers(
    num_players: int, order: str, count: int = NUM_TWINS
) -> list[ReplicatorDynamics]:
    """Return replicator solvers in Kuhn poker whose first profiles differ by multiples of 1e-12.

    They have the paper's payoff shift.

    Parameters
    ----------
    num_players : int
        The number of players of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order twins do not part, so there is one solver only.
    count : int
        The number of solvers in simultaneous order.
    """
    game = games.kuhn(num_players)
    num_solvers = count if order == "simultaneous" else 1
    return [
        ReplicatorDynamics(
            game, payoff_shift=PAYOFF_SHIFT, order=order, start=nudge_start(game, number)
        )
        for number in range(num_solvers)
    ]


def run_twins(
    num_players: int, order: str, iteration: int, count: int = NUM_TWINS
) -> list[DynamicsState]:
    """Return the states after an iteration of the solvers that `make_twin_solvers` makes from the other parameters.

    They are computed from the nearest earlier states in `TWIN_STATES`, and are stored there.
    """
    solvers = make_twin_solvers(num_players, order, count)
    states = TWIN_STATES.setdefault(
        (num_players, order, len(solvers)), {0: [solver.init() for solver in solvers]}
    )
    nearest = max(t for t in states if t <= iteration)
    if nearest < iteration:
        states[iteration] = [
            solver.step(state, iteration - nearest)
            for solver, state in zip(solvers, states[nearest], strict=True)
        ]
    return states[iteration]


def make_long_twin(setting: Mapping[str, Any]) -> Dynamics:
    """Return the solver of one recorded twin in KP(2).

    Parameters
    ----------
    setting : mapping
        By the names in `KEYS`, the weights (`NO_FLOOR` or the name of a floor), the order of updates, the payoff shift,
        and the number of the twin.
    """
    game = games.kuhn(2)
    solver_type = LogWeightReplicator if setting["weights"] == NO_FLOOR else ReplicatorDynamics
    return solver_type(
        game,
        payoff_shift=float(setting["shift"]),
        order=str(setting["order"]),
        start=nudge_start(game, int(setting["twin"])),
    )


def measure_long_twin(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average of a recorded twin after each iteration of `TIMES`, in chips.

    The twin is that of `make_long_twin`. The keys are `nash_conv_<t>`.
    """
    solver = make_long_twin(setting)
    state, measured = solver.init(), {}
    for t in TIMES:
        state = solver.step(state, t - state.iteration)
        measured[f"nash_conv_{t}"] = metrics.nash_conv(state.game, state.average)
    return measured


def record_long_twins() -> History:
    """Return the measurements of all twins over ten million iterations, with and without a floor.

    It takes some five minutes of one core.
    """
    settings = [
        {"weights": weights, "order": order, "shift": shift, "twin": twin}
        for weights in (NO_FLOOR, f"floor {FLOOR:g}")
        for order, count in NUM_TWINS_BY_ORDER.items()
        for shift in (3.0, 30.0)
        for twin in range(count)
    ]
    return sweep(measure_long_twin, settings, progress=False)


def read_long_twins() -> History:
    """Return the measurements of the twins over ten million iterations, from `data/runs`."""
    return load_or_make_history(RECORDING, record_long_twins, {})


def select_long_twins(weights: str, order: str, shift: float, iteration: int) -> Floats:
    """Return NashConv after an iteration of all recorded twins with some weights, order and shift, one value a twin."""
    twins = read_long_twins()
    is_selected = (
        (twins["weights"] == weights) & (twins["order"] == order) & (twins["shift"] == shift)
    )
    return np.asarray(twins[f"nash_conv_{iteration}"][is_selected], dtype=np.float64)


def measure_floored_twin(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average in KP(2) after a million iterations with the paper's shift, in chips.

    `setting` has the `floor` of probabilities, the `order` of updates, and the number of the `twin`.
    """
    game = games.kuhn(2)
    solver = ReplicatorDynamics(
        game,
        payoff_shift=PAYOFF_SHIFT,
        order=setting["order"],
        floor=setting["floor"],
        start=nudge_start(game, int(setting["twin"])),
    )
    state = solver.step(solver.init(), FLOOR_ITERATIONS)
    return {"nash_conv": metrics.nash_conv(game, state.average)}


def record_floors() -> History:
    """Return the measurements of twins with each of `FLOORS`, which take half a minute of one core."""
    settings = [
        {"floor": floor, "order": order, "twin": twin}
        for floor in FLOORS
        for order, count in NUM_TWINS_BY_ORDER.items()
        for twin in range(count)
    ]
    return sweep(measure_floored_twin, settings, progress=False)


def read_floors() -> History:
    """Return the measurements of the twins with each of `FLOORS`, from `data/runs`."""
    return load_or_make_history(FLOOR_RECORDING, record_floors, {})


def tabulate_floors(order: str) -> list[str]:
    """Return the range over twins of NashConv of the average of KP(2) after a million iterations, as text.

    The first text is of the runs without any floor, and the others are of those with each of `FLOORS`.
    """
    twins = read_floors()
    ranges = [describe_range(select_long_twins(NO_FLOOR, order, PAYOFF_SHIFT, FLOOR_ITERATIONS))]
    for floor in FLOORS:
        is_selected = (twins["floor"] == floor) & (twins["order"] == order)
        ranges.append(describe_range(twins["nash_conv"][is_selected]))
    return ranges


def describe_range(values: Floats) -> str:
    """Return the smallest and the largest value as text, with two digits; one number if these digits agree."""
    smallest, largest = f"{values.min():.2g}", f"{values.max():.2g}"
    return smallest if smallest == largest else f"{smallest} to {largest}"
