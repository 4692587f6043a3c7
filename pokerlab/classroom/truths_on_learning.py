"""The right answers to exercises of lessons 06 to 09b, on learning by regret and on coevolution.

As in `truths_on_games`, parameters that an exercise does not have give the answers of common mistakes. Programs that
begin with `judge` turn an answer that can be right in many ways into numbers that are the same for each right answer.
"""

from collections.abc import Callable
from itertools import product
from math import inf, log
from typing import Any

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.classroom.answers import number_phrases
from pokerlab.classroom.truths_on_games import BIASED_RPS_PAYOFFS, SEED
from pokerlab.core import Floats, Ints, random_stream
from pokerlab.games import Profile


def trace_fictitious_play(memory: int = 8, player_2_sign: int = -1) -> list[tuple[int, int]]:
    """Return the actions of both players in eight rounds of fictitious play, for the 2 x 2 game of lesson 06.

    Parameters
    ----------
    memory : int
        The number of the other player's last actions to which a player responds.
    player_2_sign : {-1, 1}
        -1 if player 2 wants player 1's payoff to be small, and 1 if player 2 wants it to be large, by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    action_pairs = [(0, 0)]
    while len(action_pairs) < 8:
        rows, columns = np.transpose(action_pairs[-memory:])
        row = int(table[:, columns].sum(axis=1).argmax())
        column = int((player_2_sign * table[rows].sum(axis=0)).argmax())
        action_pairs.append((row, column))
    return action_pairs


def run_regret_matching(
    rounds: int, divisor: int | None = None, regret_factor: float = 1, player_2_sign: int = -1
) -> Floats:
    """Return both players' two regrets after rounds of regret matching in the game of lesson 06, then NashConv, (5,).

    Parameters
    ----------
    rounds : int
        The number of rounds.
    divisor : int, optional
        The number by which the sum of the largest regrets is divided, by default that of the rounds.
    regret_factor : float
        By which the regrets so far are multiplied in each round; 1 is right.
    player_2_sign : {-1, 1}
        -1 if player 2 wants player 1's payoff to be small, and 1 if player 2 wants it to be large, by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    positive_regrets, regrets = np.ones((2, 2)), np.zeros((2, 2))  # a row for each player
    for _ in range(rounds):
        x, y = positive_regrets / positive_regrets.sum(axis=1, keepdims=True)
        expected_payoff = x @ table @ y
        gains_1 = table @ y - expected_payoff
        gains_2 = player_2_sign * (x @ table - expected_payoff)
        regrets = regret_factor * regrets + [gains_1, gains_2]
        positive_regrets = np.maximum(regrets, 0)
    return np.append(regrets, regrets.max(axis=1).sum() / (divisor or rounds))


def run_third_round_of_regret_matching(
    plays_largest_regret: bool = False, regret_factor: float = 1, divisor: int = 3
) -> Floats:
    """Return player 1's mixture in round 3 of regret matching in the game of lesson 06, then the regrets and NashConv.

    Parameters
    ----------
    plays_largest_regret : bool
        Whether player 1 plays only the row with the largest regret, by mistake.
    regret_factor : float
        By which the regrets so far are multiplied; 1 is right.
    divisor : int
        The number by which the sum of the largest regrets is divided; 3 is right.

    Returns
    -------
    array of shape (7,)
        The mixture, the regrets of player 1, those of player 2, and NashConv.
    """
    table = np.array([[2, -1], [-1, 1]])
    regrets_1, regrets_2 = run_regret_matching(2)[:4].reshape(2, 2)
    positive_1, positive_2 = np.maximum(regrets_1, 0), np.maximum(regrets_2, 0)
    x = np.eye(2)[positive_1.argmax()] if plays_largest_regret else positive_1 / positive_1.sum()
    y = positive_2 / positive_2.sum()

    expected_payoff = x @ table @ y
    regrets_1 = regret_factor * regrets_1 + table @ y - expected_payoff
    regrets_2 = regret_factor * regrets_2 + expected_payoff - x @ table
    nash_conv = (regrets_1.max() + regrets_2.max()) / divisor
    return np.concatenate([x, regrets_1, regrets_2, [nash_conv]])


