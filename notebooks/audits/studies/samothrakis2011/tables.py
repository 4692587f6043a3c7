"""Tables of results about limit hold'em that take minutes to measure: measured once, and recorded in `data/runs`.

The paper is Samothrakis & Lucas (2011), section 4.2. `TABLES` lists the tables, and `load_table` returns one of them.
Each is a `Recording`: the columns, the settings, and the function of the settings that returns the rows.

One of them is about *sampling noise*. The paper sorts hands into buckets by win probabilities that are estimated from
random deals. With few deals, a hand that was unlucky lies in too low a bucket. Then buckets overlap, hands seem to move
between buckets more than they do, and a higher bucket wins less surely at the showdown (`SamplingNoise`).
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
    checked_counts,
    find_buckets_of_street,
    make_buckets,
    name_cache_file,
)
from pokerlab.holdem.hand_expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    SampledExpectations,
    count_hands,
    iterate_row_blocks,
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
from pokerlab.solvers.belief_search import SearchEstimate
from studies.samothrakis2011.real_run import (
    CFR_AGENTS,
    LOCALLY_JUDGED_AGENTS,
    load_strategy,
    measure_worst_case,
)

Rows: TypeAlias = list[Sequence[float]]
"""A sequence of numbers for each row of a table, in the order of its columns."""


@dataclass(frozen=True)
class Recording:
    """A table that takes minutes to measure, and is kept in a file.

    Attributes
    ----------
    name : str
        The name of the file without its ending.
    columns : dict of str to str
        The unit of each column, by name.
    settings : dict of str to any
        The arguments of `measure`, which decide the numbers. They are recorded in the file.
    measure : callable
        The function that returns the rows of the table.
    """

    name: str
    columns: dict[str, str]
    settings: dict[str, Any]
    measure: Callable[..., Rows]

    def load(self, folder: str | Path = RUNS) -> History:
        """Return the table from its file. If there is no file in the folder, measure the table and write it first.

        CheckpointError is raised if the file has other columns or settings.
        """
        decisive = {"settings": convert_to_json_values(self.settings)}
        return load_or_make_history(
            self.name, self.measure_table, decisive, self.columns, folder=folder
        )

    def measure_table(self) -> History:
        """Measure the table now, and return it with its settings and the seconds of computing time."""
        begin = time.process_time()
        rows = self.measure(**self.settings)
        seconds = round(time.process_time() - begin, 1)
        provenance = {
            "settings": convert_to_json_values(self.settings),
            "seconds": seconds,
            **describe_versions(),
        }
        return History.from_rows(tuple(self.columns), rows, self.columns, provenance)


@dataclass(frozen=True, eq=False)
class SamplingNoise:
    """Buckets by exact and by sampled win probabilities, and how hands move between them.

    Attributes
    ----------
    exact, sampled : Buckets
        The buckets by both kinds of win probabilities.
    mixed : tuple of ndarray, shape (B, B)
        For each street with B buckets, the share of the hands in each exact bucket (rows) that lies in each sampled
        bucket (columns).
    """

    exact: Buckets
    sampled: Buckets
    mixed: tuple[Floats, ...]

    @property
    def misplaced(self) -> Floats:
        """The share of all hands whose sampled bucket is not the exact one, by street, shape (4,)."""
        shares = []
        for frequencies, mixed in zip(self.exact.frequencies, self.mixed, strict=True):
            unmoved = frequencies @ np.diagonal(mixed)
            shares.append(1 - unmoved)
        return np.array(shares)


def measure_sampling_noise(counts: int | Sequence[int] = 6, *, seed: int = 1) -> SamplingNoise:
    """Make buckets by exact and by sampled win probabilities, and count the hands that move between them.

    What is counted is kept in the cache, as the buckets are. Errors are those of `make_buckets`.

    Parameters
    ----------
    counts : int or sequence of int
        The number of buckets, on all streets or on each.
    seed : int
        The seed of the random deals.
    """
    exact = make_buckets(counts, seed=seed)
    sampled = make_buckets(counts, expectations="sampled", seed=seed)
    expectations = SampledExpectations(PAPER_SAMPLES, seed)
    num_streets = len(exact.counts)

    def compare_all_streets() -> dict[str, Floats]:
        return {
            f"mixed{street}": compare_buckets(exact, sampled, expectations, street)
            for street in range(num_streets)
        }

    file = name_cache_file("bucket-noise", checked_counts(counts), expectations, seed)
    arrays = load_or_make_arrays(file, compare_all_streets)
    mixed = tuple(arrays[f"mixed{street}"] for street in range(num_streets))
    return SamplingNoise(exact, sampled, mixed)


def compare_buckets(
    exact: Buckets, sampled: Buckets, expectations: SampledExpectations, street: int
) -> Floats:
    """Return the share of the hands in each exact bucket that lies in each sampled bucket, shape (B, B).

    Parameters
    ----------
    exact, sampled : Buckets
        Two kinds of buckets, with B buckets each on the street.
    expectations : SampledExpectations
        The sampled win probabilities.
    street : int
        The street, from 0 (before the flop) to 3 (river).
    """
    exact_labels = find_buckets_of_street(exact.bounds[street], ExactExpectations(), street)
    sampled_labels = find_buckets_of_street(sampled.bounds[street], expectations, street)

    # Where the holding and the board share a card, both labels are one more than the last bucket.
    num_labels = exact.counts[street] + 1
    hands = np.zeros(num_labels**2)
    for rows in iterate_row_blocks(street):
        # A pair of labels is counted as one number, the place of its cell in a matrix.
        cells = exact_labels[rows].astype(np.int64) * num_labels + sampled_labels[rows]
        weights = count_hands(street, rows)
        hands += np.bincount(cells.ravel(), weights.ravel(), num_labels**2)
    possible_hands = hands.reshape(num_labels, num_labels)[:-1, :-1]
    return np.asarray(possible_hands / possible_hands.sum(axis=1, keepdims=True))


def measure_by_search(
    agents: Sequence[str], searches: Sequence[Sequence[Any]], seeds: Sequence[int]
) -> Rows:
    """Return what tree searches win from agents, a row for each agent and each search.

    Parameters
    ----------
    agents : sequence of str
        The names of the agents.
    searches : sequence of (float, int, int, bool)
        The exploration constant C in small bets, the depth, the number of playouts, and whether equal states are
        merged, for each search.
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
    for number, name in enumerate(agents):
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
            seconds = (time.process_time() - begin) / len(seeds)
            estimate = SearchEstimate.from_runs(np.array(winnings), seeds[0])
            setting = (number, exploration, depth, playouts, merged)
            result = (estimate.value, estimate.standard_error, exact, seconds)
            rows.append(setting + result)
    return rows


