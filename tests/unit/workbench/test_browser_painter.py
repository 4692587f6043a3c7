"""What goes over to a page is a picture's numbers, each array once, and words."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from pokerlab.solvers import find_rest_points
from pokerlab.workbench import browser_painter
from pokerlab.workbench.browser_painter import (
    MOST_EXACT_VALUES,
    MOST_UNANSWERED,
    NUM_CODES,
    UNANSWERED_SECONDS,
    PictureWidget,
    encode_picture,
)
from pokerlab.workbench.picture import Axis, ColorScale, Curve, Curves, HeatMap, Picture, Strip
from pokerlab.workbench.views.flow import compute_replicator_flow, draw_flow
from pokerlab.workbench.views.results import draw_winnings


def encode(panel: Any) -> dict[str, Any]:
    """Return a picture of one panel as it goes over."""
    return encode_picture(Picture((Strip("one", 2.0, ((panel,),)),), 3, "in words"))


def numbers(message: dict[str, Any], place: dict[str, int]) -> list[float]:
    """Return the numbers of an array that has gone over."""
    array = message["arrays"][place["a"]]
    return np.frombuffer(array["data"], "<f4" if array["kind"] == "f4" else "u1").tolist()


def heat_map(values: Any, scale: ColorScale) -> HeatMap:
    rows, columns = values.shape
    return HeatMap(values, Axis("across", (0, columns)), Axis("down", (rows, 0)), scale)


def test_curves_of_one_axis_send_it_once() -> None:
    x = np.arange(3.0)
    curves = tuple(Curve(x, k * x, f"curve {k}", unit="chips") for k in range(3))
    message = encode(Curves(Axis("t"), Axis("y"), curves))
    (strip,) = message["picture"]["strips"]
    first, *_, last = strip["rows"][0][0]["curves"]
    assert len(message["arrays"]) == 4
    assert first["x"] == last["x"]
    assert numbers(message, last["y"]) == [0.0, 2.0, 4.0]
    assert (last["name"], last["unit"]) == ("curve 2", "chips")
    json.dumps(message["picture"])  # all else is plain


def test_small_heat_map_goes_over_exactly() -> None:
    values = np.array([[0.25, np.nan], [0.5, 1.0]])
    message = encode(heat_map(values, ColorScale(("#000000", "#ffffff"))))
    panel = message["picture"]["strips"][0]["rows"][0][0]
    assert np.array_equal(numbers(message, panel["values"]), values.ravel(), equal_nan=True)


def test_large_heat_map_takes_a_byte_a_cell_and_is_right_to_a_step_of_its_scale() -> None:
    values = np.random.default_rng(1).random((30, 30)) * 4.0 - 2.0
    assert values.size > MOST_EXACT_VALUES
    values[0, 0] = np.nan
    scale = ColorScale(("#000000", "#ffffff"), -2.0, 2.0)
    message = encode(heat_map(values, scale))
    codes = np.array(numbers(message, message["picture"]["strips"][0]["rows"][0][0]["values"]))
    assert codes[0] == 255
    decoded = scale.low + (scale.high - scale.low) * (codes[1:] - 1) / NUM_CODES
    assert np.abs(decoded - values.ravel()[1:]).max() <= 4.0 / NUM_CODES / 2 + 1e-12


def test_what_lies_below_a_scale_has_a_code_of_its_own_if_it_has_a_color() -> None:
    values = np.zeros((30, 30))
    for under, code in (("#e9e6df", 0.0), ("", 1.0)):
        scale = ColorScale(("#000000", "#ffffff"), 0.1, 1.0, 0.5, under=under)
        message = encode(heat_map(values, scale))
        assert set(numbers(message, {"a": 0})) == {code}


def test_arrows_of_a_triangle_go_over_as_mixtures_along_the_flow() -> None:
    payoff = np.array([[0.0, -1.0, 2.0], [2.0, 0.0, -1.0], [-1.0, 2.0, 0.0]])
    names = ("rock", "paper", "scissors")
    message = encode(draw_flow(payoff, names, find_rest_points(payoff)))
    panel = message["picture"]["strips"][0]["rows"][0][0]
    arrows = {
        name: np.array(numbers(message, panel["arrows"][name])) for name in ("places", "ways")
    }
    places, ways = (array.reshape(-1, 3) for array in arrows.values())
    growth = compute_replicator_flow(payoff, places)
    cosines = (ways * growth).sum(axis=1) / np.linalg.norm(ways, axis=1)
    assert np.allclose(cosines, np.linalg.norm(growth, axis=1), atol=1e-5)
    assert max(numbers(message, panel["arrows"]["strengths"])) == 1.0
    assert {path["label"]: path["look"]["h"] for path in panel["paths"]} == {
        "attracting": "",
        "saddle": "#56b4e9",
        "evolutionarily stable": "none",
    }


def test_words_in_cells_go_over_row_by_row() -> None:
    cells = np.array([[0.0, 2.0], [-2.0, 0.0]])
    message = encode(draw_winnings(cells, Axis("loser"), Axis("winner"), ("wise", "foolish")))
    panel = message["picture"]["strips"][0]["rows"][0][0]
    assert panel["words"] == ["", "+2", "−2", ""]
    assert panel["rows"] == ["wise", "foolish"]
    json.dumps(message["picture"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time of widgets in a list, so that a test can change it."""
    times = [100.0]
    monkeypatch.setattr(browser_painter, "time", SimpleNamespace(monotonic=lambda: times[0]))
    return times


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Return the functions that timers of widgets would call; no time passes by itself."""
    functions: list[Callable[[], None]] = []

    def make_timer(seconds: float, function: Callable[[], None]) -> MagicMock:
        functions.append(function)
        return MagicMock()

    monkeypatch.setattr(browser_painter.threading, "Timer", make_timer)
    return functions


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Return the numbers of pictures that widgets have sent."""
    numbers: list[int | None] = []
    monkeypatch.setattr(
        PictureWidget, "send_state", lambda self, key=None: numbers.append(self.picture.get("t"))
    )
    return numbers


