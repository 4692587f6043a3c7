"""Aggressiveness: scores of decisions, and the mean scores that players at a table have observed of each other.

Each decision has a score, as in Nicolai & Hilderman (2009), section III.A: 0 for a fold or a check, 1 for a call, and
x / (amount to call) for a raise by the amount x. A player knows two means of the scores of another player: the
*overall* mean, over every decision that the other has made at the same table, and the *recent* mean, over the last ten
hands at this table. Of itself a player knows all its decisions.

`Observations` has, for each seat of each table, the sum of the scores and the number of decisions so far. A mean since
some moment is a ratio of two differences, so the sums at that moment must be known. A *snapshot* is a copy of the sums
of all seats of a table, as an array of shape (2, MOST_SEATS): row 0 has the sums of scores, and row 1 has the numbers
of decisions. The array `score_sums` of a table has these snapshots, in which an *observer* is a player at the table
whose knowledge is described:

- `CURRENT`: the present sums;
- `AT_MEETING + 2 * observer`: for each seat, its sums at the moment when it and the observer came to the same table;
- `AT_MEETING + 2 * observer + 1`: these sums minus what the observer knew of that seat from an earlier table. So this
  is the part of the present sums that the observer has not seen;
- `HAND_STARTS + h`: the sums when a hand began, where h is the hand's number modulo the number of recent hands.

An action adds one score, and writing a view takes two divisions for each seat. When two players are separated, what
they have seen of each other is stored in `pair_sums`. When they come to the same table again, it is subtracted from the
part that they have not seen.

If all players share one record of each player, every player knows the same. Then the snapshot `SHARED_MEANS` has the
two means instead of sums, kept up to date, and the snapshots of hands begin at `SHARED_HAND_STARTS`.
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

    By 'price' a call scores 1, and a raise scores its amount divided by the chips to call, or by the big blind if
    nothing is owed. By 'raises' a bet or raise scores 1 and everything else 0, so that means are shares of decisions.
    Players who meet again at another table keep what they knew of each other.
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
        """The rule by which decisions are scored, in the form that kernels read."""
        return Scoring(self.score == "price", self.raised == "all put in")


class Scoring(NamedTuple):
    """The rule by which decisions are scored, in the form that kernels read.

    Attributes
    ----------
    scores_amounts : bool
        Whether a raise scores by its amount, and a call 1. If False, a raise scores 1 and a call 0.
    counts_call : bool
        Whether the amount of a raise includes the chips of the call. If False, it is only the chips above the call.
    """

    scores_amounts: bool
    counts_call: bool


@inlined
def score_aggressiveness(view: Ints, action: int, scoring: Scoring) -> float:
    """Return how aggressive an action is, in millionths: 0 for a fold or check, and 1,000,000 for a call.

    A raise scores the number of chips raised, divided by the chips to call, or by the big blind if nothing is owed
    (Nicolai & Hilderman 2009, section III.A). If the rule does not score amounts, each raise scores 1,000,000, and a
    call scores 0.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player saw of the table when it chose the action; see `pokerlab.holdem.table_view`.
    action : int
        FOLD, CALL, or the total number of chips to raise to.
    scoring : Scoring
        The rule by which actions are scored.

    Returns
    -------
    float
        The score, a whole number of millionths, so that sums of scores are exact.
    """
    owed = view[TO_CALL]
    if action <= CALL:
        is_scored_call = (action == CALL) & (owed > 0) & scoring.scores_amounts
        return float(MILLIONTHS) if is_scored_call else 0.0
    if not scoring.scores_amounts:
        return float(MILLIONTHS)

    own_bet = view[BETS + view[SEAT]]
    raised_from = own_bet if scoring.counts_call else view[BET]
    raised_by = action - raised_from
    unit = owed if owed > 0 else view[BIG_BLIND]
    return float(int(min(raised_by / unit, MOST_SCORE) * MILLIONTHS))


SCORE_SUM, NUM_SCORES = 0, 1  # of each seat in a snapshot: the sum and the number of its scores
CURRENT, AT_MEETING = 0, 1  # indices of snapshots; at each table there are two for each observer
HAND_STARTS = 1 + 2 * MOST_SEATS
SHARED_MEANS, SHARED_HAND_STARTS = 1, 2  # snapshots if all players share one record
OVERALL_MEAN, RECENT_MEAN = 0, 1  # what the snapshot SHARED_MEANS has of each seat
SEPARATIONS_PER_ENTRANT = 16
"""Memory for separated pairs, for each entrant; more than there can be: see `Observations.allocate`."""


class Observations(NamedTuple):
    """What the players at K tables have observed of each other's aggressiveness.

    All sums are pairs of numbers: a sum of scores, in millionths, and a number of decisions. They are whole numbers, so
    they are exact.

    Attributes
    ----------
    scoring : Scoring
        The rule by which decisions are scored.
    is_shared : bool
        Whether all players share one record of each player.
    num_entrants : int
        The number of entrants of a tournament.
    score_sums : ndarray of shape (K, snapshots, 2, MOST_SEATS)
        The sums of each table by seat, now and at earlier moments. The module describes the snapshots.
    first_recent : ndarray of int64, shape (K,)
        For each table the index of the snapshot at the beginning of the first recent hand.
    pair_keys : ndarray of int64, shape (tournaments, capacity)
        A hash table of separated pairs of players, 0 where an entry is free. Its capacity is 0 if no pairs are stored.
    pair_sums : ndarray of shape (tournaments, capacity, 4)
        For each pair the two sums that the player with the lower index knows of the other, then the two sums that the
        other knows of this player.
    """

    scoring: Scoring
    is_shared: bool
    num_entrants: int
    score_sums: NDArray[np.float64]
    first_recent: Ints
    pair_keys: Ints
    pair_sums: NDArray[np.float64]

    @classmethod
    def allocate(
        cls,
        aggressiveness: Aggressiveness,
        num_tables: int,
        *,
        num_tournaments: int,
        num_entrants: int,
        num_seats: int,
    ) -> "Observations":
        """Return the observations of players who have not seen any hands.

        Parameters
        ----------
        aggressiveness : Aggressiveness
            How aggressiveness is measured and remembered.
        num_tables : int
            The number of tables that are played at the same time.
        num_tournaments : int
            The number of tournaments that are played at the same time.
        num_entrants : int
            The number E of players of a tournament at its start.
        num_seats : int
            The number of seats of a table.

        Returns
        -------
        Observations
            All sums are 0, and the hash tables are empty. They have no entries if no pair can be stored: if all players
            share one record, or if all entrants fit at one table.

        Notes
        -----
        Two players are separated when one of them leaves the table. What they have seen of each other is then stored in
        one of the entries of a hash table, whose number is fixed here. In a tournament of E entrants at tables of ten,
        pairs are separated at most 13.5 E times. A table is broken fewer than E / 10 + 1 times, and each time 45 pairs
        are separated, which is 4.5 E. Each elimination lets one more player move, who leaves nine others, which is 9 E.
        With fewer seats there are more tables, but each separates fewer pairs.
        """
        stores_pairs = not aggressiveness.shared and num_entrants > num_seats
        num_other_snapshots = SHARED_HAND_STARTS if aggressiveness.shared else HAND_STARTS
        num_snapshots = num_other_snapshots + aggressiveness.window
        # The next power of two from SEPARATIONS_PER_ENTRANT * num_entrants on.
        num_entries = 1 << (SEPARATIONS_PER_ENTRANT * num_entrants - 1).bit_length()
        capacity = num_entries if stores_pairs else 0
        return cls(
            scoring=aggressiveness.scoring,
            is_shared=aggressiveness.shared,
            num_entrants=num_entrants,
            score_sums=np.zeros((num_tables, num_snapshots, 2, MOST_SEATS)),
            first_recent=np.zeros(num_tables, np.int64),
            pair_keys=np.zeros((num_tournaments, capacity), np.int64),
            pair_sums=np.zeros((num_tournaments, capacity, 4)),
        )


NO_OBSERVATIONS = Observations.allocate(
    Aggressiveness(), 0, num_tournaments=0, num_entrants=0, num_seats=0
)
"""The observations of a game that keeps none. It has the types of all others, so that a kernel is compiled once."""


@inlined
def has_observations(observations: Observations) -> bool:
    """Return whether a game keeps what its players observe of each other.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other, or NO_OBSERVATIONS if the game does not keep it.
    """
    return observations.first_recent.size > 0


@inlined
def add_action_score(observations: Observations, table: int, view: Ints, action: int) -> None:
    """Add the score of an action to the sums of the seat that took it. `observations` is changed in place.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    table : int
        The index of the table among those in play.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat saw of the table when it chose the action.
    action : int
        FOLD, CALL, or the total number of chips to raise to.
    """
    current_sums = observations.score_sums[table, CURRENT]
    seat = view[SEAT]
    current_sums[SCORE_SUM, seat] += score_aggressiveness(view, action, observations.scoring)
    current_sums[NUM_SCORES, seat] += 1.0
    if observations.is_shared:
        update_shared_means(observations, table, seat)


@inlined
def update_shared_means(observations: Observations, table: int, seat: int) -> None:
    """Compute the overall and the recent mean score of a seat, where all players share one record of each player.

    The means are written into `observations.score_sums`, at the index SHARED_MEANS of the table's snapshots. If there
    are no scores, a mean is 0.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    table : int
        The index of the table among those in play.
    seat : int
        The seat whose means are computed.
    """
    sums = observations.score_sums[table]
    score_sum, num_scores = sums[CURRENT, SCORE_SUM, seat], sums[CURRENT, NUM_SCORES, seat]
    first_recent = observations.first_recent[table]
    recent_score_sum = score_sum - sums[first_recent, SCORE_SUM, seat]
    recent_num_scores = num_scores - sums[first_recent, NUM_SCORES, seat]
    sums[SHARED_MEANS, OVERALL_MEAN, seat] = compute_mean_score(score_sum, num_scores)
    sums[SHARED_MEANS, RECENT_MEAN, seat] = compute_mean_score(recent_score_sum, recent_num_scores)


@inlined
def write_aggressiveness_into_view(observations: Observations, tables: Tables, table: int) -> None:
    """Write into the view of the seat to act how aggressive each seat has been, as far as it has seen.

    The view is changed at the indices from OVERALL and RECENT on. Both get mean scores in millionths: over all actions
    that the seat to act has seen, and over those of recent hands. Seats without chips get 0.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    tables : Tables
        The tables in play, which contain the views.
    table : int
        The index of the table.
    """
    hand, view, sums = tables.hands[table], tables.views[table], observations.score_sums[table]
    if observations.is_shared:
        for other_seat in range(MOST_SEATS):
            is_there = hand[betting_engine.STARTING_STACKS + other_seat] > 0
            view[OVERALL + other_seat] = (
                int(sums[SHARED_MEANS, OVERALL_MEAN, other_seat]) if is_there else 0
            )
            view[RECENT + other_seat] = (
                int(sums[SHARED_MEANS, RECENT_MEAN, other_seat]) if is_there else 0
            )
        return

    observer = view[SEAT]
    current_sums = sums[CURRENT]
    sums_at_meeting = sums[find_meeting_snapshot(observer)]
    unseen_sums = sums[find_unseen_snapshot(observer)]
    sums_at_first_recent_hand = sums[observations.first_recent[table]]
    # Conditional expressions instead of `max` and branches, so that the compiler does several seats at once.
    for other_seat in range(MOST_SEATS):
        score_sum = current_sums[SCORE_SUM, other_seat]
        num_scores = current_sums[NUM_SCORES, other_seat]
        overall_mean = compute_mean_score(
            score_sum - unseen_sums[SCORE_SUM, other_seat],
            num_scores - unseen_sums[NUM_SCORES, other_seat],
        )

        # The recent mean is since the first recent hand, or since the two seats met if that was later. Sums never
        # become smaller, so those at the later moment are the larger ones.
        score_sum_at_hand = sums_at_first_recent_hand[SCORE_SUM, other_seat]
        num_scores_at_hand = sums_at_first_recent_hand[NUM_SCORES, other_seat]
        score_sum_at_meeting = sums_at_meeting[SCORE_SUM, other_seat]
        num_scores_at_meeting = sums_at_meeting[NUM_SCORES, other_seat]
        earlier_score_sum = (
            score_sum_at_hand if score_sum_at_hand > score_sum_at_meeting else score_sum_at_meeting
        )
        earlier_num_scores = (
            num_scores_at_hand
            if num_scores_at_hand > num_scores_at_meeting
            else num_scores_at_meeting
        )
        recent_mean = compute_mean_score(
            score_sum - earlier_score_sum, num_scores - earlier_num_scores
        )

        is_there = hand[betting_engine.STARTING_STACKS + other_seat] > 0
        view[OVERALL + other_seat] = overall_mean if is_there else 0
        view[RECENT + other_seat] = recent_mean if is_there else 0


@inlined
def find_meeting_snapshot(observer: int) -> int:
    """Return the index in `score_sums` of each seat's sums at its meeting with an observer.

    Two players meet when the later one of them comes to the table where the other sits.

    Parameters
    ----------
    observer : int
        The seat of the player who observes the others.
    """
    return AT_MEETING + 2 * observer


@inlined
def find_unseen_snapshot(observer: int) -> int:
    """Return the index in `score_sums` of the part of each seat's sums that an observer has not seen.

    The observer has not seen what another player did before the two came to the same table, except at earlier tables
    where both sat.

    Parameters
    ----------
    observer : int
        The seat of the player who observes the others.
    """
    return AT_MEETING + 2 * observer + 1


@inlined
def compute_mean_score(score_sum: float, num_scores: float) -> int:
    """Return the mean of some scores in millionths, rounded down, or 0 if there are no scores.

    Parameters
    ----------
    score_sum : float
        The sum of the scores, in millionths; 0 if there are none.
    num_scores : float
        The number of scores, at least 0.
    """
    return int(score_sum / (num_scores if num_scores > 1.0 else 1.0))


@inlined
def clear_observations_at_table(observations: Observations, table: int) -> None:
    """Set the sums of a table to zero, so that its players know nothing of each other. `observations` is changed.

    A snapshot is a copy of the sums at an earlier moment. The snapshots of recent hands are not changed, because they
    are overwritten when hands begin.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    table : int
        The index of the table among those in play.
    """
    observations.score_sums[table, : find_first_hand_snapshot(observations)] = 0.0


@inlined
def find_first_hand_snapshot(observations: Observations) -> int:
    """Return the index in `score_sums` of the first snapshot that is taken when a hand begins.

    A snapshot is a copy of the sums of all seats of a table at an earlier moment. All snapshots from this index on are
    taken at the beginning of a recent hand.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other. Only `is_shared` is read.
    """
    return SHARED_HAND_STARTS if observations.is_shared else HAND_STARTS


@inlined
def store_sums_at_hand_start(observations: Observations, tables: Tables, table: int) -> None:
    """Store the present sums of all seats of a table when a hand begins. `observations` is changed in place.

    They replace the sums at the beginning of the oldest recent hand, which is no longer recent. If all players share
    one record of each player, their recent means are computed again.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    tables : Tables
        The tables in play, which give the number of the hand.
    table : int
        The index of the table.
    """
    sums, hand_number = observations.score_sums[table], tables.number[table]
    first_snapshot = find_first_hand_snapshot(observations)
    num_recent_hands = sums.shape[0] - first_snapshot
    current_sums = sums[CURRENT]
    sums_at_hand_start = sums[first_snapshot + hand_number % num_recent_hands]
    for seat in range(MOST_SEATS):
        sums_at_hand_start[SCORE_SUM, seat] = current_sums[SCORE_SUM, seat]
        sums_at_hand_start[NUM_SCORES, seat] = current_sums[NUM_SCORES, seat]

    first_recent_hand = max(hand_number - num_recent_hands + 1, 0)
    observations.first_recent[table] = first_snapshot + first_recent_hand % num_recent_hands
    if observations.is_shared:
        for seat in range(MOST_SEATS):
            update_shared_means(observations, table, seat)


@inlined
def store_observations_of_leaving_player(
    observations: Observations,
    tournament: int,
    entrants: Ints,
    table: int,
    seat: int,
    other_seats: int,
) -> None:
    """Store what a player who leaves a table and the players who stay have observed of each other.

    `observations.pair_keys` and `observations.pair_sums` are changed in place. Nothing is stored if the tournament has
    one table, or if all players share one record of each player.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    tournament : int
        The index of the tournament among those in play.
    entrants : ndarray of int64, shape (K, seats)
        The player in each seat of each of K tables, as an index among the entrants of its tournament.
    table : int
        The index of the table that the player leaves.
    seat : int
        The player's seat at this table.
    other_seats : int
        The set of seats of the players who stay. Bit s is 1 if seat s is in the set.
    """
    stores_pairs = observations.pair_keys.shape[1] > 0
    sums = observations.score_sums[table]
    while other_seats and stores_pairs:
        other_seat = betting_engine.find_lowest_seat(other_seats)
        other_seats = betting_engine.remove_lowest_seat(other_seats)
        pair_key, own_index = find_pair_key_and_own_index(
            observations, entrants[table, seat], entrants[table, other_seat]
        )
        other_index = 2 - own_index
        entry = find_hash_entry(observations.pair_keys[tournament], pair_key)
        observations.pair_keys[tournament, entry] = pair_key
        pair_sums = observations.pair_sums[tournament, entry]
        for quantity in range(2):  # SCORE_SUM and NUM_SCORES
            unseen_by_own = sums[find_unseen_snapshot(seat), quantity, other_seat]
            unseen_by_other = sums[find_unseen_snapshot(other_seat), quantity, seat]
            pair_sums[own_index + quantity] = sums[CURRENT, quantity, other_seat] - unseen_by_own
            pair_sums[other_index + quantity] = sums[CURRENT, quantity, seat] - unseen_by_other


@inlined
def move_player_observations(
    observations: Observations,
    tournament: int,
    entrants: Ints,
    old_table: int,
    old_seat: int,
    new_table: int,
    new_seat: int,
    other_seats: int,
) -> None:
    """Move the sums of a player to a new table, where the player and the others begin to observe each other.

    The player's own sums are copied. Players who have sat at the same table before continue with what they knew of each
    other when they were separated. `observations` is changed in place.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    tournament : int
        The index of the tournament among those in play.
    entrants : ndarray of int64, shape (K, seats)
        The player in each seat of each of K tables, as an index among the entrants of its tournament. The player who
        moves is already in its new seat.
    old_table, old_seat : int
        The index of the old table, and the player's seat there.
    new_table, new_seat : int
        The index of the new table, and the player's seat there.
    other_seats : int
        The set of seats of the other players at the new table. Bit s is 1 if seat s is in the set.
    """
    old_sums, new_sums = observations.score_sums[old_table], observations.score_sums[new_table]
    if observations.is_shared:
        copy_seat_sums(old_sums, old_seat, new_sums, new_seat, 0)
        return

    # The player takes its own sums along, and has seen all of its own decisions.
    for quantity in range(2):  # SCORE_SUM and NUM_SCORES
        new_sums[CURRENT, quantity, new_seat] = old_sums[CURRENT, quantity, old_seat]
        new_sums[find_meeting_snapshot(new_seat), quantity, new_seat] = 0.0
        new_sums[find_unseen_snapshot(new_seat), quantity, new_seat] = 0.0
    copy_seat_sums(old_sums, old_seat, new_sums, new_seat, HAND_STARTS)

    stores_pairs = observations.pair_keys.shape[1] > 0
    while other_seats:
        other_seat = betting_engine.find_lowest_seat(other_seats)
        other_seats = betting_engine.remove_lowest_seat(other_seats)
        begin_pair_observations(new_sums, new_seat, other_seat)
        if stores_pairs:
            restore_pair_observations(
                observations, tournament, entrants, new_table, new_seat, other_seat
            )


@inlined
def copy_seat_sums(
    old_sums: NDArray[np.float64],
    old_seat: int,
    new_sums: NDArray[np.float64],
    new_seat: int,
    first_snapshot: int,
) -> None:
    """Copy the sums of a player from its old seat to its new one, in all snapshots from a given one on.

    A snapshot is a copy of the sums of all seats of a table at an earlier moment.

    Parameters
    ----------
    old_sums : ndarray of shape (snapshots, 2, MOST_SEATS)
        The sums of scores and the numbers of decisions of the seats of the old table.
    old_seat : int
        The player's seat at the old table.
    new_sums : ndarray of shape (snapshots, 2, MOST_SEATS)
        The same of the new table. The entries of `new_seat` are overwritten.
    new_seat : int
        The player's seat at the new table.
    first_snapshot : int
        The index of the first snapshot that is copied.
    """
    for snapshot in range(first_snapshot, new_sums.shape[0]):
        for quantity in range(2):  # SCORE_SUM and NUM_SCORES
            new_sums[snapshot, quantity, new_seat] = old_sums[snapshot, quantity, old_seat]


@inlined
def begin_pair_observations(sums: NDArray[np.float64], first_seat: int, second_seat: int) -> None:
    """Let two players who come to the same table begin to observe each other.

    Their present sums are stored as those at their meeting, and as the part that the other one has not seen.

    Parameters
    ----------
    sums : ndarray of shape (snapshots, 2, MOST_SEATS)
        The sums of scores and the numbers of decisions of the seats of the table. They are changed in place.
    first_seat, second_seat : int
        The seats of the two players.
    """
    for quantity in range(2):  # SCORE_SUM and NUM_SCORES
        first_sum = sums[CURRENT, quantity, first_seat]
        second_sum = sums[CURRENT, quantity, second_seat]
        sums[find_meeting_snapshot(first_seat), quantity, second_seat] = second_sum
        sums[find_unseen_snapshot(first_seat), quantity, second_seat] = second_sum
        sums[find_meeting_snapshot(second_seat), quantity, first_seat] = first_sum
        sums[find_unseen_snapshot(second_seat), quantity, first_seat] = first_sum


@inlined
def restore_pair_observations(
    observations: Observations,
    tournament: int,
    entrants: Ints,
    table: int,
    first_seat: int,
    second_seat: int,
) -> None:
    """Restore what two players knew of each other when they were separated, now that they sit at one table again.

    What a player knew of the other is subtracted from the part of the other's sums that it has not seen.
    `observations.score_sums` is changed in place, unless the two have never been separated.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other.
    tournament : int
        The index of the tournament among those in play.
    entrants : ndarray of int64, shape (K, seats)
        The player in each seat of each of K tables, as an index among the entrants of its tournament.
    table : int
        The index of the table at which the two players now sit.
    first_seat, second_seat : int
        The seats of the two players.
    """
    pair_key, first_index = find_pair_key_and_own_index(
        observations, entrants[table, first_seat], entrants[table, second_seat]
    )
    entry = find_hash_entry(observations.pair_keys[tournament], pair_key)
    were_separated = observations.pair_keys[tournament, entry] == pair_key
    if not were_separated:
        return

    sums = observations.score_sums[table]
    pair_sums = observations.pair_sums[tournament, entry]
    second_index = 2 - first_index
    for quantity in range(2):  # SCORE_SUM and NUM_SCORES
        known_by_first = pair_sums[first_index + quantity]
        known_by_second = pair_sums[second_index + quantity]
        sums[find_unseen_snapshot(first_seat), quantity, second_seat] -= known_by_first
        sums[find_unseen_snapshot(second_seat), quantity, first_seat] -= known_by_second


@inlined
def find_pair_key_and_own_index(
    observations: Observations, own_entrant: int, other_entrant: int
) -> tuple[int, int]:
    """Return the hash key of a pair of players, and the index in `pair_sums` of what the first knows of the second.

    Parameters
    ----------
    observations : Observations
        What the players have observed of each other. It gives the number of entrants.
    own_entrant, other_entrant : int
        The two players, as indices among the entrants of a tournament.

    Returns
    -------
    pair_key : int
        The hash key, at least 1. It does not depend on the order of the two players.
    own_index : int
        Two of the four sums of the pair are those that `own_entrant` knows of `other_entrant`. This is the index of
        the first of them: 0 if `own_entrant` is the lower index, or else 2.
    """
    lower_entrant = min(own_entrant, other_entrant)
    higher_entrant = max(own_entrant, other_entrant)
    # The keys begin with 1, because 0 marks a free entry.
    pair_key = lower_entrant * observations.num_entrants + higher_entrant + 1
    own_index = 0 if own_entrant == lower_entrant else 2
    return pair_key, own_index


@inlined
def find_hash_entry(keys: Ints, key: int) -> int:
    """Return the index of a key in a hash table, or the index of the free entry for it if the key is not in the table.

    Collisions are resolved by linear probing. The table is not changed.

    Parameters
    ----------
    keys : ndarray of int64, shape (capacity,)
        The keys, or 0 in free entries. There must be a free entry, and the capacity must be a power of two.
    key : int
        The key, at least 1.
    """
    mask = keys.size - 1  # keeps the remainder after division by the capacity
    entry = np.int64(scramble_bits(np.uint64(key))) & mask
    while keys[entry] != 0 and keys[entry] != key:
        entry = entry + 1 & mask
    return int(entry)
