"""The bench shows the state's own numbers, and answers to settings, buttons and errors."""

import csv
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import FileFormatError, SettingError, UnknownNameError, list_settings
from pokerlab.papers import noble2001
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.papers.oliehoek2006 import nash_memory
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.runs import History
from pokerlab.workbench.benches import bench as open_bench
from pokerlab.workbench.live import screen
from pokerlab.workbench.live.bench import PIN_COLORS, Bench
from pokerlab.workbench.live.runner import Runner
from pokerlab.workbench.live.take_home import KINDS
from pokerlab.workbench.live.view import make_frame
from pokerlab.workbench.picture import Curves
from pokerlab.workbench.views.strategies import StrategyView, make_strategy_table
from tests.hangs import HANG_SECONDS, wait_until
from tests.unit.workbench.conftest import Maker


def assert_picture_is_the_state(bench: Bench) -> None:
    """Compare every number of the picture with the state and the history."""
    state, history = bench.state, bench.run.history
    assert bench.picture.iteration == state.iteration
    for column in bench.run.columns[:2]:
        across, up = bench.picture["convergence"][column.name]
        recorded = history["iteration"] >= 1
        count = int(recorded.sum())
        assert np.array_equal(across[:count], history["iteration"][recorded])
        assert np.array_equal(up[:count], history[column.name][recorded])
        if state.iteration >= 1:
            assert (across[-1], up[-1]) == (state.iteration, column.measure(state))
    player = bench.controls.choice_menus["Strategy of"].value
    table = make_strategy_table(state.game, player)
    for profile in ("last_iterate", "average"):
        shown = bench.picture["strategy"][profile]
        assert np.array_equal(shown, table.read(getattr(state, profile)), equal_nan=True)


def test_a_new_bench_shows_the_start(bench: Bench) -> None:
    assert bench.num_frames == 1
    assert_picture_is_the_state(bench)
    assert "t = 0 of 10,000,000" in bench.screen.plain


def test_every_step_is_painted_from_the_live_state(bench: Bench) -> None:
    for _ in range(12):
        bench.step()
        assert_picture_is_the_state(bench)
    assert bench.state.iteration == 12


def test_between_two_recordings_a_look_is_at_the_state_itself() -> None:
    run = replicator.run(Config(seed=1), per_decade=1, keep=lambda state: state.current)
    run.advance(10)
    run.advance(10)
    run.advance(5)
    frame = make_frame(run, 1_000)
    assert frame.rows[:, 0].tolist() == [0.0, 1.0, 10.0, 15.0]
    assert [iteration for iteration, _ in frame.kept_values] == [0, 1, 10, 15]
    kept = frame.kept_values[-1][1].probabilities
    assert np.array_equal(kept, run.state.current.probabilities)


def test_what_is_painted_after_a_pause_is_the_state(bench: Bench) -> None:
    bench.start()
    wait_until(lambda: bench.num_frames >= 4 and bench.state.iteration > 100)
    bench.pause()
    wait_until(lambda: not bench.runner.thread.is_alive())
    assert_picture_is_the_state(bench)
    assert bench.screen.plain.startswith(f"t = {bench.state.iteration:,} of 10,000,000")
    assert not any(thread.name == "pokerlab runner" for thread in threading.enumerate())


def test_choosing_another_metric_or_player_repaints(bench: Bench) -> None:
    bench.step()
    bench.controls.choice_menus["Strategy of"].value = 1
    assert_picture_is_the_state(bench)
    bench.controls.choice_menus["Show"].label = "epsilon"
    assert list(bench.picture["convergence"]) == ["epsilon_average", "epsilon_current"]
    assert "epsilon of the average" in bench.screen.plain.lower()


def test_the_buttons_say_what_can_be_done(bench: Bench) -> None:
    controls = bench.controls
    assert (controls.run_button.description, controls.step_button.disabled) == ("Run", False)
    controls.run_button.click()
    wait_until(lambda: bench.num_frames >= 2)
    assert (controls.run_button.description, controls.step_button.disabled) == ("Pause", True)
    controls.run_button.click()
    wait_until(lambda: not bench.runner.thread.is_alive())
    assert (controls.run_button.description, controls.step_button.disabled) == ("Run", False)


