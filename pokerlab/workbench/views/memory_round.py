"""A picture of one round of a memory: its sets, the tests, the winners, the subgame's payoffs, and the new sets.

It is the paper's Figure 1, and for two players its Figure 2 (Oliehoek et al. 2006). Begin with `draw_round`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path

from pokerlab.core import Floats, SettingError
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.games.tree_passes import compute_gradients, compute_plans
from pokerlab.solvers import ZeroSumProgram
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.search_heuristics import compute_utilities
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap, make_named_ticks
from pokerlab.workbench.style import BLUE, GRAY, INK, RED, SMALL_SIZE, TITLE_SIZE, figure
from pokerlab.workbench.text import abbreviate_actions, put_true_minus, signed

MOST_WRITTEN_NUMBERS = 3  # a strategy of more numbers gets an ordinal number as its name


def name_strategies(game: Any, strategies: Any, player: int = 0) -> tuple[str, ...]:
    """Return names of strategies: the action in each role, the numbers if they are few, or an ordinal number.

    Parameters
    ----------
    game : Any
        The game.
    strategies : array of shape (K, d)
        K strategies, which are vectors of d numbers.
    player : int
        The index of the player whose strategies they are.

    Returns
    -------
    tuple of K str
        The names.
    """
    numbered = tuple(f"no. {number + 1}" for number in range(len(strategies)))
    if isinstance(game, CompiledSymmetric):
        whole, roles = game.game, game.roles
    elif isinstance(game, SequenceForm):
        whole = game
        roles = (player,)
    elif strategies.shape[1] <= MOST_WRITTEN_NUMBERS:
        return tuple(f"({', '.join(map(str, strategy))})" for strategy in strategies.tolist())
    else:
        return numbered
    if any(whole.num_infosets[role] != 1 for role in roles):
        return numbered
    ends = np.cumsum([whole.num_sequences[role] for role in roles])[:-1]
    chosen = []
    for role, plans in zip(roles, np.split(strategies, ends, axis=1), strict=True):
        actions = whole.action_label[int(whole.infoset_start[role])]
        names = actions if len(roles) == 1 else abbreviate_actions(actions)
        chosen.append([names[action] for action in plans[:, 1:].argmax(axis=1)])
    return tuple(" + ".join(names) for names in zip(*chosen, strict=True))


@dataclass(frozen=True)
class ProposedTest:
    """A strategy that the heuristic proposes.

    Attributes
    ----------
    name : str
        The name of the strategy.
    gain : float
        Its payoff minus that of the player's mixture, against the mixtures of the others.
    is_winner : bool
        Whether it is a new strategy that joins the pool.
    """

    name: str
    gain: float
    is_winner: bool


@dataclass(frozen=True, eq=False)
class Side:
    """The part of a round that belongs to one player, or to both in a symmetric memory.

    Attributes
    ----------
    names : tuple of K str
        The strategies that are stored after the round, in the order in which they were stored.
    before : array of shape (K,)
        Their probabilities before the round; NaN for new ones.
    after : array of shape (K,)
        Their probabilities after the round.
    tests : tuple of ProposedTest
        The strategies that the heuristic has proposed.
    """

    names: tuple[str, ...]
    before: Floats
    after: Floats
    tests: tuple[ProposedTest, ...]


@dataclass(frozen=True, eq=False)
class OneRound:
    """The numbers of one round of a memory.

    Attributes
    ----------
    iteration : int
        The number of rounds before this one.
    heuristic : str
        The heuristic that proposes tests, in words.
    solver : str
        The solver of the subgame, in words.
    unit : str
        The unit of payoffs.
    sides : tuple of Side
        One for each player, or the only one of a symmetric memory.
    payoffs : array of shape (K_1, K_2)
        The payoffs of player 1 in the subgame that is solved.
    value : float
        The payoff of player 1 by the new mixtures.
    """

    iteration: int
    heuristic: str
    solver: str
    unit: str
    sides: tuple[Side, ...]
    payoffs: Floats
    value: float

    @property
    def winners(self) -> tuple[tuple[str, ...], ...]:
        """The names of the strategies that join the pool of each side."""
        return tuple(
            tuple(test.name for test in side.tests if test.is_winner) for side in self.sides
        )


def play_round(memory: Any, state: Any) -> OneRound:
    """Return the numbers of the round that a memory does next from a state.

    Raises
    ------
    SettingError
        If the state has converged, so that no round follows, or a bounded memory drops strategies.
    """
    after, tests = memory.step(state), memory.propose_test_strategies(state)
    if after.iteration == state.iteration:
        raise SettingError(
            f"after {state.iteration} rounds nobody gains any more in {state.game.name}, so no round"
            " follows; draw one from an earlier state."
        )
    solver = "linear program"
    if isinstance(state, ParallelMemoryState):
        sides = make_parallel_sides(state, after, tests)
        payoffs = after.payoffs[0]
        value = float(after.values[0])
        if not isinstance(memory.subgame, ZeroSumProgram):
            solver = type(memory.subgame).__name__
    else:
        sides = (make_symmetric_side(state, after, tests[0]),)
        payoffs = after.payoffs
        value = 0.0
    name = type(memory.heuristic).__name__
    heuristic = "".join(
        f" {letter.lower()}" if letter.isupper() else letter for letter in name
    ).strip()
    unit = state.game.unit.plural
    return OneRound(state.iteration, heuristic, solver, unit, sides, payoffs, value)


def make_parallel_sides(
    state: ParallelMemoryState, after: ParallelMemoryState, tests: Any
) -> tuple[Side, ...]:
    """Return the sides of both players in a round of a parallel memory, from the states before and after it."""
    game = state.game
    plan = compute_plans(game.block, tests)
    gains = compute_utilities(game, plan, compute_gradients(game.block, state.plan)) - state.values
    sides = []
    for player, pool in enumerate(after.pools):
        proposed = np.append(1, plan[game.num_players :][game.player_sequences[player]])
        mixtures = state.mixtures[player], after.mixtures[player]
        sides.append(make_side(game, player, pool, mixtures, proposed[None], gains[player, None]))
    return tuple(sides)


def make_symmetric_side(state: Any, after: Any, tests: Any) -> Side:
    """Return the side of a round of a symmetric memory, from the states before and after it."""
    known = len(state.strategies)
    if len(after.strategies) < known or (after.strategies[:known] != state.strategies).any():
        raise SettingError("this memory has dropped strategies; draw one without a capacity.")
    used = np.flatnonzero(state.mixture)
    gains = state.game.payoffs(tests, state.strategies[used]) @ state.mixture[used]
    return make_side(state.game, 0, after.strategies, (state.mixture, after.mixture), tests, gains)


def make_side(
    game: Any, player: int, pool: Any, mixtures: tuple[Floats, Floats], proposed: Any, gains: Floats
) -> Side:
    """Return the side of a player in a round.

    Parameters
    ----------
    game : Any
        The game.
    player : int
        The index of the player.
    pool : array of shape (K, d)
        The K strategies that are stored after the round.
    mixtures : tuple of 2 array
        The probabilities of the stored strategies before and after the round.
    proposed : array of shape (T, d)
        The T strategies that the heuristic has proposed.
    gains : array of shape (T,)
        Their gains.
    """
    before, after = mixtures
    names = shorten_names(name_strategies(game, np.vstack([pool, proposed]), player))
    tests = []
    for number, (strategy, gain) in enumerate(zip(proposed, gains, strict=True)):
        positions = np.flatnonzero((pool == strategy).all(axis=1))
        position = int(positions[0]) if positions.size else len(pool) + number
        is_winner = len(before) <= position < len(pool)
        tests.append(ProposedTest(names[position], float(gain), is_winner))
    no_probabilities = np.full(len(pool) - len(before), np.nan)
    return Side(names[: len(pool)], np.append(before, no_probabilities), after, tuple(tests))


LONGEST_NAME = 10  # the most letters of a name for which a box has room


def shorten_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that are cut so that they fit in a box."""
    return tuple(
        name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names
    )


