"""Players at a table: compiled ones, Python functions, and some that play by rote.

A compiled player is a kernel that answers for many tables at once,

    answer(views, asked, parameters, luck, out_actions)

which for each row in `asked`, a table, reads `views[row]` (see `pokerlab.holdem.table_view`), the
numbers of the player at `parameters[views[row, at.PARAMETERS]]` and the random number `luck[row]`, and
writes its action to `out_actions[row]`. Players with one kernel, such as a population of networks,
are asked in one call. A Python function gets a `SeatView` and returns the action.

Who remembers opponents keeps arrays by row, has them filled by a watcher (see
`pokerlab.holdem.cash_game`), and gives the kernel to them in a method of this signature; a row
whose `views[row, at.MATCH]` has changed has other opponents.

How much a small, a medium and a large bet is, follows Nicolai's thesis (GET BET AMOUNT, [1]_ fig. 4.7). A share of
the chips that can be lost is drawn, and cut to what is allowed. A small bet is 0 to 6 % of them, and three times in
ten more; a medium one 10 to 20 %, and now and then less or more; a large one about 30 % or more, up to all.

How to read it. `drawn_share` has the law and its eleven constants (table 4.9); one random number says which
part of the law and where in it, with `deviations`, a table of the normal distribution's quantiles: logarithms
differ in their last digit between processors. `drawn_bet` makes the share an action.

References
----------
.. [1] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis, University of
   Regina, 2008, section 4.1.5. Its sequel (ICEC 2010, table 3) prints the same constants.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import IllegalActionError, Ints, SettingError, ShapeError, inlined, kernel
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.table_view import Luck, SeatView, Tables

SMALL, MEDIUM, LARGE, NUM_SIZES = range(4)  # sizes of bets

SMALL_WITHIN, SMALL_TO = 0.70, 0.06
MEDIUM_WITHIN, MEDIUM_BELOW, MEDIUM_FROM, MEDIUM_TO = 0.60, 0.10, 0.10, 0.20
LARGE_ABOVE, LARGE_FROM = 0.95, 0.30
"""Probabilities of the parts of the law, and where they begin and end."""
SPREAD_SMALL = 0.342
"""Standard deviation above a small bet, by eq. 4.9 as it is printed: 2 (0.3) / (0.7 sqrt(2 pi))."""
SPREAD_SMALL_CONTINUOUS = 0.0205
"""With the width 0.06 that eq. 4.9 lacks: then the density has no step there."""
SPREAD_BELOW, SPREAD_ABOVE = 0.0133, 0.0399  # below and above a medium bet, by eqs. 4.10 and 4.11
SPREAD_LARGE, SPREAD_LARGE_BELOW = 0.432, 0.0227
"""Of a large bet; not printed: one in ten goes all in, and the density has no step (ours)."""

INTERVALS = 1024
FARTHEST = 5.0  # no deviate of the table is larger
DEVIATIONS = np.array(
    [*(NormalDist().inv_cdf((1 + k / INTERVALS) / 2) for k in range(INTERVALS)), FARTHEST]
).round(9)
"""Absolute values of normal deviates, by their rank from 0 to 1."""


@inlined
def deviation(luck: float) -> float:
    """Return the absolute value of a normal deviate: the quantile at `luck`, 0 to 1, read off the table."""
    place = min(max(luck, 0.0), 1.0) * INTERVALS
    below = min(int(place), INTERVALS - 1)
    part = place - below
    return float(DEVIATIONS[below] * (1.0 - part) + DEVIATIONS[below + 1] * part)


@inlined
def drawn_share(size: int, luck: float, spread_small: float) -> float:
    """Return the share that is bet; it may lie below 0 or above 1, and is cut elsewhere."""
    if size == SMALL:
        if luck < SMALL_WITHIN:
            return SMALL_TO * luck / SMALL_WITHIN
        return SMALL_TO + spread_small * deviation((luck - SMALL_WITHIN) / (1.0 - SMALL_WITHIN))
    if size == MEDIUM:
        if luck < MEDIUM_WITHIN:
            return MEDIUM_FROM + (MEDIUM_TO - MEDIUM_FROM) * luck / MEDIUM_WITHIN
        rest = luck - MEDIUM_WITHIN
        if rest < MEDIUM_BELOW:
            return MEDIUM_FROM - SPREAD_BELOW * deviation(rest / MEDIUM_BELOW)
        above = 1.0 - MEDIUM_WITHIN - MEDIUM_BELOW
        return MEDIUM_TO + SPREAD_ABOVE * deviation((rest - MEDIUM_BELOW) / above)
    if luck < LARGE_ABOVE:
        return LARGE_FROM + SPREAD_LARGE * deviation(luck / LARGE_ABOVE)
    return LARGE_FROM - SPREAD_LARGE_BELOW * deviation((luck - LARGE_ABOVE) / (1.0 - LARGE_ABOVE))


@inlined
def drawn_bet(view: Ints, size: int, luck: float, continuous: bool) -> int:
    """Return the action of a bet: CALL, or the chips to raise to.

    The share is of the own chips, or of the largest stack against them if that is smaller. What comes out is at least
    the price of a call, or a big blind where nothing is owed, and chips that the player has: who bets no more than
    the price calls. Where it is more, but less than the least raise, it is that raise: the thesis has no least raise.
    """
    if view[at.MIN_RAISE_TO] == 0:
        return CALL
    seat, most = view[at.SEAT], 0
    for other in range(view[at.SEATS]):
        if other != seat and view[at.LIVE + other] != 0:
            most = max(most, view[at.STACKS + other] + view[at.BETS + other])
    owed = view[at.TO_CALL]
    most = min(view[at.STACKS + seat], most - view[at.BETS + seat])
    least = owed if owed > 0 else view[at.BIG_BLIND]
    share = drawn_share(size, luck, SPREAD_SMALL_CONTINUOUS if continuous else SPREAD_SMALL)
    put_in = min(max(int(share * most), least), most)
    if put_in <= owed:
        return CALL
    to = view[at.BETS + seat] + put_in
    return int(min(max(to, view[at.MIN_RAISE_TO]), view[at.MAX_RAISE_TO]))


Rows: TypeAlias = NDArray[np.intp]
CALLS, FOLDS, RAISES, DRAWS, CALLS_OR_RAISES = range(5)  # what a player by rote does
ANY_AMOUNT, LEAST, UP_TO_THREE_TIMES, ALL_IN, DRAWN, DRAWN_CONTINUOUS = range(6)
AMOUNTS = (
    *("any amount", "the least", "up to three times the least", "all-in"),
    *("a drawn bet", "a drawn bet, continuous"),
)
"""By how much a player by rote raises: the names of the numbers above."""


@dataclass(frozen=True, eq=False)
class CompiledPlayer:
    """A player whose decisions are a kernel's."""

    answer: Callable[[Ints, Rows, Any, Luck, Luck], None]  # the kernel: see the module
    parameters: NDArray[Any]  # a genome, weights; of one shape and type for one kernel
    name: str = "compiled"  # what results and errors call it


