"""A player of real cards that follows a strategy of bucketed hold'em.

When it is to act, the player looks up the exact win probability of its cards, which determines its bucket. It finds the
public node by following the public tree from its own last action, because the street and the raises that it sees
determine what the opponent has done since then. Then it draws an action with the profile's probabilities.

At a no-limit table the actions are translated. A raise of the profile becomes a raise by a multiple of the pot. A raise
of the opponent counts as a raise whatever its size, and if there are more raises than the cap allows, the player stays
at the node of its own last raise.
"""

import threading
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.errors import SettingError
from pokerlab.core.old_names import reject_renamed_parameters
from pokerlab.core.settings import check_kind, validate_number
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.batched_tree import PublicNodes, make_public_nodes
from pokerlab.holdem.betting_structure import Structure, limit
from pokerlab.holdem.betting_tree import (
    AT_THE_TABLE,
    BET_SIZES,
    BLINDS,
    DEAL,
    DECISION,
    NUM_SEATS,
)
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import BucketTables, look_up_bucket, make_bucket_tables
from pokerlab.holdem.cards import BOARD_SIZES, PREFLOP
from pokerlab.holdem.cash_game import ring_game
from pokerlab.holdem.hand import CALL, CALLING, FOLD, FOLDING, RAISING
from pokerlab.holdem.players import CompiledPlayer, Player, Rows, validate_player
from pokerlab.holdem.profile_checks import PROFILE_WANTED

CHIPS_A_SMALL_BET = 2
"""A small bet is two chips, so that the small blind is a whole chip."""
NO_MISMATCH = -1  # returned if the betting at all tables agrees with the tree
NO_NODE = -1  # in place of a node if the betting at a table does not agree with the tree
STRICT, MOST_POTS = -1.0, 100.0
"""STRICT, in place of the size of a raise in pots, means that any betting other than the profile's is an error."""


class Winnings(NamedTuple):
    """The estimated winnings of a player, in small bets a hand.

    Attributes
    ----------
    mean : float
        The mean over deals. Each deal is played twice, with the seats exchanged.
    standard_error : float
        The standard error of the mean.
    num_deals : int
        The number of deals that were played.
    seed : int
        The seed of the deals.
    """

    mean: float
    standard_error: float
    num_deals: int
    seed: int

    def __str__(self) -> str:
        return (
            f"{self.mean:+.3f} ± {self.standard_error:.3f} small bets a hand,"
            f" {self.num_deals:,} deals in both seats, seed {self.seed}"
        )


@reject_renamed_parameters
def make_bucketed_player(
    profile: BucketedProfile, name: str = "bucketed", *, pot_multiple: float | None = None
) -> CompiledPlayer:
    """Return a player that plays real cards by a bucketed profile, with the bucket of its cards.

    The game must have two seats, the betting of `make_structure(profile)` or a multiple of it, and stacks of at least
    `find_largest_loss(profile)` chips, so that no bet is limited by a stack. Any other betting is an error, unless
    `pot_multiple` is given. The player remembers the node of the betting of each hand, so it has to play each hand from
    the beginning.

    Parameters
    ----------
    profile : BucketedProfile
        The profile that the player follows in the seat where it sits.
    name : str
        The player's name in results.
    pot_multiple : float, optional
        If given, the player also plays with other betting structures for two seats, such as no-limit. A raise of the
        profile is then a raise by this multiple of the pot after the call, 0 to 100.

    Returns
    -------
    CompiledPlayer
        The player, for `RingGame.play` and similar methods.

    Raises
    ------
    SettingError
        If `pot_multiple` is out of range, or the betting of the game is not 'at the table'.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem import ALWAYS_CALL, bucketed_limit_holdem, ring_game
    >>> from pokerlab.holdem.real_player import find_largest_loss, make_structure
    >>> profile = bucketed_limit_holdem(6).always_raise()
    >>> players = [make_bucketed_player(profile), ALWAYS_CALL]
    >>> game = ring_game(make_structure(profile), 2, find_largest_loss(profile), duplicates=True)
    >>> played = game.play(players, 10, seed=1)
    >>> np.unique(abs(played.chips)).tolist()
    [14]
    """
    check_kind("profile", profile, BucketedProfile, PROFILE_WANTED)
    check_kind("name", name, str, "the name of the player as text")
    pot_multiple_or_strict = (
        STRICT
        if pot_multiple is None
        else validate_number("pot_multiple", pot_multiple, 0.0, MOST_POTS)
    )
    follower = ProfileFollower(profile, pot_multiple_or_strict)
    empty_parameters = np.zeros(1)  # the follower has the whole strategy
    return CompiledPlayer(follower.write_actions, empty_parameters, name)


