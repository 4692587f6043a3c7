"""What a memory has mixed, round after round: its table, its picture, and its view on the bench."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import SubFigure
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.runs import Run
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.style import PAPER, color_scale, dress
from pokerlab.workbench.views.curves import round_end


class Mix(NamedTuple):
    """One player's mix."""

    keys: NDArray[
        np.int64
    ]  # (K,), what tells strategies apart, even if a bounded memory drops some
    weights: Floats  # (K,), their probabilities


Kept = Sequence[tuple[int, tuple[Mix, ...]]]
"""Rounds, and everybody's mixes after them: what a `Run` made with `keep=mixes_of` has kept."""


def mixes_of(state: Any) -> tuple[Mix, ...]:
    """Return everybody's mix; of a symmetric memory the one mix, of states without mixes nothing."""
    mix = getattr(state, "mix", None)
    if mix is not None:
        keys = [hash(strategy.tobytes()) for strategy in state.strategies]
        return (Mix(np.array(keys, dtype=np.int64), mix),)
    return tuple(Mix(np.arange(len(weights)), weights) for weights in getattr(state, "mixes", ()))


def mix_table(kept: Kept, player: int) -> Floats:
    """Return a player's mixes as a table, (rounds, K): rows are rounds, columns strategies.

    Strategies stand in the order met; NaN where they are not held. A round that was not kept looks
    like the last one before it that was.
    """
    if not kept or not 0 <= player < len(kept[-1][1]):
        raise SettingError(
            f"no mixes of player index {player}; give a memory's run made with"
            " keep=pl.workbench.mixes_of."
        )
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
SHADES = LinearSegmentedColormap.from_list(
    "mix", ["#8fc3e6", "#3f97cf", "#0072b2", "#00365a"]
).with_extremes(bad=PAPER, under=IN_MEMORY)
LEAST = 1e-12
"""A smaller probability is none."""


class MixImage:
    """Axes that show how a mix has changed."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.image: AxesImage = axes.imshow(
            np.full((1, 1), np.nan),
            cmap=SHADES,
            norm=PowerNorm(0.5, vmin=LEAST, vmax=1.0),
            aspect="auto",
            interpolation="nearest",
        )
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
    used = np.count_nonzero(table[-1] > 0.0)
    axes.set_title(
        f"{who} mixes {used} of the {table.shape[1]} met; {come_back(table)} came back", loc="left"
    )
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
        box = axes[-1].get_position()
        self.images[-1].add_scale(cax=figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height)))
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
