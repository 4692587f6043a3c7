"""Methods compared over seeds: which evolutions they are, and what is measured of their champions."""

from collections.abc import Mapping

import numpy as np
import pytest

from pokerlab.core import UnknownNameError
from pokerlab.holdem import CompiledPlayer
from pokerlab.papers.nicolai2009 import solver
from pokerlab.papers.nicolai2009.config import EARLIER
from pokerlab.papers.nicolai2009.duplicate_tables import (
    OLD_BEST,
    OLD_SCRATCH,
    OLD_START,
    DuplicateTables,
    static_agents,
)
from pokerlab.papers.nicolai2009.experiment import CONFIGS, METHODS, PAPER_EXPERIMENTS
from pokerlab.runs import History
from pokerlab.strategies import MatrixEncoding
from studies.nicolai2009 import evaluation
from studies.nicolai2009 import methods as study
from studies.nicolai2009.methods import (
    CHANGES,
    FUTURE,
    READINGS,
    config_of,
    differences,
    methods,
    smaller,
    stages,
)


@pytest.fixture(autouse=True)
def experts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the expert's head start for all old agents."""
    names = (OLD_BEST, OLD_SCRATCH, OLD_START)
    encoding = MatrixEncoding()
    three = encoding.players([encoding.head_start()] * 3, names)
    others: Mapping[str, CompiledPlayer] = static_agents() | dict(zip(names, three, strict=True))
    monkeypatch.setattr(evaluation, "panel", lambda *_: others)


def test_evolutions_are_a_tenth_of_the_paper_s() -> None:
    for method, paper in zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True):
        assert EARLIER.items() <= vars(config_of(method, "as it is", 0, 100)).items()
        config = config_of(method, "as it is", 0, 100)
        many = paper.populations * paper.agents
        assert config.populations * config.agents == many // 10
        assert (config.hall, config.populations) == (paper.hall, paper.populations)
        assert config.hall == "none" or config.hall_size == config.agents
        assert (config.tournaments, config.iterations) == (50, 100)


def test_each_reading_changes_what_it_says() -> None:
    plain = config_of("SmallHOF", "as it is", 0, 100)
    for reading, changes in CHANGES.items():
        changed = config_of("SmallHOF", reading, 0, 100)
        assert {k for k, v in vars(changed).items() if v != vars(plain)[k]} == set(changes)
    assert not READINGS.keys() & FUTURE.keys()
    assert {method for method, _ in FUTURE.values()} <= set(METHODS)
    with pytest.raises(UnknownNameError, match="method"):
        config_of("BigHOF", "as it is", 0, 100)
    with pytest.raises(UnknownNameError, match="reading"):
        methods(readings=["as it was"])
    with pytest.raises(UnknownNameError, match="method"):
        methods(names=["BigHOF"])


def test_stages_are_of_one_evolution_a_fifth_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "STAGES", (1, 2))
    table = stages(seeds=[3], names=["2Pop"], duplicates=2)
    assert table["generation"].tolist() == [1, 1, 2, 2]
    small = smaller(CONFIGS["2Pop"], 5, 2, 3)
    assert (small.agents, small.tournaments, small.hall) == (100, 100, "none")
    evolution = solver(small)
    last = evolution.step(evolution.init(), 2).champions[1]
    tables = DuplicateTables(duplicates=2, seed=study.CARDS)
    assert study.fares(small, last, tables)["rank"] == table["rank"][3]
    with pytest.raises(UnknownNameError, match="line"):
        stages(names=["3Pop"])


def test_differences_are_paired_by_the_seeds_of_both() -> None:
    columns = {
        "method": np.array(["Control", "Control", "2Pop", "2Pop", "2Pop", "2Pop"]),
        "reading": np.array(["as it is"] * 5 + ["one parent"]),
        "seed": np.array([0, 1, 1, 1, 2, 1]),
        "rank": np.array([3.0, 4.0, 5.0, 6.0, 9.0, 1.0]),
    }
    table = History(columns, {}, {})
    assert differences(table, "rank", "2Pop", "Control", "as it is").tolist() == [1.5]
    assert differences(table, "rank", "2Pop", "LargeHOF", "as it is").tolist() == []
