"""One round of a memory: its sets, what the heuristic tests, what joins, the subgame's payoffs, the new sets.

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
from pokerlab.solvers.search import compute_utilities
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap, name_places
from pokerlab.workbench.style import BLUE, GRAY, INK, RED, SMALL_SIZE, TITLE_SIZE, figure
from pokerlab.workbench.text import abbreviate_actions, put_true_minus, signed

FEW_NUMBERS = 3  # numbers of a strategy that can be written out


def name_strategies(game: Any, strategies: Any, player: int = 0) -> tuple[str, ...]:
    """Return a name for each of `strategies`, (K, d): its action in each role, its few numbers, or its place."""
    numbered = tuple(f"no. {number + 1}" for number in range(len(strategies)))
    if isinstance(game, CompiledSymmetric):
        whole, roles = game.game, game.roles
    elif isinstance(game, SequenceForm):
        whole = game
        roles = (player,)
    elif strategies.shape[1] <= FEW_NUMBERS:
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
class Test:
    """A strategy that the heuristic proposes."""

    name: str
    gain: float  # how much more it wins than the mix, against the others' mixes
    joins: bool  # whether it is a winner that was not known: it joins the pool


@dataclass(frozen=True, eq=False)
class Side:
    """One player's part of a round; in a symmetric memory everybody's."""

    names: tuple[str, ...]  # the encountered strategies after the round, in the order met
    before: Floats  # (K,), their probabilities before and after; NaN before for those that are new
    after: Floats
    tests: tuple[Test, ...]  # what the heuristic has proposed


@dataclass(frozen=True, eq=False)
class OneRound:
    """What happens in one round."""

    iteration: int  # the rounds done before
    heuristic: str  # where tests come from, in words; how mixes are found; what payoffs count
    solver: str
    unit: str
    sides: tuple[Side, ...]  # one for each player, or the only one of a symmetric memory
    payoffs: Floats  # (K_1, K_2), what player 1 wins in the subgame that is solved
    value: float  # what player 1 wins in it by the new mixes

    @property
    def winners(self) -> tuple[tuple[str, ...], ...]:
        """The names of what joins each side."""
        return tuple(tuple(test.name for test in side.tests if test.joins) for side in self.sides)


def play_round(memory: Any, state: Any) -> OneRound:
    """Do one round of `memory` from `state` and return what happens in it."""
    after, tests = memory.step(state), memory.propose_tests(state)
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
    heuristic = "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
    unit = state.game.unit.plural
    return OneRound(state.iteration, heuristic, solver, unit, sides, payoffs, value)


def make_parallel_sides(
    state: ParallelMemoryState, after: ParallelMemoryState, tests: Any
) -> tuple[Side, ...]:
    """Return both players' parts of a round of the parallel memory."""
    game = state.game
    plan = compute_plans(game.block, tests)
    gains = compute_utilities(game, plan, compute_gradients(game.block, state.plan)) - state.values
    sides = []
    for player, pool in enumerate(after.pools):
        proposed = np.append(1, plan[game.num_players :][game.player_sequences[player]])
        mixes = state.mixtures[player], after.mixtures[player]
        sides.append(make_side(game, player, pool, mixes, proposed[None], gains[player, None]))
    return tuple(sides)


def make_symmetric_side(state: Any, after: Any, tests: Any) -> Side:
    """Return what happens in a round of the symmetric memory."""
    known = len(state.strategies)
    if len(after.strategies) < known or (after.strategies[:known] != state.strategies).any():
        raise SettingError("this memory has dropped strategies; draw one without a capacity.")
    used = np.flatnonzero(state.mixture)
    gains = state.game.payoffs(tests, state.strategies[used]) @ state.mixture[used]
    return make_side(state.game, 0, after.strategies, (state.mixture, after.mixture), tests, gains)


def make_side(
    game: Any, player: int, pool: Any, mixes: tuple[Floats, Floats], proposed: Any, gains: Floats
) -> Side:
    """Return a side from what it has met after the round, (K, d), its mixes, and (T, d) tests."""
    before, after = mixes
    names = shorten_names(name_strategies(game, np.vstack([pool, proposed]), player))
    tests = []
    for number, (strategy, gain) in enumerate(zip(proposed, gains, strict=True)):
        at = np.flatnonzero((pool == strategy).all(axis=1))
        place = int(at[0]) if at.size else len(pool) + number
        tests.append(Test(names[place], float(gain), len(before) <= place < len(pool)))
    unmet = np.full(len(pool) - len(before), np.nan)
    return Side(names[: len(pool)], np.append(before, unmet), after, tuple(tests))


