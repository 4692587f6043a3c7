"""The exercises of lessons 00 to 15b: the check of each answer, with the common mistakes that have their own hints."""

from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, inf
from typing import Any

import numpy as np

from pokerlab import games, metrics
from pokerlab.classroom import truths_on_games, truths_on_holdem, truths_on_learning
from pokerlab.classroom.answers import describe_unknown_name, is_known, number_phrases
from pokerlab.classroom.checks import RIGHT, WORDS, WRONG, Check, Note, find_current_name
from pokerlab.classroom.truths_on_holdem import RESULTS
from pokerlab.core import random_stream
from pokerlab.evolution.population import Elites
from pokerlab.evolution.population.selection import count_better_results, find_pareto_front
from pokerlab.papers.nicolai2009 import fix_inputs

BEATEN = (RESULTS > 0).sum(axis=1)
HALF = Elites(share=0.5)
NORMAL = np.random.default_rng(1).normal(size=(3, 684))
OFF_CENTER, WARY = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.9])
HAWK_DOVE = np.array([[-2, 2], [0, 1]])
PRISONERS = games.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
BULLIED = np.array([[-2, 2, 2], [0, 1, 0], [0, 2, 1]])
STAGS = np.array([[4, 0], [3, 3]])
MUTANTS: list[tuple[Any, list[Any], list[int]]] = [
    (np.eye(2), [1, 0], [0, 1]),
    (np.eye(2), [0.5, 0.5], [1, 0]),
    (HAWK_DOVE, [Fraction(1, 3), Fraction(2, 3)], [1, 0]),
    (HAWK_DOVE, [0, 1], [1, 0]),
    (np.ones((2, 2)), [1, 0], [0, 1]),
    (np.array([[1, 0], [2, -1]]), [1, 0], [0, 1]),
]
"""The payoffs, the residents and the mutants of the check of `resists`. In the last game mutants earn more from
residents, but less from each other."""
RESTING = [
    (payoff, np.array(shares))
    for payoff, shares in (
        (HAWK_DOVE, [1 / 3, 2 / 3]),
        (HAWK_DOVE, [0.0, 1.0]),
        (STAGS, [1.0, 0.0]),
        (STAGS, [0.75, 0.25]),
        (BULLIED, [1 / 3, 2 / 3, 0.0]),
        (BULLIED, [1 / 3, 0.0, 2 / 3]),
        (BULLIED, [0.0, 0.0, 1.0]),
    )
]
"""Games and populations at rest, for the check of `is_equilibrium`; some of them are equilibria."""
PAIRS = [
    (truths_on_games.PENALTY_KICK_PAYOFFS, np.array([0, 0, 1]), np.array([0.5, 0.5])),
    (np.array([[2, -1, 3], [0, 4, -2]]), np.array([0.3, 0.7]), np.array([0.2, 0.5, 0.3])),
    (truths_on_games.RPS_PAYOFFS, np.full(3, 1 / 3), np.full(3, 1 / 3)),
]
"""A table, a mixture of rows and a mixture of columns, for the check of `gap`."""
WINNINGS = np.random.default_rng(2).multivariate_normal(
    [2.0, 1.2, 0.4], [[70, -20, -25], [-20, 60, -20], [-25, -20, 80]], 2000
)
"""What three players win in each of 2,000 deals."""
ACES, DRAW, STRAIGHT, TURN = [51, 48], [25, 21], [41, 37], [33, 29, 0, 46]
"""Three hands of lesson 10 (As Ac, 8d 7d, and Qd Jd) and a board (Td 9d 2c Kh), for the checks of 10.2 and 10.3."""


def check(exercise: str, answer: Any) -> Note:
    """Return a note that tells whether an answer to an exercise is right, and gives a hint if it is wrong.

    Parameters
    ----------
    exercise : str
        The lesson and the number of the exercise, such as '05.2'. Names of pokerlab 1.0, such as '03-2', keep their
        meaning.
    answer : object
        What the exercise asks for, such as a number, an array, a profile or a function. A function is called.

    Examples
    --------
    >>> import pokerlab as pl
    >>> pl.check("00.1", 50 / 3)
    ✓ Right.
    """
    exercise = find_current_name("exercises", exercise)
    if not is_known(exercise, CHECKS):
        return Note(describe_unknown_name("exercise", exercise, CHECKS), WRONG)
    texts = WORDS["exercises"][exercise]
    is_right, sentence = CHECKS[exercise].judge_answer(answer, texts["hints"])
    if is_right:
        return Note(sentence, RIGHT)
    return Note(f"Not yet. {sentence} Asked for: {texts['asks']}.", WRONG)


def count_short_deck_hands(ranks: int, straights: int) -> list[int]:
    """Return the number of hands, straights, flushes, full houses and straight flushes with a short deck."""
    flushes = 4 * (comb(ranks, 5) - straights)
    return [comb(4 * ranks, 5), straights * 1020, flushes, ranks * (ranks - 1) * 24, 4 * straights]


