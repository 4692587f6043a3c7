"""A memory by round: what each player's mix wins at least, how many strategies that takes, and the mixes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.core import Floats, Ints, SettingError
from pokerlab.games import SequenceForm
from pokerlab.papers.experiment import Published
from pokerlab.runs import Column, History, Run
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.plots import spoken
from pokerlab.workbench.pictures.text import capitalized, counted, signed
from pokerlab.workbench.style import GRAY, INK, PAPER, color_scale, dress, look, place_beside
from pokerlab.workbench.views.curves import LEAST, Curves, round_end

SECURITY = "security levels"
DRAWN = ("security_level_1", "security_level_2", "security_level", "value")
"""The columns that are drawn together: everybody's, the last but one of a symmetric memory."""
SIZES = {"pool": "met", "support": "in the mix"}
"""The columns on the right, such as 'pool_1' and 'support_2', by how their names begin."""
HEADROOM = 1.5  # height of the axes over that of the tallest curve, so that the legend has room
VALUE_LOOK = {"color": GRAY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1}
MOST_SEQUENCES = 10_000
"""In larger games the linear program takes seconds, too long for a line in a picture."""


class MemoryView:
    """Security levels, or other columns, by round; beside them the sizes of pools and supports."""

    name = "memory"
    height = 2.35
    choice = "Show"
    caption = (
        "Left, by round: a security level is what a player's mix wins at least; dotted, the value of the game. Right,"
        " how many strategies have been met, and how many have weight. Open circles are published."
    )

    def choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return what can be drawn by round: security levels together, others alone."""
        groups: dict[str, list[Column]] = {SECURITY: []}
        for column in frame.columns:
            if not counts(column.name):
                words = SECURITY if column.name in DRAWN else spoken(column.name)
                groups.setdefault(words, []).append(column)
        return groups

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[Column]) -> list[Artist]:
        """Make the axes, and a line for each column."""
        first = chosen[0].name
        self.secure, log = first in DRAWN, first == "nash_conv"
        left, right = figure.subplots(1, 2, width_ratios=[2.0, 1.0])
        leave_margins(figure, self.height, left=0.66, right=0.12, top=0.3, bottom=0.42)
        figure.subplots_adjust(wspace=0.22)
        value = draw_values(left, game_values(frame.state.game)) if self.secure else []
        looks = [look_of(column.name) for column in chosen]
        self.left = Curves(
            left, frame, chosen, looks, "security level" if self.secure else first,
            log_y=log, low=LEAST if log else None, fixed=value, parts=4,
            key={"loc": "lower right", "ncols": 2} if value else None,
        )  # fmt: skip
        self.right = sizes_on(right, frame)
        return [*self.left.artists, *self.right.artists]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to the present round; the titles are what everybody is sure of, and the sizes."""
        now = [(column, frame.curve(column)[1][-1]) for column in self.left.columns]
        converged = getattr(frame.state, "converged", False)
        if self.secure:
            levels = [signed(level, 4) for column, level in now if column.name != "value"]
            words = f"Nash: sure of {' and '.join(levels)}" if converged else sure_of(levels)
        else:
            first, value = now[0]
            nash = ": Nash" if converged else ""
            rounds = counted(frame.iteration, "round")
            words = f"{capitalized(first.label)}: {value:.3g} {first.unit} after {rounds}{nash}"
        self.left.title.set_text(words)
        self.right.title.set_text(size_title(self.right, frame))
        (left, left_moved), (right, right_moved) = self.left.paint(frame), self.right.paint(frame)
        return {**left, **right}, left_moved or right_moved


def sure_of(levels: Sequence[str]) -> str:
    """Return what everybody's mix wins at least, in words."""
    first, *others = levels
    if not others:
        return f"The mix is sure of {first}"
    said = (f"player {number} of {level}" for number, level in enumerate(others, 2))
    return ", ".join([f"Player 1 is sure of {first}", *said])


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
    names = [name for name in history.columns if counts(name)]
    columns = tuple(Column(name, name, "strategies", float) for name in names)
    table = np.column_stack([history[name] for name in ("iteration", *names)])
    frame = Frame(None, columns, table, int(table[-1, 0]), tuple(rows), None)
    sizes = sizes_on(axes, frame)
    sizes.paint(frame)
    sizes.title.set_text(size_title(sizes, frame))
    axes.set_ylabel("strategies")
    axes.autoscale(True)
    axes.relim()
    axes.set_ylim(bottom=0)
    return dict(zip((c.name for c in sizes.columns), sizes.lines, strict=True))


def counts(name: str) -> bool:
    """Return whether a column counts strategies."""
    return name.partition("_")[0] in SIZES


def sizes_on(axes: Axes, frame: Frame) -> Curves:
    """Return the curves of all columns that count strategies: thin, or with marks."""
    columns = sorted((c for c in frame.columns if counts(c.name)), key=lambda c: c.name)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    looks, unnamed = [], dict(SIZES)  # one name for all players, whose colors are those on the left
    for what, _, player in (column.name.partition("_") for column in columns):
        style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
        style |= {"marker": "", "linewidth": 1.0} if what == "pool" else {"markersize": 3.5}
        looks.append((unnamed.pop(what, None), style))
    key = {"loc": "upper left"}
    return Curves(axes, frame, columns, looks, "", low=0.0, room=HEADROOM, key=key)


