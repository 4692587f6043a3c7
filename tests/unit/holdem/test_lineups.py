"""Cash games at many tables: each like a table of its own, and who has won what from whom."""

from itertools import cycle
from typing import Any

import numpy as np
import pytest

from pokerlab.holdem.betting_structure import Structure, limit, no_limit
from pokerlab.holdem.cash_game import CashGameResult, play_round_robin, ring_game
from pokerlab.holdem.hand import Hand
from pokerlab.holdem.players import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, RANDOM
from tests.at_tables import cash
from tests.refusals import refused

PLAYERS = [RANDOM, ALWAYS_CALL, RANDOM, ALWAYS_RAISE, RANDOM, ALWAYS_FOLD, RANDOM]
LINEUPS = [[0, 1, 2], [4, 3, 0], [6, 0, 4], [2, 6, 1]]
BETTING = no_limit(2, 5, ante=1)
FOR_ALL = no_limit(2, 5, ante=7, ante_payer="big blind")
EXACT = 1e-12
"""For means of whole numbers."""


def at_tables(**changed: Any) -> CashGameResult:
    given = {"num_deals": 8, "seed": 3, "lineups": LINEUPS, "record": True}
    given |= {"seats": 3, "stacks": [60, 35, 90]}
    return cash(BETTING, PLAYERS, **(given | changed))


@pytest.mark.parametrize("duplicates", [False, True])
@pytest.mark.parametrize("same_deals", [False, True])
@pytest.mark.parametrize("carried", [False, True])
def test_play_of_several_tables_equals_each_alone(
    duplicates: bool, same_deals: bool, carried: bool
) -> None:
    how: Any = {"duplicates": duplicates, "stacks_carried": carried}
    together = at_tables(same_deals=same_deals, first=5, workers=3, **how)
    for table, lineup in enumerate(LINEUPS):
        begin = 5 if same_deals else 5 + 8 * table
        alone = cash(
            BETTING,
            [PLAYERS[p] for p in lineup],
            8,
            seed=3,
            stacks=[60, 35, 90],
            first=begin,
            record=True,
            **how,
        )
        assert (together.chips[8 * table : 8 * table + 8] == alone.chips).all()
        for deal in range(8):
            for rotation in range(together.chips.shape[1]):
                hand = together.replay_hand(5 + 8 * table + deal, rotation)
                assert hand.actions == alone.replay_hand(begin + deal, rotation).actions
                assert hand.deal == alone.replay_hand(begin + deal, rotation).deal
    assert together.list_names_at_table(table=1) == ("random", "always raise", "random")


def test_line_ups_can_be_divided_among_calls() -> None:
    whole = at_tables(won_from=True, duplicates=True)
    parts = [
        at_tables(won_from=True, duplicates=True, lineups=LINEUPS[:1]),
        at_tables(won_from=True, duplicates=True, lineups=LINEUPS[1:], first=8, side_by_side=2),
    ]
    assert (np.concatenate([part.chips for part in parts]) == whole.chips).all()
    assert (parts[0].actions + parts[1].actions == whole.actions).all()
    for part in [*parts, whole]:
        assert part.won_from is not None
    assert (parts[0].won_from + parts[1].won_from == whole.won_from).all()


@pytest.mark.parametrize("same_deals", [False, True])
def test_means_and_errors_are_by_player_over_independent_deals(same_deals: bool) -> None:
    played = at_tables(duplicates=True, same_deals=same_deals)
    for player in range(len(PLAYERS)):
        won = np.array(
            [
                played.chips[8 * table : 8 * table + 8, :, lineup.index(player)].mean(axis=1)
                for table, lineup in enumerate(LINEUPS)
                if player in lineup
            ]
        )
        assert played.hands_played[player] == 3 * won.size
        if player == 5:
            assert np.isnan(played.mean[5])
            assert np.isnan(played.standard_error[5])
            continue
        by_deal = won.mean(axis=0) if same_deals else won.ravel()
        error = by_deal.std(ddof=1) / by_deal.size**0.5
        assert played.mean[player] == pytest.approx(by_deal.mean(), abs=EXACT)
        assert played.standard_error[player] == pytest.approx(error, rel=EXACT)
        assert played.won[player] == round(3 * won.sum())