def measure_by_judge(
    champions: Sequence[str], judges: Sequence[Sequence[Any]], seeds: Sequence[int]
) -> Rows:
    """Return what searches with new random numbers win from champions of recorded evolutions, a row for each pair.

    Parameters
    ----------
    champions : sequence of str
        The names of evolutions in `RECORDED`, each of which is run again to its end.
    judges : sequence of (int, bool, int)
        The number of playouts, whether equal states are merged, and the number of repetitions, for each search.
    seeds : sequence of int
        The seeds of the repetitions.

    Returns
    -------
    list of tuple
        The index of the champion; the number of playouts and whether states are merged; the mean winnings over the
        repetitions with their standard error; what the search of the evolution reported; and the exact exploitability,
        all in small bets.
    """
    rows: Rows = []
    for number, name in enumerate(champions):
        config = RECORDED[name]
        coevolution: Any = samothrakis2011_holdem.make_solver(config)
        state = coevolution.step(coevolution.init(), config.iterations)
        for playouts, merged, repetitions in judges:
            judge_config = replace(config, playouts=playouts, merged=merged)
            search = make_tree_search(judge_config, state.game)
            winnings = [
                search.exploitability(state.game, state.profile, seed=seed).value
                for seed in seeds[:repetitions]
            ]
            estimate = SearchEstimate.from_runs(np.array(winnings), seeds[0])
            setting = (number, playouts, merged)
            result = (estimate.value, estimate.standard_error, state.best_value, state.exact_value)
            rows.append(setting + result)
    return rows