def compiled_players(
    answer: Any, rows: Iterable[Any], names: Sequence[str] | None, *, word: str, made_of: str
) -> list[CompiledPlayer]:
    """Return a player of one kernel for each row of parameters; without names, called `word` and a number."""
    numbers = list(rows)
    called = [f"{word} {k}" for k in range(len(numbers))] if names is None else [*names]
    if len(called) != len(numbers):
        raise ShapeError(
            f"{len(called)} names are given for {len(numbers)} {made_of}; give one each."
        )
    return [CompiledPlayer(answer, own, name) for own, name in zip(numbers, called, strict=True)]


@dataclass(frozen=True, eq=False)
class PythonPlayer:
    """A player whose decisions are a Python function's: given a `SeatView`, FOLD, CALL, or the chips to raise to."""

    decide: Callable[[SeatView], int]
    name: str = "function"  # what results and errors call it


Player: TypeAlias = CompiledPlayer | PythonPlayer | Callable[[SeatView], int]


def named(player: Player, number: int) -> CompiledPlayer | PythonPlayer:
    """Return a player as it is, and a function as the player that it is."""
    if isinstance(player, CompiledPlayer | PythonPlayer):
        return player
    if not callable(player):
        raise SettingError(
            f"player {number} is {player!r}; give a function of a SeatView, a player such as"
            " holdem.ALWAYS_CALL, or a kernel and its numbers as CompiledPlayer(kernel, parameters)."
        )
    return PythonPlayer(player, getattr(player, "__name__", "function"))


