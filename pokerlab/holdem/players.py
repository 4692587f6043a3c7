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
from pokerlab.core.errors import quote_value
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
    [
        *(NormalDist().inv_cdf((1 + interval / INTERVALS) / 2) for interval in range(INTERVALS)),
        LARGEST_DEVIATE,
    ]
).round(9)
"""The quantiles of the absolute value of a standard normal variable, at INTERVALS + 1 probabilities from 0 to 1."""


@inlined
def interpolate_half_normal_quantile(probability: float) -> float:
    """Return a quantile of the half-normal distribution, that of the absolute value of a standard normal variable.

    The quantile is interpolated linearly in the table NORMAL_QUANTILES.

    Parameters
    ----------
    probability : float
        The probability that the variable is smaller than the quantile. It is clipped to the range from 0 to 1.
    """
    position = min(max(probability, 0.0), 1.0) * INTERVALS
    index_below = min(int(position), INTERVALS - 1)
    fraction = position - index_below
    quantile_below = NORMAL_QUANTILES[index_below]
    quantile_above = NORMAL_QUANTILES[index_below + 1]
    return float(quantile_below * (1.0 - fraction) + quantile_above * fraction)


@inlined
def draw_bet_share(size: int, uniform: float, spread_small: float) -> float:
    """Return the share of the chips at stake that a small, medium or large bet of random size has.

    The distributions are those of Nicolai (2008, tables 4.9 to 4.11). Each has two or three pieces: a uniform one, and
    half-normal ones below or above it. The interval from 0 to 1 is divided among the pieces by their probabilities.
    `uniform` chooses the piece, and its position within the part of that piece chooses the share.

    Parameters
    ----------
    size : int
        SMALL, MEDIUM or LARGE.
    uniform : float
        A random number in [0, 1), which determines the share.
    spread_small : float
        The standard deviation of the half-normal piece above a small bet.

    Returns
    -------
    float
        The share. It may be below 0 or above 1, so the caller has to clip the bet.
    """
    if size == SMALL:
        if uniform < SMALL_WITHIN:
            return SMALL_TO * uniform / SMALL_WITHIN
        probability = (uniform - SMALL_WITHIN) / (1.0 - SMALL_WITHIN)
        return SMALL_TO + spread_small * interpolate_half_normal_quantile(probability)

    if size == MEDIUM:
        if uniform < MEDIUM_WITHIN:
            return MEDIUM_FROM + (MEDIUM_TO - MEDIUM_FROM) * uniform / MEDIUM_WITHIN
        uniform_outside = uniform - MEDIUM_WITHIN
        if uniform_outside < MEDIUM_BELOW:
            probability = uniform_outside / MEDIUM_BELOW
            return MEDIUM_FROM - SPREAD_BELOW * interpolate_half_normal_quantile(probability)
        probability_above = 1.0 - MEDIUM_WITHIN - MEDIUM_BELOW
        probability = (uniform_outside - MEDIUM_BELOW) / probability_above
        return MEDIUM_TO + SPREAD_ABOVE * interpolate_half_normal_quantile(probability)

    if uniform < LARGE_ABOVE:
        probability = uniform / LARGE_ABOVE
        return LARGE_FROM + SPREAD_LARGE * interpolate_half_normal_quantile(probability)
    probability = (uniform - LARGE_ABOVE) / (1.0 - LARGE_ABOVE)
    return LARGE_FROM - SPREAD_LARGE_BELOW * interpolate_half_normal_quantile(probability)


