"""Sums over cards, which replace sums over terminals in games in which each player gets one card.

In such a game the players' actions alone decide when the betting is over, what each player has paid, and who is in the
showdown. So the game is a betting tree, with a vector over cards at each sequence. Each end of the betting tree stands
for R! / (R - n)! terminals, one for each way to deal R cards to n players. Their sum is computed from the vectors.

Let x_j(c) be the realization weight of player j's sequence at one end of the betting, if j holds the card c. Let a deal
of the other cards have the product of the other players' weights as its weight. With the card c player i gets there

    v(c) = P (pot W(c) - paid A(c)),

where P is the probability of a deal, A(c) is the sum of the weights of all deals of the other cards, and W(c) is the
sum of those deals that i wins: no deal if i has folded, otherwise those in which all other players in the showdown have
a lower card. These sums are the value of the player's own sequence, in the sense of `tree_passes`.

For two players A(c) is the sum of all x(d) except x(c), and W(c) is the sum over d < c. So one running sum over the
cards is enough (`add_values_for_two_players`), which takes O(R) where the terminals take O(R^2).

For more players the cards are dealt in order, each to one of the other players or to nobody. `below[m, D]` is the sum
over all ways in which exactly the players of the set D get cards from the m lowest ones. It is computed from
`below[m - 1, D]`, where nobody gets the next card, and from `below[m - 1, D without j]`, where player j gets it.
`above[m, D]` is the same for the m highest cards. If player i holds the card c, the players in D have lower cards and
all others have higher ones, so

    A(c) = sum over D of below[c, D] above[R - 1 - c, others without D],

and W(c) is the same sum over those D that contain all other players in the showdown. Because all others must get a
card, only sets with m - (R - n) to m players matter, which are few if R is little larger than n. KP(6) has 193 ends of
the betting, and 5040 deals for each. The sums take about 400 additions for a player and an end
(`add_values_for_many_players`).

In the kernels a set of players is a number whose bit j is set if it contains player j. The other players of player i
are numbered from 0 without i. The weights of several ends are computed at the same time, so that the innermost loops
run over ends.

The order of sequences is that of the compiled game. There player p has the cards p, p + 1, ..., R - 1, p - 1, ..., 0,
because a walk through all deals finds them in this order. The place of a card in this order is its position. So the
sequence of a player with the card c is `first + step * position`, with two numbers for each end and player. If a player
has not acted, they are the number of the player's empty sequence, and zero.

The block of such a card game has two tables of the T ends of the betting: `betting_ends` of shape (T, 1 + 2 n), with
the set of players in the showdown and then `first` and `step` of each player, and in place of weights `end_amounts` of
shape (T, 1 + n), with P times the pot and then P times what each player has paid. Each information set has two actions.
"""

from typing import TypeAlias

import numpy as np

from pokerlab.core import Floats, inlined
from pokerlab.games.game_block import (
    HEADER_LENGTH,
    NUM_PLAYERS,
    NUM_RANKS,
    UINT_ONE,
    Ids,
    Workspace,
)

KernelInt: TypeAlias = int | np.int64  # an integer in a kernel, where both are the same type
ENDS_AT_A_TIME = 16
"""The number of ends of the betting whose weights are computed at the same time; their tables fit in a cache.

Each of the ends that are treated together has a lane: a number from 0 on, which is the last index of all tables.
"""
IN_SHOWDOWN, FIRST_OF_PLAYERS = 0, 1
"""The columns of the table of ends: the set of players in the showdown, and from 1 on `first` and `step` of each
player."""


def count_scratch_floats(num_players: int, num_cards: int) -> int:
    """Return how many floats the sums over cards need as memory for intermediate results (`Workspace.inner`).

    Parameters
    ----------
    num_players, num_cards : int
        The number of players, n, and the number of cards, R.

    Returns
    -------
    int
        The number of floats, for all tables together.
    """
    if num_players == 2:
        return 3 * num_cards  # `weight`, `below` and `gain` of `add_values_for_two_players`
    num_others = num_players - 1
    num_sets = 1 << num_others
    # `weight`, `below` and `above`, `all_deals` and `won_deals` of `add_values_for_many_players`
    numbers_per_end = num_others * num_cards + 2 * num_cards * num_sets + 2
    return numbers_per_end * ENDS_AT_A_TIME


