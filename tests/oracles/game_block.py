"""The block of a compiled game, by its description in `pokerlab.games.game_block`: sets and loops."""

from itertools import pairwise
from typing import TypeAlias

import numpy as np

from pokerlab.core import Floats
from pokerlab.games import SequenceForm

Path: TypeAlias = tuple[int, ...]  # an owner's sequence, and then other players' sequences


def plain_block(game: SequenceForm) -> Floats:
    """Return the block of a game."""
    weights = weights_by_path(game)
    levels = [
        sorted({path[: 2 + k] for path in weights}) for k in range(max(game.num_players, 2) - 1)
    ]
    parents: list[list[Path]] = [[(q,) for q in range(sum(game.num_sequences))], *levels]
    tables = [
        game.infoset_start.tolist(),
        game.parent_sequence.tolist(),
        game.first_sequence.tolist(),
        game.num_actions.tolist(),
        [bound for span in spans_of(game, levels) for bound in span],
    ]
    for above, entries in zip(parents[:-1], levels, strict=True):
        tables.append([number_below(entries, path) for path in above] + [len(entries)])
        tables.append([path[-1] for path in entries])
    inner_widths = [
        end - begin
        for place, (begin, end) in enumerate(spans_of(game, levels))
        if place % len(levels) < game.num_players - 2
    ]
    begin = 4 + len(tables) + 1
    starts = [begin + sum(map(len, tables[:k])) for k in range(len(tables) + 1)]
    weights_at = (starts[-1] + 1) // 2
    head = [game.num_players, sum(game.num_sequences), max(inner_widths, default=0), weights_at]
    ids = [*head, *starts, *(number for table in tables for number in table)]
    ids += [0] * (2 * weights_at - len(ids))
    return np.concatenate(
        [np.array(ids, np.uint32).view(np.float64), [weights[p] for p in levels[-1]]]
    )


def weights_by_path(game: SequenceForm) -> dict[Path, float]:
    """Return the owner's payoff times chance for each owner and terminal, by all sequences, the owner's first."""
    weights: dict[Path, float] = {}
    for chance, sequence, payoff in zip(
        game.chance, game.sequence.tolist(), game.payoff, strict=True
    ):
        for owner in range(game.num_players):
            others = sequence[:owner] + sequence[owner + 1 :]
            path = (sequence[owner], *(others or [0]))
            assert path not in weights  # terminals that share all sequences are merged
            weights[path] = float(payoff[owner] * chance)
    return weights


def spans_of(game: SequenceForm, levels: list[list[Path]]) -> list[tuple[int, int]]:
    """Return where the entries of non-empty sequences lie, player by player and level by level; then of empty ones."""
    n = game.num_players
    nonempty = pairwise([n, *(n + part.stop for part in game.player_sequences)])
    empty = pairwise(range(n + 1))
    return [
        (number_below(entries, (begin,)), number_below(entries, (end,)))
        for begin, end in [*nonempty, *empty]
        for entries in levels
    ]


def number_below(entries: list[Path], path: Path) -> int:
    """Return how many entries come before all those that begin with `path`."""
    return sum(entry[: len(path)] < path for entry in entries)
