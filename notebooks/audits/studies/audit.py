"""The verdicts of an audit: on each number that a paper prints, and on each claim that can be checked.

A statement is judged by its *interpretations*: ways to read what the text leaves open, one of which is the default. An
interpretation confirms the statement, contradicts it, or leaves it open, because the difference is within the error of
what was measured. The rule for verdicts is the same for what confirms a paper and for what contradicts it:

* *Reproduced*: the default interpretation confirms the statement.
* *Reproduced under an interpretation*: the default interpretation does not confirm it, and more of the others confirm
  it than contradict it. Or an interpretation was chosen to fit a whole figure, and gives all of its independent values,
  which are more than the free choices.
* *Holds with a condition*: the statement is true if something is added that the paper does not say.
* *Not reproduced*: the default interpretation contradicts it, and no other confirms it.
* *Inconclusive*: the default interpretation leaves it open; or contradicts it, and of the others some confirm it, but
  no more than contradict it.
* *Not testable*: what it was measured on is lost. What comes out with our substitutes is recorded beside the verdict,
  and counts neither for the paper nor against it.
* *Answered*: a belief, an open question, or a statement of what may happen, which no run could contradict. This verdict
  goes before all others. Our own questions are always answered.

The settings of a paper are not results. Those that we copied stand beside what the paper prints, and are not counted. A
fact that several statements share is counted once.

The *ledger* of a paper, a file in `data/verdicts`, has a row for each statement that was judged. The *card* of a paper
is the summary at the top of its audit.
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
"""The verdicts on parts of a claim, the weakest first."""
CARD_ORDER = (
    NOT_REPRODUCED,
    INCONCLUSIVE,
    CONDITIONAL,
    INTERPRETED,
    REPRODUCED,
    NOT_TESTABLE,
    ANSWERED,
)
"""The order of verdicts on a card: statements that fail come first."""
OURS, THESIS, PAPER = "ours", "thesis", "paper"
"""Whose statement a row of a ledger judges. Only the paper's own statements are counted."""
OUTCOME_WORDS = {True: "confirms it", False: "contradicts it", None: "leaves it open"}
"""What an interpretation does to a statement, by its outcome."""
RELATION_WORDS = {"=": "", "<": "below ", "<=": "at most ", ">": "over ", ">=": "at least "}
"""The word before a printed number, by its relation to the measured one."""
SETTING_TOLERANCE = 5e-4
"""The relative difference within which our setting is the same as the printed one."""
LEDGERS = DATA / "verdicts"
"""The folder of the ledgers."""
REVISIONS = "revisions.csv"
"""The file in that folder with all verdicts that changed."""
WRITE_LEDGERS = "POKERLAB_WRITE_LEDGERS"
"""The environment variable that makes an audit write its ledger; without it, the audit compares itself with it."""
MOST_HEADLINES, MOST_WORDS = 8, 380
"""The largest number of headlines and of words on a card, so that it fits on a screen.

Words are those of its sentences, without counts, heads and command.
"""
BELOW_FIGURE = '<br clear="right">'
"""The HTML after which the table of a card starts, below the figure."""
LINK_TARGET = re.compile(r"\]\([^)]*\)")
"""The target of a link in Markdown, with the bracket that closes its text."""
COMMAND = ".venv/bin/python -m tools.figures --scale paper"
"""The command that runs an audit; the path of the audit follows it."""
STORED_RUNS_NOTE = "`make outputs` says how to compute those anew."
"""A sentence about the stored runs from which an audit draws its figures."""
Table: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""The heads of a table, and its rows."""


class Finding(NamedTuple):
    """A verdict on a statement of a paper, and what decides it.

    Attributes
    ----------
    verdict : str
        One of `VERDICTS`.
    confirming, contradicting : tuple of str
        The interpretations other than the default that confirm or contradict the statement.
    why : str
        What decides the verdict, without a period at the end; '' if it needs no words.
    num_tried : int
        The number of interpretations among which those in `confirming` were chosen to fit a figure; 0 if none was
        chosen.
    """

    verdict: str
    confirming: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    why: str = ""
    num_tried: int = 0


def decide_verdict_by_interpretations(outcomes: Mapping[str, bool | np.bool_ | None]) -> Finding:
    """Return the verdict on a statement from the outcomes of all of its interpretations.

    Parameters
    ----------
    outcomes : mapping of str to bool or None
        The outcome by the name of the interpretation, the default one first: True if the interpretation confirms the
        statement, False if it contradicts it, None if it leaves it open.

    Examples
    --------
    >>> decide_verdict_by_interpretations({"as printed": False, "in chips": True, "summed": None}).verdict
    'reproduced under an interpretation'
    >>> decide_verdict_by_interpretations({"as printed": False, "in chips": True, "summed": False}).verdict
    'inconclusive'
    """
    # Outcomes of numpy become Python's, because they are compared by `is`.
    python_outcomes = {
        name: None if outcome is None else bool(outcome) for name, outcome in outcomes.items()
    }
    default_name = next(iter(python_outcomes))
    default = python_outcomes.pop(default_name)
    confirming = tuple(name for name, outcome in python_outcomes.items() if outcome is True)
    contradicting = tuple(name for name, outcome in python_outcomes.items() if outcome is False)

    if default is True:
        verdict = REPRODUCED
    elif len(confirming) > len(contradicting):
        verdict = INTERPRETED
    elif default is False and not confirming:
        verdict = NOT_REPRODUCED
    else:
        verdict = INCONCLUSIVE

    why = f"The default interpretation ({default_name}) {OUTCOME_WORDS[default]}"
    if len(python_outcomes) == 1:
        ((name, outcome),) = python_outcomes.items()
        why += f"; the other one ({name}) {OUTCOME_WORDS[outcome]}"
    elif python_outcomes:
        why += f"; of {len(python_outcomes)} others {len(confirming)} confirm it and {len(contradicting)} contradict it"
        if verdict == INTERPRETED:
            why += f" (confirmed by: {'; '.join(confirming)})"
    return Finding(verdict, confirming, contradicting, why)


def decide_verdict_on_fitted_figure(
    num_agreeing: int,
    num_values: int,
    num_choices: int,
    num_tried: int,
    chosen_interpretations: Sequence[str],
) -> Finding:
    """Return the verdict on a printed figure from interpretations of the paper that were chosen to fit it.

    Among many interpretations, one may give a single number by chance. None gives a whole figure by chance. Therefore
    the number of interpretations that miss the figure does not count here, but all of its values must come out.

    Parameters
    ----------
    num_agreeing : int
        The number of independent values that the chosen interpretations give.
    num_values : int
        The number of independent values of the figure.
    num_choices : int
        The number of choices that were free to be fitted.
    num_tried : int
        The number of interpretations that were tried.
    chosen_interpretations : sequence of str
        The chosen interpretations: those that give the largest number of values.
    """
    is_reproduced = num_agreeing == num_values and num_values > num_choices
    why = (
        f"{len(chosen_interpretations)} of {num_tried} interpretations, made of {num_choices} choices, give"
        f" {num_agreeing} of {num_values} independent values"
    )
    verdict = INTERPRETED if is_reproduced else NOT_REPRODUCED
    return Finding(verdict, confirming=tuple(chosen_interpretations), why=why, num_tried=num_tried)


def decide_verdict_by_runs(
    printed: Published, rounding: float, runs: Mapping[str, ArrayLike]
) -> Finding:
    """Return the verdict on a printed result from runs with several seeds, by each interpretation.

    An interpretation confirms the result if it lies within the range of the runs, widened by the rounding of the
    printed number, and contradicts it otherwise.

    Parameters
    ----------
    printed : Published
        The printed result.
    rounding : float
        Half a unit of its last printed digit.
    runs : mapping of str to array_like, shape (seeds,)
        The values of the runs, by interpretation, the default one first. A single number is one run.
    """
    outcomes: dict[str, bool | None] = {}
    descriptions = []
    for name, values in runs.items():
        ours = np.atleast_1d(np.asarray(values, dtype=np.float64))
        smallest, largest = ours.min(), ours.max()
        is_in_range = bool(smallest - rounding <= printed.value <= largest + rounding)
        outcomes[name] = is_in_range
        if is_in_range:
            num_agreeing = np.count_nonzero(np.abs(ours - printed.value) <= rounding)
            descriptions.append(
                f"{name}: {num_agreeing} of {ours.size} runs give it, from {smallest:.4g} to {largest:.4g}"
            )

    finding = decide_verdict_by_interpretations(outcomes)
    return finding._replace(why="; ".join([finding.why, *descriptions]))


def find_weakest_verdict(*verdicts: str) -> str:
    """Return the weakest of several verdicts, which is the verdict on a claim about several groups.

    The claim holds only if it holds for all groups. Therefore each group is tested at the level of the whole claim, and
    no correction for several tests is needed.

    Parameters
    ----------
    *verdicts : str
        The verdict on each group, from `STRENGTH`, which has the order.
    """
    return min(verdicts, key=STRENGTH.index)


class LedgerRow(NamedTuple):
    """A row of a ledger: a statement, its verdict, and what decides it.

    Attributes
    ----------
    key : str
        The key of a printed number in `data/published`; for a claim, its wording and its place. No two rows have the
        same.
    whose : str
        Whose statement it is: 'paper', 'thesis' or 'ours'.
    place : str
        Where the paper makes the statement.
    wording : str
        What the paper says, or what the number measures.
    printed, ours : str
        The printed number and ours with their units; '' for a claim in words.
    verdict : str
        One of `VERDICTS`.
    why : str
        What decides the verdict; for a claim, the evidence.
    confirming, contradicting : str
        The number of interpretations other than the default that confirm or contradict it; both are '' if there are
        none.
    substitutes : str
        What of ours stands in for something that is lost, and the verdict that comes out with it; '' if nothing is
        lost.
    fact : str
        The name of a fact that several rows share and that is counted once; '' if it is not shared.
    evidence : str
        The heading of the audit under which the statement is judged.
    revisions : str
        The earlier verdicts, with dates and reasons.
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
        """The entries of a ledger's row that a run of the audit must decide alike on every machine.

        The last digits of numbers may differ between machines. So may the verdict that comes out with substitutes,
        because it may depend on the time that a program takes.
        """
        substitutes, _, _ = self.substitutes.partition(": ")
        return self.key, self.whose, self.verdict, substitutes, self.fact, self.evidence


