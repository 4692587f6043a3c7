"""Oliehoek et al. (2006): their games, their numbers beside ours, and those that stay open."""

from dataclasses import replace

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.papers import oliehoek2006
from pokerlab.papers.experiment import read_published_numbers
from pokerlab.papers.oliehoek2006 import (
    FIGURE_3,
    Config,
    count_parallel_and_naive_rounds,
    make_start_profile,
    nash_memory,
)
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from studies.audit import read_figure_points
from studies.oliehoek2006 import fingerprint
from studies.oliehoek2006 import memories as studies
from studies.oliehoek2006.memories import SampledMemory
from tests.oracles import eight_cards

EXACT = 1e-9


def after(count: int, **settings: str) -> ParallelMemoryState:
    config = Config(seed=1, **settings)
    memory = oliehoek2006.make_solver(config)
    return memory.step(memory.init(), count)


def test_every_printed_number_has_a_row() -> None:
    rows = {row.key: row for row in read_published_numbers("oliehoek-2006")}
    assert len(rows) == 25
    assert {row.game for row in rows.values()} == {"8-card poker", "6-card poker", "table 2"}
    measured = {
        column.name for column in nash_memory.make_columns(oliehoek2006.make_solver(Config(seed=1)))
    }
    timed = {row.column for row in rows.values() if row.iteration > 2}
    assert timed <= measured


def test_an_iteration_of_the_paper_measures_the_round_before() -> None:
    """Footnote 6 has t + 1 strategies after iteration t; section 6 has 12 at iteration 12, and 150 at 150."""
    for config in oliehoek2006.FIGURE_3.values():
        for row in oliehoek2006.select_published_numbers(config):
            if row.column == "pool_1":
                assert after(int(row.iteration), game=config.game).pool_sizes[0] <= row.value
                assert row.iteration + 1 == row.value


def test_eight_cards_reach_the_nash_level_within_the_papers_rounds() -> None:
    end = after(12)
    assert end.converged
    assert end.iteration == 10
    assert end.value == pytest.approx(-1 / 16, abs=EXACT)
    assert end.security_levels == pytest.approx((-1 / 16, 1 / 16), abs=EXACT)
    central = after(12, program="interior point")
    assert central.iteration == 11
    assert central.pool_sizes == (11, 12)
    assert central.support_sizes == (6, 5)


def test_the_paired_deck_converges_within_350_rounds() -> None:
    end = after(350, game="6-card poker, paired")
    assert end.converged
    assert pl.metrics.nash_conv(end.game, end.profile) <= 1e-8
    value = pl.solvers.SequenceFormLP(end.game).solve().value
    assert end.value == pytest.approx(value, abs=1e-8)


def test_figure_3_top_comes_out_number_by_number() -> None:
    """By the library, and card by card without a tree."""
    read = read_figure_points("oliehoek-2006-figure-3")
    read = read[(read["game"] == "8-card poker") & (read["iteration"] <= 12)]
    printed = np.stack([read["gambler"], read["dealer"]], axis=1)
    memory = oliehoek2006.make_solver(FIGURE_3["8-card poker"])
    states = [memory.step(memory.init(), count) for count in range(12)]
    ours = np.array([state.security_levels for state in states])
    assert np.abs(ours - printed).max() <= read["error"].max()
    assert ours == pytest.approx(eight_cards.levels(12), abs=1e-6)
    assert ours[:3] * 56 == pytest.approx(np.array([(-19, -28), (-12.5, -10), (-9, -9)]))
    assert [state.converged for state in states].index(True) == 10
    for name, change in (
        ("start", "first action"),
        ("unreached", "first"),
        ("unreached", "random"),
        ("ties", "first"),
    ):
        other = oliehoek2006.make_solver(replace(FIGURE_3["8-card poker"], **{name: change}))
        levels = [other.step(other.init(), count).security_levels for count in range(12)]
        assert np.abs(np.array(levels) - printed).max() > 10 * read["error"].max(), (name, change)


@pytest.mark.parametrize(
    ("deck", "wins", "name"),
    [("six ranks", "the higher card", "ranks"), ("three pairs", "a pair with the board", "paired")],
)
def test_random_play_needs_no_tree(deck: str, wins: str, name: str) -> None:
    """The fingerprint's rules hold the library's two games; what random play loses there is the same."""
    rules, game = fingerprint.SixCardPoker(deck, wins), pl.games.two_round_poker(name)
    memory = pl.solvers.ParallelNashMemory(game, start=game.uniform())
    levels = memory.init().security_levels
    assert fingerprint.compute_security_levels_of_random_play(
        fingerprint.compute_showdown_shares(rules)
    ) == pytest.approx(levels, abs=EXACT)
    same = pl.games.compile_rules(rules)
    assert (np.sort(same.payoff[:, 0]) == np.sort(game.payoff[:, 0])).all()


