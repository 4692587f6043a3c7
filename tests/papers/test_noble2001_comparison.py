"""Noble & Watson (2001): the mixed analysis is that of sums of squares, and the run is the unit."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from pokerlab.core import SettingError, stream
from pokerlab.papers.noble2001 import Config, assess, by_run, encoding, game, mixed_analysis, paired
from pokerlab.papers.noble2001.assessment import GROUPS
from pokerlab.papers.noble2001.comparison import (
    HANDS,
    SEQUENCES,
    final_populations,
    genomes_of,
)
from pokerlab.papers.noble2001.experiment import solver
from pokerlab.runs import History

RUNS = 20


def some_runs(seed: int) -> np.ndarray:
    """Return profits of two regimes in paired runs against two groups, (2, RUNS, 2)."""
    luck = stream(seed, "runs")
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
    mixed = mixed_analysis(*data)
    for name, (effect, error) in parts.items():
        f, p = ratio((effect * whole) ** 2, (error * whole) ** 2)
        found = getattr(mixed, name)
        assert found.t**2 == pytest.approx(f), name
        assert found.p == pytest.approx(p), name


def test_signs_say_who_is_better() -> None:
    data = some_runs(0)
    mixed = mixed_analysis(*data)
    assert mixed.regime.mean == pytest.approx(data[0].mean() - data[1].mean())
    assert mixed.group.mean == pytest.approx(data[..., 0].mean() - data[..., 1].mean())
    swapped = mixed_analysis(data[1], data[0])
    assert swapped.regime.t == pytest.approx(-mixed.regime.t)
    assert swapped.group.t == pytest.approx(mixed.group.t)
    assert swapped.interaction.t == pytest.approx(-mixed.interaction.t)


def test_one_effect_by_hand() -> None:
    """Differences 1, 2, 3, 6: mean 3, variance 14/3, so that t is 3 / sqrt(14 / 12)."""
    effect = paired(np.array([1.0, 2.0, 3.0, 6.0]))
    assert effect.mean == 3.0
    assert effect.error == pytest.approx(np.sqrt(14 / 12))
    assert effect.t == pytest.approx(3 / np.sqrt(14 / 12))
    assert effect.wilcoxon == pytest.approx(2 / 2**4)
    assert effect.p == pytest.approx(2 * stats.t.sf(effect.t, 3))


def recorded() -> History:
    """Return three strategies in each of two runs of two regimes, those of a regime not together."""
    rows = [(r, s, k) for k in range(3) for s in (7, 2) for r in ("Pareto", "roulette")]
    regime, seed, place = (np.array(column) for column in zip(*rows, strict=True))
    worth = 100.0 * (regime == "Pareto") + 10.0 * seed + place
    return History(
        {"regime": regime, "seed": seed, "place": place, "alpha": worth, "kept": place > 0}, {}, {}
    )


def test_means_of_runs_are_in_the_order_of_the_seeds() -> None:
    history = recorded()
    assert by_run(history, "alpha", "Pareto").tolist() == [121.0, 171.0]
    assert by_run(history, "alpha", "roulette").tolist() == [21.0, 71.0]


def test_means_of_some_count_nobody_else() -> None:
    history = recorded()
    assert by_run(history, "alpha", "Pareto", history["kept"]).tolist() == [121.5, 171.5]
    assert by_run(history, "alpha", "roulette", ~history["kept"]).tolist() == [20.0, 70.0]


def test_runs_without_such_strategies_are_refused() -> None:
    history = recorded()
    with pytest.raises(SettingError, match="recorded are: Pareto, roulette"):
        by_run(history, "alpha", "best half")
    with pytest.raises(SettingError, match="'Pareto' without such strategies"):
        by_run(history, "alpha", "Pareto", np.zeros(len(history), np.bool_))


def test_last_populations_are_the_last_populations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is what its run ends with, judged by both groups: against the run by itself."""
    assert (HANDS, SEQUENCES) == (500, 20)
    sweeps = __import__("sys").modules[final_populations.__module__]
    monkeypatch.setattr(sweeps, "HANDS", 20)
    monkeypatch.setattr(sweeps, "SEQUENCES", 2)
    config = Config(size=20, games=10, hands=10, iterations=3, seed=0)
    ends = final_populations(config, seeds=[5, 4])
    assert len(ends) == 2 * 2 * 20
    mine = (ends["regime"] == "Pareto") & (ends["seed"] == 4)
    run = solver(replace(config, seed=4))
    state = run.step(run.init(), 3)
    assert (genomes_of(ends, "Pareto", 4) == state.population[0]).all()
    assert genomes_of(ends, "Pareto", 6).shape == (0, 42)
    assert ends["kept"][mine].tolist() == state.front[0].tolist()
    assert ends["age"][mine].tolist() == state.ages[0].tolist()
    assert ends["profit"][mine].tolist() == state.profit[0].tolist()
    for name, group in GROUPS.items():
        won = assess(
            game(config),
            encoding(config),
            state.population[0],
            group,
            hands=20,
            sequences=2,
            seed=1,
        )
        assert ends[name][mine].tolist() == pytest.approx(won.mean(axis=0).tolist())
