"""Games with all cards open, which are games of perfect information.

Samothrakis & Lucas (2011, section 5) see no reason why their coevolution could not be used in such games. Can it? A
compiled game goes in, and the same game comes out with every card visible to every player.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from pokerlab.games import SequenceForm, compile_rules
from pokerlab.games.rules import Chance, Decision, Rules, Turn
from pokerlab.games.sequence_form import check_game_is_compiled
from pokerlab.games.small_poker import AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS

SEPARATORS = {
    (True, True): " ",
    (True, False): AFTER_CARD,
    (False, False): BETWEEN_ACTIONS,
    (False, True): BETWEEN_ROUNDS,
}
"""The text between two moves in a label, by whether the dealer made the first one and the second one."""


def open_cards(game: SequenceForm) -> SequenceForm:
    """Return the game of perfect information that is played like another game, but in which all cards are open.

    Parameters
    ----------
    game : SequenceForm
        The game with hidden cards.

    Returns
    -------
    SequenceForm
        The game in which every player sees every card. Its payoffs and the probabilities of cards are those of `game`.

    Raises
    ------
    GameError
        If `game` is not a compiled game.
    """
    check_game_is_compiled(game)
    return compile_rules(OpenRules(game.rules))


class OpenHistory(NamedTuple):
    """A history of a game with open cards: everything that has happened, which every player has seen.

    Attributes
    ----------
    original : any
        The same history in the game with hidden cards, of whatever type the rules of that game have for histories.
    label : str
        All moves so far as text, such as 'K Q, pass-bet'.
    is_dealt : bool
        Whether the dealer made the last move; True at the start.
    """

    original: Any
    label: str
    is_dealt: bool


class OpenRules:
    """The rules of a game in which every player sees every move, including the cards that are dealt.

    Each history is an information set of its own, and its label lists all moves.

    Parameters
    ----------
    rules : Rules
        The rules of the game with hidden cards.
    """

    def __init__(self, rules: Rules) -> None:
        """Take the players, the unit and the name of the game from its original rules."""
        self.rules = rules
        self.num_players, self.unit, self.zero_sum = rules.num_players, rules.unit, rules.zero_sum
        self.name = f"{rules.name}, cards open"

    def start(self) -> OpenHistory:
        """Return the history at the beginning of the game, before any move."""
        return OpenHistory(self.rules.start(), "", True)

    def turn(self, history: OpenHistory) -> Turn:
        """Return what follows a history: a chance move, the decision of a player, or the end of the game.

        Chance moves and payoffs are those of the original rules, and so are the player and the actions of a decision.
        The information set of a decision has only this history, because all cards are open.

        Parameters
        ----------
        history : OpenHistory
            All moves so far.

        Returns
        -------
        Turn
            A `Chance`, a `Decision` or a `Terminal`.
        """
        turn = self.rules.turn(history.original)
        if isinstance(turn, Decision):
            return replace(turn, infoset=history.label)
        return turn

    def after(self, history: OpenHistory, action: str) -> OpenHistory:
        """Return the history after one more move.

        Parameters
        ----------
        history : OpenHistory
            All moves before.
        action : str
            The move: an action of a player, or the card that is dealt.

        Returns
        -------
        OpenHistory
            All moves, including the new one.
        """
        is_dealt = isinstance(self.rules.turn(history.original), Chance)
        original = self.rules.after(history.original, action)

        # The text between two moves shows which of them the dealer made. The first move has nothing before it.
        separator = SEPARATORS[history.is_dealt, is_dealt] if history.label else ""
        return OpenHistory(original, f"{history.label}{separator}{action}", is_dealt)
