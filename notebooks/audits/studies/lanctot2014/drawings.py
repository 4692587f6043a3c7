"""The figures of the audit of Lanctot (2014). Each function returns a figure, which the audit shows with its caption.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. The numbers to draw go in, measured by the other modules of this folder, and a Matplotlib figure comes out.
KP(n) is Kuhn poker for n players. In columns and legends, 'average' is the behavior of the averaged
realization plans of a run, and 'current' is the current profile x(t).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.papers import lanctot2014 as paper
from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.workbench import convergence, figure, legend, look, nth_look
from pokerlab.workbench.style import set_logarithmic
from pokerlab.workbench.views.curves import plot_published
from studies.lanctot2014 import theorem_five, twins
from studies.lanctot2014.interpretations import ALTERNATING, LAST_AGREEING_ITERATION, SIMULTANEOUS
from studies.lanctot2014.stability import RECORD_INTERVAL

PROFILES = ("average", "current")
ORDERS = (SIMULTANEOUS, ALTERNATING)
NO_MARKER = {"marker": ""}
PAYOFF_SHIFT = 3.0
"""The paper's payoff shift."""


def draw_theorem_five_violation(title: str) -> Figure:
    """Return a figure of player 1's regret in a 2 x 2 game over 1,000 replicator steps, and of two bounds on it.

    The regret exceeds the bound of Lanctot (2014, Theorem 5), and stays below the corrected bound. The game is that of
    `theorem_five`.

    Parameters
    ----------
    title : str
        The title of the figure.
    """
    picture, axes = figure(4.2, 3.5)
    draw_regret_and_bounds(axes, range(10, 1001, 10))
    axes.set_title(title, loc="left")
    legend(axes, loc="upper left")
    return picture


def draw_nash_conv_by_order(records: Mapping[str, History]) -> Figure:
    """Return a figure of NashConv of the average profile in Kuhn poker by iteration, for both orders of updates.

    Simultaneous runs depend on rounding after 30,000 iterations. They are drawn as a curve up to there. Then a bar
    shows the range of the recorded runs whose starts differ by multiples of 1e-12.

    Parameters
    ----------
    records : mapping of str to History
        A run for each order, 'simultaneous' and 'alternating', with the column 'nash_conv_average' in chips.
    """
    picture, axes = figure(7.2, 3.6)
    for order, record in records.items():
        is_drawn = (record["iteration"] <= LAST_AGREEING_ITERATION) | (order == ALTERNATING)
        iterations = record["iteration"][is_drawn]
        values = record["nash_conv_average"][is_drawn]
        # The first record has the iteration 0, which a logarithmic axis cannot show.
        axes.plot(iterations[1:], values[1:], label=order, **look(order) | NO_MARKER)

    draw_ranges_of_simultaneous_runs(axes)
    set_logarithmic(axes, "x", "y")
    axes.set(xlabel="iteration (log)", ylabel="NashConv of the average (chips, log)")
    axes.set_title("KP(2): the average stops short of equilibrium", loc="left")
    legend(axes, loc="lower left")
    return picture


def draw_ranges_of_simultaneous_runs(axes: Axes) -> None:
    """Draw the range of NashConv of the recorded simultaneous runs of Kuhn poker as vertical bars.

    There is a bar for each recorded iteration from 100,000 on. The runs have no floor of probabilities.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    """
    color = look(SIMULTANEOUS)["color"]
    label = f"simultaneous, range of {twins.NUM_PERTURBED_RUNS} runs"
    for iteration in twins.RECORDED_ITERATIONS[1:]:
        values = twins.select_recorded_nash_conv(
            twins.NO_FLOOR, SIMULTANEOUS, PAYOFF_SHIFT, iteration
        )
        axes.plot(
            [iteration, iteration],
            [values.min(), values.max()],
            linewidth=5,
            alpha=0.6,
            color=color,
            label=label,
        )
        label = ""  # only the first bar has an entry in the legend


