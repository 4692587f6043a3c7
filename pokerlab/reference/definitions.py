"""Every history of a game, strategies as weights of choices in it, and what a profile is worth: by recursion.

Strategies are dictionaries here, as `Profile.table()` returns them: (player, information set) to the probabilities of
actions. Probabilities may be floats or fractions; from fractions follow exact values.

A realization plan gives a weight to each sequence. A sequence q of player i is written as all its choices,
((I, a), (I', a'), ...), so that q itself is X_i(q), the empty sequence is (), and a sequence is followed by
those that begin with it.
"""

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

from pokerlab.games.rules import Chance, Decision, Rules, Terminal, Turn

Real: TypeAlias = float | Fraction
Behavior: TypeAlias = Mapping[tuple[int, str], Mapping[str, Real]]
Table: TypeAlias = dict[tuple[int, str], dict[str, Real]]
Choice: TypeAlias = tuple[str, str]
Sequence: TypeAlias = tuple[Choice, ...]


class ReachedHistory(NamedTuple):
    """A history h and what led to it."""

    history: Any  # h itself, as the rules write it
    turn: Turn  # who moves there
    chance: Fraction  # product of the probabilities of the chance outcomes in h
    # X_i(h) for each player i: the pairs (information set, action) that i has met and chosen, in order
    sequences: tuple[Sequence, ...]


def histories(rules: Rules) -> Iterator[ReachedHistory]:
    """Yield every history of the game, each one before those that continue it."""

    def below(
        history: Any, chance: Fraction, own: tuple[Sequence, ...]
    ) -> Iterator[ReachedHistory]:
        turn = rules.turn(history)
        yield ReachedHistory(history, turn, chance, own)
        if isinstance(turn, Chance):
            for outcome, probability in turn.outcomes.items():
                yield from below(rules.after(history, outcome), chance * probability, own)
        elif isinstance(turn, Decision):
            i = turn.player
            for action in turn.actions:
                longer = (*own[i], (turn.infoset, action))
                after = rules.after(history, action)
                yield from below(after, chance, (*own[:i], longer, *own[i + 1 :]))

    yield from below(rules.start(), Fraction(1), ((),) * rules.num_players)


def information_sets(rules: Rules, player: int) -> dict[str, list[ReachedHistory]]:
    """Return the histories that make up each information set of `player`, parents first."""
    found: dict[str, list[ReachedHistory]] = {}
    for situation in histories(rules):
        turn = situation.turn
        if isinstance(turn, Decision) and turn.player == player:
            found.setdefault(turn.infoset, []).append(situation)
    return dict(sorted(found.items(), key=lambda item: len(item[1][0].sequences[player])))


def actions_at(infoset: list[ReachedHistory]) -> tuple[str, ...]:
    """Return A(I), the actions of an information set."""
    turn = infoset[0].turn
    assert isinstance(turn, Decision)
    return turn.actions


def uniform(rules: Rules) -> Table:
    """Return the behavior in which everybody chooses every action equally often."""
    return {
        (player, label): {action: 1.0 / len(actions_at(infoset)) for action in actions_at(infoset)}
        for player in range(rules.num_players)
        for label, infoset in information_sets(rules, player).items()
    }


Plan: TypeAlias = Mapping[Sequence, Real]
Plans: TypeAlias = Mapping[int, Plan]


def realization_plan(rules: Rules, behavior: Behavior, player: int) -> dict[Sequence, Real]:
    """Return x_i, the weight of each sequence of i = `player`.

        x_i(()) = 1,   x_i(q followed by (I, a)) = x_i(q) sigma_i(I, a)

    (Koller, Megiddo & von Stengel 1994).
    """
    plan: dict[Sequence, Real] = {(): 1.0}
    for label, infoset in information_sets(rules, player).items():
        before = infoset[0].sequences[player]
        for action in actions_at(infoset):
            plan[*before, (label, action)] = plan[before] * behavior[player, label][action]
    return plan


def realization_plans(rules: Rules, behavior: Behavior) -> dict[int, Plan]:
    """Return everybody's realization plan."""
    return {i: realization_plan(rules, behavior, i) for i in range(rules.num_players)}


def utility(rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0) -> Real:
    """Return u_i(x), i = `player`, each payoff raised by `payoff_shift`.

        u_i(x) = sum over (q_1, ..., q_n) of x_1(q_1) ... x_n(q_n) u_i(q_1, ..., q_n)

    (Lanctot 2014, eq. 2): a term for each end of the hand, with chance's probability.
    """
    return sum(
        prod(plans[k][q] for k, q in enumerate(end.sequences))
        * end.chance
        * (end.turn.utilities[player] + payoff_shift)
        for end in histories(rules)
        if isinstance(end.turn, Terminal)
    )


def g_q(q: Sequence, plan: Plan) -> dict[Sequence, Real]:
    """Return g_q(x_i): play to make the choice q, and otherwise x_i (Lanctot 2014, eq. 5).

        g_q(x_i, q') = 1                   if q' lies on the way to q,
                       x_i(q') / x_i(q'')  if q' does not contradict q,
                       0                   otherwise,

    where q'' is what q and q' have in common at their beginning. The paper prints the second
    condition as 'X_i(q) is a beginning of X_i(q')', which would also clear the information sets
    beside the way to q, such as those of another card, and break the constraints; its text agrees
    with the conditions above. q must have a positive weight (Definition 1).
    """
    chosen = dict(q)
    projected: dict[Sequence, Real] = {}
    for other, weight in plan.items():
        if any(chosen.get(infoset, action) != action for infoset, action in other):
            projected[other] = 0.0
        else:
            shared = tuple(choice for choice in other if choice in q)
            projected[other] = weight / plan[shared]
    return projected


