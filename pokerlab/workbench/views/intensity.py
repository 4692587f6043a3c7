"""A strategy of bucketed hold'em as six intensity plots: fold, call, raise, before a raise and after one.

Rows are rounds, columns buckets; the darker, the likelier.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.figure import Figure

from pokerlab.core import Bools, Floats, Ints, SettingError
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.holdem.betting_tree import DEAL, PublicTree, Situation
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import ACTIONS, CALLING
from pokerlab.holdem.profile_checks import PROFILE_WANTED
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.matplotlib_painter import paint_figure
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap, Strip
from pokerlab.workbench.style import PROBABILITY_COLORS, SMALL_SIZE

SEATS = ("on the button", "in the big blind")
RAISES = (0, 1)  # how often the opponent has raised in this round, a row of plots each


@dataclass(frozen=True, eq=False)
class IntensityTable:
    """Where the numbers of Figure 4 stand in the profiles of a bucketed game."""

    decisions: Ints  # (2, 4): for each of `RAISES` and each round; 0 where there is none
    is_legal: Bools  # (2, 4, 3): whether fold, call and raise are possible there
    counts: tuple[int, ...]  # buckets of each round

    @classmethod
    def make(cls, game: BucketedHoldem, seat: int) -> "IntensityTable":
        """Return the table of `seat` in a bucketed game; situations that its betting does not have are empty."""
        if seat not in range(len(SEATS)):
            raise SettingError(
                f"seat is {quote_value(seat)}; give 0 for the button or 1 for the big blind."
            )
        tree = game.tree
        starts = find_called_starts(tree)
        decisions = np.zeros((len(RAISES), len(STREETS)), np.int64)
        is_legal = np.zeros((*decisions.shape, len(ACTIONS)), dtype=bool)
        for row, raises in enumerate(RAISES):
            for street, start in enumerate(starts):
                situation = Situation(street, seat == 0, 0, raises)
                if (
                    situation not in tree.situations
                ):  # with one bet a street nobody raises the big blind
                    continue
                number = tree.situations.index(situation)
                is_here = (tree.situation == number) & (tree.start[tree.decision_node] == start)
                (decisions[row, street],) = np.flatnonzero(is_here)
                is_legal[row, street] = tree.legal[decisions[row, street]]
        return cls(decisions, is_legal, tuple(game.buckets.counts))

    def read(self, profile: BucketedProfile) -> Floats:
        """Return a profile's probabilities, (2, 3, 4, B), by raises, action, round, bucket; NaN if impossible."""
        most = max(self.counts)
        chances = np.full((len(RAISES), len(ACTIONS), len(STREETS), most), np.nan)
        for row, street in np.ndindex(self.decisions.shape):
            count = self.counts[street]
            at = profile.table[profile.pointer[self.decisions[row, street]], :count]
            chances[row, :, street, :count] = np.where(self.is_legal[row, street], at, np.nan).T
        return chances

    @property
    def is_impossible(self) -> Bools:
        """Which numbers are NaN because the action is not possible, of bool, shape (2, 3, 4, B)."""
        exists = np.arange(max(self.counts)) < np.array(self.counts)[:, None]
        return ~self.is_legal.transpose(0, 2, 1)[..., None] & exists


def find_called_starts(tree: PublicTree) -> list[int]:
    """Return the start of each round's betting when nobody has raised in the rounds before."""
    starts = []
    node = 0
    for street in range(len(STREETS)):
        starts.append(int(tree.start[node]))
        while street + 1 < len(STREETS) and tree.street[node] == street:
            node = node + 1 if tree.kind[node] == DEAL else int(tree.child[node, CALLING])
    return starts


COLUMNS = ("fold", "check or call", "bet or raise")
ROWS = ("no raise yet", "one raise")
SIZE = (7.6, 4.2)
MOST_NUMBERS = 8 * len(STREETS)  # more cells than these are too narrow for numbers


def draw_intensity(
    table: IntensityTable, profile: BucketedProfile, *, with_numbers: bool
) -> tuple[tuple[HeatMap, ...], ...]:
    """Return six heat maps, (2, 3): fold, call, raise at the start of each round's betting; below after a raise."""
    probabilities = table.read(profile)
    most = max(table.counts)
    at = range(0, most, 1 + most // 10)
    buckets = tuple((bucket + 0.5, str(bucket + 1)) for bucket in at)
    streets = tuple((street + 0.5, name) for street, name in enumerate(STREETS))
    has_numbers = with_numbers and most * len(STREETS) <= MOST_NUMBERS

    def draw_action(row: int, column: int) -> HeatMap:
        is_last = row == len(ROWS) - 1
        is_first = column == 0
        return HeatMap(
            probabilities[row, column],
            Axis(
                "bucket (1 is the weakest)" * is_last, (0, most), ticks=buckets if is_last else ()
            ),
            Axis(ROWS[row] * is_first, (len(STREETS), 0), ticks=streets if is_first else ()),
            ColorScale(PROBABILITY_COLORS, missing="none"),
            key=f"{ROWS[row]}: {COLUMNS[column]}",
            title=COLUMNS[column] if row == 0 else "",
            rows=STREETS,
            columns=tuple(f"bucket {bucket + 1}" for bucket in range(most)),
            value_word="probability",
            has_numbers=has_numbers,
            has_narrow_cells=True,
            digit_size=SMALL_SIZE - 1,
            hatched=table.is_impossible[row, column],
            gap=1.0,
        )

    return tuple(
        tuple(draw_action(row, column) for column in range(len(COLUMNS)))
        for row in range(len(ROWS))
    )


def plot_intensity(profile: BucketedProfile, seat: int = 0, title: str = "") -> Figure:
    """Draw how often a seat folds, calls and raises, round by round and bucket by bucket.

    Above nobody has raised in the round, below the opponent has once; in earlier rounds nobody had.
    Rows are rounds, columns buckets from weak to strong; the darker, the likelier; hatched cells are
    actions that the rules do not allow, such as a fold where nothing is owed.

    Parameters
    ----------
    profile : BucketedProfile
        Of bucketed hold'em: a tuple table, or any other.
    seat : int
        0 has the button, 1 the big blind.
    title : str
        What the picture shows; if not given, whose strategy it is.
    """
    check_kind("profile", profile, BucketedProfile, PROFILE_WANTED)
    validate_integer("seat", seat)
    check_kind("title", title, str, "a text")
    table = IntensityTable.make(profile.game, seat)
    words = title or f"What it does {SEATS[seat]}: the darker, the likelier; hatched is impossible"
    return paint_figure(draw_intensity(table, profile, with_numbers=True), *SIZE, words)


@dataclass(frozen=True)
class IntensityView:
    """Fold, call and raise by bucket and round, before and after one raise of the opponent."""

    name = "intensity"
    height = 2.65
    choice = "Seat"
    caption = (
        "Shades: rows are rounds, columns buckets from weak to strong; the darker, the likelier."
        " Hatched cells are actions that the rules do not allow."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the two seats."""
        return {words: seat for seat, words in enumerate(SEATS)}

    def draw(self, frame: Frame, chosen: int) -> Strip:
        """Return the state's profile in the seat `chosen`."""
        profile = frame.state.profile
        maps = draw_intensity(lay_out_intensity(profile.game, chosen), profile, with_numbers=False)
        words = f"What it does {SEATS[chosen]}, at the start of each round's betting"
        return Strip(self.name, self.height, maps, words)


@lru_cache(maxsize=4)
def lay_out_intensity(game: BucketedHoldem, seat: int) -> IntensityTable:
    """Return where the numbers of a seat stand, made once for each game."""
    return IntensityTable.make(game, seat)
