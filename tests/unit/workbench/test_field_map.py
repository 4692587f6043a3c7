"""The map of the field: its labels can be read, and it says where the reader is."""

from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.field import CARDS, LESSONS, PLACES, draw_map, field_map
from pokerlab.workbench.style import figure


@pytest.mark.parametrize("here", [None, *LESSONS, CARDS])
def test_no_two_labels_overlap_and_none_leaves_the_map(here: str | None) -> None:
    picture, axes = figure(9.0, 4.8)
    labels = draw_map(axes, here)
    canvas = picture.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()  # type: ignore[no-untyped-call]
    frames = [label.get_bbox_patch().get_window_extent() for label in labels]
    assert [pair for pair in combinations(frames, 2) if pair[0].overlaps(pair[1])] == []
    inside = axes.get_window_extent()
    assert all(inside.y0 <= f.y0 and f.y1 <= inside.y1 for f in frames)
    assert all(inside.x0 <= f.x0 and f.x1 <= inside.x1 for f in frames)


@pytest.mark.parametrize("here", LESSONS)
def test_you_are_at_one_place(here: str) -> None:
    labels = draw_map(figure()[1], here)
    marked = [
        place.lesson
        for place, label in zip(PLACES, labels, strict=True)
        if "you are here" in label.get_text()
    ]
    assert marked == [here]


def test_real_cards_stand_between_the_games_of_a_few_cards_and_limit_holdem() -> None:
    *methods, cards = draw_map(figure()[1], CARDS)
    assert [label.get_text() for label in methods if "you are here" in label.get_text()] == []
    assert "you are here" in cards.get_text()
    across = {
        place.lesson: label.get_position()[0] for place, label in zip(PLACES, methods, strict=True)
    }
    assert across["04"] < cards.get_position()[0] < across["06"]


def test_a_lesson_that_is_not_on_the_map_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'09'.*05"):
        field_map("09")
