"""Configs refuse what lies outside their range, naming it."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from pokerlab.core import UnknownNameError, check_settings, list_settings, setting
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import validate_bool, validate_integer, validate_number
from tests.refusals import refused


@dataclass(frozen=True, kw_only=True)
class Config:
    rate: float = setting(
        0.5, label="Rate", help="How fast.", source="ours", unit="1/s", low=0.0, high=1.0
    )
    order: str = setting(
        "up", label="Order", help="Which way.", source="p. 1", choices=("up", "down")
    )

    def __post_init__(self) -> None:
        check_settings(self)


def test_settings_of_has_labels_and_ranges() -> None:
    about = list_settings(Config)["rate"]
    assert (about.label, about.unit, about.low, about.high, about.source) == (
        "Rate",
        "1/s",
        0,
        1,
        "ours",
    )


@dataclass(frozen=True, kw_only=True)
class Typed:
    count: int = setting(1, label="Count", help="How many.", source="ours", low=0, high=9)
    level: float = setting(1.0, label="Level", help="How high.", source="ours")
    order: str = setting("up", label="Order", help="Which.", source="ours", choices=("up", "down"))
    loud: bool = setting(False, label="Loud", help="Whether.", source="ours")

    def __post_init__(self) -> None:
        check_settings(self)


def test_numpy_numbers_and_infinity_are_numbers() -> None:
    config = Typed(count=3, level=float("inf"))
    assert (config.count, config.level) == (3, float("inf"))
    assert Typed(count=np.int64(3), level=np.float32(0.5)).count == 3  # type: ignore[arg-type]
    assert Typed(level=2).level == 2


HUGE = 10**400
test_values_of_another_type_or_outside_the_range_are_refused = refused(
    *(
        (partial(Config, rate=rate), f"rate is {quote_value(rate)}; Rate allows 0 to 1 1/s")
        for rate in (-0.1, 1.1, float("nan"), HUGE)
    ),
    (partial(Config, order="downn"), UnknownNameError, "are: up, down. Did you mean 'down'"),
    *(
        (partial(Typed, count=value), f"is {value!r}; Count allows 0 to 9, given as an integer.")
        for value in (2.5, True, "3")
    ),
    *(
        (partial(Typed, level=value), f"{value!r}; Level allows any value, given as a number.")
        for value in (None, "1", False, float("nan"), 1j)
    ),
    *(
        (partial(Typed, order=value), f"is {value!r}; Order allows up, down, given as a string.")
        for value in (3, ["up"])
    ),
    (partial(Typed, loud=1), "loud is 1; Loud allows any value, given as True or False."),
    *(
        (partial(validate_integer, "num", value), f"num is {value!r}; it must be an integer")
        for value in (True, 2.0, "2", [2], None)
    ),
    *(
        (partial(validate_bool, "flag", value), f"flag is {value!r}; it must be True or False")
        for value in (1, "yes", None)
    ),
    *(
        (partial(check, "n", HUGE, 0, 9), "n is an integer of 401 digits; it must be")
        for check in (validate_integer, validate_number)
    ),
    *(
        (partial(validate_number, "n", value), "it must be a number from -infinity to infinity")
        for value in (HUGE, -HUGE)
    ),
)


def test_numbers_beyond_all_floats_and_infinity_are_numbers() -> None:
    assert validate_integer("seed", HUGE, 0) == HUGE
    assert validate_number("n", math.inf) == math.inf


class Unspeakable:
    """A value that cannot be written out."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "3"),
        (10**199, f"{10**199}"),
        pytest.param(-(10**5000), "an integer of 5,001 digits", id="digits"),
        ([10**5000], "a list"),
        (Unspeakable(), "an Unspeakable"),
        ("x" * 300, "a str"),
    ],
)
def test_in_short_quotes_what_is_short_and_names_the_type_of_the_rest(
    value: object, words: str
) -> None:
    assert quote_value(value) == words


def test_unknown_name_among_with_strange_value_still_lists_the_names() -> None:
    with pytest.raises(UnknownNameError, match=r"no color 'an integer of 5,001 digits'; there are"):
        UnknownNameError.check("color", 10**5000, ("red", "blue"))
