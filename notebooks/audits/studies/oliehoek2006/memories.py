"""Oliehoek et al. (2006): what the text leaves open, where a memory's time goes, and a memory with estimated payoffs.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006. A *memory* stores
strategies and mixes them by a linear program. Settings of memories go in. Their security levels and sizes, seconds, or
NashConv come out.

A memory whose payoffs are estimated is what section 8 proposes for future work: "Approximate methods could be used for
both solving the POMDP and evaluating the rewards." Approximate best responses are found by search heuristics, such as
`EvolutionarySearch`. Here the rewards are approximate. Each entry of the memory's payoff matrix is the mean of some
hands that the two strategies play. How safe the resulting mixtures are is still measured exactly.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pokerlab import games, reference, solvers
from pokerlab.core import random_stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.symmetric import Strategies
from pokerlab.papers.oliehoek2006 import (
    GAMES,
    PROGRAMS,
    STARTS,
    UNREACHED,
    Config,
    make_solver,
    nash_memory,
)
from pokerlab.runs import History, sweep
from pokerlab.solvers import ParallelNashMemory
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.subgame_payoffs import compute_own_reach

UNREACHED_RULES = tuple(rule for rule in UNREACHED if rule != "memory")
"""The rules for best responses at information sets that the opponent's mixture never reaches, as far as the text allows
them. The rule 'memory' is not among them, because it was read from Figure 3."""
PURE_STARTS = tuple(start for start in STARTS if start != "uniform")
"""The first strategies that a memory of pure strategies can have. The text speaks of no others, but Figure 3 shows
one."""
MEASURED_ROUNDS = (149, 150)
"""The rounds after which a 6-card memory is measured: with the paper's 150 strategies, and one round later."""
OPEN_PROGRAMS: dict[str, tuple[str, ...]] = {
    "8-card poker": PROGRAMS,
    "6-card poker, ranks": ("simplex",),
    "6-card poker, paired": ("simplex",),
}
"""The linear programs that are tried in each game. With six cards they do not differ."""
NUM_RANDOM_STARTS = {"8-card poker": 200, "6-card poker, ranks": 30, "6-card poker, paired": 30}
"""The number of random starts that are tried in each game, with the seeds 0, 1, ..."""
SMALLEST_IMPROVEMENT = 1e-9
"""The gain of a best response up to which a memory is said to have converged to an equilibrium."""
MAX_ROUNDS_WITH_COMMON_PAYOFFS = 50
"""The number of rounds within which a memory converges if both players have the same payoffs."""
MAX_SAMPLED_ROUNDS = 200
"""The largest number of rounds of a memory with sampled payoffs."""


def list_configs_of_open_choices() -> list[Config]:
    """Return the settings of a Parallel Nash Memory for each combination of choices that the text leaves open.

    These choices are the rule for best responses at information sets that the opponent never reaches, the kind of
    linear program, and the first strategies.

    Returns
    -------
    list of Config
        The settings, ordered by games, rules, programs and starts.
    """
    configs = []
    for game, programs in OPEN_PROGRAMS.items():
        # Only a random start depends on the seed.
        simple_starts = [(start, 0) for start in PURE_STARTS if start != "random"]
        random_starts = [("random", seed) for seed in range(NUM_RANDOM_STARTS[game])]
        for rule, program in product(UNREACHED_RULES, programs):
            for start, seed in simple_starts + random_starts:
                configs.append(
                    Config(game=game, unreached=rule, program=program, start=start, seed=seed)
                )
    return configs


def record_memories_by_open_choice(
    configs: Iterable[Config] | None = None, *, workers: int = 1
) -> History:
    """Run a Parallel Nash Memory with each combination of choices that the text leaves open, and return measurements.

    All memories take some minutes.

    Parameters
    ----------
    configs : iterable of Config, optional
        The settings of the memories. By default those of `list_configs_of_open_choices`.
    workers : int
        The number of processes.

    Returns
    -------
    History
        Two rows for each memory, after the rounds of `MEASURED_ROUNDS`, with the columns of the experiment
        `nash_memory`. A memory that has converged before has the same row twice.
    """
    measured_configs = list_configs_of_open_choices() if configs is None else list(configs)
    record_rows = partial(nash_memory.record_rows, at=MEASURED_ROUNDS)
    return sweep(record_rows, measured_configs, workers=workers)


class TimeSpent(NamedTuple):
    """How many seconds each part of a Parallel Nash Memory's run took.

    Attributes
    ----------
    best_responses : float
        The seconds for finding best responses and measuring their gains.
    payoffs : float
        The seconds for computing the payoffs of new strategies.
    linear_programs : float
        The seconds for solving the subgames, which mix the stored strategies.
    sequence_form : float
        The seconds for solving the whole game by the linear program of its sequence form, for comparison.
    state : ParallelMemoryState
        The state at the end of the run.
    """

    best_responses: float
    payoffs: float
    linear_programs: float
    sequence_form: float
    state: ParallelMemoryState


