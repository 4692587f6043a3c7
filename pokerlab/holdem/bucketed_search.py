"""Tree search for a best response to a bucketed agent: the searcher's beliefs at each public node, and Algorithm 1.

The two players' buckets are independent. So the searcher's belief about the other's bucket depends on the public node
alone, and one pass over the public tree finds all beliefs (eqs. 7 and 8 of Samothrakis & Lucas, 2011), the
probabilities of the other's actions, and the payoffs at terminal nodes (eq. 9). `BucketedHoldem.best_response` finds
the result of a whole search in a thousandth of the time, because it carries the values of all the player's buckets at
once.
"""

import numpy as np

from pokerlab.core import Floats, Ints, freeze, inlined, kernel
from pokerlab.holdem import betting_tree
from pokerlab.holdem.batched_tree import PublicNodes, make_public_nodes
from pokerlab.holdem.betting_tree import FOLDED, PublicTree
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.hand import NUM_ACTIONS
from pokerlab.solvers.beliefs import DEAL, END, NATURE, OWN, BeliefMdp
from pokerlab.solvers.tree_search import (
    SearchResult,
    SearchSettings,
    make_search_key,
    search_belief_mdp,
)

MOST_STATES = 64
"""More than the most states on a path from the first deal to the end of a hand: with six bets a street these are 37."""


def run_belief_search(
    mdp: BeliefMdp,
    settings: SearchSettings,
    *,
    exploration: float,
    merged: bool,
    seed: int,
    player: int,
    index: tuple[int, int],
) -> SearchResult:
    """Estimate the value of a best response by one tree search (Samothrakis & Lucas 2011, Algorithm 1).

    The search is in the belief MDP (Markov decision process) of the responding player. A state of the MDP is a public
    node with the player's bucket. In this decision problem deals and the opponent's actions are random moves, whose
    probabilities follow from the player's belief about the opponent's bucket.

    Parameters
    ----------
    mdp : BeliefMdp
        The MDP, from `build_belief_mdp`.
    settings : SearchSettings
        The number of iterations and the depth. A deal of both players' buckets is one level of depth, and so is an
        action; the first deal is level 0.
    exploration : float
        The constant C of eq. 4, in the game's unit.
    merged : bool
        Whether states that differ only in the player's past buckets are searched once.
    seed, player : int
        The seed of the playouts and the player's seat, which both decide the random numbers.
    index : tuple of 2 int
        The index of this search among all searches with the same seed.

    Returns
    -------
    SearchResult
        The estimated value in small bets a hand, with its variance, and the numbers of nodes searched and played.
    """
    stream_key = make_search_key(seed, player, index)
    depth = MOST_STATES if settings.depth is None else min(settings.depth, MOST_STATES)
    root = len(mdp.kind) - 1  # the deal of the first buckets
    nodes_are_states = False  # a state also has a bucket
    result_fields = search_belief_mdp(
        mdp,
        root,
        MOST_STATES,
        depth,
        settings.iterations,
        exploration,
        merged,
        nodes_are_states,
        stream_key,
    )
    return SearchResult(*result_fields)


