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
from pokerlab.reference.tree import constraint_violation as constraint_violation
from pokerlab.reference.tree import g_q as g_q
from pokerlab.reference.tree import histories as histories
from pokerlab.reference.tree import information_sets as information_sets
from pokerlab.reference.tree import realization_plan as realization_plan
from pokerlab.reference.tree import realization_plans as realization_plans
from pokerlab.reference.tree import replicated as replicated
from pokerlab.reference.tree import uniform as uniform
from pokerlab.reference.tree import utility as utility
from pokerlab.reference.values import best_response as best_response
from pokerlab.reference.values import counterfactual_values as counterfactual_values
from pokerlab.reference.values import expected_utilities as expected_utilities
from pokerlab.reference.values import gains as gains
from pokerlab.reference.values import nash_conv as nash_conv
from pokerlab.reference.values import pure_strategies as pure_strategies

__all__, __dir__ = shown(globals())
