"""A network as a player of no-limit hold'em at a full table, as Nicolai & Hilderman (2009) evolve it.

The 35 inputs of Table I go through 20 hidden units to five outputs (section III-A of [1]_). That these are fold,
call, and a small, a medium and a large raise stands in G. Nicolai's thesis [2]_. The paper says little more, so that
nearly everything is a setting of `TableNetwork`.

Networks have one hidden layer and a sigmoid at both layers, in float32, and many are computed at once.

The weights of a network of I inputs, H hidden units and O outputs are a row of numbers: for each input its weights to
the H hidden units, then their biases; for each hidden unit its weights to the O outputs, then theirs.

Kernels read them *laid out*: as two matrices, one row for each unit below and then one for the biases, which belong
to a unit that is always 1. Zeros make the number of rows a multiple of `AT_ONCE`, which are added in one sweep, and
that of columns a multiple of `LANES`, which a processor adds up side by side; they change no sum.

A network decides at a table by 35 numbers about the seat; one of five actions comes out. `follow_networks` first
looks up everybody's chance to win; then, player by player, `write_inputs` says what the seat sees, `forward` passes
it through the weights, `pick` reads an output, and `action_of` makes it a legal action.

What a network sees, how it computes, and what it tends to do, is there as numbers for pictures, too: `features`,
`decision`, `habits`.

References
----------
.. [1] G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural
   Networks", IEEE Symposium on Computational Intelligence and Games 2009.
.. [2] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis, University of
   Regina, 2008, section 4.1.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, Ints, SettingError, ShapeError, inlined, kernel
from pokerlab.core.arrays import fill_missing
from pokerlab.core.errors import in_short
from pokerlab.core.settings import Checked, check_kind, number, setting, unprinted, whole
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import BOARD_SIZES, Cards
from pokerlab.holdem.equity import TIES_WON, EquityTables, lookup_tables, win_probability_on
from pokerlab.holdem.hand import CALL, FEWEST_SEATS, FOLD, MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.players import CompiledPlayer, Rows, compiled_players, drawn_bet
from pokerlab.holdem.table_view import Luck, SeatView
from pokerlab.strategies.encoding import read_genomes

Floats32 = NDArray[np.float32]
AT_ONCE, LANES = 3, 8
USUAL_WIDTH = 24
"""Of the first matrix of the paper's network of 20 hidden units, which kernels are compiled for."""
ONE = np.float32(1.0)

LARGEST_SUM = np.float32(87.0)
"""Sums of outputs are cut here, so that a sigmoid is never zero and its logarithm is a number."""
LARGEST_HIDDEN_SUM = np.float32(60.0)
"""Those of hidden units, so that such a unit times a weight is no subnormal number, for which processors take a
hundred times as long. The sigmoid of a sum that differs by 1e-26 times a weight is the same in float32."""
LOG2_E, LN_2, LN_2_REST = np.float32(1.442695), np.float32(0.693359375), np.float32(-2.1219444e-4)
"""1 / ln 2, and ln 2 in two parts, the first of which has few digits."""
WHOLE = np.float32(1.5 * 2**23)
"""A float32 of this size has no digits behind the point: adding it rounds to a whole number."""
EXPONENT_BITS, EXPONENT_OF_ONE = 23, 127
E_2, E_3, E_4 = map(np.float32, (0.5, 0.16666665459, 0.041665795894))
E_5, E_6, E_7 = map(np.float32, (0.0083334519073, 1.3981999507e-3, 1.98756915e-4))
"""exp(x) = 1 + x + E_2 x^2 + ... + E_7 x^7 for |x| <= ln 2 / 2, as S. L. Moshier's Cephes has it."""


def num_weights(inputs: int, hidden: int, outputs: int) -> int:
    """Return how many weights a network has, biases included.

    Examples
    --------
    >>> num_weights(35, 20, 5)
    825
    """
    return (inputs + 1) * hidden + (hidden + 1) * outputs


