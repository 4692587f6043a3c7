"""A network at a no-limit table: a situation, the probabilities of its actions there, and a drawing of its units."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_hex

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.holdem import decision
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.network_genome import (
    INPUTS,
    LARGEST,
    NUM_INPUTS,
    NUM_OUTPUTS,
    OUTPUTS,
    NetworkDecisionFunction,
    TableNetwork,
    convert_output_to_action,
)
from pokerlab.holdem.network_habits import Activations
from pokerlab.holdem.network_passes import Floats32
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.table_view import HIDDEN, MILLIONTHS, NUM_VIEW_WORDS, SeatView
from pokerlab.workbench.drawings.svg import (
    SvgDrawing,
    draw_headline,
    draw_line,
    draw_paragraph,
    draw_text,
    shift_elements,
    write_element,
)
from pokerlab.workbench.matplotlib_painter import choose_color_map
from pokerlab.workbench.picture import ColorScale
from pokerlab.workbench.style import BLUE, GRAY, INK, PROBABILITY_COLORS, RED, choose_ink
from pokerlab.workbench.text import capitalize, format_percent, put_true_minus

COLORS, _ = choose_color_map(ColorScale(PROBABILITY_COLORS))
OWN, BETTOR = 0, 1  # seats: the one to act, and the one that has bet, on its left
LEAST_NAMED = 0.005  # actions with smaller probabilities are left out of a sentence


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A situation at a full table: a player who has paid nothing faces a bet, or none, of the seat on the left.

    The names of the fields are those of the sliders of the network explorer.

    Attributes
    ----------
    win : float
        The player's probability to win against one random hand.
    pot : int
        The chips in the pot before the bet, all from the bettor.
    price : int
        The bet, 0 for none. A player with fewer chips calls with all of them.
    opponents : int
        The number of seats on the player's left that have not folded.
    own : int
        The chips that the player has left.
    others : tuple of int
        The chips that the other seats have left, clockwise from the player's left.
    overall, recent : tuple of float
        The aggressiveness of the player and of the others in the same order, over all hands and over the last ones.
    to_button : int
        The number of hands until the player has the button.
    big_blind : int
        The big blind in chips.
    seats : int
        The number of seats at the table.
    free_folds : bool
        Whether the rules allow to fold if there is nothing to call.
    """

    win: float
    pot: int
    price: int
    opponents: int
    own: int
    others: tuple[int, ...]
    overall: tuple[float, ...]
    recent: tuple[float, ...]
    to_button: int
    big_blind: int
    seats: int
    free_folds: bool

    @property
    def view(self) -> SeatView:
        """What the player sees, without cards."""
        seats = self.seats
        words = np.zeros(NUM_VIEW_WORDS, np.int64)
        raised_to = max(2 * self.price, self.price + self.big_blind)
        can_raise = self.own > self.price
        values = {
            table_view.SEAT: OWN,
            table_view.SEATS: seats,
            table_view.BUTTON: (OWN - self.to_button) % seats,
            table_view.TO_CALL: min(self.price, self.own),
            table_view.CAN_FOLD: self.price > 0 or self.free_folds,
            table_view.MIN_RAISE_TO: min(raised_to, self.own) if can_raise else 0,
            table_view.MAX_RAISE_TO: self.own if can_raise else 0,
            table_view.BET: self.price,
            table_view.FULL_RAISE: max(self.price, self.big_blind),
            table_view.NUM_BETS: self.price > 0,
            table_view.BIG_BLIND: self.big_blind,
            table_view.POT: self.pot + self.price,
            table_view.BETS + BETTOR: self.price,
            table_view.PAID + BETTOR: self.pot + self.price,
        }
        words[list(values)] = list(values.values())
        words[table_view.HOLE : table_view.BOARD + 5] = HIDDEN
        words[table_view.STACKS : table_view.STACKS + seats] = self.own, *self.others
        words[table_view.LIVE : table_view.LIVE + 1 + self.opponents] = 1
        for first, means in ((table_view.OVERALL, self.overall), (table_view.RECENT, self.recent)):
            words[first : first + seats] = np.rint(np.multiply(means, MILLIONTHS))
        return SeatView(words, 0.0)


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class NetworkDecision:
    """A decision of a network in one situation."""

    view: SeatView  # what the network sees
    units: Activations  # the values of its inputs, hidden units and outputs
    actions: tuple[int, ...]  # the action of each output: FOLD, CALL, or the chips to raise to
    decision_function: NetworkDecisionFunction  # has the settings of the encoding

    @classmethod
    def compute(
        cls, player: CompiledPlayer, view: SeatView, win: float | None = None
    ) -> "NetworkDecision":
        """Return the decision of a network.

        Parameters
        ----------
        player : CompiledPlayer
            The network as a player.
        view : SeatView
            What it sees.
        win : float, optional
            Its probability to win. By default this is computed from its cards and the board.
        """
        units = decision(player, view, win)
        function: NetworkDecisionFunction = player.decision_function  # type: ignore[assignment]
        actions = tuple(
            convert_output_to_action(function, view.words, output, view.random_number)
            for output in range(NUM_OUTPUTS)
        )
        return cls(view, units, actions, function)

    @property
    def output_probabilities(self) -> Floats:
        """The probability that each output decides, of shape (5,).

        It is proportional to the value of the output, or 1 for the largest output and 0 for the others.
        """
        outputs = self.units.outputs.astype(np.float64)
        chances: Floats = outputs / outputs.sum()
        if self.decision_function.read_out == LARGEST:
            chances = np.zeros(NUM_OUTPUTS)
            chances[outputs.argmax()] = 1.0
        return chances

    @property
    def action_probabilities(self) -> dict[int, float]:
        """The probability of each action, the most probable first. Several outputs can stand for the same action."""
        summed: dict[int, float] = defaultdict(float)
        for action, chance in zip(self.actions, self.output_probabilities.tolist(), strict=True):
            summed[action] += chance
        return dict(sorted(summed.items(), key=lambda each: -each[1]))

    def describe_action(self, action: int) -> str:
        """Return an action in words: 'calls 20', 'raises to 60', 'bets 1,000, all-in'."""
        legal = self.view.legal_actions
        behind = self.view.stacks[self.view.seat]
        if action == FOLD:
            return "folds"
        if action == CALL:
            if not legal.to_call:
                return "checks"
            return f"calls {legal.to_call:,}{', all-in' * (legal.to_call == behind)}"
        verb = "raises to" if max(self.view.bets) else "bets"
        return f"{verb} {action:,}{', all-in' * (action == legal.max_raise_to)}"

    @property
    def most_likely(self) -> str:
        """The most probable action in words: 'Most likely: raises to 60 (55%)'."""
        action, chance = next(iter(self.action_probabilities.items()))
        return f"Most likely: {self.describe_action(action)} ({format_percent(chance)})"

    def __str__(self) -> str:
        """Return the actions with their probabilities: 'raises to 60 with 55%; folds with 45%'."""
        named = [
            (action, probability)
            for action, probability in self.action_probabilities.items()
            if probability >= LEAST_NAMED
        ]
        return "; ".join(
            f"{self.describe_action(action)} with {format_percent(chance)}"
            for action, chance in named
        )


