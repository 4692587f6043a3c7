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

SECONDS_APART = 2.0
"""Seconds between two students who open the page."""
SECONDS_AWAY = 5.0
"""Seconds until a student who has closed the page opens it again."""
LONGEST_WAIT = 600_000
"""Milliseconds after which a page that does not answer counts as broken."""
LONGEST_STANDSTILL = 60_000
"""Milliseconds without a new picture of a run that goes on, after which the picture counts as standing still."""
WINDOW: Any = {"width": 1280, "height": 800}
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
GAME, NUM_ITERATIONS = "KP(3)", 10_000_000
"""What is run, for so many iterations that it hardly ends while it is measured."""
COUNT_PICTURES = """canvas => {
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
SHORT_RUN = "Config(iterations=1_000_000"
"""In the bench of the first lesson, whose run would end too soon."""
SERVERS = {
    "dash": ["tools.dash", "--no-browser"],
    "lab": ["tools.lab", "--no-browser", "--LabApp.expose_app_in_browser=True"],
}


class Meter:
    """A meter of the processor time and memory that the server, its kernels, and the browsers take.

    Parameters
    ----------
    server : int
        The number of the server's process.
    """

    def __init__(self, server: int) -> None:
        self.server = server
        self.own = os.getpid()
        self.seconds_by_process: dict[tuple[str, int], float] = {}

    def iterate_processes(self) -> Iterator[tuple[str, psutil.Process]]:
        """Yield each process with the part to which it belongs: 'server', 'kernels' or 'browsers'."""
        server = psutil.Process(self.server)
        processes_of_server = [server, *server.children(recursive=True)]
        for process in processes_of_server:
            with suppress(psutil.Error):
                # A kernel is started as a program of its own, or is forked by a child of the server.
                is_fork = process is not server and process.ppid() != self.server
                is_kernel = is_fork or "ipykernel_launcher" in " ".join(process.cmdline())
                yield ("kernels" if is_kernel else "server"), process

        numbers_of_server = {process.pid for process in processes_of_server}
        for process in psutil.Process(self.own).children(recursive=True):
            if process.pid not in numbers_of_server:
                yield "browsers", process

    def measure_processor_seconds(self) -> dict[str, float]:
        """Return the processor seconds that the server, its kernels, and the browsers have taken so far.

        A process that has ended still counts, with the seconds that it had taken when this method was last called.

        Returns
        -------
        dict of str to float
            The seconds by part, which is 'server', 'kernels' or 'browsers'. A part without processes has no entry.
        """
        for part, process in self.iterate_processes():
            with suppress(psutil.Error):
                times = process.cpu_times()
                self.seconds_by_process[part, process.pid] = times.user + times.system
        total_by_part: dict[str, float] = defaultdict(float)
        for (part, _), seconds in self.seconds_by_process.items():
            total_by_part[part] += seconds
        return total_by_part

    def measure_memory(self) -> dict[str, float]:
        """Return the memory in GB that the server, its kernels, and the browsers take now, with their numbers.

        Returns
        -------
        dict of str to float
            Three numbers for each part p, which is 'server', 'kernels' or 'browsers'. The key 'p' has the memory, where
            memory that processes share is divided among them. The key 'private p' has the memory without shared memory,
            and 'number of p' the number of processes.
        """
        totals: dict[str, float] = defaultdict(float)
        for part, process in self.iterate_processes():
            with suppress(psutil.Error):
                memory = process.memory_full_info()
                totals[part] += memory.pss / 1e9
                totals[f"private {part}"] += memory.uss / 1e9
                totals[f"number of {part}"] += 1
        return totals


@dataclass
class Student:
    """The measurements of one student's browser window.

    Attributes
    ----------
    number : int
        The number of the student.
    seconds_to_page, seconds_to_picture : float
        Seconds until the page was there, and until the bench had its first picture.
    pictures_per_second : float
        The number of pictures that the page painted in a second while the run went on.
    longest_pause : float
        The longest time without a new picture, in seconds.
    iterations : int
        The number of iterations of the run while it was measured.
    seconds_to_reopen : float
        Seconds until the bench was there again after the page had been closed.
    faults : list of str
        A sentence for each thing that went wrong.
    """

    number: int
    seconds_to_page: float = 0.0
    seconds_to_picture: float = 0.0
    pictures_per_second: float = 0.0
    longest_pause: float = 0.0
    iterations: int = 0
    seconds_to_reopen: float = 0.0
    faults: list[str] = field(default_factory=list)


@dataclass
class ClassOnServer:
    """The server of a class, which knows the address of each student and finds the bench on its page.

    Attributes
    ----------
    kind : {'dash', 'lab'}
        The kind of server: pages without code, or JupyterLab.
    address : str
        The address of the server.
    """

    kind: str
    address: str

    def get_address(self, number: int) -> str:
        """Return the address that the student with a number opens."""
        if self.kind == "dash":
            return f"{self.address}voila/render/replicator.ipynb?game={GAME}&iterations={NUM_ITERATIONS}"
        own = self.address.replace("workspaces/pokerlab/", f"workspaces/student{number}/")
        return own.replace(FIRST.name, get_copy_name(number))

    async def open_page(self, context: BrowserContext, student: Student) -> Page:
        """Open a student's page in a new tab, wait until it can be used, and return it.

        Errors of the page are added to the student's faults.
        """
        page = await context.new_page()
        page.set_default_timeout(LONGEST_WAIT)
        page.on("pageerror", lambda error: student.faults.append(str(error)))
        await page.goto(self.get_address(student.number))
        if self.kind == "lab":
            await page.wait_for_function("() => Boolean(window.jupyterapp)", timeout=LONGEST_WAIT)
            await page.wait_for_function(READY, timeout=LONGEST_WAIT)
        return page

    async def wait_for_bench(self, page: Page) -> Locator:
        """Wait until the bench on a page shows a picture, and return the picture's element."""
        canvas = page.locator(
            ".pokerlab-live:has(.pokerlab-panel) .pokerlab-canvas[data-iteration]"
        )
        await canvas.last.wait_for()
        return canvas.last


