"""Bucketed limit hold'em for two players as an exact game: profiles, values, best responses, and its tuple table.

A profile stores its action probabilities in a table, and an array called the pointer gives the row of the table for
each decision. One form therefore serves two kinds of agents: those that know the whole betting have a row for each
decision, and those that know only the situation have a row for each situation. A *situation* is what such an agent
knows about the betting: the street, who has the button, and both players' raises on this street. In the shapes below, D
is the number of decisions and B is the largest number of buckets of any street.

The tuple table is the genome of agents that know only the situation. The agent of Samothrakis & Lucas (2011, section
4.2) chooses by its bucket and the situation; it forgets what happened on earlier streets. With six buckets there are 38
situations x 6 buckets x 3 actions = 684 genes.
"""

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from pokerlab.core import Floats, Ints, Unit, freeze
from pokerlab.core.arrays import view_read_only
from pokerlab.core.errors import GameError, SettingError, UnknownNameError
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.core.units import SMALL_BETS
from pokerlab.holdem.batched_tree import LANES, BatchedTree, KernelLayout, make_chance_matrices
from pokerlab.holdem.betting_tree import AT_THE_TABLE, NUM_SEATS, PublicTree, make_public_tree
from pokerlab.holdem.bucket_gradient import ExploitabilityGradient, compute_exploitability_gradient
from pokerlab.holdem.bucket_passes import BEST, BEST_RESPONSE, FOLLOW, compute_player_value
from pokerlab.holdem.bucket_reach import KernelStrategy
from pokerlab.holdem.bucketed_search import build_belief_mdp, run_belief_search
from pokerlab.holdem.buckets import Buckets, make_buckets
from pokerlab.holdem.hand import ACTIONS, CALLING, FOLDING, RAISING
from pokerlab.holdem.profile_checks import check_profile_table, validate_pointer
from pokerlab.solvers.tree_search import SearchResult, SearchSettings
from pokerlab.strategies.direct_encoding import (
    LARGEST_EXPONENT,
    NEUTRAL_GENES,
    POSITIVITY_RULES,
    normalize_genes,
)
from pokerlab.strategies.encoding import validate_genome

NO_ROWS = np.zeros((1, LANES))  # for passes that write no rows
KNOWS = ("situation", "betting")


