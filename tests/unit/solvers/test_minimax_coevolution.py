"""Minimax coevolution: known equilibria, gaps that show, runs that go on as if nothing had been."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError, UnknownNameError, random_stream
from pokerlab.evolution import CMAES, CSAES
from pokerlab.runs.history import list_solver_parameters
from pokerlab.solvers import ExactWorstCase, InnerEvolution, MinimaxCoevolution
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.solvers.worst_case import Measurement
from pokerlab.strategies import DirectEncoding, NetworkEncoding
from tests.oracles.values import matrix_value
from tests.random_bucketed import random_buckets
from tests.refusals import refused
from tests.unit.solvers.any_state import assert_identical, states_of

RPS = pl.games.biased_rps()
KUHN = pl.games.kuhn()
EXACT = 1e-12
EQUILIBRIUM = [1 / 16, 10 / 16, 5 / 16]


def evolved(solver: MinimaxCoevolution, generations: int) -> MinimaxState:
    return solver.step(solver.init(), generations)


def by_evolution(**inner: Any) -> MinimaxCoevolution:
    return MinimaxCoevolution(RPS, seed=1, worst_case=InnerEvolution(**inner))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_minimax_solves_biased_rps_in_two_thousand_evaluations(seed: int) -> None:
    state = evolved(MinimaxCoevolution(RPS, seed=seed), 280)
    assert state.evaluations <= 2000
    assert state.best_value <= 1e-9
    for player in range(2):
        assert state.profile.get_behavior(player) == pytest.approx(EQUILIBRIUM, abs=1e-9)


def reaches_value(number: int, **given: Any) -> bool:
    """Return whether evolution ends near the value of a random matrix of whole numbers."""
    won = random_stream(number, "matrix").integers(-9, 10, (3, 3))
    game = pl.games.bimatrix(won, -won)
    encoding = DirectEncoding(game, **given) if given else None
    state = evolved(MinimaxCoevolution(game, seed=1, encoding=encoding), 300)
    error = abs(game.values(state.profile)[0] - matrix_value(won))
    assert error <= state.exact_value + 1e-9
    return bool(state.exact_value <= 1e-4)


def test_minimax_coevolution_of_random_matrices_finds_equilibria() -> None:
    """As a rule: a clipped gene that ends below zero can hide an action that an equilibrium needs."""
    assert sum(map(reaches_value, range(12))) >= 9


@pytest.mark.parametrize("number", range(12))
def test_minimax_coevolution_of_absolute_genes_finds_equilibria(number: int) -> None:
    assert reaches_value(number, positive="absolute")


def test_default_encoding_shares_genes_only_in_symmetric_games() -> None:
    coordination = [[2, 0], [0, 1]]
    shared = [RPS, pl.games.rock_paper_scissors(), pl.games.identical_payoffs(coordination)]
    own = [
        pl.games.bimatrix([[3, 0], [1, 2]], [[-3, 0], [-1, -2]]),
        pl.games.bimatrix([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        pl.games.identical_payoffs([[2, 1], [0, 1]]),
        KUHN,
    ]
    for seats, games in {"shared": shared, "own": own}.items():
        for game in games:
            mine = MinimaxCoevolution(game, seed=1)
            assert mine.encoding.seats == seats  # type: ignore[attr-defined]
            given = MinimaxCoevolution(game, seed=1, encoding=DirectEncoding(game, seats=seats))
            assert_identical(evolved(mine, 3), evolved(given, 3))


@pytest.mark.parametrize(
    ("worst_case", "seed"),
    [(ExactWorstCase(), 1), (ExactWorstCase(), 2), (InnerEvolution(generations=10), 1)],
)
def test_minimax_with_own_genes_finds_each_seats_equilibrium_part(
    worst_case: Any, seed: int
) -> None:
    """Player 1 mixes 1/4 and 3/4, player 2 equally; with one mix for both NashConv stays at 1/4."""
    game = pl.games.bimatrix([[3, 0], [1, 2]], [[-3, 0], [-1, -2]])
    state = evolved(MinimaxCoevolution(game, seed=seed, worst_case=worst_case), 60)
    assert state.exact_value < 0.02
    assert state.profile.probabilities == pytest.approx([0.25, 0.75, 0.5, 0.5], abs=0.02)


def test_minimax_with_a_network_solves_biased_rps() -> None:
    encoding = NetworkEncoding(RPS, hidden=1)
    state = evolved(MinimaxCoevolution(RPS, seed=1, encoding=encoding), 400)
    assert state.best_value <= 1e-6


def test_init_measures_the_start() -> None:
    state = MinimaxCoevolution(KUHN, seed=1).init()
    assert (state.iteration, state.evaluations) == (0, 1)
    assert state.best_value == pytest.approx(11 / 12, abs=EXACT)
    assert (state.profile.probabilities == 0.5).all()


def test_best_with_exact_worst_case_never_becomes_worse() -> None:
    states = states_of(MinimaxCoevolution(KUHN, seed=3), 60)
    values = np.array([state.best_value for state in states])
    assert (np.diff(values) <= 0.0).all()
    assert values[-1] < values[0] / 4
    for state in states[1:]:
        assert state.best_value == pytest.approx(KUHN.nash_conv(state.profile), abs=EXACT)
        assert state.gap == pytest.approx(0.0, abs=EXACT)
        assert state.best_value <= state.generation_value
        assert state.best_value == pytest.approx(-state.evolution.best_fitness, abs=EXACT) or (
            state.best_value == states[0].best_value
        )
    assert states[-1].evaluations == 1 + 60 * states[-1].evolution.population


def test_minimax_of_three_players_evolves_one_strategy() -> None:
    three = pl.games.kuhn(3)
    state = evolved(MinimaxCoevolution(three, seed=1), 300)
    assert state.best_value == pytest.approx(pl.metrics.nash_conv(three, state.profile), abs=EXACT)
    assert state.epsilon == pytest.approx(pl.metrics.epsilon(three, state.profile), abs=EXACT)
    assert state.epsilon <= state.best_value < 0.1
    assert MinimaxCoevolution(three, seed=1).init().best_value > 0.1


def test_minimax_with_inner_evolution_solves_biased_rps() -> None:
    state = evolved(by_evolution(generations=5, growth=0.1), 90)
    assert state.exact_value <= 1e-4
    assert state.gap + 1e-9 >= 0.0
    assert state.inner_evaluations > 10 * state.evaluations


def test_short_inner_run_leaves_a_gap() -> None:
    lazy = InnerEvolution(generations=1, evolution=CSAES(population=3, step_size=1e-3))
    state = evolved(MinimaxCoevolution(KUHN, seed=1, worst_case=lazy), 40)
    assert state.best_value < 0.05
    assert state.gap > 0.1
    assert state.gap == pytest.approx(state.exact_value - state.best_value, abs=EXACT)


def test_best_is_measured_again_from_its_response() -> None:
    """Its value never falls while it stays the best; without a second look it stays what it was."""
    solver = by_evolution(generations=2)
    state, kept = evolved(solver, 5), 0
    for _ in range(40):
        after = solver.step(state)
        if after.best.tobytes() == state.best.tobytes():
            kept += 1
            assert after.best_value >= state.best_value - EXACT
        state = after
    assert kept > 5
    once = MinimaxCoevolution(RPS, seed=1, worst_case=solver.worst_case, rechecked=False)
    states = states_of(once, 40)
    assert (np.diff([state.best_value for state in states[1:]]) <= 0.0).all()
    assert states[-1].evaluations == 1 + 40 * states[-1].evolution.population


def test_last_response_won_most_against_the_generations_best() -> None:
    """Not the best genome so far, which may be older."""
    solver, older = by_evolution(generations=2), 0
    state = evolved(solver, 5)
    for _ in range(20):
        offspring = solver.evolution.ask(state.evolution)
        state = solver.step(state)
        reply = solver.encoding.make_profile(state.last_response)
        profiles = [solver.encoding.make_profile(genome) for genome in offspring]
        won = [sum(RPS.values(p.replace(s, reply))[s] for s in (0, 1)) for p in profiles]
        assert min(np.abs(np.array(won) - state.generation_value)) < EXACT
        older += state.generation_value > state.best_value
    assert older > 0


def test_error_is_that_of_the_response_that_was_found() -> None:
    """Paper against rock wins every hand; what replies begin with, anything, does not."""
    encoding = DirectEncoding(RPS, positive="clipped", seats="shared")
    inner = InnerEvolution(generations=30, hands=20)
    rock, anything = np.array([1.0, 0.0, 0.0]), np.ones(3)
    first, *_, last = inner.run(encoding, rock, anything, seed=1)
    assert first.error > 0.0
    assert encoding.make_profile(last.response).action_probabilities(0, "row")["paper"] == 1.0
    assert (last.gain, last.error) == (50.0, 0.0)  # 25 in each seat


def test_evolutions_and_inner_generations_draw_different_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[tuple[int, ...]] = []
    drawn: list[tuple[Any, ...]] = []

    class Noted(CSAES):
        def init(self, mean: Any, *, seed: int, index: tuple[int, ...] = ()) -> Any:
            begun.append(index)
            return super().init(mean, seed=seed, index=index)

    def noted(*name: Any) -> Any:
        drawn.append(name)
        return random_stream(*name)

    monkeypatch.setattr("pokerlab.solvers.worst_case.random_stream", noted)
    inner = InnerEvolution(evolution=Noted(population=4), generations=2, hands=10)
    evolved(MinimaxCoevolution(RPS, seed=1, evolution=Noted(), worst_case=inner), 2)
    assert len(set(begun)) == len(begun) == 1 + 1 + 2 * 11  # the outer one; the start; a generation
    assert len(set(drawn)) == len(drawn) == 3 * (1 + 2 * 11)


def test_inner_evolution_over_hands_does_not_depend_on_workers() -> None:
    """Nor does the description of the solver; other worst cases keep the law in the conformance suite."""
    inner = InnerEvolution(generations=2, hands=50)
    one, two = (MinimaxCoevolution(RPS, seed=1, worst_case=inner, workers=many) for many in (1, 3))
    assert_identical(evolved(one, 4), evolved(two, 4))
    assert list_solver_parameters(one) == list_solver_parameters(two)


def test_minimax_with_another_seed_differs() -> None:
    one, two = (evolved(MinimaxCoevolution(KUHN, seed=seed), 3) for seed in (1, 2))
    assert (one.best != two.best).any()


class Claims:
    """A worst case that claims what it is told."""

    exact = False

    def __init__(self, value: float, replies: int = 0) -> None:
        self.value, self.replies = value, replies

    def count_response_genes(self, encoding: Any) -> int:
        return 0

    def make_first_responses(self, genomes: Any, best_genome: Any, last_response: Any) -> Any:
        return np.empty((len(genomes), 0))

    def measure_losses(
        self, encoding: Any, genomes: Any, replies: Any, **names: Any
    ) -> Measurement:
        count = len(genomes)
        values = np.full(count, self.value)
        return Measurement(values, np.zeros(count), np.empty((count, self.replies)), 0)


def test_best_error_is_the_error_of_the_best_value() -> None:
    class Uncertain(Claims):
        """Claims the exact value, and half of it for an error."""

        def measure_losses(
            self, encoding: Any, genomes: Any, replies: Any, **names: Any
        ) -> Measurement:
            values = np.array([RPS.nash_conv(encoding.make_profile(genome)) for genome in genomes])
            return Measurement(values, values / 2, np.empty((len(genomes), 0)), 0)

    states = states_of(MinimaxCoevolution(RPS, seed=1, worst_case=Uncertain(0.0)), 20)
    assert all(state.best_error == state.best_value / 2 > 0.0 for state in states)
    assert states[-1].best_value < states[0].best_value


def test_minimax_of_bucketed_holdem_accepts_any_worst_case() -> None:
    game = pl.holdem.bucketed_limit_holdem(random_buckets(2), raise_cap=2)
    exact, inner = (
        evolved(MinimaxCoevolution(game, seed=1, worst_case=worst_case), 3)
        for worst_case in (ExactWorstCase(), InnerEvolution(generations=3))
    )
    assert exact.best_value < game.nash_conv(game.uniform())
    assert exact.gap == pytest.approx(0.0, abs=EXACT)
    assert inner.gap > 0.0
    genome, reply = (exact.encoding.make_profile(genes) for genes in (inner.best, inner.response))
    won = sum(game.values(genome.replace(seat, reply))[seat] for seat in range(2))
    assert inner.best_value == pytest.approx(won, abs=EXACT)


def test_minimax_accepts_a_worst_case_of_ones_own() -> None:
    state = evolved(MinimaxCoevolution(KUHN, seed=1, worst_case=Claims(0.25)), 3)
    assert state.best_value == 0.25
    assert state.gap == pytest.approx(11 / 12 - 0.25)


def kuhn(**given: Any) -> MinimaxCoevolution:
    return MinimaxCoevolution(KUHN, **{"seed": 1, **given})


NUMBERS, SHARED = pl.games.intransitive_numbers(), DirectEncoding(KUHN)
test_minimax_rejects_what_does_not_fit = refused(
    (lambda: kuhn(worst_case=Claims(float("nan"))).init(), "Claims measured nan with error 0.0"),
    (lambda: kuhn(worst_case=Claims(0.0, replies=2)).init(), ShapeError, "responses"),
    (
        lambda: MinimaxCoevolution(RPS, seed=1, encoding=SHARED),
        GameError,
        "the encoding is for KP(2), the coevolution for biased",
    ),
    (
        lambda: MinimaxCoevolution("kuhn", seed=1, encoding=SHARED),
        GameError,
        "the encoding is for KP(2), the coevolution for 'kuhn'",
    ),
    (lambda: MinimaxCoevolution(NUMBERS, seed=1), GameError, "give a compiled one"),
    (lambda: kuhn(encoding="direct"), "encoding is 'direct'; give one"),
    (lambda: kuhn(worst_case=ExactWorstCase), "give one such as solvers.ExactWorstCase()"),
    (lambda: kuhn(evolution=CMAES), "give an evolution strategy"),
    (lambda: kuhn(start=np.ones(3)), ShapeError, "24 genes"),
    (lambda: kuhn(start=np.full(24, np.nan)), "gene 0 ('J: pass') of genome 0 is nan"),
    (lambda: kuhn(workers=0), "workers is 0; it must be an integer from 1 to 256"),
    (lambda: kuhn(rechecked=1), "rechecked"),
    (lambda: kuhn().step(MinimaxCoevolution(RPS, seed=1).init()), GameError, "belongs to"),
    (lambda: replace(kuhn().init(), best=np.ones(3)), ShapeError, "all must fit"),
    (lambda: replace(kuhn().init(), best_values=np.ones(2)), ShapeError, "all must fit"),
    (lambda: InnerEvolution(generations=0), "generations is 0; it must be an integer from 1"),
    (lambda: InnerEvolution(growth=-0.5), "growth is -0.5"),
    (lambda: InnerEvolution(growth=float("nan")), "growth is nan"),
    (lambda: InnerEvolution(hands=1), "hands is 1; it must be an integer from 2"),
    (lambda: InnerEvolution(evolution="CSA"), "evolution is 'CSA'; give an evolution strategy"),
    (lambda: InnerEvolution(start="outer"), UnknownNameError, "Did you mean 'outer best'"),
)


def test_inner_evolution_begins_at_its_start_setting() -> None:
    genomes, best, last = np.full((2, 3), 0.5), np.zeros(3), np.ones(3)
    starts = {"last inner best": last, "outer best": best, "the genome itself": genomes}
    for start, where in starts.items():
        begin = InnerEvolution(start=start).make_first_responses(genomes, best, last)
        assert np.array_equal(begin, np.broadcast_to(where, (2, 3)))
    growing = InnerEvolution(generations=4, growth=0.3)
    counts = [growing.count_inner_generations(generation) for generation in (0, 3, 4, 10)]
    assert counts == [4, 4, 5, 7]