LONGEST = 10  # letters of a name that have room in a box


def shorten_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that fit in a box."""
    return tuple(n if len(n) <= LONGEST else f"{n[: LONGEST - 1]}…" for n in names)


MOST_STRATEGIES = 8  # of a player, that have room in a picture
WIDTH = 9.6
GAP = 0.12  # inches between two sets
BETWEEN, ABOVE = 0.35, 0.85  # inches between two players, and above them
SETS_AT, TESTS_AT, PAYOFFS_AT, PROGRAM_AT, AFTER_AT = 0.1, 2.2, 4.15, 6.5, 7.65
"""Inches from the left to each part."""
SET_WIDTH, TEST_WIDTH, LABELS = 1.85, 1.55, 0.4
LETTER = 0.07  # inches of a letter of a label
UNDER = 0.33  # inches from the payoffs down to the arrow that leads to a column
PAYOFF_COLORS = ("#d6604d", "#f4a582", "#fddbc7", "#f7f7f7", "#d1e5f0", "#92c5de", "#4393c3")
"""From a loss to a win; the largest payoff of a subgame comes close to the ends."""
ROUNDING = 1e-9  # a payoff that is smaller, relative to the largest one, is zero
Point = tuple[float, float]


def draw_payoffs(payoffs: Floats, rows: Sequence[str], columns: Sequence[str]) -> HeatMap:
    """Return payoffs as colors and numbers: blue is won by the row, red is lost, white is nothing."""
    most = float(np.abs(payoffs).max()) or 1.0
    exact = np.where(np.abs(payoffs) < ROUNDING * most, 0.0, payoffs)
    across, down = (
        name_places([name.removeprefix("no. ") for name in names], 0.0) for names in (columns, rows)
    )
    return HeatMap(
        payoffs,
        Axis("", (-0.5, len(columns) - 0.5), ticks=across),
        Axis("", (len(rows) - 0.5, -0.5), ticks=down),
        ColorScale(PAYOFF_COLORS, -1.2 * most, 1.2 * most),
        words=np.array([[put_true_minus(f"{payoff:.2g}") for payoff in row] for row in exact]),
        gap=1.0,
    )


def draw_round(memory: Any, state: Any) -> Figure:
    """Draw one round of a memory from one of its states: sets, tests, winners, subgame, new sets.

    Parameters
    ----------
    memory : NashMemory or ParallelNashMemory
        The round is its own: the tests are what its heuristic proposes, the mixes what it solves for.
    state
        A state of the memory that has not converged.

    Raises
    ------
    SettingError
        If nobody gains any more, so that there is no round to draw, a bounded memory drops something, or there
        are more than eight strategies of a player.
    """
    drawn = play_round(memory, state)
    if max(drawn.payoffs.shape) > MOST_STRATEGIES:
        raise SettingError(
            f"more than {MOST_STRATEGIES} strategies of a player have no room; draw an earlier round."
        )
    heights = [max(measure_sets(side.before), measure_sets(side.after)) for side in drawn.sides]
    total = max(sum(heights) + BETWEEN * (len(heights) - 1), 2.1) + ABOVE
    made, _ = figure(WIDTH, total, 1, 1)
    made.clear()
    made.set_layout_engine("none")
    canvas = made.add_axes((0.0, 0.0, 1.0, 1.0))
    canvas.set(xlim=(0.0, WIDTH), ylim=(0.0, total))
    canvas.axis("off")
    canvas.text(
        SETS_AT, total - 0.2, describe_round(drawn), fontsize=TITLE_SIZE, color=INK, va="center"
    )
    write_headings(canvas, drawn, total - 0.52)

    top = total - 0.68
    middle = top - (total - ABOVE) / 2
    size = min(2.05, total - 1.3)
    left = PAYOFFS_AT + LABELS
    bottom = middle - size / 2 + 0.1
    for player, side in enumerate(drawn.sides):
        test = draw_side(canvas, side, player if len(drawn.sides) > 1 else None, top)
        top -= heights[player] + BETWEEN
        if drawn.winners[player]:
            new = (np.count_nonzero(~np.isnan(side.before)) + 0.5) / len(side.names)
            words = max(len(name.removeprefix("no. ")) for name in side.names)
            row = left - 0.1 - LETTER * words, bottom + size * (1 - new)
            column = left + size * new, bottom
            draw_way_to_payoffs(canvas, test, column if player else row, under=bool(player))
    inset = made.add_axes((left / WIDTH, bottom / total, size / WIDTH, size / total))
    rows = drawn.sides[0]
    columns = drawn.sides[-1]
    paint_panel(inset, draw_payoffs(drawn.payoffs, rows.names, columns.names))
    mark_new(inset, rows, columns)
    draw_program(canvas, drawn, middle)
    return made


def write_headings(canvas: Axes, drawn: OneRound, height: float) -> None:
    """Write what each part of the picture is."""
    winner = "player 1" if len(drawn.sides) > 1 else "the row"
    words = (
        (SETS_AT, f"after round {drawn.iteration}" if drawn.iteration else "at the start"),
        (TESTS_AT, f"tests: {drawn.heuristic}"),
        (PAYOFFS_AT + LABELS, f"what {winner} wins ({drawn.unit})"),
        (AFTER_AT, f"after round {drawn.iteration + 1}"),
    )
    for x, said in words:
        canvas.text(x, height, said, fontsize=SMALL_SIZE, color=GRAY, va="center")


def describe_round(drawn: OneRound) -> str:
    """Return the title: who joins, and who has weight then."""
    if len(drawn.sides) == 1:
        names = drawn.winners[0]
        said = f"{' and '.join(names) or 'nothing'} join{'s' * (len(names) <= 1)}"
    else:
        who = [f"player {p + 1}" for p, names in enumerate(drawn.winners) if names]
        stores = "store a new strategy each" if len(who) == 2 else "stores a new strategy"
        said = f"{' and '.join(who) or 'no player'} {stores}"
    used = " and ".join(str(np.count_nonzero(side.after)) for side in drawn.sides)
    return f"Round {drawn.iteration + 1}: {said}; then {used} strategies have weight"


def draw_side(canvas: Axes, side: Side, player: int | None, top: float) -> tuple[Point, Point]:
    """Draw one player's sets before and after, and the tests between; return where the box of tests begins and ends."""
    whose = "" if player is None else f"player {player + 1} "
    bottom = draw_sets(canvas, side, side.before, SETS_AT, top, whose)
    draw_sets(canvas, side, side.after, AFTER_AT, top, whose)
    lines = [Line(f"{test.name}  {signed(test.gain, 3)}", None, test.joins) for test in side.tests]
    height = (top + bottom) / 2 + measure_box(len(lines)) / 2
    end = draw_set(canvas, f"{whose}test", "T", lines, (TESTS_AT, height), TEST_WIDTH)
    level = (height + end) / 2
    draw_arrow(canvas, [(SETS_AT + SET_WIDTH, level), (TESTS_AT, level)])
    return (TESTS_AT, end), (TESTS_AT + TEST_WIDTH, level)


