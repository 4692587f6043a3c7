"""Local best response: a lower bound of the winnings of a best response with real cards against a bucketed strategy.

The exploiter knows the strategy. It computes the exact probability of each hand that the opponent may hold by Bayes'
rule, from the strategy's action probabilities in the bucket of that hand. When it is to act, it compares a fold, a call
and a raise. It assumes that it will only check and call afterward, and that after a raise some of the opponent's hands
fold and the others call. It takes the best of the three actions, and compares again at its next decision. Since this is
one of the strategies of the game with real cards, its winnings are a lower bound of those of a best response, which
cannot be computed by enumerating all hands because the game is too large [1]_.

Only the exploiter's two cards and the board are sampled. The winnings are averaged exactly over the opponent's cards
and actions: the whole public tree is searched, with the reach probabilities of all hands of the opponent. Most of the
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
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_integer
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.batched_tree import PublicNodes, make_public_nodes
from pokerlab.holdem.betting_tree import DEAL, FOLDED, NUM_SEATS, SHOWDOWN
from pokerlab.holdem.bucket_counts import Labels
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    MOST_DEALS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    PREFLOP,
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
from pokerlab.holdem.profile_checks import PROFILE_WANTED

MOST_OPPONENT_HANDS = (NUM_CARDS - 2) * (NUM_CARDS - 3) // 2
"""The number of hands that the opponent may hold before the flop, given the exploiter's two cards."""
HOLDING_CARDS = HOLDINGS.astype(np.int64)
HOLDING_KEYS = CARD_KEYS[HOLDING_CARDS].sum(axis=1).astype(np.int64)
HOLDING_BITS = CARD_BITS[HOLDING_CARDS].sum(axis=1).astype(np.int64)


class OpponentHands(NamedTuple):
    """The hands that the opponent may hold, in an order in which the hands that are possible on a street come first.

    The exploiter is the player of the local best response. With its two cards known, there are 1,225 hands.

    Attributes
    ----------
    holdings : ndarray of int64, shape (1225,)
        The index of each hand among `HOLDINGS`.
    num_possible : ndarray of int64, shape (4,)
        The number of hands that are possible on each street: 1225, 1081, 1035, 990.
    buckets : ndarray of uint8, shape (4, 1225)
        The bucket of each hand on each street.
    equities : ndarray of shape (4, 1225)
        The equity of the exploiter's hole cards against each hand, on each street.
    num_comparisons : ndarray of shape (1225,)
        The number of boards of the present street on which the hole cards were compared with each hand.
    """

    holdings: Ints
    num_possible: Ints
    buckets: NDArray[np.uint8]
    equities: Floats
    num_comparisons: Floats


def allocate_opponent_hands() -> OpponentHands:
    """Return arrays of zeros for the hands that the opponent may hold in a deal.

    `fill_opponent_hands` overwrites the arrays. The exploiter is the player of the local best response.

    Returns
    -------
    OpponentHands
        Arrays for all 1,225 hands that do not contain the exploiter's two cards.
    """
    return OpponentHands(
        holdings=np.zeros(MOST_OPPONENT_HANDS, np.int64),
        num_possible=np.zeros(NUM_STREETS, np.int64),
        buckets=np.zeros((NUM_STREETS, MOST_OPPONENT_HANDS), np.uint8),
        equities=np.zeros((NUM_STREETS, MOST_OPPONENT_HANDS)),
        num_comparisons=np.zeros(MOST_OPPONENT_HANDS),
    )


@kernel
def fill_opponent_hands(
    cards: Cards,
    buckets_of_holdings: NDArray[np.uint8],
    stream_key: np.uint64,
    num_run_outs: int,
    first_street: int,
    hands: OpponentHands,
) -> None:
    """Overwrite the hands that the opponent may hold in a deal, with their buckets and the equities against them.

    The exploiter is the player of the local best response. The equity against a hand is the share of the pot that the
    exploiter's hole cards win at a showdown on average, if only the board cards of the street are known. A run-out is a
    way to complete this board to five cards.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    buckets_of_holdings : ndarray of uint8, shape (4, 1326)
        The buckets of all holdings on each street.
    stream_key : uint64
        The key of the random stream of run-outs before the flop and on the flop.
    num_run_outs : int
        The number of run-outs that are drawn on each of these two streets.
    first_street : int
        The first street on which equities are needed. On earlier streets they are set to zero.
    hands : OpponentHands
        All its arrays are overwritten.
    """
    fill_holdings_by_last_street(cards, hands)
    for street in range(NUM_STREETS):
        for hand in range(hands.num_possible[street]):
            hands.buckets[street, hand] = buckets_of_holdings[street, hands.holdings[hand]]
            hands.equities[street, hand] = 0.0

    seven_cards = np.empty(7, np.uint8)
    deck = np.empty(NUM_CARDS, np.uint8)
    for street in range(first_street, NUM_STREETS):
        seven_cards[:] = cards
        for hand in range(hands.num_possible[street]):
            hands.num_comparisons[hand] = 0.0
        add_showdowns_of_street(cards, street, stream_key, num_run_outs, seven_cards, deck, hands)
        average_showdowns_of_street(street, hands)


