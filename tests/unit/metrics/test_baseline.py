"""Performance against the uniform baseline, by its definition and by the reference."""

import pytest

import pokerlab as pl

ROUNDING = 1e-14


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_baseline_itself_performs_at_zero(players: int) -> None:
    game = pl.games.kuhn(players)
    assert pl.metrics.performance(game, game.uniform()) == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize("players", [2, 3])
def test_it_is_what_each_wins_more_against_the_baseline(players: int) -> None:
    game = pl.games.kuhn(players)
    dynamics = pl.solvers.CFR(game)
    profile = dynamics.step(dynamics.init(), 50).average
    baseline = game.uniform()
    expected = 0.0
    for player in range(players):
        alone = baseline.table() | {k: v for k, v in profile.table().items() if k[0] == player}
        with_profile = pl.reference.expected_utilities(game.rules, alone)[player]
        with_baseline = pl.reference.expected_utilities(game.rules, baseline.table())[player]
        expected += float(with_profile) - float(with_baseline)
    assert pl.metrics.performance(game, profile) == pytest.approx(expected, abs=ROUNDING)
    assert expected > 0.1
