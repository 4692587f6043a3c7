"""Write the table for readers (ratios first), the same numbers for programs, and the plot."""

import csv
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median

from tests.benchmarks.contestant import Contestant
from tests.benchmarks.holdem_report import (
    HOLDEM_METHOD,
    holdem_headline,
    holdem_ratios,
    holdem_times,
)
from tests.benchmarks.holdem_rows import HOLDEM_ALONE, HOLDEM_COMPARED
from tests.benchmarks.plot import draw
from tests.benchmarks.result import Result, duration, line, rule, three_digits
from tests.benchmarks.rows import ALONE, PEERS, PER_ITERATION, POKERLAB, SCALE, SOLVING, WAYS, Row
from tests.benchmarks.stopwatch import LONG_SECONDS, SAME_PATH_ITERATIONS, to
from tests.benchmarks.ways import METHOD, end, ways

COLUMNS = (
    "what",
    "game",
    "task",
    "contestant",
    "version",
    "rounds",
    "seconds_median",
    "seconds_min",
    "seconds_max",
    "pokerlab_times_faster",
    "note",
)
COMPARED = [*PER_ITERATION, *SOLVING]
# A fifth of a processor is enough to show in the times.
BUSY_PROCESSORS = 0.2
BUSY = (
    " **The machine was busy with something else: times are too long, and ratios not to be quoted."
    " Run it again on an idle machine.**"
)


@dataclass(frozen=True, kw_only=True)
class Method:
    """How it was measured.

    Attributes
    ----------
    seconds, rounds : float, int
        Length of a chunk, and how many of them.
    used_by_others : float
        How many of the machine's processors everything else used meanwhile, on the average.
    agreed_games : mapping
        The games in which libraries were seen to agree, by the number they agree on.
    """

    seconds: float
    rounds: int
    used_by_others: float
    agreed_games: Mapping[str, Sequence[str]]


def write(
    results: Sequence[Result],
    contestants: Mapping[str, Contestant],
    method: Method,
    out: Path,
) -> None:
    """Write `benchmark.csv`, `benchmark.md` and `benchmark.png` into the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "benchmark.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(records(results, contestants))
    versions = ", ".join(
        f"{name} {contestant.version or contestant.note}"
        for name, contestant in contestants.items()
    )
    compared = chosen(results, COMPARED)
    drawn = draw(compared, headline(results), out / "benchmark.png")
    text = [
        "# How fast pokerlab is\n",
        " ".join(filter(None, [headline(results), holdem_headline(results)])) or "pokerlab alone.",
        "\n![How many times faster pokerlab is, row by row](benchmark.png)" if drawn else "",
        *sections(results),
        "\n## How it was measured\n",
        f"- Machine: {machine()}. {versions}. Everything else on it used {method.used_by_others:.2f}"
        " processors meanwhile." + (BUSY if method.used_by_others > BUSY_PROCESSORS else ""),
        f"- One thread each. Libraries take turns in chunks of about {method.seconds:g} s;"
        f" {method.rounds} rounds"
        " after a first, uncounted one. Times are medians of the rounds, ratios medians of the rounds' ratios."
        f" What lasts over {LONG_SECONDS:g} s is measured once.",
        "- Goals in seconds were set for a quiet core of a server of 2023 (AMD EPYC), and met there; a slower or"
        " shared core takes longer for all of it, and the ratios remain.",
        "- The same trees: the libraries were seen to agree on the uniform profile's NashConv"
        f" in {listed(method.agreed_games['uniform'])}. Leduc has its suits apart, 936 information"
        " sets. The same work: pokerlab's and LiteEFG's CFR were seen to reach the same NashConv"
        f" after {SAME_PATH_ITERATIONS} iterations in {listed(method.agreed_games['path'])}.",
        "- An iteration includes averaging. CFR is simultaneous in pokerlab and LiteEFG,"
        " alternating in OpenSpiel; CFR+ alternates everywhere.",
        "- The way to a NashConv is timed without the checks, which come whenever the iterations"
        " have grown by a tenth; each library takes the quickest of its algorithms.",
        METHOD,
        "- OpenSpiel's linear program walks the tree as it goes; pokerlab's starts from the compiled"
        " game, whose setting up is a row of its own.",
        *HOLDEM_METHOD,
        "- On your machine: `pip install '.[bench]'`, then `python -m tests.benchmarks.run`.",
    ]
    (out / "benchmark.md").write_text("\n".join(text) + "\n", encoding="utf-8")


def sections(results: Sequence[Result]) -> Iterable[str]:
    """Yield the lines of all tables that have any rows."""
    for rows, table in (
        (COMPARED, ratios),
        (HOLDEM_COMPARED, holdem_ratios),
        (COMPARED, raw_times),
        (WAYS, ways),
        (ALONE, partial(alone, "pokerlab alone")),
        (HOLDEM_COMPARED, holdem_times),
        (HOLDEM_ALONE, partial(alone, "Hold'em: pokerlab alone")),
        (SCALE, scale),
    ):
        if found := chosen(results, rows):
            yield from table(found)


def chosen(results: Iterable[Result], rows: Iterable[Row]) -> list[Result]:
    """Return the results of some rows."""
    wanted = list(rows)
    return [result for result in results if result.row in wanted]


def records(
    results: Iterable[Result], contestants: Mapping[str, Contestant]
) -> Iterable[Sequence[object]]:
    """Yield a line for each row and contestant."""
    for result in results:
        row = result.row
        for name in result.answers:
            if not result.answers[name]:
                continue
            task, of = (name, POKERLAB) if name == row.against else (row.task, name)
            for key in [to(target) for target in row.targets] or ["seconds"]:
                times = result.seconds(name, key)
                spread = (median(times), min(times), max(times)) if times else ("", "", "")
                faster = result.times_faster(name, key) if name in row.peers else None
                yield (
                    row.what,
                    row.where,
                    task if key == "seconds" else f"{task} {key}",
                    of,
                    contestants[of].version,
                    len(times),
                    *spread,
                    "" if faster is None else faster,
                    result.note(name) or (end(result, name) if row.targets else ""),
                )


def headline(results: Iterable[Result]) -> str:
    """Return the finding in one sentence, from the rows per iteration."""
    parts = []
    for peer in PEERS:
        ratios = [
            ratio
            for result in chosen(results, PER_ITERATION)
            if result.row.task != "nash_conv" and (ratio := result.times_faster(peer)) is not None
        ]
        if ratios:
            span = f"{min(ratios):.0f} to {max(ratios):.0f}"
            parts.append(f"{span} times faster than {peer}")
    return f"An iteration of pokerlab is {' and '.join(parts)}." if parts else ""


def ratios(results: Sequence[Result]) -> list[str]:
    """Return the table of ratios."""
    heads = [cell for peer in PEERS for cell in (f"than {peer}", "goal")]
    lines = ["\n## How many times faster\n", line("what", "game", *heads), rule(2, len(heads))]
    for result in results:
        cells = []
        for peer in PEERS:
            faster, goal = result.times_faster(peer), result.row.faster.get(peer)
            cells.append(f"**{three_digits(faster)}**" if faster else result.note(peer))
            cells.append(f"{goal:g}" if goal else "")
        lines.append(line(result.row.what, result.row.where, *cells))
    return lines


def raw_times(results: Sequence[Result]) -> list[str]:
    """Return the table of times, with the checks' share and the algorithm where there is one."""
    lines = [
        "\n## Times\n",
        line("what", "game", POKERLAB, "goal", *PEERS),
        rule(2, 2 + len(PEERS)),
    ]
    for result in results:
        goal = duration([result.row.within]) if result.row.within else ""
        ours, *theirs = (time_cell(result, name) for name in (POKERLAB, *PEERS))
        lines.append(line(result.row.what, result.row.where, ours, goal, *theirs))
    return lines


