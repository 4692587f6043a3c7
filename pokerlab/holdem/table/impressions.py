"""What players at a table know of each other's aggressiveness, and keep when they change tables.

A player knows two means of another's scores: *overall*, over every decision that the other has made at the
same table, and *recent*, over the last ten hands of it. Of itself it knows all of its decisions.

How to read it. For each table `Impressions` has running sums for each seat, of scores and of how many
decisions they are for. A mean since some moment is a difference of sums now and then. So there are, for each
pair of seats, the sums when the two met, and for each of the last hands the sums when it began. An action
adds one score; a view divides twice for each seat. Two who part leave the difference in `pairs`; when they
meet again, the moment at which they met is put back by as much.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.holdem.cards.dealing import scramble
from pokerlab.holdem.table.aggressiveness import Aggressiveness, Scoring, score_of
from pokerlab.holdem.table.balancing import NUM_TAKEN, Move
from pokerlab.holdem.table.view import OVERALL, RECENT, SEAT, Tables

PARTED_A_PLAYER = 16
"""Room for pairs that have parted, for each entrant; more than there can be: see `Impressions.empty`."""


class Impressions(NamedTuple):
    """What players at tables side by side have seen of each other, one table a row.

    Sums are two numbers: of scores, in millionths, and of decisions. They are whole, and so exact.

    Attributes
    ----------
    scoring : Scoring
        How decisions are scored.
    by_orbit : bool
        Whether an orbit is recent.
    num_entrants : int
        Of a tournament.
    sums : ndarray of float64, shape (K, 2, 10)
        Of each seat's player since the tournament began.
    met : ndarray of float64, shape (K, 10, 2, 10)
        For each seat: the sums that each other seat's player had when they met at this table.
    known : ndarray of float64, shape (K, 10, 2, 10)
        The same, less what the seat's player knew of the other from before.
    begun : ndarray of float64, shape (K, window, 2, 10)
        The sums at the beginning of each of the last hands; hand h is at h % window.
    span : ndarray of int64, shape (K,)
        How many hands are recent, the present one included.
    keys : ndarray of int64, shape (tournaments, capacity)
        A hash table: pairs of players who have parted, or 0. Empty if nothing is kept.
    pairs : ndarray of float64, shape (tournaments, capacity, 4)
        What the first of the two knows of the second, and the second of the first.
    """

    scoring: Scoring
    by_orbit: bool
    num_entrants: int
    sums: NDArray[np.float64]
    met: NDArray[np.float64]
    known: NDArray[np.float64]
    begun: NDArray[np.float64]
    span: Ints
    keys: Ints
    pairs: NDArray[np.float64]

    @classmethod
    def empty(
        cls,
        how: Aggressiveness,
        rows: int,
        *,
        num_tournaments: int,
        num_entrants: int,
        num_seats: int,
    ) -> "Impressions":
        """Return what players know who have never met.

        In a tournament of E entrants pairs part at most 13.5 E times: 4.5 E times when a table is broken,
        which parts 45 pairs, and there are fewer than E / 10 + 1 of them; and 9 E times otherwise, since
        whoever is out lets one player more be moved, and parts that one from nine. With fewer seats tables
        are more, but part fewer pairs each.
        """
        hands = MOST_SEATS if how.recent == "orbit" else how.window
        remembers = how.kept and num_entrants > num_seats
        room = 1 << (PARTED_A_PLAYER * num_entrants - 1).bit_length() if remembers else 0
        return cls(
            scoring=Scoring(how.score == "price", how.raised == "all put in"),
            by_orbit=how.recent == "orbit",
            num_entrants=num_entrants,
            sums=np.zeros((rows, 2, MOST_SEATS)),
            met=np.zeros((rows, MOST_SEATS, 2, MOST_SEATS)),
            known=np.zeros((rows, MOST_SEATS, 2, MOST_SEATS)),
            begun=np.zeros((rows, hands, 2, MOST_SEATS)),
            span=np.zeros(rows, np.int64),
            keys=np.zeros((num_tournaments, room), np.int64),
            pairs=np.zeros((num_tournaments, room, 4)),
        )


@inlined
def take_note(impressions: Impressions, row: int, view: Ints, action: int) -> None:
    """Add the score of an action to the sums of who took it."""
    sums, seat = impressions.sums[row], view[SEAT]
    sums[0, seat] += score_of(view, action, impressions.scoring)
    sums[1, seat] += 1.0


@inlined
def write_impressions(impressions: Impressions, tables: Tables, row: int) -> None:
    """Write what the seat to act knows of everybody at its table into its view."""
    view, begun = tables.views[row], impressions.begun[row]
    seat, number = view[SEAT], tables.number[row]
    first = max(number - impressions.span[row] + 1, 0) % begun.shape[0]
    sums, then = impressions.sums[row], begun[first]
    known, met = impressions.known[row, seat], impressions.met[row, seat]
    # Without branches, so that the compiler does several seats at once.
    for other in range(MOST_SEATS):
        score, count = sums[0, other], sums[1, other]
        # Sums never fall: the larger is the later.
        score_then = then[0, other] if then[0, other] > met[0, other] else met[0, other]
        count_then = then[1, other] if then[1, other] > met[1, other] else met[1, other]
        view[OVERALL + other] = mean(score - known[0, other], count - known[1, other])
        view[RECENT + other] = mean(score - score_then, count - count_then)


@inlined
def mean(score: float, count: float) -> int:
    """Return a mean in millionths; 0 of nothing."""
    return int(score / (count if count > 1.0 else 1.0))


@inlined
def forget(impressions: Impressions, row: int) -> None:
    """Let nobody at a table know anything of anybody."""
    impressions.sums[row] = 0.0
    impressions.met[row] = 0.0
    impressions.known[row] = 0.0
    impressions.begun[row] = 0.0


@inlined
def forget_seat(impressions: Impressions, row: int, seat: int) -> None:
    """Let nobody at a table know anything of whoever sits down in a seat that is empty now."""
    for word in range(2):
        impressions.sums[row, word, seat] = 0.0
        for other in range(MOST_SEATS):
            impressions.met[row, other, word, seat] = 0.0
            impressions.known[row, other, word, seat] = 0.0
        for hand in range(impressions.begun.shape[1]):
            impressions.begun[row, hand, word, seat] = 0.0


@inlined
def note_beginning(impressions: Impressions, tables: Tables, row: int, dealt_in: int) -> None:
    """Write down the sums at the beginning of a hand; `dealt_in` is the set of seats that play it."""
    hands = impressions.begun.shape[1]
    begun, sums = impressions.begun[row, tables.number[row] % hands], impressions.sums[row]
    for word in range(2):
        for seat in range(MOST_SEATS):
            begun[word, seat] = sums[word, seat]
    impressions.span[row] = NUM_TAKEN[dealt_in] if impressions.by_orbit else hands


@inlined
def part(
    impressions: Impressions, tournament: int, entrants: Ints, row: int, seat: int, others: int
) -> None:
    """Keep what a player who leaves a table and the set `others` who stay know of each other.

    `entrants`, (K, 10), says who sits where. Nothing is kept if that is not wanted.
    """
    sums, known = impressions.sums[row], impressions.known[row]
    while others and impressions.keys.shape[1] > 0:
        other = engine.lowest(others)
        others &= others - 1
        key, turn = key_of_pair(impressions, entrants[row, seat], entrants[row, other])
        place = place_of_key(impressions.keys[tournament], key)
        impressions.keys[tournament, place] = key
        pair = impressions.pairs[tournament, place]
        for word in range(2):
            pair[turn + word] = sums[word, other] - known[seat, word, other]
            pair[2 - turn + word] = sums[word, seat] - known[other, word, seat]


@inlined
def join(
    impressions: Impressions,
    tournament: int,
    entrants: Ints,
    rows: tuple[int, int],
    move: Move,
    others: int,
) -> None:
    """Let a player who moves between two rows and the set `others` at the new table meet."""
    old, row, seat = rows[0], rows[1], move.to_seat
    sums, met, known = impressions.sums[row], impressions.met[row], impressions.known[row]
    for word in range(2):
        sums[word, seat] = impressions.sums[old, word, move.seat]
        met[seat, word, seat] = 0.0
        known[seat, word, seat] = 0.0
        for hand in range(impressions.begun.shape[1]):
            impressions.begun[row, hand, word, seat] = impressions.begun[old, hand, word, move.seat]
    while others:
        other = engine.lowest(others)
        others &= others - 1
        for word in range(2):
            met[seat, word, other] = known[seat, word, other] = sums[word, other]
            met[other, word, seat] = known[other, word, seat] = sums[word, seat]
        if impressions.keys.shape[1] > 0:
            key, turn = key_of_pair(impressions, entrants[row, seat], entrants[row, other])
            place = place_of_key(impressions.keys[tournament], key)
            if impressions.keys[tournament, place] == key:
                pair = impressions.pairs[tournament, place]
                for word in range(2):
                    known[seat, word, other] -= pair[turn + word]
                    known[other, word, seat] -= pair[2 - turn + word]
    forget_seat(impressions, old, move.seat)


@inlined
def key_of_pair(impressions: Impressions, one: int, other: int) -> tuple[int, int]:
    """Return the key of a pair of entrants, and where what `one` knows of `other` stands."""
    low, high = min(one, other), max(one, other)
    return low * impressions.num_entrants + high + 1, 0 if one == low else 2


@inlined
def place_of_key(keys: Ints, key: int) -> int:
    """Return where in a hash table a key is, or where it is to be written."""
    place = np.int64(scramble(np.uint64(key))) & keys.size - 1
    while keys[place] != 0 and keys[place] != key:
        place = place + 1 & keys.size - 1
    return int(place)
