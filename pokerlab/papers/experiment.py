"""An experiment of a paper: its settings, and how a solver and columns follow from them; published numbers; recordings.

A run that takes too long for each reader of a notebook is recorded in a file once (`load_or_run`), and is made again if
the file is deleted.
"""

import csv
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pokerlab.core import CheckpointError, FileFormatError, KindError
from pokerlab.core.files import DATA, is_installed
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.core.saved_files import check_identity
from pokerlab.runs import Column, History, Run
from pokerlab.runs.history import describe_provenance

P = TypeVar("P")  # a part of a solver
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
SETTING = "setting"  # the kind of a printed number that is a run's setting, not its result
RUNS = DATA / "runs"
UNFINISHED = "unfinished"  # the folder in it of runs that can be resumed; git ignores it
CONFIG_ENTRIES = ("game", "game_fingerprint", "settings")
DECISIVE_ENTRIES = ("solver", *CONFIG_ENTRIES, "parameters")
"""The entries of a provenance that decide the numbers. If one Config makes the solver, its three are enough."""


class Published(NamedTuple):
    """A number that a paper prints.

    Attributes
    ----------
    key : str
        Its name in tests and tables.
    game : str
        The game on which it was measured.
    column : str
        The name of the column of ours that measures the same.
    iteration : float
        The iteration at which it was measured; NaN where the paper does not say.
    value : float
        The number as printed.
    relation : str
        How the measured number relates to it: '=', '<', '<=', '>' or '>='.
    unit : str
        The unit of the value.
    source : str
        Where the paper prints it.
    note : str
        How we understand it.
    kind : str
        'setting' if a run is made with it, otherwise 'result'.
    """

    key: str
    game: str
    column: str
    iteration: float
    value: float
    relation: str
    unit: str
    source: str
    note: str
    kind: str = "result"


