"""How evolved players decide at the table, once more and slowly: rule genomes, networks, matrices.

Card by card and word by word, or one number at a time. `pokerlab.holdem.RuleEncoding`, `TableNetwork` and
`MatrixEncoding` explain the genes, the settings, which have the same names here, and the readings of the
papers.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import halfnorm

from pokerlab.core.arrays import Floats
from pokerlab.holdem.equity import win_probability
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.table_view import BET, OVERALL, RECENT, SeatView, draw_hand_random_number

ACE = 14
WHEEL = {ACE, 2, 3, 4, 5}
RUNS = [WHEEL, *(set(range(low, low + 5)) for low in range(2, 11))]
"""The ranks of the ten straights, the lowest first."""


def rule_decision(
    genome: Sequence[float],
    view: SeatView,
    *,
    board_bit: str = "veto",
    check_raise_draw: str = "hand",
    check_raise_cards: str = "any",
    amount: str = "round",
) -> int:
    """Return what a rule genome, 42 genes, does: FOLD, CALL, or the chips to raise to."""
    bluff, check_raise = genome[:2]
    genes = genome[2 + 10 * view.street : 12 + 10 * view.street]
    preferred, maximum, bets_all = genes[4:7]
    stays, strong = judged(genes, view, board_bit)
    if view.hand_random_number < bluff:
        stays = strong = True

    owed = view.legal_actions.to_call
    if not stays:
        return FOLD if owed else CALL
    put_in = {"round": view.bets[view.seat], "price": 0, "hand": view.paid[view.seat]}[amount]
    limitless = strong and bool(bets_all)
    is_slow = draw_hand_random_number(
        view.words, 1 + view.street if check_raise_draw == "round" else 1
    )
    check_raises = is_slow < check_raise and (strong or check_raise_cards == "any")
    would_open = limitless or preferred > put_in
    if not owed:
        return raised(view, limitless) if would_open and not check_raises else CALL
    if limitless or preferred > put_in + owed:
        return raised(view, limitless)
    if not strong and put_in + owed > maximum:
        return FOLD
    its_turn_again = view.has_checked and view.bets[view.seat] == 0
    return raised(view, False) if its_turn_again and would_open and check_raises else CALL


def judged(genes: Sequence[float], view: SeatView, board_bit: str) -> tuple[bool, bool]:
    """Return whether the cards are good enough to stay with, and whether they are strong."""
    hole, board = (
        [(int(card) // 4 + 2, int(card) % 4) for card in c] for c in (view.hole_cards, view.board)
    )
    hand = made(hole + board)
    strong = hand >= (genes[2], genes[3])
    stays = strong or hand >= (genes[0], genes[1])
    if board:
        beats_board = hand > made(board)
        if board_bit == "veto" and not genes[7] and not beats_board:
            stays = strong = False
        if board_bit == "license" and genes[7] and beats_board:
            stays = True
    if len(board) in (3, 4):
        stays |= bool(genes[8]) and is_near_straight(hole, board)
        stays |= bool(genes[9]) and is_near_flush(hole, board)
    return stays, strong


def made(cards: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the category and the rank of what cards, each a rank and a suit, make.

    Without kickers: the rank is that of the high card, the higher pair, the three or four, or the
    top of a straight or flush.
    """
    if len(cards) > 5:
        return max(made(five) for five in combinations(cards, 5))
    times = Counter(rank for rank, _ in cards)
    (rank, most), *rest = sorted(times.items(), key=lambda item: (item[1], item[0]), reverse=True)
    pattern = [most, *(count for _, count in rest)]
    has_flush = len(cards) == 5 and len({suit for _, suit in cards}) == 1
    has_straight = set(times) in RUNS
    top = 5 if set(times) == WHEEL else max(times)
    if has_flush and has_straight:
        return 8, top
    if most == 4:
        return 7, rank
    if pattern[:2] == [3, 2]:
        return 6, rank
    if has_flush:
        return 5, top if has_straight else max(times)
    if has_straight:
        return 4, top
    if most == 3:
        return 3, rank
    if most == 2:
        return (2 if pattern[:2] == [2, 2] else 1), rank
    return 0, rank


def is_near_straight(hole: Sequence[tuple[int, int]], board: Sequence[tuple[int, int]]) -> bool:
    """Return whether one more rank makes a straight that it would not make with the board alone."""
    on_board = {rank for rank, _ in board}
    together = on_board | {rank for rank, _ in hole}
    if any(run <= together for run in RUNS):
        return False
    return any(len(run - together) == 1 and len(run - on_board) > 1 for run in RUNS)