@dataclass(frozen=True, eq=False, repr=False)
class BucketedProfile:
    """A strategy profile: the probabilities of fold, call and raise for both seats.

    A situation is a street, a seat, and both players' raises on this street.

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
            row_of_decision = validate_pointer(
                pointer, game.tree.num_decisions, num_rows, game.name
            )
        elif has_row_for_each_situation:
            row_of_decision = game.tree.situation
        else:
            row_of_decision = np.arange(game.tree.num_decisions)
        check_profile_table(numbers, row_of_decision, game.tree, game.buckets.counts, game.name)
        self._set_arrays(game, numbers, row_of_decision)

    def _set_arrays(self, game: "BucketedHoldem", table: Floats, pointer: Ints) -> None:
        """Set the fields of the profile, and make its arrays read-only.

        Parameters
        ----------
        game : BucketedHoldem
            The game of the profile.
        table : ndarray of shape (rows, B, 3)
            The probabilities of fold, call and raise with each of B buckets.
        pointer : ndarray of int64, shape (D,)
            The row of the table for each of D decisions.
        """
        table = np.ascontiguousarray(table)
        freeze(table, pointer)
        situation_of_decision = game.tree.situation
        is_by_situation = pointer is situation_of_decision or np.array_equal(
            pointer, situation_of_decision
        )
        # The dataclass is frozen, so its own assignments would raise an error.
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "pointer", pointer)
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
            The row of the table for each of D decisions. By default the table has a row for each `Situation`.

        Returns
        -------
        BucketedProfile
            The profile. It makes the given arrays read-only, and keeps them without a copy if the table is contiguous.
        """
        profile = object.__new__(cls)
        profile._set_arrays(game, table, game.tree.situation if pointer is None else pointer)
        return profile

    @cached_property
    def kernel_strategy(self) -> KernelStrategy:
        """The action probabilities in the form that kernels read: the table itself, or rows of 64 decisions each.

        A situation is a street, a seat, and both players' raises on this street. With a row for each situation, kernels
        read the table as a single column. Otherwise they read 64 decisions at a time, from the arrays that
        `KernelLayout.convert_table_to_rows` makes.
        """
        if self.is_by_situation:
            return KernelStrategy(self.table.reshape(-1, 1), False)
        rows = self.game.layout.convert_table_to_rows(self.decision_probabilities)
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

        Returns
        -------
        BucketedProfile
            A new profile.

        Raises
        ------
        GameError
            If `other` is not a profile of this game.
        SettingError
            If there is no such player.
        """
        check_bucketed_profile_fits_game(self.game, other)
        tree = self.game.tree
        validate_integer(f"player index in {self.game.name}", player, 0, NUM_SEATS - 1)
        # Whether each decision belongs to the player, with axes for the bucket and the action.
        is_own_decision = (tree.actor[tree.decision_node] == player)[:, None, None]

        if self.is_by_situation and other.is_by_situation:
            # All decisions of a situation belong to the same player, so the first one suffices.
            first_decisions = np.unique(tree.situation, return_index=True)[1]
            table = np.where(is_own_decision[first_decisions], other.table, self.table)
            return self.make_unchecked(self.game, table)

        # Otherwise the new table has a row for each decision.
        table = np.where(is_own_decision, other.decision_probabilities, self.decision_probabilities)
        return self.make_unchecked(self.game, table, np.arange(tree.num_decisions))

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.table.size:,} probabilities>"


@dataclass(frozen=True, eq=False, repr=False)
class BucketedBestResponse:
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


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, repr=False)
class BucketedHoldem:
    """Heads-up limit hold'em in which each player knows only the bucket of its hand.

    A bucket is a group of hands of similar win probability. The function `bucketed_limit_holdem` makes such a game.
    Player 0 sits in seat 0 and has the button. The game has the methods of every exact game: `uniform`, `values`,
    `best_response`, `gains` and `nash_conv`.

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

    Raises
    ------
    SettingError
        If the buckets or the tree have the wrong type.
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
        """The name of the game, such as "limit hold'em in 6 buckets" or "limit hold'em in 3-4-5-6 buckets"."""
        counts = self.buckets.counts
        has_equal_counts = len(set(counts)) == 1
        number = str(counts[0]) if has_equal_counts else "-".join(map(str, counts))
        return f"limit hold'em in {number} bucket{'' if number == '1' else 's'}"

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that influences results; equal games have equal fingerprints."""
        # Older files contain fingerprints that were computed before there was a second kind of betting. So the usual
        # kind is left out.
        betting = () if self.tree.betting == AT_THE_TABLE else (self.tree.betting,)
        rules = (self.tree.raise_cap, self.buckets.counts, *betting)
        digest = hashlib.sha256(repr(rules).encode())
        for array in (self.buckets.start, *self.buckets.transitions, self.buckets.showdown):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def layout(self) -> KernelLayout:
        """The layout in which kernels read numbers for each decision, bucket and action."""
        return KernelLayout(self.tree, self.buckets)

    @property
    def batched_tree(self) -> BatchedTree:
        """The public tree laid out in batches, as kernels read it."""
        return self.layout.batched_tree

    @cached_property
    def chance_matrices(self) -> Floats:
        """The probabilities of moving from one bucket to the next, and of winning a showdown, as one array for kernels.

        The module `batched_tree` describes its shape.
        """
        return make_chance_matrices(self.buckets)

    @property
    def is_legal(self) -> NDArray[np.bool_]:
        """Whether fold, call and raise are legal in each situation, an array of bool of shape (situations, 3).

        A situation is a street, a seat, and both players' raises on this street.
        """
        return self.batched_tree.is_legal

    def uniform(self) -> BucketedProfile:
        """Return the profile in which both seats take every possible action equally often."""
        probabilities = self.is_legal / self.is_legal.sum(axis=1, keepdims=True)
        return self.make_profile_by_situation(probabilities)

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
        """Return the profile in which both seats always take the first legal one of the given actions.

        A situation is a street, a seat, and both players' raises on this street.

        Parameters
        ----------
        *actions : int
            FOLDING, CALLING or RAISING. The most preferred action comes first.

        Returns
        -------
        BucketedProfile
            Each situation has one action of probability 1, which is the same with all buckets.

        Raises
        ------
        ProbabilityError
            If none of the actions is legal in some situation. CALLING is always legal.
        """
        probabilities = np.zeros(self.is_legal.shape)
        # The most preferred action is written last, so that it overwrites the others.
        for action in reversed(actions):
            probabilities[self.is_legal[:, action]] = np.eye(len(ACTIONS))[action]
        return self.make_profile_by_situation(probabilities)

    def make_profile_by_situation(self, probabilities: Floats) -> BucketedProfile:
        """Return the profile whose action probabilities depend on the situation but not on the bucket.

        A situation is a street, a seat, and both players' raises on this street.

        Parameters
        ----------
        probabilities : ndarray of shape (situations, 3)
            The probabilities of fold, call and raise in each situation.

        Returns
        -------
        BucketedProfile
            Its table has one row for each situation, with the same probabilities for all buckets.

        Raises
        ------
        ProbabilityError
            If a row does not have probabilities of legal actions that sum to one.
        """
        return BucketedProfile(
            self, np.repeat(probabilities[:, None], max(self.buckets.counts), axis=1)
        )

    def values(self, profile: BucketedProfile) -> Floats:
        """Return the expected payoffs of both seats when both follow a profile.

        Parameters
        ----------
        profile : BucketedProfile
            The strategies of both seats.

        Returns
        -------
        ndarray of shape (2,)
            The payoffs in small bets a hand.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        """
        check_bucketed_profile_fits_game(self, profile)
        strategy = profile.kernel_strategy
        value = compute_player_value(
            self.batched_tree, self.chance_matrices, strategy, strategy, 0, FOLLOW, NO_ROWS
        )
        return np.array([value, -value])

    def best_values(self, profile: BucketedProfile) -> Floats:
        """Return the expected payoff of a best response in each seat to the other seat's strategy.

        Parameters
        ----------
        profile : BucketedProfile
            The strategies of both seats.

        Returns
        -------
        ndarray of shape (2,)
            The payoffs in small bets a hand.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        """
        check_bucketed_profile_fits_game(self, profile)
        strategy = profile.kernel_strategy
        values = [
            compute_player_value(
                self.batched_tree, self.chance_matrices, strategy, strategy, player, BEST, NO_ROWS
            )
            for player in range(NUM_SEATS)
        ]
        return np.array(values)

    def best_response(self, profile: BucketedProfile, player: int) -> BucketedBestResponse:
        """Return a best response of a player to the other seat's strategy in a profile, with its expected payoff.

        The two players' buckets are independent of each other. So a best response depends only on the public node and
        on the player's present bucket, and it is found by one pass down the public tree and one pass up.

        Parameters
        ----------
        profile : BucketedProfile
            The profile. Only the other seat's strategy matters.
        player : int
            The seat of the best response, 0 or 1.

        Returns
        -------
        BucketedBestResponse
            The expected payoff of the best response in small bets a hand, and the profile in which it plays against the
            other seat's strategy.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        SettingError
            If there is no such player.
        """
        check_bucketed_profile_fits_game(self, profile)
        validate_integer(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        best_actions = self.layout.allocate_rows()
        opponent_strategy = profile.kernel_strategy
        own_strategy = opponent_strategy  # not used, because the player takes the best actions
        value = compute_player_value(
            self.batched_tree,
            self.chance_matrices,
            opponent_strategy,
            own_strategy,
            player,
            BEST_RESPONSE,
            best_actions,
        )

        # The player takes the best actions at its own decisions. The other seat keeps its strategy.
        table = profile.decision_probabilities.copy()
        is_own_decision = self.tree.actor[self.tree.decision_node] == player
        table[is_own_decision] = self.layout.convert_rows_to_table(best_actions)[is_own_decision]
        row_of_decision = np.arange(self.tree.num_decisions)  # each decision has its own row
        return BucketedBestResponse(
            value, BucketedProfile.make_unchecked(self, table, row_of_decision)
        )

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return how much each seat would gain by deviating from a profile to a best response.

        Parameters
        ----------
        profile : BucketedProfile
            The strategies of both seats.

        Returns
        -------
        ndarray of shape (2,)
            The gain of each seat, in small bets a hand.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        """
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the NashConv of a profile: the sum of what both seats gain by a best response.

        The payoffs of the profile itself sum to zero. So the sum of the gains equals the sum of the best responses'
        expected payoffs, which is computed here.

        Parameters
        ----------
        profile : BucketedProfile
            The strategies of both seats.

        Returns
        -------
        float
            The NashConv in small bets a hand; 0 for an equilibrium.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        """
        return float(self.best_values(profile).sum())

    def compute_exploitability_gradient(self, profile: BucketedProfile) -> ExploitabilityGradient:
        """Return the exploitability of a profile and its derivative in each entry of `profile.table`.

        The derivatives are partial: each is for a change of one entry alone, although the probabilities then no longer
        sum to one. To move probability from one action to another, subtract the derivative of the first from that of
        the second. Where several best responses are equally good, the derivative is computed with the first of them,
        and the result is a subgradient.

        Parameters
        ----------
        profile : BucketedProfile
            The strategies of both seats.

        Returns
        -------
        ExploitabilityGradient
            The exploitability in small bets a hand, and an array of derivatives with the shape of the table.

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        """
        check_bucketed_profile_fits_game(self, profile)
        table, pointer = profile.table, profile.pointer
        return compute_exploitability_gradient(
            self.batched_tree, self.chance_matrices, profile.kernel_strategy, table.shape, pointer
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
            The profile. Only the other seat's strategy matters.
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

        Raises
        ------
        GameError
            If `profile` is not a profile of this game.
        SettingError
            If there is no such player, or `settings` are not SearchSettings.
        """
        check_bucketed_profile_fits_game(self, profile)
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

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tree.num_nodes:,} public nodes, buckets {self.buckets.source}>"


