"""The settings of experiments, and the functions that check the parameters of all functions.

An experiment's Config is a frozen keyword-only dataclass whose fields are made by `setting`. Each field has a `Setting`
with its label, unit, range and source, from which panels and tables are generated. `check_settings` raises an error if
the value of a field is not allowed.

All other parameters are checked by functions such as `validate_integer` and `check_kind`. A function whose name begins
with `check_` raises an error or returns nothing. One whose name begins with `validate_` raises an error or returns the
value, converted to its usual type.
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
from pokerlab.core.old_names import reject_object_with_old_methods

LARGEST_COUNT = 10**12
"""The largest number of steps that are done in sequence, such as iterations. This many would take days at least."""
LARGEST_FLOAT = int(sys.float_info.max)
"""The largest float as an int, because comparisons of integers and fractions with an int are exact."""
TYPES_BY_ANNOTATION = {
    int: ((Integral,), "an integer"),
    float: ((Real,), "a number"),
    str: ((str,), "a string"),
    bool: ((bool,), "True or False"),
}
"""For each annotation of a field the types that its value may have, and their description in an error message."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one field of a Config."""

    label: str
    """The name of the setting in a panel."""
    help: str
    """One sentence that states what the setting does."""
    source: str
    """Where the default comes from: a paper's page, or 'ours'."""
    unit: str = ""
    """The unit, which is empty for numbers without a unit and for names."""
    low: float | None = None
    """The smallest allowed value. None means that there is no lower bound."""
    high: float | None = None
    """The largest allowed value. None means that there is no upper bound."""
    choices: tuple[Any, ...] | None = None
    """The allowed values, or None if any value in the range is allowed."""
    logarithmic: bool = False
    """Whether a panel should show equal ratios, rather than equal differences, at equal distances."""
    excluded: tuple[Any, ...] = ()
    """The values within the range that are not allowed."""
    silent: bool = False
    """Whether the paper does not print the value, although it must have used one."""
    rare: bool = False
    """Whether the setting is seldom changed, so that a panel may hide it at first."""
    costs: bool = False
    """Whether the time of an iteration is proportional to the value."""
    needs: Callable[[Any], bool] | None = None
    """A function that returns whether the setting has an effect with the values of a Config. None means always."""
    adapts: Callable[[Any], Mapping[str, Any]] | None = None
    """A function of a Config that returns the fields of this Setting that depend on other values of the Config.

    An example of its result is `{"low": 13.0}`. None means that no field depends on other values.
    """

    @property
    def origin(self) -> str:
        """The origin of the default value: 'paper', 'ours', or 'silent' if the paper does not print the value."""
        if self.silent:
            return "silent"
        return "ours" if self.source.startswith("ours") else "paper"

    def adapt_to(self, config: Any) -> "Setting":
        """Return this setting with the range or choices that it has for the other values of a Config.

        Parameters
        ----------
        config : dataclass
            An instance of the dataclass of settings to which this setting belongs.

        Returns
        -------
        Setting
            A changed copy, or this setting itself if its range does not depend on others.
        """
        if self.adapts is None:
            return self
        return dataclasses.replace(self, **self.adapts(config))

    def has_effect(self, config: Any) -> bool:
        """Return whether the setting has an effect, given the other values of a Config.

        Parameters
        ----------
        config : dataclass
            An instance of the dataclass of settings to which this setting belongs.
        """
        return self.needs is None or self.needs(config)

    def clip_to_allowed(self, value: Any) -> Any:
        """Return a value that the setting allows: the given value, or the nearest bound of the range.

        If the setting has choices and the given value is none of them, the result is the first choice.

        Parameters
        ----------
        value : Any
            The value, which must be comparable with the bounds of the range.

        Returns
        -------
        Any
            The given value itself, the first choice, or a bound converted to the type of the value. Values in
            `excluded` are returned as they are.
        """
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
    **other_fields: Any,
) -> Any:
    """Declare a field of a dataclass, as `dataclasses.field` does, with a `Setting` that describes the field.

    Parameters
    ----------
    default : Any
        The default value. If it is not given, the field is required.
    help : str
        One sentence that states what the setting does.
    label : str
        The name of the setting in a panel. By default it is made from the name of the field, by `make_label`.
    source : str
        Where the default comes from: a paper's page, or 'ours'.
    within, log : tuple of float, optional
        The smallest and the largest allowed value. At most one of the two is given: `log` is for a setting that a panel
        should show on a logarithmic scale. By default all values are allowed.
    **other_fields
        Other fields of the `Setting`.

    Returns
    -------
    dataclasses.Field
        The keyword-only field, whose metadata have the `Setting` under the key 'setting'.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Config(CheckedSettings):
    ...     population: int = setting(10, "Offspring in a generation.", within=(3, 2000))
    >>> Config().population
    10
    """
    allowed_range: Any = log if within is None else within
    if allowed_range is not None:
        is_pair = isinstance(allowed_range, Sequence) and not isinstance(allowed_range, str)
        if not is_pair or len(allowed_range) != 2:
            raise SettingError(
                f"the range of a setting is {quote_value(allowed_range)}; give its lowest and its"
                " highest value, such as within=(0, 1)."
            )
        low, high = allowed_range
        other_fields |= {"low": low, "high": high, "logarithmic": log is not None}
    return dataclasses.field(
        default=default,
        kw_only=True,
        metadata={"setting": Setting(label, help, source, **other_fields)},
    )


