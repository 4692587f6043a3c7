"""Nicolai & Hilderman (2009), networks evolved by tournaments: the experiments, and what is recorded of them.

Ranks within a population cannot show progress: half of it is always above the median. Beside a champion's
rank stand its first places, the hands that it wins and what it does, since elimination rewards folding.
"""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.evolution.population import (
    NO_HALL,
    Elites,
    HallOfElites,
    HandsWon,
    InfiniteHall,
    MeanRank,
    Profit,
    WeightedSum,
)
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.parts import KINDS_OF_ACTION, Genomes, HallRule, Worth
from pokerlab.holdem import Aggressiveness, TableNetwork, Tournament, Tournaments, tournament
from pokerlab.papers.experiment import Experiment, part
from pokerlab.papers.nicolai2009.config import (
    EARLIER,
    ELITES,
    HANDS,
    NONE,
    SURVIVAL,
    Config,
    blinds_of,
    entrants,
)
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution, PopulationState

PAPER = "nicolai-2009"


def of_champions(state: PopulationState, numbers: NDArray[Any]) -> NDArray[Any]:
    """Return what `numbers`, (P, N, ...), say of each population's champion, (P, ...)."""
    best = np.argmax(state.score, axis=1)
    said: NDArray[Any] = numbers[np.arange(len(best)), best]
    return said


def rank_of_champion(state: PopulationState) -> float:
    """Return the champion's mean rank among all entrants, 1 being best; the mean of the populations."""
    return float(of_champions(state, state.mean_rank).mean())


def hands_won_by_champion(state: PopulationState) -> float:
    """Return the share of its hands in which the champion won chips; 0 before anybody has played."""
    won, played = (of_champions(state, numbers).sum() for numbers in (state.hands_won, state.hands))
    return float(won / max(played, 1))


def spread(populations: Genomes) -> float:
    """Return how networks of one population differ: the root of the mean variance of a weight.

    `populations`, (P, N, G). Sums of parents make it small, and noise alone keeps it from zero.
    """
    return float(np.sqrt(np.var(populations, axis=1, dtype=np.float64).mean()))


def age_in_hall(state: PopulationState, of: Callable[[Ints], Any]) -> float:
    """Return for how many generations those in the halls have been there: the mean, or by np.min the longest."""
    there = state.hall.since[state.hall.since != EMPTY]
    return float(state.iteration - of(there)) if there.size else 0.0


def game(config: Config) -> Tournament:
    """Return the tournament that is played."""
    return tournament(
        blinds_of(config, entrants(config), free_folds=config.free_folds),
        entrants=entrants(config),
        seats=config.seats,
        stacks=config.stacks,
        form=config.form,
        aggressiveness=part(Aggressiveness, config),
    )


def encoding(config: Config) -> TableNetwork:
    """Return what genomes mean."""
    return part(TableNetwork, config, tournament_chips=entrants(config) * config.stacks)


def worth(config: Config) -> Worth:
    """Return what agents are judged by."""
    if config.worth == SURVIVAL:
        return MeanRank(among=config.among)
    return HandsWon(per="a hand") if config.worth == HANDS else Profit(per="a hand")


def hall(config: Config) -> HallRule:
    """Return who of the past plays."""
    if config.hall == NONE:
        return NO_HALL
    kind: Callable[..., HallRule] = HallOfElites if config.hall == ELITES else InfiniteHall
    return part(kind, config, "hall_")


def solver(config: Config, *, workers: Any = 1) -> PopulationCoevolution:
    """Return the coevolution that `config` describes; no number depends on `workers`."""
    return PopulationCoevolution(
        game(config),
        encoding(config),
        seed=config.seed,
        size=config.agents,
        matches=Tournaments(count=config.tournaments),
        worth=worth(config),
        selection=Elites(share=config.elites),
        variation=part(WeightedSum, config, biases=config.parent_biases),
        populations=config.populations,
        hall_of_fame=hall(config),
        workers=workers,
    )


def columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return what a run is about: the champion, who does what, how weights differ, how far halls remember."""

    def shares(whose: str, counted: Callable[[PopulationState], Ints]) -> list[Column]:
        def share(state: PopulationState, action: int) -> float:
            counts = counted(state)
            return float(counts[action] / max(counts.sum(), 1))

        return [
            Column(f"{whose}_{kind}", kind, "of decisions", partial(share, action=action))
            for action, kind in enumerate(KINDS_OF_ACTION)
        ]

    def root_mean_square(state: PopulationState) -> float:
        return float(np.sqrt(np.mean(np.square(state.population, dtype=np.float64))))

    of_hall = [
        Column("hall_age", "mean age in the hall", "generations", partial(age_in_hall, of=np.mean)),
        Column("hall_eldest", "eldest in the hall", "generations", partial(age_in_hall, of=np.min)),
    ]
    count = solver.matches.count  # type: ignore[attr-defined]
    return (
        Column("rank", "champion's mean rank", "", rank_of_champion),
        Column(
            "first", "champion's first places", "", lambda s: of_champions(s, s.first_places).mean()
        ),
        Column("won", "champion's hands won", "of its hands", hands_won_by_champion),
        *shares("champion", lambda s: of_champions(s, s.actions).sum(axis=0)),
        *shares("everybody", lambda s: s.actions.sum(axis=(0, 1))),
        Column("rms", "weights, root mean square", "", root_mean_square),
        Column("spread", "spread between agents", "", lambda s: spread(s.population)),
        Column("hands", "hands a tournament", "hands", lambda s: s.num_hands / count),
        *(of_hall if solver.hall_of_fame.size else []),
    )


SCALES = {
    "quick": Config(agents=20, tournaments=4, hands_a_level=5, iterations=5, seed=0),
    "lab": Config(agents=100, tournaments=50, iterations=100, seed=0),
    "paper": Config(seed=0),
}
PAPER_EXPERIMENTS = {
    "Figure 1: Control": Config(seed=0),
    "Figure 2: two populations": Config(agents=500, populations=2, seed=0),
    "Figure 3: four populations": Config(agents=250, populations=4, seed=0),
    "Figure 4: LargeHOF": Config(hall=ELITES, hall_size=1000, seed=0),
    "Figure 4: SmallHOF": Config(agents=500, hall=ELITES, hall_size=500, seed=0),
    "Figure 5: two populations with halls": Config(
        agents=500, populations=2, hall=ELITES, hall_size=500, seed=0
    ),
}
"""The evolutions whose champions the paper evaluates, by the figure that shows them."""
METHODS = ("Control", "2Pop", "4Pop", "LargeHOF", "SmallHOF", "HOF2Pop")
"""The paper's names, in the order of `PAPER_EXPERIMENTS`."""
CONFIGS = dict(zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True))
"""The paper's experiments by these names."""
EARLIER_CONFIGS = {name: dataclasses.replace(config, **EARLIER) for name, config in CONFIGS.items()}
"""By our earlier defaults."""
evolved_networks = Experiment(
    "Evolved networks", Config, SCALES, solver, columns, per_decade=1000, paper=PAPER_EXPERIMENTS
)
