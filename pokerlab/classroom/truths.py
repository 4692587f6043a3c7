"""The truths that answers to exercises are compared with: short programs, most of them around a call of the library."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import inf, log
from typing import Any
from unittest.mock import Mock

import numpy as np

from pokerlab import games, holdem, metrics, solvers
from pokerlab.core import Floats, random_stream
from pokerlab.evolution.population.protocol import Fitness
from pokerlab.evolution.population.selection import count_better, find_front
from pokerlab.games import Profile
from pokerlab.holdem import CALL, FOLD, SeatView, TupleTable, win_probability
from pokerlab.holdem.betting_tree import DEAL, FOLDED, SHOWDOWN
from pokerlab.papers import nicolai2009
from pokerlab.papers.samothrakis2011_holdem import make_six_bucket_game

SEED = 1  # that of the lessons
COINS = np.array([1, 0.5, 0.5, 0.5, 0.5])
HANDS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
"""The payoffs of the row player in rock, paper, scissors; below with other payoffs, and in a game with four cards."""
UNEVEN = np.array([[0, -5, 10], [5, 0, -1], [-10, 1, 0]])
BIASED = games.biased_rps().payoff_matrix(0).toarray()[1:, 1:]
FOUR_CARDS = np.array([[0] * 5, [0, 2, 1, 2, 1], [2, 0, 0, 0, 0], [0, -2, 1, 2, 1], [0] * 5]) / 4
BEFORE = np.array([0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 3, 5, 5])
"""The parent of each sequence of player 1 in Kuhn poker."""
EYES = nicolai2009.make_encoding(nicolai2009.Config(seed=SEED))
MEMBERS = np.unique(random_stream(SEED, "members").integers(0, 13, (16, 2)), axis=0)
RESULTS = games.intransitive_numbers(dimensions=2, largest=13).payoffs(MEMBERS, MEMBERS)
"""The table of results of lesson 10."""
GLASS = np.array(
    [[0, -1, 1, 0, -1], [1, 0, -1, 1, 0], [-1, 1, 0, 0, 1], [0, -1, 0, 0, -1], [1, 0, -1, 1, 0]]
)


def make_betting_profile(**chances: float) -> Profile:
    """Return the profile of Kuhn poker with given probabilities to bet or call, by information set or by card.

    Where neither is given, the probability is zero.
    """
    labels = [label for _, label in games.kuhn().infoset_index]
    bets = np.array([chances.get(label, chances.get(label[0], 0.0)) for label in labels])
    return Profile(games.kuhn(), np.column_stack([1 - bets, bets]).ravel())


def compute_cost_of_habits(**chances: float) -> float:
    """Return what a player with given probabilities to bet or call loses to best responses in 100 hands."""
    return 50 * metrics.exploitability(games.kuhn(), make_betting_profile(**chances))


def compute_gains(bluff: float) -> Floats:
    """Return what players gain from best responses if player 1 only checks, and player 2 bluffs with a probability."""
    never = {"K, pass-bet": 1.0, "Q, pass-bet": 1 / 3, "K, bet": 1.0, "Q, bet": 1 / 3}
    return games.kuhn().gains(make_betting_profile(**never, **{"K, pass": 1.0, "J, pass": bluff}))


def evolve_two_habits(rounds: int, coins: float = 0.01) -> tuple[float, float]:
    """Return how often jacks bluff and queens call after some rounds in which a share of players toss coins."""
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


def solve_spy_game(rules: Any, truth: Fraction) -> list[float]:
    """Return what player 1 wins if the spy tells the truth with a probability, and whether player 1 hears a truth."""
    spy = rules()
    spy.chance = truth
    value = solvers.SequenceFormLP(games.compile_rules(spy)).solve().value
    return [value, "left" in spy.turn(("left", "tells")).infoset]


def compute_stable_hawk_share(two_hawks: Any) -> float:
    """Return the stable share of hawks, given what a hawk earns from another hawk."""
    table: list[list[Any]] = [[two_hawks, 2], [0, 1]]
    return float(solvers.find_rest_points(table).stable[0].shares[0])


def trace_shares(
    payoff: Floats, shares: Floats, shift: float, rounds: int, part: float = 0.1
) -> Floats:
    """Return the shares of strategies in a population after each round, in which a part of it is replaced.

    The array has a row for the start and for each round.
    """
    history = [shares]
    for _ in range(rounds):
        fitness = payoff @ shares + shift
        shares = (1 - part) * shares + part * shares * fitness / (shares @ fitness)
        history.append(shares)
    return np.array(history)


def measure_drift(shift: int, rounds: int = 0) -> float:
    """Return by how much the logarithm of the product of shares falls in rock, paper, scissors."""
    path = trace_shares(HANDS, np.array([0.5, 0.3, 0.2]), shift, rounds or 10 * shift, part=1.0)
    return float(np.log(path[0].prod() / path[-1].prod()))


def compute_average_plan(
    A: Any, before: Any, coins: Any, rounds: int, order: str = "alternating"
) -> Floats:
    """Return player 2's average realization plan after rounds of replicator dynamics in Kuhn poker.

    The first three parameters are those of the exercise, and are not used: the library has the game's arrays itself.
    """
    dynamics = solvers.ReplicatorDynamics(games.kuhn(), payoff_shift=3.0, order=order)
    return dynamics.step(dynamics.init(), rounds).average.plan(1)


def compute_next_plan(x: Floats, wins: Floats, shift: float) -> Floats:
    """Return the next realization plan by Eq. 3, for a player who chooses only once in a hand."""
    pairs, earned = (each[1:].reshape(-1, 2) for each in (x, wins))
    grown = pairs * (x @ wins - (pairs * earned).sum(axis=1, keepdims=True) + earned + shift)
    return np.append(1, grown / grown.sum(axis=1, keepdims=True))


def compute_second_round(rounds: int, shift: float, in_turns: bool = False) -> Floats:
    """Return both players' realization plans of the game with four cards, at first and in the next round."""
    new = compute_next_plan(COINS, FOUR_CARDS @ COINS, shift)
    met = new if in_turns else COINS
    return np.array([(COINS, COINS), (new, compute_next_plan(COINS, -FOUR_CARDS.T @ met, shift))])


