"""Every setting of every experiment decides something: with another value, something else is run."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from types import ModuleType
from typing import Any

import pytest

from pokerlab import holdem
from pokerlab.core import PokerlabError
from pokerlab.core.settings import Setting, list_settings
from pokerlab.papers import lanctot2014, nicolai2009, noble2001, oliehoek2006, samothrakis2011
from pokerlab.papers import samothrakis2011_holdem as samothrakis2011_holdem
from pokerlab.runs.history import describe_provenance
from pokerlab.workbench.benches import DECLARED
from tests.random_bucketed import random_buckets

WHAT_IS_RUN = ("solver", "parameters", "game_fingerprint")
SEARCH = {"worst_case": "tree search"}
EXPERIMENTS: dict[ModuleType, Sequence[dict[str, Any]]] = {
    lanctot2014: [{"start": "random"}],
    oliehoek2006: [{"start": "random"}],
    samothrakis2011: [{"representation": "direct"}, {"worst_case": "inner evolution"}, SEARCH],
    samothrakis2011_holdem: [SEARCH, {"evolution": samothrakis2011_holdem.GRADIENT}],
    noble2001: [{"hall_size": 5}],
    nicolai2009: [
        {"populations": 2},
        {"parent_biases": "weighted average"},
        {"agents": 40, "hall": "elites", "hall_size": 20},
        {"blinds": "doubling"},
        {"shared": False},
        {"raise_unit": "pot"},
    ],
}
"""Beside which other settings those count that by default decide nothing."""


@pytest.fixture(autouse=True)
def any_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take random buckets: exact ones take long to make."""
    paper = samothrakis2011_holdem
    monkeypatch.setattr(paper, "make_game", paper.make_game.__wrapped__)  # keeps none of them
    monkeypatch.setattr(
        holdem,
        "make_buckets",
        lambda count, seed, expectations: random_buckets(count, seed=seed + len(expectations)),
    )


def another(value: Any, about: Setting) -> Any:
    """Return a value that a setting allows beside the one that it has."""
    if about.choices is not None:
        return next(choice for choice in about.choices if choice != value)
    if isinstance(value, bool):
        return not value
    steps = (1, 2, -1) if isinstance(value, int) else (-value / 2, 0.1)
    low, high = (about.low or 0.0), (about.high if about.high is not None else value + 2)
    near = (value + step for step in steps if step and value + step not in about.excluded)
    return next(one for one in near if low <= one <= high)


def cases() -> dict[str, tuple[ModuleType, str, dict[str, Any]]]:
    """Return for each setting the first others beside which it matters."""
    found = {}
    for module, contexts in EXPERIMENTS.items():
        for name, about in list_settings(module.Config).items():
            for others in ({}, *contexts):
                if name != "iterations" and about.has_effect(
                    module.Config(**{"seed": 1, **others})
                ):
                    found[f"{module.__name__.split('.')[-1]}-{name}"] = (module, name, others)
                    break
    return found


def what_is_run(config: Any, module: ModuleType) -> dict[str, Any]:
    about = describe_provenance(module.make_solver(config))
    return {key: about[key] for key in WHAT_IS_RUN}


CASES = cases()


@pytest.mark.parametrize(("module", "name", "others"), CASES.values(), ids=CASES)
def test_another_value_of_a_setting_is_another_run(
    module: ModuleType, name: str, others: dict[str, Any]
) -> None:
    config = module.Config(**{"seed": 1, **others})
    about = list_settings(config)[name].adapt_to(config)
    changed = module.Config(**vars(config) | {name: another(getattr(config, name), about)})
    assert what_is_run(changed, module) != what_is_run(config, module)


def test_no_experiment_and_no_setting_is_left_out() -> None:
    experiments = {declaration.experiment.config_type for declaration in DECLARED}
    assert {module.Config for module in EXPERIMENTS} == experiments
    assert len(CASES) == sum(len(fields(module.Config)) - 1 for module in EXPERIMENTS)


@pytest.mark.parametrize("value", [0, -1, 10**400, float("nan"), True, "guess"])
def test_whatever_a_setting_is_given_is_taken_or_answered(value: Any) -> None:
    for module in EXPERIMENTS:
        for field in fields(module.Config):
            with suppress(PokerlabError):
                module.Config(**{"seed": 1, field.name: value})


@pytest.mark.parametrize("module", EXPERIMENTS, ids=lambda module: module.__name__)
def test_what_no_setting_allows_is_refused(module: ModuleType) -> None:
    for name, about in list_settings(module.Config).items():
        beyond = () if about.low is None or about.high is None else (about.low - 1, about.high + 1)
        for value in (None, ["guess"], {}, 2.5j, *beyond, *(("guess",) if about.choices else ())):
            with pytest.raises(PokerlabError, match=name):
                module.Config(**{"seed": 1, name: value})
