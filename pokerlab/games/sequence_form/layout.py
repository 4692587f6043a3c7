"""How a compiled game's arrays are laid out for the kernels: one block of memory.

One array instead of twelve, because handing an array to a kernel costs as much as a pass over Kuhn
poker. The block begins, as 32-bit integers, with the number of players, the number of sequences,
the size of the scratch memory and the position of the weights; then come the positions where its
tables start, then the tables: INFOSETS to SIZE as in `SequenceForm`; SPANS, where in each level a
player's entries lie; and from LEVELS on two tables a level. Level 0 has an entry for each pair of
one of the owner's sequences and one of the first other player's that occur at a terminal:
`starts[q]` is the first entry of q, `sequence[j]` the other player's sequence. Level k refines the
entries of level k - 1 by the next player's sequence; the innermost level's entries are the
terminals, each with a weight: the owner's payoff times chance. The weights end the block, as 64-bit
numbers.
"""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints

HEADER = 4
INFOSETS, PARENT, FIRST, SIZE, SPANS, LEVELS = range(6)

Ids = NDArray[np.uint32]


def lay_out(
    infosets: tuple[Ints, Ints, Ints, Ints], sequence: Ints, chance: Floats, payoff: Floats
) -> Floats:
    """Return the block for the tables INFOSETS to SIZE and the terminals.

    `sequence` and `payoff` are (Z, n), `chance` is (Z,).
    """
    terminals, n = sequence.shape
    num_sequences = n + int(infosets[SIZE].sum())
    # One column a level, the owner's sequence first; the rows of all owners below each other.
    nested = np.empty((n * terminals, max(n, 2)), dtype=np.min_scalar_type(num_sequences))
    weight = np.empty(n * terminals)
    for player in range(n):
        part = slice(player * terminals, (player + 1) * terminals)
        nested[part, 0] = sequence[:, player]
        others = [p for p in range(n) if p != player]
        nested[part, 1:] = sequence[:, others] if others else 0
        weight[part] = payoff[:, player] * chance
    order = np.lexsort(nested.T[::-1])
    nested, weight = nested[order], weight[order]

    changed = np.zeros(len(nested), dtype=np.int64)  # the outermost column in which a row is new
    changed[1:] = np.argmax(nested[1:] != nested[:-1], axis=1)
    bounds: Ints = np.searchsorted(nested[:, 0], np.arange(num_sequences + 1))
    rows = bounds
    levels: list[Ints] = []
    spans = np.empty((2 * n, max(n - 1, 1), 2), dtype=np.int64)
    first_row = np.append(n, n + np.cumsum(infosets[SIZE]))[infosets[INFOSETS]]
    for level in range(1, nested.shape[1]):
        innermost = level == nested.shape[1] - 1
        entries = np.arange(len(nested)) if innermost else np.flatnonzero(changed <= level)
        levels += [np.searchsorted(entries, bounds), nested[entries, level].astype(np.int64)]
        place = np.searchsorted(entries, rows)
        spans[:n, level - 1, 0], spans[:n, level - 1, 1] = (
            place[first_row[:-1]],
            place[first_row[1:]],
        )
        spans[n:, level - 1, 0], spans[n:, level - 1, 1] = place[:n], place[1 : n + 1]
        bounds = np.append(entries, len(nested))
    width = spans[:, : max(n - 2, 0)]
    room = int((width[..., 1] - width[..., 0]).max(initial=0))

    tables = [*infosets, spans.ravel(), *levels]
    starts = HEADER + len(tables) + 1 + np.concatenate([[0], np.cumsum([len(t) for t in tables])])
    weights_at = (int(starts[-1]) + 1) // 2
    block = np.empty(weights_at + len(weight))
    block[weights_at:] = weight
    ids = np.concatenate([[n, num_sequences, room, weights_at], starts, *tables])
    block.view(np.uint32)[: len(ids)] = ids
    return block
