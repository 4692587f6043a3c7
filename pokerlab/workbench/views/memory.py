"""A memory by round: the security level of each player's mixture, the number of its strategies, and the mixture."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pokerlab.core import Floats, Ints, SettingError
from pokerlab.games import SequenceForm
from pokerlab.papers.experiment import Published
from pokerlab.runs import Column, History, Run
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, Curves, HeatMap, Level, Strip
from pokerlab.workbench.plots import spell_column
from pokerlab.workbench.style import GRAY, INK, look
from pokerlab.workbench.text import capitalize, count_in_words, signed
from pokerlab.workbench.views.curves import SMALLEST_DIFFERENCE, Scales, draw_curves, round_end

SECURITY = "security levels"
SECURITY_COLUMNS = ("security_level_1", "security_level_2", "security_level", "value")
"""The columns that are drawn together. A symmetric memory has only the third one."""
SIZE_LABELS = {"pool": "stored", "support": "in the mixture"}
"""The labels of the columns on the right, such as 'pool_1' and 'support_2', by the beginnings of their names."""
HEADROOM = (
    1.5  # the height of the axes as a multiple of the tallest curve, so that the legend has room
)
VALUE_LOOK = {"color": GRAY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1}
MOST_SEQUENCES = 10_000
"""In larger games the linear program takes seconds, too long for a line in a picture."""


@dataclass(frozen=True)
class MemoryView:
    """Security levels or other columns by round, and beside them the sizes of pools and supports."""

    name = "memory"
    height = 2.35
    choice_label = "Show"
    caption = (
        "Left, by round: a security level is what a player's mixture wins at least; dotted, the value of the game."
        " Right, how many strategies are stored, and how many have weight. Open circles are published numbers."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return the columns that can be drawn by round: security levels together, and others alone."""
        groups: dict[str, list[Column]] = {SECURITY: []}
        for column in frame.columns:
            if not counts_strategies(column.name):
                words = SECURITY if column.name in SECURITY_COLUMNS else spell_column(column.name)
                groups.setdefault(words, []).append(column)
        return groups

    def draw(self, frame: Frame, chosen: Sequence[Column]) -> Strip:
        """Return the strip with the curves up to the present round, whose titles state security levels and sizes."""
        first = chosen[0].name
        shows_security = first in SECURITY_COLUMNS
        is_log = first == "nash_conv"
        levels = list_value_levels(find_game_values(frame.state.game)) if shows_security else []
        scales = Scales(
            log_y=is_log,
            low=SMALLEST_DIFFERENCE if is_log else None,
            fixed=[level.value for level in levels],
            parts=4,
        )
        left = draw_curves(
            frame,
            chosen,
            [make_look(column.name) for column in chosen],
            "security level" if shows_security else first,
            scales,
            title=self.describe(frame, chosen, shows_security=shows_security),
            levels=levels,
            legend="lower right" if levels else "",
            legend_columns=2,
            width=2.0,
        )
        return Strip(self.name, self.height, ((left, draw_sizes(frame)),))

    def describe(self, frame: Frame, chosen: Sequence[Column], *, shows_security: bool) -> str:
        """Return the title: the security levels, or the last value of the first column."""
        last_values = [(column, frame.read_curve(column)[1][-1]) for column in chosen]
        converged = getattr(frame.state, "converged", False)
        if shows_security:
            secure = [signed(level, 4) for column, level in last_values if column.name != "value"]
            return name_levels(secure, converged=converged)
        first, value = last_values[0]
        nash = ": Nash" if converged else ""
        rounds = count_in_words(frame.iteration, "round")
        return f"{capitalize(first.label)}: {value:.3g} {first.unit} after {rounds}{nash}"


def name_levels(levels: Sequence[str], *, converged: bool = False) -> str:
    """Return the security levels in words. In an equilibrium they are the values of the game."""
    first, *others = levels
    if converged:
        who = "players win" if others else "the mixture wins"
        return f"Equilibrium: {who} {' and '.join(levels)}"
    if not others:
        return f"The mixture wins at least {first}"
    other_words = (f"player {number} {level}" for number, level in enumerate(others, 2))
    return ", ".join([f"Player 1 wins at least {first}", *other_words])


def plot_set_sizes(
    axes: Axes, history: History, *, rows: Iterable[Published] = ()
) -> Mapping[str, Line2D]:
    """Draw the numbers of stored strategies (N and M) and of those with positive probability (N) by round.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        The history of a memory, with columns such as 'pool_1' and 'support_1'. Those of a symmetric memory are 'pool'
        and 'support'.
    rows : iterable of Published
        Published numbers. Those of the drawn columns become open circles.
    """
    names = [name for name in history.columns if counts_strategies(name)]
    columns = tuple(Column(name, name, "strategies", float) for name in names)
    table = np.column_stack([history[name] for name in ("iteration", *names)])
    frame = Frame(None, columns, table, int(table[-1, 0]), tuple(rows))
    sizes = draw_sizes(frame)
    lines = paint_panel(axes, replace(sizes, y=replace(sizes.y, label="strategies")))
    axes.autoscale(True)
    axes.relim()
    axes.set_ylim(bottom=0)
    return {name: lines[name] for name in sizes.numbers}


