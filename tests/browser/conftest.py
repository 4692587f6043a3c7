"""A private JupyterLab on a copy of the notebooks, and a Chromium in front of it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import nbformat
import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import running_lab

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PAGE = {"width": 1280, "height": 800}
TINY = """
import pokerlab as pl
from pokerlab.papers.lanctot2014 import Config, replicator
bench = pl.workbench.bench(replicator, Config(game="KP(3)", iterations=10_000_000, seed=1))
"""
REFUSING = """
from dataclasses import replace
import pokerlab as pl
from pokerlab.papers.lanctot2014 import Config, replicator

def solver(config):
    if config.game != "KP(2)":
        raise pl.core.SettingError("not this game")
    return replicator.make_solver(config)

bench = pl.workbench.bench(replace(replicator, make_solver=solver), Config(seed=1), first=10)
"""
GENES = """
import pokerlab as pl
from pokerlab.papers.samothrakis2011 import Config, minimax_coevolution
config = Config(game="biased rock-paper-scissors", seed=1)
bench = pl.workbench.bench(minimax_coevolution, config, first=1)
"""
EQUITY = """
import pokerlab as pl
explorer = pl.workbench.equity_explorer("As Kd", "8d 7d", seed=1)
"""

NETWORK = """
import numpy as np
import pokerlab as pl
encoding = pl.holdem.TableNetwork()
genomes = encoding.draw_genomes(np.random.default_rng(1), 2)
explorer = pl.workbench.network_explorer({"one": genomes[0], "another": genomes[1]})
"""
TOURNAMENT = """
import numpy as np
import pokerlab as pl
encoding = pl.holdem.TableNetwork()
networks = encoding.make_players(encoding.draw_genomes(np.random.default_rng(3), 6))
table = pl.workbench.play_tournament([*networks, pl.holdem.RANDOM, pl.holdem.ALWAYS_FOLD], seed=1)
"""
TABLE = """
import pokerlab as pl
table = pl.workbench.play_kuhn("always bet", seed=1)
"""
KUHN = """
import pokerlab as pl
explorer = pl.workbench.kuhn_explorer("an equilibrium")
"""
POPULATION = """
import pokerlab as pl
explorer = pl.workbench.population_explorer("hawks and doves", seed=1)
"""
RULES = """
import pokerlab as pl
from pokerlab.papers import noble2001
evolution = noble2001.make_solver(noble2001.Config(size=8, seats=3, games=4, hands=5, seed=1))
explorer = pl.workbench.rule_explorer(evolution.step(evolution.init(), 2), seed=1)
"""
WATCH = """
import pokerlab as pl
schedule = pl.holdem.make_doubling_schedule(pl.holdem.no_limit(5, 10), 20, chips=50_000)
game = pl.holdem.tournament(schedule, entrants=50, seats=10)
played = game.play([pl.holdem.RANDOM] * 50, seed=1, record=True)
explorer = pl.workbench.watch_tournament(played, follow=[3])
"""
ALL = """
import pokerlab as pl
from pokerlab.workbench.benches import DECLARED
experiments = [each.experiment for each in DECLARED]
benches = [pl.workbench.bench(each, each.scales["quick"], first=1) for each in experiments]
explorers = pl.workbench.kuhn_explorer(), pl.workbench.equity_explorer("As Kd", "8d 7d", seed=1)
"""
WRONG = """
import pokerlab as pl
pl.games.kuhn(1)
"""
TINY_NOTEBOOKS = {
    "tiny": TINY, "refusing": REFUSING, "genes": GENES, "equity": EQUITY, "table": TABLE,
    "network": NETWORK, "tournament": TOURNAMENT, "kuhn": KUHN, "population": POPULATION, "rules": RULES,
    "watch": WATCH, "all": ALL, "wrong": WRONG,
}  # fmt: skip


WIDTHS = """() => {
    const context = document.createElement('canvas').getContext('2d');
    return ['DejaVu Sans', 'Liberation Serif'].map(font => {
        context.font = `20px "${font}"`;
        return context.measureText('Some wide words').width;
    });
}"""
"""Of some words in two fonts, of which a machine with one has the other in its place."""


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the notebooks, and tiny ones with nothing but a bench or an explorer."""
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder)
    for name, code in TINY_NOTEBOOKS.items():
        tiny = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_markdown_cell(f"# {name}"),
                nbformat.v4.new_code_cell(code.strip()),
            ],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(tiny, folder / f"{name}.ipynb")
    for name in ("data", "figures"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder.parent / name)
    return folder


@pytest.fixture(scope="session")
def address(
    notebooks: Path, chromium: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Return the address of a JupyterLab that serves the copy."""
    with running_lab(notebooks, tmp_path_factory.mktemp("private")) as served:
        yield served


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("fonts")
    if marker:
        marks = pytest.mark.slow if marker.kwargs.get("slow") else ()
        fonts = ["the machine's fonts", pytest.param("DejaVu alone", marks=marks)]
        metafunc.parametrize("browser", fonts, indirect=True)


@pytest.fixture(scope="session")
def browser(
    chromium: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """Return a headless Chromium, which a test marked `fonts` also gets with DejaVu Sans as its only font."""
    environment = dict(os.environ)
    if getattr(request, "param", "") == "DejaVu alone":
        environment["FONTCONFIG_FILE"] = str(only_dejavu(tmp_path_factory.mktemp("fonts")))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=str(chromium), args=list(FLAGS), env=environment
        )
        if "FONTCONFIG_FILE" in environment:
            page = opened.new_page()
            sans, serif = page.evaluate(WIDTHS)
            assert sans == serif, "Chromium finds other fonts than DejaVu Sans"
            page.close()
        yield opened
        opened.close()


def only_dejavu(folder: Path) -> Path:
    """Return a configuration of fonts in a folder that holds DejaVu Sans, which matplotlib brings."""
    for face in ("Sans", "Sans-Bold", "SansMono", "SansMono-Bold"):
        shutil.copy(Path(matplotlib.get_data_path(), "fonts", "ttf", f"DejaVu{face}.ttf"), folder)
    written = folder / "fonts.conf"
    places = f"<dir>{folder}</dir><cachedir>{folder}</cachedir>"
    rules = "<include ignore_missing='yes'>/etc/fonts/conf.d</include>"
    written.write_text(
        f"<?xml version='1.0'?><fontconfig>{places}{rules}</fontconfig>", encoding="utf-8"
    )
    return written


@pytest.fixture
def lab(browser: Browser, address: str) -> Iterator[Lab]:
    """Return JupyterLab on a page of 1280 x 800."""
    page = browser.new_page(viewport=PAGE)
    yield Lab(page, address)
    page.close()


@pytest.fixture
def screenshots(tmp_path: Path) -> Path:
    """Return where screenshots go: the folder that POKERLAB_SCREENSHOTS names, or one to forget."""
    return Path(os.environ.get("POKERLAB_SCREENSHOTS", tmp_path))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, which is built once."""
    out = tmp_path_factory.mktemp("pages") / "site"
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tools.site", f"--root={root}", f"--out={out}"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return out