MOST_STRATEGIES = 8  # the most strategies of a player for which a picture has room
WIDTH = 9.6
GAP = 0.12  # inches between two sets
PLAYER_GAP, HEADING_ROOM = 0.35, 0.85  # inches between two players, and above them
SETS_AT, TESTS_AT, PAYOFFS_AT, PROGRAM_AT, AFTER_AT = 0.1, 2.2, 4.15, 6.5, 7.65
"""Inches from the left to each part."""
SET_WIDTH, TEST_WIDTH, LABEL_WIDTH = 1.85, 1.55, 0.4
LETTER_WIDTH = 0.07  # inches of a letter of a label
ARROW_DROP = 0.33  # inches from the payoffs down to the arrow that leads to a column
PAYOFF_COLORS = ("#d6604d", "#f4a582", "#fddbc7", "#f7f7f7", "#d1e5f0", "#92c5de", "#4393c3")
"""From a loss to a win; the largest payoff of a subgame comes close to the ends."""
ROUNDING = 1e-9  # a payoff that is smaller, relative to the largest one, is zero
Point = tuple[float, float]


def draw_payoffs(payoffs: Floats, rows: Sequence[str], columns: Sequence[str]) -> HeatMap:
    """Return a heat map of payoffs with numbers: blue if the row wins, red if it loses, and white for zero."""
    largest = float(np.abs(payoffs).max()) or 1.0
    exact = np.where(np.abs(payoffs) < ROUNDING * largest, 0.0, payoffs)
    across, down = (
        make_named_ticks([name.removeprefix("no. ") for name in names], 0.0)
        for names in (columns, rows)
    )
    return HeatMap(
        payoffs,
        Axis("", (-0.5, len(columns) - 0.5), ticks=across),
        Axis("", (len(rows) - 0.5, -0.5), ticks=down),
        ColorScale(PAYOFF_COLORS, -1.2 * largest, 1.2 * largest),
        words=np.array([[put_true_minus(f"{payoff:.2g}") for payoff in row] for row in exact]),
        gap=1.0,
    )


