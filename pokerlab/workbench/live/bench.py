"""The bench: an experiment with controls for its settings, which readers run, watch, pause and compare.

Begin with `Bench`. `Status` has the words below its picture.
"""

import math
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from pokerlab.core import PokerlabError, SettingError, UnknownNameError, list_settings
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import LARGEST_COUNT
from pokerlab.core.workers import Cancelled, can_start_threads
from pokerlab.games import Profile
from pokerlab.runs import Column, History, Run
from pokerlab.workbench.kept_figures import keep_figure, save_run
from pokerlab.workbench.live.disturb import DisturbFold
from pokerlab.workbench.live.kept_runs import KeptRuns
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.panel import (
    Controls,
    Panel,
    describe_differences,
    read_address,
    shorten_number,
    write_address,
)
from pokerlab.workbench.live.picture_screen import PictureScreen
from pokerlab.workbench.live.runner import PAUSE_SECONDS, Runner
from pokerlab.workbench.live.screen import leave_place, make_alert
from pokerlab.workbench.live.step_times import (
    LONG_STEP_SECONDS,
    StepTimes,
    describe_step_delay,
    describe_step_time,
    name_iteration,
)
from pokerlab.workbench.live.take_home import make_file
from pokerlab.workbench.live.view import Declaration, Frame, Ghost, draw_picture, make_frame
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.picture import Picture, Triangle
from pokerlab.workbench.style import COMPRESSION, GREEN, ORANGE, PURPLE, SKY, convert_to_png
from pokerlab.workbench.text import (
    put_true_minus,
    remove_emphasis,
    render_emphasis,
)

STATUS_STYLE = (
    "font-size: 13px; line-height: 1.45; padding: 2px 4px; font-variant-numeric: tabular-nums;"
)
SEPARATOR = "&ensp;&middot;&ensp;"


@dataclass(frozen=True)
class Status:
    """The state of a bench, as the words below its picture describe it.

    Attributes
    ----------
    frame : Frame
        The run at this moment.
    shown_column : Column
        The column whose value is stated.
    speed : float
        The iterations a second; 0 while the run is paused.
    is_finished : bool
        Whether no iteration is left.
    note : str
        The last event, or the error.
    is_error : bool
        Whether `note` is an error.
    caption : str
        How to read the picture.
    num_frames : int
        The number of pictures that have been shown.
    """

    frame: Frame
    shown_column: Column
    speed: float
    is_finished: bool
    note: str
    is_error: bool
    caption: str
    num_frames: int

    def list_facts(self) -> list[str]:
        """Return the iteration, the value of the column, and the speed or the end of the run, as words."""
        number = put_true_minus(f"{self.frame.read_curve(self.shown_column)[1][-1]:,.4g}")
        value = f"{self.shown_column.label} {number} {self.shown_column.unit}".rstrip()
        if not self.frame.has_begun:
            value = "nothing has been played yet"
        facts = [f"t = {self.frame.iteration:,} of {self.frame.last_iteration:,}", value]
        if self.is_finished:
            facts.append(
                "converged" if self.frame.iteration < self.frame.last_iteration else "finished"
            )
        elif self.speed:
            facts.append(f"{shorten_number(self.speed)} iterations/s")
        return facts

    def write_html(self) -> str:
        """Return the words for a notebook as HTML, with a progress bar."""
        facts = SEPARATOR.join(map(escape, self.list_facts()))
        frame = self.frame
        share = 1.0 if self.is_finished else frame.iteration / frame.last_iteration
        note = make_alert(f"⚠ {self.note}") if self.is_error else escape(self.note)
        return (
            f'<div class="pokerlab-status" data-frames="{self.num_frames}" style="{STATUS_STYLE}">'
            f'<progress max="1" value="{share:.4f}" style="width: 90px; vertical-align: middle;">'
            f"</progress>&ensp;<b>{facts}</b><br>{f'{note}<br>' if self.note else ''}"
            f'<span style="opacity: 0.8;">What to see: {render_emphasis(self.caption)}</span></div>'
        )

    def write_news(self) -> str:
        """Return the words that a screen reader reads out."""
        return "\n".join(filter(None, [", ".join(self.list_facts()), self.note]))

    def write_plain(self) -> str:
        """Return the words for places that show no HTML."""
        return f"{self.write_news()}\nWhat to see: {remove_emphasis(self.caption)}"


