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

In a game by cards, which `card_sums` describes, there are no terminals. The gradient is a sum over cards, which
`add_card_values` computes.

Passing an array to a kernel takes as long as a pass over Kuhn poker. So `pack_game` packs all arrays of a game into one
block of memory, which contains in this order:

- the header, five 32-bit integers with the indices NUM_PLAYERS to NUM_RANKS;
- the positions at which the tables start, as 32-bit integers;
- the tables, as 32-bit integers: INFOSETS to SIZE are those of `SequenceForm`; SPANS is the range of each player's
  entries in each level; and from LEVELS on there are two tables for each level, `starts` and `sequence`;
- the weights, as 64-bit floats.

Level 0 has an entry for each pair of a sequence of a player and a sequence of the first other player that occur
together at a terminal. The first entry of sequence q is `starts[q]`, and the other player's sequence in entry j is
`sequence[j]`. Level k divides the entries of level k - 1 by the sequence of the next player. The entries of the
innermost level are the terminals, each with a weight. A `Workspace` has the unpacked tables of a block, and vectors
for intermediate results.

The block of a game by cards is made by `pack_card_game`. Its tables from SPANS on are empty, except for the last one,
ENDS. This table and the weights are `ends` and `amount` of `card_sums`.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.games.card_sums import add_card_values, count_scratch

NUM_PLAYERS, NUM_SEQUENCES, SCRATCH_SIZE, WEIGHTS_AT, NUM_RANKS = range(5)
"""The indices in the header of n, of S, of the size of the scratch memory, of the position of the weights, and of the
number of cards in a game by cards. For other games this number is zero."""
HEADER = 5
"""The length of the header."""
INFOSETS, PARENT, FIRST, SIZE, SPANS, LEVELS, _, ENDS = range(8)
"""The indices of the tables. A game by cards has one level of two empty tables, and then the table of ends."""

Ids = NDArray[np.uint32]
ONE = np.uint32(1)


def pack_game(
    infosets: tuple[Ints, Ints, Ints, Ints], sequence: Ints, chance: Floats, payoff: Floats
) -> Floats:
    """Return the arrays of a game packed into one block of memory.

    Parameters
    ----------
    infosets : tuple of ndarray
        The table INFOSETS, of shape (n + 1,), and the tables PARENT, FIRST and SIZE, of shape (I,), for a game of n
        players and I information sets.
    sequence : ndarray of shape (Z, n)
        The sequence of each player at each of Z terminals, in lexicographic order. No two terminals have the same
        sequences of all players.
    chance : ndarray of shape (Z,)
        The probability that chance contributes to each terminal.
    payoff : ndarray of shape (Z, n)
        The utility of each player at each terminal.

    Returns
    -------
    array of float64
        The block, which the top of this module describes.
    """
    n = sequence.shape[1]
    num_sequences = n + int(infosets[SIZE].sum())
    counts = sum(np.bincount(sequence[:, p], minlength=num_sequences) for p in range(n))
    rows: Ints = np.append(0, np.cumsum(counts))
    # The first sequence of each information set, and the number of all sequences at the end.
    first_sequences = np.append(n, n + np.cumsum(infosets[SIZE]))
    first_row = rows[first_sequences[infosets[INFOSETS]]]
    nested, weight = sort_by_owner(sequence, chance, payoff, rows, first_row)
    levels, spans = find_nesting_levels(nested, rows, first_row)
    summed_spans = spans[:, : max(n - 2, 0)]
    scratch_size = int((summed_spans[..., 1] - summed_spans[..., 0]).max(initial=0))

    tables = [*infosets, spans.ravel(), *levels]
    return pack_tables(tables, weight, n, num_sequences, scratch_size, num_ranks=0)


