"""The best reply with real cards on rivers by whole arrays: no running sums, and no hand after the other.

A matrix says for each two hands on a river whether the one is ahead, 1, or behind, -1; it has 0 where they tie or
share a card. Times what the opponent's hands pay at all ends of all lines of betting, it is what each hand wins in
showdowns.
"""

from typing import Any

import numpy as np

from pokerlab.holdem.cards import HOLDS_CARD, NUM_HOLDINGS
from pokerlab.holdem.river_winnings import HAND_BITS, HAND_MASK, Floats32, RiverHands

AT_ONCE = 4  # rivers


def play_rivers_by_arrays(
    levels: Any, rivers: RiverHands, weights: Floats32, term: Floats32, out_won: Floats32
) -> None:
    """Do what `add_winnings_on_rivers` does, some rivers at once, with all lines of betting."""
    parts = weights[:, rivers.weight_classes, None], *np.split(term, [2 * len(levels)], axis=2)
    lines = (np.moveaxis(part, 0, -2).reshape(*part.shape[1:3], -1) for part in parts)
    came, folds, shows = map(np.asarray, lines)
    holds, total = np.asarray(HOLDS_CARD.T.astype(np.float32)), 0.0
    for begin in range(0, len(rivers.hands), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        hand, strength = rivers.hands[some] & HAND_MASK, rivers.hands[some] >> HAND_BITS
        place = np.full((len(hand), NUM_HOLDINGS), hand.shape[1], np.int32)
        np.put_along_axis(place, hand, np.arange(hand.shape[1], dtype=np.int32)[None], axis=1)
        bucket = np.take_along_axis(rivers.buckets[some], hand, axis=1).astype(np.int32)
        times = rivers.probabilities[some, None, None]
        numbers = hand, place[..., None], bucket, strength.astype(np.float32), times
        hand, place, bucket, strength, times = map(np.asarray, numbers)
        has, own = holds[hand], came[hand]  # (n, N, 52) and (n, N, 1, lines)
        cards = has.swapaxes(1, 2)
        fold, show = ((own * term[bucket]).reshape(*hand.shape, -1) for term in (folds, shows))
        folded = fold.sum(axis=1)[:, None] - has @ (cards @ fold) + fold
        ahead = np.sign(strength[:, :, None] - strength[:, None]) * (has @ cards == 0)
        ends = (part.reshape(*hand.shape, -1, own.shape[3]) for part in (folded, ahead @ show))
        won = times * settled(levels, *ends)
        won = np.concatenate([won, np.zeros_like(won[:, :1])], axis=1)
        total += np.take_along_axis(won, place, axis=1).sum(axis=0)
    out_won += np.moveaxis(total.reshape(NUM_HOLDINGS, len(out_won), -1), 1, 0)


def settled(levels: Any, folded: Any, shown: Any) -> Any:
    """Return what the best reply wins with each hand, (n, N, lines), as `settle` does."""
    cap, chains = len(levels), []
    for chain in range(2):
        value = 0.0 if (cap - 1 + chain) % 2 == 0 else -np.inf
        for level in reversed(range(cap)):
            call, fold = shown[..., chain * cap + level, :], folded[..., chain * cap + level, :]
            if (level + chain) % 2 == 0:
                value = value + call + fold
            else:
                value = np.maximum(value, np.maximum(call, fold))
        chains.append(value)
    own, other = chains
    return np.maximum(own - float(levels[0]) * other, shown[..., -1, :]) + other
