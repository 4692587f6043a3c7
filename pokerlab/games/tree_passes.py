"""Passes over a compiled game, of which every solver and metric is made: values, best responses, gradients.

`behavior`, `plan` and `value` are vectors over the S sequences of all n players, the n empty ones first. So `plan[q]`
is the realization weight of sequence q, and `plan[player]`, the weight of the player's empty sequence, is one.
`probabilities` are the behavior at the S - n non-empty sequences: a profile.

The gradient of a player's utility in the player's own plan is, for each own sequence q, the sum over the terminals
that end in q of the weight, payoff times chance, times the product of the other players' realization weights. With
more than two players the products are shared. Below q, terminals are nested by the first other player's sequence, then
by the second's, and so on, and the sums are computed from the inside out. That takes between one and two
multiplications a terminal and player, however many players there are.

The block. Handing an array to a kernel costs as much as a pass over Kuhn poker, so `pack_game` packs all arrays of a
game into one block of memory. The block begins, as 32-bit integers, with the header, NUM_PLAYERS to WEIGHTS_AT. Then
come the positions at which its tables start, and then the tables: INFOSETS to SIZE as in `SequenceForm`; SPANS, the
range of each player's entries in each level; and from LEVELS on two tables a level, `starts` and `sequence`. Level 0
has an entry for each pair of an owner's sequence and a sequence of the first other player that occur together at a
terminal. `starts[q]` is the first entry of q, and `sequence[j]` the other player's sequence in entry j. Level k refines
the entries of level k - 1 by the next player's sequence. The entries of the innermost level are the terminals, each
with a weight. The weights end the block, as 64-bit numbers. A `Workspace` is the block unpacked, with vectors to work
on.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel

NUM_PLAYERS, NUM_SEQUENCES, SCRATCH_SIZE, WEIGHTS_AT = range(4)
"""Positions in the header: the sizes n and S, the size of the scratch memory, and the position of the weights."""
HEADER = 4
"""The length of the header."""
INFOSETS, PARENT, FIRST, SIZE, SPANS, LEVELS = range(6)
"""The indices of the tables."""

Ids = NDArray[np.uint32]
ONE = np.uint32(1)


def pack_game(
    infosets: tuple[Ints, Ints, Ints, Ints], sequence: Ints, chance: Floats, payoff: Floats
) -> Floats:
    """Pack the arrays of a game into one block of memory.

    Parameters
    ----------
    infosets : tuple of ndarray
        The tables INFOSETS, of shape (n + 1,), and PARENT, FIRST and SIZE, of shape (I,).
    sequence : ndarray of shape (Z, n)
        The terminals' sequences, in lexicographic order; no two terminals share all sequences.
    chance : ndarray of shape (Z,)
        Chance's probability of each terminal.
    payoff : ndarray of shape (Z, n)
        Each player's utility there.
    """
    n = sequence.shape[1]
    num_sequences = n + int(infosets[SIZE].sum())
    counts = sum(np.bincount(sequence[:, p], minlength=num_sequences) for p in range(n))
    rows: Ints = np.append(0, np.cumsum(counts))
    first_sequences = np.append(n, n + np.cumsum(infosets[SIZE]))  # of each information set
    first_row = rows[first_sequences[infosets[INFOSETS]]]
    nested, weight = sort_by_owner(sequence, chance, payoff, rows, first_row)
    levels, spans = find_nesting_levels(nested, rows, first_row)
    summed_spans = spans[:, : max(n - 2, 0)]
    scratch_size = int((summed_spans[..., 1] - summed_spans[..., 0]).max(initial=0))

    tables = [*infosets, spans.ravel(), *levels]
    lengths = [len(table) for table in tables]
    starts = HEADER + len(tables) + 1 + np.append(0, np.cumsum(lengths))
    weights_at = (int(starts[-1]) + 1) // 2  # two 32-bit integers take the place of a 64-bit number
    block = np.zeros(weights_at + len(weight))
    block[weights_at:] = weight
    ids = block.view(np.uint32)
    ids[:HEADER] = n, num_sequences, scratch_size, weights_at
    ids[HEADER : starts[0]] = starts
    for (begin, end), table in zip(pairwise(starts), tables, strict=True):
        ids[begin:end] = table
    return block


def sort_by_owner(
    sequence: Ints, chance: Floats, payoff: Floats, rows: Ints, first_row: Ints
) -> tuple[NDArray[Any], Floats]:
    """Return the other players' sequences and the weight of each owner and terminal, by the owner's sequence.

    A row is a pair of an owner and a terminal; there are R rows. Sorting one owner's terminals at a time takes less
    memory.

    Parameters
    ----------
    sequence, chance, payoff : ndarray
        The terminals, as of `pack_game`.
    rows : ndarray of shape (S + 1,)
        The first row of each sequence.
    first_row : ndarray of shape (n + 1,)
        The first row of each player's non-empty sequences.

    Returns
    -------
    nested : ndarray of shape (max(n - 1, 1), R)
        The other players' sequences; zero if there are no other players.
    weight : ndarray of shape (R,)
        The owner's payoff times chance.
    """
    n = sequence.shape[1]
    narrow = sequence.astype(np.min_scalar_type(len(rows)))
    nested = np.zeros((max(n - 1, 1), rows[-1]), narrow.dtype)
    weight = np.empty(rows[-1])
    for owner in range(n):
        # A stable sort leaves the others' sequences in their order. The empty sequence comes first.
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
    """Find the entries of each level in the sorted rows.

    An entry of a level begins at each row in which the owner's sequence, or that of another player up to this level,
    is not the same as in the row before.

    Parameters
    ----------
    nested : array of shape (levels, R)
        The other players' sequences in each row, as `sort_by_owner` returns them.
    rows : array of shape (S + 1,)
        The first row of each sequence.
    first_row : array of shape (n + 1,)
        The first row of each player's non-empty sequences.

    Returns
    -------
    levels : list of array
        The tables `starts` and `sequence` of each level, one after the other.
    spans : array of shape (2 n, levels, 2)
        The table SPANS: the first entry and the end of each player's non-empty sequences, then of the empty ones.
    """
    n = len(first_row) - 1
    is_new = np.zeros(rows[-1] + 1, dtype=bool)  # the end as well, where an entry would begin
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
    """A game's arrays, unpacked from their block, and the vectors that the passes work on.

    Attributes
    ----------
    ids : array of uint32
        The block as 32-bit integers; `ids[NUM_PLAYERS]` is n.
    weight : array
        The weight of each entry of the innermost level.
    infosets : array of shape (n + 1,)
        The first information set of each player.
    parent : array of shape (I,)
        The sequence that leads to each information set.
    first : array of shape (I,)
        The sequence of the first action there.
    size : array of shape (I,)
        The number of actions there.
    starts : array of shape (S + 1,)
        The first entry of each sequence in level 0.
    sequence : array
        The first other player's sequence in each entry of level 0.
    plan : array of shape (S,)
        Realization weights; ones at first.
    value : array of shape (S,)
        Values of sequences; not set at first.
    infoset_value : array of shape (I,)
        Values of information sets; not set at first.
    inner : array
        The sums for the entries of level 0, which `sum_inner_levels` writes.
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
    """Unpack the arrays of a game, and allocate vectors to work on, in one new piece of memory."""
    ids = block.view(np.uint32)
    parent = ids[ids[HEADER + PARENT] : ids[HEADER + PARENT + 1]]
    num_sequences, scratch_size = ids[NUM_SEQUENCES], ids[SCRATCH_SIZE]
    memory = np.empty(2 * num_sequences + parent.size + scratch_size)
    value_at = num_sequences
    infoset_value_at = value_at + num_sequences
    inner_at = infoset_value_at + parent.size
    memory[:value_at] = 1.0
    return Workspace(
        ids,
        block[ids[WEIGHTS_AT] :],
        ids[ids[HEADER + INFOSETS] : ids[HEADER + INFOSETS + 1]],
        parent,
        ids[ids[HEADER + FIRST] : ids[HEADER + FIRST + 1]],
        ids[ids[HEADER + SIZE] : ids[HEADER + SIZE + 1]],
        ids[ids[HEADER + LEVELS] : ids[HEADER + LEVELS + 1]],
        ids[ids[HEADER + LEVELS + 1] : ids[HEADER + LEVELS + 2]],
        memory[:value_at],
        memory[value_at:infoset_value_at],
        memory[infoset_value_at:inner_at],
        memory[inner_at:],
    )


