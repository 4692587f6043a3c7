"""The passes over a compiled game that every solver and metric is made of, and the memory they pass over.

How to read it. `lay_out` makes one block of memory, because handing an array to a kernel costs as much as a pass over
Kuhn poker. The block begins, as 32-bit integers, with the number of players, the number of sequences, the size of the
scratch memory and the position of the weights; then come the positions where its tables start, then the tables:
INFOSETS to SIZE as in `SequenceForm`; SPANS, where in each level a player's entries lie; and from LEVELS on two
tables a level. Level 0 has an entry for each pair of one of the owner's sequences and one of the first other player's
that occur at a terminal: `starts[q]` is the first entry of q, `sequence[j]` the other player's sequence. Level k
refines the entries of level k - 1 by the next player's sequence; the innermost level's entries are the terminals,
each with a weight: the owner's payoff times chance. The weights end the block, as 64-bit numbers.

A `Workspace` is a game's arrays taken out of the block, with vectors to work on. `behavior`, `plan` and
`value` are vectors over all players' sequences, the n empty ones first, so that `plan[q]` is the realization
weight of q and `plan[player]`, that of the player's empty sequence, is one.

The gradient of a player's utility in the player's own plan is, for each of its sequences q, the sum
over the terminals that end in q of weight times the product of the others' realization weights.
With more than two players the products are shared: below q, terminals are nested by the first
other player's sequence, then by the second's, and summed from the inside out. That takes between
one and two multiplications a terminal and player, however many players there are.

What a profile is worth is made of these passes: values, best responses, possible gains.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel

HEADER = 4
INFOSETS, PARENT, FIRST, SIZE, SPANS, LEVELS = range(6)

Ids = NDArray[np.uint32]
ONE = np.uint32(1)


def lay_out(
    infosets: tuple[Ints, Ints, Ints, Ints], sequence: Ints, chance: Floats, payoff: Floats
) -> Floats:
    """Return the block for the tables INFOSETS to SIZE and the terminals.

    `sequence` and `payoff` are (Z, n), `chance` is (Z,). The terminals are in the order of their sequences, the first
    player's first, and no two of them share all sequences.
    """
    n = sequence.shape[1]
    num_sequences = n + int(infosets[SIZE].sum())
    counts = sum(np.bincount(sequence[:, p], minlength=num_sequences) for p in range(n))
    rows: Ints = np.append(0, np.cumsum(counts))
    first_row = rows[np.append(n, n + np.cumsum(infosets[SIZE]))[infosets[INFOSETS]]]
    nested, weight = sort_by_owner(sequence, chance, payoff, rows, first_row)
    levels, spans = find_levels(nested, rows, first_row)
    width = spans[:, : max(n - 2, 0)]
    room = int((width[..., 1] - width[..., 0]).max(initial=0))

    tables = [*infosets, spans.ravel(), *levels]
    starts = HEADER + len(tables) + 1 + np.append(0, np.cumsum([len(t) for t in tables]))
    weights_at = (int(starts[-1]) + 1) // 2
    block = np.zeros(weights_at + len(weight))
    block[weights_at:] = weight
    ids = block.view(np.uint32)
    ids[:HEADER] = n, num_sequences, room, weights_at
    ids[HEADER : starts[0]] = starts
    for (begin, end), table in zip(pairwise(starts), tables, strict=True):
        ids[begin:end] = table
    return block


def sort_by_owner(
    sequence: Ints, chance: Floats, payoff: Floats, rows: Ints, first_row: Ints
) -> tuple[NDArray[Any], Floats]:
    """Return the others' sequences and the weight for each owner and terminal, ordered by the owner's sequence.

    `rows`, (S + 1,), says where each sequence's rows begin, and `first_row`, (n + 1,), where those of each player's
    non-empty sequences do. The others' sequences, (max(n - 1, 1), rows), are zero where there are no others. Sorting
    one owner's terminals at a time takes less memory.
    """
    n = sequence.shape[1]
    narrow = sequence.astype(np.min_scalar_type(len(rows)))
    nested = np.zeros((max(n - 1, 1), rows[-1]), narrow.dtype)
    weight = np.empty(rows[-1])
    for owner in range(n):
        # A stable sort leaves the others' sequences in their order. The empty sequence comes first.
        order = np.argsort(narrow[:, owner], kind="stable")
        parts = np.split(order, [rows[owner + 1] - rows[owner]])
        others = [player for player in range(n) if player != owner]
        for begin, part in zip((rows[owner], first_row[owner]), parts, strict=True):
            place = slice(begin, begin + len(part))
            weight[place] = payoff[part, owner] * chance[part]
            for level, other in enumerate(others):
                nested[level, place] = narrow[part, other]
    return nested, weight


def find_levels(
    nested: NDArray[Any], rows: Ints, first_row: Ints
) -> tuple[list[NDArray[Any]], Ints]:
    """Return two tables for each level, `starts` and `sequence`, and SPANS, (2 n, levels, 2), from sorted rows.

    An entry begins at a row whose owner's sequence, or another player's up to the level, differs from the row before.
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
    """A game's arrays, taken out of their block, and the vectors that the passes work on.

    `infosets` to `sequence` are tables of `ids`, those of level 0; plan and value are over all sequences, (S,).
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
    infoset_value: Floats  # (I,)
    # written by `inner_sums`: what level 0 sums, where there are more than two players
    inner: Floats


@kernel
def workspace(block: Floats) -> Workspace:
    """Return the arrays of a game and fresh vectors, all in one piece of memory."""
    ids = block.view(np.uint32)
    parent = ids[ids[HEADER + PARENT] : ids[HEADER + PARENT + 1]]
    sequences, room = ids[1], ids[2]
    memory = np.empty(2 * sequences + parent.size + room)
    value_at = sequences
    infoset_value_at = value_at + sequences
    inner_at = infoset_value_at + parent.size
    memory[:value_at] = 1.0
    return Workspace(
        ids,
        block[ids[3] :],
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
def inner_sums(game: Workspace, span: int) -> Any:
    """Sum over all others but the first; return the number of the first entry of the result.

    An entry stands for a sequence of the player and one of the first other player. `span` is the player for the
    entries of the player's non-empty sequences, the player + n for those of the empty one. With two players there is
    nothing to sum, and the entries are the weights themselves.
    """
    ids, n = game.ids, game.ids[0]
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
            game.inner[m - first] = total  # sums shrink: what is overwritten has been read
        summed = game.inner
        low = first
    return low


@inlined
def start_values(game: Workspace, player: int) -> None:
    """Clear a player's values; the empty sequence gets what is won without any choice."""
    begin, end = game.infosets[player], game.infosets[player + 1]
    if begin < end:
        last = end - ONE
        game.value[game.first[begin] : game.first[last] + game.size[last]] = 0.0
    total = 0.0
    if game.starts[player] < game.starts[player + 1]:
        low = inner_sums(game, player + game.ids[0])
        inner = game.weight if game.ids[0] <= 2 else game.inner
        for j in range(game.starts[player], game.starts[player + 1]):
            total += inner[j - low] * game.plan[game.sequence[j]]
    game.value[player] = total


