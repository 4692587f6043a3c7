"""The right answers to exercises of lessons 00 to 09b: short programs, most of which call a function of the library.

Some programs have parameters that an exercise does not have. By default they give the right answer, and with other
values the answer of a common mistake. `exercises` uses both. Programs that begin with `judge` turn an answer that can
be right in many ways into numbers that are the same for each right answer.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import inf, log
from typing import Any

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.core import Floats, Ints, random_stream
from pokerlab.games import Profile

SEED = 1  # the seed that the lessons use
COINS = np.array([1, 0.5, 0.5, 0.5, 0.5])
HANDS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
"""The payoffs of the row player in rock, paper, scissors. The next four arrays are those of games with other payoffs,
and of the game with four cards."""
KICKS = np.array([[0.4, 0.9], [0.7, 0.5], [0.8, 0.6]])
UNEVEN = np.array([[0, -5, 10], [5, 0, -1], [-10, 1, 0]])
BIASED = games.biased_rps().payoff_matrix(0).toarray()[1:, 1:]
FOUR_CARDS = np.array([[0] * 5, [0, 2, 1, 2, 1], [2, 0, 0, 0, 0], [0, -2, 1, 2, 1], [0] * 5]) / 4
PARENT_SEQUENCES = np.array([0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 3, 5, 5])
"""The parent of each sequence of player 1 in Kuhn poker."""


def make_betting_profile(**bet_probabilities: float) -> Profile:
    """Return the profile of Kuhn poker with given probabilities of a bet or call.

    Parameters
    ----------
    **bet_probabilities
        The probabilities by the label of an information set, such as 'J, pass', or by a card, such as `J`, for all of
        its information sets. Where neither is given, the probability is zero.
    """
    game = games.kuhn()
    bets = []
    for _, label in game.infoset_index:
        card = label[0]
        bets.append(bet_probabilities.get(label, bet_probabilities.get(card, 0.0)))
    bet_column = np.array(bets)
    return Profile(game, np.column_stack([1 - bet_column, bet_column]).ravel())


def compute_cost_of_habits(**bet_probabilities: float) -> float:
    """Return the chips that a player of Kuhn poker loses to best responses in 100 hands.

    `bet_probabilities` are the player's probabilities of a bet or call in both seats, as in `make_betting_profile`.
    """
    profile = make_betting_profile(**bet_probabilities)
    hands_in_each_seat = 50  # exploitability is the sum of what is lost in both seats
    return hands_in_each_seat * metrics.exploitability(games.kuhn(), profile)


def compute_gains(bluff: float) -> Floats:
    """Return both players' gains from best responses in Kuhn poker if player 1 never bets first, (2,), in chips.

    `bluff` is the probability with which player 2 bluffs with a jack. All other choices are those of an equilibrium.
    """
    calls = {"K, pass-bet": 1.0, "Q, pass-bet": 1 / 3, "K, bet": 1.0, "Q, bet": 1 / 3}
    bets = {"K, pass": 1.0, "J, pass": bluff}
    return games.kuhn().gains(make_betting_profile(**calls, **bets))


def list_king_inequalities(deals: float = 1, leads: int = -1, later: bool = False) -> Floats:
    """Return what player 1's king can do in Kuhn poker against player 2's equilibrium plan.

    The numbers are what its four sequences bring, times `deals`, its two numbers w, and its two rows of E, in which
    `leads` belongs to the first pass. With `later`, the first pass brings what follows a bet, too.
    """
    game = games.kuhn()
    plan = make_betting_profile(**{"K": 1.0, "J, pass": 1 / 3, "Q, bet": 1 / 3}).plan(1)
    rules = game.make_treeplex(0).make_constraint_matrix().toarray()[[3, 6]]
    brings = deals * (game.payoff_matrix(0) @ plan)[np.nonzero(rules == 1)[1]]
    last = brings[2:].max()
    first = max(brings[0] + last, brings[1])
    brings[0] += last * later
    return np.array([*brings, first, last, 1, 1, 0, 0, leads, 0, 1, 1])


def evolve_two_habits(rounds: int, coins: float = 0.01) -> tuple[float, float]:
    """Return the share of players who bluff with a jack, and of those who call with a queen, after some rounds.

    The shares change by the replicator dynamics of lesson 00, from one half each.

    Parameters
    ----------
    rounds : int
        The number of rounds.
    coins : float
        The share of players who decide by a coin in each round.
    """
    bluff = call = 0.5
    for _ in range(rounds):
        odds_of_bluff = bluff * (5 - 3 * call) / (4 * (1 - bluff))
        bluff = (1 - coins) * odds_of_bluff / (1 + odds_of_bluff) + coins / 2
        odds_of_call = call * (5 + bluff) / ((1 - call) * (6 - 2 * bluff))
        call = (1 - coins) * odds_of_call / (1 + odds_of_call) + coins / 2
    return bluff, call


def solve_for_row_player(payoff: Floats) -> Floats:
    """Return player 1's equilibrium strategy in a zero-sum game, (rows,).

    `payoff` is the table of player 1's payoffs, of shape (rows, columns).
    """
    return solvers.SequenceFormLP(games.bimatrix(payoff, -payoff)).solve().profile.get_behavior(0)


def compute_gap(payoff: Floats, x: Floats, y: Floats) -> float:
    """Return what a best response to y earns, less the worst-case payoff of x, in a zero-sum game.

    Parameters
    ----------
    payoff : array of shape (rows, columns)
        What the player who chooses the row wins.
    x, y : array of shape (rows,) and (columns,)
        Mixtures of rows and of columns.
    """
    best_response_payoff = (payoff @ y).max()
    worst_case_payoff = (x @ payoff).min()
    return float(best_response_payoff - worst_case_payoff)


def win_morra(show: int, call: int, other_show: int, other_call: int, both: int = 0) -> int:
    """Return the points that a player wins from the other one in a round of Morra.

    Parameters
    ----------
    show, call : int
        The fingers that the player shows, and those that the player says the other one shows.
    other_show, other_call : int
        The same of the other player.
    both : int
        How many times the sum of fingers the player wins if both are right; 0 by the rules.
    """
    is_right = call == other_show
    other_is_right = other_call == show
    both_are_right = is_right and other_is_right
    return (show + other_show) * (is_right - other_is_right + both * both_are_right)


def compute_mixture_with_jack(
    first: Sequence[float], second: Sequence[float], share: float, average: str = "plans"
) -> Floats:
    """Return how often a mixture of two strategies passes a jack, and how often it then folds to a bet, (2,).

    Parameters
    ----------
    first, second : pair of float
        The probability with which a strategy passes a jack, and that with which it then folds.
    share : float
        The probability of the first strategy.
    average : {'plans', 'behavior', 'weights'}
        What is averaged. 'plans' is right. By mistake 'behavior' averages the probabilities of a fold, and 'weights'
        does not divide the weight of the fold by that of the pass.
    """
    pass_probabilities, fold_probabilities = np.array([first, second], np.float64).T
    shares = np.array([share, 1 - share])
    passes = shares @ pass_probabilities
    weight_of_fold = shares @ (pass_probabilities * fold_probabilities)
    folds = {
        "plans": weight_of_fold / passes,
        "behavior": shares @ fold_probabilities,
        "weights": weight_of_fold,
    }
    return np.array([passes, folds[average]])


def solve_penalty_kick() -> Floats:
    """Return the equilibrium of the penalty kick of lesson 01: three probabilities of the kicker, two of the keeper."""
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

    Parameters
    ----------
    rules : class of rules
        The student's class of the game's rules.
    truth : Fraction
        The probability that the spy tells the truth.
    """
    spy_game = rules()
    spy_game.chance = truth
    value = solvers.SequenceFormLP(games.compile_rules(spy_game)).solve().value
    infoset = spy_game.turn(("left", "tells")).infoset
    return [value, "left" in infoset]


