"""The laws of every solver: pure steps that add up, frozen states, checkpoints, provenance, workers, its claim.

A new solver joins by a line in SOLVERS; a test fails if one is missing.
"""

import inspect
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import pokerlab as pl
from pokerlab import evolution, holdem, solvers, strategies
from pokerlab.core import POINTS, PokerlabError
from pokerlab.evolution import population
from pokerlab.runs import Run
from pokerlab.runs.checkpoint import collect_state_values
from pokerlab.runs.history import describe_provenance
from studies.lanctot2014.polynomial_weights import PolynomialWeights
from studies.lanctot2014.regret import RegretTracker
from tests.random_bucketed import random_buckets
from tests.unit.solvers.any_state import assert_identical

KUHN, LEDUC, RPS = pl.games.kuhn(), pl.games.leduc(), pl.games.biased_rps()
EIGHT = pl.games.one_card_poker(ranks=8)
HOLDEM = pl.holdem.bucketed_limit_holdem(random_buckets(2), raise_cap=2)
INNER = solvers.InnerEvolution(generations=2)
LOCKED = pl.games.lock_infosets(KUHN, KUHN.uniform(), [(1, "J, pass"), (0, "Q")])
PAIRS = pl.games.bimatrix(*np.random.default_rng(11).normal(size=(2, 12, 12)))
RING = pl.holdem.ring_game(pl.holdem.limit(2), seats=4, stacks=50)
GAMES = holdem.RingGames(games=30, hands=20)
SIT_AND_GO = pl.holdem.make_doubling_schedule(pl.holdem.no_limit(5, 10), 5, chips=300 * 22)


def nash_conv(state: Any) -> float:
    profile = state.average if hasattr(state, "average") else state.profile
    return float(profile.game.nash_conv(profile))


def insecurity(state: Any) -> float:
    return -float(state.security_level)


class Case(NamedTuple):
    """A solver, and what it claims to reach."""

    make: Callable[..., Any]  # returns a new one; takes `workers` where the solver does
    within: float  # how far from what is claimed it may be
    steps: int = 300  # enough of them
    distance: Callable[[Any], float] = nash_conv  # from the last state to how far it is


def lost_to_first_generations(state: Any) -> float:
    """Chips a hand that the strategies of the first population lose to random genomes."""
    many = state.population.shape[1]
    random = state.encoding.draw_genomes(np.random.default_rng(5), 3 * many)
    genomes = np.concatenate([state.population[0], random])
    tables = [[k, *range(many + 3 * k, many + 3 * k + 3)] for k in range(many)]
    played = state.game.play(state.encoding.make_players(genomes), 500, seed=9, lineups=tables)
    return -float(played.mean[:many].mean())


def ring_coevolution(workers: int = 1, **parts: Any) -> solvers.PopulationCoevolution:
    rules = holdem.RuleEncoding()
    return solvers.PopulationCoevolution(
        RING, rules, seed=1, size=12, pairings=GAMES, workers=workers, **parts
    )


def mean_place_against_strangers(state: Any) -> float:
    """The mean rank of the last populations, each alone among five random networks of a first generation."""
    networks = state.population.reshape(-1, state.population.shape[2])
    strangers = state.encoding.draw_genomes(np.random.default_rng(5), 5)
    rows = [[k, *range(len(networks), len(networks) + 5)] for k in range(len(networks))]
    players = state.encoding.make_players(np.concatenate([networks, strangers]))
    placed = pl.holdem.tournament(SIT_AND_GO, 6, stacks=300).play(players, rows * 200, seed=9)
    return float(placed.mean_rank[: len(networks)].mean())


def network_coevolution(workers: int = 1, **parts: Any) -> solvers.PopulationCoevolution:
    rule = population.HallOfElites(size=4)
    usual = {"size": 12, "hall_of_fame": rule, "populations": 1, **parts}
    entrants = usual["populations"] * (usual["size"] + usual["hall_of_fame"].size)
    return solvers.PopulationCoevolution(
        pl.holdem.tournament(SIT_AND_GO, entrants, seats=6, stacks=300),
        holdem.TableNetwork(hidden=2),
        seed=1,
        pairings=holdem.Tournaments(count=25),
        fitness=population.MeanRank(among="own population"),
        selection=population.Elites(share=0.25),
        variation=population.WeightedSum(),
        workers=workers,
        **usual,
    )


