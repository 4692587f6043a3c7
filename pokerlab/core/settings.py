"""Settings of an experiment, and the one set of checks that every parameter goes through.

An experiment's Config is a frozen keyword-only dataclass whose fields are made by `setting`: numbers that know their
label, unit, range and source. Panels and tables are generated from it, and `check_settings` refuses what lies
outside. The parameters of everything else are checked by `whole`, `number` and `switch`.
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

from pokerlab.core.errors import PokerlabError, SettingError, UnknownNameError, in_short

LARGEST_COUNT = 10**12
"""Most steps of anything done in sequence, such as iterations: this many take days at least."""
LARGEST_FLOAT = int(sys.float_info.max)
"""The largest float; as an integer, which integers and fractions are compared with exactly."""
KINDS = {
    int: ((Integral,), "an integer"),
    float: ((Real,), "a number"),
    str: ((str,), "a string"),
    bool: ((bool,), "True or False"),
}
"""For the annotation of a field, the type that a value must have, and its name in words."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about one field of a Config."""

    label: str
    """What a panel calls it."""
    help: str
    """One sentence: what it does."""
    source: str
    """Where the default comes from: a paper's page, or 'ours'."""
    unit: str = ""
    """What it counts; empty for pure numbers and names."""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] | None = None
    logarithmic: bool = False
    """Whether equal ratios, rather than equal differences, matter."""
    excluded: tuple[Any, ...] = ()
    """Values within the range that are not allowed."""
    silent: bool = False
    """Whether the paper must have chosen a value, but does not print it."""
    rare: bool = False
    """Whether it is seldom changed, so that a panel may fold it away."""
    costs: bool = False
    """Whether an iteration takes in proportion to it."""
    needs: Callable[[Any], bool] | None = None
    """From a Config, or anything with its values, to whether it has any effect beside them; None: always."""
    adapts: Callable[[Any], Mapping[str, Any]] | None = None
    """From the same to the fields above that the other settings change, such as `{"low": 13.0}`."""

    @property
    def origin(self) -> str:
        """Where the value comes from: 'paper', 'ours', or 'silent' where the paper does not say."""
        if self.silent:
            return "silent"
        return "ours" if self.source.startswith("ours") else "paper"

    def beside(self, config: Any) -> "Setting":
        """Return the setting as the other values of `config` leave it."""
        return self if self.adapts is None else dataclasses.replace(self, **self.adapts(config))

    def matters(self, config: Any) -> bool:
        """Return whether the setting has any effect beside the other values of `config`."""
        return self.needs is None or self.needs(config)

    def nearest(self, value: Any) -> Any:
        """Return the allowed value nearest to `value`; of choices the first if it is not among them."""
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
    """Return a dataclass field that carries a `Setting`; without a default the field is required.

    `label` is needed only where it is not the field's name in words, and `source` where the default is not ours;
    `within` is the range allowed, or `log` that of a setting for which equal ratios matter; `about` are further
    fields of the `Setting`.
    """
    if span := within or log:
        about |= {"low": span[0], "high": span[1], "logarithmic": log is not None}
    return dataclasses.field(
        default=default, kw_only=True, metadata={"setting": Setting(label, help, source, **about)}
    )


sized = partial(setting, costs=True)  # a setting in proportion to which an iteration takes
unprinted = partial(setting, silent=True)
"""A setting whose value the paper must have had, but does not print."""


def same_as(config: type, name: str, *, default: Any = dataclasses.MISSING, **about: Any) -> Any:
    """Return a dataclass field with the default and the `Setting` of another class's field.

    `default` is one that differs, and `about` are attributes of the `Setting` that do.
    """
    field = next(field for field in dataclasses.fields(config) if field.name == name)
    declared = dataclasses.replace(field.metadata["setting"], **about)
    first = field.default if default is dataclasses.MISSING else default
    return dataclasses.field(default=first, kw_only=True, metadata={"setting": declared})


def seed_setting(help: str = "Decides everything random.", **about: Any) -> Any:
    """Return the required field for an experiment's seed, 0 to 9999."""
    return setting(help=help, within=(0, 9999), **about)


def settings_of(config: Any) -> dict[str, Setting]:
    """Return the settings of a Config, or of a Config class, by field name: the label where none is given."""
    declared = {f.name: f.metadata["setting"] for f in dataclasses.fields(config)}
    return {
        name: about if about.label else dataclasses.replace(about, label=in_words(name))
        for name, about in declared.items()
    }


def in_words(name: str) -> str:
    """Return a field's name as a label: 'Step size'."""
    return name.replace("_", " ").capitalize()


def check_settings(config: Any) -> None:
    """Refuse a Config with a value of another type than its field's, or outside range or choices.

    For use in `__post_init__`. NumPy's numbers are numbers; True and False are not.
    """
    annotations, settings = get_type_hints(type(config)), settings_of(config)
    for name, about in settings.items():
        check_value(name, getattr(config, name), annotations[name], about, "")
    for name, declared in settings.items():  # which may adapt to the others: these are right
        if (about := declared.beside(config)) != declared:
            where = " beside the other settings"
            check_value(name, getattr(config, name), annotations[name], about, where)


