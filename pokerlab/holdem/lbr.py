"""Local best response: what a simple opponent with real cards is sure to win from a bucketed strategy.

How to read it. The exploiter knows the strategy, and keeps the exact probability of each hand that the opponent may
hold: Bayes' rule with what the strategy does in that hand's bucket. At its turn it compares three things as if it
would check and call ever after: to fold, to call, and to raise, upon which some hands fold and the others call. It
takes the best, and then plays on. That is a strategy like any other, so what it wins is a lower bound of what a best
response wins, in the game with real cards, where nobody can compute the best response of a strategy by going through
all hands in a moment [1]_.

Only the exploiter's two cards and the board are sampled. Over the opponent's cards and actions the
winnings are averaged exactly: all that the opponent may do is followed, each line with the
probabilities of all hands. And most of the luck of the exploiter's own cards is known, and is taken
off: what is won goes along with the win probability against a random hand, whose mean is known.

Run-outs say how often two hole cards beat each hand that they may meet, street by street, whatever is bet. Hole cards
and a board of five are known to the program, but a street only shows the cards dealt so far. Hands that the whole
board allows come first, then those that only the river forbids, then those that the turn does, then the flop: so the
hands that a street allows are the first so many of one order. On the river two hands are compared; on the turn on all
44 rivers that both allow; on the flop and before it on sampled run-outs.

References
----------
.. [1] V. Lisy, M. Bowling, "Equilibrium approximation quality of current no-limit poker bots", AAAI
   workshop on computer poker and imperfect information games, 2017: algorithm 1.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.betting_tree import DEAL, FOLDED, NUM_SEATS, SHOWDOWN
from pokerlab.holdem.bucket_passes import PublicNodes, public_nodes
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
    dealt,
    holding_numbers,
)
from pokerlab.holdem.equity import everybody
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING
from pokerlab.holdem.hand_expectations import Labels
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    key_and_bits,
    strength_of_seven,
    strength_with,
)

MOST_HANDS = (NUM_CARDS - 2) * (NUM_CARDS - 3) // 2  # hands that can be met when no board is known
CARDS_OF = HOLDINGS.astype(np.int64)
KEY_OF = CARD_KEYS[CARDS_OF].sum(axis=1).astype(np.int64)
BITS_OF = CARD_BITS[CARDS_OF].sum(axis=1).astype(np.int64)


class Hands(NamedTuple):
    """The hands that hole cards may meet, in an order in which each street allows the first so many."""

    number: Ints  # (1225,): which holding each is
    size: Ints  # (4,): how many a street allows, 1225, 1081, 1035, 990
    label: NDArray[np.uint8]  # (4, 1225): what each is called on each street, such as its bucket
    equity: Floats  # (4, 1225): how likely the hole cards beat each, ties counted half
    met: Floats  # (1225,): run-outs on which they met


def new_hands() -> Hands:
    """Return room for the hands."""
    return Hands(
        np.zeros(MOST_HANDS, np.int64),
        np.zeros(NUM_STREETS, np.int64),
        np.zeros((NUM_STREETS, MOST_HANDS), np.uint8),
        np.zeros((NUM_STREETS, MOST_HANDS)),
        np.zeros(MOST_HANDS),
    )


@kernel
def find_hands(
    cards: Cards,
    labels: NDArray[np.uint8],
    key: np.uint64,
    num_run_outs: int,
    needed_from: int,
    hands: Hands,
) -> None:
    """Write the hands that hole cards may meet, their labels and the equities against them.

    `cards` are hole cards, then the board; `labels`, (4, 1326), what all holdings are called on each street. By the
    luck of `key`, run-outs are sampled before the flop and on it; equities of streets before `needed_from` are zero.
    """
    order_hands(cards, hands)
    for street in range(NUM_STREETS):
        for place in range(hands.size[street]):
            hands.label[street, place] = labels[street, hands.number[place]]
            hands.equity[street, place] = 0.0
    full, deck = np.empty(7, np.uint8), np.empty(NUM_CARDS, np.uint8)
    full[:] = cards
    for street in range(needed_from, NUM_STREETS):
        size, known = hands.size[street], 2 + BOARD_SIZES[street]
        for place in range(size):
            hands.met[place] = 0.0
        if street == RIVER:
            run_out(full, street, size, hands)
        elif street == TURN:
            for card in range(NUM_CARDS):
                if not is_among(card, cards, known):
                    full[known] = card
                    run_out(full, street, size, hands)
        else:
            for number in range(num_run_outs):
                draw(cards, known, number_at(key, street * num_run_outs + number), deck, full)
                run_out(full, street, size, hands)
        full[:] = cards
        for place in range(size):
            # Who was never met counts as an equal: it cannot be known better.
            met = hands.met[place]
            hands.equity[street, place] = hands.equity[street, place] / met if met > 0.0 else 0.5


@inlined
def is_among(card: int, cards: Cards, known: int) -> bool:
    """Return whether a card is among the first `known`."""
    found = False
    for place in range(known):
        found |= cards[place] == card
    return found


@inlined
def order_hands(cards: Cards, hands: Hands) -> None:
    """Write the hands, those that most streets allow first, and how many each street allows."""
    size = 0
    for last in range(NUM_STREETS):
        street = RIVER - last
        for number in range(NUM_HOLDINGS):
            one, two = CARDS_OF[number, 0], CARDS_OF[number, 1]
            known = 2 + BOARD_SIZES[street]
            if is_among(one, cards, known) or is_among(two, cards, known):
                continue
            # A street later it was met already, unless a card that came then forbids it.
            beyond = 2 + BOARD_SIZES[min(street + 1, RIVER)]
            if street == RIVER or is_among(one, cards, beyond) or is_among(two, cards, beyond):
                hands.number[size] = number
                size += 1
        hands.size[street] = size


@inlined
def draw(cards: Cards, known: int, key: np.uint64, deck: Cards, full: Cards) -> None:
    """Write a random run-out behind the first `known` cards."""
    left = 0
    for card in range(NUM_CARDS):
        if not is_among(card, cards, known):
            deck[left] = card
            left += 1
    for place in range(known, 7):
        pick = np.int64(number_at(key, place) % np.uint64(left))
        full[place] = deck[pick]
        left -= 1
        deck[pick] = deck[left]


@inlined
def run_out(full: Cards, street: int, size: int, hands: Hands) -> None:
    """Add what the hole cards win of each hand on a whole board, and whom they meet."""
    key, bits = key_and_bits(full, 2, 7)
    on_board = np.int64(0)
    for place in range(2, 7):
        on_board |= 1 << np.int64(full[place])
    own = strength_with(key, bits, full[0], full[1])
    for place in range(size):
        number = hands.number[place]
        if (on_board >> CARDS_OF[number, 0] | on_board >> CARDS_OF[number, 1]) & 1:
            continue
        theirs = strength_of_seven(key + KEY_OF[number], bits + BITS_OF[number])
        hands.met[place] += 1.0
        if own > theirs:
            hands.equity[street, place] += 1.0
        elif own == theirs:
            hands.equity[street, place] += 0.5


DEALS_AT_ONCE = 100
DEALS_A_CONTROL = 20
"""With so many deals for each, a regression's bias is far below its standard error."""
MOST_DEPTH = 64
"""Nodes on a line of betting: with six bets a street there are at most 4 (8 + 1)."""


