"""A coevolution's bench shows the gap, the genome, and what the best genome does."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab import games
from pokerlab.core import check_settings, setting
from pokerlab.games import SequenceForm
from pokerlab.papers.experiment import Experiment, Published
from pokerlab.runs import Column
from pokerlab.solvers import InnerEvolution, MinimaxCoevolution
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.view import Declaration
from pokerlab.workbench.picture import Curves
from pokerlab.workbench.views.evolution import SPREAD, GapView, GenomeView, extract_evolved
from pokerlab.workbench.views.strategies import SimplexView, StrategyView, make_strategy_table
from tests.unit.workbench.conftest import Maker


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings of a coevolution."""

    iterations: int = setting(40, label="Generations", help="", source="ours", low=1, high=100)
    seed: int = setting(1, label="Seed", help="", source="ours", low=0, high=9)

    def __post_init__(self) -> None:
        check_settings(self)


def experiment(game: SequenceForm, worst_case: Any = None, *, rechecked: bool = True) -> Experiment:
    """Return the coevolution of a game."""

    def columns(solver: MinimaxCoevolution) -> tuple[Column, ...]:
        unit = solver.game.unit.plural
        exact = solver.worst_case.exact
        return (
            Column("nash_conv", "exploitability", unit, lambda s: s.exact_value),
            Column("evaluations", "evaluations", "", lambda s: s.evaluations),
            *[Column("worst_case", "found", unit, lambda s: s.best_value)] * (not exact),
        )

    return Experiment(
        "Coevolution",
        Config,
        {scale: Config() for scale in ("quick", "lab", "paper")},
        lambda config: MinimaxCoevolution(
            game, seed=config.seed, worst_case=worst_case, rechecked=rechecked
        ),
        columns,
        lambda config: [
            Published("key", game.name, name, np.nan, value, "=", "chips", "page 1", "")
            for name, value in (("nash_conv", 1e-5), ("bets_K_after_bet", 0.999))
        ],
        per_decade=1000,
    )


def shown(game: SequenceForm, worst_case: Any = None) -> Declaration:
    """Return a bench like the paper's."""
    cards = StrategyView({"profile": "best"})
    views = [GapView(), GenomeView(), SimplexView() if game.name.endswith("scissors") else cards]
    return Declaration(experiment(game, worst_case), lambda config: views, extract_evolved)


def gap_curves(bench: Bench) -> Curves:
    """Return the curves of exploitability on a bench."""
    (curves,) = bench.picture.find_strip("gap").panels
    assert isinstance(curves, Curves)
    return curves


def test_curves_and_genomes_are_those_of_all_generations(make: Maker) -> None:
    bench = make(shown(games.kuhn(), InnerEvolution(generations=2)), Config())
    assert [view.name for view in bench.views] == ["gap", "genome", "strategy"]
    states = [bench.state]
    for _ in range(5):
        bench.step()
        states.append(bench.state)
    evaluations = [state.evaluations for state in states]
    gap = bench.picture["gap"]
    assert np.array_equal(gap["nash_conv"], [evaluations, [s.exact_value for s in states]])
    assert np.array_equal(gap["worst_case"], [evaluations, [s.best_value for s in states]])
    genes = [values for _, values in bench.picture["genome"].values()]
    assert np.array_equal(np.transpose(genes), [s.best for s in states])
    table = make_strategy_table(bench.state.game, 0)
    assert np.array_equal(bench.picture["strategy"]["profile"], table.read(bench.state.profile))


def test_an_arrow_points_at_what_a_lazy_judge_believes_below_zero(make: Maker) -> None:
    lazy = experiment(games.biased_rps(), InnerEvolution(generations=1), rechecked=False)
    bench = make(Declaration(lazy, lambda config: [GapView()], extract_evolved), Config())
    assert gap_curves(bench).callout is None
    for _ in range(20):
        bench.step()
    curves = gap_curves(bench)
    assert not curves.y.is_log
    believed = f"{bench.state.best_value:.3g}".replace("-", "−")
    assert curves.title.endswith(f"its judge believes {believed}")
    assert curves.callout is not None
    assert (curves.callout.x, curves.callout.y) == (
        bench.state.evaluations,
        bench.state.best_value,
    )
    low, high = curves.y.limits
    assert low < bench.state.best_value < bench.state.exact_value < high


def test_a_game_of_three_actions_is_shown_as_a_triangle(make: Maker) -> None:
    bench = make(shown(games.biased_rps()), Config())
    assert [view.name for view in bench.views] == ["gap", "genome", "simplex"]
    bench.step()
    mixes = bench.picture["simplex"]["player 1"]
    assert mixes.shape == (2, 3)
    assert np.array_equal(mixes[-1], bench.state.profile.get_behavior(0))
    assert np.allclose(mixes[0], 1 / 3)


def test_after_a_reset_the_run_before_stays_as_a_ghost(make: Maker) -> None:
    bench = make(shown(games.biased_rps()), Config())
    for _ in range(3):
        bench.step()
    before = bench.run.history
    bench.reset()
    ghost = gap_curves(bench).curves[0]
    assert np.array_equal([ghost.x, ghost.y], [before["evaluations"], before["nash_conv"]])
    assert bench.picture["gap"]["nash_conv"].shape == (2, 1)


def test_published_exploitabilities_are_lines_across(make: Maker) -> None:
    bench = make(shown(games.kuhn()), Config())
    drawn = [level.value for level in gap_curves(bench).levels]
    assert 1e-5 in drawn
    assert 0.999 not in drawn


def test_of_hundreds_of_genes_the_spread_is_drawn(make: Maker) -> None:
    bench = make(shown(games.leduc()), Config())
    assert bench.controls.choice_menus["Genome as"].options == (("spread", True),)
    assert list(bench.picture["genome"]) == list(SPREAD)