@inlined
def add_showdowns_of_street(
    cards: Cards,
    street: int,
    stream_key: np.uint64,
    num_run_outs: int,
    seven_cards: Cards,
    deck: Cards,
    hands: OpponentHands,
) -> None:
    """Add the shares of the pot that the hole cards win at showdowns, over the run-outs of a street.

    The exploiter is the player of the local best response. A run-out is a way to complete the board of the street to
    five cards. On the river the board itself is the only one. On the turn all river cards are used, and on the flop and
    before it run-outs are drawn.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    stream_key : uint64
        The key of the random stream of run-outs.
    num_run_outs : int
        The number of run-outs that are drawn before the flop or on the flop.
    seven_cards : ndarray of uint8, shape (7,)
        The same cards as `cards`. The board cards that are not known on the street are overwritten by run-outs.
    deck : ndarray of uint8, shape (52,)
        Overwritten while run-outs are drawn.
    hands : OpponentHands
        The shares are added to its `equities` on the street, and the showdowns are counted in `num_comparisons`.
    """
    num_known = 2 + BOARD_SIZES[street]
    if street == RIVER:
        add_showdown_shares(seven_cards, street, hands)
    elif street == TURN:
        for card in range(NUM_CARDS):
            if not is_known_card(card, cards, num_known):
                seven_cards[num_known] = card
                add_showdown_shares(seven_cards, street, hands)
    else:
        for run_out in range(num_run_outs):
            run_out_key = compute_random_bits(stream_key, street * num_run_outs + run_out)
            complete_board_at_random(cards, num_known, run_out_key, deck, seven_cards)
            add_showdown_shares(seven_cards, street, hands)


@inlined
def average_showdowns_of_street(street: int, hands: OpponentHands) -> None:
    """Divide the sums of won shares of the pot on a street, in place, by the number of showdowns with each hand.

    If no showdown was possible with a hand, because each drawn board had one of its cards, the share is assumed to be
    one half.

    Parameters
    ----------
    street : int
        The street, 0 to 3.
    hands : OpponentHands
        Its `equities` on the street hold sums before, and means afterward.
    """
    for hand in range(hands.num_possible[street]):
        num_comparisons = hands.num_comparisons[hand]
        share_sum = hands.equities[street, hand]
        hands.equities[street, hand] = share_sum / num_comparisons if num_comparisons > 0.0 else 0.5


@inlined
def is_known_card(card: int, cards: Cards, num_known: int) -> bool:
    """Return whether a card is one of the known cards.

    The exploiter is the player of the local best response.

    Parameters
    ----------
    card : int
        The card, 0 to 51.
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    num_known : int
        The number of these cards that are known, from the first one on.
    """
    is_known = False
    for i in range(num_known):  # numba does not compile any() with a generator
        is_known |= cards[i] == card
    return is_known


@inlined
def fill_holdings_by_last_street(cards: Cards, hands: OpponentHands) -> None:
    """Write the opponent's hands so that those that are possible on more streets come first.

    The exploiter is the player of the local best response. A hand is possible on a street if it has none of the
    exploiter's hole cards and none of the board cards of the street. After the sorting, the hands that are possible on
    a street are the first `hands.num_possible[street]` hands.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        The exploiter's hole cards, followed by the board.
    hands : OpponentHands
        Its `holdings` and `num_possible` are overwritten.
    """
    num_written = 0
    for streets_before_river in range(NUM_STREETS):
        street = RIVER - streets_before_river  # from the river back to the first street
        num_known = 2 + BOARD_SIZES[street]
        num_known_later = 2 + BOARD_SIZES[min(street + 1, RIVER)]
        for holding in range(NUM_HOLDINGS):
            first_card, second_card = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            is_blocked = is_known_card(first_card, cards, num_known) or is_known_card(
                second_card, cards, num_known
            )
            if is_blocked:
                continue
            # A hand that is also possible on the next street has been written already.
            is_new = (
                street == RIVER
                or is_known_card(first_card, cards, num_known_later)
                or is_known_card(second_card, cards, num_known_later)
            )
            if is_new:
                hands.holdings[num_written] = holding
                num_written += 1
        hands.num_possible[street] = num_written