def check_bucketed_profile_fits_game(game: BucketedHoldem, profile: BucketedProfile) -> None:
    """Raise GameError unless `profile` is a bucketed profile of a game.

    Parameters
    ----------
    game : BucketedHoldem
        The game. Equal games have equal fingerprints, so the profile may be of another object for the same game.
    profile : BucketedProfile
        The object to check.

    Raises
    ------
    GameError
        If it is not a profile, or a profile of another game.
    """
    expected = "game.uniform(), or BucketedProfile(game, table)"
    check_kind("profile", profile, BucketedProfile, expected, GameError)
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
    first_positions, num_actions : ndarray of int64, shape (groups,)
        The index in `genes` of the first gene of each group, and the number of genes of the group, which is the number
        of possible actions.
    """

    genes: Ints
    first_positions: Ints
    num_actions: Ints


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class TupleTable:
    """The encoding of a profile as a table with a gene for each situation, bucket and action.

    A situation is what an agent knows about the betting: a street, a seat, and both players' raises on this street.
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

    Raises
    ------
    GameError
        If the game is not a bucketed hold'em game.
    UnknownNameError
        If `positive` or `knows` is unknown.

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
        expected = "bucketed hold'em, from bucketed_limit_holdem()"
        check_kind("the game of a TupleTable", self.game, BucketedHoldem, expected, GameError)
        UnknownNameError.check("positivity", self.positive, POSITIVITY_RULES)
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
    def has_effect(self) -> NDArray[np.bool_]:
        """Whether each gene has an effect, an array of bool with the shape of the table.

        It is False for genes of impossible actions and of buckets that a street does not have.
        """
        tree = self.game.tree
        counts = np.array(self.game.buckets.counts)
        # All decisions of a row are on the same street and have the same possible actions, so the first one suffices.
        first_decisions = np.unique(self.pointer, return_index=True)[1]
        streets = tree.street[tree.decision_node[first_decisions]]
        num_buckets = counts[streets]
        bucket_exists = np.arange(self.shape[1]) < num_buckets[:, None]
        is_legal = tree.is_legal[first_decisions]
        return np.asarray(bucket_exists[:, :, None] & is_legal[:, None, :])

    @cached_property
    def gene_groups(self) -> GeneGroups:
        """The genes that have an effect, in groups of the genes of one choice: a row of the table with a bucket.

        Genes of impossible actions have no effect and are in no group.
        """
        num_actions = self.has_effect.sum(axis=2).ravel()
        # Leave out the buckets that a street does not have.
        num_actions = num_actions[num_actions > 0]
        first_of_group = np.cumsum(num_actions) - num_actions
        groups = GeneGroups(
            genes=np.flatnonzero(self.has_effect),
            first_positions=first_of_group,
            num_actions=num_actions,
        )
        freeze(*groups)
        return groups

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The indices of the genes that have an effect in each seat, one array for each of the two seats.

        All decisions of a row belong to the same seat, the one that acts there.
        """
        tree = self.game.tree
        first_decisions = np.unique(self.pointer, return_index=True)[1]
        seats = tree.actor[tree.decision_node[first_decisions]]
        seat_of_gene = seats[:, None, None]  # with axes for the bucket and the action
        return tuple(
            np.flatnonzero(self.has_effect & (seat_of_gene == seat)) for seat in range(NUM_SEATS)
        )

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome: rows times buckets times actions."""
        return math.prod(self.shape)

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """A label for each gene: what the agent knows about the betting, the bucket, and the action.

        If the agent knows the whole betting, the label has all actions so far.
        """
        tree = self.game.tree
        if self.knows == "situation":
            row_labels = list(map(str, tree.situations))
        else:
            row_labels = [
                ", ".join(tree.list_actions_to(int(node))) or "start" for node in tree.decision_node
            ]
        return tuple(
            f"{row_label}, bucket {bucket}: {action}"
            for row_label in row_labels
            for bucket in range(self.shape[1])
            for action in ACTIONS
        )

    @property
    def default_start(self) -> Floats:
        """The genome from which evolution begins by default, an array of shape (num_genes,): the uniform profile."""
        return np.full(self.num_genes, NEUTRAL_GENES[self.positive])

    def make_profile(self, genome: ArrayLike) -> BucketedProfile:
        """Return the profile that a genome encodes.

        Parameters
        ----------
        genome : array_like of shape (num_genes,)
            The genes, in the order of `gene_labels`.

        Returns
        -------
        BucketedProfile
            The profile of the encoding's game.

        Raises
        ------
        ShapeError
            If the genome does not have this shape.
        SettingError
            If a gene is not a finite number.
        """
        table = self.compute_table(validate_genome(self, genome))
        return BucketedProfile.make_unchecked(self.game, table, self.pointer)

    def compute_table(self, genome: Floats) -> Floats:
        """Return the action probabilities that a genome encodes. The genome is not checked.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
            The genes, in the order of `gene_labels`.

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
            groups.first_positions,
            groups.num_actions,
            POSITIVITY_RULES[self.positive],
        )[0]
        return table.reshape(self.shape)

    def pull_back_gradient(self, genome: Floats, gradient: Floats) -> Floats:
        """Return the gradient of a function with respect to the genes, given its gradient in the probabilities.

        A choice is a row of the table with a bucket, and has a gene g_j for each action j. The gene becomes the
        nonnegative number o_j. The probability of action k is p_k = o_k / sum_i o_i, and G_k is the function's
        derivative in p_k. Because o_j depends on g_j only, the chain rule gives the derivative in g_j:
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
        table = self.compute_table(genome)
        means = (gradient * table).sum(axis=2, keepdims=True)
        derivatives = self.differentiate_genes(genome, table) * (gradient - means)
        return np.where(self.has_effect, derivatives, 0.0).ravel()

    def differentiate_genes(self, genome: Floats, table: Floats) -> Floats:
        """Return the derivative of the number that each gene becomes, divided by the sum of the choice's numbers.

        A choice is a row of the table with a bucket, and has a gene g_j for each action j. The gene becomes the
        nonnegative number o_j, and the result is (do_j/dg_j) / sum_i o_i. If all three numbers of a choice are zero,
        the result is zero.

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
        genes = np.where(self.has_effect, genome.reshape(self.shape), 0.0)
        # With o = exp(g), do/dg is o itself, and o over the sum is the probability.
        if self.positive == "softmax":
            return table
        # With o = 1 / (1 + exp(-g)), do/dg is o / (1 + exp(g)).
        if self.positive == "sigmoid":
            return np.asarray(table * expit(-genes))

        # For the other functions, the numbers o and the derivatives do/dg.
        numbers, derivatives = {
            "absolute": (abs(genes), np.sign(genes)),
            "clipped": (np.maximum(genes, 0.0), np.sign(genes) * (genes > 0.0)),
            "square": (genes**2, 2.0 * genes),
        }[self.positive]
        total = numbers.sum(axis=2, keepdims=True)
        return np.asarray(derivatives / np.where(total > 0.0, total, np.inf))

    def rescale_genome(self, genome: Floats) -> Floats:
        """Return a genome that encodes the same strategy as the given genome, or nearly, with genes of moderate size.

        The genes of one row and bucket can be multiplied by the same number without a change of the strategy. So the
        result is the probabilities of the actions divided by the largest of them: numbers from 0 to 1. With 'square' it
        is their square roots. With 'sigmoid' and 'softmax' a multiplication would change the strategy. There genes are
        clipped to the range from -LARGEST_EXPONENT to LARGEST_EXPONENT, which changes the strategy slightly.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
            The genes.

        Returns
        -------
        ndarray of shape (num_genes,)
            The new genes.
        """
        if self.positive in ("sigmoid", "softmax"):
            return np.clip(genome, -LARGEST_EXPONENT, LARGEST_EXPONENT)
        table = self.compute_table(genome)
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
        buckets with the seed 1; or the buckets themselves.
    raise_cap : int
        The largest number of bets on a street, 1 to 6. Before the flop the big blind counts as the first bet.
    betting : {'at the table', 'as drawn'}
        With 'at the table' the players bet by the rules of ordinary heads-up play. With 'as drawn' they bet as in the
        figures of [1]_: the small blind acts first on every street, blinds do not count as bets, and an agent may fold
        even if it owes nothing.

    Returns
    -------
    BucketedHoldem
        The game, whose payoffs are in small bets.

    Raises
    ------
    SettingError
        If a number of buckets or the cap is out of range.
    UnknownNameError
        If the betting has an unknown name.

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
    made_buckets = buckets if isinstance(buckets, Buckets) else make_buckets(buckets, seed=1)
    return BucketedHoldem(made_buckets, make_public_tree(raise_cap, betting))