@inlined
def fill_values_by_cards(game: Workspace, betting_ends: Ids, player: int, behavior: Floats) -> None:
    """Compute a player's counterfactual values by one backward pass, in a card game whose terminals are not listed.

    For each sequence q that ends with action a at information set I, `game.value[q]` becomes the counterfactual value
    v(I, a), eq. 7 of Lanctot (2014). `game.infoset_value[I]` becomes the sum over actions of their behavior times their
    value, and `game.value[player]` becomes the player's expected utility.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. The player's values in it are overwritten.
    betting_ends : array
        The table of the ends of the betting, `game.betting_ends`.
    player : int
        The player.
    behavior : array of shape (S,)
        The player's behavior at its sequences, of all S sequences.
    """
    fill_values_at_ends(game, betting_ends, player)
    first_infoset, infoset = game.infosets[player], game.infosets[player + 1]

    # Neighboring information sets often have the same parent sequence. Its value is kept in `total`, and written when
    # the last of them has been added.
    parent = game.parent[infoset - UINT_ONE]
    total = game.value[parent]
    while game.parent[infoset - UINT_ONE] != player:
        infoset -= UINT_ONE
        if game.parent[infoset] != parent:
            game.value[parent] = total
            parent = game.parent[infoset]
            total = game.value[parent]
        sequence = game.first[infoset]
        infoset_value = (
            behavior[sequence] * game.value[sequence]
            + behavior[sequence + UINT_ONE] * game.value[sequence + UINT_ONE]
        )
        game.infoset_value[infoset] = infoset_value
        total += infoset_value
    game.value[parent] = total

    # The player's first decisions come last in this backward order. The parent of all of them is the empty sequence, so
    # no value waits for another one, and they have a loop of their own that the compiler can vectorize.
    infoset_values = game.infoset_value[first_infoset:infoset]
    first_sequence = np.int64(game.first[first_infoset])
    probability, value = behavior[first_sequence:], game.value[first_sequence:]
    for index in range(infoset_values.size):
        sequence, next_sequence = 2 * index, 2 * index + 1
        infoset_values[index] = (
            probability[sequence] * value[sequence]
            + probability[next_sequence] * value[next_sequence]
        )
    game.value[player] += sum_in_four_parts(infoset_values)


