"""Games by cards: which games they are, what they cost, what they know, and their known solutions."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.core.old_names import FINGERPRINTS
from pokerlab.games import SequenceForm, compile_rules
from pokerlab.games.card_games import CardGame, compile_card_game
from pokerlab.games.game_block import unpack_workspace
from pokerlab.games.small_poker import make_kuhn_rules, make_one_card_rules
from pokerlab.games.tree_passes import compute_plans
from pokerlab.runs.checkpoint import load_checkpoint, save_checkpoint
from pokerlab.solvers.cfr import match_regrets

SEVEN = pl.games.kuhn(7)
THOUSAND = pl.games.one_card_poker(1000, second_can_bet=False)


def test_large_games_are_by_cards_and_others_compiled() -> None:
    assert [isinstance(pl.games.kuhn(n), CardGame) for n in range(2, 8)] == [False] * 3 + [True] * 3
    ranks = (3, 8, 13, 14, 2000)
    by_cards = [isinstance(pl.games.one_card_poker(k), CardGame) for k in ranks]
    assert by_cards == [False] * 3 + [True] * 2


def test_kuhn_poker_for_seven_has_its_size() -> None:
    """After each of 449 ends of the betting there are 8! ways in which the cards were dealt."""
    assert SEVEN.num_infosets == (8 * 64,) * 7
    assert SEVEN.num_histories_ended == 449 * 40_320


@pytest.mark.parametrize(
    "rules",
    [make_kuhn_rules(5), make_one_card_rules(14), make_one_card_rules(33)],
    ids=lambda rules: rules.name,
)
def test_games_by_cards_keep_the_fingerprint_of_their_terminals(rules: Any) -> None:
    compiled = compile_rules(rules)
    assert compile_card_game(rules).fingerprint == compiled.fingerprint == FINGERPRINTS[rules.name]
    compiled.validate_probabilities(compile_card_game(rules).uniform())


@pytest.mark.parametrize("rules", [make_kuhn_rules(6), make_one_card_rules(200)])
def test_kept_fingerprints_are_those_of_listed_terminals(rules: Any) -> None:
    listed: Any = SequenceForm.fingerprint
    assert listed.func(compile_card_game(rules)) == FINGERPRINTS[rules.name]


def test_new_games_by_cards_have_different_fingerprints() -> None:
    settings: list[dict[str, Any]] = [
        {},
        {"bet": 2},
        {"second_can_bet": False},
        {"first_can_check": False},
    ]
    found = {pl.games.one_card_poker(300, **setting).fingerprint for setting in settings}
    assert len(found) == 4


def test_old_checkpoint_of_a_game_by_cards_is_read(tmp_path: Path) -> None:
    """An earlier version had compiled the game."""
    earlier = pl.solvers.CFR(compile_rules(make_one_card_rules(20)))
    state = earlier.step(earlier.init(), 3)
    save_checkpoint(tmp_path / "old.npz", earlier, state)
    today = pl.solvers.CFR(pl.games.one_card_poker(20))
    read = load_checkpoint(tmp_path / "old.npz", today).state
    assert read.plan_sum.tolist() == state.plan_sum.tolist()
    assert today.step(read).iteration == 4


def test_profile_of_a_game_by_cards_survives_a_file(tmp_path: Path) -> None:
    game = pl.games.one_card_poker(20)
    cfr = pl.solvers.CFR(game)
    profile = cfr.step(cfr.init(), 10).average
    read = pl.games.Profile.from_csv(game, profile.to_csv(tmp_path / "profile.csv"))
    assert read.probabilities.tolist() == profile.probabilities.tolist()


def test_linear_program_lists_the_terminals_of_a_game_by_cards() -> None:
    game = pl.games.one_card_poker(30)
    solution = pl.solvers.SequenceFormLP(game).solve()
    assert game.nash_conv(solution.profile) < 1e-9
    assert game.values(solution.profile)[0] == pytest.approx(solution.value)


@pytest.mark.parametrize(
    "use",
    [
        lambda: SEVEN.payoff,
        lambda: THOUSAND.payoff_matrix(0),
        lambda: pl.solvers.SequenceFormLP(THOUSAND).solve(),
        lambda: pl.solvers.ParallelNashMemory(THOUSAND).init(),
        lambda: pl.games.rake_game(THOUSAND, 0.1),
        lambda: pl.games.lock_infosets(SEVEN, SEVEN.uniform(), 0),
        lambda: pl.games.write_efg(SEVEN, "seven.efg"),
    ],
    ids=["payoff", "payoff matrix", "linear program", "memory", "rake", "lock", "file"],
)
def test_terminals_of_the_largest_games_are_refused(use: Any) -> None:
    with pytest.raises(GameError, match=r"terminal histories, and at most 1,000,000 can be listed"):
        use()


def solve(game: SequenceForm, iterations: int) -> pl.games.Profile:
    """Return a profile near an equilibrium."""
    solver = pl.solvers.PredictiveCFRPlus(game)
    return solver.step(solver.init(), iterations).average


@pytest.mark.parametrize("bet", [1, 2])
def test_thousand_cards_have_von_neumanns_value(bet: int) -> None:
    game = pl.games.one_card_poker(1000, bet=bet, second_can_bet=False)
    profile = solve(game, 1000)
    error = game.nash_conv(profile)
    assert error < 5e-4
    value = bet / ((bet + 1) * (bet + 4))
    assert game.values(profile)[0] == pytest.approx(value, abs=error + 1e-4)


def test_thousand_cards_have_von_neumanns_thresholds() -> None:
    """With a bet of one ante the first player bets below 1/10 and above 7/10, and checks between."""
    profile = solve(THOUSAND, 3000)
    bets = profile.get_behavior(0)[1::2]  # by card
    sure = np.r_[0:95, 710:1000]
    assert bets[sure].min() > 0.99
    assert bets[105:690].max() < 0.01


def test_thousand_cards_of_one_card_poker_approach_one_eighteenth() -> None:
    game = pl.games.one_card_poker(1000)
    profile = solve(game, 1000)
    error = game.nash_conv(profile)
    assert error < 5e-4
    assert game.values(profile)[0] == pytest.approx(-1 / 18, abs=error + 2e-4)


def test_seven_players_learn() -> None:
    cfr = pl.solvers.CFRPlus(SEVEN)
    state = cfr.step(cfr.init(), 100)
    assert SEVEN.nash_conv(state.average) < 0.2 * SEVEN.nash_conv(SEVEN.uniform())
    assert sum(SEVEN.values(state.average)) == pytest.approx(0.0, abs=1e-12)


WITHOUT_COMPILER = """
import hashlib
import pokerlab as pl
for game in (pl.games.one_card_poker(15), pl.games.one_card_poker(14, second_can_bet=False), pl.games.kuhn(5)):
    for solver in (pl.solvers.CFR(game), pl.solvers.PredictiveDiscountedCFRPlus(game, order="simultaneous")):
        state = solver.step(solver.init(), 2)
        arrays = (state.behavior, state.plan_sum, state.regret)
        print(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest())
