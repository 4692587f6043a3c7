"""The network genome: a neural network that plays no-limit hold'em, as Nicolai & Hilderman (2009) evolve it.

A network has the 35 inputs of Table I, 20 hidden units and five outputs (section III-A of [1]_). By Nicolai's thesis
[2]_ the outputs are a fold, a call, and a small, a medium and a large raise. The paper specifies hardly anything else,
so these choices are settings of `TableNetwork`.

Networks have one hidden layer and a sigmoid at both layers. The module `network_passes` computes many networks at once,
and describes the order of the weights in a genome.

At a table, `write_network_actions` first looks up the win probabilities of all seats that are to act. Then, for one
block of seats after the other, `write_network_inputs` writes the inputs of each seat, `run_forward_pass` computes the
outputs, `choose_network_output` draws an output, and `convert_output_to_action` converts it to a legal action.

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
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, ShapeError, inlined, kernel
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import (
    CheckedSettings,
    setting,
    unprinted_setting,
    validate_integer,
)
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.cards import BOARD_SIZES, Cards
from pokerlab.holdem.equity import (
    TIE_VALUES,
    WinProbabilityTables,
    load_win_probability_tables,
    look_up_win_probability,
)
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.network_passes import (
    Floats32,
    allocate_layers,
    count_network_weights,
    count_padded_rows,
    pack_network_weights,
    run_forward_pass,
)
from pokerlab.holdem.players import CompiledPlayer, Rows, draw_bet_action, make_compiled_players
from pokerlab.strategies.encoding import validate_genomes

POT_SIZE, CALL_COST, OPPONENTS, WIN_CHANCE, TO_BUTTON = range(5)
SEAT_CHIPS, OVERALL_AGGRESSIVENESS, RECENT_AGGRESSIVENESS, NUM_INPUTS = range(
    5, 6 + 3 * MOST_SEATS, MOST_SEATS
)
"""The inputs in the order of Table I. The table lacks one input, the position, which the thesis has after the first
four. Then follow three inputs for each seat, beginning with the player's own seat and going on to its left."""
OUTPUT_FOLD, OUTPUT_CALL, OUTPUT_SMALL, OUTPUT_MEDIUM, OUTPUT_LARGE, NUM_OUTPUTS = range(6)
TIE_VALUE = TIE_VALUES["win"]  # a tie counts as a win in the probability of winning (section III-A)
MOST_OPPONENTS = MOST_SEATS - 1
MOST_AGGRESSIVE = 10
MOST_MILLIONTHS = MOST_AGGRESSIVE * at.MILLIONTHS
UNBOUNDED = 1 << 62
BLOCK_SIZE = 64

MEAN_STACK, AS_THEY_ARE = range(2)
ONE_HAND, ALL_HANDS = range(2)
SAMPLED, LARGEST = range(2)
OF_POT, BET_SHARE = range(2)
"""The values of the settings of `TableNetwork` in kernels, in the order of the settings' names."""


