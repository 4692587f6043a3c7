"""Runs that a bench keeps in a folder: they go on in a new kernel, with the looks at them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import PokerlabError
from pokerlab.papers import lanctot2014
from pokerlab.workbench.benches import bench
from pokerlab.workbench.live.bench import Bench

CONFIG = lanctot2014.Config(iterations=2_000, seed=1)


def open_bench(folder: Path, config: Any = CONFIG, first: int = 10) -> Bench:
    return bench(lanctot2014.replicator, config, first=first, key="kept", kept_in=folder)


def run_to(made: Bench, *stops: int) -> None:
    for stop in stops:
        made.runner.advance_to(stop)
        made.refresh_picture()


def test_kept_run_goes_on_with_its_looks_in_another_bench(tmp_path: Path) -> None:
    one = open_bench(tmp_path / "runs")
    run_to(one, 50, 400)
    seen = one.screen.looks.iterations
    other = open_bench(tmp_path / "runs")
    assert other.run.iteration == 400
    assert "The kept run goes on at t = 400." in other.screen.words_widget.value
    assert "goes on" not in one.screen.words_widget.value
    assert other.screen.looks.iterations == seen == [10, 50, 400]
    np.testing.assert_array_equal(other.run.state.behavior, one.run.state.behavior)
    flat, buffers = other.screen.looks.flatten_pictures()
    assert len(flat) == 3
    assert all(len(buffer) for buffer in buffers)


def test_settings_that_are_chosen_again_go_on_where_they_were(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    run_to(made, 300)
    made.set(payoff_shift=10.0)
    assert made.run.iteration == 0
    run_to(made, 100)
    made.set(payoff_shift=3.0)
    assert made.run.iteration == 300
    assert "goes on at t = 300" in made.note
    made.set(payoff_shift=10.0)
    assert made.run.iteration == 100


def test_reset_sets_a_kept_run_aside(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    run_to(made, 300)
    made.reset()
    assert made.run.iteration == 0
    assert len(made.screen.looks) == 1
    assert sorted(path.name[:7] for path in tmp_path.glob("before-*.npz")) == ["before-"] * 2
    assert open_bench(tmp_path).run.iteration == 10


def test_settings_that_were_only_passed_leave_no_files(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    for shift in (4.0, 5.0, 6.0, 7.0):
        made.set(payoff_shift=shift)
    files = [path for path in tmp_path.glob("*.npz") if not path.name.endswith(".looks.npz")]
    assert len(files) == 2  # the settings that were opened, and the last ones


def test_more_iterations_extend_a_kept_run(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    run_to(made, 2_000)
    longer = open_bench(tmp_path, lanctot2014.Config(iterations=5_000, seed=1))
    assert longer.run.iteration == 2_000


def test_damaged_looks_are_dropped_and_the_run_goes_on(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    run_to(made, 300)
    made.kept_runs.find_looks_file(CONFIG).write_bytes(b"nonsense")  # type: ignore[union-attr]
    with pytest.warns(UserWarning, match="Earlier pictures"):
        again = open_bench(tmp_path)
    assert again.run.iteration == 300


def test_damaged_checkpoint_is_said_in_words(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    run_to(made, 300)
    made.kept_runs.find_checkpoint(CONFIG).write_bytes(b"nonsense")  # type: ignore[union-attr]
    with pytest.raises(PokerlabError, match=r"damaged|cannot be read|again"):
        open_bench(tmp_path)


@pytest.mark.parametrize("folder", [3, "", "a\0b"])
def test_nonsense_in_place_of_a_folder_is_refused(folder: Any) -> None:
    with pytest.raises(PokerlabError):
        open_bench(folder)


def test_disturbed_run_is_kept_with_its_marks(tmp_path: Path) -> None:
    made = open_bench(tmp_path)
    made.handle_request({})
    made.disturb_fold.switch.value = True
    made.disturb_fold.apply_selected_change()
    run_to(made, 60)
    resumed = open_bench(tmp_path)
    assert resumed.run.disturbances == made.run.disturbances
    assert resumed.make_frame().published == ()


def test_short_run_is_kept_when_its_settings_are_left(tmp_path: Path) -> None:
    made = open_bench(tmp_path, first=1_000)
    made.set(payoff_shift=10.0)
    run_to(made, 500)  # fewer iterations than a bench does as it opens
    made.set(payoff_shift=20.0)
    made.set(payoff_shift=10.0)
    assert made.run.iteration == 500


def test_run_that_another_bench_keeps_is_said_in_words(tmp_path: Path) -> None:
    one = open_bench(tmp_path)
    other = open_bench(tmp_path)
    run_to(other, 100)
    run_to(one, 50)
    assert "This run is not kept" in one.note


def test_run_that_has_not_changed_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = open_bench(tmp_path)
    written: list[Any] = []
    monkeypatch.setattr(type(made.kept_runs), "save_run", lambda *about: written.append(about))
    made.refresh_picture()
    made.show_choice()
    assert written == []
    run_to(made, 20)
    assert len(written) == 1
