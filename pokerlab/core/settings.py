"""Settings of an experiment, and the one set of checks that every parameter goes through.

An experiment's Config is a frozen keyword-only dataclass whose fields are made by `setting`. Each field has a `Setting`
with its label, unit, range and source, from which panels and tables are generated, and `check_settings` raises if a
value is not allowed. The parameters of everything else are checked by `checked_integer`, `checked_number`,
`checked_bool` and the functions below them: `check_` raises and returns nothing, `checked_` returns the value in its
usual type.
"""

import dataclasses
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from numbers import Integral, Rational, Real
from typing import Any, get_type_hints

from pokerlab.core.errors import PokerlabError, SettingError, UnknownNameError, quote_value
from pokerlab.core.old_names import reject_renamed_methods

LARGEST_COUNT = 10**12
"""The most steps of anything that is done in sequence, such as iterations; this many take days at least."""
LARGEST_FLOAT = int(sys.float_info.max)
"""The largest float, as an int, so that integers and fractions are compared with it exactly."""
TYPES_BY_ANNOTATION = {
    int: ((Integral,), "an integer"),
    float: ((Real,), "a number"),
    str: ((str,), "a string"),
    bool: ((bool,), "True or False"),
}
"""For each annotation of a field the types that a value may have, and their name in words."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one field of a Config."""

    label: str
    """Its name in a panel."""
    help: str
    """One sentence: what it does."""
    source: str
    """Where the default comes from: a paper's page, or 'ours'."""
    unit: str = ""
    """Its unit; empty for pure numbers and names."""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] | None = None
    logarithmic: bool = False
    """Whether a panel should show equal ratios, rather than equal differences, at equal distances."""
    excluded: tuple[Any, ...] = ()
    """Values within the range that are not allowed."""
    silent: bool = False
    """Whether the paper must have used some value, but does not print it."""
    rare: bool = False
    """Whether it is seldom changed, so that a panel may fold it away."""
    costs: bool = False
    """Whether the time of an iteration is proportional to it."""
    needs: Callable[[Any], bool] | None = None
    """Whether it has any effect, given a Config or anything with its values; None means always."""
    adapts: Callable[[Any], Mapping[str, Any]] | None = None
    """The fields above that depend on other settings, given the same: for example `{"low": 13.0}`."""

    @property
    def origin(self) -> str:
        """The origin of the default: 'paper', 'ours', or 'silent' if the paper does not print it."""
        if self.silent:
            return "silent"
        return "ours" if self.source.startswith("ours") else "paper"

    def adapt_to(self, config: Any) -> "Setting":
        """Return this setting as the other values of a Config change it, such as with another range."""
        if self.adapts is None:
            return self
        return dataclasses.replace(self, **self.adapts(config))

    def has_effect(self, config: Any) -> bool:
        """Return whether the setting has any effect beside the other values of a Config."""
        return self.needs is None or self.needs(config)

    def find_nearest_allowed(self, value: Any) -> Any:
        """Return the allowed value that is nearest to a value; with choices, the first one instead of another value."""
        if self.choices is not None:
            return value if value in self.choices else self.choices[0]
        if self.low is not None and value < self.low:
            return type(value)(self.low)
        if self.high is not None and value > self.high:
            return type(value)(self.high)
        return value


def setting(
    default: Any = dataclasses.MISSING,
    help: str = "",
    *,
    label: str = "",
    source: str = "ours",
    within: tuple[float, float] | None = None,
    log: tuple[float, float] | None = None,
    **about: Any,
) -> Any:
    """Declare a dataclass field that has a `Setting`, as `dataclasses.field` declares one without.

    Parameters
    ----------
    default : Any
        The default; without one the field is required.
    help : str
        One sentence: what the setting does.
    label : str
        Its name in a panel; by default the field's name in words.
    source : str
        Where the default comes from: a paper's page, or 'ours'.
    within, log : tuple of float, optional
        The allowed range; as `log`, that of a setting for which equal ratios matter.
    **about
        Further fields of the `Setting`.
    """
    allowed_range = within or log
    if allowed_range:
        low, high = allowed_range
        about |= {"low": low, "high": high, "logarithmic": log is not None}
    return dataclasses.field(
        default=default, kw_only=True, metadata={"setting": Setting(label, help, source, **about)}
    )