CHECKS = {
    "00.1": Check(
        partial(truths_on_games.compute_loss_in_100_hands, K=1, Q=1),
        [
            partial(truths_on_games.compute_loss_in_100_hands, K=1),
            partial(truths_on_games.compute_loss_in_100_hands, K=1, Q=1, J=1),
        ],
        kind="number",
    ),
    "00.2": Check(
        truths_on_games.evolve_bluffs_and_calls,
        [
            partial(truths_on_games.evolve_bluffs_and_calls, coin_share=0),
            partial(truths_on_games.evolve_bluffs_and_calls, coin_share=0.99),
        ],
        [(1,), (30,)],
    ),
    "01.1": Check(
        lambda: [1 / 3, 1 / 2, 0, 1 / 3],
        [
            lambda: [1 / 2, 1 / 2, 0, 1 / 4],
            lambda: [2 / 3, 1 / 2, 0, 1 / 3],
            lambda: [1 / 2, 1 / 3, 0, 1 / 3],
        ],
    ),
    "01.2": Check(
        truths_on_games.solve_penalty_kick,
        [
            lambda: [3 / 7, 0, 4 / 7, 2 / 7, 5 / 7],
            lambda: truths_on_games.solve_penalty_kick()[[2, 1, 0, 4, 3]],
            lambda: [1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2],
        ],
    ),
    "01b.1": Check(
        lambda: [-1 / 2, 0, 1],
        [lambda: [-1, 0, 1], lambda: [-1 / 2, -1 / 2, 1], lambda: [-1, 0, 2]],
    ),
    "01b.2": Check(
        metrics.nash_conv,
        (),
        lambda: [
            (PRISONERS, PRISONERS.uniform()),
            (games.kuhn(), truths_on_games.make_betting_profile(K=1, J=0.5)),
        ],
    ),
    "02.1": Check(
        lambda cost: truths_on_games.compute_stable_hawk_share(Fraction(2 - cost, 2)),
        [
            lambda cost: truths_on_games.compute_stable_hawk_share(2 - cost),
            lambda cost: truths_on_games.compute_stable_hawk_share(Fraction(-cost, 2)),
        ],
        [(3,), (6,), (12,), (1,)],
    ),
    "02.2": Check(
        truths_on_games.trace_replicator_shares,
        [
            partial(truths_on_games.trace_replicator_shares, replaced_fraction=0.9),
            partial(truths_on_games.trace_replicator_shares, replaced_fraction=1),
        ],
        [(HAWK_DOVE, WARY, 3, 4), (truths_on_games.RPS_PAYOFFS, OFF_CENTER, 2, 3)],
    ),
    "02.3": Check(
        truths_on_games.compute_invasion_rates,
        [
            lambda payoff, i: payoff[i] - payoff[i, i],
            lambda payoff, i: payoff[:, i],
            lambda payoff, i: payoff[:, i] - payoff[i].mean(),
        ],
        [(BULLIED, 0), (BULLIED, 1), (BULLIED, 2), (STAGS, 0), (STAGS, 1)],
    ),
    "02.4": Check(
        lambda wins: wins - wins.T,
        [lambda wins: wins + wins.T],
        [(NORMAL[:, :3],), (np.eye(4)[::-1].cumsum(axis=0),)],
    ),
    "02b.1": Check(
        truths_on_games.resists_mutant,
        [
            partial(
                truths_on_games.resists_mutant,
                decide_by_leads=lambda first, second: first > 0 or second > 0,
            ),
            partial(truths_on_games.resists_mutant, decide_by_leads=lambda first, _: first >= 0),
            partial(
                truths_on_games.resists_mutant,
                decide_by_leads=lambda first, second: first > 0 or (first == 0 and second >= 0),
            ),
        ],
        [(payoff, np.array(resident), np.array(mutant)) for payoff, resident, mutant in MUTANTS],
        lambda resists, *case: np.asarray(resists(*case)),
        kind="function",
    ),
    "02b.2": Check(
        lambda k: 2 / 15 * k,
        [lambda k: 4 / 15 * k, lambda k: 2 / 15 * (1 - k), lambda k: 2 / 15 * k - 4 / 15],
        [(0.25,), (0.9,), (0.0,)],
    ),
    "02c.1": Check(
        truths_on_games.is_symmetric_equilibrium,
        [
            lambda payoff, p: bool(np.ptp(payoff @ p) < 1e-9),
            lambda payoff, p: bool(np.ptp((payoff @ p)[p > 0]) < 1e-9),
        ],
        RESTING,
        lambda is_equilibrium, *case: np.asarray(is_equilibrium(*case)),
        kind="function",
    ),
    "02c.2": Check(
        lambda: [0, 0, 1],
        [
            lambda: [0, 1, 1],
            lambda: [1, 0, 1],
            lambda: [0, 0, 0],
        ],
        compute_numbers=lambda is_ess: [int(each) for each in is_ess],
        kind="list",
    ),
    "02c.3": Check(
        truths_on_games.find_interior_rest_point_share,
        [lambda payoff: 1 - truths_on_games.find_interior_rest_point_share(payoff)],
        [(STAGS,), ([[2, 0], [0, 1]],), ([[5, 1], [0, 3]],)],
    ),
    "03.1": Check(
        truths_on_games.compute_growth_of_log_product,
        [
            lambda win, shares: truths_on_games.compute_growth_of_log_product(win, shares, 1 / 3),
            lambda win, shares: truths_on_games.compute_growth_of_log_product(win, shares) / 3,
        ],
        [(2, OFF_CENTER), (0.5, np.array([0.6, 0.2, 0.2])), (3, np.array([0.1, 0.1, 0.8]))],
    ),
    "03.2": Check(
        truths_on_games.measure_fall_of_log_product,
        [lambda shift: truths_on_games.measure_fall_of_log_product(shift, 100)],
        [(10,), (20,)],
    ),
    "03.3": Check(
        truths_on_games.compute_rounds_to_exploitability,
        [
            lambda goal, _, n_1, n_2: truths_on_games.compute_rounds_to_exploitability(
                goal, 1, n_1, n_2
            ),
            lambda goal, shift, n_1, n_2: truths_on_games.compute_rounds_to_exploitability(
                goal, 1 / shift, n_1, n_2
            ),
        ],
        [(0.001, 3, 64, 64), (0.01, 30, 2, 8)],
    ),
    "03.4": Check(
        truths_on_games.trace_population_fictitious_play,
        [partial(truths_on_games.trace_population_fictitious_play, weight_of_start=0)],
        [(truths_on_games.RPS_PAYOFFS, OFF_CENTER, 6), (HAWK_DOVE, WARY, 4)],
    ),
    "03b.1": Check(
        truths_on_games.compute_fixation_probability,
        [lambda ratios: 1 / (1 + np.sum(ratios)), lambda ratios: 1 / np.cumprod(ratios).sum()],
        [([0.7, 1.0],), ([1 / 1.1] * 19,), ([2.0, 0.5, 3.0],)],
    ),
    "03b.2": Check(
        truths_on_games.compute_fixation_probability,
        [
            lambda ratios, start: start * truths_on_games.compute_fixation_probability(ratios),
            lambda ratios, start: truths_on_games.compute_fixation_probability(ratios, start + 1),
        ],
        [([1 / 1.1] * 19, 3), ([2.0, 0.5, 3.0], 2), ([0.7, 1.0, 1.2], 2)],
    ),
    "03b.3": Check(
        lambda: STAGS[::-1, ::-1], [lambda: STAGS, lambda: STAGS[::-1], lambda: STAGS[:, ::-1]]
    ),
    "04.1": Check(
        partial(truths_on_games.solve_for_row_player, truths_on_games.UNEVEN_RPS_PAYOFFS),
        [lambda: 16 * truths_on_games.solve_for_row_player(truths_on_games.UNEVEN_RPS_PAYOFFS)],
    ),
    "04.2": Check(
        truths_on_games.compute_duality_gap,
        [
            lambda payoff, x, y: (payoff @ y).max() - x @ payoff @ y,
            lambda payoff, x, y: (x @ payoff).max() - (payoff @ y).min(),
        ],
        PAIRS,
    ),
    "04.3": Check(
        truths_on_games.compute_morra_points,
        [
            partial(truths_on_games.compute_morra_points, factor_if_both_right=1),
            lambda *actions: -truths_on_games.compute_morra_points(*actions),
            lambda *actions: np.sign(truths_on_games.compute_morra_points(*actions)),
        ],
        list(product((1, 2), repeat=4)),
    ),
    "04b.1": Check(
        truths_on_games.compute_check_and_fold_of_mixture,
        [
            partial(truths_on_games.compute_check_and_fold_of_mixture, average="behavior"),
            partial(truths_on_games.compute_check_and_fold_of_mixture, average="weights"),
            lambda first, second, share: truths_on_games.compute_check_and_fold_of_mixture(
                second, first, share
            ),
        ],
        [((1, 1), (0.5, 0), 0.5), ((0.8, 1), (0.4, 0.25), 0.3)],
    ),
    "04b.2": Check(
        truths_on_games.list_jack_payoffs,
        [
            partial(truths_on_games.list_jack_payoffs, num_deals=1),
            partial(truths_on_games.list_jack_payoffs, largest_loss=1),
        ],
    ),
    "04c.1": Check(
        truths_on_games.list_king_inequality_numbers,
        [
            partial(truths_on_games.list_king_inequality_numbers, payoff_factor=1),
            partial(truths_on_games.list_king_inequality_numbers, adds_payoff_after_bet=True),
            partial(truths_on_games.list_king_inequality_numbers, coefficient_of_check=0),
        ],
    ),
    "04c.2": Check(
        partial(truths_on_games.compute_best_response_gains, 0),
        [
            partial(truths_on_games.compute_best_response_gains, 1 / 3),
            partial(truths_on_games.compute_best_response_gains, 1),
        ],
    ),
    "04c.3": Check(
        lambda truth: [-abs(2 * truth - 1), 1],
        [lambda truth: [0, 0], lambda truth: [-1, 1], lambda truth: [-abs(2 * truth - 1), 0]],
        [(Fraction(1, 4),), (Fraction(1, 2),), (Fraction(9, 10),)],
        truths_on_games.evaluate_spy_game,
        kind="class",
    ),
    "04c.4": Check(
        partial(truths_on_games.solve_four_card_game, bet=2),
        [
            partial(truths_on_games.solve_four_card_game, bet=1),
            partial(truths_on_games.solve_four_card_game, bet=2, num_deals=1),
        ],
    ),
    "05.1": Check(
        truths_on_games.compute_average_replicator_plan,
        [partial(truths_on_games.compute_average_replicator_plan, order="simultaneous")],
        lambda: [
            (
                games.kuhn().payoff_matrix(0).toarray(),
                truths_on_games.PARENT_SEQUENCES,
                np.r_[1, np.full(12, 0.5)],
                12,
            )
        ],
    ),
    "05.2": Check(
        truths_on_games.compute_plans_around_first_round,
        [partial(truths_on_games.compute_plans_around_first_round, alternating=True)],
        [(2, 3), (2, 10)],
    ),
    "05.3": Check(lambda: 246, [lambda: 300, lambda: 30, lambda: 247], kind="number"),
    "05b.1": Check(lambda: 1 / 100, [lambda: 1 / 99, lambda: 98 / 99], kind="number"),
    "05b.2": Check(
        truths_on_games.compute_probability_of_rudeness,
        [
            lambda rounds, shift, _: truths_on_games.compute_probability_of_rudeness(
                rounds, shift, 0
            ),
            lambda rounds, shift, _: truths_on_games.compute_probability_of_rudeness(
                rounds, shift, 0.99
            ),
        ],
        [(30, 3, 0.01), (20, 1, 0.2)],
    ),
    "05c.1": Check(lambda: 11 / 20, [lambda: 9 / 10, lambda: 1 / 2, lambda: 3 / 5], kind="number"),
    "05c.2": Check(
        lambda: 5 / 96,
        [lambda: 1 / 20, lambda: 5 / 48, lambda: 1 / 8, lambda: 49 / 960],
        kind="number",
    ),
    "05c.3": Check(lambda: 5 / 4, [lambda: 1, lambda: 3 / 4], kind="number"),
    "05c.4": Check(lambda: 184 * 176, [lambda: 10 * 308, lambda: 100 * 308], kind="number"),
    "06.1": Check(
        truths_on_learning.trace_fictitious_play,
        [
            partial(truths_on_learning.trace_fictitious_play, memory=1),
            partial(truths_on_learning.trace_fictitious_play, player_2_sign=1),
        ],
    ),
    "06.2": Check(
        lambda: truths_on_games.RPS_PAYOFFS[:, [2, 2, 0]].sum(axis=1) + 1,
        [
            lambda: truths_on_games.RPS_PAYOFFS[:, [2, 2, 0]].sum(axis=1),
            lambda: (truths_on_games.RPS_PAYOFFS[:, [2, 2, 0]].sum(axis=1) + 1) / 3,
        ],
    ),
    "06.3": Check(
        partial(truths_on_learning.run_regret_matching, 2),
        [
            partial(truths_on_learning.run_regret_matching, 2, divisor=1),
            partial(truths_on_learning.run_regret_matching, 2, regret_factor=0),
            partial(truths_on_learning.run_regret_matching, 2, player_2_sign=1),
        ],
    ),
    "06.4": Check(
        truths_on_learning.run_third_round_of_regret_matching,
        [
            partial(
                truths_on_learning.run_third_round_of_regret_matching, plays_largest_regret=True
            ),
            partial(truths_on_learning.run_third_round_of_regret_matching, regret_factor=0),
            partial(truths_on_learning.run_third_round_of_regret_matching, divisor=2),
        ],
    ),
    "06.5": Check(lambda: 5 / 7, [lambda: 2 / 3, lambda: 3 / 4, lambda: 11 / 13], kind="number"),
    "06b.1": Check(
        truths_on_learning.compute_opening_regrets_of_jack,
        [
            partial(truths_on_learning.compute_opening_regrets_of_jack, weight=1),
            partial(truths_on_learning.compute_opening_regrets_of_jack, weight=1 / 6),
            partial(truths_on_learning.compute_opening_regrets_of_jack, bet_after_check=1),
            partial(truths_on_learning.compute_opening_regrets_of_jack, regret_factor=1 / 2),
            partial(truths_on_learning.compute_opening_regrets_of_jack, regret_factor=-1),
        ],
    ),
    "06b.2": Check(
        truths_on_learning.compute_payoffs_and_regrets_of_jack,
        [
            partial(truths_on_learning.compute_payoffs_and_regrets_of_jack, weight=1),
            partial(
                truths_on_learning.compute_payoffs_and_regrets_of_jack, regret_after_bet=1 / 12
            ),
            partial(truths_on_learning.compute_payoffs_and_regrets_of_jack, regret_of_call=1 / 12),
        ],
    ),
    "06b.3": Check(
        lambda: [1 / 2, 1 / 3, 2 / 3],
        [lambda: [1 / 2, 2 / 3, 2 / 3], lambda: [1 / 2, 1 / 6, 2 / 3]],
    ),
    "06c.1": Check(
        truths_on_learning.compute_average_of_discounted_cfr,
        [
            partial(truths_on_learning.compute_average_of_discounted_cfr, gamma=0),
            partial(truths_on_learning.compute_average_of_discounted_cfr, beta=inf),
        ],
        compute_numbers=lambda profile: profile.probabilities,
        kind="profile",
    ),
    "06c.2": Check(
        truths_on_learning.compute_third_round_by_cfr_variants,
        [
            partial(truths_on_learning.compute_third_round_by_cfr_variants, regret_floor=-inf),
            lambda: 1 - truths_on_learning.compute_third_round_by_cfr_variants(),
        ],
    ),
    "06d.1": Check(
        truths_on_games.solve_von_neumann_poker,
        [
            partial(truths_on_games.solve_von_neumann_poker, bet=1),
            lambda: [1 / 9, 7 / 9, 5 / 9, 5 / 81],
        ],
    ),
    "06d.2": Check(
        truths_on_games.solve_borel_poker,
        [
            lambda: [2 / 5, 1 / 10, 1 / 10],
            lambda: [1 / 3, 1 / 9, -1 / 9],
            lambda: [1 / 3, 2 / 3, -1 / 9],
            lambda: [1 / 3, 2 / 9, -1 / 3],
        ],
    ),
    "07.1": Check(
        lambda: [1, 1, 1],
        [lambda: [0, 1, 1], lambda: [1, 0, 1], lambda: [1, 1, 0]],
        compute_numbers=truths_on_learning.judge_decline_of_populations,
        kind="list",
    ),
    "07.2": Check(lambda: [11, 2, 2], [lambda: [10, 1, 1], lambda: [11, 1, 1]]),
    "07.3": Check(
        lambda: [2, 3, 0, 5],
        [lambda: [0, 3, 2, 5], lambda: [2, 3, 5, 0]],
        compute_numbers=partial(number_phrases, phrases=truths_on_learning.GENERATION_TABLES),
        kind="list",
    ),
    "07.4": Check(
        lambda: [0, 1, 2, 2, 2],
        [
            lambda: [0, 1, 0, 2, 2],
            lambda: [0, 1, 2, 0, 2],
            lambda: [0, 1, 2, 2, 0],
            lambda: [1, 0, 2, 2, 2],
        ],
        compute_numbers=partial(number_phrases, phrases=truths_on_learning.WHO_GOT_BETTER),
        kind="list",
    ),
    "07.5": Check(
        truths_on_learning.compute_shares_against_pairs,
        [
            lambda pairs: truths_on_learning.compute_shares_against_pairs(pairs, pairs),
            lambda pairs: 1 - truths_on_learning.compute_shares_against_pairs(pairs),
        ],
        [(np.array([[93, 46], [61, 32], [49, 70]]),), (np.array([[0, 100], [7, 30]]),)],
    ),
    "07b.1": Check(
        lambda: [1, 1],
        [lambda: [1, 0], lambda: [0, 1]],
        compute_numbers=truths_on_learning.judge_pair_closing_cycle,
        kind="list",
    ),
    "07b.2": Check(
        lambda: [1, 1, 1],
        [lambda: [1, 0, 1], lambda: [1, 1, 0]],
        compute_numbers=truths_on_learning.judge_opponents_by_individual,
        kind="function",
    ),
    "07b.3": Check(
        lambda: [75, 1, 1],
        [lambda: [75, 1, 0], lambda: [75, 0, 1]],
        compute_numbers=truths_on_learning.judge_opponents_from_past,
        kind="function",
    ),
    "07b.4": Check(
        lambda: [4, 0, 1],
        [lambda: [4, 1, 0]],
        compute_numbers=partial(number_phrases, phrases=truths_on_learning.GENERATION_TABLES),
        kind="list",
    ),
    "07b.5": Check(
        lambda: [0, 1, 2, 3, 3],
        [
            lambda: [2, 1, 2, 3, 3],
            lambda: [0, 2, 2, 3, 3],
            lambda: [0, 1, 1, 3, 3],
            lambda: [0, 1, 2, 3, 0],
            lambda: [0, 1, 2, 3, 1],
        ],
        compute_numbers=truths_on_learning.encode_cures_and_mechanism,
        kind="list",
    ),
    "08.1": Check(
        lambda wins, start, rounds: [[(start + k) % 3] for k in range(1, rounds + 1)],
        cases=[(truths_on_games.RPS_PAYOFFS, start, 6) for start in (0, 1)],
    ),
    "08.2": Check(truths_on_learning.count_rounds_of_double_oracle),
    "08.3": Check(
        lambda: [1, 1, 1],
        [lambda: [0, 1, 1], lambda: [1, 0, 1], lambda: [1, 1, 0]],
        compute_numbers=truths_on_learning.judge_chain_of_players,
    ),
    "08.4": Check(
        truths_on_learning.compute_gain_against_fictitious_play,
        [lambda rounds: 0],
        [(2,), (10,), (100,)],
        lambda gains, rounds: gains[rounds],
        kind="numbers",
    ),
    "09.1": Check(
        partial(truths_on_games.solve_for_row_player, truths_on_games.BIASED_RPS_PAYOFFS),
        [lambda: 16 * truths_on_games.solve_for_row_player(truths_on_games.BIASED_RPS_PAYOFFS)],
    ),
    "09.2": Check(
        lambda: [53 / 100, 3 / 4],
        [lambda: [2 / 25, 3 / 4], lambda: [53 / 100, 1 / 2]],
    ),
    "09.3": Check(
        lambda: [5 / 8, 25 / 8],
        [lambda: [11 / 16, -25 / 16], lambda: [5 / 8, 25 / 4]],
    ),
    "09b.1": Check(
        lambda: [truths_on_learning.compute_mean_of_smallest_report(count) for count in (2, 10)],
        [
            lambda: [1 / 4, 2**-10],
            lambda: [-truths_on_learning.compute_mean_of_smallest_report(n) for n in (2, 10)],
        ],
    ),
    "09b.2": Check(
        truths_on_learning.compute_moments_of_winnings,
        [
            partial(truths_on_learning.compute_moments_of_winnings, deviation_factor=1),
            lambda mix: truths_on_learning.compute_moments_of_winnings(-mix),
            lambda mix: truths_on_learning.compute_moments_of_winnings(mix) * [1, 0],
        ],
        [(np.array([1, 0, 0]),), (OFF_CENTER,)],
        truths_on_learning.measure_mean_and_deviation,
        tolerance=0.1,
    ),
    "09b.3": Check(
        truths_on_learning.search_worst_case,
        [
            partial(truths_on_learning.search_worst_case, exponent=1),
            lambda mix, C, *rest: truths_on_learning.search_worst_case(mix, 0, *rest),
        ],
        [(np.full(3, 1 / 3), 30, 200, 1), (OFF_CENTER, 5, 100, 2)],
    ),
    "09b.4": Check(
        lambda: -np.full(3, 1 / 3) @ truths_on_games.BIASED_RPS_PAYOFFS @ [0.6, 0.4, 0],
        [lambda: 9.1, lambda: 25 / 3],
        kind="number",
    ),
    "10.1": Check(
        partial(count_short_deck_hands, 9, 5),
        [partial(count_short_deck_hands, 13, 10)],
        compute_numbers=lambda found: [
            sum(found.values()),
            *(found[kind] for kind in (4, 5, 6, 9)),
        ],
        kind="dictionary",
    ),
    "10.2": Check(
        truths_on_holdem.compute_gain_from_call,
        [
            partial(truths_on_holdem.compute_gain_from_call, adds_cost_to_pot=True),
            partial(truths_on_holdem.compute_gain_from_call, weights_by_probability=False),
            partial(truths_on_holdem.compute_gain_from_call, subtracts_cost=False),
        ],
        [
            (DRAW, [(ACES, 1.0)], TURN, 50, 200),
            (DRAW, [(ACES, 0.8), (STRAIGHT, 0.2)], TURN, 50, 200),
            (ACES, [(DRAW, 0.3), (STRAIGHT, 0.7)], TURN, 30, 90),
        ],
    ),
    "10.3": Check(
        truths_on_holdem.compute_joint_and_product_win_shares,
        [
            partial(truths_on_holdem.compute_joint_and_product_win_shares, combine=np.logical_or),
            partial(
                truths_on_holdem.compute_joint_and_product_win_shares, compare=np.greater_equal
            ),
        ],
        [
            (ACES, DRAW, STRAIGHT, TURN),
            (DRAW, ACES, STRAIGHT, TURN),
            ([0, 1], [4, 5], [8, 9], [33, 37, 40, 46]),
        ],
    ),
    "10b.1": Check(
        truths_on_holdem.estimate_equity,
        [
            partial(truths_on_holdem.estimate_equity, exponent=0),
            partial(truths_on_holdem.estimate_equity, exponent=1),
        ],
        [([0, 1], [51, 46], 150, 1), ([51, 46], [36, 32], 150, 2)],
        tolerance=0.005,
    ),
    "10b.2": Check(
        truths_on_holdem.compute_lead_and_needed_deals,
        [
            partial(truths_on_holdem.compute_lead_and_needed_deals, independent=True),
            partial(truths_on_holdem.compute_lead_and_needed_deals, power=1),
            partial(truths_on_holdem.compute_lead_and_needed_deals, standard_errors=1),
        ],
        [tuple(WINNINGS[:, [0, 1]].T), tuple(WINNINGS[:, [0, 2]].T)],
    ),
    "10b.3": Check(
        lambda: [1, 1, 1],
        [lambda: [0, 0, 0], lambda: [1, 0, 1], lambda: [1, 0, 0]],
        compute_numbers=truths_on_holdem.judge_duel_with_choosy_player,
        kind="function",
    ),
    "11.1": Check(
        truths_on_holdem.compute_gain_from_calling_bluffs,
        [
            partial(truths_on_holdem.compute_gain_from_calling_bluffs, normalizes_reach=False),
            partial(truths_on_holdem.compute_gain_from_calling_bluffs, value_bet_probability=0.5),
        ],
        [(0.0,), (0.25,), (1 / 3,), (0.5,), (1.0,)],
    ),
    "11.2": Check(
        truths_on_holdem.compute_response_winnings_on_two_streets,
        [
            lambda bluff: truths_on_holdem.compute_response_winnings_on_two_streets(
                1.0, strong_bet_probability=bluff
            ),
            partial(
                truths_on_holdem.compute_response_winnings_on_two_streets, num_bluffing_streets=1
            ),
            partial(
                truths_on_holdem.compute_response_winnings_on_two_streets,
                strong_bet_probability=0.0,
            ),
        ],
        [(0.0,), (0.25,), (0.5,), (0.8,), (1.0,)],
    ),
    "11.3": Check(
        truths_on_holdem.compute_response_winnings,
        [
            partial(truths_on_holdem.compute_response_winnings, choice="by bucket"),
            partial(truths_on_holdem.compute_response_winnings, choice="by plain sum"),
        ],
        truths_on_holdem.iterate_response_cases,
    ),
    "11b.1": Check(
        truths_on_holdem.compute_mean_result_of_visits,
        [
            partial(truths_on_holdem.compute_mean_result_of_visits, is_first_random=False),
            partial(truths_on_holdem.compute_mean_result_of_visits, is_bad_tried=False),
            lambda visits, good, bad: truths_on_holdem.compute_mean_result_of_visits(
                visits, bad, good
            ),
        ],
        [(3, 4, -6), (4, 4, -6), (30, 4, -6), (10, 1, 0.5)],
    ),
    "11b.2": Check(
        truths_on_holdem.split_gap_of_losses,
        [
            lambda *case: truths_on_holdem.split_gap_of_losses(*case)[[1, 0, 2]],
            partial(truths_on_holdem.split_gap_of_losses, base="fresh"),
            partial(truths_on_holdem.split_gap_of_losses, base="gap"),
        ],
        [(0.28, 0.38, 2.55, 0.84), (0.7, 0.78, 1.47, 0.94)],
    ),
    "11b.3": Check(
        truths_on_holdem.estimate_gradient_of_winnings,
        [partial(truths_on_holdem.estimate_gradient_of_winnings, seats=(1, 0))],
        [(NORMAL[0], NORMAL[1:], 0.3)],
    ),
    "12.1": Check(
        truths_on_holdem.compute_exploitability_of_folding,
        [partial(truths_on_holdem.compute_exploitability_of_folding, folds_weakest=False)],
        [(0,), (1,), (2,), (4,)],
    ),
    "12.2": Check(
        truths_on_holdem.compute_cost_of_one_bluff_share,
        [
            partial(truths_on_holdem.compute_cost_of_one_bluff_share, pot_probability=1),
            partial(truths_on_holdem.compute_cost_of_one_bluff_share, exchanges_shares=True),
        ],
        [(2,), (4,), (10,), (1,)],
    ),
    "12.3": Check(
        lambda: [1, 0, 0, 1, 0, 0],
        [
            lambda: [1, 1, 0, 1, 0, 0],
            lambda: [1, 0, 1, 1, 0, 0],
            lambda: [1, 0, 0, 1, 1, 0],
            lambda: [1, 0, 0, 1, 0, 1],
            lambda: [0, 0, 0, 1, 0, 0],
            lambda: [1, 0, 0, 0, 0, 0],
        ],
        compute_numbers=lambda holds: [int(each) for each in holds],
        kind="list",
    ),
    "12b.1": Check(
        truths_on_holdem.compute_gain_by_calling,
        [
            lambda bets, groups: truths_on_holdem.compute_gain_by_calling(
                bets, [[c] for c in range(1, 7)]
            ),
            partial(truths_on_holdem.compute_gain_by_calling, counts_same_card=True),
        ],
        [
            ([4, 5, 6], [[1, 2, 3], [4, 5, 6]]),
            ([4, 5, 6], [[1], [2], [3], [4], [5], [6]]),
            ([1, 6], [[1, 2, 3], [4, 5, 6]]),
            ([1, 2, 5, 6], [[1, 2], [3, 4], [5, 6]]),
        ],
    ),
    "12b.2": Check(
        truths_on_holdem.split_cost_of_buckets,
        [
            lambda strong, weak: truths_on_holdem.split_cost_of_buckets(strong, weak)[::-1],
            partial(truths_on_holdem.split_cost_of_buckets, always_collects_pot=True),
        ],
        [(1, 0), (1, 1), (1, 1 / 3), (1 / 2, 1), (0, 1)],
    ),
    "12b.3": Check(
        lambda bluffs, beaten: 6 * bluffs * beaten - 2,
        [
            lambda bluffs, beaten: 4 * bluffs * beaten - 2,
            lambda bluffs, beaten: 6 * bluffs - 2,
        ],
        [(0.38, 0.69), (0.39, 0.97), (0.33, 0.5)],
    ),
    "12c.1": Check(
        truths_on_holdem.find_safest_callers,
        [
            lambda: [
                *truths_on_holdem.find_safest_callers(seen_buckets=(1, 1, 2, 2))[:2],
                *truths_on_holdem.find_safest_callers(seen_buckets=(1, 1, 2, 3))[2:],
            ],
            partial(truths_on_holdem.find_safest_callers, seen_buckets=(1, 1, 2, 3)),
        ],
    ),
    "12c.2": Check(
        lambda: [1, 0, 2, 2, 1, 0],
        [
            lambda: [0, 0, 2, 2, 1, 0],
            lambda: [1, 2, 2, 2, 1, 0],
            lambda: [1, 0, 0, 2, 1, 0],
            lambda: [1, 0, 2, 0, 1, 0],
            lambda: [1, 0, 2, 2, 0, 0],
            lambda: [1, 0, 2, 2, 1, 2],
        ],
        compute_numbers=partial(number_phrases, phrases=truths_on_learning.SHOWN_BY_RESULTS),
        kind="list",
    ),
    "12c.3": Check(
        truths_on_holdem.find_bluffs_in_buckets,
        [
            partial(truths_on_holdem.find_bluffs_in_buckets, sees_buckets=True),
            partial(truths_on_holdem.find_bluffs_in_buckets, always_collects_pot=True),
        ],
    ),
    "13.1": Check(
        lambda seed: [2, 1, 1],
        (),
        [(seed,) for seed in range(20)],
        truths_on_holdem.count_strategies_after_trimming,
    ),
    "13.2": Check(
        lambda: [truths_on_holdem.count_nondominated_points(size) for size in (2, 5, 20)],
        [lambda: [100 - truths_on_holdem.count_nondominated_points(size) for size in (2, 5, 20)]],
    ),
    "13b.1": Check(
        partial(truths_on_holdem.find_survivors_and_parents, HALF),
        [lambda score: truths_on_holdem.find_survivors_and_parents(HALF, -score)],
        [(NORMAL[0, :40],)],
        truths_on_holdem.find_survivors_and_parents,
        kind="function",
    ),
    "13b.2": Check(
        truths_on_holdem.find_clear_results_by_holm,
        [
            lambda p_values: 1.0 * (np.array(p_values) < 0.05),
            lambda p_values: 1.0 * (np.array(p_values) < 0.05 / len(p_values)),
        ],
        [([0.03, 0.001, 0.02],), ([0.03, 0.02, 0.04],), ([0.001, 0.02, 0.013, 0.2],), ([0.2],)],
        lambda holm, p_values: 1.0 * np.array(holm(p_values)),
        kind="function",
    ),
    "14.1": Check(
        lambda: np.zeros((2, 50)),
        compute_numbers=lambda found: [
            found[1] - np.mean(found[0], axis=0),
            found[2] - np.mean(found[0] == 1, axis=0),
        ],
        kind="list",
    ),
    "14.2": Check(
        lambda ranks: truths_on_holdem.compute_prizes(ranks).mean(axis=0),
        [
            lambda ranks: truths_on_holdem.compute_prizes(ranks).sum(axis=0),
            lambda ranks: 250 * (ranks == 1).mean(axis=0),
        ],
        [
            (np.array([[1, 2.5, 2.5, 4], [4, 1, 3, 2]]),),
            (np.array([[5, 2, 1], [1, 2, 3], [3, 4, 1]]),),
        ],
    ),
    "14b.1": Check(
        truths_on_holdem.compute_share_of_paper,
        [
            partial(truths_on_holdem.compute_share_of_paper, num_players=0),
            lambda generation, size: truths_on_holdem.compute_share_of_paper(generation, 1000),
        ],
        [(151, 200), (110, 20), (121, 20), (200, 50), (140, 100), (60, 20)],
    ),
    "14b.2": Check(
        lambda: [30, 1, 1],
        [lambda: [20, 1, 1], lambda: [30, 0, 1], lambda: [30, 1, 0]],
        compute_numbers=truths_on_holdem.judge_hall_of_fame,
        kind="function",
    ),
    "14b.3": Check(
        lambda genome, k, value: fix_inputs(
            truths_on_holdem.NETWORK_ENCODING, genome, [k], [value]
        ),
        [lambda genome, k, value: fix_inputs(truths_on_holdem.NETWORK_ENCODING, genome, [k], [0])],
        lambda: zip(
            truths_on_holdem.NETWORK_ENCODING.draw_genomes(random_stream(1, "blind"), 3),
            (0, 3, 34),
            (0.5, 0.2, 1.0),
            strict=True,
        ),
    ),
    "15.1": Check(
        lambda a, b, c: np.array([b, c, a]) / (a + b + c),
        [
            lambda a, b, c: np.array([a, b, c]) / (a + b + c),
            lambda a, b, c: np.array([c, a, b]) / (a + b + c),
        ],
        [(1, 2, 5), (120, 35, 116)],
    ),
    "15.2": Check(
        lambda: [15, 12, 4],
        [lambda: [3, 1, 3], lambda: [15, 15, 1]],
        compute_numbers=lambda names: [
            len(names),
            len({*names}),
            list(names).count("network, Control"),
        ],
        kind="list",
    ),
    "15.3": Check(
        truths_on_holdem.rate_cycle_of_players,
        [
            partial(truths_on_holdem.rate_cycle_of_players, num_opponents=1),
            partial(truths_on_holdem.rate_cycle_of_players, nash_weights=(60, 20, 20)),
        ],
    ),
    "15b.1": Check(
        lambda table, draw: (table @ draw).max(),
        [
            lambda table, draw: (draw @ table).max(),
            lambda table, draw: (table @ draw)[draw > 0].max(),
        ],
        [
            (truths_on_games.RPS_PAYOFFS, np.full(3, 1 / 3)),
            (truths_on_games.RPS_PAYOFFS, np.array([1.0, 0.0, 0.0])),
            (truths_on_games.UNEVEN_RPS_PAYOFFS, np.array([0.5, 0.5, 0.0])),
        ],
    ),
    "15b.2": Check(
        lambda: [
            np.isin(BEATEN, BEATEN.max()),
            np.isin(BEATEN, len(RESULTS) - 1),
            find_pareto_front(count_better_results(RESULTS, slice(None))),
        ],
        compute_numbers=lambda mine: [
            mine[name] for name in ("tests solved", "ESS", "Pareto front")
        ],
        kind="dictionary",
    ),
    "15b.3": Check(
        partial(truths_on_holdem.mix_equilibrium_with_best_response, 0.2),
        [partial(truths_on_holdem.mix_equilibrium_with_best_response, 0.8)],
    ),
}
