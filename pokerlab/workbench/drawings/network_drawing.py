"""A network at a no-limit table: a situation, how likely it does what there, and its units as a drawing."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_hex

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.holdem import Activations, decision
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
OWN, BETTOR = 0, 1  # seats: who is to act, and who bets into it, on its left
LEAST_NAMED = 0.005  # actions that are less likely than this are left out of a sentence


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A player who has put in nothing faces the bet, if any, of the seat on its left; all seats are taken."""

    win: float  # the player's chance to win against one random hand
    pot: int  # chips in the pot before the bet, all from the bettor
    price: int  # the bet. Who has less calls with all it has
    opponents: int  # how many have not folded, on the player's left
    own: int  # chips behind of the player
    others: tuple[int, ...]  # chips behind of the others, as they sit on the player's left
    overall: tuple[float, ...]  # aggressiveness of the player, and of the others in the same order
    recent: tuple[float, ...]
    to_button: int  # after how many hands the player has the button
    big_blind: int
    seats: int  # at the table
    free_folds: bool  # whether the rules allow to fold where nothing is owed

    @property
    def view(self) -> SeatView:
        """What the player sees; without cards."""
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
    """How a network decides once."""

    view: SeatView  # what it sees
    units: Activations  # its inputs, hidden units and outputs
    actions: tuple[int, ...]  # what each output stands for: FOLD, CALL, or the chips to raise to
    settings: NetworkDecisionFunction

    @classmethod
    def compute(
        cls, player: CompiledPlayer, view: SeatView, win: float | None = None
    ) -> "NetworkDecision":
        """Return the decision of a network, with its cards' chance to win, or with `win`."""
        units = decision(player, view, win)
        settings: NetworkDecisionFunction = player.decision_function  # type: ignore[assignment]
        outputs = range(NUM_OUTPUTS)
        actions = tuple(
            convert_output_to_action(settings, view.words, each, view.random_number)
            for each in outputs
        )
        return cls(view, units, actions, settings)

    @property
    def output_probabilities(self) -> Floats:
        """How likely each output decides, (5,): in proportion, or the largest always."""
        outputs = self.units.outputs.astype(np.float64)
        chances: Floats = outputs / outputs.sum()
        if self.settings.read_out == LARGEST:
            chances = np.zeros(NUM_OUTPUTS)
            chances[outputs.argmax()] = 1.0
        return chances

    @property
    def action_probabilities(self) -> dict[int, float]:
        """How likely each action is, the likeliest first; several outputs may stand for one action."""
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
        """Say what it does most likely: 'Most likely: raises to 60 (55%)'."""
        action, chance = next(iter(self.action_probabilities.items()))
        return f"Most likely: {self.describe_action(action)} ({format_percent(chance)})"

    def __str__(self) -> str:
        """Say what it does, the likeliest first: 'raises to 60 with 55%, folds with 45%'."""
        named = [each for each in self.action_probabilities.items() if each[1] >= LEAST_NAMED]
        return "; ".join(
            f"{self.describe_action(action)} with {format_percent(chance)}"
            for action, chance in named
        )


WIDTH, TOP, ROW, GAP = 800.0, 62.0, 13.6, 7.0
"""In pixels: of the picture, where the inputs begin, how far apart they are, and between their groups."""
BOTTOM = TOP + ROW * NUM_INPUTS + 3 * GAP
HEIGHT = BOTTOM + 6.0
NARROW = 272.0
"""Pixels of a piece for narrow places: on a phone, JupyterLab leaves some 250 to a picture."""
MOST_UNITS = 40  # hidden units drawn; of more, those that move the outputs most
LINES = (10, 10)
"""Drawn between inputs and hidden units, and between these and outputs: the strongest."""
WIDEST = 4.5
CAPTION = (
    "Circles: the value of each unit, from 0 (empty) to 1 (filled). Lines: what a unit adds to the next, its value"
    " times the weight; the ten strongest on each side, the wider the stronger; solid lines raise, dashed ones"
    " lower. Bars: how likely each output decides{how}."
)
HOW = (", in proportion to its value", ": the largest always does")