class NetworkDecisionFunction(NamedTuple):
    """The function that decides for all networks with the same settings: their players' `decision_function`.

    The fields are the settings of `TableNetwork` with the same names. A named choice is replaced by its number, one of
    the constants of this module.
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
        self,
        views: Ints,
        rows_to_act: Rows,
        parameters: Floats32,
        uniforms: Floats,
        out_actions: Floats,
    ) -> None:
        """Write the actions of networks at the tables where they are to act.

        Parameters
        ----------
        views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
            What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
        rows_to_act : ndarray of int, shape (n,)
            The indices of the n tables at which networks are to act.
        parameters : ndarray of float32, shape (networks, ...)
            The weights of all networks, from `pack_network_weights`. Each view has the row of the network that acts.
        uniforms : ndarray of shape (tables,)
            A random number in [0, 1) for the decision at each table.
        out_actions : ndarray of shape (tables,)
            Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
        """
        # The settings are passed as a plain tuple, because a call with a named tuple takes 3 microseconds longer.
        write_network_actions(
            load_win_probability_tables(),
            tuple(self),
            views,
            rows_to_act,
            parameters,
            uniforms,
            out_actions,
        )


@kernel
def write_network_actions(
    equity_tables: WinProbabilityTables,
    setting_values: tuple[Any, ...],
    views: Ints,
    rows_to_act: Rows,
    parameters: Floats32,
    uniforms: Floats,
    out_actions: Floats,
) -> None:
    """Write the actions of networks at the tables where they are to act.

    Parameters
    ----------
    equity_tables : WinProbabilityTables
        The tables of numbers from which win probabilities are looked up, from `load_win_probability_tables`.
    setting_values : tuple
        The settings of the networks, a `NetworkDecisionFunction` as a plain tuple.
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n tables at which networks are to act.
    parameters : ndarray of float32, shape (networks, ...)
        The weights of all networks, from `pack_network_weights`. Each view has the row of the network that acts.
    uniforms : ndarray of shape (tables,)
        A random number in [0, 1) for the decision at each table.
    out_actions : ndarray of shape (tables,)
        Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
    """
    settings = NetworkDecisionFunction(*setting_values)
    win_probabilities = np.empty(rows_to_act.size)
    fill_win_probabilities(equity_tables, settings, views, rows_to_act, win_probabilities)
    inputs = np.ones((BLOCK_SIZE, count_padded_rows(NUM_INPUTS)), np.float32)
    hidden_units, outputs = allocate_layers(BLOCK_SIZE, settings.hidden, NUM_OUTPUTS)
    workspace = BlockWorkspace(np.empty(BLOCK_SIZE, np.int64), inputs, hidden_units, outputs)
    for begin in range(0, rows_to_act.size, BLOCK_SIZE):
        block = slice(begin, begin + BLOCK_SIZE)
        write_block_actions(
            settings,
            views,
            rows_to_act[block],
            parameters,
            win_probabilities[block],
            uniforms,
            workspace,
            out_actions,
        )


@kernel
def fill_win_probabilities(
    equity_tables: WinProbabilityTables,
    settings: NetworkDecisionFunction,
    views: Ints,
    rows_to_act: Rows,
    out_probabilities: Floats,
) -> None:
    """Write the win probability of each seat that is to act, in the order of `rows_to_act`.

    The equity tables are far larger than the caches of a processor. If the look-ups have a loop of their own, the
    processor can do several of them at the same time.

    Parameters
    ----------
    equity_tables : WinProbabilityTables
        The tables of numbers from which win probabilities are looked up, from `load_win_probability_tables`.
    settings : NetworkDecisionFunction
        Its `against` decides between one random hand and all opponents.
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each poker table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n poker tables at which networks are to act.
    out_probabilities : ndarray of shape (n,)
        Overwritten with the win probabilities.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for i in range(rows_to_act.size):
        view = views[rows_to_act[i]]
        out_probabilities[i] = compute_win_probability_input(
            equity_tables, settings, view, hole, board
        )


@inlined
def compute_win_probability_input(
    equity_tables: WinProbabilityTables,
    settings: NetworkDecisionFunction,
    view: Ints,
    hole_buffer: Cards,
    board_buffer: Cards,
) -> float:
    """Return the win probability of the seat to act, the input WIN_CHANCE, against one random hand or all opponents.

    The win probability against n live opponents is the nth power of the win probability against one random hand, as if
    the opponents' hands were independent.

    Parameters
    ----------
    equity_tables : WinProbabilityTables
        The tables of numbers from which win probabilities are looked up, from `load_win_probability_tables`.
    settings : NetworkDecisionFunction
        Its `against` decides between ONE_HAND and ALL_HANDS.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat sees, in the layout of `pokerlab.holdem.table_view`.
    hole_buffer : ndarray of uint8, shape (2,)
        Memory for the hole cards, which is overwritten.
    board_buffer : ndarray of uint8, shape (5,)
        Memory for the board, whose first entries are overwritten.
    """
    hole_buffer[0] = view[at.HOLE]
    hole_buffer[1] = view[at.HOLE + 1]
    num_board = BOARD_SIZES[view[at.STREET]]
    for i in range(num_board):
        board_buffer[i] = view[at.BOARD + i]
    probability_against_one = look_up_win_probability(
        equity_tables, hole_buffer, board_buffer[:num_board], TIE_VALUE
    )
    if settings.against == ONE_HAND:
        return probability_against_one

    probability_against_all = 1.0
    for other_seat in range(view[at.SEATS]):
        is_live_opponent = other_seat != view[at.SEAT] and view[at.LIVE + other_seat] != 0
        if is_live_opponent:
            probability_against_all *= probability_against_one
    return probability_against_all


