"""The old agents: how children are made, evolved and kept; what is loaded by name, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.holdem import MatrixEncoding
from pokerlab.holdem.matrix_genome import GENOME_SHAPE, NUM_WEIGHTS
from studies.nicolai2009.old_agents import (
    FIRST_PREFIX,
    STARTS,
    OldConfig,
    PatchedAverage,
    load_old_agent_genomes,
    load_old_agents,
    make_old_agent_solver,
    record_old_agents,
)

SMALL = OldConfig(agents=20, tournaments=3, hands_a_level=5, iterations=2, seed=1)
ENCODING = MatrixEncoding(start="scratch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("runs")
    record_old_agents(SMALL, folder=home)
    return home


def test_children_without_mutation_lie_between_two_parents() -> None:
    genomes = ENCODING.draw_genomes(random_stream(1, "parents"), 6)
    chances = np.array([0.5, 0.0, 0.3, 0.2, 0.0, 0.0])
    children = PatchedAverage(mutation=0.0)(
        ENCODING, genomes, chances, 200, random_stream(1, "children")
    )
    assert set(children.parents.ravel()) == {0, 2, 3}
    assert (children.parents[:, 0] != children.parents[:, 1]).all()
    assert children.genomes.dtype == np.float32
    shares = []
    for child, (one, other) in zip(children.genomes, children.parents, strict=True):
        apart = genomes[one] - genomes[other]
        clear = np.abs(apart) > 0.2
        share = ((child - genomes[other]) / np.where(clear, apart, 1.0))[clear]
        assert share.std() < 1e-5
        shares.append(share.mean())
    assert np.mean(shares) == pytest.approx(0.5, abs=0.1)
    assert np.std(shares) == pytest.approx(np.sqrt(1 / 12), abs=0.05)


def test_a_mutation_adds_one_number_to_a_rectangle_of_one_plane() -> None:
    genomes = np.full((2, NUM_WEIGHTS), 0.5, np.float32)
    children = PatchedAverage(mutation=0.3, noise=0.05)(
        ENCODING, genomes, np.full(2, 0.5), 400, random_stream(2, "children")
    )
    changes = (children.genomes - 0.5).reshape(400, *GENOME_SHAPE)
    steps, planes = [], np.moveaxis(changes, -1, 3).reshape(-1, *GENOME_SHAPE[2:4])
    for plane in planes:
        moved = np.argwhere(plane)
        if len(moved):
            low, high = moved.min(axis=0), moved.max(axis=0)
            inside = plane[low[0] : high[0] + 1, low[1] : high[1] + 1]
            assert (inside == inside[0, 0]).all()
            steps.append(inside[0, 0])
    assert len(steps) / len(planes) == pytest.approx(0.3, abs=0.03)
    assert np.std(steps) == pytest.approx(0.05, rel=0.06)
    assert np.mean(steps) == pytest.approx(0.0, abs=0.005)
    wild = PatchedAverage(mutation=1.0, noise=1.0)
    bounded = wild(ENCODING, genomes, np.full(2, 0.5), 20, random_stream(3, "children")).genomes
    assert (ENCODING.validate_genomes(bounded).min(), bounded.max()) == (0.0, 1.0)


def test_what_is_kept_are_the_champions_and_the_head_start(folder: Path) -> None:
    _, kept = load_old_agent_genomes(folder)
    assert kept["OldStart"].tobytes() == MatrixEncoding().make_head_start().tobytes()
    for name, start in [("OldBest", "head start"), ("OldScratch", "scratch")]:
        solver = make_old_agent_solver(SMALL, start)
        first = solver.step(solver.init())
        assert kept[FIRST_PREFIX + name].tobytes() == first.champions[0].tobytes()
        assert kept[name].tobytes() == solver.step(first).champions[0].tobytes()


def test_the_first_generation_has_its_own_agents(folder: Path) -> None:
    first, last = (load_old_agents(folder, first_generation=first) for first in (True, False))
    _, kept = load_old_agent_genomes(folder)
    for name in STARTS:
        assert first[name].parameters.tobytes() != last[name].parameters.tobytes()
        (player,) = MatrixEncoding().make_players(kept[FIRST_PREFIX + name][None], [name])
        assert first[name].parameters.tobytes() == player.parameters.tobytes()
    assert first["OldStart"].parameters.tobytes() == last["OldStart"].parameters.tobytes()
