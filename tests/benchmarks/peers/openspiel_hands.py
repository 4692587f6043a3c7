"""Whole hands by OpenSpiel's universal_poker, with all its amounts to raise to.

Cards are dealt from a sample drawn at once: a list of all cards for each of them takes longer. Its
limit game ends the process if more than four are seated; ten raise by a limit's amounts at no-limit.
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
        chosen["raiseSize"] = listed([SMALL_BET, SMALL_BET, BIG_BET, BIG_BET])
        # The big blind is no raise.
        chosen["maxRaises"] = listed([MOST_BETS - 1, MOST_BETS, MOST_BETS, MOST_BETS])
    else:
        chosen["bettingAbstraction"] = "fullgame"
    return f"universal_poker({','.join(f'{name}={value}' for name, value in chosen.items())})"


def blinds(seats: int) -> list[int]:
    """Return what each player posts."""
    posted = [BIG_BLIND, SMALL_BLIND] if seats == 2 else [SMALL_BLIND, BIG_BLIND]
    return posted + [0] * (seats - 2)


def plays_limit(game: str) -> bool:
    """Return whether OpenSpiel's own limits are used."""
    return TABLES[game].is_limit and TABLES[game].seats <= MOST_AT_LIMIT


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


def hands_by_rules(game: str) -> Measure:
    """Return the measure of hands of rule genomes, who know by themselves what has been bet."""
    import pyspiel

    from tests.benchmarks.rule_hands import Cards, Rules, seat_of, timed_players

    universal, limited = pyspiel.load_game(parameters(game)), plays_limit(game)
    seats = TABLES[game].seats

    def play(number: int, cards: Cards | None) -> tuple[int, list[float]]:
        state, rules = universal.new_initial_state(), Rules(number)
        deal = random.sample(DECK, 2 * seats + 5) if cards is None else cards
        at = [seat_of(player, number, seats) for player in range(seats)]
        holes, board = [deal[2 * seat : 2 * seat + 2] for seat in at], deal[2 * seats :]
        coming = iter([card for hole in holes for card in hole] + [*board])
        num_dealt, num_bets, before, paid = 0, 1, 0, blinds(seats)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(coming))
                num_dealt += 1
                if num_dealt > 2 * seats:
                    num_bets, before = 0, max(paid)
                continue
            player = state.current_player()
            street, shown = STREET_OF[num_dealt - 2 * seats], board[: num_dealt - 2 * seats]
            action = rules.decide(
                at[player],
                street,
                holes[player],
                shown,
                bet=max(paid) - before,
                own_bet=paid[player] - before,
                paid=paid[player],
                can_raise=num_bets < MOST_BETS,
            )
            if action > 0:
                num_bets += 1
                paid[player] = before + action
                state.apply_action(RAISE if limited else paid[player])
            elif action == 0:
                paid[player] = max(paid)
                state.apply_action(CALL)
            else:
                state.apply_action(FOLD)
        returns = state.returns()
        return rules.decisions, [returns[at.index(seat)] for seat in range(seats)]

    return timed_players(game, play, same_deals=True)


def hands_by_networks(game: str) -> Measure:
    """Return the measure of hands of networks, for whom chips are counted beside the game."""
    import pyspiel

    from pokerlab.holdem.betting.actions import Legal
    from tests.benchmarks.network_hands import NETWORKS, Draws, Seen
    from tests.benchmarks.rule_hands import Cards, seat_of, timed_players

    universal, seats = pyspiel.load_game(parameters(game)), TABLES[game].seats

    def play(number: int, cards: Cards | None) -> tuple[int, list[float]]:
        state, draws = universal.new_initial_state(), Draws(number)
        deal = random.sample(DECK, 2 * seats + 5)
        at = [seat_of(player, number, seats) for player in range(seats)]
        in_order = [at.index(seat) for seat in range(seats)]
        holes, board = [deal[2 * seat : 2 * seat + 2] for seat in at], deal[2 * seats :]
        coming = iter([card for hole in holes for card in hole] + board)
        num_dealt, before, paid, live = 0, 0, blinds(seats), [True] * seats
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(coming))
                num_dealt += 1
                if num_dealt > 2 * seats:
                    before = max(paid)
                continue
            player, actions = state.current_player(), state.legal_actions()
            raises = actions[actions.index(CALL) + 1 :]
            owed = min(max(paid), STACK) - paid[player]
            seen = Seen(
                seat=at[player],
                num_seats=seats,
                button=at[-1],
                hole=holes[player],
                board=board[: num_dealt - 2 * seats],
                stacks=[STACK - paid[other] for other in in_order],
                paid=[paid[other] for other in in_order],
                bets=[max(paid[other] - before, 0) for other in in_order],
                live=[live[other] for other in in_order],
                legal=Legal(
                    owed > 0,
                    owed,
                    raises[0] - before if raises else None,
                    raises[-1] - before if raises else None,
                ),
                luck=draws.next(),
            )
            action = NETWORKS[at[player]].decide(seen)
            if action > 0:
                paid[player] = before + action
                state.apply_action(paid[player])
            elif action == 0:
                paid[player] = max(paid)
                state.apply_action(CALL)
            else:
                live[player] = False
                state.apply_action(FOLD)
        returns = state.returns()
        return draws.decisions, [returns[other] for other in in_order]

    return timed_players(game, play, same_deals=False)