def measure_computing_time(config: Config, *, trials: int = 3) -> TimeSpent:
    """Return how many seconds each part of a Parallel Nash Memory's run takes, the smallest of several runs.

    Oliehoek et al. (2006, section 8) say that most of the time goes into the search for best responses, and little into
    linear programs.

    Parameters
    ----------
    config : Config
        The settings of the memory.
    trials : int
        The number of runs, at least one.

    Returns
    -------
    TimeSpent
        For each part the smallest number of seconds of all runs, and the last state of the first run.
    """
    times = [measure_computing_time_once(config) for _ in range(max(trials, 1))]
    return TimeSpent(
        best_responses=min(time_spent.best_responses for time_spent in times),
        payoffs=min(time_spent.payoffs for time_spent in times),
        linear_programs=min(time_spent.linear_programs for time_spent in times),
        sequence_form=min(time_spent.sequence_form for time_spent in times),
        state=times[0].state,
    )


def measure_computing_time_once(config: Config) -> TimeSpent:
    """Run a Parallel Nash Memory once, and return how many seconds each part of the run took.

    The run ends after `config.iterations` rounds, or when the memory has converged.

    Parameters
    ----------
    config : Config
        The settings of the memory.
    """
    memory = make_solver(config)
    memory.step(memory.init(), 2)  # loads libraries and compiles kernels, which is not measured

    state = memory.init()
    seconds_of_search = seconds_of_payoffs = seconds_of_programs = 0.0
    # These are the parts of a round of `memory.step`, with the time between them.
    while state.iteration < config.iterations and not state.converged:
        begin = time.perf_counter()
        best_responses = memory.propose_test_strategies(state)
        is_better = memory.measure_gain(state, best_responses) > memory.least_gain
        after_search = time.perf_counter()
        seconds_of_search += after_search - begin
        if not is_better:
            state = replace(state, iteration=state.iteration + 1)
            continue

        enlarged_state = memory.add_test_strategies(state, best_responses)
        after_payoffs = time.perf_counter()
        state = memory.complete_round(enlarged_state)
        after_program = time.perf_counter()
        seconds_of_payoffs += after_payoffs - after_search
        seconds_of_programs += after_program - after_payoffs

    begin = time.perf_counter()
    solvers.SequenceFormLP(memory.game).solve()
    seconds_of_sequence_form = time.perf_counter() - begin
    return TimeSpent(
        best_responses=seconds_of_search,
        payoffs=seconds_of_payoffs,
        linear_programs=seconds_of_programs,
        sequence_form=seconds_of_sequence_form,
        state=state,
    )


def estimate_time_of_reference_best_responses(spent: TimeSpent) -> float:
    """Return how many seconds a memory's best responses would take with the slow program of `pokerlab.reference`.

    That program follows the definition in plain Python. One best response to the last mixtures is timed, and multiplied
    by two players and the number of rounds.

    Parameters
    ----------
    spent : TimeSpent
        The times of a run, of which only the last state is used.
    """
    state = spent.state
    begin = time.perf_counter()
    reference.best_response(state.game.rules, state.profile.to_table(), 0)
    seconds_of_one_response = time.perf_counter() - begin
    num_players = 2
    return seconds_of_one_response * num_players * state.iteration


def run_memory_with_common_payoffs(
    payoffs: Floats, first_row: int = 0, first_column: int = 0
) -> float:
    """Run a Parallel Nash Memory in a game with the same payoffs for both players, and return the payoff at its end.

    Oliehoek et al. (2006, section 7) apply the memory to such games. Here the memory uses the best pair of stored
    strategies as its mixtures.

    Parameters
    ----------
    payoffs : array of shape (N, N)
        The payoff of both players for each row and column.
    first_row, first_column : int
        The pure strategies with which the memory begins.

    Returns
    -------
    float
        The payoff of the equilibrium to which the memory converges.

    Raises
    ------
    AssertionError
        If the memory does not converge to an equilibrium within 50 rounds.
    """
    game = games.identical_payoffs(payoffs.tolist())
    pure_strategies = np.eye(len(payoffs))
    first_strategies = [pure_strategies[first_row], pure_strategies[first_column]]
    start = Profile(game, np.concatenate(first_strategies))
    memory = ParallelNashMemory(game, subgame=solvers.BestPureProfile(), start=start)
    end = memory.step(memory.init(), MAX_ROUNDS_WITH_COMMON_PAYOFFS)
    assert end.converged
    assert end.gains.max() <= SMALLEST_IMPROVEMENT
    return end.value


def follow_best_pairs_without_memory(payoffs: Floats, row: int, column: int) -> float:
    """Let two players with the same payoffs respond to each other without a memory, and return the payoff at the end.

    In each round each player finds the best response to the other's strategy, and both take the best pair of their old
    and new strategies. They stop when no pair is better. Oliehoek et al. (2006, section 7) compare a memory with this
    coordinate ascent.

    Parameters
    ----------
    payoffs : array of shape (N, N)
        The payoff of both players for each row and column.
    row, column : int
        The first pure strategies of the two players.
    """

    def get_payoff(pair: tuple[int, int]) -> float:
        """Return the payoff of a pair of a row and a column."""
        return float(payoffs[pair])

    while True:
        best_row = int(payoffs[:, column].argmax())
        best_column = int(payoffs[row].argmax())
        pairs = product((row, best_row), (column, best_column))
        best_pair = max(pairs, key=get_payoff)
        if payoffs[best_pair] <= payoffs[row, column]:
            return float(payoffs[row, column])
        row, column = best_pair