def weighted_rps(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    """What shares of rock, paper and scissors win, and a little luck that the seed decides."""
    luck = np.random.default_rng(seed).normal(scale=1e-3)
    return float(shares(a) @ RPS_PAYOFFS @ shares(b) + luck)


def shares(genomes: np.ndarray) -> np.ndarray:
    """Genes as shares of three hands."""
    return (genomes + 1e-9) / (genomes + 1e-9).sum(axis=-1, keepdims=True)


def worst(mix: np.ndarray) -> float:
    """What the best hand wins from a mix; at the equilibrium (1, 2, 1) / 4 nothing."""
    return float((RPS_PAYOFFS @ mix).max())


def lost_in_the_worst_case(state: Any) -> float:
    return worst(shares(state.population[0]).mean(axis=0))


def mean_conv(state: Any) -> float:
    """NashConv of a population of which one is drawn for each hand."""
    behaviors = state.encoding.compute_behaviors(state.population[0])
    each = [pl.games.Profile(KUHN, row) for row in behaviors]
    plans = [np.mean([one.plan(seat) for one in each], axis=0) for seat in (0, 1)]
    return float(KUHN.nash_conv(pl.games.Profile.from_plans(KUHN, plans)))


RPS_PAYOFFS = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
WEIGHTED_RPS = pl.games.contest(weighted_rps, name="weighted rps", unit=POINTS, symmetric=False)
THREE_GENES = strategies.RealVector(3)
TEN_MUTANTS = solvers.Mutants(seed=1, offspring=10)
SOLVERS = {
    "CFR": Case(lambda: solvers.CFR(KUHN), 0.02),
    "CFR, alternating": Case(lambda: solvers.CFR(LEDUC, order="alternating"), 0.2),
    "CFR+, simultaneous": Case(lambda: solvers.CFRPlus(KUHN, order="simultaneous"), 0.02),
    "CFR+": Case(lambda: solvers.CFRPlus(LEDUC), 0.02),
    "CFR+ around a locked habit": Case(lambda: solvers.CFRPlus(LOCKED), 0.02),
    "discounted CFR": Case(lambda: solvers.DiscountedCFR(LEDUC), 0.02),
    "predictive CFR+": Case(lambda: solvers.PredictiveCFRPlus(KUHN), 1e-4),
    "predictive discounted CFR+": Case(lambda: solvers.PredictiveDiscountedCFRPlus(KUHN), 1e-4),
    "fictitious play": Case(lambda: solvers.FictitiousPlay(KUHN, order="simultaneous"), 0.03, 1000),
    "replicator": Case(
        lambda: solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0, order="simultaneous"), 0.1, 1000
    ),
    "replicator, alternating": Case(
        lambda: solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0, order="alternating"), 0.1, 1000
    ),
    "replicator, continuous": Case(
        lambda: solvers.ContinuousReplicator(KUHN, time_step=0.5), 0.05, 400
    ),
    "polynomial weights": Case(
        lambda: PolynomialWeights(KUHN, payoff_shift=3.0, order="simultaneous"), 0.1, 1000
    ),
    "fictitious play, alternating": Case(
        lambda: solvers.FictitiousPlay(KUHN, order="alternating"), 0.03, 1000
    ),
    "weights of a fixed rate, alternating": Case(
        lambda: PolynomialWeights(KUHN, payoff_shift=0.0, eta=0.1, order="alternating"),
        0.2,
        1000,
    ),
    "with its regrets": Case(
        lambda: RegretTracker(
            solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0, order="simultaneous")
        ),
        0.1,
        1000,
        lambda state: nash_conv(state.dynamics),
    ),
    "symmetric memory": Case(
        lambda: solvers.NashMemory(pl.games.compound(EIGHT)), 1e-9, 60, insecurity
    ),
    "symmetric memory, bounded, of mutants": Case(
        lambda: solvers.NashMemory(
            pl.games.compound(EIGHT), heuristic=solvers.Mutants(seed=1, offspring=2), capacity=7
        ),
        1.0,
        60,
        insecurity,
    ),
    "symmetric memory, searching": Case(
        lambda: solvers.NashMemory(
            pl.games.compound(EIGHT), heuristic=solvers.BestResponse(unreached="random", seed=1)
        ),
        1e-9,
        60,
        insecurity,
    ),
    "parallel memory of pairs": Case(
        lambda: solvers.ParallelNashMemory(PAIRS, subgame=solvers.LemkeHowson()), 1e-8, 60
    ),
    "parallel memory": Case(lambda: solvers.ParallelNashMemory(EIGHT), 1e-9, 30),
    "parallel memory around a locked habit": Case(
        lambda: solvers.ParallelNashMemory(LOCKED), 1e-9, 30
    ),
    "parallel memory, searching": Case(
        lambda: solvers.ParallelNashMemory(
            KUHN, heuristic=solvers.RandomSearch(seed=3, best_response_share=0.5)
        ),
        1e-9,
        60,
    ),
    "parallel memory of mixed strategies": Case(
        lambda: solvers.ParallelNashMemory(
            LEDUC,
            heuristic=solvers.BestResponse(unreached="first", ties="evenly"),
            start=LEDUC.uniform(),
            tremble=1e-6,
        ),
        1e-9,
        400,
    ),
    "PSRO": Case(lambda: solvers.PSRO(EIGHT, subgame=solvers.ZeroSumProgram()), 1e-6, 60),
    "double oracle": Case(lambda: solvers.DoubleOracle(LEDUC), 1e-6, 60),
    "minimax coevolution": Case(
        lambda workers=1: solvers.MinimaxCoevolution(RPS, seed=1, workers=workers), 1e-6, 200
    ),
    "minimax coevolution, inner runs": Case(
        lambda workers=1: solvers.MinimaxCoevolution(
            KUHN, seed=1, worst_case=INNER, evolution=evolution.CSAES(), workers=workers
        ),
        0.5,
        150,
    ),
    "seat by seat": Case(
        lambda workers=1: solvers.MinimaxCoevolution(
            KUHN,
            seed=1,
            encoding=strategies.DirectEncoding(KUHN),
            evolution=evolution.GradientES(),
            worst_case=solvers.SeatWorstCases(),
            workers=workers,
        ),
        0.05,
        150,
    ),
    "Pareto coevolution": Case(
        lambda workers=1: ring_coevolution(workers), -1.0, 25, lost_to_first_generations
    ),
    "two populations with halls": Case(
        lambda workers=1: ring_coevolution(
            workers,
            populations=2,
            hall_of_fame=population.HallOfFame(size=3, every=2),
            selection=population.DeterministicCrowding(),
        ),
        -1.0,
        25,
        lost_to_first_generations,
    ),
    "networks in tournaments": Case(network_coevolution, 3.3, 20, mean_place_against_strangers),
    "two populations of networks with infinite halls": Case(
        lambda workers=1: network_coevolution(
            workers, size=8, populations=2, hall_of_fame=population.InfiniteHall(size=3)
        ),
        3.3,
        20,
        mean_place_against_strangers,
    ),
    "a contest's population": Case(
        lambda workers=1: solvers.PopulationCoevolution(
            WEIGHTED_RPS,
            THREE_GENES,
            seed=1,
            size=16,
            pairings=population.AllPairs(samples=2),
            selection=population.EquilibriumMixture(),
            workers=workers,
        ),
        0.1,
        40,
        lost_in_the_worst_case,
    ),
    "a compiled game's population": Case(
        lambda workers=1: solvers.PopulationCoevolution(
            KUHN,
            strategies.DirectEncoding(KUHN),
            seed=1,
            size=20,
            pairings=population.SampledOpponents(opponents=8),
            workers=workers,
        ),
        0.6,
        60,
        lambda state: mean_conv(state),
    ),
    "a contest's memory": Case(
        lambda: solvers.NashMemory(WEIGHTED_RPS, encoding=THREE_GENES, heuristic=TEN_MUTANTS),
        0.05,
        100,
        lambda state: worst(state.mixture @ shares(state.strategies)),
    ),
    "a contest's PSRO": Case(
        lambda: solvers.PSRO(
            WEIGHTED_RPS,
            encoding=THREE_GENES,
            heuristic=TEN_MUTANTS,
            subgame=solvers.ProjectedReplicator(),
        ),
        0.05,
        30,
        lambda state: worst(state.mixtures[0] @ shares(state.pools[0])),
    ),
    "a contest's minimax": Case(
        lambda workers=1: solvers.MinimaxCoevolution(
            WEIGHTED_RPS,
            seed=1,
            encoding=THREE_GENES,
            evolution=evolution.CMAES(step_size=0.3),
            workers=workers,
        ),
        0.1,
        15,
        lambda state: worst(shares(state.profile)),
    ),
    "bucketed CFR": Case(lambda: holdem.BucketedCFR(HOLDEM), 0.05),
    "exploitability descent": Case(lambda: holdem.ExploitabilityDescent(HOLDEM), 0.3),
}
every_solver = pytest.mark.parametrize("case", SOLVERS.values(), ids=SOLVERS)


