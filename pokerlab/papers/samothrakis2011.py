"""Samothrakis & Lucas (2011): minimax coevolution in small games, section 4.1, and the inner runs of Figure 2.

S. Samothrakis, S. Lucas, "Approximating n-player Behavioural Strategy Nash Equilibria Using Coevolution", GECCO 2011.
`pokerlab.papers.samothrakis2011_holdem` has section 4.2, the agents for limit hold'em.

Figure 2 of the paper is a sketch, not a measured run. `record_nested_runs` records such a run. It repeats the inner
runs one by one. They give the same results again, because the random stream of an inner run depends only on the seed,
the generation and the individual.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab import evolution, games, solvers, strategies
from pokerlab.core import (
    CheckedSettings,
    Floats,
    Ints,
    SettingError,
    seed_setting,
    setting,
)
from pokerlab.core.old_names import explain_renamed_attributes, reject_missing_name
from pokerlab.core.settings import LARGEST_COUNT, sized_setting, unprinted_setting, validate_integer
from pokerlab.evolution.evolution_strategies import EvolutionStrategy
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import describe_asymmetry
from pokerlab.papers.experiment import Experiment, make_from_settings, read_published_numbers
from pokerlab.runs import Column
from pokerlab.solvers import MinimaxCoevolution
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.solvers.tree_search import TreeSearch
from pokerlab.solvers.worst_case import STARTS, InnerEvolution, WorstCase
from pokerlab.strategies.direct_encoding import POSITIVITY_RULES
from pokerlab.strategies.encoding import BehaviorEncoding

__all__ = [
    "EVOLUTIONS",
    "GAMES",
    "PAPER",
    "RPS",
    "Config",
    "make_columns",
    "make_encoding",
    "make_solver",
    "minimax_coevolution",
]

PAPER = "samothrakis-2011"
GAMES: dict[str, Callable[[], SequenceForm]] = {
    "biased rock-paper-scissors": games.biased_rps,
    "rock-paper-scissors": games.rock_paper_scissors,
    "Kuhn poker": games.kuhn,
    "13-card poker": partial(games.one_card_poker, 13),
    "KP(3)": partial(games.kuhn, 3),
    "Leduc": games.leduc,
}
REPRESENTATIONS = ("direct", "one network", "a network a seat")
EVOLUTIONS: dict[str, Callable[..., EvolutionStrategy[Any]]] = {
    "CMA-ES": evolution.CMAES,
    "diagonal CMA-ES": partial(evolution.CMAES, diagonal=True),
    "CSA-ES, equal weights": evolution.CSAES,
    "CSA-ES, pycma's weights": partial(evolution.CSAES, weights="pycma"),
}
inner_setting = partial(setting, needs=lambda config: config.worst_case == "inner evolution")
inner_cost_setting = partial(inner_setting, costs=True)
search_setting = partial(setting, needs=lambda config: config.worst_case == "tree search")


@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
    """Settings of one coevolution; the defaults are the paper's net for Kuhn poker as far as it describes it."""

    game: str = setting(
        "Kuhn poker",
        "The paper's small games; rock-paper-scissors, Kuhn poker for three, and Leduc.",
        source="section 4.1; KP(3), Leduc and fair rock-paper-scissors: ours",
        choices=tuple(GAMES),
    )
    representation: str = setting(
        "one network",
        "A gene for each action (eq. 5), or a network's weights (eq. 6), for all seats or for each.",
        source="section 3.2.1; a network a seat: ours",
        adapts=lambda config: {"choices": ("direct",)} if config.game == "Leduc" else {},
        choices=REPRESENTATIONS,
    )
    positive: str = unprinted_setting(
        "clipped",
        "How a direct gene is made positive for eq. 5; the paper does not say. Clipping reaches zeros.",
        label="Genes become",
        rare=True,
        needs=lambda config: config.representation == "direct",
        choices=tuple(POSITIVITY_RULES),
    )
    hidden: int = setting(
        4,
        "Of a network; the paper has 4 for cards, 1 for rock-paper-scissors.",
        label="Hidden neurons",
        source="section 4.1",
        needs=lambda config: config.representation != "direct",
        log=(1, 64),
    )
    evolution: str = setting(
        "CMA-ES",
        "The text names CSA-ES, Figure 6's caption CMA-ES; with equal weights CSA-ES stalls.",
        source="Figure 6; section 3.1 says CSA-ES",
        choices=tuple(EVOLUTIONS),
    )
    population: int = sized_setting(
        10, "Offspring in a generation, lambda.", source="section 3.1", log=(3, 2000)
    )
    step_size: float = unprinted_setting(
        0.5,
        "The first standard deviation of every gene; the paper does not say.",
        log=(1e-3, 100.0),
    )
    worst_case: str = setting(
        "exact reply",
        "Best responses, the purely evolutionary version, or the tree search with playouts.",
        source="Algorithm 1",
        choices=("exact reply", "inner evolution", "tree search"),
    )
    inner_generations: int = inner_cost_setting(
        5,
        "Of the purely evolutionary version, in the first outer generation.",
        silent=True,
        log=(1, 1000),
    )
    inner_growth: float = inner_setting(
        0.1,
        "Inner generations added in each outer generation.",
        source="section 3.3 has them increase; how fast: ours",
        rare=True,
        silent=True,
        within=(0.0, 10.0),
    )
    inner_start: str = inner_setting(
        "last inner best",
        "Where replies begin to evolve: two heuristics of the text, and Algorithm 1's own.",
        source="section 3.3 and Algorithm 1",
        choices=STARTS,
    )
    inner_evolution: str = inner_setting(
        "CSA-ES, equal weights",
        "What evolves the replies; the text names CSA-ES for all evolution.",
        source="section 3.1",
        rare=True,
        choices=tuple(EVOLUTIONS),
    )
    inner_population: int = inner_cost_setting(
        10, "Replies in an inner generation.", source="section 3.1", rare=True, log=(3, 2000)
    )
    hands: int = inner_setting(
        0,
        "Played in each seat to see what a reply wins; 0 for its expected winnings.",
        source="section 3.2.2 has both; how many: ours",
        rare=True,
        silent=True,
        excluded=(1,),
        log=(0, 1_000_000),
    )
    rechecked: bool = setting(
        True,
        "Unlike the paper, the best genome is attacked again in every generation.",
        label="Second look",
        rare=True,
        needs=lambda config: config.worst_case != "exact reply",
    )
    depth: int = search_setting(
        9,
        "Levels of the tree search's expectimax; below them it plays hands out.",
        source="section 4.2",
        within=(1, 50),
    )
    playouts: int = search_setting(
        1000,
        "Of the tree search, at each node at its depth.",
        source="section 4.2",
        log=(1, 100_000),
    )
    exploration: float = search_setting(
        0.2,
        "C of eq. 4, as a share of the payoff range: how often playouts try what looks worse.",
        silent=True,
        log=(1e-3, 100.0),
    )
    iterations: int = setting(
        2000,
        "Outer generations, after which the run ends.",
        label="Generations",
        source="section 4.1",
        adapts=lambda config: {} if config.game == "Kuhn poker" else {"silent": True},
        log=(1, 100_000),
    )
    seed: int = seed_setting()

    def __post_init__(self) -> None:
        """Raise an error if a value is not allowed, or if a network would have no inputs for the game."""
        if self.game == "Leduc" and self.representation != "direct":
            raise SettingError(
                f"representation is {self.representation!r}; the paper's inputs, a card and previous actions, do not"
                " describe Leduc's hands. Use 'direct', or strategies.NetworkEncoding with inputs= of your own."
            )
        super().__post_init__()


