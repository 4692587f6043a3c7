"""Bucketed limit hold'em for two players as an exact game: profiles, values, best responses, and its tuple table.

A profile stores its action probabilities in a table, and an array called the pointer gives the row of the table for
each decision. One form therefore serves two kinds of agents: those that know the whole betting have a row for each
decision, and those that know only the situation have a row for each situation. In the shapes below, D is the number of
decisions and B is the largest number of buckets of any street.

The tuple table is the genome of agents that know only the situation. The agent of Samothrakis & Lucas (2011, section
4.2) chooses by its bucket, the street, who has the button, and the two players' raises on this street; it forgets what
happened on earlier streets. With six buckets there are 38 situations x 6 buckets x 3 actions = 684 genes.
"""

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from pokerlab.core import SMALL_BETS, Floats, Ints, Unit, freeze
from pokerlab.core.arrays import view_read_only
from pokerlab.core.errors import (
    GameError,
    ProbabilityError,
    SettingError,
    ShapeError,
    UnknownNameError,
)
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.holdem.betting_tree import AT_THE_TABLE, NUM_SEATS, PublicTree, make_public_tree
from pokerlab.holdem.bucket_gradient import ExploitabilityGradient, compute_exploitability_gradient
from pokerlab.holdem.bucket_lanes import (
    LANES,
    Lanes,
    index_table_entries_in_lanes,
    make_chance_probabilities,
    make_lane_layout,
)
from pokerlab.holdem.bucket_passes import BEST, BEST_RESPONSE, FOLLOW, compute_player_value
from pokerlab.holdem.bucket_reach import KernelStrategy
from pokerlab.holdem.bucketed_search import build_belief_mdp, run_belief_search
from pokerlab.holdem.buckets import SUM_TOLERANCE, Buckets, make_buckets
from pokerlab.holdem.hand import ACTIONS, CALLING, FOLDING, RAISING
from pokerlab.solvers.belief_search import SearchResult, SearchSettings
from pokerlab.strategies.direct_encoding import NEUTRAL, POSITIVE, WIDE, normalize_genes
from pokerlab.strategies.encoding import validate_genome

NO_ROWS = np.zeros((1, LANES))  # for passes that write no rows
KNOWS = ("situation", "betting")