class Card(NamedTuple):
    """The sentences on the card of a paper, which no run computes.

    Attributes
    ----------
    paper : str
        The authors, the year and the title, with a link to the paper.
    claims : str
        What the paper claims, in two sentences.
    takeaway : str
        What a reader may take from it, in one sentence.
    guessed : str
        What the text leaves open, and what we chose.
    wrong : str
        What is wrong in the text, and the best defense of it.
    again : str
        How long the audit takes, and from which stored runs it draws: their core-hours and their seed. The sentence
        follows the command, and begins with a verb.
    figure : str
        The name of a figure in the folder `figures`, without its ending.
    alt : str
        The alternative text of the figure: what it shows.
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
    """The verdicts on all statements of one paper, collected while its audit runs: its ledger, its tables, its card.

    Parameters
    ----------
    paper : str
        The name of the paper's file in `data/published`, without its ending.

    Attributes
    ----------
    printed : dict of str to Published
        The numbers that the paper prints, by key.
    heading : str
        The heading of the audit under which statements are judged at present.
    """

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.printed = {number.key: number for number in read_published_numbers(paper)}
        self.heading = ""
        self._rows: dict[str, LedgerRow] = {}
        self._tried: dict[str, int] = {}
        self._setting_rows: dict[str, Sequence[object]] = {}

    def set_heading(self, heading: str) -> None:
        """Set the heading of the audit under which the next statements are judged, in exactly its words."""
        self.heading = heading

    def judge_setting(self, key: str, ours: float, why: str = "") -> None:
        """Put our setting beside one that the paper prints, and note whether the two are the same.

        Parameters
        ----------
        key : str
            The key of the printed setting in `data/published`.
        ours : float
            Our setting; NaN if we have none.
        why : str, optional
            Why ours differs, or what it is.

        Raises
        ------
        UnknownNameError
            If the paper prints no setting with that key.
        """
        settings = tuple(key for key, number in self.printed.items() if number.kind == SETTING)
        UnknownNameError.check("printed setting", key, settings)
        printed = self.printed[key]
        if printed.relation == "<=":
            is_same = ours <= printed.value
        else:
            is_same = bool(np.isclose(ours, printed.value, rtol=SETTING_TOLERANCE))
        self._setting_rows[key] = [
            key,
            describe_source_of_number(printed),
            format_printed_value(printed),
            "" if np.isnan(ours) else f"{ours:,.7g}",
            "as printed" if is_same else "ours differs",
            why,
        ]

    def judge_number(
        self,
        key: str,
        ours: str,
        verdict_or_finding: str | Finding,
        why: str = "",
        *,
        substitutes: str = "",
        fact: str = "",
    ) -> None:
        """Add the verdict on a number that the paper prints as a result to the ledger, the table of all verdicts.

        Parameters
        ----------
        key : str
            The key of the printed result in `data/published`.
        ours : str
            Our number, as text.
        verdict_or_finding : str or Finding
            The verdict, or what a function such as `decide_verdict_by_runs` returns.
        why : str, optional
            What decides the verdict; it is added to the words of the finding.
        substitutes : str, optional
            What of ours stands in for something that is lost, such as 'our Old agents'. The verdict is then 'not
            testable', and the verdict that was passed is recorded as what came out with the substitutes.
        fact : str, optional
            The name of a fact that this row shares with others.

        Raises
        ------
        UnknownNameError
            If the paper prints no result with that key, or if there is no such verdict.
        PokerlabError
            If the verdict is not allowed (see `add_row`).
        """
        results = tuple(key for key, number in self.printed.items() if number.kind != SETTING)
        UnknownNameError.check("printed result", key, results)
        printed = self.printed[key]
        row = LedgerRow(
            key=key,
            whose=PAPER,
            place=describe_source_of_number(printed),
            wording=f"{printed.game}: {printed.column.replace('_', ' ')}",
            printed=format_printed_value(printed),
            ours=ours,
            verdict="",
            why=why,
            fact=fact,
        )
        self.add_row(row, verdict_or_finding, substitutes)

    def judge_claim(
        self,
        sentence: str,
        source: str,
        verdict_or_finding: str | Finding,
        evidence: str,
        *,
        substitutes: str = "",
        fact: str = "",
    ) -> str:
        """Add the verdict on a claim of the paper to the ledger, and return it as a line of Markdown.

        The answer to a question of ours is added in the same way.

        Parameters
        ----------
        sentence : str
            The claim, in the words of the paper or nearly.
        source : str
            Where it is made; 'thesis, ...' for a claim of a thesis behind the paper, 'ours' for a question of ours.
        verdict_or_finding : str or Finding
            The verdict, or what a function such as `decide_verdict_by_runs` returns.
        evidence : str
            What decides the verdict, in whole sentences.
        substitutes : str, optional
            What of ours stands in for something that is lost; the verdict is then 'not testable', as in `judge_number`.
        fact : str, optional
            The name of a fact that this row shares with others.

        Raises
        ------
        UnknownNameError
            If there is no such verdict.
        PokerlabError
            If the verdict is not allowed (see `add_row`).
        """
        whose = PAPER
        for other in (OURS, THESIS):
            if source.startswith(other):
                whose = other
        row = LedgerRow(
            key=f"{sentence} ({source})",
            whose=whose,
            place=source,
            wording=sentence,
            printed="",
            ours="",
            verdict="",
            why=evidence,
            fact=fact,
        )
        judged = self.add_row(row, verdict_or_finding, substitutes)
        return f"> {judged.key}: **{judged.verdict}**. {judged.why}"

    def add_row(
        self, row: LedgerRow, verdict_or_finding: str | Finding, substitutes: str
    ) -> LedgerRow:
        """Complete a row of the ledger by its verdict and its reasons, add it to the ledger, and return it.

        Parameters
        ----------
        row : LedgerRow
            The statement that is judged, without its verdict.
        verdict_or_finding : str or Finding
            The verdict, or a finding.
        substitutes : str
            What of ours stands in for something that is lost; '' if nothing is lost.

        Raises
        ------
        UnknownNameError
            If there is no such verdict.
        PokerlabError
            If the statement has a verdict already; if it is reproduced under an interpretation and no interpretation
            is named; if our own question is not answered; or if a printed number is.
        """
        if isinstance(verdict_or_finding, Finding):
            finding = verdict_or_finding
        else:
            finding = Finding(verdict_or_finding)
        verdict = finding.verdict
        UnknownNameError.check("verdict", verdict, VERDICTS)
        if row.key in self._rows:
            raise PokerlabError(f"{row.key} has a verdict already: {self._rows[row.key].verdict}.")
        if verdict == INTERPRETED and not finding.confirming:
            raise PokerlabError(
                f"'{row.key}' is {INTERPRETED}, but no interpretation is named. Pass what"
                " decide_verdict_by_interpretations or decide_verdict_by_runs returns."
            )
        if row.whose == OURS and verdict != ANSWERED:
            raise PokerlabError(f"'{row.key}' is a question of ours. Give '{ANSWERED}'.")
        if row.key in self.printed and verdict == ANSWERED:
            raise PokerlabError(f"{row.key} is a printed number, which is no question.")

        # What comes out with substitutes is recorded beside the verdict, which it does not decide.
        if substitutes and verdict != ANSWERED:
            substitutes = f"{substitutes}: {verdict}"
            verdict = NOT_TESTABLE

        reasons = [f"{finding.why}."] if finding.why else []
        if row.why:
            reasons.append(row.why)
        has_others = bool(finding.confirming or finding.contradicting)
        judged = row._replace(
            verdict=verdict,
            why=" ".join(reasons),
            confirming=str(len(finding.confirming)) if has_others else "",
            contradicting=str(len(finding.contradicting)) if has_others else "",
            substitutes=substitutes,
            evidence=self.heading,
        )
        self._rows[row.key] = judged
        self._tried[row.key] = finding.num_tried
        return judged

    def list_rows(self) -> list[LedgerRow]:
        """Return all rows of the ledger: printed results in the order of their file, then claims as they were judged.

        Raises
        ------
        PokerlabError
            If a printed result has no verdict yet.
        """
        results = [key for key, number in self.printed.items() if number.kind != SETTING]
        missing = [key for key in results if key not in self._rows]
        if missing:
            raise PokerlabError(
                f"the audit of {self.paper} has no verdict on {', '.join(missing)}. Judge each with judge_number()."
            )
        claims = [row for key, row in self._rows.items() if key not in self.printed]
        return [*(self._rows[key] for key in results), *claims]

    def tabulate_settings(self) -> Table:
        """Return the table of the printed settings beside ours, in the order of their file."""
        heads = ["setting", "where", "printed", "ours", "same", "why"]
        rows = [self._setting_rows[key] for key in self.printed if key in self._setting_rows]
        return heads, rows

    def tabulate_results(self) -> Table:
        """Return the table of the printed results beside ours, with their verdicts."""
        heads = ["result", "where", "printed", "ours", "verdict", "why"]
        rows: list[Sequence[object]] = [
            [
                row.key,
                row.place,
                row.printed,
                row.ours,
                f"**{row.verdict}**",
                row.why.replace("|", "\\|"),
            ]
            for row in self.list_rows()
            if row.printed
        ]
        return heads, rows

    def format_card(
        self, card: Card, headlines: Mapping[str, str], statements: Mapping[str, str] | None = None
    ) -> str:
        """Return the summary card of a paper, which stands at the top of the paper's audit, as Markdown.

        A card has few enough words to fit on a screen of 1280 by 800.

        The paragraphs have the figure at their side, and the table of headlines stands below them. Statements that fail
        come first in the table.

        Parameters
        ----------
        card : Card
            The sentences of the card.
        headlines : mapping of str to str
            What our run finds, in a few words, by the key of the row in the ledger; at most eight.
        statements : mapping of str to str, optional
            What the paper says, in a few words, by the same keys; the wording of the row if a key is left out.

        Raises
        ------
        PokerlabError
            If there are too many headlines or words.
        UnknownNameError
            If a headline has the key of no row.
        """
        if len(headlines) > MOST_HEADLINES:
            raise PokerlabError(
                f"a card has at most {MOST_HEADLINES} headlines; these are {len(headlines)}."
            )
        for key in headlines:
            UnknownNameError.check("row of the ledger", key, tuple(self._rows))

        rows = sorted((self._rows[key] for key in headlines), key=find_position_on_card)
        short_statements = {row.key: row.wording for row in rows} | dict(statements or {})
        table = []
        for row in rows:
            verdict = row.verdict + describe_interpretations(row, self._tried[row.key])
            statement = link_to_evidence(row, short_statements[row.key])
            table.append(f"| {verdict} | {statement} | {headlines[row.key]} |")
        check_card_length(card, [*(short_statements[row.key] for row in rows), *headlines.values()])

        notebook = f"notebooks/audits/{self.paper.replace('-', '_')}.ipynb"
        return "\n".join(
            [
                f'<img src="../../figures/{card.figure}.png" alt="{card.alt}" align="right" width="420">',
                "",
                f"{card.paper}. {card.claims}",
                "",
                f"**What a reader may take from it.** {card.takeaway}",
                "",
                f"**Wrong in the text.** {card.wrong}",
                "",
                f"**Guessed.** {card.guessed}",
                "",
                describe_counts(count_verdicts(self.list_rows())),
                "",
                BELOW_FIGURE,
                "",
                "| verdict | what the paper says | what we find |",
                "|---|---|---|",
                *table,
                "",
                f"**Run it again.** `{COMMAND} {notebook}` {card.again} {STORED_RUNS_NOTE}",
            ]
        )

    def compare_with_ledger(self, folder: Path = LEDGERS) -> str:
        """Compare the verdicts with those in the ledger of the paper, and return a sentence that they are the same.

        If the environment variable POKERLAB_WRITE_LEDGERS is set, the ledger is written before. Numbers are not
        compared, because their last digits differ between processors.

        Parameters
        ----------
        folder : Path
            The folder of the ledgers and of the table of revisions.

        Raises
        ------
        PokerlabError
            If a verdict differs from the ledger's.
        """
        path = folder / f"{self.paper}.csv"
        rows = add_revisions(self.list_rows(), self.paper, folder / REVISIONS)
        if os.environ.get(WRITE_LEDGERS):
            write_ledger(path, rows)

        recorded = {row.key: row.decision for row in read_ledger(path)}
        present = {row.key: row.decision for row in rows}
        all_keys = {**recorded, **present}
        different = [key for key in all_keys if recorded.get(key) != present.get(key)]
        if different:
            first = different[0]
            raise PokerlabError(
                f"the verdict on '{first}' is {present.get(first)}, and {recorded.get(first)} in {path.name}"
                f" ({len(different)} rows differ). If the new ones are right, say why in {REVISIONS} and run this"
                f" audit with {WRITE_LEDGERS}=1."
            )
        return f"The ledger `data/verdicts/{path.name}` has the same {len(rows)} rows."


def check_card_length(card: Card, table_texts: Sequence[str]) -> None:
    """Raise a PokerlabError if a card has more than `MOST_WORDS` words.

    Parameters
    ----------
    card : Card
        The sentences of the card; the alternative text of the figure is not counted.
    table_texts : sequence of str
        The statements and headlines in its table.
    """
    sentences = [card.paper, card.claims, card.takeaway, card.wrong, card.guessed, card.again]
    text = LINK_TARGET.sub("", " ".join([*sentences, *table_texts]))
    num_words = len(text.split())
    if num_words > MOST_WORDS:
        raise PokerlabError(
            f"a card has at most {MOST_WORDS} words; this one has {num_words}. Leave out an idea."
        )


def describe_source_of_number(printed: Published) -> str:
    """Return the place where the paper prints a number, such as 'section 6.1' or 'figure 4'."""
    return printed.source.removesuffix(", text")


def format_printed_value(printed: Published) -> str:
    """Return a printed number as text with its unit, such as 'below 0.05 chips, iteration 1,000'.

    Parameters
    ----------
    printed : Published
        The printed number. Its relation to the measured one becomes a word ('below'), or none if it is '='. Its
        iteration is left out if it is NaN.
    """
    relation = RELATION_WORDS[printed.relation]
    number = f"{relation}{printed.value:,.7g} {printed.unit}".strip()
    if np.isnan(printed.iteration):
        return number
    return f"{number}, iteration {printed.iteration:,.0f}"


def link_to_evidence(row: LedgerRow, statement: str) -> str:
    """Return a statement for a table in Markdown, followed by its place as a link to the evidence in the audit.

    Parameters
    ----------
    row : LedgerRow
        The row of the ledger that judges the statement, with its place and the heading of its evidence.
    statement : str
        The statement in a few words.
    """
    escaped = statement.replace("|", "\\|")  # a bar would end the cell of the table
    anchor = row.evidence.replace(" ", "-")  # as Jupyter makes it from the heading
    return f"{escaped} ([{row.place}](<#{anchor}>))"


def describe_interpretations(row: LedgerRow, num_tried: int = 0) -> str:
    """Return in parentheses how many interpretations confirm and contradict a row; '' if there is only the default.

    Parameters
    ----------
    row : LedgerRow
        A row of a ledger. Its counts leave out the default interpretation.
    num_tried : int, optional
        The number of interpretations among which some were chosen to fit a figure. All others miss the figure.

    Examples
    --------
    >>> row = LedgerRow("a", PAPER, "", "", "", "", INCONCLUSIVE, "", confirming="1", contradicting="2")
    >>> describe_interpretations(row)
    ' (other readings: 1 confirms, 2 contradict)'
    """
    if not row.confirming:
        return ""
    if num_tried:
        return f" ({row.confirming} of {num_tried} readings give it)"
    words = "other readings, with our substitutes" if row.substitutes else "other readings"
    confirm = "confirms" if row.confirming == "1" else "confirm"
    contradict = "contradicts" if row.contradicting == "1" else "contradict"
    return f" ({words}: {row.confirming} {confirm}, {row.contradicting} {contradict})"


def find_position_on_card(row: LedgerRow) -> int:
    """Return the place of a row on a card by its verdict; 0 comes first."""
    return CARD_ORDER.index(row.verdict)


def count_verdicts(rows: Sequence[LedgerRow]) -> Counter[str]:
    """Return the number of a paper's own statements with each verdict, from the rows of its ledger.

    A fact that several rows share is counted once, with the weakest of their verdicts. Rows that are only answered do
    not weaken it. Statements of a thesis and our own questions are not counted.

    Parameters
    ----------
    rows : sequence of LedgerRow
        The ledger.
    """
    counts: Counter[str] = Counter()
    verdicts_of_facts: dict[str, list[str]] = {}
    for row in rows:
        if row.whose != PAPER:
            continue
        if row.fact:
            verdicts_of_facts.setdefault(row.fact, []).append(row.verdict)
        else:
            counts[row.verdict] += 1

    for verdicts in verdicts_of_facts.values():
        judged = [verdict for verdict in verdicts if verdict != ANSWERED]
        counts[find_weakest_verdict(*judged) if judged else ANSWERED] += 1
    return counts


def describe_counts(counts: Mapping[str, int]) -> str:
    """Return the counts of all verdicts as a sentence, so that none of them is quoted without the others."""
    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS]
    return f"**{sum(counts.values())} statements**: {', '.join(parts)}."


def add_revisions(rows: Sequence[LedgerRow], paper: str, path: Path) -> list[LedgerRow]:
    """Return the rows of a ledger completed by their earlier verdicts, with the dates and reasons of each change.

    Parameters
    ----------
    rows : sequence of LedgerRow
        The rows, without revisions.
    paper : str
        The name of the paper's file in `data/published`.
    path : Path
        The table of revisions of all papers.
    """
    with path.open(encoding="utf-8") as file:
        revisions = [row for row in csv.DictReader(file) if row["what"] == "verdict"]

    sentences_by_key: dict[str, list[str]] = {}
    for revision in revisions:
        is_of_paper = revision["paper"] == paper.replace("-", "_")
        if is_of_paper:
            change = f"{revision['before'] or 'new'} to {revision['after']}"
            sentence = f"{revision['date']}: {change}. {revision['why']}".strip()
            sentences_by_key.setdefault(revision["key"], []).append(sentence)

    return [row._replace(revisions=" ".join(sentences_by_key.get(row.key, ()))) for row in rows]


def write_ledger(path: Path, rows: Sequence[LedgerRow]) -> None:
    """Write a ledger, the table of all verdicts on a paper, as a CSV file; an existing file is replaced.

    Parameters
    ----------
    path : Path
        The file. Its first line has the names of the columns, the fields of `LedgerRow`.
    rows : sequence of LedgerRow
        The rows: the verdict on each statement of the paper.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(LedgerRow._fields)
        writer.writerows(rows)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Return the rows of a ledger, the verdicts on a paper, from its CSV file; an empty list if there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [LedgerRow(**row) for row in csv.DictReader(file)]


def read_curves(name: str) -> NDArray[Any]:
    """Return the points that were read off a printed figure, from a file in `data/published`.

    Parameters
    ----------
    name : str
        The name of the file without its ending, such as 'samothrakis-2011-figure-6'.

    Returns
    -------
    ndarray, shape (points,)
        A structured array with a record for each row of the file and a field for each column.
    """
    path = DATA / "published" / f"{name}.csv"
    return np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
