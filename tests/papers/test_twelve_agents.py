"""The twelve agents of lessons 15 and 15b."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.holdem import no_limit, ring_game
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.twelve_agents import find_best_evolved_genome, make_twelve_agents
from pokerlab.runs import History

NO_LIMIT = ring_game(no_limit(1, 2), seats=2, stacks=200, duplicates=True)


def test_twelve_agents_have_different_names() -> None:
    assert len({agent.name for agent in make_twelve_agents()}) == 12


@pytest.mark.parametrize("regime", ["Pareto", "roulette"])
def test_best_bred_rules_won_most_of_their_regime(regime: str) -> None:
    recorded = History.load(RUNS / "noble-2001-final.npz")
    best = find_best_evolved_genome(regime)
    won, regimes = recorded["alpha"] + recorded["beta"], recorded["regime"]
    genomes = np.column_stack([recorded[f"gene_{locus}"] for locus in range(42)])
    is_best = (genomes == best).all(axis=1) & (regimes == regime)
    assert won[is_best].max() == max(won[regimes == regime])


def test_bucketed_agents_need_pots_to_play_no_limit() -> None:
    with pytest.raises(SettingError):
        pl.holdem.play_round_robin(NO_LIMIT, make_twelve_agents()[:2], 2, seed=1)
    won, _ = pl.holdem.play_round_robin(
        NO_LIMIT, make_twelve_agents(pot_multiple=1.0)[:2], 2, seed=1
    )
    assert np.isfinite(won).all()


def test_results_of_three_agents_are_those_among_all_twelve() -> None:
    """Lesson 15 plays three of them at the no-limit table, and lesson 15b all twelve."""
    agents = make_twelve_agents(pot_multiple=1.0)
    trio = [3, 4, 5]
    among_three, _ = pl.holdem.play_round_robin(
        NO_LIMIT, [agents[place] for place in trio], 20, seed=1
    )
    among_all, _ = pl.holdem.play_round_robin(NO_LIMIT, agents, 20, seed=1)
    assert np.array_equal(among_three, among_all[np.ix_(trio, trio)])