class BlockWorkspace(NamedTuple):
    """The arrays that are overwritten for a block of decisions.

    They fit in the first-level cache of a processor.

    Attributes
    ----------
    networks : ndarray of int64, shape (BLOCK_SIZE,)
        The index of the network that decides at each table.
    inputs : ndarray of float32, shape (BLOCK_SIZE, rows)
        The inputs of these networks, with the bias and padding.
    hidden_units, outputs : ndarray of float32
        The hidden units and the outputs, both flattened, from `allocate_layers`.
    """

    networks: Ints
    inputs: Floats32
    hidden_units: Floats32
    outputs: Floats32


@inlined
def write_block_actions(
    settings: NetworkDecisionFunction,
    views: Ints,
    rows_to_act: Rows,
    parameters: Floats32,
    win_probabilities: Floats,
    uniforms: Floats,
    workspace: BlockWorkspace,
    out_actions: Floats,
) -> None:
    """Write the actions of networks at up to BLOCK_SIZE tables.

    Parameters
    ----------
    settings : NetworkDecisionFunction
        The settings of the networks.
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n tables at which networks are to act; n is at most BLOCK_SIZE.
    parameters : ndarray of float32, shape (networks, ...)
        The weights of all networks, from `pack_network_weights`. Each view has the row of the network that acts.
    win_probabilities : ndarray of shape (n,)
        The win probability at each of the n tables.
    uniforms : ndarray of shape (tables,)
        A random number in [0, 1) for the decision at each table.
    workspace : BlockWorkspace
        Overwritten.
    out_actions : ndarray of shape (tables,)
        Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
    """
    num_rows = rows_to_act.size
    for i in range(num_rows):
        view = views[rows_to_act[i]]
        workspace.networks[i] = view[at.PARAMETERS]
        write_network_inputs(settings, view, win_probabilities[i], workspace.inputs[i])

    # Only the part of the workspace that belongs to these tables is computed.
    hidden_width = workspace.hidden_units.size // BLOCK_SIZE
    output_width = workspace.outputs.size // BLOCK_SIZE
    run_forward_pass(
        parameters,
        workspace.networks[:num_rows],
        workspace.inputs[:num_rows],
        settings.hidden,
        workspace.hidden_units[: hidden_width * num_rows],
        workspace.outputs[: output_width * num_rows],
    )

    for i in range(num_rows):
        row = rows_to_act[i]
        outputs = workspace.outputs[i * output_width : (i + 1) * output_width]
        output, size_uniform = choose_network_output(settings, outputs, uniforms[row])
        out_actions[row] = convert_output_to_action(settings, views[row], output, size_uniform)