class Places(NamedTuple):
    """Where layers and the words beside the outputs stand, in pixels from the left."""

    inputs: float
    hidden: float
    outputs: float
    words: float
    right: float


WHOLE = Places(172.0, 372.0, 548.0, 576.0, 792.0)
FIRST = WHOLE._replace(hidden=NARROW - 22.0)
SECOND = Places(0.0, 18.0, 96.0, 118.0, NARROW - 4.0)
"""Of the whole picture, and of its pieces: inputs with hidden units, and these with outputs."""


class Matrices(NamedTuple):
    """A network's weights without its biases: (35, H) into the hidden units, (H, 5) out of them."""

    into: Floats
    out: Floats

    @classmethod
    def read_genome(cls, encoding: TableNetwork, genome: Floats32) -> "Matrices":
        """Return the weights of a network, (G,)."""
        hidden = encoding.hidden
        weights = genome.astype(np.float64)
        into = weights[: NUM_INPUTS * hidden].reshape(NUM_INPUTS, hidden)
        behind = weights[(NUM_INPUTS + 1) * hidden :]
        return cls(into, behind[: hidden * NUM_OUTPUTS].reshape(hidden, NUM_OUTPUTS))


def draw_network(weights: Matrices, decided: NetworkDecision, title: str = "") -> SvgDrawing:
    """Draw a network as it decides once; `title` is what else is said above the decision."""
    heading = draw_headline(decided.most_likely, 8, 20, 14.5, WIDTH - 16)
    heading += draw_text(title, 8, 39, 11.5, "#444444")
    text = f"{capitalize(str(decided))}\n{title}"
    caption = CAPTION.format(how=HOW[decided.settings.read_out])
    pieces = draw_network_in_pieces(weights, decided, title)
    first, second = (layer(weights, decided, WHOLE) for layer in (draw_first, draw_second))
    body = heading + first + second + draw_hidden(weights, decided, WHOLE)
    return SvgDrawing(WIDTH, HEIGHT, body, text, caption, pieces=pieces)


def draw_network_in_pieces(
    weights: Matrices, decided: NetworkDecision, title: str
) -> tuple[SvgDrawing, ...]:
    """Return the picture for narrow places: the headline above the first layer, and the second layer."""
    head, y = draw_paragraph(decided.most_likely, 8, 20, 14, NARROW - 16, bold=True)
    about, y = draw_paragraph(title, 8, y + 2, 12, NARROW - 16, fill="#444444")
    down = max(y - 46.0, 0.0)
    first = draw_first(weights, decided, FIRST) + draw_hidden(weights, decided, FIRST)
    second = draw_second(weights, decided, SECOND) + draw_hidden(weights, decided, SECOND)
    return (
        SvgDrawing(NARROW, HEIGHT + down, head + about + shift_elements(first, 0, down), ""),
        SvgDrawing(NARROW, HEIGHT, second, ""),
    )


def choose_units(weights: Matrices, decided: NetworkDecision) -> tuple[Ints, Floats]:
    """Return which hidden units are drawn, (U,), and what each adds to the outputs, (U, 5)."""
    out = weights.out * decided.units.hidden.astype(np.float64)[:, None]
    shown = np.sort(np.argsort(-np.abs(out).sum(axis=1), kind="stable")[:MOST_UNITS])
    return shown, out[shown]


