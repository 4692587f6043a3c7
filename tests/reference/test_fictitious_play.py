"""Fictitious play against its definition: the average of best responses to the average."""

import numpy as np
import pytest

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers import FictitiousPlay
from tests.reference.agreement import RANDOM_GAMES, check_iterations, every_order, name_of

ROUNDING = 1e-12  # relative to the largest payoff


@pytest.mark.parametrize("game", [games.biased_rps(), *RANDOM_GAMES], ids=name_of)
def test_iterations_agree_where_rounding_decides_no_tie(game: SequenceForm) -> None:
    profiles = reference.fictitious_play(game.rules)
    check_iterations(FictitiousPlay(game), profiles, 10, [1.0] * 10)


@pytest.mark.parametrize("game", [games.kuhn(2), games.kuhn(3), *RANDOM_GAMES], ids=name_of)
@every_order
def test_everybody_replies_best_to_the_average(game: SequenceForm, order: str) -> None:
    """Alternating: against those before, the average already holds their new replies."""
    solver = FictitiousPlay(game, order=order)
    state = solver.step(solver.init(), 20)
    scale = float(np.abs(game.payoff).max())
    for _ in range(20):
        following = solver.step(state)
        average, after = following.average, solver.step(following).average
        for player in range(game.num_players):
            seen = average
            for before in range(player if order == "alternating" else 0):
                seen = seen.replace(before, after)
            best = game.best_response(seen, player).value
            won = game.values(seen.replace(player, following.current))[player]
            assert won == pytest.approx(best, abs=ROUNDING * scale)
        state = following


def test_a_player_without_rivals_finds_the_best_at_once() -> None:
    rules = RANDOM_GAMES[0].rules
    assert rules.num_players == 1
    profiles = reference.fictitious_play(rules)
    uniform, reply = next(profiles), next(profiles)
    best = reference.best_response(rules, uniform, 0).value
    assert reference.expected_utilities(rules, reply)[0] == pytest.approx(float(best))
