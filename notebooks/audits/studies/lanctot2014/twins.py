"""Lanctot (2014): whether results of long replicator runs depend on rounding, or on a floor of probabilities.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014, sections 3.1 and 4. KP(n) is Kuhn poker for n players.

*Twins* are runs of the same solver whose first profiles differ by multiples of 1e-12, which is as little as rounding
does. In alternating order twins stay together. In simultaneous order they part after some 20,000 iterations of KP(2)
and KP(3). So a run on another processor, or by another compiler, is like another twin, and every statement about
simultaneous runs beyond t = 30,000 is a range over twins.

The module has a replicator without any floor of probabilities (`LogWeightReplicator`), makes and runs twins, and
records NashConv of the average profile after up to ten million iterations, in files of `data/runs`. Functions that
begin with `select` or `format` read these files for the audit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from pokerlab import games, metrics
from pokerlab.core import Floats, inlined, kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, NUM_SEQUENCES, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players_to_update,
)
from pokerlab.papers.experiment import load_or_make_history
from pokerlab.runs import History, sweep
from pokerlab.solvers import DynamicsState, ReplicatorDynamics
from pokerlab.solvers.dynamics import Dynamics
from pokerlab.solvers.protocol import check_interior_start, check_payoff_shift

PERTURBATION = 1e-12
"""The difference between the first probabilities of one twin and the next."""
NUM_TWINS = 20
"""The number of twins over which results of simultaneous runs are given as a range."""
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
COMPUTED_TWIN_STATES: dict[tuple[int, str, int], dict[int, list[DynamicsState]]] = {}
"""The states of twins that have been computed in this session.

