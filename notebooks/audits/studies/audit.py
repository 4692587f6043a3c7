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

The *ledger* of a paper, a file in `data/verdicts`, has a row for each statement that was judged (see the
module `ledger`). The *card* of a paper is the summary at the top of its audit.
"""

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
from studies.ledger import (
    LEDGERS,
    OURS,
    PAPER,
    REVISIONS,
    THESIS,
    LedgerRow,
    add_revisions_to_rows,
    read_ledger,
    write_ledger,
)

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
OUTCOME_WORDS = {True: "confirms it", False: "contradicts it", None: "leaves it open"}
"""What an interpretation does to a statement, by its outcome."""
RELATION_WORDS = {"=": "", "<": "below ", "<=": "at most ", ">": "over ", ">=": "at least "}
"""The word before a printed number, by its relation to the measured one."""
SETTING_TOLERANCE = 5e-4
"""The relative difference within which our setting is the same as the printed one."""
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
    """A verdict on a statement of a paper, with the reason for it.

    Attributes
    ----------
    verdict : str
        One of the seven verdicts in `VERDICTS`, such as 'reproduced'.
    confirming, contradicting : tuple of str
        The names of the interpretations, other than the default one, that confirm or contradict the statement. An
        *interpretation* is a way to read what the text of the paper leaves open.
    why : str
        The reason for the verdict, without a period at the end; '' if there is none.
    num_tried : int
        If the interpretations in `confirming` were chosen because they fit a figure, the number of all interpretations
        that were tried; otherwise 0.
    """

    verdict: str
    confirming: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    why: str = ""
    num_tried: int = 0


def decide_verdict_by_interpretations(outcomes: Mapping[str, bool | np.bool_ | None]) -> Finding:
    """Decide whether a paper's statement is reproduced, from what each interpretation of the paper says about it.

    An *interpretation* is a way to read what the text leaves open. One of them is the default. The rule is:

    * *Reproduced*: the default interpretation confirms the statement.
    * *Reproduced under an interpretation*: the default one does not confirm it, and more of the others confirm it than
      contradict it.
    * *Not reproduced*: the default interpretation contradicts it, and no other confirms it.
    * *Inconclusive*: all other cases.

    Parameters
    ----------
    outcomes : mapping of str to bool or None
        The outcome of each interpretation by its name, the default one first. An outcome is True if the interpretation
        confirms the statement, False if it contradicts it, and None if it leaves the statement open. At least one
        interpretation is needed.

    Returns
    -------
    Finding
        The verdict, the names of the interpretations that confirm or contradict the statement, and the reason in words.

    Examples
    --------
    >>> decide_verdict_by_interpretations(
    ...     {"as printed": False, "in chips": True, "summed": None}
    ... ).verdict
    'reproduced under an interpretation'
    >>> decide_verdict_by_interpretations(
    ...     {"as printed": False, "in chips": True, "summed": False}
    ... ).verdict
    'inconclusive'
    """
    # The truth values of numpy are not the objects True and False, so `is` would not recognize them.
    outcome_by_name = {
        name: None if outcome is None else bool(outcome) for name, outcome in outcomes.items()
    }
    default_name = next(iter(outcome_by_name))
    default_outcome = outcome_by_name.pop(default_name)  # only the other interpretations remain
    confirming = tuple(name for name, outcome in outcome_by_name.items() if outcome is True)
    contradicting = tuple(name for name, outcome in outcome_by_name.items() if outcome is False)

    if default_outcome is True:
        verdict = REPRODUCED
    elif len(confirming) > len(contradicting):
        verdict = INTERPRETED
    elif default_outcome is False and not confirming:
        verdict = NOT_REPRODUCED
    else:
        verdict = INCONCLUSIVE

    why = f"The default interpretation ({default_name}) {OUTCOME_WORDS[default_outcome]}"
    num_others = len(outcome_by_name)
    if num_others == 1:
        ((name, outcome),) = outcome_by_name.items()
        why += f"; the other one ({name}) {OUTCOME_WORDS[outcome]}"
    elif num_others > 1:
        why += f"; of {num_others} others {len(confirming)} confirm it and {len(contradicting)} contradict it"
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
    """Decide whether a printed figure is reproduced, if the interpretations of the paper were chosen to fit it.

    An *interpretation* is a way to read what the text leaves open, and consists of several free choices. If many are
    tried, one of them may give a single printed number by chance. A whole figure does not come out by chance. Therefore
    the interpretations that miss the figure do not count against it. In return, all of its values must come out, and
    there must be more values than free choices.

    Parameters
    ----------
    num_agreeing : int
        The number of independent values of the figure that the chosen interpretations give.
    num_values : int
        The number of independent values of the figure.
    num_choices : int
        The number of choices that were free when the figure was fitted.
    num_tried : int
        The number of interpretations that were tried.
    chosen_interpretations : sequence of str
        The names of the interpretations that give the largest number of values.

    Returns
    -------
    Finding
        The verdict 'reproduced under an interpretation' or 'not reproduced', the names of the chosen interpretations,
        and the reason in words.
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
    """Decide whether a printed number is reproduced, from runs with several random seeds.

    There are runs for each *interpretation*, a way to read what the text of the paper leaves open. An interpretation
    confirms the number if it lies between the smallest and the largest value of its runs, within the rounding of the
    printed number. Otherwise it contradicts the number. `decide_verdict_by_interpretations` has the rule for the
    verdict.

    Parameters
    ----------
    printed : Published
        The printed number.
    rounding : float
        Half a unit of its last printed digit.
    runs : mapping of str to array_like, shape (seeds,)
        The values of the runs by interpretation, the default one first. A single number is one run.

    Returns
    -------
    Finding
        The verdict, the names of the interpretations that confirm or contradict the number, and the reason with the
        range of the runs of each confirming one.
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
    """Return the weakest of several verdicts, the first of them in the order of `STRENGTH`.

    This is the verdict on a claim about several groups, such as all methods of a paper. The claim holds only if it
    holds for each group. Therefore each group is tested at the level of the whole claim, and no correction for several
    tests is needed.

    Parameters
    ----------
    *verdicts : str
        The verdict on each group, from `STRENGTH`.
    """
    return min(verdicts, key=STRENGTH.index)


class Card(NamedTuple):
    """The sentences of a card, the summary at the top of the audit of a paper.

    Attributes
    ----------
    paper : str
        The authors, the year and the title, with a link to the paper.
    claims : str
        What the paper claims, in two sentences.
    takeaway : str
        What a reader may learn from the paper, in one sentence.
    guessed : str
        What the text leaves open, and what we chose.
    wrong : str
        What is wrong in the text, and the best defense of it.
    again : str
        How long the audit takes, and from which stored runs it draws its figures, with their core-hours and their seed.
        The sentence follows the command that runs the audit, and begins with a verb.
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
    """The verdicts on all statements of one paper, collected while the notebook that audits it runs.

    They are the rows of a *ledger*, the table of all verdicts on the paper.

    Parameters
    ----------
    paper : str
        The name of the paper's file in `data/published`, without its ending.

    Attributes
    ----------
    printed : dict of str to Published
        The numbers that the paper prints, by key.
    heading : str
        The heading of the notebook under which statements are judged at present.
    """

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.printed = {number.key: number for number in read_published_numbers(paper)}
        self.heading = ""
        # By the key of a statement: its row, and how many interpretations were tried to fit it.
        self._rows: dict[str, LedgerRow] = {}
        self._num_tried: dict[str, int] = {}
        # By the key of a printed setting: the cells of its row in the table of settings.
        self._setting_rows: dict[str, Sequence[object]] = {}

    def set_heading(self, heading: str) -> None:
        """Set the heading of the notebook under which the next statements are judged.

        Parameters
        ----------
        heading : str
            The heading, word for word as it appears in the notebook, because links lead to it.
        """
        self.heading = heading

    def judge_setting(self, key: str, ours: float, why: str = "") -> None:
        """Add a printed setting to the table of settings, beside ours, and note whether the two are the same.

        A setting is no result, so it gets no verdict. If the paper prints an upper bound ('<='), any setting within it
        counts as the same.

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
        ours_as_text = "" if np.isnan(ours) else f"{ours:,.7g}"

        # The cells are in the order of the heads in `tabulate_settings`.
        self._setting_rows[key] = [
            key,
            describe_place_of_number(printed),
            format_printed_value(printed),
            ours_as_text,
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
            The number that we found, as text with its unit.
        verdict_or_finding : str or Finding
            The verdict, or a verdict with its reason from a function such as `decide_verdict_by_runs`.
        why : str, optional
            A reason for the verdict in whole sentences. It follows the reason of the finding, if there is one.
        substitutes : str, optional
            What of ours replaces something that is lost, such as 'our Old agents'. The row then gets the verdict 'not
            testable', and `verdict_or_finding` is recorded as what came out with the substitutes.
        fact : str, optional
            The name of a fact that this row shares with others, so that all of them are counted once.

        Raises
        ------
        UnknownNameError
            If the paper prints no result with that key, or if there is no such verdict.
        PokerlabError
            If the number has a verdict already, or if `check_verdict` does not allow the verdict.
        """
        results = tuple(key for key, number in self.printed.items() if number.kind != SETTING)
        UnknownNameError.check("printed result", key, results)
        printed = self.printed[key]
        row = LedgerRow(
            key=key,
            whose=PAPER,
            place=describe_place_of_number(printed),
            wording=f"{printed.game}: {printed.column.replace('_', ' ')}",
            printed=format_printed_value(printed),
            ours=ours,
            verdict="",
            why=why,
            fact=fact,
        )
        self.add_judged_row(row, verdict_or_finding, substitutes)

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
            The claim, as far as possible in the words of the paper.
        source : str
            Where the paper makes the claim, such as 'section 4.1'. It begins with 'thesis' for a claim of a thesis
            behind the paper, and is 'ours' for a question of ours.
        verdict_or_finding : str or Finding
            The verdict, or a verdict with its reason from a function such as `decide_verdict_by_runs`.
        evidence : str
            The reason for the verdict, in whole sentences.
        substitutes : str, optional
            What of ours replaces something that is lost, such as 'our Old agents'. The row then gets the verdict 'not
            testable', and `verdict_or_finding` is recorded as what came out with the substitutes.
        fact : str, optional
            The name of a fact that this row shares with others, so that all of them are counted once.

        Returns
        -------
        str
            The claim with its source, its verdict in bold, and the reason, as a quotation in Markdown.

        Raises
        ------
        UnknownNameError
            If there is no such verdict.
        PokerlabError
            If the claim has a verdict already, or if `check_verdict` does not allow the verdict.
        """
        if source.startswith(OURS):
            whose = OURS
        elif source.startswith(THESIS):
            whose = THESIS
        else:
            whose = PAPER
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
        judged = self.add_judged_row(row, verdict_or_finding, substitutes)
        return f"> {judged.key}: **{judged.verdict}**. {judged.why}"

    def add_judged_row(
        self, row: LedgerRow, verdict_or_finding: str | Finding, substitutes: str
    ) -> LedgerRow:
        """Add a row to the ledger with its verdict, the reason and the present heading, and return the completed row.

        Parameters
        ----------
        row : LedgerRow
            The statement that is judged, without its verdict.
        verdict_or_finding : str or Finding
            The verdict, or a verdict with its reason.
        substitutes : str
            What of ours replaces something that is lost; '' if nothing is lost. Otherwise the row gets the verdict 'not
            testable', unless the statement is a question that is answered.

        Returns
        -------
        LedgerRow
            The row with its verdict and its reason, as it is in the ledger.

        Raises
        ------
        UnknownNameError
            If there is no such verdict.
        PokerlabError
            If the statement has a verdict already, or if `check_verdict` does not allow the verdict.
        """
        if isinstance(verdict_or_finding, Finding):
            finding = verdict_or_finding
        else:
            finding = Finding(verdict_or_finding)
        if row.key in self._rows:
            raise PokerlabError(f"{row.key} has a verdict already: {self._rows[row.key].verdict}.")
        check_verdict(row, finding, is_printed_number=row.key in self.printed)

        # What comes out with substitutes is recorded beside the verdict, which it does not decide.
        verdict = finding.verdict
        if substitutes and verdict != ANSWERED:
            substitutes = f"{substitutes}: {verdict}"
            verdict = NOT_TESTABLE

        reasons = [f"{finding.why}."] if finding.why else []
        if row.why:
            reasons.append(row.why)

        # Without other interpretations both counts are empty, which differs from two zeros.
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
        self._num_tried[row.key] = finding.num_tried
        return judged

    def list_rows(self) -> list[LedgerRow]:
        """Return all rows of the ledger: printed results in the order of their file, then claims as they were judged.

        Returns
        -------
        list of LedgerRow
            The rows. Questions of ours are among the claims.

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
        """Return the table of the printed settings beside ours, in the order of the file of printed numbers.

        Returns
        -------
        heads : sequence of str
            The key of the setting; where it is printed; the printed value; ours; whether they are the same; and why
            not.
        rows : list
            A row for each setting that was passed to `judge_setting`.
        """
        heads = ["setting", "where", "printed", "ours", "same", "why"]
        rows = [self._setting_rows[key] for key in self.printed if key in self._setting_rows]
        return heads, rows

    def tabulate_results(self) -> Table:
        """Return the table of the printed results beside ours, with their verdicts.

        Returns
        -------
        heads : sequence of str
            The key of the result; where it is printed; the printed value; ours; the verdict; and the reason.
        rows : list
            A row for each printed result, in the order of their file.

        Raises
        ------
        PokerlabError
            If a printed result has no verdict yet.
        """
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
        """Return the card of a paper, the summary at the top of its audit, as Markdown.

        It has paragraphs beside a figure, and below them a table of the most important statements. Statements that fail
        come first in the table. A card has few enough words to fit on a screen of 1280 by 800.

        Parameters
        ----------
        card : Card
            The sentences of the card.
        headlines : mapping of str to str
            What our run finds about each statement in the table, in a few words, by the key of its row in the ledger.
            At most eight.
        statements : mapping of str to str, optional
            What the paper says, in a few words, by the same keys. A statement that is left out has the wording in the
            ledger.

        Raises
        ------
        PokerlabError
            If there are too many headlines or words.
        UnknownNameError
            If the key of a headline is in no row of the ledger.
        """
        if len(headlines) > MOST_HEADLINES:
            raise PokerlabError(
                f"a card has at most {MOST_HEADLINES} headlines; these are {len(headlines)}."
            )
        for key in headlines:
            UnknownNameError.check("row of the ledger", key, tuple(self._rows))

        rows = sorted((self._rows[key] for key in headlines), key=get_order_on_card)
        short_statements = {row.key: row.wording for row in rows} | dict(statements or {})
        table_texts = [*(short_statements[row.key] for row in rows), *headlines.values()]
        check_card_length(card, table_texts)

        table_lines = []
        for row in rows:
            counts = describe_interpretation_counts(row, self._num_tried[row.key])
            statement = format_statement_with_link(row, short_statements[row.key])
            table_lines.append(f"| {row.verdict}{counts} | {statement} | {headlines[row.key]} |")

        counts_of_all_verdicts = describe_counts(count_verdicts(self.list_rows()))
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
                counts_of_all_verdicts,
                "",
                BELOW_FIGURE,
                "",
                "| verdict | what the paper says | what we find |",
                "|---|---|---|",
                *table_lines,
                "",
                f"**Run it again.** `{COMMAND} {notebook}` {card.again} {STORED_RUNS_NOTE}",
            ]
        )

    def compare_with_ledger(self, folder: Path = LEDGERS) -> str:
        """Compare the verdicts with those in the paper's recorded ledger, and return a sentence that they are the same.

        If the environment variable POKERLAB_WRITE_LEDGERS is set, the present verdicts are first written to the file of
        the ledger. Numbers are not compared, because their last digits differ between processors.

        Parameters
        ----------
        folder : Path
            The folder of the ledgers and of the table of revisions, which lists verdicts that changed.

        Raises
        ------
        PokerlabError
            If a verdict differs from the recorded one, or if a printed result has no verdict yet.
        """
        path = folder / f"{self.paper}.csv"
        rows = add_revisions_to_rows(self.list_rows(), self.paper, folder / REVISIONS)
        if os.environ.get(WRITE_LEDGERS):
            write_ledger(path, rows)

        recorded = {row.key: row.reproducible_entries for row in read_ledger(path)}
        present = {row.key: row.reproducible_entries for row in rows}
        all_keys = {**recorded, **present}  # a row may also be new, or missing
        differing_keys = [key for key in all_keys if recorded.get(key) != present.get(key)]
        if differing_keys:
            first_key = differing_keys[0]
            raise PokerlabError(
                f"the verdict on '{first_key}' is {present.get(first_key)}, and {recorded.get(first_key)} in"
                f" {path.name} ({len(differing_keys)} rows differ). If the new ones are right, say why in {REVISIONS}"
                f" and run this audit with {WRITE_LEDGERS}=1."
            )
        return f"The ledger `data/verdicts/{path.name}` has the same {len(rows)} rows."


