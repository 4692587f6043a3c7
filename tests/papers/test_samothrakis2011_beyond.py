"""What is recorded about hold'em agents is what is asked for, and is still measured so where that is quick."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.core import CheckpointError, UnknownNameError
from pokerlab.papers.recorded import RUNS
from pokerlab.papers.samothrakis2011 import beyond
from pokerlab.papers.samothrakis2011.beyond import Recording
from pokerlab.papers.samothrakis2011.holdem import WIDE
from pokerlab.solvers import TreeSearch

RECORDINGS = [
    beyond.SEARCHED,
    beyond.LOCAL,
    beyond.HISTORIES,
    beyond.BY_BUCKETS,
    beyond.BY_CHOICE,
    beyond.DEALS,
    beyond.BY_GAME,
]
CHARACTERS = ("always fold", "always call", "always raise", "uniform")


def doubled(counts: Sequence[int]) -> list[Sequence[float]]:
    return [(count, 2 * count) for count in counts]


TOY = Recording("toy", {"count": "", "double": "bets"}, {"counts": [1, 3]}, doubled)


def test_what_is_not_there_is_measured_and_kept(tmp_path: Path) -> None:
    first = TOY.history(tmp_path)
    assert first["double"].tolist() == [2.0, 6.0]
    assert first.units["double"] == "bets"
    never = replace(TOY, measure=lambda counts: [(0, 0) for _ in counts])
    assert never.history(tmp_path)["double"].tolist() == [2.0, 6.0]


@pytest.mark.parametrize(
    "other", [{"settings": {"counts": [1, 4]}}, {"columns": {"count": "", "half": "bets"}}]
)
def test_a_file_of_other_settings_or_columns_is_refused(
    tmp_path: Path, other: dict[str, object]
) -> None:
    TOY.history(tmp_path)
    with pytest.raises(CheckpointError, match=r"[Dd]elete (the file|it) to"):
        replace(TOY, **other).history(tmp_path)  # type: ignore[arg-type]


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_recorded_tables_are_there_and_fit(recording: Recording) -> None:
    assert (RUNS / f"samothrakis-2011-{recording.name}.npz").exists()
    table = recording.history()
    assert len(table) > 0
    assert all(np.isfinite(column).all() for column in table.columns.values())


@pytest.mark.parametrize("name", CHARACTERS)
def test_recorded_exploitability_is_that_of_the_agents(name: str) -> None:
    number = list(beyond.AGENTS).index(name)
    now = beyond.six().nash_conv(beyond.agent(name))
    assert beyond.HISTORIES.history()["independent"][number] == pytest.approx(now, rel=1e-6)


def test_a_quick_measurement_says_the_same_as_its_parts() -> None:
    row = beyond.by_search(["always call"], [[4.8, 1, 10, False]], seeds=[1, 2])[0]
    search = TreeSearch(depth=1, iterations=10, exploration=0.1)
    found = [
        search.exploitability(beyond.six(), beyond.agent("always call"), seed=seed).value
        for seed in (1, 2)
    ]
    assert row[:5] == (0, 4.8, 1, 10, False)
    assert row[5] == pytest.approx(np.mean(found))


def test_searches_find_most_with_one_or_two_small_bets() -> None:
    """C of eq. 4 for two agents, at all depths; with too large a C a search stays near what chance wins."""
    table = beyond.SEARCHED.history()
    deep = (table["playouts"] == 1000) & (table["merged"] == 1)
    for agent in np.unique(table["agent"]):
        for depth in (3, 5, 7, 9):
            one = deep & (table["agent"] == agent) & (table["depth"] == depth)
            found = dict(zip(table["exploration"][one], table["found"][one], strict=True))
            assert max(found.values()) < table["exact"][one][0]
            assert found[1.5] > max(found.values()) - 0.1
            assert min(found.values()) == found[WIDE]


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        beyond.agent("always bluff")
