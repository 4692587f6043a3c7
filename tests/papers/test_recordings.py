"""Committed recordings are what the code records today: `ROWS` says of each how that is checked.

A new recording needs one row. Checks that take longer than ten seconds have the mark `slow`; others run in `make test`.
`architecture/test_printed.py` checks that audits print the recorded numbers, and that other pages repeat them.
"""

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pytest

from pokerlab import metrics
from pokerlab.core import FileFormatError
from pokerlab.core.old_names import rename_old_settings
from pokerlab.core.saved_files import check_file_description
from pokerlab.holdem import MatrixEncoding, TableNetwork
from pokerlab.papers import Experiment, lanctot2014, noble2001, samothrakis2011_holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.methods import (
    GENERATIONS,
    SEEDS,
    load_or_make_recorded_populations,
    trace_population_in_six_buckets,
)
from pokerlab.papers.methods import POPULATIONS as POPULATION_METHODS
from pokerlab.papers.methods import RECORDED as POPULATIONS
from pokerlab.papers.nicolai2009 import CONFIGS, EARLIER, EARLIER_TABLES, METHODS, DuplicateTables
from pokerlab.papers.nicolai2009 import Config as NetworksConfig
from pokerlab.papers.nicolai2009 import make_game as make_networks_game
from pokerlab.papers.nicolai2009 import make_solver as networks_solver
from pokerlab.papers.nicolai2009_agents import OLD_AGENTS
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.papers.samothrakis2011_holdem import RECORDED, evolving_holdem
from pokerlab.runs import History
from pokerlab.runs.history import convert_to_json_value
from studies.lanctot2014 import twins
from studies.nicolai2009 import (
    champions,
    exploiters,
    interpretations,
    lineages,
    methods,
    old_agents,
)
from studies.nicolai2009.champions import Evolution
from studies.nicolai2009.evaluation import Evaluation, evaluate_champion
from studies.nicolai2009.long_run import restore_config
from studies.noble2001 import changes
from studies.noble2001 import recordings as noble
from studies.oliehoek2006 import fingerprint
from studies.oliehoek2006.memories import (
    list_configs_of_open_choices,
    record_memories_by_open_choice,
)
from studies.samothrakis2011.ends import load_or_run_coevolutions, run_coevolutions
from studies.samothrakis2011.ends import restore_config as recorded_samothrakis
from studies.samothrakis2011.tables import TABLES

SLOW = pytest.mark.slow
EARLY = 5
"""The last iteration of a run that is run again."""
SHORTER = {"samothrakis-2011-judged-drawn-1": 1}
"""The last iteration of a run that takes two seconds an iteration; its other seeds, all slow, go on to `EARLY`."""
COSTS = ("iteration", "evaluations", "inner_evaluations")
LARGE = {
    method: champions.name_earlier_evolution_file(method)
    for method in METHODS
    if (RUNS / f"{champions.name_earlier_evolution_file(method)}.npz").exists()
}
"""Evolutions at the paper's size by our earlier defaults; a generation takes seconds."""
SMALL = ("nicolai-2009-small-control", "nicolai-2009-small-large")
"""Evolutions of a tenth of that size, of which generations 1, 2, 100 and 200 are kept."""
EVOLUTION_OF = ("method", "reading", "iterations", "seed", "duplicates")
LINE_OF = ("line", "duplicates", "seed")
Check = Callable[[Path], None]


class Row(NamedTuple):
    """Some recordings, the check of each, and the marks of its test."""

    files: str
    """A pattern of names in data/runs."""
    check: Check
    marks: Any = ()


def assert_rows(rows: list[dict[str, Any]], old: History, begin: int = 0) -> None:
    """Compare rows of today with those of a recording from `begin` on."""
    assert rows
    for number, row in enumerate(rows, begin):
        for column, value in row.items():
            same = (
                value
                if isinstance(value, str)
                else pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)
            )
            assert old[column][number].item() == same, (number, column)


def file_loads(path: Path) -> None:
    """Hold that a recording whose code is gone can still be read."""
    assert len(History.load(path))


