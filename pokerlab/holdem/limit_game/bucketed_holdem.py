"""Bucketed limit hold'em for two as an exact game: profiles, values, best responses, exploitability.

A profile's probabilities stand in a table; a pointer says for each decision which row of it is meant. So one
form serves agents that know all of the betting (a row for each decision) and agents that know only
the situation, as the paper's tuple table (a row for each situation).
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import SMALL_BETS, Floats, Ints, Unit, freeze
from pokerlab.core.errors import GameError, ProbabilityError, SettingError, ShapeError
from pokerlab.core.settings import check_kind, whole
from pokerlab.holdem.abstraction.buckets import SUM_TOLERANCE, Buckets
from pokerlab.holdem.abstraction.made_buckets import make_buckets
from pokerlab.holdem.betting.actions import ACTIONS, CALLING, FOLDING, RAISING
from pokerlab.holdem.limit_game.betting_tree import AT_THE_TABLE, NUM_SEATS, PublicTree, public_tree
from pokerlab.holdem.limit_game.layouts import LANES, Lanes, lanes_of, odds_of, places_of
from pokerlab.holdem.limit_game.reach import Play
from pokerlab.holdem.limit_game.worth import BEST, FOLLOW, REPLY, Slope, slope, sweep

NO_ROWS = np.zeros((1, LANES))  # for sweeps that note nothing


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
        chances = self.game.rows_of(self.by_decision)
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


@dataclass(frozen=True, eq=False, repr=False)
class BucketedReply:
    """A best response: what it wins, in small bets, and the reply, a pure strategy.

    It stands in one seat of `profile`; the other does what it replies to. Ties go to the first of fold, call, raise.
    """

    value: float
    profile: BucketedProfile


@dataclass(frozen=True, eq=False, repr=False)
class BucketedHoldem:
    """Heads-up limit hold'em in which hands are known by their buckets; see `bucketed_limit_holdem`.

    Seat and player 0 has the button. The face is that of every exact game: `uniform`, `values`,
    `best_response`, `gains`, `nash_conv`.
    """

    buckets: Buckets  # the hands
    tree: PublicTree  # the betting
    num_players: int = field(default=NUM_SEATS, init=False)
    unit: Unit = field(default=SMALL_BETS, init=False)
    zero_sum: bool = field(default=True, init=False)
    payoff_sum: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if [type(self.buckets), type(self.tree)] != [Buckets, PublicTree]:
            raise SettingError(
                f"bucketed hold'em is made of Buckets and a PublicTree, not of {self.buckets!r} and"
                f" {self.tree!r}. Use bucketed_limit_holdem(6, raise_cap=4)."
            )

    @property
    def name(self) -> str:
        """What people call the game."""
        counts = self.buckets.counts
        each = str(counts[0]) if len(set(counts)) == 1 else "-".join(map(str, counts))
        return f"limit hold'em in {each} bucket{'' if each == '1' else 's'}"

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        other = () if self.tree.betting == AT_THE_TABLE else (self.tree.betting,)
        digest = hashlib.sha256(repr((self.tree.raise_cap, self.buckets.counts, *other)).encode())
        for array in (self.buckets.start, *self.buckets.transitions, self.buckets.showdown):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def lanes(self) -> Lanes:
        """The betting as the kernels read it."""
        return lanes_of(self.tree, self.buckets)

    @cached_property
    def places(self) -> Ints:
        """Where numbers by decision, (D, B, 3), stand among rows of lanes."""
        return places_of(self.lanes)

    @cached_property
    def odds(self) -> Floats:
        """The buckets' chances as the kernels read them."""
        return odds_of(self.buckets)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which of fold, call and raise are possible in each situation, (situations, 3)."""
        return self.lanes.legal

    def uniform(self) -> BucketedProfile:
        """Return the profile in which everybody takes every possible action equally often."""
        return self.by_situation(self.legal / self.legal.sum(axis=1, keepdims=True))

    def always_fold(self) -> BucketedProfile:
        """Return the profile that folds whenever there is something to call, and else checks."""
        return self.preferring(FOLDING, CALLING)

    def always_call(self) -> BucketedProfile:
        """Return the profile that checks and calls."""
        return self.preferring(CALLING)

    def always_raise(self) -> BucketedProfile:
        """Return the profile that bets and raises up to the cap, and then calls."""
        return self.preferring(RAISING, CALLING)

    def preferring(self, *actions: int) -> BucketedProfile:
        """Return the profile that takes the first of `actions` that is possible."""
        chances = np.zeros(self.legal.shape)
        for action in reversed(actions):
            chances[self.legal[:, action]] = np.eye(len(ACTIONS))[action]
        return self.by_situation(chances)

    def by_situation(self, chances: Floats) -> BucketedProfile:
        """Return the profile with these probabilities, (situations, 3), whatever the bucket."""
        return BucketedProfile(self, np.repeat(chances[:, None], max(self.buckets.counts), axis=1))

    def values(self, profile: BucketedProfile) -> Floats:
        """Return what each seat wins, (2,), when both follow `profile`."""
        check_profile(self, profile)
        play = profile.play
        value = sweep(self.lanes, self.odds, play, play, 0, FOLLOW, NO_ROWS)
        return np.array([value, -value])

    def best_values(self, profile: BucketedProfile) -> Floats:
        """Return what a best response to `profile` wins in each seat, (2,)."""
        check_profile(self, profile)
        play = profile.play
        with_best = partial(sweep, self.lanes, self.odds, play, play)
        return np.array([with_best(player, BEST, NO_ROWS) for player in range(NUM_SEATS)])

    def best_response(self, profile: BucketedProfile, player: int) -> BucketedReply:
        """Return the best `player` (0-based) can do against the other seat's part of `profile`.

        The opponent's buckets do not depend on the player's own. So what a player needs to know for the best reply is
        the public node and the own present bucket, and one pass down the public tree and one up find it.
        """
        check_profile(self, profile)
        whole(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        chosen = self.rows()
        play = profile.play
        value = sweep(self.lanes, self.odds, play, play, player, REPLY, chosen)
        table = profile.by_decision.copy()
        mine = self.tree.actor[self.tree.decision_node] == player
        table[mine] = self.table_of(chosen)[mine]
        pointer = np.arange(self.tree.num_decisions)
        return BucketedReply(value, BucketedProfile.computed(self, table, pointer))

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return what each seat would gain by a best response, (2,)."""
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the sum of what best responses win in the two seats.

        It is the sum of the gains, since what the profile itself wins in one seat it loses in the other.
        """
        return float(self.best_values(profile).sum())

    def exploitability_slope(self, profile: BucketedProfile) -> Slope:
        """Return the exploitability of `profile` and its derivative in each number of `profile.table`.

        Each number is taken for itself; along a change that keeps the sums of probabilities the
        changes add up. Where best replies tie, the first of them counts: a subgradient.
        """
        check_profile(self, profile)
        table, pointer = profile.table, profile.pointer
        return slope(self.lanes, self.odds, profile.play, table.shape, pointer)

    def rows(self) -> Floats:
        """Return zeros for a row of lanes for each situation, block, action and bucket."""
        return np.zeros((self.lanes.num_rows, LANES))

    def rows_of(self, by_decision: Floats) -> Floats:
        """Return numbers by decision, (D, B, 3), as rows of lanes."""
        flat = np.zeros(self.lanes.num_rows * LANES + 1)
        flat[self.places] = by_decision
        return flat[:-1].reshape(-1, LANES)

    def table_of(self, rows: Floats) -> Floats:
        """Return rows of lanes as numbers by decision, (D, B, 3): the inverse of `rows_of`."""
        return np.append(rows, 0.0)[self.places]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tree.num_nodes:,} public nodes, buckets {self.buckets.source}>"


def checked_pointer(game: BucketedHoldem, pointer: ArrayLike, rows: int) -> Ints:
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


def check_table(game: BucketedHoldem, table: Floats, pointer: Ints) -> None:
    """Refuse a table that is no profile where the pointer reads it."""
    tree, counts = game.tree, game.buckets.counts
    rows = len(table) if table.ndim else 0
    wanted = (rows, max(counts), len(ACTIONS))
    if table.shape != wanted or pointer.max() >= rows:
        raise ShapeError(
            f"table has shape {table.shape}; {game.name} needs (rows, {max(counts)}, 3), with {len(tree.situations)}"
            f" rows for a tuple table or {tree.num_decisions} for all decisions. Start from game.uniform()."
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


def check_profile(game: BucketedHoldem, profile: BucketedProfile) -> None:
    """Refuse a profile that belongs to another game."""
    instead = "game.uniform(), or BucketedProfile(game, table)"
    check_kind("profile", profile, BucketedProfile, instead, GameError)
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game!r}, not to {game!r}. Make one with game.uniform() or"
            " BucketedProfile(game, table)."
        )


def bucketed_limit_holdem(
    buckets: "int | tuple[int, int, int, int] | Buckets" = 6,
    *,
    raise_cap: int = 4,
    betting: str = AT_THE_TABLE,
) -> BucketedHoldem:
    """Return heads-up limit hold'em with hands in buckets, as in Samothrakis & Lucas [1]_.

    Parameters
    ----------
    buckets : int, four ints or Buckets
        How many buckets on each street, made exactly by `make_buckets`; or the buckets themselves.
    raise_cap : int
        Most bets a street, 1 to 6; the big blind is the first before the flop.
    betting : {'at the table', 'as drawn'}
        As it is played at tables; or as in the figures of [1]_: the small blind acts first on every street, blinds
        are no bets, and an agent may fold where nothing is owed.

    References
    ----------
    .. [1] S. Samothrakis, S. Lucas, "Approximating n-player behavioural strategy Nash equilibria
       using coevolution", GECCO 2011, section 4.2.

    Examples
    --------
    >>> game = bucketed_limit_holdem(buckets=6)
    >>> game.nash_conv(game.always_fold())
    1.5
    >>> round(game.nash_conv(game.always_call()), 2)
    2.22
    """
    given = buckets if isinstance(buckets, Buckets) else make_buckets(buckets, seed=1)
    return BucketedHoldem(given, public_tree(raise_cap, betting))
