"""Variants of other games: with a rake on each pot, or with a fixed behavior at locked information sets."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pokerlab.core import GameError, KindError, SettingError, Unit
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import validate_integer
from pokerlab.games.rules import Chance, Decision, Rules, Terminal, Turn
from pokerlab.games.sequence_form import Profile, SequenceForm, check_game_is_compiled


class RakedRules:
    """The rules of a two-player zero-sum poker game in which the winner pays a share of the pot to the house.

    The share is at least 0 and below 1/2. An uncalled bet is returned, so both players have paid the same amount into
    the pot. The pot is therefore twice the winner's gain, from which the rake is computed. A split pot is not raked.

    Parameters
    ----------
    rules : Rules
        The rules of the original game.
    share : Fraction
        The share of the pot that the winner pays.

    Raises
    ------
    GameError
        If the original game is not a zero-sum game for two players.
    SettingError
        If the share is negative, or 1/2 or more.
    """

    num_players = 2

    def __init__(self, rules: Rules, share: Fraction) -> None:
        if rules.num_players != 2 or not rules.zero_sum:
            raise GameError(
                f"{rules.name} is not a zero-sum game for two players; rake one that is, such as games.kuhn()."
            )
        if not 0 <= share < Fraction(1, 2):
            raise SettingError(f"the rake is {share}; it must be at least 0 and below 1/2.")
        self.rules = rules
        self.share = share
        self.zero_sum = share == 0
        self.unit: Unit = rules.unit
        self.name = f"{rules.name}, {float(share):.4g} of each pot raked"

    def start(self) -> Any:
        """Return the empty history of the original game."""
        return self.rules.start()

    def turn(self, history: Any) -> Turn:
        """Return the node at a history of the original game, where the winner has paid the rake at a terminal.

        Parameters
        ----------
        history : Any
            A history of the original game.

        Returns
        -------
        Chance, Decision or Terminal
            The node. At a terminal the winner's utility is reduced by its share of the pot.
        """
        original_turn = self.rules.turn(history)
        if not isinstance(original_turn, Terminal):
            return original_turn
        pot = 2 * max(original_turn.utilities)  # the winner has paid half of it
        rake = self.share * pot
        return Terminal(tuple(u - rake if u > 0 else u for u in original_turn.utilities))

    def after(self, history: Any, action: str) -> Any:
        """Return the history of the original game that follows an action or an outcome of chance.

        Parameters
        ----------
        history : Any
            A history of the original game.
        action : str
            An action or an outcome at this history.

        Returns
        -------
        Any
            The next history.
        """
        return self.rules.after(history, action)


LARGEST_DENOMINATOR = 10_000
"""The largest denominator of a simple fraction. A float that is nearest to a simple fraction is converted to it."""
MOST_LABELS = 3
"""The largest number of information sets of one player that the name of a locked game lists."""


class LockedRules:
    """The rules of a game in which the actions at some information sets are chosen by chance.

    These information sets are locked: chance chooses each action there with the probability that a profile gives it.
    All other information sets and all labels are the same as in the original game. Information sets that can be reached
    only by a locked action of probability zero are no longer part of the game.

    Parameters
    ----------
    game : SequenceForm
        The original game.
    profile : Profile
        The profile that gives the probabilities at the locked information sets.
    where : int or iterable of (int, str)
        The player whose information sets are all locked, or the locked sets as pairs of player and label.

    Raises
    ------
    SettingError
        If no information set is locked.
    KindError
        If `where` is neither a player nor pairs of a player and a label.
    UnknownNameError
        If the game does not have one of these information sets.
    GameError
        If the profile belongs to another game, or if the game has too many terminals to list.
    """

    def __init__(
        self, game: SequenceForm, profile: Profile, where: int | Iterable[tuple[int, str]]
    ) -> None:
        check_game_is_compiled(game)
        game.check_terminals_can_be_listed()
        game.validate_probabilities(profile)
        rules = game.rules
        locked_infosets = select_infosets_to_lock(game, where)
        if not locked_infosets:
            raise SettingError(
                f"nothing is locked; name an information set or a player of {rules.name}."
            )

        self.rules = rules
        self.profile = profile
        self.num_players = rules.num_players
        self.unit = rules.unit
        self.zero_sum = rules.zero_sum
        self.name = f"{rules.name}, locked: {describe_infosets(game, locked_infosets)}"
        self.chance = {
            player_and_label: Chance(
                convert_probabilities_to_fractions(profile.action_probabilities(*player_and_label))
            )
            for player_and_label in locked_infosets
        }

    def start(self) -> Any:
        """Return the empty history of the original game."""
        return self.rules.start()

    def turn(self, history: Any) -> Turn:
        """Return the node at a history of the original game, which is a chance node if its information set is locked.

        Parameters
        ----------
        history : Any
            A history of the original game.

        Returns
        -------
        Chance, Decision or Terminal
            The node.
        """
        original_turn = self.rules.turn(history)
        if isinstance(original_turn, Decision):
            return self.chance.get((original_turn.player, original_turn.infoset), original_turn)
        return original_turn

    def after(self, history: Any, action: str) -> Any:
        """Return the history of the original game that follows an action or an outcome of chance.

        Parameters
        ----------
        history : Any
            A history of the original game.
        action : str
            An action or an outcome at this history.

        Returns
        -------
        Any
            The next history.
        """
        return self.rules.after(history, action)


def select_infosets_to_lock(
    game: SequenceForm, where: int | Iterable[tuple[int, str]]
) -> list[tuple[int, str]]:
    """Return the information sets that a user wants to lock, as pairs of a player and a label.

    Parameters
    ----------
    game : SequenceForm
        The game.
    where : int or iterable of (int, str)
        A player, counted from 0, for all of the player's information sets, or pairs of a player and a label.

    Returns
    -------
    list of (int, str)
        The pairs, in the order in which the game lists its information sets.

    Raises
    ------
    KindError
        If `where` is neither a player nor pairs of a player and a label.
    SettingError
        If the game does not have such a player.
    UnknownNameError
        If the game does not have such an information set.
    """
    if isinstance(where, int):
        validate_integer("where", where, 0, game.num_players - 1)
        return [
            player_and_label
            for player_and_label in game.infoset_index
            if player_and_label[0] == where
        ]
    try:
        pairs = {(validate_integer("player", player), label) for player, label in where}
    except (TypeError, ValueError) as error:
        raise KindError(
            f"where is {quote_value(where)}; give a player, or pairs (player, label) such as (0, 'J')."
        ) from error
    # Sorted by their indices, the information sets are in the order of the game, whatever order the user gave.
    indices = sorted(game.find_infoset(player, label) for player, label in pairs)
    all_pairs = list(game.infoset_index)
    return [all_pairs[index] for index in indices]


def describe_infosets(game: SequenceForm, infosets: list[tuple[int, str]]) -> str:
    """Return a text that names information sets, such as "player 1 at 'J'; player 2".

    If all information sets of a player are given, the text names only the player. Otherwise it names at most three
    labels of each player, and says how many more there are.

    Parameters
    ----------
    game : SequenceForm
        The game.
    infosets : list of (int, str)
        The information sets, as pairs of a player, counted from 0, and a label.

    Returns
    -------
    str
        The text, in which players are counted from 1.
    """
    descriptions = []
    for player in sorted({player for player, _ in infosets}):
        labels = [f"'{label}'" for owner, label in infosets if owner == player]
        description = f"player {player + 1}"
        if len(labels) < game.num_infosets[player]:
            description += f" at {', '.join(labels[:MOST_LABELS])}"
            if len(labels) > MOST_LABELS:
                description += f" and {len(labels) - MOST_LABELS} more"
        descriptions.append(description)
    return "; ".join(descriptions)


def convert_probabilities_to_fractions(probabilities: dict[str, float]) -> dict[str, Fraction]:
    """Return the probabilities of actions as fractions whose sum is exactly 1.

    A float is converted to a fraction with a denominator of at most 10,000 if no float is nearer to this fraction. For
    example, 0.3333333333333333 becomes 1/3. Other floats are converted exactly. The fractions are then divided by their
    sum.

    Parameters
    ----------
    probabilities : dict of str to float
        The probability of each action.

    Returns
    -------
    dict of str to Fraction
        The probability of each action that has a positive probability. Other actions are omitted.
    """
    fractions = {}
    for action, probability in probabilities.items():
        simple_fraction = Fraction(probability).limit_denominator(LARGEST_DENOMINATOR)
        is_nearest_float = float(simple_fraction) == probability
        fractions[action] = simple_fraction if is_nearest_float else Fraction(probability)
    total = sum(fractions.values())
    return {action: fraction / total for action, fraction in fractions.items() if fraction}
