"""The house of packages: arrows point down only. The contracts stand in pyproject.toml; audits alone run studies."""

import ast
import subprocess
import sys
from pathlib import Path

import cloudpickle
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from studies.nicolai2009.methods import smaller

CHECKED = (
    "games.sequence_form",
    "holdem.equity.draws",
    "holdem.equity.lookup",
    "holdem.table.impressions",
    "holdem.tournaments.balancing",
    "holdem.tournaments.rounds",
    "evolution.population",
    "metrics",
    "solvers",
    "strategies",
)


def test_imports_keep_the_contracts(root: Path) -> None:
    assert lint_imports(str(root / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


def test_no_lesson_runs_a_study(root: Path) -> None:
    lessons = [path.read_text(encoding="utf-8") for path in root.glob("notebooks/*.ipynb")]
    assert len(lessons) > 5
    assert not any("studies." in text or "import studies" in text for text in lessons)


def test_workers_that_have_no_studies_get_their_functions_whole(root: Path) -> None:
    code = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f.__name__, 'studies' in sys.modules)"
    sent = cloudpickle.dumps(smaller)
    ran = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, cwd=root)
    assert ran.stdout.decode().split() == ["smaller", "False"], ran.stderr.decode()


def test_oracles_import_nothing_they_check(root: Path) -> None:
    found = [
        f"{path.name}: {node.module}"
        for path in root.glob("tests/oracles/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and f"{node.module}.".startswith(tuple(f"pokerlab.{name}." for name in CHECKED))
    ]
    assert found == []
