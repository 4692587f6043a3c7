"""A strategy as a table of shades and numbers: rows are cards, columns situations; it can be painted again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from pokerlab.core import Floats, Ints, UnknownNameError
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import (
    BETWEEN_ACTIONS,
    BETWEEN_ROUNDS,
    name_actions,
    split_label,
)
from pokerlab.games.variants import LockedRules
from pokerlab.workbench.style import BLUE, PAPER, SMALL_SIZE, ink_on

MOST_COLUMNS = 16  # more than these cannot be read; then only the first round of betting is shown
LONGEST_LABELS = 48
"""Letters that fit side by side below a table; where labels would meet, initials are shown."""
ONE_CARD = ("pass", "bet")  # the actions of one-card poker, which have other names at the table
INITIALS = {"check": "x"}  # where not the first letter: a call has c


@dataclass(frozen=True, eq=False)
class StrategyTable:
    """A player's information sets as rows, and as columns situations: of two actions the second, or each."""

    player: int  # whose strategy it is, 0-based
    rows: tuple[str, ...]  # the cards, in the order in which the game's deck lists them
    columns: tuple[str, ...]  # what has happened, and the action where columns differ in it
    action: str  # the action that all columns show; empty if they differ
    key: str  # what the initials in `columns` stand for; empty where they are words
    index: Ints  # (rows, columns), where the probability stands in a profile; -1 if nowhere
    left_out: int  # situations that are not shown

    def read(self, profile: Profile) -> Floats:
        """Return the table's probabilities, (rows, columns); NaN where the player cannot be."""
        return np.where(self.index < 0, np.nan, profile.probabilities[self.index])


def strategy_table(
    game: SequenceForm, player: int, situations: Sequence[str] | None = None
) -> StrategyTable:
    """Return how a player's strategy is laid out, in all situations such as 'pass-bet' that can be read."""
    game.check_player(player)
    places = infosets_by_situation(game, player)
    for situation in situations or ():
        if situation not in places:
            raise UnknownNameError.from_allowed(
                f"situation of player {player + 1}", situation, places
            )
    chosen = list(situations) if situations is not None else readable(game, places)

    present = {card for situation in chosen for card in places[situation]}
    whole = game
    while isinstance(whole.rules, LockedRules):
        whole = whole.rules.profile.game
    deck = dict.fromkeys(split_label(label)[0] for label in whole.infoset_label)
    rows = [card for card in deck if card in present]  # in the order of the information sets
    columns: list[tuple[str, str]] = []
    index = []
    for situation in chosen:
        actions = actions_at(game, places[situation])
        for offset in shown_actions(actions):
            columns.append((situation, actions[offset]))
            index.append([position(game, places[situation].get(c), offset) for c in rows])
    names = {action for _, action in columns}
    same = names.pop() if len(names) == 1 and len(game.action_label) > game.num_players else ""
    if is_one_card(game):
        same = "bet or call"
        columns = [(BETWEEN_ACTIONS.join(name_actions(said)), act) for said, act in columns]
    labels = column_labels(columns, with_action=not same)
    key = key_of(game) if too_wide(columns) else ""
    where = np.array(index, dtype=np.int64).T
    return StrategyTable(player, tuple(rows), labels, same, key, where, len(places) - len(chosen))


def infosets_by_situation(game: SequenceForm, player: int) -> dict[str, dict[str, int]]:
    """Return a player's information sets by what has happened and then by card."""
    places: dict[str, dict[str, int]] = {}
    for infoset in range(*game.infoset_start[player : player + 2]):
        card, situation = split_label(game.infoset_label[infoset])
        places.setdefault(situation, {})[card] = infoset
    return places


def readable(game: SequenceForm, places: dict[str, dict[str, int]]) -> list[str]:
    """Return the situations that fit into a table: all, or those of the first round."""

    def width(situations: list[str]) -> int:
        return sum(len(shown_actions(actions_at(game, places[s]))) for s in situations)

    chosen = list(places)
    if width(chosen) > MOST_COLUMNS:
        chosen = [s for s in places if BETWEEN_ROUNDS not in s] or chosen
    while width(chosen) > MOST_COLUMNS and len(chosen) > 1:
        chosen.pop()
    return chosen


def actions_at(game: SequenceForm, infosets: dict[str, int]) -> tuple[str, ...]:
    """Return the actions of a situation, which are the same for all cards."""
    return game.action_label[next(iter(infosets.values()))]


def shown_actions(actions: tuple[str, ...]) -> range:
    """Return which actions have a column: of two the second says all."""
    return range(1, 2) if len(actions) == 2 else range(len(actions))


def position(game: SequenceForm, infoset: int | None, offset: int) -> int:
    """Return where an action's probability stands in a profile, or -1."""
    if infoset is None:
        return -1
    return int(game.first_sequence[infoset]) - game.num_players + offset


def column_labels(columns: list[tuple[str, str]], *, with_action: bool) -> tuple[str, ...]:
    """Return what stands below the columns; initials where the words would not fit."""
    if with_action and all(situation == "" for situation, _ in columns):
        return tuple(action for _, action in columns)
    shorten = initials if too_wide(columns) else str
    texts = [shorten(situation) or "first" for situation, _ in columns]
    if not with_action:
        return tuple(texts)
    return tuple(f"{text}\n{action}" for text, (_, action) in zip(texts, columns, strict=True))


def too_wide(columns: list[tuple[str, str]]) -> bool:
    """Return whether the situations would not fit below the table as words."""
    return would_meet([situation for situation, _ in columns])


