"""Save what the bench shows into a folder of its own: figure, history and config, all or nothing."""

import dataclasses
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from pokerlab.core import FileFormatError
from pokerlab.runs import History

FOLDER = "saved"
"""Where folders are made if none is named, below the notebook's."""


def save_run(
    folder: str | Path | None, title: str, config: Any, history: History, png: bytes
) -> Path:
    """Write `figure.png`, `history.npz` and `config.json` into a new folder; return its path."""
    target = Path(folder) if folder is not None else next_free(title)
    if target.exists():
        raise FileFormatError(f"{target} exists already; name another folder, or delete it.")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        (unfinished / "figure.png").write_bytes(png)
        text = json.dumps(dataclasses.asdict(config), indent=2)
        (unfinished / "config.json").write_text(f"{text}\n", encoding="utf-8")
        history.save(unfinished / "history.npz")
        unfinished.chmod(0o755)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def next_free(title: str) -> Path:
    """Return a folder that does not exist yet, such as 'saved/replicator-dynamics-1'."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    number = 1
    while (path := Path(FOLDER) / f"{name}-{number}").exists():
        number += 1
    return path