@inlined
def draw_bet_action(view: Ints, size: int, uniform: float, is_continuous: bool) -> int:
    """Return the action of a player who makes a small, medium or large bet of random size.

    The bet is a random share of the player's chips, or of the chips that some opponent can match if these are fewer. It
    is at least the cost of a call, or a big blind if nothing is owed. A bet that is not larger than the cost of a call
    is a call. A bet between a call and the smallest legal raise becomes that raise, because Nicolai's thesis has no
    smallest raise. If no raise is legal, the action is a call.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees of the table; see `pokerlab.holdem.table_view`.
    size : int
        SMALL, MEDIUM or LARGE.
    uniform : float
        A random number in [0, 1), which determines the share.
    is_continuous : bool
        Whether the share of small bets has a continuous density (SPREAD_SMALL_CONTINUOUS).

    Returns
    -------
    int
        CALL, or the total number of chips to raise to in this betting round.
    """
    if view[at.MIN_RAISE_TO] == 0:
        return CALL

    # The most that the player can lose: its own stack, or as much as some opponent can match.
    seat = view[at.SEAT]
    largest_total_of_opponents = 0
    for other_seat in range(view[at.SEATS]):
        is_live_opponent = other_seat != seat and view[at.LIVE + other_seat] != 0
        if is_live_opponent:
            all_in = view[at.STACKS + other_seat] + view[at.BETS + other_seat]
            largest_total_of_opponents = max(largest_total_of_opponents, all_in)
    own_bet = view[at.BETS + seat]
    max_chips = min(view[at.STACKS + seat], largest_total_of_opponents - own_bet)

    owed = view[at.TO_CALL]
    min_chips = owed if owed > 0 else view[at.BIG_BLIND]
    spread_small = SPREAD_SMALL_CONTINUOUS if is_continuous else SPREAD_SMALL
    share = draw_bet_share(size, uniform, spread_small)
    chips = min(max(int(share * max_chips), min_chips), max_chips)
    if chips <= owed:
        return CALL
    raise_to = own_bet + chips
    return int(min(max(raise_to, view[at.MIN_RAISE_TO]), view[at.MAX_RAISE_TO]))