class SampledMemory(ParallelNashMemory):
    """A Parallel Nash Memory that estimates the payoffs of stored strategies by hands that they play.

    Best responses are exact. The memory converges when it already contains the best responses, because then only better
    estimates could change the mixtures.

    Parameters
    ----------
    game : SequenceForm
        A compiled two-player game.
    hands : int
        The number of hands that each pair of strategies plays, once.
    seed : int
        Decides the cards.
    """

    def __init__(self, game: SequenceForm, *, hands: int, seed: int) -> None:
        super().__init__(game)
        self.hands = validate_integer("hands", hands, 1, LARGEST_COUNT)
        self.seed = seed

    def init(self) -> ParallelMemoryState:
        """Return the state before the first round, with the sampled payoffs of the first strategies."""
        state = super().init()
        payoffs = self.sample_payoffs(state.payoffs, state.pools, known=(0, 0))
        return replace(state, payoffs=payoffs)

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the memory's state with more stored strategies, and with sampled payoffs of the new pairs.

        Parameters
        ----------
        state : ParallelMemoryState
            The state before. It is not changed.
        pools : tuple of two Strategies
            The stored strategies of each player, the old ones first.

        Returns
        -------
        ParallelMemoryState
            A new state, in which the new strategies have probability 0.
        """
        enlarged_state = super().extend_pools(state, pools)
        payoffs = self.sample_payoffs(enlarged_state.payoffs, pools, known=state.pool_sizes)
        return replace(enlarged_state, payoffs=payoffs)

    def sample_payoffs(
        self, payoffs: Floats, pools: tuple[Strategies, ...], known: tuple[int, ...]
    ) -> Floats:
        """Return the payoffs of all pairs of stored strategies, where those of new pairs are estimated by hands.

        Each new pair plays `hands` hands, and its payoffs are the means over these hands.

        Parameters
        ----------
        payoffs : array of shape (2, K_1, K_2)
            Both players' payoffs for each pair of stored strategies. Those of known pairs are kept.
        pools : tuple of two Strategies
            The stored strategies of each player, K_1 and K_2 of them.
        known : tuple of two ints
            The number of each player's strategies that have been sampled already, which come first.

        Returns
        -------
        array of shape (2, K_1, K_2)
            The payoffs in the game's unit.
        """
        payoffs = payoffs.copy()
        first_reach, second_reach = (
            compute_own_reach(self.game, player, pool) for player, pool in enumerate(pools)
        )
        for row, column in np.ndindex(payoffs.shape[1:]):
            if row < known[0] and column < known[1]:
                continue
            # The probability of each end of the game; hands are drawn among those that can be reached.
            reach = self.game.chance * first_reach[row] * second_reach[column]
            reached_ends = np.flatnonzero(reach)
            probabilities = reach[reached_ends] / reach.sum()

            # The generator depends on the pair only, so that a pair's hands do not depend on when it is sampled.
            generator = random_stream(self.seed, "hands", row, column)
            num_hands_by_end = generator.multinomial(self.hands, probabilities)
            total_payoffs = num_hands_by_end @ self.game.payoff[reached_ends]
            payoffs[:, row, column] = total_payoffs / self.hands
        return payoffs

    def check_gain_is_rounding_error(self, gain: float) -> None:
        """Do nothing, since sampled payoffs are not exact.

        The base class raises an error if stored strategies gain more against the mixtures than rounding can explain.
        Here they may, because the mixtures were computed from estimates.

        Parameters
        ----------
        gain : float
            The gain of stored strategies, in the game's unit.
        """


def run_sampled_memory(setting: Mapping[str, Any]) -> dict[str, float]:
    """Run a Parallel Nash Memory with sampled payoffs, and return how exploitable its last mixtures are.

    The run ends when the memory has converged, and at the latest after 200 rounds (`MAX_SAMPLED_ROUNDS`).

    Parameters
    ----------
    setting : mapping
        'game' is one of `GAMES`, 'hands' the number of hands that each pair of strategies plays, and 'seed' the seed of
        these hands.

    Returns
    -------
    dict of str to float
        'rounds' is the number of rounds. 'converged' is 1 if the memory has converged, otherwise 0. 'nash_conv' is the
        exact NashConv of the last mixtures, in chips.
    """
    memory = SampledMemory(GAMES[setting["game"]](), hands=setting["hands"], seed=setting["seed"])
    end = memory.step(memory.init(), MAX_SAMPLED_ROUNDS)
    return {
        "rounds": end.iteration,
        "converged": float(end.converged),
        "nash_conv": float(end.gains.sum()),
    }
