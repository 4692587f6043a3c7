"""Poker at a house that keeps a share of each pot: no longer zero-sum."""

from fractions import Fraction
from typing import Any

from pokerlab.core import GameError, SettingError, Unit
from pokerlab.games.rules import Rules, Terminal, Turn


class RakedRules:
    """The rules of a two-player poker game in which the winner leaves a share of the pot.

    Both have paid the same into a pot that is won, an uncalled bet having gone back; so it holds
    twice what its winner wins. A split pot is not raked.

    Parameters
    ----------
    rules : Rules
        Two players, zero-sum.
    share : Fraction
        Of the pot, 0 up to, not including, 1/2: then winning still pays.
    """

    num_players = 2

    def __init__(self, rules: Rules, share: Fraction) -> None:
        if rules.num_players != 2 or not rules.zero_sum:
            raise GameError(
                f"{rules.name} is no zero-sum game for two; a rake is taken from such a game, such as"
                " games.kuhn()."
            )
        if not 0 <= share < Fraction(1, 2):
            raise SettingError(f"the rake is {share}; allowed are shares from 0, below 1/2.")
        self.rules, self.share = rules, share
        self.zero_sum = share == 0
        self.unit: Unit = rules.unit
        self.name = f"{rules.name}, {float(share):.4g} of each pot raked"

    def start(self) -> Any:
        """Return the beginning of the game without a rake."""
        return self.rules.start()

    def turn(self, history: Any) -> Turn:
        """Return whose turn it is, or what is won less the rake."""
        turn = self.rules.turn(history)
        if not isinstance(turn, Terminal):
            return turn
        pot = 2 * max(turn.utilities)
        return Terminal(tuple(u - self.share * pot if u > 0 else u for u in turn.utilities))

    def after(self, history: Any, action: str) -> Any:
        """Return the history with one more action."""
        return self.rules.after(history, action)
