"""A match of heads-up limit hold'em between a reader and an agent: pure, and decided by the seed and the reader.

Seat 0 is the reader's, seat 1 the agent's; the button changes with every hand, stacks are fresh. The agent is a
bucketed strategy: it puts real cards into a bucket, and acts on that.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from pokerlab.core import SettingError, stream
from pokerlab.core.arrays import Ints
from pokerlab.holdem.betting.actions import CALL, FOLD, FOLDING, RAISING, column_of
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.history import moments, seat_of
from pokerlab.holdem.betting.structure import Structure, limit
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.bucketed.public_tree import DEAL
from pokerlab.holdem.bucketed.real_player import CHIPS_A_SMALL_BET, structure_of
from pokerlab.holdem.buckets.made_buckets import bucket_of
from pokerlab.holdem.cards.dealing import dealt
from pokerlab.holdem.table import view as table_view
from pokerlab.holdem.table.players import Company, Player
from pokerlab.holdem.table.view import HIDDEN, NUM_VIEW_WORDS, SeatView, Tables
from pokerlab.workbench.pictures.narration import Thought

STACK = 100
"""Chips of each seat at the start of a hand: more than anybody can lose, 72 with six bets a round."""
READER, AGENT = 0, 1
MOVES = ("fold", "call", "raise")


@dataclass(frozen=True, eq=False)
class BucketedAgent:
    """A profile of bucketed hold'em as an opponent.

    Attributes
    ----------
    profile : BucketedProfile
        Its strategy; it sees the betting so far, and its cards as a bucket.
    name : str
        What it is called.
    """

    profile: BucketedProfile
    name: str = "the agent"

    @property
    def structure(self) -> Structure:
        """The betting of the profile's game, two chips a small bet."""
        return structure_of(self.profile)

    def explain(self, hand: Hand) -> Thought:
        """Return the bucket of the agent, whose turn it is, and the probabilities of its actions."""
        tree, buckets = self.profile.game.tree, self.profile.game.buckets
        bucket = int(bucket_of(buckets, hand.hole(seat_of(hand)), hand.board))
        decision = tree.decision[self.node_of(hand)]
        fold, call, raise_ = self.profile.table[self.profile.pointer[decision], bucket].tolist()
        return Thought(f"{bucket + 1} of {buckets.counts[hand.street]}", fold, call, raise_)

    def act(self, hand: Hand, luck: float) -> int:
        """Return the action that a number from 0 to 1 picks."""
        chances = np.cumsum(self.explain(hand)[1:])
        picked = np.searchsorted(chances, luck * chances[-1], side="right")
        raised = hand.legal.min_raise_to
        return raised if picked == RAISING and raised else FOLD if picked == FOLDING else CALL

    def node_of(self, hand: Hand) -> int:
        """Return where in the public tree a hand stands."""
        tree, node = self.profile.game.tree, 0
        for action in hand.actions:
            node = int(tree.child[node, column_of(action)])
            node += tree.kind[node] == DEAL
        return node


@dataclass(frozen=True, eq=False)
class LimitMatch:
    """Hands of a reader against an agent.

    Attributes
    ----------
    agent : Player or BucketedAgent
        A compiled player, a Python player, a function of a `SeatView`, or a bucketed strategy.
    seed : int
        Decides the deal and the agent's luck in hand k, whatever was played before.
    hands : tuple of Hand
        The last one may be under way.
    """

    agent: Player | BucketedAgent
    seed: int
    hands: tuple[Hand, ...] = ()

    @cached_property
    def opponent(self) -> "BucketedAgent | SeatedPlayer":
        """The agent, ready to be asked."""
        agent = self.agent
        return agent if isinstance(agent, BucketedAgent) else SeatedPlayer(Company([agent]))

    @property
    def name(self) -> str:
        """What the agent is called."""
        return self.opponent.name

    @property
    def is_waiting(self) -> bool:
        """Whether the reader has to act."""
        return bool(self.hands) and not self.hands[-1].is_over

    @property
    def finished(self) -> tuple[Hand, ...]:
        """The hands that are over."""
        return self.hands[: len(self.hands) - self.is_waiting]

    @cached_property
    def results(self) -> tuple[float, ...]:
        """What the reader has won in each finished hand, in small bets."""
        return tuple(float(hand.payoffs[READER]) / CHIPS_A_SMALL_BET for hand in self.finished)

    def deal(self) -> "LimitMatch":
        """Return the match with a new hand, played up to the reader's turn.

        Raises
        ------
        SettingError
            If a hand is under way.
        """
        if self.is_waiting:
            raise SettingError("the hand is not over; fold, call or raise first.")
        number = len(self.hands)
        cards = dealt(self.seed, 1, 2, first=number)[0]
        hand = Hand.begin(
            self.opponent.structure, (STACK, STACK), number % 2, cards, number=number + 1
        )
        return replace(self, hands=(*self.hands, self.played_on(hand)))

    def act(self, move: str) -> "LimitMatch":
        """Return the match after the reader's 'fold', 'call' or 'raise' and the agent's answer.

        To call is to check where nothing is owed, to raise to bet where nobody has.

        Raises
        ------
        SettingError
            If it is not the reader's turn, or there is no such move.
        IllegalActionError
            If the move is not legal.
        """
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        if move not in MOVES:
            raise SettingError(f"move is '{move}'; it may be 'fold', 'call' or 'raise'.")
        hand = self.hands[-1]
        raised = hand.legal.min_raise_to or hand.bet + hand.full_raise
        action = {"fold": FOLD, "call": CALL, "raise": raised}[move]
        return replace(self, hands=(*self.hands[:-1], self.played_on(hand.after(action))))

    def play(self, choose: Callable[[Hand], str], hands: int) -> "LimitMatch":
        """Return the match after `hands` more hands in which `choose` moves for the reader."""
        match = self
        for _ in range(hands):
            match = match.deal()
            while match.is_waiting:
                match = match.act(choose(match.hands[-1]))
        return match

    def played_on(self, hand: Hand) -> Hand:
        """Return the hand after the agent's actions, up to the reader's turn or the end."""
        while hand.actor == AGENT:
            luck = stream(self.seed, "agent", hand.number, len(hand.actions)).random()
            hand = hand.after(self.opponent.act(hand, luck))
        return hand


