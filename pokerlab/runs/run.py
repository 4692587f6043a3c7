"""A run of a solver, which records measurements, shows progress, saves checkpoints, and can be resumed."""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pokerlab.core import CheckpointError, SettingError
from pokerlab.core.arrays import is_scalar_number
from pokerlab.core.errors import quote_value
from pokerlab.core.files import validate_path
from pokerlab.core.saved_files import acquire_file_lock
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    check_item_types,
    check_kind,
    check_signature,
    validate_bool,
    validate_integer,
)
from pokerlab.runs.checkpoint import load_checkpoint, save_checkpoint
from pokerlab.runs.history import History, describe_provenance

if sys.platform == "emscripten":
    tqdm.monitor_interval = 0  # by a thread, which a browser cannot start
PIECE_SECONDS = 0.02
"""The approximate time in seconds that a piece of work takes. A run can be stopped between two pieces."""
SAVE_SECONDS = 1.0  # the time between two saves of a checkpoint while a run goes on
MOST_PER_DECADE = 1000  # the largest number of recordings in a factor of ten of iterations
RESERVED = ("iteration", "about", "file")
"""Names that no column may have: the first is always recorded, the others belong to the file format."""
LAST_SAVES: dict[Path, object] = {}
"""For each checkpoint an object that identifies the last save by this process. Each save makes a new object."""


@dataclass(frozen=True)
class Column:
    """A measurement of the solver's state, which becomes a column of the history.

    Attributes
    ----------
    name : str
        The name of the column in the history.
    label : str
        The name of the column in plots.
    unit : str
        The unit of the measured numbers.
    measure : callable
        A function of a state, which returns the number to record.
    """

    name: str
    label: str
    unit: str
    measure: Callable[[Any], float]

    def __post_init__(self) -> None:
        """Raise a SettingError if a name is not a text, or if `measure` is not a function of a state."""
        for name in ("name", "label", "unit"):
            check_kind(f"{name} of a column", getattr(self, name), str, "a text")
        expected = "Give a function that returns a number."
        check_signature(self.measure, "measure of a column", ("state",), expected)

    def measure_state(self, state: Any) -> float:
        """Return the number that this column records for a state of the solver.

        Parameters
        ----------
        state : Any
            The state, with which the function `measure` of the column is called.

        Raises
        ------
        SettingError
            If this function returns something else than one number.
        """
        measured = self.measure(state)
        if not is_scalar_number(measured):
            raise SettingError(
                f"the column {self.name} measured {quote_value(measured)}; its measure must return a number."
            )
        return float(measured)


