"""Networks on the bench: their habits by chance to win and price."""

import numpy as np
import pytest

from pokerlab.core import SettingError, ShapeError
from pokerlab.holdem import TableNetwork, habits
from pokerlab.papers.nicolai2009 import Config, evolved_networks
from pokerlab.workbench.views import networks
from tests.unit.workbench.conftest import Maker

SMALL = Config(agents=20, tournaments=2, hands_a_level=3, populations=2, iterations=4, seed=1)
WINS, SHARES = np.linspace(0.0, 1.0, 21), np.linspace(0.0, 0.47, 21)


def test_prices_are_evenly_spaced_from_nothing_to_all_in() -> None:
    bets = networks.list_bets()
    shares = bets / (networks.POT + 2 * bets)
    assert bets[0] == 0
    assert bets[-1] == networks.STACK - networks.POT
    # Bets are whole chips.
    assert np.abs(np.diff(shares) - shares[-1] / 20).max() < 1 / networks.POT


def test_the_mean_over_networks_is_shown() -> None:
    encoding = TableNetwork()
    genomes = encoding.draw_genomes(np.random.default_rng(1), 3)
    each = [
        networks.MeanHabits.compute(encoding, genome[None]).action_probabilities
        for genome in genomes
    ]
    assert np.allclose(
        networks.MeanHabits.compute(encoding, genomes).action_probabilities, np.mean(each, axis=0)
    )
    found = habits(encoding, genomes[0], pot=networks.POT, prices=networks.list_bets())
    assert np.array_equal(each[0][0], found.fold[0].T)


def test_prices_that_are_named_are_those_that_are_asked() -> None:
    encoding = TableNetwork()
    genomes = encoding.draw_genomes(np.random.default_rng(1), 2)
    evenly = habits(encoding, genomes)
    named = habits(encoding, genomes, prices=evenly.prices[::2])
    assert np.array_equal(named.fold, evenly.fold[:, :, ::2])
    assert np.array_equal(named.bet, evenly.bet[:, :, ::2])
    with pytest.raises(SettingError, match="give numbers from 0 to 985"):
        habits(encoding, genomes, prices=[0, 986])
    with pytest.raises(ShapeError, match="whole numbers"):
        habits(encoding, genomes, prices=[0.5])


def test_bench_shows_elites_and_champions(make: Maker) -> None:
    bench = make(evolved_networks, SMALL)
    assert bench.picture.find_strip("habits").headline.startswith(
        "All: "
    )  # before the first generation
    bench.step()
    state = bench.state
    for label, genomes in {
        "the elites of population 1": state.population[0][state.front[0]],
        "the champion of population 2": state.champions[1:2],
    }.items():
        bench.controls.choice_menus["Habits of"].label = label
        shown = bench.picture["habits"]
        wanted = networks.MeanHabits.compute(state.encoding, genomes).action_probabilities
        assert np.array_equal(list(shown.values()), wanted)
        assert np.allclose(sum(shown.values()), 1.0)
    assert bench.picture.find_strip("habits").headline.startswith("The champion: ")


def test_titles_say_what_depends_on_cards_and_price() -> None:
    wins, shares = np.meshgrid(WINS, SHARES)

    def finding(fold: np.ndarray, bet: np.ndarray) -> str:
        return networks.MeanHabits(
            WINS, SHARES, np.stack([fold, 1 - fold - bet, bet])
        ).write_finding()

    flat = np.full_like(wins, 0.2)
    assert finding(flat, flat) == (
        "fold 20%, call 60%, raise 20%, whatever the cards, at any pot odds below all-in"
    )
    by_cards = np.where(wins < 0.5, 0.8, 0.0)
    assert finding(by_cards, np.zeros_like(flat)) == (
        "fold 80% of weak hands, 0% of strong ones, at any pot odds below all-in"
    )
    by_price = np.where(shares < 0.3, 0.0, 0.9)
    assert finding(by_price, np.zeros_like(flat)).endswith("; fold 0% if cheap, 90% if expensive")
    # That nobody folds for free, or raises against an all-in, says nothing about a network.
    folds, raises = flat.copy(), flat.copy()
    folds[0] = raises[-1] = 0.0
    assert finding(folds, raises).endswith(
        "raise 20%, whatever the cards, at any pot odds below all-in"
    )