The keys are the number of players, the order of updates and the number of twins; then, within each, the iteration.
"""


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
    def from_start(cls, game: SequenceForm, start: Profile | None) -> Self:
        """Return the state of the log-weight replicator before its first iteration.

        Parameters
        ----------
        game : SequenceForm
            The compiled game.
        start : Profile or None
            The first profile x(1), in which every action has positive probability. None means the uniform profile.
        """
        initial = DynamicsState.from_start(game, start)
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

    def run_iterations(
        self,
        iterations_done: int,
        count: int,
        behavior: Floats,
        plan_sum: Floats,
        log_behavior: Floats,
    ) -> None:
        """Run iterations of the log-weight replicator, and overwrite the arrays of its state in place.

        Parameters
        ----------
        iterations_done : int
            The number of iterations before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior, log_behavior : array of shape (S,)
            The probability of each sequence's last action, and its logarithm. Both are overwritten by the new ones.
        plan_sum : array of shape (S,)
            The sum of the realization plans so far, to which those of the iterations are added.
        """
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
    """Run iterations of the replicator dynamics of Lanctot (2014, eq. 3), with logarithms of probabilities as weights.

    Parameters
    ----------
    block : array of float
        The compiled game, packed into one array.
    behavior, log_behavior : array of shape (S,)
        The probability of each sequence's last action, and its logarithm. Both are overwritten by the new ones.
    plan_sum : array of shape (S,)
        The realization plans of the iterations are added to it.
    count : int
        The number of iterations.
    shift : float
        The constant that is added to all utilities to make them positive.
    alternating : bool
        Whether players update one after the other, and not all at the same time.
    """
    game = unpack_workspace(block)
    num_players = game.ids[NUM_PLAYERS]
    num_sequences = game.ids[NUM_SEQUENCES]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, behavior)

    for _ in range(count):
        for player in range(num_players):
            fill_counterfactual_values(game, game.ends, player, behavior)
            # In simultaneous order all players are updated after the values of the last one have been computed.
            for updated_player in select_players_to_update(player, num_players, alternating):
                update_log_weights_of_player(
                    game, updated_player, shift, behavior, plan_sum, log_behavior, fitness
                )


@inlined
def update_log_weights_of_player(
    game: Workspace,
    player: int,
    shift: float,
    behavior: Floats,
    plan_sum: Floats,
    log_behavior: Floats,
    fitness: Floats,
) -> None:
    """Make one replicator step of Lanctot (2014, eqs. 3 and 5) for one player, with logarithms of probabilities.

    First the player's realization plan is added to `plan_sum`. Then, at each information set, the step adds to the
    logarithm of an action's probability the logarithm of u(I, a) / u(I), and normalizes the probabilities. Here u(I) is
    the player's shifted utility from playing to reach the information set I, and u(I, a) that from taking a there.

    Parameters
    ----------
    game : Workspace
        The compiled game. The player's counterfactual values must be in `game.value`, and its realization plan in
        `game.plan`, where it is overwritten by the new plan.
    player : int
        The player who updates.
    shift : float
        The constant that is added to all utilities to make them positive.
    behavior, log_behavior : array of shape (S,)
        The probabilities and their logarithms. The player's entries are overwritten.
    plan_sum : array of shape (S,)
        The sum of realization plans.
    fitness : array of shape (S,)
        Overwritten at the player's sequences by u(I, a), and by the shifted utility at the empty sequence.
    """
    fitness[player] = game.value[player] + shift  # at the empty sequence
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


def make_perturbed_uniform_profile(game: SequenceForm, num_nudges: int) -> Profile:
    """Return the uniform profile with a tiny change at the first information set, from which a run begins.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    num_nudges : int
        The probability of the first action is larger by this many times 1e-12, and that of the second action smaller by
        as much. With 0 the profile is uniform.
    """
    probabilities = np.array(game.uniform().probabilities)
    probabilities[:2] += np.array([PERTURBATION, -PERTURBATION]) * num_nudges
    return Profile(game, probabilities)


def make_replicators_with_perturbed_starts(
    num_players: int, order: str, num_starts: int = NUM_TWINS
) -> list[ReplicatorDynamics]:
    """Return replicator dynamics of Kuhn poker that differ only in their start, by multiples of 1e-12.

    All have the payoff shift of Lanctot (2014), which is 3.

    Parameters
    ----------
    num_players : int
        The number of players of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order so small a difference has no effect, so one solver is returned.
    num_starts : int
        The number of solvers in simultaneous order.
    """
    game = games.kuhn(num_players)
    num_solvers = num_starts if order == "simultaneous" else 1
    return [
        ReplicatorDynamics(
            game,
            payoff_shift=PAYOFF_SHIFT,
            order=order,
            start=make_perturbed_uniform_profile(game, num_nudges),
        )
        for num_nudges in range(num_solvers)
    ]


def run_replicators_with_perturbed_starts(
    num_players: int, order: str, iteration: int, num_starts: int = NUM_TWINS
) -> list[DynamicsState]:
    """Return the state after an iteration of each replicator run that `make_replicators_with_perturbed_starts` begins.

    States are stored in `COMPUTED_TWIN_STATES`. A later call goes on from the nearest earlier iteration stored there.

    Parameters
    ----------
    num_players : int
        The number of players of Kuhn poker.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order there is one run only.
    iteration : int
        The iteration after which the states are returned.
    num_starts : int
        The number of runs in simultaneous order.
    """
    solvers = make_replicators_with_perturbed_starts(num_players, order, num_starts)
    initial_states = [solver.init() for solver in solvers]
    states_by_iteration = COMPUTED_TWIN_STATES.setdefault(
        (num_players, order, len(solvers)), {0: initial_states}
    )

    nearest_iteration = max(t for t in states_by_iteration if t <= iteration)
    if nearest_iteration < iteration:
        states_by_iteration[iteration] = [
            solver.step(state, iteration - nearest_iteration)
            for solver, state in zip(solvers, states_by_iteration[nearest_iteration], strict=True)
        ]
    return states_by_iteration[iteration]


def make_dynamics_from_setting(setting: Mapping[str, Any]) -> Dynamics:
    """Return the replicator dynamics of one recorded run of Kuhn poker for two players.

    Parameters
    ----------
    setting : mapping
        'weights', which is 'no floor' or the name of a floor; 'order', the order of updates; 'shift', the payoff shift;
        and 'twin', the number of nudges of 1e-12 by which the run's start differs from the uniform profile.

    Returns
    -------
    LogWeightReplicator or ReplicatorDynamics
        The former if probabilities have no floor.
    """
    game = games.kuhn(2)
    solver_type = LogWeightReplicator if setting["weights"] == NO_FLOOR else ReplicatorDynamics
    return solver_type(
        game,
        payoff_shift=float(setting["shift"]),
        order=str(setting["order"]),
        start=make_perturbed_uniform_profile(game, int(setting["twin"])),
    )


def measure_nash_conv_of_recorded_run(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average profile of one run of KP(2) after each iteration of `TIMES`, in chips.

    `setting` is that of `make_dynamics_from_setting`. The keys of the result are `nash_conv_<t>`.
    """
    solver = make_dynamics_from_setting(setting)
    state = solver.init()
    nash_convs = {}
    for t in TIMES:
        state = solver.step(state, t - state.iteration)
        nash_convs[f"nash_conv_{t}"] = metrics.nash_conv(state.game, state.average)
    return nash_convs


