"""What players at a table know of each other's aggressiveness, and keep when they change tables.

A player knows two means of another's scores: *overall*, over every decision that the other has made at the
same table, and *recent*, over the last ten hands of it. Of itself it knows all of its decisions.

How to read it. For each table `Impressions` has running sums for each seat, of scores and of how many
decisions they are for. A mean since some moment is a difference of sums now and then. So there are, for each
pair of seats, the sums when the two met, and for each of the last hands the sums when it began. An action
adds one score; a view divides twice for each seat. Two who part leave the difference in `pairs`; when they
meet again, the moment at which they met is put back by as much.

All notes of a table are one block of memory, line by line, and a line has two numbers for each seat: line
`NOW` the sums, line `MET + 2 * seat` those of everybody when that seat met them, the line after it the same
less what it knew of them from before, and line `BEGUN + h` those when a hand began, h being its number
modulo the number of hands that are recent.

Where there is one record a player that everybody knows, nobody meets or parts, and what is known of a player
is the same for all: line `SEEN` has the two means, kept up to date, and the hands begin behind it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined
from pokerlab.core.random_numbers import scramble
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.structure import MOST_SEATS
from pokerlab.holdem.table.aggressiveness import Aggressiveness, Scoring, score_of
from pokerlab.holdem.table.view import OVERALL, RECENT, SEAT, Tables

NOW, MET, BEGUN = 0, 1, 1 + 2 * MOST_SEATS
SEEN, BEGUN_SHARED = 1, 2  # lines of notes
PARTED_A_PLAYER = 16
"""Room for pairs that have parted, for each entrant; more than there can be: see `Impressions.empty`."""


class Impressions(NamedTuple):
    """What players at tables side by side have seen of each other, one table a row.

    Sums are two numbers: of scores, in millionths, and of decisions. They are whole, and so exact.
    """

    scoring: Scoring  # how decisions are scored
    shared: bool  # whether there is one record a player
    by_orbit: bool  # whether an orbit is recent
    num_entrants: int  # of a tournament
    # (K, begun + hands, 2, 10): sums by seat, at several moments: see above
    notes: NDArray[np.float64]
    first: Ints  # (K,): the line of the first hand that is recent
    keys: Ints  # (tournaments, capacity): a hash table: pairs who have parted, or 0; empty if nothing is kept
    # (tournaments, capacity, 4): what the first knows of the second, and vice versa
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
        remembers = how.kept and not how.shared and num_entrants > num_seats
        begun = BEGUN_SHARED if how.shared else BEGUN
        room = 1 << (PARTED_A_PLAYER * num_entrants - 1).bit_length() if remembers else 0
        return cls(
            scoring=how.scoring,
            shared=how.shared,
            by_orbit=how.recent == "orbit",
            num_entrants=num_entrants,
            notes=np.zeros((rows, begun + hands, 2, MOST_SEATS)),
            first=np.zeros(rows, np.int64),
            keys=np.zeros((num_tournaments, room), np.int64),
            pairs=np.zeros((num_tournaments, room, 4)),
        )


@inlined
def take_note(impressions: Impressions, row: int, view: Ints, action: int) -> None:
    """Add the score of an action to the sums of who took it."""
    now, seat = impressions.notes[row, NOW], view[SEAT]
    now[0, seat] += score_of(view, action, impressions.scoring)
    now[1, seat] += 1.0
    if impressions.shared:
        see(impressions, row, seat)


@inlined
def see(impressions: Impressions, row: int, seat: int) -> None:
    """Write both means of a player whom everybody knows."""
    notes = impressions.notes[row]
    now, begun = notes[NOW], notes[impressions.first[row]]
    notes[SEEN, 0, seat] = mean(now[0, seat], now[1, seat])
    notes[SEEN, 1, seat] = mean(now[0, seat] - begun[0, seat], now[1, seat] - begun[1, seat])


@inlined
def write_impressions(impressions: Impressions, tables: Tables, row: int) -> None:
    """Write what the seat to act knows of everybody at its table into its view."""
    hand, view, notes = tables.hands[row], tables.views[row], impressions.notes[row]
    if impressions.shared:
        for other in range(MOST_SEATS):
            is_there = hand[engine.START + other] > 0
            view[OVERALL + other] = int(notes[SEEN, 0, other]) if is_there else 0
            view[RECENT + other] = int(notes[SEEN, 1, other]) if is_there else 0
        return
    line = MET + 2 * view[SEAT]
    now, met, known, begun = notes[NOW], notes[line], notes[line + 1], notes[impressions.first[row]]
    # Without branches, so that the compiler does several seats at once.
    for other in range(MOST_SEATS):
        score, count = now[0, other], now[1, other]
        # Sums never fall: the larger is the later.
        score_then = begun[0, other] if begun[0, other] > met[0, other] else met[0, other]
        count_then = begun[1, other] if begun[1, other] > met[1, other] else met[1, other]
        overall = mean(score - known[0, other], count - known[1, other])
        recent = mean(score - score_then, count - count_then)
        is_there = hand[engine.START + other] > 0
        view[OVERALL + other] = overall if is_there else 0
        view[RECENT + other] = recent if is_there else 0


@inlined
def mean(score: float, count: float) -> int:
    """Return a mean in millionths; 0 of nothing."""
    return int(score / (count if count > 1.0 else 1.0))


@inlined
def forget(impressions: Impressions, row: int) -> None:
    """Let nobody at a table know anything of anybody; the lines of hands are written when these begin."""
    impressions.notes[row, : first_hand(impressions)] = 0.0


@inlined
def first_hand(impressions: Impressions) -> int:
    """Return the first of the lines of hands."""
    return BEGUN_SHARED if impressions.shared else BEGUN


@inlined
def note_beginning(impressions: Impressions, tables: Tables, row: int, dealt_in: int) -> None:
    """Write down the sums at the beginning of a hand; `dealt_in` is the set of seats that play it."""
    notes, number = impressions.notes[row], tables.number[row]
    lines = first_hand(impressions)
    hands = notes.shape[0] - lines
    now, begun = notes[NOW], notes[lines + number % hands]
    for seat in range(MOST_SEATS):
        begun[0, seat] = now[0, seat]
        begun[1, seat] = now[1, seat]
    recent = engine.NUM_TAKEN[dealt_in] if impressions.by_orbit else hands
    impressions.first[row] = lines + max(number - recent + 1, 0) % hands
    if impressions.shared:
        for seat in range(MOST_SEATS):
            see(impressions, row, seat)


@inlined
def part(
    impressions: Impressions, tournament: int, entrants: Ints, row: int, seat: int, others: int
) -> None:
    """Keep what a player who leaves a table and the set `others` who stay know of each other.

    `entrants`, (K, 10), says who sits where. Nothing is kept if that is not wanted.
    """
    notes = impressions.notes[row]
    while others and impressions.keys.shape[1] > 0:
        other = engine.lowest(others)
        others &= others - 1
        key, turn = key_of_pair(impressions, entrants[row, seat], entrants[row, other])
        place = place_of_key(impressions.keys[tournament], key)
        impressions.keys[tournament, place] = key
        pair = impressions.pairs[tournament, place]
        for word in range(2):
            now = notes[NOW, word]
            pair[turn + word] = now[other] - notes[MET + 2 * seat + 1, word, other]
            pair[2 - turn + word] = now[seat] - notes[MET + 2 * other + 1, word, seat]


@inlined
def join(
    impressions: Impressions,
    tournament: int,
    entrants: Ints,
    rows: tuple[int, int],
    seats: tuple[int, int],
    others: int,
) -> None:
    """Let a player who moves from one row and seat to another meet the set `others` at the new table."""
    (row_left, row), (seat_left, seat) = rows, seats
    old, notes = impressions.notes[row_left], impressions.notes[row]
    if impressions.shared:
        for line in range(notes.shape[0]):
            for word in range(2):
                notes[line, word, seat] = old[line, word, seat_left]
        return
    own = MET + 2 * seat
    for word in range(2):
        notes[NOW, word, seat] = old[NOW, word, seat_left]
        notes[own, word, seat] = 0.0
        notes[own + 1, word, seat] = 0.0
        for line in range(BEGUN, notes.shape[0]):
            notes[line, word, seat] = old[line, word, seat_left]
    while others:
        other = engine.lowest(others)
        others &= others - 1
        theirs = MET + 2 * other
        for word in range(2):
            notes[own, word, other] = notes[own + 1, word, other] = notes[NOW, word, other]
            notes[theirs, word, seat] = notes[theirs + 1, word, seat] = notes[NOW, word, seat]
        if impressions.keys.shape[1] > 0:
            key, turn = key_of_pair(impressions, entrants[row, seat], entrants[row, other])
            place = place_of_key(impressions.keys[tournament], key)
            if impressions.keys[tournament, place] == key:
                pair = impressions.pairs[tournament, place]
                for word in range(2):
                    notes[own + 1, word, other] -= pair[turn + word]
                    notes[theirs + 1, word, seat] -= pair[2 - turn + word]


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