def is_near_flush(hole: Sequence[tuple[int, int]], board: Sequence[tuple[int, int]]) -> bool:
    """Return whether four cards have one suit, a hole card among them, and no fifth."""
    times = Counter(suit for _, suit in [*hole, *board])
    return any(times[suit] == 4 for _, suit in hole)


def raised(view: SeatView, as_much_as_possible: bool) -> int:
    """Return the smallest or the largest raise, or a call where none is allowed."""
    legal = view.legal_actions
    return (legal.max_raise_to if as_much_as_possible else legal.min_raise_to) or CALL


MILLION = 10**6


def network_inputs(
    view: SeatView,
    *,
    scale: str = "mean stack",
    against: str = "one hand",
) -> list[float]:
    """Return the 35 inputs of the seat to act."""
    seats = range(view.num_seats)
    began_with = [stack + paid for stack, paid in zip(view.stacks, view.paid, strict=True)]
    dealt_in = [seat for seat in seats if began_with[seat] > 0]
    still_in = [seat for seat in seats if view.is_live[seat]]

    raw = scale == "as they are"
    divisor = 1 if raw else sum(began_with) / len(dealt_in)
    opponents_unit, score_unit, most = (1, 1, np.inf) if raw else (9, 10, 10)
    win = win_probability(view.hole_cards, view.board, "win")
    if against == "all hands":
        win **= len(still_in) - 1

    to_the_left = [(view.button + step) % view.num_seats for step in range(view.num_seats)]
    passed = to_the_left[1 : to_the_left.index(view.seat) + 1]
    to_button = sum(seat in dealt_in for seat in passed) / opponents_unit

    chips, overall, recent = [0.0] * 10, [0.0] * 10, [0.0] * 10
    for place in range(view.num_seats):
        seat = (view.seat + place) % view.num_seats
        if seat in dealt_in:
            chips[place] = view.stacks[seat] / divisor
            overall[place] = min(view.words[OVERALL + seat] / MILLION, most) / score_unit
            recent[place] = min(view.words[RECENT + seat] / MILLION, most) / score_unit

    pot, price = view.pot / divisor, view.legal_actions.to_call / divisor
    opponents = (len(still_in) - 1) / opponents_unit
    return [pot, price, opponents, win, to_button, *chips, *overall, *recent]


def network_outputs(genome: Sequence[float], inputs: Sequence[float], hidden: int = 20) -> Floats:
    """Return the five outputs, (5,), of a network with so many hidden units."""
    weights = np.asarray(genome, float)
    first, of_hidden, second, of_outputs = np.split(weights, np.array([35, 36, 41]) * hidden)
    units = np.asarray(inputs) @ first.reshape(35, hidden) + of_hidden
    return sigmoid(sigmoid(units) @ second.reshape(hidden, 5) + of_outputs)


def network_decision(
    outputs: Floats,
    view: SeatView,
    *,
    read_out: str = "sampled",
    sizes: Sequence[float] = (0.5, 1.0, 3.0),
    raise_unit: str = "pot",
    free_folds: bool = False,
) -> int:
    """Return what a network with these outputs does: FOLD, CALL, or the chips to raise to."""
    legal, output = view.legal_actions, read_off(outputs, view.random_number, read_out)
    if output == 0:
        folds = legal.to_call > 0 or (free_folds and legal.can_fold)
        return FOLD if folds else CALL
    if output == 1 or legal.min_raise_to is None or legal.max_raise_to is None:
        return CALL
    if raise_unit == "drawn share":
        before = outputs[:output].sum()
        rest = (view.random_number * outputs.sum() - before) / outputs[output]
        if read_out == "largest":
            rest = view.random_number
        return bet_of_share(view, share(output - 2, rest, 0.342))
    to_match = view.bets[view.seat] + legal.to_call
    wanted = int(to_match + sizes[output - 2] * (view.pot + legal.to_call))
    return max(legal.min_raise_to, min(wanted, legal.max_raise_to))


