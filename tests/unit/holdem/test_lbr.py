"""The local best response: against plain recursion with beliefs from scratch, and against what is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.holdem import count_showdowns, lbr, win_probability
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    bucketed_limit_holdem,
)
from pokerlab.holdem.buckets import find_bucket
from pokerlab.holdem.cards import BOARD_SIZES, HOLDINGS, NUM_HOLDINGS, Cards, deal_hands
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.hand import CALLING, FOLDING, RAISING
from pokerlab.holdem.lbr import allocate_opponent_hands, fill_opponent_hands
from tests.random_bucketed import evenly_cut, random_profile, random_table
from tests.refusals import refused

ROUNDING = 1e-10
STANDARD_ERRORS = 5.0
KEY = draw_stream_key(1, "run-outs")


def equities(hole: Cards, others: Cards, board: Cards) -> np.ndarray:
    """Return the equity of hole cards against each of some others."""
    return np.array([count_showdowns(hole, other, board).find_win_share() for other in others])


class Recursion:
    """One deal played by definition, with beliefs found anew at every node; exact from the turn on."""

    def __init__(
        self, profile: BucketedProfile, cards: Cards, seat: int, active_from: int, *, best: bool
    ) -> None:
        self.profile, self.tree, self.seat = profile, profile.game.tree, seat
        self.active_from, self.best = active_from, best
        hole, boards = cards[:2], [cards[2 : 2 + known] for known in BOARD_SIZES]
        self.free = [~np.isin(HOLDINGS, np.append(hole, board)).any(axis=1) for board in boards]
        self.bucket, self.equity = (
            np.zeros((4, NUM_HOLDINGS), np.int64),
            np.zeros((4, NUM_HOLDINGS)),
        )
        for street, board in enumerate(boards):
            free = self.free[street]
            self.bucket[street, free] = find_bucket(profile.game.buckets, HOLDINGS[free], board)
            if street >= 2:
                self.equity[street, free] = equities(hole, HOLDINGS[free], board)

    def chances(self, node: int) -> np.ndarray:
        """Return what the opponent does at a decision with each holding, (1326, 3)."""
        row = self.profile.decision_probabilities[self.tree.decision[node]]
        return np.asarray(row[self.bucket[self.tree.street[node]]])

    def belief(self, node: int, street: int) -> np.ndarray:
        """Return the probability of each holding, given what led to a node and a street's board."""
        weight = self.free[street].astype(float)
        while (above := int(self.tree.parent[node])) >= 0:
            if self.tree.kind[above] == DECISION and self.tree.actor[above] != self.seat:
                action = int(np.argmax(self.tree.child[above] == node))
                weight = weight * self.chances(above)[:, action]
            node = above
        belief = weight / weight.sum()
        assert belief.sum() == pytest.approx(1)
        return np.asarray(belief)

    def wins(self, node: int = 0) -> float:
        """Return what is won on average from a node on, given that it is reached."""
        tree, paid = self.tree, self.tree.paid[node]
        if tree.kind[node] == DEAL:
            return self.wins(node + 1)
        if tree.kind[node] == FOLDED:
            loser = tree.actor[node]
            return float(-paid[loser] if loser == self.seat else paid[loser])
        if tree.kind[node] != DECISION:
            return float(paid[0] * (2 * self.belief(node, 3) @ self.equity[3] - 1))
        children = [(action, int(c)) for action, c in enumerate(tree.child[node]) if c >= 0]
        if tree.actor[node] != self.seat:
            # The whole board is dealt: what it forbids the opponent does not have.
            odds = self.belief(node, 3) @ self.chances(node)
            return float(sum(odds[a] * self.wins(c) for a, c in children if odds[a] > 0))
        if tree.street[node] < self.active_from:
            return self.wins(int(tree.child[node, CALLING]))
        if self.best:
            return max(self.wins(c) for _, c in children)
        return self.wins(int(tree.child[node, self.chosen(node)]))

    def chosen(self, node: int) -> int:
        """Return the action of algorithm 1."""
        tree, street = self.tree, int(self.tree.street[node])
        own, other = tree.paid[node, self.seat], tree.paid[node, 1 - self.seat]
        pot, asked = own + other, other - own
        belief = self.belief(node, street)
        likely = belief @ self.equity[street]
        worth = {CALLING: likely * pot - (1 - likely) * asked}
        if tree.child[node, FOLDING] >= 0:
            worth[FOLDING] = 0.0
        raised = int(tree.child[node, RAISING])
        if raised >= 0:
            bet = tree.paid[raised, self.seat] - other
            folds = self.chances(raised)[:, FOLDING]
            odds = belief @ folds
            stays = belief * (1 - folds)
            likely = stays @ self.equity[street] / stays.sum() if stays.sum() else 0.0
            called = likely * (pot + bet) - (1 - likely) * (asked + bet)
            worth[RAISING] = odds * pot + (1 - odds) * called
        return max(worth, key=worth.__getitem__)


