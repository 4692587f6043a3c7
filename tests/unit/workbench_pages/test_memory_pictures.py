"""Pictures of memories show the states' own numbers."""

from typing import Any

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import SettingError
from pokerlab.papers.oliehoek2006 import Config, nash_memory
from pokerlab.solvers import NashMemory, ParallelNashMemory
from pokerlab.workbench import draw_round, figure, plot_security
from pokerlab.workbench.views.memory import (
    count_returns,
    extract_mixtures,
    make_mixture_table,
    plot_mixtures,
    plot_set_sizes,
)
from pokerlab.workbench.views.memory_round import name_strategies, play_round

ROUNDING = 1e-9
NAN = np.nan


def rounds_of(memory: Any) -> list[Any]:
    """Return the states of a memory, round by round, until it converges."""
    states = [memory.init()]
    while (state := memory.step(states[-1])).iteration > states[-1].iteration:
        states.append(state)
    return states


@pytest.fixture(scope="module")
def eight() -> list[Any]:
    return rounds_of(ParallelNashMemory(games.one_card_poker(8)))


def written(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_one_round_of_rock_paper_scissors_is_taken_apart() -> None:
    drawn = play_round(RPS, RPS.step(RPS.init()))
    (side,) = drawn.sides
    assert side.names == ("rock", "paper", "scissors")
    assert np.array_equal(side.before, [0.0, 1.0, NAN], equal_nan=True)
    assert side.after == pytest.approx([1 / 3] * 3, abs=ROUNDING)
    assert [(test.name, test.gain, test.is_winner) for test in side.tests] == [
        ("scissors", 1.0, True)
    ]
    assert np.array_equal(drawn.payoffs, [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert drawn.winners == (("scissors",),)
    assert drawn.heuristic == "best response"


def test_the_symmetric_round_is_drawn_with_its_sets_tests_and_payoffs() -> None:
    made = draw_round(RPS, RPS.step(RPS.init()))
    canvas, payoffs = made.axes
    said = written(canvas)
    assert said[0] == "Round 2: scissors joins; then 3 strategies have weight"
    for words in ("tests: best response", "test", "scissors  +1.000"):
        assert words in said
    assert said.count("support (N)") == said.count("stored, no weight (M)") == 2
    assert said.count("0.333") == 3
    assert written(payoffs) == ["0", "−1", "1", "1", "0", "−1", "−1", "1", "0"]


def test_the_parallel_round_is_drawn_for_both_players(eight: list[Any]) -> None:
    memory = ParallelNashMemory(games.one_card_poker(8))
    before, after = eight[1:3]
    drawn = play_round(memory, before)
    assert np.array_equal(drawn.payoffs, after.payoffs[0])
    assert drawn.value == after.value
    for player, side in enumerate(drawn.sides):
        assert np.array_equal(side.after, after.mixtures[player])
        assert side.tests[0].gain == pytest.approx(before.gains[player], abs=ROUNDING)
    made = draw_round(memory, before)
    said = written(made.axes[0])
    assert said[0].startswith(
        "Round 2: player 1 and player 2 store a new strategy each; then 2 and"
    )
    assert "player 1 test" in said
    assert said.count("player 2 support (N)") == 2
    assert said.count("stored, no weight (M)") == 4


@pytest.mark.parametrize("iteration", [0, 3, 6])
def test_payoffs_of_a_round_are_square_and_cover_no_words(eight: list[Any], iteration: int) -> None:
    made = draw_round(ParallelNashMemory(games.one_card_poker(8)), eight[iteration])
    made.draw_without_rendering()
    canvas, payoffs = made.axes
    box = payoffs.get_window_extent()
    assert box.width == pytest.approx(box.height)
    assert [
        text.get_text() for text in canvas.texts if text.get_window_extent().overlaps(box)
    ] == []


def test_payoffs_that_are_rounding_are_written_as_zero(eight: list[Any]) -> None:
    made = draw_round(ParallelNashMemory(games.one_card_poker(8)), eight[6])
    _, payoffs = made.axes
    numbers = [text.get_text() for text in payoffs.texts]
    assert "0" in numbers
    assert [each for each in numbers if "e" in each] == []


RPS, BOUNDED = (
    NashMemory(games.rock_paper_scissors()),
    NashMemory(games.intransitive_numbers(), capacity=1),
)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: draw_round(RPS, rounds_of(RPS)[-1]), "nobody gains any more in rock-paper-sc"),
        (lambda: draw_round(BOUNDED, BOUNDED.init()), "draw one without a capacity"),
        (lambda: plot_mixtures(figure()[1], nash_memory.run(Config(seed=1))), "keep=extract_"),
        (
            lambda: plot_security(figure()[1], [nash_memory.run(Config(seed=1)).state]),
            "compiled sym",
        ),
        (lambda: plot_security(figure()[1], []), "no states"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        draw()


def test_set_sizes_are_those_of_the_states(eight: list[Any]) -> None:
    _, axes = figure()
    history = nash_memory.run(Config(seed=1)).to(len(eight) - 1, progress=False).history
    lines = plot_set_sizes(axes, history)
    assert lines["pool_2"].get_ydata().tolist() == [s.pool_sizes[1] for s in eight]
    assert lines["support_1"].get_ydata().tolist() == [s.support_sizes[0] for s in eight]
    used = " and ".join(map(str, eight[-1].support_sizes))
    assert axes.get_title(loc="left") == f"Support sizes: {used}"


def kept_from(states: list[Any]) -> list[Any]:
    return [(state.iteration, extract_mixtures(state)) for state in states]


def test_mixes_are_rows_of_probabilities(eight: list[Any]) -> None:
    run = nash_memory.run(Config(seed=1), keep=extract_mixtures).to(150, progress=False)
    shown = plot_mixtures(figure()[1], run, 1)
    assert np.array_equal(shown[-1], eight[-1].mixtures[1])
    assert np.array_equal(shown[0][:1], [1.0])
    assert np.isnan(shown[0][1:]).all()


def test_rounds_that_were_not_kept_look_like_the_last_before(eight: list[Any]) -> None:
    whole = make_mixture_table(kept_from(eight[:6]), 0)
    some = make_mixture_table(kept_from([eight[0], eight[2], eight[5]]), 0)
    assert np.array_equal(some, whole[[0, 0, 2, 2, 2, 5]], equal_nan=True)


def test_strategies_that_a_bounded_memory_drops_leave_their_columns() -> None:
    memory = NashMemory(games.intransitive_numbers(), capacity=3)
    states = [memory.init()]
    for _ in range(5):
        states.append(memory.step(states[-1]))
    table = make_mixture_table(kept_from(states), 0)
    assert table.shape == (6, 6)
    for row, state in zip(table, states, strict=True):
        assert np.array_equal(row[~np.isnan(row)], state.mixture)


def test_coming_back_is_having_had_weight_before() -> None:
    assert count_returns(np.array([[1.0, NAN], [0.0, 1.0], [0.5, 0.5]])) == 1
    assert count_returns(np.array([[1.0, NAN], [1.0, 0.0], [0.0, 1.0]])) == 0


def test_the_security_set_holds_what_was_met_but_need_not_grow() -> None:
    _, axes = figure()
    shown = plot_security(axes, rounds_of(NashMemory(games.rock_paper_scissors())))
    assert shown.names == ("rock", "paper", "scissors")
    assert shown.is_secure.tolist() == [
        [True, False, True],
        [True, True, False],
        [True, True, True],
    ]
    assert shown.is_stored.tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert shown.is_lost.sum() == 1
    assert shown.is_lost[1, 2]
    assert (
        axes.get_title(loc="left")
        == "Stored strategies never beat a later mixture; other strategies can"
    )


def test_strategies_are_called_by_what_they_do() -> None:
    game = games.rock_paper_scissors()
    (pool, _) = rounds_of(ParallelNashMemory(game))[-1].pools
    assert name_strategies(game, pool) == ("rock", "paper", "scissors")
    compound = games.compound(game)
    pairs = NashMemory(compound).init().strategies
    assert name_strategies(compound, pairs) == ("R + R",)
    numbers = games.intransitive_numbers()
    assert name_strategies(numbers, np.array([[3, 5]])) == ("(3, 5)",)
    assert name_strategies(games.kuhn(), np.zeros((2, 7))) == ("no. 1", "no. 2")
