"""What holds for every evolution strategy: pure, seeded, leaving the global generator alone, and errors."""

import dataclasses

import numpy as np
import pytest

from pokerlab.core import ConvergenceError, SettingError, ShapeError, UnknownNameError
from pokerlab.evolution import CMAES, CSAES, GradientES
from pokerlab.evolution.cma_es import adaptation
from pokerlab.evolution.protocol import NOTHING_YET
from pokerlab.runs.checkpoint import leaves_of, with_leaves
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
    these, those = leaves_of(one), leaves_of(other)
    assert these.keys() == those.keys()
    return all(np.array_equal(these[name], those[name]) for name in these)


@pytest.fixture(params=STRATEGIES)
def strategy(request):
    return STRATEGIES[request.param]


@pytest.fixture(params=PYCMA)
def by_pycma(request):
    return PYCMA[request.param]


def test_a_state_has_the_same_offspring_whenever_it_is_asked(strategy):
    state = evolved(strategy, strategy.init(START, seed=1), 7)
    first = strategy.ask(state)
    evolved(strategy, strategy.init(START, seed=2), 3)
    np.testing.assert_array_equal(strategy.ask(state), first)
    assert len(np.unique(first)) == first.size


def test_tell_leaves_the_state_it_was_given_as_it_was(strategy):
    state = evolved(strategy, strategy.init(START, seed=1), 5)
    before = {name: np.copy(value) for name, value in leaves_of(state).items()}
    evolved(strategy, state, 5)
    after = leaves_of(state)
    assert all(np.array_equal(before[name], value) for name, value in after.items())
    assert not any(v.flags.writeable for v in after.values() if isinstance(v, np.ndarray))


def test_layout_in_memory_does_not_matter(strategy):
    """As it may change on the way to workers and back, or through a file."""
    state = evolved(strategy, strategy.init(START, seed=1), 4)
    other = with_leaves(
        state,
        {
            name: np.array(value, order="C" if value.flags.f_contiguous else "F")
            if isinstance(value, np.ndarray)
            else value
            for name, value in leaves_of(state).items()
        },
    )
    offspring = strategy.ask(other)
    np.testing.assert_array_equal(offspring, strategy.ask(state))
    one = strategy.tell(state, offspring, sphere(offspring))
    assert same(one, strategy.tell(other, np.asfortranarray(offspring), sphere(offspring)))


def test_two_runs_from_one_state_agree(strategy):
    state = evolved(strategy, strategy.init(START, seed=1), 5)
    assert same(evolved(strategy, state, 6), evolved(strategy, state, 6))


def test_shapes_stay_so_that_a_checkpoint_can_be_checked(strategy):
    first = strategy.init(START, seed=1)
    later = leaves_of(evolved(strategy, first, 20))
    for name, value in leaves_of(first).items():
        assert type(later[name]) is type(value), name
        assert np.shape(later[name]) == np.shape(value), name


def test_numpys_global_generator_is_left_alone(strategy):
    adaptation.cache_clear()  # so that pycma makes its objects anew
    np.random.seed(7)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one = evolved(strategy, strategy.init(START, seed=1), 10)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(8)  # noqa: NPY002
    assert same(one, evolved(strategy, strategy.init(START, seed=1), 10))


def test_seed_index_and_generation_name_the_numbers(strategy):
    asked = [
        strategy.ask(strategy.init(START, seed=seed, index=index))
        for seed, index in [(1, (1, 1)), (2, (1, 1)), (1, (2, 1)), (1, (1, 2))]
    ]
    asked.append(strategy.ask(evolved(strategy, strategy.init(START, seed=1, index=(1, 1)), 1)))
    assert len({offspring.tobytes() for offspring in asked}) == 5


def test_bigger_is_better_and_the_best_is_kept(strategy):
    state = strategy.init(START, seed=1)
    assert state.best_fitness == NOTHING_YET
    met = []
    for _ in range(40):
        offspring = strategy.ask(state)
        met.extend(zip(sphere(offspring), offspring, strict=True))
        state = strategy.tell(state, offspring, sphere(offspring))
    fitness, genome = max(met, key=lambda pair: pair[0])
    assert state.best_fitness == fitness > sphere(START[None, :])[0]
    np.testing.assert_array_equal(state.best, genome)
    assert (state.generation, state.evaluations) == (40, 320)


def test_only_ranks_count(strategy):
    def squeezed(genomes):
        return np.arctan(sphere(genomes) / 10.0) * 5.0 + 2.0

    plain = evolved(strategy, strategy.init(START, seed=1), 15)
    other = evolved(strategy, strategy.init(START, seed=1), 15, squeezed)
    np.testing.assert_array_equal(plain.mean, other.mean)
    assert plain.step_size == other.step_size


def test_of_equal_fitness_values_the_earlier_counts_as_better(by_pycma):
    state = by_pycma.init(START, seed=1)
    offspring = by_pycma.ask(state)
    flat = by_pycma.tell(state, offspring, np.zeros(8))
    falling = by_pycma.tell(state, offspring, -np.arange(8.0))
    np.testing.assert_array_equal(flat.mean, falling.mean)
    np.testing.assert_array_equal(flat.best, offspring[0])


