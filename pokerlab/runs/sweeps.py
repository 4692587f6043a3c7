"""Sweeps, which call a function with many settings and seeds: on one core, on several, or on a cluster.

The results of each setting can be saved in a small file. The file is only used again if the setting and the function
are the same.
"""

import hashlib
import json
import os
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, as_completed
from contextlib import ExitStack, closing, contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial
from inspect import unwrap
from itertools import product
from pathlib import Path
from threading import Thread
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

import pokerlab
from pokerlab.core import (
    CheckpointError,
    PokerlabError,
    SettingError,
    UnknownNameError,
    checked_integer,
    checked_number,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.files import UNFINISHED, checked_path
from pokerlab.core.function_identity import describe_code, find_references, get_qualified_name
from pokerlab.core.saved_files import SavedFile, acquire_lock
from pokerlab.core.settings import check_callable, check_kind, checked_bool
from pokerlab.core.workers import MOST_WORKERS, connect_cluster, is_cluster
from pokerlab.runs.history import (
    History,
    convert_to_json_value,
    convert_to_json_values,
    describe_versions,
)

MOST_SHOWN = 3  # the largest number of failures that an error message describes
FORMAT = "pokerlab sweep 2"
RESERVED = ("about", "file")  # names that no column can have: they are a file's own
LARGEST_WHOLE = 2**63 - 1  # the largest integer that an array of integers can contain
Row: TypeAlias = dict[str, bool | int | float | str]


class SweepError(PokerlabError):
    """Some settings of a sweep could not be measured."""

    finished: History | None = None  # the table of results of all other settings


class Outcome(NamedTuple):
    """The measurement at one setting: rows with the same names, and the time in seconds."""

    rows: list[Row]
    seconds: float


class Failure(NamedTuple):
    """The reason why a setting could not be measured: the error, and its traceback."""

    error: str
    where: str


class Item(NamedTuple):
    """A setting in two forms: its part of a row in the table, and the argument of `measure`, which may be a Config."""

    choice: Row
    given: Any


def sweep(
    measure: Callable[[Any], Any],
    settings: Mapping[str, Sequence[Any]] | Sequence[Any],
    *,
    config: Any = None,
    seeds: Iterable[int] | None = None,
    units: Mapping[str, str] | None = None,
    workers: Any = 1,
    folder: str | Path | None = None,
    progress: bool = True,
) -> History:
    """Measure each of several settings with each of several seeds, and return a table of the results.

    Parameters
    ----------
    measure : Callable
        The function to call. Its argument is a Config, or a dictionary of settings if there is no `config`. It returns
        a dictionary from names to values (numbers or strings), or a list of such dictionaries. All its random numbers
        must be determined by the seed. `Experiment.record_rows` is an example.
    settings : mapping or sequence
        The values of each setting, all of which are combined, such as `{"population": [10, 100]}`. Or a list of
        dictionaries with the same names, or a list of Configs. It is `{}` if only the seeds differ.
    config : dataclass, optional
        A Config, of which `measure` gets a copy that is changed by the settings.
    seeds : iterable of int, optional
        The seeds. Each setting is combined with each seed, which becomes the setting 'seed'.
    units : mapping, optional
        The units of the columns, by name.
    workers : int, distributed.Client or str
        The number of processes, 1 to 256, where 1 means the present process. Or the client of a cluster, or the address
        of its scheduler. The workers of a cluster need pokerlab, but no common disk.
    folder : path, optional
        The folder in which the results of each setting are saved in a small file. If a sweep was interrupted, or if
        settings or seeds are added, the same call continues from there. A change of pokerlab is only noticed if its
        version changes, or the module of `measure`.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    History
        A table with the settings and the measured values, in the order of the settings and then of the seeds. If
        Configs are given, there are columns only for the settings in which they differ.

    Raises
    ------
    SweepError
        If some settings could not be measured, which the message names. The results of all other settings are in its
        attribute `finished`.
    CheckpointError
        If the folder has the results of another function, or if a sweep in another process uses the folder.

    Notes
    -----
    Results do not depend on the workers or on interruptions. Rows have the order of the settings, and linear algebra
    uses a single thread, because it rounds differently with several threads. Evolution strategies and NSGA-II can give
    other results on other processors, which round and sort differently.

    Workers are processes, because within one process only one evolution strategy at a time can use linear algebra, and
    because threads cannot be stopped.

    Examples
    --------
    >>> from pokerlab import games, metrics, runs, solvers
    >>> def distance(setting):
    ...     game = games.kuhn()
    ...     dynamics = solvers.ReplicatorDynamics(game, payoff_shift=setting["shift"], order="simultaneous")
    ...     state = dynamics.step(dynamics.init(), setting["steps"])
    ...     return {"nash_conv": metrics.nash_conv(game, state.average)}
    >>> table = runs.sweep(distance, {"shift": [3.0, 30.0], "steps": [10, 100]}, progress=False)
    >>> table["steps"].tolist()
    [10, 100, 10, 100]
    >>> table["nash_conv"].round(2).tolist()
    [0.58, 0.17, 0.88, 0.56]
    """
    check_callable(
        measure,
        "measure",
        ("setting",),
        "Give a function of a setting that returns names and values.",
    )
    if units is not None:
        check_kind("units", units, Mapping, "a dictionary from columns to texts")
    checked_bool("progress", progress)
    folder = None if folder is None else checked_path("folder", folder)
    items = list_items(settings, config, seeds)
    if not is_cluster(workers):
        workers = min(checked_integer("workers", workers, 1, MOST_WORKERS), len(items))
    about = {
        **describe_versions(),
        "measure": name_measure(measure),
        **convert_to_json_values({"config": config}),
    }
    finished: dict[int, Outcome] = {}
    failures: dict[int, Failure] = {}
    reason = ""
    with ExitStack() as stack:
        outcome_folder = None if folder is None else OutcomeFolder(folder, measure)
        if outcome_folder is not None:
            stack.callback(acquire_lock(outcome_folder.folder / "sweep").release)
            outcome_folder.remove_unfinished()
            finished = read_kept_outcomes(outcome_folder, items, units or {})
        remaining = {index: item.given for index, item in enumerate(items) if index not in finished}
        bar = tqdm(total=len(items), initial=len(finished), unit=" settings", disable=not progress)
        stack.enter_context(bar)
        stack.enter_context(threadpool_limits(1, "blas"))
        measured = stack.enter_context(closing(measure_settings(measure, remaining, workers)))
        try:
            for index, outcome in measured:
                if isinstance(outcome, Outcome):
                    outcome = check_columns(outcome, items[index], units or {}, finished)
                if isinstance(outcome, Failure):
                    failures[index] = outcome
                else:
                    finished[index] = outcome
                    if outcome_folder is not None:
                        outcome_folder.write(items[index].given, outcome)
                bar.update()
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(describe_progress(finished, items, folder))
            raise
        except BrokenExecutor:
            reason = "a worker was killed, or ran out of memory. "
        except CancelledError:
            reason = "the cluster is gone. "
    table = make_table(items, finished, units or {}, about)
    if len(finished) < len(items):
        failed = SweepError(
            reason + describe_failures(failures, items) + describe_progress(finished, items, folder)
        )
        failed.finished = table
        for failure in list(failures.values())[:1]:
            failed.add_note(failure.where)
        raise failed
    return table


def read_kept_outcomes(
    kept: "OutcomeFolder", items: Sequence[Item], units: Mapping[str, str]
) -> dict[int, Outcome]:
    """Return the outcomes in the folder of a sweep, by index, but not those that have other columns than most."""
    done: dict[int, Outcome] = {}
    outcomes = {index: kept.read(item.given) for index, item in enumerate(items)}
    known = [(index, outcome) for index, outcome in outcomes.items() if outcome]
    # The first outcome determines the columns, so those with the most frequent columns come first.
    frequency = Counter(describe_columns(outcome.rows[0]) for _, outcome in known)
    known.sort(key=lambda each: -frequency[describe_columns(each[1].rows[0])])
    for index, outcome in known:
        if isinstance(check_columns(outcome, items[index], units, done), Outcome):
            done[index] = outcome
    return done


def check_columns(
    outcome: Outcome, item: Item, units: Mapping[str, str], done: Mapping[int, Outcome]
) -> Outcome | Failure:
    """Return an outcome if it has the same columns as the earlier outcomes, and otherwise a failure.

    Parameters
    ----------
    outcome : Outcome
        The outcome to check.
    item : Item
        The setting at which it was measured.
    units : mapping of str to str
        The units of columns, by name.
    done : mapping of int to Outcome
        The earlier outcomes. If there are none, the first row of the outcome itself determines the columns.

    Raises
    ------
    SettingError
        If a value has the name of a setting.
    UnknownNameError
        If `units` name a column that does not exist.
    """
    columns = outcome.rows[0]
    for name in item.choice.keys() & columns.keys():
        raise SettingError(f"'{name}' is a setting and a value; give the value another name.")
    for name in units.keys() - item.choice.keys() - columns.keys():
        raise UnknownNameError.from_allowed("column", name, [*item.choice, *columns])

    expected = describe_columns(next(iter(done.values()), outcome).rows[0])
    for row in outcome.rows:
        if describe_columns(row) != expected:
            return Failure(f"it has {describe_columns(row)}; others have {expected}", "")
    return outcome


def describe_failures(failures: Mapping[int, Failure], items: Sequence[Item]) -> str:
    """Return a text that states how many settings failed, with the first few errors.

    The text is empty if none failed.
    """
    if not failures:
        return ""
    shown = sorted(failures)[:MOST_SHOWN]
    errors = "; ".join(f"at {items[index].choice}: {failures[index].error}" for index in shown)
    more = ", ..." if len(failures) > MOST_SHOWN else ""
    return f"{len(failures)} of {len(items)} could not be measured: {errors}{more}. "


def describe_progress(done: Mapping[int, Outcome], items: Sequence[Item], folder: Any) -> str:
    """Return a text that states how many settings are finished, and how to continue the sweep.

    If `folder` is None, the results are not saved, and the text advises to pass a folder.
    """
    finished = f"{len(done)} of {len(items)} are finished"
    if folder is None:
        return f"{finished}; with folder='some/path' they would be kept for another call."
    return f"{finished} and kept in {folder}; the same call goes on from there."


def list_items(settings: Any, config: Any, seeds: Iterable[int] | None) -> list[Item]:
    """Return all combinations of settings and seeds in their order, each with the argument for `measure`.

    Parameters
    ----------
    settings : mapping or iterable
        A list of values for each setting, of which all combinations are used, or a list of dictionaries or Configs.
    config : Config or None
        The Config whose values the settings replace. If it is None, `measure` gets a dictionary of the settings, or
        the listed Config itself.
    seeds : iterable of int or None
        The seeds with which each setting is combined. If it is None, the settings are used as they are.

    Raises
    ------
    SettingError
        If there are no settings, if a setting occurs twice, or if settings have different names or types of values.
    """
    listed = list_combinations(settings)
    if any(is_dataclass(one) for one in listed):
        pairs = find_differences(listed, config)
    else:
        for one in listed:
            if not isinstance(one, Mapping):
                raise SettingError(
                    f"a setting is {quote_value(one)}; give a dictionary or a Config."
                )
        pairs = [(dict(one), config) for one in listed]
    if seeds is not None:
        pairs = combine_with_seeds(pairs, seeds)
    if not pairs or (settings == {} and seeds is None):
        raise SettingError("there are no settings; give at least one, or seeds.")
    items = [make_item(choice, base) for choice, base in pairs]
    check_choices(items)
    return items


def list_combinations(settings: Any) -> list[Any]:
    """Return the dictionaries or Configs that are listed, or a dictionary for each combination of the values."""
    if isinstance(settings, Mapping):
        for name, values in settings.items():
            if isinstance(values, str | bytes) or not isinstance(values, Iterable):
                raise SettingError(
                    f"{name} is {quote_value(values)}; give a list of the values to combine."
                )
        combinations = product(*settings.values())
        return [dict(zip(settings, values, strict=True)) for values in combinations]
    if isinstance(settings, str | bytes) or not isinstance(settings, Iterable):
        raise SettingError(
            f"settings are {quote_value(settings)}; give a dictionary of lists, or a list of dictionaries or"
            " Configs."
        )
    return list(settings)


def combine_with_seeds(
    pairs: list[tuple[dict[str, Any], Any]], seeds: Iterable[int]
) -> list[tuple[dict[str, Any], Any]]:
    """Return all combinations of pairs of a setting and a Config with seeds, which become the setting 'seed'."""
    if isinstance(seeds, str | bytes) or not isinstance(seeds, Iterable):
        raise SettingError(
            f"seeds are {quote_value(seeds)}; give a list of integers, such as [1, 2]."
        )
    checked_seeds = [checked_integer("seed", seed, 0) for seed in seeds]
    for choice, _ in pairs:
        if "seed" in choice:
            raise SettingError(f"'seed' is a setting already, in {choice}; give no other seeds.")
    return [({**choice, "seed": seed}, base) for choice, base in pairs for seed in checked_seeds]


def check_choices(items: Sequence[Item]) -> None:
    """Raise a SettingError if a setting occurs twice, or if names or types of values differ between settings."""
    for item in items:
        if describe_columns(item.choice) != describe_columns(items[0].choice):
            raise SettingError(
                f"a setting has {describe_columns(item.choice)}; the first one has {describe_columns(items[0].choice)}."
                " Give all of them the same names in the same order, and values of the same kinds."
            )
    values, times = Counter(tuple(item.choice.values()) for item in items).most_common(1)[0]
    if times > 1:
        twice = dict(zip(items[0].choice, values, strict=True))
        raise SettingError(f"the setting {twice} is there {times} times; measure each one once.")


def find_differences(configs: list[Any], config: Any) -> list[tuple[dict[str, Any], Any]]:
    """Return for each Config a dictionary of the settings in which the Configs differ, and the Config itself.

    A SettingError is raised if the Configs are of several types, or if `config` is not None.
    """
    types = {type(one) for one in configs}
    if config is not None or len(types) > 1:
        raise SettingError(
            f"the settings are of the kinds {', '.join(sorted(kind.__name__ for kind in types))}, and config is a"
            f" {type(config).__name__}; give Configs of one kind and no other config, or dictionaries of settings."
        )
    names = [f.name for f in fields(configs[0])]
    differ = [name for name in names if len({repr(getattr(c, name)) for c in configs}) > 1]
    return [({name: getattr(one, name) for name in differ}, one) for one in configs]


def make_item(choice: Mapping[str, Any], base: Any) -> Item:
    """Return a setting together with the argument for `measure`.

    Parameters
    ----------
    choice : mapping of str to Any
        The names and values of the setting.
    base : Config or None
        The argument for `measure` is a copy of this Config in which the values of the setting are replaced. If it is
        None, the argument is a dictionary with the names and values.

    Raises
    ------
    SettingError
        If a value is NaN or cannot be in a table, or if `base` is neither a Config nor None.
    UnknownNameError
        If the Config has no field with one of the names.
    """
    row = checked_row(choice)
    for name, value in row.items():
        if value != value:
            raise SettingError(f"'{name}' is {value}, which equals nothing; give another value.")
    if base is None:
        return Item(row, dict(row))
    if not is_dataclass(base) or isinstance(base, type):
        raise SettingError(f"config is {quote_value(base)}; give a Config, or None.")
    for name in row:
        UnknownNameError.check("setting", name, [field.name for field in fields(base)])
    return Item(row, replace(base, **row))


def measure_settings(
    measure: Callable[[Any], Any], left: Mapping[int, Any], workers: Any
) -> Generator[tuple[int, Outcome | Failure], None, None]:
    """Yield the index of each remaining setting and its outcome or failure, in the order in which they are finished.

    Parameters
    ----------
    measure : callable
        The function that is called with the argument for each setting.
    left : mapping of int to Any
        The arguments for the remaining settings, by index.
    workers : int, distributed.Client or str
        The number of processes, or a cluster or the address of its scheduler. With 1 no process is started.
    """
    if workers == 1:
        yield from ((index, measure_setting(measure, given)) for index, given in left.items())
        return
    with open_executor(workers) as pool:
        futures = {
            pool.submit(measure_setting, measure, given): index for index, given in left.items()
        }
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except (BrokenExecutor, CancelledError):
                raise
            except Exception as error:  # the work could not be sent, or killed several workers
                yield futures[future], Failure(f"{type(error).__name__}: {error}", "")


def exit_with_parent(parent: int) -> None:
    """Make this worker process end about a second after its parent process has ended, even if the parent was killed.

    `parent` is the identifier of the parent process. After the parent has ended, the system reports another parent.
    """

    def watch() -> None:
        """End this process as soon as its parent is another process than the one that started it."""
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def open_executor(workers: Any) -> Iterator[Any]:
    """Yield an executor of processes or of a cluster, for use in a with statement.

    `workers` is the number of processes, or a cluster or the address of its scheduler. If the block ends with an error,
    work that has not begun is cancelled, and processes on this machine are ended.
    """
    with ExitStack() as stack:
        if is_cluster(workers):
            pool = stack.enter_context(connect_cluster(workers)).get_executor(pure=False)
            cancel = partial(pool.shutdown, wait=False)
        else:
            from loky import get_reusable_executor  # In a browser there are no processes.

            pool = get_reusable_executor(
                max_workers=workers, initializer=exit_with_parent, initargs=(os.getpid(),)
            )
            cancel = partial(pool.shutdown, kill_workers=True)
        try:
            yield pool
        except BaseException:
            cancel()
            raise


def make_table(
    items: Sequence[Item],
    done: Mapping[int, Outcome],
    units: Mapping[str, str],
    about: Mapping[str, Any],
) -> History:
    """Return the outcomes as one table, whose rows are in the order of the settings.

    Parameters
    ----------
    items : sequence of Item
        All settings.
    done : mapping of int to Outcome
        The outcomes of finished settings, by the index of the setting. Other settings have no row.
    units : mapping of str to str
        The units of columns, by name.
    about : mapping of str to Any
        The description of the table, to which the sum of the seconds of all outcomes is added.
    """
    rows = [{**items[index].choice, **row} for index in sorted(done) for row in done[index].rows]
    names = rows[0] if rows else items[0].choice
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in names}
    seconds = sum(measured.seconds for measured in done.values())
    return History(columns, units, {**about, "seconds": seconds})


