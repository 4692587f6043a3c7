"""What a profile is worth, by recursion on histories."""

from typing import Any

from pokerlab.games.rules import Chance, Rules, Terminal
from pokerlab.reference.histories import Behaviour, Real


def expected_utilities(rules: Rules, behaviour: Behaviour, history: Any = None) -> tuple[Real, ...]:
    """Return everybody's expected utility from `history` on, by default from the start.

        u(z) is given at the end of the hand;  u(h) = sum over a of sigma(h, a) u(ha)

    where sigma(h, .) is the mover's behaviour, or the distribution of chance (Osborne & Rubinstein
    1994, chapter 11).
    """
    if history is None:
        history = rules.start()
    turn = rules.turn(history)
    if isinstance(turn, Terminal):
        return turn.utilities
    sigma = turn.outcomes if isinstance(turn, Chance) else behaviour[turn.player, turn.infoset]
    below = [
        (p, expected_utilities(rules, behaviour, rules.after(history, a))) for a, p in sigma.items()
    ]
    return tuple(sum(p * u[player] for p, u in below) for player in range(rules.num_players))
