"""What nine agents did at duplicate tables: ranks and their errors, first places, hands won, actions.

Only sums are kept: of each agent's mean rank over the nine rotations of a duplicate table, of the
products of two agents', and of how often each won, what it did, and what hands it won. Sums of whole
numbers are exact, so that batches leave no trace in the results.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem import Placed
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.table.steps import KINDS_OF_ACTION
from pokerlab.metrics import PairedSums, PairedTests

NUM_SEATS = 9
OWN_NUMBERS = ("squared_ranks", "actions", "hands_dealt", "hands_won", "hands", "unfinished")
HALVES = 2
"""Ranks are whole or, where an even number share a place, end in a half: they are counted in halves."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """What nine agents did at duplicate tables; + joins batches.

    Attributes
    ----------
    names : tuple of str
        The agents', the champion first.
    ranks : PairedSums
        Of the mean rank over the nine rotations of a duplicate table.
    wins : PairedSums
        Of the share of those nine tournaments that each won alone.
    squared_ranks : ndarray of int64, shape (9,)
        The sum of squares of the ranks in single tournaments, in quarters.
    actions : ndarray of int64, shape (9, 4, 4)
        How often each, on each street, did each of fold, check, call and raise.
    hands_dealt, hands_won : ndarray of int64, shape (9,)
        Hands that each took part in, and those in which it won chips.
    hands, unfinished : ndarray of int64, shape ()
        Hands in all, each counted once for a table; tournaments stopped before one agent had all chips.
    """

    names: tuple[str, ...]
    ranks: PairedSums
    wins: PairedSums
    squared_ranks: Ints
    actions: Ints
    hands_dealt: Ints
    hands_won: Ints
    hands: Ints
    unfinished: Ints

    @classmethod
    def of(cls, placed: Placed, names: tuple[str, ...]) -> "Evaluation":
        """Return what came of duplicate tables at which all nine played, with ranks (T, 9, 9)."""
        halves = np.rint(HALVES * placed.ranks).astype(np.int64)
        return cls(
            names=names,
            ranks=PairedSums.of(seated(placed, halves.sum(axis=1)), HALVES * NUM_SEATS),
            wins=PairedSums.of(seated(placed, (halves == HALVES).sum(axis=1)), NUM_SEATS),
            squared_ranks=seated(placed, (halves**2).sum(axis=1)).sum(axis=0),
            actions=placed.actions,
            hands_dealt=seated(placed, placed.lasted.sum(axis=1)).sum(axis=0),
            hands_won=seated(placed, placed.won.sum(axis=1)).sum(axis=0),
            hands=np.array(placed.hands.sum()),
            unfinished=np.array((~placed.is_finished).sum()),
        )

    def __add__(self, other: "Evaluation") -> "Evaluation":
        if self.names != other.names:
            raise SettingError(
                f"evaluations of {', '.join(self.names)} and of {', '.join(other.names)} do not add up."
            )
        summed = ("ranks", "wins", *OWN_NUMBERS)
        sums: dict[str, Any] = {k: getattr(self, k) + getattr(other, k) for k in summed}
        return Evaluation(names=self.names, **sums)

    @classmethod
    def none(cls, names: tuple[str, ...]) -> "Evaluation":
        """Return the evaluation of agents that have not played."""
        nothing = np.zeros(NUM_SEATS, np.int64)
        return cls(
            names=names,
            ranks=PairedSums.none(NUM_SEATS, HALVES * NUM_SEATS),
            wins=PairedSums.none(NUM_SEATS, NUM_SEATS),
            squared_ranks=nothing,
            actions=np.zeros((NUM_SEATS, len(STREETS), len(KINDS_OF_ACTION)), np.int64),
            hands_dealt=nothing,
            hands_won=nothing,
            hands=np.zeros((), np.int64),
            unfinished=np.zeros((), np.int64),
        )

    @classmethod
    def from_arrays(cls, names: tuple[str, ...], arrays: Mapping[str, Any]) -> "Evaluation":
        """Return the evaluation whose numbers `arrays` gave."""
        count = int(arrays["duplicates"])
        return cls(
            names=names,
            ranks=PairedSums(count, arrays["ranks"], arrays["rank_products"], HALVES * NUM_SEATS),
            wins=PairedSums(count, arrays["wins"], arrays["win_products"], NUM_SEATS),
            **{name: arrays[name] for name in OWN_NUMBERS},
        )

    def arrays(self) -> dict[str, Any]:
        """Return all numbers by name, as a file can keep them."""
        return {
            "duplicates": self.duplicates,
            "ranks": self.ranks.sums,
            "rank_products": self.ranks.products,
            "wins": self.wins.sums,
            "win_products": self.wins.products,
            **{name: getattr(self, name) for name in OWN_NUMBERS},
        }

    @property
    def duplicates(self) -> int:
        """T, how many duplicate tables were played."""
        return self.ranks.count

    @property
    def mean_rank(self) -> dict[str, float]:
        """Each agent's mean rank, 1 to 9, by name."""
        return self.by_name(self.ranks.mean)

    @property
    def standard_deviation(self) -> dict[str, float]:
        """Of an agent's mean rank over the nine rotations of a duplicate table, by name."""
        return self.by_name(self.ranks.standard_deviation)

    @property
    def single_deviation(self) -> dict[str, float]:
        """The standard deviation of an agent's rank in one tournament, by name."""
        mean_square = self.squared_ranks / (HALVES**2 * NUM_SEATS * self.duplicates)
        return self.by_name(np.sqrt(mean_square - self.ranks.mean**2))

    @property
    def first_places(self) -> dict[str, float]:
        """The share of tournaments that an agent won, by name."""
        return self.by_name(self.wins.mean)

    @property
    def hands_won_share(self) -> dict[str, float]:
        """The share of its hands in which an agent won chips, by name."""
        return self.by_name(self.hands_won / self.hands_dealt)

    @property
    def action_shares(self) -> dict[str, Floats]:
        """How often an agent folds, checks, calls and raises, (4,), as shares of its decisions, by name."""
        counts = self.actions.sum(axis=1)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        return dict(zip(self.names, shares, strict=True))

    @property
    def hands_a_tournament(self) -> float:
        """Hands in a tournament, on average."""
        return float(self.hands) / (NUM_SEATS * self.duplicates)

    @property
    def decisions_a_hand(self) -> float:
        """Decisions of all agents in a hand, on average."""
        return float(self.actions.sum() / self.hands)

    def by_name(self, numbers: Floats) -> dict[str, float]:
        """Return numbers of the nine agents by their names."""
        return dict(zip(self.names, numbers.tolist(), strict=True))

    def tests(self) -> PairedTests:
        """Return the two-tailed paired t-tests of all 36 pairs, with Holm's correction."""
        return self.ranks.tests()

    def __str__(self) -> str:
        """List the agents by mean rank, with what else is to be known of each."""
        errors, shares = self.by_name(self.ranks.half_width()), self.action_shares
        head = (
            f"{self.duplicates:,} duplicate tables of {NUM_SEATS}, {self.hands_a_tournament:.0f} hands a"
            f" tournament\n{'':14}rank (95%)        sd  first  hands  fold check  call raise"
        )
        lines = []
        for name in sorted(self.names, key=self.mean_rank.__getitem__):
            acts = " ".join(f"{share:5.0%}" for share in shares[name])
            lines.append(
                f"{name:13} {self.mean_rank[name]:5.3f} ± {errors[name]:5.3f}"
                f" {self.standard_deviation[name]:7.2f} {self.first_places[name]:6.1%}"
                f" {self.hands_won_share[name]:6.1%} {acts}"
            )
        if self.unfinished:
            lines.append(
                f"{self.unfinished:,} tournaments were stopped; chips ranked who was left."
            )
        return "\n".join([head, *lines])


def seated(placed: Placed, numbers: Ints) -> Ints:
    """Return numbers by place in the line-up, (T, 9), as numbers by player."""
    by_player = np.empty_like(numbers)
    np.put_along_axis(by_player, placed.lineups, numbers, axis=1)
    return by_player
