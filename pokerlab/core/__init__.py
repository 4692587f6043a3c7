"""The base of all other packages: errors, checks of parameters, random streams, kernels, files and parallel work.

Begin with `errors` and `settings`, because every public function checks its parameters with them. `random_numbers`
makes a random stream for each purpose, `compiler` compiles kernels, `workers` divides work among threads or over a
cluster, and `files`, `cache`, `fixed_arrays` and `saved_files` store arrays.
"""

from pokerlab.core.arrays import Bools as Bools
from pokerlab.core.arrays import Floats as Floats
from pokerlab.core.arrays import Ints as Ints
from pokerlab.core.arrays import freeze as freeze
from pokerlab.core.compiler import inlined as inlined
from pokerlab.core.compiler import kernel as kernel
from pokerlab.core.errors import CardError as CardError
from pokerlab.core.errors import CheckpointError as CheckpointError
from pokerlab.core.errors import ClusterError as ClusterError
from pokerlab.core.errors import ConvergenceError as ConvergenceError
from pokerlab.core.errors import FileFormatError as FileFormatError
from pokerlab.core.errors import GameError as GameError
from pokerlab.core.errors import IllegalActionError as IllegalActionError
from pokerlab.core.errors import KindError as KindError
from pokerlab.core.errors import PokerlabError as PokerlabError
from pokerlab.core.errors import ProbabilityError as ProbabilityError
from pokerlab.core.errors import SettingError as SettingError
from pokerlab.core.errors import ShapeError as ShapeError
from pokerlab.core.errors import StorageError as StorageError
from pokerlab.core.errors import UnknownNameError as UnknownNameError
from pokerlab.core.public_names import declare_public_names
from pokerlab.core.random_numbers import random_stream as random_stream
from pokerlab.core.settings import CheckedSettings as CheckedSettings
from pokerlab.core.settings import check_settings as check_settings
from pokerlab.core.settings import list_settings as list_settings
from pokerlab.core.settings import seed_setting as seed_setting
from pokerlab.core.settings import setting as setting
from pokerlab.core.settings import validate_integer as validate_integer
from pokerlab.core.settings import validate_number as validate_number
from pokerlab.core.units import CHIPS as CHIPS
from pokerlab.core.units import POINTS as POINTS
from pokerlab.core.units import Unit as Unit

INTERNAL = (
    "Bools",
    "Floats",
    "Ints",
    "check_settings",
    "validate_integer",
    "validate_number",
    "freeze",
    "inlined",
    "kernel",
    "list_settings",
)
declare_public_names(globals(), internal=("INTERNAL", *INTERNAL))