@explain_renamed_attributes
@reject_renamed_parameters
@dataclass(frozen=True)
class Experiment:
    """An experiment that the workbench can run.

    Attributes
    ----------
    title : str
        Its name.
    config_type : type
        The class of its settings, a frozen keyword-only dataclass with at least `iterations`.
    scales : mapping of str to Config
        Settings for each of 'quick', 'lab' and 'paper'.
    make_solver : callable
        Makes the solver from a Config, and perhaps from options on which no number depends.
    make_columns : callable
        Makes the columns of a solver's run; the first is the one to plot.
    select_published_numbers : callable
        Returns the numbers that a paper prints for a Config, which are shown beside the curves.
    per_decade : int
        Recordings in each factor of ten, 1 to 1000; with 1000 every iteration up to the 463rd is recorded.
    paper : mapping of str to Config
        Settings for each run that the paper reports.
    """

    title: str
    config_type: type
    scales: Mapping[str, Any]
    make_solver: Callable[..., Any]
    make_columns: Callable[[Any], Sequence[Column]]
    select_published_numbers: Callable[[Any], Sequence[Published]] = lambda config: ()
    per_decade: int = 20
    paper: Mapping[str, Any] = field(default_factory=dict)

    def run(
        self,
        config: Any,
        *,
        checkpoint: str | Path | None = None,
        per_decade: int | None = None,
        keep: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> Run:
        """Return the run of a Config, which is not yet begun, or is resumed from a checkpoint.

        Parameters
        ----------
        config : Config
            The experiment's settings.
        checkpoint : str or Path, optional
            Where the run is kept, and resumed from if the file exists.
        per_decade : int, optional
            Recordings in each factor of ten; the experiment's own if not given.
        keep : callable, optional
            What is kept of past states, as in `Run`.
        **options
            What the solver takes besides a Config, such as `workers=2`. It changes no number.

        Raises
        ------
        KindError
            If `config` is the Config of another experiment.
        """
        if not isinstance(config, self.config_type):
            raise KindError(
                f"config is a {type(config).__name__} ({type(config).__module__}); '{self.title}' takes a"
                f" {self.config_type.__name__} of {self.config_type.__module__}, such as experiment.scales['lab']."
            )
        solver = self.make_solver(config, **options)
        return Run(
            solver,
            self.make_columns(solver),
            per_decade=self.per_decade if per_decade is None else per_decade,
            settings=dict(vars(config)),
            checkpoint=checkpoint,
            keep=keep,
        )

    def load_or_run(self, name: str, config: Any, **options: Any) -> History:
        """Return the history of a run to its end, from `data/runs/<name>.npz`, or run it and write that file.

        No run is begun if the file exists, since the first state of some methods takes seconds. `options` are those of
        `run`; errors are those of `load_or_make_history`.
        """
        solver = self.make_solver(config)
        names = ("iteration", *(column.name for column in self.make_columns(solver)))

        def make_history() -> History:
            return self.run(config, **options).to(config.iterations).history

        return load_or_record(
            name,
            describe_provenance(solver, dict(vars(config))),
            names,
            config.iterations,
            make_history,
        )

    def record_rows(self, config: Any, *, at: Sequence[int] = ()) -> list[dict[str, float]]:
        """Run a Config, and return a row of its columns at each of some iterations, or only at its end.

        `runs.sweep` can measure this method. Iterations must increase. A solver that has converged stops, so that the
        iteration in a row may be an earlier one.

        Examples
        --------
        >>> from pokerlab import papers, runs
        >>> memory = papers.oliehoek2006.nash_memory
        >>> start = papers.oliehoek2006.Config(start="random", iterations=30, seed=1)
        >>> ends = runs.sweep(memory.record_rows, {}, config=start, seeds=range(3), progress=False)
        >>> ends["iteration"].tolist()
        [12.0, 10.0, 11.0]
        """
        run = self.run(config, per_decade=1)
        iterations = at or (config.iterations,)
        rows = [run.to(iteration, progress=False).rows[-1] for iteration in iterations]
        return [dict(zip(run.names, row, strict=True)) for row in rows]


def make_part(kind: Callable[..., P], config: Any, prefix: str = "", **given: Any) -> P:
    """Make a part of a solver from the settings that have the names of its fields.

    Parameters
    ----------
    kind : dataclass
        The class of the part, such as `Tournaments`.
    config : Config
        Its setting `<prefix><name>` is the value of the field `name`; fields without such a setting keep their default.
    prefix : str
        The beginning of these settings' names, such as 'hall_'.
    **given
        Values of other fields, which take precedence.
    """
    names = [field.name for field in fields(kind) if hasattr(config, prefix + field.name)]  # type: ignore[arg-type]
    settings = {name: getattr(config, prefix + name) for name in names}
    return kind(**settings | given)


def read_published_numbers(paper: str, game: str | None = None) -> list[Published]:
    """Return the numbers that a paper prints, from `data/published/<paper>.csv`.

    Parameters
    ----------
    paper : str
        The name of the file, such as 'lanctot-2014'.
    game : str, optional
        If given, only the numbers that were measured on this game are returned.
    """
    source = DATA / "published" / f"{paper}.csv"
    if not source.is_file():
        raise FileFormatError(
            f"no published numbers for '{paper}': {source.name} is not in data/published. Pass the name of a"
            " file there, such as 'lanctot-2014'."
        )
    rows = list(csv.DictReader(source.read_text(encoding="utf-8").splitlines()))
    return [
        Published(**{**row, "iteration": float(row["iteration"]), "value": float(row["value"])})  # type: ignore[arg-type]
        for row in rows
        if game in (None, row["game"])
    ]


def load_or_make_history(
    name: str,
    make: Callable[[], History],
    about: Mapping[str, Any],
    columns: Collection[str] | None = None,
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history in the file `<name>.npz`; if there is no such file, make the history and write it first.

    An installed pokerlab writes nothing to `data/runs`: give another folder, or work in a clone of the repository.

    Parameters
    ----------
    name : str
        The file's name without its ending.
    make : callable
        Makes the history, where no file has it.
    about : mapping
        Entries that the provenance must have, since they decide the numbers.
    columns : collection of str, optional
        Names that the columns must have, in this order.
    folder : str or Path
        The file's folder, `data/runs` if not given.

    Raises
    ------
    CheckpointError
        If the file has another provenance or other columns.
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


def load_or_run(name: str, run: Run, until: int, *, folder: str | Path = RUNS) -> History:
    """Return the history of a run up to an iteration from the file `<name>.npz`, or run it and write the file.

    The run must not have begun. Errors are those of `load_or_make_history`.
    """
    return load_or_record(
        name, run.provenance, run.names, until, lambda: run.to(until).history, folder=folder
    )


def load_or_record(
    name: str,
    origin: Mapping[str, Any],
    columns: Collection[str],
    until: int,
    make: Callable[[], History],
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history up to an iteration from the file `<name>.npz`, or make it and write the file.

    Parameters
    ----------
    name : str
        The file's name without its ending.
    origin : mapping
        The provenance of the run, whose `DECISIVE_ENTRIES` the file must have.
    columns : collection of str
        Names that the columns must have, in this order.
    until : int
        The last iteration that the history must have.
    make : callable
        Makes the history, where no file has it.
    folder : str or Path
        The file's folder, `data/runs` if not given.
    """
    about = {key: origin[key] for key in DECISIVE_ENTRIES}
    history = load_or_make_history(name, make, about, columns, folder=folder)
    if history["iteration"][-1] != until:
        raise CheckpointError(
            f"{name}.npz ends at iteration {history['iteration'][-1]:g}; asked for is {until}."
            " Delete the file to run again."
        )
    return history
