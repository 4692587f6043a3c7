"""Local best response: a lower bound of the winnings of a best response with real cards against a bucketed strategy.

The exploiter knows the strategy. It computes the exact probability of each hand that the opponent may hold by Bayes'
rule, from the strategy's action probabilities in the bucket of that hand. When it is to act, it compares a fold, a call
and a raise. It assumes that it will only check and call afterward, and that after a raise some of the opponent's hands
fold and the others call. It takes the best of the three actions, and compares again at its next decision. Since this is
one of the strategies of the game with real cards, its winnings are a lower bound of those of a best response, which
cannot be computed by enumerating all hands because the game is too large [1]_.

Only the exploiter's two cards and the board are sampled. The winnings are averaged exactly over the opponent's cards
and actions: each line of betting is followed, with the reach probabilities of all hands of the opponent. Most of the
variance that comes from the exploiter's own cards is removed by control variates, because winnings are correlated with
the win probability against a random hand, whose mean is known.

The equity of the two hole cards against each hand is computed on run-outs, which are boards completed to five cards,
for each street. Although the program knows the whole board, only the cards of the present street may be used. The
opponent's hands are ordered so that the hands that are possible on a street come first: first those that are possible
on the river, then those that contain the river card, then those that contain the turn card, then those with a card of
the flop. On the river two hands are compared on the board itself. On the turn they are compared on all 44 rivers that
are possible with both hands, and on the flop and before it on sampled run-outs.

References
----------
.. [1] V. Lisy, M. Bowling, "Equilibrium approximation quality of current no-limit poker bots", AAAI
   workshop on computer poker and imperfect information games, 2017: algorithm 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.betting_tree import DEAL, FOLDED, NUM_SEATS, SHOWDOWN
from pokerlab.holdem.bucket_counts import Labels
from pokerlab.holdem.bucket_lanes import PublicNodes, make_public_nodes
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    MOST_DEALS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    RIVER,
    TURN,
    Cards,
    deal_hands,
    find_holding_indices,
)
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    evaluate_seven,
    evaluate_with_board,
    sum_keys_and_bits,
)

MOST_OPPONENT_HANDS = (NUM_CARDS - 2) * (NUM_CARDS - 3) // 2
"""The number of hands that the opponent may hold before the flop, given the exploiter's two cards."""
HOLDING_CARDS = HOLDINGS.astype(np.int64)
HOLDING_KEYS = CARD_KEYS[HOLDING_CARDS].sum(axis=1).astype(np.int64)
HOLDING_BITS = CARD_BITS[HOLDING_CARDS].sum(axis=1).astype(np.int64)


class OpponentHands(NamedTuple):
    """The hands that the opponent may hold, in an order in which the hands that are possible on a street come first.

    Attributes
    ----------
    holding : ndarray of int64, shape (1225,)
        The index of each hand among `HOLDINGS`.
    size : ndarray of int64, shape (4,)
        The number of hands that are possible on each street: 1225, 1081, 1035, 990.
    label : ndarray of uint8, shape (4, 1225)
        The bucket of each hand on each street.
    equity : ndarray of shape (4, 1225)
        The equity of the exploiter's hole cards against each hand, on each street.
    num_comparisons : ndarray of shape (1225,)
        The number of run-outs of the present street on which the hole cards were compared with each hand.
    """

    holding: Ints
    size: Ints
    label: NDArray[np.uint8]
    equity: Floats
    num_comparisons: Floats


def allocate_opponent_hands() -> OpponentHands:
    """Return arrays of zeros for the opponent's hands, which `compute_equities_by_hand` overwrites."""
    return OpponentHands(
        np.zeros(MOST_OPPONENT_HANDS, np.int64),
        np.zeros(NUM_STREETS, np.int64),
        np.zeros((NUM_STREETS, MOST_OPPONENT_HANDS), np.uint8),
        np.zeros((NUM_STREETS, MOST_OPPONENT_HANDS)),
        np.zeros(MOST_OPPONENT_HANDS),
    )


