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

The *notes* of a table are an array of lines, and a line has two numbers for each seat: a sum of scores and a number of
decisions. These are the lines:

- `CURRENT`: the present sums;
- `AT_MEETING + 2 * seat`: the sums of all seats when that seat met them;
- `AT_MEETING + 2 * seat + 1`: these sums minus what that seat knew of the others from an earlier table. This part of
  the present sums is unknown to it;
- `HAND_STARTS + h`: the sums when a hand began, where h is the hand's number modulo the number of recent hands.

If all players share one record of each player, every player knows the same. Then line `SHARED_MEANS` has the two means,
kept up to date, and the lines of hands begin at `SHARED_HAND_STARTS`.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import CheckedSettings, Ints, inlined, setting
from pokerlab.core.random_numbers import scramble_bits
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.hand import CALL
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
        Whether a raise scores by its amount, and a call 1. If False, a raise scores 1 and a call 0.
    all_put_in : bool
        Whether the amount of a raise is all chips put in. If False, it is only the chips above the call.
    """

    prices: bool
    all_put_in: bool


@inlined
def score_aggressiveness(view: Ints, action: int, scoring: Scoring) -> float:
    """Return the score of an action taken in this view, a whole number of millionths.

    A fold or a check scores 0, and a call 1, a million millionths. A raise scores its size in units of the amount to
    call, or of the big blind if nothing is owed (Nicolai & Hilderman 2009, section III.A). If raises are only counted,
    each scores 1, and calls score 0.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees.
    action : int
        FOLD, CALL, or the chips to raise to.
    scoring : Scoring
        The rule by which actions are scored.
    """
    owed = view[TO_CALL]
    if action <= CALL:
        is_scored_call = (action == CALL) & (owed > 0) & scoring.prices
        return float(MILLIONTHS) if is_scored_call else 0.0
    if not scoring.prices:
        return float(MILLIONTHS)
    raised_from = view[BETS + view[SEAT]] if scoring.all_put_in else view[BET]
    raised_by = action - raised_from
    unit = owed if owed > 0 else view[BIG_BLIND]
    return float(int(min(raised_by / unit, MOST_SCORE) * MILLIONTHS))


CURRENT = 0
AT_MEETING = 1
HAND_STARTS = 1 + 2 * MOST_SEATS
SHARED_MEANS, SHARED_HAND_STARTS = 1, 2  # lines of notes
PARTINGS_PER_PLAYER = 16
"""Memory for pairs that have parted, for each entrant; more than there can be: see `Impressions.allocate`."""


class Impressions(NamedTuple):
    """What the players at K tables have seen of each other, with a row for each table.

    Sums are two numbers: of scores, in millionths, and of decisions. They are whole numbers, so they are exact.

    Attributes
    ----------
    scoring : Scoring
        How decisions are scored.
    shared : bool
        Whether all players share one record of each player.
    num_entrants : int
        The number of entrants of a tournament.
    notes : ndarray of shape (K, lines, 2, 10)
        The notes of each table: sums of scores and of decisions by seat, in the lines that the module describes.
    first : ndarray of int64, shape (K,)
        The line of the first recent hand of each table.
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
        """Return the impressions of players who have seen no hands.

        Parameters
        ----------
        aggressiveness : Aggressiveness
            How aggressiveness is measured and remembered.
        rows : int
            The number of tables that are played side by side.
        num_tournaments : int
            The number of tournaments that are played side by side.
        num_entrants : int
            The number of entrants E of a tournament.
        num_seats : int
            The number of seats of a table.

        Notes
        -----
        Two players part when one of them leaves the table, and what they have seen of each other is then kept apart,
        in one of the entries whose number is fixed here.
        In a tournament of E entrants at tables of ten, pairs part at most 13.5 E times. A table is broken fewer than
        E / 10 + 1 times, and each time 45 pairs part, which is 4.5 E. Each elimination lets one more player move, who
        parts from nine others, which is 9 E. With fewer seats there are more tables, but each parts fewer pairs.
        """
        remembers_pairs = not aggressiveness.shared and num_entrants > num_seats
        num_first_lines = SHARED_HAND_STARTS if aggressiveness.shared else HAND_STARTS
        num_lines = num_first_lines + aggressiveness.window
        # The next power of two from PARTINGS_PER_PLAYER * num_entrants on.
        num_entries = 1 << (PARTINGS_PER_PLAYER * num_entrants - 1).bit_length()
        capacity = num_entries if remembers_pairs else 0
        return cls(
            scoring=aggressiveness.scoring,
            shared=aggressiveness.shared,
            num_entrants=num_entrants,
            notes=np.zeros((rows, num_lines, 2, MOST_SEATS)),
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
    """Add the score of an action to the sums of the seat that took it.

    Parameters
    ----------
    impressions : Impressions
        What players have seen of each other, which is changed.
    row : int
        The row of the table.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat saw when it chose the action.
    action : int
        FOLD, CALL, or the chips to raise to.
    """
    current = impressions.notes[row, CURRENT]
    seat = view[SEAT]
    current[0, seat] += score_aggressiveness(view, action, impressions.scoring)
    current[1, seat] += 1.0
    if impressions.shared:
        update_shared_means(impressions, row, seat)


@inlined
def update_shared_means(impressions: Impressions, row: int, seat: int) -> None:
    """Write the overall and the recent mean score of a seat, if all players share one record of each player.

    They are written into the line SHARED_MEANS of the notes of the table in row `row`.
    """
    notes = impressions.notes[row]
    current = notes[CURRENT]
    first_recent = notes[impressions.first[row]]  # the sums at the start of the first recent hand
    notes[SHARED_MEANS, 0, seat] = compute_mean_score(current[0, seat], current[1, seat])
    notes[SHARED_MEANS, 1, seat] = compute_mean_score(
        current[0, seat] - first_recent[0, seat], current[1, seat] - first_recent[1, seat]
    )


@inlined
def write_aggressiveness_into_view(impressions: Impressions, tables: Tables, row: int) -> None:
    """Overwrite the words OVERALL and RECENT of a view with how aggressive each seat has been.

    Both are means over actions that the seat to act has seen: over all of them, and over those of recent hands.

    Parameters
    ----------
    impressions : Impressions
        What players have seen of each other.
    tables : Tables
        The tables. The view in row `row` is changed: it gets the means in millionths, and 0 for seats without chips.
    row : int
        The row of the table.
    """
    hand, view, notes = tables.hands[row], tables.views[row], impressions.notes[row]
    if impressions.shared:
        for other in range(MOST_SEATS):
            is_there = hand[betting_engine.STARTING_STACKS + other] > 0
            view[OVERALL + other] = int(notes[SHARED_MEANS, 0, other]) if is_there else 0
            view[RECENT + other] = int(notes[SHARED_MEANS, 1, other]) if is_there else 0
        return

    current = notes[CURRENT]
    at_meeting = notes[find_line_of_sums_at_meeting(view[SEAT])]
    unknown = notes[find_line_of_unknown_sums(view[SEAT])]
    first_recent = notes[impressions.first[row]]  # the sums at the start of the first recent hand
    # Conditional expressions instead of `max` and branches, so that the compiler does several seats at once.
    for other in range(MOST_SEATS):
        score, count = current[0, other], current[1, other]
        overall = compute_mean_score(score - unknown[0, other], count - unknown[1, other])

        # The recent mean is since the first recent hand, or since the two seats met if that was later. Sums never
        # become smaller, so those at the later moment are the larger ones.
        since_score = (
            first_recent[0, other]
            if first_recent[0, other] > at_meeting[0, other]
            else at_meeting[0, other]
        )
        since_count = (
            first_recent[1, other]
            if first_recent[1, other] > at_meeting[1, other]
            else at_meeting[1, other]
        )
        recent = compute_mean_score(score - since_score, count - since_count)

        is_there = hand[betting_engine.STARTING_STACKS + other] > 0
        view[OVERALL + other] = overall if is_there else 0
        view[RECENT + other] = recent if is_there else 0


@inlined
def find_line_of_sums_at_meeting(seat: int) -> int:
    """Return the line of a table's notes that has the sums of all seats at the moment when the seat `seat` met them."""
    return AT_MEETING + 2 * seat


@inlined
def find_line_of_unknown_sums(seat: int) -> int:
    """Return the line of a table's notes that has the part of the sums that the seat `seat` does not know.

    It is the sums of the other seats when `seat` met them, minus what it knew of them from an earlier table.
    """
    return AT_MEETING + 2 * seat + 1


@inlined
def compute_mean_score(score: float, count: float) -> int:
    """Return the mean of `count` scores, given their sum in millionths, rounded down; 0 if there are no scores."""
    return int(score / (count if count > 1.0 else 1.0))


@inlined
def clear_table_notes(impressions: Impressions, row: int) -> None:
    """Set the notes of a table to zero, so that its players know nothing of each other.

    The lines of recent hands are not changed, because they are written when hands begin.
    """
    impressions.notes[row, : find_first_line_of_hands(impressions)] = 0.0


@inlined
def find_first_line_of_hands(impressions: Impressions) -> int:
    """Return the index of the first line of hands."""
    return SHARED_HAND_STARTS if impressions.shared else HAND_STARTS


@inlined
def store_sums_at_hand_start(impressions: Impressions, tables: Tables, row: int) -> None:
    """Note the start of a hand at a table: store the present sums of all seats, and forget the oldest recent hand.

    The stored sums take the place of those of the hand that is no longer recent. If the players share what they have
    seen, the shared means over the recent hands are computed anew.

    Parameters
    ----------
    impressions : Impressions
        What players have seen of each other, which is changed.
    tables : Tables
        The tables in play, which give the number of the hand.
    row : int
        The row of the table.
    """
    notes, number = impressions.notes[row], tables.number[row]
    first_line = find_first_line_of_hands(impressions)
    num_recent = notes.shape[0] - first_line  # hands that count as recent
    current = notes[CURRENT]
    hand_start = notes[first_line + number % num_recent]
    for seat in range(MOST_SEATS):
        hand_start[0, seat] = current[0, seat]
        hand_start[1, seat] = current[1, seat]

    first_recent_hand = max(number - num_recent + 1, 0)
    impressions.first[row] = first_line + first_recent_hand % num_recent
    if impressions.shared:
        for seat in range(MOST_SEATS):
            update_shared_means(impressions, row, seat)


@inlined
def store_notes_of_parting_pairs(
    impressions: Impressions, tournament: int, entrants: Ints, row: int, seat: int, other_seats: int
) -> None:
    """Store what a player who leaves a table, and each player who stays, know of each other.

    It is written to `impressions.pairs`. Nothing is written if the tournament has one table, or if all players share
    one record of each player.

    Parameters
    ----------
    impressions : Impressions
        Its `keys` and `pairs` are changed.
    tournament : int
        The slot of the tournament: its index among the matches in play.
    entrants : ndarray of int64, shape (K, 10)
        The entrant in each seat of each table.
    row, seat : int
        The table that the player leaves, and its seat there.
    other_seats : int
        The set of the seats that stay, one bit for each seat.
    """
    notes = impressions.notes[row]
    while other_seats and impressions.keys.shape[1] > 0:
        other_seat = betting_engine.find_lowest_seat(other_seats)
        other_seats = betting_engine.remove_lowest_seat(other_seats)
        key, own_index = find_pair_key(impressions, entrants[row, seat], entrants[row, other_seat])
        other_index = 2 - own_index
        entry = find_hash_entry(impressions.keys[tournament], key)
        impressions.keys[tournament, entry] = key
        pair = impressions.pairs[tournament, entry]
        for k in range(2):  # the sum of scores, then the number of decisions
            current = notes[CURRENT, k]
            unknown_to_own = notes[find_line_of_unknown_sums(seat), k, other_seat]
            unknown_to_other = notes[find_line_of_unknown_sums(other_seat), k, seat]
            pair[own_index + k] = current[other_seat] - unknown_to_own
            pair[other_index + k] = current[seat] - unknown_to_other


@inlined
def move_player_notes(
    impressions: Impressions,
    tournament: int,
    entrants: Ints,
    old_row: int,
    old_seat: int,
    new_row: int,
    new_seat: int,
    other_seats: int,
) -> None:
    """Move the notes on a player from an old table to a new one, where it meets other players.

    The player's own sums are copied. Its notes on the players that it meets, and theirs on it, begin at this moment, or
    continue with what they knew when they parted.

    Parameters
    ----------
    impressions : Impressions
        Its notes on the new table are changed.
    tournament : int
        The slot of the tournament: its index among the matches in play.
    entrants : ndarray of int64, shape (K, 10)
        The entrant in each seat of each table.
    old_row, old_seat : int
        The row of the old table, and the player's seat there.
    new_row, new_seat : int
        The row of the new table, and the player's seat there.
    other_seats : int
        The set of the seats that the player meets, one bit for each seat.
    """
    old_notes, new_notes = impressions.notes[old_row], impressions.notes[new_row]
    if impressions.shared:
        copy_seat_notes(old_notes, old_seat, new_notes, new_seat, 0)
        return

    # The player takes its own sums along, and knows all of itself. In each line of notes, the number k = 0 is a sum of
    # scores, and k = 1 is a number of decisions.
    for k in range(2):
        new_notes[CURRENT, k, new_seat] = old_notes[CURRENT, k, old_seat]
        new_notes[find_line_of_sums_at_meeting(new_seat), k, new_seat] = 0.0
        new_notes[find_line_of_unknown_sums(new_seat), k, new_seat] = 0.0
    copy_seat_notes(old_notes, old_seat, new_notes, new_seat, HAND_STARTS)

    while other_seats:
        other_seat = betting_engine.find_lowest_seat(other_seats)
        other_seats = betting_engine.remove_lowest_seat(other_seats)
        begin_notes_on_pair(new_notes, new_seat, other_seat)
        if impressions.keys.shape[1] > 0:
            add_stored_notes_on_pair(
                impressions, tournament, entrants, new_row, new_seat, other_seat
            )


@inlined
def copy_seat_notes(
    old_notes: NDArray[np.float64],
    old_seat: int,
    new_notes: NDArray[np.float64],
    new_seat: int,
    first_line: int,
) -> None:
    """Copy the sums of a player from its old seat to its new one, in all lines of notes from `first_line` on.

    Parameters
    ----------
    old_notes, new_notes : ndarray of shape (lines, 2, 10)
        The notes of the old table and of the new one. In the new ones the entries of `new_seat` are overwritten.
    old_seat, new_seat : int
        The player's seats at the two tables.
    first_line : int
        The first line that is copied.
    """
    for line in range(first_line, new_notes.shape[0]):
        for k in range(2):
            new_notes[line, k, new_seat] = old_notes[line, k, old_seat]


@inlined
def begin_notes_on_pair(notes: NDArray[np.float64], first_seat: int, second_seat: int) -> None:
    """Begin the notes that two players keep on each other when they meet: the present sums are unknown to both.

    Parameters
    ----------
    notes : ndarray of shape (lines, 2, 10)
        The notes of the table at which they meet, which are changed.
    first_seat, second_seat : int
        The seats of the two players.
    """
    for k in range(2):  # the sum of scores, then the number of decisions
        first_sum, second_sum = notes[CURRENT, k, first_seat], notes[CURRENT, k, second_seat]
        notes[find_line_of_sums_at_meeting(first_seat), k, second_seat] = second_sum
        notes[find_line_of_unknown_sums(first_seat), k, second_seat] = second_sum
        notes[find_line_of_sums_at_meeting(second_seat), k, first_seat] = first_sum
        notes[find_line_of_unknown_sums(second_seat), k, first_seat] = first_sum


@inlined
def add_stored_notes_on_pair(
    impressions: Impressions,
    tournament: int,
    entrants: Ints,
    row: int,
    first_seat: int,
    second_seat: int,
) -> None:
    """Give two players who meet again what they knew of each other when they parted, if they have parted before.

    What they knew is subtracted from the sums that are unknown to them.

    Parameters
    ----------
    impressions : Impressions
        What players have seen of each other. The notes of the table are changed.
    tournament : int
        The slot of the tournament: its index among the matches in play.
    entrants : ndarray of int64, shape (K, 10)
        The entrant in each seat of each table.
    row : int
        The row of the table at which they meet.
    first_seat, second_seat : int
        The seats of the two players.
    """
    key, first_index = find_pair_key(
        impressions, entrants[row, first_seat], entrants[row, second_seat]
    )
    entry = find_hash_entry(impressions.keys[tournament], key)
    have_parted = impressions.keys[tournament, entry] == key
    if not have_parted:
        return

    notes, pair = impressions.notes[row], impressions.pairs[tournament, entry]
    second_index = 2 - first_index
    for k in range(2):
        notes[find_line_of_unknown_sums(first_seat), k, second_seat] -= pair[first_index + k]
        notes[find_line_of_unknown_sums(second_seat), k, first_seat] -= pair[second_index + k]


@inlined
def find_pair_key(impressions: Impressions, own: int, other: int) -> tuple[int, int]:
    """Return the hash key of a pair of entrants, and where the knowledge of the first begins in an entry of `pairs`.

    The key, at least 1, does not depend on the order of the two. An entry has two sums that the lower entrant knows of
    the higher, followed by two sums that the higher knows of the lower. So the second number is 0 if `own` is the lower
    entrant, and 2 otherwise.
    """
    low, high = min(own, other), max(own, other)
    return low * impressions.num_entrants + high + 1, 0 if own == low else 2


@inlined
def find_hash_entry(keys: Ints, key: int) -> int:
    """Return the index of a key in a hash table, or the index of the free entry for it if the key is not in the table.

    Collisions are resolved by linear probing. `keys` has 0 in free entries, and its size is a power of two, so that a
    bit mask computes the remainder. At least one entry must be free.
    """
    mask = keys.size - 1
    entry = np.int64(scramble_bits(np.uint64(key))) & mask
    while keys[entry] != 0 and keys[entry] != key:
        entry = entry + 1 & mask
    return int(entry)
