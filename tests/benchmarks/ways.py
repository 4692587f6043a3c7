"""The table of ways to an equilibrium: time to each NashConv, algorithm by algorithm."""

from collections.abc import Iterable, Sequence
from statistics import median

from tests.benchmarks.result import Result, duration, line, rule, three_digits
from tests.benchmarks.rows import PEERS, POKERLAB, TARGETS
from tests.benchmarks.stopwatch import WAY_SECONDS, to

KEYS = [to(target) for target in TARGETS]
EXACT = 1e-9  # a smaller NashConv is rounding

METHOD = (
    "- The ways to an equilibrium are timed without the checks, too, and end after"
    f" {WAY_SECONDS:g} s; then the table says where they stood. The ratio is that of the times to the"
    " smallest NashConv that both reached, or, with >, of the peer's whole time to pokerlab's time to"
    f" {TARGETS[0]:g}. OpenSpiel's PSRO mixes by the meta-game's Nash equilibrium, as a Nash memory does,"
    " and gets exact payoffs; its double oracle is for matrix games only. It reads the 6-card game from"
    " the .efg file that pokerlab writes."
)


def ways(results: Sequence[Result]) -> list[str]:
    """Return a table and a sentence for each game."""
    lines = []
    for game in dict.fromkeys(result.row.where for result in results):
        rows = [result for result in results if result.row.where == game]
        lines += [
            f"\n## Ways to an equilibrium: {game}\n",
            line("algorithm", "library", *KEYS, "pokerlab is faster", "NashConv at the end"),
            rule(2, 2 + len(KEYS)),
        ]
        for result in rows:
            for name in (POKERLAB, *PEERS):
                if result.answers.get(name):
                    algorithm = str(result.told(name, "algorithm") or result.row.what)
                    lines.append(line(algorithm, name, *cells(result, name)))
        lines.append(against_the_program(rows))
    return lines


def cells(result: Result, name: str) -> Iterable[str]:
    """Yield one contestant's times to the targets, the ratio, and where it stands at the end."""
    for key in KEYS:
        yield duration(result.seconds(name, key)) or "–"
    yield "" if name == POKERLAB else ratio(result, name)
    yield result.note(name) or end(result, name)


def ratio(result: Result, peer: str) -> str:
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
    program, *others = rows
    whole = program.seconds(POKERLAB, KEYS[-1])
    parts = [
        f"{result.row.what} {three_digits(median(taken) / median(whole))}"
        for result in others
        if whole and (taken := result.seconds(POKERLAB, KEYS[-1]))
    ]
    if not parts:
        return ""
    return f"\nTime {KEYS[-1]}, the linear program of pokerlab taken as 1: {', '.join(parts)}."
