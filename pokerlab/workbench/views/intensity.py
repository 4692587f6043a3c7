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
    """The positions of Figure 4's numbers in the profiles of a bucketed game.

    Attributes
    ----------
    decisions : array of shape (2, 4)
        The decision for each of `RAISES` and each round; 0 if there is none.
    is_legal : array of bool, shape (2, 4, 3)
        Whether fold, call and raise are possible at this decision.
    counts : tuple of 4 int
        The number of buckets of each round.
    """

    decisions: Ints
    is_legal: Bools
    counts: tuple[int, ...]

    @classmethod
    def make(cls, game: BucketedHoldem, seat: int) -> "IntensityTable":
        """Return the table of a seat in a bucketed game. Situations that its betting does not have are empty."""
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
                is_legal[row, street] = tree.is_legal[decisions[row, street]]
        return cls(decisions, is_legal, tuple(game.buckets.counts))

    def read(self, profile: BucketedProfile) -> Floats:
        """Return the probabilities of a profile, of shape (2, 3, 4, B) for raises, action, round and bucket.

        They are NaN for actions that are not possible.
        """
        most_buckets = max(self.counts)
        probabilities = np.full((len(RAISES), len(ACTIONS), len(STREETS), most_buckets), np.nan)
        for row, street in np.ndindex(self.decisions.shape):
            count = self.counts[street]
            numbers = profile.table[profile.pointer[self.decisions[row, street]], :count]
            is_legal = self.is_legal[row, street]
            probabilities[row, :, street, :count] = np.where(is_legal, numbers, np.nan).T
        return probabilities

    @property
    def is_impossible(self) -> Bools:
        """Whether a number is NaN because the action is not possible, of shape (2, 3, 4, B)."""
        exists = np.arange(max(self.counts)) < np.array(self.counts)[:, None]
        return ~self.is_legal.transpose(0, 2, 1)[..., None] & exists


def find_called_starts(tree: PublicTree) -> list[int]:
    """Return the start of each round's betting if no one has raised in the rounds before."""
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
    """Return two rows of heat maps of fold, call and raise: at the start of a round's betting, and after a raise."""
    probabilities = table.read(profile)
    most_buckets = max(table.counts)
    labeled_buckets = range(0, most_buckets, 1 + most_buckets // 10)
    bucket_ticks = tuple((bucket + 0.5, str(bucket + 1)) for bucket in labeled_buckets)
    street_ticks = tuple((street + 0.5, name) for street, name in enumerate(STREETS))
    has_numbers = with_numbers and most_buckets * len(STREETS) <= MOST_NUMBERS

    def draw_action(row: int, column: int) -> HeatMap:
        is_last = row == len(ROWS) - 1
        is_first = column == 0
        return HeatMap(
            probabilities[row, column],
            Axis(
                "bucket (1 is the weakest)" * is_last,
                (0, most_buckets),
                ticks=bucket_ticks if is_last else (),
            ),
            Axis(ROWS[row] * is_first, (len(STREETS), 0), ticks=street_ticks if is_first else ()),
            ColorScale(PROBABILITY_COLORS, missing="none"),
            key=f"{ROWS[row]}: {COLUMNS[column]}",
            title=COLUMNS[column] if row == 0 else "",
            rows=STREETS,
            columns=tuple(f"bucket {bucket + 1}" for bucket in range(most_buckets)),
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
    """Return a figure of the probabilities with which a seat folds, calls and raises, by round and bucket.

    In the upper row no one has raised in the round, in the lower row the opponent has once. No one has raised in
    earlier rounds. In each heat map rows are rounds, and columns are buckets from weak to strong. Hatched cells are
    actions that the rules do not allow, such as a fold where nothing is owed.

    Parameters
    ----------
    profile : BucketedProfile
        A profile of bucketed hold'em.
    seat : int
        0 has the button, 1 the big blind.
    title : str
        The title; by default the seat, and how to read the picture.
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
    choice_label = "Seat"
    caption = (
        "Shades: rows are rounds, columns buckets from weak to strong; the darker, the likelier."
        " Hatched cells are actions that the rules do not allow."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the two seats."""
        return {words: seat for seat, words in enumerate(SEATS)}

    def draw(self, frame: Frame, chosen: int) -> Strip:
        """Return the strip with the state's profile in the chosen seat."""
        profile = frame.state.profile
        maps = draw_intensity(lay_out_intensity(profile.game, chosen), profile, with_numbers=False)
        words = f"What it does {SEATS[chosen]}, at the start of each round's betting"
        return Strip(self.name, self.height, maps, words)


@lru_cache(maxsize=4)
def lay_out_intensity(game: BucketedHoldem, seat: int) -> IntensityTable:
    """Return the table of a seat in a game. Those of the last four games and seats are kept in memory."""
    return IntensityTable.make(game, seat)