sized_setting = partial(setting, costs=True)
"""A setting to which the time of an iteration is proportional."""
unprinted_setting = partial(setting, silent=True)
"""A setting whose value the paper must have chosen, but does not print."""


def copy_setting(
    config: type, name: str, *, default: Any = dataclasses.MISSING, **about: Any
) -> Any:
    """Declare a dataclass field with the `Setting` of another class's field.

    Parameters
    ----------
    config : type
        A dataclass of settings.
    name : str
        The name of its field.
    default : Any
        Another default.
    **about
        Fields of the `Setting` that differ.
    """
    field = next(field for field in dataclasses.fields(config) if field.name == name)
    declared = dataclasses.replace(field.metadata["setting"], **about)
    if default is dataclasses.MISSING:
        default = field.default
    return dataclasses.field(default=default, kw_only=True, metadata={"setting": declared})


def seed_setting(help: str = "Decides everything random.", **about: Any) -> Any:
    """Declare the required field for an experiment's seed, 0 to 9999."""
    return setting(help=help, within=(0, 9999), **about)


def list_settings(config: Any) -> dict[str, Setting]:
    """Return the settings of a Config, or of a Config class, by the names of the fields; each has a label."""
    settings = {}
    for field in dataclasses.fields(config):
        about = field.metadata["setting"]
        if not about.label:
            about = dataclasses.replace(about, label=make_label(field.name))
        settings[field.name] = about
    return settings


def make_label(name: str) -> str:
    """Return a field's name as a label: 'Step size' for step_size."""
    return name.replace("_", " ").capitalize()


def check_settings(config: Any) -> None:
    """Raise if a value of a Config has another type than its field, or is outside its range or choices.

    It is for use in `__post_init__`. NumPy's numbers are numbers; True and False are not.

    Parameters
    ----------
    config : dataclass
        An object whose fields were made by `setting`.
    """
    annotations, settings = get_type_hints(type(config)), list_settings(config)
    for name, about in settings.items():
        check_value(name, getattr(config, name), annotations[name], about, "")
    for (
        name,
        declared,
    ) in settings.items():  # each value is allowed by itself; now beside the others
        about = declared.adapt_to(config)
        if about != declared:
            condition = " beside the other settings"
            check_value(name, getattr(config, name), annotations[name], about, condition)


class CheckedSettings:
    """A base for dataclasses of settings, whose values are checked when an object is made."""

    def __post_init__(self) -> None:
        check_settings(self)


def check_value(name: str, value: Any, annotation: Any, about: Setting, condition: str) -> None:
    """Raise if the `Setting` of a field does not allow a value.

    Parameters
    ----------
    name : str
        The field's name.
    value : Any
        The field's value.
    annotation : type
        The field's annotation.
    about : Setting
        The field's setting.
    condition : str
        The end of the error message about a range.
    """
    if annotation in TYPES_BY_ANNOTATION and not fits_annotation(annotation, value):
        raise SettingError(
            f"{name} is {quote_value(value)}; {about.label} allows {describe_allowed(about)}, given as"
            f" {TYPES_BY_ANNOTATION[annotation][1]}."
        )
    if about.choices is not None and value not in about.choices:
        raise UnknownNameError.from_allowed(name, value, map(str, about.choices))
    too_low = about.low is not None and not value >= about.low
    too_high = about.high is not None and not value <= about.high
    if too_low or too_high or value in about.excluded:
        raise SettingError(
            f"{name} is {quote_value(value)}; {about.label} allows {describe_allowed(about)}{condition}."
        )


