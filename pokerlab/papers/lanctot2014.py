"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc, section 4.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation", AAMAS
2014. `studies.lanctot2014.normal_form_dynamics` has the dynamics over mixed strategies with which its theorems compare
it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from pokerlab import games, metrics
from pokerlab.core import (
    CheckedSettings,
    Floats,
    GameError,
    Ints,
    UnknownNameError,
    random_stream,
    seed_setting,
    setting,
)
from pokerlab.core.old_names import reject_missing_name
from pokerlab.core.settings import unprinted_setting
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.experiment import Experiment, Published, read_published_numbers
from pokerlab.runs import Column
from pokerlab.solvers import ContinuousReplicator, ReplicatorDynamics
from pokerlab.solvers.dynamics import DynamicsState

__all__ = [
    "FIGURES",
    "SCALES",
    "Config",
    "compute_performance_difference",
    "draw_profile",
    "make_columns",
    "make_solver",
    "replicator",
    "select_published_numbers",
]

PAPER = "lanctot-2014"
GAMES: dict[str, Callable[[], SequenceForm]] = {
    **{f"KP({players})": partial(games.kuhn, players) for players in range(2, 6)},
    "Leduc": games.leduc,
}
CARDS = "JQKA"
"""The cards of three-player Kuhn poker, from the lowest to the highest."""
SITUATIONS = (
    ("", "pass-pass-bet", "pass-bet-pass", "pass-bet-bet"),
    ("pass", "bet", "pass-pass-bet-pass", "pass-pass-bet-bet"),
    ("pass-pass", "pass-bet", "bet-pass", "bet-bet"),
)
"""The situations of each player of three-player Kuhn poker: the four betting histories after which the player acts."""
FREE = np.nan
"""Stands for a probability that differs between equilibria."""
FIXED_PROBABILITIES = np.array(
    [
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1 / 2, 0], [0, 1, 1, 1]],
        [[FREE, 0, 0, 0], [FREE, 0, FREE, 0], [0, FREE, FREE, 0], [FREE, 1, 1, 1]],
        [[FREE, 0, 0, 0], [FREE, 0, 0, 0], [0, 0, FREE, FREE], [1, 1, 1, 1]],
    ]
)
"""Probabilities to bet or call that all known equilibria of three-player Kuhn poker share, by player, card and
situation. They are NaN where equilibria differ.

Szafron, Gibson & Sturtevant (2013) derived them. `find_nearest_known_equilibrium` in the audit's studies searches the
whole family.
"""


@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
    """Settings of one run of the replicator; the defaults are the paper's KP(2) experiment."""

    game: str = setting(
        "KP(2)",
        "Kuhn poker for 2 to 5 players, or Leduc.",
        source="section 4.1; KP(5) and Leduc: ours",
        choices=tuple(GAMES),
    )
    payoff_shift: float = setting(
        3.0,
        "Added to all utilities so that eq. 3 is defined; the larger, the smaller the step.",
        source="section 4.1",
        unit="chips",
        within=(2.0, 100.0),  # the largest loss must become a gain
        adapts=lambda config: {"low": 13.0} if config.game == "Leduc" else {},
    )
    order: str = setting(
        "alternating",
        "One after the other, which gives the paper's numbers; all at once, as eq. 3 is printed; or"
        " the flow of eq. 4, of which an iteration covers the time 1 / shift.",
        choices=("alternating", "simultaneous", "continuous"),
    )
    floor: float = unprinted_setting(
        1e-300,
        "No probability falls below it.",
        rare=True,
        log=(0.0, 1e-3),
        needs=lambda config: config.order != "continuous",
    )
    start: str = setting(
        "uniform",
        "x(1): everything equally likely, or drawn from the seed.",
        source="section 3.2",
        rare=True,
        choices=("uniform", "random"),
    )
    iterations: int = setting(
        100_000, "When the run ends.", source="section 4.2", log=(1, 10_000_000)
    )
    seed: int = seed_setting(
        "Decides a random start; a uniform one draws nothing.",
        needs=lambda config: config.start == "random",
    )


