"""What the rules of a game are made of: an immutable history, and at each history whose turn it is.

A game is three pure functions. `start()` is the empty history, `turn(history)` says who moves and
what may be done, `after(history, action)` is the next history. Nothing else is needed;
`compile_rules` turns it into arrays once, and `playthrough` tells one hand in words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from pokerlab.core import GameError, Unit, UnknownNameError
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_able, check_kind

Number: TypeAlias = int | Fraction
EQUAL_SUMS = 1e-9
"""By how much sums of all players' payoffs may differ that count as equal, as a share of the largest payoff."""
MOST_PLAYERS = 32  # a compiled game's arrays grow with the square of the number of players


@dataclass(frozen=True, slots=True)
class Chance:
    """The dealer moves."""

    outcomes: Mapping[str, Fraction]  # exact probability of each outcome; they sum to one


@dataclass(frozen=True, slots=True)
class Decision:
    """A player moves."""

    player: int  # who moves, 0-based
    infoset: str  # all that this player knows, as a label: one label is one information set
    actions: tuple[str, ...]  # what is possible, in the order in which strategies list it


@dataclass(frozen=True, slots=True)
class Terminal:
    """The hand is over."""

    utilities: tuple[Number, ...]  # what each player gets, in the game's unit


Turn: TypeAlias = Chance | Decision | Terminal


class Rules(Protocol):
    """The rules of a finite game of perfect recall."""

    @property
    def name(self) -> str:
        """What people call the game: in plots, messages, provenance."""

    @property
    def num_players(self) -> int:
        """How many players, 1 to 32."""

    @property
    def unit(self) -> Unit:
        """What utilities count."""

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero at every end, but for rounding; the claim is checked."""

    def start(self) -> Any:
        """Return the history in which nothing has happened."""

    def turn(self, history: Any) -> Turn:
        """Return whose turn it is at `history`."""

    def after(self, history: Any, action: str) -> Any:
        """Return `history` followed by `action`, a player's or an outcome of chance."""


def check_kind_of_rules(rules: Any) -> None:
    """Refuse what lacks an attribute that all rules have."""
    able = ("name", "num_players", "unit", "start", "turn", "after")
    check_able("rules", rules, able, "those of a game, such as games.kuhn().rules")


def playthrough(rules: Rules, choices: Iterable[str]) -> str:
    """Return the text of the hand in which `choices` are made.

    Parameters
    ----------
    rules : Rules
        The game.
    choices : iterable of str
        Chance's and the players' actions in their order, up to the end of the hand.

    Examples
    --------
    >>> from pokerlab.games.small_poker import kuhn_rules
    >>> print(playthrough(kuhn_rules(), ["J", "K", "pass", "bet", "pass"]))
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
    check_kind_of_rules(rules)
    check_kind("choices", choices, Iterable, "a list of actions")
    lines = [f"{rules.name}, {rules.num_players} players, utilities in {rules.unit}", ""]
    history, path = rules.start(), list[str]()
    for choice in choices:
        turn = rules.turn(history)
        lines += [" ".join(path) or "start", "    " + turn_line(turn)]
        allowed = actions(turn)
        where = f"history '{' '.join(path) or 'start'}' of {rules.name}"
        if not allowed:
            raise GameError(
                f"{where} is the end of the hand; {in_short(choice)} is one choice more."
            )
        UnknownNameError.check(f"action at {where}", choice, allowed)
        history = rules.after(history, choice)
        path.append(choice)
    turn = rules.turn(history)
    if following := actions(turn):
        raise GameError(
            f"history '{' '.join(path) or 'start'}' of {rules.name} is not the end of the hand;"
            f" go on with one of: {', '.join(following)}."
        )
    lines += [" ".join(path) or "start", "    " + turn_line(turn)]
    return "\n".join(lines)


def actions(turn: Turn) -> tuple[str, ...]:
    """Return the actions or outcomes that may follow; none at the end."""
    if isinstance(turn, Chance):
        return tuple(turn.outcomes)
    return turn.actions if isinstance(turn, Decision) else ()


def turn_line(turn: Turn) -> str:
    """Return the line that describes whose turn it is."""
    if isinstance(turn, Chance):
        odds = ", ".join(f"{outcome} {chance}" for outcome, chance in turn.outcomes.items())
        return f"chance: {odds}"
    if isinstance(turn, Decision):
        return f"player {turn.player + 1} at '{turn.infoset}': {', '.join(turn.actions)}"
    return ", ".join(f"player {p + 1} gets {u}" for p, u in enumerate(turn.utilities))
