"""What a network at a table sees, how it computes, and what it tends to do: numbers for pictures."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, ShapeError, kernel
from pokerlab.core.arrays import fill_missing
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_kind, number, whole
from pokerlab.holdem.betting.structure import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.equity.lookup import lookup_tables
from pokerlab.holdem.genomes.network_decision import (
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
from pokerlab.holdem.genomes.perceptron import (
    Floats32,
    fill_outputs,
    outputs_of,
    room_for,
    rows_for,
)
from pokerlab.holdem.genomes.table_network import INPUTS, TableNetwork
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.players import CompiledPlayer
from pokerlab.holdem.table.view import SeatView

POINTS = 21  # chances to win, and prices, at which habits are looked at


class Activations(NamedTuple):
    """All units of a network for one decision, float32: inputs, (35,), hidden units, (H,), and outputs, (5,)."""

    inputs: Floats32
    hidden: Floats32
    outputs: Floats32


class Habits(NamedTuple):
    """What k networks do, by their chance to win, (W,), and the price of a call in chips, (P,).

    `fold`, `call` and `bet`, (k, W, P), say how likely each network folds, calls or checks, and bets or
    raises there; the three sum to 1.
    """

    wins: Floats
    prices: Ints
    fold: Floats
    call: Floats
    bet: Floats


def features(network: TableNetwork, view: SeatView) -> dict[str, float]:
    """Return what networks see in a view, 35 numbers by their names.

    Examples
    --------
    >>> from pokerlab.holdem import CALL, no_limit, ring_game
    >>> seen = []
    >>> def watch(view):
    ...     seen.append(features(TableNetwork(), view))
    ...     return CALL
    >>> played = ring_game(no_limit(5, 10), seats=3).play([watch] * 3, 1, seed=1)
    >>> for name, value in list(seen[0].items())[:6]:
    ...     print(f"{name}: {value:.3f}")
    pot: 0.015
    call: 0.010
    opponents: 0.222
    win percent: 0.544
    last input: 0.000
    chips, own: 1.000
    """
    check_view(view)
    return dict(zip(INPUTS, inputs_at(network, view.words[None])[0].tolist(), strict=True))


def check_view(view: Any) -> None:
    """Refuse what is not a table as a seat sees it."""
    check_kind("view", view, SeatView, "what a player at a table is given to decide by")


def check_network(network: Any) -> None:
    """Refuse what is not the settings of networks."""
    check_kind("network", network, TableNetwork, "the settings of networks, such as TableNetwork()")


def decision(player: CompiledPlayer, view: SeatView, win: float | None = None) -> Activations:
    """Return all units of a player made by `TableNetwork.players` as it decides in a view.

    `win` is its chance to win; if not given, that of its cards.
    """
    check_view(view)
    if win is not None:
        number("win", win, 0.0, 1.0)
    settings: Any = getattr(player, "answer", None)
    instead = "that of a network, such as TableNetwork().players(genomes)[0]"
    check_kind("player.answer", settings, NetworkAnswer, instead)
    below = np.ones((1, rows_for(NUM_INPUTS)), np.float32)
    below[:, :NUM_INPUTS] = written(settings, view.words[None], win)
    hidden, outputs = room_for(1, settings.hidden, NUM_OUTPUTS)
    weights, first = player.parameters[None], np.zeros(1, np.int64)
    fill_outputs(weights, first, below, settings.hidden, hidden, outputs)
    return Activations(below[0, :NUM_INPUTS], hidden[: settings.hidden], outputs[:NUM_OUTPUTS])


def inputs_at(network: TableNetwork, views: Ints) -> Floats32:
    """Return the inputs, (R, 35), of networks in views as watchers see them, (R, words)."""
    check_network(network)
    check_kind("views", views, np.ndarray, "an array of the words of views")
    if views.dtype != np.int64 or views.shape[1:] != (at.NUM_VIEW_WORDS,):
        raise ShapeError(
            f"views are {in_short(views)}; give the words of views as int64, (R, {at.NUM_VIEW_WORDS})."
        )
    return written(network.answer, views)


def written(settings: NetworkAnswer, views: Ints, win: float | None = None) -> Floats32:
    """Return the inputs of views, (R, 35), with this chance to win or those of the cards."""
    wins = np.full(len(views), np.nan if win is None else win)
    if win is None:
        chances_to_win(lookup_tables(), settings, views, np.arange(len(views), dtype=np.intp), wins)
    inputs = np.empty((len(views), NUM_INPUTS), np.float32)
    fill_inputs(settings, views, wins, inputs)
    return inputs


def habits(
    network: TableNetwork,
    genomes: ArrayLike,
    *,
    seats: int = 10,
    stack: int = 1000,
    big_blind: int = 10,
    pot: int = 15,
    aggressiveness: float = 1.0,
    prices: ArrayLike | None = None,
) -> Habits:
    """Return how likely networks fold, call and raise, by chance to win and price, in one situation.

    All seats began the hand with the same chips. The player has the button and has put in nothing. The seat on its
    left has put `pot` chips into the pot, and bets on top of it the price. All others have folded and paid nothing.

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
    prices : array_like of int, shape (P,), optional
        In chips; if not given, `POINTS` of them from nothing to all that the opponent has left. So many
        are the chances to win, from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> network = TableNetwork()
    >>> found = habits(network, network.random(np.random.default_rng(1), count=3))
    >>> found.fold.shape, found.prices[:3].tolist(), bool((found.fold[:, :, 0] == 0).all())
    ((3, 21, 21), [0, 49, 98], True)
    """
    check_network(network)
    rows = network.checked(genomes)
    whole("the number of networks", len(rows), 1)
    whole("seats", seats, FEWEST_SEATS, MOST_SEATS)
    whole("stack", stack, 2, MOST_CHIPS)
    whole("big_blind", big_blind, 1, MOST_CHIPS)
    whole("pot", pot, 0, stack - 1)
    number("aggressiveness", aggressiveness, 0.0, MOST_AGGRESSIVE)
    most = stack - pot
    asked = np.linspace(0, most, POINTS).astype(np.int64)
    if prices is not None:
        try:
            asked = np.asarray(fill_missing(prices))
        except (TypeError, ValueError):
            raise ShapeError(
                f"prices are {in_short(prices)}; give a row of whole numbers."
            ) from None
    if asked.ndim != 1 or asked.dtype.kind not in "iu" or not asked.size:
        raise ShapeError(
            f"prices are {in_short(prices)}; give whole numbers of chips, from 0 to {most}."
        )
    if asked.min() < 0 or asked.max() > most:
        raise SettingError(
            f"prices go from {asked.min()} to {asked.max()}; give numbers from 0 to {most}, which is all"
            " that the opponent has."
        )
    wins = np.linspace(0.0, 1.0, POINTS)

    views = np.zeros((asked.size, at.NUM_VIEW_WORDS), np.int64)
    views[:, [at.SEATS, at.BIG_BLIND]] = seats, big_blind
    views[:, at.TO_CALL] = asked
    views[:, at.POT] = views[:, at.PAID + 1] = pot + asked
    views[:, at.STACKS : at.STACKS + seats] = stack
    views[:, at.STACKS + 1] -= pot + asked
    views[:, at.LIVE : at.LIVE + 2] = 1
    for first in (at.OVERALL, at.RECENT):
        views[:, first : first + seats] = round(aggressiveness * at.MILLIONTHS)

    inputs = np.empty((POINTS * asked.size, NUM_INPUTS), np.float32)
    fill_inputs(network.answer, np.tile(views, (POINTS, 1)), np.repeat(wins, asked.size), inputs)
    outputs = outputs_of(
        rows,
        np.repeat(np.arange(len(rows)), len(inputs)),
        np.tile(inputs, (len(rows), 1)),
        hidden=network.hidden,
        outputs=NUM_OUTPUTS,
        biases=network.biases,
    ).reshape(len(rows), POINTS, asked.size, NUM_OUTPUTS)
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