@inlined
def complete_board_at_random(
    cards: Cards, num_known: int, stream_key: np.uint64, deck: Cards, seven_cards: Cards
) -> None:
    """Draw the cards of the board that are not known yet at random, and write them into `seven_cards`.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,)
        Two hole cards and the board. The first `num_known` of these cards are known.
    num_known : int
        The number of known cards.
    stream_key : uint64
        The key of the random numbers of this board.
    deck : ndarray of uint8, shape (52,)
        Overwritten while drawing.
    seven_cards : ndarray of uint8, shape (7,)
        Its first `num_known` cards must be those of `cards`. The others are overwritten with random cards.
    """
    num_left = 0
    for card in range(NUM_CARDS):
        if not is_known_card(card, cards, num_known):
            deck[num_left] = card
            num_left += 1
    for i in range(num_known, 7):
        pick = np.int64(compute_random_bits(stream_key, i) % np.uint64(num_left))
        seven_cards[i] = deck[pick]
        # The last card of the deck takes the place of the card that was drawn.
        num_left -= 1
        deck[pick] = deck[num_left]


@inlined
def add_showdown_shares(seven_cards: Cards, street: int, hands: OpponentHands) -> None:
    """Add the shares of the pot that the hole cards win against the opponent's hands on a board of five cards.

    The share is 1 for a win, and 1/2 for a tie. Hands that share a card with the board are skipped.

    Parameters
    ----------
    seven_cards : ndarray of uint8, shape (7,)
        The hole cards followed by the board.
    street : int
        The street, 0 to 3. Its possible hands are compared, although the board has cards of later streets.
    hands : OpponentHands
        The shares are added to its `equities` on the street, and the showdowns are counted in `num_comparisons`.
    """
    board_key, board_bits = sum_keys_and_bits(seven_cards, 2, 7)
    board_cards = np.int64(0)  # one bit for each card
    for i in range(2, 7):
        board_cards |= 1 << np.int64(seven_cards[i])

    own_strength = evaluate_with_board(board_key, board_bits, seven_cards[0], seven_cards[1])
    for hand in range(hands.num_possible[street]):
        holding = hands.holdings[hand]
        first_card, second_card = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
        shares_card = (board_cards >> first_card | board_cards >> second_card) & 1
        if shares_card:
            continue
        strength = evaluate_seven(
            board_key + HOLDING_KEYS[holding], board_bits + HOLDING_BITS[holding]
        )
        hands.num_comparisons[hand] += 1.0
        if own_strength > strength:
            hands.equities[street, hand] += 1.0
        elif own_strength == strength:
            hands.equities[street, hand] += 0.5


DEALS_AT_ONCE = 100
DEALS_PER_CONTROL = 20
"""The number of deals per control variate from which on the bias of the regression is far below its standard error."""
NO_ACTION = -1  # in the stack of a search: the exploiter's action, or none, leads to the node
MOST_DEPTH = 64
"""More than the most nodes on a path of the public tree: with six bets a street these are 4 (8 + 1) = 36."""


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
        The profile, whose strategy is exploited in each seat. It plays each hand by the bucket of the hand's exact win
        probability.
    num_deals : int
        The number of deals, 1 to 10**8. Each is played in both seats. A deal is two hole cards of the
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
        The mean winnings in small bets a hand, in both seats together and in each seat, with standard errors.

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
    check_kind("profile", profile, BucketedProfile, PROFILE_WANTED)
    cards = deal_hands(seed, num_deals, 1)
    won, controls = compute_winnings_and_control_variates(
        profile, cards, draw_stream_key(seed, "run-outs"), run_outs, active_from
    )
    return estimate_mean_winnings(won, controls, run_outs, seed)


