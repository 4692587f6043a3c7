"""Every method on the same games: evaluations, the strategy of a front, and scores of answers."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile
from pokerlab.papers import methods, samothrakis2011_holdem
from pokerlab.papers.methods import IN_BUCKETS, METHODS, SEEDS
from pokerlab.workbench import kuhn_character

EIGHT = pl.games.one_card_poker(8)


@pytest.mark.parametrize("name", METHODS)
def test_method_after_more_iterations_has_lower_nash_conv(name: str) -> None:
    first, last = METHODS[name].iterate_profiles(EIGHT, [1, 30], seed=2)
    assert 0 < first.evaluations < last.evaluations
    conv = [EIGHT.nash_conv(point.profile) for point in (first, last)]
    assert conv[1] < 0.7 * conv[0]
    (again,) = METHODS[name].iterate_profiles(EIGHT, [30], seed=2)
    assert again.evaluations == last.evaluations
    assert EIGHT.nash_conv(again.profile) == pytest.approx(conv[1], rel=1e-6, abs=1e-9)
    other = next(METHODS[name].iterate_profiles(EIGHT, [30], seed=3)).profile
    assert (
        METHODS[name].is_random
        == (np.abs(other.probabilities - last.profile.probabilities) > 1e-6).any()
    )


def test_bucket_payoff_of_genomes_is_that_of_their_profiles() -> None:
    game = pl.holdem.bucketed_limit_holdem(2, raise_cap=2)
    encoding = pl.holdem.TupleTable(game, positive="softmax")
    mine, other = pl.core.random_stream(1, "genes").normal(size=(2, encoding.num_genes))
    won = methods.SeatAveragedPayoff(encoding)(mine, other, 0)
    pair = [encoding.make_profile(genome) for genome in (mine, other)]
    assert won == pytest.approx(methods.compute_payoff_against(game, *pair) / 2)
    assert won == pytest.approx(-methods.SeatAveragedPayoff(encoding)(other, mine, 0))


@pytest.mark.parametrize("name", methods.POPULATIONS)
def test_front_in_buckets_has_the_mean_payoff_of_its_members(name: str) -> None:
    """The payoff of a mixture is the mean of its members' payoffs, against any opponent."""
    game = pl.holdem.bucketed_limit_holdem(2, raise_cap=2)
    solver = IN_BUCKETS[name].make_solver(game, 4)
    state = solver.step(solver.init(), 2)
    whole = methods.make_bucketed_profiles(state, state.population[0])
    score = state.fitness[0]
    members = [one for one, stays in zip(whole, state.front[0], strict=True) if stays]
    answer = IN_BUCKETS[name].select_profile(state)
    for rival in methods.make_characters(game).values():
        won = [methods.compute_payoff_against(game, one, rival) for one in members]
        if name == "elites by profit":
            won = [methods.compute_payoff_against(game, whole[int(score.argmax())], rival)]
        assert methods.compute_payoff_against(game, answer, rival) == pytest.approx(
            np.mean(won), abs=1e-9
        )


def test_characters_in_kuhn_poker_are_those_of_lesson_00() -> None:
    found = methods.make_characters(pl.games.kuhn())
    for own, theirs in zip(
        found.values(), ("never bet", "always bet", "uniform", "kings only"), strict=True
    ):
        assert (own.probabilities == kuhn_character(theirs).probabilities).all()


def test_scores_in_kuhn_poker_are_known_payoffs() -> None:
    kuhn = pl.games.kuhn()
    found = {
        "safe": [pl.workbench.kuhn_equilibrium()],
        "coins": [kuhn.uniform(), kuhn_character("always bet")],
    }
    scores = methods.score_profiles(kuhn, found)
    (safe,), (coins, bets) = scores["safe"], scores["coins"]
    assert (safe.exploitability, safe.lowest_payoff) == pytest.approx((0, 0), abs=1e-12)
    assert safe.mean_payoff == pytest.approx(
        (17.777778 + 11.111111 + 14.444444 + 0) / 4 / 50, abs=1e-6
    )  # lesson 00 prints them
    assert coins.exploitability == pytest.approx(11 / 12)
    assert coins.lowest_payoff == pytest.approx(
        min(
            methods.compute_payoff_against(kuhn, kuhn.uniform(), one)
            for one in (*methods.make_characters(kuhn).values(), *found["safe"])
        )
    )
    assert bets.exploitability == pytest.approx(2 / 3)


