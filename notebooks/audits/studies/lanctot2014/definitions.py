"""Lanctot (2014): eqs. 3, 4 and 8 and the rate of Lemma 1, written as the paper defines them.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. Tests compare the compiled solvers with these functions. The rules of a game and realization plans, as
dictionaries, go in, and plans, rates or losses by sequence or action come out.

A realization plan x_i of player i gives a weight to each sequence of the player's actions. The plan g_q(x_i) is the
one that the player gets by playing to reach the sequence q and following x_i elsewhere (`compute_forced_plan`). The
expected utility u_i(x with g_q) is the one that the dynamics compare with u_i(x). Here it takes a walk over the whole
tree for each sequence, which makes these functions slow.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from pokerlab.core import UnknownNameError
from pokerlab.games.rules import Rules
from pokerlab.reference import (
    compute_forced_plan,
    compute_realization_plans,
    compute_utility,
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
    dict of int to dict
        The realization plan of each player, by the player's number. A plan has the weight of each sequence. The first
        profile is the uniform one.

    Raises
    ------
    UnknownNameError
        If `order` has another name. It is raised when the second profile is requested.
    """

    def replicate_plan_of_player(profile: dict[int, Plan], player: int) -> dict[int, Plan]:
        """Return the next realization plan of one player, by the player's number, if all players play `profile`."""
        return {player: replicate_plan(rules, profile, player, payoff_shift)}

    plans = compute_realization_plans(rules, uniform(rules))
    while True:
        yield plans
        plans = update_players_in_order(plans, rules.num_players, order, replicate_plan_of_player)


def update_players_in_order(
    profile: dict[Key, Value],
    num_players: int,
    order: str,
    update: Callable[[dict[Key, Value], int], dict[Key, Value]],
) -> dict[Key, Value]:
    """Return the profile of strategies after each player has updated its own strategy once.

    A profile is a dictionary. The entries of one player can be the whole strategy, as in a dictionary of plans by
    player, or one entry for each information set.

    Parameters
    ----------
    profile : dict
        The strategies of all players. It is not changed.
    num_players : int
        The number of players, who update in the order 0, 1, ...
    order : {'simultaneous', 'alternating'}
        In simultaneous order each player responds to `profile`. In alternating order a player responds to the new
        strategies of the players before it and to the old strategies of the players after it.
    update : callable
        `update(profile, player)` returns a dictionary of the player's new entries, as a response to `profile`.

    Returns
    -------
    dict
        A new profile with the keys of `profile`.

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
    """Return the rates of change of a player's realization weights in continuous-time replicator dynamics.

        d x_i(q) / dt = x_i(q) u_i(x with g_q(x_i) - x_i)

    This is eq. 4 of Lanctot (2014). Here x_i(q) is the weight of the sequence q in the plan of player i, and u_i is the
    player's expected utility. The plan g_q(x_i) plays to reach q and follows x_i elsewhere. The difference of two plans
    is no plan, but the expected utility (eq. 2) is linear in the plan and so can be computed for a difference. A payoff
    shift would cancel.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    plans : dict of int to dict
        The realization plan of each player, by the player's number. A plan has the weight of each sequence.
    player : int
        The player i.

    Returns
    -------
    dict of Sequence to float or Fraction
        The rate of change of the weight of each of the player's sequences, per unit of time. A sequence of weight zero
        has the rate zero.
    """
    plan = plans[player]
    rates: dict[Sequence, Real] = {}
    for sequence, weight in plan.items():
        if weight <= 0:
            rates[sequence] = 0.0
            continue
        forced_plan = compute_forced_plan(sequence, plan)
        difference = {other: forced_plan[other] - plan[other] for other in plan}
        gain = compute_utility(rules, {**plans, player: difference}, player)
        rates[sequence] = weight * gain
    return rates


def compute_utilities_of_forced_actions(
    rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0
) -> dict[str, dict[str, Real]]:
    """Return a player's expected utility from playing to reach an information set and taking an action there.

    If the information set is not reached, then the player follows its realization plan. This is u_i(x with g_(I,a)) of
    Lanctot (2014, section 3.2).

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    plans : dict of int to dict
        The realization plan of each player, by the player's number. A plan has the weight of each sequence.
    player : int
        The player i.
    payoff_shift : float or Fraction
        A constant that is added to the utility.

    Returns
    -------
    dict of str to dict of str to float or Fraction
        For each of the player's information sets, by its label, the utility of each action, by its name.
    """
    utilities: dict[str, dict[str, Real]] = {}
    for label, infoset in list_information_sets(rules, player).items():
        # By perfect recall the player has the same sequence at all histories of the information set.
        own_sequence = infoset[0].sequences[player]
        utilities[label] = {}
        for action in list_actions(infoset):
            forced_plan = compute_forced_plan((*own_sequence, (label, action)), plans[player])
            forced_plans = {**plans, player: forced_plan}
            utilities[label][action] = compute_utility(rules, forced_plans, player, payoff_shift)
    return utilities


def compute_losses(utilities: Mapping[str, Real]) -> dict[str, Real]:
    """Return the loss of each action at an information set I, a number from 0 to 1.

        l(I, a) = (max over a' of u(a') - u(a)) / Delta(I)

    This is eq. 8 of Lanctot (2014). Here u(a) is the utility of playing to reach I and taking a, and Delta(I) is the
    largest minus the smallest of these utilities. If all utilities are equal, then all losses are zero.

    Parameters
    ----------
    utilities : mapping of str to float or Fraction
        The utility u(a) of each action of one information set, by the action's name.

    Returns
    -------
    dict of str to float or Fraction
        The losses, by the action's name.
    """
    largest = max(utilities.values())
    utility_range = compute_utility_range(utilities)
    if utility_range <= 0:
        return dict.fromkeys(utilities, 0.0)
    return {action: (largest - utility) / utility_range for action, utility in utilities.items()}


def compute_utility_range(utilities: Mapping[str, Real]) -> Real:
    """Return the largest minus the smallest utility of the actions of an information set.

    It is Delta_-i(I) of Lanctot (2014, eq. 8).

    Parameters
    ----------
    utilities : mapping of str to float or Fraction
        The utility of each action of one information set, by the action's name.
    """
    return max(utilities.values()) - min(utilities.values())


def compute_learning_rate(utilities: Mapping[str, Real]) -> Real:
    """Return the learning rate of Lanctot (2014, Lemma 1) at an information set, a number from 0 to 1.

    It is the largest minus the smallest utility of an action, divided by the largest.

    Parameters
    ----------
    utilities : mapping of str to float or Fraction
        The utility of each action of one information set, by the action's name. A payoff shift must have made all of
        them positive.
    """
    return compute_utility_range(utilities) / max(utilities.values())
