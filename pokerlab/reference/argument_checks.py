"""Checks of the arguments that users pass to the reference definitions.

`add_checks` returns a definition that checks its arguments first. So the definitions themselves can be as short as
formulas, and they call each other without checks.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from pokerlab.core import GameError, SettingError
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import check_kind, checked_integer, checked_number
from pokerlab.games.rules import Rules, Terminal, check_has_rules
from pokerlab.reference.definitions import (
    compute_utility,
    iterate_histories,
    list_actions,
    list_information_sets,
)

P = ParamSpec("P")
R = TypeVar("R")
LARGEST_SHIFT = 1e9
"""The largest shift of payoffs. With a larger shift, the payoffs would be lost in rounding."""


def list_all_players(num_players: int, player: int) -> list[int]:
    """Return the indices of all players."""
    return list(range(num_players))


def list_one_player(num_players: int, player: int) -> list[int]:
    """Return a list with the index of `player` only."""
    return [player]


def list_other_players(num_players: int, player: int) -> list[int]:
    """Return the indices of all players except `player`."""
    return [other for other in range(num_players) if other != player]


def add_checks(
    definition: Callable[P, R],
    needed_behavior: Callable[[int, int], list[int]] = list_all_players,
    needs_positive_utility: bool = False,
) -> Callable[P, R]:
    """Return a function that checks the arguments of a definition and then calls it.

    The name of a parameter decides how its argument is checked.

    Parameters
    ----------
    definition : callable
        A function of `pokerlab.reference.definitions`.
    needed_behavior : callable
        A function of the number of players and the argument `player`. It returns the players whose behavior the
        definition needs.
    needs_positive_utility : bool
        Whether the shifted utility of `player` must be positive.
    """
    parameters = signature(definition)

    @wraps(definition)
    def check_and_call(*args: P.args, **kwargs: P.kwargs) -> R:
        """Check the arguments, and return the result of the definition."""
        given = parameters.bind(*args, **kwargs).arguments
        rules: Any = given.get("rules")
        player: Any = given.get("player")
        if "rules" in given:
            check_has_rules(rules)
        if "player" in given:
            checked_integer(f"player index in {rules.name}", player, 0, rules.num_players - 1)
        if "behavior" in given:
            check_behavior(rules, given["behavior"], needed_behavior(rules.num_players, player))
        if "plans" in given:
            check_plans(rules, given["plans"])
        if "plan" in given and "rules" in given:
            check_plan(rules, given["plan"], player)
        if given.get("history") is not None:
            check_history(rules, given["history"])
        if "q" in given:
            check_sequence(given["q"], given["plan"])
        if "payoff_shift" in given:
            checked_number("payoff_shift", given["payoff_shift"], -LARGEST_SHIFT, LARGEST_SHIFT)
        if needs_positive_utility:
            check_positive_utility(rules, given["plans"], player, given["payoff_shift"])
        return definition(*args, **kwargs)

    return check_and_call


def check_behavior(rules: Rules, behavior: Any, players: Iterable[int]) -> None:
    """Raise an error unless a behavior has a number for every action at every information set of the given players."""
    check_kind("behavior", behavior, Mapping, "a dictionary such as profile.to_table()")
    for player in players:
        for label, infoset in list_information_sets(rules, player).items():
            where = f"behavior at {(player, label)}"
            check_weights(where, behavior.get((player, label)), list_actions(infoset), rules)


def check_plans(rules: Rules, plans: Any) -> None:
    """Raise an error unless `plans` has a realization plan, with a number for every sequence, for every player."""
    check_kind("plans", plans, Mapping, "what realization_plans(rules, behavior) returns")
    for player in range(rules.num_players):
        check_plan(rules, plans.get(player), player)


def check_plan(rules: Rules, plan: Any, player: int) -> None:
    """Raise an error unless a player's plan has a number for every sequence of the player."""
    sequences: list[Any] = [()]
    for label, infoset in list_information_sets(rules, player).items():
        before = infoset[0].sequences[player]
        sequences += [(*before, (label, action)) for action in list_actions(infoset)]
    check_weights(f"plan of player {player + 1}", plan, sequences, rules)


def check_weights(name: str, given: Any, needed: Iterable[Any], rules: Rules) -> None:
    """Raise an error unless `given` is a dictionary of numbers that has all `needed` keys.

    The errors call the dictionary `name`.
    """
    check_kind(name, given, Mapping, "a dictionary of numbers, such as {'pass': 0.5, 'bet': 0.5}")
    for key in needed:
        if key not in given:
            raise GameError(
                f"{name} lacks {quote_value(key)}, which {rules.name} has; give it a number, 0 if it is never played."
            )
    for key, value in given.items():
        checked_number(f"{name}, {quote_value(key)},", value)


def check_history(rules: Rules, history: Any) -> None:
    """Raise GameError unless `history` is a history of the game."""
    for known in iterate_histories(rules):
        if type(known.history) is type(history) and known.history == history:
            return
    raise GameError(
        f"{quote_value(history)} is not a history of {rules.name}; give one of reference.histories(rules)."
    )


def check_sequence(q: Any, plan: Any) -> None:
    """Raise SettingError unless `q` is a sequence of `plan` with a positive weight.

    It is also raised if the sequences of the plan do not form a tree, which means that one begins with a sequence that
    is not in the plan.
    """
    instead = "what realization_plan(rules, behavior, player) returns"
    check_kind("plan", plan, Mapping, instead)
    for sequence, weight in plan.items():
        if not isinstance(sequence, tuple) or sequence[:-1] not in plan:
            raise SettingError(f"plan has the sequence {quote_value(sequence)}; give {instead}.")
        checked_number(f"plan, {quote_value(sequence)},", weight)
    is_sequence = isinstance(q, tuple) and all(isinstance(choice, tuple) for choice in q)
    if not is_sequence or q not in plan:
        raise SettingError(
            f"q is {quote_value(q)}, which is not a sequence of the plan; give one of them."
        )
    prefixes = [q[:length] for length in range(len(q) + 1)]
    if not all(plan[prefix] > 0 for prefix in prefixes):
        raise SettingError(
            f"q is {quote_value(q)}, which has no weight in the plan; give one that is played."
        )


def check_positive_utility(rules: Rules, plans: Any, player: int, shift: Any) -> None:
    """Raise SettingError unless a shift of payoffs makes a player's utility positive."""
    if not compute_utility(rules, plans, player, shift) > 0:
        turns = [situation.turn for situation in iterate_histories(rules)]
        worst = min(turn.utilities[player] for turn in turns if isinstance(turn, Terminal))
        raise SettingError(
            f"payoff_shift is {quote_value(shift)}; it must make what player {player + 1} wins positive. Use more than"
            f" {float(-worst):g}."
        )
