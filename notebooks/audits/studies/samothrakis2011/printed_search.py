"""The search of Samothrakis & Lucas (2011): expectimax over beliefs, as section 3.4.1 says and as Algorithm 1 prints.

Expectimax takes the maximum over the searching player's own actions, and an average at the nodes of chance and of the
other player. Algorithm 1 prints a maximum at the nodes of the other player, too, which we take for a slip.
"""

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.beliefs import BeliefNode, make_belief_tree


def compute_expectimax(node: BeliefNode, max_at_others: bool = False) -> float:
    """Return the value of a node of a belief tree for the searching player.

    Parameters
    ----------
    node : BeliefNode
        The node. The probabilities of its children are known.
    max_at_others : bool
        Whether a node of the other player has the value that Algorithm 1 prints: for each child in turn, the maximum of
        the sum so far and of the child's value is added, times the child's probability. If False, such a node has the
        average of section 3.4.1.
    """
    if node.kind == "terminal":
        return node.value
    values = [compute_expectimax(child, max_at_others) for child in node.children]
    if node.kind == "decision":
        return max(values)

    takes_max = max_at_others and node.kind == "other"
    total = 0.0
    for child, value in zip(node.children, values, strict=True):
        if takes_max:
            value = max(total, value)
        total += child.probability * value
    return total


def search_exploitability(
    game: SequenceForm, profile: Profile, max_at_others: bool = False
) -> float:
    """Return the sum over both players of what a search of the whole tree wins against a profile.

    Parameters
    ----------
    game : SequenceForm
        A two-player game.
    profile : Profile
        The strategies that are searched against.
    max_at_others : bool
        Whether the search is the one that Algorithm 1 prints, as in `compute_expectimax`. If False, the result is the
        exploitability of the profile.
    """
    total = 0.0
    for player in (0, 1):
        tree = make_belief_tree(game, player).compute_beliefs(profile)
        total += compute_expectimax(tree.root, max_at_others)
    return total