@inlined
def sum_in_four_parts(numbers: Floats) -> float:
    """Return the sum of an array of numbers, which is computed as four sums of every fourth number.

    In a single sum each addition would have to wait for the one before it. Four sums take a quarter of the time.

    Parameters
    ----------
    numbers : array of shape (K,)
        The numbers.

    Returns
    -------
    float
        Their sum, up to rounding.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for i in range(0, numbers.size - 3, 4):
        a += numbers[i]
        b += numbers[i + 1]
        c += numbers[i + 2]
        d += numbers[i + 3]
    for i in range(numbers.size - numbers.size % 4, numbers.size):  # the last three at most
        a += numbers[i]
    return (a + b) + (c + d)


@inlined
def fill_best_response_by_cards(
    game: Workspace, betting_ends: Ids, player: int, out_response: Floats
) -> float:
    """Compute a player's best response by one backward pass, in a card game whose terminals are not listed.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. For each sequence q of the player, `game.value[q]` becomes
        the counterfactual value of q if the player plays a best response after q. `game.value[player]` becomes the
        expected utility of the best response.
    betting_ends : array
        The table of the ends of the betting, `game.betting_ends`.
    player : int
        The player who responds.
    out_response : array of shape (S,)
        Overwritten, at the player's sequences, by the probabilities of the best response, which are 0 or 1. If both
        actions are equally good, the first one is taken.

    Returns
    -------
    float
        The player's expected utility of its present plan, not of the best response.
    """
    fill_values_at_ends(game, betting_ends, player)

    # No value has been passed to a parent yet, so each terminal counts once in this sum.
    utility = game.value[player]
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        sequence = game.first[infoset]
        utility += (
            game.plan[sequence] * game.value[sequence]
            + game.plan[sequence + UINT_ONE] * game.value[sequence + UINT_ONE]
        )

    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= UINT_ONE
        sequence = game.first[infoset]
        is_first_best = game.value[sequence] >= game.value[sequence + UINT_ONE]
        game.value[game.parent[infoset]] += game.value[
            sequence if is_first_best else sequence + UINT_ONE
        ]
        out_response[sequence] = 1.0 if is_first_best else 0.0
        out_response[sequence + UINT_ONE] = 0.0 if is_first_best else 1.0
    return float(utility)


@inlined
def fill_gradient_by_cards(
    game: Workspace, betting_ends: Ids, player: int, out_gradient: Floats
) -> None:
    """Write the gradient of a player's utility into `out_gradient`, in a card game whose terminals are not listed.

    The gradient is the derivative of the player's expected utility by the player's own realization plan.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. The player's values in it are overwritten.
    betting_ends : array
        The table of the ends of the betting, `game.betting_ends`.
    player : int
        The player.
    out_gradient : array of shape (S,)
        Overwritten at the player's sequences, of all S sequences.
    """
    fill_values_at_ends(game, betting_ends, player)
    out_gradient[player] = game.value[player]
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        sequence = game.first[infoset]
        out_gradient[sequence] = game.value[sequence]
        out_gradient[sequence + UINT_ONE] = game.value[sequence + UINT_ONE]


@inlined
def fill_values_at_ends(game: Workspace, betting_ends: Ids, player: int) -> None:
    """Set the value of each of a player's sequences to a sum over the terminals at which the player has this sequence.

    A terminal contributes the player's payoff, times the probability of the deal, times the realization weights of the
    other players. The terminals of a card game are not listed, so the sums run over cards.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. `game.value` is overwritten at the player's sequences.
    betting_ends : array
        The table of the ends of the betting, `game.betting_ends`.
    player : int
        The player.
    """
    begin, end = game.infosets[player], game.infosets[player + 1]
    # Each information set has two sequences, and those of a player are neighbors.
    game.value[game.first[begin] : game.first[end - UINT_ONE] + UINT_ONE + UINT_ONE] = 0.0
    game.value[player] = 0.0
    if game.ids[NUM_PLAYERS] == 2:
        add_values_for_two_players(game, betting_ends, np.int64(player))
    else:
        add_values_for_many_players(game, betting_ends, np.int64(player))


@inlined
def compute_card_position(card: KernelInt, player: KernelInt, num_cards: KernelInt) -> KernelInt:
    """Return the position of a card of player p in the order p, p + 1, ..., R - 1, p - 1, ..., 0 of the R cards.

    In this order a walk over all deals finds the cards of player p (`card_games.compute_positions_in_walk`).

    Parameters
    ----------
    card : int
        The card, from 0 for the lowest to R - 1.
    player : int
        The player p, counted from 0.
    num_cards : int
        The number of cards, R.

    Returns
    -------
    int
        The position, from 0 to R - 1.
    """
    return card - player if card >= player else num_cards - 1 - card


@inlined
def add_values_for_two_players(game: Workspace, betting_ends: Ids, player: KernelInt) -> None:
    """Add the values of all terminals of a two-player card game to the values of a player's sequences.

    Let x(d) be the realization weight of the opponent's sequence with the card d, at one end of the betting. There the
    value of the player's sequence with the card c is

        v(c) = pot W(c) - paid A(c),

    where A(c) is the sum of x(d) over all cards d except c. If both players are in the showdown, W(c) is the sum over d
    < c. If the opponent has folded, W(c) = A(c), and if the player has folded, W(c) = 0. Pot and paid contain the
    probability of a deal as a factor.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of both players. `game.value` is added to at the player's sequences, and
        `game.inner` is overwritten by intermediate results.
    betting_ends : array
        The table of the ends of the betting, with five columns: the set of players in the showdown, and the first
        sequence and the step of each player.
    player : int
        The player, 0 or 1.
    """
    ids, plan, value = game.ids, game.plan, game.value
    amounts, num_cards = game.weight, np.int64(ids[ids[HEADER_LENGTH + NUM_RANKS]])
    opponent = 1 - player
    # Views of the scratch memory, each by card: x(d), the sum of x over lower cards, and v(c).
    weight, below = game.inner[:num_cards], game.inner[num_cards : 2 * num_cards]
    gain = game.inner[2 * num_cards : 3 * num_cards]
    summed_sequence, sum_of_weights = ids[HEADER_LENGTH], 0.0
    for end in range(len(amounts) // 3):
        row = betting_ends[5 * end : 5 * end + 5]
        players_at_showdown = row[IN_SHOWDOWN]
        pot, paid = amounts[3 * end], amounts[3 * end + 1 + player]

        # Read the opponent's weights and sum them, unless the last end had the same sequences of the opponent. Unsigned
        # indices need no check for negative ones. The second player's positions begin with card 1, and card 0 is last.
        sequence, step = row[1 + 2 * opponent], row[2 + 2 * opponent]
        if end == 0 or sequence != summed_sequence:
            summed_sequence = sequence
            numbers_by_position = weight[opponent:]
            for position in range(num_cards - opponent):
                numbers_by_position[position] = plan[sequence]
                sequence += step
            if opponent == 1:
                weight[0] = plan[sequence]
            sum_of_weights = fill_running_sums(weight, below)

        # The set of players at the showdown has the bit 1 for the first player and the bit 2 for the second.
        has_showdown = players_at_showdown == 3
        has_opponent_folded = players_at_showdown == 1 + player
        win_amount = 0.0
        loss_amount = paid  # if the player has folded
        if has_showdown:  # the higher card wins
            win_amount = pot
        elif has_opponent_folded:
            loss_amount = paid - pot
        for card in range(num_cards):
            gain[card] = win_amount * below[card] - loss_amount * (sum_of_weights - weight[card])

        # Add the values to those of the player's sequences, in the order of positions as above.
        sequence, step = row[1 + 2 * player], row[2 + 2 * player]
        numbers_by_position = gain[player:]
        for position in range(num_cards - player):
            value[sequence] += numbers_by_position[position]
            sequence += step
        if player == 1:
            value[sequence] += gain[0]


@inlined
def fill_running_sums(weights: Floats, out_sums: Floats) -> float:
    """Write into `out_sums[i]` the sum of all weights before weight i, and return the sum of all weights.

    Four weights are treated at a time, so that only every fourth addition has to wait for the one before it.

    Parameters
    ----------
    weights : array of shape (R,)
        The weights.
    out_sums : array of shape (R,)
        Overwritten by the sums.

    Returns
    -------
    float
        The sum of all weights.
    """
    total = 0.0
    for i in range(0, weights.size - 3, 4):
        sum_of_two = weights[i] + weights[i + 1]
        sum_of_three = sum_of_two + weights[i + 2]
        out_sums[i] = total
        out_sums[i + 1] = total + weights[i]
        out_sums[i + 2] = total + sum_of_two
        out_sums[i + 3] = total + sum_of_three
        total += sum_of_three + weights[i + 3]

    for i in range(weights.size - weights.size % 4, weights.size):  # the last three at most
        out_sums[i] = total
        total += weights[i]

    return total


@inlined
def add_values_for_many_players(game: Workspace, betting_ends: Ids, player: KernelInt) -> None:
    """Add the values of all terminals of a card game for n > 2 players to the values of a player's sequences.

    At one end of the betting, the value of the player's sequence with the card c is

        v(c) = pot W(c) - paid A(c),

    where pot and paid contain the probability of a deal as a factor. A(c) is the sum over all deals of the other cards
    of the product of the other players' realization weights, and W(c) is the part of it from the deals that the player
    wins (`sum_deals_with_card`).

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. `game.value` is added to at the player's sequences, and
        `game.inner` is overwritten by intermediate results.
    betting_ends : array
        The table of the ends of the betting, with 1 + 2 n columns: the set of players in the showdown, and the first
        sequence and the step of each player.
    player : int
        The player.
    """
    ids, value, amounts, scratch = game.ids, game.value, game.weight, game.inner
    num_cards = np.int64(ids[ids[HEADER_LENGTH + NUM_RANKS]])
    num_players = np.int64(ids[NUM_PLAYERS])
    num_others = num_players - 1
    num_sets = 1 << num_others
    num_columns = 1 + 2 * num_players  # of the table `betting_ends`

    # The scratch memory is divided among five tables, whose last index is the lane, one for each end treated together.
    below_at = num_others * num_cards * ENDS_AT_A_TIME
    above_at = below_at + num_cards * num_sets * ENDS_AT_A_TIME
    sums_at = above_at + num_cards * num_sets * ENDS_AT_A_TIME
    weight, below = scratch[:below_at], scratch[below_at:above_at]
    above, all_deals = scratch[above_at:sums_at], scratch[sums_at : sums_at + ENDS_AT_A_TIME]
    won_deals = scratch[sums_at + ENDS_AT_A_TIME : sums_at + 2 * ENDS_AT_A_TIME]

    num_ends = amounts.size // (1 + num_players)
    for first_end in range(0, num_ends, ENDS_AT_A_TIME):
        num_ends_in_batch = (
            ENDS_AT_A_TIME if first_end + ENDS_AT_A_TIME <= num_ends else num_ends - first_end
        )

        fill_weights_of_others(game, betting_ends, player, first_end, num_ends_in_batch, weight)
        fill_sums_of_deals_to_sets(weight, num_others, num_cards, False, below)
        fill_sums_of_deals_to_sets(weight, num_others, num_cards, True, above)

        for card in range(num_cards):
            sum_deals_with_card(
                betting_ends,
                player,
                card,
                num_players,
                num_cards,
                first_end,
                num_ends_in_batch,
                below,
                above,
                all_deals,
                won_deals,
            )

            # Add pot W(card) - paid A(card) to the value of the player's sequence at each end.
            for lane in range(num_ends_in_batch):
                end = first_end + lane
                pot = amounts[(1 + num_players) * end]
                paid = amounts[(1 + num_players) * end + 1 + player]
                players_at_showdown = np.int64(betting_ends[num_columns * end + IN_SHOWDOWN])
                has_folded = (players_at_showdown >> player) & 1 == 0
                win_amount = 0.0 if has_folded else pot * won_deals[lane]
                sequence_at = num_columns * end + FIRST_OF_PLAYERS + 2 * player
                first_sequence, step = betting_ends[sequence_at], betting_ends[sequence_at + 1]
                sequence = first_sequence + step * compute_card_position(card, player, num_cards)
                value[sequence] += win_amount - paid * all_deals[lane]


@inlined
def sum_deals_with_card(
    betting_ends: Ids,
    player: KernelInt,
    card: KernelInt,
    num_players: KernelInt,
    num_cards: KernelInt,
    first_end: KernelInt,
    num_ends_in_batch: KernelInt,
    below: Floats,
    above: Floats,
    out_all_deals: Floats,
    out_won_deals: Floats,
) -> None:
    """Sum the weights of the deals in which a player holds a given card: of all, and of those that the player wins.

    This is done for several ends of the betting. The weight of a deal is the product of the other players' realization
    weights. Each sum is a sum over the set of players who have a lower card. Its terms are a sum over the deals of the
    lower cards to these players (`below`), times a sum over the deals of the higher cards to all others (`above`). The
    docstring of this module derives this.

    Parameters
    ----------
    betting_ends : array
        The table of the ends of the betting, with 1 + 2 n columns.
    player : int
        The player.
    card : int
        The card, from 0 for the lowest to R - 1.
    num_players, num_cards : int
        The number of players, n, and the number of cards, R.
    first_end, num_ends_in_batch : int
        The first of the ends that are treated together, and their number.
    below, above : array of shape (R * 2^(n - 1) * ENDS_AT_A_TIME,)
        The sums over deals of the m lowest and of the m highest cards, by m, set of players, and end.
    out_all_deals, out_won_deals : array of shape (ENDS_AT_A_TIME,)
        Overwritten by the sums over all deals, and over the deals that the player wins, for each end.
    """
    num_columns = 1 + 2 * num_players
    num_sets = 1 << (num_players - 1)
    out_all_deals[:] = 0.0
    out_won_deals[:] = 0.0
    for players_below in range(num_sets):  # the set of players who have a lower card
        # Only some sizes of the set are possible, because all players must get a card.
        size = count_players_in_set(players_below)
        can_occur = card - (num_cards - num_players) <= size <= card
        if not can_occur:
            continue

        players_above = num_sets - 1 - players_below  # the complement of the set
        below_this_card = (card * num_sets + players_below) * ENDS_AT_A_TIME
        above_this_card = ((num_cards - 1 - card) * num_sets + players_above) * ENDS_AT_A_TIME
        for lane in range(num_ends_in_batch):
            weight = below[below_this_card + lane] * above[above_this_card + lane]
            out_all_deals[lane] += weight
            row_at = num_columns * (first_end + lane)
            players_at_showdown = np.int64(betting_ends[row_at + IN_SHOWDOWN])
            rivals = remove_player_from_set(players_at_showdown, player)
            all_rivals_have_lower_cards = players_below & rivals == rivals
            if all_rivals_have_lower_cards:
                out_won_deals[lane] += weight


@inlined
def fill_weights_of_others(
    game: Workspace,
    betting_ends: Ids,
    player: KernelInt,
    first_end: KernelInt,
    num_ends_in_batch: KernelInt,
    out_weight: Floats,
) -> None:
    """Write into `out_weight` the realization weight of each other player's sequence with each card, at several ends.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all n players.
    betting_ends : array
        The table of the ends of the betting, with 1 + 2 n columns.
    player : int
        The player who is left out.
    first_end, num_ends_in_batch : int
        The first of the ends that are treated together, and their number.
    out_weight : array of shape ((n - 1) * R * ENDS_AT_A_TIME,)
        Overwritten by the weights, by other player, card (of R) and end.
    """
    num_cards = np.int64(game.ids[game.ids[HEADER_LENGTH + NUM_RANKS]])
    num_players = np.int64(game.ids[NUM_PLAYERS])
    num_columns = 1 + 2 * num_players  # of the table `betting_ends`
    for other_index in range(num_players - 1):
        other_player = other_index if other_index < player else other_index + 1
        for lane in range(num_ends_in_batch):
            sequence_at = num_columns * (first_end + lane) + FIRST_OF_PLAYERS + 2 * other_player
            first_sequence = np.int64(betting_ends[sequence_at])
            step = np.int64(betting_ends[sequence_at + 1])
            for card in range(num_cards):
                sequence = first_sequence + step * compute_card_position(
                    card, other_player, num_cards
                )
                out_weight[(other_index * num_cards + card) * ENDS_AT_A_TIME + lane] = game.plan[
                    sequence
                ]


@inlined
def fill_sums_of_deals_to_sets(
    weight: Floats, num_others: KernelInt, num_cards: KernelInt, descending: bool, out_sums: Floats
) -> None:
    """Compute the total weight of all deals in which exactly the players of a set D get one of m cards.

    The m cards are the lowest ones, or the highest ones, of R cards. In a deal each player of D has one of them, no two
    the same, and the deal's weight is the product of these players' realization weights with their cards. The totals
    are computed for each m and each D. They follow from the totals with one card less, because the last card goes to
    nobody, or to one player j of D.

        sum[m, D] = sum[m - 1, D] + sum over j in D of sum[m - 1, D without j] x_j(last card)

    In the code a set D is a number whose bit j is 1 if it contains player j. Only sets that occur in a deal of a game
    for n players are computed: they have at most m players, and at least m - (R - n), because only R - n of the R cards
    are dealt to no one.

    Parameters
    ----------
    weight : array of shape ((n - 1) * R * ENDS_AT_A_TIME,)
        The realization weight x_j(c) of each of n - 1 other players with each of R cards, at each of the ends of the
        betting that are treated together. The number of an end among them, from 0, is called its lane.
    num_others, num_cards : int
        The number of other players, n - 1, and the number of cards, R.
    descending : bool
        Whether the highest cards are dealt, from the top down, and not the lowest.
    out_sums : array of shape (R * 2^(n - 1) * ENDS_AT_A_TIME,)
        Overwritten by the sums, for each number of cards m from 0 to R - 1, each set of players, and each lane.
    """
    num_sets = 1 << num_others
    most_undealt = num_cards - 1 - num_others  # R - n cards are dealt to no player
    out_sums[:ENDS_AT_A_TIME] = 1.0  # no card, and nobody has got one
    for dealt in range(1, num_cards):
        card = num_cards - dealt if descending else dealt - 1  # the last of the m cards
        for receivers in range(num_sets):
            size = count_players_in_set(receivers)
            can_occur = dealt - most_undealt <= size <= dealt
            if not can_occur:
                continue

            # Deals in which nobody gets the last card. There are some if there are more cards than receivers.
            target_at = (dealt * num_sets + receivers) * ENDS_AT_A_TIME
            if size < dealt:
                source_at = (
                    target_at - num_sets * ENDS_AT_A_TIME
                )  # the same receivers, one card less
                for lane in range(ENDS_AT_A_TIME):
                    out_sums[target_at + lane] = out_sums[source_at + lane]
            else:
                out_sums[target_at : target_at + ENDS_AT_A_TIME] = 0.0

            # Deals in which player j gets the last card. The weights x_j(card) begin at `weight_at`.
            for other_index in range(num_others):
                receives_card = (receivers >> other_index) & 1
                if receives_card:
                    without_receiver = receivers ^ (1 << other_index)
                    source_at = ((dealt - 1) * num_sets + without_receiver) * ENDS_AT_A_TIME
                    weight_at = (other_index * num_cards + card) * ENDS_AT_A_TIME
                    add_weighted_sums(source_at, weight, weight_at, target_at, out_sums)


@inlined
def add_weighted_sums(
    source_at: KernelInt,
    weight: Floats,
    weight_at: KernelInt,
    target_at: KernelInt,
    out_sums: Floats,
) -> None:
    """Add the sums of some deals, times the weight of one more card, to the sums of longer deals, for a batch of ends.

    Parameters
    ----------
    source_at, target_at : int
        Where the sums of the shorter and of the longer deals begin in `out_sums`, one for each end of the batch.
    weight : ndarray of float64
        The weights of all cards.
    weight_at : int
        Where the weights of the card begin, one for each end of the batch.
    out_sums : ndarray of float64
        The sums of the longer deals are changed.
    """
    for lane in range(ENDS_AT_A_TIME):
        out_sums[target_at + lane] += out_sums[source_at + lane] * weight[weight_at + lane]


@inlined
def count_players_in_set(players: KernelInt) -> KernelInt:
    """Return how many players a set contains.

    Parameters
    ----------
    players : int
        The set, a number whose bit j is 1 if it contains player j.

    Returns
    -------
    int
        The number of bits that are 1.
    """
    size = 0
    while players > 0:
        players &= players - 1  # sets the lowest bit that is 1 to 0
        size += 1
    return size


@inlined
def remove_player_from_set(players: KernelInt, player: KernelInt) -> KernelInt:
    """Return a set of players without one player, where all later players are renumbered.

    Parameters
    ----------
    players : int
        The set, a number whose bit j is 1 if it contains player j.
    player : int
        The player who is removed.

    Returns
    -------
    int
        The set, in which the numbers of all players after the removed one are smaller by one.
    """
    earlier_players = players & ((1 << player) - 1)
    later_players = players >> (player + 1)
    return earlier_players | (later_players << player)
