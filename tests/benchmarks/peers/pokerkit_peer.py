"""pokerkit: whole hands by its simulator, with all it can do by itself automated."""

import random
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from tests.benchmarks.contestant import Task, serve
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

DECK = "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
"""Cards in pokerlab's order."""


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    from pokerkit import Automation, Card, FixedLimitTexasHoldem, NoLimitTexasHoldem

    everything = tuple(Automation)
    dealing = (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)
    without_dealing = tuple(one for one in everything if one not in dealing)
    blinds = SMALL_BLIND, BIG_BLIND

    def begun(game: str) -> Any:
        seats, is_limit = TABLES[game]
        if is_limit:
            return FixedLimitTexasHoldem.create_state(
                everything, True, 0, blinds, SMALL_BET, BIG_BET, STACK, seats
            )
        return NoLimitTexasHoldem.create_state(everything, True, 0, blinds, BIG_BLIND, STACK, seats)

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

    def hands_by_rules(game: str) -> Measure:
        from tests.benchmarks.rule_hands import Cards, Rules, seat_of, timed_players

        number_of = {card: number for number, card in enumerate(Card.parse(DECK))}
        card_of = [*number_of]
        by_itself, dealt_to = (
            limit_table(automated) for automated in (everything, without_dealing)
        )
        seats = TABLES[game].seats

        def play(number: int, cards: Cards | None) -> tuple[int, list[int]]:
            state, rules = (by_itself if cards is None else dealt_to)(STACK, seats), Rules(number)
            at = [seat_of(player, number, seats) for player in range(seats)]
            for seat in at if cards is not None else ():
                state.deal_hole([card_of[card] for card in cards[2 * seat : 2 * seat + 2]])
            while state.status:
                player, board = state.actor_index, state.board_cards
                if player is None:
                    state.burn_card("??")
                    shown, due = 2 * seats + len(board), 3 if not board else 1
                    state.deal_board([card_of[card] for card in cards[shown : shown + due]])
                    continue
                action = rules.decide(
                    at[player],
                    state.street_index,
                    [number_of[card] for card in state.hole_cards[player]],
                    [number_of[card] for (card,) in board],
                    bet=max(state.bets),
                    own_bet=state.bets[player],
                    paid=STACK - state.stacks[player],
                    can_raise=state.can_complete_bet_or_raise_to(),
                )
                if action < 0:
                    state.fold()
                elif action == 0:
                    state.check_or_call()
                else:
                    state.complete_bet_or_raise_to(action)
            return rules.decisions, [state.payoffs[at.index(seat)] for seat in range(seats)]

        return timed_players(game, play, same_deals=True)

    def hands_by_networks(game: str) -> Measure:
        from pokerlab.holdem.betting.actions import Legal
        from tests.benchmarks.network_hands import NETWORKS, Draws, Seen
        from tests.benchmarks.rule_hands import Cards, seat_of, timed_players

        number_of = {card: number for number, card in enumerate(Card.parse(DECK))}
        card_of = [*number_of]
        by_itself, dealt_to = (
            NoLimitTexasHoldem(automated, True, 0, blinds, BIG_BLIND)
            for automated in (everything, without_dealing)
        )
        seats = TABLES[game].seats

        def play(number: int, cards: Cards | None) -> tuple[int, list[int]]:
            state, draws = (by_itself if cards is None else dealt_to)(STACK, seats), Draws(number)
            at = [seat_of(player, number, seats) for player in range(seats)]
            in_order = [at.index(seat) for seat in range(seats)]
            for seat in at if cards is not None else ():
                state.deal_hole([card_of[card] for card in cards[2 * seat : 2 * seat + 2]])
            while state.status:
                player, board = state.actor_index, state.board_cards
                if player is None:
                    state.burn_card("??")
                    shown, due = 2 * seats + len(board), 3 if not board else 1
                    state.deal_board([card_of[card] for card in cards[shown : shown + due]])
                    continue
                can_raise = state.can_complete_bet_or_raise_to()
                owed = state.checking_or_calling_amount
                stacks = [state.stacks[other] for other in in_order]
                seen = Seen(
                    seat=at[player],
                    num_seats=seats,
                    button=at[-1],
                    hole=[number_of[card] for card in state.hole_cards[player]],
                    board=[number_of[card] for (card,) in board],
                    stacks=stacks,
                    paid=[STACK - stack for stack in stacks],
                    bets=[state.bets[other] for other in in_order],
                    live=[state.statuses[other] for other in in_order],
                    legal=Legal(
                        owed > 0,
                        owed,
                        state.min_completion_betting_or_raising_to_amount if can_raise else None,
                        state.max_completion_betting_or_raising_to_amount if can_raise else None,
                    ),
                    luck=draws.next(),
                )
                action = NETWORKS[at[player]].decide(seen)
                if action < 0:
                    state.fold()
                elif action == 0:
                    state.check_or_call()
                else:
                    state.complete_bet_or_raise_to(action)
            return draws.decisions, [state.payoffs[other] for other in in_order]

        return timed_players(game, play, same_deals=True)

    def limit_table(automated: Any) -> Any:
        table = FixedLimitTexasHoldem(automated, True, 0, blinds, SMALL_BET, BIG_BET)
        first, *others = table.streets
        # The big blind is the first bet.
        first = replace(first, max_completion_betting_or_raising_count=MOST_BETS - 1)
        table.streets = (first, *others)
        return table

    tasks = dict.fromkeys(("hands_by_rules", "hands_by_rules_in_python"), hands_by_rules)
    tasks |= dict.fromkeys(("hands_by_networks", "hands_by_networks_in_python"), hands_by_networks)
    return {"hands": hands, **tasks}, version("pokerkit")


if __name__ == "__main__":
    serve(load)
