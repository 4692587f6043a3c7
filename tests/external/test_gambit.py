"""Gambit as an outside witness: it reads our files and solves them; we read its own.

Installing pygambit takes minutes, so these tests are skipped where it is not.
"""

from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import SequenceForm, check_rules, read_efg, write_efg

pygambit = pytest.importorskip(
    "pygambit", reason="needs Gambit: pip install 'pokerlab[gambit]' (takes minutes)"
)
pytestmark = [pytest.mark.slow, pytest.mark.external]

ROUNDING = 1e-9
"""Gambit's values are exact; those of our linear program are not."""

GAMES = [
    (pl.games.kuhn(), Fraction(-1, 18)),
    (pl.games.one_card_poker(4), Fraction(-1, 24)),
    (pl.games.one_card_poker(5), Fraction(-1, 15)),
    (pl.games.rock_paper_scissors(), Fraction(0)),
    (pl.games.biased_rps(), Fraction(0)),
    (pl.games.bimatrix([[0.1, 2], [1.5, -1]], [[-0.1, -2], [-1.5, 1]]), Fraction(31, 44)),
]

READ_ONLY = [
    pl.games.kuhn(3),
    pl.games.kuhn(4),
    pl.games.leduc(isomorphic=True),
    pl.games.two_round_poker(),
]

SIGNALS = """EFG 2 R "Signals, in Gambit's own style" { "Sender" "Receiver" }
"A sender of either kind speaks; the receiver, who hears but does not see, answers.
The fee of the loud word is paid at once."

c "" 1 "(0,1)" { "strong" 2/5 "weak" 0.6 } 0
p "" 1 1 "(1,1)" { "loud" "soft" } 0
p "" 2 1 "(2,1)" { "yield" "fight" } 1 "fee" { -1/4, 1/4 }
t "" 2 "Outcome 2" { 1.00, -1.00 }
t "" 3 "Outcome 3" { 2, -2 }
p "" 2 2 "(2,2)" { "yield" "fight" } 0
t "" 2 "Outcome 2" { 1.00, -1.00 }
t "" 3 "Outcome 3" { 2, -2 }
p "" 1 2 "(1,2)" { "loud" "soft" } 0
p "" 2 1 "(2,1)" { "yield" "fight" } 1 "fee" { -1/4, 1/4 }
t "" 2 "Outcome 2" { 1.00, -1.00 }
t "" 4 "Outcome 4" { -2, 2 }
p "" 2 2 "(2,2)" { "yield" "fight" } 0
t "" 2 "Outcome 2" { 1.00, -1.00 }
t "" 4 "Outcome 4" { -2, 2 }
"""

NUMBERED = """EFG 2 R "" { "A" "B" }
p "" 1 1 "" { "x" "x" } 0
p "" 2 1 "" { "" "y" } 0
t "" 1 "" { 3 -3 }
t "" 2 "" { 0 0 }
p "" 2 1 0
t "" 2
t "" 1
"""


def gambits_value(game: Any, method: str = "lp_solve") -> Fraction:
    """Return the first player's value of Gambit's equilibrium, exact."""
    first, result = next(iter(game.players)), getattr(pygambit.nash, method)(game)
    if hasattr(result, "equilibrium"):  # since Gambit 17
        return Fraction(str(result.equilibrium.payoffs[first]))
    return Fraction(str(result.equilibria[0].payoff(first)))


def our_value(game: SequenceForm) -> float:
    return pl.solvers.SequenceFormLP(game).solve().value


@pytest.mark.parametrize(("game", "value"), GAMES, ids=lambda x: getattr(x, "name", None))
def test_gambit_solves_our_files(game: SequenceForm, value: Fraction, tmp_path: Path) -> None:
    theirs = pygambit.read_efg(str(write_efg(game, tmp_path / "game.efg")))
    assert theirs.title == game.name
    assert gambits_value(theirs) == value
    assert our_value(game) == pytest.approx(float(value), abs=ROUNDING)


def test_gambits_complementarity_method_agrees(tmp_path: Path) -> None:
    theirs = pygambit.read_efg(str(write_efg(pl.games.kuhn(), tmp_path / "kuhn.efg")))
    assert gambits_value(theirs, "lcp_solve") == Fraction(-1, 18)


@pytest.mark.parametrize("game", READ_ONLY, ids=lambda game: game.name)
def test_what_gambit_writes_of_our_games_is_the_same(game: SequenceForm, tmp_path: Path) -> None:
    theirs = pygambit.read_efg(str(write_efg(game, tmp_path / "ours.efg")))
    path = tmp_path / "theirs.efg"
    path.write_text(theirs.to_efg(), encoding="utf-8")
    assert read_efg(path).fingerprint == game.fingerprint


@pytest.mark.parametrize("text", [SIGNALS, NUMBERED], ids=["signals", "numbered"])
def test_files_in_gambits_style_have_gambits_value(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text(text, encoding="utf-8")
    game = read_efg(path)
    value = gambits_value(pygambit.read_efg(str(path)))
    assert our_value(game) == pytest.approx(float(value), abs=ROUNDING)


def catalog() -> list[Any]:
    """Return the games that come with Gambit."""
    folder = files("pygambit") / "catalog_data"
    return sorted(Path(str(folder)).rglob("*.efg"))


@pytest.mark.parametrize("path", catalog(), ids=lambda path: "-".join(path.parts[-2:]))
def test_the_games_that_come_with_gambit_are_read(path: Path) -> None:
    theirs = pygambit.read_efg(str(path))
    if not theirs.is_perfect_recall:
        with pytest.raises(GameError, match="imperfect recall"):
            read_efg(path)
        return
    game = read_efg(path)
    assert (game.name, game.num_players) == (theirs.title, len(theirs.players))
    check_rules(game.rules)
    if game.zero_sum and game.num_players == 2:
        assert our_value(game) == pytest.approx(float(gambits_value(theirs)), abs=ROUNDING)
