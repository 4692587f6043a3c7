"""The textbook definitions: slow, plain, and independent of the fast code.

Each takes a game's rules, and strategies as dictionaries, `profile.to_table()`. Begin with `histories`, which all
others use. Notebooks show them beside their formulas, and tests compare the fast code with them.

>>> import pokerlab as pl
>>> kuhn = pl.games.kuhn()
>>> round(nash_conv(kuhn.rules, kuhn.uniform().to_table()), 12)  # 11/12
0.916666666667
>>> best_response(kuhn.rules, kuhn.uniform().to_table(), player=0).actions["K, pass-bet"]
'bet'
"""

from pokerlab.core.public_names import declare_public_names
from pokerlab.reference import argument_checks as checks
from pokerlab.reference import definitions

best_response = checks.add_checks(definitions.best_response, needed_behavior=checks.other_players)
constraint_violation = checks.add_checks(definitions.constraint_violation)
counterfactual_values = checks.add_checks(definitions.counterfactual_values)
expected_utilities = checks.add_checks(definitions.expected_utilities)
g_q = checks.add_checks(definitions.g_q)
gains = checks.add_checks(definitions.gains)
histories = checks.add_checks(definitions.histories)
information_sets = checks.add_checks(definitions.information_sets)
nash_conv = checks.add_checks(definitions.nash_conv)
pure_strategies = checks.add_checks(definitions.pure_strategies)
realization_plan = checks.add_checks(
    definitions.realization_plan, needed_behavior=checks.only_player
)
realization_plans = checks.add_checks(definitions.realization_plans)
replicated = checks.add_checks(definitions.replicated, needs_positive_utility=True)
uniform = checks.add_checks(definitions.uniform)
utility = checks.add_checks(definitions.utility)

declare_public_names(globals())