def draw_way_to_payoffs(canvas: Axes, test: tuple[Point, Point], to: Point, *, under: bool) -> None:
    """Draw the arrow from a test to the row of payoffs that it brings, or `under` the payoffs to its column."""
    (x, bottom), right = test
    if not under:
        draw_arrow(canvas, [right, to])
        return
    x = x + TEST_WIDTH / 2
    level = to[1] - UNDER
    draw_arrow(canvas, [(x, bottom), (x, level), (to[0], level), (to[0], to[1] - LINE)])


def draw_sets(canvas: Axes, side: Side, mix: Any, x: float, top: float, whose: str) -> float:
    """Draw N above M; return where they end."""
    is_new = np.isnan(side.before) & ~np.isnan(mix)
    below = top
    sets = (("N", f"{whose}support (N)", mix > 0.0), ("M", "stored, no weight (M)", mix == 0.0))
    for letter, title, inside in sets:
        lines = [
            Line(side.names[i], float(mix[i]) if letter == "N" else None, bool(is_new[i]))
            for i in np.flatnonzero(inside)
        ]
        below = draw_set(canvas, title, letter, lines, (x, below), SET_WIDTH) - GAP
    return below + GAP


def measure_sets(mix: Any) -> float:
    """Return the inches that N and M need."""
    sizes = [np.count_nonzero(mix > 0.0), np.count_nonzero(mix == 0.0)]
    return sum(measure_box(int(size)) for size in sizes) + GAP


