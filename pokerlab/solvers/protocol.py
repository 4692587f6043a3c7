"""What every solver is: an initial state, and a pure step from state to state."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.games import SequenceForm

S = TypeVar("S")
ORDERS = ("simultaneous", "alternating")


class Solver(Protocol[S]):
    """An algorithm with its parameters; the numbers that move are in its states.

    States are frozen and their arrays read-only. Each has `game`, `iteration` and the solver's
    present answer.
    """

    def init(self) -> S:
        """Return the state in which nothing has been done."""

    def step(self, state: S, count: int = 1) -> S:
        """Return the state `count` iterations after `state`, which stays as it is.

        `step(step(s, a), b)` equals `step(s, a + b)` bit for bit.
        """


def check_count(count: int) -> None:
    """Refuse a negative number of iterations."""
    if count < 0:
        raise SettingError(f"{count} iterations; give 0 or more.")


def is_alternating(order: str) -> bool:
    """Return whether players update one after the other, each seeing what those before now do."""
    if order not in ORDERS:
        raise UnknownNameError.among("order of updates", order, ORDERS)
    return order == "alternating"


def check_zero_sum_pair(game: SequenceForm, method: str, instead: Sequence[str]) -> None:
    """Refuse games that are not two-player zero-sum."""
    if game.num_players != 2 or not game.zero_sum:
        kind = "zero-sum" if game.zero_sum else "general-sum"
        raise GameError(
            f"{method} solves two-player zero-sum games; {game.name} is a {kind} game for"
            f" {game.num_players}. Try {' or '.join(instead)}."
        )