def make_encoding(config: Config) -> BehaviorEncoding:
    """Return the encoding that maps a genome to a profile of the game (Samothrakis & Lucas 2011, section 3.2.1).

    Parameters
    ----------
    config : Config
        The settings of the coevolution. With the representation 'direct' a gene belongs to an action, and in symmetric
        games all players use the same genes. Otherwise the genes are the weights of a network.

    Returns
    -------
    BehaviorEncoding
        The encoding, which has the game as its attribute `game`.
    """
    game = GAMES[config.game]()
    if config.representation == "direct":
        seats = "own" if describe_asymmetry(game) else "shared"
        return strategies.DirectEncoding(game, positive=config.positive, seats=seats)
    seats = "shared" if config.representation == "one network" else "own"
    return strategies.NetworkEncoding(game, hidden=config.hidden, seats=seats)


def make_worst_case(config: Config) -> WorstCase:
    """Return the method by which the worst-case loss of a genome is found.

    Parameters
    ----------
    config : Config
        The settings of the coevolution. `worst_case` names the method: inner evolution of responses, a tree search, or
        exact best responses. Settings that begin with 'inner_' are parameters of the inner evolution.

    Returns
    -------
    WorstCase
        The method, such as `solvers.ExactWorstCase()`.
    """
    if config.worst_case == "inner evolution":
        make_evolution = EVOLUTIONS[config.inner_evolution]
        inner_evolution = make_evolution(population=config.inner_population)
        hands = None if config.hands == 0 else config.hands  # 0 is for expected payoffs
        return make_from_settings(
            solvers.InnerEvolution, config, "inner_", evolution=inner_evolution, hands=hands
        )
    if config.worst_case == "tree search":
        return make_from_settings(TreeSearch, config, iterations=config.playouts)
    return solvers.ExactWorstCase()


