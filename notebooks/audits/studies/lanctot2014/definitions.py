"""Lanctot (2014), eqs. 3, 4 and 8 and Lemma 1 by their definitions: the dynamics, projected utilities, losses.

Each sequence needs a walk over the whole tree for u_i(x with g_q), which makes it slow.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from pokerlab.core import UnknownNameError
from pokerlab.games.rules import Rules
from pokerlab.reference import (
    compute_realization_plans,
    compute_utility,
    force_sequence,
    list_information_sets,
    replicate_plan,
    uniform,
)
from pokerlab.reference.definitions import Plans, Real, Sequence, list_actions

K = TypeVar("K")
V = TypeVar("V")


def iterate_replicators(rules: Rules, payoff_shift: Real, order: str) -> Iterator[Plans]:
    """Yield x(1), x(2), ...: everybody's realization plans, from the uniform profile on."""
    plans = compute_realization_plans(rules, uniform(rules))
    while True:
        yield plans
        plans = update_everybody(
            plans,
            rules.num_players,
            order,
            lambda seen, player: {player: replicate_plan(rules, seen, player, payoff_shift)},
        )


def update_everybody(
    profile: dict[K, V], players: int, order: str, update: Callable[[dict[K, V], int], dict[K, V]]
) -> dict[K, V]:
    """Return the next profile, where `update(seen, player)` is a player's new part of it.

    'simultaneous': everybody sees `profile`. 'alternating': player 1 first, and each player sees
    what those before have just become.
    """
    UnknownNameError.check("order of updates", order, ("simultaneous", "alternating"))
    new = profile
    for player in range(players):
        seen = new if order == "alternating" else profile
        new = {**new, **update(seen, player)}
    return new


def compute_flow(rules: Rules, plans: Plans, player: int) -> dict[Sequence, Real]:
    """Return the rates of change of x_i, i = `player`, in continuous time.

        d x_i(q) / dt = x_i(q) u_i(x with g_q(x_i) - x_i)

    (eq. 4). The difference of two plans is not a plan, but eq. 2 is linear in it. A payoff shift
    would cancel.
    """
    plan = plans[player]
    rates: dict[Sequence, Real] = {}
    for q, weight in plan.items():
        rates[q] = 0.0
        if weight > 0:
            toward = force_sequence(q, plan)
            change = {other: toward[other] - plan[other] for other in plan}
            rates[q] = weight * compute_utility(rules, {**plans, player: change}, player)
    return rates


def compute_projected_utilities(
    rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0
) -> dict[str, dict[str, Real]]:
    """Return u_i(x with g_(I,a)) for each information set and action of i = `player`."""
    return {
        label: {
            action: compute_utility(rules, {**plans, player: toward}, player, payoff_shift)
            for action in list_actions(infoset)
            for toward in [
                force_sequence((*infoset[0].sequences[player], (label, action)), plans[player])
            ]
        }
        for label, infoset in list_information_sets(rules, player).items()
    }


def compute_losses(utilities: dict[str, Real]) -> dict[str, Real]:
    """Return the loss of each action at I, between 0 and 1, from u(a) = u_i(x with g_(I,a)).

        l(I, a) = (max over a' of u(a') - u(a)) / Delta(I),   Delta(I) = max u - min u

    (eq. 8); zero where all are equal.
    """
    best, spread = max(utilities.values()), compute_payoff_range(utilities)
    return {a: (best - u) / spread if spread > 0 else 0.0 for a, u in utilities.items()}


def compute_payoff_range(utilities: dict[str, Real]) -> Real:
    """Return Delta_-i(I), the difference between the best action at I and the worst (eq. 8)."""
    return max(utilities.values()) - min(utilities.values())


def compute_learning_rate(utilities: dict[str, Real]) -> Real:
    """Return eta_I = Delta_-i(I) / max over a of u_i(x with g_(I,a)), that of Lemma 1.

    `utilities` must have been made positive by a payoff shift.
    """
    return compute_payoff_range(utilities) / max(utilities.values())
