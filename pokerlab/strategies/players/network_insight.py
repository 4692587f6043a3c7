"""What a network at a table sees, how it computes, and what it tends to do: numbers for pictures."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import SettingError, ShapeError
from pokerlab.core.kernel import kernel
from pokerlab.core.settings import number, whole
from pokerlab.holdem.betting.structure import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.equity.lookup import lookup_tables
from pokerlab.holdem.table import view as table_view
from pokerlab.holdem.table.players import CompiledPlayer
from pokerlab.holdem.table.view import SeatView
from pokerlab.strategies.players.network_decision import (
    CALLS,
    FOLDS,
    MOST_AGGRESSIVE,
    NUM_INPUTS,
    NUM_OUTPUTS,
    SMALL,
    NetworkAnswer,
    chances_to_win,
    write_inputs,
)
from pokerlab.strategies.players.perceptron import (
    Floats32,
    fill_outputs,
    laid_out,
    perceptron,
    room_for,
    rows_for,
)
from pokerlab.strategies.players.table_network import INPUTS, TableNetwork


class Feature(NamedTuple):
    """One input of a network.

    Attributes
    ----------
    name : str
        What it is, such as 'chips, 3 to the left'.
    value : float
        As the network sees it.
    """

    name: str
    value: float


class Activations(NamedTuple):
    """All units of a network for one decision.

    Attributes
    ----------
    inputs : ndarray of float32, shape (35,)
    hidden : ndarray of float32, shape (H,)
    outputs : ndarray of float32, shape (5,)
        For fold, call, small, medium and large raise.
    """

    inputs: Floats32
    hidden: Floats32
    outputs: Floats32


class Habits(NamedTuple):
    """What k networks do, by their chance to win and the price of a call.

    Attributes
    ----------
    wins : ndarray of float64, shape (W,)
        Chances to win.
    prices : ndarray of int64, shape (P,)
        Prices of a call, in chips.
    fold, call, bet : ndarray of float64, shape (k, W, P)
        How likely each network folds, calls or checks, and bets or raises there; the three sum to 1.
    """

    wins: Floats
    prices: Ints
    fold: Floats
    call: Floats
    bet: Floats


def features(network: TableNetwork, view: SeatView) -> list[Feature]:
    """Return what networks see in a view: 35 names and values.

    Examples
    --------
    >>> from pokerlab.holdem import CALL, no_limit, ring_game
    >>> seen = []
    >>> def watch(view):
    ...     seen.append(features(TableNetwork(), view))
    ...     return CALL
    >>> played = ring_game(no_limit(5, 10), seats=3).play([watch] * 3, 1, seed=1)
    >>> for name, value in seen[0][:6]:
    ...     print(f"{name}: {value:.3f}")
    pot: 0.015
    call: 0.010
    opponents: 0.222
    win percent: 0.544
    last input: 0.000
    chips, own: 1.000
    """
    inputs = inputs_of(network.answer, view)
    return [Feature(*pair) for pair in zip(INPUTS, inputs.tolist(), strict=True)]


def decision(player: CompiledPlayer, view: SeatView, win: float | None = None) -> Activations:
    """Return all units of a player made by `TableNetwork.players` as it decides in a view.

    Parameters
    ----------
    player : CompiledPlayer
        A network.
    view : SeatView
        What its seat sees.
    win : float, optional
        Its chance to win; if not given, that of its cards.

    Raises
    ------
    SettingError
        If the player is not a network.
    """
    settings = getattr(player, "answer", None)
    if not isinstance(settings, NetworkAnswer):
        raise SettingError(
            f"player is {player!r}; give a network, such as TableNetwork().players(genomes)[0]."
        )
    return units(settings, player.parameters, inputs_of(settings, view, win))


def inputs_of(settings: NetworkAnswer, view: SeatView, win: float | None = None) -> Floats32:
    """Return the inputs, (35,), of the seat to act, with the chance `win` or that of its cards."""
    wins = None if win is None else np.full(1, win)
    inputs: Floats32 = written(settings, view.words[None], wins)[0]
    return inputs


def inputs_at(network: TableNetwork, views: Ints) -> Floats32:
    """Return the inputs, (R, 35), of networks in views as watchers see them, (R, words)."""
    return written(network.answer, views, None)


def written(settings: NetworkAnswer, views: Ints, wins: Floats | None) -> Floats32:
    """Return the inputs of views, (R, 35), with these chances to win, (R,), or those of the cards."""
    if wins is None:
        wins = np.empty(len(views), np.float64)
        chances_to_win(lookup_tables(), settings, views, np.arange(len(views), dtype=np.intp), wins)
    inputs = np.empty((len(views), NUM_INPUTS), np.float32)
    fill_inputs(settings, views, wins, inputs)
    return inputs


def activations(network: TableNetwork, genome: ArrayLike, inputs: ArrayLike) -> Activations:
    """Return all units of a network for given inputs.

    Parameters
    ----------
    network : TableNetwork
        Its settings.
    genome : array_like of float32, shape (G,)
        Its weights.
    inputs : array_like, shape (35,)
        The inputs, such as the values of `features`.

    Raises
    ------
    ShapeError
        If there is not one network of this size, or not 35 inputs.
    SettingError
        If a weight or an input is no number.
    """
    rows = network.checked(genome)
    if len(rows) != 1:
        raise ShapeError(f"{len(rows)} networks are given; look into one at a time.")
    try:
        given = np.asarray(inputs, np.float32)
    except (TypeError, ValueError):
        raise SettingError(
            f"the inputs are {inputs!r}; give {NUM_INPUTS} numbers, such as"
            " [value for name, value in features(network, view)]."
        ) from None
    if given.shape != (NUM_INPUTS,):
        raise ShapeError(
            f"the inputs have shape {given.shape}; a network at a table has {NUM_INPUTS}."
        )
    if not np.isfinite(given).all():
        worst = int(np.flatnonzero(~np.isfinite(given))[0])
        raise SettingError(f"input {worst} ('{INPUTS[worst]}') is {given[worst]}; give a number.")
    weights = laid_out(rows, NUM_INPUTS, network.hidden, NUM_OUTPUTS, biases=network.biases)
    return units(network.answer, weights[0], given)


def units(settings: NetworkAnswer, weights: Floats32, inputs: Floats32) -> Activations:
    """Return all units of one network that is laid out."""
    below = np.ones((1, rows_for(NUM_INPUTS)), np.float32)
    below[0, :NUM_INPUTS] = inputs
    hidden, outputs = room_for(1, settings.hidden, NUM_OUTPUTS)
    fill_outputs(weights[None], np.zeros(1, np.int64), below, settings.hidden, hidden, outputs)
    return Activations(inputs, hidden[: settings.hidden], outputs[:NUM_OUTPUTS])


def habits(
    network: TableNetwork,
    genomes: ArrayLike,
    *,
    seats: int = 10,
    stack: int = 1000,
    big_blind: int = 10,
    pot: int = 15,
    aggressiveness: float = 1.0,
    points: int = 21,
    prices: ArrayLike | None = None,
) -> Habits:
    """Return how likely networks fold, call and raise, by chance to win and price, in one situation.

    All seats began the hand with the same chips. The player has the button and has put in nothing. The
    seat on its left has put `pot` chips into the pot, and bets on top of it the price. All others have
    folded and paid nothing.

    Parameters
    ----------
    network : TableNetwork
        Their settings.
    genomes : array_like of float32, shape (G,) or (k, G)
        The networks.
    seats : int
        Seats at the table, 2 to 10.
    stack, big_blind, pot : int
        Chips of each seat, the big blind, and chips in the pot before the bet; less than `stack`.
    aggressiveness : float
        Of all seats, over all and of late, from 0 to 10; 1 is that of a player who always calls.
    points : int
        Of the grid in each direction, 2 to 201: chances to win from 0 to 1, and prices from nothing to
        all that the opponent has left, in whole chips.
    prices : array_like of int, shape (P,), optional
        The prices, instead of those.

    Raises
    ------
    ShapeError
        If a network has another size or type.
    SettingError
        If a number is out of range, or there is no network.

    Examples
    --------
    >>> import numpy as np
    >>> network = TableNetwork()
    >>> found = habits(network, network.random(np.random.default_rng(1), count=3))
    >>> found.fold.shape, found.prices[:3].tolist(), bool((found.fold[:, :, 0] == 0).all())
    ((3, 21, 21), [0, 49, 98], True)
    """
    rows = network.checked(genomes)
    whole("the number of networks", len(rows), 1)
    whole("seats", seats, FEWEST_SEATS, MOST_SEATS)
    whole("stack", stack, 2, MOST_CHIPS)
    whole("big_blind", big_blind, 1, MOST_CHIPS)
    whole("pot", pot, 0, stack - 1)
    number("aggressiveness", aggressiveness, 0.0, MOST_AGGRESSIVE)
    whole("points", points, 2, 201)
    most = stack - pot
    asked = np.linspace(0, most, points).astype(np.int64) if prices is None else np.asarray(prices)
    if asked.ndim != 1 or asked.dtype.kind not in "iu" or not asked.size:
        raise ShapeError(f"prices are {prices!r}; give whole numbers of chips, from 0 to {most}.")
    if asked.min() < 0 or asked.max() > most:
        raise SettingError(
            f"prices go from {asked.min()} to {asked.max()}; give numbers from 0 to {most}, which is all"
            " that the opponent has."
        )
    wins = np.linspace(0.0, 1.0, points)

    views = np.zeros((asked.size, table_view.NUM_VIEW_WORDS), np.int64)
    views[:, [table_view.SEATS, table_view.BIG_BLIND]] = seats, big_blind
    views[:, table_view.TO_CALL] = asked
    views[:, table_view.POT] = views[:, table_view.PAID + 1] = pot + asked
    views[:, table_view.STACKS : table_view.STACKS + seats] = stack
    views[:, table_view.STACKS + 1] -= pot + asked
    views[:, table_view.LIVE : table_view.LIVE + 2] = 1
    for first in (table_view.OVERALL, table_view.RECENT):
        views[:, first : first + seats] = round(aggressiveness * table_view.MILLIONTHS)

    inputs = np.empty((points * asked.size, NUM_INPUTS), np.float32)
    fill_inputs(network.answer, np.tile(views, (points, 1)), np.repeat(wins, asked.size), inputs)
    outputs = perceptron(
        rows,
        np.repeat(np.arange(len(rows)), len(inputs)),
        np.tile(inputs, (len(rows), 1)),
        hidden=network.hidden,
        outputs=NUM_OUTPUTS,
        biases=network.biases,
    ).reshape(len(rows), points, asked.size, NUM_OUTPUTS)
    if network.read_out == "largest":
        chances = np.eye(NUM_OUTPUTS)[outputs.argmax(axis=-1)]
    else:
        chances = outputs / outputs.sum(axis=-1, keepdims=True, dtype=np.float64)
    fold, call, bet = chances[..., FOLDS], chances[..., CALLS], chances[..., SMALL:].sum(axis=-1)
    checks = (asked == 0) & (not network.free_folds)
    # No raise is legal where the only opponent has nothing left to put in.
    cannot_raise = asked >= most
    return Habits(
        wins,
        asked.astype(np.int64),
        np.where(checks, 0.0, fold),
        call + np.where(checks, fold, 0.0) + np.where(cannot_raise, bet, 0.0),
        np.where(cannot_raise, 0.0, bet),
    )


@kernel
def fill_inputs(settings: NetworkAnswer, views: Ints, wins: Floats, out_inputs: Floats32) -> None:
    """Write the inputs of each view, with these chances to win."""
    for row in range(views.shape[0]):
        write_inputs(settings, views[row], wins[row], out_inputs[row])