def make_solver(config: Config) -> ReplicatorDynamics | ContinuousReplicator:
    """Return the replicator dynamics that a Config describes.

    Parameters
    ----------
    config : Config
        The settings of a run.

    Returns
    -------
    ReplicatorDynamics or ContinuousReplicator
        Discrete dynamics by eq. 3 of Lanctot (2014), or continuous ones by eq. 4 if the order is 'continuous'.
    """
    game = GAMES[config.game]()
    start = draw_profile(game, config.seed) if config.start == "random" else None
    if config.order == "continuous":
        return ContinuousReplicator(game, time_step=1 / config.payoff_shift, start=start)
    return ReplicatorDynamics(
        game, payoff_shift=config.payoff_shift, order=config.order, floor=config.floor, start=start
    )


def draw_profile(game: SequenceForm, seed: int) -> Profile:
    """Return a random profile whose action probabilities at each information set are uniform on the simplex.

    Parameters
    ----------
    game : SequenceForm
        The game.
    seed : int
        The seed of the random numbers.

    Returns
    -------
    Profile
        The profile of all players. Information sets are drawn in the order of the game, independently of each other.
    """
    generator = random_stream(seed, "start")  # the random numbers of starting profiles
    probabilities_by_infoset = []
    for num_actions in game.num_actions:
        # The Dirichlet distribution whose parameters are all 1 is the uniform one.
        probabilities_by_infoset.append(generator.dirichlet(np.ones(num_actions)))
    return Profile(game, np.concatenate(probabilities_by_infoset))


def make_columns(solver: ReplicatorDynamics | ContinuousReplicator) -> tuple[Column, ...]:
    """Return the columns that a run of replicator dynamics records, for the average profile and for the current one.

    The average profile at iteration t covers x(1) to x(t). The current profile is the paper's x(t), which is the
    `last_iterate` of a state. Its attribute `current` is already x(t + 1).

    Parameters
    ----------
    solver : ReplicatorDynamics or ContinuousReplicator
        The solver of the run.

    Returns
    -------
    tuple of Column
        For each measure there is a column that ends with '_average' and one that ends with '_current'. The measures are
        those of Lanctot (2014, section 4): `nash_conv`, `epsilon` and `performance`. Two more depend on the game:

        - `difference`, the performance difference, in games of two players. The paper's curve of the performance in
          Kuhn poker seems to show it.
        - `distance`, the distance from the known equilibria in Kuhn poker of three players. It is taken over the
          probabilities of player 2 that all known equilibria share. The paper does not say which probabilities it
          takes, but these give its late values.
    """
    game = solver.game
    chips = game.unit.plural
    columns = [
        *make_profile_columns(game, "nash_conv", "NashConv", chips, metrics.nash_conv),
        *make_profile_columns(game, "epsilon", "epsilon", chips, metrics.epsilon),
        *make_profile_columns(game, "performance", "performance", chips, metrics.performance),
    ]
    if game.num_players == 2:
        columns += make_profile_columns(
            game, "difference", "performance difference", chips, compute_performance_difference
        )

    if game.name == "KP(3)":
        columns += make_profile_columns(
            game, "distance", "distance", "", measure_distance_of_player_2
        )

    return tuple(columns)


def make_profile_columns(
    game: SequenceForm,
    name: str,
    label: str,
    unit: str,
    measure: Callable[[SequenceForm, Profile], float],
) -> list[Column]:
    """Return two columns, which record a measure of the average profile and of the current one.

    Parameters
    ----------
    game : SequenceForm
        The game of the run.
    name : str
        The names of the columns without '_average' and '_current'.
    label : str
        The name of the measure in figures and tables.
    unit : str
        The unit of the measure.
    measure : callable
        A function of the game and a profile that returns the measure.

    Returns
    -------
    list of two Columns
        The columns `<name>_average` and `<name>_current`, in this order.
    """

    def measure_state(profile_kind: str, state: DynamicsState) -> float:
        """Return the measure of the 'average' or the 'current' profile of a state."""
        return measure(game, select_profile(state, profile_kind))

    columns = []
    for profile_kind in ("average", "current"):
        measure_profile = partial(measure_state, profile_kind)
        description = f"{label} of the {profile_kind} profile"
        columns.append(Column(f"{name}_{profile_kind}", description, unit, measure_profile))
    return columns


