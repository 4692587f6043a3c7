"""Sweeps, which call a measuring function with many settings and seeds: on one core, on several, or on a cluster.

The results of each setting can be saved in a small file. The file is only used again if the setting and the function
are the same.
"""

import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, as_completed
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pokerlab.core import PokerlabError, SettingError, UnknownNameError, validate_integer
from pokerlab.core.files import validate_path
from pokerlab.core.saved_files import acquire_file_lock
from pokerlab.core.settings import check_kind, check_signature, validate_bool
from pokerlab.core.workers import MOST_WORKERS, connect_to_cluster, is_cluster
from pokerlab.runs.combinations import Combination, make_combinations
from pokerlab.runs.history import History, convert_to_json_values, describe_versions
from pokerlab.runs.outcome_folder import OutcomeFolder, get_measure_name
from pokerlab.runs.table_rows import Failure, Outcome, describe_columns, validate_table_rows

MOST_SHOWN = 3  # the largest number of failures that an error message describes


class SweepError(PokerlabError):
    """Some settings of a sweep could not be measured."""

    finished: History | None = None  # the table of results of all other settings


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
        The values of each setting, such as `{"population": [10, 100]}`. All values are combined. Instead, a list of
        dictionaries with the same names or a list of Configs may be given. It is `{}` if only the seeds differ.
    config : dataclass, optional
        A Config. The function `measure` gets a copy in which the settings replace values.
    seeds : iterable of int, optional
        The seeds. Each setting is combined with each seed, which becomes the setting 'seed'.
    units : mapping, optional
        The units of the columns, by name.
    workers : int, distributed.Client or str
        The number of processes, 1 to 256, where 1 means the present process. A cluster is given as its client or as the
        address of its scheduler. The workers of a cluster need pokerlab, but no common disk.
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
    reason_for_end = ""  # why the sweep ended early, if it did
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
        unmeasured_arguments = {
            index: combination.argument
            for index, combination in enumerate(combinations)
            if index not in finished_outcomes
        }
        outcomes = stack.enter_context(
            closing(iterate_outcomes(measure, unmeasured_arguments, workers))
        )
        try:
            for index, outcome in outcomes:
                combination = combinations[index]
                failure = check_outcome(outcome, combination, units, finished_outcomes)
                if failure is not None:
                    failures[index] = failure
                elif isinstance(outcome, Outcome):
                    finished_outcomes[index] = outcome
                    if outcome_folder is not None:
                        outcome_folder.write_outcome(combination.argument, outcome)
                bar.update()
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(describe_progress(len(finished_outcomes), len(combinations), folder))
            raise
        except BrokenExecutor:
            reason_for_end = "a worker was killed, or ran out of memory. "
        except CancelledError:
            reason_for_end = "the cluster is gone. "

    table = join_outcomes(combinations, finished_outcomes, units, provenance)
    if len(finished_outcomes) == len(combinations):
        return table

    error = SweepError(
        reason_for_end
        + describe_failures(failures, combinations)
        + describe_progress(len(finished_outcomes), len(combinations), folder)
    )
    error.finished = table
    if failures:
        first_failure = next(iter(failures.values()))
        error.add_note(first_failure.traceback)
    raise error


def read_saved_outcomes(
    outcome_folder: OutcomeFolder,
    combinations: Sequence[Combination],
    units: Mapping[str, str],
) -> dict[int, Outcome]:
    """Return the outcomes that the folder of a sweep has, by the index of their combination of settings.

    All outcomes of a table must have the same columns. If the outcomes in the folder differ, only those with the most
    frequent columns are returned.

    Parameters
    ----------
    outcome_folder : OutcomeFolder
        The folder.
    combinations : sequence of Combination
        All combinations of settings of the sweep.
    units : mapping of str to str
        The units of columns, by name.

    Returns
    -------
    dict of int to Outcome
        The outcomes. A combination without a saved outcome is left out.

    Raises
    ------
    SettingError
        If a measured value has the name of a setting.
    UnknownNameError
        If a unit is given for a column that does not exist.
    CheckpointError
        If a file has the outcome of another function or argument.
    """
    saved_outcomes = {
        index: outcome_folder.read_outcome(combination.argument)
        for index, combination in enumerate(combinations)
    }
    present_outcomes = [
        (index, outcome) for index, outcome in saved_outcomes.items() if outcome is not None
    ]

    # The first outcome determines the columns, so outcomes with the most frequent columns come first.
    columns = {index: describe_columns(outcome.rows[0]) for index, outcome in present_outcomes}
    frequency = Counter(columns.values())
    present_outcomes.sort(key=lambda pair: -frequency[columns[pair[0]]])

    accepted_outcomes: dict[int, Outcome] = {}
    for index, outcome in present_outcomes:
        check_measured_names(outcome, combinations[index], units)
        if find_column_failure(outcome, accepted_outcomes) is None:
            accepted_outcomes[index] = outcome
    return accepted_outcomes


