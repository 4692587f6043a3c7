"""Try a class on this machine: browsers open the same bench, run it, leave and come back, while all of it is measured.

`make trial` runs `python -m tools.class_trial dash`, the pages without code. `python -m tools.class_trial lab` tries
one JupyterLab in which each student has a copy of lesson 00 and a kernel. A Chromium plays the students, a window
each, `--at-once` of them together and the others in turns. It computes on the same machine, which it would not in
class, so its share of processor and memory is measured apart.
"""

import argparse
import asyncio
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.lab import COMMAND, READY
from tests.browser.server import SETTINGS, free_port
from tests.conftest import find_chromium
from tools.lab import FIRST

APART = 2.0
"""Seconds between two students who open the page."""
AWAY = 5.0
"""Seconds until a student who has closed the page opens it again."""
PATIENCE = 600_000
"""Milliseconds after which a page that does not answer counts as broken."""
STILL = 60_000
"""Milliseconds without a new picture of a run that goes on, after which the picture counts as standing still."""
WINDOW: Any = {"width": 1280, "height": 800}
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
GAME, LONG = "KP(3)", 10_000_000
"""What is run, for so many iterations that it hardly ends while it is measured."""
COUNT = """canvas => {
    const seen = {pictures: 0, pause: 0, last: performance.now(), t: +canvas.dataset.iteration, back: 0};
    canvas.seen = seen;
    new MutationObserver(() => {
        const now = performance.now(), t = +canvas.dataset.iteration;
        seen.pictures += 1;
        seen.pause = Math.max(seen.pause, now - seen.last);
        seen.back += t < seen.t;
        [seen.last, seen.t] = [now, t];
    }).observe(canvas, {attributes: true, attributeFilter: ['data-iteration']});
}"""
"""Counts pictures, the longest time between two of them, and how often the iteration has fallen."""
SHORT = "Config(iterations=1_000_000"
"""In the bench of the first lesson, whose run would end too soon."""
SERVERS = {
    "dash": ["tools.dash", "--no-browser"],
    "lab": ["tools.lab", "--no-browser", "--LabApp.expose_app_in_browser=True"],
}


class Meter:
    """Processor seconds and memory of the server, its kernels, and the browsers."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.own = os.getpid()
        self.spent: dict[tuple[str, int], float] = {}

    def processes(self) -> Iterator[tuple[str, psutil.Process]]:
        """Yield each process with whose it is."""
        server = psutil.Process(self.server)
        family = [server, *server.children(recursive=True)]
        for process in family:
            with suppress(psutil.Error):
                is_fork = process is not server and process.ppid() != self.server
                is_kernel = is_fork or "ipykernel_launcher" in " ".join(process.cmdline())
                yield ("kernels" if is_kernel else "server"), process
        known = {process.pid for process in family}
        for process in psutil.Process(self.own).children(recursive=True):
            if process.pid not in known:
                yield "browsers", process

    def cpu(self) -> dict[str, float]:
        """Return the processor seconds of each part so far, those of processes that have ended as last seen."""
        for part, process in self.processes():
            with suppress(psutil.Error):
                times = process.cpu_times()
                self.spent[part, process.pid] = times.user + times.system
        total: dict[str, float] = defaultdict(float)
        for (part, _), seconds in self.spent.items():
            total[part] += seconds
        return total

    def memory(self) -> dict[str, float]:
        """Return the memory of each part in GB, what processes share divided among them, and how many kernels live."""
        total: dict[str, float] = defaultdict(float)
        for part, process in self.processes():
            with suppress(psutil.Error):
                about = process.memory_full_info()
                total[part] += about.pss / 1e9
                total[f"private {part}"] += about.uss / 1e9
                total[f"number of {part}"] += 1
        return total


@dataclass
class Student:
    """What one browser has seen.

    Attributes
    ----------
    opened, picture : float
        Seconds until the page was there, and until the bench had its first picture.
    pictures : float
        A second, painted by the page while the run went on.
    pause : float
        The longest time without a new picture, in seconds.
    iterations : int
        What the run has done while it was measured.
    again : float
        Seconds until the bench was there again after the page had been closed.
    faults : list of str
        What went wrong.
    """

    number: int
    opened: float = 0.0
    picture: float = 0.0
    pictures: float = 0.0
    pause: float = 0.0
    iterations: int = 0
    again: float = 0.0
    faults: list[str] = field(default_factory=list)


@dataclass
class Class:
    """A class: where it goes, and how its bench is found there."""

    kind: str
    address: str

    def address_of(self, number: int) -> str:
        """Return what a student opens."""
        if self.kind == "dash":
            return f"{self.address}voila/render/replicator.ipynb?game={GAME}&iterations={LONG}"
        own = self.address.replace("workspaces/pokerlab/", f"workspaces/student{number}/")
        return own.replace(FIRST.name, copy_of(number))

    async def open_page(self, context: BrowserContext, student: Student) -> Page:
        """Open the page and wait until something can be done on it."""
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: student.faults.append(str(error)))
        await page.goto(self.address_of(student.number))
        if self.kind == "lab":
            await page.wait_for_function("() => Boolean(window.jupyterapp)", timeout=PATIENCE)
            await page.wait_for_function(READY, timeout=PATIENCE)
        return page

    async def find_bench(self, page: Page) -> Locator:
        """Wait for the picture of the bench; return it."""
        canvas = page.locator(
            ".pokerlab-live:has(.pokerlab-panel) .pokerlab-canvas[data-iteration]"
        )
        await canvas.last.wait_for()
        return canvas.last


def copy_of(number: int) -> str:
    """Return the name of a student's copy of the lesson."""
    return f"{FIRST.stem}_{number:02}.ipynb"


