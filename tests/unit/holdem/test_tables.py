"""Tournaments of many tables: laws of chips, ranks, blinds and tables; what is known and when it ends."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core.errors import SettingError
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION
from pokerlab.holdem import table_view
from pokerlab.holdem.aggressiveness import Aggressiveness, Scoring, score_aggressiveness
from pokerlab.holdem.betting_structure import find_blind_seats, no_limit
from pokerlab.holdem.hand import CALL
from pokerlab.holdem.players import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    RANDOM,
    Player,
    PythonPlayer,
)
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import (
    Schedule,
    TournamentResult,
    make_doubling_schedule,
    make_pokerstars_schedule,
)
from pokerlab.holdem.tournament_rounds import Move, find_next_balancing_move
from tests.at_tables import tournaments
from tests.refusals import refused

PLAYERS = [RANDOM, ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_FOLD]
CHANCES = [0.3, 0.2, 0.1, 0.4]
BLINDS = make_doubling_schedule(no_limit(5, 10), 4, chips=10**6)
STACK = 300


def lineups(seed: int, num_tournaments: int, num_entrants: int) -> np.ndarray:
    return np.random.default_rng(seed).choice(4, (num_tournaments, num_entrants), p=CHANCES)


@pytest.fixture(scope="module")
def recorded() -> TournamentResult:
    return tournaments(
        BLINDS, PLAYERS, lineups(3, 12, 47), seed=3, stacks=STACK, seats=6, record=True
    )


def test_find_next_move_moves_the_next_big_blind(recorded: TournamentResult) -> None:
    for tournament in range(12):
        last = {table.number: 0 for table in next(recorded.replay_rounds(tournament)).tables}
        for played in recorded.replay_rounds(tournament):
            chairs = {}
            for table in played.tables:
                assert table.hand is not None
                last[table.number] = find_blind_seats(table.stacks, table.hand.button)[1]
                ends = zip(table.entrants, table.stacks_after, strict=True)
                chairs[table.number] = [entrant if stack else -1 for entrant, stack in ends]
            for entrant, move in played.moves:
                old, new = chairs[move.table], chairs[move.to_table]
                due = [(last[move.table] + turn) % 6 for turn in range(1, 7)]
                assert next(seat for seat in due if old[seat] >= 0) == move.seat
                assert old[move.seat] == entrant
                soon = [(last[move.to_table] + turn) % 6 for turn in range(1, 7)]
                assert next(seat for seat in soon if new[seat] < 0) == move.to_seat
                old[move.seat], new[move.to_seat] = -1, entrant


MOVES: list[tuple[list[int], list[int], Move]] = [
    # Eight and seven at tables of ten may stay; a player out at the second table lets one move.
    ([0b0011111111, 0b0001111111], [3, 0], Move(-1, -1, -1, -1)),
    ([0b0011111111, 0b0001111110], [3, 0], Move(0, 4, 1, 7)),
    ([0b0001111110, 0b0011111111], [0, 7], Move(1, 0, 0, 7)),
    # Ten are left at two tables: the last is broken, the player due for the big blind goes first.
    ([0b0000011111, 0b0000011111], [4, 4], Move(1, 0, 0, 5)),
    # The big blind went out: its seat is the last to be due for it again.
    ([0b0111111111, 0b0000001111], [9, 0], Move(0, 0, 1, 4)),
    # Of equally short tables the first; a table that has been left counts no more.
    ([0b1111111111, 0b0011111111, 0b0011111111], [9, 0, 0], Move(0, 0, 1, 8)),
    ([0b1111111111, 0b0111111111, 0b0000000000], [9, 0, 0], Move(-1, -1, -1, -1)),
]


@pytest.mark.parametrize(("taken", "big_blinds", "move"), MOVES)
def test_find_next_move_of_known_tables(
    taken: list[int], big_blinds: list[int], move: Move
) -> None:
    assert find_next_balancing_move(np.array(taken), np.array(big_blinds), 10) == move


@pytest.mark.parametrize("num_seats", [2, 3, 6, 10])
@pytest.mark.parametrize("out_at", ["one table", "the shortest", "the longest", "any"])
@pytest.mark.parametrize("at_once", [1, 4, 40])
def test_observations_hold_all_separated_pairs(num_seats: int, out_at: str, at_once: int) -> None:
    """However players go out: `Observations.allocate` says why there are fewer than 13.5 a player."""
    rng, num_entrants = np.random.default_rng(at_once), 300
    num_tables = -(-num_entrants // num_seats)
    edges = num_entrants * np.arange(num_tables + 1) // num_tables
    taken = (1 << np.diff(edges)) - 1
    big_blinds, parted = np.zeros(num_tables, np.int64), 0
    while (left := sum(int(seats).bit_count() for seats in taken)) > 1:
        sizes = np.array([int(seats).bit_count() for seats in taken])
        order = {
            "one table": np.arange(num_tables),
            "the shortest": np.argsort(sizes, kind="stable"),
            "the longest": np.argsort(-sizes, kind="stable"),
            "any": rng.permutation(num_tables),
        }[out_at]
        out = min(at_once, left - 1)
        for table in order:
            # Somebody wins the hand.
            for _ in range(min(out, max(sizes[table] - 1, 0))):
                taken[table] &= taken[table] - 1
                out -= 1
        big_blinds = rng.integers(num_seats, size=num_tables)
        while (move := find_next_balancing_move(taken, big_blinds, num_seats)).table >= 0:
            taken[move.table] ^= 1 << move.seat
            taken[move.to_table] ^= 1 << move.to_seat
            parted += int(taken[move.table]).bit_count()
    assert parted < 13.5 * num_entrants


def watching(seen: list[Any]) -> Player:
    """Return a player that calls, and writes down what it knows."""

    def decide(view: SeatView) -> int:
        seen.append(
            (
                view.match,
                view.hand_number,
                view.seat,
                view.overall_aggressiveness,
                view.recent_aggressiveness,
            )
        )
        return CALL

    return PythonPlayer(decide, "watching")


@pytest.mark.parametrize("counts_call", [False, True])
def test_score_action_is_at_most_a_million(counts_call: bool) -> None:
    """However deep the stacks: sums of millionths stay exact."""
    seen = np.zeros(table_view.NUM_VIEW_WORDS, np.int64)
    seen[[table_view.TO_CALL, table_view.BIG_BLIND]] = 1, 1
    scores = [
        score_aggressiveness(seen, raised, Scoring(True, counts_call))
        for raised in (999_999, 10**9)
    ]
    assert scores == [999_999 * table_view.MILLIONTHS, 10**6 * table_view.MILLIONTHS]


@pytest.mark.parametrize("how", [Aggressiveness(), Aggressiveness(shared=True)])
def test_is_the_same_in_parts_side_by_side_and_with_workers(how: Aggressiveness) -> None:
    seated = lineups(5, 14, 33)
    given: dict[str, Any] = {"seed": 6, "stacks": STACK, "seats": 7, "aggressiveness": how}
    whole, *others = (
        tournaments(BLINDS, PLAYERS, seated, **given, **more)
        for more in ({}, {"side_by_side": 1}, {"side_by_side": 13, "workers": 3})
    )
    end = tournaments(BLINDS, PLAYERS, seated[9:], first=9, **given)
    for name in ("ranks", "chips", "rounds_played", "won", "hands", "rounds"):
        for other in others:
            assert (getattr(other, name) == getattr(whole, name)).all()
        assert (getattr(end, name) == getattr(whole, name)[9:]).all()


def test_what_players_know_is_the_same_side_by_side_and_nothing_by_default() -> None:
    seated = np.random.default_rng(1).choice(3, (4, 23))
    known: list[list[Any]] = []
    for more in (
        {"aggressiveness": Aggressiveness()},
        {"aggressiveness": Aggressiveness(), "side_by_side": 1},
        {},
    ):
        known.append([])
        players = [RANDOM, ALWAYS_FOLD, watching(known[-1])]
        chosen: dict[str, Any] = {"seed": 2, "stacks": STACK, "seats": 5} | more
        tournaments(BLINDS, players, seated, **chosen)
    first, one_by_one, nothing = (sorted(seen, key=lambda s: s[:3]) for seen in known)
    assert first == one_by_one
    assert any(max(seen[3]) > 1 for seen in first)
    assert all(max(seen[3]) == max(seen[4]) == 0 for seen in nothing)


def test_tournament_of_folders_ends_by_the_blinds() -> None:
    folders = np.zeros((2, 30), int)
    placed = tournaments(BLINDS, [ALWAYS_FOLD], folders, seed=1, stacks=STACK)
    assert placed.is_finished.all()
    assert placed.actions.sum() == placed.actions[0, 0, :2].sum()
    assert KINDS_OF_ACTION[:2] == ("fold", "check")
    fixed = Schedule((no_limit(5, 10),), 10)
    stopped = tournaments(fixed, [ALWAYS_FOLD], folders, seed=1, stacks=STACK, most_hands=25)
    assert not stopped.is_finished.any()
    assert stopped.rounds.tolist() == [[25], [25]]
    assert (stopped.ranks.sum(axis=2) == 465).all()
    assert (stopped.rounds_played == 25).all()


def test_big_fields_of_more_tables_than_are_wanted_side_by_side_are_played() -> None:
    placed = tournaments(
        BLINDS,
        PLAYERS,
        lineups(1, 3, 1000),
        seed=1,
        stacks=STACK,
        side_by_side=7,
        aggressiveness=Aggressiveness(),
    )
    assert placed.is_finished.all()
    assert (placed.ranks.sum(axis=2) == 500500).all()


def asked(**changed: Any) -> Any:
    """Return a call that asks for a tournament with something changed."""
    given: Any = {"lineups": [[0] * 12], "seed": 1, "stacks": 100, "seats": 4}
    return lambda: tournaments(BLINDS, PLAYERS, **(given | changed))


test_refuses_what_no_tournament_can_have = refused(
    (asked(seats=13), "seats is 13; it must be an integer from 2 to 10"),
    (asked(seats=1), "seats is 1"),
    (asked(lineups=[[0] * 5], seats=6), "5 entrants do not fill a table of 6 seats"),
    (asked(duplicates=True), "duplicates are for a single table; 12 entrants need several"),
    (asked(stacks=[5] * 11), "stacks are given for 11 seats; there are 12"),
    (asked(stacks=[5] * 11 + [0]), "each seat needs chips"),
    (asked(stacks=2.5), "the stack of seat 0 is 2.5"),
    (asked(lineups=np.zeros((1, 100_001), int)), "entrants is 100001"),
    (lambda: Aggressiveness(window=0), "window is 0; Recent hands allows 1 to 100 hands"),
    (lambda: Aggressiveness(shared=1), "shared is 1; "),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("chips", [-1, 0, -np.inf, np.nan, 2.5, True])
def test_pokerstars_schedule_rejects_impossible_chips(chips: Any) -> None:
    with pytest.raises(SettingError, match="chips is"):
        make_pokerstars_schedule(chips=chips)
