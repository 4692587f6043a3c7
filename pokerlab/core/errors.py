"""The errors that users can meet: each says what was given, what is allowed and what to do.

A parameter that its description does not allow raises one of these. Docstrings list only what else can go wrong.
"""

import difflib
import math
from collections.abc import Collection, Iterable

MOST_WRITTEN = 200
"""The most letters of a value that an error quotes."""


def quote_value(value: object) -> str:
    """Return a value as an error quotes it: as Python writes it, or its type if that is long or impossible."""
    if isinstance(value, int) and abs(value) >= 10**MOST_WRITTEN:
        return f"an integer of {int(math.log10(abs(value))) + 1:,} digits"
    kind = type(value).__name__
    try:
        written = repr(value)
    except Exception:  # integers may have too many digits, and a user's own method may fail
        written = None
    if written is not None and len(written) <= MOST_WRITTEN:
        return written
    article = "an" if kind[0].lower() in "aeiou" else "a"
    return f"{article} {kind}"


def quote_name(value: object) -> str:
    """Return the name of a value that has one, such as a game, and otherwise the value as an error quotes it."""
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else quote_value(value)


class PokerlabError(ValueError):
    """The base class of all errors that pokerlab raises about what it was given."""


class GameError(PokerlabError):
    """The rules of a game contradict themselves, or a game does not suit a solver or metric."""


class ShapeError(PokerlabError):
    """An array has the wrong length or shape, or belongs to another game."""


class CardError(PokerlabError):
    """Cards are not in the deck or occur twice, or a text does not name a card."""


class ProbabilityError(PokerlabError):
    """Numbers that should be probabilities are not."""


class IllegalActionError(PokerlabError):
    """An action is not allowed by the rules at that point of a hand."""


class SettingError(PokerlabError):
    """A parameter is outside its allowed range."""


class KindError(PokerlabError, TypeError):
    """An object is of another kind than the one asked for: a profile where a game belongs."""


class FileFormatError(PokerlabError):
    """A file cannot be read as what it claims to be."""


class CheckpointError(FileFormatError):
    """A checkpoint is damaged, or belongs to another game, solver or setting."""


class StorageError(PokerlabError, OSError):
    """A file cannot be written: the disk is full, or the folder is read-only."""


class ClusterError(PokerlabError):
    """A cluster is lost before its work is done."""


class ConvergenceError(PokerlabError):
    """A computation ended without an answer."""


class UnknownNameError(PokerlabError):
    """A name that is not among those allowed."""

    @classmethod
    def from_allowed(cls, kind: str, given: object, allowed: Iterable[str]) -> "UnknownNameError":
        """Make the error about a given name, which lists the allowed names and suggests the nearest spelling."""
        names = list(allowed)
        written = given if isinstance(given, str) else quote_value(given)
        near = difflib.get_close_matches(written, names, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        quote = "'" if any("," in name for name in names) else ""
        listed = ", ".join(f"{quote}{name}{quote}" for name in names)
        return cls(f"no {kind} '{written}'; there are: {listed}.{hint}")

    @classmethod
    def check(cls, kind: str, given: object, allowed: Collection[str]) -> None:
        """Raise UnknownNameError unless a value, of whatever type, is one of the allowed names."""
        if not isinstance(given, str) or given not in allowed:
            raise cls.from_allowed(kind, given, allowed)