class LocalBestResponse(NamedTuple):
    """What a local best response wins, in small bets."""

    value: float  # over both seats: a lower bound of the exploitability with real cards
    standard_error: float
    seats: tuple[float, ...]  # what it wins on the button, and in the big blind
    seat_errors: tuple[float, ...]
    num_deals: int  # how it was sampled
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
    """Return what a local best response wins from a profile with real cards.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy; it plays its hands by the bucket of their exact win probability.
    num_deals : int
        Hole cards and boards of the exploiter, 1 to 10**8, each played in both seats.
    seed : int
        Of the deals and the run-outs.
    run_outs : int
        Sampled before the flop, and on the flop, for the exploiter's win probabilities; they are
        exact later on. Fewer make it play worse, not the bound wrong.
    active_from : int
        The street from which on it looks for the best; before, it checks and calls. Lisy & Bowling
        found that a later start often wins more. 0 is before the flop.

    Examples
    --------
    >>> from pokerlab.holdem import bucketed_limit_holdem
    >>> print(local_best_response(bucketed_limit_holdem(6).always_fold(), 10, seed=1))
    1.500 ± 0.000 small bets in both seats together, 10 deals, 100 run-outs, seed 1
    """
    whole("num_deals", num_deals, 1, MOST_DEALS)
    whole("run_outs", run_outs, 1, LARGEST_COUNT)
    whole("active_from", active_from, 0, RIVER)
    cards = dealt(seed, num_deals, 1)
    won, controls = winnings(profile, cards, key_of(seed, "run-outs"), run_outs, active_from)
    return summary(won, controls, run_outs, seed)


