"""Printed ranks of Nicolai & Hilderman (2009): consistent as far as the text is, and beside ours."""

import numpy as np
import pytest

from pokerlab.metrics import PairedSums
from pokerlab.papers import read_published_numbers
from pokerlab.papers.nicolai2009 import PAPER
from pokerlab.papers.nicolai2009_agents import PANEL
from studies.nicolai2009 import comparison
from studies.nicolai2009.evaluation import Evaluation

PRINTED = {row.key: row for row in read_published_numbers(PAPER)}
TRIALS = 1000
STATIC = {"Random": 5.82, "Raiser": 6.2, "Caller": 6.28, "CallOrRaise": 6.04}
"""Those of the thesis; the paper prints the ends and the mean of the last three."""
BASELINE = {"Folder": 2.38, "OldBest": 4.0, "OldScratch": 4.02, "OldStart": 5.54, **STATIC}
FAR = dict(zip(PANEL, (1.0, 2.0, 3.0, 4.0, 5.5, 6.5, 7.5, 8.5), strict=True))


def evaluation(champion: str, rank: float, others: dict[str, float], seed: int = 1) -> Evaluation:
    """Return an evaluation with these mean ranks, in which numbers spread by about one rank."""
    means = np.array([rank, *(others[name] for name in PANEL)])
    spread = np.random.default_rng(seed).normal(0.0, 1.0, (TRIALS, 9))
    spread -= spread.mean(axis=0)
    numbers = np.rint(18 * (means + spread)).astype(int)
    none = Evaluation.make_empty((champion, *PANEL))
    return Evaluation(**{**vars(none), "ranks": PairedSums.from_trials(numbers, 18)})


def by_key(evaluations: dict[str, Evaluation]) -> dict[str, comparison.ComparedNumber]:
    return {row.printed.key: row for row in comparison.compare_with_printed_numbers(evaluations)}


def better_by(percent: float, rank: float) -> float:
    return rank * (1.0 - percent / 100.0)


@pytest.fixture(scope="module")
def theirs() -> dict[str, Evaluation]:
    """Evaluations as the paper has them: printed ranks, and others from the changes printed."""
    changes = {
        (row.game, row.column.removeprefix("change ")): row.value
        for row in PRINTED.values()
        if row.column.startswith("change")
    }
    ranks = {"Control": 4.73, "LargeHOF": 2.85, "SmallHOF": 3.48}
    found = {}
    for number, name in enumerate(comparison.CHAMPIONS):
        rank = ranks.get(name, better_by(changes.get((name, "champion"), 0.0), 4.73))
        others = {o: better_by(changes.get((name, o), 0.0), r) for o, r in BASELINE.items()}
        found[name] = evaluation(name, rank, others, seed=number)
    return found


def test_every_champion_has_printed_numbers() -> None:
    assert len(PRINTED) > 100
    games = {row.game for row in PRINTED.values() if row.column.split()[0] in comparison.ESTIMATORS}
    assert games - {"any"} == {*comparison.CHAMPIONS}


def test_the_papers_ranks_give_changes_and_places_it_prints(theirs: dict[str, Evaluation]) -> None:
    apart = {}
    for row in comparison.compare_with_printed_numbers(theirs):
        kind = row.printed.column.split(" ")[0]
        tolerance = {"rank": 0.01, "change": 0.15, "place": 0.0}.get(kind)
        if tolerance is not None and not abs(row.ours - row.printed.value) <= tolerance:
            apart[row.printed.key] = row.ours - row.printed.value
    assert apart == {}
    large = by_key(theirs)["fig4-largehof-change"]
    assert large.ours == pytest.approx(39.75, abs=0.02)
    assert large.printed.value == 39.8


def drawn(seed: int) -> np.ndarray:
    """Return ranks of nine agents at a thousand tables that depend on each other, in eighteenths."""
    means = np.array([4.5, *BASELINE.values()])[np.argsort([0, *map(PANEL.index, BASELINE)])]
    luck = np.random.default_rng(seed).normal(0.0, 1.0, (TRIALS, 9)) * np.linspace(0.3, 1.1, 9)
    ranks = means + luck - luck.mean(axis=1, keepdims=True)
    numbers: np.ndarray = np.rint(18 * ranks).astype(int)
    return numbers


def compared(numbers: np.ndarray) -> dict[str, comparison.ComparedNumber]:
    """Return what is compared of two champions that fare alike."""
    sums = {"ranks": PairedSums.from_trials(numbers, 18)}
    names = ("Control", "4Pop-2")
    none = {name: Evaluation.make_empty((name, *PANEL)) for name in names}
    ones = {name: Evaluation(**{**vars(none[name]), **sums}) for name in names}
    return by_key(ones)


def test_errors_of_means_of_agents_are_those_of_the_raw_means() -> None:
    numbers = drawn(1)
    rows = compared(numbers)
    for key, agents in {
        "fig1-olds": ("OldBest", "OldScratch"),
        "fig1-static-mean": comparison.THREE_POOREST,
        "fig1-static-worst": ("Caller",),
        "fig1-best": ("Folder",),
    }.items():
        raw = numbers[:, [1 + PANEL.index(agent) for agent in agents]].mean(axis=1) / 18
        assert rows[key].ours == pytest.approx(raw.mean()), key
        assert rows[key].error == pytest.approx(raw.std(ddof=1) / np.sqrt(TRIALS)), key


