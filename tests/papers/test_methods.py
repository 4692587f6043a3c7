"""Every method on the same games: what is counted, what a front is, and whom they meet."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile
from pokerlab.papers import methods
from pokerlab.papers.methods import GENERATIONS, IN_BUCKETS, METHODS, SEEDS
from pokerlab.workbench import kuhn_character

EIGHT = pl.games.one_card_poker(8)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_comes_nearer_and_counts_what_it_costs(name: str) -> None:
    first, last = METHODS[name].points(EIGHT, [1, 30], seed=2)
    assert 0 < first.evaluations < last.evaluations
    conv = [EIGHT.nash_conv(point.profile) for point in (first, last)]
    assert conv[1] < 0.7 * conv[0]
    (again,) = METHODS[name].points(EIGHT, [30], seed=2)
    assert again.evaluations == last.evaluations
    assert EIGHT.nash_conv(again.profile) == pytest.approx(conv[1], rel=1e-6, abs=1e-9)
    other = next(METHODS[name].points(EIGHT, [30], seed=3)).profile
    assert (
        METHODS[name].is_drawn
        == (np.abs(other.probabilities - last.profile.probabilities) > 1e-6).any()
    )


def test_a_meeting_in_buckets_is_what_the_profiles_win_in_both_seats() -> None:
    game = pl.holdem.bucketed_limit_holdem(2, raise_cap=2)
    encoding = pl.holdem.TupleTable(game, positive="softmax")
    mine, other = pl.core.stream(1, "genes").normal(size=(2, encoding.num_genes))
    won = methods.Meeting(encoding)(mine, other, 0)
    pair = [encoding.profile(genome) for genome in (mine, other)]
    assert won == pytest.approx(methods.won_from(game, *pair) / 2)
    assert won == pytest.approx(-methods.Meeting(encoding)(other, mine, 0))


@pytest.mark.parametrize("name", methods.POPULATIONS)
def test_the_answer_of_a_population_in_buckets_wins_the_mean_of_its_members(name: str) -> None:
    """What a mix wins is the mean of what its members win, against anybody."""
    game = pl.holdem.bucketed_limit_holdem(2, raise_cap=2)
    solver = IN_BUCKETS[name].solver(game, 4)
    state = solver.step(solver.init(), 2)
    whole = methods.tables_of(state, state.population[0])
    score = state.fitness[0]
    members = [one for one, stays in zip(whole, state.front[0], strict=True) if stays]
    answer = IN_BUCKETS[name].answer(state)
    for rival in methods.characters(game).values():
        won = [methods.won_from(game, one, rival) for one in members]
        if name == "elites by profit":
            won = [methods.won_from(game, whole[int(score.argmax())], rival)]
        assert methods.won_from(game, answer, rival) == pytest.approx(np.mean(won), abs=1e-9)


def test_characters_of_kuhn_poker_are_those_of_lesson_00() -> None:
    found = methods.characters(pl.games.kuhn())
    for own, theirs in zip(
        found.values(), ("never bet", "always bet", "uniform", "kings only"), strict=True
    ):
        assert (own.probabilities == kuhn_character(theirs).probabilities).all()


def test_the_recorded_populations_begin_as_they_would_today() -> None:
    kept = methods.recorded_populations()
    assert len(kept) == len(methods.POPULATIONS) * len(SEEDS) * len(GENERATIONS)
    for begin in (0, len(kept) // 2):
        asked = {
            "method": kept["method"][begin].item(),
            "seed": int(kept["seed"][begin]),
            "records": 1,
        }
        (row,) = methods.populations(asked)
        for name, value in row.items():
            assert kept[name][begin] == pytest.approx(value, rel=1e-9), name


def test_what_answers_are_worth_is_what_they_win_and_lose() -> None:
    kuhn = pl.games.kuhn()
    found = {
        "safe": [pl.workbench.kuhn_equilibrium()],
        "coins": [kuhn.uniform(), kuhn_character("always bet")],
    }
    worth = methods.worth_of(kuhn, found)
    (safe,), (coins, bets) = worth["safe"], worth["coins"]
    assert (safe.price, safe.worst) == pytest.approx((0, 0), abs=1e-12)
    assert safe.won == pytest.approx(
        (17.777778 + 11.111111 + 14.444444 + 0) / 4 / 50, abs=1e-6
    )  # lesson 00 prints them
    assert coins.price == pytest.approx(11 / 12)
    assert coins.worst == pytest.approx(
        min(
            methods.won_from(kuhn, kuhn.uniform(), one)
            for one in (*methods.characters(kuhn).values(), *found["safe"])
        )
    )
    assert bets.price == pytest.approx(2 / 3)


def test_a_race_has_a_row_for_each_seed_and_ends_with_the_budget() -> None:
    for name in ("CFR", "minimax coevolution"):
        costs, prices = METHODS[name].race(EIGHT, 2)
        assert prices.shape == (1 + METHODS[name].is_drawn, len(costs))
        end = METHODS[name].end(EIGHT)
        assert costs[-1] == end.evaluations
        assert prices[0, -1] == pytest.approx(EIGHT.nash_conv(end.profile), rel=1e-6)


def test_worth_in_six_buckets_is_of_all_methods_there() -> None:
    worth = methods.worth_in_six_buckets()
    assert list(worth) == list(IN_BUCKETS)
    assert [len(each) for each in worth.values()] == [1, 1, 1, len(SEEDS), len(SEEDS)]
    assert worth["CFR+"][0].price < worth["CFR"][0].price < worth["minimax coevolution"][0].price
    assert all(each.worst <= each.won for own in worth.values() for each in own)


def test_evaluations_of_a_memory_count_replies_and_strategies_that_meet() -> None:
    rounds = 5
    (point,) = METHODS["parallel Nash memory"].points(EIGHT, [rounds])
    solver = pl.solvers.ParallelNashMemory(EIGHT)
    state = solver.step(solver.init(), rounds)
    stored = sum(len(np.unique(pool, axis=0)) for pool in state.pools)
    assert stored > rounds
    assert point.evaluations == 2 * rounds + stored


def test_evaluations_of_minimax_coevolution_are_best_responses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[int] = []
    measure = pl.solvers.ExactWorstCase.measure

    def counted(self: Any, encoding: Any, genomes: Any, *args: Any, **also: Any) -> Any:
        judged.append(len(genomes))
        return measure(self, encoding, genomes, *args, **also)

    monkeypatch.setattr(pl.solvers.ExactWorstCase, "measure", counted)
    (point,) = METHODS["minimax coevolution"].points(EIGHT, [4], seed=1)
    assert point.evaluations == 2 * sum(judged)


def test_worth_of_an_answer_that_beats_everybody_leaves_out_itself() -> None:
    kuhn, kings = pl.games.kuhn(), kuhn_character("kings only")
    replies = [kuhn.best_response(kings, seat).behavior for seat in (0, 1)]
    mix = 0.9 * pl.workbench.kuhn_equilibrium().probabilities + 0.1 * np.concatenate(replies)
    mine = Profile(kuhn, mix)
    (merits,) = methods.worth_of(kuhn, {"mine": [mine]})["mine"]
    won = [methods.won_from(kuhn, mine, one) for one in methods.characters(kuhn).values()]
    assert merits.worst == pytest.approx(min(won))
    assert merits.worst > 0.0  # what it would win from itself is 0
