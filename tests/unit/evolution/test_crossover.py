"""How children are made: whose genes they have, and what mutation does to them."""

from typing import Any

import numpy as np
import pytest

from pokerlab.evolution.population import Crossover
from pokerlab.evolution.population.protocol import Children
from pokerlab.holdem import RuleEncoding
from pokerlab.strategies.encoding import AMOUNT, FLAG, PROBABILITY, RANK
from tests.refusals import refused

RULES = RuleEncoding()
KINDS = RULES.kinds
MANY = 2000
EVENLY = np.full(20, 1 / 20)


def parents_of(count: int = 20, seed: int = 7) -> np.ndarray:
    return RULES.draw_genomes(np.random.default_rng(seed), count)


def born(
    variation: Crossover, genomes: np.ndarray, chances: Any, count: int = MANY, seed: int = 1
) -> Children:
    generator = np.random.default_rng(seed)
    return variation(RULES, genomes, np.asarray(chances), count, generator)


def marked() -> np.ndarray:
    """Return two genomes without a gene in common."""
    return np.stack([RULES.low, RULES.high])


def test_crossover_takes_each_gene_from_a_parent() -> None:
    genomes = parents_of()
    before = genomes.copy()
    children, parents = born(Crossover(mutation=0.0, switch=0.3), genomes, EVENLY)
    first, second = genomes[parents.T]
    assert ((children == first) | (children == second)).all()
    assert (children[:, 0] == first[:, 0]).all()
    assert (parents[:, 0] != parents[:, 1]).all()
    assert len(set(parents.ravel().tolist())) == 20
    assert (genomes == before).all()


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_crossover_switches_parents_at_the_rate(rate: float) -> None:
    children, parents = born(Crossover(mutation=0.0, switch=rate), marked(), [0.5, 0.5])
    from_second = children == marked()[parents[:, 1]]
    share = (from_second[:, 1:] != from_second[:, :-1]).mean()
    assert share == pytest.approx(rate, abs=4 * np.sqrt(rate * (1 - rate) / (41 * MANY)))


def test_draw_parents_follows_the_chances() -> None:
    chances = np.array([0.5, 0.3, 0.2, 0.0])
    parents = born(Crossover(), parents_of(4), chances, 8_000).parents
    shares = np.bincount(parents[:, 0], minlength=4) / 8_000
    assert shares == pytest.approx(chances, abs=4 * 0.5 / np.sqrt(8_000))
    assert shares[3] == 0.0
    after_first = parents[parents[:, 0] == 0, 1]
    shares = np.bincount(after_first, minlength=4) / len(after_first)
    assert shares == pytest.approx([0, 0.6, 0.4, 0], abs=4 * 0.5 / np.sqrt(len(after_first)))


def test_crossover_with_one_possible_parent_uses_it_twice() -> None:
    genomes = parents_of(3)
    children, parents = born(Crossover(mutation=0.0), genomes, [0.0, 1.0, 0.0])
    assert (parents == 1).all()
    assert (children == genomes[1]).all()


def test_asexual_crossover_copies_one_parent() -> None:
    genomes = parents_of()
    children, parents = born(Crossover(mutation=0.0, sexual=False), genomes, EVENLY)
    assert parents.shape == (MANY, 1)
    assert (children == genomes[parents[:, 0]]).all()


def mutants(of: np.ndarray, **settings: Any) -> np.ndarray:
    """Return children of one parent, changed by mutation alone."""
    return born(Crossover(sexual=False, **settings), of[None], [1.0]).genomes


MIDDLE = np.where(KINDS == PROBABILITY, 0.5, np.rint((RULES.low + RULES.high) / 2))
ROOMY = (RULES.high - RULES.low > 1.0) | (KINDS == PROBABILITY)
"""Where a step from the middle does not end at a border at once."""


def test_crossover_mutates_at_the_rate() -> None:
    changed = mutants(MIDDLE, mutation=0.2, catastrophic=0.0) != MIDDLE
    changed = changed[:, ROOMY | (KINDS == FLAG)]
    assert changed.mean() == pytest.approx(0.2, abs=4 * 0.4 / np.sqrt(changed.size))
    assert (mutants(MIDDLE, mutation=0.0) == MIDDLE).all()


