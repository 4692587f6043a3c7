"""A strategy of bucketed hold'em at a table with real cards.

How to read it. At each of its turns the player looks its cards up in the tables of exact win
probabilities: that is its bucket. Where the betting stands it finds by following the public tree
from its own last action: what the opponent has done since is decided by the street and the raises
that are seen now. Then the table's luck picks one of the actions as likely as the profile has it.

At a no-limit table the same player is translated: its raise is one of so many pots, a raise of any size is a raise to
it, and raises beyond its cap find it where it made its own last one.
"""

import threading
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import kernel
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import number
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.betting_tree import (
    AT_THE_TABLE,
    BETS,
    BLINDS,
    DEAL,
    DECISION,
    NUM_SEATS,
)
from pokerlab.holdem.bucket_passes import PublicNodes, public_nodes
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import CardTables, bucket_on, card_tables
from pokerlab.holdem.cards import BOARD_SIZES
from pokerlab.holdem.cash_game import ring_game
from pokerlab.holdem.hand import CALL, CALLING, FOLD, FOLDING, RAISING, Structure, limit
from pokerlab.holdem.players import CompiledPlayer, Player, Rows, named
from pokerlab.holdem.table_view import Luck

CHIPS_A_SMALL_BET = 2
"""So that the small blind is a whole chip."""
FITS = -1
STRICT, MOST_POTS = -1.0, 100.0
"""In place of the pots of a raise: another betting is an error."""


class Winnings(NamedTuple):
    """What a player wins a hand, in small bets."""

    mean: float  # over deals, each played twice with the seats changed
    standard_error: float
    num_deals: int  # how many deals, and which
    seed: int

    def __str__(self) -> str:
        return (
            f"{self.mean:+.3f} ± {self.standard_error:.3f} small bets a hand,"
            f" {self.num_deals:,} deals in both seats, seed {self.seed}"
        )


def bucketed_player(
    profile: BucketedProfile, name: str = "bucketed", *, pots: float | None = None
) -> CompiledPlayer:
    """Return a player of real cards, called `name`, that does what a profile does with their bucket.

    It plays a game of two seats, `structure_of(profile)` or its multiples, and stacks that nobody can lose
    (`largest_loss(profile)`); another betting is an error, unless it is to be translated. It remembers where the
    betting of each hand stands, and has to see hands from their beginning.

    Parameters
    ----------
    profile : BucketedProfile
        What it does.
    name : str
        What results call it.
    pots : float, optional
        For any betting with two seats, such as no-limit: what a raise of the profile adds to the call, in pots as
        they are after it, 0 to 100.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem import ALWAYS_CALL, bucketed_limit_holdem, ring_game
    >>> from pokerlab.holdem.real_player import largest_loss, structure_of
    >>> profile = bucketed_limit_holdem(6).always_raise()
    >>> players = [bucketed_player(profile), ALWAYS_CALL]
    >>> game = ring_game(structure_of(profile), 2, largest_loss(profile), duplicates=True)
    >>> played = game.play(players, 10, seed=1)
    >>> np.unique(abs(played.chips)).tolist()
    [14]
    """
    share = STRICT if pots is None else number("pots", pots, 0.0, MOST_POTS)
    return CompiledPlayer(Follower(profile, share).answer, np.zeros(1), name)


def structure_of(profile: BucketedProfile) -> Structure:
    """Return the betting of a profile's game with real chips, two of them a small bet."""
    tree = profile.game.tree
    if tree.betting != AT_THE_TABLE:
        raise SettingError(
            f"{profile!r} knows the betting {tree.betting!r}, which no table plays. Use a game with"
            f" betting={AT_THE_TABLE!r}."
        )
    return limit(CHIPS_A_SMALL_BET, cap=tree.raise_cap)


def largest_loss(profile: BucketedProfile) -> int:
    """Return the chips that a seat can lose in a hand, and so needs, with `structure_of`."""
    return int(CHIPS_A_SMALL_BET * profile.game.tree.raise_cap * sum(BETS))


def versus(
    profile: BucketedProfile,
    opponent: Player | BucketedProfile,
    num_deals: int,
    *,
    seed: int,
    workers: int = 1,
) -> Winnings:
    """Return what a profile wins against an opponent with real cards.

    Parameters
    ----------
    profile : BucketedProfile
        The player.
    opponent : Player or BucketedProfile
        Such as ALWAYS_CALL. A profile plays with the buckets and the cap of its own game.
    num_deals : int
        Up to 10**8; each is played twice, with the seats changed.
    seed : int
        Of the cards and of both players' luck.
    workers : int
        Threads, 1 to 256.

    Raises
    ------
    SettingError
        If a number is out of range, or the opponent's game has another cap.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, bucketed_limit_holdem
    >>> won = versus(bucketed_limit_holdem(6).always_raise(), ALWAYS_FOLD, 100, seed=1)
    >>> print(won)
    +0.750 ± 0.000 small bets a hand, 100 deals in both seats, seed 1
    """
    if isinstance(opponent, BucketedProfile):
        against: Player = bucketed_player(opponent)
    else:
        against = named(opponent, 1)  # refused before the tables are made
    game = ring_game(structure_of(profile), 2, largest_loss(profile), duplicates=True)
    played = game.play([bucketed_player(profile), against], num_deals, seed=seed, workers=workers)
    mean, error = played.mean / CHIPS_A_SMALL_BET, played.standard_error / CHIPS_A_SMALL_BET
    return Winnings(float(mean[0]), float(error[0]), num_deals, seed)


