"""Tournaments at one table: blinds rise, who has no chips left is out, the last one wins.

- Who has no chips left after a hand is out, and ranked by the chips it began the hand with.
- The big blind moves on to the next seat that has chips, and takes the button along: see
  `play_tournaments`.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.threads import shared
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.engine_showdown import pay_out
from pokerlab.holdem.cards.cards import NUM_CARDS, Cards
from pokerlab.holdem.cards.dealing import deal_hand, key_of, number_at
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.results import Record
from pokerlab.holdem.table.schedule import Schedule
from pokerlab.holdem.table.steps import SIDE_BY_SIDE, Watcher, play_on, seated
from pokerlab.holdem.table.tournament_results import Placed
from pokerlab.holdem.table.view import Tables

MOST_HANDS = 10_000
"""After which a tournament is stopped; blinds that double never let it come to that."""


def play_tournaments(
    schedule: Schedule,
    players: Sequence[Player],
    lineups: ArrayLike,
    *,
    seed: int,
    stacks: int | Sequence[int],
    duplicates: bool = False,
    most_hands: int = MOST_HANDS,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = SIDE_BY_SIDE,
) -> Placed:
    """Play tournaments of one table each, and rank the players by the order of elimination.

    Of several who are out in one hand, who began it with more chips ranks higher; who had equally
    many share the mean of their ranks. The button moves, there is no dead one: the big blind goes
    on to the next seat with chips; small blind and button are the two seats with chips before it,
    and heads-up the other seat is both. So nobody posts the big blind twice running or misses it;
    after an elimination a seat may keep the button or miss the small blind.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`.
    players : sequence of Player
        Everybody who may play.
    lineups : array_like of int, shape (T, n)
        For each tournament n of the players by their numbers, in the order of the seats. A player
        may have several seats of a table.
    seed : int
        Of the cards and of the players' luck.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start.
    duplicates : bool
        Whether each tournament is played n times with the same cards and luck, the players moving
        on one seat each time.
    most_hands : int
        After how many hands to stop; who is left then is ranked by chips.
    first : int
        The number of the first tournament: 0 to 9 and 10 to 19 make 0 to 19. In tournament t the
        big blind first comes from seat t + 1, counted round the table.
    record, watchers, workers, side_by_side
        As for `pokerlab.holdem.play`.

    Returns
    -------
    Placed
        The same for any number of workers and of tournaments side by side.

    Raises
    ------
    SettingError
        If a number is out of range.
    IllegalActionError
        If a player does what is not legal.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, ALWAYS_RAISE, RANDOM, doubling, no_limit
    >>> schedule = doubling(no_limit(5, 10), 20, chips=3000)
    >>> players = [ALWAYS_FOLD, ALWAYS_RAISE, RANDOM]
    >>> placed = play_tournaments(schedule, players, [[0, 1, 2]] * 40, seed=1, stacks=1000)
    >>> bool(placed.is_finished.all()), float(placed.ranks.sum(axis=2).mean())
    (True, 6.0)
    """
    if not isinstance(schedule, Schedule):
        raise SettingError(
            f"schedule is {schedule!r}; give a Schedule, such as"
            " doubling(no_limit(5, 10), 50, chips=9000)."
        )
    company, at_tables, chips, rotations = seated(
        players,
        lineups,
        stacks,
        duplicates=duplicates,
        first=first,
        workers=workers,
        side_by_side=side_by_side,
    )
    num_tournaments, num_seats = at_tables.shape
    whole("most_hands", most_hands, 1, LARGEST_COUNT)

    def part(begin: int, end: int) -> tuple[Tournaments, Ints, Record | None]:
        played = Tournaments(
            levels=schedule.words(),
            hands_a_level=schedule.hands_a_level,
            most_hands=most_hands,
            stacks=np.array(chips),
            lineups=at_tables[begin:end],
            deal_key=key_of(seed, "deal"),
            luck_key=key_of(seed, "luck"),
            first=first + begin,
            rotations=rotations,
            begun=np.zeros(1, np.int64),
            deck=np.empty(NUM_CARDS, np.uint8),
            ranks=np.full(((end - begin) * rotations, num_seats), np.nan),
            chips=np.zeros(((end - begin) * rotations, num_seats), np.int64),
            lasted=np.zeros(((end - begin) * rotations, num_seats), np.int64),
            hands=np.zeros((end - begin) * rotations, np.int64),
        )
        tables = Tables.empty(min(side_by_side, (end - begin) * rotations))
        tables.hands[:, engine.SEATS] = num_seats
        dealer = partial(deal_next, tables, played)
        actions, kept = play_on(tables, company, dealer, watchers, record=record)
        return played, actions, kept

    parts = shared(part, 0, num_tournaments, workers=workers)
    played, actions, records = zip(*parts, strict=True)
    shape = (num_tournaments, rotations, num_seats)
    return Placed(
        schedule=schedule,
        names=tuple(player.name for player in company.players),
        stacks=chips,
        seed=seed,
        first=first,
        lineups=at_tables,
        ranks=np.concatenate([batch.ranks for batch in played]).reshape(shape),
        chips=np.concatenate([batch.chips for batch in played]).reshape(shape),
        lasted=np.concatenate([batch.lasted for batch in played]).reshape(shape),
        hands=np.concatenate([batch.hands for batch in played]).reshape(shape[:2]),
        actions=np.sum(actions, axis=0),
        record=Record.joined(records) if record else None,
    )


class Tournaments(NamedTuple):
    """What a batch of tournaments has in common, and what comes of them.

    A match is one tournament in one rotation of its seats: match m is tournament m // rotations.

    Attributes
    ----------
    levels : ndarray of int64, shape (levels, NUM_STRUCTURE_WORDS)
        Structures.
    hands_a_level, most_hands : int
        Hands a level; hands after which the tournament ends.
    stacks : ndarray of int64, shape (n,)
        Chips of each seat at the start.
    lineups : ndarray of int64, shape (T, n)
        Who plays.
    deal_key, luck_key : int
        Where cards and the players' luck come from.
    first, rotations : int
        Number of the first tournament; how often each is played.
    begun : ndarray of int64, shape (1,)
        How many matches have begun.
    deck : ndarray of uint8, shape (52,)
        To deal from.
    ranks : ndarray of float64, shape (T * rotations, n)
        Written: ranks by place in the lineup.
    chips, lasted : ndarray of int64, shape (T * rotations, n)
        Written: by place in the lineup, chips at the end, and how many hands it took part in.
    hands : ndarray of int64, shape (T * rotations,)
        Written: hands played.
    """

    levels: Ints
    hands_a_level: int
    most_hands: int
    stacks: Ints
    lineups: Ints
    deal_key: np.uint64
    luck_key: np.uint64
    first: int
    rotations: int
    begun: Ints
    deck: Cards
    ranks: NDArray[np.float64]
    chips: Ints
    lasted: Ints
    hands: Ints


@kernel
def deal_next(tables: Tables, played: Tournaments) -> None:
    """Settle the hands that are over, and deal the next of each match or begin another match."""
    payoffs = np.empty(played.stacks.size, np.int64)
    num_matches = played.hands.size
    for row in range(tables.match.size):
        while tables.hands[row, engine.ACTOR] == engine.NOBODY:
            if tables.match[row] != engine.NOBODY:
                settle(tables, row, payoffs, played)
            if tables.match[row] != engine.NOBODY:
                begin_hand(tables, row, played)
            elif played.begun[0] < num_matches:
                begin_match(tables, row, played)
                begin_hand(tables, row, played)
            else:
                break


@inlined
def settle(tables: Tables, row: int, payoffs: Ints, played: Tournaments) -> None:
    """Pay out a hand, rank who is out, and leave the table empty where the match is over."""
    hand, num_seats = tables.hands[row], played.stacks.size
    match = tables.match[row] - played.first * played.rotations
    pay_out(hand, tables.deals[row], payoffs)
    left = 0
    for seat in range(num_seats):
        left += hand[engine.START + seat] + payoffs[seat] > 0
    ranks, rotation = played.ranks[match], match % played.rotations
    played.hands[match] += 1
    tables.number[row] += 1
    for seat in range(num_seats):
        began_with = hand[engine.START + seat]
        if began_with > 0 and began_with + payoffs[seat] == 0:
            rank = left + 1.0
            for other in range(num_seats):
                if other != seat and hand[engine.START + other] + payoffs[other] == 0:
                    rank += ahead(hand[engine.START + other], began_with)
            place = place_of(seat, rotation, num_seats)
            ranks[place] = rank
            played.lasted[match, place] = played.hands[match]
    for seat in range(num_seats):
        hand[engine.START + seat] += payoffs[seat]
    if left == 1 or played.hands[match] == played.most_hands:
        finish(hand, match, played)
        tables.match[row] = engine.NOBODY


@inlined
def finish(hand: Ints, match: int, played: Tournaments) -> None:
    """Rank who is left by their chips, and write down everybody's."""
    num_seats = played.stacks.size
    for seat in range(num_seats):
        place = place_of(seat, match % played.rotations, num_seats)
        chips = hand[engine.START + seat]
        played.chips[match, place] = chips
        if chips > 0:
            rank = 1.0
            for other in range(num_seats):
                if other != seat:
                    rank += ahead(hand[engine.START + other], chips)
            played.ranks[match, place] = rank
            played.lasted[match, place] = played.hands[match]


@inlined
def ahead(others: int, own: int) -> float:
    """Return by how much somebody with `others` chips lowers the rank of who has `own`."""
    if others == own:
        return 0.5
    return 1.0 if others > own else 0.0


@inlined
def place_of(seat: int, rotation: int, num_seats: int) -> int:
    """Return the place in the lineup of who sits in `seat`."""
    return seat - rotation + (num_seats if seat < rotation else 0)


@inlined
def begin_match(tables: Tables, row: int, played: Tournaments) -> None:
    """Seat the players of the next match; the blinds are to come from where its number says."""
    hand, num_seats = tables.hands[row], played.stacks.size
    number, rotation = played.begun[0] // played.rotations, played.begun[0] % played.rotations
    tables.match[row] = played.first * played.rotations + played.begun[0]
    played.begun[0] += 1
    tables.number[row] = 0
    for seat in range(num_seats):
        hand[engine.START + seat] = played.stacks[seat]
        player = played.lineups[number, place_of(seat, rotation, num_seats)]
        tables.lineup[row, seat] = player
    hand[engine.BIG_BLIND_SEAT] = (played.first + number) % num_seats


@inlined
def begin_hand(tables: Tables, row: int, played: Tournaments) -> None:
    """Move the blinds and the button, raise the level where it is time, deal, and begin."""
    hand, num_seats = tables.hands[row], played.stacks.size
    number = tables.match[row] // played.rotations
    level = min(tables.number[row] // played.hands_a_level, played.levels.shape[0] - 1)
    for word in range(engine.SEATS):
        hand[word] = played.levels[level, word]
    tables.decision[row] = 0
    tables.luck_key[row] = number_at(number_at(played.luck_key, number), tables.number[row])
    key = number_at(number_at(played.deal_key, number), tables.number[row])
    deal_hand(key, played.deck, tables.deals[row], 2 * num_seats + 5)
    engine.begin(hand, next_button(hand))


@inlined
def next_button(hand: Ints) -> int:
    """Return who has the button when the big blind moves on from who had it."""
    with_chips = 0
    for seat in range(hand[engine.SEATS]):
        if hand[engine.START + seat] > 0:
            with_chips |= 1 << seat
    big = engine.next_seat(with_chips, hand[engine.BIG_BLIND_SEAT])
    button, small = big, engine.next_seat(with_chips, big)
    while engine.next_seat(with_chips, small) != big:
        button, small = small, engine.next_seat(with_chips, small)
    # With two, the loop does not run: the other seat has small blind and button.
    return small if button == big else button