def build_belief_mdp(
    public_tree: PublicTree,
    buckets: Buckets,
    opponent_table: Floats,
    opponent_pointer: Ints,
    player: int,
) -> BeliefMdp:
    """Return the belief MDP (Markov decision process) of a player against an opponent with a fixed strategy.

    A state is a public node with the player's bucket. In this decision problem deals and the opponent's actions are
    random moves. Their probabilities are computed from the player's belief about the opponent's bucket at each node.
    The arrays of the result are read-only.

    Parameters
    ----------
    public_tree : PublicTree
        The public tree of the betting.
    buckets : Buckets
        The buckets, with the probabilities of moving between them.
    opponent_table : ndarray of shape (rows, B, 3)
        The opponent's probabilities of fold, call and raise with each of B buckets.
    opponent_pointer : ndarray of int64, shape (D,)
        The row of `opponent_table` for each of the public tree's D decisions.
    player : int
        The seat of the player, 0 or 1. The opponent is in the other seat.

    Returns
    -------
    BeliefMdp
        Its nodes are those of the public tree, and last the deal of the first buckets, at which play begins.
    """
    public_nodes = make_public_nodes(public_tree, opponent_pointer)
    num_nodes = len(public_nodes.kind)
    counts = np.array(buckets.counts)
    most_buckets = counts.max()

    # Append the first deal to the nodes. Its street is the last one, because its transition is the last one, too.
    kind = np.append(public_nodes.kind, betting_tree.DEAL)
    actor = np.append(public_nodes.actor, -1)
    street = np.append(public_nodes.street, len(counts) - 1)
    is_deal = kind == betting_tree.DEAL
    is_decision = kind == betting_tree.DECISION
    is_own = is_decision & (actor == player)
    num_buckets_of_next_street = np.roll(counts, -1)[street]  # the first street follows the last

    # In preorder, the betting after a deal begins at the next node; the first deal leads to node 0.
    node_after_deal = np.append(np.arange(1, num_nodes + 1), 0)
    child = np.full((num_nodes + 1, max(most_buckets, NUM_ACTIONS)), -1)
    child[:num_nodes, :NUM_ACTIONS] = public_nodes.child
    child[is_deal] = node_after_deal[is_deal, None]
    mdp = BeliefMdp(
        kind=np.select([is_deal, is_own, is_decision], [DEAL, OWN, NATURE], END),
        num_moves=np.where(is_deal, num_buckets_of_next_street, NUM_ACTIONS),
        child=child,
        probability=np.zeros(child.shape),
        street=street,
        transition=pad_transitions(buckets),
        payoff=np.zeros((num_nodes + 1, most_buckets)),
    )

    # A table may hold anything for buckets that a street does not have; beliefs in them are 0.
    finite_table = np.nan_to_num(opponent_table)
    num_river_buckets = len(buckets.showdown)
    showdown = np.zeros((most_buckets, most_buckets))
    showdown[:num_river_buckets, :num_river_buckets] = buckets.showdown
    fill_probabilities_and_payoffs(mdp, public_nodes, player, finite_table, showdown)
    freeze(*mdp)
    return mdp


def pad_transitions(buckets: Buckets) -> Floats:
    """Return the transition probabilities of buckets at all deals as one array, padded with zeros.

    Parameters
    ----------
    buckets : Buckets
        The buckets, with the probabilities of moving between them.

    Returns
    -------
    ndarray of shape (4, B, B)
        The probability of the column's bucket after the row's bucket, at the deals of the flop, the turn and the river,
        and last at the deal of the first buckets, which has a single row. B is the largest number of buckets.
    """
    most_buckets = max(buckets.counts)
    transitions = np.zeros((len(buckets.counts), most_buckets, most_buckets))
    first_deal = buckets.start[None, :]
    for deal, probabilities in enumerate((*buckets.transitions, first_deal)):
        num_before, num_after = probabilities.shape
        transitions[deal, :num_before, :num_after] = probabilities
    return transitions


@kernel
def fill_probabilities_and_payoffs(
    mdp: BeliefMdp,
    public_nodes: PublicNodes,
    player: int,
    opponent_table: Floats,
    showdown: Floats,
) -> None:
    """Write the probabilities of the opponent's actions and the payoffs at terminal nodes into a belief MDP.

    One pass down the tree computes the player's belief at each node: the probability of each bucket of the opponent.

    Parameters
    ----------
    mdp : BeliefMdp
        The decision problem of the player. Its probabilities and payoffs are zeros, and are overwritten.
    public_nodes : PublicNodes
        The nodes of the public tree, with the row of the opponent's table for each decision.
    player : int
        The seat of the player who decides.
    opponent_table : ndarray of shape (rows, B, 3)
        The opponent's probabilities of fold, call and raise with each of B buckets.
    showdown : ndarray of shape (B, B)
        The player's shares of the pot at a showdown, with the player's bucket in rows and the opponent's in columns.
    """
    num_nodes = public_nodes.kind.size
    num_buckets = showdown.shape[0]
    beliefs = np.zeros((num_nodes, num_buckets))
    first_deal = mdp.street[num_nodes]
    beliefs[0] = mdp.transition[first_deal, 0]  # the root; the first deal has a single row
    for node in range(num_nodes):  # in preorder, parents come first
        if mdp.kind[node] == OWN:
            copy_belief_to_children(mdp, node, beliefs)
        elif mdp.kind[node] == NATURE:
            action_probabilities = opponent_table[public_nodes.row[node]]
            fill_opponent_probabilities_and_beliefs(mdp, node, action_probabilities, beliefs)
        elif mdp.kind[node] == DEAL:
            transition = mdp.transition[mdp.street[node]]
            next_node = node + 1  # in preorder, the node after the deal
            fill_belief_after_deal(
                beliefs[node], transition, mdp.num_moves[node], beliefs[next_node]
            )
        elif public_nodes.kind[node] == FOLDED:
            loser = public_nodes.actor[node]
            lost = public_nodes.paid[node, loser]
            mdp.payoff[node] = -lost if loser == player else lost
        else:
            paid = public_nodes.paid[node, player]
            fill_showdown_payoffs(beliefs[node], showdown, paid, mdp.payoff[node])