def run_out(bench: Bench) -> None:
    """Run to the end."""
    bench.start()
    wait_until(lambda: not bench.runner.thread.is_alive())


def test_finished_run_goes_on_by_as_many_iterations_again(bench: Bench) -> None:
    bench.set(iterations=500)
    run_out(bench)
    assert bench.run.iteration == 500
    assert "finished" in bench.screen.plain
    assert_picture_is_the_state(bench)
    bench.step()
    assert bench.run.iteration == 500
    assert "Run goes on" in bench.screen.plain
    before = bench.run
    bench.controls.run_button.click()
    wait_until(lambda: not bench.is_running and bench.run.iteration == 1_000)
    assert bench.run is before
    assert bench.panel.rows["iterations"].value == bench.config.iterations == 1_000


def test_more_iterations_extend_a_run_and_fewer_begin_again(bench: Bench) -> None:
    bench.set(iterations=500)
    run_out(bench)
    before, run = bench.run.history, bench.run
    bench.set(iterations=2_000)
    assert bench.run is run
    assert np.array_equal(bench.run.history["iteration"], before["iteration"])
    bench.set(iterations=100)
    assert bench.run is not run
    assert bench.run.iteration == 0


def test_run_that_has_done_the_most_iterations_says_so_and_can_still_be_reset(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = list_settings(bench.config)["iterations"].high
    assert bench.config.iterations == most
    monkeypatch.setattr(Runner, "is_finished", property(lambda runner: True))
    bench.controls.run_button.click()
    assert "10,000,000 iterations, the most that are allowed" in bench.screen.plain
    assert (bench.error, bench.is_running) == (None, False)


def test_defaults_begin_a_run_that_has_gone_on_again_once(make: Maker) -> None:
    bench = make(replicator, Config(iterations=2_000, seed=1), first_iterations=100)
    bench.set(order="simultaneous")
    with patch.object(bench, "replace_run", wraps=bench.replace_run) as begin:
        bench.controls.defaults_button.click()
    assert begin.call_count == 1
    assert bench.run.iteration == 100


def test_defaults_restore_the_settings_and_the_picture(make: Maker) -> None:
    bench = make(replicator, Config(iterations=2_000, seed=1), first_iterations=100)
    shown = bench.picture["convergence"]["nash_conv_average"]
    bench.set(order="simultaneous")
    bench.step()
    bench.controls.defaults_button.click()
    assert np.array_equal(bench.picture["convergence"]["nash_conv_average"], shown)


def test_pinned_run_stays_as_colored_curves_and_heat_maps_after_a_reset(bench: Bench) -> None:
    bench.step()
    pinned = bench.run.history
    height = bench.picture.height
    bench.handle_request({"pin": True})
    bench.set(payoff_shift=10.0)
    bench.reset()
    (curves,) = bench.picture.find_strip("convergence").panels
    assert isinstance(curves, Curves)
    (curve,) = (each for each in curves.curves if each.label == "payoff shift 3")
    assert curve.look["color"] in PIN_COLORS
    assert np.array_equal(curve.y, pinned["nash_conv_average"])
    assert len(bench.picture.find_strip("strategy").rows) == 2
    assert bench.picture.height > height
    bench.handle_request({"unpin": 0})
    assert len(bench.picture.find_strip("strategy").rows) == 1
    bench.handle_request({"unpin": 0})  # of a second tab
    assert bench.error is None


def test_each_pinned_run_adds_its_own_heat_maps_once(bench: Bench) -> None:
    for shift in (4.0, 5.0, 6.0, 7.0):
        bench.step()
        bench.handle_request({"pin": True})
        bench.set(payoff_shift=shift)
    bench.step()
    rows = bench.picture.find_strip("strategy").rows
    assert len(rows) == 1 + len(bench.pinned_runs)
    titles = [row[0].title for row in rows[1:]]
    shifts = [f"payoff shift {shift}: Player 1" for shift in (3, 4, 5, 6)]
    assert [title[: len(words)] for title, words in zip(titles, shifts, strict=True)] == shifts
    assert_picture_is_the_state(bench)


def test_fifth_pin_is_refused_in_words(bench: Bench) -> None:
    for _ in range(5):
        bench.handle_request({"pin": True})
    assert len(bench.pinned_runs) == len(PIN_COLORS) == 4
    assert "Unpin one first" in bench.screen.plain


def test_columns_that_are_saved_are_those_of_the_history(bench: Bench) -> None:
    for _ in range(3):
        bench.step()
    bench.handle_request({"save": "columns"})
    (file,) = bench.screen.files
    head, *rows = csv.reader(file.content.decode().splitlines())
    assert head[:2] == ["iteration (iterations)", "nash_conv_average (chips)"]
    saved = np.array(rows, dtype=np.float64).T
    history = bench.run.history
    assert np.array_equal(saved, [history[name] for name in history.columns])


def test_strategy_that_is_saved_is_read_back_as_the_profile_on_show(
    bench: Bench, tmp_path: Path
) -> None:
    for _ in range(3):
        bench.step()
    bench.handle_request({"save": "strategy"})
    (file,) = bench.screen.files
    (tmp_path / file.name).write_bytes(file.content)
    read = pl.games.Profile.from_csv(bench.state.average.game, tmp_path / file.name)
    assert np.array_equal(read.probabilities, bench.state.last_iterate.probabilities)


def test_strategy_in_a_triangle_is_saved_as_the_profile_of_the_state(
    make: Maker, tmp_path: Path
) -> None:
    bench = make(minimax_coevolution)
    bench.runner.advance_to(2)
    bench.refresh_picture()
    bench.handle_request({"save": "strategy"})
    (file,) = bench.screen.files
    (tmp_path / file.name).write_bytes(file.content)
    profile = bench.state.profile
    read = pl.games.Profile.from_csv(profile.game, tmp_path / file.name)
    assert np.array_equal(read.probabilities, profile.probabilities)


def test_strategy_without_a_profile_is_saved_as_the_cells_of_its_heat_maps(make: Maker) -> None:
    bench = make(noble2001.pareto_coevolution)
    bench.step()
    bench.handle_request({"save": "strategy"})
    (file,) = bench.screen.files
    rows = list(csv.DictReader(file.content.decode().splitlines()))
    shown = bench.picture["population"]["genes"]
    assert [float(row["value"]) for row in rows] == shown[np.isfinite(shown)].tolist()


def test_address_of_a_bench_holds_what_differs_and_opens_the_same(
    make: Maker, config: Config
) -> None:
    bench = make(replicator, config)
    bench.set(game="KP(3)", payoff_shift=12.5)
    assert bench.address == "game=KP(3)&payoff_shift=12.5"
    other = make(replicator, config)
    other.open_address(bench.address)
    assert other.config == bench.config
    bench.set(payoff_shift=30.0)
    assert bench.address == "game=KP(3)&payoff_shift=30"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nosuch=1", "no setting 'nosuch'"),
        ("payoff_shift=abc", "payoff_shift is 'abc' in the address. Give a number"),
        ("payoff_shift=-1", "payoff_shift is -1"),
        ("game=chess", "no game 'chess'"),
    ],
)
def test_nonsense_in_an_address_is_answered_in_words(
    bench: Bench, address: str, words: str
) -> None:
    before = bench.config
    bench.open_address(address)
    assert words in bench.screen.plain
    assert bench.config == before


