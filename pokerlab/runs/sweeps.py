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
    validate_integer,
    validate_number,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.files import UNFINISHED, validate_path
from pokerlab.core.function_identity import (
    describe_function_code,
    get_qualified_name,
    iterate_referenced_values,
)
from pokerlab.core.saved_files import SavedFile, acquire_file_lock
from pokerlab.core.settings import check_kind, check_signature, validate_bool
from pokerlab.core.workers import MOST_WORKERS, connect_to_cluster, is_cluster
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
"""A row of a table: a value for the name of each column."""


class SweepError(PokerlabError):
    """Some settings of a sweep could not be measured."""

    finished: History | None = None  # the table of results of all other settings


class Outcome(NamedTuple):
    """What was measured with one combination of settings.

    Attributes
    ----------
    rows : list of Row
        The measured values, at least one row. All rows have the same names.
    seconds : float
        The time that the measurement took.
    """

    rows: list[Row]
    seconds: float


class Failure(NamedTuple):
    """The reason why a combination of settings could not be measured.

    Attributes
    ----------
    error : str
        The type and the message of the error.
    traceback : str
        The traceback of the error as text; empty if there is none.
    """

    error: str
    traceback: str


class Combination(NamedTuple):
    """One of the combinations of settings that a sweep measures.

    Attributes
    ----------
    values : Row
        The value of each setting, by name, which becomes a part of the rows of the table.
    argument : dict or Config
        The argument with which `measure` is called: a dictionary of these values, or a Config that has them.
    """

    values: Row
    argument: Any


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
    check_signature(
        measure,
        "measure",
        ("setting",),
        "Give a function of a setting that returns names and values.",
    )
    if units is not None:
        check_kind("units", units, Mapping, "a dictionary from columns to texts")
    validate_bool("progress", progress)
    folder = None if folder is None else validate_path("folder", folder)
    units = {} if units is None else units
    combinations = make_combinations(settings, config, seeds)
    if not is_cluster(workers):
        workers = min(validate_integer("workers", workers, 1, MOST_WORKERS), len(combinations))
    provenance = {
        **describe_versions(),
        "measure": get_measure_name(measure),
        **convert_to_json_values({"config": config}),
    }

    # Outcomes and failures, by the index of the combination.
    finished_outcomes: dict[int, Outcome] = {}
    failures: dict[int, Failure] = {}
    reason = ""  # why the sweep ended early, if it did
    with ExitStack() as stack:
        outcome_folder = None if folder is None else OutcomeFolder(folder, measure)
        if outcome_folder is not None:
            stack.callback(acquire_file_lock(outcome_folder.folder / "sweep").release)
            outcome_folder.remove_unfinished_outcomes()
            finished_outcomes = read_saved_outcomes(outcome_folder, combinations, units)

        # Measure the combinations without a saved outcome.
        bar = tqdm(
            total=len(combinations),
            initial=len(finished_outcomes),
            unit=" settings",
            disable=not progress,
        )
        stack.enter_context(bar)
        stack.enter_context(threadpool_limits(1, "blas"))
        remaining = {
            index: combination.argument
            for index, combination in enumerate(combinations)
            if index not in finished_outcomes
        }
        outcomes = stack.enter_context(closing(iterate_outcomes(measure, remaining, workers)))
        try:
            for index, outcome in outcomes:
                combination = combinations[index]
                checked_outcome = outcome
                if isinstance(outcome, Outcome):
                    checked_outcome = compare_columns(
                        outcome, combination, units, finished_outcomes
                    )

                if isinstance(checked_outcome, Failure):
                    failures[index] = checked_outcome
                else:
                    finished_outcomes[index] = checked_outcome
                    if outcome_folder is not None:
                        outcome_folder.write(combination.argument, checked_outcome)
                bar.update()
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(describe_progress(len(finished_outcomes), len(combinations), folder))
            raise
        except BrokenExecutor:
            reason = "a worker was killed, or ran out of memory. "
        except CancelledError:
            reason = "the cluster is gone. "

    table = join_outcomes(combinations, finished_outcomes, units, provenance)
    if len(finished_outcomes) == len(combinations):
        return table

    error = SweepError(
        reason
        + describe_failures(failures, combinations)
        + describe_progress(len(finished_outcomes), len(combinations), folder)
    )
    error.finished = table
    if failures:
        first_failure = next(iter(failures.values()))
        error.add_note(first_failure.traceback)
    raise error


