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

from pokerlab.core.public_names import shown
from pokerlab.reference import definitions
from pokerlab.reference.doors import checked

best_response = checked(definitions.best_response)
constraint_violation = checked(definitions.constraint_violation)
counterfactual_values = checked(definitions.counterfactual_values)
expected_utilities = checked(definitions.expected_utilities)
g_q = checked(definitions.g_q)
gains = checked(definitions.gains)
histories = checked(definitions.histories)
information_sets = checked(definitions.information_sets)
nash_conv = checked(definitions.nash_conv)
pure_strategies = checked(definitions.pure_strategies)
realization_plan = checked(definitions.realization_plan)
realization_plans = checked(definitions.realization_plans)
replicated = checked(definitions.replicated)
uniform = checked(definitions.uniform)
utility = checked(definitions.utility)

__all__, __dir__ = shown({name: found for name, found in globals().items() if found is not checked})
