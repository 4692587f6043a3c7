"""What the definitions are given, looked at once before they begin: so that they can stay as short as formulas are.

`checked` returns a definition that refuses what it cannot be asked. The definitions themselves, and their tests, call
each other without it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from pokerlab.core import GameError, SettingError
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_kind, number, whole
from pokerlab.games.rules import Rules, Terminal, check_has_rules
from pokerlab.reference.definitions import actions_at, histories, information_sets, utility

P = ParamSpec("P")
R = TypeVar("R")
LARGEST_SHIFT = 1e9  # of payoffs: with a larger one, only rounding would be left of them


def checked(definition: Callable[P, R]) -> Callable[P, R]:
    """Return the definition, which looks at its arguments first."""
    parameters = signature(definition)
    replies = definition.__name__ == "best_response"
    answers_for_one = definition.__name__ == "realization_plan"

    @wraps(definition)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        given = parameters.bind(*args, **kwargs).arguments
        rules: Any = given.get("rules")
        player: Any = given.get("player")
        if "rules" in parameters.parameters:
            check_has_rules(rules)
        if "player" in parameters.parameters:
            whole(f"player index in {rules.name}", player, 0, rules.num_players - 1)
        if "behavior" in given:
            everybody = range(rules.num_players)
            some = (
                [player]
                if answers_for_one
                else [p for p in everybody if p != player or not replies]
            )
            check_behavior(rules, given["behavior"], some)
        if "plans" in given:
            check_kind(
                "plans", given["plans"], Mapping, "what realization_plans(rules, behavior) returns"
            )
            for each in range(rules.num_players):
                check_plan(rules, given["plans"].get(each), each)
        if "plan" in given and rules is not None:
            check_plan(rules, given["plan"], player)
        if given.get("history") is not None:
            check_history(rules, given["history"])
        if "q" in given:
            check_sequence(given["q"], given["plan"])
        if "payoff_shift" in given:
            number("payoff_shift", given["payoff_shift"], -LARGEST_SHIFT, LARGEST_SHIFT)
        if definition.__name__ == "replicated":
            check_shift(rules, given["plans"], player, given["payoff_shift"])
        return definition(*args, **kwargs)

    return ask


def check_behavior(rules: Rules, behavior: Any, players: Iterable[int]) -> None:
    """Refuse a behavior that lacks a number for an action of one of these players."""
    check_kind("behavior", behavior, Mapping, "a dictionary such as profile.table()")
    for player in players:
        for label, infoset in information_sets(rules, player).items():
            where = f"behavior at {(player, label)}"
            check_weights(where, behavior.get((player, label)), actions_at(infoset), rules)


def check_plan(rules: Rules, plan: Any, player: int) -> None:
    """Refuse a plan of a player that lacks a number for one of its sequences."""
    sequences: list[Any] = [()]
    for label, infoset in information_sets(rules, player).items():
        before = infoset[0].sequences[player]
        sequences += [(*before, (label, action)) for action in actions_at(infoset)]
    check_weights(f"plan of player {player + 1}", plan, sequences, rules)


def check_weights(name: str, given: Any, wanted: Iterable[Any], rules: Rules) -> None:
    """Refuse anything but a dictionary of numbers that has all the `wanted` keys."""
    check_kind(name, given, Mapping, "a dictionary of numbers, such as {'pass': 0.5, 'bet': 0.5}")
    for key in wanted:
        if key not in given:
            raise GameError(
                f"{name} lacks {in_short(key)}, which {rules.name} has; give it a number, 0 if it is never played."
            )
    for key, value in given.items():
        number(f"{name}, {in_short(key)},", value)


def check_history(rules: Rules, history: Any) -> None:
    """Refuse what is not a history of the game."""
    for known in histories(rules):
        if type(known.history) is type(history) and known.history == history:
            return
    raise GameError(
        f"{in_short(history)} is not a history of {rules.name}; give one of reference.histories(rules)."
    )


def check_sequence(q: Any, plan: Any) -> None:
    """Refuse a plan whose sequences do not continue each other, and a sequence without a positive weight in it."""
    instead = "what realization_plan(rules, behavior, player) returns"
    check_kind("plan", plan, Mapping, instead)
    for sequence, weight in plan.items():
        if not isinstance(sequence, tuple) or sequence[:-1] not in plan:
            raise SettingError(f"plan has the sequence {in_short(sequence)}; give {instead}.")
        number(f"plan, {in_short(sequence)},", weight)
    if (
        not isinstance(q, tuple)
        or any(not isinstance(choice, tuple) for choice in q)
        or q not in plan
    ):
        raise SettingError(
            f"q is {in_short(q)}, which is not a sequence of the plan; give one of them."
        )
    if not all(plan[q[:length]] > 0 for length in range(len(q) + 1)):
        raise SettingError(
            f"q is {in_short(q)}, which has no weight in the plan; give one that is played."
        )


def check_shift(rules: Rules, plans: Any, player: int, shift: Any) -> None:
    """Refuse a shift that does not make what a player wins positive."""
    if not utility(rules, plans, player, shift) > 0:
        turns = (end.turn for end in histories(rules))
        worst = min(turn.utilities[player] for turn in turns if isinstance(turn, Terminal))
        raise SettingError(
            f"payoff_shift is {in_short(shift)}; it must make what player {player + 1} wins positive. Use more than"
            f" {float(-worst):g}."
        )
