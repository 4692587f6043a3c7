"""Equilibria and characters of Kuhn poker."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError, UnknownNameError
from pokerlab.workbench import kuhn_character, kuhn_equilibrium
from pokerlab.workbench.drawings.kuhn_picture import CHARACTERS, EQUILIBRIUM_RANGES

ROUNDING = 1e-14
"""Sums of thirty products of numbers around one."""


@pytest.mark.parametrize("alpha", np.linspace(0.0, 1 / 3, 7))
def test_the_whole_family_is_in_equilibrium(alpha: float) -> None:
    profile = kuhn_equilibrium(alpha)
    assert pl.metrics.nash_conv(profile.game, profile) < ROUNDING
    assert profile.game.values(profile) == pytest.approx([-1 / 18, 1 / 18], abs=ROUNDING)


def test_the_ranges_are_those_of_the_family() -> None:
    ends = [kuhn_equilibrium(alpha) for alpha in (0.0, 1 / 3)]
    for key, (low, high) in EQUILIBRIUM_RANGES.items():
        assert [end.action_probabilities(*key)["bet"] for end in ends] == pytest.approx([low, high])


@pytest.mark.parametrize("alpha", [-0.01, 0.34])
def test_there_is_no_equilibrium_beyond_the_family(alpha: float) -> None:
    with pytest.raises(SettingError, match="alpha from 0 to 1/3"):
        kuhn_equilibrium(alpha)


@pytest.mark.parametrize(
    ("name", "price"),
    [
        ("an equilibrium", 0.0),
        ("uniform", 11 / 12),
        ("always bet", 2 / 3),
        ("never bet", 2.0),
        ("kings only", 1 / 2),
    ],
)
def test_the_price_of_each_character(name: str, price: float) -> None:
    character = kuhn_character(name)
    assert name in CHARACTERS
    found = pl.metrics.exploitability(character.game, character)
    assert found == pytest.approx(price, abs=ROUNDING)


def test_an_unknown_character_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'always bet'"):
        kuhn_character("always bets")