def read_saved_outcomes(
    outcome_folder: "OutcomeFolder",
    combinations: Sequence[Combination],
    units: Mapping[str, str],
) -> dict[int, Outcome]:
    """Return the outcomes that the folder of a sweep has, by the index of their combination of settings.

    All outcomes of a table must have the same columns. If those in the folder differ, only the outcomes with the most
    frequent columns are returned.

    Parameters
    ----------
    outcome_folder : OutcomeFolder
        The folder.
    combinations : sequence of Combination
        All combinations of settings of the sweep.
    units : mapping of str to str
        The units of columns, by name.
    """
    saved = {
        index: outcome_folder.read(combination.argument)
        for index, combination in enumerate(combinations)
    }
    present = [(index, outcome) for index, outcome in saved.items() if outcome is not None]

    # The first outcome determines the columns, so those with the most frequent columns come first.
    columns = {index: describe_columns(outcome.rows[0]) for index, outcome in present}
    frequency = Counter(columns.values())
    present.sort(key=lambda pair: -frequency[columns[pair[0]]])

    accepted: dict[int, Outcome] = {}
    for index, outcome in present:
        compared = compare_columns(outcome, combinations[index], units, accepted)
        if isinstance(compared, Outcome):
            accepted[index] = outcome
    return accepted


def compare_columns(
    outcome: Outcome,
    combination: Combination,
    units: Mapping[str, str],
    earlier_outcomes: Mapping[int, Outcome],
) -> Outcome | Failure:
    """Return an outcome if it has the same columns as the earlier outcomes, and otherwise a failure.

    Parameters
    ----------
    outcome : Outcome
        The outcome whose columns are compared.
    combination : Combination
        The combination of settings with which it was measured.
    units : mapping of str to str
        The units of columns, by name.
    earlier_outcomes : mapping of int to Outcome
        The earlier outcomes, which all have the same columns. If there are none, the first row of the outcome itself
        determines the columns.

    Raises
    ------
    SettingError
        If a measured value has the name of a setting.
    UnknownNameError
        If `units` name a column that does not exist.
    """
    setting_names = combination.values.keys()
    value_names = outcome.rows[0].keys()
    for name in setting_names & value_names:
        raise SettingError(f"'{name}' is a setting and a value; give the value another name.")
    for name in units.keys() - setting_names - value_names:
        raise UnknownNameError.from_allowed_names("column", name, [*setting_names, *value_names])

    first_outcome = next(iter(earlier_outcomes.values()), outcome)
    expected = describe_columns(first_outcome.rows[0])
    for row in outcome.rows:
        if describe_columns(row) != expected:
            return Failure(f"it has {describe_columns(row)}; others have {expected}", "")
    return outcome


def describe_failures(failures: Mapping[int, Failure], combinations: Sequence[Combination]) -> str:
    """Return a text that states how many combinations of settings failed, with the first few errors.

    The text is empty if none failed.

    Parameters
    ----------
    failures : mapping of int to Failure
        The failures, by the index of the combination.
    combinations : sequence of Combination
        All combinations of the sweep.
    """
    if not failures:
        return ""
    shown_indices = sorted(failures)[:MOST_SHOWN]
    errors = "; ".join(
        f"at {combinations[index].values}: {failures[index].error}" for index in shown_indices
    )
    more = ", ..." if len(failures) > MOST_SHOWN else ""
    return f"{len(failures)} of {len(combinations)} could not be measured: {errors}{more}. "