def solve_four_card_game(bet: float, deals: int = 4) -> list[float]:
    """Return how often a queen bets, how often a king calls, and player 1's payoff in the game with four cards.

    A king is indifferent if (1 + bet) (1 - queen) = 1 + queen, and a queen if (2 + bet) king = 2. The payoff is the
    sum over the four deals, divided by `deals`.
    """
    queen, king = bet / (2 + bet), 2 / (2 + bet)
    return [queen, king, 2 * (1 + queen) / deals]


def compute_stable_hawk_share(two_hawks: Any) -> float:
    """Return the stable share of hawks in the hawk-dove game of lesson 02.

    `two_hawks` is the payoff of a hawk against another hawk, a number or a Fraction.
    """
    table: list[list[Any]] = [[two_hawks, 2], [0, 1]]
    return float(solvers.find_rest_points(table).stable[0].shares[0])


def trace_replicator_shares(
    payoff: Floats, shares: Floats, shift: float, rounds: int, part: float = 0.1
) -> Floats:
    """Return the shares of strategies in a population at the start and after each round of replicator dynamics.

    Parameters
    ----------
    payoff : array of shape (N, N)
        The payoff of the row's strategy against the column's.
    shares : array of shape (N,)
        The shares at the start.
    shift : float
        A constant that is added to payoffs to make them positive.
    rounds : int
        The number of rounds.
    part : float
        The fraction of the population that is replaced in each round, in proportion to fitness.

    Returns
    -------
    array of shape (rounds + 1, N)
        A row for the start, and one for each round.
    """
    history = [shares]
    for _ in range(rounds):
        fitness = payoff @ shares + shift
        shares = (1 - part) * shares + part * shares * fitness / (shares @ fitness)
        history.append(shares)
    return np.array(history)


