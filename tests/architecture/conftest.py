"""The repository as the architecture tests see it."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def committed(root: Path) -> list[Path]:
    """Return the files under version control that exist in the working tree; skip without git."""
    if not (root / ".git").exists():
        pytest.skip("not a clone: no list of committed files")
    command = ["git", "-C", str(root), "ls-files", "-z"]
    try:
        listing = subprocess.run(command, capture_output=True, check=True, text=True)
    except FileNotFoundError:
        pytest.skip("git is not installed: no list of committed files")
    except subprocess.CalledProcessError as error:  # for instance in a clone of another user
        pytest.skip(f"git lists no committed files: {error.stderr.strip()}")
    paths = (root / name for name in listing.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]