def test_code_that_is_saved_makes_the_same_bench(bench: Bench) -> None:
    bench.set(payoff_shift=7.0, order="simultaneous")
    bench.handle_request({"save": "code"})
    (file,) = bench.screen.files
    made: dict[str, Any] = {}
    exec(file.content.decode(), made)
    assert made["bench"].config == bench.config
    assert made["bench"].experiment is bench.experiment
    made["bench"].close()


def test_code_of_an_experiment_of_a_notebook_cannot_be_saved(make: Maker, config: Config) -> None:
    bench = make(replace(replicator, title="My own"), config)
    bench.handle_request({"save": "code"})
    assert bench.screen.files == []
    assert "'My own' is defined in this notebook" in bench.screen.plain


def test_reset_keeps_the_curve_as_a_ghost_whole(bench: Bench) -> None:
    bench.controls.choice_menus["Show"].label = "epsilon"
    bench.set(iterations=500)
    run_out(bench)
    before = bench.run.history
    bench.controls.reset_button.click()
    (curves,) = bench.picture.find_strip("convergence").panels
    assert isinstance(curves, Curves)
    assert curves.y.limits[0] <= before["epsilon_average"].min() < 0.1
    (ghost,) = bench.make_frame().ghosts
    assert ghost.label == "before (same settings)"
    assert np.array_equal(ghost.history["nash_conv_average"], before["nash_conv_average"])
    assert bench.run.iteration == 0
    assert "Reset to t = 0" in bench.screen.plain


