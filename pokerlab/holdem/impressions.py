"""Aggressiveness: scores of decisions, and the mean scores that players at a table know of each other.

Each decision has a score, as in Nicolai & Hilderman (2009), section III.A: 0 for a fold or a check, 1 for a call, and
x / (amount to call) for a raise by the amount x. A player knows two means of the scores of another player: the
*overall* mean, over every decision that the other has made at the same table, and the *recent* mean, over the last ten
hands at this table. Of itself a player knows all its decisions.

For each table `Impressions` has running sums for each seat: the sum of scores and the number of decisions. A mean since
a moment is a ratio of differences of sums. So for each pair of seats the sums at the moment when the two players came
together are stored, and for each of the last hands the sums at its beginning. An action adds one score, and writing a
view takes two divisions for each seat. When two players are separated, the differences are stored in `pairs`. When they
come together again, these differences are subtracted from the sums at that moment.

The notes of a table are an array of lines, and a line has two numbers for each seat:

- `CURRENT`: the present sums;
- `AT_MEETING + 2 * seat`: the sums of all seats when that seat met them; the line after it holds the same less what it
  knew of them from an earlier table;
- `HAND_STARTS + h`: the sums when a hand began, h being its number modulo the number of recent hands.

If there is one record a player, which all players know, what is known of a player
is the same for all: line `SHARED_MEANS` has the two means, kept up to date, and lines of hands begin at
`SHARED_HAND_STARTS`.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import CheckedSettings, Ints, inlined, setting
from pokerlab.core.random_numbers import scramble_bits
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

SCORE_KINDS, RAISED_KINDS = ("price", "raises"), ("above the call", "all put in")
MOST_REMEMBERED = 100  # hands
MOST_SCORE = 1e6  # no decision scores more, so that sums of millionths stay exact
make_open_setting = partial(setting, silent=True, rare=True)
"""A setting on which the paper is silent and that is rarely changed."""


@dataclass(frozen=True, kw_only=True)
class Aggressiveness(CheckedSettings):
    """How the aggressiveness of players is measured and remembered.

    By 'raises' a bet or raise scores 1 and everything else 0, so that means are shares of decisions. If nothing is
    owed, the amount raised is measured in big blinds. Players who meet again at another table keep what they knew.
    """

    score: str = setting(
        "price",
        "By the price of a raise, or just whether it is one.",
        label="Score of a decision",
        source="section III.A; 'raises' is ours, for the paper's future work",
        choices=SCORE_KINDS,
        rare=True,
    )
    raised: str = make_open_setting(
        "above the call",
        "The chips of a raise above the call, or all that are put in.",
        label="Amount raised",
        source="section III.A: 'the amount raised'",
        choices=RAISED_KINDS,
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
    shared: bool = make_open_setting(
        False,
        "Which everybody knows; or each knows what it has seen itself.",
        label="One record a player",
        source="G. Nicolai's thesis, 4.1.3.8: one running mean a player, seen by the whole table",
    )

    @property
    def scoring(self) -> "Scoring":
        """The score of decisions as kernels read it."""
        return Scoring(self.score == "price", self.raised == "all put in")


class Scoring(NamedTuple):
    """The scoring of decisions, for kernels.

    Attributes
    ----------
    prices : bool
        Whether a raise scores by its amount; otherwise it scores 1, and a call 0.
    all_put_in : bool
        Whether all chips put in count, and not only those above the call.
    """

    prices: bool
    all_put_in: bool


@inlined
def score_aggressiveness(view: Ints, action: int, scoring: Scoring) -> float:
    """Return the score of an action taken in this view, a whole number of millionths."""
    owed = view[TO_CALL]
    if action <= CALL:
        is_call = (action == CALL) & (owed > 0) & scoring.prices
        return float(MILLIONTHS) if is_call else 0.0
    if not scoring.prices:
        return float(MILLIONTHS)
    before = view[BETS + view[SEAT]] if scoring.all_put_in else view[BET]
    raised = action - before
    cost = owed if owed > 0 else view[BIG_BLIND]
    return float(int(min(raised / cost, MOST_SCORE) * MILLIONTHS))


CURRENT = 0
AT_MEETING = 1
HAND_STARTS = 1 + 2 * MOST_SEATS
SHARED_MEANS, SHARED_HAND_STARTS = 1, 2  # lines of notes
PARTINGS_PER_PLAYER = 16
"""Memory for pairs that have parted, for each entrant; more than there can be: see `Impressions.allocate`."""


class Impressions(NamedTuple):
    """What players at K tables side by side have seen of each other, one table a row.

    Sums are two numbers: of scores, in millionths, and of decisions. They are whole, and so exact.

    Attributes
    ----------
    scoring : Scoring
        How decisions are scored.
    shared : bool
        Whether there is one record a player.
    num_entrants : int
        How many players enter a tournament.
    notes : ndarray of shape (K, lines, 2, 10)
        Sums of scores and of decisions by seat, line by line as the module describes.
    first : ndarray of int64, shape (K,)
        The line of the first recent hand.
    keys : ndarray of int64, shape (tournaments, capacity)
        A hash table of pairs that have parted, 0 where it is free; its capacity is 0 if no pairs are remembered.
    pairs : ndarray of shape (tournaments, capacity, 4)
        For each pair the two sums that the lower entrant knows of the higher, and the two of the reverse.
    """

    scoring: Scoring
    shared: bool
    num_entrants: int
    notes: NDArray[np.float64]
    first: Ints
    keys: Ints
    pairs: NDArray[np.float64]

    @classmethod
    def allocate(
        cls,
        aggressiveness: Aggressiveness,
        rows: int,
        *,
        num_tournaments: int,
        num_entrants: int,
        num_seats: int,
    ) -> "Impressions":
        """Return the impressions of players who have seen no hands, at as many tables as `rows`.

        In a tournament of E entrants pairs part at most 13.5 E times: 4.5 E times when a table is broken,
        which parts 45 pairs, and there are fewer than E / 10 + 1 of them; and 9 E times otherwise, since
        each elimination lets one player more be moved, and parts that one from nine. With fewer seats there are
        more tables, but each parts fewer pairs.
        """
        remembers = not aggressiveness.shared and num_entrants > num_seats
        num_first_lines = SHARED_HAND_STARTS if aggressiveness.shared else HAND_STARTS
        capacity = 1 << (PARTINGS_PER_PLAYER * num_entrants - 1).bit_length() if remembers else 0
        return cls(
            scoring=aggressiveness.scoring,
            shared=aggressiveness.shared,
            num_entrants=num_entrants,
            notes=np.zeros((rows, num_first_lines + aggressiveness.window, 2, MOST_SEATS)),
            first=np.zeros(rows, np.int64),
            keys=np.zeros((num_tournaments, capacity), np.int64),
            pairs=np.zeros((num_tournaments, capacity, 4)),
        )


NO_IMPRESSIONS = Impressions.allocate(
    Aggressiveness(), 0, num_tournaments=0, num_entrants=0, num_seats=0
)
"""For games without impressions. It has the types of any others, so that a kernel is compiled once."""


@inlined
def keeps_impressions(impressions: Impressions) -> bool:
    """Return whether players keep impressions."""
    return impressions.first.size > 0


@inlined
def add_action_score(impressions: Impressions, row: int, view: Ints, action: int) -> None:
    """Add the score of an action at the table `row` to the sums of the seat that took it."""
    current = impressions.notes[row, CURRENT]
    seat = view[SEAT]
    current[0, seat] += score_aggressiveness(view, action, impressions.scoring)
    current[1, seat] += 1.0
    if impressions.shared:
        update_shared_means(impressions, row, seat)


@inlined
def update_shared_means(impressions: Impressions, row: int, seat: int) -> None:
    """Write the overall and the recent mean of a seat, if all players share one record of each player."""
    notes = impressions.notes[row]
    current = notes[CURRENT]
    start = notes[impressions.first[row]]
    notes[SHARED_MEANS, 0, seat] = find_mean(current[0, seat], current[1, seat])
    notes[SHARED_MEANS, 1, seat] = find_mean(
        current[0, seat] - start[0, seat], current[1, seat] - start[1, seat]
    )


@inlined
def write_aggressiveness_into_view(impressions: Impressions, tables: Tables, row: int) -> None:
    """Write the aggressiveness of all seats, as far as the seat to act knows it, into its view."""
    hand, view, notes = tables.hands[row], tables.views[row], impressions.notes[row]
    if impressions.shared:
        for other in range(MOST_SEATS):
            is_there = hand[betting_engine.STARTING_STACKS + other] > 0
            view[OVERALL + other] = int(notes[SHARED_MEANS, 0, other]) if is_there else 0
            view[RECENT + other] = int(notes[SHARED_MEANS, 1, other]) if is_there else 0
        return
    current = notes[CURRENT]
    at_meeting = notes[find_meeting_sums_line(view[SEAT])]
    unknown = notes[find_unknown_sums_line(view[SEAT])]
    start = notes[impressions.first[row]]
    # Without branches, so that the compiler does several seats at once.
    for other in range(MOST_SEATS):
        score, count = current[0, other], current[1, other]
        # Recent is since the hand began, or since the two met. Sums never fall: the larger is the later.
        since_score = (
            start[0, other] if start[0, other] > at_meeting[0, other] else at_meeting[0, other]
        )
        since_count = (
            start[1, other] if start[1, other] > at_meeting[1, other] else at_meeting[1, other]
        )
        overall = find_mean(score - unknown[0, other], count - unknown[1, other])
        recent = find_mean(score - since_score, count - since_count)
        is_there = hand[betting_engine.STARTING_STACKS + other] > 0
        view[OVERALL + other] = overall if is_there else 0
        view[RECENT + other] = recent if is_there else 0


@inlined
def find_meeting_sums_line(seat: int) -> int:
    """Return the line of notes with the sums of all seats at the moment when the seat `seat` met them."""
    return AT_MEETING + 2 * seat


@inlined
def find_unknown_sums_line(seat: int) -> int:
    """Return the line of notes with the part of the present sums that the seat `seat` does not know.

    It has the sums when the seat met the others, less what it knew of them from an earlier table.
    """
    return AT_MEETING + 2 * seat + 1


@inlined
def find_mean(score: float, count: float) -> int:
    """Return the mean of `count` scores, given their sum in millionths, rounded down; 0 if there are no scores."""
    return int(score / (count if count > 1.0 else 1.0))


@inlined
def clear_table_notes(impressions: Impressions, row: int) -> None:
    """Set the notes of a table to zero, so that its players know nothing of each other.

    The lines of recent hands are not changed, because they are written when hands begin.
    """
    impressions.notes[row, : find_first_hand_line(impressions)] = 0.0


@inlined
def find_first_hand_line(impressions: Impressions) -> int:
    """Return the index of the first line of hands."""
    return SHARED_HAND_STARTS if impressions.shared else HAND_STARTS


@inlined
def store_sums_at_hand_start(impressions: Impressions, tables: Tables, row: int) -> None:
    """Write the sums at the beginning of a hand, in place of those of the oldest of the recent hands."""
    notes, number = impressions.notes[row], tables.number[row]
    first_line = find_first_hand_line(impressions)
    num_recent = notes.shape[0] - first_line
    current = notes[CURRENT]
    start = notes[first_line + number % num_recent]
    for seat in range(MOST_SEATS):
        start[0, seat] = current[0, seat]
        start[1, seat] = current[1, seat]
    impressions.first[row] = first_line + max(number - num_recent + 1, 0) % num_recent
    if impressions.shared:
        for seat in range(MOST_SEATS):
            update_shared_means(impressions, row, seat)


@inlined
def store_notes_of_parting_pairs(
    impressions: Impressions, tournament: int, entrants: Ints, row: int, seat: int, others: int
) -> None:
    """Write what a player who leaves a table, and those who stay, know of each other into the pairs that have parted.

    If there is one table, or one record a player, nothing is written.

    Parameters
    ----------
    impressions : Impressions
    tournament : int
        The place of the tournament.
    entrants : ndarray of int64, shape (K, 10)
        The entrant in each seat of each table.
    row, seat : int
        The table that the player leaves, and its seat there.
    others : int
        The set of the seats that stay.
    """
    notes = impressions.notes[row]
    while others and impressions.keys.shape[1] > 0:
        other = betting_engine.find_lowest_seat(others)
        others = betting_engine.remove_lowest_seat(others)
        key, own_place = find_pair_key(impressions, entrants[row, seat], entrants[row, other])
        other_place = 2 - own_place
        place = find_hash_entry(impressions.keys[tournament], key)
        impressions.keys[tournament, place] = key
        pair = impressions.pairs[tournament, place]
        for sums in range(2):
            current = notes[CURRENT, sums]
            unknown_to_own = notes[find_unknown_sums_line(seat), sums, other]
            unknown_to_other = notes[find_unknown_sums_line(other), sums, seat]
            pair[own_place + sums] = current[other] - unknown_to_own
            pair[other_place + sums] = current[seat] - unknown_to_other


@inlined
def move_player_notes(
    impressions: Impressions,
    tournament: int,
    entrants: Ints,
    rows: tuple[int, int],
    seats: tuple[int, int],
    others: int,
) -> None:
    """Move the notes on a player from an old table to a new one, where it meets other players.

    Parameters
    ----------
    impressions : Impressions
    tournament : int
        The place of the tournament.
    entrants : ndarray of int64, shape (K, 10)
        The entrant in each seat of each table.
    rows, seats : tuple of 2 int
        The old and the new table, and the player's old and new seat.
    others : int
        The set of the seats that the player meets.
    """
    (old_row, row), (old_seat, seat) = rows, seats
    old, notes = impressions.notes[old_row], impressions.notes[row]
    if impressions.shared:
        for line in range(notes.shape[0]):
            for sums in range(2):
                notes[line, sums, seat] = old[line, sums, old_seat]
        return

    # The player takes its own sums along, and knows all of itself.
    own_meeting, own_unknown = find_meeting_sums_line(seat), find_unknown_sums_line(seat)
    for sums in range(2):
        notes[CURRENT, sums, seat] = old[CURRENT, sums, old_seat]
        notes[own_meeting, sums, seat] = 0.0
        notes[own_unknown, sums, seat] = 0.0
        for line in range(HAND_STARTS, notes.shape[0]):
            notes[line, sums, seat] = old[line, sums, old_seat]

    # It meets the others now; if they have parted before, both know what they knew.
    while others:
        other = betting_engine.find_lowest_seat(others)
        others = betting_engine.remove_lowest_seat(others)
        meeting, unknown = find_meeting_sums_line(other), find_unknown_sums_line(other)
        for sums in range(2):
            notes[own_meeting, sums, other] = notes[CURRENT, sums, other]
            notes[own_unknown, sums, other] = notes[CURRENT, sums, other]
            notes[meeting, sums, seat] = notes[CURRENT, sums, seat]
            notes[unknown, sums, seat] = notes[CURRENT, sums, seat]
        if impressions.keys.shape[1] > 0:
            key, own_place = find_pair_key(impressions, entrants[row, seat], entrants[row, other])
            other_place = 2 - own_place
            place = find_hash_entry(impressions.keys[tournament], key)
            if impressions.keys[tournament, place] == key:
                pair = impressions.pairs[tournament, place]
                for sums in range(2):
                    notes[own_unknown, sums, other] -= pair[own_place + sums]
                    notes[unknown, sums, seat] -= pair[other_place + sums]


@inlined
def find_pair_key(impressions: Impressions, one: int, other: int) -> tuple[int, int]:
    """Return the key of a pair of entrants, and the index in an entry of `pairs` of what `one` knows of `other`."""
    low, high = min(one, other), max(one, other)
    return low * impressions.num_entrants + high + 1, 0 if one == low else 2


@inlined
def find_hash_entry(keys: Ints, key: int) -> int:
    """Return the index of a key in a hash table with linear probing, or the index of the free entry for it."""
    place = np.int64(scramble_bits(np.uint64(key))) & keys.size - 1
    while keys[place] != 0 and keys[place] != key:
        place = place + 1 & keys.size - 1
    return int(place)
