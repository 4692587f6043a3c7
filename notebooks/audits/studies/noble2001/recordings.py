"""Noble & Watson (2001): the runs by regime and seed that are recorded for the audit, and how they are measured.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. Settings and seeds go in, and rows of measurements come out, which
`load_study` reads from `data/runs`. A *regime* is a way to select parents, such as Pareto selection.

`record_last_population` is behind the paper's Figure 2. Each run is judged by what its last population wins from our
two groups of opponents, alpha and beta.

`record_long_run` is behind Figure 3 and its open question. The paper saw later generations do worse against both
groups, and offers two explanations: the population goes around in cycles, or it only seems to decline because it has
become careful, with modest profits from many opponents. A long run is measured in ways that distinguish these, and two
more: specialization in the own population, and the drift of genes that have no effect.

`assess_runs_by_split` sorts the opponents into two groups again and again. The groups are ours, so a conclusion about
the paper's regimes must hold for most ways to sort them.

`record_last_population_of_extension` records the last population with each extension that the paper names as future
work.

`measure_reliability_of_judgments`, in `studies.noble2001.dominance`, judges populations twice, to see how reliable
dominance and profit are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem.cards import RIVER
from pokerlab.holdem.rule_genome import (
    BOARD_BIT,
    FIRST_OF_STREETS,
    GENES_A_STREET,
    NUM_GENES,
    WAITS_FOR_FLUSH,
    WAITS_FOR_STRAIGHT,
)
from pokerlab.holdem.table_play import CALL_KIND, RAISE_KIND
from pokerlab.papers.experiment import load_or_make_history
from pokerlab.papers.noble2001 import (
    BEST_HALF,
    BEST_PARENTS,
    CROWDING,
    DRAWN_HALF,
    FRONT_PARENTS,
    GROUPS,
    HANDS_OF_PROFITS,
    MIXTURE,
    NSGA,
    PARETO,
    ROULETTE,
    Config,
    Opponent,
    assess_strategies,
    compute_diversity,
    compute_mean_age,
    count_nondominated,
    make_encoding,
    make_game,
    make_solver,
    play_against_group,
    split_opponents,
)
from pokerlab.runs import History, sweep
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState
from studies.noble2001.changes import list_configs_of_changes, measure_profits_halfway_and_at_end
from studies.noble2001.dominance import POPULATION_SIZES, measure_reliability_of_judgments

HANDS_PER_SEQUENCE, NUM_SEQUENCES = 500, 20
"""The hands that each strategy of a last population plays against each group: this many sequences of deals, with this
many hands each."""
MEASURED_HANDS, MEASURING_INTERVAL = 500, 25
"""In a long run: the hands of each strategy against each group at a measured generation, and the number of generations
from one measured generation to the next."""
COMPARED_GENERATIONS = (1, 50, 100, 200, 400, 600, 800, 1000)
"""The generations of a long run that play against each earlier one of them."""
NUM_SHARED_TABLES, HANDS_PER_SHARED_TABLE = 200, 50
"""The tables at which two of these generations play, and the hands at each."""
NUM_SPLITS, STRATEGIES_PER_RUN, SPLIT_HANDS = 100, 25, 400
"""The random splits of the opponents into two groups, the strategies of each last population that are judged by a
split, and the hands of each strategy against either group."""
NUM_FUTURE_SPLITS = 36
"""The first of these splits judge the extensions that the paper names as future work."""
FUTURE_WORK: dict[str, dict[str, Any]] = {
    "stored champions": {"hall_size": 10},
    "one parent": {"sexual": False},
    "NSGA-II": {"regime": NSGA},
    "crowding": {"regime": CROWDING},
    "equilibrium mix": {"regime": MIXTURE},
}
"""The settings that differ from the paper's Pareto selection, by the name of the extension."""
LAST_POPULATION_SEED, LONG_RUN_SEED = 1, 2
"""The seeds of the deals by which strategies are judged."""


