"""A match of hold'em between a reader in seat 0 and players: pure, and decided by the seed and the reader.

`LimitMatch` is heads-up limit hold'em with fresh stacks. `SitAndGo` is a tournament of one table as
`Tournament.play` plays it: who does what a player would do in seat 0 gets the same tournament.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import scipy

from pokerlab.core import Ints, SettingError, random_stream
from pokerlab.core.random_numbers import derive_stream_key, draw_stream_key
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.aggressiveness import score_aggressiveness
from pokerlab.holdem.betting_structure import Structure, find_blind_seats, limit
from pokerlab.holdem.betting_tree import DEAL
from pokerlab.holdem.bucketed_holdem import BucketedProfile
from pokerlab.holdem.buckets import find_bucket
from pokerlab.holdem.cards import deal_hands, deal_tournament_hand
from pokerlab.holdem.hand import CALL, FOLD, FOLDING, RAISING, Hand, find_action_column
from pokerlab.holdem.hand_history import get_actor, replay_actions
from pokerlab.holdem.players import Player, Roster
from pokerlab.holdem.real_player import CHIPS_A_SMALL_BET, make_structure
from pokerlab.holdem.table_view import HIDDEN, NUM_VIEW_WORDS, SeatView, Tables
from pokerlab.holdem.tournament_game import (
    Tournament,
    compute_stacks_after_hand,
    find_next_blind_and_button,
)

STACK = 100
"""Chips of each seat at the start of a limit hand: more than anybody can lose, 72 with six bets a round."""
READER, AGENT = 0, 1
MOVES = ("fold", "call", "raise")
TOURNAMENT = 0  # its number among those of the seed
SCORES, DECISIONS = range(2)


@dataclass(frozen=True, eq=False, kw_only=True)
class HoldemMatch(ABC):
    """Hands of a reader against players; the last one may be under way."""

    seed: int
    hands: tuple[Hand, ...] = ()

    @abstractmethod
    def make_hand(self, number: int) -> Hand:
        """Return the beginning of hand `number`, from 0."""

    @abstractmethod
    def play_on(self, hands: tuple[Hand, ...]) -> Self:
        """Return the match after the others' actions, up to the reader's turn or the hand's end."""

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """What the seats are called."""

    @property
    def is_waiting(self) -> bool:
        """Whether the reader has to act."""
        return bool(self.hands) and not self.hands[-1].is_over

    @property
    def is_out(self) -> bool:
        """Whether the reader has no chips left."""
        return False

    @property
    def is_over(self) -> bool:
        """Whether no hand can follow."""
        return False

    @property
    def finished(self) -> tuple[Hand, ...]:
        """The hands that are over."""
        return self.hands[: len(self.hands) - self.is_waiting]

    def deal(self) -> Self:
        """Return the match with a new hand, played up to the reader's turn or its end."""
        if self.is_waiting:
            raise SettingError("the hand is not over; fold, call or raise first.")
        if self.is_over:
            raise SettingError("the tournament is over; begin another one.")
        return self.play_on((*self.hands, self.make_hand(len(self.hands))))

    def act(self, action: int) -> Self:
        """Return the match after the reader's FOLD, CALL, or raise to so many chips, and the answers."""
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        return self.play_on((*self.hands[:-1], self.hands[-1].after(action)))

    def play(self, choose: Callable[[Hand], Any], hands: int) -> Self:
        """Return the match after at most so many more hands in which `choose` acts for the reader."""
        match = self
        for _ in range(hands):
            if match.is_over:
                break
            match = match.deal()
            while match.is_waiting:
                match = match.act(choose(match.hands[-1]))
        return match


