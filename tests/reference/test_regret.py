"""Regret as the metrics keep it against its definition, over all pure strategies."""

from itertools import islice
from math import prod

import pytest

from pokerlab import games, metrics, reference
from pokerlab.games import SequenceForm
from pokerlab.metrics import Watched
from pokerlab.solvers import CFR
from tests.reference.agreement import RANDOM_GAMES, name_of, safe_shift

ROUNDING = 1e-12  # relative to the largest utility
ITERATIONS = 5
MOST_PURE_STRATEGIES = 3000


def can_be_tried(game: SequenceForm) -> bool:
    return all(
        prod(
            len(sigma) for (owner, _), sigma in reference.uniform(game.rules).items() if owner == p
        )
        <= MOST_PURE_STRATEGIES
        for p in range(game.num_players)
    )


TINY = [game for game in (games.kuhn(2), games.biased_rps(), *RANDOM_GAMES) if can_be_tried(game)]


def test_there_are_tiny_games_for_every_number_of_players() -> None:
    assert {game.num_players for game in TINY} >= {2, 3, 4}


@pytest.mark.parametrize("game", TINY, ids=name_of)
def test_regret_and_its_bound(game: SequenceForm) -> None:
    played = list(islice(reference.cfr(game.rules, "simultaneous"), ITERATIONS))
    watched = Watched(CFR(game, order="simultaneous"), payoff_shift=safe_shift(game))
    state = watched.step(watched.init(), ITERATIONS)
    regret, bound = metrics.average_regret(state), metrics.counterfactual_bound(state)
    scale = max(1.0, float(abs(game.payoff).max()))
    for player in range(game.num_players):
        exact = reference.average_regret(game.rules, played, player)
        above = reference.counterfactual_bound(game.rules, played, player)
        assert exact <= above + ROUNDING * scale
        assert regret[player] == pytest.approx(exact, abs=ROUNDING * scale)
        assert bound[player] == pytest.approx(above, abs=ROUNDING * scale)
