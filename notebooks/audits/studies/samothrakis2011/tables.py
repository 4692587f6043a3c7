"""Samothrakis & Lucas (2011), limit hold'em: what takes minutes to measure, measured once and recorded.

When win probabilities are estimated from few random deals, a hand that was unlucky in its deals lies in
too low a bucket, next to hands that are worse. So buckets overlap, hands seem to move between them more
than they do, and at the showdown a higher bucket wins less surely: `sampling_noise`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.cache import load_or_make_arrays
from pokerlab.holdem.buckets import (
    Buckets,
    checked_counts,
    label_street,
    make_buckets,
    name_cache_file,
)
from pokerlab.holdem.hand_expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    SampledExpectations,
    count_hands,
    split_rows,
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
from studies.samothrakis2011.real_run import LOCALLY, SOLVED, load_strategy, measure_worst_case


@dataclass(frozen=True)
class Recording:
    """A table that takes minutes to measure: its columns by unit, what decides the numbers, from that to rows."""

    name: str
    columns: dict[str, str]
    settings: dict[str, Any]
    measure: Callable[..., list[Sequence[float]]]

    def history(self, folder: str | Path = RUNS) -> History:
        """Return the table, as `load_or_make_history` does."""
        about = {"settings": convert_to_json_values(self.settings)}
        return load_or_make_history(self.name, self.measured, about, self.columns, folder=folder)

    def measured(self) -> History:
        """Return the table, measured now."""
        begin = time.process_time()
        rows = self.measure(**self.settings)
        seconds = round(time.process_time() - begin, 1)
        about = {
            "settings": convert_to_json_values(self.settings),
            "seconds": seconds,
            **describe_versions(),
        }
        return History.from_rows(tuple(self.columns), rows, self.columns, about)


@dataclass(frozen=True, eq=False)
class SamplingNoise:
    """Buckets by exact and by sampled win probabilities, side by side.

    `mixed` has for the hands in each exact bucket, in rows, the share that lies in each sampled one, street by street.
    """

    exact: Buckets
    sampled: Buckets
    mixed: tuple[Floats, ...]

    @property
    def misplaced(self) -> Floats:
        """The share of all hands that lie in another bucket, by street, shape (4,)."""
        return np.array(
            [
                1 - chances @ np.diagonal(mixed)
                for chances, mixed in zip(self.exact.frequencies, self.mixed, strict=True)
            ]
        )


def measure_sampling_noise(counts: int | Sequence[int] = 6, *, seed: int = 1) -> SamplingNoise:
    """Make buckets both ways, and count which hands the deals put into another bucket.

    Parameters and errors are those of `make_buckets`; what was counted is kept as the buckets are.
    """
    exact = make_buckets(counts, seed=seed)
    sampled = make_buckets(counts, expectations="sampled", seed=seed)
    way = SampledExpectations(PAPER_SAMPLES, seed)
    arrays = load_or_make_arrays(
        name_cache_file("bucket-noise", checked_counts(counts), way, seed),
        lambda: {
            f"mixed{r}": compare_buckets(exact, sampled, way, r) for r in range(len(exact.counts))
        },
    )
    return SamplingNoise(exact, sampled, tuple(arrays[f"mixed{r}"] for r in range(len(arrays))))


def compare_buckets(
    exact: Buckets, sampled: Buckets, way: SampledExpectations, street: int
) -> Floats:
    """Return the share of each exact bucket's hands that lies in each sampled one, (B_r, B_r)."""
    one = label_street(exact.bounds[street], ExactExpectations(), street)
    two = label_street(sampled.bounds[street], way, street)
    # Where holding and board share a card, both labels are one more than the last bucket.
    size = exact.counts[street] + 1
    hands = np.zeros(size**2)
    for which in split_rows(street):
        both = one[which].astype(np.int64) * size + two[which]
        hands += np.bincount(both.ravel(), count_hands(street, which).ravel(), size**2)
    together = hands.reshape(size, size)[:-1, :-1]
    return np.asarray(together / together.sum(axis=1, keepdims=True))


def measure_by_search(
    agents: Sequence[str], searches: Sequence[Sequence[Any]], seeds: Sequence[int]
) -> list[Sequence[float]]:
    """Return what tree searches find against agents, rows as in `SEARCHED`; each search is repeated."""
    rows: list[Sequence[float]] = []
    for number, name in enumerate(agents):
        exact = make_six_bucket_game().nash_conv(make_agent(name))
        for c, depth, playouts, merged in searches:
            settings = replace(
                BY_SEARCH, exploration=c, depth=depth, playouts=playouts, merged=merged
            )
            search = make_tree_search(settings, make_six_bucket_game())
            begin = time.process_time()
            found = [
                search.exploitability(make_six_bucket_game(), make_agent(name), seed=s).value
                for s in seeds
            ]
            seconds = (time.process_time() - begin) / len(seeds)
            about = SearchEstimate.from_runs(np.array(found), seeds[0])
            value, error = about.value, about.standard_error
            rows.append((number, c, depth, playouts, merged, value, error, exact, seconds))
    return rows