@inlined
def write_network_inputs(
    settings: NetworkDecisionFunction, view: Ints, win_probability: float, out_inputs: Floats32
) -> None:
    """Write the 35 inputs of a network for the seat that is to act, by Table I of Nicolai & Hilderman (2009).

    Parameters
    ----------
    settings : NetworkDecisionFunction
        Its `scale` decides by what amounts are divided.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat sees, in the layout of `pokerlab.holdem.table_view`.
    win_probability : float
        The win probability of the seat, the input WIN_CHANCE.
    out_inputs : ndarray of float32
        The first 35 entries are overwritten, in the order of the constants POT_SIZE and so on.
    """
    # Count the seats that are dealt in, the live seats, and the chips of all seats.
    num_dealt_in, num_live, chips = 0, 0, 0
    for other_seat in range(view[at.SEATS]):
        chips_before_hand = view[at.STACKS + other_seat] + view[at.PAID + other_seat]
        num_dealt_in += chips_before_hand > 0
        num_live += view[at.LIVE + other_seat]
        chips += chips_before_hand

    # The factors and divisors of the inputs depend on the setting `scale`.
    units_per_chip = 1.0
    most_opponents = 1
    aggressiveness_unit = at.MILLIONTHS
    largest_aggressiveness = UNBOUNDED
    if settings.scale == MEAN_STACK:
        units_per_chip = num_dealt_in / chips
        most_opponents = MOST_OPPONENTS
        aggressiveness_unit = largest_aggressiveness = MOST_MILLIONTHS

    out_inputs[POT_SIZE] = view[at.POT] * units_per_chip
    out_inputs[CALL_COST] = view[at.TO_CALL] * units_per_chip
    out_inputs[OPPONENTS] = (num_live - 1) / most_opponents
    out_inputs[WIN_CHANCE] = win_probability
    out_inputs[TO_BUTTON] = count_hands_until_button(view) / most_opponents
    write_seat_inputs(view, units_per_chip, aggressiveness_unit, largest_aggressiveness, out_inputs)


@inlined
def write_seat_inputs(
    view: Ints,
    units_per_chip: float,
    aggressiveness_unit: int,
    largest_aggressiveness: int,
    out_inputs: Floats32,
) -> None:
    """Write the three inputs for each seat: its chips, and its overall and recent aggressiveness.

    The player's own seat comes first, and the others follow in the order in which they sit to its left. The inputs of
    seats without chips and of seats that the table does not have are 0.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    units_per_chip : float
        The factor of chips.
    aggressiveness_unit, largest_aggressiveness : int
        Aggressiveness is clipped at the largest number, and then divided by the unit. Both are in millionths.
    out_inputs : ndarray of float32
        The inputs from the index SEAT_CHIPS on are overwritten.
    """
    num_seats, seat = view[at.SEATS], view[at.SEAT]
    for i in range(num_seats):
        other_seat = seat + i - (num_seats if seat + i >= num_seats else 0)
        stack = view[at.STACKS + other_seat]
        has_chips = stack + view[at.PAID + other_seat] > 0
        units_of_aggressiveness = 1.0 / aggressiveness_unit if has_chips else 0.0
        overall = min(view[at.OVERALL + other_seat], largest_aggressiveness)
        recent = min(view[at.RECENT + other_seat], largest_aggressiveness)
        out_inputs[SEAT_CHIPS + i] = stack * units_per_chip
        out_inputs[OVERALL_AGGRESSIVENESS + i] = overall * units_of_aggressiveness
        out_inputs[RECENT_AGGRESSIVENESS + i] = recent * units_of_aggressiveness
    for i in range(num_seats, MOST_SEATS):
        out_inputs[SEAT_CHIPS + i] = 0.0
        out_inputs[OVERALL_AGGRESSIVENESS + i] = 0.0
        out_inputs[RECENT_AGGRESSIVENESS + i] = 0.0


@inlined
def count_hands_until_button(view: Ints) -> int:
    """Return the number of hands until the seat to act has the button, if until then no player joins or leaves.

    After each hand the button moves to the left, to the next seat with chips.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat sees, in the layout of `pokerlab.holdem.table_view`.
    """
    num_hands = 0
    other_seat = view[at.BUTTON]
    while other_seat != view[at.SEAT]:
        other_seat = other_seat + 1 if other_seat + 1 < view[at.SEATS] else 0
        has_chips = view[at.STACKS + other_seat] + view[at.PAID + other_seat] > 0
        if has_chips:
            num_hands += 1
    return num_hands


