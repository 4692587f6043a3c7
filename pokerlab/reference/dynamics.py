"""The dynamics of whole profiles, an iteration at a time: replicator, polynomial weights, fictitious play.

The replicator is that of Lanctot (2014), eqs. 3 and 4 through eqs. 2 and 5: each sequence needs a walk over
the whole tree for u_i(x with g_q), which makes it slow. Polynomial weights learn at every information set
from the losses of eq. 8.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from pokerlab.core import UnknownNameError
from pokerlab.games.rules import Rules
from pokerlab.reference.histories import (
    Plan,
    Plans,
    Real,
    Sequence,
    Table,
    actions_at,
    average_behavior,
    g_q,
    information_sets,
    realization_plans,
    uniform,
    utility,
)
from pokerlab.reference.values import best_response


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


def projected_utilities(
    rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0
) -> dict[str, dict[str, Real]]:
    """Return u_i(x with g_(I,a)) for each information set and action of i = `player`."""
    return {
        label: {
            action: utility(
                rules,
                {
                    **plans,
                    player: g_q((*infoset[0].sequences[player], (label, action)), plans[player]),
                },
                player,
                payoff_shift,
            )
            for action in actions_at(infoset)
        }
        for label, infoset in information_sets(rules, player).items()
    }


def losses(utilities: dict[str, Real]) -> dict[str, Real]:
    """Return the loss of each action at I, between 0 and 1, from u(a) = u_i(x with g_(I,a)).

        l(I, a) = (max over a' of u(a') - u(a)) / Delta(I),   Delta(I) = max u - min u

    (eq. 8); zero where all are equal.
    """
    best, spread = max(utilities.values()), payoff_range(utilities)
    return {a: (best - u) / spread if spread > 0 else 0.0 for a, u in utilities.items()}


def payoff_range(utilities: dict[str, Real]) -> Real:
    """Return Delta_-i(I), the difference between the best action at I and the worst (eq. 8)."""
    return max(utilities.values()) - min(utilities.values())


def learning_rate(utilities: dict[str, Real]) -> Real:
    """Return eta_I = Delta_-i(I) / max over a of u_i(x with g_(I,a)), that of Lemma 1.

    `utilities` must have been made positive by a payoff shift.
    """
    return payoff_range(utilities) / max(utilities.values())


def reweighted(sigma: dict[str, Real], loss: dict[str, Real], eta: Real) -> dict[str, Real]:
    """Return the next probabilities: w(a) = sigma(a) (1 - eta l(a)), divided by their sum.

    (Section 2.2; Cesa-Bianchi, Mansour & Stoltz 2007.)
    """
    weights = {action: p * (1 - eta * loss[action]) for action, p in sigma.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}


def polynomial_weights(
    rules: Rules, payoff_shift: Real, order: str, eta: Real | None = None
) -> Iterator[Table]:
    """Yield sigma^1, sigma^2, ... of learners with a fixed `eta`, by default that of Lemma 1."""

    def learn(seen: Table, player: int) -> Table:
        plans = realization_plans(rules, seen)
        learned = {}
        for label, won in projected_utilities(rules, plans, player, payoff_shift).items():
            rate = learning_rate(won) if eta is None else eta
            learned[player, label] = reweighted(seen[player, label], losses(won), rate)
        return learned

    profile = uniform(rules)
    while True:
        yield profile
        profile = everybody_updates(profile, rules.num_players, order, learn)


def fictitious_play(rules: Rules) -> Iterator[Table]:
    """Yield sigma^1, the uniform profile, and then sigma^(t+1), the best responses to the average.

    The average is that of the realization plans of sigma^1 to sigma^t, which is the behavior of
    the averaged mixed strategies (Heinrich, Lanctot & Silver 2015, section 3). Ties go to the first
    action, so that rounding decides between actions that are equally good.
    """
    profile = uniform(rules)
    past = []
    while True:
        yield profile
        past.append(realization_plans(rules, profile))
        average = average_behavior(rules, past)
        profile = {
            (player, label): {a: 1.0 if a == chosen else 0.0 for a in profile[player, label]}
            for player in range(rules.num_players)
            for label, chosen in best_response(rules, average, player).actions.items()
        }


K = TypeVar("K")
V = TypeVar("V")


def everybody_updates(
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
