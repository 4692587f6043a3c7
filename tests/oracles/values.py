"""Behavior of realization plans, best replies by every pure strategy and by search over beliefs, values of matrices."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import linprog

from pokerlab.games.rules import Chance, Decision, Rules, Terminal
from pokerlab.reference import (
    compute_expected_utilities,
    iterate_pure_strategies,
    list_information_sets,
)
from pokerlab.reference.definitions import Behavior, Plan, Plans, Real, Table, list_actions


def behavior_of(rules: Rules, plan: Plan, player: int) -> Table:
    """Return the behavior of a realization plan of i = `player`.

    sigma_i(I, a) = x_i(q followed by (I, a)) / x_i(q), q the sequence that leads to I; uniform
    where x_i(q) = 0.
    """
    behavior: Table = {}
    for label, infoset in list_information_sets(rules, player).items():
        weights = {
            a: plan[*infoset[0].sequences[player], (label, a)] for a in list_actions(infoset)
        }
        total = sum(weights.values())
        behavior[player, label] = {
            action: weight / total if total > 0 else 1.0 / len(weights)
            for action, weight in weights.items()
        }
    return behavior


def behavior_of_all(rules: Rules, plans: Plans) -> Table:
    """Return everybody's behavior."""
    parts = [behavior_of(rules, plans[i], i) for i in range(rules.num_players)]
    return {infoset: sigma for part in parts for infoset, sigma in part.items()}


def average_behavior(
    rules: Rules, profiles: Iterable[Plans], weights: Iterable[Real] | None = None
) -> Table:
    """Return the behavior of the average of realization plans, weighted or not.

    xbar_i(q) = sum over t of w_t x_i^t(q) / sum over t of w_t. Averaging behavior itself would
    give another strategy.
    """
    past = list(profiles)
    share = [1.0] * len(past) if weights is None else list(weights)
    total = sum(share)
    average = {
        player: {
            q: sum(w * plans[player][q] for w, plans in zip(share, past, strict=True)) / total
            for q in past[0][player]
        }
        for player in range(rules.num_players)
    }
    return behavior_of_all(rules, average)


Belief: TypeAlias = list[tuple[Real, Any]]


def best_pure_value(rules: Rules, behavior: Behavior, player: int) -> Real:
    """Return the most that any pure strategy of `player` wins; for tiny games.

    max over s_i of u_i(s_i, sigma_-i): the definition itself, since no mixture beats the best of
    its parts.
    """
    return max(
        compute_expected_utilities(rules, {**behavior, **pure}, None)[player]
        for pure in iterate_pure_strategies(rules, player)
    )


def value_of_belief(rules: Rules, behavior: Behavior, player: int, belief: Belief) -> Real:
    """Return what `player` wins at most from a belief on.

    All others and chance act until the player is to decide or the hand is over: the player then knows
    the information set I, P(I) is the sum of the probabilities of its histories, and the belief is
    P(h | I) = P(h) / P(I) (eq. 7).
    """
    value: Real = 0
    met: dict[tuple[str, tuple[str, ...]], Belief] = {}
    for probability, history in moved_on(rules, behavior, player, belief):
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            value += probability * turn.utilities[player]  # eq. 9
        elif isinstance(turn, Decision):
            met.setdefault((turn.infoset, turn.actions), []).append((probability, history))
    for (_, actions), infoset in met.items():
        marginal = sum(probability for probability, _ in infoset)
        if not marginal:
            continue
        known = [(probability / marginal, history) for probability, history in infoset]  # eq. 7
        value += marginal * max(
            value_of_belief(rules, behavior, player, [(p, rules.after(h, a)) for p, h in known])
            for a in actions
        )
    return value


def moved_on(
    rules: Rules, behavior: Behavior, player: int, belief: Belief
) -> Iterator[tuple[Real, Any]]:
    """Yield where the histories of a belief lead when only chance and the others act, and how often."""
    for probability, history in belief:
        turn = rules.turn(history)
        if isinstance(turn, Terminal) or (not isinstance(turn, Chance) and turn.player == player):
            yield probability, history
            continue
        sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
        after = [(probability * p, rules.after(history, a)) for a, p in sigma.items()]  # eq. 8
        yield from moved_on(rules, behavior, player, after)


def matrix_value(won: np.ndarray) -> float:
    """Return what the row player wins in equilibrium, by a linear program of scipy's."""
    rows, columns = won.shape
    optimum = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-won.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
    )
    return float(-optimum.fun)
