"""The figures of the audit of Oliehoek et al. (2006). Each function returns a figure, which the audit shows.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006. The numbers to draw go
in, from runs or from the other modules of this folder, and a Matplotlib figure comes out.

The first player is the gambler, and the second one the dealer. A security level is what a player's mixture wins at
least: the paper's worst-case payoff.

Styles are those of `pokerlab.workbench`: `look(name)` is the style of lines with a meaning, such as 'bound', and
`nth_look(index)` the style of the line with this index in a figure.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.experiment import Published
from pokerlab.runs import History, Run
from pokerlab.workbench import figure, legend, look, nth_look
from pokerlab.workbench.style import set_logarithmic
from pokerlab.workbench.views.memory import plot_mixtures, plot_set_sizes
from studies.oliehoek2006.memories import UNREACHED_RULES, TimeSpent

PLAYER_NAMES = {"security_level_1": "gambler", "security_level_2": "dealer"}
"""The name of the player whose security level a column of a run has."""
CURVES = ("total", "gambler", "dealer")
"""The curves that were read from Figure 3: the sum of the security levels, and the levels of each player."""
COLUMNS_OF_CURVES = {
    "gambler": "security_level_1",
    "dealer": "security_level_2",
    "total": "security_level_sum",
}
"""The column of a run that corresponds to each of these curves, in the order of panels."""
RULE_NAMES = {"uniform": "slips", "random": "slips drawn by round"}
"""The audit's names of some rules for information sets that the other player's mixture never reaches."""
PART_STYLES = {
    "best_responses": ("#0072b2", ""),
    "payoffs": ("#9cc8e6", "//"),
    "linear_programs": ("#eeeeee", ".."),
}
"""The color and hatch of the parts of a memory's time, which are attributes of `TimeSpent`."""
PRINTED_SUPPORT, PRINTED_SUM = 29, -0.027
"""The number of strategies in use and the sum of the security levels that the paper prints for six cards."""


def draw_figure_3_of_8_card_poker(
    history: History, points: NDArray[Any], value: float, title: str
) -> Figure:
    """Return our version of the top of Figure 3 of Oliehoek et al. (2006): security levels in 8-card poker.

    A security level is what a player's mixture wins at least. The curves are our levels of both players and their sum,
    in chips. Circles are the points of the paper, and dotted lines are the levels of an equilibrium.

    Parameters
    ----------
    history : History
        Our run of a Parallel Nash Memory.
    points : structured array
        The paper's points, as they were read from its figure, with the fields 'iteration' and `CURVES`.
    value : float
        The game's value to player 1, the gambler.
    title : str
        The title of the figure.
    """
    picture, axes = figure(4.2, 3.5)
    iterations = history["iteration"] + 1  # the paper's iteration t is our round t - 1
    equilibrium_levels = (value, -value)
    for index, (column, player_name) in enumerate(PLAYER_NAMES.items()):
        axes.plot(iterations, history[column], label=player_name, **nth_look(index))
        style = look("bound") | {"color": nth_look(index)["color"]}
        label = "equilibrium" if index == 0 else None  # one entry in the legend for both lines
        axes.axhline(equilibrium_levels[index], **style, label=label)
    axes.plot(iterations, history["security_level_sum"], label="sum", **nth_look(2))

    circles = look("published") | {"markersize": 6}
    for index, curve in enumerate(CURVES):
        label = "read from Figure 3" if index == 0 else None
        axes.plot(points["iteration"], points[curve], label=label, **circles)
    axes.set(xlabel="iteration", ylabel="worst-case payoff (chips)")
    axes.set(xlim=(0.5, len(points) + 0.5))
    axes.set_title(title, loc="left")
    legend(axes, loc="lower right")
    return picture


