"""rlcard: whole hands by its two engines of hold'em, without the environment around them.

No-limit raises are by half the pot, the pot, or all-in; at limit nobody runs out of chips, and
four raises follow the big blind.
"""

import random
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from rlcard.games.limitholdem import Game as LimitGame
from rlcard.games.nolimitholdem import Game as NoLimitGame
from rlcard.games.nolimitholdem.round import Action, PlayerStatus

from benchmarks.contestant import Task
from benchmarks.hands import STACK, TABLES, timed_hands
from benchmarks.players import NETWORKS, Cards, LegalActions, View, player_tasks
from benchmarks.stopwatch import Measure
from tests.oracles.players import read_off

RANKS, SUITS = "23456789TJQKA", "CDHS"


def numbers_of(cards: Any) -> list[int]:
    """Return cards in pokerlab's order."""
    return [4 * RANKS.index(card.rank) + SUITS.index(card.suit) for card in cards]


def limit_action(game: Any) -> Any:
    actions = game.get_legal_actions()
    if "check" in actions:
        actions.remove("fold")
    return random.choice(actions)


def no_limit_action(game: Any) -> Any:
    # Fold and call come first.
    actions = game.get_legal_actions()
    bets = game.round.raised
    owes = bets[game.game_pointer] < max(bets)
    kinds = [Action.FOLD, Action.CHECK_CALL] if owes else [Action.CHECK_CALL]
    pick = random.randrange(len(kinds) + (len(actions) > 2))
    return kinds[pick] if pick < len(kinds) else random.choice(actions[2:])


def new_game(name: str) -> Any:
    seats, is_limit = TABLES[name]
    game = (LimitGame if is_limit else NoLimitGame)(num_players=seats)
    if not is_limit:
        game.configure({"game_num_players": seats, "chips_for_each": STACK, "dealer_id": None})
    return game


def hands(name: str) -> Measure:
    game = new_game(name)
    choose: Callable[[Any], Any] = limit_action if TABLES[name].is_limit else no_limit_action

    def play() -> int:
        game.init_game()
        decisions = 0
        while not game.is_over():
            game.step(choose(game))
            decisions += 1
        game.get_payoffs()
        return decisions

    return timed_hands(play)


RAISES = (Action.RAISE_HALF_POT, Action.RAISE_POT, Action.ALL_IN)
BY_OUTPUT = (Action.FOLD, Action.CHECK_CALL, *RAISES)


class Shown(View):
    """A game of rlcard, which deals cards and blinds by itself, so that its chips are others."""

    def __init__(self, game: Any, number: int, seats: int, is_limit: bool) -> None:
        super().__init__(number, seats)
        self.game, self.is_limit = game, is_limit
        game.init_game()

    button = property(lambda self: self.game.dealer_id)
    street = property(lambda self: self.game.round_counter)
    hole_cards = property(lambda self: numbers_of(self.game.players[self.seat].hand))
    board = property(lambda self: numbers_of(self.game.public_cards))
    bets = property(lambda self: self.game.round.raised)
    paid = property(lambda self: [one.in_chips for one in self.game.players])
    stacks = property(lambda self: [one.remained_chips for one in self.game.players])
    is_live = property(
        lambda self: [one.status != PlayerStatus.FOLDED for one in self.game.players]
    )

    def goes_on(self) -> bool:
        game = self.game
        if game.is_over():
            return False
        self.seat, self.actions, bets = game.game_pointer, game.get_legal_actions(), self.bets
        can_raise = "raise" in self.actions
        if self.is_limit:
            self.legal_actions = self.limited(max(bets), bets[self.seat], can_raise)
        else:
            owed = max(bets) - bets[self.seat]
            self.legal_actions = LegalActions(owed > 0, owed)
        return True

    def act(self, action: Any) -> None:
        if self.is_limit:
            passive = "check" if "check" in self.actions else "call"
            action = "fold" if action < 0 else "raise" if action else passive
        elif action not in self.actions or (
            action == Action.FOLD and not self.legal_actions.to_call
        ):
            action = Action.CHECK_CALL
        self.game.step(action)

    def won(self) -> Any:
        return self.game.get_payoffs()


def engine(name: str) -> Callable[[int, Cards | None], View]:
    game, (seats, is_limit) = new_game(name), TABLES[name]
    return lambda number, cards: Shown(game, number, seats, is_limit)


def by_networks(view: Any) -> Any:
    return BY_OUTPUT[read_off(NETWORKS[view.seat].outputs(view), view.random_number)]


TASKS: Mapping[str, Task] = {"hands": hands} | player_tasks(
    engine, same_rules=False, same_networks=False, by_networks=by_networks
)
VERSION = version("rlcard")
