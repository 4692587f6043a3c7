"""pokerkit: whole hands by its simulator, with all it can do by itself automated."""

import random
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.stopwatch import Measure
from tests.benchmarks.whole_hands import (
    BIG_BET,
    BIG_BLIND,
    SMALL_BET,
    SMALL_BLIND,
    STACK,
    TABLES,
    timed_hands,
)


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

    everything = tuple(Automation)
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

    return {"hands": hands}, version("pokerkit")


if __name__ == "__main__":
    serve(load)