async def iteration_of(canvas: Locator) -> int:
    """Return the iteration that a picture shows."""
    return int(await canvas.get_attribute("data-iteration") or 0)


async def take_part(to: Class, browser: Browser, student: Student, seconds: float) -> Page:
    """Open the bench and run it for some time; return the page."""
    context = await browser.new_context(viewport=WINDOW)
    begun = time.monotonic()
    page = await to.open_page(context, student)
    student.opened = time.monotonic() - begun
    if to.kind == "lab":
        running = asyncio.create_task(page.evaluate(COMMAND, ["notebook:run-all-cells"]))
    canvas = await to.find_bench(page)
    student.picture = time.monotonic() - begun
    await canvas.scroll_into_view_if_needed()
    await canvas.evaluate(COUNT)
    before = await iteration_of(canvas)
    begun = time.monotonic()
    run = page.locator(".pokerlab-panel button.jupyter-button", has_text="Run").last
    await run.click()
    await asyncio.sleep(seconds)
    seen = await canvas.evaluate("canvas => canvas.seen")
    student.pictures = seen["pictures"] / (time.monotonic() - begun)
    student.pause = seen["pause"] / 1000
    student.iterations = seen["t"] - before
    student.faults += ["the iteration fell"] * bool(seen["back"])
    student.faults += ["the run stood still"] * (student.iterations == 0)
    if to.kind == "lab":
        await running
    dead = page.locator(".pokerlab-dead").filter(visible=True)
    student.faults += ["controls are dead"] * (await dead.count())
    return page


async def come_back(to: Class, page: Page, student: Student) -> None:
    """Close the page and open it again: the run of a notebook has gone on, a page without code begins anew."""
    if to.kind == "lab":
        await page.evaluate(COMMAND, ["docmanager:save"])
    left = await iteration_of(await to.find_bench(page))
    await page.close()
    await asyncio.sleep(AWAY)
    begun = time.monotonic()
    page = await to.open_page(page.context, student)
    canvas = await to.find_bench(page)
    student.again = time.monotonic() - begun
    found = await iteration_of(canvas)
    if to.kind == "lab":
        if found <= left < LONG:
            student.faults.append(f"t = {left} was left, and t = {found} found")
        elif found < LONG and not await moves(page, canvas, found):
            student.faults.append(
                f"the picture stood still at t = {found} when it was opened again"
            )
        pause = page.locator(".pokerlab-panel button.jupyter-button", has_text="Pause")
        if await pause.count():
            await pause.last.click()
    await page.context.close()


async def moves(page: Page, canvas: Locator, iteration: int) -> bool:
    """Wait for a picture of a later iteration; return whether there is one."""
    later = f"canvas => +canvas.dataset.iteration > {iteration}"
    try:
        await page.wait_for_function(later, arg=await canvas.element_handle(), timeout=STILL)
    except PlaywrightTimeoutError:
        return False
    return True


