"""What the workbench's tests share: an experiment small enough to run while one waits."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from pokerlab.papers.experiment import Experiment
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.benches import find_declaration
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.picture_screen import PictureScreen
from pokerlab.workbench.live.runner import Pace
from pokerlab.workbench.live.take_home import File
from pokerlab.workbench.live.view import Declaration
from pokerlab.workbench.picture import Picture


@pytest.fixture
def config() -> Config:
    """Return a run of Kuhn poker that lasts some seconds at full speed."""
    return Config(iterations=10_000_000, seed=1)


Maker = Callable[..., Bench]


@pytest.fixture
def make() -> Iterator[Maker]:
    """Return what makes benches at full speed that nobody sees; they are closed after the test."""
    made: list[Bench] = []

    def maker(declared: Experiment | Declaration, config: Any = None, **how: Any) -> Bench:
        known = isinstance(declared, Declaration)
        declaration = declared if known else find_declaration(declared)
        config = declaration.experiment.scales["quick"] if config is None else config
        made.append(Bench(declaration, config, screen=Notebook(), **how))
        made[-1].controls.speed_slider.value = Pace(math.inf)
        return made[-1]

    yield maker
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make: Maker, config: Config) -> Bench:
    """Return a bench of replicator dynamics."""
    return make(replicator, config)


class Notebook(PictureScreen):
    """A screen that keeps what it was last shown."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []
        self.html, self.plain = "", ""
        self.told: list[tuple[str, str]] = []
        self.files: list[File] = []

    def set_request_handler(self, handle_request: Callable[[dict[str, Any]], None]) -> None:
        """Hear nothing."""

    def set_looks(self, looks: Looks) -> None:
        """Keep the pictures of the run before, too."""

    def show_picture(
        self, picture: Picture, pins: Sequence[tuple[str, str]] = (), address: str = ""
    ) -> None:
        """Keep the picture."""
        self.pictures.append(picture)

    def send_file(self, file: File) -> None:
        """Keep the file."""
        self.files.append(file)

    def write_words(self, html: str, text: str) -> None:
        """Keep the words."""
        self.html, self.plain = html, text

    def write_news(self, news: str, picture_words: str) -> None:
        """Keep what a screen reader is told."""
        self.told.append((news, picture_words))

    def save_outputs_soon(self) -> None:
        """Keep nothing else."""

    def close(self) -> None:
        """Show nothing any more."""
