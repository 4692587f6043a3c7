"""The right answers to exercises of lessons 00 to 05c and 06d, on payoff tables, populations and game trees.

Most are short programs that call a function of the library. Some have parameters that an exercise does not have. By
default they give the right answer, and with other values the answer of a common mistake. `exercises` uses both.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab import games, metrics, solvers
from pokerlab.core import Floats
from pokerlab.games import Profile

SEED = 1  # the seed that the lessons use
UNIFORM_PLAN = np.array([1, 0.5, 0.5, 0.5, 0.5])
RPS_PAYOFFS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
"""The payoffs of the row player in rock, paper, scissors. The next four arrays are those of games with other payoffs,
and of the game with four cards."""
PENALTY_KICK_PAYOFFS = np.array([[0.4, 0.9], [0.7, 0.5], [0.8, 0.6]])
UNEVEN_RPS_PAYOFFS = np.array([[0, -5, 10], [5, 0, -1], [-10, 1, 0]])
BIASED_RPS_PAYOFFS = games.biased_rps().payoff_matrix(0).toarray()[1:, 1:]
FOUR_CARD_PAYOFFS = (
    np.array([[0] * 5, [0, 2, 1, 2, 1], [2, 0, 0, 0, 0], [0, -2, 1, 2, 1], [0] * 5]) / 4
)
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


def compute_loss_in_100_hands(**bet_probabilities: float) -> float:
    """Return the chips that a player of Kuhn poker loses to best responses in 100 hands.

    `bet_probabilities` are the player's probabilities of a bet or call in both seats, as in `make_betting_profile`.
    """
    profile = make_betting_profile(**bet_probabilities)
    hands_in_each_seat = 50  # exploitability is the sum of what is lost in both seats
    return hands_in_each_seat * metrics.exploitability(games.kuhn(), profile)


def compute_best_response_gains(bluff_probability: float) -> Floats:
    """Return both players' gains from best responses in Kuhn poker if player 1 never bets first, (2,), in chips.

    `bluff_probability` is the probability with which player 2 bluffs with a jack. All other choices are those of an
    equilibrium.
    """
    calls = {"K, pass-bet": 1.0, "Q, pass-bet": 1 / 3, "K, bet": 1.0, "Q, bet": 1 / 3}
    bets = {"K, pass": 1.0, "J, pass": bluff_probability}
    return games.kuhn().gains(make_betting_profile(**calls, **bets))


def list_jack_payoffs(num_deals: int = 6, largest_loss: float = 2) -> Floats:
    """Return the chips of player 1's jack against a queen in Kuhn poker, and its payoff in the mixture of lesson 04b.

    The 17 numbers are the chips of the jack's four sequences against each of the queen's four, and then the payoff. By
    mistake `num_deals` is another number of deals than 6, or `largest_loss` bounds the jack's losses.
    """
    chips = 6 * games.kuhn().payoff_matrix(0).toarray()[[1, 2, 7, 8], 1:5]
    chips = np.maximum(np.round(chips), -largest_loss)
    plan = make_betting_profile(**{"K": 1.0, "J, pass": 1 / 3, "Q, bet": 1 / 3}).plan(1)
    payoff = np.array([3, 1, 2, 1]) / 4 @ chips @ (plan[1:5] + plan[5:9])  # a queen, and a king
    return np.append(chips, payoff / num_deals)


def list_king_inequality_numbers(
    payoff_factor: float = 36, coefficient_of_check: int = -1, adds_payoff_after_bet: bool = False
) -> Floats:
    """Return the numbers of the linear program of player 1's king in Kuhn poker, against player 2's equilibrium plan.

    They are the payoffs of the king's four sequences, the best payoffs w at its two information sets, and the rows of
    the constraint matrix E for these information sets, of four numbers each.

    Parameters
    ----------
    payoff_factor : float
        The factor of all payoffs a hand; 36 counts each of the six deals six times, which is right.
    coefficient_of_check : int
        The coefficient of the check in the row of the second information set; -1 is right.
    adds_payoff_after_bet : bool
        Whether the payoff of the check includes the best payoff after the opponent's bet, by mistake.
    """
    game = games.kuhn()
    plan = make_betting_profile(**{"K": 1.0, "J, pass": 1 / 3, "Q, bet": 1 / 3}).plan(1)
    constraints = game.make_treeplex(0).make_constraint_matrix().toarray()[[3, 6]]
    king_sequences = np.nonzero(constraints == 1)[1]
    payoffs = payoff_factor * (game.payoff_matrix(0) @ plan)[king_sequences]
    best_payoff_after_bet = payoffs[2:].max()
    best_payoff = max(payoffs[0] + best_payoff_after_bet, payoffs[1])
    if adds_payoff_after_bet:
        payoffs[0] += best_payoff_after_bet
    return np.array(
        [*payoffs, best_payoff, best_payoff_after_bet, 1, 1, 0, 0, coefficient_of_check, 0, 1, 1]
    )


def evolve_bluffs_and_calls(rounds: int, coin_share: float = 0.01) -> tuple[float, float]:
    """Return the share of players who bluff with a jack, and of those who call with a queen, after some rounds.

    The shares change by the replicator dynamics of lesson 00, from one half each.

    Parameters
    ----------
    rounds : int
        The number of rounds.
    coin_share : float
        The share of players who decide by a coin in each round.
    """
    bluff = call = 0.5
    for _ in range(rounds):
        odds_of_bluff = bluff * (5 - 3 * call) / (4 * (1 - bluff))
        bluff = (1 - coin_share) * odds_of_bluff / (1 + odds_of_bluff) + coin_share / 2
        odds_of_call = call * (5 + bluff) / ((1 - call) * (6 - 2 * bluff))
        call = (1 - coin_share) * odds_of_call / (1 + odds_of_call) + coin_share / 2
    return bluff, call


def solve_for_row_player(payoff: Floats) -> Floats:
    """Return player 1's equilibrium strategy in a zero-sum game, (rows,).

    `payoff` is the table of player 1's payoffs, of shape (rows, columns).
    """
    return solvers.SequenceFormLP(games.bimatrix(payoff, -payoff)).solve().profile.get_behavior(0)


def compute_duality_gap(payoff: Floats, row_mixture: Floats, column_mixture: Floats) -> float:
    """Return what a best response to the columns' mixture earns, less the worst-case payoff of the rows' mixture.

    This is the duality gap of a zero-sum game. It is zero if both mixtures are an equilibrium.

    Parameters
    ----------
    payoff : array of shape (rows, columns)
        What the player who chooses the row wins.
    row_mixture, column_mixture : array of shape (rows,) and (columns,)
        Mixtures of rows and of columns.
    """
    best_response_payoff = (payoff @ column_mixture).max()
    worst_case_payoff = (row_mixture @ payoff).min()
    return float(best_response_payoff - worst_case_payoff)


def compute_morra_points(
    show: int, call: int, other_show: int, other_call: int, factor_if_both_right: int = 0
) -> int:
    """Return the points that a player wins from the other one in a round of Morra.

    Parameters
    ----------
    show, call : int
        The fingers that the player shows, and those that the player says the other one shows.
    other_show, other_call : int
        The same of the other player.
    factor_if_both_right : int
        How many times the sum of fingers the player wins if both are right; 0 by the rules.
    """
    is_right = call == other_show
    other_is_right = other_call == show
    both_are_right = is_right and other_is_right
    return (show + other_show) * (is_right - other_is_right + factor_if_both_right * both_are_right)


def compute_check_and_fold_of_mixture(
    first: Sequence[float], second: Sequence[float], share_of_first: float, average: str = "plans"
) -> Floats:
    """Return how often a mixture of two strategies checks a jack, and how often it then folds to a bet, (2,).

    Parameters
    ----------
    first, second : pair of float
        The two strategies: the probability of checking a jack, and that of then folding to a bet.
    share_of_first : float
        The probability of the first strategy.
    average : {'plans', 'behavior', 'weights'}
        What is averaged. 'plans' is right. By mistake 'behavior' averages the probabilities of a fold, and 'weights'
        does not divide the weight of the fold by that of the check.
    """
    check_probabilities, fold_probabilities = np.array([first, second], np.float64).T
    shares = np.array([share_of_first, 1 - share_of_first])
    checks = shares @ check_probabilities
    weight_of_fold = shares @ (check_probabilities * fold_probabilities)
    folds = {
        "plans": weight_of_fold / checks,
        "behavior": shares @ fold_probabilities,
        "weights": weight_of_fold,
    }
    return np.array([checks, folds[average]])


def solve_penalty_kick() -> Floats:
    """Return the equilibrium of the penalty kick of lesson 01: three probabilities of the kicker, two of the keeper."""
    game = games.bimatrix(PENALTY_KICK_PAYOFFS, -PENALTY_KICK_PAYOFFS)
    profile = solvers.SequenceFormLP(game).solve().profile
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


def evaluate_spy_game(rules_class: Any, truth_probability: Fraction) -> list[float]:
    """Return the value of the spy game for player 1, and whether player 1's information set shows the spy's report.

    Parameters
    ----------
    rules_class : class of rules
        The student's class of the game's rules.
    truth_probability : Fraction
        The probability that the spy tells the truth.
    """
    spy_game = rules_class()
    spy_game.chance = truth_probability
    value = solvers.SequenceFormLP(games.compile_rules(spy_game)).solve().value
    infoset = spy_game.turn(("left", "tells")).infoset
    return [value, "left" in infoset]


def solve_four_card_game(bet: float, num_deals: int = 4) -> list[float]:
    """Return how often a queen bets, how often a king calls, and player 1's payoff in the game with four cards.

    A king is indifferent if (1 + bet) (1 - queen) = 1 + queen, and a queen if (2 + bet) king = 2. The payoff is the
    sum over the four deals, divided by `num_deals`.
    """
    queen, king = bet / (2 + bet), 2 / (2 + bet)
    return [queen, king, 2 * (1 + queen) / num_deals]


def compute_stable_hawk_share(payoff_of_two_hawks: Any) -> float:
    """Return the stable share of hawks in the hawk-dove game of lesson 02.

    `payoff_of_two_hawks` is the payoff of a hawk against another hawk, a number or a Fraction.
    """
    table: list[list[Any]] = [[payoff_of_two_hawks, 2], [0, 1]]
    return float(solvers.find_rest_points(table).stable[0].shares[0])


def trace_replicator_shares(
    payoff: Floats, shares: Floats, shift: float, rounds: int, replaced_fraction: float = 0.1
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
    replaced_fraction : float
        The fraction of the population that is replaced in each round, in proportion to fitness.

    Returns
    -------
    array of shape (rounds + 1, N)
        A row for the start, and one for each round.
    """
    history = [shares]
    for _ in range(rounds):
        fitness = payoff @ shares + shift
        mean_fitness = shares @ fitness
        newborn = replaced_fraction * shares * fitness / mean_fitness
        shares = (1 - replaced_fraction) * shares + newborn
        history.append(shares)
    return np.array(history)


