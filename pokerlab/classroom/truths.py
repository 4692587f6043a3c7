"""The right answers to exercises: short programs, most of which call a function of the library."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations
from math import inf, log
from typing import Any
from unittest.mock import Mock

import numpy as np

from pokerlab import games, holdem, metrics, solvers
from pokerlab.core import Floats, Ints, random_stream
from pokerlab.evolution.population.protocol import Fitness
from pokerlab.evolution.population.selection import count_better, find_front
from pokerlab.games import Profile
from pokerlab.holdem import CALL, FOLD, SeatView, TupleTable, win_probability
from pokerlab.holdem.betting_tree import DEAL, FOLDED, SHOWDOWN
from pokerlab.papers import nicolai2009
from pokerlab.papers.samothrakis2011_holdem import make_six_bucket_game

SEED = 1  # the seed that the lessons use
COINS = np.array([1, 0.5, 0.5, 0.5, 0.5])
HANDS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
"""The payoffs of the row player in rock, paper, scissors. The next four arrays are those of games with other payoffs,
and of the game with four cards."""
KICKS = np.array([[0.4, 0.9], [0.7, 0.5], [0.8, 0.6]])
UNEVEN = np.array([[0, -5, 10], [5, 0, -1], [-10, 1, 0]])
BIASED = games.biased_rps().payoff_matrix(0).toarray()[1:, 1:]
FOUR_CARDS = np.array([[0] * 5, [0, 2, 1, 2, 1], [2, 0, 0, 0, 0], [0, -2, 1, 2, 1], [0] * 5]) / 4
BEFORE = np.array([0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 3, 5, 5])
"""The parent of each sequence of player 1 in Kuhn poker."""
EYES = nicolai2009.make_encoding(nicolai2009.Config(seed=SEED))
MEMBERS = np.unique(random_stream(SEED, "members").integers(0, 13, (16, 2)), axis=0)
RESULTS = games.intransitive_numbers(dimensions=2, largest=13).payoffs(MEMBERS, MEMBERS)
"""The table of results of lesson 15b."""
GLASS = np.array(
    [[0, -1, 1, 0, -1], [1, 0, -1, 1, 0], [-1, 1, 0, 0, 1], [0, -1, 0, 0, -1], [1, 0, -1, 1, 0]]
)


def make_betting_profile(**chances: float) -> Profile:
    """Return the profile of Kuhn poker with given probabilities of a bet or call, by information set or by card.

    An information set for which neither its label nor its card is given has probability zero.
    """
    labels = [label for _, label in games.kuhn().infoset_index]
    bets = np.array([chances.get(label, chances.get(label[0], 0.0)) for label in labels])
    return Profile(games.kuhn(), np.column_stack([1 - bets, bets]).ravel())


def compute_cost_of_habits(**chances: float) -> float:
    """Return the chips that a player of Kuhn poker loses to best responses in 100 hands.

    `chances` are the player's probabilities of a bet or call, by information set or by card.
    """
    return 50 * metrics.exploitability(games.kuhn(), make_betting_profile(**chances))


def compute_gains(bluff: float) -> Floats:
    """Return both players' gains from best responses if player 1 always checks and player 2 bluffs with a jack.

    `bluff` is the probability of this bluff.
    """
    never = {"K, pass-bet": 1.0, "Q, pass-bet": 1 / 3, "K, bet": 1.0, "Q, bet": 1 / 3}
    return games.kuhn().gains(make_betting_profile(**never, **{"K, pass": 1.0, "J, pass": bluff}))


def evolve_two_habits(rounds: int, coins: float = 0.01) -> tuple[float, float]:
    """Return the share of players who bluff with a jack, and of those who call with a queen, after some rounds.

    The shares change by the replicator dynamics, and in each round the share `coins` of players decide by a coin.
    """
    bluff = call = 0.5
    for _ in range(rounds):
        odds = bluff * (5 - 3 * call) / (4 * (1 - bluff))
        bluff = (1 - coins) * odds / (1 + odds) + coins / 2
        odds = call * (5 + bluff) / ((1 - call) * (6 - 2 * bluff))
        call = (1 - coins) * odds / (1 + odds) + coins / 2
    return bluff, call


def solve_for_row_player(wins: Floats) -> Floats:
    """Return player 1's equilibrium strategy in a zero-sum game given by player 1's payoffs."""
    return solvers.SequenceFormLP(games.bimatrix(wins, -wins)).solve().profile.get_behavior(0)


def compute_gap(payoff: Floats, x: Floats, y: Floats) -> float:
    """Return what a best response to y earns, less the worst-case payoff of x, in a zero-sum table."""
    return float((payoff @ y).max() - (x @ payoff).min())


def win_morra(show: int, call: int, other_show: int, other_call: int, both: int = 0) -> int:
    """Return the points that a player wins in Morra, by what both players show and call.

    If both calls are right, the player wins `both` times the fingers, which is 0 by the rules.
    """
    right, other_right = call == other_show, other_call == show
    return (show + other_show) * (right - other_right + both * (right and other_right))


def mix_jacks(first: Any, second: Any, share: float, average: str = "plans") -> Floats:
    """Return how often a mixture of two strategies passes a jack, and how often it then folds to a bet.

    `share` is the probability of the first strategy. If `average` is 'behavior', the probabilities of a fold are
    averaged in place of the plans; if it is 'weights', the weight of the fold is not divided by that of the pass.
    """
    probabilities = np.array([first, second], np.float64)
    parts = np.array([share, 1 - share])
    passes = parts @ probabilities[:, 0]
    folds = parts @ probabilities.prod(axis=1) / (passes if average == "plans" else 1)
    return np.array([passes, parts @ probabilities[:, 1] if average == "behavior" else folds])


def solve_penalty_kick() -> Floats:
    """Return the equilibrium of the penalty kick: the kicker's three probabilities, and the keeper's two."""
    profile = solvers.SequenceFormLP(games.bimatrix(KICKS, -KICKS)).solve().profile
    return np.append(profile.get_behavior(0), profile.get_behavior(1))


def solve_borel_poker(bet: float = 1) -> list[float]:
    """Return the threshold of player 2, the share of bluffs of player 1, and the value of Borel's poker on [0, 1].

    A bluff wins the ante from hands below the threshold and loses ante and bet to the others, as much as a fold loses.
    """
    call = bet / (bet + 2)
    return [call, bet * (1 - call) / (bet + 2), -(call**2)]


def solve_von_neumann_poker(bet: float = 2) -> list[float]:
    """Return the thresholds a, b and c of both players in von Neumann's poker on [0, 1], and the value.

    Player 1 bets below a and above b, and player 2 calls above c.
    """
    calls = 2 * (bet + 2) / ((bet + 1) * (bet + 4))
    high = calls / 2
    bluffs = bet * high / (bet + 2)
    return [bluffs, 1 - high, 1 - calls, bluffs**2 + bet * high**2]


def solve_spy_game(rules: Any, truth: Fraction) -> list[float]:
    """Return the value of the spy game for player 1, and whether player 1's information set shows the spy's report.

    `rules` is the class of the game's rules, and `truth` is the probability that the spy tells the truth.
    """
    spy = rules()
    spy.chance = truth
    value = solvers.SequenceFormLP(games.compile_rules(spy)).solve().value
    return [value, "left" in spy.turn(("left", "tells")).infoset]


def solve_four_cards(bet: float, deals: int = 4) -> list[float]:
    """Return how often a queen bets, how often a king calls, and player 1's payoff in the game with four cards.

    A king is indifferent if (1 + bet) (1 - queen) = 1 + queen, and a queen if (2 + bet) king = 2. The payoff is the
    sum over the four deals, divided by `deals`.
    """
    queen, king = bet / (2 + bet), 2 / (2 + bet)
    return [queen, king, 2 * (1 + queen) / deals]


def compute_stable_hawk_share(two_hawks: Any) -> float:
    """Return the stable share of hawks in the hawk-dove game, given the payoff of a hawk against another hawk."""
    table: list[list[Any]] = [[two_hawks, 2], [0, 1]]
    return float(solvers.find_rest_points(table).stable[0].shares[0])


def trace_shares(
    payoff: Floats, shares: Floats, shift: float, rounds: int, part: float = 0.1
) -> Floats:
    """Return the shares of strategies in a population at the start and after each round of replicator dynamics.

    In each round the fraction `part` of the population is replaced in proportion to fitness. `shift` is added to
    payoffs. The array has a row for the start and one for each round.
    """
    history = [shares]
    for _ in range(rounds):
        fitness = payoff @ shares + shift
        shares = (1 - part) * shares + part * shares * fitness / (shares @ fitness)
        history.append(shares)
    return np.array(history)


def compute_corner_rates(payoff: Any, i: int) -> Floats:
    """Return how fast a few newcomers of each strategy multiply in a population of strategy i.

    The rate of strategy j is the growth of its share in the replicator flow, divided by the share, at a share of
    one millionth. The rate of strategy i itself is 0.
    """
    size, few = len(payoff), 1e-6
    rates = np.zeros(size)
    for j in set(range(size)) - {i}:
        shares = (1 - few) * np.eye(size)[i] + few * np.eye(size)[j]
        earned = np.asarray(payoff) @ shares
        rates[j] = earned[j] - shares @ earned
    return rates


def is_own_best_response(payoff: Any, p: Floats) -> bool:
    """Return whether no pure strategy of a symmetric game earns more against the mixture p than p does."""
    return all(row @ p <= p @ payoff @ p + 1e-9 for row in np.asarray(payoff))


def resists_mutant(
    payoff: Any,
    resident: Any,
    mutant: Any,
    decide: Callable[[Any, Any], bool] = lambda first, second: (
        first > 0 or (first == 0 and second > 0)
    ),
) -> bool:
    """Return whether residents of a symmetric game keep a few mutants out.

    `decide` is called with the lead of residents over mutants against residents, and with the lead against mutants.
    """
    leads = [(resident - mutant) @ payoff @ opponent for opponent in (resident, mutant)]
    return bool(decide(*leads))


def compute_interior_share(payoff: Any) -> float:
    """Return the share of the first of two strategies at the interior rest point of a symmetric game."""
    return float(solvers.find_rest_points(payoff).points[-1].shares[0])


def compute_product_rate(win: float, shares: Floats, part: float = 1) -> float:
    """Return the rate at which the logarithm of the product of shares changes in the flow of rock, paper, scissors.

    It is (win - 1)(1 - 3 Q), where Q is the sum of the products of two different shares.

    Parameters
    ----------
    win : float
        What a win brings if a loss costs 1.
    shares : ndarray of shape (3,)
        The shares of rock, paper and scissors.
    part : float
        By which the average payoff of the population is multiplied in the result.
    """
    return float((win - 1) * (1 - 3 * part * (shares @ np.roll(shares, 1))))


def measure_fall(shift: int, rounds: int = 0) -> float:
    """Return by how much the logarithm of the product of shares falls in rock, paper, scissors.

    `shift` is added to payoffs. By default there are 10 times as many rounds as the shift.
    """
    path = trace_shares(HANDS, np.array([0.5, 0.3, 0.2]), shift, rounds or 10 * shift, part=1.0)
    return float(np.log(path[0].prod() / path[-1].prod()))


def compute_flow_rounds(goal: float, shift: float, n_1: int, n_2: int) -> float:
    """Return after how many rounds the bound of the flow on the exploitability of averages reaches a goal.

    The bound is (log n_1 + log n_2) / T with the time T, and a round takes the time 1 / shift.
    """
    return float(shift * np.log(n_1 * n_2) / goal)


def compute_fixation(ratios: Sequence[float], start: int = 1) -> float:
    """Return the probability that mutants take over, given r_1 to r_{N-1} and the number of mutants at the start.

    The ratio r_i is the fitness of residents, divided by that of mutants, when there are i mutants. The probabilities
    solve the linear equations (1 + r_i) h_i = h_{i+1} + r_i h_{i-1} with h_0 = 0 and h_N = 1.
    """
    r = np.asarray(ratios, np.float64)
    matrix = np.diag(1 + r) - np.diag(r[1:], -1) - np.diag(np.ones(len(r) - 1), 1)
    return float(np.linalg.solve(matrix, np.eye(len(r))[-1])[start - 1])


def trace_average_responses(payoff: Floats, shares: Floats, rounds: int, first: int = 1) -> Floats:
    """Return the shares of strategies in fictitious play of one population, at the start and after each round.

    In each round the population becomes the average of all best responses so far and of its start, which counts as
    `first` rounds. The array has a row for the start and one for each round.
    """
    history = [np.asarray(shares, np.float64)]
    for done in range(first, first + rounds):
        response = np.eye(len(shares))[(payoff @ history[-1]).argmax()]
        history.append((done * history[-1] + response) / (done + 1))
    return np.array(history)


def compute_average_plan(
    A: Any, before: Any, coins: Any, rounds: int, order: str = "alternating"
) -> Floats:
    """Return player 2's average realization plan after some rounds of replicator dynamics in Kuhn poker.

    The first three parameters are those of the exercise. They are not used here, because the library has the arrays of
    the game.
    """
    dynamics = solvers.ReplicatorDynamics(games.kuhn(), payoff_shift=3.0, order=order)
    return dynamics.step(dynamics.init(), rounds).average.plan(1)


def compute_next_plan(x: Floats, wins: Floats, shift: float) -> Floats:
    """Return the next realization plan by equation 3 of Lanctot (2014), for a player who acts only once in a hand.

    `x` is the present plan, `wins` is the payoff of each sequence, and `shift` is added to payoffs.
    """
    pairs, earned = (each[1:].reshape(-1, 2) for each in (x, wins))
    grown = pairs * (x @ wins - (pairs * earned).sum(axis=1, keepdims=True) + earned + shift)
    return np.append(1, grown / grown.sum(axis=1, keepdims=True))


def compute_second_round(rounds: int, shift: float, in_turns: bool = False) -> Floats:
    """Return both players' realization plans in the game with four cards, at the start and after one round.

    If `in_turns` is True, player 2 responds to the new plan of player 1. `rounds` is not used.
    """
    new = compute_next_plan(COINS, FOUR_CARDS @ COINS, shift)
    met = new if in_turns else COINS
    return np.array([(COINS, COINS), (new, compute_next_plan(COINS, -FOUR_CARDS.T @ met, shift))])


def compute_rudeness(rounds: int, shift: float, mutants: float = 0.01) -> float:
    """Return the probability that the host is rude after some rounds of replicator dynamics.

    In each round the share `mutants` of guests decide by a coin, and `shift` is added to payoffs.
    """
    guest = host = COINS[:3]
    for _ in range(rounds):
        guest = (1 - mutants) * guest + mutants * COINS[:3]
        host_payoffs = np.array([0, guest[2], 0])
        guest, host = (
            compute_next_plan(guest, np.array([0, 1, 0]), shift),
            compute_next_plan(host, host_payoffs, shift),
        )
    return float(host[2])


def trace_fictitious_play(memory: int = 8, sign: int = -1) -> list[tuple[int, int]]:
    """Return the actions of both players in eight rounds of fictitious play in the game of lesson 06.

    A player responds to the last `memory` actions of the other player. `sign` is -1 if player 2 wants player 1's payoff
    to be small, and 1 if player 2 wants it to be large by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    played = [(0, 0)]
    while len(played) < 8:
        rows, columns = np.transpose(played[-memory:])
        row = int(table[:, columns].sum(axis=1).argmax())
        column = int((sign * table[rows].sum(axis=0)).argmax())
        played.append((row, column))
    return played


