"""What a champion has learned: inputs as it saw them, networks that see some of them held still, exploiters."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pokerlab.core import UnknownNameError
from pokerlab.holdem.network_passes import compute_network_outputs
from pokerlab.papers.nicolai2009 import (
    CONFIGS,
    DuplicateTables,
    collect_inputs,
    compare_two_players,
    fix_inputs,
    make_encoding,
)
from pokerlab.papers.nicolai2009_agents import make_static_agents
from studies.nicolai2009.champions import Champions, build_champions_path
from studies.nicolai2009.exploiters import MEASURES, breed_exploiter, measure_leads_over_champion

NETWORK = make_encoding(CONFIGS["Control"])
CHAMPION = Champions.load(build_champions_path(1)).genomes["Control"]
STATIC = make_static_agents()
OTHERS = {**STATIC, **{f"{name} again": STATIC[name] for name in ("Random", "Caller", "Folder")}}


def test_a_champion_is_seen_at_its_own_decisions() -> None:
    inputs = collect_inputs(NETWORK, CHAMPION, OTHERS, tables=DuplicateTables(duplicates=2, seed=3))
    assert inputs.shape[1] == 35
    first = inputs[0]
    # Ten players' chips, the pot and the empty seat: nine began with 1,000.
    assert first[5:15].sum() + first[0] == 9000.0
    assert ((inputs[:, 3] > 0) & (inputs[:, 3] < 1)).all()
    assert (inputs[:, 14] == 0).all()


def test_what_is_held_is_not_seen_and_the_rest_is() -> None:
    generator = np.random.default_rng(1)
    genome = NETWORK.draw_genomes(generator, 1)[0]
    inputs = generator.random(35)
    blind = fix_inputs(NETWORK, genome, (3, 7), (0.5, 0.25))
    same = inputs.copy()
    same[[3, 7]] = 0.5, 0.25

    def outputs(weights: NDArray[np.float32], seen: NDArray[np.float64]) -> NDArray[np.float32]:
        row = seen[None].astype(np.float32)
        return compute_network_outputs(
            weights[None], np.array([0]), row, num_hidden=NETWORK.hidden, num_outputs=5
        )

    known = outputs(genome, same)
    for changed in (0.0, 1.0, 40.0):
        inputs[[3, 7]] = changed
        np.testing.assert_allclose(outputs(blind, inputs), known, rtol=1e-5)


def test_leads_are_those_of_duels() -> None:
    tables = DuplicateTables(duplicates=40, seed=2)
    (champion,) = NETWORK.make_players(CHAMPION[None], ["champion"])
    for rival in (STATIC["Raiser"], STATIC["Folder"]):
        found = measure_leads_over_champion([rival], champion, tables, 0)
        ranks, won = (
            one.compute_t_tests().difference[0]
            for one in compare_two_players((rival, champion), tables, 1)
        )
        assert [found[name][0] for name in MEASURES] == pytest.approx([-ranks, won])


def test_an_exploiter_gets_ahead_of_what_it_was_bred_against() -> None:
    tables = DuplicateTables(duplicates=10, seed=1)
    (champion,) = NETWORK.make_players(CHAMPION[None], ["champion"])
    bred = breed_exploiter(NETWORK, CHAMPION, "tables won", tables=tables, generations=2)
    fresh = DuplicateTables(duplicates=40, seed=9)
    found = measure_leads_over_champion(NETWORK.make_players(bred[None]), champion, fresh, 0)
    assert found["tables won"][0] > 0.3
    with pytest.raises(UnknownNameError, match="measure"):
        breed_exploiter(NETWORK, CHAMPION, "chips", tables=tables)
