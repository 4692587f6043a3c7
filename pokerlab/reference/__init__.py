"""The textbook definitions: slow, obvious, and independent of everything that is fast.

Each takes a game's rules and strategies as dictionaries, `profile.table()`. Notebooks show them
beside their formulas, and tests hold the fast code against them; further ones, which only tests
read, stand in `tests/oracles`.

>>> import pokerlab as pl
>>> kuhn = pl.games.kuhn()
>>> round(nash_conv(kuhn.rules, kuhn.uniform().table()), 12)  # 11/12
0.916666666667
>>> best_response(kuhn.rules, kuhn.uniform().table(), player=0).actions["K, pass-bet"]
'bet'
"""

from pokerlab.reference.tree import (
    constraint_violation,
    g_q,
    histories,
    information_sets,
    realization_plan,
    realization_plans,
    replicated,
    uniform,
    utility,
)
from pokerlab.reference.values import (
    best_response,
    counterfactual_values,
    expected_utilities,
    gains,
    nash_conv,
    pure_strategies,
)

__all__ = [
    "best_response",
    "constraint_violation",
    "counterfactual_values",
    "expected_utilities",
    "g_q",
    "gains",
    "histories",
    "information_sets",
    "nash_conv",
    "pure_strategies",
    "realization_plan",
    "realization_plans",
    "replicated",
    "uniform",
    "utility",
]


def __dir__() -> list[str]:
    return sorted(__all__)
