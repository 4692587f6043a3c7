"""Who sits with whom in cash games, and what comes of it."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import GameError, UnknownNameError
from pokerlab.core.workers import run_in_threads
from pokerlab.evolution.population.protocol import Results
from pokerlab.holdem import RingGames, RuleEncoding, limit, ring_game
from tests.refusals import refused
from tests.unit.holdem.test_lineups import dealt_out_chip_by_chip

GAME = ring_game(limit(2), seats=4, stacks=60)
RULES = RuleEncoding()
GAMES, FEW = RingGames(games=25, hands=6), RingGames(games=12, hands=5)


def met_by(matches: RingGames, players: int, workers: int = 1) -> Results:
    genomes = RULES.draw_genomes(np.random.default_rng(1), players)
    work_divider = partial(run_in_threads, workers=workers)
    return matches(GAME, RULES, genomes, seed=3, generation=2, work_divider=work_divider)


@pytest.mark.parametrize("draw", ["independent", "balanced"])
@pytest.mark.parametrize("players", [4, 5, 13, 100])
def test_lineups_seat_no_player_twice(draw: str, players: int) -> None:
    seats = RingGames(games=60, draw=draw).draw_lineups(players, 4, seed=1, generation=0)
    assert seats.shape == (60, 4)
    assert all(len(set(table)) == 4 for table in seats.tolist())
    assert seats.min() >= 0
    assert seats.max() < players


@pytest.mark.parametrize("players", [4, 5, 13, 100])
def test_balanced_counts_differ_by_at_most_one_after_each_game(players: int) -> None:
    seats = RingGames(games=60, draw="balanced").draw_lineups(players, 4, seed=1, generation=0)
    for game in range(1, 61):
        counts = np.bincount(seats[:game].ravel(), minlength=players)
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("draw", ["independent", "balanced"])
def test_lineups_seat_all_players_equally_often(draw: str) -> None:
    """Five at a table of four: in turns the last two would always be first, were seats not drawn."""
    seats = RingGames(games=4000, draw=draw).draw_lineups(5, 4, seed=2, generation=1)
    counts = np.array([np.bincount(column, minlength=5) for column in seats.T])
    assert np.abs(counts - 800).max() < 4.5 * np.sqrt(4000 * 0.2 * 0.8)
    left_out = np.array([(set(range(5)) - set(table)).pop() for table in seats.tolist()])
    if draw == "independent":
        twice = np.mean(left_out[1:] == left_out[:-1])
        assert twice == pytest.approx(0.2, abs=4 * 0.4 / np.sqrt(3999))
    else:
        assert (np.sort(left_out.reshape(-1, 5), axis=1) == np.arange(5)).all()
        first_seat = seats[1:, 0] == left_out[:-1]
        assert np.mean(first_seat) == pytest.approx(0.25, abs=4 * 0.43 / np.sqrt(3999))


def test_lineups_depend_on_seed_and_generation() -> None:
    def lineup(seed: int, generation: int) -> Any:
        return GAMES.draw_lineups(30, 4, seed, generation).tolist()

    assert lineup(1, 0) == lineup(1, 0)
    assert lineup(1, 0) != lineup(1, 1) != lineup(2, 1)


def test_results_are_those_of_a_slow_recount() -> None:
    players, met = 7, met_by(FEW, 7, workers=2)
    company = RULES.make_players(RULES.draw_genomes(np.random.default_rng(1), players))
    seats = FEW.draw_lineups(players, 4, 3, 2)
    first = 2 * 12 * 5
    again = GAME.play(company, 5, seed=3, lineups=seats, first=first, record=True)
    profit, hands, hands_won = np.zeros((3, players), int)
    won_from, together, shared_hands = np.zeros((3, players, players), int)
    for game, table in enumerate(seats.tolist()):
        for number in range(first + 5 * game, first + 5 * game + 5):
            hand = again.replay_hand(number)
            pots = dealt_out_chip_by_chip(hand)
            for seat, player in enumerate(table):
                profit[player] += hand.payoffs[seat]
                hands[player] += 1
                hands_won[player] += hand.payoffs[seat] > 0
                for other, opponent in enumerate(table):
                    won_from[player, opponent] += pots[seat, other]
                    together[player, opponent] += hand.payoffs[seat]
                    shared_hands[player, opponent] += 1
    won = (60, profit, hands, hands_won, again.actions.sum(axis=1), np.zeros((0, players)))
    expected = Results(*won, won_from, together, shared_hands)
    for name, ours, theirs in zip(Results._fields, met, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)
    assert np.abs(won_from).max() > 0


def test_won_from_keeps_the_hands() -> None:
    uncounted = met_by(RingGames(games=25, hands=6, pots=False), 9)
    assert uncounted.won_from.shape == (0, 0)
    assert (uncounted.won_in_shared_games == met_by(GAMES, 9).won_in_shared_games).all()


test_bad_input_is_answered = refused(
    (lambda: RingGames(games=0), "games is 0; it must be an integer from 1"),
    (lambda: RingGames(hands=2.5), "hands is 2.5; it must be an integer"),
    (lambda: RingGames(draw="fair"), UnknownNameError, "there are: independent, balanced"),
    (lambda: RingGames(pots=1), "pots is 1; it must be True or False"),
    (lambda: RingGames(games=10**6, hands=10**6), "1,000,000 games of 1,000,000"),
    (lambda: GAMES.check_game(games.kuhn(), 9, 9), GameError, "the game of RingGames is <KP(2)"),
    (lambda: GAMES.check_game(None, 9, 9), GameError, "the game of RingGames is None"),
    (lambda: GAMES.check_game(GAME, 3, 5), "3 players do not fill a table of 4 seats"),
)
