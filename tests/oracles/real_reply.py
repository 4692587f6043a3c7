"""The best reply with real cards by plain recursion over all boards, all hands of both seats at once; slow."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

FOLD, CALL = 0, 1


def best_values(
    tree: Any,
    chances: Any,
    deck: Sequence[int],
    bucket: Callable[[tuple[int, int], tuple[int, ...]], int],
    strength: Callable[[tuple[int, ...]], int],
    flops: Sequence[tuple[int, ...]] | None = None,
) -> list[float]:
    """Return what whoever knows a strategy wins from it on average in each seat, with cards from this deck.

    Parameters
    ----------
    tree : PublicTree
        The betting.
    chances : ndarray of shape (D, B, 3)
        The strategy, by decision and bucket.
    deck : sequence of int
        The cards.
    bucket, strength : Callable
        The strategy's bucket of two cards on a board; how strong seven cards are.
    flops : sequence of tuple of int, optional
        The only flops on which anything is won; all if left out.
    """
    hands = list(combinations(deck, 2))
    holds = np.array([[card in hand for card in range(52)] for hand in hands])
    apart = ~(holds[:, None] & holds[None]).any(axis=2)
    decision_of = {int(node): d for d, node in enumerate(tree.decision_node)}

    def on_board(board: tuple[int, ...]) -> tuple[Any, Any]:
        """Return the buckets of the opponent's hands, and who wins the showdown."""
        free = [not set(hand) & set(board) for hand in hands]
        label = np.array([bucket(h, board) if ok else 0 for h, ok in zip(hands, free, strict=True)])
        if len(board) < 5:
            return label, None
        worth = np.array(
            [strength((*h, *board)) if ok else 0 for h, ok in zip(hands, free, strict=True)]
        )
        return label, np.sign(worth[:, None] - worth[None])

    def won(seat: int, node: int, board: tuple[int, ...], seen: Any, weights: Any) -> Any:
        """Return what each hand wins, summed over the opponent's hands, weights of shape (own, other)."""
        if not weights.any():
            return np.zeros(len(hands))
        kind, label = tree.kind[node], seen[0]
        if kind == 2:
            loser = tree.actor[node]
            return (-1 if loser == seat else 1) * tree.paid[node, loser] * weights.sum(axis=1)
        if kind == 3:
            return tree.paid[node, 0] * (weights * seen[1]).sum(axis=1)
        if kind == 1:
            left = [card for card in deck if card not in board]
            size = 3 if not board else 1
            total = np.zeros(len(hands))
            for cards in (not board and flops) or combinations(left, size):
                free = ~holds[:, cards].any(axis=1)
                after = weights * free[:, None] * free[None]
                longer = (*board, *cards)
                total += won(seat, node + 1, longer, cached(longer), after)
            return total / comb(len(left) - 4, size)
        children = tree.child[node]
        if tree.actor[node] == seat:
            return np.max([won(seat, c, board, seen, weights) for c in children if c >= 0], axis=0)
        row = chances[decision_of[node]][label]
        parts = [
            won(seat, c, board, seen, weights * row[:, a]) for a, c in enumerate(children) if c >= 0
        ]
        return np.sum(parts, axis=0)

    known: dict[tuple[int, ...], Any] = {}

    def cached(board: tuple[int, ...]) -> Any:
        """Return `on_board`, once for each set of cards and street."""
        key = tuple(sorted(board))
        if key not in known:
            known[key] = on_board(key)
        return known[key]

    total = len(hands) * comb(len(deck) - 2, 2)
    return [
        float(won(seat, 0, (), on_board(()), apart.astype(float)).sum()) / total
        for seat in range(2)
    ]