"""
"""A program that prints a digest of some runs in games by cards."""


def test_runs_by_cards_without_compiler_have_the_same_bits() -> None:
    """Loops that the compiler turns into operations on several numbers at once give the numbers of plain Python."""
    compiled, interpreted = (
        subprocess.run(
            [sys.executable, "-c", WITHOUT_COMPILER],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for off in ("0", "1")
    )
    assert len(set(compiled)) == 6
    assert compiled == interpreted


def test_pairs_of_sequences_are_updated_like_other_infosets() -> None:
    """The update of games by cards has the bits of the update of compiled games, in plain Python."""
    game = pl.games.one_card_poker(15)
    solver = pl.solvers.CFR(game)
    state = solver.step(solver.init(), 20)
    numbers, rng = game.num_probabilities + 2, np.random.default_rng(1)
    value, infoset_value = rng.normal(size=numbers), rng.normal(size=numbers // 2 - 1)
    value[numbers // 2 :] -= 30.0  # so low that no regret stays positive at some information sets
    found = []
    for by_cards in (True, False):
        workspace = unpack_workspace(game.block)
        workspace.plan[2:] = compute_plans(game.block, state.current.probabilities)[2:]
        workspace.value[:], workspace.infoset_value[:] = value, infoset_value
        arrays = [array.copy() for array in (state.behavior, state.plan_sum, state.regret)]
        for player in (0, 1):
            update = getattr(match_regrets, "py_func", match_regrets)
            ends = workspace.betting_ends if by_cards else None
            update(workspace, ends, player, 0.9, 0.4, 7.0, 0.5, *arrays)
        found.append([array.tobytes() for array in (workspace.plan, *arrays)])
    assert found[0] == found[1]
    assert 0.5 in arrays[0][2:]
