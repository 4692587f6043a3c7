"""Bucketed limit hold'em for two players as an exact game: profiles, values, best responses, and its tuple table.

The action probabilities of a profile are a table; a pointer has the row of each decision. So one
form serves agents that know all of the betting (a row for each decision) and agents that know only
the situation. D is the number of decisions, B the most buckets of any street.

The tuple table is the genome of the latter. The agent of Samothrakis & Lucas (2011, section 4.2) chooses by
bucket, street, button, and the two players' raises on this street; it forgets what happened on earlier streets. With
six buckets there are 38 situations x 6 buckets x 3 actions = 684 genes.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

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
from pokerlab.core.settings import check_kind, checked_integer
from pokerlab.holdem.betting_tree import AT_THE_TABLE, NUM_SEATS, PublicTree, make_public_tree
from pokerlab.holdem.bucket_passes import (
    BEST,
    BEST_RESPONSE,
    FOLLOW,
    LANES,
    KernelStrategy,
    Lanes,
    Slope,
    find_places,
    find_slope,
    find_value,
    lay_out_lanes,
    make_chance_probabilities,
)
from pokerlab.holdem.bucketed_search import build_belief_mdp, search_beliefs
from pokerlab.holdem.buckets import SUM_TOLERANCE, Buckets, make_buckets
from pokerlab.holdem.hand import ACTIONS, CALLING, FOLDING, RAISING
from pokerlab.solvers.belief_search import SearchResult, SearchSettings
from pokerlab.strategies.direct_encoding import NEUTRAL, POSITIVE, WIDE, normalize_genes
from pokerlab.strategies.encoding import checked_genome

NO_ROWS = np.zeros((1, LANES))  # for passes that write no rows
KNOWS = ("situation", "betting")


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
        self._set_arrays(game, numbers, rows)

    def _set_arrays(self, game: "BucketedHoldem", table: Floats, pointer: Ints) -> None:
        """Set the fields, with read-only arrays."""
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
        """Return a profile of probabilities that pokerlab has computed itself, without checking them.

        Without a pointer the table has a row for each situation.
        """
        profile = object.__new__(cls)
        profile._set_arrays(game, table, game.tree.situation if pointer is None else pointer)
        return profile

    @cached_property
    def kernel_strategy(self) -> KernelStrategy:
        """The profile in the form that kernels read."""
        if self.is_by_situation:
            return KernelStrategy(self.table.reshape(-1, 1), False)
        rows = self.game.convert_to_rows(self.decision_probabilities)
        rows.setflags(write=False)  # as tables are: an array's type for a kernel depends on it
        return KernelStrategy(rows, True)

    @property
    def decision_probabilities(self) -> Floats:
        """The probabilities of fold, call and raise at each decision with each bucket.

        The array has shape (D, B, 3).
        """
        return self.table[self.pointer]

    def replace(self, player: int, other: "BucketedProfile") -> "BucketedProfile":
        """Return this profile with the part of a player, 0 or 1, that another profile has."""
        check_bucketed_profile(self.game, other)
        tree = self.game.tree
        checked_integer(f"player index in {self.game.name}", player, 0, NUM_SEATS - 1)
        mine = (tree.actor[tree.decision_node] == player)[:, None, None]
        if not (self.is_by_situation and other.is_by_situation):
            table = np.where(mine, other.decision_probabilities, self.decision_probabilities)
            return self.make_unchecked(self.game, table, np.arange(tree.num_decisions))
        first = np.unique(tree.situation, return_index=True)[1]
        return self.make_unchecked(self.game, np.where(mine[first], other.table, self.table))

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.table.size:,} probabilities>"


@dataclass(frozen=True, eq=False, repr=False)
class BucketedReply:
    """A best response.

    Attributes
    ----------
    value : float
        What it wins, in small bets.
    profile : BucketedProfile
        The pure strategy itself, in one seat; the other seat plays what it responds to. Ties go to the first of fold,
        call, raise.
    """

    value: float
    profile: BucketedProfile


@dataclass(frozen=True, eq=False, repr=False)
class BucketedHoldem:
    """Heads-up limit hold'em in which players know their hands by buckets; made by `bucketed_limit_holdem`.

    Seat and player 0 has the button. The methods are those of every exact game: `uniform`, `values`,
    `best_response`, `gains`, `nash_conv`.

    Attributes
    ----------
    buckets : Buckets
        The buckets of hands, and how they follow each other.
    tree : PublicTree
        The betting.
    num_players : int
        2.
    unit : Unit
        The unit of payoffs, small bets.
    zero_sum : bool
        True.
    payoff_sum : float
        The sum of both payoffs, 0.
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
        """The game in words."""
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
        """The betting in the form that kernels read."""
        return lay_out_lanes(self.tree, self.buckets)

    @cached_property
    def places(self) -> Ints:
        """The places in flattened rows of lanes of an array by decision, bucket and action.

        The array has shape (D, B, 3).
        """
        return find_places(self.lanes)

    @cached_property
    def chance_probabilities(self) -> Floats:
        """The buckets' probabilities in the form that kernels read."""
        return make_chance_probabilities(self.buckets)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which of fold, call and raise are possible in each situation.

        The array has shape (situations, 3).
        """
        return self.lanes.legal

    def uniform(self) -> BucketedProfile:
        """Return the profile in which both seats take every possible action equally often."""
        return self.make_situation_profile(self.legal / self.legal.sum(axis=1, keepdims=True))

    def always_fold(self) -> BucketedProfile:
        """Return the profile that folds whenever there is something to call, and else checks."""
        return self.make_preference_profile(FOLDING, CALLING)

    def always_call(self) -> BucketedProfile:
        """Return the profile that checks and calls."""
        return self.make_preference_profile(CALLING)

    def always_raise(self) -> BucketedProfile:
        """Return the profile that bets and raises up to the cap, and then calls."""
        return self.make_preference_profile(RAISING, CALLING)

    def make_preference_profile(self, *actions: int) -> BucketedProfile:
        """Return the profile that takes the first of several actions that is possible."""
        probabilities = np.zeros(self.legal.shape)
        for action in reversed(actions):
            probabilities[self.legal[:, action]] = np.eye(len(ACTIONS))[action]
        return self.make_situation_profile(probabilities)

    def make_situation_profile(self, probabilities: Floats) -> BucketedProfile:
        """Return the profile that acts by the situation alone, whatever the bucket.

        The probabilities of fold, call and raise in each situation have shape (situations, 3).
        """
        return BucketedProfile(
            self, np.repeat(probabilities[:, None], max(self.buckets.counts), axis=1)
        )

    def values(self, profile: BucketedProfile) -> Floats:
        """Return the expected payoff of each of the two seats when both follow a profile."""
        check_bucketed_profile(self, profile)
        strategy = profile.kernel_strategy
        value = find_value(
            self.lanes, self.chance_probabilities, strategy, strategy, 0, FOLLOW, NO_ROWS
        )
        return np.array([value, -value])

    def best_values(self, profile: BucketedProfile) -> Floats:
        """Return what a best response to a profile wins in each of the two seats."""
        check_bucketed_profile(self, profile)
        strategy = profile.kernel_strategy
        values = [
            find_value(
                self.lanes, self.chance_probabilities, strategy, strategy, player, BEST, NO_ROWS
            )
            for player in range(NUM_SEATS)
        ]
        return np.array(values)

    def best_response(self, profile: BucketedProfile, player: int) -> BucketedReply:
        """Return a best response of a player, 0 or 1, to the other seat's part of a profile.

        The opponent's buckets do not depend on the player's own. So a best response depends only on
        the public node and the own present bucket, and one pass down the public tree and one up find it.
        """
        check_bucketed_profile(self, profile)
        checked_integer(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        chosen = self.allocate_rows()
        strategy = profile.kernel_strategy
        value = find_value(
            self.lanes, self.chance_probabilities, strategy, strategy, player, BEST_RESPONSE, chosen
        )
        table = profile.decision_probabilities.copy()
        mine = self.tree.actor[self.tree.decision_node] == player
        table[mine] = self.convert_to_table(chosen)[mine]
        pointer = np.arange(self.tree.num_decisions)
        return BucketedReply(value, BucketedProfile.make_unchecked(self, table, pointer))

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return what each of the two seats would gain by a best response to a profile."""
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the sum of what best responses win in the two seats.

        It is the sum of the gains, since what the profile itself wins in one seat it loses in the other.
        """
        return float(self.best_values(profile).sum())

    def find_exploitability_slope(self, profile: BucketedProfile) -> Slope:
        """Return the exploitability of a profile and its derivative in each entry of `profile.table`.

        Derivatives are partial: along a change that keeps the sums of probabilities they
        add up. Where best responses tie, the first of them counts: a subgradient.
        """
        check_bucketed_profile(self, profile)
        table, pointer = profile.table, profile.pointer
        return find_slope(
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
        """Return what one tree search says that a player wins at most against the other seat's part of a profile.

        Parameters
        ----------
        profile : BucketedProfile
        player : int
            0 or 1.
        settings : SearchSettings
            Iterations and depth of the search.
        merged : bool
            Whether states that differ only in the player's past buckets are searched once. They have the same belief
            and the same future, so playouts from them have the same mean. Sharing the playouts makes the sum vary more,
            and choices among such sums read a little higher. With six buckets, depth 9 and 1000 playouts, the paper's
            setting, there are some 10**8 playouts, and 10**6 if states are merged.
        seed : int
        index : tuple of 2 int
            Which of many searches under the seed it is.

        Returns
        -------
        SearchResult
        """
        check_bucketed_profile(self, profile)
        checked_integer(f"player index in {self.name}", player, 0, NUM_SEATS - 1)
        check_kind("settings", settings, SearchSettings, "one such as solvers.TreeSearch(depth=9)")
        mdp = build_belief_mdp(self.tree, self.buckets, profile.table, profile.pointer, player)
        exploration = settings.exploration * self.payoff_range
        return search_beliefs(
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
        """The difference between a player's best and worst results, in small bets: twice what it can lose."""
        return 2.0 * float(self.tree.paid.max())

    def default_encoding(self) -> "TupleTable":
        """Return the encoding that evolves unless another is given: the paper's tuple table."""
        return TupleTable(self)

    def allocate_rows(self) -> Floats:
        """Return zeros for a row of lanes for each situation, block, action and bucket."""
        return np.zeros((self.lanes.num_rows, LANES))

    def convert_to_rows(self, table: Floats) -> Floats:
        """Return an array by decision, bucket and action as rows of lanes.

        Parameters
        ----------
        table : ndarray of shape (D, B, 3)

        Returns
        -------
        ndarray of shape (rows, LANES)
        """
        flat = np.zeros(self.lanes.num_rows * LANES + 1)
        flat[self.places] = table
        return flat[:-1].reshape(-1, LANES)

    def convert_to_table(self, rows: Floats) -> Floats:
        """Return rows of lanes as an array by decision, bucket and action: the inverse of `convert_to_rows`.

        Parameters
        ----------
        rows : ndarray of shape (rows, LANES)

        Returns
        -------
        ndarray of shape (D, B, 3)
        """
        return np.append(rows, 0.0)[self.places]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tree.num_nodes:,} public nodes, buckets {self.buckets.source}>"


