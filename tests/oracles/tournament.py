"""A tournament of many tables in the words of its rules: hand for hand, balanced, and what players see.

`TournamentField` plays it round by round, on `Hand`. The rules are those of `pokerlab.holdem.tournament` and of
the trade; the aggressiveness of players is that of Nicolai & Hilderman (2009), section III.A, kept in the
simplest way there is: everybody writes down every decision of everybody at the same table.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from pokerlab.holdem import Aggressiveness
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.hand import CALL, FOLD, Hand

MILLION = 1_000_000

Decide: TypeAlias = Callable[[Hand, Sequence[float], Sequence[float], float], int]
"""From a hand, everybody's overall and recent aggressiveness by seat, and luck in [0, 1), to an action."""


@dataclass(eq=False)
class Entrant:
    """One who plays in a tournament; scores are in millionths."""

    number: int  # the place in the line-up
    decide: Decide
    chips: int
    arrived: int = 0  # the first round at its table
    # Of each entrant that it knows, round and score of every decision that it has seen.
    seen: dict["Entrant", list[tuple[int, int]]] = field(default_factory=dict)
    done: list[tuple[int, int]] = field(default_factory=list)  # the same of its own decisions
    rank: float = 0.0  # once it is out
    lasted: int = 0  # rounds
    won: int = 0  # hands after which it had more chips than before


@dataclass(eq=False)
class RoundTable:
    """A table: who sits on which chair, and which chair had the big blind last."""

    number: int
    chairs: list[Entrant | None]
    big_blind: int

    @property
    def players(self) -> list[Entrant]:
        """Who sits there, beginning with the one who is due for the big blind."""
        return [entrant for entrant in self.around() if entrant is not None]

    def around(self) -> list[Entrant | None]:
        """Return the chairs in the order in which the big blind will come to them."""
        after = self.big_blind + 1
        return [*self.chairs[after:], *self.chairs[:after]]


@dataclass(eq=False)
class TournamentField:
    """A tournament under way."""

    tables: list[RoundTable]  # those that are left
    num_seats: int  # chairs at each
    structure_at: Callable[[int], Structure]  # from the round to the blinds
    deal: Callable[
        [int, int, int], Sequence[int]
    ]  # from a table, its chairs and the round to cards
    luck: Callable[[int, int, int], float]  # from table, round and actions so far to [0, 1)
    how: Aggressiveness  # how decisions are scored and remembered
    even: bool = True  # whether tables are kept even, or only the smallest is broken
    round: int = 0  # how many have been played

    def rounds(self, most: int) -> Iterator[list[tuple[RoundTable, Hand]]]:
        """Play at most so many rounds, until one is left; yield the hands of each, table by table."""
        while len(self.players()) > 1 and self.round < most:
            before = {entrant: entrant.chips for entrant in self.players()}
            hands = [(table, self.hand(table)) for table in self.tables if len(table.players) > 1]
            self.round += 1
            for entrant in before:
                entrant.lasted += 1
            out = [entrant for entrant in before if entrant.chips == 0]
            rank({entrant: before[entrant] for entrant in out}, len(before) - len(out))
            for table in self.tables:
                table.chairs = [None if chair in out else chair for chair in table.chairs]
            yield hands
            self.change_tables()
        rank({entrant: entrant.chips for entrant in self.players()}, 0)

    def players(self) -> list[Entrant]:
        """Return who is left."""
        return [entrant for table in self.tables for entrant in table.players]

    def hand(self, table: RoundTable) -> Hand:
        """Play a hand: the big blind moves on by one player, and button and small blind before it."""
        players = table.players
        table.big_blind = table.chairs.index(players[0])
        button = table.chairs.index(players[-2] if len(players) > 2 else players[-1])
        stacks = [0 if chair is None else chair.chips for chair in table.chairs]
        cards = self.deal(table.number, self.num_seats, self.round)
        hand = Hand.begin(self.structure_at(self.round), stacks, button, cards, number=self.round)
        while hand.actor is not None:
            actor = table.chairs[hand.actor]
            assert actor is not None
            luck = self.luck(table.number, self.round, len(hand.actions))
            action = actor.decide(hand, *self.known_to(actor, table), luck)
            scored = self.round, score(hand, action, self.how)
            actor.done.append(scored)
            for watcher in players:
                watcher.seen.setdefault(actor, []).append(scored)
            hand = hand.after(action)
        for chair, won in zip(table.chairs, hand.payoffs.tolist(), strict=True):
            if chair is not None:
                chair.chips += won
                chair.won += won > 0
        return hand

    def known_to(self, actor: Entrant, table: RoundTable) -> tuple[list[float], list[float]]:
        """Return everybody's overall and recent aggressiveness by chair, as far as `actor` has seen it."""
        overall, recent = [0.0] * self.num_seats, [0.0] * self.num_seats
        for chair, other in enumerate(table.chairs):
            if other is not None:
                # Who was at another table in between is seen anew; of oneself one sees everything.
                met = 0 if other is actor else max(actor.arrived, other.arrived)
                window = self.round - self.how.window + 1
                since, seen = max(met, window), actor.seen.get(other, [])
                if self.how.shared:
                    since, seen = window, other.done
                overall[chair] = mean([scored for _, scored in seen])
                recent[chair] = mean([scored for when, scored in seen if when >= since])
        return overall, recent

    def change_tables(self) -> None:
        """Break a table while the others have room for all; balance them, one player at a time."""
        while True:
            self.tables = [table for table in self.tables if table.players]
            old = self.tables[-1]
            if not self.even:
                old = min(reversed(self.tables), key=lambda table: len(table.players))
            others = [table for table in self.tables if table is not old]
            if len(self.players()) <= self.num_seats * len(others):
                new = min(others, key=lambda table: len(table.players))
            else:
                old = max(self.tables, key=lambda table: len(table.players))
                new = min(self.tables, key=lambda table: len(table.players))
                if not self.even or len(old.players) - len(new.players) < 2:
                    return
            self.move(old.players[0], old, new)

    def move(self, mover: Entrant, old: RoundTable, new: RoundTable) -> None:
        """Move the player who is due for the big blind to the chair that is due soonest for it."""
        old.chairs[old.chairs.index(mover)] = None
        empty = new.around().index(None)
        new.chairs[(new.big_blind + 1 + empty) % self.num_seats] = mover
        mover.arrived = self.round