def measure_by_real_cards(
    agents: Sequence[str], whole: Sequence[str], flops: int, deals: int, seed: int
) -> Rows:
    """Return what agents lose in the game of buckets, and to opponents who see real cards.

    There is a row for each agent, by a sample of flops, and then one for each agent in `whole`, by all flops.

    Parameters
    ----------
    agents : sequence of str
        The names of the agents.
    whole : sequence of str
        Those of them that are measured by all flops, too.
    flops : int
        The number of flops in the sample.
    deals : int
        The number of deals of the local best response.
    seed : int
        The seed of these deals.

    Returns
    -------
    list of tuple
        The index of the agent; the number of flops; the exact exploitability in buckets; the winnings of a local best
        response with their standard error; and those of a best response with real cards, with their standard error and
        bias, all in small bets.
    """
    sampled: list[tuple[str, int | None]] = [(name, flops) for name in agents]
    complete: list[tuple[str, int | None]] = [(name, None) for name in whole]
    rows: Rows = []
    for name, num_flops in sampled + complete:
        profile, folder = load_strategy(name)
        local = local_best_response(profile, deals, seed=seed)
        real = measure_worst_case(profile, folder, num_flops)
        setting = (agents.index(name), real.num_flops)
        in_buckets = profile.game.nash_conv(profile)
        lower_bound = (local.value, local.standard_error)
        worst_case = (real.small_bets, real.error / TO_MBB, real.bias / TO_MBB)
        rows.append((*setting, in_buckets, *lower_bound, *worst_case))
    return rows


def measure_by_choice(choices: Sequence[dict[str, Any]], seeds: Sequence[int]) -> Rows:
    """Return the exploitability that evolutions reach with the paper's budget, by exact judges.

    Parameters
    ----------
    choices : sequence of dict
        The settings of `Config` that each choice changes.
    seeds : sequence of int
        The seeds of its evolutions.

    Returns
    -------
    list of tuple
        The index of the choice, the seed, and the exploitability in small bets.
    """
    rows: Rows = []
    for number, choice in enumerate(choices):
        for seed in seeds:
            config = samothrakis2011_holdem.Config(**{**choice, "seed": seed})
            exploitability = make_six_bucket_game().nash_conv(evolve_profile(config))
            rows.append((number, seed, exploitability))
    return rows


def measure_by_deals(counts: Sequence[int], seed: int) -> Rows:
    """Return the share of hands in a wrong bucket, if win probabilities are from the paper's numbers of deals.

    Parameters
    ----------
    counts : sequence of int
        Numbers of buckets on each street.
    seed : int
        The seed of the random deals.

    Returns
    -------
    list of tuple
        The number of buckets, the street, the number of deals for each hand on it, and the share.
    """
    rows: Rows = []
    for count in counts:
        misplaced = measure_sampling_noise(count, seed=seed).misplaced
        for street, num_deals in enumerate(PAPER_SAMPLES):
            rows.append((count, street, num_deals, misplaced[street]))
    return rows


def measure_by_buckets(counts: Sequence[int]) -> Rows:
    """Return what can be reached in games with other numbers of buckets on each street, a row for each of `counts`.

    Returns
    -------
    list of tuple
        The number of buckets, the smallest exploitability of a strategy with the paper's table, the exploitability of
        CFR+'s average, and the value of the game for the button, in small bets.
    """
    rows: Rows = []
    for count in counts:
        game = samothrakis2011_holdem.make_game(count)
        solved = run_cfr_plus(game)
        smallest = game.nash_conv(minimize_exploitability(game))
        button_value = float(game.values(solved)[0])
        rows.append((count, smallest, game.nash_conv(solved), button_value))
    return rows


