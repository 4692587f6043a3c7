"""A symmetric game typed in: where its population flows, where it rests, and what chance makes of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np
from ipywidgets import Dropdown, SelectionSlider, Text
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, ShapeError, validate_integer
from pokerlab.solvers import MoranProcess, find_rest_points
from pokerlab.solvers.stability import RestPoint, RestPoints
from pokerlab.workbench.live.explorer import Button, Control, Explorer, Plot, Values
from pokerlab.workbench.picture import BELOW, Axis, Curve, Curves, Picture, Strip, Triangle
from pokerlab.workbench.style import nth_look
from pokerlab.workbench.views.flow import draw_flow, draw_growth

GAMES = {
    "hawks and doves": ("-2 2; 0 1", "hawk, dove"),
    "hawks, doves and bullies": ("-2 2 2; 0 1 0; 0 2 1", "hawk, dove, bully"),
    "rock-paper-scissors, inward": ("0 -1 2; 2 0 -1; -1 2 0", "rock, paper, scissors"),
    "rock-paper-scissors, closed": ("0 -1 1; 1 0 -1; -1 1 0", "rock, paper, scissors"),
    "rock-paper-scissors, outward": ("0 -2 1; 1 0 -2; -2 1 0", "rock, paper, scissors"),
    "stag hunt": ("4 0; 3 3", "stag, hare"),
    "prisoner's dilemma": ("3 0; 5 1", "cooperate, defect"),
    "Zeeman's game": ("0 6 -4; -3 0 5; -1 3 0", "A, B, C"),
}
"""Payoffs and names by the name of a game."""
OWN = "a game of your own"
START = {2: "0.1 0.9", 3: "0.6 0.3 0.1"}
GENERATIONS, MOMENTS = 40, 401
SIZES = (2, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
MOST = 9999
NUMBER = re.compile(r"-?(\d{1,4}(\.\d{0,6})?|\.\d{1,6}|\d{1,4}/\d{1,4})")
MINUS = "\N{MINUS SIGN}"
FIELDS = {
    "Payoffs": "Rows of numbers, such as -2 2; 0 1",
    "Names": "Of the strategies, with commas",
    "Start": "A share of each strategy, such as 0.1 0.9",
    "Shift": "Added to all payoffs; the larger, the more chance decides",
}
"""What is typed in, and what the fields say about it."""
Rows = list[list[Any]]  # of fractions
HEIGHT = 4.0  # inches of the picture
MOST_EVENTS = 2000  # of a finite population, drawn: more would lie on the same pixels
OF_ALL = "of all"  # the unit of a share
DIGITS = 3  # of a start on which a reader clicks
THIN: Any = {"linewidth": 0.8}
THICK: Any = {"linewidth": 2.6, "alpha": 0.75, "marker": ""}
CAPTION = (
    "Where the shares flow: arrows, marks where they rest, and a click starts there. Beside or below it: a population"
    " that breeds and dies by chance (thin) and an endless one (thick), from the same start."
)
GAME, SIZE, SEED = "Game", "Individuals", "seed"
"""Names of the controls that are no fields."""


@dataclass(frozen=True, eq=False)
class PopulationReading:
    """What is known of a game and of a population that plays it."""

    payoff: Any  # (K, K), numbers as they were given
    names: tuple[str, ...]
    process: MoranProcess
    rest: RestPoints
    times: Floats  # (T,), generations
    endless: Floats  # (T, K), shares where chance averages out
    counts: Ints  # (E + 1, K), after each event of the finite population

    @classmethod
    def compute(
        cls, payoff: Any, names: tuple[str, ...], start: ArrayLike, process: MoranProcess, seed: int
    ) -> "PopulationReading":
        """Compute everything, for a start in shares."""
        times = np.linspace(0.0, GENERATIONS, MOMENTS)
        endless = process.integrate_limit(start, times)
        ends = np.rint(np.cumsum([0.0, *endless[0]]) * process.size)
        counts = process.run(np.diff(ends), GENERATIONS * process.size, seed=seed)
        return cls(payoff, names, process, find_rest_points(payoff), times, endless, counts)

    def list_lines(self) -> list[str]:
        """Return the rest points in words, and the chance of a single mutant where two strategies play."""
        said = [describe_rest_point(point, self.names) for point in self.rest.points]
        said += ["the flow rests along a whole line"] * bool(self.rest.continua)
        if len(self.names) == 2:
            size = self.process.size
            chance = float(self.process.compute_fixation_probabilities()[1])
            said.append(
                f"a single {self.names[0]} among {size} takes over with chance {chance:.3g},"
                f" by luck alone {1 / size:.3g}"
            )
        return said


def draw_population(reading: PopulationReading) -> Picture:
    """Return the picture of a reading."""
    flow = replace(
        draw_rest(reading), title="Where the shares flow", legend=BELOW, can_choose_start=True
    )
    shares = draw_shares(reading)
    words = "; ".join([shares.title, *reading.list_lines()])
    return Picture((Strip("population", HEIGHT, ((flow, shares),)),), words=words)


def draw_rest(reading: PopulationReading) -> Curves | Triangle:
    """Return where shares flow and rest."""
    matrix = np.asarray(reading.payoff, dtype=np.float64)
    if len(reading.names) == 2:
        return draw_growth(matrix, reading.names[0], reading.rest)
    return draw_flow(matrix, reading.names, reading.rest, [reading.endless])


def draw_shares(reading: PopulationReading) -> Curves:
    """Return the shares of a finite population and of an endless one, by generations."""
    size, names = reading.process.size, reading.names
    drawn = np.unique(np.linspace(0, len(reading.counts) - 1, MOST_EVENTS).astype(int))
    events = drawn / size
    curves = []
    for k in (0,) if len(names) == 2 else range(len(names)):
        look = nth_look(k)
        thin = {"color": look["color"]} | THIN
        by_chance = f"{names[k]}, {size:,} individuals"
        shares = reading.counts[drawn, k] / size
        curves.append(Curve(events, shares, by_chance, look=thin, unit=OF_ALL))
        endless = f"{names[k]}, endless"
        curves.append(
            Curve(reading.times, reading.endless[:, k], endless, names[k], look | THICK, OF_ALL)
        )
    alive = [name for name, n in zip(names, reading.counts[-1], strict=True) if n]
    left_over = f"{' and '.join(alive)} {'are' if len(alive) > 1 else 'is'} left"
    return Curves(
        Axis("generations", (0.0, GENERATIONS)),
        Axis("share", (-0.02, 1.02)),
        tuple(curves),
        f"{size:,} individuals: {left_over}",
        legend=BELOW,
    )


def describe_rest_point(point: RestPoint, names: Sequence[str]) -> str:
    """Return a rest point as a sentence."""
    parts = [f"{name} {share}" for name, share in zip(names, point.shares, strict=True) if share]
    where = ", ".join(parts) if len(parts) > 1 else f"all {parts[0][:-2]}"
    first = point.eigenvalues[0]
    turning = f"{first.real + 0.0:.3f} ± {first.imag:.3f} i"
    values = turning if first.imag else " and ".join(f"{z.real:.3f}" for z in point.eigenvalues)
    noun = "slope" if len(point.eigenvalues) == 1 else "eigenvalues"
    kind = "evolutionarily stable, attracting" if point.is_stable else point.kind
    return f"{where}: {kind}, {noun} {values.replace('-', MINUS)}"


def make_population_controls(seed: int) -> list[Control]:
    """Return a menu of games, a field for each thing that can be typed in, and the size of the population."""
    look = {"layout": {"width": "320px"}, "style": {"description_width": "80px"}}
    late = {**look, "continuous_update": False}
    fields = (
        Control(name, "", Text, name, f"{words}; press Enter", widget_arguments=late)
        for name, words in FIELDS.items()
    )
    menu = Control(GAME, OWN, Dropdown, GAME, widget_arguments={**look, "options": [*GAMES, OWN]})
    size = Control(SIZE, 50, SelectionSlider, SIZE, widget_arguments={**late, "options": SIZES})
    return [menu, *fields, size, Control(SEED, seed)]


def fit_fields(payoffs: str, names: str) -> Values:
    """Return payoffs and names as fields, with a start and a shift that fit, and the game that they are."""
    matrix = read_payoffs(payoffs)
    fitting = names if names.count(",") == len(matrix) - 1 else "A, B, C"[: 3 * len(matrix) - 2]
    shift = str(max(1 - min(min(row) for row in matrix), 0))
    known = {texts: name for name, texts in GAMES.items()}
    return {
        GAME: known.get((payoffs, fitting), OWN), "Payoffs": payoffs, "Names": fitting,
        "Start": START[len(matrix)], "Shift": shift,
    }  # fmt: skip


def follow_population_control(values: Values, name: str) -> Values:
    """Return the values that go with a control that has moved: other payoffs bring names and a start that fit."""
    typed = values["Payoffs"], values["Names"]
    if name == GAME:
        return values | fit_fields(*GAMES.get(values[GAME], typed))
    return values | fit_fields(*typed) if name == "Payoffs" else values


def read_population(values: Values) -> PopulationReading:
    """Return what the fields say; refuse what cannot be."""
    payoff, start = read_payoffs(values["Payoffs"]), read_rows(values["Start"])
    names = tuple(filter(None, map(str.strip, values["Names"].split(","))))
    if len(names) != len(payoff) or len(start) != 1:
        raise ShapeError(
            f"{len(payoff)} strategies need {len(payoff)} names, with commas, and one row of shares to start"
            f" from; there are {len(names)} names and {len(start)} rows."
        )
    shift = float(read_number(values["Shift"]))
    process = MoranProcess(payoff, values[SIZE], payoff_shift=shift)
    return PopulationReading.compute(payoff, names, start[0], process, values[SEED])


def plot_population(reading: PopulationReading) -> Plot:
    """Return the picture of a reading, with its rest points in words."""
    lines = reading.list_lines()
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    picture = draw_population(reading)
    html = f'<p style="line-height: 1.45;">{CAPTION}</p><ul>{items}</ul>'
    words = "\n".join([CAPTION, *lines])
    return Plot(picture, html, words, "\n".join(lines))


def start_at(values: Values, shares: Sequence[float]) -> Values:
    """Return the values with the start at these shares, in thousandths."""
    first = [round(share, DIGITS) for share in shares[:-1]]
    shown = (f"{abs(share):.{DIGITS}f}" for share in (*first, 1.0 - sum(first)))
    return values | {"Start": " ".join(shown)}


def read_rows(text: str) -> Rows:
    """Read rows of numbers, separated by semicolons or lines; inside a row by spaces or commas."""
    rows = [re.split(r"[\s,]+", row.strip()) for row in re.split(r"[;\n]", text) if row.strip()]
    if not rows:
        raise ShapeError("no number is given; write rows such as -2 2; 0 1.")
    return [[read_number(word) for word in row] for row in rows]


def read_payoffs(text: str) -> Rows:
    """Read a game's payoffs."""
    rows = read_rows(text)
    if len(rows) not in START or any(len(row) != len(rows) for row in rows):
        raise ShapeError(
            f"the rows have {' and '.join(str(len(row)) for row in rows)} numbers; write as many rows as"
            " columns, two or three, such as -2 2; 0 1."
        )
    return rows