async def hold_turn(
    to: Class, browser: Browser, meter: Meter, students: Sequence[Student], seconds: float
) -> None:
    """Let some students come at once, and print what it took."""
    before, begun = meter.cpu(), time.monotonic()

    async def come(place: int, student: Student) -> Page:
        await asyncio.sleep(APART * place)
        return await take_part(to, browser, student, seconds)

    async def watch() -> None:
        while True:
            await asyncio.sleep(2)
            meter.cpu()

    async def weigh() -> tuple[dict[str, float], dict[str, float], float]:
        while not all(student.picture for student in students):
            await asyncio.sleep(0.5)
        return meter.cpu(), meter.memory(), time.monotonic()

    watching, weighing = asyncio.create_task(watch()), asyncio.create_task(weigh())
    pages = await asyncio.gather(*(come(*each) for each in enumerate(students)))
    opened, light, arrived = await weighing
    after, heavy = meter.cpu(), meter.memory()
    wall = time.monotonic() - arrived
    num_students = len(students)
    waits = sorted(student.picture for student in students)
    print(
        f"\n{num_students} students at once, {APART:g} s apart; all there after {arrived - begun:.0f} s"
    )
    print(f"first picture: median {median(waits):.1f} s, slowest {waits[-1]:.1f} s")
    print(f"pictures a second: {spread([student.pictures for student in students])}")
    print(f"longest time without a picture (s): {spread([student.pause for student in students])}")
    print(f"iterations of a run: {spread([student.iterations for student in students])}")
    for part in ("server", "kernels", "browsers"):
        coming = (opened[part] - before[part]) / num_students
        running = (after[part] - opened[part]) / wall
        print(
            f"{part}: {coming:.1f} processor seconds a student to open, {running:.2f} cores while all run;"
            f" {light[part]:.2f} GB then, {heavy[part]:.2f} GB at the end ({heavy[f'private {part}']:.2f} private,"
            f" {heavy[f'number of {part}']:.0f} processes)"
        )
    sys.stdout.flush()
    await asyncio.gather(
        *(come_back(to, page, student) for page, student in zip(pages, students, strict=True))
    )
    watching.cancel()
    print(f"closed page there again (s): {spread([student.again for student in students])}")
    for student in students:
        for fault in student.faults:
            print(f"student {student.number}: {fault}")
    sys.stdout.flush()


def spread(numbers: Sequence[float]) -> str:
    """Return the median of numbers, with the smallest and the largest."""
    return f"median {median(numbers):,.1f}, from {min(numbers):,.1f} to {max(numbers):,.1f}"


@contextmanager
def serve(kind: str, num_students: int) -> Iterator[tuple[Class, int]]:
    """Start the server in a folder with the lessons, and yield where it is, and its process."""
    root = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="pokerlab-class-") as folder:
        lessons = Path(folder, "notebooks")
        shutil.copytree(root / "notebooks", lessons)
        lesson = (lessons / FIRST.name).read_text(encoding="utf-8")
        if lesson.count(SHORT) != 1:
            raise SystemExit(
                f"trial: {FIRST.name} has no bench with {SHORT}. Change SHORT in {__file__}."
            )
        for number in range(num_students):
            longer = lesson.replace(SHORT, f'Config(game=\\"{GAME}\\", iterations={LONG}')
            (lessons / copy_of(number)).write_text(longer, encoding="utf-8")
        for name in ("data", "figures"):
            (Path(folder) / name).symlink_to(root / name)
        settings = Path(folder, "settings")
        for name, text in SETTINGS.items():
            (settings / name).parent.mkdir(parents=True, exist_ok=True)
            (settings / name).write_text(text, encoding="utf-8")
        variables = os.environ | {
            "PYTHONPATH": str(root), "JUPYTERLAB_SETTINGS_DIR": str(settings)
        }  # fmt: skip
        how: Any = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,  # of pages that are closed while their kernels speak
            "text": True,
            "start_new_session": True,
        }
        command = [sys.executable, "-m", *SERVERS[kind], f"--port={free_port()}"]
        begun = time.monotonic()
        with subprocess.Popen(command, cwd=folder, env=variables, **how) as server:
            try:
                lines: Any = server.stdout
                address = next(line.strip() for line in lines if line.startswith("http"))
                print(f"{kind}: served after {time.monotonic() - begun:.0f} s")
                yield Class(kind, address), server.pid
            finally:
                os.killpg(server.pid, signal.SIGINT)
                server.communicate()  # reads the last words until it has ended


async def try_class(options: argparse.Namespace) -> bool:
    """Serve the class, let it come in turns, and return whether nothing went wrong."""
    students = [Student(number) for number in range(options.students)]
    turns = range(0, len(students), options.at_once)
    with serve(options.kind, len(students)) as (to, server):
        async with async_playwright() as playwright:
            path = str(find_chromium())
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            meter = Meter(server)
            memory = meter.memory()
            print(f"before anyone comes: {memory['server'] + memory['kernels']:.2f} GB")
            for first in turns:
                turn = students[first : first + options.at_once]
                await hold_turn(to, browser, meter, turn, options.seconds)
            await browser.close()
    return not any(student.faults for student in students)


def main(arguments: Sequence[str]) -> int:
    """Try a class; return 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "kind", nargs="?", default="dash", choices=SERVERS, help="pages without code, or JupyterLab"
    )
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=120.0, help="for which each bench runs")
    options = parser.parse_args(arguments)
    if find_chromium() is None:
        print("trial: no Chromium was found. Install one, or set CHROMIUM to its path.")
        return 1
    load = os.getloadavg()[0]
    size = psutil.virtual_memory().total / 1e9
    print(
        f"{psutil.cpu_count()} cores ({platform.machine()}), {size:.0f} GB, load {load:.1f} before"
    )
    return 0 if asyncio.run(try_class(options)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