def dealt_out_chip_by_chip(hand: Hand) -> np.ndarray:
    """Return the chips that each seat has won from each, less those lost, one chip after another."""
    n = hand.num_seats
    won_from = np.zeros((n, n), np.int64)
    around = [(hand.button + turn) % n for turn in range(1, n + 1)]
    for_all = [*hand.big_blind_antes]  # goes with the main pot
    posts = zip(hand.paid, hand.uncalled_chips, for_all, strict=True)
    called = [paid - back - ante for paid, back, ante in posts]
    below = 0
    for pot in hand.pots:
        level = min(called[seat] for seat in pot.seats)
        put_in = [min(chips, level) - min(chips, below) for chips in called]
        put_in = [chips + ante for chips, ante in zip(put_in, for_all, strict=True)]
        below, for_all = level, [0] * n
        assert sum(put_in) == pot.chips
        best = max(hand.strengths[seat] for seat in pot.seats)
        takers = cycle(s for s in around if s in pot.seats and hand.strengths[s] == best)
        for giver in around:
            for _ in range(put_in[giver]):
                taker = next(takers)
                won_from[taker, giver] += 1
                won_from[giver, taker] -= 1
    return won_from


@pytest.mark.parametrize("structure", [BETTING, limit(4, ante=1), FOR_ALL])
def test_chips_go_from_losers_to_winners_hand_by_hand(structure: Structure) -> None:
    players = [RANDOM, RANDOM, ALWAYS_CALL, RANDOM, ALWAYS_CALL]
    stacks, side_pots, ties = [31, 88, 13, 57, 44], 0, 0
    total = np.zeros((5, 5), np.int64)
    for number in range(120):
        played = cash(
            structure, players, 1, seed=7, stacks=stacks, first=number, record=True, won_from=True
        )
        hand = played.replay_hand(number)
        assert played.won_from is not None
        assert played.won_from.tolist() == dealt_out_chip_by_chip(hand).tolist()
        total += played.won_from
        shown = [strength for strength in hand.strengths if strength > 0]
        side_pots += len(hand.pots) > 1
        ties += shown.count(max(shown, default=0)) > 1
    assert side_pots > 10
    assert ties > 0
    together = cash(structure, players, 120, seed=7, stacks=stacks, won_from=True)
    assert (together.won_from == total).all()


@pytest.mark.parametrize("carried", [False, True])
@pytest.mark.parametrize("structure", [BETTING, limit(4, unlimited_heads_up=True), FOR_ALL])
def test_what_is_won_is_lost_and_rows_are_profits(structure: Structure, carried: bool) -> None:
    rng = np.random.default_rng(1)
    given: Any = {"lineups": [rng.permutation(7)[:5] for _ in range(30)], "stacks": 80}
    given |= {"won_from": True, "stacks_carried": carried}
    played = cash(structure, PLAYERS, 20, seed=1, **given)
    assert played.won_from is not None
    assert (played.chips.sum(axis=2) == 0).all()
    assert (played.won_from == -played.won_from.T).all()
    assert (played.won_from.sum(axis=1) == played.won).all()
    assert played.won.any()


def asked(**changed: Any) -> Any:
    """Return a call that asks for games with something changed."""
    return lambda: at_tables(**changed)


test_refuses_line_ups_that_no_table_can_have = refused(
    (asked(lineups=[]), "have shape (0,); give one row of 2 to 10 players for each table"),
    (asked(lineups=[0, 1, 2]), "have shape (3,)"),
    (asked(lineups=[[0]]), "have shape (1, 1)"),
    (asked(lineups=[list(range(11))]), "have shape (1, 11)"),
    (asked(lineups=[[0, 1, 7]]), "numbers from 0 to 6; these are int64 from 0 to 7"),
    (asked(lineups=[[0, -1, 1]]), "from -1 to 1"),
    (asked(lineups=[[0.0, 1.0, 2.0]]), "these are float64"),
    (asked(lineups=[[0, 1, 2], [3, 4]]), "rows of different lengths"),
    (asked(lineups=[[0, 1, 2], [4, 3, 4]]), "line-up 1 seats player 4 twice: [4, 3, 4]"),
    (asked(lineups=[[0, 1]]), "lineups have 2 players a table; the game has 3 seats"),
    (asked(num_deals=10**8), "num_deals is 100,000,000, which makes 400,000,000 hands"),
    (asked(same_deals=1), "same_deals is 1; it must be True or False"),
    (asked(won_from="yes"), "won_from is 'yes'"),
    (asked(stacks_carried=1), "stacks_carried is 1; it must be True or False"),
    (
        asked(stacks_carried=True, stacks=10**10, num_deals=40_000),
        "stacks carried through 40,000 hands could bring 1,200,000,000,000,000 chips to a table",
    ),
)


def test_a_round_robin_is_every_pair_by_itself_with_the_same_deals() -> None:
    game = ring_game(limit(2), 2, 200, duplicates=True)
    players = [ALWAYS_CALL, RANDOM, ALWAYS_RAISE]
    won, errors = play_round_robin(game, players, 40, seed=5)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        alone = game.play([players[i], players[j]], 40, seed=5)
        assert won[i, j] == pytest.approx(alone.mean[0] * 500)
        assert won[j, i] == -won[i, j]
        assert errors[i, j] == errors[j, i] == pytest.approx(alone.standard_error[0] * 500)
    assert not np.diagonal(won).any()