class Company:
    """All players of a table or of many, by their places; those who share a kernel are asked together."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = tuple(named(player, number) for number, player in enumerate(players))
        self.parameters_of = np.zeros(len(players), np.int64)
        self._group_of = np.full(len(players), -1)
        kernels: list[Any] = []
        members: list[list[NDArray[Any]]] = []
        for number, player in enumerate(self.players):
            if isinstance(player, PythonPlayer):
                continue
            if player.answer not in kernels:
                kernels.append(player.answer)
                members.append([])
            group = kernels.index(player.answer)
            self._group_of[number] = group
            self.parameters_of[number] = len(members[group])
            members[group].append(self._matching(player, number, members[group]))
        self._groups = [
            (answer, np.stack(own)) for answer, own in zip(kernels, members, strict=True)
        ]
        self._is_one_group = not self._group_of.any()

    def __len__(self) -> int:
        return len(self.players)

    def act(self, tables: Tables, asked: Rows) -> None:
        """Ask the players at the rows `asked`, and write their answers into `tables.actions`."""
        if self._is_one_group:
            ((answer, parameters),) = self._groups
            answer(tables.views, asked, parameters, tables.luck, tables.actions)
            return
        group_of = self._group_of[tables.views[asked, at.PLAYER]]
        for group, (answer, parameters) in enumerate(self._groups):
            rows = asked[group_of == group]
            if rows.size:
                answer(tables.views, rows, parameters, tables.luck, tables.actions)
        for row in asked[group_of < 0]:
            tables.actions[row] = self._answer_of(tables.views[row].copy(), float(tables.luck[row]))

    def refusal(self, view: Ints, answer: object) -> IllegalActionError:
        """Return the error for an answer that is no legal action."""
        seen = SeatView(view, 0.0)
        number = int(view[at.PLAYER])
        if isinstance(answer, Real) and float(answer).is_integer():
            wrong = seen.legal.objection(int(float(answer)))
        else:
            wrong = f"{answer} is not an action; actions are whole numbers"
        return IllegalActionError(
            f"player {number} ('{self.players[number].name}') in seat {seen.seat}, hand {seen.hand} of match"
            f" {int(view[at.MATCH])}, {STREETS[seen.street]}: {wrong}. Legal: {seen.legal}."
        )

    def _answer_of(self, view: Ints, luck: float) -> float:
        """Return what a Python player answers, as a number."""
        number = int(view[at.PLAYER])
        player = self.players[number]
        assert isinstance(player, PythonPlayer)
        seen = SeatView(view, luck)
        try:
            answer: object = player.decide(seen)
        except Exception as error:
            error.add_note(f"raised by player {number} ('{player.name}'): {seen}")
            raise
        if isinstance(answer, bool | np.bool_) or not isinstance(answer, Real):
            raise self.refusal(view, repr(answer))
        try:
            return float(answer)
        except OverflowError:
            raise self.refusal(view, "a number beyond all chips") from None

    @staticmethod
    def _matching(player: CompiledPlayer, number: int, others: list[NDArray[Any]]) -> NDArray[Any]:
        """Return the player's parameters, once they fit those of the `others`."""
        own = np.asarray(player.parameters, order="C")
        if others and (own.shape, own.dtype) != (others[0].shape, others[0].dtype):
            raise SettingError(
                f"player {number} ('{player.name}') has parameters of shape {own.shape}, type"
                f" {own.dtype}; others of its kernel have {others[0].shape}, {others[0].dtype}."
            )
        return own


