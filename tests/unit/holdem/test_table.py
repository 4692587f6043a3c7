"""Cash games: players in Python and compiled ones, what players see, what results say."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from benchmarks.random_play import random_play
from pokerlab.core import Floats
from pokerlab.core.arrays import Ints
from pokerlab.core.compiler import kernel
from pokerlab.core.errors import IllegalActionError
from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_structure import Structure, limit, no_limit
from pokerlab.holdem.cards import format_cards
from pokerlab.holdem.cash_game import CashGameResult
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.players import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    RANDOM,
    CompiledPlayer,
    Player,
    PythonPlayer,
    Rows,
)
from pokerlab.holdem.table_view import SeatView, Tables
from tests.at_tables import cash
from tests.oracles import table as plain_table
from tests.refusals import refused

SCRIPTS: dict[str, Player] = {
    "draws": RANDOM,
    "calls": ALWAYS_CALL,
    "raises": ALWAYS_RAISE,
    "folds": ALWAYS_FOLD,
}
"""Compiled players by the name of what they are in plain Python."""
STRUCTURES = [
    no_limit(1, 2),
    no_limit(5, 10, ante=1),
    limit(4, big_blind=2),
    limit(10, cap=2, unlimited_heads_up=True),
]
EXACT = 1e-12
"""For means of whole numbers."""


@kernel
def pair_or_fold(
    views: Ints, asked: Rows, parameters: Ints, luck: Floats, out_actions: Floats
) -> None:
    """Fold below the own parameter's rank, unless the hand is a pair."""
    for row in asked:
        first, second = views[row, at.HOLE] // 4, views[row, at.HOLE + 1] // 4
        weak = first != second and max(first, second) < parameters[views[row, at.PARAMETERS]]
        out_actions[row] = FOLD if weak and views[row, at.TO_CALL] > 0 else CALL


@kernel
def nan_on_the_flop(
    views: Ints, asked: Rows, parameters: Floats, luck: Floats, out_actions: Floats
) -> None:
    for row in asked:
        out_actions[row] = CALL if views[row, at.STREET] == 0 else np.nan


