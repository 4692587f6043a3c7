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
cards is enough (`add_values_for_two`), which takes O(R) where the terminals take O(R^2).

For more players the cards are dealt in order, each to one of the other players or to nobody. `below[m, D]` is the sum
over all ways in which exactly the players of the set D get cards from the m lowest ones. It is computed from
`below[m - 1, D]`, where nobody gets the next card, and from `below[m - 1, D without j]`, where player j gets it.
`above[m, D]` is the same for the m highest cards. If player i holds the card c, the players in D have lower cards and
all others have higher ones, so

    A(c) = sum over D of below[c, D] above[R - 1 - c, others without D],

and W(c) is the same sum over those D that contain all other players in the showdown. Because all others must get a
card, only sets with m - (R - n) to m players matter, which are few if R is little larger than n. KP(6) has 193 ends of
the betting, and 5040 deals for each. The sums take about 400 additions for a player and an end (`add_values_for_many`).

A set is a number whose bit j is set if it contains player j. The other players of player i are numbered from 0 without
i. The weights of several ends are computed at the same time, so that the innermost loops run over ends.

The order of sequences is that of the compiled game. There player p has the cards p, p + 1, ..., R - 1, p - 1, ..., 0,
because a walk through all deals finds them in this order. The place of a card in this order is its position. So the
sequence of a player with the card c is `first + step * position`, with two numbers for each end and player. If a player
has not acted, they are the number of the player's empty sequence, and zero.

The block of a game by cards has two tables of the T ends of the betting: `ends` of shape (T, 1 + 2 n), with the set of
players in the showdown and then `first` and `step` of each player, and in place of weights `amount` of shape
(T, 1 + n), with P times the pot and then P times what each player has paid. Each information set has two actions.
"""

from typing import TypeAlias

import numpy as np

from pokerlab.core import Floats, inlined
from pokerlab.games.game_block import (
    HEADER,
    NUM_PLAYERS,
    NUM_RANKS,
    ONE,
    Ids,
    Workspace,
)

KernelInt: TypeAlias = int | np.int64  # an integer in a kernel, where both are the same type
ENDS_AT_A_TIME = 16
"""The number of ends of the betting whose weights are computed at the same time; their tables fit in a cache."""
IN_SHOWDOWN, FIRST_OF_PLAYERS = 0, 1
"""The columns of the table of ends: the set of players in the showdown, and from 1 on `first` and `step` of each
player."""


def count_scratch(num_players: int, ranks: int) -> int:
    """Return how many numbers the sums over cards need for intermediate results."""
    if num_players == 2:
        return 3 * ranks
    others = num_players - 1
    num_weights = others * ranks + 2 * ranks * (1 << others) + 2
    return num_weights * ENDS_AT_A_TIME


@inlined
def fill_values_by_cards(game: Workspace, ends: Ids, player: int, behavior: Floats) -> None:
    """Compute a player's counterfactual values in a game by cards; see `tree_passes.fill_counterfactual_values`.

    Neighboring information sets often have the same parent sequence. Its value is written after the last of them has
    been added. The player's first decisions come last. The parent of all of them is the empty sequence, so they do not
    wait for one another and have a loop of their own.
    """
    fill_values_at_ends(game, ends, player)
    infoset, begin = game.infosets[player + 1], game.infosets[player]
    parent = game.parent[infoset - ONE]
    total = game.value[parent]
    while game.parent[infoset - ONE] != player:
        infoset -= ONE
        if game.parent[infoset] != parent:
            game.value[parent] = total
            parent = game.parent[infoset]
            total = game.value[parent]
        q = game.first[infoset]
        expected = behavior[q] * game.value[q] + behavior[q + ONE] * game.value[q + ONE]
        game.infoset_value[infoset] = expected
        total += expected
    game.value[parent] = total
    expected_value = game.infoset_value[begin:infoset]
    first = np.int64(game.first[begin])
    probability, value = behavior[first:], game.value[first:]
    for k in range(expected_value.size):
        q, r = 2 * k, 2 * k + 1
        expected_value[k] = probability[q] * value[q] + probability[r] * value[r]
    game.value[player] += sum_numbers(expected_value)


@inlined
def sum_numbers(numbers: Floats) -> float:
    """Return a sum that is computed as four sums, because each addition must wait for the one before it."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for i in range(0, numbers.size - 3, 4):
        a += numbers[i]
        b += numbers[i + 1]
        c += numbers[i + 2]
        d += numbers[i + 3]
    for i in range(numbers.size - numbers.size % 4, numbers.size):
        a += numbers[i]
    return (a + b) + (c + d)