@inlined
def choose_network_output(
    settings: NetworkDecisionFunction, outputs: Floats32, uniform: float
) -> tuple[int, float]:
    """Return the index of the chosen output, and a random number in [0, 1) for a further draw.

    By the setting `read_out` the output is the largest one, or it is drawn with probabilities in proportion to the
    outputs. In the second case the position of `uniform` within the chosen output's interval is again uniform in [0,
    1), and it is returned as the second number.

    Parameters
    ----------
    settings : NetworkDecisionFunction
        Its `read_out` decides between LARGEST and SAMPLED.
    outputs : ndarray of float32
        The five outputs, and padding.
    uniform : float
        The random number of the decision, in [0, 1).

    Returns
    -------
    output : int
        OUTPUT_FOLD, OUTPUT_CALL, OUTPUT_SMALL, OUTPUT_MEDIUM or OUTPUT_LARGE.
    uniform : float
        The random number for a further draw.
    """
    if settings.read_out == LARGEST:
        largest = 0
        for output in range(1, NUM_OUTPUTS):
            if outputs[output] > outputs[largest]:
                largest = output
        return largest, uniform

    total = 0.0
    for output in range(NUM_OUTPUTS):
        total += outputs[output]
    # Subtract the outputs one after the other, until the rest falls into the interval of an output.
    remainder = uniform * total
    output = 0
    while output < NUM_OUTPUTS - 1 and remainder >= outputs[output]:
        remainder -= outputs[output]
        output += 1
    return output, remainder / outputs[output]


@inlined
def convert_output_to_action(
    settings: NetworkDecisionFunction, view: Ints, output: int, uniform: float
) -> int:
    """Return the legal action that an output stands for in this view: FOLD, CALL, or the chips to raise to.

    A fold becomes a check if nothing is owed, unless free folds are allowed. A raise becomes a call if no raise is
    legal.

    Parameters
    ----------
    settings : NetworkDecisionFunction
        Its `raise_unit` decides how the size of a raise is found, and its `free_folds` whether the network may fold if
        it could check.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees, in the layout of `pokerlab.holdem.table_view`.
    output : int
        OUTPUT_FOLD, OUTPUT_CALL, OUTPUT_SMALL, OUTPUT_MEDIUM or OUTPUT_LARGE.
    uniform : float
        A random number in [0, 1), which is used if the size of the raise is drawn.
    """
    if output == OUTPUT_FOLD:
        may_fold_for_free = settings.free_folds and view[at.CAN_FOLD] != 0
        return FOLD if view[at.TO_CALL] > 0 or may_fold_for_free else CALL
    if output == OUTPUT_CALL or view[at.MIN_RAISE_TO] == 0:
        return CALL
    if settings.raise_unit == BET_SHARE:
        return int(draw_bet_action(view, output - OUTPUT_SMALL, uniform, False))

    pot_multiple = settings.small_raise
    if output == OUTPUT_MEDIUM:
        pot_multiple = settings.medium_raise
    elif output == OUTPUT_LARGE:
        pot_multiple = settings.large_raise
    pot_after_call = view[at.POT] + view[at.TO_CALL]
    wanted_total = view[at.BET] + pot_multiple * pot_after_call
    if wanted_total >= view[at.MAX_RAISE_TO]:
        return int(view[at.MAX_RAISE_TO])
    return max(int(wanted_total), int(view[at.MIN_RAISE_TO]))


SCALES = ("mean stack", "as they are")
AGAINST = ("one hand", "all hands")
READ_OUTS = ("sampled", "largest")
RAISE_UNITS = ("pot", "drawn share")
"""The names of the choices of settings, in the order of their numbers in `NetworkDecisionFunction`."""
START_DEVIATIONS = {"normal": 1.0, "narrow normal": 0.5}
"""The standard deviations of the weights of the first generation."""
MOST_HIDDEN = 1_000
LARGEST_RAISE = 1_000.0
LARGEST_WEIGHT = 1e9
"""The largest weight. It keeps sums of weighted inputs in the range of float32, even if inputs are numbers of chips."""

