"""The best pure strategies, by hand."""

import numpy as np

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import compile_rules
from pokerlab.solvers.subgame import BestPureProfile, SubgameSolution
from tests.random_games import random_rules
from tests.refusals import refused


def both(payoff: object) -> np.ndarray:
    won = np.array(payoff, dtype=float)
    return np.array([won] * won.ndim)


def played(mixture: SubgameSolution) -> tuple[int, ...]:
    assert all(sorted(mix)[-2:] in ([1.0], [0.0, 1.0]) for mix in mixture.mixtures)
    return tuple(int(np.argmax(mix)) for mix in mixture.mixtures)


def test_memory_of_papers_example_climbs_one_coordinate_at_a_time() -> None:
    """Oliehoek et al. (2006), Table 2: 3, then 3.4, then 3.6, where it stays."""
    game = pl.games.identical_payoffs([[3, 3.3, 3.2], [3.4, 2.7, 3.6]])
    memory = pl.solvers.ParallelNashMemory(game, subgame=BestPureProfile())
    states = [memory.step(memory.init(), count) for count in range(5)]
    assert [state.value for state in states] == [3.0, 3.4, 3.6, 3.6, 3.6]
    assert [state.converged for state in states] == [False, False, True, True, True]
    assert states[-1].iteration == 2
    assert states[-1].profile.probabilities.tolist() == [0, 1, 0, 0, 1]


def test_best_pure_profile_breaks_ties_by_player_1s_order() -> None:
    assert played(BestPureProfile().solve(both([[0, 5, 5], [5, 0, 0]]))) == (0, 1)


def test_best_pure_profile_keeps_the_present_one_in_ties() -> None:
    solver = BestPureProfile()
    first = solver.solve(both([[0, 4], [5, 0]]))
    assert played(first) == (1, 0)
    assert [status.tolist() for status in first.basis] == [[0, 1], [1, 0]]
    second = solver.solve(both([[0, 4, 5], [5, 0, 0]]), first.basis)
    assert played(second) == (1, 0)
    more = 5 + 1e-8
    assert played(solver.solve(both([[0, 4, more], [5, 0, 0]]), first.basis)) == (0, 2)
    less = 5 + 1e-10  # below the tolerance of 1e-9 times the largest payoff
    assert played(solver.solve(both([[0, 4, less], [5, 0, 0]]), first.basis)) == (1, 0)


def test_best_pure_profile_of_equal_payoffs_is_the_first() -> None:
    assert played(BestPureProfile().solve(both(np.full((2, 3), -4.0)))) == (0, 0)


def test_best_pure_profile_accepts_identical_payoffs() -> None:
    BestPureProfile().check_game(pl.games.identical_payoffs([[0.1, 1 / 3]]))
    BestPureProfile().check_game(compile_rules(random_rules(1, 4, payoffs="identical")))


test_best_pure_profile_rejects_other_games = refused(
    (
        lambda: BestPureProfile().check_game(pl.games.kuhn()),
        GameError,
        "in KP(2) players win different",
    ),
    (
        lambda: BestPureProfile().check_game(pl.games.kuhn()),
        GameError,
        "Use subgame=solvers.LemkeHowson",
    ),
    (lambda: BestPureProfile().check_game(pl.games.kuhn(3)), GameError, "ProjectedReplicator"),
    (lambda: BestPureProfile(tolerance=-1), "tolerance is -1"),
)