def draw_first(weights: Matrices, decided: NetworkDecision, at: Places) -> str:
    """Return the inputs, and lines to the hidden units."""
    inputs = decided.units.inputs.astype(np.float64)
    shown, _ = choose_units(weights, decided)
    rows = [TOP + ROW * (n + 0.5) + GAP * ((n - 5) // 10 + 1) for n in range(NUM_INPUTS)]
    added = (weights.into * inputs[:, None])[:, shown]
    parts = [
        draw_text("inputs", at.inputs, 56, 10.5, GRAY, anchor="end"),
        draw_lines(added, (at.inputs, at.hidden), rows, place_rows(len(shown)), LINES[0]),
    ]
    for name, value, y in zip(INPUTS, inputs.tolist(), rows, strict=True):
        parts.append(draw_input(name, value, at.inputs, y))
    return "".join(parts)


def draw_second(weights: Matrices, decided: NetworkDecision, at: Places) -> str:
    """Return the outputs with what they stand for, and lines from the hidden units."""
    outputs = decided.units.outputs.astype(np.float64)
    shown, added = choose_units(weights, decided)
    rows = place_rows(NUM_OUTPUTS)
    parts = [
        draw_text("outputs", at.outputs, 56, 10.5, GRAY, anchor="middle"),
        draw_lines(added, (at.hidden, at.outputs), place_rows(len(shown)), rows, LINES[1]),
    ]
    for output, y in enumerate(rows):
        parts.append(draw_unit(outputs[output], at.outputs, y, 15.0))
        parts.append(draw_output(decided, output, at, y))
    return "".join(parts)


def draw_hidden(weights: Matrices, decided: NetworkDecision, at: Places) -> str:
    """Return the hidden units, and how many there are."""
    hidden = decided.units.hidden.astype(np.float64)
    shown, _ = choose_units(weights, decided)
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
    """Return the middles of `count` equal rows between top and bottom."""
    step = (BOTTOM - TOP) / count
    return [TOP + step * (place + 0.5) for place in range(count)]


def draw_lines(
    added: Floats, x: tuple[float, float], begin: list[float], end: list[float], most: int
) -> str:
    """Return the strongest lines between two layers; added[i, j] is what unit i adds to unit j."""
    strength = np.abs(added)
    strongest = max(float(strength.max()), 1e-12)
    parts = []
    for place in np.argsort(strength, axis=None, kind="stable")[-most:]:
        one, other = np.unravel_index(place, added.shape)
        share = strength[one, other] / strongest
        if share > 0.0:
            look = {} if added[one, other] > 0 else {"stroke_dasharray": "5 3"}
            color = BLUE if added[one, other] > 0 else RED
            parts.append(
                draw_line(x[0], begin[one], x[1], end[other], stroke=color,
                     stroke_width=0.4 + (WIDEST - 0.4) * share, stroke_opacity=0.65, **look)
            )  # fmt: skip
    return "".join(parts)


def choose_shade(value: float) -> str:
    """Return the color of a value from 0 to 1; what lies beyond counts as the end."""
    return str(to_hex(COLORS(min(max(value, 0.0), 1.0))))


def draw_input(name: str, value: float, x: float, y: float) -> str:
    """Return an input: its name, its value, its circle."""
    drawn = write_element(
        "circle", cx=x, cy=y, r=5.0, fill=choose_shade(value), stroke=INK, stroke_width=0.8
    )
    number = draw_text(format_briefly(value), x - 10, y + 3.6, 10, INK, anchor="end")
    return drawn + number + draw_text(name, x - 48, y + 3.6, 10, "#333333", anchor="end")


def draw_unit(value: float, x: float, y: float, radius: float) -> str:
    """Return a unit with what it says."""
    drawn = write_element(
        "circle", cx=x, cy=y, r=radius, fill=choose_shade(value), stroke=INK, stroke_width=0.8
    )
    if radius < 8.0:
        return drawn
    words = f"{value:.2f}".removeprefix("0")
    return drawn + draw_text(
        words, x, y + 3.4, 9.5, choose_ink(choose_shade(value)), anchor="middle"
    )


def draw_output(decided: NetworkDecision, output: int, at: Places, y: float) -> str:
    """Return what an output stands for, and how likely it decides."""
    chance = float(decided.output_probabilities[output])
    room = at.right - 38 - at.words
    said = decided.describe_action(decided.actions[output])
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
