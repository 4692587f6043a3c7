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

Bundle = tuple[dict[str, str], dict[str, Any]]
"""What to display, by kind, and its metadata."""


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
        self.picture: Bundle = ({}, {})
        self.words: Bundle = ({}, {})
        self.handles: dict[str, Any] = {}

    def open(self, panel: Any) -> None:
        """Display the panel and then the outputs; do nothing outside a notebook."""
        if get_ipython() is None:
            return
        display({**panel._repr_mimebundle_(), "text/plain": WITHOUT_KERNEL}, raw=True)  # type: ignore[no-untyped-call]
        for name in ("picture", "words"):
            data, metadata = getattr(self, name)
            self.handles[name] = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def show(self, png: bytes, figure: Figure, caption: str) -> None:
        """Replace the picture."""
        self.picture = picture(png, figure, caption)
        self.update("picture", self.picture)

    def say(self, html: str, plain: str) -> None:
        """Replace the words below the picture."""
        self.words = ({"text/html": html, "text/plain": plain}, {})
        self.update("words", self.words)

    def update(self, name: str, bundle: Bundle) -> None:
        """Replace an output, once it is displayed."""
        if name in self.handles:
            self.handles[name].update(bundle[0], metadata=bundle[1], raw=True)


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
