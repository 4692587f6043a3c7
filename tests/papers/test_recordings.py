"""Committed recordings are what the code records today: the beginning of each is run again."""

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core.saved_files import check_identity
from pokerlab.holdem import MatrixEncoding, TableNetwork
from pokerlab.papers import Experiment, lanctot2014, noble2001
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.methods import RECORDED as POPULATIONS
from pokerlab.papers.nicolai2009 import CONFIGS, EARLIER_TABLES, METHODS, DuplicateTables
from pokerlab.papers.nicolai2009 import Config as NetworksConfig
from pokerlab.papers.nicolai2009 import make_solver as networks_solver
from pokerlab.papers.nicolai2009_agents import OLD_AGENTS
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.papers.samothrakis2011_holdem import evolving_holdem
from pokerlab.runs import History
from pokerlab.runs.history import make_plain
from studies.nicolai2009 import champions, exploiters, methods, old_agents, readings
from studies.nicolai2009.champions import Evolution
from studies.nicolai2009.evaluation import evaluate
from studies.nicolai2009.long_run import recorded_config
from studies.noble2001 import changes
from studies.noble2001 import recordings as noble
from studies.oliehoek2006 import fingerprint
from studies.oliehoek2006.memories import open_choices, open_configs
from studies.samothrakis2011.ends import ends_of_seeds
from studies.samothrakis2011.ends import recorded_config as recorded_samothrakis
from studies.samothrakis2011.tables import TABLES, Recording

with (RUNS / "retired.csv").open(encoding="utf-8") as lines:
    RETIRED = list(csv.DictReader(lines))
"""Recordings and shown numbers whose code is gone, and the last commit that has it."""
EARLY = 5
"""The last iteration that is run again."""
SEARCHED = (pytest.mark.slow, pytest.mark.timeout(1800))
"""Marks of runs judged by 1,000 playouts; with every state searched apart they take two minutes a generation."""
OTHER_SEEDS = re.compile(r"samothrakis-2011-judged-.*-(?!1$)\d+")
"""Runs of a configuration whose first seed is run again in any case."""
SHORTER = {"samothrakis-2011-judged-drawn-1": 2}
"""The last iteration of a run that takes two seconds an iteration; its other seeds go on to `EARLY`."""
EXPERIMENTS: dict[str, tuple[Experiment, Any]] = {
    "lanctot-2014-kp2-*": (lanctot2014.replicator, lanctot2014.Config),
    "samothrakis-2011-13-card-direct": (
        minimax_coevolution,
        lambda **given: recorded_samothrakis(given),
    ),
    "samothrakis-2011-small-steps-*": (evolving_holdem, evolving_holdem.config_type),
    "samothrakis-2011-judged-*": (evolving_holdem, evolving_holdem.config_type),
}
"""Recordings of runs: of which experiment, and what makes a Config of the settings."""
ENDS = [
    f"samothrakis-2011-{name}"
    for name in ("13-card-net", "kp3", "kuhn-net", "rps-genes", "rps-net", "rps-outer")
]
"""Recordings of the ends of runs by settings and seeds, of which the first row is run again."""
COSTS = ("iteration", "evaluations", "inner_evaluations")
NOBLE: dict[str, Any] = {
    **{f"noble-2001-{n}": noble.STUDIES[n].measure for n in ("final", "halves", "sensitivity")},
    "noble-2001-long": lambda config: noble.long_run(replace(config, iterations=noble.EVERY)),
}
"""Recordings of sweeps, and what makes the first rows of each."""
LARGE = {
    method: champions.earlier_name_of(method)
    for method in METHODS
    if (RUNS / f"{champions.earlier_name_of(method)}.npz").exists()
}
"""Evolutions at the paper's size by our earlier defaults; a generation takes seconds."""
CHAMPIONS = [path.stem for path in RUNS.glob("nicolai-2009-thesis-champions-*.npz")]
THESIS = sorted({path.stem for path in RUNS.glob("nicolai-2009-thesis-*.npz")} - {*CHAMPIONS})
"""Evolutions at the paper's size by the settings of the thesis that are whole."""
SMALL = ("nicolai-2009-small-control", "nicolai-2009-small-large")
"""Evolutions of a tenth of that size, of which generations 1, 2, 100 and 200 are kept."""
EVOLUTIONS: dict[str, Any] = {
    **dict.fromkeys([*LARGE.values(), *THESIS], pytest.mark.slow),
    **dict.fromkeys(SMALL, ()),
}
"""Recordings of evolutions, champion by champion."""
STAGES, STANDINGS = "nicolai-2009-stages", "nicolai-2009-standings"
EVOLUTION_OF = ("method", "reading", "iterations", "seed", "duplicates")
STUDIES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "noble-2001-splits": (noble.STUDIES["splits"].measure, ("split",)),
    "noble-2001-future": (noble.future_population, ("regime", "seed")),
    "noble-2001-reliability": (
        lambda few: noble.reliability(noble2001.Config(**few)),
        ("size", "seed"),
    ),
    "noble-2001-future-splits": (noble.STUDIES["future-splits"].measure, ("split",)),
    "nicolai-2009-methods": (methods.champions_of, EVOLUTION_OF),
    "nicolai-2009-future": (methods.champions_of, EVOLUTION_OF),
    "nicolai-2009-forgetting": (methods.losses_of, ("line", "duplicates", "seed")),
    STAGES: (methods.stages_of, ("line", "duplicates", "seed")),
    "nicolai-2009-exploiters": (
        exploiters.exploited,
        ("champion", "seed", "generations", "duplicates"),
    ),
}
"""Recordings of sweeps, what makes rows, and from which settings."""
OPEN, SIX_CARDS = "oliehoek-2006-open", "oliehoek-2006-six-cards"
SHORT = ("noble-2001-long",)
RUNS_OF = {path: how for name, how in EXPERIMENTS.items() for path in RUNS.glob(f"{name}.npz")}


