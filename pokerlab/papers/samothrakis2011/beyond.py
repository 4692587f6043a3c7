"""Samothrakis & Lucas (2011), limit hold'em: what takes minutes to measure, measured once and recorded."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import holdem, solvers
from pokerlab.core import StorageError, UnknownNameError
from pokerlab.holdem import BucketedProfile
from pokerlab.holdem.bucketed import local_best_response
from pokerlab.holdem.buckets.expectations import PAPER_SAMPLES
from pokerlab.papers.recorded import RUNS, kept_history
from pokerlab.papers.samothrakis2011 import holdem as samothrakis2011_holdem
from pokerlab.papers.samothrakis2011.cards_and_buckets import sampling_noise
from pokerlab.papers.samothrakis2011.holdem import (
    BY_GRADIENT,
    BY_SEARCH,
    JUDGED,
    TO_THE_FLOOR,
    WIDE,
    tree_search,
)
from pokerlab.runs import History
from pokerlab.runs.provenance import plain_values, provenance
from pokerlab.solvers.belief.search import SearchEstimate

BUCKETS = 6
LONGER = replace(TO_THE_FLOOR, iterations=500)
"""An evolution that takes some ten seconds."""
DESCENT, REGRET = 4000, 1000
"""Steps of exploitability descent and iterations of CFR+ for the agents that are compared."""
AGENTS: dict[str, Callable[[], BucketedProfile]] = {
    "always fold": lambda: six().always_fold(),
    "always call": lambda: six().always_call(),
    "always raise": lambda: six().always_raise(),
    "uniform": lambda: six().uniform(),
    "evolved, the paper's budget": lambda: evolve(BY_GRADIENT),
    "evolved longer": lambda: evolve(LONGER),
    "descent": lambda: descend(six()),
    "regret minimization": lambda: cfr_plus_average(six()),
}
"""Strategies to be compared, by name."""


def six() -> holdem.BucketedHoldem:
    """Return the paper's game."""
    return samothrakis2011_holdem.game(BUCKETS)


@cache
def agent(name: str) -> BucketedProfile:
    """Return one of the strategies that are compared.

    Raises
    ------
    UnknownNameError
        If none of `AGENTS` is called so.
    """
    UnknownNameError.check("agent", name, AGENTS)
    return AGENTS[name]()


def evolve(config: samothrakis2011_holdem.Config) -> BucketedProfile:
    """Return the best profile of an evolution."""
    solver: Any = samothrakis2011_holdem.solver(config)
    profile: BucketedProfile = solver.step(solver.init(), config.iterations).profile
    return profile


def descend(game: holdem.BucketedHoldem) -> BucketedProfile:
    """Return the least exploitable tuple table that descent of the exact gradient has met."""
    descent = solvers.ExploitabilityDescent(game)
    return descent.step(descent.init(), DESCENT).profile


def cfr_plus_average(game: holdem.BucketedHoldem) -> BucketedProfile:
    """Return CFR+'s average strategy, which distinguishes all of the betting."""
    cfr = solvers.BucketedCFR(game)
    return cfr.step(cfr.init(), REGRET).average


@dataclass(frozen=True)
class Recording:
    """A table that takes minutes to measure.

    Attributes
    ----------
    name : str
        The file's name, without its beginning and ending.
    columns : dict
        Names and units of the columns.
    settings : dict
        What decides the numbers.
    measure : Callable
        From the settings to the rows.
    """

    name: str
    columns: dict[str, str]
    settings: dict[str, Any]
    measure: Callable[..., list[Sequence[float]]]

    def history(self, folder: str | Path = RUNS) -> History:
        """Return the table, from `data/runs` if it is there; if it is not, it is measured and kept.

        Raises
        ------
        CheckpointError
            If the file was recorded with other settings or columns.
        """
        return kept_history(
            f"samothrakis-2011-{self.name}",
            self.measured,
            {"settings": plain_values(self.settings)},
            self.columns,
            folder=folder,
        )

    def measured(self) -> History:
        """Return the table, measured now."""
        begin = time.process_time()
        rows = self.measure(**self.settings)
        about = provenance(samothrakis2011_holdem.solver(BY_GRADIENT), self.settings)
        seconds = round(time.process_time() - begin, 1)
        about |= {"solver": self.measure.__name__, "parameters": {}, "seconds": seconds}
        return History.from_rows(tuple(self.columns), rows, self.columns, about)


def by_search(
    agents: Sequence[str], searches: Sequence[Sequence[Any]], seeds: Sequence[int]
) -> list[Sequence[float]]:
    """Return what tree searches find against agents, rows as in `SEARCHED`; each search is repeated."""
    rows: list[Sequence[float]] = []
    for number, name in enumerate(agents):
        exact = six().nash_conv(agent(name))
        for c, depth, playouts, merged in searches:
            settings = replace(
                BY_SEARCH, exploration=c, depth=depth, playouts=playouts, merged=merged
            )
            search = tree_search(settings, six())
            begin = time.process_time()
            found = [search.exploitability(six(), agent(name), seed=s).value for s in seeds]
            seconds = (time.process_time() - begin) / len(seeds)
            about = SearchEstimate.from_runs(np.array(found), seeds[0])
            value, error = about.value, about.standard_error
            rows.append((number, c, depth, playouts, merged, value, error, exact, seconds))
    return rows