def pack_card_game(
    infosets: tuple[Ints, Ints, Ints, Ints], ends: Ints, amount: Floats, num_ranks: int
) -> Floats:
    """Return the arrays of a game by cards packed into one block of memory.

    Parameters
    ----------
    infosets : tuple of ndarray
        As in `pack_game`. Each information set has two actions.
    ends : ndarray of shape (T, 1 + 2 n)
        The table of the T ends of the betting, which `card_sums` describes, for n players.
    amount : ndarray of shape (T, 1 + n)
        For each end the pot and what each player has paid, times the probability of a deal.
    num_ranks : int
        The number of cards.
    """
    n = amount.shape[1] - 1
    num_sequences = n + int(infosets[SIZE].sum())
    none = np.zeros(0, dtype=np.int64)
    tables = [*infosets, none, none, none, ends.ravel()]
    scratch_size = count_scratch(n, num_ranks)
    return pack_tables(tables, amount.ravel(), n, num_sequences, scratch_size, num_ranks)


def pack_tables(
    tables: list[NDArray[Any]],
    weight: Floats,
    num_players: int,
    num_sequences: int,
    scratch_size: int,
    num_ranks: int,
) -> Floats:
    """Return a block with the given header, tables and weights, whose order the top of this module describes."""
    lengths = [len(table) for table in tables]
    starts = HEADER + len(tables) + 1 + np.append(0, np.cumsum(lengths))
    weights_at = (int(starts[-1]) + 1) // 2  # two 32-bit integers take the place of a 64-bit number
    block = np.zeros(weights_at + len(weight))
    block[weights_at:] = weight
    ids = block.view(np.uint32)
    ids[:HEADER] = num_players, num_sequences, scratch_size, weights_at, num_ranks
    ids[HEADER : starts[0]] = starts
    for (begin, end), table in zip(pairwise(starts), tables, strict=True):
        ids[begin:end] = table
    return block


def sort_by_owner(
    sequence: Ints, chance: Floats, payoff: Floats, rows: Ints, first_row: Ints
) -> tuple[NDArray[Any], Floats]:
    """Return the other players' sequences and the weight at each terminal, sorted by one player's sequence.

    This is done for every player, who is then called the owner. A row is a pair of an owner and a terminal, and there
    are R = n Z rows. The terminals of one owner are sorted at a time, because this takes less memory.

    Parameters
    ----------
    sequence : ndarray of shape (Z, n)
        The sequence of each of n players at each of Z terminals, in lexicographic order.
    chance : ndarray of shape (Z,)
        The probability that chance contributes to each terminal.
    payoff : ndarray of shape (Z, n)
        The utility of each player at each terminal.
    rows : ndarray of shape (S + 1,)
        The first row of each of the S sequences, and R at the end.
    first_row : ndarray of shape (n + 1,)
        The first row of each player's non-empty sequences, and R at the end.

    Returns
    -------
    nested : ndarray of shape (max(n - 1, 1), R)
        The sequence of each other player in each row; zero if there are no other players.
    weight : ndarray of shape (R,)
        The owner's payoff times the probability of chance in each row.
    """
    n = sequence.shape[1]
    narrow = sequence.astype(np.min_scalar_type(len(rows)))
    nested = np.zeros((max(n - 1, 1), rows[-1]), narrow.dtype)
    weight = np.empty(rows[-1])
    for owner in range(n):
        # A stable sort leaves the sequences of the other players in order. The owner's empty sequence comes first.
        order = np.argsort(narrow[:, owner], kind="stable")
        num_empty = rows[owner + 1] - rows[owner]
        others = [player for player in range(n) if player != owner]
        for begin, terminals in (
            (rows[owner], order[:num_empty]),
            (first_row[owner], order[num_empty:]),
        ):
            target = slice(begin, begin + len(terminals))
            weight[target] = payoff[terminals, owner] * chance[terminals]
            for level, other in enumerate(others):
                nested[level, target] = narrow[terminals, other]
    return nested, weight