def draw_regret_and_bounds(axes: Axes, counts: Sequence[int]) -> None:
    """Draw player 1's regret in the 2 x 2 game of `theorem_five`, and two bounds on it.

    One bound is that of Lanctot (2014, Theorem 5), and the other one is the corrected bound. All are totals over the
    steps, in points.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    counts : sequence of int
        The numbers of replicator steps at which the curves have points.
    """
    play, _ = theorem_five.play_replicators_in_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, max(counts)
    )
    payoff_range = float(np.ptp(theorem_five.ROW_PAYOFFS))
    totals, corrected_bounds = [], []
    for num_steps in counts:
        first_steps = theorem_five.Play(play.payoffs[:num_steps], play.shares[:num_steps])
        totals.append(theorem_five.compute_regret_and_theorem_five_bound(first_steps, payoff_range))
        corrected_bounds.append(theorem_five.compute_corrected_regret_bound(first_steps))

    axes.plot(counts, [total.regret for total in totals], label="regret of player 1")
    axes.plot(counts, [total.bound for total in totals], "--", label="Theorem 5's bound")
    axes.plot(counts, corrected_bounds, ":", label="corrected bound (ours)")
    axes.set(xlabel="steps", ylabel="total over the steps (points)")
    axes.legend(loc="upper left")


def draw_regret_in_kuhn(
    history: History, ratios_by_rate: Mapping[float, Sequence[tuple[int, float]]]
) -> Figure:
    """Return a figure of regret and the bounds on it in Kuhn poker, for two kinds of learners.

    The left panel has the average regret of replicator dynamics, and the bounds of Lanctot (2014, Lemma 3 and Theorem
    5). The right panel has polynomial weights with fixed learning rates: their regret divided by its bound.

    Parameters
    ----------
    history : History
        A run of replicator dynamics with the columns of `make_regret_columns`.
    ratios_by_rate : mapping of float to sequence of tuple
        By the fixed learning rate, pairs of an iteration and the regret divided by its bound, which
        `trace_ratios_of_regret_to_bound` returns.
    """
    picture, (replicator_axes, fixed_rate_axes) = figure(8.6, 3.5, columns=2)
    for player in (1, 2):
        style = look(f"player {player}") | NO_MARKER
        convergence(replicator_axes, history, f"regret_{player}", f"player {player}", **style)
    style = nth_look(4) | NO_MARKER
    convergence(replicator_axes, history, "lemma_3_1", "Lemma 3's right side, player 1", **style)
    convergence(
        replicator_axes, history, "theorem_5_1", "Theorem 5's bound, player 1", **look("bound")
    )
    replicator_axes.set_ylabel("average regret (chips, log)")
    replicator_axes.set_title("KP(2): regret falls, Theorem 5's bound levels off", loc="left")
    legend(replicator_axes, loc="lower left")

    for index, (eta, ratios) in enumerate(ratios_by_rate.items()):
        style = nth_look(index) | {"markevery": 1}
        fixed_rate_axes.plot(*zip(*ratios, strict=True), label=f"η = {eta}", **style)
    fixed_rate_axes.axhline(1, **look("bound"))
    set_logarithmic(fixed_rate_axes, "x")
    fixed_rate_axes.set(
        xlabel="iteration (log)", ylabel="regret / bound, the largest of 12", ylim=(0, 1.15)
    )
    fixed_rate_axes.set_title("With a fixed rate, the bound holds", loc="left")
    legend(fixed_rate_axes, loc="lower right")
    return picture


