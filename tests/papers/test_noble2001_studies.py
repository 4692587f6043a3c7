"""Noble & Watson (2001): what is recorded of runs, regimes compared, dominance counted anew, one change at a time."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pokerlab.core import random_stream
from pokerlab.evolution.population.protocol import Fitness
from pokerlab.holdem import SeatView
from pokerlab.holdem import rule_genome as loci
from pokerlab.papers import noble2001
from pokerlab.papers.noble2001 import PARETO, ROULETTE, compute_diversity, make_solver
from pokerlab.runs import History
from studies.noble2001 import dominance, recordings
from studies.noble2001.analysis import (
    DifferenceUnderChange,
    analyze_variance_of_regimes_and_groups,
    check_signs_under_each_interpretation,
    combine_outcomes_of_parts,
    compare_behavior_of_regimes,
    compute_behavior_of_strategies,
    compute_mean_differences_by_change,
    compute_permutation_distribution_of_lead_shares,
    compute_profit_differences_by_split,
    count_settings_by_sign,
    decide_sign_of_effect,
    decide_signs_of_effects,
    find_detectable_effect,
    format_p,
    is_difference_significant,
    summarize_front_of_pareto,
)
from studies.noble2001.changes import (
    CHANGES,
    describe_changed_settings,
    has_effect_in_regime,
    list_changes_of_interpretation,
    list_configs_of_changes,
)
from studies.noble2001.dominance import (
    compare_two_judgments_of_population,
    compute_population_fitness,
    measure_reliability_of_judgments,
    replay_generation,
)
from studies.noble2001.recordings import (
    STUDIES,
    measure_generation_of_long_run,
    select_genomes_of_run,
)
from studies.noble2001.styles import count_cycles_of_three, find_signs_of_clear_wins
from tests.at_tables import cash
from tests.oracles.pareto_front import dominates
from tests.oracles.players import rule_decision

RUNS = 20
SMALL = noble2001.Config(size=12, games=6, hands=10, iterations=6, seed=2)
CROWD = noble2001.Config(size=20, hands=10, games=8, seed=6)
GENOMES = noble2001.make_encoding(CROWD).draw_genomes(random_stream(6, "population", 0), 20)
GAMES = [1, 8, 40]


@pytest.fixture
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"HANDS_PER_SEQUENCE": 20, "NUM_SEQUENCES": 2, "MEASURED_HANDS": 12}.items():
        monkeypatch.setattr(recordings, name, value)
    monkeypatch.setattr(dominance, "HAND_COUNTS", (20, 60))
    monkeypatch.setattr(dominance, "OUTSIDE_HANDS", 20)


def some_runs(seed: int) -> np.ndarray:
    """Return profits of two regimes in paired runs against two groups, (2, RUNS, 2)."""
    luck = random_stream(seed, "runs")
    seeds = luck.normal(size=(1, RUNS, 1))
    regimes = np.array([0.4, -0.1])[:, None, None]
    groups = np.array([0.7, 0.0])
    return seeds + regimes + groups + luck.normal(size=(2, RUNS, 2))


def ratio(effect: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Return F with one degree of freedom above and RUNS - 1 below, and its p."""
    f = float(effect.sum() / (error.sum() / (RUNS - 1)))
    return f, float(stats.f.sf(f, 1, RUNS - 1))


@pytest.mark.parametrize("seed", range(4))
def test_each_effect_squared_is_the_ratio_of_sums_of_squares(seed: int) -> None:
    """Both factors are within a seed: each effect has its own interaction with the seeds as error."""
    data = some_runs(seed)
    grand = data.mean()
    seed_means = data.mean(axis=(0, 2), keepdims=True)
    regime = data.mean(axis=(1, 2), keepdims=True)
    group = data.mean(axis=(0, 1), keepdims=True)
    by_regime = data.mean(axis=2, keepdims=True)
    by_group = data.mean(axis=0, keepdims=True)
    cells = data.mean(axis=1, keepdims=True)
    whole = np.ones_like(data)
    parts = {
        "regime": ((regime - grand), by_regime - regime - seed_means + grand),
        "group": ((group - grand), by_group - group - seed_means + grand),
        "interaction": (
            cells - regime - group + grand,
            data - by_regime - by_group - cells + regime + group + seed_means - grand,
        ),
    }
    mixed = analyze_variance_of_regimes_and_groups(*data)
    for name, (effect, error) in parts.items():
        f, p = ratio((effect * whole) ** 2, (error * whole) ** 2)
        found = getattr(mixed, name)
        assert found.t**2 == pytest.approx(f), name
        assert found.p == pytest.approx(p), name


