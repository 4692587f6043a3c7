"""Lanctot (2014): eqs. 3, 4 and 8 and the rate of Lemma 1, written as the paper defines them.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. Tests compare the compiled solvers with these functions. The rules of a game and realization plans, as
dictionaries, go in, and plans, rates or losses by sequence or action come out.

A realization plan x_i of player i gives a weight to each sequence of the player's actions. The plan g_q(x_i) is the
one that the player gets by playing to reach the sequence q and following x_i elsewhere (`force_sequence`). The
expected utility u_i(x with g_q) is the one that the dynamics compare with u_i(x). Here it takes a walk over the whole
tree for each sequence, which makes these functions slow.
"""

from collections.abc import Callable, Iterator, Mapping
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
from pokerlab.reference.definitions import Plan, Plans, Real, Sequence, list_actions

Key = TypeVar("Key")
Value = TypeVar("Value")


def iterate_replicator_plans(rules: Rules, payoff_shift: Real, order: str) -> Iterator[Plans]:
    """Yield the realization plans x(1), x(2), ... of discrete-time replicator dynamics (Lanctot 2014, eq. 3).

    Parameters
    ----------
    rules : Rules
        The rules of a game with any number of players.
    payoff_shift : float or Fraction
        A constant that is added to all utilities to make them positive.
    order : {'simultaneous', 'alternating'}
        Whether all players update at the same time, or one after the other.

    Yields
    ------
    dict
        The plans of all players by the player's number. The first one is the uniform profile.
    """

    def compute_next_plan(profile: dict[int, Plan], player: int) -> dict[int, Plan]:
        """Return the next plan of one player, who responds to `profile`, by the player's number."""
        return {player: replicate_plan(rules, profile, player, payoff_shift)}

    plans = compute_realization_plans(rules, uniform(rules))
    while True:
        yield plans
        plans = update_players_in_order(plans, rules.num_players, order, compute_next_plan)


def update_players_in_order(
    profile: dict[Key, Value],
    num_players: int,
    order: str,
    update: Callable[[dict[Key, Value], int], dict[Key, Value]],
) -> dict[Key, Value]:
    """Return a profile of strategies after each player has updated its own part of it once.

    Parameters
    ----------
    profile : dict
        The parts of all players' strategies.
    num_players : int
        The number of players, who update in the order 0, 1, ...
    order : {'simultaneous', 'alternating'}
        In simultaneous order each player responds to `profile`. In alternating order a player responds to the new
        parts of the players before it and to the old parts of the players after it.
    update : callable
        `update(profile, player)` returns a player's new part as a response to `profile`.

    Raises
    ------
    UnknownNameError
        If `order` has another name.
    """
    UnknownNameError.check("order of updates", order, ("simultaneous", "alternating"))
    new_profile = profile
    for player in range(num_players):
        opponents = new_profile if order == "alternating" else profile
        new_profile = {**new_profile, **update(opponents, player)}
    return new_profile


def compute_flow_rates(rules: Rules, plans: Plans, player: int) -> dict[Sequence, Real]:
    """Return how fast a player's realization weights change in continuous-time replicator dynamics, by sequence.

        d x_i(q) / dt = x_i(q) u_i(x with g_q(x_i) - x_i)

    This is eq. 4 of Lanctot (2014), where x_i(q) is the weight of sequence q in the plan of player i, u_i the player's
    expected utility, and g_q(x_i) the plan that plays to reach q and follows x_i elsewhere. The difference of two plans
    is not a plan, but the utility (eq. 2) is linear in it. A payoff shift would cancel.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    plans : dict of int to dict
        The realization plan of each player: weights by sequence.
    player : int
        The player i.

    Returns
    -------
    dict of Sequence to float or Fraction
        The rates of change. A sequence of weight zero has the rate zero.
    """
    plan = plans[player]
    rates: dict[Sequence, Real] = {}
    for sequence, weight in plan.items():
        if weight <= 0:
            rates[sequence] = 0.0
            continue
        forced_plan = force_sequence(sequence, plan)
        difference = {other: forced_plan[other] - plan[other] for other in plan}
        gain = compute_utility(rules, {**plans, player: difference}, player)
        rates[sequence] = weight * gain
    return rates


def compute_projected_utilities(
    rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0
) -> dict[str, dict[str, Real]]:
    """Return a player's expected utility from playing to reach an information set and taking an action there.

    Elsewhere the player follows its plan. This is u_i(x with g_(I,a)) of Lanctot (2014, section 3.2).

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    plans : dict of int to dict
        The realization plan of each player: weights by sequence.
    player : int
        The player i.
    payoff_shift : float or Fraction
        A constant that is added to the utility.

    Returns
    -------
    dict of str to dict of str to float or Fraction
        The utilities by the label of the information set and the name of the action.
    """
    utilities: dict[str, dict[str, Real]] = {}
    for label, infoset in list_information_sets(rules, player).items():
        # By perfect recall the player has the same sequence at all histories of the information set.
        own_sequence = infoset[0].sequences[player]
        utilities[label] = {}
        for action in list_actions(infoset):
            forced_plan = force_sequence((*own_sequence, (label, action)), plans[player])
            forced_plans = {**plans, player: forced_plan}
            utilities[label][action] = compute_utility(rules, forced_plans, player, payoff_shift)
    return utilities


def compute_losses(utilities: Mapping[str, Real]) -> dict[str, Real]:
    """Return the loss of each action at an information set I, between 0 and 1, by the name of the action.

        l(I, a) = (max over a' of u(a') - u(a)) / Delta(I)

    This is eq. 8 of Lanctot (2014), where u(a) are the given utilities of playing to reach I and take a, and Delta(I)
    is their range. All losses are zero if all utilities are equal.
    """
    largest = max(utilities.values())
    utility_range = compute_utility_range(utilities)
    if utility_range <= 0:
        return dict.fromkeys(utilities, 0.0)
    return {action: (largest - utility) / utility_range for action, utility in utilities.items()}


def compute_utility_range(utilities: Mapping[str, Real]) -> Real:
    """Return Delta_-i(I) of eq. 8: the utility of the best action at I minus that of the worst."""
    return max(utilities.values()) - min(utilities.values())


def compute_learning_rate(utilities: Mapping[str, Real]) -> Real:
    """Return the learning rate of Lanctot (2014, Lemma 1) at an information set I, between 0 and 1.

    It is the range of the utilities of I's actions, divided by the largest of them. `utilities`, by action, must
    include a payoff shift that makes them positive.
    """
    return compute_utility_range(utilities) / max(utilities.values())
