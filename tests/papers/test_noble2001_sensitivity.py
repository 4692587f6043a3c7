"""Noble & Watson (2001): one change at a time, and what each leaves of the conclusions."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.papers.noble2001 import Config, sensitivity
from pokerlab.papers.noble2001.experiment import PARETO, ROULETTE, solver
from pokerlab.papers.noble2001.sensitivity import (
    CHANGES,
    change_of,
    conclusions,
    configs,
    halfway_and_end,
    heeds,
)
from pokerlab.runs import History


def test_each_change_is_one_and_has_a_name_of_its_own() -> None:
    names = [change_of(config) for config in configs() if config.regime == PARETO]
    assert len(set(names)) == len(CHANGES) == len(names)
    assert names[0] == "as it is"
    assert change_of(Config(size=50, seed=4)) == change_of(Config(size=50, regime=ROULETTE, seed=0))


OF_PARETO = [change for change in CHANGES if not heeds(Config(regime=ROULETTE, seed=0), change)]


def test_seven_changes_are_of_pareto_selection_alone() -> None:
    assert len(OF_PARETO) == 7
    assert len(configs()) == 2 * len(CHANGES) - 7


@pytest.mark.parametrize("change", OF_PARETO, ids=str)
def test_the_regular_algorithm_does_not_heed_what_is_said_to_be_pareto_selections(
    change: dict[str, Any],
) -> None:
    small = Config(size=20, games=12, hands=15, regime=ROULETTE, seed=1)
    with_it, without = solver(replace(small, **change)), solver(small)
    ends = with_it.step(with_it.init(), 3), without.step(without.init(), 3)
    assert ends[0].population.tobytes() == ends[1].population.tobytes()


def test_halves_are_judged_of_one_and_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity, "DRAWN", 20)
    small = Config(size=20, games=12, hands=15, iterations=4, seed=1)
    rows = halfway_and_end(small)
    assert [row["generation"] for row in rows] == [2, 4]
    run = solver(small)
    state = run.step(run.init(), 4)
    assert rows[1]["bluff"] == pytest.approx(state.population[0, :, 0].mean())
    won = sensitivity.assess(
        run.game, run.encoding, state.population[0], sensitivity.GROUPS["beta"], hands=300, seed=3
    )
    assert rows[1]["beta"] == pytest.approx(won.mean())


def invented() -> History:
    """Return a study of two seeds: Pareto wins 100 + 10 seed more; a change to it alone costs 300."""
    rows = [
        (change, regime, seed, generation)
        for change, regime in (("as it is", PARETO), ("as it is", ROULETTE), ("Front 1", PARETO))
        for seed in (5, 3)
        for generation in (100, 50)
    ]
    change, regime, seed, generation = (np.array(c) for c in zip(*rows, strict=True))
    worth = (100.0 + 10.0 * seed) * (regime == PARETO) - 300.0 * (change == "Front 1")
    late = np.where(generation == 100, -40.0, 0.0)
    return History(
        {
            "regime": regime,
            "seed": seed,
            "change": change,
            "generation": generation,
            "alpha": worth + late,
            "beta": worth / 2 + late + 7.0,
            "bluff": 0.1 * (regime == ROULETTE),
        },
        {},
        {},
    )


def test_conclusions_are_differences_of_runs_paired_by_seed() -> None:
    found = conclusions(invented())
    unchanged, changed = found["alpha"]
    assert (unchanged.change, unchanged.mean) == ("as it is", 140.0)
    assert unchanged.error == pytest.approx(10.0)
    assert (changed.change, changed.mean) == ("Front 1", -160.0)
    assert [one.mean for one in found["beta"]] == [70.0, -80.0]
    assert [one.mean for one in found["both"]] == [105.0, -120.0]
    assert [one.mean for one in found["interaction"]] == [70.0, -80.0]
    assert found["group"][0].mean == pytest.approx(140 / 4 - 7)
    assert [one.mean for one in found["late Pareto"]] == [-40.0, -40.0]
    assert [one.mean for one in found["bluff"]] == pytest.approx([-0.1, -0.1])


def test_the_study_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity, "LAST", 2)
    monkeypatch.setattr(sensitivity, "HALFWAY", 1)
    few = [{"games": 4, "size": 12}, {"games": 4, "size": 12, "recount": True}]
    whole = sensitivity.sensitivity(changes=few, seeds=[1, 2])
    sensitivity.sensitivity(changes=few[:1], seeds=[1], folder=tmp_path)
    again = sensitivity.sensitivity(changes=few, seeds=[1, 2], folder=tmp_path)
    assert {name: column.tolist() for name, column in whole.columns.items()} == {
        name: column.tolist() for name, column in again.columns.items()
    }