def compute_growth_of_newcomers(payoff: Any, i: int) -> Floats:
    """Return how fast a few newcomers of each strategy multiply in a population that plays strategy i only, (N,).

    The rate of strategy j is the growth of its share in the replicator flow, divided by the share, at a share of
    one millionth. The rate of strategy i itself is 0. `payoff`, (N, N), has the payoffs of a symmetric game.
    """
    num_strategies, few = len(payoff), 1e-6
    pure = np.eye(num_strategies)
    rates = np.zeros(num_strategies)
    for j in set(range(num_strategies)) - {i}:
        shares = (1 - few) * pure[i] + few * pure[j]
        payoffs = np.asarray(payoff) @ shares
        rates[j] = payoffs[j] - shares @ payoffs
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

    Parameters
    ----------
    payoff : array of shape (N, N)
        The payoff of the row's strategy against the column's.
    resident, mutant : array of shape (N,)
        The mixtures that residents and mutants play.
    decide : callable
        A function of two leads of residents over mutants: of the payoffs against residents, and of those against
        mutants. By default residents must lead in the first, or be equal there and lead in the second.
    """
    lead_against_residents = (resident - mutant) @ payoff @ resident
    lead_against_mutants = (resident - mutant) @ payoff @ mutant
    return bool(decide(lead_against_residents, lead_against_mutants))


def compute_interior_share(payoff: Any) -> float:
    """Return the share of the first of two strategies at the interior rest point of a symmetric game."""
    return float(solvers.find_rest_points(payoff).points[-1].shares[0])


def compute_growth_of_log_product(win: float, shares: Floats, part: float = 1) -> float:
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


def measure_fall_of_log_product(shift: int, rounds: int = 0) -> float:
    """Return by how much the logarithm of the product of shares falls in replicator dynamics of rock, paper, scissors.

    Parameters
    ----------
    shift : int
        A constant that is added to payoffs.
    rounds : int
        The number of rounds. By default there are 10 times as many as the shift.
    """
    start = np.array([0.5, 0.3, 0.2])
    path = trace_replicator_shares(HANDS, start, shift, rounds or 10 * shift, part=1.0)
    return float(np.log(path[0].prod() / path[-1].prod()))


def compute_rounds_to_exploitability(goal: float, shift: float, n_1: int, n_2: int) -> float:
    """Return after how many rounds the replicator flow's bound on the exploitability of averages reaches a goal.

    The bound is (log n_1 + log n_2) / T, where n_1 and n_2 are the players' numbers of strategies and T is the time. A
    round takes the time 1 / shift.
    """
    return float(shift * np.log(n_1 * n_2) / goal)


def compute_fixation_probability(ratios: Sequence[float], start: int = 1) -> float:
    """Return the probability that mutants take over a population of N members.

    The probabilities h_i from i mutants on solve the linear equations (1 + r_i) h_i = h_{i+1} + r_i h_{i-1} with
    h_0 = 0 and h_N = 1.

    Parameters
    ----------
    ratios : sequence of N - 1 floats
        r_1 to r_{N-1}: the fitness of residents, divided by that of mutants, when there are i mutants.
    start : int
        The number of mutants at the start.
    """
    r = np.asarray(ratios, np.float64)
    matrix = np.diag(1 + r) - np.diag(r[1:], -1) - np.diag(np.ones(len(r) - 1), 1)
    right_side = np.eye(len(r))[-1]  # h_N = 1 in the last equation
    probabilities = np.linalg.solve(matrix, right_side)
    return float(probabilities[start - 1])


def trace_average_of_best_responses(
    payoff: Floats, shares: Floats, rounds: int, first: int = 1
) -> Floats:
    """Return the shares of strategies in fictitious play of one population, at the start and after each round.

    In each round the population becomes the average of all best responses so far and of its start.

    Parameters
    ----------
    payoff : array of shape (N, N)
        The payoff of the row's strategy against the column's.
    shares : array of shape (N,)
        The shares at the start.
    rounds : int
        The number of rounds.
    first : int
        As how many rounds the start counts.

    Returns
    -------
    array of shape (rounds + 1, N)
        A row for the start, and one for each round.
    """
    pure = np.eye(len(shares))
    history = [np.asarray(shares, np.float64)]
    for num_averaged in range(first, first + rounds):
        best_response = pure[(payoff @ history[-1]).argmax()]
        history.append((num_averaged * history[-1] + best_response) / (num_averaged + 1))
    return np.array(history)


def compute_average_plan(
    A: Any, before: Any, coins: Any, rounds: int, order: str = "alternating"
) -> Floats:
    """Return player 2's average realization plan after some rounds of replicator dynamics in Kuhn poker, (13,).

    Parameters
    ----------
    A, before, coins : array
        The payoffs, the parents of sequences, and the first plan, which the exercise passes. They are not used here,
        because the library has the arrays of the game.
    rounds : int
        The number of rounds, with the payoff shift 3.
    order : {'alternating', 'simultaneous'}
        The order of updates.
    """
    dynamics = solvers.ReplicatorDynamics(games.kuhn(), payoff_shift=3.0, order=order)
    return dynamics.step(dynamics.init(), rounds).average.plan(1)


def compute_next_replicator_plan(plan: Floats, payoff: Floats, shift: float) -> Floats:
    """Return a player's realization plan after one step of the replicator dynamics, eq. 3 of Lanctot (2014).

    The player acts at most once in a hand, and has two actions at each of I information sets.

    Parameters
    ----------
    plan : array of shape (1 + 2 I,)
        The present plan: 1 for the empty sequence, then the probabilities of two actions at each information set.
    payoff : array of shape (1 + 2 I,)
        The payoff that each sequence adds to the expected payoff, for each unit of its weight in the plan.
    shift : float
        A constant that is added to payoffs, so that the fitness of each action is positive.

    Returns
    -------
    array of shape (1 + 2 I,)
        The next plan.
    """
    probabilities = plan[1:].reshape(-1, 2)  # a row for each information set
    payoffs = payoff[1:].reshape(-1, 2)
    expected_payoff = plan @ payoff
    payoff_of_infoset = (probabilities * payoffs).sum(axis=1, keepdims=True)
    # The fitness of an action is the expected payoff of a player who always takes it at its information set, and who
    # follows the present plan at all others.
    fitness = expected_payoff - payoff_of_infoset + payoffs + shift
    grown = probabilities * fitness
    return np.append(1, grown / grown.sum(axis=1, keepdims=True))


def compute_plans_before_and_after_round(
    rounds: int, shift: float, in_turns: bool = False
) -> Floats:
    """Return both players' realization plans in the game with four cards, before and after one round, (2, 2, 5).

    Parameters
    ----------
    rounds : int
        The number of rounds that the exercise passes, which is not used here.
    shift : float
        A constant that is added to payoffs.
    in_turns : bool
        Whether player 2 responds to the new plan of player 1, and not to the old one.
    """
    new_plan_1 = compute_next_replicator_plan(COINS, FOUR_CARDS @ COINS, shift)
    opponent_plan = new_plan_1 if in_turns else COINS
    new_plan_2 = compute_next_replicator_plan(COINS, -FOUR_CARDS.T @ opponent_plan, shift)
    return np.array([(COINS, COINS), (new_plan_1, new_plan_2)])


def compute_probability_of_rudeness(rounds: int, shift: float, mutants: float = 0.01) -> float:
    """Return the probability that the host of lesson 05b is rude after some rounds of replicator dynamics.

    Parameters
    ----------
    rounds : int
        The number of rounds, in which guest and host update at the same time.
    shift : float
        A constant that is added to payoffs.
    mutants : float
        The share of guests who decide by a coin in each round.
    """
    coin_plan = COINS[:3]  # the empty sequence, and two actions
    guest = host = coin_plan
    for _ in range(rounds):
        guest = (1 - mutants) * guest + mutants * coin_plan
        host_payoffs = np.array([0, guest[2], 0])
        guest_payoffs = np.array([0, 1, 0])
        guest, host = (
            compute_next_replicator_plan(guest, guest_payoffs, shift),
            compute_next_replicator_plan(host, host_payoffs, shift),
        )
    return float(host[2])


def trace_fictitious_play(memory: int = 8, sign: int = -1) -> list[tuple[int, int]]:
    """Return the actions of both players in eight rounds of fictitious play, for the 2 x 2 game of lesson 06.

    Parameters
    ----------
    memory : int
        The number of the other player's last actions to which a player responds.
    sign : {-1, 1}
        -1 if player 2 wants player 1's payoff to be small, and 1 if player 2 wants it to be large, by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    played = [(0, 0)]
    while len(played) < 8:
        rows, columns = np.transpose(played[-memory:])
        row = int(table[:, columns].sum(axis=1).argmax())
        column = int((sign * table[rows].sum(axis=0)).argmax())
        played.append((row, column))
    return played


