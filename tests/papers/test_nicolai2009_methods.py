"""Methods compared over seeds: which evolutions they are, and what is measured of their champions."""

from collections.abc import Mapping

import numpy as np
import pytest

from pokerlab.core import UnknownNameError
from pokerlab.holdem import CompiledPlayer, MatrixEncoding
from pokerlab.papers import nicolai2009, nicolai2009_agents
from pokerlab.papers.nicolai2009 import CONFIGS, EARLIER, METHODS, PAPER_EXPERIMENTS, make_solver
from pokerlab.runs import History
from studies.nicolai2009 import evaluation
from studies.nicolai2009 import methods as study


@pytest.fixture(autouse=True)
def experts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the expert's head start for all old agents."""
    names = (
        nicolai2009_agents.OLD_BEST,
        nicolai2009_agents.OLD_SCRATCH,
        nicolai2009_agents.OLD_START,
    )
    encoding = MatrixEncoding()
    three = encoding.make_players([encoding.make_head_start()] * 3, names)
    others: Mapping[str, CompiledPlayer] = nicolai2009_agents.make_static_agents() | dict(
        zip(names, three, strict=True)
    )
    monkeypatch.setattr(evaluation, "make_panel", lambda *_: others)


def test_evolutions_are_a_tenth_of_the_paper_s() -> None:
    for method, paper in zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True):
        assert (
            EARLIER.items()
            <= vars(study.make_config_by_interpretation(method, "as it is", 0, 100)).items()
        )
        config = study.make_config_by_interpretation(method, "as it is", 0, 100)
        many = paper.populations * paper.agents
        assert config.populations * config.agents == many // 10
        assert (config.hall, config.populations) == (paper.hall, paper.populations)
        assert config.hall == "none" or config.hall_size == config.agents
        assert (config.tournaments, config.iterations) == (50, 100)


def test_each_interpretation_changes_what_it_says() -> None:
    plain = study.make_config_by_interpretation("SmallHOF", "as it is", 0, 100)
    for name, changes in study.CHANGES.items():
        changed = study.make_config_by_interpretation("SmallHOF", name, 0, 100)
        assert {k for k, v in vars(changed).items() if v != vars(plain)[k]} == set(changes)
    for method, agents in (("Control", 100), ("2Pop", 50), ("4Pop", 25)):
        few = study.make_config_by_interpretation(method, "ten elites in each population", 0, 100)
        assert (few.agents, round(few.elites * few.agents)) == (agents, 10)
    assert not study.INTERPRETATIONS.keys() & study.FUTURE_WORK.keys()
    assert {method for method, _ in study.FUTURE_WORK.values()} <= set(METHODS)
    with pytest.raises(UnknownNameError, match="method"):
        study.make_config_by_interpretation("BigHOF", "as it is", 0, 100)
    with pytest.raises(UnknownNameError, match="interpretation"):
        study.sweep_methods(interpretations=["as it was"])
    with pytest.raises(UnknownNameError, match="method"):
        study.sweep_methods(methods=["BigHOF"])


def test_stages_are_of_one_evolution_a_fifth_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "STAGES", (1, 2))
    table = study.sweep_stages_of_evolution(seeds=[3], experiments=["2Pop"], duplicates=2)
    assert table["generation"].tolist() == [1, 1, 2, 2]
    small = study.shrink_config(CONFIGS["2Pop"], 5, 2, 3)
    assert (small.agents, small.tournaments, small.hall) == (100, 100, "none")
    evolution = make_solver(small)
    last = evolution.step(evolution.init(), 2).champions[1]
    tables = nicolai2009.DuplicateTables(duplicates=2, seed=study.CARDS_SEED)
    assert study.measure_champion_against_opponents(small, last, tables)["rank"] == table["rank"][3]
    with pytest.raises(UnknownNameError, match="experiment"):
        study.sweep_stages_of_evolution(experiments=["3Pop"])


def test_differences_are_paired_by_the_seeds_of_both() -> None:
    """An evolution has the mean rank of its champions, or the best."""
    table = {
        "method": np.array(["Control", "Control", "2Pop", "2Pop", "2Pop", "2Pop"]),
        "reading": np.array(["as it is"] * 5 + ["one parent"]),
        "seed": np.array([0, 1, 1, 1, 2, 1]),
        "rank": np.array([3.0, 4.0, 5.0, 6.0, 9.0, 1.0]),
    }
    assert study.compute_rank_differences(table, "2Pop", "Control", "as it is").tolist() == [1.5]
    assert study.compute_rank_differences(
        table, "2Pop", "Control", "as it is", study.BEST
    ).tolist() == [1.0]
    assert study.compute_rank_differences(table, "2Pop", "LargeHOF", "as it is").tolist() == []


@pytest.mark.parametrize(("shift", "sign"), [(1.0, 1), (0.0, 0), (-1.0, -1)])
def test_a_lead_over_several_needs_all_and_is_reversed_by_one(shift: float, sign: int) -> None:
    """A is ahead of B by one rank, and of C by the shift; each part is tested by itself."""
    ranks = {"A": np.array([3.0, 3.1, 2.9]), "B": np.array([4.0, 4.1, 4.0])}
    ranks["C"] = ranks["A"] + shift + np.array([0.05, -0.05, 0.0])
    table = {
        "method": np.repeat([*ranks], 3),
        "reading": np.full(9, "as it is"),
        "seed": np.tile(range(3), 3),
        "rank": np.concatenate([*ranks.values()]),
    }
    mean, reach, found = study.find_smallest_lead(
        table, [("A", "B"), ("A", "C")], "as it is", study.BEST
    )
    assert found == sign
    assert mean == pytest.approx(min(shift, np.mean([1.0, 1.0, 1.1])), abs=1e-9)
    assert reach > 0


def test_stages_are_one_interpretation_more_of_the_methods() -> None:
    ends = {"generation": np.array([1, study.STAGES[-1]]), "line": np.array(["Control"] * 2)}
    stages_of = History({**ends, "seed": np.array([0, 0]), "rank": np.array([5.0, 3.0])}, {}, {})
    small = {"method": ["2Pop"], "reading": ["as it is"], "seed": [4], "rank": [2.0]}
    table = study.join_method_and_stage_studies(
        History({k: np.array(v) for k, v in small.items()}, {}, {}), stages_of, "thesis"
    )
    assert {k: v.tolist() for k, v in table.items()} == {
        "method": ["Control", "2Pop"],
        "reading": ["thesis", "as it is"],
        "seed": [0, 4],
        "rank": [3.0, 2.0],
    }