# Runs, ends of runs and tables of settings.


def run_loads_with_its_settings(experiment: Experiment, config: Callable[..., Any]) -> Check:
    """No run is begun, as judging a first state takes seconds."""

    def check(path: Path) -> None:
        old = History.load(path)
        settings = config(**old.provenance["settings"])
        if config is experiment.config_type:
            # Otherwise a setting has gone, and lessons read the file as it is.
            assert len(experiment.load_or_run(path.stem, settings)) == len(old)

    return check


def run_begins(experiment: Experiment, config: Callable[..., Any]) -> Check:
    """The first iterations of a run have the numbers that are recorded."""

    def check(path: Path) -> None:
        last = SHORTER.get(path.stem, EARLY)
        old = History.load(path)
        run = experiment.run(config(**old.provenance["settings"]), per_decade=1000)
        new = run.to(last, progress=False).history
        early = old["iteration"] <= last
        assert early.sum() >= min(3, last + 1)
        for name, column in old.columns.items():
            rows = [new.select_row(int(iteration))[name] for iteration in old["iteration"][early]]
            np.testing.assert_allclose(rows, column[early], rtol=1e-9, atol=1e-12, err_msg=name)

    return check


def end_fits_its_settings(path: Path) -> None:
    """Rows, units and bounds only: a full run takes minutes."""
    history = History.load(path)
    config = recorded_samothrakis(history.provenance["settings"])
    seeds, varied = history.provenance["seeds"], history.provenance["varied"]
    assert history["seed"].tolist() == seeds * math.prod(map(len, varied.values()))
    target = history.provenance["target"]
    again = load_or_run_coevolutions(
        path.stem, config, seeds, target_exploitability=target, varied_settings=varied
    )
    assert again["nash_conv"].tolist() == history["nash_conv"].tolist()
    assert (history["nash_conv"] >= history["worst_case"] - 1e-9).all()
    short = run_coevolutions(replace(config, iterations=1), seeds[:1], varied_settings=varied)
    assert short.units == history.units


def end_is_reached(path: Path) -> None:
    """It ends with the same strategy at about the same cost.

    Processors that round otherwise move an end. With OPENBLAS_CORETYPE set to six others, the first run of rps-genes
    takes 127 to 141 iterations and 154,000 to 182,000 inner evaluations, 18% more at most.
    """
    old = History.load(path)
    config = recorded_samothrakis(old.provenance["settings"])
    varied = {key: values[:1] for key, values in old.provenance["varied"].items()}
    target = old.provenance["target"]
    new = run_coevolutions(
        config, [config.seed], target_exploitability=target, varied_settings=varied
    )
    assert new.columns.keys() == old.columns.keys()
    for column, values in old.columns.items():
        if column in varied:
            assert new[column][0] == values[0]
        elif column in COSTS:
            assert new[column][0] == pytest.approx(values[0], rel=0.25), column
        elif column not in ("seconds", "step_size"):
            assert new[column][0] == pytest.approx(values[0], abs=1e-3), column


def table_fits_its_settings(path: Path) -> None:
    table = TABLES[path.stem].load_or_measure()
    assert len(table) > 0
    assert all(np.isfinite(column).all() for column in table.columns.values())


def bred_agent_loses_what_its_run_says(path: Path) -> None:
    table, end = History.load(path), samothrakis2011_holdem.read_evolution("playouts-100-2")
    assert set(table["champion"]) == {0}
    solver = samothrakis2011_holdem.make_solver(RECORDED["playouts-100-2"])
    profile = solver.encoding.make_profile(table["gene"])
    lost = samothrakis2011_holdem.make_six_bucket_game().nash_conv(profile)
    assert lost == pytest.approx(end["nash_conv"][-1], rel=1e-9)


ALL_OF = {"samothrakis-2011-search": ("seeds",), "samothrakis-2011-judges": ("seeds",)}
"""Settings that are one thing, although they are lists."""


