"""The rules of bucketed limit hold'em, to compile tiny ones to the sequence form."""

from fractions import Fraction
from typing import NamedTuple

from pokerlab.core import SMALL_BETS
from pokerlab.games.rules import Chance, Decision, Terminal, Turn
from pokerlab.holdem.abstraction.buckets import Buckets
from tests.oracles.bucketed_holdem import Betting, position


class Hand(NamedTuple):
    """Everybody's buckets so far, those dealt alternately, and the betting."""

    buckets: tuple[int, ...]
    betting: Betting


def exact(chances: list[float]) -> dict[str, Fraction]:
    total = sum(map(Fraction, chances))
    return {str(b): Fraction(chance) / total for b, chance in enumerate(chances)}


class BucketedRules:
    """Two players who remember all their buckets."""

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
        if len(dealt) < 2 * len(betting):
            if len(dealt) < 2:
                return Chance(exact(self.buckets.start.tolist()))
            return Chance(exact(self.buckets.transitions[len(betting) - 2][dealt[-2]].tolist()))
        at = position(betting, self.raise_cap)
        if at.folded:
            paid = Fraction(at.paid[1 - at.seat])
            return Terminal((paid, -paid) if at.seat == 0 else (-paid, paid))
        if at.over:
            share = Fraction(float(self.buckets.showdown[dealt[-2], dealt[-1]]))
            won = (2 * share - 1) * Fraction(at.paid[0])
            return Terminal((won, -won))
        own = dealt[at.seat :: 2]
        return Decision(at.seat, f"{own} {betting}", at.actions)

    def after(self, history: Hand, action: str) -> Hand:
        dealt, betting = history
        if len(dealt) < 2 * len(betting):
            return Hand((*dealt, int(action)), betting)
        played = (*betting[:-1], (*betting[-1], action))
        if position(played, self.raise_cap).over and len(played) < 4:
            played = (*played, ())
        return Hand(dealt, played)
