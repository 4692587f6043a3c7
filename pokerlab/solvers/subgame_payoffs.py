"""The payoffs of a subgame, a game restricted to the strategies that the players have found so far.

When a player's pool of strategies grows, only the payoffs of the new strategies are computed: `extend_payoffs` for a
pool of each player, and `extend_symmetric_payoffs` for the one pool of a symmetric game. The solvers of `subgame`
compute mixtures from the payoffs, and `find_largest_gain` measures how far these mixtures are from an equilibrium.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, kernel
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import Strategies, SymmetricGame

Plans: TypeAlias = Sequence[NDArray[Any]]
"""For each player an array with one of the player's realization plans in each row."""


def extend_payoffs(game: Any, plans: Plans, known_payoffs: Floats | None = None) -> Floats:
    """Return the payoffs of all combinations of strategies, and compute only those that `known_payoffs` lacks.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The K_i strategies of each player i of n: realization plans over the player's S_i sequences. In a symmetric game
        they are vectors of S_i numbers.
    known_payoffs : array of shape (n, k_1, ..., k_n), optional
        The payoffs of all combinations of the first k_i strategies of each player. By default all payoffs are computed.

    Returns
    -------
    array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination.
    """
    num_players = len(plans)
    sizes = tuple(len(own_plans) for own_plans in plans)
    payoffs = np.empty((num_players, *sizes))

    # The payoffs of a block are those of combinations of consecutive strategies, given by a slice for each player.
    if known_payoffs is None:
        known_sizes = (0,) * num_players
    else:
        known_sizes = tuple(known_payoffs.shape[1:])
        known_block = [slice(0, size) for size in known_sizes]
        payoffs[:, *known_block] = known_payoffs

    # Each pass fills the block in which this player is the first one with a new strategy: players before it play known
    # strategies, and players after it any strategies.
    for player in range(num_players):
        slices_before = [slice(0, size) for size in known_sizes[:player]]
        new_strategies = slice(known_sizes[player], sizes[player])
        slices_after = [slice(0, size) for size in sizes[player + 1 :]]
        block = [*slices_before, new_strategies, *slices_after]
        plans_of_block = [own_plans[rows] for own_plans, rows in zip(plans, block, strict=True)]
        if all(len(own_plans) > 0 for own_plans in plans_of_block):
            payoffs[:, *block] = compute_payoffs(game, plans_of_block)

    return payoffs


def extend_symmetric_payoffs(
    game: SymmetricGame, strategies: Strategies, new_strategies: Strategies, known_payoffs: Floats
) -> Floats:
    """Return the payoff matrix of strategies of a symmetric game, and compute only the payoffs of new strategies.

    The matrix is antisymmetric, because the game is zero-sum.

    Parameters
    ----------
    game : SymmetricGame
        The game that is played.
    strategies : array of shape (K, d)
        All K strategies, which are vectors of d numbers; the new ones come last.
    new_strategies : array of shape (K - k, d)
        The new strategies.
    known_payoffs : array of shape (k, k)
        The payoffs of the first k strategies against each other.

    Returns
    -------
    array of shape (K, K)
        The payoff of the row's strategy against the column's.
    """
    num_known, size = len(known_payoffs), len(strategies)
    new_against_all = game.payoffs(new_strategies, strategies)
    new_against_known = new_against_all[:, :num_known]
    new_against_new = new_against_all[:, num_known:]

    payoffs = np.zeros((size, size))
    payoffs[:num_known, :num_known] = known_payoffs
    payoffs[num_known:, :num_known] = new_against_known
    payoffs[:num_known, num_known:] = -new_against_known.T

    # The payoffs of two new strategies against each other are computed twice, with opposite signs. The two numbers can
    # have different rounding errors, so they are averaged.
    payoffs[num_known:, num_known:] = (new_against_new - new_against_new.T) / 2.0
    return payoffs


