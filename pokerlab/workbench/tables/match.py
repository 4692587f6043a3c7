"""A match of hold'em between a reader in seat 0 and players. It is decided by the seed and the actions of the reader.

A match is never changed: each method returns a new one. `LimitMatch` is heads-up limit hold'em with fresh stacks.
`SitAndGo` is a tournament of one table as `Tournament.play` plays it. A reader who acts as a player would in seat 0
gets the same tournament.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import scipy

from pokerlab.core import Ints, SettingError, random_stream
from pokerlab.core.old_names import explain_renamed_attributes
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
"""The chips of each seat at the start of a limit hand: more than anyone can lose, 72 with six bets a round."""
READER, AGENT = 0, 1  # seats
MOVES = ("fold", "call", "raise")
TOURNAMENT_INDEX = 0  # the first of the tournaments that `Tournament.play` plays with the seed
SCORES, DECISIONS = range(2)  # rows of a tally


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, kw_only=True)
class HoldemMatch(ABC):
    """Hands of a reader against players. The last one may be under way."""

    seed: int
    hands: tuple[Hand, ...] = ()

    @abstractmethod
    def make_hand(self, hand_index: int) -> Hand:
        """Return a hand before its first action, by its index in the match from 0."""

    @abstractmethod
    def play_opponents(self, hands: tuple[Hand, ...]) -> Self:
        """Return the match in which the others have acted up to the reader's turn or the end of the last of `hands`."""

    @property
    @abstractmethod
    def seat_names(self) -> list[str]:
        """The names of the seats; the reader's is 'you'."""

    @property
    def is_waiting(self) -> bool:
        """Whether it is the reader's turn."""
        return bool(self.hands) and not self.hands[-1].is_over

    @property
    def is_reader_out(self) -> bool:
        """Whether the reader has no chips left."""
        return False

    @property
    def is_over(self) -> bool:
        """Whether no hand can follow."""
        return False

    @property
    def finished(self) -> tuple[Hand, ...]:
        """The hands that are over, in order."""
        return self.hands[: len(self.hands) - self.is_waiting]

    def deal(self) -> Self:
        """Return the match with a new hand, played up to the reader's turn or its end.

        Raises
        ------
        SettingError
            If a hand is under way, or no hand can follow.
        """
        if self.is_waiting:
            raise SettingError("the hand is not over; fold, call or raise first.")
        if self.is_over:
            raise SettingError("the tournament is over; begin another one.")
        return self.play_opponents((*self.hands, self.make_hand(len(self.hands))))

    def act(self, action: int) -> Self:
        """Return the match after an action of the reader and the actions of the others that follow.

        Parameters
        ----------
        action : int
            FOLD, CALL, or the chips to raise to.

        Raises
        ------
        SettingError
            If no hand is under way.
        """
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        return self.play_opponents((*self.hands[:-1], self.hands[-1].after(action)))

    def play(self, choose_action: Callable[[Hand], Any], num_hands: int) -> Self:
        """Return the match after `num_hands` more hands in which `choose_action` acts for the reader.

        There are fewer hands if the match is over before.
        """
        match = self
        for _ in range(num_hands):
            if match.is_over:
                break
            match = match.deal()
            while match.is_waiting:
                match = match.act(choose_action(match.hands[-1]))
        return match


