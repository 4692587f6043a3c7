"""Profiles as tables of probabilities by player, information set and action, and as CSV files of such tables.

A table is a dictionary. Its keys are pairs of a player, counted from 0, and the label of an information set. Its values
are dictionaries from actions to probabilities.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pokerlab.core import FileFormatError, SettingError
from pokerlab.core.errors import quote_value

PROFILE_COLUMNS = ("player", "information set", "action", "probability")
"""The columns of a profile's CSV file."""


def check_table_entry(player_and_infoset: Any, probability_of_action: Any) -> None:
    """Raise a SettingError unless an entry of a table maps a pair to a dictionary.

    Whether the game has this player, information set and actions is not checked.

    Parameters
    ----------
    player_and_infoset : Any
        The key, which should be a pair of a player and the label of an information set.
    probability_of_action : Any
        The value, which should be a mapping from actions to probabilities.

    Raises
    ------
    SettingError
        If one of both is something else.
    """
    is_pair = isinstance(player_and_infoset, tuple) and len(player_and_infoset) == 2
    if not is_pair or not isinstance(probability_of_action, Mapping):
        raise SettingError(
            f"table holds {quote_value(player_and_infoset)}: {quote_value(probability_of_action)}; give (player,"
            " information set) and a dictionary from actions to probabilities, such as (0, 'J'): {'bet': 1.0}."
        )


def read_table_csv(path: Path, num_players: int) -> dict[tuple[int, str], dict[str, float]]:
    """Read a table of probabilities from a CSV file, which has a row for each action.

    Parameters
    ----------
    path : Path
        The file. Its columns are those of `PROFILE_COLUMNS`, and players are counted from 1.
    num_players : int
        The number of players of the game.

    Returns
    -------
    dict of (int, str) to dict of str to float
        The probability of each action, by player (counted from 0) and label of the information set, and then by action.

    Raises
    ------
    FileFormatError
        If the file has other columns, if a row has no player of the game or no probability, or if an action stands in
        two rows.
    """
    table: dict[tuple[int, str], dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != PROFILE_COLUMNS:
            raise FileFormatError(
                f"{path} has the columns {reader.fieldnames}; give {', '.join(PROFILE_COLUMNS)}."
            )

        for row in reader:
            where = f"line {reader.line_num} of {path}"
            wrong_row = FileFormatError(
                f"{where} is {list(row.values())}; give a player, 1 to {num_players}, an information set, an action and"
                " a probability."
            )
            try:
                player, probability = int(row["player"]), float(row["probability"])
            except (TypeError, ValueError):
                raise wrong_row from None
            if not 1 <= player <= num_players:
                raise wrong_row

            infoset, action = row["information set"], row["action"]
            probabilities = table.setdefault((player - 1, infoset), {})
            if action in probabilities:
                raise FileFormatError(
                    f"{where} gives '{action}' at '{infoset}' of player {player} a second"
                    " probability; leave one of the two rows out."
                )
            probabilities[action] = probability

    return table


def format_table_csv(table: Mapping[tuple[int, str], Mapping[str, float]]) -> str:
    """Return a table of probabilities as the text of a CSV file, which `read_table_csv` reads.

    Parameters
    ----------
    table : mapping of (int, str) to mapping of str to float
        The probability of each action, by player (counted from 0) and label of the information set, and then by action.

    Returns
    -------
    str
        A line with the columns `PROFILE_COLUMNS`, and then a line for each action. Players are counted from 1.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(PROFILE_COLUMNS)
    for (player, infoset), probabilities in table.items():
        for action, probability in probabilities.items():
            writer.writerow((player + 1, infoset, action, repr(probability)))
    return buffer.getvalue()
