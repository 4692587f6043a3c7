"""Players at a table: compiled kernels, Python functions, and scripted players that depend only on what is legal.

A compiled player has a kernel, its decision function, that decides at many tables in one call:

    decision_function(views, rows_to_act, parameters, uniforms, out_actions)

`rows_to_act` has the rows of the tables at which a seat is to act. For each row the kernel reads what the seat sees,
`views[row]` (see `pokerlab.holdem.table_view`), the player's numbers `parameters[views[row, at.PARAMETERS]]`, and a
random number in [0, 1), `uniforms[row]`. It writes the action to `out_actions[row]`. All players with the same kernel,
such as a population of networks, are asked in one call. A Python function gets a `SeatView` and returns the action.

A player that remembers its opponents needs arrays with an entry for each row, which a watcher fills (see
`RingGame.play`). Its decision function is then a method with this signature that passes these arrays to a kernel. When
`views[row, at.MATCH]` changes, other opponents sit in that row.

Small, medium and large bets have the sizes of Nicolai's thesis (GET BET AMOUNT, [1]_ fig. 4.7). A share of the chips
that can be lost is drawn, and the bet is clipped to the allowed range. A small bet is 0 to 6 % of these chips, but more
with probability 0.3. A medium bet is 10 to 20 %, and sometimes less or more. A large bet is about 30 % or more, up to
all chips. `draw_bet_share` draws from this distribution, which has eleven constants (table 4.9) and consists of uniform
pieces in the middle and half-normal pieces beyond them. One random number decides both the piece and the place in it.
Quantiles of the normal distribution are interpolated in a table, because the last digit of computed logarithms differs
between processors. `draw_bet_action` converts the share to an action.

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

from pokerlab.core import (
    Floats,
    IllegalActionError,
    Ints,
    SettingError,
    ShapeError,
    inlined,
    kernel,
)
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.table_view import SeatView, Tables

SMALL, MEDIUM, LARGE, NUM_SIZES = range(4)  # sizes of bets

SMALL_WITHIN, SMALL_TO = 0.70, 0.06
MEDIUM_WITHIN, MEDIUM_BELOW, MEDIUM_FROM, MEDIUM_TO = 0.60, 0.10, 0.10, 0.20
LARGE_ABOVE, LARGE_FROM = 0.95, 0.30
"""The probabilities of the pieces of the distribution, and the shares at which the pieces begin and end."""
SPREAD_SMALL = 0.342
"""The standard deviation of the piece above a small bet, by eq. 4.9 as printed: 2 (0.3) / (0.7 sqrt(2 pi))."""
SPREAD_SMALL_CONTINUOUS = 0.0205
"""The same with the factor 0.06 that eq. 4.9 lacks. With it the density is continuous."""
SPREAD_BELOW, SPREAD_ABOVE = 0.0133, 0.0399  # below and above a medium bet, by eqs. 4.10 and 4.11
SPREAD_LARGE, SPREAD_LARGE_BELOW = 0.432, 0.0227
"""The standard deviations above and below a large bet. The thesis does not print them; with our values one large bet in
ten is all-in, and the density is continuous."""

INTERVALS = 1024
LARGEST_DEVIATE = 5.0  # the last number of the table, in place of infinity
NORMAL_QUANTILES = np.array(
    [*(NormalDist().inv_cdf((1 + k / INTERVALS) / 2) for k in range(INTERVALS)), LARGEST_DEVIATE]
).round(9)
"""The quantiles of the absolute value of a standard normal variable, at INTERVALS + 1 ranks from 0 to 1."""


@inlined
def interpolate_half_normal_quantile(rank: float) -> float:
    """Return a quantile of the absolute value of a standard normal variable, interpolated in NORMAL_QUANTILES.

    `rank`, the probability of smaller values, is clipped to the range from 0 to 1.
    """
    position = min(max(rank, 0.0), 1.0) * INTERVALS
    below = min(int(position), INTERVALS - 1)
    fraction = position - below
    return float(
        NORMAL_QUANTILES[below] * (1.0 - fraction) + NORMAL_QUANTILES[below + 1] * fraction
    )


@inlined
def draw_bet_share(size: int, uniform: float, spread_small: float) -> float:
    """Return a random share of the chips for a small, medium or large bet (Nicolai 2008, tables 4.9 to 4.11).

    Each distribution has two or three pieces: a uniform one, and half-normal ones below or above it. The interval from
    0 to 1 is divided among the pieces by their probabilities. `uniform` chooses the piece, and its position within the
    part of that piece chooses the share. The share may be below 0 or above 1. `draw_bet_action` clips the bet.

    Parameters
    ----------
    size : int
        SMALL, MEDIUM or LARGE.
    uniform : float
        A random number in [0, 1), which determines the share.
    spread_small : float
        The standard deviation of the half-normal piece above a small bet.
    """
    if size == SMALL:
        if uniform < SMALL_WITHIN:
            return SMALL_TO * uniform / SMALL_WITHIN
        rank = (uniform - SMALL_WITHIN) / (1.0 - SMALL_WITHIN)
        return SMALL_TO + spread_small * interpolate_half_normal_quantile(rank)

    if size == MEDIUM:
        if uniform < MEDIUM_WITHIN:
            return MEDIUM_FROM + (MEDIUM_TO - MEDIUM_FROM) * uniform / MEDIUM_WITHIN
        rest = uniform - MEDIUM_WITHIN
        if rest < MEDIUM_BELOW:
            rank = rest / MEDIUM_BELOW
            return MEDIUM_FROM - SPREAD_BELOW * interpolate_half_normal_quantile(rank)
        probability_above = 1.0 - MEDIUM_WITHIN - MEDIUM_BELOW
        rank = (rest - MEDIUM_BELOW) / probability_above
        return MEDIUM_TO + SPREAD_ABOVE * interpolate_half_normal_quantile(rank)

    if uniform < LARGE_ABOVE:
        rank = uniform / LARGE_ABOVE
        return LARGE_FROM + SPREAD_LARGE * interpolate_half_normal_quantile(rank)
    rank = (uniform - LARGE_ABOVE) / (1.0 - LARGE_ABOVE)
    return LARGE_FROM - SPREAD_LARGE_BELOW * interpolate_half_normal_quantile(rank)


@inlined
def draw_bet_action(view: Ints, size: int, uniform: float, continuous: bool) -> int:
    """Return the action for a small, medium or large bet of random size: CALL, or the chips to raise to.

    The bet is a random share of the player's chips, or of the chips that some live opponent can match if these are
    fewer. It is at least the cost of a call, or a big blind if nothing is owed. A bet that is not larger than the cost
    of a call is a call. A bet between a call and the least legal raise becomes that raise, because the thesis has no
    least raise. If no raise is legal, the action is a call.

    Parameters
    ----------
    view : ndarray of int64
        What the player sees.
    size : int
        SMALL, MEDIUM or LARGE.
    uniform : float
        A random number in [0, 1), which determines the share.
    continuous : bool
        Whether the distribution of small bets has a continuous density (SPREAD_SMALL_CONTINUOUS).
    """
    if view[at.MIN_RAISE_TO] == 0:
        return CALL

    # The chips that can be lost: the own stack, or as much as some live opponent can match.
    seat = view[at.SEAT]
    most_of_opponents = 0
    for other in range(view[at.SEATS]):
        is_live_opponent = other != seat and view[at.LIVE + other] != 0
        if is_live_opponent:
            all_in = view[at.STACKS + other] + view[at.BETS + other]
            most_of_opponents = max(most_of_opponents, all_in)
    own_bet = view[at.BETS + seat]
    most = min(view[at.STACKS + seat], most_of_opponents - own_bet)

    owed = view[at.TO_CALL]
    least = owed if owed > 0 else view[at.BIG_BLIND]
    share = draw_bet_share(size, uniform, SPREAD_SMALL_CONTINUOUS if continuous else SPREAD_SMALL)
    chips = min(max(int(share * most), least), most)
    if chips <= owed:
        return CALL
    raise_to = own_bet + chips
    return int(min(max(raise_to, view[at.MIN_RAISE_TO]), view[at.MAX_RAISE_TO]))


Rows: TypeAlias = NDArray[np.intp]
# What a scripted player does if it is legal.
SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_ANY, SCRIPT_CALLS_OR_RAISES = range(5)
ANY_AMOUNT, LEAST, UP_TO_THREE_TIMES, ALL_IN, SIZED_BET, SIZED_BET_CONTINUOUS = range(6)
RAISE_AMOUNTS = (
    *("any amount", "the least", "up to three times the least", "all-in"),
    *("a drawn bet", "a drawn bet, continuous"),
)
"""The names of the amounts of a scripted player's raises, in the order of the constants above."""


