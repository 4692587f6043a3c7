"""Record the moving picture of the README: a table to play at and a bench, as they are in a browser.

`make moving-picture` runs `python -m tools.moving_picture`. It opens a notebook of two cells in a JupyterLab of its
own and a headless Chromium, plays three hands, runs the bench, changes a setting, and writes what was to be seen
to `figures/table_and_bench.gif`.
"""

import io
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import running_lab
from tests.conftest import find_chromium
from tools.figures import KERNEL

TARGET = Path("figures/table_and_bench.gif")
CELLS = (
    'import pokerlab as pl\n\ntable = pl.workbench.play_kuhn("an equilibrium", seed=4)',
    "from pokerlab.papers.lanctot2014 import Config, replicator\n\n"
    "config = Config(iterations=10_000, seed=1)\n"
    'bench = pl.workbench.bench(replicator, config, knobs=("game", "payoff_shift"), first=1)',
)
WINDOW: Any = {"width": 1345, "height": 1000}
"""In which the bench has room for its controls beside its picture."""
HEIGHT = 600
"""Of what is kept: the cells without what stands around them."""
LONGEST = 1500
"""Milliseconds for which a picture stands when nothing moves."""
LOOPS = 3
COLORS = 255
"""In all pictures together, so that what stands still takes no room."""
POINTER = """
const arrow = document.createElement('div');
arrow.id = 'pointer';
arrow.innerHTML = '<svg width="22" height="30" viewBox="0 0 11 15">'
    + '<path d="M0 0v13l3-3 2 5 2-1-2-5h5z" stroke="#fff"/></svg>';
arrow.style.cssText = 'position: fixed; z-index: 99; left: 50%; top: 50%; pointer-events: none; transition: all 0.3s';
document.body.append(arrow);
"""
MOVE = "([x, y]) => Object.assign(document.getElementById('pointer').style, {left: `${x}px`, top: `${y}px`})"


class Camera:
    """A recorder of a page in a browser, which keeps screenshots with the time at which each was first to be seen.

    Parameters
    ----------
    page : Page
        The page, in which a picture of the pointer is inserted.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pictures: list[tuple[float, bytes]] = []
        page.evaluate(POINTER)
        first_cell: Any = page.locator(".jp-InputArea-editor").first.bounding_box()
        margin = 8
        self.recorded_area: Any = {
            "x": first_cell["x"] - margin,
            "y": first_cell["y"] - margin,
            "width": first_cell["width"] + margin,
            "height": HEIGHT,
        }

    def record(self, seconds: float) -> None:
        """Take screenshots of the page for some seconds, and keep those that differ from the one before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            picture = self.page.screenshot(clip=self.recorded_area)
            if not self.pictures or picture != self.pictures[-1][1]:
                self.pictures.append((time.monotonic(), picture))

    def press_and_record(self, button: Locator, seconds: float) -> None:
        """Move the pointer to a button, press it, and record the page for some seconds."""
        box: Any = button.bounding_box()
        self.page.evaluate(MOVE, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
        self.record(0.6)
        button.click()
        self.record(seconds)

    def write_gif(self, target: Path) -> None:
        """Write the screenshots as an animated GIF with one palette for all of them."""
        times = [seen_at for seen_at, _ in self.pictures]
        milliseconds = [round(1000 * (end - begin)) for begin, end in pairwise(times)]
        durations = [min(LONGEST, duration) for duration in (*milliseconds, LONGEST)]
        frames = [Image.open(io.BytesIO(picture)).convert("RGB") for _, picture in self.pictures]

        # The palette is made from a sheet with some of the frames, one below the other.
        sampled_frames = frames[:: max(1, len(frames) // 16)]
        sheet = Image.new("RGB", (frames[0].width, HEIGHT * len(sampled_frames)))
        for row, frame in enumerate(sampled_frames):
            sheet.paste(frame, (0, HEIGHT * row))
        palette = sheet.quantize(COLORS, kmeans=2, dither=Image.Dither.NONE)

        first, *others = (
            frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames
        )
        first.save(target, save_all=True, append_images=others, duration=durations, loop=LOOPS - 1)


def play_table_and_bench(lab: Lab, camera: Camera) -> None:
    """Play three hands at the table, run the bench, change a setting, and run it again, while the camera records."""
    deal, _, bet, _ = lab.page.locator(".pokerlab-live").first.locator("button").all()
    camera.record(1.0)
    for _ in range(3):
        camera.press_and_record(deal, 1.0)
        camera.press_and_record(bet, 1.0)

    lab.to_the_bench()
    camera.record(1.0)
    lab.nudge("Steps a second", "ArrowRight", 3)
    camera.press_and_record(lab.button("Run"), 6.0)
    camera.press_and_record(lab.button("Reset"), 0.5)
    lab.nudge("Payoff shift", "PageUp", 14)
    camera.record(1.5)
    camera.press_and_record(lab.button("Run"), 6.0)


def main() -> int:
    """Record the moving picture of the README and write it; return 0, or 1 if no browser is found."""
    if (chromium := find_chromium()) is None:
        print("moving-picture: found no Chromium or Chrome; install one.")
        return 1
    with (
        tempfile.TemporaryDirectory(prefix="pokerlab-moving-") as folder,
        sync_playwright() as driver,
    ):
        served = Path(folder, "notebooks")
        served.mkdir()
        notebook = {
            "cells": [],
            "metadata": {"kernelspec": KERNEL},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        tiny = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
        tiny.cells = [nbformat.v4.new_code_cell(code) for code in CELLS]  # type: ignore[no-untyped-call]
        nbformat.write(tiny, served / "tiny.ipynb")  # type: ignore[no-untyped-call]
        with running_lab(served, Path(folder, "private")) as address:
            browser = driver.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
            lab = Lab(browser.new_page(viewport=WINDOW), address)
            lab.show("tiny")
            camera = Camera(lab.page)
            play_table_and_bench(lab, camera)
            browser.close()
    camera.write_gif(TARGET)
    print(
        f"moving-picture: {len(camera.pictures)} pictures, {TARGET.stat().st_size:,} bytes in {TARGET}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
