"""Polynomial weights at every information set, with the losses of Lanctot (2014), eq. 8."""

from collections.abc import Iterator

from pokerlab.games.rules import Rules
from pokerlab.reference.histories import Real, Table, actions_at, information_sets, uniform
from pokerlab.reference.order import everybody_updates
from pokerlab.reference.realization import Plans, g_q, realization_plans, utility


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
