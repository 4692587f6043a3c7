"""The names that changed since pokerlab 1.0: public names, parameters, and names in files.

The use of an old public name or parameter raises an error that states the new name. Files of pokerlab 1.0 can still be
read. Recordings and checkpoints contain the names that classes, parameters and fields of states had when the file was
written, so these names are replaced when a file is read.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from pokerlab.core.errors import SettingError, quote_value

MAKERS = {"columns": "make_columns", "solver": "make_solver"}
RENAMED_IN_PAPERS: dict[str, dict[str, str]] = {
    "lanctot2014": {**MAKERS, "published": "select_published_numbers"},
    "nicolai2009": {
        **MAKERS,
        "encoding": "make_encoding",
        "fitness": "make_fitness",
        "game": "make_game",
        "hall": "make_hall_of_fame",
        "make_old_agents": "nicolai2009_agents.make_old_agents",
        "make_static_agents": "nicolai2009_agents.make_static_agents",
    },
    "noble2001": {
        **MAKERS,
        "encoding": "make_encoding",
        "fitness": "make_fitness",
        "game": "make_game",
        "selection": "make_selection",
    },
    "oliehoek2006": {**MAKERS, "published": "select_published_numbers"},
    "samothrakis2011": {**MAKERS, "encoding": "make_encoding"},
    "samothrakis2011_holdem": {**MAKERS, "game": "make_game"},
}
"""For each module of `pokerlab.papers` the functions that were renamed since pokerlab 1.0, and their new names."""

PUBLIC_NAMES: dict[str, dict[str, str]] = {
    "pokerlab.strategies": {
        name: f"pl.holdem.{name}"
        for name in (
            "Activations",
            "Habits",
            "MatrixEncoding",
            "RuleEncoding",
            "TableNetwork",
            "TupleTable",
            "decision",
            "habits",
        )
    }
    | {
        "BehaviorEncoding": "pokerlab.strategies.encoding.BehaviorEncoding",
        "Encoding": "pokerlab.strategies.encoding.Encoding",
        "features": "pl.holdem.describe_inputs",
        "inputs_at": "pl.holdem.compute_view_inputs",
        "rules": "pl.holdem.make_rule_genome",
        "street": "pl.holdem.make_street_genes",
        "pure_plans": "pokerlab.strategies.pure_strategies.list_pure_plans",
    },
    "pokerlab.evolution": {
        "EvolutionStrategy": "pokerlab.evolution.evolution_strategies.EvolutionStrategy"
    },
    "pokerlab.solvers": {
        "BucketedCFR": "pl.holdem.BucketedCFR",
        "ExploitabilityDescent": "pl.holdem.ExploitabilityDescent",
        "PolynomialWeights": "studies.lanctot2014.polynomial_weights.PolynomialWeights",
        "BestPurePair": "pl.solvers.BestPureProfile",
        "ExactReply": "pl.solvers.ExactWorstCase",
        "Replies": "pl.solvers.BestResponse",
        "Searches": "pl.solvers.BestResponse",
        "SeatReplies": "pl.solvers.SeatWorstCases",
        "PopulationState": "pokerlab.solvers.population_coevolution.PopulationState",
        "RestPoint": "pokerlab.solvers.stability.RestPoint",
        "RestPoints": "pokerlab.solvers.stability.RestPoints",
        "Solver": "pokerlab.solvers.protocol.Solver",
        "rest_points": "pl.solvers.find_rest_points",
        "tournament": "pl.solvers.compare_mixtures",
    },
    "pokerlab.evolution.population": {
        "EquilibriumMix": "pl.evolution.population.EquilibriumMixture",
        "NO_HALL": "pokerlab.evolution.population.hall.NO_HALL",
        "RingGames": "pl.holdem.RingGames",
        "Sampled": "pl.evolution.population.SampledOpponents",
        "Tournaments": "pl.holdem.Tournaments",
    },
    "pokerlab.holdem": {
        "BucketedHoldem": "pl.holdem.bucketed_holdem.BucketedHoldem",
        "Placed": "pl.holdem.tournament_game.TournamentResult",
        "Played": "pl.holdem.cash_game.CashGameResult",
        "RingGame": "pl.holdem.cash_game.RingGame",
        "Schedule": "pl.holdem.tournament_game.Schedule",
        "Structure": "pl.holdem.hand.Structure",
        "Tournament": "pl.holdem.tournament_game.Tournament",
        "card_symbols": "pl.holdem.format_cards",
        "card_text": "pl.holdem.format_cards",
        "category": "pl.holdem.name_category",
        "comparisons": "pl.holdem.count_comparisons",
        "doubling": "pl.holdem.make_doubling_schedule",
        "hand_text": "pl.holdem.hand_history.format_hand",
        "ladder": "pl.holdem.make_pokerstars_schedule",
        "real_worst_case": "pl.holdem.find_real_worst_case",
        "round_robin": "pl.holdem.play_round_robin",
        "sampled_win_probability": "pl.holdem.estimate_win_probability",
        "showdowns": "pl.holdem.count_showdowns",
        "versus": "pl.holdem.estimate_winnings",
    },
    "pokerlab.metrics": {
        "correlated_equilibrium": "pl.metrics.find_correlated_equilibrium",
        "holm": "pl.metrics.apply_holm_correction",
        "ratings": "pl.metrics.rate_players",
        "solution_concepts": "pl.metrics.apply_solution_concepts",
    },
    **{
        f"pokerlab.papers.{paper}": {
            # Only a name with its module has a dot.
            old: f"pl.papers.{new}" if "." in new else f"pl.papers.{paper}.{new}"
            for old, new in names.items()
        }
        for paper, names in RENAMED_IN_PAPERS.items()
    },
    "pokerlab.reference": {
        "constraint_violation": "pl.reference.measure_constraint_violation",
        "counterfactual_values": "pl.reference.compute_counterfactual_values",
        "expected_utilities": "pl.reference.compute_expected_utilities",
        "g_q": "pl.reference.force_sequence",
        "histories": "pl.reference.iterate_histories",
        "information_sets": "pl.reference.list_information_sets",
        "pure_strategies": "pl.reference.iterate_pure_strategies",
        "realization_plan": "pl.reference.compute_realization_plan",
        "realization_plans": "pl.reference.compute_realization_plans",
        "replicated": "pl.reference.replicate_plan",
        "utility": "pl.reference.compute_utility",
    },
    "pokerlab.papers": {"published_numbers": "pl.papers.read_published_numbers"},
    "pokerlab.core": {
        "Checked": "pl.core.CheckedSettings",
        "number": "pl.core.checked_number",
        "settings_of": "pl.core.list_settings",
        "stream": "pl.core.random_stream",
        "whole": "pl.core.checked_integer",
    },
    "pokerlab.games": {
        "locked": "pl.games.lock_infosets",
        "open_cards": "studies.samothrakis2011.open_cards.open_cards",
        "playthrough": "pl.games.describe_playthrough",
        "raked": "pl.games.rake_game",
        "unlocked": "pl.games.unlock_profile",
    },
}
"""For each package of pokerlab 1.0 the names that were moved or renamed since then, and where each one is now.

