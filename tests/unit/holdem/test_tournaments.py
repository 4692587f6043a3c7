"""Tournaments of everybody: seats drawn by name, results of a slow recount, parts that fit; worth by rank."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import rankdata

from pokerlab.core import GameError, UnknownNameError
from pokerlab.core.workers import run_in_threads
from pokerlab.evolution.population import HandsWon, MeanRank
from pokerlab.evolution.population.protocol import Results
from pokerlab.holdem import (
    Tournaments,
    limit,
    make_doubling_schedule,
    no_limit,
    ring_game,
    tournament,
)
from pokerlab.holdem.pairings import convert_tournaments_to_results
from pokerlab.holdem.tournament_game import Tournament
from tests.refusals import refused
from tests.unit.evolution.populations import results_of_three
from tests.unit.evolution.thresholds import Thresholds

STACKS = 300
GAME = tournament(
    make_doubling_schedule(no_limit(5, 10), 6, chips=6 * STACKS), entrants=6, seats=6, stacks=STACKS
)
MATCHES = Tournaments(count=8)
RULES = Thresholds()
GENOMES = RULES.draw_genomes(np.random.default_rng(1), 6)


def played(game: Tournament = GAME, genomes: np.ndarray = GENOMES, workers: int = 1) -> Results:
    work_divider = partial(run_in_threads, workers=workers)
    return MATCHES(game, RULES, genomes, seed=3, generation=2, work_divider=work_divider)


def test_results_are_those_of_tournaments_played_one_by_one() -> None:
    """Tournament 2 of generation 2, of 8 a generation, is number 18 with that number's cards."""
    results = played(workers=3)
    lineups = MATCHES.draw_lineups(6, seed=3, generation=2, first_tournament=0, end_tournament=8)
    company = RULES.make_players(GENOMES)
    profit, hands, hands_won = np.zeros((3, 6), int)
    for number, lineup in enumerate(lineups.tolist()):
        one = GAME.play(company, [lineup], seed=3, first=16 + number)
        for place, player in enumerate(lineup):
            assert results.ranks[number, player] == one.ranks[0, 0, place]
            profit[player] += one.chips[0, 0, place] - STACKS
            hands[player] += one.rounds_played[0, 0, place]
            hands_won[player] += one.won[0, 0, place]
    assert (results.profit == profit).all()
    assert (results.hands == hands).all()
    assert (results.hands_won == hands_won).all()
    assert hands_won.sum() >= results.num_hands
    assert results.ranks.shape == (8, 6)


def test_lineups_depend_on_seed_generation_and_number() -> None:
    seats = Tournaments(count=3000).draw_lineups(
        6, seed=1, generation=0, first_tournament=0, end_tournament=3000
    )
    assert (np.sort(seats, axis=1) == np.arange(6)).all()
    for column in seats.T:
        assert np.abs(np.bincount(column) - 500).max() < 4.5 * np.sqrt(3000 * 5 / 36)
    assert (MATCHES.draw_lineups(6, 1, 0, 2, 5) == seats[2:5]).all()
    assert (MATCHES.draw_lineups(6, 1, 1, 2, 5) != seats[2:5]).any()
    assert (MATCHES.draw_lineups(6, 2, 0, 2, 5) != seats[2:5]).any()


def test_fewer_than_all_may_enter_while_halls_are_not_full() -> None:
    few = played(genomes=GENOMES[:4])
    assert few.ranks.shape == (8, 4)
    assert (few.ranks.sum(axis=1) == 10).all()
    assert few.profit.sum() == 0


def test_met_at_rejects_stopped_tournaments() -> None:
    placed = replace(GAME, most_hands=2).play(RULES.make_players(GENOMES), [range(6)] * 3, seed=3)
    with pytest.raises(GameError, match="3 of 3 tournaments were stopped after 2 hands"):
        convert_tournaments_to_results(placed)


@pytest.mark.parametrize(("entrants", "tables"), [(2, ""), (6, ""), (7, " at tables of 6")])
def test_tournament_name_has_tables_only_if_several(entrants: int, tables: str) -> None:
    game = tournament(GAME.schedule, entrants, seats=min(entrants, 6), stacks=STACKS)
    assert game.name == f"no-limit hold'em tournament from 5/10 with {entrants} entrants{tables}"


RANKS = np.array([[1.0, 2.0, 3.5, 3.5, 5.0], [5.0, 4.0, 1.0, 2.0, 3.0]])
OF_TWO = np.array([0, 0, 1, 1, 0])
"""The last one is in the hall of the first population."""


def ranked() -> Results:
    return results_of_three(ranks=RANKS, hands=np.full(5, 10), hands_won=np.array([1, 2, 3, 4, 0]))


def test_worth_is_minus_the_mean_rank_among_all_or_among_its_own() -> None:
    everybody = MeanRank()(ranked(), OF_TWO)
    assert everybody.values.tolist() == [-3.0, -3.0, -2.25, -2.75, -4.0]
    own = MeanRank(among="own population")(ranked(), OF_TWO)
    # First tournament: 1, 2, 3 of the first population, a tie in the second; then 3, 2, 1 and 1, 2.
    assert own.values.tolist() == [-2.0, -2.0, -1.25, -1.75, -2.0]
    assert own.matrix.shape == (0, 0)
    alone = MeanRank(among="own population")(ranked(), np.zeros(5, int))
    assert (alone.values == everybody.values).all()


def test_places_among_its_own_are_those_of_a_slow_count() -> None:
    generator = np.random.default_rng(5)
    ranks = rankdata(generator.integers(0, 9, (30, 12)), axis=1)
    of = generator.integers(0, 3, 12)
    results = results_of_three(ranks=ranks, hands=np.ones(12, int))
    score = MeanRank(among="own population")(results, of).values
    for player in range(12):
        places = []
        for row in ranks:
            others = [row[o] for o in range(12) if of[o] == of[player] and o != player]
            ahead = sum(1.0 * (o < row[player]) + 0.5 * (o == row[player]) for o in others)
            places.append(1 + ahead)
        assert score[player] == pytest.approx(-np.mean(places), abs=1e-12)


def test_hands_won_in_all_or_a_hand() -> None:
    assert HandsWon()(ranked(), OF_TWO).values.tolist() == [1, 2, 3, 4, 0]
    share = HandsWon(per="a hand")(ranked(), OF_TWO)
    assert share.values == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.0])
    nobody = results_of_three(ranks=RANKS, hands=np.zeros(5, int), hands_won=np.zeros(5, int))
    assert (HandsWon(per="a hand")(nobody, OF_TWO).values == 0).all()


test_bad_input_is_answered = refused(
    (lambda: Tournaments(count=0), "count is 0; it must be an integer from 1"),
    (lambda: MATCHES.check_game(None, 6, 6), GameError, "the game of Tournaments is None"),
    (
        lambda: MATCHES.check_game(ring_game(limit(2)), 6, 6),
        GameError,
        "the game of Tournaments is",
    ),
    (lambda: MATCHES.check_game(GAME, 4, 8), "has 6 entrants; populations and halls have"),
    (lambda: MeanRank(among="all"), UnknownNameError, "there are: everybody, own population"),
    (lambda: HandsWon(per="game"), UnknownNameError, "there are: in all, a hand"),
    (lambda: MeanRank()(results_of_three(), np.zeros(3, int)), "these pairings have no"),
)