def game_of(counts: int | tuple[int, int, int, int], cap: int) -> BucketedHoldem:
    return bucketed_limit_holdem(evenly_cut(counts), raise_cap=cap)


@pytest.mark.parametrize("make", [random_table, random_profile])
@pytest.mark.parametrize(("cap", "active_from"), [(1, 2), (2, 3), (2, 2)])
def test_local_best_response_equals_its_definition(cap: int, active_from: int, make: Any) -> None:
    profile = make(game_of((2, 3, 4, 5), cap), 1)
    cards = deal_hands(cap, 3, 1)
    won, _ = lbr.compute_winnings_and_control_variates(profile, cards, KEY, 1, active_from)
    for deal, of_deal in enumerate(cards):
        for seat in range(2):
            expected = Recursion(profile, of_deal, seat, active_from, best=False).wins()
            assert won[deal, seat] == pytest.approx(expected, abs=ROUNDING)


def test_lbr_on_the_river_is_a_best_response() -> None:
    profile = random_table(game_of((2, 1, 1, 4), 2), 5)
    cards = deal_hands(1, 5, 1)
    won, _ = lbr.compute_winnings_and_control_variates(profile, cards, KEY, 1, 3)
    most = np.array(
        [[Recursion(profile, each, s, 3, best=True).wins() for s in (0, 1)] for each in cards]
    )
    assert (won <= most + ROUNDING).all()
    assert (won < most - 0.01).any()


@pytest.mark.parametrize("active_from", [0, 1, 2, 3])
def test_lbr_against_always_fold_wins_the_blinds(active_from: int) -> None:
    response = lbr.local_best_response(
        game_of(2, 4).always_fold(), 30, seed=1, run_outs=2, active_from=active_from
    )
    assert response.seats == pytest.approx((1.0, 0.5), abs=ROUNDING)
    assert response.value == pytest.approx(1.5, abs=ROUNDING)
    assert response.standard_error == pytest.approx(0, abs=ROUNDING)


def test_lbr_against_always_call_bets_better_hands() -> None:
    cards = deal_hands(2, 200, 1)
    won, _ = lbr.compute_winnings_and_control_variates(
        game_of(2, 4).always_call(), cards, KEY, 1, 2
    )
    turn, river = (win_probability(cards[:, :2], cards[:, 2:known]) for known in (6, 7))
    stake = 1.0 + 2.0 * (turn > 0.5) + 2.0 * (river > 0.5)
    assert won == pytest.approx(np.repeat((stake * (2 * river - 1))[:, None], 2, axis=1))


def test_find_equities_by_hand_equals_brute_force() -> None:
    cards, hands = deal_hands(3, 1, 1)[0], allocate_opponent_hands()
    values = [compute_all_win_probabilities(cards[None, 2 : 2 + known]) for known in BOARD_SIZES]
    buckets = evenly_cut(3)
    run_outs = 3000
    fill_opponent_hands(
        cards, lbr.find_buckets_of_holdings(buckets, values)[0], KEY, run_outs, 0, hands
    )
    assert hands.num_possible.tolist() == [1225, 1081, 1035, 990]
    for street, known in enumerate(BOARD_SIZES):
        board, size = cards[2 : 2 + known], hands.num_possible[street]
        number = hands.holdings[:size]
        free = ~np.isin(HOLDINGS, cards[: 2 + known]).any(axis=1)
        assert sorted(number) == np.flatnonzero(free).tolist()
        found = find_bucket(buckets, HOLDINGS[number], board)
        assert (hands.buckets[street, :size] == found).all()
        if street == 0:
            mean, expected = hands.equities[0, :size].mean(), win_probability(cards[:2], board)
            assert abs(mean - expected) < STANDARD_ERRORS * 0.5 / np.sqrt(run_outs)
            continue
        exact = equities(cards[:2], HOLDINGS[number], board)
        error = np.sqrt(exact * (1 - exact) / (0.9 * run_outs)) if street == 1 else 0.0
        assert (np.abs(hands.equities[street, :size] - exact) <= 6 * error + 1e-12).all()


