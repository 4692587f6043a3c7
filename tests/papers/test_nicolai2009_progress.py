"""Champions of generations against a panel and each other: known winners, symmetry, forgetting."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import PokerlabError, ShapeError
from pokerlab.holdem import CompiledPlayer, MatrixEncoding, make_doubling_schedule, no_limit
from pokerlab.holdem.matrix_genome import NUM_WEIGHTS
from pokerlab.papers import nicolai2009, nicolai2009_agents
from studies.nicolai2009.evaluation import evaluate_champion, evaluate_genomes
from tests.at_tables import tournaments

TABLES = nicolai2009.DuplicateTables(duplicates=40, seed=1, **nicolai2009.EARLIER_TABLES)
FOLDS_ALWAYS = MatrixEncoding(free_folds=True)
HEAD = FOLDS_ALWAYS.make_head_start()


def always(fold: float, call: float, raising: float) -> np.ndarray:
    return np.tile(np.float32([fold, call, raising]), NUM_WEIGHTS // 3)


GENOMES = np.stack([always(1, 0, 0), always(0, 1, 0), HEAD, HEAD, always(0, 0, 1)])


@pytest.fixture(scope="module")
def others() -> Mapping[str, CompiledPlayer]:
    encoding = MatrixEncoding(start="scratch")
    players = encoding.make_players(
        encoding.draw_genomes(np.random.default_rng(1), 3), ["a", "b", "c"]
    )
    return nicolai2009_agents.make_static_agents() | {player.name: player for player in players}


@pytest.fixture(scope="module")
def full() -> nicolai2009.Encounters:
    return nicolai2009.compare_champions(FOLDS_ALWAYS, GENOMES, tables=TABLES, progress=False)


def test_encounters_are_antisymmetric_and_twins_draw(full: nicolai2009.Encounters) -> None:
    for one, most in zip(full, (5.0, 1.0), strict=True):
        assert (one.advantage == -one.advantage.T).all()
        assert np.abs(one.advantage).max() <= most
        assert (one.advantage[2, 3], one.error[2, 3], one.p[2, 3]) == (0.0, 0.0, 1.0)
        # Whom the twins meet, they meet with the same cards.
        assert one.advantage[2, 4] == one.advantage[3, 4] != 0.0


def test_two_lines_meet_as_one_does(full: nicolai2009.Encounters) -> None:
    across = nicolai2009.compare_champions(
        FOLDS_ALWAYS, GENOMES[:2], GENOMES[2:], tables=TABLES, workers=2, progress=False
    )
    for one, among in zip(across, full, strict=True):
        for name, numbers in vars(one).items():
            np.testing.assert_array_equal(numbers, getattr(among, name)[:2, 2:])
    with pytest.raises(ShapeError, match=r"advantages have shape \(2, 3\)"):
        across.ranks.find_losses_to_ancestors()


@pytest.mark.parametrize(("p", "lost"), [(0.016, True), (0.017, False)])
def test_a_loss_to_an_ancestor_is_clear_by_holm_s_correction(p: float, lost: bool) -> None:
    """There are three pairs: the level of 0.05 is a third of it for each."""
    pairs = np.tri(3, k=-1) * (p - 1.0) + 1.0
    assert nicolai2009.Advantages(-pairs, pairs, pairs).find_losses_to_ancestors().sum() == 3 * lost


def test_folders_win_no_table_but_end_ahead_of_raisers(full: nicolai2009.Encounters) -> None:
    assert full.tables_won.advantage[0, 4] == -1.0
    assert full.ranks.advantage[0, 4] > 0.0


def test_an_advantage_is_a_mean_over_pairs_of_tables(full: nicolai2009.Encounters) -> None:
    """Once more from the ranks: five seats of each, one and the other in turn, then exchanged."""
    apart, won = [], []
    for lineup in ([2, 4] * 5, [4, 2] * 5):
        placed = play(lineup)
        own = np.equal(lineup, 2)
        apart.append(placed[:, ~own].mean(axis=1) - placed[:, own].mean(axis=1))
        won.append((placed[:, own] == 1).sum(axis=1) - (placed[:, ~own] == 1).sum(axis=1))
    for one, each in zip(full, (apart, won), strict=True):
        assert one.advantage[2, 4] == pytest.approx(np.mean(each), rel=1e-12)
        error = np.mean(each, axis=0).std(ddof=1) / np.sqrt(TABLES.duplicates)
        assert one.error[2, 4] == pytest.approx(error, rel=1e-9)


def play(lineup: list[int]) -> np.ndarray:
    """Return ranks at tables of ten, (tables, seats)."""
    ranks: np.ndarray = tournaments(
        make_doubling_schedule(no_limit(5, 10, free_folds=True), 10, chips=10_000),
        FOLDS_ALWAYS.make_players(GENOMES),
        [lineup] * TABLES.duplicates,
        seed=TABLES.seed,
        stacks=1000,
    ).ranks[:, 0]
    return ranks


def test_who_loses_to_ancestors_beyond_chance_has_forgotten() -> None:
    """Four champions; the last loses to the first clearly, to the second by luck, and beats the third."""
    advantage, p = np.zeros((4, 4)), np.ones((4, 4))
    for later, earlier, by, chance in [(3, 0, -0.5, 1e-4), (3, 1, -0.1, 0.04), (3, 2, 0.5, 1e-4)]:
        advantage[later, earlier], advantage[earlier, later] = by, -by
        p[later, earlier] = p[earlier, later] = chance
    met = nicolai2009.Advantages(advantage, np.ones((4, 4)), p)
    assert np.argwhere(met.find_losses_to_ancestors()).tolist() == [[3, 0]]


def test_ratings_are_evaluations_with_the_same_cards(others: Mapping[str, CompiledPlayer]) -> None:
    tables = replace(TABLES, duplicates=10)
    rated = evaluate_genomes(FOLDS_ALWAYS, GENOMES[1:4], others, tables=tables)
    assert [one.names[0] for one in rated] == ["matrices 0", "matrices 1", "matrices 2"]
    (alone,) = FOLDS_ALWAYS.make_players(GENOMES[1], ["matrices 0"])
    expected = evaluate_champion(alone, others, tables=tables, progress=False)
    assert rated[0].mean_rank == expected.mean_rank
    assert rated[1].mean_rank["matrices 1"] == rated[2].mean_rank["matrices 2"]


@pytest.mark.parametrize(
    ("genomes", "against", "words"),
    [
        (GENOMES[:1], None, "number of champions is 1; it must be an integer from 2"),
        (
            GENOMES[:, :825],
            None,
            r"genomes have shape \(5, 825\); a matrix strategy has 10584 genes",
        ),
        (GENOMES, GENOMES[:0], "number of champions is 0; it must be an integer from 1"),
    ],
)
def test_who_cannot_meet_is_refused(genomes: Any, against: Any, words: str) -> None:
    with pytest.raises(PokerlabError, match=words):
        nicolai2009.compare_champions(FOLDS_ALWAYS, genomes, against, tables=TABLES)
