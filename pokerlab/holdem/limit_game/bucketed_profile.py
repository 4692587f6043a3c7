"""A profile of bucketed hold'em: what both seats do at each public decision with each bucket.

Probabilities stand in a table; a pointer says for each decision which row of it is meant. So one
form serves agents that know all of the betting (a row for each decision) and agents that know only
the situation, as the paper's tuple table (a row for each situation).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints, freeze
from pokerlab.core.errors import GameError, ProbabilityError, ShapeError
from pokerlab.core.settings import whole
from pokerlab.holdem.abstraction.buckets import SUM_TOLERANCE
from pokerlab.holdem.betting.actions import ACTIONS
from pokerlab.holdem.limit_game.betting_tree import NUM_SEATS
from pokerlab.holdem.limit_game.layouts import rows_of
from pokerlab.holdem.limit_game.reach import Play

if TYPE_CHECKING:
    from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem


@dataclass(frozen=True, eq=False, repr=False)
class BucketedProfile:
    """Probabilities of fold, call and raise in both seats.

    Parameters
    ----------
    game : BucketedHoldem
        The game it belongs to.
    table : array_like of shape (rows, B, 3)
        Probabilities of fold, call and raise with each bucket, B the most buckets of any street.
        What is impossible (a fold with nothing to call, a raise at the cap) has 0. Numbers for
        buckets that a street does not have are not read.
    pointer : array_like of int, shape (D,), optional
        The row of each decision, in the order of `game.tree`. Left out: a row for each situation if
        there are so many rows, else a row for each decision.

    Raises
    ------
    ShapeError
        If table and pointer do not fit the game or each other.
    ProbabilityError
        If a number is no probability, or those of a decision do not sum to one.
    """

    game: "BucketedHoldem"
    table: Floats
    pointer: Ints
    is_by_situation: bool = field(init=False)

    def __init__(
        self, game: "BucketedHoldem", table: ArrayLike, pointer: ArrayLike | None = None
    ) -> None:
        numbers = np.array(table, dtype=np.float64)
        given = len(numbers) if numbers.ndim else 0
        by_situation = given == len(game.tree.situations)
        if pointer is not None:
            rows = checked_pointer(game, pointer, given)
        else:
            rows = game.tree.situation if by_situation else np.arange(game.tree.num_decisions)
        check_table(game, numbers, rows)
        self.hold(game, numbers, rows)

    def hold(self, game: "BucketedHoldem", table: Floats, pointer: Ints) -> None:
        """Keep the arrays, read-only."""
        table = np.ascontiguousarray(table)
        freeze(table, pointer)
        known = pointer is game.tree.situation or np.array_equal(pointer, game.tree.situation)
        for name, value in {"game": game, "table": table, "pointer": pointer}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "is_by_situation", known)

    @classmethod
    def computed(cls, game: "BucketedHoldem", table: Floats, pointer: Ints | None = None) -> Self:
        """Bind probabilities that pokerlab has computed itself, without checking them.

        Without a pointer the table has a row for each situation.
        """
        profile = object.__new__(cls)
        profile.hold(game, table, game.tree.situation if pointer is None else pointer)
        return profile

    @cached_property
    def play(self) -> Play:
        """The profile as the kernels read it."""
        if self.is_by_situation:
            return Play(self.table.reshape(-1, 1), False)
        chances = rows_of(self.game.lanes, self.table, self.pointer)
        chances.setflags(write=False)  # as tables are: another type for a kernel
        return Play(chances, True)

    @property
    def by_decision(self) -> Floats:
        """The probabilities at each decision, (D, B, 3)."""
        return self.table[self.pointer]

    def replace(self, player: int, other: "BucketedProfile") -> "BucketedProfile":
        """Return this profile with `player`'s part, 0-based, as `other` has it."""
        check_profile(self.game, other)
        tree = self.game.tree
        whole(f"player index in {self.game.name}", player, 0, NUM_SEATS - 1)
        mine = (tree.actor[tree.decision_node] == player)[:, None, None]
        if not (self.is_by_situation and other.is_by_situation):
            table = np.where(mine, other.by_decision, self.by_decision)
            return self.computed(self.game, table, np.arange(tree.num_decisions))
        first = np.unique(tree.situation, return_index=True)[1]
        return self.computed(self.game, np.where(mine[first], other.table, self.table))

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.table.size:,} probabilities>"


def checked_pointer(game: "BucketedHoldem", pointer: ArrayLike, rows: int) -> Ints:
    """Return a copy of `pointer`; refuse one that leaves the table, or does not fit the game."""
    given = np.array(pointer)
    wanted = (game.tree.num_decisions,)
    if given.shape != wanted or not np.issubdtype(given.dtype, np.integer):
        raise ShapeError(
            f"pointer has shape {given.shape} and type {given.dtype}; {game.name} needs integers of"
            f" shape {wanted}, such as game.tree.situation."
        )
    if given.min() < 0 or given.max() >= rows:
        raise ShapeError(
            f"pointer names rows {given.min()} to {given.max()}; the table has rows 0 to {rows - 1}."
        )
    return given.astype(np.int64)


def check_table(game: "BucketedHoldem", table: Floats, pointer: Ints) -> None:
    """Refuse a table that is no profile where the pointer reads it."""
    tree, counts = game.tree, game.buckets.counts
    rows = len(table) if table.ndim else 0
    wanted = (rows, max(counts), len(ACTIONS))
    if table.shape != wanted or pointer.max() >= rows:
        raise ShapeError(
            f"table has shape {table.shape}; {game.name} needs (rows, {max(counts)}, 3), with"
            f" {len(tree.situations)} rows for a tuple table or {tree.num_decisions} for all decisions."
            " Start from game.uniform()."
        )
    # A row may serve decisions of several kinds: each pair of row and situation is looked at once.
    first = np.unique(pointer * len(tree.situations) + tree.situation, return_index=True)[1]
    situation, legal = tree.situation[first], tree.legal[first, None, :]
    street = np.array([tree.situations[i].street for i in situation])
    exists = np.arange(max(counts)) < np.array(counts)[street][:, None]
    chances = table[pointer[first]]
    faults = {
        "give numbers from 0 to 1": ~((chances >= 0.0) & (chances <= 1.0 + SUM_TOLERANCE)).all(-1),
        "a fold needs something to call, a raise room below the cap": (chances * ~legal).any(-1),
        "they must sum to 1; normalize them first": ~(abs(chances.sum(-1) - 1) <= SUM_TOLERANCE),
    }
    for remedy, wrong in faults.items():
        for i, bucket in np.argwhere(wrong & exists)[:1]:
            given = ", ".join(map("{} {:.12g}".format, ACTIONS, chances[i, bucket]))
            raise ProbabilityError(
                f"probabilities {tree.situations[situation[i]]}, bucket {bucket}, are {given}; {remedy}."
            )


def check_profile(game: "BucketedHoldem", profile: BucketedProfile) -> None:
    """Refuse a profile that belongs to another game."""
    if not isinstance(profile, BucketedProfile):
        raise GameError(
            f"{profile!r} is no profile of bucketed hold'em. Start from game.uniform(), or give"
            " BucketedProfile(game, table)."
        )
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game!r}, not to {game!r}. Make one with game.uniform() or"
            " BucketedProfile(game, table)."
        )
