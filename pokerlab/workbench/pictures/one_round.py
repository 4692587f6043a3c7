"""One round of a memory, taken apart, and what its pure strategies are called in pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.solvers import ZeroSumProgram
from pokerlab.solvers.memories.memory import MemoryState
from pokerlab.solvers.search import own_utilities

FEW_NUMBERS = 3
"""Numbers of a strategy that can be written out."""
LONGEST = 10
"""Letters of a name that have room in a box."""


def names_of(game: Any, strategies: Any, player: int = 0) -> tuple[str, ...]:
    """Return a name for each of `strategies`, (K, d), in the order met.

    In a game of one choice, such as rock-paper-scissors, it is the action, or in a compound game the
    action in each role; strategies of few numbers are their numbers; others are numbered.
    """
    if isinstance(game, CompiledSymmetric):
        whole, roles = game.game, game.roles
    elif isinstance(game, SequenceForm):
        whole, roles = game, (player,)
    elif strategies.shape[1] <= FEW_NUMBERS:
        return tuple(f"({', '.join(map(str, strategy))})" for strategy in strategies.tolist())
    else:
        return number_names(len(strategies))
    if any(whole.num_infosets[role] != 1 for role in roles):
        return number_names(len(strategies))
    ends = np.cumsum([whole.num_sequences[role] for role in roles])[:-1]
    parts = np.split(strategies, ends, axis=1)
    actions = [whole.action_label[int(whole.infoset_start[role])] for role in roles]
    words = actions if len(roles) == 1 else [brief(each) for each in actions]
    chosen = [
        [names[int(np.argmax(plan[1:]))] for plan in part]
        for names, part in zip(words, parts, strict=True)
    ]
    return tuple(" + ".join(names) for names in zip(*chosen, strict=True))


def brief(actions: Sequence[str]) -> tuple[str, ...]:
    """Return the first letters of actions, or their numbers where these do not tell them apart."""
    letters = tuple(action[0].upper() for action in actions)
    if len(set(letters)) == len(letters):
        return letters
    return tuple(str(number + 1) for number in range(len(letters)))


def shorten(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that fit in a box."""
    return tuple(n if len(n) <= LONGEST else f"{n[: LONGEST - 1]}…" for n in names)


def number_names(count: int) -> tuple[str, ...]:
    """Return the names of strategies that have no shorter one."""
    return tuple(f"no. {number + 1}" for number in range(count))


@dataclass(frozen=True)
class Test:
    """A strategy that the heuristic proposes."""

    name: str
    gain: float  # how much more it wins than the mix, against the others' mixes
    joins: bool  # whether it is a winner that was not known: it joins the memory


@dataclass(frozen=True, eq=False)
class Side:
    """One player's part of a round; in a symmetric memory everybody's."""

    names: tuple[str, ...]  # the encountered strategies after the round, in the order met
    before: Floats  # (K,), their probabilities before and after; NaN before for those that are new
    after: Floats
    tests: tuple[Test, ...]  # what the heuristic has proposed


@dataclass(frozen=True, eq=False)
class OneRound:
    """What happens in one round."""

    iteration: int  # the rounds done before
    heuristic: str  # where tests come from; how mixes are found; what payoffs count
    solver: str
    unit: str
    sides: tuple[Side, ...]  # one for each player, or the only one of a symmetric memory
    payoffs: Floats  # (K_1, K_2), what player 1 wins in the subgame that is solved
    value: float  # what player 1 wins in it by the new mixes

    @property
    def winners(self) -> tuple[tuple[str, ...], ...]:
        """The names of what joins each side."""
        return tuple(tuple(test.name for test in side.tests if test.joins) for side in self.sides)


def one_round(memory: Any, state: Any) -> OneRound:
    """Do one round of `memory` from `state` and return what happens in it."""
    after = memory.step(state)
    if after.iteration == state.iteration:
        raise SettingError(
            f"after {state.iteration} rounds nobody gains any more in {state.game.name}, so no round"
            " follows; draw one from an earlier state."
        )
    solver = "linear program"
    if isinstance(state, MemoryState):
        sides, payoffs = parallel_sides(memory, state, after), after.payoffs[0]
        value = float(after.values[0])
        if not isinstance(memory.subgame, ZeroSumProgram):
            solver = type(memory.subgame).__name__
    else:
        sides, payoffs, value = (symmetric_side(memory, state, after),), after.payoffs, 0.0
    return OneRound(
        state.iteration,
        type(getattr(memory.heuristic, "search", memory.heuristic)).__name__,
        solver,
        state.game.unit.plural,
        sides,
        payoffs,
        value,
    )


def parallel_sides(memory: Any, state: MemoryState, after: MemoryState) -> tuple[Side, ...]:
    """Return both players' parts of a round of the parallel memory."""
    game = state.game
    plan = plans_of(game.block, memory.tests(state))
    gains = own_utilities(game, plan, gradients(game.block, state.plan)) - state.values
    sides = []
    for player, pool in enumerate(after.strategies):
        names = shorten(names_of(game, pool, player))
        proposed = np.append(1, plan[game.num_players :][game.player_sequences[player]])
        at = np.flatnonzero((pool == proposed).all(axis=1))
        known = len(state.strategies[player])
        test = Test(
            names[at[0]] if at.size else "unknown",
            float(gains[player]),
            bool(at.size and at[0] >= known),
        )
        sides.append(
            Side(names, beyond(state.mixes[player], len(pool)), after.mixes[player], (test,))
        )
    return tuple(sides)


def symmetric_side(memory: Any, state: Any, after: Any) -> Side:
    """Return what happens in a round of the symmetric memory."""
    known = len(state.strategies)
    if len(after.strategies) < known or (after.strategies[:known] != state.strategies).any():
        raise SettingError("this memory has dropped strategies; draw one without a capacity.")
    proposed = memory.tests(state)
    used = np.flatnonzero(state.mix)
    gains = state.game.payoffs(proposed, state.strategies[used]) @ state.mix[used]
    names = shorten(names_of(state.game, np.vstack([after.strategies, proposed])))
    tests = []
    for number, (strategy, gain) in enumerate(zip(proposed, gains, strict=True)):
        at = np.flatnonzero((after.strategies == strategy).all(axis=1))
        name = names[int(at[0])] if at.size else names[len(after.strategies) + number]
        tests.append(Test(name, float(gain), bool(at.size and at[0] >= known)))
    held = names[: len(after.strategies)]
    return Side(held, beyond(state.mix, len(held)), after.mix, tuple(tests))


def beyond(mix: Floats, size: int) -> Floats:
    """Return `mix` with NaN for the strategies that it has not met, (size,)."""
    return np.append(mix, np.full(size - len(mix), np.nan))