def compute_winnings_and_control_variates(
    profile: BucketedProfile, cards: Cards, stream_key: np.uint64, run_outs: int, active_from: int
) -> tuple[Floats, Floats]:
    """Return the winnings of a local best response in each deal and seat, with control variates.

    The player of the local best response is called the exploiter.

    Parameters
    ----------
    profile : BucketedProfile
        The profile, whose strategy is exploited in each seat.
    cards : ndarray of uint8, shape (n, 7)
        The exploiter's hole cards and the board of each of n deals.
    stream_key : uint64
        The key of the random streams of run-outs.
    run_outs : int
        The number of boards that are drawn for the exploiter's win probabilities before the flop, and on the flop.
    active_from : int
        The first street, 0 to 3, on which the exploiter does more than check and call.

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
    nodes = make_public_nodes(game.tree, profile.pointer)
    workspace = allocate_search_workspace(nodes, profile.table)
    won = np.zeros((len(cards), NUM_SEATS))
    controls = np.zeros((len(cards), 2 * NUM_STREETS))
    with tqdm(total=len(cards), unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for first_deal in range(0, len(cards), DEALS_AT_ONCE):
            batch = slice(first_deal, first_deal + DEALS_AT_ONCE)
            # The win probabilities of all holdings against a random hand, for each street.
            win_probabilities = [
                compute_all_win_probabilities(cards[batch, 2 : 2 + board_size])
                for board_size in BOARD_SIZES
            ]
            controls[batch] = compute_control_variates(cards[batch, :2], win_probabilities)
            buckets = find_buckets_of_holdings(game.buckets, win_probabilities)
            fill_winnings_of_deals(
                cards[batch],
                buckets,
                stream_key,
                first_deal,
                run_outs,
                active_from,
                hands,
                workspace,
                won[batch],
            )
            bar.update(len(buckets))
    return won, controls


def find_buckets_of_holdings(buckets: Buckets, win_probabilities: list[Floats]) -> Labels:
    """Return the buckets of all holdings on each street, given their win probabilities.

    A holding is a pair of hole cards. The win probability of a holding that shares a card with the board is NaN. It is
    sorted above all bounds, into the last bucket.

    Parameters
    ----------
    buckets : Buckets
        The bounds between the buckets of each street.
    win_probabilities : list of 4 ndarray of shape (n, 1326)
        The win probabilities of all holdings in n deals, one array for each street.

    Returns
    -------
    ndarray of uint8, shape (n, 4, 1326)
        The bucket of each holding on each street of each deal.
    """
    buckets_by_street = [
        np.searchsorted(street_bounds, street_probabilities, side="right")
        for street_bounds, street_probabilities in zip(
            buckets.bounds, win_probabilities, strict=True
        )
    ]
    return np.stack(buckets_by_street, axis=1).astype(np.uint8)


def compute_control_variates(holes: Cards, win_probabilities: list[Floats]) -> Floats:
    """Return the deviations of win probabilities, and of their squares, from the means over all holdings.

    The exploiter is the player of the local best response.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
        The exploiter's hole cards in each of n deals.
    win_probabilities : list of 4 ndarray of shape (n, 1326)
        The win probabilities of all holdings, one array for each street.

    Returns
    -------
    ndarray of shape (n, 8)
        For each street the deviation of the win probability of the hole cards, and the deviation of its square.
    """
    deals = np.arange(len(holes))
    own_holdings = find_holding_indices(holes)
    controls = []
    for probabilities in win_probabilities:
        for powers in (probabilities, probabilities**2):
            # The means are over the holdings that share no card with the board. The others are NaN.
            means = np.nanmean(powers, axis=1)
            controls.append(powers[deals, own_holdings] - means)
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
        The control variates of each deal, whose expectations are zero.
    run_outs, seed : int
        The parameters of the estimate, which the result records.

    Returns
    -------
    LocalBestResponse
        The means and standard errors in small bets a hand.
    """
    num_deals = len(winnings)
    winnings_by_seat_and_sum = np.column_stack([winnings, winnings.sum(axis=1)])
    regressors = np.ones((num_deals, 1))
    if num_deals >= DEALS_PER_CONTROL * controls.shape[1]:
        regressors = np.column_stack([regressors, controls])

    # The means of the controls are zero, so the constant of the regression estimates the mean winnings.
    coefficients = np.linalg.lstsq(regressors, winnings_by_seat_and_sum, rcond=None)[0]
    means = coefficients[0]

    # The variance of the constant is the residual variance times the first entry of the inverse of X'X.
    errors = np.full(NUM_SEATS + 1, np.nan)
    if num_deals > 1:
        residuals = winnings_by_seat_and_sum - regressors @ coefficients
        variance = (residuals**2).sum(axis=0) / (num_deals - regressors.shape[1])
        errors = np.sqrt(variance * np.linalg.pinv(regressors.T @ regressors)[0, 0])

    *seats, both_seats = means.tolist()
    *seat_errors, error_of_both = errors.tolist()
    return LocalBestResponse(
        value=both_seats,
        standard_error=error_of_both,
        seats=tuple(seats),
        seat_errors=tuple(seat_errors),
        num_deals=num_deals,
        run_outs=run_outs,
        seed=seed,
    )


