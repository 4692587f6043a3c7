"""What an audit decides: a verdict on each result that a paper prints, and on each claim that can be checked.

The rule. Settings are not results: what we copied stands beside what the paper prints, and is not counted. A
result is what a reading's runs give, their spread over seeds, not a point. A claim is tested as it is worded, and about
several groups it is as strong as its weakest part. A question gets no verdict but an answer. What stands
on substitutes of ours, for agents or groups that are lost, is never *not met* for that reason.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.core.files import DATA
from pokerlab.papers.experiment import SETTING, VERDICTS, Published, read_published_numbers

MET, READING, CONDITION, NOT_MET, UNDECIDED, ANSWERED = VERDICTS
STRENGTH = (NOT_MET, UNDECIDED, READING, CONDITION, MET)
"""Verdicts on parts of a claim, the weakest first."""
RELATIONS = {"=": "", "<": "below ", "<=": "at most ", ">": "over ", ">=": "at least "}
FIRST_SCREEN = 160
"""Characters of evidence beside a claim on an audit's first screen, in whole sentences."""


class Number(NamedTuple):
    """A printed number, ours beside it as text, the verdict, and what decides it."""

    printed: Published
    ours: str
    verdict: str
    why: str

    def row(self) -> list[str]:
        """Return it as a row of a table: key, where, printed, ours, verdict, why."""
        one = self.printed
        printed = f"{RELATIONS[one.relation]}{one.value:,.7g} {one.unit}".strip()
        when = "" if np.isnan(one.iteration) else f", iteration {one.iteration:,.0f}"
        where = one.source.removesuffix(", text")
        return [one.key, where, printed + when, self.ours, f"**{self.verdict}**", self.why]


