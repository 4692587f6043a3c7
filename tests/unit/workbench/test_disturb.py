"""Disturb: what each solver offers, a change while a run goes on, and a start chosen in a triangle."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckedSettings, SettingError, seed_setting, setting
from pokerlab.papers import lanctot2014, noble2001, samothrakis2011
from pokerlab.papers.experiment import Experiment
from pokerlab.runs import Column
from pokerlab.workbench.benches import DECLARED, bench
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.disturb import DisturbFold
from pokerlab.workbench.live.take_home import make_file
from pokerlab.workbench.live.view import Choice, Offer
from pokerlab.workbench.offers import list_offers
from tests.hangs import wait_until

KUHN = pl.games.kuhn()
KP2 = lanctot2014.Config(seed=1)


@dataclass(frozen=True, kw_only=True)
class RockConfig(CheckedSettings):
    """Settings of a replicator in rock-paper-scissors."""

    iterations: int = setting(2000, "When the run ends.", log=(1, 10_000))
    seed: int = seed_setting("Decides nothing.")


ROCKS = Experiment(
    title="Replicator in rock-paper-scissors",
    config_type=RockConfig,
    scales={"lab": RockConfig(seed=1)},
    make_solver=lambda config: pl.solvers.ReplicatorDynamics(
        pl.games.biased_rps(), payoff_shift=500.0
    ),
    make_columns=lambda solver: [
        Column("nash_conv", "NashConv", "", lambda s: pl.metrics.nash_conv(s.game, s.last_iterate))
    ],
)


def open_bench(experiment: Experiment, config: Any, first: int = 100) -> Bench:
    return bench(experiment, config, first=first, key="disturbed")


def test_offers_of_solvers_that_would_undo_a_change_are_none() -> None:
    memory = pl.solvers.ParallelNashMemory(pl.games.one_card_poker(ranks=8))
    for solver in (pl.solvers.CFR(KUHN), pl.solvers.FictitiousPlay(KUHN), memory):
        assert list_offers(solver) == ()


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.experiment.title)
def test_every_offer_of_a_declared_bench_gives_a_state_that_goes_on(declared: Any) -> None:
    solver = declared.experiment.make_solver(declared.experiment.scales["quick"])
    for offer in list_offers(solver):
        values: dict[str, Any] = {}
        for choice in offer.choices:
            options = choice.list_options(values)
            values[choice.name] = options[list(options)[-1]]
        change, words = offer.make_change(values)
        state = change(solver.init())
        assert state.iteration == 0
        assert words
        assert solver.step(state).iteration == 1


@pytest.mark.parametrize("name", ["the uniform strategy", "a best response", "a random strategy"])
def test_mutants_of_every_kind_enter_with_their_share(name: str) -> None:
    solver = pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0)
    state = solver.step(solver.init(), 50)
    mutants = list_offers(solver)[0]
    change, words = mutants.make_change({"who": name, "share": 0.5})
    half, none = change(state), mutants.make_change({"who": name, "share": 0.0})[0](state)
    assert words == f"50% mutants: {name}"
    np.testing.assert_allclose(none.current.probabilities, state.current.probabilities)
    assert (half.current.probabilities != state.current.probabilities).any()


def test_best_response_mutants_gain_what_nash_conv_says() -> None:
    solver = pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0)
    state = solver.step(solver.init(), 50)
    change, _ = list_offers(solver)[0].make_change({"who": "a best response", "share": 1.0})
    responses = change(state).current
    values = KUHN.values(state.current)
    gains = [KUHN.values(state.current.replace(p, responses))[p] - values[p] for p in range(2)]
    assert sum(gains) == pytest.approx(pl.metrics.nash_conv(KUHN, state.current))


def test_disturb_fold_offers_actions_of_the_chosen_situation() -> None:
    made = open_bench(
        lanctot2014.replicator, lanctot2014.Config(game="Leduc", payoff_shift=13.0, seed=1), first=1
    )
    fold = made.disturb_fold
    assert not fold.choice_menus, "a thousand situations are listed before the fold is opened"
    fold.switch.value = True
    fold.offer_menu.value = "Set an action's probability"
    seen = set()
    for index in range(0, 936, 97):
        fold.choice_menus["situation"].index = index
        player, label = fold.choice_menus["situation"].value
        actions = tuple(action for action, _ in fold.choice_menus["action"].options)
        assert actions == made.run.solver.game.find_action_slice(player, label)[1]
        seen.add(actions)
    assert len(seen) > 1


def test_disturbed_bench_marks_the_curve_and_hides_published_numbers() -> None:
    made = open_bench(lanctot2014.replicator, KP2)
    assert made.make_frame().published
    made.disturb_fold.switch.value = True
    made.disturb_fold.choice_menus["who"].label = "always bet"
    made.disturb_fold.apply_selected_change()
    assert made.run.disturbances == [(100, "10% mutants: always bet")]
    assert not made.make_frame().published
    (curves,) = made.picture.find_strip("convergence").panels
    assert [(mark.x, mark.words) for mark in curves.marks] == [(100.0, "10% mutants: always bet")]  # type: ignore[union-attr]
    assert "Changed at t = 100" in made.note
    code = make_file("code", made.experiment, made.config, made.run.history, made.picture).content
    assert b"# At t = 100 this run was changed by hand: 10% mutants: always bet." in code
    made.reset()
    assert made.make_frame().published
    assert made.make_frame().ghosts[0].label == "before (same settings, disturbed)"


def test_disturb_by_a_function_that_fails_is_said_in_words() -> None:
    made = open_bench(lanctot2014.replicator, KP2)
    made.disturb(lambda state: state.nothing, "nonsense")
    assert "AttributeError" in made.note
    assert made.error is None


def test_disturb_of_a_running_bench_happens_between_two_pieces_of_work() -> None:
    made = open_bench(lanctot2014.replicator, KP2)
    made.start()
    wait_until(lambda: made.run.iteration > 150)
    made.disturb(partial(pl.solvers.mix_in_profile, profile=KUHN.uniform(), share=0.5), "half")
    wait_until(lambda: len(made.run.disturbances) == 1)
    when = made.run.disturbances[0][0]
    wait_until(lambda: made.run.iteration > when)
    made.pause()
    assert made.error is None
    assert when in made.run.history["iteration"]


def test_disturb_of_a_finished_run_lets_it_go_on() -> None:
    made = open_bench(lanctot2014.replicator, lanctot2014.Config(iterations=100, seed=1))
    assert made.runner.is_finished
    made.disturb(partial(pl.solvers.mix_in_profile, profile=KUHN.uniform(), share=0.5), "half")
    assert "Run goes on" in made.note
    made.toggle_run()
    wait_until(lambda: made.run.iteration == 200)


def test_disturb_that_fails_is_said_in_words_and_the_run_stays() -> None:
    made = open_bench(lanctot2014.replicator, KP2)
    before = made.run.state
    made.disturb(partial(pl.solvers.mix_in_profile, profile=KUHN.uniform(), share=7.0), "nonsense")
    assert "share is 7.0" in made.note
    assert made.run.state is before
    assert made.run.disturbances == []


def test_newcomers_with_a_name_enter_the_population() -> None:
    config = noble2001.Config(seed=1, size=20, games=5, hands=5)
    made = open_bench(noble2001.pareto_coevolution, config, first=2)
    made.disturb_fold.switch.value = True
    made.disturb_fold.choice_menus["who"].label = "the one that the paper prints"
    made.disturb_fold.apply_selected_change()
    same = (made.run.state.population[0] == noble2001.PRINTED.genome).all(axis=1)
    assert same.sum() == 2
    made.step()
    assert made.error is None


def test_triangle_of_dynamics_begins_where_a_reader_clicks() -> None:
    made = open_bench(ROCKS, RockConfig(seed=1))
    (triangle, _) = made.picture.find_strip("simplex").panels
    assert triangle.can_choose_start  # type: ignore[union-attr]
    made.handle_request({"start": [0.2, 0.3, 0.5]})
    assert made.run.iteration == 0
    np.testing.assert_allclose(made.run.state.current.get_behavior(0), [0.2, 0.3, 0.5])
    np.testing.assert_allclose(made.picture["simplex"]["player 1"][0], [0.2, 0.3, 0.5])
    made.step()
    other = pl.games.Profile(pl.games.biased_rps(), [0.2, 0.3, 0.5, 1 / 3, 1 / 3, 1 / 3])
    fresh = pl.solvers.ReplicatorDynamics(pl.games.biased_rps(), payoff_shift=500.0, start=other)
    expected = fresh.step(fresh.init(), 1).current.probabilities
    np.testing.assert_array_equal(made.run.state.current.probabilities, expected)


@pytest.mark.parametrize("positive", ["absolute", "clipped", "square", "sigmoid", "softmax"])
def test_triangle_of_a_minimax_coevolution_begins_where_a_reader_clicks(positive: str) -> None:
    game = "biased rock-paper-scissors"
    config = samothrakis2011.Config(game=game, representation="direct", positive=positive, seed=1)
    made = open_bench(samothrakis2011.minimax_coevolution, config, first=5)
    made.handle_request({"start": [0.2, 0.3, 0.5]})
    assert made.error is None
    assert made.run.iteration == 0
    np.testing.assert_allclose(made.run.state.profile.get_behavior(0), [0.2, 0.3, 0.5], rtol=1e-9)
    made.step()
    assert made.error is None


def test_triangle_of_networks_says_why_no_start_can_be_chosen() -> None:
    config = samothrakis2011.Config(game="rock-paper-scissors", seed=1)
    made = open_bench(samothrakis2011.minimax_coevolution, config, first=3)
    made.handle_request({"start": [0.2, 0.3, 0.5]})
    assert "Choose the representation 'direct'" in made.note
    assert made.run.iteration == 3


def test_init_of_a_solver_from_another_start_is_that_of_a_solver_with_it() -> None:
    profile = lanctot2014.draw_profile(KUHN, 4)
    plain = pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0)
    started = pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0, start=profile)
    one, other = plain.step(plain.init(profile), 7), started.step(started.init(), 7)
    np.testing.assert_array_equal(one.behavior, other.behavior)
    with pytest.raises(SettingError):
        pl.runs.Run(plain, []).disturb(lambda state: plain.init(profile).game, "no state")


def test_disturb_fold_answers_after_an_interrupt() -> None:
    is_interrupted = [True]

    def list_sizes(values: dict[str, Any]) -> dict[str, Any]:
        if is_interrupted:
            raise KeyboardInterrupt
        return {"small": 1, "large": 2}

    made: list[tuple[Any, str]] = []
    fold = DisturbFold(lambda change, words: made.append((change, words)))
    choice = Choice("size", "Size", list_sizes)
    fold.show_offers([Offer("Change", (choice,), lambda values: (lambda state: state, "changed"))])
    with pytest.raises(KeyboardInterrupt):
        fold.switch.value = True
    is_interrupted.clear()
    fold.update_menus()
    assert list(fold.choice_menus) == ["size"]
