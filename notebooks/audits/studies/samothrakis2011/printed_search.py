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
    """Return the value of a node of a belief tree for the searching player, by expectimax, in the unit of the game.

    The value is the payoff at a terminal node, the largest value of a child where the searching player acts, and an
    average over the children where chance or the other player acts (Samothrakis & Lucas 2011, section 3.4.1).

    Parameters
    ----------
    node : BeliefNode
        The node. The probabilities of its children must be known.
    max_at_other_player : bool
        Whether nodes of the other player are treated as Algorithm 1 of the paper prints it, instead of by an average.
        There the sum over the children is replaced by this rule: for each child in turn, the larger of the sum so far
        and the child's value is added, times the child's probability.
    """
    if node.kind == "terminal":
        return node.value

    child_values = [compute_expectimax_value(child, max_at_other_player) for child in node.children]
    if node.kind == "decision":
        return max(child_values)

    takes_max = max_at_other_player and node.kind == "other"
    total = 0.0
    for child, child_value in zip(node.children, child_values, strict=True):
        term = max(total, child_value) if takes_max else child_value
        total += child.probability * term
    return total


def compute_exploitability_by_search(
    game: SequenceForm, profile: Profile, max_at_other_player: bool = False
) -> float:
    """Return the sum over both players of what a search of the whole tree wins against a profile, by expectimax.

    Parameters
    ----------
    game : SequenceForm
        A two-player game.
    profile : Profile
        The strategies of both players. Each player in turn searches against the other player's strategy.
    max_at_other_player : bool
        Whether the search is the one that Algorithm 1 of Samothrakis & Lucas (2011) prints, as in
        `compute_expectimax_value`. By default it is the one of their section 3.4.1.

    Returns
    -------
    float
        The sum of the values of both searches, in the unit of the game. By section 3.4.1 it is the exploitability of
        the profile.
    """
    total = 0.0
    for searching_player in (0, 1):
        tree = make_belief_tree(game, searching_player).compute_beliefs(profile)
        total += compute_expectimax_value(tree.root, max_at_other_player)
    return total
