"""The intransitive numbers game: who beats whom, mutation, best responses, what is refused."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from pokerlab.core import GameError, ShapeError, random_stream
from pokerlab.games.intransitive_numbers import IntransitiveNumbers
from tests.refusals import refused

TEN = IntransitiveNumbers(largest=10)


def won(game: IntransitiveNumbers, this: list[int], that: list[int]) -> float:
    return float(
        game.payoffs(game.validate_strategies([this]), game.validate_strategies([that]))[0, 0]
    )


@pytest.mark.parametrize(
    ("this", "that", "points"),
    [
        ([3, 9], [1, 10], -1),  # closest in the second number
        ([3, 0], [2, 9], 1),  # closest in the first
        ([2, 9], [3, 0], -1),
        ([4, 4], [4, 9], 0),  # equal where they are closest
        ([5, 3], [3, 5], 0),  # equally close, one each
        ([5, 5], [3, 3], 1),
        ([7, 7], [7, 7], 0),
    ],
)
def test_payoffs_closest_dimension_decides(this: list[int], that: list[int], points: float) -> None:
    assert won(TEN, this, that) == points


def test_payoffs_of_three_vectors_form_a_cycle() -> None:
    first, second, third = [1, 6], [2, 1], [6, 4]
    assert [won(TEN, second, first), won(TEN, third, second), won(TEN, first, third)] == [1, 1, 1]


def test_payoffs_ignore_differences_below_threshold() -> None:
    strict = IntransitiveNumbers(largest=10, threshold=3)
    assert won(TEN, [5, 9], [6, 0]) == -1
    assert won(strict, [5, 9], [6, 0]) == 1
    assert won(strict, [5, 5], [6, 7]) == 0
    assert won(IntransitiveNumbers(largest=10, threshold=1), [4, 4], [4, 9]) == -1


@pytest.mark.parametrize("threshold", [0, 1, 4])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_payoffs_are_antisymmetric_and_corner_never_loses(dimensions: int, threshold: int) -> None:
    game = IntransitiveNumbers(dimensions=dimensions, largest=5, threshold=threshold)
    all_strategies = game.all_strategies
    assert len(all_strategies) == game.num_strategies == 6**dimensions
    payoffs = game.payoffs(all_strategies, all_strategies)
    assert (payoffs == -payoffs.T).all()
    assert set(np.unique(payoffs)) == {-1.0, 0.0, 1.0}
    assert all_strategies[-1].tolist() == [5] * dimensions
    assert (payoffs[-1] >= 0).all()


def test_best_response_is_first_with_highest_payoff() -> None:
    pool, mix = TEN.validate_strategies([[4, 4], [9, 0]]), np.array([1.0, 0.0])
    assert TEN.best_response(pool, mix).tolist() == [0, 5]
    assert TEN.best_response(pool[:, ::-1], np.array([0.5, 0.5])).tolist() == [1, 5]


def test_mutants_draw_bits_anew() -> None:
    game = IntransitiveNumbers(largest=100, mutation_rate=0.1)
    rng = random_stream(1, "mutants")
    mutants = np.array(
        [game.draw_mutant(game.validate_strategies([0, 80]), rng) for _ in range(4000)]
    )
    # 5 of 100 zeros become ones; 4 of 80 ones become zeros and 1 of 20 zeros a one.
    assert mutants.mean(axis=0) == pytest.approx([5.0, 77.0], abs=5 * np.sqrt(5.0 / 4000))
    assert mutants.min() >= 0
    assert mutants.max() <= 100
    always = IntransitiveNumbers(largest=1, mutation_rate=1.0)
    ends = {tuple(always.draw_mutant(always.default_start, rng).tolist()) for _ in range(200)}
    assert ends == {(0, 0), (0, 1), (1, 0), (1, 1)}


def asked(**parameters: Any) -> Callable[[], Any]:
    return lambda: IntransitiveNumbers(**parameters)


LARGE = IntransitiveNumbers(dimensions=3)
test_what_has_no_meaning_is_refused = refused(
    (asked(dimensions=0), "dimensions is 0; it must be an integer from 1 to 10"),
    (asked(dimensions=2.0), "dimensions is 2.0; it must be an integer"),
    (asked(largest=0), "largest is 0"),
    (asked(threshold=101), "threshold is 101; it must be an integer from 0 to 100"),
    (asked(mutation_rate=0.0), "mutation_rate is 0.0; it must be a number from 1e-09 to 1"),
    (asked(mutation_rate=float("nan")), "mutation_rate is nan"),
    (asked(mutation_rate="0.1"), "mutation_rate is '0.1'"),
    (lambda: TEN.validate_strategies([1, 2, 3]), ShapeError, "needs (2,) or (k, 2)"),
    *(
        (partial(TEN.validate_strategies, s), "integers from 0 to 10")
        for s in ([0, 11], [-1, 0], [0.5, 1.0])
    ),
    (
        lambda: LARGE.best_response(LARGE.default_start[None], np.ones(1)),
        GameError,
        "solvers.Mutants",
    ),
)


def test_best_response_with_too_many_strategies_raises() -> None:
    assert (TEN.has_best_responses, LARGE.has_best_responses) == (True, False)


def test_parameters_decide_the_fingerprint() -> None:
    assert IntransitiveNumbers().fingerprint == IntransitiveNumbers(threshold=0).fingerprint
    assert IntransitiveNumbers().fingerprint != IntransitiveNumbers(threshold=1).fingerprint
    assert IntransitiveNumbers(largest=np.int64(9)) == IntransitiveNumbers(largest=9)
