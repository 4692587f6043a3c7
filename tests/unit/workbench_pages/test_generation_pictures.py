"""Generation tables: rows are the first population's, later ones further down, the lighter the more they win."""

from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from pokerlab.core import PokerlabError
from pokerlab.workbench import figure, plot_generations
from pokerlab.workbench.style import WINNING_COLORS

RACE = np.tri(5, k=-1) + 0.5 * np.eye(5)  # an arms race: all earlier opponents are beaten


def test_plot_generations_arms_race_is_light_below_the_diagonal() -> None:
    picture, axes = figure(6.0, 4.0)
    plot_generations(axes, RACE, 20, title="An arms race")
    (mesh,) = axes.collections
    picture.canvas.draw()
    colors = mesh.get_facecolor().reshape(5, 5, 4)[..., :3]
    lost, won = (np.array(to_rgb(WINNING_COLORS[end])) for end in (0, -1))
    assert np.allclose(colors[np.tri(5, k=-1, dtype=bool)], won, atol=0.01)
    assert np.allclose(colors[~np.tri(5, dtype=bool)], lost, atol=0.01)
    assert axes.get_title(loc="left") == "An arms race"


def test_plot_generations_axes_count_generations_downward() -> None:
    _, axes = figure(6.0, 4.0)
    plot_generations(axes, RACE, 20, with_scale=False)
    assert axes.get_xlim() == (-10.0, 90.0)
    assert axes.get_ylim() == (90.0, -10.0)
    assert len(axes.lines) == 2  # a white line lies behind the dashed diagonal
    assert all((line.get_xdata() == line.get_ydata()).all() for line in axes.lines)


@pytest.mark.parametrize(
    ("shares", "every", "message"),
    [
        (np.zeros((2, 3)), 1, r"\(2, 3\); a generation table has a row and a column"),
        (np.zeros((0, 0)), 1, "a row and a column"),
        (2 * RACE, 1, "0 to 2; give shares of contests won"),
        (np.full((2, 2), np.nan), 1, "give shares"),
        (RACE, 0, "every"),
    ],
)
def test_plot_generations_rejects_invalid_tables(shares: Any, every: int, message: str) -> None:
    with pytest.raises(PokerlabError, match=message):
        plot_generations(figure()[1], shares, every)