def time_cell(result: Result, name: str) -> str:
    """Return one contestant's time in words."""
    cell = duration(result.seconds(name)) or result.note(name)
    if with_checks := result.seconds(name, "seconds_with_checks"):
        cell += f" ({result.told(name, 'algorithm')}; {duration(with_checks)} with checks)"
    return cell


def alone(title: str, results: Sequence[Result]) -> list[str]:
    """Return the table of what only pokerlab was asked."""
    lines = [f"\n## {title}\n", line("what", "game", "measured", "goal"), rule(2, 2)]
    for result in results:
        row = result.row
        if row.against and (ratio := result.times_faster(row.against)) is not None:
            measured, goal = f"{1 / ratio:.2f}", f"{row.within:g}"
        else:
            measured = time_cell(result, POKERLAB)
            goal = duration([row.within]) if row.within else ""
        if split := result.told(POKERLAB, "split"):
            measured += f" ({split})"
        if isinstance(peak := result.told(POKERLAB, "peak_bytes"), float):
            measured += f", {megabytes(peak)} at most"
        if isinstance(decisions := result.told(POKERLAB, "decisions"), float):
            measured += f", {three_digits(decisions)} decisions a hand"
        if row.below_bytes:
            goal += f", {megabytes(row.below_bytes)}"
        lines.append(line(row.what, row.where, measured, goal))
    return lines


def megabytes(size: float) -> str:
    """Return bytes as millions of bytes."""
    return f"{size / 1e6:,.0f} MB"


def scale(results: Sequence[Result]) -> list[str]:
    """Return the table of cost against size."""
    lines = [
        "\n## An iteration of CFR grows with the terminals\n",
        line("game", "terminals", "an iteration", "per terminal"),
        rule(1, 3),
    ]
    for result in results:
        terminals, times = result.told(POKERLAB, "terminals"), result.seconds(POKERLAB)
        if isinstance(terminals, float) and times:
            each = duration([seconds / terminals for seconds in times])
            lines.append(line(result.row.where, f"{terminals:,.0f}", duration(times), each))
    return lines


def listed(games: Sequence[str]) -> str:
    """Return games as words."""
    return ", ".join(games) or "no game, as none was compared"


def machine() -> str:
    """Say what machine this is, without its name."""
    cpu = platform.processor() or platform.machine()
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        models = [
            text.partition(":")[2].strip()
            for text in listing.read_text(encoding="utf-8").splitlines()
            if text.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {version('numpy')}, numba {version('numba')}"
    )
