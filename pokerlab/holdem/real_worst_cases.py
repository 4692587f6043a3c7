"""The worst case of a bucketed strategy with real cards: what the best reply wins that sees cards, not buckets.

How to read it. Once the betting before the flop is known, every flop is a game of its own: what the best reply wins
there is computed for each starting hand and each such betting. Only decisions before the flop see
the average over flops. So flops can be shared out, kept one by one, and sampled. That one pass over
the public tree suffices, because the opponent does not see the reply's cards, is Johanson and others' idea (IJCAI
2011).

On each street the reply meets the strategy's betting. The strategy knows nothing of a hand but its buckets. So how
likely it plays a line of betting with a hand is a product with a factor for each street, by the bucket there;
`Against` has the factors of one street for all ways in which it can begin. The reply knows its two cards, and the
opponent cannot hold these. So from a sum over all hands those with the one and those with the other are taken off,
and the same hand, taken off twice, is put back.

What is won is kept apart by the street on which hands end: in *parts*, from the present street on.

On the river many lines of betting are played side by side; most of the time is spent there. Hands are met in the
order of their strength. At the end of a line the opponent holds a hand with the weight with which it came to the
river, times a factor that its bucket decides. So sums over weaker and stronger hands, one for each bucket, serve all
showdowns. A bucket is first stronger than the hand in question as a whole; then, where some of its hands have been
met and others have not, it is *open*, and its sum runs; then it is weaker as a whole. What buckets add that are not
open is the same for all hands with a card: a table has it for each card, and changes when a bucket opens or closes.
Nearly always one is open.

A sum over the hands that the reply can meet is that over all, less those with its one card and those with its other.
Rows of the table hold half the sum over all less that with the card, so that the rows of two cards are just added.

The betting is two chains of raises, after the reply's bet and after the opponent's, with a level for each bet.
`levels` is a tuple of that length, so that the compiler writes all of them out; it holds 1 if the reply acts first,
else 0.

Of a flop's turns and rivers one of each kind that suits leave different is dealt. Suits that can be renamed
without a change of the cards seen so far are *alike*. Of cards to come that differ by such names alone one is dealt,
and counts for all; since the reply's own cards would be renamed too, what it wins is then averaged over the
renamings.

Before the flop the reply goes by its mean winnings over all flops, or over a sample. Flops are of six kinds, by
how many suits and ranks they have, and of each kind its share is drawn. Most of the luck is known: whoever sees no
more than buckets wins more on some flops than on others too, and to compute this for all flops takes a second. So
what is won on a flop is corrected by how lucky the flop is in buckets.

Who takes the best of inexact numbers believes too much: a bias upward. What is best on one half of the flops, paid by
the other, is too little on average; so the bias is at most what lies between.
"""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.cache import digest
from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.errors import SettingError
from pokerlab.core.files import checked_path
from pokerlab.core.kept import Kept, claim
from pokerlab.core.random_numbers import stream
from pokerlab.core.settings import whole
from pokerlab.core.workers import PIECES_PER_THREAD, PROGRESS_AFTER, choose_work_divider, is_cluster
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED, NUM_SEATS, SHOWDOWN
from pokerlab.holdem.bucket_passes import BEST, START, swept
from pokerlab.holdem.bucketed_holdem import NO_ROWS, BucketedHoldem, BucketedProfile, check_profile
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    FLOP,
    HOLDINGS,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
    RENAMED,
    RENAMINGS,
    RIVER,
    TURN,
    Cards,
    canonical_boards,
    hand_classes,
)
from pokerlab.holdem.equity import everybody
from pokerlab.holdem.hand import CALLING, FOLDING, RAISING
from pokerlab.holdem.hand_rankings import NUM_ENDS, key_and_bits, sort_by_strength, strength_with
from pokerlab.holdem.real_player import structure_of

HIGH, LOW = np.ascontiguousarray(HOLDINGS.T).astype(np.int64)
"""The two cards of each holding."""
ALL = NUM_CARDS
"""Where the sum over all hands stands, behind those over the hands with each card."""


class Against(NamedTuple):
    """A street's betting against a strategy: K nodes, S beginnings, B buckets, C ways to the next street."""

    player: int  # the seat that replies
    nodes: NDArray[Any]  # (K,), of layouts.NODE
    stake: Floats  # (S,): what each seat had paid before, in small bets
    reach: Floats  # (K, B, S): how likely the strategy does what leads from a beginning to a node
    deals: Ints  # (C,): the nodes that lead to the next street

    def moved_on(self, weights: Floats, label: Ints) -> Floats:
        """Return the weights with which hands come to the next street, (n, C S), from those here, (n, S)."""
        after = weights * self.reach[self.deals][:, label]
        return after.transpose(1, 0, 2).reshape(len(label), -1)


