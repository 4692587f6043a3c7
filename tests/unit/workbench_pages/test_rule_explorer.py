"""The rule explorer has a control for each locus, and shows what the strategy says and wins."""

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.holdem import RuleEncoding
from pokerlab.papers import noble2001
from pokerlab.papers.noble2001 import GROUPS, PRINTED, REASONABLE, Config
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench import rule_explorer
from pokerlab.workbench.explorers.rule import RuleExplorer, convert_genes_to_values

HANDS, SEQUENCES = 40, 3


@pytest.fixture(autouse=True)
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, many in (("HANDS", HANDS), ("SEQUENCES", SEQUENCES)):
        monkeypatch.setattr(f"pokerlab.workbench.explorers.rule.{name}", many)


@pytest.fixture(scope="module")
def state() -> PopulationState:
    coevolution = noble2001.make_solver(Config(size=8, seats=3, games=4, hands=5, seed=1))
    return coevolution.step(coevolution.init(), 2)


@pytest.fixture
def explorer(state: PopulationState) -> RuleExplorer:
    return rule_explorer(state, seed=1)


def test_every_genome_finds_its_place_on_the_controls(explorer: RuleExplorer) -> None:
    genomes = RuleEncoding().draw_genomes(np.random.default_rng(1), 5)
    for genome in (*genomes, RuleEncoding().low, RuleEncoding().high):
        explorer.show_values(convert_genes_to_values(genome) | {"start": explorer.values["start"]})
        # Probabilities go by hundredths.
        assert np.allclose(explorer.genome, genome, atol=0.005)
        assert np.array_equal(explorer.genome[2:], genome[2:])


def test_what_is_shown_is_what_is_played(explorer: RuleExplorer, state: PopulationState) -> None:
    explorer.rows["start"].value = REASONABLE[0].name
    assert np.array_equal(explorer.genome, REASONABLE[0].genome)
    for name, group in GROUPS.items():
        how = {"hands": HANDS, "sequences": SEQUENCES, "seed": 1}
        genomes = REASONABLE[0].genome[None]
        played = noble2001.assess_strategies(state.game, RuleEncoding(), genomes, group, **how)
        assert np.array_equal(explorer.won[name], played[:, 0])
    assert RuleEncoding().describe(REASONABLE[0].genome) in explorer.screen.words_widget.value
    assert list(explorer.won) == ["alpha", "beta", "the front"]


def test_a_moved_control_is_answered(explorer: RuleExplorer) -> None:
    assert np.array_equal(explorer.genome, PRINTED.genome)
    before, words = dict(explorer.won), explorer.screen.words_widget.value
    explorer.rows["gene 0"].value = 1.0
    assert "Bluff in 100%" in explorer.screen.words_widget.value != words
    assert not np.array_equal(explorer.won["alpha"], before["alpha"])


def test_where_nobody_is_kept_the_population_plays() -> None:
    config = Config(regime="roulette", size=4, seats=2, games=2, hands=2, seed=1)
    coevolution = noble2001.make_solver(config)
    explorer = rule_explorer(coevolution.step(coevolution.init()), seed=1)
    assert list(explorer.won) == ["alpha", "beta", "its population"]


def test_a_genome_that_means_nothing_is_refused(state: PopulationState) -> None:
    with pytest.raises(SettingError, match="gene 0"):
        rule_explorer(state, np.full(42, -1.0), seed=1)


def test_rule_explorer_draws_each_mean_with_its_error_and_all_rivals(
    explorer: RuleExplorer,
) -> None:
    (panel,) = explorer.picture.picture.strips[0].panels
    assert [words for _, words in panel.x.ticks] == [f"against {name}" for name in explorer.won]
    drawn = panel.numbers
    for place, (name, won) in enumerate(explorer.won.items()):
        assert drawn[f"your strategy, against {name}"].tolist() == [[place], [won.mean()]]
        lines = drawn[f"one that evolution kept, against {name}"][1]
        assert np.array_equal(lines[::3], explorer.reading.rivals[name])
    low, high = panel.y.limits
    assert all(low < value < high for curve in panel.curves for value in curve.y)
    mbb = won.mean() / explorer.reading.big_blind
    assert f"{mbb:+,.1f} against the front".replace("-", "\N{MINUS SIGN}") in explorer.picture.text
