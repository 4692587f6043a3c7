"""The block of a game: all arrays that kernels need, in one piece of memory.

Passing an array to a kernel takes as long as a pass over Kuhn poker. So `pack_game` packs all arrays of a game into one
block of memory, which contains in this order:

- the header, four 32-bit integers with the indices NUM_PLAYERS to WEIGHTS_AT;
- the positions at which the tables start, as 32-bit integers;
- the tables, as 32-bit integers: INFOSETS to SIZE are the same arrays as in `SequenceForm`; SPANS is the range of each
  player's entries in each level; and from LEVELS on there are two tables for each level, `starts` and `sequence`;
- the weights, as 64-bit floats.

Level 0 has an entry for each pair of a sequence of a player and a sequence of the first other player that occur
together at a terminal. The first entry of sequence q is `starts[q]`, and the other player's sequence in entry j is
`sequence[j]`. Level k divides the entries of level k - 1 by the sequence of the next player. The entries of the
innermost level are the terminals, each with a weight. A `Workspace` has the unpacked tables of a block, and vectors
for intermediate results.

A card game is a game in which sums over cards replace sums over terminals (`card_games`). Its block is made by
`pack_card_game`. In place of SPANS it has the number of cards, and after two empty tables the table BETTING_ENDS.
`card_sums` describes this table and the weights. This block is the only row of a two-dimensional array. So numba
compiles each kernel once for games with terminals and once for card games, and neither contains the passes of the
other.

In this module n is the number of players, I the number of information sets, S the number of sequences of all players,
and Z the number of terminals, as in `sequence_form`.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, kernel

NUM_PLAYERS, NUM_SEQUENCES, SCRATCH_SIZE, WEIGHTS_AT = range(4)
"""The positions in the header of n, of S, of the size of the scratch memory, and of the position of the weights."""
HEADER_LENGTH = 4
"""The length of the header."""
INFOSETS, PARENT, FIRST, SIZE, SPANS, LEVELS = range(6)
"""The indices of the tables: four arrays over information sets, SPANS, and the first of the two tables of level 0."""
NUM_RANKS = SPANS
BETTING_ENDS = LEVELS + 2
"""The indices of two tables in the block of a card game: the number of cards, and the ends of the betting.