@kernel
def compute_equities_by_hand(
    cards: Cards,
    labels: NDArray[np.uint8],
    key: np.uint64,
    num_run_outs: int,
    first_street: int,
    hands: OpponentHands,
) -> None:
    """Write the hands that the opponent may hold, their buckets, and the equities of the hole cards against them.

    The equity against a hand is the share of the pot that the exploiter wins at a showdown on average, if only the
    cards of the street are known.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    labels : ndarray of uint8, shape (4, 1326)
        The buckets of all holdings on each street.
    key : uint64
        The key of the random stream of run-outs before the flop and on the flop.
    num_run_outs : int
        The number of run-outs that are drawn on each of these two streets.
    first_street : int
        The first street on which equities are needed. On earlier streets they are set to zero.
    hands : OpponentHands
        Overwritten.
    """
    order_hands_by_blocking_street(cards, hands)
    for street in range(NUM_STREETS):
        for place in range(hands.size[street]):
            hands.label[street, place] = labels[street, hands.holding[place]]
            hands.equity[street, place] = 0.0

    full_cards = np.empty(7, np.uint8)
    deck = np.empty(NUM_CARDS, np.uint8)
    for street in range(first_street, NUM_STREETS):
        full_cards[:] = cards
        for place in range(hands.size[street]):
            hands.num_comparisons[place] = 0.0
        add_results_of_street(cards, street, key, num_run_outs, full_cards, deck, hands)
        average_results_of_street(street, hands)


@inlined
def add_results_of_street(
    cards: Cards,
    street: int,
    key: np.uint64,
    num_run_outs: int,
    full_cards: Cards,
    deck: Cards,
    hands: OpponentHands,
) -> None:
    """Add the results of the hole cards on all run-outs of a street to `hands.equity`.

    On the river the board itself is the only run-out. On the turn all river cards are used, and on the flop and before
    it run-outs are drawn.

    Parameters
    ----------
    cards, key, num_run_outs, hands
        As in `compute_equities_by_hand`.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    full_cards : ndarray of uint8, shape (7,)
        The same cards as `cards`; the board cards that are not known on the street are overwritten.
    deck : ndarray of uint8, shape (52,)
        Overwritten.
    """
    num_known = 2 + BOARD_SIZES[street]
    if street == RIVER:
        add_results_of_run_out(full_cards, street, hands)
    elif street == TURN:
        for card in range(NUM_CARDS):
            if not is_among_first(card, cards, num_known):
                full_cards[num_known] = card
                add_results_of_run_out(full_cards, street, hands)
    else:
        for run_out in range(num_run_outs):
            run_out_key = compute_random_bits(key, street * num_run_outs + run_out)
            complete_board_at_random(cards, num_known, run_out_key, deck, full_cards)
            add_results_of_run_out(full_cards, street, hands)


@inlined
def average_results_of_street(street: int, hands: OpponentHands) -> None:
    """Replace the sums of results on a street by equities: divide them by the number of comparisons with each hand.

    If no run-out was possible with both hands, each is assumed to win half of the pot.
    """
    for place in range(hands.size[street]):
        count = hands.num_comparisons[place]
        total = hands.equity[street, place]
        hands.equity[street, place] = total / count if count > 0.0 else 0.5


@inlined
def is_among_first(card: int, cards: Cards, num_known: int) -> bool:
    """Return whether a card is one of the first `num_known` cards of an array."""
    found = False
    for place in range(num_known):
        found |= cards[place] == card
    return found


@inlined
def order_hands_by_blocking_street(cards: Cards, hands: OpponentHands) -> None:
    """Write the opponent's hands in their order, and the number of hands that are possible on each street.

    A hand that is possible on more streets comes first. So the hands that are possible on a street are the first
    `hands.size[street]` hands.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    hands : OpponentHands
        Its `holding` and `size` are overwritten.
    """
    size = 0
    for streets_before_river in range(NUM_STREETS):
        street = RIVER - streets_before_river
        known = 2 + BOARD_SIZES[street]
        known_later = 2 + BOARD_SIZES[min(street + 1, RIVER)]
        for holding in range(NUM_HOLDINGS):
            first_card, second_card = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            is_blocked = is_among_first(first_card, cards, known) or is_among_first(
                second_card, cards, known
            )
            if is_blocked:
                continue
            # A hand that is also possible on the next street has been written already.
            is_new = (
                street == RIVER
                or is_among_first(first_card, cards, known_later)
                or is_among_first(second_card, cards, known_later)
            )
            if is_new:
                hands.holding[size] = holding
                size += 1
        hands.size[street] = size


