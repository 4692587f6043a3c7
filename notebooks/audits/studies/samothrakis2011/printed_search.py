"""Samothrakis & Lucas (2011), Algorithm 1: expectimax over beliefs as section 3.4.1 has it, and as printed."""

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.beliefs import BeliefNode, make_belief_tree


def compute_expectimax(node: BeliefNode, max_at_others: bool = False) -> float:
    """Return the value of a node whose beliefs are known.

    Parameters
    ----------
    node : BeliefNode
        A node of a belief tree.
    max_at_others : bool
        Whether nodes of the other player have the maximum of the sum so far and of the next value, as Algorithm 1
        prints it, instead of the average of section 3.4.1.
    """
    if node.kind == "terminal":
        return node.value
    values = [compute_expectimax(child, max_at_others) for child in node.children]
    if node.kind == "decision":
        return max(values)
    total, printed = 0.0, max_at_others and node.kind == "other"
    for child, value in zip(node.children, values, strict=True):
        total += child.probability * (max(total, value) if printed else value)
    return total


def search_exploitability(
    game: SequenceForm, profile: Profile, max_at_others: bool = False
) -> float:
    """Return what searches of the whole tree win in both seats of a two-player game."""
    trees = [make_belief_tree(game, player) for player in (0, 1)]
    return sum(
        compute_expectimax(tree.compute_beliefs(profile).root, max_at_others) for tree in trees
    )