def run_regret_matching(
    played: int, rounds: int | None = None, kept: float = 1, sign: int = -1
) -> Floats:
    """Return both players' regrets after rounds of regret matching in the game of lesson 06, then NashConv, (5,).

    Parameters
    ----------
    played : int
        The number of rounds.
    rounds : int, optional
        The number by which the sum of the largest regrets is divided, by default that of the rounds.
    kept : float
        By which the regrets so far are multiplied in each round; 1 is right.
    sign : {-1, 1}
        -1 if player 2 wants player 1's payoff to be small, and 1 if player 2 wants it to be large, by mistake.
    """
    table = np.array([[2, -1], [-1, 1]])
    positive_regrets, regrets = np.ones((2, 2)), np.zeros((2, 2))  # a row for each player
    for _ in range(played):
        x, y = positive_regrets / positive_regrets.sum(axis=1, keepdims=True)
        expected_payoff = x @ table @ y
        gains_1 = table @ y - expected_payoff
        gains_2 = sign * (x @ table - expected_payoff)
        regrets = kept * regrets + [gains_1, gains_2]
        positive_regrets = np.maximum(regrets, 0)
    return np.append(regrets, regrets.max(axis=1).sum() / (rounds or played))


def run_third_round_of_regret_matching(
    largest: bool = False, kept: float = 1, rounds: int = 3
) -> Floats:
    """Return player 1's mixture in round 3 of regret matching in the game of lesson 06, then the regrets and NashConv.

    Parameters
    ----------
    largest : bool
        Whether player 1 plays only the row with the largest regret, by mistake.
    kept : float
        By which the regrets so far are multiplied; 1 is right.
    rounds : int
        The number by which the sum of the largest regrets is divided; 3 is right.

    Returns
    -------
    array of shape (7,)
        The mixture, the regrets of player 1, those of player 2, and NashConv.
    """
    table = np.array([[2, -1], [-1, 1]])
    regrets_1, regrets_2 = run_regret_matching(2)[:4].reshape(2, 2)
    positive_1, positive_2 = np.maximum(regrets_1, 0), np.maximum(regrets_2, 0)
    x = np.eye(2)[positive_1.argmax()] if largest else positive_1 / positive_1.sum()
    y = positive_2 / positive_2.sum()

    expected_payoff = x @ table @ y
    regrets_1 = kept * regrets_1 + table @ y - expected_payoff
    regrets_2 = kept * regrets_2 + expected_payoff - x @ table
    nash_conv = (regrets_1.max() + regrets_2.max()) / rounds
    return np.concatenate([x, regrets_1, regrets_2, [nash_conv]])


