"""Which of the paper's conclusions depend on what the text does not say: one setting at a time is changed.

Both regimes are run with each of `CHANGES`, and a few strategies of each population are judged. A change that only
Pareto selection heeds is compared with the regular algorithm as it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pokerlab.core.random_numbers import random_stream
from pokerlab.core.settings import list_settings
from pokerlab.holdem.rule_genome import BLUFF
from pokerlab.papers.noble2001 import (
    GROUPS,
    PARETO,
    ROULETTE,
    Config,
    assess_strategies,
    average_gene,
    make_solver,
)

HALFWAY, LAST = 50, 100
"""Generations that are judged under a change."""
DRAWN, DRAWN_HANDS = 20, 300
"""Strategies that are judged then, and hands of each against each group: one sequence, the same for all."""
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
    {"step": 0.3},
    {"step": 3.0},
    {"switch": 0.02},
    {"switch": 0.5},
    {"hands": 10, "games": 1000},
    {"hands": 250, "games": 40},
    {"cap": 3},
    {"cap": 5},
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
INTERPRETED_SETTINGS = (
    "start",
    "stacks_carried",
    "board_bit",
    "cap_lifted",
    "draw",
    "counted",
    "per",
    "unmet",
    "third_parties",
    "recount",
    "check_raise_draw",
    "check_raise_cards",
    "amount",
)
"""Settings that say how a sentence of the text is understood; all others are numbers that it has lost."""


def make_configs(changes: Sequence[dict[str, Any]] = CHANGES) -> list[Config]:
    """Return both regimes with each change, the regular one without those that it does not heed."""
    bases = [Config(regime=regime, iterations=LAST, seed=0) for regime in (PARETO, ROULETTE)]
    return [
        replace(base, **change)
        for change in changes
        for base in bases
        if is_affected_by(base, change)
    ]


def is_affected_by(config: Config, change: Mapping[str, Any]) -> bool:
    """Return whether anything in a change has an effect."""
    needs = [list_settings(Config)[name].needs for name in change]
    return not change or any(need is None or need(config) for need in needs)


def describe_change(config: Config) -> str:
    """Return what differs from the defaults, in words.

    Examples
    --------
    >>> change_of(Config(seed=3)), change_of(Config(board_bit="license", seed=0))
    ('as it is', 'Board bit: license')
    """
    differences = [
        f"{declared.label}: {('no', 'yes')[value] if isinstance(value, bool) else value}"
        for name, declared in list_settings(Config).items()
        if name not in ("regime", "iterations", "seed")
        and (value := getattr(config, name)) != getattr(Config(seed=0), name)
    ]
    return ", ".join(differences) or UNCHANGED


def list_interpretations() -> list[str]:
    """Return the names of the changes that are other interpretations of the text."""
    return [
        describe_change(Config(seed=0, **change))
        for change in CHANGES
        if change and change.keys() <= set(INTERPRETED_SETTINGS)
    ]


def measure_halfway_and_end(config: Config) -> list[dict[str, float | str]]:
    """Run a coevolution and return a row for each judged generation.

    Columns: the change, the generation, mean chips per 1,000 hands of strategies drawn from the
    population against each group, and the mean chance to bluff.
    """
    coevolution = make_solver(config)
    state, rows = coevolution.init(), []
    for generation in (config.iterations * HALFWAY // LAST, config.iterations):
        state = coevolution.step(state, generation - state.iteration)
        genomes = state.population[0]
        drawn = random_stream(config.seed, "judged", generation).permutation(len(genomes))[:DRAWN]
        row: dict[str, float | str] = {"change": describe_change(config), "generation": generation}
        for name, group in GROUPS.items():
            won = assess_strategies(
                coevolution.game,
                coevolution.encoding,
                genomes[drawn],
                group,
                hands=DRAWN_HANDS,
                seed=3,
            )
            row[name] = float(won.mean())
        rows.append({**row, "bluff": average_gene(state, BLUFF)})
    return rows