def make_solver(config: Config) -> MinimaxCoevolution:
    """Return the minimax coevolution with given settings.

    Parameters
    ----------
    config : Config
        The settings of the coevolution.

    Returns
    -------
    MinimaxCoevolution
        The solver of the Config's game.
    """
    genome_encoding = make_encoding(config)
    make_evolution = EVOLUTIONS[config.evolution]
    return MinimaxCoevolution(
        genome_encoding.game,
        seed=config.seed,
        encoding=genome_encoding,
        evolution=make_evolution(population=config.population, step_size=config.step_size),
        worst_case=make_worst_case(config),
        rechecked=config.rechecked,
    )


def make_columns(solver: MinimaxCoevolution) -> tuple[Column, ...]:
    """Return the columns that a run of minimax coevolution records.

    - The exploitability of the best genome so far: exact, as the run itself finds it, and the difference of the two.
    - The standard error of the exploitability that the run finds, and the largest exact gain of a single player.
    - The smallest exploitability that the run finds in the present generation.
    - The exploitability of the mean of the evolution strategy, and its step size.
    - The number of genomes that were evaluated, and the number of evaluations by the search for their worst case.
    - In rock-paper-scissors and Kuhn poker, the action probabilities that section 4.1 of the paper prints.

    Parameters
    ----------
    solver : MinimaxCoevolution
        The solver of the run.

    Returns
    -------
    tuple of Column
        The columns.
    """
    unit = solver.game.unit.plural
    return (
        Column("nash_conv", "exploitability, exact", unit, lambda state: state.exact_value),
        Column("worst_case", "exploitability, as found", unit, lambda state: state.best_value),
        Column("gap", "what was not found", unit, lambda state: state.gap),
        Column("worst_case_error", "its standard error", unit, lambda state: state.best_error),
        Column("epsilon", "largest gain of a seat", unit, lambda state: state.epsilon),
        Column(
            "generation_value", "best of the generation", unit, lambda state: state.generation_value
        ),
        Column(
            "mean_value",
            "exploitability of the mean",
            unit,
            lambda state: state.mean_genome_exploitability,
        ),
        Column("step_size", "step size", "genes", lambda state: state.evolution.step_size),
        Column("evaluations", "genomes measured", "evaluations", lambda state: state.evaluations),
        Column(
            "inner_evaluations", "matches", "evaluations", lambda state: state.inner_evaluations
        ),
        *make_probability_columns(solver.game),
    )