def test_one_effect_by_hand() -> None:
    """Differences 1, 2, 3, 6: mean 3, variance 14/3, so that t is 3 / sqrt(14 / 12)."""
    effect = noble2001.measure_effect(np.array([1.0, 2.0, 3.0, 6.0]))
    assert effect.mean == 3.0
    assert effect.error == pytest.approx(np.sqrt(14 / 12))
    assert effect.t == pytest.approx(3 / np.sqrt(14 / 12))
    assert effect.wilcoxon == pytest.approx(2 / 2**4)
    assert effect.p == pytest.approx(2 * stats.t.sf(effect.t, 3))


def test_runs_of_a_seed_are_paired_in_every_group_of_every_split() -> None:
    rows = [*product((1, 2, 3), (PARETO, ROULETTE), (0, 1))]
    split, regime, run = map(np.array, zip(*rows, strict=True))
    first = 100.0 * split + run + 10.0 * (regime == PARETO) * (run + 1)
    columns = {"split": split, "regime": regime, "run": run, "first": first, "second": -first}
    recorded = History(columns, {}, {})
    apart = compute_profit_differences_by_split(recorded, PARETO, ROULETTE)
    assert apart.tolist() == [[[10.0, 20.0], [-10.0, -20.0]]] * 3


def test_shares_by_chance_exchange_regimes_in_every_way() -> None:
    """Oracle: each run's differences keep or change their signs, written out run by run."""
    apart = random_stream(3, "apart").normal(size=(7, 2, 5))
    shares = [
        (np.mean(apart * np.array(signs), axis=2) > 0).all(axis=1).mean()
        for signs in product((1.0, -1.0), repeat=apart.shape[2])
    ]
    assert compute_permutation_distribution_of_lead_shares(apart).tolist() == shares
    one_run = np.array([[[1.0], [2.0]], [[1.0], [-2.0]]])
    assert compute_permutation_distribution_of_lead_shares(
        np.repeat(one_run, 2, axis=2)
    ).tolist() == [
        0.5,
        0.0,
        0.0,
        0.0,
    ]


def test_two_crossed_factors_err_as_often_as_they_say() -> None:
    """Means of tables whose rows and columns are drawn, all around zero: one in twenty is clear at 5%."""
    luck = random_stream(1, "crossed")
    tables = [
        luck.normal(0, 2, (12, 1)) + luck.normal(0, 1, (1, 15)) + luck.normal(0, 1, (12, 15))
        for _ in range(2000)
    ]
    found = [noble2001.measure_crossed_effect(table) for table in tables]
    assert 0.035 < np.mean([one.p < 0.05 for one in found]) < 0.065
    spread = np.std([one.mean for one in found])
    assert np.mean([one.error for one in found]) == pytest.approx(spread, rel=0.05)


def test_clear_wins_make_cycles() -> None:
    won = np.zeros((4, 3, 3))
    won[:, [0, 1, 2], [1, 2, 0]] = 5.0
    won += 0.01 * np.arange(4)[:, None, None]
    won -= won.swapaxes(1, 2)
    assert count_cycles_of_three(find_signs_of_clear_wins(won) > 0) == 1
    won[0, 0, 1], won[0, 1, 0] = -50.0, 50.0
    assert find_signs_of_clear_wins(won)[0, 1] == 0
    assert count_cycles_of_three(find_signs_of_clear_wins(won) > 0) == 0


def test_last_populations_are_the_last_populations(few_hands: None) -> None:
    """Each is what its run ends with, judged by both groups: against the run by itself."""
    config = noble2001.Config(size=20, games=10, hands=10, iterations=3, seed=0)
    ends = STUDIES["final"]._replace(config=config, seeds=[5, 4]).run()
    assert len(ends) == 2 * 2 * 20
    mine = (ends["regime"] == "Pareto") & (ends["seed"] == 4)
    run = make_solver(replace(config, seed=4))
    state = run.step(run.init(), 3)
    genomes = state.population[0]
    assert (select_genomes_of_run(ends, "Pareto", 4) == genomes).all()
    assert select_genomes_of_run(ends, "Pareto", 6).shape == (0, 42)
    assert ends["kept"][mine].tolist() == state.front[0].tolist()
    assert ends["age"][mine].tolist() == state.ages[0].tolist()
    assert ends["profit"][mine].tolist() == state.profit[0].tolist()
    for name, group in noble2001.GROUPS.items():
        won = noble2001.assess_strategies(
            run.game, run.encoding, genomes, group, hands=20, sequences=2, seed=1
        )
        assert ends[name][mine].tolist() == pytest.approx(won.mean(axis=0).tolist())