def streets_against(profile: BucketedProfile, player: int) -> tuple[Against, ...]:
    """Return the betting of the four streets against what the other seat does in `profile`."""
    lanes, chances, streets = profile.game.lanes, profile.by_decision, []
    for street in range(NUM_STREETS):
        count, starts, buckets, block, end = lanes.streets[street].tolist()
        nodes, reach = lanes.nodes[street, :count], np.ones((count, buckets, starts))
        for k in np.flatnonzero(nodes["kind"] == DECISION):
            first = int(np.searchsorted(profile.game.tree.situation, nodes["situation"][k]))
            for action, child in enumerate(nodes["child"][k]):
                if child >= 0:
                    taken = chances[first : first + starts, :buckets, action].T
                    reach[child] = reach[k] * (1.0 if nodes["actor"][k] == player else taken)
        stake, deals = lanes.stake[block:end].ravel()[:starts], nodes["kind"] == DEAL
        streets.append(Against(player, nodes, stake, reach, np.flatnonzero(deals)))
    return tuple(streets)


@kernel
def reply(
    against: Against, label: Ints, weights: Floats, later: Floats, out_parts: Floats, out_goes: Ints
) -> None:
    """Write what the best reply wins with each hand, (P, 1326, S), and where it goes from each node, (K, 1326, S).

    The opponent comes with `weights`, (1326, S), and has the bucket `label`, (1326,), -1 where a hand is impossible.
    `later`, (P - 1, 1326, C S), is what is won where the next street begins. `out_goes` may be empty.
    """
    player, nodes, stake, reach, _ = against
    starts, total = len(stake), len(out_parts)
    hands = np.flatnonzero(label >= 0)
    sums = np.zeros((len(nodes), NUM_CARDS + 1, starts))
    worth = np.zeros((len(nodes), total + 1, starts))  # the parts, then their sum
    for end in np.flatnonzero(nodes["kind"] == FOLDED):
        for hand in hands:
            for s in range(starts):
                weight = weights[hand, s] * reach[end, label[hand], s]
                sums[end, HIGH[hand], s] += weight
                sums[end, LOW[hand], s] += weight
                sums[end, ALL, s] += weight
    for hand in hands:
        for k in range(len(nodes) - 1, -1, -1):
            node = nodes[k]
            worth[k] = 0.0
            if node.kind == FOLDED:
                sign, chips = -1.0 if node.actor == player else 1.0, node.chips[node.actor]
                for s in range(starts):
                    met = sums[k, ALL, s] - sums[k, HIGH[hand], s] - sums[k, LOW[hand], s]
                    met += weights[hand, s] * reach[k, label[hand], s]
                    worth[k, 0, s] = worth[k, total, s] = sign * (stake[s] + chips) * met
            elif node.kind == DEAL:
                for part in range(1, total):
                    for s in range(starts):
                        won = later[part - 1, hand, node.continuation * starts + s]
                        worth[k, part, s] = won
                        worth[k, total, s] += won
            elif node.actor != player:
                for child in node.child:
                    for part in range(total + 1 if child >= 0 else 0):
                        for s in range(starts):
                            worth[k, part, s] += worth[child, part, s]
            else:
                for s in range(starts):
                    best = node.child[CALLING]
                    for child in (node.child[RAISING], node.child[FOLDING]):
                        if child >= 0 and worth[child, total, s] > worth[best, total, s]:
                            best = child
                    for part in range(total + 1):
                        worth[k, part, s] = worth[best, part, s]
                    if out_goes.size:
                        out_goes[k, hand, s] = best
        out_parts[:, hand] = worth[0, :total]


LINES = 64
"""Lines of betting side by side."""
NUMBER_BITS, NUMBER = 11, (1 << 11) - 1
"""Of a holding's number, below its strength."""
Small = NDArray[np.float32]
ZERO, HALF, ONE, LEAST = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(-np.inf)


class RiverHands(NamedTuple):
    """The n rivers of a turn, with N hands on each."""

    hands: NDArray[np.int32]  # (n, N): strength and number, the weakest first; by `sort_hands`
    label: NDArray[np.uint8]  # (n, 1326): the buckets
    times: Small  # (n,): how often each counts
    kind: Ints  # (1326,): hands of one kind come with the same weights


class SweepRoom(NamedTuple):
    """What a sweep of hands works on; the last six are overwritten."""

    weights: Small  # (kinds, LINES): with what hands come
    term: Small  # (B, T, LINES): by `terms`
    sums: Small  # (B, 53, LINES): the opponent's weights, by its bucket and card
    shown: Small  # (B, 53, LINES): those of weaker hands, less those of stronger ones
    table: Small  # (52, T, LINES): what buckets add that are not open
    mixed: Small  # (T, LINES): rows of a term where several are open
    run: Small  # (2, LINES): an open bucket's sum; ones
    ends: Ints  # (2, B): the weakest and the strongest hand in each bucket, -1 if there is none