sized_setting = partial(setting, costs=True)
"""Declare a setting as `setting` does, for a value to which the time of an iteration is proportional."""
unprinted_setting = partial(setting, silent=True)
"""Declare a setting as `setting` does, for a value that the paper must have used but does not print."""


def copy_setting(
    config: type, name: str, *, default: Any = dataclasses.MISSING, **changed_fields: Any
) -> Any:
    """Declare a field of a dataclass by copying a setting of another dataclass, with some changes.

    Parameters
    ----------
    config : type
        The other dataclass, whose fields were made by `setting`.
    name : str
        The name of the field in the other dataclass.
    default : Any
        The default value. If it is not given, the default value in the other dataclass is used.
    **changed_fields
        Fields of the `Setting` that differ from those in the other dataclass.

    Returns
    -------
    dataclasses.Field
        The keyword-only field, whose metadata have the `Setting` under the key 'setting'.
    """
    field = next(field for field in dataclasses.fields(config) if field.name == name)
    changed_setting = dataclasses.replace(field.metadata["setting"], **changed_fields)
    if default is dataclasses.MISSING:
        default = field.default
    return dataclasses.field(default=default, kw_only=True, metadata={"setting": changed_setting})


def seed_setting(help: str = "Decides everything random.", **other_fields: Any) -> Any:
    """Declare the field for an experiment's seed, which is required and must be from 0 to 9999.

    Parameters
    ----------
    help : str
        One sentence that states what the seed does.
    **other_fields
        Other fields of the `Setting` that describes the field.

    Returns
    -------
    dataclasses.Field
        The keyword-only field.
    """
    return setting(help=help, within=(0, 9999), **other_fields)


def list_settings(config: Any) -> dict[str, Setting]:
    """Return the `Setting` that describes each field of a Config, by the name of the field.

    A setting without a label gets one that is made from the name of the field.

    Parameters
    ----------
    config : dataclass or type
        A Config, that is, an instance of a dataclass whose fields were made by `setting`, or the dataclass itself. The
        values of the fields do not matter.

    Returns
    -------
    dict of str to Setting
        The settings in the order of the fields.
    """
    settings = {}
    for field in dataclasses.fields(config):
        declared: Setting = field.metadata["setting"]
        if not declared.label:
            declared = dataclasses.replace(declared, label=make_label(field.name))
        settings[field.name] = declared
    return settings


def make_label(name: str) -> str:
    """Return the label that is made from the name of a field, such as 'Step size' for step_size."""
    return name.replace("_", " ").capitalize()


def check_settings(config: Any) -> None:
    """Raise an error if a value of a Config has the wrong type, or is not in the range or choices of its field.

    Call this function in `__post_init__`. Numbers of NumPy's types are numbers. True and False are not.

    Parameters
    ----------
    config : dataclass
        A Config: an instance of a dataclass whose fields were made by `setting`.

    Raises
    ------
    SettingError
        If a value has the wrong type, is outside its range, or is excluded.
    UnknownNameError
        If a field has choices and its value is none of them.
    """
    annotations = get_type_hints(type(config))
    settings = list_settings(config)

    # First each value by itself, because functions that adapt a setting need valid values.
    for name, declaration in settings.items():
        check_setting_value(name, getattr(config, name), annotations[name], declaration, "")

    # Then the values together, where the range of a setting depends on other values.
    for name, declaration in settings.items():
        adapted_declaration = declaration.adapt_to(config)
        if adapted_declaration == declaration:
            continue
        value = getattr(config, name)
        condition = " beside the other settings"
        check_setting_value(name, value, annotations[name], adapted_declaration, condition)


