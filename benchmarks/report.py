"""Write the tables for readers and the same numbers for programs."""

import csv
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

from benchmarks import hands, stopwatch
from benchmarks.contestant import Contestant
from benchmarks.result import Result, duration, table, three_digits
from benchmarks.rows import ALONE, COMPARED, POKERLAB, SCALE, SOLVERS, TARGETS, WAYS
from benchmarks.stopwatch import to

COLUMNS = (
    *("what", "game", "task", "contestant", "version", "rounds"),
    *("seconds_median", "seconds_min", "seconds_max", "pokerlab_times_faster", "note"),
)
KEYS = [to(target) for target in TARGETS]
EXACT = 1e-9  # a smaller NashConv is rounding
# A fifth of a processor is enough to show in the times.
BUSY_PROCESSORS = 0.2
BUSY = (
    " **The machine was busy with something else, which shared its caches: times are too long, and ratios not to be"
    " quoted. Run it again on an idle machine.**"
)


def write(
    results: Sequence[Result],
    contestants: Mapping[str, Contestant],
    out: Path,
    *,
    used_by_others: float,
    agreed_games: Mapping[str, Sequence[str]],
    **how: float,
) -> None:
    """Write `benchmark.csv` and `benchmark.md` into the folder `out`.

    Everything else used so many of the machine's processors meanwhile; libraries agreed in some games
    on some numbers.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (out / "benchmark.csv").open("w", newline="", encoding="utf-8") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerow(COLUMNS)
        written.writerows(records(results, contestants))
    versions = ", ".join(
        f"{name} {each.version or each.note}" for name, each in contestants.items()
    )
    agreed = {
        key: ", ".join(agreed_games[key]) or "no game, as none was compared"
        for key in ("uniform", "path")
    }
    remarks = Path(__file__).with_name("method.md").read_text(encoding="utf-8")
    text = [
        "# How fast pokerlab is\n",
        headline(results) or "pokerlab alone.",
        *sections(results),
        "\n## How it was measured\n",
        f"- Machine: {machine()}. {versions}. Everything else on it used {used_by_others:.2f}"
        " processors meanwhile." + (BUSY if used_by_others > BUSY_PROCESSORS else ""),
        remarks.format_map({**vars(hands), **vars(stopwatch), **agreed, **how, "TARGETS": TARGETS}),
    ]
    (out / "benchmark.md").write_text("\n".join(text), encoding="utf-8")


def sections(results: Sequence[Result]) -> Iterable[str]:
    """Yield the lines of all tables that have any rows."""
    for rows, lines_of in ((COMPARED, compared), (WAYS, ways), (ALONE, alone), (SCALE, scale)):
        if found := [result for result in results if result.row in rows]:
            yield from lines_of(found)


def records(
    results: Iterable[Result], contestants: Mapping[str, Contestant]
) -> Iterable[Sequence[object]]:
    """Yield a line for each row and contestant."""
    for result in results:
        row = result.row
        for name in filter(result.answers.get, result.answers):
            task, of = (name, POKERLAB) if name == row.against else (row.task, name)
            for key in [to(target) for target in row.targets] or ["seconds"]:
                seconds = result.seconds(name, key)
                yield (
                    row.what,
                    row.where,
                    task if key == "seconds" else f"{task} {key}",
                    of,
                    contestants[of].version,
                    len(seconds),
                    *((median(seconds), min(seconds), max(seconds)) if seconds else ("",) * 3),
                    (result.times_faster(name, key) if name in row.peers else None) or "",
                    result.note(name) or (end(result, name) if row.targets else ""),
                )


def headline(results: Iterable[Result]) -> str:
    """Return the finding: from the rows per iteration, and from six-seat hands."""
    iterations: dict[str, list[float]] = {}
    six_seats = []
    for result in results:
        for peer in result.row.peers:
            if ratio := result.times_faster(peer):
                if result.row.task in ("cfr", "cfr_plus"):
                    iterations.setdefault(peer, []).append(ratio)
                elif (result.row.task, result.row.game) == ("hands", "six_seats"):
                    six_seats.append(f"{three_digits(ratio)} times faster than {peer}")
    spans = [
        f"{min(found):.0f} to {max(found):.0f} times faster than {peer}"
        for peer, found in iterations.items()
    ]
    said = [f"An iteration of pokerlab is {', '.join(spans)}."] if spans else []
    said += [f"Six-seat no-limit hold'em is {', '.join(six_seats)}."] if six_seats else []
    return " ".join(said)


def compared(results: Sequence[Result]) -> list[str]:
    """Return the table of times and ratios: a line for each row and contestant."""
    lines = []
    for result in results:
        row = result.row
        for name in (POKERLAB, *row.peers):
            faster = result.times_faster(name) if name in row.peers else None
            ratio = f"**{three_digits(faster)}**" if faster else ""
            least = f"{row.faster[name]:,g}" if name in row.faster else ""
            aim = goal(result) if name == POKERLAB else least
            lines.append((row.what, row.where, name, time_cell(result, name), ratio, aim))
    heads = ("what", "game", "library"), ("time", "pokerlab is faster", "goal")
    return table("Times, and how many times faster", *heads, lines)


def goal(result: Result) -> str:
    row = result.row
    goals = [duration([row.within])] if row.within else []
    return ", ".join(goals + ([megabytes(row.below_bytes)] if row.below_bytes else []))


def time_cell(result: Result, name: str) -> str:
    """Return one contestant's time in words, with what else it told."""
    cell = duration(result.seconds(name)) or result.note(name)
    if with_checks := result.seconds(name, "seconds_with_checks"):
        cell += f" ({result.told(name, 'algorithm')}; {duration(with_checks)} with checks)"
    if peak := result.told(name, "peak_bytes"):
        more = float(peak) - float(result.told(name, "peak_bytes_before") or 0.0)
        cell += f", {megabytes(float(peak))} at most, {megabytes(more)} of it for the game"
    if decisions := result.told(name, "decisions"):
        cell += f", {three_digits(float(decisions))} decisions a hand"
    return cell


