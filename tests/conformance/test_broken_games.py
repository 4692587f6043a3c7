"""Games that break the contract of rules are refused, naming the history."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

import pokerlab as pl
from pokerlab.core import POINTS, GameError, Unit
from pokerlab.games import Chance, Decision, SequenceForm, Terminal, check_rules, compile_rules
from pokerlab.games.rules import EQUAL_SUMS, Number

HALF = Fraction(1, 2)


def first_of_two(infoset: str = "start", actions: Any = ("left", "right")) -> Decision:
    return Decision(0, infoset, actions)


@dataclass
class Broken:
    """A small game in which one thing can be put wrong: `turns` gives the turn at each history."""

    turns: dict[tuple[str, ...], Any]
    name: str = "broken"
    num_players: int = 2
    unit: Unit = POINTS
    zero_sum: bool = True
    next_history: Callable[[tuple[str, ...], str], Any] = lambda history, action: (*history, action)
    answers: list[Any] = field(default_factory=list)

    def start(self) -> Any:
        return ()

    def turn(self, history: Any) -> Any:
        return self.turns.get(tuple(history), Terminal((0, 0)))

    def after(self, history: Any, action: str) -> Any:
        return self.next_history(history, action)


class Forgetful(Broken):
    """Answers differently from call to call."""

    def turn(self, history: Any) -> Any:
        self.answers.append(history)
        return Terminal((1, -1)) if len(self.answers) % 2 else Terminal((-1, 1))


class Wandering(Broken):
    """Leads somewhere else from call to call."""

    def after(self, history: Any, action: str) -> Any:
        self.answers.append(action)
        return (*history, action, len(self.answers))


class Ledger:
    """A history that is written on."""

    def __init__(self) -> None:
        self.actions: list[str] = []

    def __iter__(self) -> Any:
        return iter(self.actions)


class OnOneLedger(Broken):
    """Writes every action on the same history."""

    def start(self) -> Ledger:
        return Ledger()

    def after(self, history: Any, action: str) -> Any:
        history.actions.append(action)
        return history


class Endless(Broken):
    """Never comes to an end."""

    def turn(self, history: Any) -> Any:
        return first_of_two(str(len(history)), ("on",))


def after_left(turn: Any, **declared: Any) -> Broken:
    return Broken({(): first_of_two(), ("left",): turn}, **declared)


def stumbling() -> Broken:
    return Broken({(): first_of_two()}, next_history=lambda history, action: {}[action])


CHECKED: dict[str, tuple[Any, str]] = {
    "rounded chance": (
        Broken({(): Chance({"a": 0.5, "b": 0.5})}),  # type: ignore[dict-item]
        r"history 'start' of broken: probabilities are \(0.5, 0.5\). Use exact ones",
    ),
    "rounded utilities": (
        after_left(Terminal((0.1, -0.1))),  # type: ignore[arg-type]
        r"history 'left' of broken: utilities are \(0.1, -0.1\). Use exact ones",
    ),
    "a history that can be changed": (
        Broken({(): first_of_two()}, next_history=lambda history, action: [*history, action]),
        r"history 'left' of broken: the history is a list, which can be changed",
    ),
    "rules that stumble": (
        stumbling(),
        r"history 'start' of broken: after\('left'\) raises KeyError",
    ),
    "turns that change": (
        Forgetful({}),
        r"history 'start' of broken: turn gives another answer when asked again",
    ),
    "histories that change": (
        Wandering({(): first_of_two()}),
        r"history 'start' of broken: after\('left'\) gives another history when asked again",
    ),
    "one history for all": (
        OnOneLedger({(): first_of_two()}),
        r"history 'start' of broken: turn has changed after a call of after",
    ),
    "no name": (Broken({}, name=""), r"name of Broken is ''; rules need one of type str"),
    "no unit": (
        Broken({}, unit=None),  # type: ignore[arg-type]
        r"unit of Broken is None; rules need one of type Unit",
    ),
}
"""What `check_rules` refuses, and in which words."""
BOTH: dict[str, tuple[Any, str]] = {
    "chance that misses one": (
        after_left(Chance({"a": HALF, "b": Fraction(1, 3)})),
        r"history 'left' of broken has probabilities \['1/2', '1/3'\], which sum to 5/6",
    ),
    "impossible chance": (
        after_left(Chance({"a": Fraction(0), "b": Fraction(1)})),
        r"history 'left' of broken .*must be positive",
    ),
    "missing utilities": (
        after_left(Terminal((1,))),
        r"1 utilities at history 'left' of broken; one for each of 2 players",
    ),
    "utilities beyond all numbers": (
        after_left(Terminal((10**400, -(10**400)))),
        r"utility of player 1 at history 'left' of broken is not a finite number",
    ),
    "a claim of zero sum": (
        after_left(Terminal((1, -2))),
        r"utilities at history 'left' of broken are \['1', '-2'\] and sum to -1",
    ),
    "a player who forgets": (
        Broken({(): first_of_two(), **dict.fromkeys([("left",), ("right",)], first_of_two("x"))}),
        r"player 1 has imperfect recall at 'x': history 'right' of broken and history 'left'",
    ),
    "a player who does not know whether it has moved": (
        after_left(first_of_two()),
        r"player 1 has imperfect recall at 'start': history 'left' .* and history 'start'",
    ),
    "one label, different actions": (
        Broken(
            {
                (): Chance({"a": HALF, "b": HALF}),
                ("a",): first_of_two("same"),
                ("b",): first_of_two("same", ("left", "right", "middle")),
            }
        ),
        r"'same' of player 1 offers .* at history 'a' but .*'middle'\) at history 'b' of broken",
    ),
    "an action twice": (
        Broken({(): first_of_two(actions=("left", "left"))}),
        r"actions \('left', 'left'\) at history 'start'",
    ),
    "no action": (
        after_left(first_of_two("stuck", ())),
        r"actions \(\) at history 'left' of broken; at least one",
    ),
    "a player who is not there": (
        after_left(Decision(2, "x", ("a", "b"))),
        r"player index 2 moves at history 'left' of broken; it must be from 0 to 1",
    ),
    "a hand without end": (
        Endless({}),
        r"a history of broken that begins 'on on on .*' has more than 500 actions",
    ),
    "no players": (Broken({}, num_players=0), r"broken has 0 players"),
    "absurdly many players": (Broken({}, num_players=10**30), r"players; a game has 1 to 32"),
}
"""What compiling refuses by itself, since it would give wrong numbers, and so `check_rules` too."""
MALFORMED: dict[str, tuple[Any, str]] = {
    "no turn": (after_left(None), "turn at history 'left' of broken is None; return a Chance, a"),
    "one utility": (after_left(Terminal(3)), "utilities at history 'left' of broken are 3; use a"),  # type: ignore[arg-type]
    "utilities None": (after_left(Terminal((None, 0))), r"'left' of broken are \(None, 0\)"),  # type: ignore[arg-type]
    "utilities complex": (after_left(Terminal((1j, 0))), r"'left' of broken are \(1j, 0\)"),  # type: ignore[arg-type]
    "utilities in words": (after_left(Terminal(("1", "2"))), r"'left' .* are \('1', '2'\); use"),  # type: ignore[arg-type]
    "utilities by name": (after_left(Terminal({0: 1})), r"'left' of broken are \{0: 1\}; use"),  # type: ignore[arg-type]
    "outcomes in a list": (
        after_left(Chance(["a", "b"])),  # type: ignore[arg-type]
        r"outcomes of chance at history 'left' of broken are \['a', 'b'\]; map labels",
    ),
    "an outcome without a word": (after_left(Chance({"": Fraction(1)})), r"'left' .*\{'': .*map"),
    "probabilities in words": (
        after_left(Chance({"a": "1"})),  # type: ignore[dict-item]
        r"chance at history 'left' of broken has probabilities \['1'\], which are not all numbers",
    ),
    "a player by name": (after_left(Decision("x", "i", ("a",))), "player at history 'left' .*'x'"),  # type: ignore[arg-type]
    "a player True": (after_left(Decision(True, "i", ("a",))), "player at history 'left' .*True"),
    "a player 1.0": (after_left(Decision(1.0, "i", ("a",))), "player at history 'left' .*1.0; use"),  # type: ignore[arg-type]
    "actions in a string": (
        after_left(first_of_two("i", "ab")),
        "actions at history 'left' of broken are 'ab'; use a tuple of non-empty strings",
    ),
    "actions without words": (after_left(first_of_two("i", ("a", ""))), "'left' .*; use a tuple"),
    "actions by number": (after_left(first_of_two("i", (1, 2))), r"'left' .*\(1, 2\); use a tuple"),
    "no actions at all": (after_left(first_of_two("i", None)), "'left' of broken are None; use a"),
    "an empty label": (after_left(first_of_two("")), "information set at history 'left' .* is ''"),
    "a label in a list": (
        after_left(first_of_two(["i"])),  # type: ignore[arg-type]
        r"label of the information set at history 'left' of broken is \['i'\]; use a non-empty",
    ),
    "no name": (Broken({}, name=""), "name of Broken is ''; use a non-empty string"),
    "a name by number": (Broken({}, name=3), "name of Broken is 3; use a non-empty string"),  # type: ignore[arg-type]
    "nothing declared": (object(), "name of object is None; use a non-empty string"),
    "players in words": (Broken({}, num_players="2"), "num_players of broken is '2'; use an int"),  # type: ignore[arg-type]
    "half a player": (Broken({}, num_players=1.5), "num_players of broken is 1.5; use an int"),  # type: ignore[arg-type]
    "players True": (Broken({}, num_players=True), "num_players of broken is True; use an int"),
    "rules that stumble": (
        stumbling(),
        "the rules raise KeyError at history 'left' of broken: 'left'. Give an answer for every",
    ),
    "chance lost in rounding": (
        after_left(Chance({"a": Fraction(1, 10**400), "b": 1 - Fraction(1, 10**400)})),
        "chance leads to history 'left a' of broken with a probability that is too small: as a",
    ),
    "chance lost in a product": (
        Broken(
            {
                path: Chance({"a": Fraction(1, 10**200), "b": 1 - Fraction(1, 10**200)})
                for path in ((), ("a",))
            }
        ),
        "chance leads to history 'a a' of broken with a probability that is too small",
    ),
}
"""What compiling refuses because it is of another type, or too small for a float."""


@pytest.mark.parametrize(
    ("look", "rules", "words"),
    [
        *(pytest.param(check_rules, *CHECKED[name], id=f"{name}, checked") for name in CHECKED),
        *(pytest.param(check_rules, *BOTH[name], id=f"{name}, checked") for name in BOTH),
        *(pytest.param(pl.games.compile_rules, *BOTH[name], id=name) for name in BOTH),
        *(pytest.param(pl.games.compile_rules, *MALFORMED[name], id=name) for name in MALFORMED),
    ],
)
def test_broken_rules_are_refused_by_name_of_the_history(
    look: Callable[[Any], object], rules: Any, words: str
) -> None:
    with pytest.raises(GameError, match=words):
        look(rules)


def test_compiling_takes_lists_for_tuples() -> None:
    def game(kind: Callable[[Any], Any]) -> SequenceForm:
        choice = Decision(1, "x", kind(["up", "down"]))
        ends = {("left", "up"): Terminal(kind([1, -1])), ("left", "down"): Terminal(kind([1, -1]))}
        turns = {(): first_of_two(), ("left",): choice, ("right",): choice, **ends}
        return pl.games.compile_rules(Broken(turns))

    assert game(list).fingerprint == game(tuple).fingerprint
    assert game(list).action_label == (("left", "right"), ("up", "down"))


def test_compiling_takes_the_largest_float_as_utility() -> None:
    largest = sys.float_info.max
    exact = int(largest)
    game = pl.games.compile_rules(after_left(Terminal((exact, -exact))))
    assert game.payoff.max() == largest
    assert game.payoff.min() == -largest


def test_a_player_who_never_moves_is_a_warning() -> None:
    report = check_rules(after_left(Terminal((HALF, -HALF))))
    assert report.warnings == ("player 2 never moves",)
    assert repr(report).splitlines()[-2:] == [
        "  utilities from -1/2 to 1/2 points, zero-sum",
        "  warning: player 2 never moves",
    ]


def test_a_zero_sum_game_that_does_not_claim_to_be_one_is_a_warning() -> None:
    (warning,) = check_rules(after_left(Decision(1, "x", ("a",)), zero_sum=False)).warnings
    assert warning == "utilities always sum to zero, but the rules do not claim zero_sum"


@pytest.mark.parametrize("scale", [Fraction(1, 10**6), 1, 10**6])
def test_zero_sum_allows_rounding_relative_to_the_largest_utility(scale: Number) -> None:
    rounded, wrong = (scale * (1 + k * Fraction(EQUAL_SUMS) / 2) for k in (1, 3))
    game = compile_rules(after_left(Terminal((scale, -rounded))))
    assert game.payoff_sum == 0.0
    with pytest.raises(GameError, match="but the rules claim zero_sum"):
        compile_rules(after_left(Terminal((scale, -wrong))))
    assert compile_rules(after_left(Terminal((scale, -wrong)), zero_sum=False)).payoff_sum is None
    for payoff, is_zero_sum in ((rounded, True), (wrong, False)):
        matrix_game = pl.games.bimatrix([[scale, 0]], [[-payoff, 0]])
        assert matrix_game.zero_sum == matrix_game.rules.zero_sum == is_zero_sum