def test_every_recording_is_checked_by_one_of_these_tests() -> None:
    one_by_one = {
        OLD_AGENTS,
        champions.EARLIER_TENTH,
        champions.EARLIER_WHOLE,
        STANDINGS,
        OPEN,
        SIX_CARDS,
        POPULATIONS,
    }
    by_list = {*CHAMPIONS, *STUDIES, *EVOLUTIONS, *ENDS, *NOBLE, *TABLES}
    retired = {Path(row["file"]).stem for row in RETIRED if row["file"].endswith(".npz")}
    checked = one_by_one | by_list | retired | {path.stem for path in RUNS_OF}
    assert {path.stem for path in RUNS.glob("*.npz")} == checked


@pytest.mark.parametrize("row", RETIRED, ids=lambda row: row["file"])
def test_what_is_retired_is_recorded_or_stands_in_its_audit(row: dict[str, str]) -> None:
    if row["file"].endswith(".npz"):
        assert len(History.load(RUNS / row["file"]))
    else:
        assert row["which"] in (RUNS.parents[1] / row["file"]).read_text(encoding="utf-8")
    assert re.fullmatch("[0-9a-f]{7}", row["commit"])


def first_open(**settings: str) -> int:
    """Return the number of the first of the open choices with these settings."""
    return next(n for n, c in enumerate(open_configs()) if settings.items() <= vars(c).items())


@pytest.mark.parametrize("number", [0, 5, first_open(program="interior point")])
def test_the_open_choices_are_those_measured_today(number: int) -> None:
    """A few of them, with either program; six cards are left to a slow test."""
    check_open(number)


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["ranks", "paired"])
def test_the_six_card_choices_are_those_measured_today(deck: str) -> None:
    check_open(first_open(game=f"6-card poker, {deck}"), "security_level_sum")


