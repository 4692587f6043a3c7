"""Noble & Watson (2001): regimes that begin alike, diversity, genes without effect, bad settings."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, random_stream
from pokerlab.papers.noble2001 import (
    ASSESSED,
    ASSESSED_HANDS,
    GROUPS,
    PARETO,
    REGIMES,
    ROULETTE,
    Config,
    assess_strategies,
    compute_diversity,
    compute_mean_age,
    count_nondominated,
    make_columns,
    make_encoding,
    make_game,
    make_solver,
)
from pokerlab.solvers.population_coevolution import PopulationState
from studies.noble2001.recordings import list_neutral_genes
from tests.oracles.pareto_front import dominates

SMALL = Config(size=20, games=12, hands=15, seed=3)
TABLES, HANDS = 12, 300


def after(count: int, config: Config) -> PopulationState:
    coevolution = make_solver(config)
    return coevolution.step(coevolution.init(), count)


def measured(state: PopulationState, config: Config) -> dict[str, float]:
    return {column.name: column.measure(state) for column in make_columns(make_solver(config))}


@pytest.mark.parametrize("regime", REGIMES)
def test_regimes_with_one_seed_begin_alike_to_the_bit(regime: str) -> None:
    """They meet the same opponents with the same cards, and differ from the second generation on."""
    if regime == "NSGA-II":
        pytest.importorskip("pymoo")
    pareto, other = (make_solver(replace(SMALL, regime=name)) for name in (PARETO, regime))
    first, same = pareto.step(pareto.init()), other.step(other.init())
    assert first.population.tobytes() == same.population.tobytes()
    assert first.profit.tobytes() == same.profit.tobytes()
    assert first.hands.tobytes() == same.hands.tobytes()
    if regime != PARETO:
        later = pareto.step(first).population, other.step(same).population
        assert (later[0] != later[1]).any()


@pytest.mark.parametrize("counted", ["pot by pot", "in games together"])
def test_carried_stacks_are_another_evolution_whose_rows_are_profits(counted: str) -> None:
    carries = replace(SMALL, stacks=30, stacks_carried=True, counted=counted)
    state, other = after(1, carries), after(1, replace(carries, stacks_carried=False))
    assert state.population.tobytes() == other.population.tobytes()
    assert (state.profit != other.profit).any()
    assert state.profit.sum() == 0
    if counted == "pot by pot":
        assert (state.matrix == -state.matrix.T).all()
        assert (state.matrix.sum(axis=1) == state.profit[0]).all()


def mean_distance(genomes: np.ndarray, reach: np.ndarray) -> float:
    """Return diversity by its definition: over all pairs and loci, one after the other."""
    pairs = [(a, b) for a in range(len(genomes)) for b in range(a)]
    shares = [
        abs(genomes[a, locus] - genomes[b, locus]) / reach[locus]
        for a, b in pairs
        for locus in range(genomes.shape[1])
    ]
    return float(np.mean(shares))


@pytest.mark.parametrize("start", ["dealt", "uniform"])
def test_diversity_is_the_mean_difference_of_all_pairs(start: str) -> None:
    rules = make_encoding(replace(SMALL, start=start))
    genomes = rules.draw_genomes(random_stream(1, "diversity"), 9)
    assert compute_diversity(genomes) == pytest.approx(
        mean_distance(genomes, rules.high - rules.low)
    )
    some = np.arange(42) % 5 == 0
    assert compute_diversity(genomes, some) == pytest.approx(
        mean_distance(genomes[:, some], (rules.high - rules.low)[some])
    )


def chips(config: Config, genomes: np.ndarray) -> bytes:
    """Return all chips won at tables of these strategies."""
    lineups = np.array(
        [random_stream(9, "tables", k).permutation(len(genomes))[:10] for k in range(TABLES)]
    )
    played = make_game(config).play(
        make_encoding(config).make_players(genomes), HANDS, seed=5, lineups=lineups
    )
    return played.chips.tobytes()


def flipped(genomes: np.ndarray, gene: int) -> np.ndarray:
    changed = genomes.copy()
    changed[:, gene] = 1.0 - changed[:, gene]
    return changed


@pytest.mark.parametrize("board_bit", ["veto", "license"])
def test_genes_called_neutral_change_no_chip_and_the_other_flags_do(board_bit: str) -> None:
    config = replace(SMALL, board_bit=board_bit)
    genomes = make_encoding(config).draw_genomes(random_stream(2, "neutral"), 40)
    genomes[:, 0] *= 0.1  # bluffers never look at these genes
    played = chips(config, genomes)
    neutral = list_neutral_genes()
    assert len(neutral) == 5
    flags = [gene for gene in range(42) if make_encoding(config).kinds[gene] == 3]
    unheeded = [gene for gene in flags if chips(config, flipped(genomes, gene)) == played]
    assert unheeded == sorted(neutral)


def test_undominated_are_those_whom_no_row_of_the_matrix_dominates() -> None:
    state = after(1, replace(SMALL, size=40, games=2, hands=5))
    dominated = {b for a in range(40) for b in range(40) if dominates(state.matrix, a, b)}
    assert 0 < len(dominated) < 40
    assert count_nondominated(state) == 40 - len(dominated)


def test_ages_are_those_of_the_kept() -> None:
    state = after(4, SMALL)
    kept = [int(age) for age, stays in zip(state.ages[0], state.front[0], strict=True) if stays]
    assert compute_mean_age(state) == sum(kept) / len(kept) > 0.0
    assert compute_mean_age(after(4, replace(SMALL, regime=ROULETTE))) == 0.0


def test_columns_say_what_the_state_holds() -> None:
    state = after(2, SMALL)
    said = measured(state, SMALL)
    assert said["front"] == state.front.sum() == 10
    assert said["bluff"] == pytest.approx(np.mean([one[0] for one in state.population[0]]))
    assert said["check_raise"] == pytest.approx(state.population[0, :, 1].mean())


@pytest.mark.parametrize("size", [ASSESSED, ASSESSED + 15])
def test_columns_assess_some_of_the_strategies_drawn_anew_each_generation(size: int) -> None:
    config = replace(SMALL, size=size)
    state = after(2, config)
    at, judged = (make_game(config), make_encoding(config)), state.population[0]
    won = assess_strategies(*at, judged, GROUPS["beta"], hands=ASSESSED_HANDS, seed=0)[0]
    drawn = random_stream(SMALL.seed, "assessed", 2).permutation(size)[:ASSESSED]
    beta = measured(state, config)["beta"]
    assert beta == pytest.approx(won[drawn].mean())
    assert (beta == pytest.approx(won.mean())) == (size == ASSESSED)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"size": 5, "seats": 10}, "size is 5; Strategies allows 10"), ({"hall_size": 30}, "hall")],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        make_solver(replace(SMALL, **settings)).init()


def test_all_are_undominated_where_wins_are_not_counted_one_by_one() -> None:
    assert count_nondominated(after(1, replace(SMALL, regime="best half"))) == SMALL.size
    assert count_nondominated(after(0, SMALL)) == SMALL.size
