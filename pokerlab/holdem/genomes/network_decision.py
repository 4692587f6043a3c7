"""How a network decides at a table: 35 numbers about the seat go in, one of five actions comes out.

How to read it. `follow_networks` first looks up everybody's chance to win; then, player by player,
`write_inputs` says what the seat sees, `forward` passes it through the weights, `pick` reads an output,
and `action_of` makes it a legal action. `pokerlab.holdem.genomes.table_network` explains the settings.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined, kernel
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.structure import MOST_SEATS
from pokerlab.holdem.cards.deck import BOARD_SIZES, Cards
from pokerlab.holdem.equity.lookup import EquityTables, lookup_tables, win_probability_on
from pokerlab.holdem.genomes.perceptron import Floats32, forward, room_for, rows_for, sigmoid
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.bet_amounts import drawn_bet
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Luck

POT_SIZE, PRICE, OPPONENTS, WIN, LAST = range(5)
CHIPS, ALL_TIME, LATELY, NUM_INPUTS = range(5, 6 + 3 * MOST_SEATS, MOST_SEATS)
"""The inputs in the order of Table I, with the open one behind the first four; then three for each seat,
the player's own first, the others as they sit on its left."""
FOLDS, CALLS, SMALL, MEDIUM, LARGE, NUM_OUTPUTS = range(6)
MOST_OPPONENTS = MOST_SEATS - 1
MOST_AGGRESSIVE = 10
MOST_MILLIONTHS = MOST_AGGRESSIVE * at.MILLIONTHS
NO_LIMIT = 1 << 62
BLOCK = 64

TO_THE_BUTTON, CONSTANT_ONE, CONSTANT_ZERO = range(3)
MEAN_STACK, TABLE_CHIPS, TOURNAMENT_CHIPS, BIG_BLINDS, SINGLE_CHIPS, AS_THEY_ARE = range(6)
IN_HAND, AT_TABLE = range(2)
ONE_HAND, ALL_HANDS = range(2)
SAMPLED, LARGEST = range(2)
OF_POT, OF_STACK, DRAWN_SHARE, DRAWN_SHARE_CONTINUOUS = range(4)
"""Readings, in the order in which `TableNetwork` names them."""


class NetworkAnswer(NamedTuple):
    """What answers for networks with the same settings: call it as `pokerlab.holdem.table.players` has it.

    Readings are their numbers in this module, all else is as in `TableNetwork`.
    """

    hidden: int
    sigmoid_inputs: bool
    free_folds: bool
    last_input: int
    scale: int
    opponents: int
    against: int
    read_out: int
    raise_unit: int
    tie: float  # what a tie counts
    tournament_chips: float
    small_raise: float
    medium_raise: float
    large_raise: float

    def __call__(
        self, views: Ints, asked: Rows, parameters: Floats32, luck: Luck, out_actions: Luck
    ) -> None:
        """Answer for networks that are laid out (see `perceptron`)."""
        # As a plain tuple: a kernel takes 3 us to recognize a named one.
        follow_networks(lookup_tables(), tuple(self), views, asked, parameters, luck, out_actions)


@kernel
def follow_networks(
    tables: EquityTables,
    unnamed: tuple[Any, ...],
    views: Ints,
    asked: Rows,
    parameters: Floats32,
    luck: Luck,
    out_actions: Luck,
) -> None:
    """Write the actions of networks with these settings; all else as `pokerlab.holdem.table.players` has it."""
    settings = NetworkAnswer(*unnamed)
    wins = np.empty(asked.size)
    chances_to_win(tables, settings, views, asked, wins)
    inputs = np.ones((BLOCK, rows_for(NUM_INPUTS)), np.float32)
    units, outputs = room_for(BLOCK, settings.hidden, NUM_OUTPUTS)
    room = np.empty(BLOCK, np.int64), inputs, units, outputs
    for begin in range(0, asked.size, BLOCK):
        block = slice(begin, begin + BLOCK)
        rows, chances = asked[block], wins[block]
        answer_block(settings, views, rows, parameters, chances, luck, room, out_actions)


