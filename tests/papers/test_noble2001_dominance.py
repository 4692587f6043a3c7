"""Noble & Watson (2001): dominance counted anew, and what a second time upholds."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.core import SettingError, stream
from pokerlab.papers.noble2001 import Config, dominance, encoding
from pokerlab.papers.noble2001.dominance import judged, judged_twice
from pokerlab.papers.noble2001.experiment import solver

CONFIG = Config(size=20, hands=10, games=8, seed=6)
GENOMES = encoding(CONFIG).random(stream(6, "population", 0), 20)
GAMES = [1, 8, 40]


def dominated_by(matrix: np.ndarray) -> set[tuple[int, int]]:
    """Return the pairs of which the first does better against some and worse against none."""
    people = range(len(matrix))
    return {
        (a, b)
        for a in people
        for b in people
        if (matrix[a] >= matrix[b]).all() and (matrix[a] > matrix[b]).any()
    }


def test_the_first_time_is_the_first_generation_of_a_run() -> None:
    run = solver(CONFIG)
    state = run.step(run.init())
    assert state.population[0].tobytes() == GENOMES.tobytes()
    assert judged(CONFIG, GENOMES, CONFIG.games, 0).matrix.tobytes() == state.matrix.tobytes()


def test_shares_are_those_of_the_pairs_counted_one_by_one() -> None:
    rows = judged_twice(CONFIG, GENOMES, GAMES)
    assert [row["hands"] for row in rows] == [10, 80, 400]
    for count, row in zip(GAMES, rows, strict=True):
        first, second = (
            dominated_by(judged(CONFIG, GENOMES, count, time).matrix) for time in (0, 1)
        )
        free = sum(20 - len({loser for _, loser in pairs}) for pairs in (first, second))
        assert row["undominated"] == pytest.approx(free / 40)
        claimed = len(first) + len(second)
        assert row["pairs"] == pytest.approx(claimed / (2 * 380))
        assert row["upheld"] == pytest.approx(
            2 * len(first & second) / claimed if claimed else np.nan, nan_ok=True
        )
    assert rows[0]["pairs"] > rows[-1]["pairs"]


def test_equal_cards_uphold_everything_and_keep_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    always = judged(CONFIG, GENOMES, 2, 0)
    monkeypatch.setattr(dominance, "judged", lambda *_: always)
    monkeypatch.setattr(dominance, "stream", lambda *_: stream(0, "the same"))
    (row,) = judged_twice(CONFIG, GENOMES, [2])
    assert row["pairs"] > 0
    assert row["upheld"] == row["kept again"] == 1.0


def test_regime_and_other_counts_do_not_matter() -> None:
    rows = judged_twice(CONFIG, GENOMES, GAMES)
    again = judged_twice(replace(CONFIG, regime="roulette"), GENOMES, GAMES[::-1])
    assert repr(again[::-1]) == repr(rows)


def test_bad_input_is_refused() -> None:
    with pytest.raises(SettingError, match="games"):
        judged_twice(CONFIG, GENOMES, [0])
    with pytest.raises(SettingError, match="do not fill a table of 10 seats"):
        judged_twice(CONFIG, GENOMES[:5], [1])
