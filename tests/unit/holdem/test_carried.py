"""Cash games in which stacks are carried: table stakes. (`reference/test_betting` compares them with plain loops.)"""

from typing import Any

import numpy as np
import pytest

from pokerlab.core.errors import SettingError
from pokerlab.holdem import ring_game
from pokerlab.holdem.betting_structure import limit, no_limit
from pokerlab.holdem.cash_game import CashGameResult
from pokerlab.holdem.players import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, RANDOM
from pokerlab.holdem.table_view import SeatView
from tests.at_tables import cash
from tests.oracles import table as plain_table

PLAYERS = [RANDOM, ALWAYS_CALL, RANDOM, ALWAYS_RAISE, RANDOM, ALWAYS_FOLD, RANDOM]
LINEUPS = [[0, 1, 2], [4, 3, 0], [6, 0, 4], [2, 6, 1], [5, 2, 3]]
STACKS, DEALS, FIRST = (60, 35, 90), 12, 7
EXACT = 1e-12
"""For means of whole numbers."""


def carried(**changed: Any) -> CashGameResult:
    given = {"num_deals": DEALS, "seed": 3, "stacks": STACKS, "lineups": LINEUPS, "first": FIRST}
    return cash(no_limit(2, 5, ante=1), PLAYERS, **(given | {"stacks_carried": True} | changed))


@pytest.mark.parametrize("duplicates", [False, True])
@pytest.mark.parametrize(("workers", "side_by_side"), [(1, 1), (1, 4), (2, 512), (3, 2), (9, 1)])
def test_carried_play_is_the_same_for_any_workers(
    duplicates: bool, workers: int, side_by_side: int
) -> None:
    given: Any = {"duplicates": duplicates, "won_from": True, "record": True}
    one = carried(**given)
    other = carried(workers=workers, side_by_side=side_by_side, **given)
    assert (other.chips == one.chips).all()
    assert (other.actions == one.actions).all()
    assert np.array_equal(other.won_from, one.won_from)  # type: ignore[arg-type]
    assert (other.get_record().action == one.get_record().action).all()


def test_a_game_of_one_hand_has_fresh_stacks() -> None:
    assert (carried(num_deals=1).chips == carried(num_deals=1, stacks_carried=False).chips).all()


def test_views_show_carried_stacks() -> None:
    seen: dict[int, tuple[int, ...]] = {}

    def watching(view: SeatView) -> int:
        at_start = [left + paid for left, paid in zip(view.stacks, view.paid, strict=True)]
        seen.setdefault(view.hand_number, tuple(at_start))
        return plain_table.CALL

    given: Any = {"seed": 2, "stacks": 40, "stacks_carried": True}
    played = cash(no_limit(1, 2), [watching, RANDOM, RANDOM], 50, **given)
    assert len(set(seen.values())) > 10
    assert all(played.find_starting_stacks(number) == stacks for number, stacks in seen.items())


def test_carried_standard_errors_are_over_games() -> None:
    lineups = [[0, 1, 2], [2, 4, 0], [0, 3, 6], [4, 6, 2]]
    played = carried(lineups=lineups, duplicates=True)
    of_games = [
        played.chips[DEALS * table : DEALS * (table + 1), :, lineup.index(0)].mean()
        for table, lineup in enumerate(lineups)
        if 0 in lineup
    ]
    assert played.mean[0] == pytest.approx(np.mean(of_games), abs=EXACT)
    error = np.std(of_games, ddof=1) / len(of_games) ** 0.5
    assert played.standard_error[0] == pytest.approx(error, rel=EXACT)
    assert np.isnan(played.standard_error[1])
    assert np.isnan(carried(lineups=lineups, same_deals=True).standard_error).all()


def test_a_ring_game_says_that_it_carries_stacks() -> None:
    fresh = ring_game(limit(2), seats=3, stacks=60)
    game = ring_game(limit(2), seats=3, stacks=60, stacks_carried=True)
    assert game.name == f"{fresh.name}, stacks carried"
    assert game.fingerprint != fresh.fingerprint
    given: Any = {"seed": 1, "lineups": LINEUPS}
    direct = cash(limit(2), PLAYERS, 20, stacks=60, stacks_carried=True, **given)
    assert (game.play(PLAYERS, 20, **given).chips == direct.chips).all()
    assert (fresh.play(PLAYERS, 20, **given).chips != direct.chips).any()


def test_stacks_at_rejects_hands_not_played() -> None:
    with pytest.raises(SettingError, match="deal 6, rotation 0 was not played; there are deals 7"):
        carried().find_starting_stacks(FIRST - 1)