def draw_regrets_of_information_sets(game: SequenceForm, regrets: Floats, share: float) -> Figure:
    """Return a figure of the regret of each information set of three-player Kuhn poker, in a row for each player.

    Parameters
    ----------
    game : SequenceForm
        Kuhn poker for three players, with I information sets of all players.
    regrets : array of shape (I,)
        The total counterfactual regret of each information set, in chips.
    share : float
        The share of information sets whose regret is within 10% of 3 ln 2. The title reports it.
    """
    picture, axes = figure(7.2, 2.6)
    for player in range(3):
        infosets = np.arange(*game.infoset_start[player : player + 2])
        # The points of a player are spread around the height of its row, so that they do not cover each other.
        height_of_row = 3 - player
        heights = height_of_row + 0.6 * (infosets - infosets.mean()) / len(infosets)
        style = look(f"player {player + 1}") | {"linestyle": "none", "markevery": 1, "alpha": 0.6}
        axes.plot(regrets[infosets], heights, **style)
    axes.axvline(3 * np.log(2), **look("bound"))
    axes.annotate("3 ln 2", (3 * np.log(2), 3.4), xytext=(4, 0), textcoords="offset points")
    axes.set_yticks([3, 2, 1], [f"player {p}" for p in (1, 2, 3)])
    axes.set(xlabel="regret after 20,000 iterations (chips)", xlim=(0, 4), ylim=(0.5, 3.7))
    title = f"Regret at {share:.0%} of information sets ends within 10% of 3 ln 2"
    axes.set_title(title, loc="left")
    return picture


def draw_distances_from_equilibria(
    iterations: Sequence[int],
    distances: Mapping[tuple[str, str], Sequence[float]],
    printed_numbers: Sequence[Published],
) -> Figure:
    """Return a figure of the distances of a replicator run from the equilibria of three-player Kuhn poker.

    There is a panel for the average profile and one for the current profile.

    Parameters
    ----------
    iterations : sequence of int
        The iterations at which distances were measured.
    distances : mapping of tuple to sequence of float
        The Euclidean distances at these iterations. The keys are pairs of the profile ('average' or 'current') and the
        choice of the probabilities over which the distances are taken.
    printed_numbers : sequence of Published
        The numbers that the paper prints. The distances among them are marked.
    """
    picture, panels = figure(8.6, 3.4, columns=2, sharey=True)
    findings = {"average": "all distances shrink", "current": "player 2's ten shrink most"}
    panels[0].set_ylabel("Euclidean distance (log)")
    for panel, (profile, finding) in zip(panels, findings.items(), strict=True):
        labels = [label for profile_of_label, label in distances if profile_of_label == profile]
        for index, label in enumerate(labels):
            style = nth_look(index) | NO_MARKER
            panel.plot(iterations, distances[profile, label], label=label, **style)
        plot_published(panel, printed_numbers, f"distance_{profile}")
        set_logarithmic(panel, "x", "y")
        panel.set(xlabel="iteration (log)", ylim=(3e-6, 6))
        panel.set_title(f"KP(3), {profile}: {finding}", loc="left")
    legend(panels[0], loc="lower left")
    return picture


def draw_performance_curves(
    axes: Axes, history: History, printed_numbers: Sequence[Published], measure: str, title: str
) -> None:
    """Draw the performance of the average and of the current profile by iteration, and mark the printed performances.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        A run with the columns `<measure>_average` and `<measure>_current` in chips.
    printed_numbers : sequence of Published
        The numbers that the paper prints. The performances of the average profile among them are marked.
    measure : {'performance', 'difference'}
        Performance by the paper's eq. 11, or player 2's winnings minus player 1's.
    title : str
        The title of the panel.
    """
    iterations = history["iteration"][1:]  # without 0, which a logarithmic axis cannot show
    for profile in PROFILES:
        values = history[f"{measure}_{profile}"][1:]
        axes.plot(iterations, values, label=profile, **look(profile) | NO_MARKER)
    set_logarithmic(axes, "x")
    plot_published(axes, printed_numbers, "performance_average", "published")
    axes.set(xlabel="iteration (log)", ylabel="chips")
    axes.set_title(title, loc="left")