def check_measured_names(
    outcome: Outcome, combination: Combination, units: Mapping[str, str]
) -> None:
    """Raise an error if a measured value has the name of a setting, or if units are given for unknown columns.

    Parameters
    ----------
    outcome : Outcome
        The outcome, which has the names of the measured values.
    combination : Combination
        The combination of settings with which it was measured.
    units : mapping of str to str
        The units of columns, by name. The columns are the settings and the measured values.

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


def check_outcome(
    outcome: Outcome | Failure,
    combination: Combination,
    units: Mapping[str, str],
    earlier_outcomes: Mapping[int, Outcome],
) -> Failure | None:
    """Check the outcome of a combination, and return why it does not count, or None if the combination is finished.

    Parameters
    ----------
    outcome : Outcome or Failure
        What the measure returned, or why it failed.
    combination : Combination
        The combination that was measured.
    units : mapping of str to str
        The units of columns that the user has given.
    earlier_outcomes : mapping of int to Outcome
        The outcomes of the combinations that are finished, whose columns the others must have, too.

    Returns
    -------
    Failure or None
        The failure, if the measure has failed or the outcome has other columns than earlier ones. The caller then
        leaves the combination out of the table.

    Raises
    ------
    SettingError
        If a setting and a measured value have the same name.
    UnknownNameError
        If a unit is given for a column that does not exist.
    """
    if isinstance(outcome, Failure):
        return outcome
    check_measured_names(outcome, combination, units)
    return find_column_failure(outcome, earlier_outcomes)


def find_column_failure(
    outcome: Outcome, earlier_outcomes: Mapping[int, Outcome]
) -> Failure | None:
    """Return a failure if an outcome has other columns than the earlier outcomes, and otherwise None.

    Parameters
    ----------
    outcome : Outcome
        The outcome whose columns are compared.
    earlier_outcomes : mapping of int to Outcome
        The earlier outcomes, which all have the same columns. If there are none, the first row of the outcome itself
        determines the columns.

    Returns
    -------
    Failure or None
        A failure whose text lists the columns of the outcome and the expected ones. Names, their order and types of
        values are compared.
    """
    first_outcome = next(iter(earlier_outcomes.values()), outcome)
    expected = describe_columns(first_outcome.rows[0])
    for row in outcome.rows:
        if describe_columns(row) != expected:
            return Failure(f"it has {describe_columns(row)}; others have {expected}", "")
    return None


def describe_failures(failures: Mapping[int, Failure], combinations: Sequence[Combination]) -> str:
    """Return a text that states how many combinations of settings failed, with the first few errors.

    Parameters
    ----------
    failures : mapping of int to Failure
        The failures, by the index of the combination.
    combinations : sequence of Combination
        All combinations of the sweep.

    Returns
    -------
    str
        The text, which is empty if none failed.
    """
    if not failures:
        return ""
    shown_indices = sorted(failures)[:MOST_SHOWN]
    errors = "; ".join(
        f"at {combinations[index].values}: {failures[index].error}" for index in shown_indices
    )
    ellipsis = ", ..." if len(failures) > MOST_SHOWN else ""
    return f"{len(failures)} of {len(combinations)} could not be measured: {errors}{ellipsis}. "


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
    finished_text = f"{num_finished} of {num_combinations} are finished"
    if folder is None:
        return f"{finished_text}; with folder='some/path' they would be kept for another call."
    return f"{finished_text} and kept in {folder}; the same call goes on from there."


def iterate_outcomes(
    measure: Callable[[Any], Any], arguments: Mapping[int, Any], workers: Any
) -> Generator[tuple[int, Outcome | Failure], None, None]:
    """Call a measuring function with each argument, and yield the results in the order in which they finish.

    Parameters
    ----------
    measure : callable
        The function that is called with each argument.
    arguments : mapping of int to Any
        The arguments, by the index of their combination of settings.
    workers : int, distributed.Client or str
        The number of processes, or a cluster or the address of its scheduler. With 1 no process is started.

    Yields
    ------
    index : int
        The index of an argument.
    outcome : Outcome or Failure
        What the function has measured with it, or why it has failed.

    Raises
    ------
    BrokenExecutor
        If a worker process was killed or ran out of memory.
    CancelledError
        If the cluster is lost.
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


def call_measure(measure: Callable[[Any], Any], argument: Any) -> Outcome | Failure:
    """Call a measuring function in a worker, and return what it has measured, or why it has failed.

    Linear algebra of the worker is limited to one thread, because each worker uses one core.

    Parameters
    ----------
    measure : callable
        The function, which returns one or several rows of measured values.
    argument : Any
        Its argument.

    Returns
    -------
    Outcome or Failure
        The rows and the time of the call, or the error that it has raised.
    """
    threadpool_limits(1, "blas")
    start_time = time.perf_counter()
    try:
        rows = validate_table_rows(measure(argument))
    except Exception as error:
        lines = traceback.format_exception(error)
        return Failure(f"{type(error).__name__}: {error}", "".join(lines))
    return Outcome(rows, time.perf_counter() - start_time)


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
    """Yield an executor that runs functions in processes or on a cluster, for use in a with statement.

    If the block ends with an error, work that has not begun is cancelled, and processes on this machine are ended.

    Parameters
    ----------
    workers : int, distributed.Client or str
        The number of processes, or a cluster or the address of its scheduler.

    Yields
    ------
    concurrent.futures.Executor
        The executor.
    """
    with ExitStack() as stack:
        if is_cluster(workers):
            executor = stack.enter_context(connect_to_cluster(workers)).get_executor(pure=False)
            cancel = partial(executor.shutdown, wait=False)
        else:
            from loky import get_reusable_executor  # In a browser there are no processes.

            executor = get_reusable_executor(
                max_workers=workers, initializer=exit_with_parent, initargs=(os.getpid(),)
            )
            cancel = partial(executor.shutdown, kill_workers=True)
        try:
            yield executor
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
        The provenance of the table, to which the sum of the seconds of all outcomes is added.

    Returns
    -------
    History
        The table, with a column for each setting and for each measured value.
    """
    rows = []
    for index in sorted(outcomes):
        rows += [{**combinations[index].values, **row} for row in outcomes[index].rows]

    names = rows[0] if rows else combinations[0].values
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in names}
    seconds = sum(outcome.seconds for outcome in outcomes.values())
    return History(columns, units, {**description, "seconds": seconds})