Code that only audits use was moved to the package `studies` in `notebooks/audits`.
"""

RESULTS_OF_HANDS = {
    "by_player": "sum_by_player",
    "hands_of": "hands_played",
    "in_big_blinds": "convert_to_big_blinds",
    "played": "replay_hands",
    "recorded": "get_record",
    "rounds_of": "replay_rounds",
    "seats": "list_seats",
    "seats_at": "list_seats",
    "stacks_at": "find_stacks",
    "tables_of": "tables_played",
}
"""Methods of the results of cash games and tournaments that were renamed since pokerlab 1.0, and their new names."""
ATTRIBUTES: dict[str, dict[str, str]] = {
    "CompiledPlayer": {"answer": "decision_function"},
    "Comparisons": {"value": "find_win_share"},
    "Experiment": {
        "columns": "make_columns",
        "published": "select_published_numbers",
        "solver": "make_solver",
    },
    "Hand": {"verify": "checked_action"},
    "History": {"at": "select_row"},
    "IntransitiveNumbers": {"checked": "checked_strategies"},
    "PairedSums": {
        "half_width": "compute_half_width",
        "quantile": "compute_quantile",
        "tests": "compute_t_tests",
    },
    "Profile": {
        "at": "action_probabilities",
        "of": "get_behavior",
        "table": "to_table",
    },
    "Ratings": {"table": "winnings"},
    "TableResults": RESULTS_OF_HANDS,
}
"""For each class the methods that were renamed since pokerlab 1.0, and their new names."""

PARAMETERS: dict[str, str] = {
    "answer": "decision_function",
    "chances": "parent_probabilities",
    "columns": "make_columns",
    "matches": "pairings",
    "published": "select_published_numbers",
    "share": "work_divider",
    "solver": "make_solver",
    "what": "game_or_encoding",
    "worth": "fitness",
}
"""Parameters and settings that were renamed since pokerlab 1.0, and their new names."""

KINDS: dict[str, str] = {
    "BestPurePair": "BestPureProfile",
    "EquilibriumMix": "EquilibriumMixture",
    "ExactReply": "ExactWorstCase",
    "Sampled": "SampledOpponents",
    "SeatReplies": "SeatWorstCases",
}
"""Classes whose old names occur in recordings and checkpoints, and their new names."""

STATE_FIELDS: dict[str, str] = {
    "chances": "parent_probabilities",
    "hall_score": "hall_fitness",
    "last_reply": "last_response",
    "mix": "mixtures",
    "mixes": "mixtures",
    "plays": "is_playing",
    "reply": "response",
    "score": "fitness",
    "since": "entered",
    "strategies": "pools",
}
"""Fields of states whose old names occur in checkpoints, and their new names."""

METHODS: dict[str, str] = {
    "behaviors": "compute_behaviors",
    "check": "check_game",
    "checked": "checked_genomes",
    "choices": "gene_groups",
    "first_responses": "make_first_responses",
    "fitness": "compute_fitness",
    "fixation": "compute_fixation_probabilities",
    "folded": "reflect_into_range",
    "head_start": "make_head_start",
    "limit": "integrate_limit",
    "matrices": "make_matrices",
    "measure": "measure_losses",
    "players": "make_players",
    "profile": "make_profile",
    "random": "draw_genomes",
    "rescale": "rescale_genome",
    "response_size": "count_response_genes",
    "start": "default_start",
}
"""Methods and properties that were renamed since pokerlab 1.0, and their new names.

