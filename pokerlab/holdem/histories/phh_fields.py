"""The fields of the PHH format, read with care: structure, seats, names, cards and actions."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from pokerlab.core.errors import FileFormatError, PokerlabError, SettingError
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.holdem.betting.structure import (
    FROM_BIG_BLIND,
    FROM_BUTTON,
    FROM_EVERYBODY,
    LIMIT,
    NO_LIMIT,
    Rake,
    Structure,
)
from pokerlab.holdem.cards.cards import BOARD_SIZES, parse_cards

VARIANTS = {"FT": LIMIT, "NT": NO_LIMIT}
UNKNOWN = "?"
USUAL_CAP = 4
NO_CAP = 0
"""In the field `_cap`, which TOML cannot leave empty."""
DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){9}""")
"""A key in tables ten deep; PHH has at most two, and Python's parser needs quadratic time for it."""


def own_fields(rules: Structure, options: Mapping[str, Any]) -> dict[str, object]:
    """Return fields for the options of a structure that others do not tell."""
    fields: dict[str, object] = {}
    for name, value in options.items():
        own = getattr(rules, name)
        if own != value:
            fields[f"_{name}"] = (
                NO_CAP if own is None else list(own) if name == "straddles" else own
            )
    if rules.rake is not None:
        fields["_rake"] = str(rules.rake.share)
        fields |= {} if rules.rake.cap is None else {"_rake_cap": rules.rake.cap}
        fields |= {"_no_flop_no_drop": True} if rules.rake.no_flop_no_drop else {}
    return fields


@dataclass(frozen=True)
class Section:
    """The fields of one hand, and where they stand.

    Attributes
    ----------
    where : str
        What errors call the file, or its section.
    fields : mapping
        Names to values.
    """

    where: str
    fields: Mapping[str, Any]

    def refuse(self, field: str, objection: object) -> NoReturn:
        """Raise an error that names the field."""
        raise FileFormatError(f"{self.where}, {field}: {objection}")

    def get(self, field: str) -> Any:
        """Return a field that has to be there."""
        if field not in self.fields:
            raise FileFormatError(f"{self.where}: the field {field} is missing.")
        return self.fields[field]

    def number(self, field: str) -> int:
        """Return a field that is a whole number."""
        return self.numbers(field, [self.get(field)])[0]

    def numbers(self, field: str, given: Any = None) -> list[int]:
        """Return a field, or what is `given` of it, that is a list of whole numbers from 0 on."""
        listed = self.get(field) if given is None else given
        if not isinstance(listed, list) or any(type(number) is not int for number in listed):
            self.refuse(field, f"it is {shortened(listed)}; give whole numbers of chips.")
        if any(number < 0 for number in listed):
            self.refuse(field, f"it has {min(listed)}; numbers below 0 cannot be replayed here.")
        return listed

    def switch(self, field: str) -> bool:
        """Return a field that is true or false; false if it is missing."""
        value = self.fields.get(field, False)
        if not isinstance(value, bool):
            self.refuse(field, f"it is {shortened(value)}; give true or false.")
        return value