def compute_third_round_by_three_rules(lowest: float = 0) -> Floats:
    """Return the probability of action A in round 3 by CFR, CFR+ and PCFR+, (3,).

    In round 1 the actions A and B pay 4 and 0, and in round 2 they pay 0 and 3. `lowest` is the number below which CFR+
    and PCFR+ keep no regret; 0 is right.
    """
    probabilities = []
    cfr, cfr_plus, predictive_cfr_plus = (-inf, 0), (lowest, 0), (lowest, 1)
    for floor, weight_of_prediction in (cfr, cfr_plus, predictive_cfr_plus):
        regrets, positive_regrets = np.zeros(2), np.ones(2)
        for payoffs in ([4.0, 0.0], [0.0, 3.0]):
            mixture = positive_regrets / positive_regrets.sum()
            gains = payoffs - mixture @ payoffs
            regrets = np.maximum(regrets + gains, floor)
            positive_regrets = np.maximum(regrets + weight_of_prediction * gains, 0)
        probabilities.append(positive_regrets[0] / positive_regrets.sum())
    return np.array(probabilities)


def compute_opening_regrets_of_jack(
    weight: float = 1 / 3, bet_after_check: float = 1 / 2, factor: float = 1
) -> list[float]:
    """Return the counterfactual values and the regrets of a first check and bet with a jack in Kuhn poker.

    All players decide by a coin.

    Parameters
    ----------
    weight : float
        By which both values are multiplied: the probability of a jack is right.
    bet_after_check : float
        The probability with which the opponent bets after a check; 1/2 is right.
    factor : float
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
    return [check, bet, factor * (check - mean), factor * (bet - mean)]


def compute_payoffs_and_regrets_of_jack(
    weight: float = 1 / 3, after_bet: float = 0, regret_of_call: float = -1 / 12
) -> list[float]:
    """Return what the plans "check, then call" and "bet" win with a jack in Kuhn poker, then the regrets of both plans.

    The player acts first, and all players decide by a coin.

    Parameters
    ----------
    weight : float
        A third of the number by which all numbers are multiplied. By default they are those of a hand dealt.
    after_bet : float
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
        regret_of_bet + after_bet,
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