def retired(**settings: Any) -> list[Sequence[float]]:
    """Say where the code is whose numbers stay recorded."""
    raise StorageError("data/runs/retired.csv names the last commit that measures this table.")


def by_local_reply(agents: Sequence[str], deals: int, seed: int) -> list[Sequence[float]]:
    """Return what a local best response with real cards wins against agents, and its standard error."""
    rows: list[Sequence[float]] = []
    for number, name in enumerate(agents):
        won = local_best_response(agent(name), deals, seed=seed)
        rows.append((number, won.value, won.standard_error))
    return rows


def by_choice(choices: Sequence[dict[str, Any]], seeds: Sequence[int]) -> list[Sequence[float]]:
    """Return what evolutions reach with the paper's budget: number of the choice, seed, exploitability."""
    rows: list[Sequence[float]] = []
    for number, choice in enumerate(choices):
        for seed in seeds:
            config = samothrakis2011_holdem.Config(**{**choice, "seed": seed})
            rows.append((number, seed, six().nash_conv(evolve(config))))
    return rows


def by_deals(counts: Sequence[int], seed: int) -> list[Sequence[float]]:
    """Return the share of hands that the paper's numbers of deals put into a wrong bucket."""
    noises = [sampling_noise(count, seed=seed) for count in counts]
    return [
        (count, street, PAPER_SAMPLES[street], noise.misplaced[street])
        for count, noise in zip(counts, noises, strict=True)
        for street in range(len(PAPER_SAMPLES))
    ]


def by_buckets(counts: Sequence[int]) -> list[Sequence[float]]:
    """Return floor, CFR+'s exploitability and the button's value for numbers of buckets."""
    rows: list[Sequence[float]] = []
    for count in counts:
        game = samothrakis2011_holdem.game(count)
        solved = cfr_plus_average(game)
        floor, value = game.nash_conv(descend(game)), float(game.values(solved)[0])
        rows.append((count, floor, game.nash_conv(solved), value))
    return rows


def by_game(games: Sequence[Sequence[Any]]) -> list[Sequence[float]]:
    """Return what can be reached where win probabilities or the cap of bets differ, rows as in `BY_GAME`."""
    rows: list[Sequence[float]] = []
    for number, (deals, cap) in enumerate(games):
        game = samothrakis2011_holdem.game(BUCKETS, deals=deals, raise_cap=cap)
        evolved = evolve(replace(JUDGED["exact-sigmoid"], deals=deals, raise_cap=cap))
        profiles = game.always_call(), evolved, descend(game), cfr_plus_average(game)
        value = float(game.values(profiles[-1])[0])
        rows.append((number, game.tree.num_nodes, *map(game.nash_conv, profiles), value))
    return rows


SEARCHED = Recording(
    "search",
    {
        "agent": "",
        "exploration": "small bets",
        "depth": "levels",
        "playouts": "playouts",
        "merged": "",
        "found": "small bets",
        "standard_error": "small bets",
        "exact": "small bets",
        "seconds": "seconds of one core",
    },
    {
        "agents": ["evolved, the paper's budget", "always call"],
        "searches": [
            *(
                [c, d, 1000, True]
                for d in (3, 5, 7, 9)
                for c in (0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 20, WIDE)
            ),
            *([c, 9, n, True] for n in (10, 100) for c in (1.5, WIDE)),
            *([c, 9, n, False] for n in (100, 1000) for c in (1.5, WIDE)),
        ],
        "seeds": [1, 2, 3],
    },
    by_search,
)
HISTORIES = Recording(
    "histories",
    {
        "agent": "",
        "independent": "small bets",
        "joint": "small bets",
        "held_out": "small bets",
    },
    {"agents": list(AGENTS), "boards": 20_000, "seeds": [1, 2]},
    retired,
)
LOCAL = Recording(
    "local-reply",
    {"agent": "", "won": "small bets", "standard_error": "small bets"},
    {
        "agents": [
            "always fold",
            "always call",
            "evolved, the paper's budget",
            "evolved longer",
            "descent",
            "regret minimization",
        ],
        "deals": 1000,
        "seed": 1,
    },
    by_local_reply,
)
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
BY_CHOICE = Recording(
    "choices",
    {"choice": "", "seed": "", "nash_conv": "small bets"},
    {"choices": CHOICES, "seeds": [1, 2, 3]},
    by_choice,
)
DEALS = Recording(
    "deals",
    {"buckets": "buckets", "street": "", "deals": "deals", "misplaced": ""},
    {"counts": [6], "seed": 1},
    by_deals,
)
BY_BUCKETS = Recording(
    "buckets",
    {
        "buckets": "buckets",
        "floor": "small bets",
        "nash_conv": "small bets",
        "value": "small bets",
    },
    {"counts": [2, 4, 6, 8]},
    by_buckets,
)
BY_GAME = Recording(
    "games",
    {
        "game": "",
        "nodes": "public nodes",
        "always_call": "small bets",
        "evolved": "small bets",
        "floor": "small bets",
        "nash_conv": "small bets",
        "value": "small bets",
    },
    {"games": [["exact", 4], ["sampled", 4], ["exact", 3], ["exact", 5]]},
    by_game,
)
