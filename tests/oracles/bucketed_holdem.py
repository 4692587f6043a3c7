"""Bucketed limit hold'em by plain recursion: the betting, values, and best responses.

Slow and by definition. A player replies knowing all its buckets so far, not only the present one.
The fast code assumes that the past is worth nothing, because the opponent's buckets do not depend
on it; this code can show it. Probabilities are given as a function of the seat, the actions on each
street so far, and the present bucket.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Betting: TypeAlias = tuple[tuple[str, ...], ...]
"""The actions on each street that has begun."""
Behavior: TypeAlias = Callable[[int, Betting, int], Mapping[str, float]]
"""Probabilities by action, given the seat, the betting so far and the present bucket."""

BETS = (1, 1, 2, 2)


class Position(NamedTuple):
    """The state of the betting.

    Attributes
    ----------
    seat : int
        Whose turn it is; 0 has the button.
    paid : tuple of 2 float
        What each seat has put in, in small bets.
    folded : bool
        Whether the other seat has just folded.
    over : bool
        Whether the street's betting is over.
    actions : tuple of str
        What may be done.
    """

    seat: int
    paid: tuple[float, float]
    folded: bool
    over: bool
    actions: tuple[str, ...]


def position(betting: Betting, raise_cap: int) -> Position:
    """Return the state of the betting, by replaying it from the blinds."""
    paid = [0.5, 1.0]
    for street, actions in enumerate(betting):
        seat = 0 if street == 0 else 1
        num_bets = 1 if street == 0 else 0
        folded = over = False
        for turn, action in enumerate(actions):
            if action == "fold":
                folded = True
            elif action == "call":
                over = turn > 0
                paid[seat] = max(paid)
            else:
                num_bets += 1
                paid[seat] = max(paid) + BETS[street]
            seat = 1 - seat
    fold = ("fold",) if paid[seat] < max(paid) else ()
    more = ("raise",) if num_bets < raise_cap else ()
    return Position(seat, (paid[0], paid[1]), folded, over, (*fold, "call", *more))


def bettings(raise_cap: int, betting: Betting = ((),)) -> Iterator[Betting]:
    """Yield every betting from the blinds on, including those after which nobody acts."""
    yield betting
    at = position(betting, raise_cap)
    if at.over and len(betting) < len(BETS):
        yield from bettings(raise_cap, (*betting, ()))
    elif not at.over and not at.folded:
        for action in at.actions:
            yield from bettings(raise_cap, (*betting[:-1], (*betting[-1], action)))


def value(buckets: Any, raise_cap: int, behavior: Behavior, player: int, *, replies: bool) -> float:
    """Return what `player` wins against `behavior`, in small bets.

    Parameters
    ----------
    buckets : Buckets
        Start, transitions and showdown.
    raise_cap : int
        Most bets a street.
    behavior : callable
        What both seats do.
    player : int
        Whose winnings are returned.
    replies : bool
        Whether that player does the best it can, or follows `behavior` too.
    """

    def worth(betting: Betting, own: tuple[int, ...], weights: Sequence[float]) -> float:
        """Return what is won on average, times the weights of the opponent's buckets.

        `own` is the player's buckets so far.
        """
        at = position(betting, raise_cap)
        if at.folded:
            loser = 1 - at.seat
            won = at.paid[loser] if loser != player else -at.paid[loser]
            return float(won * sum(weights))
        if at.over and len(betting) == len(BETS):
            shares = buckets.showdown[own[-1]]
            return float(
                sum(
                    weight * (2.0 * share - 1.0) * at.paid[0]
                    for weight, share in zip(weights, shares, strict=True)
                )
            )
        if at.over:
            chances = buckets.transitions[len(betting) - 1]
            moved = [
                sum(weight * row[then] for weight, row in zip(weights, chances, strict=True))
                for then in range(chances.shape[1])
            ]
            return float(
                sum(
                    chance * worth((*betting, ()), (*own, then), moved)
                    for then, chance in enumerate(chances[own[-1]])
                )
            )

        def following(action: str) -> Betting:
            return (*betting[:-1], (*betting[-1], action))

        if at.seat != player:
            chosen = [behavior(at.seat, betting, b) for b in range(len(weights))]
            return sum(
                worth(
                    following(action),
                    own,
                    [weight * p[action] for weight, p in zip(weights, chosen, strict=True)],
                )
                for action in at.actions
            )
        each = {action: worth(following(action), own, weights) for action in at.actions}
        if replies:
            return max(each.values())
        chances = behavior(player, betting, own[-1])
        return sum(chances[action] * won for action, won in each.items())

    return float(
        sum(
            chance * worth(((),), (bucket,), buckets.start)
            for bucket, chance in enumerate(buckets.start)
        )
    )
