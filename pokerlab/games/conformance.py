"""Check the rules of a game, such as your own, more closely than compiling does.

`AskedTwice` stands between the rules and the compiler and checks what compiling takes for granted: that `turn`
and `after` are pure, that histories cannot be changed, that numbers are exact. All else compiling checks by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pokerlab.core import GameError, Unit
from pokerlab.games.rules import Chance, Number, Rules, Terminal
from pokerlab.games.sequence_form import compile_rules

Path = tuple[str, ...]
DECLARED = {"name": str, "num_players": int, "unit": Unit, "zero_sum": bool}


@dataclass(frozen=True, slots=True, repr=False)
class RulesReport:
    """What `check_rules` found in valid rules."""

    name: str  # the game's
    num_histories: int  # of all lengths
    num_ends: int  # histories at which the hand is over
    num_infosets: tuple[int, ...]  # information sets of each player
    depth: int  # actions in the longest history, chance's included
    lowest: Number  # utility of anybody, in `unit`
    highest: Number
    unit: Unit  # what utilities count
    zero_sum: bool  # whether utilities sum to zero at every end, claimed or not
    warnings: tuple[str, ...]  # what is allowed but may not be intended

    def __repr__(self) -> str:
        lines = [
            f"{self.name}: rules in order",
            f"{self.num_histories} histories, {self.num_ends} of them ends, the longest of {self.depth} actions",
            f"{' + '.join(map(str, self.num_infosets))} information sets",
            f"utilities from {self.lowest} to {self.highest} {self.unit}, {'' if self.zero_sum else 'not '}zero-sum",
            *(f"warning: {warning}" for warning in self.warnings),
        ]
        return "\n  ".join(lines)


def check_rules(rules: Rules) -> RulesReport:
    """Check the rules of a game and return what was found: sizes, the range of utilities, warnings.

    Every question is asked twice, to catch rules whose answers change from call to call.

    Parameters
    ----------
    rules : Rules
        The game.

    Raises
    ------
    GameError
        If something is wrong; the message names the history. Beyond what `compile_rules` refuses:
        rules that are not pure functions, histories that can be changed, floats for probabilities and
        utilities, which could not be written to a file or checked exactly.

    Examples
    --------
    >>> from pokerlab.games.small_poker import kuhn_rules
    >>> check_rules(kuhn_rules())
    KP(2): rules in order
      58 histories, 30 of them ends, the longest of 5 actions
      6 + 6 information sets
      utilities from -2 to 2 chips, zero-sum
    """
    check_declared(rules)
    asked = AskedTwice(rules)
    game = compile_rules(asked)
    utilities = [utility for ending in asked.endings for utility in ending]
    zero_sum = all(sum(ending) == 0 for ending in asked.endings)
    warnings = [f"player {p + 1} never moves" for p, k in enumerate(game.num_infosets) if k == 0]
    if zero_sum and not rules.zero_sum:
        warnings.append("utilities always sum to zero, but the rules do not claim zero_sum")
    return RulesReport(
        name=rules.name,
        num_histories=asked.num_histories,
        num_ends=game.num_histories_ended,
        num_infosets=game.num_infosets,
        depth=asked.depth,
        lowest=min(utilities),
        highest=max(utilities),
        unit=rules.unit,
        zero_sum=zero_sum,
        warnings=tuple(warnings),
    )


def check_declared(rules: Rules) -> None:
    """Refuse rules without a valid name, number of players, unit or `zero_sum`."""
    for attribute, kind in DECLARED.items():
        given = getattr(rules, attribute, None)
        if not isinstance(given, kind) or given == "":
            raise GameError(
                f"{attribute} of {type(rules).__name__} is {given!r}; rules need one of type {kind.__name__}."
            )


class Reached(NamedTuple):
    """A history, and the actions that led to it."""

    path: Path
    history: Any


class AskedTwice:
    """Rules that ask others everything twice, and note what these answer."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.name, self.num_players = rules, rules.name, rules.num_players
        self.unit, self.zero_sum = rules.unit, rules.zero_sum
        self.num_histories = self.depth = 0
        self.endings: set[tuple[Number, ...]] = set()

    def start(self) -> Reached:
        """Return the empty history."""
        return Reached((), self.ask((), self.rules.start))

    def turn(self, reached: Reached) -> Any:
        """Return whose turn it is at a history that is met for the first time."""
        path, history = reached
        self.num_histories += 1
        self.depth = max(self.depth, len(path))
        try:
            hash(history)
        except TypeError:
            raise self.error(
                path,
                f"the history is a {type(history).__name__}, which can be changed."
                " Use tuples, NamedTuples or frozen dataclasses",
            ) from None
        turn = self.ask(path, self.rules.turn, history)
        if self.ask(path, self.rules.turn, history) != turn:
            raise self.error(path, "turn gives another answer when asked again. Make it pure")
        if isinstance(turn, Chance) and isinstance(turn.outcomes, Mapping):
            self.check_exact("probabilities", tuple(turn.outcomes.values()), path)
        elif isinstance(turn, Terminal):
            self.check_exact("utilities", turn.utilities, path)
            self.endings.add(turn.utilities)
        return turn

    def after(self, reached: Reached, action: str) -> Reached:
        """Return the next history."""
        path, history = reached
        turn = self.ask(path, self.rules.turn, history)
        following = self.ask(path, self.rules.after, history, action)
        if self.ask(path, self.rules.after, history, action) != following:
            raise self.error(
                path,
                f"after('{action}') gives another history when asked again. Make it pure, and let"
                " equal histories compare equal",
            )
        if self.ask(path, self.rules.turn, history) != turn:
            raise self.error(
                path, "turn has changed after a call of after. Let after return a new history"
            )
        return Reached((*path, action), following)

    def ask(self, path: Path, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what one of the rules' functions answers."""
        try:
            return function(*arguments)
        except Exception as error:
            asked = ", ".join(map(repr, arguments[1:]))
            raise self.error(
                path,
                f"{function.__name__}({asked}) raises {type(error).__name__}: {error}. Give an"
                " answer for every history that the rules themselves lead to",
            ) from error

    def check_exact(self, kind: str, numbers: Any, path: Path) -> None:
        """Refuse numbers that are not exact."""
        exact = isinstance(numbers, tuple) and all(isinstance(n, int | Fraction) for n in numbers)
        if not exact:
            raise self.error(path, f"{kind} are {numbers!r}. Use exact ones, int or Fraction")

    def error(self, path: Path, message: str) -> GameError:
        """Return the error that names the history."""
        return GameError(f"history '{' '.join(path) or 'start'}' of {self.name}: {message}.")