@inlined
def complete_board_at_random(
    cards: Cards, num_known: int, key: np.uint64, deck: Cards, full_cards: Cards
) -> None:
    """Draw the cards of the board that are not known yet at random.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        Two hole cards and the board, of which the first `num_known` cards are known.
    num_known : int
        The number of known cards.
    key : uint64
        The key of the random numbers of this run-out.
    deck : ndarray of uint8, shape (52,)
        Overwritten while drawing.
    full_cards : ndarray of uint8, shape (7,)
        Its first `num_known` cards must be those of `cards`. The others are overwritten with random cards.
    """
    num_left = 0
    for card in range(NUM_CARDS):
        if not is_among_first(card, cards, num_known):
            deck[num_left] = card
            num_left += 1
    for place in range(num_known, 7):
        pick = np.int64(compute_random_bits(key, place) % np.uint64(num_left))
        full_cards[place] = deck[pick]
        # The last card of the deck takes the place of the card that was drawn.
        num_left -= 1
        deck[pick] = deck[num_left]


@inlined
def add_results_of_run_out(full_cards: Cards, street: int, hands: OpponentHands) -> None:
    """Compare the hole cards with the hands that are possible on a street, and add the results to their equities.

    A win adds 1 and a tie 1/2 to the equity of the street. Hands that share a card with the board are skipped.

    Parameters
    ----------
    full_cards : ndarray of uint8, shape (7,)
        The hole cards followed by a board of five cards.
    street : int
        The street whose equities are changed.
    hands : OpponentHands
        Its `equity` and `num_comparisons` are changed.
    """
    board_key, board_bits = sum_keys_and_bits(full_cards, 2, 7)
    on_board = np.int64(0)  # one bit for each card
    for place in range(2, 7):
        on_board |= 1 << np.int64(full_cards[place])

    own_strength = evaluate_with_board(board_key, board_bits, full_cards[0], full_cards[1])
    for place in range(hands.size[street]):
        holding = hands.holding[place]
        first_card, second_card = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
        shares_card = (on_board >> first_card | on_board >> second_card) & 1
        if shares_card:
            continue
        strength = evaluate_seven(
            board_key + HOLDING_KEYS[holding], board_bits + HOLDING_BITS[holding]
        )
        hands.num_comparisons[place] += 1.0
        if own_strength > strength:
            hands.equity[street, place] += 1.0
        elif own_strength == strength:
            hands.equity[street, place] += 0.5


DEALS_AT_ONCE = 100
DEALS_PER_CONTROL = 20
"""The number of deals per control variate from which on the bias of the regression is far below its standard error."""
NO_ACTION = -1  # in the stack of a search: the exploiter's action, or none, leads to the node
MOST_DEPTH = 64
"""More than the most nodes on a line of betting: with six bets a street these are 4 (8 + 1) = 36."""


class LocalBestResponse(NamedTuple):
    """The winnings of a local best response, in small bets a hand.

    Attributes
    ----------
    value : float
        The sum over both seats, which is a lower bound of the exploitability with real cards.
    standard_error : float
        The standard error of `value`.
    seats, seat_errors : tuple of 2 float
        The winnings on the button and in the big blind, and their standard errors.
    num_deals, run_outs, seed : int
        The parameters of `local_best_response` with which the winnings were estimated.
    """

    value: float
    standard_error: float
    seats: tuple[float, ...]
    seat_errors: tuple[float, ...]
    num_deals: int
    run_outs: int
    seed: int

    def __str__(self) -> str:
        return (
            f"{self.value:.3f} ± {self.standard_error:.3f} small bets in both seats together,"
            f" {self.num_deals:,} deals, {self.run_outs} run-outs, seed {self.seed}"
        )


