"""Samothrakis & Lucas (2011), section 4.2: what recorded evolutions report and lose, and tables about them.

The paper's agent is lost. Section 4.2, section 3.1 and Figures 1, 4 and 6 leave several procedures open, and runs of
each are recorded in `RECORDED`. A search judges agents in all of them, and exact best responses say what it overlooks.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats
from pokerlab.papers import samothrakis2011_holdem as holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.samothrakis2011_holdem import RECORDED, read_evolution
from pokerlab.runs import History
from studies.audit import Table, read_curves
from studies.samothrakis2011.tables import load_table

TEXT, DRAWN = "CSA-ES", "CMA-ES as drawn"
GROUPS = {
    TEXT: "csa-1000",
    "diagonal CMA-ES": "sampled-1000",
    "diagonal CMA-ES, exact buckets": "playouts-1000",
    "diagonal CMA-ES, equal states apart": "unmerged-1000",
    DRAWN: "drawn",
}
"""By interpretation the beginning of the names of its runs, in which 1,000 playouts judge; the strategy of section 3.1
first. `DRAWN` has betting, genes and evaluations as Figures 1, 4 and 6 show them."""
BUDGET = 200 * 16
"""Evaluations in 200 generations of 16."""


def read_group(name: str) -> list[History]:
    """Return the runs of an interpretation."""
    return [read_evolution(run) for run in RECORDED if run.startswith(f"{GROUPS[name]}-")]


def read_searched_runs() -> dict[str, History]:
    """Return the runs at the table that a search has judged, with 100 and with 1,000 playouts."""
    return {n: read_evolution(n) for n in RECORDED if not n.startswith(("exact", "drawn"))}


def find_at(run: History, column: str, evaluations: float) -> float:
    """Return a column of a run at a number of evaluations, between records by straight lines."""
    return float(np.interp(evaluations, run["evaluations"], run[column]))


def find_generation(runs: Sequence[History], column: str, generation: int) -> Floats:
    """Return a column of each run in a generation that is recorded."""
    return np.array([run[column][run["iteration"] == generation][0] for run in runs])


def falls_in_both_halves(run: History, evaluations: float) -> bool:
    """Return whether the champion's exact exploitability falls in each half of so many evaluations."""
    start, half, end = (find_at(run, "nash_conv", share * evaluations) for share in (0.0, 0.5, 1.0))
    return start > half > end


def weigh_progress() -> dict[str, NDArray[np.bool_]]:
    """Return by interpretation which of its runs come nearer to equilibrium in both halves of their evaluations."""
    found = {
        f"{name}, {BUDGET:,} evaluations": [
            falls_in_both_halves(run, BUDGET) for run in read_group(name)
        ]
        for name in GROUPS
    }
    whole = [falls_in_both_halves(run, run["evaluations"][-1]) for run in read_group(DRAWN)]
    found[f"{DRAWN}, all evaluations of Figure 6"] = whole
    return {name: np.array(falls) for name, falls in found.items()}


def read_best_of_figure_6() -> NDArray[np.void]:
    """Return what was read from the left of Figure 6: the best of a generation."""
    figure = read_curves("samothrakis-2011-figure-6")
    best: NDArray[np.void] = figure[figure["what"] == "best of the generation"]
    return best


def tabulate_drawn(generations: Sequence[int] = (45, 90, 180, 200, 360, 540, 810)) -> Table:
    """Return what runs as drawn report and lose, beside Figure 6."""
    printed, runs = read_best_of_figure_6(), read_group(DRAWN)
    rows: list[Sequence[object]] = []
    for generation in generations:
        there = printed["value"][printed["evaluations"] == 16 * generation]
        there = there / printed["value"].min()
        ours = [
            ", ".join(f"{x:.2f}" for x in find_generation(runs, column, generation))
            for column in ("generation_value", "nash_conv")
        ]
        rows.append([f"{16 * generation:,}", f"{there[0]:.2f}" if there.size else "", *ours])
    heads = [
        "evaluations",
        "Figure 6, times its lowest",
        "a generation's best as the search reports it, by seed (small bets)",
        "exact exploitability of the champion so far",
    ]
    return heads, rows


def tabulate_groups() -> Table:
    """Return by interpretation what its runs report for the best of generation 200, and what champions lose."""
    rows: list[Sequence[object]] = []
    for name in GROUPS:
        runs = read_group(name)
        reported, lost = (
            np.array([find_at(run, column, BUDGET) for run in runs])
            for column in ("generation_value", "nash_conv")
        )
        spans = (f"{x.min():.2f} to {x.max():.2f}" for x in (reported, lost))
        rows.append([name, len(runs), *spans])
    return ["interpretation", "runs", "the search reports (small bets)", "exact"], rows