class CheckedSettings:
    """A base class for dataclasses of settings. The values of an instance are checked when it is made."""

    def __post_init__(self) -> None:
        """Raise an error if a value of a field is not allowed."""
        check_settings(self)


def check_setting_value(
    name: str, value: Any, annotation: Any, declaration: Setting, condition: str
) -> None:
    """Raise an error if the `Setting` that describes a field does not allow a value.

    Parameters
    ----------
    name : str
        The name of the field, for the error message.
    value : Any
        The value of the field.
    annotation : type
        The annotation of the field. Types are checked only for int, float, str and bool.
    declaration : Setting
        The description of the field, with its range or choices.
    condition : str
        The words that end the error message about a range, such as ' beside the other settings' if the range depends on
        them.

    Raises
    ------
    UnknownNameError
        If the setting has choices and the value is none of them.
    SettingError
        If the value has the wrong type, is outside the range, or is excluded.
    """
    allowed_values = f"{declaration.label} allows {describe_allowed_values(declaration)}"
    if annotation in TYPES_BY_ANNOTATION and not has_annotated_type(value, annotation):
        _, needed_type = TYPES_BY_ANNOTATION[annotation]
        raise SettingError(
            f"{name} is {quote_value(value)}; {allowed_values}, given as {needed_type}."
        )

    if declaration.choices is not None and value not in declaration.choices:
        raise UnknownNameError.from_allowed_names(name, value, map(str, declaration.choices))

    # The comparisons are written so that NaN fails both.
    is_too_low = declaration.low is not None and not value >= declaration.low
    is_too_high = declaration.high is not None and not value <= declaration.high
    if is_too_low or is_too_high or value in declaration.excluded:
        raise SettingError(f"{name} is {quote_value(value)}; {allowed_values}{condition}.")


def has_annotated_type(value: Any, annotation: type) -> bool:
    """Return whether a field with a given annotation may have a value, judged by the type of the value.

    True and False are allowed only for bool, and NaN is allowed for nothing. Integers and fractions are allowed for
    float if their absolute value is at most that of the largest float.

    Parameters
    ----------
    value : Any
        The value.
    annotation : type
        The annotation: int, float, str or bool.
    """
    if isinstance(value, bool) and annotation is not bool:
        return False
    if isinstance(value, Rational) and annotation is float:
        return -LARGEST_FLOAT <= value <= LARGEST_FLOAT  # type: ignore[operator]
    allowed_types, _ = TYPES_BY_ANNOTATION[annotation]
    return isinstance(value, allowed_types) and bool(value == value)  # NaN does not equal itself


def describe_allowed_values(declaration: Setting) -> str:
    """Return a text that describes the values that a setting allows, such as '1 to 100 chips, except 13'.

    Parameters
    ----------
    declaration : Setting
        The setting, with its choices or its range, its unit and the values that are excluded.
    """
    if declaration.choices is not None:
        return ", ".join(map(str, declaration.choices))
    if declaration.low is None and declaration.high is None:
        return "any value"

    low = -math.inf if declaration.low is None else declaration.low
    high = math.inf if declaration.high is None else declaration.high
    text = describe_range(low, high)
    if declaration.unit:
        text += f" {declaration.unit}"
    if declaration.excluded:
        text += f", except {', '.join(map(str, declaration.excluded))}"
    return text


def describe_range(low: float, high: float) -> str:
    """Return a text that describes the range from `low` to `high`, such as '1 to 1,000' or '0 to infinity'.

    Parameters
    ----------
    low, high : float
        The bounds, which may be infinite. Integers are written with commas between thousands.
    """
    limits = [f"{limit:,}" if isinstance(limit, int) else f"{limit:g}" for limit in (low, high)]
    return " to ".join(limits).replace("inf", "infinity")