class SearchWorkspace(NamedTuple):
    """A strategy, with the stack of a depth-first search of the public tree and the reach probabilities on its path.

    The exploiter is the player of the local best response.

    Attributes
    ----------
    tree : PublicNodes
        The public tree, with the row of the table for each decision.
    table : ndarray of shape (rows, B, 3)
        The strategy's action probabilities in each row, with each of B buckets.
    nodes : ndarray of int64, shape (2 * MOST_DEPTH,)
        The stack of nodes that are still to be visited.
    depths : ndarray of int64, shape (2 * MOST_DEPTH,)
        The number of the opponent's actions that lead to each node of the stack.
    actions : ndarray of int64, shape (2 * MOST_DEPTH,)
        The action of the opponent that leads to each node of the stack; -1 if it was the exploiter's action.
    rows : ndarray of int64, shape (MOST_DEPTH,)
        The row of the table for the opponent's next decision, at each depth.
    reach : ndarray of shape (MOST_DEPTH, 1225)
        The opponent's reach probability with each hand, at each depth.
    """

    tree: PublicNodes
    table: Floats
    nodes: Ints
    depths: Ints
    actions: Ints
    rows: Ints
    reach: Floats


def allocate_search_workspace(tree: PublicNodes, table: Floats) -> SearchWorkspace:
    """Return a strategy together with the arrays that a depth-first search of the public tree needs.

    Parameters
    ----------
    tree : PublicNodes
        The public tree, with the row of the table for each decision.
    table : ndarray of shape (rows, B, 3)
        The strategy's action probabilities in each row, with each of B buckets.

    Returns
    -------
    SearchWorkspace
        The given tree and table, and an empty stack of nodes.
    """
    nodes, depths, actions = np.zeros((3, 2 * MOST_DEPTH), np.int64)
    return SearchWorkspace(
        tree=tree,
        table=table,
        nodes=nodes,
        depths=depths,
        actions=actions,
        rows=np.zeros(MOST_DEPTH, np.int64),
        reach=np.zeros((MOST_DEPTH, MOST_OPPONENT_HANDS)),
    )


@kernel
def fill_winnings_of_deals(
    cards: Cards,
    buckets: Labels,
    stream_key: np.uint64,
    first_deal: int,
    num_run_outs: int,
    active_from: int,
    hands: OpponentHands,
    workspace: SearchWorkspace,
    out_won: Floats,
) -> None:
    """Write the exploiter's winnings in each deal and seat, averaged over the opponent's cards and actions.

    The exploiter is the player of the local best response.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n, 7)
        The exploiter's hole cards and the board of each of n deals.
    buckets : ndarray of uint8, shape (n, 4, 1326)
        The buckets of all holdings on each street.
    stream_key : uint64
        The key of the random streams of run-outs.
    first_deal : int
        The index of the first of these deals. The index of a deal decides its random numbers.
    num_run_outs : int
        The number of run-outs, which complete the board, that are drawn before the flop and on the flop.
    active_from : int
        The first street, 0 to 3, on which the exploiter does more than check and call.
    hands : OpponentHands
        Memory for the opponent's hands in one deal; overwritten.
    workspace : SearchWorkspace
        The strategy that is exploited; the arrays of the search are overwritten.
    out_won : ndarray of shape (n, 2)
        Overwritten with winnings in small bets.
    """
    for deal in range(cards.shape[0]):
        deal_key = compute_random_bits(stream_key, first_deal + deal)
        fill_opponent_hands(cards[deal], buckets[deal], deal_key, num_run_outs, active_from, hands)
        num_hands = hands.num_possible[RIVER]  # all of them are equally likely
        for seat in range(NUM_SEATS):
            won = sum_winnings_over_tree(seat, active_from, hands, workspace)
            out_won[deal, seat] = won / num_hands