def size_title(sizes: Curves, frame: Frame) -> str:
    """Return how many strategies each mix has."""
    supports = [c for c in sizes.columns if c.name.startswith("support")]
    return "In the mixture: " + " and ".join(f"{frame.curve(c)[1][-1]:.0f}" for c in supports)


def look_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return what the legend calls a column on the left, and how it is drawn."""
    player = name.rpartition("_")[2]
    if player.isdigit():
        return f"player {player}", look(f"player {player}") | {"markersize": 3.5}
    if name == "value":
        return "value of the subgame", VALUE_LOOK
    return spoken(name), {"color": INK, "linewidth": 1.6}


def draw_values(axes: Axes, values: tuple[float, ...]) -> list[float]:
    """Draw what either player wins in the game, if it is known; return where."""
    heights = list(dict.fromkeys(values))
    for index, height in enumerate(heights):
        axes.axhline(height, label="_nolegend_" if index else "value of the game", **look("bound"))
    return heights


def game_values(game: Any) -> tuple[float, ...]:
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


IN_MEMORY = "#e9e6df"
MIX_SHADES = LinearSegmentedColormap.from_list(
    "mix", ["#8fc3e6", "#3f97cf", "#0072b2", "#00365a"]
).with_extremes(bad=PAPER, under=IN_MEMORY)


class MixImage:
    """Axes that show how a mix has changed."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        norm = PowerNorm(0.5, vmin=LEAST, vmax=1.0)
        look: dict[str, Any] = {"aspect": "auto", "interpolation": "nearest", "norm": norm}
        self.image = axes.imshow(np.full((1, 1), np.nan), cmap=MIX_SHADES, **look)
        axes.grid(False)
        axes.set_xlabel("strategy, in the order met")
        axes.set_ylabel("round")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(6, integer=True))
        self.limits = (0, 0)

    def paint(self, table: Floats, first: int = 0) -> bool:
        """Show a table of mixes whose first row is round `first`; return whether the axes had to grow."""
        rounds, strategies = table.shape
        last = first + rounds - 1
        self.image.set_data(table)
        self.image.set_extent((0.5, strategies + 0.5, last + 0.5, first - 0.5))
        limits = (round_end(strategies), round_end(last))
        grown, self.limits = limits != self.limits, limits
        self.axes.set_xlim(0.5, limits[0] + 0.5)
        self.axes.set_ylim(limits[1] + 0.5, first - 0.5)
        return grown

    def add_scale(self, **place: Any) -> None:
        """Add the scale of probabilities, as `color_scale` does."""
        bar = color_scale(self.image, "probability", **place)
        bar.set_ticks([0.01, 0.1, 0.25, 0.5, 1.0], labels=["0.01", "0.1", "0.25", "0.5", "1"])


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
    image = MixImage(axes)
    image.paint(table, first=kept[0][0])
    axes.set_xlim(0.5, table.shape[1] + 0.5)
    axes.set_ylim(kept[-1][0] + 0.5, kept[0][0] - 0.5)
    image.add_scale()
    who = f"Player {player + 1}" if len(kept[-1][1]) > 1 else "The memory"
    used, back = np.count_nonzero(table[-1] > 0.0), come_back(table)
    title = f"{who} mixes {used} of the {table.shape[1]} met; {back} came back"
    axes.set_title(title, loc="left")
    return table


MOST_SIDE_BY_SIDE = 3


class MixesView:
    """Mixes as shades: strategies across in the order met, rounds down."""

    name = "mixes"
    height = 1.8
    choice = "Mixes of"
    caption = (
        "Mixes: each column is a strategy, each row a round; white is not yet met, gray is kept without"
        " weight, blue is in the mix, darker where likelier."
    )

    def choices(self, frame: Frame) -> Mapping[str, Sequence[int]]:
        """Return everybody, and the players one by one."""
        players = range(len(mixes_of(frame.state)))
        each: dict[str, Sequence[int]] = {f"player {p + 1}": [p] for p in players}
        if len(players) == 1:
            return {"the memory": [0]}
        return {"all players": list(players), **each} if len(players) <= MOST_SIDE_BY_SIDE else each

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[int]) -> list[Artist]:
        """Make axes for each of the players `chosen`."""
        self.players = list(chosen)
        self.alone = len(mixes_of(frame.state)) == 1
        axes = figure.subplots(1, len(self.players), squeeze=False)[0]
        leave_margins(figure, self.height, left=0.66, right=0.7, top=0.3, bottom=0.42)
        for each in axes:
            dress(each)
        self.images = [MixImage(each) for each in axes]
        for each in axes[1:]:
            each.set_ylabel("")
        self.images[-1].add_scale(cax=place_beside(axes[-1], figure))
        self.titles = [each.set_title(" ", loc="left", y=1.0) for each in axes]
        return [*(image.image for image in self.images), *self.titles]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the mixes up to the present round."""
        painted, moved = {}, False
        for player, image, title in zip(self.players, self.images, self.titles, strict=True):
            table = mix_table(frame.kept, player)
            moved |= image.paint(table, first=frame.kept[0][0])
            name = "the memory" if self.alone else f"player {player + 1}"
            used, met = np.count_nonzero(table[-1] > 0.0), table.shape[1]
            crowded = len(self.players) > 2
            said = f": {used} of {met}" if crowded else f" mixes {used} of the {met} met"
            title.set_text(name.capitalize() + said)
            painted[name] = table
        return painted, moved
