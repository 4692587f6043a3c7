"""Fictitious play in extensive form: everybody replies best to what the others have done so far."""

from collections.abc import Iterator

from pokerlab.games.rules import Rules
from pokerlab.reference.best_response import best_response
from pokerlab.reference.histories import Table, uniform
from pokerlab.reference.realization import average_behavior, realization_plans


def fictitious_play(rules: Rules) -> Iterator[Table]:
    """Yield sigma^1, the uniform profile, and then sigma^(t+1), the best responses to the average.

    The average is that of the realization plans of sigma^1 to sigma^t, which is the behavior of
    the averaged mixed strategies (Heinrich, Lanctot & Silver 2015, section 3). Ties go to the first
    action, so that rounding decides between actions that are equally good.
    """
    profile = uniform(rules)
    past = []
    while True:
        yield profile
        past.append(realization_plans(rules, profile))
        average = average_behavior(rules, past)
        profile = {
            (player, label): {a: 1.0 if a == chosen else 0.0 for a in profile[player, label]}
            for player in range(rules.num_players)
            for label, chosen in best_response(rules, average, player).actions.items()
        }
