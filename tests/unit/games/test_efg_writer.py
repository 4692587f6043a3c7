"""What is written to .efg files is read as the same game."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import FileFormatError, GameError
from pokerlab.games import Profile, SequenceForm, read_efg, write_efg
from pokerlab.games.matrix_games import MatrixGame
from pokerlab.games.rules import Chance, Terminal

GAMES = [
    pl.games.kuhn(2),
    pl.games.kuhn(3),
    pl.games.kuhn(4),
    pl.games.one_card_poker(8),
    pl.games.one_card_poker(13),
    pl.games.leduc(),
    pl.games.leduc(isomorphic=True),
    pl.games.two_round_poker("ranks"),
    pl.games.two_round_poker("paired"),
    pl.games.rock_paper_scissors(),
    pl.games.biased_rps(),
    pl.games.bimatrix([[1 / 3, 0.1], [2, 1e-7]], [[1e20, -3], [0, 4]]),
    pl.games.identical_payoffs([[1, 0], [0, 2]]),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_is_read_as_it_was_written(game: SequenceForm, tmp_path: Path) -> None:
    again = read_efg(write_efg(game, tmp_path / "game.efg"))
    assert again.name == game.name
    assert again.zero_sum == game.zero_sum
    assert again.infoset_index == game.infoset_index
    assert again.action_label == game.action_label
    for array in ("parent_sequence", "first_sequence", "num_actions", "sequence"):
        assert getattr(again, array).tolist() == getattr(game, array).tolist()
    weights = np.random.default_rng(1).exponential(size=game.num_probabilities)
    starts = game.first_sequence - game.num_players
    weights /= np.repeat(np.add.reduceat(weights, starts), game.num_actions)
    ours, theirs = Profile(game, weights), Profile(again, weights)
    assert again.values(theirs).tolist() == game.values(ours).tolist()
    assert again.gains(theirs).tolist() == game.gains(ours).tolist()


def test_a_game_that_was_read_is_written_as_it_was(tmp_path: Path) -> None:
    first = write_efg(pl.games.leduc(isomorphic=True), tmp_path / "first.efg")
    second = write_efg(read_efg(first), tmp_path / "second.efg")
    assert second.read_text(encoding="utf-8") == first.read_text(encoding="utf-8")


def test_write_efg_of_kuhn_poker_has_these_first_lines(tmp_path: Path) -> None:
    lines = (
        write_efg(pl.games.kuhn(), tmp_path / "kuhn.efg").read_text(encoding="utf-8").splitlines()
    )
    assert lines[:9] == [
        'EFG 2 R "KP(2)" { "Player 1" "Player 2" }',
        "",
        'c "" 1 "" { "J" 1/3 "Q" 1/3 "K" 1/3 } 0',
        'c "" 2 "" { "Q" 1/2 "K" 1/2 } 0',
        'p "" 1 1 "J" { "pass" "bet" } 0',
        'p "" 2 1 "Q, pass" { "pass" "bet" } 0',
        't "" 1 "" { -1, 1 }',
        'p "" 1 2 "J, pass-bet" { "pass" "bet" } 0',
        't "" 1 "" { -1, 1 }',
    ]
    assert len(lines) == 2 + 58


def one_choice(*actions: str) -> SequenceForm:
    """Return a game of which only the first player's actions matter."""
    zeros = np.zeros((len(actions), 1))
    return pl.games.compile_rules(MatrixGame("one choice", zeros, zeros, actions, ["wait"]))


def test_names_are_quoted(tmp_path: Path) -> None:
    game = one_choice('say "yes"', "a\\b", "♠ Zoë", "{1, 2}", "no\u00a0break")
    again = read_efg(write_efg(game, tmp_path / "game.efg"))
    assert again.action_label == game.action_label


GAMBIT_REFUSES = (
    *("K  bet", " K", "K ", "K\nbet", "K\tbet", "K\u00a0 bet", "\u00a0K", "K\u2003", "K\u0085bet"),
    *("K\u2028bet", "K\x7fbet", "K\x9fbet", "K\ud800"),
)
"""Labels that Gambit 17 refused, one by one, in a file that was otherwise sound."""


@pytest.mark.parametrize("label", GAMBIT_REFUSES)
def test_write_efg_refuses_a_label_that_gambit_refuses(label: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"Gambit reads no label with"):
        write_efg(one_choice("fine", label), tmp_path / "game.efg")
    assert list(tmp_path.iterdir()) == []


class Lottery:
    """Chance draws one of two tickets, the first with a label of choice."""

    name, num_players, unit, zero_sum = "lottery", 1, pl.core.POINTS, False

    def __init__(self, label: str) -> None:
        self.label = label

    def start(self) -> str:
        return ""

    def turn(self, history: str) -> Chance | Terminal:
        return (
            Terminal((1,))
            if history
            else Chance({self.label: Fraction(1, 2), "blank": Fraction(1, 2)})
        )

    def after(self, history: str, action: str) -> str:
        return action


@pytest.mark.parametrize("label", GAMBIT_REFUSES)
def test_write_efg_refuses_such_a_label_of_chance_too(label: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"Gambit reads no label with"):
        write_efg(pl.games.compile_rules(Lottery(label)), tmp_path / "game.efg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("label", ["K\u200bbet", "K\u3000bet", "\uff2b\uff31", "K bet"])
def test_write_efg_writes_a_label_that_gambit_reads(label: str, tmp_path: Path) -> None:
    game = one_choice("fine", label)
    assert read_efg(write_efg(game, tmp_path / "game.efg")).action_label == game.action_label


@pytest.mark.parametrize("label", ["end\\", '\\"', "a\\\\b"])
def test_write_efg_with_bad_name_leaves_no_file(label: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"cannot be written to an \.efg file.*another label"):
        write_efg(one_choice("fine", label), tmp_path / "game.efg")
    assert list(tmp_path.iterdir()) == []


def test_write_efg_rejects_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"is a folder; give the file to write in it"):
        write_efg(pl.games.kuhn(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_floats_are_written_exactly(tmp_path: Path) -> None:
    class Rounded(MatrixGame):
        def turn(self, history: tuple[str, ...]) -> pl.games.rules.Turn:
            if len(history) < 2:
                return super().turn(history)
            return Terminal((0.1, -0.1))  # type: ignore[arg-type]

    rules = Rounded("rounded", [[0]], [[0]], ["a"], ["b"])
    again = read_efg(write_efg(pl.games.compile_rules(rules), tmp_path / "game.efg"))
    assert again.rules.turn(2) == Terminal((Fraction(0.1), Fraction(-0.1)))