def table_begins(path: Path) -> None:
    """The first row of a table, which the first of each list of settings gives."""
    table = TABLES[path.stem]
    old, whole = table.load_or_measure(), ALL_OF.get(table.name, ())
    settings = {
        key: value[:1] if isinstance(value, list) and key not in whole else value
        for key, value in table.settings.items()
    }
    new = table.measure_rows(**settings)[0]
    for column, value in zip(old.columns, new, strict=True):
        if column != "seconds":
            assert value == pytest.approx(old[column][0], rel=1e-6, abs=1e-6), column


def sweep_begins(measure: Callable[..., Any]) -> Check:
    """The first rows of a sweep of Noble & Watson's populations."""

    def check(path: Path) -> None:
        old = History.load(path)
        given = old.provenance["config"] or {"iterations": changes.LAST_GENERATION}
        present = vars(noble2001.SCALES["quick"])
        settings = {
            key: value
            for key, value in rename_old_settings(given, present).items()
            if key != "kind"
        }
        first = {key: old[key][0].item() for key in ("regime", "seed")}
        assert_rows(measure(noble2001.Config(**{**settings, **first})), old)

    return check


def study_begins(measure: Callable[..., Any], keys: tuple[str, ...], line: str = "") -> Check:
    """The rows that `measure` makes of the first settings, or of the first with a line."""

    def check(path: Path) -> None:
        old = History.load(path)
        begin = int(np.argmax(old["line"] == line)) if line else 0
        assert_rows(measure({key: old[key][begin].item() for key in keys}), old, begin)

    return check


