"""PSRO: with uniform mixes it is fictitious play, with Nash mixes the memory, and others lie between."""

import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import compile_rules
from pokerlab.solvers import PSRO, BestResponse, ParallelNashMemory, ZeroSumProgram
from pokerlab.solvers.subgame import ProjectedReplicator, UniformMixture
from tests.random_games import random_rules
from tests.refusals import refused

EIGHT = pl.games.one_card_poker(8)
FIRST = BestResponse(unreached="first")
"""The rule of fictitious play: ties go to the first action."""


@pytest.mark.parametrize(
    "game",
    # Games in which rounding decides no tie.
    [compile_rules(random_rules(seed, players)) for seed, players in ((1, 2), (2, 2), (3, 3))],
    ids=repr,
)
def test_psro_with_uniform_mixtures_is_fictitious_play(game: pl.games.SequenceForm) -> None:
    psro = PSRO(game, subgame=UniformMixture(), heuristic=FIRST)
    state = psro.init()
    play = pl.solvers.FictitiousPlay(game, start=state.profile, order="simultaneous")
    for rounds in (1, 2, 5, 10):
        state = psro.step(psro.init(), rounds)
        # The average of t iterations holds the start and t - 1 replies.
        average = play.step(play.init(), rounds + 1).average
        for player in range(game.num_players):
            plan = state.profile.plan(player)
            assert plan == pytest.approx(average.plan(player), abs=1e-12)


@pytest.mark.parametrize("unreached", ["uniform", "first"])
def test_psro_with_nash_mixtures_is_the_parallel_nash_memory(unreached: str) -> None:
    heuristic = BestResponse(unreached=unreached)
    psro = PSRO(EIGHT, subgame=ZeroSumProgram(), heuristic=heuristic)
    memory = ParallelNashMemory(EIGHT, heuristic=heuristic)
    for rounds in (1, 3, 6):
        mine, theirs = psro.step(psro.init(), rounds), memory.step(memory.init(), rounds)
        assert mine.value == pytest.approx(theirs.value, abs=1e-9)
    end = psro.step(psro.init(), 50)
    assert end.converged
    assert end.value == pytest.approx(-1 / 16, abs=1e-9)


def test_psro_with_projected_replicator_nears_equilibrium() -> None:
    meta = ProjectedReplicator()
    psro = PSRO(EIGHT, subgame=meta)
    begin = EIGHT.nash_conv(psro.init().profile)
    end = psro.step(psro.init(), 15)
    assert EIGHT.nash_conv(end.profile) < begin / 10
    assert all((mix > 0.0).all() for mix in end.mixtures)


test_psro_rejects_games_that_its_subgame_solver_rejects = refused(
    (lambda: PSRO(pl.games.kuhn(3), subgame=ZeroSumProgram()), GameError, "KP(3)")
)
