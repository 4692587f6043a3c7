"""The errors that pokerlab raises. Each message states what was given, what is allowed, and what to do."""

import difflib
import math
from collections.abc import Collection, Iterable

MOST_QUOTED = 200
"""The largest number of characters that an error message quotes of a value."""


def quote_value(value: object) -> str:
    """Return the text that stands for a value in an error message.

    Parameters
    ----------
    value : object
        Any value.

    Returns
    -------
    str
        The `repr` of the value. If the `repr` is longer than 200 characters or fails, it is the type with its article,
        such as 'a list'. An integer of more than 200 digits is described by the number of its digits.
    """
    if isinstance(value, int) and abs(value) >= 10**MOST_QUOTED:
        return f"an integer of {int(math.log10(abs(value))) + 1:,} digits"

    type_name = type(value).__name__
    try:
        text = repr(value)
    except Exception:  # an integer may have too many digits, or a user's __repr__ may fail
        text = None
    if text is not None and len(text) <= MOST_QUOTED:
        return text
    article = "an" if type_name[0].lower() in "aeiou" else "a"
    return f"{article} {type_name}"


def describe_by_name(value: object) -> str:
    """Return the text that stands for a value in an error message: its name if it has one, such as a game.

    The name is a text in the attribute `name`. For any other value it is the text that `quote_value` returns.

    Parameters
    ----------
    value : object
        Any object, such as the game that a user has passed.
    """
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else quote_value(value)


class PokerlabError(ValueError):
    """The base class of all errors that pokerlab defines."""


class GameError(PokerlabError):
    """The rules of a game contradict themselves, or a game does not suit a solver or metric."""


class ShapeError(PokerlabError):
    """An array has the wrong length or shape, or belongs to another game."""


class CardError(PokerlabError):
    """Cards are not in the deck or occur twice, or a text does not name a card."""


class ProbabilityError(PokerlabError):
    """Numbers are not probabilities, for example because they do not sum to 1."""


class IllegalActionError(PokerlabError):
    """The rules do not allow an action at this point of a hand."""


class SettingError(PokerlabError):
    """A parameter has a value that is not allowed, such as a number outside its range."""


class KindError(PokerlabError, TypeError):
    """An object has the wrong type, such as a profile where a game is needed."""


class FileFormatError(PokerlabError):
    """A file does not exist, cannot be read, is damaged, or has another format than the one that is needed."""


class CheckpointError(FileFormatError):
    """A checkpoint is damaged, or belongs to another game, solver or setting."""


class StorageError(PokerlabError, OSError):
    """A file cannot be written, for example because the disk is full or the folder is read-only."""


class ClusterError(PokerlabError):
    """The connection to a cluster is lost, or its workers die, before the work is finished."""


class ConvergenceError(PokerlabError):
    """An iterative computation ended without finding a solution."""


class UnknownNameError(PokerlabError):
    """A name is not among those that are allowed."""

    @classmethod
    def from_allowed_names(
        cls, kind: str, name: object, allowed_names: Iterable[str]
    ) -> "UnknownNameError":
        """Return, without raising it, the error about a name that is not allowed.

        Its message lists the allowed names. It suggests the most similar one if any of them is similar.

        Parameters
        ----------
        kind : str
            What has such names, such as 'setting'. The message begins with it: 'no setting ...'.
        name : object
            The name that was given. If it is not a text, the message quotes its `repr`.
        allowed_names : iterable of str
            The allowed names.

        Returns
        -------
        UnknownNameError
            The error, which the caller raises.
        """
        listed_names = list(allowed_names)
        given_name = name if isinstance(name, str) else quote_value(name)
        similar_names = difflib.get_close_matches(given_name, listed_names, n=1)
        hint = f" Did you mean '{similar_names[0]}'?" if similar_names else ""

        # If a name contains a comma, all names are quoted, so that one sees where each of them ends.
        quote = "'" if any("," in name for name in listed_names) else ""
        names_text = ", ".join(f"{quote}{name}{quote}" for name in listed_names)
        return cls(f"no {kind} '{given_name}'; there are: {names_text}.{hint}")

    @classmethod
    def check(cls, kind: str, name: object, allowed_names: Collection[str]) -> None:
        """Raise an UnknownNameError if a value is not one of the allowed names.

        Parameters
        ----------
        kind : str
            What has such names, such as 'setting'. The message begins with it: 'no setting ...'.
        name : object
            The value that was given, which may have any type.
        allowed_names : collection of str
            The allowed names.

        Raises
        ------
        UnknownNameError
            If the value is not a text, or is none of the allowed names.
        """
        if not isinstance(name, str) or name not in allowed_names:
            raise cls.from_allowed_names(kind, name, allowed_names)
