"""The protocol of solvers, which have an initial state and a step to later states, and checks of their arguments."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_integer, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.rules import classify_payoff_sum
from pokerlab.games.sequence_form import check_profile_fits_game

StateT = TypeVar("StateT")
SMALLEST_UTILITY = 1e-6
"""The smallest bound on utilities. With smaller ones the tolerance of HiGHS, 1e-9, would make equilibria inexact."""
ORDERS = ("simultaneous", "alternating")
LARGEST_SHIFT = 1e9  # a larger shift would lose the utilities in rounding
LONGEST_TIME_STEP = 1e3  # the longest continuous time of one iteration


class Solver(Protocol[StateT]):
    """An algorithm with its parameters. Everything that changes while it runs is part of a state.

    States are frozen, and their arrays are read-only. Each state has the fields `game` and `iteration`, and the result
    of the algorithm so far.
    """

    def init(self) -> StateT:
        """Return the state before the first iteration.

        Returns
        -------
        StateT
            The state of iteration 0.
        """

    def step(self, state: StateT, count: int = 1) -> StateT:
        """Return the state some iterations after a given one.

        For a state s and counts a and b, `step(step(s, a), b)` equals `step(s, a + b)` bit for bit on the same machine.
        Dynamics, CFR, memories, and populations at tables and in tournaments give the same numbers on other processors,
        too. Evolution strategies and NSGA-II may not, because linear algebra and unstable sorts differ between
        processors.

        Parameters
        ----------
        state : StateT
            The state with which the first of these iterations begins. It is not changed.
        count : int
            The number of iterations.

        Returns
        -------
        StateT
            The state after the last iteration.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        """


def validate_count(game: Any, state: Any, count: int, state_class: type) -> int:
    """Return the number of iterations of a step as an int, after checking it and the state of the solver.

    Parameters
    ----------
    game : SequenceForm or another game
        The solver's game.
    state : object
        The state with which the step begins.
    count : int
        The number of iterations.
    state_class : type
        The class of the solver's states.

    Returns
    -------
    int
        The number of iterations.

    Raises
    ------
    SettingError
        If the count is not a whole number, or is negative.
    GameError
        If the state belongs to another game or another solver.
    """
    num_iterations = validate_integer("count", count, 0, LARGEST_COUNT)

    # Two objects are the same game if they have the same fingerprint. Other objects have no game at all.
    state_game = getattr(state, "game", None)
    is_same_game = (
        state_game is game or getattr(state_game, "fingerprint", None) == game.fingerprint
    )
    if not is_same_game:
        raise GameError(
            f"the state belongs to {getattr(state_game, 'name', 'no game')}, the solver to {game.name}."
            " Begin with the solver's own init()."
        )
    if not isinstance(state, state_class):
        raise GameError(
            f"the state is another solver's, a {type(state).__name__}; this one's are"
            f" {state_class.__name__}s. Begin with the solver's own init()."
        )

    return num_iterations


def check_start(game: SequenceForm, start: Profile | None) -> None:
    """Raise a GameError unless a game is compiled, and the profile with which a solver starts belongs to the game.

    Parameters
    ----------
    game : object
        The object that was given as a compiled game.
    start : Profile or None
        The profile. None means the default start of the solver, which is always accepted.

    Raises
    ------
    GameError
        If the game is not a compiled game, or the profile belongs to another game.
    KindError
        If `start` is neither a `Profile` nor None.
    """
    expected = "a compiled one, such as games.kuhn(); bucketed hold'em has holdem.BucketedCFR"
    check_kind("game", game, SequenceForm, expected, GameError)
    if start is not None:
        check_profile_fits_game(game, start)


def check_pure_start(game: SequenceForm, start: Profile | None) -> None:
    """Raise an error unless the profile with which a solver starts is a pure profile of the game.

    Parameters
    ----------
    game : object
        The object that was given as a compiled game.
    start : Profile or None
        The profile. None means the default start of the solver, which is always accepted.

    Raises
    ------
    GameError
        If the game is not a compiled game, or the profile belongs to another game.
    SettingError
        If a probability of the profile is neither 0 nor 1.
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
        The game.
    payoff_shift : float
        The number that is added to all utilities, in the game's unit.
    method : str
        The name of the method or equation for which utilities must not be negative, such as 'eq. 3'. It appears in the
        error message.

    Raises
    ------
    SettingError
        If the shift is not a number from -1e9 to 1e9, or if the lowest utility plus the shift is negative.
    """
    shift = validate_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
    lowest = game.lowest_payoff
    if lowest + shift < 0.0:
        raise SettingError(
            f"payoff_shift {payoff_shift} leaves utilities of {lowest + shift:g} in {game.name};"
            f" {method} needs them positive. Use at least {-lowest:g}."
        )


def check_interior_start(start: Profile | None, method: str) -> None:
    """Raise a SettingError if the profile with which a method starts gives an action the probability 0.

    A method that multiplies probabilities could never change this.

    Parameters
    ----------
    start : Profile or None
        The profile. None means the default start of the method, which is always accepted.
    method : str
        The name of the method, which appears in the error message.

    Raises
    ------
    SettingError
        If the profile has a probability 0.
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
        The name of the order of updates in an iteration.

    Returns
    -------
    bool
        Whether the order is 'alternating'.

    Raises
    ------
    UnknownNameError
        If the order has another name.
    """
    UnknownNameError.check("order of updates", order, ORDERS)
    return order == "alternating"


def find_utility_scale(game: Any) -> float:
    """Return the unit of relative tolerances in a game: its largest absolute utility, but at least 1.

    For a symmetric game, whose payoffs are computed by a function, the result is 1.

    Parameters
    ----------
    game : SequenceForm or symmetric game
        The game.

    Returns
    -------
    float
        The scale in the game's unit, at least 1.
    """
    if not isinstance(game, SequenceForm):
        return 1.0
    return max(1.0, float(np.abs(game.utility_range).max()))


def check_game_of_solver(game: Any) -> None:
    """Raise a GameError unless the game of a solver is a compiled one, with utilities that are not too small.

    The largest absolute utility must be at least 1e-6. Solvers that are exact up to 1e-9 would take smaller utilities
    for rounding errors. A game in which all utilities are 0 is accepted.

    Parameters
    ----------
    game : object
        The object that was given as a compiled game.

    Raises
    ------
    GameError
        If it is not a compiled game, or if its utilities are too small.
    """
    expected = (
        "a compiled one, such as games.kuhn() or games.compile_rules(rules); contests, and symmetric games of"
        " another kind, are for memories, such as solvers.NashMemory"
    )
    check_kind("game", game, SequenceForm, expected, GameError)
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
    game : object
        The object that was given as a compiled game.
    method : str
        The name of the method that needs such a game, which appears in the error message.
    alternatives : sequence of str
        The names of methods that can be used for other games, which appear in the error message, too.

    Raises
    ------
    GameError
        If the game has another number of players, or if the sum of payoffs varies.
    """
    check_game_of_solver(game)
    if game.num_players != 2 or game.payoff_sum is None:
        raise GameError(
            f"{method} solves two-player zero-sum games; {game.name} is a"
            f" {classify_payoff_sum(game.payoff_sum)} game for {game.num_players}. Try {' or '.join(alternatives)}."
        )
