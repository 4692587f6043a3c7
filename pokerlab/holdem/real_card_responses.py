"""A best response that sees its cards, against a strategy that sees only the bucket of its own, flop by flop.

Given the betting before the flop, every flop is a game of its own. The winnings of the best response on a flop are
computed for each of its holdings and each *betting history*, which is a sequence of actions before the flop. One pass
over the public tree suffices, because the opponent does not see the responder's cards (Johanson and others, IJCAI
2011).

The strategy depends on a hand only through its buckets. So its reach probability of a betting history is a product with
one factor for each street, which depends on the bucket of the hand on that street. `StreetTree` has the factors of one
street. The product over the streets before is called the *weight* of a hand. The responder knows its own two cards, and
the opponent cannot hold them. So a sum over the opponent's hands is the sum over all hands, minus those with the first
card, minus those with the second card, plus the hand with both cards, which was subtracted twice.

Winnings are computed separately for each street on which a hand can end, beginning with the present street. On the
river, which takes most of the time, many betting histories are computed at once: see `pokerlab.holdem.river_winnings`.

Cards to come that are equivalent by suits are dealt once. The *symmetries* of a board are the renamings of suits that
do not change it. If several cards differ only by a symmetry, one of them is dealt, and its probability is multiplied by
their number. Because a renaming also changes the responder's hole cards, the winnings are then averaged over the
symmetries.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem.betting_tree import NUM_SEATS
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDS_CARD,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
    PREFLOP,
    RIVER,
    TURN,
    Cards,
)
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.hand_classes import RENAMED_HOLDINGS, SUIT_RENAMINGS
from pokerlab.holdem.river_winnings import (
    BLOCK_SIZE,
    Floats32,
    RiverHands,
    add_winnings_on_rivers,
    compute_river_terminal_payoffs,
    fill_sorted_river_hands,
    pack_histories_into_blocks,
)
from pokerlab.holdem.street_trees import StreetTree, build_street_trees, fill_street_best_response

NO_CHOICES = np.zeros((0, 0, 0), np.int64)  # for best responses whose decisions are not needed
MOST_BUCKETS = 256
"""The number of different buckets, which are stored as uint8."""


class RiverHistories(NamedTuple):
    """The betting histories before the river that matter, with the payoffs at the end of the river's betting.

    Attributes
    ----------
    indices : ndarray of int64, shape (n,)
        The indices of n histories among all that lead to the river.
    terminal_payoffs : ndarray of float32, shape (blocks, B, T, BLOCK_SIZE)
        The payoffs at T folds and showdowns against B buckets, from `compute_river_terminal_payoffs`. A block has
        BLOCK_SIZE histories.
    """

    indices: Ints
    terminal_payoffs: Floats32


@dataclass(frozen=True, eq=False)
class RealCardResponse:
    """A best response with real cards to a bucketed strategy, in both seats.

    The methods compute its winnings, street by street.

    Attributes
    ----------
    profile : BucketedProfile
        The profile. In each seat, the best response plays against the other seat's strategy.
    missing : tuple of int
        Cards that are removed from the deck; none by default.
    """

    profile: BucketedProfile
    missing: tuple[int, ...] = ()

    @cached_property
    def street_trees(self) -> list[tuple[StreetTree, ...]]:
        """The betting trees of the four streets against the strategy, for each seat of the best response."""
        return [build_street_trees(self.profile, player) for player in range(NUM_SEATS)]

    @cached_property
    def river_histories(self) -> list[RiverHistories]:
        """The betting histories before the river that the opponent can reach, for each seat of the best response.

        Histories that the opponent reaches with probability zero with every hand are left out.
        """
        histories_by_seat = []
        for trees in self.street_trees:
            # From street to street, pass a bound of the opponent's reach probability of each history with any hand.
            largest_reach = np.ones((1, 1))
            for tree in trees[:RIVER]:
                largest_reach_of_nodes = tree.reach.max(axis=1)  # over the buckets
                largest_reach = largest_reach * largest_reach_of_nodes[tree.deals]
                largest_reach = largest_reach.reshape(1, -1)
            indices = np.flatnonzero(largest_reach[0])
            payoffs = compute_river_terminal_payoffs(trees[RIVER], indices)
            histories_by_seat.append(RiverHistories(indices, payoffs))
        return histories_by_seat

    def find_buckets_on_boards(self, boards: Cards) -> Ints:
        """Return the bucket of each holding on each of several boards.

        A holding is a pair of hole cards.

        Parameters
        ----------
        boards : ndarray of uint8, shape (n, k)
            The k cards of each of n boards.

        Returns
        -------
        ndarray of int64, shape (n, 1326)
            The bucket of each holding, or -1 if the holding has a card of the board or a missing card.
        """
        win_probabilities = compute_all_win_probabilities(boards)
        bounds = self.profile.game.buckets.bounds[BOARD_SIZES.index(boards.shape[1])]
        buckets = np.searchsorted(bounds, win_probabilities, side="right")
        has_missing_card = HOLDS_CARD[list(self.missing)].any(axis=0)
        is_impossible = np.isnan(win_probabilities) | has_missing_card
        return np.where(is_impossible, -1, buckets)

    def find_board_symmetries(self, cards: Cards) -> Ints:
        """Return the symmetries of a set of cards: the renamings of suits that do not change the set.

        They must not change the set of missing cards, which are not in the deck, either.

        Parameters
        ----------
        cards : ndarray of uint8, shape (k,)
            The k cards of a board, in any order.

        Returns
        -------
        ndarray of int64
            The indices of the symmetries in `SUIT_RENAMINGS`.
        """
        is_symmetry = np.ones(len(SUIT_RENAMINGS), bool)
        for card_set in (np.array(self.missing, np.int64), cards):
            suits = card_set % NUM_SUITS
            renamed_cards = card_set - suits + SUIT_RENAMINGS[:, suits]
            is_symmetry &= (np.sort(renamed_cards, axis=1) == np.sort(card_set)).all(axis=1)
        return np.flatnonzero(is_symmetry)

    def iterate_next_boards(
        self, board: Cards, symmetries: Ints
    ) -> Iterator[tuple[Cards, float, Ints]]:
        """Yield the boards with one more card, one board for each class of equivalent cards.

        Two cards are equivalent if a symmetry of the board, a renaming of suits that does not change it, turns one into
        the other.

        Parameters
        ----------
        board : ndarray of uint8, shape (k,)
            The k cards of the board.
        symmetries : ndarray of int64
            The symmetries of the board, as indices in `SUIT_RENAMINGS`.

        Yields
        ------
        longer_board : ndarray of uint8, shape (k + 1,)
            The board with the lowest card of the class.
        probability : float
            The probability that the next card is of this class, given two hands that have none of its cards.
        symmetries : ndarray of int64
            The symmetries of the longer board.
        """
        cards_left = np.setdiff1d(np.arange(NUM_CARDS), [*board, *self.missing])
        num_possible = len(cards_left) - 2 * NUM_SEATS  # without the hole cards of both hands
        for card in cards_left:
            suit = card % NUM_SUITS
            equivalent_cards = card - suit + SUIT_RENAMINGS[symmetries, suit]
            is_lowest_of_class = card == equivalent_cards.min()
            if is_lowest_of_class:
                probability = len(np.unique(equivalent_cards)) / num_possible
                longer_board = np.append(board, np.uint8(card))
                yield longer_board, probability, symmetries[equivalent_cards == card]

    def find_preflop_buckets_and_opponent_weights(self) -> tuple[Ints, Floats]:
        """Return the buckets of all holdings before the flop, and the opponent's reach probability with each of them.

        A holding is a pair of hole cards. Before the first action the reach probability is 1 with each holding.

        Returns
        -------
        buckets : ndarray of int64, shape (1326,)
            The bucket of each holding, or -1 for a holding with a card that is not in the deck.
        opponent_weights : ndarray of shape (1326, 1)
            1 for each possible holding and 0 for impossible ones. The second axis is the betting history, and here
            the only history is the empty one.
        """
        no_cards = np.zeros((1, 0), np.uint8)
        buckets = self.find_buckets_on_boards(no_cards)[0]
        return buckets, np.where(buckets < 0, 0.0, 1.0)[:, None]

    def compute_flop_winnings(self, flop: Cards) -> list[Floats]:
        """Return the winnings of the best response on a flop in each seat, with each of its holdings.

        They are in small bets, summed over the opponent's holdings (pairs of hole cards), weighted by the opponent's
        reach probabilities, and averaged over the cards to come.

        Parameters
        ----------
        flop : ndarray of uint8, shape (3,)
            The cards of the flop.

        Returns
        -------
        list of 2 ndarray of shape (3, 1326, H)
            One array for each seat. The axes are the street on which hands end (flop, turn or river), the holding of
            the best response, and the betting history before the flop. Impossible holdings have 0.
        """
        preflop_buckets, preflop_weights = self.find_preflop_buckets_and_opponent_weights()
        symmetries = self.find_board_symmetries(flop)
        winnings_by_seat = []
        for player, trees in enumerate(self.street_trees):
            flop_weights = trees[PREFLOP].compute_next_street_weights(
                preflop_weights, preflop_buckets
            )
            winnings = self.compute_street_winnings(
                player, flop, symmetries, [preflop_buckets], flop_weights
            )
            winnings_by_seat.append(winnings)
        return winnings_by_seat

    def compute_street_winnings(
        self,
        player: int,
        board: Cards,
        symmetries: Ints,
        earlier_buckets: list[Ints],
        opponent_weights: Floats,
    ) -> Floats:
        """Return the winnings of the best response from the flop or the turn on, with each of its holdings.

        A holding is a pair of hole cards. The winnings on later streets are computed first, by a recursive call for
        each next card. Then the decisions on this street are made with each holding.

        Parameters
        ----------
        player : int
            The seat of the best response.
        board : ndarray of uint8, shape (k,)
            The board of the present street, the flop or the turn.
        symmetries : ndarray of int64
            The renamings of suits that do not change the board, as indices in `SUIT_RENAMINGS`.
        earlier_buckets : list of ndarray of int64, shape (1326,)
            The bucket of each holding on each of the earlier streets.
        opponent_weights : ndarray of shape (1326, H)
            The opponent's reach probability of each of the H betting histories before this street with each holding.

        Returns
        -------
        ndarray of shape (P, 1326, H)
            The axes are the street on which hands end (this one and the later ones, P streets), the holding of the best
            response, and the betting history.
        """
        street = len(earlier_buckets)
        buckets = self.find_buckets_on_boards(board[None])[0]
        buckets_so_far = [*earlier_buckets, buckets]
        opponent_weights = np.where(buckets[:, None] < 0, 0.0, opponent_weights)
        winnings = np.zeros((NUM_STREETS - street, *opponent_weights.shape))
        if not opponent_weights.any():
            return winnings

        # Compute the winnings on later streets, averaged over the next cards.
        tree = self.street_trees[player][street]
        if street == TURN:
            later_winnings = self.compute_river_winnings(
                player, board, symmetries, buckets_so_far, opponent_weights
            )
        else:
            next_weights = tree.compute_next_street_weights(opponent_weights, buckets)
            later_winnings = np.zeros((RIVER - street, *next_weights.shape))
            for longer_board, probability, longer_symmetries in self.iterate_next_boards(
                board, symmetries
            ):
                winnings_after_card = self.compute_street_winnings(
                    player, longer_board, longer_symmetries, buckets_so_far, next_weights
                )
                later_winnings += probability * winnings_after_card

        # Only one card of each class was dealt. The others give the same winnings to a holding with renamed suits.
        if len(symmetries) > 1:
            winnings_of_renamings = later_winnings[:, RENAMED_HOLDINGS[symmetries]]
            later_winnings = np.ascontiguousarray(winnings_of_renamings.mean(axis=1))

        fill_street_best_response(
            tree, buckets, opponent_weights, later_winnings, winnings, NO_CHOICES
        )
        return winnings

    def compute_river_winnings(
        self,
        player: int,
        turn_board: Cards,
        symmetries: Ints,
        buckets_so_far: list[Ints],
        opponent_weights: Floats,
    ) -> Floats:
        """Return the winnings of the best response on the river with each holding, averaged over river cards.

        A holding is a pair of hole cards.

        Parameters
        ----------
        player : int
            The seat of the best response.
        turn_board : ndarray of uint8, shape (4,)
            The board on the turn.
        symmetries : ndarray of int64
            The renamings of suits that do not change this board, as indices in `SUIT_RENAMINGS`.
        buckets_so_far : list of 3 ndarray of int64, shape (1326,)
            The bucket of each holding on each street up to the turn.
        opponent_weights : ndarray of shape (1326, H)
            The opponent's reach probability of each of the H betting histories before the turn with each holding.

        Returns
        -------
        ndarray of shape (1, 1326, river histories)
            The last two axes are the holding of the best response and the betting history before the river.
        """
        all_rivers, probabilities, _ = zip(
            *self.iterate_next_boards(turn_board, symmetries), strict=True
        )
        boards = np.array(all_rivers)
        turn_buckets = buckets_so_far[-1]
        is_possible_on_turn = turn_buckets >= 0
        hands = np.empty((len(boards), NUM_HOLDINGS), np.int32)
        num_hands = fill_sorted_river_hands(boards, is_possible_on_turn, hands)

        # The weights where the river begins are computed once for each class of holdings with equal weights.
        first_of_class, class_of_holding = group_holdings_by_buckets(buckets_so_far)
        class_weights = self.street_trees[player][TURN].compute_next_street_weights(
            opponent_weights[first_of_class], turn_buckets[first_of_class]
        )

        # Compute the winnings after the histories that the opponent can reach, in blocks of histories.
        rivers = RiverHands(
            hands=hands[:, :num_hands],
            buckets=self.find_buckets_on_boards(boards).astype(np.uint8),
            probabilities=np.array(probabilities, np.float32),
            weight_classes=class_of_holding,
        )
        histories, terminal_payoffs = self.river_histories[player]
        block_winnings = np.zeros((len(terminal_payoffs), NUM_HOLDINGS, BLOCK_SIZE), np.float32)
        root = self.street_trees[player][RIVER].nodes[0]
        acts_first = (np.float32(root["actor"] == player),) * self.profile.game.tree.raise_cap
        block_weights = pack_histories_into_blocks(class_weights[:, histories])
        add_winnings_on_rivers(acts_first, rivers, block_weights, terminal_payoffs, block_winnings)

        # Unpack the blocks. Histories that were left out win nothing.
        winnings_by_history = np.moveaxis(block_winnings, 1, 2).reshape(-1, NUM_HOLDINGS)
        winnings = np.zeros((1, NUM_HOLDINGS, class_weights.shape[1]))
        winnings[0, :, histories] = winnings_by_history[: len(histories)]
        return winnings


def group_holdings_by_buckets(buckets_by_street: list[Ints]) -> tuple[Ints, Ints]:
    """Divide the holdings into classes that have the same buckets on all streets up to the turn.

    A holding is a pair of hole cards. A bucketed strategy plays all holdings of a class in the same way. Impossible
    holdings are a class of their own.

    Parameters
    ----------
    buckets_by_street : list of 3 ndarray of int64, shape (1326,)
        The bucket of each holding before the flop, on the flop and on the turn. It is -1 on the last of them for an
        impossible holding.

    Returns
    -------
    first_of_class : ndarray of int64, shape (classes,)
        The first holding of each class.
    class_of_holding : ndarray of int64, shape (1326,)
        The class of each holding.
    """
    # The code of a holding is a number with its buckets as digits.
    digits = np.maximum(buckets_by_street, 0)
    codes = np.ravel_multi_index(tuple(digits), (MOST_BUCKETS,) * len(digits))
    is_possible = buckets_by_street[-1] >= 0
    _, first_of_class, class_of_holding = np.unique(
        np.where(is_possible, codes, -1), return_index=True, return_inverse=True
    )
    return first_of_class, class_of_holding
