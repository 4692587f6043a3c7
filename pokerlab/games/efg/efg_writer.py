"""Write games in Gambit's .efg format (EFG 2 R), with exact fractions."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from pokerlab.core import FileFormatError, GameError
from pokerlab.core.files import read_path, whole_file
from pokerlab.games.rules import Chance, Decision, Number, Rules
from pokerlab.games.sequence_form.compiled import SequenceForm, check_game

UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\s|\s$|\s\s")
"""What Gambit 17 refuses in a label; older versions read it."""


def write_efg(game: SequenceForm, path: str | Path) -> Path:
    """Write `game` to a file that Gambit, OpenSpiel and `read_efg` read.

    The whole tree is written, including histories that compiling merged. An existing file is
    replaced only by a finished one.

    Parameters
    ----------
    game : SequenceForm
        Its `rules` are walked once.
    path : str or Path
        The file to write; its folder is made if necessary.

    Raises
    ------
    GameError
        If a label cannot be written in this format.
    """
    check_game(game)
    path = read_path("path", path)
    if path.is_dir():
        raise FileFormatError(
            f"{path} is a folder; give the file to write in it, such as game.efg."
        )
    with whole_file(path) as file:
        file.writelines(f"{line}\n".encode() for line in efg_lines(game.rules))
    return path


def efg_lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of the file: the header, then the nodes in preorder."""
    players = " ".join(quoted(f"Player {p + 1}") for p in range(rules.num_players))
    yield f"EFG 2 R {quoted(rules.name)} {{ {players} }}"
    yield ""
    num_infosets = [0] * rules.num_players
    infosets: dict[tuple[int, str], str] = {}
    outcomes: dict[tuple[Number, ...], str] = {}
    chance_nodes = 0
    waiting = [rules.start()]
    while waiting:
        history = waiting.pop()
        turn = rules.turn(history)
        if isinstance(turn, Decision):
            key = (turn.player, turn.infoset)
            if key not in infosets:
                num_infosets[turn.player] += 1
                actions = " ".join(map(quoted_label, turn.actions))
                number = f"{turn.player + 1} {num_infosets[turn.player]}"
                infosets[key] = f'p "" {number} {quoted_label(turn.infoset)} {{ {actions} }} 0'
            yield infosets[key]
            following = turn.actions
        elif isinstance(turn, Chance):
            chance_nodes += 1
            odds = " ".join(f"{quoted_label(a)} {Fraction(p)}" for a, p in turn.outcomes.items())
            yield f'c "" {chance_nodes} "" {{ {odds} }} 0'
            following = tuple(turn.outcomes)
        else:
            utilities = tuple(turn.utilities)
            if utilities not in outcomes:
                payoffs = ", ".join(str(Fraction(u)) for u in utilities)
                outcomes[utilities] = f't "" {len(outcomes) + 1} "" {{ {payoffs} }}'
            yield outcomes[utilities]
            continue
        waiting += [rules.after(history, action) for action in reversed(following)]


def quoted(label: str) -> str:
    """Return `label` in quotes, as Gambit reads them."""
    if label.endswith("\\") or '\\"' in label or "\\\\" in label:
        raise GameError(
            f"label '{label}' cannot be written to an .efg file: there, a backslash may not stand"
            " at the end, before a quote or before another backslash. Choose another label."
        )
    return '"' + label.replace('"', '\\"') + '"'


def quoted_label(label: str) -> str:
    """Return the label of an information set or of an action in quotes, if Gambit 17 reads it."""
    if UNREADABLE.search(label):
        raise GameError(
            f"label {label!r} cannot be written to an .efg file: Gambit reads no label with control characters, with"
            " a space at an end, or with two spaces in a row. Choose another label."
        )
    return quoted(label)
