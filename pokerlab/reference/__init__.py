"""The textbook definitions: slow, obvious, and independent of everything that is fast.

Each takes a game's rules and strategies as dictionaries, `profile.table()`. Notebooks show them
beside their formulas, and tests hold the fast code against them.

>>> import pokerlab as pl
>>> kuhn = pl.games.kuhn()
>>> round(nash_conv(kuhn.rules, kuhn.uniform().table()), 12)  # 11/12
0.916666666667
>>> best_response(kuhn.rules, kuhn.uniform().table(), player=0).actions["K, pass-bet"]
'bet'
"""

from pokerlab.reference.dynamics import (
    everybody_updates,
    fictitious_play,
    learning_rate,
    losses,
    payoff_range,
    polynomial_weights,
    projected_utilities,
    replicated,
    replicator_dynamics,
    replicator_flow,
    reweighted,
)
from pokerlab.reference.histories import (
    Behavior,
    Plan,
    Plans,
    ReachedHistory,
    Sequence,
    actions_at,
    average_behavior,
    behavior_of,
    behavior_of_all,
    constraint_violation,
    g_q,
    histories,
    information_sets,
    realization_plan,
    realization_plans,
    uniform,
    utility,
)
from pokerlab.reference.holdem.players import (
    matrix_cell,
    matrix_decision,
    network_decision,
    network_inputs,
    network_outputs,
    rule_decision,
)
from pokerlab.reference.pareto_front import (
    WinMatrix,
    better_against,
    dominates,
    nearness,
    pareto_front,
)
from pokerlab.reference.regret import (
    average_regret,
    cfr,
    cfr_plus,
    counterfactual_bound,
    discounted_cfr,
    minimize_regret,
    predictive_cfr_plus,
    regret_matching,
)
from pokerlab.reference.values import (
    PureReply,
    best_pure_value,
    best_response,
    counterfactual_values,
    expected_utilities,
    expectimax,
    gains,
    instant_regrets,
    nash_conv,
    others_reach,
    pure_strategies,
)

__all__ = [
    "Behavior",
    "Plan",
    "Plans",
    "PureReply",
    "ReachedHistory",
    "Sequence",
    "WinMatrix",
    "actions_at",
    "average_behavior",
    "average_regret",
    "behavior_of",
    "behavior_of_all",
    "best_pure_value",
    "best_response",
    "better_against",
    "cfr",
    "cfr_plus",
    "constraint_violation",
    "counterfactual_bound",
    "counterfactual_values",
    "discounted_cfr",
    "dominates",
    "everybody_updates",
    "expected_utilities",
    "expectimax",
    "fictitious_play",
    "g_q",
    "gains",
    "histories",
    "information_sets",
    "instant_regrets",
    "learning_rate",
    "losses",
    "matrix_cell",
    "matrix_decision",
    "minimize_regret",
    "nash_conv",
    "nearness",
    "network_decision",
    "network_inputs",
    "network_outputs",
    "others_reach",
    "pareto_front",
    "payoff_range",
    "polynomial_weights",
    "predictive_cfr_plus",
    "projected_utilities",
    "pure_strategies",
    "realization_plan",
    "realization_plans",
    "regret_matching",
    "replicated",
    "replicator_dynamics",
    "replicator_flow",
    "reweighted",
    "rule_decision",
    "uniform",
    "utility",
]


def __dir__() -> list[str]:
    return sorted(__all__)
