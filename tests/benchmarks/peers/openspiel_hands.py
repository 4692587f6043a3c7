"""Whole hands by OpenSpiel's universal_poker, with all its amounts to raise to.

Cards are dealt from a sample drawn at once: a list of all cards for each of them takes longer.
"""

import random

from tests.benchmarks.stopwatch import Measure
from tests.benchmarks.whole_hands import (
    BIG_BET,
    BIG_BLIND,
    MOST_BETS,
    SMALL_BET,
    SMALL_BLIND,
    STACK,
    TABLES,
    timed_hands,
)

CALL = 1
DECK = range(52)


def parameters(game: str) -> str:
    """Return the game as OpenSpiel wants it described; heads-up, its last seat has the button."""
    seats, is_limit = TABLES[game]
    heads_up = seats == 2
    blinds = [BIG_BLIND, SMALL_BLIND] if heads_up else [SMALL_BLIND, BIG_BLIND]
    chosen = {
        "betting": "limit" if is_limit else "nolimit",
        "numPlayers": seats,
        "numRounds": 4,
        "blind": listed(blinds + [0] * (seats - 2)),
        "firstPlayer": "2 1 1 1" if heads_up else "3 1 1 1",
        "stack": listed([STACK] * seats),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if is_limit:
        chosen["raiseSize"] = listed([SMALL_BET, SMALL_BET, BIG_BET, BIG_BET])
        # The big blind is no raise.
        chosen["maxRaises"] = listed([MOST_BETS - 1, MOST_BETS, MOST_BETS, MOST_BETS])
    else:
        chosen["bettingAbstraction"] = "fullgame"
    return f"universal_poker({','.join(f'{name}={value}' for name, value in chosen.items())})"


def listed(numbers: list[int]) -> str:
    """Return numbers with spaces between."""
    return " ".join(map(str, numbers))


def hands(game: str) -> Measure:
    """Return the measure of whole hands."""
    import pyspiel

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
