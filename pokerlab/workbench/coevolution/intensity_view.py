"""The bench's six intensity plots: what the evolving table does, seat by seat, repainted while it runs."""

from collections.abc import Iterator, Mapping
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.workbench.coevolution.intensity import IntensityPicture
from pokerlab.workbench.coevolution.intensity_table import SEATS, IntensityTable
from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.style import INK, TITLE_SIZE, dress

PROFILES = ("profile", "average", "current")
"""Where a solver's state has what it would play; the first that there is counts."""


class IntensityView:
    """Fold, call and raise by bucket and round, before and after one raise of the opponent."""

    name = "intensity"
    height = 3.15
    choice = "Seat"
    caption = (
        "Shades: rows are rounds, columns buckets from weak to strong; the darker, the likelier."
        " Hatched cells are actions that the rules do not allow."
    )

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the two seats."""
        return {words: seat for seat, words in enumerate(SEATS)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make the six plots of the seat `chosen`."""
        axes = figure.subplots(2, 3)
        for each in axes.flat:
            dress(each)
        leave_margins(figure, self.height, left=0.86, right=0.12, top=0.56, bottom=0.42)
        figure.subplots_adjust(wspace=0.06, hspace=0.08)
        words = f"What it does {SEATS[chosen]}, at the start of each round's betting"
        figure.suptitle(words, x=0.012, y=0.985, ha="left", fontsize=TITLE_SIZE, color=INK)
        table = IntensityTable.of(bucketed_profile_of(frame.state).game, chosen)
        self.picture = IntensityPicture(axes, table, with_numbers=False)
        return self.picture.artists

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the state's profile."""
        return {"profile": self.picture.paint(bucketed_profile_of(frame.state))}, False


def bucketed_profile_of(state: Any) -> BucketedProfile:
    """Return the profile of bucketed hold'em that a state has."""
    return next(profiles_of(state))


def has_bucketed_profile(state: Any) -> bool:
    """Return whether a solver's state plays bucketed hold'em."""
    return any(profiles_of(state))


def profiles_of(state: Any) -> Iterator[BucketedProfile]:
    """Yield the profiles of bucketed hold'em that a state has."""
    for name in PROFILES:
        profile = getattr(state, name, None)
        if isinstance(profile, BucketedProfile):
            yield profile
