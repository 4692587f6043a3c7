"""In a real kernel: what a cell with a bench displays, and what the stop button does to it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hangs import HANG_SECONDS, wait_until
from tests.kernels import start_kernel

OPEN = """
import pokerlab as pl
from pokerlab.papers.lanctot2014 import Config, replicator
bench = pl.workbench.bench(replicator, Config(iterations=10_000_000, seed=1), first=100)
"""


class Session:
    """A kernel, and what its cells have put out."""

    def __init__(self) -> None:
        self.manager, self.client = start_kernel(extra_arguments=["--log-level=ERROR"])

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run a cell to its end; return what it has put out."""
        messages: list[dict[str, Any]] = []
        self.client.execute_interactive(code, timeout=HANG_SECONDS, output_hook=messages.append)
        return messages

    def text(self, code: str) -> str:
        """Run a cell; return what it prints."""
        return "".join(message["content"].get("text", "") for message in self.run(code)).strip()

    def end(self) -> None:
        """Stop the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    made = Session()
    yield made
    made.end()


@pytest.fixture
def running(session: Session) -> Iterator[Session]:
    """Return the kernel while a bench is running in it."""
    session.run(f"{OPEN}\nbench.start()")
    yield session
    session.run("bench.close()")


def test_a_bench_displays_controls_and_apart_what_stays_of_them(session: Session) -> None:
    messages = session.run(OPEN)
    shown = [m["content"]["data"] for m in messages if m["msg_type"] == "display_data"]
    kinds = ["application/vnd.jupyter.widget-view+json", "text/html", "image/png", "text/html"]
    assert [kind in data for kind, data in zip(kinds, shown, strict=True)] == [True] * 4
    assert shown[1]["text/plain"].startswith("Run this cell to get its controls")
    assert "t = 100 of 10,000,000" in shown[3]["text/plain"]


STANDING = """
import ipywidgets, pokerlab as pl
from ipywidgets.widgets.widget import _instances as registered
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.benches import DECLARED
"""
OPENERS = {
    "benches": (
        "[pl.workbench.bench(d.experiment, d.experiment.scales['quick']) for d in DECLARED[::3]]"
    ),
    "Kuhn explorer": "[pl.workbench.kuhn_explorer('an equilibrium')]",
    "equity explorer": "[pl.workbench.equity_explorer('As Kd', '8d 7d', seed=1)]",
    "population explorer": "[pl.workbench.population_explorer('hawks and doves', seed=1)]",
    "rule explorer": (
        "[pl.workbench.rule_explorer((lambda s: s.step(s.init(), 1))"
        "(pl.papers.noble2001.make_solver(pl.papers.noble2001.Config(seed=1))), seed=1)]"
    ),
    "network explorer": (
        "[pl.workbench.network_explorer({'one':"
        " pl.holdem.TableNetwork().draw_genomes(np.random.default_rng(1), 1)[0]})]"
    ),
    "Kuhn table": "[pl.workbench.play_kuhn('always bet', seed=1)]",
    "limit table": "[pl.workbench.play_holdem(pl.holdem.RANDOM, seed=1)]",
    "tournament": "[pl.workbench.play_tournament([pl.holdem.RANDOM] * 4, seed=1)]",
}


@pytest.mark.parametrize("opener", OPENERS)
def test_close_leaves_no_widget_registered(opener: str, session: Session) -> None:
    """One that stays, while a widget that it holds is gone, deadens all controls when the page is reloaded."""
    count = "print(len(registered), sum(w.comm is None for w in registered.values()))"
    session.run(f"import numpy as np\n{STANDING}")
    before = session.text(count)
    opened = session.text(f"things = {OPENERS[opener]}\n{count}")
    assert int(opened.split()[-2]) > int(before.split()[0]) + 3
    assert session.text(f"for thing in things: thing.close()\n{count}") == before


def test_other_cells_run_while_the_bench_is_running(running: Session) -> None:
    assert running.text("print(bench.is_running)") == "True"
    early = int(running.text("print(bench.run.iteration)"))
    later = "print(bench.run.iteration)"
    wait_until(lambda: int(running.text(later)) > early, "the bench goes on between cells")


def test_the_stop_button_pauses_the_bench_between_cells(running: Session) -> None:
    wait_until(lambda: running.text("print(bench.run.iteration > 100)") == "True", "it gets on")
    running.manager.interrupt_kernel()
    wait_until(lambda: running.text("print(bench.is_running)") == "False", "the bench pauses")


def test_the_stop_button_pauses_the_bench_while_another_cell_is_busy(
    running: Session, tmp_path: Path
) -> None:
    began = tmp_path / "began"
    busy = f"import time, pathlib; pathlib.Path({str(began)!r}).touch(); time.sleep({HANG_SECONDS})"
    running.client.execute(busy)
    wait_until(began.exists, "the cell is busy")
    running.manager.interrupt_kernel()
    running.client.get_shell_msg(timeout=HANG_SECONDS)
    wait_until(lambda: running.text("print(bench.is_running)") == "False", "the bench pauses")


def test_predict_displays_controls_and_apart_the_words_that_stay(session: Session) -> None:
    messages = session.run('import pokerlab as pl\npl.predict("09.1", ...)')
    live, words = [m["content"]["data"] for m in messages if m["msg_type"] == "display_data"]
    assert "application/vnd.jupyter.widget-view+json" in live
    question = "How often does the mixture with the smallest worst-case loss play rock?"
    assert words["text/plain"] == f"{question} Your guess: from 0 to 1?"
    assert question in words["text/html"]
    messages = session.run('pl.predict("09.1", 0.3)')
    (update,) = [m["content"]["data"] for m in messages if m["msg_type"] == "update_display_data"]
    assert update["text/plain"] == f"{question} Your guess: 0.3."
    (note,) = [m["content"]["data"] for m in messages if m["msg_type"] == "execute_result"]
    assert note["text/plain"] == f"{question} Your guess: 0.3."