def winnings(
    profile: BucketedProfile, cards: Cards, key: np.uint64, run_outs: int, active_from: int
) -> tuple[Floats, Floats]:
    """Return what the exploiter wins by each deal in each seat, (n, 2), and controls, (n, 8).

    Controls are the win probability of its hole cards against a random hand on each street, and the
    square of it, less the mean over all hole cards on the board: zero on average.
    """
    game, hands = profile.game, new_hands()
    line = line_workspace(public_nodes(game.tree, profile.pointer), profile.table)
    won, controls = np.zeros((len(cards), NUM_SEATS)), np.zeros((len(cards), 2 * NUM_STREETS))
    with tqdm(total=len(cards), unit=" deals", delay=PROGRESS_AFTER, leave=False) as bar:
        for first in range(0, len(cards), DEALS_AT_ONCE):
            some = slice(first, first + DEALS_AT_ONCE)
            values = [everybody(cards[some, 2 : 2 + known]) for known in BOARD_SIZES]
            controls[some] = deviations(cards[some, :2], values)
            labels = labels_of(game.buckets, values)
            exploit(cards[some], labels, key, first, run_outs, active_from, hands, line, won[some])
            bar.update(len(labels))
    return won, controls


def labels_of(buckets: Buckets, values: list[Floats]) -> Labels:
    """Return the buckets of all holdings, (n, 4, 1326), by their values on each street.

    Who shares a card with the board has the value NaN, which is beyond all bounds.
    """
    labels = map(partial(np.searchsorted, side="right"), buckets.bounds, values)
    return np.stack(list(labels), axis=1).astype(np.uint8)


def deviations(holes: Cards, values: list[Floats]) -> Floats:
    """Return how far values and their squares are from their means over all hole cards, (n, 8)."""
    each = [power for value in values for power in (value, value**2)]
    row = np.arange(len(holes))
    return np.column_stack([v[row, holding_numbers(holes)] - np.nanmean(v, axis=1) for v in each])


def summary(won: Floats, controls: Floats, run_outs: int, seed: int) -> LocalBestResponse:
    """Return means and standard errors of winnings by deal and seat, (n, 2).

    With enough deals, what the luck of the exploiter's own cards explains is taken off: the means
    are those of a linear regression on the controls where these are zero.
    """
    each, size = np.column_stack([won, won.sum(axis=1)]), len(won)
    known = np.ones((size, 1))
    if size >= DEALS_A_CONTROL * controls.shape[1]:
        known = np.column_stack([known, controls])
    mean = np.linalg.lstsq(known, each, rcond=None)[0]
    error = np.full(NUM_SEATS + 1, np.nan)
    if size > 1:
        spread = ((each - known @ mean) ** 2).sum(axis=0) / (size - known.shape[1])
        error = np.sqrt(spread * np.linalg.pinv(known.T @ known)[0, 0])
    *seats, both = mean[0].tolist()
    *seat_errors, both_error = error.tolist()
    return LocalBestResponse(
        both, both_error, tuple(seats), tuple(seat_errors), size, run_outs, seed
    )


class LineWorkspace(NamedTuple):
    """A strategy, and what following a line of betting works on."""

    tree: PublicNodes  # the public tree, with a row of the table at each decision
    table: Floats  # (rows, B, 3): the strategy
    node: Ints  # (128,): nodes still to be visited,
    depth: Ints  # (128,): how deep,
    action: Ints  # (128,): and by which action of the opponent; -1: by none
    row: Ints  # (64,): by depth, the row of the table for the opponent's next decision
    reach: Floats  # (64, 1225): by depth, how likely the strategy does what leads there, with each hand


def line_workspace(tree: PublicNodes, table: Floats) -> LineWorkspace:
    """Return a strategy with room to follow it."""
    node, depth, action = np.zeros((3, 2 * MOST_DEPTH), np.int64)
    row, reach = np.zeros(MOST_DEPTH, np.int64), np.zeros((MOST_DEPTH, MOST_HANDS))
    return LineWorkspace(tree, table, node, depth, action, row, reach)


