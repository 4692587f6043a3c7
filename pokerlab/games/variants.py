"""Games changed in one respect: the house keeps a share of each pot, or all cards lie open."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from pokerlab.core import GameError, SettingError, Unit
from pokerlab.games.one_card import AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS
from pokerlab.games.rules import Chance, Decision, Rules, Terminal, Turn

BETWEEN = {
    (True, True): " ",
    (True, False): AFTER_CARD,
    (False, False): BETWEEN_ACTIONS,
    (False, True): BETWEEN_ROUNDS,
}
"""What stands between two moves, by whether the dealer made the first and the second."""


class RakedRules:
    """The rules of a zero-sum poker game for two whose winner leaves a share, below 1/2, of the pot.

    Both players have paid the same amount into a pot that one of them wins, because an uncalled bet
    goes back; so the pot is twice what the winner gains. A split pot is not raked.
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


class OpenHistory(NamedTuple):
    """A history, what everybody has seen of it, and whether the dealer moved last."""

    hidden: Any
    seen: str
    dealt: bool


class OpenRules:
    """The rules of a game in which everybody sees every move, the dealer's included.

    Each history is an information set of its own, called 'K Q, pass-bet': a game of perfect information.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.num_players, self.unit, self.zero_sum = rules.num_players, rules.unit, rules.zero_sum
        self.name = f"{rules.name}, cards open"

    def start(self) -> OpenHistory:
        """Return the beginning, of which nothing has been seen."""
        return OpenHistory(self.rules.start(), "", True)

    def turn(self, history: OpenHistory) -> Turn:
        """Return whose turn it is; who decides knows all that was seen."""
        turn = self.rules.turn(history.hidden)
        return replace(turn, infoset=history.seen) if isinstance(turn, Decision) else turn

    def after(self, history: OpenHistory, action: str) -> OpenHistory:
        """Return the history with one more action, which everybody sees."""
        deals = isinstance(self.rules.turn(history.hidden), Chance)
        between = BETWEEN[history.dealt, deals] if history.seen else ""
        hidden = self.rules.after(history.hidden, action)
        return OpenHistory(hidden, f"{history.seen}{between}{action}", deals)
