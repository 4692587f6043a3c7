"""A screen for pictures as data: the page paints them while a run goes on, and the saved notebook keeps a PNG."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pokerlab.workbench.browser_painter import PictureWidget, encode_picture
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.screen import Bundle, Screen
from pokerlab.workbench.live.take_home import File, join_frames
from pokerlab.workbench.matplotlib_painter import paint
from pokerlab.workbench.picture import Picture
from pokerlab.workbench.style import COMPRESSION, convert_to_png, make_display_data


class PictureScreen(Screen):
    """Controls, a picture that the page paints, and words in the cell's output.

    Painting the picture for the saved notebook takes a hundred times a live one, so that it is done less often.
    """

    still_seconds = 15.0

    def __init__(self) -> None:
        super().__init__("png", beside=True)
        self.looks = Looks()

    def make_image(self, kind: str) -> Any:
        """Return the widget that shows the picture."""
        return PictureWidget(layout={"width": "100%", "margin": "0"})

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


def paint_still(shown: Picture) -> Bundle:
    """Return what stays of a picture in the saved notebook: a PNG, and what it shows in words."""
    figure = paint(shown)
    return make_display_data(convert_to_png(figure, compression=COMPRESSION), figure, shown.words)
