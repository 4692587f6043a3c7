"""Experiments of papers, the numbers that the papers print, and recordings of runs.

An `Experiment` has settings, and functions that make a solver and the columns of a run from them. A run that takes too
long for a notebook is recorded in a file once (`load_or_run`), and is run again if the file is deleted.
"""

import csv
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pokerlab.core import CheckpointError, FileFormatError, KindError, SettingError
from pokerlab.core.files import DATA, is_in_installed_data
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.core.saved_files import check_file_description
from pokerlab.runs import Column, History, Run
from pokerlab.runs.history import describe_provenance

P = TypeVar("P")  # a part of a solver
SCALES = ("quick", "lab", "paper")
VERDICTS = (
    "reproduced",
    "reproduced under an interpretation",
    "holds with a condition",
    "not reproduced",
    "inconclusive",
    "not testable",
    "answered",
)
"""The verdicts of an audit on a printed result or a claim; 'answered' is for beliefs and questions."""
SETTING = "setting"  # the kind of a printed number that is a setting of a run, not its result
RUNS = DATA / "runs"
"""The folder of recorded runs."""
UNFINISHED_FOLDER = "unfinished"  # the subfolder for runs that can be resumed; git ignores it
CONFIG_ENTRIES = ("game", "game_fingerprint", "settings")
DECISIVE_ENTRIES = ("solver", *CONFIG_ENTRIES, "parameters")
"""The entries of a provenance on which the recorded numbers depend. A provenance has the solver, game, settings and
versions of a run. If a Config makes the whole solver, the three entries of CONFIG_ENTRIES are enough."""


class Published(NamedTuple):
    """A number that a paper prints.

    Attributes
    ----------
    key : str
        The name of the number in tests and tables.
    game : str
        The game on which it was measured.
    column : str
        The name of our column that measures the same quantity.
    iteration : float
        The iteration at which the number was measured, or NaN if the paper does not report it.
    value : float
        The number as printed.
    relation : str
        How the measured number relates to the printed one: '=', '<', '<=', '>' or '>='.
    unit : str
        The unit of the value.
    source : str
        The place in the paper at which the number is printed.
    note : str
        Our interpretation of the number.
    kind : str
        'setting' if the number is a setting of a run, otherwise 'result'.
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
    """An experiment of a paper, with its settings and with functions that make its solver and the recorded columns.

    Attributes
    ----------
    title : str
        The name of the experiment.
    config_type : type
        The class of the experiment's settings, a frozen keyword-only dataclass with at least the field `iterations`.
    scales : mapping of str to Config
        The settings for each of the scales 'quick', 'lab' and 'paper'.
    make_solver : callable
        A function of a Config that returns the solver. It may take options that do not change any number.
    make_columns : callable
        A function of the solver that returns the columns that a run records. The first one is plotted by default.
    select_published_numbers : callable
        A function of a Config that returns the numbers that a paper prints for it. They are shown beside the curves.
    per_decade : int
        The number of recordings from one iteration to ten times as many, 1 to 1000. With 1000 every iteration up to the
        463rd is recorded.
    paper : mapping of str to Config
        The settings of each run that the paper reports, by the name of the run.
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
        """Return a run of the experiment, which has not begun or is resumed from a checkpoint.

        Parameters
        ----------
        config : Config
            The settings of the experiment.
        checkpoint : str or Path, optional
            A file in which the run is saved. If the file exists, the run is resumed from it.
        per_decade : int, optional
            The number of recordings from one iteration to ten times as many. By default it is the experiment's own.
        keep : callable, optional
            A function of a state, whose result is stored at each recording. By default no states are stored.
        **options
            Options of `make_solver`, such as `workers=2`, which do not change any number.

        Returns
        -------
        Run
            The run. Its method `to` runs it to a given iteration.

        Raises
        ------
        KindError
            If `config` is the Config of another experiment.
        CheckpointError
            If the checkpoint belongs to another solver, game or setting.
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
        """Return the history of a complete run from `data/runs/<name>.npz`, or run it and write that file.

        If the file exists, no run is begun, because the first state of some methods takes seconds.

        Parameters
        ----------
        name : str
            The name of the file without its ending.
        config : Config
            The settings of the experiment. The run ends at `config.iterations`.
        **options
            Options of `run`, such as `per_decade=40`.

        Returns
        -------
        History
            The recorded columns.

        Raises
        ------
        CheckpointError
            If the file has a run with another solver, game or settings, other columns or another last iteration.
        """
        solver = self.make_solver(config)
        names = ("iteration", *(column.name for column in self.make_columns(solver)))

        def make_history() -> History:
            """Return the history of a new run to its last iteration."""
            return self.run(config, **options).to(config.iterations).history

        return load_or_make_history_until(
            name,
            describe_provenance(solver, dict(vars(config))),
            names,
            config.iterations,
            make_history,
        )

    def record_rows(self, config: Any, *, at: Sequence[int] = ()) -> list[dict[str, float]]:
        """Run the experiment once, and return its columns at given iterations, or by default at the end of the run.

        This method can be passed to `runs.sweep`.

        Parameters
        ----------
        config : Config
            The settings of the run.
        at : sequence of int
            The iterations, in ascending order. By default the last iteration of the Config.

        Returns
        -------
        list of dict
            For each iteration the recorded numbers, by the name of the column. A solver that has converged stops, so
            the iteration in a row may be an earlier one.

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