def record_last_population(config: Config) -> list[dict[str, float]]:
    """Run a coevolution, and return a row of measurements for each strategy of its last population.

    Each strategy plays 20 sequences of 500 hands at a table with each group of opponents, alpha and beta.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    list of dict
        The columns are:

        - `place`, the strategy's number in the population.
        - `kept`, whether it is on the Pareto front.
        - `age`, the number of generations that it has survived.
        - `profit` and `hands`, the chips that it won and the hands that it played in the last generation.
        - `undominated`, how many strategies of the population are non-dominated.
        - `alpha` and `beta`, its mean profit against each group in chips per 1,000 hands.
        - `gene_0`, `gene_1` and so on, its genes.
    """
    coevolution = make_solver(config)
    state = coevolution.step(coevolution.init(), config.iterations)
    genomes = state.population[0]

    mean_profits = {}  # of each strategy, by the name of the group
    for name, group in GROUPS.items():
        profits_by_sequence = assess_strategies(
            coevolution.game,
            coevolution.encoding,
            genomes,
            group,
            hands=HANDS_PER_SEQUENCE,
            sequences=NUM_SEQUENCES,
            seed=LAST_POPULATION_SEED,
        )
        mean_profits[name] = profits_by_sequence.mean(axis=0)

    num_nondominated = count_nondominated(state)
    rows = []
    for number, genome in enumerate(genomes):
        row: dict[str, float] = {
            "place": number,
            "kept": bool(state.front[0, number]),
            "age": int(state.ages[0, number]),
            "profit": int(state.profit[0, number]),
            "hands": int(state.hands[0, number]),
            "undominated": num_nondominated,
        }
        for name, profits in mean_profits.items():
            row[name] = float(profits[number])
        for gene, value in enumerate(genome):
            row[f"gene_{gene}"] = float(value)
        rows.append(row)
    return rows


def record_last_population_of_extension(setting: Mapping[str, Any]) -> list[dict[str, float]]:
    """Run an extension of the paper's algorithm, and return a row for each strategy of its last population.

    Parameters
    ----------
    setting : mapping
        'regime' is the name of the extension, a key of `FUTURE_WORK`. 'seed' is the seed of the run.

    Returns
    -------
    list of dict
        The columns are those of `record_last_population`.
    """
    changed_settings = FUTURE_WORK[setting["regime"]]
    return record_last_population(Config(seed=setting["seed"], **changed_settings))


def select_genomes_of_run(last_populations: History, regime: str, seed: int) -> Floats:
    """Return the genomes of the last population of one recorded run.

    Parameters
    ----------
    last_populations : History
        The rows of `record_last_population` of several runs.
    regime : str
        The regime of the run, which is its way to select parents.
    seed : int
        The seed of the run.

    Returns
    -------
    array of shape (N, 42)
        The genomes of the N strategies. It has no rows if the run is not recorded.
    """
    of_run = (last_populations["regime"] == regime) & (last_populations["seed"] == seed)
    genes = [last_populations[f"gene_{gene}"][of_run] for gene in range(NUM_GENES)]
    return np.column_stack(genes)


def assess_runs_by_split(
    setting: Mapping[str, int], populations: Sequence[str] = ("final", "halves")
) -> list[dict[str, float | str]]:
    """Split the opponents at random into two groups, and return what each recorded run wins from either group.

    A run is judged by the first `STRATEGIES_PER_RUN` strategies of its last population. All runs play the same deals,
    and each split has other deals.

    Parameters
    ----------
    setting : mapping
        'split' is the number of the split, which decides the groups and the deals.
    populations : sequence of str
        The names in `STUDIES` of the recordings of last populations.

    Returns
    -------
    list of dict
        A row for each run. The columns are `regime`, `run` (its seed), and `first` and `second` (the mean profit
        against either group in chips per 1,000 hands).
    """
    split = setting["split"]
    genomes_by_run = collect_genomes_by_run(populations)
    num_runs = len(genomes_by_run)

    # All strategies of all runs play at once, so that they play the same deals.
    config = Config(seed=0)
    all_genomes = np.concatenate(list(genomes_by_run.values()))
    profits_by_group = []
    for group in split_opponents(split):
        profits_by_sequence = assess_strategies(
            make_game(config),
            make_encoding(config),
            all_genomes,
            group,
            hands=SPLIT_HANDS,
            seed=split,
        )
        (profits,) = profits_by_sequence  # there is one sequence of deals
        profits_by_group.append(profits)

    profits_by_run = np.array(profits_by_group).reshape(2, num_runs, STRATEGIES_PER_RUN)
    means_of_runs = profits_by_run.mean(axis=2).T.tolist()  # of each run a pair, one per group
    rows: list[dict[str, float | str]] = []
    for (regime, seed), (first, second) in zip(genomes_by_run, means_of_runs, strict=True):
        rows.append({"regime": regime, "run": seed, "first": first, "second": second})
    return rows