def checked_pointer(game: BucketedHoldem, pointer: ArrayLike, rows: int) -> Ints:
    """Return a copy of a pointer once it fits the game and a table of so many rows; otherwise raise ShapeError."""
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
    """Raise an error unless a table holds probabilities wherever the pointer reads it.

    It is a ShapeError or a ProbabilityError.
    """
    tree, counts = game.tree, game.buckets.counts
    rows = len(table) if table.ndim else 0
    wanted = (rows, max(counts), len(ACTIONS))
    if table.shape != wanted or pointer.max() >= rows:
        raise ShapeError(
            f"table has shape {table.shape}; {game.name} needs (rows, {max(counts)}, 3), with {len(tree.situations)}"
            f" rows for a tuple table or {tree.num_decisions} for all decisions. Start from game.uniform()."
        )
    # A row may serve decisions of several kinds: each pair of row and situation is checked once.
    first = np.unique(pointer * len(tree.situations) + tree.situation, return_index=True)[1]
    situation, legal = tree.situation[first], tree.legal[first, None, :]
    street = np.array([tree.situations[number].street for number in situation])
    exists = np.arange(max(counts)) < np.array(counts)[street][:, None]
    probabilities = table[pointer[first]]
    in_range = (probabilities >= 0.0) & (probabilities <= 1.0 + SUM_TOLERANCE)
    sums_to_one = abs(probabilities.sum(-1) - 1) <= SUM_TOLERANCE
    faults = {
        "give numbers from 0 to 1": ~in_range.all(-1),
        "a fold needs something to call, a raise room below the cap": (probabilities * ~legal).any(
            -1
        ),
        "they must sum to 1; normalize them first": ~sums_to_one,
    }
    for remedy, wrong in faults.items():
        for row, bucket in np.argwhere(wrong & exists)[:1]:
            given = ", ".join(map("{} {:.12g}".format, ACTIONS, probabilities[row, bucket]))
            raise ProbabilityError(
                f"probabilities {tree.situations[situation[row]]}, bucket {bucket}, are {given}; {remedy}."
            )


