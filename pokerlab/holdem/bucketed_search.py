"""Tree search for a best response to a bucketed agent: the searcher's beliefs at each public node, and Algorithm 1.

The players' buckets move independently. So the searcher's belief about the other's bucket depends on the public node
alone, and one pass over the public tree finds all beliefs (eqs. 7 and 8 of Samothrakis & Lucas, 2011), the
probabilities of the other's actions, and the payoffs at terminal nodes (eq. 9). `BucketedHoldem.best_response` finds
the result of a whole search in a thousandth of the time, because it carries the values of all the player's buckets at
once.
"""

import numpy as np

from pokerlab.core import Floats, Ints, freeze, inlined, kernel
from pokerlab.holdem import betting_tree
from pokerlab.holdem.betting_tree import FOLDED, PublicTree
from pokerlab.holdem.bucket_lanes import PublicNodes, make_public_nodes
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.hand import NUM_ACTIONS
from pokerlab.solvers.belief_search import SearchResult, SearchSettings, make_search_key, search_mdp
from pokerlab.solvers.beliefs import DEAL, END, NATURE, OWN, BeliefMdp

LONGEST_HAND = 64
"""States from the first deal to an end of bucketed hold'em; with six bets a street there are at most 37."""


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
    """Return the result of one tree search (Samothrakis & Lucas 2011, Algorithm 1) in a player's decision problem.

    Parameters
    ----------
    mdp : BeliefMdp
        The decision problem, from `build_belief_mdp`.
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
    """
    key = make_search_key(seed, player, index)
    depth = LONGEST_HAND if settings.depth is None else min(settings.depth, LONGEST_HAND)
    root = len(mdp.kind) - 1  # the deal of the first buckets
    nodes_are_states = False  # a state also has a bucket
    found = search_mdp(
        mdp,
        root,
        LONGEST_HAND,
        depth,
        settings.iterations,
        exploration,
        merged,
        nodes_are_states,
        key,
    )
    return SearchResult(*found)


def build_belief_mdp(
    public: PublicTree, buckets: Buckets, table: Floats, pointer: Ints, player: int
) -> BeliefMdp:
    """Return the decision problem of a player against an opponent who acts by a profile's table.

    In this problem deals and the opponent's actions are random moves, whose probabilities are computed from the
    player's belief about the opponent's bucket at each node.

    Parameters
    ----------
    public : PublicTree
        The public tree of the betting.
    buckets : Buckets
        The buckets, with the probabilities of moving between them.
    table : ndarray of shape (rows, B, 3)
        The opponent's action probabilities.
    pointer : ndarray of int64, shape (D,)
        The row of each decision.
    player : int
        The seat of the player, 0 or 1.

    Returns
    -------
    BeliefMdp
        Its nodes are those of the public tree, and last the deal of the first buckets, at which play begins.
    """
    tree = make_public_nodes(public, pointer)
    most_buckets = max(buckets.counts)
    num_nodes = len(tree.kind)
    counts = np.array(buckets.counts)

    # The transition to the first buckets comes last, like the node of their deal.
    transition = np.zeros((len(counts), most_buckets, most_buckets))
    for deal, probabilities in enumerate((*buckets.transitions, buckets.start[None, :])):
        num_before, num_after = probabilities.shape
        transition[deal, :num_before, :num_after] = probabilities
    num_river_buckets = len(buckets.showdown)
    showdown = np.zeros((most_buckets, most_buckets))
    showdown[:num_river_buckets, :num_river_buckets] = buckets.showdown

    # Append the first deal to the nodes. Its street is the last one, so that its transition is the last one, too.
    kind = np.append(tree.kind, betting_tree.DEAL)
    actor = np.append(tree.actor, -1)
    street = np.append(tree.street, len(counts) - 1)
    is_deal, is_decision = kind == betting_tree.DEAL, kind == betting_tree.DECISION
    is_own = is_decision & (actor == player)
    num_dealt_buckets = np.roll(counts, -1)[street]  # on the street after each node's street

    # In preorder, the betting after a deal begins at the next node; the first deal leads to node 0.
    node_after_deal = np.append(np.arange(1, num_nodes + 1), 0)
    child = np.full((num_nodes + 1, max(most_buckets, NUM_ACTIONS)), -1)
    child[:num_nodes, :NUM_ACTIONS] = tree.child
    child[is_deal] = node_after_deal[is_deal, None]
    mdp = BeliefMdp(
        kind=np.select([is_deal, is_own, is_decision], [DEAL, OWN, NATURE], END),
        num_moves=np.where(is_deal, num_dealt_buckets, NUM_ACTIONS),
        child=child,
        probability=np.zeros(child.shape),
        street=street,
        transition=transition,
        payoff=np.zeros((num_nodes + 1, most_buckets)),
    )
    # A table may hold anything for buckets that a street does not have; beliefs in them are 0.
    fill_probabilities_and_payoffs(mdp, tree, player, np.nan_to_num(table), showdown)
    freeze(*mdp)
    return mdp


