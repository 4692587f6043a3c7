"""Tables of results about limit hold'em that take minutes to measure: measured once, and recorded in `data/runs`.

What do searches, exact best responses, and opponents with real cards win from agents like the paper's? And how much
does that depend on what the paper leaves open: buckets, win probabilities, genes, fitness, evolution strategies?

The paper is Samothrakis & Lucas (2011), section 4.2. `TABLES` lists the tables, and `load_recorded_table` returns one
of them. Each is a `RecordedTable`: the columns, the settings, and the function of the settings that returns the rows.

One of them is about *sampling noise*. The paper sorts hands into buckets by win probabilities that are estimated from
random deals. With few deals, a hand that was unlucky lies in too low a bucket. Then buckets overlap, hands seem to move
between buckets more than they do, and a higher bucket wins less surely at the showdown (`BucketComparison`).

A *hand* is here a player's two hole cards with the board so far. A *judge* is the search or best response that gives
agents their fitness in an evolution, and the *champion* of an evolution is its best agent, by its judge.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.cache import load_or_make_arrays
from pokerlab.holdem.buckets import (
    Buckets,
    assign_buckets_on_street,
    make_buckets,
    name_cache_file,
    validate_bucket_counts,
)
from pokerlab.holdem.hand_expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    SampledExpectations,
    count_hands_of_entries,
    iterate_row_batches,
)
from pokerlab.holdem.lbr import local_best_response
from pokerlab.holdem.real_worst_cases import TO_MBB
from pokerlab.papers import samothrakis2011_holdem
from pokerlab.papers.experiment import RUNS, load_or_make_history
from pokerlab.papers.samothrakis2011_holdem import (
    BUCKETS,
    BY_SEARCH,
    LARGE_C,
    OURS,
    RECORDED,
    evolve_profile,
    make_agent,
    make_six_bucket_game,
    make_tree_search,
    minimize_exploitability,
    run_cfr_plus,
)
from pokerlab.runs import History
from pokerlab.runs.history import convert_to_json_values, describe_versions
from pokerlab.solvers.tree_search import SearchEstimate
from studies.samothrakis2011.real_run import (
    CFR_AGENTS,
    LOCALLY_JUDGED_AGENTS,
    compute_worst_case_with_real_cards,
    load_or_compute_agent_strategy,
)

Rows: TypeAlias = list[Sequence[float]]
"""A sequence of numbers for each row of a table, in the order of its columns."""


@dataclass(frozen=True)
class RecordedTable:
    """A table of results that takes minutes to measure and is kept in a file.

    Attributes
    ----------
    name : str
        The name of the file without its ending.
    columns : dict of str to str
        The unit of each column, by name.
    settings : dict of str to any
        The arguments of `measure_rows`, which decide the numbers. They are recorded in the file.
    measure_rows : callable
        The function that measures the table, and returns its rows. A row is a sequence of numbers in the order of the
        columns.
    """

    name: str
    columns: dict[str, str]
    settings: dict[str, Any]
    measure_rows: Callable[..., Rows]

    def load_or_measure(self, folder: str | Path = RUNS) -> History:
        """Return the table of results from its file. If there is no file, measure the table and write it first.

        Parameters
        ----------
        folder : str or Path
            The folder of the file.

        Returns
        -------
        History
            The table. Its provenance has the settings.

        Raises
        ------
        CheckpointError
            If the file has other columns than this table, or was measured with other settings.
        """
        required_provenance = {"settings": convert_to_json_values(self.settings)}
        return load_or_make_history(
            self.name, self.measure_table, required_provenance, self.columns, folder=folder
        )

    def measure_table(self) -> History:
        """Measure the table of results now, without reading or writing its file.

        Returns
        -------
        History
            The table. Its provenance has the settings, the seconds of computing time, and the versions of the programs.
        """
        begin = time.process_time()
        rows = self.measure_rows(**self.settings)
        seconds = round(time.process_time() - begin, 1)
        provenance = {
            "settings": convert_to_json_values(self.settings),
            "seconds": seconds,
            **describe_versions(),
        }
        return History.from_rows(tuple(self.columns), rows, self.columns, provenance)


@dataclass(frozen=True, eq=False)
class BucketComparison:
    """Buckets of hands by exact win probabilities and by sampled ones, and the shares of hands in each pair of buckets.

    A *bucket* is a set of hands of similar strength. By sampled win probabilities some hands lie in a wrong one.

    Attributes
    ----------
    exact, sampled : Buckets
        The buckets by exact and by sampled win probabilities.
    overlaps : tuple of ndarray, shape (B, B)
        For each street with B buckets, the share of the hands in each exact bucket (rows) that lies in each sampled
        bucket (columns). Each row sums to 1.
    """

    exact: Buckets
    sampled: Buckets
    overlaps: tuple[Floats, ...]

    @property
    def misplaced_shares(self) -> Floats:
        """The share of all hands whose sampled bucket is not the exact one, on each of the four streets, shape (4,)."""
        shares = []
        for bucket_frequencies, overlap in zip(self.exact.frequencies, self.overlaps, strict=True):
            share_in_same_bucket = bucket_frequencies @ np.diagonal(overlap)
            shares.append(1 - share_in_same_bucket)
        return np.array(shares)


def compare_exact_and_sampled_buckets(
    counts: int | Sequence[int] = 6, *, seed: int = 1
) -> BucketComparison:
    """Make buckets of hands by exact and by sampled win probabilities, and compare which hands lie in which bucket.

    A *bucket* is a set of hands of similar strength. The comparison is kept in a file of the cache, because counting
    all hands takes a minute.

    Parameters
    ----------
    counts : int or sequence of int
        The number of buckets on all streets, or the numbers on each of the four streets.
    seed : int
        The seed of the random deals by which win probabilities are estimated. There are as many deals as in the paper.

    Returns
    -------
    BucketComparison
        Both kinds of buckets, and the shares of hands in each pair of them, on each street.

    Raises
    ------
    SettingError
        If `make_buckets` does not accept the numbers of buckets or the seed.
    """
    exact = make_buckets(counts, seed=seed)
    sampled = make_buckets(counts, expectations="sampled", seed=seed)
    expectations = SampledExpectations(PAPER_SAMPLES, seed)
    streets = range(len(exact.counts))

    def compute_all_overlaps() -> dict[str, Floats]:
        """Return the shares of hands in each pair of buckets, for each street by the name of its array in the file."""
        return {
            f"mixed{street}": compute_bucket_overlap(exact, sampled, expectations, street)
            for street in streets
        }

    file = name_cache_file("bucket-noise", validate_bucket_counts(counts), expectations, seed)
    arrays = load_or_make_arrays(file, compute_all_overlaps)
    overlaps = tuple(arrays[f"mixed{street}"] for street in streets)
    return BucketComparison(exact, sampled, overlaps)


def compute_bucket_overlap(
    exact: Buckets, sampled: Buckets, expectations: SampledExpectations, street: int
) -> Floats:
    """Return the share of the hands in each exact bucket that lies in each sampled bucket, on one street.

    A *bucket* is a set of hands of similar strength, by exact or by sampled win probabilities.

    Parameters
    ----------
    exact, sampled : Buckets
        The buckets by exact and by sampled win probabilities, B of each on the street. No exact bucket may be empty.
    expectations : SampledExpectations
        The sampled win probabilities.
    street : int
        The street, from 0 (before the flop) to 3 (river).

    Returns
    -------
    ndarray, shape (B, B)
        A row for each exact bucket, which sums to 1, and a column for each sampled bucket, both from the weakest.
    """
    exact_labels = assign_buckets_on_street(exact.bounds[street], ExactExpectations(), street)
    sampled_labels = assign_buckets_on_street(sampled.bounds[street], expectations, street)

    # A label is the index of a bucket. Hole cards that are also on the board are no hand: both of their labels are B.
    num_labels = exact.counts[street] + 1
    num_cells = num_labels**2
    hands_in_cells = np.zeros(num_cells)
    for rows in iterate_row_batches(street):  # all hands at once would need too much memory
        # A pair of labels becomes one number, the index of its cell in a matrix that is written row by row.
        cells = exact_labels[rows].astype(np.int64) * num_labels + sampled_labels[rows]
        weights = count_hands_of_entries(street, rows)
        hands_in_cells += np.bincount(cells.ravel(), weights.ravel(), num_cells)

    hands = hands_in_cells.reshape(num_labels, num_labels)
    hands_in_buckets = hands[:-1, :-1]  # without the label B of what is no hand
    return np.asarray(hands_in_buckets / hands_in_buckets.sum(axis=1, keepdims=True))


def measure_losses_by_tree_search(
    agents: Sequence[str],
    searches: Sequence[tuple[float, int, int, bool]],
    seeds: Sequence[int],
) -> Rows:
    """Measure what tree searches win from agents of limit hold'em, with a row for each agent and each search.

    Parameters
    ----------
    agents : sequence of str
        The names of the agents, as `make_agent` takes them.
    searches : sequence of (float, int, int, bool)
        For each search: the exploration constant C in small bets, the depth, the number of playouts, and whether equal
        states are merged.
    seeds : sequence of int
        The seeds with which each search is repeated.

    Returns
    -------
    list of tuple
        The index of the agent; the four entries of the search; the mean winnings over the seeds with their standard
        error, and the exact exploitability, all in small bets; and the seconds of one search.
    """
    game = make_six_bucket_game()
    rows: Rows = []
    for agent_index, name in enumerate(agents):
        exact = game.nash_conv(make_agent(name))
        for exploration, depth, playouts, merged in searches:
            config = replace(
                BY_SEARCH, exploration=exploration, depth=depth, playouts=playouts, merged=merged
            )
            search = make_tree_search(config, game)

            begin = time.process_time()
            winnings = [
                search.exploitability(game, make_agent(name), seed=seed).value for seed in seeds
            ]
            seconds_of_a_search = (time.process_time() - begin) / len(seeds)

            estimate = SearchEstimate.from_runs(np.array(winnings), seeds[0])
            setting = (agent_index, exploration, depth, playouts, merged)
            result = (estimate.value, estimate.standard_error, exact, seconds_of_a_search)
            rows.append(setting + result)
    return rows


def measure_losses_by_repeated_search(
    champions: Sequence[str], judges: Sequence[tuple[int, bool, int]], seeds: Sequence[int]
) -> Rows:
    """Measure what tree searches with new random numbers win from the best agents of recorded evolutions.

    There is a row for each evolution and each search.

    Parameters
    ----------
    champions : sequence of str
        The names of the evolutions in `RECORDED`. Each is run again to its end, where its best agent is taken.
    judges : sequence of (int, bool, int)
        For each search: the number of playouts, whether equal states are merged, and the number of repetitions.
    seeds : sequence of int
        The seeds of the repetitions. A search with fewer repetitions uses the first of them.

    Returns
    -------
    list of tuple
        The index of the evolution; the number of playouts and whether states are merged; the mean winnings over the
        repetitions with their standard error; what the search of the evolution reported; and the exact exploitability.
        The last four are in small bets.
    """
    rows: Rows = []
    for champion_index, name in enumerate(champions):
        config = RECORDED[name]
        coevolution: Any = samothrakis2011_holdem.make_solver(config)
        state = coevolution.step(coevolution.init(), config.iterations)
        reported, exact = state.best_value, state.exact_value
        for playouts, merged, num_repetitions in judges:
            search_config = replace(config, playouts=playouts, merged=merged)
            search = make_tree_search(search_config, state.game)
            winnings = [
                search.exploitability(state.game, state.profile, seed=seed).value
                for seed in seeds[:num_repetitions]
            ]

            estimate = SearchEstimate.from_runs(np.array(winnings), seeds[0])
            setting = (champion_index, playouts, merged)
            result = (estimate.value, estimate.standard_error, reported, exact)
            rows.append(setting + result)
    return rows


def list_genes_of_champions(champions: Sequence[str]) -> Rows:
    """Return the genes of the best agents of recorded evolutions, with a row for each gene.

    Parameters
    ----------
    champions : sequence of str
        The names of the evolutions in `RECORDED`. Each is run again to its end, where its best agent is taken.

    Returns
    -------
    list of tuple
        The index of the evolution, and the gene.
    """
    rows: Rows = []
    for champion_index, name in enumerate(champions):
        coevolution: Any = samothrakis2011_holdem.make_solver(RECORDED[name])
        state = coevolution.step(coevolution.init(), RECORDED[name].iterations)
        rows.extend((champion_index, gene) for gene in state.best)
    return rows


def measure_losses_to_real_cards(
    agents: Sequence[str], whole: Sequence[str], flops: int, deals: int, seed: int
) -> Rows:
    """Measure what limit hold'em agents that see only buckets of hands lose to opponents who see real cards.

    There is a row for each agent, by a sample of flops, and then one for each agent in `whole`, by all flops.

    Parameters
    ----------
    agents : sequence of str
        The names of the agents, as `load_or_compute_agent_strategy` takes them.
    whole : sequence of str
        The agents among them that are measured on all flops, too.
    flops : int
        The number of flops in the sample.
    deals : int
        The number of deals on which a local best response plays.
    seed : int
        The seed of these deals.

    Returns
    -------
    list of tuple
        The index of the agent; the number of flops; the exact exploitability by opponents who see only buckets; the
        winnings of a local best response with their standard error; and the winnings of a best response with real
        cards, with their standard error and bias. Amounts are small bets.
    """
    on_sampled_flops: list[tuple[str, int | None]] = [(name, flops) for name in agents]
    on_all_flops: list[tuple[str, int | None]] = [(name, None) for name in whole]
    rows: Rows = []
    for name, num_flops in on_sampled_flops + on_all_flops:
        profile, folder = load_or_compute_agent_strategy(name)
        loss_in_buckets = profile.game.nash_conv(profile)
        local = local_best_response(profile, deals, seed=seed)
        real = compute_worst_case_with_real_cards(profile, folder, num_flops)

        setting = (agents.index(name), real.num_flops)
        loss_to_local_response = (local.value, local.standard_error)
        # Errors are in milli big blinds, a mean over both seats; so they become small bets, summed over both.
        loss_to_real_response = (real.small_bets, real.error / TO_MBB, real.bias / TO_MBB)
        rows.append((*setting, loss_in_buckets, *loss_to_local_response, *loss_to_real_response))
    return rows


def measure_exploitability_by_choice(
    choices: Sequence[dict[str, Any]], seeds: Sequence[int]
) -> Rows:
    """Measure the exploitability that evolutions of limit hold'em agents reach, for several choices of the procedure.

    Exact best responses judge the agents. There is a row for each choice and each seed.

    Parameters
    ----------
    choices : sequence of dict
        For each choice, the new values of settings of the paper's `Config`, by name.
    seeds : sequence of int
        The seeds of the evolutions of each choice.

    Returns
    -------
    list of tuple
        The index of the choice, the seed, and the exact exploitability of the evolved agent in small bets.
    """
    rows: Rows = []
    for choice_index, choice in enumerate(choices):
        for seed in seeds:
            config = samothrakis2011_holdem.Config(**{**choice, "seed": seed})
            exploitability = make_six_bucket_game().nash_conv(evolve_profile(config))
            rows.append((choice_index, seed, exploitability))
    return rows


def measure_misplaced_hands(counts: Sequence[int], seed: int) -> Rows:
    """Measure which share of hands lies in a wrong bucket, if win probabilities are estimated from random deals.

    A *bucket* is a set of hands of similar strength. There are as many deals as in the paper. There is a row for each
    number of buckets and each street.

    Parameters
    ----------
    counts : sequence of int
        Several numbers of buckets on each street.
    seed : int
        The seed of the random deals.

    Returns
    -------
    list of tuple
        The number of buckets; the street from 0 to 3; the number of deals from which the win probability of a hand is
        estimated; and the share of hands in a wrong bucket.
    """
    rows: Rows = []
    for num_buckets in counts:
        comparison = compare_exact_and_sampled_buckets(num_buckets, seed=seed)
        misplaced_shares = comparison.misplaced_shares
        for street, num_deals in enumerate(PAPER_SAMPLES):
            rows.append((num_buckets, street, num_deals, misplaced_shares[street]))
    return rows


def measure_exploitability_by_num_buckets(counts: Sequence[int]) -> Rows:
    """Measure how small exploitability can be in limit hold'em, with a row for each number of buckets on a street.

    A *bucket* is a set of hands of similar strength, which a strategy does not distinguish.

    Parameters
    ----------
    counts : sequence of int
        Several numbers of buckets on each street.

    Returns
    -------
    list of tuple
        The number of buckets; the smallest exploitability of a strategy in the form of the paper's agents
        (`TupleTable`); the exploitability of the average strategy of CFR+; and the value of the game for the button.
        Amounts are small bets.
    """
    rows: Rows = []
    for num_buckets in counts:
        game = samothrakis2011_holdem.make_game(num_buckets)
        solved = run_cfr_plus(game)
        smallest = game.nash_conv(minimize_exploitability(game))
        button_value = float(game.values(solved)[0])
        rows.append((num_buckets, smallest, game.nash_conv(solved), button_value))
    return rows


def measure_exploitability_by_game(games: Sequence[tuple[str, int]]) -> Rows:
    """Measure the exploitability of four strategies in variants of limit hold'em with six buckets of hands.

    There is a row for each variant.

    Parameters
    ----------
    games : sequence of (str, int)
        For each variant: the kind of win probabilities by which hands are sorted into buckets, from 'exact' or
        'sampled' deals, and the largest number of bets on a street.

    Returns
    -------
    list of tuple
        The index of the variant; its number of public nodes; the exploitability of always calling, of an evolved agent,
        of the best strategy in the form of the paper's agents (`TupleTable`), and of the average strategy of CFR+; and
        the value of the game for the button. Amounts are small bets.
    """
    rows: Rows = []
    for variant_index, (deals, raise_cap) in enumerate(games):
        game = samothrakis2011_holdem.make_game(BUCKETS, deals=deals, raise_cap=raise_cap)

        # The evolved agent has the settings of a recorded one, which exact best responses judged.
        config = replace(RECORDED["exact-sigmoid"], deals=deals, raise_cap=raise_cap)
        evolved = evolve_profile(config)
        descended = minimize_exploitability(game)
        solved = run_cfr_plus(game)

        profiles = (game.always_call(), evolved, descended, solved)
        exploitabilities = [game.nash_conv(profile) for profile in profiles]
        button_value = float(game.values(solved)[0])
        rows.append((variant_index, game.tree.num_nodes, *exploitabilities, button_value))
    return rows


GRADIENT_STEPS = {"evolution": samothrakis2011_holdem.GRADIENT, "step_size": 0.1}
CHOICES: list[dict[str, Any]] = [
    {"positive": "absolute"},
    {"positive": "absolute", "evolution": "CSA-ES, equal weights"},
    {"positive": "clipped"},
    {"positive": "sigmoid", "step_size": 1.0},
    {"positive": "softmax", "step_size": 1.0},
    {"positive": "softmax", "step_size": 1.0, "evolution": "CSA-ES, equal weights"},
    {"positive": "softmax", **GRADIENT_STEPS},
    {"positive": "clipped", "fitness": "seat by seat"},
    {"positive": "softmax", "step_size": 1.0, "fitness": "seat by seat"},
    {"positive": "softmax", **GRADIENT_STEPS, "fitness": "seat by seat"},
]
"""Choices of encoding, evolution and fitness that differ from the paper's, as new values of settings of `Config`."""
BETS = "small bets"
REAL_AGENTS = [
    "always fold",
    "always call",
    "always raise",
    OURS,
    "evolved longer",
    "descent",
    "regret minimization",
    *CFR_AGENTS,
    *LOCALLY_JUDGED_AGENTS,
]
"""The agents that play against an opponent who sees real cards."""
ALL_FLOPS_AGENTS = ["always call", "always raise", "regret minimization"]
"""The agents among them that are measured on all flops, too."""
SEARCHES = [
    *(
        [exploration, depth, 1000, True]
        for depth in (3, 5, 7, 8, 9, 10)
        for exploration in (0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 20, LARGE_C)
    ),
    *([exploration, 9, playouts, True] for playouts in (10, 100) for exploration in (1.5, LARGE_C)),
    *(
        [exploration, 9, playouts, False]
        for playouts in (100, 1000)
        for exploration in (1.5, LARGE_C)
    ),
]
"""The exploration constant C, the depth, the number of playouts of each search, and whether it merges equal states."""
REPEATED_SEARCHES = [
    [100, True, 20],
    [1000, True, 20],
    [10000, True, 5],
    [100, False, 5],
    [1000, False, 3],
]
"""The number of playouts of each search, whether it merges equal states, and the number of its repetitions."""
TABLES = {
    table.name: table
    for table in (
        RecordedTable(
            name="samothrakis-2011-search",
            columns={
                "agent": "",
                "exploration": BETS,
                "depth": "levels",
                "playouts": "playouts",
                "merged": "",
                "found": BETS,
                "standard_error": BETS,
                "exact": BETS,
                "seconds": "seconds of one core",
            },
            settings={
                "agents": [OURS, "always call"],
                "searches": SEARCHES,
                "seeds": [1, 2, 3],
            },
            measure_rows=measure_losses_by_tree_search,
        ),
        RecordedTable(
            name="samothrakis-2011-judges",
            columns={
                "champion": "",
                "playouts": "playouts",
                "merged": "",
                "found": BETS,
                "standard_error": BETS,
                "believed": BETS,
                "exact": BETS,
            },
            settings={
                "champions": ["playouts-100-2", "playouts-1000-2"],
                "judges": REPEATED_SEARCHES,
                "seeds": list(range(101, 121)),
            },
            measure_rows=measure_losses_by_repeated_search,
        ),
        RecordedTable(
            name="samothrakis-2011-bred",
            columns={"champion": "", "gene": ""},
            settings={"champions": ["playouts-100-2"]},
            measure_rows=list_genes_of_champions,
        ),
        RecordedTable(
            name="samothrakis-2011-real-cards",
            columns={
                "agent": "",
                "flops": "flops",
                "buckets": BETS,
                "least": BETS,
                "least_error": BETS,
                "won": BETS,
                "error": BETS,
                "bias": BETS,
            },
            settings={
                "agents": REAL_AGENTS,
                "whole": ALL_FLOPS_AGENTS,
                "flops": 100,
                "deals": 1000,
                "seed": 1,
            },
            measure_rows=measure_losses_to_real_cards,
        ),
        RecordedTable(
            name="samothrakis-2011-choices",
            columns={"choice": "", "seed": "", "nash_conv": BETS},
            settings={"choices": CHOICES, "seeds": list(range(1, 21))},
            measure_rows=measure_exploitability_by_choice,
        ),
        RecordedTable(
            name="samothrakis-2011-deals",
            columns={"buckets": "buckets", "street": "", "deals": "deals", "misplaced": ""},
            settings={"counts": [6], "seed": 1},
            measure_rows=measure_misplaced_hands,
        ),
        RecordedTable(
            name="samothrakis-2011-buckets",
            columns={"buckets": "buckets", "floor": BETS, "nash_conv": BETS, "value": BETS},
            settings={"counts": [2, 4, 6, 8]},
            measure_rows=measure_exploitability_by_num_buckets,
        ),
        RecordedTable(
            name="samothrakis-2011-games",
            columns={
                "game": "",
                "nodes": "public nodes",
                "always_call": BETS,
                "evolved": BETS,
                "floor": BETS,
                "nash_conv": BETS,
                "value": BETS,
            },
            settings={"games": [["exact", 4], ["sampled", 4], ["exact", 3], ["exact", 5]]},
            measure_rows=measure_exploitability_by_game,
        ),
    )
}
"""All tables, by the name of the file.

The names of the settings of a table are those of the parameters of its function. They are recorded in the file, so
neither can be renamed.
"""


def load_recorded_table(name: str) -> History:
    """Return one of the recorded `TABLES` of results; if it has no file, it is measured first, which takes minutes.

    Parameters
    ----------
    name : str
        The name of the file without 'samothrakis-2011-' and without its ending, such as 'search'.

    Returns
    -------
    History
        The columns, whose units are in `TABLES`, and the settings in the provenance.

    Raises
    ------
    KeyError
        If there is no such table.
    """
    return TABLES[f"samothrakis-2011-{name}"].load_or_measure()
