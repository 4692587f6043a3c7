"""Oliehoek et al. (2006) from random starts; the parallel memory against the naive symmetrization."""

import pytest

from pokerlab.core import SettingError
from pokerlab.papers.oliehoek2006 import Config, solver
from pokerlab.papers.oliehoek2006.starts import (
    ends_from_random_starts,
    parallel_and_naive_rounds,
)

SEEDS = range(6)
EXACT = 1e-9


def test_every_random_start_leads_to_the_value() -> None:
    ends = ends_from_random_starts(Config(iterations=60, seed=1), SEEDS)
    assert [end.converged for end in ends] == [True] * len(SEEDS)
    assert [end.value for end in ends] == pytest.approx([-1 / 16] * len(SEEDS), abs=EXACT)
    assert len({end.strategies[0][0].tobytes() for end in ends}) == len(SEEDS)
    memory = solver(Config(start="random", seed=3))
    assert ends[3].payoffs.tobytes() == memory.step(memory.init(), 60).payoffs.tobytes()


def test_the_naive_memory_needs_more_rounds() -> None:
    rounds = parallel_and_naive_rounds("8-card poker", SEEDS)
    assert rounds.shape == (6, 2)
    assert (rounds[:, 1] > rounds[:, 0]).all()
    assert rounds[:, 0].min() >= 8
    assert rounds[:, 0].max() <= 14
    assert rounds[:, 1].max() <= 30
    assert len(set(rounds[:, 1].tolist())) > 1  # it begins with what the seed draws


def test_too_few_rounds_are_marked() -> None:
    assert parallel_and_naive_rounds("8-card poker", [1], most=3).tolist() == [[-1, -1]]
    with pytest.raises(SettingError, match="seed"):
        parallel_and_naive_rounds("8-card poker", [])
