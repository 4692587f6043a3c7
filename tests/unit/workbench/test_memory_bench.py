"""A memory's bench shows the rounds that its run has recorded: security levels, set sizes, mixes, the strategy."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab import games
from pokerlab.papers.experiment import Experiment
from pokerlab.papers.oliehoek2006 import Config, nash_memory
from pokerlab.runs import Column
from pokerlab.solvers import NashMemory
from pokerlab.workbench.benches import find_declaration
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.picture import Curves
from pokerlab.workbench.views.memory import find_game_values
from pokerlab.workbench.views.strategies import make_strategy_table
from tests.unit.workbench.conftest import Maker

GAME_VALUE = -1 / 16
"""Of 8-card poker, for player 1."""


@pytest.fixture
def memory(make: Maker) -> Bench:
    """Return a bench of 8-card poker."""
    return make(nash_memory, Config(seed=1))


def test_a_memory_is_shown_as_security_levels_mixes_and_the_strategy(memory: Bench) -> None:
    assert [view.name for view in memory.views] == ["memory", "mixtures", "strategy"]
    for _ in range(7):
        memory.step()
    shown, history = memory.picture, memory.run.history
    assert history["iteration"].tolist() == list(range(8))
    of_each = ("security_level", "pool", "support")
    for name in ("value", *(f"{what}_{player}" for what in of_each for player in (1, 2))):
        assert np.array_equal(shown["memory"][name], [history["iteration"], history[name]])
    table = make_strategy_table(memory.state.game, 0)
    assert np.array_equal(shown["strategy"]["profile"], table.read(memory.state.profile))


def test_every_round_is_a_row_of_the_mixes(memory: Bench) -> None:
    solver = memory.run.solver
    states = [solver.init()]
    for _ in range(7):
        memory.step()
        states.append(solver.step(states[-1]))
    for player in (0, 1):
        table = memory.picture["mixtures"][f"player {player + 1}"]
        assert table.shape == (8, states[-1].pool_sizes[player])
        for row, state in zip(table, states, strict=True):
            held = state.pool_sizes[player]
            assert np.array_equal(row[:held], state.mixtures[player])
            assert np.isnan(row[held:]).all()


def test_what_is_offered_to_be_shown(memory: Bench) -> None:
    choices = memory.controls.choice_menus
    shown, mixes = (list(dict(choices[words].options)) for words in ("Show", "Mixtures of"))
    assert shown == ["security levels", "security level sum", "NashConv"]
    assert mixes == ["all players", "player 1", "player 2"]
    memory.step()
    choices["Show"].label = "NashConv"
    choices["Mixtures of"].label = "player 2"
    assert memory.picture["memory"]["nash_conv"][1][-1] == memory.state.gains.sum()
    assert list(memory.picture["mixtures"]) == ["player 2"]


def test_values_of_a_game_are_those_of_both_players_where_they_are_known() -> None:
    """Both rows of [[3, 1], [0, 2]], equally often, win 3/2 from either column."""
    won = np.array([[3.0, 1.0], [0.0, 2.0]])
    for total in (0.0, 10.0):
        values = find_game_values(games.bimatrix(won, total - won))
        assert values == pytest.approx((1.5, total - 1.5), abs=1e-9)
    assert find_game_values(games.bimatrix(won, won)) == find_game_values(games.kuhn(3)) == ()
    assert find_game_values(games.compound(games.kuhn())) == (0.0,)


def left_curves(bench: Bench) -> Curves:
    left = bench.picture.find_strip("memory").panels[0]
    assert isinstance(left, Curves)
    return left


def test_security_levels_are_linear_and_nash_conv_is_logarithmic(memory: Bench) -> None:
    memory.runner.advance_to(150)
    memory.refresh_picture()
    assert memory.state.converged
    left = left_curves(memory)
    assert (left.x.is_log, left.y.is_log) == (False, False)
    dotted = [level.value for level in left.levels if level.label == "value of the game"]
    assert dotted == [pytest.approx(GAME_VALUE, abs=1e-9)]
    assert left.title == "Equilibrium: players win −0.0625 and +0.0625"
    assert "converged" in memory.screen.plain
    assert "finished" not in memory.screen.plain
    memory.controls.choice_menus["Show"].label = "NashConv"
    left = left_curves(memory)
    assert (left.x.is_log, left.y.is_log) == (False, True)
    assert left.y.limits[0] >= 1e-13


def test_published_sizes_are_marked_and_the_axes_reach_them(memory: Bench) -> None:
    right = memory.picture.find_strip("memory").panels[1]
    assert isinstance(right, Curves)
    circles = [curve for curve in right.curves if curve.source]
    marked = {point for curve in circles for point in zip(curve.x, curve.y, strict=True)}
    assert marked == {(11.0, 12.0), (11.0, 6.0)}  # the round that iteration 12 measures
    assert right.x.limits[1] > 12


def test_a_symmetric_memory_has_one_picture_of_its_mix(make: Maker) -> None:
    columns = [
        Column("security_level", "security level", "points", lambda s: s.security_level),
        Column("pool", "pool", "strategies", lambda s: s.pool_size),
        Column("support", "support", "strategies", lambda s: s.support_size),
    ]
    config = Config(seed=1)
    experiment = Experiment(
        "Symmetric", Config, {"paper": config, "lab": config},
        lambda config: NashMemory(games.biased_rps()), lambda memory: columns, lambda config: [],
    )  # fmt: skip
    bench = make(
        replace(find_declaration(nash_memory), experiment=experiment), config, first_iterations=2
    )
    assert [view.name for view in bench.views] == ["memory", "mixtures", "strategy"]
    assert left_curves(bench).title == "Equilibrium: the mixture wins 0.0000"
    assert bench.picture["memory"]["pool"][1].tolist() == [1.0, 2.0, 3.0]
    assert [label for label, _ in bench.controls.choice_menus["Mixtures of"].options] == [
        "the memory"
    ]
    table = bench.picture["mixtures"]["the memory"]
    assert (16 * table[2]).round(9).tolist() == [1.0, 10.0, 5.0]
