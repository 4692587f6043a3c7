"""What a profile is worth in a compiled game: values, best responses, possible gains."""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, kernel
from pokerlab.games.sequence_form.sweeps import (
    best_response_values,
    counterfactual_values,
    inner_sums,
    realize,
    start_values,
    workspace,
)


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