def would_meet(labels: Sequence[str]) -> bool:
    """Return whether labels below a table would run into each other or beyond its ends."""
    letters = [len(label) for label in labels]
    widest = max(((one + other) / 2 for one, other in pairwise(letters)), default=0.0)
    return sum(letters) > LONGEST_LABELS or len(labels) * widest > LONGEST_LABELS


def initials(situation: str) -> str:
    """Return 'xxb' for 'check-check-bet', round by round."""
    rounds = (r.split(BETWEEN_ACTIONS) for r in situation.split(BETWEEN_ROUNDS))
    return BETWEEN_ROUNDS.join("".join(map(initial, words)) for words in rounds)


def initial(word: str) -> str:
    """Return the letter that stands for an action."""
    return INITIALS.get(word, word[:1])


def is_one_card(game: SequenceForm) -> bool:
    """Return whether everybody always chooses between 'pass' and 'bet'."""
    return set(game.action_label) == {ONE_CARD}


def key_of(game: SequenceForm) -> str:
    """Return what the initials of a game's actions stand for, as in 'x: check, b: bet'."""
    words = dict.fromkeys(action for actions in game.action_label for action in actions)
    if is_one_card(game):
        words = dict.fromkeys(("check", "bet", "call", "fold"))
    return ", ".join(f"{initial(word)}: {word}" for word in words)


SHADES = LinearSegmentedColormap.from_list(
    "pokerlab", ["#eef3f7", "#9cc8e6", BLUE, "#003c61"]
).with_extremes(bad=PAPER)
MOST_NUMBERS = 150  # tables with more cells than these are shaded only
MOST_WIDE_COLUMNS, MOST_TALL_ROWS = 8, 9
"""Beyond these, numbers are written without the zero before the point, and small."""
MOST_NARROW_COLUMNS, TINY_SIZE = 12, 5.5
"""Beyond these columns numbers are written in this size, so that they do not touch."""
LETTER, LINE = 0.075, 0.165  # inches of a letter across and of a line down, at the size of labels


class Room(NamedTuple):
    """Inches left for labels."""

    left: float
    below: float


class Shades:
    """A table of shades and numbers, (rows, columns), painted again and again; NaN is an empty cell."""

    def __init__(
        self, axes: Axes, shape: tuple[int, int], *, size: float, most_numbers: int, **look: Any
    ) -> None:
        look = {"cmap": SHADES, "vmin": 0.0, "vmax": 1.0, "edgecolors": PAPER, **look}
        self.mesh = axes.pcolormesh(np.zeros(shape), **look)
        at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size}
        cells = np.ndindex(shape) if shape[0] * shape[1] <= most_numbers else ()
        self.numbers = [axes.text(x + 0.5, y + 0.5, "", **at) for y, x in cells]
        self.artists: list[Artist] = [self.mesh, *self.numbers]

    def paint(self, values: Floats, *, narrow: bool) -> None:
        """Show values from 0 to 1: as '0.25', or '.25' in narrow cells."""
        self.mesh.set_array(np.ma.masked_invalid(values))
        colors = self.mesh.to_rgba(np.round(values, 2)).reshape(-1, 4)
        for text, value, color in zip(self.numbers, values.flat, colors, strict=False):
            written = "" if np.isnan(value) else f"{value:.2f}"
            text.set_text(written.removeprefix("0") if narrow else written)
            text.set_color(ink_on(color))

    @property
    def drawn(self) -> Floats:
        """The numbers on show, read back from what is drawn."""
        return np.ma.filled(self.mesh.get_array(), np.nan)  # type: ignore[arg-type]


class HeatMap:
    """Axes that show one player's strategy."""

    def __init__(self, axes: Axes, table: StrategyTable) -> None:
        self.table = table
        rows, columns = shape = (len(table.rows), len(table.columns))
        self.narrow = columns > MOST_WIDE_COLUMNS
        size = SMALL_SIZE - 1.5 if rows > MOST_TALL_ROWS else SMALL_SIZE
        digits = min(size, TINY_SIZE) if columns > MOST_NARROW_COLUMNS else size
        self.shades = Shades(axes, shape, size=digits, most_numbers=MOST_NUMBERS, linewidth=1.5)
        self.upright = crowded(table.columns)
        rotation = 90 if self.upright else 0
        axes.set_xticks(np.arange(columns) + 0.5, table.columns, fontsize=size, rotation=rotation)
        axes.set_yticks(np.arange(rows) + 0.5, table.rows)
        self.remark = remark(table)
        axes.set_xlabel(self.remark, fontsize=size)
        axes.grid(False)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    def paint(self, profile: Profile) -> None:
        """Show `profile`."""
        self.shades.paint(self.table.read(profile), narrow=self.narrow)

    def room(self) -> Room:
        """Return the inches that labels need beside and below the table."""
        lines = max((label.count("\n") for label in self.table.columns), default=0) + 1
        longest = max(map(len, self.table.columns), default=0)
        below = LETTER * longest if self.upright else LINE * lines
        left = 0.14 + LETTER * max(map(len, self.table.rows), default=0)
        return Room(left, 0.12 + below + LINE * bool(self.remark))


def crowded(columns: Sequence[str]) -> bool:
    """Return whether column labels would touch each other side by side."""
    return would_meet(columns) and not any("\n" in label for label in columns)


def remark(table: StrategyTable) -> str:
    """Return what must be said below the columns."""
    left_out = f"{table.left_out} later situations are not shown" if table.left_out else ""
    return "; ".join(filter(None, (table.key, left_out)))
