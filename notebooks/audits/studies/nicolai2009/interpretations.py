"""The recorded evaluations of champions: by whose settings they evolved, and at which tables they play.

How much do ranks depend on what the paper leaves open? Recorded champions go in, and their evaluations at several
variants of the tables come out. A *champion* is the best agent of an evolved population.

The text of the paper (Nicolai & Hilderman, 2009) leaves settings open. An *interpretation* chooses them. It has two
parts:

* The *source* of the settings by which champions evolved (`SOURCES`): the thesis (Nicolai, 2008), or our guesses from
  before we had read it. With each source come the tables of the evaluation by the same settings.
* A *variant* of these tables (`VARIANTS`), which changes one thing, or none.

Champions of completed evolutions, which reached the paper's last generation, play at all variants of the tables. At
variants that change something they play fewer tables, 10,000.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from pokerlab.evolution.population.protocol import Genomes
from pokerlab.holdem.players import RAISE_SIZES
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import (
    CONFIGS,
    EARLIER_CONFIGS,
    EARLIER_TABLES,
    PAPER,
    Config,
    DuplicateTables,
    make_encoding,
)
from pokerlab.papers.nicolai2009_agents import make_static_agents
from pokerlab.runs.history import convert_to_json_value, describe_versions
from studies.nicolai2009.champions import (
    EARLIER_CHAMPIONS,
    THESIS_CHAMPIONS,
    Champions,
    get_method_of_champion,
)
from studies.nicolai2009.comparison import BASELINE
from studies.nicolai2009.evaluation import Evaluation, evaluate_champion
from studies.nicolai2009.old_agents import LONGER_FOLDER, load_old_agents

EVALUATIONS_FILE = RUNS / f"{PAPER}-standings.npz"
"""The file of the evaluations at variants of the tables that change something."""
VARIANT_DUPLICATES = 10_000
"""The number of duplicate tables at such a variant."""
THESIS, EARLIER = "the thesis's settings", "our earlier settings"


class SettingsSource(NamedTuple):
    """Where settings come from: the champions that evolved by them, and the settings of evolutions and tables.

    Attributes
    ----------
    champions_file : str
        The name of the file with the champions, without its ending.
    configs : mapping of str to Config
        The settings of the evolution of each method.
    table_settings : mapping of str to any
        The settings of the tables of their evaluation, as far as they differ from the defaults of `DuplicateTables`.
    """

    champions_file: str
    configs: Mapping[str, Config]
    table_settings: Mapping[str, Any]


SOURCES: Mapping[str, SettingsSource] = {
    THESIS: SettingsSource(THESIS_CHAMPIONS, CONFIGS, {}),
    EARLIER: SettingsSource(EARLIER_CHAMPIONS, EARLIER_CONFIGS, EARLIER_TABLES),
}


class TableVariant(NamedTuple):
    """A change of the tables at which champions are evaluated: other settings, or other old agents.

    The *old agents* are OldBest, OldScratch and OldStart, three of a champion's eight opponents.

    Attributes
    ----------
    table_settings : mapping of str to any
        The settings of `DuplicateTables` that are changed.
    old_agent_arguments : mapping of str to any
        The arguments of `load_old_agents` that are changed.
    """

    table_settings: Mapping[str, Any]
    old_agent_arguments: Mapping[str, Any]


VARIANTS: Mapping[str, TableVariant] = {
    **{f"raises: {size}": TableVariant({"raises": size}, {}) for size in RAISE_SIZES},
    "folds for free": TableVariant({"free_folds": True}, {}),
    "no folds for free": TableVariant({"free_folds": False}, {}),
    "seats as given": TableVariant({"seating": "as given"}, {}),
    "200 chips each": TableVariant({"stacks": 200}, {}),
    "200 chips, raises up to three times the least": TableVariant(
        {"stacks": 200, "raises": "up to three times the least"}, {}
    ),
    "Old agents of their first generation": TableVariant({}, {"first_generation": True}),
    "Old agents of a larger budget": TableVariant({}, {"folder": LONGER_FOLDER}),
}


class VariantTables(NamedTuple):
    """The complete tables of a variant: the settings of a source with the change of the variant.

    Attributes
    ----------
    tables : DuplicateTables
        The settings of the tables.
    old_agent_arguments : mapping of str to any
        The arguments with which `load_old_agents` loads three of a champion's eight opponents.
    """

    tables: DuplicateTables
    old_agent_arguments: Mapping[str, Any]


def make_variant_tables(source: str) -> dict[str, VariantTables]:
    """Return the duplicate tables at which champions are evaluated, with one thing changed, for each possible change.

    A *variant* of the tables changes one of their settings, or some of a champion's opponents. A variant is left out if
    the tables of the source are like that anyway.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.

    Returns
    -------
    dict of str to VariantTables
        The tables, and how three of the opponents are loaded, by the name of the variant.
    """
    source_settings = SOURCES[source].table_settings
    unchanged_tables = DuplicateTables(seed=1, **source_settings)

    changed = {}
    for name, variant in VARIANTS.items():
        settings = {**source_settings, **variant.table_settings}
        tables = DuplicateTables(seed=1, **settings)
        is_changed = tables != unchanged_tables or bool(variant.old_agent_arguments)
        if is_changed:
            changed[name] = VariantTables(tables, variant.old_agent_arguments)
    return changed


def load_recorded_champions(source: str) -> Champions:
    """Return the recorded champions, the best agents of all evolutions, by the settings of a source.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.

    Returns
    -------
    Champions
        The champions with their genomes, the histories of their evolutions, and their evaluations.
    """
    return Champions.load(RUNS / f"{SOURCES[source].champions_file}.npz")


def list_completed_champions(champions: Champions) -> list[str]:
    """Return the names of the champions whose evolutions reached the paper's last generation, 500.

    Parameters
    ----------
    champions : Champions
        The recorded champions, with the histories of their evolutions.

    Returns
    -------
    list of str
        The names, in the order of the champions.
    """
    paper_last_generation = CONFIGS[BASELINE].iterations
    completed = []
    for champion in champions.genomes:
        history = champions.histories[get_method_of_champion(champion)]
        last_generation = int(history["iteration"][-1])
        if last_generation >= paper_last_generation:
            completed.append(champion)
    return completed


def evaluate_champion_at_variant(
    source: str, variant: str, champion: str, genome: Genomes, duplicates: int
) -> Evaluation:
    """Play duplicate tables of a champion and its eight opponents, with one thing changed, and return the results.

    At a *duplicate table* nine agents play nine tournaments with the same cards, and each agent has each seat once.

    Parameters
    ----------
    source : str
        Whose settings the tables have: `THESIS`, those of Nicolai's thesis (2008), or `EARLIER`, those that this
        project guessed before it had the thesis.
    variant : str
        What is changed: the name of a variant in `make_variant_tables(source)`.
    champion : str
        The name of the champion, such as '2Pop-1'.
    genome : ndarray, shape (G,)
        The genome of the champion.
    duplicates : int
        The number of duplicate tables.

    Returns
    -------
    Evaluation
        The results of the nine agents, the champion first.
    """
    variant_tables = make_variant_tables(source)[variant]
    tables = replace(variant_tables.tables, duplicates=duplicates)
    opponents = {
        **make_static_agents(tables.raises),
        **load_old_agents(**variant_tables.old_agent_arguments),
    }

    method = get_method_of_champion(champion)
    encoding = make_encoding(SOURCES[source].configs[method])
    (player,) = encoding.make_players(genome[None], [champion])
    return evaluate_champion(player, opponents, tables=tables, progress=False)


def name_evaluation_at_variant(source: str, variant: str, champion: str) -> str:
    """Return the name in `EVALUATIONS_FILE` of the evaluation of a champion at a variant of the tables.

    Parameters
    ----------
    source : str
        `THESIS` or `EARLIER`, whose settings the evolution and the tables have.
    variant : str
        The name of the variant in `VARIANTS`, which changes one thing.
    champion : str
        The name of the champion, such as '2Pop-1'.
    """
    return f"{source}/{variant}/{champion}"


def record_evaluations_at_variants(
    path: str | Path = EVALUATIONS_FILE, duplicates: int = VARIANT_DUPLICATES
) -> Champions:
    """Evaluate champions at all variants of the tables, write the evaluations to a file, and return them.

    The champions are those of all evolutions that reached the paper's last generation. An evaluation takes half a
    minute. Those that the file already has are not computed again. The file is written after all evaluations of a
    source.

    Parameters
    ----------
    path : str or Path
        The file.
    duplicates : int
        The number of duplicate tables of each evaluation.

    Returns
    -------
    Champions
        The genomes and the evaluations, by names from `name_evaluation_at_variant`.
    """
    recorded = Champions.load(path) if Path(path).exists() else Champions({}, {}, {}, {})
    genomes, evaluations = dict(recorded.genomes), dict(recorded.evaluations)
    provenance = dict(recorded.provenance)
    for source in SOURCES:
        champions = load_recorded_champions(source)
        completed = list_completed_champions(champions)
        variants = make_variant_tables(source)
        for variant, champion in tqdm(list(product(variants, completed)), desc=source):
            name = name_evaluation_at_variant(source, variant, champion)
            if name in evaluations:
                continue
            genomes[name] = champions.genomes[champion]
            evaluations[name] = evaluate_champion_at_variant(
                source, variant, champion, champions.genomes[champion], duplicates
            )

        provenance[source] = {
            variant: convert_to_json_value(variant_tables.tables)
            for variant, variant_tables in variants.items()
        }
        provenance["made_with"] = describe_versions()
        recorded = Champions(dict(genomes), {}, dict(evaluations), dict(provenance))
        recorded.save(path)
    return recorded


def load_evaluations_by_interpretation() -> dict[str, dict[str, Evaluation]]:
    """Return the recorded evaluations of all champions of the paper's size, by interpretation of the paper.

    An *interpretation* chooses the settings that the paper leaves open. It consists of the source of the settings, and
    possibly of a variant of the tables that changes one thing.

    Returns
    -------
    dict of str to dict of str to Evaluation
        The evaluations by interpretation, and then by champion. The first interpretation is the default, `THESIS`: the
        settings of the thesis, and its tables as they are. The name of another is a source, or a source and a variant:
        'our earlier settings, 200 chips each'.
    """
    evaluations_at_variants = Champions.load(EVALUATIONS_FILE).evaluations
    by_interpretation: dict[str, dict[str, Evaluation]] = {}
    for source in SOURCES:
        recorded = load_recorded_champions(source)
        completed = list_completed_champions(recorded)
        by_interpretation[source] = {
            champion: recorded.evaluations[champion] for champion in completed
        }

        for variant in make_variant_tables(source):
            evaluations = {}
            for champion in completed:
                name = name_evaluation_at_variant(source, variant, champion)
                if name in evaluations_at_variants:  # else it has not been recorded yet
                    evaluations[champion] = evaluations_at_variants[name]
            by_interpretation[f"{source}, {variant}"] = evaluations
    return by_interpretation
