"""What an audit decides: one verdict on each number that a paper prints, and one on each claim that can be checked."""

from typing import NamedTuple

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.papers.experiment import VERDICTS, Published, published_numbers

MET, READING, NOT_MET, UNDECIDED = VERDICTS


class Number(NamedTuple):
    """A printed number, ours beside it as text, the verdict, and what decides it."""

    printed: Published
    ours: str
    verdict: str
    why: str


class Claim(NamedTuple):
    """A sentence of the paper, where it stands, the verdict, and the evidence."""

    sentence: str
    source: str
    verdict: str
    evidence: str


class Audit:
    """The verdicts on one paper, collected while its audit runs.

    Parameters
    ----------
    paper : str
        The name of a file in `data/published`, without its ending.
    """

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.printed = {row.key: row for row in published_numbers(paper)}
        self.claims: list[Claim] = []
        self._numbers: dict[str, Number] = {}

    def number(self, key: str, ours: str, verdict: str, why: str = "") -> Number:
        """Judge a printed number.

        Raises
        ------
        UnknownNameError
            If the paper has no number of this key, or there is no such verdict.
        PokerlabError
            If the number has a verdict already.
        """
        UnknownNameError.check("printed number", key, tuple(self.printed))
        UnknownNameError.check("verdict", verdict, VERDICTS)
        if key in self._numbers:
            raise PokerlabError(f"{key} has a verdict already: {self._numbers[key].verdict}.")
        self._numbers[key] = Number(self.printed[key], ours, verdict, why)
        return self._numbers[key]

    def claim(self, sentence: str, source: str, verdict: str, evidence: str) -> str:
        """Judge a claim, and return it as a line of Markdown.

        Raises
        ------
        UnknownNameError
            If there is no such verdict.
        """
        UnknownNameError.check("verdict", verdict, VERDICTS)
        self.claims.append(Claim(sentence, source, verdict, evidence))
        return f"> {sentence} ({source}): **{verdict}**. {evidence}"

    def numbers(self) -> list[Number]:
        """Return all printed numbers with their verdicts, in the order of the file.

        Raises
        ------
        PokerlabError
            If one has no verdict.
        """
        missing = [key for key in self.printed if key not in self._numbers]
        if missing:
            raise PokerlabError(
                f"the audit of {self.paper} has no verdict on {', '.join(missing)}. Judge each with number()."
            )
        return [self._numbers[key] for key in self.printed]
