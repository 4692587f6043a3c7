"""The house of packages: arrows point down only. The contracts stand in pyproject.toml; audits alone run studies."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

import pokerlab
from pokerlab import solvers
from pokerlab.core.old_names import ATTRIBUTES, METHODS, PUBLIC_NAMES
from studies.nicolai2009.methods import shrink_config

CHECKED = (
    "games.card_games",
    "games.card_sums",
    "games.compilation",
    "games.game_block",
    "games.sequence_form",
    "games.tree_passes",
    "holdem.draws",
    "holdem.aggressiveness",
    "holdem.tournament_rounds",
    "evolution.population",
    "metrics",
    "solvers",
    "strategies",
)


def test_imports_keep_the_contracts(root: Path) -> None:
    assert lint_imports(str(root / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


FIRST_CFR = """
import sys
import pokerlab as pl
kuhn = pl.games.kuhn()
cfr = pl.solvers.CFR(kuhn)
assert pl.metrics.nash_conv(kuhn, cfr.step(cfr.init(), 100).average) < 0.05
loaded = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "pokerlab"}
print(sorted(name for name in loaded if "holdem" in name), len(loaded))
"""


def test_solving_a_small_game_loads_no_file_of_holdem(root: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_CFR], capture_output=True, text=True, cwd=root
    )
    assert ran.returncode == 0, ran.stderr
    holdem, count = ran.stdout.rsplit(maxsplit=1)
    assert holdem == "[]"
    assert int(count) <= 60


IMPORT_ALL = """
import importlib, pkgutil
import pokerlab
from pokerlab.core.compiler import Dispatcher

ran = []
Dispatcher.__call__ = lambda kernel, *arguments: ran.append(kernel.py_func.__qualname__)
for module in pkgutil.walk_packages(pokerlab.__path__, "pokerlab."):
    if ".dash" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(ran)
"""


def test_importing_the_library_runs_no_kernel(root: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, cwd=root
    )
    assert ran.stdout.strip() == "[]", ran.stderr


@pytest.mark.parametrize("package", PUBLIC_NAMES)
def test_old_public_name_raises_error_with_new_one(package: str) -> None:
    shelf = importlib.import_module(package)
    for name, new in PUBLIC_NAMES[package].items():
        pkgutil.resolve_name(new.replace("pl.", "pokerlab."))
        with pytest.raises(ImportError, match=rf"{name} is {new}[, /a-z]* since pokerlab 2"):
            getattr(shelf, name)
        assert name not in dir(shelf)


WITH_OLD_NAMES = tuple(
    f"pokerlab.workbench.{name}"
    for name in (
        *("drawings.network_drawing", "live.bench", "live.explorer", "tables.holdem"),
        *("tables.kuhn", "tables.match", "views.security"),
    )
)
"""The modules of the workbench whose classes had other attributes in pokerlab 1.0."""


def find_classes() -> dict[str, type]:
    """Return the classes of the library by name, without those that Python cannot make."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(pokerlab.__path__, "pokerlab.")
        if not found.name.startswith(("pokerlab.workbench", "pokerlab.__main__", "pokerlab.warm"))
        or found.name in WITH_OLD_NAMES
    ]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
    }


def has_attribute(kind: type, name: str) -> bool:
    return hasattr(kind, name) or any(
        name in vars(k).get("__annotations__", {}) for k in kind.__mro__
    )


def test_old_attributes_raise_errors_with_attributes_that_exist() -> None:
    classes = find_classes().values()
    for name, renamed in ATTRIBUTES.items():
        for old, new in renamed.items():
            kinds = [
                kind
                for kind in classes
                if name in [base.__name__ for base in kind.__mro__] and has_attribute(kind, new)
            ]
            assert kinds, f"{name}.{new}"
            for kind in kinds:
                make = tuple.__new__ if issubclass(kind, tuple) else object.__new__
                message = rf"{kind.__name__}\.{old} is {kind.__name__}\.{new} since pokerlab 2"
                with pytest.raises(AttributeError, match=message):
                    getattr(make(kind), old)
    for old, new in METHODS.items():
        assert any(has_attribute(kind, new) for kind in classes), f"{old} is {new}"


def test_unknown_name_of_a_package_loaded_on_first_use_is_an_attribute_error() -> None:
    assert not hasattr(solvers, "ReplicatorDynamic")
    with pytest.raises(AttributeError, match=r"module 'pokerlab\.solvers' has no attribute 'CRF'"):
        _ = solvers.CRF


def test_no_lesson_runs_a_study(root: Path) -> None:
    lessons = [path.read_text(encoding="utf-8") for path in root.glob("notebooks/*.ipynb")]
    assert len(lessons) > 5
    assert not any("studies." in text or "import studies" in text for text in lessons)


def test_workers_that_have_no_studies_get_their_functions_whole(root: Path) -> None:
    code = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f.__name__, 'studies' in sys.modules)"
    sent = cloudpickle.dumps(shrink_config)
    ran = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, cwd=root)
    assert ran.stdout.decode().split() == ["shrink_config", "False"], ran.stderr.decode()


def test_oracles_import_nothing_they_check(root: Path) -> None:
    found = [
        f"{path.name}: {node.module}"
        for path in root.glob("tests/oracles/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and f"{node.module}.".startswith(tuple(f"pokerlab.{name}." for name in CHECKED))
    ]
    assert found == []