def test_rules_tried_for_six_cards_are_those_tried_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hands, with the betting that came nearest alone."""
    kept = History.load(RUNS / f"{SIX_CARDS}.npz")
    assert kept["hand"].tolist() == [*range(len(fingerprint.HANDS))]
    nearest = fingerprint.BETTINGS[int(kept["nearest"][0])]
    monkeypatch.setattr(fingerprint, "BETTINGS", [nearest])
    row = {"hand": 0, **fingerprint.tried({"hand": 0}), "nearest": kept["nearest"][0]}
    assert_rows([row], kept)


def check_open(number: int, *names: str) -> None:
    """Measure two of the open choices, which have two rows each, again."""
    kept = History.load(RUNS / f"{OPEN}.npz")
    again = open_choices(open_configs()[number : number + 2])
    assert len(kept) == 2 * len(open_configs())
    columns = {name: again[name].tolist() for name in names or again.columns}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert_rows(rows, kept, 2 * number)


@pytest.mark.slow
@pytest.mark.parametrize("folder", [RUNS, old_agents.LONGER])
def test_the_first_champions_of_the_old_agents_are_those_evolved_today(folder: Path) -> None:
    _, genomes = old_agents.recorded_old_agents(folder)
    assert genomes["OldStart"].tobytes() == MatrixEncoding().make_head_start().tobytes()
    for name, start in old_agents.STARTS.items():
        solver = old_agents.old_solver(old_agents.old_config(folder), start, workers=2)
        first = solver.step(solver.init())
        assert genomes[old_agents.FIRST + name].tobytes() == first.champions[0].tobytes()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks) for name, marks in EVOLUTIONS.items()]
)
def test_a_recorded_evolution_begins_as_it_would_today(name: str) -> None:
    old = Evolution.load(RUNS / f"{name}.npz")
    kept = [1, 2, 100, 200] if name in SMALL else range(1, int(old.history["iteration"][-1]) + 1)
    assert old.generations.tolist() == list(kept)
    evolution = networks_solver(recorded_config(old.history.provenance["settings"]), workers=2)
    state = evolution.init()
    for generation in range(1 if name in (*LARGE.values(), *THESIS) else 2):
        state = evolution.step(state)
        assert old.champions[generation].tobytes() == state.champions.tobytes()


def test_recorded_champions_are_those_of_the_recorded_evolutions() -> None:
    tenth = champions.Champions.load(RUNS / f"{champions.EARLIER_TENTH}.npz")
    large = champions.Champions.load(RUNS / f"{champions.EARLIER_WHOLE}.npz")
    assert large.histories.keys() == LARGE.keys()
    for method, name, among in (
        ("Control", SMALL[0], tenth),
        ("LargeHOF", SMALL[1], tenth),
        *((method, name, large) for method, name in LARGE.items()),
    ):
        evolution = Evolution.load(RUNS / f"{name}.npz")
        last = among.histories[method]["iteration"][-1]
        best = evolution.champions[evolution.generations.tolist().index(last)]
        for one, genome in zip(champions.names_of(method, len(best)), best, strict=True):
            assert among.genomes[one].tobytes() == genome.tobytes()
    for among, duplicates in ((tenth, 10_000), (large, 100_000)):
        assert {one.duplicates for one in among.evaluations.values()} == {duplicates}


@pytest.mark.parametrize("name", CHAMPIONS)
def test_champions_by_the_thesis_are_those_of_whole_evolutions(name: str) -> None:
    kept, seed = champions.Champions.load(RUNS / f"{name}.npz"), int(name.rpartition("-")[2])
    for method, history in kept.histories.items():
        evolution = Evolution.load(RUNS / f"{champions.name_of(method, seed)}.npz")
        wanted = replace(CONFIGS[method], seed=seed)
        assert recorded_config(evolution.history.provenance["settings"]) == wanted
        assert history["iteration"][-1] == evolution.generations[-1] == wanted.iterations
        best = evolution.champions[-1]
        for one, genome in zip(champions.names_of(method, len(best)), best, strict=True):
            assert kept.genomes[one].tobytes() == genome.tobytes()


def test_a_recorded_evaluation_is_what_the_champion_does_today() -> None:
    tenth = champions.Champions.load(RUNS / f"{champions.EARLIER_TENTH}.npz")
    (player,) = TableNetwork().make_players(tenth.genomes["Control"][None], ["Control"])
    tables = DuplicateTables(duplicates=100, seed=1, **EARLIER_TABLES)
    found = evaluate(player, tables=tables, progress=False)
    old = tenth.evaluations["Control"]
    assert found.names == old.names
    apart = np.abs(found.ranks.mean - old.ranks.mean)
    assert (apart < 4.5 * found.ranks.standard_error).all()
    assert found.decisions_a_hand == pytest.approx(old.decisions_a_hand, rel=0.05)


def test_old_agents_of_the_larger_budget_had_a_tenth_of_controls() -> None:
    about, _ = old_agents.recorded_old_agents(old_agents.LONGER)
    control = NetworksConfig(seed=0)
    spent = control.agents * control.tournaments * control.iterations
    assert about["agent_tournaments"] == spent / 10


@pytest.mark.parametrize("source", readings.SOURCES)
def test_recorded_standings_are_those_of_the_recorded_champions(source: str) -> None:
    """All of them are of whole evolutions, and what LargeHOF's champion did is what it does today."""
    old = champions.Champions.load(readings.STANDINGS)
    kept = readings.whole_champions(source)
    for reading, (tables, _) in readings.readings_of(source).items():
        check_identity(readings.STANDINGS, old.provenance[source], {reading: make_plain(tables)})
        begin = f"{source}/{reading}/"
        there = {k.removeprefix(begin): g for k, g in old.genomes.items() if k.startswith(begin)}
        assert {*there} <= {*readings.evolved(kept)}
        assert all(one.tobytes() == kept.genomes[name].tobytes() for name, one in there.items())
        new = readings.standing(source, reading, "LargeHOF", there["LargeHOF"], 100).ranks
        apart = np.abs(new.mean - old.evaluations[f"{begin}LargeHOF"].ranks.mean)
        assert (apart < 4.5 * new.standard_error).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"),
    [*((name, None) for name in STUDIES), (STAGES, "by hands won"), (STAGES, "by chips")],
)
def test_a_recorded_study_begins_as_it_would_today(name: str, line: str | None) -> None:
    old = History.load(RUNS / f"{name}.npz")
    measure, keys = STUDIES[name]
    begin = int(np.argmax(old["line"] == line)) if line else 0
    assert_rows(measure({key: old[key][begin].item() for key in keys}), old, begin)


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