@inlined
def sum_inner_levels(game: Workspace, span: int) -> Any:
    """Sum weights times realization weights over all other players but the first, and return the first entry.

    With two players there is nothing to sum, and `game.weight` has the numbers.

    Parameters
    ----------
    game : Workspace
        The sums are written to `game.inner`, one for each entry of level 0 from the returned one on.
    span : int
        The player for the entries of the player's non-empty sequences, and the player + n for those of the empty one.
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
    """Set a player's values to zero, except for the empty sequence.

    Its value is the expected utility at the terminals before which the player never acts.
    """
    begin, end = game.infosets[player], game.infosets[player + 1]
    if begin < end:
        last = end - ONE
        game.value[game.first[begin] : game.first[last] + game.size[last]] = 0.0
    total = 0.0
    if game.starts[player] < game.starts[player + 1]:
        low = sum_inner_levels(game, player + game.ids[NUM_PLAYERS])
        inner = game.weight if game.ids[NUM_PLAYERS] <= 2 else game.inner
        for j in range(game.starts[player], game.starts[player + 1]):
            total += inner[j - low] * game.plan[game.sequence[j]]
    game.value[player] = total


@inlined
def fill_counterfactual_values(game: Workspace, player: int, behavior: Floats) -> None:
    """Write a player's counterfactual values into `game`, by one backward pass.

    `value[q]` becomes v(I, a) for q = (I, a), eq. 7 of Lanctot (2014): the player's expected utility of the action,
    weighted by the probability that chance and the others lead there. `infoset_value[I]` becomes the sum of behavior
    times value, and `value[player]` the player's expected utility. Other players' entries do not change.
    """
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
def fill_best_response(game: Workspace, player: int, response: Floats) -> Any:
    """Compute a player's best response and its values by one backward pass, and return the player's utility.

    The returned utility is that of the player's own part of `plan`.

    Parameters
    ----------
    game : Workspace
        `game.value[q]` becomes the counterfactual value of q if the player plays a best response from there on, and
        `game.value[player]` the expected utility of the best response.
    player : int
        The player who responds.
    response : array of shape (S,)
        Overwritten at the player's sequences by the best response's probabilities, 0 or 1; ties go to the first action.
    """
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
    """Write a player's realization weights into `game.plan`: x(q) = x(parent) times sigma(q), parents first."""
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        reach = game.plan[game.parent[infoset]]
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            game.plan[q] = reach * behavior[q]


