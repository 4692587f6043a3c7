"""The panel is made from the Config, and gives one back."""

import ast
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import pytest

from pokerlab.core import SettingError, UnknownNameError, setting
from pokerlab.core.settings import list_settings
from pokerlab.papers import noble2001, samothrakis2011
from pokerlab.papers.lanctot2014 import SCALES, Config, replicator
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.workbench.benches import DECLARED
from pokerlab.workbench.live.panel import (
    MOST_STEPS,
    ORIGINS,
    Panel,
    TypedNumber,
    choose_style_class,
    describe_differences,
    format_value,
    list_log_steps,
    shorten_number,
)
from pokerlab.workbench.live.take_home import find_module_and_name
from pokerlab.workbench.live.view import Declaration
from tests.unit.workbench.conftest import Maker

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"
CALL = re.compile(
    r"workbench\.bench\(\s*(?:\w+\.)?(?P<name>\w+),.*?knobs=(?P<knobs>\([^)]*\))", re.DOTALL
)
"""Of a lesson that opens a bench with knobs of its own."""


@dataclass(frozen=True, kw_only=True)
class EveryKind:
    """A field of each kind."""

    choice: str = setting("a", label="Choice", help="h", source="page 1", choices=("a", "b"))
    switch: bool = setting(True, label="Switch", help="h", source="ours")
    words: str = setting("x", label="Words", help="h", source="ours")
    free: float = setting(0.5, label="Free", help="h", source="ours")
    few: int = setting(3, label="Few", help="h", source="ours", low=1, high=9)
    many: int = setting(3, label="Many", help="h", source="ours", low=0, high=9999)
    share: float = setting(1, label="Share", help="h", source="page 2", low=0.0, high=2.0)
    budget: int = setting(
        700, label="Budget", help="h", source="ours", low=1, high=10_000, logarithmic=True
    )


def panel_of(config: Any, paper: Any) -> Panel:
    """Return a panel that counts its reports."""
    made = Panel(config, {"Figure 1": paper}, lambda: setattr(made, "reports", made.reports + 1))
    made.reports = 0
    return made


@pytest.fixture
def panel() -> Panel:
    return panel_of(SCALES["paper"], SCALES["paper"])


def test_each_kind_of_setting_gets_the_control_that_fits() -> None:
    panel = panel_of(EveryKind(), EveryKind())
    assert [type(row) for row in panel.rows.values()] == [
        *(widgets.Dropdown, widgets.Checkbox, widgets.Text, TypedNumber),
        *(widgets.IntSlider, TypedNumber, widgets.FloatSlider, widgets.SelectionSlider),
    ]
    assert panel.make_config() == EveryKind()


def test_rows_say_label_unit_help_and_source_and_answer_when_let_go() -> None:
    panel = panel_of(SCALES["lab"], SCALES["paper"])
    about = list_settings(Config)["payoff_shift"]
    row = panel.rows["payoff_shift"]
    assert row.description == "Payoff shift (chips)"
    assert "Unit: chips." in row.tooltip
    assert about.help in row.tooltip
    assert "Source: section 4.1." in row.tooltip
    sliders = [row for row in panel.rows.values() if hasattr(row, "continuous_update")]
    assert [slider.continuous_update for slider in sliders] == [False] * len(sliders)


def test_moving_a_control_reports_once_and_marks_what_departs_from_the_paper(panel: Panel) -> None:
    assert panel.departures == ()
    panel.rows["payoff_shift"].value = 6.5
    panel.rows["seed"].value = 7  # ours: no paper prescribes it
    assert panel.reports == 2
    assert panel.departures == ("payoff_shift",)
    assert choose_style_class("changed") in panel.rows["payoff_shift"]._dom_classes
    assert "Figure 1 has 3." in panel.rows["payoff_shift"].tooltip
    assert panel.make_config() == Config(iterations=100_000, payoff_shift=6.5, seed=7)


