"""Lanctot (2014): whether results of long replicator runs depend on rounding, or on a floor of probabilities.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014, sections 3.1 and 4. KP(n) is Kuhn poker for n players.

*Twins*, or perturbed runs, are runs of the same solver whose first profiles differ by multiples of 1e-12, which is as
little as rounding does. In alternating order twins stay together. In simultaneous order they part after some 20,000
iterations of KP(2) and KP(3). So a run on another processor, or by another compiler, is like another twin, and every
statement about simultaneous runs beyond t = 30,000 is a range over twins.

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
from pokerlab.solvers import ReplicatorDynamics
from pokerlab.solvers.dynamics import Dynamics, DynamicsState
from pokerlab.solvers.protocol import check_interior_start, check_payoff_shift

PERTURBATION = 1e-12
"""The difference between the first probabilities of one perturbed run (twin) and those of the next."""
NUM_PERTURBED_RUNS = 20
"""The number of perturbed runs over which results in simultaneous order are given as a range."""
PAYOFF_SHIFT = 3.0
"""The paper's payoff shift."""
NUM_RUNS_BY_ORDER = {"simultaneous": NUM_PERTURBED_RUNS, "alternating": 2}
"""The number of recorded runs for each order of updates. Two are enough in alternating order, in which they agree."""
RECORDING = "lanctot-2014-twins"
"""The name of the recording of long runs with and without a floor of probabilities."""
FLOOR_RECORDING = "lanctot-2014-floors"
"""The name of the recording of shorter runs with each of `FLOORS`."""
FLOORS = (0.0, 1e-300, 1e-30, 1e-6, 1e-4)
"""Floors below which no probability falls. With 0 a probability that is rounded to zero stays zero."""
FLOOR_ITERATIONS = 1_000_000
"""The length of the runs with these floors."""
SETTING_NAMES = ("weights", "order", "shift", "twin")
"""The names of the settings of a long run, which are columns of its recording."""
RECORDED_ITERATIONS = (10_000, 100_000, 1_000_000, 10_000_000)
"""The iterations after which the long runs are measured."""
NO_FLOOR = "no floor"
"""The name of the runs in which weights are logarithms, so that no probability is ever rounded to zero for good."""
DEFAULT_FLOOR = 1e-300
"""The floor of the other long runs, which is the solver's default."""
COMPUTED_STATES: dict[tuple[int, str, int], dict[int, list[DynamicsState]]] = {}
"""The states of perturbed runs that this process has computed so far.

The keys are the number of players, the order of updates and the number of runs; then, within each, the iteration.
"""


@dataclass(frozen=True, eq=False)
class LogWeightState(DynamicsState):
    """The state of replicator dynamics whose probabilities are also stored as logarithms.

    Attributes
    ----------
    log_behavior : array of shape (S,)
        The logarithm of the probability of the last action of each of the S sequences of all players in x(t + 1). If a
        logarithm is below -745, then `behavior` has a zero there.
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
            game=game,
            iteration=0,
            behavior=initial.behavior,
            last_behavior=initial.last_behavior,
            plan_sum=initial.plan_sum.copy(),
            log_behavior=np.log(initial.behavior),
        )
        return state.freeze_arrays()


class LogWeightReplicator(Dynamics):
    """Discrete replicator dynamics (Lanctot 2014, eq. 3) that store logarithms, so that no probability is lost.

    A probability that is too small for a 64-bit number counts as zero in payoffs. But its logarithm is still updated,
    so the probability can become positive again. In `ReplicatorDynamics` with a floor of zero it stays zero forever.

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

    Raises
    ------
    SettingError
        If the shift leaves a utility negative, or if `start` gives an action the probability zero.
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
        """Run iterations of the replicator dynamics with logarithms, and overwrite the arrays of the state in place.

        The base class `Dynamics` calls this method with copies of the arrays of a state. They have an entry for each of
        the S sequences of all players.

        Parameters
        ----------
        iterations_done : int
            The number of iterations before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior, log_behavior : array of shape (S,)
            The probability of each sequence's last action, and its logarithm. Both are overwritten by the new ones.
        plan_sum : array of shape (S,)
            The sum of the realization plans so far, to which the plan of each iteration is added.
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
    game_block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    log_behavior: Floats,
    count: int,
    shift: float,
    alternating: bool,
) -> None:
    """Run iterations of replicator dynamics (Lanctot 2014, eq. 3) in logarithms of probabilities, in place.

    Arrays of shape (S,) have an entry for each of the S sequences of all players.

    Parameters
    ----------
    game_block : array of float
        The compiled game, packed into one array.
    behavior, log_behavior : array of shape (S,)
        The probability of each sequence's last action, and its logarithm. Both are overwritten by the new ones.
    plan_sum : array of shape (S,)
        The sum of the realization plans so far, to which the plan of each iteration is added.
    count : int
        The number of iterations.
    shift : float
        The constant that is added to all utilities to make them positive.
    alternating : bool
        Whether players update one after the other, and not all at the same time.
    """
    game = unpack_workspace(game_block)
    num_players = game.ids[NUM_PLAYERS]
    num_sequences = game.ids[NUM_SEQUENCES]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, behavior)

    for _ in range(count):
        for player in range(num_players):
            fill_counterfactual_values(game, game.betting_ends, player, behavior)
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
    """Make one replicator step for one player in logarithms of probabilities, in place.

    First the player's realization plan is added to `plan_sum`. Then, at each information set I, the step adds
    log(u(I, a) / u(I)) to the logarithm of the probability of each action a, and normalizes the probabilities (Lanctot
    2014, eqs. 3 and 5). Here u(I) is the player's shifted utility of playing to reach I, and u(I, a) that of playing to
    reach I and taking a. Arrays of shape (S,) have an entry for each of the S sequences of all players.

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
        The probability of each sequence's last action, and its logarithm. The player's entries are overwritten.
    plan_sum : array of shape (S,)
        The sum of realization plans. The player's entries are increased.
    fitness : array of shape (S,)
        Scratch memory. The entries of the player's sequences are overwritten by u(I, a), and that of the empty sequence
        by the player's shifted utility.
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


