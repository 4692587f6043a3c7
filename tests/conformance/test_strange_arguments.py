"""Every public callable either takes what it is given, or refuses it with an error of pokerlab's that says why.

A new public callable joins by a line in DOORS, with valid arguments, and a new game by its row in
`tests/package_games.py`; a test fails if one is missing.
"""

import importlib
import inspect
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab import games, holdem, metrics, reference, runs, solvers, strategies
from pokerlab.core import POINTS, GameError, PokerlabError
from tests.package_games import list_arguments_by_maker
from tests.random_bucketed import random_buckets
from tests.refusals import refused

PACKAGES = ("games", "metrics", "reference", "runs", "solvers", "strategies")
SOME = ("core.", "holdem.", "workbench.")
"""Packages of which only some names are tried."""
MADE_BY_POKERLAB = {
    "games.Rules",
    "games.SequenceForm",
    "runs.SweepError",
}
"""Protocols, and results that calls return: nobody calls these classes."""

KUHN, LEDUC, RPS = games.kuhn(), games.leduc(), games.biased_rps()
RULES, TABLE, UNIFORM = KUHN.rules, KUHN.uniform().to_table(), KUHN.uniform()
PLANS = reference.compute_realization_plans(RULES, TABLE)
FIRST_CHOICE = next(q for q in PLANS[0] if len(q) == 1)
HOLDEM = holdem.bucketed_limit_holdem(random_buckets(2), raise_cap=1)
RING = holdem.ring_game(holdem.no_limit(5, 10), seats=3)
NETWORK = holdem.TableNetwork(hidden=2)
GENOMES = NETWORK.draw_genomes(np.random.default_rng(1), 2)
MATRIX = [[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]]


def seen_first() -> Any:
    """Return what a player saw when it decided first."""
    seen: list[Any] = []

    def watch(view: Any) -> Any:
        seen.append(view)
        return holdem.CALL

    RING.play([watch] * 3, 1, seed=1)
    return seen[0]


VIEW = seen_first()


def play(a: Any, b: Any, seed: int) -> float:
    return float(np.sum(a) - np.sum(b))


def tripled(setting: Any) -> dict[str, float]:
    return {"tripled": 3.0 * setting["x"]}


