"""What is read from .efg files, and how broken ones are refused."""

from fractions import Fraction
from pathlib import Path

import pytest

import pokerlab as pl
from pokerlab.core import FileFormatError, GameError, SettingError
from pokerlab.games import Chance, Decision, SequenceForm, Terminal, check_rules, read_efg

ROUNDING = 1e-12
HEADER = 'EFG 2 R "a game" { "Ann" "Bob" }\n'
GUESS = """EFG 2 R "guess the coin" { "Ann" "Bob" }
"Ann sees the coin and speaks,
Bob guesses."

c "toss" 1 "coin" { "heads" 2/3 "tails" 1/3 } 0
p "" 1 1 "heads" { "say" "lie" } 0
p "" 2 1 "heard heads" { "believe" "doubt" } 0
t "" 1 "right" { -1, 1 }
t "" 2 "wrong" { 1, -1 }
p "" 2 2 "heard tails" { "believe" "doubt" } 0
t "" 2 "wrong" { 1, -1 }
t "" 1 "right" { -1, 1 }
p "" 1 2 "tails" { "say" "lie" } 0
p "" 2 2 "heard tails" { "believe" "doubt" } 0
t "" 1
t "" 2
p "" 2 1 0
t "" 2
t "" 1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.efg"


def read(path: Path, text: str) -> SequenceForm:
    path.write_text(text, encoding="utf-8")
    return read_efg(path)


def end_of(game: SequenceForm, *actions: str) -> tuple[int | Fraction, ...]:
    history = game.rules.start()
    for action in actions:
        history = game.rules.after(history, action)
    turn = game.rules.turn(history)
    assert isinstance(turn, Terminal)
    return turn.utilities


def test_a_game_is_read_with_its_names(path: Path) -> None:
    game = read(path, GUESS)
    assert game.name == "guess the coin"
    assert game.infoset_label == ("heads", "tails", "heard heads", "heard tails")
    assert game.action_label == (("say", "lie"),) * 2 + (("believe", "doubt"),) * 2
    assert game.zero_sum
    assert game.rules.turn(game.rules.start()) == Chance(
        {"heads": Fraction(2, 3), "tails": Fraction(1, 3)}
    )
    assert end_of(game, "tails", "lie", "doubt") == (-1, 1)
    assert game.values(game.uniform()) == pytest.approx([0.0, 0.0], abs=ROUNDING)
    assert repr(game.rules) == "<tree of guess the coin: 2 players, 15 nodes>"
    assert check_rules(game.rules).warnings == ()


def test_read_efg_ignores_line_ends_and_spaces(path: Path) -> None:
    assert read(path, " ".join(GUESS.split())).fingerprint == read(path, GUESS).fingerprint
    spaced = GUESS.replace("{", "\r\n{\t").replace("}", "}\n\n")
    assert read(path, spaced).fingerprint == read(path, GUESS).fingerprint


@pytest.mark.parametrize(
    "game", [pl.games.kuhn(3), pl.games.leduc(isomorphic=True), pl.games.one_card_poker(9)]
)
def test_read_efg_of_repeated_lines_is_as_of_one_line(game: SequenceForm, path: Path) -> None:
    """On one line no node comes again as a line."""
    pl.games.write_efg(game, path)
    text = path.read_text(encoding="utf-8")
    by_line, at_once = read(path, text), read(path, text.replace("\n", " "))
    assert by_line.rules.turns == at_once.rules.turns  # type: ignore[attr-defined]
    assert by_line.rules.children == at_once.rules.children  # type: ignore[attr-defined]
    assert by_line.fingerprint == at_once.fingerprint
    assert by_line.values(by_line.uniform()) == pytest.approx(game.values(game.uniform()))


def test_read_efg_of_a_known_line_that_goes_on_reads_on(path: Path) -> None:
    """The last end is described again; its first line is that of an end before."""
    game = read(path, GUESS + '"right" { -1, 1 }\n')
    assert end_of(game, "tails", "lie", "doubt") == (-1, 1)
    with pytest.raises(FileFormatError, match="line 19, column 6: outcome 1 had another"):
        read(path, GUESS + '"wrong" { 1, -1 }\n')


def test_read_efg_skips_a_byte_order_mark(path: Path) -> None:
    path.write_text(GUESS, encoding="utf-8-sig")
    assert read_efg(str(path)).name == "guess the coin"


@pytest.mark.parametrize(
    ("payoffs", "utilities"),
    [
        ("1 2", (1, 2)),
        ("1, 2", (1, 2)),
        ("1,2,", (1, 2)),
        ("1/3 -2/6", (Fraction(1, 3), Fraction(-1, 3))),
        ("0.1 -.25", (Fraction(1, 10), Fraction(-1, 4))),
        ("+3. 1.5e1", (3, 15)),
        ("25E-1, 1e3", (Fraction(5, 2), 1000)),
        ("4/2 0.50000000000000000000001", (2, Fraction("0.50000000000000000000001"))),
    ],
)
def test_numbers_are_exact(path: Path, payoffs: str, utilities: tuple[object, ...]) -> None:
    game = read(path, HEADER + f't "" 1 "" {{ {payoffs} }}')
    assert end_of(game) == utilities
    assert all(type(u) is (Fraction if "/" in str(u) else int) for u in end_of(game))


def test_read_efg_adds_outcomes_along_a_path(path: Path) -> None:
    """Centipede with a tip: what is paid at a node counts for everything behind it."""
    game = read(
        path,
        HEADER
        + 'c "" 1 "" { "wet" 1/4 "dry" 3/4 } 1 "entry" { -1 -1 }\n'
        + 'p "" 1 1 "at the door" { "in" "out" } 2 "umbrella" { -1/2 0 }\n'
        + 't "" 3 "fun" { 3 0.5 }\nt "" 0\n'
        + 'p "" 1 1 "at the door" { "in" "out" } 0\nt "" 3\nt "" 2',
    )
    assert end_of(game, "wet", "in") == (Fraction(3, 2), Fraction(-1, 2))
    assert end_of(game, "wet", "out") == (Fraction(-3, 2), -1)
    assert end_of(game, "dry", "in") == (2, Fraction(-1, 2))
    assert end_of(game, "dry", "out") == (Fraction(-3, 2), -1)
    assert not game.zero_sum
    assert check_rules(game.rules).warnings == ("player 2 never moves",)


def test_read_efg_names_may_contain_any_character(path: Path) -> None:
    title = 'Zoë\'s \\"coup\\" {1, 2} c\\d'
    game = read(
        path,
        f'EFG 2 D "{title}" {{ "A" "B" }} "" p "" 1 1 "♠, 7\n| A" {{ "↑" "a, b" }} 0'
        ' t "" 1 "" { 0 0 } t "" 1',
    )
    assert game.name == 'Zoë\'s "coup" {1, 2} c\\d'
    assert game.infoset_label == ("♠, 7\n| A",)
    assert game.action_label == (("↑", "a, b"),)


def test_a_game_without_a_title_is_called_like_its_file(path: Path) -> None:
    assert read(path, 'EFG 2 R "" { "A" } t "" 0').name == "game"


def four_infosets(*names: str) -> str:
    """Return a game in which the first player has as many information sets as there are names."""
    chances = " ".join(f'"{i}" 1/{len(names)}' for i in range(len(names)))
    infosets = [f'p "" 1 {i} "{x}" {{ "a" "b" }} 0 t "" 0 t "" 0' for i, x in enumerate(names, 1)]
    return HEADER + f'c "" 1 "" {{ {chances} }} 0 ' + "\n".join(infosets)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("J", "Q"), ("J", "Q")),
        (("", ""), ("1", "2")),
        (("J", "", "Q"), ("J", "2", "Q")),
        (("J", "J", "Q"), ("1", "2", "Q")),
        (("2", ""), ("2", "2'")),
        (("J", "1", "J"), ("1'", "1", "3")),
        (("", "1", "1"), ("1", "2", "3")),
    ],
)
def test_read_efg_labels_infosets_by_unique_names(
    path: Path, names: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    assert read(path, four_infosets(*names)).infoset_label == labels


def test_read_efg_same_name_for_two_players_is_kept(path: Path) -> None:
    game = read(
        path,
        HEADER
        + 'p "" 1 1 "x" { "a" "b" } 0 p "" 2 1 "x" { "a" "b" } 0 t "" 0 t "" 0'
        + ' p "" 2 1 0 t "" 0 t "" 0',
    )
    assert list(game.infoset_index) == [(0, "x"), (1, "x")]


@pytest.mark.parametrize(
    ("names", "actions"),
    [
        (("", ""), ("1", "2")),
        (("a", "a", "a"), ("a", "a'", "a''")),
        (("2", ""), ("2", "2'")),
        (("a", "a", "a'"), ("a", "a'", "a''")),
    ],
)
def test_read_efg_labels_nameless_and_repeated_actions(
    path: Path, names: tuple[str, ...], actions: tuple[str, ...]
) -> None:
    listed = " ".join(f'"{name}"' for name in names)
    ends = ' t "" 0' * len(names)
    decision = read(path, HEADER + f'p "" 1 1 "x" {{ {listed} }} 0' + ends)
    assert decision.rules.turn(0) == Decision(0, "x", actions)
    odds = " ".join(f'"{name}" 1/{len(names)}' for name in names)
    chance = read(path, HEADER + f'c "" 1 "" {{ {odds} }} 0' + ends).rules.turn(0)
    assert isinstance(chance, Chance)
    assert tuple(chance.outcomes) == actions


def test_imperfect_recall_is_refused_by_name_of_the_history(path: Path) -> None:
    """The absent-minded driver does not know at which exit it is."""
    driver = (
        'EFG 2 R "driver" { "driver" } p "" 1 1 "exit" { "leave" "stay" } 0\n'
        't "" 1 "" { 0 }\np "" 1 1 "exit" { "leave" "stay" } 0\nt "" 2 "" { 4 }\nt "" 3 "" { 1 }'
    )
    with pytest.raises(GameError, match="imperfect recall at 'exit': history 'stay' of driver"):
        read(path, driver)


NODE = 'p "" 1 1 "x" { "a" "b" } 0\n'
END = 't "" 1 "" { 1 2 }\n'

BROKEN_HEADERS = {
    "nothing": ("", "1:1", "expected 'EFG 2 R', .*, found the end of the file"),
    "another format": ('NFG 1 R "x"', "1:1", "expected 'EFG 2 R', .*, found 'NFG'"),
    "another version": ('EFG 3 R "x"', "1:5", "expected '2', the version.*, found '3'"),
    "no title": ('EFG 2 R { "A" }', "1:9", "expected the title in quotes, found '{'"),
    "a quote never closed": (
        'EFG 2 R "x\n\n',
        "1:9",
        "title in quotes, found a quote that is never",
    ),
    "an escaped end": ('EFG 2 R "x\\" { "A" }', "1:17", "player's names, found 'A'"),
    "no players": ('EFG 2 R "x" { }', "1:13", "the game has no players; a game has 1 to 32"),
    "too many players": (
        'EFG 2 R "x" { ' + '"A" ' * 33 + "}",
        "1:13",
        "the game has 33 players; a game has 1 to 32",
    ),
}
"""A text, the line and column of what is wrong, and words of the message."""
BROKEN_NODES = {
    "namesakes": (
        'p "" 1 1 "" { ' + '"a" ' * 101 + "} 0",
        "2:6",
        "101 actions of information set 1 of player 1 are called 'a'; at most 100",
    ),
    "no node": ("", "2:1", r"a node, 'c', 'p' or 't' \(1 missing\), found the end of the file"),
    "no such node": ("q", "2:1", "a node, .*, found 'q'"),
    "missing nodes": (NODE + END, "4:1", r"\(1 missing\), found the end of the file"),
    "a node without a name": ("t 1", "2:3", "the node's name in quotes, found '1'"),
    "an unknown player": ('p "" 3 1 "x" { "a" } 0', "2:6", "player 3 moves; .* are 1 to 2"),
    "the dealer as a player": ('p "" 0 1', "2:6", "player 0 moves; the players are 1 to 2"),
    "an unknown information set": (
        'p "" 1 7 0',
        "2:6",
        "information set 7 of player 1 is mentioned here for the first time; list actions",
    ),
    "actions without quotes": ('p "" 1 1 "x" { a }', "2:16", "'}' or the next action .*found 'a'"),
    "no actions": ('p "" 1 1 "x" { } 0', "2:6", "set 1 of player 1 has no actions"),
    "a negative outcome": ('t "" -1', "2:6", "a whole number, found '-1'"),
    "an unknown outcome": ('t "" 5', "2:6", "outcome 5 is mentioned .*; list payoffs"),
    "payoffs for nothing": (
        't "" 0 "" { 1 2 }',
        "2:6",
        "outcome 0 means none; it has neither name nor payoffs",
    ),
    "too few payoffs": ('t "" 1 "" { 1 }', "2:15", "payoff of player 2 of 2, .*found '}'"),
    "too many payoffs": (
        't "" 1 "" { 1 2 3 }',
        "2:17",
        "'}' after the payoffs of 2 players, found '3'",
    ),
    "a payoff in quotes": ('t "" 1 "" { 1 "2" }', "2:15", 'player 2.*, found "2"'),
    "a third of nothing": ('t "" 1 "" { 1 1/0 }', "2:15", "denominator other than zero"),
    "not a number": ('t "" 1 "" { nan 1 }', "2:13", "player 1.*found 'nan'"),
    "a number beyond all": ('t "" 1 "" { 1e999 1 }', "2:13", r"of at most 1.8e\+308"),
    "a number beyond all in capitals": ('t "" 1 "" { 1E999 1 }', "2:13", r"of at most 1.8e\+308"),
    "a long number beyond all": (f't "" 1 "" {{ {"9" * 309} 1 }}', "2:13", r"of at most 1.8e\+308"),
    "an endless number": (f't "" 1 "" {{ {"9" * 5000} 1 }}', "2:13", "found '9999"),
    "rounded chance": (
        'c "" 1 "" { "a" 0.3333 "b" 0.3333 "c" 0.3333 } 0',
        "2:11",
        "chance sum to 9999/10000, not 1.*0.3333 miss the sum: write fractions, such as 1/3",
    ),
    "negative chance": ('c "" 1 "" { "a" -1 "b" 2 } 0', "2:11", "'a' with probability -1"),
    "chance without probabilities": (
        'c "" 1 "" { "a" "b" } 0',
        "2:17",
        "the action's probability, such as",
    ),
    "actions that change": (
        'c "" 1 "" { "l" 1/2 "r" 1/2 } 0\n' + NODE + END * 2 + NODE.replace('"b"', '"c"'),
        "6:6",
        "information set 1 of player 1 had another name or other actions before",
    ),
    "chances that change": (
        'c "" 1 "" { "l" 1/2 "r" 1/2 } 0\nc "" 1 "" { "l" 1/3 "r" 2/3 } 0',
        "3:6",
        "information set 1 of chance had another name or other actions before",
    ),
    "payoffs that change": (
        NODE + END + 't "" 1 "" { 1 3 }',
        "4:6",
        "outcome 1 had another name or payoffs before",
    ),
}
"""The same of what follows a header of one line."""
BROKEN = BROKEN_HEADERS | {k: (HEADER + text, *said) for k, (text, *said) in BROKEN_NODES.items()}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused_by_line_and_column(path: Path, case: str) -> None:
    text, place, message = BROKEN[case]
    line, column = place.split(":")
    with pytest.raises(
        FileFormatError, match=rf"game\.efg, line {line}, column {column}: .*{message}"
    ):
        read(path, text)


@pytest.mark.parametrize("length", range(0, len(GUESS) - 1, 7))
def test_read_efg_rejects_truncated_files(path: Path, length: int) -> None:
    with pytest.raises(FileFormatError, match=r"game\.efg, line \d+, column \d+: "):
        read(path, GUESS[:length])


def test_read_efg_rejects_other_encodings(path: Path) -> None:
    path.write_bytes(GUESS.replace("Ann", "Zoë").encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"game\.efg is not UTF-8 text: byte 30 is 0xeb"):
        read_efg(path)


def test_read_efg_of_missing_file_says_so(path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"game\.efg cannot be read: No such file"):
        read_efg(path)


def test_read_efg_rejects_what_is_no_path() -> None:
    with pytest.raises(SettingError, match=r"path is 'a\\x00b'; give a path"):
        read_efg("a\0b")


def test_read_efg_rejects_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"cannot be read: Is a directory\. Give an"):
        read_efg(tmp_path)


def test_read_efg_leaves_out_impossible_outcomes(path: Path) -> None:
    """Payoffs and names below it count for nothing, but what is described there may be used."""
    text = (
        HEADER + 'c "" 1 "" { "never" 0 "ever" 1 } 0\n'
        'p "" 1 7 "twice" { "a" "b" } 0\nc "" 1 0\nt "" 1 "" { 5 5 }\nt "" 1\nt "" 2 "" { 1 -1 }\n'
        'p "" 1 8 "twice" { "a" "b" } 0\nt "" 2\nt "" 0\n'
    )
    game = read(path, text)
    assert game.rules.turn(0) == Chance({"ever": Fraction(1)})
    assert game.infoset_label == ("twice",)
    assert game.num_histories_ended == 2
    assert game.zero_sum
    assert end_of(game, "ever", "a") == (1, -1)
    assert end_of(game, "ever", "b") == (0, 0)


def test_read_efg_rejects_too_deep_trees(path: Path) -> None:
    moves = "".join(f'p "" 1 {i} "" {{ "on" }} 0\n' for i in range(5000))
    with pytest.raises(pl.core.FileFormatError, match=r"line 503, .* more than 500 actions"):
        read(path, HEADER + moves + 't "" 0')