def make_from_settings(
    part_class: Callable[..., P], config: Any, prefix: str = "", **other_arguments: Any
) -> P:
    """Return a part of a solver, made from the settings that have the names of the part's fields.

    Parameters
    ----------
    part_class : dataclass
        The class of the part, such as `Tournaments`.
    config : Config
        The settings. The field `name` of the part gets the value of the setting `<prefix><name>`. A field without such
        a setting has its default.
    prefix : str
        The beginning of the names of these settings, such as 'hall_'.
    **other_arguments
        Values of fields. They are used instead of settings.

    Returns
    -------
    instance of part_class
        The part.
    """
    values = {}
    for field_of_part in fields(part_class):  # type: ignore[arg-type]
        setting_name = prefix + field_of_part.name
        if hasattr(config, setting_name):
            values[field_of_part.name] = getattr(config, setting_name)
    return part_class(**values | other_arguments)


def read_published_numbers(paper: str, game: str | None = None) -> list[Published]:
    """Return the numbers that a paper prints, from `data/published/<paper>.csv`, in the order of the file.

    Parameters
    ----------
    paper : str
        The name of the file, such as 'lanctot-2014'.
    game : str, optional
        If given, only the numbers that were measured on this game are returned.

    Returns
    -------
    list of Published
        The numbers, each with its source in the paper. The list is empty if none is of this game.

    Raises
    ------
    FileFormatError
        If there is no such file.
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
    make_history: Callable[[], History],
    required_provenance: Mapping[str, Any],
    columns: Collection[str] | None = None,
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history in the file `<name>.npz`. If there is no such file, make the history and write it first.

    A history has columns of recorded numbers and a provenance: the solver, game, settings and versions of the run. An
    installed pokerlab cannot write to `data/runs`. Pass another folder, or work in a clone of the repository.

    Parameters
    ----------
    name : str
        The name of the file without its ending.
    make_history : callable
        A function without parameters that makes the history. It is called if the file does not exist.
    required_provenance : mapping
        The entries that the provenance in the file must have, because the numbers depend on them.
    columns : collection of str, optional
        The names that the columns must have, in this order. By default any columns are accepted.
    folder : str or Path
        The folder of the file, by default `data/runs`.

    Returns
    -------
    History
        The history in the file. It is read from the file again after it was written.

    Raises
    ------
    CheckpointError
        If the file has another provenance, other columns, or a run that was changed from outside.
    FileFormatError
        If the file is damaged, or if it does not exist in an installed pokerlab.
    """
    path = Path(folder) / f"{name}.npz"
    if not path.exists() and not is_in_installed_data(path):
        make_history().save(path)
    history = History.load(path)

    # In the file tuples have become lists, as they do here.
    required_as_stored = json.loads(json.dumps(dict(required_provenance)))
    check_file_description(path, history.provenance, required_as_stored)
    if history.provenance.get("disturbances"):
        raise CheckpointError(
            f"{path.name} holds a run that was disturbed, which is no run of its settings. Move the file away to run"
            " them."
        )
    if columns is not None and list(history.columns) != list(columns):
        raise CheckpointError(
            f"{path.name} recorded {list(history.columns)}; asked for is {list(columns)}."
            " Delete the file to run again."
        )
    return history


def load_or_run(name: str, run: Run, until: int, *, folder: str | Path = RUNS) -> History:
    """Return the history of a run up to the iteration `until` from the file `<name>.npz`, or run it and write the file.

    Parameters
    ----------
    name : str
        The name of the file without its ending.
    run : Run
        The run, which must not have begun, and must not have been changed from outside (disturbed).
    until : int
        The last iteration, at which the history must end.
    folder : str or Path
        The folder of the file, by default `data/runs`.

    Returns
    -------
    History
        The recorded columns. The run itself is only advanced if there is no file.

    Raises
    ------
    SettingError
        If the run was disturbed.
    CheckpointError
        If the file has a run with another solver, game or settings, other columns or another last iteration.
    """
    if run.disturbances:
        raise SettingError(
            f"the run was disturbed at iteration {run.disturbances[0][0]:,}, so '{name}' cannot be kept as a run of its"
            " settings. Pass a new run, or save run.history under a name of your own."
        )
    return load_or_make_history_until(
        name, run.provenance, run.names, until, lambda: run.to(until).history, folder=folder
    )


def load_or_make_history_until(
    name: str,
    provenance: Mapping[str, Any],
    columns: Collection[str],
    until: int,
    make_history: Callable[[], History],
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history up to an iteration from the file `<name>.npz`, or make the history and write the file.

    Parameters
    ----------
    name : str
        The name of the file without its ending.
    provenance : mapping
        The solver, game, settings and versions of the run. Those of its entries that decide the numbers
        (`DECISIVE_ENTRIES`) must be the same in the file.
    columns : collection of str
        The names that the columns must have, in this order.
    until : int
        The last iteration, at which the history must end.
    make_history : callable
        A function without parameters that makes the history. It is called if the file does not exist.
    folder : str or Path
        The folder of the file, by default `data/runs`.

    Returns
    -------
    History
        The recorded columns, whose last row is of iteration `until`.

    Raises
    ------
    CheckpointError
        If the file has another provenance, other columns, or another last iteration.
    """
    required_provenance = {key: provenance[key] for key in DECISIVE_ENTRIES}
    history = load_or_make_history(name, make_history, required_provenance, columns, folder=folder)
    if history["iteration"][-1] != until:
        raise CheckpointError(
            f"{name}.npz ends at iteration {history['iteration'][-1]:g}; asked for is {until}."
            " Delete the file to run again."
        )
    return history
