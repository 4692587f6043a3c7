"""At the front door of each package: what it shows, and what it answers to objects of the wrong kind."""

import pickle
import subprocess
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from inspect import Parameter
from numbers import Number
from pathlib import Path
from typing import Any, TypeVar, Union, get_origin

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import pokerlab as pl
from pokerlab.core import KindError, PokerlabError
from pokerlab.core.kinds import EXAMPLES, alternatives, answering, form_of, misfit
from pokerlab.papers import lanctot2014
from pokerlab.workbench import bench
from tests.random_buckets import random_buckets

PACKAGES = (
    "games",
    "metrics",
    "solvers",
    "holdem",
    "runs",
    "evolution",
    "evolution.population",
    "strategies",
)
PAPERS = [
    f"papers.{name}" for name in dir(pl.papers) if hasattr(getattr(pl.papers, name), "Config")
]
KUHN = pl.games.kuhn()
HOLDEM = pl.holdem.bucketed_limit_holdem(random_buckets(2))
CFR = pl.solvers.CFR(KUHN)
REPLICATOR = pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0)
CONFIG = lanctot2014.replicator.scales["lab"]
NO_LIMIT = pl.holdem.no_limit(1, 2)
HAND = pl.holdem.Hand.begin(NO_LIMIT, [100, 100], 0, range(9))
WRONG = (
    object(),
    None,
    3.5,
    "nonsense",
    {"a": 1},
    [object()],
    np.array(["a", "b"]),
    pl.solvers.CFR,
    lanctot2014,
    CFR,
    CFR.init(),
    KUHN,
    KUHN.uniform(),
    HOLDEM.uniform(),
    lanctot2014.replicator,
)
RIGHT = (
    KUHN,
    KUHN.uniform(),
    KUHN.rules,
    HOLDEM,
    HOLDEM.uniform(),
    HOLDEM.buckets,
    HOLDEM.tree,
    NO_LIMIT,
    HAND,
    pl.holdem.ALWAYS_CALL,
    pl.solvers.UniformMixture(),
    pl.evolution.CMAES(),
    pl.strategies.DirectEncoding(KUHN),
    np.random.default_rng(1),
    lanctot2014.replicator,
    float,
    1,
    "a",
    {},
    [[1.0, 0.0], [0.0, 1.0]],
    (),
)
"""For a parameter that needs a value, the first of these that fits its annotation is given."""
SPECIAL: dict[str, Any] = {
    "board": [2, 3, 4, 5, 6],
    "game of NashMemory": pl.games.compound(KUHN),
    "genome": np.zeros(825, np.float32),
    "genomes": np.zeros(825, np.float32),
    "hands": [HAND],
    "hole": [0, 1],
    "network": pl.strategies.TableNetwork(),
    "num_cards": 5,
    "payoff_shift": 3.0,
    "players": [pl.holdem.ALWAYS_CALL] * 2,
    "probabilities": KUHN.uniform().probabilities,
    "schedule of tournament": pl.holdem.doubling(pl.holdem.no_limit(1, 2), 10, chips=400),
    "solver": CFR,
    "stacks": 100,
    "state": CFR.init(),
}
"""What is given instead, where another parameter would be refused first."""
LABELS = ("caption", "key", "name")
"""Parameters that may be anything that can be printed."""
TOLERATED = {
    "History.provenance": "histories are made by runs",
    "History.units": "histories are made by runs",
    "load_checkpoint.names": "text is a sequence of letters",
    "make_buckets.samples": "not looked at where expectations are exact",
    "save_checkpoint.names": "text is a sequence of letters",
}


