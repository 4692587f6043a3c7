"""A figure of several views that is painted many times a second: only what moves is drawn again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pokerlab.workbench.live.view import Frame, Painted, View
from pokerlab.workbench.style import (
    COMPRESSION,
    DENSITY,
    LIVE_COMPRESSION,
    PAPER,
    PIXELS_PER_INCH,
    encode,
)

WIDTH = 7.6
"""Inches of the bench's picture."""


@dataclass(frozen=True)
class Shot:
    """What one painting shows."""

    iteration: int  # the iteration of the state that was painted
    # by view, what the artists hold: for 'convergence' by column an array (2, recordings) of
    # iterations and values; for 'strategy' by profile an array (rows, columns)
    numbers: Mapping[str, Painted]
    png: bytes

    def __getitem__(self, view: str) -> Painted:
        return self.numbers[view]


class LivePicture:
    """The views of one run, one above the other."""

    def __init__(self, views: Sequence[View], frame: Frame, chosen: Mapping[str, Any]) -> None:
        self.views = tuple(views)
        heights = [view.height for view in views]
        self.figure = Figure(
            figsize=(WIDTH, sum(heights)),
            dpi=PIXELS_PER_INCH * DENSITY,
            facecolor=PAPER,
        )
        self.canvas = FigureCanvasAgg(self.figure)
        parts = self.figure.subfigures(len(self.views), 1, height_ratios=heights, squeeze=False)
        self.moving: list[Artist] = [
            artist
            for view, part in zip(self.views, parts[:, 0], strict=True)
            for artist in view.lay_out(part, frame, chosen[view.name])
        ]
        for artist in self.moving:
            artist.set_animated(True)
        self.still: Any = None

    def paint(self, frame: Frame) -> Shot:
        """Paint `frame`; what stands still is drawn again only where an axis had to grow."""
        painted = {view.name: view.paint(frame) for view in self.views}
        if self.still is None or any(moved for _, moved in painted.values()):
            self.canvas.draw()  # type: ignore[no-untyped-call]
            self.still = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]
        else:
            self.canvas.restore_region(self.still)  # type: ignore[no-untyped-call]
        renderer = self.canvas.get_renderer()  # type: ignore[no-untyped-call]
        for artist in self.moving:
            artist.draw(renderer)
        numbers = {name: shown for name, (shown, _) in painted.items()}
        return Shot(frame.iteration, numbers, encode(self.canvas, LIVE_COMPRESSION))

    @contextmanager
    def at_rest(self) -> Iterator[Figure]:
        """Lend the figure as one whole, in which what moves is drawn like the rest."""
        for artist in self.moving:
            artist.set_animated(False)
        try:
            yield self.figure
        finally:
            for artist in self.moving:
                artist.set_animated(True)

    def compressed(self) -> bytes:
        """Return the last painting as a smaller file, to be kept."""
        return encode(self.canvas, COMPRESSION)
