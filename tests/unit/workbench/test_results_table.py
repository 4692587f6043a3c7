"""A drawn table of results: what it shows is what the ratings say."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import pokerlab as pl
from pokerlab.core import SettingError, ShapeError
from pokerlab.metrics import rate_players
from pokerlab.metrics.match_results import Ratings, find_cycles
from pokerlab.workbench import plot_results_table, signed

RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)
NAMES = [f"agent {number}" for number in range(6)]


@pytest.fixture(scope="module")
def rated() -> Ratings:
    cells = np.triu(np.random.default_rng(3).normal(size=(6, 6)), 1)
    return rate_players(cells - cells.T, errors=np.full((6, 6), 0.1))


@pytest.fixture(scope="module")
def picture(rated: Ratings) -> Figure:
    return plot_results_table(rated, NAMES, unit="chips")


def test_rows_stand_in_the_order_of_the_means(rated: Ratings, picture: Figure) -> None:
    order = np.argsort(-rated.mean)
    cells = picture.axes[0]
    for labels in (cells.get_xticklabels(), cells.get_yticklabels()):
        assert [label.get_text() for label in labels] == [NAMES[player] for player in order]
    assert np.array_equal(cells.collections[0].get_array(), rated.winnings[np.ix_(order, order)])
    numbers = [text.get_text() for text in cells.texts]
    best, last = order[0], order[-1]
    assert len(numbers) == 6 * 5  # without the diagonal
    assert numbers[4] == signed(rated.winnings[best, last], 1).replace("0.", ".")
    assert cells.get_xlabel() == "what the row wins from the column, chips"


def test_picture_grows_for_long_names_and_shrinks_for_none(rated: Ratings) -> None:
    heights = [
        plot_results_table(rated, [f"{'x' * (letters - 1)}{k}" for k in range(6)]).get_figheight()
        for letters in (1, 12, 24, 40)
    ]
    assert heights[0] == heights[1] < heights[2] == heights[3]


def test_each_cycle_is_three_arrows_from_winners_to_losers(rated: Ratings, picture: Figure) -> None:
    order, lane = np.argsort(-rated.mean), picture.axes[1]
    arrows = [(*text.xyann, *text.xy) for text in lane.texts if hasattr(text, "xyann")]
    assert len(arrows) == 3 * min(rated.cycles, 3)
    for _, winner, _, loser in arrows:
        assert rated.winnings[order[int(winner)], order[int(loser)]] > 0
    assert lane.get_xlabel() == f"{min(rated.cycles, 3)} of {rated.cycles} cycles\nof three"
    first = {int(row) for lane_at, row, *_ in arrows if lane_at == 0}
    assert {int(order[row]) for row in first} == {*find_cycles(rated.winnings)[0].tolist()}


def test_ratings_stand_side_by_side_with_their_intervals(rated: Ratings, picture: Figure) -> None:
    order = np.argsort(-rated.mean)
    for axes, name in zip(picture.axes[2:], ("mean", "elo", "nash", "alpha_rank"), strict=True):
        values = getattr(rated, name)[order]
        everybody, first = axes.lines[0], axes.lines[1]
        assert np.array_equal(everybody.get_xdata(), values)
        assert first.get_ydata().tolist() == [values.argmax()]
        assert everybody.get_markerfacecolor() != first.get_markerfacecolor()  # without colors too
        bars = np.transpose([path.vertices[:, 0] for path in axes.collections[0].get_paths()])
        assert bars == pytest.approx(rated.intervals[name][:, order])
        assert {to_hex(bar) for bar in axes.collections[0].get_color()} == {
            everybody.get_color(),
            first.get_color(),
        }
        low, high = axes.get_xlim()
        assert low < min(values.min(), bars.min()) < max(values.max(), bars.max()) < high


def test_means_are_written_on_the_side_without_a_mark(rated: Ratings, picture: Figure) -> None:
    order, axes = np.argsort(-rated.mean), picture.axes[2]
    assert [text.get_text() for text in axes.texts] == [
        signed(mean, 1) for mean in rated.mean[order].tolist()
    ]
    sides = [text.get_horizontalalignment() for text in axes.texts]
    assert sides == ["left" if mean < 0 else "right" for mean in rated.mean[order]]


def test_results_within_two_errors_stand_in_parentheses(rated: Ratings) -> None:
    errors = np.abs(rated.winnings) * np.where(np.arange(6) == 2, 0.6, 0.4)
    errors[2] = errors[:, 2]
    order = np.argsort(-rated.mean)
    cells = plot_results_table(rated, NAMES, errors=errors).axes[0]
    pairs = [(row, column) for row in order for column in order if row != column]
    assert [text.get_text()[0] == "(" for text in cells.texts] == [2 in pair for pair in pairs]
    assert [text.get_text().strip("()") for text in cells.texts] == [
        text.get_text() for text in plot_results_table(rated, NAMES).axes[0].texts
    ]


FOUR_ROUND = np.array([[0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0]], dtype=float)


def test_a_given_cycle_is_drawn_first_and_may_be_long() -> None:
    rated = rate_players(FOUR_ROUND)
    lane = plot_results_table(rated, NAMES[:4], first_cycles=[[0, 1, 2, 3]]).axes[1]
    order = np.argsort(-rated.mean, kind="stable")
    arrows = [(*text.xyann, *text.xy) for text in lane.texts if hasattr(text, "xyann")]
    drawn = {(int(order[int(winner)]), int(order[int(loser)])) for _, winner, _, loser in arrows}
    assert drawn == {(0, 1), (1, 2), (2, 3), (3, 0)}
    assert lane.get_xlabel() == "no cycles\nof three,\n1 longer"


def test_a_given_cycle_of_three_is_not_drawn_twice(rated: Ratings) -> None:
    last = find_cycles(rated.winnings)[-1].tolist()
    lane = plot_results_table(rated, NAMES, first_cycles=[np.roll(last, 1).tolist()]).axes[1]
    order = np.argsort(-rated.mean)
    lanes = [frozenset(int(order[int(row)]) for row in line.get_ydata()) for line in lane.lines]
    assert lanes[0] == frozenset(last)
    assert len({*lanes}) == len(lanes) == min(rated.cycles, 3)


@pytest.mark.parametrize("cycle", [[0, 1], [3, 2, 1, 0], [0, 1, 3]])
def test_players_who_are_no_cycle_are_refused(cycle: list[int]) -> None:
    with pytest.raises(SettingError, match="not a cycle of this table"):
        plot_results_table(rate_players(FOUR_ROUND), NAMES[:4], first_cycles=[cycle])


def test_a_given_title_replaces_the_usual_one() -> None:
    picture = plot_results_table(rate_players(RPS), ["rock", "paper", "scissors"], title="No best")
    assert picture._suptitle is not None
    assert picture._suptitle.get_text() == "No best"


def title(of: Ratings, *names: str) -> str:
    picture = plot_results_table(of, names)
    assert picture._suptitle is not None
    return str(picture._suptitle.get_text())


def test_the_title_says_who_is_first_and_how_far_a_rating_says_it() -> None:
    said = title(rate_players(RPS), "rock", "paper", "scissors")
    assert said == (
        "First by all four ratings: 3 alike;\na rating explains 0% of the table, 1 cycle of three"
    )
    said = title(rate_players([[0, 2], [-2, 0]]), "wise", "foolish")
    assert said == (
        "First by all four ratings: wise;\na rating explains 100% of the table, no cycles of three"
    )
    biased = rate_players([[0, -5, 10], [5, 0, -1], [-10, 1, 0]])
    assert title(biased, "rock", "paper", "scissors").startswith(
        "First by mean: rock, Elo: rock, Nash: paper, alpha-rank: 3 alike;"
    )


def test_large_tables_are_shaded_only() -> None:
    skill = np.arange(20.0)
    picture = plot_results_table(
        rate_players(np.subtract.outer(skill, skill)), [*map(str, range(20))]
    )
    assert not picture.axes[0].texts
    assert not picture.axes[2].texts
    assert picture.axes[1].get_xlabel() == "no cycles\nof three"


def test_every_player_has_a_name() -> None:
    with pytest.raises(ShapeError, match="there are 2 names; the table has 3 players"):
        pl.workbench.plot_results_table(rate_players(RPS), ["rock", "paper"])
