"""The protocol of solvers, an initial state and a pure step from state to state, and the checks they share."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.core.settings import LARGEST_COUNT, check_kind, checked_integer, checked_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form import check_profile, name_sum

S = TypeVar("S")
SMALLEST_UTILITY = 1e-6
"""If all utilities are smaller, HiGHS's tolerance of 1e-9 shows in equilibria."""
ORDERS = ("simultaneous", "alternating")
LARGEST_SHIFT = 1e9  # with a larger one, only rounding would be left of the utilities
LONGEST_TIME_STEP = 1e3  # of continuous time in one iteration


class Solver(Protocol[S]):
    """An algorithm with its parameters; everything that changes is in its states.

    States are frozen and their arrays read-only. Each has `game`, `iteration` and the solver's present result.
    """

    def init(self) -> S:
        """Return the state before the first iteration."""

    def step(self, state: S, count: int = 1) -> S:
        """Return the state `count` iterations after `state`, which stays as it is.

        `step(step(s, a), b)` equals `step(s, a + b)` bit for bit, on one machine. Dynamics, CFR, memories, and
        populations at tables and in tournaments give the same numbers on other processors, too; evolution
        strategies and NSGA-II do not, because linear algebra and unstable sorts differ there.
        """


def checked_count(game: Any, state: Any, count: int, kind: type) -> int:
    """Return a step's count as an int; raise unless the state is one of this game and of the class `kind`.

    Raises
    ------
    SettingError
        If the count is not a whole number from 0.
    GameError
        If the state belongs to another game or another solver.
    """
    number_of_steps = checked_integer("count", count, 0, LARGEST_COUNT)
    given = getattr(state, "game", None)
    if given is not game and getattr(given, "fingerprint", None) != game.fingerprint:
        raise GameError(
            f"the state belongs to {getattr(given, 'name', 'no game')}, the solver to {game.name}."
            " Begin with the solver's own init()."
        )
    if not isinstance(state, kind):
        raise GameError(
            f"the state is another solver's, a {type(state).__name__}; this one's are"
            f" {kind.__name__}s. Begin with the solver's own init()."
        )
    return number_of_steps


def check_start(game: SequenceForm, start: Profile | None) -> None:
    """Raise unless `game` is a compiled game and `start`, if there is one, a profile of it."""
    instead = "a compiled one, such as games.kuhn(); bucketed hold'em has holdem.BucketedCFR"
    check_kind("game", game, SequenceForm, instead, GameError)
    if start is not None:
        check_profile(game, start)


def check_pure(game: SequenceForm, start: Profile | None) -> None:
    """Raise unless `start`, if there is one, is a pure profile of the game."""
    check_start(game, start)
    if start is not None and not np.isin(start.probabilities, (0.0, 1.0)).all():
        raise SettingError(
            f"the start mixes actions of {game.name}; it must be a pure strategy for each player."
            " Give a profile of zeros and ones."
        )


def check_payoff_shift(game: SequenceForm, payoff_shift: Any, needs: str) -> None:
    """Raise if a payoff shift leaves a utility negative, or is so large that the utilities are lost in rounding."""
    shift = checked_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
    worst = float(game.payoff.min())
    if worst + shift < 0.0:
        raise SettingError(
            f"payoff_shift {payoff_shift} leaves utilities of {worst + shift:g} in {game.name};"
            f" {needs} needs them positive. Use at least {-worst:g}."
        )


def check_interior_start(start: Profile | None, method: str) -> None:
    """Raise unless `start` gives every action a positive probability, as a multiplicative method needs."""
    if start is not None and start.probabilities.min(initial=1.0) <= 0.0:
        raise SettingError(
            f"the start gives an action probability 0; {method} multiplies probabilities and would"
            " never play it. Mix in a little of game.uniform()."
        )


def is_alternating(order: str) -> bool:
    """Return whether players update one after the other, each responding to the new behavior of those before."""
    UnknownNameError.check("order of updates", order, ORDERS)
    return order == "alternating"


def find_largest_utility(game: Any) -> float:
    """Return the largest absolute utility of a game, at least 1, as a scale of rounding; of symmetric games 1."""
    if not isinstance(game, SequenceForm):
        return 1.0
    return max(1.0, float(np.abs(game.utility_range).max()))


def check_compiled_game(game: Any) -> None:
    """Raise unless `game` is a compiled game whose utilities are larger than rounding."""
    instead = (
        "a compiled one, such as games.kuhn() or games.compile_rules(rules); contests, and symmetric games of"
        " another kind, are for memories, such as solvers.NashMemory"
    )
    check_kind("game", game, SequenceForm, instead, GameError)
    largest = float(np.abs(game.utility_range).max(initial=0.0))
    if 0.0 < largest < SMALLEST_UTILITY:
        raise GameError(
            f"nobody wins or loses more than {largest:.3g} {game.unit} in {game.name}; solvers exact to 1e-9 take"
            f" that for rounding. Multiply all payoffs, so that the largest is at least {SMALLEST_UTILITY:g}."
        )


def check_zero_sum_pair(game: SequenceForm, method: str, instead: Sequence[str]) -> None:
    """Raise unless the game is two-player zero-sum or constant-sum."""
    check_compiled_game(game)
    if game.num_players != 2 or game.payoff_sum is None:
        raise GameError(
            f"{method} solves two-player zero-sum games; {game.name} is a {name_sum(game.payoff_sum)} game for"
            f" {game.num_players}. Try {' or '.join(instead)}."
        )
