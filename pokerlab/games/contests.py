"""Contests: two-player games that are given by a function, which returns what one strategy wins from another.

In a pairing one strategy plays against another. For pairing k of K, `first_indices[k]` and `second_indices[k]` are the
indices of the two strategies in two sequences of strategies, and `seeds[k]` is the seed of their random numbers.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cached_property, partial
from threading import Thread
from time import monotonic
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from pokerlab.core import Floats, GameError, Ints, SettingError, Unit, random_stream
from pokerlab.core.arrays import is_scalar_number
from pokerlab.core.compiler import compile_without_cache, is_compiled
from pokerlab.core.errors import quote_value
from pokerlab.core.function_identity import (
    describe_function_code,
    get_qualified_name,
    iterate_referenced_values,
)
from pokerlab.core.settings import check_kind, validate_bool, validate_number
from pokerlab.core.workers import (
    can_receive_keyboard_interrupt,
    check_cancelled,
    complete_future,
    raise_in_thread,
)

END_OF_SEEDS = 2**62
"""The seeds of pairings are integers below this number, so that they are 64-bit integers with a sign."""
NUM_REPEATED = 3
"""The number of pairings that are played twice, to check that they have the same result."""
NUM_TRIALS = 16
"""The number of seeds that must give the same results before a contest counts as asymmetric.

