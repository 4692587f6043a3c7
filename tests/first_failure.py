"""A plugin for pytest: a notebook stops at its first failed cell, which is the only one named.

A cell fails, too, if it writes to stderr: a warning would be committed with the notebook, or shown to a class.
The cells below a failed one fail for its sake alone; nbval would run them all and report each with a traceback.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Before nbformat is imported: see tests/conftest.py.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from tests.kernels import let_nbval_use_socket_files  # noqa: E402
from tools.figures import list_error_lines  # noqa: E402

FAILED = pytest.StashKey[dict[Path, str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no failed notebook, and start kernels so that two of them never choose one port."""
    let_nbval_use_socket_files()
    config.stash[FAILED] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    """Remember the first cell of a notebook that fails."""
    report: Any = yield
    if report.failed and item.path.suffix == ".ipynb":
        item.config.stash[FAILED].setdefault(item.path, item.name)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a cell fail that has written to stderr."""
    result: Any = yield
    said = list_error_lines(getattr(item, "test_outputs", None) or ())
    if said:
        pytest.fail("\n".join(["the cell writes to stderr:", *said]), pytrace=False)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the cells below a failed one."""
    failed = item.config.stash[FAILED].get(item.path)
    if failed is not None:
        pytest.skip(f"not run, because {failed} failed")