def make_structure(profile: BucketedProfile) -> Structure:
    """Return the betting structure with which a profile's game is played at a table, with two chips a small bet.

    Parameters
    ----------
    profile : BucketedProfile
        The profile. Only its game matters.

    Returns
    -------
    Structure
        A limit structure with the cap of the game.

    Raises
    ------
    SettingError
        If the betting of the game is not 'at the table'.
    """
    check_kind("profile", profile, BucketedProfile, PROFILE_WANTED)
    tree = profile.game.tree
    if tree.betting != AT_THE_TABLE:
        raise SettingError(
            f"{profile!r} knows the betting {tree.betting!r}, which no table plays. Use a game with"
            f" betting={AT_THE_TABLE!r}."
        )
    return limit(CHIPS_A_SMALL_BET, cap=tree.raise_cap)


def find_largest_loss(profile: BucketedProfile) -> int:
    """Return the most chips that a seat can lose in a hand of a profile's game, with two chips a small bet.

    No bet is limited by a stack of this size or larger.

    Parameters
    ----------
    profile : BucketedProfile
        The profile. Only its game matters.
    """
    return int(CHIPS_A_SMALL_BET * profile.game.tree.raise_cap * sum(BET_SIZES))


def estimate_winnings(
    profile: BucketedProfile,
    opponent: Player | BucketedProfile,
    num_deals: int,
    *,
    seed: int,
    workers: int = 1,
) -> Winnings:
    """Return an estimate of the winnings of a profile against an opponent with real cards.

    Parameters
    ----------
    profile : BucketedProfile
        The profile whose winnings are estimated. It plays in both seats, by the strategy of each.
    opponent : Player or BucketedProfile
        A player such as ALWAYS_CALL, or a profile, which plays with the buckets of the profile's own game.
    num_deals : int
        The number of deals, up to 10**8. Each is played twice, with the seats exchanged.
    seed : int
        The seed of the cards and of both players' random numbers.
    workers : int
        The number of threads, 1 to 256. Use more than one only if the opponent is compiled, or may safely be called at
        the same time. The result does not depend on this number.

    Returns
    -------
    Winnings
        The mean over deals and its standard error, in small bets a hand.

    Raises
    ------
    SettingError
        If a number is out of range, or the opponent's game has another cap.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, bucketed_limit_holdem
    >>> won = estimate_winnings(bucketed_limit_holdem(6).always_raise(), ALWAYS_FOLD, 100, seed=1)
    >>> print(won)
    +0.750 ± 0.000 small bets a hand, 100 deals in both seats, seed 1
    """
    if isinstance(opponent, BucketedProfile):
        opponent_player: Player = make_bucketed_player(opponent)
    else:
        # Check the opponent first, so that an error is raised before the large tables are loaded.
        opponent_player = validate_player(opponent, 1)
    game = ring_game(make_structure(profile), 2, find_largest_loss(profile), duplicates=True)
    result = game.play(
        [make_bucketed_player(profile), opponent_player], num_deals, seed=seed, workers=workers
    )
    means = result.mean / CHIPS_A_SMALL_BET  # of both players, in small bets
    errors = result.standard_error / CHIPS_A_SMALL_BET
    return Winnings(float(means[0]), float(errors[0]), num_deals, seed)


