"""Looks at a run that are kept, to be seen again: few, evenly spaced on a logarithmic axis, the ends among them."""

import io

import numpy as np
import pytest
from PIL import Image

from pokerlab.workbench.live import looks as module
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.take_home import join_frames, make_file_name


def encoded(number: int) -> dict[str, object]:
    """Return a picture of one number."""
    data = memoryview(np.array([number], dtype="<f4").tobytes())
    return {"picture": {"iteration": number}, "arrays": [{"kind": "f4", "data": data}]}


def test_looks_beyond_the_most_leave_the_first_the_last_and_even_steps() -> None:
    looks = Looks()
    for iteration in range(2_000):
        looks.add_picture(iteration, encoded(iteration))
    assert len(looks) == module.MOST_LOOKS
    assert (looks.iterations[0], looks.iterations[-1]) == (0, 1_999)
    steps = np.diff(np.log1p(looks.iterations))
    later = steps[np.array(looks.iterations[1:]) > 100][:-1]  # the last look is where the run is
    assert later.max() < 4 * later.min()


def test_looks_go_back_where_a_run_has_gone_back() -> None:
    looks = Looks()
    for iteration in (0, 1, 2, 3, 1):
        looks.add_picture(iteration, encoded(iteration))
    assert looks.iterations == [0, 1]
    assert looks.num_bytes == 8


def test_looks_of_large_pictures_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 40)
    looks = Looks()
    for iteration in range(100):
        looks.add_picture(iteration, encoded(iteration))
    assert looks.num_bytes <= 40
    assert (looks.iterations[0], looks.iterations[-1]) == (0, 99)


def test_flattened_looks_have_their_arrays_in_order() -> None:
    looks = Looks()
    for iteration in (0, 5, 9):
        looks.add_picture(iteration, encoded(iteration))
    about, buffers = looks.flatten_pictures()
    assert [each["picture"]["iteration"] for each in about] == [0, 5, 9]
    assert [np.frombuffer(buffer, "<f4").tolist() for buffer in buffers] == [[0.0], [5.0], [9.0]]


def test_join_frames_gives_a_film_whose_last_picture_stays() -> None:
    frames = []
    for gray in (0, 120, 250):
        buffer = io.BytesIO()
        Image.new("RGB", (40, 20), (gray, gray, gray)).save(buffer, "PNG")
        frames.append(buffer.getvalue())
    film = Image.open(io.BytesIO(join_frames(frames)))
    assert film.n_frames == 3  # type: ignore[attr-defined]
    seen, lasting = [], []
    for index in range(3):
        film.seek(index)
        seen.append(film.convert("RGB").getpixel((5, 5)))
        lasting.append(film.info["duration"])
    assert [pixel[0] for pixel in seen] == pytest.approx([0, 120, 250], abs=2)  # type: ignore[index]
    assert lasting[-1] == max(lasting) == 2000


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Evolving limit hold'em", "evolving-limit-holdem"),
        ("Pairs of numbers, of which the nearer decides", "pairs-of-numbers-of-which-the-nearer-decides"),
        ("Rock/paper (biased)", "rock-paper-biased"),
    ],
)  # fmt: skip
def test_file_name_of_a_title_has_letters_digits_and_hyphens(title: str, name: str) -> None:
    assert make_file_name(title) == name