def compute_rudeness(rounds: int, shift: float, mutants: float = 0.01) -> float:
    """Return how often the host is rude after some rounds in which a share of guests toss coins."""
    guest = host = COINS[:3]
    for _ in range(rounds):
        guest = (1 - mutants) * guest + mutants * COINS[:3]
        kind = np.array([0, guest[2], 0])
        guest, host = (
            compute_next_plan(guest, np.array([0, 1, 0]), shift),
            compute_next_plan(host, kind, shift),
        )
    return float(host[2])


def run_double_oracle() -> tuple[int, int, int]:
    """Return the rounds of double oracle on the game of lesson 04, and the rows and columns that it has added."""
    table = np.random.default_rng(SEED).normal(size=(20, 30))
    oracle = solvers.DoubleOracle(games.bimatrix(table, -table))
    end = oracle.step(oracle.init(), 100)
    return end.iteration, int(end.allowed[2:22].sum()), int(end.allowed[22:].sum())


def find_chain_properties(wins: Any) -> Floats:
    """Return whether a table of results is antisymmetric, each player beats all before, and the last one by the most.

    The array has three truth values.
    """
    table = np.asarray(wins, np.float64)
    beats = (table[np.tri(10, k=-1, dtype=bool)] > 0).all()
    follows = (table[:, :9].argmax(axis=0) == range(1, 10)).all()
    return np.array([np.array_equal(table, -table.T), beats, follows])


def compute_remaining_gain(rounds: int) -> float:
    """Return what a best response wins from fictitious play's average strategy in rock, paper, scissors."""
    game = games.rock_paper_scissors()
    play = solvers.FictitiousPlay(game, order="simultaneous", start=Profile(game, [1, 0, 0] * 2))
    return metrics.nash_conv(game, play.step(play.init(), rounds + 1).average) / 2


def measure_attacks(lazy: Any, mix: Floats) -> Floats:
    """Return the mean and the standard deviation of what a mixed strategy wins in many measurements."""
    mixes = np.tile(mix, (20_000, 1))
    won: Floats = np.asarray(lazy(mixes, mixes[0]))
    return np.array([won.mean(), won.std()])


def compute_moments(mix: Floats, spread: float = 0.5) -> Floats:
    """Return the mean and the standard deviation of `measure_attacks` by theory.

    A random mixture of the three strategies spreads half as much as a strategy drawn from them.
    """
    return np.array([(mix @ BIASED).mean(), spread * (mix @ BIASED).std()])


def search_worst_case(mix: Floats, C: float, games: int, seed: int, root: float = 0.5) -> float:
    """Return the worst case of a mixed strategy as UCT estimates it."""
    draw, won, tries = np.random.default_rng(seed), np.zeros(3), np.zeros(3)
    for n in range(games):
        hand = n if n < 3 else int((won / tries + C * (log(n) / tries) ** root).argmax())
        won[hand] -= BIASED[draw.choice(3, p=mix), hand]
        tries[hand] += 1
    return float(won.sum() / games)


def estimate_equity(mine: Any, theirs: Any, count: int, seed: int, root: float = 0.5) -> Floats:
    """Return the mean share of the pot that a hand wins on random boards, and its standard error."""
    draw, unseen = np.random.default_rng(seed), sorted({*range(52)} - {*mine, *theirs})
    boards = np.array([draw.choice(unseen, 5, replace=False) for _ in range(count)])
    hands = (np.column_stack([np.tile(hole, (count, 1)), boards]) for hole in (mine, theirs))
    first, second = (holdem.strength(each).astype(int) for each in hands)
    shares = (np.sign(first - second) + 1) / 2
    return np.array([shares.mean(), shares.std() / count**root])


def play_choosily(view: SeatView) -> int:
    """Fold weak cards before the flop, raise strong ones; then call to the end."""
    chance = 0.5 if view.street else win_probability(view.hole, view.board)
    if chance > 0.6 and view.legal.min_raise_to:
        return view.legal.min_raise_to
    return FOLD if chance < 0.4 and view.legal.can_fold else CALL