def check_bucketed_profile(game: BucketedHoldem, profile: BucketedProfile) -> None:
    """Raise GameError unless `profile` is a profile of this game."""
    instead = "game.uniform(), or BucketedProfile(game, table)"
    check_kind("profile", profile, BucketedProfile, instead, GameError)
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game!r}, not to {game!r}. Make one with game.uniform() or"
            " BucketedProfile(game, table)."
        )


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class TupleTable:
    """The encoding of profiles by genes for fold, call and raise, in proportion to which an agent acts (eq. 5).

    Genes of impossible actions (a fold with nothing to call, a raise at the cap, a bucket that the
    street does not have) exist, so that a genome is a table, but are not read.

    Parameters
    ----------
    game : BucketedHoldem
        What is played.
    positive : str
        How a gene becomes a number that is not negative, as in `pokerlab.strategies.DirectEncoding`.
    knows : {'situation', 'betting'}
        Whether there is a row for each situation, as in the paper, or for each public decision.

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
        """The row of the table for each decision.

        The array has shape (D,).
        """
        tree = self.game.tree
        return tree.situation if self.knows == "situation" else np.arange(tree.num_decisions)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the table: rows, buckets B, actions."""
        return int(self.pointer.max()) + 1, max(self.game.buckets.counts), len(ACTIONS)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Which genes are read, an array of the table's shape."""
        tree, counts = self.game.tree, np.array(self.game.buckets.counts)
        first = np.unique(self.pointer, return_index=True)[1]
        exists = np.arange(self.shape[1]) < counts[tree.street[tree.decision_node[first]]][:, None]
        return np.asarray(exists[:, :, None] & tree.legal[first, None, :])

    @cached_property
    def choices(self) -> tuple[Ints, Ints, Ints]:
        """The genes that are read, and where among them each choice begins and how many it has."""
        size = self.possible.sum(axis=2).ravel()
        size = size[size > 0]
        choices = np.flatnonzero(self.possible), np.cumsum(size) - size, size
        freeze(*choices)
        return choices

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The genes that are read in each seat: a row belongs to the seat that acts."""
        tree = self.game.tree
        first = np.unique(self.pointer, return_index=True)[1]
        seat = tree.actor[tree.decision_node[first]][:, None, None]
        return tuple(np.flatnonzero(self.possible & (seat == s)) for s in range(2))

    @property
    def num_genes(self) -> int:
        """How many genes a genome has: rows times buckets times actions."""
        return int(np.prod(self.shape))

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The situation, or all actions so far, with the bucket and the action of each gene."""
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
    def start(self) -> Floats:
        """The genome of the uniform profile.

        The array has shape (num_genes,).
        """
        return np.full(self.num_genes, NEUTRAL[self.positive])

    def make_profile(self, genome: ArrayLike) -> BucketedProfile:
        """Return the profile of a genome.

        Parameters
        ----------
        genome : array_like of shape (num_genes,)
        """
        table = self.table(checked_genome(self, genome))
        return BucketedProfile.make_unchecked(self.game, table, self.pointer)

    def table(self, genome: Floats) -> Floats:
        """Return the action probabilities of a genome, which is not checked.

        Returns
        -------
        ndarray of shape (rows, B, 3)
        """
        table = np.zeros(self.num_genes)
        read, first, size = self.choices
        table[read] = normalize_genes(
            view_read_only(genome[None]), read, first, size, POSITIVE[self.positive]
        )[0]
        return table.reshape(self.shape)

    def pull_back_gradient(self, genome: Floats, gradient: Floats) -> Floats:
        """Return the gradient with respect to the genes from that with respect to the probabilities.

        The probabilities of a choice are p_k = o_k / sum_i o_i, where gene j alone decides o_j. So by the chain rule
        the derivative in gene j is sum_k G_k dp_k/dg_j = (do_j/dg_j) (G_j - sum_k p_k G_k) / sum_i o_i.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
        gradient : ndarray of shape (rows, B, 3)
            The gradient in the probabilities of this genome, as `find_exploitability_slope` returns it.

        Returns
        -------
        ndarray of shape (num_genes,)
        """
        table = self.table(genome)
        advantage = gradient - (gradient * table).sum(axis=2, keepdims=True)
        return np.where(
            self.possible, self.differentiate_genes(genome, table) * advantage, 0.0
        ).ravel()

    def differentiate_genes(self, genome: Floats, table: Floats) -> Floats:
        """Return the derivative of each gene's positive number, over the sum of these numbers in its choice.

        The positive number o_j belongs to gene g_j, and the sum is over the three actions i of a choice: the derivative
        is (do_j/dg_j) / sum_i o_i.

        Parameters
        ----------
        genome : ndarray of shape (num_genes,)
        table : ndarray of shape (rows, B, 3)
            The probabilities of the genome.

        Returns
        -------
        ndarray of shape (rows, B, 3)
        """
        genes = np.where(self.possible, genome.reshape(self.shape), 0.0)
        if self.positive == "softmax":
            return table
        if self.positive == "sigmoid":
            return np.asarray(table * expit(-genes))
        part, steepness = {
            "absolute": (abs(genes), np.sign(genes)),
            "clipped": (np.maximum(genes, 0.0), np.sign(genes) * (genes > 0.0)),
            "square": (genes**2, 2.0 * genes),
        }[self.positive]
        total = part.sum(axis=2, keepdims=True)
        return np.asarray(steepness / np.where(total > 0.0, total, np.inf))

    def rescale_genome(self, genome: Floats) -> Floats:
        """Return genes of ordinary size for the strategy of a genome; for 'sigmoid' and 'softmax' for nearly the same.

        Both genomes have the shape (num_genes,).
        """
        if self.positive in ("sigmoid", "softmax"):
            return np.clip(genome, -WIDE, WIDE)
        table = self.table(genome)
        largest = table.max(axis=2, keepdims=True)
        genes = np.asarray(table / np.where(largest > 0.0, largest, 1.0)).ravel()
        return np.sqrt(genes) if self.positive == "square" else genes


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
    return BucketedHoldem(given, make_public_tree(raise_cap, betting))
