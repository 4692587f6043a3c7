"""A check of the rules of a game, for example your own, that is stricter than that of `compile_rules`.

`RepeatedRules` passes each call of the compiler to the rules. It checks what the compiler assumes: that `turn` and
`after` are pure functions, that histories are immutable, and that numbers are exact. The compiler checks the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from pokerlab.core import GameError, Unit
from pokerlab.games.compilation import compile_rules, has_factored_rules
from pokerlab.games.rules import Chance, Number, Rules, Terminal, Turn, describe_history

Result = TypeVar("Result")
Path = tuple[str, ...]
"""The choices that lead to a history."""
ATTRIBUTE_TYPES = {"name": str, "num_players": int, "unit": Unit, "zero_sum": bool}
"""The type of each attribute that rules need beside their three functions."""


@dataclass(frozen=True, slots=True, repr=False)
class RulesReport:
    """The sizes of valid rules, the range of their utilities, and warnings.

    Attributes
    ----------
    name : str
        The game's name.
    num_histories : int
        The number of histories of all lengths.
    num_ends : int
        The number of histories at which the hand is over.
    num_infosets : tuple of int
        The number of information sets of each player.
    depth : int
        The number of actions in the longest history, including those of chance.
    lowest, highest : int or Fraction
        The smallest and the largest utility of any player.
    unit : Unit
        The unit of utilities.
    zero_sum : bool
        Whether utilities sum to zero at every terminal, whatever the rules state.
    warnings : tuple of str
        Descriptions of what is allowed but may not be intended.
    """

    name: str
    num_histories: int
    num_ends: int
    num_infosets: tuple[int, ...]
    depth: int
    lowest: Number
    highest: Number
    unit: Unit
    zero_sum: bool
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        infosets = " + ".join(map(str, self.num_infosets))
        kind = "zero-sum" if self.zero_sum else "not zero-sum"
        lines = [
            f"{self.name}: rules in order",
            f"{self.num_histories} histories, {self.num_ends} of them ends, the longest of {self.depth} actions",
            f"{infosets} information sets",
            f"utilities from {self.lowest} to {self.highest} {self.unit}, {kind}",
        ]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n  ".join(lines)


def check_rules(rules: Rules) -> RulesReport:
    """Check the rules of a game, and return a report of its sizes, the range of its utilities, and warnings.

    Every function of the rules is called twice with the same arguments, to find rules whose results change from call to
    call.

    Parameters
    ----------
    rules : Rules
        The game.

    Returns
    -------
    RulesReport
        The sizes of the game, and warnings. If a report is returned, the rules are valid.

    Raises
    ------
    GameError
        If the rules are not valid; the message names the history. `compile_rules` lists most reasons. Here are four
        more: a function is not pure; a history can be changed; a probability or utility is a float, which cannot be
        checked or written to a file exactly; or the method `list_factors`, which some card games have, describes
        another game.

    Examples
    --------
    >>> from pokerlab.games.small_poker import make_kuhn_rules
    >>> check_rules(make_kuhn_rules())
    KP(2): rules in order
      58 histories, 30 of them ends, the longest of 5 actions
      6 + 6 information sets
      utilities from -2 to 2 chips, zero-sum
    """
    check_attribute_types(rules)
    repeated = RepeatedRules(rules)
    game = compile_rules(repeated)
    if has_factored_rules(rules) and compile_rules(rules).fingerprint != game.fingerprint:
        raise GameError(
            f"list_factors of {rules.name} gives another game than start, turn and after. Compare the order of deals,"
            " their probabilities, the labels and the payoffs; or remove the method, and the game is compiled without."
        )

    zero_sum = all(sum(utilities) == 0 for utilities in repeated.utilities)
    idle_players = [player for player, size in enumerate(game.num_infosets) if size == 0]
    warnings = [f"player {player + 1} never moves" for player in idle_players]
    if zero_sum and not rules.zero_sum:
        warnings.append("utilities always sum to zero, but the rules do not claim zero_sum")

    return RulesReport(
        name=rules.name,
        num_histories=repeated.num_histories,
        num_ends=game.num_histories_ended,
        num_infosets=game.num_infosets,
        depth=repeated.depth,
        lowest=min(map(min, repeated.utilities)),
        highest=max(map(max, repeated.utilities)),
        unit=rules.unit,
        zero_sum=zero_sum,
        warnings=tuple(warnings),
    )


def check_attribute_types(rules: Rules) -> None:
    """Raise a GameError unless rules have a name, a number of players, a unit, and `zero_sum`, each of the right type.

    Parameters
    ----------
    rules : Rules
        The rules.

    Raises
    ------
    GameError
        If an attribute is missing or has a wrong type, or if the name is empty.
    """
    for attribute, kind in ATTRIBUTE_TYPES.items():
        value = getattr(rules, attribute, None)
        if not isinstance(value, kind) or value == "":
            raise GameError(
                f"{attribute} of {type(rules).__name__} is {value!r}; rules need one of type {kind.__name__}."
            )


class TracedHistory(NamedTuple):
    """A history of the original rules, and the choices that led to it."""

    path: Path
    history: Any


class RepeatedRules:
    """The rules of a game, in which every function of the original rules is called twice and the results are compared.

    A history of these rules is a `TracedHistory`, so that an error can name the choices that lead to it.

    Parameters
    ----------
    rules : Rules
        The original rules.

    Attributes
    ----------
    num_histories : int
        The number of histories that have been visited.
    depth : int
        The number of actions in the longest of them.
    utilities : set of tuple of int or Fraction
        All different utilities of terminals that have been visited.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.name = rules.name
        self.num_players = rules.num_players
        self.unit = rules.unit
        self.zero_sum = rules.zero_sum

        self.num_histories = 0
        self.depth = 0
        self.utilities: set[tuple[Number, ...]] = set()

    def start(self) -> TracedHistory:
        """Return the empty history of the original rules, with an empty path."""
        return TracedHistory((), self.call_original_function((), self.rules.start))

    def turn(self, traced_history: TracedHistory) -> Turn:
        """Return the node at a history, after checking that the original rules return it twice.

        Each call counts one history, because the compiler visits each history once.

        Parameters
        ----------
        traced_history : TracedHistory
            The history, and the choices that lead to it.

        Returns
        -------
        Chance, Decision or Terminal
            The node.

        Raises
        ------
        GameError
            If the history can be changed, if `turn` of the original rules returns another node when it is called again,
            or if a probability or utility is not an exact number.
        """
        path, history = traced_history
        self.num_histories += 1
        self.depth = max(self.depth, len(path))
        try:
            hash(history)
        except TypeError:
            raise self.make_history_error(
                path,
                f"the history is a {type(history).__name__}, which can be changed."
                " Use tuples, NamedTuples or frozen dataclasses",
            ) from None

        turn = self.call_original_function(path, self.rules.turn, history)
        if self.call_original_function(path, self.rules.turn, history) != turn:
            raise self.make_history_error(
                path, "turn gives another answer when asked again. Make it pure"
            )

        if isinstance(turn, Chance) and isinstance(turn.outcomes, Mapping):
            self.check_exact_numbers("probabilities", tuple(turn.outcomes.values()), path)
        elif isinstance(turn, Terminal):
            self.check_exact_numbers("utilities", turn.utilities, path)
            self.utilities.add(turn.utilities)

        return turn

    def after(self, traced_history: TracedHistory, action: str) -> TracedHistory:
        """Return the history that follows an action or outcome, after checking that the original rules return it twice.

        Parameters
        ----------
        traced_history : TracedHistory
            The history, and the choices that lead to it.
        action : str
            An action of a player or an outcome of chance at this history.

        Returns
        -------
        TracedHistory
            The next history, and the choices that lead to it.

        Raises
        ------
        GameError
            If `after` of the original rules returns another history when it is called again, or if it changes the given
            history.
        """
        path, history = traced_history
        turn = self.call_original_function(
            path, self.rules.turn, history
        )  # before `after` can change the history
        following = self.call_original_function(path, self.rules.after, history, action)
        if self.call_original_function(path, self.rules.after, history, action) != following:
            raise self.make_history_error(
                path,
                f"after('{action}') gives another history when asked again. Make it pure, and let"
                " equal histories compare equal",
            )
        if self.call_original_function(path, self.rules.turn, history) != turn:
            raise self.make_history_error(
                path, "turn has changed after a call of after. Let after return a new history"
            )

        return TracedHistory((*path, action), following)

    def call_original_function(
        self, path: Path, function: Callable[..., Result], *arguments: Any
    ) -> Result:
        """Call a function of the original rules, and return its result.

        Parameters
        ----------
        path : tuple of str
            The choices that lead to the history for which the function is called.
        function : callable
            `start`, `turn` or `after` of the original rules.
        *arguments
            The arguments of this function.

        Returns
        -------
        Any
            The result of the function.

        Raises
        ------
        GameError
            If the function raises an error. The message names the history.
        """
        try:
            return function(*arguments)
        except Exception as error:
            shown_arguments = ", ".join(map(repr, arguments[1:]))  # without the history
            raise self.make_history_error(
                path,
                f"{function.__name__}({shown_arguments}) raises {type(error).__name__}: {error}. Give an"
                " answer for every history that the rules themselves lead to",
            ) from error

    def check_exact_numbers(self, noun: str, numbers: Any, path: Path) -> None:
        """Raise a GameError unless an object is a tuple of integers and fractions.

        Parameters
        ----------
        noun : str
            What the error message calls the numbers, such as 'utilities'.
        numbers : Any
            The object to check.
        path : tuple of str
            The choices that lead to the history at which the numbers were found, for the error message.

        Raises
        ------
        GameError
            If the object is not a tuple, or if a number in it is not an int or Fraction.
        """
        is_exact = isinstance(numbers, tuple) and all(
            isinstance(number, int | Fraction) for number in numbers
        )
        if not is_exact:
            raise self.make_history_error(
                path, f"{noun} are {numbers!r}. Use exact ones, int or Fraction"
            )

    def make_history_error(self, path: Path, message: str) -> GameError:
        """Return a GameError whose message begins with the name of a history.

        Parameters
        ----------
        path : tuple of str
            The choices that lead to the history.
        message : str
            The rest of the message, without the period at its end.

        Returns
        -------
        GameError
            The error, which the caller raises.
        """
        return GameError(f"{describe_history(self.rules, path)}: {message}.")