def match_regrets(
    played: int, rounds: int | None = None, kept: float = 1, sign: int = -1
) -> Floats:
    """Return both players' regrets after `played` rounds of regret matching in the game of lesson 06, then NashConv.

    After each round the regrets of before are multiplied by `kept`. The sum of the largest regrets is divided by
    `rounds`, those that were played by default. `sign` is -1 if player 2 wants player 1's payoff to be small, and 1 if
    player 2 wants it to be large by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    positive, regrets = np.ones((2, 2)), np.zeros((2, 2))
    for _ in range(played):
        x, y = positive / positive.sum(axis=1, keepdims=True)
        won = x @ table @ y
        regrets = kept * regrets + [table @ y - won, sign * (x @ table - won)]
        positive = np.maximum(regrets, 0)
    return np.append(regrets, regrets.max(axis=1).sum() / (rounds or played))


def match_regrets_thrice(largest: bool = False, kept: float = 1, rounds: int = 3) -> Floats:
    """Return player 1's mixture in round 3 of the game of lesson 06, then what `match_regrets` returns after it.

    By mistake the player plays only the row with the `largest` regret.
    """
    table = np.array([[2, -1], [-1, 1]])
    regrets_1, regrets_2 = match_regrets(2)[:4].reshape(2, 2)
    positive = np.maximum(regrets_1, 0)
    x = np.eye(2)[positive.argmax()] if largest else positive / positive.sum()
    y = np.maximum(regrets_2, 0) / np.maximum(regrets_2, 0).sum()
    won = x @ table @ y
    regrets_1, regrets_2 = kept * regrets_1 + table @ y - won, kept * regrets_2 + won - x @ table
    return np.concatenate([x, regrets_1, regrets_2, [(regrets_1.max() + regrets_2.max()) / rounds]])


def match_by_three_rules(lowest: float = 0) -> Floats:
    """Return the probability of A in round 3 by CFR, CFR+ and PCFR+, if A and B pay 4 and 0, and then 0 and 3.

    CFR+ and PCFR+ keep no regret below `lowest`.
    """
    answers = []
    for floor, prediction in ((-inf, 0), (lowest, 0), (lowest, 1)):
        regrets, positive = np.zeros(2), np.ones(2)
        for payoffs in ([4.0, 0.0], [0.0, 3.0]):
            added = payoffs - positive / positive.sum() @ payoffs
            regrets = np.maximum(regrets + added, floor)
            positive = np.maximum(regrets + prediction * added, 0)
        answers.append(positive[0] / positive.sum())
    return np.array(answers)


def compute_first_regrets(
    weight: float = 1 / 3, bet_after_check: float = 1 / 2, factor: float = 1
) -> list[float]:
    """Return the counterfactual values and regrets of check and bet, for a jack that acts first among coins.

    The game is Kuhn poker. Both values are multiplied by `weight`, and the regrets by `factor` as well. The opponent
    bets after a check with probability `bet_after_check`.
    """
    folds_or_calls = (-1 - 2) / 2
    check = weight * (-1 * (1 - bet_after_check) + bet_after_check * folds_or_calls)
    bet = weight * (1 - 2) / 2
    mean = (check + bet) / 2
    return [check, bet, factor * (check - mean), factor * (bet - mean)]


def compare_plans_of_jack(
    weight: float = 1 / 3, after_bet: float = 0, regret_of_call: float = -1 / 12
) -> list[float]:
    """Return what "check, then call" and "bet" win with a jack that acts first among coins, then their regrets.

    All numbers are multiplied by three times `weight`, so that they are those of a hand dealt by default. `after_bet`
    is the regret that a decision after a bet adds by mistake.
    """
    _, _, regret_of_check, regret_of_bet = compute_first_regrets()
    numbers = [-1 / 2, -1 / 6, regret_of_check + regret_of_call, regret_of_bet + after_bet]
    return [3 * weight * number for number in numbers]


def run_double_oracle() -> tuple[int, int, int]:
    """Return the number of rounds of double oracle on the game of lesson 08, and of the rows and columns added."""
    table = np.random.default_rng(SEED).normal(size=(20, 30))
    oracle = solvers.DoubleOracle(games.bimatrix(table, -table))
    end = oracle.step(oracle.init(), 100)
    return end.iteration, int(end.allowed[2:22].sum()), int(end.allowed[22:].sum())


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


def inspect_controls(answer: Any) -> list[int]:
    """Return the places of four cures and of a mechanism in their lists."""
    *cures, mechanism = answer
    return [*(CURES.index(each) for each in cures), MECHANISMS.index(mechanism)]


SHOWN_BY_RESULTS = ("true", "false", "open")
"""Whether propositions and results of lesson 12b prove a statement, disprove it, or do neither."""


def inspect_two_times(times: Any) -> list[int]:
    """Return three truth values about two populations of numbers at two times, `[early, late]`, if the larger wins.

    They are whether the late numbers of each population are smaller than all its early ones, whether the first
    population gets at most a quarter of the points early, and whether it gets at least three quarters late.
    """
    early, late = ([np.asarray(each, np.float64) for each in pair] for pair in times)
    first, second = (
        float((1 + np.sign(one[:, None] - two)).mean() / 2) for one, two in (early, late)
    )
    fell = all(after.max() < before.min() for before, after in zip(early, late, strict=True))
    return [int(fell), int(first <= 1 / 4), int(second >= 3 / 4)]


def inspect_circle(pair: Any) -> list[int]:
    """Return whether a pair of numbers beats (50, 70), and whether (40, 60) beats it, if the nearer number decides."""
    game = games.intransitive_numbers()
    chosen, low, high = (np.array([each]) for each in (pair, (40, 60), (50, 70)))
    return [
        int(game.payoffs(chosen, high).item() > 0),
        int(game.payoffs(low, chosen).item() > 0),
    ]


def inspect_own_opponents(draw: Any) -> Floats:
    """Return how many opponents each of 20 individuals gets, whether they differ, and whether they are the right ones.

    The right ones are from the second population of the last generation.
    """
    past = number_individuals(generations=3)
    drawn = np.broadcast_arrays(
        np.asarray(draw(past, 1, random_stream(1, "own"))), past[0][1][:, None]
    )[0]
    are_right = np.isin(drawn[..., 0], past[-1][1]).all()
    return np.array([drawn.shape[1], len(np.unique(drawn[:, 0, 0])) > 5, are_right])


def inspect_old_opponents(draw: Any) -> Floats:
    """Return how many opponents are drawn, whether all are of the right population, and whether 60 are of the past."""
    past = number_individuals(generations=50)
    drawn = np.asarray(draw(past, 1, random_stream(1, "old")))[..., 0]
    generations, individuals = np.divmod(drawn, 40)
    are_old = (len(np.unique(generations)) > 20) and (generations < 25).sum() > 15
    return np.array([drawn.size, (individuals >= 20).all(), are_old])


def number_individuals(generations: int) -> list[Ints]:
    """Return generations of two populations of 20 individuals, each of them one number, and all numbers different."""
    return [*np.arange(generations * 40).reshape(generations, 2, 20, 1)]


def find_chain_properties(wins: Any) -> Floats:
    """Return three truth values about a table of results of ten players.

    They are whether the table is antisymmetric, whether each player beats all players before it, and whether the next
    player is the one that beats a player by most.
    """
    table = np.asarray(wins, np.float64)
    beats = (table[np.tri(10, k=-1, dtype=bool)] > 0).all()
    follows = (table[:, :9].argmax(axis=0) == range(1, 10)).all()
    return np.array([np.array_equal(table, -table.T), beats, follows])


def compute_remaining_gain(rounds: int) -> float:
    """Return the payoff of a best response to the average strategy of fictitious play in rock, paper, scissors."""
    game = games.rock_paper_scissors()
    play = solvers.FictitiousPlay(game, order="simultaneous", start=Profile(game, [1, 0, 0] * 2))
    return metrics.nash_conv(game, play.step(play.init(), rounds + 1).average) / 2


def measure_attacks(lazy: Any, mix: Floats) -> Floats:
    """Return the mean and the standard deviation of the winnings of a mixed strategy in 20,000 measurements."""
    mixes = np.tile(mix, (20_000, 1))
    won: Floats = np.asarray(lazy(mixes, mixes[0]))
    return np.array([won.mean(), won.std()])


def compute_moments(mix: Floats, spread: float = 0.5) -> Floats:
    """Return the theoretical mean and standard deviation of the numbers that `measure_attacks` measures.

    The standard deviation of the winnings of a random mixture of the three strategies is half of that of one of the
    three strategies drawn at random.
    """
    return np.array([(mix @ BIASED).mean(), spread * (mix @ BIASED).std()])


def average_smallest_coin(count: int) -> float:
    """Return the mean of the smallest of several reports, each of which is +1 or -1 with the same probability."""
    return 2.0 ** (1 - count) - 1


def search_worst_case(mix: Floats, C: float, games: int, seed: int, root: float = 0.5) -> float:
    """Return the worst-case payoff of a mixed strategy in biased rock, paper, scissors, as UCT estimates it.

    `C` is the constant of exploration, and `games` is the number of playouts.
    """
    draw, won, tries = np.random.default_rng(seed), np.zeros(3), np.zeros(3)
    for n in range(games):
        hand = n if n < 3 else int((won / tries + C * (log(n) / tries) ** root).argmax())
        won[hand] -= BIASED[draw.choice(3, p=mix), hand]
        tries[hand] += 1
    return float(won.sum() / games)


def compute_gain_from_call(
    mine: Any,
    beliefs: Any,
    board: Any,
    cost: float,
    pot: float,
    weighed: bool = True,
    pot_is_before: bool = False,
    costs_are_paid: bool = True,
) -> float:
    """Return what a call gains on average, if no more bets follow.

    `beliefs` are pairs of a hand of the other player and its probability. If `weighed` is false, all hands count the
    same. `pot` is the pot after the call; if `pot_is_before` is true, the cost is added to it by mistake. If
    `costs_are_paid` is false, the cost is not subtracted.
    """
    equities = [
        holdem.count_showdowns(mine, theirs, board).find_win_share() for theirs, _ in beliefs
    ]
    weights = [float(weight) for _, weight in beliefs] if weighed else None
    won = np.average(equities, weights=weights) * (pot + cost * pot_is_before)
    return float(won - cost * costs_are_paid)


def compute_share_of_both(
    mine: Any,
    first: Any,
    second: Any,
    board: Any,
    combine: Callable[[Any, Any], Any] = np.logical_and,
    compare: Callable[[Any, Any], Any] = np.greater,
) -> Floats:
    """Return the share of boards to come on which a hand beats two others, and the product of the single shares.

    `combine` is called with both arrays of truth values, and `compare` with two arrays of strengths.
    """
    unseen = sorted({*range(52)} - {*mine, *first, *second, *board})
    to_come = np.array([*combinations(unseen, 5 - len(board))])
    boards = np.column_stack([np.tile(board, (len(to_come), 1)), to_come])
    own, *others = (
        holdem.strength(np.column_stack([np.tile(hole, (len(boards), 1)), boards]))
        for hole in (mine, first, second)
    )
    beaten = [compare(own, each) for each in others]
    return np.array([combine(*beaten).mean(), beaten[0].mean() * beaten[1].mean()])


def estimate_equity(mine: Any, theirs: Any, count: int, seed: int, root: float = 0.5) -> Floats:
    """Return the mean share of the pot that a hand wins against another on random boards, and its standard error."""
    draw, unseen = np.random.default_rng(seed), sorted({*range(52)} - {*mine, *theirs})
    boards = np.array([draw.choice(unseen, 5, replace=False) for _ in range(count)])
    hands = (np.column_stack([np.tile(hole, (count, 1)), boards]) for hole in (mine, theirs))
    first, second = (holdem.strength(each).astype(int) for each in hands)
    shares = (np.sign(first - second) + 1) / 2
    return np.array([shares.mean(), shares.std() / count**root])


def play_choosily(view: SeatView) -> int:
    """Return the action of a player that before the flop folds weak cards and raises strong ones, and later calls."""
    chance = 0.5 if view.street else win_probability(view.hole, view.board)
    if chance > 0.6 and view.legal.min_raise_to:
        return view.legal.min_raise_to
    return FOLD if chance < 0.4 and view.legal.can_fold else CALL


def judge_duel(player: Any) -> Floats:
    """Return three truth values about a duel of a player with `play_choosily`.

    They are whether the player wins, whether it wins more than 30 big blinds per 100 hands, and whether it wins more
    than five standard errors.
    """
    game = holdem.ring_game(holdem.limit(2), seats=2, stacks=200, duplicates=True)
    played = game.play([play_choosily, player], 400, seed=SEED)
    won, error = (
        played.convert_to_big_blinds(each)[1] for each in (played.mean, played.standard_error)
    )
    return np.array([won > 0, won > 30, won > 5 * error])


def compare_players(
    first: Floats,
    second: Floats,
    independent: bool = False,
    power: int = 2,
    standard_errors: float = 2,
) -> Floats:
    """Return the lead of a player in the same deals, its standard error, and the number of deals for a clear lead.

    A clear lead is as many standard errors as `standard_errors`. If `independent` is true, the errors of the two
    players are combined as if their results were independent. The number of deals grows with a power of the error over
    the lead.
    """
    deals, lead = len(first), float(np.mean(first - second))
    variance = np.var(first) + np.var(second) if independent else np.var(first - second)
    error = float(np.sqrt(variance / deals))
    return np.array([lead, error, deals * (standard_errors * error / abs(lead)) ** power])


def compute_gain_of_call(bluff: float, is_divided: bool = True, best: float = 1.0) -> float:
    """Return what a call with bucket 4 gains on lesson 11's river, where bucket 1 bluffs with a share `bluff`.

    Bucket 6 bets with probability `best`. If `is_divided` is false, the reach takes the place of the belief.
    """
    reach = np.array([bluff, best]) / 6
    chance = reach[0] / reach.sum() if is_divided else reach[0]
    return float(8 * chance - 2)


def compute_small_tree_win(bluff: float, strong: float = 1.0, streets: int = 2) -> float:
    """Return what a best response wins in lesson 11's game of two streets and two buckets.

    The agent bets with a share `bluff` of its weak hands and a share `strong` of its strong hands. It bluffs on all
    streets, or with `streets` of 1 only on the first.
    """
    moves = np.array([[0.75, 0.25], [0.25, 0.75]])
    first, second = np.array([bluff, strong]), np.array([bluff if streets > 1 else 0.0, strong])

    def win_on_river(reach: Floats, paid: int) -> Any:
        """Return what each bucket wins on the second street, after both players have paid something."""
        checked, raised = reach * (1 - second), reach * second
        edges = np.array([[0, -1], [1, 0]])
        after_bet = np.maximum(-paid * raised.sum(), (paid + 1) * edges @ raised)
        return paid * edges @ checked + after_bet

    start = np.array([0.5, 0.5])
    after_check = moves @ win_on_river((start * (1 - first)) @ moves, 2)
    after_call = moves @ win_on_river((start * first) @ moves, 3)
    return float(start @ (after_check + np.maximum(-2 * (start * first).sum(), after_call)))


def iterate_response_cases() -> Iterable[Any]:
    """Yield nine tuples of arguments on which an answer is compared with `compute_response_values`.

    Each has a node of the flop at which no raise is allowed anymore, random reach probabilities of the agent, from
    nearly even ones to ones of which one outweighs the others, the seat to act, and the action probabilities of an
    agent that always calls.
    """
    game, rng = make_six_bucket_game(), np.random.default_rng(SEED)
    tree, always_call = game.tree, game.always_call().decision_probabilities
    has_no_raise = (tree.street == 1) & (tree.decision >= 0) & (tree.child[:, 2] < 0)
    nodes = rng.choice(np.flatnonzero(has_no_raise), 9)
    for unevenness, node in zip((1, 4, 10) * 3, nodes, strict=True):
        yield int(node), rng.random(6) ** unevenness, int(tree.actor[node]), always_call


def compute_response_values(
    node: int, reach: Floats, seat: int, chances: Floats, by: str = "weight"
) -> Any:
    """Return the winnings of a response against an agent from a node on, with each of the response's six buckets.

    Parameters
    ----------
    node : int
        The index of the node in the public tree.
    reach : array of shape (6,)
        The agent's reach probability with each bucket: the probability of the bucket times that of its actions.
    seat : int
        The seat of the response.
    chances : array of shape (decisions, 6, 3)
        The agent's action probabilities, by decision, bucket and action.
    by : {'weight', 'number', 'cards'}
        How the response chooses its actions. With 'weight' it has one action for all buckets, which is best if buckets
        are weighted by their probabilities. With 'number' it has one action for all buckets, which is best with equal
        weights. With 'cards' it has the best action in each bucket.
    """
    tree, buckets = make_six_bucket_game().tree, make_six_bucket_game().buckets
    kind, street, paid = tree.kind[node], tree.street[node], tree.paid[node]
    if kind == FOLDED:
        loser = tree.actor[node]
        return np.full(6, paid[loser] * reach.sum() * (-1 if loser == seat else 1))
    if kind == SHOWDOWN:
        return paid[seat] * (2 * buckets.showdown - 1) @ reach
    if kind == DEAL:
        moves = buckets.transitions[street]
        return moves @ compute_response_values(node + 1, reach @ moves, seat, chances, by)
    children = [(a, child) for a, child in enumerate(tree.child[node]) if child >= 0]
    if tree.actor[node] != seat:
        played = reach * chances[tree.decision[node]].T
        return sum(
            compute_response_values(child, played[a], seat, chances, by) for a, child in children
        )
    each = np.array(
        [compute_response_values(child, reach, seat, chances, by) for _, child in children]
    )
    if by == "cards":
        return each.max(axis=0)
    shares = reduce(np.matmul, buckets.transitions[:street], buckets.start)
    return each[(each @ (shares if by == "weight" else np.ones(6))).argmax()]


def estimate_slopes(
    genes: Floats, noise: Floats, spread: float, seats: Sequence[int] = (0, 1)
) -> Floats:
    """Return the estimated derivative, in each gene of an agent, of the winnings of a best response to the agent.

    The genes are changed by `spread` times each row of `noise`, in both directions. For the genes of one seat, the
    winnings of the best response in the other seat count.
    """
    agent, steps = (
        TupleTable(make_six_bucket_game()).make_profile,
        spread * np.concatenate([noise, -noise]),
    )
    lost = np.array([make_six_bucket_game().best_values(agent(genes + step)) for step in steps])
    by_seat = (lost[: len(noise)] - lost[len(noise) :]).T @ noise / (2 * spread * len(noise))
    on_button = np.repeat(
        [situation.button for situation in make_six_bucket_game().tree.situations], 18
    )
    change: Floats = np.where(on_button, by_seat[seats[1]], by_seat[seats[0]])
    return change


def split_gap(
    believed: float, fresh: float, true: float, usual: float, base: str = "true"
) -> Floats:
    """Return how much of the gap between a true loss and a believed one is luck, usual error, and selection.

    Luck is the mean of fresh reports less what was believed. The usual error is the share 1 - `usual`, which a judge
    misses of agents that were not bred for it, of the true loss; of the fresh reports or of the gap if `base` says so.
    """
    bases = {"true": true, "fresh": fresh, "gap": true - believed}
    error = (1 - usual) * bases[base]
    return np.array([fresh - believed, error, true - fresh - error])


def compute_mean_of_visits(
    visits: int, good: float, bad: float, is_first_random: bool = True, is_bad_tried: bool = True
) -> float:
    """Return the mean result of a decision's first visits by playouts, of which there are at least three.

    The first visit acts at random, the second tries the bad action, and all others take the good one.
    """
    others = visits - is_first_random - is_bad_tried
    first = is_first_random * (good + bad) / 2
    return (first + is_bad_tried * bad + others * good) / visits


def compute_loss_from_folding(k: int, weak: bool = True) -> float:
    """Return the exploitability of an agent that folds k buckets whenever it can, and calls with the others.

    These are the k weakest buckets, or the k strongest ones if `weak` is False.
    """
    rules = make_six_bucket_game().always_call().table.copy()
    folds = np.arange(6) < k if weak else np.arange(6) >= 6 - k
    rules[np.ix_(make_six_bucket_game().legal[:, 0], folds)] = [1, 0, 0]
    return make_six_bucket_game().nash_conv(holdem.BucketedProfile(make_six_bucket_game(), rules))


def compute_cost_of_forgetting(pot: float, weight: float = 1 / 2, exchanged: bool = False) -> float:
    """Return what one share of bluffs for two pots costs on lesson 12's river.

    The pots are 2 and `pot`. What is collected with one share is summed over both with this weight. If `exchanged`, the
    agent uses in each pot the best share of the other one.
    """

    def collect(size: float, share: float) -> float:
        return min(size * (1 + share) / 2, (size + 2 - 2 * share) / 2)

    shares = 1 / 2, 2 / (pot + 2)
    remembered = (3 / 2 + pot / 2 + pot / (pot + 2)) / 2  # the values of the two rivers
    if exchanged:
        return remembered - weight * (collect(2, shares[1]) + collect(pot, shares[0]))
    return remembered - weight * max(collect(2, x) + collect(pot, x) for x in (0, *shares, 1))


def compute_gain_by_calling(
    bets: Sequence[int], groups: Sequence[Sequence[int]], same_cards: bool = False
) -> float:
    """Return what a best response gains by calls in lesson 12b's deck of six cards.

    The agent bets 1 chip into a pot of 2 with the cards in `bets`. The response knows only which of the groups its own
    card is in, and calls with a whole group or not at all. With `same_cards`, deals in which both players hold the same
    card are counted as lost.
    """
    gained = 0.0
    for group in groups:
        deals = [(mine, its) for mine in group for its in bets if same_cards or mine != its]
        gained += max(0, sum(3 if mine > its else -1 for mine, its in deals))
    return gained / 30


def split_cost(strong: float, weak: float, always: bool = False) -> list[float]:
    """Return the parts of the deal and of what buckets hide in lesson 12b's deck of six cards.

    The agent bets 1 chip into a pot of 2 with probability `strong` if its card is one of the upper three, and else with
    probability `weak`. With `always`, the pot of real deals is collected without a bet even where the agent has bet.
    """
    bets = np.where(np.arange(6) >= 3, strong, weak)
    mine, its = np.indices((6, 6))
    ahead = (
        np.sign(mine - its) + 1
    ) / 2  # one half against the same card, which only the bucket game deals
    calls, pot = bets * (4 * ahead - 1), 2 * ahead
    in_game = np.maximum(0, calls.sum(axis=1).reshape(2, 3).sum(axis=1)).sum()
    in_game = (in_game + ((1 - bets) * pot).sum()) / 36

    dealt = ~np.eye(6, dtype=bool)
    by_card = (calls * dealt).sum(axis=1)
    checks = (pot if always else (1 - bets) * pot)[dealt].sum()
    with_buckets = (np.maximum(0, by_card.reshape(2, 3).sum(axis=1)).sum() + checks) / 30
    with_cards = (np.maximum(0, by_card).sum() + checks) / 30
    return [float(with_buckets - in_game), float(with_cards - with_buckets)]


def count_after_trimming(trim: Any, seed: int) -> list[int]:
    """Return how many of five strategies remain after trimming to two. The five include two pairs of twins.

    The three numbers count all strategies that remain, those that are scissors, and those that are twins of one pair.
    """
    left = [*map(int, trim(GLASS.copy(), 2, np.random.default_rng(seed)))]
    return [len(left), left.count(2), left.count(1) + left.count(4)]


def count_undominated(dimensions: int) -> int:
    """Return the number of non-dominated points among 100 random points in a space with some dimensions."""
    points = random_stream(SEED, "points", dimensions).random((100, dimensions))
    return int(find_front(count_better(points, slice(None))).sum())


def find_survivors(selection: Any, values: Floats) -> Floats:
    """Return which strategies survive a selection, and their probabilities of becoming parents.

    The selection is among the twenty strategies with indices 10 to 29 of forty, whose fitness is `values`.
    """
    fitness, rng = Fitness(values), np.random.default_rng(SEED)
    return np.array(selection(fitness, slice(10, 30), np.zeros((20, 1)), np.zeros(20), rng))


def find_clear(p_values: Sequence[float], level: float = 0.05) -> Floats:
    """Return 1 for each of several results that is clear by Holm's rule, and 0 for the others, from their p-values.

    A result is clear if its adjusted p-value is below the level. To adjust p-values, sort them, the smallest first,
    multiply each by the number of those from it on, and take the largest product up to it.
    """
    ordered = sorted(p_values)
    adjusted = np.maximum.accumulate(np.arange(len(ordered), 0, -1) * ordered)
    return np.array([float(adjusted[ordered.index(p)] < level) for p in p_values])


def compute_prizes(ranks: Any) -> Floats:
    """Return the prizes of the ranks of a tournament of fifty: 250, 150 and 100 for the first three, else 0."""
    return np.asarray(np.interp(ranks, [1, 2, 3, 4], [250, 150, 100, 0]))


def compute_paper_share(generation: int, size: int, present: int = 50) -> float:
    """Return the share of paper among the present players and the latest `size` champions.

    Up to generation 100 all play paper, and after it none does.
    """
    first = max(1, generation - size)
    in_hall = max(0, min(100, generation - 1) - first + 1)
    plays_it = present if generation <= 100 else 0
    return (in_hall + plays_it) / (generation - first + present)


def inspect_hall(with_hall: Any) -> Floats:
    """Return three numbers about one generation with a hall of fame.

    They are the number of players from which random draws are made, whether the two best strategies of the population
    survive, and whether the champion enters the hall of fame in place of the oldest member.
    """
    toys, old = (np.random.default_rng(SEED).normal(mean, 0.1, (20, 5)) for mean in (3, -9))
    toys[[4, 7]] -= 4  # they rarely enter, and those of the hall never do
    rng = Mock(wraps=np.random.default_rng(SEED))
    after, new = with_hall(toys, old[:10], rng)
    stay = sorted(map(tuple, after[:2])) == sorted(map(tuple, toys[[4, 7]]))
    return np.array([rng.choice.call_args.args[0], stay, np.array_equal(new, [after[0], *old[:9]])])


def rate_uneven_circle(
    opponents: int = 2, nash: tuple[float, float, float] = (20, 20, 60)
) -> list[list[float]]:
    """Return four lists about a circle of three players: means, games won, Nash averages and alpha-ranks.

    A wins 60 chips from B, B wins 20 from C, and C wins 20 from A. A win of 60 chips counts as a whole game.

    Parameters
    ----------
    opponents : int
        The number by which the sums of a player's wins are divided.
    nash : tuple of float
        Numbers in proportion to the Nash averages.
    """
    won = np.array([[0, 60, -20], [-60, 0, 20], [20, -20, 0]])
    games_won = (1 + won / 60).sum(axis=1) / 2 - 1 / 2  # without the half game against oneself
    shares = np.array(nash) / sum(nash)
    return [
        (won.sum(axis=1) / opponents).tolist(),
        games_won.tolist(),
        shares.tolist(),
        [1 / 3] * 3,
    ]


def mix_with_best_response(share: float) -> Floats:
    """Return both players' realization plans of a mixture in Kuhn poker.

    An equilibrium is mixed with a best response to uniform play, and `share` is the weight of the best response.
    """
    kuhn, seats = games.kuhn(), (0, 1)
    safe = solvers.SequenceFormLP(kuhn).solve().profile
    reply = [kuhn.best_response(kuhn.uniform(), seat).behavior for seat in seats]
    one = Profile(kuhn, np.concatenate(reply))
    return np.array([(1 - share) * safe.plan(seat) + share * one.plan(seat) for seat in seats])


def compute_discounted_average(beta: float = -inf, gamma: float = 1.0) -> Floats:
    """Return the average behavior of CFR+ in Kuhn poker after 1,000 rounds, or of CFR+ without one of its two changes.

    `beta` other than -inf keeps negative regrets, and `gamma` of 0 averages with equal weights.
    """
    make = partial(solvers.DiscountedCFR, alpha=inf, order="simultaneous")
    solver = make(games.kuhn(), beta=beta, gamma=gamma)
    return solver.step(solver.init(), 1000).average.probabilities
