"""Noble & Watson (2001): the recorded runs by regime and seed, on which the audit draws.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

`record_last_population` is behind the paper's Figure 2. Each run is judged by what its last population wins from our
two groups of opponents, alpha and beta.

`record_long_run` is behind Figure 3 and its open question. The paper saw later generations do worse against both
groups, and offers two explanations: the population goes around in cycles, or it only seems to decline because it has
become careful, with modest profits from many opponents. A long run is measured in ways that distinguish these, and two
more: specialization in the own population, and the drift of genes that have no effect.

`assess_by_split` sorts the opponents into two groups again and again. The groups are ours, so a conclusion about the
paper's regimes must hold for most ways to sort them.

`record_future_population` records the last population with each extension that the paper names as future work.

`measure_reliability`, in `studies.noble2001.dominance`, judges populations twice, to see how reliable dominance and
profit are.
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
    GROUPS,
    HANDS_OF_PROFITS,
    MIXTURE,
    NSGA,
    PARETO,
    ROULETTE,
    Config,
    assess_strategies,
    average_age,
    compute_diversity,
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
from studies.noble2001.changes import make_configs, measure_halfway_and_end
from studies.noble2001.dominance import POPULATION_SIZES, measure_reliability

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

    The columns are `place` (the strategy's number), `kept` (whether it is on the front), `age`, `profit` and `hands`
    (chips won and hands played in the last generation), `undominated` (how many strategies of the population are
    non-dominated), `alpha` and `beta` (mean chips per 1,000 hands against each group), and the genes `gene_0`,
    `gene_1`, ...
    """
    coevolution = make_solver(config)
    state = coevolution.step(coevolution.init(), config.iterations)
    genomes = state.population[0]
    mean_profits = {}
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
    return [
        {
            "place": number,
            "kept": bool(state.front[0, number]),
            "age": int(state.ages[0, number]),
            "profit": int(state.profit[0, number]),
            "hands": int(state.hands[0, number]),
            "undominated": num_nondominated,
            **{name: float(profits[number]) for name, profits in mean_profits.items()},
            **{f"gene_{gene}": float(value) for gene, value in enumerate(genome)},
        }
        for number, genome in enumerate(genomes)
    ]


def record_future_population(setting: Mapping[str, Any]) -> list[dict[str, float]]:
    """Return the rows of `record_last_population` for one extension of the paper's algorithm.

    `setting` has the name of the extension in `FUTURE_WORK` as 'regime', and the 'seed'.
    """
    return record_last_population(Config(seed=setting["seed"], **FUTURE_WORK[setting["regime"]]))


def read_genomes(last_populations: History, regime: str, seed: int) -> Floats:
    """Return the strategies of the last population of a run, (N, 42), or none if the run is not recorded.

    `last_populations` has the rows of `record_last_population` of several runs.
    """
    of_run = (last_populations["regime"] == regime) & (last_populations["seed"] == seed)
    return np.column_stack([last_populations[f"gene_{gene}"][of_run] for gene in range(NUM_GENES)])


def assess_by_split(
    setting: Mapping[str, int], populations: Sequence[str] = ("final", "halves")
) -> list[dict[str, float | str]]:
    """Return what each recorded run wins from the two groups of a random split of the opponents, a row for each run.

    The columns are `regime`, `run` (its seed), `first` and `second` (mean chips per 1,000 hands against either group).
    All runs play the same deals, and each split has deals of its own.

    Parameters
    ----------
    setting : mapping
        The number of the split as 'split'.
    populations : sequence of str
        The names in `STUDIES` of the recordings of last populations.
    """
    split = setting["split"]
    runs = []
    genomes_of_runs = []
    for last_populations in map(load_study, populations):
        for regime in dict.fromkeys(last_populations["regime"].tolist()):
            for seed in np.unique(last_populations["seed"]).tolist():
                runs.append((regime, seed))
                genomes = read_genomes(last_populations, regime, seed)
                genomes_of_runs.append(genomes[:STRATEGIES_PER_RUN])

    config, genomes = Config(seed=0), np.concatenate(genomes_of_runs)
    profits = []  # (2, runs x strategies)
    for group in split_opponents(split):
        profits_by_sequence = assess_strategies(
            make_game(config), make_encoding(config), genomes, group, hands=SPLIT_HANDS, seed=split
        )
        profits.append(profits_by_sequence[0])
    means = np.array(profits).reshape(2, len(runs), STRATEGIES_PER_RUN).mean(axis=2).T
    return [
        {"regime": regime, "run": seed, "first": first, "second": second}
        for (regime, seed), (first, second) in zip(runs, means.tolist(), strict=True)
    ]