def compute_third_round_by_cfr_variants(regret_floor: float = 0) -> Floats:
    """Return the probability of action A in round 3 by CFR, CFR+ and PCFR+, (3,).

    In round 1 the actions A and B pay 4 and 0, and in round 2 they pay 0 and 3. `regret_floor` is the smallest regret
    that CFR+ and PCFR+ keep; 0 is right.
    """
    probabilities = []
    cfr, cfr_plus, predictive_cfr_plus = (-inf, 0), (regret_floor, 0), (regret_floor, 1)
    for floor, weight_of_prediction in (cfr, cfr_plus, predictive_cfr_plus):
        regrets, positive_regrets = np.zeros(2), np.ones(2)
        for payoffs in ([4.0, 0.0], [0.0, 3.0]):
            mixture = positive_regrets / positive_regrets.sum()
            gains = payoffs - mixture @ payoffs
            regrets = np.maximum(regrets + gains, floor)
            positive_regrets = np.maximum(regrets + weight_of_prediction * gains, 0)
        probabilities.append(positive_regrets[0] / positive_regrets.sum())
    return np.array(probabilities)


def compute_average_of_discounted_cfr(beta: float = -inf, gamma: float = 1.0) -> Floats:
    """Return the probabilities of CFR+'s average profile in Kuhn poker after 1,000 rounds.

    Parameters
    ----------
    beta : float
        The discount of negative regrets. -inf drops them, as CFR+ does, and inf keeps them.
    gamma : float
        The power of the round by which it counts in the average: 1 in CFR+, and 0 for equal weights.
    """
    solver = solvers.DiscountedCFR(
        games.kuhn(), alpha=inf, beta=beta, gamma=gamma, order="simultaneous"
    )
    return solver.step(solver.init(), 1000).average.probabilities


def compute_opening_regrets_of_jack(
    weight: float = 1 / 3, bet_after_check: float = 1 / 2, regret_factor: float = 1
) -> list[float]:
    """Return the counterfactual values and the regrets of a first check and bet with a jack in Kuhn poker.

    All players decide by a coin.

    Parameters
    ----------
    weight : float
        By which both values are multiplied: the probability of a jack is right.
    bet_after_check : float
        The probability with which the opponent bets after a check; 1/2 is right.
    regret_factor : float
        By which the regrets are multiplied; 1 is right.

    Returns
    -------
    list of four floats
        The value of a check, the value of a bet, the regret of a check, and the regret of a bet, in chips.
    """
    after_bet_of_opponent = (-1 - 2) / 2  # a fold loses 1, a call 2
    check = weight * (-1 * (1 - bet_after_check) + bet_after_check * after_bet_of_opponent)
    bet = weight * (1 - 2) / 2  # the opponent folds and pays 1, or calls and wins 2
    mean = (check + bet) / 2
    return [check, bet, regret_factor * (check - mean), regret_factor * (bet - mean)]


def compute_payoffs_and_regrets_of_jack(
    weight: float = 1 / 3, regret_after_bet: float = 0, regret_of_call: float = -1 / 12
) -> list[float]:
    """Return what the plans "check, then call" and "bet" win with a jack in Kuhn poker, then the regrets of both plans.

    The player acts first, and all players decide by a coin.

    Parameters
    ----------
    weight : float
        A third of the number by which all numbers are multiplied. By default they are those of a hand dealt.
    regret_after_bet : float
        The regret that a decision after a bet adds, by mistake; 0 is right.
    regret_of_call : float
        The regret of the call after a check.

    Returns
    -------
    list of four floats
        Both payoffs and both regrets, in chips.
    """
    _, _, regret_of_check, regret_of_bet = compute_opening_regrets_of_jack()
    payoff_of_check_and_call, payoff_of_bet = -1 / 2, -1 / 6
    numbers = [
        payoff_of_check_and_call,
        payoff_of_bet,
        regret_of_check + regret_of_call,
        regret_of_bet + regret_after_bet,
    ]
    return [3 * weight * number for number in numbers]


