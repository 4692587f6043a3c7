"""Runs of a bench that outlive its kernel: a folder with a checkpoint and the looks for each combination of settings.

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
END_SETTINGS = ("iterations",)  # settings that only determine when a run ends
DIGEST_LENGTH = 16  # the hexadecimal digits of a digest that names a file


class KeptRuns:
    """A folder with the runs of a bench, one for each combination of settings.

    A run is stored as the checkpoint of `pokerlab.runs.Run`. Its looks, by which it can be seen
    again, are in a second file.

    Parameters
    ----------
    folder : path
        The folder, which is made when the first run is stored.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = validate_path("folder of kept runs", folder).absolute()

    def find_checkpoint(self, config: Any) -> Path:
        """Return the path for the checkpoint of the run with these settings, whether the file exists or not."""
        settings = {name: value for name, value in vars(config).items() if name not in END_SETTINGS}
        text = json.dumps([type(config).__module__, settings], sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]}.npz"

    def find_looks_file(self, config: Any) -> Path:
        """Return the path for the looks at the run with these settings, whether the file exists or not."""
        return self.find_checkpoint(config).with_suffix(".looks.npz")

    def save_run(self, config: Any, run: Run, looks: Looks) -> None:
        """Write the checkpoint and the looks of the run with these settings."""
        run.save()
        descriptions, buffers = looks.flatten_pictures()
        metadata = {"format": FORMAT, "iteration": run.iteration, "looks": descriptions}
        arrays = {str(i): np.frombuffer(buffer, np.uint8) for i, buffer in enumerate(buffers)}
        SavedFile(metadata, arrays).save(self.find_looks_file(config))

    def load_looks(self, config: Any, run: Run) -> Looks:
        """Return the looks at a run that has been resumed.

        There are none if there is no file, or if it is damaged; then a warning says so.
        """
        looks = Looks()
        path = self.find_looks_file(config)
        if not path.exists():
            return looks
        try:
            file = SavedFile.load(path, FORMAT, looks=list)
            buffers = (memoryview(file.arrays[str(i)].tobytes()) for i in range(len(file.arrays)))
            for look in file.about["looks"]:
                arrays = [{**description, "data": next(buffers)} for description in look["arrays"]]
                if look["picture"]["iteration"] <= run.iteration:
                    looks.add_picture(look["picture"]["iteration"], {**look, "arrays": arrays})
        except (FileFormatError, KeyError, TypeError, StopIteration) as error:
            warnings.warn(
                f"Earlier pictures of this run cannot be shown: {error} The run continues.",
                stacklevel=2,
            )
            return Looks()
        return looks

    def set_run_aside(self, config: Any) -> None:
        """Rename the files of the run with these settings, so that a new one begins.

        Files that were renamed before are overwritten.
        """
        for path in (self.find_checkpoint(config), self.find_looks_file(config)):
            if path.exists():
                path.replace(path.with_name(f"before-{path.name}"))

    def delete_run(self, config: Any) -> None:
        """Delete the files of the run with these settings."""
        for path in (self.find_checkpoint(config), self.find_looks_file(config)):
            path.unlink(missing_ok=True)