@dataclass(frozen=True, eq=False)
class BucketedAgent:
    """A profile of bucketed hold'em as an opponent."""

    profile: BucketedProfile  # its strategy; it sees the betting so far, and its cards as a bucket
    name: str = "the agent"

    @property
    def structure(self) -> Structure:
        """The betting of the profile's game, two chips a small bet."""
        return make_structure(self.profile)

    def explain(self, hand: Hand) -> tuple[str, list[float]]:
        """Return the bucket that the agent acts on, such as '5 of 6', and its chances to fold, call, raise."""
        tree, buckets = self.profile.game.tree, self.profile.game.buckets
        bucket = int(find_bucket(buckets, hand.get_hole_cards(get_actor(hand)), hand.board))
        decision = tree.decision[self.find_node(hand)]
        chances = self.profile.table[self.profile.pointer[decision], bucket].tolist()
        return f"{bucket + 1} of {buckets.counts[hand.street]}", chances

    def act(self, hand: Hand, luck: float) -> int:
        """Return the action that a number from 0 to 1 picks."""
        chances = np.cumsum(self.explain(hand)[1])
        picked = np.searchsorted(chances, luck * chances[-1], side="right")
        raised = hand.legal_actions.min_raise_to
        return raised if picked == RAISING and raised else FOLD if picked == FOLDING else CALL

    def find_node(self, hand: Hand) -> int:
        """Return where in the public tree a hand stands."""
        tree = self.profile.game.tree
        node = 0
        for action in hand.actions:
            node = int(tree.child[node, find_action_column(action)])
            node += tree.kind[node] == DEAL
        return node


@dataclass(frozen=True, eq=False, kw_only=True)
class LimitMatch(HoldemMatch):
    """Heads-up limit hold'em; the button changes with every hand, and each has cards and luck of its own."""

    agent: Player | BucketedAgent

    @cached_property
    def opponent(self) -> "BucketedAgent | SeatedPlayer":
        """The agent, ready to be asked."""
        agent = self.agent
        return agent if isinstance(agent, BucketedAgent) else SeatedPlayer(Roster([agent]))

    @property
    def name(self) -> str:
        """What the agent is called."""
        return self.opponent.name

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return ["you", self.name]

    @cached_property
    def chips(self) -> tuple[int, ...]:
        """What the reader has won in each finished hand."""
        return tuple(int(hand.payoffs[READER]) for hand in self.finished)

    def make_hand(self, number: int) -> Hand:
        """Return a hand with fresh stacks."""
        cards = deal_hands(self.seed, 1, 2, first=number)[0]
        stacks = (STACK, STACK)
        return Hand.begin(self.opponent.structure, stacks, number % 2, cards, number=number + 1)

    def act(self, action: str | int) -> Self:
        """Return the match after the reader's 'fold', 'call' (or check) or 'raise' (or bet), and the answer."""
        if not self.is_waiting or not isinstance(action, str):
            return super().act(action)  # type: ignore[arg-type]
        if action not in MOVES:
            raise SettingError(f"move is '{action}'; it may be 'fold', 'call' or 'raise'.")
        hand = self.hands[-1]
        raised = hand.legal_actions.min_raise_to or hand.bet + hand.full_raise
        return super().act({"fold": FOLD, "call": CALL, "raise": raised}[action])

    def play_on(self, hands: tuple[Hand, ...]) -> Self:
        """Return the match after the agent's actions."""
        hand = hands[-1]
        while hand.actor == AGENT:
            luck = random_stream(self.seed, "agent", hand.number, len(hand.actions)).random()
            hand = hand.after(self.opponent.act(hand, luck))
        return replace(self, hands=(*hands[:-1], hand))


@dataclass(frozen=True, eq=False)
class SeatedPlayer:
    """A player of real cards as an opponent."""

    company: Roster  # the player alone
    structure: ClassVar[Structure] = limit(CHIPS_A_SMALL_BET)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.company.players[0].name

    def act(self, hand: Hand, luck: float) -> int:
        """Return what the player does."""
        return ask_player(self.company, hand, SeatView(read_view(hand), luck))


class Seen(NamedTuple):
    """A decision: the hand before it, what its seat saw, and what it did."""

    now: Hand
    view: SeatView
    action: int