If results depend on chance, all these seeds agree with a probability of at most 1 / 4**16.
"""
RELATIVE_ROUNDING = 1e-9
"""The largest error of results that should sum to zero, relative to the largest result."""
SMALLEST_DIFFERENCE = 1e-12
"""The largest error that always counts as rounding: matrix products give about 1e-17 for a draw, not 0."""
LONGEST_WAIT = 1.0
"""The longest time in seconds between two checks of which pairing is being played."""


@dataclass(frozen=True, eq=False)
class Contest:
    """A two-player game that is given by a function, which returns what one strategy wins from another.

    Parameters
    ----------
    play : callable
        A function `play(a, b, seed)`, which returns the number that strategy `a` wins from `b`. It must be finite, and
        always the same for the same seed. Seeds are integers from 0 to 2**62 - 1. If the function is compiled
        (`numba.njit`), pairings are played in a compiled loop.
    name : str
        The name of the contest.
    unit : Unit
        The unit of payoffs, such as `pokerlab.core.POINTS`.
    symmetric : bool
        Whether both positions are equivalent. If True, each pairing is played once, and `play(b, a, seed)` should be
        `-play(a, b, seed)` or have the same distribution. This is checked for the first pairings, but an advantage of
        one position that depends on chance cannot be recognized. If False, each pairing is played in both positions,
        and the result is half of the difference, so that one strategy always loses what the other one wins.
    seconds : float
        The longest time of one play where the user cannot interrupt it: with workers, on a cluster, and in a bench.
        After that time an error names the pairing. A Python function is stopped then. A compiled function cannot be
        stopped and runs until Python ends.

    Raises
    ------
    SettingError
        If `play` cannot be called, or if another parameter has a wrong type or is not in its range.
    """

    play: Callable[[Any, Any, int], float]
    name: str
    unit: Unit
    symmetric: bool = True
    seconds: float = 600.0

    def __post_init__(self) -> None:
        if not callable(self.play):
            raise SettingError(
                f"play is {quote_value(self.play)}; give a function of two strategies and a seed that says what the"
                " first wins."
            )
        if not isinstance(self.unit, Unit):
            raise SettingError(
                f"unit is {quote_value(self.unit)}; give one, such as pokerlab.core.POINTS."
            )
        check_kind("name", self.name, str, "what the contest is called, a text")
        validate_bool("symmetric", self.symmetric)
        validate_number("seconds", self.seconds, 0.001)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the unit, and the code of `play` and of the functions of its module that it calls."""
        parts = (self.name, self.unit.name, self.symmetric, describe_function(self.play, []))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def play_pairings(
        self,
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        seeds: Ints,
    ) -> Floats:
        """Return what the first strategy of each pairing wins from the second.

        If the contest is not symmetric, each pairing is played in both positions, and the result is half of the
        difference.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that can play in the first position, and those that can play in the second.
        first_indices, second_indices : array of shape (K,)
            For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.
        seeds : array of shape (K,)
            The seed of each pairing.

        Returns
        -------
        array of shape (K,)
            The payoff of the first strategy of each pairing, in the contest's unit.

        Raises
        ------
        GameError
            If `play` raises an error, or does not return a finite number. The message names the pairing.
        """
        payoffs = self.play_in_given_positions(
            first_strategies, second_strategies, first_indices, second_indices, seeds
        )
        if not self.symmetric:
            # Each pairing is played again with exchanged positions, by the second strategy in the first position.
            payoffs_of_second = self.play_in_given_positions(
                second_strategies, first_strategies, second_indices, first_indices, seeds
            )
            payoffs = (payoffs - payoffs_of_second) / 2.0
        return payoffs

    def play_in_given_positions(
        self,
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        seeds: Ints,
    ) -> Floats:
        """Return the result of `play` for each pairing, without an exchange of positions.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that can play in the first position, and those that can play in the second.
        first_indices, second_indices : array of shape (K,)
            For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.
        seeds : array of shape (K,)
            The seed of each pairing.

        Returns
        -------
        array of shape (K,)
            What the strategy in the first position wins in each pairing.

        Raises
        ------
        GameError
            If `play` raises an error, or does not return a finite number. The message names the pairing.
        """
        # The loop overwrites NaN by results, so the first NaN is the pairing that is being played.
        results = np.full(len(seeds), np.nan)
        arguments: tuple[Any, ...] = (
            first_strategies,
            second_strategies,
            first_indices,
            second_indices,
            seeds,
            results,
        )
        if not is_compiled(self.play):  # Python indexes lists faster than arrays
            lists = (array.tolist() for array in (first_indices, second_indices, seeds))
            arguments = (list(first_strategies), list(second_strategies), *lists, results)

        if can_receive_keyboard_interrupt():
            self.pairings_loop(*arguments)
        else:
            self.play_in_thread(arguments)

        is_finite = np.isfinite(results)
        if not is_finite.all():
            pairing = int(np.argmin(is_finite))  # the first one that is not finite
            raise GameError(
                self.describe_bad_result(
                    first_indices[pairing],
                    second_indices[pairing],
                    seeds[pairing],
                    f"{results[pairing]}",
                )
            )
        return results

    @cached_property
    def pairings_loop(self) -> Callable[..., None]:
        """The function that plays pairings one after the other, which is compiled if `play` is compiled.

        Its parameters are those of `play_in_python` without the contest.
        """
        if is_compiled(self.play):
            return compile_pairings_loop(self.play)
        return partial(play_in_python, self)

    def play_in_thread(self, arguments: tuple[Any, ...]) -> None:
        """Play pairings in a separate thread, so that a play can be stopped by the user or when it lasts too long.

        Parameters
        ----------
        arguments : tuple
            The arguments of `pairings_loop`: both lists of strategies, the two indices and the seed of each pairing,
            and the array `results`, which is full of NaN and is overwritten.

        Raises
        ------
        GameError
            If `play` raises an error, or if one play lasts longer than `seconds`. The message names the pairing.
        KeyboardInterrupt
            If the user stops. A note names the pairing.
        """
        first_strategies, second_strategies, first_indices, second_indices, seeds, results = (
            arguments
        )
        # A call without pairings only compiles the loop, so that compilation does not count as playing time.
        self.pairings_loop(
            first_strategies,
            second_strategies,
            first_indices[:0],
            second_indices[:0],
            seeds[:0],
            results[:0],
        )

        finished: Future[None] = Future()
        play_all_pairings = partial(self.pairings_loop, *arguments)
        thread = Thread(target=complete_future, args=(finished, play_all_pairings), daemon=True)
        seconds_between_checks = min(LONGEST_WAIT, self.seconds / 4)
        pairing = 0  # the pairing that is being played, as far as is known
        noticed_at = monotonic()  # the time at which this pairing was first seen
        try:
            thread.start()
            while not wait([finished], seconds_between_checks).done:
                check_cancelled()
                first_unplayed = int(
                    np.argmax(np.isnan(results))
                )  # the loop replaces NaN by results
                if first_unplayed != pairing:
                    pairing = first_unplayed
                    noticed_at = monotonic()
                elif monotonic() - noticed_at > self.seconds:
                    self.stop_thread(thread)
                    first_index, second_index = first_indices[pairing], second_indices[pairing]
                    raise GameError(
                        f"{self.name}: strategies {first_index} and {second_index} have played for more than"
                        f" {self.seconds:g} seconds, with seed {seeds[pairing]}. If that is no endless loop, give the"
                        " contest more seconds=."
                    )
        except KeyboardInterrupt as stop:
            self.stop_thread(thread)
            pairing = int(np.argmax(np.isnan(results)))
            stop.add_note(
                self.describe_interrupted_pairing(
                    first_indices[pairing], second_indices[pairing], seeds[pairing]
                )
            )
            raise
        finished.result()

    def stop_thread(self, thread: Thread) -> None:
        """Stop a thread that plays pairings, unless it runs compiled code, which cannot be interrupted.

        Parameters
        ----------
        thread : Thread
            The thread. It ends at its next step of Python code.
        """
        if not is_compiled(self.play):
            raise_in_thread(thread, SystemExit)

    def describe_bad_result(
        self, first_index: int, second_index: int, seed: int, result: str
    ) -> str:
        """Return the error message about a pairing for which `play` did not return a finite number.

        Parameters
        ----------
        first_index, second_index : int
            The indices of the two strategies.
        seed : int
            The seed of the pairing.
        result : str
            The result of `play`, as text.

        Returns
        -------
        str
            The message.
        """
        return (
            f"{self.name}: play says that strategy {first_index} wins {result} from strategy {second_index} with seed"
            f" {seed}; it must be a finite number."
        )

    def describe_interrupted_pairing(self, first_index: int, second_index: int, seed: int) -> str:
        """Return the message about the pairing during which the user stopped the program.

        Parameters
        ----------
        first_index, second_index : int
            The indices of the two strategies.
        seed : int
            The seed of the pairing.

        Returns
        -------
        str
            The message.
        """
        return f"{self.name} was stopped while strategies {first_index} and {second_index} played, with seed {seed}."

    def check_pairings(
        self,
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        seeds: Ints,
    ) -> None:
        """Check that `play` is repeatable, and that it favors no position if the contest is symmetric.

        The first few pairings of two different strategies are played again. A contest is checked only once: later calls
        return at once.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that can play in the first position, and those that can play in the second.
        first_indices, second_indices : array of shape (K,)
            For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.
        seeds : array of shape (K,)
            The seed of each pairing.

        Raises
        ------
        GameError
            If a pairing has another result the second time, or if the contest is symmetric and exchanging the positions
            of a pairing changes its result with every seed.
        """
        # A frozen dataclass has no fields that change, so the mark is kept among its instance variables.
        if "is_checked" in vars(self):
            return

        pairings = select_different_pairings(
            first_strategies, second_strategies, first_indices, second_indices
        )
        if not pairings:
            return
        first_indices, second_indices = first_indices[pairings], second_indices[pairings]
        seeds = seeds[pairings]

        results = self.play_in_given_positions(
            first_strategies, second_strategies, first_indices, second_indices, seeds
        )
        repeated_results = self.play_in_given_positions(
            first_strategies, second_strategies, first_indices, second_indices, seeds
        )
        is_different = results != repeated_results
        if is_different.any():
            pairing = int(np.argmax(is_different))
            first_index, second_index = first_indices[pairing], second_indices[pairing]
            raise GameError(
                f"{self.name}: strategies {first_index} and {second_index} played twice with seed {seeds[pairing]},"
                f" and the first won {results[pairing]:g} and then {repeated_results[pairing]:g}. Draw all chance from"
                " the seed, such as by np.random.default_rng(seed)."
            )

        if self.symmetric:
            self.check_positions_are_equivalent(
                first_strategies, second_strategies, first_indices, second_indices, seeds, results
            )
        vars(self)["is_checked"] = True

    def check_positions_are_equivalent(
        self,
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        seeds: Ints,
        results: Floats,
    ) -> None:
        """Raise a GameError if a position of a symmetric contest has an advantage with every seed.

        In a symmetric contest, exchanging the positions of a pairing changes only the sign of its result. Results that
        depend on chance may differ more.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that can play in the first position, and those that can play in the second.
        first_indices, second_indices : array of shape (K,)
            For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.
        seeds : array of shape (K,)
            The seed of each pairing.
        results : array of shape (K,)
            The result of each pairing before the exchange.

        Raises
        ------
        GameError
            If exchanging the positions of a pairing changes its result with every seed.
        """
        results_of_second = self.play_in_given_positions(
            second_strategies, first_strategies, second_indices, first_indices, seeds
        )
        largest = np.abs([results, results_of_second]).max()
        rounding = max(RELATIVE_ROUNDING * largest, SMALLEST_DIFFERENCE)
        is_asymmetric = np.abs(results + results_of_second) > rounding
        if is_asymmetric.any():
            pairing = int(np.argmax(is_asymmetric))
            only_this_pairing = slice(pairing, pairing + 1)
            self.check_no_position_has_advantage(
                first_strategies,
                second_strategies,
                first_indices[only_this_pairing],
                second_indices[only_this_pairing],
                results[pairing],
                results_of_second[pairing],
            )

    def check_no_position_has_advantage(
        self,
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        result: float,
        result_of_second: float,
    ) -> None:
        """Raise a GameError if a pairing has the same result with every seed, in both orders of its strategies.

        It is called for a pairing whose result changes when the positions are exchanged. If this happens with every
        seed, one position has an advantage. If the results depend on the seed, their difference may be due to chance,
        and no error is raised.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that can play in the first position, and those that can play in the second.
        first_indices, second_indices : array of shape (1,)
            The indices of the two strategies of the pairing.
        result, result_of_second : float
            The payoff of the strategy in the first position, before and after the positions were exchanged.

        Raises
        ------
        GameError
            If all of `NUM_TRIALS` other seeds give the same two results.
        """
        for seed in random_stream(0, "places").integers(0, END_OF_SEEDS, (NUM_TRIALS, 1)):
            (other_result,) = self.play_in_given_positions(
                first_strategies, second_strategies, first_indices, second_indices, seed
            )
            if other_result != result:
                return
            (other_result_of_second,) = self.play_in_given_positions(
                second_strategies, first_strategies, second_indices, first_indices, seed
            )
            if other_result_of_second != result_of_second:
                return
        raise GameError(
            f"{self.name}: strategy {first_indices[0]} wins {result:g} from {second_indices[0]}, which wins"
            f" {result_of_second:g} when it is first, with any seed. Give symmetric=False, and both positions are"
            " played; or let play(b, a, seed) be -play(a, b, seed)."
        )

    def __repr__(self) -> str:
        return f"<contest {self.name}>"


