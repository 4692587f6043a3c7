"""Histories, realization plans, utilities and best responses of a game, by recursion over its tree.

A strategy is a dictionary here, as `Profile.to_table()` returns it. Its keys are pairs of a player and an information
set, and its values are the probabilities of the actions. Probabilities may be floats or fractions. If they are
fractions, the results are exact.

A realization plan gives a weight to each sequence of a player. A sequence q of player i is the tuple of all its choices
in their order, ((I, a), (I', a'), ...), where a is the action at information set I. So the set that the papers call
X_i(q) is q itself, and the empty sequence is ().

Equations have the numbers of Lanctot (2014), "Further developments of extensive-form replicator dynamics using the
sequence-form representation", unless another source is named.
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
"""The probability of each action, by player and label of the information set, and then by action."""
Table: TypeAlias = dict[tuple[int, str], dict[str, Real]]
"""A `Behavior` that may be changed, because it is made of dictionaries."""
Choice: TypeAlias = tuple[str, str]
Sequence: TypeAlias = tuple[Choice, ...]


class ReachedHistory(NamedTuple):
    """A history h of a game, with the chance probability and the players' choices that lead to it.

    Attributes
    ----------
    history : Any
        The history itself, in the form that the rules use.
    turn : Turn
        What comes at h: a chance node, a decision, or the end of the hand.
    chance : Fraction
        The product of the probabilities of the chance outcomes in h.
    sequences : tuple of Sequence
        X_i(h) for each player i: the player's choices (information set, action) in their order.
    """

    history: Any
    turn: Turn
    chance: Fraction
    sequences: tuple[Sequence, ...]


def iterate_histories(rules: Rules) -> Iterator[ReachedHistory]:
    """Yield every history of a game, with the choices that lead to it.

    Parameters
    ----------
    rules : Rules
        The game.

    Yields
    ------
    ReachedHistory
        A history. It comes before the histories that continue it.
    """

    def iterate_from(
        history: Any, chance: Fraction, sequences: tuple[Sequence, ...]
    ) -> Iterator[ReachedHistory]:
        """Yield one history and all histories that continue it, by recursion.

        Parameters
        ----------
        history : Any
            The history.
        chance : Fraction
            The product of the probabilities of the chance outcomes in the history.
        sequences : tuple of Sequence
            The choices of each player in the history.

        Yields
        ------
        ReachedHistory
            A history. It comes before the histories that continue it.
        """
        turn = rules.turn(history)
        yield ReachedHistory(history, turn, chance, sequences)
        if isinstance(turn, Chance):
            for outcome, probability in turn.outcomes.items():
                following = rules.after(history, outcome)
                yield from iterate_from(following, chance * probability, sequences)
        elif isinstance(turn, Decision):
            i = turn.player
            for action in turn.actions:
                following = rules.after(history, action)
                own_sequence = (*sequences[i], (turn.infoset, action))
                following_sequences = (*sequences[:i], own_sequence, *sequences[i + 1 :])
                yield from iterate_from(following, chance, following_sequences)

    empty_sequences: tuple[Sequence, ...] = ((),) * rules.num_players
    yield from iterate_from(rules.start(), Fraction(1), empty_sequences)


def list_information_sets(rules: Rules, player: int) -> dict[str, list[ReachedHistory]]:
    """Return the information sets of a player, each with its label and the list of its histories.

    Parameters
    ----------
    rules : Rules
        The game.
    player : int
        The player, counted from 0.

    Returns
    -------
    dict of str to list of ReachedHistory
        The histories of each information set, by label. Information sets are ordered by the number of the player's
        earlier choices, so each one comes after those that precede it in the tree.
    """
    infosets: dict[str, list[ReachedHistory]] = {}
    for h in iterate_histories(rules):
        if isinstance(h.turn, Decision) and h.turn.player == player:
            infosets.setdefault(h.turn.infoset, []).append(h)

    def count_earlier_choices(label: str) -> int:
        """Return how many choices the player has made before an information set.

        Parameters
        ----------
        label : str
            The label of the information set.

        Returns
        -------
        int
            The number of the player's own choices.
        """
        return len(infosets[label][0].sequences[player])

    labels = sorted(infosets, key=count_earlier_choices)
    return {label: infosets[label] for label in labels}


def list_actions(infoset: list[ReachedHistory]) -> tuple[str, ...]:
    """Return A(I), the actions at an information set I.

    Parameters
    ----------
    infoset : list of ReachedHistory
        The histories of the information set, of which at least one is needed.

    Returns
    -------
    tuple of str
        The actions.
    """
    turn = infoset[0].turn
    assert isinstance(turn, Decision)
    return turn.actions


def uniform(rules: Rules) -> Table:
    """Return the uniform behavior: at each information set, all actions have the same probability.

    Parameters
    ----------
    rules : Rules
        The game.

    Returns
    -------
    dict of (int, str) to dict of str to float
        The probability of each action, by player and label of the information set, and then by action.
    """
    table: Table = {}
    for player in range(rules.num_players):
        for label, infoset in list_information_sets(rules, player).items():
            actions = list_actions(infoset)
            table[player, label] = {action: 1.0 / len(actions) for action in actions}
    return table


Plan: TypeAlias = Mapping[Sequence, Real]
Plans: TypeAlias = Mapping[int, Plan]


def compute_realization_plan(rules: Rules, behavior: Behavior, player: int) -> dict[Sequence, Real]:
    """Return a player's realization plan, the weight of each of the player's sequences.

        x_i(()) = 1,   x_i(q followed by (I, a)) = x_i(q) sigma_i(I, a)

    where sigma_i(I, a) is the probability of action a at information set I of player i (Koller, Megiddo & von Stengel
    1994).

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The player's probability of each action, by (player, label of the information set); the papers' sigma_i.
    player : int
        The player, i.

    Returns
    -------
    dict of tuple to float or Fraction
        The weight of each sequence. A sequence is the tuple of the player's choices (information set, action).
    """
    plan: dict[Sequence, Real] = {(): 1.0}
    for label, infoset in list_information_sets(rules, player).items():
        q = infoset[0].sequences[player]
        for action in list_actions(infoset):
            plan[*q, (label, action)] = plan[q] * behavior[player, label][action]
    return plan


def compute_realization_plans(rules: Rules, behavior: Behavior) -> dict[int, Plan]:
    """Return the realization plan of each player, which gives a weight to each of the player's sequences.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action of all players, by (player, label of the information set).

    Returns
    -------
    dict of int to mapping
        By player, the weight of each of the player's sequences.
    """
    return {i: compute_realization_plan(rules, behavior, i) for i in range(rules.num_players)}


def compute_utility(rules: Rules, plans: Plans, player: int, payoff_shift: Real = 0.0) -> Real:
    """Return the utility of a player when all players follow their realization plans.

        u_i(x) = sum over (q_1, ..., q_n) of x_1(q_1) ... x_n(q_n) u_i(q_1, ..., q_n)

    (Lanctot 2014, eq. 2), where u_i(q_1, ..., q_n) is the sum, over the ends of the hand that these sequences lead to,
    of the probability of chance times the payoff of player i.

    Parameters
    ----------
    rules : Rules
        The game of n players.
    plans : mapping of int to mapping
        The realization plan of each player, x_1 to x_n: the weight of each of the player's sequences.
    player : int
        The player, i.
    payoff_shift : float or Fraction
        A number that is added to each payoff.

    Returns
    -------
    float or Fraction
        The utility, in the game's unit. It is exact if the weights are fractions.
    """
    total: Real = 0
    for h in iterate_histories(rules):
        if isinstance(h.turn, Terminal):
            reach = prod(plans[k][q] for k, q in enumerate(h.sequences))
            total += reach * h.chance * (h.turn.utilities[player] + payoff_shift)  # eq. 2
    return total


def compute_forced_plan(q: Sequence, plan: Plan) -> dict[Sequence, Real]:
    """Return the realization plan that forces a sequence and follows another plan elsewhere (Lanctot 2014, eq. 5).

        g_q(x_i, q') = 1                   if q' lies on the way to q,
                       x_i(q') / x_i(q'')  if q' does not contradict q,
                       0                   otherwise,

    where q'' is the common beginning of q and q'. A sequence contradicts q if it has another action at an information
    set of q. The weight of q must be positive (Definition 1).

    Lanctot (2014) prints the second condition as 'X_i(q) is a beginning of X_i(q')'. With that condition, sequences of
    information sets that are not on the way to q, such as those with another card, would get weight zero, and the
    result would not be a realization plan. The text of the paper agrees with the conditions above.

    Parameters
    ----------
    q : tuple of (str, str)
        The sequence to force, as choices (information set, action).
    plan : mapping
        The realization plan x_i: the weight of each of the player's sequences.

    Returns
    -------
    dict of tuple to float or Fraction
        The weight of each of the player's sequences, g_q(x_i, q').
    """
    action_at = dict(q)  # the action that q has at each of its information sets
    forced: dict[Sequence, Real] = {}
    for sequence, weight in plan.items():
        contradicts = any(action_at.get(infoset, action) != action for infoset, action in sequence)
        if contradicts:
            forced[sequence] = 0.0
        else:
            common = tuple(choice for choice in sequence if choice in q)
            forced[sequence] = weight / plan[common]  # 1 if the whole sequence lies on the way to q
    return forced


def measure_constraint_violation(rules: Rules, plan: Plan, player: int) -> float:
    """Return the largest violation of the constraints on realization plans by a player's plan.

        x_i(()) = 1,   x_i(q) = sum over a of x_i(q followed by (I, a)),   x_i >= 0

    for every sequence q and every information set I that q leads to. The result is 0 for a valid plan. Lanctot (2014)
    writes one sum over everything that may follow q, but the constraint has to hold for each I separately.

    Parameters
    ----------
    rules : Rules
        The game.
    plan : mapping
        The weight x_i(q) of each of the player's sequences q.
    player : int
        The player, i.

    Returns
    -------
    float
        The largest violation, which is 0 for a valid plan up to rounding.
    """
    violations = [abs(float(plan[()]) - 1), -float(min(plan.values()))]
    for label, infoset in list_information_sets(rules, player).items():
        q = infoset[0].sequences[player]
        total = sum(plan[*q, (label, action)] for action in list_actions(infoset))
        violations.append(abs(float(plan[q] - total)))
    return max(violations)


def replicate_plan(rules: Rules, plans: Plans, player: int, payoff_shift: Real) -> Plan:
    """Return a player's realization plan after one step of the replicator dynamics.

        x_i(q, t + 1) = x_i(q, t) u_i(x with g_q(x_i)) / u_i(x)

    (Lanctot 2014, eq. 3), where g_q(x_i) is the plan that forces sequence q and follows x_i elsewhere
    (`compute_forced_plan`). A weight of zero stays zero.

    Parameters
    ----------
    rules : Rules
        The game.
    plans : mapping of int to mapping
        The realization plans of all players at time t.
    player : int
        The player, i.
    payoff_shift : float or Fraction
        A number that is added to each payoff, so large that the player's utility is positive.

    Returns
    -------
    mapping of tuple to float or Fraction
        The weight of each of the player's sequences at time t + 1.
    """
    plan = plans[player]
    own_utility = compute_utility(rules, plans, player, payoff_shift)
    next_plan: dict[Sequence, Real] = {}
    for q, weight in plan.items():
        if weight > 0:
            plans_with_q = {**plans, player: compute_forced_plan(q, plan)}
            fitness = compute_utility(rules, plans_with_q, player, payoff_shift)
            next_plan[q] = weight * fitness / own_utility  # eq. 3
        else:
            next_plan[q] = weight
    return next_plan


def compute_expected_utilities(
    rules: Rules, behavior: Behavior, history: Any = None
) -> tuple[Real, ...]:
    """Return each player's expected utility when all players follow a behavior from a given history on.

        u(z) is given at the end of the hand;  u(h) = sum over a of sigma(h, a) u(ha)

    where z is an end of the hand, and sigma(h, .) is the behavior of the player who moves, or the distribution of
    chance (Osborne & Rubinstein 1994, chapter 11).

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action, by (player, label of the information set).
    history : Any, optional
        The history, in the form of the rules. By default it is the empty history, at which the hand begins.

    Returns
    -------
    tuple of float or Fraction
        The expected utility of each player, in the game's unit.
    """
    if history is None:
        history = rules.start()
    turn = rules.turn(history)
    if isinstance(turn, Terminal):
        return turn.utilities
    sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
    terms = []
    for action, probability in sigma.items():
        following = rules.after(history, action)
        terms.append((probability, compute_expected_utilities(rules, behavior, following)))
    return tuple(sum(p * u[player] for p, u in terms) for player in range(rules.num_players))


def compute_counterfactual_reach(
    rules: Rules, behavior: Behavior, player: int, h: ReachedHistory
) -> Real:
    """Return the counterfactual reach probability of a history, to which chance and the other players lead.

    For player i and history h it is `pi_-i(h)`, the probability of h if player i chooses all actions that lead to h. It
    is the product of the probabilities of the chance outcomes in h and of sigma_k(I, a), the behavior, over all choices
    (I, a) of the players k != i in h.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action of the other players, by (player, label of the information set).
    player : int
        The player whose own choices are left out, i.
    h : ReachedHistory
        The history, with the chance probability and the choices that lead to it.

    Returns
    -------
    float or Fraction
        The reach probability.
    """
    other_players = [k for k in range(rules.num_players) if k != player]
    probabilities = []
    for k in other_players:
        for infoset, action in h.sequences[k]:
            probabilities.append(behavior[k, infoset][action])
    return h.chance * prod(probabilities)


def compute_counterfactual_values(
    rules: Rules, behavior: Behavior, player: int
) -> dict[str, dict[str, Real]]:
    """Return the counterfactual value of each action at each information set of a player.

    ::

        v_i(I, a) = sum over h in I of pi_-i(h) u_i(ha)

    where `pi_-i(h)` is the reach probability of h by chance and the other players, and u_i(ha) is the expected utility
    of player i after action a at h. Eq. 7 of Lanctot (2014) has a sum over pairs (h, z), where z is an end of the hand
    below h. The expected utility is the sum over z.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action, by (player, label of the information set).
    player : int
        The player, i.

    Returns
    -------
    dict of str to dict of str to float or Fraction
        The counterfactual value of each action, by the label of the information set.
    """
    values: dict[str, dict[str, Real]] = {}
    for label, infoset in list_information_sets(rules, player).items():
        values[label] = {}
        for action in list_actions(infoset):
            total: Real = 0
            for h in infoset:
                reach = compute_counterfactual_reach(rules, behavior, player, h)
                utilities = compute_expected_utilities(
                    rules, behavior, rules.after(h.history, action)
                )
                total += reach * utilities[player]  # eq. 7
            values[label][action] = total

    return values


class PureBestResponse(NamedTuple):
    """A pure best response of one player.

    Attributes
    ----------
    value : Real
        The player's expected utility with this response.
    actions : dict of str to str
        The action at each information set; of equally good actions the first one.
    """

    value: Real
    actions: dict[str, str]


def best_response(rules: Rules, behavior: Behavior, player: int) -> PureBestResponse:
    """Return a best response of a player to the other players' behavior, and its expected utility.

    ::

        b(I) = argmax over a of sum over h in I of pi_-i(h) w(ha)

    where `pi_-i(h)` is the reach probability of h by chance and the other players, and w(h) is the expected utility of
    player i from h on, if i follows b and the others follow their behavior. Player i cannot distinguish the histories
    of I, so b(I) is one action for all of them. Because of perfect recall, b can be found by backward induction: the
    values after an information set depend only on later ones. Of several best actions the first one is taken.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action of the other players, by (player, label of the information set).
    player : int
        The player who responds, i.

    Returns
    -------
    PureBestResponse
        The expected utility and the actions of the best response.
    """
    infosets = list_information_sets(rules, player)

    @cache
    def find_best_action(label: str) -> str:
        """Return b(I), the action with the highest value at an information set.

        Parameters
        ----------
        label : str
            The label of the information set I.

        Returns
        -------
        str
            The action; of several best actions the first one.
        """
        values = {}
        for action in list_actions(infosets[label]):
            values[action] = sum(
                compute_counterfactual_reach(rules, behavior, player, h)
                * compute_value(rules.after(h.history, action))
                for h in infosets[label]
            )
        return max(values, key=values.__getitem__)

    def compute_value(history: Any) -> Real:
        """Return w(h), the expected utility of the player from a history on, if it plays its best response.

        Parameters
        ----------
        history : Any
            The history h, in the form of the rules.

        Returns
        -------
        float or Fraction
            The expected utility, in the game's unit.
        """
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            return turn.utilities[player]
        if isinstance(turn, Decision) and turn.player == player:
            return compute_value(rules.after(history, find_best_action(turn.infoset)))
        sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
        return sum(p * compute_value(rules.after(history, a)) for a, p in sigma.items())

    actions = {label: find_best_action(label) for label in infosets}
    return PureBestResponse(compute_value(rules.start()), actions)


def iterate_pure_strategies(rules: Rules, player: int) -> Iterator[Table]:
    """Yield every pure strategy of a player, in the form of a behavior with the probabilities 0 and 1.

    A pure strategy has one action at each of the player's information sets.

    Parameters
    ----------
    rules : Rules
        The game.
    player : int
        The player, counted from 0.

    Yields
    ------
    dict of (int, str) to dict of str to float
        The probability of each action, by (player, label of the information set) and then by action.
    """
    infosets = list_information_sets(rules, player)
    action_lists = [list_actions(infoset) for infoset in infosets.values()]
    for chosen_actions in itertools.product(*action_lists):
        strategy: Table = {}
        choices = zip(infosets, action_lists, chosen_actions, strict=True)
        for label, actions, chosen_action in choices:
            strategy[player, label] = {a: 1.0 if a == chosen_action else 0.0 for a in actions}
        yield strategy


def gains(rules: Rules, behavior: Behavior) -> tuple[Real, ...]:
    """Return how much each player gains by deviating from a behavior to a best response.

    The gain of player i is the maximum over s_i of `u_i(s_i, sigma_-i) - u_i(sigma)`, where sigma is the behavior and
    s_i is a pure strategy. The largest gain is the epsilon of eq. 1 of Lanctot (2014).

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action of all players, by (player, label of the information set).

    Returns
    -------
    tuple of float or Fraction
        The gain of each player, in the game's unit.
    """
    utilities = compute_expected_utilities(rules, behavior)
    return tuple(
        best_response(rules, behavior, player).value - utility
        for player, utility in enumerate(utilities)
    )


def nash_conv(rules: Rules, behavior: Behavior) -> Real:
    """Return NashConv, the sum of all players' gains from best responses. It is zero exactly in Nash equilibria.

    Parameters
    ----------
    rules : Rules
        The game.
    behavior : mapping
        The probability of each action of all players, by (player, label of the information set).

    Returns
    -------
    float or Fraction
        NashConv, in the game's unit.
    """
    return sum(gains(rules, behavior))
