"""The bench: an experiment with its settings beside it, run, watched, paused and compared by hand."""

import threading
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.runs import Run
from pokerlab.workbench.live.controls import Controls
from pokerlab.workbench.live.panel import Panel, differences
from pokerlab.workbench.live.runner import Runner
from pokerlab.workbench.live.screen import Screen, Status, leave_place
from pokerlab.workbench.live.view import (
    WIDTH,
    Declaration,
    Frame,
    Ghost,
    LivePicture,
    Shot,
    look_at,
)
from pokerlab.workbench.pictures.kept_figures import keep, save_run
from pokerlab.workbench.style import PIXELS_PER_INCH, picture

LONGEST_LABEL = 44
"""Letters that a legend has room for."""
LONG = 1.0
"""Seconds without a picture that ask for a word."""
SLOW = (
    "This iteration is taking a while. The picture changes, and Pause takes effect, when it ends."
)


def shows_errors(method: Callable[["Bench"], None]) -> Callable[["Bench"], None]:
    """Let an error in a widget's callback appear in the status line; elsewhere it would be lost."""

    def guarded(bench: "Bench", /) -> None:
        try:
            method(bench)
        except Exception as error:
            bench.refuse(error)

    guarded.__doc__ = method.__doc__
    return guarded


class Bench:
    """An experiment under the user's control; made by `bench`.

    `run` is on show, to go on with `run.history` in code; `config` has its settings, `error` says why it cannot
    run. `painted` is what the picture shows, by view: `painted.iteration`, `painted['convergence'][column]`,
    `painted['mixes']['player 1']`, `painted['strategy'][profile]`, `painted['genome']['best']`.
    """

    def __init__(
        self,
        declaration: Declaration,
        config: Any,
        *,
        first: int = 0,
        caption: str | None = None,
        screen: Screen | None = None,
        knobs: Collection[str] = (),
    ) -> None:
        self.declaration, self.experiment = declaration, declaration.experiment
        self.config, self.defaults_config = config, config
        self.run: Run = self.experiment.run(config, keep=self.declaration.keep)
        self.published = self.experiment.published(config)
        self.before: tuple[Any, Any] | None = None
        self.error: Exception | None = None
        self.note = ""
        self.frames = 0
        self.painting = threading.Lock()
        self.picture: LivePicture | None = None
        self.screen = Screen("png", beside=True) if screen is None else screen
        self.given_caption = caption
        self.views = declaration.views(config)
        paper = self.experiment.paper or {"the scale 'paper'": self.experiment.scales["paper"]}
        self.panel = Panel(config, paper, self.settings_changed)
        actions: dict[str, Any] = {
            "run": self.toggle, "step": self.step, "reset": self.reset, "paper": self.to_paper,
            "defaults": self.to_defaults, "save": self.save_pressed, "speed": self.speed_changed,
        }  # fmt: skip
        self.controls = Controls(
            self.experiment.title, self.panel, actions, self.offers(self.look()), self.choice_made,
            knobs, speed=declaration.speed,
        )  # fmt: skip
        self.runner = self.new_runner()
        self.runner.to(min(first, config.iterations))
        self.painted: Shot
        self.refresh()

    @property
    def state(self) -> Any:
        """The solver's present state."""
        return self.run.state

    @property
    def running(self) -> bool:
        """Whether the run is under way."""
        return self.runner.running

    def start(self) -> None:
        """Run until the end or a pause, in the background."""
        if self.error is None:
            self.note = ""
            self.runner.start()
            self.show_state()
            waiting = threading.Timer(LONG, self.explain_delay, [self.frames])
            waiting.daemon = True
            waiting.start()

    def pause(self) -> None:
        """Pause; what is done is kept."""
        self.runner.ask_to_pause()
        self.show_state()
        if not self.runner.pause():
            self.explain_delay(self.frames)
        self.show_state()

    def explain_delay(self, frames: int) -> None:
        """Say why there is no picture, if there has been none since `frames` of them."""
        with self.painting:
            late = self.running and self.frames == frames and not self.note
            self.note = SLOW if late else self.note
        if late:
            self.say()

    @shows_errors
    def toggle(self) -> None:
        """Run, or pause."""
        if self.running:
            self.pause()
        else:
            self.start()

    @shows_errors
    def step(self) -> None:
        """Do one iteration, while paused."""
        if not self.running and self.error is None:
            self.runner.step()
            self.note = ""
            self.refresh()

    @shows_errors
    def reset(self) -> None:
        """Begin again with the same settings; the curve so far stays as a faint ghost."""
        self.begin(self.config, "Reset to t = 0; the faint curve is the run before.")

    def to_paper(self, name: str) -> None:
        """Take the settings of one of the paper's experiments."""
        self.panel.fill(self.panel.paper[name])

    @shows_errors
    def to_defaults(self) -> None:
        """Go back to the settings that the bench was made with."""
        if self.error is None and self.config == self.defaults_config:
            self.note = "These are the settings that the bench was made with."
            self.say()
        self.panel.fill(self.defaults_config)
        self.controls.choose_defaults()

    def set(self, **settings: Any) -> None:
        """Change settings by name, as the panel would; the run begins again."""
        for name in settings:
            UnknownNameError.check("setting", name, self.panel.rows)
        config = type(self.config)(**{**vars(self.config), **settings})
        self.panel.fill(config)
        if self.error is not None:
            raise self.error

    def save(self, folder: str | Path | None = None) -> Path:
        """Write figure, history and config into a new folder; return its path."""
        title, history = self.experiment.title, self.run.history
        return save_run(folder, title, self.config, history, self.png())

    def png(self) -> bytes:
        """Return the picture as it is now."""
        self.refresh()
        with self.painting:
            assert self.picture is not None
            return self.picture.compressed()

    def keep_figure(self, name: str) -> None:
        """Keep the picture as it is now under a name, as `show` does with a figure."""
        png = self.png()
        metrics = dict(zip(self.run.names, self.run.rows[-1], strict=True))
        with self.painting:
            assert self.picture is not None
            with self.picture.at_rest() as figure:
                keep(figure, png, name, self.caption, {"config": vars(self.config)}, metrics)

    @shows_errors
    def save_pressed(self) -> None:
        """Save into a folder that does not exist yet, and say where it is."""
        self.note = f"Saved to {(Path.cwd().name / self.save()).as_posix()}/."
        self.say()

    @shows_errors
    def speed_changed(self) -> None:
        """Pace the run as the slider says."""
        self.runner.pace = self.controls.speed.value

    @shows_errors
    def choice_made(self) -> None:
        """Show what was chosen; a running bench does so with its next picture."""
        self.picture = None
        if not self.running:
            self.refresh()

    def settings_changed(self) -> None:
        """Begin again with the panel's settings, or say what is wrong with them."""
        try:
            config = self.panel.config()
            if config != self.config:
                moved = "".join(f" ({words})" for words in self.panel.moved)
                self.begin(config, f"{differences(self.config, config)}{moved}: reset to t = 0.")
            elif self.error is not None:
                self.error, self.note = None, ""
                self.show_state()
                self.say()
        except Exception as error:
            self.refuse(error)

    def begin(self, config: Any, note: str) -> None:
        """Replace the run by one of `config`; the present one becomes the ghost."""
        self.runner.pause()
        self.error, self.note = None, "One moment: the new run is being prepared."
        self.show_state()
        self.say()
        run = self.experiment.run(config, keep=self.declaration.keep)
        if self.run.iteration > 0:
            self.before = (self.config, self.run.history)
        with self.painting:
            self.run, self.config, self.picture = run, config, None
            self.published = self.experiment.published(config)
            self.views = self.declaration.views(config)
            frame = self.look()
        self.error, self.note = None, note
        self.runner = self.new_runner()
        self.controls.offer(self.offers(frame))
        self.refresh()

    def refuse(self, error: Exception) -> None:
        """Show what went wrong; the run on show stays."""
        self.runner.pause()
        self.error = error
        self.note = str(error) if isinstance(error, PokerlabError) else repr(error)
        self.show_state()
        self.say()

    def new_runner(self) -> Runner:
        """Return a runner of the present run at the slider's speed."""
        then = {
            "on_frame": partial(self.refresh, self.run),
            "on_stop": partial(self.on_stop, self.run),
        }
        runner = Runner(self.run, self.config.iterations, **then)
        runner.pace = self.controls.speed.value
        return runner

    def on_stop(self, run: Run, error: Exception | None) -> None:
        """Show where the thread of `run` has ended, or why, if `run` is still on show."""
        if error is None:
            self.refresh(run)
        elif run is self.run:
            self.refuse(error)

    def look(self) -> Frame:
        """Return what there is to see now."""
        ghost = None
        if self.before is not None:
            config, history = self.before
            words = differences(self.config, config) or "same settings"
            words = words if len(words) <= LONGEST_LABEL else "other settings"
            ghost = Ghost(f"before ({words})", history)
        return look_at(self.run, self.config.iterations, self.published, ghost)

    def refresh(self, run: Run | None = None) -> None:
        """Paint the live state and show it; nothing, if `run` is one that has been replaced while a step took long."""
        with self.painting:
            if run is not None and run is not self.run:
                return
            frame = self.look()
            if self.picture is None:
                chosen = {v.name: self.controls.choices[v.choice].value for v in self.views}
                self.picture = LivePicture(self.views, frame, chosen)
            self.painted = self.picture.paint(frame)
            self.frames += 1
            self.note = "" if self.note == SLOW else self.note
            still = picture(self.painted.png, self.picture.figure, self.caption)
            self.screen.show(self.painted.png, PIXELS_PER_INCH * WIDTH, still)
        self.show_state()
        self.say(frame)

    def show_state(self) -> None:
        """Show in the panel what can be done, or what is wrong."""
        self.controls.show_state(
            running=self.running,
            pausing=self.runner.pausing,
            can_run=self.error is None and not self.runner.finished,
            wrong="" if self.error is None else self.note,
        )

    def say(self, frame: Frame | None = None) -> None:
        """Write the words below the picture."""
        frame = self.look() if frame is None else frame
        curve = next(iter(self.painted.numbers.get("convergence", ())), None)
        column = next((c for c in frame.columns if c.name == curve), frame.columns[0])
        status = Status(
            frame, column, self.runner.speed, self.runner.finished, self.note,
            is_error=self.error is not None, caption=self.caption, painted=self.frames,
        )  # fmt: skip
        self.screen.say(status.html(), status.plain())
        if not self.runner.running:
            self.screen.keep()

    @property
    def caption(self) -> str:
        """What to see in the picture."""
        return self.given_caption or " ".join(view.caption for view in self.views)

    def offers(self, frame: Frame) -> Mapping[str, Mapping[str, Any]]:
        """Return what the views let the user choose."""
        return {view.choice: view.choices(frame) for view in self.views}

    def close(self) -> None:
        """Stop the thread and take the controls away; picture, run and history stay."""
        self.runner.pause()
        self.controls.close()
        self.screen.close()
        leave_place(self)

    def __repr__(self) -> str:
        at = f"t = {self.run.iteration:,} of {self.config.iterations:,}"
        return f"<bench of {self.experiment.title} at {at}>"