WIDTH, TOP, ROW_HEIGHT, GAP = 800.0, 62.0, 13.6, 7.0
"""The width of the picture, the top of the inputs, their distance, and the gap between their groups, in pixels."""
BOTTOM = TOP + ROW_HEIGHT * NUM_INPUTS + 3 * GAP
HEIGHT = BOTTOM + 6.0
NARROW = 272.0
"""The width of a piece for narrow places in pixels. On a phone, JupyterLab has room for pictures of some 250."""
MOST_UNITS = 40  # the most hidden units that are drawn: those that change the outputs most
MOST_LINES = (10, 10)
"""The most lines between inputs and hidden units, and between hidden units and outputs."""
MOST_LINE_WIDTH = 4.5  # in pixels
CAPTION = (
    "Circles: the value of each unit, from 0 (empty) to 1 (filled). Lines: what a unit adds to the next, its value"
    " times the weight; the ten strongest on each side, the wider the stronger; solid lines raise, dashed ones"
    " lower. Bars: how likely each output decides{how}."
)
READ_OUT_WORDS = (", in proportion to its value", ": the largest always does")


class Places(NamedTuple):
    """The places of the layers, and of the words beside the outputs, in pixels from the left."""

    inputs: float
    hidden: float
    outputs: float
    words: float
    right: float