def describe_picture(frame: Frame, caption: str) -> str:
    """Return the contents of a picture in words: its caption, and the last value of each column."""
    if not frame.has_begun:
        return f"{remove_emphasis(caption)} Nothing has been played yet."
    last_values = zip(frame.columns, frame.rows[-1, 1:].tolist(), strict=True)
    values = ", ".join(
        f"{column.label} {0.0 if abs(value) < ROUNDING else value:,.4g} {column.unit}".rstrip()
        for column, value in last_values
    )
    return f"{remove_emphasis(caption)} At t = {frame.iteration:,}: {values}."


ROUNDING = 1e-15  # smaller numbers in the words are errors of floating-point sums
SAVE_SECONDS = 10.0  # between two times that a run under way is written, if it is kept
STATUS_SECONDS = 0.1  # between two changes of the words below the picture while a run goes on
PIN_COLORS = (GREEN, PURPLE, ORANGE, SKY)
"""Of pinned runs, which are at most as many; blue and red are those of the run itself."""
LATE_SECONDS = 0.5
"""After *Run*, a setting that comes so soon was moved before: a page holds moves back while the kernel is busy."""
NEWS_SECONDS = 10.0  # seconds after which a screen reader hears of a run again
LONGEST_LABEL = 44  # letters that a legend has room for
PREPARING = "One moment: the new run is being prepared."
INTERRUPTED = "The kernel was interrupted. The run on show, and its settings, are those of before."


def identify_end(history: History) -> tuple[float, int]:
    """Return the last iteration of a run, and how often it was changed from outside; together they identify its end."""
    return history["iteration"][-1], len(history.provenance.get("disturbances", ()))


def describe_kept_run(run: Run) -> str:
    """Return the words on a run that was found in the folder of kept runs and continues."""
    return f"The kept run goes on at t = {run.iteration:,}."


def describe_error(error: Exception) -> str:
    """Return the message of an error, with the name of its class if it is not one of pokerlab."""
    return str(error) if isinstance(error, PokerlabError) else repr(error)


def show_errors_in_status(method: Callable[["Bench"], None]) -> Callable[["Bench"], None]:
    """Decorate a method of a bench so that its errors appear below the picture.

    An error in a widget's callback would be lost otherwise. The method holds the bench's `action_lock`. If the kernel
    is interrupted, the present run stays, and the panel shows its settings again.
    """

    def call_and_show_error(bench: "Bench", /) -> None:
        with bench.action_lock:
            try:
                method(bench)
            except Exception as error:
                bench.show_error(error)
            except KeyboardInterrupt:
                bench.restore_settings()
                raise

    call_and_show_error.__doc__ = method.__doc__
    return call_and_show_error


