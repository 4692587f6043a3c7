"""Every setting of every experiment decides something: with another value, something else is run."""

from contextlib import suppress
from dataclasses import fields
from types import ModuleType
from typing import Any

import pytest

from pokerlab.core import PokerlabError
from pokerlab.holdem import bucketed_limit_holdem
from pokerlab.holdem.abstraction.made_buckets import EXPECTATIONS
from pokerlab.papers import lanctot2014, nicolai2009, noble2001, oliehoek2006, samothrakis2011
from pokerlab.papers.samothrakis2011 import holdem as samothrakis2011_holdem
from pokerlab.runs.provenance import provenance
from pokerlab.workbench.benches import DECLARED
from tests.random_bucketed import random_buckets

WHAT_IS_RUN = ("solver", "parameters", "game_fingerprint")
Changes = dict[str, tuple[dict[str, Any], Any]]
"""For each setting: the other settings with which it counts, and another value."""

LANCTOT: Changes = {
    "game": ({}, "KP(3)"),
    "payoff_shift": ({}, 4.0),
    "order": ({}, "simultaneous"),
    "floor": ({}, 1e-17),
    "start": ({}, "random"),
    "seed": ({"start": "random"}, 2),
}
OLIEHOEK: Changes = {
    "game": ({}, "Kuhn poker"),
    "heuristic": ({}, "evolution"),
    "unreached": ({}, "first"),
    "program": ({}, "interior point"),
    "start": ({}, "last action"),
    "seed": ({"start": "random"}, 2),
}
INNER = {"worst_case": "inner evolution"}
SEARCH = {"worst_case": "tree search"}
SAMOTHRAKIS: Changes = {
    "game": ({}, "13-card poker"),
    "representation": ({}, "direct"),
    "positive": ({"representation": "direct"}, "square"),
    "hidden": ({}, 5),
    "evolution": ({}, "CSA-ES, equal weights"),
    "population": ({}, 12),
    "step_size": ({}, 0.25),
    "worst_case": ({}, "tree search"),
    "inner_generations": (INNER, 6),
    "inner_growth": (INNER, 0.2),
    "inner_start": (INNER, "outer best"),
    "inner_evolution": (INNER, "CMA-ES"),
    "inner_population": (INNER, 12),
    "hands": (INNER, 10),
    "rechecked": (INNER, False),
    "depth": (SEARCH, 8),
    "playouts": (SEARCH, 900),
    "exploration": (SEARCH, 0.5),
    "seed": ({}, 2),
}
GRADIENT = {"evolution": samothrakis2011_holdem.GRADIENT}
HOLDEM: Changes = {
    "buckets": ({}, 3),
    "deals": ({}, "sampled"),
    "raise_cap": ({}, 3),
    "worst_case": ({}, "tree search"),
    "depth": (SEARCH, 8),
    "playouts": (SEARCH, 900),
    "exploration": (SEARCH, 3.0),
    "merged": (SEARCH, False),
    "rechecked": (SEARCH, False),
    "positive": ({}, "square"),
    "fitness": ({}, samothrakis2011_holdem.FITNESSES[1]),
    "evolution": ({}, samothrakis2011_holdem.GRADIENT),
    "population": ({}, 12),
    "step_size": ({}, 0.25),
    "learning_rate": (GRADIENT, 0.1),
    "patience": (GRADIENT, 200.0),
    "seed": ({}, 2),
}
NOBLE: Changes = {
    "regime": ({}, "roulette"),
    "size": ({}, 50),
    "seats": ({}, 5),
    "games": ({}, 100),
    "hands": ({}, 10),
    "most": ({}, 0.25),
    "switch": ({}, 0.2),
    "mutation": ({}, 0.1),
    "catastrophic": ({}, 0.1),
    "sexual": ({}, False),
    "hall_size": ({}, 10),
    "hall_every": ({"hall_size": 5}, 20),
    "stacks": ({}, 100),
    "stacks_carried": ({}, True),
    "cap_lifted": ({}, "never"),
    "draw": ({}, "balanced"),
    "counted": ({}, "in games together"),
    "per": ({}, "a hand"),
    "unmet": ({}, "does not count"),
    "third_parties": ({}, True),
    "recount": ({}, True),
    "board_bit": ({}, "license"),
    "check_raise_draw": ({}, "round"),
    "check_raise_cards": ({}, "strong"),
    "amount": ({}, "price"),
    "start": ({}, "uniform"),
    "largest_early": ({}, 40),
    "largest_late": ({}, 40),
    "seed": ({}, 2),
}
IN_HALL: dict[str, Any] = {"agents": 40, "hall": "elites", "hall_size": 20}
NICOLAI: Changes = {
    "agents": ({}, 500),
    "populations": ({}, 2),
    "tournaments": ({}, 100),
    "elites": ({}, 0.2),
    "among": ({"populations": 2}, "own population"),
    "worth": ({}, "hands won"),
    "parents": ({}, "one to three"),
    "parent_rate": ({}, 2.0),
    "parent_biases": ({}, "normal"),
    "bias_spread": ({"parent_biases": "weighted average"}, 0.1),
    "mutation": ({}, 0.2),
    "noise": ({}, 0.2),
    "noise_mean": ({}, 0.1),
    "bound": ({}, 10.0),
    "hall": (IN_HALL, "infinite"),
    "hall_size": (IN_HALL, 30),
    "hall_start": (IN_HALL, "random"),
    "hall_pairing": (IN_HALL, "above all of them"),
    "hall_copies": (IN_HALL, False),
    "hall_breeds": (IN_HALL, True),
    "stacks": ({}, 500),
    "blinds": ({}, "doubling"),
    "small_blind": ({"blinds": "doubling"}, 10),
    "hands_a_level": ({}, 50),
    "seats": ({}, 6),
    "form": ({}, "refilled"),
    "score": ({}, "raises"),
    "raised": ({}, "above the call"),
    "recent": ({}, "orbit"),
    "window": ({}, 20),
    "shared": ({}, False),
    "kept": ({"shared": False}, False),
    "hidden": ({}, 10),
    "biases": ({}, False),
    "sigmoid_inputs": ({}, True),
    "last_input": ({}, "one"),
    "scale": ({}, "big blinds"),
    "opponents": ({}, "at the table"),
    "against": ({}, "one hand"),
    "ties": ({}, "half"),
    "read_out": ({}, "largest"),
    "small_raise": ({"raise_unit": "pot"}, 0.3),
    "medium_raise": ({"raise_unit": "pot"}, 0.6),
    "large_raise": ({"raise_unit": "pot"}, 2.0),
    "raise_unit": ({}, "stack"),
    "free_folds": ({}, True),
    "start": ({}, "uniform"),
    "seed": ({}, 2),
}
EXPERIMENTS = {
    lanctot2014: LANCTOT,
    oliehoek2006: OLIEHOEK,
    samothrakis2011: SAMOTHRAKIS,
    samothrakis2011_holdem: HOLDEM,
    noble2001: NOBLE,
    nicolai2009: NICOLAI,
}


