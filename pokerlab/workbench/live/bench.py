"""The bench: an experiment with its settings beside it, run, watched, paused and compared by hand.

Begin with `Bench`. Before it stand what is said below its picture (`Status`), and the times of iterations
(`StepTimes`), so that long ones are announced before and during a run.
"""

import math
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from pokerlab.core import PokerlabError, SettingError, UnknownNameError, list_settings
from pokerlab.core.settings import LARGEST_COUNT
from pokerlab.core.workers import Cancelled, can_start_threads
from pokerlab.games import Profile
from pokerlab.runs import Column, History, Run
from pokerlab.workbench.kept_figures import keep, save_run
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
from pokerlab.workbench.live.runner import PATIENCE, Runner
from pokerlab.workbench.live.screen import leave_place, make_alert
from pokerlab.workbench.live.take_home import make_file
from pokerlab.workbench.live.view import Declaration, Frame, Ghost, draw_picture, look_at
from pokerlab.workbench.matplotlib_painter import paint
from pokerlab.workbench.picture import Picture, Triangle
from pokerlab.workbench.style import COMPRESSION, GREEN, ORANGE, PURPLE, SKY, convert_to_png
from pokerlab.workbench.text import (
    capitalize,
    put_true_minus,
    remove_emphasis,
    render_emphasis,
)

ASIDE = ("seed", "iterations")  # settings on which no time depends
LONG = 1.0  # seconds of a step that ask for a word
ENOUGH, GROWTH = 0.2, 4
"""Seconds of a step that tell what larger ones take; and how much larger the next one is that is tried."""


def work_of(config: Any) -> tuple[tuple[Any, ...], float]:
    """Return what kind of work an iteration is, and how much of it: only of one kind can times be compared.

    Settings in proportion to which it takes make the amount; names, switches and other whole numbers the kind.
    """
    about = {name: each for name, each in list_settings(config).items() if each.has_effect(config)}
    values = {name: getattr(config, name) for name in about if name not in ASIDE}
    amount = math.prod(values.pop(name) for name, each in about.items() if each.costs)
    return tuple(each for each in values.items() if not isinstance(each[1], float)), amount


class StepTimes:
    """What iterations have taken, for each kind of work: seconds, and the amount that took so long."""

    def __init__(self) -> None:
        self.known: dict[Any, tuple[float, float]] = {}

    def learn(self, config: Any, seconds: float) -> None:
        """Note how long an iteration took."""
        kind, amount = work_of(config)
        self.known[kind] = seconds, amount

    def estimate_seconds(self, config: Any) -> float:
        """Return the seconds of an iteration; 0 as long as nothing like it has been run."""
        kind, amount = work_of(config)
        seconds, known = self.known.get(kind, (0.0, 1.0))
        return seconds * amount / known

    def measure(self, solver_of: Callable[[Any], Any], config: Any) -> None:
        """Time iterations that come to nothing, larger and larger ones, unless enough is known of their kind."""
        about = list_settings(config)
        sizes = [name for name, each in about.items() if each.costs and each.has_effect(config)]
        seconds, _ = self.known.get(work_of(config)[0], (0.0, 1.0))
        if not sizes or seconds > ENOUGH or 0.0 < self.estimate_seconds(config) < LONG:
            return
        tried, took = config, 0.0
        for name in sizes:
            with suppress(SettingError):
                tried = replace(tried, **{name: about[name].low})
        first = solver_of(tried)
        first.step(first.init())  # loads compiled code
        while took < ENOUGH:
            solver = solver_of(tried)
            state, begun = solver.init(), time.perf_counter()
            solver.step(state)
            took = time.perf_counter() - begun
            self.learn(tried, took)
            smaller = [name for name in sizes if getattr(tried, name) < getattr(config, name)]
            if not smaller:
                return
            size = min(GROWTH * getattr(tried, smaller[-1]), getattr(config, smaller[-1]))
            tried = replace(tried, **{smaller[-1]: size})


def find_unit(config: Any) -> str:
    """Return what an iteration is called: 'generation', 'round'."""
    return list_settings(config)["iterations"].label.lower().removesuffix("s")