def select_different_pairings(
    first_strategies: Any, second_strategies: Any, first_indices: Ints, second_indices: Ints
) -> list[int]:
    """Return the first `NUM_REPEATED` pairings in which a strategy plays against a different one.

    If a strategy plays against itself, only rounding errors make the result differ from 0. So such a pairing shows
    neither chance nor an advantage of a position.

    Parameters
    ----------
    first_strategies, second_strategies : sequence
        The strategies that can play in the first position, and those that can play in the second.
    first_indices, second_indices : array of shape (K,)
        For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.

    Returns
    -------
    list of int
        The indices of these pairings, which are fewer if there are not enough.
    """
    pairings: list[int] = []
    for pairing, (first_index, second_index) in enumerate(
        zip(first_indices, second_indices, strict=True)
    ):
        if len(pairings) == NUM_REPEATED:
            break
        if not np.array_equal(first_strategies[first_index], second_strategies[second_index]):
            pairings.append(pairing)
    return pairings


def play_in_python(
    contest: Contest,
    first_strategies: Sequence[Any],
    second_strategies: Sequence[Any],
    first_indices: list[int],
    second_indices: list[int],
    seeds: list[int],
    results: Floats,
) -> None:
    """Play pairings one after the other by a Python function, and write their results to `results`.

    Parameters
    ----------
    contest : Contest
        The contest, whose `play` is called.
    first_strategies, second_strategies : sequence
        The strategies that can play in the first position, and those that can play in the second.
    first_indices, second_indices : list of int
        For each of K pairings, the index of a strategy in `first_strategies`, and of one in `second_strategies`.
    seeds : list of int
        The seed of each pairing.
    results : array of shape (K,)
        Overwritten by what the first strategy of each pairing wins.

    Raises
    ------
    GameError
        If `play` raises an error, or does not return a number. The message names the pairing.
    """
    play = contest.play
    pairing = 0
    try:
        for pairing, seed in enumerate(seeds):
            first_strategy = first_strategies[first_indices[pairing]]
            second_strategy = second_strategies[second_indices[pairing]]
            try:
                result = play(first_strategy, second_strategy, seed)
            except Exception as error:
                first_index, second_index = first_indices[pairing], second_indices[pairing]
                raise GameError(
                    f"{contest.name}: play of strategies {first_index} and {second_index} with seed {seed}"
                    f" ended with {type(error).__name__}: {error}"
                ) from error
            if not is_scalar_number(result):
                result_text = quote_value(result)
                raise GameError(
                    contest.describe_bad_result(
                        first_indices[pairing], second_indices[pairing], seed, result_text
                    )
                )
            results[pairing] = result
    except KeyboardInterrupt as stop:
        stop.add_note(
            contest.describe_interrupted_pairing(
                first_indices[pairing], second_indices[pairing], seeds[pairing]
            )
        )
        raise


