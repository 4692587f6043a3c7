"""A contest: the smallest game, of which nothing is known but what one strategy wins from another."""

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

from pokerlab.core import Floats, GameError, Ints, SettingError, Unit, stream
from pokerlab.core.arrays import is_one_number
from pokerlab.core.compiler import compile_without_cache, is_compiled
from pokerlab.core.errors import in_short
from pokerlab.core.function_identity import code_text, name_of, referred
from pokerlab.core.settings import check_kind, number, switch
from pokerlab.core.workers import heed_stop, raise_in, settle, stopped_by_user

TRIED = 3  # meetings that are played twice, to see whether they come out the same
TRIALS = 16
"""Seeds of a meeting that must agree before its places are called unequal; chance fools at most one in 4**16."""
ROUNDING = (
    1e-9  # by how much winnings that should cancel may differ, relative to the largest result seen
)
SMALLEST_DIFFERENCE = 1e-12
"""A smaller difference is rounding, whatever was seen: a draw computed by matrix products is 1e-17 or so, not 0."""
LONGEST_LOOK = 1.0  # seconds after which a meeting under way is looked at


@dataclass(frozen=True, eq=False)
class Contest:
    """A game for two, given as a function.

    Parameters
    ----------
    play : callable
        `play(a, b, seed)` says what `a` wins from `b`: a finite number, the same for the same seed, 0 to
        2**62. A compiled function (`numba.njit`) meets in compiled loops.
    name : str
        What it is called.
    unit : Unit
        What is won, such as `pokerlab.core.POINTS`.
    symmetric : bool
        Whether it makes no difference who is `a`. If it does, every meeting is played in both places, and half
        of the difference counts: so what one wins the other loses in any case. If it does not, one meeting
        counts for both, and `play(b, a, seed)` should be `-play(a, b, seed)`, or as likely to be: what is
        certain is checked by the first meetings, while chance that favors a place cannot be told from luck.
    seconds : float
        How long a meeting may last where the user cannot stop it: with workers, on a cluster, in a bench. Then
        an error names it, and a function in Python is ended; a compiled one goes on until Python ends.
    """

    play: Callable[[Any, Any, int], float]
    name: str
    unit: Unit
    symmetric: bool = True
    seconds: float = 600.0

    def __post_init__(self) -> None:
        if not callable(self.play):
            raise SettingError(
                f"play is {in_short(self.play)}; give a function of two strategies and a seed that says what the"
                " first wins."
            )
        if not isinstance(self.unit, Unit):
            raise SettingError(
                f"unit is {in_short(self.unit)}; give one, such as pokerlab.core.POINTS."
            )
        check_kind("name", self.name, str, "what the contest is called, a text")
        switch("symmetric", self.symmetric)
        number("seconds", self.seconds, 0.001)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the unit, and the code of `play` with the functions of its own that it calls."""
        parts = (self.name, self.unit.name, self.symmetric, text_of(self.play, []))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def won(self, these: Any, those: Any, first: Ints, second: Ints, seeds: Ints) -> Floats:
        """Return what `these[first[k]]` wins from `those[second[k]]` with `seeds[k]`, for each meeting k.

        Raises
        ------
        GameError
            If `play` raises, or says something other than a finite number; it names the meeting.
        """
        won = self.played(these, those, first, second, seeds)
        if not self.symmetric:
            won = (won - self.played(those, these, second, first, seeds)) / 2.0
        return won

    def played(self, these: Any, those: Any, first: Ints, second: Ints, seeds: Ints) -> Floats:
        """Return what `play` says of each meeting, with the first strategy in the first place."""
        out = np.full(len(seeds), np.nan)
        given: tuple[Any, ...] = (these, those, first, second, seeds, out)
        if not is_compiled(self.play):
            given = (list(these), list(those), *(one.tolist() for one in given[2:5]), out)
        if stopped_by_user():
            self.loop(*given)
        else:
            self.watch(given)
        if not np.isfinite(out).all():
            k = int(np.argmin(np.isfinite(out)))
            raise GameError(self.misread(first[k], second[k], seeds[k], f"{out[k]}"))
        return out

    @cached_property
    def loop(self) -> Callable[..., None]:
        """Plays meetings one after the other: in compiled code, or in Python."""
        if is_compiled(self.play):
            return compiled_loop(self.play)
        return partial(python_loop, self)

    def watch(self, given: tuple[Any, ...]) -> None:
        """Play in a thread of its own; name the meeting in which it is stopped or lasts too long."""
        these, those, first, second, seeds, out = given
        # No meetings: compiled before time counts.
        self.loop(these, those, first[:0], second[:0], seeds[:0], out[:0])
        ended: Future[None] = Future()
        thread = Thread(target=settle, args=(ended, partial(self.loop, *given)), daemon=True)
        k, since = 0, monotonic()
        try:
            thread.start()
            while not wait([ended], min(LONGEST_LOOK, self.seconds / 4)).done:
                heed_stop()
                now = int(np.argmax(np.isnan(out)))
                if now != k:
                    k, since = now, monotonic()
                elif monotonic() - since > self.seconds:
                    self.end(thread)
                    raise GameError(
                        f"{self.name}: strategies {first[k]} and {second[k]} have met for more than {self.seconds:g}"
                        f" seconds, with seed {seeds[k]}. If that is no endless loop, give the contest more seconds=."
                    )
        except KeyboardInterrupt as stop:
            self.end(thread)
            k = int(np.argmax(np.isnan(out)))
            stop.add_note(self.stopped(first[k], second[k], seeds[k]))
            raise
        ended.result()

    def end(self, thread: Thread) -> None:
        """End a thread that plays, if it runs Python."""
        if not is_compiled(self.play):
            raise_in(thread, SystemExit)

    def misread(self, one: int, other: int, seed: int, answer: str) -> str:
        """Return words on a meeting of which `play` gave an answer that is not a finite number."""
        return (
            f"{self.name}: play says that strategy {one} wins {answer} from strategy {other} with seed {seed};"
            " it must be a finite number."
        )

    def stopped(self, one: int, other: int, seed: int) -> str:
        """Return words on the meeting in which the user stopped."""
        return f"{self.name} was stopped while strategies {one} and {other} met, with seed {seed}."

    def check(self, these: Any, those: Any, first: Ints, second: Ints, seeds: Ints) -> None:
        """Raise if `play` is not repeatable, or favors a place in a contest that is called symmetric.

        The first few meetings of two different strategies are played again. A strategy that plays against itself
        shows nothing: what it wins from itself is rounding.

        Raises
        ------
        GameError
            If a meeting has another result the second time, or if exchanging the places changes it for all seeds.
        """
        if "tried" in vars(self):
            return
        unlike = (
            k for k in range(len(seeds)) if not np.array_equal(these[first[k]], those[second[k]])
        )
        differ = list(islice(unlike, TRIED))
        if not differ:
            return
        one, other, with_seed = (each[differ] for each in (first, second, seeds))
        once, again = (self.played(these, those, one, other, with_seed) for _ in range(2))
        for k in np.flatnonzero(once != again)[:1]:
            raise GameError(
                f"{self.name}: strategies {one[k]} and {other[k]} met twice with seed {with_seed[k]}, and the first"
                f" won {once[k]:g} and then {again[k]:g}. Draw all chance from the seed, such as by"
                " np.random.default_rng(seed)."
            )
        if self.symmetric:
            back = self.played(those, these, other, one, with_seed)
            largest = np.abs([once, back]).max()
            unequal = np.abs(once + back) > max(ROUNDING * largest, SMALLEST_DIFFERENCE)
            for k in np.flatnonzero(unequal)[:1]:
                self.check_places(these, those, one[k : k + 1], other[k : k + 1], once[k], back[k])
        vars(self)["tried"] = True

    def check_places(
        self, these: Any, those: Any, one: Ints, other: Ints, ahead: float, back: float
    ) -> None:
        """Refuse a meeting that comes out the same with all seeds, and otherwise when places are exchanged."""
        for seed in stream(0, "places").integers(0, 2**62, (TRIALS, 1)):
            here = self.played(these, those, one, other, seed)
            if here != ahead or self.played(those, these, other, one, seed) != back:
                return
        raise GameError(
            f"{self.name}: strategy {one[0]} wins {ahead:g} from {other[0]}, which wins {back:g} when it is first, with"
            " any seed. Give symmetric=False, and both places are played; or let play(b, a, seed) be"
            " -play(a, b, seed)."
        )

    def __repr__(self) -> str:
        return f"<contest {self.name}>"


def python_loop(
    contest: Contest,
    these: Sequence[Any],
    those: Sequence[Any],
    first: list[int],
    second: list[int],
    seeds: list[int],
    out: Floats,
) -> None:
    """Write what `play` says of each meeting; an error or an interrupt names the meeting."""
    play, k = contest.play, 0
    try:
        for k, (one, other, seed) in enumerate(zip(first, second, seeds, strict=True)):
            try:
                answer = play(these[one], those[other], seed)
            except Exception as error:
                raise GameError(
                    f"{contest.name}: play of strategies {one} and {other} with seed {seed} ended with"
                    f" {type(error).__name__}: {error}"
                ) from error
            if not is_one_number(answer):
                raise GameError(contest.misread(one, other, seed, in_short(answer)))
            out[k] = answer
    except KeyboardInterrupt as stop:
        stop.add_note(contest.stopped(first[k], second[k], seeds[k]))
        raise


def compiled_loop(play: Any) -> Callable[..., None]:
    """Return the loop over meetings with `play` compiled into it."""

    def loop(these: Any, those: Any, first: Ints, second: Ints, seeds: Ints, out: Floats) -> None:
        for k in range(seeds.size):
            out[k] = play(these[first[k]], those[second[k]], seeds[k])

    return compile_without_cache(loop)  # type: ignore[no-any-return]


def text_of(function: Any, seen: list[Any]) -> str:
    """Return a text that differs where a function differs, or another one of its own module that it calls."""
    if isinstance(function, partial):
        given = [value_text(value) for value in (*function.args, *function.keywords.items())]
        return f"{text_of(function.func, seen)} {given}"
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType):
        return value_text(plain)
    if plain in seen:
        return plain.__qualname__
    seen.append(plain)
    lines = [code_text(plain), value_text(plain.__defaults__)]
    for name, value in referred(plain):
        inner = getattr(value, "py_func", value)
        own = isinstance(inner, FunctionType) and inner.__module__ == plain.__module__
        lines.append(f"{name}: {text_of(inner, seen) if own else value_text(value)}")
    return "\n".join(lines)


def value_text(value: Any) -> str:
    """Return a value as a text that is the same in every process: its address, if it shows one, is left out."""
    if is_compiled(value):
        return name_of(value.py_func)
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
        return f"{value.dtype} {value.shape} {content}"
    if isinstance(value, (bool, int, float, str, bytes, np.generic, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"{type(value).__name__} {[value_text(part) for part in value]}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    if isinstance(value, (ModuleType, BuiltinFunctionType, np.ufunc)):
        return value.__name__
    return f"{type(value).__qualname__} {re.sub(' at 0x[0-9a-f]+', '', repr(value))}"