def describe_progress(num_finished: int, num_combinations: int, folder: Path | None) -> str:
    """Return a text that states how many combinations of settings are measured, and how to continue the sweep.

    Parameters
    ----------
    num_finished : int
        The number of combinations that have been measured.
    num_combinations : int
        The number of all combinations of the sweep.
    folder : Path or None
        The folder in which results are saved. If it is None, nothing is saved, and the text advises to pass a folder.
    """
    finished = f"{num_finished} of {num_combinations} are finished"
    if folder is None:
        return f"{finished}; with folder='some/path' they would be kept for another call."
    return f"{finished} and kept in {folder}; the same call goes on from there."


def make_combinations(settings: Any, config: Any, seeds: Iterable[int] | None) -> list[Combination]:
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
        If there are no settings, if a combination occurs twice, or if combinations have different names or types of
        values.
    """
    listed_settings = expand_settings(settings)
    if any(is_dataclass(each_setting) for each_setting in listed_settings):
        pairs = select_differing_fields(listed_settings, config)
    else:
        for each_setting in listed_settings:
            if not isinstance(each_setting, Mapping):
                raise SettingError(
                    f"a setting is {quote_value(each_setting)}; give a dictionary or a Config."
                )
        pairs = [(dict(each_setting), config) for each_setting in listed_settings]

    if seeds is not None:
        pairs = combine_with_seeds(pairs, seeds)
    if not pairs or (settings == {} and seeds is None):
        raise SettingError("there are no settings; give at least one, or seeds.")

    combinations = [make_combination(values, base_config) for values, base_config in pairs]
    check_combinations(combinations)
    return combinations


def expand_settings(settings: Any) -> list[Any]:
    """Return the dictionaries or Configs that are listed, or a dictionary for each combination of listed values.

    Parameters
    ----------
    settings : mapping or iterable
        A list of values for each setting, such as `{"size": [10, 20], "rate": [0.1, 0.2]}`, which has four
        combinations. Or a list of dictionaries or Configs, which is returned as it is.

    Raises
    ------
    SettingError
        If the settings, or the values of one of them, are not a list.
    """
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
    """Return each pair of settings and a Config once for each seed, with the seed as the setting 'seed'.

    Parameters
    ----------
    pairs : list of (dict, Config or None)
        The values of settings by name, and the Config in which they replace the values.
    seeds : iterable of int
        The seeds, which are not negative. The seeds of the first pair come first in the result.

    Raises
    ------
    SettingError
        If the seeds are not a list of such integers, or if a pair already has a setting 'seed'.
    """
    if isinstance(seeds, str | bytes) or not isinstance(seeds, Iterable):
        raise SettingError(
            f"seeds are {quote_value(seeds)}; give a list of integers, such as [1, 2]."
        )
    checked_seeds = [validate_integer("seed", seed, 0) for seed in seeds]
    for values, _ in pairs:
        if "seed" in values:
            raise SettingError(f"'seed' is a setting already, in {values}; give no other seeds.")

    pairs_with_seeds = []
    for values, config in pairs:
        for seed in checked_seeds:
            pairs_with_seeds.append(({**values, "seed": seed}, config))
    return pairs_with_seeds


def check_combinations(combinations: Sequence[Combination]) -> None:
    """Raise a SettingError if a combination of settings occurs twice, or if names or types of values differ."""
    first = describe_columns(combinations[0].values)
    for combination in combinations:
        described = describe_columns(combination.values)
        if described != first:
            raise SettingError(
                f"a setting has {described}; the first one has {first}."
                " Give all of them the same names in the same order, and values of the same kinds."
            )

    occurrences = Counter(tuple(combination.values.values()) for combination in combinations)
    most_frequent, times = occurrences.most_common(1)[0]
    if times > 1:
        twice = dict(zip(combinations[0].values, most_frequent, strict=True))
        raise SettingError(f"the setting {twice} is there {times} times; measure each one once.")


def select_differing_fields(
    configs: list[Any], base_config: Any
) -> list[tuple[dict[str, Any], Any]]:
    """Return for each Config the fields in which the Configs differ, as a dictionary, and the Config itself.

    Parameters
    ----------
    configs : list of Config
        The Configs, which must all be of one type.
    base_config : None
        The Config that dictionaries of settings would change. Listed Configs change no other Config, so it must be
        None.

    Raises
    ------
    SettingError
        If the Configs are of several types, or if `base_config` is not None.
    """
    types = {type(config) for config in configs}
    if base_config is not None or len(types) > 1:
        raise SettingError(
            f"the settings are of the kinds {', '.join(sorted(kind.__name__ for kind in types))}, and config is a"
            f" {type(base_config).__name__}; give Configs of one kind and no other config, or dictionaries of settings."
        )

    differing = []
    for field in fields(configs[0]):
        # Values are compared by their texts, since some types have no order or hash.
        texts = {repr(getattr(config, field.name)) for config in configs}
        if len(texts) > 1:
            differing.append(field.name)
    return [({name: getattr(config, name) for name in differing}, config) for config in configs]


def make_combination(values: Mapping[str, Any], base_config: Any) -> Combination:
    """Return a combination of settings together with the argument for `measure`.

    Parameters
    ----------
    values : mapping of str to Any
        The value of each setting, by name.
    base_config : Config or None
        The argument for `measure` is a copy of this Config in which the values of the settings are replaced. If it is
        None, the argument is a dictionary with the names and values.

    Raises
    ------
    SettingError
        If a value is NaN or cannot be in a table, or if `base_config` is neither a Config nor None.
    UnknownNameError
        If the Config has no field with one of the names.
    """
    row = validate_row(values)
    for name, value in row.items():
        if value != value:  # only NaN differs from itself
            raise SettingError(f"'{name}' is {value}, which equals nothing; give another value.")
    if base_config is None:
        return Combination(row, dict(row))
    if not is_dataclass(base_config) or isinstance(base_config, type):
        raise SettingError(f"config is {quote_value(base_config)}; give a Config, or None.")
    for name in row:
        UnknownNameError.check("setting", name, [field.name for field in fields(base_config)])
    return Combination(row, replace(base_config, **row))


def iterate_outcomes(
    measure: Callable[[Any], Any], arguments: Mapping[int, Any], workers: Any
) -> Generator[tuple[int, Outcome | Failure], None, None]:
    """Yield the index of each argument and the outcome or failure of `measure`, in the order in which they finish.

    Parameters
    ----------
    measure : callable
        The function that is called with each argument.
    arguments : mapping of int to Any
        The arguments, by the index of their combination of settings.
    workers : int, distributed.Client or str
        The number of processes, or a cluster or the address of its scheduler. With 1 no process is started.
    """
    if workers == 1:
        for index, argument in arguments.items():
            yield index, call_measure(measure, argument)
        return
    with open_executor(workers) as executor:
        futures = {
            executor.submit(call_measure, measure, argument): index
            for index, argument in arguments.items()
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

    When a process ends, the system gives its children another parent. So this process looks once a second whether the
    identifier of its parent is still `parent`.

    Parameters
    ----------
    parent : int
        The identifier of the process that started this one.
    """

    def end_after_parent() -> None:
        """Wait until this process has another parent, and then end this process at once."""
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    Thread(target=end_after_parent, daemon=True).start()