@pytest.mark.parametrize("power", [-110, 110])
@pytest.mark.parametrize("diagonal", [False, True])
def test_step_size_and_shape_that_have_drifted_apart_are_balanced(diagonal, power):
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
    other = evolved(strategy, dataclasses.replace(plain, **drifted), 20)
    plain = evolved(strategy, plain, 20)
    np.testing.assert_array_equal(other.mean, plain.mean)
    np.testing.assert_allclose(other.deviations, plain.deviations, rtol=1e-12)
    assert 1e-10 < other.step_size < 1e10


def test_nan_fitness_names_the_individual(strategy):
    state = strategy.init(START, seed=1)
    fitness = np.zeros(8)
    fitness[[5, 6]] = np.nan
    with pytest.raises(SettingError, match="fitness of individual 5 is nan; give every individual"):
        strategy.tell(state, strategy.ask(state), fitness)


def test_infinite_fitness_is_refused(strategy):
    state = strategy.init(START, seed=1)
    with pytest.raises(SettingError, match="individual 0 is inf"):
        strategy.tell(state, strategy.ask(state), np.full(8, np.inf))


def test_nan_genes_name_gene_and_individual(strategy):
    state = strategy.init(START, seed=1)
    offspring = strategy.ask(state).copy()
    offspring[3, 2] = np.nan
    with pytest.raises(SettingError, match="gene 2 of individual 3 is nan"):
        strategy.tell(state, offspring, np.zeros(8))
    with pytest.raises(SettingError, match="gene 1 of the mean is nan"):
        strategy.init([0.0, np.nan], seed=1)


def test_wrong_shapes_are_refused(strategy):
    state = strategy.init(START, seed=1)
    offspring = strategy.ask(state)
    with pytest.raises(ShapeError, match=r"shape \(7, 5\); ask\(\) gave \(8, 5\)"):
        strategy.tell(state, offspring[:7], np.zeros(8))
    with pytest.raises(
        ShapeError, match=r"fitness has shape \(7,\); give one number for each of the 8"
    ):
        strategy.tell(state, offspring, np.zeros(7))
    for mean in (1.0, [[1.0, 2.0]], []):
        with pytest.raises(ShapeError, match="an evolution begins with one genome"):
            strategy.init(mean, seed=1)


def test_arrays_of_another_length_make_no_state(strategy):
    state = strategy.init(START, seed=1)
    with pytest.raises(ShapeError, match=r"best has shape \(4,\)"):
        dataclasses.replace(state, best=np.zeros(4))
    name = {"GradientES": "second_moment"}.get(type(strategy).__name__, "scales")
    with pytest.raises(ShapeError, match=rf"{name} has shape \(6,\); with this state's mean"):
        dataclasses.replace(state, **{name: np.ones(6)})


def test_what_is_no_state_is_refused(strategy):
    with pytest.raises(
        SettingError, match=r"the state is a ndarray; .* continues from a .*State. Begin"
    ):
        strategy.ask(START)


def test_a_fitness_that_grows_with_distance_ends_in_a_clear_error(by_pycma):
    far = dataclasses.replace(by_pycma, step_size=1e95).init(START, seed=1)
    with pytest.raises(ConvergenceError, match="Bound the fitness, or the genes"):
        evolved(by_pycma, far, 1000, lambda genomes: genomes[:, 0])


def test_a_run_that_has_converged_goes_on_without_harm(by_pycma):
    near = dataclasses.replace(by_pycma, step_size=1e-149).init(START, seed=1)
    state = evolved(by_pycma, near, 100)
    assert 1e-150 <= state.step_size < 1e-12
    np.testing.assert_allclose(state.mean, START, rtol=1e-13)


@pytest.mark.parametrize("kind", [CMAES, CSAES])
def test_impossible_settings_are_refused(kind):
    for population in (-1, 0, 1, 2, 10**30):
        with pytest.raises(
            SettingError, match=f"population is {population}; it must be an integer from 3"
        ):
            kind(population=population)
    with pytest.raises(SettingError, match="must be an integer"):
        kind(population=8.0)
    for step_size in (0.0, -1.0, np.nan, np.inf, 1e300, "wide", True):
        with pytest.raises(SettingError, match=r"step_size is .*; it must be a number from"):
            kind(step_size=step_size)
    with pytest.raises(SettingError, match="seed"):
        kind().ask(kind().init(START, seed=-1))
    with pytest.raises(SettingError, match="give a tuple of integers"):
        kind().init(START, seed=1, index=[1])
    with pytest.raises(
        SettingError, match="the mean is 'abc'; an evolution begins with one genome"
    ):
        kind().init("abc", seed=1)


test_choices_are_checked = refused(
    (lambda: CSAES(weights="even"), UnknownNameError, "there are: equal, pycma"),
    (lambda: CMAES(diagonal=1), "diagonal is 1; it must be True or False"),
)


def test_populations_left_out_are_pycmas():
    assert [CMAES().init(np.ones(n), seed=1).population for n in (1, 12, 684)] == [4, 11, 23]