@pytest.fixture(scope="module")
def many() -> list[dict[str, comparison.ComparedNumber]]:
    return [compared(drawn(seed)) for seed in range(300)]


@pytest.mark.parametrize(
    "key", ["fig1-olds", "fig1-median", "fig1-sd-most", "sd-share", "fig3-4pop-2-lead-oldbest"]
)
def test_errors_say_how_far_evaluations_differ(
    key: str, many: list[dict[str, comparison.ComparedNumber]]
) -> None:
    found = np.std([rows[key].ours for rows in many], ddof=1)
    assert np.mean([rows[key].error for rows in many]) == pytest.approx(found, rel=0.15)


def test_champions_not_evaluated_leave_gaps(theirs: dict[str, Evaluation]) -> None:
    found = by_key({"SmallHOF": theirs["SmallHOF"]})
    assert found["fig4-smallhof-rank"].ours == pytest.approx(3.48, abs=0.01)
    for key in ("fig1-control", "fig4-smallhof-change", "fig6-2pop-1"):
        assert np.isnan(found[key].ours)
    assert np.isnan([row.ours for row in comparison.compare_with_printed_numbers({})]).all()


def test_any_two_agents_are_compared_with_holms_correction(theirs: dict[str, Evaluation]) -> None:
    row = by_key(theirs)["confidence"]
    p = sorted(np.concatenate([one.compute_t_tests().p for one in theirs.values()]))
    assert len(p) == 36 * 11
    assert row.ours == min(1.0, max((len(p) - k) * value for k, value in enumerate(p)))
    far = {name: evaluation(name, 4.73, FAR) for name in comparison.CHAMPIONS}
    clear = by_key(far)["confidence"]
    assert clear.ours < clear.printed.value
    assert np.isnan(by_key({"Control": far["Control"]})["confidence"].ours)  # it is said of all


def test_the_thesis_has_nine_ranks_beside_each_champion_and_the_papers_own(
    theirs: dict[str, Evaluation],
) -> None:
    for name in comparison.CHAMPIONS:
        ranks = comparison.load_thesis_mean_ranks(name)
        assert ranks.keys() == {*PANEL, "champion"}
        assert sum(ranks.values()) == pytest.approx(45.0, abs=0.05)
        assert ranks["champion"] == pytest.approx(theirs[name].mean_rank[name], abs=0.013)


def test_agents_rank_alike_if_each_does_beside_each(theirs: dict[str, Evaluation]) -> None:
    """Beside both halls Folder is 13.3 and 10.1% worse than beside Control, and Raiser as there."""
    halls = ["LargeHOF", "SmallHOF"]
    assert comparison.are_agent_ranks_similar(theirs, halls, ["Raiser"], "Control", 1.0)
    assert not comparison.are_agent_ranks_similar(
        theirs, halls, ["Raiser", "Folder"], "Control", 12.0
    )
    assert comparison.are_agent_ranks_similar(theirs, halls, ["Raiser", "Folder"], "Control", 14.0)
    assert comparison.are_agent_ranks_similar(theirs, ["SmallHOF"], ["Folder"], "LargeHOF", 4.0)


def test_numbers_of_groups_are_taken_over_the_nine(theirs: dict[str, Evaluation]) -> None:
    ours = {key: row.ours for key, row in by_key(theirs).items()}
    for name, value in {
        "static-mean": 6.17,
        "static-best": 6.04,
        "static-worst": 6.28,
        "median": 5.54,
        "best": 2.38,
        "olds": 4.01,
    }.items():
        assert ours[f"fig1-{name}"] == pytest.approx(value, abs=0.01), name
    deviations = theirs["Control"].ranks.standard_deviation
    assert ours["fig1-sd-most"] == pytest.approx(max(deviations))
    assert ours["sd-share"] == pytest.approx(100 * np.median(deviations) / (45.35 / 9), rel=0.01)
    ranks = theirs["4Pop-2"].mean_rank
    lead = 100 * (1 - ranks["4Pop-2"] / ranks["OldBest"])
    assert ours["fig3-4pop-2-lead-oldbest"] == pytest.approx(lead)


def test_the_error_of_a_change_is_that_of_many_evaluations() -> None:
    rows = []
    for seed in range(200):
        luck = np.random.default_rng(seed).normal(0.0, 0.1, 2)
        baseline = evaluation("Control", 4.73 + luck[0], BASELINE, seed)
        small = evaluation("SmallHOF", 3.48 + luck[1], BASELINE, seed + 1)
        rows.append(by_key({"Control": baseline, "SmallHOF": small})["fig4-smallhof-change"])
    # The means of these evaluations spread by 0.1, and each says that its error is about 0.03.
    scale = 0.1 / small.ranks.standard_error[0]
    mean_error = np.mean([row.error for row in rows])
    assert np.std([row.ours for row in rows]) == pytest.approx(mean_error * scale, rel=0.15)