def test_rows_say_whose_their_value_is(panel: Panel) -> None:
    panel.rows["game"].value = "KP(5)"
    whose = {"game": "changed", "payoff_shift": "paper", "order": "ours", "floor": "silent"}
    for name, origin in whose.items():
        marks = {o for o in ORIGINS if choose_style_class(o) in panel.rows[name]._dom_classes}
        assert marks == {origin}, name


def test_the_nearest_experiment_is_the_one_from_which_fewest_settings_differ() -> None:
    panel = Panel(Config(seed=1), replicator.paper, lambda: None)
    assert (panel.nearest_experiment, panel.departures) == ("Figure 1: KP(2)", ())
    panel.rows["game"].value = "KP(3)"
    assert (panel.nearest_experiment, panel.departures) == ("Figure 2, left: KP(3)", ())
    panel.rows["payoff_shift"].value = 9.0
    assert (panel.nearest_experiment, panel.departures) == (
        "Figure 2, left: KP(3)",
        ("payoff_shift",),
    )
    panel.rows["game"].value = "KP(4)"  # 100,000 iterations still
    panel.rows["payoff_shift"].value = 3.0
    panel.rows["iterations"].value = 10_000
    assert (panel.nearest_experiment, panel.departures) == ("Figure 2, right: KP(4)", ())


def test_a_setting_without_effect_is_out_of_sight_and_not_marked() -> None:
    panel = Panel(samothrakis2011.Config(seed=1), minimax_coevolution.paper, lambda: None)
    hidden = {name for name, row in panel.rows.items() if row.layout.display == "none"}
    assert {"positive", "inner_generations", "hands", "depth", "playouts"} <= hidden
    assert "hidden" in panel.visible_names
    panel.rows["worst_case"].value = "tree search"
    assert panel.rows["depth"].layout.display is None
    panel.rows["depth"].value = 3
    assert "depth" in panel.departures
    panel.rows["worst_case"].value = "exact reply"
    assert "depth" not in panel.departures


def test_a_value_that_another_setting_forbids_moves_to_the_nearest_and_back(panel: Panel) -> None:
    shift = panel.rows["payoff_shift"]
    panel.rows["game"].value = "Leduc"
    assert (shift.min, shift.value) == (13.0, 13.0)
    assert panel.move_notes == ("payoff shift is now 13",)
    assert panel.make_config().game == "Leduc"
    panel.rows["game"].value = "KP(2)"
    assert (shift.min, shift.value) == (2.0, 3.0)
    panel.rows["game"].value = "Leduc"
    shift.value = 20.0
    panel.rows["game"].value = "KP(2)"
    assert shift.value == 20.0
    assert panel.reports == 5


def test_a_slider_leaves_out_what_is_not_allowed() -> None:
    config = samothrakis2011.Config(worst_case="inner evolution", seed=1)
    panel = Panel(config, minimax_coevolution.paper, lambda: None)
    places = [value for _, value in panel.rows["hands"].options]
    assert places[:3] == [0, 2, 5]


def test_filling_the_panel_is_one_change_and_can_show_any_value(panel: Panel) -> None:
    wanted = Config(game="KP(3)", iterations=1234, floor=1e-17, seed=9)
    panel.set_config(wanted)
    assert panel.make_config() == wanted
    assert panel.reports == 1


def test_a_step_of_a_slider_leaves_no_rounding_behind(panel: Panel) -> None:
    panel.rows["payoff_shift"].value = 6.500000000000001
    assert panel.make_config().payoff_shift == 6.5
    panel.rows["payoff_shift"].value = 3.0000000000000004
    assert panel.departures == ()


@pytest.mark.parametrize("text", ["12.5", "-5", "1e3", "10000", "two", ""])
def test_what_is_typed_and_not_allowed_stays_and_is_refused(text: str, panel: Panel) -> None:
    field = panel.rows["seed"]
    field.set_state({"value": text})  # as the page does
    assert field.get_state("value") == {"value": text}
    assert panel.reports == 1
    with pytest.raises(SettingError, match="Seed allows 0 to 9,999"):
        panel.make_config()
    panel.rows["game"].value = "Leduc"
    assert field.get_state("value") == {"value": text}
    field.set_state({"value": "12"})
    assert panel.make_config().seed == 12


