"""Tree search as the worst case of a coevolution."""

import math

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import GameError
from pokerlab.holdem import TupleTable
from pokerlab.holdem.bucketed_holdem import bucketed_limit_holdem
from pokerlab.solvers import MinimaxCoevolution, SequenceFormLP
from pokerlab.solvers.tree_search import TreeSearch, make_search_key
from pokerlab.solvers.worst_case import ExactWorstCase
from pokerlab.strategies import DirectEncoding
from tests.oracles.search import NEAR, claimed_to_seen
from tests.random_bucketed import random_buckets, random_table
from tests.random_games import random_profile
from tests.refusals import refused

WHOLE = TreeSearch(depth=None)
ROUNDING = 1e-12


@pytest.mark.parametrize(
    "game",
    [
        *(games.kuhn(), games.kuhn(3), games.biased_rps(), games.leduc(isomorphic=True)),
        games.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]]),  # what a profile wins is no gain
    ],
    ids=lambda game: game.name,
)
def test_tree_search_of_all_levels_finds_nash_conv(game: games.SequenceForm) -> None:
    profile = random_profile(game, 1)
    found = WHOLE.exploitability(game, profile, seed=1)
    assert found.value == pytest.approx(game.nash_conv(profile), abs=ROUNDING)
    assert (found.standard_error, found.played) == (0.0, 0)


def test_tree_search_in_bucketed_holdem_sums_both_seats() -> None:
    game = bucketed_limit_holdem(random_buckets(2), raise_cap=2)
    assert WHOLE.exploitability(game, game.always_fold(), seed=1).value == pytest.approx(1.5)
    profile = random_table(game, 1)
    found = WHOLE.exploitability(game, profile, seed=1)
    assert found.value == pytest.approx(game.nash_conv(profile), abs=ROUNDING)


def test_measure_uses_an_own_random_stream_for_each_genome() -> None:
    encoding = DirectEncoding(games.leduc(isomorphic=True))
    search = TreeSearch(depth=2, iterations=10)
    genomes = np.stack([encoding.default_start, encoding.default_start])
    measured = search.measure_losses(encoding, genomes, seed=1, generation=3, individuals=(0, 1))
    assert measured.values[0] != measured.values[1]
    second = search.measure_losses(encoding, genomes[1:], seed=1, generation=3, individuals=(1,))
    assert second.values[0] == measured.values[1]
    assert (measured.errors > 0.0).all()
    assert measured.evaluations == 2 * second.evaluations > 0
    exact = ExactWorstCase().measure_losses(encoding, genomes).values
    assert (measured.values < exact).all()
    whole = WHOLE.measure_losses(encoding, genomes, seed=1, generation=3, individuals=(0, 1))
    assert whole.values == pytest.approx(exact, abs=ROUNDING)
    assert WHOLE.exact
    assert not search.exact


def test_standard_error_covers_both_seats() -> None:
    game = games.leduc(isomorphic=True)
    profile, search = random_profile(game, 5), TreeSearch(depth=2, iterations=30)
    found = [search.exploitability(game, profile, seed=seed) for seed in range(200)]
    ratio = claimed_to_seen((each.value, each.standard_error) for each in found)
    assert NEAR[0] < ratio < NEAR[1]
    seats = [search.search_seat(game, profile, player, 1, (0, 0)) for player in (0, 1)]
    assert found[1].value == pytest.approx(sum(seat.value for seat in seats))
    assert found[1].standard_error == pytest.approx(math.hypot(*(s.standard_error for s in seats)))
    assert min(seat.standard_error for seat in seats) > 0.0
    encoding = DirectEncoding(game)
    genomes = encoding.default_start[None, :]
    measured = search.measure_losses(encoding, genomes, seed=1, generation=0, individuals=(0,))
    again = search.exploitability(game, encoding.make_profile(encoding.default_start), seed=1)
    assert (measured.values[0], measured.errors[0]) == (again.value, again.standard_error)


def test_search_key_differs_by_seed_seat_generation_and_genome() -> None:
    keys = {
        make_search_key(seed, player, (generation, individual))
        for seed in (1, 2)
        for player in (0, 1)
        for generation in (0, 1)
        for individual in (0, 1)
    }
    assert len(keys) == 16


def test_minimax_with_tree_search_solves_kuhn_poker() -> None:
    game = games.kuhn()
    by_search = MinimaxCoevolution(game, seed=1, worst_case=TreeSearch())
    by_replies = MinimaxCoevolution(game, seed=1)
    states = [solver.step(solver.init(), 30) for solver in (by_search, by_replies)]
    assert states[0].best_value == pytest.approx(states[1].best_value, abs=1e-9)
    assert states[0].best_value < 0.2
    assert abs(states[0].gap) < ROUNDING


def test_minimax_with_full_tree_search_equals_exact_worst_case() -> None:
    game = bucketed_limit_holdem(random_buckets(2), raise_cap=2)
    genes = TupleTable(game, positive="softmax")
    evolving, by_replies = (
        MinimaxCoevolution(game, seed=1, encoding=genes, worst_case=judge)
        for judge in (WHOLE, ExactWorstCase())
    )
    searched, replied = (solver.step(solver.init(), 3) for solver in (evolving, by_replies))
    assert (searched.best == replied.best).all()
    assert searched.best_value == pytest.approx(searched.exact_value, abs=ROUNDING)
    assert searched.best_value < evolving.init().best_value


def test_tree_search_of_a_known_equilibrium_finds_zero() -> None:
    game = games.one_card_poker(13)
    solution = SequenceFormLP(game).solve()
    total = TreeSearch().exploitability(game, solution.profile, seed=1).value
    assert abs(total) <= 1e-5  # the paper's '5 log-precisions close to 0'


NUMBERS = games.intransitive_numbers()
test_tree_search_rejects_other_games_and_bad_settings = refused(
    (
        lambda: TreeSearch().exploitability(NUMBERS, None, seed=1),
        GameError,
        "neither a compiled game",
    ),
    (lambda: TreeSearch(depth=0), "depth is 0"),  # as `SearchSettings` says it, like the others
    (lambda: TreeSearch(merged=1), "merged is 1; it must be True or False"),
)
