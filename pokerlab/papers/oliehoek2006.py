"""Oliehoek, de Jong & Vlassis (2006): the Parallel Nash Memory in one-card and two-round poker, section 6.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006.

The paper's iteration (Figure 2) first finds best responses to the present mixtures, and then solves the linear
program. So its iteration t measures mixtures over t strategies, which are the mixtures of our memory after round t - 1.
Then the paper's linear program has t + 1 strategies (footnote 6).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab import games, solvers
from pokerlab.core import CheckedSettings, random_stream, seed_setting, setting
from pokerlab.core.old_names import reject_missing_name
from pokerlab.games import Profile, SequenceForm, compound
from pokerlab.papers.experiment import Experiment, Published, read_published_numbers
from pokerlab.runs import Column
from pokerlab.solvers import NashMemory, ParallelNashMemory
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.search_heuristics import (
    SearchHeuristic,
    make_pure_behavior,
    validate_proposed_behavior,
)
from pokerlab.solvers.subgame import InteriorPointProgram, SubgameSolver

__all__ = [
    "FIGURE_3",
    "GAMES",
    "HEURISTICS",
    "PROGRAMS",
    "STARTS",
    "TIES",
    "UNREACHED",
    "Config",
    "count_parallel_and_naive_rounds",
    "make_solver",
    "nash_memory",
    "select_published_numbers",
]

PAPER = "oliehoek-2006"
GAMES: dict[str, Callable[[], SequenceForm]] = {
    "rock-paper-scissors": games.rock_paper_scissors,
    "Kuhn poker": games.kuhn,
    "8-card poker": partial(games.one_card_poker, 8),
    "13-card poker": partial(games.one_card_poker, 13),
    "6-card poker, ranks": games.two_round_poker,
    "6-card poker, paired": partial(games.two_round_poker, "paired"),
    "Leduc": games.leduc,
}
HEURISTICS = ("best response", "evolution", "random search")
UNREACHED = ("uniform", "first", "random", "memory")
TIES = ("first", "evenly")
PROGRAMS = ("simplex", "interior point")
STARTS = ("first action", "last action", "random", "heuristic", "uniform")
open_setting = partial(setting, silent=True, rare=True)  # a setting on which the paper says nothing
TREMBLE = 1e-6
"""The probability that is divided equally among all stored strategies before best responses to a mixture are found, so
that no stored strategy has probability zero."""
MAX_ROUNDS = 1000
"""The number of rounds after which a memory is stopped if it has not converged, when rounds are counted."""


@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
    """Settings of one memory; the defaults are the paper's 8-card poker as far as its text describes it.

    What the text leaves open can be read from the curves of its Figure 3: `FIGURE_3`.
    """

    game: str = setting(
        "8-card poker",
        "The paper has 8-card poker and a two-round game of six cards; by its Figure 3 they are six ranks.",
        source="section 6; the other games: ours",
        choices=tuple(GAMES),
    )
    heuristic: str = setting(
        "best response",
        "Where tests come from: the exact best response, or searches that find it now and then.",
        source="section 5",
        choices=HEURISTICS,
    )
    unreached: str = open_setting(
        "uniform",
        "What a best response does where the opponent's mix never leads; the paper's text does not say. 'memory':"
        " what is best if the opponent trembles to every stored strategy, as the curves of its Figure 3 have it.",
        label="Unreached sets",
        choices=UNREACHED,
        needs=lambda config: config.heuristic != "evolution",
    )
    ties: str = open_setting(
        "first",
        "Which of several best actions a best response takes: the first, or, as in Figure 3, all equally often.",
        choices=TIES,
        needs=lambda config: config.heuristic != "evolution",
    )
    program: str = open_setting(
        "simplex",
        "How the linear program is solved: to a corner of the optimal mixes, or to their middle.",
        choices=PROGRAMS,
    )
    start: str = open_setting(
        "first action",
        "The first strategies: always check or fold, always bet or call, drawn from the seed; as Ficici"
        " proposes (footnote 1), what the heuristic finds against players who choose at random; or, as in Figure 3,"
        " players who choose at random.",
        choices=STARTS,
    )
    iterations: int = setting(
        149,
        "When the memory stops, unless it has converged; the paper's iteration 150 measures round 149.",
        label="Rounds",
        source="section 6.2",
        log=(1, 1000),
    )
    seed: int = seed_setting(
        "Decides everything random: searches, slips, a random start.",
        needs=lambda config: (
            config.heuristic != "best response" or "random" in (config.unreached, config.start)
        ),
    )


def make_solver(config: Config) -> ParallelNashMemory:
    """Return the Parallel Nash Memory that a Config describes.

    Parameters
    ----------
    config : Config
        The settings of a run: the game, the search heuristic, the linear program and the first strategies.

    Returns
    -------
    ParallelNashMemory
        The solver of the Config's game.
    """
    game = GAMES[config.game]()
    subgame: SubgameSolver
    if config.program == "simplex":
        subgame = solvers.ZeroSumProgram()
    else:
        subgame = InteriorPointProgram()

    return ParallelNashMemory(
        game,
        heuristic=make_heuristic(config),
        subgame=subgame,
        start=make_start_profile(game, config),
        tremble=TREMBLE if config.unreached == "memory" else 0.0,
    )


def make_heuristic(config: Config) -> SearchHeuristic:
    """Return the search heuristic of a Config, which finds the strategies that are added to the memory.

    It is the best response, an evolutionary search, or a random search (Oliehoek, de Jong & Vlassis 2006, section 5).

    Parameters
    ----------
    config : Config
        The settings of a run.

    Returns
    -------
    SearchHeuristic
        A best response, an evolutionary search or a random search, with the Config's seed.
    """
    # With 'memory' the memory itself gives every stored strategy a small weight, so few sets are unreached.
    unreached = "first" if config.unreached == "memory" else config.unreached
    best_response = solvers.BestResponse(unreached=unreached, ties=config.ties, seed=config.seed)
    match config.heuristic:
        case "evolution":
            return solvers.EvolutionarySearch(seed=config.seed)
        case "random search":
            return solvers.RandomSearch(seed=config.seed, best_response=best_response)
        case _:
            return best_response


def make_start_profile(game: SequenceForm, config: Config) -> Profile:
    """Return the first strategies of both players of a memory, which the setting `start` of a Config describes.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    config : Config
        The settings of a run.

    Returns
    -------
    Profile
        The strategies. They are pure, except if the start is 'uniform', or if it is 'heuristic' and the heuristic does
        not find pure strategies.
    """
    if config.start == "uniform":
        return game.uniform()
    if config.start == "heuristic":
        # What the heuristic finds against players who choose at random.
        uniform_memory = ParallelNashMemory(game, start=game.uniform()).init()
        heuristic = make_heuristic(config)
        behavior = validate_proposed_behavior(
            heuristic, game, heuristic(uniform_memory), pure=False
        )
        return Profile(game, behavior)

    actions_by_start = {
        "first action": np.zeros_like(game.num_actions),
        "last action": game.num_actions - 1,
        "random": random_stream(config.seed, "start").integers(game.num_actions),
    }
    actions = actions_by_start[config.start]  # one at each information set
    return Profile(game, make_pure_behavior(game, actions))


def count_parallel_and_naive_rounds(setting: Mapping[str, Any]) -> dict[str, int]:
    """Run two kinds of Nash memory from the same random start, and return the rounds that they need to converge.

    The parallel memory stores strategies of each player. The naive memory (section 4.1) makes the game symmetric: it
    stores compound strategies, which have a part for each seat. The paper has no experiment on it. `runs.sweep` can
    measure this function.

    Parameters
    ----------
    setting : mapping
        'game' is one of `GAMES`, and 'seed' is the seed of the random start.

    Returns
    -------
    dict of str to int
        The numbers of rounds, as 'parallel' and 'naive'.
    """
    game = GAMES[setting["game"]]()
    compound_game = compound(game)
    start = make_start_profile(game, Config(start="random", seed=setting["seed"]))
    memories: dict[str, Any] = {
        "parallel": ParallelNashMemory(game, start=start),
        "naive": NashMemory(compound_game, start=compound_game.make_strategy(start)),
    }

    rounds = {}
    for name, memory in memories.items():
        end = memory.step(memory.init(), MAX_ROUNDS)  # it stops as soon as it has converged
        rounds[name] = end.iteration
    return rounds


def make_columns(solver: ParallelNashMemory) -> tuple[Column, ...]:
    """Return the columns that a run of a Parallel Nash Memory records, which Figure 3 and section 6 report.

    Parameters
    ----------
    solver : ParallelNashMemory
        The memory that is run.

    Returns
    -------
    tuple of Column
        The columns are:

        - `security_level_1` and `security_level_2`, the players' security levels. A security level is what a player's
          mixture wins at least, which the paper calls worst-case payoff.
        - `security_level_sum`, the sum of these. It is minus NashConv, since the players' values sum to zero.
        - `value`, the value of the subgame of all stored strategies to player 1.
        - `nash_conv`, NashConv of the mixtures.
        - `support_1` and `support_2`, the numbers of strategies in use.
        - `pool_1` and `pool_2`, the numbers of strategies stored.
    """
    unit = solver.game.unit.plural
    return (
        *make_player_columns("security_level", unit, lambda state: state.security_levels),
        Column(
            "security_level_sum",
            "sum of the security levels",
            unit,
            lambda state: sum(state.security_levels),
        ),
        Column("value", "value of the subgame", unit, lambda state: state.value),
        Column("nash_conv", "NashConv", unit, lambda state: state.gains.sum()),
        *make_player_columns("support", "strategies", lambda state: state.support_sizes),
        *make_player_columns("pool", "strategies", lambda state: state.pool_sizes),
    )


def make_player_columns(
    name: str, unit: str, measure: Callable[[ParallelMemoryState], Sequence[float]]
) -> list[Column]:
    """Return two columns, `<name>_1` and `<name>_2`, which record a measure of player 1 and of player 2.

    Parameters
    ----------
    name : str
        The name of the measure.
    unit : str
        The unit of the measure.
    measure : callable
        A function of a state that returns the values of both players.

    Returns
    -------
    list of two Columns
        The column of player 1 and then the column of player 2.
    """

    def measure_player(player: int, state: ParallelMemoryState) -> float:
        """Return the value of the measure for one player in a state."""
        return measure(state)[player]

    label = name.replace("_", " ")
    return [
        Column(
            f"{name}_{player + 1}",
            f"{label} of player {player + 1}",
            unit,
            partial(measure_player, player),
        )
        for player in (0, 1)
    ]


def select_published_numbers(config: Config) -> Sequence[Published]:
    """Return the numbers that Oliehoek, de Jong & Vlassis (2006) print for the game of a run.

    The paper's iteration t measures our round t - 1, which is the iteration of the returned numbers. The paper found
    them with best responses. It does not say which 6-card deck it has, so they are returned for both decks.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    sequence of Published
        The numbers. There are none if the search heuristic is not the best response.
    """
    if config.heuristic != "best response":
        return ()
    game_in_file = config.game.split(",")[0]  # '6-card poker' for both decks
    numbers = read_published_numbers(PAPER, game_in_file)
    return [number._replace(iteration=number.iteration - 1) for number in numbers]


SCALES = {
    "quick": Config(iterations=50, seed=1),
    "lab": Config(game="6-card poker, ranks", iterations=149, seed=1),
    "paper": Config(seed=1),
}
FIGURE_3 = {
    game: Config(
        game=game,
        unreached="memory",
        ties="evenly",
        program="interior point",
        start="uniform",
        seed=1,
    )
    for game in ("8-card poker", "6-card poker, ranks", "6-card poker, paired")
}
"""The settings that give the upper curves of the two panels of Figure 3; the lower panel has settings for both
decks."""
nash_memory = Experiment(
    "Parallel Nash Memory",
    Config,
    SCALES,
    make_solver,
    make_columns,
    select_published_numbers,
    per_decade=1000,
    paper={
        f"Figure 3: {game.replace('-card poker', ' cards')}": config
        for game, config in FIGURE_3.items()
    },
)


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