def test_a_changed_setting_begins_again_and_the_ghost_says_what_differed(bench: Bench) -> None:
    bench.step()
    bench.panel.rows["payoff_shift"].value = 10.0
    bench.panel.rows["order"].value = "simultaneous"  # nothing was run meanwhile
    assert bench.config.payoff_shift == 10.0
    assert bench.run.provenance["settings"]["order"] == "simultaneous"
    assert "order simultaneous: reset to t = 0" in bench.screen.plain
    (ghost,) = bench.make_frame().ghosts
    assert ghost.label == "before (payoff shift 3, order alternating)"


def test_another_game_has_neither_first_caption_nor_ghost(make: Maker, config: Config) -> None:
    bench = make(replicator, config, first_iterations=10, caption="Two players circle.")
    assert "Two players circle." in bench.screen.plain
    bench.set(game="KP(3)")
    assert (bench.make_frame().ghosts, "Two players circle." in bench.screen.plain) == ((), False)


def test_changing_the_game_changes_the_tables(bench: Bench) -> None:
    bench.controls.choice_menus["Strategy of"].value = 1
    bench.set(game="KP(3)")
    assert bench.controls.choice_menus["Strategy of"].value == 1
    assert bench.picture["strategy"]["average"].shape == (4, 4)
    bench.controls.choice_menus["Strategy of"].value = 2
    bench.set(game="KP(2)")
    assert bench.controls.choice_menus["Strategy of"].value == 0
    assert_picture_is_the_state(bench)


def test_paper_and_defaults_fill_the_panel(bench: Bench) -> None:
    bench.set(payoff_shift=10.0)
    assert bench.panel.departures == ("payoff_shift", "iterations")
    assert bench.controls.paper_menu.value == "near Figure 1: KP(2)"
    bench.controls.paper_menu.value = "Figure 2, right: KP(4)"
    assert bench.config == replicator.paper["Figure 2, right: KP(4)"]
    assert bench.panel.departures == ()
    assert tuple(bench.controls.paper_menu.options) == tuple(replicator.paper)
    bench.controls.choice_menus["Show"].label = "epsilon"
    bench.controls.defaults_button.click()
    assert bench.config == Config(iterations=10_000_000, seed=1)
    assert bench.controls.choice_menus["Show"].label == "NashConv"
    assert bench.controls.speed_slider.label == bench.declaration.first_speed
    bench.controls.defaults_button.click()
    assert "made with" in bench.screen.plain


refused = Mock(side_effect=SettingError("this run is refused"))


def test_a_setting_that_the_solver_refuses_is_shown_and_can_be_put_right(bench: Bench) -> None:
    bench.step()
    experiment = bench.experiment
    bench.experiment = replace(experiment, make_solver=refused)
    bench.panel.rows["game"].value = "KP(3)"
    assert isinstance(bench.error, SettingError)
    assert "this run is refused" in bench.screen.plain
    assert "pokerlab-alert" in bench.screen.html
    assert bench.controls.run_button.disabled
    assert bench.config.game == "KP(2)"
    assert bench.run.iteration == 1  # what was on show stays
    bench.experiment = experiment
    bench.panel.rows["payoff_shift"].value = 14.0
    assert bench.error is None
    assert bench.config.game == "KP(3)"
    assert not bench.controls.run_button.disabled