def record_nash_conv_of_long_runs() -> History:
    """Run all twins of KP(2) for ten million iterations, with and without a floor, and return NashConv on the way.

    The runs take some five minutes of one core.

    Returns
    -------
    History
        A row for each run, with the columns 'weights', 'order', 'shift', 'twin' and `nash_conv_<t>` in chips.
    """
    settings = [
        {"weights": weights, "order": order, "shift": shift, "twin": twin}
        for weights in (NO_FLOOR, f"floor {FLOOR:g}")
        for order, num_twins in NUM_TWINS_BY_ORDER.items()
        for shift in (3.0, 30.0)
        for twin in range(num_twins)
    ]
    return sweep(measure_nash_conv_of_recorded_run, settings, progress=False)


def read_nash_conv_of_long_runs() -> History:
    """Return the recording of `record_nash_conv_of_long_runs` from `data/runs`, or make it if its file is missing."""
    return load_or_make_history(RECORDING, record_nash_conv_of_long_runs, {})


def select_recorded_nash_conv(weights: str, order: str, shift: float, iteration: int) -> Floats:
    """Return NashConv of the average profile in all recorded runs of KP(2) with given settings, in chips, (twins,).

    The runs differ by 1e-12 in their start, and are called twins.

    Parameters
    ----------
    weights : str
        'no floor', or the name of a floor of probabilities, such as 'floor 1e-300'.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    shift : float
        The payoff shift.
    iteration : int
        The iteration after which NashConv was measured, one of `TIMES`.
    """
    twins = read_nash_conv_of_long_runs()
    is_selected = (
        (twins["weights"] == weights) & (twins["order"] == order) & (twins["shift"] == shift)
    )
    return np.asarray(twins[f"nash_conv_{iteration}"][is_selected], dtype=np.float64)


def measure_nash_conv_with_floor(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return NashConv of the average profile of KP(2) after a million replicator steps with a floor of probabilities.

    Parameters
    ----------
    setting : mapping
        'floor', the probability below which none falls; 'order', the order of updates; and 'twin', the number of nudges
        of 1e-12 by which the run's start differs from the uniform profile. The payoff shift is 3.

    Returns
    -------
    dict
        `nash_conv` in chips.
    """
    game = games.kuhn(2)
    solver = ReplicatorDynamics(
        game,
        payoff_shift=PAYOFF_SHIFT,
        order=setting["order"],
        floor=setting["floor"],
        start=make_perturbed_uniform_profile(game, int(setting["twin"])),
    )
    state = solver.step(solver.init(), FLOOR_ITERATIONS)
    return {"nash_conv": metrics.nash_conv(game, state.average)}


def record_nash_conv_by_floor() -> History:
    """Run the twins of KP(2) for a million iterations with each of `FLOORS`, and return NashConv of their averages.

    The runs take half a minute of one core.

    Returns
    -------
    History
        A row for each run, with the columns 'floor', 'order', 'twin' and 'nash_conv' in chips.
    """
    settings = [
        {"floor": floor, "order": order, "twin": twin}
        for floor in FLOORS
        for order, num_twins in NUM_TWINS_BY_ORDER.items()
        for twin in range(num_twins)
    ]
    return sweep(measure_nash_conv_with_floor, settings, progress=False)


def read_nash_conv_by_floor() -> History:
    """Return the recording of `record_nash_conv_by_floor` from `data/runs`, or make it if its file is missing."""
    return load_or_make_history(FLOOR_RECORDING, record_nash_conv_by_floor, {})


def format_nash_conv_ranges_by_floor(order: str) -> list[str]:
    """Return texts with the range over twins of NashConv in KP(2) after a million iterations, in chips.

    NashConv is that of the average profile. The first text is for runs without any floor of probabilities. One text
    for each of `FLOORS` follows. `order` is 'simultaneous' or 'alternating', the order of updates.
    """
    without_floor = select_recorded_nash_conv(NO_FLOOR, order, PAYOFF_SHIFT, FLOOR_ITERATIONS)
    ranges = [format_range(without_floor)]
    twins = read_nash_conv_by_floor()
    for floor in FLOORS:
        is_selected = (twins["floor"] == floor) & (twins["order"] == order)
        ranges.append(format_range(twins["nash_conv"][is_selected]))
    return ranges


def format_range(values: Floats) -> str:
    """Return the smallest and the largest value as text with two significant digits, such as '0.0012 to 0.0031'.

    If these digits agree, the text is one number.
    """
    smallest, largest = f"{values.min():.2g}", f"{values.max():.2g}"
    return smallest if smallest == largest else f"{smallest} to {largest}"