@pytest.fixture(autouse=True)
def any_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take random buckets: exact ones take long to make."""
    monkeypatch.setattr(
        samothrakis2011_holdem,
        "game",
        lambda count, deals, raise_cap: bucketed_limit_holdem(
            random_buckets(count, seed=EXPECTATIONS.index(deals)), raise_cap=raise_cap
        ),
    )


def what_is_run(module: ModuleType, settings: dict[str, Any]) -> dict[str, Any]:
    solver = module.solver(module.Config(**{"seed": 1, **settings}))
    about = provenance(solver)
    return {key: about[key] for key in WHAT_IS_RUN}


CASES = {
    f"{module.__name__.split('.')[-1]}-{name}": (module, name, *how)
    for module, changes in EXPERIMENTS.items()
    for name, how in changes.items()
}


@pytest.mark.parametrize(("module", "name", "others", "value"), CASES.values(), ids=CASES)
def test_another_value_of_a_setting_is_another_run(
    module: ModuleType, name: str, others: dict[str, Any], value: Any
) -> None:
    assert what_is_run(module, {**others, name: value}) != what_is_run(module, others)


def test_no_experiment_and_no_setting_is_left_out() -> None:
    experiments = {declaration.experiment.config_type for declaration in DECLARED}
    assert {module.Config for module in EXPERIMENTS} == experiments
    for module, changes in EXPERIMENTS.items():
        assert {field.name for field in fields(module.Config)} == {*changes, "iterations"}


@pytest.mark.parametrize(
    "value", [None, "guess", ["guess"], {}, 2.5j, 0, -1, 10**400, float("nan")]
)
def test_whatever_a_setting_is_given_is_taken_or_answered(value: Any) -> None:
    for module, changes in EXPERIMENTS.items():
        for name in changes:
            with suppress(PokerlabError):
                module.Config(**{"seed": 1, name: value})
