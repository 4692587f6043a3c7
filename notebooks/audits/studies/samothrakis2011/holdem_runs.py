"""Recorded evolutions of limit hold'em agents: what their searches report, what agents lose, and tables about both.

Samothrakis & Lucas (2011, section 4.2) report the exploitability of an agent after 200 generations. What do agents like
it lose, by the search that judged them and by exact best responses? Recorded runs come out as histories, and what they
show as tables with numbers as text.

The agent of the paper is lost, and sections 3.1 and 4.2 and Figures 1, 4 and 6 leave parts of the procedure open.
Therefore evolutions by several interpretations are recorded in `RECORDED`. In each of them a tree search judges the
agents, and exact best responses show what the search overlooks. The *champion* is the best agent so far, by
the search. All amounts are small bets; exploitability is the sum over both seats.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats
from pokerlab.holdem.betting_tree import DEAL
from pokerlab.papers import samothrakis2011_holdem as holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.samothrakis2011_holdem import RECORDED, read_evolution
from pokerlab.runs import History
from studies.audit import Table, read_figure_points
from studies.samothrakis2011.tables import load_recorded_table

AS_IN_TEXT, AS_DRAWN = "CSA-ES", "CMA-ES as drawn"
"""Two interpretations: the evolution strategy of section 3.1, and the procedure that Figures 1, 4 and 6 show."""
RUN_PREFIXES = {
    AS_IN_TEXT: "csa-1000",
    "diagonal CMA-ES": "sampled-1000",
    "diagonal CMA-ES, exact buckets": "playouts-1000",
    "diagonal CMA-ES, equal states apart": "unmerged-1000",
    AS_DRAWN: "drawn",
}
"""How the names of the runs of an interpretation begin in `RECORDED`; the default interpretation comes first.