Rows: TypeAlias = NDArray[np.intp]
# What a scripted player does if it is legal.
SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_ANY, SCRIPT_CALLS_OR_RAISES = range(5)
ANY_AMOUNT, LEAST, UP_TO_THREE_TIMES, ALL_IN, SIZED_BET, SIZED_BET_CONTINUOUS = range(6)
RAISE_SIZES = (
    *("any amount", "the least", "up to three times the least", "all-in"),
    *("a drawn bet", "a drawn bet, continuous"),
)
"""The names of the sizes of a scripted player's raises, in the order of the constants above."""


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
    parameters_by_player: Iterable[Any],
    names: Sequence[str] | None,
    *,
    name_prefix: str,
    parameters_noun: str,
) -> list[CompiledPlayer]:
    """Return several players with the same kernel and different parameters.

    Parameters
    ----------
    decision_function : callable
        The kernel that makes the decisions; see `CompiledPlayer`.
    parameters_by_player : iterable of array_like
        The parameters of each player, such as its genome.
    names : sequence of str or None
        The name of each player. If None, the names are `name_prefix` followed by a number, from 0 on.
    name_prefix : str
        The first word of names that are not given.
    parameters_noun : str
        What error messages call the parameters of several players, such as 'genomes'.

    Returns
    -------
    list of CompiledPlayer
        One player for each entry of `parameters_by_player`, in the same order.

    Raises
    ------
    ShapeError
        If there is not one name for each player.
    """
    all_parameters = list(parameters_by_player)
    if names is None:
        names = [f"{name_prefix} {index}" for index in range(len(all_parameters))]
    if len(names) != len(all_parameters):
        raise ShapeError(
            f"{len(names)} names are given for {len(all_parameters)} {parameters_noun}; give one each."
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


def validate_player(player: Player, index: int) -> CompiledPlayer | PythonPlayer:
    """Return a player unchanged, or a function as a `PythonPlayer` with the name of the function.

    Parameters
    ----------
    player : Player
        A compiled player, a Python player, or a function that takes a `SeatView` and returns an action.
    index : int
        The index of the player in the caller's list, for the error message.

    Returns
    -------
    CompiledPlayer or PythonPlayer
        The player.

    Raises
    ------
    SettingError
        If `player` is none of these.
    """
    if isinstance(player, CompiledPlayer | PythonPlayer):
        return player
    if not callable(player):
        raise SettingError(
            f"player {index} is {quote_value(player)}; give a function of a SeatView, a player such as"
            " holdem.ALWAYS_CALL, or a kernel and its numbers as CompiledPlayer(kernel, parameters)."
        )
    return PythonPlayer(player, getattr(player, "__name__", "function"))


class Roster:
    """The players of one table or of many, grouped so that players with the same kernel are asked in one call.

    Parameters
    ----------
    players : sequence of Player
        All players. Line-ups refer to them by their indices in this sequence.

    Attributes
    ----------
    players : tuple of CompiledPlayer or PythonPlayer
        All players, in which a function is wrapped as a `PythonPlayer`.
    parameter_rows : ndarray of int64, shape (players,)
        The row of each player among the parameters of its kernel.

    Raises
    ------
    SettingError
        If an entry is not a player, or players with the same kernel have parameters of different shapes or types.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        """Group compiled players by their kernels, and stack the parameters of each group."""
        self.players = tuple(validate_player(player, index) for index, player in enumerate(players))
        self.parameter_rows = np.zeros(len(players), np.int64)
        self._group_of_player = np.full(len(players), -1)  # -1 for a Python player

        kernels: list[Any] = []
        parameters_by_group: list[list[NDArray[Any]]] = []
        for index, player in enumerate(self.players):
            if isinstance(player, PythonPlayer):
                continue
            if player.decision_function not in kernels:
                kernels.append(player.decision_function)
                parameters_by_group.append([])
            group = kernels.index(player.decision_function)
            parameters_of_group = parameters_by_group[group]
            self._group_of_player[index] = group
            self.parameter_rows[index] = len(parameters_of_group)
            parameters = self._validate_parameters(player, index, parameters_of_group)
            parameters_of_group.append(parameters)

        self._groups = [
            (kernel_of_group, np.stack(parameters))
            for kernel_of_group, parameters in zip(kernels, parameters_by_group, strict=True)
        ]
        self._is_one_group = not self._group_of_player.any()  # all players are in group 0

    def __len__(self) -> int:
        """Return the number of players."""
        return len(self.players)

    def ask_players(self, tables: Tables, rows_to_act: Rows) -> None:
        """Ask the players who are to act for their actions, and write the actions to `tables.actions`.

        Players with the same kernel are asked in one call.

        Parameters
        ----------
        tables : Tables
            The tables, with the views of the seats to act. The entries of `tables.actions` at `rows_to_act` are
            overwritten.
        rows_to_act : ndarray of int
            The indices of the tables at which a seat is to act.

        Raises
        ------
        IllegalActionError
            If a Python player returns something that is not a number.
        """
        if self._is_one_group:
            ((write_actions, parameters),) = self._groups
            write_actions(tables.views, rows_to_act, parameters, tables.uniforms, tables.actions)
            return

        players_to_act = tables.views[rows_to_act, at.PLAYER]
        group_of_row = self._group_of_player[players_to_act]
        for group, (write_actions, parameters) in enumerate(self._groups):
            rows = rows_to_act[group_of_row == group]
            if rows.size:
                write_actions(tables.views, rows, parameters, tables.uniforms, tables.actions)

        is_python_player = group_of_row < 0
        for row in rows_to_act[is_python_player]:
            view = tables.views[row].copy()  # a player may keep its view
            tables.actions[row] = self._ask_python_player(view, float(tables.uniforms[row]))

    def make_illegal_action_error(self, view: Ints, action: object) -> IllegalActionError:
        """Return an error that explains why an action is not legal, and lists the legal actions.

        Parameters
        ----------
        view : ndarray of int64, shape (NUM_VIEW_WORDS,)
            What the player saw of the table when it chose the action.
        action : object
            The action, or a description of it if it is not a number.

        Returns
        -------
        IllegalActionError
            The error, which is not raised here. Its message names the player, the hand and the seat.
        """
        seat_view = SeatView(view, 0.0)
        player = int(view[at.PLAYER])
        if isinstance(action, Real) and float(action).is_integer():
            reason = seat_view.legal_actions.explain_illegal_action(int(float(action)))
        else:
            reason = f"{action} is not an action; actions are whole numbers"
        return IllegalActionError(
            f"player {player} ('{self.players[player].name}') in seat {seat_view.seat}, hand {seat_view.hand_number} of"
            f" match {int(view[at.MATCH])}, {STREETS[seat_view.street]}: {reason}. Legal: {seat_view.legal_actions}."
        )

    def _ask_python_player(self, view: Ints, uniform: float) -> float:
        """Return the action that a Python player chooses, as a float.

        Parameters
        ----------
        view : ndarray of int64, shape (NUM_VIEW_WORDS,)
            What the player sees of the table. It names the player.
        uniform : float
            The random number of this decision, in [0, 1).

        Raises
        ------
        IllegalActionError
            If the action is not a number. Any other exception of the player's function is passed on, with a note about
            what the player saw.
        """
        index = int(view[at.PLAYER])
        player = self.players[index]
        assert isinstance(player, PythonPlayer)
        seat_view = SeatView(view, uniform)
        try:
            action: object = player.decide(seat_view)
        except Exception as error:
            error.add_note(f"raised by player {index} ('{player.name}'): {seat_view}")
            raise

        if isinstance(action, bool | np.bool_) or not isinstance(action, Real):
            raise self.make_illegal_action_error(view, repr(action))
        try:
            return float(action)
        except OverflowError:
            # The overflow explains nothing to the author of the player, so it is left out of the traceback.
            raise self.make_illegal_action_error(view, "a number beyond all chips") from None

    @staticmethod
    def _validate_parameters(
        player: CompiledPlayer, index: int, earlier_parameters: list[NDArray[Any]]
    ) -> NDArray[Any]:
        """Return a player's parameters as an array, after checking that players with the same kernel agree.

        Parameters
        ----------
        player : CompiledPlayer
            The player.
        index : int
            The index of the player, for the error message.
        earlier_parameters : list of ndarray
            The parameters of earlier players with the same kernel.

        Returns
        -------
        ndarray
            The parameters, without a copy if they already are a contiguous array.

        Raises
        ------
        SettingError
            If the shape or type differs from that of earlier players.
        """
        own_parameters = np.asarray(player.parameters, order="C")
        if not earlier_parameters:
            return own_parameters
        needed = earlier_parameters[0]
        if (own_parameters.shape, own_parameters.dtype) != (needed.shape, needed.dtype):
            raise SettingError(
                f"player {index} ('{player.name}') has parameters of shape {own_parameters.shape}, type"
                f" {own_parameters.dtype}; others of its kernel have {needed.shape}, {needed.dtype}."
            )
        return own_parameters


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
def write_scripted_actions(
    views: Ints, rows_to_act: Rows, parameters: Ints, uniforms: Floats, out_actions: Floats
) -> None:
    """Write the actions of scripted players, whose decisions depend on the legal actions and not on cards.

    Parameters
    ----------
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table.
    rows_to_act : ndarray of int
        The indices of the tables at which a scripted player is to act.
    parameters : ndarray of int64, shape (players, 2)
        For each player its script, such as SCRIPT_RAISES, and the index in RAISE_SIZES of the size of its raises.
    uniforms : ndarray of shape (tables,)
        The random number of each table, in [0, 1).
    out_actions : ndarray of shape (tables,)
        Overwritten at the tables `rows_to_act` with FOLD, CALL, or the total number of chips to raise to.
    """
    for row in rows_to_act:
        script, raise_size = parameters[views[row, at.PARAMETERS]]
        if raise_size >= SIZED_BET:
            out_actions[row] = choose_action_with_sized_bet(
                views[row], script, raise_size, uniforms[row]
            )
            continue
        can_fold = views[row, at.CAN_FOLD] != 0
        min_raise_to, max_raise_to = find_raise_range(views[row], raise_size)
        if script == SCRIPT_ANY:
            action = choose_random_action(can_fold, min_raise_to, max_raise_to, uniforms[row])
        elif script == SCRIPT_CALLS_OR_RAISES:
            action = choose_random_action(False, min_raise_to, max_raise_to, uniforms[row])
        elif script == SCRIPT_RAISES and min_raise_to > 0:
            num_totals = max_raise_to - min_raise_to + 1
            action = min_raise_to + int(uniforms[row] * num_totals)
        elif script == SCRIPT_FOLDS and can_fold:
            action = FOLD
        else:
            action = CALL
        out_actions[row] = action


@inlined
def choose_action_with_sized_bet(view: Ints, script: int, raise_size: int, uniform: float) -> int:
    """Return the action of a scripted player whose bets are small, medium or large with equal probability.

    A script that folds checks where a fold is not legal. SCRIPT_ANY folds, calls and raises with probability 1/3 each,
    and SCRIPT_CALLS_OR_RAISES calls and raises with probability 1/2 each.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees of the table.
    script : int
        SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_ANY or SCRIPT_CALLS_OR_RAISES.
    raise_size : int
        SIZED_BET, or SIZED_BET_CONTINUOUS if the share of small bets has a continuous density.
    uniform : float
        The random number of the decision, in [0, 1). It determines the action and the size of the bet.

    Returns
    -------
    int
        FOLD, CALL, or the total number of chips to raise to.
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
    is_continuous = raise_size == SIZED_BET_CONTINUOUS
    return int(draw_bet_action(view, size, fraction, is_continuous))


@inlined
def find_raise_range(view: Ints, raise_size: int) -> tuple[int, int]:
    """Return the smallest and the largest total to which a scripted player raises.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees of the table.
    raise_size : int
        ALL_IN, LEAST (the smallest legal raise), UP_TO_THREE_TIMES (up to three times that raise), or ANY_AMOUNT.

    Returns
    -------
    min_raise_to, max_raise_to : int
        Both totals are in chips of this betting round, and both are 0 if no raise is legal.
    """
    min_raise_to, max_raise_to = view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    if raise_size == ALL_IN:
        return max_raise_to, max_raise_to
    if raise_size == LEAST or min_raise_to == 0:
        return min_raise_to, min_raise_to
    if raise_size == UP_TO_THREE_TIMES:
        smallest_raise = min_raise_to - view[at.BET]
        return min_raise_to, min(max_raise_to, view[at.BET] + 3 * smallest_raise)
    return min_raise_to, max_raise_to


def make_scripted_player(script: int, raise_size: int = ANY_AMOUNT, *, name: str) -> CompiledPlayer:
    """Return a player that follows a script, which depends only on the legal actions and not on cards.

    If a raise is not legal, the player calls instead. If a fold is not legal, it checks.

    Parameters
    ----------
    script : int
        What the player does: SCRIPT_CALLS, SCRIPT_FOLDS, SCRIPT_RAISES, SCRIPT_CALLS_OR_RAISES, or SCRIPT_ANY. The last
        two choose among their actions, as far as legal, with equal probability.
    raise_size : int
        The size of its raises, an index into RAISE_SIZES. If it allows a range of totals, all of them are equally
        likely. A raise of up to three times the smallest legal raise is at most all-in. Drawn bets are small, medium or
        large with equal probability (see `draw_bet_action`).
    name : str
        The player's name in results and errors.

    Returns
    -------
    CompiledPlayer
        The player, whose kernel is the same for all scripts.

    Examples
    --------
    >>> make_scripted_player(SCRIPT_RAISES, LEAST, name="always raise").name
    'always raise'
    """
    return CompiledPlayer(write_scripted_actions, np.array([script, raise_size]), name)


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