class Run:
    """A run of a solver, with a history of measurements and an optional checkpoint.

    Parameters
    ----------
    solver : Solver
        The solver that is run.
    columns : sequence of Column
        The measurements that are recorded with the iteration. Their names must be different.
    per_decade : int
        The number of recordings in each factor of ten of iterations, 1 to 1000. Iteration 0 is recorded, and then the
        rounded powers of 10^(1 / per_decade).
    settings : dict, optional
        The Config as a dictionary of numbers and strings, which becomes part of the provenance.
    checkpoint : path, optional
        The file in which the state is saved. If it exists, the run continues from it.
    keep : callable, optional
        A function of a state, whose result is stored at each recording, for example for a figure. It is not part of the
        history or of the checkpoint.

    Attributes
    ----------
    state
        The present state of the solver.
    kept : list of (int, Any)
        The iteration of each recording, and the result of `keep`.
    disturbances : list of (int, str)
        The iteration of each change from outside, and what it was in words. They are part of the history's provenance.

    Raises
    ------
    CheckpointError
        If the checkpoint is damaged, if it belongs to another solver, game or setting, or if a run in another process
        uses it. If several runs of one process have the same checkpoint, only the one that saved last can continue or
        save again.
    StorageError
        If the checkpoint cannot be written.
    """

    def __init__(
        self,
        solver: Any,
        columns: Sequence[Column],
        *,
        per_decade: int = 20,
        settings: dict[str, Any] | None = None,
        checkpoint: str | Path | None = None,
        keep: Callable[[Any], Any] | None = None,
    ) -> None:
        """Check all parameters, and then begin the run, or continue it from the checkpoint if the file exists."""
        expected_solver = "one that is made, such as solvers.CFR(games.kuhn())"
        check_attributes("solver", solver, ("game", "init", "step"), expected_solver)
        check_kind("columns", columns, Iterable, "a list of Columns")
        self.solver = solver
        self.columns = tuple(columns)
        check_item_types("columns", self.columns, Column, "a list of Columns")
        check_column_names([column.name for column in self.columns])
        self.per_decade = validate_integer("per_decade", per_decade, 1, MOST_PER_DECADE)
        if settings is not None:
            check_kind("settings", settings, Mapping, "a dictionary of numbers and texts")
        if keep is not None:
            check_signature(
                keep, "function of what to keep", ("state",), "Give one that takes a state."
            )
        self.checkpoint: Path | None = None
        if checkpoint is not None:
            self.checkpoint = validate_path("checkpoint", checkpoint).absolute()

        self.provenance = describe_provenance(solver, settings)
        self.seconds = 0.0
        self.rows: list[tuple[float, ...]] = []
        self.keep = keep
        self.kept: list[tuple[int, Any]] = []
        self.disturbances: list[tuple[int, str]] = []
        self.piece_iterations = 1

        self.lock = None if self.checkpoint is None else acquire_file_lock(self.checkpoint)
        if self.checkpoint is not None and self.checkpoint.exists():
            loaded_checkpoint = load_checkpoint(self.checkpoint, solver, self.names)
            self.state, self.seconds = loaded_checkpoint.state, loaded_checkpoint.seconds
            self.rows = [tuple(row) for row in loaded_checkpoint.rows.tolist()]
            self.disturbances = loaded_checkpoint.disturbances
        else:
            self.state = solver.init()
        if self.checkpoint is not None:
            self.last_known_save = LAST_SAVES.get(self.checkpoint.resolve())
            if not self.checkpoint.exists():
                self.save()  # so that an error about what cannot be saved is raised before the run begins

        # The present iteration may not be recorded yet: at the beginning, or if the process was killed last time
        # between the iteration and its recording.
        if self.iteration == find_next_recording(self.iteration - 1, per_decade):
            self.record()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the history's columns: 'iteration', and then the names of the measurements."""
        return ("iteration", *(column.name for column in self.columns))

    @property
    def iteration(self) -> int:
        """The number of iterations so far."""
        return int(self.state.iteration)

    @property
    def history(self) -> History:
        """The history of all measurements so far, with their units and their provenance."""
        units = {"iteration": "iterations"}
        units |= {column.name: column.unit for column in self.columns}
        provenance = {**self.provenance, "seconds": self.seconds}
        if self.disturbances:
            provenance["disturbances"] = [list(disturbance) for disturbance in self.disturbances]
        return History.from_rows(self.names, self.rows, units, provenance)

    def record(self) -> None:
        """Add the measurements of the present state to the rows of the history, unless this has been done already.

        The row consists of the iteration and the measurements. The result of the function `keep`, if there is one, is
        added to `kept`.
        """
        last_recorded = self.rows[-1][0] if self.rows else -1.0
        if last_recorded >= self.iteration:
            return

        # An error in a column or in `keep` must not leave half a recording, so both are called before anything is
        # added to the rows.
        measurements = [column.measure_state(self.state) for column in self.columns]
        if self.keep is not None:
            self.kept.append((self.iteration, self.keep(self.state)))
        self.rows.append((float(self.iteration), *measurements))

    def disturb(self, change: Callable[[Any], Any], words: str) -> None:
        """Replace the state by a changed one, for example one into which mutants enter, and mark this in the history.

        The state before the change is recorded first, so a disturbance is visible between two rows of the history. A
        change at iteration 0 replaces the state with which the run begins, and is recorded as such.

        Parameters
        ----------
        change : callable
            A function of the state, which returns the changed state of the same iteration. Such functions are
            `mix_in_profile`, `set_action_probability` and `replace_strategies` of `pokerlab.solvers.disturbances`.
        words : str
            A text that describes the change, such as '10% mutants that always bet'.

        Raises
        ------
        SettingError
            If the function returns something else than a state of the same type and iteration.

        Examples
        --------
        >>> from functools import partial
        >>> import pokerlab as pl
        >>> kuhn = pl.games.kuhn()
        >>> run = pl.runs.Run(pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0), [])
        >>> run = run.to(100, progress=False)
        >>> run.disturb(partial(pl.solvers.mix_in_profile, profile=kuhn.uniform(), share=0.1), "10% uniform")
        >>> run.to(200, progress=False).history.provenance["disturbances"]
        [[100, '10% uniform']]
        """
        check_signature(change, "change", ("state",), "Give a function from a state to a state.")
        check_kind("words", words, str, "a text")
        changed_state = change(self.state)
        iteration = getattr(changed_state, "iteration", None)
        if type(changed_state) is not type(self.state) or iteration != self.iteration:
            needed_type = type(self.state).__name__
            raise SettingError(
                f"the change returned {quote_value(changed_state)}; it must return a {needed_type} of iteration"
                f" {self.iteration}."
            )

        if self.iteration == 0:
            self.rows, self.kept = [], []
            self.state = changed_state

        # Record the state before the change. At iteration 0 it has been replaced above.
        self.record()
        self.state = changed_state
        self.disturbances.append((self.iteration, words))

    def advance(self, count: int) -> None:
        """Run the solver for at most `count` iterations, but stop after the next recording.

        If the iteration of the next recording is reached, the measurements are recorded.

        Parameters
        ----------
        count : int
            The largest number of iterations.
        """
        recording = find_next_recording(self.iteration, self.per_decade)
        target = min(self.iteration + count, recording)
        start_time = time.perf_counter()
        self.state = self.solver.step(self.state, target - self.iteration)
        self.seconds += time.perf_counter() - start_time
        if self.iteration == recording:
            self.record()

    def advance_in_pieces(self, until: int) -> Iterator[int]:
        """Run the solver up to an iteration in short pieces of work, between which the caller can stop.

        The number of iterations in a piece adapts, so that a piece takes about 0.02 seconds.

        Parameters
        ----------
        until : int
            The last iteration.

        Yields
        ------
        int
            The iteration after each piece. If the solver has converged, the last one may be smaller than `until`.
        """
        while self.iteration < until:
            iteration_before = self.iteration
            start_time = time.perf_counter()
            self.advance(min(self.piece_iterations, until - self.iteration))
            seconds = time.perf_counter() - start_time
            num_iterations = self.iteration - iteration_before
            if num_iterations == 0:  # the solver has converged and does not change anymore
                return

            # A piece that ended early, at a recording, does not show how long a whole piece takes.
            is_whole_piece = num_iterations == self.piece_iterations
            if seconds < PIECE_SECONDS / 2 and is_whole_piece:
                self.piece_iterations *= 2
            elif seconds > PIECE_SECONDS and self.piece_iterations > 1:
                self.piece_iterations //= 2
            yield self.iteration

    def to(self, until: int, *, progress: bool = True) -> "Run":
        """Run the solver up to an iteration, and return this run.

        After an interrupt the run can be continued from the iteration that it has reached.

        Parameters
        ----------
        until : int
            The last iteration.
        progress : bool
            Whether to show a progress bar.

        Returns
        -------
        Run
            This run, which is changed in place. If it has reached the iteration already, nothing is computed.

        Raises
        ------
        CheckpointError
            If another run of this process has saved its state in the checkpoint since this run last used it.
        """
        until = validate_integer("until", until, 0, LARGEST_COUNT)
        validate_bool("progress", progress)
        self.check_last_save()
        time_of_save = time.monotonic()
        name = f"{type(self.solver).__name__} on {self.solver.game.name}"
        progress_bar = tqdm(
            total=until,
            initial=min(self.iteration, until),
            desc=name,
            unit=" it",
            unit_scale=True,
            disable=not progress,
        )
        try:
            for iteration in self.advance_in_pieces(until):
                progress_bar.update(iteration - progress_bar.n)
                if self.checkpoint is not None and time.monotonic() - time_of_save > SAVE_SECONDS:
                    self.save()
                    time_of_save = time.monotonic()
            self.record()
        finally:
            progress_bar.close()
            if self.checkpoint is not None:
                self.save()

        return self

    def check_last_save(self) -> None:
        """Raise a CheckpointError if another run of this process has overwritten the checkpoint of this run.

        Another run has done so if it has saved its state there since this run last saved or loaded the checkpoint.
        Nothing happens if this run has no checkpoint.

        Raises
        ------
        CheckpointError
            If another run has overwritten the checkpoint.
        """
        if self.checkpoint is None:
            return
        if LAST_SAVES.get(self.checkpoint.resolve()) is not self.last_known_save:
            raise CheckpointError(
                f"another run has saved its state in {self.checkpoint} meanwhile. Continue with that one, or"
                " give each run its own checkpoint."
            )

    def save(self) -> None:
        """Save the state and the recorded rows in the checkpoint.

        Raises
        ------
        SettingError
            If the run has no checkpoint.
        CheckpointError
            If another run of this process has saved its state in the checkpoint since this run last used it.
        """
        if self.checkpoint is None:
            raise SettingError(
                "this run has no checkpoint; make it with checkpoint='some/path.npz'."
            )

        self.check_last_save()
        save_checkpoint(
            self.checkpoint,
            self.solver,
            self.state,
            self.names,
            self.rows,
            self.seconds,
            self.disturbances,
        )
        self.last_known_save = object()
        LAST_SAVES[self.checkpoint.resolve()] = self.last_known_save


