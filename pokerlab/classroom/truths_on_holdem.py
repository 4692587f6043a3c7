"""The right answers to exercises of lessons 10 to 15b: short programs on hold'em and on evolved players.

As in `truths`, parameters that an exercise does not have give the answers of common mistakes, and programs that begin
with `judge` turn an answer that can be right in many ways into numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import combinations, product
from typing import Any
from unittest.mock import Mock

import numpy as np

from pokerlab import games, holdem, solvers
from pokerlab.classroom.truths_on_games import SEED
from pokerlab.core import Floats, Ints, random_stream
from pokerlab.evolution.population.protocol import Fitness
from pokerlab.evolution.population.selection import count_better_results, find_pareto_front
from pokerlab.games import Profile
from pokerlab.holdem import CALL, FOLD, SeatView, TupleTable, win_probability
from pokerlab.holdem.betting_tree import DEAL, FOLDED, SHOWDOWN
from pokerlab.papers import nicolai2009
from pokerlab.papers.samothrakis2011_holdem import make_six_bucket_game

NETWORK_ENCODING = nicolai2009.make_encoding(nicolai2009.Config(seed=SEED))
MEMBERS = np.unique(random_stream(SEED, "members").integers(0, 13, (16, 2)), axis=0)
RESULTS = games.intransitive_numbers(dimensions=2, largest=13).payoffs(MEMBERS, MEMBERS)
"""The table of results of lesson 15b."""
RESULTS_WITH_TWINS = np.array(
    [[0, -1, 1, 0, -1], [1, 0, -1, 1, 0], [-1, 1, 0, 0, 1], [0, -1, 0, 0, -1], [1, 0, -1, 1, 0]]
)


def compute_gain_from_call(
    own_cards: Sequence[int],
    beliefs: Sequence[tuple[Sequence[int], float]],
    board: Sequence[int],
    cost: float,
    pot: float,
    weights_by_probability: bool = True,
    adds_cost_to_pot: bool = False,
    subtracts_cost: bool = True,
) -> float:
    """Return what a call in hold'em gains on average, in chips, if no more bets follow.

    Parameters
    ----------
    own_cards, board : sequence of int
        The player's two cards, and the cards of the board, as numbers from 0 to 51.
    beliefs : sequence of pairs
        Hands that the other player may have, with their probabilities.
    cost : float
        What the call costs.
    pot : float
        The pot after the call.
    weights_by_probability : bool
        Whether hands count by their probabilities, which is right, or all the same.
    adds_cost_to_pot : bool
        Whether the cost is added to the pot, by mistake.
    subtracts_cost : bool
        Whether the cost is subtracted, which is right.
    """
    win_shares, probabilities = [], []
    for opponent_cards, probability in beliefs:
        win_shares.append(holdem.count_showdowns(own_cards, opponent_cards, board).find_win_share())
        probabilities.append(float(probability))
    mean_share = np.average(win_shares, weights=probabilities if weights_by_probability else None)
    winnings = mean_share * (pot + cost * adds_cost_to_pot)
    return float(winnings - cost * subtracts_cost)


def compute_joint_and_product_win_shares(
    own_cards: Sequence[int],
    first_cards: Sequence[int],
    second_cards: Sequence[int],
    board: Sequence[int],
    combine: Callable[[Any, Any], Any] = np.logical_and,
    compare: Callable[[Any, Any], Any] = np.greater,
) -> Floats:
    """Return the share of boards on which a hand beats two others, and the product of the shares for each one, (2,).

    Parameters
    ----------
    own_cards, first_cards, second_cards : sequence of two int
        The cards of the three hands, as numbers from 0 to 51.
    board : sequence of int
        The cards of the board so far. All boards that can follow are counted.
    combine : callable
        A function of two arrays of truth values, whether each hand is beaten; `and` is right.
    compare : callable
        A function of two arrays of strengths, which returns whether the first is beaten; `greater` is right.
    """
    unseen = sorted({*range(52)} - {*own_cards, *first_cards, *second_cards, *board})
    remaining_cards = np.array([*combinations(unseen, 5 - len(board))])
    boards = np.column_stack([np.tile(board, (len(remaining_cards), 1)), remaining_cards])

    def rate_hand(hole_cards: Sequence[int]) -> Any:
        """Return the strength of a hand on each board."""
        return holdem.evaluate_hand(
            np.column_stack([np.tile(hole_cards, (len(boards), 1)), boards])
        )

    own_strength = rate_hand(own_cards)
    beats_first = compare(own_strength, rate_hand(first_cards))
    beats_second = compare(own_strength, rate_hand(second_cards))
    joint_share = combine(beats_first, beats_second).mean()
    return np.array([joint_share, beats_first.mean() * beats_second.mean()])


def estimate_equity(
    own_cards: Sequence[int],
    opponent_cards: Sequence[int],
    num_boards: int,
    seed: int,
    exponent: float = 0.5,
) -> Floats:
    """Return the mean share of the pot that a hand wins from another on random boards, and its standard error, (2,).

    Parameters
    ----------
    own_cards, opponent_cards : sequence of two int
        The cards of both hands, as numbers from 0 to 51.
    num_boards : int
        The number of boards.
    seed : int
        Decides the boards.
    exponent : float
        The power of the count by which the standard deviation is divided; 1/2 is right.
    """
    generator = np.random.default_rng(seed)
    unseen = sorted({*range(52)} - {*own_cards, *opponent_cards})
    boards = np.array([generator.choice(unseen, 5, replace=False) for _ in range(num_boards)])

    def rate_hand(hole_cards: Sequence[int]) -> Ints:
        """Return the strength of a hand on each board, (count,)."""
        cards = np.column_stack([np.tile(hole_cards, (num_boards, 1)), boards])
        return np.asarray(holdem.evaluate_hand(cards).astype(int))

    shares = (np.sign(rate_hand(own_cards) - rate_hand(opponent_cards)) + 1) / 2  # 1, 1/2 or 0
    return np.array([shares.mean(), shares.std() / num_boards**exponent])


def play_choosily(view: SeatView) -> int:
    """Return the action of a player who folds weak cards and raises strong ones before the flop, and calls later.

    `view` is what the player sees at the table.
    """
    is_before_flop = not view.street
    win_share = win_probability(view.hole_cards, view.board) if is_before_flop else 0.5
    if win_share > 0.6 and view.legal_actions.min_raise_to:
        return view.legal_actions.min_raise_to
    return FOLD if win_share < 0.4 and view.legal_actions.can_fold else CALL


def judge_duel_with_choosy_player(player: Callable[[SeatView], int]) -> Floats:
    """Return three truth values about a heads-up duel of a student's player with `play_choosily`, as 0 or 1, (3,).

    They are whether the player wins, whether it wins more than 30 big blinds per 100 hands, and whether it wins more
    than five standard errors. A player is a function that returns an action.
    """
    game = holdem.ring_game(holdem.limit(2), seats=2, stacks=200, duplicates=True)
    result = game.play([play_choosily, player], 400, seed=SEED)
    own_seat = 1
    winnings = result.convert_to_big_blinds(result.mean)[own_seat]
    error = result.convert_to_big_blinds(result.standard_error)[own_seat]
    return np.array([winnings > 0, winnings > 30, winnings > 5 * error])


def compute_lead_and_needed_deals(
    first_winnings: Floats,
    second_winnings: Floats,
    independent: bool = False,
    power: int = 2,
    standard_errors: float = 2,
) -> Floats:
    """Return how much more one player wins than another in the same deals, with its error, and the deals needed, (3,).

    The last number is that of the deals after which the lead would be clear.

    Parameters
    ----------
    first_winnings, second_winnings : array of shape (deals,)
        What each player wins in each deal.
    independent : bool
        Whether the errors of the two players are combined as if their results were independent, by mistake.
    power : int
        The power of the error over the lead with which the number of deals grows; 2 is right.
    standard_errors : float
        The number of standard errors of a clear lead.
    """
    num_deals = len(first_winnings)
    lead = float(np.mean(first_winnings - second_winnings))
    if independent:
        variance = np.var(first_winnings) + np.var(second_winnings)
    else:
        variance = np.var(first_winnings - second_winnings)
    error = float(np.sqrt(variance / num_deals))
    needed_deals = num_deals * (standard_errors * error / abs(lead)) ** power
    return np.array([lead, error, needed_deals])


def compute_gain_from_calling_bluffs(
    bluff_probability: float, normalizes_reach: bool = True, value_bet_probability: float = 1.0
) -> float:
    """Return what a call with bucket 4 gains on the river of lesson 11, in small bets.

    Parameters
    ----------
    bluff_probability : float
        The probability with which the opponent bets bucket 1, which the call beats.
    normalizes_reach : bool
        Whether reach probabilities are divided by their sum, which is right.
    value_bet_probability : float
        The probability with which the opponent bets bucket 6, to which the call loses.
    """
    reach_of_bluff, reach_of_best = np.array([bluff_probability, value_bet_probability]) / 6
    probability_of_bluff = reach_of_bluff
    if normalizes_reach:
        probability_of_bluff = reach_of_bluff / (reach_of_bluff + reach_of_best)
    return float(8 * probability_of_bluff - 2)  # the pot of 8 after a call that costs 2


def compute_response_winnings_on_two_streets(
    weak_bet_probability: float, strong_bet_probability: float = 1.0, num_bluffing_streets: int = 2
) -> float:
    """Return what a best response wins from an agent in lesson 11's game of two streets and two buckets.

    Parameters
    ----------
    weak_bet_probability, strong_bet_probability : float
        The probability with which the agent bets a weak hand, and a strong one.
    num_bluffing_streets : {1, 2}
        The number of streets on which the agent bluffs.
    """
    transitions = np.array([[0.75, 0.25], [0.25, 0.75]])  # of the buckets from street to street
    bets_first = np.array([weak_bet_probability, strong_bet_probability])
    bets_second = np.array(
        [weak_bet_probability if num_bluffing_streets > 1 else 0.0, strong_bet_probability]
    )
    edges = np.array([[0, -1], [1, 0]])  # who wins a showdown: 1 for the response, -1 for the agent

    def compute_second_street(reach: Floats, paid: int) -> Any:
        """Return what each bucket of the response wins, after both players have paid something."""
        reach_of_check, reach_of_bet = reach * (1 - bets_second), reach * bets_second
        after_check = paid * edges @ reach_of_check
        fold, call = -paid * reach_of_bet.sum(), (paid + 1) * edges @ reach_of_bet
        return after_check + np.maximum(fold, call)

    start = np.array([0.5, 0.5])  # the probability of each bucket
    reach_of_check, reach_of_bet = start * (1 - bets_first), start * bets_first
    after_check = transitions @ compute_second_street(reach_of_check @ transitions, 2)
    after_call = transitions @ compute_second_street(reach_of_bet @ transitions, 3)
    after_fold = -2 * reach_of_bet.sum()
    return float(start @ (after_check + np.maximum(after_fold, after_call)))


def iterate_response_cases() -> Iterable[tuple[int, Floats, int, Floats]]:
    """Yield nine tuples of arguments, the cases on which an answer is compared with `compute_response_winnings`.

    Yields
    ------
    int
        A node of the flop at which no raise is allowed anymore.
    array of shape (6,)
        Random reach probabilities of the agent, from nearly even ones to ones of which one outweighs the others.
    int
        The seat to act.
    array of shape (decisions, 6, 3)
        The action probabilities of an agent that always calls.
    """
    game, rng = make_six_bucket_game(), np.random.default_rng(SEED)
    tree, always_call = game.tree, game.always_call().decision_probabilities
    has_no_raise = (tree.street == 1) & (tree.decision >= 0) & (tree.child[:, 2] < 0)
    nodes = rng.choice(np.flatnonzero(has_no_raise), 9)
    for unevenness, node in zip((1, 4, 10) * 3, nodes, strict=True):
        yield int(node), rng.random(6) ** unevenness, int(tree.actor[node]), always_call


def compute_response_winnings(
    node: int, reach: Floats, seat: int, probabilities: Floats, choice: str = "by mean"
) -> Floats:
    """Return what a response wins from an agent from a node on, with each of the response's six buckets.

    Winnings are sums over the agent's buckets, weighted by `reach`. So they are not divided by the probability that the
    agent reaches the node.

    Parameters
    ----------
    node : int
        The index of the node in the public tree.
    reach : array of shape (6,)
        The agent's reach probability with each of its buckets: the probability of the bucket times those of the agent's
        actions on the way to the node.
    seat : int
        The seat of the response.
    probabilities : array of shape (decisions, 6, 3)
        The agent's action probabilities, by decision, bucket and action.
    choice : {'by mean', 'by plain sum', 'by bucket'}
        How the response chooses its action at a decision. With 'by mean' it takes the same action with all buckets, the
        one with the largest mean winnings over its buckets, weighted by their probabilities; this is right. With 'by
        plain sum', a mistake, it forgets the probabilities, and takes the action with the largest sum of winnings. With
        'by bucket', another mistake, it takes in each bucket the action that is best there.

    Returns
    -------
    array of shape (6,)
        The winnings with each bucket of the response on the node's street, in small bets.
    """
    tree, buckets = make_six_bucket_game().tree, make_six_bucket_game().buckets
    kind, street, paid = tree.kind[node], tree.street[node], tree.paid[node]
    if kind == FOLDED:
        loser = tree.actor[node]
        sign = -1 if loser == seat else 1
        return np.full(6, paid[loser] * reach.sum() * sign)
    if kind == SHOWDOWN:
        # Both players have paid the same. With a share s of the pot, a player wins 2 s - 1 times what it has paid.
        return np.asarray(paid[seat] * (2 * buckets.showdown - 1) @ reach)
    if kind == DEAL:
        transitions = buckets.transitions[street]
        winnings = compute_response_winnings(
            node + 1, reach @ transitions, seat, probabilities, choice
        )
        return np.asarray(transitions @ winnings)

    children = [(action, child) for action, child in enumerate(tree.child[node]) if child >= 0]
    if tree.actor[node] != seat:  # the agent acts
        reach_by_action = reach * probabilities[tree.decision[node]].T
        winnings = np.zeros(6)
        for action, child in children:
            winnings = winnings + compute_response_winnings(
                child, reach_by_action[action], seat, probabilities, choice
            )
        return winnings

    # The response acts.
    winnings_by_action = np.array(
        [
            compute_response_winnings(child, reach, seat, probabilities, choice)
            for _, child in children
        ]
    )
    if choice == "by bucket":
        return np.asarray(winnings_by_action.max(axis=0))
    bucket_probabilities = reduce(np.matmul, buckets.transitions[:street], buckets.start)
    weights = bucket_probabilities if choice == "by mean" else np.ones(6)
    best_action = (winnings_by_action @ weights).argmax()
    return np.asarray(winnings_by_action[best_action])


def estimate_gradient_of_winnings(
    genes: Floats, noise: Floats, spread: float, seats: Sequence[int] = (0, 1)
) -> Floats:
    """Return the estimated derivative, in each gene of an agent, of what a best response wins from the agent, (genes,).

    Parameters
    ----------
    genes : array of shape (genes,)
        The genes of the agent.
    noise : array of shape (directions, genes)
        Directions in which the genes are changed.
    spread : float
        By which the directions are multiplied. Each is tried forward and backward.
    seats : pair of int
        The seat of the best response whose winnings count for the genes off the button, and for those on the button.
        Right is the seat that the agent does not have there.
    """
    game = make_six_bucket_game()
    make_profile = TupleTable(game).make_profile
    steps = spread * np.concatenate([noise, -noise])
    winnings = np.array([game.best_values(make_profile(genes + step)) for step in steps])
    num_directions = len(noise)
    differences = winnings[:num_directions] - winnings[num_directions:]
    gradients = differences.T @ noise / (2 * spread * num_directions)  # a row for each seat

    genes_a_situation = 18
    is_on_button = np.repeat(
        [situation.button for situation in game.tree.situations], genes_a_situation
    )
    gradient: Floats = np.where(is_on_button, gradients[seats[1]], gradients[seats[0]])
    return gradient


def split_gap_of_losses(
    lowest_report: float,
    remeasured_loss: float,
    true_loss: float,
    reported_share: float,
    base: str = "true",
) -> Floats:
    """Return how much of the gap between a true loss and a lowest report is luck, usual error, and the rest, (3,).

    Parameters
    ----------
    lowest_report : float
        The lowest report, for which the agent was selected.
    remeasured_loss : float
        The mean loss by new reports of the same judge.
    true_loss : float
        The true loss.
    reported_share : float
        The share of the true loss that the judge reports of agents that were not bred for it.
    base : {'true', 'fresh', 'gap'}
        Of what the usual error is a share: the true loss is right.
    """
    bases = {"true": true_loss, "fresh": remeasured_loss, "gap": true_loss - lowest_report}
    luck = remeasured_loss - lowest_report
    usual_error = (1 - reported_share) * bases[base]
    rest = true_loss - remeasured_loss - usual_error
    return np.array([luck, usual_error, rest])


def compute_mean_result_of_visits(
    visits: int, good: float, bad: float, is_first_random: bool = True, is_bad_tried: bool = True
) -> float:
    """Return the mean result of the first visits of a tree search to a decision with a good and a bad action.

    By default the first visit acts at random, the second tries the bad action, and all others take the good one.

    Parameters
    ----------
    visits : int
        The number of visits, at least three.
    good, bad : float
        The results of both actions.
    is_first_random, is_bad_tried : bool
        Whether the first visit acts at random, and whether the second tries the bad action. Both are right.
    """
    num_good_visits = visits - is_first_random - is_bad_tried
    random_result = is_first_random * (good + bad) / 2
    return (random_result + is_bad_tried * bad + num_good_visits * good) / visits


def compute_exploitability_of_folding(num_folded: int, folds_weakest: bool = True) -> float:
    """Return the exploitability of an agent that folds some of six buckets whenever it can, and calls with the others.

    Exploitability is the sum over both seats, in the unit of the limit game in buckets. The agent folds the weakest
    `num_folded` buckets, or the strongest ones if `folds_weakest` is False.
    """
    game = make_six_bucket_game()
    table = game.always_call().table.copy()
    buckets = np.arange(6)
    is_folded = buckets < num_folded if folds_weakest else buckets >= 6 - num_folded
    can_fold = game.is_legal[:, 0]
    fold = [1, 0, 0]
    table[np.ix_(can_fold, is_folded)] = fold
    return game.nash_conv(holdem.BucketedProfile(game, table))


def compute_cost_of_one_bluff_share(
    second_pot: float, pot_probability: float = 1 / 2, exchanges_shares: bool = False
) -> float:
    """Return what it costs to bluff with one share of weak hands in two pots, on the river of lesson 12.

    An agent that has forgotten which of the pots it plays for can have only one share of bluffs.

    Parameters
    ----------
    second_pot : float
        The size of the second pot, in bets. The first one has the size 2.
    pot_probability : float
        The probability of each pot; 1/2 is right.
    exchanges_shares : bool
        Whether the agent uses in each pot the best share of the other one, by mistake.
    """

    def collect_pot(size: float, share: float) -> float:
        """Return what an agent with a share of bluffs gets of a pot, against a best response."""
        return min(size * (1 + share) / 2, (size + 2 - 2 * share) / 2)

    best_share_first, best_share_second = 1 / 2, 2 / (second_pot + 2)
    # The first river has the value 3/2, and the second one has the other two terms.
    sum_of_values = 3 / 2 + second_pot / 2 + second_pot / (second_pot + 2)
    value_with_memory = sum_of_values / 2
    if exchanges_shares:
        collected = collect_pot(2, best_share_second) + collect_pot(second_pot, best_share_first)
    else:
        candidates = (0, best_share_first, best_share_second, 1)
        collected = max(
            collect_pot(2, share) + collect_pot(second_pot, share) for share in candidates
        )
    return value_with_memory - pot_probability * collected


def compute_gain_by_calling(
    bet_cards: Sequence[int], card_groups: Sequence[Sequence[int]], counts_same_card: bool = False
) -> float:
    """Return what a best response gains by calls from an agent that bets some cards, in lesson 12b's deck of six cards.

    The agent bets 1 chip into a pot of 2. The result is in chips a deal.

    Parameters
    ----------
    bet_cards : sequence of int
        The cards with which the agent bets.
    card_groups : sequence of sequence of int
        Groups of cards. The response knows only in which of them its own card is, and calls with a whole group or not
        at all.
    counts_same_card : bool
        Whether deals in which both players hold the same card are counted, as lost, by mistake.
    """
    num_deals = 30  # six cards for one player, five for the other
    total_gain = 0.0
    for group in card_groups:
        gain_by_calls = 0
        for own_card, agent_card in product(group, bet_cards):
            is_dealt = counts_same_card or own_card != agent_card
            if is_dealt:
                gain_by_calls += 3 if own_card > agent_card else -1
        total_gain += max(0, gain_by_calls)  # without a call the gain is 0
    return total_gain / num_deals


def split_cost_of_buckets(
    strong_bet_probability: float, weak_bet_probability: float, always_collects_pot: bool = False
) -> list[float]:
    """Return how much more a best response wins in real deals than in buckets, split into two causes, in chips.

    The deck is that of lesson 12b: six cards, in two buckets of three. The agent bets 1 chip into a pot of 2. In the
    game of buckets, both players may hold the same card.

    Parameters
    ----------
    strong_bet_probability, weak_bet_probability : float
        The probability with which the agent bets a card of the upper bucket, and of the lower one.
    always_collects_pot : bool
        Whether the pot is collected without a bet even in deals where the agent has bet, by mistake.

    Returns
    -------
    list of two floats
        The dealing effect: that no two players hold the same card. And the hidden part: that the response sees its
        card.
    """
    bet_probabilities = np.where(np.arange(6) >= 3, strong_bet_probability, weak_bet_probability)
    own_card, agent_card = np.indices((6, 6))
    # One half against the same card, which only the game of buckets deals.
    win_share = (np.sign(own_card - agent_card) + 1) / 2
    gain_by_call = bet_probabilities * (4 * win_share - 1)
    pot_without_bet = (1 - bet_probabilities) * (2 * win_share)

    def sum_gains_of_paying_calls(gains_by_card: Floats, by_bucket: bool) -> float:
        """Return the sum of all positive gains by a call, if the response sees its bucket or its card."""
        gains = gains_by_card.reshape(2, 3).sum(axis=1) if by_bucket else gains_by_card
        return float(np.maximum(0, gains).sum())

    in_game_of_buckets = sum_gains_of_paying_calls(gain_by_call.sum(axis=1), by_bucket=True)
    in_game_of_buckets = (in_game_of_buckets + pot_without_bet.sum()) / 36  # of 6 x 6 deals

    is_dealt = ~np.eye(6, dtype=bool)
    gains_of_deals = (gain_by_call * is_dealt).sum(axis=1)
    collected = 2 * win_share if always_collects_pot else pot_without_bet
    pots = collected[is_dealt].sum()
    with_buckets = (sum_gains_of_paying_calls(gains_of_deals, by_bucket=True) + pots) / 30
    with_cards = (sum_gains_of_paying_calls(gains_of_deals, by_bucket=False) + pots) / 30
    return [float(with_buckets - in_game_of_buckets), float(with_cards - with_buckets)]


def find_safest_callers(seen_buckets: Sequence[int] = (1, 2, 3, 4)) -> list[float]:
    """Return how often two agents in lesson 12c's deck of four should call, and what they lose then, as four numbers.

    The pot holds 6 chips. The opponent bets 4 or checks, and the agent calls or folds; it folds the cards 1 and 2.

    Parameters
    ----------
    seen_buckets : sequence of int
        The bucket in which the opponent sees each of its four cards. By default it sees the card itself.

    Returns
    -------
    list of four floats
        The probability with which an agent should call that treats 3 and 4 alike, and its loss in 12 deals. And the
        probability with which an agent should call with 3 that always calls with 4, and its loss.
    """
    own_card, agent_card = np.nonzero(~np.eye(4, dtype=bool))
    bucket = np.asarray(seen_buckets)[own_card]
    is_ahead = own_card > agent_card
    probabilities = np.linspace(0, 1, 101)

    def compute_loss(calls: Floats) -> float:
        """Return what the opponent wins in 12 deals if it takes the better of bet and check in each bucket."""
        call_probability = calls[agent_card]
        won_by_bet = 6 * (1 - call_probability) + call_probability * np.where(is_ahead, 10, -4)
        won_by_check = 6 * is_ahead
        return float(
            np.maximum(np.bincount(bucket, won_by_bet), np.bincount(bucket, won_by_check)).sum()
        )

    answer = []
    for treats_alike in (True, False):
        losses = [
            compute_loss(np.array([0, 0, each, each if treats_alike else 1]))
            for each in probabilities
        ]
        least = int(np.argmin(losses))
        answer += [float(probabilities[least]), losses[least]]
    return answer


def find_bluffs_in_buckets(
    sees_buckets: bool = False, always_collects_pot: bool = False
) -> list[float]:
    """Return how often two agents in lesson 12c's deck of five bluff, and what an opponent collects in 20 deals.

    The pot holds 4 chips. The agent bets 1 chip with its cards above the lowest bucket, and bluffs with the lowest
    bucket so often that a call with the whole of this bucket gains nothing.

    Parameters
    ----------
    sees_buckets : bool
        Whether the opponent sees only the agent's buckets, by mistake.
    always_collects_pot : bool
        Whether the pot is collected without a bet even in deals where the agent has bet, by mistake.

    Returns
    -------
    list of four floats
        The probabilities of a bluff of the agents with two and with three buckets. Then what is collected from each.
    """
    own_card, agent_card = np.nonzero(~np.eye(5, dtype=bool))
    is_ahead = own_card > agent_card
    gain_by_call = np.where(is_ahead, 5, -1)
    bluffs, collected = [], []
    for size in (4, 3):  # of the lowest bucket
        is_low, is_bluff = own_card < size, agent_card < size
        bluff = -gain_by_call[is_low & ~is_bluff].sum() / gain_by_call[is_low & is_bluff].sum()
        bet_probability = np.where(is_bluff, bluff, 1)
        group = np.where(is_low, 0, own_card) if sees_buckets else own_card
        gains = np.bincount(group, bet_probability * gain_by_call)
        pots = 4 * is_ahead * (1 if always_collects_pot else 1 - bet_probability)
        bluffs.append(float(bluff))
        collected.append(float(np.maximum(0, gains).sum() + pots.sum()))
    return [*bluffs, *collected]


def count_strategies_after_trimming(trim_population: Any, seed: int) -> list[int]:
    """Return how many of five strategies a student's function keeps when it trims them to two, as three numbers.

    The five strategies of `RESULTS_WITH_TWINS` include two pairs of twins, which have equal results.

    Parameters
    ----------
    trim_population : callable
        `trim(results, size, generator)` returns the numbers of the strategies that it keeps.
    seed : int
        Decides random choices.

    Returns
    -------
    list of int
        The number of all strategies that are kept, of those that are scissors, and of those in one pair of twins.
    """
    generator = np.random.default_rng(seed)
    kept_strategies = list(map(int, trim_population(RESULTS_WITH_TWINS.copy(), 2, generator)))
    num_scissors = kept_strategies.count(2)
    num_twins = kept_strategies.count(1) + kept_strategies.count(4)
    return [len(kept_strategies), num_scissors, num_twins]


def count_nondominated_points(dimensions: int) -> int:
    """Return the number of non-dominated points among 100 random points in a space with some dimensions."""
    points = random_stream(SEED, "points", dimensions).random((100, dimensions))
    return int(find_pareto_front(count_better_results(points, slice(None))).sum())


def find_survivors_and_parents(selection: Any, fitness_values: Floats) -> Floats:
    """Return which of twenty strategies survive a selection, and their probabilities of becoming parents.

    Parameters
    ----------
    selection : callable
        A selection of a population, as `pokerlab.evolution.population.protocol` describes it.
    fitness_values : array of shape (40,)
        The fitness of forty strategies, of which those with the numbers 10 to 29 are a population.

    Returns
    -------
    array of shape (2, 20)
        For each member of the population 1 if it survives and 0 otherwise, and its probability of becoming a parent.
    """
    fitness, generator = Fitness(fitness_values), np.random.default_rng(SEED)
    members, genomes, ages = slice(10, 30), np.zeros((20, 1)), np.zeros(20)
    return np.array(selection(fitness, members, genomes, ages, generator))


def find_clear_results_by_holm(p_values: Sequence[float], level: float = 0.05) -> Floats:
    """Return 1 for each result that is clear by Holm's rule for several tests, and 0 for the others, (results,).

    A result is clear if its adjusted p-value is below the level. To adjust p-values, sort them, the smallest first,
    multiply each by the number of those from it on, and take the largest product up to it.

    Parameters
    ----------
    p_values : sequence of float
        The p-value of each result.
    level : float
        The level of significance of all tests together.
    """
    sorted_p_values = sorted(p_values)
    num_remaining = np.arange(len(sorted_p_values), 0, -1)
    adjusted_p_values = np.maximum.accumulate(num_remaining * sorted_p_values)
    return np.array([float(adjusted_p_values[sorted_p_values.index(p)] < level) for p in p_values])


def compute_prizes(ranks: Any) -> Floats:
    """Return the prizes of the ranks of a tournament of fifty: 250, 150 and 100 for the first three, else 0.

    Two players who share two places have the rank in between, such as 1.5, and get the mean of the two prizes.
    """
    return np.asarray(np.interp(ranks, [1, 2, 3, 4], [250, 150, 100, 0]))


def compute_share_of_paper(generation: int, hall_size: int, num_players: int = 50) -> float:
    """Return the share of players of *paper* (not rock or scissors) among the present players and a hall of champions.

    The hall has the latest champions, one of each generation.
    Up to generation 100 all players and champions play paper, and after it none does.

    Parameters
    ----------
    generation : int
        The present generation, counted from 1. Each earlier one has a champion.
    hall_size : int
        The largest number of champions in the hall.
    num_players : int
        The number of present players; 50 is right.
    """
    oldest_champion = max(1, generation - hall_size)
    num_champions = generation - oldest_champion
    last_with_paper = min(100, generation - 1)
    num_champions_with_paper = max(0, last_with_paper - oldest_champion + 1)
    num_players_with_paper = num_players if generation <= 100 else 0
    return (num_champions_with_paper + num_players_with_paper) / (num_champions + num_players)


def judge_hall_of_fame(breed_with_hall: Callable[..., Any]) -> Floats:
    """Return three numbers about one generation that a student's function breeds with a hall of fame, (3,).

    Parameters
    ----------
    breed_with_hall : callable
        `breed_with_hall(population, hall, generator)` returns the next population and the next hall of fame.

    Returns
    -------
    array of shape (3,)
        The number of players from which random draws are made, whether the two best strategies of the population
        survive, and whether the champion enters the hall of fame in place of the oldest member.
    """
    # Two strategies of the population rarely enter a hand, and those of the hall never do.
    population, old_champions = (
        np.random.default_rng(SEED).normal(mean, 0.1, (20, 5)) for mean in (3, -9)
    )
    best = [4, 7]
    population[best] -= 4
    hall = old_champions[:10]
    generator = Mock(wraps=np.random.default_rng(SEED))  # records how it is called
    next_population, next_hall = breed_with_hall(population, hall, generator)

    num_players = generator.choice.call_args.args[0]
    best_survive = sorted(map(tuple, next_population[:2])) == sorted(map(tuple, population[best]))
    champion_enters = np.array_equal(next_hall, [next_population[0], *hall[:9]])
    return np.array([num_players, best_survive, champion_enters])


def rate_cycle_of_players(
    num_opponents: int = 2, nash_weights: tuple[float, float, float] = (20, 20, 60)
) -> list[list[float]]:
    """Return four lists about a circle of three players: means, games won, Nash averages and alpha-ranks.

    A wins 60 chips from B, B wins 20 from C, and C wins 20 from A. A win of 60 chips counts as a whole game.

    Parameters
    ----------
    num_opponents : int
        The number by which the sums of a player's wins are divided.
    nash_weights : tuple of float
        Numbers in proportion to the Nash averages.
    """
    winnings = np.array([[0, 60, -20], [-60, 0, 20], [20, -20, 0]])
    means = winnings.sum(axis=1) / num_opponents
    games_won = (1 + winnings / 60).sum(axis=1) / 2 - 1 / 2  # without the half game against oneself
    nash_averages = np.array(nash_weights) / sum(nash_weights)
    alpha_ranks = [1 / 3] * 3
    return [means.tolist(), games_won.tolist(), nash_averages.tolist(), alpha_ranks]


def mix_equilibrium_with_best_response(share: float) -> Floats:
    """Return both players' realization plans, of 13 sequences each, of a mixture of two strategies in Kuhn poker.

    An equilibrium is mixed with a best response to uniform play. `share` is the weight of the best response.
    """
    kuhn = games.kuhn()
    equilibrium = solvers.SequenceFormLP(kuhn).solve().profile
    responses = [kuhn.best_response(kuhn.uniform(), seat).behavior for seat in (0, 1)]
    best_response = Profile(kuhn, np.concatenate(responses))
    plans = []
    for seat in (0, 1):
        plans.append((1 - share) * equilibrium.plan(seat) + share * best_response.plan(seat))
    return np.array(plans)
