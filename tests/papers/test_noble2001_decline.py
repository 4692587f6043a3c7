"""Noble & Watson (2001), Figure 3: what is measured in a long run, and generations that sit down together."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import stream
from pokerlab.holdem import SeatView, play
from pokerlab.papers.noble2001 import BAD, GROUPS, REASONABLE, Config, decline, encoding, game
from pokerlab.papers.noble2001.decline import (
    all_met,
    generations_met,
    long_run,
    long_runs,
    measured,
    newer_wins,
)
from pokerlab.papers.noble2001.experiment import ROULETTE, solver
from pokerlab.papers.noble2001.measures import diversity
from tests.oracles.players import rule_decision

SMALL = Config(size=12, games=6, hands=10, iterations=6, seed=2)


@pytest.fixture(autouse=True)
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decline, "HANDS", 12)
    monkeypatch.setattr(decline, "EVERY", 3)
    monkeypatch.setattr(decline, "SEATED_TABLES", 8)


def test_a_long_run_is_measured_at_its_first_generation_and_at_intervals() -> None:
    rows = long_run(SMALL)
    assert [row["generation"] for row in rows] == [1, 3, 6]
    coevolution = solver(SMALL)
    state = coevolution.step(coevolution.init(), 3)
    assert rows[1] == {"generation": 3, **measured(state)}


def test_what_is_measured_is_what_happens_at_tables_played_one_by_one() -> None:
    """In plain Python: profit, its swing from hand to hand, who is beaten, calls and raises before the flop."""
    coevolution = solver(SMALL)
    state = coevolution.step(coevolution.init(), 2)
    row = measured(state)
    for name, group in GROUPS.items():
        members = [one.genome for one in group]
        profits, swings, beaten, entered = [], [], [], []
        for genome in state.population[0]:
            acts: list[int] = []

            def player(view: SeatView, genome: Any = genome, acts: list[int] = acts) -> int:
                action = rule_decision(genome.tolist(), view)
                free = view.legal.to_call == 0
                if view.street == 0 and (action > 0 or (action == 0 and not free)):
                    acts.append(view.hand)
                return action

            others = [lambda view, one=one: rule_decision(one.tolist(), view) for one in members]
            played = play(
                coevolution.game.structure, [player, *others], 12, seed=2, stacks=200, won_from=True
            )
            mine = played.chips[:, 0, 0]
            profits.append(mine.mean() * 1000)
            swings.append(mine.std())
            assert played.won_from is not None
            beaten.append((played.won_from[0, 1:] > 0).mean())
            entered.append(len(acts) / 12)
        assert row[name] == pytest.approx(np.mean(profits))
        assert row[f"{name}_swing"] == pytest.approx(np.mean(swings))
        assert row[f"{name}_beaten"] == pytest.approx(np.mean(beaten))
        assert row[f"{name}_entered"] == pytest.approx(np.mean(entered))
        kept = np.array(profits)[state.front[0]]
        assert row[f"{name}_kept"] == pytest.approx(kept.mean())
    genomes = state.population[0]
    assert [row[f"gene_{gene}"] for gene in range(42)] == pytest.approx(genomes.mean(axis=0))
    assert row["diversity"] == diversity(genomes)
    few, many = row["diversity_neutral"], row["diversity_tested"]
    assert row["diversity"] == pytest.approx((5 * few + 37 * many) / 42)


def test_newer_generations_win_what_they_win_from_older_ones() -> None:
    """Good players take from bad ones, and what one side wins the other side loses."""
    config = Config(seed=0)
    bad = np.repeat(np.stack([one.genome for one in BAD]), 3, axis=0)
    good = np.stack([one.genome for one in REASONABLE[:12]])
    table = game(config), encoding(config)
    assert newer_wins(*table, bad, good, seed=1) > 0 > newer_wins(*table, good, bad, seed=1)


def test_equal_generations_win_nothing_to_speak_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within four standard errors, by the spread of many seeds."""
    config = Config(seed=0)
    genomes = encoding(config).random(stream(3, "same"), 12)
    wins = [
        newer_wins(game(config), encoding(config), genomes, genomes, seed=seed)
        for seed in range(20)
    ]
    assert abs(np.mean(wins)) < 4 * np.std(wins) / np.sqrt(19)


def test_each_two_generations_meet_once() -> None:
    rows = generations_met(SMALL, generations=(1, 2, 4))
    assert [(row["older"], row["newer"]) for row in rows] == [(1, 2), (1, 4), (2, 4)]
    coevolution = solver(SMALL)
    first = coevolution.step(coevolution.init())
    second = coevolution.step(first)
    wins = newer_wins(
        coevolution.game,
        coevolution.encoding,
        first.population[0],
        second.population[0],
        seed=SMALL.seed,
    )
    assert rows[0]["newer_wins"] == wins


def test_both_regimes_are_run_with_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decline, "long_run", one_row)
    ran = long_runs(seeds=[3, 1], iterations=7)
    assert ran["regime"].tolist() == ["Pareto", "Pareto", ROULETTE, ROULETTE]
    assert ran["seed"].tolist() == [3, 1, 3, 1]
    assert ran["generation"].tolist() == [7] * 4
    monkeypatch.setattr(decline, "generations_met", one_row)
    assert all_met(seeds=[4])["generation"].tolist() == [1000, 1000]


def one_row(config: Config) -> dict[str, float]:
    return {"generation": config.iterations}
