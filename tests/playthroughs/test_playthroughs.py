"""One hand of every game, word for word as in the files beside this one.

After a change that is meant, `python -m tests.playthroughs.test_playthroughs` writes them anew; read
the difference before committing it.
"""

from pathlib import Path

import pytest

from pokerlab.core import GameError, UnknownNameError
from pokerlab.games import Rules, describe_playthrough
from pokerlab.games.small_poker import make_kuhn_rules, make_leduc_rules
from tests.package_games import GAMES

FOLDER = Path(__file__).parent

LARGE: dict[str, tuple[Rules, str]] = {
    "kuhn_5": (make_kuhn_rules(5), "9 T J Q K pass pass bet pass bet bet pass"),
    "kuhn_6": (make_kuhn_rules(6), "8 9 T J Q K bet bet bet bet bet pass"),
    "leduc_3": (make_leduc_rules(3), "Qs Js Qc bet call fold Ts check bet raise call"),
}
"""Games that take seconds to compile: their rules, and a hand."""
NAMES = [*GAMES, *LARGE]


def describe_hand(name: str) -> str:
    """Return the hand of a game in words, as it stands in the game's file."""
    if name in LARGE:
        rules, hand = LARGE[name]
        return describe_playthrough(rules, hand.split()) + "\n"
    game = GAMES[name]
    return describe_playthrough(game.make().rules, game.actions) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_is_played_as_written(name: str) -> None:
    assert describe_hand(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_file_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(NAMES)


def test_what_cannot_be_played_is_refused() -> None:
    rules = make_kuhn_rules()
    with pytest.raises(UnknownNameError, match=r"no action at history 'J K' .* 'bett'.*mean 'bet'"):
        describe_playthrough(rules, ["J", "K", "bett"])
    with pytest.raises(UnknownNameError, match=r"history 'J' of KP\(2\) 'J'; there are: Q, K"):
        describe_playthrough(rules, ["J", "J"])
    with pytest.raises(GameError, match=r"'J K' of .* is not the end .* one of: pass, bet"):
        describe_playthrough(rules, ["J", "K"])
    with pytest.raises(GameError, match=r"'start' of .* is not the end"):
        describe_playthrough(rules, [])
    with pytest.raises(GameError, match=r"'J K bet pass' of .* is the end .* 'bet' is one choice"):
        describe_playthrough(rules, ["J", "K", "bet", "pass", "bet"])


if __name__ == "__main__":
    for name in NAMES:
        (FOLDER / f"{name}.txt").write_text(describe_hand(name), encoding="utf-8")
