"""Duplicate tables: sums against raw ranks, batches and interruptions without a trace, what is refused."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pokerlab.core import CheckpointError, FileFormatError, PokerlabError
from pokerlab.core.arrays import Floats
from pokerlab.holdem import CompiledPlayer, MatrixEncoding, TableNetwork
from pokerlab.holdem.tournament_game import TournamentResult
from pokerlab.papers.nicolai2009 import DuplicateTables
from pokerlab.papers.nicolai2009_agents import make_panel, make_static_agents
from studies.nicolai2009.evaluation import Evaluation, evaluate_champion

TABLES = DuplicateTables(
    duplicates=60, blinds="doubling", hands_a_level=10, free_folds=True, seed=1
)
NAMES = ("champion", *make_static_agents(), "old 1", "old 2", "old 3")


def champion(name: str = "champion", **settings: Any) -> CompiledPlayer:
    encoding = MatrixEncoding(**settings)
    return encoding.make_players(encoding.make_head_start(), [name])[0]


@pytest.fixture(scope="module")
def others() -> Mapping[str, CompiledPlayer]:
    encoding = MatrixEncoding(start="scratch")
    genomes = encoding.draw_genomes(np.random.default_rng(1), 3)
    return make_static_agents() | dict(zip(NAMES[6:], encoding.make_players(genomes), strict=True))


@pytest.fixture(scope="module")
def placed(others: Mapping[str, CompiledPlayer]) -> TournamentResult:
    players = [champion(), *others.values()]
    return TABLES.play(players, TABLES.make_lineups(0, 60), duplicates=True)


@pytest.fixture(scope="module")
def evaluation(others: Mapping[str, CompiledPlayer]) -> Evaluation:
    return evaluate_champion(champion(), others, tables=TABLES, progress=False)


def by_player(placed: TournamentResult, numbers: Floats) -> Floats:
    """Return numbers by table and place as numbers by table and player, one after the other."""
    sorted_out = np.full(numbers.shape, np.nan)
    for table, lineup in enumerate(placed.lineups):
        for place, player in enumerate(lineup):
            sorted_out[table, player] = numbers[table, place]
    return sorted_out


def same(one: Evaluation, other: Evaluation) -> bool:
    mine, theirs = one.to_arrays(), other.to_arrays()
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


def test_ranks_and_errors_are_those_of_raw_results(
    placed: TournamentResult, evaluation: Evaluation
) -> None:
    raw = by_player(placed, placed.ranks.mean(axis=1))
    assert evaluation.names == NAMES
    assert [*evaluation.mean_rank.values()] == pytest.approx(placed.mean_rank, rel=1e-12)
    assert evaluation.ranks.standard_error == pytest.approx(placed.standard_error, rel=1e-9)
    deviations = raw.std(axis=0, ddof=1)
    assert [*evaluation.rank_deviations_over_tables.values()] == pytest.approx(deviations, rel=1e-9)
    for first, second, _, _, t, p, _ in zip(*evaluation.compute_t_tests(), strict=True):
        theirs = stats.ttest_rel(raw[:, first], raw[:, second])
        assert t == pytest.approx(theirs.statistic, rel=1e-8)
        assert p == pytest.approx(theirs.pvalue, rel=1e-7)
    assert sum(evaluation.mean_rank.values()) == pytest.approx(45.0)


def test_other_counts_are_shares_of_raw_results(
    placed: TournamentResult, evaluation: Evaluation
) -> None:
    firsts = by_player(placed, (placed.ranks == 1.0).mean(axis=1)).mean(axis=0)
    assert [*evaluation.first_places.values()] == pytest.approx(firsts, rel=1e-12)
    assert sum(evaluation.first_places.values()) == pytest.approx(1.0)
    flat = [by_player(placed, placed.ranks[:, rotation]) for rotation in range(9)]
    singles = np.concatenate(flat).std(axis=0)
    assert [*evaluation.rank_deviations_over_tournaments.values()] == pytest.approx(
        singles, rel=1e-9
    )
    assert evaluation.hands_dealt.sum() == placed.rounds_played.sum()
    won = by_player(placed, placed.won.sum(axis=1)).sum(axis=0)
    assert [*evaluation.hands_won_share.values()] == pytest.approx(won / evaluation.hands_dealt)
    acts = evaluation.action_shares
    assert acts["Folder"].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert evaluation.first_places["Folder"] == 0.0
    assert acts["Caller"][[0, 3]].tolist() == [0.0, 0.0]
    assert all(shares.sum() == pytest.approx(1.0) for shares in acts.values())
    assert evaluation.decisions_per_hand == pytest.approx(placed.actions.sum() / placed.hands.sum())


@pytest.mark.parametrize(("batch", "workers"), [(7, 1), (1000, 2)])
def test_batches_and_workers_leave_no_trace(
    others: Mapping[str, CompiledPlayer], evaluation: Evaluation, batch: int, workers: int
) -> None:
    again = evaluate_champion(
        champion(), others, tables=TABLES, batch=batch, workers=workers, progress=False
    )
    assert same(again, evaluation)


def test_an_evaluation_goes_on_from_its_file(
    others: Mapping[str, CompiledPlayer],
    evaluation: Evaluation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options: dict[str, Any] = {"file": tmp_path / "kept.npz", "batch": 25, "progress": False}
    evaluate_champion(champion(), others, tables=replace(TABLES, duplicates=25), **options)
    played: list[int] = []
    make_lineups = DuplicateTables.make_lineups

    def counted(self: DuplicateTables, first: int, count: int) -> Any:
        played.append(count)
        return make_lineups(self, first, count)

    monkeypatch.setattr(DuplicateTables, "make_lineups", counted)
    for _ in range(2):
        assert same(evaluate_champion(champion(), others, tables=TABLES, **options), evaluation)
    assert played == [25, 10]


def test_a_file_of_other_agents_or_settings_is_refused(
    others: Mapping[str, CompiledPlayer], tmp_path: Path
) -> None:
    file = tmp_path / "control.npz"
    few = replace(TABLES, duplicates=2)
    evaluate_champion(champion(), others, tables=few, file=file, progress=False)
    for wrong, tables, words in [
        (champion(fold_below=0.2), few, "written with agents"),
        (champion(ties="win"), few, "written with agents"),
        (champion(), replace(few, stacks=500), "written with tables"),
        (champion(), replace(few, seed=2), "written with tables"),
    ]:
        with pytest.raises(CheckpointError, match=words):
            evaluate_champion(wrong, others, tables=tables, file=file, progress=False)
    evaluate_champion(champion(), others, tables=TABLES, file=file, progress=False)
    with pytest.raises(CheckpointError, match="holds 60 duplicate tables, but 2 were requested"):
        evaluate_champion(champion(), others, tables=few, file=file, progress=False)
    file.write_bytes(b"nothing")
    with pytest.raises(FileFormatError, match="is damaged"):
        evaluate_champion(champion(), others, tables=few, file=file, progress=False)


def test_everybody_has_another_neighbor_at_the_next_table_unless_seats_are_as_given() -> None:
    drawn = TABLES.make_lineups(0, 50)
    assert (np.sort(drawn, axis=1) == np.arange(9)).all()
    assert len({tuple(lineup) for lineup in drawn.tolist()}) == 50
    assert np.array_equal(TABLES.make_lineups(20, 5), drawn[20:25])
    fixed = replace(TABLES, seating="as given").make_lineups(3, 2)
    assert fixed.tolist() == [[*range(9)]] * 2


OTHERWISE = {
    "stacks": 500,
    "blinds": "ladder",
    "small_blind": 10,
    "hands_a_level": 5,
    "free_folds": False,
    "seating": "as given",
    "score": "raises",
    "raised": "above the call",
    "window": 1,
    "seed": 2,
}


@pytest.fixture(scope="module")
def network() -> CompiledPlayer:
    encoding = TableNetwork()
    return encoding.make_players(encoding.draw_genomes(np.random.default_rng(1), 1), ["network"])[0]


@pytest.fixture(scope="module")
def by_default(network: CompiledPlayer, others: Mapping[str, CompiledPlayer]) -> Evaluation:
    return evaluate_champion(network, others, tables=replace(TABLES, duplicates=20), progress=False)


@pytest.mark.parametrize("name", OTHERWISE)
def test_every_setting_changes_what_is_played(
    name: str, network: CompiledPlayer, others: Any, by_default: Evaluation
) -> None:
    """Also what networks see of aggressiveness: of nine agents one is a network."""
    tables = replace(TABLES, duplicates=20, **{name: OTHERWISE[name]})
    assert not same(evaluate_champion(network, others, tables=tables, progress=False), by_default)


def test_no_setting_is_left_out() -> None:
    assert {field.name for field in fields(DuplicateTables)} == {*OTHERWISE, "duplicates", "raises"}


GENOME: Any = MatrixEncoding().make_head_start()
REFUSED = [
    (lambda o: replace(TABLES, duplicates=1), "duplicates is 1; Duplicate tables allows 2 to"),
    (lambda o: make_static_agents("pot"), "no amount to raise by 'pot'"),
    (
        lambda o: evaluate_champion(GENOME, o, tables=TABLES),
        "the champion is of type ndarray; give a",
    ),
    (
        lambda o: evaluate_champion(champion(), [*o], tables=TABLES),
        "of type list; give 8 players by name",
    ),
    (lambda o: evaluate_champion(champion(), {}, tables=TABLES), "0 opponents are given"),
    (
        lambda o: evaluate_champion(champion("Random"), o, tables=TABLES),
        "the name 'Random' of one of its",
    ),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_what_cannot_be_evaluated_is_refused(call: Any, words: str, others: Any) -> None:
    with pytest.raises(PokerlabError, match=words):
        call(others)


def test_the_eight_others_raise_as_the_tables_say(network: CompiledPlayer) -> None:
    least = replace(TABLES, duplicates=5, raises="the least")
    found = evaluate_champion(network, tables=least, progress=False)
    assert same(
        found, evaluate_champion(network, make_panel("the least"), tables=least, progress=False)
    )
    assert not same(found, evaluate_champion(network, make_panel(), tables=least, progress=False))
