"""Passes over a compiled game, from which solvers and metrics are built: values, best responses and gradients.

In this module `behavior`, `plan` and `value` are vectors over the S sequences of all n players, which begin with the n
empty sequences. So `plan[q]` is the realization weight of sequence q, and `plan[player]` is the weight of the player's
empty sequence, which is one. The vector `probabilities` is a profile: the behavior at the S - n non-empty sequences.

The gradient of a player's utility by its own realization plan has an entry for each sequence q of the player. It is a
sum over the terminals at which q is the player's sequence. Each term is the weight of the terminal, which is the payoff
times the probability of chance, times the product of the other players' realization weights. With more than two players
the products are shared: the terminals of q are grouped by the sequence of the first other player, then by that of the
second, and so on, and the innermost sums are computed first. This takes between one and two multiplications for each
terminal and player, whatever the number of players is.

In a card game, whose terminals are not listed, the gradient is a sum over cards. `card_sums` has these passes, which
the passes of this module call.

`game_block` describes the arrays of a game, and the `Workspace` that kernels unpack from them.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, inlined, kernel
from pokerlab.games.card_sums import (
    fill_best_response_by_cards,
    fill_gradient_by_cards,
    fill_values_by_cards,
)
from pokerlab.games.game_block import (
    HEADER_LENGTH,
    LEVELS,
    NUM_PLAYERS,
    NUM_SEQUENCES,
    SPANS,
    UINT_ONE,
    Ids,
    Workspace,
    unpack_workspace,
)


@inlined
def fill_inner_sums(game: Workspace, span: int) -> Any:
    """Fill `game.inner` with sums of the weights of terminals, times the plans of all other players but the first one.

    The weight of a terminal is the player's payoff times the probability of chance. The entries of level 0 are pairs of
    a sequence of the player and a sequence of the first other player. Each inner level divides the entries of the level
    before by the sequence of one more player, down to the terminals (`game_block`). The sums are computed from the
    innermost level outward, where an entry gets the sum over its entries in the next level. The results are the sums of
    level 0, which overwrite `game.inner`. With two players there are no inner levels, and `game.weight` already has
    these sums.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all n players.
    span : int
        Which terminals are summed: i for those at which player i has a non-empty sequence, or n + i for those at which
        player i has the empty sequence.

    Returns
    -------
    int
        The first entry of level 0, whose sum is `game.inner[0]`. The sums of the entries after it follow.
    """
    ids = game.ids
    n = game.ids[NUM_PLAYERS]
    if n <= 2:
        return 0 * n  # zero, of the same type as the other result

    # For each of the n - 1 levels, `spans` has the first entry and the end of the entries.
    spans = ids[ids[HEADER_LENGTH + SPANS] + 2 * (n - 1) * span :]
    innermost = n - 2

    # `sums` has the sums of the present level, from its entry `first_entry` on. In the innermost level they are the
    # weights.
    first_entry = spans[2 * innermost]
    sums = game.weight[first_entry : spans[2 * innermost + 1]]
    for level in range(n - 2, 0, -1):
        # The entries starts[m] to starts[m + 1] - 1 of this level belong to entry m of the next outer level.
        starts = ids[ids[HEADER_LENGTH + LEVELS + 2 * level] :]
        sequence = ids[ids[HEADER_LENGTH + LEVELS + 2 * level + 1] :]
        first_outer_entry = spans[2 * (level - 1)]
        for outer_entry in range(first_outer_entry, spans[2 * (level - 1) + 1]):
            total = 0.0
            for entry in range(starts[outer_entry], starts[outer_entry + UINT_ONE]):
                total += sums[entry - first_entry] * game.plan[sequence[entry]]
            # Sums may overwrite the terms of the level before: there are fewer of them, so this term has been read.
            game.inner[outer_entry - first_outer_entry] = total
        sums = game.inner
        first_entry = first_outer_entry

    return first_entry


@inlined
def initialize_backward_pass(game: Workspace, player: int) -> None:
    """Set the values with which a backward pass begins: zero, except for the player's empty sequence.

    The value of the empty sequence is a sum over all terminals before which the player has no decision. A terminal
    contributes the player's payoff, times the probability of chance, times the realization weights of other players.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. `game.value` is overwritten at the player's sequences.
    player : int
        The player.
    """
    begin = game.infosets[player]
    end = game.infosets[player + 1]
    if begin < end:
        last_infoset = end - UINT_ONE
        game.value[game.first[begin] : game.first[last_infoset] + game.size[last_infoset]] = 0.0

    total = 0.0
    has_terminals_without_decision = game.starts[player] < game.starts[player + 1]
    if has_terminals_without_decision:
        first_entry = fill_inner_sums(game, player + game.ids[NUM_PLAYERS])
        # With two players there are no inner levels.
        inner_sums = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner
        for entry in range(game.starts[player], game.starts[player + 1]):
            total += inner_sums[entry - first_entry] * game.plan[game.sequence[entry]]
    game.value[player] = total


@inlined
def fill_counterfactual_values(
    game: Workspace, betting_ends: Ids | None, player: int, behavior: Floats
) -> None:
    """Compute a player's counterfactual values by one backward pass, and write them into `game`.

    For each sequence q that ends with action a at information set I, `value[q]` becomes v(I, a), eq. 7 of Lanctot
    (2014). It is the player's expected utility after a, times the probability with which chance and the other players
    lead to I. The entry `infoset_value[I]` becomes the sum over actions of their behavior times their value, and
    `value[player]` becomes the player's expected utility. The entries of other players do not change.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players, and the arrays into which values are written.
    betting_ends : array, optional
        `game.betting_ends`, which is None unless the game is a card game. It is an argument of its own so that numba,
        which knows its type, compiles only one of the passes, over terminals or over cards.
    player : int
        The player.
    behavior : array of shape (S,)
        The player's behavior at its sequences, of all S sequences.
    """
    if betting_ends is not None:
        fill_values_by_cards(game, betting_ends, player, behavior)
        return

    initialize_backward_pass(game, player)
    first_entry = fill_inner_sums(game, player)

    # With two players there are no inner levels.
    inner_sums = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner

    # Children come after their parents, so the last information set is treated first.
    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= UINT_ONE
        infoset_value = 0.0
        for sequence in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            total = game.value[sequence]
            for entry in range(game.starts[sequence], game.starts[sequence + 1]):
                total += inner_sums[entry - first_entry] * game.plan[game.sequence[entry]]
            game.value[sequence] = total
            infoset_value += behavior[sequence] * total
        game.infoset_value[infoset] = infoset_value
        game.value[game.parent[infoset]] += infoset_value


@inlined
def fill_best_response(
    game: Workspace, betting_ends: Ids | None, player: int, out_response: Floats
) -> float:
    """Compute a player's best response by one backward pass, and return the expected utility of its present plan.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. For each sequence q of the player, `game.value[q]` becomes
        the counterfactual value of q if the player plays a best response after q. `game.value[player]` becomes the
        expected utility of the best response.
    betting_ends : array, optional
        `game.betting_ends`, which is None unless the game is a card game. Its type tells numba which pass to compile.
    player : int
        The player who responds.
    out_response : array of shape (S,)
        Overwritten, at the player's sequences, by the probabilities of the best response, which are 0 or 1. If several
        actions are equally good, the first of them is taken.

    Returns
    -------
    float
        The player's expected utility of its present plan, not of the best response.
    """
    if betting_ends is not None:
        return fill_best_response_by_cards(game, betting_ends, player, out_response)

    initialize_backward_pass(game, player)
    utility = game.value[player]
    first_entry = fill_inner_sums(game, player)

    # With two players there are no inner levels.
    inner_sums = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner

    # Children come after their parents, so the last information set is treated first.
    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= UINT_ONE
        best_value = -np.inf
        choice = game.first[infoset]
        for sequence in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            total = 0.0
            for entry in range(game.starts[sequence], game.starts[sequence + 1]):
                total += inner_sums[entry - first_entry] * game.plan[game.sequence[entry]]
            # The sum has the terminals at which q is the player's sequence. Each terminal counts once in the utility.
            utility += game.plan[sequence] * total
            # Later information sets are treated already, and have added their values to that of q.
            total += game.value[sequence]
            game.value[sequence] = total
            out_response[sequence] = 0.0
            if total > best_value:
                best_value, choice = total, sequence
        out_response[choice] = 1.0
        game.value[game.parent[infoset]] += best_value

    return float(utility)


@inlined
def fill_plan(game: Workspace, player: int, behavior: Floats) -> None:
    """Compute a player's realization plan from its behavior, and write it into `game.plan`.

    The weight of each sequence q is x(q) = x(parent of q) sigma(q), where sigma is the behavior.

    Parameters
    ----------
    game : Workspace
        The game. `game.plan` must have the weight 1 of the player's empty sequence. It is overwritten at the player's
        other sequences.
    player : int
        The player.
    behavior : array of shape (S,)
        The probability of each sequence at its information set. Only the player's sequences are used. It may be
        `game.plan` itself, because an entry is read before it is overwritten.
    """
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        reach = game.plan[game.parent[infoset]]
        for sequence in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            game.plan[sequence] = reach * behavior[sequence]


@inlined
def select_players_to_update(player: int, num_players: int, alternating: bool) -> range:
    """Return the players whose strategies a solver updates now, after computing the values of one player.

    A solver's iteration is a loop over players. In alternating order each player is updated directly after its values
    have been computed. In simultaneous order no one is updated until the values of the last player have been computed,
    and then all players are updated.

    Parameters
    ----------
    player : int
        The player whose values have been computed.
    num_players : int
        The number of players.
    alternating : bool
        Whether the order is alternating.

    Returns
    -------
    range
        The players, counted from 0. It is empty if no one is updated now.
    """
    # All bounds are signed, because numba makes a range of floats from a signed and an unsigned bound.
    this_player = np.int64(player)
    end = np.int64(player) + 1
    if alternating:
        return range(this_player, end)
    return range(np.int64(0), end if end == num_players else np.int64(0))


@kernel
def compute_plans(game_block: Floats, probabilities: Floats) -> Floats:
    """Return the realization plans of all players in a profile.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players and S sequences, packed by `pack_game`.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.

    Returns
    -------
    array of shape (S,)
        The realization weight of each sequence, beginning with the n empty sequences.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    return game.plan.copy()