def share(size: int, luck: float, spread_small: float) -> float:
    """Return the share of its chips that a player bets, by the thesis's figure 4.7.

    A part of a law is its probability, where it begins, and how far it goes: evenly, and half normally.
    """
    laws: Sequence[Sequence[tuple[float, float, float, float]]] = (
        ((0.7, 0.0, 0.06, 0.0), (0.3, 0.06, 0.0, spread_small)),
        ((0.6, 0.1, 0.1, 0.0), (0.1, 0.1, 0.0, -0.0133), (0.3, 0.2, 0.0, 0.0399)),
        ((0.95, 0.3, 0.0, 0.432), (0.05, 0.3, 0.0, -0.0227)),
    )
    for part in laws[size]:
        if luck < part[0] or part is laws[size][-1]:
            break
        luck -= part[0]
    probability, begin, slope, spread = part
    rank = luck / probability
    return begin + slope * rank + spread * half_normal(rank)


KNOTS = np.arange(1025) / 1024
QUANTILES = [*halfnorm.ppf(KNOTS[:-1]), 5.0]


def half_normal(rank: float) -> float:
    """Return a quantile of |N(0, 1)|, linear between 1,024 of them, the last 5."""
    return float(np.interp(rank, KNOTS, QUANTILES))


def bet_of_share(view: SeatView, of_chips: float) -> int:
    """Return the action: at least the price or a big blind, at most all that can be lost."""
    legal, own_bet = view.legal_actions, view.bets[view.seat]
    theirs = [
        view.stacks[seat] + view.bets[seat] - own_bet
        for seat in range(view.num_seats)
        if view.is_live[seat] and seat != view.seat
    ]
    most = min(view.stacks[view.seat], max(theirs))
    put_in = min(max(int(of_chips * most), legal.to_call or view.big_blind), most)
    if put_in <= legal.to_call:
        return CALL
    assert legal.min_raise_to is not None
    assert legal.max_raise_to is not None
    return min(max(own_bet + put_in, legal.min_raise_to), legal.max_raise_to)


def read_off(outputs: Floats, luck: float, read_out: str = "sampled") -> int:
    """Return which output decides: the largest, or one drawn in proportion by a number in [0, 1)."""
    if read_out == "largest":
        return int(outputs.argmax())
    ends = outputs.cumsum()
    return int(np.searchsorted(ends, luck * ends[-1], side="right"))


def sigmoid(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x)), where x beyond 87 counts as 87, and below -87 as -87."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -87.0, 87.0))))


WEIGHTS_A_CELL = 3


def matrix_cell(view: SeatView, ties: str = "half") -> tuple[int, int, int, int]:
    """Return the cell that counts: street, table (0 up to four players, 1 above), strength, cost."""
    players = [chips for chips in np.add(view.stacks, view.paid) if chips > 0]
    strength = win_probability(view.hole_cards, view.board, ties)
    cost = view.legal_actions.to_call / view.stacks[view.seat]
    return view.street, int(len(players) > 4), nearest(strength), nearest(cost)


def nearest(share: float) -> int:
    """Return the place of a number from 0 to 1 among 0, 0.05, ..., 1; halfway, that of the larger."""
    return int(20 * share + 0.5)


def matrix_decision(
    genome: ArrayLike, view: SeatView, *, ties: str = "half", free_folds: bool = False
) -> int:
    """Return what a matrix strategy does: FOLD, CALL, or the chips to raise to.

    `genome`, (10584,), has weights by street, table, strength, cost, and fold, call or raise.
    """
    street, table, strength, cost = matrix_cell(view, ties)
    matrices = np.reshape(genome, (4, 2, 21, 21, WEIGHTS_A_CELL))
    folds, calls, raises = matrices[street, table, strength, cost].astype(float).tolist()
    if folds + calls + raises == 0:
        folds = calls = raises = 1.0
    place = view.random_number * (folds + calls + raises)
    if place < folds:
        folds_for_free = free_folds and view.legal_actions.can_fold
        return FOLD if view.legal_actions.to_call or folds_for_free else CALL
    legal = view.legal_actions
    if place < folds + calls or legal.min_raise_to is None:
        return CALL
    return raised_by_margin(view, win_probability(view.hole_cards, view.board, ties))


def raised_by_margin(view: SeatView, strength: float) -> int:
    """Return the raise: from the least, where a hand wins no more than it loses, to the pot."""
    legal = view.legal_actions
    assert legal.min_raise_to is not None
    assert legal.max_raise_to is not None
    # Not the largest bet on the table: a big blind posted short is to be matched in full.
    to_match = int(view.words[BET])
    pot_sized = to_match + view.pot + legal.to_call
    margin = max(0.0, 2.0 * strength - 1.0)
    to = legal.min_raise_to + int(margin * max(0, pot_sized - legal.min_raise_to))
    return min(to, legal.max_raise_to)
