"""Bucketed limit hold'em for two as an exact game: values, best responses, exploitability."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import SMALL_BETS, Unit
from pokerlab.core.arrays import Floats
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import whole
from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.abstraction.made_buckets import make_buckets
from pokerlab.holdem.betting.actions import ACTIONS, CALLING, FOLDING, RAISING
from pokerlab.holdem.limit_game.betting_tree import NUM_SEATS, PublicTree, public_tree
from pokerlab.holdem.limit_game.bucketed_profile import BucketedProfile, check_profile
from pokerlab.holdem.limit_game.layouts import LANES, Lanes, lanes_of, odds_of, table_of
from pokerlab.holdem.limit_game.worth import BEST, FOLLOW, REPLY, Slope, slope, sweep

NO_ROWS = np.zeros((1, LANES))
"""For sweeps that note nothing."""


@dataclass(frozen=True, eq=False, repr=False)
class BucketedReply:
    """A best response.

    Attributes
    ----------
    value : float
        What it wins, in small bets.
    profile : BucketedProfile
        The reply, a pure strategy, against the opponent's part of the profile it replies to. Ties
        go to the first of fold, call, raise.
    """

    value: float
    profile: BucketedProfile


@dataclass(frozen=True, eq=False, repr=False)
class BucketedHoldem:
    """Heads-up limit hold'em in which hands are known by their buckets; see `bucketed_limit_holdem`.

    Seat and player 0 has the button. The face is that of every exact game: `uniform`, `values`,
    `best_response`, `gains`, `nash_conv`.

    Attributes
    ----------
    buckets : Buckets
        The hands.
    tree : PublicTree
        The betting.
    """

    buckets: Buckets
    tree: PublicTree
    num_players: int = field(default=NUM_SEATS, init=False)
    unit: Unit = field(default=SMALL_BETS, init=False)
    zero_sum: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        check_parts(self.buckets, self.tree)

    @property
    def name(self) -> str:
        """What people call the game."""
        counts = self.buckets.counts
        each = str(counts[0]) if len(set(counts)) == 1 else "-".join(map(str, counts))
        return f"limit hold'em in {each} bucket{'' if each == '1' else 's'}"

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        digest = hashlib.sha256(repr((self.tree.raise_cap, self.buckets.counts)).encode())
        for array in (self.buckets.start, *self.buckets.transitions, self.buckets.showdown):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def lanes(self) -> Lanes:
        """The betting as the kernels read it."""
        return lanes_of(self.tree, self.buckets)

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
        return np.array(
            [
                sweep(self.lanes, self.odds, play, play, player, BEST, NO_ROWS)
                for player in range(NUM_SEATS)
            ]
        )

    def best_response(self, profile: BucketedProfile, player: int) -> BucketedReply:
        """Return the best `player` (0-based) can do against the other seat's part of `profile`.

        The opponent's buckets do not depend on the player's own. So what a player needs to know for
        the best reply is the public node and the own present bucket, and one pass down the public
        tree and one up find it.
        """
        check_profile(self, profile)
        whole(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        chosen = self.rows()
        play = profile.play
        value = sweep(self.lanes, self.odds, play, play, player, REPLY, chosen)
        table = profile.by_decision.copy()
        mine = self.tree.actor[self.tree.decision_node] == player
        table[mine] = table_of(self.lanes, chosen)[mine]
        pointer = np.arange(self.tree.num_decisions)
        return BucketedReply(value, BucketedProfile.computed(self, table, pointer))

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return what each seat would gain by a best response, (2,)."""
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the sum of what best responses win in the two seats.

        It is the sum of the gains, since what the profile itself wins in one seat it loses in the
        other.
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

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tree.num_nodes:,} public nodes, buckets {self.buckets.source}>"


def check_parts(buckets: object, tree: object) -> None:
    """Refuse what is no hands and no betting."""
    if not (isinstance(buckets, Buckets) and isinstance(tree, PublicTree)):
        raise SettingError(
            f"bucketed hold'em is made of Buckets and a PublicTree, not of {buckets!r} and {tree!r}."
            " Use bucketed_limit_holdem(6, raise_cap=4)."
        )


def bucketed_limit_holdem(
    buckets: "int | tuple[int, int, int, int] | Buckets" = 6, *, raise_cap: int = 4
) -> BucketedHoldem:
    """Return heads-up limit hold'em with hands in buckets, as in Samothrakis & Lucas [1]_.

    Parameters
    ----------
    buckets : int, four ints or Buckets
        How many buckets on each street, made exactly by `make_buckets`; or the buckets themselves.
    raise_cap : int
        Most bets a street, 1 to 6; the big blind is the first before the flop.

    Raises
    ------
    SettingError
        If there are no such buckets, or the cap is out of range.

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
    return BucketedHoldem(given, public_tree(raise_cap))
