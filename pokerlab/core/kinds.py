"""Objects of the wrong kind, answered in one sentence at the front door of each package.

Annotations say what kind of object a public function takes, so nothing is checked on the way in.
When a call fails, its arguments are compared with the annotations on the way out. One that does not
fit is named, with what to give instead; if all fit, the error is passed on, because the fault is
pokerlab's own. A class uses its arguments later, so they are compared even if nothing has failed
yet.
"""

import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from numbers import Number
from os import PathLike
from typing import Any, NamedTuple, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import KindError, PokerlabError

PARTS_OF_ARRAY_LIKE = frozenset(get_args(ArrayLike) or [ArrayLike])
"""A union with ArrayLike contains its parts in Python 3.11, from 3.12 on ArrayLike itself."""
EXAMPLES = {
    "BucketedHoldem": "bucketed hold'em, such as holdem.bucketed_limit_holdem()",
    "BucketedProfile": "a profile of bucketed hold'em, such as game.always_call()",
    "Buckets": "buckets, such as holdem.make_buckets()",
    "CompiledPlayer": "a player, such as holdem.ALWAYS_CALL",
    "Encoding": "an encoding, such as strategies.DirectEncoding(game)",
    "EvolutionStrategy": "an evolution strategy, such as evolution.CMAES()",
    "Experiment": "an experiment, such as lanctot2014.replicator",
    "Game": "a game, such as games.kuhn()",
    "Profile": "a profile, such as game.uniform()",
    "Rules": "the rules of a game, such as games.kuhn().rules",
    "SequenceForm": "a compiled game, such as games.kuhn()",
    "Structure": "a betting structure, such as holdem.no_limit(1, 2)",
    "WatchedState": "a state of metrics.Watched(solver)",
}
"""What to give for a class, by its name; others are called by their names."""


class Misfit(NamedTuple):
    """An argument, or an item of one, that is not of the kind wanted."""

    name: str
    value: Any
    wanted: Any


def front_door(package: dict[str, Any], quick: Collection[str] = ()) -> Callable[[], list[str]]:
    """Make the public names of a package answer for wrong kinds; return its `__dir__`.

    Parameters
    ----------
    package : dict
        Its `globals()`, complete with `__all__`.
    quick : collection of str
        Functions too quick for a wrapper, which use `refuse_misfits` themselves.
    """
    for name in set(package["__all__"]) & set(package) - set(quick):
        package[name] = part = answering(package[name])
        if isinstance(part, types.FunctionType):
            part.__module__ = package["__name__"]  # where pickle finds this one
    return lambda: sorted(package["__all__"])


def answering(part: Any) -> Any:
    """Return a function, or a class that runs code when it is called, that answers for wrong kinds.

    Anything else is returned as it is: constants, protocols, records of results.
    """
    if isinstance(part, types.FunctionType) and not hasattr(part, "__wrapped__"):
        return guarded(part, keeps=False)
    if isinstance(part, type) and is_written(part.__init__) and not is_protocol(part):  # type: ignore[misc]
        part.__init__ = guarded(part.__init__, keeps=not is_dataclass(part))  # type: ignore[misc]
    return part


def is_written(init: Any) -> bool:
    """Return whether an `__init__` was written by hand, or calls a `__post_init__` that was."""
    code = getattr(init, "__code__", None)
    return (
        code is not None
        and (code.co_filename != "<string>" or "__post_init__" in code.co_names)
        and not hasattr(init, "__wrapped__")
    )


def guarded(function: Callable[..., Any], *, keeps: bool) -> Callable[..., Any]:
    """Return `function`, answering for wrong kinds on the way out."""

    @wraps(function)
    def answered(*args: Any, **kwargs: Any) -> Any:
        try:
            result = function(*args, **kwargs)
        except PokerlabError:
            raise
        except Exception as error:
            refuse_misfits(function, args, kwargs, error)
            raise
        if keeps:
            refuse_misfits(function, args, kwargs)
        return result

    return answered


def refuse_misfits(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    error: Exception | None = None,
) -> None:
    """Raise a KindError for the first argument that does not fit its annotation, if there is one."""
    form = form_of(function)
    try:
        given = form.bind(*args, **(kwargs or {})).arguments
    except TypeError:  # too many or too few: Python says so well enough
        return
    for name, value in given.items():
        parameter = form.parameters[name]
        look = misfit_in if parameter.kind is Parameter.VAR_POSITIONAL else misfit
        found = look(name, value, parameter.annotation)
        if found and value is not parameter.default:
            owner = type(args[0]).__name__ if function.__name__ == "__init__" else None
            call = call_in_words(owner or function.__name__, form, name)
            raise KindError(
                f"{found.name} is {in_words(found.value)}; give {wanted_in_words(found.wanted)},"
                f" as in {call}."
            ) from error