@dataclass(frozen=True, eq=False)
class BucketedAgent:
    """A profile of bucketed hold'em as an opponent. It acts on the betting so far and on the bucket of its cards."""

    profile: BucketedProfile
    name: str = "the agent"

    @property
    def structure(self) -> Structure:
        """The betting rules of the profile's game, in which a small bet is two chips."""
        return make_structure(self.profile)

    def explain_decision(self, hand: Hand) -> tuple[str, list[float]]:
        """Return the bucket of the cards of the seat to act, and the probabilities of its actions.

        Returns
        -------
        str
            The number of the bucket and the number of all buckets of the street, such as '5 of 6'.
        list of 3 floats
            The probabilities to fold, to check or call, and to bet or raise.
        """
        tree, buckets = self.profile.game.tree, self.profile.game.buckets
        bucket = int(find_bucket(buckets, hand.get_hole_cards(get_actor(hand)), hand.board))
        decision = tree.decision[self.find_node(hand)]
        probabilities = self.profile.table[self.profile.pointer[decision], bucket].tolist()
        return f"{bucket + 1} of {buckets.counts[hand.street]}", probabilities

    def choose_action(self, hand: Hand, random_number: float) -> int:
        """Return FOLD, CALL, or the chips to raise to, chosen by a random number from [0, 1).

        Where the agent would raise but no raise is allowed, it calls.
        """
        cumulative = np.cumsum(self.explain_decision(hand)[1])
        column = np.searchsorted(cumulative, random_number * cumulative[-1], side="right")
        raise_to = hand.legal_actions.min_raise_to
        return raise_to if column == RAISING and raise_to else FOLD if column == FOLDING else CALL

    def find_node(self, hand: Hand) -> int:
        """Return the node of the public tree that the actions of a hand have reached."""
        tree = self.profile.game.tree
        node = 0
        for action in hand.actions:
            node = int(tree.child[node, find_action_column(action)])
            node += tree.kind[node] == DEAL
        return node


@dataclass(frozen=True, eq=False, kw_only=True)
class LimitMatch(HoldemMatch):
    """Heads-up limit hold'em. The button changes with every hand.

    Cards and random numbers of a hand depend only on the seed and the number of the hand.
    """

    agent: Player | BucketedAgent

    @cached_property
    def opponent(self) -> "BucketedAgent | SeatedPlayer":
        """The agent as an object that chooses actions."""
        agent = self.agent
        return agent if isinstance(agent, BucketedAgent) else SeatedPlayer(Roster([agent]))

    @property
    def opponent_name(self) -> str:
        """The name of the agent."""
        return self.opponent.name

    @property
    def seat_names(self) -> list[str]:
        """The names of the seats; the reader's is 'you'."""
        return ["you", self.opponent_name]

    @cached_property
    def chips(self) -> tuple[int, ...]:
        """The chips that the reader has won in each finished hand, negative if lost."""
        return tuple(int(hand.payoffs[READER]) for hand in self.finished)

    def make_hand(self, hand_index: int) -> Hand:
        """Return a hand with fresh stacks before its first action, by its index in the match from 0."""
        cards = deal_hands(self.seed, 1, 2, first=hand_index)[0]
        stacks = (STACK, STACK)
        button = hand_index % 2
        return Hand.begin(self.opponent.structure, stacks, button, cards, number=hand_index + 1)

    def act(self, action: str | int) -> Self:
        """Return the match after an action of the reader and the actions of the agent that follow.

        Parameters
        ----------
        action : str or int
            'fold', 'call' (or check) or 'raise' (or bet); otherwise FOLD, CALL, or the chips to raise to.

        Raises
        ------
        SettingError
            If no hand is under way, or the text is another one.
        """
        if not self.is_waiting or not isinstance(action, str):
            return super().act(action)  # type: ignore[arg-type]
        if action not in MOVES:
            raise SettingError(f"move is '{action}'; it may be 'fold', 'call' or 'raise'.")
        hand = self.hands[-1]
        # The second amount is not legal; it lets the error name the raise that was tried.
        raise_to = hand.legal_actions.min_raise_to or hand.bet + hand.full_raise
        return super().act({"fold": FOLD, "call": CALL, "raise": raise_to}[action])

    def play_opponents(self, hands: tuple[Hand, ...]) -> Self:
        """Return the match in which the agent has acted up to the reader's turn or the end of the last of `hands`."""
        hand = hands[-1]
        while hand.actor == AGENT:
            stream = random_stream(self.seed, "agent", hand.number, len(hand.actions))
            hand = hand.after(self.opponent.choose_action(hand, stream.random()))
        return replace(self, hands=(*hands[:-1], hand))