def find_nesting_levels(
    nested: NDArray[Any], rows: Ints, first_row: Ints
) -> tuple[list[NDArray[Any]], Ints]:
    """Return the entries of each level in the sorted rows.

    A new entry of a level begins at each row in which the owner's sequence, or the sequence of another player up to
    this level, differs from the row before.

    Parameters
    ----------
    nested : array of shape (levels, R)
        The sequence of each other player in each of R rows, as `sort_by_owner` returns them.
    rows : array of shape (S + 1,)
        The first row of each of the S sequences, and R at the end.
    first_row : array of shape (n + 1,)
        The first row of each player's non-empty sequences, and R at the end.

    Returns
    -------
    levels : list of array
        The tables `starts` and `sequence` of level 0, then those of level 1, and so on.
    spans : array of shape (2 n, levels, 2)
        The table SPANS: the first entry and the end of the entries of each player's non-empty sequences. The second
        half has the same for the empty sequences of the n players.
    """
    n = len(first_row) - 1
    is_new = np.zeros(rows[-1] + 1, dtype=bool)  # one more than R, since the end counts as an entry
    is_new[rows] = True
    bounds, levels = rows, []
    spans = np.empty((2 * n, len(nested), 2), dtype=np.int64)
    for level, column in enumerate(nested):
        is_new[1:-1] |= column[1:] != column[:-1]
        entries = np.flatnonzero(is_new)
        levels += [np.searchsorted(entries, bounds).astype(np.uint32), column[entries[:-1]]]
        own, empty = np.searchsorted(entries, first_row), np.searchsorted(entries, rows[: n + 1])
        spans[:n, level] = np.stack([own[:-1], own[1:]], axis=1)
        spans[n:, level] = np.stack([empty[:-1], empty[1:]], axis=1)
        bounds = entries
    return levels, spans


class Workspace(NamedTuple):
    """The arrays of a game, unpacked from their block, and vectors for the results of passes.

    The game has n players, I information sets and S sequences.

    Attributes
    ----------
    ids : array of uint32
        The block as 32-bit integers. For example, `ids[NUM_PLAYERS]` is n.
    weight : array
        The weight of each entry of the innermost level: payoff times the probability of chance. In a game by cards, the
        `amount` of `card_sums`.
    infosets : array of shape (n + 1,)
        The first information set of each player, and I at the end.
    parent : array of shape (I,)
        The sequence that leads to each information set.
    first : array of shape (I,)
        The sequence that ends with the first action at each information set.
    size : array of shape (I,)
        The number of actions at each information set.
    starts : array of shape (S + 1,)
        The first entry of each sequence in level 0.
    sequence : array
        The sequence of the first other player in each entry of level 0.
    plan : array of shape (S,)
        The realization weight of each sequence; initially one.
    value : array of shape (S,)
        The value of each sequence; initially undefined.
    infoset_value : array of shape (I,)
        The value of each information set; initially undefined.
    inner : array
        The sums over inner levels for each entry of level 0, which `sum_inner_levels` writes. In a game by cards,
        memory for intermediate results.
    """

    ids: Ids
    weight: Floats
    infosets: Ids
    parent: Ids
    first: Ids
    size: Ids
    starts: Ids
    sequence: Ids
    plan: Floats
    value: Floats
    infoset_value: Floats
    inner: Floats


@kernel
def unpack_workspace(block: Floats) -> Workspace:
    """Return the arrays of a game, which are views of its block, and newly allocated vectors for results of passes."""
    ids = block.view(np.uint32)
    table_at = ids[HEADER:]  # the index at which each table begins, and where the last one ends
    parent = ids[table_at[PARENT] : table_at[PARENT + 1]]
    num_sequences, scratch_size = ids[NUM_SEQUENCES], ids[SCRATCH_SIZE]
    memory = np.empty(2 * num_sequences + parent.size + scratch_size)
    value_at = num_sequences
    infoset_value_at = value_at + num_sequences
    inner_at = infoset_value_at + parent.size
    memory[:value_at] = 1.0
    return Workspace(
        ids,
        block[ids[WEIGHTS_AT] :],
        ids[table_at[INFOSETS] : table_at[INFOSETS + 1]],
        parent,
        ids[table_at[FIRST] : table_at[FIRST + 1]],
        ids[table_at[SIZE] : table_at[SIZE + 1]],
        ids[table_at[LEVELS] : table_at[LEVELS + 1]],
        ids[table_at[LEVELS + 1] : table_at[LEVELS + 2]],
        memory[:value_at],
        memory[value_at:infoset_value_at],
        memory[infoset_value_at:inner_at],
        memory[inner_at:],
    )


