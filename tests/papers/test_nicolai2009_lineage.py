"""Long evolutions: what is kept of them, in sittings or at once, and errors."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.papers.nicolai2009 import Config, solver
from pokerlab.papers.nicolai2009.lineage import Lineage, evolve

SMALL = Config(agents=10, tournaments=2, iterations=6, seed=3)
WITH_HALLS = replace(SMALL, populations=2, hall="elites", hall_size=4)


def evolved(config: Config, folder: Path, until: int | None = None) -> Lineage:
    return evolve(
        config,
        folder / "lineage.npz",
        checkpoint=folder / "state.npz",
        until=until,
        every=2,
        progress=False,
    )


def same(one: Lineage, other: Lineage) -> bool:
    names = ("generations", "champions", "hall_since", "hall_best")
    arrays = all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)
    columns = one.history.columns
    return arrays and all(np.array_equal(columns[n], other.history[n]) for n in columns)


@pytest.mark.parametrize(
    "config", [SMALL, WITH_HALLS, replace(SMALL, hall="infinite", hall_size=5)]
)
def test_in_sittings_as_at_once(config: Config, tmp_path: Path) -> None:
    at_once = evolved(config, tmp_path / "once")
    for until in (3, 4, 6):
        in_sittings = evolved(config, tmp_path / "sittings", until)
    assert set(at_once.generations) <= set(in_sittings.generations)
    chosen = np.isin(in_sittings.generations, at_once.generations)
    assert np.array_equal(in_sittings.champions[chosen], at_once.champions)
    assert same(Lineage.load(tmp_path / "once" / "lineage.npz"), at_once)


def test_champions_are_the_evolution_s(tmp_path: Path) -> None:
    kept = evolved(WITH_HALLS, tmp_path)
    evolution = solver(WITH_HALLS)
    state = evolution.init()
    for generation, champions, since in zip(
        kept.generations, kept.champions, kept.hall_since, strict=True
    ):
        state = evolution.step(state, int(generation) - state.iteration)
        assert np.array_equal(champions, state.champions)
        assert np.array_equal(since, state.hall.since)
    best = kept.hall_best[-1, 0, 0]
    assert np.array_equal(best, state.hall.genomes[0, state.hall_score[0].argmax()])
    assert kept.generations.tolist() == [2, 4, 6]


def test_a_generation_that_was_lost_between_two_files_is_made_up_for(tmp_path: Path) -> None:
    evolved(SMALL, tmp_path, 2)
    before = (tmp_path / "lineage.npz").read_bytes()
    evolved(SMALL, tmp_path, 4)
    (tmp_path / "lineage.npz").write_bytes(before)
    assert evolved(SMALL, tmp_path).generations.tolist() == [2, 4, 6]


def test_files_of_other_evolutions_are_refused(tmp_path: Path) -> None:
    evolved(SMALL, tmp_path, 2)
    (tmp_path / "state.npz").unlink()
    with pytest.raises(
        CheckpointError, match="keeps 2 generations of an evolution; the checkpoint"
    ):
        evolved(SMALL, tmp_path, 4)
    (tmp_path / "state.npz").unlink()
    with pytest.raises(CheckpointError, match="Give both files of one evolution"):
        evolved(replace(SMALL, seed=4), tmp_path, 4)
    (tmp_path / "lineage.npz").write_bytes(b"nothing")
    with pytest.raises(FileFormatError):
        Lineage.load(tmp_path / "lineage.npz")
