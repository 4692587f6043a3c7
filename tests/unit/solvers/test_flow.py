"""Flows in continuous time against closed forms and other integrations, at large payoffs, and paused."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.integrate
from scipy.integrate import solve_ivp

import pokerlab as pl
from pokerlab.core import ConvergenceError, random_stream
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers import ContinuousReplicator
from tests.unit.solvers.any_state import assert_identical

RTOL, ATOL = 1e-8, 1e-10
DILEMMA = np.array([[3.0, 0.0], [5.0, 1.0]])


def dilemma(scale: float) -> SequenceForm:
    """Return the prisoner's dilemma, times `scale`."""
    return pl.games.bimatrix(scale * DILEMMA, scale * DILEMMA.T)


def by_textbook(
    row: np.ndarray, column: np.ndarray, start: np.ndarray, time: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return both players' probabilities after `time`, and their means, from x_i' = x_i ((A y)_i - x A y)."""
    rows = len(row)

    def change(_: float, state: np.ndarray) -> np.ndarray:
        x, y = state[:rows], state[rows : start.size]
        won, also = row @ y, x @ column
        return np.concatenate([x * (won - x @ won), y * (also - y @ also), x, y])

    begin = np.append(start, np.zeros(start.size))
    path = solve_ivp(change, (0.0, time), begin, method="Radau", rtol=3e-13, atol=1e-15)
    assert path.success
    return path.y[: start.size, -1], path.y[start.size :, -1] / time


@pytest.mark.parametrize(
    ("time", "seed"), [*((0.1, seed) for seed in range(6)), (3.0, 0), (3.0, 1)]
)
def test_flow_of_random_matrices_is_the_textbooks(seed: int, time: float) -> None:
    rng = random_stream(seed, "random matrices")
    row, column = rng.integers(-5, 6, (2, 3, 4)).astype(float)
    game = pl.games.bimatrix(row, column)
    start = np.concatenate([rng.dirichlet(np.ones(k)) for k in row.shape])
    flow = ContinuousReplicator(game, time_step=time, start=Profile(game, start))
    state = flow.step(flow.init())
    end, mean = by_textbook(row, column, start, time)
    assert state.current.probabilities == pytest.approx(end, rel=RTOL, abs=1e-12)
    assert state.plan_sum[2:] == pytest.approx(mean, rel=RTOL, abs=ATOL)


def test_flow_s_last_iterate_is_where_its_average_ends() -> None:
    """A mean up to time T is that of x until x(T): from one iteration to the next, nothing of it is left out."""
    flow = ContinuousReplicator(pl.games.kuhn(), time_step=0.5)
    state = flow.init()
    for count in (0, 1, 3):
        state = flow.step(state, count)
        assert (state.last_iterate.probabilities == state.current.probabilities).all()
        assert not state.last_behavior.flags.writeable


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e5, 1e9])
@pytest.mark.parametrize("time", [1.0, 300.0])
def test_flow_of_large_payoffs_ends_soon(scale: float, time: float) -> None:
    """The odds of a dominated action, by an advantage of 2, fall like exp(-2 t), however large payoffs are."""
    game = pl.games.bimatrix([[2 * scale] * 2, [0, 0]], [[0, 0], [0, 0]])
    flow = ContinuousReplicator(game, time_step=time)
    (first, second), _ = np.split(flow.step(flow.init()).current.probabilities, 2)
    exponent = 2 * scale * time
    assert first == pytest.approx(1 / (1 + np.exp(-exponent)), rel=RTOL)
    assert second == pytest.approx(np.exp(-exponent) / (1 + np.exp(-exponent)), rel=RTOL, abs=0)
    defects = ContinuousReplicator(dilemma(scale), time_step=time)
    state = defects.step(defects.init(), 3)
    assert state.current.get_behavior(0)[1] == pytest.approx(1.0, abs=0.3 / scale)


def test_one_long_step_is_as_exact_as_many_short_ones() -> None:
    """After 40 units of time in Kuhn poker NashConv of the average is 0.1509368."""
    game = pl.games.kuhn()
    long, short = (ContinuousReplicator(game, time_step=step) for step in (40.0, 1.0))
    at_once, by_steps = long.step(long.init()), short.step(short.init(), 40)
    assert at_once.behavior == pytest.approx(by_steps.behavior, rel=1e-6)
    end, mean = runge_kutta(game, 40.0)
    assert game.nash_conv(mean) == pytest.approx(0.1509368, abs=5e-8)
    for state in (at_once, by_steps):
        assert state.current.probabilities == pytest.approx(end.probabilities, abs=1e-7)
        assert game.nash_conv(state.average) == pytest.approx(game.nash_conv(mean), abs=1e-8)


def runge_kutta(game: SequenceForm, time: float, step: float = 0.05) -> tuple[Profile, Profile]:
    """Return where the flow is after `time`, and its average, by the classic method and values of whole profiles."""
    size = game.num_probabilities

    def change(state: np.ndarray) -> np.ndarray:
        behavior = state[:size]
        profile = Profile.from_unchecked(game, behavior)
        reached = np.concatenate([profile.plan(p)[1:] for p in range(2)])
        rates = np.empty(size)
        for player, label in game.infoset_index:
            entries, actions = game.find_action_slice(player, label)
            value = np.empty(len(actions))
            for a in range(len(actions)):
                changed = behavior.copy()
                changed[entries] = np.eye(len(actions))[a]
                value[a] = game.values(Profile.from_unchecked(game, changed))[player]
            own = reached[entries].sum()  # the player's own reach weighs the difference of values
            rates[entries] = (value - behavior[entries] @ value) / own
        return np.concatenate([behavior * rates, reached])

    now = np.concatenate([game.uniform().probabilities, np.zeros(size)])
    for _ in range(round(time / step)):
        a = change(now)
        b = change(now + step / 2 * a)
        c = change(now + step / 2 * b)
        d = change(now + step * c)
        now = now + step / 6 * (a + 2 * b + 2 * c + d)
    plans = [np.append(1.0, now[size:][mine] / time) for mine in game.player_sequences]
    return Profile.from_unchecked(game, now[:size]), Profile.from_plans(game, plans)


@pytest.mark.parametrize("game", [pl.games.kuhn(), pl.games.biased_rps(), dilemma(1e3)])
def test_flow_does_not_depend_on_pauses(game: SequenceForm) -> None:
    flow = ContinuousReplicator(game, time_step=0.7)
    whole = flow.step(flow.init(), 7)
    for paused in ([1] * 7, [3, 4], [6, 1]):
        state = flow.init()
        for count in paused:
            state = flow.step(state, count)
        assert_identical(state, whole)


def test_flows_in_threads_do_not_disturb_each_other() -> None:
    flows = [
        ContinuousReplicator(game, time_step=1.0)
        for game in (pl.games.kuhn(), pl.games.biased_rps(), dilemma(1e3), pl.games.kuhn(3)) * 2
    ]

    def run(flow: Any) -> Any:
        return flow.step(flow.init(), 8)

    alone = [run(flow) for flow in flows]
    with ThreadPoolExecutor(len(flows)) as pool:
        for one, other in zip(pool.map(run, flows), alone, strict=True):
            assert_identical(one, other)


def circling_flow(time_step: float, scale: float = 1.0) -> ContinuousReplicator:
    """Return the flow of rock-paper-scissors, times `scale`, off its center, where it circles forever."""
    win = scale * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    game = pl.games.bimatrix(win, -win)
    start = Profile(game, [0.5, 0.3, 0.2, 0.2, 0.5, 0.3])
    return ContinuousReplicator(game, time_step=time_step, start=start)


@pytest.mark.parametrize("scale", [1e7, 1e300])
def test_flow_that_circles_too_fast_says_what_to_do(
    scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokerlab.solvers.flow.MOST_EVALUATIONS", 5_000)
    flow = circling_flow(1.0, scale)
    with pytest.raises(ConvergenceError, match=r"5,000 evaluations cover .*ivide all payoffs"):
        flow.step(flow.init())


def test_flow_counts_evaluations_of_all_its_integrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integrations with finer and finer tolerances share the evaluations that are allowed."""
    flow, evaluations = circling_flow(30.0), []

    class Counted(scipy.integrate.DOP853):
        def step(self) -> Any:
            before = self.nfev
            message = super().step()
            evaluations.append(self.nfev - before)
            return message

    with monkeypatch.context() as patch:
        patch.setattr("scipy.integrate.DOP853", Counted)
        wanted = flow.step(flow.init())
    most = "pokerlab.solvers.flow.MOST_EVALUATIONS"
    monkeypatch.setattr(most, 2 * sum(evaluations))
    assert_identical(flow.step(flow.init()), wanted)
    monkeypatch.setattr(most, round(0.9 * sum(evaluations)))
    with pytest.raises(ConvergenceError, match="is too fast"):
        flow.step(flow.init())


def test_flow_too_fast_says_what_time_its_evaluations_cover(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They cover the same time of a longer flow, of which it is a smaller share."""
    monkeypatch.setattr("pokerlab.solvers.flow.MOST_EVALUATIONS", 5_000)
    covered = []
    for time_step in (10.0, 1000.0):
        flow = circling_flow(time_step, scale=1e4)
        with pytest.raises(ConvergenceError) as refused:
            flow.step(flow.init())
        found = re.search(r"cover a time of (\S+) of (\S+)\.", str(refused.value))
        assert found is not None
        assert float(found[2]) == time_step
        covered.append(float(found[1]))
    assert covered[0] == pytest.approx(covered[1], rel=0.5)


def test_flow_that_rounding_decides_is_refused() -> None:
    """Two players of biased rock-paper-scissors are chaotic; nobody knows where they are after a long time."""
    game = pl.games.biased_rps()
    start = Profile(game, [0.5, 0.3, 0.2, 0.2, 0.5, 0.3])
    flow = ContinuousReplicator(game, time_step=10.0, start=start, rtol=1e-12)
    with pytest.raises(ConvergenceError, match=r"too sensitive to rounding .*smaller time_step"):
        flow.step(flow.init())
