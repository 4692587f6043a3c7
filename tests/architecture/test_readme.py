"""The numbers on the README's first screen are those that the library and the benchmark give."""

import csv
import re
from pathlib import Path

import pokerlab as pl

MOST_BYTES = 1_500_000


def bullet(root: Path, name: str) -> str:
    """Return what the README says behind a bold word."""
    return (
        (root / "README.md").read_text(encoding="utf-8").split(f"- **{name}**: ")[1].split("\n")[0]
    )


def test_speeds_are_below_those_of_the_benchmark(root: Path) -> None:
    said = [
        float(number) for number in re.findall(r"more than ([\d,]+) times", bullet(root, "Fast"))
    ]
    with (root / "figures" / "benchmark.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["pokerlab_times_faster"]]
    measured = [
        min(
            float(row["pokerlab_times_faster"])
            for row in rows
            if row["contestant"] == peer and row["task"] in tasks and game in row["game"]
        )
        for peer, tasks, game in (
            ("LiteEFG", ("cfr", "cfr_plus"), ""),
            ("OpenSpiel", ("cfr", "cfr_plus"), ""),
            ("OpenSpiel", ("hands",), "six seats"),
        )
    ]
    assert len(said) == 3
    assert [(low, high) for low, high in zip(said, measured, strict=True) if low >= high] == []


def test_benchmark_is_of_this_version_or_the_last_release_on_an_idle_machine(root: Path) -> None:
    """A release is measured anew; between releases the page has numbers of the last one or of what comes next."""
    page = (root / "figures" / "benchmark.md").read_text(encoding="utf-8")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(r"^## (\d+\.\d+\.\d+), ", changes, re.MULTILINE)
    assert released is not None
    versions = {pl.__version__, *([released[1]] if ".dev" in pl.__version__ else [])}
    assert "not to be quoted" not in page
    assert any(f"pokerlab {version}, " in page for version in versions)


def test_exact_values_are_the_librarys(root: Path) -> None:
    said = bullet(root, "Exact")
    value = pl.solvers.SequenceFormLP(pl.games.kuhn()).solve().value
    aces = pl.holdem.win_probability("Ac Ad", "")
    assert f"costs 1/{round(-1 / value, 9):g} of a chip" in said
    assert f"{aces:.7%}" in said


def test_the_moving_picture_is_small(root: Path) -> None:
    assert (root / "figures" / "table_and_bench.gif").stat().st_size < MOST_BYTES