def check_card_length(card: Card, table_texts: Sequence[str]) -> None:
    """Raise a PokerlabError if a card, the summary of an audit, has more than `MOST_WORDS` words.

    The alternative text of its figure and the targets of links are not counted, because a reader does not see them.

    Parameters
    ----------
    card : Card
        The sentences of the card.
    table_texts : sequence of str
        The statements and headlines in the table of the card.
    """
    sentences = [card.paper, card.claims, card.takeaway, card.wrong, card.guessed, card.again]
    text = LINK_TARGET.sub("", " ".join([*sentences, *table_texts]))
    num_words = len(text.split())
    if num_words > MOST_WORDS:
        raise PokerlabError(
            f"a card has at most {MOST_WORDS} words; this one has {num_words}. Leave out an idea."
        )


def check_verdict(row: LedgerRow, finding: Finding, is_printed_number: bool) -> None:
    """Raise an error if a statement cannot have the verdict of a finding.

    Parameters
    ----------
    row : LedgerRow
        The statement.
    finding : Finding
        The verdict with its reason.
    is_printed_number : bool
        Whether the statement is a number that the paper prints, and not a claim in words.

    Raises
    ------
    UnknownNameError
        If there is no such verdict.
    PokerlabError
        If the statement is reproduced under an interpretation, but no interpretation is named; if the statement is a
        question of ours, and the verdict is not 'answered'; or if it is a printed number, and the verdict is
        'answered'.
    """
    UnknownNameError.check("verdict", finding.verdict, VERDICTS)
    if finding.verdict == INTERPRETED and not finding.confirming:
        raise PokerlabError(
            f"'{row.key}' is {INTERPRETED}, but no interpretation is named. Pass what"
            " decide_verdict_by_interpretations or decide_verdict_by_runs returns."
        )
    if row.whose == OURS and finding.verdict != ANSWERED:
        raise PokerlabError(f"'{row.key}' is a question of ours. Give '{ANSWERED}'.")
    if is_printed_number and finding.verdict == ANSWERED:
        raise PokerlabError(f"{row.key} is a printed number, which is no question.")


