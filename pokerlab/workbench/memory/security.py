"""Security sets: against which pure strategies of the whole game each mix is secure, round after round.

A mix is secure against a strategy if it leaves its player at least the value of the subgame it was
found in; in a symmetric game that is S(mix) = {s : E(mix, s) >= 0} (Oliehoek et al. 2006, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.solvers import MemoryState
from pokerlab.strategies.normal_form import pure_plans
from pokerlab.workbench.memory.names import names_of

ROUNDING = 1e-9
"""What a mix may fall short by, in the game's unit: the linear program's rounding."""
MOST_STRATEGIES = 64
"""Pure strategies that fit side by side."""


class Security(NamedTuple):
    """What is secure against what; R rounds, K pure strategies of the opponent.

    Attributes
    ----------
    rounds : tuple of int
        The rounds after which the mixes were found.
    names : tuple of str
        The strategies.
    secure : ndarray of bool, shape (R, K)
        Whether the mix is secure against the strategy.
    met : ndarray of bool, shape (R, K)
        Whether the strategy is in memory.
    weights : ndarray of shape (R, K)
        The opponent's probabilities of the strategies; in a symmetric game everybody's.
    """

    rounds: tuple[int, ...]
    names: tuple[str, ...]
    secure: Bools
    met: Bools
    weights: Floats

    @property
    def lost(self) -> Bools:
        """Where a mix is not secure although the one before was, (R, K)."""
        before = np.vstack([np.zeros((1, self.secure.shape[1]), dtype=bool), self.secure[:-1]])
        return np.asarray(before & ~self.secure)


def security_of(states: Sequence[Any], player: int = 0) -> Security:
    """Return which pure strategies each mix is secure against.

    Parameters
    ----------
    states : sequence
        States of one memory for two players, or of a symmetric one, in a game of few strategies.
    player : int
        Whose mix, 0-based; the strategies are the opponent's. A symmetric memory has only one mix.

    Raises
    ------
    SettingError
        If there are no states, or more strategies than can be drawn.
    """
    if not states:
        raise SettingError("no states to look at; give the states of a memory, one a round.")
    game = states[0].game
    everyone = all_strategies(states[0], player)
    if len(everyone) > MOST_STRATEGIES:
        raise SettingError(
            f"{game.name} has {len(everyone)} pure strategies to be secure against; up to"
            f" {MOST_STRATEGIES} can be drawn. Try a matrix game."
        )
    parts = [against(state, everyone, player) for state in states]
    won, met, weights = (np.array(part) for part in zip(*parts, strict=True))
    return Security(
        tuple(int(state.iteration) for state in states),
        names_of(game, 1 - player if isinstance(states[0], MemoryState) else 0, everyone),
        won >= -ROUNDING,
        met,
        weights,
    )


def all_strategies(state: Any, player: int) -> Any:
    """Return all pure strategies that `player` may meet, (K, d)."""
    game = state.game
    if isinstance(state, MemoryState):
        if game.num_players != 2:
            raise SettingError(
                f"{game.name} has {game.num_players} players; security sets are for two."
            )
        return pure_plans(game, 1 - player).astype(np.int8)
    if isinstance(game, CompiledSymmetric):
        first, second = (pure_plans(game.game, p).astype(np.int8) for p in range(2))
        if len(game.roles) == 1:
            return first
        pairs = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))
        return np.hstack(pairs)
    raise SettingError(
        f"{game.name} cannot list its strategies; security sets are drawn of compiled games."
    )


def against(state: Any, everyone: Any, player: int) -> tuple[Floats, Bools, Floats]:
    """Return what the mix wins beyond the subgame's value, what has been met, and how it is weighed."""
    if isinstance(state, MemoryState):
        mine = state.mixes[player] @ state.strategies[player].astype(np.float64)
        matrix = state.game.payoff_matrix(player)
        won = everyone @ (matrix.T @ mine if player == 0 else matrix @ mine) - state.values[player]
        pool, mix = state.strategies[1 - player], state.mixes[1 - player]
    else:
        won = state.mix @ state.game.payoffs(state.strategies, everyone)
        pool, mix = state.strategies, state.mix
    held = (everyone[:, None, :] == pool[None, :, :]).all(axis=2)
    return won, held.any(axis=1), held @ mix
