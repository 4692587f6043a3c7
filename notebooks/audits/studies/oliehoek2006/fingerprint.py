"""Which six cards, by which rules? Figure 3, bottom, as a fingerprint of the game.

If the memory begins as in 8-card poker, iteration 1 shows what random play loses at most. Random play looks at
no card, so an exact reply needs only the chance to win with each card beside each board, and many rules
can be tried. Iteration 2 shows what the replies to random play lose; it needs the whole game.
"""

from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.games import compile_rules
from pokerlab.games.small_poker import SUITS, TwoRoundPoker
from pokerlab.runs import History, sweep
from pokerlab.solvers import BestResponse, ParallelNashMemory

READ, ERROR = (-1.889, -1.739), 0.0015
"""Iteration 1 for gambler and dealer, and the error of reading."""
RANKS = "9TJQKA"
DECKS = {"six ranks": (6, 1), "three pairs": (3, 2), "two ranks, three suits": (2, 3)}
Card = tuple[int, int]
STRENGTHS: dict[str, Callable[[Card, Card], Any]] = {
    "the higher card": lambda card, board: card[0],
    "a pair with the board": lambda card, board: (card[0] == board[0], card[0]),
    "the board's suit": lambda card, board: (card[1] == board[1], card[0]),
    "a neighbor of the board": lambda card, board: (abs(card[0] - board[0]) == 1, card[0]),
    "the nearest to the board": lambda card, board: (-abs(card[0] - board[0]), card[0]),
    "the farthest from the board": lambda card, board: (abs(card[0] - board[0]), card[0]),
    "the better of card and board": lambda card, board: max(card[0], board[0]),
    "the first above the board": lambda card, board: (card[0] > board[0], -card[0]),
}
"""What wins: how good a card, rank and suit, is beside a board; if it says nothing, the higher card."""
HANDS = list(product(DECKS, STRENGTHS))
SIZES = ((1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (2.0, 2.0))
WEIGHTS = ((1, 1, 1, 1), (1, 1, 2, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 1, 2))
BETTINGS = [*product((0.5, 1.0, 1.5, 2.0), SIZES, product((2, 3, 4), repeat=2), (0, 1), WEIGHTS)]
"""Ante, size and number of bets in each round, who begins the second round, how random players choose."""


class SixCards(TwoRoundPoker):
    """The game of section 6.2 with another deck or another way to compare hands."""

    def __init__(self, deck: str, strength: str) -> None:
        ranks, suits = DECKS[deck]
        copies = dict.fromkeys(RANKS[:ranks], suits)
        super().__init__("six cards", 2, copies, (1, 1), 3, isomorphic=False)
        self.strength = STRENGTHS[strength]

    def find_winners(
        self, cards: tuple[str, ...], board: str, folded: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """Return who shares the pot when nobody has folded."""
        *read, shown = ((RANKS.index(c[0]), SUITS.find(c[1:])) for c in (*cards, board))
        first, second = (self.strength(card, shown) for card in read)
        return (0, 1) if first == second else (int(first < second),)


def compute_chances(rules: SixCards) -> Floats:
    """Return what each card wins of a pot of 1 beside each board, (6, 6); on the diagonal 0."""
    cards, won = list(rules.deck), np.zeros((6, 6))
    for (i, mine), (j, board) in permutations(enumerate(cards), 2):
        others = [(mine, card) for card in cards if card not in (mine, board)]
        shown = [rules.find_winners(both, board, (False, False)) for both in others]
        won[i, j] = np.mean([(0 in who) / len(who) for who in shown])
    return won


def play_at_random(
    won: Floats,
    ante: float = 1.0,
    sizes: tuple[float, ...] = (1.0, 1.0),
    caps: tuple[int, ...] = (3, 3),
    second: int = 0,
    weights: tuple[float, ...] = (1, 1, 1, 1),
) -> Floats:
    """Return the least that the gambler and the dealer win who choose at random, (2,).

    `weights` are those of folds, calls or checks, raises, and calls where no raise is allowed.
    """

    def value(street: int, seat: int, me: int, paid: Floats, bets: int, closing: bool) -> Floats:
        """Return what the best reply from `seat` wins, by card and board; `closing` if a check ends the round."""
        fold, stay, more, last = weights
        facing, open_ = bool(paid[0] != paid[1]), bets < caps[street]
        called = np.full(2, paid.max())
        ways = [(fold, np.full((6, 1), paid[me] * (-1.0 if me == seat else 1.0)))] * int(facing)
        if open_:
            raised = called + sizes[street] * (np.arange(2) == me)
            ways.append((more, value(street, seat, 1 - me, raised, bets + 1, True)))
        if not closing:
            then = value(street, seat, 1 - me, called, bets, True)
        elif street == 1:
            then = (2 * won - 1) * called[0]
        else:
            after = value(1, seat, second, called, 0, False)
            then = (after * (1 - np.eye(6)) / 5).sum(axis=1, keepdims=True)
        ways.append((stay if open_ or not facing else last, then))
        if me == seat:
            return np.asarray(np.max(np.broadcast_arrays(*(each for _, each in ways)), axis=0))
        total = sum(weight for weight, _ in ways)
        return np.asarray(sum(weight * each for weight, each in ways) / total)

    return -np.array([value(0, seat, 0, np.full(2, ante), 0, False).mean() for seat in (1, 0)])


def try_bettings(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return how near `BETTINGS` bring the hands of number `setting['hand']`, and their iterations 1 and 2.

    `nearest` is the number of the betting that comes nearest to what was read, `within` how many come within its error.
    """
    rules = SixCards(*HANDS[setting["hand"]])
    won, game = compute_chances(rules), compile_rules(rules)
    gaps = np.array([np.abs(play_at_random(won, *each) - READ).max() for each in BETTINGS])
    memory = ParallelNashMemory(game, heuristic=BestResponse(ties="evenly"), start=game.uniform())
    levels = {k: memory.step(memory.init(), k - 1).security_levels for k in (1, 2)}
    measured = {f"level_{k}_{p + 1}": levels[k][p] for k in levels for p in (0, 1)}
    within = int((gaps <= ERROR).sum())
    return {"nearest": int(gaps.argmin()), "gap": float(gaps.min()), "within": within, **measured}


def try_all_hands(*, workers: int = 1) -> History:
    """Return what `tried` finds of all `HANDS`, in some minutes."""
    return sweep(try_bettings, {"hand": [*range(len(HANDS))]}, workers=workers)