@kernel
def fill_probabilities_and_payoffs(
    mdp: BeliefMdp, tree: PublicNodes, player: int, behavior: Floats, showdown: Floats
) -> None:
    """Write the probabilities of the opponent's actions and the payoffs at terminal nodes into a decision problem.

    Parameters
    ----------
    mdp : BeliefMdp
        Its probabilities and payoffs are overwritten.
    tree : PublicNodes
    player : int
        The seat of the player who decides.
    behavior : ndarray of shape (rows, B, 3)
        The opponent's action probabilities.
    showdown : ndarray of shape (B, B)
        The player's shares of the pot at the showdown.
    """
    num_nodes = tree.kind.size
    num_buckets = showdown.shape[0]
    belief = np.zeros((num_nodes, num_buckets))
    belief[0] = mdp.transition[mdp.street[num_nodes], 0]
    for node in range(num_nodes):  # in preorder, parents come first
        if mdp.kind[node] == OWN:
            for move in range(NUM_ACTIONS):
                if mdp.child[node, move] >= 0:
                    belief[mdp.child[node, move]] = belief[node]
        elif mdp.kind[node] == NATURE:
            fill_opponent_actions_and_beliefs(mdp, node, behavior[tree.row[node]], belief)
        elif mdp.kind[node] == DEAL:
            transition = mdp.transition[mdp.street[node]]
            add_belief_after_deal(belief[node], transition, mdp.num_moves[node], belief[node + 1])
        elif tree.kind[node] == FOLDED:
            loser = tree.actor[node]
            lost = tree.paid[node, loser]
            mdp.payoff[node] = -lost if loser == player else lost
        else:
            paid = tree.paid[node, player]
            fill_showdown_payoffs(belief[node], showdown, paid, mdp.payoff[node])


@inlined
def add_belief_after_deal(
    before: Floats, transition: Floats, num_next: int, out_belief: Floats
) -> None:
    """Write the probabilities of the opponent's buckets after a deal into an array that holds zeros.

    Parameters
    ----------
    before : ndarray of shape (B,)
        The probabilities of the buckets before the deal.
    transition : ndarray of shape (B, B)
        The probability of each bucket of the next street, given the bucket before.
    num_next : int
        The number of buckets of the next street.
    out_belief : ndarray of shape (B,)
        Its first `num_next` entries are overwritten. It may be longer, because streets have different numbers of
        buckets, and one array serves all.
    """
    for old in range(before.size):
        for new in range(num_next):
            out_belief[new] += before[old] * transition[old, new]  # Samothrakis & Lucas 2011, eq. 8


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
        Overwritten.
    """
    for bucket in range(belief.size):
        share = 0.0
        for opponent_bucket in range(belief.size):
            share += belief[opponent_bucket] * showdown[bucket, opponent_bucket]  # eq. 9
        out_payoffs[bucket] = paid * (2.0 * share - 1.0)


@inlined
def fill_opponent_actions_and_beliefs(
    mdp: BeliefMdp, node: int, likelihood: Floats, belief: Floats
) -> None:
    """Write the probabilities of the opponent's actions at a decision, and the player's beliefs after them.

    Parameters
    ----------
    mdp : BeliefMdp
        Its probabilities at the node, which are zero before, are written.
    node : int
        The opponent's decision.
    likelihood : ndarray of shape (B, 3)
        The opponent's action probabilities with each bucket.
    belief : ndarray of shape (nodes, B)
        The probabilities of the opponent's buckets. It is read at the node, and overwritten at the nodes below it.
    """
    for move in range(NUM_ACTIONS):
        child = mdp.child[node, move]
        if child < 0:
            continue
        for bucket in range(belief.shape[1]):
            belief[child, bucket] = belief[node, bucket] * likelihood[bucket, move]
            mdp.probability[node, move] += belief[child, bucket]
        if mdp.probability[node, move] > 0.0:
            for bucket in range(belief.shape[1]):
                belief[child, bucket] /= mdp.probability[node, move]  # eq. 7