CONTEST = games.contest(play, name="ahead", unit=POINTS)
MUTANTS = solvers.Mutants(seed=1, offspring=2)
MEMORY = solvers.NashMemory(RPS)
MET = [MEMORY.step(MEMORY.init(), 2)] * 2
MORAN = solvers.MoranProcess([[0.0, 1.0], [1.0, 0.0]], 5, payoff_shift=1.0)
COLUMN = runs.Column("always one", "Always one", "", lambda state: 1.0)
HISTORY = runs.History({"iteration": np.arange(3.0)}, {"iteration": "iterations"}, {"by": "hand"})
SUMS = metrics.PairedSums.from_trials([[2, 1], [4, 1], [3, 0]])
CFR = solvers.CFR(KUHN)
REPLICATOR = solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0)
NUMBERS = solvers.PopulationCoevolution(
    CONTEST, pl.strategies.RealVector(5, low=0, high=1), seed=1, size=4
)
TOURNAMENT = holdem.tournament(holdem.make_doubling_schedule(RING.structure, 9, chips=99), 4, 4, 20)
PLACED = TOURNAMENT.play([holdem.ALWAYS_CALL] * 4, seed=1, record=True)
Arguments = Mapping[str, Any]
PLAYED = {"rules": RULES, "behavior": TABLE, "player": 0}
START = {"order": "alternating", "start": UNIFORM}
DOORS: dict[str, Arguments | tuple[Callable[..., Any], Arguments]] = {
    **list_arguments_by_maker(),
    "games.Chance": {"outcomes": {"a": Fraction(1)}},
    "games.Decision": {"player": 0, "infoset": "J", "actions": ("pass", "bet")},
    "games.Profile": {"game": KUHN, "probabilities": UNIFORM.probabilities},
    "games.Profile.from_plans": {"game": KUHN, "plans": [UNIFORM.plan(0), UNIFORM.plan(1)]},
    "games.Profile.from_table": {"game": KUHN, "table": TABLE},
    "games.Profile.action_probabilities": (
        UNIFORM.action_probabilities,
        {"player": 0, "infoset": "J"},
    ),
    "games.Profile.get_behavior": (UNIFORM.get_behavior, {"player": 0}),
    "games.Profile.plan": (UNIFORM.plan, {"player": 0}),
    "games.Profile.replace": (UNIFORM.replace, {"player": 0, "behavior": UNIFORM}),
    "games.SequenceForm.best_response": (KUHN.best_response, {"profile": UNIFORM, "player": 0}),
    "games.SequenceForm.gains": (KUHN.gains, {"profile": UNIFORM}),
    "games.SequenceForm.find_infoset": (KUHN.find_infoset, {"player": 0, "label": "J"}),
    "games.SequenceForm.payoff_matrix": (KUHN.payoff_matrix, {"player": 0}),
    "games.SequenceForm.make_treeplex": (KUHN.make_treeplex, {"player": 0}),
    "games.SequenceForm.values": (KUHN.values, {"profile": UNIFORM}),
    "games.Terminal": {"utilities": (1, -1)},
    "games.check_rules": {"rules": games.rock_paper_scissors().rules},
    "games.compile_rules": {"rules": games.rock_paper_scissors().rules},
    "games.compound": {"game": KUHN},
    "games.contest": {"play": play, "name": "x", "unit": POINTS, "symmetric": True, "seconds": 1.0},
    "games.intransitive_numbers": {
        "dimensions": 2,
        "largest": 100,
        "threshold": 0,
        "mutation_rate": 0.1,
    },
    "games.lock_infosets": {"game": KUHN, "profile": UNIFORM, "where": [(0, "J")]},
    "games.describe_playthrough": {"rules": RULES, "choices": ["J", "K", "pass", "pass"]},
    "games.rake_game": {"game": KUHN, "share": 0.1},
    "games.read_efg": {"path": "there.efg"},
    "games.unlock_profile": {"profile": games.lock_infosets(KUHN, UNIFORM, [(0, "J")]).uniform()},
    "games.write_efg": {"game": KUHN, "path": "written.efg"},
    "core.random_stream": {"seed": 1, "purpose": "deal"},
    "core.setting": {"default": 1, "help": "What it is.", "within": (0, 2)},
    "holdem.Aggressiveness": {"score": "price", "raised": "above the call", "window": 10},
    "holdem.bucketed_limit_holdem": {"buckets": HOLDEM.buckets, "raise_cap": 1},
    "holdem.count_all_hands": {"num_cards": 5},
    "holdem.count_comparisons": {"hole": "Ac Ad", "board": "2c 7d 9h Ts"},
    "holdem.count_showdowns": {"first": "Ac Ad", "second": "8d 7h", "board": "2c 7d 9h Ts"},
    "holdem.format_cards": {"cards": [51, 45], "symbols": True},
    "holdem.limit": {"small_bet": 2, "big_bet": 4, "cap": 4, "ante": 0, "ante_payer": "big blind"},
    "holdem.make_doubling_schedule": {"structure": RING.structure, "hands_a_level": 9, "chips": 99},
    "holdem.name_category": {"strengths": [0, 7461]},
    "holdem.no_limit": {"small_blind": 5, "big_blind": 10, "ante_payer": "big blind"},
    "holdem.parse_cards": {"text": "As Td"},
    "holdem.play_round_robin": {
        "game": holdem.ring_game(RING.structure, seats=2),
        "players": [holdem.ALWAYS_CALL, holdem.ALWAYS_FOLD],
        "num_deals": 2,
        "seed": 1,
    },
    "holdem.ring_game": {"structure": RING.structure, "seats": 3, "stacks": [100, 200, 300]},
    "holdem.evaluate_hand": {"cards": "As Ad Ac Ah Kd"},
    "holdem.tournament": {
        "schedule": holdem.make_doubling_schedule(RING.structure, 9, chips=99),
        "entrants": 4,
        "seats": 4,
        "stacks": 100,
        "form": "refilled",
        "most_hands": 9,
    },
    "holdem.win_probability": {"hole": "Ac Ad", "board": "2c 7d 9h Ts", "ties": "half"},
    "workbench.as_fraction": {"number": 0.5},
    "workbench.card_row": {"names": ["As", "Td"]},
    "workbench.convergence": {
        "axes": pl.workbench.figure()[1],
        "history": HISTORY,
        "column": "iteration",
        "label": "CFR",
        "against": "iteration",
    },
    "workbench.figure": {"width": 7.2, "height": 3.6, "rows": 1, "columns": 2},
    "workbench.kuhn_character": {"name": "always bet"},
    "workbench.kuhn_equilibrium": {"alpha": 0.2},
    "workbench.nth_look": {"index": 3},
    "workbench.play_kuhn": {"opponent": "always bet", "seed": 1},
    "workbench.play_tournament": {"opponents": [holdem.ALWAYS_FOLD], "seed": 1, "stacks": 1000},
    "workbench.plot_buckets": {"buckets": HOLDEM.buckets, "title": "Buckets"},
    "workbench.plot_flow": {
        "axes": pl.workbench.figure()[1],
        "payoff": [[-2, 2], [0, 1]],
        "names": ["a", "b"],
    },
    "workbench.plot_generations": {
        "axes": pl.workbench.figure()[1],
        "shares": [[0.5, 1.0], [0.0, 0.5]],
        "every": 1,
        "title": "Generations",
        "with_scale": False,
    },
    "workbench.plot_intensity": {"profile": HOLDEM.uniform(), "seat": 0, "title": "What it does"},
    "workbench.plot_starting_hands": {"values": np.zeros((13, 13)), "title": "Hands"},
    "workbench.signed": {"number": 0.5, "digits": 2},
    "workbench.tabulate": {"heads": ["game", "value"], "rows": [["Kuhn", -1]]},
    "workbench.tree": {"game": KUHN, "profile": UNIFORM, "after": ["J"], "max_depth": 1},
    "workbench.watch_tournament": {"placed": PLACED, "tournament": 0, "follow": [1]},
    "metrics.PairedSums": {"count": 3, "sums": SUMS.sums, "products": SUMS.products, "parts": 1},
    "metrics.PairedSums.zeros": {"num_players": 2, "parts": 1},
    "metrics.PairedSums.from_trials": {"numbers": [[2, 1], [4, 1]], "parts": 1},
    "metrics.PairedSums.compute_half_width": (SUMS.compute_half_width, {"level": 0.9}),
    "metrics.PairedSums.compute_t_tests": (SUMS.compute_t_tests, {"pairs": [[0, 1]]}),
    "metrics.find_correlated_equilibrium": {
        "row_payoffs": [[1.0, 0.0], [0.0, 2.0]],
        "column_payoffs": [[2.0, 0.0], [0.0, 1.0]],
        "objective": [[1.0, 0.0], [0.0, 1.0]],
    },
    "metrics.epsilon": {"game": KUHN, "profile": UNIFORM},
    "metrics.exploitability": {"game": KUHN, "profile": UNIFORM},
    "metrics.apply_holm_correction": {"p": [0.1, 0.2]},
    "metrics.nash_conv": {"game": KUHN, "profile": UNIFORM},
    "metrics.performance": {"game": KUHN, "profile": UNIFORM},
    "metrics.rate_players": {"table": MATRIX, "errors": np.full((3, 3), 0.1)},
    "metrics.apply_solution_concepts": {"table": MATRIX},
    "reference.best_response": PLAYED,
    "reference.measure_constraint_violation": {"rules": RULES, "plan": PLANS[0], "player": 0},
    "reference.compute_counterfactual_values": PLAYED,
    "reference.compute_expected_utilities": {
        "rules": RULES,
        "behavior": TABLE,
        "history": RULES.start(),
    },
    "reference.compute_forced_plan": {"q": FIRST_CHOICE, "plan": PLANS[0]},
    "reference.gains": {"rules": RULES, "behavior": TABLE},
    "reference.iterate_histories": {"rules": RULES},
    "reference.list_information_sets": {"rules": RULES, "player": 0},
    "reference.nash_conv": {"rules": RULES, "behavior": TABLE},
    "reference.iterate_pure_strategies": {"rules": games.rock_paper_scissors().rules, "player": 0},
    "reference.compute_realization_plan": PLAYED,
    "reference.compute_realization_plans": {"rules": RULES, "behavior": TABLE},
    "reference.replicate_plan": {"rules": RULES, "plans": PLANS, "player": 0, "payoff_shift": 3.0},
    "reference.uniform": {"rules": RULES},
    "reference.compute_utility": {"rules": RULES, "plans": PLANS, "player": 0, "payoff_shift": 1.0},
    "runs.Column": {"name": "a", "label": "A", "unit": "chips", "measure": lambda state: 1.0},
    "runs.History": {
        "columns": {"iteration": np.arange(3.0)},
        "units": {"iteration": "iterations"},
        "provenance": {"by": "hand"},
    },
    "runs.History.select_row": (HISTORY.select_row, {"iteration": 1}),
    "runs.History.from_rows": {
        "names": ["x", "y"],
        "rows": [[1.0, 2.0]],
        "units": {"x": "chips"},
        "provenance": {},
    },
    "runs.History.load": {"path": "there.npz"},
    "runs.History.save": (HISTORY.save, {"path": "saved.npz"}),
    "runs.Run": {
        "solver": CFR,
        "columns": [COLUMN],
        "per_decade": 2,
        "settings": {"a": 1},
        "checkpoint": "checkpoint.npz",
        "keep": lambda state: 1,
    },
    "runs.Run.to": (runs.Run(CFR, []).to, {"until": 2, "progress": False}),
    "runs.sweep": {
        "measure": tripled,
        "settings": {"x": [1, 2]},
        "config": None,
        "seeds": [1],
        "units": {"tripled": "chips"},
        "workers": 1,
        "folder": "sweep",
        "progress": False,
    },
    "solvers.BestPureProfile": {"tolerance": 1e-9},
    "solvers.BestResponse": {"unreached": "random", "tremble": 1e-6, "ties": "first", "seed": 1},
    "holdem.BucketedCFR": {"game": HOLDEM, "schedule": holdem.BucketedCFR(HOLDEM).schedule},
    "solvers.CFR": {"game": KUHN, **START},
    "solvers.CFR.step": (CFR.step, {"state": CFR.init(), "count": 2}),
    "solvers.CFRPlus": {"game": KUHN, **START},
    "solvers.ContinuousReplicator": {
        "game": KUHN,
        "time_step": 0.1,
        "rtol": 1e-8,
        "atol": 1e-10,
        "start": UNIFORM,
    },
    "solvers.DiscountedCFR": {"game": KUHN, "alpha": 1.5, "beta": 0.0, "gamma": 2.0, **START},
    "solvers.DoubleOracle": {"game": KUHN, "heuristic": solvers.BestResponse(), "start": None},
    "solvers.EvolutionarySearch": {"seed": 1, "generations": 2, "offspring": 2},
    "solvers.ExactWorstCase": {},
    "holdem.ExploitabilityDescent": {
        "game_or_encoding": HOLDEM,
        "learning_rate": 0.05,
        "patience": 10.0,
        "start": None,
    },
    "solvers.FictitiousPlay": {"game": KUHN, **START},
    "solvers.InnerEvolution": {
        "evolution": solvers.InnerEvolution().evolution,
        "generations": 2,
        "growth": 0.0,
        "start": "last inner best",
        "hands": None,
    },
    "solvers.LemkeHowson": {"tolerance": 1e-9, "first_pivot": 0, "most_pivots": 100},
    "solvers.MinimaxCoevolution": {
        "game": KUHN,
        "seed": 1,
        "encoding": strategies.DirectEncoding(KUHN),
        "evolution": pl.evolution.CMAES(),
        "worst_case": solvers.ExactWorstCase(),
        "start": None,
        "rechecked": True,
        "workers": 1,
    },
    "solvers.MoranProcess": {"payoff": [[0.0, 1.0], [1.0, 0.0]], "size": 5, "payoff_shift": 1.0},
    "solvers.MoranProcess.compute_fitness": (MORAN.compute_fitness, {"counts": [2, 3]}),
    "solvers.MoranProcess.integrate_limit": (
        MORAN.integrate_limit,
        {"shares": [0.5, 0.5], "times": [0, 1]},
    ),
    "solvers.MoranProcess.run": (MORAN.run, {"counts": [2, 3], "events": 5, "seed": 1}),
    "solvers.Mutants": {"seed": 1, "offspring": 2, "parents": "mix"},
    "solvers.NashMemory": {
        "game": CONTEST,
        "encoding": strategies.BitString(3),
        "heuristic": MUTANTS,
        "capacity": 3,
        "start": None,
    },
    "solvers.PSRO": {
        "game": KUHN,
        "subgame": solvers.ZeroSumProgram(),
        "encoding": None,
        "heuristic": solvers.BestResponse(),
        "start": UNIFORM,
        "tremble": 0.0,
    },
    "solvers.ParallelNashMemory": {
        "game": KUHN,
        "encoding": None,
        "heuristic": solvers.BestResponse(),
        "subgame": solvers.ZeroSumProgram(),
        "start": UNIFORM,
        "tremble": 0.0,
    },
    "solvers.PopulationCoevolution": {
        "game": RING,
        "encoding": holdem.RuleEncoding(),
        "seed": 1,
        "size": 6,
        "pairings": pl.holdem.RingGames(games=6, hands=5),
        "fitness": None,
        "selection": None,
        "variation": None,
        "populations": 1,
        "hall_of_fame": None,
        "workers": 1,
    },
    "solvers.PredictiveCFRPlus": {"game": KUHN, "gamma": 2.0, **START},
    "solvers.PredictiveDiscountedCFRPlus": {"game": KUHN, "alpha": 2.3, "gamma": 5.0, **START},
    "solvers.ProjectedReplicator": {
        "tolerance": 1e-9,
        "exploration": 1e-6,
        "step_size": 0.01,
        "steps": 100,
    },
    "solvers.RandomSearch": {
        "seed": 1,
        "best_response_share": 0.1,
        "best_response": solvers.BestResponse(),
    },
    "solvers.ReplicatorDynamics": {"game": KUHN, "payoff_shift": 3.0, "floor": 1e-300, **START},
    "solvers.SeatWorstCases": {},
    "solvers.mix_in_profile": {"state": REPLICATOR.init(), "profile": UNIFORM, "share": 0.1},
    "solvers.SequenceFormLP": {"game": KUHN},
    "solvers.TreeSearch": {"depth": 3, "iterations": 10, "exploration": 1.4, "merged": False},
    "solvers.UniformMixture": {"tolerance": 1e-9},
    "solvers.ZeroSumProgram": {"tolerance": 1e-9},
    "solvers.find_rest_points": {"payoff": MATRIX},
    "solvers.compare_mixtures": {"states": MET},
    "strategies.BitString": {"n": 3},
    "strategies.DirectEncoding": {"game": RPS, "positive": "clipped", "seats": "shared"},
    "strategies.DirectEncoding.make_profile": (
        *(strategies.DirectEncoding(RPS, seats="shared").make_profile, {"genome": [1.0, 2.0, 3.0]}),
    ),
    "strategies.Inputs": {"names": ("x",), "values": [[1.0]]},
    "strategies.Inputs.seen_by": {"game": RPS, "names": ("x",), "see": lambda player, label: [1.0]},
    "strategies.Integers": {"n": 3, "low": 0, "high": 4},
    "holdem.MatrixEncoding": {},
    "strategies.NetworkEncoding": {"game": KUHN, "hidden": 2, "seats": "shared", "inputs": None},
    "strategies.RealVector": {"n": 3, "low": 0.0, "high": 1.0},
    "holdem.RuleEncoding": {},
    "holdem.TableNetwork": {},
    "holdem.TupleTable": {"game": HOLDEM, "positive": "softmax", "knows": "situation"},
    "holdem.decision": {"player": NETWORK.make_players(GENOMES)[0], "view": VIEW, "win": 0.5},
    "holdem.habits": {
        "network": NETWORK,
        "genomes": GENOMES,
        "seats": 3,
        "stack": 100,
        "big_blind": 10,
        "pot": 15,
        "aggressiveness": 1.0,
        "prices": [10, 20],
    },
}
"""For each public callable, by its name, valid arguments; methods stand with what they are called on."""
STRANGE: dict[str, Any] = {
    "None": None,
    "text": "x",
    "empty text": "",
    "bytes": b"x",
    "True": True,
    "-1": -1,
    "NaN": math.nan,
    "infinity": math.inf,
    "2.5": 2.5,
    "more digits than Python writes": 10**5000,
    "a list of such a number": [10**5000],
    "empty list": [],
    "list with None": [None],
    "empty dictionary": {},
    "dictionary of no use": {"x": "y"},
    "object": object(),
    "complex": 1j,
    "complex array": np.ones((3, 3), complex),
    "ragged": [[1], [2, 3]],
    "array of objects": np.array([None, "x"], dtype=object),
    "masked array": np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]]),
    "array with NaN": np.array([[math.nan, 1.0], [0.0, 1.0]]),
    "empty array": np.empty((0, 0)),
    "dates": np.array(["2026-01-01"], dtype="datetime64[D]"),
    "date": datetime(2026, 1, 1),
    "function": lambda: None,
    "module": math,
    "class": int,
    "a class of games": type(HOLDEM),
    "a class of tables": type(RING),
    "range": range(3),
    "path": Path("strange"),
    "another game": LEDUC,
    "rules of another game": LEDUC.rules,
    "profile of another game": LEDUC.uniform(),
    "a contest": CONTEST,
}