@inlined
def counterfactual_values(game: Workspace, player: int, behavior: Floats) -> None:
    """Fill in what each of a player's choices is worth, weighted by the others' and chance's reach.

    `value[q]` becomes v(I, a) for q = (I, a), eq. 7 of Lanctot (2014); `infoset_value[I]` the sum of behavior times
    value; `value[player]` the player's expected utility. Only this player's entries change.
    """
    start_values(game, player)
    low = inner_sums(game, player)
    inner = game.weight if game.ids[0] <= 2 else game.inner
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
def best_response_values(game: Workspace, player: int, reply: Floats) -> Any:
    """Fill in what each of a player's choices is worth when the player replies best from there on.

    `value[player]` becomes the value of the best response, `reply[q]` its probabilities, 0 or 1;
    ties go to the first action. Returns the expected utility of the player's own part of `plan`.
    """
    start_values(game, player)
    utility = game.value[player]
    low = inner_sums(game, player)
    inner = game.weight if game.ids[0] <= 2 else game.inner
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
            reply[q] = 0.0
            if total > best:
                best, choice = total, q
        reply[choice] = 1.0
        game.value[game.parent[infoset]] += best
    return utility


@inlined
def realize(game: Workspace, player: int, behavior: Floats) -> None:
    """Fill in a player's realization weights, x(q) = x(parent) times sigma(q), parents first."""
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        reach = game.plan[game.parent[infoset]]
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            game.plan[q] = reach * behavior[q]