def connect_image(sent: list[int | None]) -> PictureWidget:
    """Return a widget that is connected to a page and has not sent a picture yet."""
    image = PictureWidget()
    # Where a kernel's code is loaded and no kernel runs, widgets are connected to no page and send nothing.
    image.comm = MagicMock(comm_id="of a page")
    sent.clear()  # the page's first question
    return image


def test_last_picture_is_sent_although_confirmations_are_lost(
    clock: list[float], timers: list[Callable[[], None]], sent: list[int | None]
) -> None:
    image = connect_image(sent)
    for t in range(30):
        image.offer({"t": t})
    (end_waiting,) = timers
    clock[0] += UNANSWERED_SECONDS
    end_waiting()
    assert sent == [*range(MOST_UNANSWERED), 29]
    assert len(timers) == 1  # a page that is closed is sent nothing more


def test_pictures_wait_while_a_page_does_not_answer(
    clock: list[float], timers: list[Callable[[], None]], sent: list[int | None]
) -> None:
    image = connect_image(sent)
    for t in range(30):
        image.offer({"t": t})
    assert sent == [*range(MOST_UNANSWERED)]
    assert image.picture["t"] == 29  # what a page gets that opens now

    image.note_arrival(5)
    assert sent[MOST_UNANSWERED:] == [29]  # the last one has waited
    image.note_arrival(10)
    assert len(sent) == MOST_UNANSWERED + 1
    for t in range(30, 60):
        image.offer({"t": t})
    assert image.num_sent - image.last_arrived == MOST_UNANSWERED

    # A page that is closed, or a kernel that is busy: no answer, and one picture a second.
    before = len(sent)
    for t in range(60, 84):
        clock[0] += UNANSWERED_SECONDS / 8
        image.offer({"t": t})
    assert len(sent) == before + 3
    image.note_arrival(image.num_sent)
    image.offer({"t": 84})
    assert sent[-1] == 84
