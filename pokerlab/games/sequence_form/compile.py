"""Compile rules to the sequence form: walk the tree once, then number what was found.

Read `SequenceForm` first for what comes out. The walk visits each history once and only counts;
here the counts are turned into arrays in an order that suits the sweeps: information sets by
depth, so that parents come first, and below one sequence next to each other.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.core import GameError, PokerlabError
from pokerlab.games.rules import MOST_PLAYERS, Rules
from pokerlab.games.sequence_form.compiled import SequenceForm
from pokerlab.games.sequence_form.walk import Walk, is_label, is_whole

STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that rules may raise when they are asked about a history they do not know."""


def compile_rules(rules: Rules) -> SequenceForm:
    """Compile `rules` to the sequence form, checking them on the way.

    Parameters
    ----------
    rules : Rules
        The game; every history is visited once.

    Raises
    ------
    GameError
        If chance does not sum to one or becomes too rare for a float, a player forgets, utilities
        are missing or not finite, the game is not zero-sum though it claims to be, something is of
        another type than it should be, or the rules raise an error. The message names the history.
    """
    name, n = getattr(rules, "name", None), getattr(rules, "num_players", None)
    if not is_label(name):
        raise GameError(f"name of {type(rules).__name__} is {name!r}; use a non-empty string.")
    if n is None or not is_whole(n):
        raise GameError(f"num_players of {name} is {n!r}; use an int.")
    if not 1 <= n <= MOST_PLAYERS:
        raise GameError(f"{rules.name} has {n} players; a game has 1 to {MOST_PLAYERS}.")
    walk = Walk(rules, num_sequences=n)  # the n empty sequences are 0 to n - 1
    try:
        walk.visit(rules.start(), tuple(range(n)), Fraction(1), 1.0)
    except PokerlabError:
        raise
    except STUMBLES as error:
        raise GameError(
            f"the rules raise {type(error).__name__} at {walk.where()}: {error}. Give an answer for"
            " every history that they themselves lead to."
        ) from error
    return arrange(walk)


def arrange(walk: Walk) -> SequenceForm:
    """Order information sets by player and depth, and number sequences accordingly."""
    n = walk.rules.num_players
    keys = list(walk.infosets)
    player = np.array([p for p, _ in keys], dtype=np.int64)
    first, parent = np.array(walk.first, dtype=np.int64), np.array(walk.parent, dtype=np.int64)
    num_actions = np.array([len(actions) for actions in walk.actions], dtype=np.int64)
    owner = np.full(walk.num_sequences, -1)  # the information set a sequence ends in
    owner[n:] = np.repeat(np.arange(len(keys)), num_actions)
    depth = np.zeros(len(keys), dtype=np.int64)
    for i, q in enumerate(parent):  # parents are found before their children
        depth[i] = depth[owner[q]] + 1 if q >= n else 0

    order: list[int] = []
    place = np.arange(walk.num_sequences, dtype=np.int64)  # new number of each sequence
    start, next_sequence = [0], n
    for p in range(n):
        mine = np.flatnonzero(player == p)
        for d in range(depth[mine].max(initial=-1) + 1):
            level = mine[depth[mine] == d]
            for i in level[np.argsort(place[parent[level]], kind="stable")]:
                order.append(int(i))
                place[first[i] : first[i] + num_actions[i]] = next_sequence + np.arange(
                    num_actions[i]
                )
                next_sequence += num_actions[i]
        start.append(len(order))

    sequence = place[np.frombuffer(walk.sequence, dtype=np.int32).reshape(-1, n)]
    chance, ending = np.frombuffer(walk.chance), np.frombuffer(walk.ending, dtype=np.int32)
    table = np.array([[float(u) for u in utilities] for utilities in walk.endings]).reshape(-1, n)
    sequence, chance, payoff = merge_terminals(sequence, chance, table[ending])
    return SequenceForm.build(
        rules=walk.rules,
        num_histories_ended=len(ending),
        infoset_start=np.array(start, dtype=np.int64),
        infoset_label=tuple(keys[i][1] for i in order),
        action_label=tuple(walk.actions[i] for i in order),
        parent_sequence=place[parent[order]] if order else parent,
        first_sequence=place[first[order]] if order else first,
        num_actions=num_actions[order] if order else num_actions,
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=np.stack([table.min(axis=0), table.max(axis=0)], axis=1),
    )


def merge_terminals(
    sequence: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    chance: np.ndarray[tuple[int], np.dtype[np.float64]],
    payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[Any, Any, Any]:
    """Merge terminals that share all sequences: chance adds up, the payoff is the expected one."""
    order = np.lexsort(sequence.T[::-1])
    sequence, chance, payoff = sequence[order], chance[order], payoff[order]
    new = np.ones(len(sequence), dtype=bool)
    new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    if len(starts) == len(sequence):
        return sequence, chance, payoff
    total = np.add.reduceat(chance, starts)
    expected = np.add.reduceat(chance[:, None] * payoff, starts) / total[:, None]
    return sequence[starts], total, expected
