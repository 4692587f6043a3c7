"""Runs of a bench that outlive its kernel: in a folder, for each combination of settings, a checkpoint and the looks.

Looks are the pictures of a run that were shown, by which it can be seen again (`pokerlab.workbench.live.looks`).
"""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.core import FileFormatError
from pokerlab.core.files import validate_path
from pokerlab.core.saved_files import SavedFile
from pokerlab.runs import Run
from pokerlab.workbench.live.looks import Looks

FORMAT = "pokerlab looks 1"
NO_INFLUENCE = ("iterations",)  # settings that only say when a run ends
DIGITS = 16  # of a digest that names a file


class KeptRuns:
    """A folder with the runs of a bench, one for each combination of settings.

    A run is kept as the checkpoint of `pokerlab.runs.Run`. Beside it are its looks, so that it can be seen again.

    Parameters
    ----------
    folder : path
        The folder, which is made when the first run is kept.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = validate_path("folder of kept runs", folder).absolute()

    def find_checkpoint(self, config: Any) -> Path:
        """Return the checkpoint of the run with these settings, whether it exists or not."""
        settings = {k: v for k, v in vars(config).items() if k not in NO_INFLUENCE}
        text = json.dumps([type(config).__module__, settings], sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:DIGITS]}.npz"

    def find_looks(self, config: Any) -> Path:
        """Return the file with the looks at the run with these settings."""
        return self.find_checkpoint(config).with_suffix(".looks.npz")

    def save(self, config: Any, run: Run, looks: Looks) -> None:
        """Write the run and its looks."""
        run.save()
        flat, buffers = looks.flatten()
        about = {"format": FORMAT, "iteration": run.iteration, "looks": flat}
        arrays = {str(i): np.frombuffer(each, np.uint8) for i, each in enumerate(buffers)}
        SavedFile(about, arrays).save(self.find_looks(config))

    def load_looks(self, config: Any, run: Run) -> Looks:
        """Return the looks at a run that has been resumed; none, with a warning, if their file is damaged."""
        looks = Looks()
        path = self.find_looks(config)
        if not path.exists():
            return looks
        try:
            kept = SavedFile.load(path, FORMAT, looks=list)
            buffers = (memoryview(kept.arrays[str(i)].tobytes()) for i in range(len(kept.arrays)))
            for look in kept.about["looks"]:
                arrays = [{**about, "data": next(buffers)} for about in look["arrays"]]
                if look["picture"]["iteration"] <= run.iteration:
                    looks.add(look["picture"]["iteration"], {**look, "arrays": arrays})
        except (FileFormatError, KeyError, TypeError, StopIteration) as error:
            warnings.warn(
                f"Earlier pictures of this run cannot be shown: {error} The run continues.",
                stacklevel=2,
            )
            return Looks()
        return looks

    def set_aside(self, config: Any) -> None:
        """Rename the files of the run with these settings, so that it begins anew; an older such run is lost."""
        for path in (self.find_checkpoint(config), self.find_looks(config)):
            if path.exists():
                path.replace(path.with_name(f"before-{path.name}"))

    def forget(self, config: Any) -> None:
        """Delete the files of the run with these settings."""
        for path in (self.find_checkpoint(config), self.find_looks(config)):
            path.unlink(missing_ok=True)
