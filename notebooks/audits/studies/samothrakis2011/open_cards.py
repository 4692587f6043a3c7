"""Games with all cards open, as Samothrakis & Lucas (2011) play Kuhn poker before they hide the cards."""

from dataclasses import replace
from typing import Any, NamedTuple

from pokerlab.games import SequenceForm, compile_rules
from pokerlab.games.rules import Chance, Decision, Rules, Turn
from pokerlab.games.sequence_form import check_game
from pokerlab.games.small_poker import AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS

BETWEEN = {
    (True, True): " ",
    (True, False): AFTER_CARD,
    (False, False): BETWEEN_ACTIONS,
    (False, True): BETWEEN_ROUNDS,
}
"""What stands between two moves, by whether the dealer made the first and the second."""


def open_cards(game: SequenceForm) -> SequenceForm:
    """Return the game with all cards open to everybody: a game of perfect information."""
    check_game(game)
    return compile_rules(OpenRules(game.rules))


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
