"""Games with all cards open, as Samothrakis & Lucas (2011) play Kuhn poker before they hide the cards."""

from dataclasses import replace
from typing import Any, NamedTuple

from pokerlab.games import SequenceForm, compile_rules
from pokerlab.games.rules import Chance, Decision, Rules, Turn
from pokerlab.games.sequence_form import check_game
from pokerlab.games.small_poker import AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS

SEPARATORS = {
    (True, True): " ",
    (True, False): AFTER_CARD,
    (False, False): BETWEEN_ACTIONS,
    (False, True): BETWEEN_ROUNDS,
}
"""The text between two moves in a label, by whether the dealer made the first one and the second one."""


def open_cards(game: SequenceForm) -> SequenceForm:
    """Return a game that is played like another one with all cards open: a game of perfect information.

    GameError is raised if `game` is not a compiled game.
    """
    check_game(game)
    return compile_rules(OpenRules(game.rules))


class OpenHistory(NamedTuple):
    """A history of a game with open cards.

    Attributes
    ----------
    original : any
        The same history in the original rules.
    label : str
        All moves so far, which every player has seen, such as 'K Q, pass-bet'.
    is_dealt : bool
        Whether the dealer made the last move; True at the start.
    """

    original: Any
    label: str
    is_dealt: bool


class OpenRules:
    """The rules of a game in which every player sees every move, including those of the dealer.

    Each history is an information set of its own, and its label lists all moves.

    Parameters
    ----------
    rules : Rules
        The original rules.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.num_players, self.unit, self.zero_sum = rules.num_players, rules.unit, rules.zero_sum
        self.name = f"{rules.name}, cards open"

    def start(self) -> OpenHistory:
        """Return the history without moves."""
        return OpenHistory(self.rules.start(), "", True)

    def turn(self, history: OpenHistory) -> Turn:
        """Return the turn after a history. The information set of a decision is the label of the history."""
        turn = self.rules.turn(history.original)
        if isinstance(turn, Decision):
            return replace(turn, infoset=history.label)
        return turn

    def after(self, history: OpenHistory, action: str) -> OpenHistory:
        """Return the history after one more action, which is added to the label."""
        is_dealt = isinstance(self.rules.turn(history.original), Chance)
        separator = SEPARATORS[history.is_dealt, is_dealt] if history.label else ""
        original = self.rules.after(history.original, action)
        return OpenHistory(original, f"{history.label}{separator}{action}", is_dealt)