def test_what_is_measured_is_what_happens_at_tables_played_one_by_one(few_hands: None) -> None:
    """In plain Python: profit, its swing from hand to hand, who is beaten, calls and raises before the flop."""
    coevolution = make_solver(SMALL)
    state = coevolution.step(coevolution.init(), 2)
    row = measure_generation_of_long_run(state)
    for name, group in noble2001.GROUPS.items():
        members = [one.genome for one in group]
        profits, swings, beaten, entered = [], [], [], []
        for genome in state.population[0]:
            acts: list[int] = []

            def player(view: SeatView, genome: Any = genome, acts: list[int] = acts) -> int:
                action = rule_decision(genome.tolist(), view)
                free = view.legal_actions.to_call == 0
                if view.street == 0 and (action > 0 or (action == 0 and not free)):
                    acts.append(view.hand_number)
                return action

            others = [lambda view, one=one: rule_decision(one.tolist(), view) for one in members]
            played = cash(
                coevolution.game.structure, [player, *others], 12, seed=2, stacks=200, won_from=True
            )
            mine = played.chips[:, 0, 0]
            profits.append(mine.mean() * 1000)
            swings.append(mine.std())
            assert played.won_from is not None
            beaten.append((played.won_from[0, 1:] > 0).mean())
            entered.append(len(acts) / 12)
        assert row[name] == pytest.approx(np.mean(profits))
        assert row[f"{name}_swing"] == pytest.approx(np.mean(swings))
        assert row[f"{name}_beaten"] == pytest.approx(np.mean(beaten))
        assert row[f"{name}_entered"] == pytest.approx(np.mean(entered))
        kept = np.array(profits)[state.front[0]]
        assert row[f"{name}_kept"] == pytest.approx(kept.mean())
    genomes = state.population[0]
    assert [row[f"gene_{gene}"] for gene in range(42)] == pytest.approx(genomes.mean(axis=0))
    assert row["diversity"] == compute_diversity(genomes)
    few, many = row["diversity_neutral"], row["diversity_tested"]
    assert row["diversity"] == pytest.approx((5 * few + 37 * many) / 42)


def dominated_by(matrix: np.ndarray) -> set[tuple[int, int]]:
    """Return the pairs of which the first does better against some and worse against none."""
    people = range(len(matrix))
    return {(a, b) for a in people for b in people if dominates(matrix, a, b)}


def judged_at(config: noble2001.Config, count: int, time: int) -> Fitness:
    return compute_population_fitness(config, replay_generation(config, GENOMES, count, time))


def test_shares_are_those_of_the_pairs_counted_one_by_one() -> None:
    rows = [
        compare_two_judgments_of_population(CROWD, GENOMES, count, np.arange(20.0))
        for count in GAMES
    ]
    assert [row["hands"] for row in rows] == [10, 80, 400]
    for count, row in zip(GAMES, rows, strict=True):
        first, second = (dominated_by(judged_at(CROWD, count, time).matrix) for time in (0, 1))
        free = sum(20 - len({loser for _, loser in pairs}) for pairs in (first, second))
        assert row["undominated"] == pytest.approx(free / 40)
        claimed = len(first) + len(second)
        assert row["pairs"] == pytest.approx(claimed / (2 * 380))
        assert row["upheld"] == pytest.approx(
            2 * len(first & second) / claimed if claimed else np.nan, nan_ok=True
        )
    assert rows[0]["pairs"] > rows[-1]["pairs"]


def test_each_change_is_one_and_has_a_name_of_its_own() -> None:
    names = [
        describe_changed_settings(config)
        for config in list_configs_of_changes()
        if config.regime == PARETO
    ]
    assert len(set(names)) == len(CHANGES) == len(names)
    assert names[0] == "as it is"
    assert describe_changed_settings(
        noble2001.Config(size=50, seed=4)
    ) == describe_changed_settings(noble2001.Config(size=50, regime=ROULETTE, seed=0))