@kernel
def chances_to_win(
    tables: EquityTables, settings: NetworkAnswer, views: Ints, asked: Rows, out_wins: Luck
) -> None:
    """Write the input WIN of each row asked.

    The tables are far larger than a processor's caches. In a loop of its own, one look-up does not wait
    for the one before.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for place in range(asked.size):
        out_wins[place] = chance_to_win(tables, settings, views[asked[place]], hole, board)


@inlined
def chance_to_win(
    tables: EquityTables, settings: NetworkAnswer, view: Ints, hole: Cards, board: Cards
) -> float:
    """Return the input WIN; `hole` and `board` are room for the cards."""
    hole[0], hole[1] = view[at.HOLE], view[at.HOLE + 1]
    num_board = BOARD_SIZES[view[at.STREET]]
    for card in range(num_board):
        board[card] = view[at.BOARD + card]
    against_one = win_probability_on(tables, hole, board[:num_board], settings.tie)
    if settings.against == ONE_HAND:
        return against_one
    chance = 1.0
    for other in range(view[at.SEATS]):
        if other != view[at.SEAT] and view[at.LIVE + other] != 0:
            chance *= against_one
    return chance


@inlined
def answer_block(
    settings: NetworkAnswer,
    views: Ints,
    asked: Rows,
    parameters: Floats32,
    wins: Luck,
    luck: Luck,
    room: tuple[Ints, Floats32, Floats32, Floats32],
    out_actions: Luck,
) -> None:
    """Write the actions of at most BLOCK networks, in memory that fits a processor's nearest cache."""
    networks, inputs, units, outputs = room
    for place in range(asked.size):
        view = views[asked[place]]
        networks[place] = view[at.PARAMETERS]
        write_inputs(settings, view, wins[place], inputs[place])
    count = asked.size
    width = outputs.size // BLOCK
    forward(
        parameters,
        networks[:count],
        inputs[:count],
        settings.hidden,
        units[: units.size // BLOCK * count],
        outputs[: width * count],
    )
    for place in range(count):
        row = asked[place]
        output, rest = pick(settings, outputs[place * width : (place + 1) * width], luck[row])
        out_actions[row] = action_of(settings, views[row], output, rest)


@inlined
def write_inputs(settings: NetworkAnswer, view: Ints, win: float, out_inputs: Floats32) -> None:
    """Write the inputs of the seat to act, whose chance to win is `win`."""
    seats, seat = view[at.SEATS], view[at.SEAT]
    dealt_in, live, chips = 0, 0, 0
    for other in range(seats):
        held = view[at.STACKS + other] + view[at.PAID + other]
        dealt_in += held > 0
        live += view[at.LIVE + other]
        chips += held
    a_chip = value_of_a_chip(settings, view, chips, dealt_in)
    others = (live if settings.opponents == IN_HAND else dealt_in) - 1
    out_inputs[POT_SIZE] = view[at.POT] * a_chip
    out_inputs[PRICE] = view[at.TO_CALL] * a_chip
    most_opponents, millionths = MOST_OPPONENTS, MOST_MILLIONTHS
    most = MOST_MILLIONTHS
    if settings.scale == AS_THEY_ARE:
        most_opponents, millionths, most = 1, at.MILLIONTHS, NO_LIMIT
    out_inputs[OPPONENTS] = others / most_opponents
    out_inputs[WIN] = win
    out_inputs[LAST] = 1.0 if settings.last_input == CONSTANT_ONE else 0.0
    if settings.last_input == TO_THE_BUTTON:
        out_inputs[LAST] = hands_until_button(view) / most_opponents
    for place in range(seats):
        other = seat + place - (seats if seat + place >= seats else 0)
        stack = view[at.STACKS + other]
        a_millionth = 1.0 / millionths if stack + view[at.PAID + other] > 0 else 0.0
        out_inputs[CHIPS + place] = stack * a_chip
        out_inputs[ALL_TIME + place] = min(view[at.OVERALL + other], most) * a_millionth
        out_inputs[LATELY + place] = min(view[at.RECENT + other], most) * a_millionth
    for place in range(seats, MOST_SEATS):
        out_inputs[CHIPS + place] = 0.0
        out_inputs[ALL_TIME + place] = out_inputs[LATELY + place] = 0.0
    if settings.sigmoid_inputs:
        for place in range(NUM_INPUTS):
            out_inputs[place] = sigmoid(out_inputs[place])


@inlined
def value_of_a_chip(settings: NetworkAnswer, view: Ints, chips: int, dealt_in: int) -> float:
    """Return what a chip counts, where `dealt_in` seats have so many `chips` together."""
    if settings.scale == MEAN_STACK:
        return float(dealt_in / chips)
    if settings.scale == TABLE_CHIPS:
        return 1.0 / chips
    if settings.scale == TOURNAMENT_CHIPS:
        return 1.0 / settings.tournament_chips
    return 1.0 / view[at.BIG_BLIND] if settings.scale == BIG_BLINDS else 1.0


@inlined
def hands_until_button(view: Ints) -> int:
    """Return after how many hands the seat has the button, if nobody is out or comes before."""
    hands, other = 0, view[at.BUTTON]
    while other != view[at.SEAT]:
        other = other + 1 if other + 1 < view[at.SEATS] else 0
        hands += view[at.STACKS + other] + view[at.PAID + other] > 0
    return hands


@inlined
def pick(settings: NetworkAnswer, outputs: Floats32, luck: float) -> tuple[int, float]:
    """Return the output that decides, the largest or one drawn in proportion, and the luck that is left."""
    if settings.read_out == LARGEST:
        best = 0
        for output in range(1, NUM_OUTPUTS):
            if outputs[output] > outputs[best]:
                best = output
        return best, luck
    total = 0.0
    for output in range(NUM_OUTPUTS):
        total += outputs[output]
    left, output = luck * total, 0
    while output < NUM_OUTPUTS - 1 and left >= outputs[output]:
        left -= outputs[output]
        output += 1
    return output, left / outputs[output]


@inlined
def action_of(settings: NetworkAnswer, view: Ints, output: int, rest: float) -> int:
    """Return the action that an output means here: FOLD, CALL (or check), or the chips to raise to."""
    if output == FOLDS:
        folds = view[at.TO_CALL] > 0 or (settings.free_folds and view[at.CAN_FOLD] != 0)
        return FOLD if folds else CALL
    if output == CALLS or view[at.MIN_RAISE_TO] == 0:
        return CALL
    if settings.raise_unit >= DRAWN_SHARE:
        continuous = settings.raise_unit == DRAWN_SHARE_CONTINUOUS
        return int(drawn_bet(view, output - SMALL, rest, continuous))
    size = settings.small_raise
    if output == MEDIUM:
        size = settings.medium_raise
    elif output == LARGE:
        size = settings.large_raise
    if settings.raise_unit == OF_POT:
        unit = view[at.POT] + view[at.TO_CALL]
    else:
        unit = view[at.STACKS + view[at.SEAT]] - view[at.TO_CALL]
    wanted = view[at.BET] + size * unit
    if wanted >= view[at.MAX_RAISE_TO]:
        return int(view[at.MAX_RAISE_TO])
    return max(int(wanted), int(view[at.MIN_RAISE_TO]))
