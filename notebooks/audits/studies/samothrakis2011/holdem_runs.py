"""Recorded evolutions of limit hold'em agents: what their searches report, what agents lose, and tables about both.

The agent of Samothrakis & Lucas (2011, section 4.2) is lost. Sections 3.1 and 4.2 and Figures 1, 4 and 6 leave parts of
the procedure open. Evolutions by several interpretations are recorded in `RECORDED`. In each of them a tree search
judges the agents, and exact best responses show what the search overlooks. The *champion* is the best agent so far, by
the search. All amounts are small bets; exploitability is the sum over both seats.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats
from pokerlab.holdem.betting_tree import DEAL
from pokerlab.papers import samothrakis2011_holdem as holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.samothrakis2011_holdem import RECORDED, read_evolution
from pokerlab.runs import History
from studies.audit import Table, read_curves
from studies.samothrakis2011.tables import load_table

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
"""The generations that `tabulate_drawn_runs` shows beside Figure 6."""
NUM_BUCKETS = 6


def read_runs(interpretation: str) -> list[History]:
    """Return the recorded runs of one of the interpretations in `RUN_PREFIXES`."""
    prefix = f"{RUN_PREFIXES[interpretation]}-"
    return [read_evolution(name) for name in RECORDED if name.startswith(prefix)]


def read_searched_runs() -> dict[str, History]:
    """Return by name the recorded runs with the betting of a card room that a search judges."""
    others = ("exact", "drawn")
    return {name: read_evolution(name) for name in RECORDED if not name.startswith(others)}


def interpolate_column(run: History, column: str, evaluations: float) -> float:
    """Return the value of a column of a run at a number of evaluations, by linear interpolation between records."""
    return float(np.interp(evaluations, run["evaluations"], run[column]))


def select_generation(runs: Sequence[History], column: str, generation: int) -> Floats:
    """Return the value of a column in one generation of each run, shape (runs,); the generation must be recorded."""
    return np.array([run[column][run["iteration"] == generation][0] for run in runs])


def falls_in_both_halves(run: History, evaluations: float) -> bool:
    """Return whether the champion's exact exploitability falls in each half of the first evaluations of a run.

    Parameters
    ----------
    run : History
        The run.
    evaluations : float
        The number of first evaluations that are divided into halves.
    """
    start, middle, end = (
        interpolate_column(run, "nash_conv", share * evaluations) for share in (0.0, 0.5, 1.0)
    )
    return start > middle > end


def find_progress() -> dict[str, Bools]:
    """Return whether each run comes nearer to equilibrium in both halves of its evaluations, by interpretation.

    The evaluations are the paper's budget, the default interpretation first. The last entry has all evaluations of
    Figure 6, for runs as the figures show them. Each array has the shape (runs,).
    """
    progress = {
        f"{interpretation}, {BUDGET:,} evaluations": np.array(
            [falls_in_both_halves(run, BUDGET) for run in read_runs(interpretation)]
        )
        for interpretation in RUN_PREFIXES
    }
    progress[f"{AS_DRAWN}, all evaluations of Figure 6"] = np.array(
        [falls_in_both_halves(run, run["evaluations"][-1]) for run in read_runs(AS_DRAWN)]
    )
    return progress


def read_best_of_figure_6() -> NDArray[np.void]:
    """Return the points that were read off the left of Figure 6, the best of a generation.

    The fields are 'evaluations' and 'value'; the figure has no unit.
    """
    points = read_curves("samothrakis-2011-figure-6")
    best: NDArray[np.void] = points[points["what"] == "best of the generation"]
    return best


def tabulate_drawn_runs(generations: Sequence[int] = TABULATED_GENERATIONS) -> Table:
    """Return what the search of runs as drawn reports, and what their champions lose, beside Figure 6.

    There is a row for each of the recorded generations. Figure 6 has no unit, so its points are divided by its lowest.
    """
    printed, runs = read_best_of_figure_6(), read_runs(AS_DRAWN)
    rows: list[Sequence[object]] = []
    for generation in generations:
        evaluations = POPULATION * generation
        printed_values = printed["value"][printed["evaluations"] == evaluations]
        multiples = printed_values / printed["value"].min()
        rows.append(
            [
                f"{evaluations:,}",
                f"{multiples[0]:.2f}" if multiples.size else "",
                format_by_seed(select_generation(runs, "generation_value", generation)),
                format_by_seed(select_generation(runs, "nash_conv", generation)),
            ]
        )
    heads = [
        "evaluations",
        "Figure 6, times its lowest",
        "a generation's best as the search reports it, by seed (small bets)",
        "exact exploitability of the champion so far",
    ]
    return heads, rows


def format_by_seed(values: Floats) -> str:
    """Return one value for each seed as text, with two digits after the point."""
    return ", ".join(f"{value:.2f}" for value in values)


def tabulate_runs() -> Table:
    """Return what the search reports for the best of generation 200, and what champions lose, by interpretation."""
    rows: list[Sequence[object]] = []
    for interpretation in RUN_PREFIXES:
        runs = read_runs(interpretation)
        reported = [interpolate_column(run, "generation_value", BUDGET) for run in runs]
        lost = [interpolate_column(run, "nash_conv", BUDGET) for run in runs]
        rows.append(
            [
                interpretation,
                len(runs),
                f"{min(reported):.2f} to {max(reported):.2f}",
                f"{min(lost):.2f} to {max(lost):.2f}",
            ]
        )
    return ["interpretation", "runs", "the search reports (small bets)", "exact"], rows


def tabulate_repeated_searches() -> Table:
    """Return what searches with other random numbers win from two champions, beside the report of their evolution."""
    table = load_table("judges")
    champions = table.provenance["settings"]["champions"]
    rows: list[Sequence[object]] = []
    for index, playouts, merged, found, error, reported, exact in zip(
        *table.columns.values(), strict=True
    ):
        rows.append(
            [
                champions[int(index)],
                f"{playouts:,.0f} playouts, equal states {'once' if merged else 'apart'}",
                f"{reported:.2f}",
                f"{found:.3f} ± {error:.3f}",
                f"{exact:.2f}",
            ]
        )
    heads = ["champion", "search", "reported in its evolution (small bets)", "found again", "exact"]
    return heads, rows


def split_overlooked_losses() -> dict[str, tuple[float, float]]:
    """Return what the search overlooked of two champions' losses, and the part of it that was luck, by champion.

    The first number is the exact exploitability minus what the search of the evolution reported. The second is what the
    same search finds with other random numbers, minus what was reported: the champion was selected for a low report.
    """
    table = load_table("judges")
    champions = table.provenance["settings"]["champions"]
    losses = {}
    for index, playouts, merged, found, _, reported, exact in zip(
        *table.columns.values(), strict=True
    ):
        champion = champions[int(index)]
        is_same_search = merged and playouts == RECORDED[champion].playouts
        if is_same_search:
            losses[champion] = float(exact - reported), float(found - reported)
    return losses


def read_choices() -> dict[tuple[str, str, str], Floats]:
    """Return the exploitability that evolutions with an exact judge reach, shape (seeds,).

    The keys are the choices: how genes become non-negative, the fitness, and the evolution strategy.
    """
    table = load_table("choices")
    choices = table.provenance["settings"]["choices"]
    exploitability = table["nash_conv"].reshape(len(choices), -1)
    by_choice = {}
    for choice, row in zip(choices, exploitability, strict=True):
        config = holdem.Config(**choice, seed=1)
        by_choice[config.positive, config.fitness, config.evolution] = row
    return by_choice


def tabulate_choices() -> Table:
    """Return the means of `read_choices` over seeds, with their standard errors."""
    rows: list[Sequence[object]] = []
    for choice, exploitability in read_choices().items():
        error = exploitability.std(ddof=1) / exploitability.size**0.5
        rows.append([*choice, f"{exploitability.mean():.2f} ± {error:.2f}"])
    return ["genes become", "fitness", "evolution", "exact exploitability (small bets)"], rows


def tabulate_games() -> Table:
    """Return what can be reached in games with other win probabilities or another cap of bets on a street.

    See `tables.measure_by_game`.
    """
    table = load_table("games")
    games = table.provenance["settings"]["games"]
    rows: list[Sequence[object]] = []
    for (deals, cap), _, nodes, *values in zip(games, *table.columns.values(), strict=True):
        cells = [f"{value:.3f}" for value in values]
        rows.append([f"{deals}, {cap} bets a street", f"{nodes:,.0f}", *cells])
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


def tabulate_buckets() -> Table:
    """Return what can be reached in games with other numbers of buckets (see `tables.measure_by_buckets`)."""
    table = load_table("buckets")
    rows: list[Sequence[object]] = []
    for count, smallest, solved, value in zip(*table.columns.values(), strict=True):
        rows.append([f"{count:.0f}", f"{smallest:.3f}", f"{solved:.4f}", f"{value:+.3f}"])
    return ["buckets", "best table, by descent", "CFR+", "value of the button"], rows


def tabulate_losses_to_informed_opponents() -> Table:
    """Return what agents lose to best responses that know more than the buckets of the bucketed game.

    There is a row for each agent. The columns are losses to opponents who know independent buckets, joint histories of
    both players' buckets, the same on boards that were not counted, and real cards on a sample of flops or on all.
    """
    histories = History.load(RUNS / "samothrakis-2011-histories.npz")
    in_buckets = [histories[name] for name in ("independent", "joint", "held_out")]

    # An agent has a row by a sample of flops, and may have a second one by all flops.
    real = load_table("real-cards")
    agents = real.provenance["settings"]["agents"]
    with_real_cards: dict[str, list[str]] = {}
    for index, won, error in zip(real["agent"], real["won"], real["error"], strict=True):
        losses = with_real_cards.setdefault(agents[int(index)], [])
        losses.append(f"{won:.3f} ± {error:.3f}")

    rows: list[Sequence[object]] = []
    for agent, *losses_in_buckets in zip(holdem.AGENTS, *in_buckets, strict=True):
        losses = with_real_cards.get(agent, [])
        by_sample = losses[0] if losses else ""
        by_all_flops = losses[1] if len(losses) > 1 else ""
        cells = [f"{loss:.3f}" for loss in losses_in_buckets]
        rows.append([agent, *cells, by_sample, by_all_flops])
    heads = [
        "agent",
        "independent buckets",
        "joint histories",
        "on other boards",
        "real cards, 100 flops",
        "real cards, all flops",
    ]
    return heads, rows


def sort_bucket_probabilities() -> Mapping[str, Floats]:
    """Return the probabilities of the six buckets before the flop, the largest first.

    They are those that were read off Figure 1, and ours by exact and by sampled win probabilities.
    """
    points = read_curves("samothrakis-2011-figure-1")
    probabilities = {"Figure 1": points["chance"][points["street"] == "preflop"]}
    for deals in ("exact", "sampled"):
        game = holdem.make_game(NUM_BUCKETS, deals=deals)
        probabilities[f"ours, {deals}"] = game.buckets.start
    return {name: np.sort(values)[::-1] for name, values in probabilities.items()}


def count_player_nodes(raise_cap: int) -> int:
    """Return the number of nodes of one player's tree: the betting, and the player's own buckets, six on each street.

    Deals of the board are not counted as nodes.

    Parameters
    ----------
    raise_cap : int
        The largest number of bets on a street.
    """
    tree = holdem.make_game(NUM_BUCKETS, raise_cap=raise_cap).tree
    bucket_histories = NUM_BUCKETS ** (tree.street + 1)  # by public node
    return int(bucket_histories[tree.kind != DEAL].sum())