def draw_figure_1_of_kuhn_poker(
    history: History, exploitability_one_record_earlier: Mapping[int, float]
) -> Figure:
    """Return our version of Figure 1 of Lanctot (2014): exploitability and performance in Kuhn poker.

    The left panel has exploitability. The middle panel has performance by the paper's eq. 11. The right panel has
    player 2's winnings minus player 1's, which is another interpretation of the printed performances.

    Parameters
    ----------
    history : History
        Our run of Kuhn poker for two players.
    exploitability_one_record_earlier : mapping of int to float
        The printed exploitabilities, by the iterations to which they belong if the paper's labels are one record late.
    """
    printed_numbers = paper.select_published_numbers(paper.FIGURES["KP(2)"])
    picture, (exploitability_axes, performance_axes, difference_axes) = figure(10.4, 3.4, columns=3)
    for profile in PROFILES:
        style = look(profile) | NO_MARKER
        convergence(exploitability_axes, history, f"nash_conv_{profile}", profile, **style)
    plot_published(exploitability_axes, printed_numbers, "nash_conv_average")
    style = {"ms": 6, "zorder": 6, "label": "one record earlier"}
    iterations, exploitabilities = zip(*exploitability_one_record_earlier.items(), strict=True)
    exploitability_axes.plot(iterations, exploitabilities, "kx", **style)
    exploitability_axes.set_title("KP(2): only the average comes near", loc="left")
    legend(exploitability_axes, loc="lower left")

    title = "By Eq. 11 the points do not fit"
    draw_performance_curves(performance_axes, history, printed_numbers, "performance", title)
    title = "As a difference they do"
    draw_performance_curves(difference_axes, history, printed_numbers, "difference", title)

    (printed_current,) = [
        printed for printed in printed_numbers if printed.column == "performance_current"
    ]
    for axes in (performance_axes, difference_axes):
        axes.plot(
            printed_current.iteration,
            printed_current.value,
            "kD",
            mfc="none",
            label="published, current",
        )
    legend(difference_axes, loc="lower right")
    return picture


def draw_figure_2_of_larger_kuhn_poker(histories: Mapping[str, History]) -> Figure:
    """Return our version of Figure 2 of Lanctot (2014): epsilon and performance in Kuhn poker for 3 and 4 players.

    Epsilon is the largest gain of one player by a best response. There is a column of panels for each game, with
    epsilon in the upper row.

    Parameters
    ----------
    histories : mapping of str to History
        Our runs by the name of the game, 'KP(3)' and 'KP(4)'.
    """
    picture, panels = figure(8.6, 5.8, rows=2, columns=2)
    for column, game in enumerate(("KP(3)", "KP(4)")):
        history = histories[game]
        printed_numbers = paper.select_published_numbers(paper.FIGURES[game])
        upper, lower = panels[:, column]
        for profile in PROFILES:
            convergence(upper, history, f"epsilon_{profile}", profile, **look(profile) | NO_MARKER)
        plot_published(upper, printed_numbers, "epsilon_average")
        upper.set_title(f"{game}: only the average comes near", loc="left")
        legend(upper, loc="lower left")

        title = f"{game}: performance peaks early"
        draw_performance_curves(lower, history, printed_numbers, "performance", title)
    return picture


def draw_epsilon_by_method(histories: Mapping[str, History], quoted_epsilon: float) -> Figure:
    """Return a figure of epsilon of the average profile in three-player Kuhn poker by iteration, for several methods.

    Epsilon is the largest gain of one player by a best response, in chips.

    Parameters
    ----------
    histories : mapping of str to History
        Our runs by the name of the method, with the column 'epsilon_average'.
    quoted_epsilon : float
        The epsilon of CFR that the paper quotes from Risk and Szafron (2010). A horizontal line shows it.
    """
    picture, axes = figure(7.2, 3.2)
    for method, history in histories.items():
        convergence(axes, history, "epsilon_average", method, **look(method) | NO_MARKER)
    axes.axhline(quoted_epsilon, **look("bound"), label=f"Risk & Szafron: {quoted_epsilon:g}")
    axes.set_title("KP(3): both pass the quoted baseline early", loc="left")
    legend(axes)
    return picture