def draw_figure_3_of_6_card_poker(
    histories: Mapping[str, History], points: NDArray[Any], values: Mapping[str, float]
) -> Figure:
    """Return our version of the bottom of Figure 3 of Oliehoek et al. (2006): security levels in 6-card poker.

    A security level is what a player's mixture wins at least, in chips. There is a row of panels for each deck. Its
    panels are for the gambler, the dealer, and the sum of both. The gray curves, 'Figure 3' in the legend, are the
    paper's. Horizontal lines are the levels of an equilibrium.

    Parameters
    ----------
    histories : mapping of str to History
        Our runs by game, such as '6-card poker, ranks'.
    points : structured array
        The paper's curves, as they were read from its figure, with the fields 'iteration' and `CURVES`.
    values : mapping of str to float
        The value of each game to player 1, the gambler.
    """
    picture, grid = figure(8.6, 5.0, rows=len(histories), columns=3, sharey=True, sharex=True)
    for row, (game, history) in zip(grid, histories.items(), strict=True):
        equilibrium_levels = {"gambler": values[game], "dealer": -values[game], "total": 0.0}
        for index, (curve, column) in enumerate(COLUMNS_OF_CURVES.items()):
            axes = row[index]
            axes.plot(points["iteration"], points[curve], color="#8a8a8a", lw=2.2, label="Figure 3")

            iterations = history["iteration"] + 1  # the paper's iteration t is our round t - 1
            axes.plot(iterations, history[column], label="ours", **nth_look(index))
            axes.axhline(equilibrium_levels[curve], **look("bound"))

            axes.set(ylim=(-1.0, 0.2), xlim=(0, 153), title=f"{get_deck_name(game)}: {curve}")
        row[0].set_ylabel("chips")
    picture.supxlabel("iteration")
    legend(grid[0, 0], loc="lower right")
    return picture


def get_deck_name(game: str) -> str:
    """Return the name of the deck from the name of a 6-card game.

    Examples
    --------
    >>> get_deck_name("6-card poker, ranks")
    'ranks'
    """
    return game.removeprefix("6-card poker, ")


def draw_pool_sizes_and_mixtures(
    run: Run, printed_numbers: Sequence[Published]
) -> tuple[Figure, Bools]:
    """Return a figure of how many strategies a Parallel Nash Memory stores and uses, and with which weights.

    Parameters
    ----------
    run : Run
        A run of a memory, which has kept its states.
    printed_numbers : sequence of Published
        The numbers that the paper prints. The numbers of strategies among them are marked.

    Returns
    -------
    Figure
        The left panel has the numbers of strategies that are stored and in use, by round. The right panel has the
        weights of player 1's strategies, by round.
    array of bool of shape (rounds, strategies)
        Whether each weight in the right panel is positive.
    """
    picture, (size_axes, weight_axes) = figure(8.6, 3.2, columns=2)
    plot_set_sizes(size_axes, run.history, rows=printed_numbers)
    size_axes.set_title("Few of the strategies stored are in use", loc="left")
    weights = plot_mixtures(weight_axes, run, player=0)
    return picture, weights > 0


def draw_security_by_open_choice(
    recording: History, games: Sequence[str], figure_3_top_points: tuple[Sequence[float], Floats]
) -> Figure:
    """Return a figure of how secure memories of 6-card poker are, and of how many strategies they use.

    Each point is a Parallel Nash Memory with one combination of the choices that the paper's text leaves open. The
    horizontal axis is the number of strategies in use, mean of both players. The vertical axis is the sum of the
    players' security levels, which is 0 in equilibrium. Hollow points are memories that begin with random strategies.

    Parameters
    ----------
    recording : History
        The recording 'oliehoek-2006-open' of `record_memories_by_open_choice`.
    games : sequence of two str
        The names of the 6-card games, each of which has a panel.
    figure_3_top_points : pair of sequences
        The numbers of strategies in use, and the sums of security levels, for the settings that give the top of Figure
        3. They are marked in the panel of the first game.
    """
    picture, panels = figure(8.6, 3.6, columns=2, sharey=True, sharex=True)
    # Hollow points first, so that the few full points are in front of them.
    for has_random_start in (True, False):
        for panel, game in zip(panels, games, strict=True):
            draw_memories_by_rule(panel, recording, game, has_random_start=has_random_start)
    panels[0].plot(*figure_3_top_points, "x", color="k", markersize=8, label="as Figure 3, top")
    for panel, game in zip(panels, games, strict=True):
        style = look("published") | {"markersize": 12}
        panel.plot(PRINTED_SUPPORT, PRINTED_SUM, label="published", **style)
        panel.set_xlabel("support, mean of both players")
        panel.set_title(get_deck_name(game).capitalize(), loc="left")
        legend(panel, loc="lower right")
    panels[0].set_ylabel("sum of security levels (chips)")
    return picture