@cache
def form_of(function: Callable[..., Any]) -> Signature:
    """Return a function's parameters with annotations; a name not known to its module stays one."""
    form = signature(function)
    known = getattr(function, "__globals__", {})

    def resolved(annotation: Any) -> Any:
        try:
            return eval(annotation, known) if isinstance(annotation, str) else annotation
        except NameError:
            return annotation

    parameters = form.parameters.values()
    return form.replace(
        parameters=[p.replace(annotation=resolved(p.annotation)) for p in parameters]
    )


def misfit(name: str, value: Any, wanted: Any) -> Misfit | None:
    """Return what does not fit the annotation `wanted`, if that is certain."""
    origin: Any = np.ndarray if wanted is ArrayLike else get_origin(wanted) or wanted
    parts = get_args(wanted)
    if origin in (Union, types.UnionType):
        fits = any(misfit(name, value, part) is None for part in alternatives(wanted))
    elif origin is np.ndarray:
        fits = is_array(value)
    elif origin is Callable:
        fits = callable(value)
    elif isinstance(origin, str):
        fits = origin in [kind.__name__ for kind in type(value).__mro__]
    elif not isinstance(origin, type) or origin in (Any, Parameter.empty):
        fits = True  # anything, or a type variable
    elif issubclass(origin, Number):
        fits = isinstance(value, Number | np.generic)
    elif is_protocol(origin):
        fits = has_members(value, origin)
    elif issubclass(origin, PathLike):
        fits = isinstance(value, PathLike)
    elif issubclass(origin, Iterable) and parts and not issubclass(origin, Mapping):
        if isinstance(value, Iterator):
            return None  # used up by looking
        if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            return misfit_in(name, value, parts[0])
        fits = False
    else:
        fits = isinstance(value, origin)
    return None if fits else Misfit(name, value, wanted)


def misfit_in(name: str, values: Iterable[Any], wanted: Any) -> Misfit | None:
    """Return the first item that does not fit the annotation `wanted`."""
    items = (misfit(f"{name}[{i}]", item, wanted) for i, item in enumerate(values))
    return next(filter(None, items), None)


def alternatives(union: Any) -> list[Any]:
    """Return what a union allows, with ArrayLike put together again."""
    parts = get_args(union)
    if not set(parts) >= PARTS_OF_ARRAY_LIKE:
        return list(parts)
    return [*(part for part in parts if part not in PARTS_OF_ARRAY_LIKE), np.ndarray]


def is_array(value: Any) -> bool:
    """Return whether numpy makes numbers of a value."""
    try:
        return np.asarray(value).dtype.kind in "biufc"
    except (TypeError, ValueError):
        return False


def is_protocol(kind: type) -> bool:
    """Return whether a class says only what others must have."""
    return bool(vars(kind).get("_is_protocol", False))


def has_members(value: Any, protocol: type) -> bool:
    """Return whether an object, itself no class, has everything that a protocol asks for."""
    members = {name for name in dir(protocol) if not name.startswith("_")}
    members |= set(getattr(protocol, "__annotations__", {}))
    return not isinstance(value, type) and all(
        hasattr(type(value), name) or hasattr(value, name) for name in members
    )


def call_in_words(function: str, form: Signature, name: str) -> str:
    """Return a call with the parameters that are needed, and the one called `name`."""
    words: list[str] = []
    for parameter in form.parameters.values():
        needed = parameter.default is Parameter.empty or parameter.name == name
        if needed and parameter.name != "self":
            by_name = parameter.kind is Parameter.KEYWORD_ONLY
            words.append(f"{parameter.name}=..." if by_name else parameter.name)
    return f"{function}({', '.join(words)})"


def in_words(value: Any) -> str:
    """Return a description of a value: its text if that is short, or else its kind."""
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, type | types.FunctionType):
        return f"{'the class' if isinstance(value, type) else 'the function'} {value.__name__}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if value is None or (isinstance(value, str | Number) and len(repr(value)) < 40):
        return repr(value)
    return with_article(type(value).__name__)


def wanted_in_words(wanted: Any) -> str:
    """Return what an annotation asks for."""
    origin: Any = np.ndarray if wanted is ArrayLike else get_origin(wanted) or wanted
    parts = get_args(wanted)
    if origin in (Union, types.UnionType):
        kinds = [part for part in alternatives(wanted) if part is not types.NoneType]
        return " or ".join(dict.fromkeys(map(wanted_in_words, kinds)))
    if isinstance(origin, str):
        return EXAMPLES.get(origin, with_article(origin))
    if origin is np.ndarray:
        return "an array of numbers"
    if origin is Callable:
        return "a function"
    if issubclass(origin, bool):
        return "True or False"
    if issubclass(origin, Number):
        return "a number"
    if issubclass(origin, str):
        return "a string"
    if issubclass(origin, PathLike):
        return "a path"
    if issubclass(origin, Mapping):
        return "a dictionary"
    if issubclass(origin, Iterable) and parts:
        return f"a list, each item of it {wanted_in_words(parts[0])}"
    return EXAMPLES.get(origin.__name__, with_article(origin.__name__))


def with_article(noun: str) -> str:
    """Return 'a noun' or 'an apple'."""
    return f"{'an' if noun[0] in 'AEIOUaeio' else 'a'} {noun}"
