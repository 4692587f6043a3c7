"""Card games whose betting does not depend on the cards, and how they are arranged without a walk.

In such a game the cards decide nothing before the showdown: which player acts, and which actions are legal, depends on
the earlier actions alone. So the game tree is the product of two factors, a betting tree and the deals of cards. Rules
that list both as `Factors` are converted to arrays by `build_arrays_from_factors`, which does in a few array operations
what a walk over the game tree does history by history. Everything gets the index that it would get in a walk.

In this module n is the number of players, R the number of rounds, K the number of nodes of the betting tree, I the
number of information sets, and Z the number of terminal histories. A *deal* of a round consists of all cards dealt up
to this round. A *view* is what one player sees of it, for example a private and a public card. An information set is a
decision of the betting tree together with a view of its player.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from pokerlab.core import Floats, GameError, Ints
from pokerlab.games.rules import Number, Rules

TOTAL_CHANCE_ERROR = 1e-9
"""The largest error of the sum of the probabilities of all deals."""


class BettingPosition(NamedTuple):
    """A node of a betting tree: the decision of a player, or an end of the hand.

    Attributes
    ----------
    round : int
        The round, counted from 0.
    parent, action : int
        The index of the node before, and of the action there that leads to this node; both -1 at the root.
    player : int
        The player who acts; -1 at an end.
    actions : tuple of str
        The legal actions; empty at an end.
    contenders : tuple of int
        The players who have not folded.
    history : Any
        The actions so far, in the form of the rules.
    """

    round: int
    parent: int
    action: int
    player: int
    actions: tuple[str, ...]
    contenders: tuple[int, ...]
    history: Any


class Deals(NamedTuple):
    """All D deals of a round, in the order in which chance lists them. A deal has all cards dealt up to this round.

    Attributes
    ----------
    probabilities : sequence of D floats
        The probability of each deal.
    earlier_deals : sequence of D ints
        The index of the deal of the round before that each deal continues; empty in the first round.
    views : sequence of D tuples
        What each player sees of each deal, such as its private card and the public card.
    """

    probabilities: Sequence[float]
    earlier_deals: Sequence[int]
    views: Sequence[tuple[Hashable, ...]]


class Factors(NamedTuple):
    """The two factors of a card game, its betting tree and its deals, and functions for payoffs and labels.

    Attributes
    ----------
    betting : sequence of BettingPosition
        The nodes of the betting tree in preorder, so that each is directly followed by all nodes below it.
    deals : sequence of Deals
        The deals of each round.
    strengths : sequence of tuple of int
        The strength of each player's hand in each deal of the last round, in which all showdowns are. The strongest
        hands among the players who have not folded win.
    compute_utilities : callable
        The function from the winners, and the actions that lead to an end of the betting, to all players' utilities.
    format_label : callable
        The function from what a player sees of the cards, and the actions that lead to a decision, to the label of the
        information set.
    """

    betting: Sequence[BettingPosition]
    deals: Sequence[Deals]
    strengths: Sequence[tuple[int, ...]]
    compute_utilities: Callable[[tuple[int, ...], Any], tuple[Number, ...]]
    format_label: Callable[[Any, Any], str]


class FactoredRules(Rules, Protocol):
    """The rules of a card game whose betting does not depend on the cards, and which list their factors."""

    def list_factors(self) -> Factors:
        """Return the betting tree and the deals of cards, whose combinations are the histories of the game.

        Returns
        -------
        Factors
            The betting tree, the deals of each round, and functions for payoffs and labels.
        """


class Views(NamedTuple):
    """The V different views of one player in one round, in the order of the first deals that have them.

    A view is what the player sees of a deal. The game has R rounds, and this round has D deals. Rows of later rounds
    are zero.

    Attributes
    ----------
    names : list of length V
        The views, as the rules write them.
    view_index_of_deal : array of shape (D,)
        The index of the player's view of each deal.
    first_deals : array of shape (R, V)
        The first deal that has each view, in the row of this round, and the deals of earlier rounds that it continues.
    earlier_views : array of shape (R, V)
        The index of the view that the player had in each round up to this one.
    """

    names: list[Any]
    view_index_of_deal: Ints
    first_deals: Ints
    earlier_views: Ints


class BettingPaths(NamedTuple):
    """The K nodes of a betting tree as arrays, and what leads to each of them, for n players and R rounds.

    Attributes
    ----------
    rounds, players, num_actions : array of shape (K,)
        The round and the player of each node, and the number of actions there. The player is -1 at an end.
    last_nodes, last_actions : array of shape (K, n)
        The last decision of each player before each node, and the index of the action there; both -1 if there is none.
    depths : array of shape (K,)
        The number of earlier decisions of the player who acts at each node; 0 at ends.
    round_begins : array of shape (R, K)
        The first node of each round on the path to each node. For later rounds it is the node itself.
    """

    rounds: Ints
    players: Ints
    num_actions: Ints
    last_nodes: Ints
    last_actions: Ints
    depths: Ints
    round_begins: Ints


class Infosets(NamedTuple):
    """The I information sets of a card game, by player and then by depth, and their sequences.

    Attributes
    ----------
    starts : array of shape (n + 1,)
        The first information set of each of n players, and I at the end.
    nodes, views : array of shape (I,)
        The decision of the betting tree, and the index of what its player sees of the cards.
    parents, firsts : array of shape (I,)
        The sequence that leads to the information set, and the sequence that ends with its first action.
    first_sequence_at : array of shape (K, most views)
        The sequence that ends with the first action, by decision and view.
    """

    starts: Ints
    nodes: Ints
    views: Ints
    parents: Ints
    firsts: Ints
    first_sequence_at: Ints


class InfosetArrays(NamedTuple):
    """The arrays over information sets from which `SequenceForm` is made.

    Attributes
    ----------
    infoset_start : array of shape (n + 1,)
        The first information set of each of n players, and their number I at the end.
    infoset_label : tuple of str
        The label of each information set.
    action_label : tuple of tuple of str
        The labels of the actions at each information set.
    parent_sequence, first_sequence : array of shape (I,)
        The sequence that leads to each information set, and the sequence that ends with its first action.
    num_actions : array of shape (I,)
        The number of actions at each information set.
    """

    infoset_start: Ints
    infoset_label: tuple[str, ...]
    action_label: tuple[tuple[str, ...], ...]
    parent_sequence: Ints
    first_sequence: Ints
    num_actions: Ints


class TerminalHistories(NamedTuple):
    """All terminal histories of a card game: each end of the betting tree with each deal of its round.

    Those with the same sequences of all players are in the order of a walk.

    Attributes
    ----------
    sequence : array of shape (Z, n)
        The sequence of each player.
    chance : array of shape (Z,)
        The probability of the deal.
    payoff : array of shape (Z, n)
        The utility of each player.
    """

    sequence: Ints
    chance: Floats
    payoff: Floats


def build_arrays_from_factors(
    name: str, num_players: int, factors: Factors
) -> tuple[InfosetArrays, TerminalHistories]:
    """Return the arrays of a card game that is given by its betting tree and its deals, before terminals are merged.

    Parameters
    ----------
    name : str
        The name of the game in error messages.
    num_players : int
        The number of players, n.
    factors : Factors
        The betting tree and the deals.

    Returns
    -------
    infosets : InfosetArrays
        The arrays over information sets, in the order of a walk over the game tree.
    terminals : TerminalHistories
        The sequences, probabilities and utilities at all terminal histories.

    Raises
    ------
    GameError
        If the probabilities of all deals of a round do not sum to one.
    """
    betting, deals = factors.betting, factors.deals
    check_deal_probabilities(name, deals)

    views = find_views_by_round(deals, num_players)
    paths = build_betting_paths(betting, num_players, len(deals))
    infosets = build_infosets(paths, views)

    nodes = [betting[index] for index in infosets.nodes.tolist()]
    labels = []
    for node, view_index in zip(nodes, infosets.views.tolist(), strict=True):
        own_views = views[node.round][node.player]
        labels.append(factors.format_label(own_views.names[view_index], node.history))

    arrays = InfosetArrays(
        infoset_start=infosets.starts,
        infoset_label=tuple(labels),
        action_label=tuple(node.actions for node in nodes),
        parent_sequence=infosets.parents,
        first_sequence=infosets.firsts,
        num_actions=paths.num_actions[infosets.nodes],
    )
    return arrays, build_terminal_histories(factors, paths, views, infosets.first_sequence_at)


def check_deal_probabilities(name: str, deals: Sequence[Deals]) -> None:
    """Raise a GameError unless the probabilities of all deals of each round sum to one.

    Parameters
    ----------
    name : str
        The name of the game in the error message.
    deals : sequence of Deals
        The deals of each round.

    Raises
    ------
    GameError
        If a sum differs from 1 by more than `TOTAL_CHANCE_ERROR`.
    """
    for round_index, deals_of_round in enumerate(deals):
        total = sum(deals_of_round.probabilities)
        if abs(total - 1.0) > TOTAL_CHANCE_ERROR:
            num_deals = len(deals_of_round.probabilities)
            raise GameError(
                f"the {num_deals} deals of round {round_index + 1} of {name} have probabilities that sum to"
                f" {total}, not to 1. Use a deck with enough cards."
            )


def find_views_by_round(deals: Sequence[Deals], num_players: int) -> list[list[Views]]:
    """Return the different views of each player in each round. A view consists of all cards that the player sees.

    Parameters
    ----------
    deals : sequence of Deals
        The deals of each of R rounds.
    num_players : int
        The number of players, n.

    Returns
    -------
    list of list of Views
        The views by round and by player.
    """
    views: list[list[Views]] = []
    for round_index in range(len(deals)):
        views_of_round = []
        for player in range(num_players):
            earlier_views = [earlier_round[player] for earlier_round in views]
            views_of_round.append(find_views_of_player(deals, earlier_views, round_index, player))
        views.append(views_of_round)
    return views


def find_views_of_player(
    deals: Sequence[Deals], earlier_views: Sequence[Views], round_index: int, player: int
) -> Views:
    """Return the different views of one player in one round. A view consists of all cards that the player sees.

    Parameters
    ----------
    deals : sequence of Deals
        The deals of each of R rounds.
    earlier_views : sequence of Views
        The player's views in each round before this one.
    round_index : int
        The round, counted from 0.
    player : int
        The player, counted from 0.

    Returns
    -------
    Views
        The V views, and what leads to each of them.
    """
    index_of_view: dict[Hashable, int] = {}  # in the order of the first deals that have each view
    indices = []
    for views_of_deal in deals[round_index].views:
        next_index = len(index_of_view)
        indices.append(index_of_view.setdefault(views_of_deal[player], next_index))
    view_index_of_deal = np.array(indices)

    # From this round back to the first one: the first deal with each view, and the deals that it continues.
    num_views = len(index_of_view)
    first_deals = np.zeros((len(deals), num_views), dtype=np.int64)
    view_indices = np.zeros_like(first_deals)
    _, first_deals[round_index] = np.unique(view_index_of_deal, return_index=True)
    view_indices[round_index] = np.arange(num_views)
    for earlier_round in reversed(range(round_index)):
        continued_deals = deals[earlier_round + 1].earlier_deals
        first_deals[earlier_round] = np.take(continued_deals, first_deals[earlier_round + 1])
        view_of_earlier_deal = earlier_views[earlier_round].view_index_of_deal
        view_indices[earlier_round] = view_of_earlier_deal[first_deals[earlier_round]]

    return Views(list(index_of_view), view_index_of_deal, first_deals, earlier_views=view_indices)


def build_betting_paths(
    betting: Sequence[BettingPosition], num_players: int, num_rounds: int
) -> BettingPaths:
    """Return the nodes of a betting tree as arrays, with the decisions on the path to each node.

    Parameters
    ----------
    betting : sequence of BettingPosition
        The K nodes of the betting tree in preorder, parents before their children.
    num_players, num_rounds : int
        The number of players, n, and of rounds, R.

    Returns
    -------
    BettingPaths
        For each node its round, its player, the last decision of each player before it, and where each round begins.
    """
    last_nodes = np.full((len(betting), num_players), -1)
    last_actions = np.full_like(last_nodes, -1)
    depths = np.zeros(len(betting), dtype=np.int64)
    round_begins = np.zeros((num_rounds, len(betting)), dtype=np.int64)
    # Nodes are in preorder, so a parent is treated before its children.
    for index, node in enumerate(betting):
        round_before = 0
        if node.parent >= 0:
            parent = betting[node.parent]
            round_before = parent.round
            # The last decisions are those of the parent, except that the parent's player has acted there.
            last_nodes[index] = last_nodes[node.parent]
            last_actions[index] = last_actions[node.parent]
            last_nodes[index, parent.player] = node.parent
            last_actions[index, parent.player] = node.action
            round_begins[:, index] = round_begins[:, node.parent]
        # Rounds after that of the parent have not begun before this node.
        round_begins[round_before + 1 :, index] = index

        has_acted = node.player >= 0 and last_nodes[index, node.player] >= 0
        if has_acted:
            depths[index] = depths[last_nodes[index, node.player]] + 1
    return BettingPaths(
        rounds=np.array([node.round for node in betting]),
        players=np.array([node.player for node in betting]),
        num_actions=np.array([len(node.actions) for node in betting]),
        last_nodes=last_nodes,
        last_actions=last_actions,
        depths=depths,
        round_begins=round_begins,
    )


def build_infosets(paths: BettingPaths, views: Sequence[Sequence[Views]]) -> Infosets:
    """Return the information sets of a card game, and the indices of their sequences.

    An information set is a decision of the betting tree together with a view, which is what its player sees of the
    cards. Information sets are ordered by player, then by depth, and then by parent sequence, so that those with the
    same parent are neighbors. Sequences are numbered in this order, after the empty sequences of all players.

    Parameters
    ----------
    paths : BettingPaths
        The nodes of the betting tree.
    views : sequence of sequences of Views
        The views by round and by player.

    Returns
    -------
    Infosets
        The node, the view and the sequences of each information set.
    """
    num_players = len(views[0])
    most_views = max(len(own_views.names) for own_views in chain.from_iterable(views))
    first_sequence_at = np.zeros((len(paths.rounds), most_views), dtype=np.int64)

    # Each array has a column for each information set: its node, its view, its parent sequence, its first sequence.
    columns = [np.zeros((4, 0), dtype=np.int64)]
    starts = [0]
    next_sequence = num_players  # the n empty sequences come first
    for player in range(num_players):
        starts.append(starts[-1])
        own_depths = paths.depths[paths.players == player]
        for depth in range(own_depths.max(initial=-1) + 1):
            nodes, view_indices, parents = sort_infosets_of_depth(
                paths, views, first_sequence_at, player, depth
            )
            num_actions = paths.num_actions[nodes]
            num_actions_before = np.cumsum(num_actions) - num_actions
            firsts = next_sequence + num_actions_before
            first_sequence_at[nodes, view_indices] = firsts
            columns.append(np.stack([nodes, view_indices, parents, firsts]))
            starts[-1] += len(nodes)
            next_sequence += int(num_actions.sum())

    nodes, view_indices, parents, firsts = np.concatenate(columns, axis=1)
    return Infosets(np.array(starts), nodes, view_indices, parents, firsts, first_sequence_at)


def sort_infosets_of_depth(
    paths: BettingPaths,
    views: Sequence[Sequence[Views]],
    first_sequence_at: Ints,
    player: int,
    depth: int,
) -> tuple[Ints, Ints, Ints]:
    """Return the information sets of one player at one depth, in the order of the sequence form.

    They are ordered by parent sequence. Those with the same parent are in the order in which a walk over the game tree
    finds them. The walk goes round by round: first come the information sets that the first deal of a round leads to,
    and after the same deal those at the earlier nodes of the betting tree.

    Parameters
    ----------
    paths : BettingPaths
        The K nodes of the betting tree.
    views : sequence of sequences of Views
        What each player can see of the cards, by round and by player.
    first_sequence_at : array of shape (K, most views)
        The sequence of the first action by decision and view. It must have been computed for all smaller depths.
    player : int
        The player, counted from 0.
    depth : int
        The number of the player's earlier decisions.

    Returns
    -------
    nodes, view_indices, parents : array of shape (J,)
        The decision of the betting tree, the index of the player's view, and the parent sequence of each of the J
        information sets.
    """
    rows_by_round = []
    for round_index, views_of_round in enumerate(views):
        # Each decision of this round, combined with each view that the player can have in it.
        is_selected = (
            (paths.players == player) & (paths.depths == depth) & (paths.rounds == round_index)
        )
        own_views = views_of_round[player]
        nodes = np.repeat(np.flatnonzero(is_selected), len(own_views.names))
        view_indices = np.tile(np.arange(len(own_views.names)), int(is_selected.sum()))

        # The parent is the sequence of the last action, with the view that the player had then, or the empty sequence.
        last_nodes = paths.last_nodes[nodes, player]
        last_views = own_views.earlier_views[paths.rounds[last_nodes], view_indices]
        last_sequences = (
            first_sequence_at[last_nodes, last_views] + paths.last_actions[nodes, player]
        )
        parents = np.where(last_nodes >= 0, last_sequences, player)
        # The first deals that lead to each view.
        deals_by_round = own_views.first_deals[:, view_indices]
        rows_by_round.append(np.vstack([nodes, view_indices, parents, deals_by_round]))
    rows = np.concatenate(rows_by_round, axis=1)
    nodes, view_indices, parents = rows[:3]
    deals = rows[3:]

    # Information sets are sorted by the parent sequence, then for each round by the node at which it begins and by the
    # deal, and at last by the node itself. `lexsort` sorts by its last key first, so the keys are in reverse order.
    keys = [nodes]
    for round_index in reversed(range(len(views))):
        keys += [deals[round_index], paths.round_begins[round_index, nodes]]
    keys.append(parents)
    order = np.lexsort(keys)
    return nodes[order], view_indices[order], parents[order]


def build_terminal_histories(
    factors: Factors, paths: BettingPaths, views: Sequence[Sequence[Views]], first_sequence_at: Ints
) -> TerminalHistories:
    """Return all terminal histories of a card game: each end of the betting tree with each deal of its round.

    Parameters
    ----------
    factors : Factors
        The betting tree, the deals, and the functions for payoffs.
    paths : BettingPaths
        The K nodes of the betting tree.
    views : sequence of sequences of Views
        What each player can see of the cards, by round and by player.
    first_sequence_at : array of shape (K, most views)
        The sequence of the first action by decision and view.

    Returns
    -------
    TerminalHistories
        The sequences, probabilities and utilities.
    """
    num_players = len(views[0])
    ends = [index for index, node in enumerate(factors.betting) if node.player < 0]
    num_deals = [len(deals_of_round.probabilities) for deals_of_round in factors.deals]
    num_deals_at_ends = [num_deals[factors.betting[end].round] for end in ends]
    num_terminals = sum(num_deals_at_ends)
    chance = np.empty(num_terminals)
    sequence = np.empty((num_terminals, num_players), dtype=np.int64)
    payoff = np.empty((num_terminals, num_players))

    num_rounds = len(views)
    views_of_deals = [
        find_views_of_deals(factors.deals, views, round_index) for round_index in range(num_rounds)
    ]
    # Many ends have the same contenders, so their winners are stored.
    find_winners = cache(partial(find_showdown_winners, np.array(factors.strengths)))

    begin = 0
    for end, num_deals_at_end in zip(ends, num_deals_at_ends, strict=True):
        node = factors.betting[end]
        rows = slice(begin, begin + num_deals_at_end)  # one for each deal
        begin += num_deals_at_end
        chance[rows] = factors.deals[node.round].probabilities

        # The sequence of each player ends with its last action, with the view that it had then.
        for player in range(num_players):
            last_node = int(paths.last_nodes[end, player])
            if last_node < 0:
                sequence[rows, player] = player  # the empty sequence
            else:
                view_indices = views_of_deals[node.round][paths.rounds[last_node]][player]
                action = int(paths.last_actions[end, player])
                sequence[rows, player] = first_sequence_at[last_node, view_indices] + action

        payoff[rows] = compute_payoffs_at_end(factors, node, find_winners)
    return TerminalHistories(sequence, chance, payoff)


def compute_payoffs_at_end(
    factors: Factors,
    end: BettingPosition,
    find_winners: Callable[[tuple[int, ...]], tuple[list[tuple[int, ...]], Ints]],
) -> Floats:
    """Return the utilities of all players at one end of the betting with each deal, as floats.

    Parameters
    ----------
    factors : Factors
        The functions for payoffs.
    end : BettingPosition
        The end of the betting.
    find_winners : callable
        The function from the players at the showdown to two results: the different groups of winners, and the index of
        the group for each of D deals.

    Returns
    -------
    array of shape (D, n) or (n,)
        The utility of each of n players with each deal, or with every deal if all but one player have folded.
    """
    has_showdown = len(end.contenders) > 1
    if not has_showdown:
        return np.array(
            convert_utilities_to_floats(factors.compute_utilities(end.contenders, end.history))
        )

    # The utilities depend on who shares the pot. They are computed once for each group of winners.
    groups, group_of_deal = find_winners(end.contenders)
    utilities = []
    for winners in groups:
        utilities.append(
            convert_utilities_to_floats(factors.compute_utilities(winners, end.history))
        )
    return np.array(utilities)[group_of_deal]


def convert_utilities_to_floats(utilities: Sequence[Number]) -> list[float]:
    """Return the utilities of all players as floats.

    Parameters
    ----------
    utilities : sequence of int, Fraction or float
        The utility of each player at a terminal.

    Returns
    -------
    list of float
        The rounded utilities, player by player.
    """
    return [float(utility) for utility in utilities]


def find_views_of_deals(
    deals: Sequence[Deals], views: Sequence[Sequence[Views]], last_round: int
) -> list[list[Ints]]:
    """Return the index of each player's view in a round, and in each round before it, for each deal of the round.

    Parameters
    ----------
    deals : sequence of Deals
        The deals of each round.
    views : sequence of sequences of Views
        What each player can see of the cards, by round and by player.
    last_round : int
        The round, which has D deals.

    Returns
    -------
    list of lists of arrays of shape (D,)
        The index of the view, by round up to this one and by player.
    """
    deal_indices = np.arange(len(deals[last_round].probabilities))  # of the round in the loop below
    views_from_last_round = []
    for round_index in reversed(range(last_round + 1)):
        views_of_players = [
            own_views.view_index_of_deal[deal_indices] for own_views in views[round_index]
        ]
        views_from_last_round.append(views_of_players)
        if round_index > 0:
            deal_indices = np.take(deals[round_index].earlier_deals, deal_indices)
    return views_from_last_round[::-1]


def find_showdown_winners(
    strengths: Ints, contenders: tuple[int, ...]
) -> tuple[list[tuple[int, ...]], Ints]:
    """Return which players win the showdown with each deal of cards.

    Parameters
    ----------
    strengths : array of shape (D, n)
        The strength of each player's hand in each of D deals. A larger number is a better hand.
    contenders : tuple of int
        The players who have not folded.

    Returns
    -------
    groups : list of tuples of int
        Each different group of players who share a pot.
    group_of_deal : array of shape (D,)
        For each deal the index of its winners in `groups`.
    """
    own_strengths = strengths[:, contenders]
    is_best = own_strengths == own_strengths.max(axis=1, keepdims=True)

    # A group of winners is written as a number whose bit k is 1 if contender k wins, so that equal groups are found.
    bits = is_best @ (1 << np.arange(len(contenders)))
    different_bits, group_of_deal = np.unique(bits, return_inverse=True)
    groups = []
    for group_bits in different_bits.tolist():
        winners = [player for bit, player in enumerate(contenders) if group_bits >> bit & 1]
        groups.append(tuple(winners))
    return groups, group_of_deal