def outputs_of(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    *,
    hidden: int,
    outputs: int,
) -> Floats32:
    """Return the outputs, (R, O), of networks, (N, W): each row of inputs, (R, I), through the one that it names, (R,).

    They go from 1.6e-38 to 1: sums are cut at -87 and 87, those of hidden units at -60 and 60.
    """
    size = inputs.shape[1]
    below = np.ones((len(inputs), rows_for(size)), np.float32)
    below[:, :size] = inputs
    matrices = laid_out(weights, size, hidden, outputs)
    units, out = room_for(len(inputs), hidden, outputs)
    fill_outputs(matrices, networks, below, hidden, units, out)
    return out.reshape(len(inputs), columns_for(outputs))[:, :outputs]


def laid_out(weights: Floats32, inputs: int, hidden: int, outputs: int) -> Floats32:
    """Return networks, (N, W), as kernels read them: one matrix behind the other in each row.

    The first matrix has columns for the unit that is always 1 among the hidden ones, too.
    """
    count, below = len(weights), rows_for(hidden)
    first = np.zeros((count, rows_for(inputs), columns_for(below)), np.float32)
    second = np.zeros((count, below, columns_for(outputs)), np.float32)
    middle = (inputs + 1) * hidden
    into, out = weights[:, :middle], weights[:, middle:]
    first[:, : inputs + 1, :hidden] = into.reshape(count, inputs + 1, hidden)
    second[:, : hidden + 1, :outputs] = out.reshape(count, hidden + 1, outputs)
    # No -1 in these shapes: of no networks, numpy could not tell how long a row is.
    return np.hstack(
        [each.reshape(count, each.shape[1] * each.shape[2]) for each in (first, second)]
    )


@inlined
def rows_for(units: int) -> int:
    """Return the height of the matrix above so many units."""
    return (units + AT_ONCE) // AT_ONCE * AT_ONCE


@inlined
def columns_for(units: int) -> int:
    """Return the width of the matrix below so many units."""
    return (units + LANES - 1) // LANES * LANES


@kernel
def room_for(count: int, hidden: int, outputs: int) -> tuple[Floats32, Floats32]:
    """Return memory for the hidden units and the outputs of so many networks."""
    return (
        np.empty(count * columns_for(rows_for(hidden)), np.float32),
        np.empty(count * columns_for(outputs), np.float32),
    )


@kernel
def fill_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    below: Floats32,
    hidden: int,
    out_units: Floats32,
    out: Floats32,
) -> None:
    """Write the outputs of each row."""
    forward(weights, networks, below, hidden, out_units, out)


@inlined
def forward(
    weights: Floats32,
    networks: NDArray[np.int64],
    below: Floats32,
    hidden: int,
    out_units: Floats32,
    out: Floats32,
) -> None:
    """Write the outputs of each row of inputs, ones behind them, through the network that it names, as it is laid out.

    Layer by layer for all rows: sums do not wait for the sigmoids of the row before. `out_units` and `out` are from
    `room_for`.
    """
    count, num_inputs = below.shape
    num_units = rows_for(hidden)
    width = columns_for(num_units)
    last = out.size // max(count, 1)
    for row in range(count):
        units = out_units[row * width : (row + 1) * width]
        # Widths that the compiler knows make the sums a fifth faster.
        if width == USUAL_WIDTH:
            add_up(weights[networks[row]], 0, below[row], num_inputs, units, USUAL_WIDTH)
        else:
            add_up(weights[networks[row]], 0, below[row], num_inputs, units, width)
    bend(out_units, LARGEST_HIDDEN_SUM)
    for row in range(count):
        units = out_units[row * width : (row + 1) * width]
        units[hidden] = ONE
        outputs, begin = out[row * last : (row + 1) * last], num_inputs * width
        if last == LANES:
            add_up(weights[networks[row]], begin, units, num_units, outputs, LANES)
        else:
            add_up(weights[networks[row]], begin, units, num_units, outputs, last)
    bend(out, LARGEST_SUM)


