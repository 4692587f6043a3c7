"""Oliehoek et al. (2006): their games, their numbers beside ours, and those that stay open."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError, UnknownNameError
from pokerlab.papers import oliehoek2006
from pokerlab.papers.experiment import published_numbers
from pokerlab.papers.oliehoek2006 import Config, nash_memory
from pokerlab.papers.oliehoek2006 import open_number as oliehoek2006_open
from pokerlab.solvers import MemoryState

EXACT = 1e-9


def after(count: int, **settings: str) -> MemoryState:
    config = Config(seed=1, **settings)
    memory = oliehoek2006.solver(config)
    return memory.step(memory.init(), count)


def test_every_printed_number_has_a_row() -> None:
    rows = {row.key: row for row in published_numbers("oliehoek-2006")}
    assert len(rows) == 9
    assert {row.game for row in rows.values()} == {"8-card poker", "6-card poker"}
    assert all(row.source.startswith("section") and row.note for row in rows.values())
    measured = {column.name for column in nash_memory.columns(oliehoek2006.solver(Config(seed=1)))}
    assert {row.column for row in rows.values()} <= measured | {"histories", "sequences"}


def test_the_games_have_the_size_that_the_paper_tells() -> None:
    for deck in ("ranks", "paired"):
        game = pl.games.two_round_poker(deck)
        assert game.num_sequences == (2161, 2161)
        assert game.num_histories_ended < 18_000
    eight = pl.games.one_card_poker(8)
    assert eight.num_sequences == (33, 33)


def test_eight_cards_reach_the_nash_level_within_the_papers_rounds() -> None:
    end = after(12)
    assert end.converged
    assert end.iteration == 10
    assert end.value == pytest.approx(-1 / 16, abs=EXACT)
    assert end.worst_cases == pytest.approx((-1 / 16, 1 / 16), abs=EXACT)
    central = after(12, program="interior point")
    assert central.iteration == 11
    assert central.pool_sizes == (11, 12)
    assert central.support_sizes == (6, 5)


def test_thirteen_cards_have_their_value() -> None:
    end = after(40, game="13-card poker")
    assert end.converged
    assert end.value == pytest.approx(-5 / 78, abs=EXACT)


def test_the_worst_case_is_not_monotone() -> None:
    memory = oliehoek2006.solver(Config(seed=1))
    states = [memory.init()]
    for _ in range(10):
        states.append(memory.step(states[-1]))
    for player in (0, 1):
        worst = np.array([state.worst_cases[player] for state in states])
        assert (np.diff(worst) < -0.005).any()


def test_the_paired_deck_converges_within_350_rounds() -> None:
    end = after(350, game="6-card poker, paired")
    assert end.converged
    assert pl.metrics.nash_conv(end.game, end.profile) <= 1e-8
    value = pl.solvers.SequenceFormLP(end.game).solve().value
    assert end.value == pytest.approx(value, abs=1e-8)


def test_leduc_converges() -> None:
    end = after(300, game="Leduc")
    assert end.converged
    assert pl.metrics.nash_conv(end.game, end.profile) <= 1e-9
    assert end.value == pytest.approx(-0.0856064, abs=1e-7)


@pytest.mark.parametrize("deck", ["ranks", "paired"])
def test_six_cards_after_150_rounds_have_the_papers_order_of_size(deck: str) -> None:
    """Support 29 and worst case -0.027: ours lie around them, by deck, rule and start."""
    state = after(150, game=f"6-card poker, {deck}")
    assert state.pool_sizes == (151, 151) or deck == "ranks"
    assert 20 <= min(state.support_sizes) <= max(state.support_sizes) <= 35
    assert -0.1 < sum(state.worst_cases) < -0.01


def test_every_column_tells_what_its_name_says() -> None:
    memory = oliehoek2006.solver(Config(game="13-card poker", seed=1))
    state = memory.step(memory.init(), 13)
    told = {column.name: column.measure(state) for column in nash_memory.columns(memory)}
    for name, numbers in (
        ("worst_case", state.worst_cases),
        ("support", state.support_sizes),
        ("pool", state.pool_sizes),
    ):
        assert len(set(numbers)) == 2, name  # or the players could be mistaken for each other
        assert (told[f"{name}_1"], told[f"{name}_2"]) == numbers
    assert told["worst_case_sum"] == pytest.approx(-told["nash_conv"], abs=EXACT)
    assert told["value"] == state.value


def test_configs_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="game"):
        Config(game="9-card poker", seed=1)
    with pytest.raises(UnknownNameError, match="unreached"):
        Config(unreached="bold", seed=1)
    with pytest.raises(SettingError, match="iterations"):
        Config(iterations=0, seed=1)


def test_a_random_start_is_drawn_from_the_seed() -> None:
    game = pl.games.one_card_poker(8)
    starts = [oliehoek2006.start_of(game, Config(start="random", seed=s)) for s in (1, 1, 2)]
    assert (starts[0].probabilities == starts[1].probabilities).all()
    assert (starts[0].probabilities != starts[2].probabilities).any()
    last = oliehoek2006.start_of(game, Config(start="last action", seed=1))
    assert set(last.at(0, game.infoset_label[0])) == set(game.action_label[0])
    assert list(last.at(0, game.infoset_label[0]).values()) == [0.0, 1.0]


@pytest.mark.parametrize(("start", "place"), [("first action", 0), ("last action", -1)])
def test_first_strategies_take_one_action_everywhere(start: str, place: int) -> None:
    """Also where there are three to choose from."""
    game = pl.games.leduc()
    profile = oliehoek2006.start_of(game, Config(start=start, seed=1))
    assert set(game.num_actions) == {2, 3}
    for player, infoset in game.infoset_index:
        assert list(profile.at(player, infoset).values())[place] == 1.0


@pytest.mark.parametrize("heuristic", ["evolution", "random search"])
def test_other_heuristics_get_there_too(heuristic: str) -> None:
    end = after(1000, game="Kuhn poker", heuristic=heuristic)
    assert end.converged
    assert end.value == pytest.approx(-1 / 18, abs=EXACT)


def test_everything_left_open_is_tried() -> None:
    tried = oliehoek2006_open.try_all(Config(iterations=40, seed=1), seeds=(1, 2))
    assert len({each.config for each in tried}) == len(tried) == 3 * 2 * 4
    rounds = [each.state.iteration for each in tried]
    assert all(each.state.converged for each in tried)
    assert 8 <= min(rounds) <= max(rounds) <= 16
    assert [each.state.value for each in tried] == pytest.approx([-1 / 16] * 24, abs=1e-7)


def test_time_spent_is_that_of_the_same_memory() -> None:
    config = Config(iterations=20, seed=1)
    spent = oliehoek2006_open.time_spent(config)
    assert spent.state.iteration == 10
    assert spent.state.payoffs.tobytes() == after(20).payoffs.tobytes()
    assert min(spent[:4]) > 0.0


def test_what_is_timed_as_a_linear_program_is_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, reply = [], pl.solvers.BestResponse.__call__

    def counted(*seen: Any) -> Any:
        asked.append(seen[-1])
        return reply(*seen)

    monkeypatch.setattr(pl.solvers.BestResponse, "__call__", counted)
    oliehoek2006_open.time_spent(Config(iterations=20, seed=1), trials=2)
    assert asked == [0, 1, *range(10)] * 2  # two to warm up, then ten rounds, in each trial
