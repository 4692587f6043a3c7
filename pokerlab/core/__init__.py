"""The foundation of everything else: errors, units, random streams and the compiler's policy."""

from pokerlab.core.errors import (
    CardError,
    CheckpointError,
    ClusterError,
    ConvergenceError,
    FileFormatError,
    GameError,
    IllegalActionError,
    KindError,
    PokerlabError,
    ProbabilityError,
    SettingError,
    ShapeError,
    StorageError,
    UnknownNameError,
)
from pokerlab.core.settings import Setting, check_settings, seed_setting, setting, settings_of
from pokerlab.core.streams import stream
from pokerlab.core.units import CHIPS, POINTS, SMALL_BETS, Unit

__all__ = [
    "CHIPS",
    "POINTS",
    "SMALL_BETS",
    "CardError",
    "CheckpointError",
    "ClusterError",
    "ConvergenceError",
    "FileFormatError",
    "GameError",
    "IllegalActionError",
    "KindError",
    "PokerlabError",
    "ProbabilityError",
    "Setting",
    "SettingError",
    "ShapeError",
    "StorageError",
    "Unit",
    "UnknownNameError",
    "check_settings",
    "seed_setting",
    "setting",
    "settings_of",
    "stream",
]


def __dir__() -> list[str]:
    return sorted(__all__)
