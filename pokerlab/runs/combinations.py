"""The combinations of settings and seeds with which a sweep calls its measuring function."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from pokerlab.core import SettingError, UnknownNameError, validate_integer
from pokerlab.core.errors import quote_value
from pokerlab.runs.table_rows import Row, describe_columns, validate_row


class Combination(NamedTuple):
    """One of the combinations of settings that a sweep measures.

    Attributes
    ----------
    values : Row
        The value of each setting, by name, which becomes a part of the rows of the table.
    argument : dict or Config
        The argument of the measuring function: a dictionary of these values, or a Config that has them.
    """

    values: Row
    argument: Any


def make_combinations(settings: Any, config: Any, seeds: Iterable[int] | None) -> list[Combination]:
    """Return all combinations of settings and seeds in their order, each with an argument for the measuring function.

    Parameters
    ----------
    settings : mapping or iterable
        A mapping has a list of values for each setting, and all combinations of these values are used. An iterable has
        dictionaries or Configs.
    config : Config or None
        The Config in which the settings replace values. If it is None, the argument is a dictionary of the settings, or
        the listed Config itself.
    seeds : iterable of int or None
        The seeds with which each setting is combined. If it is None, the settings are used as they are.

    Returns
    -------
    list of Combination
        The combinations. Settings keep their order, and each setting comes with all seeds, one after the other.

    Raises
    ------
    SettingError
        If there are no settings, if a combination occurs twice, or if combinations have different names or types of
        values.
    UnknownNameError
        If the Config has no field with the name of a setting.
    """
    listed_settings = expand_settings(settings)
    if any(is_dataclass(each_setting) for each_setting in listed_settings):
        pairs = select_differing_fields(listed_settings, config)
    else:
        for each_setting in listed_settings:
            if not isinstance(each_setting, Mapping):
                raise SettingError(
                    f"a setting is {quote_value(each_setting)}; give a dictionary or a Config."
                )
        pairs = [(dict(each_setting), config) for each_setting in listed_settings]

    if seeds is not None:
        pairs = combine_with_seeds(pairs, seeds)
    # An empty mapping has a single combination, without any setting, which means something only with seeds.
    if not pairs or (settings == {} and seeds is None):
        raise SettingError("there are no settings; give at least one, or seeds.")

    combinations = [
        make_combination(settings_of_pair, base_config) for settings_of_pair, base_config in pairs
    ]
    check_combinations(combinations)
    return combinations


def expand_settings(settings: Any) -> list[Any]:
    """Return a list of settings, each with one value for each name.

    Parameters
    ----------
    settings : mapping or iterable
        A list of values for each setting, such as `{"size": [10, 20], "rate": [0.1, 0.2]}`. Instead, a list of
        dictionaries or Configs may be given.

    Returns
    -------
    list of dict or Config
        A dictionary for each combination of listed values, or the listed dictionaries or Configs.

    Raises
    ------
    SettingError
        If the settings, or the values of one of them, are not a list.

    Examples
    --------
    >>> expand_settings({"size": [10, 20], "rate": [0.1]})
    [{'size': 10, 'rate': 0.1}, {'size': 20, 'rate': 0.1}]
    """
    if isinstance(settings, Mapping):
        for name, choices in settings.items():
            if isinstance(choices, str | bytes) or not isinstance(choices, Iterable):
                raise SettingError(
                    f"{name} is {quote_value(choices)}; give a list of the values to combine."
                )
        combinations = product(*settings.values())
        return [dict(zip(settings, choices, strict=True)) for choices in combinations]

    if isinstance(settings, str | bytes) or not isinstance(settings, Iterable):
        raise SettingError(
            f"settings are {quote_value(settings)}; give a dictionary of lists, or a list of dictionaries or"
            " Configs."
        )
    return list(settings)


def combine_with_seeds(
    pairs: list[tuple[dict[str, Any], Any]], seeds: Iterable[int]
) -> list[tuple[dict[str, Any], Any]]:
    """Return each pair of settings and a Config once for each seed, with the seed as the setting 'seed'.

    Parameters
    ----------
    pairs : list of (dict, Config or None)
        The values of settings by name, and the Config in which they replace the values.
    seeds : iterable of int
        The seeds, which are not negative.

    Returns
    -------
    list of (dict, Config or None)
        The pairs: first the first given pair with each seed, then the second one, and so on.

    Raises
    ------
    SettingError
        If the seeds are not a list of such integers, or if a pair already has a setting 'seed'.
    """
    if isinstance(seeds, str | bytes) or not isinstance(seeds, Iterable):
        raise SettingError(
            f"seeds are {quote_value(seeds)}; give a list of integers, such as [1, 2]."
        )
    checked_seeds = [validate_integer("seed", seed, 0) for seed in seeds]
    for settings_of_pair, _ in pairs:
        if "seed" in settings_of_pair:
            raise SettingError(
                f"'seed' is a setting already, in {settings_of_pair}; give no other seeds."
            )

    pairs_with_seeds = []
    for settings_of_pair, config in pairs:
        for seed in checked_seeds:
            pairs_with_seeds.append(({**settings_of_pair, "seed": seed}, config))
    return pairs_with_seeds


def check_combinations(combinations: Sequence[Combination]) -> None:
    """Raise a SettingError if combinations of settings cannot be the rows of one table.

    Parameters
    ----------
    combinations : sequence of Combination
        The combinations, at least one.

    Raises
    ------
    SettingError
        If combinations differ in the names or in the types of their values, or if a combination occurs twice.
    """
    first_columns = describe_columns(combinations[0].values)
    for combination in combinations:
        columns = describe_columns(combination.values)
        if columns != first_columns:
            raise SettingError(
                f"a setting has {columns}; the first one has {first_columns}."
                " Give all of them the same names in the same order, and values of the same kinds."
            )

    occurrences = Counter(tuple(combination.values.values()) for combination in combinations)
    most_frequent, times = occurrences.most_common(1)[0]
    if times > 1:
        repeated_setting = dict(zip(combinations[0].values, most_frequent, strict=True))
        raise SettingError(
            f"the setting {repeated_setting} is there {times} times; measure each one once."
        )


def select_differing_fields(
    configs: list[Any], base_config: Any
) -> list[tuple[dict[str, Any], Any]]:
    """Return each Config together with the values of the fields in which the Configs differ.

    Parameters
    ----------
    configs : list of Config
        The Configs, which must all be of one type.
    base_config : None
        The Config in which dictionaries of settings would replace values. Listed Configs replace nothing, so it must be
        None.

    Returns
    -------
    list of (dict, Config)
        For each Config the values of these fields by name, and the Config itself.

    Raises
    ------
    SettingError
        If the Configs are of several types, or if `base_config` is not None.
    """
    types = {type(config) for config in configs}
    if base_config is not None or len(types) > 1:
        raise SettingError(
            f"the settings are of the kinds {', '.join(sorted(kind.__name__ for kind in types))}, and config is a"
            f" {type(base_config).__name__}; give Configs of one kind and no other config, or dictionaries of settings."
        )

    differing_names = []
    for field in fields(configs[0]):
        # Values are compared by their texts, since some types have no order or hash.
        texts = {repr(getattr(config, field.name)) for config in configs}
        if len(texts) > 1:
            differing_names.append(field.name)

    pairs = []
    for config in configs:
        pairs.append(({name: getattr(config, name) for name in differing_names}, config))
    return pairs


def make_combination(settings: Mapping[str, Any], base_config: Any) -> Combination:
    """Return a combination of settings together with the argument for the measuring function.

    Parameters
    ----------
    settings : mapping of str to Any
        The value of each setting, by name.
    base_config : Config or None
        The argument is a copy of this Config in which the values of the settings are replaced. If it is None, the
        argument is a dictionary with the names and values.

    Returns
    -------
    Combination
        The values by name, and the argument that has them.

    Raises
    ------
    SettingError
        If a value is NaN or cannot be in a table, or if `base_config` is neither a Config nor None.
    UnknownNameError
        If the Config has no field with one of the names.
    """
    row = validate_row(settings)
    for name, value in row.items():
        if value != value:  # only NaN differs from itself
            raise SettingError(f"'{name}' is {value}, which equals nothing; give another value.")
    if base_config is None:
        return Combination(row, dict(row))
    if not is_dataclass(base_config) or isinstance(base_config, type):
        raise SettingError(f"config is {quote_value(base_config)}; give a Config, or None.")
    for name in row:
        UnknownNameError.check("setting", name, [field.name for field in fields(base_config)])
    return Combination(row, replace(base_config, **row))
