"""Whatever is chosen on the bench of a paper's experiment is drawn: no place of a control is an error."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import list_settings
from pokerlab.papers import samothrakis2011_holdem as samothrakis2011_holdem
from pokerlab.papers.experiment import Experiment
from pokerlab.runs.checkpoint import collect_state_values
from pokerlab.workbench.benches import DECLARED
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.panel import Panel
from tests.unit.workbench.conftest import Maker

EXPERIMENTS = [declaration.experiment for declaration in DECLARED]
of_each_paper = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.title)


@pytest.fixture(autouse=True)
def no_sampled_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take exact buckets for those from sampled deals, which take a minute to make."""
    exact = samothrakis2011_holdem.make_game
    monkeypatch.setattr(
        samothrakis2011_holdem,
        "make_game",
        lambda buckets, *, deals, **betting: exact(buckets, **betting),
    )


@of_each_paper
@pytest.mark.parametrize("each", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_bench_of_every_choice_is_played_and_drawn(
    experiment: Experiment, each: bool, make: Maker
) -> None:
    """One choice of each setting is painted, where views, curves or shapes are new; or `each` choice."""
    bench = make(experiment)
    bench.step()
    drawn, tried = {what_is_drawn(bench)}, 0
    for name, about in list_settings(bench.config).items():
        row = bench.panel.rows[name]
        others = [o for o in about.choices or () if o != getattr(bench.config, name)]
        for option in others:
            with nullcontext() if each else unpainted(bench):
                row.value = option
            assert bench.error is None, (name, option)
            assert getattr(bench.config, name) == option
            is_new = option == others[0] and what_is_drawn(bench) not in drawn
            with nullcontext() if each or is_new else unpainted(bench):
                bench.step()
            assert bench.error is None, (name, option)
            drawn.add(what_is_drawn(bench))
            tried += 1
        if others:
            with unpainted(bench):
                row.value = getattr(bench.defaults_config, name)
    assert tried > 0


def what_is_drawn(bench: Bench) -> tuple[Any, ...]:
    """Return which views a bench has, which curves, and of which shapes the arrays of its state are."""
    parts = {name: np.shape(part) for name, part in collect_state_values(bench.state).items()}
    columns = [(column.name, column.label, column.unit) for column in bench.run.columns]
    return (*map(type, bench.views), *columns, *sorted(parts.items()))


@contextmanager
def unpainted(bench: Bench) -> Iterator[None]:
    """Let a bench go on without pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "refresh_picture", lambda: None)
        yield


@of_each_paper
def test_both_ends_of_every_range_are_allowed_in_every_game(experiment: Experiment) -> None:
    config = experiment.scales["quick"]
    about = list_settings(config)
    for game in about["game"].choices or () if "game" in about else [None]:
        given = config if game is None else beside(config, "game", game)
        for name, setting in about.items():
            limits = setting.adapt_to(given)
            for end in (limits.low, limits.high):
                if end is not None and name != "buckets":  # large tables of buckets take long
                    experiment.make_solver(
                        replace(given, **{name: type(getattr(config, name))(end)})
                    )


def beside(config: Any, name: str, value: Any) -> Any:
    """Return `config` with one other value, and the rest moved as the panel would."""
    panel = Panel(config, {}, lambda: None)
    panel.rows[name].value = value
    return panel.make_config()


@of_each_paper
def test_the_papers_experiments_can_be_run(experiment: Experiment) -> None:
    assert experiment.paper
    for config in experiment.paper.values():
        panel = Panel(config, experiment.paper, lambda: None)
        assert panel.departures == ()
        assert experiment.paper[panel.nearest_experiment] == config
        experiment.make_solver(config)


@of_each_paper
def test_everything_that_views_offer_is_drawn(experiment: Experiment, make: Maker) -> None:
    bench = make(experiment)
    for words, row in bench.controls.choice_menus.items():
        for label, _ in row.options:
            row.label = label
            assert bench.error is None, (words, label)


def test_an_experiment_that_no_paper_declares_shows_its_curves(make: Maker) -> None:
    bench = make(replace(EXPERIMENTS[0], title="unknown"))
    bench.step()
    assert [view.name for view in bench.views] == ["convergence", "strategy"]
    assert list(bench.picture["convergence"]) == ["nash_conv_average"]
