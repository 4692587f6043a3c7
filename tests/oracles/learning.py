"""Learning, an iteration at a time: polynomial weights, fictitious play, and regret minimization.

Counterfactual regret minimization and its descendants: each information set has its own learner. It receives
the instant regret, how much more each action would have won than its behavior did, and plays in proportion
to the accumulated regret. The algorithms differ in how they accumulate it. Each generator yields the
profiles sigma^1, sigma^2, ...; the average to report is that of their realization plans with the weights
named there.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from pokerlab import reference
from pokerlab.games.rules import Rules
from pokerlab.reference.definitions import Behavior, Real, Table
from studies.lanctot2014 import definitions
from tests.oracles.values import average_behavior


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
        plans = reference.compute_realization_plans(rules, seen)
        learned = {}
        for label, won in definitions.compute_utilities_of_forced_actions(
            rules, plans, player, payoff_shift
        ).items():
            rate = definitions.compute_learning_rate(won) if eta is None else eta
            learned[player, label] = reweighted(
                seen[player, label], definitions.compute_losses(won), rate
            )
        return learned

    profile = reference.uniform(rules)
    while True:
        yield profile
        profile = definitions.update_players_in_order(profile, rules.num_players, order, learn)


def fictitious_play(rules: Rules) -> Iterator[Table]:
    """Yield sigma^1, the uniform profile, and then sigma^(t+1), the best responses to the average.

    The average is that of the realization plans of sigma^1 to sigma^t, which is the behavior of
    the averaged mixed strategies (Heinrich, Lanctot & Silver 2015, section 3). Ties go to the first
    action, so that rounding decides between actions that are equally good.
    """
    profile = reference.uniform(rules)
    past = []
    while True:
        yield profile
        past.append(reference.compute_realization_plans(rules, profile))
        average = average_behavior(rules, past)
        profile = {
            (player, label): {a: 1.0 if a == chosen else 0.0 for a in profile[player, label]}
            for player in range(rules.num_players)
            for label, chosen in reference.best_response(rules, average, player).actions.items()
        }


def instant_regrets(rules: Rules, behavior: Behavior, player: int) -> dict[str, dict[str, Real]]:
    """Return r(I, a) = v_i(I, a) - v_i(I), where v_i(I) = sum over a of sigma(I, a) v_i(I, a)."""
    regrets = {}
    for label, value in reference.compute_counterfactual_values(rules, behavior, player).items():
        sigma = behavior[player, label]
        expected = sum(sigma[action] * value[action] for action in value)
        regrets[label] = {action: value[action] - expected for action in value}
    return regrets


def average_regret(rules: Rules, played: Sequence[Behavior], player: int) -> Real:
    """Return the average overall regret of i = `player`; for tiny games, trying everything.

        1/T max over s_i of sum over t of u_i(s_i, sigma_-i^t) - u_i(sigma^t)

    over pure strategies s_i, with `played` sigma^1 to sigma^T (Zinkevich et al. 2007, section 2).
    """
    gained = [
        sum(
            reference.compute_expected_utilities(rules, {**sigma, **pure})[player]
            - reference.compute_expected_utilities(rules, sigma)[player]
            for sigma in played
        )
        for pure in reference.iterate_pure_strategies(rules, player)
    ]
    return max(gained) / len(played)


def counterfactual_bound(rules: Rules, played: Sequence[Behavior], player: int) -> Real:
    """Return what bounds the average overall regret of i = `player`.

        1/T sum over I of (max over a of sum over t of v_i(I, sigma^t, a) - v_i(I, sigma^t))+

    the positive parts of the average immediate counterfactual regrets, eq. 9 of Lanctot (2014);
    the bound is Theorem 3 of Zinkevich et al. (2007).
    """
    each = [instant_regrets(rules, sigma, player) for sigma in played]
    bound: Real = 0.0
    for label in each[0]:
        summed = [sum(regrets[label][action] for regrets in each) for action in each[0][label]]
        bound += max(0.0, *summed)
    return bound / len(played)


Regrets: TypeAlias = dict[str, Real]
Accumulate: TypeAlias = Callable[[int, Real, Real], Real]


def regret_matching(regrets: Regrets) -> dict[str, Real]:
    """Return sigma(a) = R+(a) / sum of R+, the positive regrets; uniform where none is positive.

    (Zinkevich et al. 2007, eq. 8.)
    """
    total = sum(max(regret, 0.0) for regret in regrets.values())
    return {
        action: max(regret, 0.0) / total if total > 0 else 1.0 / len(regrets)
        for action, regret in regrets.items()
    }


def minimize_regret(
    rules: Rules, order: str, accumulate: Accumulate, *, predict: bool = False
) -> Iterator[Table]:
    """Yield sigma^1, sigma^2, ... where R^t(I, a) = accumulate(t, R^(t-1)(I, a), r^t(I, a)).

    With `predict`, the last instant regret is expected to occur once more: sigma^(t+1) matches
    R^t + r^t.
    """
    profile = reference.uniform(rules)
    regrets: dict[tuple[int, str], Regrets] = {
        infoset: dict.fromkeys(sigma, 0.0) for infoset, sigma in profile.items()
    }
    t = 0

    def learn(seen: Table, player: int) -> Table:
        learned = {}
        for label, instant in instant_regrets(rules, seen, player).items():
            regret = regrets[player, label]
            for action, gain in instant.items():
                regret[action] = accumulate(t, regret[action], gain)
            expected = {a: regret[a] + (instant[a] if predict else 0.0) for a in regret}
            learned[player, label] = regret_matching(expected)
        return learned

    while True:
        yield profile
        t += 1
        profile = definitions.update_players_in_order(profile, rules.num_players, order, learn)


def cfr(rules: Rules, order: str) -> Iterator[Table]:
    """Yield the profiles of CFR: R^t = R^(t-1) + r^t. The average weighs all alike.

    Zinkevich, Johanson, Bowling & Piccione (2007), where the order is simultaneous.
    """
    return minimize_regret(rules, order, lambda t, regret, instant: regret + instant)


def cfr_plus(rules: Rules, order: str) -> Iterator[Table]:
    """Yield the profiles of CFR+: R^t = max(R^(t-1) + r^t, 0). The average weighs sigma^t by t.

    Tammelin, Burch, Johanson & Bowling (2015), where the order is alternating.
    """
    return minimize_regret(rules, order, lambda t, regret, instant: max(regret + instant, 0.0))


def discounted_cfr(rules: Rules, order: str, alpha: float, beta: float) -> Iterator[Table]:
    """Yield the profiles of discounted CFR. The average weighs sigma^t by t^gamma.

    R^t = (R^(t-1) + r^t) times t^alpha / (t^alpha + 1) if that is positive, else times
    t^beta / (t^beta + 1) (Brown & Sandholm 2019).
    """

    def discount(t: int, regret: Real, instant: Real) -> Real:
        total = regret + instant
        power: float = t ** (alpha if total > 0 else beta)
        return total * power / (power + 1)

    return minimize_regret(rules, order, discount)


def predictive_cfr_plus(rules: Rules, order: str) -> Iterator[Table]:
    """Yield the profiles of predictive CFR+; the average weighs sigma^t by t squared.

    R^t = max(R^(t-1) + r^t, 0), and sigma^(t+1) matches R^t + r^t (Farina, Kroer & Sandholm 2021).
    """
    return minimize_regret(
        rules, order, lambda t, regret, instant: max(regret + instant, 0.0), predict=True
    )


def predictive_discounted_cfr_plus(rules: Rules, order: str, alpha: float) -> Iterator[Table]:
    """Yield the profiles of PDCFR+; the average weighs sigma^t by t^gamma.

    R^t = max(d(t-1) R^(t-1) + r^t, 0) with d(t) = t^alpha / (t^alpha + 1), and sigma^(t+1) matches d(t) R^t + r^t
    (Xu and others 2024). Here d(t) R^t is kept, so that R^t is discounted once.
    """

    def discount(t: int, kept: Real, instant: Real) -> Real:
        power: float = t**alpha
        return max(kept + instant, 0.0) * power / (power + 1)

    return minimize_regret(rules, order, discount, predict=True)