def count_rounds_of_double_oracle() -> tuple[int, int, int]:
    """Return the number of rounds of double oracle on the game of lesson 08, and of the rows and columns added."""
    num_rows, num_columns = 20, 30
    table = np.random.default_rng(SEED).normal(size=(num_rows, num_columns))
    oracle = solvers.DoubleOracle(games.bimatrix(table, -table))
    end = oracle.step(oracle.init(), 100)

    # Sequences are in the order: both empty ones, the rows, the columns.
    num_empty = 2
    rows = end.allowed[num_empty : num_empty + num_rows]
    columns = end.allowed[num_empty + num_rows :]
    return end.iteration, int(rows.sum()), int(columns.sum())


GENERATION_TABLES = (
    "arms race",
    "cycling",
    "decline",
    "plateau",
    "disengagement",
    "one side ahead",
)
"""What the generation tables of lessons 07 and 07b show."""

WHO_GOT_BETTER = ("population 1", "population 2", "nothing")
"""What follows about progress from entries of a generation table."""

CURES = ("number", "diversity", "old opponents", "none")
"""What can cure a failure of coevolution, by the controls of lesson 07b."""
MECHANISMS = ("intransitivity", "focusing", "loss of gradient", "open")
"""Mechanisms of failure of lesson 07b, and that a symptom alone does not say which is at work."""


def encode_cures_and_mechanism(answer: Any) -> list[int]:
    """Return the numbers in `CURES` of the cures in an answer to exercise 07b.5, and that of the mechanism.

    `answer` is a list of the names of cures and, as the last one, the name of the mechanism.
    """
    *cures, mechanism = answer
    return [*number_phrases(cures, CURES), *number_phrases([mechanism], MECHANISMS)]


SHOWN_BY_RESULTS = ("true", "false", "open")
"""Whether propositions and results of lesson 12c prove a statement, disprove it, or do neither."""


def judge_decline_of_populations(times: Any) -> list[int]:
    """Return whether two populations of numbers change as exercise 07.1 asks, three truth values as 0 or 1.

    In a contest the larger number wins a point, and equal numbers share it.

    Parameters
    ----------
    times : pair of pairs of sequences
        At an early and at a late time the numbers of both populations.

    Returns
    -------
    list of int
        Whether the late numbers of each population are smaller than all its early ones, whether the first population
        gets at most a quarter of the points early, and whether it gets at least three quarters late.
    """

    def compute_share_of_points(first_numbers: Floats, second_numbers: Floats) -> float:
        """Return the share of points that the first population gets if each member plays each of the second."""
        results = np.sign(first_numbers[:, None] - second_numbers)  # 1, 0 or -1
        return float((1 + results).mean() / 2)

    early, late = (
        [np.asarray(population, np.float64) for population in pair_of_populations]
        for pair_of_populations in times
    )
    early_share = compute_share_of_points(*early)
    late_share = compute_share_of_points(*late)
    both_fell = all(
        late_numbers.max() < early_numbers.min()
        for early_numbers, late_numbers in zip(early, late, strict=True)
    )
    return [int(both_fell), int(early_share <= 1 / 4), int(late_share >= 3 / 4)]


