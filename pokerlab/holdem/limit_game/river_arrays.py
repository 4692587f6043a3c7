"""The best reply with real cards on rivers, by whole arrays of any library that has numpy's functions.

How to read it. A matrix says for each two hands on a river whether the one is ahead, 1, or behind, -1; it has 0 where
they tie or share a card. Times what the opponent's hands pay at all ends of all lines of betting, it is what each hand
wins in showdowns. That takes many more multiplications than the running sums of `river_replies`, but they are of the
kind that accelerators are made for. Tried with cupy and jax.numpy on an NVIDIA H100, and with numpy on processors.
"""

from typing import Any

import numpy as np

from pokerlab.core.errors import SettingError
from pokerlab.holdem.cards.deck import HOLDS, NUM_HOLDINGS
from pokerlab.holdem.limit_game.river_replies import NUMBER, NUMBER_BITS, RiverHands, Small

NEEDED = ("asarray", "concatenate", "maximum", "sign", "take_along_axis", "zeros_like")
AT_ONCE = 4
"""Rivers. One at a time take twice as long on an accelerator; more take more memory, and no less time."""


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
    """Do what `play_rivers` does, some rivers at once, with all lines of betting."""
    parts = weights[:, rivers.kind, None], *np.split(term, [2 * len(levels)], axis=2)
    lines = (np.moveaxis(part, 0, -2).reshape(*part.shape[1:3], -1) for part in parts)
    came, folds, shows = map(arrays.asarray, lines)
    holds, total = arrays.asarray(HOLDS.T.astype(np.float32)), 0.0
    for begin in range(0, len(rivers.hands), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        hand, strength = rivers.hands[some] & NUMBER, rivers.hands[some] >> NUMBER_BITS
        place = np.full((len(hand), NUM_HOLDINGS), hand.shape[1], np.int32)
        np.put_along_axis(place, hand, np.arange(hand.shape[1], dtype=np.int32)[None], axis=1)
        bucket = np.take_along_axis(rivers.label[some], hand, axis=1).astype(np.int32)
        times = rivers.times[some, None, None]
        numbers = hand, place[..., None], bucket, strength.astype(np.float32), times
        hand, place, bucket, strength, times = map(arrays.asarray, numbers)
        has, own = holds[hand], came[hand]  # (n, N, 52) and (n, N, 1, lines)
        cards = has.swapaxes(1, 2)
        fold, show = ((own * term[bucket]).reshape(*hand.shape, -1) for term in (folds, shows))
        folded = fold.sum(axis=1)[:, None] - has @ (cards @ fold) + fold
        ahead = arrays.sign(strength[:, :, None] - strength[:, None]) * (has @ cards == 0)
        ends = (part.reshape(*hand.shape, -1, own.shape[3]) for part in (folded, ahead @ show))
        won = times * settled(arrays, levels, *ends)
        won = arrays.concatenate([won, arrays.zeros_like(won[:, :1])], axis=1)
        total += arrays.take_along_axis(won, place, axis=1).sum(axis=0)
    found = getattr(arrays, "asnumpy", np.asarray)(total)  # for cupy's arrays never move unasked
    out_won += np.moveaxis(found.reshape(NUM_HOLDINGS, len(out_won), -1), 1, 0)


def settled(arrays: Any, levels: Any, folded: Any, shown: Any) -> Any:
    """Return what the best reply wins with each hand, (n, N, lines), as `settle` does."""
    cap, chains = len(levels), []
    for chain in range(2):
        value = 0.0 if (cap - 1 + chain) % 2 == 0 else -np.inf
        for level in reversed(range(cap)):
            call, fold = shown[..., chain * cap + level, :], folded[..., chain * cap + level, :]
            if (level + chain) % 2 == 0:
                value = value + call + fold
            else:
                value = arrays.maximum(value, arrays.maximum(call, fold))
        chains.append(value)
    own, other = chains
    return arrays.maximum(own - float(levels[0]) * other, shown[..., -1, :]) + other
