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
from pokerlab.workbench import convergence, figure, legend, look, nth_look, published
from pokerlab.workbench.style import set_logarithmic
from studies.lanctot2014 import theorem_five, twins
from studies.lanctot2014.interpretations import ALTERNATING, LAST_AGREEING_ITERATION, SIMULTANEOUS
from studies.lanctot2014.stability import RECORD_INTERVAL

PROFILES = ("average", "current")
ORDERS = (SIMULTANEOUS, ALTERNATING)
NO_MARKER = {"marker": ""}
PRINTED_SHIFT = 3.0
"""The paper's payoff shift."""


def draw_theorem_five_violation(title: str) -> Figure:
    """Return a figure of player 1's regret and two bounds on it, over 1,000 replicator steps of a 2 x 2 game.

    Regret exceeds one of them, that of Lanctot (2014, Theorem 5). The game is that of `theorem_five`.
    """
    picture, axes = figure(4.2, 3.5)
    draw_regret_and_bounds(axes, range(10, 1001, 10))
    axes.set_title(title, loc="left")
    legend(axes, loc="upper left")
    return picture


def draw_nash_conv_by_order(records: Mapping[str, History]) -> Figure:
    """Return a figure of NashConv of the average profile in Kuhn poker by iteration, for both orders of updates.

    Simultaneous runs depend on rounding after 30,000 iterations. They are drawn as a curve up to there, and then as the
    range of the recorded runs whose starts differ by multiples of 1e-12.

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

    color = look(SIMULTANEOUS)["color"]
    label = f"simultaneous, range of {twins.NUM_PERTURBED_RUNS} runs"
    for iteration in twins.RECORDED_ITERATIONS[1:]:
        values = twins.select_recorded_nash_conv(
            twins.NO_FLOOR, SIMULTANEOUS, PRINTED_SHIFT, iteration
        )
        value_range = [values.min(), values.max()]
        axes.plot(
            [iteration, iteration], value_range, linewidth=5, alpha=0.6, color=color, label=label
        )
        label = ""  # only the first bar has an entry in the legend
    set_logarithmic(axes, "x", "y")
    axes.set(xlabel="iteration (log)", ylabel="NashConv of the average (chips, log)")
    axes.set_title("KP(2): the average stops short of equilibrium", loc="left")
    legend(axes, loc="lower left")
    return picture


def draw_regret_and_bounds(axes: Axes, counts: Sequence[int]) -> None:
    """Draw the regret of player 1 in the 2 x 2 game of `theorem_five`, and both bounds on it: printed and corrected.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    counts : sequence of int
        The numbers of replicator steps after which the three are drawn. They are totals over the steps, in points.
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
    """Return a figure of regret and its bounds in Kuhn poker: of replicator dynamics, and of learners with fixed rates.

    Parameters
    ----------
    history : History
        The columns of `make_regret_columns` along a run of replicator dynamics.
    ratios_by_rate : mapping of float to sequence of tuple
        By the fixed learning rate, pairs of an iteration and the regret divided by its bound, from
        `trace_ratios_of_regret_to_bound`.
    """
    picture, (left, right) = figure(8.6, 3.5, columns=2)
    for player in (1, 2):
        style = look(f"player {player}") | NO_MARKER
        convergence(left, history, f"regret_{player}", f"player {player}", **style)
    style = nth_look(4) | NO_MARKER
    convergence(left, history, "lemma_3_1", "Lemma 3's right side, player 1", **style)
    convergence(left, history, "theorem_5_1", "Theorem 5's bound, player 1", **look("bound"))
    left.set_ylabel("average regret (chips, log)")
    left.set_title("KP(2): regret falls, Theorem 5's bound levels off", loc="left")
    legend(left, loc="lower left")

    for index, (eta, ratios) in enumerate(ratios_by_rate.items()):
        style = nth_look(index) | {"markevery": 1}
        right.plot(*zip(*ratios, strict=True), label=f"η = {eta}", **style)
    right.axhline(1, **look("bound"))
    set_logarithmic(right, "x")
    right.set(xlabel="iteration (log)", ylabel="regret / bound, the largest of 12", ylim=(0, 1.15))
    right.set_title("With a fixed rate, the bound holds", loc="left")
    legend(right, loc="lower right")
    return picture