def local_best_response(
    profile: BucketedProfile,
    num_deals: int,
    *,
    seed: int,
    run_outs: int = 100,
    active_from: int = 0,
) -> LocalBestResponse:
    """Return an estimate of the winnings of a local best response with real cards against a bucketed profile.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy that is exploited. It plays each hand by the bucket of the hand's exact win probability.
    num_deals : int
        The number of deals, 1 to 10**8, each of which is played in both seats. A deal is two hole cards of the
        exploiter and a board.
    seed : int
        The seed of the deals and of the run-outs.
    run_outs : int
        The number of boards that are sampled for the exploiter's win probabilities before the flop, and on the flop.
        On the turn and the river win probabilities are exact. With fewer run-outs the exploiter plays worse, but its
        winnings are still a lower bound.
    active_from : int
        The first street, 0 (before the flop) to 3 (river), on which the exploiter takes the best action. On earlier
        streets it checks and calls. Lisy & Bowling found that a later start often wins more.

    Returns
    -------
    LocalBestResponse

    Raises
    ------
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem import bucketed_limit_holdem
    >>> print(local_best_response(bucketed_limit_holdem(6).always_fold(), 10, seed=1))
    1.500 ± 0.000 small bets in both seats together, 10 deals, 100 run-outs, seed 1
    """
    validate_integer("num_deals", num_deals, 1, MOST_DEALS)
    validate_integer("run_outs", run_outs, 1, LARGEST_COUNT)
    validate_integer("active_from", active_from, 0, RIVER)
    cards = deal_hands(seed, num_deals, 1)
    won, controls = compute_winnings_and_controls(
        profile, cards, draw_stream_key(seed, "run-outs"), run_outs, active_from
    )
    return estimate_mean_winnings(won, controls, run_outs, seed)


