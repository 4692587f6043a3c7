"""pokerkit: whole hands by its simulator, with all it can do by itself automated."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from pokerkit import Automation, Card, FixedLimitTexasHoldem, NoLimitTexasHoldem

from benchmarks.contestant import Task
from benchmarks.hands import BETS, BLINDS, MOST_BETS, STACK, TABLES, timed_hands
from benchmarks.players import Cards, LegalActions, View, player_tasks
from benchmarks.stopwatch import Measure

DECK = "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
"""Cards in pokerlab's order."""


everything = tuple(Automation)
dealing = (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)
without_dealing = tuple(one for one in everything if one not in dealing)
number_of = {card: number for number, card in enumerate(Card.parse(DECK))}
card_of = [*number_of]


def begun(game: str) -> Any:
    seats, is_limit = TABLES[game]
    if is_limit:
        return FixedLimitTexasHoldem.create_state(everything, True, 0, BLINDS, *BETS, STACK, seats)
    return NoLimitTexasHoldem.create_state(everything, True, 0, BLINDS, BLINDS[1], STACK, seats)


def act(state: Any) -> None:
    can_fold, can_raise = state.can_fold(), state.can_complete_bet_or_raise_to()
    pick = random.randrange(1 + can_fold + can_raise)
    if pick == 0:
        state.check_or_call()
    elif pick == 1 and can_fold:
        state.fold()
    else:
        state.complete_bet_or_raise_to(
            random.randint(
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
        )


def hands(game: str) -> Measure:
    def play() -> int:
        state = begun(game)
        decisions = 0
        while state.status:
            act(state)
            decisions += 1
        return decisions

    return timed_hands(play)


def table(game: str, automated: Any) -> Any:
    if not TABLES[game].is_limit:
        return NoLimitTexasHoldem(automated, True, 0, BLINDS, BLINDS[1])
    limited = FixedLimitTexasHoldem(automated, True, 0, BLINDS, *BETS)
    first, *others = limited.streets
    # The big blind is the first bet.
    first = replace(first, max_completion_betting_or_raising_count=MOST_BETS - 1)
    limited.streets = (first, *others)
    return limited


class Shown(View):
    """A state of pokerkit, dealt to from `cards` if they are given."""

    def __init__(self, state: Any, number: int, cards: Cards | None, is_limit: bool) -> None:
        super().__init__(number, state.player_count)
        self.state, self.cards, self.is_limit = state, cards, is_limit
        for seat in self.at if cards is not None else ():
            state.deal_hole([card_of[card] for card in cards[2 * seat : 2 * seat + 2]])

    street = property(lambda self: self.state.street_index)
    hole_cards = property(
        lambda self: [number_of[card] for card in self.state.hole_cards[self.player]]
    )
    board = property(lambda self: [number_of[card] for (card,) in self.state.board_cards])
    bets = property(lambda self: self.by_seat(self.state.bets))
    stacks = property(lambda self: self.by_seat(self.state.stacks))
    paid = property(lambda self: [STACK - stack for stack in self.stacks])
    is_live = property(lambda self: self.by_seat(self.state.statuses))

    def goes_on(self) -> bool:
        state, seats = self.state, self.num_seats
        while state.status and state.actor_index is None:
            state.burn_card("??")
            have = len(state.board_cards)
            shown, due = 2 * seats + have, 1 if have else 3
            state.deal_board([card_of[card] for card in self.cards[shown : shown + due]])
        if not state.status:
            return False
        self.player = player = state.actor_index
        self.seat, can_raise = self.at[player], state.can_complete_bet_or_raise_to()
        if self.is_limit:
            self.legal_actions = self.limited(max(state.bets), state.bets[player], can_raise)
        else:
            owed = state.checking_or_calling_amount
            raises = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
            self.legal_actions = LegalActions(owed > 0, owed, *(raises if can_raise else ()))
        return True

    def act(self, action: int) -> None:
        if action < 0:
            self.state.fold()
        elif action == 0:
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(action)

    def by_seat(self, of_players: Any) -> list[Any]:
        return [of_players[player] for player in self.in_order]

    def won(self) -> list[int]:
        return self.by_seat(self.state.payoffs)


def engine(game: str) -> Callable[[int, Cards | None], View]:
    seats, is_limit = TABLES[game]
    by_itself, dealt_to = table(game, everything), table(game, without_dealing)

    def begin(number: int, cards: Cards | None) -> View:
        state = (by_itself if cards is None else dealt_to)(STACK, seats)
        return Shown(state, number, cards, is_limit)

    return begin


TASKS: Mapping[str, Task] = {"hands": hands, **player_tasks(engine)}
VERSION = version("pokerkit")