@dataclass(frozen=True, eq=False)
class SeatedPlayer:
    """A player of real cards as an opponent.

    Attributes
    ----------
    company : Company
        The player alone.
    """

    company: Company
    structure: ClassVar[Structure] = limit(CHIPS_A_SMALL_BET)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.company.players[0].name

    def act(self, hand: Hand, luck: float) -> int:
        """Return what the player does.

        Raises
        ------
        IllegalActionError
            If it is not legal.
        """
        return answered(self.company, hand, SeatView(view_of(hand), luck))


def view_of(hand: Hand) -> Ints:
    """Return what the seat to act sees, as players read it.

    Its player is number 0 of match 0, and has no luck for the whole hand.
    """
    legal, seat = hand.legal, hand.actor
    assert seat is not None
    view = np.zeros(NUM_VIEW_WORDS, np.int64)
    words = {
        table_view.HAND: hand.number,
        table_view.SEAT: seat,
        table_view.SEATS: hand.num_seats,
        table_view.BUTTON: hand.button,
        table_view.STREET: hand.street,
        table_view.TO_CALL: legal.to_call,
        table_view.CAN_FOLD: legal.can_fold,
        table_view.HAS_CHECKED: hand.checked[seat],
        table_view.MIN_RAISE_TO: legal.min_raise_to or 0,
        table_view.MAX_RAISE_TO: legal.max_raise_to or 0,
        table_view.BET: hand.bet,
        table_view.FULL_RAISE: hand.full_raise,
        table_view.NUM_BETS: hand.num_bets,
        table_view.BIG_BLIND: hand.structure.big_blind,
        table_view.POT: sum(hand.paid),
    }
    view[list(words)] = list(words.values())
    view[table_view.HOLE : table_view.HOLE + 2] = hand.hole(seat)
    view[table_view.BOARD : table_view.BOARD + 5] = HIDDEN
    view[table_view.BOARD : table_view.BOARD + len(hand.board)] = hand.board
    for begin, each in (
        (table_view.STACKS, hand.stacks),
        (table_view.BETS, hand.bets),
        (table_view.PAID, hand.paid),
        (table_view.LIVE, [not folded for folded in hand.folded]),
    ):
        view[begin : begin + hand.num_seats] = each
    return view


def answered(company: Company, hand: Hand, seen: SeatView) -> int:
    """Return what the player that a view names does.

    Raises
    ------
    IllegalActionError
        If it is not legal.
    """
    tables = Tables.empty(1)
    tables.views[0], tables.luck[0], tables.actions[0] = seen.words, seen.luck, np.nan
    company.act(tables, np.zeros(1, np.intp))
    answer = float(tables.actions[0])
    if not answer.is_integer() or not hand.can(int(answer)):
        raise company.refusal(tables.views[0], answer)
    return int(answer)


def decisions(hand: Hand, seat: int) -> list[tuple[Hand, int]]:
    """Return the moments at which a seat acted, and what it did."""
    return [(now, action) for now, action in moments(hand) if now.actor == seat]