def populations_begin(path: Path) -> None:
    """The populations with which the page of all methods compares methods."""
    kept = load_or_make_recorded_populations()
    assert len(kept) == len(POPULATION_METHODS) * len(SEEDS) * len(GENERATIONS)
    for begin in (0, len(kept) // 2):
        asked = {
            "method": kept["method"][begin].item(),
            "seed": int(kept["seed"][begin]),
            "records": 1,
        }
        (row,) = trace_population_in_six_buckets(asked)
        for name, value in row.items():
            assert kept[name][begin] == pytest.approx(value, rel=1e-9), name


def lineages_begin(name: str) -> Check:
    """The rows of the first lineage; and all settings have rows, as today's recordings of champions ask for."""
    measurement = lineages.MEASUREMENTS[name]

    def check(path: Path) -> None:
        old, asked = History.load(path), measurement.list_settings()
        rows = [*zip(*(old[key].tolist() for key in asked[0]), strict=True)]
        assert [*dict.fromkeys(rows)] == [tuple(one.values()) for one in asked]
        first_setting = replace(measurement.default_setting, **asked[0], seed=lineages.SEED)
        assert_rows(measurement.measure(first_setting), old)

    return check


# Lanctot's twins: simultaneous runs part after some 20,000 iterations, and each processor has another twin.


def twins_agree_while_they_can(path: Path) -> None:
    """The first row of each kind of twins: in simultaneous order at t = 10,000, and in alternating order at 100,000."""
    old = History.load(path)
    for begin in range(len(old["twin"])):
        order = old["order"][begin].item()
        if old["twin"][begin] == 0:
            t = 10_000 if order == "simultaneous" else 100_000
            solver = twins.make_dynamics_from_setting(
                {key: old[key][begin].item() for key in twins.SETTING_NAMES}
            )
            average = solver.step(solver.init(), t).average
            ours = metrics.nash_conv(average.game, average)
            assert ours == pytest.approx(old[f"nash_conv_{t}"][begin], rel=1e-6), begin


def floors_agree_in_alternating_order(path: Path) -> None:
    """A million iterations in alternating order, with each floor."""
    old = History.load(path)
    for begin in np.flatnonzero((old["order"] == "alternating") & (old["twin"] == 0)):
        given = {key: old[key][begin].item() for key in ("floor", "order", "twin")}
        ours = twins.measure_nash_conv_with_floor(given)["nash_conv"]
        assert ours == pytest.approx(old["nash_conv"][begin], rel=1e-4), given


# Oliehoek's open choices.


def first_open(**settings: str) -> int:
    """Return the number of the first of the open choices with these settings."""
    return next(
        n
        for n, c in enumerate(list_configs_of_open_choices())
        if settings.items() <= vars(c).items()
    )


def open_choices_have_the_same_rows(number: int, *names: str) -> Check:
    """Two of the open choices, which have two rows each, from `number` on."""

    def check(path: Path) -> None:
        kept = History.load(path)
        again = record_memories_by_open_choice(list_configs_of_open_choices()[number : number + 2])
        assert len(kept) == 2 * len(list_configs_of_open_choices())
        columns = {name: again[name].tolist() for name in names or again.columns}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        assert_rows(rows, kept, 2 * number)

    return check


def six_card_rules_have_the_same_row(path: Path) -> None:
    """The first hands, with the betting that came nearest alone."""
    kept = History.load(path)
    assert kept["hand"].tolist() == [*range(len(fingerprint.HAND_RULES))]
    nearest = fingerprint.BETTING_RULES[int(kept["nearest"][0])]
    with mock.patch.object(fingerprint, "BETTING_RULES", [nearest]):
        row = {
            "hand": 0,
            **fingerprint.compare_betting_rules_with_figure_3({"hand": 0}),
            "nearest": kept["nearest"][0],
        }
    assert_rows([row], kept)


# Nicolai's agents, evolutions and champions.


def old_agents_begin(folder: Path) -> Check:
    def check(path: Path) -> None:
        _, genomes = old_agents.load_old_agent_genomes(folder)
        assert genomes["OldStart"].tobytes() == MatrixEncoding().make_head_start().tobytes()
        for name, start in old_agents.STARTS.items():
            solver = old_agents.make_old_agent_solver(
                old_agents.load_old_config(folder), start, workers=2
            )
            first = solver.step(solver.init())
            assert genomes[old_agents.FIRST_PREFIX + name].tobytes() == first.champions[0].tobytes()

    return check


def longer_agents_have_a_tenth_of_the_budget(path: Path) -> None:
    about, _ = old_agents.load_old_agent_genomes(old_agents.LONGER_FOLDER)
    control = NetworksConfig(seed=0)
    spent = control.agents * control.tournaments * control.iterations
    assert about["agent_tournaments"] == spent / 10


def evolution_begins(generations: int) -> Check:
    """Champions of the first generations, bit by bit; of small ones only some generations are kept."""

    def check(path: Path) -> None:
        old = Evolution.load(path)
        last = int(old.history["iteration"][-1])
        kept = [1, 2, 100, 200] if path.stem in SMALL else range(1, last + 1)
        assert old.generations.tolist() == list(kept)
        settings = restore_config(old.history.provenance["settings"])
        evolution = networks_solver(settings, workers=2)
        state = evolution.init()
        for generation in range(generations):
            state = evolution.step(state)
            assert old.champions[generation].tobytes() == state.champions.tobytes()

    return check


def assert_champions(kept: champions.Champions, method: str, best: np.ndarray) -> None:
    for one, genome in zip(champions.list_champion_names(method, len(best)), best, strict=True):
        assert kept.genomes[one].tobytes() == genome.tobytes()


def champions_are_of_earlier_evolutions(names: Mapping[str, str], duplicates: int) -> Check:
    def check(path: Path) -> None:
        kept = champions.Champions.load(path)
        for method, name in names.items():
            evolution = Evolution.load(RUNS / f"{name}.npz")
            last = kept.histories[method]["iteration"][-1]
            at = evolution.generations.tolist().index(last)
            assert_champions(kept, method, evolution.champions[at])
        assert {one.duplicates for one in kept.evaluations.values()} == {duplicates}

    return check


def champions_are_of_all_methods(path: Path) -> None:
    assert champions.Champions.load(path).histories.keys() == LARGE.keys()


def champions_are_of_whole_evolutions(path: Path) -> None:
    """By the settings of the thesis."""
    kept, seed = champions.Champions.load(path), int(path.stem.rpartition("-")[2])
    for method, history in kept.histories.items():
        evolution = Evolution.load(RUNS / f"{champions.name_evolution_file(method, seed)}.npz")
        wanted = replace(CONFIGS[method], seed=seed)
        assert restore_config(evolution.history.provenance["settings"]) == wanted
        assert history["iteration"][-1] == evolution.generations[-1] == wanted.iterations
        assert_champions(kept, method, evolution.champions[-1])


def champion_plays_as_evaluated(path: Path) -> None:
    tenth = champions.Champions.load(path)
    (player,) = TableNetwork().make_players(tenth.genomes["Control"][None], ["Control"])
    tables = DuplicateTables(duplicates=100, seed=1, **EARLIER_TABLES)
    found = evaluate_champion(player, tables=tables, progress=False)
    old = tenth.evaluations["Control"]
    assert found.names == old.names
    apart = np.abs(found.ranks.mean - old.ranks.mean)
    assert (apart < 4.5 * found.ranks.standard_error).all()
    assert found.decisions_per_hand == pytest.approx(old.decisions_per_hand, rel=0.05)


def game_has_the_recorded_fingerprint(path: Path) -> None:
    recorded = Evolution.load(path).history.provenance
    assert make_networks_game(NetworksConfig(seed=1)).fingerprint == recorded["game_fingerprint"]
    # As commit 81ffbfd gave it, whose aggressiveness had two settings more.
    earlier = make_networks_game(NetworksConfig(seed=0, **EARLIER))
    assert earlier.fingerprint == "4637f0f1fc23f9ed"


def standings_are_of_recorded_champions(source: str) -> Check:
    """All of them are of whole evolutions, and what LargeHOF's champion did is what it does today."""

    def check(path: Path) -> None:
        old = champions.Champions.load(path)
        kept = interpretations.load_recorded_champions(source)
        for name, (tables, _) in interpretations.make_variant_tables(source).items():
            check_file_description(
                path, old.provenance[source], {name: convert_to_json_value(tables)}
            )
            begin = f"{source}/{name}/"
            there = {
                k.removeprefix(begin): g for k, g in old.genomes.items() if k.startswith(begin)
            }
            assert {*there} <= {*interpretations.list_completed_champions(kept)}
            assert all(one.tobytes() == kept.genomes[n].tobytes() for n, one in there.items())
            new = interpretations.evaluate_champion_at_variant(
                source, name, "LargeHOF", there["LargeHOF"], 100
            ).ranks
            apart = np.abs(new.mean - old.evaluations[f"{begin}LargeHOF"].ranks.mean)
            assert (apart < 4.5 * new.standard_error).all()

    return check


def evaluations_are_interpretations(path: Path) -> None:
    """Every evaluation of a whole champion decides the audit's verdicts, once."""

    def digest(one: Evaluation) -> str:
        return sha256(one.ranks.products.tobytes() + one.actions.tobytes()).hexdigest()

    recorded = interpretations.load_evaluations_by_interpretation()
    read = {digest(one) for ones in recorded.values() for one in ones.values()}
    kept = set()
    for each in RUNS.glob("nicolai-2009-*.npz"):
        try:
            there = champions.Champions.load(each)
        except FileFormatError:
            continue
        names = (
            interpretations.list_completed_champions(there)
            if there.histories
            else [*there.evaluations]
        )
        kept |= {digest(there.evaluations[name]) for name in names}
    assert read == kept
    assert len(read) == sum(map(len, recorded.values()))


with (RUNS / "retired.csv").open(encoding="utf-8") as table:
    RETIRED = [row["file"] for row in csv.DictReader(table) if row["file"].endswith(".npz")]
"""Recordings whose code is gone."""
REPLICATORS = lanctot2014.replicator, lanctot2014.Config
SMALL_GAMES = minimax_coevolution, lambda **given: recorded_samothrakis(given)
BUCKETS = evolving_holdem, evolving_holdem.config_type
KP2, THIRTEEN = "lanctot-2014-kp2-*", "samothrakis-2011-13-card-direct"
STEPS, JUDGED = "samothrakis-2011-small-steps-*", "samothrakis-2011-judged-*"
ENDS = [
    f"samothrakis-2011-{name}"
    for name in (
        "13-card-net",
        "inner-budgets",
        "kp3",
        "kp3-csa",
        "kuhn-net",
        "rps-genes",
        "rps-net",
        "rps-net-starts",
        "rps-outer",
        "rps-starts",
    )
]
"""Recordings of the ends of runs by settings and seeds, of which the first row is run again."""
OPEN, STAGES, BY_THESIS = (
    "oliehoek-2006-open",
    "nicolai-2009-stages",
    "nicolai-2009-thesis-champions-*",
)
TENTH, WHOLE = champions.EARLIER_SMALL_CHAMPIONS, champions.EARLIER_CHAMPIONS
THESIS = sorted(
    path.stem
    for path in RUNS.glob("nicolai-2009-thesis-*.npz")
    if not path.match(f"{BY_THESIS}.npz")
)
"""Evolutions at the paper's size by the settings of the thesis that are whole."""


def marks_of_judged(path: Path) -> Any:
    """Return marks of a run in buckets: in `make test` only the first seed of a setting is run again."""
    is_later_seed = re.fullmatch(r"samothrakis-2011-judged-.*-(?!1$)\d+", path.stem)
    return SLOW if is_later_seed or "-1000-" in path.stem else ()


STUDIES = noble.STUDIES
ROWS = [
    *(Row(Path(name).stem, file_loads) for name in RETIRED),
    # Lanctot: replicators in KP(2).
    Row(KP2, run_loads_with_its_settings(*REPLICATORS)),
    Row(KP2, run_begins(*REPLICATORS)),
    Row(twins.RECORDING, twins_agree_while_they_can),
    Row(twins.FLOOR_RECORDING, floors_agree_in_alternating_order),
    # Samothrakis & Lucas: coevolution in small games, in buckets, and with real cards.
    Row(THIRTEEN, run_loads_with_its_settings(*SMALL_GAMES)),
    Row(THIRTEEN, run_begins(*SMALL_GAMES)),
    Row(STEPS, run_loads_with_its_settings(*BUCKETS)),
    Row(STEPS, run_begins(*BUCKETS)),
    Row(JUDGED, run_loads_with_its_settings(*BUCKETS)),
    Row(JUDGED, run_begins(*BUCKETS), marks_of_judged),
    *(Row(name, end_fits_its_settings) for name in ENDS),
    *(Row(name, end_is_reached, SLOW) for name in ENDS),
    *(Row(name, table_fits_its_settings) for name in TABLES),
    Row("samothrakis-2011-bred", bred_agent_loses_what_its_run_says),
    *(
        Row(name, table_begins, () if name.endswith(("search", "choices")) else SLOW)
        for name in TABLES
    ),
    # Oliehoek et al.: choices that the paper leaves open.
    Row(OPEN, open_choices_have_the_same_rows(0)),
    Row(OPEN, open_choices_have_the_same_rows(5)),
    Row(OPEN, open_choices_have_the_same_rows(first_open(program="interior point"))),
    *(
        Row(
            OPEN,
            open_choices_have_the_same_rows(
                first_open(game=f"6-card poker, {deck}"), "security_level_sum"
            ),
            SLOW,
        )
        for deck in ("ranks", "paired")
    ),
    Row("oliehoek-2006-six-cards", six_card_rules_have_the_same_row),
    # Noble & Watson: populations, their last generations, and splits of opponents.
    Row(
        "noble-2001-long",
        sweep_begins(
            lambda config: noble.record_long_run(
                replace(config, iterations=noble.MEASURING_INTERVAL)
            )
        ),
    ),
    *(
        Row(f"noble-2001-{n}", sweep_begins(STUDIES[n].measure), SLOW)
        for n in ("final", "halves", "parents", "front-parents", "sensitivity")
    ),
    *(
        Row(f"noble-2001-{n}", study_begins(STUDIES[n].measure, ("split",)), SLOW)
        for n in ("splits", "parents-splits", "front-parents-splits", "future-splits")
    ),
    Row(
        "noble-2001-future",
        study_begins(noble.record_last_population_of_extension, ("regime", "seed")),
        SLOW,
    ),
    Row(
        "noble-2001-reliability",
        study_begins(
            lambda few: noble.measure_reliability_of_judgments(noble2001.Config(**few)),
            ("size", "seed"),
        ),
        SLOW,
    ),
    # Nicolai & Hilderman: old agents, evolutions, champions and what they do.
    Row(OLD_AGENTS, old_agents_begin(RUNS), SLOW),
    Row(OLD_AGENTS, old_agents_begin(old_agents.LONGER_FOLDER), SLOW),
    Row(OLD_AGENTS, longer_agents_have_a_tenth_of_the_budget),
    *(Row(name, evolution_begins(2)) for name in SMALL),
    *(Row(name, evolution_begins(1), SLOW) for name in (*LARGE.values(), *THESIS)),
    Row(champions.name_evolution_file("Control", 1), game_has_the_recorded_fingerprint),
    Row(
        TENTH,
        champions_are_of_earlier_evolutions({"Control": SMALL[0], "LargeHOF": SMALL[1]}, 10_000),
    ),
    Row(TENTH, champion_plays_as_evaluated),
    Row(WHOLE, champions_are_of_earlier_evolutions(LARGE, 100_000)),
    Row(WHOLE, champions_are_of_all_methods),
    Row(BY_THESIS, champions_are_of_whole_evolutions),
    Row(interpretations.EVALUATIONS_FILE.stem, evaluations_are_interpretations),
    *(
        Row(interpretations.EVALUATIONS_FILE.stem, standings_are_of_recorded_champions(s))
        for s in interpretations.SOURCES
    ),
    Row(
        "nicolai-2009-methods",
        study_begins(methods.evolve_and_evaluate_last_champions, EVOLUTION_OF),
        SLOW,
    ),
    Row(
        "nicolai-2009-future",
        study_begins(methods.evolve_and_evaluate_last_champions, EVOLUTION_OF),
        SLOW,
    ),
    Row(
        "nicolai-2009-forgetting", study_begins(methods.measure_losses_to_ancestors, LINE_OF), SLOW
    ),
    Row(STAGES, study_begins(methods.evolve_and_evaluate_champions_by_stage, LINE_OF), SLOW),
    *(
        Row(
            STAGES,
            study_begins(methods.evolve_and_evaluate_champions_by_stage, LINE_OF, line),
            SLOW,
        )
        for line in ("by hands won", "by chips")
    ),
    Row(
        "nicolai-2009-exploiters",
        study_begins(
            exploiters.breed_and_evaluate_exploiters,
            ("champion", "seed", "generations", "duplicates"),
        ),
        SLOW,
    ),
    *(Row(f"nicolai-2009-{name}", lineages_begin(name), SLOW) for name in lineages.MEASUREMENTS),
    # Lesson 15 compares methods.
    Row(POPULATIONS, populations_begin),
]
"""The one place where a recording is added: a pattern of its name, and the check of it."""


def cases() -> Iterator[Any]:
    """Yield a case for each row and each recording that it is about."""
    for row in ROWS:
        name = row.check.__qualname__.partition(".")[0]
        for path in sorted(RUNS.glob(f"{row.files}.npz")):
            marks = row.marks(path) if callable(row.marks) else row.marks
            yield pytest.param(path, row.check, marks=marks, id=f"{path.stem}-{name}")


@pytest.mark.parametrize(("path", "check"), [*cases()])
def test_recording_equals_what_the_code_records(path: Path, check: Check) -> None:
    check(path)


def test_rows_name_every_recording_and_no_other() -> None:
    found = [{path.stem for path in RUNS.glob(f"{row.files}.npz")} for row in ROWS]
    assert all(found)
    assert {path.stem for path in RUNS.glob("*.npz")} == set.union(*found)
