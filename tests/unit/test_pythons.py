"""Tests of how `make pythons` chooses what to install."""

from pathlib import Path

from tests.pythons import NEWEST, PINS, pins_for


def test_pins_are_written_where_no_folder_is_yet_without_those_of_which_the_newest_is_wanted(
    tmp_path,
):
    locked = Path(PINS).read_text(encoding="utf-8").splitlines()
    home = tmp_path / "environments" / "pythons" / "3.13"
    pinned = pins_for("3.13", home).read_text(encoding="utf-8").splitlines()
    assert {line.partition("==")[0] for line in set(locked) - set(pinned)} == set(NEWEST)
    assert set(pinned) <= set(locked)


def test_python_before_the_newest_releases_takes_the_lock_as_it_is(tmp_path):
    assert pins_for("3.11", tmp_path / "3.11") == Path(PINS)