def find_neutral_genes() -> Ints:
    """Return the numbers of the genes that have no effect.

    They are the bit for beating the board before the flop, when there is no board, and the bits for waiting for a
    straight or a flush before the flop and on the river, when there is nothing to wait for.
    """
    preflop = FIRST_OF_STREETS + np.array([BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    first_of_river = FIRST_OF_STREETS + RIVER * GENES_A_STREET
    river = first_of_river + np.array([WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    return np.concatenate([preflop, river])


def record_long_run(config: Config) -> list[dict[str, float]]:
    """Run a coevolution, and return a row for each measured generation: 1, and every `MEASURING_INTERVAL`.

    The columns are `generation`, those of `measure_generation`, and at `COMPARED_GENERATIONS` what the generation's
    strategies win from each earlier one of these at shared tables, `from 1` and so on. These are NaN elsewhere.
    """
    coevolution = make_solver(config)
    state, rows = coevolution.init(), []
    genomes_by_generation: dict[int, Floats] = {}
    measured_generations = range(MEASURING_INTERVAL, config.iterations + 1, MEASURING_INTERVAL)
    for generation in (1, *measured_generations):
        state = coevolution.step(state, generation - state.iteration)
        row = {"generation": generation, **measure_generation(state)}
        row |= dict.fromkeys((f"from {older}" for older in COMPARED_GENERATIONS[:-1]), np.nan)
        if generation in COMPARED_GENERATIONS:
            genomes = state.population[0]
            for older, older_genomes in genomes_by_generation.items():
                profit = measure_profit_at_shared_tables(coevolution, older_genomes, genomes)
                row[f"from {older}"] = profit
            genomes_by_generation[generation] = genomes
        rows.append(row)
    return rows


def measure_generation(state: PopulationState) -> dict[str, float]:
    """Return the measurements of one generation of a long run, means over the population.

    For each group of opponents g they are `g` (the profit in chips per 1,000 hands), `g_kept` (that of the strategies
    on the front, or 0 if there is no front), `g_swing` (the standard deviation of a hand's profit in chips), `g_beaten`
    (the share of the group's members from whom a strategy wins), and `g_entered` (the number of calls and raises before
    the flop in a hand). Then come the size of the front, the number of non-dominated strategies, the mean age, the
    diversity of all genes, of the neutral genes and of the others, and the mean of each gene.
    """
    genomes = state.population[0]
    num_strategies = len(genomes)
    row: dict[str, float] = {}
    for name, group in GROUPS.items():
        played = play_against_group(
            state.game, state.encoding, genomes, group, hands=MEASURED_HANDS, seed=LONG_RUN_SEED
        )
        profits = played.chips[:, 0, 0].reshape(num_strategies, MEASURED_HANDS)
        front_profit = profits[state.front[0]].mean() if state.front.any() else 0.0
        # Players are numbered: first the strategies, then the members of the group.
        assert played.won_from is not None
        won_from_group = played.won_from[:num_strategies, num_strategies:]
        actions_before_flop = played.actions[:num_strategies, 0]
        num_entered = actions_before_flop[:, [CALL_KIND, RAISE_KIND]].sum()
        row |= {
            name: float(profits.mean() * HANDS_OF_PROFITS),
            f"{name}_kept": float(front_profit * HANDS_OF_PROFITS),
            f"{name}_swing": float(profits.std(axis=1).mean()),
            f"{name}_beaten": float((won_from_group > 0).mean()),
            f"{name}_entered": float(num_entered / (num_strategies * MEASURED_HANDS)),
        }

    is_neutral = np.isin(np.arange(genomes.shape[1]), find_neutral_genes())
    return {
        **row,
        "front": int(state.front.sum()),
        "undominated": count_nondominated(state),
        "age": average_age(state),
        "diversity": compute_diversity(genomes),
        "diversity_neutral": compute_diversity(genomes, is_neutral),
        "diversity_tested": compute_diversity(genomes, ~is_neutral),
        **{f"gene_{gene}": float(mean) for gene, mean in enumerate(genomes.mean(axis=0))},
    }


def measure_profit_at_shared_tables(
    coevolution: PopulationCoevolution, older: Floats, newer: Floats
) -> float:
    """Return what a strategy of a newer population wins from an older one, in chips per 1,000 hands.

    At each of `NUM_SHARED_TABLES` tables one half of the seats is for strategies drawn from each population.

    Parameters
    ----------
    coevolution : PopulationCoevolution
        The run of both populations, whose game is played, and whose seed decides the tables.
    older, newer : array of shape (N, 42)
        The strategies of both populations.
    """
    half, seed = coevolution.game.num_seats // 2, coevolution.seed
    generator = random_stream(seed, "generations met")
    lineups = []
    for _ in range(NUM_SHARED_TABLES):
        from_older = generator.choice(len(older), half, replace=False)
        from_newer = len(older) + generator.choice(len(newer), half, replace=False)
        players_at_table = np.concatenate([from_older, from_newer])
        lineups.append(players_at_table[generator.permutation(2 * half)])

    players = coevolution.encoding.make_players(np.concatenate([older, newer]))
    played = coevolution.game.play(
        players, HANDS_PER_SHARED_TABLE, seed=seed, lineups=np.array(lineups)
    )
    chips = played.won[len(older) :].sum()
    num_hands = played.hands_played[len(older) :].sum()
    return float(chips * HANDS_OF_PROFITS / num_hands)


class Study(NamedTuple):
    """A measurement at several settings and seeds, whose rows are recorded in a file.

    Attributes
    ----------
    measure : callable
        A function that returns the rows of one setting.
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
        """Return the rows of all settings and seeds. The options are those of `sweep`, such as `workers`."""
        return sweep(self.measure, self.settings, config=self.config, seeds=self.seeds, **options)


PAPER_REGIMES = {"regime": [PARETO, ROULETTE]}
SEEDS = tuple(range(20))
STUDIES = {
    "final": Study(record_last_population, PAPER_REGIMES, SEEDS, Config(seed=0)),
    "halves": Study(
        record_last_population, {"regime": [BEST_HALF, DRAWN_HALF]}, SEEDS, Config(seed=0)
    ),
    "parents": Study(record_last_population, {"regime": [BEST_PARENTS]}, SEEDS, Config(seed=0)),
    "future": Study(record_future_population, {"regime": [*FUTURE_WORK]}, SEEDS),
    "long": Study(record_long_run, PAPER_REGIMES, SEEDS, Config(iterations=1000, seed=0)),
    "splits": Study(assess_by_split, {"split": [*range(1, NUM_SPLITS + 1)]}, None),
    "future-splits": Study(
        partial(assess_by_split, populations=["future"]),
        {"split": [*range(1, NUM_FUTURE_SPLITS + 1)]},
        None,
    ),
    "parents-splits": Study(
        partial(assess_by_split, populations=["parents"]),
        {"split": [*range(1, NUM_SPLITS + 1)]},
        None,
    ),
    "reliability": Study(
        measure_reliability, {"size": POPULATION_SIZES}, SEEDS[:10], Config(seed=0)
    ),
    "sensitivity": Study(measure_halfway_and_end, make_configs(), SEEDS[:4]),
}
"""The studies by the name of their recording, `data/runs/noble-2001-<name>.npz`."""


def load_study(name: str) -> History:
    """Return the recorded rows of one of `STUDIES`. If its file does not exist, the study is run and recorded."""
    return load_or_make_history(f"noble-2001-{name}", STUDIES[name].run, {})
