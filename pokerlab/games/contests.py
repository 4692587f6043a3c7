"""Contests: games for two that are known only by a function, which returns what one strategy wins from another.

A pairing is a play of one strategy against another. For pairing k of K, `first[k]` and `second[k]` are the indices of
the two strategies, and `seeds[k]` is the seed of the play.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from threading import Thread
from time import monotonic
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from pokerlab.core import Floats, GameError, Ints, SettingError, Unit, random_stream
from pokerlab.core.arrays import is_one_number
from pokerlab.core.compiler import compile_without_cache, is_compiled
from pokerlab.core.errors import quote_value
from pokerlab.core.function_identity import describe_code, find_references, get_qualified_name
from pokerlab.core.settings import check_kind, checked_bool, checked_number
from pokerlab.core.workers import check_cancelled, raise_in_thread, receives_interrupts, set_future

NUM_REPEATED = 3  # pairings that are played twice, to see whether they have the same result
NUM_TRIALS = 16
"""Seeds that must agree before a contest is called asymmetric; chance misleads at most once in 4**16 times."""
RELATIVE_ROUNDING = 1e-9
"""By how much results that should cancel may differ, relative to the largest result seen."""
SMALLEST_DIFFERENCE = 1e-12
"""A smaller difference is rounding in any case: a draw computed by matrix products is about 1e-17, not 0."""
LONGEST_WAIT = 1.0
"""Seconds between two looks at the pairing that is being played."""


@dataclass(frozen=True, eq=False)
class Contest:
    """A game for two that is given as a function.

    Parameters
    ----------
    play : callable
        `play(a, b, seed)` returns what strategy `a` wins from `b`: a finite number, the same for the same seed. Seeds
        are integers from 0 to 2**62. Pairings of a compiled function (`numba.njit`) are played in a compiled loop.
    name : str
        The name of the contest.
    unit : Unit
        The unit of what is won, such as `pokerlab.core.POINTS`.
    symmetric : bool
        Whether both positions are equal. If False, every pairing is played in both positions, and half of the
        difference counts, so that one strategy always loses what the other wins. If True, one play counts for both,
        and `play(b, a, seed)` should be `-play(a, b, seed)`, or have the same distribution. The first pairings are
        checked for this. A random advantage of one position cannot be distinguished from chance.
    seconds : float
        How long one play may last where the user cannot stop it: with workers, on a cluster, in a bench. After that
        time an error names the pairing. A Python function is then ended; a compiled one runs until Python ends.
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
        checked_bool("symmetric", self.symmetric)
        checked_number("seconds", self.seconds, 0.001)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the unit, and the code of `play` with the functions of its module that it calls."""
        parts = (self.name, self.unit.name, self.symmetric, describe_function(self.play, []))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def play_pairings(
        self, first_strategies: Any, second_strategies: Any, first: Ints, second: Ints, seeds: Ints
    ) -> Floats:
        """Return what the first strategy of each pairing wins from the second.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that play in the first and in the second position.
        first, second : array of shape (K,)
            The index of each pairing's strategy among them.
        seeds : array of shape (K,)
            The seed of each play.

        Raises
        ------
        GameError
            If `play` raises, or returns anything but a finite number; the message names the pairing.
        """
        won = self.play_in_order(first_strategies, second_strategies, first, second, seeds)
        if not self.symmetric:
            lost = self.play_in_order(second_strategies, first_strategies, second, first, seeds)
            won = (won - lost) / 2.0
        return won

    def play_in_order(
        self, first_strategies: Any, second_strategies: Any, first: Ints, second: Ints, seeds: Ints
    ) -> Floats:
        """Return the result of `play` for each pairing, played in one order of the positions only.

        The parameters are those of `play_pairings`.
        """
        results = np.full(len(seeds), np.nan)
        arguments: tuple[Any, ...] = (
            first_strategies,
            second_strategies,
            first,
            second,
            seeds,
            results,
        )
        if not is_compiled(self.play):  # Python indexes lists faster than arrays
            lists = (array.tolist() for array in (first, second, seeds))
            arguments = (list(first_strategies), list(second_strategies), *lists, results)

        if receives_interrupts():
            self.play_loop(*arguments)
        else:
            self.play_in_thread(arguments)

        is_finite = np.isfinite(results)
        if not is_finite.all():
            k = int(np.argmin(is_finite))
            raise GameError(
                self.describe_bad_result(first[k], second[k], seeds[k], f"{results[k]}")
            )
        return results

    @cached_property
    def play_loop(self) -> Callable[..., None]:
        """The function that plays pairings one after the other; it is compiled if `play` is compiled."""
        if is_compiled(self.play):
            return compile_play_loop(self.play)
        return partial(play_in_python, self)

    def play_in_thread(self, arguments: tuple[Any, ...]) -> None:
        """Call `play_loop` in a thread of its own, and name the pairing that is stopped or lasts too long."""
        first_strategies, second_strategies, first, second, seeds, results = arguments
        # Without pairings the loop is only compiled. So compilation does not count as playing time.
        self.play_loop(
            first_strategies, second_strategies, first[:0], second[:0], seeds[:0], results[:0]
        )

        finished: Future[None] = Future()
        work = partial(self.play_loop, *arguments)
        thread = Thread(target=set_future, args=(finished, work), daemon=True)
        k, began = 0, monotonic()
        try:
            thread.start()
            while not wait([finished], min(LONGEST_WAIT, self.seconds / 4)).done:
                check_cancelled()
                first_unplayed = int(np.argmax(np.isnan(results)))
                if first_unplayed != k:
                    k, began = first_unplayed, monotonic()
                elif monotonic() - began > self.seconds:
                    self.end_thread(thread)
                    raise GameError(
                        f"{self.name}: strategies {first[k]} and {second[k]} have played for more than {self.seconds:g}"
                        f" seconds, with seed {seeds[k]}. If that is no endless loop, give the contest more seconds=."
                    )
        except KeyboardInterrupt as stop:
            self.end_thread(thread)
            k = int(np.argmax(np.isnan(results)))
            stop.add_note(self.describe_stop(first[k], second[k], seeds[k]))
            raise
        finished.result()

    def end_thread(self, thread: Thread) -> None:
        """End a thread that plays, if it runs Python; compiled code cannot be interrupted."""
        if not is_compiled(self.play):
            raise_in_thread(thread, SystemExit)

    def describe_bad_result(self, one: int, other: int, seed: int, result: str) -> str:
        """Return the message about a pairing for which `play` returned anything but a finite number."""
        return (
            f"{self.name}: play says that strategy {one} wins {result} from strategy {other} with seed {seed};"
            " it must be a finite number."
        )

    def describe_stop(self, one: int, other: int, seed: int) -> str:
        """Return the message about the pairing during which the user stopped."""
        return (
            f"{self.name} was stopped while strategies {one} and {other} played, with seed {seed}."
        )

    def check_pairings(
        self, first_strategies: Any, second_strategies: Any, first: Ints, second: Ints, seeds: Ints
    ) -> None:
        """Raise GameError if `play` is not repeatable, or favors a position though the contest is called symmetric.

        The first few pairings of two different strategies are played again. A strategy's play against itself shows
        nothing: its result is rounding. A contest is checked once. The parameters are those of `play_pairings`.

        Raises
        ------
        GameError
            If a pairing has another result the second time, or if exchanging the positions changes it for all seeds.
        """
        if "is_checked" in vars(self):
            return
        different = (
            k
            for k in range(len(seeds))
            if not np.array_equal(first_strategies[first[k]], second_strategies[second[k]])
        )
        chosen = list(islice(different, NUM_REPEATED))
        if not chosen:
            return

        one, other, seed = first[chosen], second[chosen], seeds[chosen]
        results = self.play_in_order(first_strategies, second_strategies, one, other, seed)
        repeated = self.play_in_order(first_strategies, second_strategies, one, other, seed)
        for k in np.flatnonzero(results != repeated)[:1]:
            raise GameError(
                f"{self.name}: strategies {one[k]} and {other[k]} played twice with seed {seed[k]}, and the first"
                f" won {results[k]:g} and then {repeated[k]:g}. Draw all chance from the seed, such as by"
                " np.random.default_rng(seed)."
            )

        if self.symmetric:
            exchanged = self.play_in_order(second_strategies, first_strategies, other, one, seed)
            largest = np.abs([results, exchanged]).max()
            rounding = max(RELATIVE_ROUNDING * largest, SMALLEST_DIFFERENCE)
            for k in np.flatnonzero(np.abs(results + exchanged) > rounding)[:1]:
                self.check_positions(
                    first_strategies,
                    second_strategies,
                    one[k : k + 1],
                    other[k : k + 1],
                    results[k],
                    exchanged[k],
                )
        vars(self)["is_checked"] = True

    def check_positions(
        self,
        first_strategies: Any,
        second_strategies: Any,
        one: Ints,
        other: Ints,
        result: float,
        exchanged: float,
    ) -> None:
        """Raise GameError if a pairing has the same two results with every seed, one in each order of the positions.

        Results that depend on the seed may differ by chance, and say nothing about the positions.

        Parameters
        ----------
        first_strategies, second_strategies : sequence
            The strategies that play in the first and in the second position.
        one, other : array of shape (1,)
            The indices of the pairing's two strategies.
        result, exchanged : float
            What the strategy in the first position won, in the two orders.
        """
        for seed in random_stream(0, "places").integers(0, 2**62, (NUM_TRIALS, 1)):
            if self.play_in_order(first_strategies, second_strategies, one, other, seed) != result:
                return
            if (
                self.play_in_order(second_strategies, first_strategies, other, one, seed)
                != exchanged
            ):
                return
        raise GameError(
            f"{self.name}: strategy {one[0]} wins {result:g} from {other[0]}, which wins {exchanged:g} when it is"
            " first, with any seed. Give symmetric=False, and both positions are played; or let play(b, a, seed) be"
            " -play(a, b, seed)."
        )

    def __repr__(self) -> str:
        return f"<contest {self.name}>"


def play_in_python(
    contest: Contest,
    first_strategies: Sequence[Any],
    second_strategies: Sequence[Any],
    first: list[int],
    second: list[int],
    seeds: list[int],
    results: Floats,
) -> None:
    """Write the result of `play` for each pairing to `results`; an error or an interrupt names the pairing."""
    play, k = contest.play, 0
    try:
        for k, (one, other, seed) in enumerate(zip(first, second, seeds, strict=True)):
            try:
                result = play(first_strategies[one], second_strategies[other], seed)
            except Exception as error:
                raise GameError(
                    f"{contest.name}: play of strategies {one} and {other} with seed {seed} ended with"
                    f" {type(error).__name__}: {error}"
                ) from error
            if not is_one_number(result):
                raise GameError(contest.describe_bad_result(one, other, seed, quote_value(result)))
            results[k] = result
    except KeyboardInterrupt as stop:
        stop.add_note(contest.describe_stop(first[k], second[k], seeds[k]))
        raise


def compile_play_loop(play: Any) -> Callable[..., None]:
    """Compile the loop over pairings with the compiled function `play` inside it."""

    def play_in_order(
        first_strategies: Any,
        second_strategies: Any,
        first: Ints,
        second: Ints,
        seeds: Ints,
        results: Floats,
    ) -> None:
        for k in range(seeds.size):
            results[k] = play(first_strategies[first[k]], second_strategies[second[k]], seeds[k])

    return compile_without_cache(play_in_order)  # type: ignore[no-any-return]


def describe_function(function: Any, described: list[Any]) -> str:
    """Return a text that differs where a function differs, or a function of the same module that it calls.

    Functions in `described` are only named; this function is added to them.
    """
    if isinstance(function, partial):
        bound = [describe_value(value) for value in (*function.args, *function.keywords.items())]
        return f"{describe_function(function.func, described)} {bound}"

    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType):
        return describe_value(plain)
    if plain in described:
        return plain.__qualname__
    described.append(plain)

    lines = [describe_code(plain), describe_value(plain.__defaults__)]
    for name, value in find_references(plain):
        inner = getattr(value, "py_func", value)
        if isinstance(inner, FunctionType) and inner.__module__ == plain.__module__:
            text = describe_function(inner, described)
        else:
            text = describe_value(value)
        lines.append(f"{name}: {text}")
    return "\n".join(lines)


def describe_value(value: Any) -> str:
    """Return a text that identifies a value in every process.

    Arrays count with all their numbers, also inside of lists and dictionaries, whose own texts leave most of them out.
    Sets are sorted, since their order differs between processes, and addresses are left out.
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
