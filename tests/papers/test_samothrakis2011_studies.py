"""Samothrakis & Lucas (2011): where runs end, and what is recorded of hold'em agents."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import CheckpointError, random_stream
from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.games import kuhn
from pokerlab.holdem import BucketedProfile, lbr
from pokerlab.holdem.cards import deal_hands
from pokerlab.metrics import nash_conv
from pokerlab.papers import samothrakis2011, samothrakis2011_holdem
from pokerlab.papers.samothrakis2011 import RPS
from pokerlab.papers.samothrakis2011_holdem import (
    BY_GRADIENT,
    make_agent,
    make_evolution_strategy,
    make_six_bucket_game,
)
from pokerlab.runs import History
from pokerlab.solvers import MinimaxCoevolution, SequenceFormLP, TreeSearch
from studies.audit import INCONCLUSIVE, INTERPRETED, REPRODUCED
from studies.samothrakis2011 import holdem_runs, small_games
from studies.samothrakis2011.ends import FOUND_SETTINGS, load_or_run_coevolutions, run_coevolutions
from studies.samothrakis2011.local_judge import LocalJudge, compute_exploiter_winnings
from studies.samothrakis2011.printed_search import compute_exploitability_by_search
from studies.samothrakis2011.tables import RecordedTable, measure_losses_by_tree_search


def doubled(counts: Sequence[int]) -> list[Sequence[float]]:
    return [(count, 2 * count) for count in counts]


TOY = RecordedTable("toy", {"count": "", "double": "bets"}, {"counts": [1, 3]}, doubled)


def test_what_is_not_there_is_measured_and_kept(tmp_path: Path) -> None:
    first = TOY.load_or_measure(tmp_path)
    assert first["double"].tolist() == [2.0, 6.0]
    assert first.units["double"] == "bets"
    never = replace(TOY, measure_rows=lambda counts: [(0, 0) for _ in counts])
    assert never.load_or_measure(tmp_path)["double"].tolist() == [2.0, 6.0]
    for other in (
        replace(TOY, settings={"counts": [1, 4]}),
        replace(TOY, columns={"count": "", "half": "bets"}),
    ):
        with pytest.raises(CheckpointError, match=r"[Dd]elete (the file|it) to"):
            other.load_or_measure(tmp_path)


def test_a_quick_measurement_says_the_same_as_its_parts() -> None:
    row = measure_losses_by_tree_search(["always call"], [[4.8, 1, 10, False]], seeds=[1, 2])[0]
    search = TreeSearch(depth=1, iterations=10, exploration=0.1)
    found = [
        search.exploitability(make_six_bucket_game(), make_agent("always call"), seed=seed).value
        for seed in (1, 2)
    ]
    assert row[:5] == (0, 4.8, 1, 10, False)
    assert row[5] == pytest.approx(np.mean(found))


def test_a_judge_of_generations_wins_what_the_local_best_response_wins() -> None:
    judge, profile = LocalJudge(deals=5, run_outs=3), make_agent("always call")
    luck = int(random_stream(7, "local judge", 2).integers(1 << 62))
    cards, key = deal_hands(luck, 5, 1), draw_stream_key(luck, "run-outs")
    won, _ = lbr.compute_winnings_and_control_variates(
        profile, cards, key, run_outs=3, active_from=0
    )
    found = compute_exploiter_winnings(
        profile, judge.draw_dealt_hands(make_six_bucket_game().buckets, 7, 2)
    )
    assert found[::-1] == pytest.approx(won.mean(axis=0), rel=1e-12)
    assert abs(found[0] - found[1]) > 1e-3


def test_evolution_with_a_local_judge_is_judged_by_its_deals() -> None:
    judge, game = LocalJudge(deals=5, run_outs=3), make_six_bucket_game()
    encoding = holdem.TupleTable(game, positive="softmax")
    coevolution = MinimaxCoevolution(
        game,
        seed=7,
        encoding=encoding,
        evolution=make_evolution_strategy(BY_GRADIENT),
        worst_case=judge,
    )
    state = coevolution.step(coevolution.init())
    hands = judge.draw_dealt_hands(game.buckets, 7, 1)
    measured = coevolution.worst_case.measure_losses(
        encoding, state.best[None], seed=7, generation=1, individuals=(0,)
    )
    assert measured.values[0].tolist() == compute_exploiter_winnings(state.profile, hands).tolist()
    assert state.best_values.tolist() == measured.values[0].tolist()


CONFIG = replace(FOUND_SETTINGS[RPS].config, iterations=60)


def test_each_row_is_where_that_seed_ends() -> None:
    ends = run_coevolutions(replace(CONFIG, iterations=7), [4, 2])
    assert ends["seed"].tolist() == [4, 2]
    for row, seed in enumerate((4, 2)):
        coevolution = samothrakis2011.make_solver(replace(CONFIG, seed=seed))
        state = coevolution.step(coevolution.init(), 7)
        assert ends["iteration"][row] == 7
        assert ends["nash_conv"][row] == state.exact_value
        assert ends["paper"][row] == state.profile.action_probabilities(0, "row")["paper"]


def test_what_is_varied_is_combined_and_run_with_each_seed() -> None:
    varied = {"population": (8, 10), "evolution": ("CMA-ES",)}
    ends = run_coevolutions(replace(CONFIG, iterations=3), [4, 2], varied_settings=varied)
    assert ends["population"].tolist() == [8, 8, 10, 10]
    assert ends["seed"].tolist() == [4, 2, 4, 2]
    alone = replace(CONFIG, iterations=3, population=10)
    assert ends["nash_conv"][3] == run_coevolutions(alone, [2])["nash_conv"][0]
    assert (ends["seconds"] > 0).all()


LAZY = {"worst_case": "inner evolution", "inner_generations": 1, "inner_growth": 0.0}


@pytest.mark.parametrize(("settings", "target"), [({}, 0.01), (LAZY, 0.3)])
def test_a_run_ends_at_the_first_generation_that_meets_the_target(
    settings: dict[str, Any], target: float
) -> None:
    """By exact best responses, whatever its own worst case has found."""
    config = replace(CONFIG, **settings)
    ends = run_coevolutions(config, [1], target_exploitability=target)
    done = int(ends["iteration"][0])
    coevolution = samothrakis2011.make_solver(replace(config, seed=1))
    before = coevolution.step(coevolution.init(), done - 1)
    assert 1 < done < config.iterations
    assert before.exact_value > target >= ends["nash_conv"][0]


def test_what_is_recorded_is_read_again_and_only_for_the_same_question(tmp_path: Path) -> None:
    short = replace(CONFIG, iterations=3)
    ends = load_or_run_coevolutions("few", short, [1, 2], folder=tmp_path)
    again = load_or_run_coevolutions("few", short, [1, 2], folder=tmp_path)
    assert again.provenance == ends.provenance
    assert again["nash_conv"].tolist() == ends["nash_conv"].tolist()
    for config, seeds, other in (
        (replace(short, population=12), [1, 2], {}),
        (short, [1, 3], {}),
        (short, [1, 2], {"target_exploitability": 0.1}),
        (short, [1, 2], {"varied_settings": {"population": (10, 12)}}),
    ):
        with pytest.raises(CheckpointError, match=r"few\.npz was written with"):
            load_or_run_coevolutions("few", config, seeds, folder=tmp_path, **other)


def test_an_interpretation_confirms_if_more_than_half_of_its_runs_do() -> None:
    all_, half, none = np.array([1, 1, 1]) > 0, np.array([1, 0]) > 0, np.array([0, 0]) > 0
    weigh = small_games.decide_verdict_by_majority
    assert weigh({"a": all_, "b": none}).verdict == REPRODUCED
    assert weigh({"a": half, "b": all_, "c": none}).verdict == INCONCLUSIVE
    found = weigh({"a": half, "b": all_})
    assert found.verdict == INTERPRETED
    assert found.confirming == ("b",)
    assert found.why.endswith(". Runs that give it: a 1 of 2; b 3 of 3")


def test_a_share_of_runs_has_wilsons_interval() -> None:
    """By hand: for 17 of 20 the center is (17 + z²/2) / (20 + z²) = 0.7936, and half the width is 0.1540."""
    assert small_games.format_share_with_interval(np.arange(20) < 17) == "17 of 20 (64–95%)"
    assert small_games.format_share_with_interval(np.zeros(10) > 0) == "0 of 10 (0–28%)"


def test_runs_in_rock_paper_scissors_have_all_strategies_and_starts() -> None:
    for network in (False, True):
        runs = small_games.load_rps_runs(network)
        assert len(runs) == len(small_games.STRATEGIES) * len(small_games.STARTS)
        assert next(iter(runs)) == ("CSA-ES, equal weights", "outer best")
        counts = {strategy: columns["seed"].size for (strategy, _), columns in runs.items()}
        assert counts == dict.fromkeys(small_games.STRATEGIES, 3) | {"CMA-ES": 6}
    pooled = small_games.pool_column_over_starts(runs, "seed")
    assert {name: len(seeds) for name, seeds in pooled.items()} == {
        name: 3 * count for name, count in counts.items()
    }


def test_the_average_is_exploitability_and_the_printed_maximum_is_more() -> None:
    game = kuhn()
    for profile in (game.uniform(), SequenceFormLP(game).solve().profile):
        found = compute_exploitability_by_search(game, profile)
        assert found == pytest.approx(nash_conv(game, profile), abs=1e-12)
        assert compute_exploitability_by_search(game, profile, max_at_other_player=True) > found + 1


@pytest.mark.parametrize(
    ("lost", "falls"), [([6, 2, 1], True), ([6, 1, 2], False), ([6, 7, 1], False)]
)
def test_progress_needs_a_fall_in_both_halves(lost: list[float], falls: bool) -> None:
    columns = {"evaluations": np.array([1.0, 100, 200]), "nash_conv": np.array(lost, dtype=float)}
    run = History(columns, dict.fromkeys(columns, ""), {})
    assert holdem_runs.has_falling_exploitability(run, 200) == falls
    assert holdem_runs.interpolate_at_evaluations(run, "nash_conv", 150) == pytest.approx(
        (lost[1] + lost[2]) / 2
    )


def test_nodes_of_the_tree_count_own_buckets_and_betting() -> None:
    assert holdem_runs.count_player_nodes(4) == 20_090_034


def test_make_agent_loads_a_learned_strategy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pokerlab").mkdir(mode=0o700)
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    game, asked = make_six_bucket_game(), []

    def learn() -> BucketedProfile:
        asked.append("descent")
        return holdem.TupleTable(game).make_profile(np.arange(684.0) + 1.0)

    monkeypatch.setitem(samothrakis2011_holdem.AGENTS, "descent", learn)
    learned, loaded = (make_agent.__wrapped__("descent") for _ in range(2))
    assert len(asked) == 1
    assert np.array_equal(loaded.table, learned.table)
    assert loaded.is_by_situation
    assert game.nash_conv(loaded) == game.nash_conv(learn())


def test_learned_strategy_after_a_change_is_learned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    name = samothrakis2011_holdem.make_agent_file_name
    names = {name("descent"), name("evolved longer")}
    monkeypatch.setattr(samothrakis2011_holdem, "compute_kernel_digest", "source of {}".format)
    names.add(name("descent"))
    info = [{"architecture": "another"}]
    monkeypatch.setattr(samothrakis2011_holdem, "threadpool_info", lambda: info)
    names.add(name("descent"))
    assert len(names) == 4
