"""The population explorer: what is typed in is what is shown, and what cannot be is refused in words."""

from fractions import Fraction
from html import unescape

import numpy as np
import pytest

from pokerlab.core import GameError, SettingError, ShapeError
from pokerlab.solvers import find_rest_points
from pokerlab.workbench import figure, plot_flow, population_explorer
from pokerlab.workbench.dash.pages import open_page
from pokerlab.workbench.explorers.population import GAMES, OWN, PopulationReading
from pokerlab.workbench.live.explorer import Explorer
from pokerlab.workbench.picture import CORNERS
from pokerlab.workbench.views.flow import MARKS


@pytest.fixture
def explorer() -> Explorer[PopulationReading]:
    return population_explorer(seed=1)


@pytest.fixture(scope="module")
def browsed() -> Explorer[PopulationReading]:
    """Return an explorer that shows one game after the other."""
    return population_explorer(seed=1)


@pytest.fixture(scope="module")
def untouched() -> Explorer[PopulationReading]:
    """Return an explorer in which nothing but wrong texts was written."""
    return population_explorer(seed=1)


def test_it_opens_on_hawks_and_doves(explorer: Explorer[PopulationReading]) -> None:
    assert explorer.reading.rest == find_rest_points([[-2, 2], [0, 1]])
    assert (
        "hawk 1/3, dove 2/3: evolutionarily stable, attracting, slope −0.667"
        in explorer.reading.list_lines()
    )
    assert "a single hawk among 50 takes over with chance" in explorer.reading.list_lines()[-1]
    assert explorer.reading.endless[-1] == pytest.approx([1 / 3, 2 / 3], abs=0.01)
    assert (explorer.reading.counts.sum(axis=1) == 50).all()
    assert all(control.description for control in explorer.controls.children[0].children)


@pytest.mark.parametrize("name", GAMES)
def test_population_explorer_shows_every_game_of_its_menu(
    browsed: Explorer[PopulationReading], name: str
) -> None:
    explorer, shown, before = browsed, browsed.rows["Game"].value, browsed.picture
    explorer.rows["Game"].value = name
    assert explorer.message.value == ""
    assert explorer.rows["Payoffs"].value == GAMES[name][0]
    assert ", ".join(explorer.reading.names) == GAMES[name][1]
    assert len(explorer.reading.list_lines()) >= len(explorer.reading.names)
    assert (explorer.picture != before) == (name != shown)
    assert explorer.rows["Game"].value == name


def test_payoffs_of_ones_own_bring_what_fits(explorer: Explorer[PopulationReading]) -> None:
    explorer.rows["Payoffs"].value = "0, -5, 1/2; 1 0 0; 0 −1 .5"
    assert explorer.message.value == ""
    assert explorer.rows["Game"].value == OWN
    assert explorer.reading.payoff[0] == [0, -5, Fraction(1, 2)]
    assert explorer.reading.names == ("A", "B", "C")
    assert explorer.reading.process.shift == 6.0
    explorer.rows["Names"].value = "x, y, z"
    explorer.rows["Start"].value = "1/3 1/3 1/3"
    assert explorer.reading.names == ("x", "y", "z")
    assert explorer.reading.endless[0] == pytest.approx([1 / 3] * 3)
    assert explorer.reading.counts[0].sum() == 50
    assert set(explorer.reading.counts[0].tolist()) == {16, 17}


def test_the_other_fields_answer(explorer: Explorer[PopulationReading]) -> None:
    explorer.rows["Individuals"].value = 10
    assert explorer.reading.process.size == 10
    assert explorer.reading.counts[0].tolist() == [1, 9]
    explorer.rows["Shift"].value = "30"
    assert explorer.reading.process.shift == 30.0
    before = explorer.reading.counts
    explorer.buttons["Draw again"].click()
    assert not np.array_equal(explorer.reading.counts, before)


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("Payoffs", "1 2; 3", "as many rows as columns"),
        ("Payoffs", "1 2; x 4", "&#x27;x&#x27; is not a number"),
        ("Payoffs", "1/0 2; 3 4", "is not a number"),
        ("Payoffs", "1e9 2; 3 4", "is not a number between -9,999 and 9,999"),
        ("Payoffs", "", "no number is given"),
        ("Payoffs", "1", "two or three"),
        ("Payoffs", "1 2 3 4; 1 2 3 4; 1 2 3 4; 1 2 3 4", "two or three"),
        ("Names", "hawk", "there are 1 names and 1 rows"),
        ("Start", "0.5 0.6", "sum to 1.1"),
        ("Start", "1", "one for each of 2"),
        ("Start", "0.5; 0.5", "there are 2 names and 2 rows"),
        ("Start", "", "no number is given"),
        ("Shift", "1", "fitness must be positive. Use more than 2"),
        ("Shift", "much", "is not a number"),
    ],
)
def test_population_explorer_of_a_wrong_text_says_why_and_changes_nothing(
    untouched: Explorer[PopulationReading], field: str, text: str, words: str
) -> None:
    explorer, before = untouched, untouched.reading
    right = explorer.rows[field].value
    explorer.rows[field].value = text
    assert words in explorer.message.value
    assert 'role="alert"' in explorer.message.value
    assert explorer.reading is before
    with explorer.ignore_moves():
        explorer.rows[field].value, explorer.message.value = right, ""


def test_population_explorer_after_a_wrong_text_shows_another_game(
    explorer: Explorer[PopulationReading],
) -> None:
    explorer.rows["Payoffs"].value = "1 2; 3"
    explorer.rows["Game"].value = "stag hunt"
    assert explorer.message.value == ""
    assert explorer.reading.names == ("stag", "hare")


