"""Players by rote: what each does at every decision, and by how much it raises."""

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.holdem import CALL, FOLD, CompiledPlayer, no_limit, players
from pokerlab.holdem.table_view import BET, CAN_FOLD, MAX_RAISE_TO, MIN_RAISE_TO, PLAYER, Tables
from tests.at_tables import cash

Decision = tuple[bool, int, int, int, int]
"""Whether the player may fold; the bet to match, the least and the most to raise to; what it did."""
FIVE_SIGMA = 5.0


def decisions(player: CompiledPlayer, *, free_folds: bool = False) -> list[Decision]:
    """Return what a player saw and did at a table with others who raise by any amount."""
    seen: list[Decision] = []

    def watch(tables: Tables, asked: players.Rows) -> None:
        rows = asked[tables.views[asked, PLAYER] == 0]
        for view, action in zip(tables.views[rows], tables.actions[rows], strict=True):
            words = (view[BET], view[MIN_RAISE_TO], view[MAX_RAISE_TO], action)
            seen.append((bool(view[CAN_FOLD]), *(int(word) for word in words)))

    others = [
        players.make_scripted_player(players.SCRIPT_ANY, name="random"),
        players.make_scripted_player(
            players.SCRIPT_CALLS_OR_RAISES, players.LEAST, name="calls or raises"
        ),
    ]
    betting = no_limit(5, 10, free_folds=free_folds)
    cash(betting, [player, *others], 6000, seed=1, stacks=1000, watchers=[watch])
    return seen


RANGES: dict[int, Callable[[int, int, int], tuple[int, int]]] = {
    players.ANY_AMOUNT: lambda bet, least, most: (least, most),
    players.LEAST: lambda bet, least, most: (least, least),
    players.UP_TO_THREE_TIMES: lambda bet, least, most: (least, min(most, 3 * least - 2 * bet)),
    players.ALL_IN: lambda bet, least, most: (most, most),
}


@pytest.mark.parametrize(
    "script", [players.SCRIPT_RAISES, players.SCRIPT_ANY, players.SCRIPT_CALLS_OR_RAISES]
)
@pytest.mark.parametrize("amount", RANGES, ids=lambda amount: players.RAISE_SIZES[amount])
def test_scripted_raises_are_uniform_in_their_range(script: int, amount: int) -> None:
    places = []
    for _, bet, least, most, action in decisions(
        players.make_scripted_player(script, amount, name="it")
    ):
        if action > CALL:
            low, high = RANGES[amount](bet, least, most)
            assert low <= action <= high
            if high > low + 100:
                places.append((action - low + 0.5) / (high - low + 1))
    if amount in (players.LEAST, players.ALL_IN):
        assert places == []
        return
    assert len(places) > 200
    assert abs(np.mean(places) - 0.5) < FIVE_SIGMA / np.sqrt(12 * len(places))


@pytest.mark.parametrize("free_folds", [False, True])
@pytest.mark.parametrize(
    "player", [players.RANDOM, players.CALL_OR_RAISE], ids=lambda player: player.name
)
def test_script_any_takes_legal_actions_equally_often(
    player: CompiledPlayer, free_folds: bool
) -> None:
    seen = decisions(player, free_folds=free_folds)
    for can_fold in {fold for fold, *_ in seen}:
        done = [min(action, 1) for fold, _, least, _, action in seen if fold == can_fold and least]
        choices = [FOLD, CALL, 1] if can_fold and player is players.RANDOM else [CALL, 1]
        assert set(done) == set(choices)
        for choice in choices:
            share, chance = np.mean(np.equal(done, choice)), 1 / len(choices)
            assert abs(share - chance) < FIVE_SIGMA * np.sqrt(chance * (1 - chance) / len(done))
    assert {fold for fold, *_ in seen} == ({True} if free_folds else {False, True})


@pytest.mark.parametrize(
    ("player", "script"),
    [
        (players.RAISE_BY_ANY, players.SCRIPT_RAISES),
        (players.CALL_OR_RAISE, players.SCRIPT_CALLS_OR_RAISES),
    ],
)
def test_script_raises_calls_if_no_raise_is_legal(player: CompiledPlayer, script: int) -> None:
    assert player.parameters.tolist() == [script, players.ANY_AMOUNT]
    seen = decisions(player)
    assert {action for _, _, least, _, action in seen if least == 0} == {CALL}
    raised = {action > CALL for _, _, least, _, action in seen if least > 0}
    assert raised == ({True} if player is players.RAISE_BY_ANY else {False, True})


def test_script_folds_checks_unless_folds_are_free() -> None:
    folds = players.make_scripted_player(players.SCRIPT_FOLDS, name="it")
    assert {action for *_, action in decisions(folds, free_folds=True)} == {FOLD}
    assert {(free, done) for free, *_, done in decisions(folds)} == {(True, FOLD), (False, CALL)}