def select_profile(state: DynamicsState, profile_kind: str) -> Profile:
    """Return the average or the current profile of a state of learning dynamics after t iterations.

    Parameters
    ----------
    state : DynamicsState
        The state.
    profile_kind : {'average', 'current'}
        The average covers the profiles x(1) to x(t). The current profile is x(t), with which iteration t began, as in
        Lanctot (2014).

    Returns
    -------
    Profile
        The profile of all players.

    Raises
    ------
    UnknownNameError
        If `profile_kind` is another text.
    """
    UnknownNameError.check("profile", profile_kind, ("average", "current"))
    return state.last_iterate if profile_kind == "current" else state.average


def compute_performance_difference(game: SequenceForm, profile: Profile) -> float:
    """Return how much more player 2 wins than player 1, each against an opponent who chooses uniformly at random.

    It is u_2(b_1, sigma_2) - u_1(sigma_1, b_2). Here sigma is the profile, b is the uniform profile, and u_i is the
    expected payoff of player i. Eq. 11 of Lanctot (2014) defines the performance as the sum of what both players win
    against b. But the paper's curve for Kuhn poker begins at the value of the difference.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of two players.
    profile : Profile
        The profile sigma.

    Returns
    -------
    float
        The difference, in the game's unit.
    """
    baseline = game.uniform()
    first_payoff = game.values(baseline.replace(0, profile))[0]
    second_payoff = game.values(baseline.replace(1, profile))[1]
    return float(second_payoff - first_payoff)


def measure_distance_of_player_2(game: SequenceForm, profile: Profile) -> float:
    """Return how far player 2 is from all known equilibria of three-player Kuhn poker.

    `measure_distance_from_fixed_probabilities` defines the distance. Here it is computed from the probabilities of
    player 2 only, the player with index 1.

    Parameters
    ----------
    game : SequenceForm
        Not used. It is only there because all measures of a run have it.
    profile : Profile
        A profile of three-player Kuhn poker.

    Returns
    -------
    float
        The distance, which is zero if player 2 has the fixed probabilities of the equilibria.
    """
    return measure_distance_from_fixed_probabilities(profile, player=1)


@lru_cache(maxsize=8)
def find_bet_indices(game: SequenceForm) -> Ints:
    """Return the indices of the probabilities to bet or call in a profile of three-player Kuhn poker.

    The index of passing or folding is one less.

    The indices of the last eight games are kept in memory, so the returned array must not be changed.

    Parameters
    ----------
    game : SequenceForm
        Kuhn poker for three players, KP(3).

    Returns
    -------
    array of int of shape (3, 4, 4)
        The indices in `Profile.probabilities` by player, card (`CARDS`) and betting history (`SITUATIONS`): of three
        players, four cards and the four histories after which a player acts.

    Raises
    ------
    GameError
        If the game is not KP(3).
    """
    if game.fingerprint != games.kuhn(3).fingerprint:
        raise GameError(
            f"the known family consists of equilibria of KP(3); this is {game.name}. Use pokerlab.games.kuhn(3)."
        )
    infosets = np.zeros((len(SITUATIONS), len(CARDS), len(SITUATIONS[0])), np.int64)
    for player, situations in enumerate(SITUATIONS):
        for card_index, card in enumerate(CARDS):
            for situation_index, betting in enumerate(situations):
                label = f"{card}, {betting}" if betting else card
                infosets[player, card_index, situation_index] = game.find_infoset(player, label)

    # Profiles have no entries for the players' empty sequences, and passing comes before betting.
    return np.asarray(game.first_sequence[infosets] - game.num_players + 1)


