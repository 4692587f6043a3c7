"""Samothrakis & Lucas (2011), section 4.2: what evolution reaches in bucketed hold'em, and what made the difference."""

import pytest

from pokerlab.core import SettingError
from pokerlab.papers.samothrakis2011 import holdem as holdem2011
from pokerlab.papers.samothrakis2011.holdem import (
    Config,
    evolving_holdem,
)

PUBLISHED = 0.84
ALWAYS_FOLD = 1.5


def test_the_published_numbers_stand_beside_the_curves() -> None:
    rows = {row.key: row.value for row in evolving_holdem.published(holdem2011.PAPER_CONFIG)}
    assert rows["holdem-exploitability"] == PUBLISHED
    game = holdem2011.game(6)
    assert game.nash_conv(game.always_fold()) == rows["holdem-always-fold"] == ALWAYS_FOLD


def test_the_papers_settings_are_the_defaults() -> None:
    config = holdem2011.PAPER_CONFIG
    solver = evolving_holdem.solver(config)
    assert (config.population, config.iterations, config.buckets) == (16, 200, 6)
    assert solver.encoding.num_genes == 684
    assert solver.evolution.population == 16


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_more_evaluations_come_within_a_twentieth_of_the_floor() -> None:
    """The floor of the tuple table, by its exact gradient, is about 0.24 small bets."""
    from pokerlab.solvers import ExploitabilityDescent

    descent = ExploitabilityDescent(holdem2011.game(6))
    floor = descent.step(descent.init(), 5000).best_value
    history = evolving_holdem.run(holdem2011.SMALL_STEPS).to(1000).history
    assert history["nash_conv"][-1] < floor + 0.05


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SettingError, match="Population"):
        Config(population=1, seed=1)
    with pytest.raises(SettingError, match="Buckets"):
        Config(buckets=1, seed=1)
