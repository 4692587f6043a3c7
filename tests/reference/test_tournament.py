"""Tournaments of many tables: the compiled ones are those of the reference, hand for hand."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from pokerlab.holdem.aggressiveness import Aggressiveness
from pokerlab.holdem.betting_structure import no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand, LegalActions
from pokerlab.holdem.players import Player, PythonPlayer
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import TournamentResult, make_doubling_schedule
from tests.at_tables import tournaments
from tests.oracles.table import dealt_at_table, luck_at_table
from tests.oracles.tournament import Decide, Entrant, TournamentField, even_tables

BLINDS = make_doubling_schedule(no_limit(5, 10), 5, chips=10**6)
SEED, FIRST = 3, 4
"""Of the cards; the number of the first tournament."""

Rule = Callable[[LegalActions, Sequence[float], Sequence[float], float], int]


def drawn(legal: LegalActions, luck: float) -> int:
    """Draw an action; small raises are likelier than large ones."""
    if luck < 0.25 and legal.can_fold:
        return FOLD
    if luck < 0.75 or legal.min_raise_to is None or legal.max_raise_to is None:
        return CALL
    size = (4 * luck - 3) ** 3
    return legal.min_raise_to + int(size * (legal.max_raise_to - legal.min_raise_to))


def wild(
    legal: LegalActions, overall: Sequence[float], recent: Sequence[float], luck: float
) -> int:
    return drawn(legal, luck)


def impressed(
    legal: LegalActions, overall: Sequence[float], recent: Sequence[float], luck: float
) -> int:
    """Act on everything that is known: any difference in what is seen becomes one in what is done."""
    known = sum(
        (2 + seat) * (3 * a + 7 * b)
        for seat, (a, b) in enumerate(zip(overall, recent, strict=True))
    )
    return drawn(legal, (luck + known) % 1.0)


def tight(
    legal: LegalActions, overall: Sequence[float], recent: Sequence[float], luck: float
) -> int:
    return FOLD if legal.can_fold else CALL


RULES: list[Rule] = [impressed, wild, tight]


def compiled(rule: Rule) -> Player:
    def decide(view: SeatView) -> int:
        return rule(
            view.legal_actions,
            view.overall_aggressiveness,
            view.recent_aggressiveness,
            view.random_number,
        )

    return PythonPlayer(decide, rule.__name__)


def plain(rule: Rule) -> Decide:
    def decide(hand: Hand, overall: Sequence[float], recent: Sequence[float], luck: float) -> int:
        return rule(hand.legal_actions, overall, recent, luck)

    return decide


def lineups(seed: int, num_tournaments: int, num_entrants: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    chosen: list[list[int]] = rng.choice(
        3, (num_tournaments, num_entrants), p=[0.5, 0.3, 0.2]
    ).tolist()
    return chosen


def of_reference(lineup: Sequence[int], stacks: Sequence[int]) -> list[Entrant]:
    return [Entrant(n, plain(RULES[p]), stacks[n]) for n, p in enumerate(lineup)]


def rules_of(number: int, how: Aggressiveness) -> dict[str, Any]:
    return {
        "structure_at": BLINDS.find_structure,
        "deal": dealt_at_table(SEED, number),
        "luck": luck_at_table(SEED, number),
        "how": how,
    }


def assert_same(placed: TournamentResult, tournament: int, entrants: Sequence[Entrant]) -> None:
    for name, plain_name in (
        ("ranks", "rank"),
        ("chips", "chips"),
        ("rounds_played", "lasted"),
        ("won", "won"),
    ):
        found = getattr(placed, name)[tournament, 0].tolist()
        assert found == [getattr(entrant, plain_name) for entrant in entrants], name


FIELDS = [(11, 10), (12, 3), (7, 2), (9, 4), (23, 6), (31, 10), (5, 2), (10, 5)]
HOW = [
    Aggressiveness(),
    Aggressiveness(window=3, raised="all put in"),
    Aggressiveness(score="raises", window=1),
    Aggressiveness(shared=True, raised="all put in"),
]


CASES = [
    (*field, HOW[(number + other) % len(HOW)], even)
    for number, field in enumerate(FIELDS)
    for other in (0, 1)
    for even in (True, False)
]
"""Each field with two ways to be impressed and both ways to fill tables; each way in four fields."""
LARGE = [
    pytest.param(1000, 10, how, even, marks=pytest.mark.slow)
    for how in HOW
    for even in (True, False)
]


@pytest.mark.parametrize(("num_entrants", "num_seats", "how", "even"), [*CASES, *LARGE])
def test_tournament_plays_like_the_reference(
    num_entrants: int, num_seats: int, how: Aggressiveness, even: bool
) -> None:
    drawn_lineups = lineups(num_entrants, 3 if num_entrants < 100 else 1, num_entrants)
    stacks = [200 + 37 * (n % 5) for n in range(num_entrants)]
    placed = tournaments(
        BLINDS,
        [compiled(rule) for rule in RULES],
        drawn_lineups,
        seed=SEED,
        stacks=stacks,
        seats=num_seats,
        aggressiveness=how,
        form="refilled" if even else "smallest broken",
        first=FIRST,
        side_by_side=9,
        record=True,
    )
    for tournament, lineup in enumerate(drawn_lineups):
        number = FIRST + tournament
        entrants = of_reference(lineup, stacks)
        tables = even_tables(entrants, num_seats, number % num_seats)
        field = TournamentField(tables, num_seats, **rules_of(number, how), even=even)
        num_hands = 0
        for hands, replayed in zip(
            field.rounds(10_000), placed.replay_rounds(tournament), strict=True
        ):
            assert [hand for _, hand in hands] == [
                table.hand for table in replayed.tables if table.hand is not None
            ]
            num_hands += len(hands)
        assert_same(placed, tournament, entrants)
        assert placed.rounds[tournament, 0] == field.round
        assert placed.hands[tournament, 0] == num_hands