@inlined
def sum_winnings_over_tree(
    seat: int, active_from: int, hands: OpponentHands, workspace: SearchWorkspace
) -> float:
    """Return the exploiter's winnings in a seat, summed over the opponent's hands that are possible on the board.

    The exploiter is the player of the local best response. A depth-first search visits the public tree, with the
    opponent's reach probabilities of all hands. At a decision of the exploiter only the chosen action is followed, and
    at a decision of the opponent all actions are.

    Parameters
    ----------
    seat : int
        The exploiter's seat, 0 or 1.
    active_from : int
        The first street, 0 to 3, on which the exploiter does more than check and call.
    hands : OpponentHands
        The opponent's hands with the equities against them.
    workspace : SearchWorkspace
        Its stack and its reach probabilities are overwritten.

    Returns
    -------
    float
        The sum of the winnings in small bets.
    """
    tree, reach = workspace.tree, workspace.reach
    num_hands = hands.num_possible[RIVER]
    # At depth 0 the opponent has not acted yet.
    for hand in range(hands.num_possible[PREFLOP]):
        reach[0, hand] = 1.0

    # Begin with the root, node 0, on an empty stack.
    stack_size = push_node(workspace, 0, 0, 0, NO_ACTION)
    won = 0.0
    while stack_size:
        # Take the last node from the stack, and compute the reach after the opponent's action that leads to it.
        stack_size -= 1
        node, depth = workspace.nodes[stack_size], workspace.depths[stack_size]
        last_action = workspace.actions[stack_size]
        if last_action != NO_ACTION:
            fill_reach_after_action(workspace, hands, tree.street[node], depth, last_action)
            if sum_reach(reach[depth], num_hands) == 0.0:
                continue

        if tree.kind[node] == DEAL:
            node += 1  # the betting of the next street begins at the node after the deal

        if tree.kind[node] == FOLDED:
            loser = tree.actor[node]
            paid = tree.paid[node, loser]
            payoff = -paid if loser == seat else paid
            won += payoff * sum_reach(reach[depth], num_hands)
        elif tree.kind[node] == SHOWDOWN:
            # For each hand the exploiter wins its share of both payments, minus its own payment.
            share = sum_reach_times_equity(reach[depth], hands.equities[RIVER], num_hands)
            won += tree.paid[node, seat] * (2.0 * share - sum_reach(reach[depth], num_hands))
        elif tree.actor[node] == seat:
            action = CALLING
            if tree.street[node] >= active_from:
                action = choose_locally_best_action(workspace, hands, node, depth, seat)
            stack_size = push_node(
                workspace, stack_size, tree.child[node, action], depth, NO_ACTION
            )
        else:
            stack_size = push_opponent_actions(workspace, stack_size, node, depth)
    return won


@inlined
def push_opponent_actions(
    workspace: SearchWorkspace, stack_size: int, node: int, depth: int
) -> int:
    """Put the nodes after all possible actions of the opponent on the stack, and return the new number of nodes on it.

    Parameters
    ----------
    workspace : SearchWorkspace
        Its stack is changed, and the row of the table for this decision is stored.
    stack_size : int
        The number of nodes on the stack before.
    node : int
        The opponent's decision in the public tree.
    depth : int
        The number of the opponent's actions before.
    """
    workspace.rows[depth] = workspace.tree.row[node]
    for action in range(NUM_ACTIONS):
        child = workspace.tree.child[node, action]
        if child >= 0:
            stack_size = push_node(workspace, stack_size, child, depth + 1, action)
    return stack_size


@inlined
def push_node(
    workspace: SearchWorkspace, stack_size: int, node: int, depth: int, action: int
) -> int:
    """Put a node on the stack of nodes that are still to be visited, and return the new number of nodes on it.

    The exploiter is the player of the local best response.

    Parameters
    ----------
    workspace : SearchWorkspace
        Its stack is changed.
    stack_size : int
        The number of nodes on the stack before.
    node : int
        The public node.
    depth : int
        The number of the opponent's actions that lead to the node.
    action : int
        The opponent's action that leads to the node, or NO_ACTION if it is the exploiter's.
    """
    workspace.nodes[stack_size] = node
    workspace.depths[stack_size] = depth
    workspace.actions[stack_size] = action
    return stack_size + 1


