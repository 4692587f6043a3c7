"""Our states against a plain, mutable pycma that is fed the same normal numbers, to the last bit."""

import warnings

import cma
import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from pokerlab.core import random_stream
from pokerlab.evolution import CMAES, CSAES

SEED = 3
EQUAL = [0.2] * 5 + [0.0] * 5
PLAIN = {"CMA_diagonal": True, "CMA_on": 0}
CASES = {
    "full": (CMAES(), 12, 150, {}),
    "full, 2 genes": (CMAES(), 2, 250, {}),
    "full, seldom decomposed": (CMAES(population=6), 150, 40, {}),
    "full, small population": (CMAES(population=4), 5, 150, {}),
    "full, large population": (CMAES(population=90, step_size=3.0), 3, 100, {}),
    "diagonal": (CMAES(diagonal=True), 12, 150, {"CMA_diagonal": True}),
    "diagonal, many genes": (CMAES(diagonal=True), 684, 40, {"CMA_diagonal": True}),
    "CSA, equal weights": (CSAES(), 12, 150, PLAIN | {"CMA_recombination_weights": EQUAL}),
    "CSA, pycma's weights": (CSAES(weights="pycma"), 12, 150, PLAIN),
    "CSA, odd population": (CSAES(weights="pycma", population=7), 40, 80, PLAIN),
    "CSA, many genes": (CSAES(weights="pycma", population=16), 684, 40, PLAIN),
}


@pytest.fixture(autouse=True)
def one_thread():
    """Let plain pycma round as ours does: with two threads, a product of matrices is summed otherwise."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield


def ellipsoid(genomes):
    """Return minus the sum of squares, the last gene weighing a million times the first."""
    n = genomes.shape[1]
    return -(genomes**2 @ 10.0 ** np.linspace(0.0, 6.0, n))


def plain_pycma(strategy, start, population, options):
    """Return pycma's own object and a list whose entry says which generation's numbers it draws."""
    generation = [0]

    def randn(*shape):
        return random_stream(SEED, "offspring", generation[0]).standard_normal(shape)

    with warnings.catch_warnings():
        made = cma.CMAEvolutionStrategy(
            start,
            strategy.step_size,
            {
                "popsize": population,
                "randn": randn,
                "seed": np.nan,
                "verbose": -9,
                "CMA_mirrors": 0,
                "AdaptSigma": cma.sigma_adaptation.CMAAdaptSigmaCSA,
                **options,
            },
        )
    return made, generation


@pytest.mark.parametrize("case", CASES)
def test_every_generation_is_pycmas(case):
    strategy, n, generations, options = CASES[case]
    start = np.linspace(-1.0, 2.0, n)
    state = strategy.init(start, seed=SEED)
    plain, generation = plain_pycma(strategy, start, state.population, options)
    for generation[0] in range(generations):
        offspring, theirs = strategy.ask(state), np.array(plain.ask())
        np.testing.assert_array_equal(offspring, theirs, err_msg=f"generation {generation[0]}")
        fitness = ellipsoid(offspring)
        state = strategy.tell(state, offspring, fitness)
        plain.tell(list(theirs), list(-fitness))
        np.testing.assert_array_equal(state.mean, plain.mean)
        assert state.step_size == plain.sigma
        np.testing.assert_array_equal(state.step_path, plain.adapt_sigma.ps)
    assert state.generation == plain.countiter == generations
    assert state.evaluations == plain.countevals
    assert state.best_fitness == -plain.best.f
    np.testing.assert_array_equal(state.best, plain.best.x)
    np.testing.assert_array_equal(state.scales, plain.sigma_vec.scaling * np.ones(n))
    np.testing.assert_allclose(state.gene_deviations, plain.stds, rtol=1e-9)


def test_scales_leave_the_covariance_where_pycma_takes_them_out():
    """Past a ratio of 1e8 between genes' variances: to the last bit too."""
    strategy, n = CMAES(), 4
    weights = 10.0 ** np.array([0.0, 2.0, 8.0, 10.0])
    state = strategy.init(np.ones(n), seed=SEED)
    plain, generation = plain_pycma(strategy, np.ones(n), state.population, {})
    for generation[0] in range(220):
        offspring, theirs = strategy.ask(state), np.array(plain.ask())
        np.testing.assert_array_equal(offspring, theirs, err_msg=f"generation {generation[0]}")
        state = strategy.tell(state, offspring, -(offspring**2 @ weights))
        plain.tell(list(theirs), list(theirs**2 @ weights))
    assert state.scales.max() / state.scales.min() > 1e3
    assert plain.gp.isidentity  # the condition stayed below that from which pycma maps the genes