def pair_or_fold_in_python(rank: int) -> PythonPlayer:
    def decide(view: SeatView) -> int:
        first, second = (int(card) // 4 for card in view.hole_cards)
        weak = first != second and max(first, second) < rank
        return FOLD if weak and view.legal_actions.can_fold else CALL

    return PythonPlayer(decide, f"rank {rank}")


def in_python(plain: str) -> PythonPlayer:
    """Return a scripted player as a function of its view."""

    def decide(view: SeatView) -> int:
        action: int = getattr(plain_table, plain)(_legal_only(view), view.random_number)
        return action

    return PythonPlayer(decide, plain)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_python_players_play_like_compiled_ones(structure: Structure) -> None:
    compiled: list[Player] = [*SCRIPTS.values()]
    functions: list[Player] = [in_python(name) for name in SCRIPTS]
    mixed = [compiled[0], functions[1], compiled[2], functions[3]]
    results = [
        cash(structure, players, 60, seed=8, stacks=75, duplicates=True)
        for players in (compiled, functions, mixed)
    ]
    for other in results[1:]:
        assert (other.chips == results[0].chips).all()
        assert (other.actions == results[0].actions).all()


def test_functions_are_players_by_their_names() -> None:
    def caller(view: SeatView) -> int:
        return CALL

    played = cash(limit(2), [caller, ALWAYS_RAISE], 20, seed=1, stacks=50)
    assert played.names == ("caller", "always raise")
    same = cash(limit(2), [ALWAYS_CALL, ALWAYS_RAISE], 20, seed=1, stacks=50)
    assert (played.chips == same.chips).all()


def test_players_of_one_kernel_use_their_own_parameters() -> None:
    ranks = [12, 5, 9, 0]
    compiled = [CompiledPlayer(pair_or_fold, np.array(rank)) for rank in ranks]
    functions = [pair_or_fold_in_python(rank) for rank in ranks]
    others: list[Player] = [ALWAYS_RAISE, RANDOM]
    played = [
        cash(no_limit(1, 2), [*some[:2], *others, *some[2:]], 200, seed=3, stacks=100)
        for some in (compiled, functions)
    ]
    assert (played[0].chips == played[1].chips).all()


def test_random_play_is_play_with_random_players() -> None:
    for num_seats in (2, 5, 10):
        stacks = [20 + 17 * seat for seat in range(num_seats)]
        played = cash(no_limit(1, 2), [RANDOM] * num_seats, 300, seed=4, stacks=stacks)
        chips = random_play(no_limit(1, 2), stacks, 300, seed=4)
        assert (chips == played.chips[:, 0]).all()
        assert (random_play(no_limit(1, 2), stacks, 50, seed=4, first=70) == chips[70:120]).all()


def test_players_see_the_table_and_no_hidden_card() -> None:
    seen: dict[int, list[SeatView]] = defaultdict(list)

    def decide(view: SeatView) -> int:
        seen[view.hand_number].append(view)
        return plain_table.draws(_legal_only(view), view.random_number)

    played = cash(
        no_limit(2, 5, ante=1), [PythonPlayer(decide)] * 5, 60, seed=6, stacks=60, record=True
    )
    for number in range(60):
        last = played.replay_hand(number)
        hand = type(last).begin(
            last.structure, last.starting_stacks, last.button, last.deal, number=number
        )
        views = seen[number]
        assert len(views) == len(last.actions)
        for view, action in zip(views, last.actions, strict=True):
            assert (view.seat, view.street, view.button) == (hand.actor, hand.street, hand.button)
            assert (view.stacks, view.bets, view.paid) == (hand.stacks, hand.bets, hand.paid)
            assert view.is_live == tuple(not folded for folded in hand.folded)
            assert (view.legal_actions, view.pot) == (hand.legal_actions, sum(hand.paid))
            assert (view.big_blind, view.num_seats, view.match) == (5, 5, 0)
            assert view.num_bets == hand.num_bets
            assert hand.actor is not None
            assert view.hole_cards.tolist() == hand.get_hole_cards(hand.actor).tolist()
            assert view.board.tolist() == hand.board.tolist()
            cards = {*view.hole_cards.tolist(), *view.board.tolist()}
            assert {w for w in view.words[at.HOLE : at.BOARD + 5].tolist() if w >= 0} == cards
            assert format_cards(view.hole_cards) in str(view)
            hand = hand.after(action)


def _legal_only(view: SeatView) -> Any:
    class AsHand:
        legal_actions = view.legal_actions

    return AsHand


def test_players_see_whether_they_have_checked_and_luck_for_the_whole_hand() -> None:
    seen: dict[int, list[tuple[SeatView, int]]] = {}

    def decide(view: SeatView) -> int:
        choices = [
            CALL,
            CALL,
            *([FOLD] * view.legal_actions.can_fold),
            view.legal_actions.min_raise_to or CALL,
        ]
        action = choices[int(view.random_number * len(choices))]
        seen.setdefault(view.hand_number, []).append((view, action))
        return action

    cash(limit(2), [PythonPlayer(decide)] * 4, 150, seed=5, stacks=80, first=7)
    key, after_check, lucks = int(draw_stream_key(5, "luck")), 0, []
    for number, views in seen.items():
        checks: set[tuple[int, int]] = set()
        for view, action in views:
            assert view.has_checked == ((view.seat, view.street) in checks)
            after_check += view.has_checked
            if action == CALL and view.legal_actions.to_call == 0:
                checks.add((view.seat, view.street))
            bits = (
                plain_table.number_at(plain_table.number_at(key, number), 2**32 + 2**20 * view.seat)
                >> 11
            )
            assert view.hand_random_number == bits * 2.0**-53
        lucks += list({(view.seat, view.hand_random_number) for view, _ in views})
    assert after_check > 20
    assert len({luck for _, luck in lucks}) == len(lucks)
    assert abs(np.mean([luck for _, luck in lucks]) - 0.5) < 4 / (12 * len(lucks)) ** 0.5


def test_free_folds_are_drawn_and_end_a_hand_of_folders() -> None:
    structure = no_limit(1, 2, free_folds=True)
    played = cash(structure, [ALWAYS_FOLD] * 3, 30, seed=1, stacks=50, record=True)
    assert (played.actions[:, :, 1:] == 0).all()  # no check, no call, no raise
    assert played.actions.sum() == 2 * 30
    free = cash(structure, [RANDOM] * 3, 200, seed=1, stacks=50, record=True)
    folds = 0
    for number in range(200):
        hand = free.replay_hand(number)
        now = Hand.begin(hand.structure, hand.starting_stacks, hand.button, hand.deal)
        for action in hand.actions:
            folds += action == FOLD and now.legal_actions.to_call == 0
            now = now.after(action)
        assert now.payoffs.tolist() == free.chips[number, 0].tolist()
    assert folds > 50


def test_hands_come_back_as_they_were_played() -> None:
    players = [RANDOM, ALWAYS_CALL, RANDOM]
    played = cash(
        limit(2), players, 40, seed=2, stacks=30, duplicates=True, record=True, first=1000
    )
    kinds: Counter[str] = Counter()
    for deal in range(1000, 1040):
        for rotation in range(3):
            hand = played.replay_hand(deal, rotation)
            assert hand.is_over
            won = played.chips[deal - 1000, rotation]
            names = played.list_names_at_table(rotation=rotation)
            assert names[(1 + rotation) % 3] == "always call"
            assert hand.payoffs.tolist() == [int(won[(s - rotation) % 3]) for s in range(3)]
            kinds.update("fold" if action == FOLD else "other" for action in hand.actions)
    assert kinds["fold"] == played.actions[:, :, 0].sum()
    assert sum(kinds.values()) == played.actions.sum()


def test_counts_actions_by_player_street_and_kind() -> None:
    played = cash(limit(2), [ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_FOLD], 30, seed=1, stacks=500)
    assert played.actions[0, :, [0, 3]].sum() == 0
    assert played.actions[1, :, 0].sum() == 0
    assert played.actions[2].sum() == played.actions[2, 0, 0] + played.actions[2, 0, 1]
    # A bet and three raises: heads-up against a caller each street has one raise before the flop.
    assert played.actions[1, 1:, 3].tolist() == [30, 30, 30]


def test_means_and_standard_errors_are_over_deals() -> None:
    played = cash(STRUCTURES[2], [RANDOM, ALWAYS_CALL], 50, seed=9, stacks=40, duplicates=True)
    a_deal = played.chips.sum(axis=1) / 2
    assert played.mean == pytest.approx(a_deal.mean(axis=0), abs=EXACT)
    assert played.standard_error == pytest.approx(a_deal.std(axis=0, ddof=1) / 50**0.5, abs=EXACT)
    assert played.convert_to_big_blinds([1.0, -3.0]).tolist() == [50.0, -150.0]
    assert str(played).startswith("big blinds per 100 hands, 50 deals, each in 2 rotations, seed 9")
    assert np.isnan(cash(limit(2), [RANDOM] * 2, 1, seed=1, stacks=9).standard_error).all()


def always(answer: Any) -> PythonPlayer:
    return PythonPlayer(lambda view: answer, "stubborn")


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (float("nan"), "nan is not an action; actions are whole numbers"),
        (float("inf"), "inf is not an action"),
        (2.5, "2.5 is not an action"),
        (None, "None is not an action"),
        (True, "True is not an action"),
        ("call", "'call' is not an action"),
        (3, "a bet or raise to 3 is below the minimum 4"),
        (1000, "a bet or raise to 1000 is above the maximum 50"),
        (10**400, "a number beyond all chips is not an action"),
        (-7, "-7 is not an action"),
    ],
)
def test_illegal_action_error_names_the_player(answer: Any, wrong: str) -> None:
    with pytest.raises(IllegalActionError) as error:
        cash(no_limit(1, 2), [ALWAYS_CALL, always(answer)], 3, seed=1, stacks=50, first=1)
    said = str(error.value)
    assert said.startswith("player 1 ('stubborn') in seat 1, hand 1 of match 0, preflop: ")
    assert wrong in said
    assert said.endswith("Legal: fold (-1), call 1 (0), raise to 4 to 50.")