def describe_place_of_number(printed: Published) -> str:
    """Return the place where the paper prints a number, such as 'section 6.1' or 'figure 4'.

    For a number in running text, the files of printed numbers add ', text' to the section; this ending is left out.
    """
    return printed.source.removesuffix(", text")


def format_printed_value(printed: Published) -> str:
    """Return a printed number as text with its unit, such as 'below 0.05 chips, iteration 1,000'.

    Parameters
    ----------
    printed : Published
        The printed number. Its relation to the measured number becomes a word such as 'below', or no word if it is '='.
        An iteration that is NaN is left out.
    """
    relation = RELATION_WORDS[printed.relation]
    number = f"{relation}{printed.value:,.7g} {printed.unit}".strip()
    if np.isnan(printed.iteration):
        return number
    return f"{number}, iteration {printed.iteration:,.0f}"


def format_statement_with_link(row: LedgerRow, statement: str) -> str:
    """Return a statement in Markdown, followed by its place in the paper as a link to the evidence in the audit.

    Parameters
    ----------
    row : LedgerRow
        The row of the ledger that judges the statement. Its `place` becomes the text of the link, and the heading in
        `evidence` the target.
    statement : str
        The statement in a few words. Vertical bars are escaped, so that it may stand in a table.
    """
    escaped = statement.replace("|", "\\|")  # a bar would end the cell of the table
    anchor = row.evidence.replace(" ", "-")  # as Jupyter makes it from the heading
    return f"{escaped} ([{row.place}](<#{anchor}>))"


