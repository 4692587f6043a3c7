"""How a network of Nicolai & Hilderman (2009) decides at a table, once more, one number at a time.

`pokerlab.strategies.TableNetwork` explains the settings, which have the same names here.
"""

from collections.abc import Sequence

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.equity.equity import win_probability
from pokerlab.holdem.table.view import OVERALL, RECENT, SeatView

MILLION = 10**6


def network_inputs(
    view: SeatView,
    *,
    last_input: str = "hands until the button",
    scale: str = "mean stack",
    tournament_chips: int = 1_000_000,
    opponents: str = "in the hand",
    against: str = "one hand",
    ties: str = "win",
    sigmoid_inputs: bool = False,
) -> list[float]:
    """Return the 35 inputs of the seat to act."""
    seats = range(view.num_seats)
    began_with = [stack + paid for stack, paid in zip(view.stacks, view.paid, strict=True)]
    dealt_in = [seat for seat in seats if began_with[seat] > 0]
    still_in = [seat for seat in seats if view.live[seat]]

    divisor = {
        "mean stack": sum(began_with) / len(dealt_in),
        "chips of the table": sum(began_with),
        "chips of the tournament": tournament_chips,
        "big blinds": view.big_blind,
        "chips": 1,
    }[scale]
    win = win_probability(view.hole, view.board, ties)
    if against == "all hands":
        win **= len(still_in) - 1
    counted = still_in if opponents == "in the hand" else dealt_in

    to_the_left = [(view.button + step) % view.num_seats for step in range(view.num_seats)]
    passed = to_the_left[1 : to_the_left.index(view.seat) + 1]
    last = {
        "hands until the button": sum(seat in dealt_in for seat in passed) / 9,
        "one": 1.0,
        "zero": 0.0,
    }[last_input]

    chips, overall, recent = [0.0] * 10, [0.0] * 10, [0.0] * 10
    for place in range(view.num_seats):
        seat = (view.seat + place) % view.num_seats
        if seat in dealt_in:
            chips[place] = view.stacks[seat] / divisor
            overall[place] = min(view.words[OVERALL + seat] / MILLION, 10) / 10
            recent[place] = min(view.words[RECENT + seat] / MILLION, 10) / 10

    pot, price = view.pot / divisor, view.legal.to_call / divisor
    inputs = [pot, price, (len(counted) - 1) / 9, win, last, *chips, *overall, *recent]
    return [float(sigmoid(np.array(x))) for x in inputs] if sigmoid_inputs else inputs


def network_outputs(genome: Sequence[float], inputs: Sequence[float], hidden: int = 20) -> Floats:
    """Return the five outputs, (5,), of a network with so many hidden units."""
    weights = np.asarray(genome, float)
    biases = len(weights) == 36 * hidden + 5 * (hidden + 1)
    first, weights = np.split(weights, [35 * hidden])
    of_hidden, weights = np.split(weights, [hidden * biases])
    second, of_outputs = np.split(weights, [5 * hidden])
    units = np.asarray(inputs) @ first.reshape(35, hidden) + (of_hidden if biases else 0.0)
    outputs = sigmoid(units) @ second.reshape(hidden, 5) + (of_outputs if biases else 0.0)
    return sigmoid(outputs)


def network_decision(
    outputs: Floats,
    view: SeatView,
    *,
    read_out: str = "sampled",
    sizes: Sequence[float] = (0.5, 1.0, 3.0),
    raise_unit: str = "pot",
    free_folds: bool = False,
) -> int:
    """Return what a network with these outputs does: FOLD, CALL, or the chips to raise to."""
    legal, output = view.legal, read_off(outputs, view.luck, read_out)
    if output == 0:
        folds = legal.to_call > 0 or (free_folds and legal.can_fold)
        return FOLD if folds else CALL
    if output == 1 or legal.min_raise_to is None or legal.max_raise_to is None:
        return CALL
    after_call = view.stacks[view.seat] - legal.to_call
    unit = view.pot + legal.to_call if raise_unit == "pot" else after_call
    to_match = view.bets[view.seat] + legal.to_call
    wanted = int(to_match + sizes[output - 2] * unit)
    return max(legal.min_raise_to, min(wanted, legal.max_raise_to))


def read_off(outputs: Floats, luck: float, read_out: str = "sampled") -> int:
    """Return which output decides: the largest, or one drawn in proportion by a number in [0, 1)."""
    if read_out == "largest":
        return int(outputs.argmax())
    ends = outputs.cumsum()
    return int(np.searchsorted(ends, luck * ends[-1], side="right"))


def sigmoid(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x)), where x beyond 87 counts as 87, and below -87 as -87."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -87.0, 87.0))))