def make_perturbed_uniform_profile(game: SequenceForm, multiple: int) -> Profile:
    """Return the uniform profile with a tiny change of two probabilities at the first information set.

    Runs that begin with such profiles show whether results depend on rounding errors.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    multiple : int
        The change as a multiple of 1e-12. It is added to the probability of the first action, and subtracted from that
        of the second action. With 0 the profile is uniform.
    """
    probabilities = np.array(game.uniform().probabilities)
    probabilities[:2] += np.array([PERTURBATION, -PERTURBATION]) * multiple
    return Profile(game, probabilities)


def make_replicators_with_perturbed_starts(
    num_players: int, order: str, num_starts: int = NUM_PERTURBED_RUNS
) -> list[ReplicatorDynamics]:
    """Return replicator dynamics of Kuhn poker whose first profiles differ by multiples of 1e-12.

    All have the payoff shift of Lanctot (2014), which is 3.

    Parameters
    ----------
    num_players : int
        The number of players of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order so small a difference has no effect, so one solver is returned.
    num_starts : int
        The number of solvers in simultaneous order.

    Returns
    -------
    list of ReplicatorDynamics
        The solvers. The first one begins with the uniform profile.
    """
    game = games.kuhn(num_players)
    num_solvers = num_starts if order == "simultaneous" else 1
    solvers = []
    for multiple in range(num_solvers):
        start = make_perturbed_uniform_profile(game, multiple)
        solver = ReplicatorDynamics(game, payoff_shift=PAYOFF_SHIFT, order=order, start=start)
        solvers.append(solver)
    return solvers