def measure_by_game(games: Sequence[Sequence[Any]]) -> Rows:
    """Return what can be reached in games with other win probabilities or another cap of bets, a row for each game.

    Parameters
    ----------
    games : sequence of (str, int)
        The kind of deals ('exact' or 'sampled') and the largest number of bets on a street, for each game.

    Returns
    -------
    list of tuple
        The index of the game; its number of public nodes; the exploitability of always calling, of an evolved agent,
        of the best strategy with the paper's table, and of CFR+'s average; and the value of the game for the button.
    """
    rows: Rows = []
    for number, (deals, cap) in enumerate(games):
        game = samothrakis2011_holdem.make_game(BUCKETS, deals=deals, raise_cap=cap)
        config = replace(RECORDED["exact-sigmoid"], deals=deals, raise_cap=cap)
        evolved = evolve_profile(config)
        descended = minimize_exploitability(game)
        solved = run_cfr_plus(game)
        profiles = (game.always_call(), evolved, descended, solved)
        exploitabilities = [game.nash_conv(profile) for profile in profiles]
        button_value = float(game.values(solved)[0])
        rows.append((number, game.tree.num_nodes, *exploitabilities, button_value))
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
"""Choices of encoding, evolution and fitness that differ from the paper's, as changes of `Config`."""
BETS = "small bets"
REAL_AGENTS = [
    *("always fold", "always call", "always raise", OURS, "evolved longer", "descent"),
    *("regret minimization", *CFR_AGENTS, *LOCALLY_JUDGED_AGENTS),
]
"""The agents that play against an opponent who sees real cards."""
ALL_FLOPS_AGENTS = ["always call", "always raise", "regret minimization"]
"""Those of them that are measured by all flops, too."""
TABLES = {
    table.name: table
    for table in (
        Recording(
            "samothrakis-2011-search",
            {
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
            {
                "agents": [OURS, "always call"],
                "searches": [
                    *(
                        [c, d, 1000, True]
                        for d in (3, 5, 7, 8, 9, 10)
                        for c in (0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 20, LARGE_C)
                    ),
                    *([c, 9, n, True] for n in (10, 100) for c in (1.5, LARGE_C)),
                    *([c, 9, n, False] for n in (100, 1000) for c in (1.5, LARGE_C)),
                ],
                "seeds": [1, 2, 3],
            },
            measure_by_search,
        ),
        Recording(
            "samothrakis-2011-judges",
            {
                "champion": "",
                "playouts": "playouts",
                "merged": "",
                **dict.fromkeys(("found", "standard_error", "believed", "exact"), BETS),
            },
            {
                "champions": ["playouts-100-2", "playouts-1000-2"],
                "judges": [
                    *([100, True, 20], [1000, True, 20], [10000, True, 5]),
                    *([100, False, 5], [1000, False, 3]),
                ],
                "seeds": list(range(101, 121)),
            },
            measure_by_judge,
        ),
        Recording(
            "samothrakis-2011-real-cards",
            {
                "agent": "",
                "flops": "flops",
                **dict.fromkeys(("buckets", "least", "least_error"), BETS),
                **dict.fromkeys(("won", "error", "bias"), BETS),
            },
            {
                "agents": REAL_AGENTS,
                "whole": ALL_FLOPS_AGENTS,
                "flops": 100,
                "deals": 1000,
                "seed": 1,
            },
            measure_by_real_cards,
        ),
        Recording(
            "samothrakis-2011-choices",
            {"choice": "", "seed": "", "nash_conv": BETS},
            {"choices": CHOICES, "seeds": list(range(1, 21))},
            measure_by_choice,
        ),
        Recording(
            "samothrakis-2011-deals",
            {"buckets": "buckets", "street": "", "deals": "deals", "misplaced": ""},
            {"counts": [6], "seed": 1},
            measure_by_deals,
        ),
        Recording(
            "samothrakis-2011-buckets",
            {"buckets": "buckets", "floor": BETS, "nash_conv": BETS, "value": BETS},
            {"counts": [2, 4, 6, 8]},
            measure_by_buckets,
        ),
        Recording(
            "samothrakis-2011-games",
            {
                "game": "",
                "nodes": "public nodes",
                "always_call": BETS,
                "evolved": BETS,
                "floor": BETS,
                "nash_conv": BETS,
                "value": BETS,
            },
            {"games": [["exact", 4], ["sampled", 4], ["exact", 3], ["exact", 5]]},
            measure_by_game,
        ),
    )
}
"""All tables, by the name of the file."""


def load_table(name: str) -> History:
    """Return one of the `TABLES` from its file, given by the end of its name, such as 'search'."""
    return TABLES[f"samothrakis-2011-{name}"].load()
