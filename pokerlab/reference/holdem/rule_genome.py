"""How a rule genome of Noble & Watson (2001) plays, once more, card by card and word by word.

`pokerlab.strategies.RuleEncoding` explains the genes and the readings of the paper.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.table.view import SeatView, hand_luck

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
    """Return what a rule genome does: FOLD, CALL, or the chips to raise to.

    Parameters
    ----------
    genome : sequence of float, length 42
        The genes.
    view : SeatView
        What the seat sees.
    board_bit, check_raise_draw, check_raise_cards, amount : str
        Readings, as in `pokerlab.strategies.RuleEncoding`.
    """
    bluff, check_raise = genome[:2]
    genes = genome[2 + 10 * view.street : 12 + 10 * view.street]
    preferred, maximum, bets_all = genes[4:7]
    stays, strong = judged(genes, view, board_bit)
    if view.hand_luck < bluff:
        stays = strong = True

    owed = view.legal.to_call
    if not stays:
        return FOLD if owed else CALL
    put_in = {"round": view.bets[view.seat], "price": 0, "hand": view.paid[view.seat]}[amount]
    limitless = strong and bool(bets_all)
    is_slow = hand_luck(view.words, 1 + view.street if check_raise_draw == "round" else 1)
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
        [(int(card) // 4 + 2, int(card) % 4) for card in c] for c in (view.hole, view.board)
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
    legal = view.legal
    return (legal.max_raise_to if as_much_as_possible else legal.min_raise_to) or CALL