@dataclass(frozen=True, eq=False, kw_only=True)
class SitAndGo(HoldemMatch):
    """A tournament of one table."""

    game: Tournament
    opponents: Roster
    # a hand: each seat's scores, in millionths, and decisions, (2, n)
    tallies: tuple[Ints, ...] = ()

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return ["you", *(player.name for player in self.opponents.players)]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of each seat before the present hand, or before the next."""
        return compute_stacks_after_hand(self.finished[-1]) if self.finished else self.game.stacks

    @cached_property
    def ranks(self) -> dict[int, float]:
        """The rank of each seat that has one: who is out, and who has won all chips."""
        ranks: dict[int, float] = {}
        for hand in self.finished:
            began = hand.starting_stacks
            left = compute_stacks_after_hand(hand)
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

    def make_hand(self, number: int) -> Hand:
        """Return a hand with the blinds of its number."""
        stacks = self.stacks
        cards = deal_tournament_hand(self.seed, TOURNAMENT, number, len(stacks))
        structure = self.game.schedule.find_structure(number)
        last = TOURNAMENT % len(
            stacks
        )  # who had the big blind, which moves on to a seat with chips
        if self.hands:
            _, last = find_blind_seats(self.hands[-1].starting_stacks, self.hands[-1].button)
        return Hand.begin(
            structure, stacks, find_next_blind_and_button(stacks, last)[1], cards, number=number
        )

    def play_on(self, hands: tuple[Hand, ...]) -> Self:
        """Return the tournament after the players' actions, up to the reader's turn or the hand's end."""
        hand = hands[-1]
        tally = np.zeros((2, hand.num_seats), np.int64)
        for now, action in replay_actions(hand):
            self.count(tally, now, action)
        while hand.actor not in (None, READER):
            action = ask_player(self.opponents, hand, self.make_view(hand, tally))
            self.count(tally, hand, action)
            hand = hand.after(action)
        tallies = (*self.tallies, tally) if hand.is_over else self.tallies
        return replace(self, hands=(*hands[:-1], hand), tallies=tallies)

    def make_view(self, hand: Hand, tally: Ints) -> SeatView:
        """Return what the seat to act sees; `tally` counts what has been done in this hand."""
        words = read_view(hand)
        player = get_actor(hand) - 1
        key = derive_stream_key(
            np.uint64(derive_stream_key(draw_stream_key(self.seed, "luck"), TOURNAMENT)),
            hand.number,
        )
        words[table_view.RANDOM_KEY] = np.uint64(key).astype(np.int64)
        if player >= 0:
            words[table_view.PLAYER] = player
            words[table_view.PARAMETERS] = self.opponents.parameter_rows[player]
        how = self.game.aggressiveness
        seats = hand.num_seats
        if how is not None:
            since = max(hand.number - how.window + 1, 0)
            for first, hands in ((table_view.OVERALL, 0), (table_view.RECENT, since)):
                sums = np.sum([*self.tallies[hands : hand.number], tally], axis=0)
                means = (sums[SCORES] / np.maximum(sums[DECISIONS], 1)).astype(np.int64)
                words[first : first + seats] = np.where(hand.starting_stacks, means, 0)
        luck = int(derive_stream_key(np.uint64(key), len(hand.actions))) >> 11
        return SeatView(words, luck * 2.0**-53)

    def count(self, tally: Ints, hand: Hand, action: int) -> None:
        """Add an action to the tally of its hand."""
        how = self.game.aggressiveness
        if how is not None:
            tally[:, get_actor(hand)] += (
                int(score_aggressiveness(read_view(hand), action, how.scoring)),
                1,
            )

    def list_decisions(self, number: int) -> Iterator[Seen]:
        """Yield all decisions of a finished hand, by its number from 0, with what each seat saw."""
        hand = self.finished[number]
        tally = np.zeros((2, hand.num_seats), np.int64)
        for now, action in replay_actions(hand):
            yield Seen(now, self.make_view(now, tally), action)
            self.count(tally, now, action)


def read_view(hand: Hand) -> Ints:
    """Return what the seat to act sees, as player 0 of match 0 reads it, without luck for the whole hand."""
    legal, seat = hand.legal_actions, hand.actor
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
    view[table_view.HOLE : table_view.HOLE + 2] = hand.get_hole_cards(seat)
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


def ask_player(company: Roster, hand: Hand, seen: SeatView) -> int:
    """Return what the player that a view names does."""
    tables = Tables.allocate(1)
    tables.views[0], tables.uniforms[0], tables.actions[0] = seen.words, seen.random_number, np.nan
    company.ask_players(tables, np.zeros(1, np.intp))
    answer = float(tables.actions[0])
    if not answer.is_integer() or not hand.is_legal(int(answer)):
        raise company.make_illegal_action_error(tables.views[0], answer)
    return int(answer)