def run_replicators_with_perturbed_starts(
    num_players: int, order: str, iteration: int, num_starts: int = NUM_PERTURBED_RUNS
) -> list[DynamicsState]:
    """Run replicator dynamics of Kuhn poker from starts that differ by multiples of 1e-12, and return their states.

    The runs are those of `make_replicators_with_perturbed_starts`. Their states are stored in `COMPUTED_STATES`, so
    that a later call continues from the nearest earlier iteration.

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

    Returns
    -------
    list of DynamicsState
        The state of each run after the iteration. The first run began with the uniform profile.
    """
    solvers = make_replicators_with_perturbed_starts(num_players, order, num_starts)
    initial_states = [solver.init() for solver in solvers]
    states_by_iteration = COMPUTED_STATES.setdefault(
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
    """Return the replicator dynamics of Kuhn poker for two players that a setting of a long run describes.

    Parameters
    ----------
    setting : mapping
        The settings of the run:

        - 'weights' is 'no floor', or 'floor 1e-300' for the solver's default floor of probabilities.
        - 'order' is the order of updates, 'simultaneous' or 'alternating'.
        - 'shift' is the payoff shift.
        - 'twin' is the multiple of 1e-12 by which the start differs from the uniform profile.

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


def measure_nash_conv_of_long_run(setting: Mapping[str, Any]) -> dict[str, float]:
    """Run replicator dynamics of Kuhn poker for ten million iterations, and return NashConv of the average on the way.

    Parameters
    ----------
    setting : mapping
        The settings of the run, as in `make_dynamics_from_setting`.

    Returns
    -------
    dict of str to float
        NashConv of the average profile in chips, after each iteration t of `RECORDED_ITERATIONS`. The keys are
        `nash_conv_<t>`.
    """
    solver = make_dynamics_from_setting(setting)
    state = solver.init()
    nash_convs = {}
    for t in RECORDED_ITERATIONS:
        state = solver.step(state, t - state.iteration)
        nash_convs[f"nash_conv_{t}"] = metrics.nash_conv(state.game, state.average)
    return nash_convs


def record_nash_conv_of_long_runs() -> History:
    """Run replicator dynamics of Kuhn poker for ten million iterations in all settings, and return NashConv.

    There are runs with and without a floor of probabilities, with both orders of updates, and with the payoff shifts 3
    and 30. The runs of one setting differ by multiples of 1e-12 in their starts. All runs take some five minutes of one
    core.

    Returns
    -------
    History
        A row for each run, with the columns 'weights', 'order', 'shift', 'twin' and `nash_conv_<t>`, which
        `make_dynamics_from_setting` and `measure_nash_conv_of_long_run` describe.
    """
    settings = [
        {"weights": weights, "order": order, "shift": shift, "twin": multiple}
        for weights in (NO_FLOOR, f"floor {DEFAULT_FLOOR:g}")
        for order, num_runs in NUM_RUNS_BY_ORDER.items()
        for shift in (3.0, 30.0)
        for multiple in range(num_runs)
    ]
    return sweep(measure_nash_conv_of_long_run, settings, progress=False)


def read_nash_conv_of_long_runs() -> History:
    """Return the recording of `record_nash_conv_of_long_runs` from `data/runs`, or make it if there is no file."""
    return load_or_make_history(RECORDING, record_nash_conv_of_long_runs, {})


def select_recorded_nash_conv(weights: str, order: str, shift: float, iteration: int) -> Floats:
    """Return the recorded NashConv of the average profile in all long runs of Kuhn poker with the same settings.

    The runs differ only in their starts, by multiples of 1e-12.

    Parameters
    ----------
    weights : str
        'no floor', or 'floor 1e-300' for the solver's default floor of probabilities.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    shift : float
        The payoff shift.
    iteration : int
        The iteration after which NashConv was measured, one of `RECORDED_ITERATIONS`.

    Returns
    -------
    array of shape (runs,)
        NashConv of each run, in chips.
    """
    long_runs = read_nash_conv_of_long_runs()
    is_selected = (
        (long_runs["weights"] == weights)
        & (long_runs["order"] == order)
        & (long_runs["shift"] == shift)
    )
    return np.asarray(long_runs[f"nash_conv_{iteration}"][is_selected], dtype=np.float64)


def measure_nash_conv_with_floor(setting: Mapping[str, Any]) -> dict[str, float]:
    """Run a million replicator steps of Kuhn poker with a floor of probabilities, and return NashConv of the average.

    Parameters
    ----------
    setting : mapping
        'floor' is the number below which no probability falls. 'order' is the order of updates. 'twin' is the multiple
        of 1e-12 by which the start differs from the uniform profile. The payoff shift is 3.

    Returns
    -------
    dict of str to float
        NashConv of the average profile in chips, as 'nash_conv'.
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
    """Run replicator dynamics of Kuhn poker for a million iterations with each of `FLOORS`, and return NashConv.

    The runs of one floor differ by multiples of 1e-12 in their starts. All runs take half a minute of one core.

    Returns
    -------
    History
        A row for each run, with the columns 'floor', 'order', 'twin' and 'nash_conv', which
        `measure_nash_conv_with_floor` describes.
    """
    settings = [
        {"floor": floor, "order": order, "twin": multiple}
        for floor in FLOORS
        for order, num_runs in NUM_RUNS_BY_ORDER.items()
        for multiple in range(num_runs)
    ]
    return sweep(measure_nash_conv_with_floor, settings, progress=False)


def read_nash_conv_by_floor() -> History:
    """Return the recording of `record_nash_conv_by_floor` from `data/runs`, or make it if there is no file."""
    return load_or_make_history(FLOOR_RECORDING, record_nash_conv_by_floor, {})


def format_nash_conv_ranges_by_floor(order: str) -> list[str]:
    """Return the range of NashConv in Kuhn poker after a million replicator steps as text, for each floor.

    NashConv is that of the average profile, in chips. The range is over runs that differ by multiples of 1e-12 in their
    starts.

    Parameters
    ----------
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    list of str
        Texts such as '0.0012 to 0.0031'. The first one is for runs without any floor of probabilities, and the others
        are for `FLOORS`.
    """
    without_floor = select_recorded_nash_conv(NO_FLOOR, order, PAYOFF_SHIFT, FLOOR_ITERATIONS)
    ranges = [format_range(without_floor)]
    recording = read_nash_conv_by_floor()
    for floor in FLOORS:
        is_selected = (recording["floor"] == floor) & (recording["order"] == order)
        ranges.append(format_range(recording["nash_conv"][is_selected]))
    return ranges


def format_range(values: Floats) -> str:
    """Return the smallest and the largest of several values as text with two significant digits.

    If both have the same digits, the text is one number.

    Examples
    --------
    >>> format_range(np.array([0.00312, 0.0012])), format_range(np.array([0.5]))
    ('0.0012 to 0.0031', '0.5')
    """
    smallest, largest = f"{values.min():.2g}", f"{values.max():.2g}"
    return smallest if smallest == largest else f"{smallest} to {largest}"
