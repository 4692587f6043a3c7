"""The protocol of solvers, which have an initial state and a step to later states, and checks of their arguments."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_integer, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.rules import classify_payoff_sum
from pokerlab.games.sequence_form import check_profile

S = TypeVar("S")
SMALLEST_UTILITY = 1e-6
"""If all utilities were smaller, the tolerance of HiGHS, 1e-9, would make equilibria visibly inexact."""
ORDERS = ("simultaneous", "alternating")
LARGEST_SHIFT = 1e9  # a larger shift would lose the utilities in rounding
LONGEST_TIME_STEP = 1e3  # the longest continuous time of one iteration


class Solver(Protocol[S]):
    """An algorithm with its parameters. Everything that changes while it runs is part of a state.

    States are frozen, and their arrays are read-only. Each state has the fields `game` and `iteration`, and the result
    of the algorithm so far.
    """

    def init(self) -> S:
        """Return the state before the first iteration."""

    def step(self, state: S, count: int = 1) -> S:
        """Return the state `count` iterations after `state`, which is not changed.

        `step(step(s, a), b)` equals `step(s, a + b)` bit for bit on the same machine. Dynamics, CFR, memories, and
        populations at tables and in tournaments give the same numbers on other processors, too. Evolution strategies
        and NSGA-II may not, because linear algebra and unstable sorts differ between processors.
        """


def validate_count(game: Any, state: Any, count: int, kind: type) -> int:
    """Return the number of iterations of a step as an int, after checking that the state belongs to the solver.

    Parameters
    ----------
    game : SequenceForm or another game
        The solver's game.
    state : object
        The state with which the step begins.
    count : int
        The number of iterations.
    kind : type
        The class of the solver's states.

    Raises
    ------
    SettingError
        If the count is not a whole number, or is negative.
    GameError
        If the state belongs to another game or another solver.
    """
    number_of_steps = validate_integer("count", count, 0, LARGEST_COUNT)
    state_game = getattr(state, "game", None)
    is_same_game = (
        state_game is game or getattr(state_game, "fingerprint", None) == game.fingerprint
    )
    if not is_same_game:
        raise GameError(
            f"the state belongs to {getattr(state_game, 'name', 'no game')}, the solver to {game.name}."
            " Begin with the solver's own init()."
        )
    if not isinstance(state, kind):
        raise GameError(
            f"the state is another solver's, a {type(state).__name__}; this one's are"
            f" {kind.__name__}s. Begin with the solver's own init()."
        )

    return number_of_steps


def check_start(game: SequenceForm, start: Profile | None) -> None:
    """Raise a GameError unless `game` is a compiled game, and `start` is None or a profile of this game."""
    instead = "a compiled one, such as games.kuhn(); bucketed hold'em has holdem.BucketedCFR"
    check_kind("game", game, SequenceForm, instead, GameError)
    if start is not None:
        check_profile(game, start)


def check_pure_start(game: SequenceForm, start: Profile | None) -> None:
    """Raise an error unless `start` is None or a pure profile of the game.

    Raises
    ------
    GameError
        If the game is not a compiled game, or `start` is a profile of another game.
    SettingError
        If a probability of `start` is neither 0 nor 1.
    """
    check_start(game, start)
    if start is not None and not np.isin(start.probabilities, (0.0, 1.0)).all():
        raise SettingError(
            f"the start mixes actions of {game.name}; it must be a pure strategy for each player."
            " Give a profile of zeros and ones."
        )


def check_payoff_shift(game: SequenceForm, payoff_shift: Any, method: str) -> None:
    """Raise a SettingError if a payoff shift leaves a utility negative, or is so large that utilities lose precision.

    Parameters
    ----------
    game : SequenceForm
        The game, to whose utilities the shift is added.
    payoff_shift : float
        The shift, in the game's unit.
    method : str
        The name of what needs utilities that are not negative, such as 'eq. 3', for the error message.
    """
    shift = validate_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
    lowest = game.lowest_payoff
    if lowest + shift < 0.0:
        raise SettingError(
            f"payoff_shift {payoff_shift} leaves utilities of {lowest + shift:g} in {game.name};"
            f" {method} needs them positive. Use at least {-lowest:g}."
        )


def check_interior_start(start: Profile | None, method: str) -> None:
    """Raise a SettingError if `start` gives an action the probability 0, which a multiplicative method cannot change.

    A `start` of None is accepted. `method` is the name of the method, for the error message.
    """
    if start is not None and start.probabilities.min(initial=1.0) <= 0.0:
        raise SettingError(
            f"the start gives an action probability 0; {method} multiplies probabilities and would"
            " never play it. Mix in a little of game.uniform()."
        )


def is_alternating(order: str) -> bool:
    """Return whether players update one after the other, rather than all at the same time.

    Parameters
    ----------
    order : {'alternating', 'simultaneous'}
        The order of updates in an iteration.

    Raises
    ------
    UnknownNameError
        If the order has another name.
    """
    UnknownNameError.check("order of updates", order, ORDERS)
    return order == "alternating"


def find_largest_utility(game: Any) -> float:
    """Return the largest absolute utility of a game, or 1 if that is larger, as a scale of rounding errors.

    For a symmetric game, whose payoffs are computed by a function, the result is 1.
    """
    if not isinstance(game, SequenceForm):
        return 1.0
    return max(1.0, float(np.abs(game.utility_range).max()))


def check_compiled_game(game: Any) -> None:
    """Raise a GameError unless `game` is a compiled game whose largest utility is 0 or at least 1e-6."""
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


def check_zero_sum_pair(game: SequenceForm, method: str, alternatives: Sequence[str]) -> None:
    """Raise a GameError unless the game is a compiled two-player zero-sum or constant-sum game.

    Parameters
    ----------
    game : SequenceForm
        The game.
    method : str
        The name of the method that needs such a game, for the error message.
    alternatives : sequence of str
        The names of methods that can be used for other games.
    """
    check_compiled_game(game)
    if game.num_players != 2 or game.payoff_sum is None:
        raise GameError(
            f"{method} solves two-player zero-sum games; {game.name} is a"
            f" {classify_payoff_sum(game.payoff_sum)} game for {game.num_players}. Try {' or '.join(alternatives)}."
        )