class ProfileFollower:
    """The decision function of a player that follows a profile, with its memory of the hands at many tables.

    Parameters
    ----------
    profile : BucketedProfile
        The profile that the player follows in the seat where it sits.
    pot_multiple : float
        The size of a raise as a multiple of the pot after the call, or STRICT if any betting other than the profile's
        is an error.

    Raises
    ------
    SettingError
        If the betting of the game is not 'at the table'.
    """

    def __init__(self, profile: BucketedProfile, pot_multiple: float = STRICT) -> None:
        make_structure(profile)  # raises SettingError if no table has the betting
        self.profile, self.pot_multiple = profile, pot_multiple
        self.tree = make_public_nodes(profile.game.tree, profile.pointer)
        self.bucket_tables = make_bucket_tables(profile.game.buckets)
        # Each thread plays at its own tables, so it needs its own memory of their rows.
        self.memory = threading.local()

    def write_actions(
        self,
        views: Ints,
        rows_to_act: Rows,
        parameters: Floats,
        uniforms: Floats,
        out_actions: Floats,
    ) -> None:
        """Write the player's actions at the tables where it is to act.

        Parameters
        ----------
        views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
            What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
        rows_to_act : ndarray of int, shape (n,)
            The indices of the n tables at which this player is to act.
        parameters : ndarray
            Not used, because this object has the whole strategy. All decision functions get it.
        uniforms : ndarray of shape (tables,)
            A random number in [0, 1) for the decision at each table.
        out_actions : ndarray of shape (tables,)
            Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.

        Raises
        ------
        SettingError
            If the betting at a table is not that of the profile's game.
        """
        last_nodes: Ints | None = getattr(self.memory, "last_nodes", None)
        if last_nodes is None or len(last_nodes) < len(views):
            last_nodes = np.full((len(views), NUM_SEATS), NO_NODE)
            self.memory.last_nodes = last_nodes
        wrong_row = write_profile_actions(
            views,
            rows_to_act,
            self.tree,
            self.bucket_tables,
            self.profile.table,
            last_nodes,
            self.pot_multiple,
            uniforms,
            out_actions,
        )
        if wrong_row != NO_MISMATCH:
            view = views[wrong_row]
            raise SettingError(
                f"{int(view[table_view.SEATS])} seats have paid"
                f" {view[table_view.PAID : table_view.PAID + NUM_SEATS].tolist()} chips with a big"
                f" blind of {int(view[table_view.BIG_BLIND])} by a betting that"
                f" {self.profile.game.name} does not know. Play heads-up with make_structure(profile),"
                f" stacks of {find_largest_loss(self.profile)} chips or more, from the first action on."
            )


