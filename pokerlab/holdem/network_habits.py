"""What networks do: their inputs and activations for one decision, and their habits by win probability and price.

A *view* is what a player at a table sees when it must act. `describe_inputs` returns the inputs of a network in a view,
`decision` all its activations, and `habits` the probabilities with which networks fold, call and raise. The *price* is
what a call costs. All functions compute with the kernels of `network_genome`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, ShapeError, kernel
from pokerlab.core.arrays import fill_masked_with_nan
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import check_kind, validate_integer, validate_number
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_structure import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.equity import load_win_probability_tables
from pokerlab.holdem.network_genome import (
    INPUTS,
    MOST_AGGRESSIVE,
    NUM_INPUTS,
    NUM_OUTPUTS,
    OUTPUT_CALL,
    OUTPUT_FOLD,
    OUTPUT_SMALL,
    NetworkDecisionFunction,
    TableNetwork,
    fill_win_probabilities,
    write_network_inputs,
)
from pokerlab.holdem.network_passes import (
    Floats32,
    allocate_layers,
    compute_network_outputs,
    count_padded_rows,
    fill_network_outputs,
)
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.table_view import SeatView

NUM_GRID_POINTS = 21  # the number of win probabilities, and of prices of a call, of `Habits`


class Activations(NamedTuple):
    """The values of all units of a network for one decision.

    Attributes
    ----------
    inputs : ndarray of float32, shape (35,)
        The inputs, in the order of `INPUTS`.
    hidden : ndarray of float32, shape (H,)
        The values of the H hidden units.
    outputs : ndarray of float32, shape (5,)
        The outputs: for a fold, a call, and three sizes of raises.
    """

    inputs: Floats32
    hidden: Floats32
    outputs: Floats32


class Habits(NamedTuple):
    """The action probabilities of networks as functions of the win probability and of the price of a call.

    Attributes
    ----------
    wins : ndarray of shape (W,)
        The win probabilities.
    prices : ndarray of int64, shape (P,)
        The prices of a call, in chips.
    fold, call, bet : ndarray of shape (k, W, P)
        The probabilities that each of k networks folds, calls or checks, and bets or raises. The three sum to 1.
    """

    wins: Floats
    prices: Ints
    fold: Floats
    call: Floats
    bet: Floats


def describe_inputs(network: TableNetwork, view: SeatView) -> dict[str, float]:
    """Return the 35 inputs that networks get from a view, by the names of the inputs.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    network : TableNetwork
        The settings of the networks.
    view : SeatView
        What a player sees.

    Returns
    -------
    dict of str to float
        The value of each input, in the order of `INPUTS`.

    Raises
    ------
    SettingError
        If `view` is not a SeatView, or `network` is not a TableNetwork.

    Examples
    --------
    >>> from pokerlab.holdem import CALL, no_limit, ring_game
    >>> seen = []
    >>> def watch(view):
    ...     seen.append(describe_inputs(TableNetwork(), view))
    ...     return CALL
    >>> played = ring_game(no_limit(5, 10), seats=3).play([watch] * 3, 1, seed=1)
    >>> for name, value in list(seen[0].items())[:6]:
    ...     print(f"{name}: {value:.3f}")
    pot: 0.015
    call: 0.010
    opponents: 0.222
    win percent: 0.544
    hands until the button: 0.000
    chips, own: 1.000
    """
    check_view(view)
    inputs = compute_view_inputs(network, view.words[None])[0]
    return dict(zip(INPUTS, inputs.tolist(), strict=True))


def check_view(view: Any) -> None:
    """Raise SettingError unless an object is a `SeatView`.

    Parameters
    ----------
    view : Any
        The object.

    Raises
    ------
    SettingError
        If it is anything else.
    """
    check_kind("view", view, SeatView, "what a player at a table is given to decide by")


def check_network(network: Any) -> None:
    """Raise SettingError unless an object is a `TableNetwork`.

    Parameters
    ----------
    network : Any
        The object.

    Raises
    ------
    SettingError
        If it is anything else.
    """
    check_kind("network", network, TableNetwork, "the settings of networks, such as TableNetwork()")


def decision(player: CompiledPlayer, view: SeatView, win: float | None = None) -> Activations:
    """Return the values of all units of a network when it decides in a view.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    player : CompiledPlayer
        A player that `TableNetwork.make_players` has made.
    view : SeatView
        What the player sees.
    win : float, optional
        The win probability that the network gets as its input, 0 to 1. By default it is that of the player's cards.

    Returns
    -------
    Activations
        The inputs, the values of the hidden units, and the outputs.

    Raises
    ------
    SettingError
        If the player is not a network, or a number is out of range.
    """
    check_view(view)
    if win is not None:
        validate_number("win", win, 0.0, 1.0)
    settings: Any = getattr(player, "decision_function", None)
    expected = "that of a network, such as TableNetwork().make_players(genomes)[0]"
    check_kind("player.decision_function", settings, NetworkDecisionFunction, expected)

    # The kernel reads inputs in rows that are padded with ones.
    padded_inputs = np.ones((1, count_padded_rows(NUM_INPUTS)), np.float32)
    padded_inputs[:, :NUM_INPUTS] = compute_network_inputs(settings, view.words[None], win)
    hidden, outputs = allocate_layers(1, settings.hidden, NUM_OUTPUTS)
    weights = player.parameters[None]
    network_of_row = np.zeros(1, np.int64)
    fill_network_outputs(weights, network_of_row, padded_inputs, settings.hidden, hidden, outputs)
    return Activations(
        inputs=padded_inputs[0, :NUM_INPUTS],
        hidden=hidden[: settings.hidden],
        outputs=outputs[:NUM_OUTPUTS],
    )


def compute_view_inputs(network: TableNetwork, views: Ints) -> Floats32:
    """Return the 35 inputs that networks get from each of many views.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    network : TableNetwork
        The settings of the networks.
    views : ndarray of int64, shape (R, NUM_VIEW_WORDS)
        R views as rows of integers, in the layout of `pokerlab.holdem.table_view`.

    Returns
    -------
    ndarray of float32, shape (R, 35)
        The inputs in each view, in the order of `INPUTS`.

    Raises
    ------
    SettingError
        If `network` is not a TableNetwork, or `views` is not an array.
    ShapeError
        If the array has another shape or type.
    """
    check_network(network)
    check_kind("views", views, np.ndarray, "an array of the words of views")
    if views.dtype != np.int64 or views.shape[1:] != (at.NUM_VIEW_WORDS,):
        raise ShapeError(
            f"views are {quote_value(views)}; give the words of views as int64, (R, {at.NUM_VIEW_WORDS})."
        )
    return compute_network_inputs(network.decision_function, views)


def compute_network_inputs(
    settings: NetworkDecisionFunction, views: Ints, win: float | None = None
) -> Floats32:
    """Return the 35 inputs that networks get from each of many views, with the given or the actual win probability.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    settings : NetworkDecisionFunction
        The settings of the networks.
    views : ndarray of int64, shape (R, NUM_VIEW_WORDS)
        R views as rows of integers, in the layout of `pokerlab.holdem.table_view`.
    win : float, optional
        The win probability that is used in all views. By default it is that of the cards of each view.

    Returns
    -------
    ndarray of float32, shape (R, 35)
        The inputs in each view, in the order of `INPUTS`.
    """
    wins = np.empty(len(views))
    if win is not None:
        wins[:] = win
    else:
        all_rows = np.arange(len(views), dtype=np.intp)
        fill_win_probabilities(load_win_probability_tables(), settings, views, all_rows, wins)
    inputs = np.empty((len(views), NUM_INPUTS), np.float32)
    fill_network_inputs(settings, views, wins, inputs)
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
    """Return the probabilities that networks fold, call and raise, by win probability and price of a call.

    They are computed for one hand, in which only these two quantities vary. All seats began the hand with the same
    chips. The player has the button and has put in nothing. The seat to its left has put `pot` chips into the pot, and
    then bets the price of the call. All other seats have folded and paid nothing.

    Parameters
    ----------
    network : TableNetwork
        The settings of the networks.
    genomes : array_like of float32, shape (G,) or (k, G)
        The genome of one network, or those of k networks, with G weights each.
    seats : int
        The number of seats at the table, 2 to 10.
    stack, big_blind : int
        The chips of each seat at the start of the hand, and the big blind.
    pot : int
        The chips in the pot before the bet, less than `stack`.
    aggressiveness : float
        The overall and the recent aggressiveness of all seats, 0 to 10. A player that always calls has 1.
    prices : array_like of int, shape (P,), optional
        The P prices of a call in chips. By default there are 21, evenly spaced from 0 to all the chips that the
        opponent has left.

    Returns
    -------
    Habits
        The probabilities at 21 win probabilities from 0 to 1, and at these prices.

    Raises
    ------
    SettingError
        If a number is out of range.
    ShapeError
        If genomes are of another shape or type, or prices are not a row of whole numbers.

    Examples
    --------
    >>> import numpy as np
    >>> network = TableNetwork()
    >>> found = habits(network, network.draw_genomes(np.random.default_rng(1), count=3))
    >>> found.fold.shape, found.prices[:3].tolist(), bool((found.fold[:, :, 0] == 0).all())
    ((3, 21, 21), [0, 49, 98], True)
    """
    check_network(network)
    rows = network.validate_genomes(genomes)
    validate_integer("the number of networks", len(rows), 1)
    validate_integer("seats", seats, FEWEST_SEATS, MOST_SEATS)
    validate_integer("stack", stack, 2, MOST_CHIPS)
    validate_integer("big_blind", big_blind, 1, MOST_CHIPS)
    validate_integer("pot", pot, 0, stack - 1)
    validate_number("aggressiveness", aggressiveness, 0.0, MOST_AGGRESSIVE)
    largest_price = stack - pot
    all_prices = validate_call_prices(prices, largest_price)

    views = make_views_of_bets(
        all_prices,
        seats=seats,
        stack=stack,
        big_blind=big_blind,
        pot=pot,
        aggressiveness=aggressiveness,
    )
    wins = np.linspace(0.0, 1.0, NUM_GRID_POINTS)
    probabilities = compute_output_probabilities(network, rows, views, wins)
    fold, call = probabilities[..., OUTPUT_FOLD], probabilities[..., OUTPUT_CALL]
    bet = probabilities[..., OUTPUT_SMALL:].sum(axis=-1)

    # A fold becomes a check if nothing is owed, and a raise a call if the only opponent has nothing left to put in.
    is_fold_check = (all_prices == 0) & (not network.free_folds)
    is_raise_call = all_prices >= largest_price
    checks = np.where(is_fold_check, fold, 0.0)
    calls_instead_of_raises = np.where(is_raise_call, bet, 0.0)
    return Habits(
        wins=wins,
        prices=all_prices.astype(np.int64),
        fold=np.where(is_fold_check, 0.0, fold),
        call=call + checks + calls_instead_of_raises,
        bet=np.where(is_raise_call, 0.0, bet),
    )


def validate_call_prices(prices: ArrayLike | None, largest_price: int) -> Ints:
    """Return the prices of a call as an array, after checking them.

    Parameters
    ----------
    prices : array_like of int, shape (P,), or None
        The prices of a call, in chips. None stands for NUM_GRID_POINTS prices, evenly spaced from 0 to `largest_price`.
    largest_price : int
        The largest price that is possible: all chips that the opponent has left.

    Returns
    -------
    ndarray of integers, shape (P,)
        The prices.

    Raises
    ------
    SettingError
        If a price is not from 0 to `largest_price`.
    ShapeError
        If the prices are not a row of whole numbers.
    """
    if prices is None:
        return np.linspace(0, largest_price, NUM_GRID_POINTS).astype(np.int64)
    try:
        price_array = np.asarray(fill_masked_with_nan(prices))
    except (TypeError, ValueError):
        raise ShapeError(
            f"prices are {quote_value(prices)}; give a row of whole numbers."
        ) from None
    if price_array.ndim != 1 or price_array.dtype.kind not in "iu" or not price_array.size:
        raise ShapeError(
            f"prices are {quote_value(prices)}; give whole numbers of chips, from 0 to {largest_price}."
        )
    if price_array.min() < 0 or price_array.max() > largest_price:
        raise SettingError(
            f"prices go from {price_array.min()} to {price_array.max()}; give numbers from 0 to {largest_price},"
            " which is all that the opponent has."
        )
    return price_array


def make_views_of_bets(
    prices: Ints, *, seats: int, stack: int, big_blind: int, pot: int, aggressiveness: float
) -> Ints:
    """Return what a player sees when one opponent has bet and all others have folded, for each price of a call.

    The player has the button in seat 0 and has put in nothing. The opponent in seat 1 has put `pot` chips into the pot,
    and then bets the price of the call.

    Parameters
    ----------
    prices : ndarray of int64, shape (P,)
        The P prices of a call, in chips.
    seats : int
        The number of seats at the table.
    stack, big_blind : int
        The chips of each seat at the start of the hand, and the big blind.
    pot : int
        The chips in the pot before the bet.
    aggressiveness : float
        The overall and the recent aggressiveness of all seats.

    Returns
    -------
    ndarray of int64, shape (P, NUM_VIEW_WORDS)
        One view for each price, as a row of integers in the layout of `pokerlab.holdem.table_view`.
    """
    player, opponent = 0, 1
    views = np.zeros((prices.size, at.NUM_VIEW_WORDS), np.int64)
    views[:, [at.SEATS, at.BIG_BLIND]] = seats, big_blind
    views[:, at.TO_CALL] = prices
    views[:, [at.LIVE + player, at.LIVE + opponent]] = 1

    # Only the opponent has paid: the pot before, and the bet.
    pot_after_bet = pot + prices
    views[:, at.POT] = views[:, at.PAID + opponent] = pot_after_bet
    views[:, at.STACKS : at.STACKS + seats] = stack
    views[:, at.STACKS + opponent] -= pot_after_bet

    for first_word in (at.OVERALL, at.RECENT):
        views[:, first_word : first_word + seats] = round(aggressiveness * at.MILLIONTHS)
    return views


def compute_output_probabilities(
    network: TableNetwork, genomes: Floats32, views: Ints, wins: Floats
) -> Floats:
    """Return the probability of each output of k networks, at each of W win probabilities and in each of P views.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    network : TableNetwork
        The settings of the networks.
    genomes : ndarray of float32, shape (k, G)
        The genomes of the networks.
    views : ndarray of int64, shape (P, NUM_VIEW_WORDS)
        P views as rows of integers, in the layout of `pokerlab.holdem.table_view`.
    wins : ndarray of shape (W,)
        The win probabilities. Each is combined with each view.

    Returns
    -------
    ndarray of shape (k, W, P, 5)
        The probabilities. If the networks take their largest output, they are 0 and 1.
    """
    num_networks, num_wins, num_views = len(genomes), len(wins), len(views)
    inputs = np.empty((num_wins * num_views, NUM_INPUTS), np.float32)
    fill_network_inputs(
        network.decision_function,
        np.tile(views, (num_wins, 1)),
        np.repeat(wins, num_views),
        inputs,
    )

    # Each network computes all rows of inputs.
    outputs = compute_network_outputs(
        genomes,
        np.repeat(np.arange(num_networks), len(inputs)),
        np.tile(inputs, (num_networks, 1)),
        num_hidden=network.hidden,
        num_outputs=NUM_OUTPUTS,
    ).reshape(num_networks, num_wins, num_views, NUM_OUTPUTS)

    if network.read_out == "largest":
        return np.asarray(np.eye(NUM_OUTPUTS)[outputs.argmax(axis=-1)])
    return np.asarray(outputs / outputs.sum(axis=-1, keepdims=True, dtype=np.float64))


@kernel
def fill_network_inputs(
    settings: NetworkDecisionFunction, views: Ints, wins: Floats, out_inputs: Floats32
) -> None:
    """Write the 35 inputs that a network gets from each of many views, given the win probability in each view.

    A view is what a player at a table sees when it must act.

    Parameters
    ----------
    settings : NetworkDecisionFunction
        The settings of the network.
    views : ndarray of int64, shape (R, NUM_VIEW_WORDS)
        R views as rows of integers, in the layout of `pokerlab.holdem.table_view`.
    wins : ndarray of shape (R,)
        The win probability in each view.
    out_inputs : ndarray of float32, shape (R, 35)
        Overwritten with the inputs, in the order of `INPUTS`.
    """
    for row in range(views.shape[0]):
        write_network_inputs(settings, views[row], wins[row], out_inputs[row])
