"""Every number of Lanctot (2014) beside ours, its slips included."""

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError
from pokerlab.games import SequenceForm
from pokerlab.papers import lanctot2014
from pokerlab.papers.experiment import Published, load_or_run, read_published_numbers
from pokerlab.papers.lanctot2014 import measure_distance_from_fixed_probabilities
from pokerlab.solvers.dynamics import DynamicsState
from studies.lanctot2014 import definitions, interpretations, kuhn3, twins
from tests.oracles import values


def run(game: SequenceForm, iterations: int, **changes: float | str) -> DynamicsState:
    settings = {"payoff_shift": 3.0, "order": "alternating"} | changes
    dynamics = pl.solvers.ReplicatorDynamics(game, **settings)
    return dynamics.step(dynamics.init(), iterations)


def test_there_is_a_row_for_every_printed_number() -> None:
    rows = read_published_numbers("lanctot-2014")
    assert len(rows) == 29
    assert {row.game for row in rows} == {"KP(2)", "KP(3)", "KP(4)"}


def published(key: str) -> Published:
    (row,) = [row for row in read_published_numbers("lanctot-2014") if row.key == key]
    return row


@pytest.mark.parametrize(
    ("key", "near", "far"),
    [
        ("kp2-nash-conv-100", 0.9167, 0.9171),  # 0.916: to a unit of the last digit
        ("kp2-nash-conv-100000", 0.00099, 0.00101),  # below 0.001
        ("kp3-performance-average-100000", 0.59, 0.58),  # "around 0.615": within 5%
        (
            "kp2-performance-current-100000",
            0.19,
            0.21,
        ),  # "around 0.1": to its only digit, which is more
    ],
)
def test_printed_number_is_given_within_its_tolerance(key: str, near: float, far: float) -> None:
    row = published(key)
    assert interpretations.compare_with_printed_number(row, np.array([near])) is True
    assert interpretations.compare_with_printed_number(row, np.array([far])) is False


def test_printed_number_is_given_by_the_range_of_twins() -> None:
    row = published("kp3-epsilon-100000")
    assert interpretations.compare_with_printed_number(row, np.array([0.0010, 0.0023])) is True
    limit = published("kp2-nash-conv-100000")
    assert interpretations.compare_with_printed_number(limit, np.array([0.0009, 0.0011])) is None


def test_first_interpretation_is_simultaneous_at_the_printed_time() -> None:
    row = published("kp2-nash-conv-200")
    found = interpretations.compute_values_by_interpretation(row)
    at_once = run(pl.games.kuhn(2), 200, order="simultaneous")
    assert next(iter(found)) == interpretations.AS_PRINTED
    assert found[interpretations.AS_PRINTED].tolist() == [
        pl.metrics.nash_conv(at_once.game, at_once.average)
    ]
    assert found["alternating updates, labels one record late"][0] == pytest.approx(
        0.170643, abs=5e-7
    )
    assert len(found) == 4


def test_start_has_no_order() -> None:
    found = interpretations.compute_values_by_interpretation(published("kp2-performance-average-1"))
    assert {name: values.tolist() for name, values in found.items()} == {
        interpretations.AS_PRINTED: [0.0],
        interpretations.DIFFERENCE: [pytest.approx(-0.25)],
    }


@pytest.mark.parametrize(
    ("ahead", "decides"), [(20, True), (18, True), (17, None), (3, None), (2, False)]
)
def test_nine_in_ten_twins_decide(ahead: int, decides: bool | None) -> None:
    assert (
        interpretations.decide_by_clear_majority([True] * ahead + [False] * (20 - ahead)) is decides
    )


def test_no_named_choice_of_probabilities_gives_the_distances() -> None:
    rows = [row for row in read_published_numbers("lanctot-2014") if "distance" in row.key]
    counted = interpretations.count_confirmed_distances(rows, "alternating")
    assert counted == {name: 3 * name.startswith("player 2") for name in kuhn3.DISTANCES}


@pytest.mark.parametrize("order", ["alternating", "simultaneous"])
def test_replicator_of_logarithms_takes_the_same_steps(order: str) -> None:
    game = pl.games.kuhn(3)
    start = lanctot2014.draw_profile(game, 1)
    settings = {"payoff_shift": 3.0, "order": order, "start": start}
    plain = pl.solvers.ReplicatorDynamics(game, **settings)  # type: ignore[arg-type]
    logs = twins.LogWeightReplicator(game, **settings)  # type: ignore[arg-type]
    one, two = plain.step(plain.init(), 500), logs.step(logs.init(), 500)
    assert np.allclose(one.behavior, two.behavior, rtol=1e-9, atol=1e-13)
    assert np.allclose(one.plan_sum, two.plan_sum, rtol=1e-9)
    assert np.allclose(np.exp(two.log_behavior), two.behavior, rtol=1e-9)  # type: ignore[attr-defined]
    again = logs.step(logs.step(logs.init(), 200), 300)
    assert np.array_equal(again.behavior, two.behavior)


def test_replicator_of_logarithms_brings_back_an_action_after_underflow() -> None:
    """The row's first action loses until the column has changed, by which time its probability is no 64-bit number."""
    game = pl.games.bimatrix([[0, 3], [2, 0]], [[0, 1], [0, 1]])
    start = pl.games.Profile(game, [0.5, 0.5, 1 - 1e-300, 1e-300])
    logs = twins.LogWeightReplicator(game, payoff_shift=1.0, order="simultaneous", start=start)
    lost = pl.solvers.ReplicatorDynamics(
        game, payoff_shift=1.0, order="simultaneous", start=start, floor=0.0
    )
    state = logs.step(logs.init(), 900)
    assert state.behavior[2] == 0.0 > state.log_behavior[2]  # type: ignore[attr-defined]
    assert logs.step(state, 3000).behavior[2] > 0.99
    assert lost.step(lost.init(), 3900).behavior[2] == 0.0


