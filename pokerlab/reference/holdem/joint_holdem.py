"""Bucketed hold'em with histories of buckets that come together: values by plain recursion.

Slow and by definition: pairs of full histories and their chances, and for each of the opponent's
the probability that it acts as observed. The player knows its own history up to the present street.
"""

from typing import Any

import numpy as np

from pokerlab.reference.holdem.bucketed_holdem import BETS, Behavior, Betting, position


def joint_value(
    joint: Any, raise_cap: int, behavior: Behavior, player: int, *, replies: bool
) -> float:
    """Return what `player` wins against `behavior`, in small bets.

    Parameters
    ----------
    joint : JointBuckets
        Histories, how often they meet, and shares at the showdown.
    raise_cap : int
        Most bets a street.
    behavior : callable
        What both seats do, as in `pokerlab.reference.holdem.bucketed_holdem`.
    player : int
        Whose winnings are returned.
    replies : bool
        Whether that player does the best it can, or follows `behavior` too.
    """
    histories = joint.histories(len(BETS) - 1).tolist()

    def worth(betting: Betting, own: list[int], reach: Any) -> float:
        """Return chances times winnings, over the player's full histories that are still possible."""
        at = position(betting, raise_cap)
        street = len(betting) - 1
        if at.folded:
            loser = 1 - at.seat
            won = at.paid[loser] if loser != player else -at.paid[loser]
            return float(won * (joint.met[own] @ reach).sum())
        if at.over and len(betting) == len(BETS):
            edge = joint.met[own] * (2.0 * joint.showdown[own] - 1.0)
            return float(at.paid[0] * (edge @ reach).sum())
        if at.over:
            return by_bucket((*betting, ()), own, reach)

        def following(action: str) -> Betting:
            return (*betting[:-1], (*betting[-1], action))

        if at.seat != player:
            chosen = [behavior(at.seat, betting, history[street]) for history in histories]
            return sum(
                worth(following(action), own, reach * [chances[action] for chances in chosen])
                for action in at.actions
            )
        each = {action: worth(following(action), own, reach) for action in at.actions}
        if replies:
            return max(each.values())
        chances = behavior(player, betting, histories[own[0]][street])
        return sum(chances[action] * won for action, won in each.items())

    def by_bucket(betting: Betting, own: list[int], reach: Any) -> float:
        """Return the sum over the buckets that a new street may bring."""
        seen: dict[int, list[int]] = {}
        for number in own:
            seen.setdefault(histories[number][len(betting) - 1], []).append(number)
        return sum(worth(betting, group, reach) for group in seen.values())

    return by_bucket(((),), list(range(len(histories))), np.ones(len(histories)))