def get_copy_name(number: int) -> str:
    """Return the file name of a student's copy of the first lesson."""
    return f"{FIRST.stem}_{number:02}.ipynb"


async def read_iteration(canvas: Locator) -> int:
    """Return the iteration that the picture of a bench shows."""
    return int(await canvas.get_attribute("data-iteration") or 0)


async def open_and_run_bench(
    trial: ClassOnServer,
    browser: Browser,
    student: Student,
    seconds: float,
    ready_to_run: asyncio.Barrier,
) -> Page:
    """Open a student's bench in a new window, run it for some seconds, and return the page.

    The measurements are stored in `student`: waiting times, pictures a second, iterations, and faults. `ready_to_run`
    is where the student waits for others before pressing *Run*.
    """
    context = await browser.new_context(viewport=WINDOW)
    begun = time.monotonic()
    page = await trial.open_page(context, student)
    student.seconds_to_page = time.monotonic() - begun
    if trial.kind == "lab":
        running = asyncio.create_task(page.evaluate(COMMAND, ["notebook:run-all-cells"]))
    canvas = await trial.wait_for_bench(page)
    student.seconds_to_picture = time.monotonic() - begun

    await canvas.scroll_into_view_if_needed()
    await ready_to_run.wait()
    await canvas.evaluate(COUNT_PICTURES)
    first_iteration = await read_iteration(canvas)
    begun = time.monotonic()
    run_button = page.locator(".pokerlab-panel button.jupyter-button", has_text="Run").last
    await run_button.click()
    await asyncio.sleep(seconds)

    counts = await canvas.evaluate("canvas => canvas.seen")
    student.pictures_per_second = counts["pictures"] / (time.monotonic() - begun)
    student.longest_pause = counts["pause"] / 1000
    student.iterations = counts["t"] - first_iteration
    if counts["back"]:
        student.faults.append("the iteration fell")
    if student.iterations == 0:
        student.faults.append("the run stood still")
    if trial.kind == "lab":
        await running
    dead_controls = page.locator(".pokerlab-dead").filter(visible=True)
    student.faults += ["controls are dead"] * (await dead_controls.count())
    return page


async def reopen_bench(trial: ClassOnServer, page: Page, student: Student) -> None:
    """Close a student's page, open it again after some seconds, and measure how long the bench takes to return.

    In a notebook the run must have gone on in the meantime. A page without code begins anew. The time and faults are
    stored in `student`.
    """
    if trial.kind == "lab":
        await page.evaluate(COMMAND, ["docmanager:save"])
    iteration_before = await read_iteration(await trial.wait_for_bench(page))
    await page.close()
    await asyncio.sleep(SECONDS_AWAY)
    begun = time.monotonic()
    page = await trial.open_page(page.context, student)
    canvas = await trial.wait_for_bench(page)
    student.seconds_to_reopen = time.monotonic() - begun

    iteration = await read_iteration(canvas)
    if trial.kind == "lab":
        has_not_gone_on = iteration <= iteration_before < NUM_ITERATIONS
        if has_not_gone_on:
            student.faults.append(f"t = {iteration_before} was left, and t = {iteration} found")
        elif iteration < NUM_ITERATIONS and not await shows_later_iteration(
            page, canvas, iteration
        ):
            student.faults.append(
                f"the picture stood still at t = {iteration} when it was opened again"
            )
        pause_button = page.locator(".pokerlab-panel button.jupyter-button", has_text="Pause")
        if await pause_button.count():
            await pause_button.last.click()
    await page.context.close()


