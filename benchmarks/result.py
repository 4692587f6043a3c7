"""What was measured in a row, and the numbers that the table takes from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.rows import POKERLAB, Row
from benchmarks.stopwatch import Answer

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True)
class Result:
    """All answers of a row by contestant, round by round; none where nobody was asked."""

    row: Row
    answers: Mapping[str, Sequence[Answer]]

    def seconds(self, name: str, key: str = "seconds") -> list[float]:
        """Return the rounds' times of one contestant."""
        return [float(answer[key]) for answer in self.answers.get(name, ()) if key in answer]

    def note(self, name: str) -> str:
        """Return why there is no time, if there is none."""
        notes = [str(answer["note"]) for answer in self.answers.get(name, ()) if "note" in answer]
        return notes[0] if notes else "" if self.seconds(name) else "–"

    def told(self, name: str, key: str) -> float | str | None:
        """Return what else the last answer told."""
        answers = self.answers.get(name, ())
        return answers[-1].get(key) if answers else None

    def times_faster(self, peer: str, key: str = "seconds") -> float | None:
        """Return a peer's time over pokerlab's, the median over rounds.

        Rounds are compared one by one, because the two stood next to each other in time; a peer
        that was measured once is compared with pokerlab's median.
        """
        theirs, ours = self.seconds(peer, key), self.seconds(POKERLAB, key)
        if not theirs or not ours:
            return None
        if len(theirs) != len(ours):
            return median(theirs) / median(ours)
        return median(a / b for a, b in zip(theirs, ours, strict=True))


def duration(seconds: Sequence[float]) -> str:
    """Return the median in a unit that suits it, three digits."""
    if not seconds:
        return ""
    middle = median(seconds)
    size, unit = next((pair for pair in UNITS if middle >= pair[0]), UNITS[-1])
    return f"{three_digits(middle / size)} {unit}"


def three_digits(number: float) -> str:
    """Return three significant digits, never in powers of ten."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def table(
    title: str, words: Sequence[str], numbers: Sequence[str], lines: Iterable[Sequence[str]]
) -> list[str]:
    rule = [*["---"] * len(words), *["---:"] * len(numbers)]
    return [
        f"\n## {title}\n",
        *(f"| {' | '.join(cells)} |" for cells in ([*words, *numbers], rule, *lines)),
    ]