@inlined
def sum_inner_levels(game: Workspace, span: int) -> Any:
    """Sum the weights of terminals times the realization weights of all other players except the first one.

    The result has a sum for each entry of level 0, over the entries of the inner levels that belong to it. With two
    players there are no inner levels, and `game.weight` already has these sums.

    Parameters
    ----------
    game : Workspace
        The game, whose `inner` is overwritten by the sums.
    span : int
        The index of a player i, for the entries of its non-empty sequences, or n + i for those of its empty sequence.

    Returns
    -------
    int
        The entry of level 0 to which the first sum belongs.
    """
    ids, n = game.ids, game.ids[NUM_PLAYERS]
    if n <= 2:
        return 0 * n
    spans = ids[ids[HEADER + SPANS] + 2 * (n - 1) * span :]
    low = spans[2 * (n - 2)]
    summed = game.weight[low : spans[2 * (n - 2) + 1]]
    for level in range(n - 2, 0, -1):
        starts = ids[ids[HEADER + LEVELS + 2 * level] :]
        sequence = ids[ids[HEADER + LEVELS + 2 * level + 1] :]
        first = spans[2 * (level - 1)]
        for m in range(first, spans[2 * (level - 1) + 1]):
            total = 0.0
            for j in range(starts[m], starts[m + ONE]):
                total += summed[j - low] * game.plan[sequence[j]]
            game.inner[m - first] = (
                total  # there are fewer sums than terms: this term has been read
            )
        summed = game.inner
        low = first
    return low


@inlined
def initialize_values(game: Workspace, player: int) -> None:
    """Set the values of a player's sequences to zero, except for the value of the empty sequence.

    The value of the empty sequence is the sum of expected utilities over all terminals before which the player has no
    decision.
    """
    clear_values(game, player)
    total = 0.0
    if game.starts[player] < game.starts[player + 1]:
        low = sum_inner_levels(game, player + game.ids[NUM_PLAYERS])
        inner = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner
        for j in range(game.starts[player], game.starts[player + 1]):
            total += inner[j - low] * game.plan[game.sequence[j]]
    game.value[player] = total


@inlined
def clear_values(game: Workspace, player: int) -> None:
    """Set the values of a player's non-empty sequences to zero."""
    begin, end = game.infosets[player], game.infosets[player + 1]
    if begin < end:
        last = end - ONE
        game.value[game.first[begin] : game.first[last] + game.size[last]] = 0.0


@inlined
def fill_values_at_ends(game: Workspace, player: int) -> None:
    """Set the values of a player's sequences, in a game by cards, to the sums over the terminals of each sequence."""
    clear_values(game, player)
    game.value[player] = 0.0
    ids = game.ids
    add_card_values(
        ids[ids[HEADER + ENDS] : ids[HEADER + ENDS + 1]],
        game.weight,
        np.int64(ids[NUM_PLAYERS]),
        np.int64(ids[NUM_RANKS]),
        np.int64(player),
        game.plan,
        game.value,
        game.inner,
    )


@inlined
def fill_counterfactual_values(game: Workspace, player: int, behavior: Floats) -> None:
    """Compute a player's counterfactual values by one backward pass, and write them into `game`.

    For each sequence q that ends with action a at information set I, `value[q]` becomes v(I, a), eq. 7 of Lanctot
    (2014). It is the player's expected utility after a, times the probability with which chance and the other players
    lead to I. The entry `infoset_value[I]` becomes the sum over actions of their behavior times their value, and
    `value[player]` becomes the player's expected utility. The entries of other players do not change.
    """
    if game.ids[NUM_RANKS] > 0:
        fill_values_at_ends(game, player)
        sum_values_of_pairs(game, player, behavior)
        return
    initialize_values(game, player)
    low = sum_inner_levels(game, player)
    inner = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner
    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= ONE
        expected = 0.0
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            total = game.value[q]
            for j in range(game.starts[q], game.starts[q + 1]):
                total += inner[j - low] * game.plan[game.sequence[j]]
            game.value[q] = total
            expected += behavior[q] * total
        game.infoset_value[infoset] = expected
        game.value[game.parent[infoset]] += expected


