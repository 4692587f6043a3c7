"""A tournament of one table between a reader and players: pure, and decided by the seed and the reader.

Cards, the players' luck, blinds, and what players see of each other are those of `play_tournaments`: who
does what a player would do in seat 0 gets the same tournament.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from pokerlab.core import SettingError
from pokerlab.core.arrays import Ints
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.history import moments, seat_of
from pokerlab.holdem.betting.seating import blind_seats
from pokerlab.holdem.cards.dealing import dealt_in_match, key_at, key_of
from pokerlab.holdem.table import view as table_view
from pokerlab.holdem.table.aggressiveness import score_of
from pokerlab.holdem.table.players import Company
from pokerlab.holdem.table.view import SeatView
from pokerlab.holdem.tournaments.game import Tournament
from pokerlab.holdem.tournaments.results import moved_on, stacks_after
from pokerlab.workbench.tables.limit_match import answered, view_of

READER = 0
"""The reader's seat; the players follow on the left."""
TOURNAMENT = 0
"""Its number among those of the seed."""
SCORES, DECISIONS = range(2)


class Seen(NamedTuple):
    """A decision: the hand before it, what its seat saw, and what it did."""

    now: Hand
    view: SeatView
    action: int


@dataclass(frozen=True, eq=False)
class SitAndGo:
    """A tournament of a reader against players.

    Attributes
    ----------
    game : Tournament
        Blinds, stacks, and what players see of each other.
    opponents : Company
        The players of seats 1, 2, ...
    seed : int
        Of the cards and of the players' luck.
    hands : tuple of Hand
        The last one may be under way.
    tallies : tuple of ndarray of int64, shape (2, n)
        For each finished hand and each seat: the sum of its scores of aggressiveness, in millionths, and its
        decisions.
    """

    game: Tournament
    opponents: Company
    seed: int
    hands: tuple[Hand, ...] = ()
    tallies: tuple[Ints, ...] = ()

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return ["you", *(player.name for player in self.opponents.players)]

    @property
    def is_waiting(self) -> bool:
        """Whether the reader has to act."""
        return bool(self.hands) and not self.hands[-1].is_over

    @property
    def finished(self) -> tuple[Hand, ...]:
        """The hands that are over."""
        return self.hands[: len(self.hands) - self.is_waiting]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of each seat before the present hand, or before the next."""
        if not self.finished:
            return self.game.stacks
        return stacks_after(self.finished[-1])

    @cached_property
    def ranks(self) -> dict[int, float]:
        """The rank of each seat that has one: who is out, and who has won all chips."""
        ranks: dict[int, float] = {}
        for hand in self.finished:
            began, left = hand.starting_stacks, stacks_after(hand)
            out = [seat for seat, chips in enumerate(began) if chips and not left[seat]]
            ahead = sum(chips > 0 for chips in left)
            below = scipy.stats.rankdata([-began[seat] for seat in out])
            ranks |= zip(out, (ahead + below).tolist(), strict=True)
            if ahead == 1:
                ranks[left.index(sum(left))] = 1.0
        return ranks

    @property
    def is_out(self) -> bool:
        """Whether the reader has no chips left."""
        return self.stacks[READER] == 0

    @property
    def is_over(self) -> bool:
        """Whether one player has all chips."""
        return len(self.ranks) == len(self.game.stacks)

    def deal(self) -> "SitAndGo":
        """Return the tournament with a new hand, played up to the reader's turn or its end.

        Raises
        ------
        SettingError
            If a hand is under way, or the tournament is over.
        """
        if self.is_waiting:
            raise SettingError("the hand is not over; fold, call or raise first.")
        if self.is_over:
            raise SettingError("the tournament is over; begin another one.")
        number, stacks = len(self.hands), self.stacks
        cards = dealt_in_match(self.seed, TOURNAMENT, number, len(stacks))
        structure = self.game.schedule.at(number)
        hand = Hand.begin(structure, stacks, self.next_button(), cards, number=number)
        return self.played_on((*self.hands, hand))

    def next_button(self) -> int:
        """Return who has the button when the big blind moves on to the next seat with chips."""
        last = TOURNAMENT % len(self.stacks)
        if self.hands:
            _, last = blind_seats(self.hands[-1].starting_stacks, self.hands[-1].button)
        return moved_on(self.stacks, last)[1]

    def act(self, action: int) -> "SitAndGo":
        """Return the tournament after the reader's FOLD, CALL, or raise to so many chips, and the answers.

        Raises
        ------
        SettingError
            If it is not the reader's turn.
        IllegalActionError
            If the action is not legal.
        """
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        return self.played_on((*self.hands[:-1], self.hands[-1].after(action)))

    def play(self, choose: Callable[[Hand], int], hands: int) -> "SitAndGo":
        """Return the tournament after at most so many hands in which `choose` acts for the reader."""
        match = self
        for _ in range(hands):
            if match.is_over:
                break
            match = match.deal()
            while match.is_waiting:
                match = match.act(choose(match.hands[-1]))
        return match

    def played_on(self, hands: tuple[Hand, ...]) -> "SitAndGo":
        """Return the tournament after the players' actions, up to the reader's turn or the hand's end."""
        hand = hands[-1]
        tally = np.zeros((2, hand.num_seats), np.int64)
        for now, action in moments(hand):
            self.count(tally, now, action)
        while hand.actor not in (None, READER):
            action = answered(self.opponents, hand, self.seen(hand, tally))
            self.count(tally, hand, action)
            hand = hand.after(action)
        tallies = (*self.tallies, tally) if hand.is_over else self.tallies
        return replace(self, hands=(*hands[:-1], hand), tallies=tallies)

    def seen(self, hand: Hand, tally: Ints) -> SeatView:
        """Return what the seat to act sees; `tally` counts what has been done in this hand."""
        words, player = view_of(hand), seat_of(hand) - 1
        key = key_at(np.uint64(key_at(key_of(self.seed, "luck"), TOURNAMENT)), hand.number)
        words[table_view.LUCK_KEY] = np.uint64(key).astype(np.int64)
        if player >= 0:
            words[table_view.PLAYER] = player
            words[table_view.PARAMETERS] = self.opponents.parameters_of[player]
        how, seats = self.game.aggressiveness, hand.num_seats
        if how is not None:
            dealt_in = sum(chips > 0 for chips in hand.starting_stacks)
            window = dealt_in if how.recent == "orbit" else how.window
            since = max(hand.number - window + 1, 0)
            for first, hands in ((table_view.OVERALL, 0), (table_view.RECENT, since)):
                sums = np.sum([*self.tallies[hands : hand.number], tally], axis=0)
                means = (sums[SCORES] / np.maximum(sums[DECISIONS], 1)).astype(np.int64)
                words[first : first + seats] = np.where(hand.starting_stacks, means, 0)
        luck = int(key_at(np.uint64(key), len(hand.actions))) >> 11
        return SeatView(words, luck * 2.0**-53)

    def count(self, tally: Ints, hand: Hand, action: int) -> None:
        """Add an action to the tally of its hand."""
        how = self.game.aggressiveness
        if how is not None:
            tally[:, seat_of(hand)] += int(score_of(view_of(hand), action, how.scoring)), 1

    def decisions(self, number: int) -> Iterator[Seen]:
        """Yield all decisions of a finished hand, by its number from 0, with what each seat saw."""
        hand = self.finished[number]
        tally = np.zeros((2, hand.num_seats), np.int64)
        for now, action in moments(hand):
            yield Seen(now, self.seen(now, tally), action)
            self.count(tally, now, action)
