"""Where a drawing that answers to controls appears: below them, as an ordinary output that is replaced."""

from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython
from IPython.display import display

from pokerlab.workbench.drawings.svg import Picture

WITHOUT_KERNEL = "Buttons and sliders appear here when the cell is run."
AFTER_RESTART = "After a kernel restart these controls are dead: run the cell again."


def with_note(*rows: ipywidgets.Widget) -> ipywidgets.VBox:
    """Return rows of controls, one below the other, and what to do when they no longer answer."""
    note = ipywidgets.HTML(f'<span style="color:#767676;font-size:11px">{AFTER_RESTART}</span>')
    return ipywidgets.VBox([*rows, note])


class PictureScreen:
    """Controls and a picture in the cell's output; nothing is displayed outside a notebook."""

    def __init__(self) -> None:
        self.handle: Any = None

    def open(self, controls: Any, picture: Picture) -> None:
        """Display the controls, words that stand for them in a saved notebook, and the picture."""
        if get_ipython() is not None:
            bundle = {**controls._repr_mimebundle_(), "text/plain": WITHOUT_KERNEL}
            display(bundle, raw=True)  # type: ignore[no-untyped-call]
            self.handle = display(picture, display_id=True)  # type: ignore[no-untyped-call]

    def show(self, picture: Picture) -> None:
        """Replace the picture."""
        if self.handle is not None:
            self.handle.update(picture)
