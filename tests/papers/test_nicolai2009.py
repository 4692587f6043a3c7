"""Nicolai & Hilderman (2009): the paper's experiments, what columns say, settings that are refused."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.papers.nicolai2009 import (
    PAPER_EXPERIMENTS,
    SCALES,
    Config,
    make_columns,
    make_game,
    make_solver,
)
from pokerlab.solvers.population_coevolution import PopulationState

SMALL = Config(agents=15, tournaments=3, hands_a_level=4, hidden=3, seats=6, iterations=4, seed=3)
TWO = replace(SMALL, agents=10, populations=2, hall="elites", hall_size=5)


def states(config: Config, count: int = 3) -> list[PopulationState]:
    coevolution = make_solver(config)
    walked = [coevolution.init()]
    for _ in range(count):
        walked.append(coevolution.step(walked[-1]))
    return walked


def test_the_papers_experiments_have_the_papers_numbers() -> None:
    """1,000 agents in all, 500 tournaments, a tenth elite; 2,000 or 1,000 compete where there are halls."""
    sizes = {
        "Figure 1: Control": (1, 1000, 0, 1000, 100),
        "Figure 2: two populations": (2, 500, 0, 1000, 50),
        "Figure 3: four populations": (4, 250, 0, 1000, 25),
        "Figure 4: LargeHOF": (1, 1000, 1000, 2000, 100),
        "Figure 4: SmallHOF": (1, 500, 500, 1000, 50),
        "Figure 5: two populations with halls": (2, 500, 500, 2000, 50),
    }
    assert sizes.keys() == PAPER_EXPERIMENTS.keys()
    for name, config in PAPER_EXPERIMENTS.items():
        made = make_solver(config)
        elites = int(made.selection.share * made.size)  # type: ignore[attr-defined]
        entrants = made.game.entrants
        assert (made.populations, made.size, made.hall_of_fame.size, entrants, elites) == sizes[
            name
        ]
        assert made.pairings.count == 500  # type: ignore[attr-defined]
        assert made.encoding.num_genes == 825
        assert config.iterations == 500
        assert made.variation.mutation == made.variation.noise == 0.1  # type: ignore[attr-defined]
    assert SCALES["paper"] == PAPER_EXPERIMENTS["Figure 1: Control"]


def measured(config: Config, count: int = 3) -> tuple[PopulationState, dict[str, float]]:
    state = states(config, count)[-1]
    return state, {
        column.name: column.measure(state) for column in make_columns(make_solver(config))
    }


def test_columns_say_what_the_state_holds() -> None:
    state, said = measured(TWO)
    best = [int(np.argmin(ranks)) for ranks in -state.fitness]
    assert said["rank"] == np.mean([state.mean_rank[p, one] for p, one in enumerate(best)])
    assert said["first"] == np.mean([state.first_places[p, one] for p, one in enumerate(best)])
    won = sum(int(state.hands_won[p, one]) for p, one in enumerate(best))
    assert said["won"] == won / sum(int(state.hands[p, one]) for p, one in enumerate(best))
    for whose, counts in (
        ("everybody", [state.actions[p, n] for p in range(2) for n in range(10)]),
        ("champion", [state.actions[p, one] for p, one in enumerate(best)]),
    ):
        shares = np.sum(counts, axis=0) / np.sum(counts)
        names = [f"{whose}_{kind}" for kind in ("fold", "check", "call", "raise")]
        assert [said[name] for name in names] == pytest.approx(shares.tolist())
    weights = state.population.astype(float)
    assert said["rms"] == pytest.approx(np.sqrt((weights**2).mean()))
    variances = [weights[p, :, g].var() for p in range(2) for g in range(weights.shape[2])]
    assert said["spread"] == pytest.approx(np.sqrt(np.mean(variances)))
    assert said["hands"] == state.num_hands / 3
    ages = [state.iteration - since for since in state.hall.entered.ravel().tolist() if since >= 0]
    assert said["hall_age"] == pytest.approx(np.mean(ages))
    assert said["hall_eldest"] == max(ages)


def test_before_anybody_has_played_columns_are_numbers() -> None:
    for config in (SMALL, TWO, replace(SMALL, hall="infinite", hall_size=10)):
        _, said = measured(config, 0)
        assert np.isfinite(list(said.values())).all()
    assert "hall_age" not in measured(SMALL, 0)[1]


def test_halls_are_at_most_as_large_as_the_population() -> None:
    with pytest.raises(SettingError, match="hall_size is 16; Hall size allows 1 to 15 beside"):
        replace(SMALL, hall_size=16, hall="elites")


def test_the_game_goes_on_until_somebody_has_all_chips() -> None:
    for config in (*PAPER_EXPERIMENTS.values(), *SCALES.values()):
        played = make_game(config)
        assert played.schedule.levels[-1].big_blind >= sum(played.stacks)
        assert played.aggressiveness is not None
