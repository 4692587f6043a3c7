"""Contests: what is played, what is refused, and that equal rules have equal fingerprints."""

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import numba
import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import POINTS, GameError, PokerlabError
from pokerlab.core.workers import run_in_threads
from pokerlab.games.contests import Contest
from tests.hangs import HANG_SECONDS, wait_until
from tests.refusals import refused

GENOMES = np.arange(8.0).reshape(4, 2)
FIRST, SECOND, SEEDS = np.array([0, 1, 3]), np.array([1, 2, 0]), np.array([5, 6, 7])


def difference(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    return float(a.sum() - b.sum() + seed)


compiled = numba.njit(difference)


def with_bonus(a: np.ndarray, b: np.ndarray, seed: int, **bonus: object) -> float:
    return difference(a, b, seed) + len(bonus)


class Judge:
    def __call__(self, a: np.ndarray, b: np.ndarray, seed: int) -> float:
        return difference(a, b, seed)


def contest(play: object = difference, *, symmetric: bool = True) -> Contest:
    return pl.games.contest(play, name="sums", unit=POINTS, symmetric=symmetric)  # type: ignore[arg-type]


def won(game: Contest) -> list[float]:
    return game.play_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS).tolist()


@pytest.mark.parametrize("play", [difference, compiled])
def test_won_equals_play(play: object) -> None:
    assert won(contest(play)) == [1 - 5 + 5, 5 - 9 + 6, 13 - 1 + 7]


@pytest.mark.parametrize("play", [difference, compiled])
def test_asymmetric_contest_plays_both_positions(play: object) -> None:
    """The seed, which favors whoever is first, cancels."""
    assert won(contest(play, symmetric=False)) == [-4, -4, 12]


def test_fingerprint_changes_with_code_that_play_uses() -> None:
    def twice(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        return 2 * float(a.sum() - b.sum() + seed)

    def made(factor: float) -> Contest:
        return contest(lambda a, b, seed: factor * difference(a, b, seed))

    assert contest().fingerprint == contest().fingerprint != contest(twice).fingerprint
    assert contest().fingerprint != contest(symmetric=False).fingerprint

    def given(**bonus: object) -> Contest:
        return contest(partial(with_bonus, **bonus))

    assert made(2.0).fingerprint == made(2.0).fingerprint != made(3.0).fingerprint
    long = np.zeros(5000)
    for one, other in (
        ({"table": long}, {"table": long + np.eye(1, 5000, 2500)[0]}),
        ({"by": {1: 2}}, {"by": {1: 3}}),
    ):
        assert given(**one).fingerprint == given(**one).fingerprint != given(**other).fingerprint
    assert contest(Judge()).fingerprint == contest(Judge()).fingerprint


def test_check_rejects_play_that_is_not_repeatable() -> None:
    draws = np.random.default_rng(1)
    restless = contest(lambda a, b, seed: float(draws.random()))
    with pytest.raises(GameError, match="played twice with seed 5"):
        restless.check_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS)
    contest().check_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS)


def test_check_rejects_a_later_pairing_that_differs() -> None:
    draws = np.random.default_rng(1)
    restless = contest(lambda a, b, seed: float(draws.random()) if seed == 7 else 0.0)
    with pytest.raises(GameError, match="strategies 3 and 0 played twice with seed 7"):
        restless.check_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS)


