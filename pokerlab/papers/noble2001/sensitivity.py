"""Which of the paper's conclusions depend on what the text does not say: one setting changed at a time.

The paper's two regimes are run with each of `CHANGES`, and a few strategies of each population are
judged. A change that only Pareto selection heeds is compared with the regular algorithm as it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.settings import settings_of
from pokerlab.core.streams import stream
from pokerlab.papers.noble2001.assessment import GROUPS, assess
from pokerlab.papers.noble2001.experiment import PARETO, ROULETTE, Config, solver
from pokerlab.papers.noble2001.measures import mean_gene
from pokerlab.runs import History, sweep
from pokerlab.strategies.players.rule_decision import BLUFF

CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"start": "uniform"},
    {"most": 0.25},
    {"most": 0.75},
    {"size": 50},
    {"seats": 5},
    {"games": 100},
    {"games": 400},
    {"mutation": 0.02},
    {"mutation": 0.1},
    {"catastrophic": 0.1},
    {"stacks": 100},
    {"stacks": 1000},
    {"stacks_carried": True},
    {"largest_early": 40, "largest_late": 40},
    {"board_bit": "license"},
    {"board_bit": "ignored"},
    {"cap_lifted": "two were left before"},
    {"cap_lifted": "never"},
    {"draw": "balanced"},
    {"counted": "in games together"},
    {"per": "a hand"},
    {"unmet": "does not count"},
    {"third_parties": True},
    {"recount": True},
    {"check_raise_draw": "round"},
    {"check_raise_cards": "strong"},
    {"amount": "price"},
    {"amount": "hand"},
)
"""Settings of which one thing differs from the defaults; the first changes nothing."""
UNCHANGED = "as it is"
HALFWAY, LAST = 50, 100
"""Generations that are judged."""
DRAWN, HANDS = 20, 300
"""Strategies that are judged, and hands of each against each group: one sequence, the same for all."""


class Conclusion(NamedTuple):
    """What one change leaves of a difference, over the seeds.

    Attributes
    ----------
    change : str
        What was changed.
    mean, error : float
        The mean over the seeds, and its standard error.
    """

    change: str
    mean: float
    error: float


def configs(changes: Sequence[dict[str, Any]] = CHANGES) -> list[Config]:
    """Return both regimes with each change, the regular one without those that it does not heed."""
    bases = [Config(regime=regime, iterations=LAST, seed=0) for regime in (PARETO, ROULETTE)]
    return [replace(base, **change) for change in changes for base in bases if heeds(base, change)]


def heeds(config: Config, change: Mapping[str, Any]) -> bool:
    """Return whether anything in a change has an effect."""
    needs = [settings_of(Config)[name].needs for name in change]
    return not change or any(need is None or need(config) for need in needs)


def change_of(config: Config) -> str:
    """Return what differs from the defaults, in words.

    Examples
    --------
    >>> change_of(Config(seed=3)), change_of(Config(board_bit="license", seed=0))
    ('as it is', 'Board bit: license')
    """
    differences = [
        f"{declared.label}: {('no', 'yes')[value] if isinstance(value, bool) else value}"
        for name, declared in settings_of(Config).items()
        if name not in ("regime", "iterations", "seed")
        and (value := getattr(config, name)) != getattr(Config(seed=0), name)
    ]
    return ", ".join(differences) or UNCHANGED


def halfway_and_end(config: Config) -> list[dict[str, float | str]]:
    """Run a coevolution and return a row for each judged generation.

    Columns: the change, the generation, mean chips per 1,000 hands of strategies drawn from the
    population against each group, and the mean chance to bluff.
    """
    coevolution = solver(config)
    state, rows = coevolution.init(), []
    for generation in (config.iterations * HALFWAY // LAST, config.iterations):
        state = coevolution.step(state, generation - state.iteration)
        genomes = state.population[0]
        drawn = stream(config.seed, "judged", generation).permutation(len(genomes))[:DRAWN]
        row: dict[str, float | str] = {"change": change_of(config), "generation": generation}
        for name, group in GROUPS.items():
            won = assess(
                coevolution.game, coevolution.encoding, genomes[drawn], group, hands=HANDS, seed=3
            )
            row[name] = float(won.mean())
        rows.append({**row, "bluff": mean_gene(state, BLUFF)})
    return rows


def sensitivity(
    *,
    changes: Sequence[dict[str, Any]] = CHANGES,
    seeds: Iterable[int] = range(4),
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return `halfway_and_end` of both regimes with each change and seed."""
    return sweep(halfway_and_end, configs(changes), seeds=seeds, workers=workers, folder=folder)


def of_regime(study: History, change: str, regime: str, column: str, generation: int) -> Floats:
    """Return a column of one regime, seed by seed; of the unchanged one if it does not heed a change."""
    mine = (study["regime"] == regime) & (study["generation"] == generation)
    rows = mine & (study["change"] == change)
    if not rows.any():
        rows = mine & (study["change"] == UNCHANGED)
    values: Floats = study[column][rows][np.argsort(study["seed"][rows])]
    return values


def conclusions(study: History, generation: int = LAST) -> dict[str, list[Conclusion]]:
    """Return what each change leaves of the paper's conclusions.

    Keys: Pareto selection above the regular algorithm in alpha ('alpha'), in beta ('beta') and on
    average ('both'); what is won from alpha less what is won from beta, both regimes ('group'); the
    regimes' difference in alpha less that in beta ('interaction'); what is won at the end less
    halfway, both groups, of each regime ('late Pareto', 'late roulette'); how much more Pareto
    bluffs ('bluff').
    """
    changes = dict.fromkeys(study["change"].tolist())
    found: dict[str, list[Conclusion]] = {}
    for change in changes:
        regimes: dict[str, dict[str, Floats]] = {
            regime: {
                column: of_regime(study, change, regime, column, generation)
                for column in (*GROUPS, "bluff")
            }
            for regime in (PARETO, ROULETTE)
        }
        pareto, regular = regimes[PARETO], regimes[ROULETTE]
        above = {group: pareto[group] - regular[group] for group in GROUPS}
        differences = {
            **above,
            "both": np.mean(list(above.values()), axis=0),
            "group": np.mean([one["alpha"] - one["beta"] for one in regimes.values()], axis=0),
            "interaction": above["alpha"] - above["beta"],
            "bluff": pareto["bluff"] - regular["bluff"],
        }
        for regime, ends in regimes.items():
            changed = [
                ends[group] - of_regime(study, change, regime, group, generation // 2)
                for group in GROUPS
            ]
            differences[f"late {regime}"] = np.mean(changed, axis=0)
        for name, each in differences.items():
            error = float(each.std(ddof=1) / np.sqrt(len(each))) if len(each) > 1 else np.nan
            found.setdefault(name, []).append(Conclusion(change, float(each.mean()), error))
    return found
