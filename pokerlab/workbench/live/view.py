"""What a part of the bench's picture is: axes laid out once, and painted again for each frame."""

from collections.abc import Mapping
from typing import Any, Protocol

from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Floats
from pokerlab.workbench.live.frame import Frame

Painted = Mapping[str, Floats]


class View(Protocol):
    """A part of the bench's picture.

    Attributes
    ----------
    name : str
        The view's key in `bench.painted`.
    height : float
        Inches it wants.
    caption : str
        What there is to see.
    choice : str
        What the panel calls the choice that the view offers.
    """

    name: str
    height: float
    caption: str
    choice: str

    def choices(self, frame: Frame) -> Mapping[str, Any]:
        """Return what can be chosen, by the words for it."""

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Any) -> list[Artist]:
        """Draw what stands still into `figure`; return what `paint` will change."""

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show `frame`; return the numbers shown, and whether what stands still had to change."""


def leave_margins(
    figure: SubFigure, height: float, *, left: float, right: float, top: float, bottom: float
) -> None:
    """Leave room around the axes, in inches; laying out anew for each picture would be slow."""
    width = figure.bbox.width / figure.dpi
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        top=1 - top / height,
        bottom=bottom / height,
        wspace=0.14,
    )
