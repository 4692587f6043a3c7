"""Random search: pure strategies drawn blindly, and now and then a best response."""

from dataclasses import dataclass, field

from pokerlab.core import stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.search.best_response import BestResponse
from pokerlab.solvers.search.heuristic import check_heuristic, pure_behavior


@dataclass(frozen=True, kw_only=True)
class RandomSearch:
    """A random pure strategy for each player, and sometimes everybody's best response.

    Attributes
    ----------
    seed : int
        Decides what is drawn.
    best_response_share : float
        Probability of the best response in a round, 0 to 1; above 0 a memory still converges.
    best_response : BestResponse
        How it is found.
    """

    seed: int
    best_response_share: float = 0.1
    best_response: BestResponse = field(default_factory=BestResponse)

    def __post_init__(self) -> None:
        number("best_response_share", self.best_response_share, 0.0, 1.0)
        check_heuristic(self.best_response)

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return one random pure strategy a player, or everybody's best response."""
        rng = stream(self.seed, "search", round_)
        if rng.random() < self.best_response_share:
            return self.best_response(game, plan, round_)
        return pure_behavior(game, rng.integers(game.num_actions))
