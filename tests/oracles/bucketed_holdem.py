"""Bucketed limit hold'em by plain recursion: the betting, values, and best responses.

Slow and by definition. A player replies knowing all its buckets so far, not only the present one.
The fast code assumes that the past is worth nothing, because the opponent's buckets do not depend
on it; this code can show it. Probabilities are given as a function of the seat, the actions on each
street so far, and the present bucket.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from pokerlab.core.units import SMALL_BETS
from pokerlab.games.rules import Chance, Decision, Terminal, Turn
from pokerlab.holdem.buckets import Buckets

Betting: TypeAlias = tuple[tuple[str, ...], ...]
"""The actions on each street that has begun."""
Behavior: TypeAlias = Callable[[int, Betting, int], Mapping[str, float]]
"""Probabilities by action, given the seat, the betting so far and the present bucket."""

BETS = (1, 1, 2, 2)


class Position(NamedTuple):
    """The state of the betting."""

    seat: int  # whose turn it is; 0 has the button
    paid: tuple[float, float]  # small bets that each seat has put in
    folded: bool  # the other seat has just folded
    over: bool  # the street's betting is over
    actions: tuple[str, ...]


def position(betting: Betting, raise_cap: int, drawn: bool = False) -> Position:
    """Return the state of the betting, by replaying it from the blinds; `drawn`: as in the paper's figures."""
    paid = [0.5, 1.0]
    for street, actions in enumerate(betting):
        seat = 0 if street == 0 or drawn else 1
        num_bets = 1 if street == 0 and not drawn else 0
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
    fold = ("fold",) if drawn or paid[seat] < max(paid) else ()
    more = ("raise",) if num_bets < raise_cap else ()
    return Position(seat, (paid[0], paid[1]), folded, over, (*fold, "call", *more))


def value(
    buckets: Any,
    raise_cap: int,
    behavior: Behavior,
    player: int,
    *,
    replies: bool,
    drawn: bool = False,
) -> float:
    """Return what `player`, who `replies` as well as can be or follows `behavior` too, wins in small bets."""

    def worth(betting: Betting, own: tuple[int, ...], weights: Sequence[float]) -> float:
        """Return what is won on average, times the weights of the opponent's buckets.

        `own` is the player's buckets so far.
        """
        at = position(betting, raise_cap, drawn)
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


class Hand(NamedTuple):
    """The buckets of both seats, street by street, and the betting."""

    dealt: tuple[tuple[int, int], ...]
    betting: Betting


class BucketedRules:
    """Two players who remember all their buckets, which both get at once."""

    num_players = 2
    unit = SMALL_BETS
    zero_sum = True
    name = "bucketed hold'em by its rules"

    def __init__(self, buckets: Buckets, raise_cap: int) -> None:
        self.buckets, self.raise_cap = buckets, raise_cap

    def start(self) -> Hand:
        return Hand((), ((),))

    def turn(self, history: Hand) -> Turn:
        dealt, betting = history
        if len(dealt) < len(betting):
            return Chance(self.deals(dealt))
        at = position(betting, self.raise_cap)
        if at.folded:
            paid = Fraction(at.paid[1 - at.seat])
            return Terminal((paid, -paid) if at.seat == 0 else (-paid, paid))
        if at.over:
            share = Fraction(float(self.buckets.showdown[dealt[-1]]))
            won = (2 * share - 1) * Fraction(at.paid[0])
            return Terminal((won, -won))
        own = tuple(pair[at.seat] for pair in dealt)
        return Decision(at.seat, f"{own} {betting}", at.actions)

    def deals(self, dealt: tuple[tuple[int, int], ...]) -> dict[str, Fraction]:
        """Return the chances of what both seats get next."""
        buckets = self.buckets
        rows = [
            (
                buckets.transitions[len(dealt) - 1][dealt[-1][seat]] if dealt else buckets.start
            ).tolist()
            for seat in range(2)
        ]
        chances = {
            f"{i} {j}": Fraction(p) * Fraction(q)
            for i, p in enumerate(rows[0])
            for j, q in enumerate(rows[1])
        }
        total = sum(chances.values())
        return {deal: chance / total for deal, chance in chances.items()}

    def after(self, history: Hand, action: str) -> Hand:
        dealt, betting = history
        if len(dealt) < len(betting):
            first, second = map(int, action.split())
            return Hand((*dealt, (first, second)), betting)
        played = (*betting[:-1], (*betting[-1], action))
        if position(played, self.raise_cap).over and len(played) < len(BETS):
            played = (*played, ())
        return Hand(dealt, played)
