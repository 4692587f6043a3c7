"""Many seeds of one coevolution: each row is a run of its own; what was recorded is what would be run."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokerlab.core import CheckpointError
from pokerlab.papers import samothrakis2011
from pokerlab.papers.samothrakis2011 import FOUND, RPS
from pokerlab.papers.samothrakis2011.experiment import recorded_config
from pokerlab.papers.samothrakis2011.seeds import ends_of_seeds, recorded_ends
from pokerlab.runs import History

CONFIG = replace(FOUND[RPS].config, iterations=60)


def test_each_row_is_where_that_seed_ends() -> None:
    ends = ends_of_seeds(replace(CONFIG, iterations=7), [4, 2])
    assert ends["seed"].tolist() == [4, 2]
    for row, seed in enumerate((4, 2)):
        coevolution = samothrakis2011.solver(replace(CONFIG, seed=seed))
        state = coevolution.step(coevolution.init(), 7)
        assert ends["iteration"][row] == 7
        assert ends["nash_conv"][row] == state.exact_value
        assert ends["paper"][row] == state.profile.at(0, "row")["paper"]


def test_what_is_varied_is_combined_and_run_with_each_seed() -> None:
    varied = {"population": (8, 10), "evolution": ("CMA-ES",)}
    ends = ends_of_seeds(replace(CONFIG, iterations=3), [4, 2], varied=varied)
    assert ends["population"].tolist() == [8, 8, 10, 10]
    assert ends["seed"].tolist() == [4, 2, 4, 2]
    alone = replace(CONFIG, iterations=3, population=10)
    assert ends["nash_conv"][3] == ends_of_seeds(alone, [2])["nash_conv"][0]
    assert (ends["seconds"] > 0).all()


LAZY = {"worst_case": "inner evolution", "inner_generations": 1, "inner_growth": 0.0}


@pytest.mark.parametrize(("settings", "target"), [({}, 0.01), (LAZY, 0.3)])
def test_a_run_ends_at_the_first_generation_that_meets_the_target(
    settings: dict[str, Any], target: float
) -> None:
    """By exact best responses, whatever its own worst case has found."""
    config = replace(CONFIG, **settings)
    ends = ends_of_seeds(config, [1], target=target)
    done = int(ends["iteration"][0])
    coevolution = samothrakis2011.solver(replace(config, seed=1))
    before = coevolution.step(coevolution.init(), done - 1)
    assert 1 < done < config.iterations
    assert before.exact_value > target >= ends["nash_conv"][0]


def test_what_is_recorded_is_read_again_and_only_for_the_same_question(tmp_path: Path) -> None:
    short = replace(CONFIG, iterations=3)
    ends = recorded_ends("few", short, [1, 2], folder=tmp_path)
    again = recorded_ends("few", short, [1, 2], folder=tmp_path)
    assert again.provenance == ends.provenance
    assert again["nash_conv"].tolist() == ends["nash_conv"].tolist()
    for config, seeds, other in (
        (replace(short, population=12), [1, 2], {}),
        (short, [1, 3], {}),
        (short, [1, 2], {"target": 0.1}),
        (short, [1, 2], {"varied": {"population": (10, 12)}}),
    ):
        with pytest.raises(CheckpointError, match=r"few\.npz was written with"):
            recorded_ends("few", config, seeds, folder=tmp_path, **other)


@pytest.mark.parametrize(
    "name", ["13-card-net", "kp3", "kuhn-net", "rps-genes", "rps-net", "rps-outer"]
)
def test_committed_records_fit_their_settings(name: str) -> None:
    """Rows, units and bounds only: a full run takes minutes."""
    path = Path(__file__).parents[2] / "data" / "runs" / f"samothrakis-2011-{name}.npz"
    history = History.load(path)
    config = recorded_config(history.provenance["settings"])
    seeds, varied = history.provenance["seeds"], history.provenance["varied"]
    assert history["seed"].tolist() == seeds * math.prod(map(len, varied.values()))
    assert (history["nash_conv"] >= history["worst_case"] - 1e-9).all()
    short = ends_of_seeds(replace(config, iterations=1), seeds[:1], varied=varied)
    assert short.units == history.units