def test_a_typed_number_that_another_setting_forbids_moves() -> None:
    config = noble2001.Config(size=1000, hall_size=300, seed=1)
    panel = Panel(config, noble2001.pareto_coevolution.paper, lambda: None)
    field = panel.rows["hall_size"]
    assert isinstance(field, TypedNumber)
    panel.rows["size"].value = 100
    assert (field.value, panel.move_notes) == (100, ("hall of fame is now 100",))
    panel.rows["size"].value = 1000
    assert field.value == 300
    field.set_state({"value": "none"})
    panel.rows["size"].value = 100
    assert field.value == "none"


def test_a_ladder_climbs_in_equal_ratios_and_holds_its_value() -> None:
    assert list_log_steps(1, 1000, 20, whole=True) == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    assert list_log_steps(1, 100, 30, whole=True) == [1, 2, 5, 10, 20, 30, 50, 100]
    assert list_log_steps(0.1, 10, 1, whole=False) == [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]


def test_a_ladder_to_zero_over_three_hundred_decades_stays_a_slider() -> None:
    steps = list_log_steps(0.0, 1e-3, 1e-300, whole=False)
    assert steps[:2] == [0.0, 1e-300]
    assert steps[-1] == 1e-3
    assert len(steps) <= MOST_STEPS + 3


def test_values_and_differences_in_words() -> None:
    words = [format_value(value) for value in (1e-300, 100_000, 10_000_000, 3.0, "KP(2)", True)]
    assert words == ["1e-300", "100,000", "10 M", "3", "KP(2)", "True"]
    assert [shorten_number(value) for value in (12.0, 2360.0, 2.1e6)] == ["12", "2.36 k", "2.1 M"]
    one = Config(seed=1)
    assert describe_differences(one, Config(seed=1, payoff_shift=10.0)) == "payoff shift 10"
    many = Config(seed=2, payoff_shift=10.0, game="KP(3)", iterations=5)
    # No seed is drawn from.
    assert describe_differences(one, many) == "game KP(3), payoff shift 10 and 1 more"
    drawn = replace(many, start="random")
    assert describe_differences(one, drawn) == "game KP(3), payoff shift 10 and 3 more"


def test_a_small_bench_shows_the_settings_of_its_question_alone(make: Maker) -> None:
    bench = make(replicator, knobs=("payoff_shift", "order"))
    others = [
        name for name in bench.panel.declared_settings if name not in ("payoff_shift", "order")
    ]
    assert list(bench.controls.folded_names) == others
    assert bench.panel.rows["order"] in bench.controls.widgets_above
    assert bench.panel.rows["game"] not in bench.controls.widgets_above
    with pytest.raises(UnknownNameError, match="no setting 'shift'"):
        make(replicator, knobs=("shift",))


@pytest.mark.parametrize("declaration", DECLARED, ids=lambda each: each.experiment.title)
def test_bench_as_declared_opens_with_at_most_ten_settings(
    declaration: Declaration, make: Maker
) -> None:
    bench = make(declaration, knobs=declaration.knobs, first_iterations=0)
    opened = [name for name in bench.panel.visible_names if name not in bench.controls.folded_names]
    assert 3 <= len(opened) <= 10


def test_declared_knobs_hold_those_of_the_lessons() -> None:
    declared = {find_module_and_name(each.experiment)[1]: set(each.knobs) for each in DECLARED}
    found = set()
    for path in sorted(NOTEBOOKS.glob("[01][0-9]*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            called = CALL.search("".join(cell["source"]))
            if called and called["name"] in declared:  # a lesson may have an experiment of its own
                name, knobs = called["name"], ast.literal_eval(called["knobs"])
                assert set(knobs) <= declared[name] | {"seed"}, path.name
                found.add(name)
    assert 2 * len(found) > len(declared)  # others open with what is declared