def compute_shares_against_pairs(pairs: Any, opponents: Any = None) -> Floats:
    """Return the share of points of each pair of numbers in the intransitive number game.

    A win counts 1 point and a draw 1/2.

    Parameters
    ----------
    pairs : array_like of shape (n, 2)
        The pairs, of numbers from 0 to 100.
    opponents : array_like of shape (m, 2), optional
        The pairs that they play against. By default these are all 10,201 pairs.

    Returns
    -------
    ndarray of shape (n,)
        The share of each pair.
    """
    everyone = np.array(list(product(range(101), repeat=2))) if opponents is None else opponents
    results = games.intransitive_numbers().payoffs(np.asarray(pairs), np.asarray(everyone))
    return np.asarray((1 + results.mean(axis=1)) / 2)


def judge_pair_closing_cycle(pair: Any) -> list[int]:
    """Return whether a pair of numbers closes a circle of wins in the intransitive number game: 0 or 1, twice.

    The first number is whether the pair beats (50, 70), and the second whether (40, 60) beats the pair. The nearer one
    of two numbers decides a contest.
    """
    game = games.intransitive_numbers()
    chosen_pair, low_pair, high_pair = (
        np.array([numbers]) for numbers in (pair, (40, 60), (50, 70))
    )
    return [
        int(game.payoffs(chosen_pair, high_pair).item() > 0),
        int(game.payoffs(low_pair, chosen_pair).item() > 0),
    ]


def judge_opponents_by_individual(draw_opponents: Callable[..., Any]) -> Floats:
    """Return how a student's function draws opponents of its own for each individual, as three numbers.

    Parameters
    ----------
    draw_opponents : callable
        `draw(past, population, generator)` returns opponents for each individual of a population, from the list of
        generations so far.

    Returns
    -------
    array of shape (3,)
        How many opponents each of 20 individuals gets, whether they differ between individuals, and whether they all
        are from the second population of the last generation.
    """
    past = make_numbered_generations(generations=3)
    opponents = np.asarray(draw_opponents(past, 1, random_stream(1, "own")))
    # An answer may have one list of opponents for all individuals. It then counts for each of them.
    individuals = past[0][1][:, None]
    drawn_opponents, _ = np.broadcast_arrays(opponents, individuals)
    first_opponents_differ = len(np.unique(drawn_opponents[:, 0, 0])) > 5
    are_from_last_generation = np.isin(drawn_opponents[..., 0], past[-1][1]).all()
    return np.array([drawn_opponents.shape[1], first_opponents_differ, are_from_last_generation])


def judge_opponents_from_past(draw_opponents: Callable[..., Any]) -> Floats:
    """Return how a student's function draws opponents from 50 past generations, as three numbers.

    `draw_opponents` is that of `judge_opponents_by_individual`. The numbers are how many opponents are drawn, whether
    all are from the second population, and whether they come from many generations, also from the older half.
    """
    past = make_numbered_generations(generations=50)
    opponents = np.asarray(draw_opponents(past, 1, random_stream(1, "old")))[..., 0]
    generations, individuals = np.divmod(opponents, 40)  # 40 individuals of both populations
    num_from_older_half = (generations < 25).sum()
    come_from_many_generations = len(np.unique(generations)) > 20 and num_from_older_half > 15
    are_from_second_population = (individuals >= 20).all()
    return np.array([opponents.size, are_from_second_population, come_from_many_generations])


def make_numbered_generations(generations: int) -> list[Ints]:
    """Return generations of two populations, in which each individual is a number of its own.

    Each array has the shape (2, 20, 1): two populations of 20 individuals of one gene. Numbers rise from 0.
    """
    return [*np.arange(generations * 40).reshape(generations, 2, 20, 1)]


def judge_chain_of_players(results: Any) -> Floats:
    """Return which of three conditions a table of results of ten players satisfies.

    Parameters
    ----------
    results : array_like of shape (10, 10)
        What the row's player wins from the column's.

    Returns
    -------
    array of shape (3,)
        1 for each condition that holds, and 0 for the others:

        - mirrored cells have opposite signs;
        - each player beats all players before it;
        - each player but the last loses most to the player right after it.
    """
    table = np.asarray(results, np.float64)
    is_antisymmetric = np.array_equal(table, -table.T)

    below_diagonal = np.tri(10, k=-1, dtype=bool)
    beats_all_before = (table[below_diagonal] > 0).all()

    strongest_opponents = table[:, :9].argmax(axis=0)
    loses_most_to_next = (strongest_opponents == range(1, 10)).all()

    return np.array([is_antisymmetric, beats_all_before, loses_most_to_next], np.float64)