WHOLE = Places(172.0, 372.0, 548.0, 576.0, 792.0)
FIRST = WHOLE._replace(hidden=NARROW - 22.0)
SECOND = Places(0.0, 18.0, 96.0, 118.0, NARROW - 4.0)
"""The places in the whole picture, and in its two pieces: inputs with hidden units, and hidden units with outputs."""


class Matrices(NamedTuple):
    """The weights of a network without its biases."""

    to_hidden: Floats  # from inputs to hidden units, (35, H)
    to_outputs: Floats  # from hidden units to outputs, (H, 5)

    @classmethod
    def read_genome(cls, encoding: TableNetwork, genome: Floats32) -> "Matrices":
        """Return the weights of a network from its genome of shape (G,)."""
        hidden = encoding.hidden
        weights = genome.astype(np.float64)
        to_hidden = weights[: NUM_INPUTS * hidden].reshape(NUM_INPUTS, hidden)
        after_biases = weights[(NUM_INPUTS + 1) * hidden :]
        return cls(to_hidden, after_biases[: hidden * NUM_OUTPUTS].reshape(hidden, NUM_OUTPUTS))


def draw_network(
    weights: Matrices, network_decision: NetworkDecision, title: str = ""
) -> SvgDrawing:
    """Draw a network and its decision in one situation.

    Parameters
    ----------
    weights : Matrices
        The weights of the network.
    network_decision : NetworkDecision
        Its decision, with the values of all units.
    title : str
        The line below the headline, which is the most probable action.
    """
    heading = draw_headline(network_decision.most_likely, 8, 20, 14.5, WIDTH - 16)
    heading += draw_text(title, 8, 39, 11.5, "#444444")
    text = f"{capitalize(str(network_decision))}\n{title}"
    caption = CAPTION.format(how=READ_OUT_WORDS[network_decision.decision_function.read_out])
    pieces = draw_network_in_pieces(weights, network_decision, title)
    first, second = (
        layer(weights, network_decision, WHOLE) for layer in (draw_input_layer, draw_output_layer)
    )
    body = heading + first + second + draw_hidden_layer(weights, network_decision, WHOLE)
    return SvgDrawing(WIDTH, HEIGHT, body, text, caption, pieces=pieces)


def draw_network_in_pieces(
    weights: Matrices, network_decision: NetworkDecision, title: str
) -> tuple[SvgDrawing, ...]:
    """Return two drawings for narrow places.

    The first has the headline, the inputs and the hidden units, the second the hidden units and the outputs.
    """
    headline, y = draw_paragraph(network_decision.most_likely, 8, 20, 14, NARROW - 16, bold=True)
    about, y = draw_paragraph(title, 8, y + 2, 12, NARROW - 16, fill="#444444")
    shift = max(y - 46.0, 0.0)
    first = draw_input_layer(weights, network_decision, FIRST) + draw_hidden_layer(
        weights, network_decision, FIRST
    )
    second = draw_output_layer(weights, network_decision, SECOND) + draw_hidden_layer(
        weights, network_decision, SECOND
    )
    return (
        SvgDrawing(NARROW, HEIGHT + shift, headline + about + shift_elements(first, 0, shift), ""),
        SvgDrawing(NARROW, HEIGHT, second, ""),
    )