@dataclass(frozen=True, eq=False)
class SeatedPlayer:
    """A player who sees its real cards, as an opponent."""

    roster: Roster  # of this player alone
    structure: ClassVar[Structure] = limit(CHIPS_A_SMALL_BET)

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.roster.players[0].name

    def choose_action(self, hand: Hand, random_number: float) -> int:
        """Return the action of the player: FOLD, CALL, or the chips to raise to."""
        return ask_player(self.roster, hand, SeatView(make_view_words(hand), random_number))


class SeenDecision(NamedTuple):
    """A decision of a seat in a finished hand."""

    hand: Hand  # before the decision
    view: SeatView  # what the seat saw
    action: int  # FOLD, CALL, or the chips that it raised to


@dataclass(frozen=True, eq=False, kw_only=True)
class SitAndGo(HoldemMatch):
    """A tournament of one table."""

    game: Tournament
    opponents: Roster
    # For each finished hand and seat the sum of aggressiveness scores, in millionths, and the decisions, (2, seats).
    tallies: tuple[Ints, ...] = ()

    @property
    def seat_names(self) -> list[str]:
        """The names of the seats; the reader's is 'you'."""
        return ["you", *(player.name for player in self.opponents.players)]

    @property
    def stacks(self) -> tuple[int, ...]:
        """The chips of each seat before the present hand, or before the next one if none is under way."""
        return compute_stacks_after_hand(self.finished[-1]) if self.finished else self.game.stacks

    @cached_property
    def ranks(self) -> dict[int, float]:
        """The rank of each seat that is out of chips or has won all; 1 is the winner.

        Of seats that lose their last chips in the same hand, the one with more chips before it has the better rank.
        Equal stacks share the mean of their ranks.
        """
        ranks: dict[int, float] = {}
        for hand in self.finished:
            stacks_before = hand.starting_stacks
            stacks_after = compute_stacks_after_hand(hand)
            seats_out = [
                seat for seat, chips in enumerate(stacks_before) if chips and not stacks_after[seat]
            ]
            num_left = sum(chips > 0 for chips in stacks_after)
            ranks_below = scipy.stats.rankdata([-stacks_before[seat] for seat in seats_out])
            ranks |= zip(seats_out, (num_left + ranks_below).tolist(), strict=True)
            if num_left == 1:
                ranks[stacks_after.index(sum(stacks_after))] = 1.0
        return ranks

    @property
    def is_reader_out(self) -> bool:
        """Whether the reader has no chips left."""
        return self.stacks[READER] == 0

    @property
    def is_over(self) -> bool:
        """Whether one player has all chips."""
        return len(self.ranks) == len(self.game.stacks)

    def make_hand(self, hand_index: int) -> Hand:
        """Return a hand with the blinds of its level before its first action, by its index from 0."""
        stacks = self.stacks
        cards = deal_tournament_hand(self.seed, TOURNAMENT_INDEX, hand_index, len(stacks))
        structure = self.game.schedule.find_structure(hand_index)
        # The big blind moves on from the seat that had it to the next seat with chips.
        last_big_blind = TOURNAMENT_INDEX % len(stacks)
        if self.hands:
            last_hand = self.hands[-1]
            _, last_big_blind = find_blind_seats(last_hand.starting_stacks, last_hand.button)
        _, button = find_next_blind_and_button(stacks, last_big_blind)
        return Hand.begin(structure, stacks, button, cards, number=hand_index)

    def play_opponents(self, hands: tuple[Hand, ...]) -> Self:
        """Return the match in which the others have acted up to the reader's turn or the end of the last of `hands`."""
        hand = hands[-1]
        tally = np.zeros((2, hand.num_seats), np.int64)
        for earlier_hand, action in replay_actions(hand):
            self.count_action(tally, earlier_hand, action)
        while hand.actor not in (None, READER):
            action = ask_player(self.opponents, hand, self.make_seat_view(hand, tally))
            self.count_action(tally, hand, action)
            hand = hand.after(action)
        tallies = (*self.tallies, tally) if hand.is_over else self.tallies
        return replace(self, hands=(*hands[:-1], hand), tallies=tallies)

    def make_seat_view(self, hand: Hand, tally: Ints) -> SeatView:
        """Return what the seat to act sees.

        Parameters
        ----------
        hand : Hand
            The hand before the decision.
        tally : array of shape (2, seats)
            The scores and decisions of each seat so far in this hand.
        """
        words = make_view_words(hand)
        player = get_actor(hand) - 1
        key = derive_stream_key(
            np.uint64(derive_stream_key(draw_stream_key(self.seed, "luck"), TOURNAMENT_INDEX)),
            hand.number,
        )
        words[table_view.RANDOM_KEY] = np.uint64(key).astype(np.int64)
        if player >= 0:
            words[table_view.PLAYER] = player
            words[table_view.PARAMETERS] = self.opponents.parameter_rows[player]
        aggressiveness = self.game.aggressiveness
        seats = hand.num_seats
        if aggressiveness is not None:
            recent = max(hand.number - aggressiveness.window + 1, 0)
            for place, first_hand in ((table_view.OVERALL, 0), (table_view.RECENT, recent)):
                sums = np.sum([*self.tallies[first_hand : hand.number], tally], axis=0)
                means = (sums[SCORES] / np.maximum(sums[DECISIONS], 1)).astype(np.int64)
                words[place : place + seats] = np.where(hand.starting_stacks, means, 0)
        # The upper 53 of 64 random bits make a number from [0, 1).
        random_bits = int(derive_stream_key(np.uint64(key), len(hand.actions))) >> 11
        return SeatView(words, random_bits * 2.0**-53)

    def count_action(self, tally: Ints, hand: Hand, action: int) -> None:
        """Add the score of an action, and one decision, to the column of its seat in `tally`, in place.

        Nothing is added in a game that does not show aggressiveness.
        """
        aggressiveness = self.game.aggressiveness
        if aggressiveness is not None:
            score = score_aggressiveness(make_view_words(hand), action, aggressiveness.scoring)
            tally[:, get_actor(hand)] += int(score), 1

    def iterate_decisions(self, hand_index: int) -> Iterator[SeenDecision]:
        """Yield all decisions of a finished hand in order, with what each seat saw.

        Parameters
        ----------
        hand_index : int
            The index of the hand among the finished ones, from 0.
        """
        finished_hand = self.finished[hand_index]
        tally = np.zeros((2, finished_hand.num_seats), np.int64)
        for hand, action in replay_actions(finished_hand):
            yield SeenDecision(hand, self.make_seat_view(hand, tally), action)
            self.count_action(tally, hand, action)


