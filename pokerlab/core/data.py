"""Where pokerlab's data lie: beside the package in a clone of the repository, inside it once it is installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = (PACKAGE / "data").is_dir()
"""Whether the data are an installed package's: read-only, without the longest recordings."""
DATA = (PACKAGE if INSTALLED else PACKAGE.parent) / "data"


def is_installed(path: Path) -> bool:
    """Return whether a file lies, or is missing, among the data of an installed package."""
    return INSTALLED and path.resolve().is_relative_to(DATA)
