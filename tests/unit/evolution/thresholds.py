"""Players of four float32 genes, as small as an encoding can be, for tests of evolution at tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core.compiler import kernel
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.table_view import HOLE, MIN_RAISE_TO, PARAMETERS, TO_CALL


@kernel
def by_thresholds(views: Any, asked: Any, parameters: Any, luck: Any, out: Any) -> None:
    """Fold, call or raise by the hole cards' ranks and two thresholds, moved by luck and the price."""
    for row in asked:
        genes, view = parameters[views[row, PARAMETERS]], views[row]
        strength = (view[HOLE] // 4 + view[HOLE + 1] // 4) / 12.0 - 1.0
        felt = strength + genes[2] * (luck[row] - 0.5) - genes[3] * (view[TO_CALL] > 40)
        if felt > 0.5 + genes[1] and view[MIN_RAISE_TO] > 0:
            out[row] = view[MIN_RAISE_TO]
        elif felt < 0.3 * genes[0] and view[TO_CALL] > 0:
            out[row] = FOLD
        else:
            out[row] = CALL


@dataclass(frozen=True)
class Thresholds:
    """An encoding: when to fold, when to raise, how much luck and large bets matter."""

    @property
    def num_genes(self) -> int:
        return 4

    def draw_genomes(self, generator: np.random.Generator, count: int) -> np.ndarray:
        return generator.normal(size=(count, 4)).astype(np.float32)

    def make_players(self, genomes: np.ndarray) -> Sequence[CompiledPlayer]:
        return [CompiledPlayer(by_thresholds, genome) for genome in genomes]