def find_numbers_of_cures(answer: Any) -> list[int]:
    """Return the numbers in `CURES` of the cures in an answer to exercise 07b.5, and that of the mechanism.

    `answer` is a list of the names of cures and, as the last one, the name of the mechanism.
    """
    *cures, mechanism = answer
    numbers_of_cures = [CURES.index(cure) for cure in cures]
    return [*numbers_of_cures, MECHANISMS.index(mechanism)]


SHOWN_BY_RESULTS = ("true", "false", "open")
"""Whether propositions and results of lesson 12b prove a statement, disprove it, or do neither."""


def judge_numbers_at_two_times(times: Any) -> list[int]:
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
    early, late = (
        [np.asarray(population, np.float64) for population in pair_of_populations]
        for pair_of_populations in times
    )
    early_share, late_share = (
        float((1 + np.sign(first[:, None] - second)).mean() / 2) for first, second in (early, late)
    )
    both_fell = all(after.max() < before.min() for before, after in zip(early, late, strict=True))
    return [int(both_fell), int(early_share <= 1 / 4), int(late_share >= 3 / 4)]


def share_against_pairs(pairs: Any, opponents: Any = None) -> Floats:
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


def judge_pair_in_circle(pair: Any) -> list[int]:
    """Return whether a pair of numbers closes a circle of wins in the intransitive number game: 0 or 1, twice.

    The first number is whether the pair beats (50, 70), and the second whether (40, 60) beats the pair. The nearer one
    of two numbers decides a contest.
    """
    game = games.intransitive_numbers()
    chosen, low, high = (np.array([numbers]) for numbers in (pair, (40, 60), (50, 70)))
    return [
        int(game.payoffs(chosen, high).item() > 0),
        int(game.payoffs(low, chosen).item() > 0),
    ]


def judge_own_opponents(draw: Callable[..., Any]) -> Floats:
    """Return how a student's function draws opponents of its own for each individual, as three numbers.

    Parameters
    ----------
    draw : callable
        `draw(past, population, generator)` returns opponents for each individual of a population, from the list of
        generations so far.

    Returns
    -------
    array of shape (3,)
        How many opponents each of 20 individuals gets, whether they differ between individuals, and whether they all
        are from the second population of the last generation.
    """
    past = make_numbered_generations(generations=3)
    opponents = np.asarray(draw(past, 1, random_stream(1, "own")))
    # An answer may have one list of opponents for all individuals. It then counts for each of them.
    individuals = past[0][1][:, None]
    drawn, _ = np.broadcast_arrays(opponents, individuals)
    first_opponents_differ = len(np.unique(drawn[:, 0, 0])) > 5
    are_right = np.isin(drawn[..., 0], past[-1][1]).all()
    return np.array([drawn.shape[1], first_opponents_differ, are_right])


