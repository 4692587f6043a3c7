"""A memory by round: what each player's mix wins at least, how many strategies that takes, and the mixes."""

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
from pokerlab.workbench.views.curves import LEAST, Scales, draw_curves, round_end

SECURITY = "security levels"
DRAWN = ("security_level_1", "security_level_2", "security_level", "value")
"""The columns that are drawn together: everybody's, the last but one of a symmetric memory."""
SIZES = {"pool": "stored", "support": "in the mixture"}
"""The columns on the right, such as 'pool_1' and 'support_2', by how their names begin."""
HEADROOM = 1.5  # height of the axes over that of the tallest curve, so that the legend has room
VALUE_LOOK = {"color": GRAY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1}
MOST_SEQUENCES = 10_000
"""In larger games the linear program takes seconds, too long for a line in a picture."""


@dataclass(frozen=True)
class MemoryView:
    """Security levels, or other columns, by round; beside them the sizes of pools and supports."""

    name = "memory"
    height = 2.35
    choice = "Show"
    caption = (
        "Left, by round: a security level is what a player's mixture wins at least; dotted, the value of the game."
        " Right, how many strategies are stored, and how many have weight. Open circles are published numbers."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return what can be drawn by round: security levels together, others alone."""
        groups: dict[str, list[Column]] = {SECURITY: []}
        for column in frame.columns:
            if not counts_strategies(column.name):
                words = SECURITY if column.name in DRAWN else spell_column(column.name)
                groups.setdefault(words, []).append(column)
        return groups

    def draw(self, frame: Frame, chosen: Sequence[Column]) -> Strip:
        """Return the curves up to the present round; the titles say what mixtures win at least, and the sizes."""
        first = chosen[0].name
        is_secure = first in DRAWN
        is_log = first == "nash_conv"
        levels = list_value_levels(find_game_values(frame.state.game)) if is_secure else []
        scales = Scales(
            log_y=is_log,
            low=LEAST if is_log else None,
            fixed=[level.value for level in levels],
            parts=4,
        )
        left = draw_curves(
            frame,
            chosen,
            [look_of(column.name) for column in chosen],
            "security level" if is_secure else first,
            scales,
            title=self.describe(frame, chosen, is_secure=is_secure),
            levels=levels,
            legend="lower right" if levels else "",
            legend_columns=2,
            width=2.0,
        )
        return Strip(self.name, self.height, ((left, draw_sizes(frame)),))

    def describe(self, frame: Frame, chosen: Sequence[Column], *, is_secure: bool) -> str:
        """Return what each player's mixture wins at least, or what the first column has come to."""
        now = [(column, frame.read_curve(column)[1][-1]) for column in chosen]
        converged = getattr(frame.state, "converged", False)
        if is_secure:
            secure = [signed(level, 4) for column, level in now if column.name != "value"]
            return name_levels(secure, converged=converged)
        first, value = now[0]
        nash = ": Nash" if converged else ""
        rounds = count_in_words(frame.iteration, "round")
        return f"{capitalize(first.label)}: {value:.3g} {first.unit} after {rounds}{nash}"


def name_levels(levels: Sequence[str], *, converged: bool = False) -> str:
    """Return what each player's mixture wins at least, in words; in an equilibrium it is what the player wins."""
    first, *others = levels
    if converged:
        who = "players win" if others else "the mixture wins"
        return f"Equilibrium: {who} {' and '.join(levels)}"
    if not others:
        return f"The mixture wins at least {first}"
    said = (f"player {number} {level}" for number, level in enumerate(others, 2))
    return ", ".join([f"Player 1 wins at least {first}", *said])


def plot_set_sizes(
    axes: Axes, history: History, *, rows: Iterable[Published] = ()
) -> Mapping[str, Line2D]:
    """Draw how many strategies have been met (N and M) and how many have weight (N), by round.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        With columns such as 'pool_1' and 'support_1', or 'pool' and 'support' of a symmetric memory.
    rows : iterable of Published
        Published numbers; those of the columns drawn become open circles.
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
    return name.partition("_")[0] in SIZES


def draw_sizes(frame: Frame) -> Curves:
    """Return the curves of all columns that count strategies: thin, or with marks."""
    columns = sorted((c for c in frame.columns if counts_strategies(c.name)), key=lambda c: c.name)
    # one name for all players, whose colors are those on the left
    looks = []
    unnamed = dict(SIZES)
    for what, _, player in (column.name.partition("_") for column in columns):
        style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
        style |= {"marker": "", "linewidth": 1.0} if what == "pool" else {"markersize": 3.5}
        looks.append((unnamed.pop(what, ""), style))
    supports = [frame.read_curve(c)[1][-1] for c in columns if c.name.startswith("support")]
    title = "Support sizes: " + " and ".join(f"{support:.0f}" for support in supports)
    scales = Scales(low=0.0, room=HEADROOM)
    curves = draw_curves(frame, columns, looks, "", scales, title=title, legend="upper left")
    return replace(curves, y=replace(curves.y, is_whole=True))


def look_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return what the legend calls a column on the left, and how it is drawn."""
    player = name.rpartition("_")[2]
    if player.isdigit():
        return f"player {player}", look(f"player {player}") | {"markersize": 3.5}
    if name == "value":
        return "value of the subgame", VALUE_LOOK
    return spell_column(name), {"color": INK, "linewidth": 1.6}


def list_value_levels(values: tuple[float, ...]) -> list[Level]:
    """Return what either player wins in the game, if it is known, as levels."""
    heights = list(dict.fromkeys(values))
    return [
        Level(height, "" if index else "value of the game", look("bound"))
        for index, height in enumerate(heights)
    ]


@lru_cache(maxsize=8)
def find_game_values(game: Any) -> tuple[float, ...]:
    """Return the value of a game to each player; nothing if it has none, or is too large to know quickly."""
    if not isinstance(game, SequenceForm):
        return (0.0,)  # a symmetric game
    if game.num_players != 2 or game.payoff_sum is None or sum(game.num_sequences) > MOST_SEQUENCES:
        return ()
    return SequenceFormLP(game).solve().values


class Mix(NamedTuple):
    """One player's mix."""

    keys: Ints  # (K,), what tells strategies apart, even if a bounded memory drops some
    weights: Floats  # (K,), their probabilities


Kept = Sequence[tuple[int, tuple[Mix, ...]]]
"""Rounds, and everybody's mixes after them: what a `Run` made with `keep=mixes_of` has kept."""


def mixes_of(state: Any) -> tuple[Mix, ...]:
    """Return everybody's mix; of a symmetric memory the one mix, of states without mixes nothing."""
    mixtures: tuple[Floats, ...] = getattr(state, "mixtures", ())
    if len(mixtures) == 1:
        keys = [hash(strategy.tobytes()) for strategy in state.pools[0]]
        return (Mix(np.array(keys, dtype=np.int64), mixtures[0]),)
    return tuple(Mix(np.arange(len(weights)), weights) for weights in mixtures)


def mix_table(kept: Kept, player: int) -> Floats:
    """Return a player's mixes, (rounds, K), strategies in the order met; NaN where they are not held.

    A round that was not kept looks like the last one before it that was.
    """
    if not kept or not 0 <= player < len(kept[-1][1]):
        words = "give a memory's run made with keep=pl.workbench.mixes_of."
        raise SettingError(f"no mixes of player index {player}; {words}")
    mixes = [each[player] for _, each in kept]
    keys = np.concatenate([mix.keys for mix in mixes])
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    column = np.argsort(np.argsort(first))[which]
    row = np.repeat(np.arange(len(mixes)), [len(mix.keys) for mix in mixes])
    table = np.full((len(mixes), len(first)), np.nan)
    table[row, column] = np.concatenate([mix.weights for mix in mixes])

    rounds = np.array([iteration for iteration, _ in kept])
    last_kept = np.searchsorted(rounds, np.arange(rounds[0], rounds[-1] + 1), side="right") - 1
    return np.asarray(table[last_kept])


def come_back(table: Floats) -> int:
    """Return how many strategies had weight, lost it and got some again."""
    used = np.vstack([np.zeros((1, table.shape[1]), dtype=bool), table > 0.0])
    entered = (used[1:] & ~used[:-1]).sum(axis=0)
    return int(np.count_nonzero(entered >= 2))


WITHOUT_WEIGHT = "#e9e6df"
MIX_COLORS = ColorScale(
    ("#8fc3e6", "#3f97cf", "#0072b2", "#00365a"), LEAST, 1.0, 0.5, under=WITHOUT_WEIGHT
)
MIX_TICKS = ((0.01, "0.01"), (0.1, "0.1"), (0.25, "0.25"), (0.5, "0.5"), (1.0, "1"))


def draw_mixes(
    kept: Kept, player: int, key: str = "", title: str = "", *, has_scale: bool = True
) -> HeatMap:
    """Return how a player's mix has changed: strategies across in the order met, rounds down."""
    table = mix_table(kept, player)
    first = kept[0][0]
    rounds, strategies = table.shape
    return HeatMap(
        table,
        Axis("strategy, in the order found", (0.5, round_end(strategies) + 0.5), is_whole=True),
        Axis("round", (round_end(first + rounds - 1) + 0.5, first - 0.5), is_whole=True),
        MIX_COLORS,
        key,
        title,
        x_edges=np.arange(strategies + 1) + 0.5,
        y_edges=np.arange(rounds + 1) + first - 0.5,
        scale_label="probability" if has_scale else "",
        scale_ticks=MIX_TICKS,
        value_word="probability",
    )


def plot_mixes(axes: Axes, run: Run, player: int = 0) -> Floats:
    """Draw how a player's mix has changed: strategies across, rounds down, shade is probability.

    White is not yet met; the pale gray is met and without weight (M); the darker, the likelier.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    run : Run
        Of a memory, made with `keep=mixes_of`, such as a bench's.
    player : int
        Whose mix, 0-based.

    Returns
    -------
    ndarray of shape (rounds, K)
        The probabilities shown; NaN where a strategy was not held.
    """
    table = mix_table(kept := run.kept, player)
    who = f"Player {player + 1}" if len(kept[-1][1]) > 1 else "The memory"
    used = np.count_nonzero(table[-1] > 0.0)
    back = come_back(table)
    title = f"{who}: {used} of {table.shape[1]} stored strategies have weight; {back} came back"
    drawn = draw_mixes(kept, player, title=title)
    rows = (kept[-1][0] + 0.5, kept[0][0] - 0.5)
    columns = (0.5, table.shape[1] + 0.5)
    paint_panel(
        axes, replace(drawn, x=replace(drawn.x, limits=columns), y=replace(drawn.y, limits=rows))
    )
    return table


MOST_SIDE_BY_SIDE = 3


@dataclass(frozen=True)
class MixesView:
    """Mixes as shades: strategies across in the order met, rounds down."""

    name = "mixes"
    height = 1.8
    choice = "Mixtures of"
    caption = (
        "Mixtures: each column is a strategy, each row a round; white is not yet stored, gray is stored"
        " without weight, blue is in the support, darker where more probable."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[int]]:
        """Return everybody, and the players one by one."""
        players = range(len(mixes_of(frame.state)))
        each: dict[str, Sequence[int]] = {f"player {p + 1}": [p] for p in players}
        if len(players) == 1:
            return {"the memory": [0]}
        return {"all players": list(players), **each} if len(players) <= MOST_SIDE_BY_SIDE else each

    def draw(self, frame: Frame, chosen: Sequence[int]) -> Strip:
        """Return the mixes of the players `chosen` up to the present round."""
        is_alone = len(mixes_of(frame.state)) == 1
        maps = []
        for player in chosen:
            name = "the memory" if is_alone else f"player {player + 1}"
            table = mix_table(frame.kept, player)
            used = np.count_nonzero(table[-1] > 0.0)
            met = table.shape[1]
            said = f": {used} of {met}" if len(chosen) > 2 else f": {used} of {met} have weight"
            is_last = player == chosen[-1]
            drawn = draw_mixes(
                frame.kept, player, name, name.capitalize() + said, has_scale=is_last
            )
            if player != chosen[0]:
                drawn = replace(drawn, y=replace(drawn.y, label=""))
            maps.append(drawn)
        return Strip(self.name, self.height, (tuple(maps),))