async def shows_later_iteration(page: Page, canvas: Locator, iteration: int) -> bool:
    """Wait for at most a minute until a bench shows a picture of a later iteration, and return whether it does."""
    later = f"canvas => +canvas.dataset.iteration > {iteration}"
    try:
        await page.wait_for_function(
            later, arg=await canvas.element_handle(), timeout=LONGEST_STANDSTILL
        )
    except PlaywrightTimeoutError:
        return False
    return True


async def try_students_at_once(
    trial: ClassOnServer,
    browser: Browser,
    meter: Meter,
    students: Sequence[Student],
    seconds: float,
    run_together: bool,
) -> None:
    """Let some students open and run their benches at the same time, and print what it took.

    Printed are waiting times, pictures a second, iterations, processor time and memory of server, kernels and browsers,
    and the students' faults.

    Parameters
    ----------
    trial : ClassOnServer
        The server of the class.
    browser : Browser
        The browser, in which each student has a window.
    meter : Meter
        The meter of processor time and memory.
    students : sequence of Student
        The students, whose measurements are stored in them.
    seconds : float
        How long each bench runs.
    run_together : bool
        Whether all press *Run* at the same time, when the last bench is there. Otherwise each student does so when the
        own bench is there, while others wait for theirs.
    """
    ready_to_run = asyncio.Barrier(len(students) if run_together else 1)
    seconds_before, begun = meter.measure_processor_seconds(), time.monotonic()

    async def arrive_and_run_bench(place: int, student: Student) -> Page:
        """Open and run a student's bench, two seconds after that of the student before."""
        await asyncio.sleep(SECONDS_APART * place)
        return await open_and_run_bench(trial, browser, student, seconds, ready_to_run)

    async def measure_repeatedly() -> None:
        """Measure processor time every two seconds, so that that of processes which end is not lost."""
        while True:
            await asyncio.sleep(2)
            meter.measure_processor_seconds()

    async def measure_when_all_are_there() -> tuple[dict[str, float], dict[str, float], float]:
        """Return processor time, memory and the time at which the last student has a picture."""
        while not all(student.seconds_to_picture for student in students):
            await asyncio.sleep(0.5)
        return meter.measure_processor_seconds(), meter.measure_memory(), time.monotonic()

    repeated = asyncio.create_task(measure_repeatedly())
    arrival = asyncio.create_task(measure_when_all_are_there())
    pages = await asyncio.gather(
        *(arrive_and_run_bench(place, student) for place, student in enumerate(students))
    )
    seconds_at_arrival, memory_at_arrival, arrived = await arrival
    seconds_at_end, memory_at_end = meter.measure_processor_seconds(), meter.measure_memory()
    elapsed = time.monotonic() - arrived

    num_students = len(students)
    waits = sorted(student.seconds_to_picture for student in students)
    print(
        f"\n{num_students} students at once, {SECONDS_APART:g} s apart; all there after {arrived - begun:.0f} s"
    )
    print(f"first picture: median {median(waits):.1f} s, slowest {waits[-1]:.1f} s")
    print(
        f"pictures a second: {format_spread([student.pictures_per_second for student in students])}"
    )
    print(
        f"longest time without a picture (s): {format_spread([student.longest_pause for student in students])}"
    )
    print(f"iterations of a run: {format_spread([student.iterations for student in students])}")
    for part in ("server", "kernels", "browsers"):
        seconds_to_open = (seconds_at_arrival[part] - seconds_before[part]) / num_students
        cores_while_running = (seconds_at_end[part] - seconds_at_arrival[part]) / elapsed
        private_memory = memory_at_end[f"private {part}"]
        num_processes = memory_at_end[f"number of {part}"]
        print(
            f"{part}: {seconds_to_open:.1f} processor seconds a student to open,"
            f" {cores_while_running:.2f} cores while all run; {memory_at_arrival[part]:.2f} GB then,"
            f" {memory_at_end[part]:.2f} GB at the end ({private_memory:.2f} private,"
            f" {num_processes:.0f} processes)"
        )
    sys.stdout.flush()
    await asyncio.gather(
        *(reopen_bench(trial, page, student) for page, student in zip(pages, students, strict=True))
    )
    repeated.cancel()
    print(
        f"closed page there again (s): {format_spread([student.seconds_to_reopen for student in students])}"
    )
    for student in students:
        for fault in student.faults:
            print(f"student {student.number}: {fault}")
    sys.stdout.flush()