OF_PARETO = [
    change
    for change in CHANGES
    if not has_effect_in_regime(noble2001.Config(regime=ROULETTE, seed=0), change)
]


@pytest.mark.parametrize("change", OF_PARETO, ids=str)
def test_the_regular_algorithm_heeds_nothing_of_pareto_selection(change: dict[str, Any]) -> None:
    small = noble2001.Config(size=20, games=12, hands=15, regime=ROULETTE, seed=1)
    with_it, without = make_solver(replace(small, **change)), make_solver(small)
    ends = with_it.step(with_it.init(), 3), without.step(without.init(), 3)
    assert ends[0].population.tobytes() == ends[1].population.tobytes()


def invented() -> History:
    """Return a study of two seeds: Pareto wins 100 + 10 seed more; a change to it alone costs 300."""
    rows = [
        (change, regime, seed, generation)
        for change, regime in (("as it is", PARETO), ("as it is", ROULETTE), ("Front 1", PARETO))
        for seed in (5, 3)
        for generation in (100, 50)
    ]
    change, regime, seed, generation = (np.array(c) for c in zip(*rows, strict=True))
    worth = (100.0 + 10.0 * seed) * (regime == PARETO) - 300.0 * (change == "Front 1")
    late = np.where(generation == 100, -40.0, 0.0)
    return History(
        {
            "regime": regime,
            "seed": seed,
            "change": change,
            "generation": generation,
            "alpha": worth + late,
            "beta": worth / 2 + late + 7.0,
            "bluff": 0.1 * (regime == ROULETTE),
        },
        {},
        {},
    )


def test_conclusions_are_differences_of_runs_paired_by_seed() -> None:
    found = compute_mean_differences_by_change(invented())
    unchanged, changed = found["alpha"]
    assert (unchanged.change, unchanged.mean) == ("as it is", 140.0)
    assert unchanged.error == pytest.approx(10.0)
    assert (changed.change, changed.mean) == ("Front 1", -160.0)
    assert [one.mean for one in found["beta"]] == [70.0, -80.0]
    assert [one.mean for one in found["both"]] == [105.0, -120.0]
    assert [one.mean for one in found["interaction"]] == [70.0, -80.0]
    assert found["group"][0].mean == pytest.approx(140 / 4 - 7)
    assert [one.mean for one in found["late Pareto"]] == [-40.0, -40.0]
    assert [one.mean for one in found["bluff"]] == pytest.approx([-0.1, -0.1])


def test_a_sign_is_confirmed_contradicted_or_open_in_the_same_way() -> None:
    clear = noble2001.measure_effect(np.array([2.0, 3.0, 4.0, 5.0]))
    open_ = noble2001.measure_effect(np.array([-2.0, 3.0, -4.0, 5.0]))
    assert [decide_sign_of_effect(clear), decide_sign_of_effect(clear, -1)] == [True, False]
    assert [decide_sign_of_effect(open_), decide_sign_of_effect(open_, -1)] == [None, None]
    assert find_detectable_effect(clear) == pytest.approx(2.8 * clear.error)
    assert [format_p(0.0004), format_p(0.0391)] == ["p < 0.001", "p = 0.039"]


def test_a_statement_of_parts_fails_with_one_and_holds_with_all() -> None:
    assert combine_outcomes_of_parts([True, True]) is True
    assert combine_outcomes_of_parts([True, None]) is None
    assert combine_outcomes_of_parts([True, None, False]) is False
    effects = {
        name: noble2001.measure_effect(sign * np.array([2.0, 3.0, 4.0]))
        for name, sign in (("a", 1), ("b", -1))
    }
    assert decide_signs_of_effects(effects, {"a": 1, "b": -1}) is True
    assert decide_signs_of_effects(effects, {"a": 1, "b": 1}) is False


def test_four_seeds_are_clear_beyond_3_18_standard_errors() -> None:
    """The two-sided 5% point of Student's t with three degrees of freedom is 3.182."""
    assert is_difference_significant(DifferenceUnderChange("", -3.19, 1.0), 4)
    assert not is_difference_significant(DifferenceUnderChange("", 3.17, 1.0), 4)
    assert not is_difference_significant(DifferenceUnderChange("", -3.19, 1.0), 4, level=0.01)