def counts_strategies(name: str) -> bool:
    """Return whether a column counts strategies."""
    return name.partition("_")[0] in SIZE_LABELS


def draw_sizes(frame: Frame) -> Curves:
    """Return the curves of all columns that count strategies: thin ones for pools, and with marks for supports."""
    columns = sorted((c for c in frame.columns if counts_strategies(c.name)), key=lambda c: c.name)
    # one name for all players, whose colors are those on the left
    looks = []
    unused_labels = dict(SIZE_LABELS)
    for kind, _, player in (column.name.partition("_") for column in columns):
        style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
        style |= {"marker": "", "linewidth": 1.0} if kind == "pool" else {"markersize": 3.5}
        looks.append((unused_labels.pop(kind, ""), style))
    supports = [frame.read_curve(c)[1][-1] for c in columns if c.name.startswith("support")]
    title = "Support sizes: " + " and ".join(f"{support:.0f}" for support in supports)
    scales = Scales(low=0.0, room=HEADROOM)
    curves = draw_curves(frame, columns, looks, "", scales, title=title, legend="upper left")
    return replace(curves, y=replace(curves.y, is_whole=True))


def make_look(name: str) -> tuple[str, dict[str, Any]]:
    """Return the label of a column on the left in the legend, and the keyword arguments of its curve."""
    player = name.rpartition("_")[2]
    if player.isdigit():
        return f"player {player}", look(f"player {player}") | {"markersize": 3.5}
    if name == "value":
        return "value of the subgame", VALUE_LOOK
    return spell_column(name), {"color": INK, "linewidth": 1.6}


def list_value_levels(values: tuple[float, ...]) -> list[Level]:
    """Return the values of the game as levels, equal ones only once. There are none if they are not known."""
    heights = list(dict.fromkeys(values))
    return [
        Level(height, "" if index else "value of the game", look("bound"))
        for index, height in enumerate(heights)
    ]


@lru_cache(maxsize=8)
def find_game_values(game: Any) -> tuple[float, ...]:
    """Return the value of a game to each player, or an empty tuple if it has none or takes long to compute."""
    if not isinstance(game, SequenceForm):
        return (0.0,)  # a symmetric game
    if game.num_players != 2 or game.payoff_sum is None or sum(game.num_sequences) > MOST_SEQUENCES:
        return ()
    return SequenceFormLP(game).solve().values


class KeptMixture(NamedTuple):
    """The mixture of one player in one round.

    Attributes
    ----------
    keys : array of shape (K,)
        A number of each strategy, which stays the same if a bounded memory drops other strategies.
    weights : array of shape (K,)
        The probabilities of the strategies.
    """

    keys: Ints
    weights: Floats


KeptMixtures = Sequence[tuple[int, tuple[KeptMixture, ...]]]
"""Rounds and the mixtures after them, which a `Run` made with `keep=extract_mixtures` has kept."""


def extract_mixtures(state: Any) -> tuple[KeptMixture, ...]:
    """Return the mixtures of a state: one for each player, one of a symmetric memory, and none of other states."""
    mixtures: tuple[Floats, ...] = getattr(state, "mixtures", ())
    if len(mixtures) == 1:
        keys = [hash(strategy.tobytes()) for strategy in state.pools[0]]
        return (KeptMixture(np.array(keys, dtype=np.int64), mixtures[0]),)
    return tuple(KeptMixture(np.arange(len(weights)), weights) for weights in mixtures)


def make_mixture_table(kept_mixtures: KeptMixtures, player: int) -> Floats:
    """Return the mixtures of a player in all rounds as a table.

    Parameters
    ----------
    kept_mixtures : KeptMixtures
        The mixtures that a run has kept.
    player : int
        The index of the player.

    Returns
    -------
    array of shape (rounds, K)
        The probability of each of K strategies, in the order in which they were stored; NaN if one is not stored.
        A round that was not kept has the row of the last round before it that was.
    """
    if not kept_mixtures or not 0 <= player < len(kept_mixtures[-1][1]):
        words = f"give a memory's run made with keep=extract_mixtures, which is in {__name__}."
        raise SettingError(f"no mixtures of player index {player}; {words}")
    mixtures = [mixtures_of_round[player] for _, mixtures_of_round in kept_mixtures]
    keys = np.concatenate([mixture.keys for mixture in mixtures])
    _, first_positions, inverse = np.unique(keys, return_index=True, return_inverse=True)
    column = np.argsort(np.argsort(first_positions))[inverse]
    row = np.repeat(np.arange(len(mixtures)), [len(mixture.keys) for mixture in mixtures])
    table = np.full((len(mixtures), len(first_positions)), np.nan)
    table[row, column] = np.concatenate([mixture.weights for mixture in mixtures])

    rounds = np.array([iteration for iteration, _ in kept_mixtures])
    last_kept = np.searchsorted(rounds, np.arange(rounds[0], rounds[-1] + 1), side="right") - 1
    return np.asarray(table[last_kept])


