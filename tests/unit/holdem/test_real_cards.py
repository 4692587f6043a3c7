"""The worst case with real cards: against plain recursion over a small deck, and what changes nothing."""

import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from itertools import combinations
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError
from pokerlab.core.arrays import Floats
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.saved_files import SavedFile
from pokerlab.holdem import (
    BucketedProfile,
    bucketed_limit_holdem,
    evaluate_hand,
    find_real_worst_case,
    parse_cards,
    real_card_responses,
    real_worst_cases,
)
from pokerlab.holdem.betting_tree import AS_DRAWN
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from pokerlab.holdem.cards import find_holding_indices
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.real_card_responses import NO_CHOICES, RealCardResponse
from pokerlab.holdem.real_worst_cases import (
    FORMAT,
    compute_bucketed_winnings,
    load_or_compute_flop_winnings,
)
from pokerlab.holdem.street_trees import fill_street_best_response
from tests.hangs import HANG_SECONDS
from tests.oracles.real_reply import best_values
from tests.oracles.river_replies import play_rivers_by_arrays
from tests.random_bucketed import random_profile, random_table
from tests.refusals import refused

GAME = bucketed_limit_holdem(buckets=6)
DECK = sorted(parse_cards("As Ah Qs Qh 9s 9h 8s 8h 3s").tolist())
FLOPS = [*combinations(DECK, 3)][::13]
"""Seven of 84 flops. On all others, nothing is won."""
A_KIND_EACH = [FLOPS[0], FLOPS[2], FLOPS[3]]
"""A pair, one suit, and two suits: winnings of flops add up, so another one of a kind adds nothing."""


def without(deck: list[int]) -> tuple[int, ...]:
    """Return the cards that a deck lacks."""
    return tuple(card for card in range(52) if card not in deck)


def by_kernels(profile: BucketedProfile, flops: Sequence[tuple[int, ...]]) -> list[float]:
    """Return what the best reply wins with the small deck, by flops one after the other."""
    response = RealCardResponse(profile, without(DECK))
    label, weights = response.find_preflop_buckets_and_opponent_weights()
    on_flops = [response.compute_flop_winnings(np.array(flop, np.uint8)) for flop in flops]
    size, found = len(DECK), []
    for player in range(2):
        later = np.sum([won[player] for won in on_flops], axis=0) / comb(size - 4, 3)
        parts = np.zeros((4, 1326, 1))
        fill_street_best_response(
            response.street_trees[player][0], label, weights, later, parts, NO_CHOICES
        )
        found.append(float(parts.sum()) / comb(size, 2) / comb(size - 2, 2))
    return found


@pytest.mark.parametrize(
    ("make", "flops"),
    [(random_profile, A_KIND_EACH), pytest.param(random_table, FLOPS, marks=pytest.mark.slow)],
)
def test_worst_case_of_a_small_deck_equals_recursion(
    make: Callable[[BucketedHoldem, int], BucketedProfile], flops: Sequence[tuple[int, ...]]
) -> None:
    game = bucketed_limit_holdem(buckets=6, raise_cap=1)
    profile = make(game, 1)
    known: dict[tuple[int, ...], Floats] = {}

    def bucket(hole: tuple[int, int], board: tuple[int, ...]) -> int:
        values = known.setdefault(board, compute_all_win_probabilities(np.array(board, np.uint8)))
        return int(
            game.buckets.assign_buckets(
                max(len(board) - 2, 0), values[find_holding_indices(np.array(hole))]
            )
        )

    brute = best_values(
        game.tree,
        profile.decision_probabilities,
        DECK,
        bucket,
        lambda c: evaluate_hand(np.array(c)),
        flops,
    )
    assert by_kernels(profile, flops) == pytest.approx(brute, rel=1e-6)