@inlined
def choose_best_by_cards(game: Workspace, ends: Ids, player: int, response: Floats) -> float:
    """Compute a player's best response in a game by cards; see `tree_passes.fill_best_response`."""
    fill_values_at_ends(game, ends, player)
    utility = game.value[player]
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        q = game.first[infoset]
        utility += game.plan[q] * game.value[q] + game.plan[q + ONE] * game.value[q + ONE]
    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= ONE
        q = game.first[infoset]
        is_first_best = game.value[q] >= game.value[q + ONE]
        game.value[game.parent[infoset]] += game.value[q if is_first_best else q + ONE]
        response[q] = 1.0 if is_first_best else 0.0
        response[q + ONE] = 0.0 if is_first_best else 1.0
    return float(utility)


@inlined
def fill_gradient_by_cards(game: Workspace, ends: Ids, player: int, gradient: Floats) -> None:
    """Compute the gradient of a player's utility in a game by cards; see `tree_passes.compute_gradients`."""
    fill_values_at_ends(game, ends, player)
    gradient[player] = game.value[player]
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        q = game.first[infoset]
        gradient[q] = game.value[q]
        gradient[q + ONE] = game.value[q + ONE]


@inlined
def fill_values_at_ends(game: Workspace, ends: Ids, player: int) -> None:
    """Set the value of each of a player's sequences to the sum over its terminals."""
    begin, end = game.infosets[player], game.infosets[player + 1]
    game.value[game.first[begin] : game.first[end - ONE] + ONE + ONE] = 0.0
    game.value[player] = 0.0
    if game.ids[NUM_PLAYERS] == 2:
        add_values_for_two(game, ends, np.int64(player))
    else:
        add_values_for_many(game, ends, np.int64(player))


@inlined
def find_position(card: KernelInt, player: KernelInt, ranks: KernelInt) -> KernelInt:
    """Return the position of a card in the order of a player's cards."""
    return card - player if card >= player else ranks - 1 - card


