"""Hands side by side: look, ask, act, and deal the next hand where one is over.

`play_on` is the one loop that cash games and tournaments share. They differ in what they do where
a hand is over: settle it, and deal the next one or leave the table empty.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.cards.streets import STREETS
from pokerlab.holdem.table.players import Company, Rows
from pokerlab.holdem.table.record import Record, Recorder
from pokerlab.holdem.table.view import (
    CAN_FOLD,
    MAX_RAISE_TO,
    MIN_RAISE_TO,
    PLAYER,
    STREET,
    TO_CALL,
    Tables,
    look,
)

KINDS_OF_ACTION = ("fold", "check", "call", "raise")
FOLDED, CHECKED, CALLED, RAISED = range(4)

Watcher: TypeAlias = Callable[[Tables, Rows], None]
"""Called with the tables and the rows asked, before the actions are checked and done: `tables.views[row]`
is what the seat saw, `tables.actions[row]` what it answered. It may change neither."""


def play_on(
    tables: Tables,
    company: Company,
    deal_next: Callable[[], None],
    watchers: Sequence[Watcher] = (),
    *,
    record: bool = False,
) -> tuple[Ints, Record | None]:
    """Play until all tables are empty.

    Parameters
    ----------
    tables : Tables
        Changed in place.
    company : Company
        The players.
    deal_next : callable
        Settles what is over and deals what comes next.
    watchers : sequence of callables
        Told of all actions.
    record : bool
        Whether to keep all actions.

    Returns
    -------
    counts : ndarray of int64, shape (players, 4, 4)
        Actions by player, street and `KINDS_OF_ACTION`.
    record : Record, optional
        All actions, if they were to be kept.

    Raises
    ------
    IllegalActionError
        If an answer is no legal action; no chips have moved.
    """
    counts = np.zeros((len(company), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    recorder = Recorder()
    watching: list[Watcher] = [*watchers, recorder] if record else [*watchers]
    while True:
        deal_next()
        asked = np.flatnonzero(tables.hands[:, engine.ACTOR] != engine.NOBODY)
        if asked.size == 0:
            return counts, recorder.record() if record else None
        look(tables, asked, company.parameters_of)
        company.act(tables, asked)
        for watcher in watching:
            watcher(tables, asked)
        wrong = act(tables, asked, counts)
        if wrong >= 0:
            raise company.refusal(tables.views[wrong], float(tables.actions[wrong]))


@kernel
def act(tables: Tables, asked: Rows, counts: Ints) -> int:
    """Do the actions at the rows `asked`, and count them; if one is illegal, do none and return its row."""
    for row in asked:
        if not is_right(tables.views[row], tables.actions[row]):
            return int(row)
    for row in asked:
        action = int(tables.actions[row])
        count(tables.views[row], action, counts)
        tables.decision[row] += 1
        engine.act(tables.hands[row], action)
    return engine.NOBODY


@inlined
def is_right(view: Ints, action: float) -> bool:
    """Return whether a legal action was answered: a whole number among those seen; NaN is none."""
    choices = engine.Choices(
        view[CAN_FOLD] != 0, view[TO_CALL], view[MIN_RAISE_TO], view[MAX_RAISE_TO]
    )
    return bool(engine.is_legal(choices, action) and action == np.floor(action))


@inlined
def count(view: Ints, action: int, counts: Ints) -> None:
    """Count an action that was taken with this view."""
    kind = RAISED
    if action == FOLD:
        kind = FOLDED
    elif action == CALL:
        kind = CALLED if view[TO_CALL] > 0 else CHECKED
    counts[view[PLAYER], view[STREET], kind] += 1
