"""rlcard: whole hands by its two engines of hold'em, without the environment around them.

No-limit raises are by half the pot, the pot, or all-in; at limit nobody runs out of chips, and
four raises follow the big blind.
"""

import random
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.stopwatch import Measure
from tests.benchmarks.whole_hands import STACK, TABLES, timed_hands

RANKS, SUITS = "23456789TJQKA", "CDHS"


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    from rlcard.games.limitholdem import Game as LimitGame
    from rlcard.games.nolimitholdem import Game as NoLimitGame
    from rlcard.games.nolimitholdem.round import Action, PlayerStatus

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

    def hands(name: str) -> Measure:
        seats, is_limit = TABLES[name]
        game = (LimitGame if is_limit else NoLimitGame)(num_players=seats)
        if not is_limit:
            game.configure({"game_num_players": seats, "chips_for_each": STACK, "dealer_id": None})
        choose: Callable[[Any], Any] = limit_action if is_limit else no_limit_action

        def play() -> int:
            game.init_game()
            decisions = 0
            while not game.is_over():
                game.step(choose(game))
                decisions += 1
            game.get_payoffs()
            return decisions

        return timed_hands(play)

    def hands_by_rules(name: str) -> Measure:
        from tests.benchmarks.rule_hands import Cards, Rules, timed_players

        game = LimitGame(num_players=TABLES[name].seats)

        def play(number: int, cards: Cards | None) -> tuple[int, list[float]]:
            game.init_game()
            rules = Rules(number)
            while not game.is_over():
                player, bets = game.game_pointer, game.round.raised
                actions = game.get_legal_actions()
                action = rules.decide(
                    player,
                    game.round_counter,
                    [number_of(card) for card in game.players[player].hand],
                    [number_of(card) for card in game.public_cards],
                    bet=max(bets),
                    own_bet=bets[player],
                    paid=game.players[player].in_chips,
                    can_raise="raise" in actions,
                )
                passive = "check" if "check" in actions else "call"
                game.step("fold" if action < 0 else "raise" if action else passive)
            return rules.decisions, game.get_payoffs().tolist()

        # It deals cards and blinds by itself, so that its chips are others.
        return timed_players(name, play, same_deals=False)

    def hands_by_networks(name: str) -> Measure:
        from pokerlab.holdem.betting.actions import Legal
        from tests.benchmarks.network_hands import Draws, Seen, output_of
        from tests.benchmarks.rule_hands import Cards, timed_players

        seats = TABLES[name].seats
        game = NoLimitGame(num_players=seats)
        game.configure({"game_num_players": seats, "chips_for_each": STACK, "dealer_id": None})
        by_output = [
            Action.FOLD,
            Action.CHECK_CALL,
            Action.RAISE_HALF_POT,
            Action.RAISE_POT,
            Action.ALL_IN,
        ]

        def play(number: int, cards: Cards | None) -> tuple[int, list[float]]:
            game.init_game()
            draws = Draws(number)
            while not game.is_over():
                player, bets, actions = (
                    game.game_pointer,
                    game.round.raised,
                    game.get_legal_actions(),
                )
                owed = max(bets) - bets[player]
                seen = Seen(
                    seat=player,
                    num_seats=seats,
                    button=game.dealer_id,
                    hole=[number_of(card) for card in game.players[player].hand],
                    board=[number_of(card) for card in game.public_cards],
                    stacks=[one.remained_chips for one in game.players],
                    paid=[one.in_chips for one in game.players],
                    bets=bets,
                    live=[one.status != PlayerStatus.FOLDED for one in game.players],
                    legal=Legal(owed > 0, owed),
                    luck=draws.next(),
                )
                action = by_output[output_of(seen)]
                if action not in actions or (action == Action.FOLD and owed == 0):
                    action = Action.CHECK_CALL
                game.step(action)
            return draws.decisions, game.get_payoffs()

        return timed_players(name, play, same_deals=False)

    tasks = dict.fromkeys(("hands_by_rules", "hands_by_rules_in_python"), hands_by_rules)
    tasks |= dict.fromkeys(("hands_by_networks", "hands_by_networks_in_python"), hands_by_networks)
    return {"hands": hands, **tasks}, version("rlcard")


def number_of(card: Any) -> int:
    """Return a card in pokerlab's order."""
    return 4 * RANKS.index(card.rank) + SUITS.index(card.suit)


if __name__ == "__main__":
    serve(load)