class Checked:
    """What dataclasses of settings are that refuse, when they are made, what these do not allow."""

    def __post_init__(self) -> None:
        check_settings(self)


def check_value(name: str, value: Any, annotation: Any, about: Setting, where: str) -> None:
    """Refuse a value of a field that its `Setting` does not allow."""
    if annotation in KINDS and not is_a(annotation, value):
        raise SettingError(
            f"{name} is {in_short(value)}; {about.label} allows {allowed(about)}, given as {KINDS[annotation][1]}."
        )
    if about.choices is not None and value not in about.choices:
        raise UnknownNameError.among(name, value, map(str, about.choices))
    too_low = about.low is not None and not value >= about.low
    too_high = about.high is not None and not value <= about.high
    if too_low or too_high or value in about.excluded:
        raise SettingError(
            f"{name} is {in_short(value)}; {about.label} allows {allowed(about)}{where}."
        )


def is_a(annotation: type, value: Any) -> bool:
    """Return whether `value` may stand in a field with this annotation."""
    if isinstance(value, bool) and annotation is not bool:
        return False
    if isinstance(value, Rational) and annotation is float:
        return -LARGEST_FLOAT <= value <= LARGEST_FLOAT  # type: ignore[operator]
    return isinstance(value, KINDS[annotation][0]) and bool(value == value)


def allowed(about: Setting) -> str:
    """Return in words which values a setting allows."""
    if about.choices is not None:
        return ", ".join(map(str, about.choices))
    if about.low is None and about.high is None:
        return "any value"
    low = -math.inf if about.low is None else about.low
    high = math.inf if about.high is None else about.high
    but = f", except {', '.join(map(str, about.excluded))}" if about.excluded else ""
    return span(low, high) + (f" {about.unit}" if about.unit else "") + but


def span(low: float, high: float) -> str:
    """Return a range in words, such as '1 to 1,000' or '0 to infinity'."""
    ends = (f"{end:,}" if isinstance(end, int) else f"{end:g}" for end in (low, high))
    return " to ".join(ends).replace("inf", "infinity")


def whole(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> int:
    """Return the parameter `value` as an int if it is an integer from `low` to `high`.

    True and 2.0 are not integers.
    """
    if not is_a(int, value) or not low <= value <= high:
        raise SettingError(
            f"{name} is {in_short(value)}; it must be an integer from {span(low, high)}."
        )
    return int(value)


def number(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> float:
    """Return the parameter `value` as a float if it is a number from `low` to `high`.

    True and NaN are not numbers.
    """
    if not is_a(float, value) or not low <= value <= high:
        raise SettingError(
            f"{name} is {in_short(value)}; it must be a number from {span(low, high)}."
        )
    return float(value)


def check_kind(
    name: str, value: object, kind: Any, instead: str, error: type[PokerlabError] = SettingError
) -> None:
    """Refuse the parameter `value` if it is not of a kind; the error says what to give `instead`."""
    if not isinstance(value, kind):
        raise error(f"{name} is {in_short(value)}; give {instead}.")


def check_items(name: str, values: object, kind: Any, instead: str) -> None:
    """Refuse the parameter `values`, a plural, if it is not a list or tuple of things of a kind."""
    if not isinstance(values, list | tuple) or not all(isinstance(value, kind) for value in values):
        raise SettingError(f"{name} are {in_short(values)}; give {instead}.")


def check_able(name: str, value: object, able: tuple[str, ...], instead: str) -> None:
    """Refuse the parameter `value` if it lacks an attribute that whoever is `able` has, or is a class."""
    if isinstance(value, type) or not all(hasattr(value, attribute) for attribute in able):
        raise SettingError(f"{name} is {in_short(value)}; give {instead}.")


def has_method(value: object, name: str) -> bool:
    """Return whether `value` is an object, and no class, that has a method of this name."""
    return not isinstance(value, type) and callable(getattr(value, name, None))


def check_part(part: Any, role: str, seen: Sequence[str], advice: str) -> None:
    """Refuse a part that cannot be called with the arguments in `seen`."""
    try:
        signature(part).bind(*seen)
    except (TypeError, ValueError) as error:
        if isinstance(error, ValueError) and callable(part) and not isinstance(part, type):
            return  # a function in C that does not say what it takes
        raise SettingError(
            f"{in_short(part)} is not a {role}, which is called with {', '.join(seen)}. {advice}"
        ) from None


def switch(name: str, value: object) -> bool:
    """Return the parameter `value`; refuse anything but True and False."""
    if not isinstance(value, bool):
        raise SettingError(f"{name} is {in_short(value)}; it must be True or False.")
    return value
