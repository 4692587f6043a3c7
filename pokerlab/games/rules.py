"""The protocol of the rules of a game, in which each history is a chance node, a decision or a terminal.

The rules consist of three pure functions. `start()` returns the empty history, `turn(history)` returns who moves and
the possible actions, and `after(history, action)` returns the next history. Nothing else is needed: `compile_rules`
converts the rules to arrays, and `describe_playthrough` describes one hand in words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from pokerlab.core import GameError, Unit, UnknownNameError
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import check_attributes, check_kind

Number: TypeAlias = int | Fraction
EQUAL_SUMS = 1e-9
"""The largest difference between sums of all players' payoffs that count as equal, relative to the largest payoff."""
MOST_PLAYERS = 32  # the arrays of a compiled game grow with the square of the number of players


@dataclass(frozen=True, slots=True)
class Chance:
    """A history at which chance moves, for example the dealer.

    Attributes
    ----------
    outcomes : mapping of str to Fraction
        The exact probability of each outcome. The probabilities sum to one.
    """

    outcomes: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Decision:
    """A history at which a player moves.

    Attributes
    ----------
    player : int
        The player who moves, counted from 0.
    infoset : str
        The label of the information set: everything that this player knows.
    actions : tuple of str
        The legal actions, in the order in which strategies list them.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terminal:
    """A history at which the hand is over.

    Attributes
    ----------
    utilities : tuple of int or Fraction
        The payoff of each player, in the game's unit.
    """

    utilities: tuple[Number, ...]


Turn: TypeAlias = Chance | Decision | Terminal


class Rules(Protocol):
    """The rules of a finite game of perfect recall."""

    @property
    def name(self) -> str:
        """The name of the game in plots, messages and provenance."""

    @property
    def num_players(self) -> int:
        """The number of players, 1 to 32."""

    @property
    def unit(self) -> Unit:
        """The unit of utilities."""

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero at every terminal, up to rounding. `compile_rules` checks this."""

    def start(self) -> Any:
        """Return the empty history, at which nothing has happened yet.

        Returns
        -------
        Any
            The history, an immutable object.
        """

    def turn(self, history: Any) -> Turn:
        """Return the node at a history: a chance node, a decision, or a terminal.

        Parameters
        ----------
        history : Any
            A history that `start` or `after` has returned.

        Returns
        -------
        Chance, Decision or Terminal
            Who moves and what is possible, or the payoffs at the end of the hand.
        """

    def after(self, history: Any, action: str) -> Any:
        """Return the history that follows an action of a player or an outcome of chance.

        Parameters
        ----------
        history : Any
            A history at which chance or a player moves.
        action : str
            One of the actions or outcomes at this history.

        Returns
        -------
        Any
            The next history, as a new and immutable object.
        """


def check_has_rules(rules: Any) -> None:
    """Raise a SettingError if an object lacks an attribute or method that all rules have.

    Parameters
    ----------
    rules : Any
        The object, which should implement the protocol `Rules`.

    Raises
    ------
    SettingError
        If an attribute is missing. The message names it.
    """
    attributes = ("name", "num_players", "unit", "start", "turn", "after")
    check_attributes("rules", rules, attributes, "those of a game, such as games.kuhn().rules")


def describe_playthrough(rules: Rules, choices: Iterable[str]) -> str:
    """Return a text that describes one hand, history by history.

    Parameters
    ----------
    rules : Rules
        The game.
    choices : iterable of str
        The outcomes of chance and the players' actions in their order, up to the end of the hand.

    Returns
    -------
    str
        The text. For each history it has a line with the choices so far, and a line about who moves and what is
        possible.

    Raises
    ------
    UnknownNameError
        If a choice is not possible at its history.
    GameError
        If there are too few choices to end the hand, or more choices after its end.

    Examples
    --------
    >>> from pokerlab.games.small_poker import make_kuhn_rules
    >>> print(describe_playthrough(make_kuhn_rules(), ["J", "K", "pass", "bet", "pass"]))
    KP(2), 2 players, utilities in chips
    <BLANKLINE>
    start
        chance: J 1/3, Q 1/3, K 1/3
    J
        chance: Q 1/2, K 1/2
    J K
        player 1 at 'J': pass, bet
    J K pass
        player 2 at 'K, pass': pass, bet
    J K pass bet
        player 1 at 'J, pass-bet': pass, bet
    J K pass bet pass
        player 1 gets -1, player 2 gets 1
    """
    check_has_rules(rules)
    check_kind("choices", choices, Iterable, "a list of actions")
    lines = [f"{rules.name}, {rules.num_players} players, utilities in {rules.unit}", ""]
    history = rules.start()
    path: list[str] = []
    for choice in choices:
        turn = rules.turn(history)
        lines.append(" ".join(path) or "start")
        lines.append("    " + describe_turn(turn))

        possible_choices = list_choices(turn)
        present_history = describe_history(rules, path)
        if not possible_choices:
            raise GameError(
                f"{present_history} is the end of the hand; {quote_value(choice)} is one choice more."
            )
        UnknownNameError.check(f"action at {present_history}", choice, possible_choices)
        history = rules.after(history, choice)
        path.append(choice)

    turn = rules.turn(history)
    possible_choices = list_choices(turn)
    if possible_choices:
        raise GameError(
            f"{describe_history(rules, path)} is not the end of the hand;"
            f" go on with one of: {', '.join(possible_choices)}."
        )
    lines.append(" ".join(path) or "start")
    lines.append("    " + describe_turn(turn))
    return "\n".join(lines)


def describe_history(rules: Rules, path: Iterable[str]) -> str:
    """Return the name of a history in error messages, such as "history 'J K pass' of KP(2)".

    Parameters
    ----------
    rules : Rules
        The game.
    path : iterable of str
        The outcomes and actions that lead to the history.

    Returns
    -------
    str
        The name.
    """
    return f"history '{' '.join(path) or 'start'}' of {rules.name}"


def list_choices(turn: Turn) -> tuple[str, ...]:
    """Return what can be chosen at a node: the outcomes of chance, the actions of a player, or nothing at a terminal.

    Parameters
    ----------
    turn : Chance, Decision or Terminal
        The node.

    Returns
    -------
    tuple of str
        The outcomes or actions, which are empty at a terminal.
    """
    if isinstance(turn, Chance):
        return tuple(turn.outcomes)
    if isinstance(turn, Decision):
        return turn.actions
    return ()


def describe_turn(turn: Turn) -> str:
    """Return one line of text about a node: who moves and what is possible, or the payoff of each player.

    Parameters
    ----------
    turn : Chance, Decision or Terminal
        The node.

    Returns
    -------
    str
        The line, such as "player 1 at 'J': pass, bet". Players are counted from 1.
    """
    if isinstance(turn, Chance):
        outcomes = ", ".join(f"{outcome} {chance}" for outcome, chance in turn.outcomes.items())
        return f"chance: {outcomes}"
    if isinstance(turn, Decision):
        return f"player {turn.player + 1} at '{turn.infoset}': {', '.join(turn.actions)}"
    return ", ".join(f"player {p + 1} gets {u}" for p, u in enumerate(turn.utilities))


def classify_payoff_sum(payoff_sum: float | None) -> str:
    """Return whether a game is zero-sum, constant-sum or general-sum.

    Parameters
    ----------
    payoff_sum : float or None
        The sum of all players' payoffs; None if it is not the same at every terminal.

    Returns
    -------
    str
        'zero-sum' for 0, 'constant-sum' for another number, and 'general-sum' for None.
    """
    if payoff_sum is None:
        return "general-sum"
    return "constant-sum" if payoff_sum else "zero-sum"
