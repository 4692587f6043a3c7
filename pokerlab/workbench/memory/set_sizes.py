"""How many strategies each player has met, and how many of them have weight, by round."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.workbench.memory.measures import measured
from pokerlab.workbench.memory.worst_cases import mark_published
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import INK, look

SIZES = ("pool", "support")
WORDS = {"pool": "met", "support": "with weight (N)"}


def plot_set_sizes(
    axes: Axes,
    source: History | Iterable[Any],
    *,
    rows: Iterable[Published] = (),
    num_players: int = 2,
) -> Mapping[str, Line2D]:
    """Draw how many strategies have been met (N and M) and how many have weight (N), by round.

    Parameters
    ----------
    axes : Axes
        Where.
    source : History or iterable of states
        A run's history with columns such as 'pool_1' and 'support_1', or 'pool' and 'support' of a
        symmetric memory; or the states of a memory.
    rows : iterable of Published
        Published numbers; those of the columns drawn become open circles.
    num_players : int
        Whose sets to look for.

    Returns
    -------
    Mapping[str, Line2D]
        The curves by column.
    """
    players = ["", *(f"_{player + 1}" for player in range(num_players))]
    names = [f"{what}{player}" for what in SIZES for player in players]
    columns = measured(source, names)
    mark_published(axes, rows, columns)
    lines = {name: size_line(axes, name) for name in names if name in columns}
    for name, line in lines.items():
        line.set_data(columns["iteration"], columns[name])
    axes.set_xlabel("round")
    axes.set_ylabel("strategies")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, integer=True))
    axes.relim()
    axes.autoscale_view()
    axes.set_ylim(bottom=0)
    used = [f"{columns[name][-1]:.0f}" for name in lines if name.startswith("support")]
    axes.set_title(weight_on(used), loc="left")
    legend(axes, loc="upper left")
    return lines


def weight_on(sizes: Sequence[str]) -> str:
    """Return a title: how many strategies everybody's mix has."""
    first, last = ", ".join(sizes[:-1]), sizes[-1]
    return f"Weight on {first} and {last}" if first else f"Weight on {last}"


def size_line(axes: Axes, name: str) -> Line2D:
    """Add the line of a column of sizes: thin for pools, marked for supports."""
    what, _, player = name.partition("_")
    style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
    if what == "pool":
        style |= {"marker": "", "linewidth": 1.0}
    else:
        style |= {"markersize": 3.5}
    whose = f"player {player}: " if player else ""
    (line,) = axes.plot([], [], label=f"{whose}{WORDS[what]}", **style)
    return line