@inlined
def add_up(
    weights: Floats32, begin: int, below: Floats32, rows: int, out: Floats32, units: int
) -> None:
    """Write the sums of a layer's `units`, whose weights begin there."""
    for unit in range(units):
        out[unit] = 0.0
    # Unsigned: where an index may be negative, the compiler takes one unit at a time.
    place, step = np.uint64(begin), np.uint64(units)
    for row in range(0, rows, AT_ONCE):
        one, two, three = below[row], below[row + 1], below[row + 2]
        for unit in range(units):
            at = place + np.uint64(unit)
            out[unit] += (
                weights[at] * one + weights[at + step] * two + weights[at + step + step] * three
            )
        place += step + step + step


@inlined
def bend(units: Floats32, largest: np.float32) -> None:
    """Replace sums, cut at plus or minus the largest, by their sigmoids."""
    for unit in range(units.size):
        units[unit] = sigmoid(min(max(units[unit], -largest), largest))


@inlined
def sigmoid(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)) with x cut at -87 and 87, in steps that a processor does for many x at once.

    With -x = n ln 2 + r, where n is a whole number, exp(-x) is 2^n exp(r): a polynomial of r, and n
    written into the bits of the exponent.
    """
    minus = min(max(-x, -LARGEST_SUM), LARGEST_SUM)
    shifted = np.float32(minus * LOG2_E + WHOLE)
    n = shifted - WHOLE
    r = minus - n * LN_2 - n * LN_2_REST
    power = np.int32(shifted.view(np.int32) + EXPONENT_OF_ONE << EXPONENT_BITS).view(np.float32)
    exp = (
        (((((E_7 * r + E_6) * r + E_5) * r + E_4) * r + E_3) * r + E_2) * (r * r) + r + ONE
    ) * power
    return ONE / (ONE + exp)


POT_SIZE, PRICE, OPPONENTS, WIN, TO_BUTTON = range(5)
CHIPS, ALL_TIME, LATELY, NUM_INPUTS = range(5, 6 + 3 * MOST_SEATS, MOST_SEATS)
"""The inputs in the order of Table I, which has one too few: the thesis adds the position behind the first four. Then
three for each seat, the player's own first, the others as they sit on its left."""
FOLDS, CALLS, SMALL, MEDIUM, LARGE, NUM_OUTPUTS = range(6)
TIE = TIES_WON["win"]  # what it counts in the chance to win: section III-A
MOST_OPPONENTS = MOST_SEATS - 1
MOST_AGGRESSIVE = 10
MOST_MILLIONTHS = MOST_AGGRESSIVE * at.MILLIONTHS
NO_LIMIT = 1 << 62
BLOCK = 64

MEAN_STACK, AS_THEY_ARE = range(2)
ONE_HAND, ALL_HANDS = range(2)
SAMPLED, LARGEST = range(2)
OF_POT, DRAWN_SHARE = range(2)
"""Readings, in the order in which `TableNetwork` names them."""


