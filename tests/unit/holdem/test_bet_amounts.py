"""Drawn bets: the law of the thesis, by scipy and by its own constants, and what becomes of a share."""

import numpy as np
import pytest
from scipy.stats import halfnorm

from pokerlab.core.compiler import kernel
from pokerlab.holdem import CALL, FOLD, SeatView, no_limit, players
from pokerlab.holdem.players import LARGE, MEDIUM, SMALL, draw_bet_action, draw_bet_share
from pokerlab.holdem.table_view import PARAMETERS
from tests.at_tables import cash


@kernel
def shares(size: int, luck: np.ndarray, spread: float) -> np.ndarray:
    return np.array([draw_bet_share(size, one, spread) for one in luck])


@kernel
def bet(view: np.ndarray, size: int, luck: float, continuous: bool) -> int:
    return draw_bet_action(view, size, luck, continuous)


def test_draw_bet_share_follows_the_distribution() -> None:
    luck = (np.arange(100_000) + 0.5) / 100_000
    small, medium, large = (shares(size, luck, 0.342) for size in (SMALL, MEDIUM, LARGE))
    assert np.mean(small < 0.06) == pytest.approx(0.7, abs=1e-4)
    # More than a third of the stack in 13 of 100 small bets, as they are printed.
    above = 0.3 * halfnorm.sf((1 / 3 - 0.06) / 0.342)
    assert np.mean(small > 1 / 3) == pytest.approx(above, abs=1e-3)
    assert above == pytest.approx(0.13, abs=0.005)
    inside = (medium >= 0.1) & (medium <= 0.2)
    assert [np.mean(medium < 0.1), np.mean(inside)] == pytest.approx([0.1, 0.6], abs=1e-4)
    assert np.mean(large < 0.3) == pytest.approx(0.05, abs=1e-4)
    # One large bet in ten is all.
    assert np.mean(large >= 1.0) == pytest.approx(0.95 * halfnorm.sf(0.7 / 0.432), abs=1e-3)
    assert np.mean(large >= 1.0) == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("begins", [players.LARGE_FROM, players.SMALL_TO])
def test_draw_bet_share_continuous_has_no_step(begins: float) -> None:
    """So the deviations that are not printed, or not as the formula has it, were found."""
    law = {
        players.LARGE_FROM: (
            0.95 * halfnorm.pdf(0) / players.SPREAD_LARGE,
            0.05 * halfnorm.pdf(0) / players.SPREAD_LARGE_BELOW,
        ),
        players.SMALL_TO: (
            0.3 * halfnorm.pdf(0) / players.SPREAD_SMALL_CONTINUOUS,
            0.7 / 0.06,
        ),
    }
    above, below = law[begins]
    assert above == pytest.approx(below, rel=0.005)


def test_find_deviate_equals_scipy_quantiles() -> None:
    ranks = np.arange(1024) / 1024
    assert players.NORMAL_QUANTILES[:-1] == pytest.approx(halfnorm.ppf(ranks), abs=2e-9)


def looked(size: int, luck: float) -> list[tuple[SeatView, int]]:
    """Return what a bettor saw in some hands, and what its drawn bet was."""
    seen = []

    def decide(view: SeatView) -> int:
        action = bet(view.words, size, luck, False)
        seen.append((view, action))
        return action

    cash(no_limit(10, 20), [decide, decide, decide], 30, seed=1, stacks=[1000, 400, 90])
    return seen


def test_draw_bet_below_the_call_is_a_call() -> None:
    bets = looked(SMALL, 0.1)
    facing = [action for view, action in bets if view.legal_actions.to_call >= 20]
    assert facing
    assert set(facing) == {CALL}
    # Where nothing is owed, it is at least a big blind.
    free = [(view, action) for view, action in bets if view.legal_actions.to_call == 0]
    opened = [action for view, action in free if (view.legal_actions.min_raise_to or 0) >= 20]
    assert opened
    assert min(opened) >= 20


def test_draw_bet_is_at_most_what_others_can_lose() -> None:
    for view, action in looked(LARGE, 0.949):
        others = [
            view.stacks[seat] + view.bets[seat]
            for seat in range(3)
            if seat != view.seat and view.is_live[seat]
        ]
        own = view.stacks[view.seat] + view.bets[view.seat]
        least = view.legal_actions.min_raise_to
        if action > CALL:
            assert least is not None
            assert action == max(least, min(own, max(others)))


@pytest.mark.parametrize("amount", [players.SIZED_BET, players.SIZED_BET_CONTINUOUS])
def test_scripted_players_draw_sized_bets(amount: int) -> None:
    assert players.RAISE_SIZES[amount].startswith("a drawn bet")
    raiser, either, random, folder = (
        players.make_scripted_player(script, amount, name=str(script))
        for script in (
            players.SCRIPT_RAISES,
            players.SCRIPT_CALLS_OR_RAISES,
            players.SCRIPT_ANY,
            players.SCRIPT_FOLDS,
        )
    )
    views = np.stack([view.words for view, _ in looked(SMALL, 0.1)])
    asked = np.arange(len(views))
    luck = np.random.default_rng(1).random(len(views))

    def answers(player: object, luck: np.ndarray) -> np.ndarray:
        out = np.empty(len(views))
        parameters = np.stack([player.parameters])  # type: ignore[attr-defined]
        own = views.copy()
        own[:, PARAMETERS] = 0
        player.decision_function(own, asked, parameters, luck, out)  # type: ignore[attr-defined]
        return out

    def drawn(luck: np.ndarray) -> list[int]:
        size = (3 * luck).astype(int)
        rest = 3 * luck - size
        continuous = amount == players.SIZED_BET_CONTINUOUS
        return [bet(*each, continuous) for each in zip(views, size, rest, strict=True)]

    owes = np.array([SeatView(view, 0.0).legal_actions.to_call > 0 for view in views])
    assert answers(raiser, luck).tolist() == drawn(luck)
    assert answers(either, luck / 2).tolist() == [CALL] * len(views)
    assert answers(either, (1 + luck) / 2) == pytest.approx(drawn(luck), abs=1)
    assert answers(random, luck / 3) == pytest.approx(np.where(owes, FOLD, CALL))
    assert answers(random, (1 + luck) / 3).tolist() == [CALL] * len(views)
    assert answers(random, (2 + luck) / 3) == pytest.approx(drawn(luck), abs=1)
    assert answers(folder, luck) == pytest.approx(np.where(owes, FOLD, CALL))