@contextmanager
def open_executor(workers: Any) -> Iterator[Any]:
    """Yield an executor of processes or of a cluster, for use in a with statement.

    `workers` is the number of processes, or a cluster or the address of its scheduler. If the block ends with an error,
    work that has not begun is cancelled, and processes on this machine are ended.
    """
    with ExitStack() as stack:
        if is_cluster(workers):
            pool = stack.enter_context(connect_to_cluster(workers)).get_executor(pure=False)
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


def join_outcomes(
    combinations: Sequence[Combination],
    outcomes: Mapping[int, Outcome],
    units: Mapping[str, str],
    description: Mapping[str, Any],
) -> History:
    """Return the outcomes of a sweep as one table, whose rows are in the order of the combinations of settings.

    Parameters
    ----------
    combinations : sequence of Combination
        All combinations of settings.
    outcomes : mapping of int to Outcome
        The outcomes of measured combinations, by the index of the combination. Other combinations have no row.
    units : mapping of str to str
        The units of columns, by name.
    description : mapping of str to Any
        The description of the table, to which the sum of the seconds of all outcomes is added.
    """
    rows = []
    for index in sorted(outcomes):
        rows += [{**combinations[index].values, **row} for row in outcomes[index].rows]

    names = rows[0] if rows else combinations[0].values
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in names}
    seconds = sum(outcome.seconds for outcome in outcomes.values())
    return History(columns, units, {**description, "seconds": seconds})


