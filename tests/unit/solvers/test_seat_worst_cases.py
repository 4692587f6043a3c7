"""Coevolution seat by seat: what each half is judged by, and that nothing else decides its numbers."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.evolution import CMAES, GradientES
from pokerlab.holdem import TupleTable
from pokerlab.solvers import MinimaxCoevolution, SeatWorstCases
from pokerlab.strategies import DirectEncoding, NetworkEncoding
from tests.random_bucketed import random_buckets
from tests.refusals import refused
from tests.unit.solvers.any_state import states_of

KUHN = pl.games.kuhn()
HOLDEM = pl.holdem.bucketed_limit_holdem(random_buckets(2))
EXACT = 1e-12
ENCODINGS = {"Kuhn poker": DirectEncoding(KUHN), "bucketed hold'em": TupleTable(HOLDEM)}


def coevolution(encoding: Any, **given: Any) -> MinimaxCoevolution:
    judge = SeatWorstCases()
    return MinimaxCoevolution(encoding.game, seed=1, encoding=encoding, worst_case=judge, **given)


def named(name: str) -> MinimaxCoevolution:
    strategy = CMAES if name == "Kuhn poker" else GradientES
    return coevolution(ENCODINGS[name], evolution=strategy(population=6))


def against_seats(encoding: Any, genome: np.ndarray) -> np.ndarray:
    return SeatWorstCases().measure_losses(encoding, genome[None]).values[0]


@pytest.mark.parametrize("name", ENCODINGS)
def test_seat_value_depends_on_the_seats_genes_alone(name: str) -> None:
    encoding, rng = ENCODINGS[name], np.random.default_rng(2)
    genome, other = rng.uniform(0.1, 1.0, (2, encoding.num_genes))
    whole = against_seats(encoding, genome)
    total = encoding.game.nash_conv(encoding.make_profile(genome))
    assert whole.sum() == pytest.approx(total, abs=EXACT)
    for seat, genes in enumerate(encoding.seat_genes):
        mixed = other.copy()
        mixed[genes] = genome[genes]
        values = against_seats(encoding, mixed)
        assert values[seat] == pytest.approx(whole[seat], abs=EXACT)
        assert values[1 - seat] != pytest.approx(whole[1 - seat], abs=1e-6)


@pytest.mark.parametrize("name", ENCODINGS)
def test_seat_genes_partition_the_genes_that_are_read(name: str) -> None:
    encoding = ENCODINGS[name]
    together = np.concatenate(encoding.seat_genes)
    assert len(set(together.tolist())) == len(together)
    if isinstance(encoding, TupleTable):
        assert sorted(together) == np.flatnonzero(encoding.has_effect).tolist()
    else:
        assert sorted(together) == list(range(encoding.num_genes))


@pytest.mark.parametrize("name", ENCODINGS)
def test_best_of_each_seat_never_becomes_worse(name: str) -> None:
    states = states_of(named(name), 30)
    values = np.array([state.best_values for state in states])
    assert (np.diff(values, axis=0) <= 0.0).all()
    assert (values[-1] < values[0]).all()
    for state in states:
        assert state.best_value == pytest.approx(state.exact_value, abs=EXACT)
    assert states[-1].evaluations == 1 + 30 * 7  # six offspring and the mean


def test_generation_measures_the_means_it_draws_from() -> None:
    solver = named("Kuhn poker")
    before = solver.step(solver.init(), 5)
    after = solver.step(before)
    mean = solver.encoding.make_profile(np.concatenate([each.mean for each in before.evolution]))
    assert after.mean_genome_exploitability == pytest.approx(KUHN.nash_conv(mean), abs=EXACT)


def test_identical_seats_draw_different_random_numbers() -> None:
    game = pl.games.rock_paper_scissors()
    solver = coevolution(DirectEncoding(game))
    one, other = (solver.evolution.ask(evolving) for evolving in solver.init().evolution)
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.5


def test_seat_worst_cases_solve_kuhn_poker() -> None:
    state = named("Kuhn poker").step(named("Kuhn poker").init(), 600)
    assert state.best_value < 1e-6
    assert KUHN.values(state.profile)[0] == pytest.approx(-1 / 18, abs=1e-6)


def test_seats_with_different_numbers_of_offspring_evolve() -> None:
    payoffs = np.random.default_rng(1).normal(size=(2, 15))
    game = pl.games.bimatrix(payoffs, -payoffs)
    encoding = DirectEncoding(game)
    solver = coevolution(encoding)
    before = solver.step(solver.init(), 3)
    populations = [evolving.population for evolving in before.evolution]
    assert populations == [6, 12]
    after = solver.step(before)
    for seat, (then, now) in enumerate(zip(before.evolution, after.evolution, strict=True)):
        genome, values = before.best.copy(), []
        for genes in solver.evolution.ask(then):
            genome[encoding.seat_genes[seat]] = genes
            values.append(-against_seats(encoding, genome)[seat])
        told = solver.evolution.tell(then, solver.evolution.ask(then), values)
        assert now.best_fitness == pytest.approx(told.best_fitness, abs=EXACT)
        assert now.mean == pytest.approx(told.mean, abs=1e-9)
    assert after.evaluations == 1 + 4 * 13


LOCKED = pl.games.lock_infosets(KUHN, KUHN.uniform(), 0)
ALIKE = DirectEncoding(pl.games.biased_rps(), seats="shared")
test_seat_worst_cases_reject_what_does_not_split_by_seats = refused(
    (lambda: coevolution(DirectEncoding(pl.games.kuhn(3))), GameError, "zero-sum games for two"),
    (lambda: coevolution(NetworkEncoding(KUHN)), GameError, "does not say which seat reads"),
    (lambda: coevolution(ALIKE), GameError, "share genes"),
    (lambda: coevolution(DirectEncoding(LOCKED)), GameError, "a player has nothing to choose"),
)