@inlined
def random_action(can_fold: bool, least: int, most: int, luck: float) -> int:
    """Return one of call, fold and raise with equal chance, and with it any amount."""
    if least == 0:
        return FOLD if can_fold and luck >= 0.5 else CALL
    if not can_fold:
        if luck < 0.5:
            return CALL
        place = 2.0 * luck - 1.0
    else:
        place = 3.0 * luck
        if place < 2.0:
            return CALL if place < 1.0 else FOLD
        place -= 2.0
    return least + int(place * (most - least + 1))


@kernel
def by_rote(views: Ints, asked: Rows, parameters: Ints, luck: Luck, out_actions: Luck) -> None:
    """Answer for players that look at nothing but what is legal."""
    for row in asked:
        own = parameters[views[row, at.PARAMETERS]]
        if own[1] >= DRAWN:
            out_actions[row] = with_drawn_bets(views[row], own[0], own[1], luck[row])
            continue
        script, can_fold = own[0], views[row, at.CAN_FOLD] != 0
        least, most = drawn_between(views[row], own[1])
        if script == DRAWS:
            out_actions[row] = random_action(can_fold, least, most, luck[row])
        elif script == CALLS_OR_RAISES:
            out_actions[row] = random_action(False, least, most, luck[row])
        elif script == RAISES and least > 0:
            out_actions[row] = least + int(luck[row] * (most - least + 1))
        elif script == FOLDS and can_fold:
            out_actions[row] = FOLD
        else:
            out_actions[row] = CALL


@inlined
def with_drawn_bets(view: Ints, script: int, amount: int, luck: float) -> int:
    """Return the action of a script whose bets are small, medium or large with equal chance.

    Who draws to fold where it may not checks.
    """
    if script == FOLDS:
        return FOLD if view[at.CAN_FOLD] != 0 else CALL
    if script == CALLS:
        return CALL
    if script == CALLS_OR_RAISES:
        luck = 2.0 * luck - 1.0
    elif script == DRAWS:
        luck = 3.0 * luck - 2.0
        if luck < -1.0 and view[at.CAN_FOLD] != 0:
            return FOLD
    if luck < 0.0:
        return CALL
    size = min(int(luck * NUM_SIZES), NUM_SIZES - 1)
    return int(drawn_bet(view, size, luck * NUM_SIZES - size, amount == DRAWN_CONTINUOUS))


@inlined
def drawn_between(view: Ints, amount: int) -> tuple[int, int]:
    """Return the least and the most that is raised to, for one of the amounts; 0 if no raise is legal."""
    least, most = view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    if amount == ALL_IN:
        return most, most
    if amount == LEAST or least == 0:
        return least, least
    if amount == UP_TO_THREE_TIMES:
        return least, min(most, view[at.BET] + 3 * (least - view[at.BET]))
    return least, most


def rote(script: int, amount: int = ANY_AMOUNT, *, name: str) -> CompiledPlayer:
    """Return a player that looks at nothing but what is legal; `script` and `amount` (of `AMOUNTS`) are numbers above.

    Who may not raise calls, but `DRAWS` (folds, calls and raises with equal chance) then folds and calls with equal
    chance; who may not fold checks. Every amount in the range is equally likely; one to three times the least raise
    goes no further than all-in. Drawn bets are small, medium or large with equal chance (see `drawn_bet`).
    """
    return CompiledPlayer(by_rote, np.array([script, amount]), name)


ALWAYS_CALL = rote(CALLS, name="always call")  # calls, and checks where nothing is owed
ALWAYS_FOLD = rote(FOLDS, name="always fold")
"""Folds where it may: it checks where nothing is owed, unless the structure allows free folds."""
ALWAYS_RAISE = rote(RAISES, LEAST, name="always raise")
"""Bets and raises the least allowed, and calls where no raise is."""
RANDOM = rote(DRAWS, name="random")
"""Folds, calls and raises with equal chance where it may, to any amount with equal chance."""
RAISE_BY_ANY = rote(RAISES, name="raise by any amount")
"""Bets and raises where it may, to any amount with equal chance, and calls elsewhere."""
CALL_OR_RAISE = rote(CALLS_OR_RAISES, name="call or raise")
"""Calls and raises with equal chance where it may, to any amount with equal chance; never folds."""
