"""What a paper's experiment is to the workbench: a Config, and how a solver and columns follow from it.

Runs that take too long for every reading of a notebook are recorded once, and made again on demand.
"""

import csv
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pokerlab.core import CheckpointError, FileFormatError, KindError
from pokerlab.core.files import DATA, is_installed
from pokerlab.core.kept import check_identity
from pokerlab.runs import Column, History, Run
from pokerlab.runs.history import provenance

P = TypeVar("P")  # a part of an experiment
SCALES = ("quick", "lab", "paper")
VERDICTS = (
    "met",
    "met under a reading",
    "holds with an added condition",
    "not met",
    "cannot be decided",
    "answered",
)
"""What an audit decides on a printed result or a claim; a question is answered."""
SETTING = "setting"  # the kind of a printed number that a run is made from, not what comes of it
RUNS = DATA / "runs"
UNFINISHED = "unfinished"  # its folder for what goes on where it was stopped; git ignores it
OF_CONFIG = ("game", "game_fingerprint", "settings")
WHAT_DECIDES = ("solver", *OF_CONFIG, "parameters")
"""The entries of a provenance that decide the numbers; by one Config, three are enough."""


class Published(NamedTuple):
    """A number that a paper prints."""

    key: str  # its name in tests and tables
    game: str  # what it was measured on
    column: str  # which of our columns it belongs beside
    iteration: float  # when; NaN where the paper does not say
    value: float  # as printed, in `unit`
    relation: str  # '=', '<', '<=', '>' or '>='
    unit: str  # what it counts
    source: str  # where it stands
    note: str  # how it was read
    kind: str = "result"  # 'setting', which a run is made from, or 'result'


@dataclass(frozen=True)
class Experiment:
    """An experiment that the bench can run."""

    title: str
    config_type: type  # the Config: frozen, keyword-only, of settings; at least `iterations`
    scales: Mapping[str, Any]  # a Config for each of 'quick', 'lab' and 'paper'
    solver: Callable[..., Any]  # from a Config, and perhaps options on which no number depends
    columns: Callable[[Any], Sequence[Column]]  # of a solver; the first is the one to plot
    published: Callable[[Any], Sequence[Published]] = lambda config: ()  # beside its curves
    per_decade: int = 20  # recordings in each factor of ten, 1 to 1000; 1000 record every iteration up to the 463rd
    paper: Mapping[str, Any] = field(default_factory=dict)  # a Config for each that it reports

    def run(
        self,
        config: Any,
        *,
        checkpoint: str | Path | None = None,
        per_decade: int | None = None,
        keep: Callable[[Any], Any] | None = None,
        **aside: Any,
    ) -> Run:
        """Return the run of `config`, not yet begun or resumed from `checkpoint`.

        `per_decade` is the experiment's own if not given; `keep` says what is kept of past states, as in `Run`.
        `aside` is what its solver takes besides a Config, such as `workers=2`, and changes no number.
        """
        if not isinstance(config, self.config_type):
            raise KindError(
                f"config is a {type(config).__name__} ({type(config).__module__}); '{self.title}' takes a"
                f" {self.config_type.__name__} of {self.config_type.__module__}, such as experiment.scales['lab']."
            )
        solver = self.solver(config, **aside)
        return Run(
            solver,
            self.columns(solver),
            per_decade=self.per_decade if per_decade is None else per_decade,
            settings=dict(vars(config)),
            checkpoint=checkpoint,
            keep=keep,
        )

    def recorded(self, name: str, config: Any, **how: Any) -> History:
        """Return what a run of `config` records to its end, as the function `recorded` does, and `how` as in `run`.

        The run is begun only if no file keeps it: the first state of a method that searches takes seconds.
        """
        solver = self.solver(config)
        names = ("iteration", *(column.name for column in self.columns(solver)))
        return recorded_by(
            name,
            provenance(solver, dict(vars(config))),
            names,
            config.iterations,
            lambda: self.run(config, **how).to(config.iterations).history,
        )

    def rows(self, config: Any, *, at: Sequence[int] = ()) -> list[dict[str, float]]:
        """Return what is recorded of `config` at iterations `at`, which rise, or else at its end.

        This is what `runs.sweep` can measure. A solver that has converged stays where it is, so that
        the iteration of a row may be an earlier one.

        Examples
        --------
        >>> from pokerlab import papers, runs
        >>> memory = papers.oliehoek2006.nash_memory
        >>> start = papers.oliehoek2006.Config(start="random", iterations=30, seed=1)
        >>> ends = runs.sweep(memory.rows, {}, config=start, seeds=range(3), progress=False)
        >>> ends["iteration"].tolist()
        [12.0, 10.0, 11.0]
        """
        run = self.run(config, per_decade=1)
        ends = [run.to(until, progress=False).rows[-1] for until in at or (config.iterations,)]
        return [dict(zip(run.names, row, strict=True)) for row in ends]


def part(kind: Callable[..., P], config: Any, prefix: str = "", **given: Any) -> P:
    """Return a dataclass made of the settings named as its fields are, after `prefix`, and of what is `given`."""
    names = [field.name for field in fields(kind) if hasattr(config, prefix + field.name)]  # type: ignore[arg-type]
    return kind(**{name: getattr(config, prefix + name) for name in names} | given)


def published_numbers(paper: str, game: str | None = None) -> list[Published]:
    """Return the numbers of a paper, rows of `data/published/<paper>.csv`; those of one game if it is given."""
    source = DATA / "published" / f"{paper}.csv"
    if not source.is_file():
        raise FileFormatError(
            f"no published numbers for '{paper}': {source.name} is not in data/published."
        )
    rows = list(csv.DictReader(source.read_text(encoding="utf-8").splitlines()))
    return [
        Published(**{**row, "iteration": float(row["iteration"]), "value": float(row["value"])})  # type: ignore[arg-type]
        for row in rows
        if game in (None, row["game"])
    ]


def kept_history(
    name: str,
    make: Callable[[], History],
    about: Mapping[str, Any],
    columns: Collection[str] | None = None,
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history that is kept in `data/runs` under a name; if there is none, make and keep it.

    An installed pokerlab keeps nothing there: give another folder, or work in a clone of the repository.

    `name` has no ending; `about` are entries of the provenance that decide the numbers, `columns` the names of columns.
    """
    path = Path(folder) / f"{name}.npz"
    if not path.exists() and not is_installed(path):
        make().save(path)
    history = History.load(path)
    check_identity(path, history.provenance, json.loads(json.dumps(dict(about))))
    if columns is not None and list(history.columns) != list(columns):
        raise CheckpointError(
            f"{path.name} recorded {list(history.columns)}; asked for is {list(columns)}."
            " Delete the file to run again."
        )
    return history


def recorded(name: str, run: Run, until: int, *, folder: str | Path = RUNS) -> History:
    """Return what `run`, not yet begun, records up to iteration `until`, as `kept_history` does."""
    return recorded_by(
        name, run.provenance, run.names, until, lambda: run.to(until).history, folder=folder
    )


def recorded_by(
    name: str,
    origin: Mapping[str, Any],
    columns: Collection[str],
    until: int,
    make: Callable[[], History],
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history of a provenance, up to iteration `until`, that is kept under a name, or make it."""
    about = {key: origin[key] for key in WHAT_DECIDES}
    history = kept_history(name, make, about, columns, folder=folder)
    if history["iteration"][-1] != until:
        raise CheckpointError(
            f"{name}.npz ends at iteration {history['iteration'][-1]:g}; asked for is {until}."
            " Delete the file to run again."
        )
    return history