def draw_regrets_of_information_sets(game: SequenceForm, regrets: Floats, share: float) -> Figure:
    """Return a figure of the regret of each information set of three-player Kuhn poker, a row for each player.

    Parameters
    ----------
    game : SequenceForm
        Kuhn poker for three players.
    regrets : array of shape (I,)
        The total counterfactual regret of each information set, in chips.
    share : float
        The share of information sets whose regret is within 10% of 3 ln 2, for the title.
    """
    picture, axes = figure(7.2, 2.6)
    for player in range(3):
        infosets = np.arange(*game.infoset_start[player : player + 2])
        style = look(f"player {player + 1}") | {"linestyle": "none", "markevery": 1, "alpha": 0.6}
        # The points of a player are spread around the height of its row, so that they do not cover each other.
        height = 3 - player + 0.6 * (infosets - infosets.mean()) / len(infosets)
        axes.plot(regrets[infosets], height, **style)
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
    """Return a figure of distances from three-player Kuhn poker's equilibria along a run, a panel for each profile.

    Parameters
    ----------
    iterations : sequence of int
        The iterations at which distances were measured.
    distances : mapping of tuple to sequence of float
        The Euclidean distances at these iterations, by the profile ('average' or 'current') and the choice of the
        probabilities over which they are taken.
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
        published(panel, printed_numbers, f"distance_{profile}")
        set_logarithmic(panel, "x", "y")
        panel.set(xlabel="iteration (log)", ylim=(3e-6, 6))
        panel.set_title(f"KP(3), {profile}: {finding}", loc="left")
    legend(panels[0], loc="lower left")
    return picture


def draw_performance_curves(
    axes: Axes, history: History, printed_numbers: Sequence[Published], measure: str, title: str
) -> None:
    """Draw the performance of the average and of the current profile by iteration, with the printed performances.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        A run with the columns `<measure>_average` and `<measure>_current` in chips.
    printed_numbers : sequence of Published
        The numbers that the paper prints. The performances of the average among them are marked.
    measure : {'performance', 'difference'}
        Performance by Eq. 11, or player 2's winnings minus player 1's.
    title : str
        The title of the panel.
    """
    iterations = history["iteration"][1:]  # without 0, which a logarithmic axis cannot show
    for profile in PROFILES:
        values = history[f"{measure}_{profile}"][1:]
        axes.plot(iterations, values, label=profile, **look(profile) | NO_MARKER)
    set_logarithmic(axes, "x")
    published(axes, printed_numbers, "performance_average", "published")
    axes.set(xlabel="iteration (log)", ylabel="chips")
    axes.set_title(title, loc="left")


def draw_figure_1(history: History, one_record_earlier: Mapping[int, float]) -> Figure:
    """Return our version of Figure 1 of Lanctot (2014): exploitability and performance in Kuhn poker.

    The left panel has exploitability. The middle panel has performance by Eq. 11, and the right panel has player 2's
    winnings minus player 1's, which is the other reading of the printed performances.

    Parameters
    ----------
    history : History
        Our run of Kuhn poker for two players.
    one_record_earlier : mapping of int to float
        The printed exploitabilities by the iteration to which they belong if labels are one record late.
    """
    printed_numbers = paper.select_published_numbers(paper.FIGURES["KP(2)"])
    picture, (left, middle, right) = figure(10.4, 3.4, columns=3)
    for profile in PROFILES:
        convergence(left, history, f"nash_conv_{profile}", profile, **look(profile) | NO_MARKER)
    published(left, printed_numbers, "nash_conv_average")
    style = {"ms": 6, "zorder": 6, "label": "one record earlier"}
    left.plot(list(one_record_earlier), list(one_record_earlier.values()), "kx", **style)
    left.set_title("KP(2): only the average comes near", loc="left")
    legend(left, loc="lower left")

    draw_performance_curves(
        middle, history, printed_numbers, "performance", "By Eq. 11 the points do not fit"
    )
    draw_performance_curves(
        right, history, printed_numbers, "difference", "As a difference they do"
    )
    (printed_current,) = [
        printed for printed in printed_numbers if printed.column == "performance_current"
    ]
    for axes in (middle, right):
        axes.plot(
            printed_current.iteration,
            printed_current.value,
            "kD",
            mfc="none",
            label="published, current",
        )
    legend(right, loc="lower right")
    return picture


def draw_figure_2(histories: Mapping[str, History]) -> Figure:
    """Return our version of Figure 2 of Lanctot (2014): epsilon and performance in Kuhn poker for 3 and 4 players.

    Epsilon is the largest gain of one player by a best response. `histories` has our runs by the name of the game,
    'KP(3)' and 'KP(4)'.
    """
    picture, panels = figure(8.6, 5.8, rows=2, columns=2)
    for column, game in enumerate(("KP(3)", "KP(4)")):
        history = histories[game]
        printed_numbers = paper.select_published_numbers(paper.FIGURES[game])
        upper, lower = panels[:, column]
        for profile in PROFILES:
            convergence(upper, history, f"epsilon_{profile}", profile, **look(profile) | NO_MARKER)
        published(upper, printed_numbers, "epsilon_average")
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
        The epsilon of CFR that the paper quotes from Risk and Szafron (2010).
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
    """Return a figure of how replicator dynamics of sequences and of the normal form differ in Kuhn poker.

    Parameters
    ----------
    counts : sequence of int
        Numbers of steps.
    differences : mapping of float to array
        By payoff shift, the largest difference of a realization weight after each of these numbers of steps.
    correlations : sequence of float
        The mean absolute correlation of player 2's choices in the normal form, after 1, 2, ... steps.
    """
    picture, (left, right) = figure(8.6, 3.3, columns=2)
    for index, (shift, differences_by_count) in enumerate(differences.items()):
        style = nth_look(index) | {"markevery": 1}
        # After one step there is no difference but rounding.
        left.plot(counts[1:], differences_by_count[1:], label=f"shift {shift:g}", **style)
    set_logarithmic(left, "x", "y")
    left.set(xlabel="steps (log)", ylabel="largest difference of plans (log)")
    left.set_title("Equal after one step; then they part", loc="left")
    legend(left, loc="lower right")

    right.plot(range(1, len(correlations) + 1), correlations, **nth_look(0))
    right.set(xlabel="steps", ylabel="mean |correlation|", ylim=(0, None))
    right.set_title("Whole strategies correlate their cards, a little", loc="left")
    return picture


def draw_eigenvalues_and_bluffs(
    spectra: Mapping[str, Floats], distances: Mapping[str, Sequence[float]]
) -> Figure:
    """Return a figure of the replicator flow's eigenvalues at equilibria, and of two discrete runs near one of them.

    Parameters
    ----------
    spectra : mapping of str to array
        The complex eigenvalues of the flow's Jacobian, by the name of the equilibrium.
    distances : mapping of str to sequence of float
        By the order of updates, how far player 2's probability to bluff is from 1/3 at each record of a discrete run,
        from `trace_distances_of_bluff_probability`.
    """
    picture, (left, right) = figure(8.6, 3.4, columns=2)
    for index, (name, eigenvalues) in enumerate(spectra.items()):
        style = nth_look(index) | {"linestyle": "none", "markevery": 1, "alpha": 0.7}
        left.plot(eigenvalues.real, eigenvalues.imag, label=name, **style)
    left.axvline(0, **look("bound"))
    left.set(xlabel="real part (chips)", ylabel="imaginary part (chips)", ylim=(-0.2, 0.2))
    left.set_title("No real part is positive; some are zero", loc="left")
    legend(left, loc="lower left")

    for order, order_distances in distances.items():
        iterations = RECORD_INTERVAL * np.arange(1, len(order_distances) + 1)
        style = look(order) | NO_MARKER | {"linewidth": 1.0}
        right.plot(iterations, order_distances, label=order, **style)
    set_logarithmic(right, "y")
    right.set(xlabel="iteration", ylabel="distance of player 2's bluffs from 1/3 (log)")
    right.set_title("Simultaneous steps leave the equilibrium", loc="left")
    legend(right, loc="lower right")
    return picture
