"""The textbook definitions: slow, obvious, and independent of everything that is fast.

Each takes a game's rules and strategies as dictionaries, `profile.table()`. Notebooks show them beside their
formulas, and tests hold the fast code against them; further ones, which only tests read, stand in `tests/oracles`.

>>> import pokerlab as pl
>>> kuhn = pl.games.kuhn()
>>> round(nash_conv(kuhn.rules, kuhn.uniform().table()), 12)  # 11/12
0.916666666667
>>> best_response(kuhn.rules, kuhn.uniform().table(), player=0).actions["K, pass-bet"]
'bet'
"""

from pokerlab.core.faces import shown
from pokerlab.reference import tree, values
from pokerlab.reference.doors import checked

best_response = checked(values.best_response)
constraint_violation = checked(tree.constraint_violation)
counterfactual_values = checked(values.counterfactual_values)
expected_utilities = checked(values.expected_utilities)
g_q = checked(tree.g_q)
gains = checked(values.gains)
histories = checked(tree.histories)
information_sets = checked(tree.information_sets)
nash_conv = checked(values.nash_conv)
pure_strategies = checked(values.pure_strategies)
realization_plan = checked(tree.realization_plan)
realization_plans = checked(tree.realization_plans)
replicated = checked(tree.replicated)
uniform = checked(tree.uniform)
utility = checked(tree.utility)

__all__, __dir__ = shown({name: found for name, found in globals().items() if found is not checked})