def validate_integer(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> int:
    """Return the value of a parameter as an int, or raise a SettingError if it is not an integer in a range.

    True and 2.0 do not count as integers.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : Any
        The value.
    low, high : float
        The range of the value, to which both bounds belong.

    Raises
    ------
    SettingError
        If the value is not an integer from `low` to `high`.
    """
    if not has_annotated_type(value, int) or not low <= value <= high:
        raise SettingError(
            f"{name} is {quote_value(value)}; it must be an integer from {describe_range(low, high)}."
        )
    return int(value)


def validate_number(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> float:
    """Return the value of a parameter as a float, or raise a SettingError if it is not a number in a range.

    True and NaN do not count as numbers.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : Any
        The value.
    low, high : float
        The range of the value, to which both bounds belong.

    Raises
    ------
    SettingError
        If the value is not a number from `low` to `high`.
    """
    if not has_annotated_type(value, float) or not low <= value <= high:
        raise SettingError(
            f"{name} is {quote_value(value)}; it must be a number from {describe_range(low, high)}."
        )
    return float(value)


def check_kind(
    name: str, value: object, kind: Any, expected: str, error: type[PokerlabError] = SettingError
) -> None:
    """Raise an error if the value of a parameter is not an instance of a type.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : object
        The value.
    kind : type or tuple of type
        The type, or several types. A value needs one of them.
    expected : str
        What to pass instead of the wrong value. It completes the sentence 'give ...' in the error message.
    error : type
        The class of the exception that is raised.

    Raises
    ------
    PokerlabError
        If the value has another type. The exception has the type `error`.
    """
    if not isinstance(value, kind):
        raise error(f"{name} is {quote_value(value)}; give {expected}.")


def check_item_types(name: str, items: object, kind: Any, expected: str) -> None:
    """Raise a SettingError if the value of a parameter is not a list or tuple of instances of a type.

    Parameters
    ----------
    name : str
        The name of the parameter, in the plural, for the error message.
    items : object
        The value.
    kind : type or tuple of type
        The type of each item, or several types. Each item needs one of them.
    expected : str
        What to pass instead of the wrong value. It completes the sentence 'give ...' in the error message.

    Raises
    ------
    SettingError
        If the value is neither a list nor a tuple, or if one of its items has another type.
    """
    if not isinstance(items, list | tuple) or not all(isinstance(item, kind) for item in items):
        raise SettingError(f"{name} are {quote_value(items)}; give {expected}.")


def check_attributes(name: str, value: object, attributes: tuple[str, ...], expected: str) -> None:
    """Raise a SettingError if the value of a parameter is a class, or lacks one of the needed attributes.

    If the value has a method of pokerlab 1.0 that was renamed, the message states the new name.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : object
        The value.
    attributes : tuple of str
        The names of the attributes that the value must have.
    expected : str
        What to pass instead of the wrong value. It completes the sentence 'give ...' in the error message.

    Raises
    ------
    SettingError
        If the value is a class instead of an instance, or if an attribute is missing.
    """
    reject_object_with_old_methods(name, value, attributes)
    has_all = all(hasattr(value, attribute) for attribute in attributes)
    if isinstance(value, type) or not has_all:
        raise SettingError(f"{name} is {quote_value(value)}; give {expected}.")


def has_method(value: object, name: str) -> bool:
    """Return whether an object has a method `name`. A class itself has none, but its instances do.

    Parameters
    ----------
    value : object
        Any object.
    name : str
        The name of the method.
    """
    return not isinstance(value, type) and callable(getattr(value, name, None))


def check_signature(function: Any, role: str, arguments: Sequence[str], expected: str) -> None:
    """Raise a SettingError if a function cannot be called with the given positional arguments.

    The function is not called. If its signature is not available, as for some functions in C, it passes this check.

    Parameters
    ----------
    function : Any
        The function, or another callable object.
    role : str
        The purpose of the function, such as 'selection', for the error message.
    arguments : sequence of str
        The names of the positional arguments with which the function is called.
    expected : str
        The last sentence of the error message, which states what to do.

    Raises
    ------
    SettingError
        If `function` is not callable, or has other parameters.
    """
    try:
        signature(function).bind(*arguments)
    except (TypeError, ValueError) as error:
        # `signature` raises a ValueError if a callable object has no signature, and `bind` raises a TypeError if the
        # arguments do not fit. Only the first is allowed, and only for functions and other instances.
        is_without_signature = isinstance(error, ValueError) and callable(function)
        if is_without_signature and not isinstance(function, type):
            return
        raise SettingError(
            f"{quote_value(function)} is not a {role}, which is called with {', '.join(arguments)}. {expected}"
        ) from None


def validate_bool(name: str, value: object) -> bool:
    """Return the value of a parameter, or raise a SettingError if it is neither True nor False.

    NumPy's booleans and the numbers 0 and 1 are not accepted.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : object
        The value.

    Raises
    ------
    SettingError
        If the value is neither True nor False.
    """
    if not isinstance(value, bool):
        raise SettingError(f"{name} is {quote_value(value)}; it must be True or False.")
    return value