def judge_duel(player: Any) -> Floats:
    """Return whether a player wins from `play_choosily`, more than 30 big blinds, and significantly."""
    game = holdem.ring_game(holdem.limit(2), seats=2, stacks=200, duplicates=True)
    played = game.play([play_choosily, player], 400, seed=SEED)
    won, error = (
        played.convert_to_big_blinds(each)[1] for each in (played.mean, played.standard_error)
    )
    return np.array([won > 0, won > 30, won > 5 * error])


def draw_last_bets() -> Iterable[Any]:
    """Yield a node that faces the flop's last bet, reach probabilities drawn at random, a seat, and a calling agent."""
    tree, rng = make_six_bucket_game().tree, np.random.default_rng(SEED)
    faced = (tree.street == 1) & (tree.decision >= 0) & (tree.child[:, 2] < 0)
    for power, node in zip((1, 4, 10) * 3, rng.choice(np.flatnonzero(faced), 9), strict=True):
        chances = make_six_bucket_game().always_call().decision_probabilities
        yield int(node), rng.random(6) ** power, int(tree.actor[node]), chances


def compute_response_values(
    node: int, reach: Floats, seat: int, chances: Floats, by: str = "weight"
) -> Any:
    """Return what a response wins from an agent below a node, in each of its own buckets.

    Parameters
    ----------
    node : int
        The node.
    reach : array of shape (6,)
        The agent's probability of each bucket, times that of its actions.
    seat : int
        The seat of the response.
    chances : array
        The agent's action probabilities, by decision, bucket and action.
    by : {'weight', 'number', 'cards'}
        Whether the response has one action for all buckets, the best by the probability of each or with equal weights,
        or the best action in each bucket.
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
    """Estimate how the winnings of the best response in each seat change with the genes of the agent's other seat."""
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


def compute_loss_from_folding(k: int, weak: bool = True) -> float:
    """Return the exploitability of an agent that folds k buckets wherever it can, and calls with the others."""
    rules = make_six_bucket_game().always_call().table.copy()
    folds = np.arange(6) < k if weak else np.arange(6) >= 6 - k
    rules[np.ix_(make_six_bucket_game().legal[:, 0], folds)] = [1, 0, 0]
    return make_six_bucket_game().nash_conv(holdem.BucketedProfile(make_six_bucket_game(), rules))


def count_after_trimming(trim: Any, seed: int) -> list[int]:
    """Return how many of five strategies, two pairs of twins among them, remain when two have room.

    The three numbers are those of all, of scissors, and of twins.
    """
    left = [*map(int, trim(GLASS.copy(), 2, np.random.default_rng(seed)))]
    return [len(left), left.count(2), left.count(1) + left.count(4)]


def count_undominated(dimensions: int) -> int:
    """Return how many of 100 random points no other point dominates."""
    points = random_stream(SEED, "points", dimensions).random((100, dimensions))
    return int(find_front(count_better(points, slice(None))).sum())


def find_survivors(selection: Any, values: Floats) -> Floats:
    """Return which of twenty among forty strategies survive a selection, and their probabilities to become parents."""
    fitness, rng = Fitness(values), np.random.default_rng(SEED)
    return np.array(selection(fitness, slice(10, 30), np.zeros((20, 1)), np.zeros(20), rng))


def inspect_hall(with_hall: Any) -> Floats:
    """Return the number of players, whether the population's best two stay, and whether the hall of fame moves on."""
    toys, old = (np.random.default_rng(SEED).normal(mean, 0.1, (20, 5)) for mean in (3, -9))
    toys[[4, 7]] -= 4  # they rarely enter, and those of the hall never do
    rng = Mock(wraps=np.random.default_rng(SEED))
    after, new = with_hall(toys, old[:10], rng)
    stay = sorted(map(tuple, after[:2])) == sorted(map(tuple, toys[[4, 7]]))
    return np.array([rng.choice.call_args.args[0], stay, np.array_equal(new, [after[0], *old[:9]])])


def mix_with_best_response(share: float) -> Floats:
    """Return both players' realization plans of an equilibrium mixed with the best response to uniform play."""
    kuhn, seats = games.kuhn(), (0, 1)
    safe = solvers.SequenceFormLP(kuhn).solve().profile
    reply = [kuhn.best_response(kuhn.uniform(), seat).behavior for seat in seats]
    one = Profile(kuhn, np.concatenate(reply))
    return np.array([(1 - share) * safe.plan(seat) + share * one.plan(seat) for seat in seats])


def compute_discounted_average(beta: float = -inf, gamma: float = 1.0) -> Floats:
    """Return CFR+'s average behavior after 1,000 rounds, or that of CFR+ without one of its two changes."""
    make = partial(solvers.DiscountedCFR, alpha=inf, order="simultaneous")
    solver = make(games.kuhn(), beta=beta, gamma=gamma)
    return solver.step(solver.init(), 1000).average.probabilities