SEATS = ("own", *(f"{seat} to the left" for seat in range(1, MOST_SEATS)))
INPUTS = (
    *("pot", "call", "opponents", "win percent", "hands until the button"),
    *(f"{what}, {seat}" for what in ("chips", "overall", "recent") for seat in SEATS),
)
"""The name of each input."""
OUTPUTS = ("fold", "call", "small raise", "medium raise", "large raise")
"""The name of each output."""


def make_unspecified_setting(default: Any, label: str, help: str, **options: Any) -> Any:
    """Return a setting whose value the paper does not specify.

    Parameters
    ----------
    default : Any
        The value that pokerlab uses if no other is given.
    label : str
        The name of the setting in forms.
    help : str
        What the setting decides.
    **options
        Further options of `pokerlab.core.settings.unprinted_setting`, such as `choices`.

    Returns
    -------
    dataclasses.Field
        A field for the class body of a dataclass of settings. Forms and tables mark it as not given by the paper.
    """
    source = "Nicolai & Hilderman 2009, section III-A, does not say"
    return unprinted_setting(default, help, label=label, source=source, **options)


def make_raise_setting(
    default: float, label: str, help: str = "How much it raises above the call."
) -> Any:
    """Return a setting for the size of a raise as a multiple of the pot.

    It applies only to networks whose setting `raise_unit` is 'pot'.

    Parameters
    ----------
    default : float
        The multiple that pokerlab uses if no other is given.
    label : str
        The name of the setting in forms.
    help : str
        What the setting decides.

    Returns
    -------
    dataclasses.Field
        A field for the class body of a dataclass of settings.
    """
    return make_unspecified_setting(
        default,
        label,
        help,
        low=0.0,
        high=LARGEST_RAISE,
        needs=lambda network: network.raise_unit == "pot",
    )


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class TableNetwork(CheckedSettings):
    """The encoding of networks: the inputs of a network at a table, its size, and the meaning of its outputs.

    A network has 35 inputs, in this order:

    - the pot;
    - the cost of a call;
    - the number of opponents in the hand, divided by 9;
    - the probability of winning, where a tie counts as a win;
    - the number of hands until the player has the button, divided by 9;
    - for each of ten seats, the chips that have not been put in. The player's own seat comes first, and the other seats
      follow in the order in which they sit to its left;
    - for each seat in the same order, its overall aggressiveness, clipped at 10 and divided by 10;
    - for each seat in the same order, its recent aggressiveness, clipped at 10 and divided by 10.

    The inputs of seats that are empty or without chips are 0. So are the last twenty inputs in a cash game, such as
    `ring_game`, since only tournaments record how their players bet. The setting `scale` decides by what amounts are
    divided.

    Each hidden unit adds its bias and the inputs times its weights, and turns the sum s into 1 / (1 + exp(-s)), which
    is computed in float32 with a relative error of at most 2e-7. Each output does the same with the hidden units.

    For example, suppose that the outputs are 0.1, 0.5, 0.2, 0.1 and 0.1, and that the random number for this decision
    is 0.75. The outputs divide the interval from 0 to their sum, 1, into five parts. Numbers up to 0.1 mean a fold,
    those from 0.1 to 0.6 a call, and those from 0.6 to 0.8 a small raise, so the network makes a small raise. If there
    are 60 chips in the pot after a call, and the bet to match is 20, then a raise by half the pot is a raise to 50. If
    that is below the least or above the most that is allowed, the raise is to the least or the most.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> genomes = encoding.draw_genomes(np.random.default_rng(1), count=10)
    >>> genomes.shape, str(genomes.dtype)
    ((10, 825), 'float32')
    >>> from pokerlab.holdem import no_limit, ring_game
    >>> game = ring_game(no_limit(5, 10), seats=len(genomes))
    >>> played = game.play(encoding.make_players(genomes), 20, seed=1)
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
    scale: str = make_unspecified_setting(
        "mean stack",
        "Unit of chips",
        "What chips, pot and call are divided by: the mean of who is dealt in at the table, what they have put in"
        " included. 'as they are': by nothing, nor is anything else divided or cut.",
        choices=SCALES,
    )
    against: str = make_unspecified_setting(
        "one hand",
        "Win percentage against",
        "One random hand, or that number to the power of the opponents in the hand, as if their hands were"
        " independent: of aces against nine hands it says 24 %, and they win 31 %.",
        choices=AGAINST,
    )
    read_out: str = make_unspecified_setting(
        "sampled",
        "Outputs are",
        "Drawn in proportion to their values, or the largest decides.",
        choices=READ_OUTS,
    )
    small_raise: float = make_raise_setting(
        0.5,
        "Small raise",
        "How much it raises above the call, in whole chips between the least and the most allowed.",
    )
    medium_raise: float = make_raise_setting(1.0, "Medium raise")
    large_raise: float = make_raise_setting(3.0, "Large raise")
    raise_unit: str = make_unspecified_setting(
        "pot",
        "Raises are times the",
        "The pot after the call; or a share of the chips behind is drawn.",
        choices=RAISE_UNITS,
    )
    free_folds: bool = make_unspecified_setting(
        False,
        "Networks fold for free",
        "Whether they fold where they owe nothing, if the structure allows it; or check.",
    )
    start: str = make_unspecified_setting(
        "normal",
        "First weights",
        "Normal with deviation 1, or 0.5 if narrow.",
        choices=tuple(START_DEVIATIONS),
    )

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, which are the weights of a network: 825 by default."""
        return count_network_weights(NUM_INPUTS, self.hidden, NUM_OUTPUTS)

    @property
    def decision_function(self) -> NetworkDecisionFunction:
        """The function that decides for these networks at tables.

        Networks with equal settings have equal functions, so they are asked in one call.
        """
        return NetworkDecisionFunction(
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

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats32:
        """Return `count` genomes of normally distributed weights for a first generation, one in each row.

        The setting `start` decides the standard deviation of the weights.

        Parameters
        ----------
        generator : Generator
            The source of random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        ndarray of float32, shape (count, num_genes)
            The genomes.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        """
        shape = (validate_integer("count", count, low=0), self.num_genes)
        deviation = np.float32(START_DEVIATIONS[self.start])
        return deviation * generator.standard_normal(shape, np.float32)

    def validate_genomes(self, genomes: ArrayLike) -> Floats32:
        """Return one genome or several as the rows of an array, after checking them.

        Parameters
        ----------
        genomes : array_like of float32, shape (num_genes,) or (n, num_genes)
            One genome, or n genomes.

        Returns
        -------
        ndarray of float32, shape (n, num_genes)
            The genomes.

        Raises
        ------
        ShapeError
            If the weights are not float32, or a genome does not have the right number of them.
        SettingError
            If a weight is not from -1e9 to 1e9.
        """
        network_name = f"a network of {NUM_INPUTS} inputs, {self.hidden} hidden units and {NUM_OUTPUTS} outputs"
        rows: Floats32 = validate_genomes(
            genomes,
            self.num_genes,
            network_name,
            dtype=None,
            low=-LARGEST_WEIGHT,
            high=LARGEST_WEIGHT,
        )
        if rows.dtype != np.float32:
            raise ShapeError(
                f"the weights are {rows.dtype}; networks compute in float32, so give weights.astype(numpy.float32)."
            )
        return rows

    def make_players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return a player for each genome.

        Parameters
        ----------
        genomes : array_like of float32, shape (num_genes,) or (n, num_genes)
            One genome, or n genomes.
        names : sequence of str, optional
            The names of the players. By default they are 'network 0', 'network 1', ...

        Returns
        -------
        list of CompiledPlayer
            The players, in the order of the genomes.

        Raises
        ------
        ShapeError
            If genomes are of another shape or type, or there is not one name for each.
        SettingError
            If a weight is out of range.
        """
        rows = self.validate_genomes(genomes)
        weights = pack_network_weights(rows, NUM_INPUTS, self.hidden, NUM_OUTPUTS)
        return make_compiled_players(
            self.decision_function,
            weights,
            names,
            name_prefix="network",
            parameters_noun="networks",
        )