def test_symmetric_suits_keep_the_winnings() -> None:
    deck = [card for card in range(52) if card // 4 in (2, 7, 12)]
    response = RealCardResponse(
        random_profile(bucketed_limit_holdem(buckets=6, raise_cap=1), 3), without(deck)
    )
    flop = np.array([8, 28, 48], np.uint8)
    label, weights = response.find_preflop_buckets_and_opponent_weights()
    assert len(response.find_board_symmetries(flop)) == 6
    for player, some in enumerate(response.compute_flop_winnings(flop)):
        moved = response.street_trees[player][0].compute_next_street_weights(weights, label)
        all_suits = response.compute_street_winnings(
            player, flop, np.zeros(1, np.int64), [label], moved
        )
        assert np.abs(all_suits).max() > 1.0
        np.testing.assert_allclose(some, all_suits, atol=1e-4)


@pytest.mark.parametrize("make", [random_profile, random_table, lambda game, _: game.always_call()])
@pytest.mark.parametrize("raise_cap", [1, 2])
def test_river_kernel_equals_arrays_in_a_small_deck(
    make: Callable[[BucketedHoldem, int], BucketedProfile],
    raise_cap: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    profile = make(bucketed_limit_holdem(buckets=6, raise_cap=raise_cap), 5)
    response = RealCardResponse(profile, without(DECK))
    flops = np.array(DECK[:3], np.uint8), np.array(DECK[2:5], np.uint8)
    by_kernel = [response.compute_flop_winnings(flop) for flop in flops]
    monkeypatch.setattr(real_card_responses, "add_winnings_on_rivers", play_rivers_by_arrays)
    for of_kernel, of_arrays in zip(
        by_kernel, map(response.compute_flop_winnings, flops), strict=True
    ):
        for one, other in zip(of_kernel, of_arrays, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4 * np.abs(one).max())


def test_river_kernel_equals_arrays_on_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = random_profile(bucketed_limit_holdem(buckets=6, raise_cap=2), 4)
    turn = parse_cards("2c 2d 2h 2s")
    response, found = RealCardResponse(profile), []
    for add_winnings_on_rivers in (
        real_card_responses.add_winnings_on_rivers,
        play_rivers_by_arrays,
    ):
        monkeypatch.setattr(real_card_responses, "add_winnings_on_rivers", add_winnings_on_rivers)
        labels = [response.find_buckets_on_boards(turn[None, :size])[0] for size in (0, 3, 4)]
        live, alike = (
            np.where(labels[2] < 0, 0.0, 1.0)[:, None],
            response.find_board_symmetries(turn),
        )
        came = [
            live * (0.5 + random_stream(1, "came").random((1326, len(streets[2].stakes))))
            for streets in response.street_trees
        ]
        found.append(
            [response.compute_river_winnings(p, turn, alike, labels, came[p]) for p in range(2)]
        )
    for one, other in zip(*found, strict=True):
        assert np.abs(one).max() > 100.0
        np.testing.assert_allclose(one, other, atol=1e-5 * np.abs(one).max())


def test_always_folding_loses_the_blinds_though_it_checks_if_it_may() -> None:
    game = bucketed_limit_holdem(buckets=6, raise_cap=1)
    found = find_real_worst_case(game, game.always_fold(), flops=12, seed=1)
    assert found[:2] == pytest.approx((1.5, 750.0), rel=1e-9)
    assert found[2:4] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert found.by_seat == pytest.approx((1.0, 0.5), rel=1e-9)
    assert sum(found.by_street) == pytest.approx(1.5, rel=1e-9)


class Stub(RealCardResponse):
    """Wins at random on each flop, as fast as the tests need it."""

    @cached_property
    def shares(self) -> list[Floats]:
        """For each seat that replies, how often the other comes to each beginning on the flop."""
        label, weights = self.find_preflop_buckets_and_opponent_weights()
        moved = [
            streets[0].compute_next_street_weights(weights, label) for streets in self.street_trees
        ]
        return [each.sum(axis=0) / 1326 for each in moved]

    def compute_flop_winnings(self, flop: np.ndarray) -> list[Floats]:
        luck = random_stream(1, "flop", *flop.tolist())
        return [luck.normal(300, 200, (3, 1326, 1)) * each for each in self.shares]


WON_IN_BUCKETS: dict[tuple[str, bytes], Floats] = {}


def won_in_buckets_once(response: RealCardResponse) -> Floats:
    """Return what is won in buckets, computed once for each strategy."""
    key = response.profile.game.fingerprint, response.profile.decision_probabilities.tobytes()
    if key not in WON_IN_BUCKETS:
        WON_IN_BUCKETS[key] = compute_bucketed_winnings(response)
    return WON_IN_BUCKETS[key]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.holdem.real_worst_cases.RealCardResponse", Stub)
    monkeypatch.setattr(real_worst_cases, "compute_bucketed_winnings", won_in_buckets_once)
    # Each flop asks for the list of all, which takes as long as a flop of the stub does.
    listed = cache(real_worst_cases.list_canonical_boards)
    monkeypatch.setattr(real_worst_cases, "list_canonical_boards", listed)


@pytest.mark.usefixtures("quick")
def test_worst_case_resumes_with_any_workers(tmp_path: Path) -> None:
    profile = GAME.uniform()
    whole = find_real_worst_case(GAME, profile, flops=24, seed=2)
    find_real_worst_case(GAME, profile, flops=13, seed=2, checkpoint=tmp_path / "flops")
    again = find_real_worst_case(
        GAME, profile, flops=24, seed=2, workers=2, checkpoint=tmp_path / "flops"
    )
    assert whole == again
    assert len(list(tmp_path.glob("flops/*.npz"))) >= 24
    with pytest.raises(CheckpointError, match="was written with strategy"):
        find_real_worst_case(
            GAME, GAME.always_call(), flops=24, seed=2, checkpoint=tmp_path / "flops"
        )


def test_worst_case_resumes_on_a_cluster(client_here: Any, tmp_path: Path) -> None:
    """A slow test has workers in processes of their own."""
    stub, folder, flops = Stub(GAME.uniform()), tmp_path / "flops", list(range(0, 60, 5))
    load_or_compute_flop_winnings(stub, flops[:7], client_here, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    again = load_or_compute_flop_winnings(stub, flops, client_here, folder)
    assert again.tobytes() == load_or_compute_flop_winnings(stub, flops, 1, None).tobytes()
    assert len(before) == 7
    assert {path: path.stat().st_mtime_ns for path in before} == before


UNDER_WAY = """
import sys
from tests.unit.holdem.test_real_cards import by_twelve_flops
by_twelve_flops(checkpoint=sys.argv[1])
"""


def by_twelve_flops(**given: Any) -> Any:
    game = bucketed_limit_holdem(buckets=6, raise_cap=1)
    return find_real_worst_case(game, game.always_call(), flops=12, seed=1, **given)


@pytest.mark.slow
def test_worst_case_of_a_killed_process_resumes_on_a_cluster(client: Any, tmp_path: Path) -> None:
    folder, root = tmp_path / "flops", Path(__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", UNDER_WAY, str(folder)], cwd=root)
    until = time.monotonic() + HANG_SECONDS
    while len(list(folder.glob("*.npz"))) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert 3 <= len(kept) < 12
    undisturbed = by_twelve_flops()
    assert by_twelve_flops(workers=client, checkpoint=folder) == undisturbed
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.usefixtures("quick")
def test_worst_case_of_a_sample_has_an_error() -> None:
    profile = GAME.always_call()
    exact = find_real_worst_case(GAME, profile)
    assert (exact.error, exact.bias) == (0.0, 0.0)
    found = [find_real_worst_case(GAME, profile, flops=60, seed=seed) for seed in range(12)]
    off = np.array([each.mbb - exact.mbb for each in found])
    assert 0.5 < np.sqrt(np.mean((off - off.mean()) ** 2)) / np.mean([f.error for f in found]) < 1.7
    assert (
        off.mean()
        < np.mean([each.bias for each in found]) + 2 * np.mean([f.error for f in found]) / 12**0.5
    )


def test_flops_are_drawn_by_kind() -> None:
    flops = real_worst_cases.select_flops(100, 1)
    assert (len(set(flops.flops.tolist())), np.bincount(flops.strata).min()) == (100, 2)
    assert flops.compute_weights().sum() == pytest.approx(1.0)
    assert real_worst_cases.select_flops(None, None).compute_weights() @ np.ones(
        1755
    ) == pytest.approx(1.0)


@pytest.mark.usefixtures("quick")
def test_real_worst_case_of_a_strategy_that_differs_in_its_last_row_is_refused(
    tmp_path: Path,
) -> None:
    game = bucketed_limit_holdem(buckets=6, raise_cap=1)
    one = random_profile(game, 1)
    by_twelve = partial(find_real_worst_case, game, flops=12, seed=2, checkpoint=tmp_path / "flops")
    by_twelve(one)
    table = one.decision_probabilities.copy()
    row, bucket = np.argwhere((table > 0.0).sum(axis=2) > 1)[-1]
    used = np.flatnonzero(table[row, bucket] > 0.0)
    table[row, bucket, used] = table[row, bucket, used][::-1]
    other = BucketedProfile(game, table, np.arange(game.tree.num_decisions))
    assert row > 0
    with pytest.raises(CheckpointError, match="was written with strategy"):
        by_twelve(other)


def damaged(way: str, path: Path) -> None:
    """Damage a file of what is won on a flop."""
    kept = SavedFile.load(path, FORMAT)
    won = np.array(kept.arrays["won"])
    if way == "cut":
        path.write_bytes(path.read_bytes()[:100])
    elif way == "edited":
        held = dict(np.load(path))
        np.savez_compressed(path, **{**held, "won": 2.0 * won})
    elif way == "no array":
        SavedFile(kept.about, {}).save(path)
    elif way == "NaN":
        won[0, 0, 0, 0] = np.nan
        SavedFile(kept.about, {"won": won}).save(path)
    elif way == "wrong shape":
        SavedFile(kept.about, {"won": won[:1]}).save(path)
    else:
        SavedFile(kept.about, {"won": won.astype(np.float32)}).save(path)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "way", ["cut", "edited", "no array", "NaN", "wrong shape", "another type of numbers"]
)
def test_real_worst_case_with_damaged_file_makes_it_again(tmp_path: Path, way: str) -> None:
    again = partial(find_real_worst_case, GAME, GAME.uniform(), flops=12, seed=2)
    whole = again(checkpoint=tmp_path)
    path = sorted(tmp_path.glob("*.npz"))[0]
    damaged(way, path)
    with pytest.warns(UserWarning, match=r"is damaged .*; it is made again"):
        assert again(checkpoint=tmp_path) == whole
    assert again(checkpoint=tmp_path) == whole  # without a warning


def strategy_of_fixed_counts(
    response: Any, player: int, mean: Floats
) -> real_worst_cases.PreflopStrategy:
    """Return decisions that win a fixed part of what is won from the flop on, whatever is best."""
    counts = (1.0 + player) * np.ones(mean.shape[1:]) / mean[0].size
    return real_worst_cases.PreflopStrategy((mean * counts).sum(axis=(1, 2)), counts, 0.0)


def test_estimated_error_is_that_of_stratified_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_worst_cases, "compute_preflop_strategy", strategy_of_fixed_counts)
    monkeypatch.setattr(
        real_worst_cases, "compute_bucketed_winnings", lambda _: np.zeros((1755, 2, 169, 1))
    )
    flops = real_worst_cases.select_flops(40, 3)
    won = random_stream(4, "won").normal(size=(40, 2, 3, 169, 1))
    one_flop = [sum((1 + p) * won[k, p].sum() / 169 for p in (0, 1)) for k in range(40)]
    variance = 0.0
    for kind, (share, size) in enumerate(
        zip(flops.stratum_shares, flops.stratum_sizes, strict=True)
    ):
        sample = [each for each, of in zip(one_flop, flops.strata, strict=True) if of == kind]
        left_out = 1.0 - len(sample) / size
        variance += share**2 * left_out * statistics.variance(sample) / len(sample)
    _, error, _ = real_worst_cases.estimate_response_winnings(SimpleNamespace(), flops, won)
    assert error == pytest.approx(variance**0.5)


def test_estimated_of_flops_that_differ_by_luck_alone_is_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(real_worst_cases, "compute_preflop_strategy", strategy_of_fixed_counts)
    luck = random_stream(5, "luck").normal(size=(1755, 2, 169, 1))
    monkeypatch.setattr(real_worst_cases, "compute_bucketed_winnings", lambda _: luck)
    flops = real_worst_cases.select_flops(40, 3)
    won = np.zeros((40, 2, 3, 169, 1))
    won[:, :, -1] = luck[flops.flops]
    parts, error, _ = real_worst_cases.estimate_response_winnings(SimpleNamespace(), flops, won)
    shares = real_worst_cases.select_flops(None, None).compute_weights()
    mean = sum((1 + p) * (shares @ luck[:, p].sum(axis=(1, 2))) / 169 for p in (0, 1))
    assert parts.sum() == pytest.approx(mean)
    assert error == pytest.approx(0.0, abs=1e-12)


def test_choose_flops_draws_kinds_of_equal_size_independently() -> None:
    every, drawn = (
        real_worst_cases.select_flops(None, None),
        real_worst_cases.select_flops(1000, 1),
    )
    positions = []
    for kind, size in enumerate(every.stratum_sizes):
        own = np.flatnonzero(every.strata == kind).tolist()
        positions.append((size, [own.index(k) for k in drawn.flops[drawn.strata == kind]]))
    alike = [(one, other) for (a, one), (b, other) in combinations(positions, 2) if a == b and one]
    assert alike
    for one, other in alike:
        common = min(len(one), len(other))
        assert one[:common] != other[:common]


DRAWN = bucketed_limit_holdem(buckets=6, betting=AS_DRAWN)
test_what_is_refused = refused(
    (lambda: find_real_worst_case(GAME, GAME.always_call(), flops=20), "give a seed"),
    (lambda: find_real_worst_case(GAME, GAME.always_call(), flops=11, seed=1), "flops is 11"),
    (lambda: find_real_worst_case(DRAWN, DRAWN.always_call()), "which no table plays"),
)
