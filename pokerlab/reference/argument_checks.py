"""Checks of the arguments that users pass to the reference definitions.

`add_argument_checks` returns a definition that checks its arguments first. So the definitions themselves can be as
short as formulas, and they call each other without checks. Behaviors, realization plans and sequences have the form
that `pokerlab.reference.definitions` describes.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from pokerlab.core import GameError, SettingError
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import check_kind, validate_integer, validate_number
from pokerlab.games.rules import Rules, Terminal, check_has_rules
from pokerlab.reference.definitions import (
    Sequence,
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
    """Return the indices of all players, from 0 on. The argument `player` is not used.

    Parameters
    ----------
    num_players : int
        The number of players.
    player : int
        A player. The parameter exists so that all three functions of this kind can be called alike.

    Returns
    -------
    list of int
        The players.
    """
    return list(range(num_players))


def list_one_player(num_players: int, player: int) -> list[int]:
    """Return a list with a single player.

    Parameters
    ----------
    num_players : int
        The number of players, which is not used.
    player : int
        The player.

    Returns
    -------
    list of int
        The player alone.
    """
    return [player]


def list_other_players(num_players: int, player: int) -> list[int]:
    """Return the indices of all players except one.

    Parameters
    ----------
    num_players : int
        The number of players.
    player : int
        The player who is left out.

    Returns
    -------
    list of int
        The other players, from 0 on.
    """
    return [other for other in range(num_players) if other != player]


def add_argument_checks(
    definition: Callable[P, R],
    list_players_needed: Callable[[int, int], list[int]] = list_all_players,
    needs_positive_utility: bool = False,
) -> Callable[P, R]:
    """Return a function that checks the arguments of a definition and then returns the definition's result.

    The name of a parameter decides how its argument is checked. A definition with one of the parameters `player`,
    `behavior`, `plans` and `history` has the parameter `rules`, too, and one with the parameter `q` has `plan`.

    Parameters
    ----------
    definition : callable
        A function of `pokerlab.reference.definitions`.
    list_players_needed : callable
        A function of the number of players and the argument `player`, which returns the players whose part of the
        argument `behavior` the definition needs. By default these are all players.
    needs_positive_utility : bool
        Whether the argument `payoff_shift` must make the utility of `player` positive.

    Returns
    -------
    callable
        A function with the same parameters, and with the docstring of the definition. It raises a GameError,
        SettingError or KindError if an argument is not valid.
    """
    parameters = signature(definition)

    @wraps(definition)
    def check_and_call(*args: P.args, **kwargs: P.kwargs) -> R:
        """Check the arguments by the names of their parameters, and return the result of the definition."""
        arguments = parameters.bind(*args, **kwargs).arguments
        rules: Any = arguments.get("rules")
        player: Any = arguments.get("player")
        if "rules" in arguments:
            check_has_rules(rules)
        if "player" in arguments:
            validate_integer(f"player index in {rules.name}", player, 0, rules.num_players - 1)
        if "behavior" in arguments:
            players = list_players_needed(rules.num_players, player)
            check_behavior(rules, arguments["behavior"], players)

        if "plans" in arguments:
            check_plans(rules, arguments["plans"])
        if "plan" in arguments and "rules" in arguments:
            check_plan(rules, arguments["plan"], player)
        if arguments.get("history") is not None:
            check_history(rules, arguments["history"])
        if "q" in arguments:
            check_sequence(arguments["q"], arguments["plan"])
        if "payoff_shift" in arguments:
            validate_number(
                "payoff_shift", arguments["payoff_shift"], -LARGEST_SHIFT, LARGEST_SHIFT
            )
        if needs_positive_utility:
            check_positive_utility(rules, arguments["plans"], player, arguments["payoff_shift"])
        return definition(*args, **kwargs)

    return check_and_call


def check_behavior(rules: Rules, behavior: Any, players: Iterable[int]) -> None:
    """Raise an error unless a behavior has a number for every action at every information set of the given players.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : Any
        The argument to check. It should map each pair (player, label of an information set) to a mapping from actions
        to probabilities.
    players : iterable of int
        The players whose part of the behavior is needed.

    Raises
    ------
    SettingError
        If `behavior`, or its entry for an information set, is not a mapping, or if a value is not a number.
    GameError
        If an action is missing.
    """
    check_kind("behavior", behavior, Mapping, "a dictionary such as profile.to_table()")
    for player in players:
        for label, infoset in list_information_sets(rules, player).items():
            where = f"behavior at {(player, label)}"
            probabilities = behavior.get((player, label))
            check_numbers_by_key(where, probabilities, list_actions(infoset), rules)


def check_plans(rules: Rules, plans: Any) -> None:
    """Raise an error unless `plans` has a realization plan, with a number for every sequence, for every player.

    Parameters
    ----------
    rules : Rules
        The game.
    plans : Any
        The argument to check. It should map each player to a mapping from sequences to weights.

    Raises
    ------
    SettingError
        If `plans`, or the plan of a player, is not a mapping, or if a weight is not a number.
    GameError
        If a sequence is missing.
    """
    check_kind("plans", plans, Mapping, "what compute_realization_plans(rules, behavior) returns")
    for player in range(rules.num_players):
        check_plan(rules, plans.get(player), player)


def check_plan(rules: Rules, plan: Any, player: int) -> None:
    """Raise an error unless a realization plan has a number for every sequence of a player.

    Whether these numbers fulfill the constraints on realization plans is not checked.

    Parameters
    ----------
    rules : Rules
        The game.
    plan : Any
        The argument to check. It should map each sequence, the tuple of a player's choices (label of an information
        set, action) in their order, to its weight.
    player : int
        The player.

    Raises
    ------
    SettingError
        If `plan` is not a mapping, or if a weight is not a number.
    GameError
        If a sequence is missing.
    """
    sequences: list[Sequence] = [()]
    for label, infoset in list_information_sets(rules, player).items():
        # By perfect recall, all histories of an information set have the same sequence of the player.
        parent_sequence = infoset[0].sequences[player]
        for action in list_actions(infoset):
            sequences.append((*parent_sequence, (label, action)))
    check_numbers_by_key(f"plan of player {player + 1}", plan, sequences, rules)


def check_numbers_by_key(name: str, numbers: Any, needed_keys: Iterable[Any], rules: Rules) -> None:
    """Raise an error unless an argument is a dictionary of numbers that has all needed keys.

    Parameters
    ----------
    name : str
        What error messages call the dictionary, such as 'plan of player 1'.
    numbers : Any
        The argument to check.
    needed_keys : iterable
        The keys that the dictionary must have: actions or sequences.
    rules : Rules
        The game, whose name is part of the error message.

    Raises
    ------
    SettingError
        If `numbers` is not a mapping, or if one of its values is not a number.
    GameError
        If a key is missing.
    """
    expected = "a dictionary of numbers, such as {'pass': 0.5, 'bet': 0.5}"
    check_kind(name, numbers, Mapping, expected)
    for key in needed_keys:
        if key not in numbers:
            raise GameError(
                f"{name} lacks {quote_value(key)}, which {rules.name} has; give it a number, 0 if it is never played."
            )
    for key, value in numbers.items():
        validate_number(f"{name}, {quote_value(key)},", value)


def check_history(rules: Rules, history: Any) -> None:
    """Raise a GameError unless an object is a history of the game.

    The object must also have the same type as the history, because in Python True equals 1.

    Parameters
    ----------
    rules : Rules
        The game.
    history : Any
        The argument to check.

    Raises
    ------
    GameError
        If no history of the game is equal to it.
    """
    for reached in iterate_histories(rules):
        if type(reached.history) is type(history) and reached.history == history:
            return
    raise GameError(
        f"{quote_value(history)} is not a history of {rules.name}; give one of reference.iterate_histories(rules)."
    )


def check_sequence(q: Any, plan: Any) -> None:
    """Raise a SettingError unless a sequence is played with a positive weight in a realization plan.

    Parameters
    ----------
    q : Any
        The argument to check. It should be a tuple of choices (label of an information set, action).
    plan : Any
        The realization plan. It should map each sequence of a player to its weight.

    Raises
    ------
    SettingError
        If `q` is not a sequence of the plan, or has the weight zero. The error is also raised if the plan is not a
        mapping, if one of its sequences begins with a sequence that is not in the plan, or if a weight is not a number.
    """
    expected = "what compute_realization_plan(rules, behavior, player) returns"
    check_kind("plan", plan, Mapping, expected)
    for sequence, weight in plan.items():
        # Without its last choice a sequence is another one of the plan. The empty sequence stays as it is.
        if not isinstance(sequence, tuple) or sequence[:-1] not in plan:
            raise SettingError(f"plan has the sequence {quote_value(sequence)}; give {expected}.")
        validate_number(f"plan, {quote_value(sequence)},", weight)

    is_sequence = isinstance(q, tuple) and all(isinstance(choice, tuple) for choice in q)
    if not is_sequence or q not in plan:
        raise SettingError(
            f"q is {quote_value(q)}, which is not a sequence of the plan; give one of them."
        )

    prefixes = [q[:length] for length in range(len(q) + 1)]  # from the empty sequence to q itself
    if not all(plan[prefix] > 0 for prefix in prefixes):
        raise SettingError(
            f"q is {quote_value(q)}, which has no weight in the plan; give one that is played."
        )


def check_positive_utility(rules: Rules, plans: Any, player: int, shift: Any) -> None:
    """Raise a SettingError unless a player's utility is positive when a shift is added to each payoff.

    Parameters
    ----------
    rules : Rules
        The game.
    plans : Any
        The realization plans of all players, which have been checked.
    player : int
        The player.
    shift : Any
        The shift of payoffs, which has been checked.

    Raises
    ------
    SettingError
        If the utility is not positive. The message says which shift is always enough.
    """
    if not compute_utility(rules, plans, player, shift) > 0:
        turns = [reached.turn for reached in iterate_histories(rules)]
        worst = min(turn.utilities[player] for turn in turns if isinstance(turn, Terminal))
        raise SettingError(
            f"payoff_shift is {quote_value(shift)}; it must make what player {player + 1} wins positive. Use more than"
            f" {float(-worst):g}."
        )