def tabulate_judged_again() -> Table:
    """Return what searches with other random numbers find of two champions."""
    again = load_table("judges")
    bred = again.provenance["settings"]["champions"]
    rows: list[Sequence[object]] = []
    for one, playouts, merged, found, error, believed, true in zip(
        *again.columns.values(), strict=True
    ):
        search = f"{playouts:,.0f} playouts, equal states {'once' if merged else 'apart'}"
        numbers = [f"{believed:.2f}", f"{found:.3f} ± {error:.3f}", f"{true:.2f}"]
        rows.append([bred[int(one)], search, *numbers])
    heads = ["champion", "search", "reported in its evolution (small bets)", "found again", "exact"]
    return heads, rows


def split_hidden_losses() -> dict[str, tuple[float, float]]:
    """Return of two champions what the search of their evolution overlooked, and how much of that was luck."""
    again = load_table("judges")
    bred, hidden = again.provenance["settings"]["champions"], {}
    for one, playouts, merged, found, _, believed, true in zip(
        *again.columns.values(), strict=True
    ):
        if merged and playouts == RECORDED[bred[int(one)]].playouts:
            hidden[bred[int(one)]] = float(true - believed), float(found - believed)
    return hidden


def read_choices() -> dict[tuple[str, str, str], Floats]:
    """Return what evolutions with an exact judge reach, by sign of genes, fitness and strategy, one number a seed."""
    table = load_table("choices")
    tried = [holdem.Config(**each, seed=1) for each in table.provenance["settings"]["choices"]]
    ends = table["nash_conv"].reshape(len(tried), -1)
    return {
        (one.positive, one.fitness, one.evolution): row
        for one, row in zip(tried, ends, strict=True)
    }


def tabulate_choices() -> Table:
    """Return the means of `read_choices`, with standard errors."""
    rows: list[Sequence[object]] = [
        [*names, f"{ends.mean():.2f} ± {ends.std(ddof=1) / ends.size**0.5:.2f}"]
        for names, ends in read_choices().items()
    ]
    return ["genes become", "fitness", "evolution", "exact exploitability (small bets)"], rows


def tabulate_games() -> Table:
    """Return what other win probabilities and caps of bets make of the game."""
    games = load_table("games")
    rows: list[Sequence[object]] = [
        [f"{deals}, {cap} bets a street", f"{nodes:,.0f}", *(f"{x:.3f}" for x in rest)]
        for (deals, cap), _, nodes, *rest in zip(
            games.provenance["settings"]["games"], *games.columns.values(), strict=True
        )
    ]
    heads = ["win probabilities and cap", "public nodes", "always call"]
    heads += ["evolved, 3,200 exact evaluations, one seed", "best table, by descent", "CFR+"]
    return [*heads, "value of the button"], rows


def tabulate_buckets() -> Table:
    """Return what other numbers of buckets make of the game."""
    counts = load_table("buckets")
    rows: list[Sequence[object]] = [
        [f"{n:.0f}", f"{floor:.3f}", f"{gap:.4f}", f"{value:+.3f}"]
        for n, floor, gap, value in zip(*counts.columns.values(), strict=True)
    ]
    return ["buckets", "best table, by descent", "CFR+", "value of the button"], rows


def tabulate_real_losses() -> Table:
    """Return what agents lose to best responses that know more than the buckets of the bucketed game."""
    joint, real = (
        History.load(RUNS / "samothrakis-2011-histories.npz"),
        load_table("real-cards"),
    )
    asked = real.provenance["settings"]["agents"]
    lost = [
        f"{won:.3f} ± {error:.3f}" for won, error in zip(real["won"], real["error"], strict=True)
    ]
    columns = [joint[name] for name in ("independent", "joint", "held_out")]
    rows: list[Sequence[object]] = []
    for name, *numbers in zip(holdem.AGENTS, *columns, strict=True):
        met = [x for of, x in zip(real["agent"], lost, strict=True) if asked[int(of)] == name]
        rows.append([name, *(f"{each:.3f}" for each in numbers), *[*met, "", ""][:2]])
    heads = ["agent", "independent buckets", "joint histories", "on other boards"]
    return [*heads, "real cards, 100 flops", "real cards, all flops"], rows


def sort_bucket_chances() -> Mapping[str, Floats]:
    """Return the chances of six buckets before the flop, the largest first: of Figure 1, and of ours."""
    sizes = read_curves("samothrakis-2011-figure-1")
    deals = {"Figure 1": sizes["chance"][sizes["street"] == "preflop"]}
    for way in ("exact", "sampled"):
        deals[f"ours, {way}"] = holdem.make_game(6, deals=way).buckets.start
    return {name: np.sort(chances)[::-1] for name, chances in deals.items()}


def count_nodes(raise_cap: int) -> int:
    """Return the nodes of the tree over a player's own buckets and all betting, with six buckets on a street."""
    tree = holdem.make_game(6, raise_cap=raise_cap).tree
    own = 6 ** (tree.street + 1)
    return int(own[tree.kind == 0].sum() + own[tree.kind >= 2].sum())
