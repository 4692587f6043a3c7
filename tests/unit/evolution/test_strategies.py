"""What holds for every evolution strategy: pure, seeded, leaving the global generator alone, and errors."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.core import ConvergenceError, ShapeError, UnknownNameError
from pokerlab.evolution import CMAES, CSAES, GradientES
from pokerlab.evolution.evolution_states import FITNESS_BEFORE_EVALUATION
from pokerlab.evolution.pycma_adaptation import make_adaptation
from pokerlab.runs.checkpoint import collect_state_values, replace_state_values
from tests.refusals import refused

PYCMA = {
    "CMA-ES": CMAES(population=8),
    "diagonal": CMAES(population=8, diagonal=True),
    "CSA, equal": CSAES(population=8),
    "CSA, pycma": CSAES(population=8, weights="pycma"),
}
STRATEGIES = PYCMA | {"gradient": GradientES(population=8)}
START = np.array([1.0, -2.0, 0.5, 3.0, 1.5])


def sphere(genomes):
    return -(genomes**2).sum(axis=1)


def evolved(strategy, state, generations, fitness=sphere):
    for _ in range(generations):
        offspring = strategy.ask(state)
        state = strategy.tell(state, offspring, fitness(offspring))
    return state


def same(one, other):
    """Whether two states agree in every bit."""
    these, those = collect_state_values(one), collect_state_values(other)
    assert these.keys() == those.keys()
    return all(np.array_equal(these[name], those[name]) for name in these)


@pytest.fixture(params=STRATEGIES)
def strategy(request):
    return STRATEGIES[request.param]


@pytest.fixture(params=PYCMA)
def by_pycma(request):
    return PYCMA[request.param]


def test_ask_is_repeatable(strategy):
    state = evolved(strategy, strategy.init(START, seed=1), 7)
    first = strategy.ask(state)
    evolved(strategy, strategy.init(START, seed=2), 3)
    np.testing.assert_array_equal(strategy.ask(state), first)
    assert len(np.unique(first)) == first.size


def test_tell_ignores_memory_layout(strategy):
    """As it may change on the way to workers and back, or through a file."""
    state = evolved(strategy, strategy.init(START, seed=1), 4)
    leaves = collect_state_values(state)
    for name, value in leaves.items():
        if isinstance(value, np.ndarray):
            leaves[name] = np.array(value, order="C" if value.flags.f_contiguous else "F")
    other = replace_state_values(state, leaves)
    offspring = strategy.ask(other)
    np.testing.assert_array_equal(offspring, strategy.ask(state))
    one = strategy.tell(state, offspring, sphere(offspring))
    assert same(one, strategy.tell(other, np.asfortranarray(offspring), sphere(offspring)))


def test_strategies_leave_numpys_generator_alone(strategy):
    make_adaptation.cache_clear()  # so that pycma makes its objects anew
    np.random.seed(7)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one = evolved(strategy, strategy.init(START, seed=1), 10)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(8)  # noqa: NPY002
    assert same(one, evolved(strategy, strategy.init(START, seed=1), 10))


def test_offspring_depend_on_seed_index_and_generation(strategy):
    asked = [
        strategy.ask(strategy.init(START, seed=seed, index=index))
        for seed, index in [(1, (1, 1)), (2, (1, 1)), (1, (2, 1)), (1, (1, 2))]
    ]
    asked.append(strategy.ask(evolved(strategy, strategy.init(START, seed=1, index=(1, 1)), 1)))
    assert len({offspring.tobytes() for offspring in asked}) == 5


def test_tell_keeps_the_fittest(strategy):
    state = strategy.init(START, seed=1)
    assert state.best_fitness == FITNESS_BEFORE_EVALUATION
    met = []
    for _ in range(40):
        offspring = strategy.ask(state)
        met.extend(zip(sphere(offspring), offspring, strict=True))
        state = strategy.tell(state, offspring, sphere(offspring))
    fitness, genome = max(met, key=lambda pair: pair[0])
    assert state.best_fitness == fitness > sphere(START[None, :])[0]
    np.testing.assert_array_equal(state.best, genome)
    assert (state.generation, state.evaluations) == (40, 320)


def test_tell_with_equal_fitness_prefers_the_earlier(by_pycma):
    state = by_pycma.init(START, seed=1)
    offspring = by_pycma.ask(state)
    flat = by_pycma.tell(state, offspring, np.zeros(8))
    falling = by_pycma.tell(state, offspring, -np.arange(8.0))
    np.testing.assert_array_equal(flat.mean, falling.mean)
    np.testing.assert_array_equal(flat.best, offspring[0])


@pytest.mark.parametrize("power", [-110, 110])
@pytest.mark.parametrize("diagonal", [False, True])
def test_tell_balances_step_size_and_scales(diagonal, power):
    """To the last bit the same run, with numbers that stay in range."""
    strategy, unit = CMAES(population=8, diagonal=diagonal), 2.0**power
    plain = evolved(strategy, strategy.init(START, seed=1), 6)
    drifted = {"step_size": plain.step_size * unit}
    if diagonal:
        drifted["scales"] = plain.scales / unit
    else:
        drifted |= {
            "covariance": plain.covariance / unit**2,
            "axis_lengths": plain.axis_lengths / unit,
            "mean_path": plain.mean_path / unit,
        }
    other = evolved(strategy, replace(plain, **drifted), 20)
    plain = evolved(strategy, plain, 20)
    np.testing.assert_array_equal(other.mean, plain.mean)
    np.testing.assert_allclose(other.gene_deviations, plain.gene_deviations, rtol=1e-12)
    assert 1e-10 < other.step_size < 1e10


def test_tell_with_unbounded_fitness_raises(by_pycma):
    far = replace(by_pycma, step_size=1e95).init(START, seed=1)
    with pytest.raises(ConvergenceError, match="Bound the fitness, or the genes"):
        evolved(by_pycma, far, 1000, lambda genomes: genomes[:, 0])


def test_tell_after_convergence_stays_finite(by_pycma):
    near = replace(by_pycma, step_size=1e-149).init(START, seed=1)
    state = evolved(by_pycma, near, 100)
    assert 1e-150 <= state.step_size < 1e-12
    np.testing.assert_allclose(state.mean, START, rtol=1e-13)


def of_wrong_numbers(strategy):
    """Return what a strategy refuses to begin with and to be told."""
    state, flat = strategy.init(START, seed=1), np.zeros(8)
    offspring, spoilt = strategy.ask(state), strategy.ask(state).copy()
    late, spoilt[3, 2] = np.where(np.arange(8) > 4, np.nan, 0.0), np.nan
    by_gradient = isinstance(strategy, GradientES)
    array = "second_moment" if by_gradient else "scales"
    foreign = (CMAES if by_gradient else GradientES)(population=8).init(START, seed=1)
    refusal = f"the state is a {type(foreign).__name__}; {type(strategy).__name__} continues from a"
    return (
        (
            lambda: strategy.tell(state, offspring, late),
            "individual 5 is nan; give every individual",
        ),
        (lambda: strategy.tell(state, offspring, flat + np.inf), "fitness of individual 0 is inf"),
        (lambda: strategy.tell(state, spoilt, flat), "gene 2 of individual 3 is nan"),
        (lambda: strategy.tell(state, offspring[:7], flat), ShapeError, "ask() gave (8, 5)"),
        (lambda: strategy.tell(state, offspring, flat[:7]), ShapeError, "give one number for each"),
        (lambda: strategy.ask(START), "the state is a ndarray; "),
        (lambda: strategy.ask(foreign), refusal),
        (lambda: strategy.tell(foreign, offspring, flat), refusal),
        (lambda: strategy.init([0.0, np.nan], seed=1), "gene 1 of the mean is nan"),
        (lambda: strategy.init("abc", seed=1), "the mean is 'abc'; an evolution begins with one"),
        (lambda: strategy.init(START, seed=1, index=[1]), "give a tuple of integers"),
        (lambda: strategy.ask(strategy.init(START, seed=-1)), "seed"),
        *(
            (lambda mean=mean: strategy.init(mean, seed=1), ShapeError, "begins with one genome")
            for mean in (1.0, [[1.0, 2.0]], [])
        ),
        (lambda: replace(state, best=flat[:4]), ShapeError, "best has shape (4,); with this"),
        (lambda: replace(state, **{array: flat[:6]}), ShapeError, f"{array} has shape (6,); with"),
    )


test_wrong_numbers_are_refused = refused(
    *(case for strategy in STRATEGIES.values() for case in of_wrong_numbers(strategy))
)
test_impossible_settings_are_refused = refused(
    (lambda: CSAES(weights="even"), UnknownNameError, "there are: equal, pycma"),
    (lambda: CMAES(diagonal=1), "diagonal is 1; it must be True or False"),
    *(
        (lambda kind=kind, many=many: kind(population=many), f"is {many}; it must be an integer")
        for kind in (CMAES, CSAES)
        for many in (-1, 0, 1, 2, 10**30, 8.0)
    ),
    *(
        (lambda kind=kind, size=size: kind(step_size=size), "it must be a number from")
        for kind in (CMAES, CSAES)
        for size in (0.0, -1.0, np.nan, np.inf, 1e300, "wide", True)
    ),
)


def test_default_population_is_pycmas():
    assert [CMAES().init(np.ones(n), seed=1).population for n in (1, 12, 684)] == [4, 11, 23]
