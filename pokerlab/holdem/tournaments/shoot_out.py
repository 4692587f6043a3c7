"""Shoot-outs: each table plays down to one player, and the winners sit down to new tables.

A shoot-out of 1,000 is 100 tables of ten, then ten, then one. The tables of a stage do not wait for each
other: each is a tournament of its own, and all are played side by side.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import UnknownNameError
from pokerlab.core.settings import whole
from pokerlab.core.workers import shared
from pokerlab.holdem.betting.engine import NOBODY
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.table.aggressiveness import Aggressiveness, check_aggressiveness
from pokerlab.holdem.table.players import Company, Player
from pokerlab.holdem.table.results import Record
from pokerlab.holdem.table.steps import KINDS_OF_ACTION, Watcher, seated
from pokerlab.holdem.tournaments.balancing import stage_tables
from pokerlab.holdem.tournaments.results import Placed
from pokerlab.holdem.tournaments.rounds import TABLE_BITS
from pokerlab.holdem.tournaments.schedule import Schedule
from pokerlab.holdem.tournaments.tournament import (
    MOST_ENTRANTS,
    MOST_HANDS,
    TABLES_SIDE_BY_SIDE,
    check_schedule,
    checked_seats,
    new_batch,
    play_batch,
)

WINNERS_CHIPS = ("kept", "reset")


def play_shoot_outs(
    schedule: Schedule,
    players: Sequence[Player],
    lineups: ArrayLike,
    *,
    seed: int,
    stacks: int | Sequence[int],
    seats: int | None = None,
    winners_chips: str = WINNERS_CHIPS[0],
    aggressiveness: Aggressiveness | None = None,
    most_hands: int = MOST_HANDS,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = TABLES_SIDE_BY_SIDE,
) -> Placed:
    """Play shoot-outs, and rank the players by how far they came.

    Who is out at an earlier stage ranks lower; of those who are out at the same stage, who came further at
    its table ranks higher, and equal places share the mean of their ranks. At every table the schedule
    begins anew. A player who moves on has met none of the others before, and nobody, itself included, is
    known there.

    Parameters
    ----------
    winners_chips : str
        What winners take to the next table: 'kept', all chips of their table; 'reset', as many as the
        seat had at the start. A table that is stopped after `most_hands` hands is won by who has most
        chips, of equals by the first.
    schedule, players, lineups, seed, stacks, seats, aggressiveness, most_hands, first, record, watchers
        As for `pokerlab.holdem.play_tournaments`.
    workers, side_by_side
        As there.

    Returns
    -------
    Placed
        The same for any number of workers and of tables side by side. Of `chips` only those of the last
        tables are left; its `rounds` are the hands of the slowest table at each stage.

    Raises
    ------
    SettingError
        If a number is out of range.
    IllegalActionError
        If a player does what is not legal.

    Examples
    --------
    >>> from pokerlab.holdem import RANDOM, doubling, no_limit
    >>> schedule = doubling(no_limit(5, 10), 20, chips=9000)
    >>> placed = play_shoot_outs(schedule, [RANDOM], [[0] * 9], seed=1, stacks=1000, seats=3)
    >>> sorted(placed.ranks[0, 0].tolist())
    [1.0, 2.0, 3.0, 5.0, 5.0, 5.0, 8.0, 8.0, 8.0]
    """
    check_schedule(schedule)
    check_aggressiveness(aggressiveness)
    UnknownNameError.check("way with winners' chips", winners_chips, WINNERS_CHIPS)
    company, lineup, chips, _ = seated(
        players,
        lineups,
        stacks,
        duplicates=False,
        first=first,
        workers=workers,
        side_by_side=side_by_side,
        most=MOST_ENTRANTS,
    )
    num_seats = checked_seats(seats, lineup.shape[1])
    whole("most_hands", most_hands, 1, 1 << TABLE_BITS)

    def part(begin: int, end: int) -> Finish:
        return played_down(
            schedule,
            company,
            lineup[begin:end],
            np.array(chips),
            num_seats,
            is_reset=winners_chips == "reset",
            aggressiveness=aggressiveness,
            watchers=watchers,
            record=record,
            seed=seed,
            first=first + begin,
            most_hands=most_hands,
            side_by_side=side_by_side,
        )

    parts = shared(part, 0, len(lineup), workers=workers)
    together: dict[str, Any] = {
        name: np.concatenate([getattr(of_part, name) for of_part in parts])[:, None]
        for name in ("ranks", "chips", "lasted", "won", "hands")
    }
    stages = np.concatenate([of_part.stages for of_part in parts])
    return Placed(
        schedule=schedule,
        num_seats=num_seats,
        names=tuple(player.name for player in company.players),
        stacks=chips,
        seed=seed,
        first=first,
        lineups=lineup,
        rounds=stages.sum(axis=1, keepdims=True),
        stages=stages,
        actions=np.sum([of_part.actions for of_part in parts], axis=0),
        record=Record.joined([*chain(*(of_part.records for of_part in parts))]) if record else None,
        **together,
    )


class Finish(NamedTuple):
    """How shoot-outs ended; as in `Placed`, but without rotations.

    Attributes
    ----------
    ranks : ndarray of float64, shape (T, E)
        By place in the line-up.
    chips, lasted, won : ndarray of int64, shape (T, E)
        By place in the line-up.
    stages : ndarray of int64, shape (T, stages)
        Hands of the slowest table of each stage.
    hands : ndarray of int64, shape (T,)
        Of all tables.
    actions : ndarray of int64, shape (players, 4, 4)
        Of all stages.
    records : list of Record
        Actions of each stage, if they are kept.
    """

    ranks: Floats
    chips: Ints
    lasted: Ints
    won: Ints
    stages: Ints
    hands: Ints
    actions: Ints
    records: list[Record]


def played_down(
    schedule: Schedule,
    company: Company,
    lineups: Ints,
    stacks: Ints,
    num_seats: int,
    *,
    is_reset: bool,
    aggressiveness: Aggressiveness | None,
    watchers: Sequence[Watcher],
    record: bool,
    **given: int,
) -> Finish:
    """Play shoot-outs stage by stage, until one player is left in each."""
    from scipy.stats import rankdata

    num, num_entrants = lineups.shape
    rows = np.arange(num)[:, None]
    left, chips = np.tile(np.arange(num_entrants), (num, 1)), np.tile(stacks, (num, 1))
    lasted, won, at_end = np.zeros((3, num, num_entrants), np.int64)
    layouts = stage_tables(num_entrants, num_seats)
    stages, hands = np.zeros((num, len(layouts)), np.int64), np.zeros(num, np.int64)
    actions = np.zeros((len(company), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    ranks, tables_before, records = np.zeros((num, num_entrants)), 0, []
    for stage, layout in enumerate(layouts):
        num_tables, taken = len(layout), layout != NOBODY
        batch = new_batch(
            schedule,
            np.where(taken, lineups[rows, left][:, layout], 0).reshape(-1, layout.shape[1]),
            np.where(taken, chips[:, layout], 0).reshape(-1, layout.shape[1]),
            layout.shape[1],
            apart=num_tables,
            first_table=tables_before,
            even=True,
            **given,
        )
        played, of_stage, kept = play_batch(batch, company, aggressiveness, watchers, record=record)
        at_tables = played.ranks.reshape(num, *layout.shape)
        winners = np.nanargmin(at_tables, axis=2) + layout[:, 0]
        place = at_tables[:, taken]
        if num_tables > 1:
            # Winners rank above all others; their ranks are those of a later stage.
            np.put_along_axis(place, winners, 0.0, axis=1)
        ranks[rows, left] = rankdata(place, axis=1)
        # Who sits alone at a table of two goes on without a hand.
        together = np.where(taken.sum(axis=1) > 1, 1, 0)[:, None]
        for total, counted in ((lasted, played.lasted), (won, played.won)):
            total[rows, left] += (counted.reshape(num, *layout.shape) * together)[:, taken]
        stages[:, stage] = played.rounds.reshape(num, num_tables).max(axis=1)
        hands += played.hands.reshape(num, num_tables).sum(axis=1)
        actions += of_stage
        if kept is not None:
            number, table = np.divmod(kept.match, num_tables)
            match = number * sum(map(len, layouts)) + tables_before + table
            records.append(replace(kept, match=match))
        at_end[:] = 0
        at_end[rows, left] = played.chips.reshape(num, *layout.shape)[:, taken]
        tables_before += num_tables
        left = np.take_along_axis(left, winners, axis=1)
        of_table = np.add.reduceat(chips, layout[:, 0], axis=1)
        chips = stacks[left] if is_reset else of_table
    return Finish(ranks, at_end, lasted, won, stages, hands, actions, records)
