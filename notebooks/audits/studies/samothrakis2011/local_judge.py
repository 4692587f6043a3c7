"""The evolution of a limit hold'em agent that is judged by an opponent who sees real cards.

Does evolution find an agent that loses less to such an opponent, if the opponent judges it? A seed goes in, and the
strategy of the evolved agent comes out (`evolve_with_local_judge`).

Section 4.2 of Samothrakis & Lucas (2011) evolves agents that see only a *bucket*, a set of hands of similar strength.
Lesson 11 judges them by exact best responses in that game. Here a *local best response* judges them: an *exploiter* who
sees its real hole cards and the real board, and who compares its actions as if it only checked and called afterward
(see `pokerlab.holdem.lbr`). Everything else is as in lesson 11: fitness seat by seat, 200 generations of 16 agents.

In each generation all agents are judged by the same deals, and other deals are drawn for the next generation. So agents
are not bred for the luck of a few deals. For the same reason the result is the mean of the evolution, and not the agent
with the best value, which may have had the luckiest deals.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import random_stream
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import kernel
from pokerlab.core.random_numbers import compute_random_bits, draw_stream_key
from pokerlab.holdem import TupleTable
from pokerlab.holdem.batched_tree import make_public_nodes
from pokerlab.holdem.betting_tree import NUM_SEATS
from pokerlab.holdem.bucket_counts import Labels
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import BOARD_SIZES, NUM_STREETS, RIVER, Cards, deal_hands
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.lbr import (
    MOST_OPPONENT_HANDS,
    OpponentHands,
    SearchWorkspace,
    allocate_opponent_hands,
    allocate_search_workspace,
    fill_opponent_hands,
    find_buckets_of_holdings,
    sum_winnings_over_tree,
)
from pokerlab.papers.samothrakis2011_holdem import (
    BY_GRADIENT,
    make_evolution_strategy,
    make_six_bucket_game,
)
from pokerlab.solvers import MinimaxCoevolution, SeatWorstCases
from pokerlab.solvers.worst_case import Measurement
from pokerlab.strategies.encoding import Encoding

NUM_DEALS, NUM_RUN_OUTS = 150, 20
"""The number of deals of a generation, and of run-outs on which equities are estimated on each early street."""
SEED_RANGE = 1 << 62
"""The seeds of deals are drawn from 0 to this number, exclusive."""
NUM_HOLE_CARDS = 2


class DealtHands(NamedTuple):
    """The hands that an agent may hold in each of n deals, after an exploiter got two hole cards of the deal.

    Attributes
    ----------
    sizes : ndarray of int64, shape (n, 4)
        The number of hands that are possible on each of the four streets. Only so many entries of the other arrays are
        used.
    labels : ndarray of uint8, shape (n, 4, 1225)
        The bucket of each hand on each street, which is all that the agent sees of it.
    equities : ndarray, shape (n, 4, 1225)
        The equity of the exploiter's hole cards against each hand, on each street.
    """

    sizes: Ints
    labels: Labels
    equities: Floats


@dataclass(frozen=True)
class LocalJudge(SeatWorstCases):
    """A judge of limit hold'em agents: it measures what an exploiter with real cards wins from them on sampled deals.

    The *exploiter* plays a local best response: it sees its real hole cards and the real board, and compares its
    actions as if it only checked and called afterward. Its winnings are the losses that a `MinimaxCoevolution` makes
    small, for the genes of each seat.

    Attributes
    ----------
    deals : int
        The number of deals in a generation, each of which is played in both seats.
    run_outs : int
        The number of boards on which the exploiter estimates its equities, before the flop and on the flop.
    """

    deals: int = NUM_DEALS
    run_outs: int = NUM_RUN_OUTS

    def measure_losses(
        self, encoding: Encoding, genomes: Floats, responses: Floats | None = None, **names: Any
    ) -> Measurement:
        """Measure what an exploiter with real cards wins from the strategy of each of N genomes, on sampled deals.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which makes strategies of genomes.
        genomes : ndarray, shape (N, G)
            The genomes, of G numbers each.
        responses : ndarray, optional
            Ignored, because this exploiter does not evolve.
        **names
            'seed' and 'generation', two integers that determine the deals, which are the same for all genomes. Other
            names are ignored.

        Returns
        -------
        Measurement
            Its values have the shape (N, 2): the mean winnings over deals in small bets, with a column for each seat of
            the genomes. Standard errors are 0, and responses are empty.
        """
        profiles = [encoding.make_profile(genome) for genome in genomes]
        buckets = profiles[0].game.buckets
        hands = self.draw_dealt_hands(buckets, names["seed"], names["generation"])
        values = np.array([compute_exploiter_winnings(profile, hands) for profile in profiles])

        num_genomes = len(genomes)
        return Measurement(
            values,
            errors=np.zeros(num_genomes),
            responses=np.empty((num_genomes, 0)),
            evaluations=0,
        )

    @lru_cache(maxsize=2)  # noqa: B019 - the genomes of a generation are measured in several calls
    def draw_dealt_hands(self, buckets: Buckets, seed: int, generation: int) -> DealtHands:
        """Draw the deals of a generation, and return the hands that the agent may hold in them.

        Parameters
        ----------
        buckets : Buckets
            The buckets of hands that the agent distinguishes.
        seed, generation : int
            The seed of the evolution and the number of the generation. Both determine the deals.

        Returns
        -------
        DealtHands
            The hands with their buckets, and the equities of the exploiter's hole cards against them.
        """
        deal_seed = int(random_stream(seed, "local judge", generation).integers(SEED_RANGE))
        cards = deal_hands(deal_seed, self.deals, 1)

        # The board of each street comes after the hole cards.
        win_probabilities = [
            compute_all_win_probabilities(cards[:, NUM_HOLE_CARDS : NUM_HOLE_CARDS + board_size])
            for board_size in BOARD_SIZES
        ]
        labels = find_buckets_of_holdings(buckets, win_probabilities)

        shape = self.deals, NUM_STREETS, MOST_OPPONENT_HANDS
        hands = DealtHands(
            sizes=np.zeros((self.deals, NUM_STREETS), np.int64),
            labels=np.zeros(shape, np.uint8),
            equities=np.zeros(shape),
        )
        key = draw_stream_key(deal_seed, "run-outs")
        fill_dealt_hands(cards, labels, key, self.run_outs, allocate_opponent_hands(), hands)
        return hands


def compute_exploiter_winnings(profile: BucketedProfile, hands: DealtHands) -> Floats:
    """Return what an exploiter with real cards wins from each seat of a strategy, on average over deals.

    The *exploiter* plays a local best response: it sees its real hole cards and the real board, and compares its
    actions as if it only checked and called afterward.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy of the agent, in both seats.
    hands : DealtHands
        The hands that the agent may hold in each deal.

    Returns
    -------
    ndarray, shape (2,)
        The winnings in small bets, by the seat of the agent.
    """
    nodes = make_public_nodes(profile.game.tree, profile.pointer)
    line = allocate_search_workspace(nodes, profile.table)

    winnings = np.zeros((len(hands.sizes), NUM_SEATS))
    compute_winnings_of_deals(hands, allocate_opponent_hands(), line, winnings)

    # The columns are the exploiter's seats. It sits in the other seat than the agent, so they are reversed.
    mean_by_exploiter_seat = winnings.mean(axis=0)
    return np.asarray(mean_by_exploiter_seat[::-1])


@kernel
def fill_dealt_hands(
    cards: Cards,
    labels: Labels,
    key: np.uint64,
    num_run_outs: int,
    workspace: OpponentHands,
    out_hands: DealtHands,
) -> None:
    """Compute the hands that an agent of limit hold'em may hold in n deals, their buckets and equities, in place.

    An exploiter holds two cards of each deal, so the agent may hold any two of the others.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n, 7)
        The exploiter's hole cards and the board of each deal.
    labels : ndarray of uint8, shape (n, 4, 1326)
        The bucket of each pair of hole cards, on each street of each deal.
    key : uint64
        The key of the random stream of run-outs, which are boards that complete a deal.
    num_run_outs : int
        The number of run-outs that are drawn before the flop and on the flop.
    workspace : OpponentHands
        Memory for the hands of one deal; overwritten.
    out_hands : DealtHands
        Overwritten by the hands of all deals.
    """
    for deal in range(cards.shape[0]):
        fill_opponent_hands(
            cards[deal], labels[deal], compute_random_bits(key, deal), num_run_outs, 0, workspace
        )
        for street in range(NUM_STREETS):  # number by number: slices take ten seconds to compile
            out_hands.sizes[deal, street] = workspace.num_possible[street]
            for hand in range(MOST_OPPONENT_HANDS):
                out_hands.labels[deal, street, hand] = workspace.buckets[street, hand]
                out_hands.equities[deal, street, hand] = workspace.equities[street, hand]


@kernel
def compute_winnings_of_deals(
    hands: DealtHands, workspace: OpponentHands, line: SearchWorkspace, out_winnings: Floats
) -> None:
    """Compute in place what an exploiter wins in each deal from each seat, on average over the agent's hands.

    Parameters
    ----------
    hands : DealtHands
        The hands that the agent may hold in each of n deals.
    workspace : OpponentHands
        The remaining fields of the hands of a deal. Winnings do not depend on them.
    line : SearchWorkspace
        The strategy of the agent, and memory for a pass through the betting tree. Its stack and its reach probabilities
        are overwritten.
    out_winnings : ndarray, shape (n, 2)
        Overwritten by the winnings in small bets; a column for each seat of the exploiter.
    """
    for deal in range(out_winnings.shape[0]):
        hands_of_deal = OpponentHands(
            workspace.holdings,
            hands.sizes[deal],
            hands.labels[deal],
            hands.equities[deal],
            workspace.num_comparisons,
        )
        for seat in range(NUM_SEATS):
            total = sum_winnings_over_tree(seat, 0, hands_of_deal, line)
            out_winnings[deal, seat] = total / hands_of_deal.num_possible[RIVER]


@cache
def evolve_with_local_judge(
    seed: int, generations: int = BY_GRADIENT.iterations
) -> BucketedProfile:
    """Evolve a limit hold'em agent whose judge sees real cards, and return its strategy; this takes ten minutes.

    The judge is a `LocalJudge`. The strategy is that of the mean of the last generation, and not of the best agent,
    which may have had lucky deals.

    Parameters
    ----------
    seed : int
        The seed of the evolution and of its deals.
    generations : int
        The number of generations, by default 200 as in lesson 11.

    Returns
    -------
    BucketedProfile
        The strategy, in both seats of the game with six buckets of hands.
    """
    game = make_six_bucket_game()
    encoding = TupleTable(game, positive=BY_GRADIENT.positive)
    coevolution = MinimaxCoevolution(
        game,
        seed=seed,
        encoding=encoding,
        evolution=make_evolution_strategy(BY_GRADIENT),
        worst_case=LocalJudge(),
    )
    state = coevolution.step(coevolution.init(), generations)

    # Each seat has an evolution of its own, whose mean has the genes of that seat.
    genome = state.best.copy()
    for genes, evolution in zip(
        coevolution.gene_indices_by_evolution, state.evolutions, strict=True
    ):
        genome[genes] = evolution.mean
    profile: BucketedProfile = encoding.make_profile(genome)
    return profile
