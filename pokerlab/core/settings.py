"""Settings of an experiment: numbers that know their label, unit, range and source.

An experiment's Config is a frozen keyword-only dataclass whose fields are made by `setting`;
panels and tables are generated from it, and `check_settings` refuses what lies outside.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from pokerlab.core.errors import SettingError, UnknownNameError


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about one field of a Config.

    Attributes
    ----------
    label : str
        What a panel calls it.
    help : str
        One sentence: what it does.
    source : str
        Where the default comes from: a paper's page, or 'ours'.
    unit : str
        What it counts; empty for pure numbers and names.
    low, high : float, optional
        Smallest and largest value allowed.
    choices : tuple, optional
        The values allowed.
    logarithmic : bool
        Whether equal ratios, rather than equal differences, matter.
    """

    label: str
    help: str
    source: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] | None = None
    logarithmic: bool = False


def setting(
    default: Any = dataclasses.MISSING,
    *,
    label: str,
    help: str,
    source: str,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[Any, ...] | None = None,
    logarithmic: bool = False,
) -> Any:
    """Return a dataclass field that carries a `Setting`; without a default the field is required."""
    about = Setting(label, help, source, unit, low, high, choices, logarithmic)
    return dataclasses.field(default=default, kw_only=True, metadata={"setting": about})


def settings_of(config: Any) -> dict[str, Setting]:
    """Return the settings of a Config, or of a Config class, by field name."""
    return {f.name: f.metadata["setting"] for f in dataclasses.fields(config)}


def check_settings(config: Any) -> None:
    """Refuse a Config with a value outside its range or choices; for use in `__post_init__`."""
    for name, about in settings_of(config).items():
        value = getattr(config, name)
        if about.choices is not None and value not in about.choices:
            raise UnknownNameError.among(name, value, map(str, about.choices))
        too_low = about.low is not None and not value >= about.low
        too_high = about.high is not None and not value <= about.high
        if too_low or too_high:
            low = "-infinity" if about.low is None else f"{about.low:g}"
            high = "infinity" if about.high is None else f"{about.high:g}"
            raise SettingError(
                f"{name} is {value!r}; {about.label} allows {low} to {high}"
                f"{' ' + about.unit if about.unit else ''}."
            )
