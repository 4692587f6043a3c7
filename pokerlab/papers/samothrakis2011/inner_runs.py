"""Samothrakis & Lucas (2011), Figure 2: the inner runs within an outer one, from a run of its own.

The paper draws an imagined one. Inner runs are named by seed, generation and individual, so that
they can be run again for a closer look, with the same result.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.solvers.coevolution.minimax_coevolution import MinimaxCoevolution, MinimaxState
from pokerlab.solvers.worst_case.inner_evolution import InnerEvolution


class InnerRun(NamedTuple):
    """The evolution of replies against one genome; the individual after the last is the best so far, measured again.

    After each of k inner generations, (k,): matches since the beginning of the outer run, and what the best reply so
    far wins over all seats, in the game's unit.
    """

    generation: int
    individual: int
    evaluations: Ints
    won: Floats


class NestedRuns(NamedTuple):
    """An outer run, its states, and all its inner ones.

    After each outer generation, (generations + 1,): matches so far, exploitability of the best genome as the inner
    runs find it, and by exact best responses.
    """

    inner: tuple[InnerRun, ...]
    evaluations: Ints
    found: Floats
    exact: Floats
    states: tuple[MinimaxState, ...]


def nested_runs(coevolution: MinimaxCoevolution, generations: int) -> NestedRuns:
    """Run a coevolution and look into it: what inner replies win, inner generation by generation."""
    worst_case = coevolution.worst_case
    if not isinstance(worst_case, InnerEvolution):
        raise SettingError(
            f"the worst case is {worst_case!r}; there are inner runs only in a coevolution"
            " with worst_case=solvers.InnerEvolution()."
        )
    whole("generations", generations, 1, LARGEST_COUNT)

    def run_again(genome: Floats, reply: Floats, generation: int, individual: int) -> InnerRun:
        named = {"seed": coevolution.seed, "generation": generation, "individual": individual}
        course = list(worst_case.run(coevolution.encoding, genome, reply, **named))
        done = int(inner[-1].evaluations[-1]) if inner else 0
        evaluations = done + np.array([now.evaluations for now in course])
        won = np.array([now.value for now in course])
        return InnerRun(generation, individual, evaluations, won)

    states, inner = [coevolution.init()], list[InnerRun]()
    inner.append(run_again(states[0].best, states[0].best, 0, 0))
    for generation in range(1, generations + 1):
        before = states[-1]
        genomes = coevolution.evolution.ask(before.evolution)
        replies = worst_case.first_replies(genomes, before.best, before.last_reply)
        measured = list(zip(genomes, replies, strict=True))
        if coevolution.rechecked:
            measured.append((before.best, before.reply))
        for individual, (genome, reply) in enumerate(measured):
            inner.append(run_again(genome, reply, generation, individual))
        states.append(coevolution.step(before))
    return NestedRuns(
        tuple(inner),
        np.array([state.inner_evaluations for state in states]),
        np.array([state.best_value for state in states]),
        np.array([state.exact_value for state in states]),
        tuple(states),
    )