@kernel
def exploit(
    cards: Cards,
    labels: Labels,
    key: np.uint64,
    first: int,
    num_run_outs: int,
    active_from: int,
    hands: Hands,
    line: LineWorkspace,
    out_won: Floats,
) -> None:
    """Write what the exploiter wins by each deal in each seat, (n, 2), on average over all else.

    Cards, (n, 7), are its hole cards, then the board; `labels`, (n, 4, 1326), the buckets of all holdings; `first` is
    the number of the first of these deals, and `key` of the luck of run-outs. `hands` and `line` are overwritten.
    """
    for deal in range(cards.shape[0]):
        own_key = number_at(key, first + deal)
        find_hands(cards[deal], labels[deal], own_key, num_run_outs, active_from, hands)
        for seat in range(NUM_SEATS):
            out_won[deal, seat] = won_in(seat, active_from, hands, line) / hands.size[RIVER]


@inlined
def won_in(seat: int, active_from: int, hands: Hands, line: LineWorkspace) -> float:
    """Return what is won in a seat, summed over the opponent's hands that the board allows."""
    tree, reach = line.tree, line.reach
    line.node[0], line.depth[0], line.action[0] = 0, 0, -1
    for place in range(hands.size[0]):
        reach[0, place] = 1.0
    waiting, won, last = 1, 0.0, hands.size[RIVER]
    while waiting:
        waiting -= 1
        node, depth = line.node[waiting], line.depth[waiting]
        if line.action[waiting] >= 0:
            move_on(line, hands, tree.street[node], depth, line.action[waiting])
            if weight(reach[depth], last) == 0.0:
                continue
        if tree.kind[node] == DEAL:
            node += 1
        street = tree.street[node]
        if tree.kind[node] == FOLDED:
            loser = tree.actor[node]
            paid = tree.paid[node, loser]
            won += (-paid if loser == seat else paid) * weight(reach[depth], last)
        elif tree.kind[node] == SHOWDOWN:
            share = weighted(reach[depth], hands.equity[RIVER], last)
            won += tree.paid[node, seat] * (2.0 * share - weight(reach[depth], last))
        elif tree.actor[node] == seat:
            action = CALLING
            if street >= active_from:
                action = locally_best(line, hands, node, depth, seat)
            line.node[waiting], line.depth[waiting] = tree.child[node, action], depth
            line.action[waiting] = -1
            waiting += 1
        else:
            line.row[depth] = tree.row[node]
            for action in range(NUM_ACTIONS):
                if tree.child[node, action] >= 0:
                    line.node[waiting] = tree.child[node, action]
                    line.depth[waiting] = depth + 1
                    line.action[waiting] = action
                    waiting += 1
    return won


@inlined
def move_on(line: LineWorkspace, hands: Hands, street: int, depth: int, action: int) -> None:
    """Write how likely the strategy gets one deeper by an action, with each hand."""
    row, before, after = line.row[depth - 1], line.reach[depth - 1], line.reach[depth]
    bucket = hands.label[street]
    for place in range(hands.size[street]):
        after[place] = before[place] * line.table[row, bucket[place], action]


@inlined
def weight(reach: Floats, size: int) -> float:
    """Return the sum of the first numbers."""
    total = 0.0
    for place in range(size):
        total += reach[place]
    return total


@inlined
def weighted(reach: Floats, equity: Floats, size: int) -> float:
    """Return the sum of products of the first numbers."""
    total = 0.0
    for place in range(size):
        total += reach[place] * equity[place]
    return total


@inlined
def locally_best(line: LineWorkspace, hands: Hands, node: int, depth: int, seat: int) -> int:
    """Return the action that would win most if all betting but the answer to a raise ended with it.

    What is won is counted from the moment: to fold wins nothing.
    """
    tree = line.tree
    street, other = tree.street[node], 1 - seat
    size, reach, equity = hands.size[street], line.reach[depth], hands.equity[street]
    total, share = weight(reach, size), weighted(reach, equity, size)
    pot = tree.paid[node, 0] + tree.paid[node, 1]
    owed = tree.paid[node, other] - tree.paid[node, seat]
    called = share * pot - (total - share) * owed
    best, action = called, CALLING
    if tree.child[node, FOLDING] >= 0 and called <= 0.0:
        best, action = 0.0, FOLDING
    raised = tree.child[node, RAISING]
    if raised >= 0:
        more = tree.paid[raised, seat] - tree.paid[node, other]
        folds, lost = 0.0, 0.0
        row, bucket = tree.row[raised], hands.label[street]
        for place in range(size):
            folding = reach[place] * line.table[row, bucket[place], FOLDING]
            folds += folding
            lost += folding * equity[place]
        stays, share = total - folds, share - lost
        # Algorithm 1 of [1]_, times the probability to get here.
        worth = folds * pot + share * (pot + more) - (stays - share) * (owed + more)
        if worth > best:
            action = RAISING
    return action
