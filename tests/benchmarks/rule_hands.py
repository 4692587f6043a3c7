"""Hands of rule genomes: one decision rule, the same Python function at every engine's table.

Strategies that pokerlab has written by hand take the seats. Each engine first plays the same deals,
and tells a number that depends on who lost what in which of them; then hands that it deals itself.
"""

import random
from collections.abc import Callable, Sequence
from itertools import count as numbers
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Ints
from pokerlab.holdem.betting.actions import Legal
from pokerlab.holdem.cards.dealing import dealt, key_of, number_at
from pokerlab.holdem.table.view import LUCK_KEY, NUM_VIEW_WORDS, SEAT, hand_luck
from pokerlab.papers.noble2001 import REASONABLE
from tests.benchmarks.stopwatch import Answer, Measure, PerCall
from tests.benchmarks.whole_hands import BIG_BET, NUM_CHECKED, SEED, SMALL_BET, TABLES
from tests.oracles.players import rule_decision

GENOMES = [one.genome.tolist() for one in reversed(REASONABLE)]
SIZES = (SMALL_BET, SMALL_BET, BIG_BET, BIG_BET)
LUCK = key_of(SEED, "luck")

Cards = Sequence[int]
Play = Callable[[int, Cards | None], tuple[int, Sequence[float]]]
"""From a hand's number and its cards, if they are given, to the number of decisions and each seat's win."""


class Seen(NamedTuple):
    """What the rule asks of a view, put together from what another engine says of its table.

    Attributes
    ----------
    seat, street : int
        Who is to act, and when.
    hole, board : sequence of int
        Its cards and those on the board.
    bets, paid : mapping or sequence of int
        What it has put in during this round, and during the hand, at its seat.
    legal : Legal
        What it may do.
    has_checked : bool
        Whether it has checked in this round.
    words : ndarray of int64
        The seat, and where its luck comes from.
    """

    seat: int
    street: int
    hole: Cards
    board: Cards
    bets: Any
    paid: Any
    legal: Legal
    has_checked: bool
    words: Ints

    @property
    def hand_luck(self) -> float:
        """A random number in [0, 1) that belongs to the seat for the whole hand."""
        return hand_luck(self.words, 0)


class Rules:
    """The seats of one hand, and what they remember of it that an engine may not say."""

    def __init__(self, number: int) -> None:
        self.words = np.zeros(NUM_VIEW_WORDS, np.int64)
        self.words[LUCK_KEY] = np.uint64(number_at(LUCK, number)).astype(np.int64)
        self.checked: set[tuple[int, int]] = set()
        self.decisions = 0

    def decide(
        self,
        seat: int,
        street: int,
        hole: Cards,
        board: Cards,
        *,
        bet: int,
        own_bet: int,
        paid: int,
        can_raise: bool,
    ) -> int:
        """Return what the seat's genome does: fold (-1), call (0), or the chips to raise to."""
        self.words[SEAT] = seat
        self.decisions += 1
        to = bet + SIZES[street] if can_raise else None
        seen = Seen(
            seat=seat,
            street=street,
            hole=hole,
            board=board,
            bets={seat: own_bet},
            paid={seat: paid},
            legal=Legal(bet > own_bet, bet - own_bet, to, to),
            has_checked=(street, seat) in self.checked,
            words=self.words,
        )
        view: Any = seen
        action = rule_decision(GENOMES[seat], view)
        if action == 0 and bet == own_bet:
            self.checked.add((street, seat))
        return action


def timed_players(game: str, play: Play, *, same_deals: bool) -> Measure:
    """Return the measure of `play`, after hands whose decisions are counted.

    If an engine can play the `same_deals` by the same rules, who lost what is told as well.
    """
    random.seed(SEED)
    deals = dealt(SEED, NUM_CHECKED, TABLES[game].seats).tolist()
    played = [play(number, cards if same_deals else None) for number, cards in enumerate(deals)]
    decisions, won = zip(*played, strict=True)
    seen = outcome(sum(decisions), won)
    if not same_deals:
        del seen["lost"]
    hands = numbers(NUM_CHECKED)

    def advance(count: int) -> None:
        for number in islice(hands, count):
            play(number, None)

    timed = PerCall(advance)
    return lambda seconds: timed(seconds) | seen


def outcome(decisions: int, won: ArrayLike) -> Answer:
    """Return decisions a hand and, from who `won` what, (hands, seats), who lost what in one number.

    Winners may share an odd chip in different ways.
    """
    lost = np.minimum(won, 0)
    hand, seat = np.indices(lost.shape)
    weights = 1 + seat + lost.shape[1] * hand
    return {"decisions": decisions / len(lost), "lost": float((weights * lost).sum())}


def seat_of(player: int, number: int, seats: int) -> int:
    """Return the seat of an engine's player, the first of whom is on the left of the button."""
    return (number + 1 + player) % seats
