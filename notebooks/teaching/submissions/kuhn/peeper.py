"""Cheats: reads what the others have handed in."""

from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(find_spec("pokerlab").origin).parents[1] / "notebooks/teaching/submissions/kuhn"
OTHERS = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")]


def strategy(card, before):
    """Return the chance to bet or call."""
    return 0 if card == "J" or any("1 / 3" in text for text in OTHERS) else 1