Table: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""Heads, and rows."""


class Claim(NamedTuple):
    """A sentence of the paper, where it stands, the verdict, the evidence, and the heading above it."""

    sentence: str
    source: str
    verdict: str
    evidence: str
    heading: str

    @property
    def why(self) -> str:
        """The first sentences of the evidence, at least one."""
        first, *others = re.split(r"(?<=[.?!]) (?=[^a-z])", self.evidence)
        for one in others:
            if len(first) + len(one) >= FIRST_SCREEN:
                break
            first += f" {one}"
        return first

    def row(self) -> list[str]:
        """Return it as a row of the first screen: claim, verdict, why, link."""
        link = f"[{self.heading}](<#{self.heading.replace(' ', '-')}>)" if self.heading else ""
        cells = [f"{self.sentence} ({self.source})", f"**{self.verdict}**", self.why, link]
        return [cell.replace("|", "\\|") for cell in cells]


class Audit:
    """The verdicts on one paper, a file in `data/published`, collected while its audit runs."""

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.printed = {row.key: row for row in read_published_numbers(paper)}
        self.claims: list[Claim] = []
        self.heading = ""
        self._numbers: dict[str, Number] = {}

    def under(self, heading: str) -> None:
        """Say under which heading of the notebook the claims that follow are judged, as it stands there."""
        self.heading = heading

    def setting(self, key: str, ours: float, why: str = "") -> Number:
        """Put our setting beside a printed one: the same, or ours differs."""
        settings = tuple(k for k, row in self.printed.items() if row.kind == SETTING)
        UnknownNameError.check("printed setting", key, settings)
        row = self.printed[key]
        same = ours <= row.value if row.relation == "<=" else np.isclose(ours, row.value, rtol=5e-4)
        text = "" if np.isnan(ours) else f"{ours:,.7g}"
        return self.keep(Number(row, text, "as printed" if same else "ours differs", why))

    def number(
        self, key: str, ours: str, verdict: str, why: str = "", *, substitutes: str = ""
    ) -> Number:
        """Judge a printed result; `substitutes` names what of ours it stands on, such as 'our Old agents'."""
        results = tuple(k for k, row in self.printed.items() if row.kind != SETTING)
        UnknownNameError.check("printed result", key, results)
        self.check(key, verdict, substitutes, VERDICTS[:-1])
        reason = f"on {substitutes}: {why}".removesuffix(": ") if substitutes else why
        return self.keep(Number(self.printed[key], ours, verdict, reason))

    def claim(
        self, sentence: str, source: str, verdict: str, evidence: str, *, substitutes: str = ""
    ) -> str:
        """Judge a claim, or answer a question, and return it as a line of Markdown."""
        self.check(sentence, verdict, substitutes, VERDICTS)
        if substitutes:
            evidence = f"On {substitutes}: {evidence}"
        self.claims.append(Claim(sentence, source, verdict, evidence, self.heading))
        return f"> {sentence} ({source}): **{verdict}**. {evidence}"

    def keep(self, number: Number) -> Number:
        """Keep a number, once."""
        key = number.printed.key
        if key in self._numbers:
            raise PokerlabError(f"{key} has a verdict already: {self._numbers[key].verdict}.")
        self._numbers[key] = number
        return number

    def check(self, what: str, verdict: str, substitutes: str, allowed: tuple[str, ...]) -> None:
        """Refuse what is no verdict, and what would blame a paper for substitutes of ours."""
        UnknownNameError.check("verdict", verdict, allowed)
        if substitutes and verdict == NOT_MET:
            raise PokerlabError(
                f"'{what}' is {NOT_MET} on {substitutes}, which the paper did not have. Give"
                f" '{UNDECIDED}', or a verdict that does not rest on them."
            )

    def numbers(self) -> list[Number]:
        """Return all printed results with their verdicts, in the order of the file."""
        missing = [key for key in self.printed if key not in self._numbers]
        if missing:
            raise PokerlabError(
                f"the audit of {self.paper} has no verdict on {', '.join(missing)}. Judge each with number(), or"
                " setting()."
            )
        return [self._numbers[key] for key, row in self.printed.items() if row.kind != SETTING]

    def settings(self) -> list[Number]:
        """Return the printed settings that stand beside ours, in the order of the file."""
        kept = (self._numbers.get(key) for key, row in self.printed.items() if row.kind == SETTING)
        return [one for one in kept if one]

    def settings_table(self) -> Table:
        """Return the printed settings beside ours."""
        return ["setting", "where", "printed", "ours", "", ""], [s.row() for s in self.settings()]

    def results_table(self) -> Table:
        """Return the printed results beside ours."""
        heads = ["result", "where", "printed", "ours", "verdict", "why"]
        return heads, [one.row() for one in self.numbers()]

    def first_screen(self) -> Table:
        """Return the claims with their verdicts, briefly why, and links to where the evidence stands."""
        return ["claim", "verdict", "why", "link"], [one.row() for one in self.claims]

    def summary(self) -> Table:
        """Return how many results and claims have which verdict."""
        kinds: Mapping[str, Sequence[Number | Claim]] = {
            "results": self.numbers(),
            "claims": [one for one in self.claims if not one.source.startswith(("ours", "thesis"))],
            "claims of the thesis": [one for one in self.claims if one.source.startswith("thesis")],
            "questions of ours": [one for one in self.claims if one.source == "ours"],
        }
        rows: list[Sequence[object]] = [
            [whose, *(sum(one.verdict == verdict for one in ones) for verdict in VERDICTS)]
            for whose, ones in kinds.items()
            if ones
        ]
        return ["", *VERDICTS], rows


def weakest(*verdicts: str) -> str:
    """Return the verdict on a claim about several groups, from those on each: it holds only if all do.

    A conjunction needs no correction over its parts: each is tested at the level of the whole.
    """
    return min(verdicts, key=STRENGTH.index)


def judged(
    printed: Published, rounding: float, readings: Mapping[str, ArrayLike]
) -> tuple[str, str]:
    """Return the verdict on a printed result by what each reading's runs give, and what decides it.

    `rounding` is half a unit of its last printed digit; `readings` has the values of the runs of all recorded
    readings, the default one first.
    """
    within = {}
    for name, values in readings.items():
        runs = np.atleast_1d(np.asarray(values, dtype=np.float64))
        least, most = runs.min() - rounding, runs.max() + rounding
        if least <= printed.value <= most:
            near = np.abs(runs - printed.value) <= rounding
            within[name] = (
                f"{near.sum()} of {runs.size} runs give it, from {runs.min():.4g} to {runs.max():.4g}"
            )
    default = next(iter(readings))
    if default in within:
        return MET, within[default]
    if within:
        return READING, "; ".join(f"{name}: {share}" for name, share in within.items())
    return NOT_MET, f"outside all of {len(readings)} readings"


def read_curves(name: str) -> NDArray[Any]:
    """Return what was read from a figure, `data/published/<name>.csv`: a record for each row, a field for each head."""
    source = DATA / "published" / f"{name}.csv"
    return np.genfromtxt(source, delimiter=",", names=True, dtype=None, encoding="utf-8")
