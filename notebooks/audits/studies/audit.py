"""What an audit decides: a verdict on each number that a paper prints, and on each claim that can be checked.

The rule is the same for what confirms a paper and for what contradicts it.

*Reproduced*: the default interpretation of the text gives it. *Reproduced under an interpretation*: the default one
does not, and of the other recorded interpretations more confirm it than contradict it; or a whole figure is given by
an interpretation that was chosen to fit it, in all of its independent values, which are more than the choices. *Holds
with a condition*: true if something is added that the paper does not say. *Not reproduced*: the default
interpretation contradicts it, and no recorded one gives it. *Inconclusive*: it differs from zero by less than its
error, or the default interpretation contradicts it, and of the others some confirm it, but no more than contradict
it. *Not testable*: what it was measured on is lost. What substitutes of ours give is recorded beside it and decides
nothing, neither for the paper nor against it. *Answered*: a belief, an open question, or a statement of what may
happen, which no run could contradict; this goes before all other verdicts. Questions of ours have answers only.

Settings are no results: what we copied stands beside what the paper prints, and is not counted. One fact is counted
once.
"""

import csv
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.core.files import DATA
from pokerlab.papers.experiment import SETTING, VERDICTS, Published, read_published_numbers

(
    REPRODUCED,
    INTERPRETED,
    CONDITIONAL,
    NOT_REPRODUCED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    ANSWERED,
) = VERDICTS
STRENGTH = (NOT_REPRODUCED, INCONCLUSIVE, NOT_TESTABLE, INTERPRETED, CONDITIONAL, REPRODUCED)
"""Verdicts on parts of a claim, the weakest first."""
OURS, THESIS, PAPER = "ours", "thesis", "paper"
"""Whose statement a row of a ledger judges. Only the paper's are counted with the paper."""
OUTCOMES = {True: "confirms it", False: "contradicts it", None: "leaves it open"}
RELATIONS = {"=": "", "<": "below ", "<=": "at most ", ">": "over ", ">=": "at least "}
LEDGERS = DATA / "verdicts"
REVISIONS = "revisions.csv"
WRITE_LEDGERS = "POKERLAB_WRITE_LEDGERS"
"""The environment variable that lets an audit write its ledger, instead of comparing itself with it."""
MOST_HEADLINES, MOST_WORDS = 8, 380
"""Of a card, which has to fit on a screen. Words are those of its sentences, without counts, heads and command."""
BELOW_FIGURE = '<br clear="right">'
"""Lets the table of a card begin below its figure."""
LINK = re.compile(r"\]\([^)]*\)")
"""The target of a link in Markdown."""
COMMAND = ".venv/bin/python -m tools.figures --scale paper"
"""Runs an audit, whose path follows."""
ANEW = "`make outputs` says how to compute those anew."
"""Of the stored runs from which an audit draws."""
Table: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""Heads, and rows."""


class Finding(NamedTuple):
    """A verdict, what decides it, and which interpretations other than the default confirm or contradict it.

    If one of them was chosen to fit a figure, `tried` says of how many.
    """

    verdict: str
    confirming: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    why: str = ""
    tried: int = 0


def weigh_interpretations(outcomes: Mapping[str, bool | np.bool_ | None]) -> Finding:
    """Return what the recorded interpretations of a statement decide together.

    Parameters
    ----------
    outcomes : mapping of str to bool or None
        By the name of the interpretation, the default one first: whether it confirms the statement (True), contradicts
        it (False), or leaves it within the error of what was measured (None).

    Examples
    --------
    >>> weigh_interpretations({"as printed": False, "in chips": True, "summed": None}).verdict
    'reproduced under an interpretation'
    >>> weigh_interpretations({"as printed": False, "in chips": True, "summed": False}).verdict
    'inconclusive'
    """
    (default_name, default), *others = (
        (name, None if outcome is None else bool(outcome))  # numpy's True is not True
        for name, outcome in outcomes.items()
    )
    confirming = tuple(name for name, outcome in others if outcome is True)
    contradicting = tuple(name for name, outcome in others if outcome is False)
    if default:
        verdict = REPRODUCED
    elif len(confirming) > len(contradicting):
        verdict = INTERPRETED
    elif default is False and not confirming:
        verdict = NOT_REPRODUCED
    else:
        verdict = INCONCLUSIVE
    why = f"The default interpretation ({default_name}) {OUTCOMES[default]}"
    if len(others) == 1:
        ((name, outcome),) = others
        why += f"; the other one ({name}) {OUTCOMES[outcome]}"
    elif others:
        why += f"; of {len(others)} others {len(confirming)} confirm it and {len(contradicting)} contradict it"
        why += f" (confirmed by: {'; '.join(confirming)})" * (verdict == INTERPRETED)
    return Finding(verdict, confirming, contradicting, why)


def weigh_fitted_figure(
    agreeing: int, values: int, choices: int, tried: int, chosen: Sequence[str]
) -> Finding:
    """Return what an interpretation decides that was chosen to fit a figure.

    Luck finds one of many interpretations that gives a single number. It finds none that gives a figure: so the
    number of interpretations that miss it does not count here, and the figure must come out whole.

    Parameters
    ----------
    agreeing, values : int
        How many independent values the figure has, and how many of them the interpretation gives.
    choices : int
        How many choices were free to be fitted.
    tried : int
        The number of interpretations that were tried.
    chosen : sequence of str
        The interpretations among them that give all values that any gives.
    """
    whole = agreeing == values > choices
    why = (
        f"{len(chosen)} of {tried} interpretations, made of {choices} choices, give {agreeing} of {values}"
        " independent values"
    )
    return Finding(INTERPRETED if whole else NOT_REPRODUCED, tuple(chosen), (), why, tried)


def weigh_runs(printed: Published, rounding: float, runs: Mapping[str, ArrayLike]) -> Finding:
    """Return the verdict on a printed result by what each interpretation's runs give, their spread over seeds.

    Parameters
    ----------
    printed : Published
        The result.
    rounding : float
        Half a unit of its last printed digit.
    runs : mapping of str to array_like
        The values of the runs by recorded interpretation, the default one first.
    """
    outcomes: dict[str, bool | None] = {}
    shares = []
    for name, values in runs.items():
        ours = np.atleast_1d(np.asarray(values, dtype=np.float64))
        outcomes[name] = bool(ours.min() - rounding <= printed.value <= ours.max() + rounding)
        if outcomes[name]:
            near = np.count_nonzero(np.abs(ours - printed.value) <= rounding)
            shares.append(
                f"{name}: {near} of {ours.size} runs give it, from {ours.min():.4g} to {ours.max():.4g}"
            )
    found = weigh_interpretations(outcomes)
    return found._replace(why="; ".join([found.why, *shares]))


def find_weakest(*verdicts: str) -> str:
    """Return the verdict on a claim about several groups, from those on each: it holds only if all do.

    A conjunction needs no correction over its parts: each is tested at the level of the whole.
    """
    return min(verdicts, key=STRENGTH.index)


class Row(NamedTuple):
    """A row of a ledger: a printed number or a claim, and the verdict on it.

    Attributes
    ----------
    key : str
        The key of the number in `data/published`, or the claim with its place, which no other row has.
    whose : str
        'paper', 'thesis' or 'ours'.
    place : str
        Where it stands.
    wording : str
        What the paper says, or what the number measures.
    printed, ours : str
        Both numbers with their units; '' for a claim in words.
    verdict : str
        One of `VERDICTS`.
    why : str
        What decides it; for a claim, the evidence.
    confirming, contradicting : str
        The number of interpretations other than the default that do; both '' if only one is recorded.
    substitutes : str
        What of ours stands in for something that is lost, and what came out on it, as a verdict; else ''.
    fact : str
        The name of the fact that several rows share, which is counted once; else ''.
    evidence : str
        The heading in the audit above what decides it.
    revisions : str
        The verdicts before this one, with dates and reasons.
    """

    key: str
    whose: str
    place: str
    wording: str
    printed: str
    ours: str
    verdict: str
    why: str
    confirming: str = ""
    contradicting: str = ""
    substitutes: str = ""
    fact: str = ""
    evidence: str = ""
    revisions: str = ""

    @property
    def decision(self) -> tuple[str, ...]:
        """What a run of the audit decides on any machine: not the last digits of its numbers.

        Nor what came out on substitutes: it decides nothing, and may hang on the time that a program takes here.
        """
        stands_on = self.substitutes.partition(": ")[0]
        return self.key, self.whose, self.verdict, stands_on, self.fact, self.evidence


class Card(NamedTuple):
    """What the card of a paper says that no run can compute.

    Attributes
    ----------
    paper : str
        Authors, year, title, with the link to the paper.
    claims : str
        What it claims, in two sentences that say so.
    takeaway : str
        What a reader may take from it, in one sentence of ours.
    guessed : str
        What its text leaves open, and what we take.
    wrong : str
        What is wrong in its text, and the best defense of it.
    again : str
        How long the command takes that draws it again, and from which stored runs: core-hours, the seed.
    figure : str
        The name of a figure in `figures`.
    alt : str
        What is to be seen on it.
    """

    paper: str
    claims: str
    takeaway: str
    guessed: str
    wrong: str
    again: str
    figure: str
    alt: str


class Audit:
    """The verdicts on one paper, a file in `data/published`, collected while its audit runs."""

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.printed = {row.key: row for row in read_published_numbers(paper)}
        self.heading = ""
        self._rows: dict[str, Row] = {}
        self._tried: dict[str, int] = {}
        self._settings: dict[str, Sequence[object]] = {}

    def under(self, heading: str) -> None:
        """Say under which heading of the notebook the statements that follow are judged, as it stands there."""
        self.heading = heading

    def setting(self, key: str, ours: float, why: str = "") -> None:
        """Put our setting beside a printed one: the same, or ours differs."""
        settings = tuple(k for k, row in self.printed.items() if row.kind == SETTING)
        UnknownNameError.check("printed setting", key, settings)
        row = self.printed[key]
        same = ours <= row.value if row.relation == "<=" else np.isclose(ours, row.value, rtol=5e-4)
        text = "" if np.isnan(ours) else f"{ours:,.7g}"
        given = "as printed" if same else "ours differs"
        self._settings[key] = [key, place_of(row), format_printed(row), text, given, why]

    def number(
        self,
        key: str,
        ours: str,
        found: str | Finding,
        why: str = "",
        *,
        substitutes: str = "",
        fact: str = "",
    ) -> None:
        """Judge a printed result.

        Parameters
        ----------
        key : str
            The key in `data/published`.
        ours : str
            Our number, as text.
        found : str or Finding
            A verdict, or what a function such as `weigh_runs` returns.
        why : str, optional
            What decides it, after the words of the finding.
        substitutes : str, optional
            What of ours it stands on in place of something lost, such as 'our Old agents'. The row is then not
            testable, and `found` is what came out on the substitutes.
        fact : str, optional
            The name of the fact that this row shares with others.
        """
        results = tuple(k for k, row in self.printed.items() if row.kind != SETTING)
        UnknownNameError.check("printed result", key, results)
        printed = self.printed[key]
        row = Row(
            key,
            PAPER,
            place_of(printed),
            f"{printed.game}: {printed.column.replace('_', ' ')}",
            format_printed(printed),
            ours,
            "",
            why,
            fact=fact,
        )
        self._keep(row, found, substitutes)

    def claim(
        self,
        sentence: str,
        source: str,
        found: str | Finding,
        evidence: str,
        *,
        substitutes: str = "",
        fact: str = "",
    ) -> str:
        """Judge a claim, or answer a question, and return it as a line of Markdown.

        Parameters
        ----------
        sentence : str
            The claim in the words of the paper, or nearly.
        source : str
            Where it stands; 'thesis, ...' for a claim of a thesis behind the paper, 'ours' for a question of ours.
        found, substitutes, fact
            As in `number`.
        evidence : str
            What decides it, in whole sentences.
        """
        whose = next((one for one in (OURS, THESIS) if source.startswith(one)), PAPER)
        row = Row(
            f"{sentence} ({source})", whose, source, sentence, "", "", "", evidence, fact=fact
        )
        kept = self._keep(row, found, substitutes)
        return f"> {kept.key}: **{kept.verdict}**. {kept.why}"

    def _keep(self, row: Row, found: str | Finding, substitutes: str) -> Row:
        """Give a row its verdict by the rule, keep it, once, and return it."""
        finding = found if isinstance(found, Finding) else Finding(found)
        UnknownNameError.check("verdict", finding.verdict, VERDICTS)
        verdict = finding.verdict
        if row.key in self._rows:
            raise PokerlabError(f"{row.key} has a verdict already: {self._rows[row.key].verdict}.")
        if verdict == INTERPRETED and not finding.confirming:
            raise PokerlabError(
                f"'{row.key}' is {INTERPRETED}, and which ones were tried is not said. Pass what"
                " weigh_interpretations or weigh_runs returns."
            )
        if row.whose == OURS and verdict != ANSWERED:
            raise PokerlabError(f"'{row.key}' is a question of ours. Give '{ANSWERED}'.")
        if row.key in self.printed and verdict == ANSWERED:
            raise PokerlabError(f"{row.key} is a printed number, which is no question.")
        if substitutes and verdict != ANSWERED:
            substitutes, verdict = f"{substitutes}: {verdict}", NOT_TESTABLE
        several = bool(finding.confirming or finding.contradicting)
        kept = row._replace(
            verdict=verdict,
            why=" ".join(filter(None, [finding.why and f"{finding.why}.", row.why])),
            confirming=str(len(finding.confirming)) if several else "",
            contradicting=str(len(finding.contradicting)) if several else "",
            substitutes=substitutes,
            evidence=self.heading,
        )
        self._rows[row.key], self._tried[row.key] = kept, finding.tried
        return kept

    def rows(self) -> list[Row]:
        """Return the ledger: printed results in the order of their file, then claims as they were judged."""
        results = [key for key, row in self.printed.items() if row.kind != SETTING]
        missing = [key for key in results if key not in self._rows]
        if missing:
            raise PokerlabError(
                f"the audit of {self.paper} has no verdict on {', '.join(missing)}. Judge each with number()."
            )
        claims = [row for key, row in self._rows.items() if key not in self.printed]
        return [*(self._rows[key] for key in results), *claims]

    def settings_table(self) -> Table:
        """Return the printed settings beside ours, in the order of the file."""
        heads = ["setting", "where", "printed", "ours", "same", "why"]
        return heads, [self._settings[key] for key in self.printed if key in self._settings]

    def results_table(self) -> Table:
        """Return the printed results beside ours."""
        heads = ["result", "where", "printed", "ours", "verdict", "why"]
        rows = [row for row in self.rows() if row.printed]
        return heads, [
            [r.key, r.place, r.printed, r.ours, f"**{r.verdict}**", r.why.replace("|", "\\|")]
            for r in rows
        ]

    def card(
        self, about: Card, headlines: Mapping[str, str], statements: Mapping[str, str] | None = None
    ) -> str:
        """Return the card of the paper as Markdown, which fits on a screen of 1280 by 800.

        The table stands below the paragraphs, which have the figure at their side.

        Parameters
        ----------
        about : Card
            What no run computes.
        headlines : mapping of str to str
            At most eight keys of rows, and what our run gives for each in a few words. Those that fail stand first.
        statements : mapping of str to str, optional
            What the paper says, in a few words, for rows whose wording is long or a number without words.
        """
        if len(headlines) > MOST_HEADLINES:
            raise PokerlabError(
                f"a card has at most {MOST_HEADLINES} headlines; these are {len(headlines)}."
            )
        for key in headlines:
            UnknownNameError.check("row of the ledger", key, tuple(self._rows))
        chosen = sorted((self._rows[key] for key in headlines), key=rank_verdict)
        said = {row.key: row.wording for row in chosen} | dict(statements or {})
        verdicts = [f"{r.verdict}{describe_others(r, self._tried[r.key])}" for r in chosen]
        lines = [
            f"| {verdict} | {link_evidence(row, said[row.key])} | {headlines[row.key]} |"
            for verdict, row in zip(verdicts, chosen, strict=True)
        ]
        notebook = f"notebooks/audits/{self.paper.replace('-', '_')}.ipynb"
        card = "\n".join(
            [
                f'<img src="../../figures/{about.figure}.png" alt="{about.alt}" align="right" width="420">',
                "",
                f"{about.paper}. {about.claims}",
                "",
                f"**What a reader may take from it.** {about.takeaway}",
                "",
                f"**Wrong in the text.** {about.wrong}",
                "",
                f"**Guessed.** {about.guessed}",
                "",
                describe_counts(count(self.rows())),
                "",
                BELOW_FIGURE,
                "",
                "| verdict | what the paper says | what we find |",
                "|---|---|---|",
                *lines,
                "",
                f"**Run it again.** `{COMMAND} {notebook}` {about.again} {ANEW}",
            ]
        )
        sentences = (
            about.paper,
            about.claims,
            about.takeaway,
            about.wrong,
            about.guessed,
            about.again,
        )
        told = [*sentences, *(said[row.key] for row in chosen), *headlines.values()]
        words = len(LINK.sub("", " ".join(told)).split())
        if words > MOST_WORDS:
            raise PokerlabError(
                f"a card has at most {MOST_WORDS} words; this one has {words}. Leave out an idea."
            )
        return card

    def keep_ledger(self, folder: Path = LEDGERS) -> str:
        """Compare the verdicts with the ledger of the paper and return a sentence about it, or write the ledger.

        It is written if the environment variable POKERLAB_WRITE_LEDGERS is set, and otherwise only compared: on another
        processor last digits of our numbers differ, but no verdict does.

        Raises
        ------
        PokerlabError
            If a verdict differs from the ledger's.
        """
        path = folder / f"{self.paper}.csv"
        rows = add_revisions(self.rows(), self.paper, folder / REVISIONS)
        if os.environ.get(WRITE_LEDGERS):
            write_ledger(path, rows)
        before = {row.key: row.decision for row in read_ledger(path)}
        now = {row.key: row.decision for row in rows}
        differ = [key for key in {**before, **now} if before.get(key) != now.get(key)]
        if differ:
            raise PokerlabError(
                f"the verdict on '{differ[0]}' is {now.get(differ[0])}, and {before.get(differ[0])} in {path.name}"
                f" ({len(differ)} rows differ). If the new ones are right, say why in {REVISIONS} and run this"
                f" audit with {WRITE_LEDGERS}=1."
            )
        return f"The ledger `data/verdicts/{path.name}` has the same {len(rows)} rows."


def place_of(printed: Published) -> str:
    """Return where a number is printed."""
    return printed.source.removesuffix(", text")


def format_printed(printed: Published) -> str:
    """Return a number as it is printed, with its unit and iteration."""
    number = f"{RELATIONS[printed.relation]}{printed.value:,.7g} {printed.unit}".strip()
    if np.isnan(printed.iteration):
        return number
    return f"{number}, iteration {printed.iteration:,.0f}"


def link_evidence(row: Row, said: str) -> str:
    """Return a statement with its place, which leads to the evidence."""
    said = said.replace("|", "\\|")
    return f"{said} ([{row.place}](<#{row.evidence.replace(' ', '-')}>))"


def describe_others(row: Row, tried: int = 0) -> str:
    """Return in parentheses how many interpretations confirm and contradict a row; '' if only one is recorded.

    Parameters
    ----------
    row : Row
        Of a ledger. Its counts leave out the default interpretation.
    tried : int, optional
        Of how many interpretations some were chosen to fit a figure; all that were not chosen miss it.

    Examples
    --------
    >>> row = Row("a", PAPER, "", "", "", "", INCONCLUSIVE, "", confirming="1", contradicting="2")
    >>> describe_others(row)
    ' (other readings: 1 confirms, 2 contradict)'
    """
    if not row.confirming:
        return ""
    if tried:
        return f" ({row.confirming} of {tried} readings give it)"
    words = "other readings, with our substitutes" if row.substitutes else "other readings"
    confirm, contradict = (
        f"{number} {verb}{'s' * (number == '1')}"
        for number, verb in ((row.confirming, "confirm"), (row.contradicting, "contradict"))
    )
    return f" ({words}: {confirm}, {contradict})"


def rank_verdict(row: Row) -> int:
    """Return the place of a row among others: what fails stands first, answers last."""
    order = (
        NOT_REPRODUCED,
        INCONCLUSIVE,
        CONDITIONAL,
        INTERPRETED,
        REPRODUCED,
        NOT_TESTABLE,
        ANSWERED,
    )
    return order.index(row.verdict)


def count(rows: Sequence[Row]) -> Counter[str]:
    """Return how many statements of the paper have which verdict, each fact counted once, by its weakest row."""
    counted: Counter[str] = Counter()
    facts: dict[str, list[str]] = {}
    for row in rows:
        if row.whose != PAPER:
            continue
        if row.fact:
            facts.setdefault(row.fact, []).append(row.verdict)
        else:
            counted[row.verdict] += 1
    for verdicts in facts.values():
        judged = [verdict for verdict in verdicts if verdict != ANSWERED]
        counted[find_weakest(*judged) if judged else ANSWERED] += 1
    return counted


def describe_counts(counted: Mapping[str, int]) -> str:
    """Return the counts of all verdicts as a sentence: never one number without the others."""
    parts = [f"{counted[verdict]} {verdict}" for verdict in VERDICTS]
    return f"**{sum(counted.values())} statements**: {', '.join(parts)}."


def add_revisions(rows: Sequence[Row], paper: str, path: Path) -> list[Row]:
    """Return the rows with what was said before, from the table of revisions."""
    with path.open(encoding="utf-8") as lines:
        revisions = [row for row in csv.DictReader(lines) if row["what"] == "verdict"]
    told: dict[str, list[str]] = {}
    for one in revisions:
        if one["paper"] == paper.replace("-", "_"):
            change = f"{one['before'] or 'new'} to {one['after']}"
            told.setdefault(one["key"], []).append(f"{one['date']}: {change}. {one['why']}".strip())
    return [row._replace(revisions=" ".join(told.get(row.key, ()))) for row in rows]


def write_ledger(path: Path, rows: Sequence[Row]) -> None:
    """Write a ledger, a row a statement, with heads."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(rows)


def read_ledger(path: Path) -> list[Row]:
    """Return the rows of a ledger; none if there is no such file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def read_curves(name: str) -> NDArray[Any]:
    """Return what was read from a figure, `data/published/<name>.csv`: a record for each row, a field for each head."""
    source = DATA / "published" / f"{name}.csv"
    return np.genfromtxt(source, delimiter=",", names=True, dtype=None, encoding="utf-8")