def collect_genomes_by_run(populations: Sequence[str]) -> dict[tuple[str, int], Floats]:
    """Return the first `STRATEGIES_PER_RUN` genomes of the last population of each recorded run.

    Parameters
    ----------
    populations : sequence of str
        The names in `STUDIES` of the recordings of last populations. No two of them may have the same regime.

    Returns
    -------
    dict of (str, int) to array of shape (STRATEGIES_PER_RUN, 42)
        The genomes by the regime and the seed of the run.
    """
    genomes_by_run = {}
    for last_populations in map(load_study, populations):
        regimes = dict.fromkeys(last_populations["regime"].tolist())  # each once, in their order
        for regime in regimes:
            for seed in np.unique(last_populations["seed"]).tolist():
                genomes = select_genomes_of_run(last_populations, regime, seed)
                genomes_by_run[regime, seed] = genomes[:STRATEGIES_PER_RUN]
    return genomes_by_run


def list_neutral_genes() -> Ints:
    """Return the numbers of the five genes of a poker strategy that have no effect on its play.

    Before the flop there is no board that a hand could beat, and no draw to wait for. On the river no more cards come.
    So these are the bit for beating the board before the flop, and the bits for waiting for a straight or a flush
    before the flop and on the river.

    Returns
    -------
    array of int of shape (5,)
        The numbers of the genes.
    """
    preflop_genes = FIRST_OF_STREETS + np.array([BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    first_gene_of_river = FIRST_OF_STREETS + RIVER * GENES_A_STREET
    river_genes = first_gene_of_river + np.array([WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    return np.concatenate([preflop_genes, river_genes])


def record_long_run(config: Config) -> list[dict[str, float]]:
    """Run a long coevolution, and return a row of measurements for generation 1 and for every 25th generation.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    list of dict
        The columns are `generation`, those of `measure_generation_of_long_run`, and `from 1`, `from 50` and so on. The
        last are what the generation's strategies win from those of an earlier generation at shared tables, in chips per
        1,000 hands. They are measured at `COMPARED_GENERATIONS`, and are NaN at other generations.
    """
    coevolution = make_solver(config)
    state = coevolution.init()
    genomes_by_generation: dict[int, Floats] = {}
    later_generations = range(MEASURING_INTERVAL, config.iterations + 1, MEASURING_INTERVAL)
    rows = []
    for generation in (1, *later_generations):
        state = coevolution.step(state, generation - state.iteration)
        row = {"generation": generation, **measure_generation_of_long_run(state)}
        for earlier in COMPARED_GENERATIONS[:-1]:
            row[f"from {earlier}"] = np.nan

        if generation in COMPARED_GENERATIONS:
            genomes = state.population[0]
            for earlier, earlier_genomes in genomes_by_generation.items():
                profit = measure_profit_at_shared_tables(coevolution, earlier_genomes, genomes)
                row[f"from {earlier}"] = profit
            genomes_by_generation[generation] = genomes
        rows.append(row)
    return rows


def measure_generation_of_long_run(state: PopulationState) -> dict[str, float]:
    """Return the measurements of one generation of a long run, most of which are means over the population.

    Parameters
    ----------
    state : PopulationState
        The state of the run after the generation.

    Returns
    -------
    dict of str to float
        There are five entries for each group of opponents g, which `measure_play_against_group` describes. Besides:

        - `front`, the number of strategies on the Pareto front.
        - `undominated`, the number of non-dominated strategies.
        - `age`, the mean age on the front in generations.
        - `diversity` of all genes, `diversity_neutral` of those without effect on play, and `diversity_tested` of the
          others.
        - `gene_0`, `gene_1` and so on, the mean of each gene.
    """
    genomes = state.population[0]
    row: dict[str, float] = {}
    for name, group in GROUPS.items():
        row |= measure_play_against_group(state, name, group)

    is_neutral = np.isin(np.arange(genomes.shape[1]), list_neutral_genes())
    row["front"] = int(state.front.sum())
    row["undominated"] = count_nondominated(state)
    row["age"] = compute_mean_age(state)
    row["diversity"] = compute_diversity(genomes)
    row["diversity_neutral"] = compute_diversity(genomes, is_neutral)
    row["diversity_tested"] = compute_diversity(genomes, ~is_neutral)
    for gene, mean in enumerate(genomes.mean(axis=0)):
        row[f"gene_{gene}"] = float(mean)
    return row


def measure_play_against_group(
    state: PopulationState, name: str, group: Sequence[Opponent]
) -> dict[str, float]:
    """Return how the strategies of a generation of a long run play against a group of opponents.

    Each strategy plays `MEASURED_HANDS` hands at a table with members of the group.

    Parameters
    ----------
    state : PopulationState
        The state of the run after the generation.
    name : str
        The name g of the group, with which the names of the entries begin.
    group : sequence of Opponent
        The opponents.

    Returns
    -------
    dict of str to float
        The entries are:

        - `g`, the mean profit in chips per 1,000 hands.
        - `g_kept`, the mean profit of the strategies on the Pareto front, or 0 if there is no front.
        - `g_swing`, the standard deviation of a strategy's profit in a hand in chips, mean over strategies.
        - `g_beaten`, the share of pairs of a strategy and a member of the group in which the strategy wins.
        - `g_entered`, the number of calls and raises before the flop, per hand.
    """
    genomes = state.population[0]
    num_strategies = len(genomes)
    result = play_against_group(
        state.game, state.encoding, genomes, group, hands=MEASURED_HANDS, seed=LONG_RUN_SEED
    )
    profits = result.chips[:, 0, 0].reshape(num_strategies, MEASURED_HANDS)
    front_profit = profits[state.front[0]].mean() if state.front.any() else 0.0

    # Players are numbered: first the strategies, then the members of the group.
    assert result.won_from is not None
    won_from_group = result.won_from[:num_strategies, num_strategies:]

    actions_before_flop = result.actions[:num_strategies, 0]
    num_entered = actions_before_flop[:, [CALL_KIND, RAISE_KIND]].sum()
    return {
        name: float(profits.mean() * HANDS_OF_PROFITS),
        f"{name}_kept": float(front_profit * HANDS_OF_PROFITS),
        f"{name}_swing": float(profits.std(axis=1).mean()),
        f"{name}_beaten": float((won_from_group > 0).mean()),
        f"{name}_entered": float(num_entered / (num_strategies * MEASURED_HANDS)),
    }


def measure_profit_at_shared_tables(
    coevolution: PopulationCoevolution, older: Floats, newer: Floats
) -> float:
    """Let strategies of an older and a newer population play at the same tables, and return what the newer ones win.

    At each of `NUM_SHARED_TABLES` tables, half of the seats are for strategies drawn from either population.

    Parameters
    ----------
    coevolution : PopulationCoevolution
        The run of both populations, whose game is played, and whose seed decides the tables.
    older, newer : array of shape (N, 42)
        The genomes of the strategies of both populations.

    Returns
    -------
    float
        The mean profit over the hands of all newer strategies, in chips per 1,000 hands.
    """
    half, seed = coevolution.game.num_seats // 2, coevolution.seed
    generator = random_stream(seed, "generations met")
    lineups = []  # of each table, the players in its seats
    for _ in range(NUM_SHARED_TABLES):
        # Players are numbered: first the older strategies, then the newer ones.
        from_older = generator.choice(len(older), half, replace=False)
        from_newer = len(older) + generator.choice(len(newer), half, replace=False)
        players_at_table = np.concatenate([from_older, from_newer])
        lineups.append(players_at_table[generator.permutation(2 * half)])

    players = coevolution.encoding.make_players(np.concatenate([older, newer]))
    result = coevolution.game.play(
        players, HANDS_PER_SHARED_TABLE, seed=seed, lineups=np.array(lineups)
    )
    chips = result.won[len(older) :].sum()
    num_hands = result.hands_played[len(older) :].sum()
    return float(chips * HANDS_OF_PROFITS / num_hands)


class Study(NamedTuple):
    """A measurement of Noble & Watson's algorithm at several settings and seeds, whose rows are recorded in a file.

    Attributes
    ----------
    measure : callable
        A function of one setting that returns a list of rows.
    settings : mapping of str to sequence, or list of Config
        The values of each setting, or the Configs.
    seeds : iterable of int, or None
        The seeds with which each setting is measured. None if the settings have no seed.
    config : Config, optional
        The settings that do not vary.
    """

    measure: Callable[[Any], list[dict[str, Any]]]
    settings: Mapping[str, Sequence[Any]] | list[Config]
    seeds: Iterable[int] | None
    config: Config | None = None

    def run(self, **options: Any) -> History:
        """Measure at all settings and seeds, and return the rows of all measurements.

        Parameters
        ----------
        **options
            Options of `pokerlab.runs.sweep`, such as `workers=2`.
        """
        return sweep(self.measure, self.settings, config=self.config, seeds=self.seeds, **options)


PAPER_REGIMES = {"regime": [PARETO, ROULETTE]}
SEEDS = tuple(range(20))
STUDIES = {
    "final": Study(record_last_population, PAPER_REGIMES, SEEDS, Config(seed=0)),
    "halves": Study(
        record_last_population, {"regime": [BEST_HALF, DRAWN_HALF]}, SEEDS, Config(seed=0)
    ),
    "parents": Study(record_last_population, {"regime": [BEST_PARENTS]}, SEEDS, Config(seed=0)),
    "front-parents": Study(
        record_last_population, {"regime": [FRONT_PARENTS]}, SEEDS, Config(seed=0)
    ),
    "future": Study(record_last_population_of_extension, {"regime": [*FUTURE_WORK]}, SEEDS),
    "long": Study(record_long_run, PAPER_REGIMES, SEEDS, Config(iterations=1000, seed=0)),
    "splits": Study(assess_runs_by_split, {"split": [*range(1, NUM_SPLITS + 1)]}, None),
    "future-splits": Study(
        partial(assess_runs_by_split, populations=["future"]),
        {"split": [*range(1, NUM_FUTURE_SPLITS + 1)]},
        None,
    ),
    "parents-splits": Study(
        partial(assess_runs_by_split, populations=["parents"]),
        {"split": [*range(1, NUM_SPLITS + 1)]},
        None,
    ),
    "front-parents-splits": Study(
        partial(assess_runs_by_split, populations=["front-parents"]),
        {"split": [*range(1, NUM_SPLITS + 1)]},
        None,
    ),
    "reliability": Study(
        measure_reliability_of_judgments, {"size": POPULATION_SIZES}, SEEDS[:10], Config(seed=0)
    ),
    "sensitivity": Study(measure_profits_halfway_and_at_end, list_configs_of_changes(), SEEDS[:4]),
}
"""The studies by the name of their recording, `data/runs/noble-2001-<name>.npz`."""


def load_study(name: str) -> History:
    """Return the recorded rows of one of `STUDIES`. If there is no file, the study is run and its rows are recorded.

    Parameters
    ----------
    name : str
        The name of the study, a key of `STUDIES`. The file is `data/runs/noble-2001-<name>.npz`.
    """
    return load_or_make_history(f"noble-2001-{name}", STUDIES[name].run, {})