def checked_row(values: Mapping[Any, Any]) -> Row:
    """Return names and values as a row of a table, or raise a SettingError if a table cannot contain them.

    A value must be a truth value, a number or a text. Numbers of NumPy's types are converted to those of Python.
    """
    if not isinstance(values, Mapping):
        raise SettingError(
            f"{quote_value(values)} is not a row; give a dictionary of names and values."
        )
    row: Row = {}
    for name, value in values.items():
        if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
            value = value.item()
        if not isinstance(value, bool | int | float | str) or (
            isinstance(value, int) and abs(value) > LARGEST_WHOLE
        ):
            raise SettingError(
                f"'{name}' is {quote_value(value)}; a table holds numbers and texts."
            )
        if not isinstance(name, str) or name in RESERVED:
            raise SettingError(
                f"a value is called {quote_value(name)}; give it another name, a text."
            )
        row[name] = value
    return row


def checked_table_rows(found: Any) -> list[Row]:
    """Return the result of a measure as a list of rows of a table.

    The result must be a dictionary, or a list or tuple of at least one dictionary. Otherwise a SettingError is raised.
    """
    several = [found] if isinstance(found, Mapping) else found
    if not isinstance(several, list | tuple) or not several:
        raise SettingError(
            f"{quote_value(found)} was measured; return a dictionary, or a list of them."
        )
    return [checked_row(row) for row in several]


