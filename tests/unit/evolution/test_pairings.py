"""Who meets whom two at a time, and what comes of it: against meetings played one by one."""

import tracemalloc

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import POINTS, GameError
from pokerlab.evolution.population import (
    AllPairs,
    Crossover,
    Elites,
    Profit,
    SampledOpponents,
    WeightedSum,
)
from pokerlab.holdem import RingGames, RuleEncoding, TableNetwork
from pokerlab.solvers import PopulationCoevolution
from pokerlab.strategies import DirectEncoding, Integers, RealVector
from tests.refusals import refused

KUHN = pl.games.kuhn()
NUMBERS = pl.games.intransitive_numbers(dimensions=2, largest=9)
VECTORS = RealVector(3)
GENOMES = VECTORS.draw_genomes(np.random.default_rng(1), 6)
PLAYED: list[tuple[float, float, int]] = []


def larger(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    PLAYED.append((a[0], b[0], seed))
    return float(np.sign(a[0] - b[0])) * (1 + seed % 3)


GAME = pl.games.contest(larger, name="larger", unit=POINTS)
AllPairs()(GAME, VECTORS, GENOMES, seed=1, generation=0)  # the first meetings of all are tried


def test_all_pairs_play_the_given_number_of_samples() -> None:
    PLAYED.clear()
    results = AllPairs(samples=3)(GAME, VECTORS, GENOMES, seed=4, generation=1)
    assert len(PLAYED) == results.num_hands == 15 * 3
    assert len({seed for *_, seed in PLAYED}) == 45
    assert results.hands.tolist() == [15] * 6
    assert (results.shared_hands == 3 * (1 - np.eye(6))).all()
    won = np.zeros((6, 6))
    for a, b, seed in list(PLAYED):
        one, other = (int(np.argmax(GENOMES[:, 0] == gene)) for gene in (a, b))
        won[one, other] += larger(GENOMES[one], GENOMES[other], seed)
    assert np.array_equal(results.won_from, won - won.T)
    first = np.sign(GENOMES[:, :1] - GENOMES[:, :1].T)
    assert results.profit == pytest.approx(results.won_from.sum(axis=1))
    assert results.hands_won.tolist() == (3 * (first > 0).sum(axis=1)).tolist()


@pytest.mark.parametrize("samples", [1, 3, 20])
@pytest.mark.parametrize("at_once", [1, 4, 7, 44])
def test_all_pairs_in_blocks_have_the_same_results(
    samples: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play_all(game: object) -> tuple[list[object], list[object]]:
        PLAYED.clear()
        results = AllPairs(samples=samples)(game, VECTORS, GENOMES, seed=4, generation=1)
        return [np.asarray(each).tolist() for each in results], list(PLAYED)

    at_a_time = play_all(GAME)
    monkeypatch.setattr("pokerlab.evolution.population.pairings.PAIRINGS_PER_BLOCK", at_once)
    sizes: list[int] = []
    spied = pl.games.contest(larger, name="larger", unit=POINTS)
    play_pairings = spied.play_pairings
    vars(spied)["is_checked"] = True
    vars(spied)["play_pairings"] = lambda *given: (
        sizes.append(len(given[-1])) or play_pairings(*given)
    )
    assert play_all(spied) == at_a_time
    assert sum(sizes) == 15 * samples
    assert max(sizes) <= max(at_once, samples)


@pytest.mark.parametrize("pairings", [AllPairs(samples=2), SampledOpponents(opponents=3)])
def test_pairings_draw_new_seeds_in_each_generation(pairings: AllPairs | SampledOpponents) -> None:
    def seeds_of(generation: int) -> set[int]:
        PLAYED.clear()
        pairings(GAME, VECTORS, GENOMES, seed=4, generation=generation)
        return {seed for *_, seed in PLAYED}

    assert seeds_of(1) == seeds_of(1)
    assert seeds_of(1).isdisjoint(seeds_of(2))


@pytest.mark.parametrize("draw", [0.0, -6e-18, 6e-18])
def test_pairings_with_a_draw_count_no_hand_won(draw: float) -> None:
    drawn = pl.games.contest(lambda a, b, seed: draw, name="draws", unit=POINTS)
    results = AllPairs()(drawn, VECTORS, GENOMES, seed=1, generation=0)
    assert results.hands.tolist() == [5] * 6
    assert results.hands_won.tolist() == [0] * 6


def test_sampled_opponents_are_different_ones() -> None:
    PLAYED.clear()
    results = SampledOpponents(opponents=2)(GAME, VECTORS, GENOMES, seed=4, generation=1)
    assert len(PLAYED) == 12
    drawn = {}
    for a, b, _ in PLAYED:
        drawn.setdefault(a, set()).add(b)
    assert all(len(others) == 2 and one not in others for one, others in drawn.items())
    assert results.shared_hands.sum() == 24
    again = SampledOpponents(opponents=2)(GAME, VECTORS, GENOMES, seed=4, generation=2)
    assert not np.array_equal(again.shared_hands, results.shared_hands)


def test_all_pairs_compute_both_seats_of_a_compiled_game() -> None:
    """Each pair's profile is evaluated twice, with seats exchanged."""
    encoding = DirectEncoding(KUHN)
    genomes = encoding.draw_genomes(np.random.default_rng(2), 5)
    results = AllPairs()(KUHN, encoding, genomes, seed=1, generation=0)
    profiles = [encoding.make_profile(genome) for genome in genomes]
    for a, one in enumerate(profiles):
        for b, other in enumerate(profiles):
            first = KUHN.values(one.replace(1, other))[0]
            second = KUHN.values(other.replace(1, one))[1]
            assert results.won_from[a, b] == pytest.approx(
                (first + second) / 2 * (a != b), abs=1e-11
            )


@pytest.mark.parametrize("pairings", [AllPairs(), SampledOpponents(opponents=4)])
@pytest.mark.parametrize(
    "game", [KUHN, pl.games.leduc(), NUMBERS], ids=["KP(2)", "Leduc", "numbers"]
)
def test_payoffs_computed_in_blocks_are_the_same(
    game: object, pairings: AllPairs | SampledOpponents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Payoffs of a compiled game are rounded to multiples of 2**-40 of the largest, and may differ by one of them."""
    encoding = DirectEncoding(game) if game is not NUMBERS else Integers(2, 0, 9)
    genomes = encoding.draw_genomes(np.random.default_rng(3), 12)
    at_once = pairings(game, encoding, genomes, seed=1, generation=0)
    monkeypatch.setattr("pokerlab.evolution.population.pairings.PAIRINGS_PER_BLOCK", 10)
    in_blocks = pairings(game, encoding, genomes, seed=1, generation=0)
    assert in_blocks.won_from == pytest.approx(at_once.won_from, rel=0, abs=1e-10)
    assert np.array_equal(in_blocks.shared_hands, at_once.shared_hands)
    assert np.array_equal(in_blocks.hands_won, at_once.hands_won)


def test_all_pairs_of_many_take_little_more_memory_than_results() -> None:
    """The results are two matrices, of 12 bytes a pair. A block and what it is computed from take at most 40 MB."""
    encoding = DirectEncoding(KUHN)
    genomes = encoding.draw_genomes(np.random.default_rng(4), 3000)
    AllPairs()(KUHN, encoding, genomes[:30], seed=1, generation=0)
    tracemalloc.start()
    results = AllPairs()(KUHN, encoding, genomes, seed=1, generation=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert results.won_from.shape == (3000, 3000)
    assert peak < 12 * 3000**2 + 40e6


def test_all_pairs_read_the_payoffs_of_a_symmetric_game() -> None:
    encoding = Integers(2, low=0, high=9)
    genomes = encoding.draw_genomes(np.random.default_rng(2), 7)
    results = AllPairs()(NUMBERS, encoding, genomes, seed=1, generation=0)
    wanted = NUMBERS.payoffs(genomes.astype(int), genomes.astype(int))
    assert np.array_equal(results.won_from, wanted)


def test_default_variation_follows_the_encoding() -> None:
    assert coevolution(GAME, RealVector(2, low=0, high=50)).variation == Crossover(
        widths=(5.0, 5.0, 0.0)
    )
    for encoding, own in ((RuleEncoding(), Crossover()), (TableNetwork(), WeightedSum())):
        assert (
            coevolution(
                RING, encoding, pairings=RingGames(), fitness=Profit(), selection=Elites()
            ).variation
            == own
        )


def test_coevolution_of_sums_increases_the_sums() -> None:
    sums = pl.games.contest(
        lambda a, b, seed: float(np.sign(a.sum() - b.sum())), name="sums", unit=POINTS
    )
    evolved = PopulationCoevolution(sums, RealVector(5), seed=1, size=20, pairings=AllPairs())
    state = evolved.step(evolved.init(), 30)
    assert evolved.init().population.mean() < 0.6 < 0.95 < state.population.mean()


def coevolution(game: object, encoding: object, **parts: object) -> PopulationCoevolution:
    return PopulationCoevolution(
        game, encoding, seed=1, **{"size": 6, "pairings": AllPairs()} | parts
    )  # type: ignore[arg-type]


RING = pl.holdem.ring_game(pl.holdem.limit(2), seats=4, stacks=50)
RESTLESS = pl.games.contest(
    lambda a, b, seed: float(np.random.default_rng().random()), name="restless", unit=POINTS
)
restless = coevolution(RESTLESS, VECTORS)
test_what_cannot_be_combined_is_refused = refused(
    (lambda: AllPairs(samples=0), "samples"),
    (lambda: SampledOpponents(opponents=0), "opponents"),
    (
        lambda: coevolution(GAME, VECTORS, pairings=SampledOpponents(opponents=6)),
        "Pass at most 5 opponents",
    ),
    (
        lambda: coevolution(GAME, VECTORS, pairings=AllPairs(samples=10**6), size=100),
        "4,950,000,000",
    ),
    (lambda: coevolution(pl.games.kuhn(3), VECTORS), GameError, "KP(3) is a zero-sum game for 3"),
    (lambda: coevolution(RING, RuleEncoding()), GameError, "RingGames()"),
    (lambda: coevolution(KUHN, VECTORS), GameError, "strategies.DirectEncoding(game)"),
    (
        lambda: coevolution(KUHN, DirectEncoding(pl.games.leduc())),
        GameError,
        "does not fit KP(2)",
    ),
    (lambda: coevolution(NUMBERS, VECTORS), GameError, "a strategy of intransitive numbers"),
    (
        lambda: coevolution(RING, VECTORS, pairings=RingGames()),
        "whose genomes are no such players",
    ),
    (lambda: coevolution(GAME, VECTORS, pairings=RingGames()), GameError, "the game of RingGames"),
    (lambda: restless.step(restless.init()), GameError, "played twice with seed"),
)
