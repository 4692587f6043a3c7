"""How aggressive a decision is, as in Nicolai & Hilderman (2009), section III.A.

A decision has a score: 0 for a fold and a check, 1 for a call, and x / amount to call for a raise, x being
the amount raised. Players know means of the scores of others, *overall* and *recent*: who knows what is in
`pokerlab.holdem.table.impressions`.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pokerlab.core import Checked, Ints, inlined, setting
from pokerlab.holdem.betting.actions import CALL
from pokerlab.holdem.table.view import BET, BETS, BIG_BLIND, MILLIONTHS, SEAT, TO_CALL

SCORES, RAISED, RECENTLY = ("price", "raises"), ("above the call", "all put in"), ("hands", "orbit")
MOST_REMEMBERED = 100  # hands
MOST_SCORE = 1e6  # no decision scores more, so that sums of millionths stay exact
left_open = partial(setting, silent=True, rare=True)
"""A setting on which the paper is silent and that is rarely changed."""


@dataclass(frozen=True, kw_only=True)
class Aggressiveness(Checked):
    """How the aggressiveness of players is measured and remembered.

    By 'raises' a bet or raise scores 1 and everything else 0, so that means are shares of decisions. Where nothing is
    owed, the amount raised is measured in big blinds. An orbit is as many hands as players are dealt in.
    """

    score: str = setting(
        "price",
        "By the price of a raise, or just whether it is one.",
        label="Score of a decision",
        source="section III.A; 'raises' is ours, for the paper's future work",
        choices=SCORES,
        rare=True,
    )
    raised: str = left_open(
        "above the call",
        "The chips of a raise above the call, or all that are put in.",
        label="Amount raised",
        source="section III.A: 'the amount raised'",
        choices=RAISED,
        needs=lambda config: config.score == "price",
    )
    recent: str = left_open(
        "hands",
        "The last hands, or an orbit of the button.",
        source="section III.A: 'the most recent pass of 10 hands around the table'",
        choices=RECENTLY,
    )
    window: int = setting(
        10,
        "How many hands are recent, the one in play included.",
        label="Recent hands",
        source="section III.A",
        unit="hands",
        within=(1, MOST_REMEMBERED),
        rare=True,
        needs=lambda config: config.recent == "hands",
    )
    shared: bool = left_open(
        False,
        "Which everybody knows; or each knows what it has seen itself.",
        label="One record a player",
        source="G. Nicolai's thesis, 4.1.3.8: one running mean a player, seen by the whole table",
    )
    kept: bool = left_open(
        True,
        "Whether players who meet again at another table know what they knew.",
        label="Remember who moved away",
        source="section III.A: 'since a player began playing against a particular opponent'",
        needs=lambda config: not config.shared,
    )

    @property
    def scoring(self) -> "Scoring":
        """How decisions are scored, for kernels."""
        return Scoring(self.score == "price", self.raised == "all put in")


class Scoring(NamedTuple):
    """How decisions are scored, for kernels."""

    prices: bool  # whether a raise scores by its price; else 1, and a call 0
    all_put_in: bool  # whether all chips put in count, and not only those above the call


@inlined
def score_of(view: Ints, action: int, scoring: Scoring) -> float:
    """Return the score of an action taken with this view, in millionths: a whole number."""
    owed = view[TO_CALL]
    if action <= CALL:
        is_call = (action == CALL) & (owed > 0) & scoring.prices
        return float(MILLIONTHS) if is_call else 0.0
    if not scoring.prices:
        return float(MILLIONTHS)
    raised = action - (view[BETS + view[SEAT]] if scoring.all_put_in else view[BET])
    price = owed if owed > 0 else view[BIG_BLIND]
    return float(int(min(raised / price, MOST_SCORE) * MILLIONTHS))
