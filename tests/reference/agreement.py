"""Compare a solver with a reference, iteration by iteration."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from pokerlab import games, reference
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.reference.definitions import Behavior
from tests.oracles import values
from tests.random_games import random_rules

ROUNDING = 1e-12
"""Six iterations on games of a few hundred histories; probabilities of order one."""

RANDOM_GAMES = [
    compile_rules(random_rules(seed, players, 5, payoffs))
    for players in (1, 2, 3, 4)
    for seed, payoffs in enumerate(("general", "zero", "identical"))
]
GAMES = [
    *[(game, 6) for game in [games.kuhn(2), games.biased_rps(), *RANDOM_GAMES]],
    (games.kuhn(3), 3),
]
ORDERS = ("simultaneous", "alternating")


def name_of(value: object) -> str:
    match value:
        case SequenceForm():
            return f"{value.name} for {value.num_players}"
        case _:
            return str(value)


every_game = pytest.mark.parametrize(("game", "iterations"), GAMES, ids=name_of)
every_order = pytest.mark.parametrize("order", ORDERS)


def safe_shift(game: SequenceForm) -> float:
    """Return a payoff shift that makes all utilities positive, as 3 does in Kuhn poker."""
    spread = float(game.payoff.max() - game.payoff.min())
    return 0.25 * spread + 1.0 - float(game.payoff.min())


def assert_same(profile: Profile, table: Behavior, when: str) -> None:
    for infoset, sigma in profile.to_table().items():
        expected = {action: float(p) for action, p in table[infoset].items()}
        assert sigma == pytest.approx(expected, abs=ROUNDING), f"{when} at {infoset}"


def check_iterations(
    solver: Any, profiles: Iterator[Behavior], iterations: int, weights: Sequence[float]
) -> None:
    """Check current, last iterate and average after 0, 1, ..., `iterations` steps.

    `profiles` yields x(1), x(2), ...; in the average x(t) counts `weights[t - 1]`.
    """
    rules, state = solver.game.rules, solver.init()
    past, last = [], None
    for t, expected in enumerate(islice(profiles, iterations + 1)):
        assert state.iteration == t
        at_once = solver.step(solver.init(), t)
        last = expected if last is None else last
        for reached in (state, at_once):
            assert_same(reached.current, expected, f"current after {t}")
            assert_same(reached.last_iterate, last, f"last iterate after {t}")
        last = expected
        average = values.average_behavior(rules, past, weights[:t]) if past else expected
        assert_same(state.average, average, f"average after {t}")
        past.append(reference.compute_realization_plans(rules, expected))
        state = solver.step(state)
