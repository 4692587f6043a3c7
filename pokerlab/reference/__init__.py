"""The textbook definitions: slow, plain, and independent of the fast code.

Each definition takes the rules of a game, and strategies as the dictionaries that `profile.to_table()` returns. Begin
with `iterate_histories`, which all others use. Notebooks show the definitions beside their formulas, and tests compare
the fast code with them.

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

best_response = checks.add_argument_checks(
    definitions.best_response, list_players_needed=checks.list_other_players
)
measure_constraint_violation = checks.add_argument_checks(definitions.measure_constraint_violation)
compute_counterfactual_values = checks.add_argument_checks(
    definitions.compute_counterfactual_values
)
compute_expected_utilities = checks.add_argument_checks(definitions.compute_expected_utilities)
compute_forced_plan = checks.add_argument_checks(definitions.compute_forced_plan)
gains = checks.add_argument_checks(definitions.gains)
iterate_histories = checks.add_argument_checks(definitions.iterate_histories)
list_information_sets = checks.add_argument_checks(definitions.list_information_sets)
nash_conv = checks.add_argument_checks(definitions.nash_conv)
iterate_pure_strategies = checks.add_argument_checks(definitions.iterate_pure_strategies)
compute_realization_plan = checks.add_argument_checks(
    definitions.compute_realization_plan, list_players_needed=checks.list_one_player
)
compute_realization_plans = checks.add_argument_checks(definitions.compute_realization_plans)
replicate_plan = checks.add_argument_checks(definitions.replicate_plan, needs_positive_utility=True)
uniform = checks.add_argument_checks(definitions.uniform)
compute_utility = checks.add_argument_checks(definitions.compute_utility)

declare_public_names(globals())