@reject_renamed_parameters
@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class CompiledPlayer:
    """A player whose decisions a kernel makes.

    Attributes
    ----------
    decision_function : callable
        The kernel, with the signature that is described at the beginning of this module.
    parameters : ndarray
        The player's numbers, such as a genome. All players of a kernel have parameters of the same shape and type.
    name : str
        The player's name in results and errors.
    """

    decision_function: Callable[[Ints, Rows, Any, Floats, Floats], None]
    parameters: NDArray[Any]
    name: str = "compiled"


def make_compiled_players(
    decision_function: Any,
    rows: Iterable[Any],
    names: Sequence[str] | None,
    *,
    name_prefix: str,
    rows_noun: str,
) -> list[CompiledPlayer]:
    """Return a player for each row of parameters, all with the same kernel.

    Parameters
    ----------
    decision_function : callable
        The kernel.
    rows : iterable of array_like
        The parameters of each player.
    names : sequence of str or None
        The name of each player. If None, the names are `name_prefix` followed by a number, from 0 on.
    name_prefix : str
        The first word of names that are not given.
    rows_noun : str
        What the rows are called in error messages, such as 'genomes'.

    Raises
    ------
    ShapeError
        If there is not one name for each player.
    """
    all_parameters = list(rows)
    if names is None:
        names = [f"{name_prefix} {number}" for number in range(len(all_parameters))]
    if len(names) != len(all_parameters):
        raise ShapeError(
            f"{len(names)} names are given for {len(all_parameters)} {rows_noun}; give one each."
        )
    return [
        CompiledPlayer(decision_function, parameters, name)
        for parameters, name in zip(all_parameters, names, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class PythonPlayer:
    """A player whose decisions a Python function makes.

    Attributes
    ----------
    decide : callable
        A function that takes a `SeatView` and returns FOLD, CALL, or the chips to raise to.
    name : str
        The player's name in results and errors.
    """

    decide: Callable[[SeatView], int]
    name: str = "function"


Player: TypeAlias = CompiledPlayer | PythonPlayer | Callable[[SeatView], int]


def validate_player(player: Player, number: int) -> CompiledPlayer | PythonPlayer:
    """Return a player unchanged, and a function as a `PythonPlayer`; raise SettingError for anything else.

    The error names the player by its index, `number`.
    """
    if isinstance(player, CompiledPlayer | PythonPlayer):
        return player
    if not callable(player):
        raise SettingError(
            f"player {number} is {player!r}; give a function of a SeatView, a player such as"
            " holdem.ALWAYS_CALL, or a kernel and its numbers as CompiledPlayer(kernel, parameters)."
        )
    return PythonPlayer(player, getattr(player, "__name__", "function"))


class Roster:
    """The players of one table or of many, grouped so that players with the same kernel are asked in one call.

    Parameters
    ----------
    players : sequence of Player
        All players. Line-ups refer to them by their indices in this sequence.

    Raises
    ------
    SettingError
        If an entry is not a player, or players with the same kernel have parameters of different shapes or types.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = tuple(
            validate_player(player, number) for number, player in enumerate(players)
        )
        # The index of each player's group, -1 for a Python player, and its row among the parameters of the group.
        self._group_of = np.full(len(players), -1)
        self.parameter_rows = np.zeros(len(players), np.int64)
        kernels: list[Any] = []
        parameters_by_group: list[list[NDArray[Any]]] = []
        for number, player in enumerate(self.players):
            if isinstance(player, PythonPlayer):
                continue
            if player.decision_function not in kernels:
                kernels.append(player.decision_function)
                parameters_by_group.append([])
            group = kernels.index(player.decision_function)
            earlier = parameters_by_group[group]
            self._group_of[number] = group
            self.parameter_rows[number] = len(earlier)
            earlier.append(self._validate_parameters(player, number, earlier))
        self._groups = [
            (kernel_of_group, np.stack(parameters))
            for kernel_of_group, parameters in zip(kernels, parameters_by_group, strict=True)
        ]
        self._is_one_group = not self._group_of.any()

    def __len__(self) -> int:
        return len(self.players)

    def ask_players(self, tables: Tables, rows_to_act: Rows) -> None:
        """Ask the seats that are to act for their actions, and write these to the tables.

        Players with the same kernel are asked in one call.

        Parameters
        ----------
        tables : Tables
            The tables. The entries of `tables.actions` are overwritten for the rows in `rows_to_act`.
        rows_to_act : ndarray of int
            The rows of the tables at which a seat is to act.
        """
        if self._is_one_group:
            ((write_actions, parameters),) = self._groups
            write_actions(tables.views, rows_to_act, parameters, tables.uniforms, tables.actions)
            return
        group_of_row = self._group_of[tables.views[rows_to_act, at.PLAYER]]
        for group, (write_actions, parameters) in enumerate(self._groups):
            rows = rows_to_act[group_of_row == group]
            if rows.size:
                write_actions(tables.views, rows, parameters, tables.uniforms, tables.actions)
        is_python_player = group_of_row < 0
        for row in rows_to_act[is_python_player]:
            view = tables.views[row].copy()
            tables.actions[row] = self._ask_function(view, float(tables.uniforms[row]))

    def make_refusal(self, view: Ints, action: object) -> IllegalActionError:
        """Return an error that explains why an action is not legal in a view, and lists the legal actions."""
        seen = SeatView(view, 0.0)
        number = int(view[at.PLAYER])
        if isinstance(action, Real) and float(action).is_integer():
            wrong = seen.legal.explain_refusal(int(float(action)))
        else:
            wrong = f"{action} is not an action; actions are whole numbers"
        return IllegalActionError(
            f"player {number} ('{self.players[number].name}') in seat {seen.seat}, hand {seen.hand} of match"
            f" {int(view[at.MATCH])}, {STREETS[seen.street]}: {wrong}. Legal: {seen.legal}."
        )

    def _ask_function(self, view: Ints, uniform: float) -> float:
        """Return the action of a Python player as a float, or raise IllegalActionError if it is not a number.

        An exception of the player's function is passed on, with a note about what the player saw.
        """
        number = int(view[at.PLAYER])
        player = self.players[number]
        assert isinstance(player, PythonPlayer)
        seen = SeatView(view, uniform)
        try:
            action: object = player.decide(seen)
        except Exception as error:
            error.add_note(f"raised by player {number} ('{player.name}'): {seen}")
            raise
        if isinstance(action, bool | np.bool_) or not isinstance(action, Real):
            raise self.make_refusal(view, repr(action))
        try:
            return float(action)
        except OverflowError:
            raise self.make_refusal(view, "a number beyond all chips") from None

    @staticmethod
    def _validate_parameters(
        player: CompiledPlayer, number: int, others: list[NDArray[Any]]
    ) -> NDArray[Any]:
        """Return a player's parameters as an array, or raise SettingError if `others` have another shape or type.

        `others` are the parameters of earlier players with the same kernel.
        """
        own = np.asarray(player.parameters, order="C")
        if others and (own.shape, own.dtype) != (others[0].shape, others[0].dtype):
            raise SettingError(
                f"player {number} ('{player.name}') has parameters of shape {own.shape}, type"
                f" {own.dtype}; others of its kernel have {others[0].shape}, {others[0].dtype}."
            )
        return own


@inlined
def choose_random_action(
    can_fold: bool, min_raise_to: int, max_raise_to: int, random_number: float
) -> int:
    """Return a random action: each of the legal ones of fold, call and raise with equal probability.

    A raise is to any total from `min_raise_to` to `max_raise_to` with equal probability.

    Parameters
    ----------
    can_fold : bool
        Whether a fold is legal.
    min_raise_to, max_raise_to : int
        The smallest and the largest total to which a raise is legal; `min_raise_to` is 0 if none is.
    random_number : float
        A random number in [0, 1), which determines both the action and the total.

    Returns
    -------
    int
        FOLD, CALL, or the chips to raise to.
    """
    if min_raise_to == 0:
        return FOLD if can_fold and random_number >= 0.5 else CALL

    # The interval from 0 to 1 is divided equally: call, fold (if legal), raise. The position within the last part,
    # again a number in [0, 1), determines the total.
    if can_fold:
        position = 3.0 * random_number
        if position < 2.0:
            return CALL if position < 1.0 else FOLD
        position -= 2.0
    else:
        if random_number < 0.5:
            return CALL
        position = 2.0 * random_number - 1.0
    return min_raise_to + int(position * (max_raise_to - min_raise_to + 1))


@kernel
def write_script_actions(
    views: Ints, rows_to_act: Rows, parameters: Ints, uniforms: Floats, out_actions: Floats
) -> None:
    """Write the actions of scripted players, which `make_scripted_player` makes with this kernel.

    Parameters
    ----------
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        The views of all tables.
    rows_to_act : ndarray of int
        The rows of the tables at which a scripted player is to act.
    parameters : ndarray of int64, shape (players, 2)
        The script of each player, and the index of its amount in RAISE_AMOUNTS.
    uniforms : ndarray of shape (tables,)
        The random number of each table, in [0, 1).
    out_actions : ndarray of shape (tables,)
        Overwritten at the rows `rows_to_act`.
    """
    for row in rows_to_act:
        script, amount = parameters[views[row, at.PARAMETERS]]
        if amount >= SIZED_BET:
            out_actions[row] = choose_sized_action(views[row], script, amount, uniforms[row])
            continue
        can_fold = views[row, at.CAN_FOLD] != 0
        least, most = find_raise_range(views[row], amount)
        if script == SCRIPT_ANY:
            out_actions[row] = choose_random_action(can_fold, least, most, uniforms[row])
        elif script == SCRIPT_CALLS_OR_RAISES:
            out_actions[row] = choose_random_action(False, least, most, uniforms[row])
        elif script == SCRIPT_RAISES and least > 0:
            out_actions[row] = least + int(uniforms[row] * (most - least + 1))
        elif script == SCRIPT_FOLDS and can_fold:
            out_actions[row] = FOLD
        else:
            out_actions[row] = CALL


@inlined
def choose_sized_action(view: Ints, script: int, amount: int, uniform: float) -> int:
    """Return the action of a script whose bets are small, medium or large with equal probability.

    A script that folds checks where a fold is not legal; a check is CALL with nothing to pay. `SCRIPT_ANY` folds, calls
    and raises with probability 1/3 each.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees.
    script : int
        SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_ANY or SCRIPT_CALLS_OR_RAISES.
    amount : int
        SIZED_BET or SIZED_BET_CONTINUOUS.
    uniform : float
        The random number of the decision, in [0, 1).
    """
    if script == SCRIPT_FOLDS:
        return FOLD if view[at.CAN_FOLD] != 0 else CALL
    if script == SCRIPT_CALLS:
        return CALL

    # Stretch the random number so that it is in [0, 1) exactly if the action is a raise.
    if script == SCRIPT_CALLS_OR_RAISES:
        uniform = 2.0 * uniform - 1.0
    elif script == SCRIPT_ANY:
        uniform = 3.0 * uniform - 2.0
        if uniform < -1.0 and view[at.CAN_FOLD] != 0:
            return FOLD
    if uniform < 0.0:
        return CALL

    # The same random number decides the size and, by what is left of it, the amount among bets of this size.
    size = min(int(uniform * NUM_SIZES), NUM_SIZES - 1)
    fraction = uniform * NUM_SIZES - size
    return int(draw_bet_action(view, size, fraction, amount == SIZED_BET_CONTINUOUS))


@inlined
def find_raise_range(view: Ints, amount: int) -> tuple[int, int]:
    """Return the least and the largest total to which a script raises; the least is 0 if no raise is legal.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees.
    amount : int
        The index of the script's amount in `RAISE_AMOUNTS`.
    """
    least, most = view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    if amount == ALL_IN:
        return most, most
    if amount == LEAST or least == 0:
        return least, least
    if amount == UP_TO_THREE_TIMES:
        return least, min(most, view[at.BET] + 3 * (least - view[at.BET]))
    return least, most


def make_scripted_player(script: int, amount: int = ANY_AMOUNT, *, name: str) -> CompiledPlayer:
    """Return a player that follows a script, which depends only on the legal actions and not on cards.

    If a raise is not legal, the player calls instead. If a fold is not legal, it checks. `SCRIPT_ANY` chooses among the
    legal ones of fold, call and raise with equal probability.

    Parameters
    ----------
    script : int
        SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_ANY or SCRIPT_CALLS_OR_RAISES.
    amount : int
        The index in RAISE_AMOUNTS of the amounts of its raises. If these are a range, all amounts in the range are
        equally likely. An amount of up to three times the least raise is at most all-in. Drawn bets are small, medium
        or large with equal probability (see `draw_bet_action`).
    name : str
        The player's name in results and errors.
    """
    return CompiledPlayer(write_script_actions, np.array([script, amount]), name)


ALWAYS_CALL = make_scripted_player(SCRIPT_CALLS, name="always call")
"""A player that always calls, or checks if nothing is owed."""
ALWAYS_FOLD = make_scripted_player(SCRIPT_FOLDS, name="always fold")
"""A player that always folds. If nothing is owed it checks, unless the structure allows free folds."""
ALWAYS_RAISE = make_scripted_player(SCRIPT_RAISES, LEAST, name="always raise")
"""A player that always makes the least legal bet or raise, or calls if no raise is legal."""
RANDOM = make_scripted_player(SCRIPT_ANY, name="random")
"""A player that folds, calls or raises with equal probability, as far as legal, and raises to a random amount."""
RAISE_BY_ANY = make_scripted_player(SCRIPT_RAISES, name="raise by any amount")
"""A player that always bets or raises to a random amount, or calls if no raise is legal."""
CALL_OR_RAISE = make_scripted_player(SCRIPT_CALLS_OR_RAISES, name="call or raise")
"""A player that calls or raises with equal probability, raises to a random amount, and never folds."""