def validate_row(values: Mapping[Any, Any]) -> Row:
    """Return names and values as a row of a table, after checking that a table can contain them.

    Numbers of NumPy's types are converted to those of Python.

    Parameters
    ----------
    values : mapping of str to bool, int, float or str
        The values by name. An integer must fit into 64 bits.

    Raises
    ------
    SettingError
        If `values` is not a mapping, if a value is of another type or too large, or if a name is not a text or is one
        of the reserved names 'about' and 'file'.
    """
    if not isinstance(values, Mapping):
        raise SettingError(
            f"{quote_value(values)} is not a row; give a dictionary of names and values."
        )

    row: Row = {}
    for name, value in values.items():
        if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
            value = value.item()
        is_scalar = isinstance(value, bool | int | float | str)
        is_too_large = isinstance(value, int) and abs(value) > LARGEST_WHOLE
        if not is_scalar or is_too_large:
            raise SettingError(
                f"'{name}' is {quote_value(value)}; a table holds numbers and texts."
            )
        if not isinstance(name, str) or name in RESERVED:
            raise SettingError(
                f"a value is called {quote_value(name)}; give it another name, a text."
            )
        row[name] = value

    return row


def validate_table_rows(measured: Any) -> list[Row]:
    """Return what a measure has returned as a list of rows of a table, after checking it.

    Parameters
    ----------
    measured : mapping, or list or tuple of mappings
        One row or several rows, each with values by name.

    Raises
    ------
    SettingError
        If it is something else, if there is no row, or if a table cannot contain a row.
    """
    rows = [measured] if isinstance(measured, Mapping) else measured
    if not isinstance(rows, list | tuple) or not rows:
        raise SettingError(
            f"{quote_value(measured)} was measured; return a dictionary, or a list of them."
        )
    return [validate_row(row) for row in rows]


def describe_columns(row: Row) -> str:
    """Return a text that lists the names in a row and the types of their values, such as "'seed' (a number)"."""
    type_names = {bool: "True or False", str: "a text"}
    return ", ".join(f"'{name}' ({type_names.get(type(v), 'a number')})" for name, v in row.items())


def call_measure(measure: Callable[[Any], Any], argument: Any) -> Outcome | Failure:
    """Call a measure with an argument, and return its outcome, or a failure if it raises an error.

    This function runs in a worker. Linear algebra is limited to one thread there, because each worker uses one core.
    """
    threadpool_limits(1, "blas")
    begin = time.perf_counter()
    try:
        rows = validate_table_rows(measure(argument))
    except Exception as error:
        lines = traceback.format_exception(error)
        return Failure(f"{type(error).__name__}: {error}", "".join(lines))
    return Outcome(rows, time.perf_counter() - begin)