def check_column_names(names: Sequence[str]) -> None:
    """Raise a SettingError if the name of a column is reserved, or is given more than once.

    Parameters
    ----------
    names : sequence of str
        The names of all columns that a user wants to record.

    Raises
    ------
    SettingError
        If a name is one of `RESERVED`, or occurs twice.
    """
    for name in names:
        if name in RESERVED:
            reason = "is reserved"
        elif names.count(name) > 1:
            reason = "is given more than once"
        else:
            continue
        raise SettingError(
            f"the column name {quote_value(name)} {reason}; give each column its own."
        )


def find_next_recording(iteration: int, per_decade: int) -> int:
    """Return the first iteration after a given one at which a run records its measurements.

    Measurements are recorded at iteration 0 and at the rounded powers of 10^(1 / per_decade).

    Parameters
    ----------
    iteration : int
        The given iteration; -1 to find the first recording.
    per_decade : int
        The number of recordings from one iteration to ten times as many.
    """
    if iteration < 0:
        return 0
    # Begin one power too low, because logarithms are rounded.
    exponent = max(0, math.floor(math.log10(max(iteration, 1)) * per_decade) - 1)
    recording = round(10 ** (exponent / per_decade))
    while recording <= iteration:
        exponent += 1
        recording = round(10 ** (exponent / per_decade))
    return recording