@kernel
def compute_plans_of_profiles(game_block: Floats, profiles: Floats) -> Floats:
    """Return the realization plans of all players in each of several profiles.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players and S sequences, packed by `pack_game`.
    profiles : array of shape (k, S - n)
        Each of k profiles: the probabilities of all non-empty sequences.

    Returns
    -------
    array of shape (k, S)
        The realization weights of all sequences in each profile.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    plans = np.empty((len(profiles), game.ids[NUM_SEQUENCES]))
    for index in range(len(profiles)):
        game.plan[n:] = profiles[index]
        for player in range(n):
            fill_plan(game, player, game.plan)
        plans[index] = game.plan
    return plans


@kernel
def compute_behavior(game_block: Floats, plan: Floats) -> Floats:
    """Return the profile that is equivalent to the given realization plans, or to multiples of them.

    It is uniform at information sets that a player's own plan does not reach.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players and S sequences, packed by `pack_game`.
    plan : array of shape (S,)
        The weight of each sequence.

    Returns
    -------
    array of shape (S - n,)
        The probability of each non-empty sequence.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    probabilities = np.empty(game.ids[NUM_SEQUENCES] - n)
    for infoset in range(game.first.size):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        total = 0.0
        for sequence in range(begin, end):
            total += plan[sequence]
        for sequence in range(begin, end):
            probabilities[sequence - n] = (
                plan[sequence] / total if total > 0.0 else 1.0 / game.size[infoset]
            )
    return probabilities


