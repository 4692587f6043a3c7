"""Sequence-form replicator dynamics as Lanctot (2014) prints them: eqs. 3 and 4 through eqs. 2 and 5.

Each sequence needs a walk over the whole tree for u_i(x with g_q); that is what makes it slow.
"""

from collections.abc import Iterator

from pokerlab.games.rules import Rules
from pokerlab.reference.histories import Real, Sequence, uniform
from pokerlab.reference.order import everybody_updates
from pokerlab.reference.realization import Plan, Plans, g_q, realization_plans, utility


def replicated(rules: Rules, plans: Plans, player: int, payoff_shift: Real) -> Plan:
    """Return x_i(t + 1) of i = `player`.

        x_i(q, t + 1) = x_i(q, t) u_i(x with g_q(x_i)) / u_i(x)

    (eq. 3), utilities raised by `payoff_shift`, which must make them positive. A weight of zero
    stays zero.
    """
    plan = plans[player]
    before = utility(rules, plans, player, payoff_shift)
    return {
        q: weight * utility(rules, {**plans, player: g_q(q, plan)}, player, payoff_shift) / before
        if weight > 0
        else weight
        for q, weight in plan.items()
    }


def replicator_dynamics(rules: Rules, payoff_shift: Real, order: str) -> Iterator[Plans]:
    """Yield x(1), x(2), ...: everybody's realization plans, from the uniform profile on."""
    plans = realization_plans(rules, uniform(rules))
    while True:
        yield plans
        plans = everybody_updates(
            plans,
            rules.num_players,
            order,
            lambda seen, player: {player: replicated(rules, seen, player, payoff_shift)},
        )


def replicator_flow(rules: Rules, plans: Plans, player: int) -> dict[Sequence, Real]:
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
            toward = g_q(q, plan)
            change = {other: toward[other] - plan[other] for other in plan}
            rates[q] = weight * utility(rules, {**plans, player: change}, player)
    return rates