class NetworkAnswer(NamedTuple):
    """What answers for networks with the same settings: call it as `pokerlab.holdem.players` has it.

    Readings are their numbers in this module, all else is as in `TableNetwork`.
    """

    hidden: int
    free_folds: bool
    scale: int
    against: int
    read_out: int
    raise_unit: int
    small_raise: float
    medium_raise: float
    large_raise: float

    def __call__(
        self, views: Ints, asked: Rows, parameters: Floats32, luck: Luck, out_actions: Luck
    ) -> None:
        """Answer for networks that are laid out (see `laid_out`)."""
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
    """Write the actions of networks with these settings; all else as `pokerlab.holdem.players` has it."""
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
    against_one = win_probability_on(tables, hole, board[:num_board], TIE)
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
    a_chip, most_opponents, millionths, most = 1.0, 1, at.MILLIONTHS, NO_LIMIT
    if settings.scale == MEAN_STACK:
        a_chip, most_opponents = dealt_in / chips, MOST_OPPONENTS
        millionths = most = MOST_MILLIONTHS
    out_inputs[POT_SIZE] = view[at.POT] * a_chip
    out_inputs[PRICE] = view[at.TO_CALL] * a_chip
    out_inputs[OPPONENTS] = (live - 1) / most_opponents
    out_inputs[WIN] = win
    out_inputs[TO_BUTTON] = hands_until_button(view) / most_opponents
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
    if settings.raise_unit == DRAWN_SHARE:
        return int(drawn_bet(view, output - SMALL, rest, False))
    size = settings.small_raise
    if output == MEDIUM:
        size = settings.medium_raise
    elif output == LARGE:
        size = settings.large_raise
    wanted = view[at.BET] + size * (view[at.POT] + view[at.TO_CALL])
    if wanted >= view[at.MAX_RAISE_TO]:
        return int(view[at.MAX_RAISE_TO])
    return max(int(wanted), int(view[at.MIN_RAISE_TO]))


SCALES = ("mean stack", "as they are")
AGAINST = ("one hand", "all hands")
READ_OUTS = ("sampled", "largest")
RAISE_UNITS = ("pot", "drawn share")
"""The readings, in the order of their numbers in `NetworkAnswer`."""
STARTS = {"normal": 1.0, "narrow normal": 0.5}
"""Standard deviations of the first weights."""
MOST_HIDDEN = 1_000
LARGEST_RAISE = 1_000.0
LARGEST_WEIGHT = 1e9
"""So that no sum of weighted inputs leaves float32, even where these are single chips."""

SEATS = ("own", *(f"{seat} to the left" for seat in range(1, MOST_SEATS)))
INPUTS = (
    *("pot", "call", "opponents", "win percent", "hands until the button"),
    *(f"{what}, {seat}" for what in ("chips", "overall", "recent") for seat in SEATS),
)
"""What each input is."""
OUTPUTS = ("fold", "call", "small raise", "medium raise", "large raise")  # what each output is


def silent(default: Any, label: str, help: str, **about: Any) -> Any:
    """Return a setting on which the paper is silent."""
    source = "Nicolai & Hilderman 2009, section III-A, does not say"
    return unprinted(default, help, label=label, source=source, **about)


def raise_of(default: float, label: str, help: str = "How much it raises above the call.") -> Any:
    """Return the size of a raise, in the unit of raises."""
    return silent(
        default,
        label,
        help,
        low=0.0,
        high=LARGEST_RAISE,
        needs=lambda network: network.raise_unit == "pot",
    )