def test_twins_part_in_simultaneous_order_only() -> None:
    game = pl.games.kuhn(2)
    gaps = {}
    for order in ("alternating", "simultaneous"):
        settings = {"payoff_shift": 3.0, "order": order}
        pair = [
            pl.solvers.ReplicatorDynamics(
                game, **settings, start=twins.make_perturbed_uniform_profile(game, k)
            )  # type: ignore[arg-type]
            for k in (0, 1)
        ]
        one, two = (twin.step(twin.init(), 100_000).average.probabilities for twin in pair)
        gaps[order] = np.abs(one - two).max()
    assert gaps["alternating"] < 1e-8 < 1e-3 < gaps["simultaneous"]


@pytest.mark.parametrize(("iteration", "value"), [(1, 0.916667), (100, 0.170643), (200, 0.096183)])
def test_the_first_records_of_kp2(iteration: int, value: float) -> None:
    state = run(pl.games.kuhn(2), iteration)
    assert pl.metrics.nash_conv(state.game, state.average) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("order", ["alternating", "simultaneous"])
def test_current_columns_at_t_measure_the_paper_s_x_of_t(order: str) -> None:
    config = lanctot2014.Config(order=order, iterations=10, seed=1)
    history = lanctot2014.replicator.run(config).to(10, progress=False).history
    game = pl.games.kuhn(2)
    plans = islice(definitions.iterate_replicator_plans(game.rules, 3.0, order), 10)
    profiles = [
        pl.games.Profile.from_table(game, values.behavior_of_all(game.rules, x)) for x in plans
    ]
    assert history.select_row(1)["nash_conv_current"] == pytest.approx(11 / 12, abs=1e-12)
    for t, profile in enumerate(profiles, 1):
        for column, measure in (
            ("nash_conv", pl.metrics.nash_conv),
            ("epsilon", pl.metrics.epsilon),
            ("performance", pl.metrics.performance),
            ("difference", lanctot2014.compute_performance_difference),
        ):
            ours = history.select_row(t)[f"{column}_current"]
            assert ours == pytest.approx(measure(game, profile), abs=1e-12), (column, t)


def test_current_distances_of_the_audit_are_those_of_x_of_t() -> None:
    game = pl.games.kuhn(3)
    plans = definitions.iterate_replicator_plans(game.rules, 3.0, "alternating")
    for t, x in enumerate(islice(plans, 3), 1):
        profile = pl.games.Profile.from_table(game, values.behavior_of_all(game.rules, x))
        ours = interpretations.measure_profile_at_iteration(
            "KP(3)", "distance_current", t, "alternating"
        )[0]
        assert ours == pytest.approx(
            measure_distance_from_fixed_probabilities(profile, player=1), abs=1e-12
        )


def test_the_flow_is_on_the_bench_and_covers_a_shift_s_worth_of_time() -> None:
    config = lanctot2014.Config(order="continuous", iterations=30, seed=1)
    history = lanctot2014.replicator.run(config).to(30, progress=False).history
    game = pl.games.kuhn(2)
    flow = pl.solvers.ContinuousReplicator(game, time_step=10.0)
    same = pl.metrics.nash_conv(game, flow.step(flow.init()).average)
    assert history["nash_conv_average"][-1] == pytest.approx(same, rel=1e-6)


@pytest.mark.parametrize("change", [{"payoff_shift": 30.0}, {"order": "simultaneous"}])
def test_published_numbers_stand_beside_the_paper_s_own_run_only(change: dict[str, Any]) -> None:
    config = lanctot2014.Config(seed=2)  # which decides nothing from a uniform start
    assert len(lanctot2014.select_published_numbers(config)) > 5
    assert list(lanctot2014.select_published_numbers(replace(config, **change))) == []


def test_the_configs_are_the_paper_s() -> None:
    figures = lanctot2014.FIGURES
    assert [(c.game, c.iterations) for c in figures.values()] == [
        ("KP(2)", 100_000),
        ("KP(3)", 100_000),
        ("KP(4)", 10_000),
    ]
    assert {(c.payoff_shift, c.order, c.start) for c in figures.values()} == {
        (3.0, "alternating", "uniform")
    }


@pytest.mark.parametrize(("game", "there"), [("KP(2)", False), ("KP(3)", True), ("KP(4)", False)])
def test_distances_are_recorded_where_they_are_defined(game: str, there: bool) -> None:
    solver = lanctot2014.make_solver(lanctot2014.FIGURES[game])
    names = {column.name for column in lanctot2014.make_columns(solver)}
    assert ("distance_average" in names) == there


def test_a_recorded_run_is_made_once_and_checked_when_it_is_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    config = lanctot2014.Config(iterations=50, seed=1)
    made = load_or_run("kp2", lanctot2014.replicator.run(config), 50, folder=tmp_path)
    again = load_or_run("kp2", lanctot2014.replicator.run(config), 50, folder=tmp_path)
    assert np.array_equal(made["nash_conv_average"], again["nash_conv_average"])
    assert made.provenance["started"] == again.provenance["started"]
    other = lanctot2014.Config(iterations=50, payoff_shift=4.0, seed=1)
    with pytest.raises(CheckpointError, match="was written with settings"):
        load_or_run("kp2", lanctot2014.replicator.run(other), 50, folder=tmp_path)