def test_every_public_callable_has_valid_arguments() -> None:
    """Of core, hold'em and the workbench those are tried that lessons call most."""
    modules = {package: importlib.import_module(f"pokerlab.{package}") for package in PACKAGES}
    public = {
        f"{package}.{name}"
        for package, module in modules.items()
        for name in module.__all__
        if callable(getattr(module, name))
    }
    listed = {".".join(name.split(".")[:2]) for name in DOORS}
    some = {name for name in listed if name.startswith(SOME)}
    wanted, given = public - MADE_BY_POKERLAB, listed - MADE_BY_POKERLAB - some
    assert wanted == given, "add a line to DOORS for each name that lacks one"
    assert public >= MADE_BY_POKERLAB
    assert some <= {f"{m}{n}" for m in SOME for n in getattr(pl, m[:-1]).__all__}


test_class_in_place_of_its_object_is_refused = refused(
    (lambda: solvers.MinimaxCoevolution(type(HOLDEM), seed=1), GameError, "game is <class"),
    (
        lambda: solvers.PopulationCoevolution(type(RING), holdem.RuleEncoding(), seed=1),
        GameError,
        "pairs cannot play <class 'pokerlab.holdem.cash_game.RingGame'>",
    ),
    (lambda: metrics.nash_conv(type(HOLDEM), None), GameError, "responses in <class"),
    (
        lambda: solvers.TreeSearch().exploitability(type(HOLDEM), None, seed=1),
        GameError,
        "is neither a compiled game nor bucketed hold'em",
    ),
    (lambda: solvers.TreeSearch().exploitability(None, None, seed=1), GameError, "None is neither"),
    (
        lambda: HOLDEM.search_best_response(HOLDEM.uniform(), 0, None, seed=1),
        "settings is None; give one such as solvers.TreeSearch(depth=9)",
    ),
    (
        lambda: holdem.estimate_winnings(None, holdem.ALWAYS_FOLD, 2, seed=1),
        "profile is None; give a profile of bucketed hold'em",
    ),
    (
        lambda: holdem.local_best_response(UNIFORM, 1, seed=1),
        "give a profile of bucketed hold'em, such as bucketed_limit_holdem(6).uniform()",
    ),
    (lambda: pl.papers.twelve_agents.make_bucketed_player("x"), "profile is 'x'; give a profile"),
)


