"""How aggressive decisions are, and what players at a table know of each other's aggressiveness.

A decision has a score, as in Nicolai & Hilderman (2009), section III.A: 0 for a fold and a check, 1 for a call, and x
/ amount to call for a raise, x being the amount raised. A player knows two means of another's scores: *overall*, over
every decision that the other has made at the same table, and *recent*, over the last ten hands of it. Of itself it
knows all of its decisions.

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

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Checked, Ints, inlined, setting
from pokerlab.core.random_numbers import scramble
from pokerlab.holdem import betting_engine
from pokerlab.holdem.hand import CALL, MOST_SEATS
from pokerlab.holdem.table_view import (
    BET,
    BETS,
    BIG_BLIND,
    MILLIONTHS,
    OVERALL,
    RECENT,
    SEAT,
    TO_CALL,
    Tables,
)

SCORES, RAISED = ("price", "raises"), ("above the call", "all put in")
MOST_REMEMBERED = 100  # hands
MOST_SCORE = 1e6  # no decision scores more, so that sums of millionths stay exact
left_open = partial(setting, silent=True, rare=True)
"""A setting on which the paper is silent and that is rarely changed."""


@dataclass(frozen=True, kw_only=True)
class Aggressiveness(Checked):
    """How the aggressiveness of players is measured and remembered.

    By 'raises' a bet or raise scores 1 and everything else 0, so that means are shares of decisions. Where nothing is
    owed, the amount raised is measured in big blinds. Players who meet again at another table know what they knew.
    """

    score: str = setting(
        "price",
        "By the price of a raise, or just whether it is one.",
        label="Score of a decision",
        source="section III.A; 'raises' is ours, for the paper's future work",
        choices=SCORES,
        rare=True,
    )
    raised: str = left_open(
        "above the call",
        "The chips of a raise above the call, or all that are put in.",
        label="Amount raised",
        source="section III.A: 'the amount raised'",
        choices=RAISED,
        needs=lambda config: config.score == "price",
    )
    window: int = setting(
        10,
        "How many hands are recent, the one in play included.",
        label="Recent hands",
        source="section III.A",
        unit="hands",
        within=(1, MOST_REMEMBERED),
        rare=True,
    )
    shared: bool = left_open(
        False,
        "Which everybody knows; or each knows what it has seen itself.",
        label="One record a player",
        source="G. Nicolai's thesis, 4.1.3.8: one running mean a player, seen by the whole table",
    )

    @property
    def scoring(self) -> "Scoring":
        """How decisions are scored, for kernels."""
        return Scoring(self.score == "price", self.raised == "all put in")


class Scoring(NamedTuple):
    """How decisions are scored, for kernels."""

    prices: bool  # whether a raise scores by its price; else 1, and a call 0
    all_put_in: bool  # whether all chips put in count, and not only those above the call


@inlined
def score_of(view: Ints, action: int, scoring: Scoring) -> float:
    """Return the score of an action taken with this view, in millionths: a whole number."""
    owed = view[TO_CALL]
    if action <= CALL:
        is_call = (action == CALL) & (owed > 0) & scoring.prices
        return float(MILLIONTHS) if is_call else 0.0
    if not scoring.prices:
        return float(MILLIONTHS)
    raised = action - (view[BETS + view[SEAT]] if scoring.all_put_in else view[BET])
    price = owed if owed > 0 else view[BIG_BLIND]
    return float(int(min(raised / price, MOST_SCORE) * MILLIONTHS))


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
        remembers = not how.shared and num_entrants > num_seats
        begun = BEGUN_SHARED if how.shared else BEGUN
        room = 1 << (PARTED_A_PLAYER * num_entrants - 1).bit_length() if remembers else 0
        return cls(
            scoring=how.scoring,
            shared=how.shared,
            num_entrants=num_entrants,
            notes=np.zeros((rows, begun + how.window, 2, MOST_SEATS)),
            first=np.zeros(rows, np.int64),
            keys=np.zeros((num_tournaments, room), np.int64),
            pairs=np.zeros((num_tournaments, room, 4)),
        )


NO_IMPRESSIONS = Impressions.empty(
    Aggressiveness(), 0, num_tournaments=0, num_entrants=0, num_seats=0
)
"""Where players keep none. It has the types of any others, so that a kernel is compiled once."""


@inlined
def is_kept(impressions: Impressions) -> bool:
    """Return whether players keep impressions."""
    return impressions.first.size > 0


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
            is_there = hand[betting_engine.START + other] > 0
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
        is_there = hand[betting_engine.START + other] > 0
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
def note_beginning(impressions: Impressions, tables: Tables, row: int) -> None:
    """Write down the sums at the beginning of a hand."""
    notes, number = impressions.notes[row], tables.number[row]
    lines = first_hand(impressions)
    hands = notes.shape[0] - lines
    now, begun = notes[NOW], notes[lines + number % hands]
    for seat in range(MOST_SEATS):
        begun[0, seat] = now[0, seat]
        begun[1, seat] = now[1, seat]
    impressions.first[row] = lines + max(number - hands + 1, 0) % hands
    if impressions.shared:
        for seat in range(MOST_SEATS):
            see(impressions, row, seat)


@inlined
def part(
    impressions: Impressions, tournament: int, entrants: Ints, row: int, seat: int, others: int
) -> None:
    """Keep what a player who leaves a table and the set `others` who stay know of each other.

    `entrants`, (K, 10), says who sits where. Nothing is kept where there is one table, or one record a player.
    """
    notes = impressions.notes[row]
    while others and impressions.keys.shape[1] > 0:
        other = betting_engine.lowest(others)
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
        other = betting_engine.lowest(others)
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