def compute_payoffs(game: Any, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of strategies.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The K_i strategies of each player i of n: realization plans over the player's S_i sequences. In a symmetric game
        they are vectors of S_i numbers.

    Returns
    -------
    array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination.
    """
    if not isinstance(game, SequenceForm):
        first_strategies, second_strategies = plans
        first_payoffs = game.payoffs(first_strategies, second_strategies)
        return np.stack([first_payoffs, -first_payoffs])

    if game.num_players == 2:
        return compute_pair_payoffs(game, plans[0], plans[1])

    # With more players, `reach` is the probability of each terminal, which is its last axis. Each player except the
    # last adds an axis for its strategies. For the last player the matrix product sums over the terminals.
    reach = game.chance
    for player, own_plans in enumerate(plans[:-1]):
        reach = reach[..., None, :] * compute_own_reach(game, player, own_plans)
    last_reach = compute_own_reach(game, game.num_players - 1, plans[-1])
    return np.stack([(reach * utilities) @ last_reach.T for utilities in game.payoff.T])


def compute_pair_payoffs(
    game: SequenceForm, first_plans: NDArray[Any], second_plans: NDArray[Any]
) -> Floats:
    """Return the payoffs of two players for all pairs of their realization plans.

    With the players' plans in the rows of X and Y, and the payoff matrix U of the sequence form, the payoffs are
    X U Y^T. The smaller of the products X U and U Y^T is computed first. On every machine the terms are summed in the
    order of sequences, because the last bit of a payoff can decide which of several optimal mixtures a linear program
    returns.

    Parameters
    ----------
    game : SequenceForm
        A game of two players.
    first_plans, second_plans : array of shape (K_i, S_i)
        The K_i realization plans of player 1 (X) and player 2 (Y), over the player's S_i sequences.

    Returns
    -------
    array of shape (2, K_1, K_2)
        The payoff of each player for each pair of plans.
    """
    payoffs = np.empty((2, len(first_plans), len(second_plans)))
    payoff_sum = game.payoff_sum

    # In a constant-sum game the payoffs of player 2 follow from those of player 1.
    num_computed = 2 if payoff_sum is None else 1
    for player in range(num_computed):
        utility = game.payoff_matrices[player]
        if len(first_plans) <= len(second_plans):
            gradients = np.ascontiguousarray((utility.T @ first_plans.T).T)
            payoffs[player] = compute_plan_payoffs(second_plans, gradients).T
        else:
            gradients = np.ascontiguousarray((utility @ second_plans.T).T)
            payoffs[player] = compute_plan_payoffs(first_plans, gradients)

    if payoff_sum is not None:
        payoffs[1] = payoff_sum - payoffs[0]
    return payoffs


@kernel
def compute_plan_payoffs(plans: NDArray[Any], gradients: Floats) -> Floats:
    """Return the payoff of each realization plan against each strategy of the opponent.

    It is the matrix product of the plans and the transposed gradients, in which zeros of the plans are skipped.

    Parameters
    ----------
    plans : array of shape (K, S)
        K realization plans of one player, over its S sequences.
    gradients : array of shape (M, S)
        The payoff of each of the S sequences against each of M strategies of the opponent.

    Returns
    -------
    array of shape (K, M)
        The payoff of the row's plan against the column's strategy.
    """
    num_plans, num_sequences = plans.shape
    num_opponents = gradients.shape[0]
    payoffs = np.empty((num_plans, num_opponents))
    for plan in range(num_plans):
        for opponent in range(num_opponents):
            total = 0.0
            for sequence in range(num_sequences):
                if plans[plan, sequence] != 0:  # most weights of a pure plan are zero
                    total += plans[plan, sequence] * gradients[opponent, sequence]
            payoffs[plan, opponent] = total
    return payoffs


def compute_own_reach(game: SequenceForm, player: int, plans: NDArray[Any]) -> Floats:
    """Return the probability that a player takes all its actions on the path to each terminal.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    player : int
        The player's index.
    plans : array of shape (K, S)
        K realization plans of the player, over its S sequences.

    Returns
    -------
    array of shape (K, Z)
        For each plan, the realization weight of the player's last sequence before each of Z terminals.
    """
    return np.asarray(plans[:, game.find_sequences_at_terminals(player)], dtype=np.float64)


def find_largest_gain(payoffs: Floats, mixtures: Sequence[Floats]) -> float:
    """Return epsilon: the largest gain of a single player from a deviation, which is 0 at an equilibrium.

    Parameters
    ----------
    payoffs : array of shape (n, K_1, ..., K_n)
        The payoff of each of n players for each combination of strategies, where player i has K_i strategies.
    mixtures : sequence of n arrays of shape (K_i,)
        The probability of each strategy.

    Returns
    -------
    float
        The gain, in the unit of payoffs.
    """
    gains = []
    for player, mixture in enumerate(mixtures):
        # The expected payoff of each of the player's strategies: sum over the strategies of one opponent after the
        # other, each weighted by its probability. The matrix product sums over the last axis.
        values = np.moveaxis(payoffs[player], player, 0)
        opponent_mixtures = (*mixtures[:player], *mixtures[player + 1 :])
        for opponent_mixture in reversed(opponent_mixtures):
            values = values @ opponent_mixture
        gains.append(float(values.max() - mixture @ values))
    return max(gains)