def format_spread(numbers: Sequence[float]) -> str:
    """Return a text with the median of numbers, the smallest and the largest."""
    return f"median {median(numbers):,.1f}, from {min(numbers):,.1f} to {max(numbers):,.1f}"


@contextmanager
def serve_class(kind: str, num_students: int) -> Iterator[tuple[ClassOnServer, int]]:
    """Start the server of a class in a temporary folder, yield it with the number of its process, and stop it.

    Parameters
    ----------
    kind : {'dash', 'lab'}
        The kind of server: pages without code, or JupyterLab.
    num_students : int
        The number of students, each of whom gets a copy of the first lesson with a long run.

    Raises
    ------
    SystemExit
        If the first lesson has no bench whose run can be made longer.
    """
    root = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="pokerlab-class-") as folder:
        settings = write_class_folder(root, Path(folder), num_students)
        variables = os.environ | {
            "PYTHONPATH": str(root), "JUPYTERLAB_SETTINGS_DIR": str(settings)
        }  # fmt: skip
        process_options: Any = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,  # of pages that are closed while their kernels speak
            "text": True,
            "start_new_session": True,
        }
        command = [sys.executable, "-m", *SERVERS[kind], f"--port={free_port()}"]

        begun = time.monotonic()
        with subprocess.Popen(command, cwd=folder, env=variables, **process_options) as server:
            try:
                lines: Any = server.stdout
                address = next(line.strip() for line in lines if line.startswith("http"))
                print(f"{kind}: served after {time.monotonic() - begun:.0f} s")
                yield ClassOnServer(kind, address), server.pid
            finally:
                os.killpg(server.pid, signal.SIGINT)
                server.communicate()  # reads the last words until it has ended


def write_class_folder(root: Path, folder: Path, num_students: int) -> Path:
    """Write the lessons of a class into a folder, and return the folder of JupyterLab's settings in it.

    Each student gets a copy of the first lesson, in which the run of the bench is long.

    Parameters
    ----------
    root : Path
        The project's folder.
    folder : Path
        An empty folder, which is filled.
    num_students : int
        The number of students.

    Raises
    ------
    SystemExit
        If the first lesson has no bench whose run can be made longer.
    """
    lessons = folder / "notebooks"
    shutil.copytree(root / "notebooks", lessons)
    lesson = (lessons / FIRST.name).read_text(encoding="utf-8")
    if lesson.count(SHORT_RUN) != 1:
        raise SystemExit(
            f"trial: {FIRST.name} has no bench with {SHORT_RUN}. Change SHORT_RUN in {__file__}."
        )

    long_run = f'Config(game=\\"{GAME}\\", iterations={NUM_ITERATIONS}'
    lesson_with_long_run = lesson.replace(SHORT_RUN, long_run)
    for number in range(num_students):
        copy = lessons / get_copy_name(number)
        copy.write_text(lesson_with_long_run, encoding="utf-8")

    for name in ("data", "figures"):
        (folder / name).symlink_to(root / name)

    settings = folder / "settings"
    for name, text in SETTINGS.items():
        (settings / name).parent.mkdir(parents=True, exist_ok=True)
        (settings / name).write_text(text, encoding="utf-8")
    return settings


async def try_class(options: argparse.Namespace) -> bool:
    """Serve a class, let its students run their benches in turns, and return whether no student saw a fault.

    `options` are those of the command line.
    """
    students = [Student(number) for number in range(options.students)]
    turns = range(0, len(students), options.at_once)
    with serve_class(options.kind, len(students)) as (trial, server):
        async with async_playwright() as playwright:
            path = str(find_chromium())
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            meter = Meter(server)
            memory = meter.measure_memory()
            print(f"before anyone comes: {memory['server'] + memory['kernels']:.2f} GB")
            for first in turns:
                turn = students[first : first + options.at_once]
                await try_students_at_once(
                    trial, browser, meter, turn, options.seconds, options.together
                )
            await browser.close()
    return not any(student.faults for student in students)


def main(arguments: Sequence[str]) -> int:
    """Try a class as the command line says, print measurements, and return 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "kind", nargs="?", default="dash", choices=SERVERS, help="pages without code, or JupyterLab"
    )
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=120.0, help="for which each bench runs")
    parser.add_argument(
        "--together", action="store_true", help="all press Run when the last bench is there"
    )
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