def make_probability_columns(game: SequenceForm) -> tuple[Column, ...]:
    """Return a column for each action probability that section 4.1 of Samothrakis & Lucas (2011) prints for a game.

    Parameters
    ----------
    game : SequenceForm
        The game.

    Returns
    -------
    tuple of Column
        In rock-paper-scissors three columns, one for each action. In Kuhn poker six, for the probability that player 2
        bets or calls with each card after each action of player 1. In other games there are none.
    """
    columns = []
    if game.name.endswith("scissors"):
        for action in game.action_label[0]:
            columns.append(make_probability_column(action, 0, "row", action))
    elif game.name == "KP(2)":
        # A call is also labeled 'bet'.
        for earlier_action in ("bet", "pass"):
            for card in "JQK":
                name = f"bets_{card}_after_{earlier_action}"
                columns.append(make_probability_column(name, 1, f"{card}, {earlier_action}", "bet"))
    return tuple(columns)


def make_probability_column(name: str, player: int, infoset: str, action: str) -> Column:
    """Return the column that records the probability of an action at an information set of a player.

    Parameters
    ----------
    name : str
        The name of the column.
    player : int
        The player, counted from 0.
    infoset : str
        The label of the information set, such as 'J, bet'.
    action : str
        The label of the action.

    Returns
    -------
    Column
        The column. Its number is the probability in the profile of the best genome so far.
    """

    def measure_probability(state: MinimaxState) -> float:
        """Return the probability of the action in the best profile of a state."""
        return float(state.profile.action_probabilities(player, infoset)[action])

    return Column(name, name.replace("_", " "), "", measure_probability)


RPS = "biased rock-paper-scissors"
SCALES = {
    "quick": Config(game=RPS, representation="direct", iterations=100, seed=1),
    "lab": Config(
        game=RPS, representation="direct", worst_case="inner evolution", iterations=120, seed=1
    ),
    "paper": Config(seed=1),
}
PAPER_EXPERIMENTS = {
    "Section 4.1: biased RPS, 3 genes": Config(
        game=RPS, representation="direct", worst_case="inner evolution", seed=1
    ),
    "Section 4.1: biased RPS, a network": Config(
        game=RPS, hidden=1, worst_case="inner evolution", inner_start="outer best", seed=1
    ),
    "Section 4.1: Kuhn poker, a network": Config(seed=1),
    "Section 4.1: 13 cards, a network": Config(game="13-card poker", seed=1),
}
"""The experiments that section 4.1 reports, as far as the paper describes their settings."""
minimax_coevolution = Experiment(
    "Minimax coevolution",
    Config,
    SCALES,
    make_solver,
    make_columns,
    lambda config: read_published_numbers(PAPER, config.game),
    per_decade=50,
    paper=PAPER_EXPERIMENTS,
)


@explain_renamed_attributes
class InnerRun(NamedTuple):
    """The evolution of responses to one genome, over k inner generations, in one generation of the outer run.

    Attributes
    ----------
    generation : int
        The generation of the outer run.
    individual : int
        The number of the genome in this generation. The number after the last one is that of the best genome so far,
        which is measured again.
    evaluations : array of shape (k,)
        The number of matches since the outer run began.
    response_winnings : array of shape (k,)
        What the best response so far wins, summed over the seats, in the game's unit.
    """

    generation: int
    individual: int
    evaluations: Ints
    response_winnings: Floats


@explain_renamed_attributes
class NestedRuns(NamedTuple):
    """An outer run of T generations and all its inner runs.

    The arrays have shape (T + 1,), with a number for the start and one for each generation.

    Attributes
    ----------
    inner : tuple of InnerRun
        The inner runs in their order.
    evaluations : array of shape (T + 1,)
        The number of matches so far.
    found_exploitability : array of shape (T + 1,)
        The exploitability of the best genome as the inner runs find it, in the game's unit.
    exact_exploitability : array of shape (T + 1,)
        The exploitability of the best genome by exact best responses.
    states : tuple of T + 1 MinimaxState
        The states of the outer run.
    """

    inner: tuple[InnerRun, ...]
    evaluations: Ints
    found_exploitability: Floats
    exact_exploitability: Floats
    states: tuple[MinimaxState, ...]