def draw_round(memory: Any, state: Any) -> Figure:
    """Return a figure of one round of a memory from one of its states: sets, tests, winners, subgame, and new sets.

    Parameters
    ----------
    memory : NashMemory or ParallelNashMemory
        The memory, whose heuristic proposes the tests, and whose solver computes the mixtures.
    state : Any
        A state of the memory that has not converged.

    Raises
    ------
    SettingError
        If nobody gains any more, so that there is no round to draw, a bounded memory drops something, or there
        are more than eight strategies of a player.
    """
    round_data = play_round(memory, state)
    if max(round_data.payoffs.shape) > MOST_STRATEGIES:
        raise SettingError(
            f"more than {MOST_STRATEGIES} strategies of a player have no room; draw an earlier round."
        )
    heights = [
        max(measure_sets(side.before), measure_sets(side.after)) for side in round_data.sides
    ]
    total = max(sum(heights) + PLAYER_GAP * (len(heights) - 1), 2.1) + HEADING_ROOM
    round_figure, _ = figure(WIDTH, total, 1, 1)
    round_figure.clear()
    round_figure.set_layout_engine("none")
    canvas = round_figure.add_axes((0.0, 0.0, 1.0, 1.0))
    canvas.set(xlim=(0.0, WIDTH), ylim=(0.0, total))
    canvas.axis("off")
    canvas.text(
        SETS_AT,
        total - 0.2,
        describe_round(round_data),
        fontsize=TITLE_SIZE,
        color=INK,
        va="center",
    )
    write_headings(canvas, round_data, total - 0.52)

    top = total - 0.68
    middle = top - (total - HEADING_ROOM) / 2
    size = min(2.05, total - 1.3)
    left = PAYOFFS_AT + LABEL_WIDTH
    bottom = middle - size / 2 + 0.1
    for player, side in enumerate(round_data.sides):
        test = draw_side(canvas, side, player if len(round_data.sides) > 1 else None, top)
        top -= heights[player] + PLAYER_GAP
        if round_data.winners[player]:
            new = (np.count_nonzero(~np.isnan(side.before)) + 0.5) / len(side.names)
            name_length = max(len(name.removeprefix("no. ")) for name in side.names)
            row = left - 0.1 - LETTER_WIDTH * name_length, bottom + size * (1 - new)
            column = left + size * new, bottom
            draw_arrow_to_payoffs(canvas, test, column if player else row, under=bool(player))
    inset = round_figure.add_axes((left / WIDTH, bottom / total, size / WIDTH, size / total))
    rows = round_data.sides[0]
    columns = round_data.sides[-1]
    paint_panel(inset, draw_payoffs(round_data.payoffs, rows.names, columns.names))
    mark_new_payoffs(inset, rows, columns)
    draw_solver(canvas, round_data, middle)
    return round_figure