def count_returns(table: Floats) -> int:
    """Return how many strategies of a table of mixtures have had weight, lost it, and got weight again."""
    is_used = np.vstack([np.zeros((1, table.shape[1]), dtype=bool), table > 0.0])
    entered = (is_used[1:] & ~is_used[:-1]).sum(axis=0)
    return int(np.count_nonzero(entered >= 2))


COLOR_WITHOUT_WEIGHT = "#e9e6df"
MIXTURE_COLORS = ColorScale(
    ("#8fc3e6", "#3f97cf", "#0072b2", "#00365a"),
    SMALLEST_DIFFERENCE,
    1.0,
    0.5,
    under=COLOR_WITHOUT_WEIGHT,
)
MIXTURE_TICKS = ((0.01, "0.01"), (0.1, "0.1"), (0.25, "0.25"), (0.5, "0.5"), (1.0, "1"))


def draw_mixtures(
    kept_mixtures: KeptMixtures,
    player: int,
    key: str = "",
    title: str = "",
    *,
    has_scale: bool = True,
) -> HeatMap:
    """Return the mixtures of a player as a heat map: a column for each strategy, and a row for each round."""
    table = make_mixture_table(kept_mixtures, player)
    first_round = kept_mixtures[0][0]
    num_rounds, num_strategies = table.shape
    return HeatMap(
        table,
        Axis("strategy, in the order found", (0.5, round_end(num_strategies) + 0.5), is_whole=True),
        Axis(
            "round",
            (round_end(first_round + num_rounds - 1) + 0.5, first_round - 0.5),
            is_whole=True,
        ),
        MIXTURE_COLORS,
        key,
        title,
        x_edges=np.arange(num_strategies + 1) + 0.5,
        y_edges=np.arange(num_rounds + 1) + first_round - 0.5,
        scale_label="probability" if has_scale else "",
        scale_ticks=MIXTURE_TICKS,
        value_word="probability",
    )


def plot_mixtures(axes: Axes, run: Run, player: int = 0) -> Floats:
    """Draw the mixtures of a player: a column for each strategy, a row for each round, and probabilities as shades.

    A white cell is a strategy that is not stored yet. A pale gray one is stored and has no weight (M).

    Parameters
    ----------
    axes : Axes
        The axes.
    run : Run
        A run of a memory, made with `keep=extract_mixtures`, such as a bench's.
    player : int
        The index of the player.

    Returns
    -------
    ndarray of shape (rounds, K)
        The probabilities; NaN if a strategy is not stored.
    """
    kept_mixtures = run.kept
    table = make_mixture_table(kept_mixtures, player)
    who = f"Player {player + 1}" if len(kept_mixtures[-1][1]) > 1 else "The memory"
    num_used = np.count_nonzero(table[-1] > 0.0)
    num_returns = count_returns(table)
    title = f"{who}: {num_used} of {table.shape[1]} stored strategies have weight; {num_returns} came back"
    heat_map = draw_mixtures(kept_mixtures, player, title=title)
    rows = (kept_mixtures[-1][0] + 0.5, kept_mixtures[0][0] - 0.5)
    columns = (0.5, table.shape[1] + 0.5)
    paint_panel(
        axes,
        replace(
            heat_map,
            x=replace(heat_map.x, limits=columns),
            y=replace(heat_map.y, limits=rows),
        ),
    )
    return table


MOST_SIDE_BY_SIDE = 3


@dataclass(frozen=True)
class MixturesView:
    """Mixes as shades: strategies across in the order met, rounds down."""

    name = "mixtures"
    height = 1.8
    choice_label = "Mixtures of"
    caption = (
        "Mixtures: each column is a strategy, each row a round; white is not yet stored, gray is stored"
        " without weight, blue is in the support, darker where more probable."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[int]]:
        """Return all players together, if they are few, and each one alone."""
        players = range(len(extract_mixtures(frame.state)))
        single_players: dict[str, Sequence[int]] = {f"player {p + 1}": [p] for p in players}
        if len(players) == 1:
            return {"the memory": [0]}
        return (
            {"all players": list(players), **single_players}
            if len(players) <= MOST_SIDE_BY_SIDE
            else single_players
        )

    def draw(self, frame: Frame, chosen: Sequence[int]) -> Strip:
        """Return the strip with the mixtures of the chosen players up to the present round."""
        is_alone = len(extract_mixtures(frame.state)) == 1
        maps = []
        for player in chosen:
            name = "the memory" if is_alone else f"player {player + 1}"
            table = make_mixture_table(frame.kept_values, player)
            words = f": {np.count_nonzero(table[-1] > 0.0)} of {table.shape[1]}"
            if len(chosen) <= 2:
                words += " have weight"
            is_last = player == chosen[-1]
            heat_map = draw_mixtures(
                frame.kept_values, player, name, name.capitalize() + words, has_scale=is_last
            )
            if player != chosen[0]:
                heat_map = replace(heat_map, y=replace(heat_map.y, label=""))
            maps.append(heat_map)
        return Strip(self.name, self.height, (tuple(maps),))
