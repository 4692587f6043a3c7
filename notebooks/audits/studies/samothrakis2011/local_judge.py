"""Section 4.2's evolution with a judge who sees real cards: a local best response, in place of exact ones in buckets.

All else is as in the evolution that lesson 11 compares: seat by seat, 200 generations of 16. Each generation is
judged by new deals, the same for all of its agents, so that no agent is bred for the luck of a few; and what
is returned is the mean of the evolution, not the agent that once had the luckiest deals.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import random_stream
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import kernel
from pokerlab.core.random_numbers import compute_random_bits, draw_key
from pokerlab.holdem import TupleTable
from pokerlab.holdem.betting_tree import NUM_SEATS
from pokerlab.holdem.bucket_lanes import make_public_nodes
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import BOARD_SIZES, NUM_STREETS, RIVER, Cards, deal_hands
from pokerlab.holdem.equity import find_all_win_probabilities
from pokerlab.holdem.hand_expectations import Labels
from pokerlab.holdem.lbr import (
    MOST_OPPONENT_HANDS,
    LineWorkspace,
    OpponentHands,
    allocate_hands,
    allocate_line_workspace,
    find_equities_by_hand,
    label_holdings,
    sum_winnings,
)
from pokerlab.papers.samothrakis2011_holdem import (
    BY_GRADIENT,
    make_evolution_strategy,
    make_six_bucket_game,
)
from pokerlab.solvers import MinimaxCoevolution, SeatWorstCases
from pokerlab.solvers.worst_case import Measurement
from pokerlab.strategies.encoding import Encoding


class MetHands(NamedTuple):
    """By deal, what `OpponentHands` holds of the hands that the exploiter's cards may meet."""

    size: Ints  # (n, 4)
    label: Labels  # (n, 4, 1225)
    equity: Floats  # (n, 4, 1225)


@dataclass(frozen=True)
class LocalJudge(SeatWorstCases):
    """What a local best response wins against each seat, by deals of the generation's own."""

    deals: int = 150
    run_outs: int = 20

    def measure(
        self, encoding: Encoding, genomes: Floats, responses: Floats | None = None, **names: Any
    ) -> Measurement:
        """Return what is won against genomes, (k, G); seed and generation name the deals."""
        profiles = [encoding.make_profile(genome) for genome in genomes]
        met = self.draw_deals(profiles[0].game.buckets, names["seed"], names["generation"])
        count = len(genomes)
        values = np.array([compute_winnings(profile, met) for profile in profiles])
        return Measurement(values, np.zeros(count), np.empty((count, 0)), 0)

    @lru_cache(maxsize=2)  # noqa: B019 - the deals of a generation, which is measured in parts
    def draw_deals(self, buckets: Buckets, seed: int, generation: int) -> MetHands:
        """Return the deals of a generation."""
        luck = int(random_stream(seed, "local judge", generation).integers(1 << 62))
        cards = deal_hands(luck, self.deals, 1)
        labels = label_holdings(
            buckets, [find_all_win_probabilities(cards[:, 2 : 2 + known]) for known in BOARD_SIZES]
        )
        shape = self.deals, NUM_STREETS, MOST_OPPONENT_HANDS
        sizes = np.zeros(shape[:2], np.int64)
        met = MetHands(sizes, np.zeros(shape, np.uint8), np.zeros(shape))
        fill_met(cards, labels, draw_key(luck, "run-outs"), self.run_outs, allocate_hands(), met)
        return met


def compute_winnings(profile: BucketedProfile, met: MetHands) -> Floats:
    """Return what is won against each seat, (2,), on average over deals."""
    won = np.zeros((len(met.size), NUM_SEATS))
    line = allocate_line_workspace(
        make_public_nodes(profile.game.tree, profile.pointer), profile.table
    )
    fill_won(met, allocate_hands(), line, won)
    return np.asarray(won.mean(axis=0)[::-1])


@kernel
def fill_met(
    cards: Cards,
    labels: Labels,
    key: np.uint64,
    num_run_outs: int,
    hands: OpponentHands,
    out_met: MetHands,
) -> None:
    """Write the hands that each deal's hole cards may meet."""
    for deal in range(cards.shape[0]):
        find_equities_by_hand(
            cards[deal], labels[deal], compute_random_bits(key, deal), num_run_outs, 0, hands
        )
        for street in range(NUM_STREETS):  # number by number: slices take ten seconds to compile
            out_met.size[deal, street] = hands.size[street]
            for hand in range(MOST_OPPONENT_HANDS):
                out_met.label[deal, street, hand] = hands.label[street, hand]
                out_met.equity[deal, street, hand] = hands.equity[street, hand]


@kernel
def fill_won(met: MetHands, room: OpponentHands, line: LineWorkspace, out_won: Floats) -> None:
    """Write what is won by each deal in each seat, (n, 2)."""
    for deal in range(out_won.shape[0]):
        hands = OpponentHands(
            room.holding,
            met.size[deal],
            met.label[deal],
            met.equity[deal],
            room.num_comparisons,
        )
        for seat in range(NUM_SEATS):
            out_won[deal, seat] = sum_winnings(seat, 0, hands, line) / hands.size[RIVER]


@cache
def evolve_with_local_judge(
    seed: int, generations: int = BY_GRADIENT.iterations
) -> BucketedProfile:
    """Return the mean of an evolution with this judge; some ten minutes."""
    encoding = TupleTable(make_six_bucket_game(), positive=BY_GRADIENT.positive)
    coevolution = MinimaxCoevolution(
        make_six_bucket_game(),
        seed=seed,
        encoding=encoding,
        evolution=make_evolution_strategy(BY_GRADIENT),
        worst_case=LocalJudge(),
    )
    state = coevolution.step(coevolution.init(), generations)
    mean = state.best.copy()
    for genes, evolution in zip(coevolution.parts, state.evolutions, strict=True):
        mean[genes] = evolution.mean
    profile: BucketedProfile = encoding.make_profile(mean)
    return profile