def describe_interpretation_counts(row: LedgerRow, num_tried: int = 0) -> str:
    """Return in parentheses how many interpretations of the paper confirm and contradict a statement.

    The default interpretation is not counted. Without any other the text is ''.

    Parameters
    ----------
    row : LedgerRow
        The row of the ledger that judges the statement.
    num_tried : int, optional
        If the confirming interpretations were chosen because they fit a figure, the number of all that were tried. All
        others miss the figure, so the text then has only these two numbers. Otherwise 0.

    Examples
    --------
    >>> row = LedgerRow("a", PAPER, "", "", "", "", INCONCLUSIVE, "", confirming="1", contradicting="2")
    >>> describe_interpretation_counts(row)
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


def get_order_on_card(row: LedgerRow) -> int:
    """Return the number by which ledger rows are sorted on a card: their verdict's position in `CARD_ORDER`."""
    return CARD_ORDER.index(row.verdict)


def count_verdicts(rows: Sequence[LedgerRow]) -> Counter[str]:
    """Return how many of a paper's own statements have each verdict.

    Rows that share a fact count as one statement, with the weakest of their verdicts. Among them, questions that are
    merely answered do not weaken it. Statements of a thesis and our own questions are not counted.

    Parameters
    ----------
    rows : sequence of LedgerRow
        All rows of the ledger of the paper.

    Returns
    -------
    Counter of str
        The number of statements, by verdict.
    """
    counts: Counter[str] = Counter()
    verdicts_by_fact: dict[str, list[str]] = {}
    for row in rows:
        if row.whose != PAPER:
            continue
        if row.fact:
            verdicts_by_fact.setdefault(row.fact, []).append(row.verdict)
        else:
            counts[row.verdict] += 1

    for verdicts in verdicts_by_fact.values():
        verdicts_of_claims = [verdict for verdict in verdicts if verdict != ANSWERED]
        if verdicts_of_claims:
            counts[find_weakest_verdict(*verdicts_of_claims)] += 1
        else:
            counts[ANSWERED] += 1
    return counts


def describe_counts(counts: Mapping[str, int]) -> str:
    """Return a sentence with the number of statements that have each verdict.

    All verdicts are listed, even with the count 0, so that a favorable count is not quoted without the others.

    Parameters
    ----------
    counts : mapping of str to int
        The number of statements, by verdict. Verdicts that are left out count 0 if it is a `Counter`.
    """
    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS]
    return f"**{sum(counts.values())} statements**: {', '.join(parts)}."


def read_figure_points(name: str) -> NDArray[Any]:
    """Return the points that were read off a figure of a paper by hand and recorded in `data/published`.

    Parameters
    ----------
    name : str
        The name of the file without its ending, such as 'samothrakis-2011-figure-6'.

    Returns
    -------
    ndarray, shape (points,)
        A structured array with a record for each point and a field for each column of the file.
    """
    path = DATA / "published" / f"{name}.csv"
    return np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