@dataclass(frozen=True, eq=False, repr=False)
class BucketedProfile:
    """A strategy profile: the probabilities of fold, call and raise for both seats.

    Parameters
    ----------
    game : BucketedHoldem
        The game to which the profile belongs.
    table : array_like of shape (rows, B, 3)
        The probabilities of fold, call and raise with each bucket, where B is the largest number of buckets of any
        street. Impossible actions (a fold with nothing to call, a raise at the cap) have probability 0. The entries
        of buckets that a street does not have are ignored.
    pointer : array_like of int, shape (D,), optional
        The row of the table for each of the D decisions, in the order of `game.tree`. If it is not given, a table with
        as many rows as there are situations has one row for each situation, and any other table has one row for each
        decision.

    Raises
    ------
    ShapeError
        If the table and the pointer do not fit the game or each other.
    ProbabilityError
        If an entry is not a probability, or the three probabilities of a decision do not sum to one.
    """

    game: "BucketedHoldem"
    table: Floats
    pointer: Ints
    is_by_situation: bool = field(init=False)

    def __init__(
        self, game: "BucketedHoldem", table: ArrayLike, pointer: ArrayLike | None = None
    ) -> None:
        numbers = np.array(table, dtype=np.float64)
        num_rows = len(numbers) if numbers.ndim else 0
        has_row_for_each_situation = num_rows == len(game.tree.situations)
        if pointer is not None:
            row_of_decision = validate_pointer(game, pointer, num_rows)
        elif has_row_for_each_situation:
            row_of_decision = game.tree.situation
        else:
            row_of_decision = np.arange(game.tree.num_decisions)
        check_profile_table(game, numbers, row_of_decision)
        self._set_arrays(game, numbers, row_of_decision)

    def _set_arrays(self, game: "BucketedHoldem", table: Floats, pointer: Ints) -> None:
        """Set the fields of the frozen profile, and make its arrays read-only."""
        table = np.ascontiguousarray(table)
        freeze(table, pointer)
        by_situation = game.tree.situation
        is_by_situation = pointer is by_situation or np.array_equal(pointer, by_situation)
        for name, value in {"game": game, "table": table, "pointer": pointer}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "is_by_situation", is_by_situation)

    @classmethod
    def make_unchecked(
        cls, game: "BucketedHoldem", table: Floats, pointer: Ints | None = None
    ) -> Self:
        """Return a profile without checking its probabilities, for tables that pokerlab has computed itself.

        Parameters
        ----------
        game : BucketedHoldem
            The game of the profile.
        table : ndarray of shape (rows, B, 3)
            The probabilities of fold, call and raise with each of B buckets.
        pointer : ndarray of int64, shape (D,), optional
            The row of the table for each of D decisions. By default the table has a row for each situation.
        """
        profile = object.__new__(cls)
        profile._set_arrays(game, table, game.tree.situation if pointer is None else pointer)
        return profile

    @cached_property
    def kernel_strategy(self) -> KernelStrategy:
        """The probabilities of the profile in the form that kernels read."""
        if self.is_by_situation:
            return KernelStrategy(self.table.reshape(-1, 1), False)
        rows = self.game.convert_to_rows(self.decision_probabilities)
        # Tables are read-only, and numba compiles a kernel anew for writable arrays.
        rows.setflags(write=False)
        return KernelStrategy(rows, True)

    @property
    def decision_probabilities(self) -> Floats:
        """The probabilities of fold, call and raise at each decision with each bucket.

        The array has shape (D, B, 3) for D decisions and B buckets.
        """
        return self.table[self.pointer]

    def replace(self, player: int, other: "BucketedProfile") -> "BucketedProfile":
        """Return this profile, but with the strategy of one player taken from another profile.

        Parameters
        ----------
        player : int
            The player whose strategy is taken, 0 or 1.
        other : BucketedProfile
            The profile from which it is taken.

        Raises
        ------
        GameError
            If `other` is not a profile of this game.
        SettingError
            If there is no such player.
        """
        check_bucketed_profile(self.game, other)
        tree = self.game.tree
        validate_integer(f"player index in {self.game.name}", player, 0, NUM_SEATS - 1)
        # Whether each decision is the player's, with axes for the bucket and the action.
        is_players = (tree.actor[tree.decision_node] == player)[:, None, None]

        if self.is_by_situation and other.is_by_situation:
            # All decisions of a situation belong to the same player, so the first one tells whose it is.
            first_decision = np.unique(tree.situation, return_index=True)[1]
            table = np.where(is_players[first_decision], other.table, self.table)
            return self.make_unchecked(self.game, table)

        # Otherwise the new table has a row for each decision.
        table = np.where(is_players, other.decision_probabilities, self.decision_probabilities)
        return self.make_unchecked(self.game, table, np.arange(tree.num_decisions))

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.table.size:,} probabilities>"


@dataclass(frozen=True, eq=False, repr=False)
class BucketedReply:
    """A best response of one player, with its expected payoff.

    Attributes
    ----------
    value : float
        The expected payoff of the best response, in small bets a hand.
    profile : BucketedProfile
        The profile in which the player follows the best response, a pure strategy, and the other seat follows the
        strategy that it responds to. Of equally good actions it takes the first in the order fold, call, raise.
    """

    value: float
    profile: BucketedProfile


