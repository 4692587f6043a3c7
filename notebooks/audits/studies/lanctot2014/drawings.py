"""The figures of the audit of Lanctot (2014). Each function returns a picture; the audit says what there is to see."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers import lanctot2014 as paper
from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.solvers import DynamicsState, ReplicatorDynamics
from pokerlab.workbench import convergence, figure, legend, look, nth_look, published
from pokerlab.workbench.style import set_logarithmic
from studies.lanctot2014 import theorem_five, twins
from studies.lanctot2014.interpretations import ALTERNATING, SIMULTANEOUS, TOGETHER_UNTIL

WHICH = ("average", "current")
ORDERS = (SIMULTANEOUS, ALTERNATING)


def draw_theorem_five(title: str) -> Figure:
    """Draw regret and bounds in the small game over 1,000 steps."""
    picture, axes = figure(4.2, 3.5)
    draw_regret_and_bounds(axes, range(10, 1001, 10))
    axes.set_title(title, loc="left")
    legend(axes, loc="upper left")
    return picture


def draw_ends_by_order(records: Mapping[str, History]) -> Figure:
    """Draw NashConv of the average in KP(2) by order of updates.

    Simultaneous runs are drawn as long as twins agree, then the range of those without any floor.
    """
    picture, axes = figure(7.2, 3.6)
    for order, record in records.items():
        known = (record["iteration"] <= TOGETHER_UNTIL) | (order == ALTERNATING)
        at, values = record["iteration"][known], record["nash_conv_average"][known]
        axes.plot(at[1:], values[1:], label=order, **look(order) | {"marker": ""})
    color = look(SIMULTANEOUS)["color"]
    label = f"simultaneous, range of {twins.NUM_TWINS} runs"
    for t in twins.TIMES[1:]:
        far = twins.select_long_twins(twins.NO_FLOOR, SIMULTANEOUS, 3.0, t)
        ends = [far.min(), far.max()]
        axes.plot([t, t], ends, linewidth=5, alpha=0.6, color=color, label=label)
        label = ""
    set_logarithmic(axes, "x", "y")
    axes.set(xlabel="iteration (log)", ylabel="NashConv of the average (chips, log)")
    axes.set_title("KP(2): the average stops short of equilibrium", loc="left")
    legend(axes, loc="lower left")
    return picture


def draw_regret_and_bounds(axes: Axes, counts: Sequence[int]) -> None:
    """Draw player 1's regret in the small game, Theorem 5's bound and the corrected bound, after `counts` of steps.

    All three are totals over the steps.
    """
    play, _ = theorem_five.play_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, max(counts)
    )
    spread = float(np.ptp(theorem_five.ROW_PAYOFFS))
    parts = [theorem_five.Play(play.payoffs[:t], play.shares[:t]) for t in counts]
    accounts = [theorem_five.compare_regret_and_bound(part, spread) for part in parts]
    axes.plot(counts, [account.regret for account in accounts], label="regret of player 1")
    axes.plot(counts, [account.bound for account in accounts], "--", label="Theorem 5's bound")
    corrected = [theorem_five.compute_corrected_bound(part) for part in parts]
    axes.plot(counts, corrected, ":", label="corrected bound (ours)")
    axes.set(xlabel="steps", ylabel="total over the steps (points)")
    axes.legend(loc="upper left")


def draw_regret(account: History, courses: Mapping[float, Sequence[tuple[int, float]]]) -> Figure:
    """Draw regret in KP(2) with both bounds, and the regret of learners with fixed rates over their bound."""
    picture, (left, right) = figure(8.6, 3.5, columns=2)
    for player in (1, 2):
        style = look(f"player {player}") | {"marker": ""}
        convergence(left, account, f"regret_{player}", f"player {player}", **style)
    style = nth_look(4) | {"marker": ""}
    convergence(left, account, "lemma_3_1", "Lemma 3's right side, player 1", **style)
    convergence(left, account, "theorem_5_1", "Theorem 5's bound, player 1", **look("bound"))
    left.set_ylabel("average regret (chips, log)")
    left.set_title("KP(2): regret falls, Theorem 5's bound levels off", loc="left")
    legend(left, loc="lower left")
    for index, (eta, course) in enumerate(courses.items()):
        style = nth_look(index) | {"markevery": 1}
        right.plot(*zip(*course, strict=True), label=f"η = {eta}", **style)
    right.axhline(1, **look("bound"))
    set_logarithmic(right, "x")
    right.set(xlabel="iteration (log)", ylabel="regret / bound, the largest of 12", ylim=(0, 1.15))
    right.set_title("With a fixed rate, the bound holds", loc="left")
    legend(right, loc="lower right")
    return picture


def draw_gains(game: SequenceForm, gains: Floats, share: float) -> Figure:
    """Draw the regret of each information set of KP(3), (I,), player by player; `share` of them is near 3 ln 2."""
    picture, axes = figure(7.2, 2.6)
    for player in range(3):
        infosets = np.arange(*game.infoset_start[player : player + 2])
        style = look(f"player {player + 1}") | {"linestyle": "none", "markevery": 1, "alpha": 0.6}
        height = 3 - player + 0.6 * (infosets - infosets.mean()) / len(infosets)
        axes.plot(gains[infosets], height, **style)
    axes.axvline(3 * np.log(2), **look("bound"))
    axes.annotate("3 ln 2", (3 * np.log(2), 3.4), xytext=(4, 0), textcoords="offset points")
    axes.set_yticks([3, 2, 1], [f"player {p}" for p in (1, 2, 3)])
    axes.set(xlabel="regret after 20,000 iterations (chips)", xlim=(0, 4), ylim=(0.5, 3.7))
    title = f"Regret at {share:.0%} of information sets ends within 10% of 3 ln 2"
    axes.set_title(title, loc="left")
    return picture


def draw_distances(
    times: Sequence[int],
    distances: Mapping[tuple[str, str], Sequence[float]],
    rows: Sequence[Published],
) -> Figure:
    """Draw distances from KP(3)'s equilibria, by profile and choice of probabilities, and the printed ones."""
    picture, panels = figure(8.6, 3.4, columns=2, sharey=True)
    titles = {"average": "all distances shrink", "current": "player 2's ten shrink most"}
    panels[0].set_ylabel("Euclidean distance (log)")
    for panel, (which, words) in zip(panels, titles.items(), strict=True):
        labels = [label for profile, label in distances if profile == which]
        for index, label in enumerate(labels):
            style = nth_look(index) | {"marker": ""}
            panel.plot(times, distances[which, label], label=label, **style)
        published(panel, rows, f"distance_{which}")
        set_logarithmic(panel, "x", "y")
        panel.set(xlabel="iteration (log)", ylim=(3e-6, 6))
        panel.set_title(f"KP(3), {which}: {words}", loc="left")
    legend(panels[0], loc="lower left")
    return picture


