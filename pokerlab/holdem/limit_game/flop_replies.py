"""The best reply with real cards on a flop: of its turns and rivers one of each kind that suits leave different.

How to read it. Suits that can be renamed without a change of the cards seen so far are *alike*. Of cards to come that
differ by such names alone one is dealt, and counts for all; since the reply's own cards would be renamed too, what it
wins is then averaged over the renamings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
    RIVER,
    TURN,
    Cards,
)
from pokerlab.holdem.cards.suits import RENAMED, RENAMINGS
from pokerlab.holdem.equity.exact import everybody
from pokerlab.holdem.limit_game.betting_tree import NUM_SEATS
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedProfile
from pokerlab.holdem.limit_game.replies import Against, reply, streets_against
from pokerlab.holdem.limit_game.river_arrays import play_rivers_with
from pokerlab.holdem.limit_game.river_replies import (
    LINES,
    RiverHands,
    Small,
    play_rivers,
    side_by_side,
    sort_hands,
    terms,
)

NO_CHOICE = np.zeros((0, 0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class Exposed:
    """A strategy that meets, in both seats, whoever knows it and sees real cards; of a deck that may lack some."""

    profile: BucketedProfile
    missing: tuple[int, ...] = ()
    arrays: Any = None  # the module that plays rivers; the compiled kernel without one

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
            later = later[:, RENAMED[alike]].mean(axis=1)
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
        play = play_rivers if self.arrays is None else partial(play_rivers_with, self.arrays)
        play(levels, rivers, side_by_side(came[:, lines]), term, won)
        by_line = np.zeros((1, NUM_HOLDINGS, came.shape[1]))
        by_line[0, :, lines] = np.moveaxis(won, 1, 2).reshape(-1, NUM_HOLDINGS)[: len(lines)]
        return by_line