def alone(results: Sequence[Result]) -> list[str]:
    """Return the table of what only pokerlab was asked."""
    lines = []
    for result in results:
        row = result.row
        ratio = result.times_faster(row.against) if row.against else None
        cells = time_cell(result, POKERLAB), goal(result)
        if ratio is not None:
            cells = f"{1 / ratio:.2f}", f"{row.within:g}" if row.within else ""
        lines.append((row.what, row.where, *cells))
    return table("pokerlab alone", ("what", "game"), ("measured", "goal"), lines)


def megabytes(size: float) -> str:
    return f"{three_digits(size / 1e6)} MB"


def scale(results: Sequence[Result]) -> list[str]:
    """Return the table of cost against size."""
    lines = []
    for result in results:
        terminals, seconds = result.told(POKERLAB, "terminals"), result.seconds(POKERLAB)
        if terminals and seconds:
            each = duration([one / float(terminals) for one in seconds])
            lines.append((result.row.where, f"{terminals:,.0f}", duration(seconds), each))
    heads = ("game",), ("terminals", "an iteration", "per terminal")
    return table("An iteration of CFR grows with the terminals", *heads, lines)


def ways(results: Sequence[Result]) -> list[str]:
    """Return a table of ways to an equilibrium and a sentence for each game."""
    text = []
    for game in dict.fromkeys(result.row.where for result in results):
        rows = [result for result in results if result.row.where == game]
        lines = [
            (
                str(result.told(name, "algorithm") or result.row.what),
                name,
                *(duration(result.seconds(name, key)) or "–" for key in KEYS),
                "" if name == POKERLAB else way_ratio(result, name),
                result.note(name) or end(result, name),
            )
            for result in rows
            for name in (POKERLAB, *SOLVERS)
            if result.answers.get(name)
        ]
        heads = ("algorithm", "library"), (*KEYS, "pokerlab is faster", "NashConv at the end")
        text += table(f"Ways to an equilibrium: {game}", *heads, lines)
        text.append(against_the_program(rows))
    return text


def way_ratio(result: Result, peer: str) -> str:
    """Return how many times faster pokerlab is, to the smallest NashConv that both reached."""
    for key in reversed(KEYS):
        if faster := result.times_faster(peer, key):
            return f"**{three_digits(faster)}**"
    whole, first = result.seconds(peer), result.seconds(POKERLAB, KEYS[0])
    return f"> {three_digits(median(whole) / median(first))}" if whole and first else ""


def end(result: Result, name: str) -> str:
    """Return the NashConv at the end, and after how long."""
    left, count = (float(result.told(name, key) or 0.0) for key in ("nash_conv", "iterations"))
    stands = "0" if left < EXACT else three_digits(left) if left >= 1e-3 else f"{left:.1e}"
    rounds = "1 round" if count == 1 else f"{count:,.0f} rounds"
    return f"{stands} ({rounds}, {duration(result.seconds(name))})"


def against_the_program(rows: Sequence[Result]) -> str:
    """Return how long pokerlab's algorithms take, as multiples of its linear program's time."""
    whole, *others = ((row.row.what, row.seconds(POKERLAB, KEYS[-1])) for row in rows)
    parts = [
        f"{what} {three_digits(median(taken) / median(whole[1]))}"
        for what, taken in others
        if whole[1] and taken
    ]
    if not parts:
        return ""
    return f"\nTime {KEYS[-1]}, the linear program of pokerlab taken as 1: {', '.join(parts)}."


def machine() -> str:
    """Say what machine this is, without its name."""
    cpu = platform.processor() or platform.machine()
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        entries = listing.read_text(encoding="utf-8").splitlines()
        models = [entry.partition(":")[2].strip() for entry in entries if "model name" in entry]
        cpu = models[0] if models else cpu
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {version('numpy')}, numba {version('numba')}"
    )