def test_stop_names_the_pairing() -> None:
    def hangs(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        if a[0] == 2.0:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(KeyboardInterrupt) as stopped:
        won(contest(hangs))
    assert stopped.value.__notes__ == [
        "sums was stopped while strategies 1 and 2 played, with seed 6."
    ]


def endless(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    while a[0] == 2.0:
        pass
    return 0.0


@numba.njit(nogil=True)
def long_sum(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    total = 0.0
    for k in range(int(a[0] == 2.0) * 10**8):
        total = np.sin(total + k)
    return total


def by_two(game: Contest) -> list[float]:
    """Return what is won in meetings that two threads share."""

    def part(low: int, high: int) -> list[float]:
        each = FIRST[low:high], SECOND[low:high], SEEDS[low:high]
        return game.play_pairings(GENOMES, GENOMES, *each).tolist()

    return [one for some in run_in_threads(part, 0, 3, workers=2) for one in some]


@pytest.mark.parametrize("play", [endless, long_sum])
def test_hung_pairing_in_worker_is_named_after_seconds(play: object) -> None:
    game = pl.games.contest(play, name="sums", unit=POINTS, seconds=0.3)  # type: ignore[arg-type]
    with pytest.raises(
        GameError, match=r"strategies 1 and 2 have played for more than 0\.3 seconds"
    ):
        by_two(game)
    assert by_two(contest()) == won(contest())


def endless_once(began: threading.Event) -> Contest:
    """Return a contest that says when the meeting begins which never ends."""

    def play(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        if a[0] == 2.0:
            began.set()
        return endless(a, b, seed)

    return contest(play)


def send_signal() -> None:
    """Send a signal that ends the wait of the main thread."""
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # type: ignore[arg-type]


def miss_wait() -> None:
    """Be a signal that came just before the main thread began to wait, which therefore goes on."""
    time.sleep(0.2)  # until it waits; on a busy machine it may not, and then notices at once
    _thread.interrupt_main()


@pytest.mark.parametrize("interrupt", [send_signal, miss_wait])
def test_stopped_pairing_in_worker_is_named_and_ended(interrupt: Callable[[], None]) -> None:
    before, began = threading.active_count(), threading.Event()

    def stop() -> None:
        began.wait(HANG_SECONDS)
        interrupt()

    # Whoever runs tests in the background may have stops ignored.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=stop).start()
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            by_two(endless_once(began))
    finally:
        signal.signal(signal.SIGINT, ours)
    words = "sums was stopped while strategies 1 and 2 played, with seed 6."
    assert words in stopped.value.__notes__
    wait_for_threads(before)


def test_run_in_threads_without_threads_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()

    class Scarce(ThreadPoolExecutor):
        def submit(self, *given: object, **named: object) -> Future:  # type: ignore[override, type-arg]
            if given[3] == 3:  # the second range ends there
                raise RuntimeError("can't start new thread")
            return super().submit(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("pokerlab.core.workers.ThreadPoolExecutor", Scarce)
    with pytest.raises(RuntimeError, match="new thread"):
        by_two(contest())
    wait_for_threads(before)


@pytest.mark.parametrize("last", [1, 3])
def test_stop_ends_work_in_threads(last: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()

    class Interrupted(ThreadPoolExecutor):
        def submit(self, *given: object, **named: object) -> Future:  # type: ignore[override, type-arg]
            future = super().submit(*given, **named)  # type: ignore[arg-type]
            if given[3] == last:  # where its range ends
                raise KeyboardInterrupt
            return future

    monkeypatch.setattr("pokerlab.core.workers.ThreadPoolExecutor", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        by_two(contest(endless))
    wait_for_threads(before)


def wait_for_threads(count: int) -> None:
    wait_until(lambda: threading.active_count() <= count, "each thread ends")


def test_check_rejects_a_favored_position() -> None:
    def first_wins(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        return 1.0

    def by_luck(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        return 1.0 if np.random.default_rng(seed).random() < 0.5 else -1.0

    meetings = GENOMES, GENOMES, FIRST, SECOND, SEEDS
    with pytest.raises(GameError, match="Give symmetric=False"):
        contest(first_wins).check_pairings(*meetings)
    contest(first_wins, symmetric=False).check_pairings(*meetings)
    contest(by_luck).check_pairings(*meetings)


def test_check_ignores_rounding_in_a_drawn_contest() -> None:
    """With some processors' kernels a draw computed by matrix products is -6e-18 in both places."""
    always_draws = contest(lambda a, b, seed: -6e-18)
    always_draws.check_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS)


def test_check_skips_play_against_oneself() -> None:
    def first_place_wins(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        return 1.0

    unfair, everyone = contest(first_place_wins), np.arange(4)
    unfair.check_pairings(GENOMES, GENOMES, everyone, everyone, everyone)
    unfair.check_pairings(GENOMES, GENOMES.copy(), everyone, everyone, everyone)
    with pytest.raises(GameError, match="strategy 1 wins 1 from 2, which wins 1 when it is first"):
        unfair.check_pairings(GENOMES, GENOMES, np.array([0, 3, 1]), np.array([0, 3, 2]), SEEDS)


def test_check_rejects_a_position_advantage_of_half_a_percent() -> None:
    def first_place_wins_more(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        difference = float(a.sum() - b.sum())
        return difference * (1.005 if difference > 0 else 1.0)

    with pytest.raises(GameError, match="Give symmetric=False"):
        contest(first_place_wins_more).check_pairings(GENOMES, GENOMES, FIRST, SECOND, SEEDS)


def test_check_accepts_chance_in_one_position_only() -> None:
    """Strategy 0 gambles only when it is second, so its results differ from seed to seed in that place."""

    def gambles_when_second(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        if b[0] != 0.0:
            return 1.0
        return 1.0 if np.random.default_rng(seed).random() < 0.5 else -1.0

    one, other = np.array([0]), np.array([1])
    contest(gambles_when_second).check_pairings(GENOMES, GENOMES, one, other, SEEDS[:1])


@pytest.mark.parametrize("collect", [lambda table: [table], lambda table: {"payoffs": table}])
def test_fingerprint_changes_with_a_long_array_in_a_collection(
    collect: Callable[[np.ndarray], Any],
) -> None:
    """The text of a long array has three dots for most of its numbers."""

    def with_table(number: float) -> Contest:
        tables = collect(np.r_[np.zeros(1000), number, np.zeros(1000)])

        def play(a: np.ndarray, b: np.ndarray, seed: int) -> float:
            return float(a.sum() - b.sum()) * len(tables)

        return contest(play)

    assert with_table(1.0).fingerprint == with_table(1.0).fingerprint
    assert with_table(1.0).fingerprint != with_table(2.0).fingerprint


def test_description_of_a_set_is_the_same_in_every_process() -> None:
    words = ["call", "check", "fold", "raise"]
    code = (
        f"from pokerlab.games.contests import describe_value; some = set({words});"
        " print(list(some)); print(describe_value(some))"
    )
    orders, texts = zip(
        *(
            subprocess.run(
                [sys.executable, "-c", code],
                env={**os.environ, "PYTHONHASHSEED": str(seed)},
                capture_output=True,
                text=True,
                check=True,
            ).stdout.splitlines()
            for seed in (0, 1)
        ),
        strict=True,
    )
    assert orders[0] != orders[1]
    assert texts[0] == texts[1]


def test_fingerprint_changes_with_a_default_argument() -> None:
    def with_default(rate: float) -> Contest:
        def play(a: np.ndarray, b: np.ndarray, seed: int, *, scale: float = rate) -> float:
            return scale * difference(a, b, seed)

        def by_position(a: np.ndarray, b: np.ndarray, seed: int, scale: float = rate) -> float:
            return scale * difference(a, b, seed)

        return contest(play if rate > 0 else by_position)

    for one, other in ((1.0, 2.0), (-1.0, -2.0)):
        assert with_default(one).fingerprint != with_default(other).fingerprint


class Clock:
    """Stands still unless it is moved, so that a busy machine changes nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("pokerlab.games.contests.monotonic", lambda: self.now)
        monkeypatch.setattr("pokerlab.games.contests.LONGEST_WAIT", 0.005)


def test_seconds_limit_each_pairing_and_not_their_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    def lasts_six_seconds(a: np.ndarray, b: np.ndarray, seed: int) -> float:
        time.sleep(0.05)
        clock.now += 6.0
        return 0.0

    game = pl.games.contest(lasts_six_seconds, name="slow", unit=POINTS, seconds=10.0)
    assert played_in_a_thread(game) == [0.0] * 3


def test_seconds_do_not_count_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    game = pl.games.contest(difference, name="compiled at first", unit=POINTS, seconds=10.0)
    pairings_loop, compiled_already = game.pairings_loop, threading.Event()

    def compile_and_play(*given: object) -> None:
        if not compiled_already.is_set():
            compiled_already.set()
            clock.now += 100.0
        time.sleep(0.1)
        pairings_loop(*given)

    vars(game)["pairings_loop"] = compile_and_play
    assert played_in_a_thread(game) == won(contest())


def played_in_a_thread(game: Contest) -> list[float]:
    """Return what is won where the user cannot stop a meeting, so that its time counts."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(won, game).result()


def test_contest_has_no_exploitability() -> None:
    genes = pl.strategies.RealVector(2)
    coevolution = pl.solvers.MinimaxCoevolution(contest(symmetric=False), seed=1, encoding=genes)
    with pytest.raises(GameError, match="what evolved responses"):
        _ = coevolution.init().exact_value
    memory = pl.solvers.NashMemory(
        contest(symmetric=False), encoding=genes, heuristic=pl.solvers.Mutants(seed=1)
    )
    with pytest.raises(GameError, match="to search for one"):
        _ = memory.init().best_response
    with pytest.raises(GameError, match="give an encoding="):
        pl.solvers.NashMemory(contest(), heuristic=pl.solvers.Mutants(seed=1))
    with pytest.raises(PokerlabError, match="Give a heuristic="):
        pl.solvers.NashMemory(contest(), encoding=genes)


test_bad_contests_are_refused = refused(
    (lambda: contest(3), "give a function of two strategies and a seed"),
    (lambda: pl.games.contest(difference, name="sums", unit="points"), "pokerlab.core.POINTS"),  # type: ignore[arg-type]
    (lambda: contest(symmetric=1), "symmetric"),  # type: ignore[arg-type]
    (lambda: won(contest(lambda a, b, seed: np.nan)), GameError, "wins nan from strategy 1 with"),
    (
        lambda: won(contest(lambda a, b, seed: "all")),
        GameError,
        "wins 'all' from strategy 1 with seed 5",
    ),
    (lambda: won(contest(lambda a, b, seed: 1 / (a[0] - 2))), GameError, "1 and 2 with seed 6"),
)


@pytest.mark.parametrize(
    "answer", ["3", b"3", None, 1j, [3.0], np.array([3.0]), np.array([3.0, 4.0])]
)
def test_contest_with_play_that_returns_no_number_is_refused(answer: object) -> None:
    of = Contest(lambda a, b, seed: answer, "odd", POINTS)  # type: ignore[arg-type, return-value]
    with pytest.raises(GameError, match=r"play says that strategy 0 wins .*; it must be a finite"):
        of.play_in_given_positions(GENOMES, GENOMES, FIRST, SECOND, SEEDS)


@pytest.mark.parametrize("answer", [3, True, np.float32(3.0), np.array(3.0)])
def test_contest_with_play_that_returns_any_number_counts_it(answer: object) -> None:
    of = Contest(lambda a, b, seed: answer, "fair", POINTS)  # type: ignore[arg-type, return-value]
    assert (
        of.play_in_given_positions(GENOMES, GENOMES, FIRST, SECOND, SEEDS)
        == float(np.squeeze(answer))
    ).all()  # type: ignore[arg-type]
