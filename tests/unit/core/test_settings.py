"""Configs refuse what lies outside their range, naming it."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, UnknownNameError, check_settings, setting, settings_of
from pokerlab.core.settings import number, switch, whole


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


def test_settings_carry_what_a_panel_needs() -> None:
    about = settings_of(Config)["rate"]
    assert (about.label, about.unit, about.low, about.high, about.source) == (
        "Rate",
        "1/s",
        0,
        1,
        "ours",
    )


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), 10**400])
def test_values_outside_the_range_are_refused(rate: float) -> None:
    with pytest.raises(SettingError, match=r"rate is .*; Rate allows 0 to 1 1/s[.,]"):
        Config(rate=rate)


def test_integers_beyond_all_floats_are_answered() -> None:
    assert whole("seed", 10**400, 0) == 10**400
    for check in (whole, number):
        with pytest.raises(SettingError, match=r"n is 10+; it must be"):
            check("n", 10**400, 0, 9)
    for value in (10**400, -(10**400)):
        with pytest.raises(SettingError, match="it must be a number from -infinity to infinity"):
            number("n", value)
    assert number("n", math.inf) == math.inf


def test_unknown_choices_are_refused_with_the_nearest_spelling() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no order 'downn'; there are: up, down\. Did you mean 'down'"
    ):
        Config(order="downn")


@dataclass(frozen=True, kw_only=True)
class Typed:
    count: int = setting(1, label="Count", help="How many.", source="ours", low=0, high=9)
    level: float = setting(1.0, label="Level", help="How high.", source="ours")
    order: str = setting("up", label="Order", help="Which.", source="ours", choices=("up", "down"))
    loud: bool = setting(False, label="Loud", help="Whether.", source="ours")

    def __post_init__(self) -> None:
        check_settings(self)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("count", 2.5, r"count is 2\.5; Count allows 0 to 9, given as an integer\."),
        ("count", True, r"count is True; Count allows 0 to 9, given as an integer\."),
        ("count", "3", r"count is '3'; Count allows 0 to 9, given as an integer\."),
        ("level", None, r"level is None; Level allows any value, given as a number\."),
        ("level", "1", r"level is '1'; Level allows any value, given as a number\."),
        ("level", False, r"level is False; Level allows any value, given as a number\."),
        ("level", float("nan"), r"level is nan; Level allows any value, given as a number\."),
        ("level", 1j, r"level is 1j; Level allows any value, given as a number\."),
        ("order", 3, r"order is 3; Order allows up, down, given as a string\."),
        ("order", ["up"], r"order is \['up'\]; Order allows up, down, given as a string\."),
        ("loud", 1, r"loud is 1; Loud allows any value, given as True or False\."),
    ],
)
def test_values_of_another_type_are_refused(field: str, value: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Typed(**{field: value})


def test_numpy_numbers_and_infinity_are_numbers() -> None:
    config = Typed(count=3, level=float("inf"))
    assert (config.count, config.level) == (3, float("inf"))
    assert Typed(count=np.int64(3), level=np.float32(0.5)).count == 3  # type: ignore[arg-type]
    assert Typed(level=2).level == 2


@pytest.mark.parametrize("value", [True, 2.0, "2", [2], None])
def test_a_whole_number_is_an_integer(value: object) -> None:
    with pytest.raises(SettingError, match=r"num is .*; it must be an integer"):
        whole("num", value)


@pytest.mark.parametrize("value", [1, "yes", None])
def test_a_switch_is_true_or_false(value: object) -> None:
    with pytest.raises(SettingError, match=r"flag is .*; it must be True or False"):
        switch("flag", value)