class OutcomeFolder:
    """The folder in which a sweep saves its outcomes. It may also contain those of other sweeps.

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
        home_module = unwrap_function(measure).__module__
        try:
            text = json.dumps(describe_reference(measure, home_module, []), sort_keys=True)
        except TypeError as error:
            raise SettingError(
                f"{get_measure_name(measure)} uses {error}, which no file can name: the folder could hold"
                " what another one has found. Make it from the settings, or give no folder."
            ) from None

        self.identity = {
            "measure": get_measure_name(measure),
            "fingerprint": hashlib.sha256(text.encode()).hexdigest(),
            "pokerlab": pokerlab.__version__,
        }

    def remove_unfinished_outcomes(self) -> None:
        """Remove the unfinished files that killed processes left.

        The caller must have locked the folder, so that no other process is writing there.
        """
        for unfinished_file in self.folder.glob(f".*.npz.*{UNFINISHED}"):
            unfinished_file.unlink(missing_ok=True)

    def get_path(self, argument: Any) -> Path:
        """Return the path of the file for one argument of the measure, whose name is a digest of the argument."""
        text = json.dumps(convert_to_json_values({"setting": argument}), sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"

    def describe_file(self, argument: Any) -> dict[str, Any]:
        """Return the description that the file for one argument of the measure must contain."""
        setting = convert_to_json_values({"setting": argument})
        return {"format": FORMAT, **self.identity, **setting}

    def read(self, argument: Any) -> Outcome | None:
        """Return the saved outcome for one argument of the measure, or None if there is no file or it is damaged.

        A warning is given if the file is damaged.

        Raises
        ------
        CheckpointError
            If the file has the outcome of another measure or argument.
        """
        path = self.get_path(argument)
        if not path.exists():
            return None

        try:
            description = SavedFile.load(
                path, FORMAT, self.describe_file(argument), rows=list
            ).about
            return Outcome(
                validate_table_rows(description["rows"]),
                validate_number("seconds", description.get("seconds"), 0.0),
            )
        except CheckpointError:
            raise
        except PokerlabError as error:
            warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
            return None

    def write(self, argument: Any, outcome: Outcome) -> None:
        """Write the outcome for one argument of the measure to its file."""
        description = self.describe_file(argument) | outcome._asdict()
        SavedFile(description, {}).save(self.get_path(argument))


def get_measure_name(measure: Callable[..., Any]) -> str:
    """Return the name of the function that measures, with its module: 'module.function'."""
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


def describe_reference(value: Any, home_module: str, already_described: list[Any]) -> Any:
    """Return a description of a value to which a measure refers, which differs if the value differs.

    Together the descriptions identify a measure, so that outcomes that were saved by another version of it are not
    used.

    Parameters
    ----------
    value : Any
        The value, such as a function or a setting.
    home_module : str
        The module of the measure, whose functions are described with all that they use.
    already_described : list
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

    def describe(part: Any) -> Any:
        """Return the description of a part of the value."""
        return describe_reference(part, home_module, already_described)

    if isinstance(value, partial):
        return ["partial", describe(value.func), describe(value.args), describe(value.keywords)]
    if isinstance(value, MethodType):
        return ["method", describe(value.__func__), describe(value.__self__)]

    # A kernel of numba has the function that it compiles in `py_func`.
    value = getattr(value, "py_func", unwrap(value) if callable(value) else value)
    if hasattr(value, "__qualname__") or isinstance(value, ModuleType | np.ufunc):
        qualified_name = getattr(value, "__qualname__", value.__name__)
        name = f"{getattr(value, '__module__', '')} {qualified_name}"

        # Functions of the measure's module are described by their code. A name with "<" is that of a lambda, or of a
        # function inside another one. Anything else is identified by its name.
        is_function = isinstance(value, FunctionType)
        is_own_function = is_function and (value.__module__ == home_module or "<" in name)
        if not is_own_function or value in already_described:
            return name

        already_described.append(value)
        descriptions_of_uses = {}
        for used_name, used_value in iterate_referenced_values(value):
            is_attribute_of_module = "." in used_name
            if not is_attribute_of_module:  # the rest of pokerlab is identified by its version
                descriptions_of_uses[used_name] = describe(used_value)
        return [describe_function_code(value), describe(value.__defaults__), descriptions_of_uses]

    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "fingerprint") and hasattr(value, "name"):
        return [value.name, value.fingerprint]
    if isinstance(value, Mapping):
        return {str(name): describe(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [describe(part) for part in value]
    if is_dataclass(value):
        values_of_fields = {field.name: getattr(value, field.name) for field in fields(value)}
        return [type(value).__qualname__, describe(values_of_fields)]
    try:
        return convert_to_json_value(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__}") from None
