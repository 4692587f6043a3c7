"""Oliehoek et al. (2006): the table of printed numbers beside ours."""

import pytest

from pokerlab.papers.experiment import published_numbers
from pokerlab.papers.oliehoek2006.compared import Compared, compare_all

NEAR = 0.01  # chips; the worst case jumps by as much from one round to the next
SUPPORT = 6  # strategies; supports differ by as much between starts


@pytest.fixture(scope="module")
def compared() -> dict[str, Compared]:
    return {each.row.key: each for each in compare_all()}


def test_every_printed_number_is_compared(compared: dict[str, Compared]) -> None:
    assert list(compared) == [row.key for row in published_numbers("oliehoek-2006")]


def test_what_the_paper_counts_is_counted_so(compared: dict[str, Compared]) -> None:
    ours = {key: each.ours for key, each in compared.items()}
    assert ours["8-card-nash-level"] == (12,)
    assert ours["8-card-pool"] == (11, 12)
    assert ours["6-card-pool"] == (150, 150)
    assert ours["6-card-sequences"] == (2161, 2161)
    assert ours["6-card-histories"] == (18_277,)


def test_what_it_measures_is_near(compared: dict[str, Compared]) -> None:
    assert compared["6-card-worst-case"].ours == pytest.approx((-0.027,), abs=NEAR)
    assert compared["8-card-support"].ours == (6, 5)
    for player in (1, 2):
        assert compared[f"6-card-support-{player}"].ours == pytest.approx((29,), abs=SUPPORT)
