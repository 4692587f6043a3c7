"""Fictitious play in extensive form (Heinrich, Lanctot & Silver 2015, section 3)."""

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import best_response_values, realize, workspace
from pokerlab.solvers.dynamics.dynamics import DynamicsState
from pokerlab.solvers.protocol import check_start, check_step, is_alternating


class FictitiousPlay:
    """Every player plays a best response to the average of what the others have played so far.

    Averages are taken over realization plans, which is the same as averaging mixed strategies.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    order : {'simultaneous', 'alternating'}
        Whether a player's average already includes the reply of this iteration when the next
        replies.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def __init__(
        self, game: SequenceForm, *, order: str = "simultaneous", start: Profile | None = None
    ) -> None:
        check_start(game, start)
        self.game, self.start = game, start
        self.alternating = is_alternating(order)

    def init(self) -> DynamicsState:
        """Return the state in which nothing has been done."""
        return DynamicsState.begin(self.game, self.start)

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state `count` iterations after `state`."""
        count = check_step(self.game, state, count, DynamicsState)
        behavior, plan_sum = state.behavior.copy(), state.plan_sum.copy()
        play_steps(self.game.block, behavior, plan_sum, state.iteration, count, self.alternating)
        return DynamicsState(self.game, state.iteration + count, behavior, plan_sum).frozen()


@kernel
def play_steps(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    done: int,
    count: int,
    alternating: bool,
) -> None:
    """Do `count` iterations after the `done` ones; overwrites `behavior` and `plan_sum`."""
    game = workspace(block)
    n = game.ids[0]
    for t in range(done + 1, done + count + 1):
        for player in range(n):
            realize(game, player, behavior)
        for q in range(n, plan_sum.size):
            plan_sum[q] += game.plan[q]
            game.plan[q] = plan_sum[q] / t
        for player in range(n):
            best_response_values(game, player, behavior)
            if alternating:
                realize(game, player, behavior)
                for infoset in range(game.infosets[player], game.infosets[player + 1]):
                    for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
                        game.plan[q] = (plan_sum[q] + game.plan[q]) / (t + 1)