@inlined
def fill_reach_after_action(
    workspace: SearchWorkspace, hands: OpponentHands, street: int, depth: int, action: int
) -> None:
    """Write the opponent's reach probabilities of all hands after one of its actions.

    They are the reach probabilities before the action, times the action probabilities of the strategy with the bucket
    of each hand.

    Parameters
    ----------
    workspace : SearchWorkspace
        It holds the reach probabilities at depth `depth - 1`. Those at depth `depth` are overwritten.
    hands : OpponentHands
        The opponent's hands with their buckets.
    street : int
        The street of the action.
    depth : int
        The number of the opponent's actions, including this one.
    action : int
        FOLDING, CALLING or RAISING.
    """
    row = workspace.rows[depth - 1]
    reach_before = workspace.reach[depth - 1]
    reach_after = workspace.reach[depth]
    buckets = hands.buckets[street]
    for hand in range(hands.num_possible[street]):
        reach_after[hand] = reach_before[hand] * workspace.table[row, buckets[hand], action]


@inlined
def sum_reach(reach: Floats, num_hands: int) -> float:
    """Return the sum of the reach probabilities of the hands that are possible on a street.

    Parameters
    ----------
    reach : ndarray of shape (1225,)
        The opponent's reach probability with each hand.
    num_hands : int
        The number of possible hands, which come first.
    """
    total = 0.0
    for hand in range(num_hands):
        total += reach[hand]
    return total


@inlined
def sum_reach_times_equity(reach: Floats, equities: Floats, num_hands: int) -> float:
    """Return the sum of reach probability times equity over the hands that are possible on a street.

    The exploiter is the player of the local best response.

    Parameters
    ----------
    reach : ndarray of shape (1225,)
        The opponent's reach probability with each hand.
    equities : ndarray of shape (1225,)
        The equity of the exploiter's hole cards against each hand.
    num_hands : int
        The number of possible hands, which come first.
    """
    total = 0.0
    for hand in range(num_hands):
        total += reach[hand] * equities[hand]
    return total


@inlined
def choose_locally_best_action(
    workspace: SearchWorkspace, hands: OpponentHands, node: int, depth: int, seat: int
) -> int:
    """Return the action with the largest expected winnings if the exploiter only checks and calls afterward.

    This is algorithm 1 of Lisy & Bowling (2017). The exploiter is the player of the local best response. Winnings are
    counted from this decision on, so those of a fold are 0: chips that are already in the pot count as lost. All
    winnings are multiplied by the probability of reaching this decision.

    Parameters
    ----------
    workspace : SearchWorkspace
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
    tree = workspace.tree
    street = tree.street[node]
    opponent = 1 - seat
    num_hands = hands.num_possible[street]
    reach, equities = workspace.reach[depth], hands.equities[street]

    # The opponent's reach probability, and the part of it against which the exploiter would win a showdown.
    total_reach = sum_reach(reach, num_hands)
    won_reach = sum_reach_times_equity(reach, equities, num_hands)
    pot = tree.paid[node, 0] + tree.paid[node, 1]
    owed = tree.paid[node, opponent] - tree.paid[node, seat]
    call_value = won_reach * pot - (total_reach - won_reach) * owed
    best_value, best_action = call_value, CALLING
    if tree.child[node, FOLDING] >= 0 and call_value <= 0.0:
        best_value, best_action = 0.0, FOLDING

    node_after_raise = tree.child[node, RAISING]
    if node_after_raise < 0:
        return best_action

    # After a raise, each of the opponent's hands folds with the strategy's probability, and calls otherwise. Divide the
    # reach, and its part against which the exploiter would win, into these two cases.
    row, buckets = tree.row[node_after_raise], hands.buckets[street]
    fold_reach, won_fold_reach = 0.0, 0.0
    for hand in range(num_hands):
        hand_fold_reach = reach[hand] * workspace.table[row, buckets[hand], FOLDING]
        fold_reach += hand_fold_reach
        won_fold_reach += hand_fold_reach * equities[hand]
    call_reach = total_reach - fold_reach
    won_call_reach = won_reach - won_fold_reach

    # The formula of algorithm 1, multiplied by the probability of reaching this decision.
    raised_by = tree.paid[node_after_raise, seat] - tree.paid[node, opponent]
    raise_value = (
        fold_reach * pot
        + won_call_reach * (pot + raised_by)
        - (call_reach - won_call_reach) * (owed + raised_by)
    )
    return RAISING if raise_value > best_value else best_action