@explain_renamed_attributes
class Bench:
    """An experiment under the user's control, which the function `bench` makes.

    Parameters
    ----------
    declaration : Declaration
        The experiment, its views, and the ways to change its run.
    config : Any
        The settings of the first run.
    first_iterations : int
        The number of iterations that are done at once, so that the first picture shows something.
    caption : str, optional
        How to read the picture. By default the captions of the views say it.
    screen : PictureScreen, optional
        Where controls and picture appear; a new screen by default.
    knobs : collection of str
        The settings whose rows are open. If there are none, all that are not rare are open.
    kept_runs : KeptRuns, optional
        A folder in which runs are stored.

    Attributes
    ----------
    run : Run
        The present run, with its `history`.
    config : Any
        The settings of this run.
    error : Exception or None
        The reason why nothing can run with the chosen settings.
    picture : Picture
        The picture as data: `picture.iteration`, and numbers by view, such as `picture['convergence'][column]`,
        `picture['mixtures']['player 1']` and `picture['strategy'][profile]`.
    """

    def __init__(
        self,
        declaration: Declaration,
        config: Any,
        *,
        first_iterations: int = 0,
        caption: str | None = None,
        screen: PictureScreen | None = None,
        knobs: Collection[str] = (),
        kept_runs: KeptRuns | None = None,
    ) -> None:
        self.declaration = declaration
        self.experiment = declaration.experiment
        self.config, self.defaults_config = config, config
        self.kept_runs = kept_runs
        self.save_time = time.monotonic()
        self.start_time = -math.inf
        self.saved_state: Any = None  # the state that was written last
        self.run: Run = self.open_run(config)
        self.published = self.experiment.select_published_numbers(config)
        self.previous_run: tuple[Any, Any] | None = None
        self.error: Exception | None = None
        self.note = describe_kept_run(self.run) if self.run.iteration > 0 else ""
        self.step_times = StepTimes()
        self.step_time_words = ""
        self.last_note, self.news_time, self.status_time = "", 0.0, 0.0
        self.watcher: threading.Thread | None = None
        self.num_frames = 0
        self.paint_lock = threading.Lock()  # held while the present run is drawn or replaced
        self.save_lock = threading.Lock()  # held while the present run is saved
        # JupyterLab handles messages of widgets in a thread beside that of the cells (a subshell), but the first ones
        # in the cells' thread. Without this lock, two actions of a reader could be carried out at once.
        self.action_lock = threading.RLock()
        # Three threads write the status: the kernel's, the run's and the watcher's. What one of them has read must be
        # on the page before the next one reads, or older words would replace newer ones for good.
        self.status_lock = threading.RLock()
        self.picture = Picture(())
        self.pinned_runs: list[tuple[Any, Ghost]] = []
        self.screen = PictureScreen() if screen is None else screen
        self.screen.set_request_handler(self.handle_request)
        self.screen.set_looks(self.load_looks())
        self.first_iterations = min(first_iterations, config.iterations)
        self.given_caption = caption
        self.views = declaration.make_views(config)
        scale = [*self.experiment.scales][-1]  # 'paper', if the experiment has all scales
        paper_configs = self.experiment.paper or {
            f"the scale '{scale}'": self.experiment.scales[scale]
        }
        self.panel = Panel(config, paper_configs, self.apply_settings)
        actions: dict[str, Any] = {
            "run": self.toggle_run, "step": self.start_step, "reset": self.reset, "paper": self.take_paper_settings,
            "defaults": self.take_default_settings, "speed": self.set_pace,
        }  # fmt: skip
        self.frame = self.make_frame()
        self.disturb_fold = DisturbFold(self.disturb)
        self.disturb_fold.show_offers(declaration.make_offers(self.run.solver))
        self.controls = Controls(
            self.experiment.title, self.panel, actions, self.list_choices(self.frame), self.show_choice,
            knobs, first_speed=declaration.first_speed, disturb_fold=self.disturb_fold,
        )  # fmt: skip
        self.runner = self.make_runner()
        self.runner.advance_to(self.first_iterations)
        self.refresh_picture()

    @property
    def state(self) -> Any:
        """The solver's present state."""
        return self.run.state

    @property
    def is_running(self) -> bool:
        """Whether the run is under way."""
        return self.runner.is_running

    def start(self, count: int | None = None) -> None:
        """Begin or continue the run in the background: by `count` iterations, or to its end."""
        self.runner.wait_for_end()  # otherwise its last note would appear as one of the run that begins here
        if self.error is None:
            self.note = ""
            self.start_time = time.monotonic()
            self.runner.start(count)
            self.show_run_state()
            self.write_status()  # without the old note, even if the first step takes long
            is_watched = self.watcher is not None and self.watcher.is_alive()
            if can_start_threads() and not is_watched:
                self.watcher = threading.Thread(target=self.watch_long_steps, daemon=True)
                self.watcher.start()

    def watch_long_steps(self) -> None:
        """Update the status each second of a long step, in a thread of its own, until the run pauses."""
        while self.is_running:
            time.sleep(LONG_STEP_SECONDS)
            if self.describe_delay():
                self.show_run_state()
                self.write_status()

    def pause(self) -> None:
        """Pause after the present step; if called again before that, cancel the step and pause at once."""
        if self.runner.is_pausing:
            self.runner.cancel_step()
        self.runner.request_pause()
        self.show_run_state()
        self.write_status()
        self.runner.pause()
        self.show_run_state()

    @property
    def expected_seconds(self) -> float:
        """The seconds that an iteration is expected to take on this machine; 0 if that is not known."""
        return self.step_times.estimate_seconds(self.config)

    def describe_delay(self) -> str:
        """Return words on the present step if it takes long, and otherwise an empty text."""
        return describe_step_delay(self.runner, self.config, self.expected_seconds)

    @show_errors_in_status
    def toggle_run(self) -> None:
        """Pause a run that is under way, and otherwise run; a finished run gets as many iterations again."""
        if self.is_running:
            self.pause()
            return
        if self.runner.has_converged:
            self.explain_end()
            return
        if self.runner.is_finished:
            self.extend_finished_run()
        if not self.runner.is_finished:
            self.start()

    def extend_finished_run(self) -> None:
        """Give a finished run as many iterations again, as far as the setting allows, or say that it has the most."""
        high = list_settings(self.config)["iterations"].high
        most_iterations = LARGEST_COUNT if high is None else int(high)
        iterations = min(2 * max(self.config.iterations, 1), most_iterations)
        if iterations > self.config.iterations:
            self.panel.set_config(replace(self.config, iterations=iterations))
        else:
            self.note = f"The run has done {iterations:,} iterations, the most that are allowed."
            self.write_status()

    def move_end(self, config: Any) -> None:
        """Let the run end at another iteration, that of `config`, and keep what has been done of it."""
        self.config = config
        self.runner.set_last_iteration(config.iterations)
        self.error = None
        self.note = f"The run ends at t = {config.iterations:,} now."
        self.refresh_picture()

    def explain_end(self) -> None:
        """Write below the picture why a finished run does no further iteration."""
        self.note = (
            "The run has converged: further iterations change nothing."
            if self.runner.has_converged
            else "The run is finished. Run goes on by as many iterations again."
        )
        self.write_status()

    @show_errors_in_status
    def start_step(self) -> None:
        """Do one iteration in the background."""
        if self.runner.is_finished:
            self.explain_end()
        else:
            self.start(1)

    @show_errors_in_status
    def step(self) -> None:
        """Do one iteration in the present thread, if the run is paused."""
        if self.runner.is_finished:
            self.explain_end()
        elif not self.is_running and self.error is None:
            self.runner.advance_to(min(self.run.iteration + 1, self.config.iterations))
            self.note = ""
            self.refresh_picture()

    def disturb(self, change: Callable[[Any], Any], words: str) -> None:
        """Change the state from outside, as the *Disturb* controls do. A run that is under way continues from there.

        Parameters
        ----------
        change : callable
            A function from a state to the changed state of the same iteration, such as
            `functools.partial(pokerlab.solvers.mix_in_profile, profile=mutants, share=0.1)`.
        words : str
            A name of the change, such as '10% mutants', with which the curves mark its iteration.
        """
        self.runner.run_between_pieces(partial(self.apply_change, self.run, change, words))

    def start_from_mixture(self, mixture: Sequence[float]) -> None:
        """Begin a new run in which a player starts with a mixture of three actions.

        Parameters
        ----------
        mixture : sequence of 3 float
            The mixture of the player whose triangle is shown.

        Raises
        ------
        SettingError
            If the experiment does not declare how its start can be changed.
        """
        make_start_change = self.declaration.make_start_change
        if make_start_change is None:
            raise SettingError("The start of this run cannot be chosen in its picture.")
        player = next(
            self.controls.choice_menus[view.choice_label].value
            for view in self.views
            if any(
                isinstance(panel, Triangle) for panel in self.picture.find_strip(view.name).panels
            )
        )
        first_state = self.run.state if self.run.iteration == 0 else self.run.solver.init()
        change, words = make_start_change(self.run.solver, first_state, player, mixture)
        self.replace_run(self.config, "", is_afresh=True)
        self.disturb(change, words)

    def apply_change(self, run: Run, change: Callable[[Any], Any], words: str) -> None:
        """Change the state of `run` if it is still the present run, and write below the picture what has happened.

        This must be called between two pieces of work. `change` and `words` are those of `disturb`.
        """
        if run is not self.run:
            return
        try:
            run.disturb(change, words)
        except Exception as error:  # in a callback it would be lost
            self.note = describe_error(error)
        else:
            self.runner.has_converged = False
            self.note = f"Changed at t = {run.iteration:,}: {words}."
            if self.runner.is_finished:
                self.note += " The run is at its end: Run goes on by as many iterations again."
        self.refresh_picture(run)

    @show_errors_in_status
    def reset(self) -> None:
        """Begin a new run with the same settings, and show the curve of the old one as a faint ghost."""
        words = "Reset to t = 0; the faint curve is the run before."
        self.replace_run(self.config, words, is_afresh=True)

    def take_paper_settings(self, name: str) -> None:
        """Take the settings of the paper's experiment `name`."""
        self.panel.set_config(self.panel.paper_configs[name])

    @show_errors_in_status
    def take_default_settings(self) -> None:
        """Return to the settings and the picture with which the bench was made."""
        self.panel.set_config(self.defaults_config)
        self.controls.choose_defaults()
        if self.error is not None:
            return
        words = "These are the settings and the picture that the bench was made with."
        if self.run.iteration > self.first_iterations or self.is_running:
            self.replace_run(self.config, words, is_afresh=True)
        self.runner.advance_to(self.first_iterations)
        self.note = words
        self.refresh_picture()

    def set(self, **settings: Any) -> None:
        """Change settings by their names, as the panel does, and begin a new run.

        Raises
        ------
        PokerlabError
            If the solver refuses the settings.
        """
        for name in settings:
            UnknownNameError.check("setting", name, self.panel.rows)
        config = type(self.config)(**{**vars(self.config), **settings})
        self.start_time = -math.inf  # calls arrive in their order, unlike messages of a page
        self.panel.set_config(config)
        if self.error is not None:
            raise self.error

    @property
    def address(self) -> str:
        """The settings that differ from those with which the bench was made, as the end of an address."""
        return write_address(self.config, self.defaults_config)

    def open_address(self, address: str) -> None:
        """Take the settings of an address such as 'game=KP(3)&payoff_shift=30', or show the error in them."""
        try:
            defaults = {name: getattr(self.config, name) for name in list_settings(self.config)}
            self.set(**read_address(address, defaults))
            self.runner.advance_to(min(self.first_iterations, self.config.iterations))
            self.refresh_picture()
        except PokerlabError as error:
            self.show_error(error)

    def save(self, folder: str | Path | None = None) -> Path:
        """Write the figure, the history and the settings into a new folder, and return its path.

        By default the folder is made in `saved`. This method is for code: the picture's menu *Save…* downloads files in
        the browser, and writes nothing here.
        """
        title, history = self.experiment.title, self.run.history
        return save_run(folder, title, self.config, history, self.png())

    def png(self) -> bytes:
        """Return the present picture as a PNG."""
        self.refresh_picture()
        return convert_to_png(paint_picture(self.picture), compression=COMPRESSION)

    def keep_figure(self, name: str) -> None:
        """Store the present picture under a name, as `show` does with a figure."""
        self.refresh_picture()
        figure = paint_picture(self.picture)
        png = convert_to_png(figure, compression=COMPRESSION)
        metrics = dict(zip(self.run.names, self.run.rows[-1], strict=True))
        keep_figure(figure, png, name, self.caption, {"config": vars(self.config)}, metrics)

    @show_errors_in_status
    def set_pace(self) -> None:
        """Set the pace of the run to that of the slider."""
        self.runner.pace = self.controls.speed_slider.value

    @show_errors_in_status
    def show_choice(self) -> None:
        """Show what was chosen, if the run is paused. Otherwise the next picture of the run shows it."""
        if not self.is_running:
            self.refresh_picture()

    @show_errors_in_status
    def apply_settings(self) -> None:
        """Begin a new run with the panel's settings, or show the error in them.

        If only the number of iterations differs, the present run gets a new end instead.
        """
        config = self.panel.make_config()
        is_same_run = replace(config, iterations=self.config.iterations) == self.config
        if config != self.config and is_same_run and self.run.iteration <= config.iterations:
            self.move_end(config)
        elif config != self.config:
            is_late_message = self.is_running and time.monotonic() - self.start_time < LATE_SECONDS
            moved = "".join(f" ({words})" for words in self.panel.move_notes)
            self.replace_run(
                config, f"{describe_differences(self.config, config)}{moved}: reset to t = 0."
            )
            if is_late_message and self.error is None:
                self.start()
        elif self.error is not None:
            self.error, self.note = None, ""
            self.show_run_state()
            self.write_status()

    def restore_settings(self) -> None:
        """Keep the present run and show its settings again, after an interrupt while another one was prepared."""
        self.error = None
        self.panel.set_config(self.config)
        self.note = INTERRUPTED
        self.refresh_picture()

    def open_run(self, config: Any) -> Run:
        """Return a run with these settings: a stored one if there is one, and otherwise a new one."""
        checkpoint = None if self.kept_runs is None else self.kept_runs.find_checkpoint(config)
        return self.experiment.run(config, keep=self.declaration.keep, checkpoint=checkpoint)

    def load_looks(self) -> Looks:
        """Return the stored looks at the present run; there are none if the run was not stored."""
        return (
            Looks() if self.kept_runs is None else self.kept_runs.load_looks(self.config, self.run)
        )

    def save_kept_run(self) -> None:
        """Save the run and its looks in the folder of kept runs, if there is one and the run has changed."""
        self.save_time = time.monotonic()
        if self.kept_runs is None:
            return
        with self.save_lock:
            with self.paint_lock:
                config, run, looks = self.config, self.run, self.screen.looks
            state = run.state
            if state is self.saved_state:
                return
            try:
                self.kept_runs.save_run(config, run, looks)
                self.saved_state = state
            except PokerlabError as error:  # the disk is full, or another bench keeps the same run
                self.note = f"This run is not kept: {error}"

    def replace_run(self, config: Any, note: str, *, is_afresh: bool = False) -> None:
        """Replace the present run, which becomes the ghost, and cancel its step.

        Parameters
        ----------
        config : Any
            The settings of the new run.
        note : str
            The words below the picture, unless a stored run continues.
        is_afresh : bool
            Whether a stored run with these settings is set aside. Otherwise it continues.
        """
        self.runner.cancel_step()
        self.runner.pause()
        self.error, self.note = None, PREPARING
        self.show_run_state()
        self.write_status()
        self.save_kept_run()
        if self.kept_runs is not None and is_afresh:
            self.kept_runs.set_run_aside(config)
        elif self.kept_runs is not None and self.run.iteration == 0:
            self.kept_runs.delete_run(self.config)
        run = self.open_run(config)
        self.step_times.measure_step_times(self.experiment.make_solver, config)
        self.previous_run = (
            (self.config, self.run.history) if self.run.iteration > 0 else self.previous_run
        )
        with self.paint_lock:
            self.run, self.config = run, config
            self.screen.set_looks(self.load_looks())
            self.published = self.experiment.select_published_numbers(config)
            self.views = self.declaration.make_views(config)
            self.runner = self.make_runner()
            frame = self.make_frame()
        self.disturb_fold.show_offers(self.declaration.make_offers(run.solver))
        is_resumed = run.iteration > 0
        self.error = None
        self.note = describe_kept_run(run) if is_resumed else note
        if self.expected_seconds >= LONG_STEP_SECONDS:
            self.note += f" {describe_step_time(config, self.expected_seconds)}"
        self.controls.offer_choices(self.list_choices(frame))
        self.refresh_picture()

    def show_error(self, error: Exception) -> None:
        """Cancel the step of the run, and write below its picture what is wrong."""
        self.runner.cancel_step()
        self.runner.pause()
        self.error = error
        self.note = describe_error(error)
        self.show_run_state()
        self.write_status()

    def make_runner(self) -> Runner:
        """Return a runner of the present run with the pace of the slider."""
        on_frame, on_stop = (
            partial(self.refresh_picture, self.run),
            partial(self.handle_stop, self.run),
        )
        runner = Runner(self.run, self.config.iterations, on_frame=on_frame, on_stop=on_stop)
        runner.pace = self.controls.speed_slider.value
        return runner

    def handle_stop(self, run: Run, error: Exception | Cancelled | None) -> None:
        """Show that `run` has stopped, and the error if there is one, unless another run has replaced it."""
        with self.paint_lock:  # held so that no other run replaces this one before the note is set
            if run is not self.run:
                return
            if isinstance(error, Exception):
                self.error, self.note = error, describe_error(error)
            elif error is not None:
                step = f"{name_iteration(self.config)} {run.iteration + 1:,}"
                self.note = f"Stopped in the middle of {step}, which begins again with Run."
        self.refresh_picture(run)

    def make_frame(self) -> Frame:
        """Return the present run as a frame, with the runs that it is compared with."""
        ghosts = []
        pinned_ends = [(config, identify_end(ghost.history)) for config, ghost in self.pinned_runs]
        if self.previous_run is not None and self.is_comparable(self.previous_run[0]):
            config, history = self.previous_run
            if (config, identify_end(history)) not in pinned_ends:
                ghosts.append(
                    Ghost(f"before ({self.describe_difference(config, history)})", history)
                )
        for config, ghost in self.pinned_runs:
            if self.is_comparable(config):
                ghosts.append(replace(ghost, label=self.describe_difference(config, ghost.history)))
        published = () if self.run.disturbances else self.published
        return make_frame(self.run, self.config.iterations, published, tuple(ghosts))

    def draw_frame(self, frame: Frame) -> Picture:
        """Return the picture of a frame, for the choices that the reader has made in the views."""
        chosen = {
            view.name: self.controls.choice_menus[view.choice_label].value for view in self.views
        }
        return draw_picture(self.views, frame, chosen, describe_picture(frame, self.caption))

    def is_comparable(self, config: Any) -> bool:
        """Return whether a run with other settings has the same game."""
        return bool(vars(config).get("game") == vars(self.config).get("game"))

    def describe_difference(self, config: Any, history: History) -> str:
        """Return the difference of another run in words: its settings, or that it was changed from outside."""
        words = describe_differences(self.config, config) or "same settings"
        words += ", disturbed" * bool(history.provenance.get("disturbances"))
        return words if len(words) <= LONGEST_LABEL else "other settings"

    def pin_run(self) -> None:
        """Pin the present run: later pictures show its curves in a color of their own, and its heat maps.

        Raises
        ------
        SettingError
            If there are as many pinned runs as colors.
        """
        if len(self.pinned_runs) == len(PIN_COLORS):
            raise SettingError(
                f"{len(self.pinned_runs)} runs are pinned, the most. Unpin one first."
            )
        used_colors = {ghost.color for _, ghost in self.pinned_runs}
        color = next(color for color in PIN_COLORS if color not in used_colors)
        picture = self.draw_frame(replace(self.make_frame(), ghosts=()))
        ghost = Ghost("", self.run.history, color, picture.strips)
        self.pinned_runs.append((self.config, ghost))
        self.note = "This run is pinned. Change a setting, and run."

    def unpin_run(self, index: int) -> None:
        """Remove the pinned run with an index; nothing happens if another tab of the page has already removed it."""
        del self.pinned_runs[index : index + 1]
        self.note = ""

    def find_shown_profile(self) -> Profile | None:
        """Return the first profile of a compiled game that the picture shows, or None.

        It is the profile of the first heat map that names one, or else the attribute `profile` of the state, which a
        triangle shows.
        """
        shown_keys = [key for strip in self.picture.strips for key in strip.numbers]
        names = filter(str.isidentifier, [*shown_keys, "profile"])
        values = (getattr(self.state, name, None) for name in names)
        return next((value for value in values if isinstance(value, Profile)), None)

    def handle_request(self, request: dict[str, Any]) -> None:
        """Handle a request of the page, and show an error in it below the picture.

        Parameters
        ----------
        request : dict
            {'pin': true}, {'unpin': index}, {'start': mixture} or {'save': kind}.
        """
        try:
            if "pin" in request:
                self.pin_run()
            elif "unpin" in request:
                self.unpin_run(int(request["unpin"]))
            elif "start" in request:
                self.start_from_mixture([float(share) for share in request["start"]])
            elif "save" in request:
                file = make_file(
                    request["save"],
                    self.experiment,
                    self.config,
                    self.run.history,
                    self.picture,
                    self.find_shown_profile(),
                )
                self.screen.send_file(file)
                self.note = f"{file.name} is downloaded."
        except Exception as error:  # in a callback it would be lost
            self.note = describe_error(error)
        if not self.is_running:
            self.refresh_picture()

    def refresh_picture(self, run: Run | None = None) -> None:
        """Show the present state. Nothing is shown if `run` is given and another run has replaced it."""
        with self.paint_lock:
            if run is not None and run is not self.run:
                return
            if (
                self.runner.seconds_per_iteration is not None and self.run.iteration > 1
            ):  # the first one loads code
                self.step_times.record_time(self.config, self.runner.seconds_per_iteration)
            self.frame = self.make_frame()
            self.picture = self.draw_frame(self.frame)
            self.num_frames += 1
            pins = [
                (self.describe_difference(config, ghost.history), ghost.color)
                for config, ghost in self.pinned_runs
            ]
            self.screen.show_picture(self.picture, pins, self.address)
        now = time.monotonic()
        if not self.is_running or now - self.save_time >= SAVE_SECONDS:
            self.save_kept_run()
        if not self.is_running or now - self.status_time >= STATUS_SECONDS:
            self.status_time = now
            self.show_run_state()
            self.write_status()

    def show_run_state(self) -> None:
        """Update the buttons of the controls, and the error if there is one."""
        with self.status_lock:
            if not self.is_running:
                self.step_time_words = describe_step_time(self.config, self.expected_seconds)
            pause_words = "Stop now" if self.runner.seconds_spent > PAUSE_SECONDS else "Pausing…"
            self.controls.show_state(
                is_running=self.is_running,
                pause_words=pause_words if self.runner.is_pausing else "",
                can_run=self.error is None,
                error_words="" if self.error is None else self.note,
                step_time_words=self.step_time_words,
            )

    def write_status(self) -> None:
        """Write the words below the picture, and the news for screen readers."""
        with self.status_lock:
            frame = (
                self.frame
            )  # measuring a state may take long, so the shown one is not measured again
            if frame.state is not self.run.state or frame.last_iteration != self.config.iterations:
                frame = self.make_frame()
            note = " ".join(filter(None, [self.note, self.describe_delay()]))
            status = Status(
                frame, self.find_shown_column(frame), self.runner.speed, self.runner.is_finished, note,
                is_error=self.error is not None, caption=self.caption, num_frames=self.num_frames,
            )  # fmt: skip
            self.screen.write_words(status.write_html(), status.write_plain())
            is_running = self.runner.is_running
            if (
                not is_running
                or note != self.last_note
                or time.monotonic() - self.news_time > NEWS_SECONDS
            ):
                self.last_note = note
                self.news_time = time.monotonic()
                self.screen.write_news(status.write_news(), self.picture.words)
        if not is_running:
            self.screen.save_outputs_soon()

    def find_shown_column(self, frame: Frame) -> Column:
        """Return the column whose curve is shown, or the first column if no curve is shown."""
        curves = [strip for strip in self.picture.strips if strip.name == "convergence"]
        shown = next((name for strip in curves for name in strip.numbers), None)
        return next((each for each in frame.columns if each.name == shown), frame.columns[0])

    @property
    def caption(self) -> str:
        """How to read the picture: the given caption with the first settings, and otherwise those of the views."""
        given = self.given_caption if self.config == self.defaults_config else None
        return given or " ".join(view.caption for view in self.views)

    def list_choices(self, frame: Frame) -> Mapping[str, Mapping[str, Any]]:
        """Return the choices that the views offer, by the label of each menu."""
        return {view.choice_label: view.list_choices(frame) for view in self.views}

    def close(self) -> None:
        """Stop the run and remove the controls. The picture, the run and its history stay."""
        self.runner.cancel_step()
        self.runner.pause()
        self.controls.close()
        self.screen.close()
        leave_place(self)

    def __repr__(self) -> str:
        at = f"t = {self.run.iteration:,} of {self.config.iterations:,}"
        return f"<bench of {self.experiment.title} at {at}>"
