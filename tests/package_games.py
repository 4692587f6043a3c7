"""The games of the package, one row each: how to make it, and a hand to write down.

A new game joins by a row in GAMES. All laws of games, a hand written down word for word, and refusals of nonsense
in place of its arguments follow from the row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pokerlab import games
from pokerlab.games import SequenceForm


@dataclass(frozen=True)
class PackageGame:
    """A public function that makes a game, valid arguments for it, and a hand of the game.

    Attributes
    ----------
    maker : callable
        A function of `pokerlab.games`.
    hand : str
        The actions of one hand, chance's included, separated by spaces, or by `|` where a name has spaces.
    arguments : mapping of str to Any
        Arguments of the maker. In the maker's first row they are replaced by nonsense one by one, so that row has all.
    """

    maker: Callable[..., SequenceForm]
    hand: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def actions(self) -> list[str]:
        """Return the actions of the hand."""
        return self.hand.split("|" if "|" in self.hand else None)

    def make(self) -> SequenceForm:
        """Return the game."""
        return self.maker(**self.arguments)


DILEMMA = {"row_payoff": [[3, 0], [5, 1]], "column_payoff": [[3, 5], [0, 1]]}
VON_NEUMANN = {"ranks": 8, "bet": 2, "second_can_bet": False, "first_can_check": True}

GAMES: dict[str, PackageGame] = {
    "kuhn_2": PackageGame(games.kuhn, "Q J pass bet bet", {"num_players": 2}),
    "kuhn_3": PackageGame(games.kuhn, "J A K pass bet pass bet", {"num_players": 3}),
    "kuhn_4": PackageGame(
        games.kuhn, "T J Q K pass pass pass bet bet pass bet", {"num_players": 4}
    ),
    "von_neumann": PackageGame(games.one_card_poker, "9 T pass", VON_NEUMANN),
    "borel": PackageGame(
        games.one_card_poker,
        "T 9 fold",
        {"ranks": 8, "bet": Fraction(1, 3), "first_can_check": False},
    ),
    "one_card_8": PackageGame(games.one_card_poker, "9 T pass bet bet", {"ranks": 8}),
    "one_card_13": PackageGame(games.one_card_poker, "2 A bet pass", {"ranks": 13}),
    "one_card_20": PackageGame(games.one_card_poker, "14 7 bet bet", {"ranks": 20}),
    "leduc_2_isomorphic": PackageGame(
        games.leduc, "K Q bet call Q check bet fold", {"num_players": 2, "isomorphic": True}
    ),
    "leduc_2": PackageGame(
        games.leduc, "Js Ks check bet raise call Jc bet raise call", {"num_players": 2}
    ),
    "two_round_paired_isomorphic": PackageGame(
        games.two_round_poker,
        "Q Q bet call J check check",
        {"deck": "paired", "bets_per_round": 3, "isomorphic": True},
    ),
    "two_round_paired": PackageGame(
        games.two_round_poker, "Js Kc check check Jc bet call", {"deck": "paired"}
    ),
    "two_round_ranks": PackageGame(
        games.two_round_poker, "A K bet raise call Q check bet raise raise call", {"deck": "ranks"}
    ),
    "rock_paper_scissors": PackageGame(games.rock_paper_scissors, "rock paper"),
    "biased_rps": PackageGame(games.biased_rps, "rock scissors"),
    "bimatrix": PackageGame(games.bimatrix, "row 2|column 1", DILEMMA),
    "identical_payoffs": PackageGame(
        games.identical_payoffs, "row 1|column 2", {"payoff": [[1, 0.5], [0, 2]]}
    ),
}


def list_arguments_by_maker() -> dict[str, Mapping[str, Any]]:
    """Return the valid arguments in the first row of each maker, by the maker's name such as 'games.kuhn'."""
    arguments: dict[str, Mapping[str, Any]] = {}
    for game in GAMES.values():
        arguments.setdefault(f"games.{game.maker.__name__}", game.arguments)
    return arguments
