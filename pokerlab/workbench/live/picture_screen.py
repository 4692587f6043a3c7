"""A screen for pictures as data: the page paints them, of a run or of a reading, and the saved notebook keeps a PNG."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from weakref import WeakSet

from IPython.core.getipython import get_ipython

from pokerlab.core.workers import can_start_threads
from pokerlab.workbench.browser_painter import PictureWidget, encode_picture
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.screen import Bundle, Screen
from pokerlab.workbench.live.take_home import File, join_frames
from pokerlab.workbench.matplotlib_painter import paint
from pokerlab.workbench.picture import Picture
from pokerlab.workbench.style import COMPRESSION, convert_to_png, make_display_data


class PictureScreen(Screen):
    """Controls, a picture that the page paints, and words in the cell's output.

    Painting the picture for the saved notebook takes a hundred times a live one, seconds with pinned runs. So it is
    done less often, and in the background: when the present cell ends, or a moment after the first change.

    Parameters
    ----------
    beside : bool
        Whether the controls stand beside the picture, where there is room.
    is_run : bool
        Whether the picture is that of a run, which can be played again and pinned.
    """

    still_seconds = 15.0
    soon_seconds = 1.0

    def __init__(self, *, beside: bool = True, is_run: bool = True) -> None:
        super().__init__("png", beside=beside)
        self.image.is_run = is_run
        if not is_run:  # nothing else says when to update the saved picture
            self.still_seconds = 0.0
        self.looks = Looks()
        self.timer: threading.Timer | None = None

    def open(self, controls: Any) -> None:
        """Display the controls with the live picture, and then what stays of it."""
        super().open(controls)
        events = getattr(get_ipython(), "events", None)
        if events is not None and keep_waiting not in events.callbacks["post_run_cell"]:
            events.register("post_run_cell", keep_waiting)

    def keep_soon(self) -> None:
        """Update what the saved notebook shows when the present cell ends, or in a moment."""
        if not self.handles or not self.is_page_saved:
            return
        if not can_start_threads():
            self.keep()
        elif self.timer is None:
            WAITING.add(self)
            self.timer = threading.Timer(self.soon_seconds, self.keep)
            self.timer.daemon = True
            self.timer.start()

    def keep(self) -> None:
        """Update what the saved notebook shows."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        super().keep()

    def make_image(self, kind: str) -> Any:
        """Return the widget that shows the picture."""
        return PictureWidget(layout={"width": "100%", "margin": "0"})

    def list_pictures(self) -> list[Any]:
        """Return the picture, which has a button to fill the window among its own."""
        return [self.image]

    def listen(self, answer: Callable[[dict[str, Any]], None]) -> None:
        """Call `answer` with what the page asks for, such as {'save': 'columns'}; looks and films are sent at once."""
        frames: list[bytes] = []

        def receive(widget: Any, wish: dict[str, Any], buffers: Any) -> None:
            if "looks" in wish:
                looks, arrays = self.looks.flatten()
                self.image.send({"looks": looks}, arrays)
            elif "arrived" in wish:
                self.image.note_arrival(wish["arrived"])
            elif "frame" in wish:
                if wish["frame"] == 0:
                    frames.clear()
                frames.extend(bytes(each) for each in buffers)
                if len(frames) == wish["of"]:
                    self.send_file(File("run.gif", "image/gif", join_frames(frames)))
            else:
                answer(wish)

        self.image.on_msg(receive)

    def begin(self, looks: Looks) -> None:
        """Forget the looks at the run before; `looks` are those at the new one that have been kept."""
        self.looks = looks

    def show_picture(
        self, shown: Picture, pins: Sequence[tuple[str, str]] = (), address: str = ""
    ) -> None:
        """Replace the picture.

        Parameters
        ----------
        shown : Picture
            What there is to see now.
        pins : sequence of (str, str)
            The names and colors of the runs that are pinned.
        address : str
            The settings, as the end of the address of a page that has nothing but this bench.
        """
        encoded = encode_picture(shown)
        self.looks.add(shown.iteration, encoded)
        about = {"looks": len(self.looks), "pins": [*map(list, pins)], "address": address}
        self.image.offer(encoded | about)
        self.put("picture", partial(paint_still, shown))

    def send_file(self, file: File) -> None:
        """Let the page download a file; code is put on the clipboard, too."""
        self.image.send({"file": {"name": file.name, "kind": file.kind}}, [file.content])


WAITING: WeakSet[PictureScreen] = WeakSet()
"""Screens whose picture in the saved notebook is not the one on show."""


def keep_waiting(result: Any) -> None:
    """Update what the saved notebook shows, at the end of a cell: nothing may come after it."""
    while WAITING:
        WAITING.pop().keep()


def paint_still(shown: Picture) -> Bundle:
    """Return what stays of a picture in the saved notebook: a PNG, and what it shows in words."""
    figure = paint(shown)
    return make_display_data(convert_to_png(figure, compression=COMPRESSION), figure, shown.words)