All of them are judged by searches with 1,000 playouts. `AS_DRAWN` has the betting, the genes and the number of
evaluations of the figures.
"""
POPULATION = 16
BUDGET = 200 * POPULATION
"""The number of evaluations in the 200 generations of section 4.2."""
TABULATED_GENERATIONS = (45, 90, 180, 200, 360, 540, 810)
"""The generations that `tabulate_drawn_runs_beside_figure_6` shows beside Figure 6."""
NUM_BUCKETS = 6


def read_runs_of_interpretation(interpretation: str) -> list[History]:
    """Return the recorded evolutions of limit hold'em agents by one interpretation of the paper, one for each seed.

    An *interpretation* chooses what the text of Samothrakis & Lucas (2011) leaves open.

    Parameters
    ----------
    interpretation : str
        The name of the interpretation in `RUN_PREFIXES`, such as 'CSA-ES'.

    Returns
    -------
    list of History
        The columns that were recorded of each evolution.
    """
    prefix = f"{RUN_PREFIXES[interpretation]}-"
    return [read_evolution(name) for name in RECORDED if name.startswith(prefix)]


def read_runs_judged_by_search() -> dict[str, History]:
    """Return the recorded evolutions of limit hold'em agents whose fitness comes from a tree search, by their name.

    Left out are those whose fitness comes from exact best responses, and those with the betting of the paper's figures
    instead of a card room's.

    Returns
    -------
    dict of str to History
        The columns that were recorded of each evolution, by its name in `RECORDED`.
    """
    other_prefixes = ("exact", "drawn")
    return {name: read_evolution(name) for name in RECORDED if not name.startswith(other_prefixes)}


def interpolate_at_evaluations(run: History, column: str, num_evaluations: float) -> float:
    """Return the value of a column of a run after a number of evaluations, by linear interpolation between records.

    Parameters
    ----------
    run : History
        The recorded evolution. Its column 'evaluations' has the number of agents that were evaluated so far.
    column : str
        The name of the column.
    num_evaluations : float
        The number of evaluations. Before the first record the value is that of the first.
    """
    return float(np.interp(num_evaluations, run["evaluations"], run[column]))


def select_values_of_generation(runs: Sequence[History], column: str, generation: int) -> Floats:
    """Return the value of a column in one generation of each run, shape (runs,).

    Parameters
    ----------
    runs : sequence of History
        The recorded evolutions.
    column : str
        The name of the column.
    generation : int
        The generation, which must be recorded in all runs.

    Raises
    ------
    IndexError
        If a run has no record of the generation.
    """
    values = []
    for run in runs:
        is_generation = run["iteration"] == generation
        values.append(run[column][is_generation][0])
    return np.array(values)


def has_falling_exploitability(run: History, num_evaluations: float) -> bool:
    """Return whether the exact exploitability of a run's best agent falls in both halves of its first evaluations.

    Parameters
    ----------
    run : History
        The recorded evolution. Its column 'nash_conv' has the exploitability of the best agent so far, in small bets.
    num_evaluations : float
        The number of evaluations of agents, from the first on, that are divided into two halves.
    """
    at_start = interpolate_at_evaluations(run, "nash_conv", 0.0)
    at_middle = interpolate_at_evaluations(run, "nash_conv", 0.5 * num_evaluations)
    at_end = interpolate_at_evaluations(run, "nash_conv", num_evaluations)
    return at_start > at_middle > at_end


def find_runs_with_falling_exploitability() -> dict[str, Bools]:
    """Return in which evolutions of limit hold'em agents the best agent comes steadily nearer to equilibrium.

    It does so if its exact exploitability falls in the first half of the evaluations, and in the second (see
    `has_falling_exploitability`).

    Returns
    -------
    dict of str to ndarray of bool, shape (runs,)
        Whether the best agent of each run does so. The keys name the interpretation of the paper and the number of
        evaluations, which is the budget of the paper's text: 200 generations of 16 agents. The last entry has the runs
        that follow the paper's figures, with all evaluations that Figure 6 shows.
    """
    falling = {}
    for interpretation in RUN_PREFIXES:
        runs = read_runs_of_interpretation(interpretation)
        falling[f"{interpretation}, {BUDGET:,} evaluations"] = np.array(
            [has_falling_exploitability(run, BUDGET) for run in runs]
        )

    drawn_runs = read_runs_of_interpretation(AS_DRAWN)
    falling[f"{AS_DRAWN}, all evaluations of Figure 6"] = np.array(
        [has_falling_exploitability(run, run["evaluations"][-1]) for run in drawn_runs]
    )
    return falling


def read_figure_6_best_values() -> NDArray[np.void]:
    """Return the best value of each generation, as it was read off the left panel of Figure 6 of the paper.

    The paper is Samothrakis & Lucas (2011).

    Returns
    -------
    ndarray, shape (points,)
        A structured array with the fields 'evaluations', the number of evaluations so far, and 'value', which has no
        unit in the figure.
    """
    points = read_figure_points("samothrakis-2011-figure-6")
    best_values: NDArray[np.void] = points[points["what"] == "best of the generation"]
    return best_values


def tabulate_drawn_runs_beside_figure_6(
    generations: Sequence[int] = TABULATED_GENERATIONS,
) -> Table:
    """Return a table of Figure 6 of the paper beside recorded evolutions that follow the paper's figures.

    The paper is Samothrakis & Lucas (2011). Its figures show another procedure than its text.

    Parameters
    ----------
    generations : sequence of int
        The generations that have a row. They must be recorded in the runs.

    Returns
    -------
    heads : sequence of str
        The number of evaluations; the best value of Figure 6 as a multiple of its lowest, because the figure has no
        unit; what the search reports for the best agent of the generation; and the exact exploitability of the best
        agent so far. The last two are in small bets, with a number for each seed.
    rows : list
        A row for each generation. The value of Figure 6 is '' where no point was read.
    """
    printed = read_figure_6_best_values()
    lowest_printed = printed["value"].min()
    runs = read_runs_of_interpretation(AS_DRAWN)

    rows: list[Sequence[object]] = []
    for generation in generations:
        num_evaluations = POPULATION * generation
        printed_values = printed["value"][printed["evaluations"] == num_evaluations]
        is_printed = printed_values.size > 0
        printed_multiple = f"{printed_values[0] / lowest_printed:.2f}" if is_printed else ""

        reported = select_values_of_generation(runs, "generation_value", generation)
        exact = select_values_of_generation(runs, "nash_conv", generation)
        rows.append(
            [
                f"{num_evaluations:,}",
                printed_multiple,
                format_values_by_seed(reported),
                format_values_by_seed(exact),
            ]
        )
    heads = [
        "evaluations",
        "Figure 6, times its lowest",
        "a generation's best as the search reports it, by seed (small bets)",
        "exact exploitability of the champion so far",
    ]
    return heads, rows


def format_values_by_seed(values: Floats) -> str:
    """Return values, one for each seed, as text with two digits after the point, separated by commas."""
    return ", ".join(f"{value:.2f}" for value in values)


def tabulate_reported_and_exact_losses() -> Table:
    """Return a table of what evolved agents lose: as the search that selected them reports it, and exactly.

    There is a row for each interpretation of the paper, which chooses what the text leaves open.

    Returns
    -------
    heads : sequence of str
        The interpretation; its number of runs; the range over runs of what the search reports for the best agent of
        generation 200; and the range of the exact exploitability of the best agent so far. Both are in small bets.
    rows : list
        A row for each interpretation in `RUN_PREFIXES`.
    """
    rows: list[Sequence[object]] = []
    for interpretation in RUN_PREFIXES:
        runs = read_runs_of_interpretation(interpretation)
        reported = [interpolate_at_evaluations(run, "generation_value", BUDGET) for run in runs]
        exact = [interpolate_at_evaluations(run, "nash_conv", BUDGET) for run in runs]
        rows.append(
            [
                interpretation,
                len(runs),
                f"{min(reported):.2f} to {max(reported):.2f}",
                f"{min(exact):.2f} to {max(exact):.2f}",
            ]
        )
    return ["interpretation", "runs", "the search reports (small bets)", "exact"], rows


class RepeatedSearch(NamedTuple):
    """What a tree search with new random numbers wins from the best agent of a recorded evolution, in small bets.

    Attributes
    ----------
    champion : str
        The name of the evolution in `RECORDED` whose best agent it is.
    playouts : int
        The number of playouts of the search.
    merges_states : bool
        Whether the search treats equal states as one.
    found, standard_error : float
        The mean of what the repetitions of the search win, and its standard error.
    reported : float
        What the search in the evolution reported for the agent.
    exact : float
        The exact exploitability of the agent.
    """

    champion: str
    playouts: int
    merges_states: bool
    found: float
    standard_error: float
    reported: float
    exact: float


def load_repeated_searches() -> list[RepeatedSearch]:
    """Return what tree searches with new random numbers win from the best agents of two recorded evolutions.

    Several searches were recorded for each of the two agents.

    Returns
    -------
    list of RepeatedSearch
        What each search wins from each agent. The searches against the first agent come first.
    """
    table = load_recorded_table("judges")
    champions = table.provenance["settings"]["champions"]
    searches = []
    for row in range(len(table)):
        search = RepeatedSearch(
            champion=champions[int(table["champion"][row])],
            playouts=int(table["playouts"][row]),
            merges_states=bool(table["merged"][row]),
            found=table["found"][row],
            standard_error=table["standard_error"][row],
            reported=table["believed"][row],
            exact=table["exact"][row],
        )
        searches.append(search)
    return searches


def tabulate_repeated_searches() -> Table:
    """Return a table of what tree searches with new random numbers win from the best agents of two evolutions.

    Returns
    -------
    heads : sequence of str
        The evolution; the search; what the search in the evolution reported for the agent; what the search finds again,
        with the standard error; and the exact exploitability. The last three are in small bets.
    rows : list
        A row for each agent and each search.
    """
    rows: list[Sequence[object]] = []
    for search in load_repeated_searches():
        states = "once" if search.merges_states else "apart"
        rows.append(
            [
                search.champion,
                f"{search.playouts:,.0f} playouts, equal states {states}",
                f"{search.reported:.2f}",
                f"{search.found:.3f} ± {search.standard_error:.3f}",
                f"{search.exact:.2f}",
            ]
        )
    heads = ["champion", "search", "reported in its evolution (small bets)", "found again", "exact"]
    return heads, rows


class SearchError(NamedTuple):
    """By how much a search underestimated what an agent loses, in small bets.

    Attributes
    ----------
    underestimate : float
        The exact exploitability of the agent minus what the search in the evolution reported.
    selection_bias : float
        The part of the underestimate that comes from selecting the agent for its low report: what the same search finds
        with new random numbers, minus what it reported.
    """

    underestimate: float
    selection_bias: float


def compute_search_errors() -> dict[str, SearchError]:
    """Return by how much the tree searches of two evolutions underestimated what their best agents lose.

    Returns
    -------
    dict of str to SearchError
        The underestimate and the selection bias in it, by the name of the evolution in `RECORDED`.
    """
    errors = {}
    for search in load_repeated_searches():
        # Only a search as in the evolution itself counts: it merges equal states and has as many playouts.
        playouts_in_evolution = RECORDED[search.champion].playouts
        is_as_in_evolution = search.merges_states and search.playouts == playouts_in_evolution
        if is_as_in_evolution:
            errors[search.champion] = SearchError(
                underestimate=float(search.exact - search.reported),
                selection_bias=float(search.found - search.reported),
            )
    return errors


def load_exploitability_by_choice() -> dict[tuple[str, str, str], Floats]:
    """Return the exploitability that evolutions of limit hold'em agents reach, for several choices of the procedure.

    A *choice* says how genes become non-negative, what the fitness is, and which evolution strategy is used. Exact best
    responses judge the agents.

    Returns
    -------
    dict of (str, str, str) to ndarray, shape (seeds,)
        The exact exploitability of each run in small bets, by the three parts of the choice in this order.
    """
    table = load_recorded_table("choices")
    choices = table.provenance["settings"]["choices"]
    exploitability = table["nash_conv"].reshape(len(choices), -1)  # a row for each choice

    exploitability_by_choice = {}
    for choice, exploitability_of_runs in zip(choices, exploitability, strict=True):
        config = holdem.Config(**choice, seed=1)
        key = config.positive, config.fitness, config.evolution
        exploitability_by_choice[key] = exploitability_of_runs
    return exploitability_by_choice


def tabulate_exploitability_by_choice() -> Table:
    """Return a table of the exploitability that evolutions of limit hold'em agents reach, by choice of the procedure.

    A *choice* says how genes become non-negative, what the fitness is, and which evolution strategy is used. Exact best
    responses judge the agents.

    Returns
    -------
    heads : sequence of str
        The three parts of the choice, and the mean exploitability over seeds in small bets, with its standard error.
    rows : list
        A row for each choice.
    """
    rows: list[Sequence[object]] = []
    for choice, exploitability in load_exploitability_by_choice().items():
        standard_error = exploitability.std(ddof=1) / exploitability.size**0.5
        rows.append([*choice, f"{exploitability.mean():.2f} ± {standard_error:.2f}"])
    return ["genes become", "fitness", "evolution", "exact exploitability (small bets)"], rows


def tabulate_exploitability_by_game() -> Table:
    """Return a table of the exploitability of several strategies in variants of limit hold'em with buckets of hands.

    The variants have exact or sampled win probabilities, and different caps of bets on a street.

    Returns
    -------
    heads : sequence of str
        The variant; its number of public nodes; the exploitability of always calling, of an evolved agent, of the best
        strategy in the form of the paper's agents (`TupleTable`), and of CFR+; and the value of the game for the
        button. Amounts are small bets.
    rows : list
        A row for each variant.
    """
    table = load_recorded_table("games")
    variants = table.provenance["settings"]["games"]
    amount_columns = ("always_call", "evolved", "floor", "nash_conv", "value")

    rows: list[Sequence[object]] = []
    for row, (deals, raise_cap) in enumerate(variants):
        num_nodes = table["nodes"][row]
        amounts = [f"{table[column][row]:.3f}" for column in amount_columns]
        rows.append([f"{deals}, {raise_cap} bets a street", f"{num_nodes:,.0f}", *amounts])
    heads = [
        "win probabilities and cap",
        "public nodes",
        "always call",
        "evolved, 3,200 exact evaluations, one seed",
        "best table, by descent",
        "CFR+",
        "value of the button",
    ]
    return heads, rows


def tabulate_exploitability_by_num_buckets() -> Table:
    """Return a table of how small exploitability can be in limit hold'em, by the number of buckets on each street.

    A *bucket* is a set of hands of similar strength, which a strategy does not distinguish.

    Returns
    -------
    heads : sequence of str
        The number of buckets; the smallest exploitability of a strategy in the form of the paper's agents
        (`TupleTable`); that of CFR+; and the value of the game for the button. Amounts are small bets.
    rows : list
        A row for each number of buckets.
    """
    table = load_recorded_table("buckets")
    rows: list[Sequence[object]] = []
    for num_buckets, smallest, by_cfr_plus, button_value in zip(
        table["buckets"], table["floor"], table["nash_conv"], table["value"], strict=True
    ):
        rows.append(
            [
                f"{num_buckets:.0f}",
                f"{smallest:.3f}",
                f"{by_cfr_plus:.4f}",
                f"{button_value:+.3f}",
            ]
        )
    return ["buckets", "best table, by descent", "CFR+", "value of the button"], rows


def tabulate_losses_to_informed_opponents() -> Table:
    """Return a table of what limit hold'em agents lose to best responses that see more than the agents' buckets.

    A *bucket* is a set of hands of similar strength, which an agent does not distinguish.

    Returns
    -------
    heads : sequence of str
        The agent, and what it loses in small bets to opponents who know: independent buckets; the joint histories of
        both players' buckets; the same on boards that were not counted; and real cards, on a sample of flops and on all
        flops, with the standard error.
    rows : list
        A row for each agent. Cells are '' where nothing was measured.
    """
    histories = History.load(RUNS / "samothrakis-2011-histories.npz")
    losses_in_buckets = zip(
        histories["independent"], histories["joint"], histories["held_out"], strict=True
    )
    losses_to_real_cards = format_losses_to_real_cards()

    rows: list[Sequence[object]] = []
    for agent, losses in zip(holdem.AGENTS, losses_in_buckets, strict=True):
        measured = losses_to_real_cards.get(agent, [])
        on_sample = measured[0] if measured else ""
        on_all_flops = measured[1] if len(measured) > 1 else ""
        rows.append([agent, *(f"{loss:.3f}" for loss in losses), on_sample, on_all_flops])
    heads = [
        "agent",
        "independent buckets",
        "joint histories",
        "on other boards",
        "real cards, 100 flops",
        "real cards, all flops",
    ]
    return heads, rows


def format_losses_to_real_cards() -> dict[str, list[str]]:
    """Return what limit hold'em agents lose to best responses that see real cards, as text with standard errors.

    Returns
    -------
    dict of str to list of str
        The losses in small bets by the name of the agent: first on a sample of flops, and then on all flops if these
        were measured.
    """
    table = load_recorded_table("real-cards")
    agent_names = table.provenance["settings"]["agents"]
    losses: dict[str, list[str]] = {}
    for agent_index, loss, error in zip(table["agent"], table["won"], table["error"], strict=True):
        agent = agent_names[int(agent_index)]
        losses.setdefault(agent, []).append(f"{loss:.3f} ± {error:.3f}")
    return losses


def compute_sorted_bucket_probabilities() -> Mapping[str, Floats]:
    """Return the probabilities of the six buckets before the flop, from the largest to the smallest, by source.

    A *bucket* is a set of hands of similar strength.

    Returns
    -------
    mapping of str to ndarray, shape (6,)
        The probabilities that were read off Figure 1 of Samothrakis & Lucas (2011) ('Figure 1'), and those of our
        buckets by exact and by sampled win probabilities ('ours, exact', 'ours, sampled').
    """
    points = read_figure_points("samothrakis-2011-figure-1")
    probabilities = {"Figure 1": points["chance"][points["street"] == "preflop"]}
    for deals in ("exact", "sampled"):
        game = holdem.make_game(NUM_BUCKETS, deals=deals)
        probabilities[f"ours, {deals}"] = game.buckets.start

    largest_first = {}
    for source, values in probabilities.items():
        largest_first[source] = np.sort(values)[::-1]
    return largest_first


def count_player_nodes(raise_cap: int) -> int:
    """Return the number of nodes in one player's tree of limit hold'em with six buckets of hands on each street.

    A node is a point in the public betting, together with the history of the player's own buckets. Deals of the board
    are not counted as nodes.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street.
    """
    tree = holdem.make_game(NUM_BUCKETS, raise_cap=raise_cap).tree
    # For each public node: on street s the player has seen s + 1 of its buckets.
    num_bucket_histories = NUM_BUCKETS ** (tree.street + 1)
    return int(num_bucket_histories[tree.kind != DEAL].sum())