def record_nested_runs(coevolution: MinimaxCoevolution, generations: int) -> NestedRuns:
    """Run a minimax coevolution, and return its states together with the inner evolutions of responses.

    In such a coevolution each genome of the outer run has an inner run, which evolves responses to it.

    Parameters
    ----------
    coevolution : MinimaxCoevolution
        A coevolution whose worst case is an `InnerEvolution`.
    generations : int
        The number of outer generations, 1 or more.

    Returns
    -------
    NestedRuns
        The states of the outer run, and all inner runs.

    Raises
    ------
    SettingError
        If the worst case is not found by inner evolution, or if `generations` is less than 1.
    """
    worst_case = coevolution.worst_case
    if not isinstance(worst_case, InnerEvolution):
        raise SettingError(
            f"the worst case is {worst_case!r}; there are inner runs only in a coevolution"
            " with worst_case=solvers.InnerEvolution()."
        )
    validate_integer("generations", generations, 1, LARGEST_COUNT)

    # At the start there is one inner run, against the first mean, which is also its first response.
    states = [coevolution.init()]
    first_mean = states[0].best
    first_run = repeat_inner_run(
        coevolution,
        genome=first_mean,
        first_response=first_mean,
        generation=0,
        individual=0,
        evaluations_before=0,
    )
    inner_runs = [first_run]
    for generation in range(1, generations + 1):
        # The genomes that the next generation measures, each with the response from which its inner run begins.
        state_before = states[-1]
        genomes = coevolution.evolution.ask(state_before.evolution)
        responses = worst_case.make_first_responses(
            genomes, state_before.best, state_before.last_response
        )
        genomes_with_responses = list(zip(genomes, responses, strict=True))
        if coevolution.rechecked:  # the best genome so far is measured again
            genomes_with_responses.append((state_before.best, state_before.response))

        for individual, (genome, first_response) in enumerate(genomes_with_responses):
            inner_run = repeat_inner_run(
                coevolution,
                genome=genome,
                first_response=first_response,
                generation=generation,
                individual=individual,
                evaluations_before=int(inner_runs[-1].evaluations[-1]),
            )
            inner_runs.append(inner_run)
        states.append(coevolution.step(state_before))

    return NestedRuns(
        inner=tuple(inner_runs),
        evaluations=np.array([state.inner_evaluations for state in states]),
        found_exploitability=np.array([state.best_value for state in states]),
        exact_exploitability=np.array([state.exact_value for state in states]),
        states=tuple(states),
    )


def repeat_inner_run(
    coevolution: MinimaxCoevolution,
    *,
    genome: Floats,
    first_response: Floats,
    generation: int,
    individual: int,
    evaluations_before: int,
) -> InnerRun:
    """Repeat the evolution of responses to one genome with the same random numbers, and return a record of it.

    Parameters
    ----------
    coevolution : MinimaxCoevolution
        A coevolution whose worst case is an `InnerEvolution`.
    genome : array of shape (G,)
        The genome, of G genes.
    first_response : array of shape (G,)
        The response from which the evolution begins.
    generation, individual : int
        The outer generation, and the index of the genome in it.
    evaluations_before : int
        The number of evaluations in all earlier inner runs together.

    Returns
    -------
    InnerRun
        The number of evaluations and the gain of the best response after each inner generation.
    """
    worst_case: Any = coevolution.worst_case
    inner_states = list(
        worst_case.run(
            coevolution.encoding,
            genome,
            first_response,
            seed=coevolution.seed,
            generation=generation,
            individual=individual,
        )
    )
    evaluations = evaluations_before + np.array([state.evaluations for state in inner_states])
    gains = np.array([state.gain for state in inner_states])
    return InnerRun(generation, individual, evaluations, gains)


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