def judge_old_opponents(draw: Callable[..., Any]) -> Floats:
    """Return how a student's function draws opponents from 50 past generations, as three numbers.

    `draw` is that of `judge_own_opponents`. The numbers are how many opponents are drawn, whether all are from the
    second population, and whether they come from many generations, also from the older half.
    """
    past = make_numbered_generations(generations=50)
    drawn = np.asarray(draw(past, 1, random_stream(1, "old")))[..., 0]
    generations, individuals = np.divmod(drawn, 40)  # 40 individuals of both populations
    are_old = (len(np.unique(generations)) > 20) and (generations < 25).sum() > 15
    return np.array([drawn.size, (individuals >= 20).all(), are_old])


def make_numbered_generations(generations: int) -> list[Ints]:
    """Return generations of two populations, in which each individual is a number of its own.

    Each array has the shape (2, 20, 1): two populations of 20 individuals of one gene. Numbers rise from 0.
    """
    return [*np.arange(generations * 40).reshape(generations, 2, 20, 1)]


def judge_chain_of_players(results: Any) -> Floats:
    """Return three truth values about a table of results of ten players, as 0 or 1, (3,).

    They are whether the table is antisymmetric, whether each player beats all players before it, and whether the next
    player is the one that beats a player by most.

    Parameters
    ----------
    results : array_like of shape (10, 10)
        What the row's player wins from the column's.
    """
    table = np.asarray(results, np.float64)
    below_diagonal = np.tri(10, k=-1, dtype=bool)
    beats_all_before = (table[below_diagonal] > 0).all()
    strongest_opponents = table[:, :9].argmax(axis=0)
    next_beats_by_most = (strongest_opponents == range(1, 10)).all()
    return np.array([np.array_equal(table, -table.T), beats_all_before, next_beats_by_most])


def compute_gain_against_average(rounds: int) -> float:
    """Return what a best response wins from the average strategy of fictitious play in rock, paper, scissors.

    Both players begin with rock, and the average is that after some rounds.
    """
    game = games.rock_paper_scissors()
    rock = Profile(game, [1, 0, 0] * 2)
    play = solvers.FictitiousPlay(game, order="simultaneous", start=rock)
    average = play.step(play.init(), rounds + 1).average
    return metrics.nash_conv(game, average) / 2


def measure_winnings_of_mixture(lazy: Callable[[Floats, Floats], Any], mix: Floats) -> Floats:
    """Return the mean and the standard deviation of the winnings of a mixed strategy in 20,000 measurements, (2,).

    `lazy` is a student's function, which returns what a mixture wins in one measurement from each of some mixtures.
    `mix`, (3,), is the mixture.
    """
    mixes = np.tile(mix, (20_000, 1))
    won: Floats = np.asarray(lazy(mixes, mixes[0]))
    return np.array([won.mean(), won.std()])


def compute_moments_of_winnings(mix: Floats, spread: float = 0.5) -> Floats:
    """Return the theoretical mean and standard deviation of the numbers that `measure_winnings_of_mixture` measures.

    The standard deviation of the winnings of a random mixture of the three strategies is half of that of one of the
    three strategies drawn at random.

    Parameters
    ----------
    mix : array of shape (3,)
        The mixture of rock, paper and scissors, in the biased game.
    spread : float
        The factor of the standard deviation; 1/2 is right.
    """
    payoffs = mix @ BIASED
    return np.array([payoffs.mean(), spread * payoffs.std()])


def compute_mean_of_smallest_report(count: int) -> float:
    """Return the mean of the smallest of several reports, each of which is +1 or -1 with the same probability."""
    return 2.0 ** (1 - count) - 1


def search_worst_case(mix: Floats, C: float, games: int, seed: int, root: float = 0.5) -> float:
    """Return the worst-case payoff of a mixed strategy in biased rock, paper, scissors, as UCT estimates it.

    Parameters
    ----------
    mix : array of shape (3,)
        The mixture.
    C : float
        The constant of exploration.
    games : int
        The number of playouts, at least three.
    seed : int
        Decides the actions that are drawn from the mixture.
    root : float
        The power of the exploration term; 1/2 is right.
    """
    generator = np.random.default_rng(seed)
    won, tries = np.zeros(3), np.zeros(3)
    for n in range(games):
        if n < 3:  # each action is tried once
            action = n
        else:
            upper_bounds = won / tries + C * (log(n) / tries) ** root
            action = int(upper_bounds.argmax())
        won[action] -= BIASED[generator.choice(3, p=mix), action]
        tries[action] += 1
    return float(won.sum() / games)


def compute_discounted_average(beta: float = -inf, gamma: float = 1.0) -> Floats:
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
