"""Poker at a house that keeps a share of each pot: no longer zero-sum."""

from fractions import Fraction
from typing import Any

from pokerlab.core import GameError, SettingError, Unit
from pokerlab.games.rules import Rules, Terminal, Turn


class RakedRules:
    """The rules of a two-player poker game in which the winner leaves a share of the pot.

    Both players have paid the same amount into a pot that one of them wins, because an uncalled bet
    goes back; so the pot is twice what the winner gains. A split pot is not raked.

    Parameters
    ----------
    rules : Rules
        Two players, zero-sum.
    share : Fraction
        Of the pot, at least 0 and below 1/2, so that winning still pays.
    """

    num_players = 2

    def __init__(self, rules: Rules, share: Fraction) -> None:
        if rules.num_players != 2 or not rules.zero_sum:
            raise GameError(
                f"{rules.name} is not a zero-sum game for two players; rake one that is, such as"
                " games.kuhn()."
            )
        if not 0 <= share < Fraction(1, 2):
            raise SettingError(f"the rake is {share}; it must be at least 0 and below 1/2.")
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
