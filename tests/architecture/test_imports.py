"""The house of packages: arrows point down only. The contracts stand in pyproject.toml."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_keep_the_contracts(root: Path) -> None:
    assert lint_imports(str(root / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS
