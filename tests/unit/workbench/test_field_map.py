"""The map of the field: its labels can be read, and it says where the reader is."""

import pytest

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.field import LESSONS, PLACES, draw_map, field_map
from pokerlab.workbench.style import figure


@pytest.mark.parametrize("here", LESSONS)
def test_you_are_at_one_place(here: str) -> None:
    labels = draw_map(figure()[1], here)
    marked = [
        place.lesson
        for place, label in zip(PLACES, labels, strict=True)
        if "you are here" in label.get_text()
    ]
    assert marked == [here]


def test_a_lesson_that_is_not_on_the_map_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'09'.*05"):
        field_map("09")