def test_sample_winnings_of_a_deal_ignores_other_deals() -> None:
    profile = random_table(game_of(2, 1), 1)
    cards = deal_hands(1, 130, 1)
    won, controls = lbr.compute_winnings_and_control_variates(profile, cards, KEY, 2, 0)
    for few in (20, 101):
        again = lbr.compute_winnings_and_control_variates(profile, cards[:few], KEY, 2, 0)
        assert (again[0] == won[:few]).all()
        assert (again[1] == controls[:few]).all()
    alike = np.repeat(cards[:1], 200, axis=0)  # but for the run-outs
    lucky, _ = lbr.compute_winnings_and_control_variates(profile, alike, KEY, 1, 0)
    assert (lucky[:100] != lucky[100:]).any()
    first = lbr.local_best_response(profile, 20, seed=1, run_outs=2)
    assert first == lbr.local_best_response(profile, 20, seed=1, run_outs=2)
    assert first.value == pytest.approx(won[:20].sum() / 20)
    assert first.seats == pytest.approx(won[:20].mean(axis=0))
    assert first.value != lbr.local_best_response(profile, 20, seed=2, run_outs=2).value
    assert np.isnan(lbr.local_best_response(profile, 1, seed=1).standard_error)


def test_controls_are_zero_on_average_over_all_hole_cards() -> None:
    board = deal_hands(1, 1, 1)[0, 2:]
    values = [compute_all_win_probabilities(board[None, :known]) for known in BOARD_SIZES]
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    repeated = [np.repeat(value, NUM_HOLDINGS, axis=0) for value in values]
    found = lbr.compute_control_variates(HOLDINGS, repeated)
    assert found[free, 6:].mean(axis=0) == pytest.approx([0, 0], abs=ROUNDING)
    assert found[:, :2].mean(axis=0) == pytest.approx([0, 0], abs=ROUNDING)
    assert (found[free].std(axis=0) > 0.01).all()


def test_estimate_values_with_controls_keeps_the_mean() -> None:
    profile = random_table(game_of(3, 2), 2)
    won, controls = lbr.compute_winnings_and_control_variates(
        profile, deal_hands(4, 1000, 1), KEY, 20, 1
    )
    with_luck, without = (
        lbr.estimate_mean_winnings(won, controls[:, :0], 20, 4),
        lbr.estimate_mean_winnings(won, controls, 20, 4),
    )
    assert with_luck.standard_error == pytest.approx(won.sum(axis=1).std(ddof=1) / np.sqrt(1000))
    assert without.standard_error < with_luck.standard_error / 2
    assert abs(without.value - with_luck.value) < STANDARD_ERRORS * with_luck.standard_error
    assert sum(without.seats) == pytest.approx(without.value)
    seat_errors = won.std(axis=0, ddof=1) / np.sqrt(1000)
    assert with_luck.seat_errors == pytest.approx(seat_errors)
    assert seat_errors[0] != pytest.approx(seat_errors[1], rel=1e-3)
    # The standard error is that of other deals, too.
    parts = [
        lbr.estimate_mean_winnings(w, c, 20, 4)
        for w, c in zip(np.split(won, 5), np.split(controls, 5), strict=True)
    ]
    spread = np.std([part.value for part in parts], ddof=1)
    assert spread < 3 * np.mean([part.standard_error for part in parts])


def asked(**settings: Any) -> Callable[[], Any]:
    given = {"num_deals": 2, "seed": 1, **settings}
    return lambda: lbr.local_best_response(game_of(2, 1).uniform(), **given)


test_what_is_wrong_is_said = refused(
    (asked(num_deals=0), "num_deals is 0"),
    (asked(num_deals=1.5), "num_deals is 1.5"),
    (asked(run_outs=0), "run_outs is 0; it must be an integer from 1"),
    (asked(active_from=4), "active_from is 4; it must be an integer from 0 to 3"),
)
