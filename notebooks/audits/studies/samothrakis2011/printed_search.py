"""How wrong is the search of Samothrakis & Lucas (2011) as it is printed? Expectimax by both versions of the paper.

*Expectimax* gives a value to each node of a tree: the maximum over the searching player's own actions, and an average
over the moves of chance and of the other player. Section 3.4.1 says so. Algorithm 1 of the paper prints a maximum at
the nodes of the other player, too, which we take for a slip.

A game and a profile of strategies go in; what a search of the whole tree wins against the profile comes out, by either
version. By section 3.4.1 it is the exploitability of the profile.
"""

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.beliefs import BeliefNode, make_belief_tree


def compute_expectimax_value(node: BeliefNode, max_at_other_player: bool = False) -> float:
    """Return the value of a node of a game tree for the player who searches, by expectimax, in the unit of the game.

    The value of a terminal node is its payoff. Where the searching player acts, it is the largest value of a child.
    Where chance or the other player acts, it is the average over the children (Samothrakis & Lucas 2011, section
    3.4.1).

    Parameters
    ----------
    node : BeliefNode
        The node. It stands for all histories that the searching player cannot distinguish, and the probabilities of its
        children must be known.
    max_at_other_player : bool
        Whether nodes of the other player follow Algorithm 1 of the paper as it is printed. There a sum runs over the
        children. For each child the larger of two numbers is added, times the child's probability: the sum so far, and
        the value of the child. By default the value of such a node is the average.
    """
    if node.kind == "terminal":
        return node.value

    child_values = [compute_expectimax_value(child, max_at_other_player) for child in node.children]
    if node.kind == "decision":
        return max(child_values)

    follows_algorithm_1 = max_at_other_player and node.kind == "other"
    total = 0.0
    for child, child_value in zip(node.children, child_values, strict=True):
        term = max(total, child_value) if follows_algorithm_1 else child_value
        total += child.probability * term
    return total


def compute_exploitability_by_search(
    game: SequenceForm, profile: Profile, max_at_other_player: bool = False
) -> float:
    """Return the exploitability of a profile of strategies by expectimax, a search of the whole game tree.

    It is the sum over both players of what a player's search wins against the strategy of the other player (Samothrakis
    & Lucas 2011, section 3.4.1).

    Parameters
    ----------
    game : SequenceForm
        A two-player game.
    profile : Profile
        The strategies of both players.
    max_at_other_player : bool
        Whether the search is Algorithm 1 of the paper as it is printed, which takes a maximum at nodes of the other
        player. By default it takes an average there, as section 3.4.1 says. Only the default gives the exploitability.

    Returns
    -------
    float
        The sum of the values of both searches, in the unit of the game.
    """
    total = 0.0
    for searching_player in (0, 1):
        tree = make_belief_tree(game, searching_player).compute_beliefs(profile)
        total += compute_expectimax_value(tree.root, max_at_other_player)
    return total