def terms(against: Against, lines: Ints) -> Small:
    """Return what the ends of the river's betting pay for a hand's weight, (blocks, B, T, LINES).

    Rows of the folds come first, level by level of the two chains, then so the showdowns, and that without a bet.
    """
    player, nodes, stake, reach, _ = against
    folds, shows = (np.flatnonzero(nodes["kind"] == kind) for kind in (FOLDED, SHOWDOWN))
    if nodes["actor"][0] == player:  # whose bet comes last in the tree
        folds, shows[1:] = np.roll(folds, len(folds) // 2), np.roll(shows[1:], len(folds) // 2)
    ends = [*folds, *shows[1:], shows[0]]
    who = nodes["actor"][ends, None]
    chips = np.take_along_axis(nodes["chips"][ends], np.maximum(who, 0), axis=1) + stake[lines]
    pays = np.where(who == player, -chips, chips)[:, None] * reach[ends][..., lines]
    return side_by_side(pays.transpose(1, 0, 2))


def side_by_side(numbers: Floats) -> Small:
    """Return numbers by line, (..., n), in blocks of lines, (blocks, ..., LINES), filled up with zeros."""
    *shape, size = numbers.shape
    rows = np.zeros((*shape, -(-size // LINES), LINES), np.float32)
    rows.reshape(*shape, -1)[..., :size] = numbers
    return np.ascontiguousarray(np.moveaxis(rows, -2, 0))


@kernel
def sort_hands(boards: Cards, live: NDArray[np.bool_], out_hands: NDArray[np.int32]) -> int:
    """Write the hands of each board that are `live`, (1326,), and not with its river; return how many."""
    room, ends = np.empty(len(live), np.int32), np.empty(NUM_ENDS, np.int32)
    size = 0
    for row in range(len(boards)):
        key, bits = key_and_bits(boards[row], 0, 5)
        river, size = np.int64(boards[row, 4]), 0
        for hand in range(len(live)):
            if live[hand] and HIGH[hand] != river and LOW[hand] != river:
                strength = strength_with(key, bits, HIGH[hand], LOW[hand])
                out_hands[row, size] = strength << NUMBER_BITS | hand
                size += 1
        sort_by_strength(out_hands[row], size, NUMBER_BITS, room, ends)
    return size


@kernel
def play_rivers(
    levels: Any, rivers: RiverHands, weights: Small, term: Small, out_won: Small
) -> None:
    """Add what the best reply wins with each hand on each line, (blocks, 1326, LINES).

    The opponent comes with `weights`, (blocks, kinds, LINES); `term` is by `terms`.
    """
    blocks, buckets, rows = term.shape[:3]
    sums = np.zeros((2, buckets, NUM_CARDS + 1, LINES), np.float32)
    table, mixed = np.zeros((NUM_CARDS, rows, LINES), np.float32), np.zeros_like(term[0, 0])
    run, ends = np.ones((2, LINES), np.float32), np.zeros((2, buckets), np.int64)
    for block in range(blocks):
        room = SweepRoom(weights[block], term[block], sums[0], sums[1], table, mixed, run, ends)
        for river in range(len(rivers.hands)):
            begin_river(2 * len(levels), rivers, river, room)
            sweep_hands(levels, rivers, river, room, out_won[block])


@inlined
def begin_river(folds: int, rivers: RiverHands, river: int, room: SweepRoom) -> None:
    """Sum up the weights, and fill the table as it is for a hand that is weaker than all.

    What the opponent folds is added to what it calls: between them the reply has no choice.
    """
    room.sums[:], room.table[:], room.ends[:] = ZERO, ZERO, -1
    for met_hand in rivers.hands[river]:
        hand, strength = met_hand & NUMBER, met_hand >> NUMBER_BITS
        bucket = rivers.label[river, hand]
        put(hand, room.weights[rivers.kind[hand]], room.sums[bucket])
        room.ends[1, bucket] = strength
        if room.ends[0, bucket] < 0:
            room.ends[0, bucket] = strength
    for bucket in range(len(room.term)):
        for card in range(NUM_CARDS + 1):
            for s in range(LINES):
                room.shown[bucket, card, s] = -room.sums[bucket, card, s]
        for t in range(room.term.shape[1]):
            chain, level = divmod(t, folds // 2)
            to = t + folds if t < folds and (chain + level) % 2 == 0 else t
            shift(bucket, t, to, ONE if t < folds else -ONE, room)


@inlined
def put(hand: int, weights: Small, out_sums: Small) -> None:
    """Add a hand's weights to the sums of its cards and to that over all."""
    high, low = out_sums[HIGH[hand]], out_sums[LOW[hand]]
    for s in range(LINES):
        high[s] += weights[s]
        low[s] += weights[s]
        out_sums[ALL, s] += weights[s]


@inlined
def met(hand: int, sums: Small, out_sum: Small) -> None:
    """Write the sum over the hands that a hand can meet."""
    for s in range(LINES):
        out_sum[s] = sums[ALL, s] - sums[HIGH[hand], s] - sums[LOW[hand], s]


@inlined
def shift(bucket: int, row: int, to: int, sign: Any, room: SweepRoom) -> None:
    """Add to a row of the table what a row of a bucket's term pays for its hands."""
    term, sums = room.term[bucket, row], room.sums[bucket]
    for card in range(NUM_CARDS):
        for s in range(LINES):
            room.table[card, to, s] += sign * term[s] * (HALF * sums[ALL, s] - sums[card, s])


@inlined
def turned(folds: int, strength: int, ends: Ints, room: SweepRoom) -> int:
    """Open the buckets whose weakest hand has a strength, or close those whose strongest has; return how many."""
    count = 0
    for bucket in range(len(ends)):
        if ends[bucket] == strength:
            count += 1
            for t in range(folds, room.term.shape[1]):
                shift(bucket, t, t, ONE, room)
    return count


@inlined
def sweep_hands(
    levels: Any, rivers: RiverHands, river: int, room: SweepRoom, out_won: Small
) -> None:
    """Play a river with all hands, those of one strength after the other."""
    hands, label, kind = rivers.hands[river], rivers.label[river], rivers.kind
    folds, begin, num_open = 2 * len(levels), 0, 0
    while begin < len(hands):
        strength, end = hands[begin] >> NUMBER_BITS, begin
        num_open += turned(folds, strength, room.ends[0], room)
        while end < len(hands) and hands[end] >> NUMBER_BITS == strength:
            hand = hands[end] & NUMBER
            put(hand, room.weights[kind[hand]], room.shown[label[hand]])
            end += 1
        for place in range(begin, end):
            hand = hands[place] & NUMBER
            rows, run, own = room.term[label[hand]], room.run[0], room.weights[kind[hand]]
            if num_open == 1:
                met(hand, room.shown[label[hand]], run)
            else:
                mix(folds, hand, label[hand], strength, room)
                rows, run = room.mixed, room.run[1]
            settle(levels, hand, room.table, rows, own, run, rivers.times[river], out_won[hand])
        for place in range(begin, end):
            hand = hands[place] & NUMBER
            put(hand, room.weights[kind[hand]], room.shown[label[hand]])
        num_open -= turned(folds, strength, room.ends[1], room)
        begin = end


@inlined
def mix(folds: int, hand: int, bucket: int, strength: int, room: SweepRoom) -> None:
    """Write rows of a term to which all open buckets have added their sums."""
    for t in range(len(room.mixed)):
        for s in range(LINES):
            room.mixed[t, s] = room.term[bucket, t, s] if t < folds else ZERO
    for other in range(len(room.term)):
        if room.ends[0, other] <= strength <= room.ends[1, other]:
            met(hand, room.shown[other], room.run[0])
            for t in range(folds, len(room.mixed)):
                for s in range(LINES):
                    room.mixed[t, s] += room.term[other, t, s] * room.run[0, s]


@inlined
def settle(
    levels: Any,
    hand: int,
    table: Small,
    term: Small,
    own: Small,
    run: Small,
    times: Any,
    out: Small,
) -> None:
    """Add what the best reply wins with a hand, from the last level of the betting to the first.

    `own` are the weights of the opponent's same hand, put back where sums are over all; `run` is its bucket's sum.
    """
    one, two, cap = table[HIGH[hand]], table[LOW[hand]], len(levels)
    for s in range(LINES):
        after_own = after_other = ZERO
        for chain in range(2):
            value = ZERO if (cap - 1 + chain) % 2 == 0 else LEAST
            for k in range(cap):
                level = cap - 1 - k
                t = chain * cap + level
                fold, u = term[t, s] * own[s], t + 2 * cap
                call = one[u, s] + two[u, s] + term[u, s] * run[s]
                if (level + chain) % 2 == 0:
                    value = value + call + fold
                else:
                    value = max(value, max(call, one[t, s] + two[t, s] + fold))
            after_own, after_other = after_other, value
        t = 4 * cap
        check = one[t, s] + two[t, s] + term[t, s] * run[s]
        out[s] += times * (max(after_own - levels[0] * after_other, check) + after_other)


NO_CHOICE = np.zeros((0, 0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class Exposed:
    """A strategy that meets, in both seats, whoever knows it and sees real cards; of a deck that may lack some."""

    profile: BucketedProfile
    missing: tuple[int, ...] = ()

    @cached_property
    def against(self) -> list[tuple[Against, ...]]:
        """The betting of the four streets, for each seat that replies."""
        return [streets_against(self.profile, player) for player in range(NUM_SEATS)]

    @cached_property
    def lines(self) -> list[tuple[Ints, Small]]:
        """For each seat that replies the lines on which the other comes to the river, and what their ends pay."""
        found = []
        for streets in self.against:
            most = np.ones((1, 1))
            for here in streets[:RIVER]:
                most = (most * here.reach.max(axis=1)[here.deals]).reshape(1, -1)
            lines = np.flatnonzero(most[0])
            found.append((lines, terms(streets[RIVER], lines)))
        return found

    def labels(self, boards: Cards) -> Ints:
        """Return the buckets of all hands on boards, (n, k) to (n, 1326); -1 where a card is not there."""
        values = everybody(boards)
        bounds = self.profile.game.buckets.bounds[BOARD_SIZES.index(boards.shape[1])]
        absent = np.isnan(values) | HOLDS[list(self.missing)].any(axis=0)
        return np.where(absent, -1, np.searchsorted(bounds, values, side="right"))

    def alike(self, cards: Cards) -> Ints:
        """Return the rows of RENAMINGS that change nothing in the deck and in a set of cards."""
        same = np.ones(len(RENAMINGS), bool)
        for group in (np.array(self.missing, np.int64), cards):
            images = group - group % NUM_SUITS + RENAMINGS[:, group % NUM_SUITS]
            same &= (np.sort(images, axis=1) == np.sort(group)).all(axis=1)
        return np.flatnonzero(same)

    def coming(self, board: Cards, alike: Ints) -> Iterator[tuple[Cards, float, Ints]]:
        """Yield longer boards, how often each counts for two hands, and the renamings under which it stays the same."""
        left = np.setdiff1d(np.arange(NUM_CARDS), [*board, *self.missing])
        for card in left:
            images = card - card % NUM_SUITS + RENAMINGS[alike, card % NUM_SUITS]
            if card == images.min():
                share = len(np.unique(images)) / (len(left) - 2 * NUM_SEATS)
                yield np.append(board, np.uint8(card)), share, alike[images == card]

    def before_flop(self) -> tuple[Ints, Floats]:
        """Return the buckets of hands, (1326,), and the weights of the opponent's, (1326, 1)."""
        label = self.labels(np.zeros((1, 0), np.uint8))[0]
        return label, np.where(label < 0, 0.0, 1.0)[:, None]

    def on_flop(self, flop: Cards) -> list[Floats]:
        """Return for each seat what the best reply wins, (3, 1326, beginnings), by the street on which hands end.

        Summed over the opponent's hands, averaged over the cards to come; 0 where a hand is not possible.
        """
        label, weights = self.before_flop()
        moved = [streets[0].moved_on(weights, label) for streets in self.against]
        alike = self.alike(flop)
        return [self.on_street(p, flop, alike, [label], came) for p, came in enumerate(moved)]

    def on_street(
        self, player: int, board: Cards, alike: Ints, before: list[Ints], weights: Floats
    ) -> Floats:
        """Return what the best reply wins from a board on, (P, 1326, beginnings).

        `before` are the buckets on the streets before, and `weights` those with which hands come to this one.
        """
        street, label = len(before), self.labels(board[None])[0]
        here, weights = self.against[player][street], np.where(label[:, None] < 0, 0.0, weights)
        parts = np.zeros((NUM_STREETS - street, *weights.shape))
        if not weights.any():
            return parts
        if street == TURN:
            later = self.on_rivers(player, board, alike, [*before, label], weights)
        else:
            moved = here.moved_on(weights, label)
            later = np.zeros((RIVER - street, *moved.shape))
            for longer, share, still in self.coming(board, alike):
                later += share * self.on_street(player, longer, still, [*before, label], moved)
        if len(alike) > 1:
            later = np.ascontiguousarray(later[:, RENAMED[alike]].mean(axis=1))
        reply(here, label, weights, later, parts, NO_CHOICE)
        return parts

    def on_rivers(
        self, player: int, turn: Cards, alike: Ints, labels: list[Ints], weights: Floats
    ) -> Floats:
        """Return what the best reply wins on all rivers, (1, 1326, beginnings)."""
        longer, shares, _ = zip(*self.coming(turn, alike), strict=True)
        boards, live, (lines, term) = np.array(longer), labels[-1] >= 0, self.lines[player]
        hands = np.empty((len(boards), NUM_HOLDINGS), np.int32)
        hands = hands[:, : sort_hands(boards, live, hands)]
        code = np.where(live, np.ravel_multi_index(np.maximum(labels, 0), (256,) * RIVER), -1)
        first, kind = np.unique(code, return_index=True, return_inverse=True)[1:]
        label = self.labels(boards).astype(np.uint8)
        rivers = RiverHands(hands, label, np.array(shares, np.float32), kind)
        came = self.against[player][TURN].moved_on(weights[first], labels[-1][first])
        won = np.zeros((len(term), NUM_HOLDINGS, LINES), np.float32)
        acts_first = np.float32(self.against[player][RIVER].nodes["actor"][0] == player)
        levels = (acts_first,) * self.profile.game.tree.raise_cap
        play_rivers(levels, rivers, side_by_side(came[:, lines]), term, won)
        by_line = np.zeros((1, NUM_HOLDINGS, came.shape[1]))
        by_line[0, :, lines] = np.moveaxis(won, 1, 2).reshape(-1, NUM_HOLDINGS)[: len(lines)]
        return by_line


LEAST_FLOPS = 12
"""One of each kind for each half."""
FIT = comb(NUM_CARDS, 3) / comb(NUM_CARDS - 4, 3)
"""All flops, by those on which two given holdings can meet."""
OTHERS, OTHERS_ON_FLOP = comb(NUM_CARDS - 2, 2), comb(NUM_CARDS - 5, 2)
"""Holdings of the opponent, when the reply's is known."""


class StartingHands(NamedTuple):
    """The 169 starting hands, of which suits do not matter."""

    of_holding: Ints  # (1326,): which of them each holding is
    sizes: Ints  # (169,): how many holdings each is


@cache
def starting_hands() -> StartingHands:
    """Return the starting hands."""
    of_holding = np.asarray(hand_classes(2).index(HOLDINGS.copy()))
    return StartingHands(of_holding, np.bincount(of_holding))


class Flops(NamedTuple):
    """Chosen flops: n of them, of K kinds."""

    number: Ints  # (n,): among the canonical flops
    kind: Ints  # (n,)
    shares: Floats  # (K,): of all flops
    sizes: Ints  # (K,): how many canonical flops there are of each kind

    def weights(self, some: Any = slice(None)) -> Floats:
        """Return what each of some flops counts: a kind's share is divided among its flops."""
        kind = self.kind[some]
        return np.asarray(self.shares[kind] / np.bincount(kind)[kind])


def choose_flops(count: int | None, seed: int | None) -> Flops:
    """Return all flops, or so many drawn by a seed, of each kind its share."""
    boards, times = canonical_boards(3)
    suits, ranks = (
        [len(set(row)) for row in part] for part in (boards % NUM_SUITS, boards // NUM_SUITS)
    )
    kind = np.unique(np.array([suits, ranks]), axis=1, return_inverse=True)[1].ravel()
    sizes, shares = np.bincount(kind), np.bincount(kind, times) / times.sum()
    if count is None:
        return Flops(np.arange(len(boards)), kind, shares, sizes)
    whole("flops", count, LEAST_FLOPS, len(boards))
    if seed is None:
        raise SettingError(f"{count} flops are to be drawn; give a seed, or flops=None for all.")
    taken = np.full(len(sizes), LEAST_FLOPS // len(sizes))
    while taken.sum() < count:
        taken[np.argmax(np.where(taken < sizes, count * shares - taken, -np.inf))] += 1
    drawn = [
        stream(seed, "flops", k).permutation(np.flatnonzero(kind == k))[:size]
        for k, size in enumerate(taken)
    ]
    number = np.concatenate(drawn)
    return Flops(number, kind[number], shares, sizes)


class Plan(NamedTuple):
    """The best reply before the flop, for one seat."""

    parts: Floats  # (4,): what it wins, in small bets, by the street on which the hand ends
    counts: Floats  # (169, beginnings): how much of what is won from the flop on it wins
    fixed: float  # what it wins where no flop comes


def plan(exposed: Exposed, player: int, mean: Floats) -> Plan:
    """Return the best reply to what is won from the flop on, on average over flops, (3, 169, beginnings)."""
    here = exposed.against[player][0]
    label, weights = exposed.before_flop()
    parts = np.zeros((NUM_STREETS, NUM_HOLDINGS, 1))
    choice = np.zeros((len(here.nodes), NUM_HOLDINGS, 1), np.int64)
    by_holding = np.take(mean, starting_hands().of_holding, axis=1)
    reply(here, label, weights, by_holding, parts, choice)
    goes = np.full((len(here.nodes), NUM_HOLDINGS), 1.0 / (NUM_HOLDINGS * OTHERS))
    for k in np.flatnonzero(here.nodes["kind"] == DECISION):
        own = here.nodes["actor"][k] == player
        for child in here.nodes["child"][k]:
            if child >= 0:
                goes[child] = goes[k] * (choice[k, :, 0] == child) if own else goes[k]
    counts = by_starting_hand(goes[here.deals].T) * starting_hands().sizes[:, None]
    won = parts.sum(axis=(1, 2)) * goes[0, 0]
    return Plan(won, counts, float(won.sum() - (counts * mean.sum(axis=0)).sum()))


def by_starting_hand(by_holding: Floats) -> Floats:
    """Return means over the holdings that are one starting hand, (..., 1326, n) to (..., 169, n)."""
    hands, sizes = starting_hands()
    together = by_holding[..., np.argsort(hands, kind="stable"), :]
    sums = np.add.reduceat(together, np.cumsum(sizes) - sizes, axis=-2)
    return np.asarray(sums / sizes[:, None])


def won_in_buckets(exposed: Exposed) -> Floats:
    """Return what is won from each flop on if both see no more than buckets, (1755, 2, 169, beginnings)."""
    game, play = exposed.profile.game, exposed.profile.play
    lanes, odds, (first, then) = game.lanes, game.odds.copy(), game.buckets.counts[:2]
    block, starts = lanes.streets["block"][FLOP], lanes.streets["starts"][FLOP]
    before = exposed.before_flop()[0]
    labels = exposed.labels(canonical_boards(3)[0])
    hands, sizes = starting_hands()
    found = np.zeros((len(labels), NUM_SEATS, len(sizes), starts))
    for flop, player in product(range(len(labels)), range(NUM_SEATS)):
        live = labels[flop] >= 0
        label = labels[flop][live]
        moves = np.bincount(before[live] * then + label, minlength=first * then).reshape(first, -1)
        odds[START, 0, :first] = moves.sum(axis=1) / len(label)
        odds[0, :first, :then] = moves / np.maximum(moves.sum(axis=1, keepdims=True), 1)
        worth = swept(lanes, odds, play, play, player, BEST, NO_ROWS).start_worth[block]
        met = np.bincount(hands[live] * then + label, minlength=len(sizes) * then)
        shares = met.reshape(-1, then) / sizes[:, None]
        found[flop, player] = FIT * OTHERS_ON_FLOP * shares @ worth[:then, :starts]
    return found


def estimated(exposed: Exposed, flops: Flops, won: Floats) -> tuple[Floats, float, float]:
    """Return what the best reply wins by seat and by the street on which hands end, (2, 4), in small bets.

    With the standard error of the sum, and by how much it is too large at most on average. `won` is what it wins from
    flops on, (n, 2, 3, 169, beginnings).
    """
    luck, won = won_in_buckets(exposed), won.copy()
    mean = np.tensordot(choose_flops(None, None).weights(), luck, 1)
    won[:, :, -1] += mean - luck[flops.number]  # on average over all flops this is nothing

    def planned(some: Any) -> list[Plan]:
        """Return the best reply in both seats by some of the flops."""
        means = np.tensordot(flops.weights(some), won[some], 1)
        return [plan(exposed, player, each) for player, each in enumerate(means)]

    def paid(plans: list[Plan]) -> Floats:
        """Return what a reply wins by each flop."""
        counts = np.array([each.counts for each in plans])
        return np.asarray(
            sum(each.fixed for each in plans) + np.tensordot(won.sum(axis=2), counts, 3)
        )

    plans, taken = planned(slice(None)), np.bincount(flops.kind)
    parts = np.array([each.parts for each in plans])
    if (taken == flops.sizes).all():
        return parts, 0.0, 0.0
    each = paid(plans)
    spread = each - (np.bincount(flops.kind, each) / taken)[flops.kind]
    variance = np.bincount(flops.kind, spread**2) / (taken - 1)
    error = np.sqrt((flops.shares**2 * (1 - taken / flops.sizes) * variance / taken).sum())
    one, two = np.arange(0, len(each), 2), np.arange(1, len(each), 2)
    crossed = [flops.weights(b) @ paid(planned(a))[b] for a, b in ((one, two), (two, one))]
    return parts, float(error), max(float(parts.sum() - np.mean(crossed)), 0.0)


FORMAT = "pokerlab replies on a flop 1"
TO_MBB = 1000.0 / NUM_SEATS
FLOPS_AT_ONCE = 64
"""Flops that a cluster computes before they are kept."""


class RealWorstCase(NamedTuple):
    """What a best response with real cards wins."""

    small_bets: float  # in both seats together: the exploitability with real cards
    mbb: float  # a hand, on average over the seats, in thousandths of the big blind, a small bet
    error: float  # standard error of `mbb`; 0 if all flops are seen
    bias: float  # by how much `mbb` is too large at most, on average; 0 if all flops are seen
    by_seat: tuple[float, ...]  # small bets on the button, and in the big blind
    by_street: tuple[float, ...]  # small bets in both seats, by the street on which hands end
    num_flops: int
    seed: int | None

    def __str__(self) -> str:
        sampled = f" ± {self.error:.1f}, at most {self.bias:.1f} too many" if self.error else ""
        return f"{self.mbb:.3f} mbb a hand{sampled}, by {self.num_flops:,} flops"


def real_worst_case(
    game: BucketedHoldem,
    profile: BucketedProfile,
    *,
    flops: int | None = None,
    seed: int | None = None,
    workers: Any = 1,
    client: Any = None,
    checkpoint: str | Path | None = None,
) -> RealWorstCase:
    """Return what a best response with real cards wins from a profile, in both seats.

    Exact up to the rounding of float32. All flops take one core two to three hours, a hundred some eight minutes;
    less where the profile never comes to most lines of betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile, with the betting of tables.
    profile : BucketedProfile
        The strategy; it plays its hands by the bucket of their exact win probability.
    flops : int, optional
        How many of the 1,755 flops that suits leave different are drawn, 12 or more; all if left out.
    seed : int, optional
        Of the flops.
    workers : int, distributed.Client or str
        Threads, 1 to 256; or a cluster.
    client : distributed.Client or str, optional
        A cluster in place of `workers`.
    checkpoint : path, optional
        A folder that keeps what is won on each flop: a call that was stopped or killed goes on from there. A damaged
        file is made again, with a warning.

    Raises
    ------
    SettingError
        If a number is out of range, a seed is missing, or no table plays the betting.
    CheckpointError
        If the folder keeps another strategy, or another process uses it.
    """
    check_profile(game, profile)
    structure_of(profile)  # refuses what no table plays
    chosen = choose_flops(flops, seed)
    exposed = Exposed(profile)
    won = won_on(exposed, chosen.number.tolist(), client or workers, checkpoint)
    parts, error, bias = estimated(exposed, chosen, won)
    by_seat, by_street = (tuple(parts.sum(axis=axis).tolist()) for axis in (1, 0))
    total = float(parts.sum())
    in_mbb = TO_MBB * total, TO_MBB * error, TO_MBB * bias
    return RealWorstCase(total, *in_mbb, by_seat, by_street, len(won), seed)


def won_on(exposed: Exposed, flops: list[int], workers: Any, folder: str | Path | None) -> Floats:
    """Return what the best reply wins from flops on, (n, 2, 3, 169, beginnings); a folder keeps it flop by flop."""
    share, found = choose_work_divider(workers), dict[int, Floats]()
    at_once = FLOPS_AT_ONCE if is_cluster(workers) else max(1, PIECES_PER_THREAD * (workers - 1))
    with ExitStack() as stack:
        if folder is not None:
            home, game = checked_path("checkpoint", folder), exposed.profile.game
            decides = {f"bounds {k}": each for k, each in enumerate(game.buckets.bounds)}
            decides["play"] = exposed.profile.by_decision
            about = {"format": FORMAT, "game": game.fingerprint, "strategy": digest(decides)}
            stack.callback(claim(home / "flops").release)
            for flop in flops:
                kept = kept_flop(home / f"{flop}.npz", about, exposed)
                if kept is not None:
                    found[flop] = kept
        left = [flop for flop in flops if flop not in found]
        bar = tqdm(
            total=len(flops), initial=len(found), unit=" flops", delay=PROGRESS_AFTER, leave=False
        )
        stack.enter_context(bar)
        for begin in range(0, len(left), at_once):
            some = left[begin : begin + at_once]
            parts = share(partial(won_on_some, exposed, some), 0, len(some))
            for flop, won in zip(some, np.concatenate(parts), strict=True):
                found[flop] = won
                if folder is not None:
                    Kept(about, {"won": won}).save(home / f"{flop}.npz")
                bar.update()
    return np.array([found[flop] for flop in flops])


def kept_flop(path: Path, about: Mapping[str, Any], exposed: Exposed) -> Floats | None:
    """Return what a file keeps as won on a flop; None if there is no file, or it is damaged."""
    if not path.exists():
        return None
    beginnings = int(exposed.profile.game.lanes.streets["starts"][FLOP])
    wanted = (NUM_SEATS, NUM_STREETS - 1, hand_classes(2).size, beginnings)
    try:
        won = Kept.load(path, FORMAT, about).arrays.get("won")
        if not isinstance(won, np.ndarray) or won.dtype != np.float64 or won.shape != wanted:
            raise FileFormatError(f"it does not hold numbers of shape {wanted}")
        if not np.isfinite(won).all():
            raise FileFormatError("it holds numbers that are not finite")
    except CheckpointError:
        raise
    except FileFormatError as error:
        warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
        return None
    return won


def won_on_some(exposed: Exposed, flops: list[int], low: int, high: int) -> Floats:
    """Return what is won from some of these flops on."""
    boards = canonical_boards(3)[0][flops[low:high]]
    return FIT * by_starting_hand(np.array([exposed.on_flop(board) for board in boards]))