@inlined
def copy_belief_to_children(mdp: BeliefMdp, node: int, beliefs: Floats) -> None:
    """Copy the belief at a decision of the player to the nodes after its actions, which do not change the belief.

    Parameters
    ----------
    mdp : BeliefMdp
        The decision problem, which has the nodes after each decision.
    node : int
        The decision.
    beliefs : ndarray of shape (N, B)
        The probability of each of the opponent's B buckets at each of N nodes. The rows of the children are
        overwritten.
    """
    for move in range(NUM_ACTIONS):
        child = mdp.child[node, move]
        if child >= 0:
            for bucket in range(beliefs.shape[1]):
                beliefs[child, bucket] = beliefs[node, bucket]


@inlined
def fill_belief_after_deal(
    belief: Floats, transition: Floats, num_next_buckets: int, out_belief: Floats
) -> None:
    """Write the probabilities of the opponent's buckets after a deal (Samothrakis & Lucas 2011, eq. 8).

    Parameters
    ----------
    belief : ndarray of shape (B,)
        The probabilities of the buckets before the deal.
    transition : ndarray of shape (B, B)
        The probability of each bucket of the next street (column), given the bucket before (row).
    num_next_buckets : int
        The number of buckets of the next street.
    out_belief : ndarray of shape (B,)
        Its first `num_next_buckets` entries are overwritten. It may be longer, because streets have different numbers
        of buckets, and one array serves all.
    """
    for next_bucket in range(num_next_buckets):
        probability = 0.0
        for bucket in range(belief.size):
            probability += belief[bucket] * transition[bucket, next_bucket]
        out_belief[next_bucket] = probability


@inlined
def fill_showdown_payoffs(
    belief: Floats, showdown: Floats, paid: float, out_payoffs: Floats
) -> None:
    """Write the player's expected payoff at a showdown with each of the player's buckets.

    Parameters
    ----------
    belief : ndarray of shape (B,)
        The probabilities of the opponent's buckets.
    showdown : ndarray of shape (B, B)
        The player's shares of the pot, with the player's bucket in rows and the opponent's in columns.
    paid : float
        What each seat has paid, in small bets.
    out_payoffs : ndarray of shape (B,)
        Overwritten with payoffs in small bets.
    """
    for bucket in range(belief.size):
        share = 0.0
        for opponent_bucket in range(belief.size):
            # Samothrakis & Lucas 2011, eq. 9
            share += belief[opponent_bucket] * showdown[bucket, opponent_bucket]
        out_payoffs[bucket] = paid * (2.0 * share - 1.0)


@inlined
def fill_opponent_probabilities_and_beliefs(
    mdp: BeliefMdp, node: int, action_probabilities: Floats, beliefs: Floats
) -> None:
    """Write the probability of each action of the opponent at a decision, and the player's belief after the action.

    The probability of an action is its mean over the opponent's buckets. The belief follows by Bayes' rule.

    Parameters
    ----------
    mdp : BeliefMdp
        The decision problem of the player. Its probabilities at the node, which are zero before, are overwritten.
    node : int
        The opponent's decision.
    action_probabilities : ndarray of shape (B, 3)
        The opponent's probabilities of fold, call and raise with each bucket.
    beliefs : ndarray of shape (nodes, B)
        The probabilities of the opponent's buckets. They are read at the node, and overwritten at its children.
    """
    for move in range(NUM_ACTIONS):
        child = mdp.child[node, move]
        if child < 0:
            continue
        for bucket in range(beliefs.shape[1]):
            beliefs[child, bucket] = beliefs[node, bucket] * action_probabilities[bucket, move]
            mdp.probability[node, move] += beliefs[child, bucket]
        if mdp.probability[node, move] > 0.0:
            for bucket in range(beliefs.shape[1]):
                # Samothrakis & Lucas 2011, eq. 7
                beliefs[child, bucket] /= mdp.probability[node, move]