def test_every_solver_is_on_the_list() -> None:
    made = {type(case.make()) for case in SOLVERS.values()}
    public = [getattr(solvers, name) for name in solvers.__all__]
    classes = [value for value in public if inspect.isclass(value)]
    able = {c for c in classes if hasattr(c, "init") and hasattr(c, "step")}
    assert able <= made, "add a line to SOLVERS"


@every_solver
def test_steps_add_up_whoever_takes_them(case: Case) -> None:
    first, second = case.make(), case.make()
    start = first.init()
    straight = first.step(start, 7)
    assert_identical(straight, second.step(first.step(first.step(start, 3), 0), 4))
    one_by_one = start
    for _ in range(7):
        one_by_one = second.step(one_by_one)
    assert_identical(straight, one_by_one)


@every_solver
def test_a_step_leaves_its_state_as_it_was(case: Case) -> None:
    solver = case.make()
    state = solver.step(solver.init(), 2)
    before = {name: np.array(part) for name, part in collect_state_values(state).items()}
    solver.step(state, 3)
    for name, part in collect_state_values(state).items():
        assert np.asarray(part).tobytes() == before[name].tobytes(), name
        if isinstance(part, np.ndarray):
            assert not part.flags.writeable, name
    with pytest.raises(AttributeError):
        state.iteration = 0