def test_interpretations_are_no_numbers_and_judge_all_parts() -> None:
    names = list_changes_of_interpretation()
    assert len(names) == len(set(names)) == 16
    assert "Board bit: license" in names
    assert not {"as it is", "Strategies: 50", "Stacks: 1000"} & set(names)
    clear = {"Board bit: license": 5.0, "Amounts are: price": -5.0}
    found = {
        "alpha": [DifferenceUnderChange(name, clear.get(name, 5.0), 1.0) for name in names],
        "beta": [DifferenceUnderChange(name, clear.get(name, 1.0), 1.0) for name in names],
    }
    outcomes = check_signs_under_each_interpretation(found, {"alpha": 1, "beta": 1}, 4)
    assert list(outcomes) == names
    assert outcomes.pop("Board bit: license") is True
    assert outcomes.pop("Amounts are: price") is False
    assert set(outcomes.values()) == {None}


def test_behavior_is_compared_run_by_run_and_corrected_for_four() -> None:
    """Four runs a regime of two strategies each; the correction is that of Benjamini and Hochberg, by hand."""
    rows = [*product((PARETO, ROULETTE), range(4), range(2))]
    regime, seed, _ = map(np.array, zip(*rows, strict=True))
    luck = random_stream(1, "behavior")
    genes = {f"gene_{gene}": luck.normal(size=len(rows)) for gene in range(loci.NUM_GENES)}
    final = History({"regime": regime, "seed": seed, **genes}, {}, {})
    alone = {
        what: noble2001.measure_effect(
            np.subtract(
                *(values.reshape(2, 4, 2).mean(axis=2))  # regimes, runs, strategies
            )
        )
        for what, values in compute_behavior_of_strategies(final).items()
    }
    compared = compare_behavior_of_regimes(final, PARETO, ROULETTE)
    assert [one.mean for one in compared.values()] == pytest.approx(
        [one.mean for one in alone.values()]
    )
    named, streets = [*alone][:4], [*alone][4:]
    assert streets == ["preflop", "flop", "turn", "river"]
    assert all(compared[street].p == pytest.approx(alone[street].p) for street in streets)
    smallest = 1.0
    for rank, what in reversed([*enumerate(sorted(named, key=lambda one: alone[one].p), 1)]):
        smallest = min(smallest, alone[what].p * 4 / rank)
        assert compared[what].p == pytest.approx(smallest)


def test_signs_are_counted_at_both_levels() -> None:
    found = [DifferenceUnderChange("", mean, 1.0) for mean in (1.0, -1.0, -4.0, -8.0)]
    assert count_settings_by_sign(found, 1, 4) == (
        1,
        2,
        1,
    )  # the points are 3.18 and, for 5% / 4, 5.39
    assert count_settings_by_sign(found, -1, 4) == (3, 0, 0)


def test_the_front_is_that_of_pareto_selection_and_its_ages_those_of_runs() -> None:
    regime = np.repeat([PARETO, ROULETTE], 6)
    columns = {
        "regime": regime,
        "seed": np.tile([0, 0, 0, 1, 1, 1], 2),
        "kept": np.array([True, True, False, True, True, True] + [False] * 6),
        "age": np.array([0, 4, 9, 1, 0, 2] + [7] * 6),
        "undominated": np.array([3, 3, 3, 2, 2, 2] + [1] * 6),
    }
    long = {
        "regime": np.array([PARETO, PARETO, ROULETTE]),
        "front": np.array([4, 2, 0]),
        "undominated": np.array([5, 9, 1]),
    }
    front = summarize_front_of_pareto(History(columns, {}, {}), History(long, {}, {}))
    assert front.ages.tolist() == [0, 4, 1, 0, 2]
    assert front.medians == [2.0, 1.0]
    assert front.share_new == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert (front.smallest, front.fewest_undominated) == (2, 2)


def test_rules_are_compared_over_populations_of_one_kind() -> None:
    columns = {
        "crowd": np.array(["evolved"] * 4 + ["random"]),
        "size": np.array([100, 100, 100, 20, 100]),
        "hands": np.full(5, 10_000.0),
        "front lead": np.array([1.0, 2.0, 6.0, 90.0, 90.0]),
        "best half lead": np.array([0.0, 3.0, 1.0, 0.0, 0.0]),
    }
    recorded = History(columns, {}, {})
    leads = dominance.select_reliability_column(recorded, "front lead", "evolved")
    assert leads.tolist() == [1.0, 2.0, 6.0]
    assert dominance.measure_lead_of_front_over_best_half(
        recorded, "evolved"
    ).mean == pytest.approx(5 / 3)