def test_a_setting_put_back_clears_the_error(bench: Bench) -> None:
    bench.experiment = replace(bench.experiment, make_solver=refused)
    bench.panel.rows["game"].value = "KP(3)"
    assert bench.error is not None
    bench.panel.rows["game"].value = "KP(2)"
    assert bench.error is None
    assert "refused" not in bench.screen.plain


def test_while_a_new_run_is_prepared_the_bench_says_so(bench: Bench) -> None:
    said, experiment = [], bench.experiment

    def solver(config: Config) -> Any:
        said.append(bench.screen.plain)
        return experiment.make_solver(config)

    bench.experiment = replace(experiment, make_solver=solver)
    bench.set(payoff_shift=5.0)
    assert ["One moment" in words for words in said] == [True]
    assert "One moment" not in bench.screen.plain


def test_a_value_that_was_moved_is_said(bench: Bench) -> None:
    bench.panel.rows["game"].value = "Leduc"
    assert bench.config == replace(bench.defaults_config, game="Leduc", payoff_shift=13.0)
    assert "(payoff shift is now 13): reset to t = 0" in bench.screen.plain


def test_in_code_a_wrong_setting_is_an_error(bench: Bench) -> None:
    with pytest.raises(SettingError, match=r"allows 13 to 100 chips beside the other settings"):
        bench.set(game="Leduc")
    with pytest.raises(SettingError, match="Payoff shift allows 2 to 100"):
        bench.set(payoff_shift=1.0)
    with pytest.raises(UnknownNameError, match=r"no setting 'sed'.* Did you mean 'seed'\?"):
        bench.set(sed=3)


def test_an_error_of_a_running_solver_is_shown(bench: Bench) -> None:
    bench.run.solver.step = Mock(side_effect=ZeroDivisionError("nothing to divide by"))
    bench.start()
    wait_until(lambda: bench.error is not None)
    wait_until(lambda: "nothing to divide by" in bench.screen.plain)
    assert not bench.is_running


def test_saving_writes_figure_history_and_config(bench: Bench, tmp_path: Path) -> None:
    for _ in range(5):
        bench.step()
    folder = bench.save(tmp_path / "run")
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["config.json", "figure.png", "history.npz"]
    back = History.load(folder / "history.npz")
    assert np.array_equal(back["nash_conv_average"], bench.run.history["nash_conv_average"])
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert Config(**settings) == bench.config
    with pytest.raises(FileFormatError, match="exists already"):
        bench.save(folder)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_save_without_a_folder_finds_a_free_name(bench: Bench, elsewhere: Path) -> None:
    written = [bench.save(), bench.save()]
    names = sorted(path.name for path in (elsewhere / "saved").iterdir())
    assert names == ["sequence-form-replicator-dynamics-1", "sequence-form-replicator-dynamics-2"]
    assert [path.name for path in written] == names