def describe_columns(row: Row) -> str:
    """Return a text that lists the names in a row and the types of their values, such as "'seed' (a number)"."""
    words = {bool: "True or False", str: "a text"}
    return ", ".join(f"'{name}' ({words.get(type(v), 'a number')})" for name, v in row.items())


def measure_setting(measure: Callable[[Any], Any], given: Any) -> Outcome | Failure:
    """Return the outcome of a measure at one setting, or a failure if the measure raises an error.

    This function runs in a worker. Linear algebra is limited to one thread there, because each worker uses one core.
    """
    threadpool_limits(1, "blas")
    begin = time.perf_counter()
    try:
        rows = checked_table_rows(measure(given))
    except Exception as error:
        where = "".join(traceback.format_exception(error))
        return Failure(f"{type(error).__name__}: {error}", where)
    return Outcome(rows, time.perf_counter() - begin)


class OutcomeFolder:
    """The folder in which the outcomes of finished settings are saved. It may also contain those of other sweeps.

    A measure is identified by its name, its code, the code of the functions of its module that it calls, and the values
    to which it refers. The rest of pokerlab is identified by its version. So an outcome is read only if it was measured
    in the same way.

    Parameters
    ----------
    folder : Path
        The folder.
    measure : callable
        The measure.

    Raises
    ------
    SettingError
        If the measure refers to a value that cannot be described in a file.
    """

    def __init__(self, folder: Path, measure: Any) -> None:
        self.folder = folder
        try:
            text = json.dumps(
                describe_measure(measure, unwrap_function(measure).__module__, []), sort_keys=True
            )
        except TypeError as error:
            raise SettingError(
                f"{name_measure(measure)} uses {error}, which no file can name: the folder could hold"
                " what another one has found. Make it from the settings, or give no folder."
            ) from None
        self.identity = {
            "measure": name_measure(measure),
            "fingerprint": hashlib.sha256(text.encode()).hexdigest(),
            "pokerlab": pokerlab.__version__,
        }

    def remove_unfinished(self) -> None:
        """Remove the unfinished files that killed processes left.

        The caller must have locked the folder, so that no other process is writing there.
        """
        for left in self.folder.glob(f".*.npz.*{UNFINISHED}"):
            left.unlink(missing_ok=True)

    def get_path(self, given: Any) -> Path:
        """Return the path of the file of one setting, whose name is a digest of the setting."""
        text = json.dumps(convert_to_json_values({"setting": given}), sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"

    def describe_file(self, given: Any) -> dict[str, Any]:
        """Return the description that the file of one setting must contain."""
        return {"format": FORMAT, **self.identity, **convert_to_json_values({"setting": given})}

    def read(self, given: Any) -> Outcome | None:
        """Return the saved outcome of a setting, or None if there is no file or the file is damaged.

        A warning is given if the file is damaged. CheckpointError is raised if the file has another description.
        """
        path = self.get_path(given)
        if not path.exists():
            return None
        try:
            about = SavedFile.load(path, FORMAT, self.describe_file(given), rows=list).about
            return Outcome(
                checked_table_rows(about["rows"]),
                checked_number("seconds", about.get("seconds"), 0.0),
            )
        except CheckpointError:
            raise
        except PokerlabError as error:
            warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
            return None

    def write(self, given: Any, outcome: Outcome) -> None:
        """Write the outcome of a setting to its file."""
        about = self.describe_file(given) | outcome._asdict()
        SavedFile(about, {}).save(self.get_path(given))


def name_measure(measure: Any) -> str:
    """Return the name of the function that measures, after the name of its module."""
    return get_qualified_name(unwrap_function(measure))


def unwrap_function(measure: Any) -> Any:
    """Return the function that is inside a partial function, a method or a wrapper.

    If the measure is another kind of callable object, the result is its class.
    """
    if isinstance(measure, partial):
        return unwrap_function(measure.func)
    if isinstance(measure, MethodType):
        return unwrap_function(measure.__func__)
    return unwrap(measure) if hasattr(measure, "__qualname__") else type(measure)


def describe_measure(value: Any, home: str, seen: list[Any]) -> Any:
    """Describe a value to which a measure refers, so that the descriptions of different values differ.

    Parameters
    ----------
    value : Any
        The value, such as a function or a setting.
    home : str
        The module whose functions are described with all that they use.
    seen : list
        The functions that have been described already, to which new ones are added. Each is described only once.

    Returns
    -------
    None, bool, int, float, str, list or dict
        A description that can be converted to JSON.

    Raises
    ------
    TypeError
        If the value cannot be described.
    """
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return ["partial", *(describe_measure(part, home, seen) for part in parts)]
    if isinstance(value, MethodType):
        parts_of_method = (value.__func__, value.__self__)
        return ["method", *(describe_measure(part, home, seen) for part in parts_of_method)]
    value = getattr(value, "py_func", unwrap(value) if callable(value) else value)
    if hasattr(value, "__qualname__") or isinstance(value, ModuleType | np.ufunc):
        name = (
            f"{getattr(value, '__module__', '')} {getattr(value, '__qualname__', value.__name__)}"
        )
        local = isinstance(value, FunctionType) and (value.__module__ == home or "<" in name)
        if not local or value in seen:
            return name
        seen.append(value)
        uses = {
            used: describe_measure(part, home, seen)
            for used, part in find_references(value)
            if "." not in used  # the rest of pokerlab is identified by its version
        }
        return [describe_code(value), describe_measure(value.__defaults__, home, seen), uses]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "fingerprint") and hasattr(value, "name"):
        return [value.name, value.fingerprint]
    if isinstance(value, Mapping):
        return {str(name): describe_measure(part, home, seen) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [describe_measure(part, home, seen) for part in value]
    if is_dataclass(value):
        parts_of = {field.name: getattr(value, field.name) for field in fields(value)}
        return [type(value).__qualname__, describe_measure(parts_of, home, seen)]
    try:
        return convert_to_json_value(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__}") from None