def test_nan_answer_error_names_the_player() -> None:
    players = [ALWAYS_CALL, CompiledPlayer(nan_on_the_flop, np.zeros(1), "net")]
    with pytest.raises(IllegalActionError, match=r"player 1 \('net'\) .* flop: nan is not an"):
        cash(no_limit(1, 2), players, 3, seed=1, stacks=50, record=True)


def test_missing_answer_error_names_the_player() -> None:
    def silent(views: Ints, asked: Rows, parameters: Any, luck: Floats, actions: Floats) -> None:
        if (views[asked, at.STREET] == 0).all():
            actions[asked] = CALL

    players = [CompiledPlayer(silent, np.zeros(0), "shy"), ALWAYS_CALL]
    with pytest.raises(IllegalActionError, match=r"player 0 \('shy'\) .* flop: nan is not an"):
        cash(no_limit(1, 2), players, 3, seed=1, stacks=50, side_by_side=1)


def test_failing_function_has_a_note_of_the_hand() -> None:
    def decide(view: SeatView) -> int:
        raise ZeroDivisionError("too bold")

    with pytest.raises(ZeroDivisionError) as error:
        cash(no_limit(1, 2), [ALWAYS_CALL, PythonPlayer(decide, "bold")], 3, seed=1, stacks=50)
    assert error.value.__notes__[0].startswith("raised by player 1 ('bold'): hand 1, preflop, seat")