def doors() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield all public functions, and the classes that are called with something."""
    for package in PACKAGES:
        module = import_module(f"pokerlab.{package}")
        for name in module.__all__:
            part = getattr(module, name)
            is_state = isinstance(part, type) and name.endswith("State")
            made = part.__init__ if isinstance(part, type) else part
            if isinstance(part, types.FunctionType) or (
                hasattr(made, "__wrapped__") and not is_state
            ):
                yield name, part
    yield "bench", bench


def takes_objects(parameter: Parameter) -> bool:
    """Return whether a parameter is for more than numbers, which have checks of their own."""
    wanted = parameter.annotation
    kinds = alternatives(wanted) if get_origin(wanted) in (Union, types.UnionType) else [wanted]
    numbers = all(isinstance(k, type) and issubclass(k, Number | types.NoneType) for k in kinds)
    return not numbers and parameter.name != "self" and parameter.kind != Parameter.VAR_POSITIONAL


def right(function: str, parameter: Parameter) -> Any:
    """Return something that may be given to a parameter."""
    for key in (f"{parameter.name} of {function}", parameter.name):
        if key in SPECIAL:
            return SPECIAL[key]
    fitting = (v for v in RIGHT if misfit(parameter.name, v, parameter.annotation) is None)
    return next(fitting, None)


DOORS = dict(doors())


def test_there_are_doors() -> None:
    assert len(DOORS) > 100


@pytest.mark.parametrize("name", DOORS)
def test_an_object_of_the_wrong_kind_is_answered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    function = DOORS[name]
    form = form_of(function.__init__ if isinstance(function, type) else function)
    needed = {
        p.name: right(name, p)
        for p in form.parameters.values()
        if p.default is Parameter.empty and p.name != "self" and p.kind != Parameter.VAR_POSITIONAL
    }
    for parameter in filter(takes_objects, form.parameters.values()):
        if parameter.name in LABELS or f"{name}.{parameter.name}" in TOLERATED:
            continue
        for wrong in WRONG:
            if misfit(parameter.name, wrong, parameter.annotation) is not None:
                with pytest.raises(PokerlabError) as caught:
                    function(**{**needed, parameter.name: wrong})
                if isinstance(caught.value, KindError):
                    assert parameter.name in str(caught.value)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (
            lambda: pl.metrics.nash_conv(KUHN.uniform(), KUHN),
            "game is a Profile; give a game, such as games.kuhn(), as in nash_conv(game, profile).",
        ),
        (
            lambda: pl.metrics.exploitability(KUHN, None),
            "profile is None; give a profile of KP(2), such as game.uniform().",
        ),
        (lambda: pl.metrics.epsilon({}, KUHN.uniform()), "game is a dict; give a game,"),
        (lambda: KUHN.values({}), "profile is a dict; give a profile of KP(2),"),
        (lambda: KUHN.nash_conv(CFR), "profile is a CFR; give a profile of KP(2),"),
        (
            lambda: KUHN.infoset(2, "J"),
            "player index in KP(2) is 2; it must be an integer from 0 to 1.",
        ),
        (lambda: KUHN.infoset(0, "Z"), "there are: 'J', 'Q', 'K', 'J, pass-bet', 'Q, pass-bet',"),
        (lambda: pl.holdem.parse_cards("Th 9h Th"), "twice in 'Th 9h Th': Th; one deck"),
        (lambda: CFR.step(REPLICATOR.init()), "this one's are RegretStates"),
        (lambda: REPLICATOR.step(CFR), "this one's are DynamicsStates"),
        (
            lambda: pl.metrics.Watched(REPLICATOR).step(CFR.init()),
            "the state is a RegretState and keeps no ledger",
        ),
        (
            lambda: pl.solvers.CFR(KUHN, order=np.array(["alternating", "no"])),
            "there are: simultaneous, alternating.",
        ),
        (
            lambda: pl.holdem.play(NO_LIMIT, "always call", 2, seed=1, stacks=100),
            "player 0 is 'a'; give a function of a SeatView, a player such as holdem.ALWAYS_CALL, or",
        ),
        (
            lambda: bench(lanctot2014),
            "experiment is the module pokerlab.papers.lanctot2014; give an experiment, such as"
            " lanctot2014.replicator, as in bench(experiment).",
        ),
        (lambda: bench(CONFIG), "experiment is a Config; give an experiment,"),
        (lambda: bench(lanctot2014.replicator, "lab"), "config is 'lab' (builtins);"),
        (
            lambda: bench(pl.papers.oliehoek2006.nash_memory, CONFIG),
            "config is a Config (pokerlab.papers.lanctot2014.experiment); 'Parallel Nash Memory'"
            " takes a Config of pokerlab.papers.oliehoek2006.experiment,",
        ),
        (lambda: bench(lanctot2014.replicator, first=0.5), "first is 0.5; it must be an integer"),
        (
            lambda: pl.papers.nicolai2009.evaluate(pl.holdem.ALWAYS_CALL, tables=3),
            "tables is 3; give a DuplicateTables, as in evaluate(champion, tables=...).",
        ),
        (lambda: pl.papers.noble2001.assess(3, None, [], []), "game is 3; give a RingGame, as in"),
    ],
)
def test_what_was_given_and_what_to_give_is_said(call: Callable[[], Any], answer: str) -> None:
    with pytest.raises(PokerlabError) as caught:
        call()
    assert answer in str(caught.value)


def test_a_fault_of_our_own_stays_what_it_is() -> None:
    class Broken(types.SimpleNamespace):
        """A game whose own code fails, whatever it is given."""

        def nash_conv(self, profile: object) -> float:
            return profile.missing  # type: ignore[attr-defined]

    whole = {name: None for name in dir(pl.metrics.equilibrium.Game) if name[0] != "_"}
    del whole["nash_conv"]
    with pytest.raises(AttributeError, match="missing"):
        pl.metrics.nash_conv(Broken(**whole), KUHN.uniform())

    def fails(game: pl.games.SequenceForm) -> None:
        raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        answering(fails)(KUHN)
    with pytest.raises(KindError, match="game is 3; give a compiled game") as caught:
        answering(fails)(3)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("value", "wanted", "fits"),
    [
        (np.int64(3), int, True),
        ("3", int, False),
        (3, float | None, True),
        (None, float | None, True),
        ([1, 2], ArrayLike, True),
        ("Ac", ArrayLike, False),
        (None, ArrayLike | None, True),
        ([1.0], NDArray[np.float64], True),
        ("ab", Sequence[str], False),
        (("a", 1), Sequence[str], False),
        (np.arange(2), Sequence[int], True),
        (iter("ab"), Iterable[int], True),
        (len, Callable[[str], int], True),
        (KUHN, pl.metrics.equilibrium.Game[Any], True),
        (type(KUHN), pl.metrics.equilibrium.Game[Any], False),
        (KUHN, "SequenceForm", True),
        (CFR, "SequenceForm", False),
        (object(), Any, True),
        (object(), TypeVar("T"), True),
    ],
)
def test_what_fits_an_annotation(value: Any, wanted: Any, fits: bool) -> None:
    assert (misfit("it", value, wanted) is None) == fits


def test_the_examples_are_of_classes_that_there_are() -> None:
    modules = [import_module(f"pokerlab.{name}") for name in dir(pl) if name != "__version__"]
    modules.append(pl.metrics.equilibrium)
    assert [name for name in EXAMPLES if not any(hasattr(m, name) for m in modules)] == []


@pytest.mark.parametrize("package", ["", *(n for n in dir(pl) if n[0] != "_"), *PAPERS])
def test_dir_lists_the_public_names_once(package: str) -> None:
    module = import_module(f"pokerlab.{package}".rstrip("."))
    assert dir(module) == sorted(set(module.__all__))
    assert all(hasattr(module, name) for name in dir(module))


@pytest.mark.parametrize("package", [*PACKAGES, *PAPERS])
def test_public_functions_can_be_sent_to_other_processes(package: str) -> None:
    module = import_module(f"pokerlab.{package}")
    for part in (getattr(module, name) for name in dir(module)):
        if isinstance(part, types.FunctionType):
            assert pickle.loads(pickle.dumps(part)) is part


def test_python_m_pokerlab_says_how_to_begin() -> None:
    command = [sys.executable, "-m", "pokerlab"]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert len(told.splitlines()) < 20
    for word in (*(f"pl.{name}" for name in dir(pl)[1:]), "make lab", "help(pl)", pl.__version__):
        assert word in told
