"""The six intensity plots show what a bucketed profile does, and mark what the rules do not allow."""

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.patches import Rectangle

from pokerlab.core import SettingError
from pokerlab.holdem.betting_tree import Situation
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.workbench.views import intensity
from tests.random_bucketed import random_buckets, random_profile, random_table


@pytest.fixture(scope="module")
def game() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets((3, 5, 4, 6)))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_tuple_tables_numbers_are_its_situations(game: BucketedHoldem, seat: int) -> None:
    profile = random_table(game, 1)
    shown = intensity.IntensityTable.make(game, seat).read(profile)
    assert shown.shape == (2, 3, 4, 6)
    for raises in (0, 1):
        for street, count in enumerate(game.buckets.counts):
            row = game.tree.situations.index(Situation(street, seat == 0, 0, raises))
            own = profile.table[row, :count].T
            assert np.array_equal(np.nan_to_num(shown[raises, :, street, :count]), own)
            assert np.isnan(shown[raises, :, street, count:]).all()


@pytest.mark.parametrize(
    ("seat", "raises", "street", "history"),
    [
        (0, 0, 0, ()),
        (1, 0, 0, ("call",)),
        (1, 1, 0, ("raise",)),
        (0, 1, 0, ("call", "raise")),
        (1, 0, 2, ("call", "call", "deal", "call", "call", "deal")),
        (0, 1, 2, ("call", "call", "deal", "call", "call", "deal", "raise")),
        (1, 1, 1, ("call", "call", "deal", "call", "raise")),
    ],
)
def test_other_profiles_are_shown_where_nobody_had_raised_in_earlier_rounds(
    game: BucketedHoldem, seat: int, raises: int, street: int, history: tuple[str, ...]
) -> None:
    table = intensity.IntensityTable.make(game, seat)
    decision = table.decisions[raises, street]
    assert game.tree.list_actions_to(game.tree.decision_node[decision]) == history
    profile = random_profile(game, 2)
    count = game.buckets.counts[street]
    shown = table.read(profile)[raises, :, street, :count]
    assert np.array_equal(np.nan_to_num(shown), profile.decision_probabilities[decision, :count].T)


def test_folds_where_nothing_is_owed_are_hatched_and_nothing_else(game: BucketedHoldem) -> None:
    buckets = np.array(game.buckets.counts)
    for seat, free in ((0, buckets[1:]), (1, buckets)):
        made = intensity.plot_intensity(random_table(game, 3), seat)
        hatched = [sum(isinstance(one, Rectangle) for one in axes.patches) for axes in made.axes]
        assert hatched == [free.sum(), 0, 0, 0, 0, 0]


def test_shades_and_numbers_are_the_probabilities(game: BucketedHoldem) -> None:
    profile = random_table(game, 4)
    made = intensity.plot_intensity(profile, 1, "Weak hands fold")
    shown = intensity.IntensityTable.make(game, 1).read(profile)
    for axes, values in zip(made.axes, shown.reshape(6, 4, 6), strict=True):
        (mesh,) = (each for each in axes.collections if isinstance(each, QuadMesh))
        drawn = np.ma.filled(mesh.get_array(), np.nan)
        assert np.array_equal(drawn, values, equal_nan=True)
        words = [text.get_text() for text in axes.texts]
        wanted = [f"{v:.2f}".removeprefix("0") for v in values.flat if not np.isnan(v)]
        assert words == wanted
    assert made.get_suptitle() == "Weak hands fold"


def test_there_are_two_seats(game: BucketedHoldem) -> None:
    with pytest.raises(SettingError, match="0 for the button or 1"):
        intensity.plot_intensity(game.uniform(), 2)


@pytest.mark.parametrize("seat", [0, 1])
def test_plot_intensity_with_one_bet_a_street_leaves_raises_before_the_flop_empty(
    seat: int,
) -> None:
    game = bucketed_limit_holdem(random_buckets(2), raise_cap=1)
    shown = intensity.IntensityTable.make(game, seat).read(game.uniform())
    before_flop, later = shown[1, :, 0], shown[1, :, 1:]
    assert np.isnan(before_flop).all()
    assert np.nansum(later, axis=0) == pytest.approx(
        np.where(np.isnan(later).all(axis=0), 0.0, 1.0)
    )
    intensity.plot_intensity(game.uniform(), seat)