def draw_arrow(canvas: Axes, points: Sequence[Point]) -> None:
    """Draw an arrow along some points."""
    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 2, "shrinkB": 2}
    canvas.add_patch(
        FancyArrowPatch(path=Path(points), color=INK, fill=False, linewidth=1.0, **look)
    )


def mark_new(axes: Axes, rows: Side, columns: Side) -> None:
    """Frame the rows and columns of payoffs that the winners have brought."""
    old_rows, old_columns = (int(np.count_nonzero(~np.isnan(s.before))) for s in (rows, columns))
    height, width = len(rows.names), len(columns.names)
    look: dict[str, Any] = {"fill": False, "edgecolor": RED, "linewidth": 1.8, "clip_on": False}
    if old_rows < height:
        axes.add_patch(Rectangle((-0.5, old_rows - 0.5), width, height - old_rows, **look))
    if old_columns < width:
        axes.add_patch(Rectangle((old_columns - 0.5, -0.5), width - old_columns, height, **look))


def draw_program(canvas: Axes, drawn: OneRound, middle: float) -> None:
    """Draw the step from payoffs to mixes."""
    end = AFTER_AT - 0.05
    draw_arrow(canvas, [(PROGRAM_AT + 0.15, middle), (end, middle)])
    x = (PROGRAM_AT + 0.1 + end) / 2
    size = SMALL_SIZE
    above = drawn.solver.replace(" ", "\n")
    canvas.text(x, middle + 0.1, above, fontsize=size, ha="center", va="bottom", color=INK)
    below = f"value {signed(drawn.value, 4)}"
    canvas.text(x, middle - 0.1, below, fontsize=size, ha="center", va="top", color=GRAY)


LINE, HEAD = 0.2, 0.26  # inches of a line and of the heading
MARGIN, BAR_AT, NUMBER = 0.08, 0.78, 0.46
"""Inches beside the words, from the left end to the bar, of a number."""
FACES = {"N": "#e3f0f9", "M": "#efece6", "T": "#ffffff"}
"""A box's color by the letter of its set; tests are dashed besides."""


class Line(NamedTuple):
    """A strategy in a set: its name, its probability if it has one, and whether it is new."""

    name: str
    probability: float | None
    is_new: bool


def draw_set(
    canvas: Axes, title: str, letter: str, lines: Sequence[Line], corner: Point, width: float
) -> float:
    """Draw a set as a box with its strategies; return where the box ends."""
    x, top = corner
    height = measure_box(len(lines))
    dash = "--" if letter == "T" else "-"
    style = "round,pad=0,rounding_size=0.06"
    face: dict[str, Any] = {"facecolor": FACES[letter], "edgecolor": GRAY, "linestyle": dash}
    canvas.add_patch(FancyBboxPatch((x, top - height), width, height, style, linewidth=0.9, **face))
    canvas.text(x + MARGIN, top - HEAD / 2, title, fontsize=SMALL_SIZE, color=GRAY, va="center")
    for number, each in enumerate(lines):
        write_strategy(canvas, each, (x, top - HEAD - LINE * (number + 0.5)), width)
    if not lines:
        look: dict[str, Any] = {"fontsize": SMALL_SIZE, "color": GRAY, "va": "center"}
        canvas.text(x + MARGIN, top - HEAD - LINE / 2, "nothing", **look)
    return top - height


def write_strategy(canvas: Axes, line: Line, at: Point, width: float) -> None:
    """Write a strategy's name, bold if it is new, with its probability as bar and number."""
    x, y = at
    weight = "bold" if line.is_new else "normal"
    look: dict[str, Any] = {"fontsize": SMALL_SIZE + 0.5, "color": INK, "va": "center"}
    canvas.text(x + MARGIN, y, line.name, weight=weight, **look)
    if line.probability is not None:
        canvas.text(x + width - MARGIN, y, f"{line.probability:.3f}", ha="right", **look)
        length = (width - BAR_AT - NUMBER) * line.probability
        canvas.add_patch(Rectangle((x + BAR_AT, y - 0.05), length, 0.1, color=BLUE))


def measure_box(number: int) -> float:
    """Return the inches of a box with `number` strategies."""
    return HEAD + LINE * max(number, 1) + 0.05