@inlined
def sum_values_of_pairs(game: Workspace, player: int, behavior: Floats) -> None:
    """Complete a player's counterfactual values in a game by cards, where each information set has two actions.

    The values of the sequences must be those of `fill_values_at_ends`. Neighboring information sets often have the same
    parent sequence, whose value is written when the last of them has been added.
    """
    infoset = game.infosets[player + 1]
    parent = game.parent[infoset - ONE]
    total = game.value[parent]
    while infoset > game.infosets[player]:
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


@inlined
def choose_best_of_pairs(game: Workspace, player: int, response: Floats) -> Any:
    """Compute a player's best response and its values in a game by cards; see `fill_best_response`."""
    fill_values_at_ends(game, player)
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
    return utility


@inlined
def fill_best_response(game: Workspace, player: int, response: Floats) -> Any:
    """Compute a player's best response and its values by one backward pass.

    Parameters
    ----------
    game : Workspace
        The game, with the realization plans of all players. For each sequence q of the player, `game.value[q]` becomes
        the counterfactual value of q if the player plays a best response after q. `game.value[player]` becomes the
        expected utility of the best response.
    player : int
        The player who responds.
    response : array of shape (S,)
        Overwritten, at the player's sequences, by the probabilities of the best response, which are 0 or 1. If several
        actions are equally good, the first of them is taken.

    Returns
    -------
    float
        The player's expected utility of its present plan, not of the best response.
    """
    if game.ids[NUM_RANKS] > 0:
        return choose_best_of_pairs(game, player, response)
    initialize_values(game, player)
    utility = game.value[player]
    low = sum_inner_levels(game, player)
    inner = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner
    infoset = game.infosets[player + 1]
    while infoset > game.infosets[player]:
        infoset -= ONE
        best, choice = -np.inf, game.first[infoset]
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            total = 0.0
            for j in range(game.starts[q], game.starts[q + 1]):
                total += inner[j - low] * game.plan[game.sequence[j]]
            utility += game.plan[q] * total
            total += game.value[q]
            game.value[q] = total
            response[q] = 0.0
            if total > best:
                best, choice = total, q
        response[choice] = 1.0
        game.value[game.parent[infoset]] += best
    return utility


@inlined
def fill_plan(game: Workspace, player: int, behavior: Floats) -> None:
    """Compute a player's realization plan from its behavior, and write it into `game.plan`.

    The weight of each sequence q is x(q) = x(parent of q) sigma(q), where sigma is the behavior.
    """
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        reach = game.plan[game.parent[infoset]]
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            game.plan[q] = reach * behavior[q]


@inlined
def select_players(player: int, num_players: int, alternating: bool) -> range:
    """Return the players to update in a loop over players, after the values of `player` have been computed.

    In alternating order only this player is updated. In simultaneous order no one is updated until the values of the
    last player have been computed, and then all players are updated.
    """
    # All bounds are signed, because numba makes a range of floats from a signed and an unsigned bound.
    first, end = np.int64(player), np.int64(player) + 1
    if alternating:
        return range(first, end)
    return range(np.int64(0), end if end == num_players else np.int64(0))


@kernel
def compute_plans(block: Floats, probabilities: Floats) -> Floats:
    """Return the realization plans of all players in a profile.

    Parameters
    ----------
    block : array
        The game of n players and S sequences.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.

    Returns
    -------
    array of shape (S,)
        The realization weight of each sequence, beginning with the n empty sequences.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    return game.plan.copy()


@kernel
def compute_plans_of_profiles(block: Floats, behaviors: Floats) -> Floats:
    """Return the realization plans of all players in each of several profiles.

    Parameters
    ----------
    block : array
        The game of n players and S sequences.
    behaviors : array of shape (k, S - n)
        k profiles, each the probabilities of all non-empty sequences.

    Returns
    -------
    array of shape (k, S)
        The realization weights of all sequences in each profile.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    plans = np.empty((len(behaviors), game.ids[NUM_SEQUENCES]))
    for k in range(len(behaviors)):
        game.plan[n:] = behaviors[k]
        for player in range(n):
            fill_plan(game, player, game.plan)
        plans[k] = game.plan
    return plans