@dataclass(frozen=True, eq=False, repr=False)
class BucketedHoldem:
    """Heads-up limit hold'em in which each player knows only the bucket of its hand.

    The function `bucketed_limit_holdem` makes such a game. Player 0 sits in seat 0 and has the button. The game has the
    methods of every exact game: `uniform`, `values`, `best_response`, `gains` and `nash_conv`.

    Attributes
    ----------
    buckets : Buckets
        The buckets of hands, and the probabilities of moving from one to the next.
    tree : PublicTree
        The public tree of the betting.
    num_players : int
        The number of players, 2.
    unit : Unit
        The unit of payoffs, small bets.
    zero_sum : bool
        Whether the game is zero-sum; always True.
    payoff_sum : float
        The sum of both players' payoffs, 0.
    """

    buckets: Buckets
    tree: PublicTree
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
        """The name of the game, such as "limit hold'em in 6 buckets"."""
        counts = self.buckets.counts
        each = str(counts[0]) if len(set(counts)) == 1 else "-".join(map(str, counts))
        return f"limit hold'em in {each} bucket{'' if each == '1' else 's'}"

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that influences results; equal games have equal fingerprints."""
        other = () if self.tree.betting == AT_THE_TABLE else (self.tree.betting,)
        digest = hashlib.sha256(repr((self.tree.raise_cap, self.buckets.counts, *other)).encode())
        for array in (self.buckets.start, *self.buckets.transitions, self.buckets.showdown):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def lanes(self) -> Lanes:
        """The public tree in the form that kernels read."""
        return make_lane_layout(self.tree, self.buckets)

    @cached_property
    def lane_entries(self) -> Ints:
        """The index, in flattened rows of lanes, of each entry of an array by decision, bucket and action.

        The array of indices has shape (D, B, 3) for D decisions and B buckets.
        """
        return index_table_entries_in_lanes(self.lanes)

    @cached_property
    def chance_probabilities(self) -> Floats:
        """The probabilities of the buckets, in the form that kernels read."""
        return make_chance_probabilities(self.buckets)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether fold, call and raise are possible in each situation, an array of bool of shape (situations, 3)."""
        return self.lanes.legal

    def uniform(self) -> BucketedProfile:
        """Return the profile in which both seats take every possible action equally often."""
        return self.make_situation_profile(self.legal / self.legal.sum(axis=1, keepdims=True))

    def always_fold(self) -> BucketedProfile:
        """Return the profile in which both seats fold when they face a bet, and check otherwise."""
        return self.make_preference_profile(FOLDING, CALLING)

    def always_call(self) -> BucketedProfile:
        """Return the profile in which both seats always check or call."""
        return self.make_preference_profile(CALLING)

    def always_raise(self) -> BucketedProfile:
        """Return the profile in which both seats bet or raise whenever the cap allows it, and call otherwise."""
        return self.make_preference_profile(RAISING, CALLING)

    def make_preference_profile(self, *actions: int) -> BucketedProfile:
        """Return the profile that always takes the first possible one of the given actions.

        Each action is FOLDING, CALLING or RAISING, and the most preferred action comes first.
        """
        probabilities = np.zeros(self.legal.shape)
        # The most preferred action is written last, so that it overwrites the others.
        for action in reversed(actions):
            probabilities[self.legal[:, action]] = np.eye(len(ACTIONS))[action]
        return self.make_situation_profile(probabilities)

    def make_situation_profile(self, probabilities: Floats) -> BucketedProfile:
        """Return the profile whose action probabilities depend on the situation but not on the bucket.

        The array `probabilities` has shape (situations, 3) and gives the probabilities of fold, call and raise.
        """
        return BucketedProfile(
            self, np.repeat(probabilities[:, None], max(self.buckets.counts), axis=1)
        )

    def values(self, profile: BucketedProfile) -> Floats:
        """Return the expected payoffs of both seats, an array of shape (2,), when both follow a profile."""
        check_bucketed_profile(self, profile)
        strategy = profile.kernel_strategy
        value = compute_player_value(
            self.lanes, self.chance_probabilities, strategy, strategy, 0, FOLLOW, NO_ROWS
        )
        return np.array([value, -value])

    def best_values(self, profile: BucketedProfile) -> Floats:
        """Return the expected payoff of a best response in each seat, an array of shape (2,).

        Each seat responds to the other seat's strategy in the profile.
        """
        check_bucketed_profile(self, profile)
        strategy = profile.kernel_strategy
        values = [
            compute_player_value(
                self.lanes, self.chance_probabilities, strategy, strategy, player, BEST, NO_ROWS
            )
            for player in range(NUM_SEATS)
        ]
        return np.array(values)

    def best_response(self, profile: BucketedProfile, player: int) -> BucketedReply:
        """Return a best response of a player to the other seat's strategy in a profile, with its expected payoff.

        The two players' buckets are independent of each other. So a best response depends only on the public node and
        on the player's present bucket, and it is found by one pass down the public tree and one pass up.

        Parameters
        ----------
        profile : BucketedProfile
            The profile, of which only the other seat's strategy matters.
        player : int
            The seat of the best response, 0 or 1.

        Returns
        -------
        BucketedReply
            The expected payoff of the best response in small bets a hand, and the profile in which it plays against the
            other seat's strategy.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        SettingError
            If there is no such player.
        """
        check_bucketed_profile(self, profile)
        validate_integer(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        best_actions = self.allocate_rows()
        opponent_strategy = profile.kernel_strategy
        own_strategy = opponent_strategy  # not used, because the player takes the best actions
        value = compute_player_value(
            self.lanes,
            self.chance_probabilities,
            opponent_strategy,
            own_strategy,
            player,
            BEST_RESPONSE,
            best_actions,
        )

        # The player takes the best actions at its own decisions. The other seat keeps its strategy.
        table = profile.decision_probabilities.copy()
        is_own_decision = self.tree.actor[self.tree.decision_node] == player
        table[is_own_decision] = self.convert_to_table(best_actions)[is_own_decision]
        row_of_decision = np.arange(self.tree.num_decisions)  # each decision has its own row
        return BucketedReply(value, BucketedProfile.make_unchecked(self, table, row_of_decision))

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return what each seat would gain by deviating from a profile to a best response.

        Returns
        -------
        ndarray of shape (2,)
            The gain of each seat, in small bets a hand.
        """
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the NashConv of a profile: the sum of what both seats gain by a best response.

        The payoffs of the profile itself sum to zero. So the sum of the gains equals the sum of the best responses'
        expected payoffs, which is computed here.
        """
        return float(self.best_values(profile).sum())

    def compute_exploitability_gradient(self, profile: BucketedProfile) -> ExploitabilityGradient:
        """Return the exploitability of a profile and its derivative in each entry of `profile.table`.

        The derivatives are partial: each treats one entry as free, although a change of one entry alone breaks the sum
        of one. To move probability from one action to another, subtract the derivative of the first from that of the
        second. Where several best responses are equally good, the derivative is computed with the first of them, and
        the result is a subgradient.
        """
        check_bucketed_profile(self, profile)
        table, pointer = profile.table, profile.pointer
        return compute_exploitability_gradient(
            self.lanes, self.chance_probabilities, profile.kernel_strategy, table.shape, pointer
        )

    def search_best_response(
        self,
        profile: BucketedProfile,
        player: int,
        settings: SearchSettings,
        *,
        merged: bool = False,
        seed: int,
        index: tuple[int, int] = (0, 0),
    ) -> SearchResult:
        """Return the value of a best response that a tree search estimates.

        The player responds to the other seat's strategy in the profile. `best_response` returns the exact value.

        Parameters
        ----------
        profile : BucketedProfile
            The profile, of which only the other seat's strategy matters.
        player : int
            The player that responds, 0 or 1.
        settings : SearchSettings
            The number of iterations and the depth of the search.
        merged : bool
            Whether states that differ only in the player's past buckets are searched once. Such states have the same
            belief and the same future, so playouts from them have the same mean. If they share their playouts, the
            estimate varies more, and because the search takes the largest of several estimates, its value is slightly
            higher. With six buckets, depth 9 and 1000 playouts (the setting of the paper), there are about 10**8
            playouts, and 10**6 if states are merged.
        seed : int
            The seed of the playouts.
        index : tuple of 2 int
            The index of this search among all searches with the same seed; each index has its own random numbers.

        Returns
        -------
        SearchResult
            The estimated value in small bets a hand, with its variance, and the numbers of nodes searched and played.
        """
        check_bucketed_profile(self, profile)
        validate_integer(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        check_kind("settings", settings, SearchSettings, "one such as solvers.TreeSearch(depth=9)")
        mdp = build_belief_mdp(self.tree, self.buckets, profile.table, profile.pointer, player)
        exploration = settings.exploration * self.payoff_range
        return run_belief_search(
            mdp,
            settings,
            exploration=exploration,
            merged=merged,
            seed=seed,
            player=player,
            index=index,
        )

    @property
    def payoff_range(self) -> float:
        """The difference between the largest and the smallest payoff of a hand, in small bets.

        It is twice the most that a player can pay into the pot.
        """
        return 2.0 * float(self.tree.paid.max())

    def default_encoding(self) -> "TupleTable":
        """Return the encoding that evolution uses if no other is given: the tuple table of Samothrakis & Lucas."""
        return TupleTable(self)

    def allocate_rows(self) -> Floats:
        """Return an array of zeros with a row of lanes for each situation, block, action and bucket.

        It has shape (rows, LANES). The module `bucket_lanes` explains lanes and blocks.
        """
        return np.zeros((self.lanes.num_rows, LANES))

    def convert_to_rows(self, table: Floats) -> Floats:
        """Convert an array by decision, bucket and action to the rows of lanes that kernels read.

        Parameters
        ----------
        table : ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions.

        Returns
        -------
        ndarray of shape (rows, LANES)
            The same numbers; 0 in lanes that belong to no bucket.
        """
        # The extra last entry collects the buckets that a street does not have.
        flat = np.zeros(self.lanes.num_rows * LANES + 1)
        flat[self.lane_entries] = table
        return flat[:-1].reshape(-1, LANES)

    def convert_to_table(self, rows: Floats) -> Floats:
        """Convert rows of lanes to an array by decision, bucket and action: the inverse of `convert_to_rows`.

        Parameters
        ----------
        rows : ndarray of shape (rows, LANES)
            The rows, in the layout of `lanes`.

        Returns
        -------
        ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions; 0 for buckets that a street does not have.
        """
        return np.append(rows, 0.0)[self.lane_entries]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tree.num_nodes:,} public nodes, buckets {self.buckets.source}>"


def validate_pointer(game: BucketedHoldem, pointer: ArrayLike, rows: int) -> Ints:
    """Return a checked copy of the pointer of a profile, as int64.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile.
    pointer : array_like of int, shape (D,)
        The row of the table for each of the game's D decisions.
    rows : int
        The number of rows of the table.

    Raises
    ------
    ShapeError
        If the pointer has another shape or type, or names a row that the table does not have.
    """
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


def check_profile_table(game: BucketedHoldem, table: Floats, pointer: Ints) -> None:
    """Raise an error unless a table has valid probabilities for all decisions of a game.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile.
    table : ndarray of shape (rows, B, 3)
        The probabilities of fold, call and raise with each of B buckets.
    pointer : ndarray of int64, shape (D,)
        The row of the table for each of D decisions.

    Raises
    ------
    ShapeError
        If the table has another shape, or fewer rows than the pointer names.
    ProbabilityError
        If a number is not between 0 and 1, an impossible action has a positive probability, or the probabilities of a
        decision do not sum to one.
    """
    tree = game.tree
    counts = game.buckets.counts
    num_rows = len(table) if table.ndim else 0
    wanted = (num_rows, max(counts), len(ACTIONS))
    if table.shape != wanted or pointer.max() >= num_rows:
        raise ShapeError(
            f"table has shape {table.shape}; {game.name} needs (rows, {max(counts)}, 3), with {len(tree.situations)}"
            f" rows for a tuple table or {tree.num_decisions} for all decisions. Start from game.uniform()."
        )
    # Decisions in different situations may share a row, so each pair of a row and a situation is checked once.
    row_and_situation = pointer * len(tree.situations) + tree.situation
    decisions = np.unique(row_and_situation, return_index=True)[1]
    situations = tree.situation[decisions]
    probabilities = table[pointer[decisions]]
    street = np.array([tree.situations[situation].street for situation in situations])
    bucket_exists = np.arange(max(counts)) < np.array(counts)[street][:, None]

    # For each remedy the decisions and buckets that need it, in the order in which errors are reported.
    in_range = (probabilities >= 0.0) & (probabilities <= 1.0 + SUM_TOLERANCE)
    is_illegal = (probabilities * ~tree.legal[decisions, None, :]).any(axis=-1)
    sums_to_one = abs(probabilities.sum(axis=-1) - 1) <= SUM_TOLERANCE
    faults = {
        "give numbers from 0 to 1": ~in_range.all(axis=-1),
        "a fold needs something to call, a raise room below the cap": is_illegal,
        "they must sum to 1; normalize them first": ~sums_to_one,
    }
    for remedy, is_wrong in faults.items():
        wrong_entries = np.argwhere(is_wrong & bucket_exists)
        if len(wrong_entries):
            index, bucket = wrong_entries[0]
            given = ", ".join(map("{} {:.12g}".format, ACTIONS, probabilities[index, bucket]))
            situation = tree.situations[situations[index]]
            raise ProbabilityError(
                f"probabilities {situation}, bucket {bucket}, are {given}; {remedy}."
            )


def check_bucketed_profile(game: BucketedHoldem, profile: BucketedProfile) -> None:
    """Raise GameError unless `profile` is a bucketed profile of this game.

    Games are compared by their fingerprints.
    """
    instead = "game.uniform(), or BucketedProfile(game, table)"
    check_kind("profile", profile, BucketedProfile, instead, GameError)
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game!r}, not to {game!r}. Make one with game.uniform() or"
            " BucketedProfile(game, table)."
        )