def draw_memories_by_rule(
    axes: Axes, recording: History, game: str, *, has_random_start: bool
) -> None:
    """Draw a point for each recorded memory of a game, by its number of strategies in use and its security.

    Each rule for best responses at information sets that the opponent never reaches has a color and marker.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    recording : History
        The recording of `record_memories_by_open_choice`.
    game : str
        The name of the game.
    has_random_start : bool
        Whether to draw the memories that begin with random strategies, as hollow points. Otherwise the others are drawn
        as full points.
    """
    mean_support = (recording["support_1"] + recording["support_2"]) / 2
    has_this_start = (recording["start"] == "random") == has_random_start
    for index, rule in enumerate(UNREACHED_RULES):
        of_game_and_rule = (recording["game"] == game) & (recording["unreached"] == rule)
        is_drawn = of_game_and_rule & has_this_start
        # Only the full points have an entry in the legend.
        label = None if has_random_start else RULE_NAMES.get(rule, rule)
        style = nth_look(index)
        style |= {"linestyle": "none", "markersize": 5 if has_random_start else 7, "markevery": 1}
        axes.plot(
            mean_support[is_drawn],
            recording["security_level_sum"][is_drawn],
            fillstyle="none" if has_random_start else "full",
            label=label,
            **style,
        )


def draw_nash_conv_by_memory(curves: Mapping[str, Sequence[float] | Floats], title: str) -> Figure:
    """Return a figure of NashConv by round, with a curve for each kind of memory, such as 'parallel' and 'naive'.

    Parameters
    ----------
    curves : mapping of str to sequence of float
        NashConv in chips after each round, by the name of the kind.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 3.2)
    for index, (label, curve) in enumerate(curves.items()):
        axes.plot(curve, label=label, **nth_look(index))
    set_logarithmic(axes, "y")
    axes.set(xlabel="round", ylabel="NashConv (chips, log)", ylim=(0.01, 10))
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_time_by_part(times: Mapping[str, TimeSpent], title: str) -> Figure:
    """Return a bar chart of how the computing time of a Parallel Nash Memory is divided, with a bar for each game.

    The unit is the time of solving the game by the linear program of its sequence form.

    Parameters
    ----------
    times : mapping of str to TimeSpent
        The times by game.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 2.6)
    labels = [f"{game}, {spent.state.iteration} rounds" for game, spent in times.items()]
    left_ends = np.zeros(len(times))
    for part, (color, hatch) in PART_STYLES.items():
        widths = np.array([getattr(spent, part) / spent.sequence_form for spent in times.values()])
        style = {"hatch": hatch, "edgecolor": "#444444", "linewidth": 0.6}
        label = part.replace("_", " ")
        axes.barh(labels, widths, left=left_ends, label=label, color=color, **style)
        left_ends += widths
    axes.axvline(1, **look("bound"), label="sequence form, all of it")
    axes.set_xlabel("time, as a multiple of the sequence-form program's")
    axes.set_title(title, loc="left")
    legend(axes, loc="upper center", bbox_to_anchor=(0.4, -0.25), ncols=4)
    return picture
