"""Games written to files in Gambit's .efg format (EFG 2 R), which `efg_reader` reads.

`write_efg` writes the nodes of the game tree in preorder. Numbers are written as exact fractions.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from pokerlab.core import FileFormatError, GameError
from pokerlab.core.files import open_replacement_file, validate_path
from pokerlab.games.rules import Chance, Decision, Number, Rules, list_choices
from pokerlab.games.sequence_form import SequenceForm, check_game_is_compiled

UNREADABLE_LABEL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\s|\s$|\s\s")
"""The parts of labels that Gambit 17 does not read, although older versions do."""


def write_efg(game: SequenceForm, path: str | Path) -> Path:
    """Write a game to an .efg file, which Gambit, OpenSpiel and `read_efg` can read, and return its path.

    The whole game tree is written, including terminals that were merged when the game was compiled. An existing file is
    replaced only when the new one is complete.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, whose `rules` give the tree.
    path : str or Path
        The file to write. Its folder is created if necessary.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    GameError
        If a label cannot be written in this format, or if the game has too many terminals to list.
    FileFormatError
        If the path is a folder.
    """
    check_game_is_compiled(game)
    game.check_terminals_can_be_listed()
    path = validate_path("path", path)
    if path.is_dir():
        raise FileFormatError(
            f"{path} is a folder; give the file to write in it, such as game.efg."
        )
    with open_replacement_file(path) as file:
        file.writelines(f"{line}\n".encode() for line in iterate_efg_lines(game.rules))
    return path


def iterate_efg_lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of the .efg file of a game: first the header, then a line for each node of the tree in preorder.

    Parameters
    ----------
    rules : Rules
        The rules of the game.

    Yields
    ------
    str
        A line without its line break.

    Raises
    ------
    GameError
        If a label cannot be written in this format.
    """
    players = " ".join(quote_text(f"Player {player + 1}") for player in range(rules.num_players))
    yield f"EFG 2 R {quote_text(rules.name)} {{ {players} }}"
    yield ""

    num_infosets = [0] * rules.num_players
    infoset_lines: dict[tuple[int, str], str] = {}
    outcome_lines: dict[tuple[Number, ...], str] = {}
    num_chance_nodes = 0
    histories = [rules.start()]  # a stack of those that are still to be written
    while histories:
        history = histories.pop()
        turn = rules.turn(history)
        if isinstance(turn, Decision):
            infoset_key = (turn.player, turn.infoset)
            if infoset_key not in infoset_lines:
                num_infosets[turn.player] += 1
                infoset_lines[infoset_key] = format_decision_line(turn, num_infosets[turn.player])
            yield infoset_lines[infoset_key]
        elif isinstance(turn, Chance):
            num_chance_nodes += 1
            yield format_chance_line(turn, num_chance_nodes)
        else:
            utilities = tuple(turn.utilities)
            if utilities not in outcome_lines:
                outcome_lines[utilities] = format_terminal_line(utilities, len(outcome_lines) + 1)
            yield outcome_lines[utilities]
        # The history after the first choice is pushed last, because its node comes next.
        for choice in reversed(list_choices(turn)):
            histories.append(rules.after(history, choice))


def format_decision_line(decision: Decision, number: int) -> str:
    """Return the line of an .efg file that describes a decision.

    Parameters
    ----------
    decision : Decision
        The decision.
    number : int
        The number of its information set among those of the same player, counted from 1.

    Returns
    -------
    str
        The line without its line break.
    """
    actions = " ".join(map(quote_label, decision.actions))
    return f'p "" {decision.player + 1} {number} {quote_label(decision.infoset)} {{ {actions} }} 0'


def format_chance_line(chance_node: Chance, number: int) -> str:
    """Return the line of an .efg file that describes a chance node.

    Parameters
    ----------
    chance_node : Chance
        The chance node.
    number : int
        The number of its information set among those of chance, counted from 1.

    Returns
    -------
    str
        The line without its line break.
    """
    outcomes = " ".join(
        f"{quote_label(outcome)} {Fraction(probability)}"
        for outcome, probability in chance_node.outcomes.items()
    )
    return f'c "" {number} "" {{ {outcomes} }} 0'


def format_terminal_line(utilities: Sequence[Number], number: int) -> str:
    """Return the line of an .efg file that describes a terminal.

    Parameters
    ----------
    utilities : sequence of int or Fraction
        The utility of each player.
    number : int
        The number of the outcome that has these utilities, counted from 1.

    Returns
    -------
    str
        The line without its line break.
    """
    payoffs = ", ".join(str(Fraction(utility)) for utility in utilities)
    return f't "" {number} "" {{ {payoffs} }}'


def quote_text(label: str) -> str:
    """Return a text in quotes, in which a backslash precedes each quote of the text, as Gambit reads it.

    Parameters
    ----------
    label : str
        The text.

    Returns
    -------
    str
        The text in quotes.

    Raises
    ------
    GameError
        If the text has a backslash at the end, before a quote or before another backslash. Gambit would misread it.
    """
    if label.endswith("\\") or '\\"' in label or "\\\\" in label:
        raise GameError(
            f"label '{label}' cannot be written to an .efg file: there, a backslash may not stand"
            " at the end, before a quote or before another backslash. Choose another label."
        )
    return '"' + label.replace('"', '\\"') + '"'


def quote_label(label: str) -> str:
    """Return the label of an information set or of an action in quotes, in the form that Gambit reads.

    Parameters
    ----------
    label : str
        The label.

    Returns
    -------
    str
        The label in quotes.

    Raises
    ------
    GameError
        If Gambit 17 could not read the label.
    """
    if UNREADABLE_LABEL.search(label):
        raise GameError(
            f"label {label!r} cannot be written to an .efg file: Gambit reads no label with control characters, with"
            " a space at an end, or with two spaces in a row. Choose another label."
        )
    return quote_text(label)
