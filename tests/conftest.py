"""What all tests share: hypothesis profiles, the slow tests' switch, the scale, a cluster, the browser."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.hangs import SLOW_HANG_SECONDS

# With it jsonschema would check international addresses, which no notebook has; its grammar takes a second to read.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

SCALES = ("quick", "lab", "paper")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ON_MACOS = (
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
)

# No deadlines: the first call of a kernel may compile it.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the tests marked slow, or with `--slow` give each of them hours before it counts as hanging."""
    skip = pytest.mark.skip(reason="slow; runs with --slow")
    long = pytest.mark.timeout(SLOW_HANG_SECONDS)
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(long if config.getoption("--slow") else skip)


def pytest_collection(session: pytest.Session) -> None:
    """Collect no garbage while tests are collected."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave thousands of tests and all imported modules out of garbage collections, which they would slow down."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def scale() -> str:
    """Return the scale of experiments in tests, from POKERLAB_SCALE."""
    name = os.environ.get("POKERLAB_SCALE", "quick")
    if name not in SCALES:
        pytest.exit(f"POKERLAB_SCALE is {name!r}; it may be {', '.join(SCALES)}.", returncode=4)
    return name


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Lend a client of a cluster of two processes; who dies is replaced."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def client_here() -> Iterator[Any]:
    """Lend a client of a cluster of two workers in this process: their work is pickled, and no process is started."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            dashboard_address=":0",
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def find_chromium() -> Path | None:
    """Return the Chromium named by CHROMIUM, or the first one found, or None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return Path(named)
    found = (shutil.which(name) for name in CHROMIUM_NAMES)
    on_path = next((Path(path) for path in found if path), None)
    return on_path or next((path for path in CHROMIUM_ON_MACOS if path.exists()), None)


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return the path of a Chromium; skip where there is none, fail where one is required."""
    path = find_chromium()
    if path is not None and path.exists():
        return path
    sought = path or ", ".join(CHROMIUM_NAMES)
    message = f"no Chromium here (looked for {sought}). Install one, or set CHROMIUM to its path."
    if os.environ.get("POKERLAB_REQUIRE_BROWSER"):
        pytest.fail(message)
    pytest.skip(message)