@dataclass(frozen=True, kw_only=True)
class TableNetwork(Checked):
    """What a network sees at a table, how large it is, and what its outputs mean.

    A decision by hand. The inputs are, in this order: the pot, the price of a call, the number of opponents in the hand
    over 9, the chance to win, where a tie is a win, and after how many hands the player has the button, over 9; then
    for each of ten seats, the player's own first and the others as they sit on its left, the chips behind; in the same
    order everybody's overall aggressiveness, and everybody's recent one, cut at 10 and divided by 10. Seats that are
    empty or without chips are 0. Amounts are divided as `scale` says.
    Each hidden unit adds up the inputs times its weights, and its bias, and turns the sum s into 1 / (1 + exp(-s)) (a
    polynomial in float32, right to 2e-7 of its value); each output does the same with the hidden units. Say that the
    outputs are 0.1, 0.5, 0.2, 0.1 and 0.1, and that the table's luck for this decision is 0.75: of their sum, 1, the
    first 0.1 belong to fold, the next 0.5 to call, the next 0.2 to a small raise, and there 0.75 lies. With 60 in the
    pot after a call and a bet of 20 to match, half the pot more is a raise to 50, or to the least or the most allowed
    if that is nearer.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> genomes = encoding.random(np.random.default_rng(1), count=10)
    >>> genomes.shape, str(genomes.dtype)
    ((10, 825), 'float32')
    >>> from pokerlab.holdem import no_limit, ring_game
    >>> game = ring_game(no_limit(5, 10), seats=len(genomes))
    >>> played = game.play(encoding.players(genomes), 20, seed=1)
    >>> int(played.won.sum())
    0
    """

    hidden: int = setting(
        20,
        "Units of the hidden layer.",
        label="Hidden units",
        source="Nicolai & Hilderman 2009, section III-A",
        within=(1, MOST_HIDDEN),
    )
    scale: str = silent(
        "mean stack",
        "Unit of chips",
        "What chips, pot and call are divided by: the mean of who is dealt in at the table, what they have put in"
        " included. 'as they are': by nothing, nor is anything else divided or cut.",
        choices=SCALES,
    )
    against: str = silent(
        "one hand",
        "Win percentage against",
        "One random hand, or that number to the power of the opponents in the hand, as if their hands were"
        " independent: of aces against nine hands it says 24 %, and they win 31 %.",
        choices=AGAINST,
    )
    read_out: str = silent(
        "sampled",
        "Outputs are",
        "Drawn in proportion to their values, or the largest decides.",
        choices=READ_OUTS,
    )
    small_raise: float = raise_of(
        0.5,
        "Small raise",
        "How much it raises above the call, in whole chips between the least and the most allowed.",
    )
    medium_raise: float = raise_of(1.0, "Medium raise")
    large_raise: float = raise_of(3.0, "Large raise")
    raise_unit: str = silent(
        "pot",
        "Raises are times the",
        "The pot after the call; or a share of the chips behind is drawn.",
        choices=RAISE_UNITS,
    )
    free_folds: bool = silent(
        False,
        "Networks fold for free",
        "Whether they fold where they owe nothing, if the structure allows it; or check.",
    )
    start: str = silent(
        "normal",
        "First weights",
        "Normal with deviation 1, or 0.5 if narrow.",
        choices=tuple(STARTS),
    )

    @property
    def num_genes(self) -> int:
        """G: the number of weights, 825 by default, in the order that this module begins with."""
        return num_weights(NUM_INPUTS, self.hidden, NUM_OUTPUTS)

    @property
    def answer(self) -> NetworkAnswer:
        """What answers for these networks at a table; equal for equal settings."""
        return NetworkAnswer(
            hidden=self.hidden,
            free_folds=self.free_folds,
            scale=SCALES.index(self.scale),
            against=AGAINST.index(self.against),
            read_out=READ_OUTS.index(self.read_out),
            raise_unit=RAISE_UNITS.index(self.raise_unit),
            small_raise=float(self.small_raise),
            medium_raise=float(self.medium_raise),
            large_raise=float(self.large_raise),
        )

    def random(self, generator: np.random.Generator, count: int) -> Floats32:
        """Return `count` networks, (count, G), as an evolution begins with."""
        shape = (whole("count", count, 0), self.num_genes)
        return np.float32(STARTS[self.start]) * generator.standard_normal(shape, np.float32)

    def checked(self, genomes: ArrayLike) -> Floats32:
        """Return networks, (G,) or (k, G), as rows, (k, G), of float32 weights up to a billion in size."""
        of = f"a network of {NUM_INPUTS} inputs, {self.hidden} hidden units and {NUM_OUTPUTS} outputs"
        rows: Floats32 = read_genomes(
            genomes, self.num_genes, of, kind=None, low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT
        )
        if rows.dtype != np.float32:
            raise ShapeError(
                f"the weights are {rows.dtype}; networks compute in float32, so give weights.astype(numpy.float32)."
            )
        return rows

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of networks, (G,) or (k, G); called 'network 0' and so on."""
        rows = self.checked(genomes)
        weights = laid_out(rows, NUM_INPUTS, self.hidden, NUM_OUTPUTS)
        return compiled_players(self.answer, weights, names, word="network", made_of="networks")


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
    hands until the button: 0.000
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
