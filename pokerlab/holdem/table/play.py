"""Cash games: the same players, fresh stacks every hand, and what each of them wins."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.core.threads import MOST_WORKERS, shared
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.engine_showdown import pay_out
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.cards import MOST_DEALS, NUM_CARDS, Cards
from pokerlab.holdem.cards.dealing import deal_hand, key_of, number_at
from pokerlab.holdem.table.players import Company, Player
from pokerlab.holdem.table.record import Record
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.settings import MOST_SIDE_BY_SIDE, SIDE_BY_SIDE, stacks_of
from pokerlab.holdem.table.steps import Watcher, play_on
from pokerlab.holdem.table.view import Tables


def play(
    structure: Structure,
    players: Sequence[Player],
    num_deals: int,
    *,
    seed: int,
    stacks: int | Sequence[int],
    duplicates: bool = False,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = SIDE_BY_SIDE,
) -> Played:
    """Play hands with fresh stacks; the button moves on one seat with every deal.

    Parameters
    ----------
    structure : Structure
        From `limit` or `no_limit`.
    players : sequence of Player, length n
        Player p has seat p, at least for the first rotation. A function of a `SeatView` is one.
    num_deals : int
        How many deals, 1 to 10**8; a hand for each, or n with duplicates.
    seed : int
        Of the cards and of the players' luck.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start of a hand.
    duplicates : bool
        Whether each deal is played n times, the players moving on one seat each time, so that
        everybody holds everybody's cards. Players have the same luck in all of them, so that what
        is alike comes out at exactly zero.
    first : int
        The number of the first deal: deals 0 to 99 and 100 to 199 make 0 to 199.
    record : bool
        Whether to keep all actions.
    watchers : sequence of callables
        Called with the tables and the rows asked before the actions there are done.
    workers : int
        Threads that share the deals, 1 to 256. More than one only where players and watchers are compiled or
        safe to call at the same time.
    side_by_side : int
        Hands in play at a time, 1 to 10**6.

    Returns
    -------
    Played
        The same for any number of workers and of hands side by side.

    Raises
    ------
    SettingError
        If a number is out of range.
    IllegalActionError
        If a player does what is not legal.

    Notes
    -----
    Players see the hands in no fixed order, many at a time: what they remember from one decision
    to the next must be told apart by `SeatView.hand`.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, limit
    >>> played = play(
    ...     limit(2), [ALWAYS_CALL, ALWAYS_RAISE], 50, seed=1, stacks=200, duplicates=True
    ... )
    >>> played.chips.shape, int(played.chips.sum())
    ((50, 2, 2), 0)
    """
    company = Company(players)
    seats = stacks_of(len(company), stacks)
    whole("first", first, 0, LARGEST_COUNT)
    whole("num_deals", num_deals, 1, MOST_DEALS)
    whole("workers", workers, 1, MOST_WORKERS)
    whole("side_by_side", side_by_side, 1, MOST_SIDE_BY_SIDE)
    rotations = len(seats) if switch("duplicates", duplicates) else 1

    def part(begin: int, end: int) -> tuple[Ints, Ints, Record | None]:
        tables = Tables.empty(min(side_by_side, (end - begin) * rotations))
        tables.hands[:, : engine.SEATS] = engine.structure_words(structure)
        tables.hands[:, engine.SEATS] = len(seats)
        tables.hands[:, engine.START : engine.START + len(seats)] = seats
        cash = Cash(
            deal_key=key_of(seed, "deal"),
            luck_key=key_of(seed, "luck"),
            first=begin,
            begun=np.zeros(1, np.int64),
            deck=np.empty(NUM_CARDS, np.uint8),
            chips=np.zeros((end - begin, rotations, len(seats)), np.int64),
        )
        dealer = partial(deal_next, tables, cash)
        actions, kept = play_on(tables, company, dealer, watchers, record=record)
        return cash.chips, actions, kept

    parts = shared(part, first, first + num_deals, workers=workers)
    chips, actions, records = zip(*parts, strict=True)
    return Played(
        structure=structure,
        names=tuple(player.name for player in company.players),
        stacks=seats,
        seed=seed,
        first=first,
        chips=np.concatenate(chips),
        actions=np.sum(actions, axis=0),
        record=Record.joined(records) if record else None,
    )


class Cash(NamedTuple):
    """What a cash game's hands have in common, and what comes of them.

    Attributes
    ----------
    deal_key, luck_key : int
        Where cards and the players' luck come from.
    first : int
        Number of the first deal.
    begun : ndarray of int64, shape (1,)
        How many hands have begun.
    deck : ndarray of uint8, shape (52,)
        To deal from.
    chips : ndarray of int64, shape (num_deals, rotations, players)
        Written: what each player wins.
    """

    deal_key: np.uint64
    luck_key: np.uint64
    first: int
    begun: Ints
    deck: Cards
    chips: Ints


@kernel
def deal_next(tables: Tables, cash: Cash) -> None:
    """Write what the players have won where a hand is over, and deal the next one."""
    num_deals, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, engine.ACTOR] == engine.NOBODY:
            if tables.match[row] != engine.NOBODY:
                pay_out(tables.hands[row], tables.deals[row], payoffs)
                for seat in range(num_seats):
                    deal, player = tables.number[row] - cash.first, tables.lineup[row, seat]
                    cash.chips[deal, tables.match[row], player] = payoffs[seat]
            if cash.begun[0] == num_deals * rotations:
                tables.match[row] = engine.NOBODY
                break
            begin_next(tables, row, cash)


@inlined
def begin_next(tables: Tables, row: int, cash: Cash) -> None:
    """Begin the next hand at the table `row`."""
    _, rotations, num_seats = cash.chips.shape
    number, rotation = cash.first + cash.begun[0] // rotations, cash.begun[0] % rotations
    cash.begun[0] += 1
    tables.match[row] = rotation
    tables.number[row] = number
    tables.decision[row] = 0
    tables.luck_key[row] = number_at(cash.luck_key, number)
    for player in range(num_seats):
        seat = player + rotation
        tables.lineup[row, seat - num_seats if seat >= num_seats else seat] = player
    key = number_at(cash.deal_key, number)
    deal_hand(key, cash.deck, tables.deals[row], 2 * num_seats + 5)
    engine.begin(tables.hands[row], number % num_seats)