def describe_step_time(config: Any, seconds: float) -> str:
    """Return words on what an iteration takes; none if that is not known, or if no setting's size decides it."""
    is_told = seconds > 0.0 and any(about.costs for about in list_settings(config).values())
    return f"Each {find_unit(config)} takes {format_duration(seconds)} here." * is_told


def on_delay(runner: Runner, config: Any, expected: float) -> str:
    """Return words on a step that takes long; none where it does not."""
    spent = runner.spent
    left = expected - runner.spent
    if not runner.running or max(spent, expected * runner.pausing) < LONG:
        return ""
    step = f"{find_unit(config)} {runner.run.iteration + 1:,}"
    if runner.pausing:
        when = f", in {format_duration(left)}" if left > 0 else ""
        return f"Pausing: after {step}{when}. Stop now drops what has been done of it."
    of = f" of {format_duration(expected)}" if left > 0 else ""
    return f"{capitalize(step)} has taken {format_duration(spent)}{of}; then the picture changes."


def format_duration(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> [format_duration(seconds) for seconds in (0.02, 0.32, 8.4, 75, 200, 9000)]
    ['less than 0.1 s', 'some 0.3 s', 'some 8 s', 'some 75 s', 'some 3 minutes', 'some 2.5 hours']
    """
    if seconds < 0.1:
        return "less than 0.1 s"
    if seconds < 100:
        return f"some {seconds:.1f} s" if seconds < 1 else f"some {seconds:.0f} s"
    return (
        f"some {seconds / 60:.0f} minutes" if seconds < 6000 else f"some {seconds / 3600:.1f} hours"
    )


STYLE = "font-size: 13px; line-height: 1.45; padding: 2px 4px; font-variant-numeric: tabular-nums;"
GAP = "&ensp;&middot;&ensp;"


@dataclass(frozen=True)
class Status:
    """What there is to say."""

    frame: Frame  # the run at this moment
    column: Column  # what is said of it
    speed: float  # iterations a second; 0 while paused
    finished: bool  # whether nothing is left to do
    note: str  # what has just happened, or what is wrong
    is_error: bool  # whether something is wrong
    caption: str  # what there is to see
    frames: int  # pictures that have been shown

    def list_facts(self) -> list[str]:
        """Return iteration, column, speed."""
        number = put_true_minus(f"{self.frame.read_curve(self.column)[1][-1]:,.4g}")
        value = f"{self.column.label} {number} {self.column.unit}".rstrip()
        if not self.frame.has_begun:
            value = "nothing has been played yet"
        facts = [f"t = {self.frame.iteration:,} of {self.frame.until:,}", value]
        if self.finished:
            facts.append("converged" if self.frame.iteration < self.frame.until else "finished")
        elif self.speed:
            facts.append(f"{shorten_number(self.speed)} iterations/s")
        return facts

    def write_html(self) -> str:
        """Return the words for a notebook."""
        facts = GAP.join(map(escape, self.list_facts()))
        done, until = self.frame.iteration, self.frame.until
        share = 1.0 if self.finished else done / until
        note = make_alert(f"⚠ {self.note}") if self.is_error else escape(self.note)
        return (
            f'<div class="pokerlab-status" data-frames="{self.frames}" style="{STYLE}">'
            f'<progress max="1" value="{share:.4f}" style="width: 90px; vertical-align: middle;">'
            f"</progress>&ensp;<b>{facts}</b><br>{f'{note}<br>' if self.note else ''}"
            f'<span style="opacity: 0.8;">What to see: {render_emphasis(self.caption)}</span></div>'
        )

    def write_news(self) -> str:
        """Return what a screen reader reads out."""
        return "\n".join(filter(None, [", ".join(self.list_facts()), self.note]))

    def write_plain(self) -> str:
        """Return the words where there is no HTML."""
        return f"{self.write_news()}\nWhat to see: {remove_emphasis(self.caption)}"


def describe(frame: Frame, caption: str) -> str:
    """Return what the picture shows, in words."""
    if not frame.has_begun:
        return f"{remove_emphasis(caption)} Nothing has been played yet."
    last = zip(frame.columns, frame.rows[-1, 1:].tolist(), strict=True)
    ends = ", ".join(
        f"{each.label} {0.0 if abs(value) < ROUNDING else value:,.4g} {each.unit}".rstrip()
        for each, value in last
    )
    return f"{remove_emphasis(caption)} At t = {frame.iteration:,}: {ends}."


ROUNDING = 1e-15  # smaller numbers in the words are errors of floating-point sums
KEEP_SECONDS = 10.0  # between two times that a run under way is written, if it is kept
STATUS_SECONDS = 0.1  # between two changes of the words below the picture while a run goes on
PIN_COLORS = (GREEN, PURPLE, ORANGE, SKY)
"""Of pinned runs, which are at most as many; blue and red are those of the run itself."""
LATE_SECONDS = 0.5
"""After *Run*, a setting that comes so soon was moved before: a page holds moves back while the kernel is busy."""
QUIET = 10.0  # seconds after which a screen reader hears of a run again
LONGEST_LABEL = 44  # letters that a legend has room for
PREPARED = "One moment: the new run is being prepared."
INTERRUPTED = "The kernel was interrupted. The run on show, and its settings, are those of before."


def identify_end(history: History) -> tuple[float, int]:
    """Return at which iteration a run has ended, and how often it was changed from outside."""
    return history["iteration"][-1], len(history.provenance.get("disturbances", ()))


def describe_kept(run: Run) -> str:
    """Return what to say of a run that was found in the folder of kept runs."""
    return f"The kept run goes on at t = {run.iteration:,}."


def describe_error(error: Exception) -> str:
    """Return what an error says, with its name where it is none of our own."""
    return str(error) if isinstance(error, PokerlabError) else repr(error)


def shows_errors(method: Callable[["Bench"], None]) -> Callable[["Bench"], None]:
    """Let an error in a widget's callback appear in the status line; elsewhere it would be lost."""

    def guarded(bench: "Bench", /) -> None:
        with bench.acting:
            try:
                method(bench)
            except Exception as error:
                bench.refuse(error)
            except KeyboardInterrupt:
                bench.go_back()
                raise

    guarded.__doc__ = method.__doc__
    return guarded


class Bench:
    """An experiment under the user's control; made by `bench`.

    `run` is on show, to go on with `run.history` in code; `config` has its settings, `error` says why it cannot
    run. `picture` is what it shows, as data: `picture.iteration`, and numbers by view, such as
    `picture['convergence'][column]`, `picture['mixes']['player 1']` and `picture['strategy'][profile]`.
    """

    def __init__(
        self,
        declaration: Declaration,
        config: Any,
        *,
        first: int = 0,
        caption: str | None = None,
        screen: PictureScreen | None = None,
        knobs: Collection[str] = (),
        kept_runs: KeptRuns | None = None,
    ) -> None:
        self.declaration = declaration
        self.experiment = declaration.experiment
        self.config, self.defaults_config = config, config
        self.kept_runs = kept_runs
        self.kept_at = time.monotonic()
        self.started_at = -math.inf
        self.kept_state: Any = None  # the state that was written last
        self.run: Run = self.open_run(config)
        self.published = self.experiment.select_published_numbers(config)
        self.before: tuple[Any, Any] | None = None
        self.error: Exception | None = None
        self.note = describe_kept(self.run) if self.run.iteration > 0 else ""
        self.times = StepTimes()
        self.cost = ""
        self.noted, self.told_at, self.said_at = "", 0.0, 0.0
        self.watcher: threading.Thread | None = None
        self.frames = 0
        self.painting = threading.Lock()  # held while the run on show is drawn, or replaced
        self.keeping = threading.Lock()
        # JupyterLab answers widgets in a thread beside that of the cells (a subshell), but the first ones in the cells'
        # own. So two things that a reader does could be done at once.
        self.acting = threading.RLock()
        # Three threads say how things stand: the kernel's, the run's and the watcher's. What one of them has read
        # must be on the page before the next one reads, or older words would replace newer ones for good.
        self.reporting = threading.RLock()
        self.picture = Picture(())
        self.pins: list[tuple[Any, Ghost]] = []
        self.screen = PictureScreen() if screen is None else screen
        self.screen.listen(self.answer)
        self.screen.begin(self.find_looks())
        self.first = min(first, config.iterations)
        self.given_caption = caption
        self.views = declaration.views(config)
        largest = [*self.experiment.scales][-1]  # 'paper', of an experiment that has all scales
        paper = self.experiment.paper or {f"the scale '{largest}'": self.experiment.scales[largest]}
        self.panel = Panel(config, paper, self.begin_with_settings)
        actions: dict[str, Any] = {
            "run": self.toggle, "step": self.start_step, "reset": self.reset, "paper": self.to_paper,
            "defaults": self.to_defaults, "speed": self.pace_run,
        }  # fmt: skip
        self.frame = self.look()
        self.disturb_fold = DisturbFold(self.disturb)
        self.disturb_fold.offer(declaration.offers(self.run.solver))
        self.controls = Controls(
            self.experiment.title, self.panel, actions, self.list_choices(self.frame), self.show_choice,
            knobs, speed=declaration.speed, disturb=self.disturb_fold,
        )  # fmt: skip
        self.runner = self.make_runner()
        self.runner.to(self.first)
        self.refresh()

    @property
    def state(self) -> Any:
        """The solver's present state."""
        return self.run.state

    @property
    def running(self) -> bool:
        """Whether the run is under way."""
        return self.runner.running

    def start(self, count: int | None = None) -> None:
        """Run by `count` iterations, until the end or a pause, in the background."""
        self.runner.wait_for_end()  # what it has to say of its end would else be said of the run that begins here
        if self.error is None:
            self.note = ""
            self.started_at = time.monotonic()
            self.runner.start(count)
            self.show_state()
            self.say()  # without the note of before, even while a first step takes long
            is_watched = self.watcher is not None and self.watcher.is_alive()
            if can_start_threads() and not is_watched:
                self.watcher = threading.Thread(target=self.watch, daemon=True)
                self.watcher.start()

    def watch(self) -> None:
        """Say each second of a long step that it goes on; a thread's body."""
        while self.running:
            time.sleep(LONG)
            if self.describe_delay():
                self.show_state()
                self.say()

    def pause(self) -> None:
        """Pause after the present step; if asked again, drop that step and pause at once."""
        if self.runner.pausing:
            self.runner.give_up()
        self.runner.ask_to_pause()
        self.show_state()
        self.say()
        self.runner.pause()
        self.show_state()

    @property
    def expected(self) -> float:
        """Seconds that an iteration will take here; 0 where that is not known."""
        return self.times.estimate_seconds(self.config)

    def describe_delay(self) -> str:
        """Return words on a step that takes long; none where it does not."""
        return on_delay(self.runner, self.config, self.expected)

    @shows_errors
    def toggle(self) -> None:
        """Run, or pause; a run that is finished goes on by as many iterations again."""
        if self.running:
            self.pause()
            return
        if self.runner.stays:
            self.explain_end()
            return
        if self.runner.finished:
            self.go_on()
        if not self.runner.finished:
            self.start()

    def go_on(self) -> None:
        """Let a finished run go on by as many iterations again, as far as the setting allows."""
        about = list_settings(self.config)["iterations"]
        most = LARGEST_COUNT if about.high is None else int(about.high)
        longer = min(2 * max(self.config.iterations, 1), most)
        if longer > self.config.iterations:
            self.panel.fill(replace(self.config, iterations=longer))
        else:
            self.note = f"The run has done {longer:,} iterations, the most that are allowed."
            self.say()

    def extend(self, config: Any) -> None:
        """Let the run end earlier or later; what has been done of it stays."""
        self.config = config
        self.runner.end_at(config.iterations)
        self.error = None
        self.note = f"The run ends at t = {config.iterations:,} now."
        self.refresh()

    def explain_end(self) -> None:
        """Say why a finished run does no further iteration."""
        self.note = (
            "The run has converged: further iterations change nothing."
            if self.runner.stays
            else "The run is finished. Run goes on by as many iterations again."
        )
        self.say()

    @shows_errors
    def start_step(self) -> None:
        """Do one iteration in the background."""
        if self.runner.finished:
            self.explain_end()
        else:
            self.start(1)

    @shows_errors
    def step(self) -> None:
        """Do one iteration at once, while paused."""
        if self.runner.finished:
            self.explain_end()
        elif not self.running and self.error is None:
            self.runner.to(min(self.run.iteration + 1, self.config.iterations))
            self.note = ""
            self.refresh()

    def disturb(self, change: Callable[[Any], Any], words: str) -> None:
        """Change the state from outside, as the *Disturb* controls do; a run that is under way goes on from there.

        Parameters
        ----------
        change : callable
            A function from a state to the changed state of the same iteration, such as
            `functools.partial(pokerlab.solvers.mix_in_profile, profile=mutants, share=0.1)`.
        words : str
            What is changed, such as '10% mutants'. The curves mark the moment with it.
        """
        self.runner.do_between_pieces(partial(self.apply, self.run, change, words))

    def start_at(self, mixture: Sequence[float]) -> None:
        """Begin again with a mixture of three actions, that of the player whose triangle is on show."""
        begin_at = self.declaration.begin_at
        if begin_at is None:
            raise SettingError("The start of this run cannot be chosen in its picture.")
        player = next(
            self.controls.choices[view.choice].value
            for view in self.views
            if any(
                isinstance(panel, Triangle) for panel in self.picture.find_strip(view.name).panels
            )
        )
        first = self.run.state if self.run.iteration == 0 else self.run.solver.init()
        change, words = begin_at(self.run.solver, first, player, mixture)
        self.begin(self.config, "", is_afresh=True)
        self.disturb(change, words)

    def apply(self, run: Run, change: Callable[[Any], Any], words: str) -> None:
        """Change the state of `run`, between two pieces of work, if it is still on show; say what has happened."""
        if run is not self.run:
            return
        try:
            run.disturb(change, words)
        except Exception as error:  # in a callback it would be lost
            self.note = describe_error(error)
        else:
            self.runner.stays = False
            self.note = f"Changed at t = {run.iteration:,}: {words}."
            if self.runner.finished:
                self.note += " The run is at its end: Run goes on by as many iterations again."
        self.refresh(run)

    @shows_errors
    def reset(self) -> None:
        """Begin again with the same settings; the curve so far stays as a faint ghost."""
        words = "Reset to t = 0; the faint curve is the run before."
        self.begin(self.config, words, is_afresh=True)

    def to_paper(self, name: str) -> None:
        """Take the settings of one of the paper's experiments."""
        self.panel.fill(self.panel.paper[name])

    @shows_errors
    def to_defaults(self) -> None:
        """Go back to the settings that the bench was made with."""
        self.panel.fill(self.defaults_config)
        self.controls.choose_defaults()
        if self.error is not None:
            return
        words = "These are the settings and the picture that the bench was made with."
        if self.run.iteration > self.first or self.running:
            self.begin(self.config, words, is_afresh=True)
        self.runner.to(self.first)
        self.note = words
        self.refresh()

    def set(self, **settings: Any) -> None:
        """Change settings by name, as the panel would; the run begins again."""
        for name in settings:
            UnknownNameError.check("setting", name, self.panel.rows)
        config = type(self.config)(**{**vars(self.config), **settings})
        self.started_at = -math.inf  # code is heard in its order
        self.panel.fill(config)
        if self.error is not None:
            raise self.error

    @property
    def address(self) -> str:
        """The settings that differ from those that the bench was made with, as the end of an address."""
        return write_address(self.config, self.defaults_config)

    def open_at(self, address: str) -> None:
        """Take the settings of an address such as 'game=KP(3)&payoff_shift=30'; say what is wrong with them."""
        try:
            defaults = {name: getattr(self.config, name) for name in list_settings(self.config)}
            self.set(**read_address(address, defaults))
            self.runner.to(min(self.first, self.config.iterations))
            self.refresh()
        except PokerlabError as error:
            self.refuse(error)

    def save(self, folder: str | Path | None = None) -> Path:
        """Write figure, history and config into a new folder, 'saved/...' if none is named; return its path.

        This is for code. The picture's menu *Save…* downloads them in the browser, and writes nothing here.
        """
        title, history = self.experiment.title, self.run.history
        return save_run(folder, title, self.config, history, self.png())

    def png(self) -> bytes:
        """Return the picture as it is now."""
        self.refresh()
        return convert_to_png(paint(self.picture), compression=COMPRESSION)

    def keep_figure(self, name: str) -> None:
        """Keep the picture as it is now under a name, as `show` does with a figure."""
        self.refresh()
        figure = paint(self.picture)
        png = convert_to_png(figure, compression=COMPRESSION)
        metrics = dict(zip(self.run.names, self.run.rows[-1], strict=True))
        keep(figure, png, name, self.caption, {"config": vars(self.config)}, metrics)

    @shows_errors
    def pace_run(self) -> None:
        """Pace the run as the slider says."""
        self.runner.pace = self.controls.speed.value

    @shows_errors
    def show_choice(self) -> None:
        """Show what was chosen; a running bench does so with its next picture."""
        if not self.running:
            self.refresh()

    def begin_with_settings(self) -> None:
        """Begin again with the panel's settings, or say what is wrong with them."""
        with self.acting:
            self.take_settings()

    def take_settings(self) -> None:
        """Do what `begin_with_settings` says, while nothing else is done."""
        try:
            config = self.panel.config()
            is_longer = replace(config, iterations=self.config.iterations) == self.config
            if config != self.config and is_longer and self.run.iteration <= config.iterations:
                self.extend(config)
            elif config != self.config:
                was_late = self.running and time.monotonic() - self.started_at < LATE_SECONDS
                moved = "".join(f" ({words})" for words in self.panel.moved)
                self.begin(
                    config, f"{describe_differences(self.config, config)}{moved}: reset to t = 0."
                )
                if was_late and self.error is None:
                    self.start()
            elif self.error is not None:
                self.error, self.note = None, ""
                self.show_state()
                self.say()
        except Exception as error:
            self.refuse(error)
        except KeyboardInterrupt:
            self.go_back()
            raise

    def go_back(self) -> None:
        """Keep the run on show, with its settings, where the stop button ended the preparation of another one."""
        self.error = None
        self.panel.fill(self.config)
        self.note = INTERRUPTED
        self.refresh()

    def open_run(self, config: Any) -> Run:
        """Return a run of these settings, which has not begun, or goes on if it was kept."""
        kept = self.kept_runs
        checkpoint = None if kept is None else kept.find_checkpoint(config)
        return self.experiment.run(config, keep=self.declaration.keep, checkpoint=checkpoint)

    def find_looks(self) -> Looks:
        """Return the looks at the present run from before the kernel began; none if it was not kept."""
        return (
            Looks() if self.kept_runs is None else self.kept_runs.load_looks(self.config, self.run)
        )

    def keep_run(self) -> None:
        """Write the run and its looks into the folder of kept runs, if there is one and the run has changed."""
        self.kept_at = time.monotonic()
        if self.kept_runs is None:
            return
        with self.keeping:
            with self.painting:
                config, run, looks = self.config, self.run, self.screen.looks
            state = run.state
            if state is self.kept_state:
                return
            try:
                self.kept_runs.save(config, run, looks)
                self.kept_state = state
            except PokerlabError as error:  # the disk is full, or another bench keeps the same run
                self.note = f"This run is not kept: {error}"

    def begin(self, config: Any, note: str, *, is_afresh: bool = False) -> None:
        """Replace the run by one of `config`, whose step is dropped; the present one becomes the ghost.

        A kept run of these settings goes on, unless `is_afresh`: then it is set aside.
        """
        self.runner.give_up()
        self.runner.pause()
        self.error, self.note = None, PREPARED
        self.show_state()
        self.say()
        self.keep_run()
        if self.kept_runs is not None and is_afresh:
            self.kept_runs.set_aside(config)
        elif self.kept_runs is not None and self.run.iteration == 0:
            self.kept_runs.forget(self.config)
        run = self.open_run(config)
        self.times.measure(self.experiment.make_solver, config)
        self.before = (self.config, self.run.history) if self.run.iteration > 0 else self.before
        with self.painting:
            self.run, self.config = run, config
            self.screen.begin(self.find_looks())
            self.published = self.experiment.select_published_numbers(config)
            self.views = self.declaration.views(config)
            self.runner = self.make_runner()
            frame = self.look()
        self.disturb_fold.offer(self.declaration.offers(run.solver))
        is_resumed = run.iteration > 0
        self.error = None
        self.note = describe_kept(run) if is_resumed else note
        if self.expected >= LONG:
            self.note += f" {describe_step_time(config, self.expected)}"
        self.controls.offer(self.list_choices(frame))
        self.refresh()

    def refuse(self, error: Exception) -> None:
        """Show what went wrong; the run on show stays."""
        self.runner.give_up()
        self.runner.pause()
        self.error = error
        self.note = describe_error(error)
        self.show_state()
        self.say()

    def make_runner(self) -> Runner:
        """Return a runner of the present run at the slider's speed."""
        on_frame, on_stop = partial(self.refresh, self.run), partial(self.on_stop, self.run)
        runner = Runner(self.run, self.config.iterations, on_frame=on_frame, on_stop=on_stop)
        runner.pace = self.controls.speed.value
        return runner

    def on_stop(self, run: Run, error: Exception | Cancelled | None) -> None:
        """Show where the thread of `run` has ended, or why, if `run` is still on show."""
        with (
            self.painting
        ):  # so that no other run takes its place between the question and the answer
            if run is not self.run:
                return
            if isinstance(error, Exception):
                self.error, self.note = error, describe_error(error)
            elif error is not None:
                step = f"{find_unit(self.config)} {run.iteration + 1:,}"
                self.note = f"Stopped in the middle of {step}, which begins again with Run."
        self.refresh(run)

    def look(self) -> Frame:
        """Return what there is to see now."""
        ghosts = []
        pinned = [(config, identify_end(pin.history)) for config, pin in self.pins]
        if self.before is not None and self.is_comparable(self.before[0]):
            config, history = self.before
            if (config, identify_end(history)) not in pinned:
                ghosts.append(Ghost(f"before ({self.compare(config, history)})", history))
        for config, pin in self.pins:
            if self.is_comparable(config):
                ghosts.append(replace(pin, label=self.compare(config, pin.history)))
        published = () if self.run.disturbances else self.published
        return look_at(self.run, self.config.iterations, published, tuple(ghosts))

    def draw(self, frame: Frame) -> Picture:
        """Return the picture of a frame, with what the reader has chosen to see."""
        chosen = {view.name: self.controls.choices[view.choice].value for view in self.views}
        return draw_picture(self.views, frame, chosen, describe(frame, self.caption))

    def is_comparable(self, config: Any) -> bool:
        """Return whether another run is of the same game."""
        return bool(vars(config).get("game") == vars(self.config).get("game"))

    def compare(self, config: Any, history: History) -> str:
        """Return what is different in another run: its settings, or that it was changed from outside."""
        words = describe_differences(self.config, config) or "same settings"
        words += ", disturbed" * bool(history.provenance.get("disturbances"))
        return words if len(words) <= LONGEST_LABEL else "other settings"

    def pin(self) -> None:
        """Keep this run as colored curves, and its heat maps, to compare others with."""
        if len(self.pins) == len(PIN_COLORS):
            raise SettingError(f"{len(self.pins)} runs are pinned, the most. Unpin one first.")
        used = {pin.color for _, pin in self.pins}
        color = next(color for color in PIN_COLORS if color not in used)
        alone = self.draw(replace(self.look(), ghosts=()))
        pin = Ghost("", self.run.history, color, alone.strips)
        self.pins.append((self.config, pin))
        self.note = "This run is pinned. Change a setting, and run."

    def unpin(self, index: int) -> None:
        """Let a pinned run go, by its index; nothing, if another tab of the page has let it go already."""
        del self.pins[index : index + 1]
        self.note = ""

    def find_profile(self) -> Profile | None:
        """Return the first profile on show that is of a compiled game.

        It is that of the first heat map that names one, or the state's own, as a triangle shows it.
        """
        shown = [key for strip in self.picture.strips for key in strip.numbers]
        names = filter(str.isidentifier, [*shown, "profile"])
        profiles = (getattr(self.state, name, None) for name in names)
        return next((each for each in profiles if isinstance(each, Profile)), None)

    def answer(self, wish: dict[str, Any]) -> None:
        """Do what the page asks for: {'pin': true}, {'unpin': 0} or {'save': 'columns'}."""
        try:
            if "pin" in wish:
                self.pin()
            elif "unpin" in wish:
                self.unpin(int(wish["unpin"]))
            elif "start" in wish:
                self.start_at([float(share) for share in wish["start"]])
            elif "save" in wish:
                file = make_file(
                    wish["save"],
                    self.experiment,
                    self.config,
                    self.run.history,
                    self.picture,
                    self.find_profile(),
                )
                self.screen.send_file(file)
                self.note = f"{file.name} is downloaded."
        except Exception as error:  # in a callback it would be lost
            self.note = describe_error(error)
        if not self.running:
            self.refresh()

    def refresh(self, run: Run | None = None) -> None:
        """Show the live state; nothing, if `run` is one that has been replaced while a step took long."""
        with self.painting:
            if run is not None and run is not self.run:
                return
            if self.runner.took is not None and self.run.iteration > 1:  # the first one loads code
                self.times.learn(self.config, self.runner.took)
            self.frame = frame = self.look()
            self.picture = self.draw(frame)
            self.frames += 1
            pins = [(self.compare(config, pin.history), pin.color) for config, pin in self.pins]
            self.screen.show_picture(self.picture, pins, self.address)
        now = time.monotonic()
        if not self.running or now - self.kept_at >= KEEP_SECONDS:
            self.keep_run()
        if not self.running or now - self.said_at >= STATUS_SECONDS:
            self.said_at = now
            self.show_state()
            self.say()

    def show_state(self) -> None:
        """Show in the panel what can be done, or what is wrong."""
        with self.reporting:
            if not self.running:
                self.cost = describe_step_time(self.config, self.expected)
            waiting = "Stop now" if self.runner.spent > PATIENCE else "Pausing…"
            self.controls.show_state(
                running=self.running,
                pausing=waiting if self.runner.pausing else "",
                can_run=self.error is None,
                wrong="" if self.error is None else self.note,
                cost=self.cost,
            )

    def say(self) -> None:
        """Write the words below the picture."""
        with self.reporting:
            frame = (
                self.frame
            )  # measuring a state may take long, so what is on show is not measured again
            if frame.state is not self.run.state or frame.until != self.config.iterations:
                frame = self.look()
            note = " ".join(filter(None, [self.note, self.describe_delay()]))
            status = Status(
                frame, self.find_shown_column(frame), self.runner.speed, self.runner.finished, note,
                is_error=self.error is not None, caption=self.caption, frames=self.frames,
            )  # fmt: skip
            self.screen.say(status.write_html(), status.write_plain())
            is_running = self.runner.running
            if not is_running or note != self.noted or time.monotonic() - self.told_at > QUIET:
                self.noted = note
                self.told_at = time.monotonic()
                self.screen.tell(status.write_news(), self.picture.words)
        if not is_running:
            self.screen.keep_soon()

    def find_shown_column(self, frame: Frame) -> Column:
        """Return the column whose curve is on show, or the first one where none is."""
        curves = [strip for strip in self.picture.strips if strip.name == "convergence"]
        shown = next((name for strip in curves for name in strip.numbers), None)
        return next((each for each in frame.columns if each.name == shown), frame.columns[0])

    @property
    def caption(self) -> str:
        """What to see in the picture."""
        given = self.given_caption if self.config == self.defaults_config else None
        return given or " ".join(view.caption for view in self.views)

    def list_choices(self, frame: Frame) -> Mapping[str, Mapping[str, Any]]:
        """Return what the views let the user choose."""
        return {view.choice: view.list_choices(frame) for view in self.views}

    def close(self) -> None:
        """Stop the thread and take the controls away; picture, run and history stay."""
        self.runner.give_up()
        self.runner.pause()
        self.controls.close()
        self.screen.close()
        leave_place(self)

    def __repr__(self) -> str:
        at = f"t = {self.run.iteration:,} of {self.config.iterations:,}"
        return f"<bench of {self.experiment.title} at {at}>"