def door(name: str) -> tuple[Callable[..., Any], Arguments]:
    """Return what is called by this name, and valid arguments for it."""
    entry = DOORS[name]
    if isinstance(entry, tuple):
        return entry
    package, *path = name.split(".")
    found: Any = importlib.import_module(f"pokerlab.{package}")
    for part in path:
        found = getattr(found, part)
    settings = getattr(found, "__dataclass_fields__", {})
    if not entry and settings:
        taken = inspect.signature(found).parameters
        entry = {field: one.default for field, one in settings.items() if field in taken}
    return found, entry


def answer(call: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Return what a call returns; of an iterator the first few of what it yields."""
    found = call(**arguments)
    return list(islice(found, 9)) if hasattr(found, "__next__") else found


def refusals(name: str) -> list[str]:
    """Return in words what goes wrong when one argument after the other is strange."""
    call, valid = door(name)
    wrong = []
    for parameter in valid:
        for kind, strange in STRANGE.items():
            try:
                answer(call, {**valid, parameter: strange})
            except PokerlabError as error:
                if not str(error).strip():
                    wrong.append(f"{parameter}={kind}: a {type(error).__name__} without a message")
            except Exception as error:
                wrong.append(f"{parameter}={kind}: {type(error).__name__}: {error!r:.90}")
    return wrong


@pytest.mark.parametrize("name", DOORS)
def test_public_callable_with_strange_argument_takes_or_explains(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    games.write_efg(KUHN, "there.efg")
    HISTORY.save("there.npz")
    answer(*door(name))
    wrong = refusals(name)
    assert not wrong, f"{len(wrong)} raw errors of {name}:\n" + "\n".join(wrong)