def test_traced_nash_conv_has_a_row_per_seed_and_ends_at_budget() -> None:
    for name in ("CFR", "minimax coevolution"):
        runs = METHODS[name].trace_runs(EIGHT, METHODS[name].list_seeds(2))
        evaluations, nash_conv = methods.measure_nash_conv(EIGHT, runs)
        assert nash_conv.shape == (1 + METHODS[name].is_random, len(evaluations))
        end = METHODS[name].run(EIGHT)
        assert evaluations[-1] == end.evaluations
        assert nash_conv[0, -1] == pytest.approx(EIGHT.nash_conv(end.profile), rel=1e-6)


def test_scores_of_traced_answers_in_six_buckets_are_those_of_runs() -> None:
    game = samothrakis2011_holdem.make_six_bucket_game()
    seeds = [samothrakis2011_holdem.MEDIAN.seed]
    traced = {
        name: [IN_BUCKETS[name].trace_runs(game, seeds)[0][-1].profile]
        for name in ("CFR", "CFR+", "minimax coevolution")
    }
    scores, expected = (methods.score_profiles_in_six_buckets(each) for each in (traced, None))
    for name, own in expected.items():
        assert np.allclose(scores[name], own, rtol=1e-9, atol=1e-12)


def test_scores_in_six_buckets_cover_all_methods() -> None:
    scores = methods.score_profiles_in_six_buckets()
    assert list(scores) == list(IN_BUCKETS)
    assert [len(each) for each in scores.values()] == [1, 1, 1, len(SEEDS), len(SEEDS)]
    names = ("CFR+", "CFR", "minimax coevolution")
    plus, plain, minimax = (scores[name][0].exploitability for name in names)
    assert plus < plain < minimax
    assert all(each.lowest_payoff <= each.mean_payoff for own in scores.values() for each in own)


def test_memory_evaluations_count_responses_and_stored_strategies() -> None:
    rounds = 5
    (point,) = METHODS["parallel Nash memory"].iterate_profiles(EIGHT, [rounds])
    solver = pl.solvers.ParallelNashMemory(EIGHT)
    state = solver.step(solver.init(), rounds)
    stored = sum(len(np.unique(pool, axis=0)) for pool in state.pools)
    assert stored > rounds
    assert point.evaluations == 2 * rounds + stored


def test_minimax_evaluations_are_best_responses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[int] = []
    measure = pl.solvers.ExactWorstCase.measure_losses

    def counted(self: Any, encoding: Any, genomes: Any, *args: Any, **also: Any) -> Any:
        judged.append(len(genomes))
        return measure(self, encoding, genomes, *args, **also)

    monkeypatch.setattr(pl.solvers.ExactWorstCase, "measure_losses", counted)
    (point,) = METHODS["minimax coevolution"].iterate_profiles(EIGHT, [4], seed=1)
    assert point.evaluations == 2 * sum(judged)


def test_score_of_an_answer_leaves_out_play_against_itself() -> None:
    kuhn, kings = pl.games.kuhn(), kuhn_character("kings only")
    replies = [kuhn.best_response(kings, seat).behavior for seat in (0, 1)]
    mix = 0.9 * pl.workbench.kuhn_equilibrium().probabilities + 0.1 * np.concatenate(replies)
    mine = Profile(kuhn, mix)
    (scores,) = methods.score_profiles(kuhn, {"mine": [mine]})["mine"]
    won = [
        methods.compute_payoff_against(kuhn, mine, one)
        for one in methods.make_characters(kuhn).values()
    ]
    assert scores.lowest_payoff == pytest.approx(min(won))
    assert scores.lowest_payoff > 0.0  # what it would win from itself is 0