def compile_pairings_loop(play: Any) -> Callable[..., None]:
    """Return a compiled function that plays pairings one after the other by a compiled function `play`.

    Parameters
    ----------
    play : Dispatcher
        The function `play(a, b, seed)`, compiled by `numba.njit`.

    Returns
    -------
    callable
        The function. Its parameters are those of `play_in_python` without the contest.
    """

    def play_compiled(
        first_strategies: Any,
        second_strategies: Any,
        first_indices: Ints,
        second_indices: Ints,
        seeds: Ints,
        results: Floats,
    ) -> None:
        """Play pairings one after the other, and write what the first strategy of each one wins into `results`."""
        for pairing in range(seeds.size):
            results[pairing] = play(
                first_strategies[first_indices[pairing]],
                second_strategies[second_indices[pairing]],
                seeds[pairing],
            )

    return compile_without_cache(play_compiled)  # type: ignore[no-any-return]


def describe_function(function: Any, already_described: list[Any]) -> str:
    """Return a text that identifies a function by its code, and by the functions of the same module that it calls.

    Parameters
    ----------
    function : Any
        The function, which may be compiled or a `functools.partial`.
    already_described : list
        The functions that have been described before, for which only the name is returned. Other functions are added to
        this list. So functions that call each other are described once.

    Returns
    -------
    str
        The text. Functions with different code have different texts.
    """
    if isinstance(function, partial):
        bound_arguments = [
            describe_value(value) for value in (*function.args, *function.keywords.items())
        ]
        return f"{describe_function(function.func, already_described)} {bound_arguments}"

    # A compiled function has the Python function in `py_func`.
    python_function = getattr(function, "py_func", function)
    if not isinstance(python_function, FunctionType):
        return describe_value(python_function)
    if python_function in already_described:
        return python_function.__qualname__
    already_described.append(python_function)

    lines = [describe_function_code(python_function), describe_value(python_function.__defaults__)]
    for name, value in iterate_referenced_values(python_function):
        referenced = getattr(value, "py_func", value)
        is_function = isinstance(referenced, FunctionType)
        if is_function and referenced.__module__ == python_function.__module__:
            text = describe_function(referenced, already_described)
        else:
            text = describe_value(value)
        lines.append(f"{name}: {text}")
    return "\n".join(lines)


def describe_value(value: Any) -> str:
    """Return a text that identifies a value and is the same in every process.

    For an array, also in a list or dictionary, it includes a digest of all its numbers, because `repr` omits most
    numbers of a long array. Sets are sorted, since their order differs between processes. Memory addresses are omitted.

    Parameters
    ----------
    value : Any
        The value of a variable that a function uses, such as a number, an array, a module or another function.

    Returns
    -------
    str
        The text.
    """
    if is_compiled(value):
        return get_qualified_name(value.py_func)
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
        return f"{value.dtype} {value.shape} {content}"
    if isinstance(value, (bool, int, float, str, bytes, np.generic, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} {[describe_value(part) for part in value]}"
    if isinstance(value, dict):
        pairs = [(describe_value(key), describe_value(part)) for key, part in value.items()]
        return f"{type(value).__name__} {pairs}"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__} {sorted(map(describe_value, value))}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    if isinstance(value, (ModuleType, BuiltinFunctionType, np.ufunc)):
        return value.__name__

    return f"{type(value).__qualname__} {re.sub(' at 0x[0-9a-f]+', '', repr(value))}"