@inlined
def players_to_update(player: int, num_players: int, alternating: bool) -> range:
    """Return the players to update once `player`, in the order of players, has been valued.

    In alternating order that is the player; in simultaneous order everybody, after the last.
    """
    # One type of integers: numba unites ranges of signed and unsigned ones as ranges of floats.
    first, end = np.int64(player), np.int64(player) + 1
    if alternating:
        return range(first, end)
    return range(np.int64(0), end if end == num_players else np.int64(0))


@kernel
def plans_of(block: Floats, probabilities: Floats) -> Floats:
    """Return the realization weights, (S,), of a profile's `probabilities`, (S - n,)."""
    game = workspace(block)
    n = game.ids[0]
    game.plan[n:] = probabilities
    for player in range(n):
        realize(game, player, game.plan)
    return game.plan.copy()


@kernel
def all_plans_of(block: Floats, behaviors: Floats) -> Floats:
    """Return the realization weights, (k, S), of the probabilities, (k, S - n), of each of k profiles."""
    game = workspace(block)
    n = game.ids[0]
    plans = np.empty((len(behaviors), game.ids[1]))
    for k in range(len(behaviors)):
        game.plan[n:] = behaviors[k]
        for player in range(n):
            realize(game, player, game.plan)
        plans[k] = game.plan
    return plans


@kernel
def behavior_of(block: Floats, plan: Floats) -> Floats:
    """Return the probabilities, (S - n,), of realization weights (S,) or of multiples of them.

    Information sets of zero reach get uniform probabilities.
    """
    game = workspace(block)
    n = game.ids[0]
    probabilities = np.empty(game.ids[1] - n)
    for infoset in range(game.first.size):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        total = 0.0
        for q in range(begin, end):
            total += plan[q]
        for q in range(begin, end):
            probabilities[q - n] = plan[q] / total if total > 0.0 else 1.0 / game.size[infoset]
    return probabilities


class Reply(NamedTuple):
    """A best response."""

    value: float  # what it wins, in the game's unit
    behavior: Floats  # (S_i - 1,): a pure strategy, zeros and ones; ties go to the first action


@kernel
def total_gain(block: Floats, probabilities: Floats) -> float:
    """Return the sum over players of what a best response gains."""
    game = workspace(block)
    n = game.ids[0]
    game.plan[n:] = probabilities
    for player in range(n):
        realize(game, player, game.plan)
    total = 0.0
    for player in range(n):
        # A choice's value is read before its reply is written: one vector can hold both.
        utility = best_response_values(game, player, game.value)
        total += game.value[player] - utility
    return total


@kernel
def utilities_and_replies(
    block: Floats, probabilities: Floats, begin: int, end: int
) -> tuple[Floats, Floats, Floats]:
    """Return utilities (n,), best response values (n,) and best responses (S - n,)."""
    game = workspace(block)
    n = game.ids[0]
    game.plan[n:] = probabilities
    for player in range(n):
        realize(game, player, game.plan)
    utility, best, reply = np.zeros(n), np.zeros(n), np.zeros(game.ids[1])
    for player in range(begin, end):
        utility[player] = best_response_values(game, player, reply)
        best[player] = game.value[player]
    return utility, best, reply[n:]


@kernel
def choice_values(block: Floats, probabilities: Floats) -> Floats:
    """Return the counterfactual values of choices, (S - n,), then of information sets, (I,)."""
    game = workspace(block)
    n = game.ids[0]
    behavior = np.ones(game.ids[1])
    behavior[n:] = probabilities
    for player in range(n):
        realize(game, player, behavior)
    for player in range(n):
        counterfactual_values(game, player, behavior)
    return np.concatenate((game.value[n:], game.infoset_value))


@kernel
def gradients(block: Floats, plan: Floats) -> Floats:
    """Return the gradient of each player's utility in the player's own plan, (S,), at `plan`, (S,)."""
    game = workspace(block)
    n = game.ids[0]
    game.plan[:] = plan
    gradient = np.zeros(game.ids[1])
    for player in range(n):
        start_values(game, player)
        gradient[player] = game.value[player]
        low = inner_sums(game, player)
        inner = game.weight if n <= 2 else game.inner
        for infoset in range(game.infosets[player], game.infosets[player + 1]):
            for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
                for j in range(game.starts[q], game.starts[q + 1]):
                    gradient[q] += inner[j - low] * game.plan[game.sequence[j]]
    return gradient