def test_payoffs_can_be_given() -> None:
    assert population_explorer("4 0; 3 3", "stag, hare", seed=1).rows["Game"].value == "stag hunt"
    assert population_explorer("4 0; 3 3", seed=1).reading.names == ("A", "B")
    with pytest.raises(ShapeError, match="as many rows"):
        population_explorer("1 2", seed=1)
    with pytest.raises(SettingError, match="'hawks' is not a number"):
        population_explorer("hawks", seed=1)


def test_the_picture_marks_each_rest_point_by_its_kind() -> None:
    for text, _ in GAMES.values():
        payoff = [[float(u) for u in row.split()] for row in text.split(";")]
        _, axes = figure()
        found = plot_flow(axes, payoff)
        for kind in MARKS:
            marked = [line for line in axes.lines if line.get_label() == kind]
            of_kind = [p for p in found.points if p.kind == kind]
            points = [p.shares for p in (found.stable if "stable" in kind else of_kind)]
            assert sum(len(line.get_xdata()) for line in marked) == len(points)
            if points and len(payoff) == 3:
                drawn = np.transpose(marked[0].get_data())
                assert drawn == pytest.approx(np.array(points, dtype=float) @ CORNERS)


@pytest.mark.parametrize("payoff", [[[-2, 2], [0, 1]], [[-2, 2, 2], [0, 1, 0], [0, 2, 1]]])
def test_plot_flow_without_stable_marks_draws_no_rings(payoff: list[list[int]]) -> None:
    def list_kinds(mark_stable: bool) -> set[str]:
        axes = figure()[1]
        assert plot_flow(axes, payoff, mark_stable=mark_stable).stable
        return set(axes.get_legend_handles_labels()[1])

    assert list_kinds(True) - list_kinds(False) == {"evolutionarily stable"}


def test_a_game_in_which_nothing_moves_is_drawn() -> None:
    for size in (2, 3):
        found = plot_flow(figure()[1], np.zeros((size, size)))
        assert found.continua
    with pytest.raises(ShapeError, match="1 names"):
        plot_flow(figure()[1], [[0, 1], [1, 0]], ["one"])


def test_plot_flow_refuses_masked_payoffs() -> None:
    with pytest.raises(GameError, match="finite"):
        plot_flow(figure()[1], np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]]))


def test_payoffs_that_are_no_numbers_are_answered_with_the_form() -> None:
    explorer = population_explorer(seed=1)
    explorer.rows["Payoffs"].value = "banana"
    assert "0 6 -4; -3 0 5; -1 3 0" in explorer.message.value


@pytest.mark.parametrize("name", ["hawks and doves", "Zeeman's game"])
def test_population_explorer_starts_where_a_reader_clicks(name: str) -> None:
    explorer = population_explorer(name, seed=1)
    flow, _ = explorer.picture.picture.strips[0].panels
    assert flow.can_choose_start
    assert flow.legend
    many = len(explorer.reading.names)
    wanted = [0.7306, 0.2694] if many == 2 else [0.1004, 0.1004, 0.7992]
    explorer.handle_request({"start": wanted})
    assert explorer.message.value == ""
    assert explorer.rows["Start"].value == ("0.731 0.269" if many == 2 else "0.100 0.100 0.800")
    assert explorer.reading.endless[0] == pytest.approx(wanted, abs=0.001)
    explorer.handle_request({"start": [0.0] * (many - 1) + [1.0]})
    assert explorer.message.value == ""


@pytest.mark.parametrize("name", GAMES)
def test_population_explorer_draws_what_it_has_computed(name: str) -> None:
    explorer = population_explorer(name, seed=1)
    explorer.move_controls(Individuals=200)
    reading = explorer.reading
    numbers = explorer.picture.picture["population"]
    first = reading.names[0]
    events, shares = numbers[f"{first}, 200 individuals"]
    assert len(events) == 2000
    assert np.array_equal(shares, reading.counts[np.rint(events * 200).astype(int), 0] / 200)
    assert (events[0], events[-1], shares[-1]) == (0.0, 40.0, reading.counts[-1, 0] / 200)
    assert np.array_equal(numbers[f"{first}, endless"][1], reading.endless[:, 0])


def test_page_of_an_explorer_with_settings_in_its_address_says_that_it_takes_none() -> None:
    assert open_page("equity").message.value == ""
    said = open_page("equity", "game=<banana>").message.value
    assert 'role="alert"' in said
    assert "game=&lt;banana&gt;" in said
    assert "Use the controls" in said


def test_page_of_populations_takes_the_controls_in_its_address() -> None:
    opened = open_page("populations", "Payoffs=0+1;2+0&Individuals=200&seed=7")
    assert opened.message.value == ""
    assert opened.values["Individuals"] == 200
    assert opened.values["seed"] == 7
    np.testing.assert_array_equal(opened.reading.process.payoff, [[0, 1], [2, 0]])


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("color=red", "no setting"),
        ("Game=chess", "no Game 'chess'; there are: 'hawks and doves', "),
        ("Individuals=17", "no Individuals '17'; there are: 2, 5, "),
        ("seed=1.5", "Give a whole number."),
        ("Payoffs=0+1", "write as many rows as columns"),
    ],
)
def test_page_of_populations_says_what_is_wrong_with_its_address(address: str, words: str) -> None:
    opened = open_page("populations", address)
    assert words in unescape(opened.message.value)
    assert opened.values["Game"] == "hawks and doves"


def test_page_of_habits_takes_a_probability_in_its_address() -> None:
    assert open_page("habits", "alpha=0.1").values["1 J"] == pytest.approx(0.1)
    assert open_page("habits", "2+Q,+bet=0.75").values["2 Q, bet"] == 0.75
    assert "alpha" in open_page("habits", "alpha=2").message.value