def select_hidden_units(
    weights: Matrices, network_decision: NetworkDecision
) -> tuple[Ints, Floats]:
    """Return the hidden units that are drawn, and what they add to the outputs.

    Returns
    -------
    array of int, shape (U,)
        The indices of the units, ascending.
    array of shape (U, 5)
        The value of each unit times its weights.
    """
    out = weights.to_outputs * network_decision.units.hidden.astype(np.float64)[:, None]
    shown = np.sort(np.argsort(-np.abs(out).sum(axis=1), kind="stable")[:MOST_UNITS])
    return shown, out[shown]


def draw_input_layer(weights: Matrices, network_decision: NetworkDecision, at: Places) -> str:
    """Return the inputs as SVG, with lines to the hidden units."""
    inputs = network_decision.units.inputs.astype(np.float64)
    shown, _ = select_hidden_units(weights, network_decision)
    rows = [TOP + ROW_HEIGHT * (n + 0.5) + GAP * ((n - 5) // 10 + 1) for n in range(NUM_INPUTS)]
    added = (weights.to_hidden * inputs[:, None])[:, shown]
    parts = [
        draw_text("inputs", at.inputs, 56, 10.5, GRAY, anchor="end"),
        draw_lines(added, (at.inputs, at.hidden), rows, place_rows(len(shown)), MOST_LINES[0]),
    ]
    for name, value, y in zip(INPUTS, inputs.tolist(), rows, strict=True):
        parts.append(draw_input(name, value, at.inputs, y))
    return "".join(parts)


def draw_output_layer(weights: Matrices, network_decision: NetworkDecision, at: Places) -> str:
    """Return the outputs with their actions as SVG, and lines from the hidden units."""
    outputs = network_decision.units.outputs.astype(np.float64)
    shown, added = select_hidden_units(weights, network_decision)
    rows = place_rows(NUM_OUTPUTS)
    parts = [
        draw_text("outputs", at.outputs, 56, 10.5, GRAY, anchor="middle"),
        draw_lines(added, (at.hidden, at.outputs), place_rows(len(shown)), rows, MOST_LINES[1]),
    ]
    for output, y in enumerate(rows):
        parts.append(draw_unit(outputs[output], at.outputs, y, 15.0))
        parts.append(draw_output(network_decision, output, at, y))
    return "".join(parts)


def draw_hidden_layer(weights: Matrices, network_decision: NetworkDecision, at: Places) -> str:
    """Return the hidden units as SVG, and the number of them that are drawn."""
    hidden = network_decision.units.hidden.astype(np.float64)
    shown, _ = select_hidden_units(weights, network_decision)
    drawn = f"{len(shown)} of {len(hidden)} " if len(shown) < len(hidden) else f"{len(hidden)} "
    radius = min(10.5, 0.46 * (BOTTOM - TOP) / len(shown))
    # In a piece the words end at the edge that is near, or begin there.
    look = {
        WHOLE: ("hidden units", at.hidden, "middle"),
        FIRST: ("hidden", NARROW - 4.0, "end"),
        SECOND: ("hidden", 4.0, "start"),
    }
    words, x, anchor = look[at]
    parts = [draw_text(f"{drawn}{words}", x, 56, 10.5, GRAY, anchor=anchor)]
    for unit, y in zip(shown, place_rows(len(shown)), strict=True):
        parts.append(draw_unit(hidden[unit], at.hidden, y, radius))
    return "".join(parts)


def place_rows(count: int) -> list[float]:
    """Return the middles of `count` equal rows between the top and the bottom of the units, in pixels from above."""
    step = (BOTTOM - TOP) / count
    return [TOP + step * (place + 0.5) for place in range(count)]


def draw_lines(
    added: Floats, x: tuple[float, float], begin: list[float], end: list[float], most: int
) -> str:
    """Return the strongest lines between two layers of units as SVG.

    Parameters
    ----------
    added : array of shape (I, J)
        What each unit of the left layer adds to each unit of the right one. Its absolute value is the strength.
    x : tuple of two floats
        The places of the layers, in pixels from the left.
    begin, end : list of I and of J floats
        The places of the units, in pixels from above.
    most : int
        The most lines that are drawn.
    """
    strength = np.abs(added)
    most_strength = max(float(strength.max()), 1e-12)
    parts = []
    for flat_index in np.argsort(strength, axis=None, kind="stable")[-most:]:
        left_unit, right_unit = np.unravel_index(flat_index, added.shape)
        relative_strength = strength[left_unit, right_unit] / most_strength
        if relative_strength > 0.0:
            dashes = {} if added[left_unit, right_unit] > 0 else {"stroke_dasharray": "5 3"}
            color = BLUE if added[left_unit, right_unit] > 0 else RED
            parts.append(
                draw_line(x[0], begin[left_unit], x[1], end[right_unit], stroke=color,
                     stroke_width=0.4 + (MOST_LINE_WIDTH - 0.4) * relative_strength, stroke_opacity=0.65, **dashes)
            )  # fmt: skip
    return "".join(parts)


def choose_shade(value: float) -> str:
    """Return the color of a value, which is clipped to 0 to 1."""
    return str(to_hex(COLORS(min(max(value, 0.0), 1.0))))


def draw_input(name: str, value: float, x: float, y: float) -> str:
    """Return an input as SVG: its name, its value, and its circle at (x, y)."""
    drawn = write_element(
        "circle", cx=x, cy=y, r=5.0, fill=choose_shade(value), stroke=INK, stroke_width=0.8
    )
    number = draw_text(format_briefly(value), x - 10, y + 3.6, 10, INK, anchor="end")
    return drawn + number + draw_text(name, x - 48, y + 3.6, 10, "#333333", anchor="end")


def draw_unit(value: float, x: float, y: float, radius: float) -> str:
    """Return the circle of a hidden unit or output as SVG, with its value if the circle has room for it."""
    drawn = write_element(
        "circle", cx=x, cy=y, r=radius, fill=choose_shade(value), stroke=INK, stroke_width=0.8
    )
    if radius < 8.0:
        return drawn
    words = f"{value:.2f}".removeprefix("0")
    return drawn + draw_text(
        words, x, y + 3.4, 9.5, choose_ink(choose_shade(value)), anchor="middle"
    )


def draw_output(network_decision: NetworkDecision, output: int, at: Places, y: float) -> str:
    """Return the words beside an output as SVG: its action and the probability that it decides."""
    chance = float(network_decision.output_probabilities[output])
    room = at.right - 38 - at.words
    said = network_decision.describe_action(network_decision.actions[output])
    if at == WHOLE:
        words = draw_text(said, at.words, y - 8, 13, bold=True)
        words += draw_text(OUTPUTS[output], at.right, y - 8, 10.5, GRAY, anchor="end")
    else:
        words = draw_headline(said, at.words, y - 8, 13, at.right - at.words)
        words += draw_text(OUTPUTS[output], at.words, y + 27, 10.5, GRAY)
    frame = write_element(
        "rect", x=at.words, y=y, width=room, height=13, fill="none", stroke="#9a9a9a"
    )
    bar = write_element("rect", x=at.words, y=y, width=room * chance, height=13, fill=BLUE)
    number = draw_text(format_percent(chance), at.right, y + 11, 12, anchor="end", bold=True)
    return words + frame + bar + number


def format_briefly(value: float) -> str:
    """Return a value in few letters: '0.62', '12.5', '1,000'."""
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return put_true_minus(f"{value:,.{digits}f}")