def test_signs_say_who_is_better() -> None:
    data = some_runs(0)
    mixed = analyze_variance_of_regimes_and_groups(*data)
    assert mixed.regime.mean == pytest.approx(data[0].mean() - data[1].mean())
    assert mixed.group.mean == pytest.approx(data[..., 0].mean() - data[..., 1].mean())
    swapped = analyze_variance_of_regimes_and_groups(data[1], data[0])
    assert swapped.regime.t == pytest.approx(-mixed.regime.t)
    assert swapped.group.t == pytest.approx(mixed.group.t)
    assert swapped.interaction.t == pytest.approx(-mixed.interaction.t)


def test_the_first_time_is_the_first_generation_of_a_run() -> None:
    run = make_solver(CROWD)
    state = run.step(run.init())
    assert state.population[0].tobytes() == GENOMES.tobytes()
    assert judged_at(CROWD, CROWD.games, 0).matrix.tobytes() == state.matrix.tobytes()


def test_equal_cards_uphold_everything_and_keep_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    always = replay_generation(CROWD, GENOMES, 2, 0)
    monkeypatch.setattr(dominance, "replay_generation", lambda *_: always)
    monkeypatch.setattr(dominance, "random_stream", lambda *_: random_stream(0, "the same"))
    row = compare_two_judgments_of_population(CROWD, GENOMES, 2, np.arange(20.0))
    assert row["pairs"] > 0
    assert row["upheld"] == row["front again"] == row["best half again"] == 1.0


def test_who_is_kept_leads_by_what_he_is_worth_elsewhere() -> None:
    """The best half by the profits of so many games, sorted by hand, and how far above the mean it is."""
    good = np.arange(20.0) ** 2
    row = compare_two_judgments_of_population(CROWD, GENOMES, 40, good)
    leads = []
    for time in (0, 1):
        met = replay_generation(CROWD, GENOMES, 40, time)
        best = np.argsort(-met.profit / np.maximum(met.hands, 1))[:10]
        leads.append(good[best].mean() - good.mean())
    assert row["best half lead"] == pytest.approx(np.mean(leads))


def test_reliability_judges_the_first_and_the_last_population(few_hands: None) -> None:
    rows = measure_reliability_of_judgments(replace(SMALL, iterations=2))
    assert [row["crowd"] for row in rows] == ["random"] * 2 + ["evolved"] * 2
    assert [row["hands"] for row in rows] == [20, 60] * 2
    run = make_solver(SMALL)
    for row, genomes in zip(
        rows[::2], (run.init().population[0], run.step(run.init(), 2).population[0]), strict=True
    ):
        outside = [
            noble2001.assess_strategies(run.game, run.encoding, genomes, group, hands=20, seed=4)[0]
            for group in noble2001.GROUPS.values()
        ]
        alone = compare_two_judgments_of_population(
            replace(SMALL, iterations=2), genomes, 2, np.mean(outside, axis=0)
        )
        assert row == pytest.approx({"crowd": row["crowd"], **alone}, nan_ok=True)


def test_later_generations_meet_earlier(few_hands: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "MEASURING_INTERVAL": 2,
        "COMPARED_GENERATIONS": (1, 4, 6),
        "NUM_SHARED_TABLES": 5,
    }.items():
        monkeypatch.setattr(recordings, name, value)
    rows = recordings.record_long_run(SMALL)
    assert [row["generation"] for row in rows] == [1, 2, 4, 6]
    met = [[not np.isnan(row[f"from {older}"]) for older in (1, 4)] for row in rows]
    assert met == [[False, False], [False, False], [True, False], [True, True]]


def test_who_plays_better_wins_at_shared_tables() -> None:
    """Ten rocks and ten calling stations, in either place: what one half wins, the other loses."""
    caller = next(one.genome for one in noble2001.BAD if one.name == "calling station")
    good, poor = (np.tile(genome, (10, 1)) for genome in (noble2001.REASONABLE[0].genome, caller))
    coevolution = make_solver(noble2001.Config(seed=1))
    won = [
        recordings.measure_profit_at_shared_tables(coevolution, *pair)
        for pair in ((poor, good), (good, poor))
    ]
    assert won[0] > 300
    assert won[1] < -300
