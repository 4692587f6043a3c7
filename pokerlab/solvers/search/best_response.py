"""The exact best response as a search heuristic (Oliehoek et al. 2006, section 5)."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import UnknownNameError, stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import behavior_of, plans_of
from pokerlab.games.sequence_form.worth import gradients, utilities_and_replies
from pokerlab.solvers.search.heuristic import own_utilities

RULES = ("uniform", "first", "random")
SHORTFALL = 1e-12
"""What a reply may miss of the best one: rounding."""
SMALLEST_TREMBLE = 1e-15
"""A tremble below it is lost in rounding."""
LARGEST_TREMBLE = 0.1


@dataclass(frozen=True, kw_only=True)
class BestResponse:
    """The best response to what the others play, by one backward pass over the information sets.

    At information sets that the others' mixes never reach, everything is equally good. The paper does
    not say what it does there; it decides how fast a memory converges.

    Attributes
    ----------
    unreached : {'uniform', 'first', 'random'}
        What a reply does there. 'uniform': what is best if the others slip now and then, to every
        action equally often; 'random': what is best if they slip to a profile drawn anew in each
        round; 'first': the first action.
    tremble : float
        Probability of a slip at each information set, 1e-15 to 0.1. A slip decides only between
        replies that are otherwise equally good. For none there is 'first'.
    seed : int
        Decides the slips of 'random'; the other rules draw nothing.
    """

    unreached: str = "uniform"
    tremble: float = 1e-6
    seed: int = 0

    def __post_init__(self) -> None:
        UnknownNameError.check("rule for unreached information sets", self.unreached, RULES)
        number("tremble", self.tremble, SMALLEST_TREMBLE, LARGEST_TREMBLE)

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return everybody's best response.

        A reply to others who slip may miss as much as they slip. When that shows, they slip a
        thousand times less.
        """
        n = game.num_players
        behavior = behavior_of(game.block, plan)
        _, best, reply = utilities_and_replies(game.block, behavior, 0, n)
        if self.unreached == "first":
            return reply
        slip = self.slip(game, round_)
        gradient = gradients(game.block, plan)
        tremble = self.tremble
        while tremble >= SMALLEST_TREMBLE:
            slipping = (1.0 - tremble) * behavior + tremble * slip
            careful = utilities_and_replies(game.block, slipping, 0, n)[2]
            won = own_utilities(game, plans_of(game.block, careful), gradient)
            if (best - won).max() <= SHORTFALL:
                return careful
            tremble /= 1000.0
        return reply

    def slip(self, game: SequenceForm, round_: int) -> Floats:
        """Return the behavior, (S - n,), to which everybody slips."""
        if self.unreached == "uniform":
            return game.uniform().probabilities
        weights = stream(self.seed, "slip", round_).exponential(size=game.num_probabilities)
        sums = np.add.reduceat(weights, game.first_sequence - game.num_players)
        return np.asarray(weights / np.repeat(sums, game.num_actions))