def measure_by_judge(
    champions: Sequence[str], judges: Sequence[Sequence[Any]], seeds: Sequence[int]
) -> list[Sequence[float]]:
    """Return what judges with luck of their own find of champions that a search has bred, a row for each pair."""
    rows: list[Sequence[float]] = []
    for number, name in enumerate(champions):
        coevolution: Any = samothrakis2011_holdem.make_solver(RECORDED[name])
        state = coevolution.step(coevolution.init(), RECORDED[name].iterations)
        for playouts, merged, repeats in judges:
            settings = replace(RECORDED[name], playouts=playouts, merged=merged)
            search = make_tree_search(settings, state.game)
            once = partial(search.exploitability, state.game, state.profile)
            found = np.array([once(seed=seed).value for seed in seeds[:repeats]])
            about = SearchEstimate.from_runs(found, seeds[0])
            measured = about.value, about.standard_error, state.best_value, state.exact_value
            rows.append((number, playouts, merged, *measured))
    return rows


def measure_by_real_cards(
    agents: Sequence[str], whole: Sequence[str], flops: int, deals: int, seed: int
) -> list[Sequence[float]]:
    """Return what agents lose in buckets and with real cards: by a sample of flops each, then some by all of them."""
    rows: list[Sequence[float]] = []
    for name, size in [*((name, flops) for name in agents), *((name, None) for name in whole)]:
        profile, home = load_strategy(name)
        least = local_best_response(profile, deals, seed=seed)
        most = measure_worst_case(profile, home, size)
        about = agents.index(name), most.num_flops, profile.game.nash_conv(profile)
        found = most.small_bets, most.error / TO_MBB, most.bias / TO_MBB
        rows.append((*about, least.value, least.standard_error, *found))
    return rows


def measure_by_choice(
    choices: Sequence[dict[str, Any]], seeds: Sequence[int]
) -> list[Sequence[float]]:
    """Return what evolutions reach with the paper's budget: number of the choice, seed, exploitability."""
    rows: list[Sequence[float]] = []
    for number, choice in enumerate(choices):
        for seed in seeds:
            config = samothrakis2011_holdem.Config(**{**choice, "seed": seed})
            rows.append((number, seed, make_six_bucket_game().nash_conv(evolve_profile(config))))
    return rows


def measure_by_deals(counts: Sequence[int], seed: int) -> list[Sequence[float]]:
    """Return the share of hands that the paper's numbers of deals put into a wrong bucket."""
    noises = [measure_sampling_noise(count, seed=seed) for count in counts]
    return [
        (count, street, PAPER_SAMPLES[street], noise.misplaced[street])
        for count, noise in zip(counts, noises, strict=True)
        for street in range(len(PAPER_SAMPLES))
    ]


def measure_by_buckets(counts: Sequence[int]) -> list[Sequence[float]]:
    """Return floor, CFR+'s exploitability and the button's value for numbers of buckets."""
    rows: list[Sequence[float]] = []
    for count in counts:
        game = samothrakis2011_holdem.make_game(count)
        solved = run_cfr_plus(game)
        floor, value = game.nash_conv(minimize_exploitability(game)), float(game.values(solved)[0])
        rows.append((count, floor, game.nash_conv(solved), value))
    return rows


def measure_by_game(games: Sequence[Sequence[Any]]) -> list[Sequence[float]]:
    """Return what can be reached where win probabilities or the cap of bets differ, rows as in `BY_GAME`."""
    rows: list[Sequence[float]] = []
    for number, (deals, cap) in enumerate(games):
        game = samothrakis2011_holdem.make_game(BUCKETS, deals=deals, raise_cap=cap)
        evolved = evolve_profile(replace(RECORDED["exact-sigmoid"], deals=deals, raise_cap=cap))
        profiles = game.always_call(), evolved, minimize_exploitability(game), run_cfr_plus(game)
        value = float(game.values(profiles[-1])[0])
        rows.append((number, game.tree.num_nodes, *map(game.nash_conv, profiles), value))
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
"""The choices of encoding, evolution and fitness that differ from the paper's."""
BETS = "small bets"
WHOLE = ["always call", "always raise", "regret minimization"]
REAL = ["always fold", "always call", "always raise", OURS, "evolved longer", "descent"]
REAL += ["regret minimization", *SOLVED, *LOCALLY]
"""Agents that meet real cards, and those of them that meet all flops."""
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
            {"agents": REAL, "whole": WHOLE, "flops": 100, "deals": 1000, "seed": 1},
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
"""By the name of the file."""


def load_table(name: str) -> History:
    """Return one of `TABLES` by the end of its name, from its recording."""
    return TABLES[f"samothrakis-2011-{name}"].history()