def compute_invasion_rates(payoff: Any, resident: int) -> Floats:
    """Return how fast a few mutants of each strategy multiply in a population of one resident strategy, (N,).

    The rate of a strategy is the growth of its share in the replicator flow, divided by the share, at a share of
    one millionth. The rate of the resident strategy itself is 0. `payoff`, (N, N), has the payoffs of a symmetric game.
    """
    num_strategies, mutant_share = len(payoff), 1e-6
    pure = np.eye(num_strategies)
    rates = np.zeros(num_strategies)
    for mutant in set(range(num_strategies)) - {resident}:
        shares = (1 - mutant_share) * pure[resident] + mutant_share * pure[mutant]
        payoffs = np.asarray(payoff) @ shares
        rates[mutant] = payoffs[mutant] - shares @ payoffs
    return rates


def is_symmetric_equilibrium(payoff: Any, mixture: Floats) -> bool:
    """Return whether no pure strategy of a symmetric game earns more against a mixture than the mixture does."""
    return all(row @ mixture <= mixture @ payoff @ mixture + 1e-9 for row in np.asarray(payoff))


def resists_mutant(
    payoff: Any,
    resident: Any,
    mutant: Any,
    decide_by_leads: Callable[[Any, Any], bool] = lambda first, second: (
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
    decide_by_leads : callable
        A function of two leads of residents over mutants: of the payoffs against residents, and of those against
        mutants. By default residents must lead in the first, or be equal there and lead in the second.
    """
    lead_against_residents = (resident - mutant) @ payoff @ resident
    lead_against_mutants = (resident - mutant) @ payoff @ mutant
    return bool(decide_by_leads(lead_against_residents, lead_against_mutants))


def find_interior_rest_point_share(payoff: Any) -> float:
    """Return the share of the first of two strategies at the interior rest point of a symmetric game."""
    return float(solvers.find_rest_points(payoff).points[-1].shares[0])


def compute_growth_of_log_product(
    win: float, shares: Floats, factor_of_mean_payoff: float = 1
) -> float:
    """Return the rate at which the logarithm of the product of shares changes in the flow of rock, paper, scissors.

    It is (win - 1)(1 - 3 Q), where Q is the sum of the products of two different shares.

    Parameters
    ----------
    win : float
        What a win brings if a loss costs 1.
    shares : ndarray of shape (3,)
        The shares of rock, paper and scissors.
    factor_of_mean_payoff : float
        By which the average payoff of the population is multiplied in the result.
    """
    return float((win - 1) * (1 - 3 * factor_of_mean_payoff * (shares @ np.roll(shares, 1))))


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
    path = trace_replicator_shares(
        RPS_PAYOFFS, start, shift, rounds or 10 * shift, replaced_fraction=1.0
    )
    return float(np.log(path[0].prod() / path[-1].prod()))


def compute_rounds_to_exploitability(goal: float, shift: float, n_1: int, n_2: int) -> float:
    """Return after how many rounds the replicator flow's bound on the exploitability of averages reaches a goal.

    The bound is (log n_1 + log n_2) / T, where n_1 and n_2 are the players' numbers of strategies and T is the time. A
    round takes the time 1 / shift.
    """
    return float(shift * np.log(n_1 * n_2) / goal)


def compute_fixation_probability(fitness_ratios: Sequence[float], num_mutants: int = 1) -> float:
    """Return the probability that mutants take over a population of N members.

    The probabilities h_i from i mutants on solve the linear equations (1 + r_i) h_i = h_{i+1} + r_i h_{i-1} with
    h_0 = 0 and h_N = 1.

    Parameters
    ----------
    fitness_ratios : sequence of N - 1 floats
        r_1 to r_{N-1}: the fitness of residents, divided by that of mutants, when there are i mutants.
    num_mutants : int
        The number of mutants at the start.
    """
    r = np.asarray(fitness_ratios, np.float64)
    matrix = np.diag(1 + r) - np.diag(r[1:], -1) - np.diag(np.ones(len(r) - 1), 1)
    right_side = np.eye(len(r))[-1]  # h_N = 1 in the last equation
    probabilities = np.linalg.solve(matrix, right_side)
    return float(probabilities[num_mutants - 1])


def trace_population_fictitious_play(
    payoff: Floats, shares: Floats, rounds: int, weight_of_start: int = 1
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
    weight_of_start : int
        As how many rounds the start counts.

    Returns
    -------
    array of shape (rounds + 1, N)
        A row for the start, and one for each round.
    """
    pure = np.eye(len(shares))
    history = [np.asarray(shares, np.float64)]
    for num_averaged in range(weight_of_start, weight_of_start + rounds):
        best_response = pure[(payoff @ history[-1]).argmax()]
        history.append((num_averaged * history[-1] + best_response) / (num_averaged + 1))
    return np.array(history)


def compute_average_replicator_plan(
    payoffs: Any, parent_sequences: Any, first_plan: Any, rounds: int, order: str = "alternating"
) -> Floats:
    """Return player 2's average realization plan, of 13 sequences, after rounds of replicator dynamics in Kuhn poker.

    Parameters
    ----------
    payoffs, parent_sequences, first_plan : array
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


def compute_plans_around_first_round(
    rounds: int, shift: float, alternating: bool = False
) -> Floats:
    """Return both players' plans before and after the first round of replicator dynamics in the game with four cards.

    The axes of the array, (2, 2, 5), are the time, the player and the sequence.

    Parameters
    ----------
    rounds : int
        The number of rounds, which the exercise passes to each of its functions. It is not used: there is one round.
    shift : float
        A constant that is added to payoffs.
    alternating : bool
        Whether player 2 responds to the new plan of player 1, and not to the old one.
    """
    new_plan_1 = compute_next_replicator_plan(UNIFORM_PLAN, FOUR_CARD_PAYOFFS @ UNIFORM_PLAN, shift)
    opponent_plan = new_plan_1 if alternating else UNIFORM_PLAN
    new_plan_2 = compute_next_replicator_plan(
        UNIFORM_PLAN, -FOUR_CARD_PAYOFFS.T @ opponent_plan, shift
    )
    return np.array([(UNIFORM_PLAN, UNIFORM_PLAN), (new_plan_1, new_plan_2)])


def compute_probability_of_rudeness(rounds: int, shift: float, mutant_share: float = 0.01) -> float:
    """Return the probability that the host of lesson 05b is rude after some rounds of replicator dynamics.

    Parameters
    ----------
    rounds : int
        The number of rounds, in which guest and host update at the same time.
    shift : float
        A constant that is added to payoffs.
    mutant_share : float
        The share of guests who decide by a coin in each round.
    """
    coin_plan = UNIFORM_PLAN[:3]  # the empty sequence, and two actions
    guest = host = coin_plan
    for _ in range(rounds):
        guest = (1 - mutant_share) * guest + mutant_share * coin_plan
        host_payoffs = np.array([0, guest[2], 0])
        guest_payoffs = np.array([0, 1, 0])
        guest, host = (
            compute_next_replicator_plan(guest, guest_payoffs, shift),
            compute_next_replicator_plan(host, host_payoffs, shift),
        )
    return float(host[2])