@pytest.mark.parametrize("path", RUNS_OF, ids=lambda path: path.stem)
def test_a_recorded_run_is_taken_for_what_it_is(path: Path) -> None:
    """No run is begun, as judging a first state takes seconds."""
    experiment, config = RUNS_OF[path]
    old = History.load(path)
    settings = config(**old.provenance["settings"])
    if config is experiment.config_type:
        # Otherwise a setting has gone, and lessons read the file as it is.
        assert len(experiment.load_or_run(path.stem, settings)) == len(old)


def marks_of(name: str) -> Any:
    """Return the marks of the test that runs a recorded run again."""
    if "-1000-" in name:
        return SEARCHED
    return pytest.mark.slow if OTHER_SEEDS.fullmatch(name) else ()


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=marks_of(path.stem)) for path in RUNS_OF],
)
def test_a_recorded_run_begins_as_it_would_today(path: Path) -> None:
    experiment, config = RUNS_OF[path]
    last = SHORTER.get(path.stem, EARLY)
    old = History.load(path)
    run = experiment.run(config(**old.provenance["settings"]), per_decade=1000)
    new = run.to(last, progress=False).history
    early = old["iteration"] <= last
    assert early.sum() >= 3
    for name, column in old.columns.items():
        rows = [new.select_row(int(iteration))[name] for iteration in old["iteration"][early]]
        np.testing.assert_allclose(rows, column[early], rtol=1e-9, atol=1e-12, err_msg=name)


def first_of(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that measure only the first row of a table."""
    return {key: value[:1] if isinstance(value, list) else value for key, value in settings.items()}


ALL_OF = {"samothrakis-2011-search": ("seeds",), "samothrakis-2011-judges": ("seeds",)}
"""Settings that are one thing, although they are lists."""


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=[] if name.endswith(("search", "choices")) else pytest.mark.slow)
        for name, table in TABLES.items()
    ],
    ids=lambda table: table.name,
)
def test_a_recorded_table_begins_as_it_would_today(table: Recording) -> None:
    old = table.history()
    whole = {name: table.settings[name] for name in ALL_OF.get(table.name, ())}
    new = table.measure(**(first_of(table.settings) | whole))[0]
    for column, value in zip(old.columns, new, strict=True):
        if column != "seconds":
            assert value == pytest.approx(old[column][0], rel=1e-6, abs=1e-6), column


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS)
def test_a_recorded_end_is_where_the_run_ends_today(name: str) -> None:
    """It ends with the same strategy at about the same cost: processors that round otherwise move an end a little."""
    old = History.load(RUNS / f"{name}.npz")
    config = recorded_samothrakis(old.provenance["settings"])
    varied = {key: values[:1] for key, values in old.provenance["varied"].items()}
    about = {"target": old.provenance["target"], "varied": varied}
    new = ends_of_seeds(config, [config.seed], **about)
    assert new.columns.keys() == old.columns.keys()
    for column, values in old.columns.items():
        if column in varied:
            assert new[column][0] == values[0]
        elif column in COSTS:
            assert new[column][0] == pytest.approx(values[0], rel=0.05), column
        elif column not in ("seconds", "step_size"):
            assert new[column][0] == pytest.approx(values[0], abs=1e-3), column


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SHORT else pytest.mark.slow) for name in NOBLE]
)
def test_a_recorded_sweep_begins_as_it_would_today(name: str) -> None:
    old = History.load(RUNS / f"{name}.npz")
    given = old.provenance["config"] or {"iterations": changes.LAST}
    settings = {key: value for key, value in given.items() if key != "kind"}
    first = {key: old[key][0].item() for key in ("regime", "seed")}
    rows = NOBLE[name](noble2001.Config(**{**settings, **first}))
    assert_rows(rows, old)