@kernel
def compute_behavior(block: Floats, plan: Floats) -> Floats:
    """Return the profile that is equivalent to the given realization plans, or to multiples of them.

    It is uniform at information sets that a player's own plan does not reach.

    Parameters
    ----------
    block : array
        The game of n players and S sequences.
    plan : array of shape (S,)
        The weight of each sequence.

    Returns
    -------
    array of shape (S - n,)
        The probability of each non-empty sequence.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    probabilities = np.empty(game.ids[NUM_SEQUENCES] - n)
    for infoset in range(game.first.size):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        total = 0.0
        for q in range(begin, end):
            total += plan[q]
        for q in range(begin, end):
            probabilities[q - n] = plan[q] / total if total > 0.0 else 1.0 / game.size[infoset]
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
def sum_gains(block: Floats, probabilities: Floats) -> float:
    """Return NashConv: the sum over all players of the gain from a best response to a profile.

    `probabilities` are those of all non-empty sequences, and `block` is the game.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    total = 0.0
    for player in range(n):
        # Only utilities are needed here. The value of a sequence is read before its response is written, so
        # the responses may overwrite the values.
        utility = fill_best_response(game, player, game.value)
        total += game.value[player] - utility
    return total


@kernel
def compute_best_responses(
    block: Floats, probabilities: Floats, begin: int, end: int
) -> tuple[Floats, Floats, Floats]:
    """Compute the utilities and the best responses of some players in a profile.

    Parameters
    ----------
    block : array
        The game of n players and S sequences.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.
    begin, end : int
        Results are computed for the players `begin` to `end` - 1. Those of all other players are zero.

    Returns
    -------
    utilities : array of shape (n,)
        The players' expected utilities.
    values : array of shape (n,)
        The expected utilities of their best responses.
    responses : array of shape (S - n,)
        The probabilities of their best responses.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    utility, best, response = np.zeros(n), np.zeros(n), np.zeros(game.ids[NUM_SEQUENCES])
    for player in range(begin, end):
        utility[player] = fill_best_response(game, player, response)
        best[player] = game.value[player]
    return utility, best, response[n:]


@kernel
def compute_counterfactual_values(block: Floats, probabilities: Floats) -> Floats:
    """Return the counterfactual values of all non-empty sequences and of all information sets in a profile.

    Parameters
    ----------
    block : array
        The game of n players, S sequences and I information sets.
    probabilities : array of shape (S - n,)
        The profile: the probability of each non-empty sequence.

    Returns
    -------
    array of shape (S - n + I,)
        First the values of the non-empty sequences, then those of the information sets.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    behavior = np.ones(game.ids[NUM_SEQUENCES])
    behavior[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, behavior)
    for player in range(n):
        fill_counterfactual_values(game, player, behavior)
    return np.concatenate((game.value[n:], game.infoset_value))


@kernel
def compute_gradients(block: Floats, plan: Floats) -> Floats:
    """Return the gradient of each player's utility with respect to the player's own realization plan.

    Parameters
    ----------
    block : array
        The game of S sequences.
    plan : array of shape (S,)
        The realization plans of all players, at which the gradient is computed.

    Returns
    -------
    array of shape (S,)
        For each sequence, the derivative of its player's utility by the weight of the sequence.
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[:] = plan
    gradient = np.zeros(game.ids[NUM_SEQUENCES])
    for player in range(n):
        if game.ids[NUM_RANKS] > 0:
            fill_values_at_ends(game, player)
            continue
        initialize_values(game, player)
        gradient[player] = game.value[player]
        low = sum_inner_levels(game, player)
        inner = game.weight if n <= 2 else game.inner
        for infoset in range(game.infosets[player], game.infosets[player + 1]):
            for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
                for j in range(game.starts[q], game.starts[q + 1]):
                    gradient[q] += inner[j - low] * game.plan[game.sequence[j]]
    if game.ids[NUM_RANKS] > 0:
        return game.value.copy()
    return gradient
