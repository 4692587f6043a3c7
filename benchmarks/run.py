"""Time pokerlab and its peers in one run and write `figures/benchmark.csv` and `.md`.

    python -m benchmarks.run                     everything; some minutes
    python -m benchmarks.run --smoke             pokerlab alone, seconds, no files kept
    python -m benchmarks.run --peer-python PATH  peers of another environment
    python -m benchmarks.run --only hands --out PATH  some rows, by words in their tasks

Libraries take turns, a chunk each, round after round; a row's time is the median over the rounds,
and its ratio the median of the rounds' ratios. A peer that is not installed is a row that says so.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
from tqdm import tqdm

from benchmarks.contestant import ROOT, Contestant
from benchmarks.report import write
from benchmarks.result import Result
from benchmarks.rows import ALONE, COMPARED, MODULES, POKERLAB, SCALE, WAYS, Row
from benchmarks.stopwatch import LONG_SECONDS, Answer

# What libraries must agree on, and how closely. Sums over some thousand terminals in different orders
# agree to many more digits than nine; six is what linear programs leave between two solvers.
# The order of hands by strength is a whole number, and so is who lost what in which hand.
TOLERANCES = {"uniform": 1e-9, "path": 1e-9, "value": 1e-6, "order": 0.0, "lost": 0.0}


@dataclass
class Benchmark:
    """The contestants of one run, and how they are asked."""

    contestants: Mapping[str, Contestant]
    seconds: float
    rounds: int

    def measure(self, row: Row) -> Result:
        """Ask everybody in turn; the first, uncounted turn sets up and warms."""
        entrants = {name: (name, row.task) for name in (POKERLAB, *row.peers)}
        if row.against:
            entrants[row.against] = (POKERLAB, row.against)
        answers: dict[str, list[Answer]] = {name: [] for name in entrants}
        for turn in range(self.rounds + 1):
            for name, (contestant, task) in entrants.items():
                if contestant not in self.contestants or finished(answers[name]):
                    continue
                answer = self.ask(row, contestant, task)
                if turn == 0 and not finished([answer]):
                    continue
                answers[name].append(answer)
        return Result(row, answers)

    def ask(self, row: Row, contestant: str, task: str) -> Answer:
        """Return one measurement, from a new process where the row wants that."""
        asked = self.contestants[contestant]
        if row.fresh and not asked.note:
            with Contestant(asked.name, asked.module, asked.python) as once:
                return once.ask(task, row.game, self.seconds)
        return asked.ask(task, row.game, self.seconds)


def finished(answers: Iterable[Answer]) -> bool:
    """Whether there is nothing to repeat: the task failed or lasted long."""
    return any(
        "note" in answer
        or float(answer.get("seconds_with_checks", answer["seconds"])) > LONG_SECONDS
        for answer in answers
    )


def agreed_games(results: Iterable[Result]) -> dict[str, list[str]]:
    """Return for each number the games in which libraries agree on it; stop if any do not.

    Without that no ratio means anything.
    """
    agreed: dict[str, list[str]] = {key: [] for key in TOLERANCES}
    for result in results:
        for key, tolerance in TOLERANCES.items():
            told = {
                name: float(answer[key])
                for name, answers in result.answers.items()
                for answer in answers[:1]
                if key in answer
            }
            if len(told) < 2:
                continue
            if max(told.values()) - min(told.values()) > tolerance:
                sys.exit(f"{result.row.what} in {result.row.where}: {key} differs: {told}")
            if result.row.where not in agreed[key]:
                agreed[key].append(result.row.where)
    return agreed


def busy_elsewhere() -> float:
    """Return for how many seconds processors have worked for other processes than this and its children."""
    total = psutil.cpu_times()
    own = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return total.user + total.system - sum(sum(process.cpu_times()[:4]) for process in own)


def run(
    rows: list[Row], *, pythons: Mapping[str, str], seconds: float, rounds: int, out: Path
) -> list[Result]:
    """Measure all rows, write the two files and return what was measured."""
    with contextlib.ExitStack() as stack:
        contestants = {
            name: stack.enter_context(Contestant(name, MODULES[name], python))
            for name, python in pythons.items()
        }
        if contestants[POKERLAB].note:
            sys.exit(f"pokerlab: {contestants[POKERLAB].note}; install it first: make setup")
        busy, began = busy_elsewhere(), time.perf_counter()
        benchmark = Benchmark(contestants, seconds, rounds)
        bar = tqdm(rows, unit="row")
        results = []
        for row in bar:
            bar.set_description(f"{row.what} [{row.where}]")
            results.append(benchmark.measure(row))
        write(
            results,
            contestants,
            out,
            used_by_others=(busy_elsewhere() - busy) / (time.perf_counter() - began),
            agreed_games=agreed_games(results),
            seconds=seconds,
            rounds=rounds,
        )
        return results


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="pokerlab alone, tiny budgets")
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter with the peers")
    parser.add_argument("--seconds", type=float, default=0.5, help="least length of a chunk")
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="rows with a word in their task")
    parser.add_argument("--out", type=Path, default=ROOT / "figures", help="folder of the files")
    options = parser.parse_args()
    rows = [*COMPARED, *WAYS, *ALONE, *SCALE]
    if options.only:
        rows = [row for row in rows if any(word in row.task for word in options.only)]
    if options.smoke:
        rows = [row for row in rows if row.smoke]
        with tempfile.TemporaryDirectory() as folder:
            alone = {POKERLAB: sys.executable}
            results = run(rows, pythons=alone, seconds=0.02, rounds=1, out=Path(folder))
            print(Path(folder, "benchmark.md").read_text(encoding="utf-8"))
        failed = [f"{r.row.what}: {note}" for r in results if (note := r.note(POKERLAB))]
        sys.exit("; ".join(failed) or None)
    pythons = dict.fromkeys(MODULES, options.peer_python) | {POKERLAB: sys.executable}
    run(rows, pythons=pythons, seconds=options.seconds, rounds=options.rounds, out=options.out)
    print(f"written: {options.out}/benchmark.csv, benchmark.md")


if __name__ == "__main__":
    main()