@inlined
def add_values_for_two(game: Workspace, ends: Ids, player: KernelInt) -> None:
    """Add the values of all terminals of a two-player game to those of a player's sequences."""
    ids, plan, value = game.ids, game.plan, game.value
    amount, ranks = game.weight, np.int64(ids[ids[HEADER + NUM_RANKS]])
    other = 1 - player
    weight, below = game.inner[:ranks], game.inner[ranks : 2 * ranks]
    gain = game.inner[2 * ranks : 3 * ranks]
    summed, total = ids[HEADER], 0.0
    for end in range(len(amount) // 3):
        row = ends[5 * end : 5 * end + 5]
        in_showdown = row[IN_SHOWDOWN]
        pot, paid = amount[3 * end], amount[3 * end + 1 + player]
        # Unsigned indices need no check for negative ones. The second player's positions begin with card 1.
        at, step = row[1 + 2 * other], row[2 + 2 * other]
        if end == 0 or at != summed:  # the sequence of the other player is not that of the last end
            summed = at
            from_first_position = weight[other:]
            for position in range(ranks - other):
                from_first_position[position] = plan[at]
                at += step
            if other == 1:
                weight[0] = plan[at]
            total = sum_below(weight, below)

        won, lost = 0.0, paid
        if in_showdown == 3:
            won = pot
        elif in_showdown == 1 + player:
            lost = paid - pot
        for card in range(ranks):
            gain[card] = won * below[card] - lost * (total - weight[card])
        at, step = row[1 + 2 * player], row[2 + 2 * player]
        from_first_position = gain[player:]
        for position in range(ranks - player):
            value[at] += from_first_position[position]
            at += step
        if player == 1:
            value[at] += gain[0]


@inlined
def sum_below(weight: Floats, below: Floats) -> float:
    """Write the sum of all weights before each weight into `below`, and return the sum of all.

    Four weights are added at a time, because each addition must wait for the one before it.
    """
    total = 0.0
    for i in range(0, weight.size - 3, 4):
        two = weight[i] + weight[i + 1]
        three = two + weight[i + 2]
        below[i] = total
        below[i + 1] = total + weight[i]
        below[i + 2] = total + two
        below[i + 3] = total + three
        total += three + weight[i + 3]
    for i in range(weight.size - weight.size % 4, weight.size):
        below[i] = total
        total += weight[i]
    return total


@inlined
def add_values_for_many(game: Workspace, ends: Ids, player: KernelInt) -> None:
    """Add the values of all terminals of a game for several players to those of a player's sequences."""
    ids, plan, value, scratch = game.ids, game.plan, game.value, game.inner
    amount, ranks, num_players = (
        game.weight,
        np.int64(ids[ids[HEADER + NUM_RANKS]]),
        np.int64(ids[NUM_PLAYERS]),
    )
    lanes, num_others = ENDS_AT_A_TIME, num_players - 1
    width, num_sets = 1 + 2 * num_players, 1 << num_others
    below_at = num_others * ranks * lanes
    above_at = below_at + ranks * num_sets * lanes
    sums_at = above_at + ranks * num_sets * lanes
    weight, below = scratch[:below_at], scratch[below_at:above_at]
    above, all_deals = scratch[above_at:sums_at], scratch[sums_at : sums_at + lanes]
    won_deals = scratch[sums_at + lanes : sums_at + 2 * lanes]
    num_ends = amount.size // (1 + num_players)
    for begin in range(0, num_ends, lanes):
        count = lanes if begin + lanes <= num_ends else num_ends - begin
        for j in range(num_others):
            other = j if j < player else j + 1
            for lane in range(count):
                at = width * (begin + lane) + FIRST_OF_PLAYERS + 2 * other
                first, step = np.int64(ends[at]), np.int64(ends[at + 1])
                for card in range(ranks):
                    x = plan[first + step * find_position(card, other, ranks)]
                    weight[(j * ranks + card) * lanes + lane] = x
        deal_cards(weight, num_others, ranks, False, below)
        deal_cards(weight, num_others, ranks, True, above)

        for card in range(ranks):
            all_deals[:] = 0.0
            won_deals[:] = 0.0
            for lower in range(num_sets):  # the set of players who have a lower card
                size = count_players(lower)
                if card - (ranks - num_players) <= size <= card:
                    from_below = (card * num_sets + lower) * lanes
                    from_above = ((ranks - 1 - card) * num_sets + num_sets - 1 - lower) * lanes
                    for lane in range(count):
                        deals = below[from_below + lane] * above[from_above + lane]
                        all_deals[lane] += deals
                        in_showdown = np.int64(ends[width * (begin + lane) + IN_SHOWDOWN])
                        rivals = remove_player(in_showdown, player)
                        if lower & rivals == rivals:
                            won_deals[lane] += deals
            for lane in range(count):
                end = begin + lane
                pot = amount[(1 + num_players) * end]
                paid = amount[(1 + num_players) * end + 1 + player]
                has_folded = (np.int64(ends[width * end + IN_SHOWDOWN]) >> player) & 1 == 0
                won = 0.0 if has_folded else pot * won_deals[lane]
                at = width * end + FIRST_OF_PLAYERS + 2 * player
                own = ends[at] + ends[at + 1] * find_position(card, player, ranks)
                value[own] += won - paid * all_deals[lane]


@inlined
def deal_cards(
    weight: Floats, num_others: KernelInt, ranks: KernelInt, descending: bool, table: Floats
) -> None:
    """Compute the sums over all ways to deal the lowest or the highest cards to the other players of a player.

    Parameters
    ----------
    weight : array of shape (num_others * R * lanes,)
        The realization weight of each other player with each of R cards, for the ends of each lane.
    num_others, ranks : int
        The number of other players, n - 1, and the number of cards, R.
    descending : bool
        Whether the highest cards are dealt, from the top down, and not the lowest.
    table : array of shape (R * 2^(n - 1) * lanes,)
        Overwritten by the sums, for each number of cards from 0 to R - 1 and each set of players: by the `below` or the
        `above` of the top of this module.
    """
    lanes, num_sets, spare = ENDS_AT_A_TIME, 1 << num_others, ranks - 1 - num_others
    table[:lanes] = 1.0  # no card, and nobody has got one
    for dealt in range(1, ranks):
        card = ranks - dealt if descending else dealt - 1
        for receivers in range(num_sets):
            size = count_players(receivers)
            if dealt - spare <= size <= dealt:
                target = (dealt * num_sets + receivers) * lanes
                if size < dealt:  # nobody may get this card
                    source = target - num_sets * lanes
                    for lane in range(lanes):
                        table[target + lane] = table[source + lane]
                else:
                    table[target : target + lanes] = 0.0
                for j in range(num_others):
                    if (receivers >> j) & 1:
                        source = ((dealt - 1) * num_sets + (receivers ^ (1 << j))) * lanes
                        x = (j * ranks + card) * lanes
                        for lane in range(lanes):
                            table[target + lane] += table[source + lane] * weight[x + lane]


@inlined
def count_players(players: KernelInt) -> KernelInt:
    """Return how many players a set contains."""
    size = 0
    while players > 0:
        players &= players - 1
        size += 1
    return size


@inlined
def remove_player(players: KernelInt, player: KernelInt) -> KernelInt:
    """Return the set of the other players of a player, who are numbered without this player."""
    return (players & ((1 << player) - 1)) | ((players >> (player + 1)) << player)