def test_failed_save_leaves_nothing_behind(bench: Bench, elsewhere: Path) -> None:
    refuses = patch.object(History, "save", side_effect=OSError("no space left"))
    with refuses, pytest.raises(OSError, match="no space left"):
        bench.save()
    assert list((elsewhere / "saved").iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_saving_by_download_writes_no_file(kind: str, bench: Bench, elsewhere: Path) -> None:
    bench.step()
    bench.handle_request({"save": kind})
    (file,) = bench.screen.files
    assert f"{file.name} is downloaded." in bench.screen.plain
    assert list(elsewhere.iterdir()) == []


def test_failed_download_is_answered_in_words(bench: Bench) -> None:
    with patch("pokerlab.workbench.live.bench.make_file", side_effect=OSError("no memory left")):
        bench.handle_request({"save": "svg"})
    assert "no memory left" in bench.screen.plain
    assert bench.error is None


def test_closing_leaves_no_thread_and_keeps_the_run(bench: Bench) -> None:
    bench.start()
    wait_until(lambda: bench.run.iteration > 100)
    bench.close()
    wait_until(lambda: not bench.runner.thread.is_alive())
    assert bench.run.history["iteration"][-1] > 0
    assert bench.controls.widget.comm is None


def test_making_a_bench_again_closes_the_one_before() -> None:
    first = open_bench(replicator, Config(iterations=10_000_000, seed=1), key="here", first=10)
    first.start()
    second = open_bench(replicator, Config(iterations=10_000_000, seed=2), key="here", first=10)
    wait_until(lambda: not first.is_running)
    assert screen.things_by_place["here"][1] == [second]
    second.close()
    assert "here" not in screen.things_by_place


def test_what_a_cell_makes_stands_until_it_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [Mock() for _ in range(4)]
    monkeypatch.setattr(screen, "things_by_place", {})
    monkeypatch.setattr(screen, "find_present_cell", lambda: "cell")
    for number, each in enumerate(made):
        monkeypatch.setattr(screen, "read_execution_count", lambda count=number // 2: count)
        screen.take_place(each, None)
    assert [each.close.called for each in made] == [True, True, False, False]


def test_an_opened_bench_has_a_curve_to_show_which_is_always_the_same() -> None:
    benches = [open_bench(replicator, Config(seed=1, iterations=2_000)) for _ in range(2)]
    assert benches[0].run.iteration == 1_000
    assert benches[0].png() == benches[1].png()
    assert_picture_is_the_state(benches[0])
    for made in benches:
        made.close()


KUHN = pl.games.kuhn()


@pytest.mark.parametrize("where", [[(0, "Q")], 0, 1, [*KUHN.infoset_index]])
def test_a_bench_takes_a_locked_game(where: Any) -> None:
    """Who is locked as a whole is not among the strategies; cards keep their order."""
    game = pl.games.lock_infosets(KUHN, KUHN.uniform(), where)
    taken = replace(replicator, make_solver=lambda _: pl.solvers.CFR(game))
    views = [StrategyView({"last_iterate": "now", "average": "on average"})]
    bench = open_bench(taken, Config(iterations=20, seed=1), first=10, views=views)
    players = [p for p, count in enumerate(game.num_infosets) if count] or [0, 1]
    assert [*bench.controls.choice_menus["Strategy of"].options] == [
        (f"player {p + 1}", p) for p in players
    ]
    table = make_strategy_table(game, players[0])
    assert table.rows in (("J", "Q", "K"), ())
    shown = bench.picture["strategy"]["average"]
    assert np.array_equal(shown, table.read(bench.state.average), equal_nan=True)


def test_choice_that_is_no_longer_offered_leaves_no_widget(bench: Bench) -> None:
    gone = [
        widget
        for row in bench.controls.choice_menus.values()
        for widget in (row, row.layout, row.style)
    ]
    assert gone
    assert all(widget.comm is not None for widget in gone)
    bench.controls.offer_choices({})
    assert [widget.comm for widget in gone] == [None] * len(gone)


def test_setting_that_arrives_just_after_run_is_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page holds a moved slider back while the kernel answers, but not a pressed button."""
    monkeypatch.setattr("pokerlab.workbench.live.bench.LATE_SECONDS", HANG_SECONDS)
    bench.toggle_run()
    bench.panel.rows["payoff_shift"].value = 4.5
    assert bench.config.payoff_shift == 4.5
    wait_until(lambda: bench.run.iteration > 0, "the new run goes on by itself")
    bench.pause()


def test_setting_moved_during_a_run_pauses_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokerlab.workbench.live.bench.LATE_SECONDS", 0.0)
    bench.toggle_run()
    bench.panel.rows["payoff_shift"].value = 4.5
    assert (bench.is_running, bench.run.iteration) == (False, 0)
    assert "payoff shift 4.5: reset to t = 0" in bench.screen.plain


@pytest.mark.parametrize("is_converged", [False, True])
def test_step_of_a_finished_run_says_why_it_does_nothing(is_converged: bool, make: Maker) -> None:
    experiment, iterations = (nash_memory, 40) if is_converged else (replicator, 3)
    bench = make(experiment, replace(experiment.scales["quick"], iterations=iterations))
    bench.runner.advance_to(iterations)
    assert bench.runner.has_converged == is_converged
    bench.controls.step_button.click()
    assert ("converged" if is_converged else "Run goes on") in bench.screen.plain
