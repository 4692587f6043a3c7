"""The one map of old names: what pokerlab 1.0 called public names, parameters, and what its files hold.

Who uses an old public name or parameter gets an error that says the new one. Files of 1.0 are read: recordings and
checkpoints call parts, parameters and fields of states by the names that they had when the file was written.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from pokerlab.core.errors import SettingError

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
        "rest_points": "pl.solvers.find_rest_points",
        "tournament": "pl.solvers.compare_mixtures",
    },
    "pokerlab.evolution.population": {
        "EquilibriumMix": "pl.evolution.population.EquilibriumMixture",
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
    "pokerlab.papers": {"published_numbers": "pl.papers.read_published_numbers"},
    "pokerlab.games": {"open_cards": "studies.samothrakis2011.open_cards.open_cards"},
}
"""By package of pokerlab 1.0 its names that moved or are called otherwise, and what each is today.

What only audits run is in their studies, beside them in `notebooks/audits`.
"""

PARAMETERS: dict[str, str] = {
    "matches": "pairings",
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
    "hall_score": "hall_fitness",
    "last_reply": "last_response",
    "mix": "mixtures",
    "mixes": "mixtures",
    "reply": "response",
    "score": "fitness",
    "strategies": "pools",
}
"""Fields of states in checkpoints, and what each is called today."""

Callee = TypeVar("Callee", bound=Callable[..., Any])


def explain_public_name(package: str, name: str) -> NoReturn:
    """Raise the error about a public name that a package does not have, or has no longer."""
    new = PUBLIC_NAMES.get(package, {}).get(name)
    if new is None:
        raise AttributeError(
            f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
        )
    old = f"{package}.{name}".replace("pokerlab", "pl", 1)
    where = "" if new.startswith("pl.") else ", in notebooks/audits,"
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


def rename_like(given: Any, wanted: Any) -> Any:
    """Return what a file says with the names of today, where `wanted` says what is expected.

    A key is renamed only if the file lacks the new name, and `wanted` has it and not the old one.
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
    """Return a mapping whose old keys have their new names where `wanted` has those and not the old ones."""
    renamed = {}
    for key, value in given.items():
        new = names.get(key)
        is_renamed = new in wanted and new not in given and key not in wanted
        renamed[new if new is not None and is_renamed else key] = value
    return renamed
