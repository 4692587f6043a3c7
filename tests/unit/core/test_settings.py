"""Configs refuse what lies outside their range, naming it."""

from dataclasses import dataclass

import pytest

from pokerlab.core import SettingError, UnknownNameError, check_settings, setting, settings_of


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


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_values_outside_the_range_are_refused(rate: float) -> None:
    with pytest.raises(SettingError, match=r"rate is .*; Rate allows 0 to 1 1/s\."):
        Config(rate=rate)


def test_unknown_choices_are_refused_with_the_nearest_spelling() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no order 'downn'; there are: up, down\. Did you mean 'down'"
    ):
        Config(order="downn")