@every_solver
def test_a_checkpoint_goes_on_as_if_nothing_had_been(case: Case, tmp_path: Any) -> None:
    first, second, path = case.make(), case.make(), tmp_path / "run.npz"
    Run(first, [], checkpoint=path)
    Run(first, [], checkpoint=path).to(3, progress=False)
    resumed = Run(second, [], checkpoint=path).to(6, progress=False)
    straight = Run(first, []).to(6, progress=False)
    assert_identical(resumed.state, straight.state)
    assert resumed.rows == straight.rows


@every_solver
def test_a_foreign_state_is_refused(case: Case) -> None:
    solver = case.make()
    other = solvers.CFR(pl.games.kuhn(3))
    for foreign in (other.init(), None, 3, "state"):
        with pytest.raises(PokerlabError):
            solver.step(foreign, 1)


@every_solver
def test_provenance_can_be_written_down(case: Case) -> None:
    about = describe_provenance(case.make(), {"seed": np.int64(1)})
    assert json.loads(json.dumps(about)) == about
    assert about["parameters"] == describe_provenance(case.make())["parameters"]


WITH_WORKERS = {name: c for name, c in SOLVERS.items() if inspect.signature(c.make).parameters}


@pytest.mark.parametrize("case", WITH_WORKERS.values(), ids=WITH_WORKERS)
def test_workers_change_nothing(case: Case) -> None:
    alone, together = case.make(workers=1), case.make(workers=3)
    assert_identical(alone.step(alone.init(), 4), together.step(together.init(), 4))
    assert describe_provenance(alone)["parameters"] == describe_provenance(together)["parameters"]


@every_solver
def test_it_reaches_what_it_claims(case: Case) -> None:
    solver = case.make()
    start = solver.init()
    end = solver.step(start, case.steps)
    assert case.distance(end) <= case.within
    assert case.within < case.distance(start)