def shortened(value: object) -> str:
    """Return a value as errors print it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def parsed(source: str | Path, most: int) -> tuple[str, dict[str, Any]]:
    """Return what to call a source, and its TOML."""
    if not isinstance(source, str | Path):
        raise SettingError(f"source is {shortened(source)}; give a path or the text of a file.")
    where, text = "the hand", str(source)
    if isinstance(source, Path) or ("\n" not in source and "=" not in source):
        where = str(source)
        try:
            if Path(source).stat().st_size > 4 * most:
                raise FileFormatError(f"{where} is too long; allowed are {most:,} characters.")
            text = Path(source).read_text(encoding="utf-8")
        except FileFormatError:
            raise
        except (OSError, ValueError) as error:
            raise FileFormatError(f"{where} cannot be read as a text file: {error}.") from None
    if len(text) > most:
        raise FileFormatError(f"{where} is too long; allowed are {most:,} characters.")
    if DEEP_KEY.search(text):
        raise FileFormatError(f"{where} has tables within tables; PHH has plain fields.")
    try:
        return where, tomllib.loads(text)
    except RecursionError:
        raise FileFormatError(f"{where} is nested too deeply; PHH has plain fields.") from None
    except ValueError as error:
        raise FileFormatError(f"{where} is not in the PHH format (TOML): {error}.") from None


def options_in(section: Section) -> dict[str, Any]:
    """Return the options of a structure as the fields of PHH tell them, by their names."""
    variant = section.get("variant")
    if variant not in VARIANTS:
        section.refuse(
            "variant", f"it is {shortened(variant)}; only Texas hold'em can be read, FT or NT."
        )
    limited = VARIANTS[variant] == LIMIT
    small_bet = section.number("small_bet" if limited else "min_bet")
    antes, blinds = section.numbers("antes"), section.numbers("blinds_or_straddles")
    ante_from = FROM_EVERYBODY
    payers = [place for place, ante in enumerate(antes) if ante]
    if payers and len(set(antes)) > 1:
        last = len(antes) - 1 if len(antes) > 2 else 0
        if payers not in ([1], [last]):
            section.refuse(
                "antes", f"they are {antes}; all pay the same, or the big blind or button."
            )
        ante_from = FROM_BIG_BLIND if payers == [1] else FROM_BUTTON
    later = blinds[2:]
    count = later.index(0) if 0 in later else len(later)
    button_straddle = later[-1] if count < len(later) else 0
    return {
        "big_bet": section.number("big_bet") if limited else small_bet,
        "cap": USUAL_CAP if limited else None,
        "unlimited_heads_up": False,
        "folds_lift_cap": False,
        "free_folds": False,
        "ante": max(antes, default=0),
        "ante_from": ante_from,
        "straddles": tuple(later[:count]),
        "button_straddle": button_straddle,
    }


def read_structure(section: Section) -> Structure:
    """Return the structure of a hand: what PHH tells, and what the fields of our own say."""
    options = options_in(section)
    for name in options:
        if f"_{name}" in section.fields:
            options[name] = section.fields[f"_{name}"]
    options["cap"] = options["cap"] or None
    blinds = section.numbers("blinds_or_straddles")
    small_bet = "small_bet" if section.get("variant") == "FT" else "min_bet"
    try:
        if "_rake" in section.fields:
            options["rake"] = Rake(
                section.fields["_rake"],
                section.fields.get("_rake_cap"),
                section.switch("_no_flop_no_drop"),
            )
        return Structure(
            kind=VARIANTS[section.get("variant")],
            small_blind=blinds[0],
            big_blind=blinds[1],
            small_bet=section.number(small_bet),
            **options,
        )
    except FileFormatError:
        raise
    except PokerlabError as error:
        section.refuse("structure", error)


def read_seats(section: Section, num_players: int) -> tuple[list[int], int]:
    """Return the seats of the players and the number of seats."""
    if "seats" not in section.fields:
        return list(range(num_players)), num_players
    seats = [seat - 1 for seat in section.numbers("seats")]
    num_seats = section.number("seat_count") if "seat_count" in section.fields else max(seats) + 1
    first = seats.index(min(seats)) if seats else 0
    around = seats[first:] + seats[:first]
    in_order = len(seats) == num_players and around == sorted(set(seats))
    if not in_order or min(seats) < 0 or not max(seats) < num_seats <= MOST_SEATS:
        section.refuse(
            "seats",
            f"they are {[seat + 1 for seat in seats]} of {num_seats}; give each of the {num_players}"
            f" players one of at most {MOST_SEATS} seats, clockwise.",
        )
    return seats, num_seats


def read_names(section: Section, seats: Sequence[int], num_seats: int) -> tuple[str, ...]:
    """Return what the seats are called."""
    names = [f"player {seat + 1}" for seat in range(num_seats)]
    given = section.fields.get("players", [names[seat] for seat in seats])
    if (
        not isinstance(given, list)
        or len(given) != len(seats)
        or not all(isinstance(name, str) for name in given)
    ):
        section.refuse("players", f"it is {shortened(given)}; give {len(seats)} names.")
    for seat, name in zip(seats, given, strict=True):
        names[seat] = name
    return tuple(names)


class Actions(NamedTuple):
    """What the actions of a file tell, in their order.

    Attributes
    ----------
    holes : dict of int to list of int
        Hole cards by player, from 0; -1 is unknown.
    board : list of int
        The board.
    done : list of tuple
        For each fold, call or raise: its number in the file from 1, the player, the action, and
        how many cards the board had.
    """

    holes: dict[int, list[int]]
    board: list[int]
    done: list[tuple[int, int, int, int]]


def read_actions(section: Section, num_players: int) -> Actions:
    """Return the cards and actions of a hand."""
    given = section.get("actions")
    if not isinstance(given, list) or not all(isinstance(action, str) for action in given):
        section.refuse("actions", f"it is {shortened(given)}; give a list of texts.")
    actions = Actions({player: [] for player in range(num_players)}, [], [])
    for number, action in enumerate(given, start=1):
        field = f"action {number}, {shortened(action)}"
        words = action.partition("#")[0].split()
        try:
            read_action(words, number, actions)
        except (ValueError, KeyError) as error:
            section.refuse(
                field, error if isinstance(error, PokerlabError) else "it has no meaning here."
            )
    return actions


def read_action(words: Sequence[str], number: int, actions: Actions) -> None:
    """Add one action of a file to what the file has `given` so far; a ValueError if it means nothing here."""
    match words:
        case []:
            pass
        case ["d", "db", text]:
            actions.board.extend(parse_cards(text).tolist())
            if len(actions.board) > BOARD_SIZES[-1]:
                raise FileFormatError("the board has more than five cards.")
        case ["d", "dh", player, text]:
            hole = actions.holes[player_of(player)]
            hole.extend(cards_of(text))
            if len(hole) > 2:
                raise FileFormatError("the player has more than two cards.")
        case [player, "sm"] | [player, "sm", "-"]:
            player_of(player)
        case [player, "sm", text]:
            shown, hole = cards_of(text), actions.holes[player_of(player)]
            known = {card for card in hole if card >= 0}
            if len(shown) != 2 or not known <= set(shown):
                raise FileFormatError("the player shows other cards than were dealt.")
            hole[:] = shown
        case [player, "f"]:
            actions.done.append((number, player_of(player), FOLD, len(actions.board)))
        case [player, "cc"]:
            actions.done.append((number, player_of(player), CALL, len(actions.board)))
        case [player, "cbr", amount]:
            if not (amount.isascii() and amount.isdigit() and int(amount) > 0):
                raise FileFormatError("the amount must be a whole number of chips.")
            actions.done.append((number, player_of(player), int(amount), len(actions.board)))
        case _:
            raise ValueError


def player_of(text: str) -> int:
    """Return the player of 'p1', from 0."""
    if not re.fullmatch(r"p[0-9]{1,2}", text):
        raise ValueError
    return int(text[1:]) - 1


def cards_of(text: str) -> list[int]:
    """Return cards of a text such as 'As??', -1 for one that is unknown."""
    pairs = [text[begin : begin + 2] for begin in range(0, len(text), 2)]
    return [-1 if pair == 2 * UNKNOWN else int(parse_cards(pair)[0]) for pair in pairs]
