"""What the workbench's tests share: an experiment small enough to run while one waits."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pokerlab.papers.experiment import Experiment
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.benches import declaration_of
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.runner import Pace
from pokerlab.workbench.live.screen import Screen
from pokerlab.workbench.live.view import Declaration


@pytest.fixture
def config() -> Config:
    """Return a run of Kuhn poker that lasts some seconds at full speed."""
    return Config(iterations=10_000_000, seed=1)


@pytest.fixture
def without_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave pictures white, for tests of the numbers and words that a bench shows.

    Whether everything can be drawn is tested by `test_every_choice`, `test_contest_bench` and `test_bench_appearance`.
    """
    monkeypatch.setattr(Figure, "draw_without_rendering", lambda figure: None)
    monkeypatch.setattr(FigureCanvasAgg, "draw", FigureCanvasAgg.get_renderer)


Maker = Callable[..., Bench]


@pytest.fixture
def make() -> Iterator[Maker]:
    """Return what makes benches at full speed that nobody sees; they are closed after the test."""
    made: list[Bench] = []

    def maker(declared: Experiment | Declaration, config: Any = None, **how: Any) -> Bench:
        known = isinstance(declared, Declaration)
        declaration = declared if known else declaration_of(declared)
        config = declaration.experiment.scales["quick"] if config is None else config
        made.append(Bench(declaration, config, screen=Notebook(), **how))
        made[-1].controls.speed.value = Pace(math.inf)
        return made[-1]

    yield maker
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make: Maker, config: Config) -> Bench:
    """Return a bench of replicator dynamics."""
    return make(replicator, config)


class Notebook(Screen):
    """A screen that keeps what it was last shown."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []
        self.html, self.plain = "", ""
        self.told: list[tuple[str, str]] = []

    def show(self, picture: bytes, width: float, still: Any) -> None:
        """Keep the picture."""
        self.pictures.append(picture)

    def say(self, html: str, plain: str) -> None:
        """Keep the words."""
        self.html, self.plain = html, plain

    def tell(self, news: str, picture: str) -> None:
        """Keep what a screen reader is told."""
        self.told.append((news, picture))

    def keep(self) -> None:
        """Keep nothing else."""

    def close(self) -> None:
        """Show nothing any more."""