def even_tables(entrants: Sequence[Entrant], num_seats: int, big_blind: int) -> list[RoundTable]:
    """Return entrants at as many tables as they need, as evenly as possible."""
    num_tables = -(-len(entrants) // num_seats)
    edges = [len(entrants) * table // num_tables for table in range(num_tables + 1)]
    groups = [entrants[low:high] for low, high in pairwise(edges)]
    return [
        RoundTable(t, [*group, *[None] * (num_seats - len(group))], big_blind)
        for t, group in enumerate(groups)
    ]


def rank(chips: Mapping[Entrant, float], ahead: int) -> None:
    """Rank entrants below `ahead` others, more chips first; equally many share the mean rank."""
    for entrant, own in chips.items():
        more = sum(others > own for others in chips.values())
        equal = sum(others == own for others in chips.values())
        entrant.rank = ahead + more + (equal + 1) / 2


def score(hand: Hand, action: int, how: Aggressiveness) -> int:
    """Return how aggressive an action is, in millionths.

    Examples
    --------
    A raise from a big blind of 10 to 40 puts in 30 chips above the call, which is 3 times the call.

    >>> from pokerlab.holdem import no_limit, parse_cards
    >>> hand = Hand.begin(no_limit(5, 10), [100] * 3, 0, parse_cards("As Ad Ks Kd Qs Qd 2c 3d 7h 8s Jc"))
    >>> [score(hand, action, Aggressiveness()) for action in (FOLD, CALL, 40)]
    [0, 1000000, 3000000]
    """
    assert hand.actor is not None
    owed, own_bet = hand.legal_actions.to_call, hand.bets[hand.actor]
    if action == FOLD or (action == CALL and not owed):
        return 0
    if action == CALL:
        return MILLION if how.score == "price" else 0
    if how.score == "raises":
        return MILLION
    raised = action - (hand.bet if how.raised == "above the call" else own_bet)
    price = owed or hand.structure.big_blind
    return int(min(raised / price, 1e6) * MILLION)


def mean(scores: Sequence[int]) -> float:
    """Return the mean of scores in millionths, to a millionth; 0 of none."""
    return int(sum(scores) / len(scores)) / MILLION if scores else 0.0