class PlayerResponse(NamedTuple):
    """A best response of one player.

    Attributes
    ----------
    value : float
        The expected utility of the best response, in the game's unit.
    behavior : array of shape (S_i - 1,)
        The probability of each of the player's S_i - 1 non-empty sequences, which is 0 or 1. If several actions are
        equally good, the first of them is taken.
    """

    value: float
    behavior: Floats


@kernel
def compute_nash_conv(game_block: Floats, probabilities: Floats) -> float:
    """Return NashConv: the sum over all players of the gain from a best response to a profile, in the game's unit.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players and S sequences, packed by `pack_game`.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.

    Returns
    -------
    float
        NashConv, which is 0 in a Nash equilibrium.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    total = 0.0
    for player in range(n):
        # Only utilities are needed here. The value of a sequence is read before its response is written, so
        # the responses may overwrite the values.
        utility = fill_best_response(game, game.betting_ends, player, game.value)
        total += game.value[player] - utility
    return total


@kernel
def compute_utilities_and_best_responses(
    game_block: Floats, probabilities: Floats, first_player: int, end_player: int
) -> tuple[Floats, Floats, Floats]:
    """Return the utility of some players in a profile, the utility of their best responses, and these responses.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players and S sequences, packed by `pack_game`.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.
    first_player, end_player : int
        Results are computed for the players `first_player` to `end_player` - 1. Those of all other players are zero.

    Returns
    -------
    utilities : array of shape (n,)
        The players' expected utilities.
    best_utilities : array of shape (n,)
        The expected utilities of their best responses.
    responses : array of shape (S - n,)
        The probabilities of their best responses.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)

    utilities = np.zeros(n)
    best_utilities = np.zeros(n)
    responses = np.zeros(game.ids[NUM_SEQUENCES])
    for player in range(first_player, end_player):
        utilities[player] = fill_best_response(game, game.betting_ends, player, responses)
        best_utilities[player] = game.value[player]
    return utilities, best_utilities, responses[n:]