class Follower:
    """A profile that follows hands at many tables."""

    def __init__(self, profile: BucketedProfile, pots: float = STRICT) -> None:
        structure_of(profile)  # refuses what no table plays
        self.profile, self.pots = profile, pots
        self.tree = public_nodes(profile.game.tree, profile.pointer)
        self.cards = card_tables(profile.game.buckets)
        # Threads have tables, and so rows, of their own.
        self.memory = threading.local()

    def answer(
        self, views: Ints, asked: Rows, parameters: Luck, luck: Luck, out_actions: Luck
    ) -> None:
        """Answer as `pokerlab.holdem.players` has it."""
        nodes: Ints | None = getattr(self.memory, "nodes", None)
        if nodes is None or len(nodes) < len(views):
            self.memory.nodes = nodes = np.full((len(views), NUM_SEATS), FITS)
        where = self.tree, self.cards, self.profile.table, nodes
        wrong = follow(views, asked, *where, self.pots, luck, out_actions)
        if wrong != FITS:
            view = views[wrong]
            raise SettingError(
                f"{int(view[table_view.SEATS])} seats have paid"
                f" {view[table_view.PAID : table_view.PAID + NUM_SEATS].tolist()} chips with a big"
                f" blind of {int(view[table_view.BIG_BLIND])} by a betting that"
                f" {self.profile.game.name} does not know. Play heads-up with structure_of(profile),"
                f" stacks of {largest_loss(self.profile)} chips or more, from the first action on."
            )


@kernel
def follow(
    views: Ints,
    asked: Rows,
    tree: PublicNodes,
    cards: CardTables,
    table: Floats,
    nodes: Ints,
    pots: float,
    luck: Luck,
    out_actions: Luck,
) -> int:
    """Write the actions, and where each hand stands after them; return FITS, or a row whose betting is not the tree's.

    The table, (rows, B, 3), is the profile's; `nodes`, (K, 2), the node after the last action of each seat at each
    table, read and written; who has raised to the cap of a translated game stays there, for more. The rest is as in
    `pokerlab.holdem.players`.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for row in asked:
        view = views[row]
        if view[table_view.SEATS] != NUM_SEATS:
            return int(row)
        seat, street = view[table_view.SEAT], view[table_view.STREET]
        own = 0 if seat == view[table_view.BUTTON] else 1
        raises = view[table_view.NUM_BETS] - (1 if street == 0 else 0)
        # All-in for less than a bet is no bet, and yet has to be called.
        is_raised = raises > 0 or view[table_view.TO_CALL] > 0
        # The button acts first before the flop, and the big blind has one raise at most to answer.
        node = 0 if street == 0 and raises <= own else nodes[row, seat]
        while node >= 0 and not (
            tree.kind[node] == DECISION and tree.actor[node] == own and tree.street[node] == street
        ):
            if tree.kind[node] == DEAL:
                node += 1
            elif tree.kind[node] != DECISION:
                node = -1
            elif tree.actor[node] == own or (tree.street[node] == street and is_raised):
                node = tree.child[node, RAISING]
            else:
                node = tree.child[node, CALLING]
        if node < 0 or (pots == STRICT and not is_here(view, tree, node, own)):
            return int(row)
        for place in range(2):
            hole[place] = view[table_view.HOLE + place]
        num_board = BOARD_SIZES[street]
        for place in range(num_board):
            board[place] = view[table_view.BOARD + place]
        chances = table[tree.row[node], bucket_on(cards, hole, board[:num_board])]
        action = picked(chances, luck[row])
        after = tree.child[node, action]
        nodes[row, seat] = after
        if action != RAISING:
            out_actions[row] = action + FOLD
            continue
        if pots != STRICT and tree.child[after, RAISING] < 0:
            nodes[row, seat] = node
        out_actions[row] = raised_to(view, max(pots, 0.0))
    return FITS


@kernel
def raised_to(view: Ints, pots: float) -> int:
    """Return the chips of a raise by so many pots above the call, or a call where no raise is possible."""
    least, most = view[table_view.MIN_RAISE_TO], view[table_view.MAX_RAISE_TO]
    if least == 0:
        return CALL
    wanted = view[table_view.BET] + pots * (view[table_view.POT] + view[table_view.TO_CALL])
    return int(min(max(wanted, least), most))


@kernel
def is_here(view: Ints, tree: PublicNodes, node: int, own: int) -> bool:
    """Return whether a node is what a view shows: paid chips, street, and whether a raise is legal."""
    seat, unit = view[table_view.SEAT], view[table_view.BIG_BLIND] / BLINDS[1]
    can_raise = view[table_view.MIN_RAISE_TO] > 0
    return bool(
        tree.street[node] == view[table_view.STREET]
        and tree.paid[node, own] * unit == view[table_view.PAID + seat]
        and tree.paid[node, 1 - own] * unit == view[table_view.PAID + 1 - seat]
        and (tree.child[node, RAISING] >= 0) == can_raise
    )


@kernel
def picked(chances: Floats, luck: float) -> int:
    """Return the action that a number in [0, 1) picks; none that is impossible."""
    if luck < chances[FOLDING]:
        return FOLDING
    if luck < chances[FOLDING] + chances[CALLING] or chances[RAISING] == 0.0:
        return CALLING if chances[CALLING] > 0.0 else FOLDING
    return RAISING