def constraint_violation(rules: Rules, plan: Plan, player: int) -> float:
    """Return how far a plan is from a realization plan: the largest error of a constraint.

        x_i(()) = 1,   x_i(q) = sum over a of x_i(q followed by (I, a)),   x_i >= 0

    for every information set I that q leads to. The paper writes one sum for all that may follow
    q; it has to hold for each I by itself.
    """
    errors = [float(plan[()]) - 1, 1 - float(plan[()]), -float(min(plan.values()))]
    for label, infoset in information_sets(rules, player).items():
        before = infoset[0].sequences[player]
        missing = plan[before] - sum(plan[*before, (label, a)] for a in actions_at(infoset))
        errors.append(abs(float(missing)))
    return max(errors)


def replicated(rules: Rules, plans: Plans, player: int, payoff_shift: Real) -> Plan:
    """Return x_i(t + 1) of i = `player`.

        x_i(q, t + 1) = x_i(q, t) u_i(x with g_q(x_i)) / u_i(x)

    (eq. 3), utilities raised by `payoff_shift`, which must make them positive. A weight of zero stays zero.
    """
    plan = plans[player]
    before = utility(rules, plans, player, payoff_shift)
    return {
        q: weight * utility(rules, {**plans, player: g_q(q, plan)}, player, payoff_shift) / before
        if weight > 0
        else weight
        for q, weight in plan.items()
    }


def expected_utilities(rules: Rules, behavior: Behavior, history: Any = None) -> tuple[Real, ...]:
    """Return everybody's expected utility from `history` on, by default from the start.

        u(z) is given at the end of the hand;  u(h) = sum over a of sigma(h, a) u(ha)

    where sigma(h, .) is the mover's behavior, or the distribution of chance (Osborne & Rubinstein 1994, chapter 11).
    """
    if history is None:
        history = rules.start()
    turn = rules.turn(history)
    if isinstance(turn, Terminal):
        return turn.utilities
    sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
    below = [
        (p, expected_utilities(rules, behavior, rules.after(history, a))) for a, p in sigma.items()
    ]
    return tuple(sum(p * u[player] for p, u in below) for player in range(rules.num_players))


def others_reach(rules: Rules, behavior: Behavior, player: int, situation: ReachedHistory) -> Real:
    """Return pi_-i(h), the probability that chance and all players but i = `player` lead to h.

    The product of chance's probabilities and of sigma_k(I, a) over all (I, a) in X_k(h), k != i.
    """
    return situation.chance * prod(
        behavior[k, infoset][action]
        for k in range(rules.num_players)
        if k != player
        for infoset, action in situation.sequences[k]
    )


def counterfactual_values(
    rules: Rules, behavior: Behavior, player: int
) -> dict[str, dict[str, Real]]:
    """Return v_i(I, a) for each information set and action of i = `player`.

    ::

        v_i(I, a) = sum over h in I of pi_-i(h) u_i(ha)

    with u_i(ha) what i wins from there on. It is eq. 7 of Lanctot (2014), the sum over pairs (h, z)
    with h in I and z an end below h, where the sum over z is written as an expected utility.
    """
    return {
        label: {
            action: sum(
                others_reach(rules, behavior, player, h)
                * expected_utilities(rules, behavior, rules.after(h.history, action))[player]
                for h in infoset
            )
            for action in actions_at(infoset)
        }
        for label, infoset in information_sets(rules, player).items()
    }


class PureReply(NamedTuple):
    """A best response."""

    value: Real  # what it wins
    actions: dict[str, str]  # what it does at each information set; ties go to the first action


def best_response(rules: Rules, behavior: Behavior, player: int) -> PureReply:
    """Return the best `player` can do against the others' `behavior`.

    ::

        b(I) = argmax over a of sum over h in I of pi_-i(h) w(ha),   i the player who replies,

    where w(h) is what i wins from h on when i follows b and the others their behavior. Player i
    cannot tell the histories of I apart, so b(I) is one action for all of them, and perfect recall
    lets it be found from the end of the hand backward.
    """
    infosets = information_sets(rules, player)

    @cache
    def reply(label: str) -> str:
        worth = {
            action: sum(
                others_reach(rules, behavior, player, h) * value(rules.after(h.history, action))
                for h in infosets[label]
            )
            for action in actions_at(infosets[label])
        }
        return max(worth, key=worth.__getitem__)

    def value(history: Any) -> Real:
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            return turn.utilities[player]
        if not isinstance(turn, Chance) and turn.player == player:
            return value(rules.after(history, reply(turn.infoset)))
        sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
        return sum(p * value(rules.after(history, a)) for a, p in sigma.items())

    return PureReply(value(rules.start()), {label: reply(label) for label in infosets})


def pure_strategies(rules: Rules, player: int) -> Iterator[Table]:
    """Yield every pure strategy of `player`: one action at each information set, with certainty."""
    infosets = information_sets(rules, player)
    choices = [actions_at(infoset) for infoset in infosets.values()]
    for chosen in itertools.product(*choices):
        yield {
            (player, label): {a: 1.0 if a == action else 0.0 for a in actions}
            for label, actions, action in zip(infosets, choices, chosen, strict=True)
        }


def gains(rules: Rules, behavior: Behavior) -> tuple[Real, ...]:
    """Return what each player would gain by a best response, `max u_i(s_i, sigma_-i) - u_i(sigma)`.

    The largest is the epsilon of eq. 1 of Lanctot (2014).
    """
    utilities = expected_utilities(rules, behavior)
    return tuple(
        best_response(rules, behavior, player).value - utility
        for player, utility in enumerate(utilities)
    )


def nash_conv(rules: Rules, behavior: Behavior) -> Real:
    """Return the sum of all players' gains; zero exactly in the Nash equilibria."""
    return sum(gains(rules, behavior))