def fits_annotation(annotation: type, value: Any) -> bool:
    """Return whether a value has a type that a field with an annotation may have; NaN does not count."""
    if isinstance(value, bool) and annotation is not bool:
        return False
    if isinstance(value, Rational) and annotation is float:
        return -LARGEST_FLOAT <= value <= LARGEST_FLOAT  # type: ignore[operator]
    return isinstance(value, TYPES_BY_ANNOTATION[annotation][0]) and bool(value == value)


def describe_allowed(about: Setting) -> str:
    """Return the values that a setting allows, in words."""
    if about.choices is not None:
        return ", ".join(map(str, about.choices))
    if about.low is None and about.high is None:
        return "any value"
    low = -math.inf if about.low is None else about.low
    high = math.inf if about.high is None else about.high
    text = describe_range(low, high)
    if about.unit:
        text += f" {about.unit}"
    if about.excluded:
        text += f", except {', '.join(map(str, about.excluded))}"
    return text


def describe_range(low: float, high: float) -> str:
    """Return a range in words, such as '1 to 1,000' or '0 to infinity'."""
    bounds = (f"{bound:,}" if isinstance(bound, int) else f"{bound:g}" for bound in (low, high))
    return " to ".join(bounds).replace("inf", "infinity")


def checked_integer(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> int:
    """Return a parameter's value as an int, or raise SettingError unless it is an integer within the bounds.

    True and 2.0 are not integers. The error calls the parameter `name`.
    """
    if not fits_annotation(int, value) or not low <= value <= high:
        raise SettingError(
            f"{name} is {quote_value(value)}; it must be an integer from {describe_range(low, high)}."
        )
    return int(value)


def checked_number(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a parameter's value as a float, or raise SettingError unless it is a number within the bounds.

    True and NaN are not numbers. The error calls the parameter `name`.
    """
    if not fits_annotation(float, value) or not low <= value <= high:
        raise SettingError(
            f"{name} is {quote_value(value)}; it must be a number from {describe_range(low, high)}."
        )
    return float(value)


def check_kind(
    name: str, value: object, kind: Any, instead: str, error: type[PokerlabError] = SettingError
) -> None:
    """Raise unless a parameter's value is an instance of a type; the error says what to give instead."""
    if not isinstance(value, kind):
        raise error(f"{name} is {quote_value(value)}; give {instead}.")


def check_items(name: str, values: object, kind: Any, instead: str) -> None:
    """Raise unless a parameter's values are a list or tuple of instances of a type."""
    if not isinstance(values, list | tuple) or not all(isinstance(value, kind) for value in values):
        raise SettingError(f"{name} are {quote_value(values)}; give {instead}.")


def check_attributes(name: str, value: object, attributes: tuple[str, ...], instead: str) -> None:
    """Raise unless a parameter's value is an object, and no class, that has the given attributes."""
    reject_renamed_methods(name, value, attributes)
    if isinstance(value, type) or not all(hasattr(value, each) for each in attributes):
        raise SettingError(f"{name} is {quote_value(value)}; give {instead}.")


def has_method(value: object, name: str) -> bool:
    """Return whether a value is an object, and no class, that has a method of the given name."""
    return not isinstance(value, type) and callable(getattr(value, name, None))


def check_callable(function: Any, role: str, arguments: Sequence[str], advice: str) -> None:
    """Raise unless a function can be called with the given arguments.

    Parameters
    ----------
    function : Any
        The function, or another object that can be called.
    role : str
        What the function is for, such as 'selection', for the error message.
    arguments : sequence of str
        The names of the arguments that it is called with.
    advice : str
        The last sentence of the error message.
    """
    try:
        signature(function).bind(*arguments)
    except (TypeError, ValueError) as error:
        if isinstance(error, ValueError) and callable(function) and not isinstance(function, type):
            return  # a function in C without a signature
        raise SettingError(
            f"{quote_value(function)} is not a {role}, which is called with {', '.join(arguments)}. {advice}"
        ) from None


def checked_bool(name: str, value: object) -> bool:
    """Return a parameter's value, or raise SettingError unless it is True or False."""
    if not isinstance(value, bool):
        raise SettingError(f"{name} is {quote_value(value)}; it must be True or False.")
    return value
