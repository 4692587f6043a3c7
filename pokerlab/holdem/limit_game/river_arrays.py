"""The best reply with real cards on rivers, by whole arrays of any library that has numpy's functions.

How to read it. A matrix says for each two hands on a river whether the one is ahead, 1, or behind, -1; it has 0 where
they tie or share a card. Times what the opponent's hands pay at all ends of all lines of betting, it is what each hand
wins in showdowns. That takes many more multiplications than the running sums of `river_replies`, but they are of the
kind that accelerators are made for. Tried with numpy and jax.numpy on processors, and on no accelerator so far.
"""

from typing import Any

import numpy as np

from pokerlab.core.errors import SettingError
from pokerlab.holdem.cards.deck import HOLDS, NUM_HOLDINGS
from pokerlab.holdem.limit_game.river_replies import NUMBER, NUMBER_BITS, RiverHands, Small

NEEDED = ("asarray", "concatenate", "maximum", "sign", "zeros_like")


def check_arrays(arrays: Any) -> None:
    """Refuse a module that lacks a function that is needed here, or rounds products of matrices too much."""
    if missing := [name for name in NEEDED if not hasattr(arrays, name)]:
        raise SettingError(
            f"arrays is {arrays!r}, which lacks {', '.join(missing)}. Give a module that has numpy's"
            " functions, such as cupy or jax.numpy, or None for the compiled kernel."
        )
    exact = np.full((256, 256), 1 + 2.0**-20, np.float32)
    product = arrays.asarray(exact) @ arrays.asarray(np.eye(256, dtype=np.float32))
    if product.tolist() != exact.tolist():
        raise SettingError(
            f"{arrays!r} multiplies matrices with less than float32's precision. Ask it for all of it, in"
            " jax by jax.config.update('jax_default_matmul_precision', 'highest')."
        )


def play_rivers_with(
    arrays: Any, levels: Any, rivers: RiverHands, weights: Small, term: Small, out_won: Small
) -> None:
    """Do what `play_rivers` does, river by river, with all lines of betting at once."""
    parts = weights[:, rivers.kind, None], *np.split(term, [2 * len(levels)], axis=2)
    lines = (np.moveaxis(part, 0, -2).reshape(*part.shape[1:3], -1) for part in parts)
    came, folds, shows = map(arrays.asarray, lines)
    holds, total = arrays.asarray(HOLDS.T.astype(np.float32)), 0.0
    for hands, label, times in zip(rivers.hands, rivers.label, rivers.times.tolist(), strict=True):
        hand, place = hands & NUMBER, np.full(NUM_HOLDINGS, len(hands), np.int32)
        place[hand] = np.arange(len(hands))
        numbers = hand, place, np.int32(label[hand]), np.float32(hands >> NUMBER_BITS)
        hand, place, bucket, strength = map(arrays.asarray, numbers)
        has, own = holds[hand], came[hand]  # (N, 52) and (N, 1, lines)
        fold, show = ((own * term[bucket]).reshape(len(hand), -1) for term in (folds, shows))
        folded = fold.sum(axis=0) - has @ (has.T @ fold) + fold
        ahead = arrays.sign(strength[:, None] - strength) * (has @ has.T == 0)
        ends = (part.reshape(len(hand), -1, own.shape[2]) for part in (folded, ahead @ show))
        won = settled(arrays, levels, *ends)
        total += times * arrays.concatenate([won, arrays.zeros_like(won[:1])])[place]
    found = getattr(arrays, "asnumpy", np.asarray)(total)  # for cupy's arrays never move unasked
    out_won += np.moveaxis(found.reshape(NUM_HOLDINGS, len(out_won), -1), 1, 0)


def settled(arrays: Any, levels: Any, folded: Any, shown: Any) -> Any:
    """Return what the best reply wins with each hand, (N, lines), as `settle` does."""
    cap, chains = len(levels), []
    for chain in range(2):
        value = 0.0 if (cap - 1 + chain) % 2 == 0 else -np.inf
        for level in reversed(range(cap)):
            call, fold = shown[:, chain * cap + level], folded[:, chain * cap + level]
            if (level + chain) % 2 == 0:
                value = value + call + fold
            else:
                value = arrays.maximum(value, arrays.maximum(call, fold))
        chains.append(value)
    own, other = chains
    return arrays.maximum(own - float(levels[0]) * other, shown[:, -1]) + other