def test_step_genes_has_widths_and_moves_integers() -> None:
    widths = (0.03, 2.0, 3.0)
    steps = mutants(MIDDLE, mutation=1.0, catastrophic=0.0, widths=widths) - MIDDLE
    real = steps[:, KINDS == PROBABILITY]
    assert real.std() == pytest.approx(0.03, rel=0.05)
    assert abs(real.mean()) < 4 * 0.03 / np.sqrt(real.size)
    for kind in (RANK, AMOUNT):
        whole = steps[:, (kind == KINDS) & ROOMY]
        assert (whole == np.rint(whole)).all()
        assert (np.abs(whole) >= 1.0).all()
    amounts = steps[:, KINDS == AMOUNT]
    normal = np.random.default_rng(5).normal(0.0, 3.0, 10**6)
    expected = np.maximum(np.abs(np.rint(normal)), 1.0).mean()
    assert np.abs(amounts).mean() == pytest.approx(expected, rel=0.03)
    assert np.abs(amounts.mean()) < 0.1


def test_step_genes_flips_flags() -> None:
    start = parents_of(1)[0]
    flags = KINDS == FLAG
    changed = mutants(start, mutation=1.0, catastrophic=0.0)
    assert (changed[:, flags] == 1.0 - start[flags]).all()


def test_step_genes_without_width_keeps_genes() -> None:
    changed = mutants(MIDDLE, mutation=1.0, catastrophic=0.0, widths=(0, 0, 0))
    assert (changed[:, KINDS != FLAG] == MIDDLE[KINDS != FLAG]).all()


@pytest.mark.parametrize("seed", [1, 2])
def test_crossover_children_stay_in_range_and_reach_its_ends(seed: int) -> None:
    wild = Crossover(mutation=1.0, widths=(1.0, 10.0, 40.0), catastrophic=0.0)
    children = born(wild, parents_of(seed=seed), EVENLY, seed=seed).genomes
    assert (RULES.validate_genomes(children) == children).all()
    assert (children == RULES.low).any(axis=0).all()
    assert (children == RULES.high).any(axis=0).all()


def test_catastrophic_mutations_draw_fresh_values() -> None:
    """All mutations are catastrophic: genes are distributed as in a first generation."""
    fresh = mutants(MIDDLE, mutation=1.0, catastrophic=1.0)
    start = RULES.draw_genomes(np.random.default_rng(3), MANY)
    assert (RULES.validate_genomes(fresh) == fresh).all()
    error = np.sqrt((fresh.var(axis=0) + start.var(axis=0)) / MANY)
    assert (np.abs(fresh.mean(axis=0) - start.mean(axis=0)) < 4.5 * error + 1e-9).all()
    some = mutants(MIDDLE, mutation=0.5, catastrophic=0.1, widths=(0, 0, 0))
    moved = (some != MIDDLE)[:, KINDS == PROBABILITY]
    assert moved.mean() == pytest.approx(0.05, abs=4 * 0.22 / np.sqrt(moved.size))


def test_crossover_of_no_children_is_empty() -> None:
    children, parents = born(Crossover(), parents_of(), EVENLY, 0)
    assert children.shape == (0, 42)
    assert parents.shape == (0, 2)


test_bad_input_is_answered = refused(
    (lambda: Crossover(switch=1.5), "switch is 1.5; it must be a number from"),
    (lambda: Crossover(mutation=-0.1), "mutation is -0.1; it must be a"),
    (lambda: Crossover(catastrophic=float("nan")), "catastrophic is nan; it"),
    (lambda: Crossover(widths=(1.0, 2.0)), "widths are (1.0, 2.0); give"),
    (lambda: Crossover(widths=(1.0, 2.0, -1.0)), "a width is -1.0; it must"),
    (lambda: Crossover(sexual="yes"), "sexual is 'yes'; it must be True or"),
)
