"""What replies win against one genome: exactly, or over a number of hands.

A reply takes each seat in turn while the genome keeps all others. What it wins is summed over the
seats, less what the genome itself wins there: in a two-player zero-sum game that is nothing.
"""

from typing import Any, Protocol

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of, realize, workspace
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.strategies import Encoding


class ReplyMatches(Protocol):
    """Matches of any number of replies against one genome."""

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win, (k,), and its standard errors, (k,)."""


class ExactMatches:
    """Expected winnings in a compiled game: linear in a reply's realization plans."""

    def __init__(self, encoding: Any, genome: Floats) -> None:
        self.encoding, self.block = encoding, encoding.game.block
        self.behavior = encoding.behaviors(genome[None, :])[0]
        self.gradient = gradients(self.block, plans_of(self.block, self.behavior))

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average, (k,), and zeros."""
        behaviors = self.encoding.behaviors(replies)
        won = linear_gains(self.block, self.gradient, self.behavior, behaviors)
        return won, np.zeros(len(won))


class AnyMatches:
    """Expected winnings in any other exact game, profile by profile."""

    def __init__(self, encoding: Encoding, genome: Floats) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.profile = encoding.profile(genome)
        self.own = float(self.game.values(self.profile).sum())

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average, (k,), and zeros."""
        won = []
        for genome in replies:
            reply = self.encoding.profile(genome)
            seats = range(self.game.num_players)
            mixed = [self.game.values(self.profile.replace(seat, reply))[seat] for seat in seats]
            won.append(sum(mixed) - self.own)
        return np.array(won), np.zeros(len(won))


class PlayedMatches:
    """Mean winnings over a number of hands in each seat of a compiled game.

    Where several ends share everybody's sequences, their expected utility is paid.
    """

    def __init__(self, encoding: Any, genome: Floats, hands: int) -> None:
        self.encoding, self.game, self.hands = encoding, encoding.game, hands
        profile = encoding.profile(genome)
        self.plan = plans_of(self.game.block, profile.vector)
        self.own = float(self.game.values(profile).sum())

    def won(self, replies: Floats, rng: np.random.Generator | None) -> tuple[Floats, Floats]:
        """Return what replies, (k, G), win on average over the hands, (k,), and its standard errors."""
        assert rng is not None
        game = self.game
        means, variances = np.zeros(len(replies)), np.zeros(len(replies))
        for row, behavior in enumerate(self.encoding.behaviors(replies)):
            plan = plans_of(game.block, behavior)
            for seat in range(game.num_players):
                chance = game.chance.copy()
                for player in range(game.num_players):
                    played = plan if player == seat else self.plan
                    chance *= played[game.sequence[:, player]]
                frequency = rng.multinomial(self.hands, chance / chance.sum()) / self.hands
                payoff = game.payoff[:, seat]
                mean = float(frequency @ payoff)
                means[row] += mean
                variances[row] += float(frequency @ (payoff - mean) ** 2)
        return means - self.own, np.sqrt(variances / max(self.hands - 1, 1))


def matches_against(encoding: Encoding, genome: Floats, hands: int | None) -> ReplyMatches:
    """Return the matches against `genome`, (G,), exact or of `hands` hands.

    Raises
    ------
    GameError
        If hands are to be played in a game that is not compiled.
    """
    compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "behaviors")
    if hands is None:
        return (ExactMatches if compiled else AnyMatches)(encoding, genome)
    if not compiled:
        raise GameError(
            f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
        )
    return PlayedMatches(encoding, genome, hands)


@kernel
def linear_gains(block: Floats, gradient: Floats, behavior: Floats, replies: Floats) -> Floats:
    """Return the sum over players of gradient times the change of plan, for each of `replies`, (k, S - n)."""
    game = workspace(block)
    n = game.ids[0]
    own = plans_of(block, behavior)
    gains = np.zeros(replies.shape[0])
    for row in range(gains.size):
        game.plan[n:] = replies[row]
        for player in range(n):
            realize(game, player, game.plan)
        for q in range(n, own.size):
            gains[row] += gradient[q] * (game.plan[q] - own[q])
    return gains