def make_view_words(hand: Hand) -> Ints:
    """Return the words of the view of the seat to act, as `table_view` lays them out.

    The player and its parameters, the random key and the aggressiveness stay 0.

    Returns
    -------
    array of int64, shape (NUM_VIEW_WORDS,)
    """
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
    for place, values in (
        (table_view.STACKS, hand.stacks),
        (table_view.BETS, hand.bets),
        (table_view.PAID, hand.paid),
        (table_view.LIVE, [not folded for folded in hand.folded]),
    ):
        view[place : place + hand.num_seats] = values
    return view


def ask_player(roster: Roster, hand: Hand, view: SeatView) -> int:
    """Return the action of a player: FOLD, CALL, or the chips to raise to.

    Parameters
    ----------
    roster : Roster
        The players. The view contains the index of the one who is asked.
    hand : Hand
        The hand before the decision.
    view : SeatView
        What the player sees.

    Raises
    ------
    IllegalActionError
        If the action is not legal. Errors of the player are passed on.
    """
    tables = Tables.allocate(1)
    tables.views[0], tables.uniforms[0], tables.actions[0] = view.words, view.random_number, np.nan
    roster.ask_players(tables, np.zeros(1, np.intp))
    action = float(tables.actions[0])
    if not action.is_integer() or not hand.is_legal(int(action)):
        raise roster.make_illegal_action_error(tables.views[0], action)
    return int(action)
