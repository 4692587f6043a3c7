"""A contest: the smallest game, of which nothing is known but what one strategy wins from another."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType
from typing import Any

import numpy as np

from pokerlab.core import GameError, SettingError, Unit
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import code_text, described, is_compiled, kernel, referred
from pokerlab.core.settings import switch

TRIED = 3
"""Meetings that are played twice, to see whether they come out the same."""


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
        of the difference counts: so what one wins the other loses in any case.
    """

    play: Callable[[Any, Any, int], float]
    name: str
    unit: Unit
    symmetric: bool = True

    def __post_init__(self) -> None:
        if not callable(self.play):
            raise SettingError(
                f"play is {self.play!r}; give a function of two strategies and a seed that says what the first"
                " wins."
            )
        if not isinstance(self.unit, Unit):
            raise SettingError(f"unit is {self.unit!r}; give one, such as pokerlab.core.POINTS.")
        switch("symmetric", self.symmetric)

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
        out = np.empty(len(seeds))
        if is_compiled(self.play):
            self.loop(these, those, first, second, seeds, out)
        else:
            self.loop(
                list(these), list(those), first.tolist(), second.tolist(), seeds.tolist(), out
            )
        if not np.isfinite(out).all():
            k = int(np.argmin(np.isfinite(out)))
            raise GameError(
                f"{self.name}: play says that strategy {first[k]} wins {out[k]} from strategy {second[k]} with seed"
                f" {seeds[k]}; it must be a finite number."
            )
        return out

    @cached_property
    def loop(self) -> Callable[..., None]:
        """Plays meetings one after the other: in compiled code, or in Python."""
        if is_compiled(self.play):
            return compiled_loop(self.play)
        return partial(python_loop, self)

    def check_repeatable(self, strategies: Any, first: Ints, second: Ints, seeds: Ints) -> None:
        """Refuse a `play` that says something else the second time, by the first few of some meetings."""
        few = slice(TRIED)
        once, again = (
            self.played(strategies, strategies, first[few], second[few], seeds[few])
            for _ in range(2)
        )
        for k in np.flatnonzero(once != again)[:1]:
            raise GameError(
                f"{self.name}: strategies {first[k]} and {second[k]} met twice with seed {seeds[k]}, and the first won"
                f" {once[k]:g} and then {again[k]:g}. Draw all chance from the seed, such as by"
                " np.random.default_rng(seed)."
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
            out[k] = play(these[one], those[other], seed)
    except KeyboardInterrupt as stop:
        stop.add_note(
            f"{contest.name} was stopped while strategies {first[k]} and {second[k]} met, with seed {seeds[k]}."
        )
        raise
    except Exception as error:
        raise GameError(
            f"{contest.name}: play of strategies {first[k]} and {second[k]} with seed {seeds[k]} ended with"
            f" {type(error).__name__}: {error}"
        ) from error


def compiled_loop(play: Any) -> Callable[..., None]:
    """Return the loop over meetings with `play` compiled into it."""

    def loop(these: Any, those: Any, first: Ints, second: Ints, seeds: Ints, out: Floats) -> None:
        for k in range(seeds.size):
            out[k] = play(these[first[k]], those[second[k]], seeds[k])

    return kernel(loop)


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
    try:
        return described(value)
    except TypeError:
        return f"{type(value).__qualname__} {re.sub(' at 0x[0-9a-f]+', '', repr(value))}"