def draw_column(
    axes: Axes, history: History, rows: Sequence[Published], column: str, title: str
) -> None:
    """Draw a column of the average and of the current profile, and what is published of it."""
    for which in WHICH:
        style = look(which) | {"marker": ""}
        axes.plot(history["iteration"][1:], history[f"{column}_{which}"][1:], label=which, **style)
    set_logarithmic(axes, "x")
    published(axes, rows, "performance_average", "published")
    axes.set(xlabel="iteration (log)", ylabel="chips")
    axes.set_title(title, loc="left")


def draw_figure_1(history: History, earlier: Mapping[int, float]) -> Figure:
    """Draw Figure 1: exploitability and both performances in KP(2).

    `earlier` has printed exploitabilities by the iteration one record before the printed one.
    """
    rows = paper.select_published_numbers(paper.FIGURES["KP(2)"])
    picture, (left, middle, right) = figure(10.4, 3.4, columns=3)
    for which in WHICH:
        style = look(which) | {"marker": ""}
        convergence(left, history, f"nash_conv_{which}", which, **style)
    published(left, rows, "nash_conv_average")
    marks = {"ms": 6, "zorder": 6, "label": "one record earlier"}
    left.plot(list(earlier), list(earlier.values()), "kx", **marks)
    left.set_title("KP(2): only the average comes near", loc="left")
    legend(left, loc="lower left")
    draw_column(middle, history, rows, "performance", "By Eq. 11 the points do not fit")
    draw_column(right, history, rows, "difference", "As a difference they do")
    (last,) = [row for row in rows if row.column == "performance_current"]
    for axes in (middle, right):
        axes.plot(last.iteration, last.value, "kD", mfc="none", label="published, current")
    legend(right, loc="lower right")
    return picture