def asked(**changed: Any) -> Any:
    """Return a call that asks for a game with something changed."""
    given: Any = {"players": [ALWAYS_CALL] * 2, "num_deals": 5, "seed": 1, "stacks": 20}
    return lambda: cash(limit(2), **(given | changed))


def kept(*, record: bool = True) -> CashGameResult:
    """Return deals 3 to 7 of a game."""
    return cash(limit(2), [RANDOM, RANDOM], 5, seed=1, stacks=20, first=3, record=record)


test_refuses_what_no_table_can_have = refused(
    (asked(num_deals=0), "num_deals is 0; it must be an integer from 1 to 100,000,000"),
    (asked(first=-1), "first is -1"),
    (asked(workers=0), "workers is 0"),
    (asked(stacks=[5, 5, 5]), "stacks are given for 3 seats; there are 2"),
    (asked(stacks=0), "needs two seats with chips"),
    (asked(stacks=[5, 0]), "needs two seats with chips"),
    (asked(stacks=-3), "the stack of seat 0 is -3"),
    (asked(stacks=20.0), "the stack of seat 0 is 20.0; it must be an integer"),
    (asked(stacks=float("nan")), "the stack of seat 0 is nan"),
    (asked(duplicates=1), "duplicates is 1; it must be True or False"),
    (asked(players=[ALWAYS_CALL]), "number of seats is 1; it must be an integer from 2 to 10"),
    (asked(players=[ALWAYS_CALL] * 11), "number of seats is 11; it must be an integer from 2 to"),
    (asked(players=[ALWAYS_CALL, "net"]), "player 1 is 'net'; give a function of a SeatView"),
    (
        asked(
            players=[ALWAYS_CALL, CompiledPlayer(ALWAYS_CALL.decision_function, np.zeros(3), "odd")]
        ),
        "player 1 ('odd') has parameters of shape (3,), type float64",
    ),
    (lambda: kept().replay_hand(8), "deal 8, rotation 0 was not played; there are deals 3 to 7"),
    (lambda: kept().replay_hand(4, 1), "rotations 0 to 0"),
    (lambda: kept(record=False).replay_hand(4), "play with record=True"),
)


class Grudge:
    """A player that remembers, table by table, in which hand somebody else last raised."""

    def __init__(self, side_by_side: int) -> None:
        self.raised = np.full((side_by_side, 2), -1)

    def watch(self, tables: Tables, asked: Rows) -> None:
        rows = asked[tables.actions[asked] > 0]
        self.raised[rows] = tables.views[rows][:, [at.MATCH, at.HAND]]

    def write_actions(
        self, views: Ints, asked: Rows, parameters: Ints, luck: Floats, out_actions: Floats
    ) -> None:
        provoked = (self.raised[asked] == views[asked][:, [at.MATCH, at.HAND]]).all(axis=1)
        out_actions[asked] = np.where(provoked & (views[asked, at.TO_CALL] > 0), FOLD, CALL)


def test_watcher_fills_the_memory_of_players() -> None:
    grudge = Grudge(side_by_side=16)
    players = [CompiledPlayer(grudge.write_actions, np.zeros(0), "grudge"), RANDOM]
    played = cash(
        no_limit(1, 2),
        players,
        200,
        seed=1,
        stacks=50,
        record=True,
        watchers=[grudge.watch],
        side_by_side=16,
    )
    folded = 0
    for number in range(200):
        hand = played.replay_hand(number)
        raised = [action > 0 for action in hand.actions]
        now = type(hand).begin(hand.structure, hand.starting_stacks, hand.button, hand.deal)
        for place, action in enumerate(hand.actions):
            if now.actor == 0:
                provoked = any(raised[:place]) and now.legal_actions.can_fold
                assert action == (FOLD if provoked else CALL)
                folded += provoked
            now = now.after(action)
    assert folded > 50
