"""The worst case itself: exact best responses in every seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.worth import total_gain
from pokerlab.solvers.worst_case.worst_case import Measured
from pokerlab.strategies import Encoding


@dataclass(frozen=True)
class ExactReply:
    """Best responses, one in each seat: the value is NashConv, found without a search.

    This is Algorithm 1 with a tree search to the end, as in the paper's small games.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> from pokerlab.strategies import DirectEncoding
    >>> encoding = DirectEncoding(kuhn())
    >>> measured = ExactReply().measure(encoding, encoding.start[None, :])
    >>> float(measured.values[0].round(6))  # 11/12
    0.916667
    """

    @property
    def exact(self) -> bool:
        """Always: these are exact best responses."""
        return True

    def reply_size(self, encoding: Encoding) -> int:
        """Return 0: best responses are pure strategies, not genomes."""
        return 0

    def first_replies(self, genomes: Floats, best: Floats, last_reply: Floats) -> Floats:
        """Return nothing, (k, 0)."""
        return np.empty((len(genomes), 0))

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        replies: Floats | None = None,
        *,
        seed: int = 0,
        generation: int = 0,
        individuals: Sequence[int] = (),
    ) -> Measured:
        """Return the exploitability of genomes, (k, G); nothing but them matters."""
        values = exact_values(encoding, genomes)
        count = len(genomes)
        return Measured(values, np.zeros(count), np.empty((count, 0)), 0)


def exact_values(encoding: Encoding, genomes: Floats) -> Floats:
    """Return the sum over seats of what best responses gain against genomes, (k, G): (k,)."""
    game: Any = encoding.game
    behaviors = getattr(encoding, "behaviors", None)
    if isinstance(game, SequenceForm) and behaviors is not None:
        return total_gains(game.block, behaviors(genomes))
    return np.array([game.nash_conv(encoding.profile(genome)) for genome in genomes], np.float64)


@kernel
def total_gains(block: Floats, behaviors: Floats) -> Floats:
    """Return the sum over players of best responses' gains against each of `behaviors`, (k, S - n)."""
    gains = np.empty(behaviors.shape[0])
    for row in range(gains.size):
        gains[row] = total_gain(block, behaviors[row])
    return gains