@kernel
def write_profile_actions(
    views: Ints,
    rows_to_act: Rows,
    tree: PublicNodes,
    bucket_tables: BucketTables,
    table: Floats,
    last_nodes: Ints,
    pot_multiple: float,
    uniforms: Floats,
    out_actions: Floats,
) -> int:
    """Write the actions of a bucketed profile at poker tables; stop at the first one whose betting is not the tree's.

    The actions at the tables before that one are written already.

    Parameters
    ----------
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each poker table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n poker tables at which the player is to act.
    tree : PublicNodes
        The public tree of the profile's game, with the row of `table` for each decision.
    bucket_tables : BucketTables
        The tables of numbers from which the buckets of cards are looked up.
    table : ndarray of shape (rows, B, 3)
        The profile's probabilities of fold, call and raise with each of B buckets.
    last_nodes : ndarray of int64, shape (tables, 2)
        The node after the last action of each seat at each poker table; read and overwritten. A seat that has raised to
        the cap of the tree stays at its node if it plays another betting structure, so that it can raise again.
    pot_multiple : float
        The size of a raise as a multiple of the pot after the call; STRICT if the betting has to be the tree's.
    uniforms : ndarray of shape (tables,)
        A random number in [0, 1) for the decision at each poker table.
    out_actions : ndarray of shape (tables,)
        Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.

    Returns
    -------
    int
        The index of the first poker table whose betting is not the tree's, or NO_MISMATCH.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for row in rows_to_act:
        # Find the node of the tree at which the seat is to act.
        view = views[row]
        if view[table_view.SEATS] != NUM_SEATS:
            return int(row)
        seat = view[table_view.SEAT]
        actor = 0 if seat == view[table_view.BUTTON] else 1
        node = find_node_of_view(view, tree, actor, last_nodes[row, seat])
        if node == NO_NODE:
            return int(row)
        if pot_multiple == STRICT and not does_view_match_node(view, tree, node, actor):
            return int(row)

        # Draw an action by the profile's probabilities with the bucket of the cards.
        for i in range(2):
            hole[i] = view[table_view.HOLE + i]
        num_board = BOARD_SIZES[view[table_view.STREET]]
        for i in range(num_board):
            board[i] = view[table_view.BOARD + i]
        bucket = look_up_bucket(bucket_tables, hole, board[:num_board])
        action = draw_profile_action(table[tree.row[node], bucket], uniforms[row])

        # Remember the node after the action, and write the action as chips.
        node_after_action = tree.child[node, action]
        last_nodes[row, seat] = node_after_action
        if action == RAISING:
            is_cap_reached = tree.child[node_after_action, RAISING] < 0
            if pot_multiple != STRICT and is_cap_reached:
                last_nodes[row, seat] = node
            out_actions[row] = compute_raise_total(view, max(pot_multiple, 0.0))
        else:
            out_actions[row] = action + FOLD  # FOLDING becomes FOLD, and CALLING becomes CALL
    return NO_MISMATCH


@inlined
def find_node_of_view(view: Ints, tree: PublicNodes, actor: int, last_node: int) -> int:
    """Return the public node at which a seat is to act, or NO_NODE if the tree has no such node.

    The search begins at the node after the seat's last action. If the seat has not acted in this hand, it begins at the
    root: the button acts first before the flop, and the big blind has at most one raise to respond to. The search
    follows deals, and the only action of the opponent that agrees with the view.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees, in the layout of `pokerlab.holdem.table_view`.
    tree : PublicNodes
        The public tree.
    actor : int
        The seat to act in the tree, where seat 0 has the button.
    last_node : int
        The node after the seat's last action at this table, which may be in an earlier hand.

    Returns
    -------
    int
        The index of the node.
    """
    street = view[table_view.STREET]
    num_blind_bets = 1 if street == PREFLOP else 0  # the big blind counts as a bet
    num_raises = view[table_view.NUM_BETS] - num_blind_bets
    # All-in for less than a bet is no bet, and yet has to be called.
    is_raised = num_raises > 0 or view[table_view.TO_CALL] > 0
    # The button (seat 0) has not acted if nobody has raised, and the big blind (seat 1) if there is at most one raise.
    has_not_acted = street == PREFLOP and num_raises <= actor
    node = 0 if has_not_acted else last_node
    while node != NO_NODE:
        is_decision = tree.kind[node] == DECISION
        is_own = tree.actor[node] == actor
        is_on_street = tree.street[node] == street
        if is_decision and is_own and is_on_street:
            break
        if tree.kind[node] == DEAL:
            node += 1  # the betting of the next street begins at the next node
        elif not is_decision:
            node = NO_NODE
        elif is_own or (is_on_street and is_raised):
            # An own decision on an earlier street: if the player plays another betting structure, the seat stayed there
            # when it raised to the cap.
            node = tree.child[node, RAISING]
        else:
            node = tree.child[node, CALLING]
    return int(node)


@kernel
def compute_raise_total(view: Ints, pot_multiple: float) -> int:
    """Return the chips to raise to for a raise by a multiple of the pot, or CALL if no raise is legal.

    The raise is added to the call, and the pot is counted after the call. The total is clipped to the range of legal
    raises.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees, in the layout of `pokerlab.holdem.table_view`.
    pot_multiple : float
        The size of the raise as a multiple of the pot.
    """
    min_raise_to, max_raise_to = view[table_view.MIN_RAISE_TO], view[table_view.MAX_RAISE_TO]
    if min_raise_to == 0:
        return CALL
    pot_after_call = view[table_view.POT] + view[table_view.TO_CALL]
    wanted_total = view[table_view.BET] + pot_multiple * pot_after_call
    return int(min(max(wanted_total, min_raise_to), max_raise_to))


@kernel
def does_view_match_node(view: Ints, tree: PublicNodes, node: int, actor: int) -> bool:
    """Return whether a view and a node agree in the chips paid, the street, and whether a raise is legal.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees, in the layout of `pokerlab.holdem.table_view`.
    tree : PublicNodes
        The public tree, whose chips are small bets.
    node : int
        The node.
    actor : int
        The seat of the tree that is to act, where seat 0 has the button.
    """
    seat = view[table_view.SEAT]
    big_blind_in_small_bets = BLINDS[1]
    chips_per_small_bet = view[table_view.BIG_BLIND] / big_blind_in_small_bets
    own_paid = tree.paid[node, actor] * chips_per_small_bet
    other_paid = tree.paid[node, 1 - actor] * chips_per_small_bet
    can_raise_at_table = view[table_view.MIN_RAISE_TO] > 0
    can_raise_in_tree = tree.child[node, RAISING] >= 0
    return bool(
        tree.street[node] == view[table_view.STREET]
        and own_paid == view[table_view.PAID + seat]
        and other_paid == view[table_view.PAID + 1 - seat]
        and can_raise_in_tree == can_raise_at_table
    )


@kernel
def draw_profile_action(probabilities: Floats, uniform: float) -> int:
    """Return an action drawn with its probability; never one of probability zero.

    Parameters
    ----------
    probabilities : ndarray of shape (3,)
        The probabilities of fold, call and raise.
    uniform : float
        A random number in [0, 1), which determines the action.

    Returns
    -------
    int
        FOLDING, CALLING or RAISING.
    """
    fold_probability = probabilities[FOLDING]
    call_probability = probabilities[CALLING]
    raise_probability = probabilities[RAISING]
    if uniform < fold_probability:
        return FOLDING
    # By rounding, the probabilities may sum to less than `uniform`, although a raise is impossible.
    if uniform < fold_probability + call_probability or raise_probability == 0.0:
        return CALLING if call_probability > 0.0 else FOLDING
    return RAISING