def compute_winnings_and_controls(
    profile: BucketedProfile, cards: Cards, key: np.uint64, run_outs: int, active_from: int
) -> tuple[Floats, Floats]:
    """Return the exploiter's winnings in each deal and seat, with control variates.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy that is exploited.
    cards : ndarray of uint8, shape (n, 7)
        The exploiter's hole cards and the board of each of n deals.
    key : uint64
        The key of the random streams of run-outs.
    run_outs, active_from : int
        The parameters of `local_best_response`.

    Returns
    -------
    won : ndarray of shape (n, 2)
        The winnings in small bets, in each deal and seat.
    controls : ndarray of shape (n, 8)
        The win probability of the hole cards against a random hand on each street, and its square, each minus its mean
        over all possible hole cards. So their expectation is zero.
    """
    game = profile.game
    hands = allocate_opponent_hands()
    work = allocate_line_workspace(make_public_nodes(game.tree, profile.pointer), profile.table)
    won = np.zeros((len(cards), NUM_SEATS))
    controls = np.zeros((len(cards), 2 * NUM_STREETS))
    with tqdm(total=len(cards), unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for first in range(0, len(cards), DEALS_AT_ONCE):
            batch = slice(first, first + DEALS_AT_ONCE)
            # The win probabilities of all holdings, for each street.
            values = [
                compute_all_win_probabilities(cards[batch, 2 : 2 + board_size])
                for board_size in BOARD_SIZES
            ]
            controls[batch] = compute_control_variates(cards[batch, :2], values)
            labels = find_buckets_of_holdings(game.buckets, values)
            fill_winnings_of_deals(
                cards[batch], labels, key, first, run_outs, active_from, hands, work, won[batch]
            )
            bar.update(len(labels))
    return won, controls


def find_buckets_of_holdings(buckets: Buckets, values: list[Floats]) -> Labels:
    """Return the buckets of all holdings on each street, given their win probabilities.

    The win probability of a holding that shares a card with the board is NaN. It is sorted above all bounds, into the
    last bucket.

    Parameters
    ----------
    buckets : Buckets
    values : list of ndarray of shape (n, 1326)
        The win probabilities of all holdings in n deals, one array for each of the four streets.

    Returns
    -------
    ndarray of uint8, shape (n, 4, 1326)
    """
    labels = [
        np.searchsorted(bounds, of_street, side="right")
        for bounds, of_street in zip(buckets.bounds, values, strict=True)
    ]
    return np.stack(labels, axis=1).astype(np.uint8)


def compute_control_variates(holes: Cards, values: list[Floats]) -> Floats:
    """Return the deviations of win probabilities, and of their squares, from the means over all holdings.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
        The exploiter's hole cards in each of n deals.
    values : list of ndarray of shape (n, 1326)
        The win probabilities of all holdings, one array for each of the four streets.

    Returns
    -------
    ndarray of shape (n, 8)
        For each street the deviation of the win probability and that of its square.
    """
    deal = np.arange(len(holes))
    own_holding = find_holding_indices(holes)
    controls = []
    for win_probabilities in values:
        for power in (win_probabilities, win_probabilities**2):
            mean = np.nanmean(power, axis=1)  # over the holdings that share no card with the board
            controls.append(power[deal, own_holding] - mean)
    return np.column_stack(controls)


def estimate_mean_winnings(
    winnings: Floats, controls: Floats, run_outs: int, seed: int
) -> LocalBestResponse:
    """Return the mean winnings and their standard errors, estimated with control variates.

    The estimates are the intercepts of a linear regression of winnings on the control variates. With fewer than
    DEALS_PER_CONTROL deals for each control variate they are the plain means. With one deal the standard errors are
    NaN.

    Parameters
    ----------
    winnings : ndarray of shape (n, 2)
        The winnings in n deals and two seats.
    controls : ndarray of shape (n, 8)
        The control variates of each deal.
    run_outs, seed : int
        The parameters of the estimate, which the result records.
    """
    num_deals = len(winnings)
    by_seat_and_sum = np.column_stack([winnings, winnings.sum(axis=1)])
    regressors = np.ones((num_deals, 1))
    if num_deals >= DEALS_PER_CONTROL * controls.shape[1]:
        regressors = np.column_stack([regressors, controls])

    # The means of the controls are zero, so the constant of the regression estimates the mean winnings.
    coefficients = np.linalg.lstsq(regressors, by_seat_and_sum, rcond=None)[0]
    means = coefficients[0]

    # The variance of the constant is the residual variance times the first entry of the inverse of X'X.
    errors = np.full(NUM_SEATS + 1, np.nan)
    if num_deals > 1:
        residuals = by_seat_and_sum - regressors @ coefficients
        variance = (residuals**2).sum(axis=0) / (num_deals - regressors.shape[1])
        errors = np.sqrt(variance * np.linalg.pinv(regressors.T @ regressors)[0, 0])

    *seats, both_seats = means.tolist()
    *seat_errors, error_of_both = errors.tolist()
    return LocalBestResponse(
        both_seats, error_of_both, tuple(seats), tuple(seat_errors), num_deals, run_outs, seed
    )


class LineWorkspace(NamedTuple):
    """A strategy, with the stack of a depth-first search and the reach probabilities along a line of betting.

    Attributes
    ----------
    tree : PublicNodes
        The public tree, with the row of the table for each decision.
    table : ndarray of shape (rows, B, 3)
        The strategy's action probabilities in each row, with each of B buckets.
    node : ndarray of int64, shape (128,)
        The stack of nodes that are still to be visited.
    depth : ndarray of int64, shape (128,)
        The number of the opponent's actions that lead to each node of the stack.
    action : ndarray of int64, shape (128,)
        The action of the opponent that leads to each node of the stack; -1 if it was the exploiter's action.
    row : ndarray of int64, shape (64,)
        The row of the table for the opponent's next decision, at each depth.
    reach : ndarray of shape (64, 1225)
        The opponent's reach probability with each hand, at each depth.
    """

    tree: PublicNodes
    table: Floats
    node: Ints
    depth: Ints
    action: Ints
    row: Ints
    reach: Floats


def allocate_line_workspace(tree: PublicNodes, table: Floats) -> LineWorkspace:
    """Return a strategy together with the arrays that are needed to follow its lines of betting."""
    node, depth, action = np.zeros((3, 2 * MOST_DEPTH), np.int64)
    row = np.zeros(MOST_DEPTH, np.int64)
    reach = np.zeros((MOST_DEPTH, MOST_OPPONENT_HANDS))
    return LineWorkspace(tree, table, node, depth, action, row, reach)


@kernel
def fill_winnings_of_deals(
    cards: Cards,
    labels: Labels,
    key: np.uint64,
    first: int,
    num_run_outs: int,
    active_from: int,
    hands: OpponentHands,
    work: LineWorkspace,
    out_won: Floats,
) -> None:
    """Write the exploiter's winnings in each deal and seat, averaged over the opponent's cards and actions.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n, 7)
        The exploiter's hole cards and the board of each of n deals.
    labels : ndarray of uint8, shape (n, 4, 1326)
        The buckets of all holdings on each street.
    key : uint64
        The key of the random streams of run-outs.
    first : int
        The index of the first of these deals, which decides their random numbers.
    num_run_outs, active_from : int
        The number of run-outs, and the first street on which the exploiter does more than check and call.
    hands, work : OpponentHands, LineWorkspace
        Overwritten.
    out_won : ndarray of shape (n, 2)
        Overwritten with winnings in small bets.
    """
    for deal in range(cards.shape[0]):
        deal_key = compute_random_bits(key, first + deal)
        compute_equities_by_hand(
            cards[deal], labels[deal], deal_key, num_run_outs, active_from, hands
        )
        num_hands = hands.size[RIVER]  # all of them are equally likely
        for seat in range(NUM_SEATS):
            won = sum_winnings_over_lines(seat, active_from, hands, work)
            out_won[deal, seat] = won / num_hands


@inlined
def sum_winnings_over_lines(
    seat: int, active_from: int, hands: OpponentHands, work: LineWorkspace
) -> float:
    """Return the exploiter's winnings in a seat, summed over the opponent's hands that are possible on the board.

    A depth-first search follows all lines of betting, with the opponent's reach probabilities of all hands. At a
    decision of the exploiter only the chosen action is followed, and at a decision of the opponent all actions are.

    Parameters
    ----------
    seat : int
        The exploiter's seat, 0 or 1.
    active_from : int
        The first street on which the exploiter does more than check and call.
    hands : OpponentHands
        The opponent's hands with the equities against them.
    work : LineWorkspace
        Its stack and its reach probabilities are overwritten.
    """
    tree, reach = work.tree, work.reach
    num_hands = hands.size[RIVER]
    for place in range(hands.size[0]):
        reach[0, place] = 1.0

    num_waiting = push_node(work, 0, 0, 0, NO_ACTION)  # nodes on the stack
    won = 0.0
    while num_waiting:
        # Take the last node from the stack, and compute the reach after the opponent's action that leads to it.
        num_waiting -= 1
        node, depth = work.node[num_waiting], work.depth[num_waiting]
        last_action = work.action[num_waiting]
        if last_action != NO_ACTION:
            fill_reach_after_action(work, hands, tree.street[node], depth, last_action)
            if sum_reach(reach[depth], num_hands) == 0.0:
                continue

        if tree.kind[node] == DEAL:
            node += 1  # the betting of the next street begins at the node after the deal

        if tree.kind[node] == FOLDED:
            loser = tree.actor[node]
            paid = tree.paid[node, loser]
            won += (-paid if loser == seat else paid) * sum_reach(reach[depth], num_hands)
        elif tree.kind[node] == SHOWDOWN:
            # For each hand the exploiter wins its share of both payments, minus its own payment.
            share = sum_reach_products(reach[depth], hands.equity[RIVER], num_hands)
            won += tree.paid[node, seat] * (2.0 * share - sum_reach(reach[depth], num_hands))
        elif tree.actor[node] == seat:
            action = CALLING
            if tree.street[node] >= active_from:
                action = choose_locally_best_action(work, hands, node, depth, seat)
            num_waiting = push_node(work, num_waiting, tree.child[node, action], depth, NO_ACTION)
        else:
            work.row[depth] = tree.row[node]
            for action in range(NUM_ACTIONS):
                child = tree.child[node, action]
                if child >= 0:
                    num_waiting = push_node(work, num_waiting, child, depth + 1, action)
    return won


@inlined
def push_node(work: LineWorkspace, num_waiting: int, node: int, depth: int, action: int) -> int:
    """Put a node on the stack of nodes that are still to be visited, and return the new number of nodes on it.

    Parameters
    ----------
    work : LineWorkspace
        Its stack is changed.
    num_waiting : int
        The number of nodes on the stack before.
    node : int
        The public node.
    depth : int
        The number of the opponent's actions that lead to the node.
    action : int
        The opponent's action that leads to the node, or NO_ACTION if it is the exploiter's.
    """
    work.node[num_waiting] = node
    work.depth[num_waiting] = depth
    work.action[num_waiting] = action
    return num_waiting + 1


@inlined
def fill_reach_after_action(
    work: LineWorkspace, hands: OpponentHands, street: int, depth: int, action: int
) -> None:
    """Write the opponent's reach probabilities of all hands after one of its actions.

    They are those before the action, times the action probabilities of the strategy with the bucket of each hand.

    Parameters
    ----------
    work : LineWorkspace
        It holds the reach probabilities at the depth before; those at `depth` are overwritten.
    hands : OpponentHands
        The opponent's hands with their buckets.
    street : int
        The street of the action.
    depth : int
        The number of the opponent's actions, including this one.
    action : int
        FOLDING, CALLING or RAISING.
    """
    row = work.row[depth - 1]
    before = work.reach[depth - 1]
    after = work.reach[depth]
    bucket = hands.label[street]
    for place in range(hands.size[street]):
        after[place] = before[place] * work.table[row, bucket[place], action]


@inlined
def sum_reach(reach: Floats, size: int) -> float:
    """Return the sum of the first `size` reach probabilities."""
    total = 0.0
    for place in range(size):
        total += reach[place]
    return total


@inlined
def sum_reach_products(reach: Floats, equity: Floats, size: int) -> float:
    """Return the sum over the first `size` hands of the reach probability times the equity."""
    total = 0.0
    for place in range(size):
        total += reach[place] * equity[place]
    return total


@inlined
def choose_locally_best_action(
    work: LineWorkspace, hands: OpponentHands, node: int, depth: int, seat: int
) -> int:
    """Return the action with the largest expected winnings if the exploiter only checks and calls afterward.

    This is algorithm 1 of Lisy & Bowling (2017). Winnings are counted from this decision on, so those of a fold are 0:
    chips that are already in the pot count as lost. All winnings are multiplied by the probability of reaching this
    decision.

    Parameters
    ----------
    work : LineWorkspace
        It holds the opponent's reach probabilities at the depth `depth`.
    hands : OpponentHands
        The opponent's hands with the equities against them.
    node : int
        The exploiter's decision in the public tree.
    depth : int
        The number of the opponent's actions before.
    seat : int
        The exploiter's seat.

    Returns
    -------
    int
        FOLDING, CALLING or RAISING. Of equally good actions a fold comes first, then a call.
    """
    tree = work.tree
    street = tree.street[node]
    other = 1 - seat
    size, reach, equity = hands.size[street], work.reach[depth], hands.equity[street]

    # The opponent's reach probability, and the part of it against which the exploiter would win a showdown.
    total = sum_reach(reach, size)
    won = sum_reach_products(reach, equity, size)
    pot = tree.paid[node, 0] + tree.paid[node, 1]
    owed = tree.paid[node, other] - tree.paid[node, seat]
    call_value = won * pot - (total - won) * owed
    best_value, best_action = call_value, CALLING
    if tree.child[node, FOLDING] >= 0 and call_value <= 0.0:
        best_value, best_action = 0.0, FOLDING

    # After a raise, each of the opponent's hands folds with the strategy's probability, and calls otherwise.
    raised = tree.child[node, RAISING]
    if raised >= 0:
        raised_by = tree.paid[raised, seat] - tree.paid[node, other]
        folded, won_from_folded = 0.0, 0.0
        row, bucket = tree.row[raised], hands.label[street]
        for place in range(size):
            folding = reach[place] * work.table[row, bucket[place], FOLDING]
            folded += folding
            won_from_folded += folding * equity[place]
        called, won_from_called = total - folded, won - won_from_folded
        # The formula of algorithm 1, multiplied by the probability of reaching this decision.
        raise_value = (
            folded * pot
            + won_from_called * (pot + raised_by)
            - (called - won_from_called) * (owed + raised_by)
        )
        if raise_value > best_value:
            best_action = RAISING
    return best_action
