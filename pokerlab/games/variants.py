"""Games changed in one respect: the house keeps a share of each pot, or habits are locked."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pokerlab.core import GameError, KindError, SettingError, Unit
from pokerlab.core.errors import in_short as quoted
from pokerlab.core.settings import whole
from pokerlab.games.rules import Chance, Decision, Rules, Terminal, Turn
from pokerlab.games.sequence_form import Profile, SequenceForm, check_game


class RakedRules:
    """The rules of a zero-sum poker game for two whose winner leaves a share, below 1/2, of the pot.

    Both players have paid the same amount into a pot that one of them wins, because an uncalled bet
    goes back; so the pot is twice what the winner gains. A split pot is not raked.
    """

    num_players = 2

    def __init__(self, rules: Rules, share: Fraction) -> None:
        if rules.num_players != 2 or not rules.zero_sum:
            raise GameError(
                f"{rules.name} is not a zero-sum game for two players; rake one that is, such as games.kuhn()."
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


SHORT, MOST_NAMED = 10_000, 3
"""The largest denominator by which a float is read as a short fraction; labels that a locked game's name lists."""


class LockedRules:
    """The rules of a game in which chance plays some information sets, as a profile of the game says.

    Labels and all other information sets stay as they are. Those that only an action of probability zero leads to
    are not part of the game any more.
    """

    def __init__(
        self, game: SequenceForm, profile: Profile, where: int | Iterable[tuple[int, str]]
    ) -> None:
        check_game(game)
        game.owned(profile)
        rules, keys = game.rules, chosen_infosets(game, where)
        if not keys:
            raise SettingError(
                f"nothing is locked; name an information set or a player of {rules.name}."
            )
        self.rules, self.profile = rules, profile
        self.num_players, self.unit, self.zero_sum = rules.num_players, rules.unit, rules.zero_sum
        self.name = f"{rules.name}, locked: {in_short(game, keys)}"
        self.chance = {key: Chance(exact_odds(profile.at(*key))) for key in keys}

    def start(self) -> Any:
        """Return the beginning of the game with nothing locked."""
        return self.rules.start()

    def turn(self, history: Any) -> Turn:
        """Return whose turn it is: chance's at a locked information set."""
        turn = self.rules.turn(history)
        if isinstance(turn, Decision):
            return self.chance.get((turn.player, turn.infoset), turn)
        return turn

    def after(self, history: Any, action: str) -> Any:
        """Return the history with one more action."""
        return self.rules.after(history, action)


def chosen_infosets(
    game: SequenceForm, where: int | Iterable[tuple[int, str]]
) -> list[tuple[int, str]]:
    """Return the information sets that `where` names, in the game's order; refuse names that it does not have."""
    if isinstance(where, int):
        whole("where", where, 0, game.num_players - 1)
        return [key for key in game.infoset_index if key[0] == where]
    try:
        keys = {(whole("player", player), label) for player, label in where}
    except (TypeError, ValueError) as error:
        raise KindError(
            f"where is {quoted(where)}; give a player, or pairs (player, label) such as (0, 'J')."
        ) from error
    indices = sorted(game.infoset(*key) for key in keys)
    return [list(game.infoset_index)[index] for index in indices]


def in_short(game: SequenceForm, keys: list[tuple[int, str]]) -> str:
    """Return a few words for these information sets, such as "player 1 at 'J'" or 'player 2'."""
    words = []
    for player in sorted({player for player, _ in keys}):
        labels = [f"'{label}'" for owner, label in keys if owner == player]
        more = f" and {len(labels) - MOST_NAMED} more" if len(labels) > MOST_NAMED else ""
        whole_player = len(labels) == game.num_infosets[player]
        at = "" if whole_player else f" at {', '.join(labels[:MOST_NAMED])}{more}"
        words.append(f"player {player + 1}{at}")
    return "; ".join(words)


def exact_odds(odds: dict[str, float]) -> dict[str, Fraction]:
    """Return probabilities as fractions that sum to one, 1/3 for the float next to it; without those of zero."""
    short = {a: Fraction(share).limit_denominator(SHORT) for a, share in odds.items()}
    parts = {a: short[a] if float(short[a]) == odds[a] else Fraction(odds[a]) for a in odds}
    total = sum(parts.values())
    return {action: part / total for action, part in parts.items() if part}