@inlined
def select_players(player: int, num_players: int, alternating: bool) -> range:
    """Return the players to update once the values of `player` are known, who comes after all players before it.

    In alternating order that is the player; in simultaneous order all players, after the last one.
    """
    # All bounds are signed: numba makes ranges of floats out of ranges of signed and of unsigned integers.
    first, end = np.int64(player), np.int64(player) + 1
    if alternating:
        return range(first, end)
    return range(np.int64(0), end if end == num_players else np.int64(0))


@kernel
def compute_plans(block: Floats, probabilities: Floats) -> Floats:
    """Return the realization plans of all players of a profile.

    `probabilities` has shape (S - n,), and the plans (S,).
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    return game.plan.copy()


@kernel
def compute_plans_of_profiles(block: Floats, behaviors: Floats) -> Floats:
    """Return the realization plans of several profiles.

    `behaviors` has a profile in each of k rows, of shape (k, S - n), and the plans have shape (k, S).
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
    """Return the probabilities of the profile that plays like given realization plans, or multiples of them.

    They are uniform at information sets with zero reach. `plan` has shape (S,), and the probabilities (S - n,).
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
        Its expected utility, in the game's unit.
    behavior : array of shape (S_i - 1,)
        The probabilities of the player's non-empty sequences, zeros and ones; ties go to the first action.
    """

    value: float
    behavior: Floats


@kernel
def sum_gains(block: Floats, probabilities: Floats) -> float:
    """Return NashConv: the sum over players of the gain from a best response."""
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[n:] = probabilities
    for player in range(n):
        fill_plan(game, player, game.plan)
    total = 0.0
    for player in range(n):
        # A sequence's value is read before its response is written, so one vector can hold both.
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
        The game.
    probabilities : array of shape (S - n,)
        The profile.
    begin, end : int
        The players are `begin` to `end` - 1. The entries of the others are zero in all results.

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
    """Return the counterfactual values of all non-empty sequences in a profile, and after them of all information sets.

    Those of the sequences take the first S - n entries, those of the information sets the last I.
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

    `plan` has the plans of all players at which the gradient is taken; both arrays have shape (S,).
    """
    game = unpack_workspace(block)
    n = game.ids[NUM_PLAYERS]
    game.plan[:] = plan
    gradient = np.zeros(game.ids[NUM_SEQUENCES])
    for player in range(n):
        initialize_values(game, player)
        gradient[player] = game.value[player]
        low = sum_inner_levels(game, player)
        inner = game.weight if n <= 2 else game.inner
        for infoset in range(game.infosets[player], game.infosets[player + 1]):
            for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
                for j in range(game.starts[q], game.starts[q + 1]):
                    gradient[q] += inner[j - low] * game.plan[game.sequence[j]]
    return gradient