@kernel
def compute_counterfactual_values(game_block: Floats, probabilities: Floats) -> Floats:
    """Return the counterfactual values of all non-empty sequences and of all information sets in a profile.

    Parameters
    ----------
    game_block : array
        The arrays of a game of n players, S sequences and I information sets, packed by `pack_game`.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.

    Returns
    -------
    array of shape (S - n + I,)
        First the values of the non-empty sequences, then those of the information sets.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    behavior = np.ones(game.ids[NUM_SEQUENCES])
    behavior[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, behavior)
    for player in range(n):
        fill_counterfactual_values(game, game.betting_ends, player, behavior)
    return np.concatenate((game.value[n:], game.infoset_value))


@kernel
def compute_gradients(game_block: Floats, plan: Floats) -> Floats:
    """Return the gradient of each player's utility with respect to the player's own realization plan.

    Parameters
    ----------
    game_block : array
        The arrays of a game of S sequences, packed by `pack_game`.
    plan : array of shape (S,)
        The realization plans of all players, at which the gradient is computed.

    Returns
    -------
    array of shape (S,)
        For each sequence, the derivative of its player's utility by the weight of the sequence.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    game.plan[:] = plan
    gradient = np.zeros(game.ids[NUM_SEQUENCES])
    for player in range(n):
        fill_gradient(game, game.betting_ends, player, gradient)
    return gradient


@inlined
def fill_gradient(
    game: Workspace, betting_ends: Ids | None, player: int, out_gradient: Floats
) -> None:
    """Write the gradient of a player's utility with respect to its own realization plan into `out_gradient`.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. The player's values in it are overwritten.
    betting_ends : array, optional
        `game.betting_ends`, which is None unless the game is a card game. Its type tells numba which pass to compile.
    player : int
        The player.
    out_gradient : array of shape (S,)
        The gradient, which must be zero at the player's non-empty sequences. The derivatives are added there. The
        derivative by the weight of the player's empty sequence is overwritten.
    """
    if betting_ends is not None:
        fill_gradient_by_cards(game, betting_ends, player, out_gradient)
        return

    initialize_backward_pass(game, player)
    out_gradient[player] = game.value[player]
    first_entry = fill_inner_sums(game, player)

    # With two players there are no inner levels.
    inner_sums = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner

    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        for sequence in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            for entry in range(game.starts[sequence], game.starts[sequence + 1]):
                out_gradient[sequence] += (
                    inner_sums[entry - first_entry] * game.plan[game.sequence[entry]]
                )