def select_bet_probabilities(profile: Profile) -> Floats:
    """Return the probabilities to bet or call of a profile of three-player Kuhn poker.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker.

    Returns
    -------
    array of shape (3, 4, 4)
        The probabilities by player, card (`CARDS`) and betting history (`SITUATIONS`), each from 0 to 1.

    Raises
    ------
    GameError
        If the profile is of another game.
    """
    return profile.probabilities[find_bet_indices(profile.game)]


def measure_distance_from_fixed_probabilities(profile: Profile, player: int | None = None) -> float:
    """Return how far a profile of three-player Kuhn poker is from the probabilities that all known equilibria share.

    Of the 48 probabilities to bet or call, one for each information set, 38 are the same in all known equilibria
    (`FIXED_PROBABILITIES`; Szafron, Gibson & Sturtevant 2013). The Euclidean distance is taken over these. It is at
    most the distance to the nearest known equilibrium.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker.
    player : int, optional
        The player over whose probabilities the distance is taken: 16, 10 and 12 of them for players 0, 1 and 2. By
        default it is taken over the probabilities of all players.

    Returns
    -------
    float
        The distance.

    Raises
    ------
    GameError
        If the profile is of another game.
    """
    if player is not None:
        profile.game.check_player(player)
    differences = select_bet_probabilities(profile) - FIXED_PROBABILITIES
    selected_differences = differences if player is None else differences[player]
    is_fixed = ~np.isnan(selected_differences)
    return float(np.linalg.norm(selected_differences[is_fixed]))


def select_published_numbers(config: Config) -> Sequence[Published]:
    """Return the numbers that Lanctot (2014) prints for a run, which are shown beside its curves.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    sequence of Published
        The numbers for the game of the run. There are none if the paper has no run with these settings.
    """
    # The paper's runs begin at the uniform profile, so the seed does not matter.
    is_run_of_paper = replace(config, seed=1) in FIGURES.values()
    return read_published_numbers(PAPER, config.game) if is_run_of_paper else ()


SCALES = {
    "quick": Config(iterations=10_000, seed=1),
    "lab": Config(iterations=100_000, seed=1),
    "paper": Config(iterations=100_000, seed=1),
}
FIGURES = {
    "KP(2)": Config(seed=1),
    "KP(3)": Config(game="KP(3)", seed=1),
    "KP(4)": Config(game="KP(4)", iterations=10_000, seed=1),
}
"""The three runs of Figures 1 and 2."""
replicator = Experiment(
    "Sequence-form replicator dynamics",
    Config,
    SCALES,
    make_solver,
    make_columns,
    select_published_numbers,
    paper={
        "Figure 1: KP(2)": FIGURES["KP(2)"],
        "Figure 2, left: KP(3)": FIGURES["KP(3)"],
        "Figure 2, right: KP(4)": FIGURES["KP(4)"],
    },
)
STATES: dict[str, dict[int, DynamicsState]] = {}
"""The states of the runs of the figures that have been computed so far, by game and iteration."""


def compute_state(game: str, iteration: int) -> DynamicsState:
    """Return the state after some iterations of the replicator run that a figure of Lanctot (2014) shows.

    The states are stored, and a later call continues from the nearest earlier one.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The game of the run: Kuhn poker for two, three or four players. Figure 1 shows the first, and Figure 2 the
        others.
    iteration : int
        The number of iterations, 0 or more.

    Returns
    -------
    DynamicsState
        The state after this number of iterations. It is also stored in `STATES`.
    """
    dynamics = make_solver(FIGURES[game])
    states = STATES.setdefault(game, {0: dynamics.init()})
    nearest_iteration = max(t for t in states if t <= iteration)
    states[iteration] = dynamics.step(states[nearest_iteration], iteration - nearest_iteration)
    return states[iteration]


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
