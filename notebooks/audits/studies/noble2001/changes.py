"""Noble & Watson (2001): which conclusions depend on what the text does not say. One setting at a time is changed.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. The settings of a run go in, and rows with its profits halfway and at the
end come out, which `studies.noble2001.recordings` stores as the study 'sensitivity'.

Both regimes of the paper, Pareto selection and the regular algorithm with roulette, are run with each of `CHANGES`, and
some strategies of each population are judged by what they win from our two groups of opponents. Where a change has an
effect on Pareto selection only, it is compared with the regular algorithm at the default settings.
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
    compute_mean_gene,
    make_solver,
)

HALFWAY_GENERATION, LAST_GENERATION = 50, 100
"""The generations whose strategies are judged by their profits."""
NUM_JUDGED, JUDGED_HANDS = 20, 300
"""The number of strategies that are drawn from such a generation, and the number of hands that each plays against each
group: one sequence of deals, the same for all strategies."""
JUDGED_SEED = 3
"""The seed of these deals."""
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"start": "uniform"},
    {"largest_share": 0.25},
    {"largest_share": 0.75},
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
"""Changes of the default settings. The first changes nothing, and the others change one thing each. Where hands and
games change together, the number of hands of a generation stays the same."""
UNCHANGED = "as it is"
"""The description of the default settings."""
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
"""Settings that say how a sentence of the text is understood. All others are numbers that our copy has lost."""


def list_configs_of_changes(changes: Sequence[dict[str, Any]] = CHANGES) -> list[Config]:
    """Return the settings of a run for each change of the default settings, and for both regimes of the paper.

    A regime is a way to select parents: Pareto selection, or a roulette. If a change has no effect on a regime, there
    are no settings for the two together.

    Parameters
    ----------
    changes : sequence of dict
        The values of changed settings, by the name of the setting.

    Returns
    -------
    list of Config
        The settings, ordered by changes. All have the seed 0.
    """
    defaults = [
        Config(regime=regime, iterations=LAST_GENERATION, seed=0) for regime in (PARETO, ROULETTE)
    ]
    configs = []
    for change in changes:
        for config in defaults:
            if has_effect_in_regime(config, change):
                configs.append(replace(config, **change))
    return configs


def has_effect_in_regime(config: Config, change: Mapping[str, Any]) -> bool:
    """Return whether a change of settings has an effect on runs with the regime of a Config.

    A regime is a way to select parents. An empty change counts as one that has an effect, so that each regime is also
    run at the default settings.

    Parameters
    ----------
    config : Config
        The settings before the change.
    change : mapping
        The values of changed settings, by the name of the setting.
    """
    if not change:
        return True
    settings = list_settings(Config)
    for name in change:
        has_effect_with = settings[name].needs  # None if the setting always has an effect
        if has_effect_with is None or has_effect_with(config):
            return True
    return False


def describe_changed_settings(config: Config) -> str:
    """Return the settings of a Config that differ from the defaults, as text.

    The regime, the number of generations and the seed are not reported.

    Parameters
    ----------
    config : Config
        The settings.

    Returns
    -------
    str
        The label and value of each changed setting, or 'as it is' if there is none.

    Examples
    --------
    >>> describe_changed_settings(Config(seed=3)), describe_changed_settings(Config(board_bit="license", seed=0))
    ('as it is', 'Board bit: license')
    """
    defaults = Config(seed=0)
    differences = []
    for name, declaration in list_settings(Config).items():
        value = getattr(config, name)
        if name in ("regime", "iterations", "seed") or value == getattr(defaults, name):
            continue
        if isinstance(value, bool):
            value = "yes" if value else "no"
        differences.append(f"{declaration.label}: {value}")
    return ", ".join(differences) or UNCHANGED


def list_changes_of_interpretation() -> list[str]:
    """Return the descriptions of those changes of one setting that are other interpretations of the paper's text.

    All other changes are of numbers that our copy of the paper has lost.

    Returns
    -------
    list of str
        Texts of `describe_changed_settings`.
    """
    return [
        describe_changed_settings(Config(seed=0, **change))
        for change in CHANGES
        if change and change.keys() <= set(INTERPRETED_SETTINGS)
    ]


def measure_profits_halfway_and_at_end(config: Config) -> list[dict[str, float | str]]:
    """Run a coevolution, and return what its strategies win from two groups of opponents, halfway and at the end.

    Twenty strategies (`NUM_JUDGED`) are drawn from the population. Each plays 300 hands (`JUDGED_HANDS`) at a table
    with the opponents alpha, and as many with the opponents beta.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    list of dict
        A row for the generation halfway and one for the last. The columns are `change` (the description of the changed
        settings), `generation`, `alpha` and `beta` (the mean profit against each group in chips per 1,000 hands), and
        `bluff` (the mean probability to bluff in the whole population).
    """
    coevolution = make_solver(config)
    state = coevolution.init()
    rows = []
    halfway = config.iterations * HALFWAY_GENERATION // LAST_GENERATION
    for generation in (halfway, config.iterations):
        state = coevolution.step(state, generation - state.iteration)
        genomes = state.population[0]
        generator = random_stream(config.seed, "judged", generation)
        numbers_of_judged = generator.permutation(len(genomes))[:NUM_JUDGED]
        genomes_of_judged = genomes[numbers_of_judged]

        row: dict[str, float | str] = {
            "change": describe_changed_settings(config),
            "generation": generation,
        }
        for name, group in GROUPS.items():
            profits = assess_strategies(
                coevolution.game,
                coevolution.encoding,
                genomes_of_judged,
                group,
                hands=JUDGED_HANDS,
                seed=JUDGED_SEED,
            )
            row[name] = float(profits.mean())
        row["bluff"] = compute_mean_gene(state.population[0], BLUFF)
        rows.append(row)
    return rows
