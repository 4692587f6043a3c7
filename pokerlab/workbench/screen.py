"""Where the bench's picture and status line appear, and are replaced many times a second.

They are ordinary outputs that are updated by their display id: these keep their content in the
saved notebook, on reopening and in exports, where a widget would be empty. Voila does not update
such outputs; there a screen of widgets serves.
"""

from typing import Any, Protocol

import ipywidgets as widgets
from IPython.core.getipython import get_ipython
from IPython.display import display
from matplotlib.figure import Figure

from pokerlab.workbench.style import picture

WITHOUT_KERNEL = "The controls of the bench appear here when the cell is run."


class Screen(Protocol):
    """What shows the latest picture and the latest words."""

    def open(self, panel: Any) -> None:
        """Display the panel, the picture and the words, in this order."""

    def show(self, png: bytes, figure: Figure, caption: str) -> None:
        """Replace the picture."""

    def say(self, html: str, plain: str) -> None:
        """Replace the words below the picture."""


class OutputScreen:
    """Outputs of the cell, updated by their display id."""

    def __init__(self) -> None:
        self.content: dict[str, Any] = {"picture": None, "words": {"text/plain": ""}}
        self.handles: dict[str, Any] = {}

    def open(self, panel: Any) -> None:
        """Display the panel and then the outputs; do nothing outside a notebook."""
        if get_ipython() is None:
            return
        bundle = {**panel._repr_mimebundle_(), "text/plain": WITHOUT_KERNEL}
        display(bundle, raw=True)  # type: ignore[no-untyped-call]
        self.handles = {
            "picture": display(self.content["picture"], display_id=True),  # type: ignore[no-untyped-call]
            "words": display(self.content["words"], raw=True, display_id=True),  # type: ignore[no-untyped-call]
        }

    def show(self, png: bytes, figure: Figure, caption: str) -> None:
        """Replace the picture."""
        self.content["picture"] = picture(png, figure, caption)
        if handle := self.handles.get("picture"):
            handle.update(self.content["picture"])

    def say(self, html: str, plain: str) -> None:
        """Replace the words below the picture."""
        self.content["words"] = {"text/html": html, "text/plain": plain}
        if handle := self.handles.get("words"):
            handle.update(self.content["words"], raw=True)


class WidgetScreen:
    """Widgets, for places such as Voila where outputs stand still."""

    def __init__(self) -> None:
        self.picture = widgets.Image(format="png", layout=widgets.Layout(max_width="100%"))
        self.words = widgets.HTML()

    def open(self, panel: Any) -> None:
        """Display the panel beside the picture and the words."""
        right = widgets.VBox([self.picture, self.words])
        display(widgets.HBox([panel, right]))  # type: ignore[no-untyped-call]

    def show(self, png: bytes, figure: Figure, caption: str) -> None:
        """Replace the picture."""
        self.picture.value = png

    def say(self, html: str, plain: str) -> None:
        """Replace the words below the picture."""
        self.words.value = html