def draw_figure_2(histories: Mapping[str, History]) -> Figure:
    """Draw Figure 2: epsilon and performance in KP(3) and KP(4)."""
    picture, panels = figure(8.6, 5.8, rows=2, columns=2)
    for column, name in enumerate(("KP(3)", "KP(4)")):
        rows = paper.select_published_numbers(paper.FIGURES[name])
        above, below = panels[:, column]
        for which in WHICH:
            style = look(which) | {"marker": ""}
            convergence(above, histories[name], f"epsilon_{which}", which, **style)
        published(above, rows, "epsilon_average")
        above.set_title(f"{name}: only the average comes near", loc="left")
        legend(above, loc="lower left")
        draw_column(below, histories[name], rows, "performance", f"{name}: performance peaks early")
    return picture


def draw_baseline(histories: Mapping[str, History], quoted: float) -> Figure:
    """Draw epsilon of the average in KP(3) by method, and the quoted value."""
    picture, axes = figure(7.2, 3.2)
    for name, history in histories.items():
        convergence(axes, history, "epsilon_average", name, **look(name) | {"marker": ""})
    axes.axhline(quoted, **look("bound"), label=f"Risk & Szafron: {quoted:g}")
    axes.set_title("KP(3): both pass the quoted baseline early", loc="left")
    legend(axes)
    return picture


def draw_normal_form(
    counts: Sequence[int], differences: Mapping[float, Floats], correlations: Sequence[float]
) -> Figure:
    """Draw how plans of sequences and of whole strategies part in KP(2), by shift, and how the latter correlate."""
    picture, (left, right) = figure(8.6, 3.3, columns=2)
    for index, (shift, gaps) in enumerate(differences.items()):
        style = nth_look(index) | {"markevery": 1}
        left.plot(counts[1:], gaps[1:], label=f"shift {shift:g}", **style)
    set_logarithmic(left, "x", "y")
    left.set(xlabel="steps (log)", ylabel="largest difference of plans (log)")
    left.set_title("Equal after one step; then they part", loc="left")
    legend(left, loc="lower right")
    right.plot(range(1, len(correlations) + 1), correlations, **nth_look(0))
    right.set(xlabel="steps", ylabel="mean |correlation|", ylim=(0, None))
    right.set_title("Whole strategies correlate their cards, a little", loc="left")
    return picture


def trace_departures(start: Profile) -> dict[str, list[float]]:
    """Return how far player 2's bluffs are from 1/3, every 50 steps of KP(2) from a start, by order."""
    game, course = start.game, {}
    for order in ORDERS:
        solver = ReplicatorDynamics(game, payoff_shift=3.0, order=order)
        state, away = DynamicsState.begin(game, start), []
        for _ in range(200):
            state = solver.step(state, 50)
            bluff = state.last_iterate.action_probabilities(1, "J, pass")["bet"]
            away.append(abs(bluff - 1 / 3))
        course[order] = away
    return course


def draw_stability(
    spectra: Mapping[str, Floats], departures: Mapping[str, Sequence[float]]
) -> Figure:
    """Draw eigenvalues of the flow at equilibria, and departures from one of KP(2), every 50 steps, by order."""
    picture, (left, right) = figure(8.6, 3.4, columns=2)
    for index, (name, values) in enumerate(spectra.items()):
        style = nth_look(index) | {"linestyle": "none", "markevery": 1, "alpha": 0.7}
        left.plot(values.real, values.imag, label=name, **style)
    left.axvline(0, **look("bound"))
    left.set(xlabel="real part (chips)", ylabel="imaginary part (chips)", ylim=(-0.2, 0.2))
    left.set_title("No real part is positive; some are zero", loc="left")
    legend(left, loc="lower left")
    for order, away in departures.items():
        style = look(order) | {"marker": "", "linewidth": 1.0}
        right.plot(50 * np.arange(1, len(away) + 1), away, label=order, **style)
    set_logarithmic(right, "y")
    right.set(xlabel="iteration", ylabel="distance of player 2's bluffs from 1/3 (log)")
    right.set_title("Simultaneous steps leave the equilibrium", loc="left")
    legend(right, loc="lower right")
    return picture