Between them is one level, of two empty tables.
"""

Ids = NDArray[np.uint32]
"""An array of indices in the block of a game, which are unsigned 32-bit integers."""
UINT_ONE = np.uint32(1)
"""A 1 that leaves an index unsigned: numba adds an unsigned and a signed 64-bit integer as floats."""


def pack_game(
    infosets: tuple[Ints, Ints, Ints, Ints], sequence: Ints, chance: Floats, payoff: Floats
) -> Floats:
    """Return the arrays of a game packed into one block of memory.

    Parameters
    ----------
    infosets : tuple of ndarray
        Four arrays over the I information sets of a game of n players: `infoset_start` of shape (n + 1,), and
        `parent_sequence`, `first_sequence` and `num_actions` of shape (I,), as `SequenceForm` has them.
    sequence : ndarray of shape (Z, n)
        The sequence of each player at each of Z terminals, in lexicographic order. No two terminals have the same
        sequences of all players.
    chance : ndarray of shape (Z,)
        The product of the probabilities of all chance outcomes before each terminal.
    payoff : ndarray of shape (Z, n)
        The utility of each player at each terminal.

    Returns
    -------
    array of float64
        The block, which the docstring of this module describes.
    """
    n = sequence.shape[1]
    num_sequences = n + int(infosets[SIZE].sum())

    # A row is a pair of a player and a terminal. Rows are ordered by the player's sequence at the terminal.
    counts = sum(np.bincount(sequence[:, p], minlength=num_sequences) for p in range(n))
    rows: Ints = np.append(0, np.cumsum(counts))  # the first row of each sequence

    # The first sequence of each information set, and the number of all sequences at the end.
    first_sequences = np.append(n, n + np.cumsum(infosets[SIZE]))
    first_row = rows[first_sequences[infosets[INFOSETS]]]  # of each player's non-empty sequences
    nested_sequences, weight = sort_terminals_by_owner(sequence, chance, payoff, rows, first_row)
    levels, spans = build_nesting_levels(nested_sequences, rows, first_row)

    # The scratch memory has the sums of one level at a time. In the innermost level the weights themselves are used.
    summed_spans = spans[:, : max(n - 2, 0)]
    scratch_size = int((summed_spans[..., 1] - summed_spans[..., 0]).max(initial=0))

    tables = [*infosets, spans.ravel(), *levels]
    return pack_tables(tables, weight, n, num_sequences, scratch_size)


def pack_card_game(
    infosets: tuple[Ints, Ints, Ints, Ints],
    betting_ends: Ints,
    end_amounts: Floats,
    num_ranks: int,
    scratch_size: int,
) -> Floats:
    """Return the arrays of a card game, whose terminals are not listed, packed into one block of memory.

    Parameters
    ----------
    infosets : tuple of ndarray
        Four arrays over the I information sets of a game of n players: `infoset_start` of shape (n + 1,), and
        `parent_sequence`, `first_sequence` and `num_actions` of shape (I,). Each information set has two actions.
    betting_ends : ndarray of shape (T, 1 + 2 n)
        A row for each of the T ends of the betting. The first entry is the set of players in the showdown, as bits.
        Then come two entries for each player: the first sequence, and the step from one card to the next (`card_sums`).
    end_amounts : ndarray of shape (T, 1 + n)
        For each end the pot, then the chips that each player has paid, all times the probability of a deal.
    num_ranks : int
        The number of cards in the deck, which has one card of each rank.
    scratch_size : int
        The number of floats that sums over cards need for intermediate results, from `count_scratch_floats`.

    Returns
    -------
    array of float64, shape (1, length)
        The block, as the only row of a matrix. Kernels recognize a card game by the two dimensions.
    """
    n = end_amounts.shape[1] - 1
    num_sequences = n + int(infosets[SIZE].sum())
    empty_table = np.zeros(0, dtype=np.int64)
    # NUM_RANKS takes the place of SPANS, and the two tables of the only level are empty.
    tables = [*infosets, np.array([num_ranks]), empty_table, empty_table, betting_ends.ravel()]
    game_block = pack_tables(tables, end_amounts.ravel(), n, num_sequences, scratch_size)
    return game_block[None, :]


def pack_tables(
    tables: list[NDArray[Any]],
    weights: Floats,
    num_players: int,
    num_sequences: int,
    scratch_size: int,
) -> Floats:
    """Return a block of memory that consists of a header, tables of 32-bit integers, and weights, in this order.

    Between the header and the tables are the positions at which the tables begin, and at which the last one ends.

    Parameters
    ----------
    tables : list of array of int
        The tables, which kernels read by their index in this list.
    weights : array of float
        The weights, which are stored as 64-bit floats.
    num_players, num_sequences, scratch_size : int
        The first three numbers of the header. The fourth one is the position of the weights.

    Returns
    -------
    array of float64
        The block. Its view as uint32 has the header and the tables.
    """
    lengths = [len(table) for table in tables]
    first_start = HEADER_LENGTH + len(tables) + 1  # after the header and all positions
    starts = first_start + np.append(0, np.cumsum(lengths))
    # Two 32-bit integers take the place of a 64-bit float. With an odd number of them one place is left unused.
    weights_at = (int(starts[-1]) + 1) // 2

    game_block = np.zeros(weights_at + len(weights))
    game_block[weights_at:] = weights
    ids = game_block.view(np.uint32)
    ids[:HEADER_LENGTH] = num_players, num_sequences, scratch_size, weights_at
    ids[HEADER_LENGTH:first_start] = starts
    for (begin, end), table in zip(pairwise(starts), tables, strict=True):
        ids[begin:end] = table
    return game_block


def sort_terminals_by_owner(
    sequence: Ints, chance: Floats, payoff: Floats, rows: Ints, first_row: Ints
) -> tuple[NDArray[Any], Floats]:
    """Return the other players' sequences and the weight at each terminal, sorted by one player's sequence.

    This is done for each player in turn, who is then called the owner. A row is a pair of an owner and a terminal, and
    there are R = n Z rows. The rows of the empty sequences of all owners come first. The rows of the non-empty
    sequences follow, owner by owner. The terminals of one owner are sorted at a time, because this takes less memory.

    DROP

    Parameters
    ----------
    sequence : ndarray of shape (Z, n)
        The sequence of each of n players at each of Z terminals, in lexicographic order.
    chance : ndarray of shape (Z,)
        The product of the probabilities of all chance outcomes before each terminal.
    payoff : ndarray of shape (Z, n)
        The utility of each player at each terminal.
    rows : ndarray of shape (S + 1,)
        The first row of each of the S sequences, and R at the end.
    first_row : ndarray of shape (n + 1,)
        The first row of each player's non-empty sequences, and R at the end.

    Returns
    -------
    nested_sequences : ndarray of shape (max(n - 1, 1), R)
        The sequence of each other player in each row; zero if there are no other players.
    weight : ndarray of shape (R,)
        The owner's payoff times the probability of chance in each row.
    """
    n = sequence.shape[1]
    smallest_type = np.min_scalar_type(len(rows))
    narrow_sequence = sequence.astype(smallest_type)  # is sorted faster
    nested_sequences = np.zeros((max(n - 1, 1), rows[-1]), narrow_sequence.dtype)
    weight = np.empty(rows[-1])
    for owner in range(n):
        # A stable sort leaves the sequences of the other players in order. The owner's empty sequence comes first.
        order = np.argsort(narrow_sequence[:, owner], kind="stable")
        num_empty = rows[owner + 1] - rows[owner]
        terminals_of_empty_sequence = order[:num_empty]
        terminals_of_other_sequences = order[num_empty:]

        other_players = [player for player in range(n) if player != owner]
        for begin, terminals in (
            (rows[owner], terminals_of_empty_sequence),
            (first_row[owner], terminals_of_other_sequences),
        ):
            target = slice(begin, begin + len(terminals))
            weight[target] = payoff[terminals, owner] * chance[terminals]
            for level, other_player in enumerate(other_players):
                nested_sequences[level, target] = narrow_sequence[terminals, other_player]
    return nested_sequences, weight


def build_nesting_levels(
    nested_sequences: NDArray[Any], rows: Ints, first_row: Ints
) -> tuple[list[NDArray[Any]], Ints]:
    """Return nested groups of the sorted terminals, in which more and more players have the same sequence.

    Terminals are sorted by the sequence of one player, the owner, and then by those of the others. An entry of level k
    is a group of neighboring rows in which the sequences of the owner, and of the first k + 1 other players, do not
    change. So a new entry begins at each row in which one of these sequences differs from the row before.

    Parameters
    ----------
    nested_sequences : array of shape (levels, R)
        The sequence of each other player in each of R rows, from `sort_terminals_by_owner`.
    rows : array of shape (S + 1,)
        The first row of each of the S sequences, and R at the end.
    first_row : array of shape (n + 1,)
        The first row of each player's non-empty sequences, and R at the end.

    Returns
    -------
    levels : list of array
        Two tables for each level: `starts`, the first entry in this level of each entry of the level before, and
        `sequence`, the sequence of this level's player in each entry.
    spans : array of shape (2 n, levels, 2)
        The first entry and the end of the entries of each player's non-empty sequences. The second half has the same
        for the empty sequences of the n players.
    """
    n = len(first_row) - 1
    is_new = np.zeros(rows[-1] + 1, dtype=bool)  # one more than R, since the end counts as an entry
    is_new[rows] = True
    # The first row of each entry of the level before. Before level 0 these are the first rows of the sequences.
    outer_entries = rows
    levels = []
    spans = np.empty((2 * n, len(nested_sequences), 2), dtype=np.int64)
    for level, column in enumerate(nested_sequences):
        is_new[1:-1] |= column[1:] != column[:-1]
        entries = np.flatnonzero(is_new)  # the first row of each entry, and R at the end
        starts = np.searchsorted(entries, outer_entries).astype(np.uint32)
        levels += [starts, column[entries[:-1]]]

        # A span goes from the first entry of a player's sequences to that of the next player.
        bounds = np.searchsorted(entries, first_row)
        spans[:n, level] = np.stack([bounds[:-1], bounds[1:]], axis=1)
        bounds_of_empty = np.searchsorted(entries, rows[: n + 1])
        spans[n:, level] = np.stack([bounds_of_empty[:-1], bounds_of_empty[1:]], axis=1)
        outer_entries = entries
    return levels, spans


class Workspace(NamedTuple):
    """The arrays of a game, unpacked from their block, and vectors for the results of passes.

    The game has n players, I information sets and S sequences.

    Attributes
    ----------
    ids : array of uint32
        The block as 32-bit integers. For example, `ids[NUM_PLAYERS]` is n.
    weight : array
        The weight of each entry of the innermost level: payoff times the probability of chance. In a card game, the
        `end_amounts` of `card_sums`.
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
        The sums over inner levels for each entry of level 0, which `fill_inner_sums` writes. In a card game,
        memory for intermediate results.
    betting_ends : array, optional
        In a card game, the table of the ends of the betting; otherwise None.
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
    betting_ends: Ids | None


