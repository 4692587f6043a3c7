"""The one map of old names: what pokerlab 1.0 called public names, parameters, and what its files hold.

Who uses an old public name or parameter gets an error that says the new one. Files of 1.0 are read: recordings and
checkpoints call parts, parameters and fields of states by the names that they had when the file was written.
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
"""By module of `pokerlab.papers` its functions of pokerlab 1.0 that are called otherwise, and what each is today."""

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
            "features",
            "habits",
            "inputs_at",
            "rules",
            "street",
        )
    }
    | {
        "BehaviorEncoding": "pokerlab.strategies.encoding.BehaviorEncoding",
        "Encoding": "pokerlab.strategies.encoding.Encoding",
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
        f"pokerlab.papers.{paper}": {old: f"pl.papers.{paper}.{new}" for old, new in names.items()}
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
"""By package of pokerlab 1.0 its names that moved or are called otherwise, and what each is today.

What only audits run is in their studies, beside them in `notebooks/audits`.
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
"""Methods of the results of cash games and tournaments in pokerlab 1.0, and what each is called today."""
ATTRIBUTES: dict[str, dict[str, str]] = {
    "Comparisons": {"value": "find_win_share"},
    "Experiment": {
        "columns": "make_columns",
        "published": "select_published_numbers",
        "solver": "make_solver",
    },
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
"""By class its methods of pokerlab 1.0 that are called otherwise, and what each is called today."""

PARAMETERS: dict[str, str] = {
    "chances": "parent_probabilities",
    "columns": "make_columns",
    "matches": "pairings",
    "published": "select_published_numbers",
    "share": "work_divider",
    "solver": "make_solver",
    "what": "game_or_encoding",
    "worth": "fitness",
}
"""Parameters and settings of pokerlab 1.0, and what each is called today."""

KINDS: dict[str, str] = {
    "BestPurePair": "BestPureProfile",
    "EquilibriumMix": "EquilibriumMixture",
    "ExactReply": "ExactWorstCase",
    "Sampled": "SampledOpponents",
    "SeatReplies": "SeatWorstCases",
}
"""Classes that recordings and checkpoints name, and what each is called today."""

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
"""Fields of states in checkpoints, and what each is called today."""

METHODS: dict[str, str] = {
    "behaviors": "compute_behaviors",
    "checked": "checked_genomes",
    "first_responses": "make_first_responses",
    "fitness": "compute_fitness",
    "fixation": "compute_fixation_probabilities",
    "folded": "reflect_into_range",
    "head_start": "make_head_start",
    "limit": "integrate_limit",
    "matrices": "make_matrices",
    "players": "make_players",
    "profile": "make_profile",
    "random": "draw_genomes",
    "rescale": "rescale_genome",
    "response_size": "count_response_genes",
}
"""Methods of encodings, worst cases and Moran processes in pokerlab 1.0, and what each is called today."""

Callee = TypeVar("Callee", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


def explain_public_name(package: str, name: str) -> NoReturn:
    """Raise the error about a public name that a package does not have, or has no longer."""
    new = PUBLIC_NAMES.get(package, {}).get(name)
    if new is None:
        raise AttributeError(
            f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
        )
    old = f"{package}.{name}".replace("pokerlab", "pl", 1)
    where = ", in notebooks/audits," if new.startswith("studies.") else ""
    raise ImportError(f"{old} is {new}{where} since pokerlab 2. Use that name.")


def reject_renamed_parameters(callee: Callee) -> Callee:
    """Decorate a class or function so that a renamed parameter raises a SettingError with its new name.

    The new names are those of `PARAMETERS` that it has. A class is changed in place.
    """
    accepted = inspect.signature(callee).parameters
    old_names = {
        old: new for old, new in PARAMETERS.items() if new in accepted and old not in accepted
    }
    is_class = isinstance(callee, type)
    function: Any = callee.__init__ if is_class else callee

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
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
    """Raise if the parameter `name`, a function of the user, takes one of these `arguments` by its old name."""
    try:
        accepted = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return  # a function in C that does not say what it takes
    for old, new in PARAMETERS.items():
        if new in arguments and old in accepted and new not in accepted:
            raise SettingError(
                f"{name} is {quote_value(function)}, whose argument {old} is called {new} since pokerlab 2. Rename it."
            )


def explain_renamed_attributes(owner: Class) -> Class:
    """Decorate a class so that the old name of one of its attributes raises an AttributeError with the new name.

    `ATTRIBUTES` has the old names of single classes, and `METHODS` those that several classes shared.
    """

    def explain(instance: Any, name: str) -> NoReturn:
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
    """Raise if the parameter `value` lacks one of the `methods`, but has a method of its old name."""
    for old, new in METHODS.items():
        is_renamed = new in methods and not hasattr(value, new)
        if is_renamed and callable(getattr(value, old, None)):
            raise SettingError(
                f"{name} is {quote_value(value)}, whose method {old} is called {new} since pokerlab 2. Rename it."
            )


def rename_like(given: Any, wanted: Any) -> Any:
    """Return a file's settings with the names of today, as far as the expected settings show which these are.

    A key is renamed only if the file lacks the new name, and `wanted` has it and not the old one. Values of any type
    are returned as they are, except for names of classes and mappings.
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
    """Return a mapping in which old keys have their new names, where `wanted` has those and not the old ones."""
    renamed = {}
    for key, value in given.items():
        new = names.get(key)
        is_renamed = new in wanted and new not in given and key not in wanted
        renamed[new if new is not None and is_renamed else key] = value
    return renamed
