"""What a bucketed profile does at the start of each round's betting, by bucket: the paper's Figure 4."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.holdem.betting.structure import STREETS
from pokerlab.holdem.bucketed.bucketed_holdem import BucketedHoldem
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.bucketed.public_tree import ACTIONS, CALL, DEAL, PublicTree, Situation

SEATS = ("on the button", "in the big blind")
RAISES = (0, 1)
"""How often the opponent has raised in this round, a row of plots each."""


@dataclass(frozen=True, eq=False)
class IntensityTable:
    """Where the numbers of Figure 4 stand in the profiles of a bucketed game.

    Attributes
    ----------
    seat : int
        Whose they are: 0 has the button.
    decisions : ndarray of shape (2, 4)
        The decision for each of `RAISES` and each round.
    is_legal : ndarray of bool, shape (2, 4, 3)
        Whether fold, call and raise are possible there.
    counts : tuple of 4 int
        Buckets of each round.
    """

    seat: int
    decisions: Ints
    is_legal: Bools
    counts: tuple[int, ...]

    @classmethod
    def of(cls, game: BucketedHoldem, seat: int) -> "IntensityTable":
        """Return the table of `seat` in a bucketed game.

        Raises
        ------
        SettingError
            If there is no such seat, or nobody may raise after the big blind.
        """
        if seat not in range(len(SEATS)):
            raise SettingError(f"seat is {seat!r}; give 0 for the button or 1 for the big blind.")
        tree = game.tree
        if tree.raise_cap < 2:
            raise SettingError(
                "with one bet a round nobody raises before the flop; cap at 2 or more."
            )
        starts = called_down_to(tree)
        decisions = np.empty((len(RAISES), len(STREETS)), np.int64)
        for row, raises in enumerate(RAISES):
            for street, start in enumerate(starts):
                number = tree.situations.index(Situation(street, seat == 0, 0, raises))
                is_here = (tree.situation == number) & (tree.start[tree.decision_node] == start)
                (decisions[row, street],) = np.flatnonzero(is_here)
        return cls(seat, decisions, tree.legal[decisions], tuple(game.buckets.counts))

    def read(self, profile: BucketedProfile) -> Floats:
        """Return the profile's probabilities, (2, 3, 4, B), by raises, action, round and bucket.

        What is impossible is NaN, and so is a bucket that a round does not have.
        """
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


def called_down_to(tree: PublicTree) -> list[int]:
    """Return the start of each round's betting when nobody has raised in the rounds before."""
    starts, node = [], 0
    for street in range(len(STREETS)):
        starts.append(int(tree.start[node]))
        while street + 1 < len(STREETS) and tree.street[node] == street:
            node = node + 1 if tree.kind[node] == DEAL else int(tree.child[node, CALL])
    return starts