@kernel
def unpack_workspace(game_block: Floats) -> Workspace:
    """Return the arrays of a game as views of its block, and newly allocated vectors for results of kernels.

    Parameters
    ----------
    game_block : array of float64
        The block that `pack_game` returns, or the matrix with one row that `pack_card_game` returns.

    Returns
    -------
    Workspace
        The arrays and vectors. Each call allocates new vectors.
    """
    # Numba knows the number of dimensions when it compiles a kernel, and leaves out the other branch.
    if game_block.ndim == 2:
        return unpack_tables(game_block[0], game_block[0].view(np.uint32), True)
    return unpack_tables(game_block, game_block.view(np.uint32), None)


@kernel
def unpack_tables(game_block: Floats, ids: Ids, is_card_game: bool | None) -> Workspace:
    """Return the arrays of a game as views of its block, and newly allocated vectors for results of kernels.

    Parameters
    ----------
    game_block : array of float64
        The block.
    ids : array of uint32
        The same memory as 32-bit integers.
    is_card_game : bool, optional
        True for a card game, whose table of the ends of the betting is unpacked, too; None for other games. Unlike
        False, None has a type of its own, so numba compiles only the branch that is needed.

    Returns
    -------
    Workspace
        The arrays and vectors.
    """
    # The index at which each table begins, and where the last one ends.
    table_at = ids[HEADER_LENGTH:]
    parent = ids[table_at[PARENT] : table_at[PARENT + 1]]
    num_sequences, scratch_size = ids[NUM_SEQUENCES], ids[SCRATCH_SIZE]

    # One piece of memory has `plan`, `value`, `infoset_value` and `inner`, because a single allocation is faster.
    memory = np.empty(2 * num_sequences + parent.size + scratch_size)
    value_at = num_sequences
    infoset_value_at = value_at + num_sequences
    inner_at = infoset_value_at + parent.size
    memory[:value_at] = 1.0
    return Workspace(
        ids,
        game_block[ids[WEIGHTS_AT] :],
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
        None if is_card_game is None else ids[table_at[BETTING_ENDS] : table_at[BETTING_ENDS + 1]],
    )