def read_number(word: str) -> Fraction:
    """Read one number: whole, with a point, or a fraction."""
    plain = word.strip().replace(MINUS, "-")
    if not NUMBER.fullmatch(plain) or plain.endswith("/0"):
        raise SettingError(
            f"'{word}' is not a number between {-MOST:,} and {MOST:,}. Write numbers such as 2, -0.5 or 1/3, and"
            " payoffs in rows, such as 0 6 -4; -3 0 5; -1 3 0."
        )
    return Fraction(plain)


def population_explorer(
    game: str = "hawks and doves", names: str = "", *, seed: int
) -> Explorer[PopulationReading]:
    """Show a game of two or three strategies: its flow, its rest points, and a finite population beside it.

    Parameters
    ----------
    game : str
        The name of a game, such as 'hawks and doves' or 'rock-paper-scissors, closed', or its payoffs, what the
        row's strategy earns from the column's, such as '-2 2; 0 1'. Any other can be typed in.
    names : str
        Of the strategies of a game that has no name, with commas.
    seed : int
        Of the finite population.

    Returns
    -------
    Explorer
        What is shown; `reading` holds its numbers.

    Examples
    --------
    >>> explorer = population_explorer("rock-paper-scissors, closed", seed=1)
    >>> print(explorer.reading.list_lines()[-1])
    rock 1/3, paper 1/3, scissors 1/3: center, eigenvalues 0.000 ± 0.577 i
    """
    controls = make_population_controls(validate_integer("seed", seed, 0))
    return Explorer(
        "Population explorer", controls, read_population, plot_population,
        start=fit_fields(*GAMES.get(game, (game, names))), adjust_values=follow_population_control,
        is_plot=True, move_start=start_at,
        buttons=[
            Button("Draw again", lambda values, _: values | {SEED: values[SEED] + 1}, is_primary=True)
        ],
        write_summary=lambda reading: f"{', '.join(reading.names)}; {reading.list_lines()[-1]}",
    ).open()  # fmt: skip