They are those of encodings, symmetric games, parts of solvers, worst cases and Moran processes.
"""

Callee = TypeVar("Callee", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


def explain_public_name(package: str, name: str) -> NoReturn:
    """Raise the error about a public name that a package does not have.

    Raises
    ------
    ImportError
        If the package had this name in pokerlab 1.0. The message states the new name.
    AttributeError
        If the package never had this name.
    """
    new = PUBLIC_NAMES.get(package, {}).get(name)
    if new is None:
        raise AttributeError(
            f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
        )
    old = f"{package}.{name}".replace("pokerlab", "pl", 1)
    where = ", in notebooks/audits," if new.startswith("studies.") else ""
    raise ImportError(f"{old} is {new}{where} since pokerlab 2. Use that name.")


def reject_renamed_parameters(callee: Callee) -> Callee:
    """Decorate a class or function so that the old name of a renamed parameter raises a SettingError with the new name.

    The renamed parameters are those whose new name in `PARAMETERS` is a parameter of the class or function. A class is
    changed in place and returned. For a function the result is a new function.
    """
    accepted = inspect.signature(callee).parameters
    old_names = {
        old: new for old, new in PARAMETERS.items() if new in accepted and old not in accepted
    }
    is_class = isinstance(callee, type)
    function: Any = callee.__init__ if is_class else callee

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        """Call the function, or raise a SettingError if an argument has the old name of a parameter."""
        for old in named.keys() & old_names.keys():
            raise SettingError(
                f"{callee.__name__} was given {old}=, which is called {old_names[old]}= since pokerlab 2. Pass"
                f" {old_names[old]}=."
            )
        return function(*arguments, **named)

    if not is_class:
        return call  # type: ignore[return-value]
    callee.__init__ = call  # type: ignore[method-assign]
    return callee


def reject_renamed_arguments(name: str, function: Any, arguments: Iterable[str]) -> None:
    """Raise a SettingError if a user's function has a parameter with an old name.

    Parameters
    ----------
    name : str
        The name of the parameter of pokerlab that the function was passed to, for the error message.
    function : Any
        The user's function. Nothing is checked if its signature is not available.
    arguments : iterable of str
        The names by which pokerlab passes arguments to the function.
    """
    try:
        accepted = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return  # a function in C whose signature is not available
    for old, new in PARAMETERS.items():
        if new in arguments and old in accepted and new not in accepted:
            raise SettingError(
                f"{name} is {quote_value(function)}, whose argument {old} is called {new} since pokerlab 2. Rename it."
            )


def explain_renamed_attributes(owner: Class) -> Class:
    """Decorate a class so that the old name of one of its attributes raises an AttributeError with the new name.

    `ATTRIBUTES` contains the old names of single classes, and `METHODS` the old names that several classes shared. The
    class is changed in place and returned.
    """

    def explain(instance: Any, name: str) -> NoReturn:
        """Raise the AttributeError about a missing attribute, which states the new name if it was renamed."""
        kind = type(instance)
        of_class = (ATTRIBUTES.get(base.__name__, {}) for base in kind.__mro__)
        new = next(
            (renamed[name] for renamed in of_class if name in renamed), METHODS.get(name, "")
        )
        reason = f"'{kind.__name__}' object has no attribute '{name}'"
        if hasattr(kind, new) or new in getattr(kind, "__annotations__", {}):
            old = f"{kind.__name__}.{name}"
            reason = f"{old} is {kind.__name__}.{new} since pokerlab 2. Use that name."
        raise AttributeError(reason, name=name, obj=instance)

    owner.__getattr__ = explain  # type: ignore[attr-defined]
    return owner


def reject_renamed_methods(name: str, value: Any, methods: Iterable[str]) -> None:
    """Raise a SettingError if an object has one of the needed methods only under its old name.

    Parameters
    ----------
    name : str
        The name of the parameter that the object was passed to, for the error message.
    value : Any
        The object.
    methods : iterable of str
        The names of the methods that the object needs.
    """
    for old, new in METHODS.items():
        is_renamed = new in methods and not hasattr(value, new)
        if is_renamed and callable(getattr(value, old, None)):
            raise SettingError(
                f"{name} is {quote_value(value)}, whose method {old} is called {new} since pokerlab 2. Rename it."
            )


def rename_like(given: Any, wanted: Any) -> Any:
    """Return the settings of a file with old names replaced by new ones, guided by the expected settings.

    A key is renamed only if the file does not contain the new name, and the expected settings contain the new name and
    not the old one. Mappings inside the settings are treated in the same way. A text that is the old name of a class
    is replaced unless it is the expected one. All other values are returned unchanged.

    Parameters
    ----------
    given : Any
        The settings in the file, or one value of them.
    wanted : Any
        The expected settings, or the expected value.
    """
    if isinstance(given, str):
        return KINDS.get(given, given) if given != wanted else given
    if not isinstance(given, Mapping) or not isinstance(wanted, Mapping):
        return given
    renamed = rename_keys(given, wanted, PARAMETERS)
    return {key: rename_like(value, wanted.get(key)) for key, value in renamed.items()}


def rename_keys(
    given: Mapping[str, Any], wanted: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return a copy of a mapping in which old keys are replaced by new ones.

    Parameters
    ----------
    given : mapping of str to Any
        The mapping. A key is not replaced if its new name is a key as well.
    wanted : mapping of str to Any
        The expected mapping. A key is replaced only if `wanted` has the new name and not the old one.
    names : mapping of str to str
        The new name for each old one.
    """
    renamed = {}
    for key, value in given.items():
        new = names.get(key)
        is_renamed = new in wanted and new not in given and key not in wanted
        renamed[new if new is not None and is_renamed else key] = value
    return renamed