def write_headings(canvas: Axes, round_data: OneRound, height: float) -> None:
    """Write the headings of the parts of the picture."""
    winner = "player 1" if len(round_data.sides) > 1 else "the row"
    words = (
        (
            SETS_AT,
            f"after round {round_data.iteration}" if round_data.iteration else "at the start",
        ),
        (TESTS_AT, f"tests: {round_data.heuristic}"),
        (PAYOFFS_AT + LABEL_WIDTH, f"what {winner} wins ({round_data.unit})"),
        (AFTER_AT, f"after round {round_data.iteration + 1}"),
    )
    for x, heading in words:
        canvas.text(x, height, heading, fontsize=SMALL_SIZE, color=GRAY, va="center")


def describe_round(round_data: OneRound) -> str:
    """Return the title: the players who store new strategies, and the numbers of strategies in the new mixtures."""
    if len(round_data.sides) == 1:
        names = round_data.winners[0]
        words = f"{' and '.join(names) or 'nothing'} join{'s' * (len(names) <= 1)}"
    else:
        who = [f"player {p + 1}" for p, names in enumerate(round_data.winners) if names]
        stores = "store a new strategy each" if len(who) == 2 else "stores a new strategy"
        words = f"{' and '.join(who) or 'no player'} {stores}"
    used = " and ".join(str(np.count_nonzero(side.after)) for side in round_data.sides)
    return f"Round {round_data.iteration + 1}: {words}; then {used} strategies have weight"


def draw_side(canvas: Axes, side: Side, player: int | None, top: float) -> tuple[Point, Point]:
    """Draw the sets of a player before and after the round, and the tests between them.

    Returns
    -------
    bottom_left, middle_right : (float, float)
        Two points on the edge of the box of tests, from which an arrow can begin.
    """
    whose = "" if player is None else f"player {player + 1} "
    bottom = draw_sets(canvas, side, side.before, SETS_AT, top, whose)
    draw_sets(canvas, side, side.after, AFTER_AT, top, whose)
    lines = [
        SetLine(f"{test.name}  {signed(test.gain, 3)}", None, test.is_winner) for test in side.tests
    ]
    height = (top + bottom) / 2 + measure_box(len(lines)) / 2
    end = draw_set(canvas, f"{whose}test", "T", lines, (TESTS_AT, height), TEST_WIDTH)
    level = (height + end) / 2
    draw_arrow(canvas, [(SETS_AT + SET_WIDTH, level), (TESTS_AT, level)])
    return (TESTS_AT, end), (TESTS_AT + TEST_WIDTH, level)


def draw_arrow_to_payoffs(
    canvas: Axes, test: tuple[Point, Point], to: Point, *, under: bool
) -> None:
    """Draw the arrow from the box of tests to the row of payoffs of a winner.

    If `under` is True, the arrow leads below the payoffs to the column of the winner.
    """
    (x, bottom), right = test
    if not under:
        draw_arrow(canvas, [right, to])
        return
    x = x + TEST_WIDTH / 2
    level = to[1] - ARROW_DROP
    draw_arrow(canvas, [(x, bottom), (x, level), (to[0], level), (to[0], to[1] - LINE_HEIGHT)])


def draw_sets(canvas: Axes, side: Side, mixture: Any, x: float, top: float, whose: str) -> float:
    """Draw the boxes of the sets N and M, one below the other, and return the lower end of the second."""
    is_new = np.isnan(side.before) & ~np.isnan(mixture)
    below = top
    sets = (
        ("N", f"{whose}support (N)", mixture > 0.0),
        ("M", "stored, no weight (M)", mixture == 0.0),
    )
    for letter, title, inside in sets:
        lines = [
            SetLine(side.names[i], float(mixture[i]) if letter == "N" else None, bool(is_new[i]))
            for i in np.flatnonzero(inside)
        ]
        below = draw_set(canvas, title, letter, lines, (x, below), SET_WIDTH) - GAP
    return below + GAP


def measure_sets(mixture: Any) -> float:
    """Return the height of the boxes of the sets N and M together, in inches."""
    sizes = [np.count_nonzero(mixture > 0.0), np.count_nonzero(mixture == 0.0)]
    return sum(measure_box(int(size)) for size in sizes) + GAP


def draw_arrow(canvas: Axes, points: Sequence[Point]) -> None:
    """Draw an arrow along a sequence of points."""
    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 2, "shrinkB": 2}
    canvas.add_patch(
        FancyArrowPatch(path=Path(points), color=INK, fill=False, linewidth=1.0, **look)
    )


