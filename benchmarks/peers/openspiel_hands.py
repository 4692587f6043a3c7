"""Whole hands by OpenSpiel's universal_poker, with all its amounts to raise to.

Cards are dealt from a sample drawn at once: a list of all cards for each of them takes longer. Its
limit game ends the process if more than four are seated; ten raise by a limit's amounts at no-limit.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pyspiel

from benchmarks.contestant import Task
from benchmarks.hands import BETS, BLINDS, MOST_BETS, STACK, TABLES, timed_hands
from benchmarks.players import Cards, LegalActions, View, player_tasks
from benchmarks.stopwatch import Measure

FOLD, CALL, RAISE = range(3)
MOST_AT_LIMIT = 4
STREET_OF = {0: 0, 3: 1, 4: 2, 5: 3}
"""By the cards on the board."""
DECK = range(52)


def parameters(game: str) -> str:
    """Return the game as OpenSpiel wants it described; heads-up, its last seat has the button."""
    seats = TABLES[game].seats
    is_limit = plays_limit(game)
    chosen = {
        "betting": "limit" if is_limit else "nolimit",
        "numPlayers": seats,
        "numRounds": 4,
        "blind": listed(blinds(seats)),
        "firstPlayer": "2 1 1 1" if seats == 2 else "3 1 1 1",
        "stack": listed([STACK] * seats),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if is_limit:
        chosen["raiseSize"] = listed([BETS[0], *BETS, BETS[1]])
        # The big blind is no raise.
        chosen["maxRaises"] = listed([MOST_BETS - 1, MOST_BETS, MOST_BETS, MOST_BETS])
    else:
        chosen["bettingAbstraction"] = "fullgame"
    return f"universal_poker({','.join(f'{name}={value}' for name, value in chosen.items())})"


def blinds(seats: int) -> list[int]:
    posted = [BLINDS[1], BLINDS[0]] if seats == 2 else [*BLINDS]
    return posted + [0] * (seats - 2)


def plays_limit(game: str) -> bool:
    """Return whether OpenSpiel's own limits are used."""
    return TABLES[game].is_limit and TABLES[game].seats <= MOST_AT_LIMIT


def listed(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def hands(game: str) -> Measure:
    rules = pyspiel.load_game(parameters(game))
    num_cards = 2 * TABLES[game].seats + 5

    def play() -> int:
        state = rules.new_initial_state()
        cards = iter(random.sample(DECK, num_cards))
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(cards))
                continue
            actions = state.legal_actions()
            raises = actions.index(CALL) + 1
            pick = random.randrange(raises + (len(actions) > raises))
            state.apply_action(actions[pick] if pick < raises else random.choice(actions[raises:]))
            decisions += 1
        state.returns()
        return decisions

    return timed_hands(play)


class Shown(View):
    """A state of OpenSpiel, dealt to from `deal`."""

    def __init__(self, rules: Any, game: str, number: int, deal: Cards) -> None:
        seats, self.is_limit = TABLES[game]
        super().__init__(number, seats)
        self.state, self.raises_one = rules.new_initial_state(), plays_limit(game)
        self.holes = [deal[2 * seat : 2 * seat + 2] for seat in self.at]
        self.whole_board = deal[2 * seats :]
        self.coming = iter([card for hole in self.holes for card in hole] + [*self.whole_board])
        self.shown, self.num_bets, self.before = -2 * seats, 1, 0
        self.put_in, self.folded = blinds(seats), [False] * seats

    street = property(lambda self: STREET_OF[max(self.shown, 0)])
    hole_cards = property(lambda self: self.holes[self.player])
    board = property(lambda self: self.whole_board[: self.shown])
    bets = property(lambda self: [max(paid - self.before, 0) for paid in self.paid])
    stacks = property(lambda self: [STACK - paid for paid in self.paid])
    is_live = property(lambda self: [not self.folded[other] for other in self.in_order])

    def goes_on(self) -> bool:
        state = self.state
        while not state.is_terminal() and state.is_chance_node():
            state.apply_action(next(self.coming))
            self.shown += 1
            if self.shown > 0:
                self.num_bets, self.before = 0, max(self.put_in)
        if state.is_terminal():
            return False
        self.player = player = state.current_player()
        self.paid = [self.put_in[other] for other in self.in_order]
        self.seat, most, own = self.at[player], max(self.put_in), self.put_in[player]
        if self.is_limit:
            can_raise = self.num_bets < MOST_BETS
            self.legal_actions = self.limited(most - self.before, own - self.before, can_raise)
        else:
            actions = state.legal_actions()
            raises = actions[actions.index(CALL) + 1 :]
            owed = min(most, STACK) - own
            ends = (raises[0] - self.before, raises[-1] - self.before) if raises else ()
            self.legal_actions = LegalActions(owed > 0, owed, *ends)
        return True

    def act(self, action: int) -> None:
        if action > 0:
            self.num_bets += 1
            self.put_in[self.player] = self.before + action
            self.state.apply_action(RAISE if self.raises_one else self.before + action)
        elif action == 0:
            self.put_in[self.player] = max(self.put_in)
            self.state.apply_action(CALL)
        else:
            self.folded[self.player] = True
            self.state.apply_action(FOLD)

    def won(self) -> list[float]:
        returns = self.state.returns()
        return [returns[player] for player in self.in_order]


def engine(game: str) -> Callable[[int, Cards | None], View]:
    rules, num_cards = pyspiel.load_game(parameters(game)), 2 * TABLES[game].seats + 5

    def begin(number: int, cards: Cards | None) -> View:
        return Shown(rules, game, number, cards or random.sample(DECK, num_cards))

    return begin


# It lets a seat raise again after a short all-in.
TASKS: Mapping[str, Task] = {"hands": hands, **player_tasks(engine, same_networks=False)}