def test_every_column_tells_what_its_name_says() -> None:
    memory = oliehoek2006.make_solver(Config(game="13-card poker", seed=1))
    state = memory.step(memory.init(), 13)
    told = {column.name: column.measure(state) for column in nash_memory.make_columns(memory)}
    for name, numbers in (
        ("security_level", state.security_levels),
        ("support", state.support_sizes),
        ("pool", state.pool_sizes),
    ):
        assert len(set(numbers)) == 2, name  # or the players could be mistaken for each other
        assert (told[f"{name}_1"], told[f"{name}_2"]) == numbers
    assert told["security_level_sum"] == pytest.approx(-told["nash_conv"], abs=EXACT)
    assert told["value"] == state.value


@pytest.mark.parametrize(("start", "place"), [("first action", 0), ("last action", -1)])
def test_first_strategies_take_one_action_everywhere(start: str, place: int) -> None:
    """Also where there are three to choose from."""
    game = pl.games.leduc()
    profile = make_start_profile(game, Config(start=start, seed=1))
    assert set(game.num_actions) == {2, 3}
    for player, infoset in game.infoset_index:
        assert list(profile.action_probabilities(player, infoset).values())[place] == 1.0


def test_the_heuristic_can_give_the_start() -> None:
    """Footnote 1: the first strategies are then replies to players who choose at random."""
    game = pl.games.kuhn()
    start = make_start_profile(game, Config(game="Kuhn poker", start="heuristic", seed=1))
    for player in (0, 1):
        reply = game.best_response(game.uniform(), player)
        mixed = game.uniform().replace(player, start.get_behavior(player))
        assert game.values(mixed)[player] == pytest.approx(reply.value, abs=EXACT)
    assert after(40, start="heuristic").converged


def test_the_naive_memory_needs_more_rounds() -> None:
    rounds = [
        count_parallel_and_naive_rounds({"game": "8-card poker", "seed": s}) for s in range(4)
    ]
    parallel, naive = (np.array([each[name] for each in rounds]) for name in ("parallel", "naive"))
    assert (naive > parallel).all()
    assert 8 <= parallel.min() <= parallel.max() <= 14
    assert naive.max() <= 30
    assert len(set(naive.tolist())) > 1  # it begins with what the seed draws


def test_time_spent_is_that_of_the_same_memory() -> None:
    config = Config(iterations=20, seed=1)
    spent = studies.measure_computing_time(config)
    assert spent.state.iteration == 10
    assert spent.state.payoffs.tobytes() == after(20).payoffs.tobytes()
    assert min(spent[:4]) > 0.0


def test_sampled_payoffs_are_means_of_hands() -> None:
    """With many hands they are near the exact ones, by their standard error; each pair has its own cards."""
    game, hands = pl.games.kuhn(), 40_000
    memory = SampledMemory(game, hands=hands, seed=1)
    state = memory.step(memory.init(), 3)
    exact = state.pools[0] @ game.payoff_matrix(0) @ state.pools[1].T
    off = state.payoffs[0] - exact
    spread = np.sqrt(4.0 / hands)  # a hand of Kuhn poker wins or loses 2 chips at most
    assert 0 < np.abs(off).max() < 4 * spread
    assert len(np.unique(off.round(12))) > off.size // 2
    assert np.array_equal(state.payoffs[1], -state.payoffs[0])


def test_what_has_been_sampled_stays() -> None:
    memory = SampledMemory(pl.games.kuhn(), hands=50, seed=3)
    one = memory.step(memory.init())
    two = memory.step(one)
    known = tuple(slice(size) for size in one.pool_sizes)
    assert np.array_equal(two.payoffs[:, known[0], known[1]], one.payoffs)
    assert memory.step(memory.init(), 2).payoffs.tobytes() == two.payoffs.tobytes()


def test_sampled_memory_converges_although_its_estimates_err() -> None:
    """Best responses that are stored win against mixtures of estimates; that is no failure of the subgame solver."""
    found = studies.run_sampled_memory({"game": "8-card poker", "hands": 10, "seed": 0})
    assert found["converged"] == 1.0
    assert found["rounds"] < studies.MAX_SAMPLED_ROUNDS
    assert found["nash_conv"] > 0.01