def compute_gain_against_fictitious_play(rounds: int) -> float:
    """Return what a best response wins from the average strategy of fictitious play in rock, paper, scissors.

    Both players begin with rock, and the average is that after some rounds.
    """
    game = games.rock_paper_scissors()
    rock = Profile(game, [1, 0, 0] * 2)
    play = solvers.FictitiousPlay(game, order="simultaneous", start=rock)
    average = play.step(play.init(), rounds + 1).average
    return metrics.nash_conv(game, average) / 2


def measure_mean_and_deviation(
    measure_winnings: Callable[[Floats, Floats], Any], mixture: Floats
) -> Floats:
    """Return the mean and the standard deviation of what a mixture wins from 20,000 random opponents, (2,).

    `measure_winnings(mixtures, last)` is a student's function. It returns what each mixture, a row of `mixtures`, wins
    from a random opponent of its own. The last champion need not be used. `mixture`, (3,), is the mixture.
    """
    mixtures = np.tile(mixture, (20_000, 1))
    winnings: Floats = np.asarray(measure_winnings(mixtures, mixtures[0]))
    return np.array([winnings.mean(), winnings.std()])


def compute_moments_of_winnings(mixture: Floats, deviation_factor: float = 0.5) -> Floats:
    """Return the theoretical mean and standard deviation of the numbers that `measure_mean_and_deviation` measures.

    The standard deviation of the winnings of a random mixture of the three strategies is half of that of one of the
    three strategies drawn at random.

    Parameters
    ----------
    mixture : array of shape (3,)
        The mixture of rock, paper and scissors, in the biased game.
    deviation_factor : float
        The factor of the standard deviation; 1/2 is right.
    """
    payoffs = mixture @ BIASED_RPS_PAYOFFS
    return np.array([payoffs.mean(), deviation_factor * payoffs.std()])


def compute_mean_of_smallest_report(num_reports: int) -> float:
    """Return the mean of the smallest of several reports, each of which is +1 or -1 with the same probability."""
    return 2.0 ** (1 - num_reports) - 1


def play_bandit(
    mixture: Floats, C: float, num_playouts: int, seed: int, exponent: float = 0.5
) -> tuple[Floats, Floats]:
    """Return UCB1's winnings and numbers of tries, by action, against a mixture in biased rock, paper, scissors.

    Parameters
    ----------
    mixture : array of shape (3,)
        The mixture.
    C : float
        The constant of exploration.
    num_playouts : int
        The number of playouts, at least three.
    seed : int
        Decides the actions that are drawn from the mixture.
    exponent : float
        The power of the exploration term; 1/2 is right.
    """
    generator = np.random.default_rng(seed)
    winnings, num_tries = np.zeros(3), np.zeros(3)
    for n in range(num_playouts):
        if n < 3:  # each action is tried once
            action = n
        else:
            upper_bounds = winnings / num_tries + C * (log(n) / num_tries) ** exponent
            action = int(upper_bounds.argmax())
        winnings[action] -= BIASED_RPS_PAYOFFS[generator.choice(3, p=mixture), action]
        num_tries[action] += 1
    return winnings, num_tries


def search_worst_case(
    mixture: Floats, C: float, num_playouts: int, seed: int, exponent: float = 0.5
) -> float:
    """Return the worst-case payoff of a mixed strategy in biased rock, paper, scissors, as UCT estimates it.

    The arguments are those of `play_bandit`.
    """
    winnings, _ = play_bandit(mixture, C, num_playouts, seed, exponent)
    return float(winnings.sum() / num_playouts)
