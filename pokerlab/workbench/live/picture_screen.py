"""A screen for pictures as data, of a run or an explorer: the page paints them, and the saved notebook gets a PNG."""

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
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.picture import Picture
from pokerlab.workbench.style import COMPRESSION, convert_to_png, make_display_data


class PictureScreen(Screen):
    """Controls, a picture that the page paints, and words in the cell's output.

    To paint the picture for the saved notebook takes a hundred times as long as a live one, seconds with pinned runs.
    So it is done less often, and in the background: when the present cell ends, or a moment after the first change.

    Parameters
    ----------
    has_controls_beside : bool
        Whether the controls are beside the picture, where there is room.
    is_run : bool
        Whether the picture is that of a run, which can be played again and pinned.
    """

    still_seconds = 15.0
    soon_seconds = 1.0

    def __init__(self, *, has_controls_beside: bool = True, is_run: bool = True) -> None:
        super().__init__("png", has_controls_beside=has_controls_beside)
        self.image.is_run = is_run
        if (
            not is_run
        ):  # a run updates the saved picture when it pauses; other pictures do so at each change
            self.still_seconds = 0.0
        self.looks = Looks()
        self.timer: threading.Timer | None = None

    def open(self, controls: Any) -> None:
        """Display the controls with the live picture, and below it the outputs for the saved notebook."""
        super().open(controls)
        events = getattr(get_ipython(), "events", None)
        if events is not None and save_waiting_screens not in events.callbacks["post_run_cell"]:
            events.register("post_run_cell", save_waiting_screens)

    def save_outputs_soon(self) -> None:
        """Update the outputs for the saved notebook when the present cell ends, or after a moment."""
        if not self.display_handles or not self.is_page_saved:
            return
        if not can_start_threads():
            self.save_outputs()
        elif self.timer is None:
            SCREENS_TO_SAVE.add(self)
            self.timer = threading.Timer(self.soon_seconds, self.save_outputs)
            self.timer.daemon = True
            self.timer.start()

    def save_outputs(self) -> None:
        """Update the outputs for the saved notebook now, instead of later."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        super().save_outputs()

    def make_image(self, kind: str) -> Any:
        """Return the widget that shows the picture."""
        return PictureWidget(layout={"width": "100%", "margin": "0"})

    def list_pictures(self) -> list[Any]:
        """Return the widget of the picture. The page adds the button that makes it fill the window."""
        return [self.image]

    def set_request_handler(self, handle_request: Callable[[dict[str, Any]], None]) -> None:
        """Let a function handle the requests of the page, except those for looks and films, which the screen handles.

        Parameters
        ----------
        handle_request : callable
            A function of a request, such as {'save': 'columns'}.
        """
        frames: list[bytes] = []

        def receive_message(widget: Any, request: dict[str, Any], buffers: Any) -> None:
            """Handle a message of the page, which is a request or says what has arrived."""
            if "looks" in request:
                looks, arrays = self.looks.flatten_pictures()
                self.image.send({"looks": looks}, arrays)
            elif "arrived" in request:
                self.image.note_arrival(request["arrived"])
            elif "frame" in request:
                if request["frame"] == 0:
                    frames.clear()
                frames.extend(bytes(buffer) for buffer in buffers)
                if len(frames) == request["of"]:
                    self.send_file(File("run.gif", "image/gif", join_frames(frames)))
            else:
                handle_request(request)

        self.image.on_msg(receive_message)

    def set_looks(self, looks: Looks) -> None:
        """Replace the looks at the old run by `looks`, the stored ones at the new run."""
        self.looks = looks

    def show_picture(
        self, picture: Picture, pins: Sequence[tuple[str, str]] = (), address: str = ""
    ) -> None:
        """Replace the picture.

        Parameters
        ----------
        picture : Picture
            The new picture.
        pins : sequence of (str, str)
            The names and colors of the runs that are pinned.
        address : str
            The settings, as the end of the address of a page that has nothing but this bench.
        """
        encoded_picture = encode_picture(picture)
        self.looks.add_picture(picture.iteration, encoded_picture)
        message = encoded_picture | {
            "looks": len(self.looks),
            "pins": [*map(list, pins)],
            "address": address,
        }
        self.image.offer(message)
        self.replace_output("picture", partial(paint_still, picture))

    def send_file(self, file: File) -> None:
        """Make the page download a file. It also copies code to the clipboard."""
        self.image.send({"file": {"name": file.name, "kind": file.mime_type}}, [file.content])


SCREENS_TO_SAVE: WeakSet[PictureScreen] = WeakSet()
"""The screens whose outputs for the saved notebook are to be updated."""


def save_waiting_screens(result: Any) -> None:
    """Update the outputs for the saved notebook at the end of a cell, since no later change may follow."""
    while SCREENS_TO_SAVE:
        SCREENS_TO_SAVE.pop().save_outputs()


def paint_still(picture: Picture) -> Bundle:
    """Return the output of a picture for the saved notebook: a PNG, and the picture in words."""
    figure = paint_picture(picture)
    return make_display_data(convert_to_png(figure, compression=COMPRESSION), figure, picture.words)