def mark_new_payoffs(axes: Axes, rows: Side, columns: Side) -> None:
    """Frame the rows and columns of payoffs that belong to the winners."""
    old_rows, old_columns = (int(np.count_nonzero(~np.isnan(s.before))) for s in (rows, columns))
    height, width = len(rows.names), len(columns.names)
    look: dict[str, Any] = {"fill": False, "edgecolor": RED, "linewidth": 1.8, "clip_on": False}
    if old_rows < height:
        axes.add_patch(Rectangle((-0.5, old_rows - 0.5), width, height - old_rows, **look))
    if old_columns < width:
        axes.add_patch(Rectangle((old_columns - 0.5, -0.5), width - old_columns, height, **look))


def draw_solver(canvas: Axes, round_data: OneRound, middle: float) -> None:
    """Draw the arrow from the payoffs to the new sets, with the name of the solver and the value."""
    end = AFTER_AT - 0.05
    draw_arrow(canvas, [(PROGRAM_AT + 0.15, middle), (end, middle)])
    x = (PROGRAM_AT + 0.1 + end) / 2
    size = SMALL_SIZE
    above = round_data.solver.replace(" ", "\n")
    canvas.text(x, middle + 0.1, above, fontsize=size, ha="center", va="bottom", color=INK)
    below = f"value {signed(round_data.value, 4)}"
    canvas.text(x, middle - 0.1, below, fontsize=size, ha="center", va="top", color=GRAY)


LINE_HEIGHT, HEADING_HEIGHT = 0.2, 0.26  # inches of a line and of the heading
MARGIN, BAR_AT, NUMBER_WIDTH = 0.08, 0.78, 0.46
"""Inches beside the words, from the left end to the bar, of a number."""
SET_COLORS = {"N": "#e3f0f9", "M": "#efece6", "T": "#ffffff"}
"""A box's color by the letter of its set; tests are dashed besides."""


class SetLine(NamedTuple):
    """A line in the box of a set: the name of a strategy, its probability if it has one, and whether it is new."""

    name: str
    probability: float | None
    is_new: bool


def draw_set(
    canvas: Axes, title: str, letter: str, lines: Sequence[SetLine], corner: Point, width: float
) -> float:
    """Draw a set as a box with a line for each strategy, and return the lower end of the box."""
    x, top = corner
    height = measure_box(len(lines))
    dash = "--" if letter == "T" else "-"
    style = "round,pad=0,rounding_size=0.06"
    face: dict[str, Any] = {"facecolor": SET_COLORS[letter], "edgecolor": GRAY, "linestyle": dash}
    canvas.add_patch(FancyBboxPatch((x, top - height), width, height, style, linewidth=0.9, **face))
    canvas.text(
        x + MARGIN, top - HEADING_HEIGHT / 2, title, fontsize=SMALL_SIZE, color=GRAY, va="center"
    )
    for number, each in enumerate(lines):
        write_strategy(
            canvas, each, (x, top - HEADING_HEIGHT - LINE_HEIGHT * (number + 0.5)), width
        )
    if not lines:
        look: dict[str, Any] = {"fontsize": SMALL_SIZE, "color": GRAY, "va": "center"}
        canvas.text(x + MARGIN, top - HEADING_HEIGHT - LINE_HEIGHT / 2, "nothing", **look)
    return top - height


def write_strategy(canvas: Axes, line: SetLine, at: Point, width: float) -> None:
    """Write the name of a strategy, bold if it is new, and draw its probability as a bar with a number."""
    x, y = at
    weight = "bold" if line.is_new else "normal"
    look: dict[str, Any] = {"fontsize": SMALL_SIZE + 0.5, "color": INK, "va": "center"}
    canvas.text(x + MARGIN, y, line.name, weight=weight, **look)
    if line.probability is not None:
        canvas.text(x + width - MARGIN, y, f"{line.probability:.3f}", ha="right", **look)
        length = (width - BAR_AT - NUMBER_WIDTH) * line.probability
        canvas.add_patch(Rectangle((x + BAR_AT, y - 0.05), length, 0.1, color=BLUE))


def measure_box(number: int) -> float:
    """Return the height of a box with a number of strategies, in inches."""
    return HEADING_HEIGHT + LINE_HEIGHT * max(number, 1) + 0.05