class GeneGroups(NamedTuple):
    """The genes of a tuple table that have an effect, in groups: one for each row and bucket with possible actions.

    Attributes
    ----------
    genes : ndarray of int64
        The indices of the genes, group by group.
    first, num_actions : ndarray of int64, shape (groups,)
        The index in `genes` of the first gene of each group, and the number of genes of the group, which is the number
        of possible actions.
    """

    genes: Ints
    first: Ints
    num_actions: Ints


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class TupleTable:
    """The encoding of a profile as a table with a gene for each situation, bucket and action.

    Each gene is made into a number that is not negative, and an agent folds, calls and raises with probabilities in
    proportion to the three numbers of its situation and bucket (Samothrakis & Lucas 2011, equation 5). The table also
    has genes for impossible actions (a fold with nothing to call, a raise at the cap, any action with a bucket that
    the street does not have), but these genes have no effect.

    Parameters
    ----------
    game : BucketedHoldem
        The game that is played.
    positive : str
        The function that makes genes nonnegative, one of those of `pokerlab.strategies.DirectEncoding`.
    knows : {'situation', 'betting'}
        What an agent knows about the betting. With 'situation', as in the paper, the table has a row for each
        situation; with 'betting' it has a row for each public decision.

    Examples
    --------
    >>> from pokerlab import holdem
    >>> encoding = TupleTable(holdem.bucketed_limit_holdem(buckets=6))
    >>> encoding.num_genes
    684
    >>> encoding.gene_labels[0]
    'before the flop, button, 0 own raises, 0 of the opponent, bucket 0: fold'
    """

    game: BucketedHoldem
    positive: str = "softmax"
    knows: str = "situation"

    def __post_init__(self) -> None:
        instead = "bucketed hold'em, from bucketed_limit_holdem()"
        check_kind("the game of a TupleTable", self.game, BucketedHoldem, instead, GameError)
        UnknownNameError.check("positivity", self.positive, POSITIVE)
        UnknownNameError.check("knowledge", self.knows, KNOWS)

    @cached_property
    def pointer(self) -> Ints:
        """The row of the table for each of the game's D decisions, an array of shape (D,)."""
        tree = self.game.tree
        return tree.situation if self.knows == "situation" else np.arange(tree.num_decisions)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the table: the numbers of its rows, of buckets and of actions."""
        return int(self.pointer.max()) + 1, max(self.game.buckets.counts), len(ACTIONS)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Whether each gene has an effect, an array of bool with the shape of the table.

        Genes of impossible actions and of buckets that a street does not have are False.
        """
        tree = self.game.tree
        counts = np.array(self.game.buckets.counts)
        # All decisions of a row are on the same street and have the same possible actions, so the first one suffices.
        first_decision = np.unique(self.pointer, return_index=True)[1]
        num_buckets = counts[tree.street[tree.decision_node[first_decision]]]
        bucket_exists = np.arange(self.shape[1]) < num_buckets[:, None]
        is_legal = tree.legal[first_decision]
        return np.asarray(bucket_exists[:, :, None] & is_legal[:, None, :])

    @cached_property
    def gene_groups(self) -> GeneGroups:
        """The genes of possible actions, which have an effect, in groups: one for each row and bucket of the table."""
        num_actions = self.possible.sum(axis=2).ravel()
        num_actions = num_actions[num_actions > 0]
        first_of_group = np.cumsum(num_actions) - num_actions
        groups = GeneGroups(
            genes=np.flatnonzero(self.possible), first=first_of_group, num_actions=num_actions
        )
        freeze(*groups)
        return groups

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The indices of the genes that have an effect in each seat, one array for each of the two seats.

        All decisions of a row belong to the same seat, the one that acts there.
        """
        tree = self.game.tree
        first_decision = np.unique(self.pointer, return_index=True)[1]
        seat_of_row = tree.actor[tree.decision_node[first_decision]][:, None, None]
        return tuple(
            np.flatnonzero(self.possible & (seat_of_row == seat)) for seat in range(NUM_SEATS)
        )

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome: rows times buckets times actions."""
        return math.prod(self.shape)

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """A label for each gene: its situation (or all actions so far, if it knows the betting), bucket and action."""
        tree = self.game.tree
        if self.knows == "situation":
            rows = list(map(str, tree.situations))
        else:
            rows = [
                ", ".join(tree.list_actions_to(int(node))) or "start" for node in tree.decision_node
            ]
        return tuple(
            f"{row}, bucket {bucket}: {action}"
            for row in rows
            for bucket in range(self.shape[1])
            for action in ACTIONS
        )

    @property
    def default_start(self) -> Floats:
        """The genome of the uniform profile, an array of shape (num_genes,)."""
        return np.full(self.num_genes, NEUTRAL[self.positive])

    def make_profile(self, genome: ArrayLike) -> BucketedProfile:
        """Return the profile that a genome encodes.

        Parameters
        ----------
        genome : array_like of shape (num_genes,)
            The genes, in the order of `gene_labels`.
        """
        table = self.table(validate_genome(self, genome))
        return BucketedProfile.make_unchecked(self.game, table, self.pointer)

    def table(self, genome: Floats) -> Floats:
        """Return the action probabilities that a genome encodes. The genome is not checked.

        Returns
        -------
        ndarray of shape (rows, B, 3)
            The probabilities of fold, call and raise in each row with each of B buckets; 0 for impossible actions.
        """
        table = np.zeros(self.num_genes)
        groups = self.gene_groups
        table[groups.genes] = normalize_genes(
            view_read_only(genome[None]),
            groups.genes,
            groups.first,
            groups.num_actions,
            POSITIVE[self.positive],
        )[0]
        return table.reshape(self.shape)

    def pull_back_gradient(self, genome: Floats, gradient: Floats) -> Floats:
        """Return the gradient of a function with respect to the genes, given its gradient in the probabilities.

        Let g_j be the genes of a choice, o_j the nonnegative number that gene g_j becomes, and G_k the derivative of
        the function in the probability p_k. The probabilities are p_k = o_k / sum_i o_i, and o_j depends on g_j only.
        So by the chain rule the derivative in g_j is
        sum_k G_k dp_k/dg_j = (do_j/dg_j) (G_j - sum_k p_k G_k) / sum_i o_i.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
            The genes.
        gradient : ndarray of shape (rows, B, 3)
            The gradient with respect to the probabilities that this genome encodes, in each row, with each of B buckets
            and for each action, as `compute_exploitability_gradient` returns it.

        Returns
        -------
        ndarray of shape (num_genes,)
            The derivative of the function in each gene; 0 for the genes of impossible actions.
        """
        table = self.table(genome)
        advantage = gradient - (gradient * table).sum(axis=2, keepdims=True)
        return np.where(
            self.possible, self.differentiate_genes(genome, table) * advantage, 0.0
        ).ravel()

    def differentiate_genes(self, genome: Floats, table: Floats) -> Floats:
        """Return the relative derivative (do_j/dg_j) / sum_i o_i of each gene g_j.

        Here o_j is the nonnegative number that gene g_j becomes, and the sum is over the actions i of the choice to
        which the gene belongs. If all three numbers of a choice are zero, the result is zero.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
            The genes.
        table : ndarray of shape (rows, B, 3)
            The probabilities that the genome encodes, in each row with each of B buckets.

        Returns
        -------
        ndarray of shape (rows, B, 3)
            The derivative in the gene of each row, bucket and action.
        """
        genes = np.where(self.possible, genome.reshape(self.shape), 0.0)
        # With o = exp(g), do/dg is o itself, and o over the sum is the probability.
        if self.positive == "softmax":
            return table
        # With o = 1 / (1 + exp(-g)), do/dg is o / (1 + exp(g)).
        if self.positive == "sigmoid":
            return np.asarray(table * expit(-genes))

        # For the other functions, the numbers o and the derivatives do/dg.
        nonnegative, derivative = {
            "absolute": (abs(genes), np.sign(genes)),
            "clipped": (np.maximum(genes, 0.0), np.sign(genes) * (genes > 0.0)),
            "square": (genes**2, 2.0 * genes),
        }[self.positive]
        total = nonnegative.sum(axis=2, keepdims=True)
        return np.asarray(derivative / np.where(total > 0.0, total, np.inf))

    def rescale_genome(self, genome: Floats) -> Floats:
        """Return a genome that encodes the same strategy as the given genome, or nearly, with genes of moderate size.

        Genes of the same choice can be multiplied by the same number, so the result is the choice's probabilities
        divided by the largest of them: numbers from 0 to 1. With 'square' it is their square roots. With 'sigmoid' and
        'softmax' a multiplication would change the strategy. There genes are clipped to the range from -WIDE to WIDE,
        which changes the strategy slightly. Both genomes have shape (num_genes,).
        """
        if self.positive in ("sigmoid", "softmax"):
            return np.clip(genome, -WIDE, WIDE)
        table = self.table(genome)
        largest = table.max(axis=2, keepdims=True)
        genes = np.asarray(table / np.where(largest > 0.0, largest, 1.0)).ravel()
        # The table holds the squares of the genes if `positive` is 'square'.
        return np.sqrt(genes) if self.positive == "square" else genes


def bucketed_limit_holdem(
    buckets: "int | tuple[int, int, int, int] | Buckets" = 6,
    *,
    raise_cap: int = 4,
    betting: str = AT_THE_TABLE,
) -> BucketedHoldem:
    """Return heads-up limit hold'em in which hands are grouped in buckets, as in Samothrakis & Lucas [1]_.

    Parameters
    ----------
    buckets : int, four ints or Buckets
        The number of buckets on every street, or on each of the four streets, for which `make_buckets` makes exact
        buckets; or the buckets themselves.
    raise_cap : int
        The largest number of bets on a street, 1 to 6. Before the flop the big blind counts as the first bet.
    betting : {'at the table', 'as drawn'}
        With 'at the table' the betting is that of ordinary heads-up play. With 'as drawn' it is that of the figures of
        [1]_: the small blind acts first on every street, blinds do not count as bets, and an agent may fold even if it
        owes nothing.

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
    return BucketedHoldem(given, make_public_tree(raise_cap, betting))
