"""Every game of the package keeps the contract of rules."""

from fractions import Fraction
from typing import Any

import pytest

import pokerlab as pl
from pokerlab.core import CHIPS
from pokerlab.games import Chance, Decision, Rules, SequenceForm, Terminal, check_rules
from tests.package_games import GAMES

LOCKED = [
    pl.games.lock_infosets(
        pl.games.kuhn(2), pl.games.kuhn(2).uniform(), [(1, "J, pass"), (0, "Q")]
    ),
    pl.games.lock_infosets(pl.games.leduc(2), pl.games.leduc(2).uniform(), [(0, "Ks"), (0, "Kc")]),
]
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    "game", [*(game.make() for game in GAMES.values()), *LOCKED], ids=lambda game: game.name
)
def test_the_rules_of_every_game_are_in_order(game: SequenceForm) -> None:
    report = check_rules(game.rules)
    assert report.warnings == ()
    assert report.zero_sum == game.zero_sum
    assert report.num_infosets == game.num_infosets
    assert report.num_ends == game.num_histories_ended
    assert report.lowest <= game.payoff.min()
    assert report.highest >= game.payoff.max()


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        pl.games.small_poker.make_kuhn_rules(5),
        pl.games.small_poker.make_leduc_rules(3, isomorphic=True),
    ],
    ids=lambda rules: rules.name,
)
def test_the_rules_of_the_large_games_are_in_order(rules: Rules) -> None:
    report = check_rules(rules)
    assert report.zero_sum
    assert report.warnings == ()


class StrippedDownPoker:
    """The game of CONTRIBUTING.md: an ace or a king is dealt to the first player, who bets or folds."""

    name = "stripped-down poker"
    num_players = 2
    unit = CHIPS
    zero_sum = True

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, history: tuple[str, ...]) -> Any:
        match history:
            case ():
                return Chance({"ace": HALF, "king": HALF})
            case (card,):
                return Decision(player=0, infoset=card, actions=("bet", "fold"))
            case (_, "bet"):
                return Decision(player=1, infoset="bet", actions=("call", "fold"))
            case (_, "fold"):
                return Terminal((-1, 1))
            case (_, "bet", "fold"):
                return Terminal((1, -1))
            case ("ace", "bet", "call"):
                return Terminal((2, -2))
            case ("king", "bet", "call"):
                return Terminal((-2, 2))

    def after(self, history: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*history, action)


def test_a_game_of_ones_own_is_checked_and_described() -> None:
    assert repr(check_rules(StrippedDownPoker())).splitlines() == [
        "stripped-down poker: rules in order",
        "  11 histories, 6 of them ends, the longest of 3 actions",
        "  2 + 1 information sets",
        "  utilities from -2 to 2 chips, zero-sum",
    ]
