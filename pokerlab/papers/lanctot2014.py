"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc, section 4.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation", AAMAS
2014. `pokerlab.papers.normal_form_dynamics` has the dynamics over mixed strategies that its theorems set beside it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from pokerlab import games, metrics
from pokerlab.core import Checked, Floats, GameError, Ints, seed_setting, setting, stream
from pokerlab.core.settings import unprinted
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.experiment import Experiment, Published, published_numbers
from pokerlab.runs import Column
from pokerlab.solvers import ContinuousReplicator, DynamicsState, ReplicatorDynamics

__all__ = [
    "FIGURES",
    "SCALES",
    "Config",
    "columns",
    "performance_difference",
    "published",
    "random_profile",
    "replicator",
    "solver",
]

PAPER = "lanctot-2014"
GAMES: dict[str, Callable[[], SequenceForm]] = {
    **{f"KP({players})": partial(games.kuhn, players) for players in range(2, 6)},
    "Leduc": games.leduc,
}
CARDS = "JQKA"
SITUATIONS = (
    ("", "pass-pass-bet", "pass-bet-pass", "pass-bet-bet"),
    ("pass", "bet", "pass-pass-bet-pass", "pass-pass-bet-bet"),
    ("pass-pass", "pass-bet", "bet-pass", "bet-bet"),
)
"""What each player has seen when it is the player's turn, in three-player Kuhn poker."""
FREE = np.nan
FIXED = np.array(
    [
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1 / 2, 0], [0, 1, 1, 1]],
        [[FREE, 0, 0, 0], [FREE, 0, FREE, 0], [0, FREE, FREE, 0], [FREE, 1, 1, 1]],
        [[FREE, 0, 0, 0], [FREE, 0, 0, 0], [0, 0, FREE, FREE], [1, 1, 1, 1]],
    ]
)
"""The chances to bet or call that all known equilibria share, by player, card and situation; NaN where they differ.

Szafron, Gibson & Sturtevant (2013) derived them; `nearest_member` in the studies has the whole family.
"""


@dataclass(frozen=True, kw_only=True)
class Config(Checked):
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
    floor: float = unprinted(
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


def solver(config: Config) -> ReplicatorDynamics | ContinuousReplicator:
    """Return the replicator that `config` describes."""
    game = GAMES[config.game]()
    start = random_profile(game, config.seed) if config.start == "random" else None
    if config.order == "continuous":
        return ContinuousReplicator(game, time_step=1 / config.payoff_shift, start=start)
    return ReplicatorDynamics(
        game, payoff_shift=config.payoff_shift, order=config.order, floor=config.floor, start=start
    )


def random_profile(game: SequenceForm, seed: int) -> Profile:
    """Return a profile drawn evenly from each information set's simplex."""
    rng = stream(seed, "start")
    return Profile(
        game, [p for k in game.num_actions for p in rng.dirichlet([1.0] * int(k)).tolist()]
    )


def columns(solver: ReplicatorDynamics | ContinuousReplicator) -> tuple[Column, ...]:
    """Return what section 4 measures, of the average and of the current profile, the paper's x(t).

    At iteration t the average covers x(1) to x(t), and x(t) is the state's `last_iterate`; its `current` is already
    x(t + 1). With two players also the difference that the paper's curve for KP(2) seems to show instead of the
    performance. In KP(3) also the distance to the known equilibria, over player 2's fixed chances: the paper does not
    say which probabilities it takes, but these give its late values.
    """
    game = solver.game
    chips = game.unit.plural
    measures: list[tuple[str, str, str, Callable[[SequenceForm, Profile], float]]] = [
        ("nash_conv", "NashConv", chips, metrics.nash_conv),
        ("epsilon", "epsilon", chips, metrics.epsilon),
        ("performance", "performance", chips, metrics.performance),
    ]
    if game.num_players == 2:
        measures.append(("difference", "performance difference", chips, performance_difference))
    if game.name == "KP(3)":
        measures.append(("distance", "distance", "", lambda _, profile: fixed_distance(profile, 1)))

    def column(which: str, name: str, label: str, unit: str, measure: Any) -> Column:
        return Column(
            f"{name}_{which}",
            f"{label} of the {which} profile",
            unit,
            lambda state: measure(game, profile_of(state, which)),
        )

    return tuple(column(which, *about) for about in measures for which in ("average", "current"))


def profile_of(state: DynamicsState, which: str) -> Profile:
    """Return the 'average' profile of a state at iteration t, or the 'current' one, the paper's x(t)."""
    return state.last_iterate if which == "current" else state.average


def performance_difference(game: SequenceForm, profile: Profile) -> float:
    """Return u_2(b_1, sigma_2) - u_1(sigma_1, b_2) in a two-player game, b uniform.

    Eq. 11 adds what the players win against the baseline; subtracted instead, it begins where the
    paper's curve for KP(2) does.
    """
    baseline = game.uniform()
    first = game.values(baseline.replace(0, profile))[0]
    second = game.values(baseline.replace(1, profile))[1]
    return float(second - first)


@lru_cache(maxsize=8)
def bet_positions(game: SequenceForm) -> Ints:
    """Return where the chances to bet or call stand in a profile of KP(3), (3, 4, 4).

    Those to pass or fold stand one before.
    """
    if game.fingerprint != games.kuhn(3).fingerprint:
        raise GameError(
            f"the known family consists of equilibria of KP(3); this is {game.name}. Use pokerlab.games.kuhn(3)."
        )
    infosets = [
        [
            [game.infoset(player, f"{card}, {seen}" if seen else card) for seen in seen_by]
            for card in CARDS
        ]
        for player, seen_by in enumerate(SITUATIONS)
    ]
    return np.asarray(game.first_sequence[np.array(infosets)] - game.num_players + 1)


def chances_of(profile: Profile) -> Floats:
    """Return a profile's chances to bet or call, by player, card and situation, (3, 4, 4)."""
    return profile.probabilities[bet_positions(profile.game)]


def fixed_distance(profile: Profile, player: int | None = None) -> float:
    """Return how far a profile of KP(3) is from the chances that all known equilibria share.

    Euclidean, over the chances to bet or call: one number for each information set. These are 38, or, for
    one `player` (0-based), 16, 10 and 12. It is a lower bound of the distance to the nearest equilibrium.
    """
    if player is not None:
        profile.game.check_player(player)
    away = chances_of(profile) - FIXED
    chosen = away if player is None else away[player]
    return float(np.linalg.norm(chosen[~np.isnan(chosen)]))


def published(config: Config) -> Sequence[Published]:
    """Return the paper's numbers for the game of `config`, if this is the paper's run of it."""
    is_paper_s = replace(config, seed=1) in FIGURES.values()
    return published_numbers(PAPER, config.game) if is_paper_s else ()


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
    solver,
    columns,
    published,
    paper={
        "Figure 1: KP(2)": FIGURES["KP(2)"],
        "Figure 2, left: KP(3)": FIGURES["KP(3)"],
        "Figure 2, right: KP(4)": FIGURES["KP(4)"],
    },
)
STATES: dict[str, dict[int, DynamicsState]] = {}
"""States of the figures' runs that have been asked for, by iteration."""


def state_at(game: str, iteration: int) -> DynamicsState:
    """Return the state of a figure's run after some iterations, going on from the nearest known one."""
    dynamics = solver(FIGURES[game])
    known = STATES.setdefault(game, {0: dynamics.init()})
    before = max(t for t in known if t <= iteration)
    known[iteration] = dynamics.step(known[before], iteration - before)
    return known[iteration]