def draw_differences_from_normal_form(
    counts: Sequence[int], differences: Mapping[float, Floats], correlations: Sequence[float]
) -> Figure:
    """Return a figure of how replicator dynamics of the sequence form and of the normal form differ in Kuhn poker.

    The left panel has the differences of their plans. The right panel has the correlations of choices in the normal
    form, which the sequence form cannot represent.

    Parameters
    ----------
    counts : sequence of int
        Numbers of steps.
    differences : mapping of float to array of shape (len(counts),)
        By the payoff shift, the largest difference of a realization weight after each of these numbers of steps.
    correlations : sequence of float
        The mean absolute correlation of player 2's choices in the normal form, after 1, 2, ... steps.
    """
    picture, (difference_axes, correlation_axes) = figure(8.6, 3.3, columns=2)
    for index, (shift, differences_by_count) in enumerate(differences.items()):
        style = nth_look(index) | {"markevery": 1}
        # The first difference is only rounding, because the dynamics are equal for one step.
        difference_axes.plot(
            counts[1:], differences_by_count[1:], label=f"shift {shift:g}", **style
        )
    set_logarithmic(difference_axes, "x", "y")
    difference_axes.set(xlabel="steps (log)", ylabel="largest difference of plans (log)")
    difference_axes.set_title("Equal after one step; then they part", loc="left")
    legend(difference_axes, loc="lower right")

    numbers_of_steps = range(1, len(correlations) + 1)
    correlation_axes.plot(numbers_of_steps, correlations, **nth_look(0))
    correlation_axes.set(xlabel="steps", ylabel="mean |correlation|", ylim=(0, None))
    correlation_axes.set_title("Whole strategies correlate their cards, a little", loc="left")
    return picture


def draw_eigenvalues_and_bluffs(
    spectra: Mapping[str, Floats], distances: Mapping[str, Sequence[float]]
) -> Figure:
    """Return a figure of whether replicator dynamics return to an equilibrium after a small disturbance.

    The left panel has the eigenvalues of the continuous-time dynamics at equilibria. The right panel has two discrete
    runs that begin near an equilibrium of Kuhn poker.

    Parameters
    ----------
    spectra : mapping of str to array of complex
        The eigenvalues of `compute_flow_jacobian`, by the name of the equilibrium.
    distances : mapping of str to sequence of float
        By the order of updates, how far player 2's probability to bluff is from equilibrium at each record of a run,
        which `trace_distances_of_bluff_probability` returns.
    """
    picture, (eigenvalue_axes, bluff_axes) = figure(8.6, 3.4, columns=2)
    for index, (name, eigenvalues) in enumerate(spectra.items()):
        style = nth_look(index) | {"linestyle": "none", "markevery": 1, "alpha": 0.7}
        eigenvalue_axes.plot(eigenvalues.real, eigenvalues.imag, label=name, **style)
    eigenvalue_axes.axvline(0, **look("bound"))
    eigenvalue_axes.set(
        xlabel="real part (chips)", ylabel="imaginary part (chips)", ylim=(-0.2, 0.2)
    )
    eigenvalue_axes.set_title("No real part is positive; some are zero", loc="left")
    legend(eigenvalue_axes, loc="lower left")

    for order, distances_of_run in distances.items():
        iterations = RECORD_INTERVAL * np.arange(1, len(distances_of_run) + 1)
        style = look(order) | NO_MARKER | {"linewidth": 1.0}
        bluff_axes.plot(iterations, distances_of_run, label=order, **style)
    set_logarithmic(bluff_axes, "y")
    bluff_axes.set(xlabel="iteration", ylabel="distance of player 2's bluffs from 1/3 (log)")
    bluff_axes.set_title("Simultaneous steps leave the equilibrium", loc="left")
    legend(bluff_axes, loc="lower right")
    return picture
